// Compares bfloat16 with PyTorch's BFloat16: promotion, and the functions of the catalogue over all values of one
// operand and over pairs. PyTorch 1.13 has few functions of Half on the processor; float16's conversions are compared
// with NumPy's.
#include <broadloom/half.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "pytorch.hpp"

BOOST_AUTO_TEST_SUITE(reference_pytorch_half)

namespace bl = broadloom;
using bl::bfloat16;
using bl::float16;

namespace {

// Where results differ: the largest distance, in elements, and for how many of a thousand.
struct difference {
  int distance, per_mille;
};
constexpr int any_distance = 65536;
const std::map<std::string, difference>& decided() {
  static const std::map<std::string, difference> all{
      // PyTorch rounds a constant, or what a step gives, to BFloat16 before the next step.
      {"deg2rad", {1, 40}},
      {"rad2deg", {1, 160}},
      {"softsign", {1, 20}},
      {"xlogy", {1, 130}},
      {"xlog1py", {1, 130}},
      {"ldexp", {any_distance, 170}},
      {"sinc", {any_distance, 500}},
      {"entr", {1, 135}},
      {"silu", {2, 20}},
      {"gelu", {any_distance, 12}},
      {"tanhshrink", {any_distance, 50}},
      {"selu", {any_distance, 220}},
      {"elu", {any_distance, 220}},
      {"celu", {any_distance, 220}},
      {"logit", {128, 5}},
      {"logaddexp", {any_distance, 1}},
      {"logaddexp2", {any_distance, 1}},
      {"trunc_divide", {64, 6}},
      // Those of f32, in docs/decisions.md: NaN of softshrink, numbers near the largest one, quotients that overflow.
      {"softshrink", {any_distance, 4}},
      {"log1p", {any_distance, 4}},
      {"sinh", {87, 1}},
      {"cosh", {87, 1}},
      {"lgamma", {2, 1}},
      {"fmod", {any_distance, 15}},
      {"remainder", {any_distance, 15}},
      {"floor_divide", {any_distance, 17}}};
  return all;
}

int order(std::uint16_t bits) { return (bits & 0x8000) != 0 ? -(bits & 0x7fff) : bits; }
int distance(bfloat16 a, bfloat16 b) {
  const bool nan = std::isnan(float(a)), other = std::isnan(float(b));
  if (nan || other) return nan && other ? 0 : 65536;
  return std::abs(order(a.bits()) - order(b.bits()));
}

reference::operand operand_of(const bl::dtensor<bfloat16, 1>& x) {
  return {x.data(), bl::dtype::bf16, {x.size()}, {1}};
}

int compared = 0;
long long elements = 0;

template <class E>
void compare(const char* name, const E& e, const std::vector<reference::operand>& operands) {
  using T = typename E::value_type;
  if (!reference::in_pytorch(name)) return;
  reference::answer a;
  try {
    a = reference::pytorch(name, operands);
  } catch (const std::out_of_range&) {
    return;  // PyTorch's function of that name takes no arrays there
  }
  if (a.failed && a.error.find("not implemented for") != std::string::npos) {
    return;
  }
  BOOST_TEST(!a.failed, name << ": " << a.error);
  if (a.failed) return;
  BOOST_TEST((a.type == bl::dtype_of<T>), name << " gives " << bl::to_string(a.type));
  if (a.type != bl::dtype_of<T>) return;
  ++compared;
  const bl::index n = e.shape()[0];
  elements += n;
  int furthest = 0, many = 0;
  for (bl::index i = 0; i < n; ++i) {
    T theirs;
    std::memcpy(&theirs, a.elements.data() + i * static_cast<bl::index>(sizeof(T)), sizeof(T));
    const T ours = e.element(bl::detail::indices<1>{{i}});
    int d = 0;
    if constexpr (std::is_same_v<T, bool>)
      d = ours != theirs;
    else
      d = distance(ours, theirs);
    many += d > 0;
    furthest = d > furthest ? d : furthest;
  }
  const auto known = decided().find(name);
  const difference allowed = known == decided().end() ? difference{0, 0} : known->second;
  BOOST_TEST((furthest <= allowed.distance && many * 1000LL <= allowed.per_mille * n),
             name << ": " << many << " of " << n << " differ, by up to " << furthest);
  BOOST_TEST((known == decided().end() || many > 0), name << " differs no more");
}

struct operands {
  bl::dtensor<bfloat16, 1> all = bl::zeros<bfloat16>(65536), x = bl::zeros<bfloat16>(20000), y = x, z = x;
  operands() {
    for (int i = 0; i < 65536; ++i) all(i) = bfloat16::from_bits(static_cast<std::uint16_t>(i));
    std::uint32_t state = 3;
    const auto next = [&] {
      state = state * 1664525u + 1013904223u;
      const std::uint32_t k = state >> 12;
      const auto bits = static_cast<std::uint16_t>(k >> 4);
      return k % 3 == 0 ? bfloat16::from_bits(static_cast<std::uint16_t>((bits & 0x7fff) > 0x7f80 ? bits | 0x40 : bits))
                        : bfloat16(static_cast<float>(static_cast<int>(k % 4096) - 2048) / 300.0f);
    };
    for (int i = 0; i < 20000; ++i) {
      x(i) = next();
      y(i) = next();
      z(i) = next();
    }
  }
};
const operands& given() {
  static const operands o;
  return o;
}

template <class F>
void unary(const char* name, const F& f) {
  const auto& x = given().all;
  if constexpr (std::is_invocable_v<const F&, const bl::dtensor<bfloat16, 1>&>) compare(name, f(x), {operand_of(x)});
}
template <class F>
void binary(const char* name, const F& f) {
  const auto& o = given();
  if constexpr (std::is_invocable_v<const F&, const bl::dtensor<bfloat16, 1>&, const bl::dtensor<bfloat16, 1>&>)
    compare(name, f(o.x, o.y), {operand_of(o.x), operand_of(o.y)});
}
template <class F>
void ternary(const char* name, const F& f) {
  const auto& o = given();
  if constexpr (std::is_invocable_v<const F&, const bl::dtensor<bfloat16, 1>&, const bl::dtensor<bfloat16, 1>&,
                                    const bl::dtensor<bfloat16, 1>&>)
    compare(name, f(o.x, o.y, o.z), {operand_of(o.x), operand_of(o.y), operand_of(o.z)});
}

}  // namespace

