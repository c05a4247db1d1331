// Arrays in HDF5 files, larger than memory: hdf5::open is an operand, hdf5::create an output, and assign goes through
// them by blocks of rows. Programs that include this are linked with HDF5's C library.
#pragma once

#include <chrono>
#include <initializer_list>
#include <iosfwd>
#include <tuple>

#include <broadloom/io/hdf5_file.hpp>
#include <broadloom/io/streaming_tasks.hpp>

namespace broadloom {

namespace detail {

inline index leading_chunk(const std::vector<index>& chunks) { return chunks.empty() || chunks[0] < 1 ? 1 : chunks[0]; }
template <int Rank>
dshape<Rank> shape_of_set(const runtime::hdf5_set& x) {
  indices<Rank> e{};
  for (int i = 0; i < Rank; ++i) e[i] = x.extents()[static_cast<std::size_t>(i)];
  return dshape<Rank>::unchecked(e);
}

// A set that is read.
template <class T, int Rank>
class hdf5_rows final : public stored_array<Rank> {
 public:
  explicit hdf5_rows(runtime::hdf5_set x)
      : stored_array<Rank>(shape_of_set<Rank>(x), sizeof(T), leading_chunk(x.chunks()), x.name()),
        set_(static_cast<runtime::hdf5_set&&>(x)) {}
  void read(index first, index last, void* to) override { set_.read(dtype_of<T>, first, last, to); }
  const runtime::hdf5_set& set() const { return set_; }

 private:
  runtime::hdf5_set set_;
};

// What was written, to be read: the file is opened when its elements are asked for.
template <class T, int Rank>
class hdf5_written_rows final : public stored_array<Rank> {
 public:
  hdf5_written_rows(const dshape<Rank>& s, index chunk_rows, const std::string& file, const std::string& set)
      : stored_array<Rank>(s, sizeof(T), chunk_rows, runtime::hdf5_name(file, set)), file_(file), path_(set) {}
  void read(index first, index last, void* to) override {
    const runtime::hdf5_set x("hdf5::open", file_, path_);
    x.expect("hdf5::open", dtype_of<T>, Rank);
    x.read(dtype_of<T>, first, last, to);
  }

 private:
  std::string file_, path_;
};

}  // namespace detail

// A set of an HDF5 file as an operand: hdf5::open. Copies refer to the same open file, which is closed with the last.
template <class T, int Rank>
class hdf5_array {
 public:
  explicit hdf5_array(runtime::hdf5_set x)
      : rows_(new detail::hdf5_rows<T, Rank>(static_cast<runtime::hdf5_set&&>(x))), source_(rows_) {}

  const dshape<Rank>& shape() const { return source_.shape(); }
  static constexpr index rank() { return Rank; }
  index size() const { return shape().size(); }
  // Lazy views: x(range(0, 100), all), x(3).
  template <class... I>
    requires requires(const deferred<detail::stored_source<T, Rank>>& x, I&&... i) { x(static_cast<I&&>(i)...); }
  auto operator()(I&&... i) const {
    return node()(static_cast<I&&>(i)...);
  }
  // Its chunks' extents; empty where its elements lie in one piece.
  list<index> chunks() const { return {set().chunks().data(), set().chunks().data() + set().chunks().size()}; }
  // Attributes. attribute<double>("scale") converts between numbers; attribute<std::string>("units") is a text. Throws
  // io_error where there is none of that name and kind, or it has several values.
  bool has_attribute(const std::string& name) const { return runtime::has_hdf5_attribute(set(), name); }
  template <class V>
  V attribute(const std::string& name) const {
    if constexpr (__is_same(V, std::string))
      return runtime::read_hdf5_text(set(), name);
    else {
      V x{};
      runtime::read_hdf5_attribute(set(), name, dtype_of<V>, &x);
      return x;
    }
  }
  auto node() const { return deferred<detail::stored_source<T, Rank>>(source_); }

 private:
  const runtime::hdf5_set& set() const { return rows_->set(); }
  detail::hdf5_rows<T, Rank>* rows_;
  detail::stored_source<T, Rank> source_;
};
template <class T, int Rank>
struct array_traits<hdf5_array<T, Rank>> {
  static auto leaf(const hdf5_array<T, Rank>& a) { return a.node(); }
};

// A set of an HDF5 file as an output: hdf5::create, hdf5::add. It is written once, whole, by assign; then it is an
// operand too. Not copyable.
template <class T, int Rank>
class hdf5_target {
 public:
  using place_tag = void;
  using passes_tag = void;
  using value_type = T;
  using shape_type = dshape<Rank>;

  hdf5_target(const char* call, const std::string& file, const std::string& set, const dshape<Rank>& s,
              const runtime::hdf5_layout& how, bool is_new)
      : shape_(s),
        chunk_rows_(detail::leading_chunk(how.chunks)),
        out_(call, file, set, dtype_of<T>, {s.data(), s.data() + Rank}, how, is_new) {}

