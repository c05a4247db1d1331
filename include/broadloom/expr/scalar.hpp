// A C++ number inside a tree. It is held by value, converted to the type in which it is computed.
#pragma once

#include <broadloom/expr/expression.hpp>

namespace broadloom {

template <class T>
class scalar {
 public:
  using expression_tag = void;
  using value_type = T;
  using shape_type = broadloom::shape<>;

  constexpr explicit scalar(T x) : value_(x) {}

  static constexpr auto shape() { return shape_type{}; }
  constexpr const T& value() const { return value_; }
  template <int R>
  constexpr T element(const detail::indices<R>&) const {
    return value_;
  }

 private:
  T value_;
};

}  // namespace broadloom
