// What most test programs include first; with clang, precompiled once for those that do.
#include <broadloom/broadloom.hpp>

#include "boost_test.hpp"
