// Products of matrices and vectors: matmul mm mv bmm dot vdot vecdot cross.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/eval/with.hpp>
#include <broadloom/fn/complex.hpp>
#include <broadloom/linalg/few_products.hpp>
#include <broadloom/linalg/small_factors.hpp>
#include <broadloom/linalg/stacked.hpp>
#include <broadloom/linalg/straight.hpp>

namespace broadloom {

namespace runtime {

// Indices [first, last) of a product's leading axis, written from their beginning: rows of one matrix, or matrices of a
// stack; the same bits as the whole gives.
BROADLOOM_API void matmul_rows(const stack_call& call, index first, index last);
// How many of these are best computed at a time; below 0: all. `vector`: the right side is a column that the result
// does not show.
BROADLOOM_API index product_rows(const index* extents, int rank, index depth, bool vector);
// How many elements of a product with a vector are computed together.
inline constexpr index vector_run = 64;
BROADLOOM_API void bmm_rows(const stack_call& call, index first, index last);
// The sum of n products of f32 or f64, the elements these many steps apart, in the order that is the fastest.
BROADLOOM_API void dot(dtype type, const void* x, index x_step, const void* y, index y_step, index n,
                       const options& how, void* to);

}  // namespace runtime

namespace detail {

// A sum of products in the order of the index, in the elements' type.
template <class T, class A, class B, int R, int S>
constexpr T sum_of_products(const A& a, const B& b, indices<R> at_a, int along_a, indices<S> at_b, int along_b,
                            index n) {
  using wide =
      std::conditional_t<std::is_integral_v<T>,
                         std::make_unsigned_t<std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>>, T>;
  wide sum{};
  for (index k = 0; k < n; ++k) {
    at_a[along_a] = k;
    at_b[along_b] = k;
    const auto x = static_cast<wide>(a.element(at_a)), y = static_cast<wide>(b.element(at_b));
    if constexpr (std::is_integral_v<T>)
      sum = static_cast<wide>(sum + x * y);
    else
      sum = k == 0 ? element_product<T>(x, y) : element_sum<T>(sum, element_product<T>(x, y));
  }
  return static_cast<T>(sum);
}

// What all products of two operands have in common.
struct product_function : core_function {
  using rule = rule_core_number;
};

struct matmul_f : product_function {
  using rule = rule_product;
  using signature = core<"(m?,k),(k,n?)->(m?,n?)">;
  static constexpr const char* name() { return "matmul"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::matmul, c); }
  static void run_rows(const runtime::stack_call& c, index first, index last) { runtime::matmul_rows(c, first, last); }
  static index row_hint(const index* extents, int rank, index depth, bool vector) {
    return runtime::product_rows(extents, rank, depth, vector);
  }
  // Rows that are computed together, wherever a block begins.
  static constexpr index together(bool vector) { return vector ? runtime::vector_run : 4; }

