// Storage: aligned, disjoint, reused within bounds, safe from many threads, std::bad_alloc when there is none.
#include <broadloom/core/storage.hpp>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <thread>
#include <vector>

namespace rt = broadloom::runtime;

namespace {

#if defined(BROADLOOM_ADDRESS_SANITIZER)
constexpr bool keeps_blocks = false;
#else
constexpr bool keeps_blocks = true;
#endif

constexpr std::size_t mib = std::size_t(1) << 20;

struct nothing_kept {
  nothing_kept() { rt::trim(); }
  ~nothing_kept() { rt::trim(); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(core_storage, nothing_kept)

BOOST_AUTO_TEST_CASE(blocks_are_aligned_and_all_their_bytes_can_be_used) {
  for (const std::size_t bytes : {std::size_t(0), std::size_t(1), std::size_t(63), std::size_t(64), std::size_t(4097),
                                  mib - 1, mib, mib + 1, 2 * mib, 3 * mib + 5, 9 * mib}) {
    BOOST_TEST_CONTEXT(bytes << " bytes") {
      auto* const block = static_cast<unsigned char*>(rt::allocate(bytes));
      BOOST_TEST(reinterpret_cast<std::uintptr_t>(block) % rt::storage_alignment == 0u);
      std::memset(block, 0xa5, bytes);
      if (bytes > 0) BOOST_TEST((block[0] == 0xa5 && block[bytes / 2] == 0xa5 && block[bytes - 1] == 0xa5));
      rt::deallocate(block, bytes);
    }
  }
  rt::deallocate(nullptr, 0);
  rt::deallocate(nullptr, 8 * mib);
}

BOOST_AUTO_TEST_CASE(blocks_in_use_do_not_overlap) {
  std::vector<std::pair<unsigned char*, std::size_t>> blocks;
  for (std::size_t i = 0; i < 24; ++i) {
    const std::size_t bytes = i % 3 == 0 ? mib + i * 1000 : 100 + i * 7777;
    auto* const block = static_cast<unsigned char*>(rt::allocate(bytes));
    std::memset(block, static_cast<int>(i), bytes);
    blocks.emplace_back(block, bytes);
    if (i % 5 == 4) {
      rt::deallocate(blocks.front().first, blocks.front().second);
      blocks.erase(blocks.begin());
    }
  }
  for (const auto& [block, bytes] : blocks)
    BOOST_TEST(std::memcmp(block, block + 1, bytes - 1) == 0, "a block of " << bytes << " bytes was overwritten");
  for (const auto& [block, bytes] : blocks) rt::deallocate(block, bytes);
}

BOOST_AUTO_TEST_CASE(a_freed_large_block_is_used_again_also_for_a_slightly_different_size) {
  void* const first = rt::allocate(8 * mib);
  rt::deallocate(first, 8 * mib);
  BOOST_TEST(rt::kept_bytes() == (keeps_blocks ? 8 * mib : 0));
  void* const second = rt::allocate(8 * mib - 12345);
  if (keeps_blocks) BOOST_TEST(second == first);
  BOOST_TEST(rt::kept_bytes() == 0u);
  rt::deallocate(second, 8 * mib - 12345);
  rt::trim();
  BOOST_TEST(rt::kept_bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(small_blocks_are_not_kept) {
  rt::deallocate(rt::allocate(1000), 1000);
  BOOST_TEST(rt::kept_bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(blocks_from_16_kib_on_are_used_again_and_do_not_drive_out_others) {
  constexpr std::size_t few = 20480;
  void* const middle = rt::allocate(mib / 8);
  rt::deallocate(middle, mib / 8);
  std::vector<void*> blocks;
  for (int i = 0; i < 200; ++i) blocks.push_back(rt::allocate(few));
  void* const last = blocks.back();
  for (void* const block : blocks) rt::deallocate(block, few);
  if (keeps_blocks) {
    BOOST_TEST(rt::kept_bytes() == mib / 8 + 64 * few);
    void* const again = rt::allocate(few - 100);
    BOOST_TEST(again == last);
    rt::deallocate(again, few - 100);
    void* const other = rt::allocate(mib / 8);
    BOOST_TEST(other == middle);
    rt::deallocate(other, mib / 8);
    rt::set_kept_limit(mib / 2);  // a 64th of it is less than a block
    BOOST_TEST(rt::kept_bytes() <= mib / 2);
    rt::trim();
    rt::deallocate(rt::allocate(few), few);
    BOOST_TEST(rt::kept_bytes() == 0u);
    rt::set_kept_limit(256 * mib);
  }
}

BOOST_AUTO_TEST_CASE(blocks_from_64_kib_on_are_used_again_and_do_not_drive_out_large_ones) {
  void* const large = rt::allocate(8 * mib);
  rt::deallocate(large, 8 * mib);
  std::vector<void*> blocks;
  for (int i = 0; i < 200; ++i) blocks.push_back(rt::allocate(mib / 8));
  void* const last = blocks.back();
  for (void* const block : blocks) rt::deallocate(block, mib / 8);
  if (keeps_blocks) {
    BOOST_TEST(rt::kept_bytes() == 8 * mib + 64 * (mib / 8));
    void* const again = rt::allocate(mib / 8 - 100);
    BOOST_TEST(again == last);
    rt::deallocate(again, mib / 8 - 100);
    void* const other = rt::allocate(8 * mib);
    BOOST_TEST(other == large);
    rt::deallocate(other, 8 * mib);
    rt::set_kept_limit(mib);
    BOOST_TEST(rt::kept_bytes() == 0u);
    rt::deallocate(rt::allocate(mib / 4), mib / 4);  // more than an eighth of it
    BOOST_TEST(rt::kept_bytes() == 0u);
    rt::set_kept_limit(256 * mib);
  }
}

BOOST_AUTO_TEST_CASE(what_is_kept_is_bounded) {
  std::vector<void*> blocks;
  for (int i = 0; i < 12; ++i) blocks.push_back(rt::allocate(40 * mib));
  for (void* const block : blocks) rt::deallocate(block, 40 * mib);
  BOOST_TEST(rt::kept_bytes() == (keeps_blocks ? 240 * mib : 0));
  rt::deallocate(rt::allocate(300 * mib), 300 * mib);
  BOOST_TEST(rt::kept_bytes() == (keeps_blocks ? 240 * mib : 0));
  blocks.clear();
  rt::trim();
  for (int i = 0; i < 100; ++i) blocks.push_back(rt::allocate(mib));
  for (void* const block : blocks) rt::deallocate(block, mib);
  BOOST_TEST(rt::kept_bytes() <= 100 * mib);
  if (keeps_blocks) BOOST_TEST(rt::kept_bytes() > 0u);
}

#if !defined(BROADLOOM_ADDRESS_SANITIZER)  // which ends the program instead
BOOST_AUTO_TEST_CASE(more_memory_than_there_is_throws_bad_alloc_and_nothing_is_lost) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  for (const std::size_t bytes : {most, most / 2, most / 4, most / 8, most - 63})
    BOOST_CHECK_THROW(rt::deallocate(rt::allocate(bytes), bytes), std::bad_alloc);
  void* const block = rt::allocate(2 * mib);
  std::memset(block, 1, 2 * mib);
  rt::deallocate(block, 2 * mib);
}
#endif

BOOST_AUTO_TEST_CASE(threads_may_allocate_and_free_at_once) {
  std::atomic<int> damaged{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([t, &damaged] {
      for (std::size_t i = 0; i < 200; ++i) {
        const std::size_t bytes = (1 + (i * 7 + t) % 3) * mib;
        auto* const block = static_cast<unsigned char*>(rt::allocate(bytes));
        block[0] = block[bytes - 1] = static_cast<unsigned char>(t);
        std::this_thread::yield();
        if (block[0] != t || block[bytes - 1] != t) ++damaged;
        rt::deallocate(block, bytes);
        if (i % 50 == 49) rt::trim();
      }
    });
  for (std::thread& t : threads) t.join();
  BOOST_TEST(damaged == 0);
}

BOOST_AUTO_TEST_SUITE_END()
