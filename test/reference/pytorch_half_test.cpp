// Compares bfloat16 with PyTorch's BFloat16: promotion, and the functions of the catalogue over all values of one
// operand and over pairs. PyTorch 1.13 has few functions of Half on the processor; float16's conversions are compared
// with NumPy's.
#include <broadloom/half.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
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

using values = std::vector<float>;

float rounded(float x) { return float(bfloat16(x)); }
template <class F>
values each(const values& x, const F& f) {
  values r;
  for (const float e : x) r.push_back(f(e));
  return r;
}
template <class F>
values each(const values& x, const values& y, const F& f) {
  values r;
  for (std::size_t i = 0; i < x.size(); ++i) r.push_back(f(x[i], y[i]));
  return r;
}
values each_rounded(const values& x) { return each(x, rounded); }
// PyTorch's function of f32 elements.
template <class... X>
values of_f32(const std::string& name, const X&... x) {
  const auto given = [](const values& v) {
    return reference::operand{v.data(), bl::dtype::f32, {static_cast<bl::index>(v.size())}, {1}};
  };
  const reference::answer a = reference::pytorch(name, {given(x)...});
  BOOST_REQUIRE(!a.failed && a.type == bl::dtype::f32);
  values r(a.elements.size() / sizeof(float));
  std::memcpy(r.data(), a.elements.data(), a.elements.size());
  return r;
}

// Where ours differ, what PyTorch gives instead: its steps, each rounded as it rounds them, in f32 before the last
// rounding. Ours are f32's results, rounded once (fn/half_functions_test). What is here holds for every element.
using model = values (*)(const values& x, const values& y);
constexpr float pi = 3.14159265358979f;
// `rest` is what PyTorch's fmod gives: NaN where the quotient overflows.
float floor_quotient(float a, float b, float rest) {
  if (b == 0) return a / b;
  float q = rounded(rounded(a - rest) / b);
  if (rest != 0 && (b < 0) != (rest < 0)) q = rounded(q - 1);
  if (q == 0) return std::copysign(0.0f, a / b);
  const float whole = std::floor(q);
  return rounded(q - whole) > 0.5f ? whole + 1 : whole;
}

// x l, where l is the logarithm of y: 0 of 0, unless y is NaN.
values times_logarithm(const values& x, const values& y, const values& l) {
  values r = each(x, l, [](float a, float b) { return a * b; });
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i] == 0 && !std::isnan(y[i])) r[i] = 0;
  return r;
}

float sign_of(float a) { return a > 0 ? 1.0f : a < 0 ? -1.0f : 0.0f; }

#define BROADLOOM_AS_F32(NAME) {#NAME, [](const values& x, const values&) { return of_f32(#NAME, x); }}
const std::map<std::string, model>& models() {
  static const std::map<std::string, model> all{
      // A constant is rounded to BFloat16.
      {"deg2rad",
       [](const values& x, const values&) { return each(x, [](float a) { return a * rounded(pi / 180); }); }},
      {"rad2deg",
       [](const values& x, const values&) { return each(x, [](float a) { return a * rounded(180 / pi); }); }},
      // Each step is rounded.
      {"softsign",
       [](const values& x, const values&) { return each(x, [](float a) { return a / rounded(std::abs(a) + 1); }); }},
      {"silu",
       [](const values& x, const values&) {
         const values e = each_rounded(of_f32("exp", each(x, [](float a) { return -a; })));
         return each(x, e, [](float a, float b) { return a / rounded(1 + b); });
       }},
      {"sinc",
       [](const values& x, const values&) {
         const values p = each(x, [](float a) { return rounded(a * rounded(pi)); });
         return each(p, each_rounded(of_f32("sin", p)), [](float a, float b) { return a == 0 ? 1 : b / a; });
       }},
      {"logit",
       [](const values& x, const values&) {
         return of_f32("log", each(x, [](float a) { return rounded(a / rounded(1 - a)); }));
       }},
      {"trunc_divide",
       [](const values& x, const values& y) {
         return each(x, y, [](float a, float b) { return std::trunc(rounded(a / b)); });
       }},
      {"floor_divide",
       [](const values& x, const values& y) {
         values r = each_rounded(of_f32("fmod", x, y));
         for (std::size_t i = 0; i < r.size(); ++i) r[i] = floor_quotient(x[i], y[i], r[i]);
         return r;
       }},
      // A function within is rounded before the product or difference.
      {"xlogy", [](const values& x, const values& y) { return times_logarithm(x, y, each_rounded(of_f32("log", y))); }},
      {"xlog1py",
       [](const values& x, const values& y) {
         return times_logarithm(x, y, each(y, [](float b) { return rounded(std::log1p(b)); }));
       }},
      {"entr",
       [](const values& x, const values&) {
         return each(x, each_rounded(of_f32("log", x)), [](float a, float b) {
           return a == 0 ? 0 : a < 0 ? -INFINITY : -a * b;
         });
       }},
      {"tanhshrink",
       [](const values& x, const values&) {
         return each(x, each_rounded(of_f32("tanh", x)), [](float a, float b) { return a - b; });
       }},
      {"ldexp",
       [](const values& x, const values& y) {
         const values p = each_rounded(of_f32("pow", values(y.size(), 2.0f), y));
         return each(x, p, [](float a, float b) { return a * b; });
       }},
      // Where oneDNN has no BFloat16, as without AVX-512 (is_gelu).
      {"gelu",
       [](const values& x, const values&) {
         const values e =
             each_rounded(of_f32("erf", each(x, [](float a) { return rounded(a * rounded(0.70710678f)); })));
         return each(x, e, [](float a, float b) { return rounded(a * 0.5f) * rounded(1 + b); });
       }},
      // 0 of NaN.
      {"sign", [](const values& x, const values&) { return each(x, sign_of); }},
      {"sgn", [](const values& x, const values&) { return each(x, sign_of); }},
      {"heaviside",
       [](const values& x, const values& y) {
         return each(x, y, [](float a, float b) { return a == 0 ? b : a > 0 ? 1.0f : 0.0f; });
       }},
      // As PyTorch's f32, which differs from ours by a decision (docs/internals/decisions.md): exp(x) - 1 instead of
      // expm1, NaN
      // of softshrink, numbers near the largest one and near 0, quotients that overflow.
      BROADLOOM_AS_F32(sigmoid),
      BROADLOOM_AS_F32(mish),
      BROADLOOM_AS_F32(hardswish),
      BROADLOOM_AS_F32(selu),
      BROADLOOM_AS_F32(elu),
      BROADLOOM_AS_F32(celu),
      BROADLOOM_AS_F32(softshrink),
      BROADLOOM_AS_F32(log1p),
      BROADLOOM_AS_F32(sinh),
      BROADLOOM_AS_F32(cosh),
      BROADLOOM_AS_F32(lgamma),
      {"logaddexp", [](const values& x, const values& y) { return of_f32("logaddexp", x, y); }},
      {"logaddexp2", [](const values& x, const values& y) { return of_f32("logaddexp2", x, y); }},
      {"fmod", [](const values& x, const values& y) { return of_f32("fmod", x, y); }},
      {"remainder", [](const values& x, const values& y) { return of_f32("remainder", x, y); }}};
  return all;
}
#undef BROADLOOM_AS_F32

