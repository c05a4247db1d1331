// Where the axes of an advanced slice come from and go to: NumPy's rule for the order of its axes.
#pragma once

#include <broadloom/expr/slice.hpp>
#include <broadloom/index/selected.hpp>

namespace broadloom {

namespace detail {

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
template <int R, class... Index>
constexpr advanced_form form_of() {
  advanced_form f;
  constexpr int taken = (0 + ... + axes_taken<Index>());
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
  (one(kind_of_item<Index>(), axes_taken<Index>(), is_ellipsis<std::remove_cvref_t<Index>>), ...);
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
  template <int R, class X, class... Index>
  constexpr auto element(const indices<R>& at, const X& x, const Index&... i) const {
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
      origin[Form.axis[k]] = checked_position(static_cast<index>(g.element(position)), x.shape()[Form.axis[k]],
                                              Form.said[k], true, name());
      ++k;
    };
    (one(i), ...);
    return x.element(origin);
  }
};

}  // namespace detail

}  // namespace broadloom
