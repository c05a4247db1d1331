// Work memory of Eigen's kernels of one instruction-set level: from the blocks that are kept for reuse, where Eigen's
// own would take pages from the system at each call. Defined for each level, as they share no code.
#pragma once

#include <cstddef>

#include <broadloom/core/storage.hpp>

#include "eigen.hpp"

namespace broadloom::runtime::BROADLOOM_LEVEL {

template <class T>
class kept_memory {
 public:
  explicit kept_memory(index n)
      : bytes_(static_cast<std::size_t>(n) * sizeof(T)), data_(static_cast<T*>(allocate(bytes_))) {}
  ~kept_memory() { deallocate(data_, bytes_); }
  kept_memory(const kept_memory&) = delete;
  kept_memory& operator=(const kept_memory&) = delete;
  T* data() const { return data_; }

 private:
  std::size_t bytes_;
  T* data_;
};

// The sizes of the blocks of a product by columns, and their memory.
template <class T>
class product_space : public Eigen::internal::gemm_blocking_space<Eigen::ColMajor, T, T, Eigen::Dynamic, Eigen::Dynamic,
                                                                  Eigen::Dynamic> {
  using base =
      Eigen::internal::gemm_blocking_space<Eigen::ColMajor, T, T, Eigen::Dynamic, Eigen::Dynamic, Eigen::Dynamic>;

 public:
  product_space(index rows, index cols, index depth)
      : base(rows, cols, depth, 1, true), memory_(left_size() + this->kc() * this->nc()) {
    this->m_blockA = memory_.data();
    this->m_blockB = memory_.data() + left_size();
  }
  ~product_space() { this->m_blockA = this->m_blockB = nullptr; }  // the base class would free them
  product_space(const product_space&) = delete;
  product_space& operator=(const product_space&) = delete;

 private:
  // The right block is aligned, too.
  index left_size() const { return (this->mc() * this->kc() + 63) / 64 * 64; }
  kept_memory<T> memory_;
};

}  // namespace broadloom::runtime::BROADLOOM_LEVEL
