// Arrays of positions and masks among the arguments of slice and of the call syntax: NumPy's advanced indexing, for
// reading (lazily) and for assigning.
#pragma once

#include <broadloom/expr/slice.hpp>
#include <broadloom/index/nonzero.hpp>
#include <broadloom/index/written.hpp>

namespace broadloom {

namespace detail {

// Throw shape_error where arrays of positions do not broadcast together, or a value not to what is written.
void check_position_shapes(const shape_view* shapes, int count);
void check_value_shape(const shape_view& value, const shape_view& result);

// Where the axes of an advanced slice come from and go to, decided by the kinds of its arguments.
struct advanced_form {
  int terms = 0;
  int axis[8] = {};  // of the array after its slices, for each array of positions
  int said[8] = {};  // of the array itself
  int at = 0;        // where the axes of the positions stand in the result
  int taken = 0;     // axes of the array that the arguments speak of
  bool operator==(const advanced_form&) const = default;
};

enum class item_kind : unsigned char { kept, added, number, positions, mask };
template <class T>
constexpr item_kind kind_of_item() {
  using plain = std::remove_cvref_t<T>;
  if constexpr (!slice_argument<plain>)
    return __is_same(value_of<node_of<T>>, bool) ? item_kind::mask : item_kind::positions;
  else if constexpr (__is_same(plain, newaxis_t))
    return item_kind::added;
  else
    return slice_item<plain>::adds < 0 ? item_kind::number : item_kind::kept;
}
template <class T>
constexpr int axes_taken() {
  if constexpr (kind_of_item<T>() == item_kind::mask)
    return rank_of<node_of<T>>;
  else if constexpr (kind_of_item<T>() == item_kind::positions)
    return 1;
  else
    return slice_item<std::remove_cvref_t<T>>::takes;
}

// Arrays and numbers are put where the first of them stands when they stand together, else before all other axes.
template <int R, class... I>
constexpr advanced_form form_of() {
  advanced_form f;
  constexpr int taken = (0 + ... + axes_taken<I>());
  int origin = 0, sliced = 0, kept = 0;
  bool begun = false, ended = false, apart = false;
  const auto one = [&](item_kind k, int takes, bool fills) {
    if (fills) takes = R - taken;
    if (k == item_kind::kept || k == item_kind::added) {
      if (begun) ended = true;
      const int axes = k == item_kind::added ? 1 : takes;
      sliced += axes;
      kept += axes;
      origin += takes;
      return;
    }
    if (!begun) f.at = kept;
    begun = true;
    apart = apart || ended;
    for (int a = 0; a < takes; ++a, ++origin)
      if (k != item_kind::number) {
        if (f.terms < 8) {
          f.axis[f.terms] = sliced;
          f.said[f.terms] = origin;
        }
        ++f.terms;
        ++sliced;
      }
  };
  (one(kind_of_item<I>(), axes_taken<I>(), is_ellipsis<std::remove_cvref_t<I>>), ...);
  if (apart) f.at = 0;
  f.taken = taken;
  return f;
}

// Some axes are replaced by positions, which broadcast together.
template <advanced_form Form, int Broadcast>
struct advanced_kind {
  static constexpr bool flat = false;
  static constexpr const char* name() { return "slice"; }
  constexpr bool operator==(const advanced_kind&) const = default;

  static constexpr bool is_replaced(int axis) {
    for (int k = 0; k < Form.terms; ++k)
      if (Form.axis[k] == axis) return true;
    return false;
  }
  template <int R, int K, int RX, int... RI>
  void place(selection_plan<R, K>& p, const geometry<RX>& x, const geometry<RI>&... i) const {
    for (int a = 0, to = 0; a < RX; ++a)
      if (!is_replaced(a)) {
        p.strides[to < Form.at ? to : to + Broadcast] = x.strides[a];
        ++to;
      }
    int k = 0;
    const auto one = [&](const auto& g) {
      p.broadcast_term(k, g, Form.at + Broadcast);
      p.point_term(k, x, Form.axis[k], true);
      p.terms[k].axis = Form.said[k];
      ++k;
    };
    (one(i), ...);
  }
  template <int R, class X, class... I>
  constexpr auto element(const indices<R>& at, const X& x, const I&... i) const {
    indices<rank_of<X>> origin{};
    for (int a = 0, to = 0; a < rank_of<X>; ++a)
      if (!is_replaced(a)) {
        origin[a] = at[to < Form.at ? to : to + Broadcast];
        ++to;
      }
    indices<Broadcast> position{};
    for (int a = 0; a < Broadcast; ++a) position[a] = at[Form.at + a];
    int k = 0;
    const auto one = [&](const auto& g) {
      origin[Form.axis[k]] =
          checked_position(static_cast<index>(g.element(position)), x.shape()[Form.axis[k]], Form.said[k], true);
      ++k;
    };
    (one(i), ...);
    return x.element(origin);
  }
};

}  // namespace detail

// The elements that an advanced slice of a writable array stands for: read lazily as any array, written by `=`, `+=`
// and so on. Where a position occurs twice, the last element written to it stays.
template <class Kind, class Shape, class X, class... I>
class place {
 public:
  using place_tag = void;
  using value_type = detail::value_of<X>;
  using shape_type = Shape;

