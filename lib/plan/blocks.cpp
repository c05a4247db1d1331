// How a nest is cut into blocks: whole rows if the inner axis is long, tiles if an operand is contiguous along another
// axis, several rows together if the inner axis is short.
#include "blocks.hpp"

#include "../base/limits.hpp"
#include "../base/smaller.hpp"
#include "work.hpp"

#include <cstdint>

#include <broadloom/core/isa.hpp>

namespace broadloom::runtime {

namespace {

using limits::line_bytes;
using namespace limits::blocks;

index inner_stride(const nest& n, int k) { return n.rank == 0 ? n.list[k].size : n.stride(k, n.rank - 1); }

// Whether the rows of every operand are contiguous, or all the same row.
bool rows_run_on(const nest& n) {
  if (n.rank != 2) return false;
  for (int k = 0; k < n.arrays; ++k) {
    if (n.list[k].ramp) return false;
    if (n.list[k].scalar) continue;
    const index across = n.stride(k, 0), along = n.stride(k, 1);
    if (along != n.list[k].size || (across != n.extents[1] * along && (across != 0 || k == n.output()))) return false;
  }
  return true;
}

// Elements of a block of merged rows: what was packed for the first block is read by all, so it must stay in the
// first-level cache while the other arrays pass through. Several stages read it a strip at a time, hidden behind the
// functions between them. Beside arrays from memory that are not streamed, each of them has a page at most.
index elements_of_merged(const nest& n, const blocks& b, const program& code, bool from_memory) {
  index bytes = 0, widest = 0;  // of an element in all arrays, and in those that are packed
  for (int k = 0; k < n.arrays; ++k) {
    const reading how = read_array(n, b, k);
    if (how == reading::packed && n.list[k].size > widest) widest = n.list[k].size;
    if (how != reading::scalar && how != reading::splat) bytes += n.list[k].size;
  }
  const index most = tuned_size(tuned::merged_elements);
  if (widest == 0 || code.stage_count > 1) return most;
  const index cached = merged_bytes / bytes;
  return smaller(most, from_memory ? smaller(cached, packed_page / widest) : cached);
}

// Elements of a block that does not pack: fewer where these take long, so that several threads have some, down to
// least_elements where a block takes more than block_ns; fewest of callables, which may take any time.
constexpr index least_elements = 4096, callable_elements = 2048;
constexpr double block_ns = 16000;
// Flat blocks that are one chunk each are run as one.
static_assert(least_elements > 2 * strip_elements && callable_elements > 2 * strip_elements);

index elements_of_block(const nest& n, const program& code) {
  double ns = 0;
  const auto number = [&n](int k) { return n.list[k].scalar ? n.list[k].base : nullptr; };
  for (int s = 0; s < code.stage_count; ++s) {
    if (takes_unknown_time(code.stages[s])) return callable_elements;
    ns += stage_ns(code.stages[s], number);
  }
  index elements = block_elements;
  while (elements > least_elements && static_cast<double>(elements) * ns > block_ns) elements /= 2;
  return elements;
}

// The extents and the order of tiles.
void cut_tiles(const nest& n, blocks& b, int widest, bool streamed) {
  const int out = n.output();
  int down = 0, along = 0;  // operands that are contiguous down the rows, and along them
  for (int k = 0; k < out; ++k) {
    if (n.list[k].scalar || n.list[k].ramp) continue;
    const index across = n.stride(k, b.row_axis);
    if (across == n.list[k].size || across == -n.list[k].size)
      ++down;
    else if (across != 0 && inner_stride(n, k) == n.list[k].size)
      ++along;
  }
  b.down = down > along;
  const bool whole = n.stride(out, b.row_axis) % line_bytes == 0 &&
                     reinterpret_cast<std::uintptr_t>(n.list[out].base) % static_cast<std::uintptr_t>(line_bytes) == 0;
  const index size = n.list[out].size;
  b.rows = tile_bytes / widest;
  // Narrow tiles of several operands stay in the first-level cache together, and from memory read fewer columns, which
  // lie on few sets of the second-level cache where rows are a power of two.
  b.columns = (streamed ? tuned_size(tuned::tile_bytes) : along == 0 && down > 1 ? narrow_row : tile_row) / size;
  if (b.columns > max_columns) b.columns = max_columns;
  if (b.columns < fewest_columns) b.columns = fewest_columns;
  if (streamed && !whole && b.columns < ragged_row / size) b.columns = ragged_row / size;
}

}  // namespace

const char* to_string(reading r) {
  constexpr const char* names[] = {"scalar", "dense", "splat", "packed", "computed"};
  return names[static_cast<int>(r)];
}

const char* to_string(block_kind k) {
  constexpr const char* names[] = {"flat", "rows", "tiles", "merged rows"};
  return names[static_cast<int>(k)];
}

reading read_array(const nest& n, const blocks& b, int k) {
  if (n.list[k].scalar) return reading::scalar;
  const index size = n.list[k].size;
  const index along = inner_stride(n, k);
  if (b.kind == block_kind::merged) {
    const index across = n.stride(k, b.row_axis);
    if (along == 0 && across == 0) return reading::splat;
    if (along == size && across == n.extents[b.inner_axis] * size && !n.list[k].ramp) return reading::dense;
    return reading::packed;
  }
  if (n.list[k].ramp) return along == 0 && n.rank > 0 ? reading::splat : reading::computed;
  if (along == size || n.rank == 0) return reading::dense;
  if (along == 0) return reading::splat;
  return reading::packed;
}

bool counts_in_registers(const nest& n, const program& code, int k) {
  const nest_array& x = n.list[k];
  if (!x.ramp || n.rank == 0 || inner_stride(n, k) != x.size) return false;
  for (int s = 0; s < code.stage_count; ++s) {
    const stage& st = code.stages[s];
    for (int j = 0; j < st.input_count; ++j)
      if (st.inputs[j] == k && !takes_ramps(st, x.type)) return false;
  }
  return true;
}

bool counts_exactly(dtype type, index first, index n) {
  const int bits = type == dtype::f32 ? 24 : type == dtype::f64 ? 53 : 8 * size_of(type) - 1;
  return first >= 0 && first <= (index{1} << (bits < 62 ? bits : 62)) - n;
}

// The same for all of its elements.
namespace {
bool counts_all_in_registers(const nest& n, const program& code, int k) {
  if (!counts_in_registers(n, code, k)) return false;
  const nest_array& x = n.list[k];
  const index base = static_cast<index>(reinterpret_cast<std::uintptr_t>(x.base)) / x.size;
  index low = base, high = base;
  for (int i = 0; i < n.rank; ++i) {
    const index reach = (n.extents[i] - 1) * (n.stride(k, i) / x.size);
    (reach < 0 ? low : high) += reach;
  }
  return counts_exactly(x.type, low, high - low + 1);
}

// Whether a transcendental function reads an array with stride 0 along the rows.
bool needs_splats(const nest& n, const blocks& b, const program& code) {
  for (int s = 0; s < code.stage_count; ++s) {
    const stage& st = code.stages[s];
    if (st.kind == stage_kind::compute) continue;
    for (int j = 0; j < st.input_count; ++j) {
      if (st.inputs[j] >= first_stage) continue;
      const reading how = read_array(n, b, st.inputs[j]);
      if (how == reading::scalar || how == reading::splat) return true;
    }
  }
  return false;
}

}  // namespace

bool is_prefetched(const nest& n, const blocks& b, const program& code, int k) {
  if (n.list[k].scalar || read_array(n, b, k) != reading::dense) return false;
  if (k == n.output()) return !b.streamed;
  for (int s = 0; s < code.stage_count; ++s) {
    const stage& st = code.stages[s];
    for (int j = 0; j < st.input_count; ++j)
      if (st.inputs[j] == k) return st.kind == stage_kind::compute && s + 1 < code.stage_count;
  }
  return false;
}

// Whether operands are prefetched, and so few lines before each stage that none waits for them. A part of them must not
// be: the hardware prefetcher would follow neither.
namespace {
bool is_worth_prefetching(const nest& n, const blocks& b, const program& code) {
  if (code.stage_count < min_prefetched_stages) return false;
  bool any = false;
  index lines = 0;
  for (int k = 0; k < n.arrays; ++k)
    if (is_prefetched(n, b, code, k)) {
      any = any || k != n.output();
      lines += divide_up(b.chunk * n.list[k].size, code.stage_count * line_bytes);
    }
  return any && lines <= max_prefetched_lines;
}
}  // namespace

namespace {

// Whether the kernel of a stage has vectors wide enough to stream its results itself.
bool streams_in_kernel(const stage& s) {
  return s.kind == stage_kind::compute && s.type != dtype::b8 &&
         s.code->lanes[static_cast<int>(active_isa())] * size_of(s.type) >= 16;
}

// Whether rows of an operand that is copied are gathered where the result lies, unless it is streamed, each element
// once.
bool gathers_rows(const nest& n, const blocks& b, const stage& last) {
  const int k = last.inputs[0];
  if (!last.copies || k >= first_stage || b.kind == block_kind::tiles || read_array(n, b, k) != reading::packed)
    return false;
  for (int i = 0; i < n.rank; ++i)
    if (n.extents[i] > 1 && n.stride(k, i) == 0) return false;
  return true;
}

// Whether a result is worth streaming if it is large. What kernels do not stream goes by way of a strip, while ordinary
// stores take place as it is computed: below AVX-512 they win however much is written. Times with streaming stores over
// times without, Zen 3, AVX2, 32 to 128 MiB: `exp(a)` 1.2-1.3, `expm1` 1.16, `atan2` 1.06-1.13, u8 * f32 to
// u8 1.07-1.4, `flip` 1.25-1.8.
bool is_worth_streaming(const nest& n, const blocks& b, const stage& last) {
  return active_isa() >= isa::v4 || (streams_in_kernel(last) && !gathers_rows(n, b, last));
}

}  // namespace

blocks cut(const nest& n, const program& code, const options& how, bool often) {
  blocks b{};
  b.inner_axis = n.rank - 1;
  b.row_axis = n.rank >= 2 ? n.rank - 2 : -1;
  const index columns = n.rank == 0 ? 1 : n.extents[b.inner_axis];
  const index total = n.size();
  const int out = n.output();

  index traffic = 0;
  bool strided = n.rank > 0 && inner_stride(n, out) != n.list[out].size;
  int across = -1;  // an axis along which a strided operand is contiguous, upwards or downwards
  int widest_strided = 1;
  index along_strided = 0;  // bytes along the rows from one of its elements to the next
  bool computes = false;
  for (int k = 0; k < n.arrays; ++k) {
    if (n.list[k].scalar) continue;
    if (n.list[k].ramp) {
      computes = computes || !counts_all_in_registers(n, code, k);
      continue;
    }
    index own = n.list[k].size;
    for (int i = 0; i < n.rank; ++i)
      if (n.stride(k, i) != 0) own *= n.extents[i];
    traffic += own;
    const index s = inner_stride(n, k);
    if (s == 0 || s == n.list[k].size || k == out) continue;
    strided = true;
    if (n.list[k].size > widest_strided) widest_strided = n.list[k].size;
    for (int i = n.rank - 2; i >= 0 && across < 0; --i)
      if (n.stride(k, i) == n.list[k].size || n.stride(k, i) == -n.list[k].size) across = i;
    if (across >= 0 && along_strided == 0) along_strided = s < 0 ? -s : s;
  }

  const index out_bytes = n.list[out].size * total;
  const index moved = how.whole_bytes > traffic ? how.whole_bytes : traffic;
  const bool streaming = moved >= streamed_bytes() && 8 * out_bytes >= traffic;
  const stage& last = code.stages[code.stage_count - 1];
  if (across >= 0 && columns >= 16 && n.extents[across] >= 8) {
    b.kind = block_kind::tiles;
    b.row_axis = across;
    cut_tiles(n, b, widest_strided, streaming);
  } else if (across >= 0 && columns >= short_row && n.extents[across] > 1) {
    // The few rows of a strided operand are packed together, while what they share stays in the first-level cache.
    b.kind = block_kind::rows;
    b.row_axis = across;
    b.rows = n.extents[across];
    b.columns = merged_bytes / smaller(along_strided, line_bytes);
  } else if (b.row_axis >= 0 && (columns < short_row || (often && columns <= merged_elements / 8 && rows_run_on(n)))) {
    b.kind = block_kind::merged;
    b.columns = columns;
    const bool is_streamed = streaming && is_worth_streaming(n, b, last);
    b.rows = elements_of_merged(n, b, code, !is_streamed && moved >= streamed_bytes() / 3) / columns;
    // whole cache lines of the output, and so whole vectors, so that only the last block has a remainder
    index step = line_bytes / n.list[out].size;
    for (index c = columns; step > 1 && c % 2 == 0; c /= 2) step /= 2;
    if (b.rows > step) b.rows -= b.rows % step;
  } else {
    b.kind = b.row_axis < 0 && !strided ? block_kind::flat : block_kind::rows;
    b.columns = strided ? tuned_size(tuned::packed_elements) : elements_of_block(n, code);
    b.rows = columns >= b.columns ? 1 : b.columns / columns;
  }
  const index all_rows = b.row_axis < 0 ? 1 : n.extents[b.row_axis];
  if (b.rows > all_rows) b.rows = all_rows;
  if (b.rows < 1) b.rows = 1;
  if (b.columns > columns) b.columns = columns;
  b.row_blocks = divide_up(all_rows, b.rows);
  b.column_blocks = divide_up(columns, b.columns);
  b.count = b.row_blocks * b.column_blocks;
  for (int i = 0; i < n.rank; ++i)
    if (i != b.row_axis && i != b.inner_axis) b.count *= n.extents[i];

  const reading writes = read_array(n, b, out);
  b.output_packed = writes == reading::packed || writes == reading::splat;
  b.streamed = !b.output_packed && streaming && is_worth_streaming(n, b, last);
  b.in_kernel = b.streamed && streams_in_kernel(last);
  b.splats = needs_splats(n, b, code);
  const index most = b.kind == block_kind::merged ? b.rows * b.columns : b.columns;
  const bool in_strips = code.stage_count > 1 || computes || (b.streamed && !b.in_kernel) || b.splats;
  const index piece = code.stage_count <= few_stages ? 2 * strip_elements : strip_elements;
  b.chunk = in_strips && most > piece ? piece : most;
  b.prefetched = b.kind == block_kind::flat && moved >= streamed_bytes() / 3 && is_worth_prefetching(n, b, code);
  return b;
}

}  // namespace broadloom::runtime
