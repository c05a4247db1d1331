// Prepared assignments: the bits of assign() for generated shapes, however arrays move, and its errors.
#include <broadloom/eval/prepare.hpp>

#include <boost/test/unit_test.hpp>

#include <complex>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

namespace {

using form = bl::runtime::prepared_form;

// Elements change from call to call.
template <class X>
void fill(X& x, int seed) {
  using T = typename X::value_type;
  for (bl::index i = 0; i < x.size(); ++i) {
    const auto n = static_cast<int>((i * 37 + seed * 11) % 101);
    if constexpr (std::is_integral_v<T>)
      x.data()[i] = static_cast<T>(n);
    else  // rounded, and so are products
      x.data()[i] = static_cast<T>(n) / T(17);
  }
}
template <class T = float, class... N>
auto some(int seed, N... n) {
  bl::dtensor<T, sizeof...(N)> x(static_cast<bl::index>(n)...);
  fill(x, seed);
  return x;
}
template <class X>
bool same(const X& a, const X& b) {
  return a.shape() == b.shape() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof *a.data()) == 0;
}
// What is prepared and what is assigned, twice, with other elements.
template <class Out, class E, class... Leaves>
void check(const std::string& what, Out& o, const E& e, Leaves&... leaves) {
  auto expected = o;
  auto step = bl::prepare(o, e);
  for (int seed = 1; seed <= 2; ++seed) {
    (fill(leaves, seed), ...);
    fill(o, 9);
    step();
    bl::assign(expected, e);
    BOOST_TEST(same(o, expected), what << ", " << seed);
  }
}
template <class Out, class E>
form form_of(Out& o, const E& e) {
  using program = bl::detail::program_code<typename bl::detail::program_of<E, typename Out::value_type>::type, 16>;
  const auto to = bl::detail::as_node(o);
  const bl::detail::bound_tree<E, 16> tree(e);
  bl::runtime::slot inputs[tree.count];
  bl::index across[tree.count];
  return bl::runtime::plan_prepared(bl::detail::bind_output(to), tree.leaves, tree.count, program::value,
                                    16 / sizeof(typename Out::value_type), inputs, across)
      .form;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(eval_prepare)

BOOST_AUTO_TEST_CASE(lines_of_every_length) {
  for (int n = 0; n <= 70; n += n < 36 ? 1 : 17) {
    const std::string what = std::to_string(n);
    auto a = some(1, n), b = some(2, n), c = some(3, n), o = some(0, n);
    check(what, o, a + b * c, a, b, c);
    check(what + " with a number", o, a * 2.f - 1.f, a);
    auto p = some<unsigned char>(1, n), q = some<unsigned char>(2, n), r = p;
    check(what + " of bytes", r, bl::maximum(p, q), p, q);
    auto less = bl::dtensor<bool, 1>(n);
    check(what + " compared", less, a < b, a, b);
    auto z = some<std::complex<double>>(1, n), w = some<std::complex<double>>(2, n), v = z;
    check(what + " complex", v, z * w, z, w);
  }
}

BOOST_AUTO_TEST_CASE(leaves_that_broadcast) {
  for (const int m : {1, 2, 5, 8})
    for (const int n : {1, 2, 3, 4, 7, 8, 13, 40})
      for (int k = 0; k < 16; ++k) {
        auto a = some(1, k & 1 ? m : 1, k & 2 ? n : 1), b = some(2, k & 4 ? m : 1, k & 8 ? n : 1);
        auto o = some(0, m, n);
        auto c = some(3, n);
        const std::string what = std::to_string(m) + " x " + std::to_string(n) + ", " + std::to_string(k);
        check(what, o, a - b * 2.f, a, b);
        check(what + ", three", o, a * b + c, a, b, c);
      }
}

BOOST_AUTO_TEST_CASE(forms_by_extents) {
  auto a = some(1, 8, 1), b = some(2, 1, 8), c = some(3, 8, 8), o = some(4, 8, 8), wide = some(5, 8, 16);
  BOOST_TEST((form_of(o, a + b) == form::rows));
  BOOST_TEST((form_of(o, c.T() + b) == form::assigned));
  auto part = wide(bl::all, bl::range(0, 8));
  BOOST_TEST((form_of(part, o + c) == form::rows));
  auto x = some(1, 5), y = some(2, 5);
  BOOST_TEST((form_of(x, y * 2.f) == form::line));
  auto left = x(bl::range(0, 4)), right = x(bl::range(1, 5));
  BOOST_TEST((form_of(left, right * 2.f) == form::assigned));
  auto large = some(1, 100000), to = large;
  BOOST_TEST((form_of(to, large * 2.f) == form::assigned));
}

BOOST_AUTO_TEST_CASE(outputs_that_are_operands) {
  for (const int n : {1, 3, 4, 7, 32, 33, 67}) {
    auto x = some(1, n), a = some(2, n), expected = x;
    auto step = bl::prepare(x, x * 2.f - a);
    step(), step();
    bl::assign(expected, expected * 2.f - a);
    bl::assign(expected, expected * 2.f - a);
    BOOST_TEST(same(x, expected), n);
    auto y = some(1, n + 1), shifted = y;
    auto shift = bl::prepare(y(bl::range(1, n + 1)), y(bl::range(0, n)) + 1.f);
    shift();
    bl::assign(shifted(bl::range(1, n + 1)), bl::eval(shifted(bl::range(0, n)) + 1.f));
    BOOST_TEST(same(y, shifted), n);
  }
  const auto row = some(2, 7);
  auto m = some(1, 5, 7), expected = m;
  auto step = bl::prepare(m, m + row);
  step();
  bl::assign(expected, expected + row);
  BOOST_TEST(same(m, expected));
}

BOOST_AUTO_TEST_CASE(arrays_that_move) {
  for (const int n : {5, 64}) {
    auto a = some(1, n), b = some(2, n), o = some(3, n);
    auto step = bl::prepare(o, a - b);
    for (int k = 0; k < 3; ++k) {
      step();
      BOOST_TEST(bl::all(o == a - b).item());
      std::swap(a, b);
      step();
      BOOST_TEST(bl::all(o == a - b).item());
      o = bl::dtensor<float, 1>(n);
      b = some(k, n);
    }
    auto next = bl::prepare(a, a + o);  // and two buffers in turn
    for (int k = 0; k < 4; ++k) {
      const auto before = bl::eval(a + o);
      next();
      BOOST_TEST(same(a, before));
      std::swap(a, o);
    }
  }
}

BOOST_AUTO_TEST_CASE(arrays_of_other_extents_are_refused) {
  auto a = some(1, 5), b = some(2, 5), o = some(3, 5);
  BOOST_CHECK_THROW(static_cast<void>(bl::prepare(o, a + some(1, 6))), bl::shape_error);
  auto step = bl::prepare(o, a + b);
  a = some(1, 6);
  const auto before = o;
  BOOST_CHECK_THROW(step(), bl::shape_error);
  BOOST_TEST(same(o, before));
  a = some(4, 5);
  step();
  BOOST_TEST(bl::all(o == a + b).item());
  o = some(3, 6);
  BOOST_CHECK_THROW(step(), bl::shape_error);
  BOOST_TEST(same(o, some(3, 6)));
  o = some(3, 5);
  step();
  BOOST_TEST(bl::all(o == a + b).item());
  auto column = some(1, 2, 1);
  BOOST_CHECK_THROW(static_cast<void>(bl::prepare(bl::expand(column, bl::dshape<2>(2, 3)), a(bl::range(0, 1)))),
                    bl::shape_error);
}

BOOST_AUTO_TEST_CASE(trees_that_own_and_trees_of_more_loops) {
  auto a = some(1, 6), o = some(2, 6);
  auto owns = bl::prepare(o, some(3, 6) * a);
  auto more = bl::prepare(o, bl::exp(a) + bl::sum(a));
  bl::tensor<float, bl::shape<6>> fixed;
  auto unrolled = bl::prepare(fixed, a + 1.f);
  for (int seed = 0; seed < 2; ++seed) {
    fill(a, seed);
    owns();
    BOOST_TEST(bl::all(o == some(3, 6) * a).item());
    more();
    BOOST_TEST(same(o, bl::eval(bl::exp(a) + bl::sum(a))));
    unrolled();
    BOOST_TEST(bl::all(fixed == a + 1.f).item());
  }
}

BOOST_AUTO_TEST_CASE(what_a_callable_throws) {
  auto a = some(1, 6), o = some(2, 6);
  bool fails = false;
  auto step =
      bl::prepare(o, bl::pointwise([&fails](float x) { return fails ? throw std::runtime_error("no") : x + 1; }, a));
  step();
  BOOST_TEST(bl::all(o == a + 1.f).item());
  fails = true;
  BOOST_CHECK_THROW(step(), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
