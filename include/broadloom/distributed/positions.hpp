// argmax and argmin over the distributed axis: the index in the whole array, of equal elements the first, the first NaN
// before all, as in one process.
#pragma once

#include <cstdint>

#include <broadloom/distributed/reduce.hpp>

namespace broadloom::distributed::detail {

// The best element of each result and its index, of the rows of some ranks; none where index is below 0.
template <class Op, class T>
class positions {
 public:
  struct best {
    T value;
    std::int64_t at;
  };
  explicit positions(index results) : all_(static_cast<std::size_t>(results), best{T{}, -1}) {}
  positions(index results, const std::vector<unsigned char>& message) : all_(static_cast<std::size_t>(results)) {
    std::memcpy(all_.data(), message.data(), message.size());
  }
  best& operator[](index k) { return all_[static_cast<std::size_t>(k)]; }

  void add(positions&& o) {
    for (std::size_t k = 0; k < all_.size(); ++k)
      if (comes_before(o.all_[k], all_[k])) all_[k] = o.all_[k];
  }
  std::vector<unsigned char> message() const {
    const auto* const from = reinterpret_cast<const unsigned char*>(all_.data());
    return std::vector<unsigned char>(from, from + all_.size() * sizeof(best));
  }

 private:
  static bool comes_before(const best& a, const best& b) {
    if (a.at < 0 || b.at < 0) return b.at < 0;
    const bool a_nan = a.value != a.value, b_nan = b.value != b.value;
    if (a_nan || b_nan) return a_nan && (!b_nan || a.at < b.at);
    if (a.value == b.value) return a.at < b.at;
    return Op::largest ? b.value < a.value : a.value < b.value;
  }

  std::vector<best> all_;
};

template <class Op>
inline constexpr bool finds_positions = requires { Op::largest; };

// The index for each result: along the distributed axis, or in the row-major order of all elements.
template <class Op, class E>
  requires finds_positions<Op>
class rank_reduction<Op, E> {
  using T = typename E::value_type;
  static constexpr int rank = rank_of<E>;

 public:
  rank_reduction(const E& e, const block_map& m, unsigned bits, const policy& p)
      : e_(e), map_(m), bits_(bits), policy_(p), g_(e.shape().extents(), m, bits) {}

  void run(std::int64_t* to) {
    if (g_.results == 0) return;
    std::unique_ptr<positions<Op, T>> mine;
    map_.comm().together([&] {
      mine = std::make_unique<positions<Op, T>>(g_.results);
      if (map_.count() > 0) find(*mine);
    });
    combine_lists(map_.comm(), *mine, g_.results);
    for (index k = 0; k < g_.results; ++k) to[k] = (*mine)[k].at;
  }

 private:
  // The extreme itself is what amax or amin gives, which compares as the element at the index does.
  void find(positions<Op, T>& mine) const {
    using extreme = std::conditional_t<Op::largest, amax_r, amin_r>;
    std::unique_ptr<T[]> values(new T[static_cast<std::size_t>(g_.results)]);
    std::unique_ptr<std::int64_t[]> at(new std::int64_t[static_cast<std::size_t>(g_.results)]);
    reduce<extreme>(values.get());
    reduce<Op>(at.get());
    for (index k = 0; k < g_.results; ++k)
      mine[k] = {values[static_cast<std::size_t>(k)], g_.first + at[static_cast<std::size_t>(k)]};
  }
  template <class How, class R>
  void reduce(R* to) const {
    using shape_type = dshape<rank>;
    const auto out = shape_type::unchecked(g_.extents);
    const deferred<reduced<How, E, shape_type>> node(reduced<How, E, shape_type>(e_, out, bits_, How::how));
    policy_.run(
        [&] { assign_node<BROADLOOM_NATIVE>(view<R, shape_type, row_major>(to, out, {}), node, policy_.options()); });
  }

  const E& e_;
  const block_map& map_;
  unsigned bits_;
  policy policy_;
  reduction_geometry<rank> g_;
};

}  // namespace broadloom::distributed::detail
