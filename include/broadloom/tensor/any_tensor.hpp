// Arrays whose rank is known at run time only, as files, Python and DLPack give them: their way to arrays of a known
// rank.
#pragma once

#include <type_traits>
#include <utility>

#include <broadloom/core/list.hpp>
#include <broadloom/core/throw_error.hpp>
#include <broadloom/tensor/eval.hpp>
#include <broadloom/tensor/foreign.hpp>

namespace broadloom {

namespace detail {

// "as_rank: the array has rank 2, shape (4, 5), not rank 3"
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_other_rank(const char* call, const index* extents, int rank,
                                                                    const int* wanted, int count) {
  throw_error(error_kind::other_rank, {call, extents, rank, wanted, count});
}

// Throws shape_error where an extent is negative or all of them have no size.
inline void require_extents(const list<index>& extents) {
  const auto rank = static_cast<int>(extents.size());
  for (const index n : extents)
    if (n < 0) throw_negative_extent(extents.data(), rank);
  if (checked_size(extents.data(), rank) < 0) throw_size_overflow(extents.data(), rank);
}

// Of an array without elements they are any numbers.
inline list<index> row_major_strides(const list<index>& extents) {
  list<index> strides = extents;
  std::size_t step = 1;
  for (std::size_t i = extents.size(); i-- > 0; step *= static_cast<std::size_t>(extents[i]))
    strides[i] = static_cast<index>(step);
  return strides;
}

// An object of any type that lives as long as this. std::unique_ptr would bring <time.h> with it, and its name `time`.
class kept_object {
 public:
  kept_object() = default;
  template <class Object>
    requires(!std::is_reference_v<Object> && !std::is_same_v<Object, kept_object>)
  explicit kept_object(Object&& object)
      : object_(new Object(static_cast<Object&&>(object))), destroy_([](void* o) { delete static_cast<Object*>(o); }) {}
  kept_object(kept_object&& o) noexcept
      : object_(std::exchange(o.object_, nullptr)), destroy_(std::exchange(o.destroy_, nullptr)) {}
  kept_object& operator=(kept_object&& o) noexcept {
    std::swap(object_, o.object_);
    std::swap(destroy_, o.destroy_);
    return *this;
  }
  ~kept_object() {
    if (object_ != nullptr) destroy_(object_);
  }
  template <class Object>
  Object& as() const {
    return *static_cast<Object*>(object_);
  }

 private:
  void* object_ = nullptr;
  void (*destroy_)(void*) = nullptr;
};

}  // namespace detail

// A namespace of its own, where the library's operators are not found: what is refused is refused by these here alone.
namespace known_to_the_run {

// Elements, extents and strides of a rank that is known at run time, and what keeps the elements alive: memory of its
// own or the object they came from. It is moved and not copied, and computes nothing: as_rank<2>() gives an array,
// visit_rank calls generic code, and a tensor is made of it by a copy of the elements: dtensor<float, 2> x = a. T is
// const where the elements must not be written.
template <class T>
  requires element<std::remove_const_t<T>>
class any_tensor {
 public:
  using value_type = std::remove_const_t<T>;
  using element_type = T;

  // Takes over a tensor and forgets its rank.
  template <class Shape>
  any_tensor(tensor<value_type, Shape>&& t)
      : any_tensor(static_cast<tensor<value_type, Shape>&&>(t), [](auto& kept) { return as_view(kept); }) {}

  // Takes over `object`; see(kept object) is a view of its elements, of any rank.
  template <class Object, class See>
    requires(!std::is_reference_v<Object>)
  any_tensor(Object&& object, const See& see) : owner_(static_cast<Object&&>(object)) {
    const auto seen = see(owner_.template as<Object>());
    data_ = seen.data();
    const auto s = seen.shape();
    const auto strides = seen.strides();
    for (int i = 0; i < detail::rank_of<std::remove_cvref_t<decltype(seen)>>; ++i) {
      extents_.push_back(s[i]);
      strides_.push_back(strides[i]);
    }
  }

  // Elements of `object`, which it takes over. Throws shape_error where the extents are negative or cannot be counted.
  template <class Object>
    requires(!std::is_reference_v<Object>)
  any_tensor(Object&& object, T* data, list<index> extents, list<index> strides)
      : owner_(static_cast<Object&&>(object)),
        data_(data),
        extents_(static_cast<list<index>&&>(extents)),
        strides_(static_cast<list<index>&&>(strides)) {
    detail::require_extents(extents_);
  }

  int rank() const { return static_cast<int>(extents_.size()); }
  const list<index>& extents() const { return extents_; }
  const list<index>& strides() const { return strides_; }
  index size() const { return detail::checked_size(extents_.data(), rank()); }
  T* data() { return data_; }
  const T* data() const { return data_; }

  // A view of the elements, or, of an array that is about to go, an array that owns them. Throws shape_error, which
  // names both ranks, where the rank is another.
  template <int Rank>
  auto as_rank() & {
    return seen<Rank>(data_);
  }
  template <int Rank>
  auto as_rank() const& {
    return seen<Rank>(static_cast<const T*>(data_));
  }
  template <int Rank>
  auto as_rank() && {
    require_rank(Rank);
    return detail::owning_leaf(static_cast<any_tensor&&>(*this),
                               [](const any_tensor& kept) { return kept.as_rank<Rank>(); });
  }
  // Throws shape_error where rank or extents are not the tensor's.
  template <class Shape>
  operator tensor<value_type, Shape>() const& {
    return tensor<value_type, Shape>(as_rank<Shape::axes_count>());
  }

