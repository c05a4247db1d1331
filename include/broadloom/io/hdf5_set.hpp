// A set of an HDF5 file: its extents, chunks and elements, and rows read and written.
#pragma once

#include <string>
#include <vector>

#include <broadloom/core/index.hpp>
#include <broadloom/io/hdf5_type.hpp>

namespace broadloom::runtime {

// Some elements of a set: count of them from start on, along each axis. None where a count is 0.
struct hdf5_box {
  std::vector<hsize_t> start, count;

  bool empty() const {
    for (hsize_t n : count)
      if (n == 0) return true;
    return false;
  }
};

// A set of a file.
class hdf5_set {
 public:
  hdf5_set() = default;
  // Opens it to be read; `access` says how files are accessed.
  hdf5_set(const char* call, const std::string& file, const std::string& set, hid_t access = H5P_DEFAULT)
      : name_(hdf5_name(file, set)) {
    const hdf5_call one;
    file_ = hdf5_id(one.checked(H5Fopen(file.c_str(), H5F_ACC_RDONLY, access), call, "\"" + file + "\""), H5Fclose);
    set_ = hdf5_id(one.checked(H5Dopen2(file_, set.c_str(), H5P_DEFAULT), call, name_), H5Dclose);
    const hdf5_id space(one.checked(H5Dget_space(set_), call, name_), H5Sclose);
    hsize_t extents[H5S_MAX_RANK] = {};
    const int rank = one.checked(H5Sget_simple_extent_dims(space, extents, nullptr), call, name_);
    if (H5Sget_simple_extent_type(space) == H5S_NULL)
      throw io_error(std::string(call) + ": " + name_ + " has no elements");
    for (int i = 0; i < rank; ++i) extents_.push_back(static_cast<index>(extents[i]));
    const hdf5_id how(one.checked(H5Dget_create_plist(set_), call, name_), H5Pclose);
    if (H5Pget_layout(how) == H5D_CHUNKED) {
      hsize_t chunk[H5S_MAX_RANK] = {};
      one.checked(H5Pget_chunk(how, rank, chunk), call, name_);
      for (int i = 0; i < rank; ++i) chunks_.push_back(static_cast<index>(chunk[i]));
    }
    const hdf5_id type(one.checked(H5Dget_type(set_), call, name_), H5Tclose);
    type_ = hdf5_type_name(type);
  }
  // What is being written; closed by the caller.
  hdf5_set(hdf5_id file, hdf5_id set, std::string name, std::vector<index> extents)
      : name_(static_cast<std::string&&>(name)),
        file_(static_cast<hdf5_id&&>(file)),
        set_(static_cast<hdf5_id&&>(set)),
        extents_(static_cast<std::vector<index>&&>(extents)) {}

  const std::string& name() const { return name_; }
  const std::vector<index>& extents() const { return extents_; }
  const std::vector<index>& chunks() const { return chunks_; }
  const std::string& type() const { return type_; }
  hid_t id() const { return set_; }
  hid_t file() const { return file_; }

  // Throws io_error that names both where elements or rank are others than expected.
  void expect(const char* call, dtype t, int rank) const {
    if (type_ != to_string(t))
      throw io_error(std::string(call) + ": " + name_ + " holds " + type_ + ", not " + to_string(t));
    if (static_cast<int>(extents_.size()) != rank)
      throw io_error(std::string(call) + ": " + name_ + " has rank " + std::to_string(extents_.size()) + ", not " +
                     std::to_string(rank));
  }
  // Rows [first, last), and any elements, from contiguous memory and to it. `how`: a list of properties of the
  // transfer.
  void read(dtype t, index first, index last, void* to) const { read(t, rows(first, last), to); }
  void write(dtype t, index first, index last, const void* from) const { write(t, rows(first, last), from); }
  void read(dtype t, const hdf5_box& box, void* to, hid_t how = H5P_DEFAULT) const {
    if (box.empty()) return;
    const hdf5_call one;
    const spaces s(*this, box);
    one.checked(H5Dread(set_, hdf5_type(t), s.memory, s.file, how, to), "hdf5", name_);
    if (t == dtype::b8) {  // other bytes are no bool
      auto* const bytes = static_cast<unsigned char*>(to);
      const auto n = static_cast<std::size_t>(H5Sget_simple_extent_npoints(s.memory));
      for (std::size_t i = 0; i < n; ++i) bytes[i] = bytes[i] != 0;
    }
  }
  void write(dtype t, const hdf5_box& box, const void* from, hid_t how = H5P_DEFAULT) const {
    if (box.empty() && how == H5P_DEFAULT) return;
    const hdf5_call one;
    const spaces s(*this, box);
    one.checked(H5Dwrite(set_, hdf5_type(t), s.memory, s.file, how, from), "hdf5", name_);
  }
  // Writes all that HDF5 keeps to the file, and closes it.
  void finish(const char* call) {
    const hdf5_call one;
    one.checked(H5Fflush(file_, H5F_SCOPE_GLOBAL), call, name_);
    one.checked(set_.close(), call, name_);
    one.checked(file_.close(), call, name_);
  }
  void close() {
    set_.close();
    file_.close();
  }

