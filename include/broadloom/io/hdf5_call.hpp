// Calls of the HDF5 library: one at a time, with exceptions for its errors, and identifiers that close themselves.
#pragma once

#include <hdf5.h>
#include <mutex>
#include <string>
#include <utility>

#include <broadloom/core/error.hpp>

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

}  // namespace broadloom::runtime
