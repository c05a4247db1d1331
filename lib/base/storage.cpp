// Allocation of element storage: small blocks from the heap; those above are kept for reuse, and large ones mapped on
// huge pages.
#include <broadloom/core/checked.hpp>
#include <broadloom/core/error.hpp>
#include <broadloom/core/storage.hpp>

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <new>

#include "fork.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#elif defined(_WIN32)
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#endif

// Under AddressSanitizer every block comes from the heap and goes back to it, so that a use after free is found.
#if defined(BROADLOOM_ADDRESS_SANITIZER)
#define BROADLOOM_KEEP_BLOCKS 0
#else
#define BROADLOOM_KEEP_BLOCKS 1
#endif

namespace broadloom::runtime {

namespace {

constexpr std::size_t small_heap_block = std::size_t(1) << 12;
// From here on blocks are kept: the heap gives what it takes from the system for such a block back at once, and the
// next one costs a page fault for each 4 KiB. sort() of 16,384 floats took 81 faults and 700 us, without them 280.
// At its end, where it gives back more than 128 KiB, so do blocks of a few pages.
constexpr std::size_t kept_block = std::size_t(1) << 14;
constexpr std::size_t small_block = std::size_t(1) << 16;
constexpr std::size_t large_block = std::size_t(1) << 20;
constexpr std::size_t huge_page = std::size_t(2) << 20;
constinit std::atomic<std::size_t> keep_at_most{std::size_t(256) << 20};

// The size of a kept block: the request rounded up to one of eight sizes per power of two, so that a freed block fits
// slightly smaller or larger requests. Zero if it does not fit into an address space.
constexpr std::size_t rounded(std::size_t bytes) {
  if (bytes > (SIZE_MAX >> 2)) return 0;
  const std::size_t step = std::bit_floor(bytes) >> 3;
  return (bytes + step - 1) / step * step;
}

// A mutex that is there before any constructor has run. MinGW's std::mutex needs one.
#if defined(_WIN32)
class early_mutex {
 public:
  void lock() noexcept { ::AcquireSRWLockExclusive(&lock_); }
  void unlock() noexcept { ::ReleaseSRWLockExclusive(&lock_); }

 private:
  SRWLOCK lock_ = SRWLOCK_INIT;
};
#else
using early_mutex = std::mutex;
#endif

#if defined(__linux__)

void* map_block(std::size_t bytes) noexcept {
  const std::size_t length = bytes + huge_page;
  void* const mapped = ::mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  const auto start = reinterpret_cast<std::uintptr_t>(mapped);
  const std::uintptr_t aligned = (start + huge_page - 1) / huge_page * huge_page;
  if (aligned > start) ::munmap(mapped, aligned - start);
  if (start + length > aligned + bytes)
    ::munmap(reinterpret_cast<void*>(aligned + bytes), start + length - aligned - bytes);
  void* const block = reinterpret_cast<void*>(aligned);
  // Advice only: if it is refused, the block works as well but more slowly. With 16 Mi floats, `a + b` into fresh
  // memory took 15 ms on huge pages and 66 ms without, into memory touched before 5.5 and 7.7 ms, and a sum 2.3 and 4.3
  // ms.
  static_cast<void>(::madvise(block, bytes, MADV_HUGEPAGE));
  return block;
}

void unmap_block(void* block, std::size_t bytes) noexcept { ::munmap(block, bytes); }

#else

void* map_block(std::size_t bytes) noexcept {
  return ::operator new(bytes, std::align_val_t(storage_alignment), std::nothrow);
}

void unmap_block(void* block, std::size_t) noexcept { ::operator delete(block, std::align_val_t(storage_alignment)); }

#endif

// A block of a rounded size from the system, or null.
void* new_block(std::size_t bytes) noexcept {
  if (bytes >= large_block) return map_block(bytes);
  return ::operator new(bytes, std::align_val_t(storage_alignment), std::nothrow);
}
void return_block(void* block, std::size_t bytes) noexcept {
  if (bytes >= large_block)
    unmap_block(block, bytes);
  else
    ::operator delete(block, std::align_val_t(storage_alignment));
}

// Freed blocks, oldest first, of at most a part of the bytes that may be kept. All members are trivially destructible,
// so tensors with static lifetime can still be freed at the end of the program.
class kept_blocks {
 public:
  explicit constexpr kept_blocks(std::size_t share) noexcept : share_{share} {}

