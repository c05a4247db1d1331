// How headers of linear algebra throw: as by core/throw_error.hpp, and a library without this part does without their
// messages.
#pragma once

#include <broadloom/core/throw_error.hpp>

namespace broadloom::detail {

// The functions throw_NAME of linalg/ throw these; lib/linalg/throw_error.cpp says what makes the exception of each.
enum class linalg_error_kind : unsigned char {
  bands,
  core_mistake,
  einsum_name,
  einsum_size,
  fused_addend,
  fused_in_place,
  inner_sizes,
  negative_power,
  norm_of_nothing,
  norm_of_other_shape,
  norm_order,
  reflections,
  row_lengths,
  subset,
  tensor_equation,
  contracted_sizes,
};

[[noreturn, gnu::cold]] BROADLOOM_API void throw_linalg(linalg_error_kind kind,
                                                        std::initializer_list<error_argument> said);

}  // namespace broadloom::detail
