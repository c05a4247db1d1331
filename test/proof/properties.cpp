// The theorem on values: for generated shapes, strides, types and numbers of threads, addcmul(c, a, b), c + a * b, one
// node of three operands and the two steps one after the other give the same bits, and those of a plain loop.
// RapidCheck generates and shrinks the cases.
#include <boost/test/unit_test.hpp>

#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <ostream>
#include <tuple>
#include <vector>

#include <broadloom/broadloom.hpp>

#include "one_node.hpp"

namespace bl = broadloom;

namespace {

using bl::index;

// How an operand lies in memory. Every field shrinks to the plain case: 0.
struct layout {
  std::vector<int> unit;      // per axis: 1 if the operand has extent 1 there
  std::vector<int> expanded;  // per axis: 1 if its axis has stride 0, as an expanded view has
  std::vector<int> flipped;   // per axis: 1 if its stride is negative
  std::vector<int> gap;       // per axis: elements left out between neighbours
  int order = 0;              // which axis lies innermost
  int offset = 0;             // elements before the first one, for every alignment
  unsigned seed = 0;          // of its elements
};

std::ostream& operator<<(std::ostream& out, const layout& l) {
  const auto list = [&](const char* name, const std::vector<int>& v) {
    out << ' ' << name;
    for (int x : v) out << ' ' << x;
  };
  out << '{';
  list("unit", l.unit);
  list("expanded", l.expanded);
  list("flipped", l.flipped);
  list("gap", l.gap);
  return out << " order " << l.order << " offset " << l.offset << " seed " << l.seed << " }";
}

rc::Gen<layout> layouts() {
  const auto flags = [](int chance) {
    return rc::gen::container<std::vector<int>>(
        3, rc::gen::map(rc::gen::inRange(0, chance), [](int x) { return x == 1 ? 1 : 0; }));
  };
  return rc::gen::build<layout>(
      rc::gen::set(&layout::unit, flags(3)), rc::gen::set(&layout::expanded, flags(6)),
      rc::gen::set(&layout::flipped, flags(5)),
      rc::gen::set(&layout::gap, rc::gen::container<std::vector<int>>(
                                     3, rc::gen::map(rc::gen::inRange(0, 6), [](int x) { return x > 3 ? x - 3 : 0; }))),
      rc::gen::set(&layout::order, rc::gen::inRange(0, 3)), rc::gen::set(&layout::offset, rc::gen::inRange(0, 17)),
      rc::gen::set(&layout::seed, rc::gen::inRange(0u, 1000u)));
}

rc::Gen<std::vector<index>> extents() {
  return rc::gen::container<std::vector<index>>(3, rc::gen::element<index>(1, 2, 3, 0, 7, 16, 33, 65));
}

// Elements that do not fit their type's arithmetic exactly, with the special ones among them.
template <class T>
T value(unsigned seed, index i) {
  std::uint64_t z = (seed + 1) * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(i) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 30)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  if constexpr (std::is_floating_point_v<T>) {
    switch (z % 61) {
      case 0: return T(0);
      case 1: return -T(0);
      case 2: return std::numeric_limits<T>::infinity();
      case 3: return std::numeric_limits<T>::denorm_min();
      case 4: return std::numeric_limits<T>::max();
      default: return (static_cast<T>(z >> 40) - T(1 << 23)) / T(3 << 10);
    }
  } else
    return static_cast<T>(z >> 13);
}

// An operand of rank R whose extents are the last ones of the common shape, and the memory it lies in.
template <class T, int R>
struct operand {
  std::vector<T> memory;
  bl::detail::indices<R> extents{}, strides{};
  index first = 0;

