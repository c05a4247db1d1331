// Scratch is allocated before a parallel loop writes: a thread without memory leaves its blocks to the others; if the
// caller has none, nothing is written.
// Build: not-by-thread-sanitizer (it ends a process that was forked while there were threads, and starts one)
#include <broadloom/broadloom.hpp>
#include <broadloom/eval/scheduler.hpp>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <new>
#include <thread>

namespace bl = broadloom;

namespace {

std::atomic<bool> scarce = false;
thread_local bool has_memory = false;
std::atomic<int> refusals = 0;

}  // namespace

void* operator new(std::size_t bytes, std::align_val_t alignment) {
  if (scarce && !has_memory && bytes >= 65536) {
    ++refusals;
    throw std::bad_alloc();
  }
  const auto a = static_cast<std::size_t>(alignment);
  if (void* const block = std::aligned_alloc(a, (bytes + a) / a * a)) return block;
  throw std::bad_alloc();
}
void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }

BOOST_AUTO_TEST_SUITE(base_scheduler_work)

BOOST_AUTO_TEST_CASE(threads_without_memory_leave_their_blocks_to_the_others) {
  const bl::scheduler before = bl::runtime::active_scheduler();
  const bl::dtensor<float, 1> a = bl::arange<float>(50000.f);
  for (bl::scheduler s : {bl::scheduler::tbb, bl::scheduler::threads}) {
    bl::set_scheduler(s);
    bl::dtensor<float, 1> out(50000), other(50000);
    has_memory = true;
    scarce = true;
    bl::assign(out, bl::sqrt(a) + bl::exp(a * 0.f), bl::par.threads(4));
    scarce = false;
    has_memory = false;
    const bl::dtensor<bool, 1> right = bl::isclose(out, bl::sqrt(a) + 1.f);
    BOOST_TEST(bl::all(right).item());
    // A thread that evaluates for the first time and has no memory itself.
    bool refused = false;
    std::thread([&] {
      scarce = true;
      try {
        bl::assign(other, bl::sqrt(a) + bl::exp(a * 0.f), bl::par.threads(4));
      } catch (const std::bad_alloc&) {
        refused = true;
      }
      scarce = false;
    }).join();
    const bl::dtensor<bool, 1> untouched = other == 0.f;
    BOOST_TEST((refused && bl::all(untouched).item()));
  }
  bl::set_scheduler(before);
  BOOST_TEST(refusals > 0);
}

BOOST_AUTO_TEST_SUITE_END()
