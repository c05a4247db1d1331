// The loops that combine elements in contiguous memory, for each operation, type and instruction-set level.
#pragma once

#include <broadloom/plan/problem.hpp>
#include <broadloom/reduce/whole.hpp>

#include "../base/level.hpp"

namespace broadloom::runtime {

inline constexpr index prefetched_part = 2;  // one byte of memory is prefetched with so many of a sequence in a cache

struct reduce_kernels {
  // Each of `rows` contiguous sequences of n elements, `pitch` bytes apart, to one element of `to`. n >= 1.
  // `next_read`: what is read from memory next, if the sequences are in a cache: 1 / prefetched_part of their bytes is
  // prefetched of it. x: nothing is prefetched; x need not be in the first-level cache. Null: the sequences are in
  // memory.
  void (*sequences)(const void* x, index rows, index n, index pitch, void* to, const void* next_read);
  // The elements of `from` with those of the same index of `count` rows, from left to right; `to` may be `from`.
  void (*rows)(void* to, const void* from, const void* const* x, int count, index n);
  // The lanes of `count` strips of one row, 64 bytes a strip, to one element; null where partial results are two.
  void (*strips)(const void* lanes, index count, void* to);
  // n copies of the identity element, and 64 bytes of it; null where partial results are two.
  void (*fill_identity)(void* to, index n);
  const void* identity;
  // Partial results of whole power-of-two numbers of strips, each a row of n elements, combined as the strips would be.
  void (*tree)(void* partial, index count, index n, void* to);
  // The index of the maximum (minimum) of n more elements, numbered from `first`, if it is better than `best`, found at
  // index `at`, or the first NaN; of equal ones the first stays. `at` < 0: none was found yet.
  void (*position)(const void* x, index n, index first, void* best, index* at);
  // How many elements a partial result has: n of them are n sums, and behind these n errors, where there are two. Then
  // `sequences` gives the partial result of each row, and `finish` makes results of `rows` of n each.
  int parts;
  // The partial results at `to` with those at `right`, n each.
  void (*join)(void* to, const void* right, index n);
  void (*finish)(const void* partial, index rows, index n, void* to);  // null: partial results are results
  // One sequence, n >= 1, to its result: an element, or the index of one. Null where there is `finish`.
  void (*one)(const void* x, index n, void* to);
  // As `position`, of n columns, which fill a vector: `rows` more rows, `pitch` elements apart, numbered from `first`.
  void (*positions)(const void* x, index rows, index n, index pitch, index first, void* best, index* at) = nullptr;
  // The lanes of n columns, `count` rows of n elements, to one row apart from these: as many as 64 bytes have, or half
  // of it. Null for elements of few bytes, and where partial results are two.
  void (*lanes)(const void* x, index count, index n, void* to) = nullptr;
  // The same of 2 to 4 groups of so many rows, one after the other: lanes k and k + half are joined as they are
  // combined. `sums`: room for half of the lanes.
  void (*groups)(const void* x, int count, index n, void* sums, void* to) = nullptr;
  // `count` rows of n elements, `pitch` bytes apart, to one such row, combined from the first to the last; n elements
  // are a multiple of 64 bytes. Null where partial results are two.
  void (*long_rows)(const void* x, index count, index n, index pitch, void* to) = nullptr;
};

// The sum of n integers of x in i64, or, where y is not null, of their products with those of y in the elements' type.
using widening_sum = std::int64_t(const void* x, const void* y, index n);
// The same of the columns of `rows` rows, which begin so many bytes apart; a row of x is 64 bytes or more.
using widening_columns = void(const void* x, const void* y, index rows, index columns, index x_pitch, index y_pitch,
                              std::int64_t* to);
// And of rows, each to one sum.
using widening_rows = void(const void* x, const void* y, index rows, index n, index x_pitch, index y_pitch,
                           std::int64_t* to);
struct widening_kernels {
  widening_sum* one;
  widening_columns* columns;
  widening_rows* rows;
  index least_of_rows, most_of_rows;  // elements of such a row
  widening_rows* squares[3];          // of rows of such squares
};
// The same of squares in the elements' type: of x, of its differences from y, or from one number of y for each row.
enum class widened_square : unsigned char { of_array, of_difference, of_difference_from_number };

// The sum of such terms of n elements, or their maximum, n >= 1, to one element, in the order of any other sum. All are
// in the cache.
using product_sum = void(const void* x, const void* y, index n, void* to);
// The same of rows of n elements each, which begin so many bytes apart.
using product_rows = void(const void* x, const void* y, index rows, index n, index x_pitch, index y_pitch, void* to);
// The lanes of the same columns, up to a strip of rows: as many rows of sums as is returned. Where there are as many
// rows as lanes or more, these are all lanes, or half of them, k and k + half joined. A column's rows are so many bytes
// apart. Columns are 64 bytes or more.
using product_columns = index(const void* x, const void* y, index rows, index columns, index x_pitch, index y_pitch,
                              void* lanes);
// Rows of n elements, a multiple of 64 bytes, which begin so many bytes apart, added up to one from the first to the
// last.
using product_groups = void(const void* x, const void* y, index rows, index n, index x_pitch, index y_pitch, void* to);
// The lanes of all strips, 64 bytes each, of rows of x beside the one row y, a whole number of which fill a strip, and
// of whose bytes 64.
using products_beside_row = void(const void* x, const void* y, index rows, index n, void* lanes);
// The results of columns of up to a strip of rows, which begin so many bytes apart, joined in registers. Columns are 64
// bytes or more.
using products_of_few = void(const void* x, const void* y, index rows, index columns, index x_pitch, index y_pitch,
                             void* to);
struct product_kernels {
  product_sum* one;
  product_rows* rows;
  product_columns* columns;
  product_groups* groups;
  products_of_few* few;
  products_beside_row* beside_row;  // null where terms have no second array
};

// Absolute values of an array's elements, of its differences from another one, or from one number for each row. Their
// sums and maxima have the same kernels, without `beside_row`; maxima of i32 only those of rows.
enum class magnitude_of : unsigned char { array, difference, difference_from_number };

// The smallest and the largest of n elements, n >= 1: the bits of what `one` gives for each.
using min_max_of_one = void(const void* x, index n, void* least, void* most);

// The kernels of a level, by operation and type. Null where the operation is not defined for the type.
struct kernel_table {
  const reduce_kernels* at[static_cast<int>(reduction::compensated_sum) + 1][dtype_count];
  widening_kernels widening[dtype_count];  // by the type of the elements
  product_kernels products[4][2];          // of f32 and f64, by the term; null where a level has none
  product_kernels magnitudes[2][3][3];     // sums and maxima, of f32, f64 and i32, by the term; null as above
  min_max_of_one* min_max[dtype_count];    // null of types that amin and amax have no kernels for
};
BROADLOOM_LEVELS(all, kernel_table, reduce_tables)

inline const reduce_kernels* find_kernels(reduction op, dtype t, isa level) {
  return reduce_tables(level).at[static_cast<int>(op)][static_cast<int>(t)];
}

inline min_max_of_one* find_min_max(dtype t, isa level) { return reduce_tables(level).min_max[static_cast<int>(t)]; }

// What adds up the stage's elements in i64 while it widens them; nothing where they are others.
inline const widening_kernels& find_widening_kernels(reduction op, const stage& only, isa level) {
  static constexpr widening_kernels none{};
  if (op != reduction::sum || (only.known != arithmetic::widened && only.known != arithmetic::widened_times))
    return none;
  return reduce_tables(level).widening[static_cast<int>(only.input_types[0])];
}
// The same of rows of squares. The stage's first input is an array.
inline widening_rows* find_widening_squares(reduction op, const stage& only, bool by_number, isa level) {
  const bool of_difference = only.known == arithmetic::minus_squared;
  if (op != reduction::sum || only.type != dtype::i64 || (!of_difference && only.known != arithmetic::squared) ||
      (of_difference && only.input_types[1] != only.input_types[0]))
    return nullptr;
  const auto term = !of_difference ? widened_square::of_array
                    : by_number    ? widened_square::of_difference_from_number
                                   : widened_square::of_difference;
  return reduce_tables(level).widening[static_cast<int>(only.input_types[0])].squares[static_cast<int>(term)];
}
// Whether these loops take rows of n elements; with `most`, other loops take rows of more than most_of_rows.
inline bool are_widened_rows(const stage& only, index n, bool most, isa level) {
  const widening_kernels& k = reduce_tables(level).widening[static_cast<int>(only.input_types[0])];
  return n >= k.least_of_rows && (!most || n <= k.most_of_rows);
}
// The loop that adds up rows of the stage's elements or of their squares; null where it computes something else.
inline widening_rows* find_widening_rows(reduction op, const stage& only, bool by_number, isa level) {
  const widening_kernels& sums = find_widening_kernels(op, only, level);
  return sums.one != nullptr ? sums.rows : find_widening_squares(op, only, by_number, level);
}
inline widening_sum* find_widening(reduction op, const stage& only, isa level) {
  return find_widening_kernels(op, only, level).one;
}

// What adds up such terms of f32 or f64; null where a level has none.
inline const product_kernels& products_of(summed_term term, dtype t, isa level) {
  return reduce_tables(level).products[static_cast<int>(term)][t == dtype::f64 ? 1 : 0];
}
// The same of absolute values that the stage computes, the first input an array. Apart, so that find_products() is
// inlined: sums of few products take 0.97 of the time.
[[gnu::noinline]] inline const product_kernels& magnitudes_of(reduction op, const stage& only, bool by_number,
                                                              isa level) {
  static constexpr product_kernels none{};
  const bool has_two = only.known == arithmetic::minus_magnitude;
  if ((op != reduction::sum && op != reduction::amax) || only.input_count != (has_two ? 2 : 1) ||
      (only.type != dtype::f32 && only.type != dtype::f64 && only.type != dtype::i32))
    return none;
  for (int j = 0; j < only.input_count; ++j)
    if (only.input_types[j] != only.type) return none;
  const magnitude_of term = !has_two    ? magnitude_of::array
                            : by_number ? magnitude_of::difference_from_number
                                        : magnitude_of::difference;
  const int type = only.type == dtype::f32 ? 0 : only.type == dtype::f64 ? 1 : 2;
  return reduce_tables(level).magnitudes[op == reduction::amax ? 1 : 0][type][static_cast<int>(term)];
}

// What reduces the stage's results, products, squares or absolute values, while it computes them from its inputs, which
// are contiguous or one number; null where it computes something else.
inline const product_kernels& find_products(reduction op, const stage& only, const slot* inputs, isa level) {
  static constexpr product_kernels none{};
  if (inputs[0].advance == 0) return none;
  const bool by_number = only.input_count > 1 && inputs[1].advance == 0;
  if (only.known == arithmetic::magnitude || only.known == arithmetic::minus_magnitude)
    return magnitudes_of(op, only, by_number, level);
  const summed_term term = op == reduction::sum ? summed_term_of(only, by_number) : summed_term::other;
  return term == summed_term::other ? none : products_of(term, only.type, level);
}

}  // namespace broadloom::runtime
