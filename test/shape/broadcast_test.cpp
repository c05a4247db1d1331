// The broadcasting rule: every pair of small shapes in every mixture of static and dynamic extents, and the words of a
// refusal.
#include <broadloom/shape/broadcast.hpp>
#include <broadloom/shape/broadcast_shapes.hpp>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "thrown.hpp"

namespace bl = broadloom;
using bl::dyn;

template <class... S>
using result = decltype(bl::broadcast(std::declval<S>()...));

static_assert(std::is_same_v<result<bl::shape<5, 1, 4, 1>, bl::shape<3, 1, 1>>, bl::shape<5, 3, 4, 1>>);
static_assert(std::is_same_v<result<bl::shape<dyn, 3>, bl::shape<7, 1>>, bl::shape<7, 3>>);
static_assert(std::is_same_v<result<bl::shape<dyn, 3>, bl::shape<1, 1>>, bl::shape<dyn, 3>>);
static_assert(std::is_same_v<result<bl::shape<dyn>, bl::shape<dyn>>, bl::shape<dyn>>);
static_assert(std::is_same_v<result<bl::shape<dyn>, bl::shape<0>>, bl::shape<0>>);
static_assert(std::is_same_v<result<bl::shape<1>, bl::shape<0>>, bl::shape<0>>);
static_assert(std::is_same_v<result<bl::shape<>, bl::shape<2, 3>>, bl::shape<2, 3>>);
static_assert(std::is_same_v<result<>, bl::shape<>>);
static_assert(std::is_same_v<result<bl::shape<dyn>, bl::shape<4>, bl::shape<2, 1>>, bl::shape<2, 4>>);
static_assert(bl::broadcastable<bl::shape<5, 2>, bl::shape<5, dyn>> && bl::broadcastable<bl::shape<0>, bl::shape<1>>);
static_assert(!bl::broadcastable<bl::shape<5, 2, 4, 1>, bl::shape<3, 1, 1>>);
static_assert(!bl::broadcastable<bl::shape<0>, bl::shape<2, 2>> &&
              !bl::broadcastable<bl::shape<2>, bl::shape<1>, bl::shape<3>>);
// What a refusal names: the axis of the result, and the extents in the order of the operands.
template <bl::index Axis, bl::index Left, bl::index Right, class... S>
inline constexpr bool names =
    std::is_same_v<bl::detail::why_not_broadcastable<S...>,
                   bl::errors_md::shapes_do_not_broadcast<bl::detail::clash_text<Axis, Left, Right>, S...>>;
static_assert(names<1, 3, 5, bl::shape<2, 3, 4>, bl::shape<2, 5, 4>>);
static_assert(names<0, 6, 2, bl::shape<6, 3, 4>, bl::shape<2, 3, 4>>);
static_assert(names<2, 4, 5, bl::shape<4>, bl::shape<2, 1>, bl::shape<2, 3, 5>>);  // [2, 4] after two of them
static_assert(names<0, 4, 5, bl::shape<1>, bl::shape<4>, bl::shape<5>>);           // 4 of the first two
static_assert(bl::broadcast(bl::dshape<3>(2, 3, 1), bl::dshape<2>(1, 4)) == bl::shape<2, 3, 4>{});
static_assert(bl::broadcast(bl::shape<dyn, 3>(1), bl::shape<7, 1>{}) == bl::shape<7, 3>{});
// A constant expression does not take extents that clash.
template <class F, int = (static_cast<void>(F{}()), 0)>
constexpr bool is_constant(F) {
  return true;
}
constexpr bool is_constant(...) { return false; }
static_assert(is_constant([] { return bl::broadcast(bl::dshape<1>(3), bl::dshape<1>(3)); }));
static_assert(!is_constant([] { return bl::broadcast(bl::dshape<1>(2), bl::dshape<1>(3)); }));

