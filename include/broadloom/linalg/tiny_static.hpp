// Products and solutions of matrices of few elements, whose sizes the compiler knows: unrolled in the caller,
// with no plan and no call.
#pragma once

#include <broadloom/core/simd_vec.hpp>
#include <broadloom/eval/assign.hpp>
#include <broadloom/linalg/constant.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::detail {

// One matrix or vector of at most 8 x 8 real elements in memory, its geometry known.
template <class E>
inline constexpr bool is_tiny = false;
template <leaf E>
  requires(!deferred_leaf<E> && E::shape_type::is_static && std::is_floating_point_v<typename E::value_type>)
inline constexpr bool is_tiny<E> = [] {
  bool few = rank_of<E> == 1 || rank_of<E> == 2;
  for (int i = 0; i < rank_of<E>; ++i) {
    const index n = E::shape_type::static_extents[i];
    few = few && n >= 1 && n <= max_constant_size;
  }
  return few && E::layout_type::template is_static<typename E::shape_type>;
}();
template <class Out, class... E>
inline constexpr bool are_tiny = is_tiny<Out> && (is_tiny<E> && ...) && (__is_same(value_of<Out>, value_of<E>) && ...);

// A leaf of one or two axes as a matrix, a vector as a row or a column.
struct tiny_matrix {
  index rows, cols, row_stride, col_stride;
};
template <class E, bool Column>
inline constexpr tiny_matrix tiny_form = [] {
  constexpr auto x = E::shape_type::static_extents;
  constexpr auto s = typename E::layout_type{}.strides(typename E::shape_type{});
  if constexpr (rank_of<E> == 2)
    return tiny_matrix{x[0], x[1], s[0], s[1]};
  else if constexpr (Column)
    return tiny_matrix{x[0], 1, s[0], 0};
  else
    return tiny_matrix{1, x[0], 0, s[0]};
}();

// The widest vector that all processors have, or what is left of a row.
template <class T>
constexpr int piece_of(index left) {
  int n = 16 / static_cast<int>(sizeof(T));
  while (n > left) n /= 2;
  return n;
}
template <class T, int W, index Stride>
BROADLOOM_INLINE auto tiny_lanes(const T* p) {
  if constexpr (W == 1)
    return *p;
  else if constexpr (Stride == 1)
    return load<T, W>(p);
  else {
    T lanes[W];
    for (int i = 0; i < W; ++i) lanes[i] = p[i * Stride];
    return load<T, W>(lanes);
  }
}
template <class T, int W>
BROADLOOM_INLINE auto tiny_splat(T x) {
  if constexpr (W == 1)
    return x;
  else
    return splat<W>(x);
}

// Columns [C, C + W) of a product, then those after them, in rows `Pitch` apart; each element a sum in the order of the
// index, without fused products.
template <tiny_matrix A, tiny_matrix B, index Pitch, int C, class T>
BROADLOOM_INLINE void tiny_products(const T* a, const T* b, T* to) {
  if constexpr (C < B.cols) {
    constexpr int w = piece_of<T>(B.cols - C);
    using piece = decltype(tiny_lanes<T, w, B.col_stride>(b));
    piece row[A.cols];
#pragma GCC unroll 8
    for (index k = 0; k < A.cols; ++k) row[k] = tiny_lanes<T, w, B.col_stride>(b + k * B.row_stride + C * B.col_stride);
#pragma GCC unroll 8
    for (index i = 0; i < A.rows; ++i) {
      const T* const x = a + i * A.row_stride;
      piece sum = lanes::times(row[0], tiny_splat<T, w>(x[0]));
#pragma GCC unroll 8
      for (index k = 1; k < A.cols; ++k)
        sum = lanes::plus(sum, lanes::times(row[k], tiny_splat<T, w>(x[k * A.col_stride])));
      if constexpr (w == 1)
        to[i * Pitch + C] = sum;
      else
        store<T>(to + i * Pitch + C, sum);
    }
    tiny_products<A, B, Pitch, C + w>(a, b, to);
  }
}

// Elements in rows `Pitch` apart to where an output has them.
template <tiny_matrix O, index Pitch, class T>
BROADLOOM_INLINE void write_tiny(T* to, const T* from) {
#pragma GCC unroll 8
  for (index i = 0; i < O.rows; ++i)
#pragma GCC unroll 8
    for (index j = 0; j < O.cols; ++j) to[i * O.row_stride + j * O.col_stride] = from[i * Pitch + j];
}

// Whether an element of one leaf may lie among those of another.
template <class A, class B>
BROADLOOM_INLINE bool may_meet(const A& a, const B& b) {
  constexpr auto reach = []<class E>(const E*) {
    constexpr auto s = typename E::layout_type{}.strides(typename E::shape_type{});
    fixed_array<index, 2> r{};
    for (int i = 0; i < rank_of<E>; ++i) r[s[i] < 0 ? 0 : 1] += (E::shape_type::static_extents[i] - 1) * s[i];
    return r;
  };
  constexpr auto x = reach(static_cast<const A*>(nullptr)), y = reach(static_cast<const B*>(nullptr));
  return a.data() + x[0] <= b.data() + y[1] && b.data() + y[0] <= a.data() + x[1];
}

