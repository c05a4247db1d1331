// Evaluation of expressions over stored arrays in passes: what a tree computes from rows [first, last) of its operands,
// and the barriers (sums along the leading axis and the like) that need all rows before anything that reads them.
#pragma once

#include <cstring>

#include <broadloom/eval/let.hpp>
#include <broadloom/io/block_pass.hpp>
#include <broadloom/reduce/sums.hpp>

namespace broadloom::detail {

// Rows [first, last) of an expression of that rank whose leading axis has that extent; they are those of the pass,
// moved by `shift`.
struct row_range {
  int rank;
  index extent, first, last, shift = 0;
};
template <class E>
row_range rows_of(const E& e, index first, index last, index shift = 0) {
  if constexpr (rank_of<E> == 0)
    return {0, 0, 0, 0, 0};
  else
    return {rank_of<E>, e.shape()[0], first, last, shift};
}

// A shape whose leading axis holds some of the rows.
template <class Shape>
constexpr auto extents_of_rows() {
  auto x = Shape::static_extents;
  if (Shape::axes_count > 0 && x[0] >= 0 && x[0] != 1) x[0] = dyn;
  return x;
}
template <class Shape>
using rows_shape = shape_from<extents_of_rows<Shape>()>;
template <class Shape>
rows_shape<Shape> shape_of_rows(const Shape& s, bool some, const row_range& r) {
  auto x = s.extents();
  if (some) x[0] = r.last - r.first;
  return rows_shape<Shape>::unchecked(x);
}

// Whether the leading axis of an operand is that of the expression it stands in, and not broadcast along it.
template <class E>
bool follows_rows(const E& e, const row_range& r) {
  return rank_of<E> > 0 && rank_of<E> == r.rank && e.shape()[0] == r.extent;
}

// Whether row i of a source is computed from rows i of its operands.
template <class Source>
inline constexpr bool may_go_by_rows = is_stored<Source>;
template <class E>
inline constexpr bool may_go_by_rows<computed<E>> = true;
template <class Op, class E, class S>
inline constexpr bool may_go_by_rows<reduced<Op, E, S>> = true;
template <class Source>
bool goes_by_rows(const Source& s) {
  if constexpr (requires { s.bits(); })
    return (s.bits() & 1) == 0;
  else
    return may_go_by_rows<Source>;
}

// Where a view of a source lies in it: whether row i of the view is part of row i + row of the source, from there on.
struct rows_placement {
  bool by_rows = false;
  index row = 0, rest = 0;
};
template <class E>
rows_placement placement_of(const E& e, const row_range& r) {
  using source = typename E::source_type;
  constexpr int own = source::shape_type::axes_count;
  if constexpr (!may_go_by_rows<source> || own == 0 || rank_of<E> == 0)
    return {};
  else {
    if (!follows_rows(e, r) || !goes_by_rows(e.source())) return {};
    index row = 1;
    for (int i = 1; i < own; ++i) row *= e.source().shape()[i];
    const auto strides = e.strides();
    if (row == 0 || strides[0] != row) return {};
    const index rest = e.offset() % row;
    index low = rest, high = rest;
    for (int i = 1; i < rank_of<E>; ++i) {
      if (e.shape()[i] == 0) return {};
      const index span = (e.shape()[i] - 1) * strides[i];
      (span < 0 ? low : high) += span;
    }
    if (low < 0 || high >= row) return {};
    return {true, e.offset() / row, rest};
  }
}

// Whether a tree reads stored arrays row by row. A barrier of one that does not is computed once, whole.
template <class T>
bool reads_stored_rows(const scalar<T>&, const row_range&) {
  return false;
}
template <class F, class Shape, class... Args>
bool reads_stored_rows(const map<F, Shape, Args...>& e, const row_range& r);
template <leaf E>
bool reads_stored_rows(const E& e, const row_range& r) {
  if constexpr (deferred_leaf<E>) {
    using source = typename E::source_type;
    if constexpr (may_go_by_rows<source>) {
      if (!placement_of(e, r).by_rows) return false;
      if constexpr (is_stored<source>)
        return true;
      else
        return reads_stored_rows(e.source().tree(), rows_of(e.source().tree(), 0, 0));
    }
  }
  return false;
}
template <class F, class Shape, class... Args>
bool reads_stored_rows(const map<F, Shape, Args...>& e, const row_range& r) {
  return unpack(e.args(), [&](const Args&... a) { return (reads_stored_rows(a, r) || ...); });
}

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
template <class Source>
class rows_value_of : public runtime::rows_value {
 public:
  rows_value_of(const Source& s, index shift, std::size_t row_bytes)
      : rows_value(&key_kind<Source>, shift, row_bytes), source(s) {}
  Source source;
};

// An evaluation: its barriers, each once, and the tasks in the order in which they are done.
class streaming {
 public:
  streaming(std::size_t budget, const runtime::options& options) : how(options), budget_(budget) {}

