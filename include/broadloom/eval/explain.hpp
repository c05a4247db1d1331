// The calls behind plan/explain.hpp: they need the kernels' widths and assign's view of the output.
#pragma once

#include <broadloom/eval/assign.hpp>
#include <broadloom/plan/explain.hpp>

namespace broadloom {

namespace detail {

template <class Out, class E>
explanation explain_node(const Out& out, const E& e, const policy& how) {
  using normal = typename program_of<E, typename Out::value_type>::type;
  const bound_tree<E, BROADLOOM_NATIVE> bound(e);
  explanation x = runtime::describe(bind_output(out), bound.leaves, bound.count,
                                    program_code<normal, BROADLOOM_NATIVE>::value, how.options());
  x.tree = tree_text(e);
  x.stages = stages_text(static_cast<const normal*>(nullptr));
  x.calls = call_count<E> * out.shape().size();
  return x;
}

}  // namespace detail

// explain(e): how e would be evaluated into a new tensor. explain(out, e): how it would be evaluated into out. Nothing
// is computed.
inline constexpr struct explain_t {
  template <array E>
  explanation operator()(E&& e, const policy& how = par) const {
    decltype(auto) node = detail::as_node(static_cast<E&&>(e));
    using T = detail::value_of<decltype(node)>;
    const auto shape = node.shape();
    return detail::explain_node(view<T, std::remove_cvref_t<decltype(shape)>, row_major>(nullptr, shape), node, how);
  }
  template <class Out, array E>
    requires detail::writable<Out>
  explanation operator()(Out&& out, E&& e, const policy& how = par) const {
    return detail::explain_node(detail::as_node(out), detail::as_node(static_cast<E&&>(e)), how);
  }
} explain{};

}  // namespace broadloom
