// Reductions and what is written with them.
#pragma once

#include <broadloom/reduce/norm.hpp>
#include <broadloom/reduce/scans.hpp>
#include <broadloom/reduce/softmax.hpp>
#include <broadloom/reduce/statistics.hpp>
#include <broadloom/reduce/sum_to.hpp>
