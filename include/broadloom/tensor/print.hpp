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
// The same where <ostream> is included.
template <class Stream>
format_options stream_options(Stream& to) {
  format_options r;
  const auto how = to.flags() & Stream::floatfield;
  if (how == Stream::fixed) r.notation = notation::fixed;
  if (how == Stream::scientific) r.notation = notation::scientific;
  r.round_scalars = to.precision() != 6;  // unless the program says otherwise
  if (r.round_scalars || r.notation != notation::automatic) r.precision = static_cast<int>(to.precision());
  r.width = static_cast<int>(to.width(0));
  return r;
}

// A stream that is looked at when a program prints an X: then it has included <ostream>.
template <class X>
using stream_for = std::conditional_t<(sizeof(X) > 0), std::ostream, void>;
template <class X>
void write_text(stream_for<X>& to, const std::string& text) {
  if constexpr (is_by_element(BROADLOOM_NATIVE))
    to << text;
  else
    write(to, text);
}

// Own elements are written by their own operator: tensor/own_text.hpp.
template <class X>
struct own_text;

template <class X>
std::string array_text(const X& x, const format_options& options) {
  if constexpr (expression<X>) {
    if constexpr (leaf<X> && !deferred_leaf<X>) {
      const auto extents = x.shape().extents();
      const auto strides = x.strides();
      if constexpr (is_by_element(BROADLOOM_NATIVE))
        return runtime::printing::format_as<value_of<X>>(x.data(), extents.v, strides.v, extents.count, options);
      else
        return runtime::format(dtype_of<value_of<X>>, x.data(), extents.v, strides.v, extents.count, options);
    } else
      return array_text(dtensor<value_of<X>, rank_of<X>>(x).as_view(), options);
  } else
    return array_text(as_node(x), options);
}

// x.strides() as "(3, 1)".
template <int N>
std::ostream& operator<<(std::ostream& to, const fixed_array<index, N>& x) {
  write_text<fixed_array<index, N>>(to, shape_text(x.v, N));
  return to;
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
  if constexpr (detail::own_element<detail::value_of<detail::node_of<X>>>)
    return detail::own_text<X>::text(x, options);
  else
    return detail::array_text(x, options);
}

template <shape_type S>
std::ostream& operator<<(std::ostream& to, const S& s) {
  detail::write_text<S>(to, to_string(s));
  return to;
}
// An element type as "f32".
template <class T>
  requires(__is_same(T, dtype))
std::ostream& operator<<(std::ostream& to, T type) {
  detail::write_text<T>(to, to_string(type));
  return to;
}
// The stream's std::fixed and std::scientific, with its precision, and std::setw are those of each element. Without the
// first two a precision other than a stream's usual 6 is the most digits after a point.
template <array X>
std::ostream& operator<<(std::ostream& to, const X& x) {
  if constexpr (detail::own_element<detail::value_of<detail::node_of<X>>>)
    detail::own_text<X>::write(to, x);
  else if constexpr (detail::is_by_element(BROADLOOM_NATIVE))
    detail::write_text<X>(to, detail::array_text(x, detail::stream_options<detail::stream_for<X>>(to)));
  else
    detail::write_text<X>(to, detail::array_text(x, detail::options_of(to)));
  return to;
}
// A result of several parts. (Not deleted but of an incomplete type: compilers would list all operators of streams.)
template <detail::result_of_parts R>
errors_md::this_result_has_parts_write_one_of_them_r_values<R> operator<<(std::ostream&, const R&);

}  // namespace broadloom