  // The passes that an expression needs before its own, and what it reads of the rows of its own: noted in `task`.
  template <int Native, class T>
  void declare(const scalar<T>&, const row_range&, runtime::pass_task&) {}
  template <int Native, leaf E>
  void declare(const E& e, const row_range& r, runtime::pass_task& task);
  template <int Native, class F, class Shape, class... Args>
  void declare(const map<F, Shape, Args...>& e, const row_range& r, runtime::pass_task& task) {
    unpack(e.args(), [&](const Args&... a) { (declare<Native>(a, r, task), ...); });
  }
  // Adds a task behind those it needs.
  void add(std::unique_ptr<runtime::pass_task> t, index rows) {
    if (t->is_streamed()) {
      ++t->level;
      t->extent = rows;
    }
    tasks_.push_back(static_cast<std::unique_ptr<runtime::pass_task>&&>(t));
  }

  // The value of a source, if it is known that it is needed.
  template <class Source>
  const whole_value* find(const Source& s) const {
    using key = typename key_of<Source>::type;
    for (const whole_value* v : wholes_)
      if (v->kind == &key_kind<key> && static_cast<const keyed_value<key>*>(v)->key.is(s)) return v;
    return nullptr;
  }
  template <class Source>
  rows_value_of<Source>* find_rows(const Source& s, index shift) const {
    for (const auto& v : rows_)
      if (v->kind() == &key_kind<Source> && v->shift() == shift)
        if (auto* own = static_cast<rows_value_of<Source>*>(v.get()); own->source.same(s)) return own;
    return nullptr;
  }

  // The passes, in order. Throws io_error when the budget is too small.
  std::vector<runtime::block_plan> plan() const {
    std::vector<runtime::block_plan> all;
    each_group([&](const std::vector<runtime::pass_task*>& tasks) {
      all.push_back(runtime::plan_blocks(tasks, held_bytes(), budget_));
    });
    return all;
  }
  std::size_t held_bytes() const {
    std::size_t n = 0;
    for (const auto& t : tasks_) n += t->held_bytes;
    return n;
  }
  std::size_t budget() const { return budget_; }
  // Bytes that are read whole, before all passes.
  std::size_t resident_bytes() const { return resident_; }

  // told(pass, done blocks, all blocks)
  template <class Told>
  void run(const Told& told) {
    int number = 0;
    each_group([&](const std::vector<runtime::pass_task*>& tasks) {
      const runtime::block_plan p = runtime::plan_blocks(tasks, held_bytes(), budget_);
      if (!tasks[0]->is_streamed()) {
        for (runtime::pass_task* t : tasks) t->finish();
        return;
      }
      ++number;
      runtime::block_pass(p).run([&](index done) { told(number, done, p.blocks()); });
    });
  }

  const runtime::options how;

 private:
  template <int Native, class Source>
  int whole(const Source& s);

  // Tasks of one pass together; those that read nothing of files one by one, in between.
  template <class F>
  void each_group(const F& f) const {
    int levels = 0;
    for (const auto& t : tasks_) levels = std::max(levels, t->level);
    for (int level = 0; level <= levels; ++level) {
      std::vector<const runtime::pass_task*> gone;
      for (const auto& t : tasks_) {
        if (t->level != level || !t->is_streamed() || std::find(gone.begin(), gone.end(), t.get()) != gone.end())
          continue;
        std::vector<runtime::pass_task*> together;
        for (const auto& o : tasks_)
          if (o->level == level && o->is_streamed() && o->extent == t->extent) {
            together.push_back(o.get());
            gone.push_back(o.get());
          }
        f(together);
      }
      for (const auto& t : tasks_)
        if (t->level == level && !t->is_streamed()) f({t.get()});
    }
  }

