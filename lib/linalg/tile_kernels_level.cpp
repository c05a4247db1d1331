// Products of matrices by tiles of the result that stay in registers, for AVX2 and AVX-512.
#include "../base/level.hpp"
#include "../base/vectors.hpp"
#if BROADLOOM_LEVEL_BYTES > 16
#include <immintrin.h>
#endif

#include <complex>

#include <broadloom/core/array.hpp>

#include "kernels.hpp"

#if BROADLOOM_LEVEL_BYTES > 16
namespace broadloom::runtime::BROADLOOM_LEVEL {

#ifdef __AVX512F__
inline constexpr int tile_vectors = 4, vector_bytes = 64;
inline __m512 add_product(__m512 x, __m512 y, __m512 z) { return _mm512_fmadd_ps(x, y, z); }
inline __m512d add_product(__m512d x, __m512d y, __m512d z) { return _mm512_fmadd_pd(x, y, z); }
inline __m512 swapped(__m512 x) { return _mm512_permute_ps(x, 0xb1); }
inline __m512d swapped(__m512d x) { return _mm512_permute_pd(x, 0x55); }
#else
inline constexpr int tile_vectors = 2, vector_bytes = 32;
inline __m256 add_product(__m256 x, __m256 y, __m256 z) { return _mm256_fmadd_ps(x, y, z); }
inline __m256d add_product(__m256d x, __m256d y, __m256d z) { return _mm256_fmadd_pd(x, y, z); }
inline __m256 swapped(__m256 x) { return _mm256_permute_ps(x, 0xb1); }
inline __m256d swapped(__m256d x) { return _mm256_permute_pd(x, 0x5); }
#endif

template <class T>
struct tile_code {
  using V = vec<T, vector_bytes>;
  using block = typename product_tiles<T>::block;
  static constexpr int lanes = sizeof(V) / sizeof(T), panel = tile_vectors * lanes, rows_at_once = 6;
  // Steps of the depth between two groups of prefetches.
  static constexpr int steps = tile_vectors == 4 ? 8 : 32, line = 64, lines_ahead = 2;

  static V read(const T* p) {
    V x;
    __builtin_memcpy(&x, p, sizeof x);
    return x;
  }
  static void write(T* p, V x) { __builtin_memcpy(p, &x, sizeof x); }
  static V all(T x) { return x - V{}; }

  // f(0), f(1) ... f(N - 1), unrolled: an array indexed by a loop counter does not stay in registers.
  template <int N, class F>
  [[gnu::always_inline]] static void each(const F& f) {
    each_of(f, detail::make_sequence<N>{});
  }
  template <class F, int... I>
  [[gnu::always_inline]] static void each_of(const F& f, detail::sequence<I...>) {
    (f(number<I>{}), ...);
  }
  template <int I>
  struct number {
    constexpr operator int() const { return I; }
  };

  // What a tile also does: nothing, prefetch the old result and what follows `ahead`, or copy b's vectors to
  // `packed`, one after the other.
  enum class also { nothing, prefetch, pack };

