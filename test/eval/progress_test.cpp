// Reports of progress: from the thread that evaluates, growing within a pass, and a last one; and the bar's text.
// Build: sanitizers-alone
#include <broadloom/eval/progress.hpp>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

namespace {

// Returns when a report is due: 30 ms after the first call, as at most one is made in 25.
struct until_a_report_is_due {
  using clock = std::chrono::steady_clock;
  std::atomic<clock::rep>* due;  // 0 before the first call

  float operator()(float x) const {
    if (x != 0) return x;
    clock::rep none = 0;
    due->compare_exchange_strong(none, (clock::now() + std::chrono::milliseconds(30)).time_since_epoch().count());
    while (clock::now().time_since_epoch().count() < due->load()) std::this_thread::yield();
    return x;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(eval_progress)

BOOST_AUTO_TEST_CASE(shares_grow_within_a_pass_and_the_last_one_is_all) {
  bl::dtensor<float, 2> x(200, 20000);
  x += 1;
  bl::slice(x, bl::all, 0) = 0;
  bl::dtensor<float, 2> o = x;
  for (int threads = 1; threads <= 3; ++threads) {
    const auto thread = std::this_thread::get_id();
    int reports = 0, last_pass = 1;
    bl::index last = 0;
    bool ended = false;
    const bl::on_progress told([&](const bl::progress& p) {
      BOOST_TEST((std::this_thread::get_id() == thread));
      BOOST_TEST(!ended);
      ++reports;
      if (p.pass == 0) {
        ended = true;
        BOOST_TEST(p.share() == 1);
        return;
      }
      if (p.pass != last_pass) last = 0;
      BOOST_TEST(p.pass >= last_pass);
      BOOST_TEST(p.done >= last);
      BOOST_TEST(p.done <= p.total);
      last_pass = p.pass;
      last = p.done;
    });
    std::atomic<until_a_report_is_due::clock::rep> due = 0;
    bl::assign(o, bl::pointwise(until_a_report_is_due{&due}, x), bl::par.threads(threads) | told);
    BOOST_TEST(ended);
    BOOST_TEST(reports >= 2);
  }
}

BOOST_AUTO_TEST_CASE(what_the_callable_throws_ends_the_evaluation) {
  bl::dtensor<float, 1> x(10), o(10);
  const bl::on_progress told([](const bl::progress&) { throw std::logic_error("enough"); });
  BOOST_CHECK_THROW(bl::assign(o, x + 1, bl::par | told), std::logic_error);
}

BOOST_AUTO_TEST_CASE(a_bar_has_forty_characters_and_a_percentage) {
  const auto text = [](bl::index done, bl::index total) {
    return std::string(bl::progress_bar::text_of({1, done, total}).text);
  };
  BOOST_TEST(text(0, 8) == "[" + std::string(40, ' ') + "]   0 %");
  BOOST_TEST(text(1, 4) == "[" + std::string(10, '#') + std::string(30, ' ') + "]  25 %");
  BOOST_TEST(text(8, 8) == "[" + std::string(40, '#') + "] 100 %");
  // No terminal: nothing is written.
  std::FILE* const file = std::tmpfile();
  bl::dtensor<float, 1> x(10), o(10);
  const bl::progress_bar bar(file);
  bl::assign(o, x + 1, bl::par | bar);
  BOOST_TEST(std::ftell(file) == 0);
  std::fclose(file);
}

BOOST_AUTO_TEST_SUITE_END()
