// Functions of one's own and `let`: what they are called with may be temporary, is mentioned many times and kept.
// Build: sanitizers-alone
#include <array>
#include <boost/test/unit_test.hpp>
#include <span>
#include <type_traits>
#include <vector>

#include <broadloom/broadloom.hpp>

namespace {

namespace bl = broadloom;
using namespace bl::literals;
using vector = bl::dtensor<float, 1>;
using matrix = bl::dtensor<float, 2>;

// Those of the guide, the cookbook and the examples.
constexpr auto smooth_step = bl::function([](auto x, auto from, auto to) {
  auto t = bl::let(bl::clamp((x - from) / (to - from), 0, 1));
  return t * t * (3 - 2 * t);
});
constexpr auto softmax = bl::function([](bl::array auto x) {
  auto e = bl::let(bl::exp(x - bl::amax(x, bl::axes<-1>, bl::keepdim)));
  return e / bl::sum(e, bl::axes<-1>, bl::keepdim);
});
constexpr auto standardised = bl::function([](bl::array auto x) {
  auto centred = bl::let(x - bl::mean(x, bl::axes<-1>, bl::keepdim));
  return centred / bl::sqrt(bl::mean(centred * centred, bl::axes<-1>, bl::keepdim));
});
constexpr auto distances = bl::function([](bl::array_of_rank<2> auto points, bl::array_of_rank<2> auto centres) {
  auto [p, c] = bl::expects<"(n,d),(m,d)">(points, centres);
  return bl::sqrt(bl::sum(bl::square(bl::unsqueeze(p, 1_c) - bl::unsqueeze(c, 0_c)), 2_c));
});
constexpr auto norms =
    bl::function([](bl::array_of<float, bl::dyn, 3> auto points) { return bl::norm(points, 2, bl::axes<1>); });
template <class P>
concept points = P::shape_type::rank() == 2 && P::shape_type::static_extents[1] == 3;
constexpr auto lengths = bl::function([](points auto p) { return bl::sqrt(bl::sum(bl::square(p), bl::axes<-1>)); });
constexpr auto centred = bl::function([](auto x) { return x - bl::mean(x); });
constexpr auto centred_batch = bl::function(
    [](bl::array_of<float, bl::size<"batch">, bl::dyn> auto x) { return x - bl::mean(x, "batch"_axis, bl::keepdim); });
constexpr auto pairs = bl::function([](auto x) { return bl::windows(x, 0, 2, 2); });
constexpr auto weighted = bl::function([](auto x) {
  vector w{1, 2, 3};
  auto shared = bl::let(std::move(w));
  return x * shared + shared;
});
constexpr auto acceleration = bl::function([](auto x, auto mass) {
  const auto d = bl::let(bl::unsqueeze(x, 0_c) - bl::unsqueeze(x, 1_c));
  const auto r2 = bl::sum(bl::square(d), 2_c, bl::keepdim) + 1e-2;
  return bl::sum(d * bl::unsqueeze(bl::unsqueeze(mass, 1_c), 0_c) / (r2 * bl::sqrt(r2)), bl::axes<1>);
});
const auto inner = [](auto&& x, bl::index k) {
  return bl::slice(std::forward<decltype(x)>(x), bl::range(k, -k), bl::range(k, -k));
};

// Overwrites what the memory of temporaries has held.
[[gnu::noinline]] void overwrite() {
  volatile unsigned char stack[4096];
  for (auto& x : stack) x = 0xa5;
  for (bl::index n = 1; n < 40; ++n) bl::eval(bl::full<float>(bl::dshape<1>(n), -7.5f));
}
// The function of temporaries, kept, evaluated later: what it is of arrays with names.
template <class F, class... A>
void keeps(const F& f, const A&... a) {
  const auto now = bl::eval(f(a...));
  const auto kept = f(A(a)...);
  overwrite();
  BOOST_TEST(bl::array_equal(bl::eval(kept), now));
  BOOST_TEST(bl::array_equal(bl::eval(kept), now));  // twice
}

// The same written by hand, for arrays with names: the tree is the same, and so is the loop.
template <class X>
auto standardised_by_hand(const X& x) {
  auto centred = bl::let(x - bl::mean(x, bl::axes<-1>, bl::keepdim));
  return centred / bl::sqrt(bl::mean(centred * centred, bl::axes<-1>, bl::keepdim));
}
template <class X>
constexpr bool same_tree = std::is_same_v<decltype(standardised(std::declval<const X&>())),
                                          decltype(standardised_by_hand(std::declval<const X&>()))>;
static_assert(same_tree<matrix> && same_tree<bl::tensor<float, bl::shape<2, 3>>> && same_tree<std::vector<float>>);

template <class X>
constexpr bool takes_norms = requires(const X& x) { norms(x); };
static_assert(takes_norms<matrix> && !takes_norms<bl::tensor<float, bl::shape<2>>>);

}  // namespace

BOOST_AUTO_TEST_SUITE(eval_function)

