// Reductions with a callable of one's own: reduce. The tree is evaluated block by block into memory that stays in
// cache, where the callable combines its elements.
#pragma once

#include <broadloom/reduce/own_columns.hpp>
#include <broadloom/reduce/reduced.hpp>

namespace broadloom {

namespace detail {

template <class F, class V, class E, class Shape, bool AnyOrder>
class own_reduced {
 public:
  using value_type = V;
  using shape_type = Shape;
  static constexpr const char* name() { return own_name<F>("reduce"); }

  constexpr own_reduced(const E& e, const Shape& s, unsigned bits, const V& identity, const F& f)
      : e_(e), shape_(s), identity_(identity), bits_(bits), f_{f} {
    check_count(name(), e.shape());
  }

  constexpr const Shape& shape() const { return shape_; }
  constexpr bool same(const own_reduced& o) const {
    // a callable with a state is equal to itself alone
    return this == &o ||
           (std::is_empty_v<F> && bits_ == o.bits_ && same_bits(identity_, o.identity_) && same_tree(e_, o.e_));
  }
  bool reads(const void* low, const void* high) const { return may_read(e_, low, high); }
  template <class T>
  auto with_trees(const T& f) const {
    return own_reduced<F, V, decltype(f(e_)), Shape, AnyOrder>(f(e_), shape_, bits_, identity_, f_.f);
  }

  template <int R>
  constexpr V element(const indices<R>& own) const {
    constexpr int rank = rank_of<E>;
    indices<rank> at{};
    index n = 1;
    int next = 0;
    for (int i = 0; i < rank; ++i) {
      const bool reduced = (bits_ >> i & 1) != 0;
      if (reduced) n *= e_.shape()[i];
      if (R == rank)
        at[i] = reduced ? 0 : own[i < R ? i : 0];
      else if (!reduced)
        at[i] = own[next++];
    }
    const auto get = [&](index k) {
      indices<rank> x = at;
      for (int i = rank - 1; i >= 0; --i)
        if ((bits_ >> i & 1) != 0) {
          x[i] = k % e_.shape()[i];
          k /= e_.shape()[i];
        }
      return e_.element(x);
    };
    V r = identity_;
    if constexpr (!AnyOrder) {
      for (index k = 0; k < n; ++k) r = f_.on(r, get(k));
      return r;
    } else {
      V partial[64];
      int top = 0;
      constexpr index lanes = own_combine<F, V>::lanes;
      for (index s = 0; s * strip_elements < n; ++s) {
        V lane[static_cast<std::size_t>(lanes)]{};
        const index count = n - s * strip_elements < strip_elements ? n - s * strip_elements : index{strip_elements};
        for (index i = 0; i < count; ++i) {
          const V x = get(s * strip_elements + i);
          lane[i % lanes] = i < lanes ? x : f_.on(lane[i % lanes], x);
        }
        for (index half = lanes / 2; half >= 1; half /= 2)
          for (index k = 0; k < half; ++k)
            if (k + half < count) lane[k] = f_.on(lane[k], lane[k + half]);
        V x = lane[0];
        for (index m = s; (m & 1) != 0; m >>= 1) x = f_.on(partial[--top], x);
        partial[top++] = x;
      }
      if (top == 0) return r;
      r = partial[--top];
      while (top > 0) r = f_.on(partial[--top], r);
      return r;
    }
  }

  // Rows of a tree without barriers are reduced by themselves.
  index row_hint() const { return deferred_count<E> > 0 || Shape::axes_count == 0 ? -1 : 0; }
  template <int Native>
  void evaluate(V* to, const runtime::options& how) const {
    results<Native>(0, shape_.size(), to, how);
  }
  template <int Native>
  void evaluate_rows(index first, index last, V* to, const runtime::options& how) const {
    index inner = 1;
    for (int a = 1; a < Shape::axes_count; ++a) inner *= shape_[a];
    results<Native>(first * inner, last * inner, to, how);
  }

