#include "row_line.hpp"

#include <broadloom/core/isa.hpp>

#include "../base/frame.hpp"
#include "../base/small_array.hpp"
#include "../move/splat.hpp"
#include "../reduce/reducer.hpp"

namespace broadloom::runtime {

namespace {

constexpr index value_bytes = 64;

}  // namespace

std::size_t row_line::reserve(std::size_t bytes) {
  const std::size_t at = scratch_bytes_;
  scratch_bytes_ += with_room(bytes);
  return at;
}

row_line::place row_line::value() {
  return {nullptr, reserve(static_cast<std::size_t>(kept * value_bytes)), kept - 1, value_bytes, true};
}

row_line::step& row_line::add(kind does, const input_list& in, index n, int size, const place& to) {
  step s{};
  s.does = does;
  s.n = n;
  s.size = size;
  s.to = to;
  s.first_input = inputs_.size() + steps_.size();
  s.inputs = in.size();
  inputs_.insert(inputs_.end(), in.begin(), in.end());
  if (in.size() > max_inputs_) max_inputs_ = in.size();
  steps_.push_back(s);
  return steps_.back();
}

void row_line::reduce(const place& x, index n, const reduce_kernels& k, int size, const place& to) {
  step& s = add(kind::reduction, {{x, -1}}, n, size, to);
  s.sums = &k;
  s.partial = reserve(together * static_cast<std::size_t>(size));
  prefetched_ += n;
}

void row_line::reduce(const input_list& in, row_reduce_fn kernel, index n, const reduce_kernels& k, int size,
                      const place& to) {
  step& s = add(kind::reduced_program, in, n, size, to);
  const auto strips = static_cast<std::size_t>(divide_up(n, strip_length));
  s.sums = &k;
  s.run_rows = kernel;
  s.room = reserve(in.size() * row_room);
  s.found = reserve((together * strips + 1) * 64);  // and what changes nothing
  s.partial = reserve(together * (strips + 1) * static_cast<std::size_t>(size));
  prefetched_ += n;
}

void row_line::compute_value(const input_list& in, const stage& st, const place& to) {
  const int level = static_cast<int>(active_isa()), size = size_of(st.type);
  step& s = add(kind::value, in, st.code->lanes[level], size, to);
  s.run = st.code->run[level];
  s.same_size = true;
  for (int j = 0; j < st.input_count; ++j) s.same_size = s.same_size && size_of(st.input_types[j]) == size;
  s.same_size = s.same_size && value_bytes % (s.n * size) == 0;
}

void row_line::compute_row(const input_list& in, kernel_fn kernel, index n, kernel_mode mode, const place& to) {
  step& s = add(kind::row, in, n, 0, to);
  s.run = kernel;
  s.mode = mode;
  prefetched_ += n;
}

template <class T>
void row_line::divide(const input_list& in, quotients<T> loop, index n, bool streaming, const place& to) {
  step& s = add(sizeof(T) == 4 ? kind::quotients_f32 : kind::quotients_f64, in, n, 0, to);
  if constexpr (sizeof(T) == 4)
    s.divide_f32 = loop;
  else
    s.divide_f64 = loop;
  s.mode = streaming ? kernel_mode::streamed : kernel_mode::any;
  prefetched_ += n;
}
template void row_line::divide(const input_list&, quotients<float>, index, bool, const place&);
template void row_line::divide(const input_list&, quotients<double>, index, bool, const place&);

void row_line::splat(const place& x, int size, const place& to) { add(kind::element, {{x, 0}}, 1, size, to); }

// The rows of one run.
class row_line::runner {
 public:
  runner(const row_line& line, index first, index end, index all, std::byte* scratch, row_prefetcher& prefetcher)
      : line_(line),
        count_(end - first),
        first_(first),
        all_(all),
        scratch_(scratch),
        prefetcher_(prefetcher),
        places_(line.inputs_.size() + line.steps_.size()),
        slots_(line.max_inputs_),
        pitch_(line.max_inputs_) {
    const auto resolve = [&](const place& x, index advance) {
      if (x.data == nullptr) return resolved{scratch + x.at, x.mask, x.step, advance};
      return resolved{const_cast<std::byte*>(x.data) + (first & x.mask) * x.step, x.mask, x.step, advance};
    };
    std::ptrdiff_t next = 0;
    auto in = line.inputs_.begin();
    for (const step& s : line.steps_) {
      for (std::size_t j = 0; j < s.inputs; ++j, ++in) places_[next++] = resolve(in->first, in->second);
      places_[next++] = resolve(s.to, 0);
      if (s.does == kind::reduced_program) s.sums->fill_identity(scratch + s.found, value_bytes / s.size);
    }
  }

