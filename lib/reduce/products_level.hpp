// Sums of products, of squares and of absolute values in the order of other sums, and maxima, reduced while they are
// computed. Part of kernels_level.cpp.
#pragma once

#include "columns_level.hpp"
#include "rows_level.hpp"

namespace broadloom::runtime {
namespace {

// What a term has besides an element of the first array.
enum class second_operand { none, number, array };
constexpr second_operand second_of(summed_term t) {
  return t == summed_term::square               ? second_operand::none
         : t == summed_term::squared_difference ? second_operand::number
                                                : second_operand::array;
}
constexpr second_operand second_of(magnitude_of t) {
  return t == magnitude_of::array        ? second_operand::none
         : t == magnitude_of::difference ? second_operand::array
                                         : second_operand::number;
}

// The elements that are combined: products, squares or absolute values, each computed from the elements of the arrays x
// and y at the same index, or from an element of x and the one number y.
template <class T, auto Term>
struct term_elements {
  static constexpr int w = width<T>;
  using vector = simd_vec<T, w>;
  using integers = decltype(vector{} != vector{});
  static constexpr bool reads_y = second_of(Term) == second_operand::array;
  static constexpr bool has_number = second_of(Term) == second_operand::number;

  const T *x, *y;
  vector number{};

  BROADLOOM_INLINE term_elements(const T* a, const T* b) : x(a), y(b) {
    if constexpr (has_number) number = splat<w>(*b);
  }
  BROADLOOM_INLINE vector term(const vector& a, const vector& b) const {
    using broadloom::lanes::minus, broadloom::lanes::times, broadloom::lanes::magnitude;
    const auto difference = [&]() __attribute__((always_inline)) {
      if constexpr (reads_y || has_number)
        return minus(a, reads_y ? b : number);
      else
        return a;
    };
    if constexpr (__is_same(decltype(Term), magnitude_of)) {
      return magnitude(difference());
    } else if constexpr (Term == summed_term::product) {
      return times(a, b);
    } else {
      const vector d = difference();
      return times(d, d);
    }
  }
  BROADLOOM_INLINE vector at(index i) const {
    const vector a = load<T, w>(x + i);
    if constexpr (reads_y)
      return term(a, load<T, w>(y + i));
    else
      return term(a, a);
  }
  BROADLOOM_INLINE void move(index x_bytes, index y_bytes) {
    x = reinterpret_cast<const T*>(reinterpret_cast<const char*>(x) + x_bytes);
    if constexpr (reads_y) y = reinterpret_cast<const T*>(reinterpret_cast<const char*>(y) + y_bytes);
  }
  // Which lanes are less than `count`.
  template <int... I>
  BROADLOOM_INLINE static integers before(index count, detail::sequence<I...>) {
    using lane = std::remove_cvref_t<decltype(integers{}[0])>;
    return integers{I...} < splat<w>(static_cast<lane>(count));
  }
  BROADLOOM_INLINE static integers lanes_before(index count) { return before(count, detail::make_sequence<w>{}); }
  // Of the first `count` lanes; nothing behind them is read. The others are the identity element.
  BROADLOOM_INLINE vector partly_at(index i, index count, const vector& identity) const {
    const vector a = load_partly(x + i, count, identity), b = reads_y ? load_partly(y + i, count, identity) : a;
    return lanes_before(count) ? term(a, b) : identity;
  }
};

// Elements are term_elements.
template <class Op, class T, class Elements>
struct term_loops : vector_fold<Op, T> {
  using base = vector_fold<Op, T>;
  using elements = Elements;
  // Op, or Op of vectors without NaN, which are looked for then.
  using by = std::conditional_t<has_min_max_instruction<Op, simd_vec<T, base::w>>, min_max_of_numbers<Op>, Op>;
  static constexpr bool looks = !__is_same(by, Op);
  static constexpr int w = base::w, vectors = base::vectors, batch = base::batch;
  using typename base::stack, typename base::vector;
  static constexpr int side = 4;  // rows that are interleaved
  static_assert(batch % side == 0 || !has_partial_loads<T>);