 private:
  // Results [first, last) in row-major order.
  template <int Native>
  void results(index first, index last, V* to, const runtime::options& how) const {
    constexpr int rank = rank_of<E>;
    fixed_array<int, (rank == 0 ? 1 : rank)> order{};
    index n = 1;
    int next = 0;
    for (int kept = 1; kept >= 0; --kept)
      for (int a = 0; a < rank; ++a)
        if (((bits_ >> a & 1) == 0) == (kept == 1)) order[next++] = a;
    for (int a = 0; a < rank; ++a)
      if ((bits_ >> a & 1) != 0) n *= e_.shape()[a];
    const index count = last - first;
    if (n == 0 || count == 0) {
      for (index i = 0; i < count; ++i) to[i] = identity_;
      return;
    }
    element_ranges<E, Native> x(e_, order, how);
    if constexpr (rank > 1) {
      const rows_and_columns<rank> columns(e_.shape().extents(), bits_);
      if (columns.are_wide() && x.is_nearer(columns.last_kept(), columns.last_reduced())) {
        x.set_order(columns.order());
        return reduce_columns<AnyOrder>(f_, identity_, x, columns, first, last, to, how);
      }
    }
    runtime::options inside = how;
    inside.threads = 1;
    if (n <= block_elements) {
      const index rows = block_elements / n, blocks = (count - 1) / rows + 1;
      on_threads(blocks, count * n, how.threads, [&](index b) {
        const index begin = b * rows, stop = begin + rows < count ? begin + rows : count;
        const block_memory<V> room(x.is_there() ? 1 : (stop - begin) * n);
        const V* const v = x((first + begin) * n, (first + stop) * n, room.data(), inside);
        for (index r = begin; r < stop; ++r) to[r] = row(v + (r - begin) * n, n);
      });
    } else if constexpr (AnyOrder) {
      const index strips = (n - 1) / strip_elements + 1, blocks = (n - 1) / block_elements + 1;
      const block_memory<V> partial(count * strips);
      on_threads(count * blocks, count * n, how.threads, [&](index b) {
        const index r = b / blocks, begin = b % blocks * block_elements,
                    stop = begin + block_elements < n ? begin + block_elements : n;
        const block_memory<V> room(x.is_there() ? 1 : stop - begin);
        const V* const v = x((first + r) * n + begin, (first + r) * n + stop, room.data(), inside);
        strips_of(v, stop - begin, partial.data() + r * strips + begin / strip_elements);
      });
      for (index r = 0; r < count; ++r) to[r] = f_.pairs(partial.data() + r * strips, strips);
    } else
      on_threads(count, count * n, how.threads, [&](index r) {
        const block_memory<V> room(x.is_there() ? 1 : block_elements);
        V y = identity_;
        for (index i = 0; i < n; i += block_elements) {
          const index stop = i + block_elements < n ? i + block_elements : n;
          const V* const v = x((first + r) * n + i, (first + r) * n + stop, room.data(), count == 1 ? how : inside);
          for (index k = 0; k < stop - i; ++k) y = f_.on(y, v[k]);
        }
        to[r] = y;
      });
  }
  // One partial result for each strip of n elements; how many.
  index strips_of(const V* x, index n, V* to) const {
    index i = 0, strips = 0;
    if constexpr (requires { f_.whole_strips(x, n, to); }) {
      strips = n / strip_elements;
      i = strips * strip_elements;
      f_.whole_strips(x, strips, to);
    }
    for (; i < n; i += strip_elements)
      to[strips++] = f_.strip(x + i, n - i < strip_elements ? n - i : index{strip_elements});
    return strips;
  }
  V row(const V* x, index n) const {
    if constexpr (AnyOrder) {
      if (n <= strip_elements) return f_.strip(x, n);
      V partial[block_elements / strip_elements + 1];
      return f_.pairs(partial, strips_of(x, n, partial));
    } else {
      V y = identity_;
      for (index i = 0; i < n; ++i) y = f_.on(y, x[i]);
      return y;
    }
  }

