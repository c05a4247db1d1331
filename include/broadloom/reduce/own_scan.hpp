// Running reductions with a callable of one's own: scan.
#pragma once

#include <broadloom/reduce/options.hpp>
#include <broadloom/reduce/own_elements.hpp>

namespace broadloom {

namespace detail {

template <class F, class V, class E>
class own_scanned {
 public:
  using value_type = V;
  using shape_type = shape_of<E>;
  static constexpr const char* name() { return own_name<F>("scan"); }

  constexpr own_scanned(const E& e, int axis, const V& initial, const F& f)
      : e_(e), initial_(initial), axis_(axis), f_{f} {
    check_count(name(), e.shape());
  }
  constexpr const shape_type& shape() const { return e_.shape(); }
  constexpr const E& input() const { return e_; }
  constexpr int axis() const { return axis_; }
  constexpr V initial() const { return initial_; }
  constexpr const F& function() const { return f_.f; }
  constexpr bool same(const own_scanned& o) const {
    // a callable with a state is equal to itself alone
    return this == &o ||
           (std::is_empty_v<F> && axis_ == o.axis_ && same_bits(initial_, o.initial_) && same_tree(e_, o.e_));
  }
  bool reads(const void* low, const void* high) const { return may_read(e_, low, high); }
  template <class T>
  auto with_trees(const T& f) const {
    return own_scanned<F, V, decltype(f(e_))>(f(e_), axis_, initial_, f_.f);
  }
  template <int R>
  constexpr V element(indices<R> at) const {
    if constexpr (R == 0)
      return started(e_.element(at));
    else {
      const index last = at[axis_];
      at[axis_] = 0;
      V x = started(e_.element(at));
      while (at[axis_] < last) {
        ++at[axis_];
        x = f_.on(x, e_.element(at));
      }
      return x;
    }
  }
  // All elements, each from the one before it.
  void write_serially(V* to) const {
    const auto strides = row_major_strides(shape().extents());
    for_each_index(shape(), [&](index k, const auto& at) {
      if constexpr (shape_type::axes_count == 0)
        to[k] = started(e_.element(at));
      else
        to[k] = at[axis_] == 0 ? started(e_.element(at)) : f_.on(to[k - strides[axis_]], e_.element(at));
    });
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
    const index n = rank == 0 ? 1 : axis_ == 0 ? outer : shape()[axis_];
    for (int a = axis_ + 1; a < rank; ++a) inner *= shape()[a];
    if (inner == 1) return lines(x, first * row, outer * row / n, n, to, how);
    x.put(first * row, last * row, to, how);
    outer = outer * row / (n * inner);
    // lines side by side, so many at a time
    const index width = inner < 4096 ? inner : index{4096}, parts = (inner - 1) / width + 1;
    on_threads(outer * parts, outer * n * inner, how.threads, [&](index b) {
      const index begin = b % parts * width, stop = begin + width < inner ? begin + width : inner;
      V* const line = to + b / parts * n * inner;
      for (index k = begin; k < stop; ++k) line[k] = started(line[k]);
      for (index i = 1; i < n; ++i) {
        V* const own = line + i * inner;
        combine_row(f_, own + begin, own - inner + begin, stop - begin);
      }
    });
  }
  // `count` contiguous lines of n elements, from the tree's element `from` on: by blocks, which are read where they lie
  // or stay in cache between the tree and the callable.
  template <class Ranges>
  void lines(const Ranges& x, index from, index count, index n, V* to, const runtime::options& how) const {
    runtime::options inside = how;
    if (count > 1) inside.threads = 1;
    on_threads(count, count * n, how.threads, [&](index b) {
      V* const line = to + b * n;
      for (index i = 0; i < n; i += block_elements) {
        const index stop = i + block_elements < n ? i + block_elements : n;
        const V* const v = x(from + b * n + i, from + b * n + stop, line + i, inside);
        if (i == 0) line[0] = started(v[0]);
        const index done = i == 0 ? 1 : 0;
        run(line[i + done - 1], v + done, stop - i - done, line + i + done);
      }
    });
  }
  // n elements of one line behind `running`.
  void run(V running, const V* v, index n, V* to) const {
    for (index k = 0; k < n; ++k) {
      running = f_.on(running, v[k]);
      to[k] = running;
    }
  }

  constexpr V started(const V& x) const {
    if constexpr (requires { F::starts_with_first; })
      return x;
    else
      return f_.on(initial_, x);
  }

  E e_;
  V initial_;
  int axis_;
  own_combine<F, V> f_;
};

}  // namespace detail

// scan(x, axis, initial, combine): element i along the axis is combine(... combine(combine(initial, x0), x1) ..., xi).
// Shape: x's; the type is the common one, as of reduce. Lazy; one after the other along the axis, lines on several
// threads.
inline constexpr struct scan_t : detail::refuses_other_arguments<scan_t> {
  static constexpr detail::text call{"scan(x, axis, initial, f)"};
  using detail::refuses_other_arguments<scan_t>::operator();
  template <array A, detail::integer_like Axis, detail::number_scalar Identity, class F>
    requires(!detail::number_scalar<F>)
  constexpr auto operator()(A&& a, Axis axis, Identity initial, F combine) const {
    using V = detail::combined_type<A, Identity>;
    static_assert(detail::combines_numbers<F, V>,
                  "scan: the callable must take two elements and return one [errors.md#reduce-callable]");
    const auto e = detail::argument<V>(static_cast<A&&>(a));
    using E = std::remove_const_t<decltype(e)>;
    constexpr int rank = detail::countable(detail::rank_of<E>);
    if constexpr (detail::constant<Axis>)
      static_assert(detail::is_axis(Axis::value, rank),
                    "Dimension out of range: an axis must lie in [-rank, rank) [errors.md#axis-out-of-range]");
    using callable = std::conditional_t<detail::combines_numbers<F, V>, F, detail::refused_callable<V>>;
    using node = detail::own_scanned<callable, V, E>;
    return deferred<node>(
        node(e, detail::normal_axis(static_cast<index>(axis), rank, "scan"), detail::number_as<V>(initial), combine));
  }
} scan{};

}  // namespace broadloom