  // Within a strip each addition waits for the one before it: strips are therefore interleaved.
  // False where By is of numbers, and one is none.
  template <class By, int Side>
  BROADLOOM_INLINE static bool lanes_interleaved(const elements& e, index first, vector* to) {
    vector acc[Side][vectors];
    no_nan<vector> numbers;
#pragma GCC unroll 4
    for (int s = 0; s < Side; ++s)
#pragma GCC unroll 2
      for (int v = 0; v < vectors; ++v) acc[s][v] = e.at(first + s * strip_length + v * w);
    if constexpr (!__is_same(By, Op))
#pragma GCC unroll 2
      for (int s = 0; s < Side; s += 2)
#pragma GCC unroll 2
        for (int v = 0; v < vectors; ++v) numbers.look_at(acc[s][v], acc[s + 1][v]);
    for (index i = first + lane_total<T>; i < first + strip_length; i += lane_total<T>)
#pragma GCC unroll 2
      for (int s = 0; s < Side; s += 2)
#pragma GCC unroll 2
        for (int v = 0; v < vectors; ++v) {
          const vector x = e.at(i + s * strip_length + v * w), y = e.at(i + (s + 1) * strip_length + v * w);
          if constexpr (!__is_same(By, Op)) numbers.look_at(x, y);
          acc[s][v] = By::on(acc[s][v], x);
          acc[s + 1][v] = By::on(acc[s + 1][v], y);
        }
    if (!__is_same(By, Op) && numbers.was_there()) return false;
#pragma GCC unroll 4
    for (int s = 0; s < Side; ++s) to[s] = base::one_vector(acc[s]);
    return true;
  }
  // The same of rows of n elements each, as many as lanes or a multiple of it.
  template <int Side>
  BROADLOOM_INLINE static void lanes_of_rows(const elements* e, index n, vector* to) {
    vector acc[Side][vectors];
#pragma GCC unroll 4
    for (int s = 0; s < Side; ++s)
#pragma GCC unroll 2
      for (int v = 0; v < vectors; ++v) acc[s][v] = e[s].at(v * w);
    for (index i = lane_total<T>; i < n; i += lane_total<T>)
#pragma GCC unroll 4
      for (int s = 0; s < Side; ++s)
#pragma GCC unroll 2
        for (int v = 0; v < vectors; ++v) acc[s][v] = Op::on(acc[s][v], e[s].at(i + v * w));
#pragma GCC unroll 4
    for (int s = 0; s < Side; ++s) to[s] = base::one_vector(acc[s]);
  }

  // The lanes of n elements, 1 <= n <= strip_length. False as above.
  template <class By>
  BROADLOOM_INLINE static bool lanes_by(const elements& e, index first, index n, vector& to) {
    const vector identity = splat<w>(Op::template identity<T>());
    vector acc[vectors];
    no_nan<vector> numbers;
    const auto combine = [&](int v, const vector& x) __attribute__((always_inline)) {
      if constexpr (!__is_same(By, Op)) numbers.look_at(x, x);
      acc[v] = By::on(acc[v], x);
    };
    const index rest = n & (lane_total<T> - 1), end = first + n - rest;
    const bool has_lanes = n >= lane_total<T>;
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) {
      acc[v] = has_lanes ? e.at(first + v * w) : identity;
      if constexpr (!__is_same(By, Op)) numbers.look_at(acc[v], acc[v]);
    }
#pragma GCC unroll 4
    for (index i = first + lane_total<T>; i < end; i += lane_total<T>)
#pragma GCC unroll 2
      for (int v = 0; v < vectors; ++v) combine(v, e.at(i + v * w));
    if (rest > 0)
#pragma GCC unroll 2
      for (int v = 0; v < vectors; ++v) {
        const index count = rest - v * w;
        if (count > 0) combine(v, e.partly_at(end + v * w, count < w ? count : w, identity));
      }
    if (!__is_same(By, Op) && numbers.was_there()) return false;
    to = base::one_vector(acc);
    return true;
  }
  BROADLOOM_INLINE static vector lanes_of(const elements& e, index first, index n) {
    vector lanes;
    if (!lanes_by<by>(e, first, n, lanes)) lanes_by<Op>(e, first, n, lanes);
    return lanes;
  }

  // `Side` whole strips, to one result.
  template <int Side>
  BROADLOOM_INLINE static T strips_interleaved(const elements& e, index first) {
    vector found[batch > Side ? batch : Side];
    if (!lanes_interleaved<by, Side>(e, first, found)) lanes_interleaved<Op, Side>(e, first, found);
    alignas(64) T results[batch > Side ? batch : Side];
    base::template across_batch<batch, Side>(found);
    store<T>(results, found[0]);
#pragma GCC unroll 2
    for (int k = Side / 2; k > 0; k /= 2)
#pragma GCC unroll 2
      for (int i = 0; i < k; ++i) results[i] = Op::on(results[2 * i], results[2 * i + 1]);
    return results[0];
  }

