// Stacks of small matrices at constant steps: products with vectors, determinants by minors, eigenvalues by Jacobi's
// rotations. Each matrix's bits are the same wherever it stands in a run.
#include "../base/level.hpp"
#if BROADLOOM_LEVEL_BYTES < 64
#include <algorithm>
#include <limits>
#include <type_traits>

#include <broadloom/linalg/small_spectral.hpp>

#include "lane_quads_level.hpp"
#include "run_kernels.hpp"

namespace broadloom::runtime::BROADLOOM_LEVEL {

template <class T>
struct run_code {
  using quads = lane_quads<T>;
  using Q = typename quads::V;
  static constexpr int at_once = quads::lanes / 4;

  // Products of `at_once` matrices with a vector each, by quads of rows. Columns are contiguous, or rows are.
  template <int Depth, bool ByColumns>
  struct products {
    static constexpr int pieces = (Depth + 3) / 4;
    // Whether a quad has two halves that are loaded by themselves, and two rows are a vector.
    static constexpr bool by_halves = sizeof(T) == 8 && quads::has_halves, has_pairs = by_halves && !ByColumns;
    index rows, a_step, a_stride, x_step;
    T alpha;
    index at[max_run_size];  // where rows begin; those beyond the last are as the last

    products(index own_rows, index own_a_step, index own_a_stride, index own_x_step, T own_alpha)
        : rows(own_rows), a_step(own_a_step), a_stride(own_a_stride), x_step(own_x_step), alpha(own_alpha) {
      for (index i = 0; i < max_run_size; ++i) at[i] = std::min(i, rows - 1) * a_stride;
    }
    // Below: rows below the first four, none, two or four.
    template <int Below>
    BROADLOOM_INLINE void multiply(T* to, const T* a, const T* x) const {
      Q right[pieces];
#pragma GCC unroll 2
      for (int k = 0; k < pieces; ++k) right[k] = quads::at(x + 4 * k, x_step) * alpha;
      // A quad extends into the next result, which is written later.
      const Q upper = sum_of<0>(a, right);
      if constexpr (Below == 0)
        quads::put(to, upper, rows);
      else if constexpr (Below == 2) {
        const auto lower = sum_of_pair(a, right, detail::make_sequence<Depth>{});
        detail::store<T>(to, upper);
        detail::store<T>(to + 4, lower);
      } else {
        const Q lower = sum_of<4>(a, right);
#pragma GCC unroll 2
        for (int g = 0; g < at_once; ++g) {
          detail::store<T>(to + g * rows, quads::half(upper, g));
          detail::store<T>(to + g * rows + 4, quads::half(lower, g));
        }
      }
    }

