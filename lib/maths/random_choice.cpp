// Random orders and weighted choices, and what parameters of distributions must be.
#include <broadloom/core/maths.hpp>
#include <broadloom/core/wide.hpp>
#include <broadloom/random/choice.hpp>
#include <broadloom/random/discrete.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

#include "../base/list_text.hpp"
#include "random_fill.hpp"
#include "random_kernels.hpp"

namespace broadloom::runtime {

namespace {

constexpr double infinity = __builtin_huge_val();

// Numbers of 64 bits, one for each of `count` indices of a stream.
class place_words {
 public:
  place_words(std::uint64_t seed, std::uint64_t position, index count)
      : seed_(seed), position_(position), end_(position + static_cast<std::uint64_t>(count)) {}

  std::uint64_t operator[](index i) { return joined(from(i)); }
  // The words of index i and of up to `count` ones that follow it; count becomes how many.
  const std::uint32_t* from(index i, index& count) {
    const std::uint32_t* const w = from(i);
    const std::uint64_t left = random_strip - (position_ + static_cast<std::uint64_t>(i)) % random_strip;
    if (static_cast<std::uint64_t>(count) > left) count = static_cast<index>(left);
    return w;
  }
  // Uniform in [0, n) (Lemire 2019); to be called for i = 0, 1, 2 ... in this order.
  index below(index i, index n) { return below(i, n, (*this)[i]); }
  // The same of the word of index i.
  index below(index i, index n, std::uint64_t word) const {
    using broadloom::detail::u128;
    const std::uint64_t range = static_cast<std::uint64_t>(n);
    u128 m = u128(word) * range;
    if (static_cast<std::uint64_t>(m) < range) {
      const std::uint64_t least = (0 - range) % range;
      for (std::uint32_t attempt = 1; static_cast<std::uint64_t>(m) < least; ++attempt) {
        std::uint32_t w[4];
        random_table().words({seed_, position_ + static_cast<std::uint64_t>(i), nullptr, draw_kind::order, attempt}, w,
                             1);
        m = u128(joined(w)) * range;
      }
    }
    return static_cast<index>(m >> 64);
  }

  static std::uint64_t joined(const std::uint32_t* w) { return static_cast<std::uint64_t>(w[1]) << 32 | w[0]; }

 private:
  const std::uint32_t* from(index i) {
    const std::uint64_t place = position_ + static_cast<std::uint64_t>(i);
    if (i == 0 || place % random_strip == 0) {
      begin_ = place / 2 * 2;
      const std::uint64_t next = (place / random_strip + 1) * random_strip, last = next < end_ ? next : end_;
      random_table().words({seed_, place / 2, nullptr, draw_kind::order, 0}, words_,
                           static_cast<index>((last - begin_ + 1) / 2));
    }
    return words_ + 2 * (place - begin_);
  }

