// Parts of an expression that have a name: each is computed once, and neither objects nor evaluations grow with how
// often lets mention lets.
// Build: sanitizers-alone
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <thread>

#include <broadloom/broadloom.hpp>

namespace {

namespace bl = broadloom;
using vector = bl::dtensor<float, 1>;

// A step of Halley's method for the cube root of a: x is mentioned seven times.
template <class X, class A>
constexpr auto step(const X& x, const A& a) {
  const auto c = x * x * x;
  return x * (c + 2.0f * a) / (2.0f * c + a);
}
template <class X, class A>
constexpr auto halley(const X& x, const A& a) {
  return bl::let(step(x, a));
}
// N lets, each of which mentions the one before three times.
template <int N, class X>
constexpr auto chain(const X& x) {
  if constexpr (N == 0)
    return bl::let(x + 1);
  else {
    const auto y = chain<N - 1>(x);
    return bl::let(y * 0.5f + y / (y + 3.0f));
  }
}
// The same, evaluated link by link.
vector chain_now(int n, const vector& x) {
  vector y = x + 1;
  for (int i = 0; i < n; ++i) y = bl::eval(y * 0.5f + y / (y + 3.0f));
  return y;
}

vector some(bl::index n) { return bl::arange<float>(1, float(n) + 1, 1); }
bool same_bits(const vector& a, const vector& b) {
  return a.shape() == b.shape() &&
         std::memcmp(a.data(), b.data(), sizeof(float) * static_cast<std::size_t>(a.size())) == 0;
}
bl::index passes(const auto& e) { return static_cast<bl::index>(bl::explain(e).passes.size()); }

struct counted {
  std::atomic<long>* calls;
  float operator()(float x) const {
    ++*calls;
    return x;
  }
};

// Rows that another header evaluates in its own way: trees of them are part of a let's type.
struct own_rows {
  using value_type = float;
  using shape_type = bl::shape<3>;
  static constexpr bool shows_tree = true;
  float values[3];

  static constexpr const char* name() { return "own_rows"; }
  static constexpr shape_type shape() { return {}; }
  constexpr float element(const bl::detail::indices<1>& at) const { return values[at[0]]; }
  bool same(const own_rows& o) const { return std::memcmp(values, o.values, sizeof values) == 0; }
  bool reads(const void*, const void*) const { return false; }
  template <int Native>
  void evaluate(float* to, const bl::runtime::options&) const {
    std::memcpy(to, values, sizeof values);
  }
};
template <class E>
inline constexpr bool holds_its_tree = false;
template <class E>
inline constexpr bool holds_its_tree<bl::deferred<bl::detail::computed<E>>> = true;
template <class E>
constexpr bool is_held(const E&) {
  return holds_its_tree<E>;
}

constexpr bl::tensor<float, bl::shape<3>> eights{{8, 8, 8}};
constexpr bool nested_in_constant_expressions() {
  const auto x = halley(halley(halley(eights, eights), eights), eights);
  const bl::tensor<float, bl::shape<3>> r = x;
  return r(0) == x(0) && r(2) > 1.99f && r(2) < 2.01f;
}
static_assert(nested_in_constant_expressions());
constexpr auto named = bl::let(eights + 1);  // holds its tree, and needs no memory
static_assert((named * named)(1) == 81 && sizeof(named) <= bl::detail::max_held_bytes);

}  // namespace

BOOST_AUTO_TEST_SUITE(eval_let)

BOOST_AUTO_TEST_CASE(a_let_of_lets_is_no_larger_than_one) {
  const vector a = some(100), x0 = some(100);
  const auto x1 = halley(x0, a);
  const auto x2 = halley(x1, a);
  const auto x3 = halley(x2, a);
  const auto x4 = halley(x3, a);
  const auto x5 = halley(x4, a);
  const auto x6 = halley(x5, a);
  static_assert(sizeof(x6) <= 640 && sizeof(x5) <= 640 && sizeof(x4) <= 640 && sizeof(x3) <= 640 && sizeof(x2) <= 640);
  BOOST_TEST(passes(x6) == 6);
  vector now = x0;
  for (int i = 0; i < 6; ++i) now = bl::eval(step(now, a));
  BOOST_TEST(same_bits(bl::eval(x6), now));
  BOOST_TEST(same_bits(bl::eval(x6, bl::seq), now));
}

