// The order in which elements are combined does not depend on layout, level, threads or blocks.
// Build: gcc-alone, clang-too
#include <broadloom/broadloom.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

namespace bl = broadloom;

namespace {

std::uint32_t seed = 12345;
float next() {
  seed = seed * 1664525u + 1013904223u;
  return static_cast<float>(static_cast<int>(seed >> 8) - (1 << 23)) / 65536.0f;
}

template <class T>
bool same_bits(T x, T y) {
  return std::memcmp(&x, &y, sizeof x) == 0;
}

// Calls check at every level the machine has, on 1, 2, 3 and 8 threads.
template <class Check>
void everywhere(const Check& check) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (const int threads : {1, 2, 3, 8}) check(bl::par.threads(threads));
  }
  bl::set_isa(bl::runtime::highest_isa());
}

template <class T>
T reference(bl::index n, const std::vector<T>& x, bl::index first, bl::index step) {
  return bl::detail::combine<bl::detail::sum_r, T>(
      n, [&](bl::index i) { return x[static_cast<std::size_t>(first + i * step)]; });
}

// Rows are combined several at once: each result is that of its row alone.
template <class Op, class T, class Function>
void rows_one_by_one(const Function& f) {
  for (const bl::index n : {1, 5, 16, 100, 512, 513, 1100, 1600}) {
    std::vector<T> x(static_cast<std::size_t>(37 * n));
    for (T& e : x) e = static_cast<T>(next());
    const auto rows = bl::from(x, bl::make_shape(bl::index{37}, n));
    std::vector<T> expected;
    for (bl::index r = 0; r < 37; ++r)
      expected.push_back(static_cast<T>(
          bl::detail::combine<Op, T>(n, [&](bl::index i) { return x[static_cast<std::size_t>(r * n + i)]; })));
    everywhere([&](const bl::policy& how) {
      const auto results = bl::eval(f(rows), how);
      for (bl::index r = 0; r < 37; ++r) BOOST_TEST(same_bits(results(r), expected[static_cast<std::size_t>(r)]));
    });
  }
}

// Rows that are scanned side by side: each element is one operation from the last.
template <class T, class Function, class Step>
void scans_one_by_one(const Function& f, const Step& step) {
  for (const bl::index n : {1, 3, 16, 45, 131}) {
    bl::dtensor<T, 2> x(bl::index{43}, n), expected(bl::index{43}, n);
    for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(next() / 32);
    x(5, n / 2) = static_cast<T>(-0.0);
    for (bl::index r = 0; r < 43; ++r)
      for (bl::index i = 0; i < n; ++i) expected(r, i) = i == 0 ? x(r, i) : step(expected(r, i - 1), x(r, i));
    everywhere([&](const bl::policy& how) {
      const bl::dtensor<T, 2> got = bl::eval(f(x), how), later = bl::eval(f(x + T{}), how);
      const auto bytes = static_cast<std::size_t>(x.size()) * sizeof(T);
      BOOST_TEST(std::memcmp(got.data(), expected.data(), bytes) == 0);
      BOOST_TEST(bl::eval(bl::all(bl::eq(later, got))).item());
    });
  }
}

const bl::index lengths[] = {1,    2,    7,    15,   16,   17,   31,    100,   511,   512,   513,
                             1023, 1024, 2047, 2048, 2049, 5000, 16383, 16384, 16385, 40000, 50001};

__extension__ typedef __int128 i128;

// Whole numbers of up to 60 bits, the upper ones as T has them, that mostly cancel out.
template <class T>
struct cancelling {
  std::vector<T> x;
  long double exact = 0, size = 0;

  explicit cancelling(bl::index n) : x(static_cast<std::size_t>(n)) {
    i128 sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      next();
      const std::int64_t low = seed >> 2;
      next();
      const std::int64_t k = ((std::int64_t{seed >> 2} << 30) + low) >> (seed >> 4) % 58;
      x[i] = static_cast<T>(i % 2 == 0 || i % 31 == 0 ? k : (k & 15) - static_cast<std::int64_t>(x[i - 1]));
      const auto exactly = static_cast<std::int64_t>(x[i]);
      sum += exactly;
      size += std::abs(static_cast<long double>(exactly));
    }
    exact = static_cast<long double>(sum);
  }
};

