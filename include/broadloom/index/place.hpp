// What an advanced slice of a writable array is: read as any array, and written to.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/index/scatter_write.hpp>

namespace broadloom {

namespace detail {

// Throws shape_error where a value does not broadcast to what is written.
BROADLOOM_API void check_value_shape(const shape_view& value, const shape_view& result);

// A kind of selection whose errors name another call.
template <class Kind, class Call>
struct called_as : Kind {
  static constexpr const char* name() { return Call::name(); }
};

}  // namespace detail

namespace errors_md {
// place(x, mask, values), NumPy's: it repeats the values where they are too few.
template <class... Arguments>
struct write_masked_copy_x_mask_values_or_masked_fill_x_mask_number;
}  // namespace errors_md

// No function: NumPy's place is masked_copy_, or masked_fill_ of one number.
inline constexpr struct place_t {
  template <class... A>
  errors_md::write_masked_copy_x_mask_values_or_masked_fill_x_mask_number<A...> operator()(A&&...) const = delete;
} place{};

// The elements that an advanced slice of a writable array stands for: read lazily as any array, written by `=`, `+=`
// and so on. Where a position occurs twice, the last element written to it stays.
template <class Kind, class Shape, class X, class... Index>
class selected_place {
 public:
  using place_tag = void;
  using value_type = detail::value_of<X>;
  using shape_type = Shape;

  selected_place(const Kind& k, const Shape& s, const X& x, const Index&... i)
      : x_(x), positions_(i...), shape_(s), kind_(k) {}
  selected_place(const selected_place&) = default;

  const Shape& shape() const { return shape_; }
  static constexpr index rank() { return Shape::axes_count; }
  // What is read, as a node.
  auto node() const {
    return detail::unpack(positions_, [&](const Index&... i) {
      return detail::select_elements(kind_, shape_, detail::read_only(x_), i...);
    });
  }
  template <class... N>
    requires(sizeof...(N) == Shape::axes_count && detail::all_numbers<N...>)
  value_type operator()(N... n) const {
    return node()(n...);
  }
  // A part of what is selected, slice(x(rows), n...), which is read only: NumPy's would be a part of a copy.
  template <class... N>
    requires(sizeof...(N) < Shape::axes_count || !detail::all_numbers<N...>)
  auto operator()(N&&... n) const {
    return slice(node(), static_cast<N&&>(n)...);
  }
  value_type item() const { return node().item(); }

  // Writes elements: broadcasts the right side to this shape. `+=` and its like, `assign` and in-place functions do so
  // too.
  template <class V, class Error = typename detail::assignment_check<const selected_place&, V>::error,
            int Native = BROADLOOM_NATIVE>
    requires(operand<V> && std::is_void_v<Error> && !__is_same(std::remove_cvref_t<V>, selected_place))
  const selected_place& operator=(V&& v) const {
    write<Native>(static_cast<V&&>(v), runtime::options{});
    return *this;
  }
  template <class V, class Error = typename detail::assignment_check<const selected_place&, V>::error>
    requires(!std::is_void_v<Error>)
  Error operator=(V&&) const = delete;
  const selected_place& operator=(const selected_place& o) const& {
    write<BROADLOOM_NATIVE>(o.node(), runtime::options{});
    return *this;
  }
  selected_place& operator=(const selected_place& o) & {
    write<BROADLOOM_NATIVE>(o.node(), runtime::options{});
    return *this;
  }
  errors_md::a_view_is_not_moved_or_swapped_but_written_by_assign operator=(selected_place&&) & = delete;
  friend errors_md::a_view_is_not_moved_or_swapped_but_written_by_assign swap(selected_place&,
                                                                              selected_place&) = delete;

  // Writes v, which is expanded to this shape; with update::add, adds it once for each time a position occurs. Errors
  // name the call as `Call` does.
  template <int Native, class Call = Kind, class V>
  void write(V&& v, const runtime::options& how, runtime::update what = runtime::update::overwrite) const {
    if constexpr (array<V>) {
      const auto origin = detail::argument<value_type>(static_cast<V&&>(v));
      const auto& s = origin.shape();
      detail::check_value_shape({s.data(), detail::rank_of<decltype(origin)>}, {shape_.data(), Shape::axes_count});
      write_node<Native, Call>(detail::expanded_for(Call::name(), origin, shape_), how, what);
    } else
      write_node<Native, Call>(detail::argument<value_type>(v), how, what);
  }

 private:
  template <int Native, class Call, class V>
  void write_node(const V& v, const runtime::options& how, runtime::update what) const {
    detail::unpack(positions_, [&](const Index&... i) {
      if constexpr (__is_same(Call, Kind))
        detail::write_elements<Native>(kind_, shape_, x_, v, what, how, i...);
      else
        detail::write_elements<Native>(detail::called_as<Kind, Call>{kind_}, shape_, x_, v, what, how, i...);
    });
  }

  X x_;
  boost::hana::basic_tuple<Index...> positions_;
  [[no_unique_address]] Shape shape_;
  [[no_unique_address]] Kind kind_;
};

template <class Kind, class Shape, class X, class... Index>
struct array_traits<selected_place<Kind, Shape, X, Index...>> {
  static auto leaf(const selected_place<Kind, Shape, X, Index...>& p) { return p.node(); }
};

}  // namespace broadloom
