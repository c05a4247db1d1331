// Formulas that go by steps, as in programs compiled without optimisation: the same bits as kernels of whole formulas
// give.
// Build: clang-too
#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <cstring>

namespace bl = broadloom;

namespace {

constexpr int optimised = bl::detail::native_bytes(BROADLOOM_NATIVE), by_steps = optimised + 1;

// Elements of every magnitude and sign, none of them 0.
template <class T, class Shape>
bl::tensor<T, bl::dshape<Shape::axes_count>> numbers(const Shape& s, unsigned seed) {
  bl::tensor<T, bl::dshape<Shape::axes_count>> x = bl::zeros<T>(s);
  for (T& v : x) {
    seed = seed * 1664525u + 1013904223u;
    const int k = static_cast<int>(seed >> 20) % 97 + 1;
    v = static_cast<T>((seed & 4096u) != 0 ? k : -k);
    if constexpr (std::is_floating_point_v<T>) v /= 7;
  }
  return x;
}

template <class T, class E>
void compare(const E& e, const char* what) {
  const auto shape = e.shape();
  auto expected = bl::eval(bl::zeros<T>(shape)), given = bl::eval(bl::zeros<T>(shape));
  const bl::isa before = bl::set_isa(bl::isa::v4);
  for (const bl::isa level : bl::runtime::every_isa) {
    bl::set_isa(level);
    bl::detail::assign_node<optimised>(expected.as_view(), e, bl::runtime::options{});
    bl::detail::assign_node<by_steps>(given.as_view(), e, bl::runtime::options{});
    const bool same =
        std::memcmp(expected.data(), given.data(), static_cast<std::size_t>(expected.size()) * sizeof(T)) == 0;
    BOOST_CHECK_MESSAGE(same, what << " of " << expected.size() << " elements at " << bl::to_string(level));
  }
  bl::set_isa(before);
}
#define COMPARE(T, ...) compare<T>(bl::detail::as_node(__VA_ARGS__), #__VA_ARGS__)

template <class T>
void compare_formulas(bl::index rows, bl::index columns) {
  const auto a = numbers<T>(bl::dshape<2>(rows, columns), 1), b = numbers<T>(bl::dshape<2>(rows, columns), 2);
  const auto row = numbers<T>(bl::dshape<1>(columns), 3);
  const auto column = numbers<T>(bl::dshape<2>(rows, 1), 4);
  COMPARE(T, a + b * row - column);
  COMPARE(T, bl::where(a > b, bl::abs(a), -b * T{3}));
  COMPARE(bool, (a < row) && !(b == column));
  COMPARE(T, bl::maximum(bl::square(a), bl::minimum(b, row)) + T{1});
  COMPARE(double, bl::cast<double>(a) * 0.5 + bl::cast<double>(b));
  COMPARE(std::int32_t, bl::cast<std::int32_t>(a > b) + bl::cast<std::int32_t>(bl::cast<bool>(row)));
  COMPARE(T, bl::clamp(a.T() + T{2}, T{-5}, T{5}));
  // Of these the library has no loops.
  COMPARE(T, bl::sign(a) * bl::relu6(b) + bl::heaviside(row, column));
  if constexpr (std::is_floating_point_v<T>) {
    COMPARE(T, a / b + bl::sqrt(bl::abs(row)) / column);
    COMPARE(T, bl::fma(a, b, row) - bl::floor(a * T{3}));
    COMPARE(T, bl::lerp(a, b, T{0.25}) * bl::exp(-bl::abs(row)) + bl::rsqrt(bl::square(column)));
    COMPARE(bool, bl::isnan(a / (b - b)) || bl::isfinite(row));
  }
}

// a - a * (a - ...): all its strips are alive together.
template <int Depth, class A>
auto nested(const A& a) {
  if constexpr (Depth == 0)
    return a + a;
  else if constexpr (Depth % 2 == 0)
    return a - nested<Depth - 1>(a);
  else
    return a * nested<Depth - 1>(a);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(eval_simd_stepwise)

BOOST_AUTO_TEST_CASE(doubles_have_the_bits_of_whole_kernels) {
  const auto a = numbers<double>(bl::dshape<1>(333), 1), b = numbers<double>(bl::dshape<1>(333), 2);
  COMPARE(double, bl::fma(a, b, a) / b - bl::sqrt(bl::abs(a)) * 3.0);
  COMPARE(float, bl::cast<float>(bl::where(a > b, a, b)));
}

BOOST_AUTO_TEST_CASE(floats_have_the_bits_of_whole_kernels) {
  for (const bl::index n : {1, 3, 16, 63, 64, 65, 200, 1500}) {
    compare_formulas<float>(1, n);
    compare_formulas<float>(5, n);
  }
}

BOOST_AUTO_TEST_CASE(integers_have_the_bits_of_whole_kernels) {
  for (const bl::index n : {1, 67, 700}) compare_formulas<std::int32_t>(3, n);
  const auto a = numbers<std::int64_t>(bl::dshape<1>(200), 1), b = numbers<std::int64_t>(bl::dshape<1>(200), 2);
  COMPARE(std::int64_t, a* b + bl::abs(a));
  const auto c = numbers<std::int16_t>(bl::dshape<1>(200), 3);  // of these the library has no loops
  COMPARE(std::int64_t, a - bl::cast<std::int64_t>(c * c));
}

BOOST_AUTO_TEST_CASE(masks_and_copies) {
  const auto a = numbers<float>(bl::dshape<2>(7, 45), 1);
  const auto mask = bl::eval(a > 0.0f);
  COMPARE(bool, mask && !mask.T().T());
  COMPARE(bool, bl::where(mask, !mask, mask || mask));
  COMPARE(float, bl::unsqueeze(a(0, bl::all), 1) + bl::zeros<float>(45, 3));
  bl::dtensor<float, 1> x = bl::zeros<float>(77);
  bl::detail::assign_node<by_steps>(x.as_view(), bl::detail::as_node(bl::full(bl::dshape<1>(77), 2.5f)),
                                    bl::runtime::options{});
  for (const float v : x) BOOST_TEST(v == 2.5f);
}

BOOST_AUTO_TEST_CASE(reductions_have_the_same_bits) {
  const auto a = numbers<float>(bl::dshape<2>(37, 1100), 1), b = numbers<float>(bl::dshape<2>(37, 1100), 2);
  COMPARE(float, bl::sum(a * b + a, bl::axes<1>));
  COMPARE(float, bl::sum(a * b - 2.0f, bl::axes<0>));
  COMPARE(float, bl::amax(bl::abs(a - b), bl::axes<1>));
  COMPARE(float, bl::sum(bl::square(bl::unsqueeze(a, 1) - bl::unsqueeze(b, 0)), bl::axes<2>));
  COMPARE(float, a / bl::sum(a * a, bl::axes<1>, bl::keepdim));
}

// Rows that are a vector go to a kernel in one call, with inputs that are that vector for each row.
template <class T>
void compare_rows(bl::index rows, bl::index columns) {
  const auto a = numbers<T>(bl::dshape<2>(rows, columns), 1);
  const auto row = numbers<T>(bl::dshape<1>(columns), 2);
  const auto first = numbers<std::int32_t>(bl::dshape<1>(columns), 3);
  const auto column = numbers<T>(bl::dshape<2>(rows, 1), 4);
  COMPARE(T, row - a);
  COMPARE(T, a * row + column);
  COMPARE(T, a * T{2} - row * row);
  COMPARE(T, a + first);
  COMPARE(bool, a < row);
}
BOOST_AUTO_TEST_CASE(rows_of_one_vector) {
  for (const bl::index columns : {1, 2, 4, 8, 16, 32})
    for (const bl::index rows : {2, 3, 16, 700}) {
      compare_rows<float>(rows, columns);
      compare_rows<double>(rows, columns);
    }
}

// Formulas whose strips would not fit the scratch have a kernel of their own.
BOOST_AUTO_TEST_CASE(deep_formulas) {
  const auto a = numbers<float>(bl::dshape<1>(300), 1);
  COMPARE(float, nested<10>(a));
  COMPARE(float, nested<40>(a));
  using namespace bl::detail;
  using x = input<0, float>;
  using y = input<1, float>;
  static_assert(goes_by_steps<call<bl::lanes::add_f, x, y>> && !goes_by_steps<call<bl::lanes::sign_f, x>>);
  static_assert(step_depth<call<bl::lanes::add_f, x, call<bl::lanes::neg_f, y>>> == 2);
  static_assert(step_depth<call<bl::lanes::add_f, call<bl::lanes::neg_f, x>, call<bl::lanes::neg_f, y>>> == 3);
}

BOOST_AUTO_TEST_SUITE_END()