// What docs/reference/reductions.md promises of a compensated sum of n elements.
template <class T>
long double compensated_bound(bl::index n, long double sum, long double size) {
  const long double u = std::numeric_limits<T>::epsilon() / 2, lanes = 64 / sizeof(T);
  const long double strips = static_cast<long double>((n + 511) / 512);
  const long double d = std::ceil(static_cast<long double>(std::min<bl::index>(n, 512)) / lanes) - 1 +
                        std::log2(lanes) + std::ceil(std::log2(strips));
  return u * std::abs(sum) + 2 * (d * u / (1 - 2 * d * u)) * (d * u / (1 - 2 * d * u)) * size;
}

template <class T>
void check_compensated() {
  const auto sum = [](const auto& x, const auto&... o) { return bl::sum(x, o..., bl::compensated); };
  bool plain_is_worse = false;
  for (const bl::index n : lengths) {
    const cancelling<T> c(n);
    const auto v = bl::from(c.x, bl::make_shape(n));
    const T one = bl::detail::compensated_r::one<T>(n, [&](bl::index i) { return c.x[static_cast<std::size_t>(i)]; });
    const long double bound = compensated_bound<T>(n, c.exact, c.size);
    BOOST_TEST(std::abs(static_cast<long double>(one) - c.exact) <= bound, n << " elements");
    const T plain = reference(n, c.x, 0, 1);
    plain_is_worse = plain_is_worse || std::abs(static_cast<long double>(plain) - c.exact) > bound;
    // columns, some of which are beside vectors, and rows
    bl::dtensor<T, 2> columns(n, bl::index{21});
    bl::assign(columns, bl::broadcast_to(bl::unsqueeze(v, 1), columns.shape()));
    const bl::dtensor<T, 2> rows = bl::eval(columns.T());
    everywhere([&](const bl::policy& how) {
      BOOST_TEST(same_bits(bl::eval(sum(v), how).item(), one), n);
      BOOST_TEST(same_bits(bl::eval(sum(bl::flip(bl::flip(v, 0), 0) * T{1}), how).item(), one), n);
      const bl::dtensor<T, 1> down = bl::eval(sum(columns, bl::axes<0>), how), along = bl::eval(sum(rows, 1), how),
                              computed = bl::eval(sum(columns * T{1}, 0), how);
      bool same = true;
      for (const bl::dtensor<T, 1>* x : {&down, &along, &computed})
        for (bl::index i = 0; i < x->size(); ++i) same = same && same_bits((*x)(i), one);
      BOOST_TEST(same, n);
    });
  }
  BOOST_TEST(plain_is_worse);
}

}  // namespace

// In constant expressions: the identity of no elements, running sums, the first of equal extremes and of NaN.
constexpr bl::tensor<float, bl::shape<0>> nothing{};
static_assert(bl::prod(nothing)() == 1 && bl::sum(nothing)() == 0 && bl::all(nothing)() && !bl::any(nothing)());
constexpr bl::tensor<float, bl::shape<2, 3>> rising{{1, 2, 3}, {4, 5, 6}};
static_assert(bl::cumsum(rising, 1)(0, 2) == 6 && bl::cumsum(rising, 0)(1, 0) == 5);
constexpr float no_number = std::numeric_limits<float>::quiet_NaN();
constexpr bl::tensor<float, bl::shape<4>> equal_ones{1, 3, 1, 3}, with_nan{1, no_number, no_number, 3};
static_assert(bl::argmax(equal_ones)() == 1 && bl::argmin(equal_ones)() == 0);
static_assert(bl::argmax(with_nan)() == 1 && bl::argmin(with_nan)() == 1);

BOOST_AUTO_TEST_SUITE(reduce_sums)

