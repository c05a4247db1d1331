// What a tensor is made of: elements inside it or on the heap, and made of nested braces.
#pragma once

#include <broadloom/core/copy_elements.hpp>
#include <broadloom/core/storage.hpp>
#include <broadloom/core/throw_error.hpp>
#include <broadloom/expr/capture.hpp>
#include <broadloom/expr/owned_arrays.hpp>
#include <broadloom/expr/tensor_ref.hpp>
#include <broadloom/shape/braced.hpp>
#include <broadloom/tensor/braces.hpp>

namespace broadloom::detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_shapeless() { throw_error(error_kind::shapeless, {}); }

// The elements of a dynamic tensor, which allocates and frees them.
template <class E, class Shape>
struct heap_elements : tensor_elements<E, Shape> {
  [[gnu::noinline]] void allocate(const Shape& s) {
    check_count(nullptr, s, sizeof(E));
    const index n = s.size();
    this->data = static_cast<E*>(runtime::allocate(static_cast<std::size_t>(n) * sizeof(E)));
    this->size = n;
    this->shape = s;
  }
  void release() noexcept {
    runtime::deallocate(this->data, static_cast<std::size_t>(this->size) * sizeof(E));
    forget();
  }
  // Memory for a value of another shape: the present one where it has the size, else a new one. Until the value is
  // there, what is here stays. (By value and out of line: the usual case, the same shape, is not to wait.)
  [[gnu::noinline, gnu::cold]] E* room_for(Shape s) const {
    if (this->data != nullptr && this->size == s.size()) return this->data;
    heap_elements fresh;
    fresh.allocate(s);
    return fresh.data;
  }
  [[gnu::noinline, gnu::cold]] void adopt(E* room, Shape s) noexcept {
    if (room != this->data) {
      release();
      this->data = room;
      this->size = s.size();
    }
    this->shape = s;
  }
  [[gnu::noinline, gnu::cold]] void drop(E* room, Shape s) noexcept {
    if (room != this->data) runtime::deallocate(room, static_cast<std::size_t>(s.size()) * sizeof(E));
  }
  // Copies of these elements, for what has none yet.
  void copy_from(const heap_elements& o) {
    if (o.data == nullptr) return;
    allocate(o.shape);
    copy_bytes(o);
  }
  // The same for what has elements: its memory is kept where it has the size.
  void replace_by(const heap_elements& o) {
    if (this->data != nullptr && o.data != nullptr && this->size == o.size) {
      copy_bytes(o);
      this->shape = o.shape;
      return;
    }
    heap_elements copy;
    copy.copy_from(o);
    release();
    take(copy);
  }
  void take(heap_elements& o) noexcept {
    *this = o;
    o.forget();
  }
  // The elements as a leaf that owns them; nothing is left here.
  shared_array<E, Shape, row_major> share() {
    if (this->data == nullptr) throw_shapeless();
    const Shape s = this->shape;
    const E* const d = this->data;
    const shared_handle h(make_shared_block(this->data, static_cast<std::size_t>(this->size) * sizeof(E)));
    forget();
    return {h, d, s, {}};
  }
  // Without elements and without a shape.
  void forget() noexcept { static_cast<tensor_elements<E, Shape>&>(*this) = {}; }

 private:
  void copy_bytes(const heap_elements& o) {
    runtime::copy_elements(static_cast<void*>(this->data), o.data, static_cast<std::size_t>(this->size) * sizeof(E));
  }
};

// The elements of a tensor: zero or shapeless, or made of braces. A class of its own, since the constructors that take
// one parameter for each row are inherited.
template <class E, class Shape>
class element_storage {
 public:
  constexpr element_storage() = default;

 protected:
  static constexpr int axes_count = Shape::axes_count;
  static constexpr bool is_static = Shape::is_static;
  static_assert(!is_static || (checked_size(Shape::static_extents.v, axes_count) >= 0 &&
                               checked_size(Shape::static_extents.v, axes_count) <= __INT_MAX__),
                "a static tensor holds its elements itself, at most 2^31 - 1; with dyn extents they are elsewhere "
                "[errors.md#static-tensor-too-large]");
  static constexpr int count = is_static ? static_cast<int>(checked_size(Shape::static_extents.v, axes_count)) : 0;
  using storage = std::conditional_t<is_static, fixed_array<E, count>, heap_elements<E, Shape>>;

  template <class From = E, class List>
  constexpr void fill_from(const List& list) {
    indices<axes_count> extents{};
    measure<0>(extents, list, true);
    for (int i = 0; i < axes_count; ++i)
      if (!is_dyn(Shape::static_extents[i]) && extents[i] != Shape::static_extents[i])
        throw_brace_count(i, Shape::static_extents[i], extents[i]);
    if constexpr (!is_static) elements_.allocate(Shape::unchecked(extents));
    E* to = first();
    copy_braces<0, axes_count, From>(to, list);
  }
  constexpr E* first() {
    if constexpr (is_static)
      return elements_.v;
    else
      return elements_.data;
  }
  constexpr const E* first() const {
    if constexpr (is_static)
      return elements_.v;
    else
      return elements_.data;
  }

  storage elements_{};
};

// `List` is what the braces of the whole tensor are: one parameter where the number of rows is known at run time only
// or the tensor is a number, else one for each row.
template <class E, class Shape, class List = braces_of<E, Shape>>
class from_braces : public element_storage<E, Shape> {
 public:
  constexpr from_braces() = default;
  constexpr from_braces(List list) {
    if constexpr (Shape::axes_count == 0)
      this->elements_.v[0] = list;
    else
      this->fill_from(list);
  }
  template <array X, int R, class Error = errors_md::write_reshape_of_v_and_extents_or_from>
  from_braces(const X& elements, braced_extents<R> extents) = delete;
};
template <class E, class Shape, class Row>
class from_braces<E, Shape, brace_rows<Row, 0, sequence<>>> : public element_storage<E, Shape> {};
template <class E, class Shape, class Row, int N, int... At>
class from_braces<E, Shape, brace_rows<Row, N, sequence<At...>>> : public element_storage<E, Shape> {
 public:
  constexpr from_braces() = default;
  constexpr from_braces(brace_argument<Row, At>... row) { this->fill_from(brace_rows<Row, N>{row...}); }
  // The same numbers in one more pair of braces.
  template <int M>
    requires(M == N && Shape::axes_count == 1)
  constexpr from_braces(const Row (&list)[M]) : from_braces(list[At]...) {}
};

}  // namespace broadloom::detail
