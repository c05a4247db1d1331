// Running sums, products and extremes over the distributed axis, compensated sums over it, and large trees in a let:
// the bits of one process.
#include "ranks.hpp"

using namespace bl::literals;

namespace {

using rows_and = bl::shape<bl::size<"rows">, bl::dyn>;

template <class T>
bl::tensor<T, rows_and> numbers(bl::index rows, bl::index columns) {
  bl::tensor<T, rows_and> x(rows, columns);
  std::uint32_t s = 20261124u;
  for (bl::index i = 0; i < x.size(); ++i) {
    s = s * 1664525u + 1013904223u;
    const auto u = static_cast<double>(s >> 8) / 16777216.0 - 0.5;
    x.data()[i] = static_cast<T>(std::is_integral_v<T> ? u * 100 : u * ((s & 15) == 0 ? 1e6 : 1.0));
  }
  return x;
}
template <class T>
struct both {
  bl::tensor<T, rows_and> whole;
  dist::tensor<T, rows_and> rows;

  both(const dist::block_map& m, bl::index columns) : whole(numbers<T>(m.rows(), columns)), rows(m, columns) {
    dist::assign(rows, whole);
  }
  template <class F>
  void same(const char* what, const F& f) const {
    ranks::same(what, dist::eval(f(rows)), bl::tensor(f(whole)), rows.map().comm());
  }
};

void scans(const dist::block_map& m, bl::index columns) {
  const both<float> x(m, columns);
  x.same("cumsum", [](const auto& e) { return bl::cumsum(e * 3, 0_c) + e; });
  x.same("cumsum of rows", [](const auto& e) { return bl::cumsum(e, 1); });
  x.same("cumprod", [](const auto& e) { return bl::cumprod(1 + e * 1e-6f, 0) - bl::cumprod(e, 1); });
  x.same("columns of a scan", [](const auto& e) { return bl::cumsum(e, 0_c)(bl::all, bl::range(1, bl::end)) * 2; });
  x.same("a scan of a scan, and its sum",
         [](const auto& e) { return bl::sum(bl::cumsum(bl::cumsum(e, 0_c) / 1000, 0_c), 0_c); });
  const both<int> i(m, columns);
  i.same("cumsum of integers", [](const auto& e) { return bl::cumsum(e, 0_c); });
  i.same("cumprod of integers", [](const auto& e) { return bl::cumprod(e, 0_c); });
}

// Neither commutes nor is associative, and rounds.
struct decayed {
  float operator()(float a, float b) const { return a * 0.75f + b; }
};
void scans_by_callables(const dist::block_map& m, bl::index columns) {
  const both<float> x(m, columns);
  x.same("a scan", [](const auto& e) { return bl::scan(e, 0_c, 2.5f, decayed{}); });
  x.same("a scan of rows", [](const auto& e) { return bl::scan(e * 2, 1, 0.5f, decayed{}) - e; });
  const float by = 0.5f;
  x.same("a scan by a callable with a state", [&](const auto& e) {
    return bl::scan(e + 1, 0, 0.0f, [by](float a, float b) { return (a + b) * by; })(bl::all, bl::range(1, bl::end)) *
           3;
  });
  x.same("a scan of a scan, and its sum", [](const auto& e) {
    return bl::sum(bl::scan(bl::scan(e, 0, 0.0f, decayed{}) - bl::sum(e, 0_c), 0, 1.0f, decayed{}), 0_c) + e;
  });
  const both<int> i(m, columns);
  i.same("a scan of integers", [](const auto& e) { return bl::scan(e, 0, 7, [](int a, int b) { return a * 3 ^ b; }); });
  // What it throws on one rank, all throw.
  std::string text;
  try {
    dist::eval(bl::scan(x.rows, 0, 0.0f, [&](float a, float b) {
      if (m.last() == m.rows() && m.count() > 0) throw std::runtime_error("from the last rows");
      return a + b;
    }));
  } catch (const std::exception& e) {
    text = e.what();
  }
  ranks::check((text.find("from the last rows") != std::string::npos) == (m.rows() > 0), "what a callable throws",
               m.comm());
}

void compensated(const dist::block_map& m, bl::index columns) {
  const both<float> x(m, columns);
  x.same("compensated", [](const auto& e) { return bl::sum(e * e - 1, 0_c, bl::compensated); });
  x.same("compensated mean of all", [](const auto& e) { return bl::mean(e, bl::compensated); });
  x.same("compensated deviation", [](const auto& e) { return e / bl::std(e, 0_c, bl::compensated); });
  const both<double> d(m, 2);
  d.same("compensated, f64", [](const auto& e) { return bl::sum(e, 0_c, bl::keepdim, bl::compensated) + e; });
}

void extremes(const dist::block_map& m, bl::index columns) {
  both<float> x(m, columns);
  // Equal elements, and a NaN in one column.
  x.whole = bl::floor(x.whole * 3);
  if (m.rows() > 2) x.whole(m.rows() / 2, columns - 1) = std::numeric_limits<float>::quiet_NaN();
  dist::assign(x.rows, x.whole);
  const auto high = dist::cummax(x.rows), low = dist::cummin(x.rows);
  const auto wanted_high = bl::cummax(x.whole, 0), wanted_low = bl::cummin(x.whole, 0);
  const auto& c = m.comm();
  ranks::same("cummax", high.values, wanted_high.values, c);
  ranks::same("where the largest is", high.indices, wanted_high.indices, c);
  ranks::same("cummin", low.values, wanted_low.values, c);
  ranks::same("where the smallest is", low.indices, wanted_low.indices, c);
}

}  // namespace

int main(int argc, char** argv) {
  return dist::run(argc, argv, [](const dist::communicator& c) {
    for (const bl::index rows : {0, 1, 3, 515, 2600})
      for (const dist::block_map& m : ranks::maps(c, rows)) {
        ranks::circumstances = to_string(m);
        scans(m, 3);
        scans_by_callables(m, 3);
        compensated(m, 3);
        extremes(m, 2);
      }
    const dist::block_map m(c, 40);
    ranks::circumstances = "wide rows";
    const both<float> wide(m, 700);
    wide.same("cumsum, part by part", [](const auto& e) { return bl::cumsum(e, 0_c); });
    wide.same("a scan, part by part", [](const auto& e) { return bl::scan(e, 0, 0.0f, decayed{}); });
    const both<float> x(m, 3);
    x.same("a let of many arrays", [](const auto& e) {
      return bl::std(bl::exp(e * 1e-6f) * e + e - e / (bl::abs(e) + 1) + bl::sqrt(bl::abs(e)), 0_c);
    });
    ranks::finish(c);
  });
}