   private:
    template <int Row>
    BROADLOOM_INLINE Q sum_of(const T* a, const Q* right) const {
      Q s{};
      add<Row>(s, a, right, detail::make_sequence<pieces>{});
      return s;
    }
    template <int Row, int... P>
    BROADLOOM_INLINE void add(Q& s, const T* a, const Q* right, detail::sequence<P...>) const {
      (piece<Row, P>(s, a, right[P], detail::make_sequence<(Depth - 4 * P < 4 ? Depth - 4 * P : 4)>{}), ...);
    }
    template <int Row, int P, int... K>
    BROADLOOM_INLINE void piece(Q& s, const T* a, const Q& right, detail::sequence<K...>) const {
      Q q[4];
      if constexpr (ByColumns) {
        ((q[K] = quads::at(a + Row + (4 * P + K) * a_stride, a_step)), ...);
      } else if constexpr (by_halves && sizeof...(K) <= 2) {
        const T* const from = a + 4 * P;
        quads::turn_pairs(from + at[Row], from + at[Row + 1], from + at[Row + 2], from + at[Row + 3], q);
      } else {
#pragma GCC unroll 4
        for (int l = 0; l < 4; ++l) q[l] = quads::at(a + at[Row + l] + 4 * P, a_step);
        quads::turn(q[0], q[1], q[2], q[3]);
      }
      ((s += q[K] * quads::template splat_lane<K>(right)), ...);
    }
    // Rows 4 and 5, by vectors of both.
    template <int... K>
    BROADLOOM_INLINE auto sum_of_pair(const T* a, const Q* right, detail::sequence<K...>) const {
      using pair = detail::simd_vec<T, 2>;
      pair s{};
      const auto add_one = [&]<int I>() __attribute__((always_inline)) {
        const pair u = detail::load<T, 2>(a + at[4] + I / 2 * 2), v = detail::load<T, 2>(a + at[5] + I / 2 * 2);
        const Q x = quads::template splat_lane<I % 4>(right[I / 4]);
        s += pair(__builtin_shufflevector(u, v, I % 2, 2 + I % 2)) * pair(__builtin_shufflevector(x, x, 0, 1));
      };
      (add_one.template operator()<K>(), ...);
      return s;
    }
  };
  // Whole groups that begin before `until`; returns where they end.
  template <int Below, class P>
  static index many_of(const P& all, T* to, const T* a, index a_step, const T* x, index until) {
    const P each = all;  // stores cannot change it
    index number = 0;
    for (; number <= until; number += at_once) {
      each.template multiply<Below>(to, a, x);
      to += at_once * each.rows;
      a += at_once * a_step;
      x += at_once * each.x_step;
    }
    return number;
  }
  template <class P>
  static index many(const P& all, T* to, const T* a, index a_step, const T* x, index until) {
    if constexpr (P::has_pairs)
      if (all.rows == 5 || all.rows == 6) return many_of<2>(all, to, a, a_step, x, until);
    return all.rows > 4 ? many_of<4>(all, to, a, a_step, x, until) : many_of<0>(all, to, a, a_step, x, until);
  }
  // Sums of neighbours, of x and of y: in each quad those of x first, or for f64 in turns.
  BROADLOOM_INLINE static Q folded(const Q& x, const Q& y) {
    if constexpr (quads::lanes == 8)
      return __builtin_shufflevector(x, y, 0, 2, 8, 10, 4, 6, 12, 14) +
             __builtin_shufflevector(x, y, 1, 3, 9, 11, 5, 7, 13, 15);
    else if constexpr (sizeof(T) == 4)
      return __builtin_shufflevector(x, y, 0, 2, 4, 6) + __builtin_shufflevector(x, y, 1, 3, 5, 7);
    else
      return __builtin_shufflevector(x, y, 0, 4, 2, 6) + __builtin_shufflevector(x, y, 1, 5, 3, 7);
  }
  // Products of matrices of N x N elements, 2 or 4, row by row: all lanes are of use.
  template <int N>
  struct squares {
    // Of so many matrices, with a vector each.
    static constexpr int count = quads::lanes / N;
    BROADLOOM_INLINE static void multiply(T* to, const T* a, const T* x, T alpha) {
      const Q y = detail::load<T, quads::lanes>(x) * alpha;
      Q r[N], sum;
#pragma GCC unroll 4
      for (int i = 0; i < N; ++i) r[i] = detail::load<T, quads::lanes>(a + i * quads::lanes);
      if constexpr (N == 2 && quads::lanes == 8) {
        sum = folded(r[0] * __builtin_shufflevector(y, y, 0, 1, 0, 1, 2, 3, 2, 3),
                     r[1] * __builtin_shufflevector(y, y, 4, 5, 4, 5, 6, 7, 6, 7));
        sum = __builtin_shufflevector(sum, sum, 0, 1, 4, 5, 2, 3, 6, 7);
      } else if constexpr (N == 2) {
        sum =
            folded(r[0] * __builtin_shufflevector(y, y, 0, 1, 0, 1), r[1] * __builtin_shufflevector(y, y, 2, 3, 2, 3));
        if constexpr (sizeof(T) == 8) sum = __builtin_shufflevector(sum, sum, 0, 2, 1, 3);
      } else if constexpr (quads::lanes == 8) {
        const Q first = __builtin_shufflevector(y, y, 0, 1, 2, 3, 0, 1, 2, 3),
                second = __builtin_shufflevector(y, y, 4, 5, 6, 7, 4, 5, 6, 7);
        sum = folded(folded(r[0] * first, r[1] * first), folded(r[2] * second, r[3] * second));
        sum = __builtin_shufflevector(sum, sum, 0, 4, 1, 5, 2, 6, 3, 7);
      } else {
        const Q upper = folded(r[0] * y, r[1] * y), lower = folded(r[2] * y, r[3] * y);
        if constexpr (sizeof(T) == 4)
          sum = folded(upper, lower);
        else
          sum = __builtin_shufflevector(upper, lower, 0, 1, 4, 5) + __builtin_shufflevector(upper, lower, 2, 3, 6, 7);
      }
      detail::store<T>(to, sum + Q{});  // never -0
    }
  };
  template <int N>
  static void multiply_squares(const vector_run_of<T>& r) {
    constexpr int each = squares<N>::count, size = N * N;
    const index count = r.a.count;
    const T alpha = r.alpha;
    index number = 0;
    if (r.a.col_stride == 1 && r.a.row_stride == N && r.a.step == size && r.x_stride == 1 && r.x_step == N) {
      const T *const a = r.a.data, *const x = r.x;
      T* const to = r.to;
      for (; number + each <= count; number += each)
        squares<N>::multiply(to + N * number, a + size * number, x + N * number, alpha);
    }
    for (; number < count; number += each) {
      T a[size * each] = {}, x[N * each] = {}, to[N * each];
      const int left = static_cast<int>(std::min<index>(each, count - number));
      for (int l = 0; l < left; ++l) {
        const T *const from = r.a.data + (number + l) * r.a.step, *const right = r.x + (number + l) * r.x_step;
        for (int e = 0; e < size; ++e) a[size * l + e] = from[e / N * r.a.row_stride + e % N * r.a.col_stride];
        for (int e = 0; e < N; ++e) x[N * l + e] = right[e * r.x_stride];
      }
      squares<N>::multiply(to, a, x, alpha);
      for (int e = 0; e < N * left; ++e) r.to[N * number + e] = to[e];
    }
  }

