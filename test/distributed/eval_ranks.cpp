// Expressions over distributed arrays beside the same expressions in one process: equal bits, for each number of ranks.
#include "ranks.hpp"

using namespace bl::literals;

namespace {

using rows_and = bl::shape<bl::size<"rows">, bl::dyn>;

// Numbers of both signs and many sizes, the same on each rank.
template <class T>
bl::tensor<T, rows_and> numbers(bl::index rows, bl::index columns, unsigned seed) {
  bl::tensor<T, rows_and> x(rows, columns);
  std::uint32_t s = seed * 2654435761u + 12345u;
  for (bl::index i = 0; i < rows * columns; ++i) {
    s = s * 1664525u + 1013904223u;
    const auto u = static_cast<double>(s >> 8) / 16777216.0 - 0.5;
    x.data()[i] = static_cast<T>(std::is_integral_v<T> ? u * 2000 : u * ((s & 15) == 0 ? 1000.0 : 1.0));
  }
  return x;
}

template <class T>
struct arrays {
  bl::tensor<T, rows_and> x, y;
  bl::tensor<T, bl::shape<bl::size<"rows">>> v;
  dist::tensor<T, rows_and> dx, dy;
  dist::tensor<T, bl::shape<bl::size<"rows">>> dv;

  arrays(const dist::block_map& m, bl::index columns)
      : x(numbers<T>(m.rows(), columns, 1)),
        y(numbers<T>(m.rows(), columns, 2)),
        v(m.rows()),
        dx(m, columns),
        dy(m, columns),
        dv(m) {
    for (bl::index i = 0; i < m.rows(); ++i) v(i) = static_cast<T>(i % 17 + 1);
    dist::assign(dx, x);
    dist::assign(dy, y);
    dist::assign(dv, v);
  }
  // f of the distributed arrays and of the whole ones.
  template <class F>
  void same(const char* what, const F& f) const {
    const auto& c = dx.map().comm();
    const auto found = dist::eval(f(dx, dy, dv));
    const bl::tensor wanted = f(x, y, v);
    ranks::same(what, found, wanted, c);
  }
};

void floats(const dist::block_map& m, bl::index columns) {
  const arrays<float> a(m, columns);
  bl::tensor<float, bl::shape<bl::dyn>> row(columns);
  for (bl::index j = 0; j < columns; ++j) row(j) = static_cast<float>(j) - 1.5f;
  a.same("pointwise", [&](const auto& x, const auto& y, const auto& v) {
    return bl::where(x > y, bl::exp(x - row), bl::sqrt(bl::abs(y))) * bl::unsqueeze(v, 1_c) + 2;
  });
  a.same("softmax of rows", [](const auto& x, const auto&, const auto&) { return bl::softmax(x, 1_c); });
  a.same("sum", [](const auto& x, const auto& y, const auto&) { return bl::sum(x * y + 1, 0_c); });
  a.same("sum of all", [](const auto& x, const auto&, const auto&) { return bl::sum(x); });
  a.same("sum of a vector", [](const auto&, const auto&, const auto& v) { return bl::sum(v / 3, 0_c, bl::keepdim); });
  a.same("standardised",
         [](const auto& x, const auto&, const auto&) { return (x - bl::mean(x, 0_c)) / (bl::std(x, 0_c) + 1); });
  a.same("columns", [](const auto& x, const auto& y, const auto&) {
    return x(bl::all, bl::range(1, -1)) * y(bl::all, bl::range(0, -2));
  });
  a.same("sum of softmax", [](const auto& x, const auto&, const auto&) { return bl::sum(bl::softmax(x, 1_c), 0_c); });
  a.same("in f64", [](const auto& x, const auto&, const auto&) { return bl::sum(x, 0_c, bl::accumulate_in<double>); });
  a.same("any", [](const auto& x, const auto& y, const auto&) { return bl::any(x > y * 400, 0_c); });
  a.same("count", [](const auto& x, const auto& y, const auto&) { return bl::count_nonzero(x > y, 0_c); });
  if (m.rows() == 0) return;  // there is no maximum
  a.same("softmax", [](const auto& x, const auto&, const auto&) { return bl::softmax(x * 0.01f, 0_c); });
  a.same("logsumexp", [](const auto& x, const auto&, const auto&) { return bl::logsumexp(x, 0_c); });
  a.same("amax", [](const auto& x, const auto& y, const auto&) { return bl::amax(x - y, 0_c, bl::keepdim) - x; });
  a.same("argmax", [](const auto& x, const auto&, const auto&) { return bl::argmax(bl::floor(x * 4), 0_c); });
  a.same("argmin of all", [](const auto& x, const auto&, const auto&) { return bl::argmin(bl::floor(x * 4)); });
  // The first NaN is before all.
  const float nan = std::numeric_limits<float>::quiet_NaN();
  a.same("argmax of NaN",
         [&](const auto& x, const auto& y, const auto&) { return bl::argmax(bl::where(y > 0.49f, nan, x), 0_c); });
}

void others(const dist::block_map& m) {
  const arrays<double> d(m, 3);
  d.same("f64 sum of all", [](const auto& x, const auto&, const auto&) { return bl::sum(x); });
  d.same("f64 prod", [](const auto& x, const auto&, const auto&) { return bl::prod(bl::exp(x * 0.001), 0_c); });
  const arrays<int> i(m, 4);
  i.same("i32 sum", [](const auto& x, const auto& y, const auto&) { return bl::sum(x - y, 0_c); });
  i.same("i32 quotients", [](const auto& x, const auto&, const auto& v) { return x / bl::unsqueeze(v, 1_c); });
  // Three axes, of which the first and the last are reduced: elements that lie between those of other results.
  using shape3 = bl::shape<bl::size<"rows">, bl::dyn, bl::dyn>;
  bl::tensor<float, shape3> x(m.rows(), 2, 3);
  for (bl::index k = 0; k < x.size(); ++k) x.data()[k] = 1.0f / static_cast<float>(k % 1000 + 1);
  dist::tensor<float, shape3> dx(m, 2, 3);
  dist::assign(dx, x);
  const auto& c = m.comm();
  const auto both = [](const auto& e) { return bl::sum(e * 3, 0_c, 2_c); };
  ranks::same("axes 0 and 2", dist::eval(both(dx)), bl::tensor(both(x)), c);
  const auto middle = [](const auto& e) { return e - bl::mean(e, bl::axes<0, 1>, bl::keepdim); };
  ranks::same("axes 0 and 1", dist::eval(middle(dx)), bl::tensor(middle(x)), c);
}

}  // namespace

int main(int argc, char** argv) {
  return dist::run(argc, argv, [](const dist::communicator& c) {
    for (const bl::index rows : {0, 1, 3, 512, 700, 5000})
      for (const dist::block_map& m : ranks::maps(c, rows)) {
        ranks::circumstances = to_string(m);
        floats(m, rows % 3 + 3);
        others(m);
      }
    ranks::finish(c);
  });
}
