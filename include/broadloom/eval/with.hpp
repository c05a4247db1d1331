// A policy for all evaluations of a scope, also those that take none: in-place forms, item(), printing.
#pragma once

#include <new>
#include <type_traits>

#include <broadloom/eval/policy.hpp>

namespace broadloom {

namespace runtime {

// Calls f(context). What the calling thread evaluates meanwhile uses at most `how.threads` threads, 0 being no limit
// beyond those that hold already. Throws std::invalid_argument where `how` says more.
BROADLOOM_API void run_limited(const options& how, void (*f)(const void*), const void* context);

}  // namespace runtime

// with(seq, f), with(par.threads(2) | stop, f): f(), and what it gives. Every evaluation in it on this thread has the
// policy's limit of threads, whatever its own policy says; the whole of them is what its stop ends, what its progress
// is told of, and runs in its arena. fast and reproducible belong to a call, as eval(e, fast): of a scope they are
// refused (std::invalid_argument).
template <class F>
auto with(const policy& p, F&& f) -> decltype(f()) {
  using result = decltype(f());
  const runtime::options how = p.options();
  const auto limited = [&how](const auto& body) {
    using body_type = std::remove_cvref_t<decltype(body)>;
    runtime::run_limited(how, [](const void* b) { (*static_cast<const body_type*>(b))(); }, &body);
  };
  if constexpr (std::is_void_v<result>)
    p.run([&] { limited([&] { f(); }); });
  else if constexpr (std::is_reference_v<result>) {
    std::remove_reference_t<result>* at = nullptr;
    p.run([&] {
      limited([&] {
        result r = f();
        at = &r;
      });
    });
    return static_cast<result>(*at);
  } else {
    union room {
      std::remove_cv_t<result> value;
      room() {}
      ~room() {}
    } r;
    p.run([&] { limited([&] { ::new (static_cast<void*>(&r.value)) std::remove_cv_t<result>(f()); }); });
    struct destroyed {
      room& of;
      ~destroyed() { of.value.~result(); }
    } const after{r};
    return static_cast<result&&>(r.value);
  }
}

}  // namespace broadloom
