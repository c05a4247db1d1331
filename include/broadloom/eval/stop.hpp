// Ending an evaluation before it is done: eval(e, par | stop_when(token)), with the standard library's stop tokens.
#pragma once

#include <stop_token>

#include <broadloom/eval/policy.hpp>

namespace broadloom {

// stop_when(token): part of a policy. The evaluation throws bl::stopped soon after the token's source asks for it:
// after at most a 256th of a pass, or one call of LAPACK. The output is valid then, and partly written; a new tensor is
// not made. Asked before anything is evaluated, nothing is written.
class stop_when : public runtime::stop_check {
 public:
  explicit stop_when(std::stop_token token)
      : runtime::stop_check{&asked}, token_(static_cast<std::stop_token&&>(token)) {}
  stop_when(const stop_when&) = delete;
  stop_when& operator=(const stop_when&) = delete;

 private:
  static bool asked(const runtime::stop_check* self) {
    return static_cast<const stop_when*>(self)->token_.stop_requested();
  }
  std::stop_token token_;
};

}  // namespace broadloom
