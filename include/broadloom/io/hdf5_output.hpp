// A set that is written to an HDF5 file, which gets its name when it is complete.
#pragma once

#include <unistd.h>
#include <string>
#include <vector>

#include <broadloom/io/hdf5_set.hpp>
#include <broadloom/io/new_file.hpp>

namespace broadloom::runtime {

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
