// Random fills: Philox4x32-10 to the letter, the same for any cut, thread count and level, and with the right moments.
#include <broadloom/core/isa.hpp>
#include <broadloom/eval/scheduler.hpp>
#include <broadloom/tensor/generator.hpp>

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace bl = broadloom;
namespace rt = broadloom::runtime;

namespace {

using words = std::array<std::uint32_t, 4>;

// Philox4x32 with ten rounds as its authors define it (Salmon et al., SC 2011), written a second time.
words philox(words c, std::uint32_t k0, std::uint32_t k1) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t(0xD2511F53u) * c[0];
    const std::uint64_t b = std::uint64_t(0xCD9E8D57u) * c[2];
    c = {static_cast<std::uint32_t>(b >> 32) ^ c[1] ^ k0, static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32) ^ c[3] ^ k1, static_cast<std::uint32_t>(a)};
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return c;
}

words block(std::uint64_t seed, std::uint64_t number, std::uint32_t kind) {
  return philox({static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32), kind, 0},
                static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32));
}

double unit53(std::uint32_t low, std::uint32_t high) {
  return std::ldexp(static_cast<double>((std::uint64_t(high) << 32 | low) >> 11), -53);
}

struct uniform {
  template <class T>
  void operator()(T* out, bl::index n, std::uint64_t seed, std::uint64_t position, int threads) const {
    rt::fill_uniform(out, n, seed, position, threads);
  }
};
struct normal {
  template <class T>
  void operator()(T* out, bl::index n, std::uint64_t seed, std::uint64_t position, int threads) const {
    rt::fill_normal(out, n, seed, position, threads);
  }
};

template <class T, class Fill>
std::vector<T> draws(Fill fill, bl::index n, std::uint64_t seed, std::uint64_t position, int threads = 1) {
  std::vector<T> out(static_cast<std::size_t>(n) + 1, T(-77));
  fill(out.data(), n, seed, position, threads);
  BOOST_TEST(out.back() == T(-77), "written past the end");
  out.pop_back();
  return out;
}

template <class T>
std::vector<T> part(const std::vector<T>& all, bl::index first, bl::index n) {
  return {all.begin() + first, all.begin() + first + n};
}

// Every draw depends on its place alone: any cut of the stream gives the same values.
template <class T, class Fill>
void check_cuts(Fill fill) {
  constexpr std::uint64_t start = 1000003;
  const auto all = draws<T>(fill, 40000, 5, start);
  for (const bl::index first : {0, 1, 2, 3, 5, 509, 511, 512, 513, 8191, 20001})
    for (const bl::index n : {0, 1, 2, 3, 4, 5, 7, 511, 512, 513, 1030, 17000})
      BOOST_TEST((draws<T>(fill, n, 5, start + static_cast<std::uint64_t>(first)) == part(all, first, n)),
                 "the draws " << first << " to " << first + n);
  for (const auto which : {bl::scheduler::tbb, bl::scheduler::threads}) {
    bl::set_scheduler(which);
    for (const int threads : {0, 2, 3, 8})
      BOOST_TEST((draws<T>(fill, 40000, 5, start, threads) == all), threads << " threads");
  }
  bl::set_scheduler(bl::scheduler::tbb);
  BOOST_TEST((draws<T>(fill, 1000, 6, start) != part(all, 0, 1000)));
  BOOST_TEST((draws<T>(fill, 1000, 5 + (std::uint64_t(1) << 40), start) != part(all, 0, 1000)));
  // The stream is a ring.
  const auto around = draws<T>(fill, 2000, 5, std::uint64_t(0) - 1000);
  BOOST_TEST((part(around, 1000, 1000) == draws<T>(fill, 1000, 5, 0)));
}

struct moments {
  double mean = 0;
  double variance = 0;
  double skewness = 0;
  double kurtosis = 0;
  double neighbours = 0;  // correlation of each draw with the next
};

template <class T>
moments moments_of(const std::vector<T>& x) {
  const double n = static_cast<double>(x.size());
  moments m;
  for (const T v : x) m.mean += double(v) / n;
  double previous = 0;
  for (const T v : x) {
    const double d = double(v) - m.mean;
    m.variance += d * d / n;
    m.skewness += d * d * d / n;
    m.kurtosis += d * d * d * d / n;
    m.neighbours += d * previous / n;
    previous = d;
  }
  m.skewness /= std::pow(m.variance, 1.5);
  m.kurtosis /= m.variance * m.variance;
  m.neighbours /= m.variance;
  return m;
}

// Kolmogorov's statistic times sqrt(n): above 1.95 once in a thousand true samples.
template <class T, class Distribution>
double kolmogorov(std::vector<T> x, Distribution below) {
  std::sort(x.begin(), x.end());
  const double n = static_cast<double>(x.size());
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double p = below(double(x[i]));
    worst = std::max({worst, p - double(i) / n, double(i + 1) / n - p});
  }
  return worst * std::sqrt(n);
}

