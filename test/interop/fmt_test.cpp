// {fmt} writes arrays as to_string does, with the specification of the format string.
#include <broadloom/interop/fmt.hpp>

#include <boost/test/unit_test.hpp>
#include <string>

#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

BOOST_AUTO_TEST_SUITE(interop_fmt)

BOOST_AUTO_TEST_CASE(arrays_views_expressions_and_shapes) {
  bl::dtensor<double, 2> a{{1, 2.5}, {3.14159, -4}};
  BOOST_TEST(fmt::format("{}", a) == bl::to_string(a));
  BOOST_TEST(fmt::format("{}", a.T()) == bl::to_string(a.T()));
  BOOST_TEST(fmt::format("<{}>", a * 2) == "<" + bl::to_string(a * 2) + ">");
  BOOST_TEST(fmt::format("{}", bl::tensor<int, bl::shape<2>>{1, 2}) == "[1 2]");
  BOOST_TEST(fmt::format("{}", bl::sum(a)) == bl::to_string(bl::sum(a)));
  BOOST_TEST(fmt::format("{} {:>8}", a.shape(), bl::shape<3>{}) == "(2, 2)      (3)");
}

BOOST_AUTO_TEST_CASE(width_precision_and_notation) {
  const bl::dtensor<double, 1> a{1, 2.5, -3.14159};
  BOOST_TEST(fmt::format("{:8.3f}", a) == "[   1.000    2.500   -3.142]");
  BOOST_TEST(fmt::format("{:.2f}", a) == "[ 1.00  2.50 -3.14]");
  BOOST_TEST(fmt::format("{:f}", a) == "[ 1.000000  2.500000 -3.141590]");
  BOOST_TEST(fmt::format("{:.1e}", a) == "[ 1.0e+00  2.5e+00 -3.1e+00]");
  BOOST_TEST(fmt::format("{:.3}", a) == "[ 1.     2.5   -3.142]");
  BOOST_TEST(fmt::format("{:.3g}", bl::amin(a)) == "-3.142");
  BOOST_TEST(fmt::format("{:5}", bl::dtensor<int, 1>{1, 20}) == "[    1    20]");
}

BOOST_AUTO_TEST_CASE(wrong_specifications_are_refused) {
  const bl::dtensor<double, 1> a{1};
  for (const char* wrong : {"{:x}", "{:.}", "{:.f}", "{:8.3fx}", "{:-3}", "{:99999999999}", "{:.99999999f}"})
    BOOST_CHECK_THROW(static_cast<void>(fmt::format(fmt::runtime(wrong), a)), fmt::format_error);
}

BOOST_AUTO_TEST_SUITE_END()