  place(const Kind& k, const Shape& s, const X& x, const I&... i) : x_(x), positions_(i...), shape_(s), kind_(k) {}
  place(const place&) = default;

  const Shape& shape() const { return shape_; }
  static constexpr index rank() { return Shape::axes_count; }
  // What is read, as a node.
  auto node() const {
    return boost::hana::unpack(
        positions_, [&](const I&... i) { return detail::select_elements(kind_, shape_, detail::read_only(x_), i...); });
  }
  template <class... N>
    requires(sizeof...(N) == Shape::axes_count && (std::is_convertible_v<N, index> && ...))
  value_type operator()(N... n) const {
    return node()(n...);
  }
  value_type item() const { return node().item(); }

  // Writes elements: broadcasts the right side to this shape. `+=` and its like, `assign` and in-place functions do so
  // too.
  template <class V, class Error = typename detail::assignment_check<const place&, V>::error,
            int Native = BROADLOOM_NATIVE>
    requires(operand<V> && std::is_void_v<Error> && !__is_same(std::remove_cvref_t<V>, place))
  const place& operator=(V&& v) const {
    write<Native>(static_cast<V&&>(v), runtime::options{});
    return *this;
  }
  template <class V, class Error = typename detail::assignment_check<const place&, V>::error>
    requires(!std::is_void_v<Error>)
  Error operator=(V&&) const = delete;
  const place& operator=(const place& o) const {
    write<BROADLOOM_NATIVE>(o.node(), runtime::options{});
    return *this;
  }
  place& operator=(const place& o) {
    write<BROADLOOM_NATIVE>(o.node(), runtime::options{});
    return *this;
  }

  // Writes v, which is expanded to this shape; with update::add, adds it once for each time a position occurs.
  template <int Native, class V>
  void write(V&& v, const runtime::options& how, runtime::update what = runtime::update::put) const {
    if constexpr (array<V>) {
      const auto origin = detail::argument<value_type>(static_cast<V&&>(v));
      const auto& s = origin.shape();
      detail::check_value_shape({s.data(), detail::rank_of<decltype(origin)>}, {shape_.data(), Shape::axes_count});
      write_node<Native>(expand(origin, shape_), how, what);
    } else
      write_node<Native>(detail::argument<value_type>(v), how, what);
  }

 private:
  template <int Native, class V>
  void write_node(const V& v, const runtime::options& how, runtime::update what) const {
    boost::hana::unpack(positions_,
                        [&](const I&... i) { detail::write_elements<Native>(kind_, shape_, x_, v, what, how, i...); });
  }

  X x_;
  boost::hana::basic_tuple<I...> positions_;
  [[no_unique_address]] Shape shape_;
  [[no_unique_address]] Kind kind_;
};

template <class Kind, class Shape, class X, class... I>
struct array_traits<place<Kind, Shape, X, I...>> {
  static auto leaf(const place<Kind, Shape, X, I...>& p) { return p.node(); }
};

namespace detail {

[[noreturn]] void throw_mask_shape(const shape_view& mask, const shape_view& self, int axis);

// The argument as slice takes it: arrays keep their axes.
template <class T>
constexpr auto sliced_item(const T& x) {
  constexpr item_kind k = kind_of_item<T>();
  if constexpr (k == item_kind::positions || k == item_kind::mask)
    return whole_axes<axes_taken<T>()>{};
  else
    return x;
}

// The positions an argument stands for: none, itself, or where a mask is set.
template <class X, class T>
auto positions_in(const X& x, T&& item, int axis) {
  constexpr item_kind k = kind_of_item<T>();
  if constexpr (k == item_kind::positions) {
    static_assert(are_positions<T>, "an index array is of i32 or i64");
    return boost::hana::make_basic_tuple(capture(static_cast<T&&>(item)));
  } else if constexpr (k == item_kind::mask) {
    const auto node = capture(static_cast<T&&>(item));
    constexpr int rank = rank_of<decltype(node)>;
    static_assert(rank > 0, "a mask has at least one axis");
    for (int a = 0; a < rank; ++a)
      if (node.shape()[a] != x[axis + a])
        throw_mask_shape({node.shape().data(), rank}, {x.data(), std::remove_cvref_t<X>::axes_count}, axis);
    auto all = where_one<decltype((node))>::of(node);
    return [&]<int... N>(sequence<N...>) {
      return boost::hana::make_basic_tuple(capture(static_cast<index_array&&>(all[N]))...);
    }(make_sequence<rank>{});
  } else
    return boost::hana::basic_tuple<>{};
}

template <class A, class... I>
struct advanced_slice {
  static constexpr int rank = rank_of<node_of<A>>;
  static constexpr advanced_form form = form_of<rank, I...>();
  static_assert(form.taken <= rank, "more indices than axes");
  static_assert(form.terms <= 8, "at most eight arrays of positions; a mask counts once for each of its axes");

