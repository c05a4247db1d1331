// A function fused with the sum of its results has the bits of the two steps, and so has what reads the sums: at every
// level, for rows of any length, with infinities and NaN among the elements.
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
matrix<T> numbers(bl::index rows, bl::index n, bool special) {
  using limits = std::numeric_limits<T>;
  matrix<T> x = bl::zeros<T>(rows, n);
  T* to = x.data();
  for (bl::index i = 0; i < rows; ++i)
    for (bl::index j = 0; j < n; ++j) *to++ = static_cast<T>((i * 37 + j * 101) % 1009 - 500) / T{60};
  if (!special) return x;
  const T list[] = {limits::infinity(),
                    -limits::infinity(),
                    limits::quiet_NaN(),
                    T(-0.0),
                    limits::denorm_min(),
                    limits::max(),
                    limits::lowest(),
                    T{-800},
                    T{800},
                    T{0}};
  for (bl::index i = 0; i < rows; ++i) x(i, (i * 211 + 5) % n) = list[i % 10];
  return x;
}

// Equal bits, or both NaN.
template <class T>
bool same(const matrix<T>& a, const matrix<T>& b) {
  const T *x = a.data(), *y = b.data();
  for (bl::index left = a.size(); left > 0; --left, ++x, ++y)
    if (std::memcmp(x, y, sizeof *x) != 0 && (*x == *x || *y == *y)) return false;
  return true;
}

template <class T, class F, class G>
void compare_one(bl::index rows, bl::index n, bool special, const F& at_once, const G& in_steps) {
  const matrix<T> x = numbers<T>(rows, n, special);
  const matrix<T> expected = in_steps(x);
  matrix<T> found = bl::zeros<T>(expected.shape()[0], expected.shape()[1]);
  for (const int threads : {1, 3}) {
    bl::assign(found, at_once(x), bl::par.threads(threads));
    if (!same(found, expected))
      BOOST_ERROR(rows << " x " << n << (special ? " with special numbers" : "") << ", " << threads
                       << " threads, level " << bl::to_string(bl::runtime::active_isa()) << ", " << sizeof(T)
                       << " bytes");
  }
}

// in_steps writes what each step gives to memory of its own.
template <class F, class G>
void compare(const F& at_once, const G& in_steps) {
  const bl::isa level = bl::runtime::active_isa();
  for (const bl::isa l : bl::runtime::every_isa) {
    if (bl::set_isa(l) != l) continue;
    for (const bl::index n : {512, 513, 527, 528, 1000, 1024, 1025, 1543, 5003})
      for (const bl::index rows : {1, 5, 22})
        for (const bool special : {false, true}) {
          compare_one<float>(rows, n, special, at_once, in_steps);
          compare_one<double>(rows, n, special, at_once, in_steps);
        }
  }
  bl::set_isa(level);
}

template <class T>
matrix<T> sums(const matrix<T>& x) {
  return bl::sum(x, 1_c, bl::keepdim);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fuse_map_and_sum_rows)

BOOST_AUTO_TEST_CASE(exponentials_less_the_largest) {
  compare([](const auto& x) { return bl::softmax(x, 1_c); },
          []<class T>(const matrix<T>& x) -> matrix<T> {
            const matrix<T> largest = bl::amax(x, 1_c, bl::keepdim), d = x - largest, e = bl::exp(d), s = sums(e);
            matrix<T> r = bl::zeros<T>(x.shape()[0], x.shape()[1]);
            for (bl::index i = 0; i < x.shape()[0]; ++i)
              for (bl::index j = 0; j < x.shape()[1]; ++j) r(i, j) = e(i, j) / s(i, 0);
            return r;
          });
  compare([](const auto& x) { return bl::log_softmax(x, 1_c); },
          []<class T>(const matrix<T>& x) -> matrix<T> {
            const matrix<T> largest = bl::amax(x, 1_c, bl::keepdim), d = x - largest, e = bl::exp(d), s = sums(e),
                            l = bl::log(s);
            return d - l;
          });
}

BOOST_AUTO_TEST_CASE(sums_of_functions_that_rows_are_divided_by) {
  compare([](const auto& x) { return x / bl::sum(bl::exp2(x), 1_c, bl::keepdim); },
          []<class T>(const matrix<T>& x) -> matrix<T> {
            const matrix<T> e = bl::exp2(x), s = sums(e);
            return x / s;
          });
  compare([](const auto& x) { return x - bl::sum(bl::log(x), 1_c, bl::keepdim); },
          []<class T>(const matrix<T>& x) -> matrix<T> {
            const matrix<T> e = bl::log(x), s = sums(e);
            return x - s;
          });
}

