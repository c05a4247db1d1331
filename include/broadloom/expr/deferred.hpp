// A leaf whose elements are computed before the loop that reads them: a reduction, a product of matrices or a `let`. It
// is evaluated once per assignment, however often the tree mentions it.
#pragma once

#include <broadloom/core/bits.hpp>
#include <broadloom/expr/map.hpp>
#include <broadloom/expr/scalar.hpp>

namespace broadloom {

namespace detail {
// Marks sources whose number of elements was checked.
struct checked_source {};
}  // namespace detail

// `Source` says what is computed. It is a small copyable class with
//   value_type, shape_type, static constexpr const char* name()
//   constexpr const shape_type& shape() const
//   value_type element(indices<R>) const                     one element, for constant expressions
//   bool same(const Source&) const                           whether both give the same elements
// and, unless detail::bound_source is specialised for it,
//   template <int Native> void evaluate(value_type* to, const runtime::options&) const     all elements, row-major
//   bool reads(const void* low, const void* high) const      whether it may read memory in [low, high); see may_read()
// and perhaps, when indices of the leading axis can be computed by themselves, at best row_hint() of them at a time (0:
// any),
//   template <int Native> void evaluate_rows(index first, index last, value_type* to, const runtime::options&) const
//   index row_hint() const                                   (below 0: these operands cannot)
// and, where element() costs no more than one element of each leaf, for operator(),
//   static constexpr bool single_elements
// The geometry is that of a view of the row-major result.
template <class Source, class Shape = typename Source::shape_type, class Layout = row_major>
class deferred
    : public detail::indexing<deferred<Source, Shape, Layout>, typename Source::value_type, Shape::axes_count> {
 public:
  using expression_tag = void;
  using leaf_tag = void;
  using deferred_tag = void;
  using source_type = Source;
  using value_type = typename Source::value_type;
  using shape_type = Shape;
  using layout_type = Layout;

  // Throws shape_error if the number of elements of the result does not fit an index.
  constexpr explicit deferred(const Source& s) : source_(s), offset_(0), shape_(s.shape()), layout_() {
    detail::check_count(Source::name(), shape_);
  }
  // The source is made of `arguments`.
  template <class... A>
  constexpr deferred(detail::checked_source, A&&... arguments)
      : source_(static_cast<A&&>(arguments)...), offset_(0), shape_(source_.shape()), layout_() {}
  constexpr deferred(const Source& source, index offset, const Shape& s, const Layout& l)
      : source_(source), offset_(offset), shape_(s), layout_(l) {}

  // One member after the other: compilers copy a larger object in pieces of 16 bytes, which wait for the two stores of
  // 8 that each was written by.
  constexpr deferred(const deferred& o) noexcept(std::is_nothrow_copy_constructible_v<Source>)
      : source_(o.source_), offset_(o.offset_), shape_(o.shape_), layout_(o.layout_) {}
  constexpr deferred(deferred&& o) noexcept(std::is_nothrow_move_constructible_v<Source>)
      : source_(static_cast<Source&&>(o.source_)), offset_(o.offset_), shape_(o.shape_), layout_(o.layout_) {}
  constexpr deferred& operator=(const deferred&) = default;

  constexpr const Source& source() const { return source_; }
  // The offset of this view in the source's result, in elements.
  constexpr index offset() const { return offset_; }
  constexpr const Shape& shape() const { return shape_; }
  constexpr const Layout& layout() const { return layout_; }
  constexpr auto strides() const { return layout_.strides(shape_); }

  template <int R>
  constexpr value_type element(const detail::indices<R>& at) const {
    index flat = offset_ + detail::offset_of(shape_.extents(), strides(), at);
    constexpr int rank = Source::shape_type::axes_count;
    detail::indices<rank> own{};
    for (int i = rank - 1; i >= 0; --i) {
      own[i] = flat % source_.shape()[i];
      flat /= source_.shape()[i];
    }
    return source_.element(own);
  }
  template <class S2, class L2>
  constexpr deferred<Source, S2, L2> seen_as(index offset, const S2& s, const L2& l) const {
    return {source_, offset_ + offset, s, l};
  }

 private:
  Source source_;
  index offset_;
  [[no_unique_address]] Shape shape_;
  [[no_unique_address]] Layout layout_;
};

namespace detail {

template <class T>
concept deferred_leaf = leaf<T> && requires { typename std::remove_cvref_t<T>::deferred_tag; };

// A source declares by `single_elements` that one of its elements costs no more than one of each of its leaves.
template <deferred_leaf E>
inline constexpr bool has_single_elements<E> = [] {
  if constexpr (requires { E::source_type::single_elements; })
    return E::source_type::single_elements;
  else
    return false;
}();

// How many leaves of a tree are deferred.
template <class E>
inline constexpr int deferred_count = deferred_leaf<E>;
template <class F, class Shape, class... Args>
inline constexpr int deferred_count<map<F, Shape, Args...>> = (0 + ... + deferred_count<Args>);

// Whether a tree has own elements (enable_element) in it, or a source in it that reads such: it is evaluated by plain
// loops of their operators.
template <class E>
inline constexpr bool reads_own = own_element<value_of<E>>;
template <deferred_leaf E>
inline constexpr bool reads_own<E> =
    own_element<value_of<E>> || requires { typename E::source_type::own_elements_tag; };
template <class F, class Shape, class... Args>
inline constexpr bool reads_own<map<F, Shape, Args...>> =
    own_element<value_of<map<F, Shape, Args...>>> || (reads_own<Args> || ...);

// Whether evaluating a tree may read memory in [low, high).
template <class T>
bool may_read(const scalar<T>&, const void*, const void*) {
  return false;
}
// The memory that the elements of a leaf lie in; empty where there are none.
struct memory_range {
  const void* low;
  const void* high;
};
template <leaf E>
memory_range memory_of(const E& e) {
  index first = 0, last = 0;
  const auto strides = e.strides();
  for (int i = 0; i < rank_of<E>; ++i) {
    const index span = (e.shape()[i] - 1) * strides[i];
    if (e.shape()[i] == 0) return {nullptr, nullptr};
    (span < 0 ? first : last) += span;
  }
  const auto* const data = e.data();
  return {data + first, data + last + 1};
}
template <leaf E>
bool may_read(const E& e, const void* low, const void* high) {
  if constexpr (deferred_leaf<E>)
    return e.source().reads(low, high);
  else {
    const memory_range own = memory_of(e);
    return own.low < high && low < own.high;
  }
}
template <class F, class Shape, class... Args>
bool may_read(const map<F, Shape, Args...>& e, const void* low, const void* high) {
  return [&]<int... At>(sequence<At...>) {
    return (may_read(e.template arg<At>(), low, high) || ...);
  }(make_sequence<sizeof...(Args)>{});
}

// Whether two trees of one type have the same leaves, so that their elements are equal.
template <class T>
constexpr bool same_tree(const scalar<T>& a, const scalar<T>& b) {
  if constexpr (requires { detail::same_bits(a.value(), b.value()); })
    return detail::same_bits(a.value(), b.value());
  else
    return std::is_empty_v<T> || &a == &b;
}
template <leaf E>
constexpr bool same_tree(const E& a, const E& b) {
  if (a.shape() != b.shape()) return false;
  if (a.strides() != b.strides()) return false;
  if constexpr (deferred_leaf<E>)
    return a.offset() == b.offset() && a.source().same(b.source());
  else
    return a.data() == b.data();
}
template <class F, class Shape, class... Args>
constexpr bool same_tree(const map<F, Shape, Args...>& a, const map<F, Shape, Args...>& b) {
  if constexpr (!std::is_empty_v<F>)
    return &a == &b;
  else
    return [&]<int... At>(sequence<At...>) {
      return (same_tree(a.template arg<At>(), b.template arg<At>()) && ...);
    }(make_sequence<sizeof...(Args)>{});
}

}  // namespace detail
}  // namespace broadloom
