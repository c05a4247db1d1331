// Running sums and products: rows are evaluated a block at a time and scanned while they are in cache, or read in
// place. Elements are added one after the other; several rows at once hide the latency of additions.
#include "scan.hpp"

#include "../base/limits.hpp"

#include <cstring>
#include <type_traits>

#include <broadloom/core/isa.hpp>
#include <broadloom/fn/lanes.hpp>

#include "../base/extents.hpp"
#include "../base/for_each.hpp"
#include "../base/smaller.hpp"
#include "../move/copy.hpp"
#include "../plan/blocks.hpp"
#include "../plan/bound.hpp"
#include "operations.hpp"
#include "scan_rows.hpp"

namespace broadloom::runtime {

namespace {

using namespace limits::scanning;

// One element after the other. Integers, whose results do not depend on the order, four at a time: a result waits for
// one operation on the one four before it.
template <class Op, class T>
void scan_row(const T* from, T* to, index n) {
  T sum = to[0] = from[0];
  index i = 1;
  if constexpr (std::is_integral_v<T>)
    for (; i + 4 <= n; i += 4) {
      const T a = from[i], ab = Op::on(a, from[i + 1]), abc = Op::on(ab, from[i + 2]),
              abcd = Op::on(ab, Op::on(from[i + 2], from[i + 3]));
      to[i] = Op::on(sum, a);
      to[i + 1] = Op::on(sum, ab);
      to[i + 2] = Op::on(sum, abc);
      to[i + 3] = sum = Op::on(sum, abcd);
    }
  for (; i < n; ++i) to[i] = sum = Op::on(sum, from[i]);
}

// Several rows at once: blocks of elements are transposed, scanned as columns in vectors, and transposed back.
template <class Op, class T>
void scan_rows(const T* from, index from_pitch, T* to, index to_pitch, index n, bool streaming) {
  constexpr index chunk = 64, size = sizeof(T);
  constexpr int w = size == 1 ? rows_at_once : 16 / static_cast<int>(size), vectors = rows_at_once / w;
  static_assert(w * vectors == rows_at_once);
  alignas(64) T columns[chunk * rows_at_once], part[rows_at_once * chunk];
  detail::simd_vec<T, w> sum[vectors]{};
  for (index i = 0; i < n; i += chunk) {
    const index count = chunk < n - i ? chunk : n - i;
    for (int k = 0; k < rows_at_once; ++k)
      for (index b = 0; b < chunk; b += 64 / size) __builtin_prefetch(from + k * from_pitch + i + 4 * chunk + b);
    gather(columns, reinterpret_cast<const std::byte*>(from + i), size, count, rows_at_once, size, from_pitch * size);
    for (index c = 0; c < count; ++c)
      for (int v = 0; v < vectors; ++v) {
        T* const at = columns + c * rows_at_once + v * w;
        const auto x = detail::load<T, w>(at);
        sum[v] = i + c == 0 ? x : Op::on(sum[v], x);
        detail::store<T>(at, sum[v]);
      }
    gather(part, reinterpret_cast<const std::byte*>(columns), size, rows_at_once, count, size, rows_at_once * size);
    for (int k = 0; k < rows_at_once; ++k) {
      T* const x = to + k * to_pitch + i;
      const auto bytes = static_cast<std::size_t>(count * size);
      if (streaming)
        stream(x, part + k * count, bytes);
      else
        std::memcpy(x, part + k * count, bytes);
    }
  }
}

// `rows` rows of n elements, `pitch` elements apart; `to` may be `from`.
template <class Op, class T>
void scan_as(const void* in, index from_pitch, void* out, index rows, index n, bool streaming,
             const scan_rows_kernel* wide) {
  const T* from = static_cast<const T*>(in);
  T* to = static_cast<T*>(out);
  index r = 0;
  for (; wide != nullptr && r + wide->count <= rows; r += wide->count)
    wide->rows(from + r * from_pitch, from_pitch, to + r * n, n, n, streaming);
  for (; r + rows_at_once <= rows; r += rows_at_once)
    scan_rows<Op>(from + r * from_pitch, from_pitch, to + r * n, n, n, streaming);
  for (; r < rows; ++r) scan_row<Op>(from + r * from_pitch, to + r * n, n);
  if (streaming) fence();
}

using rows_scan = void(const void* from, index from_pitch, void* to, index rows, index n, bool streaming,
                       const scan_rows_kernel* wide);
template <class Op>
rows_scan* rows_scan_for(dtype t) {
  switch (t) {
    case dtype::f32: return scan_as<Op, float>;
    case dtype::f64: return scan_as<Op, double>;
    case dtype::i8: return scan_as<Op, std::int8_t>;
    case dtype::u8: return scan_as<Op, std::uint8_t>;
    case dtype::i16: return scan_as<Op, std::int16_t>;
    case dtype::u16: return scan_as<Op, std::uint16_t>;
    case dtype::i32: return scan_as<Op, std::int32_t>;
    case dtype::u32: return scan_as<Op, std::uint32_t>;
    case dtype::u64: return scan_as<Op, std::uint64_t>;
    default: return scan_as<Op, std::int64_t>;
  }
}

// How rows of one problem are scanned, and arrays of (length, inner) elements.
struct scan_way {
  rows_scan* rows;
  const scan_rows_kernel* wide;
  scan_columns_kernel* columns;
  index size;

