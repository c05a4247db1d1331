// Reductions and running reductions with a callable of one's own: reduce, scan. The tree is evaluated block by block
// into memory that stays in cache, where the callable combines its elements.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/eval/scheduler.hpp>
#include <broadloom/fn/pointwise.hpp>
#include <broadloom/reduce/reduced.hpp>
#include <broadloom/tensor/eval.hpp>

namespace broadloom {

// Says of a callable that it is associative and commutative, so that elements may be combined in any order: by strips,
// lanes and threads, as sum does it.
inline constexpr struct any_order_t {
} any_order{};

namespace runtime {

// A program over axes in an order of their own: axis i of the result is axis order[i].
struct ordered_program {
  const leaf_array* leaves;
  int leaf_count;
  const program* code;
  const index* extents;
  const int* order;
  int rank;
  dtype type;
};

// Writes elements [first, last), in row-major order of its axes, contiguously to `to`.
BROADLOOM_API void evaluate_range(const ordered_program& p, index first, index last, void* to, const options& how);

}  // namespace runtime

namespace detail {

// Elements of a block: 64 KiB of f32.
inline constexpr index block_elements = 16 * 1024;

// Memory for one block, of one thread.
template <class T>
class block_memory {
 public:
  explicit block_memory(index n)
      : data_(static_cast<T*>(::operator new(static_cast<std::size_t>(n) * sizeof(T), std::align_val_t{64}))) {}
  block_memory(const block_memory&) = delete;
  block_memory& operator=(const block_memory&) = delete;
  ~block_memory() { ::operator delete(data_, std::align_val_t{64}); }
  T* data() const { return data_; }

 private:
  T* data_;
};

// f(i) for i in [0, n), on threads where there is work for them.
template <class F>
void on_threads(index n, index work, int threads, const F& f) {
  if (threads == 1 || n < 2 || work < 4 * block_elements) {
    for (index i = 0; i < n; ++i) f(i);
    return;
  }
  runtime::parallel_for(
      n, threads,
      [](void* context, index first, index last) {
        const F& g = *static_cast<const F*>(context);
        for (index i = first; i < last; ++i) g(i);
      },
      const_cast<void*>(static_cast<const void*>(&f)));
}

// A tree whose elements are asked for in ranges, its axes in an order of their own. What has barriers in it is
// evaluated whole, once; what lies in memory in that order is read where it is.
template <class E, int Native>
class element_ranges {
 public:
  using T = value_of<E>;
  static constexpr int rank = rank_of<E>;
  static constexpr bool whole = deferred_count<E> > 0;

  element_ranges(const E& e, const fixed_array<int, (rank == 0 ? 1 : rank)>& order, const runtime::options& how)
      : memory_(e, how), input_(memory_.node(), lets_), extents_(e.shape().extents()), order_(order) {
    using node = typename holder::node_type;
    if constexpr (leaf<node> && !deferred_leaf<node>) {
      geometry<rank> g{extents_, memory_.node().strides(), 0};
      geometry<rank> moved{};
      for (int a = 0; a < rank; ++a) {
        moved.extents[a] = g.extents[order[a]];
        moved.strides[a] = g.strides[order[a]];
      }
      if (is_row_major(moved.extents, moved.strides)) there_ = memory_.node().data();
    }
    program_ = {input_.leaves(), input_.count(), input_.template code<T>(), extents_.v, order_.v, rank, dtype_of<T>};
  }
  element_ranges(const element_ranges&) = delete;
  element_ranges& operator=(const element_ranges&) = delete;

  bool is_there() const { return there_ != nullptr; }
  // The elements of a range: where they are, or put into `room`.
  const T* operator()(index first, index last, T* room, const runtime::options& how) const {
    if (there_ != nullptr) return there_ + first;
    put(first, last, room, how);
    return room;
  }
  void put(index first, index last, T* to, const runtime::options& how) const {
    runtime::evaluate_range(program_, first, last, to, how);
  }

 private:
  struct as_it_is {
    using node_type = E;
    const E& e;
    as_it_is(const E& x, const runtime::options&) : e(x) {}
    const E& node() const { return e; }
  };
  struct evaluated {
    using node_type = view<const T, dshape<rank>, row_major>;
    tensor<T, dshape<rank>> elements;
    node_type v;
    evaluated(const E& x, const runtime::options& how)
        : elements(tensor<T, dshape<rank>>::uninitialised(dshape<rank>::unchecked(x.shape().extents()))),
          v(elements.data(), dshape<rank>::unchecked(x.shape().extents()), {}) {
      assign_node<Native>(elements.as_view(), x, how);
    }
    const node_type& node() const { return v; }
  };
  using holder = std::conditional_t<whole, evaluated, as_it_is>;

