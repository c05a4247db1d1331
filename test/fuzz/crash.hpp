// While a check runs, a crash says which case it was and how to repeat it.
#pragma once

#include <unistd.h>
#include <csignal>
#include <cstring>

extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*)());

namespace fuzz::detail {

// What is written when the program crashes: made before each case, because a handler may only write.
inline char crash_line[512];
inline struct sigaction earlier[3];
inline constexpr int crashes[3] = {SIGSEGV, SIGABRT, SIGFPE};

inline void write_crash_line() {
  if (crash_line[0] == 0) return;
  const ssize_t n = write(2, crash_line, std::strlen(crash_line));
  static_cast<void>(n);
  crash_line[0] = 0;
}
inline void on_crash(int signal) {
  write_crash_line();
  for (int i = 0; i < 3; ++i)
    if (crashes[i] == signal) sigaction(signal, &earlier[i], nullptr);
  raise(signal);
}

class crash_report {
 public:
  crash_report() {
    struct sigaction action{};
    action.sa_handler = on_crash;
    action.sa_flags = SA_ONSTACK;
    for (int i = 0; i < 3; ++i) sigaction(crashes[i], &action, &earlier[i]);
    if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(write_crash_line);
  }
  crash_report(const crash_report&) = delete;
  crash_report& operator=(const crash_report&) = delete;
  ~crash_report() {
    crash_line[0] = 0;
    for (int i = 0; i < 3; ++i) sigaction(crashes[i], &earlier[i], nullptr);
  }
};

}  // namespace fuzz::detail
