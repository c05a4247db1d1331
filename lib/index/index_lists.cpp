// Lists of indices: of triangles, combinations, and positions as indices along axes and back.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <broadloom/core/error.hpp>
#include <broadloom/index/grid.hpp>
#include <broadloom/index/index_lists.hpp>
#include <broadloom/index/put.hpp>
#include <broadloom/index/slice_scatter.hpp>

#include "../base/for_each.hpp"
#include "../base/limits.hpp"
#include "../base/list_text.hpp"
#include "../base/tuned.hpp"
#include "walk.hpp"

namespace broadloom::detail {

namespace {

// The columns [first, last) of a row that its triangle has.
struct columns_of_row {
  index first, last;
};
columns_of_row triangle_row(index row, index columns, index shift, bool upper) {
  index edge = row + (upper ? shift : shift + 1);
  edge = edge < 0 ? 0 : edge > columns ? columns : edge;
  return upper ? columns_of_row{edge, columns} : columns_of_row{0, edge};
}
// Quotients by one number of numbers in [0, limit). Where both have 32 bits, the upper half of a product is exact: the
// factor is above 2^64 / by by less than 1, which a number below 2^32 does not make a whole.
class quotients_by {
 public:
  quotients_by(index by, index limit)
      : by_(by),
        factor_(by > 1 && limit <= index{0xffffffff} ? ~std::uint64_t{0} / static_cast<std::uint64_t>(by) + 1 : 0) {}
  index of(index x) const {
    if (factor_ == 0) return x / by_;
    const auto p = static_cast<std::uint64_t>(x);
    return static_cast<index>((p * (factor_ >> 32) + (p * (factor_ & 0xffffffff) >> 32)) >> 32);
  }

