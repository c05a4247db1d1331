// draw_plan(e), draw_plan(out, e): a picture of an evaluation as SVG: route, loop nest, blocks, bytes moved. Not
// included by broadloom.hpp.
#pragma once

#include <string>

#include <broadloom/core/api.hpp>
#include <broadloom/eval/explain.hpp>

namespace broadloom {

namespace runtime {

BROADLOOM_API std::string plan_picture(const explanation& x);

}  // namespace runtime

// draw_plan(e), draw_plan(out, e): the text of an SVG picture of what explain() says of the same arguments;
// draw_plan(x) draws an explanation. From the top: the tree, the route, what is computed first, the loop nest with each
// array's step along each loop (hatched where it is 0, so that elements repeat), the blocks, and the bytes that move.
// Readable on light and dark pages, without scripts. Nothing is computed.
inline constexpr struct draw_plan_t {
  std::string operator()(const explanation& x) const { return runtime::plan_picture(x); }
  template <array E>
  std::string operator()(E&& e, const policy& how = par) const {
    return runtime::plan_picture(explain(static_cast<E&&>(e), how));
  }
  template <class Out, array E>
    requires detail::writable<Out>
  std::string operator()(Out&& out, E&& e, const policy& how = par) const {
    return runtime::plan_picture(explain(static_cast<Out&&>(out), static_cast<E&&>(e), how));
  }
} draw_plan{};

}  // namespace broadloom
