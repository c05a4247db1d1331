// Reductions along the leading axis of stored arrays, a block of rows after the other, with the bits of memory.
#pragma once

#include <bit>
#include <cstring>
#include <numeric>

#include <broadloom/io/rows_of_tree.hpp>

namespace broadloom::detail {

// Whether a reduction can be continued from a part of its elements: not positions, and not compensated sums, whose
// errors are no part of their results.
template <class Source>
inline constexpr bool may_be_continued = false;
template <class Op, class E, class S>
inline constexpr bool may_be_continued<reduced<Op, E, S>> = requires { typename Op::line; };

// A reduction along the leading axis, and perhaps others, in the order of docs/reference/reductions.md. Strips of 512
// elements are the leaves of a binary tree that depends on their number alone. The strips of a block are cut into whole
// subtrees, each of which is what the reduction of its elements by themselves gives, and joined as a binary counter is
// incremented.
template <class Source, int Native>
class reduced_value;
template <class Op, class E, class S, int Native>
class reduced_value<reduced<Op, E, S>, Native> final : public whole_value_of<reduced<Op, E, S>> {
  using source_type = reduced<Op, E, S>;
  using T = typename source_type::value_type;
  // Their order changes no bit.
  static constexpr bool any_order = !is_floating(dtype_of<T>);
  static constexpr int rank = rank_of<E>;
  static constexpr index lane_count = static_cast<index>(64 / sizeof(T));

 public:
  reduced_value(const streaming& all, const source_type& s) : whole_value_of<source_type>(s), all_(all) {
    this->name = Op::name();
    const auto& x = s.tree().shape();
    for (int i = 1; i < rank; ++i)
      if ((s.bits() >> i & 1) != 0) others_ *= x[i];
    kept_ = s.shape().size();
    if (!any_order) this->unit = strip_elements / std::gcd(strip_elements, others_);
    const auto one = static_cast<std::size_t>(kept_) * sizeof(T);
    const auto strips = static_cast<std::size_t>((x[0] * others_ + strip_elements - 1) / strip_elements);
    // the parts that wait for others, one of each size at most, and the one at hand
    this->held_bytes += one * (any_order ? 2 : static_cast<std::size_t>(std::bit_width(strips)) + 2);
    if (!any_order && others_ == 1 && 4 * one * strip_elements > all.budget()) {
      // a strip of whole rows is too long: its lanes are kept from block to block
      this->unit = lane_count;
      const std::size_t most = (std::min)(std::size_t(1) << 20, all.budget() / 8);
      gathered_rows_ = (std::max<index>)(1, static_cast<index>(most / (std::max<std::size_t>)(one, 1)));
      gathered_rows_ = (std::min)(gathered_rows_, x[0]);
      this->held_bytes += one * static_cast<std::size_t>(lane_count + gathered_rows_);
      by_lanes_ = true;
    }
    if (!any_order && others_ > 1) {
      const std::size_t row = one * static_cast<std::size_t>(others_);
      const std::size_t most = (std::min)(std::size_t(1) << 20, all.budget() / 8);
      gathered_rows_ = (std::max<index>)(1, static_cast<index>(most / row) / this->unit) * this->unit;
      gathered_rows_ = (std::min)(gathered_rows_, (x[0] + this->unit - 1) / this->unit * this->unit);
      this->held_bytes += row * static_cast<std::size_t>(gathered_rows_);
    }
  }

  void begin() override {
    if (by_lanes_) lanes_ = runtime::pass_memory(static_cast<std::size_t>(lane_count * kept_) * sizeof(T));
    if (gathered_rows_ > 0)
      gathered_ = runtime::pass_memory(static_cast<std::size_t>(gathered_rows_ * others_ * kept_) * sizeof(T));
  }
  void rows(const runtime::available_rows& at, index first, index last, void*) override {
    const rows_of_tree<Native> tree(all_, at);
    if (any_order) {
      part x = new_part(parts_.empty() ? 0 : parts_[0].height);
      tree.compute_all(this->source, first, last, x.data());
      join(static_cast<part&&>(x));
    } else if (by_lanes_)
      for (index from = first; from < last; from += gathered_rows_)
        add_to_lanes(tree, from, (std::min)(last, from + gathered_rows_));
    else if (others_ == 1)
      each_subtree(first, last, [&](index from, index to, int height) {
        part x = new_part(height);
        tree.compute_all(this->source, from, to, x.data());
        join(static_cast<part&&>(x));
      });
    else
      for (index from = first; from < last; from += gathered_rows_)
        reduce_gathered(tree, from, (std::min)(last, from + gathered_rows_));
  }
  void finish() override {
    if (!this->is_streamed()) {
      this->set_memory();
      const runtime::available_rows none;
      rows_of_tree<Native>(all_, none).compute_all(this->source, 0, this->source.tree().shape()[0], this->data());
      return;
    }
    part x = static_cast<part&&>(parts_.back());
    parts_.pop_back();
    for (; !parts_.empty(); parts_.pop_back()) combine_into(x, parts_.back());
    this->memory = static_cast<runtime::pass_memory&&>(x.memory);
    gathered_ = {};
    lanes_ = {};
  }

