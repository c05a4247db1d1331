// The one main function of every test program.
#define BOOST_TEST_MODULE broadloom
#if defined(BROADLOOM_BOOST_TEST_INCLUDED)
#include <boost/test/included/unit_test.hpp>
#else
#include <boost/test/unit_test.hpp>
#endif
