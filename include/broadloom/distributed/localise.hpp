// The tree of an expression over distributed arrays as each rank evaluates it: with the rows of this rank as leaves,
// and arrays in the place of reductions over the distributed axis.
#pragma once

#include <broadloom/distributed/evaluation.hpp>
#include <broadloom/distributed/sources.hpp>

namespace broadloom::distributed::detail {

[[noreturn]] inline void throw_moved_rows() {
  throw error(
      "an expression over distributed arrays: a view moves rows of the distributed axis between ranks; shift(k) "
      "after exchange() reads neighbours' rows, gather(x) brings all to one rank");
}

// Whether a tree has barriers with a result for each row.
template <class E, index Name>
inline constexpr bool has_row_barriers = false;
template <deferred_leaf E, index Name>
inline constexpr bool has_row_barriers<E, Name> = has_rows<shape_of<E>, Name>;
template <class F, class Shape, class... Args, index Name>
inline constexpr bool has_row_barriers<broadloom::map<F, Shape, Args...>, Name> = (has_row_barriers<Args, Name> || ...);

template <index Name, class T>
const scalar<T>& localise(const scalar<T>& e, evaluation&) {
  return e;
}
template <index Name, class F, class Shape, class... Args>
auto localise(const broadloom::map<F, Shape, Args...>& e, evaluation& c);

template <index Name, class E>
constexpr void check_axes() {
  static_assert(rows_lead<shape_of<E>, Name>,
                "the distributed axis is the first one: it cannot be transposed; x.T @ y is matmul_transposed(x, y) "
                "[errors.md#distributed-transpose]");
}

// Leaves of this process: whole on each rank, unless their first axis has the name: then this rank's rows of them.
template <index Name, broadloom::detail::leaf E>
  requires(!distributed_leaf<E> && !deferred_leaf<E>)
auto localise(const E& e, evaluation& c) {
  if constexpr (has_rows<shape_of<E>, Name>) {
    check_axes<Name, E>();
    const auto strides = e.strides();
    return e.seen_as(c.map().first() * strides[0], with_rows(e.shape(), c.map().count()),
                     dyn_strides<rank_of<E>>{strides});
  } else
    return e;
}

template <index Name, distributed_leaf E>
auto localise(const E& e, evaluation& c) {
  using T = typename E::value_type;
  static_assert(has_rows<shape_of<E>, Name>,
                "the distributed axis of a distributed array is whole and first: rows of neighbours are shift(k) after "
                "exchange(), x.T @ y is matmul_transposed(x, y), and gather(x) brings all rows to one rank "
                "[errors.md#distributed-axis]");
  check_axes<Name, E>();
  const auto& x = e.rows();
  const auto strides = e.strides();
  if (!(x.map == c.map()))
    throw error("operands are distributed differently: " + to_string(x.map) + " and " + to_string(c.map()) +
                "; redistribute(x, map) moves rows");
  if (strides[0] != x.row) throw_moved_rows();
  index by = x.row == 0 ? 0 : e.offset() / x.row;
  if (x.row != 0 && e.offset() % x.row < 0) --by;
  if (by > x.halo || -by > x.halo)
    throw error("shift(" + std::to_string(by) + ") of an array with a halo of " + std::to_string(x.halo) + " rows");
  if (by != 0 && !x.fresh)
    throw error("shift(" + std::to_string(by) + "): exchange() was not called since the array was written");
  using layout = typename E::layout_type;
  return view<const T, shape_of<E>, layout>(x.data + e.offset(), with_rows(e.shape(), c.map().count()), e.layout());
}

// A view of a barrier's result for each row: the same view of the result for this rank's rows.
template <class Own, class Shape, class Layout>
void check_rows_stay(const Own& own, const Shape& s, const Layout& l, index offset) {
  if constexpr (!__is_same(Layout, row_major)) {
    index row = 1;
    for (int i = 1; i < Own::axes_count; ++i) row *= own[i];
    if (l.strides(s)[0] != row || offset < 0 || (offset >= row && offset > 0)) throw_moved_rows();
  }
}
template <index Name, class Source, class Shape, class Layout>
auto view_of_rows(const Source& rows_here, const deferred<Source, Shape, Layout>*, const Shape& s, const Layout& l,
                  index offset, evaluation& c) {
  check_axes<Name, deferred<Source, Shape, Layout>>();
  check_rows_stay(rows_here.shape(), s, l, offset);
  return deferred<Source, Shape, Layout>(rows_here, offset, with_rows(s, c.map().count()), l);
}

template <index Name, class Op, class E, class S, class Shape, class Layout>
auto localise(const deferred<reduced<Op, E, S>, Shape, Layout>& e, evaluation& c) {
  if constexpr (!is_distributed<E>)
    return e;
  else {
    check_axes<Name, E>();
    const auto& source = e.source();
    const auto tree = localise<Name>(source.tree(), c);
    using local = std::remove_cvref_t<decltype(tree)>;
    if constexpr (!has_rows<S, Name>) {
      // Without rows of its own the tree is whole on each rank.
      if constexpr (!has_rows<shape_of<E>, Name>)
        return deferred<reduced<Op, local, S>, Shape, Layout>(
            reduced<Op, local, S>(tree, source.shape(), source.bits(), source.how()), e.offset(), e.shape(),
            e.layout());
      else {
        const auto* values = [&] {
          if constexpr (has_row_barriers<local, Name>)
            return c.template reduce<Op>(c.rows_of(tree), source.bits(), source.shape().size());
          else
            return c.template reduce<Op>(tree, source.bits(), source.shape().size());
        }();
        return view<const typename reduced<Op, E, S>::value_type, Shape, Layout>(values + e.offset(), e.shape(),
                                                                                 e.layout());
      }
    } else {
      using node = reduced<Op, local, S>;
      return view_of_rows<Name>(node(tree, with_rows(source.shape(), c.map().count()), source.bits(), source.how()),
                                static_cast<const deferred<node, Shape, Layout>*>(nullptr), e.shape(), e.layout(),
                                e.offset(), c);
    }
  }
}

// A running sum or product is evaluated into memory before what reads it.
template <index Name, class Op, class E, class Shape, class Layout>
auto localise(const deferred<scanned<Op, E>, Shape, Layout>& e, evaluation& c) {
  if constexpr (!is_distributed<E>)
    return e;
  else {
    check_axes<Name, E>();
    const auto& source = e.source();
    const auto tree = localise<Name>(source.tree(), c);
    using local = std::remove_cvref_t<decltype(tree)>;
    if constexpr (!has_rows<shape_of<E>, Name>)  // whole on each rank
      return deferred<scanned<Op, local>, Shape, Layout>(scanned<Op, local>(tree, source.axis()), e.offset(), e.shape(),
                                                         e.layout());
    else {
      check_axes<Name, deferred<scanned<Op, E>, Shape, Layout>>();
      static_assert(has_rows<Shape, Name>,
                    "one row of a running sum or product over the distributed axis: evaluate it into a tensor first "
                    "[errors.md#distributed-cumsum-row]");
      check_rows_stay(source.shape(), e.shape(), e.layout(), e.offset());
      return view<const typename E::value_type, Shape, Layout>(c.template scan<Op>(tree, source.axis()) + e.offset(),
                                                               with_rows(e.shape(), c.map().count()), e.layout());
    }
  }
}

// A let for each row is computed where it is read: the planner shares equal parts. One that is whole stays.
template <index Name, class E, class Shape, class Layout>
auto localise(const deferred<computed<E>, Shape, Layout>& e, evaluation& c) {
  if constexpr (!is_distributed<E>)
    return e;
  else {
    const auto tree = localise<Name>(e.source().tree(), c);
    using local = std::remove_cvref_t<decltype(tree)>;
    if constexpr (!has_rows<shape_of<E>, Name>)
      return deferred<computed<local>, Shape, Layout>(computed<local>(tree), e.offset(), e.shape(), e.layout());
    else if constexpr (__is_same(Layout, row_major) && __is_same(Shape, shape_of<E>))
      return tree;
    else
      return view_of_rows<Name>(computed<local>(tree),
                                static_cast<const deferred<computed<local>, Shape, Layout>*>(nullptr), e.shape(),
                                e.layout(), e.offset(), c);
  }
}

// Products whose rows are those of the left operand, or stacks of matrices.
template <index Name, class F, class S, class... Args, class Shape, class Layout>
auto localise(const deferred<stacked<F, S, Args...>, Shape, Layout>& e, evaluation& c) {
  if constexpr (!(is_distributed<Args> || ...))
    return e;
  else {
    static_assert(
        requires { F::row_hint(nullptr, 0, index{}, false); } && has_rows<S, Name> && rows_lead<S, Name>,
        "of linear algebra only products by rows go over distributed arrays: matmul(x, w) "
        "[errors.md#distributed-linalg]");
    const auto& source = e.source();
    return broadloom::detail::unpack(source.args(), [&](const Args&... a) {
      using local = stacked<F, S, std::remove_cvref_t<decltype(localise<Name>(a, c))>...>;
      return view_of_rows<Name>(
          local{source.function(), with_rows(source.shape(), c.map().count()), localise<Name>(a, c)...},
          static_cast<const deferred<local, Shape, Layout>*>(nullptr), e.shape(), e.layout(), e.offset(), c);
    });
  }
}

template <index Name, class F, class Shape, class... Args>
auto localise(const broadloom::map<F, Shape, Args...>& e, evaluation& c) {
  check_axes<Name, broadloom::map<F, Shape, Args...>>();
  auto shape = e.shape();
  if constexpr (has_rows<Shape, Name>) shape = with_rows(shape, c.map().count());
  return unpack(e.args(), [&](const Args&... a) {
    // In braces: from left to right on every rank.
    return broadloom::map<F, Shape, std::remove_cvref_t<decltype(localise<Name>(a, c))>...>{e.function(), shape,
                                                                                            localise<Name>(a, c)...};
  });
}

}  // namespace broadloom::distributed::detail
