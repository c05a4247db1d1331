// Contractions by tiles have the bits of the same sums one at a time, whatever the shapes, layouts, level and threads.
#include <broadloom/broadloom.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include <boost/test/unit_test.hpp>

namespace bl = broadloom;

namespace {

std::uint32_t seed = 26;
std::uint32_t draw() { return seed = seed * 1664525u + 1013904223u; }
template <class T>
T number() {
  return static_cast<T>(static_cast<int>(draw() >> 8) - (1 << 23)) / T{1 << 20};
}

template <class T>
using plane = bl::view<const T, bl::dshape<2>, bl::dyn_strides<2>>;

// n rows of d elements in one of the layouts: row-major, transposed, reversed, every second, all rows the same.
template <class T>
struct rows {
  bl::dtensor<T, 2> memory;
  plane<T> shown;
  rows(bl::index n, bl::index d, int layout)
      : memory(layout == 1 ? bl::dshape<2>(d, n) : bl::dshape<2>(layout == 3 ? 2 * n : n, layout == 3 ? 2 * d : d)),
        shown(memory.data() + (layout == 2 ? n * d - 1 : 0), bl::dshape<2>(n, d), strides(n, d, layout)) {
    for (bl::index i = 0; i < memory.size(); ++i) memory.data()[i] = number<T>();
  }
  static bl::dyn_strides<2> strides(bl::index n, bl::index d, int layout) {
    switch (layout) {
      case 1: return {{1, n}};
      case 2: return {{-d, -1}};
      case 3: return {{4 * d, 2}};
      case 4: return {{0, 1}};
      default: return {{d, 1}};
    }
  }
};

template <class T>
bool same_bits(const bl::dtensor<T, 2>& a, const bl::dtensor<T, 2>& b) {
  for (bl::index i = 0; i < a.size(); ++i) {
    const T x = a.data()[i], y = b.data()[i];
    if (std::memcmp(&x, &y, sizeof x) != 0 && (x == x || y == y)) return false;
  }
  return true;
}

template <class F>
void at_each_level(const F& f) {
  const bl::isa before = bl::runtime::active_isa();
  for (const bl::isa level : bl::runtime::every_isa)
    if (bl::set_isa(level) == level) f();
  bl::set_isa(before);
}

// `positive` is in the way of recognition.
template <class T, class E>
void check(const E& term, const std::string& what) {
  const bl::index m = term.shape()[0], n = term.shape()[1];
  bl::dtensor<T, 2> single(m, n), tiles(m, n);
  bl::assign(single, bl::sum(bl::positive(term), bl::axes<2>), bl::seq);
  for (const int threads : {1, 3}) {
    tiles = T{-1};
    bl::assign(tiles, bl::sum(term, bl::axes<2>), bl::par.threads(threads));
    BOOST_TEST(same_bits(single, tiles),
               what << " of " << m << " x " << n << " x " << term.shape()[2] << " by " << threads);
  }
}

template <class T>
void check_terms(const plane<T>& x, const plane<T>& y) {
  const auto u = bl::unsqueeze(x, 1), v = bl::unsqueeze(y, 0);
  check<T>(bl::square(u - v), "square");
  check<T>(u * v, "product");
  check<T>(bl::abs(v - u), "absolute difference");
  check<T>((u - y) * (u - y), "product of differences");
  check<T>(bl::pow(u - v, 2), "power");
}

struct sizes {
  bl::index m, n, d;
};

// How far a sum may be off: what 600 roundings are.
template <class T>
void check_fast(bl::index m, bl::index n, bl::index d) {
  const rows<T> x(m, d, 0), y(n, d, 0), turned(m, d, 1);
  for (bl::index i = 0; i < m; ++i)
    for (bl::index k = 0; k < d; ++k) const_cast<T&>(turned.shown(i, k)) = x.shown(i, k);
  const auto u = bl::unsqueeze(x.shown, 1), v = bl::unsqueeze(y.shown, 0);
  bl::dtensor<T, 2> one(m, n), three(m, n), other(m, n), products(m, n);
  bl::assign(one, bl::sum(bl::square(u - v), bl::axes<2>), bl::seq | bl::fast);
  bl::assign(three, bl::sum(bl::square(u - v), bl::axes<2>), bl::par.threads(3) | bl::fast);
  bl::assign(other, bl::sum(bl::square(bl::unsqueeze(turned.shown, 1) - v), bl::axes<2>), bl::seq | bl::fast);
  bl::assign(products, bl::sum(u * v, bl::axes<2>), bl::seq | bl::fast);
  BOOST_TEST(same_bits(one, three));
  BOOST_TEST(same_bits(one, other));
  const double unit = sizeof(T) == 4 ? 0x1p-24 : 0x1p-53;
  bool near = true;
  for (bl::index i = 0; i < m; ++i)
    for (bl::index j = 0; j < n; ++j) {
      long double squares = 0, sum = 0, all = 0;
      for (bl::index k = 0; k < d; ++k) {
        const auto a = static_cast<long double>(x.shown(i, k)), b = static_cast<long double>(y.shown(j, k));
        squares += (a - b) * (a - b);
        sum += a * b;
        all += std::abs(a * b);
      }
      near = near && std::abs(static_cast<long double>(one(i, j)) - squares) <= 80 * unit * squares &&
             std::abs(static_cast<long double>(products(i, j)) - sum) <= 80 * unit * all;
    }
  BOOST_TEST(near, "fast sums of " << m << " x " << n << " x " << d);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_contraction)

BOOST_AUTO_TEST_CASE(sizes_around_those_of_tiles_and_strips) {
  at_each_level([] {
    for (const sizes& s : {sizes{4, 32, 1}, sizes{5, 33, 3}, sizes{7, 70, 16}, sizes{64, 64, 17}, sizes{9, 130, 64},
                           sizes{260, 40, 8}, sizes{4, 65, 512}, sizes{6, 35, 513}, sizes{5, 64, 1600},
                           sizes{100, 5, 40}, sizes{33, 4, 65}, sizes{1, 200, 20}, sizes{2, 1500, 5}})
      check_terms<float>(rows<float>(s.m, s.d, 0).shown, rows<float>(s.n, s.d, 0).shown);
    for (const sizes& s : {sizes{4, 32, 3}, sizes{7, 70, 33}, sizes{5, 35, 1025}})
      check_terms<double>(rows<double>(s.m, s.d, 0).shown, rows<double>(s.n, s.d, 0).shown);
  });
}

BOOST_AUTO_TEST_CASE(layouts) {
  at_each_level([] {
    for (int left = 0; left < 5; ++left)
      for (int right = 0; right < 5; ++right) {
        const rows<float> x(6, 34, left), y(67, 34, right);
        check_terms<float>(x.shown, y.shown);
        const rows<double> p(37, 9, left), q(5, 9, right);
        check_terms<double>(p.shown, q.shown);
      }
  });
}

BOOST_AUTO_TEST_CASE(generated_sizes) {
  at_each_level([] {
    for (int i = 0; i < 25; ++i) {
      const auto any = [](std::uint32_t most) { return static_cast<bl::index>(draw() % 64 * draw() % most) + 1; };
      const bl::index m = any(90), n = any(150), d = any(i % 5 == 0 ? 1200 : 80);
      const rows<float> x(m, d, static_cast<int>(draw() >> 8) % 4), y(n, d, static_cast<int>(draw() >> 8) % 4);
      check_terms<float>(x.shown, y.shown);
    }
  });
}

BOOST_AUTO_TEST_CASE(infinities_and_nan) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  at_each_level([&] {
    for (const bl::index d : {bl::index{3}, bl::index{40}}) {
      const rows<float> x(13, d, 0), y(50, d, 1);
      for (const double special : {inf, -inf, nan, 0.0, -0.0, 1e-40, 1e30})
        for (int k = 0; k < 6; ++k) {
          const auto at = static_cast<bl::index>(draw() >> 8);
          const_cast<float*>(x.memory.data())[at % x.memory.size()] = static_cast<float>(special);
          const_cast<float*>(y.memory.data())[at % y.memory.size()] = static_cast<float>(special);
        }
      check_terms<float>(x.shown, y.shown);
    }
    bl::dtensor<float, 2> zeros(8, 5), ones(40, 5);
    zeros = -0.0F;
    ones = 1.0F;
    bl::dtensor<float, 2> o = bl::sum(bl::unsqueeze(zeros, 1) * ones, -1);
    BOOST_TEST(std::signbit(o(7, 39)));  // a sum of negative zeros
  });
}

