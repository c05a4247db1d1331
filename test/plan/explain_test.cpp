// The plan is a value: which loops remain after the passes, how every array is read, how it is cut, what it costs.
// Build: gcc-alone
#include <broadloom/broadloom.hpp>
#include <broadloom/eval/static_explain.hpp>

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

namespace bl = broadloom;

namespace {

std::vector<bl::index> extents(const bl::explanation& x) {
  std::vector<bl::index> r;
  for (const bl::planned_loop& l : x.loops) r.push_back(l.extent);
  return r;
}
std::vector<std::string> readings(const bl::explanation& x) {
  std::vector<std::string> r;
  for (const bl::planned_array& a : x.arrays) r.push_back(a.reading);
  return r;
}
using numbers = bl::list<bl::index>;
using words = bl::list<std::string>;

}  // namespace

BOOST_AUTO_TEST_SUITE(plan_explain)

BOOST_AUTO_TEST_CASE(axes_that_lie_behind_each_other_become_one) {
  const auto a = bl::zeros<float>(6, 5, 40), b = bl::zeros<float>(6, 5, 40);
  const auto x = bl::explain(a + b * 2);
  BOOST_TEST(extents(x) == (numbers{1200}));
  BOOST_TEST((x.loops[0].steps == numbers{4, 4, 0, 4}));
  BOOST_TEST(readings(x) == (words{"dense", "dense", "scalar", "dense"}));
  BOOST_TEST(x.shape == (numbers{6, 5, 40}));
  BOOST_TEST((x.bytes_read == 2 * 4800 + 4 && x.bytes_written == 4800));
  BOOST_TEST((x.temporary_bytes == 0 && x.calls == 2 * 1200));
}

BOOST_AUTO_TEST_CASE(axes_of_extent_1_vanish_and_broadcast_ones_stay_apart) {
  const auto a = bl::zeros<float>(64, 1, 256), b = bl::zeros<float>(1, 32, 256), c = bl::zeros<float>(64, 32, 1);
  const auto x = bl::explain(a + b * c);
  BOOST_TEST(extents(x) == (numbers{64, 32, 256}));
  BOOST_TEST(readings(x) == (words{"dense", "dense", "splat", "dense"}));
  BOOST_TEST((x.loops[0].steps == numbers{1024, 0, 128, 32768}));
  BOOST_TEST((x.loops[1].steps == numbers{0, 1024, 4, 1024}));
  BOOST_TEST((x.loops[2].steps == numbers{4, 4, 0, 4}));
  BOOST_TEST(x.bytes_read == 4 * (64 * 256 + 32 * 256 + 64 * 32));
  const auto y = bl::explain(bl::zeros<float>(1, 7, 1, 9) + bl::zeros<float>(9));
  BOOST_TEST(extents(y) == (numbers{7, 9}));
}

BOOST_AUTO_TEST_CASE(the_loops_follow_the_outputs_memory) {
  auto o = bl::zeros<float>(50, 300);
  const auto a = bl::zeros<float>(300, 50);
  // a transposed output is walked as it lies, so this is one contiguous loop
  BOOST_TEST(extents(bl::explain(o.T(), a.T().T() + bl::zeros<float>(1))).size() == 2u);
  const auto same = bl::explain(o.T(), o.T() * 2);
  BOOST_TEST(extents(same) == (numbers{15000}));
  const auto flipped = bl::explain(bl::flip(o, 0, 1), bl::flip(o, 0, 1) + 1);
  BOOST_TEST(extents(flipped) == (numbers{15000}));
  BOOST_TEST((flipped.loops[0].steps == numbers{4, 0, 4}));
  const auto tiles = bl::explain(o, a.T());
  BOOST_TEST(tiles.blocks == "tiles");
  BOOST_TEST(readings(tiles) == (words{"packed", "dense"}));
}

