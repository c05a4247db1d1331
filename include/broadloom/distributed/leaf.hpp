// A distributed array as an operand: a leaf with the shape of the whole array and the rows of this rank.
#pragma once

#include <string>

#include <broadloom/distributed/block_map.hpp>
#include <broadloom/expr/deferred.hpp>

namespace broadloom::distributed {

namespace detail {

using namespace broadloom::detail;
using broadloom::detail::indices;
using broadloom::detail::rank_of;

// What a leaf refers to: this rank's rows, with `halo` rows of neighbours before and behind them.
template <class T>
struct rows_here {
  block_map map;
  T* data;        // the first row of this rank
  index row = 1;  // elements of a row
  index halo = 0;
  bool fresh = true;  // whether the halo has what neighbours have now
};

template <class>
inline constexpr bool never = false;

}  // namespace detail

// A leaf of the tree of an expression over distributed arrays. Views of it are leaves too.
template <class T, class Shape, class Layout = row_major>
class leaf : public broadloom::detail::indexing<leaf<T, Shape, Layout>, T, Shape::axes_count> {
 public:
  using expression_tag = void;
  using leaf_tag = void;
  using distributed_tag = void;
  static constexpr bool shows_tree = true;  // a `let` of it is looked into
  using value_type = T;
  using shape_type = Shape;
  using layout_type = Layout;

  leaf(const detail::rows_here<T>& of, index offset, const Shape& s, const Layout& l)
      : of_(&of), offset_(offset), shape_(s), layout_(l) {}

  const Shape& shape() const { return shape_; }
  const Layout& layout() const { return layout_; }
  auto strides() const { return layout_.strides(shape_); }
  const detail::rows_here<T>& rows() const { return *of_; }
  // In elements from the first row of the whole array.
  index offset() const { return offset_; }

  template <class Dummy = T>
  const T* data() const {
    static_assert(
        detail::never<Dummy>,
        "a distributed array is evaluated by bl::distributed::eval(e), bl::distributed::assign(y, e), or y = "
        "e where y is a bl::distributed::tensor; functions that evaluate their operands when they are called, "
        "such as sort, take x.local() or gather(x); a let with a callable in it, a tensor evaluated first "
        "[errors.md#distributed-evaluation]");
    return nullptr;
  }
  template <int R>
  T element(const broadloom::detail::indices<R>&) const {
    static_assert(detail::never<broadloom::detail::indices<R>>,
                  "elements of a distributed array are read of x.local(), its rows on this rank "
                  "[errors.md#distributed-elements]");
    return T{};
  }
  template <class S2, class L2>
  leaf<T, S2, L2> seen_as(index offset, const S2& s, const L2& l) const {
    return {*of_, offset_ + offset, s, l};
  }

 private:
  const detail::rows_here<T>* of_;
  index offset_;
  Shape shape_;
  [[no_unique_address]] Layout layout_;
};

namespace detail {

template <class E>
concept distributed_leaf = broadloom::detail::leaf<E> && requires { typename std::remove_cvref_t<E>::distributed_tag; };

// The name of the axis that is distributed; dyn where a tree has none.
template <class Shape>
constexpr index front_name() {
  if constexpr (Shape::axes_count == 0)
    return dyn;
  else
    return is_named(Shape::static_extents[0]) ? Shape::static_extents[0] : dyn;
}
template <class Shape>
inline constexpr index name_of = front_name<Shape>();
// Whether a shape has the distributed axis, and whether it is first there and nowhere else.
template <class Shape, index Name>
inline constexpr bool has_rows = Name != dyn && has_extent(Shape::static_extents, Name);
template <class Shape, index Name>
inline constexpr bool rows_lead = [] {
  for (int i = 1; i < Shape::axes_count; ++i)
    if (Shape::static_extents[i] == Name) return false;
  return true;
}();

// The shape of one rank's rows: their number is not the size that has the name.
template <class Shape>
constexpr auto unnamed_front() {
  auto r = Shape::static_extents;
  r[0] = dyn;
  return r;
}
template <class Shape>
using local_shape = shape_from<unnamed_front<Shape>()>;

// The same shape with another number of rows.
template <class Shape>
Shape with_rows(const Shape& s, index rows) {
  auto x = s.extents();
  x[0] = rows;
  return Shape::unchecked(x);
}

}  // namespace detail
}  // namespace broadloom::distributed
