// Scatter along one axis. If the output is small, a copy of the indices is checked and used in one pass. If it is
// large, indices and elements are first grouped by destination, keeping their order, and each thread writes whole
// groups.
#include "scatter_axis.hpp"

#include <cstdint>
#include <cstring>
#include <vector>

#include "../base/for_each.hpp"
#include "../base/memory_block.hpp"
#include "bounds_check.hpp"
#include "updates.hpp"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

namespace broadloom::runtime {

namespace {

constexpr index piece = 128;                      // indices at a time: with longer chunks memory is idle in between
constexpr index chunk_elements = index{1} << 17;  // that each thread counts by itself
constexpr index group_bytes = index{1} << 18;     // of the output for each group
constexpr index max_groups = 256;

// n updates at 32-bit indices. Prefetches the next ones if the destination is near; if it is far, the updates need all
// of the memory's bandwidth.
template <class Op, class T>
void apply(std::byte* to, index step, const std::uint32_t* p, const std::byte* from, index from_stride, index n,
           bool near) {
  constexpr auto size = static_cast<index>(sizeof(T));
  if (step == size && from_stride == size) {
    constexpr index line = size < 64 ? 64 / size : 1;
    index i = 0;
    for (; i + line <= n; i += line) {
      if (near) __builtin_prefetch(from + i * size + bytes_ahead);
      for (index k = i; k < i + line; ++k)
        update_one<Op>(to + static_cast<index>(p[k]) * size, load<T>(from + k * size));
    }
    for (; i < n; ++i) update_one<Op>(to + static_cast<index>(p[i]) * size, load<T>(from + i * size));
  } else
    for (index i = 0; i < n; ++i) update_one<Op>(to + static_cast<index>(p[i]) * step, load<T>(from + i * from_stride));
}
using apply_fn = void (*)(std::byte*, index, const std::uint32_t*, const std::byte*, index, index, bool);
template <class Op, class T>
struct apply_of {
  static constexpr apply_fn value = apply<Op, T>;
};

struct line {
  const position_term& t;
  const std::byte* from;
  index n, from_stride;
  std::byte* to;