  template <int Depth, bool ByColumns>
  static void multiply_as(const vector_run_of<T>& r) {
    const index rows = r.rows, stride = ByColumns ? r.a.col_stride : r.a.row_stride;
    T own_a[max_run_size * max_run_size] = {}, own_x[max_run_size] = {}, own_to[2 * max_run_size + 4];
    const auto copy_a = [&](const T* a) {
      for (index i = 0; i < rows; ++i)
        for (index k = 0; k < Depth; ++k) own_a[i * max_run_size + k] = a[i * r.a.row_stride + k * r.a.col_stride];
    };
    const auto copy_x = [&](const T* x) {
      for (index k = 0; k < Depth; ++k) own_x[k] = x[k * r.x_stride];
    };
    const bool one_a = r.a.step == 0, one_x = r.x_step == 0;
    if (one_a) copy_a(r.a.data);
    if (one_x) copy_x(r.x);
    const bool quads_of_a = (ByColumns ? r.a.row_stride : r.a.col_stride) == 1 && stride >= 0 && r.a.step > 0,
               quads_of_x = r.x_stride == 1 && r.x_step > 0;
    // What a quad reads and writes beyond its matrix lies in the memory of the next ones.
    const index least = std::min(std::min(one_a ? 4 : r.a.step, one_x ? 4 : r.x_step), rows),
                beyond = least >= 3 ? 1 : 3,
                until = (one_a || quads_of_a) && (one_x || quads_of_x) ? r.a.count - at_once - beyond : -1;
    const T* const x = one_x ? own_x : r.x;
    index number = 0;
    if (one_a)
      number = many(products<Depth, false>(rows, 0, max_run_size, r.x_step, r.alpha), r.to, own_a, 0, x, until);
    else
      number = many(products<Depth, ByColumns>(rows, r.a.step, stride, r.x_step, r.alpha), r.to, r.a.data, r.a.step, x,
                    until);
    const products<Depth, false> alone(rows, 0, max_run_size, 0, r.alpha);
    for (; number < r.a.count; ++number) {
      if (!one_a) copy_a(r.a.data + number * r.a.step);
      if (!one_x) copy_x(r.x + number * r.x_step);
      alone.template multiply<4>(own_to, own_a, own_x);
      for (index i = 0; i < rows; ++i) r.to[number * rows + i] = own_to[i];
    }
  }
  template <bool ByColumns>
  static void multiply_of(const vector_run_of<T>& r) {
    switch (r.depth) {
      case 1: return multiply_as<1, ByColumns>(r);
      case 2: return multiply_as<2, ByColumns>(r);
      case 3: return multiply_as<3, ByColumns>(r);
      case 4: return multiply_as<4, ByColumns>(r);
      case 5: return multiply_as<5, ByColumns>(r);
      case 6: return multiply_as<6, ByColumns>(r);
      case 7: return multiply_as<7, ByColumns>(r);
      default: return multiply_as<8, ByColumns>(r);
    }
  }
  static void multiply(const vector_run_of<T>& r) {
    if (r.rows == 2 && r.depth == 2)
      multiply_squares<2>(r);
    else if (r.rows == 4 && r.depth == 4)
      multiply_squares<4>(r);
    else if (r.a.row_stride == 1 && r.a.col_stride != 1)
      multiply_of<true>(r);
    else
      multiply_of<false>(r);
  }

