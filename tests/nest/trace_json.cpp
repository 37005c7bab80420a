#include "nest/golden.hpp"
#include "nest/made.hpp"
#include "ordo/trace.hpp"

using namespace ordo;
using made::Sketch;

namespace {
Sketch gemm() {
  Sketch s(made::matmul());
  s.split("C", "i", {"8"}).split("C", "j", {"384", "48"}, Tail::peel).reorder("C", {"j.0", "i.0", "j.1", "k", "i.1", "j.2"});
  s.pack("C", "B", "j.0", {Memory::heap, 1, false}).parallel("C/B.pack", "k").pack("C", "A", nullptr, {Memory::automatic, 0, true});
  return s;
}
void wrong(const std::string& name, const std::string& json) {
  golden::refused(name, [&] { trace_from_json(json.c_str(), {"tune.cpp", 30}); });
}
std::string of(const std::string& directive) { return "{\"format\": \"ordo trace\", \"version\": 1, \"directives\": [" + directive + "]}"; }
}  // namespace

TEST_CASE("json: a trace goes out and comes back") {
  const Sketch s = gemm();
  const std::string json = to_json(s.trace);
  const nest::Trace back = trace_from_json(json.c_str());
  CHECK(print(back) == print(s.trace));
  CHECK(to_json(back) == json);
  nest::Nest nest = nest::make(made::matmul());
  nest::apply(nest, back);
  CHECK(print(nest) == s.text());
}

TEST_CASE("json: its form") {
  nest::Trace trace{made::directive("split", "C", {"i"}, 1)};
  trace[0].factors = {"8"};
  trace[0].tail = Tail::guard;
  CHECK(to_json(trace) ==
        "{\n \"format\": \"ordo trace\",\n \"version\": 1,\n \"directives\": [\n  {\n   \"do\": \"split\",\n   \"stage\": \"C\",\n   "
        "\"loops\": [\n"
        "    \"C/i\"\n   ],\n   \"factors\": [\n    \"8\"\n   ],\n   \"tail\": \"guard\"\n  }\n ]\n}");
  CHECK(trace_from_json(to_json(nest::Trace{}).c_str()).empty());
}

TEST_CASE("json: a recipe keeps its name") {
  const Recipe r{"blocks", gemm().trace};
  const Recipe back = recipe_from_json(to_json(r).c_str());
  CHECK(back.name == "blocks");
  CHECK(diff(back, r).empty());
  CHECK(recipe_from_json(to_json(r.trace).c_str()).name.empty());
}

TEST_CASE("json: of a schedule, and replayed on another") {
  Tensor<float, 2> X{"X", {64, 48}}, Y{"Y"};
  Index i{"i"}, j{"j"};
  Y(i, j) = X(i, j) * 2;
  Schedule s{Y}, t{Y};
  auto [j0, j1] = s.split(j, 16);
  s.vectorize(j1).parallel(i);
  (void)j0;
  replay(t, trace_json(s).c_str());
  CHECK(std::string(t.text()) == s.text());
}

TEST_CASE("json: what is no trace is refused with its place") {
  wrong("trace.json", "{\"format\": \"ordo trace\",\n \"version\": 1,\n \"directives\": [}");
  wrong("trace.json.format", "{\"directives\": []}");
  wrong("trace.json.version", "{\"format\": \"ordo trace\", \"version\": 2, \"directives\": []}");
  wrong("trace.json.list", "{\"format\": \"ordo trace\", \"version\": 1, \"directives\": 3}");
  wrong("trace.json.name", "{\"format\": \"ordo trace\", \"version\": 1, \"name\": 3, \"directives\": []}");
  wrong("trace.json.object", of("7"));
  wrong("trace.json.do", of("{\"stage\": \"C\"}"));
  wrong("trace.json.stage", of("{\"do\": \"inline_\"}"));
  wrong("trace.json.key", of("{\"do\": \"inline_\", \"stage\": \"C\", \"at\": 3}"));
  wrong("trace.json.text", of("{\"do\": 3}"));
  wrong("trace.json.loops", of("{\"do\": \"unroll\", \"stage\": \"C\", \"loops\": \"C/i\"}"));
  wrong("trace.json.path", of("{\"do\": \"unroll\", \"stage\": \"C\", \"loops\": [\"i\"]}"));
  wrong("trace.json.tail", of("{\"do\": \"split\", \"stage\": \"C\", \"loops\": [\"C/i\"], \"factors\": [\"8\"], \"tail\": \"pel\"}"));
  wrong("trace.json.pad", of("{\"do\": \"pack\", \"stage\": \"C\", \"tensor\": \"B\", \"pad\": 1.5}"));
  wrong("trace.json.constant", of("{\"do\": \"pack\", \"stage\": \"C\", \"tensor\": \"B\", \"constant\": 1}"));
  golden::refused("schedule.directive.json", [] {
    nest::Nest nest = nest::make(made::matmul());
    nest::apply(nest, trace_from_json(of("{\"do\": \"vectorise\", \"stage\": \"C\"}").c_str(), {"tune.cpp", 30})[0]);
  });
  wrong("trace.json.number", of("{\"do\": 1e999}"));
  golden::refused("trace.json.null", [] { trace_from_json(nullptr, {"tune.cpp", 30}); });
  const std::string deep = std::string(200000, '[') + std::string(200000, ']');
  wrong("trace.json.deep", "{\"format\": \"ordo trace\", \"version\": " + deep + "}");
  for (const char* text : {"", "null", "[", "{\"format\": [1]}", "\"ordo trace\""}) CHECK_THROWS_AS(trace_from_json(text), Error);
}
