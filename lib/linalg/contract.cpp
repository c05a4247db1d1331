// Contractions as stacks of matrix products. Adjacent axes are merged if every operand allows it; three axes become
// those of a matrix product, the rest loops. Products over further summed axes are added one after the other. In a
// fixed order (bl::reproducible), the last summed axis is the product's and the others are taken row-major.
#include <broadloom/linalg/contraction.hpp>

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>

#include "../base/by_type.hpp"
#include "../base/scope.hpp"
#include "product.hpp"

namespace broadloom::runtime {

namespace {

using axis = contracted_axis;

bool in_a(const axis& x) { return x.a != 0; }
bool in_b(const axis& x) { return x.b != 0; }
bool summed(const axis& x) { return x.c < 0; }

// Merges axis x, which is directly outside axis y, with y.
bool mergeable(const axis& x, const axis& y) {
  return x.a == y.a * y.extent && x.b == y.b * y.extent &&
         (summed(x) ? summed(y) : !summed(y) && x.c == y.c * y.extent);
}

bool in_order(const contraction_call& c) { return products_in_force(c.how) == product_order::fixed; }

// An axis of which only a part is computed is not merged, unless it is one of rows only.
std::vector<axis> merged(const contraction_call& c) {
  std::vector<axis> r;
  for (int i = 0; i < c.count; ++i)
    if (c.axes[i].extent != 1) r.push_back(c.axes[i]);
  const bool rows = in_a(c.axes[0]) && !in_b(c.axes[0]);
  const auto whole = [&](const axis& x) {
    return (c.last < 0 || rows || x.c != c.axes[0].c) && !(in_order(c) && summed(x));
  };
  for (bool found = true; found;) {
    found = false;
    for (std::size_t i = 0; i < r.size() && !found; ++i)
      for (std::size_t j = 0; j < r.size() && !found; ++j)
        if (i != j && mergeable(r[i], r[j]) && whole(r[i]) && whole(r[j])) {
          r[j].extent *= r[i].extent;
          r.erase(r.begin() + static_cast<std::ptrdiff_t>(i));
          found = true;
        }
  }
  return r;
}

// Takes the best of the axes that pass the test, or an axis of extent 1 if there is none.
template <class Test, class Better>
axis take(std::vector<axis>& from, const Test& test, const Better& better) {
  int best = -1;
  for (int i = 0; i < static_cast<int>(from.size()); ++i)
    if (test(from[static_cast<std::size_t>(i)]) &&
        (best < 0 || better(from[static_cast<std::size_t>(i)], from[static_cast<std::size_t>(best)])))
      best = i;
  if (best < 0) return {1, 0, 0, 0};
  const axis r = from[static_cast<std::size_t>(best)];
  from.erase(from.begin() + best);
  return r;
}

// The addend of all results, in rows along the last axis.
void write_whole(const contraction_call& c) {
  index results = 1, last = 1;
  for (int i = 0; i < c.count; ++i)
    if (!summed(c.axes[i])) {
      results *= c.axes[i].extent;
      last = c.axes[i].extent;
    }
  c.addend->write(c.addend->object, c.c, results / last, last, last);
}

// `m`: the axis of c that the rows of the product are.
template <class T>
void multiply_floating(const contraction_call& c, product_problem<T>& p, const axis& m) {
  if (p.addend != nullptr && !takes_addend(p)) {
    write_whole(c);
    p.addend = nullptr;
  }
  if (c.last < 0 || c.axes[0].extent == 1) return multiply(p);
  // The axis of the product that the first axis has become.
  const index step = c.axes[0].c;
  if (m.c < step && m.c * m.extent == step * c.axes[0].extent) {
    const index each = step / m.c;
    return multiply_rows(p, c.first * each, c.last * each);
  }
  if (m.c == step && m.extent > 1) {
    if (p.loop_rank == 0) return multiply_rows(p, c.first, c.last);
    p.a.data += c.first * p.a.row_stride;
    p.a.rows = c.last - c.first;
    return multiply(p);
  }
  if (p.loop_rank == 1) return multiply_leading(p, c.first, c.last);
  for (int i = 0; i < p.loop_rank; ++i)
    if (p.c_loop[i] == step) {
      p.loop[i] = c.last - c.first;
      p.a.data += c.first * p.a_loop[i];
      p.b.data += c.first * p.b_loop[i];
    }
  multiply(p);
}

template <class T>
void run_products(const contraction_call& c, std::vector<axis> axes) {
  const auto larger = [](const axis& x, const axis& y) { return x.extent > y.extent; };
  product_problem<T> p;
  // Columns must be contiguous in c.
  const axis n = take(axes, [](const axis& x) { return !summed(x) && in_b(x) && !in_a(x) && x.c == 1; }, larger);
  const axis m = take(axes, [](const axis& x) { return !summed(x) && in_a(x) && !in_b(x); }, larger);
  const axis k = take(
      axes, [](const axis& x) { return summed(x); },
      [&](const axis& x, const axis& y) {
        if (in_order(c)) return true;
        const bool fx = in_a(x) && in_b(x), fy = in_a(y) && in_b(y);
        return fx != fy ? fx : x.extent > y.extent;
      });
  p.a = {static_cast<const T*>(c.a), m.extent, k.extent, m.a, k.a};
  p.b = {static_cast<const T*>(c.b), k.extent, n.extent, k.b, n.b};
  p.c = static_cast<T*>(c.c);
  p.ldc = m.extent == 1 ? n.extent : m.c;
  if constexpr (std::is_integral_v<T>)
    p.alpha = static_cast<T>(c.whole_alpha);
  else if constexpr (detail::is_complex_type<T>)
    p.alpha = T(std::complex<double>(c.alpha, c.alpha_imaginary));
  else
    p.alpha = static_cast<T>(c.alpha);
  p.how = c.how;
  p.accumulate = c.accumulate;
  p.addend = c.addend;
  std::vector<axis> sums;
  for (const axis& x : axes) {
    if (summed(x)) {
      sums.push_back(x);
      p.term_count *= x.extent;
      continue;
    }
    p.loop[p.loop_rank] = x.extent;
    p.a_loop[p.loop_rank] = x.a;
    p.b_loop[p.loop_rank] = x.b;
    p.c_loop[p.loop_rank++] = x.c;
  }
  std::vector<product_term> terms;
  if (p.term_count > 1)
    for (index number = 0; number < p.term_count; ++number) {
      index rest = number;
      product_term at{0, 0};
      for (auto x = sums.rbegin(); x != sums.rend(); ++x) {
        at.a += rest % x->extent * x->a;
        at.b += rest % x->extent * x->b;
        rest /= x->extent;
      }
      terms.push_back(at);
    }
  if (!terms.empty()) p.terms = terms.data();
  if constexpr (std::is_integral_v<T>) {
    if (p.addend != nullptr) write_whole(c);
    return multiply_integers(p);
  } else {
    multiply_floating(c, p, m);
  }
}

// The call for a part of the first axis as one for all of it.
contraction_call part_of(const contraction_call& c, contracted_axis* axes, index bytes) {
  std::copy(c.axes, c.axes + c.count, axes);
  contraction_call part = c;
  part.a = static_cast<const char*>(c.a) + c.first * axes[0].a * bytes;
  part.b = static_cast<const char*>(c.b) + c.first * axes[0].b * bytes;
  axes[0].extent = c.last - c.first;
  part.axes = axes;
  part.last = -1;
  return part;
}

template <class T>
void run_as(const contraction_call& c) {
  index results = 1, terms = 1;
  for (int i = 0; i < c.count; ++i) (summed(c.axes[i]) ? terms : results) *= c.axes[i].extent;
  if (results == 0) return;
  if (terms == 0) {
    if (c.addend != nullptr) write_whole(c);
    if (!c.accumulate) std::memset(c.c, 0, static_cast<std::size_t>(results) * sizeof(T));
    return;
  }
  if constexpr (std::is_integral_v<T>)
    if (c.last >= 0) {
      contracted_axis axes[detail::max_contracted];
      const contraction_call part = part_of(c, axes, sizeof(T));
      return run_products<T>(part, merged(part));
    }
  run_products<T>(c, merged(c));
}

}  // namespace

void contract(const contraction_call& c) {
  by_type(number_types{}, c.type, [&]<class T>() { run_as<T>(c); });
}

}  // namespace broadloom::runtime
