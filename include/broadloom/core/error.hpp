// The exceptions Broadloom throws; each derives from the standard one a reader would expect.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/throw_error.hpp>

#include <stdexcept>

namespace broadloom {

// Shapes that do not broadcast, an output that would have to grow, a size that overflows.
class BROADLOOM_API shape_error : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
  ~shape_error() override;
};

// Integer division or remainder by zero.
class BROADLOOM_API arithmetic_error : public std::domain_error {
 public:
  using std::domain_error::domain_error;
  ~arithmetic_error() override;
};

// An index or an axis outside its range.
class BROADLOOM_API index_error : public std::out_of_range {
 public:
  using std::out_of_range::out_of_range;
  ~index_error() override;
};

// A matrix that is singular, not positive definite, or does not let an iteration converge.
class BROADLOOM_API linalg_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  ~linalg_error() override;
};

namespace detail {

// Headers throw by the library: -fno-exceptions refuses `throw`.
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_linalg_error(const char* message) {
  throw_error(error_kind::linalg_error, {message});
}

}  // namespace detail

// A view of memory that was given back: in programs compiled with BROADLOOM_CHECKED.
class BROADLOOM_API lifetime_error : public std::logic_error {
 public:
  using std::logic_error::logic_error;
  ~lifetime_error() override;
};

// An evaluation ended because it was asked to (eval/stop.hpp). Its output is valid, and partly written.
class BROADLOOM_API stopped : public std::runtime_error {
 public:
  stopped() : std::runtime_error("the evaluation was stopped") {}
  stopped(const stopped&) = default;
  stopped& operator=(const stopped&) = default;
  ~stopped() override;
};

// A file that cannot be read or written.
class BROADLOOM_API io_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  ~io_error() override;
};

// Where docs/reference/errors.md explains an exception of the library: "errors.md#" and the anchor of the row that has
// its message, found by comparing what() with the rows; "errors.md" for a message that is on none of them.
BROADLOOM_API const char* error_anchor(const std::exception& e) noexcept;

}  // namespace broadloom
