// Everything of indexing: gather and scatter, selection, advanced slices, joining and rearranging, ordering and
// counting.
#pragma once

#include <broadloom/index/advanced.hpp>
#include <broadloom/index/choose.hpp>
#include <broadloom/index/choose_from.hpp>
#include <broadloom/index/count.hpp>
#include <broadloom/index/gather.hpp>
#include <broadloom/index/grid.hpp>
#include <broadloom/index/join.hpp>
#include <broadloom/index/nonzero.hpp>
#include <broadloom/index/rearrange.hpp>
#include <broadloom/index/scatter.hpp>
#include <broadloom/index/scatter_broadcast.hpp>
#include <broadloom/index/scatter_reduce.hpp>
#include <broadloom/index/select.hpp>
#include <broadloom/index/sort.hpp>
#include <broadloom/index/split.hpp>
#include <broadloom/index/stack.hpp>
#include <broadloom/index/triangle.hpp>
#include <broadloom/index/update.hpp>
