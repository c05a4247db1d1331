// Views commute with every function: a view of a whole expression has the elements of the same view of its result,
// whether they are asked for one by one or evaluated.
// Build: unoptimised, clang-alone
#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <string>
#include <utility>

namespace bl = broadloom;

namespace {

// Operands that broadcast to (5, 3, 7), each in its own way.
template <int I>
const auto& operand() {
  if constexpr (I == 0) {
    static const auto x = [] {
      bl::generator g(1);
      return bl::randn<float>(g, bl::dshape<3>(5, 1, 7));
    }();
    return x;
  } else if constexpr (I == 1) {
    static const auto y = [] {
      bl::generator g(2);
      return bl::randn<float>(g, bl::dshape<2>(3, 7));
    }();
    return y;
  } else if constexpr (I == 2) {
    static const auto z = [] {
      bl::generator g(3);
      return bl::rand<float>(g, bl::dshape<3>(5, 3, 1));
    }();
    return z;
  } else {
    static const auto all = [] {
      bl::generator g(4);
      return bl::randn<float>(g, bl::dshape<3>(5, 3, 7));
    }();
    return all;
  }
}

bool same(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b); }
bool same(bool a, bool b) { return a == b; }
bool same(int a, int b) { return a == b; }

template <class E, class V, int... I>
bool elements_agree(const E& e, const V& v, std::integer_sequence<int, I...>) {
  bl::index at[sizeof...(I) + 1] = {};
  for (bl::index k = 0; k < v.size(); ++k) {
    if (!same(e(at[I]...), v(at[I]...))) return false;
    for (int i = sizeof...(I) - 1; i >= 0; --i) {
      if (++at[i] < v.shape()[i]) break;
      at[i] = 0;
    }
  }
  return true;
}

template <class E, class V>
void compare(const char* function, const char* view, const E& e, const V& v) {
  constexpr auto axes = std::make_integer_sequence<int, E::shape_type::axes_count>();
  BOOST_TEST(v.size() > 0);
  const bool shapes = e.shape() == v.shape();
  BOOST_TEST(shapes, function << " seen by " << view << " has another shape");
  if (!shapes) return;
  BOOST_TEST(elements_agree(e, v, axes), function << " seen by " << view << ", element by element");
  BOOST_TEST(elements_agree(bl::eval(e), v, axes), function << " seen by " << view << ", evaluated");
}

// A view does not know what the function is: every function is seen by some views, some functions are seen by all.
template <class F, int... I>
void check(const char* name, const F& f, std::integer_sequence<int, I...> numbers) {
  if constexpr (!requires { f(operand<I>()...); }) {
    const auto whole = [](const auto& x) {
      if constexpr (requires { typename F::function_type::rule::counts; })
        return bl::abs(bl::cast<int>(x));  // the second is a count
      else
        return bl::cast<int>(x);
    };
    check(name, [&](const auto&... x) { return f(whole(x)...); }, numbers);
    return;
  } else {
    const auto e = f(operand<I>()...);
    const auto r = bl::eval(e);
    const auto with = [&](const char* view, const auto& v) { compare(name, view, v(e), v(r)); };
    with("transpose", [](const auto& x) { return bl::transpose(x, 0, 2); });
    with("slice with steps",
         [](const auto& x) { return bl::slice(x, bl::range(4, bl::none, -2), bl::all, bl::range(1, bl::end, 3)); });
  }
}

template <class F, int... I>
void check_every_view(const char* name, const F& f, std::integer_sequence<int, I...>) {
  const auto e = f(operand<I>()...);
  const auto r = bl::eval(e);
  const auto with = [&](const char* view, const auto& v) { compare(name, view, v(e), v(r)); };
  with("T", [](const auto& x) { return x.T(); });
  with("permute", [](const auto& x) { return bl::permute(x, 1, 2, 0); });
  with("flip", [](const auto& x) { return bl::flip(x, 0, 2); });
  with("movedim", [](const auto& x) { return bl::movedim(x, 2, 0); });
  with("narrow", [](const auto& x) { return bl::narrow(x, 2, 3, 3); });
  with("select", [](const auto& x) { return bl::select(x, 1, -1); });
  with("diagonal", [](const auto& x) { return bl::diagonal(x, 1, 0, 2); });
  with("slice with an index", [](const auto& x) { return bl::slice(x, bl::range(1, 4), 2); });
  with("unsqueeze", [](const auto& x) { return bl::unsqueeze(x, 1); });
  with("expand", [](const auto& x) { return bl::expand(x, bl::dshape<4>(2, 5, 3, 7)); });
  with("squeeze", [](const auto& x) { return bl::squeeze(bl::narrow(x, 1, 1, 1), 1); });
  with("several", [](const auto& x) {
    return bl::expand(bl::unsqueeze(bl::flip(bl::select(bl::permute(x, 2, 0, 1), 0, 4), 1), 1),
                      bl::dshape<4>(1, 5, 6, 3));
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(law_views)

using one = std::integer_sequence<int, 3>;
using two = std::integer_sequence<int, 0, 1>;
using three = std::integer_sequence<int, 0, 1, 2>;

#define BROADLOOM_UNARY(NAME, ...) \
  BOOST_AUTO_TEST_CASE(NAME) { check(#NAME, bl::NAME, one{}); }
#define BROADLOOM_BINARY(NAME, ...) \
  BOOST_AUTO_TEST_CASE(NAME) { check(#NAME, bl::NAME, two{}); }
#define BROADLOOM_BINARY_OPERATOR(NAME, ...) BROADLOOM_BINARY(NAME)
#define BROADLOOM_COMPARISON(NAME, ...) BROADLOOM_BINARY(NAME)
#define BROADLOOM_TERNARY(NAME, ...) \
  BOOST_AUTO_TEST_CASE(NAME) { check(#NAME, bl::NAME, three{}); }
#define BROADLOOM_STRIP1(NAME, ...) BROADLOOM_UNARY(NAME)
#define BROADLOOM_STRIP2(NAME, ...) BROADLOOM_BINARY(NAME)
#include <broadloom/fn/catalogue.def>
#include <broadloom/fn/undefine.hpp>

BOOST_AUTO_TEST_CASE(every_view_of_functions_of_one_two_and_three_operands) {
  check_every_view("exp", bl::exp, one{});
  check_every_view("sub", bl::sub, two{});
  check_every_view("addcmul", bl::addcmul, three{});
}

BOOST_AUTO_TEST_SUITE_END()
