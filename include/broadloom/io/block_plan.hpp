// How a pass over stored arrays goes: blocks of rows that fit into the budget of memory, and their bytes.
#pragma once

#include <algorithm>
#include <numeric>

#include <broadloom/io/pass_task.hpp>

namespace broadloom::runtime {

// How a pass goes.
struct block_plan {
  std::vector<pass_task*> tasks;
  std::vector<row_stream> streams;
  std::vector<rows_value*> values;
  index extent = 0;
  index block = 0;  // rows that are read and written together
  index step = 0;   // rows that are computed together
  std::size_t memory = 0;

  index blocks() const { return block == 0 ? 0 : (extent + block - 1) / block; }
  // Rows [first, last) of a stream for rows [first, last) of the pass.
  static index first_row(const row_stream& s, index first) { return first + s.low; }
  static index last_row(const row_stream& s, index last) { return last + s.high; }
  std::size_t bytes_read() const {
    std::size_t n = 0;
    for (const row_stream& s : streams)
      n += s.of->row_bytes() * static_cast<std::size_t>(extent + blocks() * (s.high - s.low));
    return n;
  }
};

// About so many bytes are read at once: with those that are written they are in a cache when they are computed with and
// moved. With 8 MiB, 1 GiB in memory takes 15 % longer (bench/hdf5).
inline constexpr std::size_t streamed_block_bytes = std::size_t(2) << 20;
// About so many bytes of barriers are computed at once.
inline constexpr std::size_t streamed_step_bytes = std::size_t(2) << 20;

[[noreturn]] inline void throw_over_budget(const std::string& what, std::size_t bytes, std::size_t budget) {
  throw io_error(what + ": " + std::to_string(bytes) + " bytes, and the memory budget is " + std::to_string(budget));
}

// The blocks of tasks that go together, when `held` bytes of the budget are taken by results. Throws io_error when the
// budget is too small.
inline block_plan plan_blocks(const std::vector<pass_task*>& tasks, std::size_t held, std::size_t budget) {
  block_plan p;
  p.tasks = tasks;
  index unit = 1, aligned = 1;
  std::size_t in = 0, out = 0, of_values = 0, extra = 0;
  for (pass_task* t : tasks) {
    p.extent = t->extent;
    unit = (std::max)(unit, t->unit);
    for (const row_stream& s : t->streams) add_stream(p.streams, s);
    for (rows_value* v : t->values)
      if (std::find(p.values.begin(), p.values.end(), v) == p.values.end()) p.values.push_back(v);
    if (t->writer != nullptr) {
      out += t->writer->row_bytes();
      aligned = std::lcm(aligned, t->writer->chunk_rows());
    }
  }
  if (p.extent == 0) return p;
  for (const row_stream& s : p.streams) {
    in += s.of->row_bytes();
    extra += static_cast<std::size_t>(s.high - s.low) * s.of->row_bytes();
    if (s.low % s.of->chunk_rows() == 0 && aligned <= p.extent) aligned = std::lcm(aligned, s.of->chunk_rows());
  }
  for (const rows_value* v : p.values) of_values += v->row_bytes();
  // two blocks are read into and two written from, unless there is one only
  const auto bytes_of = [&](index rows, index step) {
    const bool single = rows >= p.extent;
    return static_cast<std::size_t>(rows) * (in + out) * (single ? 1 : 2) + extra * (single ? 1 : 2) +
           static_cast<std::size_t>(step) * of_values;
  };
  const auto step_of = [&](index rows) {
    if (of_values == 0) return rows;
    const index most = (std::max<index>)(1, static_cast<index>(streamed_step_bytes / of_values));
    return (std::min)(rows, (std::max)(unit, most / unit * unit));
  };
  const auto fits = [&](index rows) { return held + bytes_of(rows, step_of(rows)) <= budget; };
  aligned = std::lcm(aligned, unit);
  const std::size_t row = (std::max<std::size_t>)(1, (std::max)(in, out));
  index best = 0;
  for (index each : {aligned, unit}) {
    if (best != 0) break;
    index n = each;
    if (n >= p.extent) n = p.extent;
    if (!fits(n)) continue;
    while (n < p.extent && static_cast<std::size_t>(n) * row < streamed_block_bytes &&
           fits((std::min)(2 * n, p.extent)))
      n = (std::min)(2 * n, p.extent);
    best = n;
  }
  if (best == 0) {
    std::string names;
    for (const pass_task* t : tasks) names += (names.empty() ? "" : ", ") + t->name;
    const index least = (std::min)(unit, p.extent);
    throw_over_budget(names + " by blocks of " + std::to_string(least) + " rows",
                      held + bytes_of(least, step_of(least)), budget);
  }
  p.block = best;
  p.step = step_of(best);
  p.memory = bytes_of(p.block, p.step);
  return p;
}

}  // namespace broadloom::runtime
