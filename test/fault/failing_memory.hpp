// Every allocation of the program and of its libraries goes through here and may be made to fail. For one file of a
// program.
#pragma once

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FAULT_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define FAULT_SANITIZED 1
#endif
#endif

namespace fault {

// The allocation that fails, counted down; below 0 none does. `fails_on` also fails all that follow it.
inline std::atomic<long> left{-1};
inline std::atomic<bool> fails_on{false};
inline std::atomic<long> live{0};  // blocks held
inline std::atomic<bool> failed{false};

inline bool refuses() {
  long n = left.load(std::memory_order_relaxed);
  if (n < 0) return false;
  if (n > 0) {
    if (left.fetch_sub(1, std::memory_order_relaxed) != 1) return false;
    if (!fails_on.load(std::memory_order_relaxed)) left.store(-1, std::memory_order_relaxed);
  }
  failed.store(true, std::memory_order_relaxed);
  return true;
}

// While it lives, allocation number n (from 1) fails, and with `more` every one after it.
class armed {
 public:
  explicit armed(long n, bool more = false) {
    failed = false;
    fails_on = more;
    left = n;
  }
  armed(const armed&) = delete;
  armed& operator=(const armed&) = delete;
  ~armed() {
    fails_on = false;
    left = -1;
  }
};

}  // namespace fault

#if defined(BROADLOOM_THREAD_SANITIZER)

// ThreadSanitizer's own operator new cannot be replaced: nothing fails, and blocks are not counted.

#elif defined(FAULT_SANITIZED) || !defined(__linux__)

// A sanitizer has its own malloc: here only what C++ allocates fails.
namespace fault {
inline void* taken(std::size_t n, std::size_t alignment) {
  if (refuses()) throw std::bad_alloc();
  void* p = nullptr;
  if (posix_memalign(&p, alignment < sizeof(void*) ? sizeof(void*) : alignment, n == 0 ? 1 : n) != 0)
    throw std::bad_alloc();
  live.fetch_add(1, std::memory_order_relaxed);
  return p;
}
inline void given_back(void* p) {
  if (p != nullptr) live.fetch_sub(1, std::memory_order_relaxed);
  std::free(p);
}
}  // namespace fault
void* operator new(std::size_t n) { return fault::taken(n, 16); }
void* operator new[](std::size_t n) { return fault::taken(n, 16); }
void* operator new(std::size_t n, std::align_val_t a) { return fault::taken(n, static_cast<std::size_t>(a)); }
void* operator new[](std::size_t n, std::align_val_t a) { return fault::taken(n, static_cast<std::size_t>(a)); }
void operator delete(void* p) noexcept { fault::given_back(p); }
void operator delete[](void* p) noexcept { fault::given_back(p); }
void operator delete(void* p, std::size_t) noexcept { fault::given_back(p); }
void operator delete[](void* p, std::size_t) noexcept { fault::given_back(p); }
void operator delete(void* p, std::align_val_t) noexcept { fault::given_back(p); }
void operator delete[](void* p, std::align_val_t) noexcept { fault::given_back(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { fault::given_back(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { fault::given_back(p); }

#else

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// The C library's own, under the names it keeps for this; operator new arrives here too.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

static inline void* fault_counted(void* p) {
  if (p != nullptr) fault::live.fetch_add(1, std::memory_order_relaxed);
  return p;
}
static inline void* fault_none() {
  errno = ENOMEM;
  return nullptr;
}
void* malloc(std::size_t n) { return fault::refuses() ? fault_none() : fault_counted(__libc_malloc(n)); }
void* calloc(std::size_t n, std::size_t size) {
  return fault::refuses() ? fault_none() : fault_counted(__libc_calloc(n, size));
}
void* realloc(void* p, std::size_t n) {
  if (fault::refuses()) return fault_none();
  void* const q = __libc_realloc(p, n);
  if (p == nullptr && q != nullptr) fault::live.fetch_add(1, std::memory_order_relaxed);
  return q;
}
void* memalign(std::size_t a, std::size_t n) {
  return fault::refuses() ? fault_none() : fault_counted(__libc_memalign(a, n));
}
void* aligned_alloc(std::size_t a, std::size_t n) { return memalign(a, n); }
int posix_memalign(void** to, std::size_t a, std::size_t n) {
  void* const p = memalign(a, n);
  if (p == nullptr) return ENOMEM;
  *to = p;
  return 0;
}
void free(void* p) {
  if (p != nullptr) fault::live.fetch_sub(1, std::memory_order_relaxed);
  __libc_free(p);
}
#if defined(__x86_64__)
void* mmap(void* at, std::size_t n, int protection, int flags, int file, off_t offset) {
  if (fault::refuses()) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return reinterpret_cast<void*>(syscall(SYS_mmap, at, n, protection, flags, file, offset));
}
#endif
}

#endif
