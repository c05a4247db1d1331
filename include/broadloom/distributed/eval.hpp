// Evaluation of expressions over distributed arrays: assign, eval, and y = e. Pointwise functions and reductions of
// other axes need no messages; reductions over the distributed axis do, and nothing else.
#pragma once

#include <broadloom/distributed/own_scan.hpp>
#include <broadloom/distributed/tensor.hpp>

namespace broadloom::distributed {

namespace detail {

template <class T, class Shape, class E>
void assign_rows(tensor<T, Shape>& out, const E& e, const policy& p) {
  constexpr index name = Shape::static_extents[0];
  evaluation c(out.map(), p);
  check_fits(writing::copy, out.shape(), shape_of<E>(e.shape()));
  const auto tree = localise<name>(e, c);
  out.map().comm().together([&] { broadloom::assign(out.rows_to_write(), tree, p); });
}

// The shape of a result is the same on all ranks, so that they throw together.
template <class E>
const block_map& map_for(const E& e) {
  const block_map* const m = find_map(e, map_search{});
  if (m == nullptr) throw error("an expression without a distributed array");
  if constexpr (has_rows<shape_of<E>, name_in<E>>)
    if (e.shape()[0] != m->rows())
      throw error("an expression of " + std::to_string(e.shape()[0]) + " rows, over an array of " + to_string(*m));
  return *m;
}

}  // namespace detail

// Evaluates e into y, whose map its distributed operands have. Operands of this process are whole on each rank and have
// no such axis, or a 1 of the type there, or the name of y's first axis: then each rank reads its rows of them. All
// ranks call it. Throws error, on all ranks, where maps differ or where one rank throws; shape_error where e does not
// broadcast to y.
template <class T, class Shape, operand E>
void assign(tensor<T, Shape>& y, const E& e, const policy& p = par) {
  if constexpr (array<E>)
    detail::assign_rows(y, broadloom::detail::capture(e), p);
  else
    detail::assign_rows(y, broadloom::detail::argument<T>(e), p);
}

// The value of an expression with distributed operands: distributed as these, or, if the distributed axis was reduced,
// a tensor that each rank has whole.
template <array E>
auto eval(const E& e, const policy& p = par) {
  const auto node = broadloom::detail::capture(e);
  using node_type = std::remove_cvref_t<decltype(node)>;
  using T = typename node_type::value_type;
  using shape_type = typename node_type::shape_type;
  constexpr index name = detail::name_in<node_type>;
  static_assert(detail::is_distributed<node_type>,
                "eval takes expressions with distributed arrays; a let with a callable in it is evaluated into a "
                "tensor first [errors.md#distributed-evaluation]");
  const block_map& m = detail::map_for(node);
  if constexpr (detail::has_rows<shape_type, name>) {
    tensor<T, shape_type> y(m, shape_type(node.shape()));
    detail::assign_rows(y, node, p);
    return y;
  } else {
    detail::evaluation c(m, p);
    const auto tree = detail::localise<name>(node, c);
    broadloom::tensor<T, shape_type> y;
    m.comm().together([&] { y = broadloom::tensor<T, shape_type>(tree, p); });
    return y;
  }
}

template <class T, class Shape>
template <array X>
  requires(!__is_same(std::remove_cvref_t<X>, tensor<T, Shape>))
tensor<T, Shape>::tensor(const X& x) {
  *this = x;
}
template <class T, class Shape>
template <array X>
  requires(!__is_same(std::remove_cvref_t<X>, tensor<T, Shape>))
tensor<T, Shape>& tensor<T, Shape>::operator=(const X& x) {
  const auto node = broadloom::detail::capture(x);
  const block_map& m = detail::map_for(node);
  const Shape s(node.shape());
  if (has_shape() && map() == m && shape_ == s) {
    detail::assign_rows(*this, node, par);
    return *this;
  }
  tensor y(m, s, halo{has_shape() ? rows_->halo : 0});
  detail::assign_rows(y, node, par);
  return *this = static_cast<tensor&&>(y);
}
template <array X>
tensor(const X&) -> tensor<broadloom::detail::value_of<broadloom::detail::node_of<X>>,
                           broadloom::detail::shape_of<broadloom::detail::node_of<X>>>;

}  // namespace broadloom::distributed