// What grows with the mentions, three to the power of 40, would neither be compiled nor come to an end.
BOOST_AUTO_TEST_CASE(work_grows_with_the_number_of_lets) {
  for (const bl::index n : {1, 5, 1000, 100000}) {
    const vector x = some(n);
    const auto e = chain<40>(x);
    BOOST_TEST(passes(e) == 41);
    BOOST_TEST(same_bits(bl::eval(e), chain_now(40, x)), n);
    BOOST_TEST(bl::sum(e).item() == bl::sum(chain_now(40, x)).item());
  }
}

BOOST_AUTO_TEST_CASE(chains_of_equal_lets_are_one) {
  const vector x = some(50), y = some(50);
  BOOST_TEST(passes(chain<40>(x) - chain<40>(x)) == 41);
  BOOST_TEST(passes(chain<40>(x) - chain<40>(y)) == 82);
  const vector r = chain<12>(x) - 2.0f * chain<12>(y), expected = chain_now(12, x) - 2.0f * chain_now(12, y);
  BOOST_TEST(same_bits(r, expected));
}

// Whether a source may read the output is asked through lets too: chains of selections of chains.
BOOST_AUTO_TEST_CASE(selections_of_chains_over_the_output) {
  vector x = some(50);
  const bl::dtensor<bl::index, 1> backwards = bl::arange<bl::index>(49, -1, -1);
  const auto turned = bl::let(bl::take(chain<20>(x), backwards) * 1.0f);
  const auto e = chain<20>(turned);
  const vector expected = chain_now(20, bl::flip(chain_now(20, x), 0));
  x = bl::take(e, backwards);
  BOOST_TEST(same_bits(x, bl::flip(expected, 0)));
}

BOOST_AUTO_TEST_CASE(callables_in_lets_of_lets_are_called_once_for_each_element) {
  std::atomic<long> calls{0};
  const counted f{&calls};
  const vector x = some(60);
  const bl::dtensor<float, 2> m = bl::ones<float>(4, 60);
  const auto t = bl::let(bl::pointwise(f, x));
  static_cast<void>(bl::eval(chain<6>(t) + t * t));
  BOOST_TEST(calls == 60);
  calls = 0;
  // of fewer axes than the let, whose tree is brought to its shape: called before, and once for all mentions
  const auto wide = bl::let(bl::pointwise(f, x) * m);
  static_cast<void>(bl::eval(wide / bl::sum(wide, bl::axes<1>, bl::keepdim) + wide));
  BOOST_TEST(calls == 60);
}

BOOST_AUTO_TEST_CASE(lets_of_one_type_are_told_apart) {
  const vector x = some(33), y = x * 2;
  const auto over = [](const vector& v) { return chain<3>(v); };
  const auto a = over(x), b = over(y), copy = a;
  static_assert(std::is_same_v<decltype(a), decltype(b)>);
  const vector sum = a + 10.0f * b - copy, expected = chain_now(3, x) + 10.0f * chain_now(3, y) - chain_now(3, x);
  BOOST_TEST(same_bits(sum, expected));
  BOOST_TEST(passes(a + copy) == 4);
  BOOST_TEST(passes(a + b) == 8);
  auto assigned = chain<2>(x);
  assigned = chain<2>(y);
  assigned = static_cast<const decltype(assigned)&>(assigned);
  BOOST_TEST(same_bits(bl::eval(assigned), chain_now(2, y)));
}

// Each is bound where an evaluation finds it first, by a number that copies share and constants do not have.
BOOST_AUTO_TEST_CASE(lets_of_one_type_are_told_apart_in_trees_of_reductions) {
  static constexpr bl::tensor<float, bl::shape<3>> ones{{1, 1, 1}};
  static constexpr auto a = bl::let(eights + 1), b = bl::let(ones + 1);
  static_assert(std::is_same_v<decltype(a), decltype(b)>);
  const bl::tensor<float, bl::shape<3>> r = a / bl::sum(b), s = bl::sum(b * b) / a;
  BOOST_TEST((r(0) == 1.5f && r(2) == 1.5f && s(0) == 12.0f / 9 && s(2) == 12.0f / 9));
  const vector x = some(33), y = x * 2;
  const auto c = bl::let(x + 1), d = bl::let(y + 1), copy = c;
  const vector first = c / bl::sum(d) + copy, second = bl::sum(d * d + c) / d, c_now = x + 1, d_now = y + 1;
  BOOST_TEST(same_bits(first, c_now / bl::sum(d_now) + c_now));
  BOOST_TEST(same_bits(second, bl::sum(bl::eval(d_now * d_now + c_now)) / d_now));
  BOOST_TEST(passes(c / bl::sum(copy * copy)) == passes(c / bl::sum(c)));
}

