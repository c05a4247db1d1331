// The source of a reduction of own elements (enable_element), or of a tree that reads them, on the library's threads.
// The order depends on the extents alone: strips of 512 elements, one after the other, then pairs.
#pragma once

#include <broadloom/eval/own_loop.hpp>

namespace broadloom::detail {

// `Fold` of the elements of a tree along some of its axes.
template <class Fold, class E, class Shape>
class own_fold {
 public:
  using value_type = typename Fold::result;
  using shape_type = Shape;
  using own_elements_tag = void;
  static constexpr const char* name() { return Fold::name(); }
  static constexpr int rank = rank_of<E>;

  constexpr own_fold(const E& e, const Shape& s, unsigned bits) : e_(e), shape_(s), bits_(bits) {
    check_count(name(), e.shape());
  }
  constexpr const Shape& shape() const { return shape_; }
  constexpr bool same(const own_fold& o) const { return bits_ == o.bits_ && same_tree(e_, o.e_); }
  bool reads(const void* low, const void* high) const { return may_read(e_, low, high); }
  template <class F>
  auto with_trees(const F& f) const {
    return own_fold<Fold, decltype(f(e_)), Shape>(f(e_), shape_, bits_);
  }
  template <int R>
  value_type element(const indices<R>& at) const {
    index flat = 0;
    for (int i = 0; i < R; ++i) flat = flat * shape_[i] + at[i];
    serial_memo memo;
    return own_rows<decltype(serial_operand(e_, memo))>(*this, serial_operand(e_, memo)).one(flat);
  }
  // All results, row-major.
  void write_tree(value_type* to, serial_memo& memo) const {
    const auto tree = serial_operand(e_, memo);
    own_rows<std::remove_const_t<decltype(tree)>>(*this, tree).write(to, memo.threads);
  }

 private:
  using state = typename Fold::state;
  static constexpr index strip = 512, block = 16 * strip, width = 512;

  // The tree with its reduced axes behind the others.
  template <class Tree>
  struct own_rows {
    own_operand<Tree, rank> operand;   // in the order kept axes, reduced axes
    own_operand<Tree, rank> sideways;  // the last kept axis behind these
    indices<rank> extents{};
    index results = 1, length = 1, columns = 1;
    int kept = 0;

    own_rows(const own_fold& of, const Tree& tree) : operand(tree), sideways(tree) {
      int order[rank == 0 ? 1 : rank] = {}, next = 0;
      for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < rank; ++i)
          if ((of.bits_ >> i & 1) == static_cast<unsigned>(pass)) order[next++] = i;
      for (int i = 0; i < rank; ++i) {
        extents[i] = of.e_.shape()[order[i]];
        const bool is_kept = (of.bits_ >> order[i] & 1) == 0;
        kept += is_kept;
        (is_kept ? results : length) *= extents[i];
      }
      operand.set_order(order);
      if (kept == 0 || kept == rank || order[kept - 1] != rank - 1) return;
      columns = extents[kept - 1];
      for (int i = kept - 1; i < rank - 1; ++i) order[i] = order[i + 1];
      order[rank - 1] = rank - 1;
      sideways.set_order(order);
    }

    value_type one(index r) const {
      if constexpr (Fold::has_empty)
        if (length == 0) return Fold::empty();
      return Fold::end(whole(r));
    }
    void write(value_type* to, int threads) const {
      if (results == 0) return;
      if constexpr (Fold::has_empty)  // else refused when the node was made
        if (length == 0) {
          for (index r = 0; r < results; ++r) put_element(to + r, Fold::empty());
          return;
        }
      const index tasks = (length - 1) / block + 1;
      if constexpr (rank > 1)
        if (columns >= 8 && (threads == 1 || results >= 256 || results * length < own_parallel))
          return write_columns(to, threads);  // the same order, whichever it is
      if (results >= 64 || tasks == 1)
        return in_own_blocks(results, block / length + 1, results * length, threads, [&](index first, index last) {
          for (index r = first; r < last; ++r) put_element(to + r, Fold::end(whole(r)));
        });
      const own_states partial(results * tasks);
      in_own_blocks(results * tasks, 1, results * length, threads, [&](index first, index last) {
        for (index t = first; t < last; ++t) {
          const index from = t % tasks * block, end = length - from < block ? length : from + block;
          ::new (static_cast<void*>(partial.data + t)) state(range(t / tasks, from, end));
        }
      });
      for (index r = 0; r < results; ++r) {
        own_pairs pairs;
        for (index t = 0; t < tasks; ++t) pairs.add(partial.data[r * tasks + t]);
        put_element(to + r, Fold::end(pairs.all()));
      }
    }

