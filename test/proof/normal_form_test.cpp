// The theorem as types and as constants: both sides have one normal form, so they run one loop; views do not change it;
// another function has another one. An addcmul that is one node of three operands computes the same formula of the same
// operands. And both sides have the same elements, computed by the compiler.
// Build: parsed-by-gcc, not-sanitized (it is about types)
#include <boost/test/unit_test.hpp>

#include <type_traits>
#include <utility>
#include <vector>

#include <broadloom/broadloom.hpp>

#include "one_node.hpp"

namespace bl = broadloom;
using namespace bl::literals;

// Only the types of these are looked at; they have no definition.
namespace operands {

using c_t = bl::dtensor<float, 3>;
using a_t = bl::tensor<float, bl::shape<4, bl::dyn>>;
using b_t = bl::tensor<float, bl::shape<4, 1>>;
using i_t = bl::dtensor<int, 2>;
using d_t = bl::dtensor<double, 1>;

const c_t& c();
const a_t& a();
const b_t& b();
const i_t& i();
const d_t& d();
const bl::tensor<float, bl::shape<3, 1>>& column();
const bl::tensor<float, bl::shape<0>>& nothing();

}  // namespace operands

namespace {

using namespace operands;

#define BROADLOOM_FORM(...) bl::normal_form_t<decltype(__VA_ARGS__)>
#define BROADLOOM_SAME(LEFT, RIGHT) std::is_same_v<BROADLOOM_FORM(LEFT), BROADLOOM_FORM(RIGHT)>

// The theorem.
static_assert(BROADLOOM_SAME(bl::addcmul(c(), a(), b()), c() + a() * b()));
static_assert(BROADLOOM_SAME(bl::addcmul(c(), a(), b()), bl::add(c(), bl::mul(a(), b()))));
static_assert(BROADLOOM_SAME(bl::addcdiv(c(), a(), b()), c() + a() / b()));
static_assert(BROADLOOM_SAME(bl::addcmul(c(), a(), b(), 2), bl::add(c(), bl::mul(a(), b()), 2)));
static_assert(BROADLOOM_SAME(bl::addcdiv(c(), a(), b(), 0.5f), bl::add(c(), bl::div(a(), b()), 0.5f)));
static_assert(BROADLOOM_SAME(bl::sub(a(), b(), 3), a() - b() * 3));
static_assert(BROADLOOM_SAME(bl::add(a(), b(), 3), a() + b() * 3));

// In any types: each node promotes on its own.
static_assert(BROADLOOM_SAME(bl::addcmul(c(), i(), d()), c() + i() * d()));
static_assert(BROADLOOM_SAME(bl::addcmul(i(), i(), 3), i() + i() * 3));
static_assert(BROADLOOM_SAME(bl::addcdiv(d(), i(), i()), d() + i() / i()));

// Other functions and other types are other programs.
static_assert(!BROADLOOM_SAME(bl::addcmul(c(), a(), b()), c() - a() * b()));
static_assert(!BROADLOOM_SAME(bl::addcmul(c(), a(), b()), a() * b() + c()));  // + is not commutative for NaN payloads
static_assert(!BROADLOOM_SAME(bl::addcmul(c(), a(), b()), (c() + a()) * b()));
static_assert(!BROADLOOM_SAME(bl::addcmul(c(), a(), b()), bl::addcdiv(c(), a(), b())));
static_assert(!BROADLOOM_SAME(bl::addcmul(c(), a(), b()), bl::addcmul(d(), a(), b())));
static_assert(!BROADLOOM_SAME(bl::addcmul(c(), a(), b()), bl::addcmul(c(), a(), b(), 1)));
static_assert(!BROADLOOM_SAME(bl::sub(a(), b(), 3), a() + b() * 3));

// Shapes are no part of it: any that broadcast run the same loop.
static_assert(BROADLOOM_SAME(c() + a() * b(), a() + c() * a()));
static_assert(BROADLOOM_SAME(c() + a() * b(), b() + b() * c()));

// Shapes of both sides, as types. 1 meets 0 gives 0.
#define BROADLOOM_SHAPE(...) bl::detail::shape_of<decltype(__VA_ARGS__)>
static_assert(std::is_same_v<BROADLOOM_SHAPE(bl::addcmul(c(), a(), b())), bl::shape<bl::dyn, 4, bl::dyn>>);
static_assert(std::is_same_v<BROADLOOM_SHAPE(c() + a() * b()), bl::shape<bl::dyn, 4, bl::dyn>>);
static_assert(std::is_same_v<BROADLOOM_SHAPE(bl::addcmul(column(), nothing(), column())), bl::shape<3, 0>>);
static_assert(std::is_same_v<BROADLOOM_SHAPE(column() + nothing() * column()), bl::shape<3, 0>>);
#undef BROADLOOM_SHAPE

// Views of the whole are views of the leaves.
static_assert(BROADLOOM_SAME(bl::transpose(c() + a() * b()), c() + a() * b()));
static_assert(BROADLOOM_SAME(bl::permute(bl::addcmul(c(), a(), b()), bl::axes<2, 0, 1>), bl::addcmul(c(), a(), b())));
static_assert(BROADLOOM_SAME(bl::slice(bl::addcmul(c(), a(), b()), bl::all, bl::range(1, bl::end),
                                       bl::range(bl::none, bl::none, -2)),
                             c() + a() * b()));
static_assert(BROADLOOM_SAME(bl::flip(c() + a() * b(), 0), bl::flip(c(), 0) + bl::flip(a(), 0) * b()));
static_assert(BROADLOOM_SAME(bl::unsqueeze(c() + a() * b(), 0), c() + a() * b()));
static_assert(BROADLOOM_SAME(bl::select(c() + a() * b(), 0, 1), c() + a() * b()));
static_assert(BROADLOOM_SAME(bl::expand(c() + a() * b(), std::declval<bl::dshape<4>>()), bl::addcmul(c(), a(), b())));
static_assert(BROADLOOM_SAME(bl::transpose(bl::transpose(a()) + b().T()), a() + b()));
static_assert(!BROADLOOM_SAME(bl::transpose(c() + a() * b()), c() - a() * b()));

// Stages. A slow function of what the result repeats is one of its own, which can be computed once; a function that
// goes through memory is the last stage itself where the types agree.
template <class E>
inline constexpr int stages = bl::normal_form_t<E>::stage_count;
using one_column = bl::tensor<float, bl::shape<bl::dyn, 1>>;
static_assert(stages<decltype(d() + bl::sqrt(c()))> == 1 && stages<decltype(bl::sqrt(d()) + c())> == 2);
static_assert(stages<decltype(bl::sqrt(column()) + c())> == 2 && stages<decltype(d() + c())> == 1);
static_assert(stages<decltype(bl::sqrt(std::declval<const one_column&>()) + std::declval<const one_column&>())> == 1);
static_assert(stages<decltype(bl::exp(c()))> == 1 && stages<decltype(bl::exp(c()) + c())> == 2);

// lerp is one function, of a number or of an array, whatever views it is seen through.
static_assert(BROADLOOM_SAME(bl::lerp(c(), a(), b()), bl::transpose(bl::lerp(a(), b(), c()))));
static_assert(BROADLOOM_SAME(bl::lerp(a(), b(), 0.5f), bl::lerp(b(), c(), 0.25f)));
static_assert(!BROADLOOM_SAME(bl::lerp(a(), b(), 0.5f), bl::lerp(a(), b(), c())));
static_assert(!BROADLOOM_SAME(bl::lerp(c(), a(), b()), c() + b() * (a() - c())));

// --- addcmul as one node -------------------------------------------------------------------------------------------

// bl::addcmul is composed of add and mul, so the theorem holds for it by construction. Of one node of three operands it
// says something. Its normal form calls one function where the other one calls two; what they compute is the same
// formula of the same operands, in the same one stage.
using one_node::formula_of;
#define BROADLOOM_SAME_FORMULA(LEFT, RIGHT) std::is_same_v<formula_of<decltype(LEFT)>, formula_of<decltype(RIGHT)>>
#define BROADLOOM_ONE one_node::addcmul(c(), a(), b())
static_assert(!BROADLOOM_SAME(BROADLOOM_ONE, c() + a() * b()));
static_assert(BROADLOOM_SAME_FORMULA(BROADLOOM_ONE, c() + a() * b()));
static_assert(BROADLOOM_SAME_FORMULA(BROADLOOM_ONE, bl::addcmul(c(), a(), b())));
static_assert(
    std::is_same_v<formula_of<decltype(BROADLOOM_ONE)>,
                   one_node::term<'+', one_node::variable<0, float>,
                                  one_node::term<'*', one_node::variable<1, float>, one_node::variable<2, float>>>>);
static_assert(BROADLOOM_SAME_FORMULA(one_node::addcmul(i(), i(), i()), i() + i() * i()));
static_assert(BROADLOOM_SAME_FORMULA(one_node::addcmul(d(), d(), d()), d() + d() * d()));
static_assert(BROADLOOM_SAME_FORMULA(bl::transpose(BROADLOOM_ONE), bl::transpose(c() + a() * b())));
static_assert(!BROADLOOM_SAME_FORMULA(BROADLOOM_ONE, c() - a() * b()));
static_assert(!BROADLOOM_SAME_FORMULA(BROADLOOM_ONE, a() * b() + c()));
static_assert(!BROADLOOM_SAME_FORMULA(BROADLOOM_ONE, (c() + a()) * b()));
static_assert(!BROADLOOM_SAME_FORMULA(BROADLOOM_ONE, c() + b() * (a() * c())));
static_assert(!BROADLOOM_SAME_FORMULA(one_node::addcmul(d(), d(), d()), c() + c() * c()));
static_assert(!BROADLOOM_SAME_FORMULA(BROADLOOM_ONE, c() + a() / b()));
// Its shape.
static_assert(std::is_same_v<bl::detail::shape_of<decltype(BROADLOOM_ONE)>, bl::shape<bl::dyn, 4, bl::dyn>>);
static_assert(
    std::is_same_v<bl::detail::shape_of<decltype(one_node::addcmul(column(), nothing(), column()))>, bl::shape<3, 0>>);
// Static shapes that clash: both are refused, whichever pair clashes, and neither without a clash.
template <class C, class A, class B>
constexpr bool refused_alike(bool refused) {
  using x = bl::tensor<float, C>;
  using y = bl::tensor<float, A>;
  using z = bl::tensor<float, B>;
  constexpr bool one = std::is_invocable_v<decltype(one_node::addcmul), const x&, const y&, const z&>;
  constexpr bool composed = std::is_invocable_v<decltype(bl::addcmul), const x&, const y&, const z&>;
  constexpr bool two = requires(const x& c, const y& a, const z& b) { c + a* b; };
  return one == !refused && composed == one && two == one;
}
static_assert(refused_alike<bl::shape<3, 1>, bl::shape<3, 4>, bl::shape<4>>(false));
static_assert(refused_alike<bl::shape<2>, bl::shape<3>, bl::shape<1>>(true));
static_assert(refused_alike<bl::shape<2>, bl::shape<1>, bl::shape<3>>(true));
static_assert(refused_alike<bl::shape<1>, bl::shape<2>, bl::shape<3>>(true));
static_assert(refused_alike<bl::shape<0>, bl::shape<1>, bl::shape<2>>(true));
static_assert(refused_alike<bl::shape<10, 1>, bl::shape<1, 11>, bl::shape<10, 11>>(false));
static_assert(refused_alike<bl::shape<10, 1>, bl::shape<1, 11>, bl::shape<11, 11>>(true));
#undef BROADLOOM_ONE
#undef BROADLOOM_SAME_FORMULA

#undef BROADLOOM_SAME
#undef BROADLOOM_FORM

// --- elements, as constants ----------------------------------------------------------------------------------------

constexpr bl::tensor<float, bl::shape<2, 1, 3>> k_c{{{0.1f, -2.f, 3.5f}}, {{1e-8f, 7.f, -0.f}}};
constexpr bl::tensor<float, bl::shape<4, 3>> k_a{
    {1.1f, 2.2f, 3.3f}, {-4.4f, 1e20f, 6.6f}, {0.7f, 1.f / 3, 1e-20f}, {5.f, -0.f, 16777217.f}};
constexpr bl::tensor<float, bl::shape<4, 1>> k_b{{0.1f}, {-3.f}, {1.f / 7}, {1e-3f}};

template <class X, class Y>
constexpr bool same_elements(const X& x, const Y& y) {
  if (!(x.shape() == y.shape())) return false;
  const auto s = x.shape();
  for (bl::index u = 0; u < s[0]; ++u)
    for (bl::index v = 0; v < s[1]; ++v)
      for (bl::index w = 0; w < s[2]; ++w)
        if (__builtin_bit_cast(int, x(u, v, w)) != __builtin_bit_cast(int, y(u, v, w))) return false;
  return true;
}

constexpr auto fused = bl::addcmul(k_c, k_a, k_b);
constexpr auto in_two = k_c + k_a * k_b;
static_assert(std::is_same_v<decltype(fused)::shape_type, bl::shape<2, 4, 3>>);
static_assert(std::is_same_v<decltype(in_two)::shape_type, bl::shape<2, 4, 3>>);
static_assert(same_elements(fused, in_two));
static_assert(same_elements(fused, one_node::addcmul(k_c, k_a, k_b)));
static_assert(same_elements(bl::addcdiv(k_c, k_a, k_b), k_c + k_a / k_b));
static_assert(!same_elements(fused, k_c - k_a * k_b));
static_assert(!same_elements(fused, (k_c + k_a) * k_b));

// The product as an array of its own, then expanded: L1, on values.
constexpr bl::tensor<float, bl::shape<4, 3>> product = k_a * k_b;
static_assert(same_elements(k_c + product, fused));

// A whole assignment inside a constant expression gives the same.
constexpr bl::tensor<float, bl::shape<2, 4, 3>> assigned = [] {
  bl::tensor<float, bl::shape<2, 4, 3>> o;
  o = k_c + k_a * k_b;
  return o;
}();
static_assert(same_elements(assigned, fused));

// Operands that the test below builds expressions of; their elements are not read.
constexpr bl::index run_time_sizes[] = {0, 1, 2, 3};
const float memory[16] = {};

template <int Rank>
auto all_views() {
  std::vector<bl::view<const float, bl::dshape<Rank>, bl::row_major>> all;
  int count = 1;
  for (int i = 0; i < Rank; ++i) count *= 4;
  for (int n = 0; n < count; ++n) {
    bl::detail::indices<Rank> x{};
    for (int i = 0, rest = n; i < Rank; ++i, rest /= 4) x[i] = run_time_sizes[rest % 4];
    all.push_back({memory, bl::dshape<Rank>::unchecked(x)});
  }
  return all;
}
// The result's extents, or -1 alone where shape_error is thrown.
template <class F>
std::vector<bl::index> extents_of(const F& build) {
  try {
    const auto e = build();
    std::vector<bl::index> r;
    for (bl::index i = 0; i < e.rank(); ++i) r.push_back(e.shape()[i]);
    return r;
  } catch (const bl::shape_error&) {
    return {-1};
  }
}
struct counts {
  int triples = 0, failing = 0, different = 0;
};
template <int C, int A, int B>
void compare_shapes(counts& n) {
  for (const auto& c : all_views<C>())
    for (const auto& a : all_views<A>())
      for (const auto& b : all_views<B>()) {
        const auto one = extents_of([&] { return one_node::addcmul(c, a, b); });
        ++n.triples;
        n.failing += one == std::vector<bl::index>{-1};
        n.different += one != extents_of([&] { return c + a * b; });
        n.different += one != extents_of([&] { return bl::addcmul(c, a, b); });
      }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(normal_form)

// What the compiler computed is what the loop computes, bit for bit.
BOOST_AUTO_TEST_CASE(constants_are_what_the_loop_gives) {
  bl::dtensor<float, 3> at_run_time(2, 4, 3);
  bl::assign(at_run_time, bl::addcmul(k_c, k_a, k_b));
  BOOST_TEST(same_elements(at_run_time, fused));
  bl::assign(at_run_time, k_c + k_a * k_b);
  BOOST_TEST(same_elements(at_run_time, fused));
  bl::assign(at_run_time, k_c - k_a * k_b);
  BOOST_TEST(!same_elements(at_run_time, fused));
}

// Where one node throws, so do both others, and elsewhere they have its shape: all shapes of ranks 0-2.
BOOST_AUTO_TEST_CASE(one_node_has_the_same_shapes) {
  counts n;
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (compare_shapes<I / 9, I / 3 % 3, I % 3>(n), ...);
  }(std::make_integer_sequence<int, 27>{});
  BOOST_TEST(n.triples == 21 * 21 * 21);
  BOOST_TEST(n.different == 0);
  BOOST_TEST(n.failing > 1000);
  BOOST_TEST(n.failing < n.triples - 1000);
}

// And it binds the same arrays, in the same order, seen with the same strides.
BOOST_AUTO_TEST_CASE(one_node_has_the_same_operands) {
  const bl::dtensor<float, 3> c(2, 1, 3);
  const bl::dtensor<float, 2> a(4, 3), b(4, 1);
  const auto same = [](const auto& one, const auto& two) {
    bl::runtime::leaf_array x[3], y[3];
    BOOST_REQUIRE((bl::detail::bind_leaves(one, x) == x + 3 && bl::detail::bind_leaves(two, y) == y + 3));
    int count = 0;
    for (int k = 0; k < 3; ++k) {
      bool equal = x[k].data == y[k].data && x[k].rank == y[k].rank && x[k].type == y[k].type;
      for (int i = 0; equal && i < x[k].rank; ++i)
        equal = x[k].extents[i] == y[k].extents[i] && (x[k].strides == nullptr) == (y[k].strides == nullptr) &&
                (x[k].strides == nullptr || x[k].strides[i] == y[k].strides[i]);
      count += equal;
    }
    return count;
  };
  BOOST_TEST(same(one_node::addcmul(c, a, b), c + a * b) == 3);
  BOOST_TEST(same(bl::transpose(one_node::addcmul(c, a, b)), bl::transpose(c + a * b)) == 3);
  BOOST_TEST(same(bl::flip(one_node::addcmul(c, a, b), 1), bl::flip(c + a * b, 1)) == 3);
  BOOST_TEST(same(one_node::addcmul(c, a, b), c + b * a) == 1);
  BOOST_TEST(same(one_node::addcmul(c, a, b), bl::transpose(c + a * b)) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