  void* take(std::size_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    for (int i = count_; i-- > 0;)
      if (blocks_[i].bytes == bytes) return remove(i);
    return nullptr;
  }

  void keep(void* block, std::size_t bytes) noexcept {
    const std::size_t limit = keep_at_most.load(std::memory_order_relaxed) / share_;
    if (bytes > limit) return return_block(block, bytes);
    entry surplus[slots];
    int surplus_count = 0;
    {
      const std::lock_guard lock(mutex_);
      while (count_ == slots || (count_ > 0 && total_ + bytes > limit)) {
        surplus[surplus_count].bytes = blocks_[0].bytes;
        surplus[surplus_count++].block = remove(0);
      }
      blocks_[count_++] = {block, bytes};
      total_ += bytes;
    }
    for (int i = 0; i < surplus_count; ++i) return_block(surplus[i].block, surplus[i].bytes);
  }

  void clear() noexcept {
    for (;;) {
      entry last;
      {
        const std::lock_guard lock(mutex_);
        if (count_ == 0) return;
        last = blocks_[count_ - 1];
        remove(count_ - 1);
      }
      return_block(last.block, last.bytes);
    }
  }

  std::size_t total() noexcept {
    const std::lock_guard lock(mutex_);
    return total_;
  }

  early_mutex& mutex() noexcept { return mutex_; }

 private:
  struct entry {
    void* block;
    std::size_t bytes;
  };

  void* remove(int i) noexcept {
    void* const block = blocks_[i].block;
    total_ -= blocks_[i].bytes;
    --count_;
    for (; i < count_; ++i) blocks_[i] = blocks_[i + 1];
    return block;
  }

  static constexpr int slots = 64;
  std::size_t share_;
  early_mutex mutex_;
  entry blocks_[slots] = {};
  int count_ = 0;
  std::size_t total_ = 0;
};

// Apart, so that many small blocks do not take the place of large ones.
constinit kept_blocks kept_large(1), kept_middle(8), kept_small(64);
kept_blocks& kept(std::size_t size) noexcept {
  return size >= large_block ? kept_large : size >= small_block ? kept_middle : kept_small;
}

// Freed memory of a checked build, oldest first, so that a view of it is recognised.
class freed_memory {
 public:
  struct block {
    void* data;
    std::size_t bytes;
  };

  // Keeps the block. Passes to `release` the blocks for which there is no room any more, perhaps this one.
  template <class F>
  void keep(block b, const F& release) noexcept {
    const std::lock_guard lock(mutex_);
    try {
      order_.push_back(b);
    } catch (...) {
      return release(b);
    }
    try {
      blocks_[static_cast<const std::byte*>(b.data)] = b.bytes;
    } catch (...) {
      order_.pop_back();
      return release(b);
    }
    total_ += b.bytes;
    while (total_ > bytes_at_most || order_.size() > count_at_most) {
      const block oldest = order_.front();
      order_.pop_front();
      blocks_.erase(static_cast<const std::byte*>(oldest.data));
      total_ -= oldest.bytes;
      release(oldest);
    }
  }
  bool has(const void* address) {
    const std::lock_guard lock(mutex_);
    const auto after = blocks_.upper_bound(static_cast<const std::byte*>(address));
    if (after == blocks_.begin()) return false;
    const auto& [data, bytes] = *std::prev(after);
    return static_cast<const std::byte*>(address) < data + bytes;
  }
  std::mutex& mutex() noexcept { return mutex_; }

