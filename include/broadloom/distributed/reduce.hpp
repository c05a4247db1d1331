// Reductions over the distributed axis, in the order of docs/reference/reductions.md: the bits of one process for any
// number of ranks and any blocks.
#pragma once

#include <type_traits>

#include <broadloom/distributed/combine.hpp>
#include <broadloom/distributed/leaf.hpp>
#include <broadloom/eval/policy.hpp>
#include <broadloom/reduce/reduce.hpp>
#include <broadloom/tensor/tensor.hpp>

namespace broadloom::distributed::detail {

// Some of the rows.
struct rows_op {
  index first, count;
  static constexpr bool is_static = false;
  static constexpr int rank(int in) { return in; }
  template <int R>
  static constexpr auto known(const indices<R>& x) {
    return x;
  }
  template <int R>
  constexpr auto operator()(geometry<R> g) const {
    g.offset += first * g.strides[0];
    g.extents[0] = count;
    return g;
  }
};
// The same with the axes in another order.
template <int Rank>
struct ordered_rows_op {
  index first, count;
  indices<Rank> order;
  static constexpr bool is_static = false;
  static constexpr int rank(int in) { return in; }
  template <int R>
  static constexpr auto known(const indices<R>&) {
    return all_dyn<R>();
  }
  template <int R>
  constexpr auto operator()(const geometry<R>& g) const {
    geometry<R> r{{}, {}, g.offset + first * g.strides[0]};
    for (int i = 0; i < R; ++i) {
      r.extents[i] = order[i] == 0 ? count : g.extents[order[i]];
      r.strides[i] = g.strides[order[i]];
    }
    return r;
  }
};

// How the rows of a tree on this rank are part of a sequence that is reduced, for each of some results.
template <int Rank>
struct reduction_geometry {
  index per_row = 1, results = 1;
  indices<Rank> order{}, extents{};  // reduced axes first; extents of the result, 1 where an axis is reduced
  index first, last, n;              // of the sequence

  reduction_geometry(const indices<Rank>& x, const block_map& m, unsigned bits)
      : first(m.first()), last(m.last()), n(m.rows()) {
    int to = 0;
    for (int pass = 0; pass < 2; ++pass)
      for (int i = 0; i < Rank; ++i) {
        const bool reduced = (bits >> i & 1) != 0;
        if (reduced != (pass == 0)) continue;
        order[to++] = i;
        extents[i] = reduced ? 1 : x[i];
        if (i > 0) (reduced ? per_row : results) *= x[i];
      }
    first *= per_row;
    last *= per_row;
    n *= per_row;
  }
};

inline constexpr index chunk_elements = index{1} << 18;  // that are evaluated before they are reduced, at most

// Reduces e, this rank's rows of a tree, over the axes of `bits`, the first among them. All ranks get the results.
template <class Op, class E>
class rank_reduction {
  using T = typename E::value_type;
  using op = typename combined<Op>::op;
  using state = typename combined<Op>::template state<T>;
  static constexpr int rank = rank_of<E>;
  static constexpr bool has_state = !__is_same(T, state);
  static_assert(
      requires(state x) { op::on(x, x); },
      "over the distributed axis: sum prod amax amin any all argmax argmin mean var std and what is written with them "
      "[errors.md#distributed-reduction]");

 public:
  rank_reduction(const E& e, const block_map& m, unsigned bits, const policy& p)
      : e_(e), map_(m), bits_(bits), policy_(p), g_(e.shape().extents(), m, bits) {}

  void run(T* to) {
    if (g_.results == 0) return;
    if (g_.n == 0) {
      for (index k = 0; k < g_.results; ++k) to[k] = op::template empty<T>();
      return;
    }
    const communicator& c = map_.comm();
    std::unique_ptr<partial_results<op, state>> all;
    std::unique_ptr<state[]> results;
    c.together([&] {
      int most = 0;
      while (most < 62 && (strip_elements << most) * g_.results < chunk_elements) ++most;
      parts_ = pieces_of(g_.first, g_.last, g_.n, rows_are_pieces() ? 62 : most);
      for (const piece& p : parts_) values_.push_back(evaluate(p));
      head_ = std::make_unique<strip>(g_.results);
      tail_ = std::make_unique<strip>(g_.results);
      all = std::make_unique<partial_results<op, state>>(g_.results);
      if constexpr (has_state) results.reset(new state[static_cast<std::size_t>(g_.results)]);
    });
    exchange_strips(*all);
    if constexpr (has_state) {
      combine_results(c, *all, g_.results, results.get());
      for (index k = 0; k < g_.results; ++k) to[k] = combined<Op>::value(results[static_cast<std::size_t>(k)]);
    } else
      combine_results(c, *all, g_.results, to);
  }