 private:
  hdf5_box rows(index first, index last) const {
    hdf5_box box;
    for (index n : extents_) {
      box.start.push_back(0);
      box.count.push_back(static_cast<hsize_t>(n));
    }
    if (!extents_.empty()) {
      box.start[0] = static_cast<hsize_t>(first);
      box.count[0] = static_cast<hsize_t>(first < last ? last - first : 0);
    }
    return box;
  }
  struct spaces {
    hdf5_id file, memory;
    spaces(const hdf5_set& x, const hdf5_box& box)
        : file(hdf5_call::checked(H5Dget_space(x.set_), "hdf5", x.name_), H5Sclose) {
      const int rank = static_cast<int>(box.count.size());
      memory = hdf5_id(
          hdf5_call::checked(rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, box.count.data(), nullptr),
                             "hdf5", x.name_),
          H5Sclose);
      if (rank == 0) return;
      if (box.empty())
        hdf5_call::checked(H5Sselect_none(file), "hdf5", x.name_);
      else
        hdf5_call::checked(
            H5Sselect_hyperslab(file, H5S_SELECT_SET, box.start.data(), nullptr, box.count.data(), nullptr), "hdf5",
            x.name_);
    }
  };

  std::string name_;
  hdf5_id file_, set_;
  std::vector<index> extents_, chunks_;
  std::string type_;
};

// How the elements of a set lie in the file.
struct hdf5_layout {
  std::vector<index> chunks;
  int compression;
};

inline hdf5_id make_hdf5_set(const char* call, hid_t file, const std::string& name, const std::string& set, dtype t,
                             const std::vector<index>& extents, const hdf5_layout& how) {
  const hdf5_id plist(hdf5_call::checked(H5Pcreate(H5P_DATASET_CREATE), call, name), H5Pclose);
  hdf5_call::checked(H5Pset_fill_time(plist, H5D_FILL_TIME_NEVER), call, name);
  if (!how.chunks.empty()) {
    std::vector<hsize_t> chunks;
    for (index n : how.chunks) chunks.push_back(static_cast<hsize_t>(n));
    hdf5_call::checked(H5Pset_chunk(plist, static_cast<int>(chunks.size()), chunks.data()), call, name);
    if (how.compression > 0) {
      hdf5_call::checked(H5Pset_shuffle(plist), call, name);
      hdf5_call::checked(H5Pset_deflate(plist, static_cast<unsigned>(how.compression)), call, name);
    }
  }
  const hdf5_id links(hdf5_call::checked(H5Pcreate(H5P_LINK_CREATE), call, name), H5Pclose);
  hdf5_call::checked(H5Pset_create_intermediate_group(links, 1), call, name);
  std::vector<hsize_t> e;
  for (index n : extents) e.push_back(static_cast<hsize_t>(n));
  const hdf5_id space(hdf5_call::checked(e.empty() ? H5Screate(H5S_SCALAR)
                                                   : H5Screate_simple(static_cast<int>(e.size()), e.data(), nullptr),
                                         call, name),
                      H5Sclose);
  return {hdf5_call::checked(H5Dcreate2(file, set.c_str(), hdf5_type(t), space, links, plist, H5P_DEFAULT), call, name),
          H5Dclose};
}

}  // namespace broadloom::runtime
