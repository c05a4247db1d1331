// Writing where nothing but a position says where an element goes.
#pragma once

#include <broadloom/index/problem.hpp>

namespace broadloom::runtime {

// As write(), positions looked at; false, and nothing done, where there is more to it than one line of positions, or
// too little to be worth it.
bool write_line(const selection& to, const char* call, const void* from, const index* strides, dtype type, update what,
                const options& how);

}  // namespace broadloom::runtime
