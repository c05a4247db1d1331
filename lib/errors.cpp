// Key functions of the exceptions, so that their type information exists once.
#include <broadloom/core/error.hpp>

namespace broadloom {

shape_error::~shape_error() = default;
arithmetic_error::~arithmetic_error() = default;
index_error::~index_error() = default;
linalg_error::~linalg_error() = default;
io_error::~io_error() = default;

}  // namespace broadloom
