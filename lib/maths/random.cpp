// Random fills: Philox4x32-10 with the position in the stream as counter, in blocks that run in parallel.
#include <broadloom/core/maths.hpp>
#include <broadloom/core/wide.hpp>
#include <broadloom/random/draws.hpp>
#include <broadloom/tensor/generator.hpp>

#include "random_fill.hpp"
#include "random_kernels.hpp"
#include "sines_and_cosines.hpp"

namespace broadloom::runtime {

namespace {

// Each kind of fill makes draws [place, place + count) at a time, in whole groups: as many as one block of four words
// gives. count is at most a strip.
template <class T>
inline constexpr int in_a_block = sizeof(T) == 4 ? 4 : 2;

template <class T>
struct words_of_strip {
  std::uint32_t bits[random_strip * sizeof(T) / 4];

  words_of_strip(draw_kind kind, std::uint64_t seed, std::uint64_t place, int count) {
    constexpr std::uint64_t each = in_a_block<T>;
    random_table().words({seed, place / each, nullptr, kind, 0}, bits, count / in_a_block<T>);
  }
};

std::uint64_t joined(const std::uint32_t* w) noexcept { return static_cast<std::uint64_t>(w[1]) << 32 | w[0]; }

struct uniform_draws {
  void operator()(float* out, int count, std::uint64_t seed, std::uint64_t place) const noexcept {
    const words_of_strip<float> w(draw_kind::uniform_f32, seed, place, count);
    random_table().uniform_f32(w.bits, out, count);
  }
  void operator()(double* out, int count, std::uint64_t seed, std::uint64_t place) const noexcept {
    const words_of_strip<double> w(draw_kind::uniform_f64, seed, place, count);
    random_table().uniform_f64(w.bits, out, count);
  }
};

// -log(u), u in (0, 1]: inversion of the distribution function (Devroye, Non-Uniform Random Variate Generation, 1986,
// chapter II.2).
struct exponential_draws {
  void operator()(float* out, int count, std::uint64_t seed, std::uint64_t place) const noexcept {
    const words_of_strip<float> w(draw_kind::exponential_f32, seed, place, count);
    random_table().positive_f32(w.bits, out, count);
    negative_logarithms(out, count);
  }
  void operator()(double* out, int count, std::uint64_t seed, std::uint64_t place) const noexcept {
    const words_of_strip<double> w(draw_kind::exponential_f64, seed, place, count);
    random_table().positive_f64(w.bits, out, count);
    negative_logarithms(out, count);
  }

 private:
  template <class T>
  static void negative_logarithms(T* out, int count) noexcept {
    map1(maths1::log, accuracy::accurate, out, out, count);
    for (int i = 0; i < count; ++i) out[i] = T(0) - out[i];
  }
};

// Box-Muller: a pair of uniform draws u in (0, 1] and v in [0, 1) gives the pair sqrt(-2 log u) * (cos, sin)(2 pi v).
struct normal_draws {
  void operator()(float* out, int count, std::uint64_t seed, std::uint64_t place) const noexcept {
    const words_of_strip<float> w(draw_kind::normal_f32, seed, place, count);
    float u[random_strip / 2], angle[random_strip / 2], cosine[random_strip / 2];
    random_table().pairs_f32(w.bits, u, angle, count / 2);
    polar_parts(u, angle, cosine, count / 2);
    random_table().polar_f32(u, cosine, angle, out, count / 2);
  }
  void operator()(double* out, int count, std::uint64_t seed, std::uint64_t place) const noexcept {
    const words_of_strip<double> w(draw_kind::normal_f64, seed, place, count);
    double u[random_strip / 2], angle[random_strip / 2], cosine[random_strip / 2];
    random_table().pairs_f64(w.bits, u, angle, count / 2);
    polar_parts(u, angle, cosine, count / 2);
    random_table().polar_f64(u, cosine, angle, out, count / 2);
  }

 private:
  template <class T>
  static void polar_parts(T* u, T* angle, T* cosine, int pairs) noexcept {
    map1(maths1::log, accuracy::accurate, u, u, pairs);
    sines_and_cosines(angle, angle, cosine, pairs);
  }
};

// Lemire, Fast random integer generation in an interval (2019): the high half of word * range; a low half below
// 2^32 mod range, or 2^64 mod range, is drawn again, from a block of the draw's own.
struct integer_draws {
  std::uint64_t range;  // 0: 2^64

