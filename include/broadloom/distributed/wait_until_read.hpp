// Before a process ends others: text that waits in a pipe.
#pragma once

#include <sys/ioctl.h>
#include <sys/stat.h>

#include <chrono>
#include <thread>

#include <broadloom/core/compiler.hpp>

namespace broadloom::distributed::detail {

// Waits until the reader of the pipe `descriptor` has taken what was written to it, for at most so long. A launcher
// that is told to end all ranks may end without reading what is still there. Returns at once if it is no pipe.
inline void wait_until_read(int descriptor, std::chrono::milliseconds at_most) {
  struct ::stat file = {};
  if (::fstat(descriptor, &file) != 0 || !S_ISFIFO(file.st_mode)) return;
  const auto end = std::chrono::steady_clock::now() + at_most;
  int unread = 0;
  while (::ioctl(descriptor, FIONREAD, &unread) == 0 && unread > 0 && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace broadloom::distributed::detail