BOOST_AUTO_TEST_CASE(products_with_a_number_and_with_what_a_row_shares) {
  compare([](const auto& x) { return x - bl::sum(bl::exp(-0.25f * x), 1_c, bl::keepdim); },
          []<class T>(const matrix<T>& x) -> matrix<T> {
            const matrix<T> d = -0.25f * x, e = bl::exp(d), s = sums(e);
            return x - s;
          });
  // The product is rounded before the function, which begins with a sum.
  compare([](const auto& x) { return x - bl::sum(bl::exp2(0.3f * x), 1_c, bl::keepdim); },
          []<class T>(const matrix<T>& x) -> matrix<T> {
            const matrix<T> d = 0.3f * x, e = bl::exp2(d), s = sums(e);
            return x - s;
          });
  compare([](const auto& x) { return x - bl::sum(bl::log1p(x * bl::amin(x, 1_c, bl::keepdim)), 1_c, bl::keepdim); },
          []<class T>(const matrix<T>& x) -> matrix<T> {
            const matrix<T> least = bl::amin(x, 1_c, bl::keepdim), d = x * least, e = bl::log1p(d), s = sums(e);
            return x - s;
          });
}

BOOST_AUTO_TEST_CASE(what_is_added_up_may_be_read_by_others_or_by_several) {
  compare(
      [](const auto& x) {
        const auto e = bl::let(bl::exp(x - bl::amax(x, 1_c, bl::keepdim)));
        return e / bl::sum(e, 1_c, bl::keepdim) + bl::amin(e, 1_c, bl::keepdim) * e;
      },
      []<class T>(const matrix<T>& x) -> matrix<T> {
        const matrix<T> largest = bl::amax(x, 1_c, bl::keepdim), d = x - largest, e = bl::exp(d), s = sums(e),
                        least = bl::amin(e, 1_c, bl::keepdim), q = e / s, p = least * e;
        return q + p;
      });
}

// What goes before the function is a difference or product with one number for each row, or anything else.
BOOST_AUTO_TEST_CASE(other_operands_of_the_function) {
  for (const bl::index n : {333, 700}) {
    const bl::index rows = 1000000 / n;  // so many that rows go through the loops at hand
    const matrix<float> x = numbers<float>(rows, n, false) * 0.1f, y = numbers<float>(rows, n, false) * 0.05f + 1.f;
    const matrix<float> column = numbers<float>(rows, 1, false) * 0.1f;
    const bl::dtensor<float, 1> row = bl::linspace<float>(-1, 1, n);
    const bl::dtensor<int, 2> whole = bl::cast<int>(numbers<float>(rows, 1, false)), wholes = bl::cast<int>(x);
    const auto check = [](const auto& argument, const std::string& what) {
      const auto steps = bl::eval(bl::exp(bl::eval(argument)));
      const matrix<float> expected = bl::sum(steps, bl::axes<1>, bl::keepdim),
                          found = bl::sum(bl::exp(argument), bl::axes<1>, bl::keepdim);
      BOOST_TEST(same(found, expected), what);
      const matrix<float> shares = steps / expected,
                          at_once = bl::exp(argument) / bl::sum(bl::exp(argument), bl::axes<1>, bl::keepdim);
      BOOST_TEST(same(at_once, shares), what + ", shares");
    };
    const std::string of = ", rows of " + std::to_string(n);
    check(x - column, "difference" + of);
    check(x * column, "product" + of);
    check(column * x, "product, turned" + of);
    check(column - x, "difference, turned" + of);
    check(x + column, "sum" + of);
    check(x / y, "quotient" + of);
    check(x - y, "difference of rows" + of);
    check(x * y, "product of rows" + of);
    check(x - row, "difference to one row" + of);
    check(x * row, "product with one row" + of);
    check(x - whole, "difference to integers" + of);
    check(x * whole, "product with integers" + of);
    check(whole * x, "product of integers" + of);
    check(wholes - column, "difference of integers" + of);
    check(x - 2, "difference to a number" + of);
    check(bl::maximum(x, column), "the larger" + of);
  }
}

BOOST_AUTO_TEST_SUITE_END()
