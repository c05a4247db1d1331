// An array whose size is known at run time; on the stack if it is small.
#pragma once

#include <cstddef>
#include <new>

namespace broadloom::runtime {

template <class T, std::size_t Inside>
class small_array {
 public:
  explicit small_array(std::size_t n) : data_(n <= Inside ? reinterpret_cast<T*>(inside_) : new T[n]) {}
  ~small_array() {
    if (data_ != reinterpret_cast<T*>(inside_)) delete[] data_;
  }
  small_array(const small_array&) = delete;
  small_array& operator=(const small_array&) = delete;

  T& operator[](std::ptrdiff_t i) { return data_[i]; }
  const T& operator[](std::ptrdiff_t i) const { return data_[i]; }
  T* data() { return data_; }
  const T* data() const { return data_; }

 private:
  static_assert(__is_trivial(T));
  alignas(T) std::byte inside_[Inside * sizeof(T)];
  T* data_;
};

}  // namespace broadloom::runtime
