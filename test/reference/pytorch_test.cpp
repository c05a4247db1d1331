// Compares Broadloom with PyTorch over generated arrays: result type, shape, elements and error text, for functions and
// their in-place forms. Differences that are decisions are named in decisions.tsv; any other is a failure.
//
//   BROADLOOM_SEED=n   the seed of this run's cases, printed; 1 unless given
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <broadloom/broadloom.hpp>

#include "pytorch.hpp"

namespace bl = broadloom;

namespace {

using bl::dtype;

unsigned seed() {
  const char* given = std::getenv("BROADLOOM_SEED");
  return given == nullptr ? 1u : static_cast<unsigned>(std::strtoul(given, nullptr, 10));
}

// The decisions: what differs by intention. The file's columns: name, the functions it covers, the line of the
// semantics.
class decisions {
 public:
  decisions() {
    std::ifstream file("test/reference/decisions.tsv");
    if (!file) throw std::runtime_error("cannot read test/reference/decisions.tsv");
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
      const auto at = line.find('\t');
      if (at == std::string::npos) throw std::runtime_error("decisions.tsv: no tab in: " + line);
      texts_[line.substr(0, at)] = line.substr(at + 1);
    }
  }
  void used(const std::string& name) {
    if (texts_.count(name) == 0) throw std::runtime_error("a difference that decisions.tsv does not have: " + name);
    ++counts_[name];
  }
  void print() const {
    std::printf("differences from PyTorch by decision:\n");
    for (const auto& [name, text] : texts_) {
      const auto found = counts_.find(name);
      std::printf("  %6lld cases  %s: %s\n", found == counts_.end() ? 0 : found->second, name.c_str(), text.c_str());
    }
  }
  std::vector<std::string> unused() const {
    std::vector<std::string> r;
    for (const auto& [name, text] : texts_)
      if (counts_.count(name) == 0) r.push_back(name);
    return r;
  }

 private:
  std::map<std::string, std::string> texts_;
  std::map<std::string, long long> counts_;
};

struct run_state {
  std::mt19937 random{seed()};
  decisions by_decision;
  long long cases = 0, elements = 0, errors = 0;
  std::vector<std::string> problems;  // of the case being run
  int below(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }
};
run_state& state() {
  static run_state s;
  return s;
}

// --- generated operands
// ------------------------------------------------------------------------------------------------

const bl::index sizes[] = {0, 1, 2, 3, 7, 65};

template <class T>
T random_value() {
  auto& s = state();
  if constexpr (std::is_same_v<T, bool>)
    return s.below(2) == 1;
  else if constexpr (std::is_floating_point_v<T>) {
    switch (s.below(24)) {
      case 0: return T(0);
      case 1: return -T(0);
      case 2: return std::numeric_limits<T>::infinity();
      case 3: return std::numeric_limits<T>::quiet_NaN();
      default: return (static_cast<T>(s.below(1 << 20)) - T(1 << 19)) / T(37 << 8);
    }
  } else {
    // Never 0, which PyTorch does not divide by either; both signs.
    const int v = s.below(40) - 20;
    return static_cast<T>(v == 0 ? 21 : v);
  }
}

// An operand with a layout drawn at random: axes in any order, with gaps, flipped, or expanded.
template <class T, int R>
struct operand {
  std::vector<T> memory;
  bl::index first = 0;
  bl::detail::indices<R> extents{}, strides{};

