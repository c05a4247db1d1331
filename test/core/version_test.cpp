// The loaded library and the VERSION file agree.
#include <broadloom/core/version.hpp>

#include <boost/test/unit_test.hpp>
#include <fstream>
#include <string>

BOOST_AUTO_TEST_SUITE(core_version)

BOOST_AUTO_TEST_CASE(the_library_reports_the_version_file) {
  std::ifstream file("VERSION");
  std::string written;
  BOOST_REQUIRE(std::getline(file, written));
  BOOST_TEST(broadloom::runtime::version() == written);
}

BOOST_AUTO_TEST_SUITE_END()
