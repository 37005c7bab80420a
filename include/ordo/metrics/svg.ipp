#pragma once
#include <algorithm>
#include <cstdio>
#include <utility>
#include "ordo/metrics/known.hpp"
#include "ordo/metrics/svg.hpp"
#include "ordo/nest/edit.hpp"

namespace ordo {
namespace metrics::detail_svg {
struct Box {
  const char* look;         // its class in the style sheet
  std::string label, side;  // at the left and at the right of its first line
  std::vector<Box> inside = {};
  int width = 0, height = 0;  // once laid out, in pixels
};
inline constexpr int line = 22, pad = 8, gap = 6, between = 24;
inline constexpr std::size_t most_letters = 96;

// Letters of a UTF-8 text.
inline std::size_t letters(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}
inline int pixels(const std::string& text) { return (static_cast<int>(letters(text)) * 73 + 9) / 10; }  // of 12 a letter is 7.2 wide
inline std::string shortened(std::string text, std::size_t most) {
  if (letters(text) <= most) return text;
  std::size_t end = 0;
  for (std::size_t n = 0; n + 1 < most; ++n) do
      ++end;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80);
  return text.substr(0, end) + "\u2026";
}
inline std::string escaped(const std::string& text) {
  std::string to;
  for (const char c : text) {
    if (c == '&') to += "&amp;";
    else if (c == '<') to += "&lt;";
    else if (c == '>') to += "&gt;";
    else if (c == '"') to += "&quot;";
    else to += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  }
  return to;
}
inline std::string bytes(Ref size) {
  const i64 n = constant(size);
  if (n < 0) return shortened(nest::print_size(size) + " bytes", 48);
  constexpr const char* unit[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(n);
  int k = 0;
  for (; value >= 1024 && k < 4; ++k) value /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, k == 0 || value == static_cast<double>(static_cast<i64>(value)) ? "%.0f %s" : "%.1f %s", value, unit[k]);
  return text;
}

class Drawing {
 public:
  Drawing(const nest::Nest& nest, const Metrics& metrics) : nest_(nest), metrics_(metrics) {}
  std::string text() {
    for (std::size_t s = 0; s < nest_.stages.size(); ++s) {
      const nest::Stage& stage = nest_.stages[s];
      if (stage.placed.stage < 0) boxes_.push_back(stage.inlined ? Box{"inlined", first_line(stage), ""} : panel(static_cast<int>(s)));
    }
    boxes_.push_back({"note", "at the right: bytes that one turn touches", ""});
    int width = 0, height = pad;
    for (Box& box : boxes_) {
      lay_out(box);
      width = std::max(width, box.width);
      height += box.height + pad;
    }
    const std::string w = std::to_string(width + 2 * pad), h = std::to_string(height);
    out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + w + "\" height=\"" + h + "\" viewBox=\"0 0 " + w + " " + h +
           "\" role=\"img\">\n<title>Schedule of " + escaped(outputs()) + "</title>\n<style>" + style() +
           "</style>\n<rect class=\"page\" width=\"" + w + "\" height=\"" + h + "\" rx=\"8\"/>\n";
    int y = pad;
    for (const Box& box : boxes_) {
      draw(box, pad, y, width);
      y += box.height + pad;
    }
    return out_ + "</svg>\n";
  }

