// Draws from distributions with parameters: gamma, beta, Poisson, binomial and truncated normal. A draw at a place
// has blocks of random bits of its own, numbered by attempt, so that rejected attempts move no other draw.
#include <broadloom/core/maths.hpp>
#include <broadloom/random/draws.hpp>

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "random_fill.hpp"
#include "random_kernels.hpp"

namespace broadloom::runtime {

namespace {

constexpr double infinity = __builtin_huge_val();

double logarithm(double x) noexcept {
  map1(maths1::log, accuracy::accurate, &x, &x, 1);
  return x;
}
double logarithm_1p(double x) noexcept {
  map1(maths1::log1p, accuracy::accurate, &x, &x, 1);
  return x;
}
double exponential(double x) noexcept {
  map1(maths1::exp, accuracy::accurate, &x, &x, 1);
  return x;
}

// Two uniform numbers in (0, 1] for each block.
void uniform_pairs(double* out, int n, const philox_call& c) noexcept {
  std::uint32_t w[4 * random_strip];
  random_table().words(c, w, n);
  random_table().positive_f64(w, out, 2 * n);
}
// A normal number for each block (Box and Muller).
void normals(double* out, int n, const philox_call& c) noexcept {
  std::uint32_t w[4 * random_strip];
  double u[random_strip], angle[random_strip];
  random_table().words(c, w, n);
  random_table().pairs_f64(w, u, angle, n);
  map1(maths1::log, accuracy::accurate, u, u, n);
  map1(maths1::cos, accuracy::accurate, angle, angle, n);
  random_table().radial_f64(u, angle, out, n);
}

// The draws of a strip that are not yet accepted. A round makes a proposal for each; those that are rejected remain.
struct pending {
  int count = 0;
  int at[random_strip];
  std::uint64_t places[random_strip];

  void add(int i, std::uint64_t place) {
    at[count] = i;
    places[count++] = place;
  }
};

// Marsaglia and Tsang, A simple method for generating gamma variables (2000): d (1 + c x)^3 with d = a - 1/3,
// c = 1 / sqrt(9 d) and normal x, accepted by a uniform number; of a < 1 that of a + 1, times w^(1/a) with uniform w.
struct gamma_draws {
  draw_kind normal_kind, uniform_kind;

  // Gamma draws, or their logarithms. a[i] >= 0.
  void run(double* out, int n, const double* a, std::uint64_t seed, const std::uint64_t* places,
           bool logarithms) const {
    double power[random_strip];
    bool below_1 = false;
    pending left;
    for (int i = 0; i < n; ++i) {
      below_1 = below_1 || a[i] < 1;
      left.add(i, places[i]);
    }
    for (std::uint32_t attempt = 0; left.count > 0; ++attempt) propose(left, out, power, a, seed, attempt);
    if (below_1) {
      map1(maths1::log, accuracy::accurate, power, power, n);
      for (int i = 0; i < n; ++i) power[i] = a[i] == 0 ? -infinity : a[i] < 1 ? power[i] / a[i] : 0;
    }
    if (logarithms) {
      map1(maths1::log, accuracy::accurate, out, out, n);
      if (below_1)
        for (int i = 0; i < n; ++i) out[i] += power[i];
    } else if (below_1) {
      map1(maths1::exp, accuracy::accurate, power, power, n);
      for (int i = 0; i < n; ++i) out[i] *= power[i];
    }
  }

