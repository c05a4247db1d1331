// Functions that throw on whatever thread, from each way in which an evaluation calls them: the exception arrives once,
// after all blocks have ended; nothing is lost, and the library goes on.
// Build: sanitizers-alone
#include <broadloom/broadloom.hpp>
#include <broadloom/eval/scheduler.hpp>
#include <broadloom/linalg.hpp>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "fault/failing_memory.hpp"

namespace throwing_test {

namespace bl = broadloom;

constexpr bl::index rows = 300, columns = 1000;

struct put_back {
  bl::scheduler former = bl::runtime::active_scheduler();
  ~put_back() { bl::set_scheduler(former); }
};

// Counts its objects: exceptions that arrive twice or never, or that are never destroyed.
struct thrown : std::runtime_error {
  explicit thrown(float v) : std::runtime_error("thrown for an element"), value(v) { ++alive; }
  thrown(const thrown& o) : std::runtime_error(o), value(o.value) { ++alive; }
  ~thrown() override { --alive; }
  float value;
  static inline std::atomic<int> alive{0};
};

struct arrays {
  bl::dtensor<float, 2> m = bl::reshape(bl::arange<float>(rows * columns), rows, columns);
  bl::dtensor<float, 1> v = bl::ones<float>(columns);
  bl::dtensor<float, 2> out = bl::zeros<float>(rows, columns), other = bl::zeros<float>(rows, columns);
  bl::dtensor<float, 2> turned = bl::zeros<float>(columns, rows), wide = bl::zeros<float>(rows, 2 * columns);
  bl::dtensor<float, 1> row = bl::zeros<float>(rows);
};

// Throws for elements in [first, last), but never on the thread `not_on`; watches that it is not called afterwards.
struct bad_range {
  float first, last;
  std::thread::id not_on;
  std::atomic<int>* thrown_count;
  std::atomic<int>* running;
  float operator()(float x) const {
    struct duty {
      std::atomic<int>* n;
      explicit duty(std::atomic<int>* r) : n(r) { ++*n; }
      ~duty() { --*n; }
    } on_duty(running);
    if (x >= first && x < last && std::this_thread::get_id() != not_on) {
      ++*thrown_count;
      throw thrown(x);
    }
    return x;
  }
};

// The ways in which the evaluator comes to a function.
struct way {
  const char* name;
  void (*run)(arrays&, const bad_range&, const bl::policy&);
};

const way ways[] = {
    {"contiguous",
     [](arrays& a, const bad_range& f, const bl::policy& p) { bl::assign(a.out, bl::pointwise(f, a.m) + a.v, p); }},
    {"transposed",
     [](arrays& a, const bad_range& f, const bl::policy& p) { bl::assign(a.turned, bl::pointwise(f, a.m).T(), p); }},
    {"hoisted",
     [](arrays& a, const bad_range& f, const bl::policy& p) {
       bl::assign(a.out, a.m * bl::pointwise(f, bl::slice(a.m, bl::all, bl::range(0, 1))), p);
     }},
    {"over itself",
     [](arrays& a, const bad_range& f, const bl::policy& p) {
       bl::assign(a.m, bl::pointwise(f, bl::flip(a.m, 0)) * 0 + bl::flip(a.m, 0), p);
       bl::assign(a.m, bl::eval(bl::flip(a.m, 0)), p);
     }},
    {"row sums", [](arrays& a, const bad_range& f,
                    const bl::policy& p) { bl::assign(a.row, bl::sum(bl::pointwise(f, a.m), bl::axes<1>), p); }},
    {"column sums", [](arrays& a, const bad_range& f,
                       const bl::policy& p) { bl::assign(a.v, bl::sum(bl::pointwise(f, a.m), bl::axes<0>), p); }},
    {"whole sum", [](arrays& a, const bad_range& f,
                     const bl::policy& p) { bl::assign(a.out, a.m / bl::sum(bl::pointwise(f, a.m)), p); }},
    {"fused rows", [](arrays& a, const bad_range& f,
                      const bl::policy& p) { bl::assign(a.out, bl::softmax(bl::pointwise(f, a.m), 1), p); }},
    {"behind a sum",
     [](arrays& a, const bad_range& f, const bl::policy& p) {
       bl::assign(a.out, bl::pointwise(f, a.m) + bl::sum(a.m * 0, bl::axes<1>, bl::keepdim), p);
     }},
    {"let",
     [](arrays& a, const bad_range& f, const bl::policy& p) {
       const auto t = bl::let(bl::pointwise(f, a.m));
       bl::assign(a.out, t + bl::sum(t, bl::axes<1>, bl::keepdim), p);
     }},
    {"running sum", [](arrays& a, const bad_range& f,
                       const bl::policy& p) { bl::assign(a.out, bl::cumsum(bl::pointwise(f, a.m), 1), p); }},
    {"cat", [](arrays& a, const bad_range& f,
               const bl::policy& p) { bl::assign(a.wide, bl::cat(1, a.m, bl::pointwise(f, a.m)), p); }},
    {"several",
     [](arrays& a, const bad_range& f, const bl::policy&) {
       bl::assign_all(bl::to(a.other, a.m + 1), bl::to(a.out, bl::pointwise(f, a.m) + a.other));
     }},
    {"product", [](arrays& a, const bad_range& f,
                   const bl::policy& p) { bl::assign(a.row, bl::matmul(bl::pointwise(f, a.m), a.v), p); }},
};

}  // namespace throwing_test

