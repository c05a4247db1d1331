// Being told how far an evaluation is: eval(e, par | on_progress(f)), or a bar in the terminal.
#pragma once

#include <cstdio>
#include <type_traits>

#if defined(__unix__)
#include <unistd.h>
#endif

#include <broadloom/eval/policy.hpp>

namespace broadloom {

// on_progress(f): part of a policy. Calls f(bl::progress) on the thread that evaluates, some dozens of times a second
// at most, and once with a share of 1 when all is done. What f throws ends the evaluation, as an exception of a
// callable.
template <class F>
class on_progress : public runtime::progress_sink {
 public:
  explicit on_progress(F f) : runtime::progress_sink{&told}, f_(static_cast<F&&>(f)) {}
  on_progress(const on_progress&) = delete;
  on_progress& operator=(const on_progress&) = delete;

 private:
  static void told(const runtime::progress_sink* self, const progress& p) {
    const_cast<on_progress*>(static_cast<const on_progress*>(self))->f_(p);
  }
  F f_;
};

// A bar of 40 characters on a stream: eval(e, par | progress_bar()). Silent where the stream is no terminal.
class progress_bar : public runtime::progress_sink {
 public:
  explicit progress_bar(std::FILE* to = stderr) : runtime::progress_sink{&told}, to_(is_terminal(to) ? to : nullptr) {}
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;

  // The text for a report, without what returns to the beginning of the line.
  struct line {
    char text[64] = {};
  };
  static line text_of(const progress& p) {
    constexpr int width = 40;
    line r;
    const int full = static_cast<int>(p.share() * width);
    int at = 0;
    r.text[at++] = '[';
    for (int i = 0; i < width; ++i) r.text[at++] = i < full ? '#' : ' ';
    r.text[at++] = ']';
    static_cast<void>(std::snprintf(r.text + at, sizeof r.text - static_cast<std::size_t>(at), " %3d %%",
                                    static_cast<int>(p.share() * 100)));
    return r;
  }

 private:
  static bool is_terminal(std::FILE* f) {
#if defined(__unix__)
    return ::isatty(::fileno(f)) != 0;
#else
    static_cast<void>(f);
    return false;
#endif
  }
  static void told(const runtime::progress_sink* self, const progress& p) {
    if (std::FILE* const to = static_cast<const progress_bar*>(self)->to_; to != nullptr) {
      static_cast<void>(std::fprintf(to, "\r%s%s", text_of(p).text, p.share() < 1 || p.pass != 0 ? "" : "\n"));
      static_cast<void>(std::fflush(to));
    }
  }
  std::FILE* to_;
};

}  // namespace broadloom
