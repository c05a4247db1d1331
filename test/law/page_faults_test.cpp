// Calls that are repeated take no pages from the system: large results and scratch come from the blocks that are kept.
// law/every_page_faults_test asks every row of bench/every.txt.
#include <broadloom_test.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <limits>

#include <broadloom/broadloom.hpp>
#include <broadloom/index/sets.hpp>
#include <broadloom/linalg/products.hpp>
#include <broadloom/linalg/solve.hpp>
#include <broadloom/signal/resample.hpp>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define BROADLOOM_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BROADLOOM_SANITIZED
#endif

namespace {

namespace bl = broadloom;

long faults() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return used.ru_minflt;
}

// The least of several calls: the system may take pages away between two of them.
template <class F>
void check(const char* name, const F& f) {
  f();
  f();
  long least = std::numeric_limits<long>::max();
  for (int k = 0; k < 8 && least > 0; ++k) {
    const long before = faults();
    f();
    least = std::min(least, faults() - before);
  }
  BOOST_TEST(least == 0, name << ": " << least << " page faults");
}

}  // namespace

BOOST_AUTO_TEST_CASE(repeated_calls_take_no_pages) {
#ifdef BROADLOOM_SANITIZED
  BOOST_TEST_MESSAGE("sanitizers keep what is freed for themselves");
#else
  bl::set_max_threads(1);
  constexpr bl::index n = bl::index{1} << 20;
  bl::dtensor<float, 1> x(n), y(n);
  bl::dtensor<bl::index, 1> at(n);
  unsigned state = 1;
  for (bl::index i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    x(i) = static_cast<float>(state >> 8) * 0x1p-22f - 2;
    y(i) = static_cast<float>(state >> 12);
    at(i) = static_cast<bl::index>(state >> 12);
  }
  const auto m = bl::eval(bl::reshape(x, 1024, 1024));
  const auto line = bl::eval(bl::reshape(x, 2, 4, n / 8));
  check("x + y", [&] { static_cast<void>(bl::eval(x + y)); });
  for (const bl::index some : {4096, 8192, 16384, 65536}) {
    const auto a = bl::eval(x(bl::range(0, some))), b = bl::eval(y(bl::range(0, some)));
    check("a + b", [&] { static_cast<void>(bl::eval(a + b)); });
    check("a > b", [&] { static_cast<void>(bl::eval(a > b)); });
  }
  check("sort", [&] { static_cast<void>(bl::sort(x, 0)); });
  check("sort of columns", [&] { static_cast<void>(bl::sort(m, 0)); });
  check("unique", [&] { static_cast<void>(bl::unique(x)); });
  check("union1d", [&] { static_cast<void>(bl::union1d(x, y)); });
  check("setdiff1d", [&] { static_cast<void>(bl::setdiff1d(x, y)); });
  check("bincount", [&] { static_cast<void>(bl::bincount(at)); });
  check("gather", [&] { static_cast<void>(bl::eval(x(at))); });
  check("nonzero", [&] { static_cast<void>(bl::nonzero(x > 0)); });
  check("roll", [&] { static_cast<void>(bl::eval(bl::roll(x, 5))); });
  check("sum of columns", [&] { static_cast<void>(bl::eval(bl::sum(m, bl::axes<0>))); });
  const auto square = bl::eval(bl::cast<double>(bl::slice(m, bl::range(0, 160), bl::range(0, 160))));
  check("qr", [&] { static_cast<void>(bl::qr(square, bl::reduced)); });
  check("matmul", [&] { static_cast<void>(bl::matmul(m, m)); });
  check("interpolate", [&] { static_cast<void>(bl::interpolate(line, bl::scale_factor{2}, bl::resampling::linear)); });
#endif
}
