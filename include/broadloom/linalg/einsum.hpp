// einsum<"ij,jk->ik">(a, b): sums of products over subscripts known to the compiler, contracted pair by pair from left
// to right; einsum("ij,jk->ik", a, b): over subscripts that are read at run time.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/linalg/contraction.hpp>
#include <broadloom/linalg/materialized.hpp>
#include <broadloom/linalg/subscripts.hpp>
#include <broadloom/linalg/throw_error.hpp>
#include <broadloom/tensor/any_tensor.hpp>

namespace broadloom {

namespace runtime {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_einsum_size(char label, index operand, index given,
                                                                     index expected) {
  detail::throw_linalg(detail::linalg_error_kind::einsum_size, {label, operand, given, expected});
}

// A result in memory of its own, which the caller gives back, and where its axes are.
struct einsum_result {
  int rank;
  index extents[detail::max_einsum_axes], strides[detail::max_einsum_axes];
  void* data;
  std::size_t bytes;
};
// Throws shape_error for subscripts that do not fit the operands.
BROADLOOM_API einsum_result contract_by_text(const char* subscripts, dtype type, const stacked_operand* in, int count);

}  // namespace runtime

namespace detail {

// How two arrays are contracted, and the labels of what they give: `wanted` says which labels are needed afterwards.
struct einsum_step {
  contraction_plan plan{};
  einsum_labels result{};
};
constexpr einsum_step step_of(const einsum_labels& a, const einsum_labels& b, const einsum_labels& wanted) {
  einsum_step r;
  const auto add = [&](int label, int in_a, int in_b, bool kept) {
    r.plan.list[r.plan.count++] = {in_a, in_b, kept};
    if (kept) {
      ++r.plan.kept;
      r.result.add(label);
    }
  };
  for (int i = 0; i < a.count; ++i)
    if (wanted.find(a.list[i]) >= 0 && b.find(a.list[i]) >= 0) add(a.list[i], i, b.find(a.list[i]), true);
  for (int i = 0; i < a.count; ++i)
    if (wanted.find(a.list[i]) >= 0 && b.find(a.list[i]) < 0) add(a.list[i], i, -1, true);
  for (int i = 0; i < b.count; ++i)
    if (wanted.find(b.list[i]) >= 0 && a.find(b.list[i]) < 0) add(b.list[i], -1, i, true);
  for (int i = 0; i < a.count; ++i)
    if (wanted.find(a.list[i]) < 0) add(a.list[i], i, b.find(a.list[i]), false);
  for (int i = 0; i < b.count; ++i)
    if (wanted.find(b.list[i]) < 0 && a.find(b.list[i]) < 0) add(b.list[i], -1, i, false);
  return r;
}

struct einsum_name {
  static constexpr const char* name() { return "einsum"; }
};

// An operand whose equal labels became one axis, their diagonal.
constexpr int first_repeated(const einsum_labels& l) {
  for (int i = 0; i < l.count; ++i)
    if (l.find(l.list[i]) != i) return i;
  return -1;
}
constexpr einsum_labels without_pair(const einsum_labels& l, int second) {
  einsum_labels r;
  const int label = l.list[second], first = l.find(label);
  for (int i = 0; i < l.count; ++i)
    if (i != first && i != second) r.add(l.list[i]);
  r.add(label);
  return r;
}
// e, one of whose axes is known to have the other's extent.
template <int First, int Second, class E>
constexpr auto with_equal_extents(const E& e) {
  constexpr auto known = [] {
    auto x = shape_of<E>::static_extents;
    if (x[First] == dyn) x[First] = x[Second];
    x[Second] = x[First];
    return x;
  }();
  if constexpr (known == shape_of<E>::static_extents)
    return e;
  else
    return expand(e, shape_from<known>::unchecked(e.shape().extents()));
}

template <einsum_labels L, class E>
constexpr auto labelled_diagonal(const E& e) {
  constexpr int second = first_repeated(L);
  if constexpr (second < 0)
    return e;
  else {
    constexpr int first = L.find(L.list[second]);
    if (e.shape()[first] != e.shape()[second])
      runtime::throw_einsum_size(static_cast<char>(L.list[second]), 0, e.shape()[second], e.shape()[first]);
    using zero = boost::hana::integral_constant<index, 0>;
    return labelled_diagonal<without_pair(L, second)>(diagonal(with_equal_extents<first, second>(e), zero{},
                                                               boost::hana::integral_constant<index, first>{},
                                                               boost::hana::integral_constant<index, second>{}));
  }
}
constexpr einsum_labels without_repeats(einsum_labels l) {
  for (int second = first_repeated(l); second >= 0; second = first_repeated(l)) l = without_pair(l, second);
  return l;
}

// Extents of a label that both operands have must agree or be 1; sizes of one name must agree.
template <einsum_labels A, einsum_labels B, class Left, class Right>
constexpr void check_labels(const Left& a, const Right& b, int operand) {
  for (int i = 0; i < A.count; ++i) {
    const int j = B.find(A.list[i]);
    if (j < 0) continue;
    const index x = a[i], y = b[j];
    if (x != y && ((x != 1 && y != 1) || is_named(Left::static_extents[i])))
      runtime::throw_einsum_size(A.list[i] < 0 ? '.' : static_cast<char>(A.list[i]), operand, y, x);
  }
}

// The labels needed after operand `done`.
constexpr einsum_labels wanted_after(const einsum_parse& p, int done) {
  einsum_labels r = p.output;
  for (int k = done + 1; k < p.operands; ++k)
    for (int i = 0; i < p.inputs[k].count; ++i)
      if (r.find(p.inputs[k].list[i]) < 0) r.add(p.inputs[k].list[i]);
  return r;
}

template <einsum_labels A, einsum_labels B, einsum_labels Wanted, class Left, class Right>
constexpr auto contracted_pair(const Left& a, const Right& b) {
  constexpr einsum_step step = step_of(A, B, Wanted);
  using source = contraction<step.plan, einsum_name, Left, Right>;
  return deferred<source>(source(a, b));
}

template <einsum_parse P, int Next, einsum_labels L, class E, class... Rest>
constexpr auto contract_rest(const E& e, const Rest&... rest) {
  if constexpr (sizeof...(Rest) == 0) {
    // In the order of the output's subscripts.
    if constexpr (L.count == 0)
      return e;
    else
      return [&]<int... At>(sequence<At...>) {
        return permute(e, axes<L.find(P.output.list[At])...>);
      }(make_sequence<P.output.count>{});
  } else
    return [&]<class Second, class... More>(const Second& second, const More&... more) {
      constexpr einsum_labels R = without_repeats(P.inputs[Next]);
      const auto right = labelled_diagonal<P.inputs[Next]>(second);
      check_labels<L, R>(e.shape(), right.shape(), Next);
      constexpr einsum_labels wanted = wanted_after(P, Next);
      constexpr einsum_labels after = step_of(L, R, wanted).result;
      return contract_rest<P, Next + 1, after>(contracted_pair<L, R, wanted>(e, right), more...);
    }(rest...);
}

// The number 1 as an array, by which a single operand is multiplied.
template <class T>
constexpr auto one_element() {
  return inline_array<T, 1, shape<>, row_major>(fixed_array<T, 1>{{T(1)}}, 0, shape<>{}, {});
}

template <einsum_parse P, class E, class... Rest>
constexpr auto contract_all(const E& first, const Rest&... rest) {
  constexpr einsum_labels L = without_repeats(P.inputs[0]);
  const auto left = labelled_diagonal<P.inputs[0]>(first);
  if constexpr (sizeof...(Rest) == 0) {
    constexpr einsum_labels after = step_of(L, einsum_labels{}, P.output).result;
    return contract_rest<P, 1, after>(contracted_pair<L, einsum_labels{}, P.output>(left, one_element<value_of<E>>()));
  } else
    return contract_rest<P, 1, L>(left, rest...);
}

}  // namespace detail

// einsum<"ij,jk->ik">(a, b): a letter for each axis; axes with the same letter go together, and letters that are not
// after the arrow are summed. A letter twice in one operand takes its diagonal; "..." stands for the axes that are
// left, which broadcast; without an arrow the result has the letters that occur once, in the alphabet's order. An
// extent of 1 broadcasts (torch.einsum, numpy.einsum). Operands are contracted from left to right; at
// most 8, of at most 24 different axes together. Any elements but bool, promoted. Where static extents of a letter
// differ, it does not compile; throws shape_error where others do.
template <detail::text Subscripts, array... A, class Error = typename detail::einsum_check<Subscripts, A...>::error>
  requires(std::is_void_v<Error>) && detail::core_types_fit<detail::rule_core_number, A...>
constexpr auto einsum(A&&... a) {
  using common = typename detail::type_of<static_cast<dtype>(detail::promoted_code<A...>)>::type;
  using T = detail::arithmetic_type<common>;
  return detail::rounded_from<T, common>(
      detail::contract_all<detail::einsum_of<Subscripts, detail::rank_of<detail::node_of<A>>...>>(
          detail::argument<T>(static_cast<A&&>(a))...));
}
template <detail::text Subscripts, array... A, class Error = typename detail::einsum_check<Subscripts, A...>::error>
  requires(!std::is_void_v<Error>)
Error einsum(A&&...) BROADLOOM_REFUSED;

namespace detail {
inline constexpr text einsum_call{"einsum<\"ij,jk->ik\">(x, y)"};
}  // namespace detail
template <array A, class... B, class Error = errors_md::write_the_arguments_as_in<detail::einsum_call>>
Error einsum(const A&, const B&...);

namespace detail {

// Memory that compiled code allocated.
class owned_memory {
 public:
  owned_memory(void* data, std::size_t bytes) : data_(data), bytes_(bytes) {}
  owned_memory(owned_memory&& o) noexcept : data_(o.data_), bytes_(o.bytes_) { o.data_ = nullptr; }
  owned_memory& operator=(owned_memory&&) = delete;
  ~owned_memory() {
    if (data_ != nullptr) runtime::deallocate(data_, bytes_);
  }

