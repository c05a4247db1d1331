// Running sums and products over the distributed axis: the order and the bits of one process, one row after the other.
#pragma once

#include <algorithm>
#include <vector>

#include <broadloom/dist/leaf.hpp>
#include <broadloom/reduce/scans.hpp>

namespace broadloom::distributed::detail {

// Elements of each row that travel together, where a rank waits for those before it: a few parts for each rank, so that
// ranks work at the same time, and no part is smaller than a cache line.
inline index scan_part(index row, index element_bytes, int ranks) {
  const index line = std::max<index>(1, 64 / element_bytes), parts = index{4} * ranks;
  return std::max(line, (row / parts + line - 1) / line * line);
}

// What each rank combined of its rows, and of that what all ranks before it have together: log2(ranks) messages.
template <class State>
class prefixes {
 public:
  prefixes(index results, const State& identity)
      : before(static_cast<std::size_t>(results), identity), all(before), received_(before), sent_(before) {}

  template <class On>
  void run(const communicator& c, const On& on) {
    const index bytes = static_cast<index>(all.size() * sizeof(State));
    const int rank = c.rank();
    for (int distance = 1; distance < c.size(); distance *= 2) {
      std::copy(all.begin(), all.end(), sent_.begin());
      communicator::pending moving(c);
      if (rank + distance < c.size()) moving.send(sent_.data(), bytes, rank + distance, 4);
      if (rank < distance) continue;
      moving.receive(received_.data(), bytes, rank - distance, 4);
      moving.wait();
      for (std::size_t k = 0; k < all.size(); ++k) {
        all[k] = on(received_[k], all[k]);
        before[k] = on(received_[k], before[k]);
      }
    }
  }

  std::vector<State> before, all;

 private:
  std::vector<State> received_, sent_;
};

// The rows of a rank, replaced by their running combination with all rows before: x(i) = Op(x(i - 1), x(i)).
template <class Op, class T>
class rank_scan {
 public:
  rank_scan(const block_map& m, T* x, index row) : map_(m), x_(x), row_(row), ends_(row, Op::template empty<T>()) {}

  // Where no order rounds, each rank scans its rows, and all exchange their last ones, log2(ranks) times. Else a rank
  // gets the last row of the one before, part by part, and goes on from there.
  void run() {
    if (row_ == 0 || map_.rows() == 0) return;
    if constexpr (std::is_integral_v<T>)
      scan_at_once();
    else
      scan_in_turn();
  }

 private:
  index bytes(index n) const { return n * static_cast<index>(sizeof(T)); }
  // Elements [first, last) of each row, from row `from` on.
  void scan_rows(index from, index first, index last) {
    for (index i = from; i < map_.count(); ++i) {
      T* const to = x_ + i * row_;
      const T* const before = to - row_;
      for (index k = first; k < last; ++k) to[k] = Op::on(before[k], to[k]);
    }
  }

  void scan_in_turn() {
    if (map_.count() == 0) return;
    const communicator& c = map_.comm();
    const index part = scan_part(row_, static_cast<index>(sizeof(T)), c.size());
    const bool is_first = map_.first() == 0, is_last = map_.last() == map_.rows();
    const int before = is_first ? -1 : map_.owner(map_.first() - 1), after = is_last ? -1 : map_.owner(map_.last());
    communicator::pending sent(c);
    for (index first = 0; first < row_; first += part) {
      const index last = std::min(row_, first + part);
      if (!is_first) {
        T* const row = ends_.before.data();
        c.receive(row, bytes(last - first), before, 4);
        for (index k = first; k < last; ++k) x_[k] = Op::on(row[k - first], x_[k]);
      }
      scan_rows(1, first, last);
      if (!is_last) sent.send(x_ + (map_.count() - 1) * row_ + first, bytes(last - first), after, 4);
    }
    sent.wait();
  }

  void scan_at_once() {
    scan_rows(1, 0, row_);
    if (map_.count() > 0) std::copy_n(x_ + (map_.count() - 1) * row_, row_, ends_.all.begin());
    ends_.run(map_.comm(), [](T a, T b) { return Op::on(a, b); });
    for (index i = 0; i < map_.count(); ++i)
      for (index k = 0; k < row_; ++k)
        x_[i * row_ + k] = Op::on(ends_.before[static_cast<std::size_t>(k)], x_[i * row_ + k]);
  }

  const block_map& map_;
  T* x_;
  index row_;
  prefixes<T> ends_;
};

}  // namespace broadloom::distributed::detail
