// A policy for all evaluations of a scope, also those that take none: in-place forms, item(), printing.
#pragma once

#include <new>
#include <type_traits>

#include <broadloom/eval/policy.hpp>

namespace broadloom {

namespace runtime {

// Calls f(context). What the calling thread evaluates meanwhile uses at most `how.threads` threads, 0 being no limit,
// and the functions and the order of products that `how` names, if not the usual ones. What holds already holds on.
BROADLOOM_API void run_in_scope(const options& how, void (*f)(const void*), const void* context);

// Whether a scope anywhere ever wanted products in a fixed order, not 0, and whether one of this thread does: what is
// computed in headers looks.
BROADLOOM_API extern unsigned char any_ordered_scope;
BROADLOOM_API bool in_ordered_scope() noexcept;
inline bool products_in_order(const options& how) {
  return how.products == product_order::fixed ||
         (__atomic_load_n(&any_ordered_scope, __ATOMIC_RELAXED) != 0 && in_ordered_scope());
}

}  // namespace runtime

// with(seq, f), with(fast | stop, f): f(), and what it gives. Every evaluation in it on this thread has the policy's
// limit of threads, is fast or reproducible where the policy is, whatever its own policy says, and so within scopes
// inside; the whole of them is what its stop ends, what its progress is told of, and runs in its arena.
template <class F>
auto with(const policy& p, F&& f) -> decltype(f()) {
  using result = decltype(f());
  const runtime::options how = p.options();
  const auto limited = [&how](const auto& body) {
    using body_type = std::remove_cvref_t<decltype(body)>;
    runtime::run_in_scope(how, [](const void* b) { (*static_cast<const body_type*>(b))(); }, &body);
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