BOOST_AUTO_TEST_CASE(only_what_overlaps_is_copied) {
  auto o = bl::zeros<float>(100, 100);
  const auto b = bl::zeros<float>(100, 100);
  BOOST_TEST(bl::explain(o, o + b).temporary_bytes == 0);
  BOOST_TEST(bl::explain(o, o.T() + b).temporary_bytes == 40000);
  BOOST_TEST(bl::explain(o, o.T() + o).temporary_bytes == 40000);
  BOOST_TEST(bl::explain(o, b + bl::select(o, 0, 3)).temporary_bytes == 400);
  // even and odd elements share an address range, but no element
  const auto even = bl::slice(o, bl::all, bl::range(0, bl::end, 2)),
             odd = bl::slice(o, bl::all, bl::range(1, bl::end, 2));
  BOOST_TEST(bl::explain(even, odd + 1).temporary_bytes == 0);
  BOOST_TEST(bl::explain(bl::slice(o, bl::range(0, 50)), bl::slice(o, bl::range(50, 100)) + 1).temporary_bytes == 0);
  BOOST_TEST(bl::explain(bl::slice(o, bl::range(0, 50)), bl::slice(o, bl::range(49, 99)) + 1).temporary_bytes == 20000);
}

BOOST_AUTO_TEST_CASE(small_work_stays_on_the_calling_thread) {
  const auto small = bl::zeros<float>(100), large = bl::zeros<float>(4000000);
  BOOST_TEST(bl::explain(small + small).threads == 1);
  BOOST_TEST(bl::explain(large + large, bl::seq).threads == 1);
  BOOST_TEST(bl::explain(large + large, bl::par.threads(3)).threads == 3);
  BOOST_TEST(bl::explain(large + large, bl::par.threads(3)).block_count > 3);
}

BOOST_AUTO_TEST_CASE(stages_name_what_runs_one_after_the_other) {
  const auto a = bl::zeros<float>(1000);
  const auto x = bl::explain(bl::exp(a * 2) + 1);
  BOOST_TEST(x.stages.size() == 3u);
  BOOST_TEST(x.stages[0] == "loop: mul(#0, #1)");
  BOOST_TEST(x.stages[1] == "strip: exp(stage 0)");
  BOOST_TEST(x.stages[2] == "loop: add(stage 1, #2)");
  BOOST_TEST(!x.maths.empty());
  BOOST_TEST(bl::explain(a + a).maths.empty());
  BOOST_TEST(bl::explain(a + a).stages == (words{"loop: add(#0, #1)"}));
}

BOOST_AUTO_TEST_CASE(equal_parts_of_equal_memory_are_computed_once) {
  const auto a = bl::zeros<float>(50, 50), b = bl::zeros<float>(50, 50);
  const auto shared = [](const auto& e) { return bl::explain(e).shared_stages; };
  BOOST_TEST(shared(bl::exp(a) * b + bl::exp(a)) == 1);
  BOOST_TEST(shared(bl::exp(a * 2) * bl::exp(a * 2) + bl::exp(a)) == 2);
  BOOST_TEST(shared(bl::log(bl::exp(a / b)) + bl::log(bl::exp(a / b))) == 3);
  BOOST_TEST(shared(bl::exp(a) + bl::exp(b)) == 0);
  BOOST_TEST(shared(bl::exp(a * 2) + bl::exp(a * 3)) == 0);
  BOOST_TEST(shared(bl::exp(a) + bl::exp(a.T())) == 0);
  BOOST_TEST(shared(bl::exp(a) + bl::exp2(a)) == 0);
  BOOST_TEST(bl::to_string(bl::explain(bl::exp(a) * b + bl::exp(a))).find("shared      1 stage") != std::string::npos);
}

// Beside functions only: a loop by itself stays one loop.
BOOST_AUTO_TEST_CASE(repeated_roots_and_quotients_beside_functions_are_computed_once) {
  bl::dtensor<float, 1> a(300), b(300);
  for (bl::index i = 0; i < 300; ++i) a(i) = 1 + static_cast<float>(i) / 7, b(i) = 400 - static_cast<float>(i);
  const auto shared = [](const auto& e) { return bl::explain(e).shared_stages; };
  const auto root = bl::sqrt(a) * 2;
  const auto d = (bl::log(a / b) + a) / root;
  const auto both = bl::erf(d) - bl::erf(d - root);
  BOOST_TEST(shared(bl::exp(b - root) * root) == 1);
  BOOST_TEST(shared(bl::exp(a / b) + a / b) == 1);
  BOOST_TEST(shared(both) == 5);  // a / b, its logarithm, the root twice, and d
  BOOST_TEST(bl::explain(both).stages.size() == 13u);
  BOOST_TEST(bl::explain(root * root + bl::sqrt(a) * 2).stages.size() == 1u);
  // Of one type, but of other operands.
  BOOST_TEST(shared(bl::exp(a / b) + b / a) == 0);
  BOOST_TEST(shared(bl::exp(b - root) * (bl::sqrt(b) * 2)) == 0);
  // What occurs only within what is repeated is no stage.
  BOOST_TEST(bl::explain(bl::exp(1 / root) + 1 / root).stages.size() == 4u);

  const bl::dtensor<float, 1> result = both, quotient = a / b, logarithm = bl::log(quotient), roots = bl::sqrt(a) * 2;
  const bl::dtensor<float, 1> first = (logarithm + a) / roots, wanted = bl::erf(first) - bl::erf(first - roots);
  BOOST_TEST(bl::all(result == wanted).item());
}

