// Eigenvalues and singular values, with their vectors, of matrices of 2 x 2 and 3 x 3 real elements whose size the
// compiler knows: rotations by Jacobi's method, the same in constant expressions.
#pragma once

#include <broadloom/linalg/small_systems.hpp>

namespace broadloom::detail {

template <class T>
inline constexpr T small_epsilon = sizeof(T) == 4 ? static_cast<T>(0x1p-23) : static_cast<T>(0x1p-52);

// The rotation by the smaller angle that makes [[p, q], [q, r]] diagonal: q is not 0.
template <class T>
struct jacobi_rotation {
  T c, s, t;
  constexpr jacobi_rotation(T p, T q, T r) : c(), s(), t() {
    const T theta = lanes::over(lanes::minus(r, p), lanes::times(T(2), q)), size = lanes::magnitude(theta);
    constexpr T limit = sizeof(T) == 4 ? static_cast<T>(0x1p30) : static_cast<T>(0x1p300);  // beyond it the 1 is lost
    const T root = size < limit ? lanes::root(lanes::plus(lanes::times(theta, theta), T(1))) : size;
    t = lanes::over(theta < 0 ? T(-1) : T(1), lanes::plus(size, root));
    c = lanes::over(T(1), lanes::root(lanes::plus(lanes::times(t, t), T(1))));
    s = lanes::times(t, c);
  }
  constexpr void turn(T& x, T& y) const {
    const T before = x;
    x = lanes::minus(lanes::times(c, before), lanes::times(s, y));
    y = lanes::plus(lanes::times(s, before), lanes::times(c, y));
  }
};

// Whether squares of the elements neither overflow nor lose what counts; false with NaN.
template <class T, int N>
constexpr bool has_squares(const small_matrix<T, N>& m) {
  constexpr T least = sizeof(T) == 4 ? static_cast<T>(0x1p-40) : static_cast<T>(0x1p-400), most = 1 / least;
  T largest = 0;
  for (const T& x : m.v) {
    const T size = lanes::magnitude(x);
    if (!(size <= most)) return false;
    if (size > largest) largest = size;
  }
  return largest == 0 || largest >= least;
}

template <class T, int N>
constexpr void swap_columns(T* a, int p, int q) {
  for (int i = 0; i < N; ++i) {
    const T x = a[i * N + p];
    a[i * N + p] = a[i * N + q];
    a[i * N + q] = x;
  }
}

// Eigenvalues of a symmetric matrix in ascending order, and vectors, one a column; false where compiled code has to
// scale, and where elements are not finite.
template <class T, int N>
constexpr bool eigen_small(const small_matrix<T, N>& m, bool upper, T* values, T* vectors) {
  if (!has_squares(m)) return false;
  T a[N][N] = {}, sum = 0;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      a[i][j] = m.v[(i > j) != upper ? i * N + j : j * N + i];
      if (i == j) a[i][j] = m.v[i * N + i];
      sum = lanes::plus(sum, lanes::times(a[i][j], a[i][j]));
      vectors[i * N + j] = i == j;
    }
  const T negligible = lanes::times(lanes::root(sum), small_epsilon<T> / 8);
  bool turned = true;
  for (int sweep = 0; sweep < 20 && turned; ++sweep) {
    turned = false;
    for (int p = 0; p < N; ++p)
      for (int q = p + 1; q < N; ++q) {
        const T x = a[p][q];
        if (lanes::magnitude(x) <= negligible) continue;
        turned = true;
        const jacobi_rotation<T> r(a[p][p], x, a[q][q]);
        a[p][p] = lanes::minus(a[p][p], lanes::times(r.t, x));
        a[q][q] = lanes::plus(a[q][q], lanes::times(r.t, x));
        a[p][q] = a[q][p] = 0;
        for (int i = 0; i < N; ++i) {
          if (i != p && i != q) {
            r.turn(a[i][p], a[i][q]);
            a[p][i] = a[i][p];
            a[q][i] = a[i][q];
          }
          r.turn(vectors[i * N + p], vectors[i * N + q]);
        }
      }
  }
  for (int i = 0; i < N; ++i) values[i] = a[i][i];
  for (int i = 0; i < N; ++i)
    for (int j = i + 1; j < N; ++j)
      if (values[j] < values[i]) {
        const T x = values[i];
        values[i] = values[j];
        values[j] = x;
        swap_columns<T, N>(vectors, i, j);
      }
  return true;
}

