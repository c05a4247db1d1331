// Arrays whose rank is known at run time only: tensor/any_tensor.hpp.
#pragma once

#include <broadloom/tensor/any_tensor.hpp>
