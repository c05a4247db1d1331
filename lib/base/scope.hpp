// What bl::with says of every evaluation of a scope on this thread, beside the policy of each.
#pragma once

#include <broadloom/plan/problem.hpp>

namespace broadloom::runtime {

struct evaluation_scope {
  int threads = 0;  // the most threads; 0 without a limit
  accuracy maths = accuracy::accurate;
  product_order products = product_order::free;

  bool says_nothing() const noexcept {
    return threads == 0 && maths == accuracy::accurate && products == product_order::free;
  }
};
extern constinit thread_local evaluation_scope scope_here __attribute__((tls_model("initial-exec")));

inline accuracy maths_in_force(const options& how) noexcept {
  return scope_here.maths == accuracy::fast ? accuracy::fast : how.maths;
}
inline product_order products_in_force(const options& how) noexcept {
  return scope_here.products == product_order::fixed ? product_order::fixed : how.products;
}

}  // namespace broadloom::runtime