  // `count` arrays, `from_pitch` elements apart, to contiguous ones.
  void run(const void* from, index from_pitch, void* to, index count, index length, index inner, bool streaming) const {
    if (inner == 1) return rows(from, from_pitch, to, count, length, streaming, wide);
    const auto* x = static_cast<const std::byte*>(from);
    auto* y = static_cast<std::byte*>(to);
    for (index r = 0; r < count; ++r, x += from_pitch * size, y += length * inner * size)
      columns(x, inner, y, inner, length, inner);
  }
};

// The operand that the problem copies, if it is an array of the output's type.
const operand* copied_array(const problem& p) {
  const stage& only = p.code.stages[0];
  if (p.code.stage_count != 1 || !only.copies) return nullptr;
  const operand& x = p.operands[only.inputs[0]];
  return x.is_scalar || x.is_ramp || x.type != p.out_type ? nullptr : &x;
}

// Whether the operand's axes behind this one are as in a row-major array.
bool are_contiguous(const problem& p, const operand& x, int axis) {
  index n = 1;
  for (index i = p.rank - 1; i > axis; n *= p.extents[i], --i)
    if (p.extents[i] != 1 && x.strides[i] != n) return false;
  return true;
}

// A single row: read in place, or computed a block at a time if one thread does it.
void scan_line(const problem& p, int axis, index length, rows_scan* run) {
  const operand* const x = copied_array(p);
  if (x != nullptr && x->strides[axis] == 1) return run(x->data, 0, p.out, 1, length, false, nullptr);
  auto* const out = static_cast<std::byte*>(p.out);
  const index size = size_of(p.out_type);
  const bool by_blocks = p.how.threads == 1 || (p.how.threads == 0 && max_threads() == 1);
  const index block = by_blocks ? block_bytes / size : length;
  for (index first = 0; first < length; first += block) {
    const index n = smaller(block, length - first), before = first > 0 ? 1 : 0;
    execute(by_blocks ? part_of_problem(p, axis, first, n).problem : p);
    std::byte* const from = out + (first - before) * size;  // the last result is the first element
    run(from, 0, from, 1, n + before, false, nullptr);
  }
}

}  // namespace

void scan(const problem& p, unsigned axis_bit, reduction op) {
  int axis = 0;
  while (axis < p.rank && (axis_bit >> axis & 1) == 0) ++axis;
  const index length = axis < p.rank ? p.extents[axis] : 1;
  if (length == 1) return execute(p);
  const index outer = product(p.extents, axis), inner = product(p.extents + axis + 1, p.rank - axis - 1);
  const index size = size_of(p.out_type);
  const scan_way how{op == reduction::running_sum ? rows_scan_for<operation<reduction::sum>>(p.out_type)
                                                  : rows_scan_for<operation<reduction::prod>>(p.out_type),
                     scans_of().find(op, p.out_type), scans_of().find_columns(op, p.out_type), size};
  auto* const out = static_cast<std::byte*>(p.out);
  const bool small = outer * length * inner < 65536;
  const int threads = p.how.threads == 0 && small ? 1 : p.how.threads;

  // Rows along the first axis of extent above 1, unless that axis is the one that is scanned.
  int lead = 0;
  while (lead < axis && p.extents[lead] == 1) ++lead;
  if (lead == axis) {
    if (inner == 1) return scan_line(p, axis, length, how.rows);
    const operand* const x = copied_array(p);
    const bool in_place = x == nullptr || !are_contiguous(p, *x, axis);
    if (in_place) execute(p);
    const auto* const from = static_cast<const std::byte*>(in_place ? out : x->data);
    const index pitch = in_place ? inner : x->strides[axis], parts = divide_up(inner, columns_at_once);
    return for_each(parts, parts < 2 ? 1 : threads, [&](index part) {
      const index first = part * columns_at_once, n = smaller(columns_at_once, inner - first);
      how.columns(from + first * size, pitch, out + first * size, inner, length, n);
    });
  }
  const index rows = p.extents[lead], row = outer / rows * length * inner;  // elements
  index at_once = block_bytes / (row * size + 1);
  if (threads != 1 && at_once > rows / 8) at_once = rows / 8;
  if (inner == 1) at_once = at_once / max_rows_at_once * max_rows_at_once;
  if (at_once < 1) at_once = inner == 1 && max_rows_at_once * row * size < 8 * block_bytes ? max_rows_at_once : 1;

  // An array with the output's layout is read in place.
  const operand* plain = copied_array(p);
  if (plain != nullptr && (outer != rows || !are_contiguous(p, *plain, lead))) plain = nullptr;
  const bool streaming = 2 * rows * row * size >= streamed_bytes();
  for_each(divide_up(rows, at_once), threads, [&](index block) {
    const index first = block * at_once, n = smaller(at_once, rows - first);
    std::byte* const to = out + first * row * size;
    if (plain != nullptr) {
      const index pitch = plain->strides[lead];
      return how.run(static_cast<const std::byte*>(plain->data) + first * pitch * size, pitch, to, n, length, inner,
                     streaming);
    }
    execute(part_of_problem(p, lead, first, n).problem);
    how.run(to, length * inner, to, n * (outer / rows), length, inner, false);
  });
}

}  // namespace broadloom::runtime
