// What a tree holds: numbers, views and nodes by value, an array with a name as a view of it, a temporary array itself.
#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace bl = broadloom;

namespace {

using vector = bl::dtensor<float, 1>;

vector make(bl::index n, float first) {
  vector r(n);
  for (bl::index i = 0; i < n; ++i) r(i) = first + static_cast<float>(i);
  return r;
}
bl::tensor<int, bl::shape<3>> make_static(int first) { return {first, first + 1, first + 2}; }

auto tree_of_temporaries() {
  const float two = 2;
  return make(1000, 1) * two + bl::flip(make(1000, 10), 0);
}
auto static_tree_of_temporaries() { return make_static(1) * 10 + bl::flip(make_static(5), 0); }

// Something that disturbs the stack and the heap that a dangling tree would read.
void overwrite() {
  volatile char junk[8192];
  for (auto& x : junk) x = 77;
  std::vector<vector> more;
  for (int i = 0; i < 20; ++i) more.push_back(make(1000, -1e6f));
}

template <class E>
bool is_the_tree(const E& e) {
  const vector r = e;
  for (bl::index i = 0; i < 1000; ++i)
    if (r(i) != static_cast<float>(i + 1) * 2 + static_cast<float>(1009 - i)) return false;
  return e(0) == 1011.f && e(999) == 2010.f;
}
template <class E>
bool is_the_static_tree(const E& e) {
  const bl::tensor<int, bl::shape<3>> r = e;
  return r(0) == 17 && r(1) == 26 && r(2) == 35 && e(2) == 35;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(expr_capture)

BOOST_AUTO_TEST_CASE(temporaries_move_into_the_tree_and_live_as_long_as_it) {
  const auto e = tree_of_temporaries();
  overwrite();
  BOOST_TEST(is_the_tree(e));
  BOOST_TEST(is_the_tree(e));  // and evaluating does not use it up
  const auto s = static_tree_of_temporaries();
  overwrite();
  BOOST_TEST(is_the_static_tree(s));
}

BOOST_AUTO_TEST_CASE(copies_of_a_tree_outlive_it) {
  auto first = std::make_unique<decltype(tree_of_temporaries())>(tree_of_temporaries());
  const auto second = *first;
  auto static_first = std::make_unique<decltype(static_tree_of_temporaries())>(static_tree_of_temporaries());
  const auto static_second = *static_first;  // its elements are elsewhere now
  first.reset();
  static_first.reset();
  overwrite();
  BOOST_TEST(is_the_tree(second));
  BOOST_TEST(is_the_static_tree(static_second));
  auto third = std::move(second);
  BOOST_TEST(is_the_tree(third));
  std::vector<decltype(static_tree_of_temporaries())> many(3, static_second);
  many.reserve(100);
  BOOST_TEST(is_the_static_tree(many[2]));
  const auto larger = third + static_cast<float>(0);
  BOOST_TEST(is_the_tree(larger));
}

BOOST_AUTO_TEST_CASE(copying_a_tree_copies_no_elements) {
  auto e = make(1000, 0) + 1;
  const auto copy = e;
  const auto twice = e * copy;
  BOOST_TEST(copy.arg<0>().data() == e.arg<0>().data());
  BOOST_TEST(twice.arg<0>().arg<0>().data() == e.arg<0>().data());
  BOOST_TEST(bl::flip(copy, 0).arg<0>().data() == e.arg<0>().data() + 999);
}

BOOST_AUTO_TEST_CASE(a_moved_tensors_memory_is_the_trees) {
  vector x = make(1000, 0);
  const float* const memory = x.data();
  const auto e = std::move(x) + 1;
  BOOST_TEST(e.arg<0>().data() == memory);
  BOOST_TEST(!x.has_shape());
  x = make(5, 9);
  BOOST_TEST(e(3) == 4.f);
  const vector c = make(3, 0);
  const auto f = std::move(c) + 1;  // a const temporary cannot be emptied: its elements are read where they are
  BOOST_TEST((c.has_shape() && f(2) == 3.f));
}

BOOST_AUTO_TEST_CASE(an_array_with_a_name_is_read_when_the_tree_is_evaluated) {
  vector x = make(4, 0);
  bl::tensor<int, bl::shape<3>> s = make_static(0);
  const auto e = x + 1;
  const auto t = s * 2;
  BOOST_TEST(e.arg<0>().data() == x.data());
  x(2) = 100;
  s(1) = 50;
  BOOST_TEST((e(2) == 101.f && bl::eval(e)(2) == 101.f && t(1) == 100 && bl::eval(t)(1) == 100));
}

BOOST_AUTO_TEST_CASE(numbers_are_held_by_value) {
  const vector x = make(3, 0);
  float factor = 2;
  const auto e = x * factor;
  factor = 1000;
  BOOST_TEST((e(2) == 4.f && bl::eval(e)(2) == 4.f));
}

BOOST_AUTO_TEST_CASE(views_of_temporaries_own_their_array) {
  const auto t = make(6, 0).T();
  const auto s = bl::slice(make(6, 0), bl::range(4, bl::none, -2));
  const auto p = bl::select(bl::expand(make(6, 0), bl::dshape<2>(2, 6)), 0, 1);
  const auto i = bl::flip(make_static(1), 0);
  const auto j = bl::slice(make_static(1), bl::range(1, bl::end));
  const auto st = make_static(4).T();
  overwrite();
  BOOST_TEST((t(5) == 5.f && s(0) == 4.f && s(2) == 0.f && p(3) == 3.f && i(0) == 3 && j(0) == 2 && st(2) == 6));
  const vector r = s;
  BOOST_TEST((r.size() == 3 && r(1) == 2.f));
  const auto copy = i;
  BOOST_TEST((bl::eval(copy)(2) == 1 && bl::eval(copy + j(1))(0) == 6));
}

BOOST_AUTO_TEST_CASE(the_same_temporary_used_twice_is_one_array) {
  const auto e = make(1000, 1) + 0;
  const vector square = e * e;
  BOOST_TEST(square(999) == 1000000.f);
}

BOOST_AUTO_TEST_CASE(a_tree_of_temporaries_may_be_assigned_over_what_it_reads) {
  vector x = make(100, 0);
  x = bl::flip(x + make(100, 0), 0);
  BOOST_TEST((x(0) == 198.f && x(99) == 0.f));
}

BOOST_AUTO_TEST_SUITE_END()
