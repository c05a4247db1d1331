// The kernels for small matrices of one instruction-set level.
#include <cstdint>
#include <type_traits>

#include <broadloom/core/simd_vec.hpp>
#include <broadloom/linalg/exact.hpp>

#include "../base/vectors.hpp"
#include "lanes.hpp"
#include "vector_root.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace broadloom::runtime::BROADLOOM_LEVEL {

template <class T>
struct lane_code {
  // At least four lanes: elements are moved to lanes by squares of 4 x 4.
  static constexpr int width =
      BROADLOOM_LEVEL_BYTES / static_cast<int>(sizeof(T)) < 4 ? 4 : BROADLOOM_LEVEL_BYTES / static_cast<int>(sizeof(T));
  static constexpr int size_of_one = sizeof(T), bytes = width * size_of_one;
  using V = vec<T, bytes>;
  using vector_at = vec_in_array<T, bytes>;
  using whole = typename detail::int_of<size_of_one>::type;
  using mask = vec<whole, bytes>;
  using quad = vec<T, 4 * size_of_one>;
  using quad_at = vec_in_array<T, 4 * size_of_one>;

  BROADLOOM_INLINE static void transpose(quad& a, quad& b, quad& c, quad& d) {
    const quad ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), AB = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const quad cd = __builtin_shufflevector(c, d, 0, 4, 1, 5), CD = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    a = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
    b = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    c = __builtin_shufflevector(AB, CD, 0, 1, 4, 5);
    d = __builtin_shufflevector(AB, CD, 2, 3, 6, 7);
  }
  BROADLOOM_INLINE static quad read(const T* p) { return *reinterpret_cast<const quad_at*>(p); }
  BROADLOOM_INLINE static void write(T* p, const quad& x) { *reinterpret_cast<quad_at*>(p) = x; }

  // The lanes of quads, one after the other: a vector that were stored by quads would wait for them to leave the store
  // buffer.
  BROADLOOM_INLINE static V joined(const quad (&x)[width / 4]) {
    if constexpr (width == 4)
      return x[0];
    else if constexpr (width == 8)
      return __builtin_shufflevector(x[0], x[1], 0, 1, 2, 3, 4, 5, 6, 7);
    else {
      const auto low = __builtin_shufflevector(x[0], x[1], 0, 1, 2, 3, 4, 5, 6, 7),
                 high = __builtin_shufflevector(x[2], x[3], 0, 1, 2, 3, 4, 5, 6, 7);
      return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    }
  }
  // Writes element (i, j) of every lane's matrix to to[i * cols + j].
  BROADLOOM_INLINE static void bring(V* to, const lane_matrices<T>& m, index rows, index cols) {
    if (m.col_stride == 1 && (m.row_stride == cols || rows == 1)) {
      constexpr int quads = width / 4;
      const index size = rows * cols, fours = size / 4 * 4;
      for (index e = 0; e < fours; e += 4) {
        quad x[4][quads];
#pragma GCC unroll 4
        for (int g = 0; g < quads; ++g) {
#pragma GCC unroll 4
          for (int l = 0; l < 4; ++l) x[l][g] = read(m.at[4 * g + l] + e);
          transpose(x[0][g], x[1][g], x[2][g], x[3][g]);
        }
#pragma GCC unroll 4
        for (int l = 0; l < 4; ++l) to[e + l] = joined(x[l]);
      }
      for (index e = fours; e < size; ++e) {
        quad x[quads];
#pragma GCC unroll 4
        for (int g = 0; g < quads; ++g)
          x[g] = quad{m.at[4 * g][e], m.at[4 * g + 1][e], m.at[4 * g + 2][e], m.at[4 * g + 3][e]};
        to[e] = joined(x);
      }
      return;
    }
    T* const flat = reinterpret_cast<T*>(to);
    for (int l = 0; l < width; ++l)
      for (index i = 0; i < rows; ++i)
        for (index j = 0; j < cols; ++j)
          flat[(i * cols + j) * width + l] = m.at[l][i * m.row_stride + j * m.col_stride];
  }
  // The reverse, to contiguous matrices.
  BROADLOOM_INLINE static void take(T* const* to, const V* from, index size) {
    const T* const flat = reinterpret_cast<const T*>(from);
    const index fours = size / 4 * 4;
    for (int g = 0; g < width; g += 4) {
      T *const p = to[g], *const q = to[g + 1], *const r = to[g + 2], *const s = to[g + 3];
      for (index e = 0; e < fours; e += 4) {
        quad a = read(flat + e * width + g), b = read(flat + (e + 1) * width + g), c = read(flat + (e + 2) * width + g),
             d = read(flat + (e + 3) * width + g);
        transpose(a, b, c, d);
        write(p + e, a);
        write(q + e, b);
        write(r + e, c);
        write(s + e, d);
      }
      for (index e = fours; e < size; ++e) {
        const T* const x = flat + e * width + g;
        p[e] = x[0];
        q[e] = x[1];
        r[e] = x[2];
        s[e] = x[3];
      }
    }
  }

  // The same for lanes whose `bad` is 0. The memory of the others is not changed, and info gets their numbers.
  BROADLOOM_INLINE static void take_good(T* const* to, const V* from, index size, const mask& bad, int* info) {
    if (!any_lane(bad)) {
      for (int l = 0; l < width; ++l) info[l] = 0;
      return take(to, from, size);
    }
    for (int l = 0; l < width; ++l) info[l] = static_cast<int>(bad[l]);
    T lost[max_lane_cholesky * max_lane_cholesky];
    T* good[width];
    for (int l = 0; l < width; ++l) good[l] = info[l] == 0 ? to[l] : lost;
    take(good, from, size);
  }

  BROADLOOM_INLINE static mask numbered(index i) { return mask{} + static_cast<whole>(i); }
  BROADLOOM_INLINE static V magnitude(const V& x) { return x < V{} ? -x : x; }

  // Row pivoting, lane by lane: swaps row k with the row of the largest element in column k. Flips `odd` in lanes whose
  // rows differ.
  BROADLOOM_INLINE static void pivot(V* a, index n, V* b, index cols, index k, mask& odd) {
    V most = magnitude(a[k * n + k]);
    mask row = numbered(k);
    for (index i = k + 1; i < n; ++i) {
      const V x = magnitude(a[i * n + k]);
      const mask larger = x > most;
      most = larger ? x : most;
      row = larger ? numbered(i) : row;
    }
    for (index i = k + 1; i < n; ++i) {
      const mask here = row == numbered(i);
      odd ^= here;
      for (index j = k; j < n; ++j) {
        const V x = a[k * n + j], y = a[i * n + j];
        a[k * n + j] = here ? y : x;
        a[i * n + j] = here ? x : y;
      }
      for (index j = 0; j < cols; ++j) {
        const V x = b[k * cols + j], y = b[i * cols + j];
        b[k * cols + j] = here ? y : x;
        b[i * cols + j] = here ? x : y;
      }
    }
  }
  // u in the upper triangle of a, b as forward substitution leaves it. Size 0: n.
  template <int Size>
  BROADLOOM_INLINE static void eliminate(V* a, index size, V* b, index cols, mask& odd, mask& zero) {
    const index n = Size == 0 ? size : Size;
    for (index k = 0; k < n; ++k) {
      pivot(a, n, b, cols, k, odd);
      const V p = a[k * n + k];
      const mask none = p == V{};
      zero = ((zero == mask{}) & none) ? numbered(k + 1) : zero;
      for (index i = k + 1; i < n; ++i) {
        // A column of zeros stays as it is.
        const V f = none ? V{} : a[i * n + k] / p;
        for (index j = k + 1; j < n; ++j) a[i * n + j] -= f * a[k * n + j];
        for (index j = 0; j < cols; ++j) b[i * cols + j] -= f * b[k * cols + j];
      }
    }
  }
  // Singular matrices of whole numbers: a pivot that is what rounding left of 0 becomes 0.
  template <int Size>
  BROADLOOM_INLINE static void correct(const lane_matrices<T>& from, V* a, index size, mask& zero) {
    const index n = Size == 0 ? size : Size;
    constexpr T small = sizeof(T) == 4 ? T(0x1p-9) : T(0x1p-30);
    const V limit = a[0] * small;
    const V least = limit * limit;
    mask tiny{};
    for (index k = 1; k < n; ++k) tiny |= a[k * n + k] * a[k * n + k] <= least;
    if (any_lane(tiny)) [[unlikely]]
      correct_lanes(from, n, a, tiny, zero);
  }
  BROADLOOM_INLINE static bool any_lane(const mask& m) {
    std::uint64_t parts[sizeof m / 8], all = 0;
    __builtin_memcpy(parts, &m, sizeof m);
    for (const std::uint64_t p : parts) all |= p;
    return all != 0;
  }
  [[gnu::noinline]] static void correct_lanes(const lane_matrices<T>& from, index n, V* a, const mask& tiny,
                                              mask& zero) {
    for (int l = 0; l < width; ++l) {
      const auto get = [&](index i, index j) { return from.at[l][i * from.row_stride + j * from.col_stride]; };
      if (tiny[l] == 0 || zero[l] != 0 || !detail::is_singular_of_integers(n, get)) continue;
      const index k = detail::first_lost_pivot<T>(n, [&](index i) { return a[i * n + i][l]; });
      a[k * n + k][l] = 0;
      zero[l] = static_cast<whole>(k + 1);
    }
  }
  template <int Size>
  BROADLOOM_INLINE static void solve_upper(const V* a, index size, V* b, index cols) {
    const index n = Size == 0 ? size : Size;
    for (index i = n; i-- > 0;) {
      const V p = a[i * n + i];
      for (index j = 0; j < cols; ++j) {
        V x = b[i * cols + j];
        for (index k = i + 1; k < n; ++k) x -= a[i * n + k] * b[k * cols + j];
        b[i * cols + j] = x / p;
      }
    }
  }
  template <int Size>
  static void solve_size(const lane_matrices<T>& from, const lane_matrices<T>* right, T* const* x, index size,
                         index cols, int* info) {
    const index n = Size == 0 ? size : Size;
    V a[max_lane_lu * max_lane_lu], b[max_lane_lu * max_lane_lu];
    mask odd{}, zero{};
    bring(a, from, n, n);
    if (right != nullptr)
      bring(b, *right, n, cols);
    else
      for (index i = 0; i < n * n; ++i) b[i] = V{} + static_cast<T>(i % (n + 1) == 0);
    if (Size != 0 && cols == 1) {
      eliminate<Size>(a, n, b, 1, odd, zero);
      correct<Size>(from, a, n, zero);
      solve_upper<Size>(a, n, b, 1);
    } else {
      eliminate<Size>(a, n, b, cols, odd, zero);
      correct<Size>(from, a, n, zero);
      solve_upper<Size>(a, n, b, cols);
    }
    take_good(x, b, n * cols, zero, info);
  }
  static void solve(const lane_matrices<T>& a, const lane_matrices<T>* b, T* const* x, index n, index cols, int* info) {
    switch (n) {
      case 2: return solve_size<2>(a, b, x, n, cols, info);
      case 3: return solve_size<3>(a, b, x, n, cols, info);
      case 4: return solve_size<4>(a, b, x, n, cols, info);
      default: return solve_size<0>(a, b, x, n, cols, info);
    }
  }
  static void determinant(const lane_matrices<T>& from, T* const* to, index n) {
    V a[max_lane_lu * max_lane_lu];
    mask odd{}, zero{};
    bring(a, from, n, n);
    eliminate<0>(a, n, nullptr, 0, odd, zero);
    correct<0>(from, a, n, zero);
    V d = odd != mask{} ? V{} - 1 : V{} + 1;
    for (index i = 0; i < n; ++i) d *= a[i * n + i];
    for (int l = 0; l < width; ++l) *to[l] = d[l];
  }

  static void cholesky(const lane_matrices<T>& from, T* const* to, index n, bool upper, int* info) {
    V a[max_lane_cholesky * max_lane_cholesky];
    mask bad{};
    bring(a, from, n, n);
    if (upper)
      for (index i = 0; i < n; ++i)
        for (index j = 0; j < i; ++j) a[i * n + j] = a[j * n + i];
    for (index j = 0; j < n; ++j) {
      V d = a[j * n + j];
      for (index k = 0; k < j; ++k) d -= a[j * n + k] * a[j * n + k];
      bad = ((bad == mask{}) & ~(d > V{})) ? numbered(j + 1) : bad;
      d = vector_root<T>(d);
      a[j * n + j] = d;
      const V inverse = 1 / d;
      for (index i = j + 1; i < n; ++i) {
        V x = a[i * n + j];
        for (index k = 0; k < j; ++k) x -= a[i * n + k] * a[j * n + k];
        a[i * n + j] = x * inverse;
      }
    }
    for (index i = 0; i < n; ++i)
      for (index j = i + 1; j < n; ++j) {
        a[i * n + j] = upper ? a[j * n + i] : V{};
        if (upper) a[j * n + i] = V{};
      }
    take_good(to, a, n * n, bad, info);
  }
  static void cholesky_solve(const lane_matrices<T>& right, const lane_matrices<T>& factor, T* const* to, index n,
                             index cols, bool upper) {
    V l[max_lane_cholesky * max_lane_cholesky], x[max_lane_cholesky * max_lane_cholesky];
    bring(l, factor, n, n);
    bring(x, right, n, cols);
    // Element (i, k) of the lower factor.
    const index down = upper ? 1 : n, along = upper ? n : 1;
    for (index i = 0; i < n; ++i)
      for (index j = 0; j < cols; ++j) {
        V s = x[i * cols + j];
        for (index k = 0; k < i; ++k) s -= l[i * down + k * along] * x[k * cols + j];
        x[i * cols + j] = s / l[i * n + i];
      }
    for (index i = n; i-- > 0;)
      for (index j = 0; j < cols; ++j) {
        V s = x[i * cols + j];
        for (index k = i + 1; k < n; ++k) s -= l[k * down + i * along] * x[k * cols + j];
        x[i * cols + j] = s / l[i * n + i];
      }
    take(to, x, n * cols);
  }

  // Matrix products with a row of the result in one vector, or two where the level's are shorter.
  using run = typename lane_kernels<T>::run;
  template <int Lanes, int Depth>
  static void multiply_runs(const run& r) {
    constexpr int most = BROADLOOM_LEVEL_BYTES / static_cast<int>(sizeof(T)), piece = Lanes < most ? Lanes : most,
                  pieces = Lanes / piece;
    using row_vector = vec<T, piece * size_of_one>;
    using row_at = vec_in_array<T, piece * size_of_one>;
    const index rows = r.rows, cols = r.cols, a_row = r.a_row, a_col = r.a_col, b_row = r.b_row;
    row_vector right[Depth][pieces];
    const auto take_row = [&](int k, const T* from, T alpha) __attribute__((always_inline)) {
#pragma GCC unroll 4
      for (int p = 0; p < pieces; ++p) right[k][p] = *reinterpret_cast<const row_at*>(from + p * piece) * alpha;
    };
    const auto product = [&](T* to, const T* a) __attribute__((always_inline)) {
      row_vector x[pieces];
#pragma GCC unroll 4
      for (int p = 0; p < pieces; ++p) x[p] = right[0][p] * a[0] + row_vector{};  // begins with 0, so it is never -0
#pragma GCC unroll 8
      for (int k = 1; k < Depth; ++k)
#pragma GCC unroll 4
        for (int p = 0; p < pieces; ++p) x[p] += right[k][p] * a[k * a_col];
#pragma GCC unroll 4
      for (int p = 0; p < pieces; ++p) *reinterpret_cast<row_at*>(to + p * piece) = x[p];
    };
    T* c = r.c;
    const T *a = r.a, *b = r.b;
    // A vector extends beyond its row, into rows and elements of the next matrix, which are written later.
    for (index number = 0; number + 1 < r.count; ++number, a += r.a_step, b += r.b_step) {
#pragma GCC unroll 8  // else these vectors are stored and loaded, which takes five times as long
      for (int k = 0; k < Depth; ++k) take_row(k, b + k * b_row, r.alpha);
      for (index i = 0; i < rows; ++i, c += cols) product(c, a + i * a_row);
    }
#pragma GCC unroll 8
    for (int k = 0; k < Depth; ++k) {
      T own[Lanes] = {};
      for (index j = 0; j < cols; ++j) own[j] = b[k * b_row + j] * r.alpha;
      take_row(k, own, T(1));
    }
    for (index i = 0; i < rows; ++i, c += cols) {
      T x[Lanes];
      product(x, a + i * a_row);
      for (index j = 0; j < cols; ++j) c[j] = x[j];
    }
  }
  template <int Lanes>
  static void multiply_lanes(const run& r) {
    switch (r.depth) {
      case 1: return multiply_runs<Lanes, 1>(r);
      case 2: return multiply_runs<Lanes, 2>(r);
      case 3: return multiply_runs<Lanes, 3>(r);
      case 4: return multiply_runs<Lanes, 4>(r);
      case 5: return multiply_runs<Lanes, 5>(r);
      case 6: return multiply_runs<Lanes, 6>(r);
      case 7: return multiply_runs<Lanes, 7>(r);
      default: return multiply_runs<Lanes, 8>(r);
    }
  }
  // Several rows of the result in one vector, if the level can permute elements across a whole vector.
