// hdf5::create and hdf5::add: a set of an HDF5 file as an output.
#pragma once

#include <algorithm>

#include <broadloom/fn/in_place.hpp>
#include <broadloom/io/hdf5_array.hpp>
#include <broadloom/io/hdf5_output.hpp>

namespace broadloom {

namespace detail {

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

namespace errors_md {
// What y += x and other in-place forms "return" where y is a set of a file.
struct a_set_of_a_file_is_written_once_whole_by_assign;
}  // namespace errors_md

namespace detail {

template <class Function, class T, int Rank, class... X>
struct in_place_check<Function, hdf5_target<T, Rank>&, X...> {
  using error = errors_md::a_set_of_a_file_is_written_once_whole_by_assign;
  static constexpr bool ok = false;
};

}  // namespace detail

namespace hdf5 {

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
      n = (std::max<index>)(1, static_cast<index>((std::size_t(1) << 20) / (std::max<std::size_t>)(row, 1)));
    r.chunks.push_back((std::max<index>)(1, (std::min)(n, s[i])));
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
  template <int R>
  auto operator()(const std::string& file, const std::string& set, detail::braced_extents<R> s,
                  const layout& how = {}) const {
    return (*this)(file, set, detail::braced_shape<R>(s), how);
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
  template <int R>
  auto operator()(const std::string& file, const std::string& set, detail::braced_extents<R> s,
                  const layout& how = {}) const {
    return (*this)(file, set, detail::braced_shape<R>(s), how);
  }
};
template <element T>
inline constexpr add_t<T> add{};

}  // namespace hdf5

}  // namespace broadloom
