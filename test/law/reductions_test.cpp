// The law of plan/reductions.def: every reduction of the list gives, over any axis of any layout, of every element type
// and number of elements, what its formula gives from one element to the next.
// Build: unoptimised, gcc-alone
#include <boost/test/unit_test.hpp>

#include <array>
#include <string>
#include <type_traits>
#include <vector>

#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

namespace {

template <bl::runtime::reduction How>
using line = bl::lanes::reduction_line<How>;

// Small whole numbers whose sums and products no type rounds: most are 1.
std::uint32_t state = 1;
template <class T>
T element() {
  state = state * 1664525u + 1013904223u;
  const std::uint32_t x = state >> 16;
  if (std::is_same_v<T, bool>) return static_cast<T>(x % 5 != 0);
  return static_cast<T>(x % 31 == 0 ? 2 : x % 37 == 0 && !std::is_unsigned_v<T> ? -1 : x % 41 == 0 ? 0 : 1);
}

int compared = 0;

// `get(i)` is element i of n that one result is made of.
template <bl::runtime::reduction How, class Result, class Get>
void check(const Result& result, bl::index n, const Get& get, const std::string& where) {
  using T = typename line<How>::template compute<std::remove_cvref_t<decltype(get(0))>>;
  static_assert(std::is_same_v<std::remove_cvref_t<Result>, T>);
  T expected = static_cast<T>(line<How>::of_none);
  if (n > 0) expected = static_cast<T>(get(0));
  for (bl::index i = 1; i < n; ++i) expected = line<How>::on(expected, static_cast<T>(get(i)));
  if (result != expected) BOOST_ERROR(std::string(line<How>::name) + " of " + where);
  ++compared;
}

template <bl::runtime::reduction How, class T, class F>
void lengths(const F& reduce) {
  constexpr bool refuses = line<How>::of_none == bl::lanes::refused;
  for (const bl::index n : {0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 127, 129, 255, 257, 1000, 2049}) {
    bl::dtensor<T, 2> x(3, n);
    for (T& e : x) e = element<T>();
    const std::string at = std::string(bl::to_string(x.shape())) + " of type " + std::to_string(int(bl::dtype_of<T>));
    if (n == 0 && refuses) {
      BOOST_CHECK_THROW(reduce(x, 1), bl::shape_error);
      continue;
    }
    const auto rows = bl::eval(reduce(x, 1));
    const auto turned = bl::eval(reduce(x.T(), 0));
    const auto backwards = bl::eval(reduce(bl::flip(x, 1), 1));
    const auto columns = bl::eval(reduce(x, 0));
    for (bl::index r = 0; r < 3; ++r) {
      const auto in_row = [&](bl::index i) { return x(r, i); };
      check<How>(rows(r), n, in_row, "rows of " + at);
      check<How>(turned(r), n, in_row, "columns of the transpose of " + at);
      check<How>(backwards(r), n, in_row, "flipped rows of " + at);
    }
    for (bl::index c = 0; c < n; ++c)
      check<How>(columns(c), 3, [&](bl::index i) { return x(i, c); }, "columns of " + at);
    if (n > 0)
      check<How>(bl::eval(reduce(x, bl::axes<0, 1>))(), 3 * n, [&](bl::index i) { return x(i / n, i % n); }, at);
  }
}

template <bl::runtime::reduction How, class F>
void types(const F& reduce) {
  lengths<How, bool>(reduce);
  lengths<How, std::int8_t>(reduce);
  lengths<How, std::uint8_t>(reduce);
  lengths<How, std::int16_t>(reduce);
  lengths<How, std::uint16_t>(reduce);
  lengths<How, std::int32_t>(reduce);
  lengths<How, std::uint32_t>(reduce);
  lengths<How, std::int64_t>(reduce);
  lengths<How, std::uint64_t>(reduce);
  lengths<How, float>(reduce);
  lengths<How, double>(reduce);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(law_reductions)

#define BROADLOOM_REDUCTION(NAME, TYPES, OF_NONE, IDENTITY, FORMULA)                                   \
  BOOST_AUTO_TEST_CASE(NAME##_follows_its_formula) {                                                   \
    for (const bl::isa level : bl::runtime::every_isa) {                                               \
      if (bl::set_isa(level) != level) continue;                                                       \
      types<bl::runtime::reduction::NAME>([](const auto& x, auto axes) { return bl::NAME(x, axes); }); \
    }                                                                                                  \
    bl::set_isa(bl::runtime::highest_isa());                                                           \
  }
#include <broadloom/plan/reductions.def>

BOOST_AUTO_TEST_CASE(something_was_compared) { BOOST_TEST(compared > 100000); }

BOOST_AUTO_TEST_SUITE_END()
