// What the arithmetic of formulas throws.
#include <broadloom/core/error.hpp>
#include <broadloom/fn/integers.hpp>

namespace broadloom::detail {

void throw_division_by_zero() {
  throw arithmetic_error(
      "ZeroDivisionError\nan integer was to be divided by zero: an element of the second operand is 0");
}

}  // namespace broadloom::detail