 private:
  static constexpr std::size_t count_at_most = std::size_t(1) << 16, bytes_at_most = std::size_t(256) << 20;
  std::mutex mutex_;
  std::deque<block> order_;
  std::map<const std::byte*, std::size_t, std::less<>> blocks_;
  std::size_t total_ = 0;
};

// Null unless this is a checked build. Never destroyed: tensors with static lifetime are freed later.
std::atomic<freed_memory*> freed = nullptr;

constexpr bool is_kept(std::size_t bytes) { return BROADLOOM_KEEP_BLOCKS && bytes >= kept_block; }

// The heap has lists of small blocks for each thread, but aligned requests go past them. So a small block is a part of
// one that is not aligned, whose address stands in front of it: 20 ns less for 64 bytes.
constexpr bool is_small(std::size_t bytes) { return BROADLOOM_KEEP_BLOCKS && bytes < small_heap_block; }

void* heap_block(std::size_t bytes) {
  if (!is_small(bytes)) return ::operator new(bytes, std::align_val_t(storage_alignment));
  auto* const whole = static_cast<std::byte*>(::operator new(bytes + storage_alignment));
  static_assert(__STDCPP_DEFAULT_NEW_ALIGNMENT__ >= sizeof whole);
  std::byte* const block = whole + (storage_alignment - reinterpret_cast<std::uintptr_t>(whole) % storage_alignment);
  std::memcpy(block - sizeof whole, &whole, sizeof whole);
  return block;
}
void return_heap_block(void* block, std::size_t bytes) noexcept {
  if (!is_small(bytes)) return ::operator delete(block, std::align_val_t(storage_alignment));
  void* whole;
  std::memcpy(&whole, static_cast<std::byte*>(block) - sizeof whole, sizeof whole);
  ::operator delete(whole);
}

}  // namespace

void* allocate(std::size_t bytes) {
  if (!is_kept(bytes)) return heap_block(bytes);
  const std::size_t size = rounded(bytes);
  if (size == 0) throw std::bad_alloc();
  if (void* const block = kept(size).take(size)) return block;
  if (void* const block = new_block(size)) return block;
  trim();
  if (void* const block = new_block(size)) return block;
  throw std::bad_alloc();
}

namespace {

void release(void* block, std::size_t bytes) noexcept {
  if (is_kept(bytes)) {
    const std::size_t size = rounded(bytes);
    kept(size).keep(block, size);
  } else
    return_heap_block(block, bytes);
}

}  // namespace

void deallocate(void* block, std::size_t bytes) noexcept {
  if (block == nullptr) return;
  if (freed_memory* const aside = freed.load(std::memory_order_acquire); aside != nullptr) [[unlikely]]
    aside->keep({block, bytes}, [](const freed_memory::block& b) { release(b.data, b.bytes); });
  else
    release(block, bytes);
}

bool keep_freed_memory() noexcept {
  static freed_memory* const all = new (std::nothrow) freed_memory;
  freed.store(all, std::memory_order_release);
  return all != nullptr;
}

// In the order in which a thread locks them when it frees memory.
void lock_storage() noexcept {
  if (freed_memory* const aside = freed.load(std::memory_order_acquire); aside != nullptr) aside->mutex().lock();
  kept_large.mutex().lock();
  kept_middle.mutex().lock();
  kept_small.mutex().lock();
}
void unlock_storage() noexcept {
  kept_small.mutex().unlock();
  kept_middle.mutex().unlock();
  kept_large.mutex().unlock();
  if (freed_memory* const aside = freed.load(std::memory_order_acquire); aside != nullptr) aside->mutex().unlock();
}

void check_memory(const void* address) {
  if (freed_memory* const aside = freed.load(std::memory_order_acquire); aside != nullptr && aside->has(address))
    throw lifetime_error(
        "a view was used after its tensor had given the memory back: the tensor was destroyed, or assigned a value of "
        "another size");
}

void mark_gone(index* extents, int rank) noexcept {
  for (int i = 0; i < rank; ++i) extents[i] = extent_of_gone;
}

void trim() noexcept {
  kept_large.clear();
  kept_middle.clear();
  kept_small.clear();
}

std::size_t kept_bytes() noexcept { return kept_large.total() + kept_middle.total() + kept_small.total(); }

void set_kept_limit(std::size_t bytes) noexcept {
  keep_at_most.store(bytes, std::memory_order_relaxed);
  if (kept_bytes() > bytes) trim();
}

}  // namespace broadloom::runtime