  operand(const std::vector<index>& common, const layout& l) {
    index step = 1;
    index low = 0, high = 0;
    for (int k = 0; k < R; ++k) {
      const int axis = (R - 1 - k + l.order) % (R == 0 ? 1 : R);
      const std::size_t at = common.size() - static_cast<std::size_t>(R - axis);
      extents[axis] = l.unit[at] ? 1 : common[at];
      if (l.expanded[at]) continue;
      strides[axis] = step * (1 + l.gap[at]) * (l.flipped[at] ? -1 : 1);
      const index reach = (extents[axis] > 0 ? extents[axis] - 1 : 0) * strides[axis];
      (reach < 0 ? low : high) += reach;
      step *= (extents[axis] > 0 ? extents[axis] : 1) * (1 + l.gap[at]);
    }
    first = l.offset - low;
    memory.resize(static_cast<std::size_t>(l.offset - low + high + 1));
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = value<T>(l.seed, static_cast<index>(i));
  }
  auto view() const {
    return bl::view<const T, bl::dshape<R>>(memory.data() + first, bl::dshape<R>::unchecked(extents),
                                            bl::dyn_strides<R>{strides});
  }
  // The element for an index of the result, by the rule itself.
  template <int N>
  T at(const bl::detail::indices<N>& i) const {
    index o = first;
    for (int k = 0; k < R; ++k) o += extents[k] == 1 ? 0 : strides[k] * i[N - R + k];
    return memory[static_cast<std::size_t>(o)];
  }
};

// The shape that operands cut from one common shape must have together: 1 only where all of them have 1.
template <int Rank, class... Operand>
bl::dshape<Rank> expected_shape(const std::vector<index>& common, const Operand&... x) {
  bl::detail::indices<Rank> r{};
  for (int k = 0; k < Rank; ++k) {
    const auto at = [&](const auto& o) {
      const int i = o.extents.count - Rank + k;
      return i < 0 ? 1 : o.extents[i];
    };
    r[k] = ((at(x) == 1) && ...) ? 1 : common[common.size() - static_cast<std::size_t>(Rank - k)];
  }
  return bl::dshape<Rank>::unchecked(r);
}

template <class X, class Y>
bool same_bits(const X& x, const Y& y) {
  static_assert(std::is_same_v<typename X::value_type, typename Y::value_type>);
  return x.shape() == y.shape() &&
         (x.size() == 0 ||
          std::memcmp(x.data(), y.data(), static_cast<std::size_t>(x.size()) * sizeof(typename X::value_type)) == 0);
}

// Equal bits, except that a NaN's payload is the processor's to choose.
template <class T>
bool same_value(T x, T y) {
  if constexpr (std::is_floating_point_v<T>)
    if (x != x || y != y) return x != x && y != y;
  return std::memcmp(&x, &y, sizeof x) == 0;
}

const bl::policy policies[] = {bl::seq, bl::par, bl::par.threads(2), bl::par.threads(3), bl::par.threads(8)};

// Both sides, as the library computes them in the four ways, and a plain loop. The product has the type P, the sum S.
struct with_mul {
  static constexpr auto fused = bl::addcmul;
  static constexpr auto inner = bl::mul;
  template <class T>
  static T scalar(T x, T y) {
    if constexpr (std::is_floating_point_v<T>)
      return x * y;
    else
      return static_cast<T>(static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y));
  }
};
struct with_div {
  static constexpr auto fused = bl::addcdiv;
  static constexpr auto inner = bl::div;
  template <class T>
  static T scalar(T x, T y) {
    return x / y;
  }
};

