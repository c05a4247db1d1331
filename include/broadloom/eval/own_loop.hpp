// Evaluation of trees with own elements (enable_element): loops over rows, on the library's threads. What a tree reads
// that is computed before its loop, such as reductions, is computed once and read from memory.
#pragma once

#include <new>

#include <broadloom/eval/scheduler.hpp>
#include <broadloom/eval/serial.hpp>

namespace broadloom::detail {

// Elements from which threads pay off, and how many a thread takes at a time.
inline constexpr index own_parallel = 16 * 1024, own_block = 4 * 1024;

// f(first, last) for ranges that together are [0, n), on at most `threads` threads; 0: as many as there are. A range
// begins at a multiple of `block`.
template <class F>
void in_own_blocks(index n, index block, index work, int threads, const F& f) {
  if (threads == 1 || n <= block || work < own_parallel) {
    for (index i = 0; i < n; i += block) f(i, n - i < block ? n : i + block);
    return;
  }
  struct task {
    const F& f;
    index n, block;
  } t{f, n, block};
  runtime::parallel_for((n - 1) / block + 1, threads,
                        [](void* context, index first, index last) {
                          const task& own = *static_cast<const task*>(context);
                          for (index i = first; i < last; ++i)
                            own.f(i * own.block, own.n - i * own.block < own.block ? own.n : (i + 1) * own.block);
                        },
                        &t);
}

// The operand of a loop over R axes, the last of which is run through: begin(at) goes to a row, and own[k] is its
// element k.
template <class E, int R>
class own_operand;
template <leaf E, int R>
class own_operand<E, R> {
 public:
  explicit own_operand(const E& e) : data_(e.data()), row_(data_), memory_(memory_of(e)) {
    constexpr int rank = rank_of<E>;
    const auto strides = e.strides();
    for (int i = 0; i < rank; ++i) strides_[R - rank + i] = e.shape()[i] == 1 ? 0 : strides[i];
  }
  // Whether elements of `to` would be read after others were written there.
  template <class T>
  bool reads_others(const T* out, const memory_range& to, const indices<R>& extents, const indices<R>& strides) const {
    if (!(memory_.low < to.high && to.low < memory_.high)) return false;
    if (static_cast<const void*>(data_) != static_cast<const void*>(out) || sizeof *data_ != sizeof *out) return true;
    for (int i = 0; i < R; ++i)
      if (extents[i] != 1 && strides_[i] != strides[i]) return true;
    return false;
  }
  // Whether its elements lie as those of a row-major array of these extents, or are one; then it is one row.
  bool is_one_row(const indices<R>& extents) const {
    index n = 1;
    bool whole = true, one = true;
    for (int i = R - 1; i >= 0; --i) {
      if (extents[i] == 1) continue;
      whole = whole && strides_[i] == n;
      one = one && strides_[i] == 0;
      n *= extents[i];
    }
    return whole || one;
  }
  void make_one_row(const indices<R>& extents) {
    index step = 0;
    for (int i = 0; i < R; ++i)
      if (extents[i] != 1 && strides_[i] != 0) step = 1;
    strides_ = {};
    if constexpr (R > 0) strides_[R - 1] = step;
  }
  // Axis i of the loop is axis order[i].
  void set_order(const int* order) {
    const indices<R> own = strides_;
    for (int i = 0; i < R; ++i) strides_[i] = own[order[i]];
  }
  void begin(const indices<R>& at) {
    row_ = data_;
    for (int i = 0; i < R; ++i) row_ += at[i] * strides_[i];
    if constexpr (R > 0) step_ = strides_[R - 1];
  }
  const typename E::value_type& operator[](index k) const { return row_[k * step_]; }

 private:
  const typename E::value_type* data_;
  const typename E::value_type* row_;
  memory_range memory_;
  index step_ = 0;
  indices<R> strides_{};
};
template <class T, int R>
class own_operand<scalar<T>, R> {
 public:
  explicit own_operand(const scalar<T>& e) : value_(e.value()) {}
  template <class... A>
  static constexpr bool reads_others(const A&...) {
    return false;
  }
  static constexpr bool is_one_row(const indices<R>&) { return true; }
  static constexpr void make_one_row(const indices<R>&) {}
  static constexpr void set_order(const int*) {}
  static constexpr void begin(const indices<R>&) {}
  const T& operator[](index) const { return value_; }

 private:
  T value_;
};
template <class F, class Shape, class... Args, int R>
class own_operand<map<F, Shape, Args...>, R> {
 public:
  explicit own_operand(const map<F, Shape, Args...>& e)
      : args_(unpack(e.args(),
                     [](const Args&... a) { return operands<own_operand<Args, R>...>{own_operand<Args, R>(a)...}; })),
        f_(e.function()) {}
  template <class T>
  bool reads_others(const T* out, const memory_range& to, const indices<R>& extents, const indices<R>& strides) const {
    return unpack(args_, [&](const auto&... a) { return (a.reads_others(out, to, extents, strides) || ...); });
  }
  bool is_one_row(const indices<R>& extents) const {
    return unpack(args_, [&](const auto&... a) { return (a.is_one_row(extents) && ...); });
  }
  void make_one_row(const indices<R>& extents) {
    each([&](auto& a) { a.make_one_row(extents); });
  }
  void set_order(const int* order) {
    each([&](auto& a) { a.set_order(order); });
  }
  void begin(const indices<R>& at) {
    each([&](auto& a) { a.begin(at); });
  }
  typename map<F, Shape, Args...>::value_type operator[](index k) const {
    return unpack(args_, [&](const auto&... a) { return call_once(f_, a[k]...); });
  }

