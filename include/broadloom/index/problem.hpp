// What compiled code is given for reading and writing at indices: the offset of an element as a sum of strides and of
// positions that are themselves elements of arrays.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/storage.hpp>
#include <broadloom/plan/problem.hpp>

namespace broadloom::runtime {

// Positions along an axis without a list of them: those of up to three segments one after the other, each position
// `each` times, and all that over again until the axis ends. Segments that do not begin at an element read the filler.
struct axis_segment {
  index length, first, step;
  constexpr bool operator==(const axis_segment&) const = default;
};
struct axis_segments {
  axis_segment part[3];
  index each;  // more than 1 for one segment with all positions alone

  constexpr index length() const { return part[0].length + part[1].length + part[2].length; }
  constexpr index position(index i) const {
    if (each > 1) i /= each;
    if (i >= length()) i %= length();
    int k = 0;
    for (; i >= part[k].length; ++k) i -= part[k].length;
    return part[k].first + i * part[k].step;
  }
  // Whether the first n positions are 0, 1, 2, ...
  constexpr bool is_whole(index n) const {
    return each == 1 && part[0].length >= n && part[0].first == 0 && part[0].step == 1;
  }
  constexpr bool operator==(const axis_segments&) const = default;
};

// Positions along one axis of an array, i32 or i64.
struct position_term {
  const void* data;
  const index* strides;           // in elements, over the axes of the result
  index extent;                   // of the axis
  index step;                     // bytes from one of its elements to the next
  bool wide;                      // i64
  bool negative;                  // positions below 0 count from the end
  int axis;                       // for the message
  const axis_segments* segments;  // null, or the positions, of all terms alike; they are not checked
  bool narrow;                    // u16 from the start, written again by check_positions
};

// Elements that are read from, or written to, base + sum of strides + sum of positions times steps.
struct selection {
  const void* data;
  int size;  // of an element
  int rank;  // of the result
  const index* extents;
  const index* strides;  // in bytes
  int term_count;
  bool partial;  // what is written to is not kept if that throws: indices may be checked while elements are written
  position_term* terms;
  const void* filler;
};

// Memory for positions that were written again in fewer bits.
class narrowed_positions {
 public:
  narrowed_positions() = default;
  ~narrowed_positions() {
    if (data_ != nullptr) deallocate(data_, bytes_);
  }
  narrowed_positions(const narrowed_positions&) = delete;
  narrowed_positions& operator=(const narrowed_positions&) = delete;
  std::uint16_t* of_size(index n) {
    bytes_ = static_cast<std::size_t>(n) * sizeof(std::uint16_t);
    data_ = allocate(bytes_);
    return static_cast<std::uint16_t*>(data_);
  }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

// Looks at every position, once. Throws index_error for the first that is out of bounds; what() names position, axis
// and extent, then the call. Terms in which no position is negative are marked so. With `again`, a large array of
// positions below 2^16 may be written there, so that it is read a second time from the caches.
BROADLOOM_API void check_positions(const selection& s, const char* call, const options& how,
                                   narrowed_positions* again = nullptr);

// The elements of indices [first, last) of the first axis that has more than one index.
BROADLOOM_API void read_rows(const selection& s, void* to, index first, index last);

// All elements, row-major.
BROADLOOM_API void read_all(const selection& s, void* to, const options& how);

enum class update : unsigned char { overwrite, add, mul, amin, amax };

// For each element of the source in row-major order, one after the other: the selected element becomes it, or what
// `what` makes of both. The result is the same for any number of threads. Elements of the source lie at `strides` (in
// bytes). Indices are checked as check_positions does, before anything is written unless to.partial.
BROADLOOM_API void write(const selection& to, const char* call, const void* from, const index* strides, dtype type,
                         update what, const options& how);

// Whether two strided arrays may share memory.
struct extent_of_memory {
  const unsigned char* low;
  const unsigned char* high;
};
BROADLOOM_API extent_of_memory memory_of(const void* data, const index* extents, const index* strides, int rank,
                                         int size);

}  // namespace broadloom::runtime
