// For headers that only name arrays: bl::tensor, dtensor, view, dview, shape and dshape are declared, not defined.
#pragma once

#include <broadloom/shape/forward.hpp>
