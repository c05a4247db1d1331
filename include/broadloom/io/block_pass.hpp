// One pass over stored arrays: blocks of rows are read, given to the tasks that need them, and written. While a block
// is computed, a thread reads the next one and writes the one before.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include <broadloom/io/block_plan.hpp>

namespace broadloom::runtime {

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
  index last_of(index block) const { return (std::min)(p_.extent, first_of(block) + p_.block); }

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
    available_rows at;
    const auto& in = in_[block % slots_];
    for (std::size_t k = 0; k < p_.streams.size(); ++k)
      at.set(p_.streams[k], p_.first_row(p_.streams[k], first_of(block)), in[k].data());
    for (index first = first_of(block); first < last_of(block); first += p_.step) {
      const index last = (std::min)(last_of(block), first + p_.step);
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
