// Products of several matrices: chains in the order of the fewest multiplications, and powers of integers.
#include <broadloom/linalg/factor.hpp>
#include <broadloom/linalg/multi_dot.hpp>

#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include <broadloom/plan/problem.hpp>

#include "batch.hpp"
#include "errors.hpp"
#include "stack_functions.hpp"

namespace broadloom::runtime {

namespace {

// One product of matrices in memory.
void multiply_two(const stack_call& c, const stack_input& a, const stack_input& b, index rows, index depth, index cols,
                  void* to) {
  const stack_input both[] = {a, b};
  const index sizes[] = {rows, depth, cols};
  void* const outputs[] = {to};
  matmul({c.function, c.type, 0, nullptr, sizes, both, outputs, nullptr, c.how});
}

struct product_chain {
  static constexpr int most = detail::max_core_arguments;
  const stack_call& c;
  int count;
  double cost[most][most] = {};
  int split[most][most] = {};

  product_chain(const stack_call& call, int n) : c(call), count(n) {
    const auto size = [&](int i) { return static_cast<double>(c.sizes[i]); };
    for (int length = 2; length <= count; ++length)
      for (int i = 0; i + length <= count; ++i) {
        const int last = i + length - 1;
        cost[i][last] = std::numeric_limits<double>::infinity();
        for (int k = i; k < last; ++k) {
          const double x = cost[i][k] + cost[k + 1][last] + size(i) * size(k + 1) * size(last + 1);
          if (x < cost[i][last]) {
            cost[i][last] = x;
            split[i][last] = k;
          }
        }
      }
  }

  // Operands [i, last] multiplied into `to`.
  void run(int i, int last, void* to) const {
    const int k = split[i][last];
    const partial left(*this, i, k), right(*this, k + 1, last);
    multiply_two(c, left.operand, right.operand, c.sizes[i], c.sizes[k + 1], c.sizes[last + 1], to);
  }

 private:
  // An operand as it is, or a product in memory of its own.
  struct partial {
    buffer<char> memory;
    stack_input operand{};
    partial(const product_chain& chain, int i, int last)
        : memory(i == last ? 0 : chain.c.sizes[i] * chain.c.sizes[last + 1] * size_of(chain.c.type)) {
      if (i == last) {
        operand = chain.c.inputs[i];
        return;
      }
      chain.run(i, last, memory.data());
      operand.data = memory.data();
      operand.core[0] = chain.c.sizes[last + 1];
      operand.core[1] = 1;
    }
  };
};

}  // namespace

void multi_dot(const stack_call& c) {
  const int n = *static_cast<const int*>(c.parameters);
  product_chain(c, n).run(0, n - 1, c.outputs[0]);
}

void matrix_power_of_integers(const stack_call& c) {
  const index n = c.sizes[0], bytes = size_of(c.type), whole = n * n * bytes;
  const auto exponent = static_cast<std::uint64_t>(*static_cast<const std::int64_t*>(c.parameters));
  buffer<char> memory(2 * whole);
  const index count = c.count();
  for (index number = 0; number < count; ++number) {
    char* base = memory.data();
    char* spare = base + whole;
    char* const to = static_cast<char*>(c.outputs[0]) + number * whole;
    const char* const from = static_cast<const char*>(c.inputs[0].data) + loop_offset(c, c.inputs[0], number) * bytes;
    for (index i = 0; i < n; ++i)
      for (index j = 0; j < n; ++j)
        std::memcpy(base + (i * n + j) * bytes, from + (i * c.inputs[0].core[0] + j * c.inputs[0].core[1]) * bytes,
                    static_cast<std::size_t>(bytes));
    std::memset(to, 0, static_cast<std::size_t>(whole));
    for (index i = 0; i < n; ++i) {
      const std::uint64_t one = 1;
      const std::uint32_t one4 = 1;
      const std::uint16_t one2 = 1;
      char* const at = to + i * (n + 1) * bytes;
      if (bytes == 8) std::memcpy(at, &one, 8);
      if (bytes == 4) std::memcpy(at, &one4, 4);
      if (bytes == 2) std::memcpy(at, &one2, 2);
      if (bytes == 1) *at = 1;
    }
    const auto multiply = [&](const char* x, const char* y) {
      stack_input a{}, b{};
      a.data = x;
      b.data = y;
      a.core[0] = b.core[0] = n;
      a.core[1] = b.core[1] = 1;
      multiply_two(c, a, b, n, n, n, spare);
    };
    bool have = false;  // a power; the identity until then
    for (std::uint64_t left = exponent; left != 0; left >>= 1) {
      if ((left & 1) != 0) {
        if (have) multiply(to, base);
        std::memcpy(to, have ? spare : base, static_cast<std::size_t>(whole));
        have = true;
      }
      if (left > 1) {
        multiply(base, base);
        std::swap(base, spare);
      }
    }
  }
}

void raise_negative_power(std::int64_t n) {
  throw linalg_error("linalg.matrix_power: a negative power of integers (" + std::to_string(n) +
                     "): cast them to a floating type");
}

}  // namespace broadloom::runtime
