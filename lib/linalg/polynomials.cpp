// Polynomials of real coefficients: their values, by Horner's rule, and their products.
#include <broadloom/linalg/polynomial_call.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include <broadloom/fn/lanes.hpp>
#include <broadloom/plan/problem.hpp>

#include "../base/by_type.hpp"
#include "../base/limits.hpp"
#include "../base/tuned.hpp"
#include "../base/unsigned_form.hpp"
#include "batch.hpp"
#include "polynomial_kernels.hpp"

namespace broadloom::runtime {

namespace {

// What a block of a parallel loop has: so many terms.
constexpr index terms_of_block = 1 << 17;

index vectors_of(double terms, std::size_t element) {
  return static_cast<index>(terms * static_cast<double>(element) / static_cast<double>(limits::line_bytes));
}
template <class Body>
void each_block(index size, index terms, std::size_t element, const Body& body) {
  options how;
  const double vectors =
      static_cast<double>(vectors_of(static_cast<double>(size) * static_cast<double>(terms), element));
  how.threads = threads_for(how.threads, vectors * limits::work::of_vector);
  in_blocks(size, std::max<index>(limits::line_bytes, terms_of_block / std::max<index>(1, terms) / 64 * 64), how, body);
}

// The product of `few`, the shorter one, and `many`, by coefficients of `few` for whole vectors of `many`, in rising
// order of p's coefficients: those of `few` rise if it is p, else they fall.
template <class T>
struct polynomial_product {
  const T* few;
  index few_size;
  const T* many;
  index many_size;
  bool rises;
  T* to;
  const polynomial_kernels<T>& kernels = polynomial_loops<T>();

  // The coefficients of `few` that have a term in element `at`.
  index first(index at) const { return std::max<index>(0, at - many_size + 1); }
  index end(index at) const { return std::min(few_size, at + 1); }

  // Adds the terms of coefficients [from, until) to one element.
  void add_terms(index at, index from, index until) const {
    // Integers of 16 bits would be multiplied as int, which may overflow.
    using wide = std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>;
    wide sum = to[at];
    for (index j = rises ? from : until - 1; from <= j && j < until; j += rises ? 1 : -1)
      sum = sum + lanes::times(wide{few[j]}, wide{many[at - j]});
    to[at] = static_cast<T>(sum);
  }
  // `count` elements, a strip or a vector. Those of `few` that all have a term of are taken for the whole of it.
  void add_vectors(index at, index count) const {
    const index last = at + count - 1, from = first(last), until = end(at);
    if (from >= until) return add_one_by_one(at, count);
    const bool whole = first(at) == from && end(last) == until;
    if (!whole)
      for (index i = at; i <= last; ++i) {
        to[i] = T(0);
        rises ? add_terms(i, first(i), from) : add_terms(i, until, end(i));
      }
    const index begin = rises ? from : until - 1;
    (count == kernels.strip ? kernels.add_strip : kernels.add_vector)(to + at, !whole, few + begin, rises ? 1 : -1,
                                                                      until - from, many + (at - begin));
    if (!whole)
      for (index i = at; i <= last; ++i) rises ? add_terms(i, until, end(i)) : add_terms(i, first(i), from);
  }
  void add_one_by_one(index at, index count) const {
    for (index i = at; i < at + count; ++i) {
      to[i] = T(0);
      add_terms(i, first(i), end(i));
    }
  }
  void run(index at, index last) const {
    for (const index count : {kernels.strip, kernels.vector})
      for (; at + count <= last; at += count) add_vectors(at, count);
    add_one_by_one(at, last - at);
  }
};

}  // namespace

void evaluate_polynomial(dtype type, const void* c, index n, void* x, index size) {
  by_type(real_types{}, type, [&]<class E>() {
    using T = unsigned_if_integer<E>;
    each_block(size, n, sizeof(T), [&](index first, index last) {
      polynomial_loops<T>().evaluate(static_cast<const T*>(c), n, static_cast<T*>(x) + first, last - first);
    });
  });
}

void multiply_polynomials(dtype type, const void* p, index n, const void* q, index m, void* to) {
  by_type(real_types{}, type, [&]<class E>() {
    using T = unsigned_if_integer<E>;
    const bool rises = n <= m;
    const polynomial_product<T> product{static_cast<const T*>(rises ? p : q),
                                        rises ? n : m,
                                        static_cast<const T*>(rises ? q : p),
                                        rises ? m : n,
                                        rises,
                                        static_cast<T*>(to)};
    each_block(n + m - 1, product.few_size, sizeof(T), [&](index first, index last) { product.run(first, last); });
  });
}

}  // namespace broadloom::runtime