 private:
  void propose(pending& left, double* out, double* power, const double* a, std::uint64_t seed,
               std::uint32_t attempt) const {
    double x[random_strip], uw[2 * random_strip], logs[2 * random_strip], limit[random_strip], scale[random_strip];
    int unsure[random_strip], tests = 0, rejected = 0;
    normals(x, left.count, {seed, 0, left.places, normal_kind, attempt});
    uniform_pairs(uw, left.count, {seed, 0, left.places, uniform_kind, attempt});
    double last = -1, d = 0, c = 0;
    for (int j = 0; j < left.count; ++j) {
      const int i = left.at[j];
      if (a[i] != last) {
        last = a[i];
        d = (last < 1 ? last + 1 : last) - 1.0 / 3;
        c = 1 / (3 * std::sqrt(d));
      }
      const double t = 1 + c * x[j], square = x[j] * x[j], cube = t * t * t, u = uw[2 * j];
      out[i] = d * cube;
      power[i] = uw[2 * j + 1];
      if (t > 0 && u < 1 - 0.0331 * (square * square)) [[likely]]
        continue;
      if (t > 0) {
        unsure[tests] = j;
        logs[2 * tests] = u;
        logs[2 * tests + 1] = cube;
        limit[tests] = 0.5 * square + d * (1 - cube);
        scale[tests++] = d;
      } else {
        unsure[tests] = j;
        logs[2 * tests] = logs[2 * tests + 1] = 1;
        limit[tests] = scale[tests] = 0;
        ++tests;
      }
    }
    map1(maths1::log, accuracy::accurate, logs, logs, 2 * tests);
    for (int k = 0; k < tests; ++k) {
      if (logs[2 * k] < limit[k] + scale[k] * logs[2 * k + 1]) continue;
      left.at[rejected] = left.at[unsure[k]];
      left.places[rejected++] = left.places[unsure[k]];
    }
    left.count = rejected;
  }
};
constexpr gamma_draws gamma_of_gamma{draw_kind::gamma_normal, draw_kind::gamma_uniform},
    gamma_of_log_gamma{draw_kind::log_gamma_normal, draw_kind::log_gamma_uniform},
    first_of_beta{draw_kind::beta_normal, draw_kind::beta_uniform},
    second_of_beta{draw_kind::second_beta_normal, draw_kind::second_beta_uniform};

// x / (x + y) of gamma draws x and y (Devroye 1986, theorem IX.3.1), from their logarithms, which stay finite where a
// and b are small.
void beta_draws(double* out, int n, const double* a, const double* b, std::uint64_t seed, const std::uint64_t* places) {
  double y[random_strip];
  first_of_beta.run(out, n, a, seed, places, true);
  second_of_beta.run(y, n, b, seed, places, true);
  for (int i = 0; i < n; ++i) out[i] = y[i] - out[i];
  map1(maths1::exp, accuracy::accurate, out, out, n);
  for (int i = 0; i < n; ++i) out[i] = 1 / (1 + out[i]);
}

// log(k!) - ((k + 1/2) log(k + 1) - (k + 1) + log(2 pi) / 2): Stirling's series, exact values for the first ten.
double stirling_rest(double k) noexcept {
  static constexpr double first[] = {
      0.08106146679532726, 0.04134069595540929, 0.02767792568499834, 0.02079067210376509,  0.01664469118982119,
      0.01387612882307075, 0.01189670994589177, 0.01041126526197209, 0.009255462182712733, 0.008330563433362871};
  if (k < 10) return first[static_cast<int>(k)];
  const double n = k + 1, r = 1 / (n * n);
  return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - 1.0 / 1680 * r) * r) * r) / n;
}

// Inversion by a search from 0 upwards (Devroye 1986, III.2.1): the first k at which the distribution function is not
// below u. What is known of the function is kept for the next draw.
class searched {
 public:
  // ratio(k): probability of k + 1 over that of k.
  template <class Ratio>
  double operator()(double u, const Ratio& ratio) {
    int k = 0;
    while (u > below_[k]) {
      if (k + 1 == known_) {
        probability_ *= ratio(k);
        const double next = below_[k] + probability_;
        if (k + 1 == most || !(next > below_[k])) break;
        below_[known_++] = next;
      }
      ++k;
    }
    return k;
  }
  void begin(double of_zero) {
    below_[0] = probability_ = of_zero;
    known_ = 1;
  }

 private:
  static constexpr int most = 160;
  double below_[most];
  double probability_ = 0;
  int known_ = 0;
};

// What transformed rejection compares: log(value) with the logarithm of a probability, made of log1p of two small
// numbers.
struct rejection_tests {
  int count = 0;
  int of[random_strip];
  double value[random_strip], small[2 * random_strip], factor[2 * random_strip], rest[random_strip];

