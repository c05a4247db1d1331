// Outputs of a pass over stored arrays: a file, or an array in memory.
#pragma once

#include <broadloom/io/rows_of_tree.hpp>

namespace broadloom::detail {

// e, written row by row.
template <class T, int Rank, class E, int Native>
class written_rows final : public runtime::pass_task {
 public:
  written_rows(const streaming& all, const dshape<Rank>& s, runtime::row_writer& to, const E& e)
      : all_(all), shape_(s), e_(e) {
    writer = &to;
    name = to_name;
  }
  void rows(const runtime::available_rows& at, index first, index last, void* to) override {
    const row_range r{Rank, Rank == 0 ? 1 : shape_[0], first, last};
    const view<T, dshape<Rank>, row_major> out(static_cast<T*>(to), shape_of_rows(shape_, Rank > 0, r), {});
    assign_node<Native>(out, rows_of_tree<Native>(all_, at)(e_, r), all_.how);
  }
  static constexpr const char* to_name = "output";

 private:
  const streaming& all_;
  dshape<Rank> shape_;
  const E& e_;
};

// e, to an array in memory.
template <class Out, class E, int Native>
class assigned_rows final : public runtime::pass_task {
 public:
  assigned_rows(const streaming& all, const Out& out, const E& e) : all_(all), out_(out), e_(e) { name = "result"; }
  void rows(const runtime::available_rows& at, index first, index last, void*) override {
    assign_rows(at, first, last);
  }
  void finish() override {
    if (this->is_streamed()) return;
    const runtime::available_rows none;
    assign_rows(none, 0, row_count());
  }
  index row_count() const {
    if constexpr (rank_of<Out> == 0)
      return 1;
    else
      return out_.shape()[0];
  }

 private:
  void assign_rows(const runtime::available_rows& at, index first, index last) {
    constexpr int rank = rank_of<Out>;
    using V = typename Out::element_type;
    const row_range r{rank, row_count(), first, last};
    const auto strides = out_.strides();
    dyn_strides<rank> layout;
    for (int i = 0; i < rank; ++i) layout.s[i] = strides[i];
    index moved = 0;
    if constexpr (rank > 0) moved = strides[0] * first;
    const view<V, rows_shape<typename Out::shape_type>, dyn_strides<rank>> out(
        out_.data() + moved, shape_of_rows(out_.shape(), rank > 0, r), layout);
    assign_node<Native>(out, rows_of_tree<Native>(all_, at)(e_, r), all_.how);
  }

  const streaming& all_;
  Out out_;
  const E& e_;
};

}  // namespace broadloom::detail
