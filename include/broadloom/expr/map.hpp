// The one pointwise node: a function of nodes that broadcast together. It holds, and computes only single elements.
#pragma once

#include <broadloom/expr/operands.hpp>
#include <broadloom/expr/view.hpp>
#include <broadloom/shape/broadcast.hpp>

namespace broadloom {

namespace detail {

// F of single values.
template <class F, class... T>
constexpr auto call_once(const F& f, const T&... v) {
  if constexpr (requires { typename F::stages; })
    return F::stages::scalar(v...);
  else if constexpr (requires { f.scalar(v...); })
    return f.scalar(v...);
  else
    return F::on(v...);
}

}  // namespace detail

template <class F, class Shape, class... Args>
class map : public detail::indexing<map<F, Shape, Args...>, typename F::template result<typename Args::value_type...>,
                                    Shape::axes_count> {
 public:
  using expression_tag = void;
  using map_tag = void;
  using function_type = F;
  using shape_type = Shape;
  using value_type = typename F::template result<typename Args::value_type...>;
  using args_type = detail::operands<Args...>;

  template <class... A>
  constexpr map(const F& f, const Shape& s, A&&... args) : args_{static_cast<A&&>(args)...}, shape_(s), f_(f) {}

  // auto z = v + 1; z = 1
  template <class X, class Error = errors_md::an_expression_keeps_no_elements_write_bl_tensor_z_for_auto_z>
    requires(!__is_same(X, map))
  Error operator=(const X&) const = delete;

  constexpr const Shape& shape() const { return shape_; }
  constexpr const F& function() const { return f_; }
  constexpr const args_type& args() const { return args_; }
  // The At-th operand.
  template <int At>
  constexpr const auto& arg() const {
    return detail::operand_at<At>(args_);
  }

  template <int R>
  constexpr value_type element(const detail::indices<R>& at) const {
    return detail::unpack(args_, [&](const Args&... a) { return detail::call_once(f_, a.element(at)...); });
  }

  // The operands. Public: what lists leaves would else be inlined through a function more for each node.
  args_type args_;

 private:
  [[no_unique_address]] Shape shape_;
  [[no_unique_address]] F f_;
};

namespace detail {

template <class F, class Shape, class... Args>
inline constexpr bool has_single_elements<map<F, Shape, Args...>> = (has_single_elements<Args> && ...);

template <class T>
concept map_node = expression<T> && requires { typename std::remove_cvref_t<T>::map_tag; };

// The number of leaves and scalars of a tree, each counted as often as it is mentioned.
template <class E>
inline constexpr int operand_count = 1;
template <class F, class Shape, class... Args>
inline constexpr int operand_count<map<F, Shape, Args...>> = (0 + ... + operand_count<Args>);

// The most operands of a loop. Small static shapes are computed without a loop and may have more.
inline constexpr int max_operands = 127, max_static_operands = 1023;
template <int Operands, int Most = max_operands>
struct operand_limit {
  static_assert(Operands <= Most,
                "too many operands in one expression: name what is used several times by bl::let(e), or evaluate a "
                "part of it first [errors.md#expression-too-large]");
  static constexpr int count = Operands;
};

// The node of F over such operands.
template <class F, class... Args>
struct map_of {
  using shape_type = typename broadcast_of<shape_of<Args>...>::type;
  using limit = operand_limit<(0 + ... + operand_count<std::remove_cvref_t<Args>>),
                              (shape_type::is_static ? max_static_operands : max_operands)>;
  static_assert(limit::count > 0);
  using type = map<F, shape_type, std::remove_cvref_t<Args>...>;
};

// Builds the node. Throws shape_error, which names the function, if the shapes do not broadcast.
template <class F, class... Args>
constexpr auto make_map(const F& f, Args&&... args) {
  using node = typename map_of<F, Args...>::type;
  return node(f, broadcast_checked<typename node::shape_type>(F::name(), args.shape()...),
              static_cast<Args&&>(args)...);
}

}  // namespace detail
}  // namespace broadloom
