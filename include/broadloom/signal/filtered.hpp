// Functions of whole arrays that compiled code computes: the node of a lazy one.
#pragma once

#include <broadloom/eval/scheduler.hpp>
#include <broadloom/index/operand.hpp>
#include <broadloom/linalg/materialized.hpp>
#include <broadloom/signal/signal_operand.hpp>

namespace broadloom {

namespace detail {

// An integer extent, or all of an axis.
template <class N>
concept extent_or_all = integer_like<N> || __is_same(N, all_t);

// F computes T elements of Shape, row-major, from operands in memory:
//   static constexpr const char* name()
//   void run(const runtime::signal_operand*, T* to, const index* extents, const runtime::options&) const
template <class F, class T, class Shape, class... Args>
class filtered {
 public:
  using value_type = T;
  using shape_type = Shape;

  constexpr filtered(const F& f, const Shape& s, Args... args)
      : args_(static_cast<Args&&>(args)...), shape_(s), f_(f) {}

  static constexpr const char* name() { return F::name(); }
  constexpr const Shape& shape() const { return shape_; }

  template <int R>
  T element(const indices<R>& at) const {
    auto all = tensor<T, Shape>::uninitialised(shape_);
    evaluate<BROADLOOM_NATIVE>(all.data(), runtime::options{});
    return all.data()[offset_of(shape_.extents(), row_major::strides(shape_), at)];
  }
  bool same(const filtered& o) const {
    return f_ == o.f_ && [&]<int... At>(sequence<At...>) {
      return (same_tree(boost::hana::at_c<At>(args_), boost::hana::at_c<At>(o.args_)) && ...);
    }(make_sequence<sizeof...(Args)>{});
  }
  bool reads(const void* low, const void* high) const {
    return detail::unpack(args_, [&](const Args&... a) { return (operand_reads(a, low, high) || ...); });
  }
  template <int Native>
  void evaluate(T* to, const runtime::options& how) const {
    detail::unpack(args_, [&](const Args&... a) { run(to, how, operand<Native, Args>(a, how)...); });
  }

 private:
  template <int Native, class A>
  struct operand {
    brought_operand<Native, A> in;
    indices<rank_of<A>> extents, strides;

    operand(const A& a, const runtime::options& how)
        : in(a, how), extents(a.shape().extents()), strides(in.strides()) {}
  };
  template <class... O>
  void run(T* to, const runtime::options& how, const O&... o) const {
    const runtime::signal_operand operands[] = {{o.in.data(),
                                                 compiled_dtype<std::remove_cvref_t<decltype(*o.in.data())>>(),
                                                 o.extents.count, o.extents.v, o.strides.v}...};
    f_.run(operands, to, shape_.data(), how);
  }

  boost::hana::basic_tuple<Args...> args_;
  [[no_unique_address]] Shape shape_;
  [[no_unique_address]] F f_;
};

template <class T, class F, class Shape, class... Args>
constexpr auto filter(const F& f, const Shape& s, Args... args) {
  check_count(F::name(), s);
  if constexpr (is_half_type<T>)  // computed as f32, and rounded once
    return rounded_to<T>(filter<float>(f, s, argument<float>(static_cast<Args&&>(args))...));
  else {
    using source = filtered<F, T, Shape, Args...>;
    return deferred<source>(source(f, s, static_cast<Args&&>(args)...));
  }
}

}  // namespace detail
}  // namespace broadloom