  template <class A, class B, int R>
  static constexpr auto one(const indices<R>& at, const A& a, const B& b) {
    constexpr int ra = rank_of<A>, rb = rank_of<B>;
    constexpr int loops = R - (ra > 1) - (rb > 1);
    indices<ra> x{};
    indices<rb> y{};
    for (int i = 0; i < ra - 2; ++i) x[i] = a.shape()[i] == 1 ? 0 : at[loops - (ra - 2) + i];
    for (int i = 0; i < rb - 2; ++i) y[i] = b.shape()[i] == 1 ? 0 : at[loops - (rb - 2) + i];
    if constexpr (ra > 1) x[ra - 2] = at[loops];
    if constexpr (rb > 1) y[rb - 1] = at[R - 1];
    return sum_of_products<value_of<A>>(a, b, x, ra - 1, y, rb > 1 ? rb - 2 : 0, a.shape()[ra - 1]);
  }
  // The shape of what two matrices or vectors without named extents give; false where they do not fit, or by far.
  template <class A, class B>
    requires(A::axes_count <= 2 && B::axes_count <= 2 && A::axes_count > 0 && B::axes_count > 0 && !has_names<A> &&
             !has_names<B>)
  static constexpr bool plain_extents(index* to, const A& a, const B& b) {
    constexpr index most = index{1} << 31;
    const index m = a[0], n = b[B::axes_count - 1];
    if (a[A::axes_count - 1] != b[0] || m >= most || n >= most) return false;
    if constexpr (A::axes_count == 2) *to++ = m;
    if constexpr (B::axes_count == 2) *to = n;
    return true;
  }
  template <class A, class B>
  static constexpr bool may_be_few = lies_in_memory<A> && lies_in_memory<B> && rank_of<A> <= 2 && rank_of<B> <= 2 &&
                                     std::is_floating_point_v<value_of<A>> && __is_same(value_of<A>, value_of<B>);
  template <class A, class B>
  static bool is_few(const A& a, const B& b) {
    const index m = A::axes_count == 2 ? a[0] : 1, k = b[0], n = B::axes_count == 2 ? b[B::axes_count - 1] : 1;
    return m > 0 && m <= max_few_products && k > 0 && k <= max_few_products && n > 0 && n <= max_few_products &&
           m * k * n <= max_few_products;
  }
  template <int Native, class T, class A, class B>
  static void few(T* to, const runtime::options& how, const A& a, const B& b) {
    const auto x = a.strides();
    const auto y = b.strides();
    constexpr int p = rank_of<A>, q = rank_of<B>;
    runtime::multiply_few(dtype_of<T>, a.data(), b.data(), to, how,
                          {p == 2 ? a.shape()[0] : 1, b.shape()[0], q == 2 ? b.shape()[q - 1] : 1, p == 2 ? x[0] : 0,
                           x[p - 1], y[0], q == 2 ? y[q - 1] : 0});
  }
  template <class A, class B>
  static constexpr contraction_plan plan = product_plan(rank_of<A>, rank_of<B>);
  template <class A, class B>
  static constexpr bool is_straight = is_straight_product<plan<A, B>, A, B>;
  template <int Native, class T, class A, class B>
  BROADLOOM_INLINE static bool straight(T* to, const runtime::options& how, const A& a, const B& b) {
    straight_contraction<plan<A, B>, Native>(a, b, to, how);
    return true;
  }
};
struct mm_f : matmul_f {
  using signature = core<"(m,k),(k,n)->(m,n)">;
  static constexpr bool exact = true;
  static constexpr const char* name() { return "mm"; }
};
struct mv_f : matmul_f {
  using signature = core<"(m,k),(k)->(m)">;
  static constexpr bool exact = true;
  static constexpr const char* name() { return "mv"; }
};
struct bmm_f : matmul_f {
  using signature = core<"(b,m,k),(b,k,n)->(b,m,n)">;
  static constexpr bool exact = true;
  static constexpr const char* name() { return "bmm"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::bmm, c); }
  static void run_rows(const runtime::stack_call& c, index first, index last) { runtime::bmm_rows(c, first, last); }
};
struct vecdot_f : product_function {
  using rule = rule_product;
  using signature = core<"(k),(k)->()">;
  static constexpr const char* name() { return "linalg.vecdot"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::vecdot, c); }
  template <class A, class B>
  static constexpr contraction_plan plan = dot_plan(rank_of<A>, rank_of<B>);
  template <class A, class B>
  static constexpr bool is_straight = is_straight_product<plan<A, B>, A, B>;
  template <int Native, class T, class A, class B>
  BROADLOOM_INLINE static bool straight(T* to, const runtime::options& how, const A& a, const B& b) {
    straight_contraction<plan<A, B>, Native>(a, b, to, how);
    return true;
  }

  template <class A, class B, int R>
  static constexpr auto one(const indices<R>& at, const A& a, const B& b) {
    constexpr int ra = rank_of<A>, rb = rank_of<B>;
    indices<ra> x{};
    indices<rb> y{};
    for (int i = 0; i < ra - 1; ++i) x[i] = a.shape()[i] == 1 ? 0 : at[R - (ra - 1) + i];
    for (int i = 0; i < rb - 1; ++i) y[i] = b.shape()[i] == 1 ? 0 : at[R - (rb - 1) + i];
    return sum_of_products<value_of<A>>(a, b, x, ra - 1, y, rb - 1, a.shape()[ra - 1]);
  }
  template <class A, class B>
    requires(A::axes_count == 1 && B::axes_count == 1 && !has_names<A> && !has_names<B>)
  static constexpr bool plain_extents(index*, const A& a, const B& b) {
    return a[0] == b[0] && a[0] <= (1 << 24);  // longer ones may be longer than can be counted
  }
  // Two vectors: few terms in the order of the index; zeros as multiply_few() has them.
  template <class A, class B>
  static constexpr bool may_be_few = lies_in_memory<A> && lies_in_memory<B> && rank_of<A> == 1 && rank_of<B> == 1 &&
                                     std::is_floating_point_v<value_of<A>> && __is_same(value_of<A>, value_of<B>);
  template <class A, class B>
  static constexpr bool is_few(const A& a, const B& b) {
    return a[0] > 0 && a[0] == b[0];
  }
  template <int Native, class T, class A, class B>
  BROADLOOM_INLINE static void few(T* to, const runtime::options& how, const A& a, const B& b) {
    const T *const x = a.data(), *const y = b.data();
    const index n = a.shape()[0], p = a.strides()[0], q = b.strides()[0];
    const bool in_order = runtime::products_in_order(how);
    if (n > max_few_terms && !in_order) return runtime::dot(dtype_of<T>, x, p, y, q, n, how, to);
    T sum = in_order ? T(-0.0) : T(0);
    for (index k = 0; k < n; ++k) sum += lanes::times(x[k * p], y[k * q]);
    *to = sum;
  }
};
struct dot_f : vecdot_f {
  static constexpr bool exact = true;
  static constexpr const char* name() { return "dot"; }
};
struct vdot_f : dot_f {
  static constexpr const char* name() { return "vdot"; }
};

