// One evaluation of each family of functions, for the tests that let memory, stacks and processes fail under them.
#pragma once

#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace fault {

namespace bl = broadloom;

// The operands, and outputs that exist before.
struct arrays {
  explicit arrays(bl::index n)
      : m(n, n), v(n), at(n), big(n, n), out(n, n), out2(n, n), row(n), wide(n, 2 * n), counts(n, n) {
    for (bl::index i = 0; i < n; ++i) {
      v(i) = static_cast<float>(i % 7) + 1;
      at(i) = (i * 5) % n;
      for (bl::index j = 0; j < n; ++j) {
        m(i, j) = static_cast<float>((i * 3 + j * 5) % 11) * 0.25f + (i == j ? 9.f : 0.f);
        big(i, j) = m(i, j) * 2;
        counts(i, j) = (i + j) % n;
      }
    }
    reset();
  }
  void reset() {
    for (float& x : elements(out)) x = -77;
    for (float& x : elements(out2)) x = -77;
    for (float& x : elements(row)) x = -77;
    for (float& x : elements(wide)) x = -77;
  }
  // No element was written.
  bool untouched() {
    for (auto list : {elements(out), elements(out2), elements(row), elements(wide)})
      for (const float x : list)
        if (x != -77) return false;
    return true;
  }
  // Each output is as it was before, or as in these results.
  bool whole_or_untouched(const std::vector<float>& wanted) {
    std::size_t k = 0;
    for (auto list : {elements(out), elements(out2), elements(row), elements(wide)}) {
      bool before = true, after = true;
      for (const float x : list) {
        before = before && x == -77;
        after = after && x == wanted[k++];
      }
      if (!before && !after) return false;
    }
    return true;
  }
  // What the outputs hold now.
  std::vector<float> results() {
    std::vector<float> all;
    for (auto list : {elements(out), elements(out2), elements(row), elements(wide)})
      all.insert(all.end(), list.begin(), list.end());
    return all;
  }

  bl::dtensor<float, 2> m;
  bl::dtensor<float, 1> v;
  bl::dtensor<std::int64_t, 1> at;
  bl::dtensor<float, 2> big, out, out2;
  bl::dtensor<float, 1> row;
  bl::dtensor<float, 2> wide;
  bl::dtensor<std::int64_t, 2> counts;
  double result = 0;  // of what gives no array

 private:
  template <class A>
  static std::span<float> elements(A& a) {
    return {a.data(), static_cast<std::size_t>(a.size())};
  }
};

struct family {
  const char* name;
  void (*run)(arrays&, const bl::policy&);
  bool one_by_one = false;  // several outputs, of which some may be there when memory runs out for another
};

inline const family families[] = {
    {"pointwise", [](arrays& a, const bl::policy& p) { bl::assign(a.out, a.m * a.v + bl::exp(a.big), p); }},
    {"transposed", [](arrays& a, const bl::policy& p) { bl::assign(a.out, a.m.as_view().T() + a.big, p); }},
    {"over itself",
     [](arrays& a, const bl::policy& p) {
       bl::assign(a.out, bl::where(a.out == -77, a.m, a.out) + bl::where(a.out == -77, a.m, a.out).T(), p);
     }},
    {"row sums", [](arrays& a, const bl::policy& p) { bl::assign(a.row, bl::sum(a.m * a.big, bl::axes<1>), p); }},
    {"column means", [](arrays& a, const bl::policy& p) { bl::assign(a.row, bl::mean(a.m + 1, bl::axes<0>), p); }},
    {"softmax", [](arrays& a, const bl::policy& p) { bl::assign(a.out, bl::softmax(a.m, 1), p); }},
    {"variance",
     [](arrays& a, const bl::policy& p) {
       bl::assign(a.out, (a.m - bl::mean(a.m, bl::axes<0>)) / bl::std(a.m, bl::axes<0>), p);
     }},
    {"let",
     [](arrays& a, const bl::policy& p) {
       const auto t = bl::let(bl::exp(a.m * 0.125f));
       bl::assign(a.out, t * t + bl::sum(t, bl::axes<1>, bl::keepdim), p);
     }},
    {"cumsum", [](arrays& a, const bl::policy& p) { bl::assign(a.out, bl::cumsum(a.m, 0), p); }},
    {"matmul", [](arrays& a, const bl::policy& p) { bl::assign(a.out, bl::matmul(a.m, a.big), p); }},
    {"matmul and bias",
     [](arrays& a, const bl::policy& p) { bl::assign(a.out, bl::relu(bl::matmul(a.m + 1, a.big) + a.v), p); }},
    {"einsum", [](arrays& a, const bl::policy& p) { bl::assign(a.row, bl::einsum<"ij,jk,k->i">(a.m, a.big, a.v), p); }},
    {"inverse", [](arrays& a, const bl::policy& p) { bl::assign(a.out, bl::inv(a.m), p); }},
    {"solve", [](arrays& a, const bl::policy& p) { bl::assign(a.row, bl::solve(a.m, a.v), p); }},
    {"lu", [](arrays& a, const bl::policy&) { a.result = bl::lu_factor(a.m).lu(1, 1); }},
    {"qr", [](arrays& a, const bl::policy&) { a.result = bl::qr(a.m).r(1, 1); }},
    {"svd", [](arrays& a, const bl::policy&) { a.result = bl::svd(a.m).s(0); }},
    {"sort", [](arrays& a, const bl::policy& p) { a.result = bl::sort(a.m, 0, false, p).values(1, 1); }},
    {"topk", [](arrays& a, const bl::policy&) { a.result = bl::topk(a.m, 2).values(1, 1); }},
    {"unique", [](arrays& a, const bl::policy&) { a.result = static_cast<double>(bl::unique(a.m).values.size()); }},
    {"gather", [](arrays& a, const bl::policy& p) { bl::assign(a.out, bl::gather(a.m, 1, a.counts) * 2, p); }},
    {"index_select", [](arrays& a, const bl::policy& p) { bl::assign(a.out, bl::index_select(a.m, 0, a.at), p); }},
    {"mask",
     [](arrays& a, const bl::policy&) { a.result = static_cast<double>(bl::masked_select(a.m, a.m > 1).size()); }},
    {"scatter", [](arrays& a, const bl::policy&) { bl::scatter_(a.out, 1, a.counts, a.m); }},
    {"scatter_reduce", [](arrays& a, const bl::policy&) { bl::scatter_add_(a.out, 1, a.counts, a.m); }},
    {"index_add", [](arrays& a, const bl::policy&) { bl::index_add_(a.out, 0, a.at, a.m); }},
    {"cat", [](arrays& a, const bl::policy& p) { bl::assign(a.wide, bl::cat(1, a.m * 2, a.big), p); }},
    {"pad", [](arrays& a, const bl::policy& p) { bl::assign(a.wide, bl::pad(a.m, {a.m.shape()[0], 0}), p); }},
    {"new tensor", [](arrays& a, const bl::policy& p) { a.result = bl::eval(a.m + bl::sum(a.big, 0), p)(1, 1); }},
    {"print", [](arrays& a, const bl::policy&) { a.result = static_cast<double>(bl::to_string(a.m).size()); }},
    {"random",
     [](arrays& a, const bl::policy&) {
       bl::generator g(7);
       a.result = bl::randn<float>(g, a.m.shape())(1, 1);
     }},
    {"assign_all",
     [](arrays& a, const bl::policy&) {
       bl::assign_all(bl::to(a.out, a.m + a.v), bl::to(a.out2, a.m * bl::sum(a.big, bl::axes<0>)));
     },
     true},
};

}  // namespace fault