  explicit operand(const bl::detail::indices<R>& e, bool plain = false) : extents(e) {
    auto& s = state();
    bl::index step = 1, low = 0, high = 0;
    const int turn = plain ? 0 : s.below(R == 0 ? 1 : R);
    for (int k = 0; k < R; ++k) {
      const int axis = (R - 1 - k + turn) % (R == 0 ? 1 : R);
      if (!plain && s.below(8) == 0) continue;  // every element of this axis is the same one
      const bl::index gap = plain ? 1 : 1 + s.below(2), sign = plain || s.below(4) > 0 ? 1 : -1;
      strides[axis] = sign * gap * step;
      const bl::index n = std::max<bl::index>(extents[axis], 1);
      (sign < 0 ? low : high) += (n - 1) * strides[axis];
      step *= n * gap;
    }
    first = -low;
    memory.resize(static_cast<std::size_t>(high - low + 1));
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = random_value<T>();
  }
};
// std::vector<bool> has no memory of bools.
template <int R>
struct operand<bool, R> : operand<std::uint8_t, R> {
  explicit operand(const bl::detail::indices<R>& e, bool plain = false) : operand<std::uint8_t, R>(e, plain) {
    for (auto& b : this->memory) b = b & 1;
  }
};

template <class T, int R>
auto view_of(const operand<T, R>& x) {
  const auto* data = reinterpret_cast<const T*>(x.memory.data()) + x.first;
  return bl::view<const T, bl::dshape<R>>(data, bl::dshape<R>::unchecked(x.extents), bl::dyn_strides<R>{x.strides});
}
template <class T, int R>
auto tensor_of(const operand<T, R>& x) {
  bl::dtensor<T, R> t(bl::dshape<R>::unchecked(x.extents));
  bl::assign(t, view_of(x), bl::seq);
  return t;
}
template <class T, int R>
reference::operand for_pytorch(const operand<T, R>& x) {
  return {reinterpret_cast<const T*>(x.memory.data()) + x.first, bl::dtype_of<T>,
          std::vector<bl::index>(x.extents.begin(), x.extents.end()),
          std::vector<bl::index>(x.strides.begin(), x.strides.end())};
}

// Shapes that mostly meet: axes of one common shape, each kept or 1; now and then something else.
template <int R, int N>
bl::detail::indices<R> part_of(const bl::detail::indices<N>& common) {
  auto& s = state();
  bl::detail::indices<R> e{};
  for (int i = 0; i < R; ++i) {
    const int kind = s.below(20);
    e[i] = kind == 0 ? sizes[s.below(6)] : kind < 7 ? 1 : common[N - R + i];
  }
  return e;
}
bl::detail::indices<6> common_shape(int largest_rank) {
  auto& s = state();
  bl::detail::indices<6> e{};
  for (int i = 0; i < 6; ++i)
    e[i] = sizes[s.below(i < 6 - largest_rank ? 1 : largest_rank > 3 ? 4 : largest_rank > 2 ? 5 : 6)];
  return e;
}

// --- comparing ------------------------------------------------------------------------------------------------------

// How far elements may be from PyTorch's: in units of the last place of the result, or in absolute terms by element.
struct tolerance {
  double ulps = 0;
};

template <class T>
bool close(T ours, T theirs, double ulps) {
  if constexpr (std::is_floating_point_v<T>) {
    if (ours != ours || theirs != theirs) return ours != ours && theirs != theirs;
    if (ulps == 0) return std::memcmp(&ours, &theirs, sizeof ours) == 0;
    if (ours == theirs) return true;
    const T step = std::max(std::nextafter(std::abs(theirs), std::numeric_limits<T>::infinity()) - std::abs(theirs),
                            std::numeric_limits<T>::denorm_min());
    return std::abs(ours - theirs) <= ulps * step;
  } else
    return ours == theirs;
}

template <class T>
std::string text_of(const T& x) {
  std::ostringstream s;
  s.precision(17);
  if constexpr (sizeof(T) == 1)
    s << static_cast<int>(x);
  else
    s << x;
  return s.str();
}