  void add(int j) {
    of[count] = j;
    small[2 * count] = small[2 * count + 1] = factor[2 * count] = factor[2 * count + 1] = rest[count] = 0;
    value[count++] = 1;
  }
  // The pending draws that fail remain.
  void decide(pending& left) {
    map1(maths1::log, accuracy::accurate, value, value, count);
    map1(maths1::log1p, accuracy::accurate, small, small, 2 * count);
    int rejected = 0;
    for (int k = 0; k < count; ++k) {
      if (value[k] <= rest[k] + factor[2 * k] * small[2 * k] + factor[2 * k + 1] * small[2 * k + 1]) continue;
      left.at[rejected] = left.at[of[k]];
      left.places[rejected++] = left.places[of[k]];
    }
    left.count = rejected;
  }
  // No proposal is accepted with this.
  void refuse() { rest[count - 1] = -infinity; }
};

// Means below 10 by search; else Hormann, The transformed rejection method for generating Poisson random variables
// (1993), algorithm PTRS.
class poisson_draws {
 public:
  void run(double* out, int n, const double* means, std::uint64_t seed, const std::uint64_t* places) {
    pending left;
    for (int i = 0; i < n; ++i) left.add(i, places[i]);
    for (std::uint32_t attempt = 0; left.count > 0; ++attempt) {
      double uv[2 * random_strip];
      uniform_pairs(uv, left.count, {seed, 0, left.places, draw_kind::poisson, attempt});
      rejection_tests tests;
      for (int j = 0; j < left.count; ++j)
        propose(out[left.at[j]], means[left.at[j]], uv[2 * j], uv[2 * j + 1], j, tests);
      tests.decide(left);
    }
  }

 private:
  void propose(double& out, double mean, double u, double v, int j, rejection_tests& tests) {
    if (mean != mean_) begin(mean);
    if (mean < 10) {
      out = search_(u, [mean](int k) { return mean / (k + 1); });
      return;
    }
    const double x = u - 0.5, us = 0.5 - std::fabs(x);
    const double k = out = std::floor((2 * a_ / us + b_) * x + mean + 0.43);
    if (us >= 0.07 && v <= quick_) return;
    tests.add(j);
    if (!(k >= 0 && k < infinity) || (us < 0.013 && v > us)) return tests.refuse();
    // log(mean^k e^-mean / k!) by Stirling's series, without differences of large numbers.
    const int t = tests.count - 1;
    const double over = k + 1 - mean;
    tests.value[t] = v * inverse_alpha_ / (a_ / (us * us) + b_);
    tests.small[2 * t] = over / mean;
    tests.factor[2 * t] = -(k + 0.5);
    tests.rest[t] = over - of_mean_ - stirling_rest(k);
  }
  void begin(double mean) {
    mean_ = mean;
    if (mean < 10) return search_.begin(exponential(-mean));
    b_ = 0.931 + 2.53 * std::sqrt(mean);
    a_ = -0.059 + 0.02483 * b_;
    inverse_alpha_ = 1.1239 + 1.1328 / (b_ - 3.4);
    quick_ = 0.9277 - 3.6224 / (b_ - 2);
    of_mean_ = 0.5 * logarithm(mean) + 0.91893853320467274178;  // log(2 pi) / 2
  }

  double mean_ = -1, a_ = 0, b_ = 0, inverse_alpha_ = 0, quick_ = 0, of_mean_ = 0;
  searched search_;
};

// Where n min(p, 1 - p) is below 10, by search; else Hormann, The generation of binomial random variates (1993),
// algorithm BTRS.
class binomial_draws {
 public:
  void run(double* out, int n, const double* counts, const double* p, std::uint64_t seed, const std::uint64_t* places) {
    pending left;
    for (int i = 0; i < n; ++i) left.add(i, places[i]);
    for (std::uint32_t attempt = 0; left.count > 0; ++attempt) {
      double uv[2 * random_strip];
      uniform_pairs(uv, left.count, {seed, 0, left.places, draw_kind::binomial, attempt});
      rejection_tests tests;
      for (int j = 0; j < left.count; ++j) {
        const int i = left.at[j];
        if (counts[i] != n_ || p[i] != p_) begin(counts[i], p[i]);
        const double k = propose(uv[2 * j], uv[2 * j + 1], j, tests);
        out[i] = p_ > 0.5 ? n_ - k : k;
      }
      tests.decide(left);
    }
  }

