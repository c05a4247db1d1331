// assign_all(to(o1, e1), to(o2, e2), ...): several outputs in one pass, so that inputs they share are read from memory
// once.
#pragma once

#include <broadloom/eval/assign.hpp>

namespace broadloom {

namespace detail {

// An output and what it shall become: made by `to`, evaluated by `assign_all`.
template <class Out, class E>
struct intended {
  Out out;
  E e;
};

// Outputs with their expressions, and at most a policy behind them.
template <class... Parts>
inline constexpr bool are_intended = false;
template <>
inline constexpr bool are_intended<> = true;
template <>
inline constexpr bool are_intended<policy> = true;
template <class Out, class E, class... Rest>
inline constexpr bool are_intended<intended<Out, E>, Rest...> = are_intended<Rest...>;

constexpr policy policy_among() { return par; }
constexpr policy policy_among(const policy& given) { return given; }
template <class Out, class E, class... Rest>
constexpr policy policy_among(const intended<Out, E>&, const Rest&... rest) {
  return policy_among(rest...);
}

constexpr void assign_all_serially() {}
constexpr void assign_all_serially(const policy&) {}
template <class Out, class E, class... Rest>
constexpr void assign_all_serially(const intended<Out, E>& first, const Rest&... rest) {
  check_fits(writing::copy, first.out.shape(), first.e.shape());
  check_writable(first.out.layout(), first.out.shape());
  using T = typename Out::value_type;
  const auto shape = first.out.shape();
  using copy_node = view<const T, typename Out::shape_type, row_major>;
  const index n = shape.size();
  T* const copy = new T[static_cast<std::size_t>(n == 0 ? 1 : n)]{};
  assign_serially(view<T, typename Out::shape_type, row_major>(copy, shape, {}), first.e);
  assign_all_serially(rest...);
  assign_serially(first.out, copy_node(copy, shape, {}));
  delete[] copy;
}

template <int Native>
void assign_list(runtime::intention* list, int count, const runtime::options& how) {
  runtime::assign_all(list, count, how);
}
template <int Native>
void assign_list(runtime::intention* list, int count, const runtime::options& how, const policy&) {
  runtime::assign_all(list, count, how);
}
template <int Native, class Out, class E, class... Rest>
void assign_list(runtime::intention* list, int count, const runtime::options& how, const intended<Out, E>& first,
                 const Rest&... rest) {
  if constexpr (has_calls<E>)
    if (!calls_have_shape(first.e, first.out.shape())) {
      using done = typename calls_evaluated<E>::type;
      if constexpr (!__is_same(done, E))
        return assign_list<Native>(list, count, how,
                                   intended<Out, done>{first.out, with_calls_evaluated<Native>(first.e, how)}, rest...);
    }
  check_fits(writing::copy, first.out.shape(), first.e.shape());
  check_writable(first.out.layout(), first.out.shape());
  using code = program_code<typename program_of<E, typename Out::value_type>::type, Native, false>;
  const whole_tree<E, Native> bound(first.e);
  list[count] = {bind_output(first.out), bound.leaves, bound.count, &code::value};
  assign_list<Native>(list, count + 1, how, rest...);
}

}  // namespace detail

// to(out, e): that out shall become e, for assign_all. out: a tensor or a writable view; e: an array, an expression or
// a number that may be assigned to it. A function, not an object, since parameters are called `to` everywhere.
template <class Out, operand E>
  requires(detail::writable<Out&> && detail::assignable_from<Out&, E>)
constexpr auto to(Out&& out, E&& e) {
  using node = std::remove_cvref_t<decltype(detail::as_node(out))>;
  if constexpr (array<E>)
    return detail::intended<node, detail::captured<E>>{detail::as_node(out), detail::capture(static_cast<E&&>(e))};
  else {
    const auto number = detail::argument<detail::value_of<node>>(e);
    return detail::intended<node, std::remove_cvref_t<decltype(number)>>{detail::as_node(out), number};
  }
}
template <class Out, array E, class Error = typename detail::assignment_check<Out&, E>::error>
  requires(!detail::assignable_from<Out&, E>)
Error to(Out&&, E&&) = delete;

// assign_all(to(o1, e1), to(o2, e2), ...[, policy]): every output becomes its expression. All expressions see their
// operands as they were before; where outputs overlap, the later one's elements remain. Outputs of one shape are
// computed block by block, so that what they share is read from memory once. Throws what assign throws, before anything
// is written; when a callable throws, parts of the outputs may have been written.
inline constexpr struct assign_all_t {
  template <class... Parts, int Native = BROADLOOM_NATIVE>
    requires(detail::are_intended<Parts...>)
  constexpr void operator()(const Parts&... parts) const {
    const policy p = detail::policy_among(parts...);
    if (__builtin_is_constant_evaluated())
      detail::assign_all_serially(parts...);
    else {
      runtime::intention list[sizeof...(Parts) + 1];
      p.run([&] { detail::assign_list<Native>(list, 0, p.options(), parts...); });
    }
  }
} assign_all{};

}  // namespace broadloom