template <class T>
void check_statistics() {
  constexpr bl::index n = 200000;
  const double sigma = 1 / std::sqrt(double(n));
  const auto u = draws<T>(uniform(), n, 2024, 0);
  const moments mu = moments_of(u);
  BOOST_TEST(*std::min_element(u.begin(), u.end()) >= T(0));
  BOOST_TEST(*std::max_element(u.begin(), u.end()) < T(1));
  BOOST_TEST(std::abs(mu.mean - 0.5) < 4 * sigma * std::sqrt(1 / 12.0));
  BOOST_TEST(std::abs(mu.variance - 1 / 12.0) < 4 * sigma * std::sqrt(1 / 180.0));
  BOOST_TEST(std::abs(mu.neighbours) < 4 * sigma);
  BOOST_TEST(kolmogorov(u, [](double x) { return x; }) < 1.95);

  const auto z = draws<T>(normal(), n, 2024, 0);
  const moments mz = moments_of(z);
  BOOST_TEST(std::abs(mz.mean) < 4 * sigma);
  BOOST_TEST(std::abs(mz.variance - 1) < 4 * sigma * std::sqrt(2.0));
  BOOST_TEST(std::abs(mz.skewness) < 4 * sigma * std::sqrt(6.0));
  BOOST_TEST(std::abs(mz.kurtosis - 3) < 4 * sigma * std::sqrt(24.0));
  BOOST_TEST(std::abs(mz.neighbours) < 4 * sigma);
  BOOST_TEST(kolmogorov(z, [](double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }) < 1.95);
}

struct level_restored {
  bl::isa before = rt::active_isa();
  ~level_restored() { bl::set_isa(before); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(tensor_generator, level_restored)

BOOST_AUTO_TEST_CASE(the_second_philox_gives_its_authors_answers) {
  const words zero = philox({0, 0, 0, 0}, 0, 0);
  BOOST_TEST((zero == words{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}));
  constexpr std::uint32_t ones = 0xffffffffu;
  const words one = philox({ones, ones, ones, ones}, ones, ones);
  BOOST_TEST((one == words{0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}));
}

BOOST_AUTO_TEST_CASE(draws_are_the_words_of_philox) {
  for (const std::uint64_t seed : {std::uint64_t(0), std::uint64_t(42), ~std::uint64_t(0)})
    for (const std::uint64_t start : {std::uint64_t(0), std::uint64_t(1) << 40, (std::uint64_t(1) << 62) - 8}) {
      const auto f = draws<float>(uniform(), 16, seed, start);
      const auto d = draws<double>(uniform(), 16, seed, start);
      for (std::size_t i = 0; i < 16; ++i) {
        BOOST_TEST(f[i] == std::ldexp(static_cast<float>(block(seed, (start + i) / 4, 0)[i % 4] >> 8), -24));
        const words w = block(seed, (start + i) / 2, 1);
        BOOST_TEST(d[i] == unit53(w[i % 2 * 2], w[i % 2 * 2 + 1]));
      }
    }
}

BOOST_AUTO_TEST_CASE(normal_draws_are_box_and_mullers) {
  for (std::uint64_t pair = 0; pair < 2000; ++pair) {
    const auto d = draws<double>(normal(), 2, 9, 2 * pair);
    const words w = block(9, pair, 3);
    const double radius = std::sqrt(-2 * std::log(unit53(w[0], w[1]) + 0x1p-53));
    const double angle = 2 * std::numbers::pi * unit53(w[2], w[3]);
    BOOST_TEST(std::abs(d[0] - radius * std::cos(angle)) < 1e-14);
    BOOST_TEST(std::abs(d[1] - radius * std::sin(angle)) < 1e-14);

    const auto f = draws<float>(normal(), 2, 9, 2 * pair);
    const words v = block(9, pair / 2, 2);
    const std::size_t at = pair % 2 * 2;
    const double radius32 = std::sqrt(-2 * std::log((double(v[at]) + 1) * 0x1p-32));
    const double angle32 = 2 * std::numbers::pi * double(v[at + 1] >> 8) * 0x1p-24;
    BOOST_TEST(std::abs(double(f[0]) - radius32 * std::cos(angle32)) < 4e-6);
    BOOST_TEST(std::abs(double(f[1]) - radius32 * std::sin(angle32)) < 4e-6);
  }
}

BOOST_AUTO_TEST_CASE(a_draw_depends_on_seed_and_place_alone) {
  check_cuts<float>(uniform());
  check_cuts<double>(uniform());
  check_cuts<float>(normal());
  check_cuts<double>(normal());
}

BOOST_AUTO_TEST_CASE(uniform_draws_are_the_same_at_every_level_and_normal_ones_nearly) {
  const auto u = draws<float>(uniform(), 5000, 1, 3);
  const auto z = draws<double>(normal(), 5000, 1, 3);
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    BOOST_TEST((draws<float>(uniform(), 5000, 1, 3) == u));
    const auto other = draws<double>(normal(), 5000, 1, 3);
    double worst = 0;
    for (std::size_t i = 0; i < z.size(); ++i) worst = std::max(worst, std::abs(other[i] - z[i]));
    BOOST_TEST(worst < 1e-14);
    if (level != bl::isa::base && before != bl::isa::base) BOOST_TEST(worst == 0.0);
  }
}

BOOST_AUTO_TEST_CASE(draws_have_the_right_distribution) {
  check_statistics<float>();
  check_statistics<double>();
}

BOOST_AUTO_TEST_CASE(a_generator_is_its_seed_and_its_place) {
  bl::generator g(7);
  BOOST_TEST(g.seed() == 7u);
  BOOST_TEST(g.position() == 0u);
  BOOST_TEST(g.draw(10) == 0u);
  BOOST_TEST(g.draw(0) == 10u);
  BOOST_TEST(g.draw(5) == 10u);
  BOOST_TEST(g.position() == 15u);
  BOOST_TEST((g == bl::generator(7, 15)));
  static_assert(bl::generator(1) != bl::generator(2));
}

BOOST_AUTO_TEST_SUITE_END()
