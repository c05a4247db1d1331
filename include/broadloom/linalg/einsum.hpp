// einsum<"ij,jk->ik">(a, b): sums of products over subscripts known to the compiler, contracted pair by pair from left
// to right.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/linalg/contraction.hpp>

namespace broadloom {

namespace runtime {

[[noreturn]] BROADLOOM_API void throw_einsum_size(char label, index operand, index given, index expected);

}  // namespace runtime

// What einsum with subscripts that do not fit its operands "returns".
template <auto Subscripts>
struct einsum_wants_one_letter_per_axis_and_known_ones_after_the_arrow;
// And with more than it can contract.
template <auto Subscripts>
struct einsum_takes_8_arrays_and_24_different_axes_at_most;

namespace detail {

inline constexpr int most_einsum_operands = 8, most_einsum_axes = 24;

// The labels of an array's axes: letters; axes under an ellipsis count from the last, -1, -2 ...
struct einsum_labels {
  int count = 0;
  int list[most_einsum_axes] = {};

  constexpr void add(int label) { list[count++] = label; }
  constexpr int find(int label) const {
    for (int i = 0; i < count; ++i)
      if (list[i] == label) return i;
    return -1;
  }
};
struct einsum_parse {
  int operands = 0;
  einsum_labels inputs[most_einsum_operands] = {};
  einsum_labels output = {};
  bool ok = true;
  bool too_many = false;  // arrays or labels, whatever they say

  // The number of different labels.
  constexpr int distinct() const {
    int n = 0;
    for (int k = 0; k < operands; ++k)
      for (int i = 0; i < inputs[k].count; ++i) {
        bool before = inputs[k].find(inputs[k].list[i]) < i;
        for (int j = 0; j < k; ++j) before = before || inputs[j].find(inputs[k].list[i]) >= 0;
        n += !before;
      }
    return n;
  }
};

// Reads the subscripts for operands of the given ranks.
constexpr einsum_parse read_subscripts(const char* s, const int* ranks, int count) {
  einsum_parse r;
  const auto give_up = [&] {
    r.ok = false;
    r.too_many = true;
    return r;
  };
  if (count > most_einsum_operands) return give_up();
  r.operands = count;
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto fail = [&] {
    r.ok = false;
    return r;
  };
  int most_dots = 0;
  int i = 0;
  const auto term = [&](einsum_labels& to, int rank) {
    int letters = 0;
    for (int k = i; s[k] != '\0' && s[k] != ',' && s[k] != '-'; ++k) letters += letter(s[k]);
    bool dots = false;
    for (; s[i] != '\0' && s[i] != ',' && s[i] != '-'; ++i) {
      if (s[i] == ' ') continue;
      if (letter(s[i])) {
        if (to.count == most_einsum_axes) return false;
        to.add(s[i]);
      } else if (s[i] == '.' && s[i + 1] == '.' && s[i + 2] == '.' && !dots) {
        const int n = rank >= 0 ? rank - letters : most_dots;
        if (n < 0 || to.count + n > most_einsum_axes) return false;
        if (n > most_dots) most_dots = n;
        for (int k = n; k >= 1; --k) to.add(-k);
        dots = true;
        i += 2;
      } else
        return false;
    }
    return rank < 0 || to.count == rank;
  };
  for (int k = 0; k < count; ++k) {
    if (!term(r.inputs[k], ranks[k])) return fail();
    if (k + 1 < count) {
      if (s[i] != ',') return fail();
      ++i;
    }
  }
  // What is left after a step has at most as many.
  if (r.distinct() > most_einsum_axes) return give_up();
  if (s[i] == '-') {
    if (s[i + 1] != '>') return fail();
    i += 2;
    if (!term(r.output, -1) || s[i] != '\0') return fail();
    for (int k = 0; k < r.output.count; ++k) {
      bool found = false;
      for (int j = 0; j < count; ++j) found = found || r.inputs[j].find(r.output.list[k]) >= 0;
      if (!found || r.output.find(r.output.list[k]) != k) return fail();
    }
    return r;
  }
  if (s[i] != '\0') return fail();
  // Without an arrow: the axes under ellipses, then the labels that occur once, in the alphabet's order.
  for (int k = most_dots; k >= 1; --k) r.output.add(-k);
  for (int c = 'A'; c <= 'z'; ++c) {
    int times = 0;
    for (int j = 0; j < count; ++j)
      for (int k = 0; k < r.inputs[j].count; ++k) times += r.inputs[j].list[k] == c;
    if (times == 1) r.output.add(c);
  }
  return r;
}

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

template <text Subscripts, int... Rank>
inline constexpr einsum_parse einsum_of = [] {
  const int ranks[] = {Rank...};
  return read_subscripts(Subscripts.c, ranks, sizeof...(Rank));
}();

// The subscripts say one letter for each axis of each operand, and after the arrow only such letters.
template <text Subscripts, class... A>
inline constexpr bool einsum_fits = false;
template <text Subscripts, array... A>
  requires(sizeof...(A) > 0)
inline constexpr bool einsum_fits<Subscripts, A...> = einsum_of<Subscripts, rank_of<node_of<A>>...>.ok;
template <text Subscripts, class... A>
inline constexpr bool einsum_too_many = false;
template <text Subscripts, array... A>
  requires(sizeof...(A) > 0)
inline constexpr bool einsum_too_many<Subscripts, A...> = einsum_of<Subscripts, rank_of<node_of<A>>...>.too_many;

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

// Extents of a label that both operands have must agree or be 1.
template <einsum_labels A, einsum_labels B, class Left, class Right>
constexpr void check_labels(const Left& a, const Right& b, int operand) {
  for (int i = 0; i < A.count; ++i) {
    const int j = B.find(A.list[i]);
    if (j < 0) continue;
    const index x = a[i], y = b[j];
    if (x != y && x != 1 && y != 1)
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
    // In the order asked for.
    if constexpr (L.count == 0)
      return e;
    else
      return [&]<int... I>(sequence<I...>) {
        return permute(e, axes<L.find(P.output.list[I])...>);
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
// most 8, of at most 24 different axes together. Any elements but bool, promoted. Throws shape_error where extents of a
// letter differ.
template <detail::text Subscripts>
struct einsum_t {
  template <array... A>
    requires detail::einsum_fits<Subscripts, A...> && detail::core_types_fit<detail::rule_core_number, A...>
  constexpr auto operator()(A&&... a) const {
    using T = typename detail::type_of<static_cast<dtype>(detail::promoted_code<A...>)>::type;
    return detail::contract_all<detail::einsum_of<Subscripts, detail::rank_of<detail::node_of<A>>...>>(
        detail::argument<T>(static_cast<A&&>(a))...);
  }
  template <array... A, class Error = einsum_wants_one_letter_per_axis_and_known_ones_after_the_arrow<Subscripts>>
    requires(!detail::einsum_fits<Subscripts, A...> && !detail::einsum_too_many<Subscripts, A...>)
  Error operator()(A&&...) const = delete;
  template <array... A, class Error = einsum_takes_8_arrays_and_24_different_axes_at_most<Subscripts>>
    requires detail::einsum_too_many<Subscripts, A...>
  Error operator()(A&&...) const = delete;
};
template <detail::text Subscripts>
inline constexpr einsum_t<Subscripts> einsum{};

}  // namespace broadloom
