// Random orders and choices: randperm, shuffle, choice, multinomial; and spawn, which makes independent generators.
// They evaluate.
#pragma once

#include <broadloom/core/flag.hpp>
#include <broadloom/index/select.hpp>
#include <broadloom/random/parameters.hpp>
#include <broadloom/tensor/eval.hpp>
#include <broadloom/tensor/flatten.hpp>
#include <broadloom/tensor/reshape.hpp>

#include <vector>

namespace broadloom {

namespace runtime {

// The first k of a random order of [0, n).
BROADLOOM_API void draw_order(std::int64_t* out, index k, index n, std::uint64_t seed, std::uint64_t position);
// k of the positions of `count` weights, each with the probability of its weight, and with or without replacement.
// Throws std::invalid_argument, which names the function, for weights that are negative, not finite or all 0, and
// without replacement where there are too few that are not 0.
BROADLOOM_API void draw_weighted(const char* function, std::int64_t* out, index k, const double* weights, index count,
                                 bool replacement, std::uint64_t seed, std::uint64_t position);
// The same with equal weights.
BROADLOOM_API void draw_any(const char* function, std::int64_t* out, index k, index count, bool replacement,
                            std::uint64_t seed, std::uint64_t position);

}  // namespace runtime

// spawn(g, n): n generators whose seeds are drawn from the next n places of g's stream by Philox, so that their streams
// are independent of each other and of g's (NumPy's Generator.spawn). Two of 2^64 seeds may be equal: by chance, with
// probability n^2 / 2^65.
template <detail::integer_like N>  // what is no template is instantiated where it is read
std::vector<generator> spawn(generator& g, N count) {
  const auto n = static_cast<index>(count);
  std::vector<generator> children;
  children.reserve(static_cast<std::size_t>(n));
  const std::uint64_t first = g.draw(n);
  for (index i = 0; i < n; ++i)
    children.emplace_back(runtime::spawned_seed(g.seed(), first + static_cast<std::uint64_t>(i)));
  return children;
}

// randperm(g, n): 0, 1, ..., n - 1 in a random order, i64 (PyTorch's randperm). Fisher and Yates's exchanges
// (Durstenfeld, Algorithm 235, 1964).
template <detail::integer_like N>
auto randperm(generator& g, N count) {
  constexpr int rank = detail::rank_for<1, N>;
  const auto n = static_cast<index>(count);
  auto out = dtensor<std::int64_t, rank>::uninitialised(dshape<rank>(n));
  runtime::draw_order(out.data(), n, n, g.seed(), g.draw(n));
  return out;
}

// shuffle(g, x, axis = 0): the slices of x along the axis in a random order, in place (NumPy's Generator.shuffle).
template <array X, detail::integer_like A = boost::hana::integral_constant<index, 0>>
void shuffle(generator& g, X&& x, A axis = {}) {
  static_assert(detail::rank_of<detail::node_of<X>> > 0,
                "shuffle: an array of rank 0 has no axis [errors.md#too-few-axes-here]");
  const auto to = detail::as_node(x);
  const int a = detail::normal_axis(static_cast<index>(axis), detail::rank_of<detail::node_of<X>>, "shuffle");
  const auto order = randperm(g, to.shape()[a]);
  assign(to, index_select(to, axis, order));
}

namespace detail {

// How many things there are to choose from: a itself, or the slices of an array along an axis.
template <class A, class Axis>
index choices_of(const A& a, const Axis& axis) {
  if constexpr (array<const A&>) {
    static_assert(rank_of<node_of<const A&>> > 0,
                  "choice: an array of rank 0 has nothing to choose from [errors.md#choice]");
    return as_node(a).shape()[normal_axis(static_cast<index>(axis), rank_of<node_of<const A&>>, "choice")];
  } else
    return static_cast<index>(a);
}
// The axes of the positions in the place of an axis.
template <int A, int B>
constexpr indices<A + B - 1> chosen_extents(const indices<A>& x, const indices<B>& at, int axis) {
  indices<A + B - 1> r{};
  for (int i = 0; i < A + B - 1; ++i) r[i] = i < axis ? x[i] : i < axis + B ? at[i - axis] : x[i - B + 1];
  return r;
}
// The slices of a at these positions, or the positions themselves.
template <class A, class S, class Axis>
auto chosen(A&& a, tensor<std::int64_t, S>&& at, const Axis& axis) {
  if constexpr (!array<A>)
    return static_cast<tensor<std::int64_t, S>&&>(at);
  else if constexpr (rank_of<node_of<A>> == 1)
    return eval(take(static_cast<A&&>(a), at));
  else {
    const auto e = capture(static_cast<A&&>(a));
    using own = shape_of<std::remove_const_t<decltype(e)>>;
    constexpr int rank = own::axes_count;
    constexpr auto known = [] {
      if constexpr (constant<Axis>)
        return chosen_extents(own::static_extents, S::static_extents, normal_axis(index{Axis::value}, rank));
      else {
        indices<rank + S::axes_count - 1> r{};
        for (index& n : r.v) n = dyn;
        return r;
      }
    }();
    const int to = normal_axis(static_cast<index>(axis), rank, "choice");
    const auto whole = shape_from<known>::unchecked(chosen_extents(e.shape().extents(), at.shape().extents(), to));
    return eval(reshape(eval(index_select(e, axis, flatten(at))), whole));
  }
}

}  // namespace detail

// choice(g, a, shape, replacement = true, axis = 0): slices of an array along the axis, or of 0, 1, ..., a - 1 as i64
// for an integer a, each equally likely; without replacement no position twice. The shape's axes stand in the place of
// the axis (NumPy's Generator.choice). choice(g, a, shape, replacement, weights, axis = 0): with probabilities in the
// proportion of the weights; without replacement each is drawn from what is left. A constant axis keeps static extents
// static. Algorithms: randint; Fisher and Yates's exchanges; inversion of the sums of the weights; without replacement
// Efraimidis and Spirakis, Weighted random sampling with a reservoir (2006). Throws std::invalid_argument where there
// is nothing to choose from, or too little without replacement, and for weights that are negative, not finite, or all
// 0; shape_error for another number of weights.
namespace errors_md {
// choice(g, 10, 3)
struct write_the_shape_in_braces_choice_g_a_3_false;
}  // namespace errors_md
template <class A, detail::integer_like N, class... More>
errors_md::write_the_shape_in_braces_choice_g_a_3_false choice(generator&, const A&, N, const More&...);
template <class A, shape_type S, detail::integer_like Axis = boost::hana::integral_constant<index, 0>>
  requires(detail::integer_like<std::remove_cvref_t<A>> || array<A>)
auto choice(generator& g, A&& a, const S& s, detail::plain_flag replacement = true, Axis axis = {}) {
  auto at = tensor<std::int64_t, S>::uninitialised(s);
  runtime::draw_any("choice", at.data(), at.size(), detail::choices_of(a, axis), replacement, g.seed(),
                    g.draw(at.size()));
  return detail::chosen(static_cast<A&&>(a), static_cast<decltype(at)&&>(at), axis);
}
template <class A, int R, detail::integer_like Axis = boost::hana::integral_constant<index, 0>>
  requires(detail::integer_like<std::remove_cvref_t<A>> || array<A>)
auto choice(generator& g, A&& a, detail::braced_extents<R> s, detail::plain_flag replacement = true, Axis axis = {}) {
  return choice(g, static_cast<A&&>(a), detail::braced_shape<R>(s), replacement, axis);
}
template <class A, shape_type S, array W, detail::integer_like Axis = boost::hana::integral_constant<index, 0>>
  requires(detail::integer_like<std::remove_cvref_t<A>> || array<A>)
auto choice(generator& g, A&& a, const S& s, detail::plain_flag replacement, W&& weights, Axis axis = {}) {
  static_assert(detail::rank_of<detail::node_of<W>> == 1, "choice: the weights have one axis [errors.md#other-rank]");
  const auto w = eval(cast<double>(static_cast<W&&>(weights)));
  const index count = detail::choices_of(a, axis);
  if (w.size() != count)
    detail::refuse("a and the weights must have as many elements", "choice", dshape<1>(count), w.shape());
  auto at = tensor<std::int64_t, S>::uninitialised(s);
  runtime::draw_weighted("choice", at.data(), at.size(), w.data(), count, replacement, g.seed(),
                         g.draw(replacement ? at.size() : count));
  return detail::chosen(static_cast<A&&>(a), static_cast<decltype(at)&&>(at), axis);
}
template <class A, int R, array W, detail::integer_like Axis = boost::hana::integral_constant<index, 0>>
  requires(detail::integer_like<std::remove_cvref_t<A>> || array<A>)
auto choice(generator& g, A&& a, detail::braced_extents<R> s, detail::plain_flag replacement, W&& weights,
            Axis axis = {}) {
  return choice(g, static_cast<A&&>(a), detail::braced_shape<R>(s), replacement, static_cast<W&&>(weights), axis);
}

// multinomial(g, weights, n, replacement = false): n positions for each row of weights, of one axis or two, with
// probabilities in their proportion; i64 (PyTorch's multinomial; NumPy's is multinomial_counts). Algorithms and errors
// as choice.
template <array W>
auto multinomial(generator& g, W&& weights, index n, detail::plain_flag replacement = false) {
  constexpr int rank = detail::rank_of<detail::node_of<W>>;
  static_assert(rank == 1 || rank == 2, "multinomial: the weights have one axis or two [errors.md#other-rank]");
  const auto w = tensor<double, dshape<rank>>(cast<double>(static_cast<W&&>(weights)));
  auto extents = w.shape().extents();
  const index count = extents[rank - 1], rows = rank == 2 ? extents[0] : 1;
  extents[rank - 1] = n;
  auto out = dtensor<std::int64_t, rank>::uninitialised(dshape<rank>::unchecked(extents));
  for (index i = 0; i < rows; ++i)
    runtime::draw_weighted("multinomial", out.data() + i * n, n, w.data() + i * count, count, replacement, g.seed(),
                           g.draw(replacement ? n : count));
  return out;
}

// Other arguments.
namespace detail {
struct randperm_call {
  static constexpr text call{"randperm(g, n)"};
};
struct shuffle_call {
  static constexpr text call{"shuffle(g, x, axis)"};
};
struct choice_call {
  static constexpr text call{"choice(g, x, {2, 3}, false)"};
};
struct multinomial_call {
  static constexpr text call{"multinomial(g, weights, n, true)"};
};
struct spawn_call {
  static constexpr text call{"spawn(g, n)"};
};
}  // namespace detail
template <class... T>
errors_md::write_the_arguments_as_in<detail::randperm_call::call> randperm(detail::any_other = {},
                                                                           detail::any_other = {},
                                                                           detail::any_other = {});
template <class... T>
errors_md::write_the_arguments_as_in<detail::shuffle_call::call> shuffle(detail::any_other = {}, detail::any_other = {},
                                                                         detail::any_other = {},
                                                                         detail::any_other = {});
template <class... T>
errors_md::write_the_arguments_as_in<detail::choice_call::call> choice(detail::any_other = {}, detail::any_other = {},
                                                                       detail::any_other = {}, detail::any_other = {},
                                                                       detail::any_other = {}, detail::any_other = {});
template <class... T>
errors_md::write_the_arguments_as_in<detail::multinomial_call::call> multinomial(detail::any_other = {},
                                                                                 detail::any_other = {},
                                                                                 detail::any_other = {},
                                                                                 detail::any_other = {},
                                                                                 detail::any_other = {});
template <class... T>
errors_md::write_the_arguments_as_in<detail::spawn_call::call> spawn(detail::any_other = {}, detail::any_other = {},
                                                                     detail::any_other = {});

}  // namespace broadloom
