// Type promotion is PyTorch's: the whole table, weak C++ numbers, weak arrays of rank 0.
// Build: gcc-alone
#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <complex>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace bl = broadloom;

namespace {

using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using f32 = float;
using f64 = double;

template <class T>
using vector = const bl::dtensor<T, 1>&;
template <class T>
using single = const bl::tensor<T, bl::shape<>>&;  // of rank 0

template <class... A>
constexpr const char* name() {
  constexpr int code = bl::detail::promoted_code<A...>;
  if constexpr (code == bl::detail::no_type)
    return "-";
  else
    return bl::to_string(static_cast<bl::dtype>(code));
}

// For each first type a row; columns in the same order. "-": no common type.
// torch.promote_types of 1.13; u16, u32 and u64 as semantics extends it (the next wider signed type holds both).
struct table_row {
  const char* left;
  const char* results[11];
};
//                                    bool   i8     i16    i32    i64    u8     u16    u32    u64    f32    f64
constexpr table_row table[] = {{"bool", {"bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64"}},
                               {"i8", {"i8", "i8", "i16", "i32", "i64", "i16", "i32", "i64", "-", "f32", "f64"}},
                               {"i16", {"i16", "i16", "i16", "i32", "i64", "i16", "i32", "i64", "-", "f32", "f64"}},
                               {"i32", {"i32", "i32", "i32", "i32", "i64", "i32", "i32", "i64", "-", "f32", "f64"}},
                               {"i64", {"i64", "i64", "i64", "i64", "i64", "i64", "i64", "i64", "-", "f32", "f64"}},
                               {"u8", {"u8", "i16", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64"}},
                               {"u16", {"u16", "i32", "i32", "i32", "i64", "u16", "u16", "u32", "u64", "f32", "f64"}},
                               {"u32", {"u32", "i64", "i64", "i64", "i64", "u32", "u32", "u32", "u64", "f32", "f64"}},
                               {"u64", {"u64", "-", "-", "-", "-", "u64", "u64", "u64", "u64", "f32", "f64"}},
                               {"f32", {"f32", "f32", "f32", "f32", "f32", "f32", "f32", "f32", "f32", "f32", "f64"}},
                               {"f64", {"f64", "f64", "f64", "f64", "f64", "f64", "f64", "f64", "f64", "f64", "f64"}}};

template <class T, template <class> class Left, template <class> class Right>
void check_row(const table_row& row) {
  const char* const got[] = {name<Left<T>, Right<bool>>(), name<Left<T>, Right<i8>>(),  name<Left<T>, Right<i16>>(),
                             name<Left<T>, Right<i32>>(),  name<Left<T>, Right<i64>>(), name<Left<T>, Right<u8>>(),
                             name<Left<T>, Right<u16>>(),  name<Left<T>, Right<u32>>(), name<Left<T>, Right<u64>>(),
                             name<Left<T>, Right<f32>>(),  name<Left<T>, Right<f64>>()};
  BOOST_TEST_CONTEXT(row.left)
  for (int i = 0; i < 11; ++i) BOOST_TEST(std::string(got[i]) == row.results[i], "with column " << i << ": " << got[i]);
}

template <template <class> class Left, template <class> class Right>
void check_table() {
  check_row<bool, Left, Right>(table[0]);
  check_row<i8, Left, Right>(table[1]);
  check_row<i16, Left, Right>(table[2]);
  check_row<i32, Left, Right>(table[3]);
  check_row<i64, Left, Right>(table[4]);
  check_row<u8, Left, Right>(table[5]);
  check_row<u16, Left, Right>(table[6]);
  check_row<u32, Left, Right>(table[7]);
  check_row<u64, Left, Right>(table[8]);
  check_row<f32, Left, Right>(table[9]);
  check_row<f64, Left, Right>(table[10]);
}

template <class... A>
bool gives(const char* wanted) {
  return std::string(name<A...>()) == wanted;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fn_promote)

BOOST_AUTO_TEST_CASE(two_arrays_meet_as_the_table_says) { check_table<vector, vector>(); }

BOOST_AUTO_TEST_CASE(two_arrays_of_rank_0_meet_as_two_arrays_do) { check_table<single, single>(); }

BOOST_AUTO_TEST_CASE(the_table_is_symmetric) {
  for (int i = 0; i < 11; ++i)
    for (int j = 0; j < 11; ++j) BOOST_TEST(std::string(table[i].results[j]) == table[j].results[i]);
}

BOOST_AUTO_TEST_CASE(cpp_numbers_are_weak) {
  BOOST_TEST((gives<vector<f32>, double>("f32")));
  BOOST_TEST((gives<double, vector<f32>>("f32")));
  BOOST_TEST((gives<vector<i16>, double>("f32")));
  BOOST_TEST((gives<vector<u16>, float>("f32")));
  BOOST_TEST((gives<vector<i32>, int>("i32")));
  BOOST_TEST((gives<vector<i8>, i64>("i8")));
  BOOST_TEST((gives<vector<u8>, int>("u8")));
  BOOST_TEST((gives<vector<u64>, int>("u64")));
  BOOST_TEST((gives<vector<i64>, u64>("i64")));
  BOOST_TEST((gives<vector<bool>, int>("i64")));
  BOOST_TEST((gives<vector<bool>, i8>("i64")));
  BOOST_TEST((gives<vector<bool>, double>("f32")));
  BOOST_TEST((gives<vector<bool>, bool>("bool")));
  BOOST_TEST((gives<vector<i16>, bool>("i16")));
  BOOST_TEST((gives<vector<f64>, float>("f64")));
  BOOST_TEST((gives<vector<f64>, int>("f64")));
  BOOST_TEST((gives<vector<u8>, int, double>("f32")));
  BOOST_TEST((gives<vector<f32>, vector<i64>, double>("f32")));
}

// f32 would lose digits of integers of 32 and 64 bits.
BOOST_AUTO_TEST_CASE(wide_integers_beside_floating_numbers_are_f64) {
  BOOST_TEST((gives<vector<i32>, double>("f64")));
  BOOST_TEST((gives<float, vector<i32>>("f64")));
  BOOST_TEST((gives<vector<u32>, double>("f64")));
  BOOST_TEST((gives<vector<i64>, double>("f64")));
  BOOST_TEST((gives<vector<u64>, float>("f64")));
  BOOST_TEST((gives<single<i32>, double>("f64")));
  BOOST_TEST((gives<vector<u8>, vector<i32>, double>("f64")));
  BOOST_TEST((gives<vector<u8>, single<i64>, double>("f32")));
  BOOST_TEST((gives<vector<i64>, single<f32>, double>("f32")));
  BOOST_TEST((gives<vector<i64>, vector<f32>, double>("f32")));
  BOOST_TEST((gives<vector<i64>, std::complex<float>>("c128")));
  BOOST_TEST((gives<vector<u16>, std::complex<double>>("c64")));
  BOOST_TEST((gives<vector<i64>, double, std::complex<float>>("c128")));
  BOOST_TEST((gives<vector<i64>, vector<std::complex<float>>>("c64")));
}

template <class F, class... A>
using result_of = typename decltype(std::declval<const F&>()(std::declval<A>()...))::value_type;

BOOST_AUTO_TEST_CASE(functions_of_integers_keep_their_digits) {
  static_assert(std::is_same_v<result_of<bl::div_t, vector<i32>, vector<i32>>, f64>);
  static_assert(std::is_same_v<result_of<bl::div_t, vector<u16>, vector<i16>>, f64>);  // meet in i32
  static_assert(std::is_same_v<result_of<bl::div_t, vector<u16>, vector<u16>>, f32>);
  static_assert(std::is_same_v<result_of<bl::div_t, vector<i64>, vector<f32>>, f32>);
  static_assert(std::is_same_v<result_of<bl::sqrt_t, vector<u64>>, f64>);
  static_assert(std::is_same_v<result_of<bl::exp_t, vector<i64>>, f64>);
  static_assert(std::is_same_v<result_of<bl::exp_t, vector<bool>>, f32>);
  static_assert(std::is_same_v<result_of<bl::sigmoid_t, vector<u32>>, f64>);
  const bl::dtensor<i64, 1> i{1, 16777217, -9007199254740991};
  const bl::dtensor<f64, 1> thirds = i / 3, same = i * 1.0, roots = bl::sqrt(bl::abs(i));
  BOOST_TEST(thirds(0) == 1.0 / 3);
  BOOST_TEST(same(1) == 16777217.0);
  BOOST_TEST(same(2) == -9007199254740991.0);
  BOOST_TEST(roots(1) == std::sqrt(16777217.0));
  // addcmul is c + a * b: the product is of u8. PyTorch promotes all three first, which gives 40000.
  const bl::dtensor<i64, 1> none{0};
  const bl::dtensor<u8, 1> many{200};
  const auto sum = bl::addcmul(none, many, many);
  static_assert(std::is_same_v<decltype(sum)::value_type, i64>);
  BOOST_TEST(sum.element(bl::detail::indices<1>{}) == 64);
  BOOST_TEST(bl::eval(bl::argmin(bl::abs(bl::arange<bl::index>(100) - 62.5000001)))() == 63);
}

// PyTorch 1.13 has no unsigned integers of 16 bits and more: these are NumPy's (1.24), types and bits:
//   numpy.sqrt(x), x / 3, x / y with y of 7 in x's type, x * 2.5, (x * 1j).imag
// but that NumPy divides u16 in f64, where PyTorch divides narrow integers in f32 (docs/internals/decisions.md).
template <class T>
void check_unsigned(const char* type, std::initializer_list<T> x, const std::initializer_list<double> (&wanted)[5]) {
  const bl::dtensor<T, 1> a = x, sevens = bl::full<T>({a.size()}, T(7));
  const auto check = [&](int which, const auto& e, auto part) {
    using R = std::remove_cvref_t<decltype(part(e.element(bl::detail::indices<1>{})))>;
    BOOST_TEST(std::string(bl::to_string(bl::dtype_of<R>)) == type, "formula " << which);
    for (bl::index i = 0; i < a.size(); ++i)
      BOOST_TEST(part(e.element(bl::detail::indices<1>{{i}})) == static_cast<R>(wanted[which].begin()[i]),
                 "formula " << which << " of element " << i);
  };
  const auto all = [](const auto& r) { return r; };
  check(0, bl::sqrt(a), all);
  check(1, a / 3, all);
  check(2, a / sevens, all);
  check(3, a * 2.5, all);
  check(4, a * std::complex<double>(0, 1), [](const auto& z) { return z.imag(); });
}

BOOST_AUTO_TEST_CASE(unsigned_integers_meet_floating_numbers_as_numpys) {
  check_unsigned<u16>("f32", {0, 1, 3, 65535, 32769},
                      {{0, 1, 0x1.bb67aep+0, 0x1.ffffp+7, 0x1.6a0b5p+7},
                       {0, 0x1.5555555555555p-2, 1, 21845, 10923},
                       {0, 0x1.2492492492492p-3, 0x1.b6db6db6db6dbp-2, 0x1.2491249249249p+13, 0x1.2494924924925p+12},
                       {0, 2.5, 7.5, 163837.5, 81922.5},
                       {0, 1, 3, 65535, 32769}});
  check_unsigned<u32>("f64", {3, 16777217, 4294967295, 2147483649},
                      {{0x1.bb67ae8584caap+0, 0x1.0000007fffffep+12, 0x1.ffffffff00000p+15, 0x1.6a09e6695dc6bp+15},
                       {1, 0x1.555556aaaaaabp+22, 1431655765, 715827883},
                       {0x1.b6db6db6db6dbp-2, 0x1.24924a4924925p+21, 0x1.249249236db6ep+29, 0x1.24924926db6dbp+28},
                       {7.5, 41943042.5, 10737418237.5, 5368709122.5},
                       {3, 16777217, 4294967295, 2147483649}});
  check_unsigned<u64>("f64", {3, 9007199254740993, 18446744073709551615u, 9223372036854776833u},
                      {{0x1.bb67ae8584caap+0, 0x1.6a09e667f3bcdp+26, 0x1p+32, 0x1.6a09e667f3bcdp+31},
                       {1, 0x1.5555555555555p+51, 0x1.5555555555555p+62, 0x1.5555555555557p+61},
                       {0x1.b6db6db6db6dbp-2, 0x1.2492492492492p+50, 0x1.2492492492492p+61, 0x1.2492492492493p+60},
                       {7.5, 0x1.4p+54, 0x1.4p+65, 0x1.4000000000001p+64},
                       {3, 0x1p+53, 0x1p+64, 0x1.0000000000001p+63}});
}

BOOST_AUTO_TEST_CASE(arrays_of_rank_0_are_weak_against_arrays_with_axes) {
  BOOST_TEST((gives<vector<f32>, single<f64>>("f32")));
  BOOST_TEST((gives<vector<i32>, single<i64>>("i32")));
  BOOST_TEST((gives<vector<u8>, single<i64>>("u8")));
  BOOST_TEST((gives<vector<u8>, single<i8>>("u8")));
  BOOST_TEST((gives<vector<u64>, single<i64>>("u64")));
  BOOST_TEST((gives<vector<i32>, single<f64>>("f64")));
  BOOST_TEST((gives<vector<i32>, single<f32>>("f32")));
  BOOST_TEST((gives<vector<bool>, single<u8>>("u8")));
  BOOST_TEST((gives<vector<i64>, single<bool>>("i64")));
}

BOOST_AUTO_TEST_CASE(cpp_numbers_are_weaker_than_arrays_of_rank_0) {
  BOOST_TEST((gives<single<f32>, double>("f32")));
  BOOST_TEST((gives<single<i8>, i64>("i8")));
  BOOST_TEST((gives<single<i16>, double>("f32")));
  BOOST_TEST((gives<single<bool>, int>("i64")));
  BOOST_TEST((gives<vector<u8>, single<f64>, int>("f64")));
  BOOST_TEST((gives<vector<bool>, single<i16>, int>("i16")));
}

BOOST_AUTO_TEST_CASE(expressions_have_the_promoted_type_and_compute_in_it) {
  const bl::dtensor<i32, 1> i{7, -3};
  const bl::dtensor<f32, 1> f{0.1f, 16777216.f};
  const bl::dtensor<bool, 1> b{true, false};
  const bl::dtensor<i8, 1> small{127, -128};
  const bl::tensor<f64, bl::shape<>> d{0.1};
  static_assert(std::is_same_v<decltype(f * 2.0)::value_type, f32>);
  static_assert(std::is_same_v<decltype(i * 2.5)::value_type, f64>);
  static_assert(std::is_same_v<decltype(i * d)::value_type, f64>);
  static_assert(std::is_same_v<decltype(f * d)::value_type, f32>);
  static_assert(std::is_same_v<decltype(i / i)::value_type, f64>);
  static_assert(std::is_same_v<decltype(bl::exp(i))::value_type, f64>);
  static_assert(std::is_same_v<decltype(bl::sqrt(b))::value_type, f32>);
  static_assert(std::is_same_v<decltype(b + b)::value_type, bool>);
  static_assert(std::is_same_v<decltype(i < d)::value_type, bool>);
  static_assert(std::is_same_v<decltype(bl::where(b, i, 2.5))::value_type, f64>);
  BOOST_TEST((i * 2.5)(0) == 17.5f);
  BOOST_TEST((i / 2)(1) == -1.5f);
  BOOST_TEST((f + 0.1)(0) == 0.1f + 0.1f);  // the number is converted to f32 first
  BOOST_TEST((f * d)(0) == 0.1f * 0.1f);    // the array of rank 0 as well
  BOOST_TEST((i * d)(0) == 7 * 0.1);
  BOOST_TEST((f + 1)(1) == 16777216.f);
  BOOST_TEST((small + i8{1})(0) == -128);  // wraps
  BOOST_CHECK_THROW(small + 200, bl::arithmetic_error);
  BOOST_TEST((small + bl::dtensor<u8, 1>{200, 1})(0) == 327);
  BOOST_TEST((b + b)(0) == true);
  BOOST_TEST((b * 3)(0) == 3);
  BOOST_TEST((i > 6.5)(0));
  BOOST_TEST(!(i > 7.5)(0));
}

BOOST_AUTO_TEST_SUITE_END()