BOOST_AUTO_TEST_CASE(expressions_of_temporaries_may_be_kept) {
  const vector x{-1, 0.25f, 0.5f, 2};
  const matrix from{{0}, {0.25f}}, m{{1, 2, 4}, {3, -1, 2}};
  const bl::tensor<float, bl::shape<3>> fixed{1, 2, 5};
  const std::vector<float> list{3, 1, 4, 1};
  keeps(smooth_step, x, from, 1);
  keeps(smooth_step, x, 0, vector{4, 5, 6, 7});
  keeps(smooth_step, list, 0.5, 3);
  keeps(softmax, m);
  keeps(softmax, fixed);
  keeps(softmax, list);
  keeps(standardised, m);
  keeps(distances, m, matrix{{0, 0, 1}});
  keeps(norms, m);
  keeps(lengths, bl::tensor<float, bl::shape<2, 3>>{{3, 4, 0}, {1, 2, 2}});
  keeps(centred, x);
  keeps(centred, list);
  keeps(centred_batch, bl::tensor<float, bl::shape<bl::size<"batch">, bl::dyn>>{{1, 2}, {4, 8}});
  keeps(pairs, x);
  keeps(pairs, list);
  keeps(weighted, vector{5, 6, 7});
  keeps(acceleration, m, vector{1, 2});
  keeps(inner, matrix(4, 4), 1);
  const auto of_expression = standardised(matrix{{1, 2}, {3, 5}} * matrix{{2, 2}, {1, 1}});
  overwrite();
  BOOST_TEST(bl::array_equal(bl::eval(of_expression), bl::eval(standardised(matrix{{2, 4}, {3, 5}}))));
}

BOOST_AUTO_TEST_CASE(a_const_temporary_is_copied) {
  const auto make = []() -> const matrix { return {{1, 2}, {3, 4}}; };
  const auto tree = make() + 1;
  const auto turned = bl::transpose(make());
  const auto of_list = [] {
    const std::vector<float> v{1, 2};
    return bl::mul(std::move(v), 2.0f);
  }();
  overwrite();
  BOOST_TEST((bl::eval(tree)(1, 1) == 5.f && bl::eval(turned)(0, 1) == 3.f && bl::eval(of_list)(1) == 4.f));
}

BOOST_AUTO_TEST_CASE(overloads_default_arguments_and_what_is_no_operand) {
  const matrix m{{1, 2}, {3, 4}};
  constexpr auto total = bl::function([](bl::array auto x) { return bl::sum(x); },
                                      [](bl::array auto x, auto axis) { return bl::sum(x, axis); });
  constexpr auto last =
      bl::function([]<class Axis = bl::axes_t<-1>>(auto x, Axis axis = {}) { return bl::sum(x, axis); });
  BOOST_TEST((total(m).item() == 10.f && bl::eval(total(m, 0))(1) == 6.f && bl::eval(total(m, bl::axes<1>))(0) == 3.f));
  BOOST_TEST((bl::eval(last(m))(0) == 3.f && bl::eval(last(m, bl::axes<0>))(0) == 4.f));
  constexpr auto type_of = bl::function([](auto a) { return std::is_same_v<decltype(a), double>; });
  double number = 1;
  BOOST_TEST((type_of(number) && type_of(2.0) && !type_of(1.0f) && !type_of(m)));
}

BOOST_AUTO_TEST_CASE(let_takes_every_operand) {
  const matrix m{{1, 2}, {3, 4}};
  // a number stays weak, a constant a constant
  static_assert(std::is_same_v<decltype(bl::let(2)), int> && std::is_same_v<decltype(bl::let(2.5)), double>);
  static_assert(decltype(bl::let(3_c))::value == 3);
  static_assert(std::is_same_v<decltype(m * bl::let(2.5))::value_type, float>);
  // an array with a name is referred to
  static_assert(std::is_same_v<decltype(bl::let(m)), bl::tensor_ref<float, bl::dshape<2>>>);
  static_assert(std::is_same_v<decltype(bl::let(m.T())), std::remove_cvref_t<decltype(m.T())>>);
  const auto named = bl::let(m);
  BOOST_TEST(bl::explain(named + 1).passes.empty());
  // a temporary is owned once, whoever mentions it
  matrix given{{5, 6}, {7, 8}};
  const float* const memory = given.data();
  const auto owned = bl::let(std::move(given));
  const auto copy = owned;
  BOOST_TEST((owned.data() == memory && copy.data() == memory));
  BOOST_TEST(bl::eval(owned + copy)(1, 1) == 16.f);
  // a small static one is held by value, of static extents
  constexpr auto small = bl::let(bl::tensor<int, bl::shape<2>>{1, 2});
  static_assert((small * small)(1) == 4 && decltype(small)::shape_type::is_static);
  const auto large = bl::let(bl::tensor<float, bl::shape<32, 32>>{});
  static_assert(sizeof(large) < 200);
  BOOST_TEST(bl::eval(large + large)(31, 31) == 0.f);
  // containers, and what only refers to elements
  std::vector<float> list{1, 2};
  const auto of_list = bl::let(list), of_span = bl::let(std::span<float>(list));
  list[1] = 7;
  BOOST_TEST((bl::eval(of_list)(1) == 7.f && bl::eval(of_span + 0)(1) == 7.f));
  std::array<float, 2> pair{1, 2};
  static_assert(decltype(bl::let(pair))::shape_type::static_extents[0] == 2);
  // a let of a let is the same one
  const auto once = bl::let(m * 2);
  static_assert(std::is_same_v<decltype(bl::let(once)), std::remove_cvref_t<decltype(once)>>);
}

BOOST_AUTO_TEST_SUITE_END()
