// The door by which headers of linear algebra throw.
#include <broadloom/linalg/throw_error.hpp>

#include "../base/raise.hpp"
#include "errors.hpp"

namespace broadloom::detail {

void throw_linalg(linalg_error_kind kind, std::initializer_list<error_argument> said) {
  switch (kind) {
    case linalg_error_kind::bands: raise(runtime::raise_bands, said);
    case linalg_error_kind::core_mistake: raise(raise_core_mistake, said);
    case linalg_error_kind::einsum_name: raise(runtime::raise_einsum_name, said);
    case linalg_error_kind::einsum_size: raise(runtime::raise_einsum_size, said);
    case linalg_error_kind::fused_addend: raise(runtime::raise_fused_addend, said);
    case linalg_error_kind::fused_in_place: raise(runtime::raise_fused_in_place, said);
    case linalg_error_kind::inner_sizes: raise(raise_inner_sizes, said);
    case linalg_error_kind::negative_power: raise(runtime::raise_negative_power, said);
    case linalg_error_kind::norm_of_nothing: raise(runtime::raise_norm_of_nothing, said);
    case linalg_error_kind::norm_of_other_shape: raise(runtime::raise_norm_of_other_shape, said);
    case linalg_error_kind::norm_order: raise(runtime::raise_norm_order, said);
    case linalg_error_kind::reflections: raise(runtime::raise_reflections, said);
    case linalg_error_kind::row_lengths: raise(runtime::raise_row_lengths, said);
    case linalg_error_kind::subset: raise(runtime::raise_subset, said);
    case linalg_error_kind::tensor_equation: raise(runtime::raise_tensor_equation, said);
    case linalg_error_kind::contracted_sizes: raise(runtime::raise_contracted_sizes, said);
  }
  __builtin_trap();
}

}  // namespace broadloom::detail