  holder memory_;
  bound_lets lets_;
  bound_input<typename holder::node_type, Native> input_;
  indices<rank> extents_;
  fixed_array<int, (rank == 0 ? 1 : rank)> order_;
  const T* there_ = nullptr;
  runtime::ordered_program program_{};
};

// What f makes of two numbers, or of two packs.
template <class F, class V>
inline constexpr bool combines_numbers = requires(const F& f, const V& x) { V(f(x, x)); };
template <class F, class V>
inline constexpr bool combines_packs =
    !combines_numbers<F, V> &&
    requires(const F& f, const broadloom::pack<V, pack_size>& x) { broadloom::pack<V, pack_size>(f(x, x)); };

template <class F, class V>
struct own_combine {
  F f;
  // As many as 64 bytes have, or a pack.
  static constexpr int lanes = combines_packs<F, V> ? pack_size : static_cast<int>(64 / sizeof(V));

  constexpr V on(const V& x, const V& y) const {
    if constexpr (combines_packs<F, V>)
      return f(broadloom::pack<V, pack_size>(x), broadloom::pack<V, pack_size>(y))[0];
    else
      return static_cast<V>(f(x, y));
  }
  // x[k] becomes f(x[k], y[k]), `lanes` of them.
  void on_lanes(V* x, const V* y) const {
    if constexpr (combines_packs<F, V>) {
      broadloom::pack<V, pack_size> a, b;
      for (int k = 0; k < lanes; ++k) {
        a[k] = x[k];
        b[k] = y[k];
      }
      const broadloom::pack<V, pack_size> r(f(a, b));
      for (int k = 0; k < lanes; ++k) x[k] = r[k];
    } else
      for (int k = 0; k < lanes; ++k) x[k] = static_cast<V>(f(x[k], y[k]));
  }
  // A strip, as sum goes through it: lanes, then these pair by pair.
  V strip(const V* x, index n) const {
    V lane[static_cast<std::size_t>(lanes)];
    const index count = n < lanes ? n : index{lanes};
    for (index k = 0; k < count; ++k) lane[k] = x[k];
    index i = lanes;
    for (; i + lanes <= n; i += lanes) on_lanes(lane, x + i);
    for (; i < n; ++i) lane[i % lanes] = on(lane[i % lanes], x[i]);
    for (index half = lanes / 2; half >= 1; half /= 2)
      for (index k = 0; k < half; ++k)
        if (k + half < count) lane[k] = on(lane[k], lane[k + half]);
    return lane[0];
  }
  // Strips pair by pair; n > 0.
  constexpr V pairs(const V* x, index n) const {
    V partial[64];
    int top = 0;
    for (index s = 0; s < n; ++s) {
      V y = x[s];
      for (index m = s; (m & 1) != 0; m >>= 1) y = on(partial[--top], y);
      partial[top++] = y;
    }
    V y = partial[--top];
    while (top > 0) y = on(partial[--top], y);
    return y;
  }
};

template <class F, class V, class E, class Shape, bool AnyOrder>
class own_reduced {
 public:
  using value_type = V;
  using shape_type = Shape;
  static constexpr const char* name() { return "reduce"; }

  constexpr own_reduced(const E& e, const Shape& s, unsigned bits, const V& identity, const F& f)
      : e_(e), shape_(s), bits_(bits), identity_(identity), f_{f} {
    check_count(name(), e.shape());
  }