using namespace throwing_test;

BOOST_FIXTURE_TEST_SUITE(fault_throwing, put_back)

BOOST_AUTO_TEST_CASE(what_a_function_throws_arrives_once_by_every_way) {
  for (const auto by : {bl::scheduler::tbb, bl::scheduler::threads}) {
    bl::set_scheduler(by);
    for (const way& w : ways)
      for (const auto& [first, last] :
           {std::pair{0.f, 1.f}, {150000.f, 150001.f}, {0.f, 300000.f}, {290000.f, 300000.f}}) {
        arrays a;
        std::atomic<int> count{0}, running{0};
        int caught = 0;
        try {
          w.run(a, {first, last, {}, &count, &running}, bl::par.threads(3));
        } catch (const thrown& e) {
          ++caught;
          BOOST_TEST(running == 0, w.name << ": it was still called");
          BOOST_TEST((e.value >= first && e.value < last));
        }
        // Not all elements are read by each way.
        BOOST_TEST(caught == (count > 0 ? 1 : 0), w.name << ": " << count << " were thrown, " << caught << " caught");
        if (first == 0) BOOST_TEST(count > 0, w.name);
        BOOST_TEST(thrown::alive == 0, w.name << ": exceptions were kept");
        // And on it goes.
        w.run(a, {-1, -1, {}, &count, &running}, bl::par.threads(3));
        BOOST_TEST(running == 0);
      }
  }
}

// Nobody throws on the caller's own thread, so that what arrives came from another; where the caller is alone, nothing
// does.
BOOST_AUTO_TEST_CASE(it_arrives_from_workers) {
  for (const auto by : {bl::scheduler::tbb, bl::scheduler::threads}) {
    bl::set_scheduler(by);
    arrays a;
    for (const way& w : ways) {
      std::atomic<int> count{0}, running{0};
      int caught = 0;
      try {
        w.run(a, {0, 1e9f, std::this_thread::get_id(), &count, &running}, bl::par.threads(4));
      } catch (const thrown&) {
        ++caught;
      }
      BOOST_TEST(caught == (count > 0 ? 1 : 0), w.name);
      BOOST_TEST(thrown::alive == 0, w.name);
    }
  }
}

BOOST_AUTO_TEST_CASE(callers_that_catch_do_not_disturb_others) {
  for (const auto by : {bl::scheduler::tbb, bl::scheduler::threads}) {
    bl::set_scheduler(by);
    std::atomic<int> wrong{0};
    std::vector<std::thread> callers;
    for (int t = 0; t < 4; ++t)
      callers.emplace_back([&wrong, t] {
        arrays a;
        const way& w = ways[t];
        for (int repeat = 0; repeat < 6; ++repeat) {
          std::atomic<int> count{0}, running{0};
          const bool bad = (t + repeat) % 2 == 0;
          bool caught = false;
          try {
            w.run(a, {bad ? 0.f : -1.f, bad ? 5.f : -1.f, {}, &count, &running}, bl::par.threads(2));
          } catch (const thrown&) {
            caught = true;
          }
          wrong += caught != bad || running != 0;
        }
      });
    for (std::thread& t : callers) t.join();
    BOOST_TEST(wrong == 0);
    BOOST_TEST(thrown::alive == 0);
  }
}

BOOST_AUTO_TEST_CASE(memory_is_given_back) {
  bl::set_scheduler(bl::scheduler::threads);
  const auto all = [] {
    for (const way& w : ways) {
      arrays a;
      std::atomic<int> count{0}, running{0};
      try {
        w.run(a, {7000, 7001, {}, &count, &running}, bl::seq);
      } catch (const thrown&) {
      }
    }
  };
  all();
  const long before = fault::live;
  for (int repeat = 0; repeat < 3; ++repeat) all();
  BOOST_TEST(fault::live - before == 0);
}

BOOST_AUTO_TEST_SUITE_END()