namespace {

// The rule, once more and as simply as it is said.
struct answer {
  bool ok = true;
  std::vector<bl::index> extents;
};
answer rule(std::vector<bl::index> a, std::vector<bl::index> b) {
  while (a.size() < b.size()) a.insert(a.begin(), 1);
  while (b.size() < a.size()) b.insert(b.begin(), 1);
  answer r;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i] && a[i] != 1 && b[i] != 1) r.ok = false;
    r.extents.push_back(a[i] == 1 ? b[i] : a[i]);
  }
  return r;
}

template <class S>
std::vector<bl::index> list(const S& s) {
  std::vector<bl::index> r;
  for (bl::index i = 0; i < s.rank(); ++i) r.push_back(s[i]);
  return r;
}

int compared = 0;

void check(const std::vector<bl::index>& a, const std::vector<bl::index>& b, bool compiles,
           std::vector<bl::index> (*broadcast)(const std::vector<bl::index>&, const std::vector<bl::index>&),
           const std::vector<bl::index>& known) {
  ++compared;
  const answer wanted = rule(a, b);
  bool ok = compiles;
  if (compiles) {
    try {
      const auto r = broadcast(a, b);
      BOOST_TEST(r == wanted.extents);
      for (std::size_t i = 0; i < r.size(); ++i)
        if (known[i] != dyn) BOOST_TEST(known[i] == r[i]);
    } catch (const bl::shape_error&) {
      ok = false;
    }
  }
  BOOST_TEST(ok == wanted.ok);
}

// A shape type's value with these extents.
template <class S>
S make(const std::vector<bl::index>& extents) {
  bl::detail::indices<S::axes_count> x{};
  for (int i = 0; i < S::axes_count; ++i) x[i] = extents[static_cast<std::size_t>(i)];
  return S::unchecked(x);
}

// What the compiler and what the run time say, compared with the rule.
template <class A, class B>
void compare(const A& a, const B& b) {
  if constexpr (bl::broadcastable<A, B>) {
    using r = result<A, B>;
    check(list(a), list(b), true,
          [](const auto& x, const auto& y) { return list(bl::broadcast(make<A>(x), make<B>(y))); },
          {r::static_extents.begin(), r::static_extents.end()});
  } else {
    check(list(a), list(b), false, nullptr, {});
  }
}

template <bl::index... E, class F>
void with_mixtures(bl::shape<E...> s, const F& f) {
  f(s);
  f(bl::dshape<sizeof...(E)>(s));
  if constexpr (sizeof...(E) == 2) {
    f(bl::shape<bl::shape<E...>::static_extents[0], dyn>(bl::dshape<2>(s)));
    f(bl::shape<dyn, bl::shape<E...>::static_extents[1]>(bl::dshape<2>(s)));
  }
}