BOOST_AUTO_TEST_CASE(a_let_that_copies_share_is_told_once) {
  const bl::dtensor<float, 2> x(3, 4);
  const auto f = [](float v) { return v + 1; };
  const auto t = bl::let(bl::pointwise(f, x) * 2);  // callables are called once for all mentions
  BOOST_TEST(bl::explain(bl::exp(t) - 1).tree == "sub(exp(let(mul(pointwise(a callable, f32(3, 4)), 2))), 1)");
  BOOST_TEST(bl::explain(t + bl::sin(t)).tree == "add(let #1(mul(pointwise(a callable, f32(3, 4)), 2)), sin(let #1))");
  // A small one, which its copies hold, is told each time.
  const auto u = bl::let(t * bl::exp(t));
  BOOST_TEST(bl::explain(u / (u + t)).tree ==
             "div(let(mul(let #1(mul(pointwise(a callable, f32(3, 4)), 2)), exp(let #1))), add(let(mul(let #1, exp(let "
             "#1))), let #1))");
}

BOOST_AUTO_TEST_CASE(what_the_compiler_decides_can_be_asserted) {
  const bl::tensor<float, bl::shape<40, 50>> m;
  const bl::tensor<float, bl::shape<1, 50>> row;
  const bl::tensor<float, bl::shape<8, 1>> x;
  const bl::tensor<float, bl::shape<1, 7>> y;
  {
    constexpr auto s = bl::static_explain<decltype(x + y)>;
    static_assert(s.unrolled && s.elements == 56 && s.operands == 2 && s.stages == 1 && s.slow_calls == 0);
    constexpr int native = bl::detail::native_bytes(BROADLOOM_NATIVE);
    static_assert(s.vectors == (native == 16 ? 14 : native == 32 ? 7 : 4) && s.singles == 0);
  }
  {
    constexpr auto s = bl::static_explain<decltype(m + row)>;  // too large for that
    static_assert(!s.unrolled && s.elements == 2000 && s.vectors == 0 && s.slow_calls == 0);
  }
  {
    constexpr auto s = bl::static_explain<decltype(bl::exp(row) * m + 1)>;
    static_assert(s.slow_calls == 50 && s.stages == 2 && s.operands == 3);
    const auto at_run_time = bl::explain(bl::exp(row) * m + 1);
    BOOST_TEST((at_run_time.hoisted.size() == 1u && at_run_time.hoisted[0].bytes == s.slow_calls * 4));
    BOOST_TEST((static_cast<int>(at_run_time.stages.size()) == s.stages));
  }
  static_assert(bl::static_explain<decltype(bl::exp(m) + bl::log(bl::exp(row)))>.slow_calls == 2100);
  constexpr auto f = [](float v) { return v + 1; };
  static_assert(bl::static_explain<decltype(bl::pointwise(f, row) + m)>.slow_calls == 50);
}

BOOST_AUTO_TEST_CASE(nothing_is_computed_and_it_prints) {
  auto o = bl::zeros<float>(10);
  const auto x = bl::explain(o, o + 1);
  BOOST_TEST(o(0) == 0.f);
  const std::string s = bl::to_string(x);
  for (const char* const word : {"add", "dense", "10"})
    BOOST_TEST(s.find(word) != std::string::npos, "no '" << word << "' in: " << s);
}

BOOST_AUTO_TEST_SUITE_END()
