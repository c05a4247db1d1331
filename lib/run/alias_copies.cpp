// All copies are in one block of memory. Elements are copied by a program of their own, so that large copies are
// threaded.
#include "alias_copies.hpp"

#include "../base/extents.hpp"
#include "run.hpp"

#include <cstring>

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
constexpr kernel copy_kernel = kernel_of_single(copy_elements<Size>);

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
  const operand x{from, from_strides, type, false, false, nullptr};
  execute_as_is({rank, extents, to, to_strides, type, &x, 1, {&s, 1, nullptr}, how});
}

alias_copies::alias_copies(const problem& p, const alias_decision& d)
    : whole_(p),
      result_(d.result_first),
      memory_(d.copied_bytes + 64 * p.operand_count),
      operands_(static_cast<std::size_t>(p.operand_count)),
      strides_(static_cast<std::size_t>((p.operand_count + 1) * p.rank)),
      inner_(p) {
  if (result_) {
    write_row_major(p.extents, p.rank, strides_.data());
    inner_.out = memory_.data();
    inner_.out_strides = strides_.data();
    return;
  }
  std::byte* to = memory_.data();
  for (int k = 0; k < p.operand_count; ++k) {
    operand& x = operands_[k] = p.operands[k];
    if (!conflicts(p, k)) continue;
    const index bytes = x.is_scalar ? size_of(x.type) : own_bytes(p, x);
    if (!x.is_scalar) {
      index* const s = strides_.data() + k * p.rank;
      index n = 1;
      for (index i = p.rank - 1; i >= 0; --i) {
        s[i] = x.strides[i] == 0 ? 0 : n;
        n *= x.strides[i] == 0 ? 1 : p.extents[i];
      }
      x.strides = s;
    }
    x.data = to;
    to += (bytes + 63) & ~index{63};
  }
  inner_.operands = operands_.data();
}

void alias_copies::before() const {
  if (result_) return;
  small_array<index, 16> extents(static_cast<std::size_t>(whole_.rank));
  for (int k = 0; k < whole_.operand_count; ++k) {
    const operand &from = whole_.operands[k], &to = operands_[k];
    if (from.data == to.data) continue;
    auto* const memory = const_cast<void*>(to.data);
    if (from.is_scalar) {
      std::memcpy(memory, from.data, static_cast<std::size_t>(size_of(from.type)));
      continue;
    }
    for (index i = 0; i < whole_.rank; ++i) extents[i] = from.strides[i] == 0 ? 1 : whole_.extents[i];
    copy_array(from.type, from.data, from.strides, memory, to.strides, whole_.rank, extents.data(), whole_.how);
  }
}

void alias_copies::after() const {
  if (!result_) return;
  copy_array(whole_.out_type, memory_.data(), strides_.data(), whole_.out, whole_.out_strides, whole_.rank,
             whole_.extents, whole_.how);
}

}  // namespace broadloom::runtime
