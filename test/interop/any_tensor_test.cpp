// Arrays whose rank only the run knows: what they take over, and their way to a known rank.
#include <boost/test/unit_test.hpp>
#include <broadloom/broadloom.hpp>
#include <broadloom/interop/any_tensor.hpp>
#include <broadloom/io/npy.hpp>
#include <complex>
#include <string>
#include <support/scratch_file.hpp>
#include <support/thrown.hpp>
#include <vector>

namespace bl = broadloom;

BOOST_AUTO_TEST_SUITE(interop_any_tensor)

static_assert(!std::is_copy_constructible_v<bl::any_tensor<float>>);
static_assert(std::is_nothrow_move_constructible_v<bl::any_tensor<float>>);
static_assert(!bl::array<bl::any_tensor<float>>);

template <class X, class Y>
concept adds = requires(X& x, Y& y) { x + y; };
static_assert(!adds<bl::any_tensor<float>, int>);
static_assert(!adds<int, bl::any_tensor<float>>);
static_assert(!adds<bl::any_tensor<float>, bl::any_tensor<float>>);
static_assert(!adds<bl::dtensor<float, 2>, bl::any_tensor<float>>);

BOOST_AUTO_TEST_CASE(a_tensor_is_taken_over_and_comes_back_as_a_view) {
  bl::dtensor<float, 2> t{{1, 2, 3}, {4, 5, 6}};
  const float* const where = t.data();
  bl::any_tensor<float> any(std::move(t));
  BOOST_TEST(any.rank() == 2);
  BOOST_TEST((any.extents() == std::vector<bl::index>{2, 3}));
  BOOST_TEST((any.strides() == std::vector<bl::index>{3, 1}));
  BOOST_TEST(any.size() == 6);
  BOOST_TEST(any.data() == where);
  any.as_rank<2>() *= 10;
  const auto& fixed = any;
  static_assert(!bl::detail::writable<decltype(fixed.as_rank<2>())>);
  BOOST_TEST(bl::eval(fixed.as_rank<2>() + 1)(1, 2) == 61.0F);
  auto moved = std::move(any);
  BOOST_TEST(moved.data() == where);
  // What goes hands its elements to the array that it becomes.
  auto e = std::move(moved).as_rank<2>() * 2;
  BOOST_TEST(e(1, 0) == 80.0F);
  bl::any_tensor<float> fixed_sizes(bl::tensor<float, bl::shape<2, 2>>{{1, 2}, {3, 4}});
  auto also = std::move(fixed_sizes);
  BOOST_TEST(also.as_rank<2>()(1, 0) == 3.0F);
}

BOOST_AUTO_TEST_CASE(another_rank_is_refused_with_both) {
  bl::any_tensor<float> any(bl::dtensor<float, 2>(4, 5));
  BOOST_TEST(thrown<bl::shape_error>([&] { any.as_rank<3>(); }) ==
             "as_rank: the array has rank 2, shape (4, 5), not rank 3");
  BOOST_TEST(thrown<bl::shape_error>([&] { std::move(any).as_rank<1>(); }) ==
             "as_rank: the array has rank 2, shape (4, 5), not rank 1");
  BOOST_TEST(any.as_rank<2>().shape()[1] == 5);
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::visit_ranks<0, 1, 3>(any, [](auto&&) {}); }) ==
             "visit_rank: the array has rank 2, shape (4, 5), not rank 0, 1 or 3");
  const bl::any_tensor<int> one(bl::dtensor<int, 1>{1, 2});
  BOOST_TEST(thrown<bl::shape_error>([&] { one.as_rank<0>(); }) ==
             "as_rank: the array has rank 1, shape (2,), not rank 0");
}

template <int Rank>
bl::any_tensor<double> of_rank() {
  bl::detail::indices<Rank> extents{};
  for (int i = 0; i < Rank; ++i) extents[i] = i % 3 + 1;
  auto t = bl::dtensor<double, Rank>::uninitialised(bl::dshape<Rank>::unchecked(extents));
  for (bl::index i = 0; i < t.size(); ++i) t.data()[i] = static_cast<double>(i);
  return bl::any_tensor<double>(std::move(t));
}