// Reports differences between a row-major result and PyTorch's.
template <class Result>
void compare_result(const Result& ours, const reference::answer& theirs, double ulps, bool zeros_are_equal = false) {
  using T = typename Result::value_type;
  auto& problems = state().problems;
  if (theirs.failed) {
    problems.push_back("works, but PyTorch fails: " + theirs.error);
    return;
  }
  if (theirs.type != bl::dtype_of<T>) {
    problems.push_back(std::string("gives ") + bl::to_string(bl::dtype_of<T>) + ", PyTorch " +
                       bl::to_string(theirs.type));
    return;
  }
  const auto shape = ours.shape();
  bool same_shape = static_cast<std::size_t>(shape.rank()) == theirs.shape.size();
  for (bl::index i = 0; same_shape && i < shape.rank(); ++i)
    same_shape = shape[i] == theirs.shape[static_cast<std::size_t>(i)];
  if (!same_shape) {
    problems.push_back("has another shape");
    return;
  }
  for (bl::index i = 0; i < ours.size(); ++i) {
    T want;
    std::memcpy(&want, theirs.elements.data() + static_cast<std::size_t>(i) * sizeof(T), sizeof(T));
    ++state().elements;
    if (!close(ours.data()[i], want, ulps)) {
      // Which of two equal zeros maximum gives depends on the layout in PyTorch.
      if (zeros_are_equal && ours.data()[i] == T(0) && want == T(0)) {
        state().by_decision.used("the sign of a zero that maximum and minimum give");
        continue;
      }
      problems.push_back("element " + std::to_string(i) + " is " + text_of(ours.data()[i]) + ", PyTorch's " +
                         text_of(want));
      return;
    }
  }
}

void compare_error(const std::string& ours, const reference::answer& theirs) {
  ++state().errors;
  if (!theirs.failed)
    state().problems.push_back("fails, but PyTorch works: " + ours);
  else if (theirs.error.rfind(ours.substr(0, ours.find('\n')), 0) != 0)
    state().problems.push_back("says\n    " + ours + "\n  PyTorch\n    " + theirs.error);
}

void finish(const std::string& title) {
  ++state().cases;
  for (const auto& problem : state().problems) BOOST_ERROR(title << ": " << problem);
  state().problems.clear();
}

template <class... T, int... R>
std::string title_of(const std::string& name, const operand<T, R>&... x) {
  std::ostringstream s;
  s << name;
  const auto one = [&](const auto& o, dtype t) {
    s << ' ' << bl::to_string(t) << '(';
    for (int i = 0; i < o.extents.count; ++i) s << (i == 0 ? "" : ",") << o.extents[i];
    s << ')';
  };
  (one(x, bl::dtype_of<T>), ...);
  return s.str();
}

// One out-of-place call on both sides.
template <class F, class... T, int... R>
void compare_call(const std::string& name, F f, double ulps, const double* scalar, const operand<T, R>&... x) {
  const auto theirs = reference::pytorch(name, {for_pytorch(x)...}, scalar);
  try {
    const auto ours = bl::eval(f(view_of(x)...));
    compare_result(ours, theirs, ulps, name == "maximum" || name == "minimum");
  } catch (const bl::shape_error& error) {
    compare_error(error.what(), theirs);
  }
  finish(title_of(name, x...));
}

// One in-place call on both sides; the destination is a tensor, as large as its memory.
template <class F, class S, int RS, class... T, int... R>
void compare_in_place(const std::string& name, F f, double ulps, const double* scalar, const operand<S, RS>& self,
                      const operand<T, R>&... x) {
  const auto theirs = reference::pytorch(name, {for_pytorch(self), for_pytorch(x)...}, scalar);
  auto ours = tensor_of(self);
  try {
    f(ours, view_of(x)...);
    compare_result(ours, theirs, ulps);
  } catch (const bl::shape_error& error) {
    compare_error(error.what(), theirs);
  }
  finish(title_of(name, self, x...));
}

// --- functions and types
// -----------------------------------------------------------------------------------------------

template <class... T>
struct types {};
using all_types = types<bool, std::uint8_t, std::int16_t, std::int32_t, std::int64_t, float, double>;

