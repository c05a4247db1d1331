// The positions along one axis that tile, roll, repeat_interleave and pad read, as segments or as a list.
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

constexpr index smaller(index a, index b) { return a < b ? a : b; }

// Segments of n positions, from the front to the back.
class segment_writer {
 public:
  explicit segment_writer(index n) : left_(n) {}
  index left() const { return left_; }
  const runtime::axis_segments& segments() const { return segments_; }

  void add(index first, index step, index n) {
    if (n <= 0) return;
    segments_.part[count_++] = {n, first, step};
    left_ -= n;
  }

 private:
  runtime::axis_segments segments_{{}, 1};
  int count_ = 0;
  index left_;
};

}  // namespace

runtime::axis_segments segments_of(rearrangement how, index n, index extent, index amount) {
  segment_writer to(n);
  const index before = amount < 0 ? 0 : smaller(amount, n);
  // The elements themselves, without those that a negative amount cuts off.
  const auto inner = [&] {
    const index first = amount < 0 ? -amount : 0;
    to.add(first, 1, smaller(extent - first, to.left()));
  };
  switch (how) {
    case rearrangement::tile: to.add(0, 1, extent); break;
    case rearrangement::roll:
    case rearrangement::circular: {
      // The amount may be any number, the smallest too, which has no negative.
      const index first = extent == 0 ? 0 : modulo(extent - modulo(amount, extent), extent);
      to.add(first, 1, extent - first);
      to.add(0, 1, first);
      break;
    }
    case rearrangement::interleave: {
      to.add(0, 1, extent);
      runtime::axis_segments r = to.segments();
      r.each = amount < 1 ? 1 : amount;
      return r;
    }
    case rearrangement::reflect:
      to.add(amount, -1, before);
      inner();
      to.add(mirrored(n - to.left() - amount, extent), -1, to.left());
      break;
    case rearrangement::replicate:
      to.add(0, 0, before);
      inner();
      to.add(extent - 1, 0, to.left());
      break;
    default:
      to.add(-1, 0, before);
      inner();
      to.add(-1, 0, to.left());
  }
  return to.segments();
}

dtensor<index, 1> list_repeated(const index* counts, index extent, index& n) {
  n = 0;
  for (index i = 0; i < extent; ++i) {
    if (counts[i] < 0) throw_negative_repeats(counts[i]);
    n = checked_add("repeat_interleave", n, counts[i]);
  }
  auto r = dtensor<index, 1>::uninitialised(dshape<1>(n));
  index* to = r.data();
  for (index i = 0; i < extent; ++i)
    for (index k = 0; k < counts[i]; ++k) *to++ = i;
  return r;
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