 private:
  template <class Shape>
  static auto as_view(tensor<value_type, Shape>& t) {
    return detail::as_node(t);
  }
  void require_rank(int wanted) const {
    if (wanted != rank()) detail::throw_other_rank("as_rank", extents_.data(), rank(), &wanted, 1);
  }
  template <int Rank, class E>
  view<E, dshape<Rank>, dyn_strides<Rank>> seen(E* data) const {
    require_rank(Rank);
    detail::indices<Rank> extents{}, strides{};
    for (int i = 0; i < Rank; ++i) {
      extents[i] = extents_[static_cast<std::size_t>(i)];
      strides[i] = strides_[static_cast<std::size_t>(i)];
    }
    return {data, dshape<Rank>::unchecked(extents), dyn_strides<Rank>{strides}};
  }

  detail::kept_object owner_;
  T* data_ = nullptr;
  list<index> extents_, strides_;
};

template <class>
inline constexpr bool is_any_tensor = false;
template <class T>
inline constexpr bool is_any_tensor<any_tensor<T>> = true;
template <class... X>
concept has_any_tensor = (is_any_tensor<std::remove_cvref_t<X>> || ...);

namespace errors_md {
// any_tensor<float> + 1: nothing is computed without a rank.
struct its_rank_is_known_to_the_run_only_write_x_as_rank_of_2_or_visit_rank;
}  // namespace errors_md

// What a rank is needed for is refused, with what to write.
#define BROADLOOM_NO_RANK(OP)                                                                              \
  template <class A, class B,                                                                              \
            class Error = errors_md::its_rank_is_known_to_the_run_only_write_x_as_rank_of_2_or_visit_rank> \
    requires has_any_tensor<A, B>                                                                          \
  Error operator OP(A&&, B&&) = delete;
BROADLOOM_NO_RANK(+)
BROADLOOM_NO_RANK(-)
BROADLOOM_NO_RANK(*)
BROADLOOM_NO_RANK(/)
BROADLOOM_NO_RANK(%)
BROADLOOM_NO_RANK(&)
BROADLOOM_NO_RANK(|)
BROADLOOM_NO_RANK(^)
BROADLOOM_NO_RANK(<<)
BROADLOOM_NO_RANK(>>)
BROADLOOM_NO_RANK(==)
BROADLOOM_NO_RANK(!=)
BROADLOOM_NO_RANK(<)
BROADLOOM_NO_RANK(<=)
BROADLOOM_NO_RANK(>)
BROADLOOM_NO_RANK(>=)
BROADLOOM_NO_RANK(+=)
BROADLOOM_NO_RANK(-=)
BROADLOOM_NO_RANK(*=)
BROADLOOM_NO_RANK(/=)
#undef BROADLOOM_NO_RANK
template <class A, class Error = errors_md::its_rank_is_known_to_the_run_only_write_x_as_rank_of_2_or_visit_rank>
  requires has_any_tensor<A>
Error operator-(A&&) = delete;
template <class A, class Error = errors_md::its_rank_is_known_to_the_run_only_write_x_as_rank_of_2_or_visit_rank>
  requires has_any_tensor<A>
Error operator~(A&&) = delete;

}  // namespace known_to_the_run

using known_to_the_run::any_tensor;

// tensor r = a: which rank? dtensor<float, 2> r = a.
template <class T>
class tensor<T, known_to_the_run::errors_md::its_rank_is_known_to_the_run_only_write_x_as_rank_of_2_or_visit_rank> {
 public:
  tensor(const any_tensor<T>&) = delete;
};
template <class T>
tensor(const any_tensor<T>&)
    -> tensor<T, known_to_the_run::errors_md::its_rank_is_known_to_the_run_only_write_x_as_rank_of_2_or_visit_rank>;

// visit_ranks<1, 2>(x, f): f(x.as_rank<R>()) for the R of the list that is the rank of x, and what f gives: results of
// all ranks have a common type. f is compiled for every rank of the list. Throws shape_error where the rank is not in
// the list.
template <int... Ranks>
struct visit_ranks_t {
  template <class A, class F>
    requires known_to_the_run::has_any_tensor<A>
  auto operator()(A&& x, F&& f) const {
    using result = std::common_type_t<decltype(f(x.template as_rank<Ranks>()))...>;
    using call = result (*)(std::remove_reference_t<A>&, std::remove_reference_t<F>&);
    constexpr call calls[] = {[](std::remove_reference_t<A>& at, std::remove_reference_t<F>& g) -> result {
      return g(at.template as_rank<Ranks>());
    }...};
    constexpr int ranks[] = {Ranks...};
    for (std::size_t i = 0; i < sizeof...(Ranks); ++i)
      if (ranks[i] == x.rank()) return calls[i](x, f);
    detail::throw_other_rank("visit_rank", x.extents().data(), x.rank(), ranks, sizeof...(Ranks));
  }
};
template <int... Ranks>
inline constexpr visit_ranks_t<Ranks...> visit_ranks{};
// All ranks from 0 to 8.
inline constexpr visit_ranks_t<0, 1, 2, 3, 4, 5, 6, 7, 8> visit_rank{};

}  // namespace broadloom