template <class F, class... T>
void for_each_type(types<T...>, F f) {
  (f.template operator()<T>(), ...);
}

// A function of two operands, over every pair of types at rank 2, and its in-place form where the types allow one.
template <class Function, class InPlace>
void pairs_of_types(const std::string& name, Function function, InPlace in_place, bool has_in_place, double ulps,
                    int repeats) {
  for_each_type(all_types{}, [&]<class A>() {
    for_each_type(all_types{}, [&]<class B>() {
      if constexpr (std::is_invocable_v<Function, bl::view<const A, bl::dshape<2>>, bl::view<const B, bl::dshape<2>>>) {
        for (int n = 0; n < repeats; ++n) {
          const auto common = common_shape(2);
          const operand<A, 2> a(part_of<2>(common));
          const operand<B, 2> b(part_of<2>(common));
          compare_call(name, function, ulps, nullptr, a, b);
          using result = bl::detail::value_of<decltype(function(view_of(a), view_of(b)))>;
          if constexpr (bl::detail::category(bl::dtype_of<result>) <= bl::detail::category(bl::dtype_of<A>)) {
            if (has_in_place) compare_in_place(name + "_", in_place, ulps, nullptr, a, b);
          }
        }
      } else {
        // Refused by the types: PyTorch must refuse them too.
        const operand<A, 2> a(bl::detail::indices<2>{{2, 3}});
        const operand<B, 2> b(bl::detail::indices<2>{{2, 3}});
        const auto theirs = reference::pytorch(name, {for_pytorch(a), for_pytorch(b)});
        if (!theirs.failed) state().problems.push_back("does not compile, but PyTorch works");
        finish(title_of(name, a, b));
      }
    });
  });
}

template <class Function>
void each_type(const std::string& name, Function function, double ulps, int repeats) {
  for_each_type(all_types{}, [&]<class A>() {
    if constexpr (std::is_invocable_v<Function, bl::view<const A, bl::dshape<2>>>)
      for (int n = 0; n < repeats; ++n)
        compare_call(name, function, ulps, nullptr, operand<A, 2>(part_of<2>(common_shape(2))));
  });
}

// Three floating operands over many combinations of ranks.
template <class T, int RC, int RA, int RB>
void three_operands(int repeats) {
  constexpr int largest = std::max({RC, RA, RB});
  for (int n = 0; n < repeats; ++n) {
    const auto common = common_shape(largest);
    const operand<T, RC> c(part_of<RC>(common));
    const operand<T, RA> a(part_of<RA>(common));
    const operand<T, RB> b(part_of<RB>(common));
    // The theorem, against PyTorch's own two steps: exactly.
    const auto two_steps = reference::pytorch("add_mul", {for_pytorch(c), for_pytorch(a), for_pytorch(b)});
    const auto compare = [&](const char* form, auto call) {
      try {
        compare_result(bl::eval(call()), two_steps, 0);
      } catch (const bl::shape_error& error) {
        // The sentence may name another pair of the clashing sizes; that it fails is what must agree.
        ++state().errors;
        if (!two_steps.failed)
          state().problems.push_back("fails, but PyTorch's two steps work: " + std::string(error.what()));
      }
      finish(title_of(form, c, a, b));
    };
    compare("addcmul against add(mul)", [&] { return bl::addcmul(view_of(c), view_of(a), view_of(b)); });
    compare("c + a * b against add(mul)", [&] { return view_of(c) + view_of(a) * view_of(b); });

    // Against PyTorch's addcmul, which may fuse: |difference| <= the rounding of the product that it leaves out, and of
    // the sum.
    const auto theirs = reference::pytorch("addcmul", {for_pytorch(c), for_pytorch(a), for_pytorch(b)});
    try {
      const auto ours = bl::eval(bl::addcmul(view_of(c), view_of(a), view_of(b)));
      const auto product = bl::eval(view_of(a) * view_of(b) + view_of(c) * T(0));
      bool fused = false,
           wrong = theirs.failed || theirs.elements.size() != static_cast<std::size_t>(ours.size()) * sizeof(T);
      for (bl::index i = 0; !wrong && i < ours.size(); ++i) {
        T want;
        std::memcpy(&want, theirs.elements.data() + static_cast<std::size_t>(i) * sizeof(T), sizeof(T));
        const T got = ours.data()[i];
        ++state().elements;
        if (close(got, want, 0)) continue;
        fused = true;
        const T bound = std::numeric_limits<T>::epsilon() * (std::abs(product.data()[i]) + std::abs(want));
        wrong = !(std::abs(got - want) <= bound) && got != want;
      }
      if (wrong) state().problems.push_back("differs from PyTorch's addcmul by more than roundings");
      if (fused) state().by_decision.used("addcmul rounds twice");
    } catch (const bl::shape_error& error) {
      compare_error(error.what(), theirs);
    }
    finish(title_of("addcmul", c, a, b));

    if constexpr (RA <= RC && RB <= RC) {
      // In place: the shapes that fail, their sentences, and the elements where both round alike.
      auto self = tensor_of(c);
      const auto in_place = reference::pytorch("addcmul_", {for_pytorch(c), for_pytorch(a), for_pytorch(b)});
      try {
        bl::addcmul_(self, view_of(a), view_of(b));
        if (in_place.failed)
          state().problems.push_back("works, but PyTorch fails: " + in_place.error);
        else
          compare_result(self, two_steps, 0);
      } catch (const bl::shape_error& error) {
        compare_error(error.what(), in_place);
      }
      finish(title_of("addcmul_", c, a, b));
    }
  }
}

