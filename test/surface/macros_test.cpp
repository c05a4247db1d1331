// A program's own macros survive the headers, whatever their names: every macro of the headers has the library's
// prefix.
#define UNARY 1
#define BINARY 2
#define TERNARY 3
#define BINARY_OPERATOR 4
#define COMPARISON 5
#define PARAMETERS 6
#define STRIP1 7
#define STRIP2 8
#define STAGED1 9
#define STAGED2 10
#define STAGED_PARAMETERS 11
#define DIVISION 12
#define OPERATOR 13
#define INLINE 19
#define LANES 20
#define OBJECT 21
#define FORMULA 22
#define FUNCTION 23
#define PART 24
#define STAGES 25
#define LIST 26
#define TEXT 27
#define COST 28
#define ALIAS 29
#define NATIVE 30

#include <broadloom/broadloom.hpp>
#include <broadloom/fn/strictly.hpp>

#include <boost/test/unit_test.hpp>

#if UNARY != 1 || BINARY != 2 || TERNARY != 3 || BINARY_OPERATOR != 4 || COMPARISON != 5 || PARAMETERS != 6
#error "a macro of the program was redefined"
#endif
#if STRIP1 != 7 || STRIP2 != 8 || STAGED1 != 9 || STAGED2 != 10 || STAGED_PARAMETERS != 11 || DIVISION != 12
#error "a macro of the program was redefined"
#endif
#if OPERATOR != 13
#error "a macro of the program was redefined"
#endif

namespace bl = broadloom;

BOOST_AUTO_TEST_SUITE(surface_macros)

BOOST_AUTO_TEST_CASE(a_program_with_such_macros_computes_what_others_do) {
  const auto a = bl::arange<float>(6);
  BOOST_TEST(bl::eval(bl::sum(bl::remainder(a, 4) * BINARY)).data()[0] == 14);
  BOOST_TEST(bl::eval(bl::hardtanh(a, 0, 2))(5) == 2);
}

BOOST_AUTO_TEST_SUITE_END()
