// Reductions and running reductions with callables of one's own: the bits of sum and of loops, any layout and number of
// threads, barriers and callables inside, fused with what reads them.
#include <broadloom/broadloom.hpp>
#include <broadloom/elements.hpp>
#include <broadloom/reduce/equality.hpp>
#include <broadloom/reduce/own.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

namespace bl = broadloom;

namespace {
// Of any size: many are no part of 64 bytes that is a power of two.
template <int Size>
struct several {
  unsigned char of[Size];
  constexpr several() : of{} {}
  constexpr explicit several(int x) : of{} {
    for (unsigned char& part : of) part = static_cast<unsigned char>(x++);
  }
  friend constexpr several operator+(const several& x, const several& y) {
    several r;
    for (int k = 0; k < Size; ++k) r.of[k] = static_cast<unsigned char>(x.of[k] + y.of[k]);
    return r;
  }
  friend constexpr bool operator==(const several& x, const several& y) { return std::ranges::equal(x.of, y.of); }
};
}  // namespace
template <int Size>
inline constexpr bool bl::enable_element<several<Size>> = true;

namespace {
constexpr auto plus = [](float x, float y) { return x + y; };
constexpr auto larger = [](float x, float y) { return x < y ? y : x; };
constexpr auto packs = [](const bl::pack<float, bl::pack_size>& x, const bl::pack<float, bl::pack_size>& y) {
  return x + y;
};
bl::dtensor<float, 3> data(bl::index a, bl::index b, bl::index c) {
  bl::generator g(5);
  return bl::randn<float>(g, bl::dshape<3>(a, b, c));
}

template <int Size>
void check_any_order() {
  using element = several<Size>;
  constexpr auto add = [](const element& x, const element& y) { return x + y; };
  for (const bl::index n : {1, 2, 3, 5, 40, 700}) {
    bl::dtensor<element, 2> x(n, 9);
    for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = element(static_cast<int>(i % 100));
    const bl::dtensor<element, 2> t = x.T();
    BOOST_TEST(bl::all(bl::reduce(x, 0, element(), add, bl::any_order) == bl::sum(x, 0)).item());
    BOOST_TEST(bl::all(bl::reduce(t, 1, element(), add, bl::any_order) == bl::sum(x, 0)).item());
    BOOST_TEST(bl::all(bl::reduce(t + t, 1, element(), add, bl::any_order) == bl::sum(x + x, 0)).item());
    BOOST_TEST((bl::reduce(x, element(), add, bl::any_order).item() == bl::sum(x).item()));
  }
}
}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_own)

// Evaluated by rows of axis 0 where that is the leading axis of more than one index.
BOOST_AUTO_TEST_CASE(scans_whose_leading_axis_has_one_index) {
  const auto x = data(1, 20, 130);
  const auto equal = [&](const auto& of_rows) {
    const auto a = bl::eval(of_rows(x)), b = bl::eval(bl::unsqueeze(of_rows(bl::squeeze(x, 0)), 0));
    return bl::array_equal(a, b);
  };
  for (int axis : {-2, -1}) {
    BOOST_TEST(
        equal([&](const auto& e) { return bl::scan(e + 1, axis, 2, plus) * bl::scan(e * 2, axis, 1, plus) - e; }));
    BOOST_TEST(equal(
        [&](const auto& e) { return bl::reduce(e * 2, axis, 1, plus, bl::keepdim) * bl::scan(e, axis, 0, larger); }));
  }
}

// A callable with a state is not equal to another of its type, and expressions that read it find it all the same.
BOOST_AUTO_TEST_CASE(callables_with_a_state_within_expressions) {
  const float by = 0.5f;
  const auto decay = [by](float x, float y) { return x * by + y; };
  const auto stateless = [](float x, float y) { return x * 0.5f + y; };
  for (const auto& n : std::vector<std::array<bl::index, 3>>{{1, 1, 3}, {1, 20, 130}, {2, 3, 5}, {300, 20, 30}}) {
    const auto x = data(n[0], n[1], n[2]);
    const auto equal = [](const auto& a, const auto& b) { return bl::array_equal(bl::eval(a), bl::eval(b)); };
    const auto tail = [](const auto& e) { return e(bl::all, bl::all, bl::range(1, bl::end)) * 3; };
    for (int axis = 0; axis < 3; ++axis) {
      const auto own = bl::scan(x + 1, axis, 2, decay);
      const auto same = bl::scan(x + 1, axis, 2, stateless);
      BOOST_TEST(equal(tail(own), tail(same)));
      BOOST_TEST(equal(own * own - x, same * same - x));
      BOOST_TEST(equal(bl::sum(own * 2, axis) + 1, bl::sum(same * 2, axis) + 1));
      const auto total = bl::reduce(x * 2, axis, 1, decay, bl::keepdim);
      const auto wanted = bl::reduce(x * 2, axis, 1, stateless, bl::keepdim);
      BOOST_TEST(equal(x - total * 3, x - wanted * 3));
      BOOST_TEST(equal(total / (total + 1), wanted / (wanted + 1)));
    }
  }
}

