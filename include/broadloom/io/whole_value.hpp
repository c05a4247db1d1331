// Barriers of an evaluation over stored arrays that are held in memory: whole, or some rows of them.
#pragma once

#include <broadloom/io/block_pass.hpp>
#include <broadloom/io/row_placement.hpp>

namespace broadloom::detail {

// What tells a source from others: reductions that differ only in whether reduced axes are kept are one.
template <class Source>
struct source_key {
  Source source;
  explicit source_key(const Source& s) : source(s) {}
  bool is(const Source& s) const { return source.same(s); }
};
template <class Op, class E>
struct reduction_key {
  E tree;
  unsigned bits;
  runtime::reduction how;
  template <class Source>
  explicit reduction_key(const Source& s) : tree(s.tree()), bits(s.bits()), how(s.how()) {}
  template <class Source>
  bool is(const Source& s) const {
    return bits == s.bits() && how == s.how() && same_tree(tree, s.tree());
  }
};
template <class Source>
struct key_of {
  using type = source_key<Source>;
};
template <class Op, class E, class S>
struct key_of<reduced<Op, E, S>> {
  using type = reduction_key<Op, E>;
};
template <class Key>
inline constexpr char key_kind = 0;

// A source that is computed before the pass that reads it, whole.
class whole_value : public runtime::pass_task {
 public:
  explicit whole_value(const void* k) : kind(k) {}
  const void* kind;  // values of one kind have one type of key
  runtime::pass_memory memory;
};
template <class Key>
class keyed_value : public whole_value {
 public:
  template <class Source>
  explicit keyed_value(const Source& s) : whole_value(&key_kind<Key>), key(s) {}
  Key key;
};
template <class Source>
class whole_value_of : public keyed_value<typename key_of<Source>::type> {
 public:
  using T = typename Source::value_type;
  explicit whole_value_of(const Source& s)
      : keyed_value<typename key_of<Source>::type>(s),
        source(s),
        bytes(static_cast<std::size_t>(s.shape().size()) * sizeof(T)) {
    this->held_bytes = bytes;
  }
  void set_memory() { this->memory = runtime::pass_memory(bytes); }
  T* data() const { return reinterpret_cast<T*>(this->memory.data()); }

  Source source;
  std::size_t bytes;
};
// Rows [first, last) of a stored array, which are read before all passes, because no pass goes along them.
template <class Source>
class resident_value final : public whole_value {
 public:
  resident_value(const Source& s, const row_span& r) : whole_value(&key_kind<resident_value>), source_(s), rows_(r) {
    describe();
  }
  bool is_of(const Source& s) const { return source_.same(s); }
  bool holds(const row_span& r) const { return rows_.first <= r.first && r.last <= rows_.last; }
  bool touches(const row_span& r) const { return r.first <= rows_.last && rows_.first <= r.last; }
  // More rows, beside those it has or among them.
  void extend(const row_span& r) {
    rows_ = {(std::min)(rows_.first, r.first), (std::max)(rows_.last, r.last)};
    describe();
  }
  index first() const { return rows_.first; }
  void rows(const runtime::available_rows&, index, index, void*) override {}
  void finish() override {
    this->memory = runtime::pass_memory(this->held_bytes);
    source_.stored()->read(rows_.first, rows_.last, this->memory.data());
  }

 private:
  void describe() {
    const auto& of = *source_.stored();
    this->held_bytes = static_cast<std::size_t>(rows_.last - rows_.first) * of.row_bytes();
    this->name = of.name() + (rows_.last - rows_.first == of.rows()
                                  ? std::string(" as a whole")
                                  : ", rows [" + std::to_string(rows_.first) + ", " + std::to_string(rows_.last) + ")");
  }
  Source source_;
  row_span rows_;
};
template <class Source>
class rows_value_of : public runtime::rows_value {
 public:
  rows_value_of(const Source& s, index shift, std::size_t row_bytes)
      : rows_value(&key_kind<Source>, shift, row_bytes), source(s) {}
  Source source;
};

}  // namespace broadloom::detail