// The stride of a vector, known to the compiler.
template <class Leaf>
inline constexpr index vector_stride = typename Leaf::layout_type{}.strides(typename Leaf::shape_type{})[0];

struct cross_f : product_function {
  using signature = core<"(3),(3)->(3)">;
  static constexpr const char* name() { return "linalg.cross"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::cross, c); }
  template <class A, class B>
  static constexpr bool is_straight = rank_of<A> == 1 && rank_of<B> == 1 && is_straight_product<dot_plan(1, 1), A, B>;
  template <int Native, class T, class A, class B>
  BROADLOOM_INLINE static bool straight(T* to, const runtime::options& how, const A& a, const B& b) {
    const straight_input<Native, A> left(a, how);
    const straight_input<Native, B> right(b, how);
    constexpr index p = vector_stride<typename straight_input<Native, A>::leaf_type>,
                    q = vector_stride<typename straight_input<Native, B>::leaf_type>;
    const T *const x = left.data(), *const y = right.data();
    const T r[3] = {minor_of(x[p], y[2 * q], x[2 * p], y[q]), minor_of(x[2 * p], y[0], x[0], y[2 * q]),
                    minor_of(x[0], y[q], x[p], y[0])};
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) to[i] = r[i];
    return true;
  }

  template <class A, class B, int R>
  static constexpr auto one(const indices<R>& at, const A& a, const B& b) {
    indices<rank_of<A>> x{};
    indices<rank_of<B>> y{};
    for (int i = 1; i < x.count; ++i) x[x.count - 1 - i] = a.shape()[x.count - 1 - i] == 1 ? 0 : at[R - 1 - i];
    for (int i = 1; i < y.count; ++i) y[y.count - 1 - i] = b.shape()[y.count - 1 - i] == 1 ? 0 : at[R - 1 - i];
    const auto product = [&](index i, index j) {
      x[x.count - 1] = i % 3;
      y[y.count - 1] = j % 3;
      return element_product<value_of<A>>(a.element(x), b.element(y));
    };
    const index i = at[R - 1];
    const auto up = product(i + 1, i + 2), down = product(i + 2, i + 1);
    if constexpr (is_complex_type<value_of<A>>)
      return up - down;
    else
      return lanes::minus(up, down);
  }
};