BOOST_AUTO_TEST_CASE(any_order_has_the_bits_of_sum_in_every_layout) {
  for (const auto& n : std::vector<std::array<bl::index, 3>>{
           {3, 4, 5}, {2, 700, 3}, {5, 3, 40000}, {40000, 2, 3}, {1, 1, 1}, {2, 0, 3}}) {
    const auto x = data(n[0], n[1], n[2]);
    const auto turned = bl::eval(bl::permute(x, 2, 0, 1));
    const auto same = bl::permute(turned, 1, 2, 0);
    for (int threads : {1, 3}) {
      const auto how = bl::par.threads(threads);
      const auto agree = [&](const auto& axes) {
        BOOST_TEST(
            bl::array_equal(bl::eval(bl::reduce(x * 2, axes, 0, plus, bl::any_order), how), bl::sum(x * 2, axes)));
        BOOST_TEST(bl::array_equal(bl::eval(bl::reduce(same, axes, 0, plus, bl::any_order), how), bl::sum(x, axes)));
        BOOST_TEST(bl::array_equal(bl::eval(bl::reduce(x, axes, 0, packs, bl::any_order, bl::keepdim), how),
                                   bl::sum(x, axes, bl::keepdim)));
      };
      agree(bl::axes<2>);
      agree(bl::axes<0>);
      agree(bl::axes<0, 2>);
      agree(bl::axes<0, 1, 2>);
      BOOST_TEST(bl::array_equal(bl::eval(bl::reduce(same, 0, plus, bl::any_order), how), bl::sum(x)));
    }
  }
}

BOOST_AUTO_TEST_CASE(any_order_has_the_bits_of_sum_at_every_length) {
  for (bl::index n = 1; n < 300; ++n) {
    const auto x = data(2, 1, n);
    BOOST_TEST(bl::array_equal(bl::reduce(x, 2, 0, plus, bl::any_order), bl::sum(x, 2)));
    BOOST_TEST(bl::array_equal(bl::reduce(x * 2, 2, 0, packs, bl::any_order), bl::sum(x * 2, 2)));
  }
}

BOOST_AUTO_TEST_CASE(in_order_is_a_loop) {
  const auto mix = [](double x, double y) { return 0.5 * x + y; };  // neither associative nor commutative
  const auto x = data(2, 30000, 3);
  const bl::dtensor<double, 2> r = bl::reduce(bl::cast<double>(x), 1, 1, mix);
  for (bl::index i = 0; i < 2; ++i)
    for (bl::index k = 0; k < 3; ++k) {
      double y = 1;
      for (bl::index j = 0; j < 30000; ++j) y = mix(y, static_cast<double>(x(i, j, k)));
      BOOST_TEST(r(i, k) == y);
    }
  BOOST_TEST(bl::reduce(bl::zeros<float>(0), 7, plus).item() == 7);
}

BOOST_AUTO_TEST_CASE(a_generic_callable_that_is_none_of_packs) {
  const auto x = data(5, 40, 3);
  const auto most = [](auto v, auto w) { return v < w ? w : v; };
  BOOST_TEST(bl::array_equal(bl::reduce(x, 1, -1e30f, most, bl::any_order), bl::amax(x, 1)));
  BOOST_TEST(bl::array_equal(bl::reduce(x, 2, -1e30f, most), bl::amax(x, 2)));
  BOOST_TEST(bl::array_equal(bl::scan(x, 1, -1e30f, most), bl::cummax(x, 1).values));
}