  constexpr const Shape& shape() const { return shape_; }
  constexpr bool same(const own_reduced& o) const {
    return std::is_empty_v<F> && bits_ == o.bits_ && same_bits(identity_, o.identity_) && same_tree(e_, o.e_);
  }
  bool reads(const void* low, const void* high) const { return may_read(e_, low, high); }

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
    const element_ranges<E, Native> x(e_, order, how);
    runtime::options inside = how;
    inside.threads = 1;
    if (n <= block_elements) {
      const index rows = block_elements / n, blocks = (count - 1) / rows + 1;
      on_threads(blocks, count * n, how.threads, [&](index b) {
        const index from = b * rows, end = from + rows < count ? from + rows : count;
        const block_memory<V> room(x.is_there() ? 1 : (end - from) * n);
        const V* const v = x((first + from) * n, (first + end) * n, room.data(), inside);
        for (index r = from; r < end; ++r) to[r] = row(v + (r - from) * n, n);
      });
    } else if constexpr (AnyOrder) {
      const index strips = (n - 1) / strip_elements + 1, blocks = (n - 1) / block_elements + 1;
      const block_memory<V> partial(count * strips);
      on_threads(count * blocks, count * n, how.threads, [&](index b) {
        const index r = b / blocks, from = b % blocks * block_elements,
                    end = from + block_elements < n ? from + block_elements : n;
        const block_memory<V> room(x.is_there() ? 1 : end - from);
        const V* const v = x((first + r) * n + from, (first + r) * n + end, room.data(), inside);
        for (index i = from; i < end; i += strip_elements)
          partial.data()[r * strips + i / strip_elements] =
              f_.strip(v + (i - from), end - i < strip_elements ? end - i : index{strip_elements});
      });
      for (index r = 0; r < count; ++r) to[r] = f_.pairs(partial.data() + r * strips, strips);
    } else
      on_threads(count, count * n, how.threads, [&](index r) {
        const block_memory<V> room(x.is_there() ? 1 : block_elements);
        V y = identity_;
        for (index i = 0; i < n; i += block_elements) {
          const index end = i + block_elements < n ? i + block_elements : n;
          const V* const v = x((first + r) * n + i, (first + r) * n + end, room.data(), count == 1 ? how : inside);
          for (index k = 0; k < end - i; ++k) y = f_.on(y, v[k]);
        }
        to[r] = y;
      });
  }
  V row(const V* x, index n) const {
    if constexpr (AnyOrder) {
      if (n <= strip_elements) return f_.strip(x, n);
      V partial[block_elements / strip_elements + 1];
      index strips = 0;
      for (index i = 0; i < n; i += strip_elements)
        partial[strips++] = f_.strip(x + i, n - i < strip_elements ? n - i : index{strip_elements});
      return f_.pairs(partial, strips);
    } else {
      V y = identity_;
      for (index i = 0; i < n; ++i) y = f_.on(y, x[i]);
      return y;
    }
  }

  E e_;
  [[no_unique_address]] Shape shape_;
  unsigned bits_;
  V identity_;
  own_combine<F, V> f_;
};

template <class F, class V, class E>
class own_scanned {
 public:
  using value_type = V;
  using shape_type = shape_of<E>;
  static constexpr const char* name() { return "scan"; }

  constexpr own_scanned(const E& e, int axis, const V& initial, const F& f)
      : e_(e), axis_(axis), initial_(initial), f_{f} {
    check_count(name(), e.shape());
  }
  constexpr const shape_type& shape() const { return e_.shape(); }
  constexpr bool same(const own_scanned& o) const {
    return std::is_empty_v<F> && axis_ == o.axis_ && same_bits(initial_, o.initial_) && same_tree(e_, o.e_);
  }
  bool reads(const void* low, const void* high) const { return may_read(e_, low, high); }
  template <int R>
  constexpr V element(indices<R> at) const {
    if constexpr (R == 0)
      return f_.on(initial_, e_.element(at));
    else {
      const index last = at[axis_];
      V x = initial_;
      for (at[axis_] = 0; at[axis_] <= last; ++at[axis_]) x = f_.on(x, e_.element(at));
      return x;
    }
  }
  index row_hint() const { return deferred_count<E> > 0 || rank_of<E> == 0 || axis_ == 0 ? -1 : 0; }
  template <int Native>
  void evaluate(V* to, const runtime::options& how) const {
    rows<Native>(0, rank_of<E> == 0 ? 1 : shape()[0], to, how);
  }
  template <int Native>
  void evaluate_rows(index first, index last, V* to, const runtime::options& how) const {
    rows<Native>(first, last, to, how);
  }

 private:
  template <int Native>
  void rows(index first, index last, V* to, const runtime::options& how) const {
    constexpr int rank = rank_of<E>;
    fixed_array<int, (rank == 0 ? 1 : rank)> order{};
    for (int a = 0; a < rank; ++a) order[a] = a;
    index row = 1, inner = 1, outer = last - first;
    for (int a = 1; a < rank; ++a) row *= shape()[a];
    if (row == 0 || outer <= 0) return;
    const element_ranges<E, Native> x(e_, order, how);
    x.put(first * row, last * row, to, how);
    const index n = rank == 0 ? 1 : axis_ == 0 ? outer : shape()[axis_];
    for (int a = axis_ + 1; a < rank; ++a) inner *= shape()[a];
    outer = outer * row / (n * inner);
    // lines side by side, so many at a time
    const index width = inner < 4096 ? inner : index{4096}, parts = (inner - 1) / width + 1;
    on_threads(outer * parts, outer * n * inner, how.threads, [&](index b) {
      const index from = b % parts * width, end = from + width < inner ? from + width : inner;
      V* const line = to + b / parts * n * inner;
      for (index k = from; k < end; ++k) line[k] = f_.on(initial_, line[k]);
      for (index i = 1; i < n; ++i) {
        V* const own = line + i * inner;
        const V* const before = own - inner;
        for (index k = from; k < end; ++k) own[k] = f_.on(before[k], own[k]);
      }
    });
  }

