// Marks what the compiled library exports; everything else in it is hidden.
#pragma once

#define BROADLOOM_API [[gnu::visibility("default")]]