  static constexpr int width = BROADLOOM_LEVEL_BYTES / static_cast<int>(sizeof(T));

  // N x N elements of W matrices.
  template <int N, int W>
  BROADLOOM_INLINE static void bring(detail::simd_vec<T, W>* to, const matrix_run<T>& r, index number) {
    const T* const p = r.data + number * r.step;
    if (r.col_stride == 1 && r.row_stride == N) return quads::template bring<N * N, W>(to, p, r.step);
#pragma GCC unroll 6
    for (int i = 0; i < N; ++i)
#pragma GCC unroll 6
      for (int j = 0; j < N; ++j)
        to[i * N + j] = quads::template element<W>(p + i * r.row_stride + j * r.col_stride, r.step);
  }

  template <int N, int W>
  BROADLOOM_INLINE static auto determinants(const matrix_run<T>& r, index number, T* to) {
    using V = detail::simd_vec<T, W>;
    detail::small_matrix<V, N> m;
    bring<N, W>(m.v, r, number);
    const V d = m.determinant();
    // Where terms cancel each other, rounding decides: elimination finds equal rows. The terms' sum is at most the mean
    // row to the power of N.
    const V mean = lanes::times(m.size(), lanes::each<V>(T(1) / N));
    V least = lanes::times(mean, lanes::each<V>(sizeof(T) == 4 ? T(0x1p-16) : T(0x1p-40)));
    for (int i = 1; i < N; ++i) least = lanes::times(least, mean);
    const auto keeps = lanes::both(m.keeps(d), lanes::greater_equal(lanes::magnitude(d), least));
    detail::store<T>(to + number, lanes::select(keeps, d, lanes::each<V>(std::numeric_limits<T>::quiet_NaN())));
    return lanes::negation(keeps);
  }
  // Determinants of the groups in [number, end), by rows: whether a quick look keeps all of them. The mean row is at
  // most the root of the sum of all squares; below the bound on that nothing overflows, and no determinant above `tiny`
  // has lost what underflowed.
  template <int N>
  static bool quick_determinants(const matrix_run<T>& r, index number, index end, T* to) {
    using V = detail::simd_vec<T, width>;
    constexpr bool f32 = sizeof(T) == 4;
    constexpr T lost = f32 ? T(0x1p-15) : T(0x1p-39), tiny = f32 ? T(0x1p-50) : T(0x1p-400);
    const V highest = lanes::each<V>(f32 ? T(0x1p40) : T(0x1p200));
    const index step = r.step;
    const T* p = r.data + number * step;
    auto keeps = lanes::equal(highest, highest);
    for (; number < end; number += width, p += width * step) {
      detail::small_matrix<V, N> m;
      quads::template bring<N * N, width>(m.v, p, step);
      V rows[N];
#pragma GCC unroll 4
      for (int i = 0; i < N; ++i) {
        const V* const v = m.v + i * N;
        rows[i] = v[0] * v[0];
#pragma GCC unroll 4
        for (int j = 1; j < N; ++j) rows[i] = rows[i] + v[j] * v[j];
      }
      V squares = rows[0] + rows[1];
#pragma GCC unroll 4
      for (int i = 2; i < N; ++i) squares = squares + rows[i];
      const V d = m.determinant();
      V size = lanes::magnitude(d), least = squares;
      if constexpr (N == 3) {  // of the determinant's square
        size = d * d;
        least = squares * squares * squares * (lost * lost) + tiny * tiny;
      } else
        least = (N == 2 ? squares : squares * squares) * lost + tiny;
      keeps = lanes::both(keeps, lanes::both(lanes::less(squares, highest), lanes::greater_equal(size, least)));
      detail::store<T>(to + number, d);
    }
    return !any(lanes::negation(keeps));
  }
  template <int N>
  static bool determinants_of(const matrix_run<T>& r, T* to) {
    using V = detail::simd_vec<T, width>;
    constexpr index block = 64 * width;
    const bool by_rows = r.col_stride == 1 && r.row_stride == N;
    index number = 0;
    auto lost = lanes::less(V{}, V{});
    for (const index whole = r.count / width * width; number < whole;) {
      const index end = whole - number < block ? whole : number + block;
      if (by_rows && quick_determinants<N>(r, number, end, to))
        number = end;
      else
        for (; number < end; number += width) lost = lanes::either(lost, determinants<N, width>(r, number, to));
    }
    bool some = any(lost);
    for (; number < r.count; ++number) some |= determinants<N, 1>(r, number, to);
    return !some;
  }
  static bool determinant(const matrix_run<T>& r, index n, T* to) {
    return n == 2 ? determinants_of<2>(r, to) : n == 3 ? determinants_of<3>(r, to) : determinants_of<4>(r, to);
  }

