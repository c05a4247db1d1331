// The workloads of indexing as xtensor's users write them.
#include "indexing_xtensor.hpp"

#include <array>
#include <tuple>
#include <vector>

#include <xtensor/xadapt.hpp>
#include <xtensor/xbuilder.hpp>
#include <xtensor/xindex_view.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xsort.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

namespace bench_xtensor {

namespace {

template <class T, std::size_t R>
auto seen(T* data, const std::array<std::size_t, R>& shape) {
  std::size_t n = 1;
  for (std::size_t e : shape) n *= e;
  return xt::adapt(data, n, xt::no_ownership(), shape);
}
template <std::size_t R>
using shape = std::array<std::size_t, R>;

std::vector<std::ptrdiff_t> list(const std::int64_t* at, std::size_t n) { return {at, at + n}; }

// Results are kept until the next one: memory that is given back costs its pages again.
template <class T>
void hold(T&& x) {
  static std::decay_t<T> kept;
  kept = std::forward<T>(x);
}

}  // namespace

void select_rows(const float* x, std::size_t rows, std::size_t columns, const std::int64_t* at, std::size_t n,
                 float* to) {
  auto out = seen(to, shape<2>{n, columns});
  xt::noalias(out) = xt::view(seen(x, shape<2>{rows, columns}), xt::keep(list(at, n)), xt::all());
}

void embedding_bag(const float* table, std::size_t rows, std::size_t columns, const std::int64_t* ids,
                   const float* weights, std::size_t bags, std::size_t each, float* to) {
  auto out = seen(to, shape<2>{bags, columns});
  const xt::xtensor<float, 2> taken =
      xt::view(seen(table, shape<2>{rows, columns}), xt::keep(list(ids, bags * each)), xt::all());
  const auto bag = seen(taken.data(), shape<3>{bags, each, columns});
  const auto w = seen(weights, shape<3>{bags, each, 1});
  xt::noalias(out) = xt::sum(bag * w, {1});
}

void cat(const float* x, const float* y, std::size_t rows, std::size_t columns, float* to) {
  const auto a = seen(x, shape<2>{rows, columns}), b = seen(y, shape<2>{rows, columns});
  auto out = seen(to, shape<2>{4 * rows, columns});
  xt::noalias(out) = xt::concatenate(xt::xtuple(a + b, a * b, a - b, a * 2.f), 0);
}

void sort_rows(const float* x, std::size_t rows, std::size_t columns) {
  const auto a = seen(x, shape<2>{rows, columns});
  hold(xt::xtensor<float, 2>(xt::sort(a, 1)));
  hold(xt::xtensor<std::size_t, 2>(xt::argsort(a, 1)));
}

void top_rows(const float* x, std::size_t rows, std::size_t columns, std::size_t k) {
  const auto a = seen(x, shape<2>{rows, columns});
  const xt::xtensor<float, 2> negative = -a;
  hold(
      xt::xtensor<std::size_t, 2>(xt::view(xt::argpartition(negative, k, 1), xt::all(), xt::range(std::size_t{0}, k))));
}

void select(const float* x, const bool* mask, std::size_t n) {
  hold(xt::xtensor<float, 1>(xt::filter(seen(x, shape<1>{n}), seen(mask, shape<1>{n}))));
}

}  // namespace bench_xtensor
