// What is done in a pass over stored arrays: its tasks, what they read and compute of each block, and where it goes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <broadloom/io/stored.hpp>

namespace broadloom::runtime {

// Memory of a pass.
class pass_memory {
 public:
  pass_memory() = default;
  explicit pass_memory(std::size_t bytes) : data_(static_cast<char*>(allocate(bytes))), bytes_(bytes) {}
  pass_memory(pass_memory&& o) noexcept : data_(o.data_), bytes_(o.bytes_) { o.data_ = nullptr; }
  pass_memory& operator=(pass_memory&& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(bytes_, o.bytes_);
    return *this;
  }
  ~pass_memory() { deallocate(data_, bytes_); }
  char* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  char* data_ = nullptr;
  std::size_t bytes_ = 0;
};

// An array that is written some rows at a time, in order.
class row_writer {
 public:
  row_writer(index rows, std::size_t row_bytes, index chunk_rows)
      : rows_(rows), row_bytes_(row_bytes), chunk_rows_(chunk_rows) {}
  row_writer(const row_writer&) = delete;
  row_writer& operator=(const row_writer&) = delete;

  virtual void write(index first, index last, const void* from) = 0;
  index rows() const { return rows_; }
  std::size_t row_bytes() const { return row_bytes_; }
  index chunk_rows() const { return chunk_rows_; }

 protected:
  ~row_writer() = default;

 private:
  index rows_;
  std::size_t row_bytes_;
  index chunk_rows_;
};

// Rows of a stored array that a pass reads: for its rows [first, last), those from first + low to last + high.
struct row_stream {
  stored_rows* of;
  index low, high;
};

inline void add_stream(std::vector<row_stream>& to, const row_stream& x) {
  for (row_stream& s : to)
    if (s.of == x.of) {
      s.low = (std::min)(s.low, x.low);
      s.high = (std::max)(s.high, x.high);
      return;
    }
  to.push_back(x);
}

// A barrier whose rows are computed from the rows at hand; all that read it share them.
class rows_value {
 public:
  rows_value(const void* kind, index shift, std::size_t row_bytes)
      : kind_(kind), shift_(shift), row_bytes_(row_bytes) {}
  rows_value(const rows_value&) = delete;
  rows_value& operator=(const rows_value&) = delete;
  virtual ~rows_value() = default;

  // Values of one kind have one type of source.
  const void* kind() const { return kind_; }
  index shift() const { return shift_; }
  std::size_t row_bytes() const { return row_bytes_; }

  void set_memory(index rows) { memory_ = pass_memory(static_cast<std::size_t>(rows) * row_bytes_); }
  void free_memory() { memory_ = {}; }
  char* data() const { return memory_.data(); }
  bool holds(index first, index last) const { return first == first_ && last == last_; }
  void set_rows(index first, index last) { first_ = first, last_ = last; }
  void forget() { first_ = last_ = -1; }

 private:
  const void* kind_;
  index shift_;
  std::size_t row_bytes_;
  index first_ = -1, last_ = -1;
  pass_memory memory_;
};

// What lies in memory while a block is computed.
class available_rows {
 public:
  void set(const row_stream& s, index first, const char* data) {
    for (entry& e : all_)
      if (e.of == s.of) {
        e = {s.of, first, data};
        return;
      }
    all_.push_back({s.of, first, data});
  }
  const char* row(const stored_rows* of, index i) const {
    for (const entry& e : all_)
      if (e.of == of) return e.data + static_cast<std::size_t>(i - e.first) * of->row_bytes();
    return nullptr;
  }

 private:
  struct entry {
    const stored_rows* of;
    index first;
    const char* data;
  };
  std::vector<entry> all_;
};

// What is computed from rows [0, extent) of an expression, some at a time and in order.
class pass_task {
 public:
  pass_task() = default;
  pass_task(const pass_task&) = delete;
  pass_task& operator=(const pass_task&) = delete;
  virtual ~pass_task() = default;

  // Before the rows; once.
  virtual void begin() {}
  // Rows [first, last), to `to` where there is a writer.
  virtual void rows(const available_rows&, index first, index last, void* to) = 0;
  // After the rows. Of what neither reads nor writes rows of files: all of the work.
  virtual void finish() {}

  index extent = 0;                 // rows; 0: it reads no stored ones
  index unit = 1;                   // begins with multiples of this
  int level = 0;                    // comes after tasks of lower levels, and those before it of its own
  std::size_t held_bytes = 0;       // of its result and what it keeps meanwhile
  row_writer* writer = nullptr;     // where its rows go, if they do
  std::string name;                 // as explanations call it
  std::vector<row_stream> streams;  // what it reads
  std::vector<rows_value*> values;  // what is computed for each of its blocks

  bool is_streamed() const { return !streams.empty() || writer != nullptr; }
};

}  // namespace broadloom::runtime