// F of two operands, the first conjugated.
template <class F>
struct conjugating_function {
  template <array A, array B>
    requires stackable<F, A, B>
  constexpr auto operator()(A&& x, B&& y) const {
    if constexpr (is_complex_type<value_of<node_of<A>>>)
      return defer(F{}, broadloom::conj(static_cast<A&&>(x)), static_cast<B&&>(y));
    else
      return defer(F{}, static_cast<A&&>(x), static_cast<B&&>(y));
  }
  template <array A, array B, class Error = stacked_error<F, A, B>>
    requires(!stackable<F, A, B>)
  Error operator()(A&&, B&&) const = delete;
};

}  // namespace detail

// matmul(a, b): the product of stacks of matrices, NumPy's rule. (..., m, k) and (..., k, n) give (..., m, n), where
// the leading axes broadcast; an operand with one axis is a row on the left and a column on the right, and that axis is
// not in the result. Elements: integers and floating, promoted; integers wrap. Throws shape_error when the inner sizes
// differ or leading axes do not broadcast (PyTorch's torch.matmul).
inline constexpr detail::stacked_function<detail::matmul_f> matmul{};
// mm(a, b): (m, k) and (k, n) give (m, n). Exactly these ranks (torch.mm).
inline constexpr detail::stacked_function<detail::mm_f> mm{};
// mv(a, x): (m, k) and (k) give (m) (torch.mv).
inline constexpr detail::stacked_function<detail::mv_f> mv{};
// bmm(a, b): (b, m, k) and (b, k, n) give (b, m, n); the batch does not broadcast (torch.bmm).
inline constexpr detail::stacked_function<detail::bmm_f> bmm{};
// dot(x, y): (k) and (k) give a number, an array of rank 0 (torch.dot).
inline constexpr detail::stacked_function<detail::dot_f> dot{};
// vdot(x, y): dot with x conjugated, which for real elements is dot (torch.vdot).
inline constexpr detail::conjugating_function<detail::vdot_f> vdot{};
// vecdot(x, y): the dot product over the last axis, x conjugated; the others broadcast (array API).
inline constexpr detail::conjugating_function<detail::vecdot_f> vecdot{};

// cross(a, b): the cross product over the last axis, which has 3 elements; the others broadcast (torch.linalg.cross).
inline constexpr detail::stacked_function<detail::cross_f> cross{};

// matmul_(a, b): a becomes matmul(a, b), whose shape must be a's own (NumPy's a @= b). Throws shape_error where it is
// not.
inline constexpr struct matmul_in_place_t {
  template <class A, array B, int Native = BROADLOOM_NATIVE>
    requires(detail::writable<A&> && detail::stackable<detail::matmul_f, A&, B> &&
             detail::assignable_from<A&, decltype(matmul(std::declval<A&>(), std::declval<B>()))>)
  constexpr decltype(auto) operator()(A&& a, B&& b) const {
    const auto e = matmul(a, static_cast<B&&>(b));
    const auto x = detail::shape_of_array(a);
    const auto y = e.shape();
    if (!(x == y)) detail::throw_does_not_fit(detail::writing::in_place, {x.data(), x.rank()}, {y.data(), y.rank()});
    detail::assign_in_place<Native>(a, e);
    return static_cast<A&&>(a);
  }
} matmul_{};

}  // namespace broadloom
