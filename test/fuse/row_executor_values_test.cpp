// Rows with values of their own, a few at a time, have the bits of the separate steps: at every level, of every type,
// with an odd number of rows, with and without streaming stores, and if the output is an input.
// Build: optimised-by-sanitizers
#include <broadloom/broadloom.hpp>
#include <cstring>
#include <limits>

#include <boost/test/unit_test.hpp>

namespace bl = broadloom;
using namespace bl::literals;

namespace {

template <class T>
using matrix = bl::dtensor<T, 2>;

template <class T>
matrix<T> numbers(bl::index rows, bl::index n) {
  matrix<T> x = bl::zeros<T>(rows, n);
  for (bl::index i = 0; i < rows; ++i)
    for (bl::index j = 0; j < n; ++j) x.data()[i * n + j] = static_cast<T>((i * 37 + j * 101) % 1009 - 500);
  if constexpr (std::is_floating_point_v<T>) {
    using limits = std::numeric_limits<T>;
    x /= T{60};
    const T list[] = {limits::infinity(), limits::quiet_NaN(), limits::denorm_min(), limits::max(), T(-0.0)};
    for (bl::index i = 3; i < rows; i += 11) x(i, (i * 211 + 5) % n) = list[i % 5];
  }
  return x;
}

template <class T>
bool same(const matrix<T>& a, const matrix<T>& b) {
  for (bl::index k = 0; k < a.shape()[0] * a.shape()[1]; ++k) {
    const T x = a.data()[k], y = b.data()[k];
    if (std::memcmp(&x, &y, sizeof x) != 0 && (x == x || y == y)) return false;
  }
  return true;
}

// in_steps writes what each step gives to memory of its own. Many rows: results of these are written with streaming
// stores.
template <class T, class F, class G>
void compare_one(bl::index rows, bl::index n, const F& at_once, const G& in_steps) {
  const matrix<T> x = numbers<T>(rows, n);
  const auto expected = in_steps(x);
  auto found = expected;
  for (const int threads : {1, 3}) {
    found = 0;
    bl::assign(found, at_once(x), bl::par.threads(threads));
    if (!same(found, expected))
      BOOST_ERROR(rows << " x " << n << ", " << threads << " threads, level "
                       << bl::to_string(bl::runtime::active_isa()) << ", " << sizeof(T) << " bytes");
  }
}

template <class... T, class F, class G>
void compare(const F& at_once, const G& in_steps) {
  const bl::isa level = bl::runtime::active_isa();
  for (const bl::isa l : bl::runtime::every_isa) {
    if (bl::set_isa(l) != l) continue;
    (compare_one<T>(131, 512, at_once, in_steps), ...);
    (compare_one<T>(70, 1024, at_once, in_steps), ...);
    (compare_one<T>(63, 1040, at_once, in_steps), ...);
    (compare_one<T>(3001, 128, at_once, in_steps), ...);
  }
  bl::set_isa(level);
  (compare_one<T>(8195, 1024, at_once, in_steps), ...);
}

constexpr auto mean_of = [](const auto& x) { return bl::mean(x, 1_c, bl::keepdim); };
constexpr auto largest_of = [](const auto& x) { return bl::amax(x, 1_c, bl::keepdim); };
constexpr auto least_of = [](const auto& x) { return bl::amin(x, 1_c, bl::keepdim); };

}  // namespace

BOOST_AUTO_TEST_SUITE(fuse_row_executor_values)

BOOST_AUTO_TEST_CASE(layer_norm) {
  compare<float, double>(
      [](const auto& x) {
        return (x - mean_of(x)) * bl::rsqrt(bl::var(x, 1_c, bl::keepdim, bl::correction{0}) + 1e-5);
      },
      []<class T>(const matrix<T>& x) {
        const matrix<T> mean = mean_of(x), centred = x - mean, squares = bl::square(centred);
        const matrix<T> sums = bl::sum(squares, 1_c, bl::keepdim), var = sums / static_cast<T>(x.shape()[1]);
        const matrix<T> scale = bl::rsqrt(var + 1e-5);
        return matrix<T>(centred * scale);
      });
}

