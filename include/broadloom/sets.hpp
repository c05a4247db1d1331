// Arrays as sets, and less usual orders: unique along an axis, unique_consecutive, union1d, intersect1d, setdiff1d,
// setxor1d, partition, argpartition, lexsort. Not part of broadloom.hpp.
#pragma once

#include <broadloom/index/partition.hpp>
#include <broadloom/index/sets.hpp>
#include <broadloom/index/unique.hpp>