template <class Form, class C, class A, class B, int RC, int RA, int RB>
void theorem(const std::vector<index>& common, const layout& lc, const layout& la, const layout& lb, int p1, int p2) {
  const operand<C, RC> c(common, lc);
  const operand<A, RA> a(common, la);
  const operand<B, RB> b(common, lb);
  const auto vc = c.view();
  const auto va = a.view();
  const auto vb = b.view();

  const auto fused = Form::fused(vc, va, vb);
  const auto two = vc + Form::inner(va, vb);
  static_assert(std::is_same_v<bl::normal_form_t<decltype(fused)>, bl::normal_form_t<decltype(two)>>);
  constexpr int rank = std::max({RC, RA, RB});
  RC_ASSERT(fused.shape() == two.shape());
  RC_ASSERT(fused.shape() == expected_shape<rank>(common, c, a, b));

  const auto x = bl::eval(fused, policies[p1]);
  const auto y = bl::eval(two, policies[p2]);
  RC_ASSERT(same_bits(x, y));

  // One step after the other, with the product in memory of its own.
  const auto product = bl::eval(Form::inner(va, vb), policies[p2]);
  RC_ASSERT(same_bits(bl::eval(vc + product, policies[p1]), y));

  // As one node of three operands, of one type: it would promote all three together.
  if constexpr (std::is_same_v<Form, with_mul> && std::is_same_v<A, C> && std::is_same_v<B, C>)
    RC_ASSERT(same_bits(bl::eval(one_node::addcmul(vc, va, vb), policies[p1]), y));

  // Into memory that is not aligned and not dense.
  using S = typename decltype(x)::value_type;
  if constexpr (rank > 0) {
    bl::detail::indices<rank> strides{};
    index step = 2;
    for (int k = 0; k < rank; ++k) {
      strides[k] = step;
      step *= x.shape()[k] + 1;
    }
    std::vector<S> memory(static_cast<std::size_t>(step + lc.offset), S(42));
    const bl::view<S, bl::dshape<rank>> out(memory.data() + lc.offset, bl::dshape<rank>(x.shape()),
                                            bl::dyn_strides<rank>{strides});
    bl::assign(out, two, policies[p1]);
    RC_ASSERT(same_bits(bl::eval(out), y));
    std::size_t untouched = 0;
    for (const S& s : memory) untouched += same_value(s, S(42));
    RC_ASSERT(untouched + static_cast<std::size_t>(x.size()) >= memory.size());
  }

  // A plain loop over the result.
  using P = typename decltype(product)::value_type;
  const auto shape = x.shape();
  bl::detail::indices<rank> at{};
  for (index n = 0; n < x.size(); ++n) {
    volatile P rounded = Form::template scalar<P>(static_cast<P>(a.at(at)), static_cast<P>(b.at(at)));
    const S left = static_cast<S>(c.at(at)), right = static_cast<S>(P(rounded));
    S sum;
    if constexpr (std::is_floating_point_v<S>)
      sum = left + right;
    else
      sum = static_cast<S>(static_cast<std::uint64_t>(left) + static_cast<std::uint64_t>(right));
    RC_ASSERT(same_value(x.data()[n], sum));
    for (int k = rank - 1; k >= 0; --k) {
      if (++at[k] < shape[k]) break;
      at[k] = 0;
    }
  }
}

// In place: the destination has the common shape already, and the product expands to it.
template <class T>
void in_place(const std::vector<index>& common, const layout& la, const layout& lb, int p) {
  const operand<T, 2> a(common, la);
  const operand<T, 3> b(common, lb);
  bl::dtensor<T, 3> self(common[0], common[1], common[2]);
  for (index i = 0; i < self.size(); ++i) self.data()[i] = value<T>(la.seed + 7, i);
  const auto want = bl::eval(self + a.view() * b.view(), policies[p]);
  RC_ASSERT(want.shape() == self.shape());
  bl::dtensor<T, 3> other(self);
  bl::addcmul_(self, a.view(), b.view());
  RC_ASSERT(same_bits(self, want));
  other += a.view() * b.view();
  RC_ASSERT(same_bits(other, want));
}

// Views: seeing the whole through a view is seeing its operands through it, and both are views of the result.
template <class T>
void views(const std::vector<index>& common, const layout& lc, const layout& la, const layout& lb, int p) {
  const operand<T, 3> c(common, lc), a(common, la);
  const operand<T, 2> b(common, lb);
  const auto e = bl::addcmul(c.view(), a.view(), b.view());
  const auto whole = bl::eval(e);
  RC_ASSERT(same_bits(bl::eval(bl::transpose(e), policies[p]), bl::eval(bl::transpose(whole))));
  RC_ASSERT(same_bits(bl::eval(bl::flip(e, 0, 2), policies[p]), bl::eval(bl::flip(whole, 0, 2))));
  const auto part = [](const auto& x) {
    return bl::slice(x, bl::all, bl::range(1, bl::end), bl::range(bl::none, bl::none, -2));
  };
  RC_ASSERT(same_bits(bl::eval(part(e), policies[p]), bl::eval(part(whole))));
  RC_ASSERT(same_bits(bl::eval(bl::permute(e, 1, 2, 0), policies[p]), bl::eval(bl::permute(whole, 1, 2, 0))));
}

template <class Form, class C, class A, class B, int RC, int RA, int RB>
bool check(const char* name) {
  return rc::check(name, [] {
    const auto common = *extents();
    const auto lc = *layouts(), la = *layouts(), lb = *layouts();
    const int p1 = *rc::gen::inRange(0, 5), p2 = *rc::gen::inRange(0, 5);
    RC_TAG(p1 == p2 ? "same policy" : "other policy");
    theorem<Form, C, A, B, RC, RA, RB>(common, lc, la, lb, p1, p2);
  });
}

}  // namespace

