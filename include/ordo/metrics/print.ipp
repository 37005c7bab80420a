#pragma once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include "ordo/metrics/known.hpp"
#include "ordo/nest/edit.hpp"

namespace ordo::metrics {
namespace detail_print_metrics {
inline std::string line(const char* what, const std::string& text) {
  std::string padded = what;
  padded.resize(std::max<std::size_t>(14, padded.size() + 2), ' ');
  return "  " + padded + text + "\n";
}
inline std::string percent(const Share& share) {
  const double value = share.value();
  if (std::isnan(value)) return nest::print_size(share.over) + " of " + nest::print_size(share.of);
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * value);
  return text;
}
inline std::string a_byte(Ref operations, Ref moved) {
  if (constant(moved) == 0) return "no bytes";
  const double value = intensity(operations, moved);
  if (std::isnan(value)) return nest::print_size(moved) + " bytes";
  char text[32];
  std::snprintf(text, sizeof text, ", %.1f operations a byte", value);
  return nest::print_size(moved) + " bytes" + text;
}
inline bool is_one(const Share& share) { return share.over == share.of; }

inline std::string list(Ref all, const std::vector<Held>& tensors, Ref Held::*bytes) {
  std::string text;
  for (const Held& t : tensors)
    if (constant(t.*bytes) != 0) text += (text.empty() ? ": " : ", ") + t.name + " " + nest::print_size(t.*bytes);
  return nest::print_size(all) + " bytes" + text;
}
inline std::string level_lines(const Level& level) {
  const std::string name = level.loop.empty() ? "all of it" : "turn of " + level.loop;
  return line(name.c_str(), "touches " + list(level.bytes, level.tensors, &Held::bytes)) +
         line("", "moves " + list(level.moved, level.tensors, &Held::moved));
}
inline std::string stage_text(const StageMetrics& s, const Machine& machine) {
  std::string text = s.name + ": " + nest::print_size(s.operations) + " operations\n";
  for (const Level& level : s.levels) text += level_lines(level);
  for (const Cache& c : s.caches)
    text += line(c.name, "holds " + (c.holds.empty() ? "all of it" : "a turn of " + c.holds) + ", moves " + a_byte(s.operations, c.moved));
  if (s.tasks != nullptr)
    text += line("tasks", nest::print_size(s.tasks) + " on " + std::to_string(machine.cores) + " cores: " + percent(s.balance) + " busy");
  if (s.chained)
    text += line("chains", nest::print_size(s.accumulators) + " that do not wait for each other, " + std::to_string(s.wanted) +
                               " keep the ports busy");
  text +=
      line("registers",
           std::to_string(s.registers) + " of " + std::to_string(machine.vector_registers) +
               (s.registers > machine.vector_registers ? ", " + std::to_string(s.registers - machine.vector_registers) + " spilled" : ""));
  constexpr const char* reach[] = {"same in all lanes", "contiguous", "strided", "gathered"};
  std::string reads;
  for (const Read& r : s.reads) reads += "; " + r.name + " " + reach[static_cast<int>(r.reach)];
  text += line("lanes", percent(s.vectors) + " of " + std::to_string(s.lanes) + reads);
  if (!is_one(s.mask)) text += line("computed", percent(s.mask) + " exists");
  if (constant(s.remainder.over) != 0) text += line("remainder", percent(s.remainder));
  return text + line("code", "about " + std::to_string(s.code_bytes) + " bytes");
}
}  // namespace detail_print_metrics

ORDO_INLINE std::string print(const Metrics& metrics, const Machine& machine) {
  using namespace detail_print_metrics;
  std::string text;
  for (const StageMetrics& stage : metrics.stages) text += stage_text(stage, machine);
  if (metrics.stages.size() < 2) return text;
  text += "all stages: " + nest::print_size(metrics.operations) + " operations\n";
  for (const Cache& c : metrics.caches) text += line(c.name, "moves " + a_byte(metrics.operations, c.moved));
  return text;
}
}  // namespace ordo::metrics
