// The in-place form of every function is the function, evaluated and then copied, also when an operand overlaps the
// output.
// Build: unoptimised, sanitizers-alone
#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstring>
#include <utility>

namespace bl = broadloom;

namespace {

template <class T, bool Counts = false>
bl::dtensor<T, 2> values(int which) {
  bl::generator g(static_cast<std::uint64_t>(which) + 5);
  bl::dtensor<T, 2> r(9, 13);
  const auto noise = bl::randn<float>(g, r.shape());
  for (bl::index i = 0; i < r.size(); ++i) {
    r.data()[i] = static_cast<T>(noise.data()[i] * 10);
    if (r.data()[i] == 0) r.data()[i] = 11;   // integers are not divided by 0
    if constexpr (Counts) r.data()[i] &= 31;  // nor shifted by less than 0
  }
  return r;
}

template <class T>
bool same(const bl::dtensor<T, 2>& a, const bl::dtensor<T, 2>& b) {
  for (bl::index i = 0; i < a.size(); ++i)
    if (std::memcmp(a.data() + i, b.data() + i, sizeof(T)) != 0 &&
        (a.data()[i] == a.data()[i] || b.data()[i] == b.data()[i]))
      return false;
  return true;
}

// The I-th operand beside the output: an array, one row of it to be broadcast, or the output itself turned around.
template <class T, int I>
auto other(const bl::dtensor<T, 2>& array, const bl::dtensor<T, 2>& out, int how) {
  const auto row = bl::expand(bl::narrow(array, 0, I, 1), bl::dshape<2>(9, 13));
  const auto all = bl::narrow(bl::transpose(bl::transpose(array, 0, 1), 0, 1), 0, 0, 9);
  const auto turned = bl::flip(bl::flip(out, 0), I % 2);
  return how == 0 ? all : how == 1 ? row : turned;
}

template <class T, class F, class InPlace, int... I>
void check(const F& f, const InPlace& f_, std::integer_sequence<int, I...>) {
  if constexpr (requires(const bl::dtensor<T, 2>& x) { f(x, (static_cast<void>(I), x)...); }) {
    using result = typename decltype(f(values<T>(0), (static_cast<void>(I), values<T>(0))...))::value_type;
    // a floating result does not go into integers
    if constexpr (!std::is_floating_point_v<result> || std::is_floating_point_v<T>)
      for (const int how : {0, 1, 2}) {
        constexpr bool counts = requires { typename F::function_type::rule::counts; };
        auto out = values<T, counts>(0), expected = values<T, counts>(0);
        const auto array = values<T, counts>(1);
        const auto copy = out;
        const auto r = bl::eval(f(copy, other<T, I>(array, copy, how)...));
        for (bl::index i = 0; i < r.size(); ++i) expected.data()[i] = static_cast<T>(r.data()[i]);
        auto& back = f_(out, other<T, I>(array, out, how)...);
        BOOST_TEST(same(out, expected), "with operands of kind " << how);
        BOOST_TEST(&back == &out);
      }
  }
}

template <class F, class InPlace, int... I>
void check_types(const F& f, const InPlace& f_, std::integer_sequence<int, I...> s) {
  check<float>(f, f_, s);
  check<std::int32_t>(f, f_, s);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(law_in_place)

using none = std::integer_sequence<int>;
using one = std::integer_sequence<int, 1>;
using two = std::integer_sequence<int, 1, 2>;

#define BROADLOOM_UNARY(NAME, ...) \
  BOOST_AUTO_TEST_CASE(NAME) { check_types(bl::NAME, bl::NAME##_, none{}); }
#define BROADLOOM_BINARY(NAME, ...) \
  BOOST_AUTO_TEST_CASE(NAME) { check_types(bl::NAME, bl::NAME##_, one{}); }
#define BROADLOOM_BINARY_OPERATOR(NAME, RULE, COST, OP, ASSIGN, FORMULA)                           \
  BROADLOOM_BINARY(NAME)                                                                           \
  BOOST_AUTO_TEST_CASE(NAME##_operator) {                                                          \
    check<float>(bl::NAME, [](auto& out, const auto& x) -> auto& { return out ASSIGN x; }, one{}); \
  }
#define BROADLOOM_COMPARISON(NAME, ...) BROADLOOM_BINARY(NAME)
#define BROADLOOM_TERNARY(NAME, ...) \
  BOOST_AUTO_TEST_CASE(NAME) { check_types(bl::NAME, bl::NAME##_, two{}); }
#define BROADLOOM_STRIP1(NAME, ...) BROADLOOM_UNARY(NAME)
#define BROADLOOM_STRIP2(NAME, ...) BROADLOOM_BINARY(NAME)
#include <broadloom/fn/catalogue.def>
#include <broadloom/fn/undefine.hpp>

BOOST_AUTO_TEST_CASE(addcmul) { check<float>(bl::addcmul, bl::addcmul_, two{}); }
BOOST_AUTO_TEST_CASE(addcdiv) { check<float>(bl::addcdiv, bl::addcdiv_, two{}); }
BOOST_AUTO_TEST_CASE(sigmoid) { check<float>(bl::sigmoid, bl::sigmoid_, none{}); }

BOOST_AUTO_TEST_SUITE_END()