// More cases than RapidCheck's hundred; RC_PARAMS in the environment still decides ("seed=... max_success=...").
struct more_cases {
  more_cases() { setenv("RC_PARAMS", "max_success=400", 0); }
};
BOOST_TEST_GLOBAL_FIXTURE(more_cases);

BOOST_AUTO_TEST_SUITE(properties)

BOOST_AUTO_TEST_CASE(addcmul_of_f32) {
  BOOST_TEST((check<with_mul, float, float, float, 3, 3, 3>("addcmul = add(mul), f32, ranks 3 3 3")));
  BOOST_TEST((check<with_mul, float, float, float, 1, 3, 2>("addcmul = add(mul), f32, ranks 1 3 2")));
  BOOST_TEST((check<with_mul, float, float, float, 2, 0, 1>("addcmul = add(mul), f32, ranks 2 0 1")));
  BOOST_TEST((check<with_mul, float, float, float, 0, 1, 1>("addcmul = add(mul), f32, ranks 0 1 1")));
}

BOOST_AUTO_TEST_CASE(addcmul_of_other_types) {
  BOOST_TEST((check<with_mul, double, double, double, 3, 2, 3>("addcmul = add(mul), f64")));
  BOOST_TEST((check<with_mul, std::int32_t, std::int32_t, std::int32_t, 2, 3, 3>("addcmul = add(mul), i32, wrapping")));
  BOOST_TEST((check<with_mul, std::uint8_t, std::uint8_t, std::uint8_t, 2, 2, 2>("addcmul = add(mul), u8, wrapping")));
  BOOST_TEST(
      (check<with_mul, std::int64_t, std::int16_t, std::int32_t, 2, 2, 1>("addcmul = add(mul), i64 + i16 * i32")));
  BOOST_TEST((check<with_mul, float, std::int32_t, double, 2, 2, 2>("addcmul = add(mul), f32 + i32 * f64")));
}

BOOST_AUTO_TEST_CASE(addcdiv) {
  BOOST_TEST((check<with_div, float, float, float, 3, 2, 3>("addcdiv = add(div), f32")));
  BOOST_TEST((check<with_div, double, double, double, 2, 3, 1>("addcdiv = add(div), f64")));
}

BOOST_AUTO_TEST_CASE(in_place_form) {
  const auto check_type = [](const char* name, auto zero) {
    return rc::check(name, [] {
      const auto common = *extents();
      const auto la = *layouts(), lb = *layouts();
      in_place<decltype(zero)>(common, la, lb, *rc::gen::inRange(0, 5));
    });
  };
  BOOST_TEST(check_type("addcmul_ and += agree with addcmul, f32", 0.f));
  BOOST_TEST(check_type("addcmul_ and += agree with addcmul, i32", std::int32_t{0}));
}

BOOST_AUTO_TEST_CASE(views_commute) {
  BOOST_TEST(rc::check("views of addcmul are addcmul of views, f32", [] {
    const auto common = *extents();
    const auto lc = *layouts(), la = *layouts(), lb = *layouts();
    views<float>(common, lc, la, lb, *rc::gen::inRange(0, 5));
  }));
}

// The comparisons can fail: rounding once instead of twice is noticed, and so is another order.
BOOST_AUTO_TEST_CASE(a_difference_is_noticed) {
  const std::vector<bl::index> common{1, 7, 65};
  layout l{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0, 0, 1}, m = l, n = l;
  m.seed = 2;
  n.seed = 3;
  const operand<float, 3> c(common, l), a(common, m), b(common, n);
  const auto twice = bl::eval(c.view() + a.view() * b.view());
  bl::dtensor<float, 3> once(1, 7, 65);
  int different = 0;
  for (bl::index i = 0; i < once.size(); ++i) {
    once.data()[i] = __builtin_fmaf(a.memory[static_cast<std::size_t>(i)], b.memory[static_cast<std::size_t>(i)],
                                    c.memory[static_cast<std::size_t>(i)]);
    different += !same_value(once.data()[i], twice.data()[i]);
  }
  BOOST_TEST(different > 10);
  BOOST_TEST(!same_bits(once, twice));
  BOOST_TEST(same_bits(twice, twice));
  BOOST_TEST(!same_bits(twice, bl::eval((c.view() + a.view()) * b.view())));
  BOOST_TEST(!same_value(0.f, -0.f));
}

BOOST_AUTO_TEST_SUITE_END()