  // A draw by search, given log1p(-min(p, 1 - p)) and the first of the place's uniform numbers.
  static constexpr double least_not_searched = 10;
  double search(double n, double p, double of_p, double u) {
    set(n, p);
    search_.begin(exponential(n * of_p));
    const double k = search_(u, [this](int i) { return (n_ - i) / (i + 1) * odds_; });
    return p > 0.5 ? n - k : k;
  }

 private:
  double set(double n, double p) {
    n_ = n;
    p_ = p;
    const double q = p > 0.5 ? 1 - p : p;
    mean_ = n * q;
    odds_ = q / (1 - q);
    return q;
  }
  void begin(double n, double p) {
    const double q = set(n, p);
    if (mean_ < least_not_searched) return search_.begin(exponential(n * logarithm_1p(-q)));
    const double deviation = std::sqrt(mean_ * (1 - q));
    b_ = 1.15 + 2.53 * deviation;
    a_ = -0.0873 + 0.0248 * b_ + 0.01 * q;
    center_ = mean_ + 0.5;
    alpha_ = (2.83 + 5.1 / b_) * deviation;
    quick_ = 0.92 - 4.2 / b_;
    mode_ = std::floor((n + 1) * q);
    of_mode_ = stirling_rest(mode_) + stirling_rest(n - mode_) - (mode_ + 0.5) * logarithm_1p(ratio(mode_));
  }
  // odds (n - k + 1) / (k + 1) - 1, near 0.
  double ratio(double k) const { return std::fma(odds_, n_ - k + 1, -(k + 1)) / (k + 1); }
  double propose(double u, double v, int j, rejection_tests& tests) {
    if (mean_ < least_not_searched) return search_(u, [this](int i) { return (n_ - i) / (i + 1) * odds_; });
    const double x = u - 0.5, us = 0.5 - std::fabs(x);
    const double k = std::floor((2 * a_ / us + b_) * x + center_);
    if (us >= 0.07 && v <= quick_) return k;
    tests.add(j);
    if (!(k >= 0 && k <= n_)) {
      tests.refuse();
      return k;
    }
    const int t = tests.count - 1;
    tests.value[t] = v * alpha_ / (a_ / (us * us) + b_);
    tests.small[2 * t] = (k - mode_) / (n_ - k + 1);
    tests.factor[2 * t] = n_ + 1;
    tests.small[2 * t + 1] = ratio(k);
    tests.factor[2 * t + 1] = k + 0.5;
    tests.rest[t] = of_mode_ - stirling_rest(k) - stirling_rest(n_ - k);
    return k;
  }

  double n_ = -1, p_ = -1, mean_ = 0, odds_ = 0, a_ = 0, b_ = 0, center_ = 0, alpha_ = 0, quick_ = 0, mode_ = 0,
         of_mode_ = 0;
  searched search_;
};

// Robert, Simulation of truncated normal variables (1995): normal, uniform or exponential proposals, by where the
// bounds lie.
class truncated_normal_draws {
 public:
  void run(double* out, int n, const double* const* p, std::uint64_t seed, const std::uint64_t* places) {
    pending wide, other;
    for (int i = 0; i < n; ++i) {
      const bounds b(p, i);
      (b.a <= 0 && b.b >= 0 && b.b - b.a >= 2.5066282746310002 ? wide : other).add(i, places[i]);
    }
    for (std::uint32_t attempt = 0; wide.count > 0; ++attempt) propose_normal(wide, out, p, seed, attempt);
    for (std::uint32_t attempt = 0; other.count > 0; ++attempt) propose_other(other, out, p, seed, attempt);
    for (int i = 0; i < n; ++i) out[i] = out[i] < p[2][i] ? p[2][i] : out[i] > p[3][i] ? p[3][i] : out[i];
  }

 private:
  static constexpr auto kind = draw_kind::truncated_normal;
  struct bounds {
    double a, b, width;
    bounds(const double* const* p, int i)
        : a((p[2][i] - p[0][i]) / p[1][i]), b((p[3][i] - p[0][i]) / p[1][i]), width((p[3][i] - p[2][i]) / p[1][i]) {}
  };

