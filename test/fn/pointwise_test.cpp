// A user's callable in the loop: once for each element of its own shape, whatever it is, and what it throws.
#include <broadloom/broadloom.hpp>
#include <broadloom/eval/scheduler.hpp>

#include <algorithm>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace bl = broadloom;

namespace {

struct generic_and_never_inlined {
  float add;
  template <class T>
  [[gnu::noinline]] T operator()(T x) const {
    return static_cast<T>(x * x + static_cast<T>(add));
  }
};

// Takes packs only; would be wrong if vectors went by value to a function compiled with other flags.
struct of_packs {
  template <int N>
  [[gnu::noinline]] bl::pack<float, N> operator()(bl::pack<float, N> x, bl::pack<float, N> y) const {
    return x * y + 1.0f;
  }
};

bl::dtensor<float, 2> numbers(bl::index rows, bl::index columns) {
  bl::dtensor<float, 2> r(rows, columns);
  for (bl::index i = 0; i < r.size(); ++i) r.data()[i] = static_cast<float>(i % 1000) - 300;
  return r;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fn_pointwise)

BOOST_AUTO_TEST_CASE(a_generic_callable_that_is_never_inlined_gives_what_it_gives_alone) {
  for (const bl::index n : {1, 3, 8, 64, 100, 5000}) {
    const auto a = numbers(3, n);
    const generic_and_never_inlined f{2};
    const auto r = bl::eval(bl::pointwise(f, a) + 0);
    const auto t = bl::eval(bl::pointwise(f, a.T()));
    int wrong = 0;
    for (bl::index i = 0; i < 3; ++i)
      for (bl::index j = 0; j < n; ++j) wrong += r(i, j) != f(a(i, j)) || t(j, i) != f(a(i, j));
    BOOST_TEST(wrong == 0);
  }
}

BOOST_AUTO_TEST_CASE(a_callable_that_takes_packs_gets_them_in_memory) {
  for (const bl::index n : {1, 3, 15, 16, 17, 100, 5000}) {
    const auto a = numbers(2, n);
    const bl::dtensor<float, 2> column{{2}, {-3}};
    const auto r = bl::eval(bl::pointwise(of_packs{}, a, column));
    int wrong = 0;
    for (bl::index i = 0; i < 2; ++i)
      for (bl::index j = 0; j < n; ++j) wrong += r(i, j) != a(i, j) * column(i, 0) + 1.0f;
    BOOST_TEST(wrong == 0);
    BOOST_TEST(bl::pointwise(of_packs{}, a, column)(1, 0) == a(1, 0) * -3 + 1.0f);
  }
}

BOOST_AUTO_TEST_CASE(rows_of_any_length_of_operands_that_advance_or_are_repeated) {
  const auto f = [](float a, std::int16_t b, double c) { return a > 0 ? a * b + c : c - b; };
  for (bl::index n = 1; n <= 140; ++n) {
    const auto a = numbers(3, n);
    const bl::dtensor<std::int16_t, 2> row = bl::cast<std::int16_t>(numbers(1, n) * 3), column{{5}, {-7}, {11}};
    const bl::dtensor<double, 2> c = bl::cast<double>(numbers(3, n)) / 3;
    const auto same = [&](const auto& x, const auto& y, const auto& z) {
      const bl::dtensor<double, 2> r = bl::pointwise(f, x, y, z);
      for (bl::index i = 0; i < r.shape()[0]; ++i)
        for (bl::index j = 0; j < r.shape()[1]; ++j)
          if (r(i, j) != f(x(x.shape()[0] == 1 ? 0 : i, x.shape()[1] == 1 ? 0 : j),
                           y(y.shape()[0] == 1 ? 0 : i, y.shape()[1] == 1 ? 0 : j),
                           z(z.shape()[0] == 1 ? 0 : i, z.shape()[1] == 1 ? 0 : j)))
            return false;
      return true;
    };
    BOOST_TEST(same(a, row, c), n);
    BOOST_TEST(same(a, column, c), n);
    BOOST_TEST(same(numbers(3, 1), row, c), n);
    BOOST_TEST(same(numbers(1, 1), column, bl::eval(bl::flip(c, 1))), n);
    auto inside = a;
    inside = bl::pointwise([](float x, float y) { return x * 2 - y; }, inside, numbers(3, 1));
    BOOST_TEST(bl::array_equal(inside, a * 2 - numbers(3, 1)), n);
  }
}

BOOST_AUTO_TEST_CASE(it_is_called_in_order_where_one_thread_is_asked_for) {
  for (const bl::index n : {1, 31, 32, 33, 64, 500}) {
    std::vector<float> seen;
    bl::tensor r(bl::pointwise(
                     [&](float x) {
                       seen.push_back(x);
                       return x;
                     },
                     numbers(2, n)),
                 bl::seq);
    BOOST_TEST(seen.size() == static_cast<std::size_t>(r.size()));
    BOOST_TEST(std::equal(seen.begin(), seen.end(), r.data()), n);
  }
}

BOOST_AUTO_TEST_CASE(it_is_called_once_for_each_element_of_its_own_shape) {
  std::atomic<int> calls{0};
  const auto f = [&calls](float x) {
    ++calls;
    return x * 2;
  };
  const auto m = numbers(37, 1001);
  const auto row = numbers(1, 1001), column = numbers(37, 1);
  const auto count = [&](const auto& e, const bl::policy& p = bl::par) {
    calls = 0;
    const auto r = bl::eval(e, p);
    BOOST_TEST(r.size() > 0);
    return calls.load();
  };
  BOOST_TEST(count(bl::pointwise(f, m)) == 37037);
  BOOST_TEST(count(bl::exp(bl::pointwise(f, m + row)) * m, bl::par.threads(3)) == 37037);
  BOOST_TEST(count(bl::pointwise(f, row) + m) == 1001);
  BOOST_TEST(count(bl::pointwise(f, column) * row) == 37);
  BOOST_TEST(count(bl::pointwise(f, row + column)) == 37037);
  BOOST_TEST(count(bl::pointwise(f, bl::pointwise(f, row)) + m) == 2002);
  BOOST_TEST(count(bl::pointwise(f, bl::pointwise(f, row) + column)) == 1001 + 37037);
  BOOST_TEST(count(bl::transpose(bl::pointwise(f, m), 0, 1)) == 37037);
  BOOST_TEST(count(bl::exp(bl::pointwise(f, m)) + bl::exp(bl::pointwise(f, m))) ==
             2 * 37037);  // as often as it is written
  const bl::tensor<float, bl::shape<3>> small{1, 2, 3};
  BOOST_TEST(count(bl::pointwise(f, small) + 1) == 3);
  auto out = m;
  calls = 0;
  out = bl::pointwise(f, bl::flip(out, 0)) + out;  // overlapping
  BOOST_TEST(calls == 37037);
  int wrong = 0;
  for (bl::index i = 0; i < 37; ++i)
    for (bl::index j = 0; j < 1001; ++j) wrong += out(i, j) != m(36 - i, j) * 2 + m(i, j);
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(its_types_are_its_own) {
  const bl::dtensor<int, 1> i{1, 2, 3};
  const bl::dtensor<double, 1> d{0.5, 2, 4};
  const auto e = bl::pointwise([](int x, double y) { return x < y; }, i, d);
  static_assert(std::is_same_v<decltype(e)::value_type, bool>);
  BOOST_TEST(bl::to_string(bl::eval(e)) == "[False False  True]");
  BOOST_TEST(bl::to_string(bl::eval(bl::pointwise(
                 [](int x, float y) { return static_cast<short>(static_cast<float>(x) * y); }, i, 2.5f))) == "[2 5 7]");
  BOOST_TEST(bl::to_string(bl::eval(bl::pointwise([](bool x) { return !x; }, i > 1))) == "[ True False False]");
}

BOOST_AUTO_TEST_CASE(its_state_travels_with_the_tree) {
  const bl::dtensor<float, 1> x{1, 2};
  const auto make = [&x] {
    const std::string name(40, 'x');
    return bl::pointwise([name](float v) { return v + static_cast<float>(name.size()); }, x);
  };
  const auto e = make() + make();
  BOOST_TEST(bl::to_string(bl::eval(e)) == "[82. 84.]");
}

BOOST_AUTO_TEST_CASE(its_state_may_be_large_and_its_operands_static) {
  const double a = 2, b = 3, c = 5, d[9] = {7, 0, 0, 0, 0, 0, 0, 0, 11};
  const bl::tensor<double, bl::shape<2, 3>> x{{1, 2, 3}, {4, 5, 6}};
  const bl::tensor<double, bl::shape<3>> row{10, 20, 30};
  const auto small = [a, b, c](auto v) { return v * a + b * c; };
  const auto large = [a, d](double v, double w) { return v * a + w * d[8] + d[0]; };
  const auto y = bl::eval(bl::pointwise(small, x));
  const auto z = bl::eval(bl::pointwise(large, x, row));
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) {
      BOOST_TEST(y(i, j) == small(x(i, j)));
      BOOST_TEST(z(i, j) == large(x(i, j), row(j)));
    }
}

BOOST_AUTO_TEST_CASE(what_it_throws_arrives_once_and_the_library_goes_on) {
  const auto m = numbers(300, 1001);
  const auto before = bl::runtime::active_scheduler();
  for (const auto runs : {bl::scheduler::tbb, bl::scheduler::threads}) {
    bl::set_scheduler(runs);
    for (const int threads : {1, 2, 4}) {
      int caught = 0;
      const auto f = [](float x) {
        if (x == 7) throw std::runtime_error("seven");
        return x;
      };
      try {
        bl::eval(bl::pointwise(f, m) + m, bl::par.threads(threads));
      } catch (const std::runtime_error& e) {
        ++caught;
        BOOST_TEST(e.what() == std::string("seven"));
      }
      BOOST_TEST(caught == 1);
      BOOST_TEST(bl::eval(m + m, bl::par.threads(threads))(299, 1000) == 2 * m(299, 1000));
    }
  }
  bl::set_scheduler(before);
}

BOOST_AUTO_TEST_CASE(a_throw_while_its_own_shape_is_evaluated_first_leaks_nothing) {
  const auto row = numbers(1, 1001), m = numbers(5, 1001);
  const auto f = [](float x) -> float { throw x; };
  BOOST_CHECK_THROW(bl::eval(bl::pointwise(f, row) + m), float);
}

BOOST_AUTO_TEST_SUITE_END()
