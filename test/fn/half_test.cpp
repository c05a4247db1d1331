// float16 and bfloat16: conversions of every value and at every boundary of rounding, at every instruction-set level,
// arithmetic of single numbers, limits, promotion.
#include <broadloom/half.hpp>

#include <boost/test/unit_test.hpp>

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(fn_half)

namespace bl = broadloom;
using bl::bfloat16;
using bl::float16;
using bl::promoted;

namespace {

template <class H>
constexpr int mantissa = std::numeric_limits<H>::digits - 1;
template <class H>
constexpr std::uint16_t infinity_bits = static_cast<std::uint16_t>(0x7fff >> mantissa<H> << mantissa<H>);

// The value of these bits by the definition of the format.
template <class H>
double value_of(std::uint16_t bits) {
  const int m = mantissa<H>, exponent = (bits & 0x7fff) >> m, bias = (1 << (14 - m)) - 1;
  const double fraction = bits & ((1 << m) - 1), sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 0x7fff >> m) return fraction != 0 ? std::nan("") : sign * HUGE_VAL;
  return sign *
         (exponent == 0 ? std::ldexp(fraction, 1 - bias - m) : std::ldexp(fraction + (1 << m), exponent - bias - m));
}
template <class H>
bool same(H a, H b) {
  return a.bits() == b.bits();
}

// Numbers of f32 around every boundary: each element, what lies between it and the next one, and its neighbours.
template <class H>
std::vector<float> boundaries() {
  std::vector<float> r;
  for (std::uint16_t i = 0; i < infinity_bits<H>; ++i) {
    const double low = value_of<H>(i);
    const double high = i + 1 == infinity_bits<H> ? 2 * low - value_of<H>(static_cast<std::uint16_t>(i - 1))
                                                  : value_of<H>(static_cast<std::uint16_t>(i + 1));
    const auto middle = static_cast<float>((low + high) / 2);
    for (const float x :
         {static_cast<float>(low), middle, std::nextafter(middle, 0.0f), std::nextafter(middle, HUGE_VALF)})
      for (const float s : {1.0f, -1.0f}) r.push_back(s * x);
  }
  for (const float x : {HUGE_VALF, std::numeric_limits<float>::max(), std::numeric_limits<float>::min(),
                        std::numeric_limits<float>::denorm_min(), 65536.0f, 1e-8f, 3e-8f})
    for (const float s : {1.0f, -1.0f}) r.push_back(s * x);
  r.push_back(std::nanf(""));
  r.push_back(-std::nanf("0x1234"));
  return r;
}

// The nearest element by comparing distances; ties to the even one.
template <class H>
std::uint16_t nearest(float x) {
  const double size = std::abs(static_cast<double>(x));
  int low = 0, high = infinity_bits<H>;  // low <= size < high
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (value_of<H>(static_cast<std::uint16_t>(middle)) <= size ? low : high) = middle;
  }
  const double a = value_of<H>(static_cast<std::uint16_t>(low));
  const double b = high == infinity_bits<H> ? 2 * a - value_of<H>(static_cast<std::uint16_t>(low - 1))
                                            : value_of<H>(static_cast<std::uint16_t>(high));
  const int chosen = size - a < b - size ? low : size - a > b - size ? high : low % 2 == 0 ? low : high;
  return static_cast<std::uint16_t>(chosen | (std::signbit(x) ? 0x8000 : 0));
}

// f at every level that this processor has.
template <class F>
void at_every_level(F f) {
  const bl::isa highest = bl::set_isa(bl::isa::v4);
  for (const bl::isa level : bl::runtime::every_isa)
    if (bl::set_isa(level) == level) f(level);
  bl::set_isa(highest);
}

std::uint32_t next(std::uint32_t& state) {
  state = state * 1664525u + 1013904223u;
  return state ^ state >> 15;
}

template <class H>
void converts_every_value() {
  int wrong = 0;
  for (int i = 0; i < 65536; ++i) {
    const auto bits = static_cast<std::uint16_t>(i);
    const float x = H::from_bits(bits);
    const double wanted = value_of<H>(bits);
    wrong +=
        std::isnan(wanted) ? !std::isnan(x) : static_cast<double>(x) != wanted || std::signbit(x) != (i >> 15 != 0);
    if (!std::isnan(wanted)) wrong += H(x).bits() != bits;
  }
  BOOST_TEST(wrong == 0);
  for (const float x : boundaries<H>())
    wrong += std::isnan(x) ? !std::isnan(float(H(x))) : H(x).bits() != nearest<H>(x);
  BOOST_TEST(wrong == 0);
}

