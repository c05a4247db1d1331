// The version of the libbroadloom a program runs with.
#ifndef BROADLOOM_CORE_VERSION_HPP
#define BROADLOOM_CORE_VERSION_HPP

#include <broadloom/core/api.hpp>

namespace broadloom::runtime {

/// The version of the compiled library that is loaded, as "major.minor.patch".
[[nodiscard]] BROADLOOM_API const char* version() noexcept;

}  // namespace broadloom::runtime

#endif
