// What is done to a nest keeps the set of addresses that are visited together.
#include "nest.hpp"

namespace broadloom::runtime {

namespace {

void swap_axes(nest& n, int a, int b) {
  const index e = n.extents[a];
  n.extents[a] = n.extents[b];
  n.extents[b] = e;
  for (int k = 0; k < n.arrays; ++k) {
    const index s = n.stride(k, a);
    n.stride(k, a) = n.stride(k, b);
    n.stride(k, b) = s;
  }
}

index magnitude(index x) { return x < 0 ? -x : x; }

// Sorts axes by the output's strides, made positive.
void order(nest& n) {
  const int out = n.output();
  for (int i = 0; i < n.rank; ++i) {
    if (n.stride(out, i) >= 0) continue;
    for (int k = 0; k < n.arrays; ++k) {
      n.list[k].base = moved(n.list[k].base, (n.extents[i] - 1) * n.stride(k, i));
      n.stride(k, i) = -n.stride(k, i);
    }
  }
  for (int i = 1; i < n.rank; ++i)  // insertion sort: stable, and ranks are small
    for (int j = i; j > 0 && magnitude(n.stride(out, j - 1)) < magnitude(n.stride(out, j)); --j) swap_axes(n, j - 1, j);
}

// Merges adjacent axes that are contiguous in every array.
void coalesce(nest& n) {
  int to = 0;
  for (int i = 1; i < n.rank; ++i) {
    bool together = true;
    for (int k = 0; k < n.arrays && together; ++k) together = n.stride(k, to) == n.extents[i] * n.stride(k, i);
    if (together) {
      n.extents[to] *= n.extents[i];
      for (int k = 0; k < n.arrays; ++k) n.stride(k, to) = n.stride(k, i);
    } else if (++to != i) {
      n.extents[to] = n.extents[i];
      for (int k = 0; k < n.arrays; ++k) n.stride(k, to) = n.stride(k, i);
    }
  }
  n.rank = to + 1;
}

}  // namespace

nest::nest(const problem& p, bool sorts)
    : arrays(p.operand_count + 1),
      rank(0),
      capacity(static_cast<int>(p.rank)),
      extents(static_cast<std::size_t>(capacity)),
      strides(static_cast<std::size_t>(arrays * capacity)),
      list(static_cast<std::size_t>(arrays)) {
  for (int i = 0; i < capacity; ++i)
    if (p.extents[i] != 1) extents[rank++] = p.extents[i];
  for (int k = 0; k < arrays; ++k) {
    const bool last = k == arrays - 1;
    nest_array& a = list[k];
    a.scalar = !last && p.operands[k].is_scalar;
    a.base = static_cast<std::byte*>(last ? p.out : const_cast<void*>(p.operands[k].data));
    a.type = last ? p.out_type : p.operands[k].type;
    a.size = size_of(a.type);
    a.ramp = !last && p.operands[k].is_ramp;
    const index* s = last ? p.out_strides : p.operands[k].strides;
    for (int i = 0, to = 0; i < capacity; ++i)
      if (p.extents[i] != 1) stride(k, to++) = a.scalar ? 0 : s[i] * a.size;
  }
  if (sorts) order(*this);
  if (rank > 1) coalesce(*this);
}

}  // namespace broadloom::runtime