// Arrays are converted at each level as single numbers are.
template <class H>
void converts_alike_at_every_level() {
  bl::dtensor<H, 1> all(65536);
  for (int i = 0; i < 65536; ++i) all(i) = H::from_bits(static_cast<std::uint16_t>(i));
  std::vector<float> given = boundaries<H>();
  std::uint32_t state = 7;
  for (int i = 0; i < 200000; ++i) given.push_back(std::bit_cast<float>(next(state)));
  const auto n = static_cast<bl::index>(given.size());
  const auto source = bl::from(given, bl::dshape<1>(n));
  at_every_level([&](bl::isa level) {
    const bl::dtensor<float, 1> wide = bl::cast<float>(all);
    const bl::dtensor<H, 1> narrow = bl::cast<H>(source);
    int wrong = 0;
    for (int i = 0; i < 65536; ++i)
      wrong += std::bit_cast<std::uint32_t>(wide(i)) != std::bit_cast<std::uint32_t>(float(all(i)));
    for (bl::index i = 0; i < n; ++i) wrong += !same(narrow(i), H(given[static_cast<std::size_t>(i)]));
    BOOST_TEST(wrong == 0, "level " << bl::to_string(level));
    // What one function rounds and the next one reads, in registers.
    const bl::dtensor<float, 1> rounded = bl::cast<float>(bl::cast<H>(source));
    for (bl::index i = 0; i < n; ++i)
      wrong += std::bit_cast<std::uint32_t>(rounded(i)) !=
               std::bit_cast<std::uint32_t>(float(H(given[static_cast<std::size_t>(i)])));
    BOOST_TEST(wrong == 0, "rounded at level " << bl::to_string(level));
  });
}

std::uint64_t add_to_hash(std::uint64_t h, std::uint64_t x, int bytes) {
  for (int i = 0; i < bytes; ++i) h = (h ^ (x >> 8 * i & 255)) * 1099511628211u;
  return h;
}
constexpr std::uint64_t empty_hash = 14695981039346656037u;

// Hashes of what NumPy gives: test/data/half_cases.py.
std::map<std::string, std::string> numpy() {
  std::map<std::string, std::string> r;
  std::ifstream in("test/data/half_cases.tsv");
  std::string name, value;
  while (in >> name >> value) r[name] = value;
  return r;
}
std::string text_of(std::uint64_t h) {
  char r[17];
  std::snprintf(r, sizeof r, "%016llx", static_cast<unsigned long long>(h));
  return r;
}

}  // namespace

BOOST_AUTO_TEST_CASE(float16_is_converted_as_its_format_says) { converts_every_value<float16>(); }
BOOST_AUTO_TEST_CASE(bfloat16_is_converted_as_its_format_says) { converts_every_value<bfloat16>(); }
BOOST_AUTO_TEST_CASE(arrays_of_float16_are_converted_alike_at_every_level) { converts_alike_at_every_level<float16>(); }
BOOST_AUTO_TEST_CASE(arrays_of_bfloat16_are_converted_alike_at_every_level) {
  converts_alike_at_every_level<bfloat16>();
}

