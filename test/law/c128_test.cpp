// The laws of the catalogue for c128.
// Build: seldom, not-sanitized
#include <complex>

namespace law {
using tested = std::complex<double>;
}

#include "law/catalogue.hpp"
#include "law/special_rules.hpp"

BOOST_AUTO_TEST_SUITE(special_values)

BOOST_AUTO_TEST_CASE(every_rule_of_the_array_standard_holds) {
  auto functions = law::catalogue<law::tested>();
  law::add_function<law::tested>(functions, "conj", law::bl::conj, std::integer_sequence<int, 0>{});
  long cases = 0;
  for (const std::string& wrong : law::broken_rules<law::tested>(functions, cases)) BOOST_ERROR(wrong);
  BOOST_TEST(cases > 5000);
}

BOOST_AUTO_TEST_SUITE_END()