// Columns from `first` on become such that all of them are orthonormal, as those before are.
template <class T, int N>
constexpr void complete_columns(T* u, int first) {
  for (int j = first; j < N; ++j) {
    // The unit vector that is farthest from the columns there are.
    int at = 0;
    T least = 2;
    for (int i = 0; i < N; ++i) {
      T sum = 0;
      for (int k = 0; k < j; ++k) sum = lanes::plus(sum, lanes::times(u[i * N + k], u[i * N + k]));
      if (sum < least) {
        least = sum;
        at = i;
      }
    }
    for (int i = 0; i < N; ++i) u[i * N + j] = i == at;
    for (int twice = 0; twice < 2; ++twice)
      for (int k = 0; k < j; ++k) {
        T dot = 0;
        for (int i = 0; i < N; ++i) dot = lanes::plus(dot, lanes::times(u[i * N + k], u[i * N + j]));
        for (int i = 0; i < N; ++i) u[i * N + j] = lanes::minus(u[i * N + j], lanes::times(dot, u[i * N + k]));
      }
    T sum = 0;
    for (int i = 0; i < N; ++i) sum = lanes::plus(sum, lanes::times(u[i * N + j], u[i * N + j]));
    for (int i = 0; i < N; ++i) u[i * N + j] = lanes::over(u[i * N + j], lanes::root(sum));
  }
}

// u, singular values in descending order, and v' with u diag(s) v' = m; false as above.
template <class T, int N>
constexpr bool singular_small(const small_matrix<T, N>& m, T* u, T* s, T* vh) {
  if (!has_squares(m)) return false;
  T v[N * N] = {}, sum = 0;
  for (int i = 0; i < N * N; ++i) {
    u[i] = m.v[i];
    v[i] = i % (N + 1) == 0;
    sum = lanes::plus(sum, lanes::times(u[i], u[i]));
  }
  const auto product = [u](int p, int q) {
    T x = 0;
    for (int i = 0; i < N; ++i) x = lanes::plus(x, lanes::times(u[i * N + p], u[i * N + q]));
    return x;
  };
  // Columns are turned until they are orthogonal. What is left of a column of zeros has no direction.
  const T none = lanes::times(sum, small_epsilon<T> * small_epsilon<T> / 16);
  bool turned = true;
  for (int sweep = 0; sweep < 20 && turned; ++sweep) {
    turned = false;
    for (int p = 0; p < N; ++p)
      for (int q = p + 1; q < N; ++q) {
        const T x = product(p, p), y = product(q, q), z = product(p, q), size = lanes::magnitude(z);
        if (size <= none || size <= lanes::times(small_epsilon<T>, lanes::root(lanes::times(x, y)))) continue;
        turned = true;
        const jacobi_rotation<T> r(x, z, y);
        for (int i = 0; i < N; ++i) {
          r.turn(u[i * N + p], u[i * N + q]);
          r.turn(v[i * N + p], v[i * N + q]);
        }
      }
  }
  for (int j = 0; j < N; ++j) s[j] = lanes::root(product(j, j));
  for (int i = 0; i < N; ++i)
    for (int j = i + 1; j < N; ++j)
      if (s[j] > s[i]) {
        const T x = s[i];
        s[i] = s[j];
        s[j] = x;
        swap_columns<T, N>(u, i, j);
        swap_columns<T, N>(v, i, j);
      }
  // The direction of a column that is only what rounding left is not to be trusted.
  const T least = lanes::times(s[0], small_epsilon<T> * 4);
  int rank = 0;
  for (; rank < N && s[rank] > least; ++rank)
    for (int i = 0; i < N; ++i) u[i * N + rank] = lanes::over(u[i * N + rank], s[rank]);
  complete_columns<T, N>(u, rank);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) vh[i * N + j] = v[j * N + i];
  return true;
}

// One matrix of 2 x 2 or 3 x 3 elements, for these.
template <class A>
inline constexpr bool is_small_spectral = false;
template <class A>
  requires is_small_square<A, 3>
inline constexpr bool is_small_spectral<A> = shape_of<A>::static_extents[0] >= 2;

// Its elements, also in constant expressions.
template <int Native, class A>
constexpr auto small_matrix_of(const A& a) {
  if (__builtin_is_constant_evaluated()) return matrix_at(indices<2>{}, 0, a);
  return straight_matrix<Native>(a, runtime::options{});
}

}  // namespace broadloom::detail