 private:
  struct part {
    int height;  // it is of 2^height strips
    runtime::pass_memory memory;
    T* data() const { return reinterpret_cast<T*>(memory.data()); }
  };
  part new_part(int height) const {
    return {height, runtime::pass_memory(static_cast<std::size_t>(kept_) * sizeof(T))};
  }
  // What came before, and x.
  void combine_into(part& x, const part& before) const {
    const T* const a = before.data();
    T* const b = x.data();
    for (index k = 0; k < kept_; ++k) b[k] = Op::on(a[k], b[k]);
  }
  void join(part x) {
    while (!parts_.empty() && parts_.back().height == x.height) {
      combine_into(x, parts_.back());
      x.height += !any_order;
      parts_.pop_back();
    }
    parts_.push_back(static_cast<part&&>(x));
  }
  // f(first, last, height) of elements, from strip to strip, that are subtrees of 2^height strips.
  template <class F>
  static void each_subtree(index first, index last, const F& f) {
    const index end = (last + strip_elements - 1) / strip_elements;
    for (index s = first / strip_elements; s < end;) {
      int height = static_cast<int>(std::bit_width(static_cast<std::size_t>(end - s))) - 1;
      if (s != 0) height = (std::min)(height, std::countr_zero(static_cast<std::size_t>(s)));
      const index next = s + (index{1} << height);
      f(s * strip_elements, (std::min)(last, next * strip_elements), height);
      s = next;
    }
  }
  // Element i of a strip goes to lane i mod L; then lanes are brought together by halves.
  void add_to_lanes(const rows_of_tree<Native>& tree, index first, index last) {
    const auto& e = this->source.tree();
    const row_range r = rows_of(e, first, last);
    const auto shape = shape_of_rows(e.shape(), true, r);
    T* const from = reinterpret_cast<T*>(gathered_.data());
    T* const lanes = reinterpret_cast<T*>(lanes_.data());
    assign_node<Native>(view<T, rows_shape<typename E::shape_type>, row_major>(from, shape, {}), tree(e, r), all_.how);
    const auto combine_rows = [&](T* to, const T* a, const T* b) {
      for (index k = 0; k < kept_; ++k) to[k] = Op::on(a[k], b[k]);
    };
    for (index i = first; i < last; ++i) {
      const index at = i % strip_elements;
      const T* const x = from + (i - first) * kept_;
      T* const lane = lanes + at % lane_count * kept_;
      if (at < lane_count)
        std::memcpy(lane, x, static_cast<std::size_t>(kept_) * sizeof(T));
      else
        combine_rows(lane, lane, x);
      if (at + 1 < strip_elements && i + 1 < e.shape()[0]) continue;
      for (index half = lane_count / 2; half >= 1; half /= 2)
        for (index k = 0; k < half && k + half <= at; ++k)
          combine_rows(lanes + k * kept_, lanes + k * kept_, lanes + (k + half) * kept_);
      part p = new_part(0);
      std::memcpy(p.data(), lanes, static_cast<std::size_t>(kept_) * sizeof(T));
      join(static_cast<part&&>(p));
    }
  }
  // The elements of each result made contiguous, then reduced.
  void reduce_gathered(const rows_of_tree<Native>& tree, index first, index last) {
    const auto& e = this->source.tree();
    const index length = (last - first) * others_;
    const row_range r = rows_of(e, first, last);
    const auto shape = shape_of_rows(e.shape(), true, r);
    dyn_strides<rank> layout;
    index reduced_step = 1, kept_step = length;
    for (int i = rank - 1; i >= 0; --i) {
      index& step = (this->source.bits() >> i & 1) != 0 ? reduced_step : kept_step;
      layout.s[i] = step;
      step *= shape[i];
    }
    T* const to = reinterpret_cast<T*>(gathered_.data());
    assign_node<Native>(view<T, rows_shape<typename E::shape_type>, dyn_strides<rank>>(to, shape, layout), tree(e, r),
                        all_.how);
    each_subtree(first * others_, last * others_, [&](index from, index end, int height) {
      using sequences = view<const T, dshape<2>, dyn_strides<2>>;
      using node = reduced<Op, sequences, dshape<1>>;
      const sequences x(to + (from - first * others_), dshape<2>(kept_, end - from), dyn_strides<2>{{{length, 1}}});
      part p = new_part(height);
      assign_node<Native>(view<T, dshape<1>, row_major>(p.data(), dshape<1>(kept_), {}),
                          deferred<node>(node(x, dshape<1>(kept_), 2, this->source.how())), all_.how);
      join(static_cast<part&&>(p));
    });
  }

  const streaming& all_;
  index others_ = 1, kept_ = 0, gathered_rows_ = 0;
  bool by_lanes_ = false;
  runtime::pass_memory gathered_, lanes_;
  std::vector<part> parts_;
};

}  // namespace broadloom::detail