  std::vector<std::unique_ptr<runtime::pass_task>> tasks_;
  std::vector<whole_value*> wholes_;
  std::vector<std::unique_ptr<runtime::rows_value>> rows_;
  std::size_t budget_, resident_ = 0;
};

// Substitutes what lies in memory for the operands of a tree: rows [first, last) of each, and barriers' values.
template <int Native>
class rows_of_tree {
 public:
  rows_of_tree(const streaming& all, const runtime::rows_at_hand& at) : all_(all), at_(at) {}

  template <class T>
  const scalar<T>& operator()(const scalar<T>& e, const row_range&) const {
    return e;
  }
  template <leaf E>
  auto operator()(const E& e, const row_range& r) const {
    using T = typename E::value_type;
    constexpr int rank = rank_of<E>;
    using seen = view<const T, rows_shape<typename E::shape_type>, dyn_strides<rank>>;
    const auto strides = e.strides();
    dyn_strides<rank> layout;
    for (int i = 0; i < rank; ++i) layout.s[i] = strides[i];
    const bool some = follows_rows(e, r);
    const auto shape = shape_of_rows(e.shape(), some, r);
    index moved = 0;
    if constexpr (rank > 0) moved = some ? strides[0] * r.first : 0;
    if constexpr (deferred_leaf<E>) {
      if (const rows_placement p = placement_of(e, r); p.by_rows && reads_stored_rows(e, r))
        return seen(source_rows(e.source(), r.first + p.row, r.last + p.row, r.shift + p.row) + p.rest, shape, layout);
      return seen(reinterpret_cast<const T*>(all_.find(e.source())->memory.data()) + e.offset() + moved, shape, layout);
    } else
      return seen(e.data() + moved, shape, layout);
  }
  template <class F, class Shape, class... Args>
  auto operator()(const map<F, Shape, Args...>& e, const row_range& r) const {
    const auto shape = shape_of_rows(e.shape(), follows_rows(e, r), r);
    return unpack(e.args(), [&](const Args&... a) {
      return map<F, rows_shape<Shape>, std::remove_cvref_t<decltype((*this)(a, r))>...>(e.function(), shape,
                                                                                        (*this)(a, r)...);
    });
  }

  // Rows of a source that can be computed row by row, to contiguous memory.
  template <class Source>
  void compute(const Source& s, index first, index last, index shift, typename Source::value_type* to) const {
    using shape = typename Source::shape_type;
    const auto extents = shape_of_rows(s.shape(), true, {shape::axes_count, 0, first, last});
    const view<typename Source::value_type, rows_shape<shape>, row_major> out(to, extents, {});
    assign_node<Native>(out, with_tree(s, extents, rows_of(s.tree(), first, last, shift)), all_.how);
  }
  // All of it, from these rows of its tree.
  template <class Source>
  void compute_all(const Source& s, index first, index last, typename Source::value_type* to) const {
    using shape = typename Source::shape_type;
    const view<typename Source::value_type, shape, row_major> out(to, s.shape(), {});
    assign_node<Native>(out, with_tree(s, s.shape(), rows_of(s.tree(), first, last)), all_.how);
  }

 private:
  // The same source of these rows of its tree.
  template <class E, class S>
  auto with_tree(const computed<E>& s, const S&, const row_range& r) const {
    return (*this)(s.tree(), r);
  }
  template <class Op, class E, class Own, class S>
  auto with_tree(const reduced<Op, E, Own>& s, const S& shape, const row_range& r) const {
    auto tree = (*this)(s.tree(), r);
    using node = reduced<Op, decltype(tree), S>;
    return deferred<node>(node(tree, shape, s.bits(), s.how()));
  }
  template <class Source>
  const typename Source::value_type* source_rows(const Source& s, index first, index last, index shift) const {
    using T = typename Source::value_type;
    if constexpr (is_stored<Source>)
      return reinterpret_cast<const T*>(at_.row(s.stored(), first));
    else if constexpr (!may_go_by_rows<Source>)
      return nullptr;
    else {
      runtime::rows_value* const v = all_.find_rows(s, shift);
      T* const to = reinterpret_cast<T*>(v->data());
      if (!v->holds(first, last)) {
        compute(s, first, last, shift, to);
        v->set_rows(first, last);
      }
      return to;
    }
  }

  const streaming& all_;
  const runtime::rows_at_hand& at_;
};

}  // namespace broadloom::detail
