// Prints arrays whose element type is known at run time.
#include "format.hpp"

#include <complex>
#include <string>

#include "../base/by_type.hpp"

namespace broadloom::runtime {

std::string format(dtype type, const void* data, const index* extents, const index* strides, index rank,
                   const format_options& options) {
  return by_type(all_types{}, type,
                 [&]<class T>() { return printing::format_as<T>(data, extents, strides, rank, options); });
}

}  // namespace broadloom::runtime
