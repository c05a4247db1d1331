// Two strided boxes can overlap only if their address ranges do, and their first addresses are close modulo the
// greatest common divisor of the strides.
#include "alias.hpp"

#include <cstdint>

#include "../base/extents.hpp"
#include "bound.hpp"

namespace broadloom::runtime {

namespace {

std::uintptr_t divisor(std::uintptr_t a, std::uintptr_t b) {
  while (b != 0) {
    const std::uintptr_t t = a % b;
    a = b;
    b = t;
  }
  return a;
}

// The greatest common divisor of all strides in bytes, and of a further number.
std::uintptr_t common_stride(const problem& p, const index* strides, int size, std::uintptr_t common) {
  for (index i = 0; i < p.rank; ++i)
    if (p.extents[i] > 1 && strides[i] != 0)
      common = divisor(common, static_cast<std::uintptr_t>((strides[i] < 0 ? -strides[i] : strides[i]) * size));
  return common;
}

}  // namespace

bool coincides(const problem& p, int k) {
  const operand& x = p.operands[k];
  if (x.is_ramp) return false;
  if (x.data != p.out || size_of(x.type) != size_of(p.out_type)) return false;
  for (index i = 0; i < p.rank; ++i)
    if (p.extents[i] > 1 && x.strides[i] != p.out_strides[i]) return false;
  return true;
}

index own_bytes(const problem& p, const operand& x) {
  index n = size_of(x.type);
  for (index i = 0; i < p.rank; ++i)
    if (x.strides[i] != 0) n *= p.extents[i];
  return n;
}

namespace {

// `o`: the output's addresses.
bool conflicts(const problem& p, const address_range& o, int k) {
  const operand& x = p.operands[k];
  if (x.is_ramp) return false;
  const int size = size_of(x.type), out_size = size_of(p.out_type);
  const address_range b = addresses_of(x.data, p.extents, x.strides, x.is_scalar ? 0 : p.rank, size);
  if (b.low >= o.high || o.low >= b.high) return false;
  if (coincides(p, k)) return false;
  const std::uintptr_t common = common_stride(p, x.strides, size, common_stride(p, p.out_strides, out_size, 0));
  if (common == 0) return true;
  // elements of the output begin at o.low + i * common, those of the operand at b.low + j * common
  const std::uintptr_t ahead = b.low >= o.low ? (b.low - o.low) % common : (common - (o.low - b.low) % common) % common;
  return ahead < static_cast<std::uintptr_t>(out_size) || common - ahead < static_cast<std::uintptr_t>(size);
}

address_range output_of(const problem& p) {
  return addresses_of(p.out, p.extents, p.out_strides, p.rank, size_of(p.out_type));
}

}  // namespace

bool conflicts(const problem& p, int k) { return conflicts(p, output_of(p), k); }

alias_decision decide_aliases(const problem& p) {
  alias_decision d;
  const address_range out = output_of(p);
  for (int k = 0; k < p.operand_count; ++k) {
    if (!conflicts(p, out, k)) continue;
    d.found = true;
    d.copied_bytes += own_bytes(p, p.operands[k]);
  }
  const index result = product(p.extents, p.rank) * size_of(p.out_type);
  if (d.copied_bytes > result) {
    d.result_first = true;
    d.copied_bytes = result;
  }
  return d;
}

}  // namespace broadloom::runtime
