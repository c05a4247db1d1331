// copy_, masked_fill_, masked_scatter_, masked_select, map_ and map2_: values and errors are PyTorch's.
#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>
#include <string>

namespace bl = broadloom;

namespace {

template <class T>
std::string text(const T& x) {
  return bl::to_string(x);
}

template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const bl::shape_error& e) {
    return e.what();
  }
  return "nothing";
}

const std::string too_long =
    "The expanded size of the tensor (3) must match the existing size (4) at non-singleton dimension 0.  Target sizes: "
    "[3].  "
    "Tensor sizes: [4]";

}  // namespace

BOOST_AUTO_TEST_SUITE(tensor_mask)

BOOST_AUTO_TEST_CASE(copy_expands_the_source_and_converts_its_elements) {
  bl::dtensor<int, 2> a(2, 3);
  BOOST_TEST(&bl::copy_(a, bl::dtensor<float, 1>{1.9f, -2.9f, 3}) == &a);
  BOOST_TEST(text(a) == "[[ 1 -2  3]\n [ 1 -2  3]]");
  bl::copy_(a, 2.5);
  BOOST_TEST(a(1, 2) == 2);
  bl::copy_(bl::select(a, 0, 1), bl::dtensor<int, 1>{7});
  BOOST_TEST(text(a) == "[[2 2 2]\n [7 7 7]]");
  bl::dtensor<float, 1> x{1, 2, 3};
  BOOST_TEST(error_of([&] { bl::copy_(x, bl::dtensor<float, 1>(4)); }) == too_long + "\n  in copy_");
}

BOOST_AUTO_TEST_CASE(masked_fill_writes_where_the_mask_is_set) {
  bl::dtensor<float, 2> a{{1, 2, 3}, {4, 5, 6}};
  bl::masked_fill_(a, bl::dtensor<bool, 1>{true, false, true}, -1);
  BOOST_TEST(text(a) == "[[-1.  2. -1.]\n [-1.  5. -1.]]");
  bl::masked_fill_(a, a > 4, bl::tensor<double, bl::shape<>>{0.5});
  BOOST_TEST(a(1, 1) == 0.5f);
  bl::dtensor<int, 1> i{1, 2};
  bl::masked_fill_(i, i == 1, 7.9);  // the value becomes an element of the array's type
  BOOST_TEST(text(i) == "[7 2]");
  bl::dtensor<float, 1> x{1, 2, 3};
  BOOST_TEST(error_of([&] { bl::masked_fill_(x, bl::dtensor<bool, 1>(4), 0); }) == too_long + "\n  in masked_fill_");
}

BOOST_AUTO_TEST_CASE(masked_fill_takes_an_array_of_rank_0) {
  const bl::dtensor<float, 1> x{1, 2, 3};
  const bl::tensor<double, bl::shape<>> half{0.5};
  BOOST_TEST(text(bl::eval(bl::masked_fill(x, x > 1, half))) == "[1.  0.5 0.5]");
  BOOST_TEST(text(bl::eval(bl::masked_fill(x, x > 1, bl::sum(x)))) == "[1. 6. 6.]");
  const auto e = bl::masked_fill(bl::dtensor<int, 1>{1, 2}, bl::dtensor<bool, 1>{true, false}, half + 2.4);
  static_assert(std::is_same_v<decltype(e)::value_type, int>);
  BOOST_TEST(text(bl::eval(e)) == "[2 2]");
  BOOST_TEST(error_of([&] { bl::masked_fill(x, bl::dtensor<bool, 1>(2), half); }) != "nothing");
}

BOOST_AUTO_TEST_CASE(masked_scatter_takes_elements_of_the_source_in_order) {
  bl::dtensor<float, 2> a{{1, 2, 3}, {4, 5, 6}};
  bl::masked_scatter_(a.T(), bl::dtensor<bool, 2>{{true, false}, {false, true}, {true, true}},
                      bl::dtensor<float, 1>{10, 20, 30, 40, 50});
  BOOST_TEST(text(a) == "[[10.  2. 30.]\n [ 4. 20. 40.]]");
  bl::masked_copy_(a, bl::dtensor<bool, 1>{false, true, false}, bl::dtensor<float, 2>{{8}, {9}});
  BOOST_TEST(text(a) == "[[10.  8. 30.]\n [ 4.  9. 40.]]");
  bl::masked_scatter_(a, a > 20, a);  // the source may be the array itself
  BOOST_TEST(text(a) == "[[10.  8. 10.]\n [ 4.  9.  8.]]");
  bl::dtensor<float, 1> x{1, 2, 3};
  const std::string what = error_of([&] { bl::masked_scatter_(x, x < 3, bl::dtensor<float, 1>{5}); });
  BOOST_TEST(what.rfind("Number of elements of source < number of ones in mask\n", 0) == 0u);
  BOOST_TEST(text(x) == "[1. 2. 3.]");
  BOOST_TEST(error_of([&] { bl::masked_scatter_(x, bl::dtensor<bool, 1>(4), x); }) ==
             too_long + "\n  in masked_scatter_");
}

BOOST_AUTO_TEST_CASE(masked_select_broadcasts) {
  const bl::dtensor<float, 1> x{1, 2, 3};
  BOOST_TEST(text(bl::masked_select(x, bl::dtensor<bool, 2>{{true}, {false}})) == "[1. 2. 3.]");
  BOOST_TEST(text(bl::masked_select(x, x != 2)) == "[1. 3.]");
  BOOST_TEST(text(bl::masked_select(x + 1, bl::dtensor<bool, 2>{{false, true, false}, {true, false, true}})) ==
             "[3. 2. 4.]");
  BOOST_TEST(bl::masked_select(x, x > 9).size() == 0);
  BOOST_CHECK_THROW(bl::masked_select(x, bl::dtensor<bool, 1>(4)), bl::shape_error);
}

BOOST_AUTO_TEST_CASE(map_calls_a_function_of_the_element_and_of_the_operands) {
  bl::dtensor<float, 2> a{{1, 2, 3}, {4, 5, 6}};
  bl::map_(a, bl::dtensor<int, 1>{1, 0, 2},
           [](float x, int y) { return y == 0 ? x : x * static_cast<float>(y) + 0.5f; });
  BOOST_TEST(text(a) == "[[ 1.5  2.   6.5]\n [ 4.5  5.  12.5]]");
  bl::map2_(a, bl::dtensor<float, 2>{{1}, {2}}, a, [](float x, float y, float z) { return x * y - z; });
  BOOST_TEST(text(a) == "[[ 0.   0.   0. ]\n [ 4.5  5.  12.5]]");
  bl::dtensor<float, 1> x{1, 2, 3};
  BOOST_TEST(error_of([&] { bl::map_(x, bl::dtensor<float, 1>(4), [](float p, float) { return p; }); }) ==
             too_long + "\n  in map_");
}

BOOST_AUTO_TEST_SUITE_END()
