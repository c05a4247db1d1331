// Sets of HDF5 files as arrays over ranks: each rank reads and writes its own rows of one file, through MPI-IO.
// Programs that include this are linked with an HDF5 library built with MPI.
#pragma once

#include <broadloom/distributed/hdf5_file.hpp>
#include <broadloom/io/hdf5_target.hpp>

namespace broadloom::distributed {

namespace detail {

// The rows that this rank has, of an open set. Nothing is sent: each rank reads by itself, so that none waits for
// another that fails.
template <class T, class Shape>
void read_rows(const communicator& c, const runtime::hdf5_set& from, tensor<T, Shape>& to) {
  c.together([&] {
    const box_list boxes(to.shape().extents(), sizeof(T), to.map().first(), to.map().last(), c.largest_count());
    const runtime::hdf5_id how = transfer_by(H5FD_MPIO_INDEPENDENT);
    boxes.each([&](const runtime::hdf5_box& box, index at) { from.read(dtype_of<T>, box, to.rows().data + at, how); });
  });
}

template <class T, class Shape>
void check_set(const runtime::hdf5_set& x, const tensor<T, Shape>& to) {
  x.expect("hdf5::read_into", dtype_of<T>, Shape::axes_count);
  const auto extents = to.shape().extents();
  for (int i = 0; i < Shape::axes_count; ++i)
    if (x.extents()[static_cast<std::size_t>(i)] != extents[i])
      throw io_error("hdf5::read_into: " + x.name() + " has extent " +
                     std::to_string(x.extents()[static_cast<std::size_t>(i)]) + " along axis " + std::to_string(i) +
                     ", and the array " + std::to_string(extents[i]));
}

// Compressed chunks are shared by ranks: HDF5 brings each to one of them, in as many transfers of all ranks. Other sets
// are written by each rank by itself.
template <class T, class Shape>
void write_rows(const communicator& c, const runtime::hdf5_set& to, const tensor<T, Shape>& from, bool all_together) {
  c.together([&] {
    const auto extents = from.shape().extents();
    const block_map& m = from.map();
    const box_list boxes(extents, sizeof(T), m.first(), m.last(), c.largest_count());
    index least = 0;
    if (all_together)
      for (int r = 0; r < c.size(); ++r)
        least = (std::max)(least, box_list(extents, sizeof(T), m.first(r), m.last(r), c.largest_count()).count());
    const runtime::hdf5_id how = transfer_by(all_together ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT);
    std::exception_ptr failed;  // the other ranks wait for the transfers that are left
    boxes.each(
        [&](const runtime::hdf5_box& box, index at) {
          try {
            to.write(dtype_of<T>, box, from.rows().data + at, how);
          } catch (...) {
            failed = std::current_exception();
          }
        },
        least);
    if (failed) std::rethrow_exception(failed);
  });
}

template <class T, class Shape>
void write_set(const char* call, const std::string& file, const std::string& set, const tensor<T, Shape>& x,
               const broadloom::hdf5::layout& how, bool is_new) {
  constexpr int rank = Shape::axes_count;
  const communicator& c = x.map().comm();
  c.check_thread();
  const auto extents = x.shape().extents();
  runtime::hdf5_layout layout;
  c.together([&] { layout = hdf5_layout_of<T, rank>(call, dshape<rank>::unchecked(extents), how); });
  ranks_output out(c, call, file, is_new);
  out.make_set(set, dtype_of<T>, {extents.v, extents.v + rank}, layout);
  write_rows(c, out.set(), x, layout.compression > 0);
  out.finish();
}

}  // namespace detail

namespace hdf5 {

// hdf5::read<float, 2>(world, "data.h5", "/x"): a set as a distributed array; each rank reads its rows. With a
// block_map in place of the communicator, which has as many rows as the set, its blocks; with halo{n}, with room for n
// rows of neighbours. Every rank calls it and sees the file. Throws error on all ranks: with the file, the set and the
// reason, as bl::hdf5::open.
template <element T, int Rank>
struct read_t {
  dtensor<T, Rank> operator()(const communicator& c, const std::string& file, const std::string& set,
                              halo h = {}) const {
    const runtime::hdf5_set x = open(c, file, set);
    return of(x, block_map(c, x.extents()[0]), h);
  }
  dtensor<T, Rank> operator()(const block_map& m, const std::string& file, const std::string& set, halo h = {}) const {
    const runtime::hdf5_set x = open(m.comm(), file, set);
    if (x.extents()[0] != m.rows())
      throw error("hdf5::read: " + x.name() + " has " + std::to_string(x.extents()[0]) + " rows, and the map is of " +
                  to_string(m));
    return of(x, m, h);
  }

