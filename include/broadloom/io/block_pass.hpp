// One pass over stored arrays: blocks of rows are read, given to the tasks that need them, and written, in bounded
// memory. While a block is computed, a thread reads the next one and writes the one before.
#pragma once

#include <algorithm>
#include <bit>
#include <condition_variable>
#include <exception>
#include <memory>
#include <numeric>
#include <thread>

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
      s.low = std::min(s.low, x.low);
      s.high = std::max(s.high, x.high);
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
class rows_at_hand {
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
  virtual void rows(const rows_at_hand&, index first, index last, void* to) = 0;
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

// About so many bytes are read at once: they are in cache when they are computed with.
inline constexpr std::size_t streamed_block_bytes = std::size_t(8) << 20;
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
    unit = std::max(unit, t->unit);
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
    const index most = std::max<index>(1, static_cast<index>(streamed_step_bytes / of_values));
    return std::min(rows, std::max(unit, most / unit * unit));
  };
  const auto fits = [&](index rows) { return held + bytes_of(rows, step_of(rows)) <= budget; };
  aligned = std::lcm(aligned, unit);
  const std::size_t row = std::max<std::size_t>(1, std::max(in, out));
  index best = 0;
  for (index each : {aligned, unit}) {
    if (best != 0) break;
    index n = each;
    if (n >= p.extent) n = p.extent;
    if (!fits(n)) continue;
    while (n < p.extent && static_cast<std::size_t>(n) * row < streamed_block_bytes && fits(std::min(2 * n, p.extent)))
      n = std::min(2 * n, p.extent);
    best = n;
  }
  if (best == 0) {
    std::string names;
    for (const pass_task* t : tasks) names += (names.empty() ? "" : ", ") + t->name;
    const index least = std::min(unit, p.extent);
    throw_over_budget(names + " by blocks of " + std::to_string(least) + " rows",
                      held + bytes_of(least, step_of(least)), budget);
  }
  p.block = best;
  p.step = step_of(best);
  p.memory = bytes_of(p.block, p.step);
  return p;
}

// Runs the blocks of a pass.
class block_pass {
 public:
  explicit block_pass(const block_plan& p) : p_(p), slots_(p.blocks() > 1 ? 2 : 1) {
    for (int i = 0; i < slots_; ++i) {
      for (const row_stream& s : p_.streams)
        in_[i].emplace_back(static_cast<std::size_t>(p_.block + s.high - s.low) * s.of->row_bytes());
      for (const pass_task* t : p_.tasks)
        if (t->writer != nullptr)
          out_[i].emplace_back(static_cast<std::size_t>(p_.block) * t->writer->row_bytes());
        else
          out_[i].emplace_back();
    }
    for (rows_value* v : p_.values) v->set_memory(p_.step);
  }
  block_pass(const block_pass&) = delete;
  block_pass& operator=(const block_pass&) = delete;
  ~block_pass() {
    for (rows_value* v : p_.values) v->free_memory();
  }

  // told(blocks done) after each.
  template <class Told>
  void run(const Told& told) {
    const index n = p_.blocks();
    for (pass_task* t : p_.tasks) t->begin();
    if (n == 1) {
      read(0);
      compute(0);
      write(0);
      told(index{1});
    } else if (n > 1) {
      std::thread moves([this] { move_blocks(); });
      struct joined {
        block_pass* self;
        std::thread& t;
        ~joined() {
          self->end();
          t.join();
        }
      };
      {
        const joined at_the_end{this, moves};
        for (index i = 0; i < n; ++i) {
          {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return failed_ || (read_ > i && written_ + 2 > i); });
            if (failed_) break;
          }
          compute(i);
          {
            const std::lock_guard lock(mutex_);
            computed_ = i + 1;
          }
          changed_.notify_all();
          told(i + 1);
        }
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return failed_ || written_ == n; });
      }
      if (failed_) std::rethrow_exception(error_);
    }
    for (pass_task* t : p_.tasks) t->finish();
  }

 private:
  index first_of(index block) const { return block * p_.block; }
  index last_of(index block) const { return std::min(p_.extent, first_of(block) + p_.block); }

  void read(index block) {
    auto& to = in_[block % slots_];
    for (std::size_t k = 0; k < p_.streams.size(); ++k) {
      const row_stream& s = p_.streams[k];
      s.of->read(p_.first_row(s, first_of(block)), p_.last_row(s, last_of(block)), to[k].data());
    }
  }
  void write(index block) {
    const auto& from = out_[block % slots_];
    for (std::size_t k = 0; k < p_.tasks.size(); ++k)
      if (row_writer* const w = p_.tasks[k]->writer; w != nullptr)
        w->write(first_of(block), last_of(block), from[k].data());
  }
  void compute(index block) {
    rows_at_hand at;
    const auto& in = in_[block % slots_];
    for (std::size_t k = 0; k < p_.streams.size(); ++k)
      at.set(p_.streams[k], p_.first_row(p_.streams[k], first_of(block)), in[k].data());
    for (index first = first_of(block); first < last_of(block); first += p_.step) {
      const index last = std::min(last_of(block), first + p_.step);
      for (rows_value* v : p_.values) v->forget();
      for (std::size_t k = 0; k < p_.tasks.size(); ++k) {
        char* to = out_[block % slots_][k].data();
        if (to != nullptr) to += static_cast<std::size_t>(first - first_of(block)) * p_.tasks[k]->writer->row_bytes();
        p_.tasks[k]->rows(at, first, last, to);
      }
    }
  }

  // The thread that reads and writes: a block to compute with comes before one to write.
  void move_blocks() {
    const index n = p_.blocks();
    for (;;) {
      index to_read = -1, to_write = -1;
      {
        std::unique_lock lock(mutex_);
        const auto may_read = [&] { return read_ < n && read_ < computed_ + 2; };
        const auto may_write = [&] { return written_ < computed_; };
        changed_.wait(lock, [&] { return ended_ || may_read() || may_write(); });
        if (ended_) return;
        if (may_write() && !(may_read() && read_ == computed_))
          to_write = written_;
        else
          to_read = read_;
      }
      try {
        if (to_write >= 0)
          write(to_write);
        else
          read(to_read);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        error_ = std::current_exception();
        failed_ = true;
      }
      {
        const std::lock_guard lock(mutex_);
        if (to_write >= 0)
          ++written_;
        else
          ++read_;
      }
      changed_.notify_all();
      if (failed_) return;
    }
  }
  void end() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
  }

  const block_plan& p_;
  int slots_;
  std::vector<pass_memory> in_[2], out_[2];
  std::mutex mutex_;
  std::condition_variable changed_;
  index read_ = 0, computed_ = 0, written_ = 0;  // blocks
  bool ended_ = false, failed_ = false;
  std::exception_ptr error_;
};

}  // namespace broadloom::runtime