#define BROADLOOM_UNARY(NAME, ...) unary(#NAME, bl::NAME);
#define BROADLOOM_BINARY(NAME, ...) binary(#NAME, bl::NAME);
#define BROADLOOM_BINARY_OPERATOR(NAME, ...) binary(#NAME, bl::NAME);
#define BROADLOOM_COMPARISON(NAME, ...) binary(#NAME, bl::NAME);
#define BROADLOOM_TERNARY(NAME, ...) ternary(#NAME, bl::NAME);
#define BROADLOOM_STRIP1(NAME, ...) unary(#NAME, bl::NAME);
#define BROADLOOM_STRIP2(NAME, ...) binary(#NAME, bl::NAME);
BOOST_AUTO_TEST_CASE(functions_of_the_catalogue) {
#include <broadloom/fn/catalogue.def>
#include <broadloom/fn/undefine.hpp>
  unary("sigmoid", bl::sigmoid);
  BOOST_TEST(compared > 100);
  BOOST_TEST(elements > 5000000);
}

BOOST_AUTO_TEST_CASE(types_are_promoted_as_pytorchs) {
  const float16 h = 1;
  const bfloat16 b = 1;
  const auto check = [](const auto& x, const auto& y, bool weak) {
    using X = std::remove_cvref_t<decltype(x)>;
    using Y = std::remove_cvref_t<decltype(y)>;
    const reference::answer a =
        reference::pytorch("add", {{&x, bl::dtype_of<X>, {1}, {1}},
                                   {&y, bl::dtype_of<Y>, weak ? std::vector<bl::index>{} : std::vector<bl::index>{1},
                                    weak ? std::vector<bl::index>{} : std::vector<bl::index>{1}}});
    BOOST_TEST(!a.failed, a.error);
    using ours = bl::promoted<bl::dtensor<X, 1>&, bl::dtensor<Y, 1>&>;
    using with_rank0 = bl::promoted<bl::dtensor<X, 1>&, bl::tensor<Y, bl::shape<>>&>;
    BOOST_TEST((a.type == (weak ? bl::dtype_of<with_rank0> : bl::dtype_of<ours>)),
               bl::to_string(bl::dtype_of<X>) << " and " << bl::to_string(bl::dtype_of<Y>));
  };
  const auto with_all = [&](const auto& x) {
    for (const bool weak : {false, true}) {
      check(x, b, weak);
      check(x, h, weak);
      check(x, true, weak);
      check(x, std::int8_t{1}, weak);
      check(x, std::uint8_t{1}, weak);
      check(x, std::int64_t{1}, weak);
      check(x, 1.0f, weak);
      check(x, 1.0, weak);
    }
  };
  with_all(b);
  check(1.0f, b, false);
  check(1.0f, b, true);
  check(std::int32_t{1}, b, true);
  check(std::int32_t{1}, b, false);
  check(true, b, false);
}

BOOST_AUTO_TEST_SUITE_END()
