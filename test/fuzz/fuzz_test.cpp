// The fuzzing header itself: cases repeat from their seed, failures shrink to the simplest choices and say how to
// repeat them.
// Build: gcc-alone, clang-too
#include "fuzz/fuzz.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "thrown.hpp"

namespace {

// The environment without what chooses cases, as it was before when this ends.
class own_environment {
 public:
  own_environment() {
    for (const char* name : names)
      if (const char* value = std::getenv(name)) {
        before_.emplace_back(name, value);
        unsetenv(name);
      }
  }
  ~own_environment() {
    for (const char* name : names) unsetenv(name);
    for (const auto& [name, value] : before_) setenv(name.c_str(), value.c_str(), 1);
  }

 private:
  static constexpr const char* names[] = {"BROADLOOM_FUZZ_SEED", "BROADLOOM_FUZZ_CASES", "BROADLOOM_FUZZ_SECONDS",
                                          "BROADLOOM_FUZZ_REPLAY"};
  std::vector<std::pair<std::string, std::string>> before_;
};

// A list of numbers whose sum stays below 1000.
void small_sum(fuzz::choices& c) {
  const auto count = c.below(20);
  std::uint64_t sum = 0;
  std::string list;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto x = c.below(500);
    sum += x;
    list += " " + std::to_string(x);
  }
  c.note("the list is", list);
  fuzz::require(sum < 1000, "the sum is ", sum);
}

BOOST_AUTO_TEST_SUITE(fuzz_header)

BOOST_FIXTURE_TEST_CASE(a_failure_is_shrunk_and_says_how_to_repeat_it, own_environment) {
  const std::string report = thrown<fuzz::failure>([] { fuzz::check("small_sum", 1000, small_sum); });
  // No number can be smaller, and none can be left out.
  BOOST_TEST(report.find("the sum is 1000") != std::string::npos, report);
  const auto at = report.find("BROADLOOM_FUZZ_REPLAY=\"");
  BOOST_REQUIRE(at != std::string::npos);
  BOOST_TEST((report[at + 23] == '3' || report[at + 23] == '4'), report);
  BOOST_TEST(report.find("the list is") != std::string::npos, report);
  BOOST_TEST(report.find("--run_test='*/small_sum'") != std::string::npos, report);
}

BOOST_FIXTURE_TEST_CASE(a_replay_runs_that_case_only, own_environment) {
  setenv("BROADLOOM_FUZZ_REPLAY", "3 499 499 2", 1);
  int runs = 0;
  const std::string report = thrown<fuzz::failure>([&] {
    fuzz::check("small_sum", 1000, [&](fuzz::choices& c) {
      ++runs;
      small_sum(c);
    });
  });
  BOOST_TEST(runs == 1);
  BOOST_TEST(report.find("the sum is 1000") != std::string::npos, report);
  setenv("BROADLOOM_FUZZ_REPLAY", "3 499 499 1", 1);
  BOOST_CHECK_NO_THROW(fuzz::check("small_sum", 1000, small_sum));
}

BOOST_FIXTURE_TEST_CASE(a_seed_gives_the_same_cases_and_each_case_has_its_own, own_environment) {
  const auto drawn = [](const char* seed, const char* cases) {
    setenv("BROADLOOM_FUZZ_SEED", seed, 1);
    setenv("BROADLOOM_FUZZ_CASES", cases, 1);
    std::vector<std::uint64_t> all;
    fuzz::check("drawn", 1, [&](fuzz::choices& c) { all.push_back(c.below(1u << 30)); });
    return all;
  };
  const auto first = drawn("5", "20");
  BOOST_TEST(first.size() == 20u);
  BOOST_TEST(first == drawn("5", "20"), boost::test_tools::per_element());
  // What a crash report names: case 7 of seed 5 is the first of seed 12.
  BOOST_TEST(drawn("12", "1").front() == first[7]);
}

BOOST_FIXTURE_TEST_CASE(discarded_choices_are_no_cases, own_environment) {
  setenv("BROADLOOM_FUZZ_CASES", "50", 1);  // AddressSanitizer's builds halve what a test asks for
  int even = 0;
  fuzz::check("even", 50, [&](fuzz::choices& c) {
    if (c.below(2) != 0) fuzz::discard();
    ++even;
  });
  BOOST_TEST(even == 50);
  BOOST_TEST(thrown<fuzz::failure>([] {
               fuzz::check("none", 50, [](fuzz::choices&) { fuzz::discard(); });
             }).find("discarded") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(missing_choices_read_as_zero_and_large_ones_as_the_largest, own_environment) {
  fuzz::choices c({7, 100}, false);
  BOOST_TEST(c.below(10) == 7u);
  BOOST_TEST(c.below(10) == 9u);
  BOOST_TEST(c.below(10) == 0u);
  BOOST_TEST(c.drawn().size() == 2u);
}

BOOST_FIXTURE_TEST_CASE(values_reach_what_they_should, own_environment) {
  fuzz::values v(3);
  bool nan = false, infinite = false, large = false, tiny = false;
  for (int i = 0; i < 2000; ++i) {
    const float x = v.any<float>();
    nan |= std::isnan(x);
    infinite |= std::isinf(x);
    large |= std::isfinite(x) && std::fabs(x) > 1e30f;
    tiny |= x != 0 && std::fabs(x) < 1e-30f;
    BOOST_TEST(std::fabs(v.small<double>()) <= 8);
  }
  BOOST_TEST((nan && infinite && large && tiny));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