  std::uint64_t seed_, position_, end_, begin_ = 0;
  std::uint32_t words_[2 * random_strip];
};

void check_weights(const char* function, const double* weights, index count) {
  double sum = 0;
  for (index i = 0; i < count; ++i) {
    if (!(weights[i] >= 0 && weights[i] < infinity))
      throw std::invalid_argument(std::string(function) + ": weight " + std::to_string(i) + " is " +
                                  detail::digits_of(weights[i]) + ", and must be finite and not negative");
    sum += weights[i];
  }
  if (!(sum > 0 && sum < infinity))
    throw std::invalid_argument(std::string(function) + ": the sum of the weights is " + detail::digits_of(sum) +
                                ", and must be positive and finite");
}

}  // namespace

void check_parameter(const char* function, const char* parameter, domain d, double x) {
  bool fits = false;
  const char* rule = "";
  switch (d) {
    case domain::finite:
      fits = std::fabs(x) < infinity;
      rule = "finite";
      break;
    case domain::not_negative:
      fits = x >= 0;
      rule = "0 or more";
      break;
    case domain::probability:
      fits = x >= 0 && x <= 1;
      rule = "in [0, 1]";
      break;
  }
  if (!fits)
    throw std::invalid_argument(std::string(function) + ": " + parameter + " is " + detail::digits_of(x) +
                                ", and must be " + rule);
}

// Exchanges position i with one from i on, k times. Where k is far below n, only positions that were exchanged are
// kept.
void draw_order(std::int64_t* out, index k, index n, std::uint64_t seed, std::uint64_t position) {
  place_words words(seed, position, k);
  if (k >= n / 16) {
    std::vector<std::int64_t> own;
    std::int64_t* order = out;
    if (k < n) {
      own.resize(static_cast<std::size_t>(n));
      order = own.data();
    }
    for (index i = 0; i < n; ++i) order[i] = i;
    // Positions are drawn, and fetched, some time before they are exchanged.
    constexpr index together = 64;
    index with[together];
    for (index first = 0; first < k;) {
      index count = std::min(together, k - first);
      const std::uint32_t* const word = words.from(first, count);
      for (index i = 0; i < count; ++i) {
        with[i] = first + i + words.below(first + i, n - first - i, words.joined(word + 2 * i));
        __builtin_prefetch(order + with[i], 1);
      }
      for (index i = 0; i < count; ++i) std::swap(order[first + i], order[with[i]]);
      first += count;
    }
    if (k < n) std::copy(order, order + k, out);
    return;
  }
  std::unordered_map<index, index> exchanged;
  const auto at = [&](index i) {
    const auto found = exchanged.find(i);
    return found == exchanged.end() ? i : found->second;
  };
  for (index i = 0; i < k; ++i) {
    const index j = i + words.below(i, n - i);
    out[i] = at(j);
    exchanged[j] = at(i);
  }
}

void draw_any(const char* function, std::int64_t* out, index k, index count, bool replacement, std::uint64_t seed,
              std::uint64_t position) {
  if (count <= 0 && k > 0) throw std::invalid_argument(std::string(function) + ": there is nothing to choose from");
  if (!replacement && k > count)
    throw std::invalid_argument(std::string(function) + ": " + std::to_string(k) + " of " + std::to_string(count) +
                                " elements cannot be chosen without replacement");
  if (!replacement) return draw_order(out, k, count, seed, position);
  fill_integers(reinterpret_cast<std::uint64_t*>(out), k, static_cast<std::uint64_t>(count), seed, position);
}

void draw_weighted(const char* function, std::int64_t* out, index k, const double* weights, index count,
                   bool replacement, std::uint64_t seed, std::uint64_t position) {
  if (k == 0) return;
  check_weights(function, weights, count);
  if (replacement) {
    // The first position whose sum of weights is above u times the whole sum: never one of weight 0.
    std::vector<double> sums(static_cast<std::size_t>(count));
    double sum = 0;
    index last = 0;
    for (index i = 0; i < count; ++i) {
      sums[static_cast<std::size_t>(i)] = sum += weights[i];
      if (weights[i] > 0) last = i;
    }
    fill_strips<1>(out, k, position, 0, [&](std::int64_t* to, int n, std::uint64_t place) {
      double u[random_strip];
      fill_uniform(u, n, seed, place, 1);
      for (int i = 0; i < n; ++i) {
        const index at = std::upper_bound(sums.begin(), sums.end(), u[i] * sum) - sums.begin();
        to[i] = at < last ? at : last;
      }
    });
    return;
  }
  // The k smallest of exponential draws over weights, the smallest first: as if drawn one by one from what is left.
  std::vector<double> keys(static_cast<std::size_t>(count));
  fill_exponential(keys.data(), count, seed, position);
  std::vector<std::int64_t> order;
  for (index i = 0; i < count; ++i)
    if (weights[i] > 0) {
      keys[static_cast<std::size_t>(i)] /= weights[i];
      order.push_back(i);
    }
  if (k > static_cast<index>(order.size()))
    throw std::invalid_argument(std::string(function) + ": " + std::to_string(k) + " of " +
                                std::to_string(order.size()) +
                                " elements with a weight above 0 cannot be chosen without replacement");
  std::partial_sort(order.begin(), order.begin() + k, order.end(), [&](std::int64_t a, std::int64_t b) {
    const double x = keys[static_cast<std::size_t>(a)], y = keys[static_cast<std::size_t>(b)];
    return x < y || (x == y && a < b);
  });
  std::copy(order.begin(), order.begin() + k, out);
}

void draw_counts(std::int64_t* out, index rows, std::int64_t n, const double* p, index k, std::uint64_t seed,
                 std::uint64_t position) {
  double sum = 0;
  for (index j = 0; j < k; ++j) {
    check_parameter("multinomial_counts", "a probability", domain::probability, p[j]);
    if (j + 1 < k) sum += p[j];
  }
  if (sum > 1 + 1e-12)
    throw std::invalid_argument("multinomial_counts: the probabilities but the last add up to " +
                                detail::digits_of(sum) + ", and must not be above 1");
  const double trials[2] = {static_cast<double>(n), 0};
  check_parameters(distribution::binomial, trials);
  for (index i = 0; i < rows; ++i)
    draw_row_of_counts(out + i * k, trials[0], p, k, seed, position + static_cast<std::uint64_t>(i * k));
}

}  // namespace broadloom::runtime
