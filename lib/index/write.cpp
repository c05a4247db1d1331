// Writes elements to a selection, or adds, multiplies or compares them into it. Threads divide the destinations, so
// elements for one destination arrive in a fixed order.
#include <atomic>
#include <cstring>
#include <memory>

#include "../base/for_each.hpp"
#include "../base/smaller.hpp"
#include "bounds_check.hpp"
#include "scatter_axis.hpp"
#include "updates.hpp"
#include "walk.hpp"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

namespace broadloom::runtime {

namespace {

struct job {
  const selection& to;
  const std::byte* from;
  const index* from_strides;
  // destinations are divided by indices of this axis, or by values of the first term (axis < 0)
  int axis;
  index per_block, blocks;
  index* cursors;              // null, or cursors for each block: nothing is allocated once writing has begun
  std::atomic<bool>* outside;  // null if indices have been checked; else set where one of a row is out of bounds
};
constexpr int max_stack_axes = 8;
constexpr index max_readers = 8;     // threads that each read all indices
constexpr index most_rows_once = 4;  // updates of a row, below which strips of columns are not read again

// Elements in a line, to destinations of one line.
template <class Op, class T, class I>
void write_line_of(std::byte* to, const std::byte* from, index n, const I* p) {
  constexpr auto size = static_cast<index>(sizeof(T));
  for (index i = 0; i < n; ++i) update_one<Op>(to + static_cast<index>(p[i]) * size, load<T>(from + i * size));
}

// Placed as read_row() of read.cpp is, for the same reason.
template <class Op, class T, class I>
[[gnu::aligned(64)]] void write_selected(std::byte* to, const std::byte* from, index n, index stride, index from_stride,
                                         const I* p, index p_stride, index extent, index step) {
  constexpr auto size = static_cast<index>(sizeof(T));
  if (p_stride == 1 && from_stride == size && extent == 0) {
    if (stride == 0 && step == size) {
      if constexpr (requires { typename Op::of_number; })
        if (are_numbers<Op, T>(from, n)) return write_line_of<typename Op::of_number, T>(to, from, n, p);
      return write_line_of<Op, T>(to, from, n, p);
    }
    for (index i = 0; i < n; ++i)
      update_one<Op>(to + i * stride + static_cast<index>(p[i]) * step, load<T>(from + i * size));
    return;
  }
  for (index i = 0; i < n; ++i) {
    const auto x = static_cast<index>(p[i * p_stride]);
    update_one<Op>(to + i * stride + (x + ((x >> 63) & extent)) * step, load<T>(from + i * from_stride));
  }
}

// The same for indices in [low, high) alone; without a branch, the others go to a dummy.
template <class Op, class T, class I>
void write_within(std::byte* to, const std::byte* from, index n, index stride, index from_stride, const I* p,
                  index p_stride, index extent, index step, index low, index high) {
  std::byte nowhere[sizeof(T)] = {};
  const auto span = static_cast<std::uint64_t>(high - low);
  for (index i = 0; i < n; ++i) {
    auto x = static_cast<index>(p[i * p_stride]);
    x += (x >> 63) & extent;
    const bool mine = static_cast<std::uint64_t>(x - low) < span;
    std::byte* const place = mine ? to + i * stride + x * step : nowhere;
    update_one<Op>(place, load<T>(from + i * from_stride));
  }
}

template <class Op, class T>
void write_strided(std::byte* to, const std::byte* from, index n, index stride, index from_stride) {
  constexpr auto size = static_cast<index>(sizeof(T));
  if (stride == size && from_stride == size) {
    if constexpr (std::is_same_v<Op, put_f>)
      std::memmove(to, from, static_cast<std::size_t>(n * size));
    else
      update_line<Op, T>(to, from, n);
    return;
  }
  for (index i = 0; i < n; ++i) update_one<Op>(to + i * stride, load<T>(from + i * from_stride));
}

// Calls write(i, p[i]) for each of n indices, which are checked four at a time; false as soon as one is out of bounds.
template <class I, class F>
[[gnu::always_inline]] inline bool checked_by_four(const I* p, index n, index extent, F write) {
  const auto last = static_cast<std::uint64_t>(extent - 1);
  const auto outside = [last](std::uint64_t x) { return x | (last - x); };  // in the sign bit
  index i = 0;
  for (; i + 4 <= n; i += 4) {
    const auto a = static_cast<std::uint64_t>(p[i]), b = static_cast<std::uint64_t>(p[i + 1]),
               c = static_cast<std::uint64_t>(p[i + 2]), d = static_cast<std::uint64_t>(p[i + 3]);
    if (((outside(a) | outside(b) | outside(c) | outside(d)) & sign_bit) != 0) return false;
    write(i, static_cast<index>(a));
    write(i + 1, static_cast<index>(b));
    write(i + 2, static_cast<index>(c));
    write(i + 3, static_cast<index>(d));
  }
  for (; i < n; ++i) {
    const auto x = static_cast<std::uint64_t>(p[i]);
    if ((outside(x) & sign_bit) != 0) return false;
    write(i, static_cast<index>(x));
  }
  return true;
}
// A row of elements in a line.
template <class Op, class T, class I>
[[gnu::aligned(64)]] bool write_checked(std::byte* to, const std::byte* from, index n, index stride, const I* p,
                                        index extent, index step) {
  constexpr auto size = static_cast<index>(sizeof(T));
  if (stride == 0 && step == size)
    return checked_by_four(p, n, extent,
                           [=](index i, index x) { update_one<Op>(to + x * size, load<T>(from + i * size)); });
  return checked_by_four(
      p, n, extent, [=](index i, index x) { update_one<Op>(to + x * step + i * stride, load<T>(from + i * size)); });
}

// Whether the indices of rows are checked where they are used: each belongs to one element alone.
bool checks_rows(const selection& s, const index* from_strides) {
  if (!s.partial || s.term_count != 1 || s.rank == 0 || from_strides[s.rank - 1] != s.size) return false;
  const position_term& t = s.terms[0];
  for (int i = 0; i < s.rank; ++i)
    if (s.extents[i] != 1 && t.strides[i] == 0) return false;
  return t.strides[s.rank - 1] == 1 && !t.negative && t.segments == nullptr;
}

// Only indices of the first term in [low, high).
template <class Op, class T>
void write_row(const job& j, const index* at, int axis, index n, const std::byte* from, index low, index high) {
  const selection& s = j.to;
  const bool divided = j.axis < 0 && j.blocks > 1;
  if (divided && (axis < 0 || s.terms[0].strides[axis] == 0)) {  // the whole row is another thread's, or none of it
    index p = 0;
    for (int i = 0; i < s.rank; ++i) p += at[i] * s.terms[0].strides[i];
    index x = position(s.terms[0], p);
    if (x < 0) x += s.terms[0].extent;
    if (x < low || x >= high) return;
  }
  const selected_row r = row_at(s, at, axis);
  auto* const to = const_cast<std::byte*>(r.first);
  const index from_stride = axis < 0 ? 0 : j.from_strides[axis];
  if (r.varying == 0) return write_strided<Op, T>(to, from, n, r.stride, from_stride);
  if (j.outside != nullptr)
    return with_positions(*r.term[0], r.at[0], [&](const auto* p) {
      const auto checked = [&]<class By>(By) {
        return write_checked<By, T>(to, from, n, r.stride, p, r.term[0]->extent, r.term[0]->step);
      };
      bool inside = false;
      if constexpr (requires { typename Op::of_number; })
        inside = are_numbers<Op, T>(from, n) ? checked(typename Op::of_number{}) : checked(Op{});
      else
        inside = checked(Op{});
      if (!inside) j.outside->store(true, std::memory_order_relaxed);
    });
  if (r.varying == 1 && !divided)
    return with_positions(*r.term[0], r.at[0], [&](const auto* p) {
      write_selected<Op, T>(to, from, n, r.stride, from_stride, p, r.term_stride[0],
                            r.term[0]->negative ? r.term[0]->extent : 0, r.term[0]->step);
    });
  const bool look = divided && r.term[0] == &s.terms[0];
  if (r.varying == 1 && look)
    return with_positions(*r.term[0], r.at[0], [&](const auto* p) {
      write_within<Op, T>(to, from, n, r.stride, from_stride, p, r.term_stride[0],
                          r.term[0]->negative ? r.term[0]->extent : 0, r.term[0]->step, low, high);
    });
  for (index i = 0; i < n; ++i) {
    index offset = i * r.stride;
    bool mine = true;
    for (int k = 0; k < r.varying; ++k) {
      index x = position(*r.term[k], r.at[k] + i * r.term_stride[k]);
      if (x < 0) x += r.term[k]->extent;
      if (k == 0 && look) mine = x >= low && x < high;
      offset += x * r.term[k]->step;
    }
    if (mine) update_one<Op>(to + offset, load<T>(from + i * from_stride));
  }
}

template <class Op, class T>
void write_block(const job& j, index block) {
  const selection& s = j.to;
  index on_stack[3 * max_stack_axes];
  index* const at = j.cursors != nullptr ? j.cursors + block * 3 * s.rank : on_stack;
  index *const first = at + s.rank, *const last = first + s.rank;
  for (int i = 0; i < s.rank; ++i) {
    first[i] = 0;
    last[i] = s.extents[i];
  }
  index low = 0, high = 0;
  if (j.axis >= 0) {
    first[j.axis] = block * j.per_block;
    if (first[j.axis] + j.per_block < last[j.axis]) last[j.axis] = first[j.axis] + j.per_block;
  } else if (j.blocks > 1) {
    const index extent = s.terms[0].extent;
    low = extent * block / j.blocks;
    high = extent * (block + 1) / j.blocks;
  }
  for (int i = 0; i < s.rank; ++i) at[i] = first[i];
  const int inner = s.rank - 1;
  for (;;) {
    const std::byte* from = j.from;
    for (int i = 0; i < s.rank; ++i) from += at[i] * j.from_strides[i];
    write_row<Op, T>(j, at, inner, inner < 0 ? 1 : last[inner] - first[inner], from, low, high);
    int i = inner - 1;
    for (; i >= 0; --i) {
      if (++at[i] < last[i]) break;
      at[i] = first[i];
    }
    if (i < 0) return;
  }
}

using block_writer = void (*)(const job& j, index block);

template <class Op, class T>
struct block_writer_of {
  static constexpr block_writer value = write_block<Op, T>;
};

}  // namespace

void write(const selection& to, const char* call, const void* from, const index* strides, dtype type, update what,
           const options& how) {
  index n = 1;
  for (int i = 0; i < to.rank; ++i) n *= to.extents[i];
  if (n == 0) return check_positions(to, call, how);
  if (write_line(to, call, from, strides, type, what, how)) return;
  const bool checks = checks_rows(to, strides);
  if (!checks) check_positions(to, call, how);
  std::atomic<bool> outside{false};
  job j{to, static_cast<const std::byte*>(from), strides, -1, 0, 1, nullptr, checks ? &outside : nullptr};
  const auto one = updater<block_writer_of, block_writer>(type, what, to.size);
  const int wanted = threads_for(how.threads, static_cast<double>(n) * element_ns(to, 1)),
            threads = wanted == 0 ? max_threads() : wanted;
  const bool shared = threads > 1;
  // Along an axis that is also an axis of the output, elements of different indices never share a destination.
  int inner = to.rank - 1, axis = -1;
  for (int i = 0; i < to.rank; ++i)
    if (to.strides[i] != 0 && (axis < 0 || to.extents[i] > to.extents[axis])) axis = i;
  const bool far = inner > 0 && axis == inner && to.term_count > 0 && to.strides[inner] == to.size &&
                   to.terms[0].extent * to.terms[0].step > far_bytes && to.extents[inner] >= 128 &&
                   n >= most_rows_once * to.terms[0].extent * to.extents[inner];
  if (far) {  // strips of columns stay in the cache
    j.axis = inner;
    j.per_block = 64;
  } else if (shared) {
    if (axis >= 0 && to.extents[axis] >= 2 * threads)
      for (int i = 0; i < axis; ++i)  // dividing rows is better than dividing columns
        if (to.strides[i] != 0 && to.extents[i] >= 4 * threads) {
          axis = i;
          break;
        }
    if (axis >= 0 && axis == inner && to.term_count > 0 && to.terms[0].strides[inner] == 0 &&
        to.terms[0].extent >= 4 * threads) {
      j.blocks = smaller(threads, max_readers);  // whole rows: every thread looks at the index of each
    } else if (axis >= 0 && to.extents[axis] >= 2 * threads) {
      j.axis = axis;
      const index line = axis == inner ? 64 / to.size : 1;
      j.per_block = (to.extents[axis] + 4 * threads - 1) / (4 * threads);
      j.per_block = (j.per_block + line - 1) / line * line;
    } else if (to.term_count > 0 && divides_destinations(to.terms[0], threads)) {
      j.blocks = smaller(threads, max_readers);  // every thread reads all indices
      if (checks) check_positions(to, call, how);
      j.outside = nullptr;
    }
  }
  if (j.axis >= 0) j.blocks = (to.extents[j.axis] + j.per_block - 1) / j.per_block;
  const auto cursors = static_cast<std::size_t>(to.rank > max_stack_axes ? j.blocks * 3 * to.rank : 0);
  const std::unique_ptr<index[]> room(cursors > 0 ? new index[cursors] : nullptr);
  j.cursors = room.get();
  for_each(j.blocks, shared ? threads : 1, [&](index b) { one(j, b); });
  if (outside.load(std::memory_order_relaxed)) check_positions(to, call, how);  // throws, and names the index
}

}  // namespace broadloom::runtime