template <class F>
void with_shapes(const F& f) {
  with_mixtures(bl::shape<>{}, f);
  with_mixtures(bl::shape<0>{}, f);
  with_mixtures(bl::shape<1>{}, f);
  with_mixtures(bl::shape<2>{}, f);
  with_mixtures(bl::shape<1, 3>{}, f);
  with_mixtures(bl::shape<2, 1>{}, f);
  with_mixtures(bl::shape<2, 3>{}, f);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(shape_broadcast)

BOOST_AUTO_TEST_CASE(every_pair_in_every_mixture_of_static_and_dynamic_extents) {
  compared = 0;
  with_shapes([](const auto& a) { with_shapes([&](const auto& b) { compare(a, b); }); });
  BOOST_TEST(compared == 400);
}

BOOST_AUTO_TEST_CASE(the_refusal_is_pytorchs_sentence_and_a_table_of_the_operands) {
  const std::string wanted =
      "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 1\n"
      "  broadcast(5, 2, 4, 1,\n"
      "               3, 1, 1)\n"
      "               ^";
  BOOST_TEST(thrown<bl::shape_error>([] { bl::broadcast(bl::dshape<4>(5, 2, 4, 1), bl::dshape<3>(3, 1, 1)); }) ==
             wanted);
  BOOST_TEST(thrown<bl::shape_error>([] { bl::broadcast(bl::shape<5, dyn, 4, 1>(2), bl::shape<3, 1, 1>{}); }) ==
             wanted);
  BOOST_TEST(thrown<bl::shape_error>([] { bl::broadcast(bl::dshape<1>(10), bl::dshape<2>(2, 9)); }) ==
             "The size of tensor a (10) must match the size of tensor b (9) at non-singleton dimension 1\n"
             "  broadcast(   10,\n"
             "            2,  9)\n"
             "                ^");
}

BOOST_AUTO_TEST_CASE(operands_fold_from_left_to_right_and_the_last_axis_is_looked_at_first) {
  const auto first = [](const std::string& s) { return s.substr(0, s.find('\n')); };
  BOOST_TEST(first(thrown<bl::shape_error>([] {
               bl::broadcast(bl::dshape<1>(2), bl::dshape<1>(3), bl::dshape<1>(4));
             })) == "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0");
  BOOST_TEST(first(thrown<bl::shape_error>([] {
               bl::broadcast(bl::dshape<1>(1), bl::dshape<1>(3), bl::dshape<1>(4));
             })) == "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 0");
  BOOST_TEST(first(thrown<bl::shape_error>([] { bl::broadcast(bl::dshape<2>(2, 5), bl::dshape<2>(3, 4)); })) ==
             "The size of tensor a (5) must match the size of tensor b (4) at non-singleton dimension 1");
  // the clash of the first two operands comes before one with the third in a later axis
  BOOST_TEST(first(thrown<bl::shape_error>([] {
               bl::broadcast(bl::dshape<2>(2, 1), bl::dshape<2>(3, 1), bl::dshape<3>(1, 1, 1));
             })) == "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0");
}

BOOST_AUTO_TEST_CASE(three_operands_meet_in_any_order) {
  using s = bl::dshape<2>;
  std::vector<s> shapes{s(1, 4), s(3, 1), s(1, 1)};
  std::vector<int> order{0, 1, 2};
  do {
    const auto at = [&](int i) { return shapes[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])]; };
    BOOST_TEST((bl::broadcast(at(0), at(1), at(2)) == bl::shape<3, 4>{}));
  } while (std::next_permutation(order.begin(), order.end()));
}

BOOST_AUTO_TEST_CASE(shapes_of_run_time_rank) {
  using list = std::vector<bl::index>;
  BOOST_TEST(bl::broadcast_shapes({{5, 1, 4, 1}, {3, 1, 1}}) == (list{5, 3, 4, 1}));
  BOOST_TEST(bl::broadcast_shapes({{5, 1}, {3}}) == (list{5, 3}));
  BOOST_TEST(bl::broadcast_shapes(std::vector<list>{{}, {0}, {1}}) == (list{0}));
  BOOST_TEST(bl::broadcast_shapes(std::vector<list>{}) == (list{}));
  BOOST_TEST(bl::broadcast_shapes(std::vector<list>{{1, 2}, {7, 1, 1}, {2}}) == (list{7, 1, 2}));
  BOOST_TEST(thrown<bl::shape_error>([] {
               bl::broadcast_shapes({{5, 2, 4, 1}, {3, 1, 1}});
             }).find("The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 1") ==
             0u);
  BOOST_CHECK_THROW(bl::broadcast_shapes({{2, -1}}), bl::shape_error);
  // 100 axes
  list deep(100, 1), other(70, 1);
  deep[99] = 3;
  other[0] = 5;
  list wanted = deep;
  wanted[30] = 5;
  BOOST_TEST(bl::broadcast_shapes(std::vector<list>{deep, other}) == wanted);
  other[69] = 2;
  BOOST_CHECK_THROW(bl::broadcast_shapes(std::vector<list>{deep, other}), bl::shape_error);
}

BOOST_AUTO_TEST_SUITE_END()