BOOST_AUTO_TEST_CASE(fast_fuses_multiplication_and_addition) {
  at_each_level([] {
    check_fast<float>(9, 70, 64);
    check_fast<float>(5, 40, 700);
    check_fast<double>(6, 33, 130);
    check_fast<float>(40, 8, 5);
  });
}

BOOST_AUTO_TEST_CASE(stacks_and_other_axes) {
  at_each_level([] {
    bl::dtensor<float, 3> a(3, 9, 20), b(3, 40, 20);
    for (bl::index i = 0; i < a.size(); ++i) a.data()[i] = number<float>();
    for (bl::index i = 0; i < b.size(); ++i) b.data()[i] = number<float>();
    const auto u = bl::unsqueeze(a, 2), v = bl::unsqueeze(b, 1);
    const auto both = [](const auto& term, auto axis) {
      const bl::dtensor<float, 3> single = bl::sum(bl::positive(term), axis), tiles = bl::sum(term, axis);
      BOOST_TEST(std::memcmp(single.data(), tiles.data(), static_cast<std::size_t>(tiles.size()) * sizeof(float)) == 0);
    };
    both(bl::square(u - v), -1);                                 // (3, 9, 40)
    both(bl::permute(u * v, bl::axes<1, 0, 2, 3>), -1);          // (9, 3, 40)
    both(bl::permute(u * v, bl::axes<1, 2, 0, 3>), -1);          // (9, 40, 3)
    both(bl::permute(bl::abs(u - v), bl::axes<3, 0, 2, 1>), 0);  // (3, 40, 9)
    both(bl::permute(u * v, bl::axes<0, 1, 3, 2>), 0);           // the stack summed
  });
}