  [[gnu::noinline]] static void several_strips(const T* x, const T* y, index n, T* to) {
    const elements e(x, y);
    const index whole = n / strip_length, rest = n % strip_length;
    stack partial;
    index done = 0;
    for (; done + 4 <= whole; done += 4) partial.push(strips_interleaved<4>(e, done * strip_length), done / 4);
    if (done + 2 <= whole) {
      partial.push(strips_interleaved<2>(e, done * strip_length), done / 2);
      done += 2;
    }
    for (; done * strip_length < n; ++done)
      partial.push(base::fold(lanes_of(e, done * strip_length, done < whole ? strip_length : rest)), done);
    *to = partial.result();
  }
  static void reduce(const void* x, const void* y, index n, void* to) {
    const T *const a = static_cast<const T*>(x), *const b = static_cast<const T*>(y);
    if (n > strip_length) return several_strips(a, b, n, static_cast<T*>(to));
    *static_cast<T*>(to) = base::fold(lanes_of(elements(a, b), 0, n));
  }

  // Rows of one strip in a batch, whose lanes are combined together.
  static void reduce_rows(const void* x, const void* y, index rows, index n, index x_pitch, index y_pitch, void* to) {
    const char *a = static_cast<const char*>(x), *b = static_cast<const char*>(y);
    T* out = static_cast<T*>(to);
    const auto next = [&]() __attribute__((always_inline)) {
      const elements e(reinterpret_cast<const T*>(a), reinterpret_cast<const T*>(b));
      a += x_pitch;
      b += y_pitch;
      return e;
    };
    for (; n <= strip_length && rows >= batch; rows -= batch, out += batch) {
      vector found[batch];
      if (n % lane_total<T> == 0)
#pragma GCC unroll 4
        for (int k = 0; k < batch; k += side) {
          const elements e[] = {next(), next(), next(), next()};
          lanes_of_rows<side>(e, n, found + k);
        }
      else
        for (int k = 0; k < batch; ++k) found[k] = lanes_of(next(), 0, n);
      base::template across_batch<batch>(found);
      store<T>(out, found[0]);
    }
    for (; rows > 0; --rows, a += x_pitch, b += y_pitch) reduce(a, b, n, out++);
  }

  // The lanes of `Side` strips, each of `rows` rows of n elements, beside one row for all; n is a multiple of the
  // lanes.
  template <int Side>
  BROADLOOM_INLINE static void lanes_beside_row(const elements& e, index rows, index n, T* to) {
    vector acc[Side][vectors];
    const auto term = [&](const T* x, index i, int s) __attribute__((always_inline)) {
      return e.term(load<T, w>(x + i + s * strip_length), load<T, w>(e.y + i));
    };
#pragma GCC unroll 4
    for (int s = 0; s < Side; ++s)
#pragma GCC unroll 2
      for (int v = 0; v < vectors; ++v) acc[s][v] = term(e.x, v * w, s);
    const T* x = e.x;
    for (index r = 0, first = lane_total<T>; r < rows; ++r, x += n, first = 0)
      for (index i = first; i < n; i += lane_total<T>)
#pragma GCC unroll 4
        for (int s = 0; s < Side; ++s)
#pragma GCC unroll 2
          for (int v = 0; v < vectors; ++v) acc[s][v] = Op::on(acc[s][v], term(x, i + v * w, s));
#pragma GCC unroll 4
    for (int s = 0; s < Side; ++s)
#pragma GCC unroll 2
      for (int v = 0; v < vectors; ++v) store<T>(to + s * lane_total<T> + v * w, acc[s][v]);
  }
  static void reduce_beside_row(const void* x, const void* y, index rows, index n, void* lanes) {
    const index together = strip_length / n;  // rows
    T* to = static_cast<T*>(lanes);
    elements e(static_cast<const T*>(x), static_cast<const T*>(y));
    for (; rows >= side * together; rows -= side * together, e.x += side * strip_length, to += side * lane_total<T>)
      lanes_beside_row<side>(e, together, n, to);
    for (; rows > 0; rows -= together, e.x += strip_length, to += lane_total<T>)
      lanes_beside_row<1>(e, rows < together ? rows : together, n, to);
  }

