// What an evaluation over HDF5 files may use and what it will do: hdf5::budget, hdf5::explanation.
#pragma once

#include <cstddef>
#include <string>

#include <broadloom/core/list.hpp>
#include <broadloom/eval/policy.hpp>
#include <broadloom/io/streaming_tasks.hpp>

namespace broadloom {

namespace hdf5 {

// How an evaluation goes through files: in so much memory, blocks, results of reductions and what is held of operands
// together (not counting arrays of the caller), and how blocks are computed.
struct budget {
  std::size_t memory = std::size_t(512) << 20;
  policy how = par;
};

// A pass over the rows of files.
struct planned_pass {
  list<std::string> computes;  // reductions, or the output
  index rows, block, blocks;   // rows in all and in a block, and the number of blocks
  std::size_t bytes_read, bytes_written;
};
// What an evaluation will do.
struct explanation {
  list<planned_pass> passes;
  std::size_t bytes_read = 0, bytes_written = 0;
  std::size_t read_before = 0;  // of bytes_read, what is held whole, before the passes
  std::size_t memory = 0;       // at most
};
// Writes one line a pass, and one for all.
inline std::string to_string(const explanation& x) {
  std::string s;
  for (std::size_t i = 0; i < x.passes.size(); ++i) {
    const planned_pass& p = x.passes[i];
    std::string names;
    for (const std::string& n : p.computes) names += (names.empty() ? "" : ", ") + n;
    s += "pass " + std::to_string(i + 1) + ": " + names + "; " + std::to_string(p.blocks) + " blocks of " +
         std::to_string(p.block) + " rows; reads " + std::to_string(p.bytes_read) + " bytes, writes " +
         std::to_string(p.bytes_written) + "\n";
  }
  return s + "in all " + std::to_string(x.bytes_read) + " bytes are read and " + std::to_string(x.bytes_written) +
         " written, in " + std::to_string(x.memory) + " bytes of memory\n";
}
template <class Stream>
  requires requires(Stream& s, const std::string& text) { s << text; }
Stream& operator<<(Stream& to, const explanation& x) {
  to << to_string(x);
  return to;
}

}  // namespace hdf5

namespace detail {

inline hdf5::explanation explanation_of(const streaming& passes) {
  hdf5::explanation x;
  x.read_before = x.bytes_read = passes.resident_bytes();
  std::size_t blocks = 0;
  for (const runtime::block_plan& p : passes.plan()) {
    if (p.tasks[0]->is_streamed()) {
      hdf5::planned_pass pass{{}, p.extent, p.block, p.blocks(), p.bytes_read(), 0};
      for (const runtime::pass_task* t : p.tasks) {
        pass.computes.push_back(t->name);
        if (t->writer != nullptr) pass.bytes_written += t->writer->row_bytes() * static_cast<std::size_t>(p.extent);
      }
      x.bytes_read += pass.bytes_read;
      x.bytes_written += pass.bytes_written;
      x.passes.push_back(pass);
    }
    blocks = (std::max)(blocks, p.memory);
  }
  x.memory = passes.held_bytes() + blocks;
  return x;
}

}  // namespace detail

}  // namespace broadloom
