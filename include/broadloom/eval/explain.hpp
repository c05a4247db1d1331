// The calls behind plan/explain.hpp: they need the kernels' widths and assign's view of the output.
#pragma once

#include <broadloom/eval/assign.hpp>
#include <broadloom/plan/explain.hpp>
#include <broadloom/plan/unplanned.hpp>
#include <broadloom/plan/unplanned_leaves.hpp>

namespace broadloom {

namespace detail {

// Whether a result that writes itself writes to this output.
template <class Source, class Out>
bool writes_itself_to(const Source& s, const Out& out) {
  if constexpr (requires { s.writes_to(out); })
    return s.writes_to(out);
  else
    return true;
}

// What assign_node() would do, by the same questions in the same order.
template <int Native, class Out, class E>
explanation explain_planned(const Out& out, const E& e, const runtime::options& how) {
  using code = program_code<typename program_of<E, typename Out::value_type>::type, Native, false>;
  const whole_tree<E, Native> bound(e);
  constexpr bool scalars_first = scalar_barrier_count<E> > 0 && reads_scalar_barriers<E> && !has_calls<E>;
  return runtime::describe(bind_output(out), bound.leaves, bound.count, code::value, how, scalars_first);
}
template <int Native, class Out, class E>
explanation explain_route(const Out& out, const E& e, const runtime::options& how) {
  if constexpr (goes_unplanned_in_memory<Out, E>) {
    if constexpr (ramp_count<E> > 0)
      if (!has_ramps_in_memory(e)) return explain_planned<Native>(out, e, how);
    BROADLOOM_LIST_LEAVES(rank_of<Out>, E, out.shape(), e)
    return runtime::describe_unplanned(leaves, extents, out.data(), form_of_assignment<Native, Out, E, writing::copy>,
                                       how);
  } else
    return explain_planned<Native>(out, e, how);
}

// Stands for values that explain() does not compute.
struct unknown_scalars {
  template <class Source, class Compute>
  typename Source::value_type value_of_source(const Source&, const Compute&) {
    return {};
  }
};

template <class Out, class E>
explanation explain_node(const Out& out, const E& e, const policy& how) {
  constexpr int native = BROADLOOM_NATIVE;
  if constexpr (straight_count<E> > 0) {
    straight_room<E> room{};
    explanation x = explain_node(out, with_straight<native, false>(e, room, how.options()), how);
    list<std::string> routes{"small parts in place"};
    for (const std::string& r : x.routes) routes.push_back(r);
    x.routes = routes;
    x.tree = tree_text(e);
    return x;
  }
  using normal = typename program_of<E, typename Out::value_type>::type;
  if constexpr (map_node<E> && few_count<E> > 0 && !has_calls<E>)
    if (all_few(e)) {
      few_room<E> room{};
      explanation x = explain_node(out, with_few<native, false>(e, room, how.options()), how);
      list<std::string> routes{"small parts in place"};
      for (const std::string& r : x.routes) routes.push_back(r);
      x.routes = routes;
      x.tree = tree_text(e);
      return x;
    }
  explanation x = explain_route<native>(out, e, how.options());
  if constexpr (has_calls<E>)
    if (!calls_have_shape(e, out.shape())) {
      list<std::string> routes{"callables first"};
      for (const std::string& r : x.routes) routes.push_back(r);
      x.routes = routes;
    }
  if constexpr (writes_itself<native, Out, E>)
    if (e.offset() == 0 && e.shape() == e.source().shape() && writes_itself_to(e.source(), out))
      x.routes = {"by the function itself"};
  if constexpr (scalar_barrier_count<E> > 0 && reads_scalar_barriers<E> && !has_calls<E>) {
    unknown_scalars values;
    list<std::string> routes{"scalars first"};
    for (const std::string& r : explain_node(out, with_scalars<native>(e, how.options(), values), how).routes)
      routes.push_back(r);
    x.routes = routes;
  } else if constexpr (static_form<Out, E, native>::ok) {
    x.routes = {"static kernel"};
  }
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