  E e_;
  int axis_;
  V initial_;
  own_combine<F, V> f_;
};

template <class A, class I>
using combined_type = promoted<A, const I&>;

// The options of reduce beside axes and the callable.
template <class O>
inline constexpr bool is_own_option = is_axes<O> || __is_same(O, keepdim_t) || integer_like<O> || axis_list<O>;

template <bool AnyOrder, class V, class F, class E, class... O>
constexpr auto make_own_reduced(const E& e, const V& identity, const F& f, const O&... o) {
  static_assert(combines_numbers<F, V> || combines_packs<F, V>,
                "reduce: the callable must take two elements, or two packs, and return one, of the type that the "
                "elements and the identity have together");
  static_assert(AnyOrder || combines_numbers<F, V>,
                "reduce: a callable that takes packs combines elements in any order: say any_order");
  using in = shape_of<E>;
  constexpr int rank = in::axes_count;
  const auto named = reduced_axes<rank>("reduce", o...);
  using axes_type = std::remove_cvref_t<decltype(named)>;
  constexpr int out = keeps_axes<O...> ? rank : rank - named_axes<rank, O...>;
  using shape_type = shape_from<reduced_static_extents<in, axes_type, out>()>;
  using node = own_reduced<F, V, E, shape_type, AnyOrder>;
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
inline constexpr struct reduce_t {
  template <array A, class Axes, class I, class F>
    requires(detail::is_own_option<Axes> && detail::number_scalar<I> && !detail::number_scalar<F>)
  constexpr auto operator()(A&& a, const Axes& axes, I identity, F combine) const {
    return of<false>(static_cast<A&&>(a), identity, combine, axes);
  }
  template <array A, class Axes, class I, class F>
    requires(detail::is_own_option<Axes> && detail::number_scalar<I> && !detail::number_scalar<F>)
  constexpr auto operator()(A&& a, const Axes& axes, I identity, F combine, keepdim_t) const {
    return of<false>(static_cast<A&&>(a), identity, combine, axes, keepdim);
  }
  template <array A, class Axes, class I, class F>
    requires(detail::is_own_option<Axes> && detail::number_scalar<I> && !detail::number_scalar<F>)
  constexpr auto operator()(A&& a, const Axes& axes, I identity, F combine, any_order_t) const {
    return of<true>(static_cast<A&&>(a), identity, combine, axes);
  }
  template <array A, class Axes, class I, class F>
    requires(detail::is_own_option<Axes> && detail::number_scalar<I> && !detail::number_scalar<F>)
  constexpr auto operator()(A&& a, const Axes& axes, I identity, F combine, any_order_t, keepdim_t) const {
    return of<true>(static_cast<A&&>(a), identity, combine, axes, keepdim);
  }
  template <array A, class I, class F>
    requires(detail::number_scalar<I> && !detail::number_scalar<F> && !array<F>)
  constexpr auto operator()(A&& a, I identity, F combine) const {
    return of<false>(static_cast<A&&>(a), identity, combine);
  }
  template <array A, class I, class F>
    requires(detail::number_scalar<I> && !detail::number_scalar<F> && !array<F>)
  constexpr auto operator()(A&& a, I identity, F combine, any_order_t) const {
    return of<true>(static_cast<A&&>(a), identity, combine);
  }

 private:
  template <bool AnyOrder, class A, class I, class F, class... O>
  static constexpr auto of(A&& a, const I& identity, const F& f, const O&... o) {
    using V = detail::combined_type<A, I>;
    return detail::make_own_reduced<AnyOrder>(detail::argument<V>(static_cast<A&&>(a)), static_cast<V>(identity), f,
                                              o...);
  }
} reduce{};

// scan(x, axis, initial, combine): element i along the axis is combine(... combine(combine(initial, x0), x1) ..., xi).
// Shape: x's; the type is the common one, as of reduce. Lazy; one after the other along the axis, lines on several
// threads.
inline constexpr struct scan_t {
  template <array A, detail::integer_like Axis, detail::number_scalar I, class F>
    requires(!detail::number_scalar<F>)
  constexpr auto operator()(A&& a, Axis axis, I initial, F combine) const {
    using V = detail::combined_type<A, I>;
    static_assert(detail::combines_numbers<F, V>, "scan: the callable must take two elements and return one");
    const auto e = detail::argument<V>(static_cast<A&&>(a));
    using E = std::remove_const_t<decltype(e)>;
    constexpr int rank = detail::countable(detail::rank_of<E>);
    if constexpr (detail::constant<Axis>)
      static_assert(detail::is_axis(Axis::value, rank), "Dimension out of range: an axis must lie in [-rank, rank)");
    using node = detail::own_scanned<F, V, E>;
    return deferred<node>(
        node(e, detail::normal_axis(static_cast<index>(axis), rank, "scan"), static_cast<V>(initial), combine));
  }
} scan{};

}  // namespace broadloom