template <int... I>
void all_rank_triples(std::integer_sequence<int, I...>, int repeats) {
  (three_operands<float, I / 9, I / 3 % 3, I % 3>(repeats), ...);
}

// Two floating operands of every pair of ranks 0-4, and the in-place form where the destination has enough axes.
template <int RA, int RB>
void two_operands(int repeats) {
  for (int n = 0; n < repeats; ++n) {
    const auto common = common_shape(std::max(RA, RB));
    const operand<float, RA> a(part_of<RA>(common));
    const operand<float, RB> b(part_of<RB>(common));
    compare_call("add", bl::add, 0, nullptr, a, b);
    if constexpr (RB <= RA) compare_in_place("add_", bl::add_, 0, nullptr, a, b);
  }
}
template <int... I>
void all_rank_pairs(std::integer_sequence<int, I...>, int repeats) {
  (two_operands<I / 5, I % 5>(repeats), ...);
}

struct announce {
  announce() { std::printf("seed %u\n", seed()); }
  ~announce() {
    std::printf("%lld cases, %lld elements, %lld errors compared\n", state().cases, state().elements, state().errors);
    state().by_decision.print();
  }
};
BOOST_TEST_GLOBAL_FIXTURE(announce);

const auto no_in_place = [](auto&, const auto&) {};

}  // namespace

BOOST_AUTO_TEST_SUITE(pytorch)

BOOST_AUTO_TEST_CASE(three_operands_of_every_rank) {
  all_rank_triples(std::make_integer_sequence<int, 27>{}, 60);
  three_operands<float, 3, 3, 3>(300);
  three_operands<double, 3, 2, 3>(300);
  three_operands<float, 1, 3, 2>(300);
  three_operands<float, 4, 2, 3>(100);
}

BOOST_AUTO_TEST_CASE(two_operands_of_every_rank) { all_rank_pairs(std::make_integer_sequence<int, 25>{}, 150); }

BOOST_AUTO_TEST_CASE(arithmetic_of_every_type) {
  pairs_of_types("add", bl::add, bl::add_, true, 0, 6);
  pairs_of_types("sub", bl::sub, bl::sub_, true, 0, 6);
  pairs_of_types("mul", bl::mul, bl::mul_, true, 0, 6);
  pairs_of_types("div", bl::div, bl::div_, true, 0, 6);
}