  void run() {
    const step* const steps = line_.steps_.data();
    const step *const behind = steps + line_.turns_at_, *const last = steps + line_.steps_.size() - 1;
    for (index r = 0; r < count_ + together; r += together) {
      const index next = first_ + r + together;
      prefetcher_.expect(next, next < all_ ? (all_ - next < together ? all_ - next : together) : 0,
                         together * line_.prefetched_);
      const index rows = smaller(together, count_ - r),
                  rows_before = r == 0 ? 0 : smaller(together, count_ - r + together);
      for (const step* s = behind; s != last && rows_before > 0; ++s) take(*s, r - together, rows_before);
      index done = 0;
      for (const step* s = steps; s != behind && rows > 0; ++s) {
        take(*s, r, rows);
        if (is_long(*s) && done < rows_before) take_row(*last, r - together + done++);
      }
      while (done < rows_before) take_row(*last, r - together + done++);
    }
  }

 private:
  const resolved* inputs(const step& s, index r) {
    const resolved* const in = places_.data() + s.first_input;
    for (std::size_t j = 0; j < s.inputs; ++j) slots_[static_cast<std::ptrdiff_t>(j)] = {in[j].at(r), in[j].advance};
    return in;
  }

  void take(const step& s, index r, index rows) {
    const resolved* const in = inputs(s, r);
    std::byte *const to = in[s.inputs].at(r), *const partial = scratch_ + s.partial;
    switch (s.does) {
      case kind::reduction:
        prefetcher_.prefetch(rows * s.n);
        s.sums->sequences(slots_[0].data, rows, s.n, in[0].step, partial, slots_[0].data);
        runtime::splat_vectors(to, partial, s.size, rows);
        break;
      case kind::reduced_program: {
        prefetcher_.prefetch(rows * s.n);
        const index strips = divide_up(s.n, strip_length);
        std::byte* const found = scratch_ + s.found + value_bytes;
        for (std::size_t j = 0; j < s.inputs; ++j) pitch_[static_cast<std::ptrdiff_t>(j)] = in[j].step;
        s.run_rows(slots_.data(), pitch_.data(), rows, s.n, scratch_ + s.found, scratch_ + s.room, found);
        join_strips(*s.sums, found, rows, strips, s.size, partial + together * s.size, partial);
        runtime::splat_vectors(to, partial, s.size, rows);
        break;
      }
      case kind::value:
        if (s.same_size) {
          s.run(slots_.data(), to, rows * value_bytes / s.size, kernel_mode::dense);
          break;
        }
        for (index k = 0; k < rows; ++k) {
          std::byte* const at = inputs(s, r + k)[s.inputs].at(r + k);
          s.run(slots_.data(), at, s.n, kernel_mode::dense);
          runtime::splat_vectors(at, at, s.size, 1);
        }
        break;
      default:
        for (index k = 0; k < rows; ++k) runtime::splat_vectors(in[1].at(r + k), in[0].at(r + k), s.size, 1);
    }
  }

  void take_row(const step& s, index r) {
    std::byte* const to = inputs(s, r)[s.inputs].at(r);
    prefetcher_.prefetch(s.n);
    if (s.does == kind::row)
      s.run(slots_.data(), to, s.n, s.mode);
    else if (s.does == kind::quotients_f32)
      s.divide_f32(static_cast<const float*>(slots_[0].data), static_cast<const float*>(slots_[1].data),
                   reinterpret_cast<float*>(to), s.n, s.mode == kernel_mode::streamed);
    else
      s.divide_f64(static_cast<const double*>(slots_[0].data), static_cast<const double*>(slots_[1].data),
                   reinterpret_cast<double*>(to), s.n, s.mode == kernel_mode::streamed);
  }

  const row_line& line_;
  index count_, first_, all_;
  std::byte* scratch_;
  row_prefetcher& prefetcher_;
  small_array<resolved, 32> places_;
  small_array<slot, 16> slots_;
  small_array<index, 16> pitch_;
};

void row_line::run(index first, index end, index all, std::byte* scratch, row_prefetcher& prefetcher) const {
  runner(*this, first, end, all, scratch, prefetcher).run();
}

}  // namespace broadloom::runtime
