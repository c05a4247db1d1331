// Reductions with a callable whose last axis is kept: columns are reduced together, row by row, in the order that each
// column by itself would have.
#pragma once

#include <broadloom/reduce/own_elements.hpp>
#include <broadloom/reduce/reduced.hpp>

namespace broadloom::detail {

inline constexpr index own_column_bytes = 4096;    // of columns that are reduced together in place: a page of each row
inline constexpr index own_computed_bytes = 2048;  // the same of elements that are computed before

// The axes of a tree of which those in `bits` are reduced: outer kept ones, reduced ones, and the kept ones behind
// these, whose indices are the columns.
template <int Rank>
class rows_and_columns {
 public:
  constexpr rows_and_columns(const indices<Rank>& extents, unsigned bits) {
    int behind = 0;
    for (int a = 0; a < Rank; ++a)
      if ((bits >> a & 1) != 0) {
        behind = a + 1;
        if (extents[a] > 1) last_reduced_ = a;
      }
    leading_ = behind;
    int next = 0;
    for (int kept = 1; kept >= 0; --kept)
      for (int a = 0; a < behind; ++a)
        if (((bits >> a & 1) == 0) == (kept == 1)) {
          order_[next++] = a;
          if (kept == 1)
            outer_ = next;
          else
            length_ *= extents[a];
        }
    for (int a = behind; a < Rank; ++a) {
      order_[next++] = a;
      columns_ *= extents[a];
      if (extents[a] > 1) last_kept_ = a;
    }
  }
  constexpr bool are_wide() const { return columns_ > 1 && length_ > 1; }
  constexpr const fixed_array<int, Rank>& order() const { return order_; }
  constexpr int outer() const { return outer_; }      // in the order: kept axes before the reduced ones
  constexpr int leading() const { return leading_; }  // all axes that are not columns
  constexpr int last_kept() const { return last_kept_; }
  constexpr int last_reduced() const { return last_reduced_; }
  constexpr index columns() const { return columns_; }
  constexpr index length() const { return length_; }

 private:
  fixed_array<int, Rank> order_{};
  int outer_ = 0, leading_ = 0, last_kept_ = 0, last_reduced_ = 0;
  index columns_ = 1, length_ = 1;
};

// The rows of one outer index, columns [column, column + width) of them: in place where they are contiguous and equally
// far apart, else computed.
template <class E, int Native>
class element_rows {
 public:
  using T = value_of<E>;
  static constexpr int rank = rank_of<E>;

  element_rows(const element_ranges<E, Native>& x, const rows_and_columns<rank>& axes) : x_(x), axes_(axes) {
    if (x.memory() == nullptr) return;
    const geometry<rank>& g = x.in_order();
    index n = 1;
    for (int a = rank - 1; a >= axes.leading(); --a) {
      if (g.extents[a] > 1 && g.strides[a] != n) return;
      n *= g.extents[a];
    }
    n = 1;
    for (int a = axes.leading() - 1; a >= axes.outer(); --a) {
      if (g.extents[a] == 1) continue;
      if (n == 1) pitch_ = g.strides[a];
      if (g.strides[a] != n * pitch_) return;
      n *= g.extents[a];
    }
    in_place_ = true;
  }
  bool in_place() const { return in_place_; }
  index pitch(index width) const { return in_place_ ? pitch_ : width; }
  const T* operator()(index outer, index first, index last, index column, index width, T* room,
                      const runtime::options& how) const {
    if (in_place_) {
      const geometry<rank>& g = x_.in_order();
      const T* from = x_.memory() + first * pitch_ + column;
      for (int a = axes_.outer() - 1; a >= 0; --a) {
        from += outer % g.extents[a] * g.strides[a];
        outer /= g.extents[a];
      }
      return from;
    }
    const index before = outer * axes_.length();
    x_.put({axes_.leading(), before + first, before + last, column, column + width}, room, how);
    return room;
  }

