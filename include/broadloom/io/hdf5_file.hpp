// The calls of the HDF5 library that io/hdf5.hpp makes, with exceptions for its errors.
#pragma once

#include <hdf5.h>
#include <unistd.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include <broadloom/core/dtype.hpp>
#include <broadloom/core/error.hpp>
#include <broadloom/core/list.hpp>
#include <broadloom/io/new_file.hpp>
#include <broadloom/io/stored.hpp>

namespace broadloom::runtime {

// One call at a time: Debian's HDF5 is not safe for threads. While this lives, the library prints no errors of its own.
class hdf5_call {
 public:
  hdf5_call() : lock_(mutex()) {
    H5Eget_auto2(H5E_DEFAULT, &print_, &context_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  hdf5_call(const hdf5_call&) = delete;
  hdf5_call& operator=(const hdf5_call&) = delete;
  ~hdf5_call() { H5Eset_auto2(H5E_DEFAULT, print_, context_); }

  // Throws io_error: the call, what it was about, and the innermost reason that HDF5 gives.
  [[noreturn]] static void fail(const char* call, const std::string& what) {
    std::string reason;
    H5Ewalk2(
        H5E_DEFAULT, H5E_WALK_UPWARD,
        [](unsigned n, const H5E_error2_t* e, void* to) -> herr_t {
          if (n == 0 && e->desc != nullptr) *static_cast<std::string*>(to) = e->desc;
          return 0;
        },
        &reason);
    throw io_error(std::string(call) + ": " + what + (reason.empty() ? "" : ": " + reason));
  }
  template <class Id>
  static Id checked(Id id, const char* call, const std::string& what) {
    if (id < 0) fail(call, what);
    return id;
  }

 private:
  static std::recursive_mutex& mutex() {
    static std::recursive_mutex one;
    return one;
  }
  std::lock_guard<std::recursive_mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* context_ = nullptr;
};

// An identifier of HDF5, closed with this.
class hdf5_id {
 public:
  hdf5_id() = default;
  hdf5_id(hid_t id, herr_t (*closing)(hid_t)) : id_(id), close_(closing) {}
  hdf5_id(hdf5_id&& o) noexcept : id_(o.id_), close_(o.close_) { o.id_ = -1; }
  hdf5_id& operator=(hdf5_id&& o) noexcept {
    std::swap(id_, o.id_);
    std::swap(close_, o.close_);
    return *this;
  }
  ~hdf5_id() { close(); }
  operator hid_t() const { return id_; }
  bool is_open() const { return id_ >= 0; }
  herr_t close() {
    if (id_ < 0) return 0;
    const hdf5_call quiet;
    const hid_t id = id_;
    id_ = -1;
    return close_(id);
  }

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

// The type of such elements in memory: h5py's for bool (an enumeration) and complex numbers (r and i).
inline hid_t hdf5_type(dtype t) {
  const auto complex = [](hid_t part, std::size_t bytes) {
    const hid_t id = H5Tcreate(H5T_COMPOUND, 2 * bytes);
    H5Tinsert(id, "r", 0, part);
    H5Tinsert(id, "i", bytes, part);
    return id;
  };
  const auto truth = [] {
    const hid_t id = H5Tenum_create(H5T_NATIVE_INT8);
    const std::int8_t no = 0, yes = 1;
    H5Tenum_insert(id, "FALSE", &no);
    H5Tenum_insert(id, "TRUE", &yes);
    return id;
  };
  // Sign, exponent and a mantissa of so many bits.
  const auto floating16 = [](std::size_t mantissa) {
    const hid_t id = H5Tcopy(H5T_NATIVE_FLOAT);
    H5Tset_fields(id, 15, mantissa, 15 - mantissa, 0, mantissa);
    H5Tset_size(id, 2);
    H5Tset_ebias(id, (std::size_t{1} << (14 - mantissa)) - 1);
    return id;
  };
  switch (t) {
    case dtype::b8: {
      static const hid_t id = truth();
      return id;
    }
    case dtype::i8: return H5T_NATIVE_INT8;
    case dtype::i16: return H5T_NATIVE_INT16;
    case dtype::i32: return H5T_NATIVE_INT32;
    case dtype::i64: return H5T_NATIVE_INT64;
    case dtype::u8: return H5T_NATIVE_UINT8;
    case dtype::u16: return H5T_NATIVE_UINT16;
    case dtype::u32: return H5T_NATIVE_UINT32;
    case dtype::u64: return H5T_NATIVE_UINT64;
    case dtype::f32: return H5T_NATIVE_FLOAT;
    case dtype::f64: return H5T_NATIVE_DOUBLE;
    case dtype::f16: {  // h5py's float16
      static const hid_t id = floating16(10);
      return id;
    }
    case dtype::bf16: {
      static const hid_t id = floating16(7);
      return id;
    }
    case dtype::c64: {
      static const hid_t id = complex(H5T_NATIVE_FLOAT, 4);
      return id;
    }
    case dtype::c128: {
      static const hid_t id = complex(H5T_NATIVE_DOUBLE, 8);
      return id;
    }
  }
  return -1;
}

// The name of the elements of a file: that of a dtype if it is one, in whatever order of bytes.
inline std::string hdf5_type_name(hid_t type) {
  const std::string bits = std::to_string(8 * H5Tget_size(type));
  switch (H5Tget_class(type)) {
    case H5T_INTEGER: return (H5Tget_sign(type) == H5T_SGN_NONE ? "u" : "i") + bits;
    case H5T_FLOAT: return "f" + bits;
    case H5T_STRING: return "text";
    case H5T_ENUM: {
      if (H5Tget_nmembers(type) != 2) return "enumeration";
      std::string names;
      for (unsigned i = 0; i < 2; ++i) {
        char* const name = H5Tget_member_name(type, i);
        names += name;
        H5free_memory(name);
      }
      return names == "FALSETRUE" ? "bool" : "enumeration";
    }
    case H5T_COMPOUND: {
      if (H5Tget_nmembers(type) != 2 || H5Tget_member_index(type, "r") != 0 || H5Tget_member_index(type, "i") != 1)
        return "compound";
      const hdf5_id part(H5Tget_member_type(type, 0), H5Tclose), other(H5Tget_member_type(type, 1), H5Tclose);
      if (H5Tget_class(part) != H5T_FLOAT || H5Tget_class(other) != H5T_FLOAT ||
          H5Tget_size(part) != H5Tget_size(other))
        return "compound";
      return "c" + std::to_string(16 * H5Tget_size(part));
    }
    default: return "another type";
  }
}

inline std::string hdf5_name(const std::string& file, const std::string& set) {
  return "\"" + set + "\" of \"" + file + "\"";
}

// A set of a file.
class hdf5_set {
 public:
  hdf5_set() = default;
  // Opens it to be read.
  hdf5_set(const char* call, const std::string& file, const std::string& set) : name_(hdf5_name(file, set)) {
    const hdf5_call one;
    file_ =
        hdf5_id(one.checked(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), call, "\"" + file + "\""), H5Fclose);
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
  void read(dtype t, index first, index last, void* to) const {
    if (empty(first, last)) return;
    const hdf5_call one;
    const spaces s(*this, first, last);
    one.checked(H5Dread(set_, hdf5_type(t), s.memory, s.file, H5P_DEFAULT, to), "hdf5", name_);
    if (t == dtype::b8) {  // other bytes are no bool
      auto* const bytes = static_cast<unsigned char*>(to);
      const auto n = static_cast<std::size_t>(H5Sget_simple_extent_npoints(s.memory));
      for (std::size_t i = 0; i < n; ++i) bytes[i] = bytes[i] != 0;
    }
  }
  void write(dtype t, index first, index last, const void* from) const {
    if (empty(first, last)) return;
    const hdf5_call one;
    const spaces s(*this, first, last);
    one.checked(H5Dwrite(set_, hdf5_type(t), s.memory, s.file, H5P_DEFAULT, from), "hdf5", name_);
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
  bool empty(index first, index last) const {
    bool none = first >= last;
    for (index n : extents_) none = none || n == 0;
    return none;
  }
  struct spaces {
    hdf5_id file, memory;
    spaces(const hdf5_set& x, index first, index last)
        : file(hdf5_call::checked(H5Dget_space(x.set_), "hdf5", x.name_), H5Sclose) {
      if (x.extents_.empty()) {
        memory = hdf5_id(hdf5_call::checked(H5Screate(H5S_SCALAR), "hdf5", x.name_), H5Sclose);
        return;
      }
      std::vector<hsize_t> start(x.extents_.size(), 0), count;
      for (index n : x.extents_) count.push_back(static_cast<hsize_t>(n));
      start[0] = static_cast<hsize_t>(first);
      count[0] = static_cast<hsize_t>(last - first);
      hdf5_call::checked(H5Sselect_hyperslab(file, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
                         "hdf5", x.name_);
      memory = hdf5_id(
          hdf5_call::checked(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), "hdf5", x.name_),
          H5Sclose);
    }
  };

  std::string name_;
  hdf5_id file_, set_;
  std::vector<index> extents_, chunks_;
  std::string type_;
};

// Attributes of a set.
inline hdf5_id open_hdf5_attribute(const hdf5_set& x, const std::string& name) {
  return {hdf5_call::checked(H5Aopen(x.id(), name.c_str(), H5P_DEFAULT), "hdf5::attribute",
                             "attribute \"" + name + "\" of " + x.name()),
          H5Aclose};
}
inline bool has_hdf5_attribute(const hdf5_set& x, const std::string& name) {
  const hdf5_call one;
  return H5Aexists(x.id(), name.c_str()) > 0;
}
inline void read_hdf5_attribute(const hdf5_set& x, const std::string& name, dtype t, void* to) {
  const hdf5_call one;
  const std::string what = "attribute \"" + name + "\" of " + x.name();
  const hdf5_id a = open_hdf5_attribute(x, name);
  const hdf5_id space(one.checked(H5Aget_space(a), "hdf5::attribute", what), H5Sclose);
  if (H5Sget_simple_extent_npoints(space) != 1)
    throw io_error("hdf5::attribute: " + what + " has several values, or none");
  one.checked(H5Aread(a, hdf5_type(t), to), "hdf5::attribute", what);
}
inline std::string read_hdf5_text(const hdf5_set& x, const std::string& name) {
  const hdf5_call one;
  const std::string what = "attribute \"" + name + "\" of " + x.name();
  const hdf5_id a = open_hdf5_attribute(x, name);
  const hdf5_id type(one.checked(H5Aget_type(a), "hdf5::attribute", what), H5Tclose);
  const hdf5_id space(one.checked(H5Aget_space(a), "hdf5::attribute", what), H5Sclose);
  if (H5Tget_class(type) != H5T_STRING || H5Sget_simple_extent_npoints(space) != 1)
    throw io_error("hdf5::attribute: " + what + " is no text");
  if (H5Tis_variable_str(type) > 0) {
    char* text = nullptr;
    one.checked(H5Aread(a, type, &text), "hdf5::attribute", what);
    const std::string copy = text == nullptr ? "" : text;
    H5free_memory(text);
    return copy;
  }
  std::string text(H5Tget_size(type), '\0');
  one.checked(H5Aread(a, type, text.data()), "hdf5::attribute", what);
  return text.c_str();
}
inline void write_hdf5_attribute(const hdf5_set& x, const std::string& name, hid_t type, const void* value) {
  const hdf5_call one;
  const std::string what = "attribute \"" + name + "\" of " + x.name();
  const hdf5_id space(one.checked(H5Screate(H5S_SCALAR), "hdf5::attribute", what), H5Sclose);
  const hdf5_id a(
      one.checked(H5Acreate2(x.id(), name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), "hdf5::attribute", what),
      H5Aclose);
  one.checked(H5Awrite(a, type, value), "hdf5::attribute", what);
}

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

// A set that is written: in a file of its own, which gets its name when it is complete, or in one that is there.
class hdf5_output {
 public:
  hdf5_output(const char* call, const std::string& file, const std::string& set, dtype t, std::vector<index> extents,
              const hdf5_layout& how, bool is_new)
      : call_(call), file_(file), path_(set), type_(t), is_new_(is_new) {
    const std::string name = hdf5_name(file, set);
    if (is_new_) temporary_ = make_temporary_file(call, file, descriptor_);
    try {
      const hdf5_call one;
      hdf5_id f(one.checked(is_new_ ? H5Fcreate(temporary_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)
                                    : H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT),
                            call, "\"" + file + "\""),
                H5Fclose);
      hdf5_id s = make_hdf5_set(call, f, name, set, t, extents, how);
      set_ = hdf5_set(static_cast<hdf5_id&&>(f), static_cast<hdf5_id&&>(s), name,
                      static_cast<std::vector<index>&&>(extents));
    } catch (...) {
      give_up();
      throw;
    }
  }
  hdf5_output(const hdf5_output&) = delete;
  hdf5_output& operator=(const hdf5_output&) = delete;
  ~hdf5_output() {
    if (!finished_) give_up();
  }

  const hdf5_set& set() const { return set_; }
  const std::string& file() const { return file_; }
  const std::string& path() const { return path_; }
  bool is_finished() const { return finished_; }
  void expect_unfinished() const {
    if (finished_) throw io_error(std::string(call_) + ": " + set_.name() + " is written already");
  }
  void write(index first, index last, const void* from) { set_.write(type_, first, last, from); }
  void finish() {
    set_.finish(call_);
    if (is_new_) {
      finish_temporary_file(call_, temporary_, file_, descriptor_);
      ::close(descriptor_);
      descriptor_ = -1;
    }
    finished_ = true;
  }

 private:
  void give_up() noexcept {
    set_.close();
    if (descriptor_ < 0) return;
    ::close(descriptor_);
    ::unlink(temporary_.c_str());
    descriptor_ = -1;
  }

  const char* call_;
  std::string file_, path_, temporary_;
  dtype type_;
  bool is_new_, finished_ = false;
  int descriptor_ = -1;
  hdf5_set set_;
};

}  // namespace broadloom::runtime
