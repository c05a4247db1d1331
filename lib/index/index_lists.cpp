// Lists of indices: of triangles, combinations, and positions as indices along axes and back.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <broadloom/core/error.hpp>
#include <broadloom/index/index_lists.hpp>
#include <broadloom/index/put.hpp>
#include <broadloom/index/slice_scatter.hpp>

#include "../base/list_text.hpp"

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

void unravel_positions(const index* positions, index n, const index* extents, int rank, position_rule rule,
                       const char* call, index* to) {
  check_count(call, extents, rank);
  index size = 1;
  for (int a = 0; a < rank; ++a) size *= extents[a];
  const index least = rule.negative ? -size : 0;
  bool inside = true;
  for (index k = 0; k < n; ++k) inside = inside & (positions[k] < size) & (positions[k] >= least);
  for (index k = 0; k < n && !inside; ++k)
    if (const index p = positions[k]; p >= size || p < least)
      throw index_error("index " + std::to_string(p) + " is out of bounds for array with size " + std::to_string(size) +
                        "\n  in " + call + ", shape " + list(extents, rank));
  if (rank == 0 || to == nullptr) return;
  // Each axis divides what the one before it left, which lies where the axis that varies slowest gets its indices.
  const auto axis = [&](int i) { return rule.by_columns ? rank - 1 - i : i; };
  index* const rest = to + axis(0) * n;
  for (index k = 0; k < n; ++k) rest[k] = positions[k] + (positions[k] < 0 ? size : 0);
  for (int i = rank - 1; i > 0; --i) {
    const quotients_by by(extents[axis(i)], size);
    index* const own = to + axis(i) * n;
    for (index k = 0; k < n; ++k) {
      const index q = by.of(rest[k]);
      own[k] = rest[k] - q * extents[axis(i)];
      rest[k] = q;
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
