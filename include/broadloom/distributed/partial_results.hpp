// Partial results of a reduction in the specified order (docs/reference/reductions.md): strips of 512 elements and the
// pairs, pairs of pairs and so on that they are combined in. What a rank has of them depends on where its rows begin;
// what they become together does not.
#pragma once

#include <cstring>
#include <memory>
#include <vector>

#include <broadloom/reduce/compensated.hpp>

namespace broadloom::distributed::detail {

using namespace broadloom::detail;
using broadloom::detail::reduced;  // bl::reduced is a tag of linear algebra

// Elements [first, last) of the sequence that is reduced: a level says that they are 2^level whole strips that the
// order combines before others; below 0: a fragment of one strip.
struct piece {
  index first, last;
  int level;
};

// What elements [first, last) of a sequence of n are made of. `most`: the highest level.
inline std::vector<piece> pieces_of(index first, index last, index n, int most = 62) {
  constexpr index strip = strip_elements;
  std::vector<piece> all;
  if (first < last && first % strip != 0) {
    const index end = first / strip * strip + strip;
    all.push_back({first, last < end ? last : end, -1});
    first = all.back().last;
  }
  const index strips = last == n ? (last + strip - 1) / strip : last / strip;
  while (first < last) {
    const index s = first / strip;
    if (s >= strips) {
      all.push_back({first, last, -1});
      break;
    }
    int level = 0;
    while (level < most && s % (index{2} << level) == 0 && s + (index{2} << level) <= strips) ++level;
    const index end = (s + (index{1} << level)) * strip;
    all.push_back({first, end < n ? end : n, level});
    first = all.back().last;
  }
  return all;
}

// What is kept of elements that were combined: their combination, and of compensated sums what was rounded off, too.
template <class Op>
struct combined {
  using op = Op;
  template <class T>
  using state = T;
  template <class T>
  static const T& of(const T& x) {
    return x;
  }
  template <class T>
  static const T& value(const T& x) {
    return x;
  }
};
template <>
struct combined<compensated_r> {
  using op = exactly_added;
  template <class T>
  using state = two_parts<T>;
  template <class T>
  static two_parts<T> of(const T& x) {
    return {x, T{}};
  }
  template <class T>
  static T value(const two_parts<T>& x) {
    return x.value();
  }
};

// A strip of which some elements were seen, for so many results: Op in lanes of 64 bytes of elements.
template <class Op, class T>
class open_strip {
  using state = typename combined<Op>::template state<T>;
  using op = typename combined<Op>::op;

 public:
  static constexpr index lanes = 64 / static_cast<index>(sizeof(T));

  explicit open_strip(index results)
      : results_(results), lane_(new state[static_cast<std::size_t>(lanes * results)]()) {}

  // `rows` elements of each result, which follow those that were seen.
  void add(const T* x, index rows) {
    for (index i = 0; i < rows; ++i, ++count_, x += results_) {
      state* const lane = lane_.get() + count_ % lanes * results_;
      if (count_ < lanes)
        for (index k = 0; k < results_; ++k) lane[k] = combined<Op>::of(x[k]);
      else
        for (index k = 0; k < results_; ++k) lane[k] = op::on(lane[k], combined<Op>::of(x[k]));
    }
  }
  // The results of the strip, which has no more elements.
  const state* close() {
    for (index half = lanes / 2; half >= 1; half /= 2)
      for (index j = 0; j < half && j + half < count_; ++j)
        for (index k = 0; k < results_; ++k) {
          state& x = lane_[static_cast<std::size_t>(j * results_ + k)];
          x = op::on(x, lane_[static_cast<std::size_t>((j + half) * results_ + k)]);
        }
    return lane_.get();
  }
  // The lanes that have elements when `count` were seen: what the next rank needs to go on.
  void* memory() { return lane_.get(); }
  index bytes_of(index count) const {
    return (count < lanes ? count : lanes) * results_ * static_cast<index>(sizeof(state));
  }
  index count() const { return count_; }
  void seen(index count) { count_ = count; }

 private:
  index results_, count_ = 0;
  std::unique_ptr<state[]> lane_;
};

// Results of whole pieces, in order, combined as far as they are pairs.
template <class Op, class T>
class partial_results {
 public:
  explicit partial_results(index results) : results_(results) {}

  // Those of strips [strip, strip + 2^level), which lie behind all that were added.
  void add(index strip, int level, const T* values) {
    std::unique_ptr<T[]> x(new T[static_cast<std::size_t>(results_)]);
    for (index k = 0; k < results_; ++k) x[static_cast<std::size_t>(k)] = values[k];
    add(strip, level, std::move(x));
  }
  // Those of another rank.
  void add(partial_results&& o) {
    std::vector<node> mine = std::move(nodes_);
    nodes_.clear();
    auto a = mine.begin();
    auto b = o.nodes_.begin();
    while (a != mine.end() || b != o.nodes_.end()) {
      auto& next = b == o.nodes_.end() || (a != mine.end() && a->strip < b->strip) ? *a++ : *b++;
      add(next.strip, next.level, std::move(next.values));
    }
  }
  // What is left is combined from right to left. There is at least one element.
  void close(T* to) {
    std::unique_ptr<T[]> x = std::move(nodes_.back().values);
    nodes_.pop_back();
    for (; !nodes_.empty(); nodes_.pop_back()) combine_into(*nodes_.back().values.get(), x);
    for (index k = 0; k < results_; ++k) to[k] = x[static_cast<std::size_t>(k)];
  }

  std::vector<unsigned char> message() const { return message(0, results_); }
  // Of results [first, last) alone.
  std::vector<unsigned char> message(index first, index last) const {
    const auto size = static_cast<std::size_t>(last - first) * sizeof(T), head = 2 * sizeof(index);
    std::vector<unsigned char> all(nodes_.size() * (head + size));
    unsigned char* to = all.data();
    for (const node& x : nodes_) {
      const index at[] = {x.strip, x.level};
      std::memcpy(to, at, head);
      if (size > 0) std::memcpy(to + head, x.values.get() + first, size);
      to += head + size;
    }
    return all;
  }
  partial_results(index results, const std::vector<unsigned char>& message) : results_(results) {
    const auto size = static_cast<std::size_t>(results_) * sizeof(T), head = 2 * sizeof(index);
    for (std::size_t i = 0; i + head <= message.size(); i += head + size) {
      index at[2];
      std::memcpy(at, message.data() + i, head);
      std::unique_ptr<T[]> x(new T[static_cast<std::size_t>(results_)]);
      if (size > 0) std::memcpy(x.get(), message.data() + i + head, size);
      nodes_.push_back({at[0], static_cast<int>(at[1]), std::move(x)});
    }
  }

 private:
  struct node {
    index strip;
    int level;
    std::unique_ptr<T[]> values;
  };
  // x = Op(before, x).
  void combine_into(const T& before, std::unique_ptr<T[]>& x) const {
    const T* const b = &before;
    for (index k = 0; k < results_; ++k) {
      T& to = x[static_cast<std::size_t>(k)];
      to = Op::on(b[k], to);
    }
  }
  void add(index strip, int level, std::unique_ptr<T[]> x) {
    while (!nodes_.empty() && nodes_.back().level == level && nodes_.back().strip + (index{1} << level) == strip &&
           nodes_.back().strip % (index{2} << level) == 0) {
      combine_into(nodes_.back().values[0], x);
      strip = nodes_.back().strip;
      ++level;
      nodes_.pop_back();
    }
    nodes_.push_back({strip, level, std::move(x)});
  }

  index results_;
  std::vector<node> nodes_;
};

}  // namespace broadloom::distributed::detail
