// Counts every block of memory that a test program or the library asks for. For one file of a program.
#pragma once

#include <atomic>
#include <cstdlib>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace {

std::atomic<long> blocks{0};
std::atomic<long> bytes{0};

void count(std::size_t n) {
  blocks.fetch_add(1, std::memory_order_relaxed);
  bytes.fetch_add(static_cast<long>(n), std::memory_order_relaxed);
}

void* taken(std::size_t n, std::size_t alignment) {
  count(n);
  void* p = nullptr;
  if (posix_memalign(&p, alignment < sizeof(void*) ? sizeof(void*) : alignment, n == 0 ? 1 : n) != 0)
    throw std::bad_alloc();
  return p;
}

}  // namespace

void* operator new(std::size_t n) { return taken(n, 16); }
void* operator new[](std::size_t n) { return taken(n, 16); }
void* operator new(std::size_t n, std::align_val_t a) { return taken(n, static_cast<std::size_t>(a)); }
void* operator new[](std::size_t n, std::align_val_t a) { return taken(n, static_cast<std::size_t>(a)); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

// Large blocks of elements are mapped: the library's calls arrive here.
#if defined(__linux__) && defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__clang__)
#define BROADLOOM_COUNTS_MAPPINGS 1
extern "C" void* mmap(void* at, std::size_t n, int protection, int flags, int file, off_t offset) noexcept {
  count(n);
  return reinterpret_cast<void*>(syscall(SYS_mmap, at, n, protection, flags, file, offset));
}
#endif

namespace {

struct cost {
  long blocks, bytes;
};
template <class F>
cost of(const F& f) {
  const long b = blocks, n = bytes;
  f();
  return {blocks - b, bytes - n};
}

}  // namespace
