// Checks in programs of several ranks: what fails is printed by the rank that sees it, the sum by rank 0.
#pragma once

#include <broadloom/broadloom.hpp>
#include <broadloom/distributed/distributed.hpp>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

namespace bl = broadloom;
namespace dist = broadloom::distributed;

namespace ranks {

inline int checks = 0, failures = 0;
inline std::string circumstances;

inline void check(bool ok, const std::string& what, const dist::communicator& c) {
  ++checks;
  if (ok) return;
  ++failures;
  std::printf("rank %d of %d: %s (%s)\n", c.rank(), c.size(), what.c_str(), circumstances.c_str());
}
template <class T>
bool same_bits(const T* a, const T* b, bl::index n) {
  return n == 0 || std::memcmp(a, b, static_cast<std::size_t>(n) * sizeof(T)) == 0;
}
// An array that each rank has whole, and one of which it has rows, beside the whole from one process.
template <class T, class S, class S2>
void same(const std::string& what, const bl::tensor<T, S>& found, const bl::tensor<T, S2>& wanted,
          const dist::communicator& c) {
  check(found.shape() == wanted.shape() && same_bits(found.data(), wanted.data(), wanted.size()), what, c);
}
template <class T, class S, class S2>
void same(const std::string& what, const dist::tensor<T, S>& found, const bl::tensor<T, S2>& wanted,
          const dist::communicator& c) {
  const auto& m = found.map();
  const bl::index row = found.rows().row;
  check(found.shape() == wanted.shape() &&
            same_bits(found.local().data(), wanted.data() + m.first() * row, m.count() * row),
        what, c);
}
// Bits that the script compares over numbers of ranks.
template <class T, class S>
void print_bits(const std::string& what, const bl::tensor<T, S>& x, const dist::communicator& c) {
  std::uint64_t h = 1469598103934665603u;
  const auto* const p = reinterpret_cast<const unsigned char*>(x.data());
  for (bl::index i = 0; i < x.size() * static_cast<bl::index>(sizeof(T)); ++i) h = (h ^ p[i]) * 1099511628211u;
  if (c.rank() == 0) std::printf("bits %s %016llx\n", what.c_str(), static_cast<unsigned long long>(h));
}
inline void finish(const dist::communicator& c) {
  int sums[2] = {checks, failures}, all[2] = {};
  MPI_Reduce(sums, all, 2, MPI_INT, MPI_SUM, 0, c.handle());
  if (c.rank() == 0) std::printf("%d checks, %d failed\n", all[0], all[1]);
}

// Blocks of several kinds for so many rows: equal, all on the last rank, growing, and with ranks that have none.
inline std::vector<dist::block_map> maps(const dist::communicator& c, bl::index rows) {
  const auto n = static_cast<std::size_t>(c.size());
  std::vector<bl::index> last(n), growing(n), some(n);
  last[n - 1] = rows;
  bl::index left = rows;
  for (std::size_t r = 0; r + 1 < n; ++r) {
    growing[r] = std::min(left, rows * static_cast<bl::index>(r) / static_cast<bl::index>(n * n) + 1);
    left -= growing[r];
  }
  growing[n - 1] = left;
  for (std::size_t r = 0; r < n; r += 2) some[r] = r + 2 < n ? rows * 2 / static_cast<bl::index>(n + 2) : 0;
  bl::index sum = 0;
  for (const bl::index x : some) sum += x;
  some[(n - 1) / 2 * 2] += rows - sum;
  std::vector<dist::block_map> all{dist::block_map(c, rows)};
  if (n > 1) {
    all.emplace_back(c, last);
    all.emplace_back(c, growing);
    all.emplace_back(c, some);
  }
  return all;
}

}  // namespace ranks
