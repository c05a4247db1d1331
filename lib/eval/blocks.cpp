// How a nest is cut: whole rows where the inner axis is long, tiles where an operand runs along another axis, several short
// rows at a time where the inner axis is short.
#include "blocks.hpp"

#include <unistd.h>

#include <broadloom/core/isa.hpp>

namespace broadloom::runtime {

namespace {

constexpr index block_elements = 16384;  // enough work that handing out a block costs nothing beside it
constexpr index strip_elements = 512;    // strips of a program with several stages stay in the first-level cache
constexpr index short_row = 128;         // rows below this are merged
constexpr index tile_rows = 32, tile_columns = 128;
constexpr index merged_elements = 2048;

// Beyond this many bytes an output is written past the caches: it would be gone from them before it could be read again.
index streamed_bytes() {
  static const index bytes = [] {
    const index mebibyte = index{1} << 20, cache = static_cast<index>(sysconf(_SC_LEVEL3_CACHE_SIZE)) * 3 / 2;
    return cache < 32 * mebibyte ? 32 * mebibyte : cache > 100 * mebibyte ? 100 * mebibyte : cache;
  }();
  return bytes;
}

index divide_up(index a, index b) { return (a + b - 1) / b; }

index inner_stride(const nest& n, int k) { return n.rank == 0 ? n.list[k].size : n.stride(k, n.rank - 1); }

}  // namespace

const char* to_string(reading r) {
  constexpr const char* names[] = {"number", "dense", "repeated", "packed"};
  return names[static_cast<int>(r)];
}

const char* to_string(block_kind k) {
  constexpr const char* names[] = {"flat", "rows", "tiles", "merged rows"};
  return names[static_cast<int>(k)];
}

reading read_array(const nest& n, const blocks& b, int k) {
  if (n.list[k].number) return reading::number;
  const index size = n.list[k].size;
  const index along = inner_stride(n, k);
  if (b.kind == block_kind::merged) {
    const index across = n.stride(k, b.row_axis);
    if (along == size && across == n.extents[b.inner_axis] * size) return reading::dense;
    if (along == 0 && across == 0) return reading::repeated;
    return reading::packed;
  }
  if (along == size || n.rank == 0) return reading::dense;
  if (along == 0) return reading::repeated;
  return reading::packed;
}

blocks cut(const nest& n, const program& code) {
  blocks b{};
  b.inner_axis = n.rank - 1;
  b.row_axis = n.rank >= 2 ? n.rank - 2 : -1;
  const index columns = n.rank == 0 ? 1 : n.extents[b.inner_axis];
  const index total = n.size();
  const int out = n.output();

  index traffic = 0;
  bool strided = n.rank > 0 && inner_stride(n, out) != n.list[out].size;
  int across = -1;  // an axis along which a strided operand is contiguous
  for (int k = 0; k < n.arrays; ++k) {
    if (n.list[k].number) continue;
    index own = n.list[k].size;
    for (int i = 0; i < n.rank; ++i)
      if (n.stride(k, i) != 0) own *= n.extents[i];
    traffic += own;
    const index s = inner_stride(n, k);
    if (s == 0 || s == n.list[k].size || k == out) continue;
    strided = true;
    for (int i = n.rank - 2; i >= 0 && across < 0; --i)
      if (n.stride(k, i) == n.list[k].size) across = i;
  }

  if (across >= 0 && columns >= 16 && n.extents[across] >= 8) {
    b.kind = block_kind::tiles;
    b.row_axis = across;
    b.rows = tile_rows;
    b.columns = tile_columns;
  } else if (columns < short_row && b.row_axis >= 0) {
    b.kind = block_kind::merged;
    b.columns = columns;
    b.rows = merged_elements / columns;
  } else {
    b.kind = b.row_axis < 0 && !strided ? block_kind::flat : block_kind::rows;
    b.columns = block_elements;
    b.rows = columns >= block_elements ? 1 : block_elements / columns;
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
  b.output_packed = writes == reading::packed || writes == reading::repeated;
  const index out_bytes = n.list[out].size * total;
  b.streamed = !b.output_packed && traffic >= streamed_bytes() && 4 * out_bytes >= traffic;
  const stage& last = code.stages[code.stage_count - 1];
  b.in_kernel = b.streamed && last.kind == stage_kind::compute && last.type != dtype::b8 &&
                last.code->lanes[static_cast<int>(active_isa())] * size_of(last.type) >= 16;
  const index most = b.kind == block_kind::merged ? b.rows * b.columns : b.columns;
  const bool in_pieces = code.stage_count > 1 || (b.streamed && !b.in_kernel);
  b.chunk = in_pieces && most > strip_elements ? strip_elements : most;
  return b;
}

}  // namespace broadloom::runtime