BOOST_AUTO_TEST_CASE(differences_and_quotients) {
  compare<float, double>([](const auto& x) { return x - mean_of(x); },
                         []<class T>(const matrix<T>& x) {
                           const matrix<T> mean = mean_of(x);
                           return matrix<T>(x - mean);
                         });
  compare<float, double>([](const auto& x) { return x / bl::sum(x, 1_c, bl::keepdim); },
                         []<class T>(const matrix<T>& x) {
                           const matrix<T> sums = bl::sum(x, 1_c, bl::keepdim);
                           return matrix<T>(x / sums);
                         });
  compare<float, double>([](const auto& x) { return (x - least_of(x)) / (largest_of(x) - least_of(x)); },
                         []<class T>(const matrix<T>& x) {
                           const matrix<T> least = least_of(x), range = largest_of(x) - least, above = x - least;
                           return matrix<T>(above / range);
                         });
}

BOOST_AUTO_TEST_CASE(integers) {
  compare<std::int32_t, std::int16_t, std::int64_t>(
      [](const auto& x) { return (x - least_of(x)) * (largest_of(x) - least_of(x)); },
      []<class T>(const matrix<T>& x) {
        const matrix<T> least = least_of(x), range = largest_of(x) - least, above = x - least;
        return matrix<T>(above * range);
      });
}

BOOST_AUTO_TEST_CASE(types_of_different_sizes) {
  compare<float>([](const auto& x) { return x - bl::mean(x, 1_c, bl::keepdim, bl::of_type<double>); },
                 [](const matrix<float>& x) {
                   const matrix<double> mean = bl::mean(x, 1_c, bl::keepdim, bl::of_type<double>);
                   return matrix<double>(x - mean);
                 });
  compare<float, std::int32_t>([](const auto& x) { return bl::where(bl::any(x > 498, 1_c, bl::keepdim), x, x * 2); },
                               []<class T>(const matrix<T>& x) {
                                 const matrix<bool> above = x > 498, any = bl::any(above, 1_c, bl::keepdim);
                                 const matrix<T> twice = x * 2;
                                 return matrix<T>(bl::where(any, x, twice));
                               });
  compare<std::int32_t>([](const auto& x) { return x * bl::sum(x, 1_c, bl::keepdim); },
                        [](const matrix<std::int32_t>& x) {
                          const matrix<std::int64_t> sums = bl::sum(x, 1_c, bl::keepdim);
                          return matrix<std::int64_t>(x * sums);
                        });
}

// Of elements so narrow that a block has more rows than a strip has elements, with a value of several steps each.
BOOST_AUTO_TEST_CASE(values_of_many_rows_of_narrow_elements) {
  const auto value = [](const auto& sums) { return bl::cast<std::int8_t>(bl::sqrt(bl::abs(sums * 0.1))); };
  compare<std::int8_t>([&](const auto& x) { return x ^ value(bl::sum(x, 1_c, bl::keepdim)); },
                       [&](const matrix<std::int8_t>& x) {
                         const matrix<std::int64_t> sums = bl::sum(x, 1_c, bl::keepdim);
                         const matrix<std::int8_t> of_rows = value(sums);
                         return matrix<std::int8_t>(x ^ of_rows);
                       });
}

BOOST_AUTO_TEST_CASE(one_element_of_each_row_in_memory) {
  matrix<float> table = bl::zeros<float>(8195, 3);
  for (bl::index i = 0; i < 8195; ++i) table(i, 1) = static_cast<float>(i % 17) / 4;
  const auto column = [&](const auto& x) { return bl::narrow(bl::narrow(table, 0, 0, x.shape()[0]), 1, 1, 1); };
  compare<float>([&](const auto& x) { return x * column(x) - mean_of(x) / (column(x) + 1); },
                 [&](const matrix<float>& x) {
                   const matrix<float> by = column(x), one_more = by + 1, mean = mean_of(x), less = mean / one_more;
                   const matrix<float> product = x * by;
                   return matrix<float>(product - less);
                 });
}

BOOST_AUTO_TEST_CASE(the_output_may_be_the_input) {
  for (const bl::index rows : {70, 8195}) {
    matrix<float> x = numbers<float>(rows, 1024);
    const matrix<float> mean = mean_of(x), expected = x - mean;
    x = x - mean_of(x);
    BOOST_TEST(same(x, expected));
  }
}

BOOST_AUTO_TEST_SUITE_END()
