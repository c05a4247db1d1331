// Batches through read, compute and write, each beside the others, in bounded memory: for_each_batch(source, f, sink).
#pragma once

#include <optional>

#include <broadloom/tensor/eval.hpp>

namespace broadloom {

// How for_each_batch goes through an array: `rows` indices of the leading axis a batch, and at most `in_flight` batches
// at a time; 0 lets the library choose.
struct batch_options {
  index rows = 0;
  int in_flight = 0;
};

namespace runtime {

// Calls read(context, slot) one after the other until it gives false, then compute(context, slot), for several slots at
// once, then write(context, slot) one after the other in the order of reading. Slots are numbers below `slots`. Throws
// what the first of these throws, when none runs any more.
BROADLOOM_API void run_pipeline(int slots, bool (*read)(void*, int), void (*compute)(void*, int),
                                void (*write)(void*, int), void* context);
// As many as there are threads, and one to read into and one to write.
BROADLOOM_API int pipeline_slots() noexcept;

}  // namespace runtime

namespace detail {

// Rows of one of so many batches, no less than fill 32 KiB: planning and handing on a batch takes some microseconds.
template <array X>
index rows_of_batch(const X& x, index batches) {
  constexpr index least_bytes = 1 << 15;
  const index n = x.shape()[0], rows = (n + batches - 1) / batches,
              bytes = x.shape().size() * static_cast<index>(sizeof(value_of<X>));
  const index least = bytes > least_bytes ? (n * least_bytes + bytes - 1) / bytes : n;
  return rows < least ? least : rows;
}

// Batches of an array: views of some indices of its leading axis.
template <array X>
class batches_of_array {
 public:
  batches_of_array(const X& x, index rows) : x_(x), rows_(rows) {}
  auto operator()() {
    using batch = decltype(slice(x_, range(index{}, index{})));
    const index n = x_.shape()[0], first = next_;
    if (first >= n) return std::optional<batch>();
    next_ = n - first < rows_ ? n : first + rows_;
    return std::optional<batch>(slice(x_, range(first, next_)));
  }

 private:
  const X& x_;
  index rows_, next_ = 0;
};

// Results go to the rows of an array, one batch behind the other.
template <class Out>
class rows_of_array {
 public:
  explicit rows_of_array(Out& out) : out_(out) {}
  template <class R>
  void operator()(const R& r) {
    const index last = next_ + r.shape()[0];
    assign(slice(out_, range(next_, last)), r, seq);
    next_ = last;
  }

 private:
  Out& out_;
  index next_ = 0;
};

template <class Read, class F, class Write>
class batch_pipeline {
  using batch = std::remove_cvref_t<decltype(*std::declval<Read&>()())>;
  using result = decltype(eval(std::declval<const F&>()(std::declval<batch&>())));
  struct slot {
    std::optional<batch> in;
    std::optional<result> out;
  };

 public:
  batch_pipeline(Read& read, const F& f, Write& write) : read_(read), f_(f), write_(write) {}

  void run(int slots) {
    slots_ = new slot[static_cast<std::size_t>(slots)];
    struct owner {
      slot* all;
      ~owner() { delete[] all; }
    } const own{slots_};
    runtime::run_pipeline(
        slots,
        [](void* self, int i) {
          auto& x = *static_cast<batch_pipeline*>(self);
          auto next = x.read_();
          if (!next) return false;
          x.slots_[i].in.emplace(static_cast<batch&&>(*next));
          return true;
        },
        [](void* self, int i) {
          auto& x = *static_cast<batch_pipeline*>(self);
          slot& s = x.slots_[i];
          s.out.emplace(eval(x.f_(*s.in), seq));
          s.in.reset();
        },
        [](void* self, int i) {
          auto& x = *static_cast<batch_pipeline*>(self);
          x.write_(*x.slots_[i].out);
          x.slots_[i].out.reset();
        },
        this);
  }

 private:
  Read& read_;
  const F& f_;
  Write& write_;
  slot* slots_ = nullptr;
};

}  // namespace detail

// for_each_batch(source, f, sink, {.rows = n}): f of each batch, evaluated for several at once, while the next is read
// and the one before is written. source: an array, whose leading axis is cut into batches of n indices, which f sees as
// views; or a callable that gives the next batch as a std::optional, empty behind the last. f(batch) gives an array or
// an expression. sink: an array, whose rows the results fill in order; or a callable that is given each
// result. Source and sink are called by one thread at a time, in order; memory is bounded by the batches in flight.
// Throws what any of them throws; batches before it have been written.
inline constexpr struct for_each_batch_t {
  template <class Source, class F, class Sink>
  void operator()(Source&& source, const F& f, Sink&& sink, batch_options how = {}) const {
    const int slots = how.in_flight > 0 ? how.in_flight : runtime::pipeline_slots();
    if constexpr (array<Source>) {
      const auto& x = source;
      const index rows = how.rows > 0 ? how.rows : detail::rows_of_batch(x, 4 * slots);
      detail::batches_of_array<std::remove_cvref_t<Source>> read(x, rows < 1 ? 1 : rows);
      write_to(read, f, sink, rows >= x.shape()[0] ? 1 : slots);
    } else {
      write_to(source, f, sink, slots);
    }
  }

 private:
  template <class Read, class F, class Sink>
  static void write_to(Read& read, const F& f, Sink& sink, int slots) {
    if constexpr (array<Sink&>) {
      detail::rows_of_array<Sink> write(sink);
      detail::batch_pipeline<Read, F, decltype(write)>(read, f, write).run(slots);
    } else {
      detail::batch_pipeline<Read, F, Sink>(read, f, sink).run(slots);
    }
  }
} for_each_batch{};

}  // namespace broadloom
