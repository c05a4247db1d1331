// The blocks of one parallel loop, shared out among its threads. Used by both schedulers.
#pragma once

#include <broadloom/eval/scheduler.hpp>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include "fork.hpp"
#include "fp_control.hpp"
#include "frame.hpp"

namespace broadloom::runtime {

// Work stealing. Every participant owns a contiguous segment of the blocks and takes chunks from its front, each a
// fraction of what is left. A participant that has finished takes half of what is left from the end of another segment.
// A participant gets the same segment in every loop of equal size, so data may still be in its cache. All participants
// use the rounding mode and FTZ/DAZ of the thread that made this object.
class shared_work {
 public:
  static constexpr int max_participants = 256;

  // Called by the thread that takes part to the end. Throws std::bad_alloc if there is no memory for its scratch.
  shared_work(index blocks, int participants, block_fn body, void* context)
      : blocks_(blocks),
        unit_(blocks / (index(1) << 31) + 1),
        participants_(participants),
        body_(body),
        context_(context) {
    if (!has_arena()) throw std::bad_alloc();
    const index units = (blocks + unit_ - 1) / unit_;
    for (int i = 0; i < participants; ++i)
      new (storage_ + i * static_cast<int>(sizeof(segment)))
          segment{pack(units * i / participants, units * (i + 1) / participants)};
  }

  int participants() const noexcept { return participants_; }

  // Works until no block is left. Any number of threads may call it, each with its place. When all calls have returned,
  // the blocks are done or an exception is kept.
  void take_part(int place) noexcept {
    if (!has_arena()) return;  // no memory for this thread: the others do its blocks
    const fp_scope like_the_caller(control_);
    place %= participants_;
    for (;;) {
      range r = front(segment_at(place).left);
      if (r.empty()) {
        r = steal(place);
        if (r.empty()) return;
        segment_at(place).left.store(pack(r.first, r.last), std::memory_order_relaxed);
        continue;
      }
      if (failed_.load(std::memory_order_relaxed)) return;
      const index first = r.first * unit_;
      const index last = r.last * unit_ < blocks_ ? r.last * unit_ : blocks_;
      try {
        body_(context_, first, last);
      } catch (...) {
        stop_a_forked_child();
        if (!failed_.exchange(true, std::memory_order_acq_rel)) error_ = std::current_exception();
        return;
      }
      stop_a_forked_child();
    }
  }

  // To be called when no participant is working any more.
  void rethrow_if_failed() {
    if (failed_.load(std::memory_order_acquire)) std::rethrow_exception(error_);
  }

 private:
  struct range {
    index first;
    index last;
    bool empty() const noexcept { return first >= last; }
  };

  struct alignas(64) segment {
    std::atomic<std::uint64_t> left;
  };

  // A body that forked returns twice. In the child, the blocks that other threads had taken are never done.
  void stop_a_forked_child() const noexcept {
    if (fork_count() == forks_) [[likely]]
      return;
    std::fputs(
        "broadloom: a function called by an evaluation on several threads returned in a child process that it had "
        "forked; there it may only call exec or _exit\n",
        stderr);
    std::abort();
  }

  segment& segment_at(int place) noexcept {
    return *std::launder(reinterpret_cast<segment*>(storage_ + place * static_cast<int>(sizeof(segment))));
  }

  static std::uint64_t pack(index first, index last) noexcept {
    return static_cast<std::uint64_t>(first) << 32 | static_cast<std::uint64_t>(last);
  }
  static range unpack(std::uint64_t bits) noexcept {
    return {static_cast<index>(bits >> 32), static_cast<index>(bits & 0xffffffffu)};
  }

  static range front(std::atomic<std::uint64_t>& left) noexcept {
    std::uint64_t seen = left.load(std::memory_order_relaxed);
    for (;;) {
      const range all = unpack(seen);
      if (all.empty()) return {0, 0};
      const index size = (all.last - all.first + 3) / 4;
      if (left.compare_exchange_weak(seen, pack(all.first + size, all.last), std::memory_order_relaxed))
        return {all.first, all.first + size};
    }
  }

  static range back_half(std::atomic<std::uint64_t>& left) noexcept {
    std::uint64_t seen = left.load(std::memory_order_relaxed);
    for (;;) {
      const range all = unpack(seen);
      if (all.empty()) return {0, 0};
      const index middle = all.first + (all.last - all.first) / 2;
      if (left.compare_exchange_weak(seen, pack(all.first, middle), std::memory_order_relaxed))
        return {middle, all.last};
    }
  }

  range steal(int thief) noexcept {
    for (int step = 1; step < participants_; ++step) {
      const range r = back_half(segment_at((thief + step) % participants_).left);
      if (!r.empty()) return r;
    }
    return {0, 0};
  }

  fp_control control_;
  std::uint32_t forks_ = fork_count();
  index blocks_;
  index unit_;
  int participants_;
  block_fn body_;
  void* context_;
  std::atomic<bool> failed_{false};
  std::exception_ptr error_;
  // Only as many segments as participants are initialised: clearing them all would cost more than a short loop.
  alignas(segment) unsigned char storage_[max_participants * sizeof(segment)];
};

// The two ways to run shared work. Both return when the work is done or has failed and no thread works on it.
void parallel_for_tbb(index blocks, int threads, block_fn body, void* context);
void parallel_for_threads(index blocks, int threads, block_fn body, void* context);
int max_threads_tbb() noexcept;
int max_threads_threads() noexcept;

// Whether TBB may be called: it has started, and its threads exist in this process.
bool tbb_runs() noexcept;

}  // namespace broadloom::runtime