  static auto of(A&& a, I&&... i) {
    const auto node = as_node(static_cast<A&&>(a));
    const auto sliced = slice(node, sliced_item(i)...);
    int axis = 0;
    return collect(node, sliced, axis, boost::hana::basic_tuple<>{}, static_cast<I&&>(i)...);
  }

 private:
  template <class Node, class Sliced, class... P, class T, class... Rest>
  static auto collect(const Node& node, const Sliced& sliced, int axis, const boost::hana::basic_tuple<P...>& so_far,
                      T&& item, Rest&&... rest) {
    constexpr bool fills = is_ellipsis<std::remove_cvref_t<T>>;
    const int next = axis + (fills ? rank - form.taken : axes_taken<T>());
    auto more = positions_in(node.shape(), static_cast<T&&>(item), axis);
    return boost::hana::unpack(so_far, [&](const auto&... p) {
      return boost::hana::unpack(more, [&](const auto&... q) {
        const auto all = boost::hana::make_basic_tuple(p..., q...);
        if constexpr (sizeof...(Rest) == 0)
          return boost::hana::unpack(all, [&](const auto&... each) { return finish(sliced, each...); });
        else
          return collect(node, sliced, next, all, static_cast<Rest&&>(rest)...);
      });
    });
  }
  template <class Sliced, class... P>
  static auto finish(const Sliced& sliced, const P&... p) {
    const shape_view shapes[] = {{p.shape().data(), rank_of<P>}...};
    check_position_shapes(shapes, sizeof...(P));
    const auto common = broadcast(p.shape()...);
    constexpr int b = std::remove_cvref_t<decltype(common)>::axes_count, kept = rank_of<Sliced> - form.terms;
    using kind = advanced_kind<form, b>;
    indices<kept + b> x{};
    for (int a = 0; a < b; ++a) x[form.at + a] = common[a];
    for (int a = 0, to = 0; a < rank_of<Sliced>; ++a)
      if (!kind::is_replaced(a)) {
        x[to < form.at ? to : to + b] = sliced.shape()[a];
        ++to;
      }
    const auto shape = dshape<kept + b>::unchecked(x);
    if constexpr (writable_node<Sliced>)
      return broadloom::place<kind, dshape<kept + b>, Sliced, P...>(kind{}, shape, sliced, p...);
    else
      return select_elements(kind{}, shape, sliced, p...);
  }
};

template <class... I>
struct index_list {
  boost::hana::basic_tuple<I...> all;
};

}  // namespace detail

// indices(i, j, ...): the arguments of an advanced slice, as index_put_ takes them.
inline constexpr struct indices_t {
  template <class... I>
  constexpr auto operator()(const I&... i) const {
    return detail::index_list<const I*...>{boost::hana::basic_tuple<const I*...>(&i...)};
  }
} indices{};

// index_put_(out, indices(i, j), values, accumulate = false): slice(out, i, j) = values; with accumulate, adds each
// value, once for each time its position occurs (PyTorch's index_put_).
inline constexpr struct index_put_t {
  template <array Out, class... I, operand V, int Native = BROADLOOM_NATIVE>
    requires detail::writable<Out&>
  decltype(auto) operator()(Out&& out, const detail::index_list<const I*...>& at, V&& values,
                            bool accumulate = false) const {
    boost::hana::unpack(at.all, [&](const I*... i) {
      slice(detail::as_node(out), *i...)
          .template write<Native>(static_cast<V&&>(values), runtime::options{},
                                  accumulate ? runtime::update::add : runtime::update::put);
    });
    return static_cast<Out&&>(out);
  }
} index_put_{};

}  // namespace broadloom
