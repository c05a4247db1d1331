// The loops of random_kernels.hpp for one level: Level says how wide its vectors are, and multiplies.
#pragma once

#include <broadloom/core/simd_vec.hpp>

#include "random_kernels.hpp"

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::runtime {

// Level has
//   static constexpr int bytes                      of a vector
//   wide multiply(wide a, wide b)                   of the low 32 bits of each lane
//   f32s root(f32s), f64s root(f64s)
template <class Level>
struct random_loops {
  static constexpr int lanes = Level::bytes / 8, lanes32 = Level::bytes / 4;
  using wide = typename detail::vec_type<std::uint64_t, lanes>::type;
  using narrow = typename detail::vec_type<std::uint32_t, lanes32>::type;
  using narrow_signed = typename detail::vec_type<std::int32_t, lanes32>::type;
  using f64s = typename detail::vec_type<double, lanes>::type;
  using f32s = typename detail::vec_type<float, lanes32>::type;

  template <class V, class T>
  static V load(const T* p) {
    V v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
  }
  template <class V, class T>
  static void store(T* p, const V& v) {
    __builtin_memcpy(p, &v, sizeof v);
  }
  static wide all(std::uint64_t x) { return wide{} + x; }

  static void words(const philox_call& c, std::uint32_t* out, index blocks) {
    wide count{};
    for (int k = 0; k < lanes; ++k) count[k] = static_cast<std::uint64_t>(k);
    const round_keys keys(c.seed);
    index i = 0;
    for (; i + 2 * lanes <= blocks; i += 2 * lanes) {
      wide a = all(c.first + static_cast<std::uint64_t>(i)) + count, b = a + static_cast<std::uint64_t>(lanes);
      if (c.at != nullptr) {
        a = load<wide>(c.at + i);
        b = load<wide>(c.at + i + lanes);
      }
      some_blocks(c, keys, a, b, out + 4 * i);
    }
    if (i == blocks) return;
    std::uint64_t place[2 * lanes] = {};
    std::uint32_t made[8 * lanes];
    for (index k = i; k < blocks; ++k)
      place[k - i] = c.at != nullptr ? c.at[k] : c.first + static_cast<std::uint64_t>(k);
    some_blocks(c, keys, load<wide>(place), load<wide>(place + lanes), made);
    __builtin_memcpy(out + 4 * i, made, static_cast<std::size_t>(4 * (blocks - i)) * sizeof *out);
  }

  static void uniform_f32(const std::uint32_t* words, float* out, index n) {
    each<lanes32, 1>(words, out, n, [](const std::uint32_t* w, float* to) {
      store(to, __builtin_convertvector(narrow_signed(load<narrow>(w) >> 8), f32s) * 0x1p-24F);
    });
  }
  static void uniform_f64(const std::uint32_t* words, double* out, index n) {
    each<lanes, 2>(words, out, n,
                   [](const std::uint32_t* w, double* to) { store(to, exactly(load<wide>(w) >> 11) * 0x1p-53); });
  }
  static void positive_f32(const std::uint32_t* words, float* out, index n) {
    each<lanes32, 1>(words, out, n, [](const std::uint32_t* w, float* to) { store(to, positive(load<narrow>(w))); });
  }
  static void positive_f64(const std::uint32_t* words, double* out, index n) {
    each<lanes, 2>(words, out, n,
                   [](const std::uint32_t* w, double* to) { store(to, exactly((load<wide>(w) >> 11) + 1) * 0x1p-53); });
  }
  static void pairs_f32(const std::uint32_t* words, float* u, float* angle, index pairs) {
    each<lanes, 2>(words, u, angle, pairs, [](const std::uint32_t* w, float* to, float* to_angle) {
      const wide both = load<wide>(w);
      float first[lanes], second[lanes];
      for (int k = 0; k < lanes; ++k) {
        first[k] = static_cast<float>((both[k] & 0xffffffff) + 1) * 0x1p-32F;
        second[k] = two_pi_f32 * (static_cast<float>(static_cast<std::int32_t>(both[k] >> 40)) * 0x1p-24F);
      }
      __builtin_memcpy(to, first, sizeof first);
      __builtin_memcpy(to_angle, second, sizeof second);
    });
  }
  static void pairs_f64(const std::uint32_t* words, double* u, double* angle, index pairs) {
    each<lanes, 4>(words, u, angle, pairs, [](const std::uint32_t* w, double* to, double* to_angle) {
      const wide a = load<wide>(w), b = load<wide>(w + 2 * lanes);
      store(to, exactly((even(a, b) >> 11) + 1) * 0x1p-53);
      store(to_angle, two_pi * (exactly(odd(a, b) >> 11) * 0x1p-53));
    });
  }
  static void polar_f32(const float* log_u, const float* cosine, const float* sine, float* out, index pairs) {
    polar<f32s, lanes32>(log_u, cosine, sine, out, pairs);
  }
  static void polar_f64(const double* log_u, const double* cosine, const double* sine, double* out, index pairs) {
    polar<f64s, lanes>(log_u, cosine, sine, out, pairs);
  }
  static void radial_f64(const double* log_u, const double* cosine, double* out, index n) {
    index i = 0;
    for (; i + lanes <= n; i += lanes)
      store(out + i, Level::root(load<f64s>(log_u + i) * -2.0) * load<f64s>(cosine + i));
    for (; i < n; ++i) out[i] = Level::root(f64s{} + log_u[i] * -2)[0] * cosine[i];
  }

  static constexpr random_kernels table() {
    return {words,     uniform_f32, uniform_f64, positive_f32, positive_f64,
            pairs_f32, pairs_f64,   polar_f32,   polar_f64,    radial_f64};
  }

 private:
  static constexpr double two_pi = 6.283185307179586477;
  static constexpr float two_pi_f32 = 6.283185307179586477F;

  // The keys of the rounds, in all lanes: made once for many blocks.
  static constexpr int rounds = 10;
  struct round_keys {
    wide first[rounds], second[rounds];
    explicit round_keys(std::uint64_t seed) {
      std::uint32_t k0 = static_cast<std::uint32_t>(seed), k1 = static_cast<std::uint32_t>(seed >> 32);
      for (int round = 0; round < rounds; ++round) {
        first[round] = all(k0);
        second[round] = all(k1);
        k0 += 0x9E3779B9U;
        k1 += 0xBB67AE85U;
      }
    }
  };
  // Two vectors of blocks at once, interleaved.
  static void some_blocks(const philox_call& c, const round_keys& keys, const wide& a, const wide& b,
                          std::uint32_t* out) {
    const wide low = all(0xffffffff), m0 = all(0xD2511F53), m1 = all(0xCD9E8D57);
    wide a0 = a, a1 = a >> 32, a2 = all(static_cast<std::uint32_t>(c.kind)), a3 = all(c.attempt);
    wide b0 = b, b1 = b >> 32, b2 = a2, b3 = a3;
    // What lies above the low 32 bits of a lane is never read, until the end.
    for (int round = 0; round < rounds; ++round) {
      const wide pa = Level::multiply(m0, a0), qa = Level::multiply(m1, a2);
      const wide pb = Level::multiply(m0, b0), qb = Level::multiply(m1, b2);
      a0 = (qa >> 32) ^ (a1 ^ keys.first[round]);
      b0 = (qb >> 32) ^ (b1 ^ keys.first[round]);
      a2 = (pa >> 32) ^ (a3 ^ keys.second[round]);
      b2 = (pb >> 32) ^ (b3 ^ keys.second[round]);
      a1 = qa;
      b1 = qb;
      a3 = pa;
      b3 = pb;
    }
    write((a0 & low) | (a1 << 32), (a2 & low) | (a3 << 32), out);
    write((b0 & low) | (b1 << 32), (b2 & low) | (b3 << 32), out + 4 * lanes);
  }
  // Lane by lane: of x, then of y.
  static void write(const wide& x, const wide& y, std::uint32_t* out) {
    store(out, mixed<0>(x, y));
    store(out + 2 * lanes, mixed<lanes / 2>(x, y));
  }
  template <int From, class V>
  static V mixed(const V& x, const V& y) {
    constexpr int n = sizeof(V) / sizeof(V{}[0]);
    V r;
    if constexpr (n == 2)
      r = __builtin_shufflevector(x, y, From, From + n);
    else if constexpr (n == 4)
      r = __builtin_shufflevector(x, y, From, From + n, From + 1, From + n + 1);
    else if constexpr (n == 8)
      r = __builtin_shufflevector(x, y, From, From + n, From + 1, From + n + 1, From + 2, From + n + 2, From + 3,
                                  From + n + 3);
    else
      r = __builtin_shufflevector(x, y, From, From + n, From + 1, From + n + 1, From + 2, From + n + 2, From + 3,
                                  From + n + 3, From + 4, From + n + 4, From + 5, From + n + 5, From + 6, From + n + 6,
                                  From + 7, From + n + 7);
    return r;
  }
  static wide even(const wide& a, const wide& b) {
    if constexpr (lanes == 2)
      return __builtin_shufflevector(a, b, 0, 2);
    else if constexpr (lanes == 4)
      return __builtin_shufflevector(a, b, 0, 2, 4, 6);
    else
      return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
  }
  static wide odd(const wide& a, const wide& b) {
    if constexpr (lanes == 2)
      return __builtin_shufflevector(a, b, 1, 3);
    else if constexpr (lanes == 4)
      return __builtin_shufflevector(a, b, 1, 3, 5, 7);
    else
      return __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
  }

  // Integers up to 2^53, exactly: their halves as the lowest bits of 2^52 and 2^84.
  static f64s exactly(const wide& x) {
    const wide high = (x >> 32) | all(0x4530000000000000), low = (x & all(0xffffffff)) | all(0x4330000000000000);
    return (f64s(high) - (0x1p84 + 0x1p52)) + f64s(low);
  }
  // (x + 1) * 2^-32, rounded once: lane by lane through a signed integer of twice the width.
  static f32s positive(const narrow& x) {
    f32s r;
    for (int k = 0; k < lanes32; ++k) r[k] = static_cast<float>(static_cast<std::int64_t>(x[k]) + 1) * 0x1p-32F;
    return r;
  }

  // f of `Count` numbers at a time, of so many words each; the last ones are padded.
  template <int Count, int Words, class To, class F>
  static void each(const std::uint32_t* from, To* to, index n, F f) {
    index i = 0;
    for (; i + Count <= n; i += Count) f(from + Words * i, to + i);
    if (i == n) return;
    std::uint32_t in[Words * Count] = {};
    To out[Count];
    for (index k = Words * i; k < Words * n; ++k) in[k - Words * i] = from[k];
    f(in, out);
    for (index k = i; k < n; ++k) to[k] = out[k - i];
  }
  // The same with two results.
  template <int Count, int Words, class To, class F>
  static void each(const std::uint32_t* from, To* to, To* second, index n, F f) {
    index i = 0;
    for (; i + Count <= n; i += Count) f(from + Words * i, to + i, second + i);
    if (i == n) return;
    std::uint32_t in[Words * Count] = {};
    To out[Count], other[Count];
    for (index k = Words * i; k < Words * n; ++k) in[k - Words * i] = from[k];
    f(in, out, other);
    for (index k = i; k < n; ++k) {
      to[k] = out[k - i];
      second[k] = other[k - i];
    }
  }
  template <class V, int Count, class T>
  static void polar(const T* log_u, const T* cosine, const T* sine, T* out, index pairs) {
    const auto some = [](const T* l, const T* c, const T* s, T* to) {
      const V radius = Level::root(load<V>(l) * T(-2));
      const V x = radius * load<V>(c), y = radius * load<V>(s);
      store(to, mixed<0>(x, y));
      store(to + Count, mixed<Count / 2>(x, y));
    };
    index i = 0;
    for (; i + Count <= pairs; i += Count) some(log_u + i, cosine + i, sine + i, out + 2 * i);
    if (i == pairs) return;
    T l[Count] = {}, c[Count] = {}, s[Count] = {}, to[2 * Count];
    for (index k = i; k < pairs; ++k) {
      l[k - i] = log_u[k];
      c[k - i] = cosine[k];
      s[k - i] = sine[k];
    }
    some(l, c, s, to);
    for (index k = 2 * i; k < 2 * pairs; ++k) out[k] = to[k - 2 * i];
  }
};

}  // namespace broadloom::runtime
