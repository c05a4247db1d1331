// Whole arrays reduced at once, without a plan: the bits of what is planned, at every level, and each barrier of one
// element computed once.
// Build: gcc-alone
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include <broadloom/broadloom.hpp>
#include <broadloom/core/isa.hpp>

namespace {

namespace bl = broadloom;

template <class T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

// Every level that this processor has.
template <class F>
void at_each_level(const F& f) {
  for (const bl::isa level : bl::runtime::every_isa)
    if (bl::set_isa(level) == level) f(std::string(bl::to_string(level)));
  bl::set_isa(bl::runtime::highest_isa());
}

const bl::index lengths[] = {1,    2,    7,    8,    15,   16,    17,    31,    64,    100,   255,
                             256,  257,  511,  512,  513,  768,   1023,  1024,  1025,  2048,  2560,
                             4096, 4609, 8192, 8193, 9000, 16384, 16385, 20000, 65536, 65537, 70001};

// An array, and the same elements where they are planned for: every other column of a matrix.
template <class T>
struct two_layouts {
  bl::dtensor<T, 1> x;
  bl::dtensor<T, 2> wide;
  explicit two_layouts(bl::index n, unsigned seed) : x(n), wide(n, 2) {
    std::mt19937 chance(seed);
    std::uniform_real_distribution<double> some(std::is_signed_v<T> ? -40 : 0, 40);
    T *const one = x.data(), *const two = wide.data();
    for (bl::index i = 0; i < n; ++i) {
      one[i] = two[2 * i] = static_cast<T>(some(chance));
      two[2 * i + 1] = T(99);
    }
  }
  auto strided() const { return bl::select(wide, 1, 0); }
};

template <class T>
void every_reduction(const std::string& level, bl::index n, const two_layouts<T>& a, const two_layouts<T>& b) {
  const auto x = bl::dview<const T, 1>(a.x), y = bl::dview<const T, 1>(b.x);
  const auto u = a.strided(), v = b.strided();
  const std::string where = level + ", n = " + std::to_string(n) + ", type " + std::to_string(int(bl::dtype_of<T>));
#define COMPARE(F)                                                                         \
  {                                                                                        \
    const auto f = [](const auto& p, [[maybe_unused]] const auto& q) { return F; };        \
    const auto at_once = bl::eval(f(x, y)).item(), planned = bl::eval(f(u, v)).item();     \
    BOOST_CHECK_MESSAGE(same_bits(at_once, planned),                                       \
                        #F " at " << where << ": " << at_once << ", planned " << planned); \
  }
  COMPARE(bl::sum(p))
  COMPARE(bl::sum(p * q))
  COMPARE(bl::amax(p))
  COMPARE(bl::amin(p))
  COMPARE(bl::argmax(p))
  COMPARE(bl::argmin(p))
  COMPARE(bl::any(p > q))
  COMPARE(bl::count_nonzero(p))
  if constexpr (std::is_floating_point_v<T>) {
    COMPARE(bl::prod(p * 0.05))
    COMPARE(bl::mean(p))
    COMPARE(bl::norm(p))
    COMPARE(bl::norm(p, 3.5))
    COMPARE(bl::var(p))
    COMPARE(bl::sum(p, bl::compensated))
    COMPARE(bl::sum(p, bl::accumulate_in<double>))
    COMPARE(bl::sum(bl::square(p - q) * 0.5))
    COMPARE(bl::sum(bl::square(p - q)))
    COMPARE(bl::sum(bl::square(p - 2)))
    COMPARE(bl::logsumexp(p))
    COMPARE(bl::sum(bl::exp(p)))
    COMPARE(bl::sum(bl::atan2(p, q)))
    COMPARE(bl::amax(bl::atan2(p, 2)))
    COMPARE(bl::sum(bl::pow(p, 2)))
    COMPARE(bl::sum(p * q, bl::compensated))
    COMPARE(bl::argmin(p * q))
  }
#undef COMPARE
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_whole)

BOOST_AUTO_TEST_CASE(whole_arrays_have_the_bits_of_planned_ones_at_every_level) {
  at_each_level([](const std::string& level) {
    for (const bl::index n : lengths) {
      every_reduction<float>(level, n, two_layouts<float>(n, 1), two_layouts<float>(n, 2));
      every_reduction<double>(level, n, two_layouts<double>(n, 3), two_layouts<double>(n, 4));
    }
    for (const bl::index n : {1, 7, 16, 63, 64, 65, 513, 4097, 20000}) {
      every_reduction<std::int32_t>(level, n, two_layouts<std::int32_t>(n, 5), two_layouts<std::int32_t>(n, 6));
      every_reduction<std::uint8_t>(level, n, two_layouts<std::uint8_t>(n, 7), two_layouts<std::uint8_t>(n, 8));
    }
  });
}

// The definition: strips of 512, 16 lanes of f32, then pairs.
BOOST_AUTO_TEST_CASE(every_level_adds_in_the_specified_order) {
  at_each_level([](const std::string& level) {
    for (const bl::index n : lengths) {
      const two_layouts<float> a(n, static_cast<unsigned>(n));
      const float expected =
          bl::detail::combine<bl::detail::sum_r, float>(n, [x = a.x.data()](bl::index i) { return x[i]; });
      const float found = bl::sum(a.x);
      BOOST_CHECK_MESSAGE(same_bits(found, expected), level << ", n = " << n);
    }
  });
}

// Then nothing of a program is read, so there need be none.
BOOST_AUTO_TEST_CASE(arrays_and_sums_of_products_go_to_their_loops_at_once) {
  using bl::runtime::summed_term;
  at_each_level([](const std::string& level) {
    const two_layouts<float> a(300, 1), b(300, 2);
    const float *const x = a.x.data(), *const y = b.x.data(), number = 2;
    bl::runtime::whole_reduction form{};
    form.result = form.computed = bl::dtype::f32;
    form.rank = 1;
    float r = 0;
    bl::runtime::reduce_array(x, 300, &r, form, bl::runtime::reduction::amax, {});
    BOOST_CHECK_EQUAL(r, bl::amax(a.x).item());
    if (level == "base") return;  // which has no loops for products
    const auto found = [&](summed_term t, const void* second) {
      form.term = t;
      bl::runtime::sum_products(x, second, 300, &r, 300, form, {});
      return r;
    };
    BOOST_CHECK_EQUAL(found(summed_term::product, y), bl::sum(a.x * b.x).item());
    BOOST_CHECK_EQUAL(found(summed_term::square, nullptr), bl::sum(bl::square(a.x)).item());
    BOOST_CHECK_EQUAL(found(summed_term::squared_difference, &number), bl::sum(bl::square(a.x - 2)).item());
    BOOST_CHECK_EQUAL(found(summed_term::squared_distance, y), bl::sum(bl::square(a.x - b.x)).item());
  });
}

BOOST_AUTO_TEST_CASE(lines_of_which_one_has_one_element_are_broadcast_and_refused_once_they_have_others) {
  at_each_level([](const std::string&) {
    const bl::dtensor<float, 1> x{1, 2, 3}, one{4}, none(0);
    BOOST_CHECK_EQUAL(bl::sum(x * one).item(), 24.0f);
    BOOST_CHECK_EQUAL(bl::sum(one * x).item(), 24.0f);
    BOOST_CHECK_EQUAL(bl::sum(bl::square(one - x)).item(), 14.0f);
    BOOST_CHECK_EQUAL(bl::sum(one * none).item(), 0.0f);
    BOOST_CHECK_EQUAL(bl::sum(bl::square(none - 1)).item(), 0.0f);
    bl::dtensor<float, 1> y{1, 2, 3};
    const auto sum = bl::sum(y);
    const auto products = bl::sum(x * y);
    y = one;
    BOOST_CHECK_THROW(sum.item(), bl::shape_error);
    BOOST_CHECK_THROW(products.item(), bl::shape_error);
    y = x;
    BOOST_CHECK_EQUAL(sum.item(), 6.0f);
    BOOST_CHECK_EQUAL(products.item(), 14.0f);
  });
}

// A strip of an expression is evaluated on the stack; without axes it has one element, of no elements there is none.
BOOST_AUTO_TEST_CASE(strips_of_expressions_have_any_number_of_axes) {
  at_each_level([](const std::string&) {
    bl::tensor<float, bl::shape<>> one;
    one() = 3;
    BOOST_TEST(bl::sum(one * one).item() == 9);
    BOOST_TEST(bl::sum(bl::sqrt(one * 12)).item() == 6);
    bl::dtensor<float, 3> x(2, 3, 5);
    x = 2;
    BOOST_TEST(bl::sum(x * x).item() == 120);
    BOOST_TEST(bl::sum(x * bl::zeros<float>(5)).item() == 0);
    const bl::dtensor<float, 2> none(0, 4);
    BOOST_TEST(bl::sum(none * none).item() == 0);
    BOOST_TEST(bl::prod(none + none).item() == 1);
  });
}

BOOST_AUTO_TEST_CASE(nan_is_kept_wherever_it_is_and_zeros_keep_their_sign) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  at_each_level([&](const std::string& level) {
    for (const bl::index n : {1, 15, 16, 17, 33, 64, 512, 513, 1024, 2048, 4096, 5000, 16384}) {
      for (bl::index k = 0; k < n; k += n < 65 ? 1 : n / 37) {
        two_layouts<float> a(n, 11);
        a.x(k) = nan;
        const float largest = bl::amax(a.x), smallest = bl::amin(a.x);
        BOOST_CHECK_MESSAGE(largest != largest && smallest != smallest, level << ", n = " << n << ", NaN at " << k);
        BOOST_CHECK_EQUAL(bl::argmax(a.x).item(), k);
        a.x(k) = std::numeric_limits<float>::infinity();
        BOOST_CHECK_EQUAL(bl::amax(a.x).item(), std::numeric_limits<float>::infinity());
      }
      bl::dtensor<float, 1> zeros = bl::full(bl::dshape<1>(n), -0.0f);
      BOOST_CHECK(std::signbit(bl::sum(zeros).item()));
      for (bl::index k = 0; k < n; k += n < 65 ? 1 : n / 7) {
        zeros(k) = 0.0f;
        const float planned = bl::eval(bl::amax(bl::flip(bl::eval(bl::flip(zeros, 0)), 0))).item();
        BOOST_CHECK_MESSAGE(same_bits(bl::amax(zeros).item(), planned), level << ", n = " << n << ", +0 at " << k);
        zeros(k) = -0.0f;
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(rows_of_few_elements_have_the_bits_of_whole_arrays) {
  at_each_level([](const std::string& level) {
    for (const bl::index n : {1, 8, 10, 16, 100, 512, 600, 2000}) {
      const bl::index rows = n > 100 ? 4 : 19;
      std::mt19937 chance(static_cast<unsigned>(n));
      std::uniform_real_distribution<float> some(-1, 1);
      bl::dtensor<float, 2> x(rows, n), y(rows, n);
      for (float& e : x) e = some(chance);
      for (float& e : y) e = some(chance);
      const auto sums = bl::eval(bl::sum(x, bl::axes<1>)), products = bl::eval(bl::sum(x * y, bl::axes<1>));
      const auto largest = bl::eval(bl::amax(x, bl::axes<1>));
      const auto places = bl::eval(bl::argmin(x, 1));
      for (bl::index r = 0; r < rows; ++r) {
        const bl::dtensor<float, 1> one = x(r), other = y(r);
        BOOST_CHECK_MESSAGE(same_bits(sums(r), bl::sum(one).item()), level << ", rows of " << n);
        BOOST_CHECK_MESSAGE(same_bits(products(r), bl::sum(one * other).item()), level << ", rows of " << n);
        BOOST_CHECK_EQUAL(largest(r), bl::amax(one).item());
        BOOST_CHECK_EQUAL(places(r), bl::argmin(one).item());
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(broadcast_operands_and_results_of_none) {
  bl::dtensor<float, 1> row{1, 2, 3}, none(0);
  bl::dtensor<float, 2> column{{1}, {10}};
  BOOST_CHECK_EQUAL(bl::sum(row * column).item(), 66.0f);
  BOOST_CHECK_EQUAL(bl::sum(none).item(), 0.0f);
  BOOST_CHECK_EQUAL(bl::prod(none).item(), 1.0f);
  BOOST_CHECK(bl::all(none > 0).item());
  BOOST_CHECK(std::isnan(bl::mean(none).item()));
  BOOST_CHECK_THROW(bl::amax(none).item(), bl::shape_error);
  BOOST_CHECK_EQUAL(bl::sum(bl::zeros<float>(0, 3) * row).item(), 0.0f);
  BOOST_CHECK_EQUAL(bl::prod(bl::dtensor<float, 1>{4} + none).item(), 1.0f);
}

// Tasks of a long sequence are as many segments as the threads allow: the order of additions is that of elements that
// lie apart, which go by single segments.
BOOST_AUTO_TEST_CASE(long_sequences_have_one_order) {
  bl::generator g(9);
  for (const bl::index n : {65537, 3 * 16384 + 5, 41 * 16384, 700001}) {
    const bl::dtensor<float, 2> x = bl::randn<float>(g, bl::dshape<2>(2, n));
    bl::dtensor<float, 2> apart(2, 2 * n);
    apart(bl::all, bl::range(0, bl::end, 2)) = x;
    const auto spread = apart(bl::all, bl::range(0, bl::end, 2));
    const float sum = bl::eval(bl::sum(spread(0)), bl::par.threads(1)).item();
    const bl::dtensor<float, 1> sums = bl::sum(spread, 1), largest = bl::amax(spread, 1);
    at_each_level([&](const std::string& level) {
      for (const int threads : {1, 2, 3}) {
        const auto how = bl::par.threads(threads);
        BOOST_TEST_CONTEXT(level << " " << n << " " << threads) {
          BOOST_CHECK(same_bits(bl::eval(bl::sum(x(0)), how).item(), sum));
          BOOST_CHECK(bl::array_equal(bl::eval(bl::sum(x, 1), how), sums));
          BOOST_CHECK(bl::array_equal(bl::eval(bl::amax(x, 1), how), largest));
        }
      }
    });
  }
}

BOOST_AUTO_TEST_CASE(the_output_may_be_what_is_reduced) {
  bl::dtensor<double, 1> x{1, 2, 3, 4};
  x = x / bl::sum(x);
  BOOST_CHECK_EQUAL(x(3), 0.4);
  x -= bl::mean(x);
  BOOST_CHECK_EQUAL(x(0), 0.1 - (0.1 + 0.2 + 0.3 + 0.4) / 4);
  bl::dtensor<double, 2> m{{1, 2}, {3, 6}};
  m = (m - bl::amin(m, bl::keepdim)) / (bl::amax(m, bl::keepdim) - bl::amin(m, bl::keepdim));
  BOOST_CHECK_EQUAL(m(1, 0), 0.4);
}

BOOST_AUTO_TEST_CASE(results_are_written_to_any_shape_and_type) {
  const bl::dtensor<float, 2> x{{1, 2, 3}, {4, 5, 6}};
  bl::dtensor<double, 2> all(2, 2);
  bl::assign(all, bl::mean(x));
  BOOST_CHECK_EQUAL(all(1, 1), 3.5);
  const bl::dtensor<float, 2> kept = bl::sqrt(bl::sum(x, bl::keepdim) + 4);
  BOOST_CHECK_EQUAL(kept.size(), 1);
  BOOST_CHECK_EQUAL(kept(0, 0), 5.0f);
  const bl::dtensor<float, 1> shifted = bl::sum(x, bl::axes<0>) - bl::mean(x);
  BOOST_CHECK_EQUAL(shifted(2), 5.5f);
  bl::dtensor<float, 2> other(2, 2);
  BOOST_CHECK_THROW(bl::assign(other, bl::sum(x, bl::keepdim) * x), bl::shape_error);
}

BOOST_AUTO_TEST_SUITE_END()
