// Temporaries are one block of memory; elements are copied by a program of their own, so that large copies are
// threaded.
#include "execute_without_aliases.hpp"

#include <cstring>

#include "../base/memory_block.hpp"
#include "../base/small_array.hpp"

namespace broadloom::runtime {

namespace {

// A copy of an array is the program that reads one operand and does nothing.
const unsigned char first_input[] = {0};

template <int Size>
struct word {
  unsigned char bytes[Size];
};
template <int Size>
void copy_elements(const slot* in, void* out, index n, kernel_mode) {
  if (in[0].advance != 0)
    std::memcpy(out, in[0].data, static_cast<std::size_t>(n) * Size);
  else
    for (index i = 0; i < n; ++i) std::memcpy(static_cast<std::byte*>(out) + i * Size, in[0].data, Size);
}
template <int Size>
constexpr kernel copy_kernel{{copy_elements<Size>, copy_elements<Size>, copy_elements<Size>}, {1, 1, 1}};

}  // namespace

void copy_array(dtype type, const void* from, const index* from_strides, void* to, const index* to_strides, index rank,
                const index* extents, const options& how) {
  const int size = size_of(type);
  const kernel* const k = size == 1   ? &copy_kernel<1>
                          : size == 2 ? &copy_kernel<2>
                          : size == 4 ? &copy_kernel<4>
                          : size == 8 ? &copy_kernel<8>
                                      : &copy_kernel<16>;
  const stage s{stage_kind::compute, type, 0, 1, first_input, &type, k, true, arithmetic::other};
  const operand x{from, from_strides, type, false, nullptr};
  execute({rank, extents, to, to_strides, type, &x, 1, {&s, 1, nullptr}, how});
}

void execute_without_aliases(const problem& p, const alias_decision& d) {
  const memory_block memory(d.copied_bytes + 64 * p.operand_count);
  if (d.result_first) {
    small_array<index, 16> strides(static_cast<std::size_t>(p.rank));
    index n = 1;
    for (index i = p.rank - 1; i >= 0; --i) {
      strides[i] = n;
      n *= p.extents[i];
    }
    problem inner = p;
    inner.out = memory.data();
    inner.out_strides = strides.data();
    execute(inner);
    copy_array(p.out_type, memory.data(), strides.data(), p.out, p.out_strides, p.rank, p.extents, p.how);
    return;
  }
  small_array<operand, 16> operands(static_cast<std::size_t>(p.operand_count));
  small_array<index, 64> strides(static_cast<std::size_t>(p.operand_count * p.rank));
  std::byte* to = memory.data();
  for (int k = 0; k < p.operand_count; ++k) {
    operand& x = operands[k] = p.operands[k];
    if (!conflicts(p, k)) continue;
    const index bytes = x.is_scalar ? size_of(x.type) : own_bytes(p, x);
    if (x.is_scalar) {
      std::memcpy(to, x.data, static_cast<std::size_t>(bytes));
    } else {
      index* const s = strides.data() + k * p.rank;
      small_array<index, 16> extents(static_cast<std::size_t>(p.rank));
      index n = 1;
      for (index i = p.rank - 1; i >= 0; --i) {
        extents[i] = x.strides[i] == 0 ? 1 : p.extents[i];
        s[i] = x.strides[i] == 0 ? 0 : n;
        n *= extents[i];
      }
      copy_array(x.type, x.data, x.strides, to, s, p.rank, extents.data(), p.how);
      x.strides = s;
    }
    x.data = to;
    to += (bytes + 63) & ~index{63};
  }
  problem inner = p;
  inner.operands = operands.data();
  execute(inner);
}

}  // namespace broadloom::runtime