template <class Out, class A, class B>
BROADLOOM_INLINE void multiply_tiny(const Out& out, const A& a, const B& b) {
  using T = value_of<Out>;
  constexpr tiny_matrix left = tiny_form<A, false>, right = tiny_form<B, true>, o = tiny_form<Out, (rank_of<A> > 1)>;
  constexpr bool in_rows = (o.cols == 1 || o.col_stride == 1) && o.row_stride >= 0 && o.row_stride <= 16;
  constexpr index pitch = in_rows && o.rows > 1 ? o.row_stride : o.cols;
  T own[o.rows * pitch];
  T* const to = in_rows && !may_meet(out, a) && !may_meet(out, b) ? out.data() : own;
  tiny_products<left, right, pitch, 0>(a.data(), b.data(), to);
  if (to == own) write_tiny<o, pitch>(out.data(), own);
}

template <class T>
BROADLOOM_INLINE T max_tiny_size(T x) {
  return x < 0 ? -x : x;
}

// The same steps on whole rows in vectors, of a and of what it stands beside: b becomes the solution; false where a is
// singular.
template <class T, int N, int Wide, int Cols>
bool eliminate_tiny(T (&a)[N][Wide], T (&b)[N * Cols]) {
  constexpr int w = 16 / static_cast<int>(sizeof(T)), pieces = Wide / w;
  for (int k = 0; k < N; ++k) {
    int p = k;
    T largest = max_tiny_size(a[k][k]);
    for (int i = k + 1; i < N; ++i) {
      const T x = max_tiny_size(a[i][k]);
      p = x > largest ? i : p;
      largest = x > largest ? x : largest;
    }
    if (a[p][k] == 0) return false;
    decltype(load<T, w>(a[0])) pivot[pieces];
#pragma GCC unroll 4
    for (int v = 0; v < pieces; ++v) pivot[v] = load<T, w>(a[p] + v * w);
    if (p != k) {
#pragma GCC unroll 4
      for (int v = 0; v < pieces; ++v) {
        store<T>(a[p] + v * w, load<T, w>(a[k] + v * w));
        store<T>(a[k] + v * w, pivot[v]);
      }
      for (int j = 0; j < Cols; ++j) {
        const T x = b[k * Cols + j];
        b[k * Cols + j] = b[p * Cols + j];
        b[p * Cols + j] = x;
      }
    }
    for (int i = k + 1; i < N; ++i) {
      const T f = a[i][k] / a[k][k];
#pragma GCC unroll 4
      for (int v = 0; v < pieces; ++v)
        store<T>(a[i] + v * w, lanes::minus(load<T, w>(a[i] + v * w), lanes::times(pivot[v], splat<w>(f))));
      for (int j = 0; j < Cols; ++j) b[i * Cols + j] -= f * b[k * Cols + j];
    }
  }
  for (int i = N; i-- > 0;)
    for (int j = 0; j < Cols; ++j) {
      T x = b[i * Cols + j];
      for (int k = i + 1; k < N; ++k) x -= a[i][k] * b[k * Cols + j];
      b[i * Cols + j] = x / a[i][i];
    }
  return true;
}

// x with a x = b; false where a is singular, which others report.
template <class Out, class A, class B>
bool solve_tiny(const Out& out, const A& a, const B& b) {
  using T = value_of<Out>;
  constexpr tiny_matrix left = tiny_form<A, false>, right = tiny_form<B, true>, o = tiny_form<Out, true>;
  constexpr int n = static_cast<int>(left.rows);
  if constexpr (n == 2) {
    // The same steps without a branch on which row is first, which nothing could predict.
    const index p = max_tiny_size(a.data()[left.row_stride]) > max_tiny_size(a.data()[0]);
    const T *const upper = a.data() + p * left.row_stride, *const lower = a.data() + (1 - p) * left.row_stride;
    const T pivot = upper[0], beside = upper[left.col_stride], f = lower[0] / pivot;
    const T corner = lower[left.col_stride] - f * beside;
    if (pivot == 0 || corner == 0) return false;
    T r[2 * right.cols];
#pragma GCC unroll 8
    for (index j = 0; j < right.cols; ++j) {
      const T* const y = b.data() + j * right.col_stride;
      const T first = y[p * right.row_stride];
      const T second = (y[(1 - p) * right.row_stride] - f * first) / corner;
      r[right.cols + j] = second;
      r[j] = (first - beside * second) / pivot;
    }
    write_tiny<o, right.cols>(out.data(), r);
    return true;
  }
  T r[n * right.cols];
  if constexpr (n < 6) {
    constant_lu<T, n> lu;
#pragma GCC unroll 8
    for (int i = 0; i < n; ++i)
#pragma GCC unroll 8
      for (int j = 0; j < n; ++j) lu.a[i][j] = a.data()[i * left.row_stride + j * left.col_stride];
    lu.factor();
    if (lu.singular) return false;
    for (index j = 0; j < right.cols; ++j) {
      T x[n];
      for (int i = 0; i < n; ++i) x[i] = b.data()[i * right.row_stride + j * right.col_stride];
      lu.solve(x);
      for (int i = 0; i < n; ++i) r[i * right.cols + j] = x[i];
    }
  } else {
    constexpr int w = 16 / static_cast<int>(sizeof(T)), wide = (n + w - 1) / w * w;
    T rows[n][wide] = {};
    for (int i = 0; i < n; ++i) {
#pragma GCC unroll 8
      for (int j = 0; j < n; ++j) rows[i][j] = a.data()[i * left.row_stride + j * left.col_stride];
      for (index j = 0; j < right.cols; ++j)
        r[i * right.cols + j] = b.data()[i * right.row_stride + j * right.col_stride];
    }
    if (!eliminate_tiny<T, n, wide, static_cast<int>(right.cols)>(rows, r)) return false;
  }
  write_tiny<o, right.cols>(out.data(), r);
  return true;
}

}  // namespace broadloom::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
