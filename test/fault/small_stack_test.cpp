// Threads with a stack of 512 KiB evaluate each family of functions, and so do workers that have no more.
// Build: gcc-alone
#include <broadloom/eval/scheduler.hpp>

#include <boost/test/unit_test.hpp>

#include <oneapi/tbb/global_control.h>
#include <pthread.h>

#include <optional>
#include <vector>

#include "fault/families.hpp"

namespace small_stack_test {

namespace bl = broadloom;

// A sanitizer's frames are several times as large.
#if defined(BROADLOOM_ADDRESS_SANITIZER) || defined(BROADLOOM_THREAD_SANITIZER)
constexpr std::size_t stack_bytes = std::size_t{2} << 20;
#else
constexpr std::size_t stack_bytes = std::size_t{512} << 10;
#endif

// Runs f() on a thread with such a stack.
template <class F>
void on_a_small_stack(F f) {
  pthread_attr_t attributes;
  BOOST_REQUIRE(pthread_attr_init(&attributes) == 0);
  BOOST_REQUIRE(pthread_attr_setstacksize(&attributes, stack_bytes) == 0);
  pthread_t thread;
  BOOST_REQUIRE(pthread_create(
                    &thread, &attributes,
                    [](void* given) -> void* {
                      (*static_cast<F*>(given))();
                      return nullptr;
                    },
                    &f) == 0);
  pthread_attr_destroy(&attributes);
  BOOST_REQUIRE(pthread_join(thread, nullptr) == 0);
}

// Before the first worker is made: those of TBB, and plain threads.
struct small_workers {
  oneapi::tbb::global_control tbb{oneapi::tbb::global_control::thread_stack_size, stack_bytes};
  oneapi::tbb::global_control four{oneapi::tbb::global_control::max_allowed_parallelism, 4};
  bl::scheduler former = bl::runtime::active_scheduler();
  small_workers() {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack_bytes);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
  }
  ~small_workers() { bl::set_scheduler(former); }
};

struct outcome {
  std::vector<float> results;
  double result;
  bool operator==(const outcome&) const = default;
};

outcome run(const fault::family& f, bl::index n, const bl::policy& p) {
  fault::arrays a(n);
  f.run(a, p);
  return {a.results(), a.result};
}

}  // namespace small_stack_test

using namespace small_stack_test;

BOOST_FIXTURE_TEST_SUITE(fault_small_stack, small_workers)

BOOST_AUTO_TEST_CASE(each_family_runs_on_half_a_mebibyte) {
  // Small ones are kept on the stack, others in blocks.
  for (const bl::index n : {5, 17, 40, 130})
    for (const fault::family& f : fault::all_families()) {
      BOOST_TEST_CONTEXT(f.name << ", n = " << n) {
        std::optional<outcome> here;
        on_a_small_stack([&] { here = run(f, n, bl::seq); });
        BOOST_TEST((here == run(f, n, bl::seq)));
      }
    }
}

BOOST_AUTO_TEST_CASE(workers_need_no_more) {
  for (const auto by : {bl::scheduler::tbb, bl::scheduler::threads}) {
    bl::set_scheduler(by);
    for (const bl::index n : {40, 130})
      for (const fault::family& f : fault::all_families()) {
        BOOST_TEST_CONTEXT(f.name << ", n = " << n) {
          std::optional<outcome> here;
          on_a_small_stack([&] { here = run(f, n, bl::par.threads(4)); });
          BOOST_TEST((here == run(f, n, bl::seq)));
        }
      }
  }
}

// An evaluation by a function that an evaluation calls, and so on: each level takes its part of the stack.
BOOST_AUTO_TEST_CASE(evaluations_in_evaluations_fit) {
  const bl::dtensor<float, 1> x = bl::ones<float>(8);
  float result = 0;
  on_a_small_stack([&] {
    const auto inner = [&x](float v) { return v + bl::sum(bl::exp(x * 0)).item(); };
    const auto middle = [&](float v) {
      return v + bl::sum(bl::eval(bl::pointwise(inner, x), bl::par.threads(2))).item();
    };
    result = bl::eval(bl::pointwise(middle, x), bl::par.threads(2))(7);
  });
  BOOST_TEST(result == 1 + 8 * 9);
}

BOOST_AUTO_TEST_SUITE_END()
