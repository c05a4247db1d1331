// index_add_, index_copy_, index_fill_: the notes' examples by name, PyTorch's table, what is refused.
#include <limits>
#include <tuple>

#include "cases.hpp"

namespace {

namespace bl = broadloom;
using namespace bl::literals;
using namespace index_cases;
using floats = std::tuple<float, double>;

}  // namespace

BOOST_AUTO_TEST_SUITE(index_update)

BOOST_AUTO_TEST_CASE(the_notes_example_of_index_add_) {
  const auto x = bl::eval(numbered<float>(bl::dshape<2>(2, 3)) + 1.f);
  bl::dtensor<float, 2> zeros(3, 3);
  bl::index_add_(zeros, 0, bl::index_array{1, 0}, x);
  BOOST_TEST(equal(zeros, bl::dtensor<float, 2>{{4, 5, 6}, {1, 2, 3}, {0, 0, 0}}));
}

BOOST_AUTO_TEST_CASE(the_notes_example_of_index_copy_) {
  const auto x = bl::eval(numbered<float>(bl::dshape<2>(2, 3)) + 1.f);
  bl::dtensor<float, 2> zeros(3, 3);
  bl::index_copy_(zeros, 0, bl::index_array{1, 0}, x);
  BOOST_TEST(equal(zeros, bl::dtensor<float, 2>{{4, 5, 6}, {1, 2, 3}, {0, 0, 0}}));
}

BOOST_AUTO_TEST_CASE(the_functions_give_what_pytorch_gives) {
  const auto holds = [](const line& l, auto f) {
    bool ok = true;
    with_rank(l.arrays[0].rank(), [&](auto r) {
      auto x = l.arrays[0].as<double, r>();
      const auto source = l.arrays.size() > 3 ? l.arrays[2].as<double, r>() : x;
      f(x, l.arrays[1].as<std::int64_t, 1>(), source);
      ok = l.result().is(x);
    });
    return ok;
  };
  each("index_add", 60, [&](const line& l) {
    return holds(l, [&](auto& x, const auto& i, const auto& s) {
      if (l.parameter == "1")
        bl::index_add_(x, l.axis, i, s);
      else
        bl::index_add_(x, l.axis, i, s, std::stoi(l.parameter));
    });
  });
  each("index_copy", 30, [&](const line& l) {
    return holds(l, [&](auto& x, const auto& i, const auto& s) { bl::index_copy_(x, l.axis, i, s); });
  });
  each("index_fill", 30, [&](const line& l) {
    return holds(l,
                 [&](auto& x, const auto& i, const auto&) { bl::index_fill_(x, l.axis, i, std::stoi(l.parameter)); });
  });
}

BOOST_AUTO_TEST_CASE(rows_that_meet_are_added_in_order) {
  const auto i = positions<std::int32_t>(bl::dshape<1>(5000), 0, 20);
  const auto s = bl::eval(numbered<float>(bl::dshape<2>(5000, 24)) * 0.3f);
  bl::dtensor<float, 2> want(20, 24), sum(20, 24);
  for (bl::index k = 0; k < 5000; ++k)
    for (bl::index c = 0; c < 24; ++c) want(i(k), c) += s(k, c);
  bl::index_add_(sum, 0, i, s);
  BOOST_TEST(equal(sum, want));
  bl::dtensor<float, 2> across(24, 20);
  bl::index_add_(across, 1, i, s.T());
  BOOST_TEST(equal(across, want.T()));
  BOOST_TEST(equal(bl::index_add(bl::zeros<float>(20, 24), 0, i, s), want));
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused_and_nothing_is_written) {
  bl::dtensor<float, 2> x(3, 3);
  const bl::index_array i{1, 0};
  const auto one = bl::ones<float>(1, 3), thin = bl::ones<float>(2, 1), two = bl::ones<float>(2, 3);
  BOOST_TEST(first_line(text_of<bl::shape_error>([&] { bl::index_add_(x, 0, i, one); })) ==
             "index_add_(): Number of indices (2) should be equal to source.size(dim): (1), for dim: 0");
  BOOST_TEST(first_line(text_of<bl::shape_error>([&] { bl::index_copy_(x, 0, i, one); })) ==
             "index_copy_(): Number of indices (2) should be equal to source.size(dim) (1)");
  BOOST_TEST(first_line(text_of<bl::shape_error>([&] { bl::index_copy_(x, 0, i, thin); })) ==
             "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: 3 at "
             "dimension 0 and "
             "source slice shape: 1 at dimension 0.");
  BOOST_TEST(first_line(text_of<bl::index_error>([&] { bl::index_add_(x, 0, bl::index_array{0, 7}, two); })) ==
             "index 7 is out of bounds for dimension 0 with size 3");
  BOOST_TEST(first_line(text_of<bl::index_error>([&] { bl::index_fill_(x, 1, bl::index_array{-4}, 1); })) ==
             "index -4 is out of bounds for dimension 1 with size 3");
  BOOST_TEST(equal(x, bl::zeros<float>(3, 3)));
}