  // `Side` vectors of columns of every lane_total-th row from a lane's first one on; with Lanes 2 those of the lane
  // half of all further on, too, joined with them. False, and nothing is written, where By is of numbers, and one is
  // none.
  template <class By, int Side, int Lanes>
  BROADLOOM_INLINE static bool lane_block(elements e, index rows, index x_row, index y_row, T* to) {
    constexpr index half = lane_total<T> / 2;
    constexpr int pair = Side > 1 ? 2 : 1;
    vector acc[Lanes][Side];
    no_nan<vector> numbers[Lanes];
    const auto at = [&](int l, int s) __attribute__((always_inline)) {
      elements here = e;
      here.x += l * half * x_row;
      here.y += l * half * y_row;
      return here.at(s * w);
    };
    const auto combine = [&](int l) __attribute__((always_inline)) {
#pragma GCC unroll 8
      for (int s = 0; s < Side; s += pair) {
        const vector x = at(l, s), y = pair == 2 ? at(l, s + 1) : x;
        if constexpr (!__is_same(By, Op)) numbers[l].look_at(x, y);
        acc[l][s] = By::on(acc[l][s], x);
        if constexpr (pair == 2) acc[l][s + 1] = By::on(acc[l][s + 1], y);
      }
    };
#pragma GCC unroll 2
    for (int l = 0; l < Lanes; ++l)
#pragma GCC unroll 8
      for (int s = 0; s < Side; ++s) {
        acc[l][s] = at(l, s);
        if (!__is_same(By, Op) && s % pair == pair - 1) numbers[l].look_at(acc[l][s + 1 - pair], acc[l][s]);
      }
    index r = lane_total<T>;
    for (; r + (Lanes - 1) * half < rows; r += lane_total<T>) {
      e.x += x_row * lane_total<T>;
      e.y += y_row * lane_total<T>;
#pragma GCC unroll 2
      for (int l = 0; l < Lanes; ++l) combine(l);
    }
    if (Lanes > 1 && r < rows) {
      e.x += x_row * lane_total<T>;
      e.y += y_row * lane_total<T>;
      combine(0);
    }
    if constexpr (!__is_same(By, Op)) {
      if constexpr (Lanes > 1) numbers[0].look_at(numbers[Lanes - 1]);
      if (numbers[0].was_there()) return false;
    }
#pragma GCC unroll 8
    for (int s = 0; s < Side; ++s) store<T>(to + s * w, Lanes == 1 ? acc[0][s] : Op::on(acc[0][s], acc[Lanes - 1][s]));
    return true;
  }
  // The same where there is a NaN.
  template <int Lanes>
  [[gnu::noinline]] static void lane_block_again(elements e, index vectors_of_row, index rows, index x_row, index y_row,
                                                 T* to) {
    for (index s = 0; s < vectors_of_row; ++s, e.x += w, e.y += w, to += w)
      lane_block<Op, 1, Lanes>(e, rows, x_row, y_row, to);
  }
  template <int Side, int Lanes>
  BROADLOOM_INLINE static void lane_of_columns(const T* x, const T* y, index rows, index x_row, index y_row,
                                               const elements& first, T* to) {
    elements e = first;  // for its number
    e.x = x;
    e.y = y;
    const bool done = lane_block<by, Side, Lanes>(e, rows, x_row, y_row, to);
    if constexpr (looks)
      if (!done) lane_block_again<Lanes>(e, Side, rows, x_row, y_row, to);
  }

