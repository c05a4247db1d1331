// The lists of indices along one axis that tile, roll, repeat_interleave and pad read, and how many contiguous elements
// are copied together.
#include <string>

#include <broadloom/core/error.hpp>
#include <broadloom/index/rearrange.hpp>

namespace broadloom::detail {

namespace {

// Mirrors p in (-n, 2n - 1) at both ends, which occur once.
index mirrored(index p, index n) {
  if (p < 0) return -p;
  return p < n ? p : (n - 1) - (p - (n - 1));
}

// Memory for n indices and the lengths of their runs.
dtensor<index, 1> list_of(const char* call, index n) {
  return dtensor<index, 1>::uninitialised(dshape<1>(checked_mul(call, 2, n)));
}

// Fills the second half of a list.
void find_runs(index* list, index n) {
  index* const runs = list + n;
  for (index i = n - 1; i >= 0; --i) {
    const bool goes_on = i + 1 < n && (list[i] < 0 ? list[i + 1] < 0 : list[i + 1] == list[i] + 1);
    runs[i] = goes_on ? runs[i + 1] + 1 : 1;
  }
}

}  // namespace

dtensor<index, 1> list_positions(rearrangement how, index n, index extent, index amount) {
  auto r = list_of("a list of positions", n);
  index* const list = r.data();
  if (how == rearrangement::roll && extent > 0) amount = modulo(amount, extent);
  for (index i = 0; i < n; ++i) {
    const index p = i - amount;
    switch (how) {
      case rearrangement::tile: list[i] = i % extent; break;
      case rearrangement::roll: list[i] = modulo(p, extent); break;
      case rearrangement::interleave: list[i] = i / amount; break;
      case rearrangement::reflect: list[i] = mirrored(p, extent); break;
      case rearrangement::replicate: list[i] = p < 0 ? 0 : p >= extent ? extent - 1 : p; break;
      case rearrangement::circular: list[i] = modulo(p, extent); break;
      default: list[i] = p < 0 || p >= extent ? -1 : p; break;
    }
  }
  find_runs(list, n);
  return r;
}

dtensor<index, 1> list_repeated(const index* counts, index extent, index& n) {
  n = 0;
  for (index i = 0; i < extent; ++i) {
    if (counts[i] < 0) throw_negative_repeats(counts[i]);
    n = checked_add("repeat_interleave", n, counts[i]);
  }
  auto r = list_of("repeat_interleave", n);
  index* to = r.data();
  for (index i = 0; i < extent; ++i)
    for (index k = 0; k < counts[i]; ++k) *to++ = i;
  find_runs(r.data(), n);
  return r;
}

void throw_negative_repeats(index count) {
  throw shape_error("Trying to create tensor with negative dimension: repeats can not be negative, got " +
                    std::to_string(count) + "\n  in repeat");
}

index padded_extent(padding how, index before, index after, const shape_view& x, int axis) {
  const index n = x.extents[axis];
  const auto call = [&] {
    return "(" + std::to_string(before) + ", " + std::to_string(after) + ") at dimension " + std::to_string(axis) +
           " of size " + std::to_string(n) + "\n  in pad";
  };
  if (how == padding::reflect && (before >= n || after >= n))
    throw shape_error("Padding size should be less than the corresponding input dimension, but got: padding " + call());
  if (how == padding::circular && (before > n || after > n))
    throw shape_error("Padding value causes wrapping around more than once: padding " + call());
  if (how == padding::replicate && n == 0 && (before > 0 || after > 0))
    throw shape_error("Padding an empty dimension by its ends: padding " + call());
  if (before < -n || after < -n || (before < 0 && after < 0 && before < -n - after))
    throw shape_error("The input size " + std::to_string(n) +
                      ", plus negative padding, resulted in a negative output size: padding " + call());
  if (before < 0 && after > 0) static_cast<void>(checked_add("pad", n, after));  // the last position
  return checked_add("pad", checked_add("pad", n, before), after);
}

}  // namespace broadloom::detail
