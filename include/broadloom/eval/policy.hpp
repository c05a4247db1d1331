// How an evaluation runs: bl::seq, bl::par, bl::par.threads(n), each with bl::accurate or bl::fast.
#pragma once

#include <broadloom/plan/problem.hpp>

namespace broadloom {

// Which variant of the transcendental functions is used. accurate: at most about 1 ULP, the same bits on every machine
// with FMA. fast: at most 4 ULP.
enum class maths_policy : unsigned char { accurate, fast };
inline constexpr maths_policy accurate = maths_policy::accurate;
inline constexpr maths_policy fast = maths_policy::fast;

class policy {
 public:
  constexpr explicit policy(int threads, maths_policy m = maths_policy::accurate) : threads_(threads), maths_(m) {}

  // At most n threads; n = 1 is bl::seq. n = 0 lets the library choose.
  constexpr policy threads(int n) const { return policy(n, maths_); }
  friend constexpr policy operator|(policy p, maths_policy m) { return policy(p.threads_, m); }
  friend constexpr bool operator==(const policy&, const policy&) = default;

  constexpr runtime::options options() const {
    return {threads_, maths_ == maths_policy::fast ? runtime::accuracy::fast : runtime::accuracy::accurate};
  }

 private:
  int threads_;
  maths_policy maths_;
};

// The calling thread alone.
inline constexpr policy seq{1};
// As many threads as the work deserves: small work stays on the calling thread.
inline constexpr policy par{0};

}  // namespace broadloom
