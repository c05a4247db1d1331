// How the rows of an array lie on ranks: a contiguous block on each, in the order of the ranks.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <broadloom/distributed/communicator.hpp>

namespace broadloom::distributed {

// Immutable; copies share it. Two are equal if they have the same blocks on the same communicator.
class block_map {
 public:
  // Blocks of about equal size: they differ from rows / ranks by at most one row or 1/64. Where there are many rows,
  // blocks begin at multiples of a power of two, so that sums over all rows have few partial results.
  block_map(const communicator& c, index rows) : block_map(c, blocks_of(rows, c.size()), 0) {}
  // So many rows on each rank. Throws error unless there is a number, not negative, for each. All ranks give the same.
  block_map(const communicator& c, const std::vector<index>& rows) : block_map(c, sums_of(c, rows), 0) {}

  const communicator& comm() const { return comm_; }
  index rows() const { return first_->back(); }
  // The rows of a rank, or of this one: [first, last).
  index first(int rank) const { return (*first_)[static_cast<std::size_t>(rank)]; }
  index last(int rank) const { return (*first_)[static_cast<std::size_t>(rank) + 1]; }
  index count(int rank) const { return last(rank) - first(rank); }
  index first() const { return first(comm_.rank()); }
  index last() const { return last(comm_.rank()); }
  index count() const { return count(comm_.rank()); }
  // The rank that has a row, 0 <= row < rows().
  int owner(index row) const {
    return static_cast<int>(std::upper_bound(first_->begin(), first_->end(), row) - first_->begin()) - 1;
  }

  friend bool operator==(const block_map& a, const block_map& b) {
    return a.comm_ == b.comm_ && (a.first_ == b.first_ || *a.first_ == *b.first_);
  }
  // 10 rows as 4 + 3 + 3; of many ranks the first and the last ones.
  friend std::string to_string(const block_map& m) {
    std::string s = std::to_string(m.rows()) + " rows as ";
    const int n = m.comm_.size();
    for (int r = 0; r < n; ++r) {
      if (n > 8 && r == 4) {
        s += " + ...";
        r = n - 2;
      }
      s += (r > 0 ? " + " : "") + std::to_string(m.count(r));
    }
    return s;
  }

 private:
  block_map(const communicator& c, std::vector<index> first, int)
      : comm_(c), first_(std::make_shared<const std::vector<index>>(std::move(first))) {}

  static std::vector<index> blocks_of(index rows, int ranks) {
    if (rows < 0) throw error("block_map: " + std::to_string(rows) + " rows");
    index unit = 1;
    while (unit * 2 <= rows / ranks / 64) unit *= 2;
    std::vector<index> first;
    const index each = rows / ranks, more = rows % ranks;
    for (index r = 0; r < ranks; ++r) first.push_back((each * r + (std::min)(r, more)) / unit * unit);
    first.push_back(rows);
    return first;
  }
  static std::vector<index> sums_of(const communicator& c, const std::vector<index>& rows) {
    if (rows.size() != static_cast<std::size_t>(c.size()))
      throw error("block_map: " + std::to_string(rows.size()) + " blocks for " + std::to_string(c.size()) + " ranks");
    std::vector<index> first{0};
    for (const index n : rows) {
      if (n < 0) throw error("block_map: a block of " + std::to_string(n) + " rows");
      first.push_back(first.back() + n);
    }
    return first;
  }

  communicator comm_;
  std::shared_ptr<const std::vector<index>> first_;
};

}  // namespace broadloom::distributed
