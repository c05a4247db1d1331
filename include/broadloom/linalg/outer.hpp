// Every element with every other: outer/ger kron, and inner, which sums the last axes.
#pragma once

#include <broadloom/linalg/contraction.hpp>
#include <broadloom/linalg/products.hpp>
#include <broadloom/linalg/throw_error.hpp>

namespace broadloom {

namespace detail {

struct outer_f : product_function {
  using signature = core<"(m),(n)->(m,n)">;
  static constexpr bool exact = true;
  static constexpr const char* name() { return "outer"; }
};
// inner: sums over the last axes; the other axes of a, then those of b, remain.
template <int A, int B>
constexpr contraction_plan inner_plan() {
  contraction_plan p;
  for (int i = 0; i + 1 < A; ++i) p.list[p.count++] = {i, -1, true};
  for (int i = 0; i + 1 < B; ++i) p.list[p.count++] = {-1, i, true};
  p.kept = p.count;
  p.list[p.count++] = {A - 1, B - 1, false};
  return p;
}
struct inner_name {
  static constexpr const char* name() { return "inner"; }
};
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_inner_sizes(const shape_view& a, const shape_view& b) {
  throw_linalg(linalg_error_kind::inner_sizes, {&a, &b});
}

// The last axes may be summed together, as far as the compiler knows.
template <class A, class B>
inline constexpr bool inner_fits = [] {
  constexpr int ra = A::axes_count, rb = B::axes_count;
  if constexpr (ra == 0 || rb == 0)
    return false;
  else {
    constexpr index x = A::static_extents[ra - 1], y = B::static_extents[rb - 1];
    return may_equal(x, y);
  }
}();
template <class A, class B>
constexpr sentence inner_sentence() {
  sentence s;
  if constexpr (A::axes_count == 0 || B::axes_count == 0)
    s << "0 axes; inner: an array of rank 0 has no last axis";
  else
    s << extent_text{B::static_extents[B::axes_count - 1]} << " vs "
      << extent_text{A::static_extents[A::axes_count - 1]}
      << "; inner() the last dimension must match on both input tensors";
  return s;
}
template <class A, class B>
inline constexpr auto inner_text = fit<inner_sentence<A, B>().n>(inner_sentence<A, B>());

// The Kronecker product: every element of a times all of b, computed over the axes (a0, b0, a1, b1 ...), which lie in
// memory as (a0 * b0, a1 * b1 ...) do.
template <class Product>
class kronecker {
  static constexpr int rank = rank_of<Product> / 2;
  static constexpr auto static_extents() {
    indices<rank> r{};
    for (int i = 0; i < rank; ++i) {
      const index x = shape_of<Product>::static_extents[2 * i], y = shape_of<Product>::static_extents[2 * i + 1];
      r[i] = is_dyn(x) || is_dyn(y) ? dyn : x * y;
    }
    return r;
  }

 public:
  using value_type = value_of<Product>;
  using shape_type = shape_from<static_extents()>;
  static constexpr bool single_elements = has_single_elements<Product>;
  static constexpr bool is_straight = is_straight_tree<Product> && is_small_static<shape_type>;

  constexpr explicit kronecker(const Product& p) : product_(p), shape_(now(p)) {}
  static constexpr const char* name() { return "kron"; }
  constexpr const shape_type& shape() const { return shape_; }
  template <int R>
  constexpr value_type element(const indices<R>& at) const {
    indices<2 * rank> x{};
    for (int i = 0; i < rank; ++i) {
      const index n = product_.shape()[2 * i + 1];
      x[2 * i] = at[R - rank + i] / n;
      x[2 * i + 1] = at[R - rank + i] % n;
    }
    return product_.element(x);
  }
  bool same(const kronecker& o) const { return same_tree(product_, o.product_); }
  template <int Native>
  BROADLOOM_INLINE void straight(value_type* to, const runtime::options& how) const {
    assign_node<Native>(view<value_type, shape_of<Product>, row_major>(to, product_.shape(), {}), product_, how);
  }
  template <int Native>
  void evaluate(value_type* to, const runtime::options& how) const {
    assign_node<Native>(view<value_type, shape_of<Product>, row_major>(to, product_.shape(), {}), product_, how);
  }

