// HDF5 files that all ranks have open at once, and the parts in which a rank's rows are moved.
#pragma once

#include <unistd.h>

#include <algorithm>

#include <broadloom/distributed/eval.hpp>
#include <broadloom/io/hdf5_output.hpp>

#if !defined(H5_HAVE_PARALLEL)
#error \
    "broadloom/distributed/hdf5.hpp needs HDF5 built with MPI: the flags of pkg-config hdf5-openmpi or hdf5-mpich (Debian: libhdf5-openmpi-dev, libhdf5-mpich-dev)"
#endif

namespace broadloom::distributed::detail {

// Boxes of a set that together are rows [first, last) of it, each contiguous in memory and of no more bytes than a
// count of MPI holds. A row that is longer is cut along the next axes.
class box_list {
 public:
  template <int Rank>
  box_list(const broadloom::detail::indices<Rank>& extents, std::size_t element_bytes, index first, index last,
           int largest_count)
      : extents_(extents.v, extents.v + Rank), first_(first) {
    extents_[0] = last - first;
    const index most = (std::max<index>)(1, (std::min<index>)(largest_count, index{1} << 30) /
                                                static_cast<index>(element_bytes));  // elements of a box
    // Boxes are some indices of axis cut_, of one index of each axis before.
    cut_ = Rank - 1;
    while (cut_ > 0 && inner_ * extents_[static_cast<std::size_t>(cut_)] <= most)
      inner_ *= extents_[static_cast<std::size_t>(cut_--)];
    each_ = (std::max<index>)(1, most / (std::max<index>)(1, inner_));
    pieces_ = (extents_[static_cast<std::size_t>(cut_)] + each_ - 1) / each_;
    for (int i = 0; i < cut_; ++i) outer_ *= extents_[static_cast<std::size_t>(i)];
  }
  index count() const { return inner_ == 0 ? 0 : outer_ * pieces_; }

  // f(box, where it begins in memory, in elements), and then empty boxes until f was called so often.
  template <class F>
  void each(const F& f, index least = 0) const {
    const std::size_t rank = extents_.size(), cut = static_cast<std::size_t>(cut_);
    runtime::hdf5_box box;
    for (index i = 0; i < count(); ++i) {
      box.start.assign(rank, 0);
      box.count.assign(rank, 1);
      const index from = i % pieces_ * each_, n = (std::min)(each_, extents_[cut] - from);
      box.start[cut] = static_cast<hsize_t>(from);
      box.count[cut] = static_cast<hsize_t>(n);
      for (std::size_t k = cut + 1; k < rank; ++k) box.count[k] = static_cast<hsize_t>(extents_[k]);
      index rest = i / pieces_;
      for (std::size_t k = cut; k-- > 0; rest /= extents_[k]) box.start[k] = static_cast<hsize_t>(rest % extents_[k]);
      box.start[0] += static_cast<hsize_t>(first_);
      f(box, (i / pieces_ * extents_[cut] + from) * inner_);
    }
    box.start.assign(rank, 0);
    box.count.assign(rank, 0);
    for (index i = count(); i < least; ++i) f(box, index{0});
  }

 private:
  std::vector<index> extents_;
  index first_, inner_ = 1, each_ = 1, pieces_ = 0, outer_ = 1;
  int cut_ = 0;
};

// Properties of a transfer by one rank, or by all of them at once.
inline runtime::hdf5_id transfer_by(H5FD_mpio_xfer_t how) {
  const runtime::hdf5_call one;
  runtime::hdf5_id list(one.checked(H5Pcreate(H5P_DATASET_XFER), "hdf5", "transfer"), H5Pclose);
  one.checked(H5Pset_dxpl_mpio(list, how), "hdf5", "transfer");
  return list;
}
inline runtime::hdf5_id access_by(const communicator& c) {
  const runtime::hdf5_call one;
  runtime::hdf5_id list(one.checked(H5Pcreate(H5P_FILE_ACCESS), "hdf5", "access"), H5Pclose);
  one.checked(H5Pset_fapl_mpio(list, c.handle(), MPI_INFO_NULL), "hdf5", "access");
  return list;
}
// Whether each rank has the file: one that has not would leave the others waiting for it to open it.
inline void check_access(const char* call, const communicator& c, const std::string& file, int mode) {
  c.together([&] {
    if (::access(file.c_str(), mode) != 0) runtime::throw_errno(call, file);
  });
}
inline runtime::hdf5_set open_set(const char* call, const communicator& c, const std::string& file,
                                  const std::string& set) {
  check_access(call, c, file, R_OK);
  runtime::hdf5_set x;
  c.together([&] { x = runtime::hdf5_set(call, file, set, access_by(c)); });
  return x;
}

// A file that is written by all ranks: one of its own, which rank 0 makes and names, or one that is there.
class ranks_output {
 public:
  ranks_output(const communicator& c, const char* call, const std::string& file, bool is_new)
      : comm_(c), call_(call), file_(file), written_(file), is_new_(is_new) {
    if (is_new) {
      c.together([&] {
        if (c.rank() == 0) written_ = runtime::make_temporary_file(call, file, descriptor_);
      });
      auto length = static_cast<unsigned long long>(written_.size());
      MPI_Bcast(&length, 1, MPI_UNSIGNED_LONG_LONG, 0, c.handle());
      written_.resize(static_cast<std::size_t>(length));
      MPI_Bcast(written_.data(), static_cast<int>(length), MPI_CHAR, 0, c.handle());
    }
    try {
      check_access(call, c, written_, W_OK);
      c.together([&] {
        const runtime::hdf5_call one;
        const runtime::hdf5_id access = access_by(c);
        open_file_ =
            runtime::hdf5_id(one.checked(is_new ? H5Fcreate(written_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access)
                                                : H5Fopen(written_.c_str(), H5F_ACC_RDWR, access),
                                         call, "\"" + file + "\""),
                             H5Fclose);
      });
    } catch (...) {
      give_up();
      throw;
    }
  }
  ranks_output(const ranks_output&) = delete;
  ranks_output& operator=(const ranks_output&) = delete;
  ~ranks_output() { give_up(); }

  void make_set(const std::string& set, dtype t, std::vector<index> extents, const runtime::hdf5_layout& how) {
    const std::string name = runtime::hdf5_name(file_, set);
    comm_.together([&] {
      const runtime::hdf5_call one;
      runtime::hdf5_id made = runtime::make_hdf5_set(call_, open_file_, name, set, t, extents, how);
      set_ = runtime::hdf5_set(static_cast<runtime::hdf5_id&&>(open_file_), static_cast<runtime::hdf5_id&&>(made), name,
                               static_cast<std::vector<index>&&>(extents));
    });
  }
  const runtime::hdf5_set& set() const { return set_; }
  void finish() {
    comm_.together([&] { set_.finish(call_); });
    comm_.together([&] {
      if (!is_new_ || comm_.rank() != 0) return;
      runtime::finish_temporary_file(call_, written_, file_, descriptor_);
      ::close(descriptor_);
      descriptor_ = -1;
    });
  }

 private:
  void give_up() noexcept {
    set_.close();
    open_file_.close();
    if (descriptor_ < 0) return;
    ::close(descriptor_);
    ::unlink(written_.c_str());
    descriptor_ = -1;
  }

  const communicator& comm_;
  const char* call_;
  std::string file_, written_;
  bool is_new_;
  int descriptor_ = -1;  // of rank 0's new file
  runtime::hdf5_id open_file_;
  runtime::hdf5_set set_;
};

}  // namespace broadloom::distributed::detail
