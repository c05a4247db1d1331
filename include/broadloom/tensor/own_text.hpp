// Own elements (enable_element) in texts: brackets as those of other arrays, and each element by its type's operator<<.
#pragma once

#include <broadloom/eval/own_loop.hpp>
#include <broadloom/tensor/print.hpp>

// Apart from namespace broadloom, whose operators would be found first.
namespace broadloom_own_elements {

template <class Stream, class T>
void write_element(Stream& to, const T& x) {
  if constexpr (requires { to << x; })
    to << x;
  else {
    constexpr bool ok = requires { static_cast<long double>(x); };
    static_assert(ok, "elements of this type have no operator<< [errors.md#own-elements-text]");
    if constexpr (ok) to << static_cast<long double>(x);
  }
}

}  // namespace broadloom_own_elements

namespace broadloom::detail {

template <class X>
struct own_text {
  using T = value_of<node_of<X>>;
  static constexpr int rank = rank_of<node_of<X>>;

  static void write(stream_for<X>& to, const X& x, const format_options& how = {}) {
    if constexpr (leaf<node_of<X>> && !deferred_leaf<node_of<X>>) {
      const auto& e = as_node(x);
      indices<rank> at{};
      write_axis<0>(to, e, at, e.shape().size() > how.threshold ? how.edge_items : 0);
    } else {
      const dtensor<T, rank> computed(x);
      own_text<dtensor<T, rank>>::write(to, computed, how);
    }
  }
  static std::string text(const X& x, const format_options& how) {
    std::conditional_t<(sizeof(X) > 0), std::ostringstream, void> to;  // of <sstream>, which the program includes
    write(to, x, how);
    return to.str();
  }

 private:
  template <int Axis, class E>
  static void write_axis(stream_for<X>& to, const E& e, indices<rank>& at, index edge) {
    if constexpr (Axis == rank)
      broadloom_own_elements::write_element(to, e.element(at));
    else {
      const index n = e.shape()[Axis];
      to << '[';
      for (index i = 0; i < n; ++i) {
        if (i > 0) write_gap<Axis>(to);
        if (edge > 0 && i == edge && n > 2 * edge) {
          to << "...";
          write_gap<Axis>(to);
          i = n - edge;
        }
        at[Axis] = i;
        write_axis<Axis + 1>(to, e, at, edge);
      }
      to << ']';
    }
  }
  template <int Axis>
  static void write_gap(stream_for<X>& to) {
    if constexpr (Axis == rank - 1)
      to << ' ';
    else {
      for (int i = Axis; i < rank - 1; ++i) to << '\n';
      for (int i = 0; i <= Axis; ++i) to << ' ';
    }
  }
};

}  // namespace broadloom::detail
