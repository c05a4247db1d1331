// What a tree over stored arrays computes from rows [first, last) of its operands.
#pragma once

#include <broadloom/io/streaming.hpp>

namespace broadloom::detail {

// Substitutes what lies in memory for the operands of a tree: rows [first, last) of each, and barriers' values.
template <int Native>
class rows_of_tree {
 public:
  rows_of_tree(const streaming& all, const runtime::available_rows& at) : all_(all), at_(at) {}

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
      if constexpr (is_stored<typename E::source_type>) {
        // its memory begins with the first row that is held
        const auto* const held = all_.find_resident(e.source(), rows_read_by(e));
        const auto row = static_cast<index>(e.source().stored()->row_bytes() / sizeof(T));
        return seen(reinterpret_cast<const T*>(held->memory.data()) + (e.offset() + moved - held->first() * row), shape,
                    layout);
      } else
        return seen(reinterpret_cast<const T*>(all_.find(e.source())->memory.data()) + e.offset() + moved, shape,
                    layout);
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
  const runtime::available_rows& at_;
};

}  // namespace broadloom::detail