BOOST_AUTO_TEST_CASE(a_number_is_added_at_each_position) {
  bl::dtensor<int, 1> counts(4);
  bl::index_add_(counts, 0, bl::index_array{0, 1, 0, 3}, 1);
  BOOST_TEST(bl::array_equal(counts, bl::dtensor<int, 1>{2, 1, 0, 1}));
  const bl::dtensor<float, 2> x{{1, 2}, {3, 4}};
  BOOST_TEST(bl::array_equal(bl::index_add(x, 1, bl::index_array{1, 1}, 0.5),
                             bl::index_add(x, 1, bl::index_array{1, 1}, bl::full<float>({2, 2}, 0.5f))));
}

// Lines of sources without NaN take a loop of their own.
BOOST_AUTO_TEST_CASE_TEMPLATE(nan_wins_wherever_it_stands, T, floats) {
  const T nan = std::numeric_limits<T>::quiet_NaN();
  const bl::index rows = 5, n = 67;
  bl::dtensor<T, 2> x(rows, n), s(rows, n);
  bl::dtensor<std::int64_t, 2> i(rows, n);
  bl::dtensor<std::int32_t, 2> narrow(rows, n);
  for (bl::index k = 0; k < rows * n; ++k) {
    x.data()[k] = static_cast<T>(k * 37 % 101) - 50;
    s.data()[k] = static_cast<T>(k * 53 % 97) - 48;
    narrow.data()[k] = static_cast<std::int32_t>(i.data()[k] = k * 29 % 41);
  }
  x(1, 3) = x(3, 40) = x(3, 66) = s(2, 5) = s(3, 0) = s(4, 66) = nan;
  for (const bool largest : {true, false}) {
    auto want = bl::eval(x);
    for (bl::index r = 0; r < rows; ++r)
      for (bl::index k = 0; k < n; ++k) {
        T& a = want(r, i(r, k));
        const T b = s(r, k);
        if (b != b || (largest ? a < b : b < a)) a = b;
      }
    const auto same = [&](const auto& got) {
      for (bl::index k = 0; k < rows * n; ++k) {
        const T a = got.data()[k], b = want.data()[k];
        BOOST_TEST((a == b || (a != a && b != b)), "element " << k << ": " << a << " for " << b);
      }
    };
    same(largest ? bl::scatter_reduce(x, 1, i, s, bl::amax) : bl::scatter_reduce(x, 1, i, s, bl::amin));
    same(largest ? bl::scatter_reduce(x, 1, narrow, s, bl::amax) : bl::scatter_reduce(x, 1, narrow, s, bl::amin));
  }
}

// Each thread has the rows of some indices, and adds what meets there in order.
BOOST_AUTO_TEST_CASE(threads_divide_large_rows_by_their_index) {
  const bl::index rows = 300, sources = 700, columns = 1200;
  bl::dtensor<float, 2> s(sources, columns);
  for (bl::index k = 0; k < s.size(); ++k) s.data()[k] = 1 / static_cast<float>(k % 1009 + 3);
  bl::dtensor<std::int64_t, 1> at(sources);
  for (bl::index k = 0; k < sources; ++k) at(k) = k * k * 31 % rows;
  auto added = bl::eval(bl::zeros<float>(rows, columns)), copied = added, want = added, last = added;
  for (bl::index k = 0; k < sources; ++k)
    for (bl::index c = 0; c < columns; ++c) {
      want(at(k), c) += s(k, c);
      last(at(k), c) = s(k, c);
    }
  for (const int threads : {1, 2, 3, 16}) {
    bl::set_max_threads(threads);
    bl::assign(added, 0);
    bl::assign(copied, 0);
    bl::index_add_(added, 0, at, s);
    bl::index_copy_(copied, 0, at, s);
    BOOST_TEST(bl::array_equal(added, want));
    BOOST_TEST(bl::array_equal(copied, last));
  }
  bl::set_max_threads(0);
}

BOOST_AUTO_TEST_SUITE_END()
