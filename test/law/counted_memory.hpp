// Counts every block of memory that a test program or the library asks for, and how much is held at once. For one file
// of a program.
#pragma once

#include <atomic>
#include <cstdlib>
#include <new>

#if defined(__linux__)
#include <malloc.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace {

std::atomic<long> blocks{0};
std::atomic<long> bytes{0};
std::atomic<long> held{0};
std::atomic<long> max_held{0};

void count(std::size_t n) {
  blocks.fetch_add(1, std::memory_order_relaxed);
  bytes.fetch_add(static_cast<long>(n), std::memory_order_relaxed);
}

void hold(long n) {
  const long now = held.fetch_add(n, std::memory_order_relaxed) + n;
  long most = max_held.load(std::memory_order_relaxed);
  while (now > most && !max_held.compare_exchange_weak(most, now, std::memory_order_relaxed)) {
  }
}
// What malloc really gave; nothing is known of it elsewhere.
long size_of_block([[maybe_unused]] void* p) {
#if defined(__linux__)
  return static_cast<long>(malloc_usable_size(p));
#else
  return 0;
#endif
}

void* taken(std::size_t n, std::size_t alignment) {
  count(n);
  void* p = nullptr;
  if (posix_memalign(&p, alignment < sizeof(void*) ? sizeof(void*) : alignment, n == 0 ? 1 : n) != 0)
    throw std::bad_alloc();
  hold(size_of_block(p));
  return p;
}
void given_back(void* p) {
  if (p == nullptr) return;
  hold(-size_of_block(p));
  std::free(p);
}

}  // namespace

void* operator new(std::size_t n) { return taken(n, 16); }
void* operator new[](std::size_t n) { return taken(n, 16); }
void* operator new(std::size_t n, std::align_val_t a) { return taken(n, static_cast<std::size_t>(a)); }
void* operator new[](std::size_t n, std::align_val_t a) { return taken(n, static_cast<std::size_t>(a)); }
void operator delete(void* p) noexcept { given_back(p); }
void operator delete[](void* p) noexcept { given_back(p); }
void operator delete(void* p, std::size_t) noexcept { given_back(p); }
void operator delete[](void* p, std::size_t) noexcept { given_back(p); }
void operator delete(void* p, std::align_val_t) noexcept { given_back(p); }
void operator delete[](void* p, std::align_val_t) noexcept { given_back(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { given_back(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { given_back(p); }

// Large blocks of elements are mapped: the library's calls arrive here.
#if defined(__linux__) && defined(__x86_64__) && !defined(BROADLOOM_ADDRESS_SANITIZER) && !defined(__clang__)
#define BROADLOOM_COUNTS_MAPPINGS 1
extern "C" void* mmap(void* at, std::size_t n, int protection, int flags, int file, off_t offset) noexcept {
  count(n);
  hold(static_cast<long>(n));
  return reinterpret_cast<void*>(syscall(SYS_mmap, at, n, protection, flags, file, offset));
}
extern "C" int munmap(void* at, std::size_t n) noexcept {
  hold(-static_cast<long>(n));
  return static_cast<int>(syscall(SYS_munmap, at, n));
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
// How much more is held at once while f() runs than before.
template <class F>
[[maybe_unused]] long peak_of(const F& f) {
  const long before = held;
  max_held = before;
  f();
  return max_held - before;
}

}  // namespace
