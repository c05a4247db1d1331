// Marks what the compiled library exports; everything else in it is hidden.
#pragma once

#include <broadloom/core/compiler.hpp>

#define BROADLOOM_API [[gnu::visibility("default")]]
