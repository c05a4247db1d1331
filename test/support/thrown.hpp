// The text of what a call throws.
#pragma once

#include <exception>
#include <string>

// What an Error thrown by f says; anything else that f throws passes through.
template <class Error = std::exception, class F>
std::string thrown(const F& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "nothing was thrown";
}