  // The bounds are sqrt(2 pi) apart or more, on both sides of the mean.
  static void propose_normal(pending& left, double* out, const double* const* p, std::uint64_t seed,
                             std::uint32_t attempt) {
    double x[random_strip];
    normals(x, left.count, {seed, 0, left.places, kind, attempt});
    int rejected = 0;
    for (int j = 0; j < left.count; ++j) {
      const int i = left.at[j];
      const bounds b(p, i);
      out[i] = p[0][i] + p[1][i] * x[j];
      if (x[j] >= b.a && x[j] <= b.b) continue;
      left.at[rejected] = i;
      left.places[rejected++] = left.places[j];
    }
    left.count = rejected;
  }
  // Nearer bounds around the mean: uniform proposals. Bounds on one side of it: exponential ones, uniform in a narrow
  // range, of how far beyond the nearer bound.
  static void propose_other(pending& left, double* out, const double* const* p, std::uint64_t seed,
                            std::uint32_t attempt) {
    double uv[2 * random_strip], logs[random_strip], exponent[random_strip];
    uniform_pairs(uv, left.count, {seed, 0, left.places, kind, attempt});
    for (int j = 0; j < left.count; ++j) logs[j] = uv[2 * j];
    map1(maths1::log, accuracy::accurate, logs, logs, left.count);
    for (int j = 0; j < left.count; ++j) {
      const int i = left.at[j];
      const bounds b(p, i);
      if (b.a <= 0 && b.b >= 0) {
        const double x = b.a + b.width * uv[2 * j];
        out[i] = p[0][i] + p[1][i] * x;
        exponent[j] = -0.5 * x * x;
        continue;
      }
      const double a = b.a > 0 ? b.a : -b.b, sum = a + std::sqrt(a * a + 4);
      const bool narrow = b.width <= 2 / sum * exponential(0.5 - a / sum);
      const double e = narrow ? b.width * uv[2 * j] : -2 * logs[j] / sum, rest = e - 2 / sum;
      out[i] = b.a > 0 ? p[2][i] + p[1][i] * e : p[3][i] - p[1][i] * e;
      exponent[j] = e > b.width ? -infinity : narrow ? -0.5 * e * (2 * a + e) : -0.5 * rest * rest;
    }
    map1(maths1::exp, accuracy::accurate, exponent, exponent, left.count);
    int rejected = 0;
    for (int j = 0; j < left.count; ++j) {
      if (uv[2 * j + 1] <= exponent[j]) continue;
      left.at[rejected] = left.at[j];
      left.places[rejected++] = left.places[j];
    }
    left.count = rejected;
  }
};

[[noreturn]] void refuse(const char* function, const char* parameter, double given, const char* rule) {
  char number[32];
  std::snprintf(number, sizeof number, "%.17g", given);
  throw std::invalid_argument(std::string(function) + ": " + parameter + " is " + number + ", and must be " + rule);
}

// All draws of one kind, a strip at a time.
void draw_strip(double* out, int n, distribution d, const double* const* p, std::uint64_t seed,
                const std::uint64_t* places) {
  switch (d) {
    case distribution::gamma: return gamma_of_gamma.run(out, n, p[0], seed, places, false);
    case distribution::log_gamma: return gamma_of_log_gamma.run(out, n, p[0], seed, places, true);
    case distribution::beta: return beta_draws(out, n, p[0], p[1], seed, places);
    case distribution::poisson: return poisson_draws{}.run(out, n, p[0], seed, places);
    case distribution::binomial: return binomial_draws{}.run(out, n, p[0], p[1], seed, places);
    case distribution::truncated_normal: return truncated_normal_draws{}.run(out, n, p, seed, places);
  }
}

constexpr int parameter_count(distribution d) {
  switch (d) {
    case distribution::gamma:
    case distribution::log_gamma:
    case distribution::poisson: return 1;
    case distribution::beta:
    case distribution::binomial: return 2;
    case distribution::truncated_normal: break;
  }
  return 4;
}

}  // namespace