   private:
    // Where the last axis of the tree is kept, results along it are computed side by side, in the same order.
    void write_columns(value_type* to, int threads) const {
      const index across = columns < width ? columns : width, parts = (columns - 1) / across + 1;
      in_own_blocks(results / columns * parts, block / (length * across) + 1, results * length, threads,
                    [&](index first, index last) {
                      for (index t = first; t < last; ++t) {
                        const index c = t % parts * across, n = columns - c < across ? columns - c : across;
                        column_part(to + t / parts * columns + c, t / parts * columns + c, n);
                      }
                    });
    }
    // Results [r, r + n).
    void column_part(value_type* to, index r, index n) const {
      auto own = sideways;
      const own_states partial((levels_of((length - 1) / strip + 1) + 1) * n);
      state* top = partial.data;
      for (index s = 0; s * strip < length; ++s, top += n) {
        const index end = length - s * strip < strip ? length : (s + 1) * strip;
        for (index i = s * strip; i < end; ++i) {
          own.begin(place(r, i));
          const auto row = own;
          if (i == s * strip)
            for (index c = 0; c < n; ++c) ::new (static_cast<void*>(top + c)) state(Fold::begin(row[c], i));
          else
            for (index c = 0; c < n; ++c) combine(top[c], Fold::begin(row[c], i));
        }
        for (index m = s; (m & 1) != 0; m >>= 1) fold_into(top -= n, n);
      }
      for (top -= n; top != partial.data;) fold_into(top -= n, n);
      for (index c = 0; c < n; ++c) put_element(to + c, Fold::end(top[c]));
    }
    // The n states at `left` with those behind them.
    static void fold_into(state* left, index n) {
      for (index c = 0; c < n; ++c) set_anew(left[c], Fold::on(left[c], left[n + c]));
    }
    static index levels_of(index n) {
      index levels = 1;
      for (; n > 1; n = (n + 1) / 2) ++levels;
      return levels;
    }
    // Where element i of result r is, the tree's last axis being the last: this one's order.
    indices<rank> place(index r, index i) const {
      indices<rank> at{};
      if constexpr (rank > 0) {
        at[rank - 1] = r % columns;
        r /= columns;
      }
      for (int a = kept - 2; a >= 0; --a) {
        at[a] = r % extents[a];
        r /= extents[a];
      }
      for (int a = rank - 1; a >= kept; --a) {
        at[a - 1] = i % extents[a];
        i /= extents[a];
      }
      return at;
    }

    state whole(index r) const {
      if (length <= block) return range(r, 0, length);
      own_pairs pairs;
      for (index i = 0; i < length; i += block) pairs.add(range(r, i, length - i < block ? length : i + block));
      return pairs.all();
    }
    // Elements [first, last) of result r; first is a multiple of a strip.
    state range(index r, index first, index last) const {
      auto own = operand;
      if (last - first <= strip) return of_strip(own, r, first, last);
      own_pairs pairs;
      for (; first < last; first += strip)
        pairs.add(of_strip(own, r, first, last - first < strip ? last : first + strip));
      return pairs.all();
    }
    state of_strip(own_operand<Tree, rank>& own, index r, index first, index last) const {
      own_state sum;
      bool begun = false;
      index position = first;
      for_each_own_row(extents, r * length + first, r * length + last,
                       [&](const indices<rank>& at, index k, index count) {
                         own.begin(at);
                         const auto row = own;
                         const index end = k + count;
                         index i = position;
                         position += count;
                         state x = begun ? sum.get() : Fold::begin(row[k++], i++);
                         begun = true;
                         for (; k < end; ++k) combine(x, Fold::begin(row[k], i++));
                         sum.set(x);
                       });
      return sum.get();
    }
  };

  static void combine(state& x, const state& y) {
    if constexpr (std::is_copy_assignable_v<state>)
      x = Fold::on(x, y);
    else
      set_anew(x, Fold::on(x, y));
  }

  // A state that is set later: it need not have a constructor without arguments.
  struct own_state {
    alignas(state) unsigned char room[sizeof(state)];
    void set(const state& x) { ::new (static_cast<void*>(room)) state(x); }
    const state& get() const { return *std::launder(reinterpret_cast<const state*>(room)); }
  };
  struct own_states {
    state* data;
    std::size_t bytes;
    explicit own_states(index n)
        : data(static_cast<state*>(runtime::allocate(static_cast<std::size_t>(n) * sizeof(state)))),
          bytes(static_cast<std::size_t>(n) * sizeof(state)) {}
    own_states(const own_states&) = delete;
    own_states& operator=(const own_states&) = delete;
    ~own_states() { runtime::deallocate(data, bytes); }
  };
  // Strips, pair by pair.
  class own_pairs {
   public:
    void add(const state& s) {
      own_state x;
      x.set(s);
      for (index m = count_++; (m & 1) != 0; m >>= 1) x.set(Fold::on(partial_[--top_].get(), x.get()));
      partial_[top_++] = x;
    }
    state all() {
      own_state x = partial_[--top_];
      while (top_ > 0) x.set(Fold::on(partial_[--top_].get(), x.get()));
      return x.get();
    }

   private:
    own_state partial_[64];
    int top_ = 0;
    index count_ = 0;
  };

  E e_;
  [[no_unique_address]] Shape shape_;
  unsigned bits_;
};

}  // namespace broadloom::detail
