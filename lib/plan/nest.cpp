// The passes over loop nests. Each keeps the set of addresses that are visited together.
#include "nest.hpp"

namespace broadloom::runtime {

nest::nest(const problem& p)
    : arrays(p.operand_count + 1),
      rank(static_cast<int>(p.rank)),
      capacity(rank),
      extents(static_cast<std::size_t>(rank)),
      strides(static_cast<std::size_t>(arrays * rank)),
      list(static_cast<std::size_t>(arrays)) {
  for (int i = 0; i < rank; ++i) extents[i] = p.extents[i];
  for (int k = 0; k < arrays; ++k) {
    const bool last = k == arrays - 1;
    nest_array& a = list[k];
    a.scalar = !last && p.operands[k].is_scalar;
    a.base = static_cast<std::byte*>(last ? p.out : const_cast<void*>(p.operands[k].data));
    a.type = last ? p.out_type : p.operands[k].type;
    a.size = size_of(a.type);
    a.ramp = !last && p.operands[k].is_ramp;
    const index* s = last ? p.out_strides : p.operands[k].strides;
    for (int i = 0; i < rank; ++i) stride(k, i) = a.scalar ? 0 : s[i] * a.size;
  }
}

void drop_unit_axes(nest& n) {
  int to = 0;
  for (int i = 0; i < n.rank; ++i) {
    if (n.extents[i] == 1) continue;
    if (to != i) {
      n.extents[to] = n.extents[i];
      for (int k = 0; k < n.arrays; ++k) n.stride(k, to) = n.stride(k, i);
    }
    ++to;
  }
  n.rank = to;
}

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

}  // namespace

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

void coalesce(nest& n) {
  if (n.rank == 0) return;
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

}  // namespace broadloom::runtime