 private:
  const element_ranges<E, Native>& x_;
  const rows_and_columns<rank>& axes_;
  index pitch_ = 0;
  bool in_place_ = false;
};

// What `width` columns have come to: a row for each lane, to which row i of a strip is added at lane i % lanes, as
// own_combine::strip does it.
template <class Combine, class V>
class column_lanes {
 public:
  // Memory for a row of each lane.
  column_lanes(const Combine& f, V* memory, index width, index lanes)
      : f_(f), memory_(memory), width_(width), lanes_(lanes) {}

  // The first rows are taken as they are, where they lie.
  void begin() { rows_ = 0; }
  // All rows are added to an initial one.
  void begin_with(const V& initial) {
    for (index i = 0; i < lanes_ * width_; ++i) memory_[i] = initial;
    for (index l = 0; l < lanes_; ++l) row_[l] = own(l);
    rows_ = lanes_;
  }
  // Rows before these are a multiple of the lanes.
  void add(const V* x, index rows, index pitch) {
    for (; rows > 0 && rows_ < lanes_; ++rows_, --rows, x += pitch) row_[rows_] = x;
    // Contiguous rows are, lanes and all, one row.
    const index height = pitch == width_ ? lanes_ : 1;
    while (rows >= lanes_) {
      const index groups = rows / lanes_ < max_groups ? rows / lanes_ : index{max_groups};
      for (index l = 0; l < lanes_; l += height) {
        const V* of_lane[max_groups];
        for (index g = 0; g < groups; ++g) of_lane[g] = x + (g * lanes_ + l) * pitch;
        f_.on_rows(own(l), row_[l], of_lane, static_cast<int>(groups), height * width_);
      }
      for (index l = 0; l < lanes_; ++l) row_[l] = own(l);
      x += groups * lanes_ * pitch;
      rows -= groups * lanes_;
    }
    for (index l = 0; l < rows; ++l, x += pitch) combine(own(l), l, x);
  }
  // Where rows were taken will be something else.
  void keep() {
    for (index l = 0; l < rows_; ++l)
      if (row_[l] != own(l)) {
        f_.on_rows(own(l), row_[l], nullptr, 0, width_);
        row_[l] = own(l);
      }
  }
  // The lanes pair by pair, a few columns at a time.
  void join(V* to) {
    if (rows_ == 1) return f_.on_rows(to, row_[0], nullptr, 0, width_);
    V t[max_lanes < 2 ? 1 : max_lanes / 2][few_columns];
    for (index c = 0; c < width_; c += few_columns) {
      const index n = width_ - c < few_columns ? width_ - c : index{few_columns};
      index half = lanes_ / 2;
      for (index k = 0; k < half && k < rows_; ++k) {
        const bool two = k + half < rows_;
        const V* const other = two ? row_[k + half] + c : nullptr;
        f_.on_rows(t[k], row_[k] + c, &other, two ? 1 : 0, n);
      }
      for (half /= 2; half >= 1; half /= 2)
        for (index k = 0; k < half && k + half < rows_; ++k) {
          const V* const other = t[k + half];
          f_.on_rows(t[k], t[k], &other, 1, n);
        }
      for (index i = 0; i < n; ++i) to[c + i] = t[0][i];
    }
  }

 private:
  static constexpr int max_groups = 8, max_lanes = Combine::lanes, few_columns = 4 * max_lanes;
  V* own(index lane) const { return memory_ + lane * width_; }
  void combine(V* to, index lane, const V* x) {
    f_.on_rows(to, row_[lane], &x, 1, width_);
    row_[lane] = to;
  }