 private:
  index by_;
  std::uint64_t factor_;
};
// Diagonals beyond a corner are one, so that row + shift does not overflow.
index within_corners(index shift, index rows, index columns) {
  return shift < -rows ? -rows : shift > columns ? columns : shift;
}

// The tuples [first, last).
template <class T>
void write_some_tuples(const void* const* lists, const index* extents, index count, index first, index last, T* to) {
  const T* const ends = static_cast<const T*>(lists[count - 1]);
  const index n = extents[count - 1];
  std::vector<T> own(static_cast<std::size_t>(count));
  to += first * count;
  for (index i = first; i < last;) {
    index rest = i / n;
    const index begin = i % n, end = std::min(n, begin + last - i);
    for (index k = count - 2; k >= 0; --k) {
      own[static_cast<std::size_t>(k)] = static_cast<const T*>(lists[k])[rest % extents[k]];
      rest /= extents[k];
    }
    i += end - begin;
    if (count == 2) {
      struct {
        T first, second;
      } pair{own[0], {}};
      for (index j = begin; j < end; ++j, to += 2) {
        pair.second = ends[j];
        std::memcpy(to, &pair, sizeof pair);
      }
    } else
      for (index j = begin; j < end; ++j, to += count) {
        for (index k = 0; k + 1 < count; ++k) to[k] = own[static_cast<std::size_t>(k)];
        to[count - 1] = ends[j];
      }
  }
}

// The same of elements of any size.
void write_wide_tuples(const void* const* lists, const index* extents, index count, int size, index first, index last,
                       void* to) {
  const auto wide = static_cast<std::size_t>(size);
  auto* out = static_cast<std::byte*>(to) + static_cast<std::size_t>(first * count) * wide;
  for (index i = first; i < last; ++i, out += static_cast<std::size_t>(count) * wide) {
    index rest = i;
    for (index k = count - 1; k >= 0; --k) {
      const auto at = static_cast<std::size_t>(rest % extents[k]);
      rest /= extents[k];
      std::memcpy(out + static_cast<std::size_t>(k) * wide, static_cast<const std::byte*>(lists[k]) + at * wide, wide);
    }
  }
}

}  // namespace

index triangle_count(const char* call, index rows, index columns, index shift, bool upper) {
  if (rows < 0 || columns < 0)
    throw shape_error(std::string(rows < 0 ? "row" : "col") + " must be non-negative, got " +
                      std::to_string(rows < 0 ? rows : columns) + "\n  in " + call);
  check_count(call, indices<2>{{rows, columns}}.v, 2);
  if (columns == 0) return 0;
  shift = within_corners(shift, rows, columns);
  index n = 0;
  for (index i = 0; i < rows; ++i) {
    const auto c = triangle_row(i, columns, shift, upper);
    n += c.last - c.first;
  }
  check_count(call, indices<2>{{2, n}}.v, 2);
  return n;
}

void list_triangle(index rows, index columns, index shift, bool upper, index count, index* to) {
  shift = within_corners(shift, rows, columns);
  for (index i = 0; i < rows; ++i) {
    const auto c = triangle_row(i, columns, shift, upper);
    for (index j = c.first; j < c.last; ++j, ++to) {
      *to = i;
      to[count] = j;
    }
  }
}

index combination_count(index n, index taken, bool with_replacement) {
  if (taken < 0)
    throw shape_error("Expect a non-negative number, but got " + std::to_string(taken) + "\n  in combinations");
  if (taken == 0) return 1;
  if (n == 0 || (!with_replacement && taken > n)) return 0;
  // (m + 1) (m + 2) ... (m + k) / k!, each quotient whole
  const index k = with_replacement ? std::min(taken, n - 1) : std::min(taken, n - taken);
  const index m = with_replacement ? std::max(taken, n - 1) : std::max(taken, n - taken);
#if defined(__SIZEOF_INT128__)
  __extension__ typedef __int128 wide;
#else
  using wide = std::int64_t;  // an index has 32 bits there
#endif
  wide r = 1;
  for (index i = 1; i <= k; ++i) {
    r = r * (static_cast<wide>(m) + i) / i;
    if (r > std::numeric_limits<index>::max())
      throw shape_error("too many combinations of " + std::to_string(taken) + " of " + std::to_string(n) +
                        " elements\n  in combinations");
  }
  return static_cast<index>(r);
}

void list_combinations(index n, index taken, bool with_replacement, index count, index* to) {
  if (taken == 0) return;
  std::vector<index> now(static_cast<std::size_t>(taken));
  for (index k = 0; k < taken; ++k) now[static_cast<std::size_t>(k)] = with_replacement ? 0 : k;
  for (index row = 0; row < count; ++row, to += taken) {
    std::copy(now.begin(), now.end(), to);
    index k = taken - 1;
    while (k > 0 && now[static_cast<std::size_t>(k)] == (with_replacement ? n - 1 : n - taken + k)) --k;
    index next = now[static_cast<std::size_t>(k)] + 1;
    for (; k < taken; ++k, next += with_replacement ? 0 : 1) now[static_cast<std::size_t>(k)] = next;
  }
}

void write_tuples(const void* const* lists, const index* extents, index count, int size, void* to) {
  index n = 1;
  for (index k = 0; k < count; ++k) n *= extents[k];
  if (n == 0) return;
  const double ns = static_cast<double>(n * count * size) * runtime::limits::work::of_byte;
  runtime::for_ranges(n, runtime::threads_for(0, ns), [&](index first, index last) {
    if (size > 16 || (size & (size - 1)) != 0) return write_wide_tuples(lists, extents, count, size, first, last, to);
    runtime::with_size(size,
                       [&]<class T>(T) { write_some_tuples(lists, extents, count, first, last, static_cast<T*>(to)); });
  });
}

namespace {

[[noreturn, gnu::cold, gnu::noinline]] void throw_position(const index* positions, index n, index least, index size,
                                                           const char* call, const index* extents, int rank) {
  index k = 0;
  while (k + 1 < n && positions[k] < size && positions[k] >= least) ++k;
  throw index_error("index " + std::to_string(positions[k]) + " is out of bounds for array with size " +
                    std::to_string(size) + "\n  in " + call + ", shape " + list(extents, rank));
}

}  // namespace

void unravel_positions(const index* positions, index n, const index* extents, int rank, position_rule rule,
                       const char* call, index* const* to) {
  check_count(call, extents, rank);
  index size = 1;
  for (int a = 0; a < rank; ++a) size *= extents[a];
  const index least = rule.negative ? -size : 0;
  // Axes in the order in which positions are divided by their extents: the one that varies fastest first.
  const auto axis = [&](int i) { return rule.by_columns ? i : rank - 1 - i; };
  std::vector<quotients_by> by;
  for (int i = 0; i + 1 < rank; ++i) by.emplace_back(extents[axis(i)], size);
  // So many at a time stay in the first-level cache between two axes.
  constexpr index block = 512;
  index rest[block];
  for (index first = 0; first < n; first += block) {
    const index* const own = positions + first;
    const index count = n - first < block ? n - first : block;
    bool inside = true;
    for (index k = 0; k < count; ++k) inside = inside & (own[k] < size) & (own[k] >= least);
    if (!inside) throw_position(own, count, least, size, call, extents, rank);
    if (rank == 0 || to == nullptr) continue;
    index* const last = rank == 1 ? to[axis(0)] + first : rest;
    for (index k = 0; k < count; ++k) last[k] = own[k] + (own[k] < 0 ? size : 0);
    for (int i = 0; i + 1 < rank; ++i) {
      const quotients_by& of = by[static_cast<std::size_t>(i)];
      const index extent = extents[axis(i)];
      index* const at = to[axis(i)] + first;
      index* const next = i + 2 < rank ? rest : to[axis(rank - 1)] + first;
      for (index k = 0; k < count; ++k) {
        const index position = rest[k], q = of.of(position);
        at[k] = position - q * extent;
        next[k] = q;
      }
    }
  }
}

void ravel_axis(const index* at, index n, index extent, int axis, outside how, index* to) {
  if (how != outside::raise && extent == 0 && n > 0)
    throw index_error("cannot bring indices inside an empty axis: dimension " + std::to_string(axis) +
                      " has size 0\n  in ravel_multi_index");
  const bool is_first = at == to;
  for (index k = 0; k < n; ++k) {
    index i = at[k];
    if (how == outside::wrap) {
      i %= extent;
      if (i < 0) i += extent;
    } else if (how == outside::clip)
      i = i < 0 ? 0 : i >= extent ? extent - 1 : i;
    else if (i < 0 || i >= extent)
      throw_index_out_of_bounds(i, axis, extent, "ravel_multi_index");
    to[k] = is_first ? i : to[k] * extent + i;
  }
}

void check_fill_diagonal(const shape_view& x) {
  for (int a = 1; a < x.rank; ++a)
    if (x.extents[a] != x.extents[0])
      throw shape_error("all dimensions of input must be of equal length\n  in fill_diagonal_(" + list(x) + ")");
}

}  // namespace broadloom::detail