  // Rows x Vectors vectors of the result. Every element is the sum of its terms in order, each rounded once, wherever
  // it is in the tile.
  template <int Rows, int Vectors, also Also = also::nothing>
  static void tile(const block& k, T* c, index ldc, const T* a, const T* b, index b_row, const char* ahead = nullptr,
                   T* packed = nullptr) {
    V sum[Rows * Vectors];
    each<Rows * Vectors>([&](auto i) __attribute__((always_inline)) { sum[i] = all(0); });
    const index a_row = k.a_row, a_col = k.a_col;
    const auto add_up = [&](index depth) __attribute__((always_inline)) {
      for (index at = 0; at < depth; ++at, a += a_col, b += b_row) {
        V right[Vectors];
        each<Vectors>([&](auto j) __attribute__((always_inline)) { right[j] = read(b + j * lanes); });
        if constexpr (Also == also::pack) {
          each<Vectors>([&](auto j) __attribute__((always_inline)) { write(packed + j * lanes, right[j]); });
          packed += Vectors * lanes;
        }
        each<Rows>([&](auto i) __attribute__((always_inline)) {
          const V left = all(a[i * a_row]);
          each<Vectors>([&](auto j) __attribute__((always_inline)) {
            sum[i * Vectors + j] = add_product(left, right[j], sum[i * Vectors + j]);
          });
        });
      }
    };
    if constexpr (Also == also::prefetch) {
      const char* row = reinterpret_cast<const char*>(c);
      index rows = Rows;
      for (index left = k.depth; left > 0; left -= steps) {
        if (rows-- > 0) {
          for (int i = 0; i < Vectors * vector_bytes; i += line) __builtin_prefetch(row + i, 1);
          row += ldc * static_cast<index>(sizeof(T));
        }
        for (int i = 0; i < lines_ahead; ++i) __builtin_prefetch(ahead + i * line, 0, 2);
        ahead += lines_ahead * line;
        add_up(left < steps ? left : steps);
      }
    } else
      add_up(k.depth);
    const V alpha = all(k.alpha);
    each<Rows>([&](auto i) __attribute__((always_inline)) {
      each<Vectors>([&](auto j) __attribute__((always_inline)) {
        T* const to = c + i * ldc + j * lanes;
        write(to, add_product(alpha, sum[i * Vectors + j], k.fresh ? all(0) : read(to)));
      });
    });
  }
  // The same if only `cols` columns are written.
  template <int Rows, int Vectors>
  static void part(const block& k, T* c, const T* a, const T* b, index b_row, index cols) {
    if (cols == Vectors * lanes) return tile<Rows, Vectors>(k, c, k.ldc, a, b, b_row);
    T own[Rows * Vectors * lanes] = {};
    if (!k.fresh)
      for (index i = 0; i < Rows; ++i)
        for (index j = 0; j < cols; ++j) own[i * Vectors * lanes + j] = c[i * k.ldc + j];
    tile<Rows, Vectors>(k, own, Vectors * lanes, a, b, b_row);
    for (index i = 0; i < Rows; ++i)
      for (index j = 0; j < cols; ++j) c[i * k.ldc + j] = own[i * Vectors * lanes + j];
  }
  template <int Vectors>
  static void columns(const block& k, T* c, const T* b, index b_row, index cols) {
    const T* a = k.a;
    index left = k.rows;
    if (k.panel != nullptr && cols == Vectors * lanes && left > rows_at_once) {
      // The first group of rows packs the panel that the others read.
      tile<rows_at_once, Vectors, also::pack>(k, c, k.ldc, a, b, b_row, nullptr, k.panel);
      b = k.panel;
      b_row = Vectors * lanes;
      left -= rows_at_once, a += k.a_group, c += rows_at_once * k.ldc;
    }
    if constexpr (Vectors == tile_vectors)
      if (k.far && cols == panel) {
        // Each group of rows prefetches a part of the panel that is packed next.
        const index bytes = k.depth * panel * static_cast<index>(sizeof(T)),
                    each_group = k.depth / steps * lines_ahead * line;
        const char* ahead = reinterpret_cast<const char*>(b) + bytes;
        const char* const last = ahead + bytes - 2 * each_group;
        for (; left >= rows_at_once; left -= rows_at_once, a += k.a_group, c += rows_at_once * k.ldc) {
          tile<rows_at_once, Vectors, also::prefetch>(k, c, k.ldc, a, b, b_row, ahead);
          if (ahead < last) ahead += each_group;
        }
      }
    for (; left >= rows_at_once; left -= rows_at_once, a += k.a_group, c += rows_at_once * k.ldc)
      part<rows_at_once, Vectors>(k, c, a, b, b_row, cols);
    switch (left) {
      case 1: return part<1, Vectors>(k, c, a, b, b_row, cols);
      case 2: return part<2, Vectors>(k, c, a, b, b_row, cols);
      case 3: return part<3, Vectors>(k, c, a, b, b_row, cols);
      case 4: return part<4, Vectors>(k, c, a, b, b_row, cols);
      case 5: return part<5, Vectors>(k, c, a, b, b_row, cols);
      default: return;
    }
  }
  static void multiply(const block& k) {
    for (index j = 0; j < k.cols; j += panel) {
      const index cols = k.cols - j < panel ? k.cols - j : panel, vectors = (cols + lanes - 1) / lanes;
      const T* const b = k.packed ? k.b + j * k.depth : k.b + j;
      const index b_row = k.packed ? vectors * lanes : k.b_row;
      T* const c = k.c + j;
      if constexpr (tile_vectors == 4) {
        if (vectors == 4) columns<4>(k, c, b, b_row, cols);
        if (vectors == 3) columns<3>(k, c, b, b_row, cols);
      }
      if (vectors == 2) columns<2>(k, c, b, b_row, cols);
      if (vectors == 1) columns<1>(k, c, b, b_row, cols);
    }
  }
  // Fewer than 2 Most elements.
  template <int Most>
  [[gnu::always_inline]] static void copy_few(T* to, const T* from, index count) {
    if constexpr (Most > 0) {
      const index here = count & Most;
      if (here != 0) __builtin_memcpy(to, from, Most * sizeof(T));
      copy_few<Most / 2>(to + here, from + here, count);
    }
  }
  // Packs panel after panel, each row of a panel in whole vectors.
  static void pack(T* to, const T* b, index row_stride, index col_stride, index depth, index cols) {
    for (index j = 0; j < cols; j += panel) {
      const index n = cols - j < panel ? cols - j : panel, width = (n + lanes - 1) / lanes * lanes;
      const T* const from = b + j * col_stride;
      if (col_stride == 1) {
        const index whole = n / lanes * lanes;
        for (index k = 0; k < depth; ++k) {
          for (index v = 0; v < whole; v += lanes) write(to + k * width + v, read(from + k * row_stride + v));
          if (whole == width) continue;
          write(to + k * width + whole, all(0));
          copy_few<lanes / 2>(to + k * width + whole, from + k * row_stride + whole, n - whole);
        }
      } else {
        if (n < width)
          for (index k = 0; k < depth; ++k)
            for (index i = n; i < width; ++i) to[k * width + i] = T(0);
        // In place, along the columns in blocks of the depth.
        for (index first = 0; first < depth; first += lanes) {
          const index last = depth - first < lanes ? depth : first + lanes;
          for (index i = 0; i < n; ++i)
            for (index k = first; k < last; ++k) to[k * width + i] = from[k * row_stride + i * col_stride];
        }
      }
      to += depth * width;
    }
  }

