// The subscripts of einsum: what "ij,jk->ik" says about operands of given shapes, and why it does not fit them.
#pragma once

#include <broadloom/core/text.hpp>
#include <broadloom/expr/capture.hpp>

namespace broadloom {

namespace errors_md {
// What einsum with subscripts that do not fit its operands "returns".
template <auto Subscripts>
struct einsum_wants_one_letter_per_axis_and_known_ones_after_the_arrow;
// And with more than it can contract.
template <auto Subscripts>
struct einsum_takes_8_arrays_and_24_different_axes_at_most;

// Static extents of one letter that differ.
template <auto Text, class... Shapes>
struct einsum_sizes_clash;
}  // namespace errors_md

namespace detail {

inline constexpr int max_einsum_operands = 8, max_einsum_axes = 24;

// The labels of an array's axes: letters; axes under an ellipsis count from the last, -1, -2 ...
struct einsum_labels {
  int count = 0;
  int list[max_einsum_axes] = {};

  constexpr void add(int label) { list[count++] = label; }
  constexpr int find(int label) const {
    for (int i = 0; i < count; ++i)
      if (list[i] == label) return i;
    return -1;
  }
};
struct einsum_parse {
  int operands = 0;
  einsum_labels inputs[max_einsum_operands] = {};
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
  if (count > max_einsum_operands) return give_up();
  r.operands = count;
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto fail = [&] {
    r.ok = false;
    return r;
  };
  int max_dots = 0;
  int i = 0;
  const auto term = [&](einsum_labels& to, int rank) {
    int letters = 0;
    for (int k = i; s[k] != '\0' && s[k] != ',' && s[k] != '-'; ++k) letters += letter(s[k]);
    bool dots = false;
    for (; s[i] != '\0' && s[i] != ',' && s[i] != '-'; ++i) {
      if (s[i] == ' ') continue;
      if (letter(s[i])) {
        if (to.count == max_einsum_axes) return false;
        to.add(s[i]);
      } else if (s[i] == '.' && s[i + 1] == '.' && s[i + 2] == '.' && !dots) {
        const int n = rank >= 0 ? rank - letters : max_dots;
        if (n < 0 || to.count + n > max_einsum_axes) return false;
        if (n > max_dots) max_dots = n;
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
  if (r.distinct() > max_einsum_axes) return give_up();
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
  for (int k = max_dots; k >= 1; --k) r.output.add(-k);
  for (int c = 'A'; c <= 'z'; ++c) {
    int times = 0;
    for (int j = 0; j < count; ++j)
      for (int k = 0; k < r.inputs[j].count; ++k) times += r.inputs[j].list[k] == c;
    if (times == 1) r.output.add(c);
  }
  return r;
}

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

// The first two static extents of a letter that do not meet: in one operand they are equal, of two operands either may
// be 1. Empty where all do.
template <text Subscripts, class... S>
constexpr sentence einsum_clash() {
  constexpr einsum_parse p = einsum_of<Subscripts, S::axes_count...>;
  const index* const extents[] = {S::static_extents.v...};
  sentence r;
  const auto compare = [&](int k, int i, int l, int j) {
    const int label = p.inputs[k].list[i];
    const index x = extents[k][i], y = extents[l][j];
    if (r.n > 0 || label != p.inputs[l].list[j] || may_equal(x, y)) return;
    if (k != l && (x == 1 || y == 1)) return;
    const char letter[] = {label < 0 ? '.' : static_cast<char>(label), '\0'};
    r << extent_text{x} << " vs " << extent_text{y} << "; sizes of subscript " << letter << " in operands " << k
      << " and " << l;
  };
  for (int k = 0; k < p.operands; ++k)
    for (int i = 0; i < p.inputs[k].count; ++i)
      for (int l = 0; l <= k; ++l)
        for (int j = 0; j < (l == k ? i : p.inputs[l].count); ++j) compare(l, j, k, i);
  return r;
}
// Why einsum is refused; void where it is not.
template <text Subscripts, class... A>
struct einsum_check {
  using error = void;
};
template <text Subscripts, class... A>
  requires(!einsum_fits<Subscripts, A...>)
struct einsum_check<Subscripts, A...> {
  using error =
      std::conditional_t<einsum_too_many<Subscripts, A...>,
                         errors_md::einsum_takes_8_arrays_and_24_different_axes_at_most<Subscripts>,
                         errors_md::einsum_wants_one_letter_per_axis_and_known_ones_after_the_arrow<Subscripts>>;
};
template <text Subscripts, class... A>
  requires(einsum_fits<Subscripts, A...> && einsum_clash<Subscripts, shape_of<node_of<A>>...>().n > 0)
struct einsum_check<Subscripts, A...> {
  static constexpr sentence words = einsum_clash<Subscripts, shape_of<node_of<A>>...>();
  using error = errors_md::einsum_sizes_clash<fit<words.n>(words), shape_of<node_of<A>>...>;
};

}  // namespace detail
}  // namespace broadloom