BOOST_AUTO_TEST_CASE(a_sequence_has_one_sum_whatever_its_layout) {
  for (const bl::index n : lengths) {
    std::vector<float> x(static_cast<std::size_t>(3 * n));
    for (float& e : x) e = next();
    const auto all = bl::from(x, bl::make_shape(n, bl::index{3}));
    const auto line = bl::select(all, 1, 1);
    const float expected = reference(n, x, 1, 3);
    const bl::dtensor<float, 1> copy = bl::eval(line);
    const bl::dtensor<float, 2> rows = bl::eval(all.T());
    everywhere([&](const bl::policy& how) {
      BOOST_TEST(same_bits(bl::eval(bl::sum(line), how).item(), expected));
      BOOST_TEST(same_bits(bl::eval(bl::sum(copy), how).item(), expected));
      BOOST_TEST(same_bits(bl::eval(bl::sum(all, bl::axes<0>), how)(1), expected));
      BOOST_TEST(same_bits(bl::eval(bl::sum(rows, bl::axes<1>), how)(1), expected));
      BOOST_TEST(same_bits(bl::eval(bl::sum(rows.T(), bl::axes<0>), how)(1), expected));
      BOOST_TEST(same_bits(bl::eval(bl::sum(bl::flip(bl::flip(copy, 0), 0)), how).item(), expected));
      BOOST_TEST(same_bits(bl::eval(bl::sum(copy + 0.0f), how).item(), expected));
      BOOST_TEST(same_bits(bl::eval(bl::sum(all * 1.0f, bl::axes<0>, bl::keepdim), how)(0, 1), expected));
    });
  }
}

BOOST_AUTO_TEST_CASE(several_axes_are_one_sequence_in_row_major_order) {
  for (const auto& size : std::vector<std::array<bl::index, 3>>{
           {3, 5, 7}, {40, 3, 50}, {5, 600, 9}, {130, 2, 257}, {1, 4, 1}, {70, 1, 700}}) {
    const bl::index a = size[0], b = size[1], c = size[2];
    std::vector<double> x(static_cast<std::size_t>(a * b * c));
    for (double& e : x) e = static_cast<double>(next());
    const auto t = bl::from(x, bl::make_shape(a, b, c));
    const auto at = [&](bl::index i, bl::index j, bl::index k) {
      return x[static_cast<std::size_t>((i * b + j) * c + k)];
    };
    const bl::dtensor<double, 3> turned = bl::eval(bl::permute(t, 2, 1, 0));
    const auto sum = [](bl::index n, const auto& get) {
      return bl::detail::combine<bl::detail::sum_r, double>(n, get);
    };
    std::vector<double> of_outer, of_inner, of_middle;
    for (bl::index j = 0; j < b; ++j) of_outer.push_back(sum(a * c, [&](bl::index i) { return at(i / c, j, i % c); }));
    for (bl::index i = 0; i < a; ++i) of_inner.push_back(sum(b * c, [&](bl::index k) { return at(i, k / c, k % c); }));
    for (bl::index k = 0; k < c; ++k) of_middle.push_back(sum(b, [&](bl::index j) { return at(a - 1, j, k); }));
    const double everything = sum(a * b * c, [&](bl::index i) { return x[static_cast<std::size_t>(i)]; });
    everywhere([&](const bl::policy& how) {
      const bl::dtensor<double, 1> outer = bl::eval(bl::sum(t, bl::axes<0, 2>), how);
      const bl::dtensor<double, 1> again = bl::eval(bl::sum(bl::permute(turned, 2, 1, 0), bl::axes<0, 2>), how);
      const bl::dtensor<double, 1> inner = bl::eval(bl::sum(t * 1.0, bl::axes<1, 2>), how);
      const bl::dtensor<double, 2> middle = bl::eval(bl::sum(t, -2), how);
      for (bl::index j = 0; j < b; ++j) {
        BOOST_TEST(same_bits(outer(j), of_outer[static_cast<std::size_t>(j)]));
        BOOST_TEST(same_bits(again(j), of_outer[static_cast<std::size_t>(j)]));
      }
      for (bl::index i = 0; i < a; ++i) BOOST_TEST(same_bits(inner(i), of_inner[static_cast<std::size_t>(i)]));
      for (bl::index k = 0; k < c; ++k) BOOST_TEST(same_bits(middle(a - 1, k), of_middle[static_cast<std::size_t>(k)]));
      BOOST_TEST(same_bits(bl::eval(bl::sum(t), how).item(), everything));
      BOOST_TEST(same_bits(bl::eval(bl::sum(bl::permute(turned, 2, 1, 0)), how).item(), everything));
    });
  }
}