 private:
  template <class G>
  void each(const G& g) {
    [&]<int... At>(sequence<At...>) {
      (g(const_cast<own_operand<Args, R>&>(operand_at<At>(args_))), ...);
    }(make_sequence<sizeof...(Args)>{});
  }
  operands<own_operand<Args, R>...> args_;
  [[no_unique_address]] F f_;
};

// visit(at, k, n) for the rows of elements [first, last), row-major: n elements of a row, from number k on.
template <int R, class F>
void for_each_own_row(const indices<R>& extents, index first, index last, const F& visit) {
  indices<R> at{};
  if constexpr (R == 0) {
    if (first < last) visit(at, index{0}, index{1});
  } else {
    index rest = first;
    for (int i = R - 1; i >= 0; --i) {
      at[i] = rest % extents[i];
      rest /= extents[i];
    }
    while (first < last) {
      const index k = at[R - 1], here = extents[R - 1] - k, n = last - first < here ? last - first : here;
      at[R - 1] = 0;
      visit(at, k, n);
      first += n;
      for (int i = R - 2; i >= 0; --i) {
        if (++at[i] < extents[i]) break;
        at[i] = 0;
      }
    }
  }
}

// Memory without elements yet.
template <class T, class V>
void put_element(T* to, const V& x) {
  if constexpr (std::is_trivially_copyable_v<T> && std::is_copy_assignable_v<T>)
    *to = cast_f<T>::scalar(x);
  else
    ::new (static_cast<void*>(to)) T(cast_f<T>::scalar(x));
}

// x becomes y, which was computed from x. Without assignment, and by way of an object of its own: what a function
// returns is made where the new object is, while the function still reads the old one.
template <class T>
void set_anew(T& x, const T& y) {
  ::new (static_cast<void*>(&x)) T(y);
}

// Elements of a tree that reads memory alone, at `to`.
template <int R, class T, class Tree>
void write_own(T* to, indices<R> extents, indices<R> strides, index n, own_operand<Tree, R> tree, int threads) {
  if constexpr (R > 1)
    if (is_row_major(extents, strides) && tree.is_one_row(extents)) {
      tree.make_one_row(extents);
      for (int i = 0; i < R; ++i) extents[i] = i == R - 1 ? n : 1;
      strides = {};
      strides[R - 1] = 1;
    }
  in_own_blocks(n, own_block, n, threads, [&](index first, index last) {
    auto own = tree;
    for_each_own_row(extents, first, last, [&](const indices<R>& at, index k, index count) {
      own.begin(at);
      index step = 0;
      if constexpr (R > 0) step = strides[R - 1];
      T* const row = to + offset_of(extents, strides, at);
      if (step == 1)
        for (index i = k; i < k + count; ++i) put_element(row + i, own[i]);
      else
        for (index i = k; i < k + count; ++i) put_element(row + i * step, own[i]);
    });
  });
}

template <class Source>
void write_own_elements(const Source& s, typename Source::value_type* to, int threads) {
  constexpr int rank = Source::shape_type::axes_count;
  const auto extents = s.shape().extents();
  in_own_blocks(s.shape().size(), own_block / 16, s.shape().size() * 16, threads, [&](index first, index last) {
    for_each_own_row(extents, first, last, [&](indices<rank> at, index k, index count) {
      for (index i = k; i < k + count; ++i, ++first) {
        if constexpr (rank > 0) at[rank - 1] = i;
        put_element(to + first, s.element(at));
      }
    });
  });
}

// As assign_node, whose checks are done.
template <class Out, class E>
struct own_loop {
  using T = typename Out::value_type;
  static constexpr int rank = rank_of<Out>;

  static void assign(const Out& out, const E& e, const runtime::options& how) {
    serial_memo memo;
    memo.threads = how.threads;
    const auto shape = out.shape();
    const index n = shape.size();
    if (n == 0) return;
    const auto tree = serial_tree<E>::of(e, memo);
    const own_operand<std::remove_cvref_t<decltype(tree)>, rank> operand(tree);
    const indices<rank> extents = shape.extents(), strides = out.strides();
    if (!operand.reads_others(out.data(), memory_of(out), extents, strides))
      return write_own<rank>(out.data(), extents, strides, n, operand, how.threads);
    const serial_room<T, typename Out::shape_type> copy(nullptr, shape);
    write_own<rank>(copy.data, extents, row_major_strides(extents), n, operand, how.threads);
    const auto computed = copy.elements();
    write_own<rank>(out.data(), extents, strides, n,
                    own_operand<std::remove_cvref_t<decltype(computed)>, rank>(computed), how.threads);
  }
};

}  // namespace broadloom::detail