 private:
  void* data_;
  std::size_t bytes_;
};

template <class T, class... E>
any_tensor<T> contracted_by_text(const char* subscripts, const E&... e) {
  const held_operands<BROADLOOM_NATIVE, make_sequence<sizeof...(E)>, E...> held(runtime::options{}, e...);
  runtime::stacked_operand in[sizeof...(E)];
  held.list(in, e...);
  const runtime::einsum_result r = runtime::contract_by_text(subscripts, compiled_dtype<T>(), in, sizeof...(E));
  owned_memory owner(r.data, r.bytes);
  list<index> extents(r.extents, r.extents + r.rank), strides(r.strides, r.strides + r.rank);
  return any_tensor<T>(static_cast<owned_memory&&>(owner), static_cast<T*>(r.data), static_cast<list<index>&&>(extents),
                       static_cast<list<index>&&>(strides));
}

}  // namespace detail

// einsum(text, a, b, ...): einsum<...>(a, b, ...) with subscripts that are read when it is called. It evaluates; how
// many axes the result has is known then only, so it is an any_tensor: dtensor<float, 2> c = einsum(text, a, b), or
// einsum(text, a, b).as_rank<2>() in an expression. Throws shape_error for subscripts that do not fit the arrays, and
// as einsum does.
template <array... A>
  requires(sizeof...(A) > 0) && detail::core_types_fit<detail::rule_core_number, A...>
auto einsum(const char* subscripts, A&&... a) {
  using common = typename detail::type_of<static_cast<dtype>(detail::promoted_code<A...>)>::type;
  using T = detail::arithmetic_type<common>;
  auto r = detail::contracted_by_text<T>(subscripts, detail::argument<T>(static_cast<A&&>(a))...);
  if constexpr (__is_same(T, common))
    return r;
  else {
    // The strides are those of a permuted array without gaps: its elements lie in one row.
    const index n = r.size();
    auto rounded = eval(cast<common>(view<const T, dshape<1>>(r.data(), dshape<1>(n))));
    common* const data = rounded.data();
    return any_tensor<common>(static_cast<decltype(rounded)&&>(rounded), data, r.extents(), r.strides());
  }
}

// The same of a std::string.
template <class Text, array... A>
  requires requires(const Text& t) {
    { t.c_str() } -> std::convertible_to<const char*>;
  } && (sizeof...(A) > 0) && detail::core_types_fit<detail::rule_core_number, A...>
auto einsum(const Text& subscripts, A&&... a) {
  return einsum(subscripts.c_str(), static_cast<A&&>(a)...);
}

}  // namespace broadloom
