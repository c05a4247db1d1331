// The law of static shapes: whatever extent of a result is the same for all axes, positions and amounts that only the
// run knows is in its type. Each call is made with static arrays, whose type is looked at, and with dynamic ones, which
// say what the shape really is, for every choice of the numbers.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <vector>

#include <broadloom/broadloom.hpp>

namespace law {

namespace bl = broadloom;
using bl::dyn;
using bl::index;
using extents = std::vector<index>;

// The values that a number of the run takes.
struct numbers {
  index first, last;
};
// Every axis of so many, from both ends.
inline numbers axis_of(int rank) { return {-rank, rank - 1}; }

// An array of T with these extents; each dyn one takes the values 0 to 4.
template <class T, index... E>
struct of {
  using element = T;
  using shape = bl::shape<E...>;
};

// std::vector<bool> has no elements in memory.
template <class T>
struct stored : std::type_identity<T> {};
template <>
struct stored<bool> : std::type_identity<char> {};
template <class T>
using memory = std::vector<typename stored<T>::type>;

// Elements that most functions take: distinct, not singular, small; positions are 0.
template <class T>
memory<T> elements(std::size_t n) {
  memory<T> r(n);
  for (std::size_t i = 0; i < n; ++i) {
    if constexpr (std::is_floating_point_v<T>)
      r[i] = T(static_cast<double>((i * i * 7 + i * 3) % 23) + (i % 5 == 0 ? 30.0 : 0.5));
  }
  return r;
}

template <class S>
extents extents_of(const S& s) {
  extents r;
  for (index i = 0; i < s.rank(); ++i) r.push_back(s[i]);
  return r;
}
// The shapes a result has: its own, or each of a list's.
template <class R, class F>
void each_shape(const R& r, const F& f) {
  if constexpr (bl::array<R>)
    f(extents_of(bl::detail::as_node(r).shape()));
  else
    for (const auto& part : r) f(extents_of(part.shape()));
}
template <class R>
struct result_of : std::type_identity<bl::detail::shape_of<bl::detail::node_of<R>>> {};
template <class V>
struct result_of<bl::list<V>> : std::type_identity<typename V::shape_type> {};
template <class V, std::size_t N>
struct result_of<std::array<V, N>> : std::type_identity<typename V::shape_type> {};

inline std::string text(const extents& e) {
  std::string r = "<";
  for (index n : e) r += (r.size() > 1 ? "," : "") + (n == dyn ? "dyn" : std::to_string(n));
  return r + ">";
}

// f(numbers) for each choice of them.
template <class F>
void each_choice(const std::vector<numbers>& ranges, const F& f) {
  extents c;
  for (const numbers& r : ranges) c.push_back(r.first);
  for (;;) {
    f(c);
    std::size_t k = c.size();
    while (k > 0 && c[k - 1] == ranges[k - 1].last) --k, c[k] = ranges[k].first;
    if (k == 0) return;
    ++c[k - 1];
  }
}

// What is wrong with the type of f(arrays..., numbers): empty where the law holds.
template <class... A, class F>
std::string broken(const std::vector<numbers>& ranges, const F& f) {
  constexpr int dynamic[] = {static_cast<int>(A::shape::dyn_count)..., 0};
  std::vector<numbers> all = ranges;
  for (int n : dynamic) all.insert(all.end(), static_cast<std::size_t>(n), numbers{0, 4});

  // use(f(arrays..., numbers)) with arrays of static shapes or of dynamic ones
  const auto with = [&]<class Static>(const extents& c, Static, const auto& use) {
    std::size_t next = ranges.size();
    const auto make = [&]<class T, index... E>(of<T, E...>) {
      bl::detail::indices<sizeof...(E)> e{{E...}};
      index size = 1;
      for (index& n : e) {
        if (n == dyn) n = c[next++];
        size *= n;
      }
      using shape = std::conditional_t<Static::value, bl::shape<E...>, bl::dshape<sizeof...(E)>>;
      return std::pair<memory<T>, shape>(elements<T>(static_cast<std::size_t>(size)), shape::unchecked(e));
    };
    const extents own(c.begin(), c.begin() + static_cast<std::ptrdiff_t>(ranges.size()));
    std::tuple<decltype(make(A{}))...> arrays{make(A{})...};  // from left to right
    std::apply(
        [&](auto&... x) {
          use(f(bl::view<typename A::element, std::remove_cvref_t<decltype(x.second)>>(
                    reinterpret_cast<typename A::element*>(x.first.data()), x.second)...,
                own));
        },
        arrays);
  };
  using result = typename result_of<std::remove_cvref_t<decltype(f(
      bl::view<typename A::element, typename A::shape>(nullptr, A::shape::unchecked({}))..., extents{}))>>::type;
  const auto& type = result::static_extents;

  std::vector<extents> seen;
  std::string problem;
  each_choice(all, [&](const extents& c) {
    const auto shapes = [&](auto is_static) {
      std::vector<extents> r;
      try {
        with(c, is_static, [&](const auto& x) { each_shape(x, [&](const extents& e) { r.push_back(e); }); });
      } catch (const bl::shape_error&) {
        r.push_back({-7});
      } catch (const bl::index_error&) {
        r.push_back({-7});
      }
      return r;
    };
    const auto truth = shapes(std::false_type{}), claimed = shapes(std::true_type{});
    if (truth != claimed && problem.empty())
      problem = "with the numbers " + text(c) + " the dynamic shape is " + text(truth.empty() ? extents{} : truth[0]) +
                ", the static one " + text(claimed.empty() ? extents{} : claimed[0]) + " (<-7>: it throws)";
    for (const extents& e : truth)
      if (e != extents{-7}) seen.push_back(e);
  });
  if (!problem.empty()) return problem;
  if (seen.empty()) return "no choice of its numbers is possible";
  extents common = seen[0], own(type.begin(), type.end());
  for (const extents& e : seen)
    for (std::size_t i = 0; i < e.size(); ++i)
      if (common[i] != e[i]) common[i] = dyn;
  return common == own ? "" : "the type says " + text(own) + ", runs say " + text(common);
}

// keeps<of<float, 2, 3>>("flip", {axis_of(2)}, f): the law for f(x, numbers). The name is the public name of what is
// looked at; static_shapes_names_test.py reads it.
template <class... A, class F>
void keeps(const char* name, const std::vector<numbers>& ranges, const F& f) {
  const std::string problem = broken<A...>(ranges, f);
  BOOST_TEST(problem.empty(), name << ": " << problem);
}

}  // namespace law