BOOST_AUTO_TEST_CASE(float16_is_numpys) {
  auto wanted = numpy();
  BOOST_TEST(wanted.size() >= 9u);
  std::uint64_t h = empty_hash;
  for (int i = 0; i < 65536; ++i)
    if ((i & 0x7fff) <= 0x7c00)
      h = add_to_hash(h, std::bit_cast<std::uint32_t>(float(float16::from_bits(static_cast<std::uint16_t>(i)))), 4);
  BOOST_TEST(text_of(h) == wanted["to_f32"]);
  h = empty_hash;
  for (const float x : boundaries<float16>())
    if (!std::isnan(x)) h = add_to_hash(h, float16(x).bits(), 2);
  BOOST_TEST(text_of(h) == wanted["from_f32"]);

  std::string shown;
  for (int i = 0; i < 0x7c00; ++i)
    shown += bl::to_string(bl::full(bl::shape<>{}, float16::from_bits(static_cast<std::uint16_t>(i)))) + "\n";
  h = empty_hash;
  for (const char c : shown) h = add_to_hash(h, static_cast<unsigned char>(c), 1);
  BOOST_TEST(text_of(h) == wanted["scalar_texts"]);
  shown.clear();
  bl::dtensor<float16, 1> row(16);
  for (int i = 0; i < 0x7c00; i += 16) {
    for (int k = 0; k < 16; ++k) row(k) = float16::from_bits(static_cast<std::uint16_t>((i + k * 1597) % 0x7c00));
    shown += bl::to_string(row) + "\n";
  }
  h = empty_hash;
  for (const char c : shown) h = add_to_hash(h, static_cast<unsigned char>(c), 1);
  BOOST_TEST(text_of(h) == wanted["array_texts"]);

  // Arithmetic that rounds f32's result: any two elements.
  const bl::index n = 100000;
  bl::dtensor<float16, 1> a(n), b(n);
  std::uint32_t state = 1;
  const auto drawn = [&] {
    for (;;)
      if (const auto bits = static_cast<std::uint16_t>(next(state) >> 16); (bits & 0x7fff) < 0x7c00)
        return float16::from_bits(bits);
  };
  for (bl::index i = 0; i < n; ++i) {
    a(i) = drawn();
    b(i) = drawn();
  }
  const auto compare = [&](const char* name, const bl::dtensor<float16, 1>& r) {
    std::uint64_t sum = empty_hash;
    for (bl::index i = 0; i < n; ++i) sum = add_to_hash(sum, std::isnan(float(r(i))) ? 0x7e00 : r(i).bits(), 2);
    BOOST_TEST(text_of(sum) == wanted[name], name);
  };
  compare("add", a + b);
  compare("subtract", a - b);
  compare("multiply", a * b);
  compare("divide", a / b);
  compare("sqrt", bl::sqrt(a));
  compare("maximum", bl::maximum(a, b));
  compare("rint", bl::round(a));
  compare("nextafter", bl::nextafter(a, b));
}

BOOST_AUTO_TEST_CASE(single_numbers_calculate_as_pytorchs_do) {
  static_assert(sizeof(float16) == 2 && sizeof(bfloat16) == 2 && std::is_trivially_copyable_v<float16>);
  static_assert(std::is_convertible_v<float, float16> && std::is_convertible_v<float16, float>);
  static_assert(std::is_convertible_v<int, bfloat16> && std::is_convertible_v<double, bfloat16>);
  static_assert(!std::is_convertible_v<float16, bfloat16> && std::is_constructible_v<bfloat16, float16>);
  constexpr float16 x = 1.5f, y = 0.25;
  static_assert(std::is_same_v<decltype(x + y), float16> && std::is_same_v<decltype(x + 1), float16>);
  static_assert(std::is_same_v<decltype(x + 1.0f), float> && std::is_same_v<decltype(2.0 * x), double>);
  static_assert(x + y == 1.75f && x - y == 1.25f && x * y == 0.375f && x / y == 6 && -x == -1.5f && 1 - x == -0.5);
  static_assert(float16(2048) + 1 == 2048 && float16(2048) + 3 == 2052);  // rounded, ties to even
  static_assert(bfloat16(256) + 1 == 256 && bfloat16(256) + 3 == 260);
  static_assert(x < 2 && x > y && x != y && !(x == y) && static_cast<bool>(x) && static_cast<int>(x) == 1);
  float16 z = x;
  z += 1;
  z *= y;
  z -= 0.125f;
  z /= 2.0;
  BOOST_TEST(float(z) == 0.25f);
  static_assert(float(bfloat16(float16(65504.0f))) == 65536.0f);
}

BOOST_AUTO_TEST_CASE(the_limits_are_those_of_the_formats) {
  using f = std::numeric_limits<float16>;
  using b = std::numeric_limits<bfloat16>;
  static_assert(f::is_specialized && f::max() == 65504 && f::lowest() == -65504 && f::min() == 0x1p-14f);
  static_assert(f::denorm_min() == 0x1p-24f && f::epsilon() == 0x1p-10f && f::digits == 11 && f::max_exponent == 16);
  static_assert(b::max() == 0x1.fep127f && b::min() == 0x1p-126f && b::epsilon() == 0x1p-7f && b::digits == 8);
  static_assert(b::denorm_min() == 0x1p-133f && b::infinity() == __builtin_huge_valf());
  BOOST_TEST(std::isnan(float(f::quiet_NaN())));
  BOOST_TEST(std::isinf(float(f::infinity())));
}