  // Rows of many columns may be a power of two apart, where what is read of them shares a few lines of the caches:
  // eight vectors of each are read while these lines are there. The last vector of a row overlaps the one before it.
  template <int Lanes>
  BROADLOOM_INLINE static void lanes_of_columns(const T* x, const T* y, index rows, index columns, index x_row,
                                                index y_row, T* to) {
    constexpr int most = 8, fewer = 2;
    const elements first(x, y);
    const T *a = first.x, *b = elements::reads_y ? first.y : a;
    const index lanes = lane_total<T> / Lanes;
    for (index l = 0; l < lanes && l < rows; ++l, a += x_row, b += y_row, to += columns) {
      index j = 0;
      for (; j + most * w <= columns; j += most * w)
        lane_of_columns<most, Lanes>(a + j, b + j, rows - l, x_row, y_row, first, to + j);
      for (; j + fewer * w <= columns; j += fewer * w)
        lane_of_columns<fewer, Lanes>(a + j, b + j, rows - l, x_row, y_row, first, to + j);
      for (; j < columns; j += w) {
        if (j + w > columns) j = columns - w;
        lane_of_columns<1, Lanes>(a + j, b + j, rows - l, x_row, y_row, first, to + j);
      }
    }
  }
  // `Side` vectors of columns of rows Lane, Lane + Half, ... of the lanes, to one row, joined in registers as the lanes
  // of one column are: k and k + half.
  template <int Side, index Lane, index Half>
  BROADLOOM_INLINE static void joined_columns(const elements& e, index rows, index x_row, index y_row, vector* to) {
    if constexpr (Half == lane_total<T>) {
      elements here = e;
      here.x += Lane * x_row;
      here.y += Lane * y_row;
#pragma GCC unroll 2
      for (int s = 0; s < Side; ++s) to[s] = here.at(s * w);
      for (index r = Lane + lane_total<T>; r < rows; r += lane_total<T>) {
        here.x += x_row * lane_total<T>;
        here.y += y_row * lane_total<T>;
#pragma GCC unroll 2
        for (int s = 0; s < Side; ++s) to[s] = Op::on(to[s], here.at(s * w));
      }
    } else {
      joined_columns<Side, Lane, 2 * Half>(e, rows, x_row, y_row, to);
      if (Lane + Half >= rows) return;
      vector right[Side];
      joined_columns<Side, Lane + Half, 2 * Half>(e, rows, x_row, y_row, right);
#pragma GCC unroll 2
      for (int s = 0; s < Side; ++s) to[s] = Op::on(to[s], right[s]);
    }
  }
  template <int Side>
  [[gnu::noinline]] static void join_block(const elements& e, index rows, index x_row, index y_row, T* to) {
    vector sums[Side];
    joined_columns<Side, 0, 1>(e, rows, x_row, y_row, sums);
#pragma GCC unroll 2
    for (int s = 0; s < Side; ++s) store<T>(to + s * w, sums[s]);
  }
  // The results of few rows. The last vector overlaps the one before it.
  static void reduce_few(const void* x, const void* y, index rows, index columns, index x_pitch, index y_pitch,
                         void* results) {
    constexpr index size = sizeof(T);
    constexpr int pair = 2;  // vectors: with AVX2, a cache line of each row
    const elements first(static_cast<const T*>(x), static_cast<const T*>(y));
    const index x_row = x_pitch / size, y_row = elements::reads_y ? y_pitch / size : 0;
    T* const to = static_cast<T*>(results);
    const auto at = [&](index j) __attribute__((always_inline)) {
      elements e = first;
      e.move(j * size, j * size);
      return e;
    };
    index j = 0;
    for (; j + pair * w <= columns; j += pair * w) join_block<pair>(at(j), rows, x_row, y_row, to + j);
    for (; j < columns; j += w) {
      if (j + w > columns) j = columns - w;
      join_block<1>(at(j), rows, x_row, y_row, to + j);
    }
  }
  static void reduce_groups(const void* x, const void* y, index rows, index n, index x_pitch, index y_pitch, void* to) {
    long_columns<Op, T, elements>::all({static_cast<const T*>(x), static_cast<const T*>(y)}, rows, n, x_pitch, y_pitch,
                                       static_cast<T*>(to));
  }
  static index reduce_columns(const void* x, const void* y, index rows, index columns, index x_pitch, index y_pitch,
                              void* lanes) {
    constexpr index size = sizeof(T);
    const T *const a = static_cast<const T*>(x), *const b = static_cast<const T*>(y);
    T* const to = static_cast<T*>(lanes);
#if BROADLOOM_VECTOR == 64  // with 32 registers
    if (rows >= lane_total<T>) {
      lanes_of_columns<2>(a, b, rows, columns, x_pitch / size, y_pitch / size, to);
      return lane_total<T> / 2;
    }
#endif
    lanes_of_columns<1>(a, b, rows, columns, x_pitch / size, y_pitch / size, to);
    return rows < lane_total<T> ? rows : lane_total<T>;
  }
};

}  // namespace
}  // namespace broadloom::runtime
