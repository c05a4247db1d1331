// The laws of the catalogue for f32, and its special values.
// Build: clang-too
namespace law {
using tested = float;
}

#include "law/catalogue.hpp"
#include "law/special_rules.hpp"
#include "law/special_values.hpp"

BOOST_AUTO_TEST_SUITE(special_values)

BOOST_AUTO_TEST_CASE(every_function_gives_what_c99_says) {
  for (const std::string& wrong : law::wrong_special_values<law::tested>(law::catalogue<law::tested>()))
    BOOST_ERROR(wrong);
}

BOOST_AUTO_TEST_CASE(every_rule_of_the_array_standard_holds) {
  long cases = 0;
  for (const std::string& wrong : law::broken_rules<law::tested>(law::catalogue<law::tested>(), cases))
    BOOST_ERROR(wrong);
  BOOST_TEST(cases > 20000);
}

BOOST_AUTO_TEST_SUITE_END()