  template <class T>
  void operator()(T* out, int count, std::uint64_t seed, std::uint64_t place) const noexcept {
    constexpr std::uint64_t two_32 = std::uint64_t(1) << 32;
    if (range == 0 || range > two_32)
      wide(out, count, seed, place);
    else
      narrow(out, count, seed, place);
  }

 private:
  template <class T>
  void narrow(T* out, int count, std::uint64_t seed, std::uint64_t place) const noexcept {
    constexpr std::uint64_t two_32 = std::uint64_t(1) << 32;
    const std::uint64_t below = two_32 % range;
    // As many as a block gives: fours, whatever T is.
    const int before = static_cast<int>(place % 4), all = (before + count + 3) / 4 * 4;
    std::uint32_t bits[random_strip + 4];
    random_table().words({seed, place / 4, nullptr, draw_kind::integers_32, 0}, bits, all / 4);
    const std::uint32_t* const w = bits + before;
    for (int i = 0; i < count; ++i) {
      std::uint64_t m = w[i] * range;
      if ((m & 0xffffffff) < below) [[unlikely]]
        for (std::uint32_t attempt = 0; (m & 0xffffffff) < below; ++attempt)
          m = (again(seed, place + static_cast<std::uint64_t>(i), attempt) & 0xffffffff) * range;
      out[i] = static_cast<T>(m >> 32);
    }
  }
  template <class T>
  void wide(T* out, int count, std::uint64_t seed, std::uint64_t place) const noexcept {
    using broadloom::detail::u128;
    const std::uint64_t below = range == 0 ? 0 : (0 - range) % range;
    const int before = static_cast<int>(place % 2), all = (before + count + 1) / 2 * 2;
    std::uint32_t w[2 * random_strip + 4];
    random_table().words({seed, place / 2, nullptr, draw_kind::integers_64, 0}, w, all / 2);
    for (int i = 0; i < count; ++i) {
      std::uint64_t word = joined(w + 2 * (before + i));
      if (range != 0) {
        u128 m = u128(word) * range;
        for (std::uint32_t attempt = 0; static_cast<std::uint64_t>(m) < below; ++attempt)
          m = u128(again(seed, place + static_cast<std::uint64_t>(i), attempt)) * range;
        word = static_cast<std::uint64_t>(m >> 64);
      }
      out[i] = static_cast<T>(word);
    }
  }
  static std::uint64_t again(std::uint64_t seed, std::uint64_t place, std::uint32_t attempt) noexcept {
    std::uint32_t w[4];
    random_table().words({seed, place, nullptr, draw_kind::integers_again, attempt}, w, 1);
    return joined(w);
  }
};

template <class T, class Draws>
void fill(T* out, index n, const Draws& draws, std::uint64_t seed, std::uint64_t position, int threads) {
  fill_strips<in_a_block<T>>(out, n, position, threads,
                             [&draws, seed](T* to, int count, std::uint64_t place) { draws(to, count, seed, place); });
}

}  // namespace

void fill_stream(stream what, bool wide, void* out, index n, std::uint64_t range, std::uint64_t seed,
                 std::uint64_t position, int threads) {
  const auto of_either = [&]<class Narrow, class Wide>(const auto& draws, Narrow* narrow, Wide* broad) {
    wide ? fill(broad, n, draws, seed, position, threads) : fill(narrow, n, draws, seed, position, threads);
  };
  const auto reals = [&](const auto& draws) { of_either(draws, static_cast<float*>(out), static_cast<double*>(out)); };
  switch (what) {
    case stream::uniform_draws: return reals(uniform_draws{});
    case stream::normal_draws: return reals(normal_draws{});
    case stream::exponential_draws: return reals(exponential_draws{});
    case stream::integer_draws:
      return of_either(integer_draws{range}, static_cast<std::uint32_t*>(out), static_cast<std::uint64_t*>(out));
  }
}
void fill_places(std::uint64_t* out, index n, std::uint64_t position, int threads) {
  fill_strips<1>(out, n, position, threads, [](std::uint64_t* to, int count, std::uint64_t place) {
    for (int i = 0; i < count; ++i) to[i] = place + static_cast<std::uint64_t>(i);
  });
}

std::uint64_t spawned_seed(std::uint64_t seed, std::uint64_t place) noexcept {
  std::uint32_t w[4];
  random_table().words({seed, place, nullptr, draw_kind::spawn, 0}, w, 1);
  return joined(w);
}

}  // namespace broadloom::runtime