  const Combine& f_;
  V* memory_;
  index width_, lanes_, rows_ = 0;
  const V* row_[max_lanes]{};
};

// Rows [0, n) of `width` elements, combined pair by pair into the first, as pairs_of does it with elements.
template <class Combine, class V>
void pairs_of_rows(const Combine& f, V* x, index n, index width) {
  const auto join = [&](index left, index right) {
    const V* const y = x + right * width;
    f.on_rows(x + left * width, x + left * width, &y, 1, width);
  };
  for (index step = 1; 2 * step <= n; step *= 2)
    for (index i = 0; i + 2 * step <= n; i += 2 * step) join(i, i + step);
  index last = n, right = -1;  // the blocks of falling powers of two that are left, from the right
  for (index size = 1; last > 0; size *= 2) {
    if ((n & size) == 0) continue;
    last -= size;
    if (right >= 0) join(last, right);
    right = last;
  }
}

// Results [first, last): whole outer indices, or columns of one of them.
template <bool AnyOrder, class V, class Combine, class E, int Native>
void reduce_columns(const Combine& f, const V& identity, const element_ranges<E, Native>& elements,
                    const rows_and_columns<rank_of<E>>& axes, index first, index last, V* to,
                    const runtime::options& how) {
  const element_rows<E, Native> x(elements, axes);
  const index n = axes.length(), columns = axes.columns();
  const index outer = first / columns, outers = (last - 1) / columns + 1 - outer, begin = first % columns,
              wide = outers > 1 ? columns : last - first;
  const index lanes = AnyOrder ? index{Combine::lanes} : index{1};
  runtime::options inside = how;
  inside.threads = 1;

  const index bytes = x.in_place() ? own_column_bytes : own_computed_bytes;
  index width = bytes / static_cast<index>(sizeof(V));
  if (!AnyOrder && how.threads != 1 && wide <= width && outers == 1) width = (wide / 2 + 15) / 16 * 16;
  if (width > wide) width = wide;
  const index tiles = (wide - 1) / width + 1;
  // rows that are computed together
  const index rows = block_elements / (2 * width * lanes) < 1 ? lanes : block_elements / (2 * width * lanes) * lanes;
  const index strips = AnyOrder ? (n - 1) / strip_elements + 1 : index{1};
  index of_task = block_elements / (strip_elements * width);  // strips
  if (of_task < 1) of_task = 1;
  const index segments = (strips - 1) / of_task + 1;
  const block_memory<V> partial(strips > 1 ? outers * strips * wide : index{0});

  on_threads(outers * segments * tiles, outers * n * wide, how.threads, [&](index t) {
    const index column = t % tiles * width, own = column + width < wide ? width : wide - column,
                s = t / tiles % segments * of_task, o = t / tiles / segments,
                stop = s + of_task < strips ? s + of_task : strips;
    const index computed = x.in_place() ? 0 : (rows < n ? rows : n) * own;
    const block_memory<V> memory(own * lanes + computed);
    column_lanes<Combine, V> sums(f, memory.data(), own, lanes);
    const index pitch = x.pitch(own);
    for (index strip = s; strip < stop; ++strip) {
      const index first_row = AnyOrder ? strip * strip_elements : index{0},
                  until = !AnyOrder || n - first_row < strip_elements ? n : first_row + strip_elements,
                  step = x.in_place() ? until - first_row : rows;
      if constexpr (AnyOrder)
        sums.begin();
      else
        sums.begin_with(identity);
      for (index i = first_row; i < until; i += step) {
        const index count = until - i < step ? until - i : step;
        if (i > first_row && !x.in_place()) sums.keep();
        sums.add(x(outer + o, i, i + count, begin + column, own, memory.data() + own * lanes, inside), count, pitch);
      }
      sums.join(strips > 1 ? partial.data() + (o * strips + strip) * wide + column : to + o * wide + column);
    }
  });
  if (strips == 1) return;
  on_threads(outers, outers * strips * wide, how.threads, [&](index o) {
    V* const p = partial.data() + o * strips * wide;
    pairs_of_rows(f, p, strips, wide);
    for (index c = 0; c < wide; ++c) to[o * wide + c] = p[c];
  });
}

}  // namespace broadloom::detail
