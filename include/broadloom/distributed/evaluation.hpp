// One evaluation over the ranks: its rows, and the memory of what is computed before the ranks evaluate their parts.
#pragma once

#include <memory>
#include <vector>

#include <broadloom/distributed/positions.hpp>
#include <broadloom/distributed/scan.hpp>

namespace broadloom::distributed::detail {

// One evaluation: where the rows are, and what was reduced over the ranks for it. Equal reductions are made once.
class evaluation {
 public:
  evaluation(const block_map& m, const policy& p) : map_(m), policy_(p) { m.comm().check_thread(); }

  const block_map& map() const { return map_; }
  const policy& how() const { return policy_; }

  // The values of Op over e, in the memory of this evaluation.
  template <class Op, class E>
  const auto* reduce(const E& e, unsigned bits, index results) {
    using T = typename Op::template result<typename E::value_type>;
    if (const void* const known = find(&kind_of<Op, E>, bits, e)) return static_cast<const T*>(known);
    entry x{&kind_of<Op, E>, bits, std::make_shared<E>(e),
            std::shared_ptr<T[]>(new T[static_cast<std::size_t>(results) + 1]())};
    auto* const to = static_cast<T*>(x.values.get());
    rank_reduction<Op, E>(e, map_, bits, policy_).run(to);
    done_.push_back(std::move(x));
    return static_cast<const T*>(to);
  }
  // This rank's rows of Op over e and the rows before, one after the other along an axis.
  template <class Op, class E>
  const auto* scan(const E& e, int axis) {
    using T = typename E::value_type;
    if (const void* const known = find(&scan_of<Op, E>, static_cast<unsigned>(axis), e))
      return static_cast<const T*>(known);
    entry x{&scan_of<Op, E>, static_cast<unsigned>(axis), nullptr, nullptr};
    const auto shape = e.shape();
    index row = 1;
    for (int i = 1; i < rank_of<E>; ++i) row *= shape[i];
    T* to = nullptr;
    std::unique_ptr<rank_scan<Op, T>> over_ranks;
    map_.comm().together([&] {
      x.tree = std::make_shared<E>(e);
      std::shared_ptr<T[]> memory(new T[static_cast<std::size_t>(shape.size()) + 1]);
      to = memory.get();
      x.values = memory;
      const view<T, shape_of<E>, row_major> out(to, shape, {});
      policy_.run([&] {
        if (axis == 0)
          assign_node<BROADLOOM_NATIVE>(out, e, policy_.options());
        else
          assign_node<BROADLOOM_NATIVE>(out, deferred<scanned<Op, E>>(scanned<Op, E>(e, axis)), policy_.options());
      });
      if (axis == 0) over_ranks = std::make_unique<rank_scan<Op, T>>(map_, to, row);
    });
    if (over_ranks) over_ranks->run();
    done_.push_back(std::move(x));
    return static_cast<const T*>(to);
  }
  // Memory for this rank's rows of e, which is evaluated into it.
  template <class E>
  auto rows_of(const E& e) {
    using T = typename E::value_type;
    std::shared_ptr<T[]> to;
    map_.comm().together([&] {
      to = std::shared_ptr<T[]>(new T[static_cast<std::size_t>(e.shape().size()) + 1]);
      policy_.run([&] {
        assign_node<BROADLOOM_NATIVE>(view<T, shape_of<E>, row_major>(to.get(), e.shape(), {}), e, policy_.options());
      });
      kept_.push_back(to);
    });
    return view<const T, shape_of<E>, row_major>(to.get(), e.shape(), {});
  }

 private:
  struct entry {
    const void* kind;
    unsigned bits;
    std::shared_ptr<const void> tree;
    std::shared_ptr<void> values;
  };
  template <class Op, class E>
  static constexpr char kind_of = 0;
  template <class Op, class E>
  static constexpr char scan_of = 0;

  template <class E>
  const void* find(const void* kind, unsigned bits, const E& e) const {
    for (const entry& x : done_)
      if (x.kind == kind && x.bits == bits && same_tree(*static_cast<const E*>(x.tree.get()), e)) return x.values.get();
    return nullptr;
  }

  const block_map& map_;
  policy policy_;
  std::vector<entry> done_;
  std::vector<std::shared_ptr<void>> kept_;
};

}  // namespace broadloom::distributed::detail
