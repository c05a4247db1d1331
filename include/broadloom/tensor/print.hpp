// bl::to_string(x) and stream << x: shapes as "(5, 3)", arrays and expressions as NumPy prints them.
#pragma once

#include <iosfwd>

#include <broadloom/core/api.hpp>
#include <broadloom/tensor/eval.hpp>
#include <broadloom/tensor/format.hpp>

namespace broadloom {

namespace detail {

BROADLOOM_API std::string shape_text(const index* extents, index rank);
BROADLOOM_API void write(std::ostream& to, const std::string& text);
// What a stream says about numbers; its width is used up.
BROADLOOM_API format_options options_of(std::ostream& to);

template <class X>
std::string array_text(const X& x, const format_options& options) {
  if constexpr (expression<X>) {
    if constexpr (leaf<X> && !deferred_leaf<X>) {
      const auto extents = x.shape().extents();
      const auto strides = x.strides();
      return runtime::format(dtype_of<value_of<X>>, x.data(), extents.v, strides.v, extents.count, options);
    } else
      return array_text(dtensor<value_of<X>, rank_of<X>>(x).as_view(), options);
  } else
    return array_text(as_node(x), options);
}

}  // namespace detail

// A shape as "(5, 3)".
template <shape_type S>
std::string to_string(const S& s) {
  const auto x = s.extents();
  return detail::shape_text(x.v, x.count);
}

// An array as NumPy prints it; an expression is evaluated first.
template <array X>
std::string to_string(const X& x, const format_options& options = {}) {
  return detail::array_text(x, options);
}

template <shape_type S>
std::ostream& operator<<(std::ostream& to, const S& s) {
  detail::write(to, to_string(s));
  return to;
}
// The stream's std::fixed and std::scientific, with its precision, and std::setw are those of each element. Without the
// first two a precision other than a stream's usual 6 is the most digits after a point.
template <array X>
std::ostream& operator<<(std::ostream& to, const X& x) {
  const format_options options = detail::options_of(to);
  detail::write(to, detail::array_text(x, options));
  return to;
}
// A result of several parts. (Not deleted but of an incomplete type: compilers would list all operators of streams.)
template <class R>
  requires(std::is_aggregate_v<R> && std::is_class_v<R> && !array<R> && !shape_type<R> && !detail::scattered<R>)
errors_md::this_result_has_parts_write_one_of_them_r_values<R> operator<<(std::ostream&, const R&);

}  // namespace broadloom