void check_parameters(distribution d, const double* p) {
  // Above this, doubles do not hold every integer.
  constexpr double most_counts = 0x1p53;
  switch (d) {
    case distribution::gamma:
    case distribution::log_gamma:
      if (!(p[0] >= 0 && p[0] < infinity))
        refuse(d == distribution::gamma ? "gamma" : "dirichlet", d == distribution::gamma ? "the shape" : "alpha", p[0],
               "finite and not negative");
      return;
    case distribution::beta:
      for (int k = 0; k < 2; ++k)
        if (!(p[k] > 0 && p[k] < infinity)) refuse("beta", k == 0 ? "a" : "b", p[k], "positive and finite");
      return;
    case distribution::poisson:
      if (!(p[0] >= 0 && p[0] <= most_counts / 2)) refuse("poisson", "the rate", p[0], "in [0, 2^52]");
      return;
    case distribution::binomial:
      if (!(p[0] >= 0 && p[0] <= most_counts && p[0] == std::floor(p[0])))
        refuse("binomial", "the number of trials", p[0], "an integer in [0, 2^53]");
      if (!(p[1] >= 0 && p[1] <= 1)) refuse("binomial", "the probability", p[1], "in [0, 1]");
      return;
    case distribution::truncated_normal:
      if (!(std::fabs(p[0]) < infinity)) refuse("truncated_normal", "the mean", p[0], "finite");
      if (!(p[1] > 0 && p[1] < infinity)) refuse("truncated_normal", "the deviation", p[1], "positive and finite");
      if (!(p[2] < p[3])) refuse("truncated_normal", "the lower bound", p[2], "below the upper one");
      return;
  }
}

void fill_draws(double* out, index n, distribution d, const double* parameters, std::uint64_t seed,
                std::uint64_t position, int threads) {
  check_parameters(d, parameters);
  fill_strips<1>(out, n, position, threads, [&](double* to, int count, std::uint64_t place) {
    double same[max_parameters][random_strip];
    std::uint64_t places[random_strip];
    const double* lists[max_parameters];
    for (int k = 0; k < parameter_count(d); ++k) {
      for (int i = 0; i < count; ++i) same[k][i] = parameters[k];
      lists[k] = same[k];
    }
    for (int i = 0; i < count; ++i) places[i] = place + static_cast<std::uint64_t>(i);
    draw_strip(to, count, d, lists, seed, places);
  });
}

void draw_each(double* out, int n, distribution d, const double* const* parameters, std::uint64_t seed,
               const std::uint64_t* places) {
  bool shapes = d == distribution::gamma || d == distribution::log_gamma;  // that are all in the domain
  if (shapes)
    for (int i = 0; i < n; ++i) shapes &= parameters[0][i] >= 0 && parameters[0][i] < infinity;
  for (int i = 0; i < n && !shapes; ++i) {
    double p[max_parameters];
    for (int k = 0; k < parameter_count(d); ++k) p[k] = parameters[k][i];
    check_parameters(d, p);
  }
  draw_strip(out, n, d, parameters, seed, places);
}

void draw_row_of_counts(std::int64_t* out, double n, const double* p, index k, std::uint64_t seed,
                        std::uint64_t place) {
  double left = n, rest = 1;
  binomial_draws draws;
  for (index first = 0; first < k; first += random_strip) {
    const int count = static_cast<int>(k - first < random_strip ? k - first : random_strip);
    double share[random_strip], less[random_strip], of_share[random_strip], u[2 * random_strip];
    for (int j = 0; j < count; ++j) {
      const double s = rest > 0 ? p[first + j] / rest : 0;
      share[j] = s < 1 ? s : 1;
      less[j] = share[j] > 0.5 ? 1 - share[j] : share[j];
      of_share[j] = -less[j];
      rest -= p[first + j];
    }
    map1(maths1::log1p, accuracy::accurate, of_share, of_share, count);
    uniform_pairs(u, count, {seed, place + static_cast<std::uint64_t>(first), nullptr, draw_kind::binomial, 0});
    for (int j = 0; j < count; ++j) {
      double drawn = left;
      if (first + j + 1 < k && left > 0) {
        if (left * less[j] < binomial_draws::least_not_searched) {
          drawn = draws.search(left, share[j], of_share[j], u[2 * j]);
        } else {
          const std::uint64_t at = place + static_cast<std::uint64_t>(first + j);
          binomial_draws{}.run(&drawn, 1, &left, &share[j], seed, &at);
        }
      }
      out[first + j] = static_cast<std::int64_t>(drawn);
      left -= drawn;
    }
  }
}

}  // namespace broadloom::runtime
