// Broadloom @VERSION@ in one header, written by `./dev single` from the headers and sources of the library: arithmetic,
// views, broadcasting, reductions, indexing and printing on the calling thread, in plain loops, without a library to
// link. Arithmetic and reductions have the library's bits; exp, sin and the like are those of the standard library.
//
// Boost Software License, Version 1.0 (http://www.boost.org/LICENSE_1_0.txt), as Boost.Hana, of which this has a part:
// Copyright Louis Dionne 2013-2022 and others, whom its files name.
#pragma once

#define BROADLOOM_SINGLE
#define BROADLOOM_VERSION "@VERSION@"
// What a call of a function of the library is told: known to GCC and, from 14 on, to clang.
#define BROADLOOM_NEEDS_LIBRARY                                                                            \
  [[gnu::error(                                                                                            \
      "broadloom_single.hpp does not have this function: include <broadloom/broadloom.hpp> and link with " \
      "libbroadloom")]]

// In the order of broadloom.hpp.
#include <broadloom/core/mistakes.hpp>
#include <broadloom/expr/map.hpp>
#include <broadloom/fn/function.hpp>
#include <broadloom/tensor/eval.hpp>
#include <broadloom/tensor/tensor.hpp>

#include <broadloom/core/infinity.hpp>
#include <broadloom/core/version.hpp>
#include <broadloom/eval/let.hpp>
#include <broadloom/expr/broadcast_tensors.hpp>
#include <broadloom/expr/concepts.hpp>
#include <broadloom/expr/expects.hpp>
#include <broadloom/expr/named.hpp>
#include <broadloom/expr/slice.hpp>
#include <broadloom/expr/view_names.hpp>
#include <broadloom/expr/windows.hpp>
#include <broadloom/fn/composite.hpp>
#include <broadloom/fn/strict.hpp>
#include <broadloom/index/advanced.hpp>
#include <broadloom/index/choose.hpp>
#include <broadloom/index/choose_from.hpp>
#include <broadloom/index/column_stack.hpp>
#include <broadloom/index/differences.hpp>
#include <broadloom/index/gather.hpp>
#include <broadloom/index/grid.hpp>
#include <broadloom/index/join.hpp>
#include <broadloom/index/nonzero.hpp>
#include <broadloom/index/rearrange.hpp>
#include <broadloom/index/scatter.hpp>
#include <broadloom/index/scatter_broadcast.hpp>
#include <broadloom/index/scatter_reduce.hpp>
#include <broadloom/index/select.hpp>
#include <broadloom/index/split.hpp>
#include <broadloom/index/stack.hpp>
#include <broadloom/index/tensor_split.hpp>
#include <broadloom/index/triangle.hpp>
#include <broadloom/index/update.hpp>
#include <broadloom/reduce/complex.hpp>
#include <broadloom/reduce/equality.hpp>
#include <broadloom/reduce/nan.hpp>
#include <broadloom/reduce/own.hpp>
#include <broadloom/reduce/own_scan.hpp>
#include <broadloom/reduce/reduce.hpp>
#include <broadloom/shape/broadcast_shapes.hpp>
#include <broadloom/tensor/factories.hpp>
#include <broadloom/tensor/flatten.hpp>
#include <broadloom/tensor/from.hpp>
#include <broadloom/tensor/iota.hpp>
#include <broadloom/tensor/like.hpp>
#include <broadloom/tensor/mask.hpp>
#include <broadloom/tensor/print.hpp>
#include <broadloom/tensor/reshape.hpp>

// Before the sources that call a function `list`.
#include "../../lib/base/shape.cpp"
#include "../../lib/index/tensor_split.cpp"

#include "../../lib/base/arithmetic.cpp"
#include "../../lib/base/errors.cpp"
#include "../../lib/base/index_errors.cpp"
#include "../../lib/base/interop_errors.cpp"
#include "../../lib/base/operand_errors.cpp"
#include "../../lib/base/shared.cpp"
#include "../../lib/base/signal_errors.cpp"
#include "../../lib/base/throw_error.cpp"
#include "../../lib/base/views.cpp"
#include "../../lib/index/errors.cpp"
#include "../../lib/index/join.cpp"
#include "../../lib/index/nonzero.cpp"
#include "../../lib/index/segments.cpp"
#include "../../lib/text/format.hpp"

#include "runtime.cpp"
