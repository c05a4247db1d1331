// Running sums and products over the distributed axis: the order and the bits of one process, one row after the other.
#pragma once

#include <algorithm>
#include <vector>

#include <broadloom/distributed/leaf.hpp>
#include <broadloom/reduce/scans.hpp>

namespace broadloom::distributed::detail {

// Elements of each row that travel together, where a rank waits for those before it: a few parts for each rank, so that
// ranks work at the same time, and no part is smaller than a cache line.
inline index scan_part(index row, index element_bytes, int ranks) {
  const index line = (std::max<index>)(1, 64 / element_bytes), parts = index{4} * ranks;
  return (std::max)(line, (row / parts + line - 1) / line * line);
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

// Rows of this rank, each combined with the one before by on(before, own); before the first comes the last row of the
// rank before, which gets here part by part. `received` is memory for a row. guarded(f) calls f: what it does with
// exceptions is its affair, but messages travel.
template <class T, class On, class Guarded>
void scan_rows_in_turn(const block_map& m, T* x, index row, T* received, const On& on, const Guarded& guarded) {
  if (m.count() == 0 || row == 0) return;
  const auto bytes = [](index n) { return n * static_cast<index>(sizeof(T)); };
  const communicator& c = m.comm();
  const index part = scan_part(row, static_cast<index>(sizeof(T)), c.size());
  const bool is_first = m.first() == 0, is_last = m.last() == m.rows();
  const int before = is_first ? -1 : m.owner(m.first() - 1), after = is_last ? -1 : m.owner(m.last());
  communicator::pending sent(c);
  for (index first = 0; first < row; first += part) {
    const index last = (std::min)(row, first + part);
    if (!is_first) c.receive(received, bytes(last - first), before, 4);
    guarded([&] {
      if (!is_first)
        for (index k = first; k < last; ++k) x[k] = on(received[k - first], x[k]);
      for (index i = 1; i < m.count(); ++i) {
        T* const own = x + i * row;
        for (index k = first; k < last; ++k) own[k] = on(own[k - row], own[k]);
      }
    });
    if (!is_last) sent.send(x + (m.count() - 1) * row + first, bytes(last - first), after, 4);
  }
  sent.wait();
}

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
      scan_rows_in_turn(
          map_, x_, row_, ends_.before.data(), [](T a, T b) { return Op::on(a, b); }, [](const auto& f) { f(); });
  }

 private:
  void scan_at_once() {
    for (index i = 1; i < map_.count(); ++i)
      for (index k = 0; k < row_; ++k) x_[i * row_ + k] = Op::on(x_[(i - 1) * row_ + k], x_[i * row_ + k]);
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