// A program that is reduced as it is computed: rows of any length, operands that do not move along them, or from row to
// row, numbers, narrower elements, and signed zeros.
BOOST_AUTO_TEST_CASE(rows_of_a_program_are_reduced_as_if_they_were_computed_before) {
  for (const bl::index n : {16, 17, 31, 33, 100, 511, 513, 1040, 1600, 16385, 33000}) {
    const bl::index m = n > 2000 ? 3 : 37;
    bl::dtensor<float, 2> x(m, n), column(m, bl::index{1});
    bl::dtensor<float, 1> row(n);
    bl::dtensor<std::uint8_t, 2> small(m, n);
    for (bl::index i = 0; i < x.size(); ++i) {
      x.data()[i] = i % 7 == 0 ? -0.0f : next();
      small.data()[i] = static_cast<std::uint8_t>(i * 31 % 251);
    }
    for (bl::index i = 0; i < m; ++i) column(i, 0) = next();
    for (bl::index i = 0; i < n; ++i) row(i) = i % 3 == 0 ? 0.0f : next();
    const bl::dtensor<double, 2> wide = x;
    const auto check = [&](const auto& tree) {
      const auto whole = bl::eval(tree);
      using T = typename decltype(whole)::value_type;
      std::vector<T> sum, largest;
      for (bl::index r = 0; r < m; ++r) {
        const auto get = [from = whole.data() + r * n](bl::index i) { return from[i]; };
        sum.push_back(bl::detail::combine<bl::detail::sum_r, T>(n, get));
        largest.push_back(bl::detail::combine<bl::detail::amax_r, T>(n, get));
      }
      everywhere([&](const bl::policy& how) {
        const auto sums = bl::eval(bl::sum(tree, bl::axes<1>), how), most = bl::eval(bl::amax(tree, bl::axes<1>), how);
        const auto beside = bl::eval(bl::sum(tree, bl::axes<1>, bl::keepdim) + bl::zeros<T>(m, n), how);
        bool same = true;
        for (bl::index r = 0; r < m; ++r) {
          const auto at = static_cast<std::size_t>(r);
          same = same && same_bits(sums(r), sum[at]) && same_bits(beside(r, n - 1), sum[at] + T{});
          same = same && same_bits(most(r), largest[at]);
        }
        BOOST_TEST(same, "rows of " << n);
      });
    };
    check(bl::square(x - row));
    check((x - column) * 0.5f);
    check(wide * column - row);
    check(bl::where(small > 100, x, row));
    check(bl::flip(x, 0) + small);
  }
}

BOOST_AUTO_TEST_CASE(a_constant_expression_gives_the_same_bits) {
  constexpr bl::tensor<float, bl::shape<3, 40>> x = [] {
    bl::tensor<float, bl::shape<3, 40>> t;
    for (int i = 0; i < 120; ++i) t.data()[i] = 1.0f / static_cast<float>(i + 3);
    return t;
  }();
  constexpr bl::tensor<float, bl::shape<3>> s = bl::sum(x * 3.0f, bl::axes<1>);
  constexpr bl::tensor<float, bl::shape<1, 40>> k = bl::sum(x, bl::axes<0>, bl::keepdim);
  constexpr bl::tensor<std::int64_t, bl::shape<3>> m = bl::argmin(x, bl::axes<-1>);
  static_assert(m(0) == 39);
  const bl::dtensor<float, 2> y = x;
  const bl::dtensor<float, 1> at_run_time = bl::eval(bl::sum(y * 3.0f, bl::axes<1>));
  for (int i = 0; i < 3; ++i) BOOST_TEST(same_bits(s(i), at_run_time(i)));
  const bl::dtensor<float, 2> columns = bl::eval(bl::sum(y, bl::axes<0>, bl::keepdim));
  for (int i = 0; i < 40; ++i) BOOST_TEST(same_bits(k(0, i), columns(0, i)));
}

