// Arrays that lie in files and are read some rows at a time: an operand like any other, whose elements are fetched when
// an evaluation needs them. A row is all that has one index of the leading axis.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <broadloom/core/error.hpp>
#include <broadloom/tensor/eval.hpp>

namespace broadloom {

namespace runtime {

// An array in a file, shared by the operands that refer to it. Of rank 0, it has one row.
class stored_rows {
 public:
  stored_rows(index rows, std::size_t row_bytes, index chunk_rows, std::string name)
      : rows_(rows), row_bytes_(row_bytes), chunk_rows_(chunk_rows), name_(static_cast<std::string&&>(name)) {}
  stored_rows(const stored_rows&) = delete;
  stored_rows& operator=(const stored_rows&) = delete;
  virtual ~stored_rows() = default;

  // Rows [first, last) to contiguous memory. From any thread. Throws io_error.
  virtual void read(index first, index last, void* to) = 0;

  index rows() const { return rows_; }
  std::size_t row_bytes() const { return row_bytes_; }
  std::size_t bytes() const { return static_cast<std::size_t>(rows_) * row_bytes_; }
  // The file stores so many rows together: read from a multiple of them on, each is read once.
  index chunk_rows() const { return chunk_rows_; }
  // As texts call it: "/x" of "data.h5".
  const std::string& name() const { return name_; }

  void hold() noexcept { owners_.fetch_add(1, std::memory_order_relaxed); }
  void leave() noexcept {
    if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

 private:
  std::atomic<int> owners_{1};
  index rows_;
  std::size_t row_bytes_;
  index chunk_rows_;
  std::string name_;
};

// Which stored arrays a tree reads. Every source is asked whether it reads memory between two addresses; stored arrays
// answer to this address by adding themselves.
class stored_list {
 public:
  stored_list() : before_(here()) { here() = this; }
  stored_list(const stored_list&) = delete;
  stored_list& operator=(const stored_list&) = delete;
  ~stored_list() { here() = before_; }

  const char* address() const { return &mark_; }
  const std::vector<stored_rows*>& all() const { return all_; }

  static void asked(stored_rows* s, const void* low) {
    stored_list* const list = here();
    if (list == nullptr || low != &list->mark_) return;
    for (stored_rows* known : list->all_)
      if (known == s) return;
    list->all_.push_back(s);
  }

 private:
  static stored_list*& here() {
    static thread_local stored_list* innermost = nullptr;
    return innermost;
  }
  stored_list* before_;
  std::vector<stored_rows*> all_;
  char mark_ = 0;
};

// While this lives, what its thread evaluates may hold so many bytes of stored arrays whole: functions that evaluate
// their operands first, such as products of matrices, do not say beforehand what they read.
class whole_reads {
 public:
  whole_reads(std::string what, std::size_t left, std::size_t budget)
      : what_(static_cast<std::string&&>(what)), left_(left), budget_(budget), before_(here()) {
    here() = this;
  }
  whole_reads(const whole_reads&) = delete;
  whole_reads& operator=(const whole_reads&) = delete;
  ~whole_reads() { here() = before_; }

  // Throws io_error when `s` does not fit.
  static void asked(const stored_rows& s) {
    whole_reads* const x = here();
    if (x == nullptr) return;
    if (s.bytes() > x->left_)
      throw io_error(x->what_ + " needs all of " + s.name() + " in memory: " + std::to_string(s.bytes()) +
                     " bytes, and the memory budget is " + std::to_string(x->budget_));
    x->left_ -= s.bytes();
  }

 private:
  static whole_reads*& here() {
    static thread_local whole_reads* innermost = nullptr;
    return innermost;
  }
  std::string what_;
  std::size_t left_, budget_;
  whole_reads* before_;
};

}  // namespace runtime

namespace detail {

template <int Rank>
class stored_array : public runtime::stored_rows {
 public:
  stored_array(const dshape<Rank>& s, std::size_t element_bytes, index chunk_rows, std::string name)
      : runtime::stored_rows(Rank == 0 ? 1 : s[0], bytes_of_row(s, element_bytes), chunk_rows,
                             static_cast<std::string&&>(name)),
        shape_(s) {}
  const dshape<Rank>& shape() const { return shape_; }

 private:
  static std::size_t bytes_of_row(const dshape<Rank>& s, std::size_t element_bytes) {
    for (int i = 1; i < Rank; ++i) element_bytes *= static_cast<std::size_t>(s[i]);
    return element_bytes;
  }
  dshape<Rank> shape_;
};

// The source of a node (expr/deferred.hpp) that is an array in a file. An evaluation that knows nothing of files reads
// it in blocks of rows where its readers need no other rows, else whole.
template <class T, int Rank>
class stored_source {
 public:
  using value_type = T;
  using shape_type = dshape<Rank>;
  static constexpr const char* name() { return "stored"; }
  static constexpr bool shows_tree = true;  // a `let` of it is looked into

  // Takes the reference that `s` was made with.
  explicit stored_source(stored_array<Rank>* s) : stored_(s) {}
  stored_source(const stored_source& o) : stored_(o.stored_) { stored_->hold(); }
  stored_source& operator=(const stored_source& o) {
    stored_source copy(o);
    std::swap(stored_, copy.stored_);
    return *this;
  }
  ~stored_source() { stored_->leave(); }

  stored_array<Rank>* stored() const { return stored_; }
  const shape_type& shape() const { return stored_->shape(); }
  bool same(const stored_source& o) const { return stored_ == o.stored_; }
  bool reads(const void* low, const void*) const {
    runtime::stored_list::asked(stored_, low);
    return false;
  }
  template <int R>
  T element(const indices<R>& at) const {
    indices<Rank> within = at;
    if (Rank > 0) within[0] = 0;
    const auto rows = dtensor<T, 1>::uninitialised(dshape<1>(static_cast<index>(stored_->row_bytes() / sizeof(T))));
    const index row = Rank == 0 ? 0 : at[0];
    stored_->read(row, row + 1, const_cast<T*>(rows.data()));
    return rows.data()[offset_of(shape().extents(), row_major_strides(shape().extents()), within)];
  }
  template <int Native>
  void evaluate(T* to, const runtime::options&) const {
    runtime::whole_reads::asked(*stored_);
    stored_->read(0, stored_->rows(), to);
  }
  template <int Native>
  void evaluate_rows(index first, index last, T* to, const runtime::options&) const {
    stored_->read(first, last, to);
  }
  index row_hint() const { return stored_->chunk_rows(); }

 private:
  stored_array<Rank>* stored_;
};

template <class Source>
inline constexpr bool is_stored = false;
template <class T, int Rank>
inline constexpr bool is_stored<stored_source<T, Rank>> = true;

}  // namespace detail
}  // namespace broadloom
