// One evaluation of each family of functions, for the tests that let memory, stacks and processes fail under them.
#pragma once

#include <broadloom/broadloom.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
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

// All of them, from families.cpp.
std::span<const family> all_families();

}  // namespace fault
