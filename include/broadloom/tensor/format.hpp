// The text of an array as NumPy prints it; the work is done by compiled code that knows elements only by their dtype.
#pragma once

#include <string>

#include <broadloom/core/api.hpp>
#include <broadloom/core/dtype.hpp>
#include <broadloom/core/index.hpp>

namespace broadloom {

// How arrays are written. The defaults, and the meaning of each field, are those of numpy.set_printoptions.
struct format_options {
  int precision = 8;            // digits after the point of a floating number, at most
  index threshold = 1000;       // arrays of more elements than this are summarised with "..."
  index edge_items = 3;         // elements kept at either end of each axis of a summarised array, at least 1
  index line_width = 75;        // columns of a line; a word that alone is longer is not broken
  bool suppress_small = false;  // write small floating numbers as 0.0000 where others would force an exponent
};

namespace runtime {

// The text of the array at `data`. Strides count elements; they may be zero or negative. An array of rank 0 is written
// as NumPy's str() writes a scalar: with every digit it needs, whatever the precision.
BROADLOOM_API std::string format(dtype type, const void* data, const index* extents, const index* strides, index rank,
                                 const format_options& options = {});

}  // namespace runtime
}  // namespace broadloom
