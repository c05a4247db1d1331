// The lists of indices along one axis that tile, roll, repeat_interleave and pad read, and how many contiguous elements
// are copied together.
#include <string>

#include <broadloom/core/error.hpp>
#include <broadloom/core/simd_vec.hpp>
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

constexpr index smaller(index a, index b) { return a < b ? a : b; }

// first, first + step, ...: n numbers.
void count_from(index* to, index first, index step, index n) {
  using two = simd_vec<index, 2>;
  two a = {first, first + step}, b = a + 2 * step;
  index i = 0;
  for (; i + 4 <= n; i += 4, a += 4 * step, b += 4 * step) {
    store<index>(to + i, a);
    store<index>(to + i + 2, b);
  }
  for (; i < n; ++i) to[i] = first + i * step;
}

// Writes a list of n positions from its front to its back, each with how many from it on are neighbours.
class list_writer {
 public:
  list_writer(index* list, index n) : to_(list), runs_(list + n), left_(n) {}
  index left() const { return left_; }

  // p, p + 1, ...
  void neighbours(index p, index n) { go_on(p, 1, n, -1, n); }
  // p, p + step, ..., of which none are neighbours.
  void apart(index p, index step, index n) { go_on(p, step, 1, 0, n); }
  // p several times; what is written next is p + 1, several times too, or nothing.
  void repeated(index p, index n) {
    apart(p, 0, n);
    if (n > 0 && left_ > 0) runs_[-1] = 2;
  }
  // No element of the array, but a number.
  void added(index n) { go_on(-1, 0, n, -1, n); }

 private:
  void go_on(index p, index step, index run, index run_step, index n) {
    if (n <= 0) return;
    count_from(to_, p, step, n);
    count_from(runs_, run, run_step, n);
    to_ += n;
    runs_ += n;
    left_ -= n;
  }

  index *to_, *runs_, left_;
};

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
  list_writer to(r.data(), n);
  const index before = amount < 0 ? 0 : smaller(amount, n);
  // The elements themselves, without those that a negative amount cuts off.
  const auto inner = [&] {
    const index first = amount < 0 ? -amount : 0;
    to.neighbours(first, smaller(extent - first, to.left()));
  };
  switch (how) {
    case rearrangement::tile:
    case rearrangement::roll:
    case rearrangement::circular:
      if (how == rearrangement::tile || extent == 0) amount = 0;
      // The amount may be any number, the smallest too, which has no negative.
      for (index p = amount == 0 ? 0 : modulo(extent - modulo(amount, extent), extent); to.left() > 0; p = 0)
        to.neighbours(p, smaller(extent - p, to.left()));
      break;
    case rearrangement::interleave:
      if (amount == 1) to.neighbours(0, n);
      for (index p = 0; to.left() > 0; ++p) to.repeated(p, smaller(amount, to.left()));
      break;
    case rearrangement::reflect:
      to.apart(amount, -1, before);
      inner();
      to.apart(mirrored(n - to.left() - amount, extent), -1, to.left());
      break;
    case rearrangement::replicate:
      to.apart(0, 0, before);
      inner();
      to.apart(extent - 1, 0, to.left());
      break;
    default:
      to.added(before);
      inner();
      to.added(to.left());
  }
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
