// einsum_to<"n", "m">(a, b): sums of products over axes that go together by the names of their sizes.
#pragma once

#include <broadloom/expr/named.hpp>
#include <broadloom/linalg/einsum.hpp>
#include <broadloom/linalg/throw_error.hpp>

namespace broadloom {

namespace runtime {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_einsum_name(index name, index operand, index given,
                                                                     index other, index expected) {
  detail::throw_linalg(detail::linalg_error_kind::einsum_name, {name, operand, given, other, expected});
}

}  // namespace runtime

namespace errors_md {
// Names that einsum_to<...> cannot follow.
template <auto Text, class... Shapes>
struct einsum_names_do_not_fit;
}  // namespace errors_md

namespace detail {

// The operands' names as letters; an axis of static extent 1 has none and is left out.
struct einsum_names {
  einsum_parse parse{};
  index list[max_einsum_axes] = {};
  int count = 0;
  sentence mistake{};

  constexpr int find(index name) const {
    for (int i = 0; i < count; ++i)
      if (list[i] == name) return i;
    return -1;
  }
};

constexpr int first_letter = 'a';

template <class... S>
constexpr einsum_names read_einsum_names(const index* wanted, int wanted_count) {
  einsum_names r;
  const shape_view shapes[] = {{S::static_extents.v, S::axes_count}...};
  if (sizeof...(S) > max_einsum_operands) {
    r.mistake << "einsum_to takes at most " << max_einsum_operands << " arrays";
    return r;
  }
  for (const shape_view& s : shapes) {
    einsum_labels& labels = r.parse.inputs[r.parse.operands];
    for (int i = 0; i < s.rank; ++i) {
      const index e = s.extents[i];
      if (e == 1) continue;
      if (!is_named(e)) {
        r.mistake << "operand " << r.parse.operands << ", dim " << i << ": " << extent_text{e}
                  << " is no name; einsum_to<...> wants one";
        return r;
      }
      int k = r.find(e);
      if (k < 0) {
        if (r.count == max_einsum_axes) {
          r.mistake << "einsum_to takes at most " << max_einsum_axes << " different names";
          return r;
        }
        k = r.count++;
        r.list[k] = e;
      }
      if (labels.count == max_einsum_axes) {
        r.mistake << "einsum_to takes arrays of at most " << max_einsum_axes << " axes";
        return r;
      }
      labels.add(first_letter + k);
    }
    ++r.parse.operands;
  }
  for (int i = 0; i < wanted_count; ++i) {
    const int k = is_named(wanted[i]) ? r.find(wanted[i]) : -1;
    if (k < 0 || r.parse.output.find(first_letter + k) >= 0) {
      r.mistake << extent_text{wanted[i]}
                << (k < 0 ? ": no axis of an operand has this name" : ": named twice in the result of einsum_to");
      return r;
    }
    r.parse.output.add(first_letter + k);
  }
  return r;
}

// e without its axes of static extent 1 from axis At on.
template <int At, class E>
constexpr auto without_unit_axes(const E& e) {
  if constexpr (At == shape_of<E>::axes_count)
    return e;
  else if constexpr (shape_of<E>::static_extents[At] == 1)
    return without_unit_axes<At>(squeeze(e, boost::hana::integral_constant<index, At>{}));
  else
    return without_unit_axes<At + 1>(e);
}

// Sizes of one name are equal in all operands.
template <int Operands>
constexpr void check_einsum_names(const einsum_names& names, const shape_view (&now)[Operands]) {
  int first[max_einsum_axes] = {};
  index size[max_einsum_axes] = {};
  for (int i = 0; i < names.count; ++i) first[i] = -1;
  for (int k = 0; k < Operands; ++k)
    for (int i = 0; i < now[k].rank; ++i) {
      const int label = names.parse.inputs[k].list[i] - first_letter;
      const index n = now[k].extents[i];
      if (first[label] < 0) {
        first[label] = k;
        size[label] = n;
      } else if (size[label] != n)
        runtime::throw_einsum_name(names.list[label], k, n, first[label], size[label]);
    }
}

}  // namespace detail

// einsum_to<"n", "m">(a, b, ...): einsum without letters. Axes whose sizes have the same name go together; the result
// has the named axes in this order, and all other names are summed: of (n, k) and (k, m) the product of matrices. A
// name twice in one operand takes its diagonal; an axis of static extent 1 is left out, every other one has a name.
// Types, order of contraction and limits are those of einsum. Throws shape_error where a name has different sizes.
template <detail::wanted_extent... W>
struct einsum_to_t {
  template <class... S>
  static constexpr detail::einsum_names read =
      detail::read_einsum_names<S...>(detail::indices<sizeof...(W)>{{W.e...}}.v, sizeof...(W));

  template <array... A>
    requires(sizeof...(A) > 0 && read<typename detail::node_of<A>::shape_type...>.mistake.n == 0) &&
            detail::core_types_fit<detail::rule_core_number, A...>
  constexpr auto operator()(A&&... a) const {
    using common = typename detail::type_of<static_cast<dtype>(detail::promoted_code<A...>)>::type;
    using T = detail::arithmetic_type<common>;
    constexpr const auto& names = read<typename detail::node_of<A>::shape_type...>;
    return detail::rounded_from<T, common>(
        of<names>(detail::without_unit_axes<0>(detail::argument<T>(static_cast<A&&>(a)))...));
  }
  template <array... A, class Error = errors_md::einsum_names_do_not_fit<
                            detail::fit<read<typename detail::node_of<A>::shape_type...>.mistake.n>(
                                read<typename detail::node_of<A>::shape_type...>.mistake),
                            typename detail::node_of<A>::shape_type...>>
    requires(sizeof...(A) > 0 && read<typename detail::node_of<A>::shape_type...>.mistake.n != 0)
  Error operator()(A&&...) const = delete;

 private:
  template <const detail::einsum_names& Names, class... E>
  static constexpr auto of(const E&... e) {
    const detail::shape_view now[] = {{e.shape().data(), detail::shape_of<E>::axes_count}...};
    detail::check_einsum_names(Names, now);
    return detail::contract_all<Names.parse>(e...);
  }
};
template <detail::wanted_extent... W>
inline constexpr einsum_to_t<W...> einsum_to{};

}  // namespace broadloom
