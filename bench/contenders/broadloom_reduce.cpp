// Broadloom's reductions, each workload of bench/reduce.cpp written as one expression.
#include <broadloom/broadloom.hpp>

#include "../contender.hpp"

namespace {

namespace bl = broadloom;
using namespace bl::literals;
using bench::job;
using bench::problem;
using bench::repeat;

template <class T, int R>
using array = bl::view<T, bl::dshape<R>, bl::row_major>;
template <int R>
bl::dshape<R> extents(const bench::shape& s) {
  if constexpr (R == 0) return {};
  if constexpr (R == 1) return bl::dshape<1>{s[0]};
  if constexpr (R == 2) return bl::dshape<2>{s[0], s[1]};
  if constexpr (R == 3) return bl::dshape<3>{s[0], s[1], s[2]};
}
template <int R>
array<const float, R> in(const problem& p, std::size_t k) {
  return {p.in<float>(k), extents<R>(p.shapes[k])};
}
template <int R, class T = float>
array<T, R> out(const problem& p) {
  return {p.out<T>(), extents<R>(p.output_shape)};
}
bl::policy threads(const problem& p) { return bl::par.threads(p.threads); }

}  // namespace

void broadloom_bench_register(bench::registry& r) {
  r.contender(BENCH_NAME, "Broadloom's reductions, GCC " __VERSION__, BENCH_FLAGS);
  r.solves("softmax_rows", [](const problem& p) {
    return repeat(p.threads, [x = in<2>(p, 0), o = out<2>(p), how = threads(p)]() mutable {
      bl::assign(o, bl::softmax(x, 1_c), how);
    });
  });
  r.solves("layer_norm", [](const problem& p) {
    return repeat(p.threads,
                  [x = in<2>(p, 0), g = in<1>(p, 1), h = in<1>(p, 2), o = out<2>(p), how = threads(p)]() mutable {
                    const auto mean = bl::mean(x, 1_c, bl::keepdim);
                    const auto var = bl::var(x, 1_c, bl::keepdim, bl::correction{0});
                    bl::assign(o, (x - mean) * bl::rsqrt(var + 1e-5) * g + h, how);
                  });
  });
  r.solves("normalize", [](const problem& p) {
    return repeat(p.threads,
                  [x = in<1>(p, 0), o = out<1>(p), how = threads(p)]() mutable { bl::assign(o, x / bl::sum(x), how); });
  });
  r.solves("row_sums", [](const problem& p) {
    return repeat(p.threads, [x = in<2>(p, 0), o = out<1>(p), how = threads(p)]() mutable {
      bl::assign(o, bl::sum(x, bl::axes<1>), how);
    });
  });
  r.solves("column_sums", [](const problem& p) {
    return repeat(p.threads, [x = in<2>(p, 0), o = out<1>(p), how = threads(p)]() mutable {
      bl::assign(o, bl::sum(x, bl::axes<0>), how);
    });
  });
  r.solves("full_sum", [](const problem& p) {
    return repeat(p.threads,
                  [x = in<1>(p, 0), o = out<1>(p), how = threads(p)]() mutable { bl::assign(o, bl::sum(x), how); });
  });
  r.solves("square_distance_rows", [](const problem& p) {
    return repeat(p.threads, [a = in<2>(p, 0), b = in<1>(p, 1), o = out<1>(p), how = threads(p)]() mutable {
      bl::assign(o, bl::sum(bl::square(a - b), bl::axes<1>), how);
    });
  });
  r.solves("pairwise", [](const problem& p) {
    const bl::dshape<2> rows{p.shapes[0][0], p.shapes[0][2]}, columns{p.shapes[1][1], p.shapes[1][2]};
    const array<const float, 2> a{p.in<float>(0), rows}, b{p.in<float>(1), columns};
    return repeat(p.threads, [a, b, o = out<2>(p), how = threads(p)]() mutable {
      bl::assign(o, bl::sum(bl::square(bl::unsqueeze(a, 1) - bl::unsqueeze(b, 0)), bl::axes<2>), how);
    });
  });
  r.solves("products_of_pairs", [](const problem& p) {
    const bl::dshape<2> rows{p.shapes[0][0], p.shapes[0][2]}, columns{p.shapes[1][1], p.shapes[1][2]};
    const array<const float, 2> a{p.in<float>(0), rows}, b{p.in<float>(1), columns};
    return repeat(p.threads, [a, b, o = out<2>(p), how = threads(p)]() mutable {
      bl::assign(o, bl::sum(bl::unsqueeze(a, 1) * b, bl::axes<2>), how);
    });
  });
  r.solves("manhattan", [](const problem& p) {
    const bl::dshape<2> rows{p.shapes[0][0], p.shapes[0][2]}, columns{p.shapes[1][1], p.shapes[1][2]};
    const array<const float, 2> a{p.in<float>(0), rows}, b{p.in<float>(1), columns};
    return repeat(p.threads, [a, b, o = out<2>(p), how = threads(p)]() mutable {
      bl::assign(o, bl::sum(bl::abs(bl::unsqueeze(a, 1) - b), bl::axes<2>), how);
    });
  });
  r.solves("argmax_rows", [](const problem& p) {
    return repeat(p.threads, [x = in<2>(p, 0), o = out<1, std::int64_t>(p), how = threads(p)]() mutable {
      bl::assign(o, bl::argmax(x, bl::axes<1>), how);
    });
  });
  r.solves("cumsum_rows", [](const problem& p) {
    return repeat(p.threads, [x = in<2>(p, 0), o = out<2>(p), how = threads(p)]() mutable {
      bl::assign(o, bl::cumsum(x, 1_c), how);
    });
  });
}