  E e_;
  [[no_unique_address]] Shape shape_;
  V identity_;
  unsigned bits_;
  own_combine<F, V> f_;
};

// The options of reduce beside axes and the callable.
template <class O>
inline constexpr bool is_own_option = is_axes<O> || __is_same(O, keepdim_t) || integer_like<O> || axis_list<O>;

template <bool AnyOrder, class V, class F, class E, class... O>
constexpr auto make_own_reduced(const E& e, const V& identity, const F& f, const O&... o) {
  static_assert(combines_numbers<F, V> || combines_packs<F, V>,
                "reduce: the callable must take two elements, or two packs, and return one, of the type that the "
                "elements and the identity have together [errors.md#reduce-callable]");
  constexpr bool fits = combines_numbers<F, V> || (AnyOrder && combines_packs<F, V>);
  static_assert(
      fits || !combines_packs<F, V>,
      "reduce: a callable that takes packs combines elements in any order: say any_order [errors.md#reduce-packs]");
  using in = shape_of<E>;
  constexpr int rank = in::axes_count;
  const auto named = reduced_axes<rank>("reduce", o...);
  using axes_type = std::remove_cvref_t<decltype(named)>;
  constexpr int out = keeps_axes<O...> ? rank : rank - named_axes<rank, O...>;
  using shape_type = shape_from<reduced_static_extents<in, axes_type, out>()>;
  using node = own_reduced<std::conditional_t<fits, F, refused_callable<V>>, V, E, shape_type, AnyOrder>;
  return deferred<node>(node(e, shape_type::unchecked(reduced_extents<out>(e.shape().extents(), named.bits())),
                             named.bits(), identity, f));
}

}  // namespace detail

// reduce(x, axes, identity, combine[, any_order][, keepdim]): the elements along the axes brought together by a
// callable of two. axes: axes<0, -1>, an integer or constant, or a container of integers, as of sum; without them,
// reduce(x, identity, combine), all. Elements and identity are converted to their common type V, the number being weak,
// and combine(V, V) gives a V. Without any_order the elements are combined one after the other, in row-major order of
// the axes and beginning with the identity: combine(combine(identity, x0), x1). With any_order, which says that combine
// is associative and commutative and the identity changes nothing, they are combined in the order of sum, whatever the
// number of threads, and combine may take packs instead. The identity is the result of no elements. Lazy: it is
// computed once, block by block, along with what reads it. combine is called from several threads at once; what it
// throws arrives at the caller.
inline constexpr struct reduce_t : detail::refuses_other_arguments<reduce_t> {
  static constexpr detail::text call{"reduce(x, axes<0>, identity, f)"};
  using detail::refuses_other_arguments<reduce_t>::operator();
  template <array A, class Axes, class Identity, class F>
    requires(detail::is_own_option<Axes> && detail::number_scalar<Identity> && !detail::number_scalar<F>)
  constexpr auto operator()(A&& a, const Axes& axes, Identity identity, F combine) const {
    return of<false>(static_cast<A&&>(a), identity, combine, axes);
  }
  template <array A, class Axes, class Identity, class F>
    requires(detail::is_own_option<Axes> && detail::number_scalar<Identity> && !detail::number_scalar<F>)
  constexpr auto operator()(A&& a, const Axes& axes, Identity identity, F combine, keepdim_t) const {
    return of<false>(static_cast<A&&>(a), identity, combine, axes, keepdim);
  }
  template <array A, class Axes, class Identity, class F>
    requires(detail::is_own_option<Axes> && detail::number_scalar<Identity> && !detail::number_scalar<F>)
  constexpr auto operator()(A&& a, const Axes& axes, Identity identity, F combine, any_order_t) const {
    return of<true>(static_cast<A&&>(a), identity, combine, axes);
  }
  template <array A, class Axes, class Identity, class F>
    requires(detail::is_own_option<Axes> && detail::number_scalar<Identity> && !detail::number_scalar<F>)
  constexpr auto operator()(A&& a, const Axes& axes, Identity identity, F combine, any_order_t, keepdim_t) const {
    return of<true>(static_cast<A&&>(a), identity, combine, axes, keepdim);
  }
  template <array A, class Identity, class F>
    requires(detail::number_scalar<Identity> && !detail::number_scalar<F> && !array<F>)
  constexpr auto operator()(A&& a, Identity identity, F combine) const {
    return of<false>(static_cast<A&&>(a), identity, combine);
  }
  template <array A, class Identity, class F>
    requires(detail::number_scalar<Identity> && !detail::number_scalar<F> && !array<F>)
  constexpr auto operator()(A&& a, Identity identity, F combine, any_order_t) const {
    return of<true>(static_cast<A&&>(a), identity, combine);
  }

 private:
  template <bool AnyOrder, class A, class Identity, class F, class... O>
  static constexpr auto of(A&& a, const Identity& identity, const F& f, const O&... o) {
    using V = detail::combined_type<A, Identity>;
    return detail::make_own_reduced<AnyOrder>(detail::argument<V>(static_cast<A&&>(a)), detail::number_as<V>(identity),
                                              f, o...);
  }
} reduce{};

}  // namespace broadloom
