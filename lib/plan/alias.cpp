// Two strided boxes overlap only if their address ranges do and their remainders by the common divisor of the strides
// meet.
#include "alias.hpp"

#include <cstdint>
#include <cstring>

#include "../base/memory_block.hpp"
#include "nest.hpp"

namespace broadloom::runtime {

namespace {

struct box {
  std::uintptr_t low, high;  // of the elements' first bytes
};

std::uintptr_t divisor(std::uintptr_t a, std::uintptr_t b) {
  while (b != 0) {
    const std::uintptr_t t = a % b;
    a = b;
    b = t;
  }
  return a;
}

box box_of(const problem& p, const void* data, const index* strides, int size) {
  const auto at = reinterpret_cast<std::uintptr_t>(data);
  box b{at, at};
  for (index i = 0; i < p.rank; ++i) {
    const index span = (p.extents[i] - 1) * strides[i] * size;
    if (span == 0) continue;
    if (span < 0)
      b.low -= static_cast<std::uintptr_t>(-span);
    else
      b.high += static_cast<std::uintptr_t>(span);
  }
  return b;
}

// The divisor of all strides in bytes, and of another number.
std::uintptr_t common_stride(const problem& p, const index* strides, int size, std::uintptr_t common) {
  for (index i = 0; i < p.rank; ++i)
    if (p.extents[i] > 1 && strides[i] != 0)
      common = divisor(common, static_cast<std::uintptr_t>((strides[i] < 0 ? -strides[i] : strides[i]) * size));
  return common;
}

bool coincides(const problem& p, const operand& x) {
  if (x.data != p.out || size_of(x.type) != size_of(p.out_type)) return false;
  for (index i = 0; i < p.rank; ++i)
    if (p.extents[i] > 1 && x.strides[i] != p.out_strides[i]) return false;
  return true;
}

// The operand's own elements: expanded axes count once.
index own_bytes(const problem& p, const operand& x) {
  index n = size_of(x.type);
  for (index i = 0; i < p.rank; ++i)
    if (x.strides[i] != 0) n *= p.extents[i];
  return n;
}

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

bool conflicts(const problem& p, int k) {
  const operand& x = p.operands[k];
  const int size = size_of(x.type), out_size = size_of(p.out_type);
  if (x.is_number) {
    const box o = box_of(p, p.out, p.out_strides, out_size);
    const auto at = reinterpret_cast<std::uintptr_t>(x.data);
    return at + static_cast<std::uintptr_t>(size) > o.low && at < o.high + static_cast<std::uintptr_t>(out_size);
  }
  if (coincides(p, x)) return false;
  const box o = box_of(p, p.out, p.out_strides, out_size), b = box_of(p, x.data, x.strides, size);
  if (b.low >= o.high + static_cast<std::uintptr_t>(out_size) || o.low >= b.high + static_cast<std::uintptr_t>(size))
    return false;
  const std::uintptr_t common = common_stride(p, x.strides, size, common_stride(p, p.out_strides, out_size, 0));
  if (common == 0) return true;
  // elements of the output begin at o.low + i * common, those of the operand at b.low + j * common
  const std::uintptr_t ahead = b.low >= o.low ? (b.low - o.low) % common : (common - (o.low - b.low) % common) % common;
  return ahead < static_cast<std::uintptr_t>(out_size) || common - ahead < static_cast<std::uintptr_t>(size);
}

bool coincides(const problem& p, int k) { return coincides(p, p.operands[k]); }

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

alias_decision decide_aliases(const problem& p) {
  alias_decision d;
  for (int k = 0; k < p.operand_count; ++k) {
    if (!conflicts(p, k)) continue;
    d.found = true;
    d.copied_bytes += p.operands[k].is_number ? size_of(p.operands[k].type) : own_bytes(p, p.operands[k]);
  }
  index result = size_of(p.out_type);
  for (index i = 0; i < p.rank; ++i) result *= p.extents[i];
  if (d.copied_bytes > result) {
    d.result_first = true;
    d.copied_bytes = result;
  }
  return d;
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
    const index bytes = x.is_number ? size_of(x.type) : own_bytes(p, x);
    if (x.is_number) {
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
