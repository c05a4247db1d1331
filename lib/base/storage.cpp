// Allocation of element storage: small blocks from the heap, large ones mapped on huge pages and kept for reuse.
#include <broadloom/core/storage.hpp>

#include <bit>
#include <cstdint>
#include <mutex>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

// Under AddressSanitizer every block comes from the heap and goes back to it, so that a use after free is found.
#if defined(BROADLOOM_ADDRESS_SANITIZER)
#define BROADLOOM_KEEP_BLOCKS 0
#else
#define BROADLOOM_KEEP_BLOCKS 1
#endif

namespace broadloom::runtime {

namespace {

constexpr std::size_t large_block = std::size_t(1) << 20;
constexpr std::size_t huge_page = std::size_t(2) << 20;
constexpr std::size_t keep_at_most = std::size_t(256) << 20;

// A large block's real size: its request rounded up to one of eight sizes per power of two, so that a freed block fits
// requests a little smaller or larger than its own. Zero when it does not fit into an address space.
constexpr std::size_t rounded(std::size_t bytes) {
  if (bytes > (SIZE_MAX >> 2)) return 0;
  const std::size_t step = std::bit_floor(bytes) >> 3;
  return (bytes + step - 1) / step * step;
}

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
  // Only advice: where it is refused the block is as good, and slower to touch first.
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

// The freed large blocks, oldest first. Everything in it is trivially destructible, so that tensors with static
// lifetime can still be freed at the end of the program.
class kept_blocks {
 public:
  void* take(std::size_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    for (int i = count_; i-- > 0;)
      if (blocks_[i].bytes == bytes) return remove(i);
    return nullptr;
  }

  void keep(void* block, std::size_t bytes) noexcept {
    if (bytes > keep_at_most) return unmap_block(block, bytes);
    entry surplus[slots];
    int surplus_count = 0;
    {
      const std::lock_guard lock(mutex_);
      while (count_ == slots || total_ + bytes > keep_at_most) {
        surplus[surplus_count].bytes = blocks_[0].bytes;
        surplus[surplus_count++].block = remove(0);
      }
      blocks_[count_++] = {block, bytes};
      total_ += bytes;
    }
    for (int i = 0; i < surplus_count; ++i) unmap_block(surplus[i].block, surplus[i].bytes);
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
      unmap_block(last.block, last.bytes);
    }
  }

  std::size_t total() noexcept {
    const std::lock_guard lock(mutex_);
    return total_;
  }

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
  std::mutex mutex_;
  entry blocks_[slots] = {};
  int count_ = 0;
  std::size_t total_ = 0;
};

constinit kept_blocks kept;

constexpr bool is_large(std::size_t bytes) { return BROADLOOM_KEEP_BLOCKS && bytes >= large_block; }

}  // namespace

void* allocate(std::size_t bytes) {
  if (!is_large(bytes)) return ::operator new(bytes, std::align_val_t(storage_alignment));
  const std::size_t size = rounded(bytes);
  if (size == 0) throw std::bad_alloc();
  if (void* const block = kept.take(size)) return block;
  if (void* const block = map_block(size)) return block;
  kept.clear();
  if (void* const block = map_block(size)) return block;
  throw std::bad_alloc();
}

void deallocate(void* block, std::size_t bytes) noexcept {
  if (block == nullptr) return;
  if (is_large(bytes))
    kept.keep(block, rounded(bytes));
  else
    ::operator delete(block, std::align_val_t(storage_alignment));
}

void trim() noexcept { kept.clear(); }

std::size_t kept_bytes() noexcept { return kept.total(); }

}  // namespace broadloom::runtime