// With AVX-512 PyTorch's gelu of BFloat16 is oneDNN's: 1 + erf by Abramowitz and Stegun 7.1.26, whose absolute error
// is 1.5e-7, and 0 for subnormal numbers; half an ulp of BFloat16 for the result. -infinity gives NaN.
bool is_gelu(float x, float theirs) {
  if (!(std::abs(x) < INFINITY)) return x == INFINITY ? theirs == x : theirs != theirs;
  const double wide = x, exact = 0.5 * wide * std::erfc(-wide * std::sqrt(0.5));
  return std::abs(theirs - exact) <= 0.5 * std::abs(wide) * 1.6e-7 + std::abs(exact) / 256 * 1.001 + 1.2e-38;
}

bool differs(bfloat16 a, bfloat16 b) {
  return std::isnan(float(a)) ? !std::isnan(float(b)) : std::isnan(float(b)) || float(a) != float(b);
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
  const auto as_values = [&](std::size_t k) {
    values r;
    if (k < operands.size())
      for (bl::index i = 0; i < n; ++i) r.push_back(float(static_cast<const bfloat16*>(operands[k].data)[i]));
    return r;
  };
  const auto known = models().find(name);
  const bool is_own = std::string(name) == "gelu";
  const values x = as_values(0), modelled = known == models().end() ? values() : known->second(x, as_values(1));
  int many = 0, unexplained = 0, unlike_own = 0;
  for (bl::index i = 0; i < n; ++i) {
    T theirs;
    std::memcpy(&theirs, a.elements.data() + i * static_cast<bl::index>(sizeof(T)), sizeof(T));
    const T ours = e.element(bl::detail::indices<1>{{i}});
    if constexpr (std::is_same_v<T, bool>)
      many += ours != theirs;
    else {
      many += differs(ours, theirs);
      if (is_own) unlike_own += !is_gelu(x[static_cast<std::size_t>(i)], float(theirs));
      if (!modelled.empty()) unexplained += differs(bfloat16(modelled[static_cast<std::size_t>(i)]), theirs);
    }
  }
  if (is_own) unexplained = std::min(unexplained, unlike_own);
  const bool decided = !modelled.empty();
  BOOST_TEST((decided ? unexplained == 0 : many == 0),
             name << ": " << many << " of " << n << " differ, " << unexplained << " for no known reason");
  BOOST_TEST((!decided || many > 0), name << " differs no more");
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
    // All pairs of the numbers of PyTorch's own tests, and of the ends of the range.
    std::vector<bfloat16> extremal{bfloat16(NAN)};
    using limits = std::numeric_limits<bfloat16>;
    for (const float e :
         {0.0f, 1e-3f, 0.25f, 1.0f, pi / 2, pi - 1e-5f, pi, pi + 1e-5f, 501.0f, 1001.2f, 13437.7f, 4988429.2f, 1e20f,
          float(limits::max()), float(limits::min()), float(limits::denorm_min()), HUGE_VALF}) {
      extremal.push_back(bfloat16(e));
      extremal.push_back(bfloat16(-e));
    }
    const auto count = static_cast<int>(extremal.size());
    for (int i = 0; i < count * count; ++i) {
      x(i) = extremal[static_cast<std::size_t>(i % count)];
      y(i) = extremal[static_cast<std::size_t>(i / count)];
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
