// Walks a stack of core arrays, with the offset of each operand's matrix, in blocks shared out among threads.
#pragma once

#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include <broadloom/core/storage.hpp>
#include <broadloom/eval/scheduler.hpp>
#include <broadloom/linalg/call.hpp>

namespace broadloom::runtime {

// A matrix somewhere in memory.
template <class T>
struct matrix {
  const T* data;
  index rows, cols, row_stride, col_stride;

  const T& operator()(index i, index j) const { return data[i * row_stride + j * col_stride]; }
  matrix transposed() const { return {data, cols, rows, col_stride, row_stride}; }
};

// Elements that live as long as a block of work; of size 0 they take no memory.
template <class T>
class buffer {
 public:
  explicit buffer(index n)
      : bytes_(static_cast<std::size_t>(n) * sizeof(T)), data_(n == 0 ? nullptr : static_cast<T*>(allocate(bytes_))) {}
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;
  ~buffer() { deallocate(data_, bytes_); }
  T* data() const { return data_; }

 private:
  std::size_t bytes_;
  T* data_;
};

// Memory of `elements` for each block that runs at a time, allocated before the first of them begins: once a result is
// being written, memory cannot run out.
template <class T>
class work_memory {
 public:
  work_memory(index elements, index blocks, const options& how)
      : elements_((elements + line - 1) / line * line),
        slots_(max_at_once(blocks, how)),
        memory_(elements_ * slots_),
        free_(slots_) {
    for (index i = 0; i < slots_; ++i) free_.data()[i] = i;
  }

  class slot {
   public:
    explicit slot(work_memory& from) : from_(from), number_(from.take()) {}
    slot(const slot&) = delete;
    slot& operator=(const slot&) = delete;
    ~slot() { from_.give(number_); }
    T* data() const { return from_.memory_.data() + number_ * from_.elements_; }

   private:
    work_memory& from_;
    index number_;
  };

 private:
  static constexpr index line = 64 / static_cast<index>(sizeof(T));

  static index max_at_once(index blocks, const options& how) {
    if (blocks <= 1 || how.threads == 1) return 1;
    const index threads = how.threads > 0 ? how.threads : max_threads();
    return blocks < threads ? blocks : threads < 1 ? 1 : threads;
  }
  index take() {
    if (slots_ == 1) return 0;
    const std::lock_guard<std::mutex> lock(mutex_);
    return free_.data()[taken_++];
  }
  void give(index number) {
    if (slots_ == 1) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    free_.data()[--taken_] = number;
  }

  index elements_, slots_, taken_ = 0;
  buffer<T> memory_;
  buffer<index> free_;
  std::mutex mutex_;
};

// Scratch that `make` gives to each thread of a loop. The first thread's is made before the loop begins. Another thread
// makes its own, or, if there is no memory, waits for the first thread's: a loop that has begun to write cannot run out
// of memory.
template <class Make>
class thread_scratch {
 public:
  explicit thread_scratch(const Make& make) : make_(make), first_(make) {}
  thread_scratch(const thread_scratch&) = delete;
  thread_scratch& operator=(const thread_scratch&) = delete;

  // Calls body(scratch), which must not wait for other threads.
  template <class Body>
  void lend(const Body& body) {
    if (const std::unique_lock mine(mutex_, std::try_to_lock); mine.owns_lock()) return body(first_.scratch);
    std::optional<held> own;
    try {
      own.emplace(make_);
    } catch (const std::bad_alloc&) {
    }
    if (own) return body(own->scratch);
    const std::lock_guard others_are_done(mutex_);
    body(first_.scratch);
  }

 private:
  struct held {
    explicit held(const Make& make) : scratch(make()) {}
    decltype(std::declval<const Make&>()()) scratch;
  };
  const Make& make_;
  held first_;
  std::mutex mutex_;
};

// The offset, in elements, of an operand's core array `number`; loop axes count row-major.
inline index loop_offset(const stack_call& c, const stack_input& in, index number) {
  index o = 0;
  for (int i = c.loop_rank - 1; i >= 0; --i) {
    o += number % c.loop[i] * in.loop[i];
    number /= c.loop[i];
  }
  return o;
}

inline index blocks_of(index count, index block) { return block <= 1 ? count : (count + block - 1) / block; }

// Calls body(first, last) over [0, count), in blocks of at least `block`. The blocks do not depend on the threads.
template <class Body>
void in_blocks(index count, index block, const options& how, const Body& body) {
  if (count <= 0) return;
  struct context {
    const Body& body;
    index count, block;
  } c{body, count, block < 1 ? 1 : block};
  parallel_for(
      blocks_of(count, block), how.threads,
      [](void* p, index first, index last) {
        const context& x = *static_cast<const context*>(p);
        const index end = last * x.block < x.count ? last * x.block : x.count;
        x.body(first * x.block, end);
      },
      &c);
}

// The number of core arrays in a block, if each costs so many operations.
inline index block_of(double operations) {
  constexpr double worth = 100000;
  return operations >= worth ? 1 : static_cast<index>(worth / (operations < 1 ? 1 : operations));
}

// The call with loop axes merged where all operands go on at the same step.
inline stack_call with_merged_axes(const stack_call& c, int inputs, stack_input* own, index* loop) {
  stack_call r = c;
  int rank = 0;
  for (int k = 0; k < inputs; ++k) own[k] = c.inputs[k];
  for (int i = 0; i < c.loop_rank; ++i) {
    if (c.loop[i] == 1) continue;
    bool merges = rank > 0;
    for (int k = 0; k < inputs && merges; ++k) merges = own[k].loop[rank - 1] == c.inputs[k].loop[i] * c.loop[i];
    if (merges)
      loop[rank - 1] *= c.loop[i];
    else
      loop[rank++] = c.loop[i];
    for (int k = 0; k < inputs; ++k) own[k].loop[rank - 1] = c.inputs[k].loop[i];
  }
  r.loop_rank = rank;
  r.loop = loop;
  r.inputs = own;
  return r;
}
// The step of an operand's core arrays along the last loop axis.
inline index run_step(const stack_call& c, const stack_input& in) {
  return c.loop_rank == 0 ? 0 : in.loop[c.loop_rank - 1];
}
// Calls body(first, count) for core arrays that follow each other along the last loop axis, in blocks of at least
// `block`.
template <class Body>
void each_run(const stack_call& c, index block, const Body& body) {
  const index run = c.loop_rank == 0 ? 1 : c.loop[c.loop_rank - 1];
  in_blocks(c.count(), block, c.how, [&](index first, index last) {
    while (first < last) {
      const index left = run - first % run, count = last - first < left ? last - first : left;
      body(first, count);
      first += count;
    }
  });
}

}  // namespace broadloom::runtime