BOOST_AUTO_TEST_CASE(few_elements_of_known_number_are_reduced_in_place) {
  bl::tensor<float, bl::shape<4, 13>> x, y;
  for (int i = 0; i < 52; ++i) {
    x.data()[i] = next();
    y.data()[i] = next();
  }
  const bl::dtensor<float, 2> dx = x, dy = y;
  const bl::tensor<float, bl::shape<4>> rows = bl::sum(bl::square(x - y), bl::axes<1>);
  const bl::tensor<float, bl::shape<1, 13>> columns = bl::prod(x / y, bl::axes<0>, bl::keepdim);
  const bl::tensor<double, bl::shape<>> all = bl::sum(x);
  const bl::tensor<std::int64_t, bl::shape<13>> places = bl::argmax(x * y, bl::axes<0>);
  const bl::dtensor<float, 1> d_rows = bl::sum(bl::square(dx - dy), bl::axes<1>);
  const bl::dtensor<float, 2> d_columns = bl::prod(dx / dy, bl::axes<0>, bl::keepdim);
  const bl::dtensor<std::int64_t, 1> d_places = bl::argmax(dx * dy, bl::axes<0>);
  for (int i = 0; i < 4; ++i) BOOST_TEST(same_bits(rows(i), d_rows(i)));
  for (int i = 0; i < 13; ++i) {
    BOOST_TEST(same_bits(columns(0, i), d_columns(0, i)));
    BOOST_TEST(places(i) == d_places(i));
  }
  BOOST_TEST(same_bits(static_cast<float>(all.item()), bl::eval(bl::sum(dx)).item()));
  bl::tensor<float, bl::shape<3>> z{3, 5, 7};
  z = bl::sum(bl::unsqueeze(z, 1) * bl::unsqueeze(z, 0), bl::axes<0>);  // reads what it writes
  BOOST_TEST(z(0) == 45);
  BOOST_TEST(z(2) == 105);
}

BOOST_AUTO_TEST_CASE(static_shapes_stay_static) {
  using t = bl::tensor<float, bl::shape<5, 1, 7>>;
  t x;
  static_assert(std::is_same_v<decltype(bl::sum(x))::shape_type, bl::shape<>>);
  static_assert(std::is_same_v<decltype(bl::sum(x, bl::axes<0, -1>))::shape_type, bl::shape<1>>);
  static_assert(std::is_same_v<decltype(bl::amax(x, bl::axes<-1>, bl::keepdim))::shape_type, bl::shape<5, 1, 1>>);
  static_assert(std::is_same_v<decltype(bl::sum(x, 1))::shape_type, bl::dshape<2>>);
  static_assert(std::is_same_v<decltype(bl::sum(bl::cast<bool>(x)))::value_type, std::int64_t>);
  static_assert(std::is_same_v<decltype(bl::sum(bl::cast<std::uint8_t>(x), bl::of_type<float>))::value_type, float>);
  static_assert(std::is_same_v<decltype(bl::amin(bl::cast<std::uint8_t>(x)))::value_type, std::uint8_t>);
  static_assert(std::is_same_v<decltype(bl::mean(x, bl::of_type<double>))::value_type, double>);
  static_assert(std::is_same_v<decltype(bl::argmax(x))::value_type, std::int64_t>);
}

// Half an ulp for each rounding, and the bound of the sum in f64 beside it.
BOOST_AUTO_TEST_CASE(floats_added_in_f64_are_rounded_once) {
  for (const bl::index n : lengths) {
    std::vector<float> x(static_cast<std::size_t>(n));
    for (float& e : x) e = next();
    const auto v = bl::from(x, bl::make_shape(n));
    const double wide = bl::eval(bl::sum(v, bl::of_type<double>)).item();
    long double exact = 0, size = 0;
    for (const float e : x) {
      exact += static_cast<long double>(e);
      size += std::abs(static_cast<long double>(e));
    }
    const long double strips = static_cast<long double>((n + 511) / 512);
    const long double depth = 63 + 3 + std::ceil(std::log2(strips));
    BOOST_TEST(std::abs(static_cast<long double>(wide) - exact) <=
               depth * 0x1p-53L / (1 - depth * 0x1p-53L) * size + 0x1p-60L * size);
    everywhere([&](const bl::policy& how) {
      const float narrow = bl::eval(bl::sum(v, bl::accumulate_in<double>), how).item();
      BOOST_TEST(same_bits(narrow, static_cast<float>(wide)));
      BOOST_TEST(same_bits(bl::eval(bl::mean(v, bl::accumulate_in<double>), how).item(),
                           static_cast<float>(static_cast<double>(narrow) / static_cast<double>(n))));
    });
    const double squares = bl::eval(bl::norm(v, bl::of_type<double>)).item();
    BOOST_TEST(same_bits(bl::eval(bl::norm(v, bl::accumulate_in<double>)).item(), static_cast<float>(squares)));
  }
  // What f32 alone loses.
  std::vector<float> ones(1 << 20, 1e-4f);
  ones[0] = 1e9f;
  const auto v = bl::from(ones, bl::make_shape(bl::index{1} << 20));
  BOOST_TEST(bl::eval(bl::sum(v, bl::accumulate_in<double>)).item() ==
             static_cast<float>(1e9 + 1e-4 * ((1 << 20) - 1)));
  static_assert(std::is_same_v<decltype(bl::sum(v, bl::accumulate_in<double>))::value_type, float>);
}