  template <class M>
  BROADLOOM_INLINE static bool any(const M& m) {
    if constexpr (__is_same(M, bool))
      return m;
    else {
      std::uint64_t parts[sizeof(m) / 8], all = 0;
      __builtin_memcpy(parts, &m, sizeof(m));
      for (const std::uint64_t p : parts) all |= p;
      return all != 0;
    }
  }

  // As detail::eigen_small, in the lanes that still turn.
  template <int N, int W>
  static bool eigen(const matrix_run<T>& r, index number, bool upper, T* values, T* vectors) {
    using V = detail::simd_vec<T, W>;
    V m[N * N], a[N][N], v[N][N];
    bring<N, W>(m, r, number);
    constexpr T least = sizeof(T) == 4 ? static_cast<T>(0x1p-40) : static_cast<T>(0x1p-400), most = 1 / least;
    const V zero = lanes::each<V>(T(0)), one = lanes::each<V>(T(1));
    V sum = zero, largest = zero;
    auto fits = lanes::equal(zero, zero);
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {
        a[i][j] = m[(i > j) != upper || i == j ? i * N + j : j * N + i];
        const V size = lanes::magnitude(a[i][j]);
        fits = lanes::both(fits, lanes::less_equal(size, lanes::each<V>(most)));
        largest = lanes::select(lanes::greater(size, largest), size, largest);
      }
    fits = lanes::both(
        fits, lanes::either(lanes::equal(largest, zero), lanes::greater_equal(largest, lanes::each<V>(least))));
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {
        a[i][j] = lanes::select(fits, a[i][j], zero);
        sum = lanes::plus(sum, lanes::times(a[i][j], a[i][j]));
        v[i][j] = i == j ? one : zero;
      }
    const V negligible = lanes::times(lanes::root(sum), lanes::each<V>(detail::small_epsilon<T> / 8));
    bool turned = true;
    for (int sweep = 0; sweep < 20 && turned; ++sweep) {
      turned = false;
#pragma GCC unroll 6
      for (int p = 0; p < N; ++p)
#pragma GCC unroll 6
        for (int q = p + 1; q < N; ++q) {
          const V x = a[p][q];
          const auto here = lanes::greater(lanes::magnitude(x), negligible);
          if (!any(here)) continue;
          turned = true;
          // t = 0 and c = 1 change nothing in the other lanes.
          const V theta = lanes::over(lanes::minus(a[q][q], a[p][p]),
                                      lanes::times(lanes::each<V>(T(2)), lanes::select(here, x, one)));
          const V size = lanes::magnitude(theta);
          constexpr T limit = sizeof(T) == 4 ? static_cast<T>(0x1p30) : static_cast<T>(0x1p300);
          const V root = lanes::select(lanes::less(size, lanes::each<V>(limit)),
                                       lanes::root(lanes::plus(lanes::times(theta, theta), one)), size);
          const V t = lanes::select(
              here,
              lanes::over(lanes::select(lanes::less(theta, zero), lanes::each<V>(T(-1)), one), lanes::plus(size, root)),
              zero);
          const V c = lanes::over(one, lanes::root(lanes::plus(lanes::times(t, t), one))), s = lanes::times(t, c);
          const auto turn = [&](V& y, V& z) __attribute__((always_inline)) {
            const V before = y;
            y = lanes::minus(lanes::times(c, before), lanes::times(s, z));
            z = lanes::plus(lanes::times(s, before), lanes::times(c, z));
          };
          a[p][p] = lanes::minus(a[p][p], lanes::times(t, x));
          a[q][q] = lanes::plus(a[q][q], lanes::times(t, x));
          a[p][q] = a[q][p] = lanes::select(here, zero, x);
#pragma GCC unroll 6
          for (int i = 0; i < N; ++i) {
            if (i != p && i != q) {
              turn(a[i][p], a[i][q]);
              a[p][i] = a[i][p];
              a[q][i] = a[i][q];
            }
            turn(v[i][p], v[i][q]);
          }
        }
    }
    for (int i = 0; i < N; ++i)
      for (int j = i + 1; j < N; ++j) {
        const auto swaps = lanes::less(a[j][j], a[i][i]);
        const auto order = [&](V& y, V& z) __attribute__((always_inline)) {
          const V before = y;
          y = lanes::select(swaps, z, y);
          z = lanes::select(swaps, before, z);
        };
        order(a[i][i], a[j][j]);
        for (int k = 0; k < N; ++k) order(v[k][i], v[k][j]);
      }
    a[0][0] = lanes::select(fits, a[0][0], lanes::each<V>(std::numeric_limits<T>::quiet_NaN()));
    // Zeros are positive: their signs depend on the turns of other lanes.
    T flat[N][W];
    for (int i = 0; i < N; ++i) detail::store<T>(flat[i], lanes::plus(a[i][i], zero));
    for (int l = 0; l < W; ++l)
      for (int i = 0; i < N; ++i) values[(number + l) * N + i] = flat[i][l];
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j < N; ++j) detail::store<T>(flat[j], lanes::plus(v[i][j], zero));
      for (int l = 0; l < W; ++l)
        for (int j = 0; j < N; ++j) vectors[(number + l) * N * N + i * N + j] = flat[j][l];
    }
    return !any(lanes::negation(fits));
  }
  template <int N>
  static bool eigen_of(const matrix_run<T>& r, bool upper, T* values, T* vectors) {
    bool all = true;
    index number = 0;
    for (; number + width <= r.count; number += width) all &= eigen<N, width>(r, number, upper, values, vectors);
    for (; number < r.count; ++number) all &= eigen<N, 1>(r, number, upper, values, vectors);
    return all;
  }
  static bool symmetric(const matrix_run<T>& r, index n, bool upper, T* values, T* vectors) {
    switch (n) {
      case 2: return eigen_of<2>(r, upper, values, vectors);
      case 3: return eigen_of<3>(r, upper, values, vectors);
      case 4: return eigen_of<4>(r, upper, values, vectors);
      case 5: return eigen_of<5>(r, upper, values, vectors);
      default: return eigen_of<6>(r, upper, values, vectors);
    }
  }

  static constexpr run_kernels<T> table{multiply, determinant, symmetric};
};

}  // namespace broadloom::runtime::BROADLOOM_LEVEL

namespace broadloom::runtime {

BROADLOOM_REAL_TABLES(run_kernels, small_runs, run_code)

}  // namespace broadloom::runtime
#endif
