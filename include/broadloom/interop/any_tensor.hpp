// Arrays whose rank is known at run time only: tensor/any_tensor.hpp, with what adapters throw.
#pragma once

#include <broadloom/interop/strided.hpp>
#include <broadloom/tensor/any_tensor.hpp>
