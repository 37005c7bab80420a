#pragma once
#include <algorithm>
#include "ordo/nest/edit.hpp"

namespace ordo::nest {
namespace detail_refusal {
// Edits (insert, delete, change, exchange of neighbours) that turn a into b.
inline std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}
}  // namespace detail_refusal

ORDO_INLINE std::string ticked(const std::string& name) { return "`" + name + "`"; }
ORDO_INLINE std::string listed(const std::vector<std::string>& names, const char* last) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k > 0) text += k + 1 == names.size() ? " " + std::string(last) + " " : ", ";
    text += ticked(names[k]);
  }
  return text;
}
ORDO_INLINE std::string did_you_mean(const std::string& name, const std::vector<std::string>& known) {
  if (name.size() > 100) return "";
  std::size_t best = std::max<std::size_t>(1, name.size() / 3) + 1;
  const std::string* found = nullptr;
  for (const std::string& candidate : known) {
    if (candidate.size() > name.size() + best || candidate.size() + best < name.size()) continue;
    const std::size_t d = detail_refusal::distance(name, candidate);
    if (d >= best || d >= std::max(name.size(), candidate.size())) continue;
    best = d;
    found = &candidate;
  }
  return found == nullptr ? "" : "did you mean " + ticked(*found) + "?";
}

ORDO_INLINE std::string cannot(const Directive& directive) {
  const directive::Row* row = row_of(directive.name);
  std::string text = "cannot " + std::string(row != nullptr ? row->verb : directive.name.c_str());
  if (directive.name == "pack") {
    if (!directive.tensor.empty()) text += " " + ticked(directive.tensor);
    if (!directive.loops.empty()) text += " at " + ticked(directive.loops[0]);
    return text;
  }
  if (directive.name == "prefetch" && directive.loops.size() == 1) {
    const std::string by = directive.factors.size() == 1 ? ", " + directive.factors[0] + " ahead" : "";
    return text + " " + ticked(directive.tensor) + " along " + ticked(directive.loops[0]) + by;
  }
  if (directive.name == "layout") return text + " " + ticked(directive.stage);
  if (directive.name == "align")
    return text + " " + ticked(directive.tensor) + (directive.factors.empty() ? "" : " to " + directive.factors[0] + " bytes");
  if (directive.name == "store_at" && directive.loops.empty())
    return text + " " + ticked(directive.stage) + " outside of all loops of " + ticked(directive.tensor);
  if (directive.name == "fold_storage")
    return text + " the memory of " + ticked(directive.stage) + " along " + listed(directive.loops) +
           (directive.factors.empty() ? "" : " to " + directive.factors[0]);
  if (directive.name == "compute_root") return text + " " + ticked(directive.stage) + " on its own";
  if (directive.loops.empty()) return text + " " + ticked(directive.stage);
  if (of_host(directive))
    return text + " " + ticked(directive.stage) + " at " + ticked(directive.loops[0]) + " of " + ticked(directive.tensor);
  text += " " + listed(directive.loops);
  if (const std::size_t slash = directive.stage.find('/'); slash != std::string::npos)
    text += " of " + ticked(directive.stage.substr(slash + 1));
  for (std::size_t k = 0; k < directive.factors.size(); ++k) text += (k == 0 ? " by " : ", ") + directive.factors[k];
  return text;
}
ORDO_INLINE std::string call_of(const Stage& stage, const char* directive, const std::vector<int>& loops) {
  std::string text;
  for (const int loop : loops) text += (text.empty() ? "" : ", ") + stage.loop(loop).name;
  return std::string(directive) + "(" + text + ")";
}
ORDO_INLINE std::string line_of(Where at) {
  if (at.line == 0) return "";
  const std::string file = at.file;
  return file.substr(file.find_last_of('/') + 1) + ":" + std::to_string(at.line);
}
ORDO_INLINE std::string at_line(const char* what, Where at) {
  const std::string line = line_of(at);
  return line.empty() ? what : std::string(what) + " at " + line;
}

ORDO_INLINE std::string text_of(const Nest& nest, int stage, const Refusal& refusal, Where at) {
  std::string text = "error[" + std::string(refusal.code) + "]: " + refusal.message;
  const std::string line = line_of(at);
  if (!line.empty()) text += "\n  at " + line;
  if (stage >= 0) {
    const Stage& s = nest.stages[static_cast<std::size_t>(stage)];
    text += (line.empty() ? "\n  in" : ", in") + std::string(" the schedule of ") + ticked(s.name);
    const Stage& shown = refusal.stage < 0 ? s : nest.stages[static_cast<std::size_t>(refusal.stage)];
    const std::string loops = shown.inlined ? "" : print(shown, nest.program, refusal.arrow);
    std::string head = refusal.stage < 0 ? "  loops now:  " : "  loops of " + ticked(shown.name) + " now:  ";
    for (std::size_t from = 0; from < loops.size();) {
      const std::size_t end = loops.find('\n', from);
      text += "\n" + head + loops.substr(from, end - from);
      head.assign(head.size(), ' ');
      from = end + 1;
    }
  }
  if (!refusal.help.empty()) text += "\n  help: " + refusal.help;
  return text;
}
ORDO_INLINE void refuse(const Nest& nest, int stage, const Refusal& refusal, Where at) {
  throw Error(Error::Kind::user, refusal.code, text_of(nest, stage, refusal, at).c_str());
}
}  // namespace ordo::nest
