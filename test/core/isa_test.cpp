// Levels: detected, lowered by the environment, set by hand within what the processor has.
#include <broadloom/core/isa.hpp>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <string>

namespace bl = broadloom;

namespace {

// A value of null takes the variable out.
void set_wish(const char* value) {
#if defined(_WIN32)
  ::_putenv_s("BROADLOOM_ISA", value != nullptr ? value : "");
#else
  if (value != nullptr)
    ::setenv("BROADLOOM_ISA", value, 1);
  else
    ::unsetenv("BROADLOOM_ISA");
#endif
}

// Forgets the level and detects it again with BROADLOOM_ISA set to `wish`, or unset if that is null.
bl::isa detected_with(const char* wish) {
  set_wish(wish);
  __atomic_store_n(&bl::runtime::isa_in_force, bl::runtime::isa_not_detected, __ATOMIC_RELAXED);
  const bl::isa level = bl::runtime::active_isa();
  set_wish(nullptr);
  return level;
}

struct level_restored {
  bl::isa before = bl::runtime::active_isa();
  ~level_restored() { bl::set_isa(before); }
};

bl::isa lower(bl::isa a, bl::isa b) { return a < b ? a : b; }

}  // namespace

BOOST_TEST_DONT_PRINT_LOG_VALUE(bl::isa)

BOOST_FIXTURE_TEST_SUITE(core_isa, level_restored)

BOOST_AUTO_TEST_CASE(the_highest_level_is_in_force_unless_the_environment_lowers_it) {
  const bl::isa highest = bl::runtime::highest_isa();
  BOOST_TEST(detected_with(nullptr) == highest);
  BOOST_TEST(detected_with("base") == bl::isa::base);
  BOOST_TEST(detected_with("v3") == lower(bl::isa::v3, highest));
  BOOST_TEST(detected_with("v4") == lower(bl::isa::v4, highest));
  BOOST_TEST(detected_with("avx2") == highest);
  BOOST_TEST(detected_with("") == highest);
}

BOOST_AUTO_TEST_CASE(a_level_is_set_within_what_the_processor_has) {
  const bl::isa highest = bl::runtime::highest_isa();
  for (const bl::isa wanted : {bl::isa::base, bl::isa::v3, bl::isa::v4, bl::isa::base}) {
    BOOST_TEST(bl::set_isa(wanted) == lower(wanted, highest));
    BOOST_TEST(bl::runtime::active_isa() == lower(wanted, highest));
  }
}

BOOST_AUTO_TEST_CASE(levels_have_names) {
  BOOST_TEST(std::string(bl::to_string(bl::isa::base)) == "base");
  BOOST_TEST(std::string(bl::to_string(bl::isa::v3)) == "v3");
  BOOST_TEST(std::string(bl::to_string(bl::isa::v4)) == "v4");
}

#if defined(__x86_64__)
BOOST_AUTO_TEST_CASE(the_level_is_what_the_processor_says) {
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  BOOST_TEST((bl::runtime::highest_isa() >= bl::isa::v3) == v3);
  BOOST_TEST((bl::runtime::highest_isa() >= bl::isa::v4) == (v3 && __builtin_cpu_supports("avx512dq")));
}
#else
BOOST_AUTO_TEST_CASE(other_architectures_have_one_level) { BOOST_TEST(bl::runtime::highest_isa() == bl::isa::base); }
#endif

BOOST_AUTO_TEST_SUITE_END()