 private:
  static_assert(Rank > 0, "an array over ranks has rows [errors.md#distributed-rank-0]");
  static runtime::hdf5_set open(const communicator& c, const std::string& file, const std::string& set) {
    c.check_thread();
    runtime::hdf5_set x = detail::open_set("hdf5::read", c, file, set);
    c.together([&] { x.expect("hdf5::read", dtype_of<T>, Rank); });
    return x;
  }
  static dtensor<T, Rank> of(const runtime::hdf5_set& x, const block_map& m, halo h) {
    broadloom::detail::indices<Rank> extents{};
    for (int i = 0; i < Rank; ++i) extents[i] = x.extents()[static_cast<std::size_t>(i)];
    dtensor<T, Rank> y(m, dtensor<T, Rank>::shape_type::unchecked(extents), h);
    detail::read_rows(m.comm(), x, y);
    return y;
  }
};
template <element T, int Rank>
inline constexpr read_t<T, Rank> read{};

// hdf5::read_into(x, "data.h5", "/x"): the same, into an array of the set's extents, whose axes may have other names.
inline constexpr struct read_into_t {
  template <class T, class Shape>
  void operator()(tensor<T, Shape>& x, const std::string& file, const std::string& set) const {
    const communicator& c = x.map().comm();
    c.check_thread();
    const runtime::hdf5_set from = detail::open_set("hdf5::read_into", c, file, set);
    c.together([&] { detail::check_set(from, x); });
    x.rows_to_write();
    detail::read_rows(c, from, x);
  }
} read_into{};

// hdf5::write("out.h5", "/y", y, {.chunks = {4096, 16}, .compression = 4}): a new file with one set, the rows of all
// ranks; an expression is evaluated first. The file gets its name when it is complete, as by bl::hdf5::create: until
// then a file of that name stays what it was. Every rank calls it and sees the folder. Throws error on all ranks.
inline constexpr struct write_t {
  template <class T, class Shape>
  void operator()(const std::string& file, const std::string& set, const tensor<T, Shape>& y,
                  const broadloom::hdf5::layout& how = {}) const {
    detail::write_set("hdf5::write", file, set, y, how, true);
  }
  template <array E>
  void operator()(const std::string& file, const std::string& set, const E& e,
                  const broadloom::hdf5::layout& how = {}) const {
    (*this)(file, set, distributed::tensor(e), how);
  }
} write{};

// hdf5::add("data.h5", "/y", y, {...}): a set more in a file that is there, which is changed where it lies: if the
// program is killed meanwhile, it may be unreadable. Throws error on all ranks, also where there is such a set.
inline constexpr struct add_t {
  template <class T, class Shape>
  void operator()(const std::string& file, const std::string& set, const tensor<T, Shape>& y,
                  const broadloom::hdf5::layout& how = {}) const {
    detail::write_set("hdf5::add", file, set, y, how, false);
  }
  template <array E>
  void operator()(const std::string& file, const std::string& set, const E& e,
                  const broadloom::hdf5::layout& how = {}) const {
    (*this)(file, set, distributed::tensor(e), how);
  }
} add{};

}  // namespace hdf5

}  // namespace broadloom::distributed
