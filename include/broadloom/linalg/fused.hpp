// Fused products: beta * c + alpha * (a @ b), where c expands to the product's shape and never the reverse: addmm addmv
// addr baddbmm addbmm, and the same in place.
#pragma once

#include <broadloom/linalg/fused_products.hpp>
#include <broadloom/linalg/products.hpp>

namespace broadloom {

namespace runtime {

[[noreturn]] void throw_fused_addend(const char* function, const detail::shape_view& c,
                                     const detail::shape_view& product, const detail::shape_view& a,
                                     const detail::shape_view& b);
[[noreturn]] void throw_fused_in_place(const char* function, const detail::shape_view& out,
                                       const detail::shape_view& product, const detail::shape_view& a,
                                       const detail::shape_view& b);

}  // namespace runtime

namespace detail {

template <class F, class Shape, class C, class A, class B>
class fused {
  // The addend can be written a block at a time: once each, and no more than these elements are computed for it.
  static constexpr bool by_blocks = requires { F::one_product; } && deferred_count<C> == 0 && !has_calls<C> &&
                                    (std::is_floating_point_v<value_of<A>> || is_complex_type<value_of<A>>);

 public:
  using value_type = value_of<A>;
  using shape_type = Shape;

  constexpr fused(const Shape& s, value_type beta, value_type alpha, C c, A a, B b)
      : c_(static_cast<C&&>(c)),
        a_(static_cast<A&&>(a)),
        b_(static_cast<B&&>(b)),
        shape_(s),
        beta_(beta),
        alpha_(alpha) {}

  static constexpr const char* name() { return F::name(); }
  constexpr const Shape& shape() const { return shape_; }

  template <int R>
  constexpr value_type element(const indices<R>& at) const {
    value_type r{};
    if (beta_ != value_type(0)) r = element_product<value_type>(beta_, c_.element(at));
    if (alpha_ != value_type(0))
      r = element_sum<value_type>(r, element_product<value_type>(alpha_, contracted_element<F::plan>(at, a_, b_)));
    return r;
  }
  bool same(const fused& o) const {
    return beta_ == o.beta_ && alpha_ == o.alpha_ && same_tree(c_, o.c_) && same_tree(a_, o.a_) && same_tree(b_, o.b_);
  }
  bool reads(const void* low, const void* high) const { return factors_read(low, high) || may_read(c_, low, high); }
  // c may be the output: it is read where the result is written, and before.
  template <int Native, class S>
    requires(S::axes_count == Shape::axes_count)
  bool assign_to(const view<value_type, S, row_major>& out, const runtime::options& how) const {
    const value_type* const last = out.data() + out.shape().size();
    if (out.shape().extents() != shape_.extents() || factors_read(out.data(), last)) return false;
    evaluate<Native>(out.data(), how);
    return true;
  }
  template <int Native>
  void evaluate(value_type* to, const runtime::options& how) const {
    const auto addend = [&] {
      const view<value_type, Shape, row_major> out(to, shape_, {});
      if (adds())
        write_addend<Native>(out, c_, how);
      else if (alpha_ == value_type(0))
        assign_node<Native>(out, scalar<value_type>(value_type{}), how);
    };
    if (alpha_ == value_type(0)) return addend();
    if constexpr (by_blocks)
      if (adds() && (!may_read(c_, to, to + shape_.size()) || is_where(to))) {
        const block_writer<Native> writer{*this, to};
        const runtime::product_addend each{block_writer<Native>::write, &writer};
        return run<Native>(to, how, [] {}, &each);
      }
    run<Native>(to, how, addend);
  }

  // Rows by themselves, so that what reads the result reads it from cache.
  index row_hint() const
    requires(by_blocks && lies_in_memory<A> && lies_in_memory<B>)
  {
    return alpha_ == value_type(0) ? -1 : runtime::product_rows(shape_.data(), 2, a_.shape()[1]);
  }
  template <int Native>
  void evaluate_rows(index first, index last, value_type* to, const runtime::options& how) const {
    // Rows go together in fours, wherever a block begins.
    const index all = shape_[0], cols = shape_[1], end = (last + 3) / 4 * 4;
    const index from = first / 4 * 4, until = end < all ? end : all;
    const auto rows = [&](value_type* here) {
      const auto n = until - from;
      if (adds())
        write_addend<Native>(view<value_type, dshape<2>, row_major>(here, dshape<2>(n, cols), {}),
                             edit_axes<narrow_edit>(c_, index{0}, from, n), how);
      run<Native>(here, how, [] {}, nullptr, from, until);
    };
    if (from == first && until == last) return rows(to);
    auto own = tensor<value_type, dshape<2>>::uninitialised(dshape<2>(until - from, cols));
    rows(own.data());
    const value_type* const wanted = own.data() + (first - from) * cols;
    for (index i = 0; i < (last - first) * cols; ++i) to[i] = wanted[i];
  }