  const dshape<Rank>& shape() const { return shape_; }
  // Written into the file with the set. Throws io_error where there is one of that name, or after assign.
  template <class V>
  void set_attribute(const std::string& name, const V& value) {
    out_.expect_unfinished();
    if constexpr (requires { dtype_of<V>; })
      runtime::write_hdf5_attribute(out_.set(), name, runtime::hdf5_type(dtype_of<V>), &value);
    else {
      const std::string text(value);
      const runtime::hdf5_call one;
      const runtime::hdf5_id type(H5Tcopy(H5T_C_S1), H5Tclose);
      H5Tset_size(type, text.size() + 1);
      runtime::write_hdf5_attribute(out_.set(), name, type, text.c_str());
    }
  }
  index chunk_rows() const { return chunk_rows_; }
  runtime::hdf5_output& output() { return out_; }
  auto node() const {
    return deferred<detail::stored_source<T, Rank>>(detail::stored_source<T, Rank>(
        new detail::hdf5_written_rows<T, Rank>(shape_, chunk_rows_, out_.file(), out_.path())));
  }
  // What bl::assign(y, e, how) calls.
  template <int Native, class E>
  void write_by(E&& e, const policy& how);

 private:
  dshape<Rank> shape_;
  index chunk_rows_;
  runtime::hdf5_output out_;
};
template <class T, int Rank>
struct array_traits<hdf5_target<T, Rank>> {
  static auto leaf(const hdf5_target<T, Rank>& a) { return a.node(); }
};

namespace hdf5 {

// hdf5::open<float, 3>("data.h5", "/x"): the set as a lazy operand, in any order of bytes, chunked or compressed.
// Nothing is read but what the file says of it. Throws io_error that names the file, the set and the reason: also where
// it holds other elements or has another rank. bool and complex sets are those of h5py.
template <element T, int Rank>
struct open_t {
  hdf5_array<T, Rank> operator()(const std::string& file, const std::string& set) const {
    runtime::hdf5_set x("hdf5::open", file, set);
    x.expect("hdf5::open", dtype_of<T>, Rank);
    return hdf5_array<T, Rank>(static_cast<runtime::hdf5_set&&>(x));
  }
};
template <element T, int Rank>
inline constexpr open_t<T, Rank> open{};

// How a set lies in its file: in one piece, or in chunks of these extents, each compressed by zlib with 1 (fast) to 9.
// Without chunks, compression chooses some rows of about 1 MiB.
struct layout {
  list<index> chunks = {};
  int compression = 0;
};

}  // namespace hdf5

namespace detail {

template <class T, int Rank>
runtime::hdf5_layout hdf5_layout_of(const char* call, const dshape<Rank>& s, const hdf5::layout& how) {
  runtime::hdf5_layout r{{}, how.compression};
  if (how.compression < 0 || how.compression > 9)
    throw io_error(std::string(call) + ": compression is a number from 0 to 9, not " + std::to_string(how.compression));
  if (how.chunks.size() != 0 && static_cast<int>(how.chunks.size()) != Rank)
    throw io_error(std::string(call) + ": chunks have " + std::to_string(how.chunks.size()) + " extents, and the set " +
                   std::to_string(Rank));
  if (how.chunks.size() == 0 && (how.compression == 0 || Rank == 0)) return r;
  std::size_t row = sizeof(T);
  for (int i = 1; i < Rank; ++i) row *= static_cast<std::size_t>(s[i]);
  for (int i = 0; i < Rank; ++i) {
    index n = s[i];
    if (how.chunks.size() != 0) {
      n = how.chunks[static_cast<std::size_t>(i)];
      if (n < 1) throw io_error(std::string(call) + ": a chunk of extent " + std::to_string(n));
    } else if (i == 0)
      n = std::max<index>(1, static_cast<index>((std::size_t(1) << 20) / std::max<std::size_t>(row, 1)));
    r.chunks.push_back(std::max<index>(1, std::min(n, s[i])));
  }
  return r;
}

}  // namespace detail

namespace hdf5 {

// hdf5::create<float>("out.h5", "/y", shape, {.chunks = {1024, 64}, .compression = 4}): a new file with one set,
// written by assign. It is written under another name in the same folder and gets its own when it is complete and on
// the disk: until then, and if the program ends before, a file of that name stays what it was. Throws io_error.
template <element T>
struct create_t {
  template <shape_type S>
  auto operator()(const std::string& file, const std::string& set, const S& s, const layout& how = {}) const {
    constexpr int rank = S::axes_count;
    const auto d = dshape<rank>::unchecked(s.extents());
    return hdf5_target<T, rank>("hdf5::create", file, set, d, detail::hdf5_layout_of<T, rank>("hdf5::create", d, how),
                                true);
  }
};
template <element T>
inline constexpr create_t<T> create{};

// hdf5::add<float>("data.h5", "/y", shape, {...}): a set more in a file that is there. The file is changed where it
// lies: a program that is killed meanwhile may leave it unreadable. Throws io_error, also where there is such a set.
template <element T>
struct add_t {
  template <shape_type S>
  auto operator()(const std::string& file, const std::string& set, const S& s, const layout& how = {}) const {
    constexpr int rank = S::axes_count;
    const auto d = dshape<rank>::unchecked(s.extents());
    return hdf5_target<T, rank>("hdf5::add", file, set, d, detail::hdf5_layout_of<T, rank>("hdf5::add", d, how), false);
  }
};
template <element T>
inline constexpr add_t<T> add{};

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
    blocks = std::max(blocks, p.memory);
  }
  x.memory = passes.held_bytes() + blocks;
  return x;
}

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
