// Contractions: sums along one axis of terms of two arrays, each of which lacks an axis of the result that the other
// has, as in products of matrices and distances of all pairs of rows. A tile of rows and columns of the result is
// computed at once, so that elements are read once for many results.
#pragma once

#include <optional>

#include <broadloom/plan/problem.hpp>

namespace broadloom::runtime {

struct contraction {
  // An axis of the result: its extent, and what a step along it is in the two operands and in the result.
  struct axis {
    index extent, a, b, out;
  };
  static constexpr int max_axes = 32;

  pair_term term;         // product, squared_difference or absolute_difference
  pair_term as_written;   // by the expression
  int a, b;               // which operand has the rows, and which the columns
  axis rows, columns;     // rows.b == 0, columns.a == 0
  axis along;             // the axis that is summed; out == 0
  axis others[max_axes];  // in which both differ, row-major
  int other_count;
  index results;  // over the other axes
};

// The contraction that this sum is, if it is one; its output is row-major over the axes that are left.
std::optional<contraction> find_contraction(const problem& p, unsigned reduced, reduction how, pair_term term);

// Whether arrays that the expression mentions twice are the same, and an exponent is 2.
bool same_operands(const contraction& c, const operand* operands);

// Whether tiles are faster than sums of one result at a time.
bool pays(const contraction& c, dtype type);

// pair_term::other where this sum is better computed otherwise. What is computed in parts is decided for the whole, for
// the bits of `fast` depend on it.
inline pair_term contracted(const problem& p, const source& s) {
  if (s.term == pair_term::other) return s.term;
  const auto c = find_contraction(p, s.reduced, s.how, s.term);
  return c && same_operands(*c, p.operands) && pays(*c, p.out_type) ? s.term : pair_term::other;
}

// Rows of the result in a block, where these are computed a block at a time: columns are packed for each.
index contracted_rows(index bytes_of_row);

}  // namespace broadloom::runtime
