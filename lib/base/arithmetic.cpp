// What the arithmetic of formulas throws.
#include <broadloom/core/error.hpp>
#include <broadloom/fn/integers.hpp>

#include "errors.hpp"

namespace broadloom::detail {

void raise_division_by_zero() {
  throw arithmetic_error(
      "ZeroDivisionError\nan integer was to be divided by zero: an element of the second operand is 0");
}

void raise_wrong_shift() {
  throw arithmetic_error(
      "shift count out of range\nan integer was to be shifted by a negative count or by at least its number of bits: "
      "an "
      "element of the second operand is below 0 or too large");
}

}  // namespace broadloom::detail
