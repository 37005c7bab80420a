#include "fuzz/run.hpp"
#include <cstdlib>
#include <cstring>
#include "foreign/lowered.hpp"
#include "ordo/cpu.hpp"
#include "ordo/interp/interp.hpp"
#include "ordo/ir/simplify.hpp"
#include "ordo/kernel/walk.hpp"
#include "ordo/metrics/svg.hpp"
#if __has_include(<nlohmann/json.hpp>)
#include "ordo/nest/trace_json.hpp"
#endif
#include "ordo/plan/plan.hpp"
#include "ordo/runtime/group.hpp"

namespace fuzz {
using namespace ordo;

namespace {
// `rough`: numbers only, every bit of their fractions used, so that each order of a sum rounds otherwise.
u64 random_value(Type t, Random& random, bool rough) {
  if (t == Type::boolean) return static_cast<u64>(random.below(2));
  if (!is_float(t)) return random.chance(80) ? static_cast<u64>(random.between(-5, 9)) : random.bits();
  if (!rough && random.chance(4)) return random.bits();                  // NaNs, subnormals, huge ones among them
  const u64 sign = random.bits() & 1, fraction = random.bits();
  const auto pack = [&](int exponent_bits, int fraction_bits) {
    const u64 bias = (u64{1} << (exponent_bits - 1)) - 1;
    const u64 exponent = !rough && random.chance(6) ? 0 : bias + static_cast<u64>(random.between(-2, 2));
    const u64 kept = rough || random.chance(30) ? fraction : fraction & ~u64{0} << (fraction_bits - 3);
    return sign << (exponent_bits + fraction_bits) | exponent << fraction_bits | (kept & ((u64{1} << fraction_bits) - 1));
  };
  switch (t) {
    case Type::f16: return pack(5, 10);
    case Type::bf16: return pack(8, 7);
    case Type::f32: return pack(8, 23);
    default: return pack(11, 52);
  }
}
}  // namespace

Data::Data(const ir::Program& program, Random& random) : program_(program) {
  for (std::size_t d = 0; d < program.dims.size(); ++d) dims_.push_back(random.chance(15) ? random.below(3) : random.between(1, 20));
  std::vector<int> list = program.inputs;
  list.insert(list.end(), program.outputs.begin(), program.outputs.end());
  for (const int n : list) {
    const ir::TensorInfo& t = program.tensors[static_cast<std::size_t>(n)];
    Argument a{nullptr, t.type, static_cast<int>(t.shape.size()), {}, {}};
    i64 elements = 1;
    for (std::size_t d = 0; d < t.shape.size(); ++d) elements *= a.shape[d] = ir::evaluate(t.shape[d], dims_.data());
    i64 stride = 1;
    const bool columns = t.shape.size() > 1 && random.chance(15);        // column-major now and then
    for (std::size_t k = 0; k < t.shape.size(); ++k) {
      const std::size_t d = columns ? k : t.shape.size() - 1 - k;
      a.stride[d] = stride;
      stride *= a.shape[d];
    }
    const std::size_t size = static_cast<std::size_t>(bytes_of(t.type));
    i64 start = 0;                                                       // of element 0: not first where a stride is negative
    for (std::size_t d = 0; d < t.shape.size() && random.chance(20); ++d) {
      if (a.shape[d] > 0) start += (a.shape[d] - 1) * a.stride[d];
      a.stride[d] = -a.stride[d];
    }
    if (elements == 0) start = 0;
    Guarded b(static_cast<std::size_t>(elements) * size);
    b.fill(0xcd);
    const bool rough = random.chance(50);
    if (t.input)
      for (std::size_t k = 0; k < static_cast<std::size_t>(elements); ++k) {
        const u64 v = random_value(t.type, random, rough);
        std::memcpy(b.data() + k * size, &v, size);
      }
    bytes_.push_back(std::move(b));
    a.data = bytes_.back().data() + start * static_cast<i64>(size);
    arguments_.push_back(a);
  }
}
void Data::poison() {
  for (std::size_t k = program_.inputs.size(); k < bytes_.size(); ++k) bytes_[k].fill(0xcd);
}
std::string Data::outputs() const {
  std::string all;
  for (std::size_t k = program_.inputs.size(); k < bytes_.size(); ++k)
    all.append(reinterpret_cast<const char*>(bytes_[k].data()), bytes_[k].size());
  return all;
}
std::string Data::sizes() const {
  std::string text;
  for (std::size_t d = 0; d < dims_.size(); ++d) text += std::string(program_.dims[d].name) + "=" + std::to_string(dims_[d]) + " ";
  return text;
}

void interpret_all(const ir::Program& program, Data& data) {
  data.poison();
  const std::vector<Argument> a = data.arguments();
  interpret(program, a.data(), static_cast<int>(a.size()));
}

namespace {
const kernel::Hooks walk_hooks = {
    [](const kernel::Frame*, i64 n, kernel::Chunk chunk, void* closure) { for (i64 k = 0; k < n; ++k) chunk(closure, k); },
    [](const kernel::Frame*, i64 bytes) { return std::malloc(static_cast<std::size_t>(bytes < 1 ? 1 : bytes)); },
    [](const kernel::Frame*, void* block, i64) { std::free(block); },
    [](const kernel::Frame*, i64, i64) {},
};
}  // namespace

void walk_all(const ir::Program& staged, const nest::Trace& trace, const Target& target, const kernel::Planted& planted, Data& data) {
  data.poison();
  const plan::Plan plan = foreign::plan_of(staged, &trace, target);
  const foreign::Setting setting(plan, data.arguments());
  std::vector<void*> memory;
  for (const Argument& a : data.arguments()) memory.push_back(a.data);
  std::vector<std::vector<unsigned char>> workspaces;
  for (const std::size_t bytes : setting.workspaces) {
    workspaces.emplace_back(bytes, static_cast<unsigned char>(0xfb));
    memory.push_back(workspaces.back().data());
  }
  const kernel::Frame frame{memory.data(), setting.dims.data(), setting.strides.data(), &walk_hooks, nullptr};
  for (std::size_t g = 0; g < plan.groups.size(); ++g) {
    const kernel::Kernel k = kernel::lower(plan, static_cast<int>(g), setting.layout, target, planted);
    kernel::verify(k);
    if (kernel::walk(k, &frame) != 0) fail("run.index", {}, "found by walk");
  }
}

void run_all(const ir::Program& program, const nest::Trace& trace, bool by_default, const Target& target, int threads, Data& data) {
  data.poison();
  CompileOptions options;
  options.cache = "";
  options.executor = threads == 1 ? serial() : cpu::threads(threads);
  nest::Body* schedule = by_default ? nullptr : nest::replay(ir::stages(program), trace);
  runtime::KernelBody* body = runtime::compile(program, schedule, target, options, {});
  if (schedule != nullptr) nest::release(schedule);
  const std::vector<Argument> a = data.arguments();
  try {
    runtime::call(body, a.data(), static_cast<int>(a.size()), Where{});
  } catch (...) {
    runtime::release(body);
    throw;
  }
  runtime::release(body);
}
void describe(const ir::Program& staged, const nest::Trace& trace) {
  nest::Nest nest = nest::make(ir::copy(staged));
  nest::apply(nest, trace);
  std::vector<ir::KnownSize> sizes;
  for (const ir::DimInfo& d : nest.program.dims) sizes.push_back({d.name, 37});
  for (const metrics::StageMetrics& stage : metrics::measure(nest, {}, sizes).stages)
    for (const metrics::Level& level : stage.levels)
      if (level.bytes->op != ir::Op::Const || level.moved->op != ir::Op::Const)
        fail_internal("fuzz.metrics", ("no number at `" + level.loop + "` of `" + stage.name + "`").c_str());
  const Machine machine;
  (void)metrics::print(metrics::measure(nest, machine), machine);
  (void)metrics::svg(nest);
}
void replay(const ir::Program& staged, const nest::Trace& trace) {
#if __has_include(<nlohmann/json.hpp>)
  const nest::Trace read = trace_from_json(to_json(trace).c_str());
  if (!diff(trace, read).empty()) fail_internal("fuzz.replay", diff(trace, read).c_str());
  const plan::Plan one = foreign::plan_of(staged, &trace, {}), other = foreign::plan_of(staged, &read, {});
  bool same = one.groups.size() == other.groups.size();
  for (std::size_t g = 0; g < one.groups.size() && same; ++g) {
    char a[33], b[33];
    ir::hex(runtime::make_table(one, g).digest, a);
    ir::hex(runtime::make_table(other, g).digest, b);
    same = std::string(a) == b;
  }
  if (!same) fail_internal("fuzz.replay", nest::print(trace).c_str());
#else
  (void)staged, (void)trace;
#endif
}
}  // namespace fuzz
