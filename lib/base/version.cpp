// The version of the compiled library, as the build read it from the VERSION file.
#include <broadloom/core/version.hpp>

const char* broadloom::runtime::version() noexcept { return BROADLOOM_VERSION; }
