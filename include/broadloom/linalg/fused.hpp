// Fused products: beta * c + alpha * (a @ b), where c expands to the product's shape and never the reverse: addmm addmv
// addr baddbmm addbmm, and the same in place.
#pragma once

#include <broadloom/linalg/fused_node.hpp>
#include <broadloom/linalg/throw_error.hpp>

namespace broadloom {

namespace runtime {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_fused_addend(const char* function, const detail::shape_view& c,
                                                                      const detail::shape_view& product,
                                                                      const detail::shape_view& a,
                                                                      const detail::shape_view& b) {
  detail::throw_linalg(detail::linalg_error_kind::fused_addend, {function, &c, &product, &a, &b});
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_fused_in_place(const char* function,
                                                                        const detail::shape_view& out,
                                                                        const detail::shape_view& product,
                                                                        const detail::shape_view& a,
                                                                        const detail::shape_view& b) {
  detail::throw_linalg(detail::linalg_error_kind::fused_in_place, {function, &out, &product, &a, &b});
}

}  // namespace runtime

namespace detail {

// c may be expanded to the product's shape, as far as the compiler knows.
template <class C, class Product>
inline constexpr bool expands_to = fits_statically<Product, C>();

template <class F, class A, class B>
using fused_shape = result_shape<F, 0, shape_of<node_of<A>>, shape_of<node_of<B>>>;

template <class F, class C, class A, class B>
inline constexpr bool fusable = false;
template <class F, array C, array A, array B>
  requires stackable<F, A, B> && core_types_fit<typename F::rule, C, A, B>
inline constexpr bool fusable<F, C, A, B> = expands_to<shape_of<node_of<C>>, fused_shape<F, A, B>>;

template <class F, class C, class A, class B>
struct explain_fused {
  using type = void;
};
template <class F, array C, array A, array B>
  requires(!stackable<F, A, B>)
struct explain_fused<F, C, A, B> {
  using type = stacked_error<F, A, B>;
};
template <class F, array C, array A, array B>
  requires(stackable<F, A, B> && !core_types_fit<typename F::rule, C, A, B>)
struct explain_fused<F, C, A, B> {
  using type = refused_elements<F, value_of<node_of<C>>, value_of<node_of<A>>, value_of<node_of<B>>>;
};
template <class F, array C, array A, array B>
  requires(stackable<F, A, B> && core_types_fit<typename F::rule, C, A, B> && !fusable<F, C, A, B>)
struct explain_fused<F, C, A, B> {
  using type = errors_md::output_does_not_fit<growth_text<fused_shape<F, A, B>, shape_of<node_of<C>>>,
                                              fused_shape<F, A, B>, shape_of<node_of<C>>>;
};

template <class F>
struct fused_object : refuses_other_arguments<fused_object<F>> {
  static constexpr text call{"addmm(c, x, y, beta, alpha)"};
  using refuses_other_arguments<fused_object>::operator();
  using function_type = F;
  template <array C, array A, array B, number_scalar Beta = int, number_scalar Alpha = int>
    requires fusable<F, C, A, B>
  constexpr auto operator()(C&& c, A&& a, B&& b, Beta beta = 1, Alpha alpha = 1) const {
    using common = compute_type<F, C, A, B>;
    using T = arithmetic_type<common>;
    static_assert(std::is_floating_point_v<T> || is_complex_type<T> ||
                      (!std::is_floating_point_v<Beta> && !std::is_floating_point_v<Alpha>),
                  "For integral input tensors, argument alpha must not be a floating point number (nor beta) "
                  "[errors.md#alpha-and-beta]");
    auto left = argument<T>(static_cast<A&&>(a));
    auto right = argument<T>(static_cast<B&&>(b));
    auto addend = argument<T>(static_cast<C&&>(c));
    using product_shape = result_shape<F, 0, shape_of<decltype(left)>, shape_of<decltype(right)>>;
    const auto s = result_shape_now<product_shape, F>(checked_binding<F>(left.shape(), right.shape()), 0);
    const auto x = addend.shape();
    bool fits = true;
    for (int i = 1; i <= x.rank(); ++i) {
      const index n = x[x.rank() - i];
      fits = fits && (n == 1 || n == s[s.rank() - i]);
    }
    if (!fits)
      runtime::throw_fused_addend(F::name(), {x.data(), x.rank()}, {s.data(), s.rank()},
                                  {left.shape().data(), left.shape().rank()},
                                  {right.shape().data(), right.shape().rank()});
    auto expanded = expand(addend, s);
    using source = fused<F, shape_of<decltype(expanded)>, decltype(expanded), decltype(left), decltype(right)>;
    const auto number = []<class N>(const N& given) {
      if constexpr (is_complex_type<T> && !is_complex_type<N>)
        return T(static_cast<real_of<T>>(given));
      else
        return number_as<T>(given);
    };
    return rounded_from<T, common>(
        deferred<source>(source(expanded.shape(), number(beta), number(alpha), expanded, left, right)));
  }
  template <array C, array A, array B, number_scalar Beta = int, number_scalar Alpha = int,
            class Error = typename explain_fused<F, C, A, B>::type>
    requires(!fusable<F, C, A, B>)
  Error operator()(C&&, A&&, B&&, Beta = 1, Alpha = 1) const = delete;
};

// The in-place form: c has the product's shape and becomes the result.
template <class F>
struct fused_in_place {
  template <class C, array A, array B, number_scalar Beta = int, number_scalar Alpha = int,
            int Native = BROADLOOM_NATIVE>
    requires fusable<F, C&, A, B> && in_place_check<fused_object<F>, C, A, B>::ok
  constexpr decltype(auto) operator()(C&& c, A&& a, B&& b, Beta beta = 1, Alpha alpha = 1) const {
    const auto x = shape_of_array(c);
    const auto y = shape_of_array(a);
    const auto z = shape_of_array(b);
    const auto check_shapes = [&](const auto& p) {
      if (x != p)
        runtime::throw_fused_in_place(F::name(), {x.data(), x.rank()}, {p.data(), p.rank()}, {y.data(), y.rank()},
                                      {z.data(), z.rank()});
    };
    // PyTorch asks this first of addmm_ alone; others say first that c does not expand.
    if constexpr (__is_same(F, addmm_f))
      check_shapes(result_shape_now<fused_shape<F, A, B>, F>(checked_binding<F>(y, z), 0));
    const auto e = fused_object<F>{}(c, static_cast<A&&>(a), static_cast<B&&>(b), beta, alpha);
    check_shapes(e.shape());
    assign_in_place<Native>(c, e);
    return static_cast<C&&>(c);
  }
  template <class C, array A, array B, number_scalar Beta = int, number_scalar Alpha = int,
            class Error = typename explain_fused<F, C&, A, B>::type>
    requires(!fusable<F, C&, A, B>)
  Error operator()(C&&, A&&, B&&, Beta = 1, Alpha = 1) const = delete;
};

}  // namespace detail

// addmm(c, a, b, beta = 1, alpha = 1): beta * c + alpha * (a @ b) for (m, k) and (k, n); c expands to (m, n), and to
// nothing larger. With beta 0 c is not read, NaN in it does no harm; with alpha 0 neither are a and b. Throws
// shape_error where inner sizes differ or c does not expand (torch.addmm).
inline constexpr detail::fused_object<detail::addmm_f> addmm{};
// addmv(c, a, x): (m, k) and (k); c expands to (m).
inline constexpr detail::fused_object<detail::addmv_f> addmv{};
// addr(c, x, y): the outer product of (m) and (n); c expands to (m, n).
inline constexpr detail::fused_object<detail::addr_f> addr{};
// baddbmm(c, a, b): (b, m, k) and (b, k, n); c expands to (b, m, n).
inline constexpr detail::fused_object<detail::baddbmm_f> baddbmm{};
// addbmm(c, a, b): the same products summed over the batch; c expands to (m, n).
inline constexpr detail::fused_object<detail::addbmm_f> addbmm{};

// The same in place: c must have the result's shape and becomes it.
inline constexpr detail::fused_in_place<detail::addmm_f> addmm_{};
inline constexpr detail::fused_in_place<detail::addmv_f> addmv_{};
inline constexpr detail::fused_in_place<detail::addr_f> addr_{};
inline constexpr detail::fused_in_place<detail::baddbmm_f> baddbmm_{};
inline constexpr detail::fused_in_place<detail::addbmm_f> addbmm_{};

}  // namespace broadloom