template <int Rank>
void is_visited() {
  auto any = of_rank<Rank>();
  const auto n = static_cast<double>(any.size());
  BOOST_TEST(bl::visit_rank(any, [](const auto& a) { return bl::sum(a).item(); }) == n * (n - 1) / 2);
  BOOST_TEST(bl::visit_rank(any, [](const auto& a) { return bl::detail::rank_of<std::decay_t<decltype(a)>>; }) == Rank);
  bl::visit_rank(any, [](auto&& a) { bl::assign(a, a + 1); });
  const auto& fixed = any;
  BOOST_TEST(bl::visit_rank(fixed, [](const auto& a) { return bl::sum(a).item(); }) == n * (n + 1) / 2);
}

BOOST_AUTO_TEST_CASE(each_rank_from_0_to_8_is_visited_and_no_other) {
  is_visited<0>();
  is_visited<1>();
  is_visited<2>();
  is_visited<3>();
  is_visited<4>();
  is_visited<5>();
  is_visited<6>();
  is_visited<7>();
  is_visited<8>();
  BOOST_CHECK_THROW(bl::visit_rank(of_rank<9>(), [](auto&&) {}), bl::shape_error);
  // Results of several types have a common one.
  auto any = of_rank<1>();
  static_assert(std::is_same_v<decltype(bl::visit_ranks<1, 2>(any,
                                                              [](auto v) {
                                                                return std::conditional_t <
                                                                               decltype(v)::shape_type::axes_count ==
                                                                           1,
                                                                       int, double > (1);
                                                              })),
                               double>);
}

BOOST_AUTO_TEST_CASE(any_object_is_kept_and_released_once) {
  static int alive;
  struct counted {
    std::vector<float> elements{1, 2, 3, 4, 5, 6};
    counted() { ++alive; }
    counted(counted&& o) noexcept : elements(std::move(o.elements)) { ++alive; }
    ~counted() { --alive; }
  };
  alive = 0;
  {
    counted c;
    float* const data = c.elements.data();
    // Transposed: as the strides say.
    bl::any_tensor<const float> any(std::move(c), data, {3, 2}, {1, 3});
    BOOST_TEST(alive == 2);
    BOOST_TEST(any.as_rank<2>()(2, 1) == 6.0F);
    BOOST_TEST(any.as_rank<2>()(0, 1) == 4.0F);
    auto e = std::move(any).as_rank<2>() + 0;
    BOOST_TEST(bl::eval(e.T())(1, 0) == 4.0F);
  }
  BOOST_TEST(alive == 0);
  const bl::index much = bl::index{1} << 40;
  BOOST_CHECK_THROW(bl::any_tensor<float>(0, nullptr, {much, much}, {much, 1}), bl::shape_error);
}

BOOST_AUTO_TEST_CASE(files_are_read_in_the_rank_they_have) {
  const scratch_file f;
  bl::write_npy(f.name, bl::dtensor<float, 3>(2, 0, 4));
  BOOST_TEST((bl::read_npy_any<float>(f.name).extents() == std::vector<bl::index>{2, 0, 4}));
  bl::write_npy(f.name, bl::tensor<std::complex<float>, bl::shape<>>(2.5F));
  BOOST_TEST(bl::read_npy_any<std::complex<float>>(f.name).as_rank<0>().item() == 2.5F);
  bl::dtensor<int, 2> t{{1, 2, 3}, {4, 5, 6}};
  bl::write_npy(f.name, t);
  const bl::dtensor<int, 2> back = bl::read_npy_any<int>(f.name).as_rank<2>();
  BOOST_TEST(bl::all(back == t).item());
  BOOST_TEST(thrown<bl::io_error>([&] { bl::read_npy_any<float>(f.name); }) ==
             "read_npy_any: " + f.name + ": the file has elements of type i32, not f32");
  // Columns first, and an extent that no product may be made with beside one of 0.
  std::string header = "{'descr': '<i4', 'fortran_order': True, 'shape': (2, 3), }";
  const auto npy = [](const std::string& h, const std::string& elements) {
    return std::string("\x93NUMPY\1\0", 8) + static_cast<char>(h.size()) + '\0' + h + elements;
  };
  std::string bytes;
  for (char c = 0; c < 6; ++c) bytes += std::string{c, 0, 0, 0};
  f.hold(npy(header, bytes));
  BOOST_TEST(bl::read_npy_any<int>(f.name).as_rank<2>()(1, 2) == 5);
  BOOST_TEST(bl::read_npy_any<int>(f.name).as_rank<2>()(1, 0) == 1);
  header = "{'descr': '<i4', 'fortran_order': False, 'shape': (4611686018427387904, 4611686018427387904, 0), }";
  f.hold(npy(header, ""));
  BOOST_TEST(bl::read_npy_any<int>(f.name).size() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