 private:
  static constexpr shape_type now(const Product& p) {
    indices<rank> r{};
    for (int i = 0; i < rank; ++i) r[i] = checked_mul("kron", p.shape()[2 * i], p.shape()[2 * i + 1]);
    return shape_type::unchecked(r);
  }
  Product product_;
  [[no_unique_address]] shape_type shape_;
};

// e with axes of extent 1 between its own, after them or before them, and in front until it has 2 * Rank axes.
template <int Rank, bool After, int At = 0, class E>
constexpr auto interleaved(const E& e) {
  if constexpr (At == 0 && rank_of<E> < Rank)
    return interleaved<Rank, After, 0>(unsqueeze(e, boost::hana::integral_constant<index, 0>{}));
  else if constexpr (At == Rank)
    return e;
  else
    return interleaved<Rank, After, At + 1>(
        unsqueeze(e, boost::hana::integral_constant<index, 2 * At + (After ? 1 : 0)>{}));
}

}  // namespace detail

// outer(x, y) and ger(x, y): (m) and (n) give (m, n), every product; a pointwise tree, so it fuses (torch.outer).
inline constexpr struct outer_t : detail::takes_two {
  using takes_two::operator();
  template <array A, array B>
    requires detail::stackable<detail::outer_f, A, B>
  constexpr auto operator()(A&& x, B&& y) const {
    using one = boost::hana::integral_constant<index, 1>;
    using zero = boost::hana::integral_constant<index, 0>;
    return mul(unsqueeze(detail::capture(static_cast<A&&>(x)), one{}),
               unsqueeze(detail::capture(static_cast<B&&>(y)), zero{}));
  }
  template <array A, array B, class Error = detail::stacked_error<detail::outer_f, A, B>>
    requires(!detail::stackable<detail::outer_f, A, B>)
  Error operator()(A&&, B&&) const = delete;
} outer{};
inline constexpr outer_t ger{};

// inner(a, b): the last axes summed together: (i..., k) and (j..., k) give (i..., j...). Throws shape_error where they
// differ (torch.inner).
inline constexpr struct inner_t : detail::takes_two {
  using takes_two::operator();
  template <array A, array B>
    requires(detail::core_types_fit<detail::rule_core_number, A, B> &&
             detail::inner_fits<detail::shape_of<detail::node_of<A>>, detail::shape_of<detail::node_of<B>>>)
  constexpr auto operator()(A&& a, B&& b) const {
    using common = typename detail::type_of<static_cast<dtype>(detail::promoted_code<A, B>)>::type;
    using T = detail::arithmetic_type<common>;
    auto x = detail::argument<T>(static_cast<A&&>(a));
    auto y = detail::argument<T>(static_cast<B&&>(b));
    constexpr int ra = detail::rank_of<decltype(x)>, rb = detail::rank_of<decltype(y)>;
    if (x.shape()[ra - 1] != y.shape()[rb - 1])
      detail::throw_inner_sizes({x.shape().data(), ra}, {y.shape().data(), rb});
    using source = detail::contraction<detail::inner_plan<ra, rb>(), detail::inner_name, decltype(x), decltype(y)>;
    return detail::rounded_from<T, common>(deferred<source>(source(x, y)));
  }
  template <array A, array B, class SA = detail::shape_of<detail::node_of<A>>,
            class SB = detail::shape_of<detail::node_of<B>>,
            class Error = errors_md::does_not_fit_the_signature<detail::inner_text<SA, SB>, SA, SB>>
    requires(detail::core_types_fit<detail::rule_core_number, A, B> && !detail::inner_fits<SA, SB>)
  Error operator()(A&&, B&&) const = delete;
} inner{};

// kron(a, b): the Kronecker product: each element of a times all of b; missing leading axes count as 1 (torch.kron).
inline constexpr struct kron_t : detail::takes_two {
  using takes_two::operator();
  template <array A, array B>
    requires detail::core_types_fit<detail::rule_core_number, A, B>
  constexpr auto operator()(A&& a, B&& b) const {
    const auto x = detail::capture(static_cast<A&&>(a));
    const auto y = detail::capture(static_cast<B&&>(b));
    constexpr int ra = detail::rank_of<decltype(x)>, rb = detail::rank_of<decltype(y)>, rank = ra > rb ? ra : rb;
    const auto product = mul(detail::interleaved<rank, true>(x), detail::interleaved<rank, false>(y));
    using source = detail::kronecker<std::remove_cvref_t<decltype(product)>>;
    return deferred<source>(source(product));
  }
} kron{};

}  // namespace broadloom
