// The text of an array as NumPy prints it; the work is done by compiled code that knows elements only by their dtype.
#pragma once

#include <string>

#include <broadloom/core/api.hpp>
#include <broadloom/core/dtype.hpp>
#include <broadloom/core/index.hpp>

namespace broadloom {

// How floating numbers are written: as NumPy chooses for the array, or all with exactly `precision` digits after the
// point, without or with an exponent.
enum class notation : unsigned char { automatic, fixed, scientific };

// How arrays are written. The defaults, and the meaning of the first five fields, are those of numpy.set_printoptions.
struct format_options {
  int precision = 8;            // digits after the point of a floating number, at most
  index threshold = 1000;       // arrays of more elements than this are summarised with "..."
  index edge_items = 3;         // elements kept at either end of each axis of a summarised array, at least 1
  index line_width = 75;        // columns of a line; a word that alone is longer is not broken
  bool suppress_small = false;  // write small floating numbers as 0.0000 where others would force an exponent
  broadloom::notation notation = broadloom::notation::automatic;
  bool round_scalars = false;  // an array of rank 0 has `precision` digits after its point at most, too
  int width = 0;               // columns of an element, at least
};

namespace runtime {

// The text of the array at `data`. Strides count elements; they may be zero or negative. An array of rank 0 is written
// as NumPy's str() writes a scalar: with every digit it needs, whatever the precision, unless options say otherwise.
BROADLOOM_API std::string format(dtype type, const void* data, const index* extents, const index* strides, index rank,
                                 const format_options& options = {});

namespace printing {

// The same for elements of type T: lib/text/format.hpp.
template <class T>
std::string format_as(const void* data, const index* extents, const index* strides, index rank,
                      const format_options& options);

}  // namespace printing
}  // namespace runtime
}  // namespace broadloom
