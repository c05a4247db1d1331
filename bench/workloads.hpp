// The workloads: what is computed, on which inputs, and what the right result is.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "contender.hpp"

namespace bench {

enum class element { f32, f64, i32, i64, u8, b8 };
std::size_t size_of(element type);

struct operand {
  std::string name;
  shape extents;
  element type;
  double low, high;  // elements are uniform in [low, high)
};

struct workload {
  std::string family;
  std::string name;
  std::string formula;
  std::vector<operand> operands;
  shape extents;
  element type;
  double tolerance;  // of an element: |error| <= tolerance * (|right| + root mean square of the right result)
  bool exact;        // IEEE arithmetic leaves one right answer: bits are compared with the hand-written loop
  void (*solve)(const std::vector<const void*>& in, const shape& extents, void* out);  // plain scalar loop
  struct stream {
    std::size_t operand, bytes;
  };
  std::vector<stream> streams{};  // operands large enough that reading them takes time: every cache line touched, once
  std::size_t write_bytes = 0;    // of the output, once
  bool latency = false;           // small: nanoseconds per call matter, one thread
  double operations = 0;          // arithmetic operations per element, transcendental functions counted as one each
};

const std::vector<workload>& all_workloads();

// Element i of operand number k of a workload: the same for every program that asks.
void fill(void* memory, const operand& what, const std::string& workload_name, int k);

double element_at(const void* memory, element type, long i);

// Order-sensitive sum of all elements.
double checksum(const void* memory, element type, long n);

}  // namespace bench