BOOST_AUTO_TEST_CASE(compensated_sums_are_nearly_exact) {
  check_compensated<float>();
  check_compensated<double>();
}

BOOST_AUTO_TEST_CASE(compensated_sums_in_other_functions_and_of_special_values) {
  const float inf = std::numeric_limits<float>::infinity(), most = std::numeric_limits<float>::max();
  const auto sum = [](const std::vector<float>& x) {
    const auto v = bl::from(x, bl::make_shape(static_cast<bl::index>(x.size())));
    return bl::eval(bl::sum(v, bl::compensated)).item();
  };
  BOOST_TEST(sum({}) == 0);
  BOOST_TEST(sum({1, inf, 2}) == inf);
  BOOST_TEST(std::isnan(sum({inf, 1, -inf})));
  BOOST_TEST(std::isnan(sum({3, std::nanf("")})));
  BOOST_TEST(sum({most, most}) == inf);
  BOOST_TEST(sum({1, most, -most}) == 1);
  BOOST_TEST(same_bits(sum({-0.0f, -0.0f}), -0.0f));
  BOOST_TEST(same_bits(sum({1.5f, -1.5f}), 0.0f));
  constexpr bl::tensor<float, bl::shape<3>> x{1e8f, 1, -1e8f};
  constexpr bl::tensor<float, bl::shape<>> s = bl::sum(x, bl::compensated);
  static_assert(s.item() == 1);
  const cancelling<float> c(5000);
  const bl::dtensor<float, 1> v = bl::from(c.x, bl::make_shape(bl::index{5000}));
  const auto kept = bl::eval(bl::sum(v, bl::compensated)).item();
  BOOST_TEST(same_bits(bl::eval(bl::mean(v, bl::compensated)).item(), kept / 5000));
  BOOST_TEST(
      same_bits(bl::eval(bl::sum(v, bl::accumulate_in<double>, bl::compensated)).item(), static_cast<float>(c.exact)));
  const float squares = bl::eval(bl::sum(bl::square(v), bl::compensated)).item();
  BOOST_TEST(same_bits(bl::eval(bl::norm(v, bl::compensated)).item(), std::sqrt(squares)));
  const float size = bl::eval(bl::sum(bl::abs(v), bl::compensated)).item();
  BOOST_TEST(same_bits(bl::eval(bl::norm(v, 1.0, bl::compensated)).item(), size));
  const bl::dtensor<int, 1> whole{1, 2, 3};
  static_assert(std::is_same_v<decltype(bl::sum(whole, bl::compensated)), decltype(bl::sum(whole))>);
}

BOOST_AUTO_TEST_CASE(an_array_without_axes_may_be_asked_for_one) {
  const bl::tensor<float, bl::shape<>> s(3.5f);
  static_assert(decltype(bl::sum(s, bl::axes<-1>, bl::keepdim))::shape_type::axes_count == 0);
  BOOST_TEST(bl::eval(bl::cumsum(s, 0)).item() == 3.5f);
  BOOST_TEST(bl::eval(bl::softmax(s, -1)).item() == 1);
  BOOST_CHECK_THROW(bl::sum(s, 1), bl::index_error);
  BOOST_CHECK_THROW(bl::sum(s, 0, 0), bl::index_error);
}

