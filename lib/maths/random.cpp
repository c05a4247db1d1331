// Random fills: Philox4x32-10 with the position in the stream as counter, in blocks that run in parallel.
#include <broadloom/core/maths.hpp>
#include <broadloom/eval/scheduler.hpp>
#include <broadloom/tensor/generator.hpp>

#include <Random123/philox.h>

#include <cmath>
#include <numbers>

namespace broadloom::runtime {

namespace {

using words = r123::Philox4x32::ctr_type;

// Each kind of draw has its own counters, so that a float and a double of one stream never share random bits.
enum class kind : std::uint32_t { uniform_f32, uniform_f64, normal_f32, normal_f64 };

words random_words(kind k, std::uint64_t seed, std::uint64_t block) noexcept {
  const words counter = {
      {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), static_cast<std::uint32_t>(k), 0}};
  const r123::Philox4x32::key_type key = {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  return r123::Philox4x32{}(counter, key);
}

std::uint64_t top_53_bits(std::uint32_t low, std::uint32_t high) noexcept {
  return (static_cast<std::uint64_t>(high) << 32 | low) >> 11;
}

// Draws are made in groups: as many as one block of four words gives.
template <kind K>
inline constexpr int group = K == kind::uniform_f32 || K == kind::normal_f32 ? 4 : 2;

// The draws that are made together, from a multiple of this position on: strips that stay in the L1 cache.
constexpr int strip = 512;
// The number of strips in one block of the parallel loop.
constexpr index strips_per_block = 16;

// Each makes the draws of positions [place, place + count), multiples of group<K>; count is at most a strip.
template <kind K>
void make(float* out, int count, std::uint64_t seed, std::uint64_t place) noexcept
  requires(K == kind::uniform_f32)
{
  for (int i = 0; i < count; i += 4) {
    const words w = random_words(K, seed, (place + static_cast<std::uint64_t>(i)) / 4);
    for (int k = 0; k < 4; ++k) out[i + k] = static_cast<float>(w[static_cast<unsigned>(k)] >> 8) * 0x1p-24f;
  }
}

template <kind K>
void make(double* out, int count, std::uint64_t seed, std::uint64_t place) noexcept
  requires(K == kind::uniform_f64)
{
  for (int i = 0; i < count; i += 2) {
    const words w = random_words(K, seed, (place + static_cast<std::uint64_t>(i)) / 2);
    out[i] = static_cast<double>(top_53_bits(w[0], w[1])) * 0x1p-53;
    out[i + 1] = static_cast<double>(top_53_bits(w[2], w[3])) * 0x1p-53;
  }
}

// Box-Muller: a pair of uniform draws u in (0, 1] and v in [0, 1) gives the pair sqrt(-2 log u) * (cos, sin)(2 pi v).
template <class T>
void to_normal(T* out, T* u, T* angle, int pairs) noexcept {
  T cosine[strip / 2];
  map1(maths1::log, accuracy::accurate, u, u, pairs);
  map1(maths1::cos, accuracy::accurate, angle, cosine, pairs);
  map1(maths1::sin, accuracy::accurate, angle, angle, pairs);
  for (int i = 0; i < pairs; ++i) {
    const T radius = std::sqrt(T(-2) * u[i]);
    out[2 * i] = radius * cosine[i];
    out[2 * i + 1] = radius * angle[i];
  }
}

template <kind K>
void make(float* out, int count, std::uint64_t seed, std::uint64_t place) noexcept
  requires(K == kind::normal_f32)
{
  constexpr float turn = 2 * std::numbers::pi_v<float>;
  float u[strip / 2];
  float angle[strip / 2];
  for (int i = 0; i < count; i += 4) {
    const words w = random_words(K, seed, (place + static_cast<std::uint64_t>(i)) / 4);
    for (int k = 0; k < 2; ++k) {
      u[i / 2 + k] = static_cast<float>(std::uint64_t(w[static_cast<unsigned>(2 * k)]) + 1) * 0x1p-32f;
      angle[i / 2 + k] = turn * (static_cast<float>(w[static_cast<unsigned>(2 * k + 1)] >> 8) * 0x1p-24f);
    }
  }
  to_normal(out, u, angle, count / 2);
}

template <kind K>
void make(double* out, int count, std::uint64_t seed, std::uint64_t place) noexcept
  requires(K == kind::normal_f64)
{
  constexpr double turn = 2 * std::numbers::pi;
  double u[strip / 2];
  double angle[strip / 2];
  for (int i = 0; i < count; i += 2) {
    const words w = random_words(K, seed, (place + static_cast<std::uint64_t>(i)) / 2);
    u[i / 2] = static_cast<double>(top_53_bits(w[0], w[1]) + 1) * 0x1p-53;
    angle[i / 2] = turn * (static_cast<double>(top_53_bits(w[2], w[3])) * 0x1p-53);
  }
  to_normal(out, u, angle, count / 2);
}

template <kind K, class T>
struct fill {
  T* out;
  index n;
  std::uint64_t seed;
  std::uint64_t position;

  // Strip s has the positions from (position / strip + s) * strip on. The first and the last strip may lie partly
  // outside the range: whole groups are made there, and only the draws inside are kept.
  void run_strip(index s) const noexcept {
    const index offset = static_cast<index>(position % strip);
    const index first = s * strip > offset ? s * strip - offset : 0;
    const index end = s * strip + strip - offset;
    const index last = end < n ? end : n;
    const std::uint64_t place = position + static_cast<std::uint64_t>(first);
    const int before = static_cast<int>(place % group<K>);
    const int count = static_cast<int>(last - first);
    if (before == 0 && count % group<K> == 0) return make<K>(out + first, count, seed, place);
    T made[strip];
    make<K>(made, (before + count + group<K> - 1) / group<K> * group<K>, seed,
            place - static_cast<std::uint64_t>(before));
    for (int i = 0; i < count; ++i) out[first + i] = made[before + i];
  }

  index strips() const noexcept { return n == 0 ? 0 : (static_cast<index>(position % strip) + n - 1) / strip + 1; }

  static void run_blocks(void* context, index first, index last) {
    const fill& f = *static_cast<const fill*>(context);
    const index end = last * strips_per_block < f.strips() ? last * strips_per_block : f.strips();
    for (index s = first * strips_per_block; s < end; ++s) f.run_strip(s);
  }

  void run(int threads) {
    parallel_for((strips() + strips_per_block - 1) / strips_per_block, threads, &run_blocks, this);
  }
};

}  // namespace

void fill_uniform(float* out, index n, std::uint64_t seed, std::uint64_t position, int threads) {
  fill<kind::uniform_f32, float>{out, n, seed, position}.run(threads);
}
void fill_uniform(double* out, index n, std::uint64_t seed, std::uint64_t position, int threads) {
  fill<kind::uniform_f64, double>{out, n, seed, position}.run(threads);
}
void fill_normal(float* out, index n, std::uint64_t seed, std::uint64_t position, int threads) {
  fill<kind::normal_f32, float>{out, n, seed, position}.run(threads);
}
void fill_normal(double* out, index n, std::uint64_t seed, std::uint64_t position, int threads) {
  fill<kind::normal_f64, double>{out, n, seed, position}.run(threads);
}

}  // namespace broadloom::runtime
