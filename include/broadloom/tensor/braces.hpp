// Nested braces as the initialiser of a tensor: where an axis is static, the compiler counts what is between them.
#pragma once

#include <initializer_list>

#include <broadloom/core/array.hpp>
#include <broadloom/core/mistakes.hpp>
#include <broadloom/core/throw_error.hpp>
#include <broadloom/fn/convert.hpp>

namespace broadloom {

namespace errors_md {
// Braces that hold more or fewer elements than a static axis has.
template <class Shape>
struct braces_hold_as_many_as_each_static_extent;
// tensor{1, 2, 3.5}
struct write_numbers_of_one_type_or_dtensor_double_1;
// dtensor<float, 2> x(v, {2, 3})
struct write_reshape_of_v_and_extents_or_from;
}  // namespace errors_md

namespace detail {

// Braces that a tensor of this shape is not made of.
template <class Shape>
using braces_error = std::conditional_t<Shape::dyn_count == Shape::axes_count,
                                        errors_md::braces_are_nested_once_for_each_axis<Shape::axes_count>,
                                        errors_md::braces_hold_as_many_as_each_static_extent<Shape>>;

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_brace_count(index axis, index expected, index given) {
  throw_error(error_kind::brace_count, {axis, expected, given});
}

// Rows longer than this are counted at run time: a constructor has a parameter for each row.
inline constexpr index max_counted_braces = 256;

template <class Row, int>
using brace_argument = Row;

// Exactly N rows, from braces of N.
template <class Row, int N, class Places = make_sequence<N>>
struct brace_rows;
template <class Row, int N, int... At>
struct brace_rows<Row, N, sequence<At...>> {
  constexpr brace_rows(brace_argument<Row, At>... row) : v{{row...}} {}
  constexpr index size() const { return N; }
  constexpr const Row* begin() const { return v.begin(); }
  constexpr const Row* end() const { return v.end(); }

  fixed_array<Row, N> v;
};
// One row has no constructor: a number by itself is no row of one number.
template <class Row>
struct brace_rows<Row, 1, sequence<0>> {
  const Row& row;  // lives as long as the braces

  constexpr index size() const { return 1; }
  constexpr const Row* begin() const { return &row; }
  constexpr const Row* end() const { return &row + 1; }
};
template <class Row>
struct brace_rows<Row, 0, sequence<>> {
  constexpr brace_rows() = default;
  constexpr index size() const { return 0; }
  constexpr const Row* begin() const { return nullptr; }
  constexpr const Row* end() const { return nullptr; }
};

// Any number of rows as a row: a class, so that no constructor with one such parameter takes the braces of it for its
// own.
template <class Row>
struct brace_list : std::initializer_list<Row> {
  constexpr brace_list(std::initializer_list<Row> l) : std::initializer_list<Row>(l) {}
};
template <class Row>
struct brace_row {
  using type = Row;
};
template <class Row>
struct brace_row<std::initializer_list<Row>> {
  using type = brace_list<Row>;
};

// What braces are to an array of these extents: rows where the extent is static, else std::initializer_list.
template <class E, index... N>
struct braces_for {
  using type = E;
};
template <class E, index N, index... Rest>
struct braces_for<E, N, Rest...> {
  using row = typename braces_for<E, Rest...>::type;
  using type = std::initializer_list<row>;
};
template <class E, index N, index... Rest>
  requires(N >= 0 && N <= max_counted_braces)
struct braces_for<E, N, Rest...> {
  using type = brace_rows<typename brace_row<typename braces_for<E, Rest...>::type>::type, static_cast<int>(N)>;
};
template <class E, class Shape>
struct braces_of_shape;
template <class E, template <index...> class Shape, index... N>
struct braces_of_shape<E, Shape<N...>> : braces_for<E, N...> {};
template <class E, class Shape>
using braces_of = typename braces_of_shape<E, Shape>::type;

// Whatever stands between braces.
struct braced {
  template <class T>
  constexpr braced(const T&) {}
  constexpr braced(std::initializer_list<braced>) {}
};

// Extents of a nested brace list; every inner list must be as long as its neighbours.
template <int Axis, int Rank, class L>
constexpr void measure(indices<Rank>& extents, const L& l, bool first) {
  const index n = static_cast<index>(l.size());
  if (first)
    extents[Axis] = n;
  else if (extents[Axis] != n)
    throw_brace_count(Axis, extents[Axis], n);
  if constexpr (Axis + 1 < Rank)
    for (const auto& inner : l) {
      measure<Axis + 1>(extents, inner, first);
      first = false;
    }
}
template <int Axis, int Rank, class From, class L, class E>
constexpr void copy_braces(E*& to, const L& l) {
  for (const auto& x : l) {
    if constexpr (Axis + 1 < Rank)
      copy_braces<Axis + 1, Rank, From>(to, x);
    else if constexpr (__is_same(From, E))
      *to++ = x;
    else
      *to++ = lanes::convert<E>(static_cast<From>(x));
  }
}

}  // namespace detail
}  // namespace broadloom