 private:
  bool adds() const { return beta_ != value_type(0); }
  bool factors_read(const void* low, const void* high) const {
    return alpha_ != value_type(0) && (operand_reads(a_, low, high) || operand_reads(b_, low, high));
  }
  // c is the memory that is written, element for element.
  bool is_where(const value_type* to) const {
    if constexpr (lies_in_memory<C>)
      return c_.data() == to && c_.strides() == row_major::strides(shape_);
    else
      return false;
  }
  template <int Native, class Out, class Part>
  void write_addend(const Out& out, const Part& part, const runtime::options& how) const {
    if (beta_ != value_type(1))
      assign_node<Native>(out, mul(part, beta_), how);
    else
      assign_node<Native>(out, part, how);
  }
  template <int Native>
  struct block_writer {
    const fused& f;
    value_type* to;
    static void write(const void* object, index first, index last, index from, index until) {
      const auto& [f, to] = *static_cast<const block_writer*>(object);
      const index cols = f.shape_[1];
      const auto rows = edit_axes<narrow_edit>(f.c_, index{0}, first, last - first);
      f.template write_addend<Native>(
          view<value_type, dshape<2>, dyn_strides<2>>(to + first * cols + from, dshape<2>(last - first, until - from),
                                                      dyn_strides<2>{{cols, 1}}),
          edit_axes<narrow_edit>(rows, index{1}, from, until - from), runtime::options{1, {}});
    }
  };
  template <int Native, class Before>
  void run(value_type* to, const runtime::options& how, const Before& before,
           const runtime::product_addend* addend = nullptr, index first = 0, index last = -1) const {
    runtime::contraction_call more{};
    more.addend = addend;
    more.first = first;
    more.last = last;
    run_contraction<F::plan, Native, value_type>(to, a_, b_, alpha_, adds(), how, before, more);
  }

  C c_;
  A a_;
  B b_;
  [[no_unique_address]] Shape shape_;
  value_type beta_, alpha_;
};

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
  using type = not_defined_for_these_element_types<label_of<F>, value_of<node_of<C>>, value_of<node_of<A>>,
                                                   value_of<node_of<B>>>;
};
template <class F, array C, array A, array B>
  requires(stackable<F, A, B> && core_types_fit<typename F::rule, C, A, B> && !fusable<F, C, A, B>)
struct explain_fused<F, C, A, B> {
  using type = output_does_not_fit<growth_text<fused_shape<F, A, B>, shape_of<node_of<C>>>, fused_shape<F, A, B>,
                                   shape_of<node_of<C>>>;
};

template <class F>
struct fused_object {
  using function_type = F;
  template <array C, array A, array B, number_scalar Beta = int, number_scalar Alpha = int>
    requires fusable<F, C, A, B>
  constexpr auto operator()(C&& c, A&& a, B&& b, Beta beta = 1, Alpha alpha = 1) const {
    using T = compute_type<F, C, A, B>;
    static_assert(std::is_floating_point_v<T> || is_complex_type<T> ||
                      (!std::is_floating_point_v<Beta> && !std::is_floating_point_v<Alpha>),
                  "For integral input tensors, argument alpha must not be a floating point number (nor beta)");
    auto left = argument<T>(static_cast<A&&>(a));
    auto right = argument<T>(static_cast<B&&>(b));
    auto addend = argument<T>(static_cast<C&&>(c));
    using shape_type = result_shape<F, 0, shape_of<decltype(left)>, shape_of<decltype(right)>>;
    const auto s = result_shape_now<shape_type, F>(checked_binding<F>(left.shape(), right.shape()), 0);
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
    using source = fused<F, shape_type, decltype(expanded), decltype(left), decltype(right)>;
    return deferred<source>(source(s, static_cast<T>(beta), static_cast<T>(alpha), expanded, left, right));
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
    const auto x = c.shape();
    const auto y = a.shape();
    const auto z = b.shape();
    const auto e = fused_object<F>{}(c, static_cast<A&&>(a), static_cast<B&&>(b), beta, alpha);
    if (x != e.shape()) {
      const auto p = e.shape();
      runtime::throw_fused_in_place(F::name(), {x.data(), x.rank()}, {p.data(), p.rank()}, {y.data(), y.rank()},
                                    {z.data(), z.rank()});
    }
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
