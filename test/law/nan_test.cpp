// What is NaN at one level is NaN at every level and as a single element; which NaN it is, is no promise
// (docs/reference/guarantees.md, Bits).
// Build: clang-too
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <broadloom/core/isa.hpp>
#include <broadloom/fn/function.hpp>

namespace {

namespace bl = broadloom;
using bl::runtime::accuracy;
using bl::runtime::maths1;
using bl::runtime::maths2;

template <class T>
std::vector<T> special() {
  using l = std::numeric_limits<T>;
  std::vector<T> r;
  for (const T a : {T(0),          l::denorm_min(),
                    l::min(),      T(1e-30),
                    T(0.5),        std::nextafter(T(1), T(0)),
                    T(1),          std::nextafter(T(1), T(2)),
                    T(1.5),        T(2),
                    T(3),          T(10),
                    T(33),         T(88.5),
                    T(1000),       T(3e4),
                    T(1e7),        T(1e10),
                    T(1e30),       l::max(),
                    l::infinity(), l::quiet_NaN()}) {
    r.push_back(a);
    r.push_back(-a);
  }
  return r;
}

// For every level: where f is NaN, one character for each result.
template <class Run>
void check(const std::string& name, std::size_t n, const Run& run) {
  std::string first;
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    std::string places;
    for (const auto x : run(n)) places += std::isnan(x) ? 'n' : '.';
    if (first.empty()) first = places;
    BOOST_TEST(places == first, name << " at level " << bl::to_string(level));
  }
  bl::set_isa(bl::runtime::highest_isa());
}

template <class T>
void check_all() {
  const std::vector<T> x = special<T>();
  std::vector<T> p, q;
  for (const T a : x)
    for (const T b : x) {
      p.push_back(a);
      q.push_back(b);
    }
  for (const accuracy a : {accuracy::accurate, accuracy::fast})
    for (int i = 0; i < bl::runtime::maths1_count; ++i) {
      const auto f = static_cast<maths1>(i);
      check("function " + std::to_string(i), x.size(), [&](std::size_t n) {
        std::vector<T> r(n);
        bl::runtime::map1(f, a, x.data(), r.data(), static_cast<bl::index>(n));
        return r;
      });
      if (a == accuracy::accurate)
        for (const T v : x) {
          T r{};
          bl::runtime::map1(f, a, &v, &r, 1);
          BOOST_TEST(std::isnan(r) == std::isnan(bl::detail::one_element(f, v)), "function " << i << " of " << v);
        }
    }
  for (const accuracy a : {accuracy::accurate, accuracy::fast})
    for (int i = 0; i < bl::runtime::maths2_count; ++i)
      check("function " + std::to_string(i) + " of two", p.size(), [&](std::size_t n) {
        std::vector<T> r(n);
        bl::runtime::map2(static_cast<maths2>(i), a, p.data(), q.data(), r.data(), static_cast<bl::index>(n));
        return r;
      });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(law_nan)

BOOST_AUTO_TEST_CASE(levels_agree_on_where_floats_are_not_numbers) { check_all<float>(); }
BOOST_AUTO_TEST_CASE(levels_agree_on_where_doubles_are_not_numbers) { check_all<double>(); }

BOOST_AUTO_TEST_SUITE_END()
