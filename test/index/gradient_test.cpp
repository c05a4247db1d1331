// Slopes, angles without jumps, and what lies between zeros, against NumPy and PyTorch.
#include "index/vocabulary_cases.hpp"

#include <broadloom/index/gradient.hpp>

using namespace vocabulary;
using namespace bl::literals;

BOOST_AUTO_TEST_SUITE(index_gradient)

BOOST_AUTO_TEST_CASE(slopes_are_those_of_numpy_and_pytorch) {
  each_vocabulary("gradient", 72, [](const line& l, const auto& x) {
    const int order = std::stoi(l.parameter);
    return near(l.result(), bl::gradient(x, 0.5, l.axis, order)) &&
           near(l.result(), bl::gradient(x * 2.0, 1, l.axis, order));
  });
  each_vocabulary("gradient_points", 72, [](const line& l, const auto& x) {
    return near(l.result(), bl::gradient(x, l.arrays[1].template as<double, 1>(), l.axis, std::stoi(l.parameter)), 64);
  });
}

BOOST_AUTO_TEST_CASE(slopes_of_other_types_and_of_few_elements) {
  const bl::tensor<int, bl::shape<2, 3>> x{{1, 2, 4}, {8, 16, 32}};
  const auto slope = bl::gradient(x, 1, 1_c);
  static_assert(std::is_same_v<std::remove_const_t<decltype(slope)>, bl::tensor<double, bl::shape<2, 3>>>);
  BOOST_TEST(equal(slope, bl::dtensor<double, 2>{{1, 1.5, 2}, {8, 12, 16}}));
  BOOST_TEST(equal(bl::gradient(x, 1, 0), bl::dtensor<double, 2>{{7, 14, 28}, {7, 14, 28}}));
  BOOST_TEST(first_line(text_of<bl::shape_error>([&] { bl::gradient(x, 1, 0, 2); })) ==
             "Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are "
             "required.");
  BOOST_CHECK_THROW(bl::gradient(x, 1, 1, 3), bl::shape_error);
  BOOST_CHECK_THROW(bl::gradient(x, bl::arange<int>(2), 1), bl::shape_error);
}

BOOST_AUTO_TEST_CASE(angles_are_those_of_numpy) {
  each_vocabulary("unwrap", 72, [](const line& l, const auto& x) {
    return near(l.result(), l.parameter.empty() ? bl::unwrap(x, l.axis) : bl::unwrap(x, l.axis, 4, 3.5), 64);
  });
  BOOST_TEST(bl::unwrap(bl::dtensor<float, 1>(0)).size() == 0);
}

BOOST_AUTO_TEST_CASE(zeros_at_the_ends_go) {
  each(
      "trim_zeros", 100,
      [](const line& l) {
        const bool front = l.parameter != "b", back = l.parameter != "f";
        return l.result().is(bl::trim_zeros(l.arrays[0].as<double, 1>(), front, back));
      },
      "test/data/vocabulary_cases.tsv");
  const bl::dtensor<double, 1> x{0, 7, 1, 5, 0, 5, 3, 0};
  BOOST_TEST(bl::array_equal(bl::trim_zeros(x(bl::range(0, bl::none, 2))), bl::dtensor<double, 1>{1, 0, 3}));
  BOOST_TEST(bl::array_equal(bl::trim_zeros(x * 2), bl::dtensor<double, 1>{14, 2, 10, 0, 10, 6}));
}

BOOST_AUTO_TEST_SUITE_END()
