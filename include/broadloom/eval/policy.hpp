// How an evaluation runs: bl::seq, bl::par, bl::par.threads(n), each with bl::accurate or bl::fast, with
// bl::reproducible, with what may stop it or is told how far it is (eval/stop.hpp, eval/progress.hpp), and with the
// arena of oneTBB that it runs in (interop/tbb.hpp).
#pragma once

#include <type_traits>

#include <broadloom/eval/control.hpp>
#include <broadloom/plan/problem.hpp>

namespace broadloom {

// Which variant of the transcendental functions is used. accurate: at most about 1 ULP, the same bits on every machine
// with FMA. fast: at most 4 ULP; and sums of products or squares over pairs, as in distances of all pairs of rows, may
// round a product and its addition once.
enum class maths_policy : unsigned char { accurate, fast };
inline constexpr maths_policy accurate = maths_policy::accurate;
inline constexpr maths_policy fast = maths_policy::fast;

// Products of matrices with the same bits in every layout and slice and on every processor. An element of one is
// (a0 b0 + a1 b1) + a2 b2 + ... in the order of the summed index, of several row-major in the order in which the
// function names them, each product and each sum rounded: what constant expressions give. Of all that sum products:
// matmul mm mv bmm dot vdot vecdot inner einsum addmm addmv addr baddbmm addbmm. Not of solutions and factorisations.
inline constexpr struct reproducible_t {
} reproducible{};

class policy {
 public:
  constexpr explicit policy(int threads, maths_policy m = maths_policy::accurate) : threads_(threads), maths_(m) {}
  // eval(e, fast) is eval(e, par | fast).
  constexpr policy(maths_policy m) : policy(0, m) {}
  constexpr policy(reproducible_t) : policy(0) { products_ = runtime::product_order::fixed; }

  // At most n threads; n = 1 is bl::seq. n = 0 lets the library choose.
  [[nodiscard]] constexpr policy threads(int n) const {
    policy p = *this;
    p.threads_ = n;
    return p;
  }
  friend constexpr policy operator|(policy p, maths_policy m) {
    p.maths_ = m;
    return p;
  }
  friend constexpr policy operator|(policy p, reproducible_t) {
    p.products_ = runtime::product_order::fixed;
    return p;
  }
  // The evaluation ends with bl::stopped soon after `s` asks for it; `s` outlives it.
  friend constexpr policy operator|(policy p, const runtime::stop_check& s) {
    p.stop_ = &s;
    return p;
  }
  // `s` is told how far the evaluation is, and outlives it.
  friend constexpr policy operator|(policy p, const runtime::progress_sink& s) {
    p.progress_ = &s;
    return p;
  }
  // The evaluation runs in `a`, which outlives it.
  friend constexpr policy operator|(policy p, const runtime::arena& a) {
    p.arena_ = &a;
    return p;
  }
  friend constexpr bool operator==(const policy&, const policy&) = default;

  // What is told how far the evaluation is, or null, and the policy without it.
  constexpr const runtime::progress_sink* told() const { return progress_; }
  constexpr policy untold() const {
    policy p = *this;
    p.progress_ = nullptr;
    return p;
  }

  constexpr runtime::options options() const {
    return {threads_, maths_ == maths_policy::fast ? runtime::accuracy::fast : runtime::accuracy::accurate, products_};
  }

  // Calls f(), under what may stop it.
  template <class F>
  constexpr void run(const F& f) const {
    if (arena_ == nullptr && stop_ == nullptr && progress_ == nullptr) return f();
    run_under([](const void* g) { (*static_cast<const F*>(g))(); }, &f);
  }

 private:
  struct work {
    const policy* how;
    void (*f)(const void*);
    const void* context;
  };
  // No template: what few evaluations ask for is not compiled for each.
  [[gnu::noinline, gnu::cold]] void run_under(void (*f)(const void*), const void* context) const {
    if (arena_ == nullptr) return run_here(f, context);
    const work w{this, f, context};
    arena_->execute(
        arena_,
        [](const void* g) {
          const work& x = *static_cast<const work*>(g);
          x.how->run_here(x.f, x.context);
        },
        &w);
  }
  void run_here(void (*f)(const void*), const void* context) const {
    if (stop_ == nullptr && progress_ == nullptr) return f(context);
    runtime::run_controlled(stop_, progress_, f, context);
  }

  int threads_;
  maths_policy maths_;
  runtime::product_order products_ = runtime::product_order::free;
  const runtime::stop_check* stop_ = nullptr;
  const runtime::progress_sink* progress_ = nullptr;
  const runtime::arena* arena_ = nullptr;
};

// The calling thread alone.
inline constexpr policy seq{1};
// As many threads as the work deserves: small work stays on the calling thread.
inline constexpr policy par{0};

}  // namespace broadloom
