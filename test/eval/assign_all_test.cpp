// Several outputs at once: every expression sees its operands as they were, whatever overlaps whatever.
// Build: sanitizers-alone
#include <broadloom/broadloom.hpp>
#include <broadloom/core/isa.hpp>

#include <algorithm>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace bl = broadloom;

namespace {

bl::dtensor<float, 2> numbers(bl::index rows, bl::index columns, int seed) {
  bl::dtensor<float, 2> r(rows, columns);
  for (bl::index i = 0; i < r.size(); ++i) r.data()[i] = static_cast<float>((i * 7 + seed) % 1000) / 8;
  return r;
}

template <class A, class B>
bool equal(const A& a, const B& b) {
  return bl::all(a == b).item();
}

template <class F>
std::string refusal(const F& f) {
  try {
    f();
  } catch (const bl::shape_error& e) {
    return std::string(e.what()).substr(0, std::string(e.what()).find('\n'));
  }
  return "nothing was thrown";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(eval_assign_all)

BOOST_AUTO_TEST_CASE(each_output_becomes_its_expression) {
  for (const bl::index rows : {1, 3, 200})
    for (const bl::index columns : {1, 17, 5000}) {
      const auto a = numbers(rows, columns, 1), b = numbers(rows, columns, 2), row = numbers(1, columns, 3),
                 column = numbers(rows, 1, 4);
      for (const bl::policy p : {bl::seq, bl::par, bl::par.threads(2)}) {
        bl::dtensor<float, 2> x(rows, columns), y(rows, columns);
        bl::dtensor<double, 2> z(rows, columns);
        bl::dtensor<bool, 2> less(columns, rows);
        bl::assign_all(bl::to(x, a + b * row), bl::to(y, bl::sqrt(a) - column), bl::to(z, 2.5), bl::to(less.T(), a < b),
                       p);
        BOOST_TEST(equal(x, bl::eval(a + b * row)));
        BOOST_TEST(equal(y, bl::eval(bl::sqrt(a) - column)));
        BOOST_TEST(equal(z, 2.5));
        BOOST_TEST(equal(less, bl::eval((a < b).T())));
      }
    }
}

BOOST_AUTO_TEST_CASE(two_arrays_change_places) {
  for (const bl::index n : {1, 5, 4096, 300000}) {
    auto x = numbers(1, n, 1), y = numbers(1, n, 5);
    const auto old_x = x, old_y = y;
    bl::assign_all(bl::to(x, y), bl::to(y, x));
    BOOST_TEST(equal(x, old_y));
    BOOST_TEST(equal(y, old_x));
    bl::assign_all(bl::to(x, x + y), bl::to(y, x - y));
    BOOST_TEST(equal(x, bl::eval(old_y + old_x)));
    BOOST_TEST(equal(y, bl::eval(old_y - old_x)));
  }
}

BOOST_AUTO_TEST_CASE(any_overlap_gives_what_copies_made_first_give) {
  std::uint64_t state = 5;
  const auto random = [&state](bl::index n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<bl::index>((state >> 33) % static_cast<std::uint64_t>(n));
  };
  for (int round = 0; round < 300; ++round) {
    const bl::index n = round % 10 == 0 ? 20000 : 3 + random(60);
    std::vector<float> memory(static_cast<std::size_t>(3 * n));
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<float>(random(1000));
    struct part {
      bl::index first, step;
    };
    // n elements of the memory, one or two apart, forwards or backwards
    const auto any = [&] {
      const bl::index step = 1 + random(2), span = (n - 1) * step, first = random(3 * n - span);
      return random(3) == 0 ? part{first + span, -step} : part{first, step};
    };
    const auto view = [&](const part& p, std::vector<float>& of) {
      bl::dyn_strides<1> s;
      s.s[0] = p.step;
      return bl::view<float, bl::dshape<1>>(of.data() + p.first, bl::dshape<1>(n), s);
    };
    part o1 = any(), o2 = any(), a = any(), b = any(), c = any();
    if (round % 4 == 1) a = o1;
    if (round % 4 == 2) b = o1, c = o2;
    if (round % 8 == 3) o2 = o1;
    std::vector<float> right = memory;
    {
      std::vector<float> old = memory;
      const auto va = view(a, old), vb = view(b, old), vc = view(c, old);
      const auto r1 = view(o1, right), r2 = view(o2, right);
      for (bl::index i = 0; i < n; ++i) r1(i) = va(i) + 2 * vb(i);
      for (bl::index i = 0; i < n; ++i) r2(i) = vb(i) - vc(i);
    }
    const auto va = view(a, memory), vb = view(b, memory), vc = view(c, memory);
    bl::assign_all(bl::to(view(o1, memory), va + 2 * vb), bl::to(view(o2, memory), vb - vc),
                   bl::par.threads(1 + round % 2));
    const bool same = memory == right;
    if (!same) BOOST_TEST(same, "round " << round);
  }
}

BOOST_AUTO_TEST_CASE(shapes_may_differ_and_reductions_see_the_old_values) {
  auto x = numbers(40, 500, 1);
  const auto old = x;
  bl::dtensor<float, 2> sums(40, 1);
  bl::dtensor<float, 0> most;
  bl::assign_all(bl::to(x, x / bl::sum(x, bl::axes<1>, bl::keepdim)),
                 bl::to(sums, bl::sum(x, bl::axes<1>, bl::keepdim)), bl::to(most, bl::amax(x)));
  BOOST_TEST(equal(sums, bl::eval(bl::sum(old, bl::axes<1>, bl::keepdim))));
  BOOST_TEST(equal(x, bl::eval(old / sums)));
  BOOST_TEST(most.item() == bl::eval(bl::amax(old)).item());
}

BOOST_AUTO_TEST_CASE(parts_and_callables_are_evaluated_once_for_each_element_of_their_own_shape) {
  const auto m = numbers(300, 700, 1), row = numbers(1, 700, 2);
  std::atomic<int> on_row = 0, on_all = 0;
  const auto f = [&](float v) {
    ++on_row;
    return v + 1;
  };
  const auto g = [&](float v) {
    ++on_all;
    return v * 2;
  };
  bl::dtensor<float, 2> x(300, 700), y(300, 700);
  bl::assign_all(bl::to(x, m + bl::pointwise(f, row)), bl::to(y, bl::pointwise(g, m) + bl::exp(row)));
  BOOST_TEST(on_row == 700);
  BOOST_TEST(on_all == 300 * 700);
  BOOST_TEST(equal(x, bl::eval(m + (row + 1))));
  BOOST_TEST(equal(y, bl::eval(m * 2 + bl::exp(row))));
}

// A long array goes through them a piece at a time. Zeros of both signs and NaN show the order.
BOOST_AUTO_TEST_CASE(reductions_of_one_array_are_those_of_each_alone) {
  for (const bl::index n : {200000, 262144, 262145, 300001}) {
    bl::dtensor<float, 1> x(n);
    for (bl::index i = 0; i < n; ++i) x(i) = i % 3 == 0 ? -0.0f : i % 1001 == 0 ? static_cast<float>(i) / 1e6f : 0.0f;
    for (const bool with_nan : {false, true})
      for (const bl::policy p : {bl::seq, bl::par.threads(2)}) {
        if (with_nan) x(n - 3) = std::numeric_limits<float>::quiet_NaN();
        const auto same = [](float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0; };
        const float low = bl::amin(x).item(), high = bl::amax(x).item(), total = bl::sum(x).item();
        bl::dtensor<float, 0> a, b, c;
        bl::assign_all(bl::to(a, bl::amin(x)), bl::to(b, bl::sum(x)), bl::to(c, bl::amax(x)), p);
        BOOST_TEST((same(a.item(), low) && same(b.item(), total) && same(c.item(), high)));
        const auto both = bl::aminmax(x);
        BOOST_TEST((same(both.min.item(), low) && same(both.max.item(), high)));
        auto y = x;
        auto first = bl::select(y, 0, 1), second = bl::select(y, 0, 2);
        bl::assign_all(bl::to(first, bl::amax(y)), bl::to(second, bl::sum(y)), p);
        BOOST_TEST((same(y(1), high) && same(y(2), total)));
      }
  }
}

// The smallest and the largest element have one loop for both. Zeros of both signs and NaN show its order.
template <class T>
int wrong_minima_and_maxima() {
  int wrong = 0;
  const auto same = [](T a, T b) { return std::memcmp(&a, &b, sizeof a) == 0; };
  for (const bl::index n : {1, 3, 15, 31, 64, 100, 511, 512, 513, 4095, 4096, 4131, 9217, 70001})
    for (int kind = 0; kind < (std::is_floating_point_v<T> ? 4 : 1); ++kind) {
      bl::dtensor<T, 1> x(n);
      for (bl::index i = 0; i < n; ++i) {
        const auto number = static_cast<T>((i * 7919 + n) % 251);
        x(i) = kind == 0 ? number : kind == 3 ? -number : (i * 7919 % 5 == 0 ? -T{} : T{});
      }
      if constexpr (std::is_floating_point_v<T>)
        if (kind > 1) x(n / 3) = x(n - 1) = std::numeric_limits<T>::quiet_NaN();
      const T low = bl::amin(x).item(), high = bl::amax(x).item();
      const auto both = bl::aminmax(x);
      bl::dtensor<T, 0> most, least;
      bl::assign_all(bl::to(most, bl::amax(x)), bl::to(least, bl::amin(x)));
      wrong += !same(both.min.item(), low) + !same(both.max.item(), high) + !same(least.item(), low) +
               !same(most.item(), high);
      if constexpr (!std::is_floating_point_v<T>)
        wrong += low != *std::min_element(x.data(), x.data() + n) || high != *std::max_element(x.data(), x.data() + n);
    }
  return wrong;
}
BOOST_AUTO_TEST_CASE(smallest_and_largest_together_are_those_of_each_alone) {
  for (const bl::isa level : {bl::isa::base, bl::isa::v3, bl::isa::v4}) {
    if (bl::set_isa(level) != level) continue;
    BOOST_TEST(wrong_minima_and_maxima<float>() == 0);
    BOOST_TEST(wrong_minima_and_maxima<double>() == 0);
    BOOST_TEST(wrong_minima_and_maxima<std::int8_t>() == 0);
    BOOST_TEST(wrong_minima_and_maxima<std::uint16_t>() == 0);
    BOOST_TEST(wrong_minima_and_maxima<std::int32_t>() == 0);
    BOOST_TEST(wrong_minima_and_maxima<std::uint32_t>() == 0);
    BOOST_TEST(wrong_minima_and_maxima<std::int64_t>() == 0);
    BOOST_TEST(wrong_minima_and_maxima<std::uint64_t>() == 0);
  }
  bl::set_isa(bl::runtime::highest_isa());
}

BOOST_AUTO_TEST_CASE(nothing_is_written_where_a_shape_does_not_fit) {
  auto x = numbers(2, 3, 1);
  const auto old = x;
  bl::dtensor<float, 2> y(2, 2);
  BOOST_TEST(refusal([&] { bl::assign_all(bl::to(x, x + 1), bl::to(y, x)); }) ==
             "The expanded size of the tensor (2) must match the existing size (3) at non-singleton dimension 1.  "
             "Target sizes: [2, 2].  Tensor sizes: [2, 3]");
  BOOST_TEST(equal(x, old));
  bl::dtensor<float, 2> none(0, 3);
  bl::assign_all(bl::to(none, none + 1), bl::to(x, 2 * x));
  BOOST_TEST(equal(x, bl::eval(2 * old)));
}

BOOST_AUTO_TEST_CASE(constant_expressions_see_the_old_values_too) {
  constexpr auto swapped = [] {
    bl::tensor<int, bl::shape<3>> a{1, 2, 3}, b{4, 5, 6};
    bl::assign_all(bl::to(a, b), bl::to(b, a + b));
    return a(0) * 100 + a(2) * 10 + b(2);
  }();
  static_assert(swapped == 4 * 100 + 6 * 10 + 9);
  BOOST_TEST(swapped == 469);
}

BOOST_AUTO_TEST_SUITE_END()
