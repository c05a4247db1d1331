// What is known of the distributed leaves of a tree: whether it has any, how their rows are distributed, and the name
// of their first axis.
#pragma once

#include <initializer_list>
#include <type_traits>
#include <utility>

#include <broadloom/distributed/leaf.hpp>
#include <broadloom/linalg/stacked.hpp>

namespace broadloom::distributed::detail {

// A reduction, a running one or a let: computed from one tree.
template <class Source>
concept of_one_tree = requires(const Source& s) { s.tree(); };
template <class Source>
using tree_of = std::remove_cvref_t<decltype(std::declval<const Source&>().tree())>;

// Whether a tree has distributed leaves, as far as the compiler sees it.
template <class E>
inline constexpr bool is_distributed = distributed_leaf<E>;
template <class F, class Shape, class... Args>
inline constexpr bool is_distributed<broadloom::map<F, Shape, Args...>> = (is_distributed<Args> || ...);
template <of_one_tree Source, class Shape, class Layout>
inline constexpr bool is_distributed<deferred<Source, Shape, Layout>> = is_distributed<tree_of<Source>>;
template <class F, class S, class... Args, class Shape, class Layout>
inline constexpr bool is_distributed<deferred<stacked<F, S, Args...>, Shape, Layout>> = (is_distributed<Args> || ...);

// The map of the first distributed leaf, and the name of its first axis. The second argument makes all overloads known.
struct map_search {};
template <class E>
const block_map* find_map(const E&, map_search) {
  return nullptr;
}
template <class T, class Shape, class Layout>
const block_map* find_map(const distributed::leaf<T, Shape, Layout>& e, map_search) {
  return &e.rows().map;
}
template <of_one_tree Source, class Shape, class Layout>
const block_map* find_map(const deferred<Source, Shape, Layout>& e, map_search) {
  return find_map(e.source().tree(), map_search{});
}
template <class... Args>
const block_map* first_map(const Args&... a) {
  const block_map* found = nullptr;
  ((found = found ? found : find_map(a, map_search{})), ...);
  return found;
}
template <class F, class S, class... Args, class Shape, class Layout>
const block_map* find_map(const deferred<stacked<F, S, Args...>, Shape, Layout>& e, map_search) {
  return broadloom::detail::unpack(e.source().args(), [](const Args&... a) { return first_map(a...); });
}
template <class F, class Shape, class... Args>
const block_map* find_map(const broadloom::map<F, Shape, Args...>& e, map_search) {
  return unpack(e.args(), [](const Args&... a) { return first_map(a...); });
}
template <class E>
inline constexpr index name_in = dyn;
template <class T, class Shape, class Layout>
inline constexpr index name_in<distributed::leaf<T, Shape, Layout>> = name_of<Shape>;
constexpr index first_name(std::initializer_list<index> names) {
  for (const index n : names)
    if (n != dyn) return n;
  return dyn;
}
template <class F, class Shape, class... Args>
inline constexpr index name_in<broadloom::map<F, Shape, Args...>> = first_name({name_in<Args>...});
template <of_one_tree Source, class Shape, class Layout>
inline constexpr index name_in<deferred<Source, Shape, Layout>> = name_in<tree_of<Source>>;
template <class F, class S, class... Args, class Shape, class Layout>
inline constexpr index name_in<deferred<stacked<F, S, Args...>, Shape, Layout>> = first_name({name_in<Args>...});

}  // namespace broadloom::distributed::detail
