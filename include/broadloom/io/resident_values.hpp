// Barriers that no pass computes from strips: what knows nothing of rows, and what is computed row by row and kept.
#pragma once

#include <broadloom/io/rows_of_tree.hpp>

namespace broadloom::detail {

// A source that knows nothing of rows: sorted arrays, products of matrices and all else that is evaluated as it is.
template <class Source, int Native>
class foreign_value final : public whole_value_of<Source> {
 public:
  // `reads`: bytes of stored arrays that it is known to hold while it is computed.
  foreign_value(const streaming& all, const Source& s, std::size_t reads)
      : whole_value_of<Source>(s), all_(all), reads_(reads) {
    this->name = Source::name();
    this->held_bytes += reads;
  }
  void rows(const runtime::available_rows&, index, index, void*) override {}
  void finish() override {
    this->set_memory();
    const std::size_t held = all_.held_bytes() - reads_;
    const runtime::whole_reads limit(this->name, held < all_.budget() ? all_.budget() - held : 0, all_.budget());
    using shape = typename Source::shape_type;
    const view<typename Source::value_type, shape, row_major> out(this->data(), this->source.shape(), {});
    assign_node<Native>(out, deferred<Source>(this->source), all_.how);
  }

 private:
  const streaming& all_;
  std::size_t reads_;
};

// A `let`, or a reduction along other axes than the leading one: each row from a row.
template <class Source, int Native>
class collected_value final : public whole_value_of<Source> {
 public:
  collected_value(const streaming& all, const Source& s) : whole_value_of<Source>(s), all_(all) {
    this->name = Source::name();
  }
  void begin() override { this->set_memory(); }
  void rows(const runtime::available_rows& at, index first, index last, void*) override {
    const std::size_t row = this->bytes / static_cast<std::size_t>(this->source.shape()[0]);
    rows_of_tree<Native>(all_, at).compute(
        this->source, first, last, 0, this->data() + static_cast<std::size_t>(first) * row / sizeof(*this->data()));
  }
  void finish() override {
    if (this->is_streamed()) return;
    this->set_memory();
    const runtime::available_rows none;
    rows_of_tree<Native>(all_, none).compute_all(this->source, 0, rows_of_source(), this->data());
  }

 private:
  index rows_of_source() const {
    if constexpr (rank_of<decltype(this->source.tree())> == 0)
      return 0;
    else
      return this->source.tree().shape()[0];
  }
  const streaming& all_;
};

}  // namespace broadloom::detail
