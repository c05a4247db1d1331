// Everything of Broadloom but linear algebra and interoperation, which have headers of their own.
#pragma once

#include <broadloom/core/version.hpp>
#include <broadloom/expr/slice.hpp>
#include <broadloom/fn/composite.hpp>
#include <broadloom/tensor/tensor.hpp>
