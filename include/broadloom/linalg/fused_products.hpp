// Which axes the fused products multiply, sum and keep.
#pragma once

#include <broadloom/linalg/contraction.hpp>

namespace broadloom::detail {

struct fused_function : core_function {
  using rule = rule_core_number;
  static constexpr bool exact = true;
};
struct addmm_f : fused_function {
  using signature = core<"(m,k),(k,n)->(m,n)">;
  static constexpr contraction_plan plan{3, 2, {{0, -1, true}, {-1, 1, true}, {1, 0, false}}};
  static constexpr const char* name() { return "addmm"; }
};
struct addmv_f : fused_function {
  using signature = core<"(m,k),(k)->(m)">;
  static constexpr contraction_plan plan{2, 1, {{0, -1, true}, {1, 0, false}}};
  static constexpr const char* name() { return "addmv"; }
};
struct addr_f : fused_function {
  using signature = core<"(m),(n)->(m,n)">;
  static constexpr contraction_plan plan{2, 2, {{0, -1, true}, {-1, 0, true}}};
  static constexpr const char* name() { return "addr"; }
};
struct baddbmm_f : fused_function {
  using signature = core<"(b,m,k),(b,k,n)->(b,m,n)">;
  static constexpr contraction_plan plan{4, 3, {{0, 0, true}, {1, -1, true}, {-1, 2, true}, {2, 1, false}}};
  static constexpr const char* name() { return "baddbmm"; }
};
struct addbmm_f : fused_function {
  using signature = core<"(b,m,k),(b,k,n)->(m,n)">;
  static constexpr contraction_plan plan{4, 2, {{1, -1, true}, {-1, 2, true}, {0, 0, false}, {2, 1, false}}};
  static constexpr const char* name() { return "addbmm"; }
};

}  // namespace broadloom::detail
