// Barriers of one element, as sum(x) and mean(x, keepdim): each is computed before the tree that reads it, once, and
// stands in the tree as a scalar. So x / sum(x) is a loop over x after a loop over x, and sqrt(sum(x)) no loop at all.
#pragma once

#include <broadloom/expr/deferred.hpp>
#include <broadloom/plan/bind.hpp>

namespace broadloom::detail {

template <class Shape>
inline constexpr bool is_one_element = false;
template <class Shape>
  requires Shape::is_static
inline constexpr bool is_one_element<Shape> = [] {
  for (int i = 0; i < Shape::axes_count; ++i)
    if (Shape::static_extents[i] != 1) return false;
  return true;
}();

// A source says by `is_scalar_barrier` that it has one element and reads no barrier that has more. It has then
//   tree_type, and   value_type scalar_value<Native>(options, memo) const
template <class E>
inline constexpr bool is_scalar_barrier = false;
template <deferred_leaf E>
inline constexpr bool is_scalar_barrier<E> = [] {
  if constexpr (requires { E::source_type::is_scalar_barrier; })
    return E::source_type::is_scalar_barrier;
  else
    return false;
}();

// Whether the barriers that a tree reads all become scalars.
template <class E>
inline constexpr bool reads_scalar_barriers = true;
template <deferred_leaf E>
inline constexpr bool reads_scalar_barriers<E> = is_scalar_barrier<E> || is_ramp<E>;
template <class F, class Shape, class... Args>
inline constexpr bool reads_scalar_barriers<map<F, Shape, Args...>> = (reads_scalar_barriers<Args> && ...);

// How many there are, with those that they read.
template <class E>
inline constexpr int scalar_barrier_count = 0;
template <deferred_leaf E>
  requires is_scalar_barrier<E>
inline constexpr int scalar_barrier_count<E> = 1 + scalar_barrier_count<typename E::source_type::tree_type>;
template <class F, class Shape, class... Args>
inline constexpr int scalar_barrier_count<map<F, Shape, Args...>> = (0 + ... + scalar_barrier_count<Args>);

// Whether each barrier stands in another one, as the mean of a variance does, or alone: then no two are equal.
template <class E>
inline constexpr bool are_scalar_barriers_nested = true;
template <deferred_leaf E>
  requires is_scalar_barrier<E>
inline constexpr bool are_scalar_barriers_nested<E> = are_scalar_barriers_nested<typename E::source_type::tree_type>;
template <class F, class Shape, class... Args>
inline constexpr bool are_scalar_barriers_nested<map<F, Shape, Args...>> =
    (0 + ... + (scalar_barrier_count<Args> > 0)) <= 1 && (are_scalar_barriers_nested<Args> && ...);

// What was computed for one evaluation: equal barriers are computed once.
template <int Most>
class scalar_memo {
 public:
  template <class Source, class Compute>
  typename Source::value_type value_of_source(const Source& s, const Compute& compute) {
    typename Source::value_type x;
    for (int i = 0; i < count_; ++i)
      if (all_[i].same == same_source<Source> && same_source<Source>(all_[i].source, &s)) {
        __builtin_memcpy(&x, all_[i].value, sizeof x);
        return x;
      }
    x = compute();
    all_[count_].same = same_source<Source>;
    all_[count_].source = &s;
    __builtin_memcpy(all_[count_++].value, &x, sizeof x);
    return x;
  }

 private:
  struct entry {
    bool (*same)(const void*, const void*);
    const void* source;
    alignas(16) unsigned char value[16];
  };
  entry all_[Most];
  int count_ = 0;
};
template <>
class scalar_memo<0> {
 public:
  template <class Source, class Compute>
  typename Source::value_type value_of_source(const Source&, const Compute& compute) {
    return compute();
  }
};

template <class E>
using scalar_memo_of = scalar_memo<are_scalar_barriers_nested<E> ? 0 : scalar_barrier_count<E>>;

// The tree with scalars in the place of its barriers, all of which become scalars.
template <class E>
struct with_scalars_of {
  using type = E;
};
template <deferred_leaf E>
  requires(!is_ramp<E>)
struct with_scalars_of<E> {
  using type = scalar<typename E::value_type>;
};
template <class F, class Shape, class... Args>
  requires(scalar_barrier_count<map<F, Shape, Args...>> > 0)
struct with_scalars_of<map<F, Shape, Args...>> {
  using type = map<F, Shape, typename with_scalars_of<Args>::type...>;
};

template <int Native, class E, class Memo>
typename with_scalars_of<E>::type with_scalars(const E& e, const runtime::options& how, Memo& memo) {
  if constexpr (scalar_barrier_count<E> == 0)
    return e;
  else if constexpr (deferred_leaf<E>)
    return scalar<typename E::value_type>(
        memo.value_of_source(e.source(), [&] { return e.source().template scalar_value<Native>(how, memo); }));
  else
    return unpack(e.args(), [&](const auto&... a) {
      return typename with_scalars_of<E>::type(e.function(), e.shape(), with_scalars<Native>(a, how, memo)...);
    });
}

}  // namespace broadloom::detail
