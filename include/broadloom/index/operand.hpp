// Arguments of indexing: arrays of positions, arrays to read from where they are or evaluated first, and what is
// refused.
#pragma once

#include <broadloom/core/throw_error.hpp>
#include <broadloom/expr/deferred.hpp>
#include <broadloom/index/problem.hpp>
#include <broadloom/tensor/eval.hpp>

namespace broadloom {

namespace errors_md {
// What a call of an indexing function that is refused "returns": a type whose name says why.
template <auto Why, class... Given>
struct indexing_refused;
}  // namespace errors_md

namespace detail {

template <class T>
inline constexpr bool is_position = plain_integer<T> && (sizeof(T) == 4 || sizeof(T) == 8) && T(-1) < T(0);

// An array of positions: i32 or i64.
template <class A>
inline constexpr bool are_positions = false;
template <array A>
inline constexpr bool are_positions<A> = is_position<value_of<node_of<A>>>;

// What is wrong with a call, as far as the compiler knows: `Rule::fault<Arguments...>()` is a sentence, empty where
// nothing is.
template <class Rule, class... A>
inline constexpr sentence fault_of = [] {
  if constexpr (requires { Rule::template fault<A...>(); })
    return Rule::template fault<A...>();
  else
    return sentence{};
}();
template <class Rule, class... A>
concept accepted = requires { Rule::template fault<A...>(); } && (fault_of<Rule, A...>.n == 0);
template <class Rule, class... A>
struct refusal_of {
  using type = void;
};
template <class Rule, class... A>
  requires(fault_of<Rule, A...>.n > 0)
struct refusal_of<Rule, A...> {
  using type =
      errors_md::indexing_refused<fit<fault_of<Rule, A...>.n>(fault_of<Rule, A...>), std::remove_cvref_t<A>...>;
};
template <class Rule, class... A>
using refusal = typename refusal_of<Rule, A...>::type;

// False and a sentence unless Index is an array of positions.
template <array Index>
constexpr bool positions_fit(sentence& s, const char* call) {
  if (are_positions<Index>) return true;
  s << call << ": an index is of i32 or i64, not of " << to_string(dtype_of<value_of<node_of<Index>>>);
  return false;
}
template <text Name>
struct positions_rule {
  template <array Index>
  static constexpr sentence fault() {
    sentence s;
    static_cast<void>(positions_fit<Index>(s, Name.c));
    return s;
  }
};
// False and a sentence unless the axis may be one of `rank` axes.
template <class A>
constexpr bool axis_fits(sentence& s, int rank) {
  if constexpr (constant<A>)
    if (A::value < -rank || A::value >= rank) {
      s << "Dimension out of range (expected to be in range of [" << -rank << ", " << rank - 1 << "], but got "
        << A::value << ")";
      return false;
    }
  return true;
}
// An axis that is a constant, counted from the left; -1 where it is known at run time only.
template <class A>
constexpr index static_axis(int rank) {
  if constexpr (constant<A>)
    return A::value < 0 ? A::value + rank : A::value;
  else
    return -1;
}
// The shape type with another extent at an axis; of a run-time axis, what is the same for each.
template <class A, class Shape>
constexpr auto extents_with(index n) {
  common_extents<Shape::axes_count> r;
  for_each_axis<A>(Shape::axes_count, [&](int axis) {
    auto x = Shape::static_extents;
    x[axis] = n;
    r.add(x);
  });
  return r.extents;
}
template <class A, class Shape, index N>
using shape_with = shape_from<extents_with<A, Shape>(N)>;
template <class A, index N, class Shape>
constexpr auto with_extent(const Shape& s, int axis, index n) {
  auto x = s.extents();
  x[axis] = n;
  return shape_with<A, Shape, N>::unchecked(x);
}

// Sentences at run time. `axis` counts from the left.
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_index_larger(const shape_view& self,
                                                                      const shape_view& position, int axis, int at) {
  throw_error(error_kind::index_larger, {&self, &position, axis, at});
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_scatter_shapes(const shape_view& self,
                                                                        const shape_view& position,
                                                                        const shape_view& source, int axis) {
  throw_error(error_kind::scatter_shapes, {&self, &position, &source, axis});
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_index_count(const char* call, index positions, index extent,
                                                                     int axis) {
  throw_error(error_kind::index_count, {call, positions, extent, axis});
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_slice_shapes(const char* call, const shape_view& self,
                                                                      const shape_view& source, int axis) {
  throw_error(error_kind::slice_shapes, {call, &self, &source, axis});
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_indexing(const char* sentence, const char* call,
                                                                  const shape_view* shapes, int count) {
  throw_error(error_kind::indexing, {sentence, call, shapes, count});
}
template <class... S>
[[noreturn]] void refuse(const char* sentence, const char* call, const S&... s) {
  const shape_view shapes[] = {{s.data(), S::axes_count}...};
  throw_indexing(sentence, call, shapes, sizeof...(S));
}

// A leaf whose elements are in memory already.
template <class E>
concept memory_leaf = leaf<E> && requires(const E& e) {
  e.data();
  e.layout().data();
};

struct memory_rule {
  bool row_major = false;                     // elements must be contiguous
  runtime::extent_of_memory apart_from = {};  // and not here
};

// A node's elements: where they are, or evaluated into memory of its own.
template <class E, int Native>
class memory {
 public:
  using T = value_of<E>;
  static constexpr int rank = rank_of<E>;

  memory(const E& e, const runtime::options& how, const memory_rule& rule = {}) : form_{e.shape().extents(), {}, 0} {
    if constexpr (memory_leaf<E>) {
      form_.strides = e.strides();
      if (is_fit(e.data(), rule)) {
        data_ = e.data();
        return;
      }
    }
    elements_ = tensor<T, dshape<rank>>::uninitialised(dshape<rank>::unchecked(form_.extents));
    assign_node<Native>(elements_.as_view(), e, how);
    form_.strides = row_major_strides(form_.extents);
    data_ = elements_.data();
  }
  memory(const memory&) = delete;
  memory& operator=(const memory&) = delete;

  const T* data() const { return data_; }
  const geometry<rank>& form() const { return form_; }
  // The elements, or null where there are none.
  const T* any() const {
    for (index n : form_.extents)
      if (n == 0) return nullptr;
    return data_;
  }

 private:
  bool is_fit(const T* data, const memory_rule& rule) const {
    if (rule.apart_from.low != nullptr) {
      const auto own = runtime::memory_of(data, form_.extents.v, form_.strides.v, rank, sizeof(T));
      if (own.low < rule.apart_from.high && rule.apart_from.low < own.high) return false;
    }
    return !rule.row_major || is_row_major(form_.extents, form_.strides);
  }

  const T* data_ = nullptr;
  geometry<rank> form_;
  tensor<T, dshape<rank>> elements_{};
};

template <int Native, class... E>
struct memories {
  static constexpr int count = 0;
  explicit memories(const runtime::options&, const memory_rule&) {}
  template <class F, class... Before>
  void visit(F&& f, const Before&... b) const {
    f(b...);
  }
};
template <int Native, class E, class... Rest>
struct memories<Native, E, Rest...> {
  memory<E, Native> first;
  memories<Native, Rest...> rest;
  memories(const runtime::options& how, const memory_rule& rule, const E& e, const Rest&... r)
      : first(e, how, rule), rest(how, rule, r...) {}
  // f(all of them)
  template <class F, class... Before>
  void visit(F&& f, const Before&... b) const {
    rest.visit(static_cast<F&&>(f), b..., first);
  }
};

// The offset in an array of each element of a result of R axes, with K index arrays. Strides and steps in elements
// while it is made, in bytes when it is finished. It refers to itself.
template <int R, int K>
struct selection_plan {
  indices<R> extents{}, strides{};
  indices<R> term_strides[K == 0 ? 1 : K]{};
  runtime::position_term terms[K == 0 ? 1 : K]{};
  int used = K;  // terms that there are
  runtime::selection value{};

  selection_plan() = default;
  selection_plan(const selection_plan&) = delete;
  selection_plan& operator=(const selection_plan&) = delete;

  // The strides of the k-th positions, which broadcast with the result's axes [first, last).
  template <int RI>
  void broadcast_term(int k, const geometry<RI>& i, int last) {
    for (int a = 0; a < RI; ++a) term_strides[k][last - RI + a] = i.extents[a] == 1 ? 0 : i.strides[a];
  }
  // The axis whose positions the k-th term has.
  template <int RX>
  void point_term(int k, const geometry<RX>& x, int axis, bool negative) {
    terms[k].extent = x.extents[axis];
    terms[k].step = x.strides[axis];
    terms[k].axis = axis;
    terms[k].negative = negative;
  }
  template <class Index>
  void give_positions(int k, const Index* data) {
    terms[k].data = data;
    terms[k].wide = sizeof(Index) == 8;
  }
  void finish(const void* data, int size) {
    for (index& s : strides) s *= size;
    for (int k = 0; k < used; ++k) {
      terms[k].step *= size;
      terms[k].strides = term_strides[k].v;
    }
    value = {data, size, R, extents.v, strides.v, used, false, terms, nullptr};
  }
};

}  // namespace detail
}  // namespace broadloom
