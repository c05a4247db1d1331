// What a stream takes: shapes, arrays of any kind and expressions, as to_string writes them.
#include <broadloom/tensor/print.hpp>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

namespace {

template <class X>
std::string streamed(const X& x) {
  std::ostringstream to;
  to << x;
  return to.str();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tensor_print)

BOOST_AUTO_TEST_CASE(shapes_are_lists_of_extents) {
  BOOST_TEST(streamed(bl::shape<>{}) == "()");
  BOOST_TEST(streamed(bl::shape<5, 1, 3>{}) == "(5, 1, 3)");
  BOOST_TEST(streamed(bl::shape<bl::dyn, 3>(0)) == "(0, 3)");
  const bl::dtensor<float, 2> x(4, 1);
  BOOST_TEST(streamed((x + bl::zeros<float>(3)).shape()) == "(4, 3)");
  BOOST_TEST(streamed(x.shape()) == bl::to_string(x.shape()));
  const bl::dtensor<float, 3> y(2, 3, 4);
  BOOST_TEST(streamed(y.strides()) == "(12, 4, 1)");
  BOOST_TEST(streamed(y.T().strides()) == "(1, 4, 12)");
}

BOOST_AUTO_TEST_CASE(element_types_are_their_names) {
  std::ostringstream text;
  text << bl::dtype::f32 << ' ' << bl::dtype_of<std::uint8_t>;
  BOOST_TEST(text.str() == "f32 u8");
}

BOOST_AUTO_TEST_CASE(arrays_views_and_expressions_are_their_elements) {
  bl::dtensor<int, 2> x{{1, 2, 3}, {4, 5, 6}};
  BOOST_TEST(streamed(x) == "[[1 2 3]\n [4 5 6]]");
  BOOST_TEST(streamed(x.T()) == "[[1 4]\n [2 5]\n [3 6]]");
  BOOST_TEST(streamed(x(1, bl::range(bl::none, bl::none, -2)) * 10) == "[60 40]");
  BOOST_TEST(streamed(bl::sum(x)) == "21");
  BOOST_TEST(streamed(bl::dtensor<int, 1>(0)) == "[]");
}

// What printf makes of each number, right-aligned in a column.
std::string column(const bl::dtensor<double, 1>& x, const char* how, int precision, int width) {
  std::vector<std::string> words;
  auto columns = static_cast<std::size_t>(width);
  for (double v : x) {
    char text[500];
    std::snprintf(text, sizeof text, how, precision, v);
    words.emplace_back(text);
    columns = std::max(columns, words.back().size());
  }
  std::string all = "[";
  for (const std::string& w : words) all += (all.size() > 1 ? " " : "") + std::string(columns - w.size(), ' ') + w;
  return all + "]";
}

BOOST_AUTO_TEST_CASE(fixed_and_scientific_numbers_are_those_of_printf) {
  double x = 0.4321;
  for (int round = 0; round < 60; ++round)
    for (int precision = 1; precision < 20; precision += 3)
      for (int width : {0, 5, 17}) {
        bl::dtensor<double, 1> a(3);
        for (double& v : a) {
          x = 3.99 * x * (1 - x);
          v = (x - 0.5) * std::pow(10.0, round - 30);
        }
        std::ostringstream to;
        to.precision(precision);
        bl::format_options options;
        options.line_width = 10000;
        options.precision = precision;
        options.width = width;
        options.notation = bl::notation::fixed;
        BOOST_TEST(bl::to_string(a, options) == column(a, "%.*f", precision, width));
        options.notation = bl::notation::scientific;
        BOOST_TEST(bl::to_string(a, options) == column(a, "%.*e", precision, width));
        if (precision < 15) {  // short enough for a line
          to << std::scientific << std::setw(width) << a;
          BOOST_TEST(to.str() == column(a, "%.*e", precision, width));
        }
        to.str("");
        to << std::fixed << bl::amax(a);
        char text[500];
        std::snprintf(text, sizeof text, "%.*f", precision, static_cast<double>(bl::amax(a)));
        BOOST_TEST(to.str() == text);
      }
}

BOOST_AUTO_TEST_CASE(a_stream_says_precision_and_width) {
  const bl::dtensor<double, 1> a{1, 2.5, -3.14159265};
  std::ostringstream to;
  to << a << '\n' << std::setprecision(3) << a << ' ' << bl::amin(a) << '\n';
  to << std::setw(8) << a << 7 << '\n' << std::setw(4) << bl::dtensor<int, 1>{1, 2} << '\n';
  to << std::fixed << a << '\n' << std::setw(6) << std::defaultfloat << bl::sum(bl::dtensor<int, 1>{1, 2});
  BOOST_TEST(to.str() ==
             "[ 1.          2.5        -3.14159265]\n[ 1.     2.5   -3.142] -3.142\n"
             "[   1.       2.5     -3.142]7\n[   1    2]\n[ 1.000  2.500 -3.142]\n     3");
}

BOOST_AUTO_TEST_SUITE_END()
