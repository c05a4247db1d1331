// ndenumerate: the elements of an array with their indices, for loops over both.
#pragma once

#include <array>

#include <broadloom/expr/iterator.hpp>
#include <broadloom/tensor/eval.hpp>

namespace broadloom {

// An element and where it is: auto [at, x].
template <class T, int Rank>
struct indexed_element {
  std::array<index, static_cast<std::size_t>(Rank)> at;
  T& value;
};

namespace detail {

template <class E>
concept has_elements = leaf<E> && requires(const E& e) {
  *e.data();
  e.strides();
};

template <class T, int Rank>
class indexed_iterator {
 public:
  using value_type = indexed_element<T, Rank>;
  using difference_type = index;

  constexpr indexed_iterator() = default;
  constexpr indexed_iterator(const element_iterator<T, Rank>& element, const indices<Rank>& extents)
      : element_(element), extents_(extents) {}

  constexpr value_type operator*() const { return {at_, *element_}; }
  constexpr indexed_iterator& operator++() {
    ++element_;
    for (std::size_t i = Rank; i-- > 0;) {
      if (++at_[i] < extents_[static_cast<int>(i)]) break;
      at_[i] = 0;
    }
    return *this;
  }
  constexpr indexed_iterator operator++(int) {
    indexed_iterator before = *this;
    ++*this;
    return before;
  }
  friend constexpr bool operator==(const indexed_iterator& a, const indexed_iterator& b) {
    return a.element_ == b.element_;
  }

 private:
  element_iterator<T, Rank> element_;
  indices<Rank> extents_{};
  std::array<index, static_cast<std::size_t>(Rank)> at_{};
};

// It holds the array as a tree does.
template <class E>
class indexed_range {
 public:
  constexpr explicit indexed_range(E e) : array_(static_cast<E&&>(e)) {}
  constexpr auto begin() const { return at(0); }
  constexpr auto end() const { return at(array_.shape().size()); }

 private:
  constexpr auto at(index position) const {
    constexpr int rank = rank_of<E>;
    using T = std::remove_pointer_t<decltype(array_.data())>;
    const auto x = array_.shape().extents();
    return indexed_iterator<T, rank>(element_iterator<T, rank>(array_.data(), x, array_.strides(), position), x);
  }
  E array_;
};

}  // namespace detail

// for (auto [at, x] : ndenumerate(a)): each element of an array, row-major, with its indices, a std::array. x refers to
// the element where a is an array in memory; of an expression, which is evaluated, to a result that lives as long as
// the range (NumPy's ndenumerate).
inline constexpr struct ndenumerate_t {
  template <array X>
  constexpr auto operator()(X&& x) const {
    if constexpr (detail::has_elements<decltype(detail::as_node(static_cast<X&&>(x)))>)
      return range_of(detail::as_node(static_cast<X&&>(x)));
    else
      return range_of(detail::as_node(eval(static_cast<X&&>(x))));
  }

 private:
  template <class E>
  static constexpr auto range_of(E e) {
    return detail::indexed_range<E>(static_cast<E&&>(e));
  }
} ndenumerate{};

}  // namespace broadloom