BOOST_AUTO_TEST_CASE(elements_of_any_size_in_any_order) {
  check_any_order<3>();
  check_any_order<8>();
  check_any_order<12>();
  check_any_order<24>();
  check_any_order<64>();
  check_any_order<72>();
}

BOOST_AUTO_TEST_CASE(it_is_an_operand_like_any_other) {
  const auto x = data(30, 50, 40);
  const auto centred = x - bl::mean(x, bl::axes<2>, bl::keepdim);
  BOOST_TEST(bl::array_equal(x / bl::reduce(centred, 2, -1e30f, larger, bl::any_order, bl::keepdim),
                             x / bl::amax(centred, 2, bl::keepdim)));
  BOOST_TEST(bl::array_equal(x / bl::reduce(bl::exp(x), 2, -1e30f, larger, bl::any_order, bl::keepdim),
                             x / bl::amax(bl::exp(x), 2, bl::keepdim)));
  const auto twice = bl::pointwise([](float y) { return 2 * y; }, x);
  BOOST_TEST(bl::array_equal(bl::reduce(twice, 1, 0, plus, bl::any_order), bl::sum(x * 2, 1)));
  auto y = x;
  y = y - bl::reduce(y, 0, 0, plus, bl::any_order, bl::keepdim);
  BOOST_TEST(bl::array_equal(y, x - bl::sum(x, 0, bl::keepdim)));
}

BOOST_AUTO_TEST_CASE(running_ones_have_the_bits_of_cumsum) {
  const auto x = data(7, 60, 50);
  for (int axis : {0, 1, 2, -1})
    for (int threads : {1, 3}) {
      const auto how = bl::par.threads(threads);
      BOOST_TEST(bl::array_equal(bl::eval(bl::scan(x * 2, axis, 0, plus), how), bl::cumsum(x * 2, axis)));
      BOOST_TEST(bl::array_equal(bl::eval(bl::scan(x.T(), axis, 0, plus) + 1, how), bl::cumsum(x.T(), axis) + 1));
    }
}

BOOST_AUTO_TEST_CASE(long_lines_run_on_from_block_to_block) {
  for (const bl::index n : {16383, 16384, 16385, 50000})
    for (int threads : {1, 3}) {
      const auto how = bl::par.threads(threads);
      const auto x = data(3, 1, n);
      bl::dtensor<float, 3> expected = x, halved = x;
      for (bl::index i = 0; i < 3; ++i) {
        float y = 2, z = 2;
        for (bl::index k = 0; k < n; ++k) {
          expected(i, 0, k) = y = y + x(i, 0, k);
          halved(i, 0, k) = z = z + x(i, 0, k) * 0.5f;
        }
      }
      BOOST_TEST(bl::array_equal(bl::eval(bl::scan(x, 2, 2, plus), how), expected));
      BOOST_TEST(bl::array_equal(bl::eval(bl::scan(x * 0.5f, 2, 2, plus), how), halved));
      const auto line = bl::eval(bl::select(x, 0, 1));
      BOOST_TEST(bl::array_equal(bl::eval(bl::scan(line, 1, 2, plus), how), bl::select(expected, 0, 1)));
      auto own = x;
      bl::assign(own, bl::scan(own, 2, 2, plus), how);
      BOOST_TEST(bl::array_equal(own, expected));
      own = x;
      bl::assign(own, bl::scan(bl::flip(own, 2), 2, 2, plus), how);
      BOOST_TEST(bl::array_equal(own, bl::scan(bl::eval(bl::flip(x, 2)), 2, 2, plus)));
    }
}

BOOST_AUTO_TEST_CASE(types_constants_and_errors) {
  constexpr bl::tensor<int, bl::shape<3>> c{1, 2, 3};
  constexpr auto add = [](int x, int y) { return x + y; };
  static_assert(int(bl::reduce(c, 0, add)) == 6 && int(bl::reduce(c, 0, add, bl::any_order)) == 6);
  static_assert(
      std::is_same_v<decltype(bl::reduce(c, 0.5, [](float x, float y) { return x + y; }))::value_type, double>);
  const auto x = data(3, 4, 5);
  BOOST_CHECK_THROW(bl::reduce(x, 3, 0, plus), bl::index_error);
  const auto angry = [](float, float) -> float { throw std::runtime_error("no"); };
  BOOST_CHECK_THROW(bl::eval(bl::reduce(x, 0, 0, angry)), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
