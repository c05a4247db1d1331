// The theorem's shapes in the compiler: for three shapes, c with (a with b), (c with a) with b, and all three at once
// are the same shape, or none of them is one. By static_assert; the run-time rule, of four shapes too, follows in the
// same file.
// Build: parsed-by-gcc, not-sanitized (it is about types)
#include <boost/test/unit_test.hpp>

#include <array>
#include <iterator>
#include <utility>
#include <vector>

#include <broadloom/shape/broadcast.hpp>
#include <broadloom/shape/broadcast_shapes.hpp>

namespace bl = broadloom;

namespace {

using bl::index;
using bl::detail::indices;

// Extents an axis can have in these checks.
constexpr index sizes[] = {0, 1, 2, 3, bl::dyn};
constexpr int size_count = 5;

// What two shapes known to the compiler give; `ok` is false where they cannot meet.
template <int Rank>
struct outcome {
  bool ok;
  indices<Rank> extents;
};

struct library_rule {
  template <int A, int B>
  static constexpr auto meet(const indices<A>& a, const indices<B>& b) {
    const auto r = bl::detail::broadcast_static(a, b);
    return outcome<(A > B ? A : B)>{r.axis < 0, r.extents};
  }
};

// Wrong rules, to see that the checks below can fail.
template <auto Axis, bool AlignLeft = false>
struct wrong_rule {
  template <int A, int B>
  static constexpr auto meet(const indices<A>& a, const indices<B>& b) {
    constexpr int rank = A > B ? A : B;
    outcome<rank> r{true, {}};
    for (int k = 0; k < rank; ++k) {
      const index x = k < A ? a[A - 1 - k] : 1, y = k < B ? b[B - 1 - k] : 1;
      const index z = Axis(x, y);
      r.ok = r.ok && z != bl::detail::clash;
      r.extents[rank - 1 - k] = z;
    }
    return r;
  }
};
constexpr index larger_axis(index a, index b) {  // the rule as it is often told: 1 meets 0 gives 1
  if (a >= 0 && b >= 0 && (a == 1 || b == 1)) return a > b ? a : b;
  return bl::detail::broadcast_axis(a, b);
}
constexpr index forgetful_axis(index a, index b) {  // an unknown extent stays unknown when it meets a known one
  if (a != b && a != 1 && b != 1 && (a == bl::dyn || b == bl::dyn)) return bl::dyn;
  return bl::detail::broadcast_axis(a, b);
}
using maximum_rule = wrong_rule<larger_axis>;
using forgetful_rule = wrong_rule<forgetful_axis>;

template <class Rule, int C, int A, int B>
constexpr bool alike(const indices<C>& c, const indices<A>& a, const indices<B>& b) {
  const auto ab = Rule::meet(a, b);
  const auto ca = Rule::meet(c, a);
  if (!ab.ok && !ca.ok) return true;
  const auto c_ab = Rule::meet(c, ab.extents);
  const auto ca_b = Rule::meet(ca.extents, b);
  const bool right = ab.ok && c_ab.ok, left = ca.ok && ca_b.ok;
  return right == left && (!right || c_ab.extents == ca_b.extents);
}

// --- per axis: all 125 triples, as types -----------------------------------------------------------------------------

template <class... S>
struct together {
  using type = typename bl::detail::broadcast_of<S...>::type;
};

// The shape of S and T in turn, or void where there is none; void meets nothing.
template <class S, class T>
constexpr auto meet_types() {
  if constexpr (std::is_void_v<S> || std::is_void_v<T>)
    return std::type_identity<void>{};
  else if constexpr (bl::broadcastable<S, T>)
    return std::type_identity<typename bl::detail::broadcast_of<S, T>::type>{};
  else
    return std::type_identity<void>{};
}
template <class S, class T>
using meet_t = typename decltype(meet_types<S, T>())::type;

template <class C, class A, class B>
constexpr bool types_alike() {
  using right = meet_t<C, meet_t<A, B>>;
  using left = meet_t<meet_t<C, A>, B>;
  if constexpr (!std::is_same_v<left, right> || bl::broadcastable<C, A, B> == std::is_void_v<left>)
    return false;
  else if constexpr (std::is_void_v<left>)
    return true;
  else
    return std::is_same_v<left, typename together<C, A, B>::type>;
}
template <int... I>
constexpr bool all_axis_triples_as_types(std::integer_sequence<int, I...>) {
  static_assert(sizeof...(I) == 125);
  return (types_alike<bl::shape<sizes[I / 25]>, bl::shape<sizes[I / 5 % 5]>, bl::shape<sizes[I % 5]>>() && ...);
}
static_assert(all_axis_triples_as_types(std::make_integer_sequence<int, 125>{}));

// --- every rank triple 0-4, each per-axis triple placed on each axis
// ---------------------------------------------------

// Axis `at` (from the right) takes x, the others extents that always meet.
template <int Rank>
constexpr indices<Rank> placed(int at, index x, index other) {
  indices<Rank> r{};
  for (int k = 0; k < Rank; ++k) r[Rank - 1 - k] = k == at ? x : k % 2 == 0 ? other : 1;
  return r;
}
template <class Rule, int C, int A, int B>
constexpr int disagreements_on_axis(int at) {
  int count = 0;
  // An operand without this axis has nothing to vary there.
  for (int x = 0; x < (at < C ? size_count : 1); ++x)
    for (int y = 0; y < (at < A ? size_count : 1); ++y)
      for (int z = 0; z < (at < B ? size_count : 1); ++z)
        count += !alike<Rule>(placed<C>(at, sizes[x], 2), placed<A>(at, sizes[y], 2), placed<B>(at, sizes[z], bl::dyn));
  return count;
}
template <class Rule, int C, int A, int B, int... At>
constexpr int disagreements_of_ranks(std::integer_sequence<int, At...>) {
  return (0 + ... + std::integral_constant<int, disagreements_on_axis<Rule, C, A, B>(At)>::value);
}
template <class Rule, int... I>
constexpr int disagreements_of_all_ranks(std::integer_sequence<int, I...>) {
  return (0 + ... + disagreements_of_ranks<Rule, I / 25, I / 5 % 5, I % 5>(std::make_integer_sequence<int, 4>{}));
}
static_assert(disagreements_of_all_ranks<library_rule>(std::make_integer_sequence<int, 125>{}) == 0);

// --- all full triples of ranks 0-2 ---------------------------------------------------------------------------------

constexpr int shapes_of_rank[] = {1, 5, 25};

template <int Rank>
constexpr indices<Rank> numbered(int n) {
  indices<Rank> r{};
  for (int i = 0; i < Rank; ++i, n /= size_count) r[i] = sizes[n % size_count];
  return r;
}
template <int Rank>
constexpr int number_of(const indices<Rank>& extents) {
  int n = 0;
  for (int i = Rank - 1; i >= 0; --i)
    for (int k = 0; k < size_count; ++k)
      if (sizes[k] == extents[i]) {
        n = n * size_count + k;
        break;
      }
  return n;
}
// What the rule gives for every pair of shapes of two ranks: the number of the resulting shape, or -1. The same pairs
// occur in many triples.
template <class Rule, int A, int B>
constexpr auto table = [] {
  std::array<std::array<int, shapes_of_rank[B]>, shapes_of_rank[A]> r{};
  for (int i = 0; i < shapes_of_rank[A]; ++i)
    for (int j = 0; j < shapes_of_rank[B]; ++j) {
      const auto both = Rule::meet(numbered<A>(i), numbered<B>(j));
      r[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = both.ok ? number_of(both.extents) : -1;
    }
  return r;
}();
template <class Rule, int A, int B>
constexpr int look_up(int a, int b) {
  return a < 0 || b < 0 ? -1 : table<Rule, A, B>[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
}
template <class Rule, int C, int A, int B>
constexpr int disagreements_of_triples() {
  constexpr int right = A > B ? A : B, left = C > A ? C : A;
  int count = 0;
  for (int n = 0; n < shapes_of_rank[C]; ++n)
    for (int i = 0; i < shapes_of_rank[A]; ++i)
      for (int j = 0; j < shapes_of_rank[B]; ++j)
        count += look_up<Rule, C, right>(n, look_up<Rule, A, B>(i, j)) !=
                 look_up<Rule, left, B>(look_up<Rule, C, A>(n, i), j);
  return count;
}
template <class Rule, int... I>
constexpr int disagreements_of_all_triples(std::integer_sequence<int, I...>) {
  return (0 + ... + std::integral_constant<int, disagreements_of_triples<Rule, I / 9, I / 3 % 3, I % 3>()>::value);
}
static_assert(disagreements_of_all_triples<library_rule>(std::make_integer_sequence<int, 27>{}) == 0);

// --- a seeded sample of ranks up to 9, with sizes beyond 10 ----------------------------------------------------------

constexpr index sampled_sizes[] = {0, 1, 2, 3, 10, 11, 4096, bl::dyn};
constexpr int highest_rank = 9;

struct random_numbers {
  unsigned long long state;
  constexpr unsigned next(unsigned bound) {
    state += 0x9e3779b97f4a7c15u;
    unsigned long long z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<unsigned>((z ^ (z >> 31)) >> 33) % bound;
  }
};
// Mostly triples that meet: one common shape, of which each operand keeps an axis, has a 1, or does not know it.
template <int Rank>
constexpr indices<Rank> sampled(random_numbers& random, const indices<highest_rank>& common) {
  indices<Rank> r{};
  for (int i = 0; i < Rank; ++i) {
    const unsigned kind = random.next(16);
    r[i] = kind < 8    ? common[highest_rank - Rank + i]
           : kind < 12 ? 1
           : kind < 15 ? bl::dyn
                       : sampled_sizes[random.next(std::size(sampled_sizes))];
  }
  return r;
}
template <class Rule, int C, int A, int B>
constexpr int sampled_disagreements(unsigned long long seed) {
  random_numbers random{seed};
  int count = 0;
  for (int n = 0; n < 24; ++n) {
    indices<highest_rank> common{};
    for (int i = 0; i < highest_rank; ++i) common[i] = sampled_sizes[random.next(std::size(sampled_sizes))];
    const auto c = sampled<C>(random, common);
    const auto a = sampled<A>(random, common);
    count += !alike<Rule>(c, a, sampled<B>(random, common));
  }
  return count;
}
template <class Rule, int... I>
constexpr int disagreements_of_sample(std::integer_sequence<int, I...>) {
  return (0 + ... +
          std::integral_constant<int, sampled_disagreements<Rule, 3 + I / 16 * 2, 3 + I / 4 % 4 * 2, 3 + I % 4 * 2>(
                                          I)>::value);
}
static_assert(disagreements_of_sample<library_rule>(std::make_integer_sequence<int, 64>{}) == 0);

// --- each of these checks can fail ---------------------------------------------------------------------------------

static_assert(disagreements_of_all_ranks<maximum_rule>(std::make_integer_sequence<int, 8>{}) > 0);
static_assert(disagreements_of_all_ranks<forgetful_rule>(std::integer_sequence<int, 31>{}) > 0);  // ranks 1, 1, 1
static_assert(disagreements_of_all_triples<maximum_rule>(std::make_integer_sequence<int, 14>{}) > 0);
static_assert(disagreements_of_sample<maximum_rule>(std::make_integer_sequence<int, 8>{}) > 0);
static_assert(!alike<maximum_rule>(indices<1>{{0}}, indices<1>{{1}}, indices<1>{{2}}));
static_assert(!alike<forgetful_rule>(indices<1>{{2}}, indices<1>{{3}}, indices<1>{{bl::dyn}}));
static_assert(types_alike<bl::shape<5, 1>, bl::shape<3>, bl::shape<bl::dyn, 1>>());
static_assert(!std::is_same_v<meet_t<bl::shape<2>, bl::shape<1>>, meet_t<bl::shape<bl::dyn>, bl::shape<1>>>);

// --- the run-time rule, over all triples of ranks 0-2
// ------------------------------------------------------------------

constexpr index run_time_sizes[] = {0, 1, 2, 3};

template <int Rank>
std::vector<bl::dshape<Rank>> all_shapes() {
  std::vector<bl::dshape<Rank>> all;
  int count = 1;
  for (int i = 0; i < Rank; ++i) count *= 4;
  for (int n = 0; n < count; ++n) {
    indices<Rank> x{};
    for (int i = 0, rest = n; i < Rank; ++i, rest /= 4) x[i] = run_time_sizes[rest % 4];
    all.push_back(bl::dshape<Rank>::unchecked(x));
  }
  return all;
}

// The extents, or -1 alone where shape_error is thrown.
template <class F>
std::vector<index> extents_of(F f) {
  try {
    const auto s = f();
    std::vector<index> r;
    for (index i = 0; i < s.rank(); ++i) r.push_back(s[i]);
    return r;
  } catch (const bl::shape_error&) {
    return {-1};
  }
}

struct counts {
  int triples = 0, failing = 0, different = 0;
};

template <int C, int A, int B>
void compare_groupings(counts& n) {
  for (const auto& c : all_shapes<C>())
    for (const auto& a : all_shapes<A>())
      for (const auto& b : all_shapes<B>()) {
        const auto right = extents_of([&] { return bl::broadcast(c, bl::broadcast(a, b)); });
        const auto left = extents_of([&] { return bl::broadcast(bl::broadcast(c, a), b); });
        const auto once = extents_of([&] { return bl::broadcast(c, a, b); });
        ++n.triples;
        n.failing += right == std::vector<index>{-1};
        n.different += right != left || right != once;
      }
}
template <int... I>
void compare_all_groupings(counts& n, std::integer_sequence<int, I...>) {
  (compare_groupings<I / 9, I / 3 % 3, I % 3>(n), ...);
}

// Four shapes in every grouping, and in other orders.
template <class Meet, class Shape>
std::array<std::vector<index>, 8> groupings(const Meet& meet, const Shape& a, const Shape& b, const Shape& c,
                                            const Shape& d) {
  const auto of = [](const auto& f) {
    try {
      return f();
    } catch (const bl::shape_error&) {
      return std::vector<index>{-1};
    }
  };
  return {of([&] { return meet(meet(meet(a, b), c), d); }), of([&] { return meet(meet(a, b), meet(c, d)); }),
          of([&] { return meet(a, meet(meet(b, c), d)); }), of([&] { return meet(a, meet(b, meet(c, d))); }),
          of([&] { return meet(meet(a, meet(b, c)), d); }), of([&] { return meet(meet(d, b), meet(a, c)); }),
          of([&] { return meet(d, meet(c, meet(b, a))); }), of([&] { return meet(meet(c, a), meet(d, b)); })};
}
// All four at once.
std::vector<index> at_once(const std::vector<index>& a, const std::vector<index>& b, const std::vector<index>& c,
                           const std::vector<index>& d) {
  try {
    const auto s = bl::broadcast_shapes(std::vector<std::vector<index>>{a, b, c, d});
    return {s.begin(), s.end()};
  } catch (const bl::shape_error&) {
    return {-1};
  }
}
template <int A, int B, int C, int D>
void compare_four(counts& n, const std::vector<index>& a, const std::vector<index>& b, const std::vector<index>& c,
                  const std::vector<index>& d, const std::vector<index>& expected) {
  const auto as = []<int R>(std::integral_constant<int, R>, const std::vector<index>& x) {
    indices<R> r{};
    for (int i = 0; i < R; ++i) r[i] = x[static_cast<std::size_t>(i)];
    return bl::dshape<R>::unchecked(r);
  };
  const auto x = as(std::integral_constant<int, A>{}, a);
  const auto y = as(std::integral_constant<int, B>{}, b);
  const auto z = as(std::integral_constant<int, C>{}, c);
  const auto w = as(std::integral_constant<int, D>{}, d);
  using bl::broadcast;
  n.different += extents_of([&] { return broadcast(x, y, z, w); }) != expected;
  n.different += extents_of([&] { return broadcast(broadcast(x, y), broadcast(z, w)); }) != expected;
  n.different += extents_of([&] { return broadcast(x, broadcast(y, broadcast(z, w))); }) != expected;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(grouping)

BOOST_AUTO_TEST_CASE(all_run_time_triples_of_ranks_0_to_2) {
  counts n;
  compare_all_groupings(n, std::make_integer_sequence<int, 27>{});
  BOOST_TEST(n.triples == 21 * 21 * 21);
  BOOST_TEST(n.different == 0);
  // Both kinds of triples are among them.
  BOOST_TEST(n.failing > 1000);
  BOOST_TEST(n.failing < n.triples - 1000);
  BOOST_TEST_MESSAGE(n.triples << " triples, " << n.failing << " of which fail in every grouping");
}

// Every four ranks 0-7 of shapes of unknown rank, and every four ranks 0-2 of known ones; most of them meet.
BOOST_AUTO_TEST_CASE(four_shapes_of_all_ranks) {
  constexpr int ranks = 8, known_ranks = 3;
  random_numbers random{7};
  const auto meet = [](const std::vector<bl::index>& a, const std::vector<bl::index>& b) {
    const auto s = bl::broadcast_shapes(std::vector<std::vector<bl::index>>{a, b});
    return std::vector<bl::index>(s.begin(), s.end());
  };
  constexpr bl::index extents[] = {0, 1, 2, 3, 10, 11};
  counts n;
  for (unsigned code = 0; code < ranks * ranks * ranks * ranks; ++code)
    for (int sample = 0; sample < 3; ++sample) {
      bl::index common[ranks] = {};
      for (bl::index& x : common) x = extents[random.next(std::size(extents))];
      std::array<std::vector<bl::index>, 4> s;
      for (unsigned k = 0, rest = code; k < 4; ++k, rest /= ranks)
        for (unsigned i = 0; i < rest % ranks; ++i) {
          const unsigned kind = random.next(32);
          s[k].insert(s[k].begin(), kind < 20 ? common[i] : kind < 31 ? 1 : extents[random.next(std::size(extents))]);
        }
      const auto expected = at_once(s[0], s[1], s[2], s[3]);
      for (const auto& one : groupings(meet, s[0], s[1], s[2], s[3])) n.different += one != expected;
      ++n.triples;
      n.failing += expected == std::vector<bl::index>{-1};
      [&]<int... I>(std::integer_sequence<int, I...>) {
        ((s[0].size() == I / 27 && s[1].size() == I / 9 % 3 && s[2].size() == I / 3 % 3 && s[3].size() == I % 3
              ? compare_four<I / 27, I / 9 % 3, I / 3 % 3, I % 3>(n, s[0], s[1], s[2], s[3], expected)
              : static_cast<void>(0)),
         ...);
      }(std::make_integer_sequence<int, known_ranks * known_ranks * known_ranks * known_ranks>{});
    }
  BOOST_TEST(n.different == 0);
  BOOST_TEST(n.triples == 3 * 4096);
  BOOST_TEST(n.failing > 1000);
  BOOST_TEST(n.failing < n.triples - 1000);
}

BOOST_AUTO_TEST_SUITE_END()
