// Iterators over elements in row-major order, whatever the strides.
#pragma once

// It includes what iterators need.
// The header <iterator> would add a twentieth to the cost of including this library.
#include <string_view>

#include <broadloom/shape/layout.hpp>

namespace broadloom {

// Random access to the elements of a strided array. It holds the geometry, not the view: it stays valid as long as the
// memory.
template <class T, int Rank>
class element_iterator {
 public:
  using iterator_concept = std::random_access_iterator_tag;
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::remove_const_t<T>;
  using difference_type = index;
  using pointer = T*;
  using reference = T&;

  constexpr element_iterator() = default;
  // At the first element, or behind the last one.
  constexpr element_iterator(T* first, const detail::indices<Rank>& extents, const detail::indices<Rank>& strides,
                             index position)
      : first_(first), extents_(extents), strides_(strides) {
    *this += position;
  }
  // Of const elements, from an iterator over the same elements.
  template <class U>
    requires(__is_same(const U, T))
  constexpr element_iterator(const element_iterator<U, Rank>& o)
      : first_(o.first_),
        extents_(o.extents_),
        strides_(o.strides_),
        at_(o.at_),
        offset_(o.offset_),
        position_(o.position_) {}

  constexpr T& operator*() const { return first_[offset_]; }
  constexpr T* operator->() const { return first_ + offset_; }
  constexpr T& operator[](index n) const { return *(*this + n); }

  // The first index is not wrapped: at the end it is the first extent.
  constexpr element_iterator& operator++() {
    ++position_;
    for (int i = Rank - 1; i >= 0; --i) {
      offset_ += strides_[i];
      if (++at_[i] < extents_[i] || i == 0) break;
      offset_ -= extents_[i] * strides_[i];
      at_[i] = 0;
    }
    return *this;
  }
  constexpr element_iterator& operator--() {
    --position_;
    for (int i = Rank - 1; i >= 0; --i) {
      offset_ -= strides_[i];
      if (--at_[i] >= 0 || i == 0) break;
      offset_ += extents_[i] * strides_[i];
      at_[i] = extents_[i] - 1;
    }
    return *this;
  }
  constexpr element_iterator operator++(int) {
    element_iterator before = *this;
    ++*this;
    return before;
  }
  constexpr element_iterator operator--(int) {
    element_iterator before = *this;
    --*this;
    return before;
  }
  constexpr element_iterator& operator+=(index n) {
    position_ += n;
    if (n == 0 || Rank == 0) return *this;
    index rest = position_;
    offset_ = 0;
    for (int i = Rank - 1; i >= 0; --i) {
      at_[i] = i == 0 ? rest : rest % extents_[i];
      if (i > 0) rest /= extents_[i];
      offset_ += at_[i] * strides_[i];
    }
    return *this;
  }
  constexpr element_iterator& operator-=(index n) { return *this += -n; }
  friend constexpr element_iterator operator+(element_iterator a, index n) { return a += n; }
  friend constexpr element_iterator operator+(index n, element_iterator a) { return a += n; }
  friend constexpr element_iterator operator-(element_iterator a, index n) { return a -= n; }
  friend constexpr index operator-(const element_iterator& a, const element_iterator& b) {
    return a.position_ - b.position_;
  }
  friend constexpr bool operator==(const element_iterator& a, const element_iterator& b) {
    return a.position_ == b.position_;
  }
  friend constexpr auto operator<=>(const element_iterator& a, const element_iterator& b) {
    return a.position_ <=> b.position_;
  }

 private:
  template <class, int>
  friend class element_iterator;

  T* first_ = nullptr;
  detail::indices<Rank> extents_{}, strides_{}, at_{};
  index offset_ = 0, position_ = 0;
};

namespace detail {

// Whether a layout's type says that elements are row-major and contiguous.
template <class Layout, class Shape>
inline constexpr bool is_contiguous_layout = [] {
  if constexpr (__is_same(Layout, row_major))
    return true;
  else if constexpr (Layout::template is_static<Shape>)
    return is_row_major(Shape::static_extents, Layout{}.strides(Shape{}));
  else
    return false;
}();

// The element at that position of an array in memory: a pointer if elements are contiguous.
template <class E>
constexpr auto iterator_at(const E& e, index position) {
  using shape = typename E::shape_type;
  if constexpr (is_contiguous_layout<typename E::layout_type, shape>)
    return e.data() + position;
  else
    return element_iterator<std::remove_pointer_t<decltype(e.data())>, shape::axes_count>(e.data(), e.shape().extents(),
                                                                                          e.strides(), position);
}

}  // namespace detail
}  // namespace broadloom
