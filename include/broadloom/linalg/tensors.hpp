// Products and equations of arrays of any rank: tensordot, tensorsolve, tensorinv.
#pragma once

#include <broadloom/linalg/einsum.hpp>
#include <broadloom/linalg/solve.hpp>
#include <broadloom/linalg/throw_error.hpp>
#include <broadloom/tensor/reshape.hpp>

namespace broadloom {

namespace runtime {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_tensor_equation(const char* function,
                                                                         const detail::shape_view& a,
                                                                         const detail::shape_view& b) {
  detail::throw_linalg(detail::linalg_error_kind::tensor_equation, {function, &a, &b});
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_contracted_sizes(index left, index size, index right,
                                                                          index other) {
  detail::throw_linalg(detail::linalg_error_kind::contracted_sizes, {left, size, right, other});
}

}  // namespace runtime

namespace detail {

// What is wrong with a contraction of axes `left` of an array of shape A with axes `right` of one of shape B. (Said
// once: einsum would name its subscripts.)
enum class contraction_mistake : unsigned char { none, number, range, twice, sizes };
template <class A, class B, index... Left, index... Right>
consteval contraction_mistake mistake_of_contraction(axes_t<Left...>, axes_t<Right...>) {
  constexpr int a = A::axes_count, b = B::axes_count, count = sizeof...(Left);
  if constexpr (sizeof...(Left) != sizeof...(Right))
    return contraction_mistake::number;
  else if constexpr (!(is_axis(Left, a) && ...) || !(is_axis(Right, b) && ...))
    return contraction_mistake::range;
  else {
    const int left[] = {normal_axis(Left, a)..., -1}, right[] = {normal_axis(Right, b)..., -1};
    for (int k = 0; k < count; ++k)
      for (int l = 0; l < k; ++l)
        if (left[k] == left[l] || right[k] == right[l]) return contraction_mistake::twice;
    for (int k = 0; k < count; ++k)
      if (const index x = A::static_extents[left[k]], y = B::static_extents[right[k]];
          x >= 0 && y >= 0 && x != y && x != 1 && y != 1)
        return contraction_mistake::sizes;
    return contraction_mistake::none;
  }
}

// Their subscripts, of arrays of ranks A and B.
template <int A, int B, class Left, class Right>
struct contraction_text;
template <int A, int B, index... Left, index... Right>
struct contraction_text<A, B, axes_t<Left...>, axes_t<Right...>> {
  static constexpr int count = sizeof...(Left);
  struct characters {
    char c[2 * (A + B) + 4 - 2 * count];
  };
  static constexpr characters written = [] {
    const index left[] = {normal_axis(Left, A)..., -1}, right[] = {normal_axis(Right, B)..., -1};
    characters r{};
    int at = 0;
    const auto partner = [&](const index* axes, index axis) {
      for (int k = 0; k < count; ++k)
        if (axes[k] == axis) return k;
      return -1;
    };
    const auto letter = [](index i) { return static_cast<char>(i < 26 ? 'a' + i : 'A' + i - 26); };
    for (int i = 0; i < A; ++i) r.c[at++] = letter(i);
    r.c[at++] = ',';
    for (int j = 0; j < B; ++j) r.c[at++] = partner(right, j) >= 0 ? letter(left[partner(right, j)]) : letter(A + j);
    r.c[at++] = '-';
    r.c[at++] = '>';
    for (int i = 0; i < A; ++i)
      if (partner(left, i) < 0) r.c[at++] = letter(i);
    for (int j = 0; j < B; ++j)
      if (partner(right, j) < 0) r.c[at++] = letter(A + j);
    return r;
  }();
};

// The axes of an array of rank R, those given moved to the end or the beginning. Throws index_error for one that is out
// of range or repeated.
template <int R, int N>
constexpr indices<R> axes_moved(braced_extents<N> given, bool to_the_end) {
  unsigned bits = 0;
  for (int k = 0; k < N; ++k) bits = add_axis(bits, given[k], R, "tensordot");
  indices<R> r{};
  int at = to_the_end ? 0 : N;
  for (int a = 0; a < R && at < R; ++a)
    if ((bits >> a & 1) == 0) r[at++] = a;
  at = to_the_end ? R - N : 0;
  for (int k = 0; k < N && at < R; ++k) r[at++] = normal_axis(given[k], R);
  return r;
}
template <int R, class E>
constexpr auto permuted_to(const E& e, const indices<R>& order) {
  return [&]<int... At>(sequence<At...>) { return permute(e, order[At]...); }(make_sequence<R>{});
}

// Throws shape_error where axes of other sizes meet, neither of which is 1.
constexpr void check_contracted_pair(index left, index size, index right, index other) {
  if (size != other && size != 1 && other != 1) runtime::throw_contracted_sizes(left, size, right, other);
}
template <class A, class B, index... Left, index... Right>
constexpr void check_contracted(const A& a, const B& b, axes_t<Left...>, axes_t<Right...>) {
  (check_contracted_pair(normal_axis(Left, A::axes_count), a[normal_axis(Left, A::axes_count)],
                         normal_axis(Right, B::axes_count), b[normal_axis(Right, B::axes_count)]),
   ...);
}
template <class A, class B, int N>
constexpr void check_contracted(const A& a, const B& b, braced_extents<N> left, braced_extents<N> right) {
  for (int k = 0; k < N; ++k) {
    const int l = normal_axis(left[k], A::axes_count), r = normal_axis(right[k], B::axes_count);
    check_contracted_pair(l, a[l], r, b[r]);
  }
}

// axes<First, First + 1, ... > of `Count`.
template <int First, int... At>
constexpr auto axes_from(sequence<At...>) {
  return axes_t<(First + At)...>{};
}

}  // namespace detail

// tensordot(a, b, n = 2_c): sums of products over the last n axes of a and the first n of b, a constant; tensordot(a,
// b, axes<1, 0>, axes<0, 2>) or tensordot(a, b, {1, 0}, {0, 2}): over these axes, pair by pair. The result has the
// other axes of a, then those of b. An extent of 1 broadcasts (torch.tensordot, numpy.tensordot). Lazy, as einsum,
// whose limits and errors it has.
inline constexpr struct tensordot_t : detail::refuses_other_arguments<tensordot_t> {
  static constexpr detail::text call{"tensordot(x, y, axes<1>, axes<0>)"};
  using detail::refuses_other_arguments<tensordot_t>::operator();
  template <array A, array B, index... Left, index... Right>
  constexpr auto operator()(A&& a, B&& b, axes_t<Left...> left, axes_t<Right...> right) const {
    using of_a = detail::shape_of<detail::node_of<A>>;
    using of_b = detail::shape_of<detail::node_of<B>>;
    using mistake = detail::contraction_mistake;
    constexpr auto found = detail::mistake_of_contraction<of_a, of_b>(axes<Left...>, axes<Right...>);
    static_assert(found != mistake::number, "both dimension lists should have same length [errors.md#lists-of-axes]");
    static_assert(found != mistake::range, "Dimension out of range [errors.md#axis-out-of-range]");
    static_assert(found != mistake::twice, "dim appears multiple times in the list of dims [errors.md#axis-twice]");
    static_assert(found != mistake::sizes,
                  "tensordot: contracted axes have the same size, or one has size 1 [errors.md#lists-of-axes]");
    if constexpr (found == mistake::none) {
      detail::check_contracted(detail::shape_of_array(a), detail::shape_of_array(b), left, right);
      using subscripts =
          detail::contraction_text<of_a::axes_count, of_b::axes_count, axes_t<Left...>, axes_t<Right...>>;
      return einsum<detail::text(subscripts::written.c)>(static_cast<A&&>(a), static_cast<B&&>(b));
    } else
      return detail::as_node(static_cast<A&&>(a));
  }
  template <array A, array B, detail::constant N = boost::hana::integral_constant<index, 2>>
  constexpr auto operator()(A&& a, B&& b, N = {}) const {
    constexpr int n = static_cast<int>(N::value), rank = detail::rank_of<detail::node_of<A>>;
    constexpr bool fit = n >= 0 && n <= rank && n <= detail::rank_of<detail::node_of<B>>;
    static_assert(fit, "tensordot: as many axes as are contracted, or more [errors.md#too-few-axes-here]");
    if constexpr (fit)
      return (*this)(static_cast<A&&>(a), static_cast<B&&>(b), detail::axes_from<rank - n>(detail::make_sequence<n>{}),
                     detail::axes_from<0>(detail::make_sequence<n>{}));
    else
      return detail::as_node(static_cast<A&&>(a));
  }
  template <array A, array B, int N, int M>
  constexpr auto operator()(A&& a, B&& b, detail::braced_extents<N> left, detail::braced_extents<M> right) const {
    constexpr int of_a = detail::rank_of<detail::node_of<A>>, of_b = detail::rank_of<detail::node_of<B>>;
    constexpr bool fit = N == M && N <= of_a && N <= of_b;
    static_assert(fit, "both dimension lists should have same length [errors.md#lists-of-axes]");
    if constexpr (fit) {
      const auto order_of_a = detail::axes_moved<of_a, N>(left, true);
      const auto order_of_b = detail::axes_moved<of_b, N>(right, false);
      detail::check_contracted(detail::shape_of_array(a), detail::shape_of_array(b), left, right);
      return (*this)(detail::permuted_to<of_a>(detail::capture(static_cast<A&&>(a)), order_of_a),
                     detail::permuted_to<of_b>(detail::capture(static_cast<B&&>(b)), order_of_b),
                     boost::hana::integral_constant<index, N>{});
    } else
      return detail::as_node(static_cast<A&&>(a));
  }
} tensordot{};

namespace detail {

// Extents [first, last) of a shape, known as far as the shape's are.
template <int First, int Last, int R>
constexpr auto part_of_extents(const indices<R>& x) {
  indices<Last - First> r{};
  for (int a = First; a < Last; ++a) r[a - First] = x[a];
  return r;
}
template <int First, int Last, class Shape>
constexpr auto part_of_shape(const Shape& s) {
  return shape_from<part_of_extents<First, Last>(Shape::static_extents)>::unchecked(
      part_of_extents<First, Last>(s.extents()));
}
template <int First, int Last, class Shape>
constexpr auto flat_extent() {
  constexpr auto x = part_of_extents<First, Last>(Shape::static_extents);
  for (index n : x)
    if (is_dyn(n)) return dyn;
  return checked_size(x.v, Last - First);
}

}  // namespace detail

namespace detail {

// The axes of an array of rank R with these at the end, in their order.
template <int R, index... At>
constexpr indices<R> with_last_axes(axes_t<At...>) {
  const index last[] = {normal_axis(At, R)..., -1};
  indices<R> r{};
  int to = 0;
  for (int a = 0; a < R; ++a) {
    bool moved = false;
    for (int k = 0; k < int(sizeof...(At)); ++k) moved = moved || last[k] == a;
    if (!moved && to < R) r[to++] = a;
  }
  for (int k = 0; k < int(sizeof...(At)) && to < R; ++k) r[to++] = last[k];
  return r;
}

}  // namespace detail

// tensorsolve(a, b): x with tensordot(a, x, x's rank) = b: the first axes of a are b's, the others are x's, and both
// have as many elements. tensorsolve(a, b, axes<0, 2>): with these axes of a, constants, behind its others first.
// Throws shape_error otherwise, linalg_error where a is singular as a matrix (numpy.linalg.tensorsolve,
// torch.linalg.tensorsolve). Lazy.
inline constexpr struct tensorsolve_t {
  template <array A, array B, index... At>
  constexpr auto operator()(A&& a, B&& b, axes_t<At...>) const {
    constexpr int rank = detail::rank_of<detail::node_of<A>>;
    static_assert(((At >= -rank && At < rank) && ...), "Dimension out of range [errors.md#axis-out-of-range]");
    constexpr auto order = detail::with_last_axes<rank>(axes_t<At...>{});
    return [&]<int... K>(detail::sequence<K...>) {
      return (*this)(permute(static_cast<A&&>(a), axes<order.v[K]...>), static_cast<B&&>(b));
    }(detail::make_sequence<rank>{});
  }
  template <array A, array B>
  constexpr auto operator()(A&& a, B&& b) const {
    const auto e = detail::capture(static_cast<A&&>(a));
    const auto f = detail::capture(static_cast<B&&>(b));
    constexpr int rank = detail::rank_of<decltype(e)>, of_b = detail::rank_of<decltype(f)>;
    static_assert(rank > of_b,
                  "tensorsolve: a has the axes of b and those of the result [errors.md#too-few-axes-here]");
    using own = detail::shape_of<decltype(e)>;
    const auto form = detail::part_of_shape<of_b, rank>(e.shape());
    const index n = f.shape().size();
    bool fits = form.size() == n;
    for (int i = 0; i < of_b; ++i) fits = fits && e.shape()[i] == f.shape()[i];
    if (!fits) runtime::throw_tensor_equation("linalg.tensorsolve", {e.shape().data(), rank}, {f.shape().data(), of_b});
    using as_matrix = shape<detail::flat_extent<0, of_b, own>(), detail::flat_extent<of_b, rank, own>()>;
    using flat = shape<detail::flat_extent<0, of_b, own>()>;
    return reshape(solve(reshape(e, as_matrix::unchecked({{n, n}})), reshape(f, flat::unchecked({{n}}))), form);
  }
} tensorsolve{};

// tensorinv(a, n = 2_c): the inverse of a, whose first n axes, a constant, have as many elements as the others: with
// tensordot(tensorinv(a), tensordot(a, x)) = x. The result has the other axes of a, then the first n. Throws
// shape_error and linalg_error as tensorsolve (numpy.linalg.tensorinv, torch.linalg.tensorinv). Lazy.
inline constexpr struct tensorinv_t {
  template <array A, detail::constant N = boost::hana::integral_constant<index, 2>>
  constexpr auto operator()(A&& a, N = {}) const {
    const auto e = detail::capture(static_cast<A&&>(a));
    constexpr int rank = detail::rank_of<decltype(e)>, n = static_cast<int>(N::value);
    static_assert(
        n > 0 && n < rank,
        "Expected a strictly positive integer for 'ind', below the number of axes [errors.md#too-few-axes-here]");
    using own = detail::shape_of<decltype(e)>;
    const auto rows = detail::part_of_shape<0, n>(e.shape());
    const auto cols = detail::part_of_shape<n, rank>(e.shape());
    const index count = rows.size();
    if (cols.size() != count)
      runtime::throw_tensor_equation("linalg.tensorinv", {rows.data(), n}, {cols.data(), rank - n});
    using as_matrix = shape<detail::flat_extent<0, n, own>(), detail::flat_extent<n, rank, own>()>;
    constexpr auto known = [] {
      detail::indices<rank> r{};
      for (int i = 0; i < rank; ++i) r[i] = own::static_extents[i < rank - n ? n + i : i - (rank - n)];
      return r;
    }();
    detail::indices<rank> extents{};
    for (int i = 0; i < rank; ++i) extents[i] = e.shape()[i < rank - n ? n + i : i - (rank - n)];
    return reshape(inv(reshape(e, as_matrix::unchecked({{count, count}}))),
                   detail::shape_from<known>::unchecked(extents));
  }
} tensorinv{};

}  // namespace broadloom