BOOST_AUTO_TEST_CASE(trees_that_other_headers_look_into_are_held_whatever_their_size) {
  const bl::deferred<own_rows> r(own_rows{{1, 2, 3}});
  const vector x = some(3);
  const auto sum_of = [](const auto& a, const auto& b) {
    return bl::let(a * b + a / (b + 1) + (a - b) * (a + b) + b * b + a * 2.0f + b / (a + 2.0f) + b * 0.5f + a * b * b);
  };
  const auto shown = sum_of(r, x);
  const auto through = bl::let(bl::sqrt(shown) + x);
  static_assert(sizeof(shown) > 512 && is_held(shown) && is_held(through));
  BOOST_TEST(!is_held(sum_of(x, x)));
  const vector expected = bl::sqrt(bl::eval(sum_of(some(3), some(3)))) + x;
  BOOST_TEST(same_bits(bl::eval(through), expected));
  BOOST_TEST(passes(through + through) == 3);  // own_rows, and each let once
  // through the trees of reductions and of functions on core arrays
  static_assert(bl::detail::shows_tree<std::remove_cvref_t<decltype(bl::sum(r * x))>>);
  static_assert(bl::detail::shows_tree<std::remove_cvref_t<decltype(bl::std(r * x) + 1)>>);
  static_assert(!bl::detail::shows_tree<std::remove_cvref_t<decltype(bl::std(x * x))>>);
}

BOOST_AUTO_TEST_CASE(a_let_keeps_what_was_moved_into_it) {
  const auto make = [] {
    const auto inner = bl::let(some(20) * 2);
    return chain<4>(inner * inner);
  };
  const auto kept = make();
  const auto copy = kept;
  const vector r = kept + copy, twice = some(20) * 2;
  const vector expected = 2.0f * chain_now(4, twice * twice);
  BOOST_TEST(same_bits(r, expected));
}

BOOST_AUTO_TEST_CASE(an_output_may_be_what_a_let_reads) {
  vector x = some(70);
  const vector expected = chain_now(5, x) + x;
  x = chain<5>(x) + x;
  BOOST_TEST(same_bits(x, expected));
}

BOOST_AUTO_TEST_CASE(what_a_callable_throws_comes_out_of_lets) {
  const vector x = some(40);
  const auto throwing = bl::let(bl::pointwise(
      [](float v) -> float {
        if (v > 30) throw std::runtime_error("too large");
        return v;
      },
      x));
  for (int i = 0; i < 3; ++i)
    BOOST_CHECK_THROW(static_cast<void>(bl::eval(chain<3>(throwing) + throwing)), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(lets_of_different_threads_are_different) {
  const vector x = some(40), y = some(40) + 1;
  using named = decltype(bl::let(x * 2));
  std::optional<named> first, second;
  std::thread([&] { first.emplace(bl::let(x * 2)); }).join();
  std::thread([&] { second.emplace(bl::let(y * 2)); }).join();
  BOOST_TEST(same_bits(vector(*first + *second), vector(x * 2 + y * 2)));
}

BOOST_AUTO_TEST_CASE(equal_numbers_are_computed_once_beside_others) {
  const vector x = some(40), y = some(40) * 3;
  const vector centred = (x - bl::mean(x)) / bl::std(x) + bl::mean(y);
  const auto mean = static_cast<float>(bl::mean(x)), deviation = static_cast<float>(bl::std(x));
  BOOST_TEST(same_bits(centred, vector((x - mean) / deviation + static_cast<float>(bl::mean(y)))));
  BOOST_TEST(static_cast<float>(bl::sqrt(bl::var(x))) == deviation);
}

BOOST_AUTO_TEST_CASE(reshaped_lets_are_lets) {
  const vector x = some(24);
  const auto e = chain<4>(x);
  const bl::dtensor<float, 2> r = bl::reshape(e, 4, 6) + bl::reshape(e, 6, 4).T(),
                              now = bl::reshape(chain_now(4, x), 4, 6);
  BOOST_TEST(passes(bl::reshape(e, 4, 6) + bl::reshape(e, 6, 4).T()) == 5);
  BOOST_TEST(r(1, 2) == now(1, 2) + bl::reshape(chain_now(4, x), 6, 4)(2, 1));
}

BOOST_AUTO_TEST_SUITE_END()