 private:
  using strip = open_strip<Op, T>;

  // Results of a whole piece, or the elements of a fragment of a strip.
  struct evaluated {
    std::unique_ptr<state[]> results;
    std::unique_ptr<T[]> elements;
  };

  // Whether every piece is whole rows, which are reduced as they are.
  bool rows_are_pieces() const { return !has_state && (g_.per_row & (g_.per_row - 1)) == 0; }

  template <class X>
  void reduce(const X& x, unsigned bits, const indices<rank_of<X>>& extents, T* to) const {
    using shape_type = dshape<rank_of<X>>;
    const auto s = shape_type::unchecked(extents);
    const deferred<reduced<Op, X, shape_type>> node(reduced<Op, X, shape_type>(x, s, bits, Op::how));
    policy_.run(
        [&] { assign_node<BROADLOOM_NATIVE>(view<T, shape_type, row_major>(to, s, {}), node, policy_.options()); });
  }

  evaluated evaluate(const piece& p) const {
    const index begin = p.first / g_.per_row - map_.first(), before = p.first % g_.per_row;
    const index rows = (p.last + g_.per_row - 1) / g_.per_row - map_.first() - begin, n = p.last - p.first;
    evaluated x;
    if (p.level >= 0) x.results.reset(new state[static_cast<std::size_t>(g_.results)]);
    if constexpr (!has_state)
      if (p.level >= 0 && rows_are_pieces()) {
        reduce(transform(rows_op{begin, rows}, e_), bits_, g_.extents, x.results.get());
        return x;
      }
    x.elements.reset(new T[static_cast<std::size_t>(rows * g_.per_row * g_.results)]);
    const auto tree = transform(ordered_rows_op<rank>{begin, rows, g_.order}, e_);
    policy_.run([&] {
      assign_node<BROADLOOM_NATIVE>(
          view<T, dshape<rank>, row_major>(x.elements.get(), dshape<rank>::unchecked(tree.shape().extents()), {}), tree,
          policy_.options());
    });
    T* const from = x.elements.get() + before * g_.results;
    if (p.level < 0) {
      if (before > 0)
        for (index k = 0; k < n * g_.results; ++k) x.elements[static_cast<std::size_t>(k)] = from[k];
      return x;
    }
    if constexpr (has_state)
      reduce_strips(from, p, x.results.get());
    else
      reduce(view<const T, dshape<2>, row_major>(from, dshape<2>(n, g_.results), {}), 1, {{1, g_.results}},
             x.results.get());
    x.elements.reset();
    return x;
  }
  // What the library does not give: results with what was rounded off.
  void reduce_strips(const T* from, const piece& p, state* to) const {
    partial_results<op, state> all(g_.results);
    for (index i = p.first; i < p.last; i += strip_elements) {
      strip one(g_.results);
      one.add(from + (i - p.first) * g_.results, (std::min)(strip_elements, p.last - i));
      all.add(i / strip_elements, 0, one.close());
    }
    all.close(to);
  }

  // Strips that lie on several ranks: the lanes of what was seen go on to the next rank that has rows.
  void exchange_strips(partial_results<op, state>& all) {
    const communicator& c = map_.comm();
    communicator::pending sent(c);
    const auto leave = [&](strip& s) { sent.send(s.memory(), s.bytes_of(s.count()), map_.owner(map_.last()), 1); };
    const bool ends_open = !parts_.empty() && parts_.back().level < 0 && parts_.back().last % strip_elements != 0 &&
                           parts_.back().last != g_.n;
    const bool begins_open = !parts_.empty() && parts_.front().first % strip_elements != 0;
    if (ends_open && (parts_.size() > 1 || !begins_open)) {
      tail_->add(values_.back().elements.get(), parts_.back().last - parts_.back().first);
      leave(*tail_);
    }
    std::size_t i = 0;
    if (begins_open) {
      const piece& p = parts_[i++];
      const index seen = p.first % strip_elements;
      c.receive(head_->memory(), head_->bytes_of(seen), map_.owner(map_.first() - 1), 1);
      head_->seen(seen);
      head_->add(values_[0].elements.get(), p.last - p.first);
      if (ends_open && parts_.size() == 1)
        leave(*head_);
      else
        all.add(p.first / strip_elements, 0, head_->close());
    }
    for (; i < parts_.size(); ++i)
      if (parts_[i].level >= 0) all.add(parts_[i].first / strip_elements, parts_[i].level, values_[i].results.get());
    sent.wait();
  }

  const E& e_;
  const block_map& map_;
  unsigned bits_;
  policy policy_;
  reduction_geometry<rank> g_;
  std::vector<piece> parts_;
  std::vector<evaluated> values_;
  std::unique_ptr<strip> head_, tail_;
};

}  // namespace broadloom::distributed::detail
