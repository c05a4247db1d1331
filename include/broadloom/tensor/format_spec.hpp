// The specification of an array in a format string, for the headers that adapt formatting libraries:
//   [width][.precision][g|f|e]
// columns of an element at least; digits after the point, at most (g: as NumPy chooses, unless given) or exactly (f:
// without an exponent, e: with one).
#pragma once

#include <broadloom/tensor/print.hpp>

namespace broadloom::detail {

// What formatters are specialised for: tensors, views, expressions; containers have formatters of their own.
template <class X>
concept formattable_array = expression<X> || (array<X> && requires(const X& x) { x.as_view(); });

inline constexpr int max_columns = 1'000'000;

// Reads a number; below 0 where it is too large.
template <class It>
constexpr int parse_columns(It& at, It end) {
  int n = 0;
  for (; at != end && *at >= '0' && *at <= '9'; ++at)
    if (n >= 0 && (n = n * 10 + (*at - '0')) > max_columns) n = -1;
  return n;
}

// Reads the specification up to the closing brace. `fault` is what is wrong, null where nothing is.
template <class It>
constexpr It parse_format_spec(It at, It end, format_options& options, const char*& fault) {
  fault = nullptr;
  options.width = parse_columns(at, end);
  bool has_precision = false;
  if (at != end && *at == '.') {
    const It first = ++at;
    options.precision = parse_columns(at, end);
    if (at == first) fault = "a precision has digits: [width][.precision][g|f|e]";
    has_precision = true;
  }
  if (options.width < 0 || options.precision < 0) fault = "a width or precision of more than 1000000";
  if (at != end && *at != '}') {
    if (*at == 'f')
      options.notation = notation::fixed;
    else if (*at == 'e')
      options.notation = notation::scientific;
    else if (*at != 'g')
      fault = "an array is formatted by [width][.precision][g|f|e]";
    ++at;
  }
  if (at != end && *at != '}') fault = "an array is formatted by [width][.precision][g|f|e]";
  options.round_scalars = has_precision;
  if (!has_precision && options.notation != notation::automatic) options.precision = 6;  // as of a number
  return at;
}

}  // namespace broadloom::detail
