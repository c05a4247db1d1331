// Which rows of its operands an expression over stored arrays reads for its own rows [first, last).
#pragma once

#include <broadloom/eval/let.hpp>
#include <broadloom/io/stored.hpp>
#include <broadloom/reduce/sums.hpp>

namespace broadloom::detail {

// Rows [first, last) of an expression of that rank whose leading axis has that extent; they are those of the pass,
// moved by `shift`.
struct row_range {
  int rank;
  index extent, first, last, shift = 0;
};
template <class E>
row_range rows_of(const E& e, index first, index last, index shift = 0) {
  if constexpr (rank_of<E> == 0)
    return {0, 0, 0, 0, 0};
  else
    return {rank_of<E>, e.shape()[0], first, last, shift};
}

// A shape whose leading axis holds some of the rows.
template <class Shape>
constexpr auto extents_of_rows() {
  auto x = Shape::static_extents;
  if (Shape::axes_count > 0 && x[0] >= 0 && x[0] != 1) x[0] = dyn;
  return x;
}
template <class Shape>
using rows_shape = shape_from<extents_of_rows<Shape>()>;
template <class Shape>
rows_shape<Shape> shape_of_rows(const Shape& s, bool some, const row_range& r) {
  auto x = s.extents();
  if (some) x[0] = r.last - r.first;
  return rows_shape<Shape>::unchecked(x);
}

// Whether the leading axis of an operand is that of the expression it stands in, and not broadcast along it.
template <class E>
bool follows_rows(const E& e, const row_range& r) {
  return rank_of<E> > 0 && rank_of<E> == r.rank && e.shape()[0] == r.extent;
}

// Whether row i of a source is computed from rows i of its operands.
template <class Source>
inline constexpr bool may_go_by_rows = is_stored<Source>;
template <class E>
inline constexpr bool may_go_by_rows<computed<E>> = true;
template <class Op, class E, class S>
inline constexpr bool may_go_by_rows<reduced<Op, E, S>> = true;
template <class Source>
bool is_row_wise(const Source& s) {
  if constexpr (requires { s.bits(); })
    return (s.bits() & 1) == 0;
  else
    return may_go_by_rows<Source>;
}

// Where a view of a source lies in it: whether row i of the view is part of row i + row of the source, from there on.
struct rows_placement {
  bool by_rows = false;
  index row = 0, rest = 0;
};
template <class E>
rows_placement placement_of(const E& e, const row_range& r) {
  using source = typename E::source_type;
  constexpr int own = source::shape_type::axes_count;
  if constexpr (!may_go_by_rows<source> || own == 0 || rank_of<E> == 0)
    return {};
  else {
    if (!follows_rows(e, r) || !is_row_wise(e.source())) return {};
    index row = 1;
    for (int i = 1; i < own; ++i) row *= e.source().shape()[i];
    const auto strides = e.strides();
    if (row == 0 || strides[0] != row) return {};
    const index rest = e.offset() % row;
    index low = rest, high = rest;
    for (int i = 1; i < rank_of<E>; ++i) {
      if (e.shape()[i] == 0) return {};
      const index span = (e.shape()[i] - 1) * strides[i];
      (span < 0 ? low : high) += span;
    }
    if (low < 0 || high >= row) return {};
    return {true, e.offset() / row, rest};
  }
}

// The rows of its source that a view reads: [first, last).
struct row_span {
  index first, last;
};
template <class E>
row_span rows_read_by(const E& e) {
  index row = 1, low = e.offset(), high = low;
  for (int i = 1; i < E::source_type::shape_type::axes_count; ++i) row *= e.source().shape()[i];
  if (row == 0) return {0, 0};
  const auto strides = e.strides();
  for (int i = 0; i < rank_of<E>; ++i) {
    if (e.shape()[i] == 0) return {0, 0};
    const index span = (e.shape()[i] - 1) * strides[i];
    (span < 0 ? low : high) += span;
  }
  return {low / row, high / row + 1};
}

// Whether a tree reads stored arrays row by row. A barrier of one that does not is computed once, whole.
template <class T>
bool reads_stored_rows(const scalar<T>&, const row_range&) {
  return false;
}
template <class F, class Shape, class... Args>
bool reads_stored_rows(const map<F, Shape, Args...>& e, const row_range& r);
template <leaf E>
bool reads_stored_rows(const E& e, const row_range& r) {
  if constexpr (deferred_leaf<E>) {
    using source = typename E::source_type;
    if constexpr (may_go_by_rows<source>) {
      if (!placement_of(e, r).by_rows) return false;
      if constexpr (is_stored<source>)
        return true;
      else
        return reads_stored_rows(e.source().tree(), rows_of(e.source().tree(), 0, 0));
    }
  }
  return false;
}
template <class F, class Shape, class... Args>
bool reads_stored_rows(const map<F, Shape, Args...>& e, const row_range& r) {
  return unpack(e.args(), [&](const Args&... a) { return (reads_stored_rows(a, r) || ...); });
}

}  // namespace broadloom::detail