  // At most `piece` indices from number `first` on; false if one is out of bounds.
  bool narrowed(index first, index count, std::uint32_t* p) const {
    findings f;
    narrow(static_cast<const std::byte*>(t.data) + first * (t.wide ? 8 : 4), t.wide, count, t.negative ? -t.extent : 0,
           t.extent, p, f);
    return (f.outside & sign_bit) == 0;
  }
  template <class F>
  bool pieces(index first, index last, F f) const {
    std::uint32_t p[piece];
    for (index i = first; i < last; i += piece) {
      const index count = i + piece < last ? piece : last - i;
      if (!narrowed(i, count, p)) return false;
      f(p, i, count);
    }
    return true;
  }
};

// `size` if the strides are row-major and contiguous, 0 if all are 0, else -1.
index common_stride(const selection& s, const index* strides, index size) {
  index n = size;
  bool dense = true, none = true;
  for (int i = s.rank - 1; i >= 0; --i) {
    if (s.extents[i] == 1) continue;
    dense = dense && strides[i] == n;
    none = none && strides[i] == 0;
    n *= s.extents[i];
  }
  return none ? 0 : dense ? size : -1;
}

// In a copy, or where the output is `partial` without one.
bool write_near(const line& l, apply_fn apply, bool partial) {
  if (partial)
    return l.pieces(0, l.n, [&](const std::uint32_t* p, index first, index count) {
      apply(l.to, l.t.step, p, l.from + first * l.from_stride, l.from_stride, count, true);
    });
  const index bytes = l.t.extent * l.t.step;
  const memory_block copy(bytes);
  std::memcpy(copy.data(), l.to, static_cast<std::size_t>(bytes));
  const bool inside = l.pieces(0, l.n, [&](const std::uint32_t* p, index first, index count) {
    apply(copy.data(), l.t.step, p, l.from + first * l.from_stride, l.from_stride, count, true);
  });
  if (inside) std::memcpy(l.to, copy.data(), static_cast<std::size_t>(bytes));
  return inside;
}

template <class T>
bool write_far(const line& l, apply_fn apply, int threads) {
  const index span = span_of(l.t);
  index wanted = span / group_bytes < 4 * threads ? 4 * threads : span / group_bytes;
  if (wanted > max_groups) wanted = max_groups;
  int shift = 0;
  while (((l.t.extent - 1) >> shift) + 1 > wanted) ++shift;
  const index groups = ((l.t.extent - 1) >> shift) + 1, chunks = (l.n + chunk_elements - 1) / chunk_elements;
  const auto ends = [&](index c) { return (c + 1) * chunk_elements < l.n ? (c + 1) * chunk_elements : l.n; };

  // first the elements of each chunk in each group, then where they begin: a group keeps the order of the chunks
  std::vector<index> places(static_cast<std::size_t>(chunks * groups));
  std::vector<char> inside(static_cast<std::size_t>(chunks));
  for_each(chunks, threads, [&](index c) {
    index* const counts = places.data() + c * groups;
    inside[static_cast<std::size_t>(c)] =
        l.pieces(c * chunk_elements, ends(c), [&](const std::uint32_t* p, index, index count) {
          for (index i = 0; i < count; ++i) ++counts[p[i] >> shift];
        });
  });
  for (char good : inside)
    if (!good) return false;
  std::vector<index> begins(static_cast<std::size_t>(groups + 1));
  index sum = 0;
  for (index g = 0; g < groups; ++g) {
    begins[static_cast<std::size_t>(g)] = sum;
    for (index c = 0; c < chunks; ++c) {
      index& place = places[static_cast<std::size_t>(c * groups + g)];
      const index own = place;
      place = sum;
      sum += own;
    }
  }
  begins[static_cast<std::size_t>(groups)] = sum;

  constexpr auto size = static_cast<index>(sizeof(T));
  const bool many = l.from_stride != 0;
  const memory_block positions(l.n * 4), elements(many ? l.n * size : 1);
  auto* const moved = reinterpret_cast<std::uint32_t*>(positions.data());
  for_each(chunks, threads, [&](index c) {
    index* const next = places.data() + c * groups;
    l.pieces(c * chunk_elements, ends(c), [&](const std::uint32_t* p, index first, index count) {
      const std::byte* const from = l.from + first * l.from_stride;
      for (index i = 0; i < count; ++i) {
        const index to = next[p[i] >> shift]++;
        moved[to] = p[i];
        if (many) std::memcpy(elements.data() + to * size, from + i * size, sizeof(T));
      }
    });
  });
  for_each(groups, threads, [&](index g) {
    const index first = begins[static_cast<std::size_t>(g)], count = begins[static_cast<std::size_t>(g + 1)] - first;
    apply(l.to, l.t.step, moved + first, many ? elements.data() + first * size : l.from, l.from_stride, count, false);
  });
  return true;
}

}  // namespace

bool write_line(const selection& to, const char* call, const void* from, const index* strides, dtype type, update what,
                const options& how) {
  index n = 1;
  for (int i = 0; i < to.rank; ++i) {
    n *= to.extents[i];
    if (to.extents[i] != 1 && to.strides[i] != 0) return false;
  }
  if (n < 32768 || to.term_count != 1) return false;
  const position_term& t = to.terms[0];
  const index from_stride = common_stride(to, strides, to.size);
  if (common_stride(to, t.strides, 1) != 1 || from_stride < 0 || t.extent >= index{1} << 30) return false;
  const line l{t, static_cast<const std::byte*>(from), n, from_stride,
               static_cast<std::byte*>(const_cast<void*>(to.data))};
  const auto one = updater<apply_of, apply_fn>(type, what, to.size);
  const int threads = how.threads == 0 ? max_threads() : how.threads;
  bool inside = false;
  if (t.step == to.size && span_of(t) <= far_bytes && n >= t.extent)
    inside = write_near(l, one, to.partial);
  else if (divides_destinations(t, threads))
    with_size(to.size, [&]<class T>(T) { inside = write_far<T>(l, one, threads); });
  else
    return false;
  if (!inside) check_positions(to, call, how);  // throws, and names the index
  return true;
}

}  // namespace broadloom::runtime
