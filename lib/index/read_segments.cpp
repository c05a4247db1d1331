// Reads elements of an array whose axes are rearranged by segments: what lies together is copied together.
#include "../base/smaller.hpp"
#include "../move/copy.hpp"
#include "../move/copy_bytes.hpp"
#include "lines.hpp"
#include "walk.hpp"

namespace broadloom::runtime {

namespace {

// An axis of the result.
struct read_axis {
  index extent, stride;           // bytes from one position to the next
  const axis_segments* segments;  // null: all positions
  index at;

  index position() const { return segments != nullptr ? segments->position(at) : at; }
};

// Every element so many times.
template <int Each, class T>
void repeat_elements(T* to, const std::byte* from, index n, index stride) {
  for (index i = 0; i < n; ++i, to += Each) {
    T x;
    std::memcpy(&x, from + i * stride, sizeof x);
    for (int k = 0; k < Each; ++k) to[k] = x;
  }
}

// Writes elements, `unit` of which lie together at each position of the last axis.
class segment_reader {
 public:
  segment_reader(const selection& s, void* to, index unit)
      : size_(s.size), unit_(unit), filler_(s.filler), to_(static_cast<std::byte*>(to)) {}

  void fill(index n) {
    splat(to_, filler_, size_, n);
    to_ += n * size_;
  }

  // n elements of a row from number `first` on. The row begins at `base`.
  void row(const std::byte* base, const read_axis& x, index first, index n) {
    index i = first / unit_;
    if (const index inside = first % unit_; inside != 0) {
      const index count = smaller(unit_ - inside, n);
      part_of_unit(base, x, i++, inside, count);
      n -= count;
    }
    const index whole = n / unit_;
    if (x.segments == nullptr)
      units(base + i * x.stride, x.stride, whole);
    else if (x.segments->each > 1)
      repeated(base, x, i, whole);
    else
      segments(base, x, i, whole);
    if (n % unit_ != 0) part_of_unit(base, x, i + whole, 0, n % unit_);
  }

 private:
  void part_of_unit(const std::byte* base, read_axis x, index i, index inside, index n) {
    x.at = i;
    const index p = x.position();
    if (p < 0) return fill(n);
    copy_bytes(to_, base + p * x.stride + inside * size_, static_cast<std::size_t>(n * size_));
    to_ += n * size_;
  }

  // n units, `step` bytes apart.
  void units(const std::byte* from, index step, index n) {
    if (n == 0) return;
    if (n == 1 || step == unit_ * size_)
      copy_bytes(to_, from, static_cast<std::size_t>(n * unit_ * size_));
    else if (unit_ > 1)
      gather(to_, from, size_, n, unit_, step, size_);
    else if (step == 0)
      splat(to_, from, size_, n);
    else
      gather(to_, from, size_, 1, n, 0, step);
    to_ += n * unit_ * size_;
  }

  // n units from the i-th of the axis on.
  void segments(const std::byte* base, const read_axis& x, index i, index n) {
    const axis_segments& s = *x.segments;
    if (n == 0) return;
    if (i >= s.length()) i %= s.length();
    for (int k = 0; n > 0; k = k == 2 ? 0 : k + 1) {
      const axis_segment& one = s.part[k];
      const index count = smaller(one.length - i, n);
      if (count <= 0) {
        i -= one.length;
        continue;
      }
      if (one.first < 0)
        fill(count * unit_);
      else
        units(base + (one.first + i * one.step) * x.stride, one.step * x.stride, count);
      n -= count;
      i = 0;
    }
  }
  void repeated(const std::byte* base, const read_axis& x, index i, index n) {
    const index each = x.segments->each;
    index p = i / each;
    if (const index done = i % each; done != 0 && n > 0) {
      const index count = smaller(each - done, n);
      units(base + p++ * x.stride, 0, count);
      n -= count;
    }
    const index whole = n / each;
    const std::byte* from = base + p * x.stride;
    if (unit_ == 1 && each <= 4)
      with_size(size_, [&]<class T>(T) {
        auto* const to = reinterpret_cast<T*>(to_);
        if (each == 2)
          repeat_elements<2>(to, from, whole, x.stride);
        else if (each == 3)
          repeat_elements<3>(to, from, whole, x.stride);
        else
          repeat_elements<4>(to, from, whole, x.stride);
        to_ += whole * each * size_;
      });
    else
      for (index k = 0; k < whole; ++k) units(from + k * x.stride, 0, each);
    units(from + whole * x.stride, 0, n - whole * each);
  }

  int size_;
  index unit_;
  const void* filler_;
  std::byte* to_;
};

}  // namespace

void read_segments(const selection& s, void* to, index first, index n) {
  small_array<read_axis, 8> axes(static_cast<std::size_t>(s.rank));
  for (int i = 0; i < s.rank; ++i) axes[i] = {s.extents[i], s.strides[i], nullptr, 0};
  for (int k = 0; k < s.term_count; ++k) {
    const position_term& t = s.terms[k];
    axes[t.axis].stride = t.step;
    axes[t.axis].segments = t.segments;
  }
  // The last axes whose elements lie together; the axes before them.
  index unit = 1;
  int inner = s.rank - 1;
  for (; axes[inner].segments == nullptr && (axes[inner].extent == 1 || axes[inner].stride == unit * s.size); --inner)
    unit *= axes[inner].extent;
  const read_axis& row = axes[inner];
  const index row_elements = row.extent * unit;
  index rest = first / row_elements, at = first % row_elements;
  for (int i = inner - 1; i >= 0; --i) {
    axes[i].at = rest % axes[i].extent;
    rest /= axes[i].extent;
  }
  segment_reader reader(s, to, unit);
  for (;;) {
    const index count = smaller(row_elements - at, n);
    index offset = 0;
    bool filled = false;
    for (int i = 0; i < inner; ++i) {
      const index p = axes[i].position();
      filled = filled || p < 0;
      offset += p * axes[i].stride;
    }
    if (filled)
      reader.fill(count);
    else
      reader.row(static_cast<const std::byte*>(s.data) + offset, row, at, count);
    n -= count;
    if (n == 0) return;
    at = 0;
    for (int i = inner - 1; i >= 0; --i) {
      if (++axes[i].at < axes[i].extent) break;
      axes[i].at = 0;
    }
  }
}

}  // namespace broadloom::runtime
