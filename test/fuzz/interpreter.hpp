// The naive way: expressions as lists of operations over whole arrays in memory, each element computed by itself. It
// shares nothing with the library but the values of its transcendental functions, which other tests compare with the
// truth.
#pragma once

#include <broadloom/core/dtype.hpp>
#include <broadloom/core/index.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace fuzz {

using bl_index = broadloom::index;
using extents = std::vector<bl_index>;

int size_of(broadloom::dtype type);
bl_index count_of(const extents& e);

// How much say a value has in promotion.
enum class standing { axes, rank0, number };

// An array without gaps, in row-major order.
struct dense {
  broadloom::dtype type = broadloom::dtype::f32;
  extents shape;
  std::vector<std::byte> bytes;
  bool number = false;  // a C++ number

  bl_index count() const { return count_of(shape); }
  template <class T>
  T* as() {
    return reinterpret_cast<T*>(bytes.data());
  }
  template <class T>
  const T* as() const {
    return reinterpret_cast<const T*>(bytes.data());
  }
};

dense make_dense(broadloom::dtype type, const extents& shape);

// One operation in postfix order: it takes its operands from the stack and leaves its result there. Integer arguments
// may be numbers or variables of the case (v3).
struct operation {
  std::string name;
  std::vector<std::string> arguments;
};

// "L0 L1 add sum:0:1" as operations.
std::vector<operation> parse(const std::string& program);

// Called with each node that is evaluated: the operation, its arguments as numbers, its operands and its result.
using node_seen =
    std::function<void(const operation&, const std::vector<bl_index>&, const std::vector<dense>&, const dense&)>;
// What sessions hand to `interpret`; nothing unless a test sets it.
node_seen& watched();

// Evaluates the program: leaves by number, variables of the case by number. Throws std::logic_error for what it does
// not know, which is a mistake of the generator.
dense interpret(const std::vector<operation>& program, const std::vector<dense>& leaves,
                const std::vector<bl_index>& variables, const node_seen& seen = {});

// x in another type, as static_cast converts.
dense converted(const dense& x, broadloom::dtype type);
// x seen with a larger shape, as PyTorch's expand.
dense expanded(const dense& x, const extents& shape);

// Whether two elements have the same bits; all NaN are the same.
bool same_element(broadloom::dtype type, const void* a, const void* b);
std::string element_text(broadloom::dtype type, const void* x);
std::string shape_text(const extents& e);

}  // namespace fuzz
