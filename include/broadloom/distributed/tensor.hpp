// An array whose rows lie on the ranks of an MPI program, a contiguous block on each.
#pragma once

#include <array>
#include <memory>

#include <broadloom/distributed/leaf.hpp>
#include <broadloom/tensor/tensor.hpp>

namespace broadloom::distributed {

// Rows that a tensor has of its neighbours, before its own and behind them: distributed/halo.hpp.
struct halo {
  index rows = 0;
};

// tensor<float, shape<size<"batch">, dyn>>: the first axis is distributed and has a name, which no other axis of an
// expression has, so that the compiler sees where it goes. It is an operand of any expression of pointwise functions,
// views of other axes and reductions; distributed/eval.hpp evaluates these. It can be moved, not copied: y = x + 0
// copies.
template <class T, class Shape>
class tensor {
  static_assert(Shape::axes_count > 0 && detail::is_named(Shape::static_extents[0]),
                "the first axis of a distributed array has a name: shape<bl::size<\"batch\">, ...> "
                "[errors.md#distributed-axis-name]");

 public:
  using value_type = T;
  using shape_type = Shape;
  static constexpr int axes_count = Shape::axes_count;
  using local_shape = detail::local_shape<Shape>;

  tensor() = default;
  // Zeros: one number for each extent behind the first that only the run knows. All ranks call it with the same. Throws
  // error together where memory is missing on one.
  template <detail::integer... N>
    requires(sizeof...(N) == Shape::dyn_count - 1)
  explicit tensor(const block_map& m, N... n) : tensor(m, Shape(m.rows(), static_cast<index>(n)...), halo{}) {}
  template <detail::integer... N>
    requires(sizeof...(N) == Shape::dyn_count - 1)
  tensor(const block_map& m, halo h, N... n) : tensor(m, Shape(m.rows(), static_cast<index>(n)...), h) {}
  tensor(const block_map& m, const Shape& s, halo h = {}) : shape_(s) {
    if (s[0] != m.rows())
      throw error("distributed::tensor: a shape of " + std::to_string(s[0]) + " rows for " + to_string(m));
    if (h.rows < 0) throw error("distributed::tensor: a halo of " + std::to_string(h.rows) + " rows");
    m.comm().together([&] {
      auto extents = s.extents();
      index row = 1;
      for (int i = 1; i < axes_count; ++i) row *= extents[i];
      extents[0] = m.count() + 2 * h.rows;
      elements_ = broadloom::tensor<T, dshape<axes_count>>(dshape<axes_count>::unchecked(extents));
      rows_ = std::make_unique<detail::rows_here<T>>(
          detail::rows_here<T>{m, elements_.data() + h.rows * row, row, h.rows, h.rows == 0});
    });
  }
  tensor(tensor&&) noexcept = default;
  tensor& operator=(tensor&&) noexcept = default;

  // From an expression, and replaced by one, shape and map included. Defined in distributed/eval.hpp.
  template <array X>
    requires(!__is_same(std::remove_cvref_t<X>, tensor))
  tensor(const X& x);
  template <array X>
    requires(!__is_same(std::remove_cvref_t<X>, tensor))
  tensor& operator=(const X& x);

  bool has_shape() const { return rows_ != nullptr; }
  // Of the whole array.
  const Shape& shape() const { return shape_; }
  const block_map& map() const { return rows_->map; }
  // This rank's rows, [map().first(), map().last()) of the whole; what is written there is written here alone. The
  // first axis has no name, as it has not the size of that name.
  view<T, local_shape, row_major> local() {
    rows_->fresh = rows_->halo == 0;
    return {rows_->data, local_shape::unchecked(rows_shape().extents()), {}};
  }
  view<const T, local_shape, row_major> local() const {
    return {rows_->data, local_shape::unchecked(rows_shape().extents()), {}};
  }
  // The same with the name, to be evaluated into.
  view<T, Shape, row_major> rows_to_write() {
    rows_->fresh = rows_->halo == 0;
    return {rows_->data, rows_shape(), {}};
  }
  index halo_rows() const { return rows_->halo; }

  auto as_leaf() const { return leaf<T, Shape>(*rows_, 0, shape_, row_major{}); }
  // The whole array, `by` rows on: row i is row i + by, of the halo where another rank has it (distributed/halo.hpp).
  auto shift(index by) const { return leaf<T, Shape>(*rows_, by * rows_->row, shape_, row_major{}); }

  // x(all, range(1, 3)): slices of other axes than the first.
  template <class... Index>
    requires(!detail::all_numbers<Index...>)
  auto operator()(Index&&... i) const {
    return as_leaf()(static_cast<Index&&>(i)...);
  }

  detail::rows_here<T>& rows() { return *rows_; }
  const detail::rows_here<T>& rows() const { return *rows_; }

 private:
  Shape rows_shape() const { return detail::with_rows(shape_, map().count()); }

  Shape shape_ = Shape::unchecked(broadloom::detail::indices<axes_count>{});
  broadloom::tensor<T, dshape<axes_count>> elements_;
  std::unique_ptr<detail::rows_here<T>> rows_;
};

// dtensor<float, 2>: the first axis is called rows, and all extents are known at run time.
namespace detail {
template <int Rank>
constexpr auto rows_and_dyn() {
  auto r = all_dyn<Rank>();
  r[0] = size<"rows">;
  return r;
}
}  // namespace detail
template <class T, int Rank>
using dtensor = tensor<T, broadloom::detail::shape_from<detail::rows_and_dyn<Rank>()>>;

}  // namespace broadloom::distributed

namespace broadloom {

template <class T, class Shape>
struct array_traits<distributed::tensor<T, Shape>> {
  static auto leaf(const distributed::tensor<T, Shape>& t) { return t.as_leaf(); }
  static auto leaf(distributed::tensor<T, Shape>&&) = delete;  // an expression refers to it: give it a name
};

}  // namespace broadloom
