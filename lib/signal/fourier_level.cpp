// The kernels of Fourier transforms of one instruction-set level.
#include <broadloom/core/array.hpp>
#include <broadloom/core/simd_vec.hpp>

#include "../base/vectors.hpp"
#include "fourier_kernels.hpp"

namespace broadloom::runtime::BROADLOOM_LEVEL {

template <class T>
struct fourier_code {
  static constexpr int width = BROADLOOM_LEVEL_BYTES / static_cast<int>(sizeof(T));
  using V = vec<T, BROADLOOM_LEVEL_BYTES>;
  using anywhere = vec_in_memory<T, BROADLOOM_LEVEL_BYTES>;
  using all = detail::make_sequence<width>;

  BROADLOOM_INLINE static V at(const T* p) { return *reinterpret_cast<const anywhere*>(p); }
  BROADLOOM_INLINE static void put(T* p, V v) { *reinterpret_cast<anywhere*>(p) = v; }

  struct number {
    V re, im;
  };
  BROADLOOM_INLINE static number element(const T* x, index k) {
    return {at(x + 2 * width * k), at(x + 2 * width * k + width)};
  }
  BROADLOOM_INLINE static void put(T* x, index k, number z) {
    put(x + 2 * width * k, z.re);
    put(x + 2 * width * k + width, z.im);
  }
  BROADLOOM_INLINE static number plus(number a, number b) { return {a.re + b.re, a.im + b.im}; }
  BROADLOOM_INLINE static number minus(number a, number b) { return {a.re - b.re, a.im - b.im}; }
  BROADLOOM_INLINE static number times(number a, number b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  BROADLOOM_INLINE static number times(number a, const T* root) {
    return {a.re * root[0] - a.im * root[1], a.re * root[1] + a.im * root[0]};
  }
  BROADLOOM_INLINE static number minus_i_times(number a) { return {a.im, -a.re}; }

  // Square of width x width elements. Loops over it are unrolled, so that it stays in registers.
  template <int D, int... I>
  BROADLOOM_INLINE static void exchange(V& a, V& b, detail::sequence<I...>) {
    const V low = __builtin_shufflevector(a, b, ((I & D) != 0 ? width + I - D : I)...);
    b = __builtin_shufflevector(a, b, ((I & D) != 0 ? width + I : I + D)...);
    a = low;
  }
  template <int D>
  BROADLOOM_INLINE static void transpose(V* v) {
    if constexpr (D > 0) {
#pragma GCC unroll 16
      for (int i = 0; i < width; ++i)
        if ((i & D) == 0) exchange<D>(v[i], v[i + D], all{});
      transpose<D / 2>(v);
    }
  }
  template <int... I>
  BROADLOOM_INLINE static number parted(V a, V b, detail::sequence<I...>) {
    return {__builtin_shufflevector(a, b, (2 * I)...), __builtin_shufflevector(a, b, (2 * I + 1)...)};
  }
  template <int... I>
  BROADLOOM_INLINE static void join(T* p, number z, detail::sequence<I...>) {
    put(p, __builtin_shufflevector(z.re, z.im, (I % 2 * width + I / 2)...));
    put(p + width, __builtin_shufflevector(z.re, z.im, (I % 2 * width + I / 2 + width / 2)...));
  }
  template <class P>
  static bool lanes_touch(const fourier_lines<P>& x) {
    if (x.imaginary != 1 || x.active != width) return false;
    for (int l = 1; l < width; ++l)
      if (x.at[l] != x.at[l - 1] + 2) return false;
    return true;
  }

  static void load(T* to, const fourier_lines<const T*>& from, index count) {
    const int re = from.swapped ? width : 0, im = width - re;
    index k = 0;
    if (lanes_touch(from)) {
      for (; k < count; ++k) {
        const T* const p = from.at[0] + k * from.step;
        const number z = parted(at(p), at(p + width), all{});
        put(to + 2 * width * k + re, z.re);
        put(to + 2 * width * k + im, z.im);
      }
    } else if (from.imaginary == 1 && from.step == 2) {
      for (; k + width / 2 <= count; k += width / 2) {
        V v[width];
#pragma GCC unroll 16
        for (int l = 0; l < width; ++l) v[l] = at(from.at[l] + 2 * k);
        transpose<width / 2>(v);
#pragma GCC unroll 16
        for (int i = 0; i < width; i += 2) {
          put(to + 2 * width * k + width * i + re, v[i]);
          put(to + 2 * width * k + width * i + im, v[i + 1]);
        }
      }
    }
    for (; k < count; ++k)
      for (int l = 0; l < width; ++l) {
        const T* const p = from.at[l] + k * from.step;
        to[2 * width * k + re + l] = *p;
        to[2 * width * k + im + l] = from.imaginary != 0 ? p[from.imaginary] : T(0);
      }
  }

  static void store(const fourier_lines<T*>& to, const T* from, index count, T scale) {
    const int re = to.swapped ? width : 0, im = width - re;
    index k = 0;
    if (lanes_touch(to)) {
      for (; k < count; ++k)
        join(to.at[0] + k * to.step,
             number{at(from + 2 * width * k + re) * scale, at(from + 2 * width * k + im) * scale}, all{});
    } else if (to.imaginary == 1 && to.step == 2 && to.active == width) {
      for (; k + width / 2 <= count; k += width / 2) {
        V v[width];
#pragma GCC unroll 16
        for (int i = 0; i < width; i += 2) {
          v[i] = at(from + 2 * width * k + width * i + re) * scale;
          v[i + 1] = at(from + 2 * width * k + width * i + im) * scale;
        }
        transpose<width / 2>(v);
#pragma GCC unroll 16
        for (int l = 0; l < width; ++l) put(to.at[l] + 2 * k, v[l]);
      }
    }
    for (; k < count; ++k)
      for (int l = 0; l < to.active; ++l) {
        T* const p = to.at[l] + k * to.step;
        *p = from[2 * width * k + re + l] * scale;
        if (to.imaginary != 0) p[to.imaginary] = from[2 * width * k + im + l] * scale;
      }
  }

  // A product that is rounded before it is added to something: GCC would fuse both where it keeps them in registers,
  // and results would depend on where it does.
  BROADLOOM_INLINE static V rounded(V v) {
#if defined(__x86_64__)
    asm("" : "+v"(v));
#elif defined(__aarch64__)
    asm("" : "+w"(v));
#endif
    return v;
  }
  // The transforms of eight elements from those of the even and the odd ones.
  BROADLOOM_INLINE static void join_halves(number* even, number* odd, number* a) {
    constexpr T half_root_2 = T(0.707106781186547524400844362104849039L);
    odd[1] = {rounded((odd[1].re + odd[1].im) * half_root_2), rounded((odd[1].im - odd[1].re) * half_root_2)};
    odd[2] = minus_i_times(odd[2]);
    odd[3] = {rounded((odd[3].im - odd[3].re) * half_root_2), rounded(-(odd[3].re + odd[3].im) * half_root_2)};
#pragma GCC unroll 8
    for (int k = 0; k < 4; ++k) {
      a[k] = plus(even[k], odd[k]);
      a[k + 4] = minus(even[k], odd[k]);
    }
  }
  // The transforms of R elements, in place.
  template <int R>
  BROADLOOM_INLINE static void butterfly(number* a) {
    if constexpr (R == 2) {
      const number b = minus(a[0], a[1]);
      a[0] = plus(a[0], a[1]);
      a[1] = b;
    } else if constexpr (R == 3) {
      constexpr T half_root_3 = T(0.866025403784438646763723170752936183L);
      const number s = plus(a[1], a[2]), d = minus(a[1], a[2]);
      const number m = {a[0].re - s.re / 2, a[0].im - s.im / 2};
      const number r = {d.im * half_root_3, -d.re * half_root_3};
      a[0] = plus(a[0], s);
      a[1] = plus(m, r);
      a[2] = minus(m, r);
    } else if constexpr (R == 4) {
      const number s = plus(a[0], a[2]), d = minus(a[0], a[2]), t = plus(a[1], a[3]),
                   e = minus_i_times(minus(a[1], a[3]));
      a[0] = plus(s, t);
      a[1] = plus(d, e);
      a[2] = minus(s, t);
      a[3] = minus(d, e);
    } else if constexpr (R == 8) {
      number even[4] = {a[0], a[2], a[4], a[6]}, odd[4] = {a[1], a[3], a[5], a[7]};
      butterfly<4>(even);
      butterfly<4>(odd);
      join_halves(even, odd, a);
    } else {
      static_assert(R == 5);
      constexpr T c1 = T(0.309016994374947424102293417182819059L), c2 = T(-0.809016994374947424102293417182819059L),
                  s1 = T(0.951056516295153572116439333379382143L), s2 = T(0.587785252292473129168705954639072769L);
      const number p = plus(a[1], a[4]), q = plus(a[2], a[3]), u = minus(a[1], a[4]), v = minus(a[2], a[3]);
      const number m = {a[0].re + p.re * c1 + q.re * c2, a[0].im + p.im * c1 + q.im * c2},
                   n = {a[0].re + p.re * c2 + q.re * c1, a[0].im + p.im * c2 + q.im * c1};
      const number e = minus_i_times({u.re * s1 + v.re * s2, u.im * s1 + v.im * s2}),
                   f = minus_i_times({u.re * s2 - v.re * s1, u.im * s2 - v.im * s1});
      a[0] = plus(a[0], plus(p, q));
      a[1] = plus(m, e);
      a[2] = plus(n, f);
      a[3] = minus(n, f);
      a[4] = minus(m, e);
    }
  }

  // One stage of Stockham's transform, decimation in frequency: `stride` transforms of r * m elements each become r *
  // stride ones of m.
  template <int R>
  static void stage(const fourier_table<T>& t, const T* x, T* y, index m, index stride) {
    for (index p = 0; p < m; ++p) {
      T w[2 * R];
      for (index j = 1; j < R; ++j) {
        const T* const root = t.roots + 2 * (p * j * stride);
        w[2 * j] = root[0];
        w[2 * j + 1] = root[1];
      }
      for (index q = 0; q < stride; ++q) {
        number a[R];
        if constexpr (R == 8 && BROADLOOM_LEVEL_BYTES == 32) {  // by halves: AVX2 has 16 registers
          number even[4], odd[4];
#pragma GCC unroll 8
          for (int j = 0; j < 4; ++j) odd[j] = element(x, q + stride * (p + m * (2 * j + 1)));
          butterfly<4>(odd);
#pragma GCC unroll 8
          for (int j = 0; j < 4; ++j) even[j] = element(x, q + stride * (p + m * (2 * j)));
          butterfly<4>(even);
          join_halves(even, odd, a);
        } else {
#pragma GCC unroll 8
          for (int j = 0; j < R; ++j) a[j] = element(x, q + stride * (p + m * j));
          butterfly<R>(a);
        }
        put(y, q + stride * (R * p), a[0]);
#pragma GCC unroll 8
        for (int j = 1; j < R; ++j) put(y, q + stride * (R * p + j), p == 0 ? a[j] : times(a[j], w + 2 * j));
      }
    }
  }
  // The same for another odd radix.
  static void odd_stage(const fourier_table<T>& t, const T* x, T* y, index m, index stride, int r) {
    const int half = r / 2;
    const index each = t.n / r;
    for (index p = 0; p < m; ++p)
      for (index q = 0; q < stride; ++q) {
        number sum[max_radix / 2 + 1], difference[max_radix / 2 + 1];
        const number first = element(x, q + stride * p);
        number whole = first;
        for (int j = 1; j <= half; ++j) {
          const number a = element(x, q + stride * (p + m * j)), b = element(x, q + stride * (p + m * (r - j)));
          sum[j] = plus(a, b);
          difference[j] = minus(a, b);
          whole = plus(whole, sum[j]);
        }
        put(y, q + stride * (r * p), whole);
        for (int k = 1; k <= half; ++k) {
          number c = first, s = {V{}, V{}};
          for (int j = 1, power = k; j <= half; ++j, power = power + k < r ? power + k : power + k - r) {
            const T* const root = t.roots + 2 * (each * power);
            c = {c.re + sum[j].re * root[0], c.im + sum[j].im * root[0]};
            s = {s.re + difference[j].re * root[1], s.im + difference[j].im * root[1]};
          }
          const number is = {-s.im, s.re};
          put(y, q + stride * (r * p + k), times(plus(c, is), t.roots + 2 * (p * k * stride)));
          put(y, q + stride * (r * p + r - k), times(minus(c, is), t.roots + 2 * (p * (r - k) * stride)));
        }
      }
  }

  static T* transform(const fourier_table<T>& t, T* x, T* y) {
    index m = t.n, stride = 1;
    for (int i = 0; i < t.stages; ++i) {
      const int r = t.radix[i];
      m /= r;
      switch (r) {
        case 2: stage<2>(t, x, y, m, stride); break;
        case 3: stage<3>(t, x, y, m, stride); break;
        case 4: stage<4>(t, x, y, m, stride); break;
        case 5: stage<5>(t, x, y, m, stride); break;
        case 8: stage<8>(t, x, y, m, stride); break;
        default: odd_stage(t, x, y, m, stride, r);
      }
      stride *= r;
      T* const z = x;
      x = y;
      y = z;
    }
    return x;
  }

  static void multiply(T* x, const T* factors, index count, bool swap_before, bool swap_after) {
    for (index k = 0; k < count; ++k) {
      number z = element(x, k);
      if (swap_before) z = {z.im, z.re};
      z = times(z, factors + 2 * k);
      put(x, k, swap_after ? number{z.im, z.re} : z);
    }
  }
  static void twist(T* x, const T* coarse, const T* fine, index count, index block) {
    for (index first = 0; first < count; first += block) {
      const number c = element(coarse, first / block);
      for (index k = first; k < count && k < first + block; ++k)
        put(x, k, times(element(x, k), times(c, element(fine, k - first))));
    }
  }
  static void to_real(T* to, const T* z, const T* roots, index h, T sign) {
    for (index k = 0; k <= h; ++k) {
      const number a = element(z, k == h ? 0 : k), b = element(z, k == 0 ? 0 : h - k);
      const number even = {(a.re + b.re) / 2, (a.im - b.im) / 2}, odd = {(a.im + b.im) / 2, (b.re - a.re) / 2};
      const number x = plus(even, times(odd, roots + 2 * k));
      put(to, k, number{x.re, x.im * sign});
    }
  }
  static void from_real(T* z, const T* from, const T* roots, index h, T sign) {
    for (index k = 0; k < h; ++k) {
      number a = element(from, k), b = element(from, h - k);
      if (k == 0) a.im = b.im = V{};
      a.im *= sign;
      b.im *= sign;
      const number even = {a.re + b.re, a.im - b.im}, gap = {a.re - b.re, a.im + b.im};
      const T root[2] = {roots[2 * k], -roots[2 * k + 1]};
      const number odd = times(gap, root);
      put(z, k, number{even.im + odd.re, even.re - odd.im});
    }
  }

  static constexpr fourier_kernels<T> table = {width, transform, load, store, multiply, twist, to_real, from_real};
};

}  // namespace broadloom::runtime::BROADLOOM_LEVEL

namespace broadloom::runtime {

BROADLOOM_REAL_TABLES(fourier_kernels, kernels_of_fourier, fourier_code)

}  // namespace broadloom::runtime