 private:
  static const char* style() {
    return "\ntext{font:12px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#1b1f24}.side{fill:#57606a}"
           "\nrect{stroke:#8c959f;stroke-width:1}.page{fill:#fff;stroke:none}.stage{fill:#f6f8fa}.loop{fill:#fff}.parallel{fill:#ddf4ff;"
           "stroke:#0969da}"
           "\n.vectorized{fill:#dafbe1;stroke:#1a7f37}.unrolled{fill:#fff8c5;stroke:#9a6700}.copy,.memory{fill:#fbefff;stroke:#8250df;"
           "stroke-dasharray:4 3}"
           "\n.value{fill:#f6f8fa;stroke:none}.inlined{fill:#eaeef2;stroke:none}.note{fill:none;stroke:none}"
           "\n@media "
           "(prefers-color-scheme:dark){text{fill:#e6edf3}.side{fill:#9198a1}rect{stroke:#6e7681}.page{fill:#0d1117}.stage{fill:#151b23}"
           "\n.loop{fill:#0d1117}.parallel{fill:#0c2d4d;stroke:#4493f8}.vectorized{fill:#0f3a1d;stroke:#3fb950}.unrolled{fill:#3b2e0a;"
           "stroke:#d29922}"
           "\n.copy,.memory{fill:#2c1a4a;stroke:#ab7df8}.value{fill:#151b23}.inlined{fill:#21262d}}\n";
  }
  std::string first_line(const nest::Stage& stage) const {
    std::string text = nest::stage_line(nest_, stage);
    while (!text.empty() && (text.back() == '\n' || text.back() == ':')) text.pop_back();
    return text;
  }
  std::string outputs() const {
    std::string text;
    for (const ir::TensorInfo& t : nest_.program.tensors)
      if (t.output) text += (text.empty() ? "" : ", ") + std::string(t.name);
    return text;
  }
  const StageMetrics& metrics_of(const std::string& name) const {
    return *std::find_if(metrics_.stages.begin(), metrics_.stages.end(), [&](const StageMetrics& m) { return m.name == name; });
  }
  static Ref room(const nest::Stage& stage, const ir::TensorInfo& t, std::size_t d) {
    if (stage.placed.stage < 0) return t.shape[d];
    const nest::Region& r = stage.placed.regions[d];
    return r.room != nullptr ? r.room : r.kept != nullptr ? r.kept : r.extent;
  }
  Box memory(const nest::Stage& stage, const StageMetrics& m) const {
    const ir::TensorInfo& t = nest_.program.tensors[static_cast<std::size_t>(nest::definition_of(nest_, stage).tensor)];
    std::string shape;
    for (std::size_t d = 0; d < t.shape.size(); ++d) shape += (d == 0 ? "" : " x ") + nest::print_size(room(stage, t, d));
    Box box{"memory", "holds " + stage.name + ": " + (shape.empty() ? "" : shape + " ") + name_of(t.type), ""};
    for (const Held& h : m.levels[0].tensors)
      if (h.name == stage.name) box.side = bytes(h.bytes);
    return box;
  }
  Box value(const nest::Stage& stage, int number) const {
    std::string reads;
    for (const int t : nest::reads_through(nest_, number)) {
      const ir::TensorInfo& info = nest_.program.tensors[static_cast<std::size_t>(t)];
      if (info.definition >= 0 && nest_.stages[static_cast<std::size_t>(info.definition)].inlined) continue;
      std::string name = nest_.names[static_cast<std::size_t>(t)];
      for (const nest::Pack& pack : stage.packs)
        if (pack.tensor == t) name = pack.name;
      reads += (reads.empty() ? "" : ", ") + name;
    }
    return {"value", stage.name + (reads.empty() ? " from numbers" : " from " + reads), ""};
  }
  // What stands in a turn of a loop (-1: outside all): copies, stages computed there.
  void stand_in(std::vector<Box>& to, const nest::Stage& stage, int loop, const StageMetrics& m) const {
    for (const nest::Pack& pack : stage.packs) {
      if (pack.at != loop) continue;
      Box box{"copy", nest::copy_line(stage, pack), ""};
      for (const Held& h : m.levels[0].tensors)
        if (h.name == pack.name) box.side = bytes(h.bytes);
      to.push_back(box);
    }
    for (const nest::Prefetch& p : stage.prefetches)
      if (p.loop == loop)
        to.push_back(
            {"copy", "prefetch " + nest_.names[static_cast<std::size_t>(p.tensor)] + ", " + nest::print_size(p.distance) + " ahead", ""});
    for (const int guest : stage.guests)
      if (nest_.stages[static_cast<std::size_t>(guest)].placed.turn == loop) to.push_back(panel(guest));
  }
  Box panel(int number) const {
    const nest::Stage& stage = nest_.stages[static_cast<std::size_t>(number)];
    const StageMetrics& m = metrics_of(stage.name);
    Box box{"stage", first_line(stage), stage.placed.stage < 0 ? bytes(m.levels[0].bytes) : ""};
    stand_in(box.inside, stage, -1, m);
    Box inner = value(stage, number);
    for (std::size_t k = stage.order.size(); k-- > 0;) {
      constexpr const char* look[] = {"loop", "unrolled", "vectorized", "parallel"};
      const nest::Loop& l = stage.loop(stage.order[k]);
      Box loop{look[static_cast<int>(l.mark)], nest::loop_line(stage, stage.order[k]),
               k + 1 < m.levels.size() ? bytes(m.levels[k + 1].bytes) : ""};
      stand_in(loop.inside, stage, stage.order[k], m);
      loop.inside.push_back(std::move(inner));
      inner = std::move(loop);
    }
    box.inside.push_back(std::move(inner));
    box.inside.push_back(memory(stage, m));
    return box;
  }

  void lay_out(Box& box) {
    box.label = shortened(box.label, most_letters);
    box.width = 2 * pad + pixels(box.label) + (box.side.empty() ? 0 : between + pixels(box.side));
    box.height = line;
    for (Box& inner : box.inside) {
      lay_out(inner);
      box.width = std::max(box.width, inner.width + 2 * pad);
      box.height += inner.height + gap;
    }
    if (!box.inside.empty()) box.height += 2;
  }
  void draw(const Box& box, int x, int y, int width) {
    const auto at = [](int px, int py) { return " x=\"" + std::to_string(px) + "\" y=\"" + std::to_string(py) + "\""; };
    out_ += std::string("<rect class=\"") + box.look + "\"" + at(x, y) + " width=\"" + std::to_string(width) + "\" height=\"" +
            std::to_string(box.height) + "\" rx=\"4\"/>\n<text" + at(x + pad, y + 15) + ">" + escaped(box.label) + "</text>\n";
    if (!box.side.empty())
      out_ += "<text class=\"side\" text-anchor=\"end\"" + at(x + width - pad, y + 15) + ">" + escaped(box.side) + "</text>\n";
    y += line;
    for (const Box& inner : box.inside) {
      draw(inner, x + pad, y, width - 2 * pad);
      y += inner.height + gap;
    }
  }
  const nest::Nest& nest_;
  const Metrics& metrics_;
  std::vector<Box> boxes_ = {};
  std::string out_ = {};
};
}  // namespace metrics::detail_svg

ORDO_INLINE std::string metrics::svg(const nest::Nest& nest, const std::vector<ir::KnownSize>& sizes, Where at) {
  const Metrics metrics = measure(nest, {}, sizes, at);
  return detail_svg::Drawing(nest, metrics).text();
}
ORDO_INLINE std::string svg(const Schedule& schedule, const Sizes& sizes, Where at) {
  return metrics::svg(nest::nest_of(schedule.body()), sizes, at);
}
}  // namespace ordo
