// Element types of the program's own (enable_element), and what arrays of them need. Not part of broadloom.hpp.
#pragma once

#include <broadloom/broadloom.hpp>
#include <broadloom/core/enable_element.hpp>
#include <broadloom/eval/own_loop.hpp>
#include <broadloom/fn/own.hpp>
#include <broadloom/reduce/own_types.hpp>
#include <broadloom/tensor/own_text.hpp>
