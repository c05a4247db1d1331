// Everything of Broadloom but linear algebra and interoperation, which have headers of their own.
#pragma once

// A compiler tries each operator template wherever a later header compares enumerators: they are included last.
#define BROADLOOM_OPERATORS_COME_LAST

// First: compilers show the chain of includes of what an error names.
#include <broadloom/core/mistakes.hpp>
#include <broadloom/expr/map.hpp>
#include <broadloom/expr/slice.hpp>
#include <broadloom/expr/views.hpp>
#include <broadloom/fn/function.hpp>
#include <broadloom/tensor/tensor.hpp>
// Then this, which users call by name.
#include <broadloom/tensor/eval.hpp>

#include <broadloom/core/infinity.hpp>
#include <broadloom/core/version.hpp>
#include <broadloom/eval/assign_all.hpp>
#include <broadloom/eval/explain.hpp>
#include <broadloom/eval/function.hpp>
#include <broadloom/eval/let.hpp>
#include <broadloom/eval/threads.hpp>
#include <broadloom/eval/with.hpp>
#include <broadloom/expr/broadcast_tensors.hpp>
#include <broadloom/expr/concepts.hpp>
#include <broadloom/expr/expects.hpp>
#include <broadloom/expr/named.hpp>
#include <broadloom/expr/view_names.hpp>
#include <broadloom/expr/windows.hpp>
#include <broadloom/fn/complex.hpp>
#include <broadloom/fn/composite.hpp>
#include <broadloom/fn/strict.hpp>
#include <broadloom/index/column_stack.hpp>
#include <broadloom/index/differences.hpp>
#include <broadloom/index/index.hpp>
#include <broadloom/index/nan_order.hpp>
#include <broadloom/index/ndenumerate.hpp>
#include <broadloom/index/tensor_split.hpp>
#include <broadloom/reduce/complex.hpp>
#include <broadloom/reduce/equality.hpp>
#include <broadloom/reduce/nan.hpp>
#include <broadloom/reduce/own.hpp>
#include <broadloom/reduce/own_scan.hpp>
#include <broadloom/reduce/reduce.hpp>
#include <broadloom/shape/broadcast_shapes.hpp>
#include <broadloom/tensor/adopt.hpp>
#include <broadloom/tensor/bit_cast.hpp>
#include <broadloom/tensor/compat.hpp>
#include <broadloom/tensor/factories.hpp>
#include <broadloom/tensor/flatten.hpp>
#include <broadloom/tensor/from.hpp>
#include <broadloom/tensor/iota.hpp>
#include <broadloom/tensor/like.hpp>
#include <broadloom/tensor/mask.hpp>
#include <broadloom/tensor/print.hpp>
#include <broadloom/tensor/reshape.hpp>
#undef BROADLOOM_OPERATORS_COME_LAST
#include <broadloom/fn/operators.hpp>
