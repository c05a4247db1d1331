// No vector function is less accurate than docs/reference/accuracy.md says: the same arguments, the C library in a
// wider type as reference.
// Build: gcc-alone, clang-too
#include "core/accuracy_sample.hpp"

#include <boost/test/unit_test.hpp>

#include "support/c_library.hpp"

namespace bl = broadloom;
using bl::runtime::maths1;
using bl::runtime::maths2;

namespace {

std::map<std::string, double> table() { return accuracy_sample::read_table("docs/reference/accuracy.md"); }

template <class T>
int compare(const char* type, const std::map<std::string, double>& limits) {
  int compared = 0;
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (const auto policy : {bl::runtime::accuracy::accurate, bl::runtime::accuracy::fast}) {
      const bool accurate = policy == bl::runtime::accuracy::accurate;
      const std::string column = std::string(type) + (accurate ? " accurate " : " fast ") + bl::to_string(level);
      accuracy_sample::measure<T>(
          policy, [](maths1 f, T x) { return c_library::call<long double>(f, x); },
          [](maths2 f, T x, T y) { return c_library::call<long double>(f, x, y); },
          [&](const char* name, double worst) {
            const auto found = limits.find(std::string(name) + "|" + column);
            if (found == limits.end()) return;  // a level that the machine of the table had not
            ++compared;
            // glibc chooses the code behind `fast` by processor, within a level too: another one may be a little worse.
            BOOST_TEST(worst <= found->second + (accurate ? 0.01 : 0.25),
                       name << " " << column << ": " << worst << " ULP, the table says " << found->second);
          });
    }
  }
  bl::set_isa(bl::runtime::highest_isa());
  return compared;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(core_maths_accuracy)

BOOST_AUTO_TEST_CASE(no_function_of_f32_is_worse_than_the_table) {
  BOOST_TEST(compare<float>("f32", table()) >= 30 * 2);
}
BOOST_AUTO_TEST_CASE(no_function_of_f64_is_worse_than_the_table) {
  BOOST_TEST(compare<double>("f64", table()) >= 30 * 2);
}

BOOST_AUTO_TEST_SUITE_END()
