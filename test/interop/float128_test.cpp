// Arrays of __float128 with no other header than the adapter's and broadloom.hpp.
#include <broadloom/broadloom.hpp>
#include <broadloom/interop/float128.hpp>

#include <boost/test/unit_test.hpp>

#include <sstream>

BOOST_AUTO_TEST_SUITE(interop_float128)

#if defined(__SIZEOF_FLOAT128__) && defined(__GLIBC__)
BOOST_AUTO_TEST_CASE(prints_computes_and_reduces_by_the_two_headers_alone) {
  namespace bl = broadloom;
  __extension__ typedef __float128 wide;
  const bl::dtensor<wide, 1> x{1, 4, 9};
  std::ostringstream text;
  text << x << ' ' << bl::sqrt(x) + x;
  BOOST_TEST(text.str() == "[1 4 9] [2 6 12]");
  BOOST_TEST((bl::sum(x).item() == 14));
}
#endif

BOOST_AUTO_TEST_SUITE_END()
