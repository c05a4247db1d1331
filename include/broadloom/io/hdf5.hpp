// Arrays in HDF5 files, larger than memory: hdf5::open is an operand, hdf5::create an output, and assign goes through
// them by blocks of rows. Programs that include this are linked with HDF5's C library.
#pragma once

#include <chrono>
#include <tuple>

#include <broadloom/io/hdf5_explain.hpp>
#include <broadloom/io/hdf5_target.hpp>

namespace broadloom {

namespace detail {

template <class T, int Rank>
class target_writer final : public runtime::row_writer {
 public:
  using value_type = T;
  explicit target_writer(hdf5_target<T, Rank>& to)
      : row_writer(Rank == 0 ? 1 : to.shape()[0], row_bytes_of(to.shape()), to.chunk_rows()), to_(to) {}
  void write(index first, index last, const void* from) override { to_.output().write(first, last, from); }

 private:
  static std::size_t row_bytes_of(const dshape<Rank>& s) {
    std::size_t n = sizeof(T);
    for (int i = 1; i < Rank; ++i) n *= static_cast<std::size_t>(s[i]);
    return n;
  }
  hdf5_target<T, Rank>& to_;
};

// Adds the task that writes e to an output, or to an array in memory.
template <int Native, class Writer, class E>
void add_written(streaming& passes, Writer& to, const auto& shape, const E& e) {
  using out_shape = std::remove_cvref_t<decltype(shape)>;
  constexpr int rank = out_shape::axes_count;
  check_fits(writing::copy, shape, e.shape());
  auto task = std::make_unique<written_rows<typename Writer::value_type, rank, E, Native>>(passes, shape, to, e);
  const index rows = to.rows();
  passes.declare<Native>(e, {rank, rows, 0, 0}, *task);
  passes.add(std::move(task), rows);
}
template <int Native, class Out, class E>
void add_assigned(streaming& passes, const Out& out, const E& e) {
  check_fits(writing::copy, out.shape(), e.shape());
  check_writable(out.layout(), out.shape());
  auto task = std::make_unique<assigned_rows<Out, E, Native>>(passes, out, e);
  const index rows = task->row_count();
  passes.declare<Native>(e, {rank_of<Out>, rows, 0, 0}, *task);
  passes.add(std::move(task), rows);
}
// Blocks are told, and not the loops within: some dozens of times a second, and when all is done.
inline void run_streaming(streaming& passes, const policy& how) {
  const runtime::progress_sink* const sink = how.told();
  auto last = std::chrono::steady_clock::now();
  how.untold().run([&] {
    passes.run([&](int pass, index done, index total) {
      if (sink == nullptr) return;
      const auto now = std::chrono::steady_clock::now();
      if (now - last < std::chrono::milliseconds(25)) return;
      last = now;
      sink->report(sink, {pass, done, total});
    });
  });
  if (sink != nullptr) sink->report(sink, {0, 1, 1});
}
template <class Out>
inline constexpr bool is_target = false;
template <class T, int Rank>
inline constexpr bool is_target<hdf5_target<T, Rank>> = true;

// Tasks of all of the outputs, for f(streaming).
template <int Native, class Out, class E, class F>
void with_output(Out& out, const E& e, const hdf5::budget& b, const F& f) {
  const auto tree = capture(e);
  streaming passes(b.memory, b.how.options());
  if constexpr (is_target<std::remove_const_t<Out>>) {
    target_writer writer(out);
    add_written<Native>(passes, writer, out.shape(), tree);
    f(passes);
  } else {
    add_assigned<Native>(passes, as_node(out), tree);
    f(passes);
  }
}

// An array for the whole of an expression, and the expression, which tasks refer to.
template <class E>
struct evaluated_whole {
  using tensor_type = tensor<value_of<E>, shape_of<E>>;
  E e;
  tensor_type out;
  explicit evaluated_whole(const E& x) : e(x), out(tensor_type::uninitialised(x.shape())) {}
};

}  // namespace detail

namespace hdf5 {

// hdf5::assign(out, e, {.memory = 256 << 20}): e to a set that is written, or to an array in memory, where e's operands
// are sets of files and arrays in memory that broadcast with them. It goes through the files in blocks of rows, as
// often as its reductions along the leading axis need and no more; while a block is computed, the next is read and the
// one before is written. The result has the bits that bl::assign gives of the same operands in memory. Throws io_error
// when the expression does not go by rows and what it needs exceeds the budget: x.T(), matmul, positions and
// compensated sums along the leading axis need their operands whole. bl::assign(y, e) is the same with the usual
// budget.
inline constexpr struct assign_t {
  template <class Out, array E, int Native = BROADLOOM_NATIVE>
    requires(detail::writable<Out&> && detail::assignable_from<Out&, E>)
  void operator()(Out&& out, const E& e, const budget& b = {}) const {
    constexpr bool to_file = detail::is_target<std::remove_cvref_t<Out>>;
    if constexpr (to_file) out.output().expect_unfinished();
    detail::with_output<Native>(out, e, b, [&](detail::streaming& passes) { detail::run_streaming(passes, b.how); });
    if constexpr (to_file) out.output().finish();
  }
} assign{};

// hdf5::eval(e, {.memory = 256 << 20}): a tensor of e's shape and type, which is not counted in the budget. Of several,
// hdf5::eval_all({...}, mean(x, 0_c), std(x, 0_c)), a std::tuple of tensors, in the passes that they need together.
inline constexpr struct eval_t {
  template <array E, int Native = BROADLOOM_NATIVE>
  auto operator()(const E& e, const budget& b = {}) const {
    detail::evaluated_whole x(detail::capture(e));
    detail::streaming passes(b.memory, b.how.options());
    detail::add_assigned<Native>(passes, detail::as_node(x.out), x.e);
    detail::run_streaming(passes, b.how);
    return std::move(x.out);
  }
} eval{};
inline constexpr struct eval_all_t {
  template <array... E, int Native = BROADLOOM_NATIVE>
  auto operator()(const budget& b, const E&... e) const {
    return of<Native>(b, detail::evaluated_whole(detail::capture(e))...);
  }

 private:
  template <int Native, class... X>
  static auto of(const budget& b, X... x) {
    detail::streaming passes(b.memory, b.how.options());
    (detail::add_assigned<Native>(passes, detail::as_node(x.out), x.e), ...);
    detail::run_streaming(passes, b.how);
    return std::tuple<typename X::tensor_type...>(std::move(x.out)...);
  }
} eval_all{};

// hdf5::explain(out, e, {...}), hdf5::explain(e, {...}): what assign or eval would do: passes, blocks and bytes. It
// prints by <<. Throws io_error as assign.
inline constexpr struct explain_t {
  template <class Out, array E, int Native = BROADLOOM_NATIVE>
    requires detail::writable<Out&>
  explanation operator()(Out&& out, const E& e, const budget& b = {}) const {
    explanation x;
    detail::with_output<Native>(out, e, b, [&](detail::streaming& passes) { x = detail::explanation_of(passes); });
    return x;
  }
  template <array E, int Native = BROADLOOM_NATIVE>
  explanation operator()(const E& e, const budget& b = {}) const {
    using node = std::remove_cvref_t<decltype(detail::capture(e))>;
    const auto s = detail::as_node(e).shape();
    view<detail::value_of<node>, std::remove_cvref_t<decltype(s)>, row_major> out(nullptr, s, {});
    return (*this)(out, e, b);
  }
} explain{};

}  // namespace hdf5

template <class T, int Rank>
template <int Native, class E>
void hdf5_target<T, Rank>::write_by(E&& e, const policy& how) {
  hdf5::budget b;
  b.how = how;
  out_.expect_unfinished();
  detail::with_output<Native>(*this, e, b, [&](detail::streaming& passes) { detail::run_streaming(passes, how); });
  out_.finish();
}

}  // namespace broadloom
