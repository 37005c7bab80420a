#pragma once
#include "ordo/ir/draft.hpp"

namespace ordo::ir {
ORDO_INLINE std::string dimension_name(Ref raw_tensor, u32 dimension) {
  return std::string(raw_tensor->name) + "." + std::to_string(dimension);
}

// Two things of one name are told apart by a number, so that text, stages and traces can name them: h, h_2, h_3.
ORDO_INLINE const char* Draft::unique(const char* name, const char* otherwise) {
  const auto key = [](const char* text) { return reinterpret_cast<Ref>(text); };  // interned: one address a text
  const char* wanted = program.arena.intern(*name == '\0' ? otherwise : name);
  const char* given = wanted;
  while (used_names_.find(key(given)) != nullptr) {
    const u32 number = ++*used_names_.find(key(wanted));
    given = program.arena.intern((std::string(wanted) + "_" + std::to_string(number)).c_str());
  }
  used_names_.insert(key(given), 1);
  return given;
}

ORDO_INLINE int Draft::add_tensor(Ref raw, bool input) {
  const int number = static_cast<int>(program.tensors.size());
  TensorInfo info;
  info.name = unique(raw->name, "T");
  info.type = raw->type;
  info.shape.resize(static_cast<std::size_t>(rank_of(raw)), nullptr);
  info.input = input;
  info.output = false;
  info.definition = -1;
  info.node = program.arena.make(Op::Tensor, raw->type, nullptr, 0, static_cast<u64>(number), info.name, raw->at);
  info.origin = raw;
  program.tensors.push_back(info);
  number_of_raw.insert(raw, number);
  if (input) program.inputs.push_back(number);
  return number;
}

ORDO_INLINE Ref Draft::add_dim(const char* name, const void* origin, int argument, int dimension) {
  const int number = static_cast<int>(program.dims.size());
  const Ref node = program.arena.make(Op::Dim, Type::i64, nullptr, 0, static_cast<u64>(number), name);
  program.dims.push_back({name, node, origin, argument, dimension});
  return node;
}

ORDO_INLINE void Draft::bind_dims(Ref raw, int argument) {
  for (u32 d = 0; d < static_cast<u32>(rank_of(raw)); ++d) {
    if (has_shape(raw)) {
      const Ref declared = raw->src[d];
      if (declared->op == Op::Dim && dims.find(declared) == nullptr)
        dims.insert(declared, add_dim(unique(declared->name, "N"), declared, argument, static_cast<int>(d)));
    } else if (definition_of(raw) == nullptr) {
      const char* tensor = program.tensors[static_cast<std::size_t>(*number_of_raw.find(raw))].name;
      const char* name = program.arena.intern((std::string(tensor) + "." + std::to_string(d)).c_str());
      const Ref node = add_dim(name, nullptr, argument, static_cast<int>(d));
      program.tensors[static_cast<std::size_t>(*number_of_raw.find(raw))].shape[d] = node;
    }
  }
}

ORDO_INLINE void Draft::bind_arguments(const Ref* inputs, int input_count, const Ref* outputs, int output_count) {
  std::vector<Ref> arguments(inputs, inputs + input_count);
  arguments.insert(arguments.end(), open.begin(), open.end());
  for (Ref input : arguments) add_tensor(input, true);
  for (std::size_t k = 0; k < arguments.size(); ++k) bind_dims(arguments[k], static_cast<int>(k));
  for (int k = 0; k < output_count; ++k) bind_dims(outputs[k], static_cast<int>(arguments.size()) + k);
  for (Ref input : arguments) {
    TensorInfo& info = program.tensors[static_cast<std::size_t>(*number_of_raw.find(input))];
    for (u32 d = 0; d < input->count; ++d)
      if (input->src[d]->op == Op::Dim) info.shape[d] = *dims.find(input->src[d]);
  }
  for (Ref input : arguments)
    for (u32 d = 0; d < input->count; ++d) {
      const Ref size_of_d = size(nullptr, input->src[d], input->at);
      if (size_of_d == nullptr)
        fail("lang.dim", input->at,
             ("dimension " + std::to_string(d) + " of the input `" + std::string(input->name) + "` is declared by the size of a definition")
                 .c_str());
      program.tensors[static_cast<std::size_t>(*number_of_raw.find(input))].shape[d] = size_of_d;
    }
}

ORDO_INLINE void Draft::number_outputs(const Ref* outputs, int output_count) {
  for (int k = 0; k < output_count; ++k) {
    const int number = *number_of_raw.find(outputs[k]);
    program.tensors[static_cast<std::size_t>(number)].output = true;
    program.outputs.push_back(number);
  }
}
}  // namespace ordo::ir
