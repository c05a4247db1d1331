// Contractions: products of two arrays summed over axes, to which einsum, inner and the fused products come down. The
// result has the axes both operands keep, then the left one's, then the right one's.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/fn/catalogue.hpp>
#include <broadloom/linalg/stacked.hpp>
#include <broadloom/linalg/straight.hpp>

namespace broadloom {

namespace runtime {

// One index of a contraction: its extent and the strides in elements; `c` is -1 where it is summed.
struct contracted_axis {
  index extent, a, b, c;
};
// What products are added to: writes its elements to the block of the result that begins at `to`, whose rows are
// `pitch` apart.
struct product_addend {
  void (*write)(const void* object, void* to, index rows, index pitch, index cols);
  const void* object;
};
struct contraction_call {
  dtype type;
  int count;
  const contracted_axis* axes;
  const void *a, *b;
  void* c;                   // row-major over the kept axes
  double alpha;              // of floating elements, or its real part
  double alpha_imaginary;    // of complex ones
  std::int64_t whole_alpha;  // of integers
  bool accumulate;           // c += alpha * a * b instead of c = alpha * a * b
  options how;
  const product_addend* addend = nullptr;  // is to be written to c before, perhaps by blocks
  // Only these indices of the first axis, to the beginning of c, where product_rows() allows it; -1: all.
  index first = 0, last = -1;
};
BROADLOOM_API void contract(const contraction_call& call);

}  // namespace runtime

namespace detail {

template <contraction_plan P, class A, class B>
constexpr auto contraction_extents() {
  indices<P.kept> r{};
  for (int i = 0; i < P.kept; ++i) {
    const index x = P.list[i].a >= 0 ? A::static_extents[P.list[i].a] : 1,
                y = P.list[i].b >= 0 ? B::static_extents[P.list[i].b] : 1;
    const index z = broadcast_axis(x, y);
    r[i] = z == clash ? dyn : z;
  }
  return r;
}
template <contraction_plan P, class A, class B>
using contraction_shape = shape_from<contraction_extents<P, A, B>()>;

template <contraction_plan P, class A, class B>
constexpr auto contraction_shape_now(const A& a, const B& b) {
  using shape_type = contraction_shape<P, A, B>;
  indices<P.kept> r{};
  for (int i = 0; i < P.kept; ++i) r[i] = contracted_extent<P>(i, a, b);
  return shape_type::unchecked(r);
}

// Runs a contraction of operands into memory; `before` is called when the operands have been read as far as they are
// trees. `more` gives the call what else it has.
template <contraction_plan P, int Native, class T, class A, class B, class Before>
void run_contraction(T* to, const A& a, const B& b, T alpha, bool accumulate, const runtime::options& how,
                     const Before& before, const runtime::contraction_call& more = {}) {
  const brought_operand<Native, A> left(a, how);
  const brought_operand<Native, B> right(b, how, whole_for(b, a, left));
  before();
  runtime::contracted_axis axes[P.count == 0 ? 1 : P.count];
  index step = 1;
  for (int i = P.count - 1; i >= 0; --i) {
    const contraction_index& x = P.list[i];
    const index n = contracted_extent<P>(i, a.shape(), b.shape());
    axes[i].extent = n;
    axes[i].a = x.a >= 0 && a.shape()[x.a] != 1 ? left.strides()[x.a] : 0;
    axes[i].b = x.b >= 0 && b.shape()[x.b] != 1 ? right.strides()[x.b] : 0;
    axes[i].c = -1;
    if (x.kept) {
      axes[i].c = step;
      step *= n;
    }
  }
  double alpha_as = 1, imaginary = 0;
  std::int64_t whole = 1;
  if constexpr (std::is_integral_v<T>)
    whole = static_cast<std::int64_t>(alpha);
  else if constexpr (is_complex_type<T>) {
    alpha_as = static_cast<double>(alpha.real());
    imaginary = static_cast<double>(alpha.imag());
  } else
    alpha_as = static_cast<double>(alpha);
  runtime::contract({compiled_dtype<T>(), P.count, axes, left.data(), right.data(), to, alpha_as, imaginary, whole,
                     accumulate, how, more.addend, more.first, more.last});
}

// One element of a contraction.
template <contraction_plan P, class A, class B, int R>
constexpr auto contracted_element(const indices<R>& at, const A& a, const B& b) {
  using T = value_of<A>;
  indices<rank_of<A>> x{};
  indices<rank_of<B>> y{};
  const auto put = [&](int i, index value) {
    if (P.list[i].a >= 0) x[P.list[i].a] = a.shape()[P.list[i].a] == 1 ? 0 : value;
    if (P.list[i].b >= 0) y[P.list[i].b] = b.shape()[P.list[i].b] == 1 ? 0 : value;
  };
  for (int i = 0; i < P.kept; ++i) put(i, at[R - P.kept + i]);
  index terms = 1;
  for (int i = P.kept; i < P.count; ++i) terms *= contracted_extent<P>(i, a.shape(), b.shape());
  T sum{};
  for (index term = 0; term < terms; ++term) {
    index rest = term;
    for (int i = P.count - 1; i >= P.kept; --i) {
      const index n = contracted_extent<P>(i, a.shape(), b.shape());
      put(i, rest % n);
      rest /= n;
    }
    const T product = element_product<T>(a.element(x), b.element(y));
    sum = term == 0 ? product : element_sum<T>(sum, product);
  }
  return sum;
}

template <contraction_plan P, class Name, class A, class B>
class contraction {
 public:
  using value_type = value_of<A>;
  using shape_type = contraction_shape<P, shape_of<A>, shape_of<B>>;
  static constexpr bool is_straight = is_straight_product<P, A, B>;

  constexpr contraction(A a, B b)
      : shape_(contraction_shape_now<P>(a.shape(), b.shape())), a_(static_cast<A&&>(a)), b_(static_cast<B&&>(b)) {
    check_count(name(), a_.shape());
    check_count(name(), b_.shape());
    indices<P.count> x{};  // what is summed over may have axes of each
    for (int i = P.kept; i < P.count; ++i) x[i] = contracted_extent<P>(i, a_.shape(), b_.shape());
    check_count(name(), x.v, P.count);
  }

  static constexpr const char* name() { return Name::name(); }
  constexpr const shape_type& shape() const { return shape_; }
  template <int R>
  constexpr value_type element(const indices<R>& at) const {
    return contracted_element<P>(at, a_, b_);
  }
  bool same(const contraction& o) const { return same_tree(a_, o.a_) && same_tree(b_, o.b_); }
  bool reads(const void* low, const void* high) const {
    return operand_reads(a_, low, high) || operand_reads(b_, low, high);
  }
  template <int Native>
  BROADLOOM_INLINE void straight(value_type* to, const runtime::options& how) const {
    straight_contraction<P, Native>(a_, b_, to, how);
  }
  template <int Native>
  void evaluate(value_type* to, const runtime::options& how) const {
    if constexpr (is_straight) return straight<Native>(to, how);
    run_contraction<P, Native, value_type>(to, a_, b_, value_type(1), false, how, [] {});
  }

 private:
  [[no_unique_address]] shape_type shape_;
  A a_;
  B b_;
};

}  // namespace detail
}  // namespace broadloom