BOOST_AUTO_TEST_CASE(comparisons_of_every_type) {
  pairs_of_types("eq", bl::eq, no_in_place, false, 0, 6);
  pairs_of_types("lt", bl::lt, no_in_place, false, 0, 6);
  pairs_of_types("ge", bl::ge, no_in_place, false, 0, 6);
  pairs_of_types("maximum", bl::maximum, no_in_place, false, 0, 6);
  pairs_of_types("minimum", bl::minimum, no_in_place, false, 0, 6);
}

BOOST_AUTO_TEST_CASE(unary_of_every_type) {
  each_type("neg", bl::neg, 0, 10);
  each_type("abs", bl::abs, 0, 10);
  each_type("sqrt", bl::sqrt, 0, 10);
  each_type("square", bl::square, 0, 10);
  each_type("logical_not", bl::logical_not, 0, 10);
  // One call of a transcendental each: within the sum of both libraries' bounds.
  each_type("exp", bl::exp, 2.5, 10);
  each_type("log", bl::log, 2.5, 10);
  each_type("sin", bl::sin, 2.5, 10);
  each_type("cos", bl::cos, 2.5, 10);
  each_type("tanh", bl::tanh, 2.5, 10);
}

// Every decision in the list is met by some case; one that is not is out of date.
BOOST_AUTO_TEST_CASE(every_decision_is_met) {
  for (const auto& name : state().by_decision.unused()) BOOST_ERROR("no case meets the decision: " << name);
  BOOST_TEST(state().cases > 10000);
  BOOST_TEST(state().errors > 500);
}

// The comparison can fail.
BOOST_AUTO_TEST_CASE(a_difference_is_noticed) {
  const auto count = [](auto call) {
    state().problems.clear();
    call();
    const auto n = state().problems.size();
    state().problems.clear();
    return n;
  };
  const operand<float, 2> a(bl::detail::indices<2>{{2, 3}}, true), b(bl::detail::indices<2>{{2, 3}}, true),
      wrong(bl::detail::indices<2>{{2, 2}}, true), row(bl::detail::indices<2>{{1, 3}}, true);
  const auto both = [&](const char* name, auto f, const auto& x, const auto& y) {
    const auto theirs = reference::pytorch(name, {for_pytorch(x), for_pytorch(y)});
    return count([&] {
      try {
        compare_result(bl::eval(f(view_of(x), view_of(y))), theirs, 0);
      } catch (const bl::shape_error& error) {
        compare_error(error.what(), theirs);
      }
    });
  };
  BOOST_TEST(both("add", bl::add, a, b) == 0u);
  BOOST_TEST(both("add", bl::mul, a, b) == 1u);
  BOOST_TEST(both("lt", bl::add, a, b) == 1u);
  BOOST_TEST(both("add", bl::add, a, wrong) == 0u);
  BOOST_TEST(count([&] {
               compare_error("another sentence", reference::pytorch("add", {for_pytorch(a), for_pytorch(wrong)}));
             }) == 1u);
  BOOST_TEST(count([&] { compare_error("fails", reference::pytorch("add", {for_pytorch(a), for_pytorch(b)})); }) == 1u);
  BOOST_TEST(count([&] {
               compare_result(bl::eval(view_of(row) + view_of(row)),
                              reference::pytorch("add", {for_pytorch(a), for_pytorch(row)}), 0);
             }) == 1u);
  BOOST_TEST(!close(1.f, std::nextafter(1.f, 2.f), 0));
  BOOST_TEST(!close(0.f, -0.f, 0));
  BOOST_TEST(close(1.f, std::nextafter(1.f, 2.f), 1));
  BOOST_TEST(!close(1.f, 1.000001f, 1));
}

BOOST_AUTO_TEST_SUITE_END()
