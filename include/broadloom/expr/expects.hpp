// expects<"(b,n),(b,n)">(x, y): sizes of arguments that must be the same, checked in one place.
#pragma once

#include <broadloom/core/throw_error.hpp>
#include <broadloom/expr/broadcast_tensors.hpp>
#include <broadloom/expr/named.hpp>

namespace broadloom {

namespace errors_md {
// Arguments whose ranks or static extents are not what expects<...> says.
template <auto Text, class... Shapes>
struct arguments_are_not_as_expected;
}  // namespace errors_md

namespace detail {

// "(b,n),(b,3)" as extents: names, numbers, and dyn for _.
struct expectation {
  static constexpr int max_arguments = 16, max_axes = 16;
  int arguments = 0;
  int ranks[max_arguments] = {};
  index extents[max_arguments][max_axes] = {};
  bool ok = false;
};

constexpr expectation read_expectation(const char* s) {
  expectation r;
  int i = 0;
  const auto blank = [&] {
    while (s[i] == ' ') ++i;
  };
  for (;;) {
    blank();
    if (s[i++] != '(' || r.arguments == expectation::max_arguments) return r;
    int& rank = r.ranks[r.arguments];
    blank();
    while (s[i] != ')') {
      if (rank == expectation::max_axes) return r;
      const int from = i;
      while (name_code(s[i]) != 0) ++i;
      index e = packed_name(s + from, i - from);
      if (i - from == 1 && s[from] == '_')
        e = dyn;
      else if (e == dyn)
        return r;
      else if (s[from] >= '0' && s[from] <= '9') {
        e = 0;
        for (int k = from; k < i; ++k) {
          if (s[k] < '0' || s[k] > '9') return r;
          e = e * 10 + (s[k] - '0');
        }
      }
      r.extents[r.arguments][rank++] = e;
      blank();
      if (s[i] == ',') {
        ++i;
        blank();
        if (s[i] == ')') return r;
      } else if (s[i] != ')')
        return r;
    }
    ++i;
    ++r.arguments;
    blank();
    if (s[i] == '\0') break;
    if (s[i++] != ',') return r;
  }
  r.ok = true;
  return r;
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_not_expected(const char* expected, index name, int argument,
                                                                      int axis, index size, int other, index wanted) {
  throw_error(error_kind::not_expected, {expected, name, argument, axis, size, other, wanted});
}

// What is known of each axis: the size in any argument's type where that is a number, else the name.
template <class... S>
constexpr expectation known_expectation(expectation r) {
  const shape_view types[] = {{S::static_extents.v, S::axes_count}...};
  for (int pass = 0; pass < 2; ++pass)
    for (int i = 0; i < r.arguments; ++i)
      for (int k = 0; k < r.ranks[i]; ++k) {
        const index name = r.extents[i][k], known = types[i].extents[k];
        if (is_dyn(known)) continue;
        r.extents[i][k] = known;
        for (int j = 0; is_named(name) && j < r.arguments; ++j)
          for (int l = 0; l < r.ranks[j]; ++l)
            if (r.extents[j][l] == name) r.extents[j][l] = known;
      }
  return r;
}

// The first argument whose type is not as expected; empty where the compiler sees none.
template <class... S>
constexpr sentence expectation_mistake(const expectation& x) {
  sentence s;
  const shape_view types[] = {{S::static_extents.v, S::axes_count}...};
  for (int i = 0; i < x.arguments; ++i)
    if (types[i].rank != x.ranks[i] && s.n == 0)
      s << "argument " << i << ": " << types[i].rank << " axes, not " << x.ranks[i] << " as expected";
  if (s.n > 0) return s;
  for (int i = 0; i < x.arguments; ++i)
    for (int k = 0; k < x.ranks[i]; ++k) {
      const index name = x.extents[i][k], known = types[i].extents[k];
      if (known == dyn) continue;
      if (name >= 0 && !is_dyn(known) && known != name) {
        s << "argument " << i << ", axis " << k << ": " << known << ", not " << name << " as expected";
        return s;
      }
      for (int j = 0; is_named(name) && j <= i; ++j)
        for (int l = 0; l < (j == i ? k : x.ranks[j]); ++l) {
          const index other = types[j].extents[l];
          if (x.extents[j][l] != name || other == dyn || other == known || is_named(other) != is_named(known)) continue;
          s << extent_text{name} << " is " << extent_text{known} << " vs " << extent_text{other} << ": argument " << i
            << ", axis " << k << "; argument " << j << ", axis " << l;
          return s;
        }
    }
  return s;
}

template <expectation X, int At>
constexpr auto expected_extents() {
  indices<X.ranks[At]> r{};
  for (int k = 0; k < X.ranks[At]; ++k) r[k] = X.extents[At][k];
  return r;
}

// Sizes of one name are the same; numbers are checked by renamed().
constexpr void check_expectation(const char* text, const expectation& x, const shape_view* types) {
  for (int i = 0; i < x.arguments; ++i)
    for (int k = 0; k < x.ranks[i]; ++k) {
      const index e = x.extents[i][k], size = types[i].extents[k];
      if (e >= 0 && size != e) throw_not_expected(text, dyn, i, k, size, -1, e);
      for (int j = 0; is_named(e) && j <= i; ++j)
        for (int l = 0; l < (j == i ? k : x.ranks[j]); ++l)
          if (x.extents[j][l] == e && types[j].extents[l] != size)
            throw_not_expected(text, e, i, k, size, j, types[j].extents[l]);
    }
}

}  // namespace detail

// expects<"(b,n),(b,3)">(x, y, ...): what the sizes of arguments must be. A name stands for one size wherever it is
// written, a number for itself, _ for any size; ranks are part of it. What the types say is checked by the compiler,
// the rest once, here: throws shape_error that says which argument, axis, name and sizes. Gives views of the arguments
// whose types have the names: auto [a, b] = expects<"(b,n),(b,n)">(x, y); a + b then needs no check that could fail.
template <detail::text Expected>
struct expects_t {
  static constexpr detail::expectation parsed = detail::read_expectation(Expected.c);
  static_assert(parsed.ok,
                "not a list of shapes such as \"(b,n),(b,3)\": names of 1 to 10 characters, numbers, or _ "
                "[errors.md#list-of-shapes]");