BOOST_AUTO_TEST_CASE(types_are_promoted_as_pytorchs) {
  const auto is = []<class Wanted, class A, class B>(Wanted, A, B) {
    return std::is_same_v<promoted<bl::dtensor<A, 1>&, bl::dtensor<B, 1>&>, Wanted> &&
           std::is_same_v<promoted<bl::dtensor<B, 1>&, bl::dtensor<A, 1>&>, Wanted>;
  };
  const auto each = [&]<class H>(H h) {
    BOOST_TEST((is(h, h, h) && is(h, h, true) && is(h, h, std::int64_t{}) && is(h, h, std::uint8_t{})));
    BOOST_TEST((is(1.0f, h, 1.0f) && is(1.0, h, 1.0) && is(std::complex<float>{}, h, std::complex<float>{})));
    // Numbers, and arrays of rank 0, keep it.
    static_assert(std::is_same_v<promoted<bl::dtensor<H, 1>&, double>, H>);
    static_assert(std::is_same_v<promoted<bl::dtensor<H, 1>&, int>, H>);
    static_assert(std::is_same_v<promoted<bl::dtensor<H, 1>&, bl::tensor<double, bl::shape<>>&>, H>);
    static_assert(std::is_same_v<promoted<bl::dtensor<int, 1>&, H>, double>);
    static_assert(std::is_same_v<promoted<bl::dtensor<short, 1>&, H>, float>);
    static_assert(std::is_same_v<promoted<bl::dtensor<double, 1>&, H>, double>);
    static_assert(std::is_same_v<promoted<bl::dtensor<H, 1>&, std::complex<float>>, std::complex<float>>);
  };
  each(float16{});
  each(bfloat16{});
  BOOST_TEST(is(1.0f, float16{}, bfloat16{}));
  BOOST_TEST(bl::to_string(bl::dtype_of<float16>) == std::string("f16"));
  BOOST_TEST((bl::is_floating(bl::dtype::bf16) && bl::is_half(bl::dtype::f16) && !bl::is_half(bl::dtype::f32)));
}

BOOST_AUTO_TEST_CASE(constants_are_what_the_loops_give) {
  constexpr auto at_compile_time = [] {
    bl::tensor<float16, bl::shape<2, 3>> a{{1, 2.5, 3}, {4, 0.1, 6}};
    bl::tensor<float16, bl::shape<3>> b{0.3, 0.7, 11};
    bl::tensor<float16, bl::shape<2, 3>> r = a * b + bl::where(a > b, a, 1) / 3 - bl::sqrt(a);
    return r;
  };
  constexpr auto known = at_compile_time();
  const auto now = at_compile_time();
  for (int i = 0; i < 6; ++i) BOOST_TEST(known.data()[i].bits() == now.data()[i].bits());
  constexpr auto sums = [] {
    bl::tensor<bfloat16, bl::shape<4>> a{100, 0.5, 0.25, 3};
    return bl::sum(a).element(bl::detail::indices<0>{});
  }();
  static_assert(std::is_same_v<decltype(sums), const bfloat16> && sums == 104);
}

BOOST_AUTO_TEST_CASE(one_rounding_is_asked_for) {
  bl::dtensor<bfloat16, 1> a(100), b(100);
  for (int i = 0; i < 100; ++i) {
    a(i) = 1.0f + static_cast<float>(i) / 128;
    b(i) = 3.0f - static_cast<float>(i) / 64;
  }
  const bl::dtensor<bfloat16, 1> each = a * b + a, once = bl::round_once(a * b + a);
  int differ = 0;
  for (int i = 0; i < 100; ++i) {
    const float product = float(a(i)) * float(b(i));
    BOOST_TEST(same(once(i), bfloat16(product + float(a(i)))));
    BOOST_TEST(same(each(i), bfloat16(float(bfloat16(product)) + float(a(i)))));
    differ += !same(each(i), once(i));
  }
  BOOST_TEST(differ > 0);
}

BOOST_AUTO_TEST_SUITE_END()