BOOST_AUTO_TEST_CASE(of_no_elements) {
  const bl::dtensor<float, 2> x(0, 3);
  BOOST_TEST(bl::eval(bl::sum(x)).item() == 0);
  BOOST_TEST(bl::eval(bl::prod(x)).item() == 1);
  BOOST_TEST(bl::eval(bl::sum(x, bl::axes<0>)).size() == 3);
  BOOST_TEST(bl::eval(bl::prod(x, bl::axes<0>))(2) == 1);
  BOOST_TEST(bl::eval(bl::sum(x, bl::axes<1>)).size() == 0);
  BOOST_TEST(!bl::eval(bl::any(x)).item());
  BOOST_TEST(bl::eval(bl::all(x)).item());
  BOOST_TEST(std::isnan(bl::eval(bl::mean(x)).item()));
  BOOST_CHECK_EXCEPTION(bl::amax(x), bl::shape_error, [](const bl::shape_error& e) {
    return std::string(e.what()).find("amax(): Expected reduction dim to be specified for input.numel() == 0") == 0;
  });
  BOOST_CHECK_EXCEPTION(bl::argmin(x, bl::axes<0>), bl::shape_error, [](const bl::shape_error& e) {
    return std::string(e.what()) == "argmin(): Expected reduction dim 0 to have non-zero size.";
  });
  BOOST_TEST(bl::eval(bl::amax(x, bl::axes<1>)).size() == 0);
}

BOOST_AUTO_TEST_CASE(axes_that_are_wrong) {
  const bl::dtensor<float, 2> x(2, 3);
  BOOST_CHECK_THROW(bl::sum(x, 2), bl::index_error);
  BOOST_CHECK_THROW(bl::sum(x, -3), bl::index_error);
  BOOST_CHECK_THROW(bl::sum(x, 1, -1), bl::index_error);
  BOOST_CHECK_THROW(bl::cumsum(x, 2), bl::index_error);
}

BOOST_AUTO_TEST_CASE(rows_side_by_side_are_rows_by_themselves) {
  const auto rows = bl::axes<1>;
  rows_one_by_one<bl::detail::sum_r, float>([=](const auto& x) { return bl::sum(x, rows); });
  rows_one_by_one<bl::detail::sum_r, double>([=](const auto& x) { return bl::sum(x, rows); });
  rows_one_by_one<bl::detail::sum_r, std::int64_t>([=](const auto& x) { return bl::sum(x, rows); });
  rows_one_by_one<bl::detail::amax_r, float>([=](const auto& x) { return bl::amax(x, rows); });
  rows_one_by_one<bl::detail::amin_r, std::int32_t>([=](const auto& x) { return bl::amin(x, rows); });
}

BOOST_AUTO_TEST_CASE(running_sums_of_rows_side_by_side) {
  const auto sums = [](const auto& x) { return bl::cumsum(x, 1); };
  const auto products = [](const auto& x) { return bl::cumprod(x, 1); };
  scans_one_by_one<float>(sums, [](float a, float b) { return a + b; });
  scans_one_by_one<float>(products, [](float a, float b) { return a * b; });
  scans_one_by_one<double>(sums, [](double a, double b) { return a + b; });
  scans_one_by_one<std::int64_t>(sums, [](std::int64_t a, std::int64_t b) { return a + b; });
}

BOOST_AUTO_TEST_CASE(the_first_of_equal_extremes_and_nan_before_everything) {
  const float nan = std::nanf("");
  const bl::dtensor<float, 2> x{{1, 5, 5, 2}, {nan, 7, nan, 1}, {-1, -1, -2, -2}};
  const bl::dtensor<std::int64_t, 1> most = bl::eval(bl::argmax(x, bl::axes<1>)),
                                     least = bl::eval(bl::argmin(x, bl::axes<1>));
  BOOST_TEST(most(0) == 1);
  BOOST_TEST(most(1) == 0);
  BOOST_TEST(most(2) == 0);
  BOOST_TEST(least(0) == 0);
  BOOST_TEST(least(1) == 0);
  BOOST_TEST(least(2) == 2);
  BOOST_TEST(std::isnan(bl::eval(bl::amax(x)).item()));
  BOOST_TEST(std::isnan(bl::eval(bl::amin(x, bl::axes<0>))(2)));
  BOOST_TEST(bl::eval(bl::argmax(x)).item() == 4);
  std::vector<float> long_one(100000, 1.0f);
  long_one[777] = long_one[99999] = 3;
  for (const int threads : {1, 2, 8})
    BOOST_TEST(bl::eval(bl::argmax(bl::from(long_one, bl::dshape<1>(100000))), bl::par.threads(threads)).item() == 777);
  for (const int at : {0, 1, 511, 512, 16384, 70000}) {
    std::vector<std::int32_t> v(80000, 4);
    v[static_cast<std::size_t>(at)] = -9;
    BOOST_TEST(bl::eval(bl::argmin(bl::from(v, bl::dshape<1>(80000)))).item() == at);
  }
}

