// The law of static shapes for products of linalg/.
// Build: unoptimised, seldom
#include <broadloom/linalg.hpp>

#include "static_shapes.hpp"

using law::dyn, law::keeps, law::of;
namespace bl = broadloom;
using namespace bl::literals;

namespace {

template <class F>
auto two(F f) {
  return [f](auto x, auto y, auto) { return f(x, y); };
}
template <class F>
auto three(F f) {
  return [f](auto x, auto y, auto z, auto) { return f(x, y, z); };
}

}  // namespace

BOOST_AUTO_TEST_CASE(products) {
  keeps<of<float, 2, 1, 3, 4>, of<float, dyn, 4, 5>>("matmul", {}, two(bl::matmul));
  keeps<of<float, dyn, 4>, of<float, 4>>("matmul", {}, two(bl::matmul));
  keeps<of<float, 3, dyn>, of<float, 4, 5>>("mm", {}, two(bl::mm));
  keeps<of<float, 3, dyn>, of<float, 4>>("mv", {}, two(bl::mv));
  keeps<of<float, dyn, 3, 4>, of<float, 2, 4, 5>>("bmm", {}, two(bl::bmm));
  keeps<of<float, 4>, of<float, 4>>("dot", {}, two(bl::dot));
  keeps<of<float, 4>, of<float, 4>>("vdot", {}, two(bl::vdot));
  keeps<of<float, 2, 1, 4>, of<float, dyn, 4>>("vecdot", {}, two(bl::vecdot));
  keeps<of<float, 2, dyn>, of<float, 1, 3>>("cross", {}, two(bl::cross));
  keeps<of<float, 2>, of<float, dyn>>("outer", {}, two(bl::outer));
  keeps<of<float, 2>, of<float, 3>>("ger", {}, two(bl::ger));
  keeps<of<float, 2, dyn>, of<float, 5, 3>>("inner", {}, two(bl::inner));
  keeps<of<float, 2, 3>, of<float, 4, dyn>>("kron", {}, two(bl::kron));
}

BOOST_AUTO_TEST_CASE(sums_of_products) {
  keeps<of<float, 2, dyn>, of<float, 3, 4>>("einsum", {},
                                            two([](const auto&... x) { return bl::einsum<"ij,jk->ik">(x...); }));
  keeps<of<float, 2, 3>, of<float, 2, 3, 4>>("einsum", {},
                                             two([](const auto&... x) { return bl::einsum<"...j,...jk">(x...); }));
  keeps<of<float, 3, 3>>("einsum", {}, [](auto x, auto) { return bl::einsum<"ii->i">(x); });
  keeps<of<float, dyn, 3>>("einsum", {}, [](auto x, auto) { return bl::einsum<"ii->i">(x); });
  keeps<of<float, dyn, 1>, of<float, 4>>("einsum", {},
                                         two([](const auto&... x) { return bl::einsum<"ij,i->ji">(x...); }));
  keeps<of<float, 1, 5>, of<float, 3, dyn>, of<float, 2, 4>>("addmm", {}, [](auto x, auto y, auto z, auto) {
    return bl::addmm(bl::slice(x, bl::all, bl::range(0_c, 4_c)), y, z);
  });
  keeps<of<float, 1>, of<float, 3, 4>, of<float, dyn>>("addmv", {}, three(bl::addmv));
  keeps<of<float, 1, 1>, of<float, 3>, of<float, dyn>>("addr", {}, three(bl::addr));
  keeps<of<float, 1, 1>, of<float, 2, 3, 4>, of<float, dyn, 4, 5>>("baddbmm", {}, three(bl::baddbmm));
  keeps<of<float, 1, 1>, of<float, 2, 3, 4>, of<float, dyn, 4, 5>>("addbmm", {}, three(bl::addbmm));
  keeps<of<float, 3>, of<float, dyn, 4>, of<float, 5, 4>>(
      "addmv", {}, [](auto x, auto y, auto z, auto) { return bl::addmv(x, y, bl::select(z, 0_c, 0_c)); });
}

BOOST_AUTO_TEST_CASE(stacked_functions) {
  keeps<of<float, 2, dyn>, of<float, 4, 2, 3>>("gufunc", {}, [](auto x, auto y, auto) {
    return bl::gufunc<"(n),(n)->(n)">([](auto a, auto b) { return a + b; })(x, y);
  });
}