BOOST_AUTO_TEST_CASE(with_what_reads_them) {
  const rows<float> x(70, 30, 0), y(300, 30, 0);
  const auto u = bl::unsqueeze(x.shown, 1), v = bl::unsqueeze(y.shown, 0);
  const auto term = bl::square(u - v);
  const auto hidden = bl::positive(bl::square(u - v));
  for (const int threads : {1, 3})
    for (const bool fast : {false, true}) {
      const bl::policy how = fast ? bl::par.threads(threads) | bl::fast : bl::par.threads(threads);
      bl::dtensor<float, 2> a(70, 300), b(70, 300);
      const auto both = [&](const auto& tiles, const auto& single) {
        bl::assign(a, tiles, how);
        bl::assign(b, single, how);
        const float most = fast ? 160 * 0x1p-24F * bl::eval(bl::amax(b))() : 0;  // roundings
        BOOST_TEST(bl::eval(bl::amax(bl::abs(a - b)))() <= most);
      };
      both(bl::sqrt(bl::sum(term, bl::axes<2>)), bl::sqrt(bl::sum(hidden, bl::axes<2>)));
      both(bl::mean(term, bl::axes<2>), bl::mean(hidden, bl::axes<2>));
      if (!fast) both(bl::softmax(-bl::sum(term, bl::axes<2>), 1), bl::softmax(-bl::sum(hidden, bl::axes<2>), 1));
      bl::dtensor<float, 2> first(70, 300), rest(70, 300);
      bl::assign(first, bl::sqrt(bl::sum(term, bl::axes<2>)), fast ? bl::seq | bl::fast : bl::seq);
      bl::assign(rest, bl::sqrt(bl::sum(term, bl::axes<2>)), how);
      BOOST_TEST(same_bits(first, rest));
    }
}

BOOST_AUTO_TEST_CASE(what_only_looks_alike) {
  const rows<float> x(9, 20, 0), y(40, 20, 0), z(9, 20, 0);
  const auto u = bl::unsqueeze(x.shown, 1), w = bl::unsqueeze(z.shown, 1);
  check<float>((u - y.shown) * (w - y.shown), "two differences");
  check<float>(bl::pow(u - y.shown, 3), "cubes");
  check<float>(bl::square(u - u * 0), "one array");
}

BOOST_AUTO_TEST_CASE(the_output_may_be_an_operand) {
  const rows<float> start(40, 40, 0);
  bl::dtensor<float, 2> x = start.shown, wanted(40, 40);
  bl::assign(wanted, bl::sum(bl::unsqueeze(start.shown, 1) * start.shown, -1));
  x = bl::sum(bl::unsqueeze(x, 1) * x, -1);
  BOOST_TEST(same_bits(x, wanted));
}

BOOST_AUTO_TEST_SUITE_END()
