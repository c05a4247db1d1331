// Loaded before MPICH (LD_PRELOAD), whose ranks never yield while they wait: more of them than processors take minutes.
// A rank that polled 20 times in vain sleeps for 20 us before it polls again.
#include <dlfcn.h>

#include <ctime>

extern "C" __attribute__((visibility("default"))) unsigned ucp_worker_progress(void* worker) {
  using function = unsigned (*)(void*);
  static const auto progress = reinterpret_cast<function>(::dlsym(RTLD_NEXT, "ucp_worker_progress"));
  static int idle = 0;
  const unsigned events = progress(worker);
  if (events != 0)
    idle = 0;
  else if (++idle > 20) {
    const std::timespec a_while{0, 20000};
    ::nanosleep(&a_while, nullptr);
  }
  return events;
}
