// Ramps: leaves without memory have the bits of arrays of the same numbers, on every route, level and number of
// threads.
#include <broadloom/broadloom.hpp>
#include <broadloom/half.hpp>

#include <boost/test/unit_test.hpp>
#include <complex>
#include <cstring>
#include <string>

namespace bl = broadloom;

namespace {

struct level_restored {
  bl::isa before = bl::runtime::active_isa();
  ~level_restored() { bl::set_isa(before); }
};

template <class A, class B>
bool same_bits(const A& a, const B& b) {
  const auto x = bl::eval(a), y = bl::eval(b);
  static_assert(std::is_same_v<decltype(x), decltype(y)>);
  return x.shape() == y.shape() &&
         (x.size() == 0 || std::memcmp(x.data(), y.data(), static_cast<std::size_t>(x.size()) * sizeof *x.data()) == 0);
}

// Of so many elements: all are computed, but for parts near the beginning of a short one, which are in memory.
constexpr bl::index far = 300000, near = 4000;

// What reads a column of n numbers and a row of m, and x of (n, m), in many ways.
template <class F>
void each_formula(F f) {
  const auto all = [](auto e) { return e; };
  const auto column = [](const auto& r) { return bl::unsqueeze(r, 1); };
  f("alone", [=](const auto& r, const auto&, const auto&) { return all(r); });
  f("arithmetic", [=](const auto& r, const auto&, const auto&) { return r * 3 + 1; });
  f("reversed", [=](const auto& r, const auto&, const auto&) {
    return bl::slice(r, bl::range(bl::none, bl::none, -1)) - bl::slice(r, bl::range(0, bl::end, 1));
  });
  f("every third",
    [=](const auto& r, const auto&, const auto&) { return bl::slice(r, bl::range(bl::none, bl::none, -3)) * 2; });
  f("masked", [=](const auto& r, const auto& c, const auto& x) { return bl::where(c < 5, x, column(r)); });
  f("difference", [=](const auto& r, const auto& c, const auto& x) { return x * (c - column(r)); });
  f("row", [=](const auto&, const auto& c, const auto& x) { return x - c; });
  f("column", [=](const auto& r, const auto&, const auto& x) { return x + column(r); });
  f("transposed", [=](const auto& r, const auto& c, const auto& x) { return x.T() + r - column(c); });
  f("function",
    [=](const auto& r, const auto& c, const auto& x) { return bl::sqrt(bl::abs(c)) * x + bl::sin(column(r)); });
  f("sum of rows", [=](const auto&, const auto& c, const auto& x) { return bl::sum(x * c, bl::axes<1>); });
  f("sum of columns", [=](const auto& r, const auto&, const auto& x) { return bl::sum(x * column(r), bl::axes<0>); });
  f("sum of all", [=](const auto& r, const auto&, const auto&) { return bl::sum(r); });
  f("sum of some", [=](const auto& r, const auto&, const auto&) { return bl::sum(bl::where(r < 50, r, 0)); });
  f("maximum", [=](const auto& r, const auto& c, const auto& x) { return bl::amax(x + c - column(r), bl::axes<1>); });
  f("index of the minimum", [=](const auto& r, const auto&, const auto&) { return bl::argmin(bl::abs(r - 17)); });
  f("running sum", [=](const auto& r, const auto&, const auto&) { return bl::cumsum(r * 2, 0); });
  f("barrier", [=](const auto& r, const auto& c, const auto& x) {
    return (x - bl::amax(x + c, bl::axes<1>, bl::keepdim)) * column(r) + c;
  });
  f("named", [=](const auto& r, const auto&, const auto&) {
    const auto t = bl::let(r * r);
    return t + t;
  });
}

template <class T>
void check_type(const std::string& what) {
  const auto x = bl::eval(bl::cast<T>(bl::remainder(bl::iota<int>(600 * 300, 5, 7), 97)));
  for (const bl::index total : {far, near})
    for (const bl::index n : {1, 3, 100, 600})
      for (const bl::index m : {1, 7, 300}) {
        if (n * m > 10000 && m == 7) continue;
        const bl::index first = total - 700;
        const auto part = [&](bl::index count) {
          return bl::slice(bl::iota<T>(total), bl::range(first, first + count));
        };
        bl::dtensor<T, 1> r = bl::dtensor<T, 1>(bl::dshape<1>(n)), c = bl::dtensor<T, 1>(bl::dshape<1>(m));
        for (bl::index i = 0; i < n; ++i) r(i) = static_cast<T>(first + i);
        for (bl::index i = 0; i < m; ++i) c(i) = static_cast<T>(first + i);
        const auto xs = bl::reshape(bl::slice(x, bl::range(0, n * m)), n, m);
        each_formula([&](const char* name, auto formula) {
          BOOST_TEST(same_bits(formula(part(n), part(m), xs), formula(r, c, xs)),
                     what << ", " << name << ", " << n << " x " << m << " from " << first);
        });
      }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(expr_ramp)

BOOST_AUTO_TEST_CASE(every_route_computes_what_an_array_holds) {
  check_type<float>("f32");
  check_type<int>("i32");
}

BOOST_AUTO_TEST_CASE(elements_are_the_same_at_every_level) {
  const level_restored restored;
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    const auto of_type = [&]<class T>(T) {
      for (const bl::index n : {bl::index{1}, bl::index{511}, bl::index{5000}, bl::index{70000}}) {
        const bl::tensor up = bl::iota<T>(n), down = bl::flip(bl::iota<T>(n), 0),
                         some = bl::slice(bl::iota<T>(n), bl::range(bl::none, bl::none, 7));
        bool right = true;
        for (bl::index i = 0; i < n; ++i) {
          right = right && up(i) == bl::detail::ramp_element<T>(i) && down(n - 1 - i) == up(i);
          if (i % 7 == 0) right = right && some(i / 7) == up(i);
        }
        BOOST_TEST(right, bl::to_string(bl::dtype_of<T>) << " of " << n);
      }
    };
    of_type(std::int8_t{});
    of_type(std::uint16_t{});
    of_type(std::int32_t{});
    of_type(std::uint64_t{});
    of_type(float{});
    of_type(double{});
    of_type(bl::float16{});
    of_type(bl::bfloat16{});
    of_type(std::complex<float>{});
  }
}

BOOST_AUTO_TEST_CASE(numbers_beyond_the_digits_of_a_type_are_rounded_once) {
  const auto part = [](auto r, bl::index from) { return bl::eval(bl::slice(r, bl::range(from, from + 1000))); };
  for (const bl::index from : {(bl::index{1} << 24) - 100, (bl::index{1} << 31) - 100, (bl::index{1} << 40) + 1}) {
    const auto f = part(bl::iota<float>(bl::index{1} << 41), from);
    const auto d = part(bl::iota<double>(bl::index{1} << 55), from << 13);
    bool right = true;
    for (bl::index i = 0; i < 1000; ++i)
      right = right && f(i) == static_cast<float>(from + i) && d(i) == static_cast<double>((from << 13) + i);
    BOOST_TEST(right, from);
  }
}

// Kernels count what they read by steps of 1, below 2^24 in f32 and to the largest value of an integer; the rest is
// computed before they run.
BOOST_AUTO_TEST_CASE(kernels_count_as_far_as_sums_are_exact) {
  const auto of_type = [&]<class T>(T, bl::index most) {
    constexpr bl::index n = 5003;
    for (const bl::index first : {bl::index{0}, bl::index{4091}, most - n - 1, most - n, most - n + 1, most - 2000}) {
      if (first < 0) continue;
      const auto ramp = bl::slice(bl::iota<T>(first + n + 4096), bl::range(first, first + n));
      bl::dtensor<T, 1> r = bl::dtensor<T, 1>(bl::dshape<1>(n)), x = bl::dtensor<T, 1>(bl::dshape<1>(n + 1));
      for (bl::index i = 0; i < n; ++i) r(i) = static_cast<T>(first + i);
      x = bl::cast<T>(bl::remainder(bl::iota<int>(n + 1, 5, 7), 97));
      const auto from_1 = bl::slice(x, bl::range(1, n + 1));
      BOOST_TEST(same_bits(from_1 * ramp, from_1 * r), bl::to_string(bl::dtype_of<T>) << " from " << first);
      BOOST_TEST(same_bits(ramp, r));
      BOOST_TEST(same_bits(bl::sum(ramp), bl::sum(r)));
      BOOST_TEST(same_bits(bl::sum(from_1 * ramp - ramp), bl::sum(from_1 * r - r)));
      BOOST_TEST(same_bits(bl::amax(bl::sqrt(ramp) + ramp), bl::amax(bl::sqrt(r) + r)));
      bl::dtensor<T, 1> in_place = x, expected = x;
      bl::slice(in_place, bl::range(0, n)) = bl::slice(in_place, bl::range(1, n + 1)) + ramp;
      for (bl::index i = 0; i < n; ++i) expected(i) = static_cast<T>(expected(i + 1) + r(i));
      BOOST_TEST(same_bits(in_place, expected));
      bl::slice(in_place, bl::range(0, n)) += ramp;
      for (bl::index i = 0; i < n; ++i) expected(i) = static_cast<T>(expected(i) + r(i));
      BOOST_TEST(same_bits(in_place, expected));
    }
  };
  of_type(float{}, bl::index{1} << 24);
  of_type(double{}, bl::index{1} << 53);
  of_type(std::uint16_t{}, 32768);
}

// Up to 4096 elements a ramp is in memory, and what reads it needs no plan: neither loops nor reductions to one
// element.
BOOST_AUTO_TEST_CASE(few_go_the_ways_of_arrays) {
  const auto of_type = [&]<class T>(T) {
    for (const bl::index n : {0, 1, 3, 16, 33, 511, 512, 513, 4095, 4096, 4097})
      for (const bl::index first : {bl::index{0}, bl::index{1}, n}) {
        const auto ramp = bl::slice(bl::iota<T>(first + n), bl::range(first, first + n));
        bl::dtensor<T, 1> r(bl::dshape<1>{n}), x(bl::dshape<1>{n});
        for (bl::index i = 0; i < n; ++i) {
          r(i) = static_cast<T>(first + i);
          x(i) = static_cast<T>(i * 7 % 13 - 5);
        }
        const auto both = [&](const char* name, auto formula) {
          BOOST_TEST(same_bits(formula(ramp), formula(r)),
                     name << " of " << bl::to_string(bl::dtype_of<T>) << ", " << n << " from " << first);
        };
        both("product", [&](const auto& i) { return x * i; });
        both("mask", [&](const auto& i) { return bl::where(i < 7, x, 0); });
        both("formula", [&](const auto& i) { return (x - i) * (i + 3); });
        both("sum", [&](const auto& i) { return bl::sum(i); });
        both("sum of products", [&](const auto& i) { return bl::sum(x * i); });
        both("sum of products, turned", [&](const auto& i) { return bl::sum(i * x); });
        both("sum of squares", [&](const auto& i) { return bl::sum(bl::square(i)); });
        both("sum of distances", [&](const auto& i) { return bl::sum(bl::square(x - i)); });
        both("sum of two", [&](const auto& i) { return bl::sum(i * i + x); });
        both("mask under a sum", [&](const auto& i) { return bl::sum(bl::where(i < 7, x, 0)); });
        both("all", [&](const auto& i) { return bl::all(i >= 0); });
        both("share", [&](const auto& i) { return x * bl::sum(x + i) + i; });
        both("named", [&](const auto& i) { return x - bl::let(bl::sum(i * 2 - x)); });
        if (n == 0) continue;
        both("maximum", [&](const auto& i) { return bl::amax(x - i); });
        both("mean", [&](const auto& i) { return bl::mean(bl::cast<double>(x * i)); });
        both("centred", [&](const auto& i) { return bl::var(bl::cast<double>(x * i)); });
        both("row", [&](const auto& i) { return bl::unsqueeze(x, 0) * i + bl::sum(i); });
      }
  };
  of_type(float{});
  of_type(double{});
  of_type(std::int32_t{});
  of_type(std::int16_t{});
  of_type(std::uint8_t{});
}

BOOST_AUTO_TEST_CASE(few_are_evaluated_without_a_plan) {
  bl::dtensor<float, 1> x(bl::dshape<1>{64}), y(bl::dshape<1>{64});
  BOOST_TEST(bl::explain(x * bl::iota<float>(64)).routes == bl::explain(x * y).routes,
             boost::test_tools::per_element());
  BOOST_TEST(bl::explain(bl::sum(x * bl::iota<float>(64))).routes == bl::explain(bl::sum(x * y)).routes,
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(long_sums_are_those_of_arrays_on_any_number_of_threads) {
  for (const bl::index n : {16385, 65537, 300001}) {
    const bl::dtensor<float, 1> r = bl::arange<float>(n), x = bl::sqrt(r);
    for (const int threads : {1, 2}) {
      const auto same = [&](const auto& a, const auto& b) {
        bl::tensor<float, bl::shape<>> of_a, of_b;
        bl::assign(of_a, a, bl::par.threads(threads));
        bl::assign(of_b, b, bl::par.threads(threads));
        return of_a.item() == of_b.item();
      };
      BOOST_TEST(same(bl::sum(x * bl::iota<float>(n)), bl::sum(x * r)), n);
      BOOST_TEST(same(bl::sum(bl::iota<float>(n)), bl::sum(r)), n);
      BOOST_TEST(same(bl::amin(bl::iota<float>(n) - x), bl::amin(r - x)), n);
    }
  }
}

BOOST_AUTO_TEST_CASE(large_ones_are_computed_by_all_threads_while_results_are_streamed) {
  constexpr bl::index n = 3000001;
  bl::dtensor<float, 1> a(n), out(n);
  a = bl::iota<float>(n, 1);
  for (const int threads : {1, 2, 3}) {
    bl::assign(out, a * bl::iota<float>(n), bl::par.threads(threads));
    bool right = true;
    for (bl::index i = 0; i < n; ++i) right = right && out(i) == (static_cast<float>(i) + 1) * static_cast<float>(i);
    BOOST_TEST(right);
  }
}

BOOST_AUTO_TEST_CASE(they_index_and_are_written_nowhere) {
  bl::dtensor<float, 2> x = bl::reshape(bl::iota<float>(81000000 / 9000), 90, 100);
  const auto i = bl::iota<bl::index>(90);
  BOOST_TEST(same_bits(x(i, i), bl::diagonal(x)));
  bl::dtensor<float, 1> v = bl::iota<float>(6000);
  BOOST_TEST(same_bits(v(bl::iota<int>(5000, 999)), bl::slice(v, bl::range(999, 5999))));
  v(bl::iota<int>(3000)) = 0;
  BOOST_TEST(bl::count_nonzero(v).item() == 3000);
  static_assert(!bl::detail::writable<decltype((i))>);
}

BOOST_AUTO_TEST_CASE(plans_say_that_they_are_computed) {
  bl::dtensor<float, 1> a(bl::dshape<1>(100000));
  const auto plan = bl::explain(a * bl::iota<float>(100000));
  BOOST_TEST(plan.arrays.size() == 3u);
  BOOST_TEST(std::string(plan.arrays[1].reading) == "computed");
  BOOST_TEST(plan.bytes_read == 400000);
  BOOST_TEST(plan.temporary_bytes == 0);
  BOOST_TEST(std::string(bl::explain(a * bl::iota<float>(1000 * 100)).routes.at(0)) == "flat blocks");
  const std::string text = bl::to_string(bl::explain(bl::sum(a * bl::iota<float>(100000))));
  BOOST_TEST(text.find("before      iota") == std::string::npos);
  const std::string few = bl::to_string(bl::explain(bl::sum(bl::iota<float>(5000))));
  BOOST_TEST(few.find("before      iota") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