  static void pack_left(T* to, const T* a, index col_stride, index depth, index rows) {
    for (; rows >= rows_at_once; rows -= rows_at_once, a += rows_at_once)
      for (index k = 0; k < depth; ++k, to += rows_at_once)
        __builtin_memcpy(to, a + k * col_stride, rows_at_once * sizeof(T));
    for (index k = 0; k < depth && rows > 0; ++k)
      for (index i = 0; i < rows; ++i) to[k * rows_at_once + i] = a[k * col_stride + i];
  }

  static constexpr product_tiles<T> table{lanes, panel, rows_at_once, 384, pack, pack_left, multiply};
};

// Complex numbers, as the real product of a's parts, which alternate along its rows, with a matrix that has two rows
// for one of b: (re, im) and (-im, re) of each element. So the parts of the result alternate as those of a.
template <class C>
struct complex_tile_code {
  using T = typename C::value_type;
  using real = tile_code<T>;
  using V = typename real::V;
  static constexpr int lanes = real::lanes;

  static const T* parts(const C* p) { return reinterpret_cast<const T*>(p); }
  static T* parts(C* p) { return reinterpret_cast<T*>(p); }

  static void multiply(const typename product_tiles<C>::block& k) {
    typename product_tiles<T>::block as{};
    as.c = parts(k.c);
    as.ldc = 2 * k.ldc;
    as.a = parts(k.a);
    const bool in_rows = k.a_col == 1;
    as.a_row = in_rows ? 2 * k.a_row : 1;
    as.a_col = k.a_col;
    as.a_group = 2 * k.a_group;
    as.b = parts(k.b);
    as.depth = 2 * k.depth;
    as.rows = k.rows;
    as.cols = 2 * k.cols;
    as.alpha = k.alpha.real();
    as.packed = true;
    as.fresh = k.fresh;
    as.far = k.far;
    real::multiply(as);
  }
  static void pack(C* packed, const C* b, index row_stride, index col_stride, index depth, index cols) {
    T* to = parts(packed);
    V signs;
    for (int i = 0; i < lanes; ++i) signs[i] = T(i % 2 == 0 ? -1 : 1);
    for (index j = 0; j < cols; j += real::panel / 2) {
      const index n = cols - j < real::panel / 2 ? cols - j : real::panel / 2;
      const index width = (2 * n + lanes - 1) / lanes * lanes, whole = col_stride == 1 ? 2 * n / lanes * lanes : 0;
      const C* const from = b + j * col_stride;
      // In blocks of the depth, so that columns are read along cache lines.
      for (index first = 0; first < depth; first += lanes) {
        const index last = depth - first < lanes ? depth : first + lanes;
        for (index k = first; k < last && whole > 0; ++k)
          for (index v = 0; v < whole; v += lanes) {
            const V x = real::read(parts(from + k * row_stride) + v);
            real::write(to + 2 * k * width + v, x);
            real::write(to + (2 * k + 1) * width + v, signs * swapped(x));
          }
        for (index i = whole / 2; i < width / 2; ++i)
          for (index k = first; k < last; ++k) {
            const C x = i < n ? from[k * row_stride + i * col_stride] : C(0);
            T* const two = to + 2 * k * width + 2 * i;
            two[0] = x.real();
            two[1] = x.imag();
            two[width] = -x.imag();
            two[width + 1] = x.real();
          }
      }
      to += 2 * depth * width;
    }
  }
  static void pack_left(C* packed, const C* a, index col_stride, index depth, index rows) {
    constexpr int group = real::rows_at_once;
    T* to = parts(packed);
    for (; rows > 0; rows -= group, a += group) {
      const index n = rows < group ? rows : group;
      for (index k = 0; k < depth; ++k, to += 2 * group)
        for (index i = 0; i < n; ++i) {
          to[i] = a[k * col_stride + i].real();
          to[group + i] = a[k * col_stride + i].imag();
        }
    }
  }

  static constexpr product_tiles<C> table{lanes / 2, real::panel / 2, real::rows_at_once, 192, pack,
                                          pack_left, multiply};
};

}  // namespace broadloom::runtime::BROADLOOM_LEVEL
#else
namespace broadloom::runtime::BROADLOOM_LEVEL {

template <class T>
struct tile_code {
  static constexpr product_tiles<T> table{};  // none
};
template <class T>
using complex_tile_code = tile_code<T>;

}  // namespace broadloom::runtime::BROADLOOM_LEVEL
#endif

namespace broadloom::runtime {

BROADLOOM_REAL_TABLES(product_tiles, tiles_of_level, tile_code)
BROADLOOM_COMPLEX_TABLES(product_tiles, tiles_of_level, complex_tile_code)

}  // namespace broadloom::runtime