#if defined(__AVX512F__)
  static constexpr bool permutes = sizeof(V) == 64;
#elif defined(__AVX2__)
  static constexpr bool permutes = sizeof(V) == 32;
#else
  static constexpr bool permutes = false;
#endif

  // The indices for permuted().
  BROADLOOM_INLINE static mask places(const whole* at) {
    mask r{};
    for (int l = 0; l < width; ++l)
      if constexpr (sizeof(V) == 32 && sizeof(T) == 8)
        r[l] = 2 * at[l] + ((2 * at[l] + 1) << 32);  // halves of elements
      else
        r[l] = at[l];
    return r;
  }
  BROADLOOM_INLINE static V permuted(const V& x, const mask& at) {
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 4)
      return V(_mm512_permutexvar_ps(__m512i(at), __m512(x)));
    else
      return V(_mm512_permutexvar_pd(__m512i(at), __m512d(x)));
#elif defined(__AVX2__)
    return V(_mm256_permutevar8x32_ps(__m256(x), __m256i(at)));
#else
    static_cast<void>(at);
    return x;
#endif
  }

  // c (rows x cols) = a (rows x Depth, contiguous) * the rows of b.
  template <int Depth>
  static void rows_of_depth(T* c, const T* a, index rows, index cols, const T* b, index b_row, T alpha) {
    const index group = width / (cols > Depth ? cols : Depth);
    V right[Depth];
    mask at[Depth];
    for (int k = 0; k < Depth; ++k) {
      whole from[width] = {};
      T own[width] = {};
      for (index r = 0; r < group; ++r)
        for (index j = 0; j < cols; ++j) {
          from[r * cols + j] = static_cast<whole>(r * Depth + k);
          own[r * cols + j] = b[k * b_row + j] * alpha;
        }
      right[k] = *reinterpret_cast<const vector_at*>(own);
      at[k] = places(from);
    }
    const auto some = [&](T* to, const T* from) __attribute__((always_inline)) {
      const V x = *reinterpret_cast<const vector_at*>(from);
      V sum = permuted(x, at[0]) * right[0] + V{};
      for (int k = 1; k < Depth; ++k) sum += permuted(x, at[k]) * right[k];
      *reinterpret_cast<vector_at*>(to) = sum;
    };
    // Vectors extend into elements that are written later; the last rows go through a buffer.
    const index narrow = cols < Depth ? cols : Depth, whole_rows = rows - (width + narrow - 1) / narrow;
    const auto few = [&](index i, index n) {
      T from[width] = {}, to[width];
      for (index e = 0; e < n * Depth; ++e) from[e] = a[i * Depth + e];
      some(to, from);
      for (index e = 0; e < n * cols; ++e) c[i * cols + e] = to[e];
    };
    index i = 0;
    if (group * cols == width) {  // then no vector crosses a cache line
      const auto over = static_cast<index>(reinterpret_cast<std::uintptr_t>(c) % (width * sizeof(T))),
                 row = cols * static_cast<index>(sizeof(T));
      if (over % row == 0 && over > 0 && group < whole_rows) {
        i = group - over / row;
        few(0, i);
      }
    }
    // Prefetches what comes next: the hardware prefetcher stops at the end of a page.
    constexpr index ahead = 4096 / static_cast<index>(sizeof(T));
    for (; i <= whole_rows; i += group) {
      __builtin_prefetch(a + i * Depth + ahead);
      __builtin_prefetch(c + i * cols + ahead, 1);
      some(c + i * cols, a + i * Depth);
    }
    for (; i < rows; i += group) few(i, rows - i < group ? rows - i : group);
  }
  static void multiply_rows(T* c, const T* a, index rows, index depth, index cols, const T* b, index b_row, T alpha) {
    switch (depth) {
      case 1: return rows_of_depth<1>(c, a, rows, cols, b, b_row, alpha);
      case 2: return rows_of_depth<2>(c, a, rows, cols, b, b_row, alpha);
      case 3: return rows_of_depth<3>(c, a, rows, cols, b, b_row, alpha);
      case 4: return rows_of_depth<4>(c, a, rows, cols, b, b_row, alpha);
      case 5: return rows_of_depth<5>(c, a, rows, cols, b, b_row, alpha);
      case 6: return rows_of_depth<6>(c, a, rows, cols, b, b_row, alpha);
      case 7: return rows_of_depth<7>(c, a, rows, cols, b, b_row, alpha);
      default: return rows_of_depth<8>(c, a, rows, cols, b, b_row, alpha);
    }
  }

  // Products of consecutive matrices, each of which fits a vector; square ones one after the other, as many as fit.
  template <int Depth>
  static void multiply_whole(const run& r) {
    const index rows = r.rows, cols = r.cols, size = rows * cols;
    const index group = rows == Depth && cols == Depth && r.a_step == size && r.b_step == size ? width / size : 1;
    mask from_a[Depth], from_b[Depth];
    for (int k = 0; k < Depth; ++k) {
      whole x[width] = {}, y[width] = {};
      for (index g = 0; g < group * size; g += size)
        for (index i = 0; i < rows; ++i)
          for (index j = 0; j < cols; ++j) {
            x[g + i * cols + j] = static_cast<whole>(g + i * Depth + k);
            y[g + i * cols + j] = static_cast<whole>(g + k * cols + j);
          }
      from_a[k] = places(x);
      from_b[k] = places(y);
    }
    const auto product = [&](T* to, const T* left, const T* right) __attribute__((always_inline)) {
      const V x = *reinterpret_cast<const vector_at*>(left), y = *reinterpret_cast<const vector_at*>(right) * r.alpha;
      V sum = permuted(x, from_a[0]) * permuted(y, from_b[0]) + V{};
      for (int k = 1; k < Depth; ++k) sum += permuted(x, from_a[k]) * permuted(y, from_b[k]);
      *reinterpret_cast<vector_at*>(to) = sum;
    };
    // A matrix whose vector ends within the memory of these products.
    const auto within = [&](index number, index step, index elements) {
      return (r.count - 1 - number) * step + elements >= width;
    };
    const T *a = r.a, *b = r.b;
    T* c = r.c;
    index number = 0;
    for (; number < r.count && within(number, r.a_step, rows * Depth) && within(number, r.b_step, Depth * cols) &&
           within(number, size, size);
         number += group, a += group * r.a_step, b += group * r.b_step, c += group * size)
      product(c, a, b);
    for (; number < r.count; ++number, a += r.a_step, b += r.b_step, c += size) {
      T left[width] = {}, right[width] = {}, to[width];
      for (index e = 0; e < rows * Depth; ++e) left[e] = a[e];
      for (index e = 0; e < Depth * cols; ++e) right[e] = b[e];
      product(to, left, right);
      for (index e = 0; e < size; ++e) c[e] = to[e];
    }
  }
  static void multiply(const run& r) {
    if constexpr (permutes)
      if (r.rows * r.cols <= width && r.rows * r.depth <= width && r.depth * r.cols <= width && r.a_col == 1 &&
          r.a_row == r.depth && r.b_row == r.cols) {
        switch (r.depth) {
          case 1: return multiply_whole<1>(r);
          case 2: return multiply_whole<2>(r);
          case 3: return multiply_whole<3>(r);
          case 4: return multiply_whole<4>(r);
          case 5: return multiply_whole<5>(r);
          case 6: return multiply_whole<6>(r);
          case 7: return multiply_whole<7>(r);
          default: return multiply_whole<8>(r);
        }
      }
    if (r.cols <= 4)
      multiply_lanes<4>(r);
    else
      multiply_lanes<8>(r);
  }

  static void add(T* c, const T* x, index n, T alpha) {
    index i = 0;
    for (; i + width <= n; i += width)
      *reinterpret_cast<vector_at*>(c + i) =
          *reinterpret_cast<const vector_at*>(x + i) * alpha + *reinterpret_cast<const vector_at*>(c + i);
    for (; i < n; ++i) c[i] = x[i] * alpha + c[i];
  }

  static constexpr lane_kernels<T> table{width,          solve,    determinant, cholesky,
                                         cholesky_solve, multiply, add,         permutes ? multiply_rows : nullptr};
};

}  // namespace broadloom::runtime::BROADLOOM_LEVEL

namespace broadloom::runtime {

BROADLOOM_REAL_TABLES(lane_kernels, lanes, lane_code)

}  // namespace broadloom::runtime
