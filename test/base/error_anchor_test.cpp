// Every message of an exception that docs/reference/errors.md lists leads to the row that lists it, and what the
// library throws does.
#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>
#include <string_view>

namespace bl = broadloom;

namespace {

struct row {
  std::string_view anchor, messages;
};
constexpr row rows[] = {
#define BROADLOOM_ROW(ANCHOR, MESSAGES) {ANCHOR, {MESSAGES, sizeof(MESSAGES) - 1}},
#include "../../lib/base/error_anchors.inc"
#undef BROADLOOM_ROW
};

// A message as the library might make it: with a name in front, and numbers for what the page leaves out.
std::string example(std::string_view message) {
  std::string said = "a file: " + std::string(message);
  for (auto at = said.find("..."); at != std::string::npos; at = said.find("...", at)) said.replace(at, 3, "12, 3");
  return said;
}

template <class F>
std::string anchor_of(F f) {
  try {
    f();
  } catch (const std::exception& e) {
    return bl::error_anchor(e);
  }
  return "nothing was thrown";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(base_error_anchor)

BOOST_AUTO_TEST_CASE(every_message_leads_to_its_row) {
  int count = 0;
  for (const row& r : rows)
    for (std::string_view rest = r.messages; !rest.empty(); rest.remove_prefix(rest.find('\0') + 1)) {
      const std::string said = example(rest.substr(0, rest.find('\0')));
      BOOST_TEST(bl::error_anchor(std::runtime_error(said)) == "errors.md#" + std::string(r.anchor), said);
      ++count;
    }
  BOOST_TEST(count > 300);
}

BOOST_AUTO_TEST_CASE(what_is_thrown_leads_to_its_row) {
  const bl::dtensor<float, 2> a(2, 3), square(2, 2);
  bl::dtensor<int, 1> i{1, 2}, zero{0, 0};
  BOOST_TEST(anchor_of([&] { static_cast<void>(a + square); }) == "errors.md#shapes-that-do-not-broadcast");
  BOOST_TEST(anchor_of([&] { static_cast<void>(a(2, 0)); }) == "errors.md#index-out-of-range");
  BOOST_TEST(anchor_of([&] { bl::assign(i, bl::floor_divide(i, zero)); }) == "errors.md#integer-division-by-zero");
  BOOST_TEST(anchor_of([&] { static_cast<void>(bl::reshape(a, 5)); }) == "errors.md#reshape-at-run-time");
  BOOST_TEST(anchor_of([&] { static_cast<void>(bl::matmul(a, square)); }) == "errors.md#matrix-shapes");
  BOOST_TEST(anchor_of([&] { static_cast<void>(bl::eval(bl::inv(bl::zeros<float>(2, 2)))); }) ==
             "errors.md#singular-matrix");
  BOOST_TEST(anchor_of([&] { static_cast<void>(bl::eval(bl::amax(bl::zeros<float>(0)))); }) ==
             "errors.md#nothing-to-reduce");
}

BOOST_AUTO_TEST_CASE(other_messages_lead_to_the_page) {
  BOOST_TEST(bl::error_anchor(std::runtime_error("")) == std::string("errors.md"));
  BOOST_TEST(bl::error_anchor(std::bad_alloc()) == std::string("errors.md"));
  // Parts of a row's message, and the parts in another order.
  for (const char* said : {"output with shape [2]", "it doesn't match the broadcast shape [2], output with shape [3]"})
    BOOST_TEST(bl::error_anchor(std::runtime_error(said)) == std::string("errors.md"), said);
}

BOOST_AUTO_TEST_SUITE_END()