// Groups of rows, as many as lanes, that begin 4 KiB apart.
template <class T>
void add_columns_of_64(bl::index rows) {
  bl::dtensor<T, 2> x(rows, 64);
  for (T& e : x) e = static_cast<T>(next());
  const bl::dtensor<T, 1> found = bl::sum(x, bl::axes<0>);
  for (bl::index c = 0; c < 64; ++c)
    BOOST_REQUIRE(
        same_bits(found(c), bl::detail::combine<bl::detail::sum_r, T>(rows, [&](bl::index r) { return x(r, c); })));
}

BOOST_AUTO_TEST_CASE(columns_whose_rows_share_sets_of_the_cache) {
  everywhere([](const bl::policy&) {
    for (const bl::index rows : {16, 33, 143, 144, 145, 256, 300, 600}) {
      add_columns_of_64<float>(rows);
      add_columns_of_64<double>(rows);
    }
  });
}

// Short rows go a batch at a time, up to one that has a NaN: of 70 rows one, wherever it lies. Zeros of both signs are
// equal, and which of them is the result depends on the order.
template <class Op, class T, class Reduce>
void nan_in_one_row(bl::index n, const Reduce& reduce) {
  for (const bl::index row : {-1, 0, 15, 16, 41, 69}) {
    bl::dtensor<T, 2> x(70, n);
    for (T& e : x) e = std::max(T(0), static_cast<T>(next())) * (next() < 0 ? T(-1) : T(1));
    if (row >= 0) x(row, (row * 7 + n / 2) % n) = std::numeric_limits<T>::quiet_NaN();
    const bl::dtensor<T, 1> found = reduce(x);
    for (bl::index r = 0; r < 70; ++r) {
      const T expected = bl::detail::combine<Op, T>(n, [&](bl::index i) { return x(r, i); });
      BOOST_REQUIRE_MESSAGE(r == row ? std::isnan(found(r)) : std::memcmp(&found(r), &expected, sizeof(T)) == 0,
                            "row " << r << " of " << n << ", NaN in row " << row);
    }
  }
}

BOOST_AUTO_TEST_CASE(nan_in_any_batch_of_short_rows) {
  everywhere([](const bl::policy& how) {
    for (const bl::index n : {8, 16, 24, 32, 64, 112, 128, 144}) {
      const auto most = [&](const auto& x) { return bl::eval(bl::amax(x, bl::axes<1>), how); };
      const auto least = [&](const auto& x) { return bl::eval(bl::amin(x, bl::axes<1>), how); };
      nan_in_one_row<bl::detail::amax_r, float>(n, most);
      nan_in_one_row<bl::detail::amin_r, float>(n, least);
      nan_in_one_row<bl::detail::amax_r, double>(n, most);
      nan_in_one_row<bl::detail::amin_r, double>(n, least);
    }
  });
}

// Rows of more than one segment, which are one task each on one thread, over two axes that do not merge.
BOOST_AUTO_TEST_CASE(long_rows_of_two_axes_that_lie_apart) {
  bl::dtensor<float, 3> x(3, 4, 20000);
  for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i / 20000 + 1);
  const auto part = bl::slice(x, bl::all, bl::range(0, 4, 3), bl::all);
  for (const int threads : {1, 2}) {
    const bl::dtensor<float, 2> sums = bl::eval(bl::sum(part, bl::axes<2>), bl::par.threads(threads)),
                                twice = bl::eval(bl::sum(part * 2, bl::axes<2>), bl::par.threads(threads));
    for (bl::index i = 0; i < 3; ++i)
      for (bl::index j = 0; j < 2; ++j) {
        const auto wanted = static_cast<float>(20000 * (i * 4 + j * 3 + 1));
        BOOST_TEST((sums(i, j) == wanted && twice(i, j) == 2 * wanted));
      }
  }
}

BOOST_AUTO_TEST_SUITE_END()