  template <array... A>
    requires(sizeof...(A) == parsed.arguments) &&
            (detail::expectation_mistake<typename detail::node_of<A>::shape_type...>(parsed).n == 0)
  constexpr auto operator()(A&&... a) const {
    return detail::unpack(
        boost::hana::basic_tuple<detail::node_of<A>...>(detail::as_node(static_cast<A&&>(a))...), [](const auto&... e) {
          check_shapes(e.shape()...);
          return [&]<int... At>(detail::sequence<At...>) {
            return together(
                detail::renamed<detail::expected_extents<known<typename detail::node_of<A>::shape_type...>, At>()>(
                    e)...);
          }(detail::make_sequence<sizeof...(A)>{});
        });
  }
  template <array... A,
            class Error = errors_md::arguments_are_not_as_expected<
                detail::fit<detail::expectation_mistake<typename detail::node_of<A>::shape_type...>(parsed).n>(
                    detail::expectation_mistake<typename detail::node_of<A>::shape_type...>(parsed)),
                typename detail::node_of<A>::shape_type...>>
    requires(sizeof...(A) == parsed.arguments) &&
                (detail::expectation_mistake<typename detail::node_of<A>::shape_type...>(parsed).n != 0)
  Error operator()(A&&...) const = delete;

 private:
  template <class... S>
  static constexpr detail::expectation known = detail::known_expectation<S...>(parsed);
  template <class... S>
  static constexpr void check_shapes(const S&... s) {
    const detail::shape_view shapes[] = {{s.data(), S::axes_count}...};
    detail::check_expectation(Expected.c, known<S...>, shapes);
  }
  template <class... V>
  static constexpr views_together<V...> together(const V&... v) {
    return {boost::hana::basic_tuple<V...>(v...)};
  }
};
template <detail::text Expected>
inline constexpr expects_t<Expected> expects{};

}  // namespace broadloom
