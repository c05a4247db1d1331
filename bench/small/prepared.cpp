// Dynamic arrays of few elements beside Eigen's Map: as they are assigned and as bl::prepare keeps them.
#include "rows.hpp"

#include <broadloom/broadloom.hpp>
#include <broadloom/eval/prepare.hpp>

namespace bench_small {
namespace {

namespace bl = broadloom;

constexpr bound as_assigned{10, 0}, as_prepared{1.3, 1}, broadcast{1.5, 1};

template <class T>
void element_rows(const char* type, int n) {
  using map = Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>>;
  const std::string name = std::string(type) + " " + std::to_string(n) + " a + b c";
  bl::dtensor<T, 1> a(n), b(n), c(n), o(n);
  for (int i = 0; i < n; ++i) {
    a(i) = T(i) / 3;
    b(i) = T(i % 7);
    c(i) = T(2);
  }
  map x(a.data(), n), y(b.data(), n), z(c.data(), n), w(o.data(), n);
  const auto theirs = [&] { w = x + y * z, touch(w, x, y, z); };
  row(as_assigned, name, [&] { bl::assign(o, a + b * c), touch(o, a, b, c); }, theirs);
  auto step = bl::prepare(o, a + b * c);
  row(as_prepared, name + ", prepared", [&] { step(), touch(o, a, b, c); }, theirs);
}
template <class T>
void outer_rows(const char* type, int m, int n) {
  const std::string name = std::string(type) + " (" + std::to_string(m) + ",1)+(1," + std::to_string(n) + ")";
  bl::dtensor<T, 2> a(m, 1), b(1, n), o(m, n);
  for (int i = 0; i < m; ++i) a(i, 0) = T(i);
  for (int i = 0; i < n; ++i) b(0, i) = T(i) / 3;
  const Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, 1>> x(a.data(), m);
  const Eigen::Map<const Eigen::Array<T, 1, Eigen::Dynamic, Eigen::RowMajor>> y(b.data(), n);
  Eigen::Map<Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> w(o.data(), m, n);
  const auto theirs = [&] { w = x.replicate(1, y.size()).rowwise() + y, touch(w, x, y); };
  row(as_assigned, name, [&] { bl::assign(o, a + b), touch(o, a, b); }, theirs);
  auto step = bl::prepare(o, a + b);
  row(broadcast, name + ", prepared", [&] { step(), touch(o, a, b); }, theirs);
}

}  // namespace

void prepared() {
  for (const int n : {1, 3, 4, 5, 7, 8, 16, 17, 64, 256, 1024}) element_rows<float>("f32", n);
  for (const int n : {4, 16, 64}) element_rows<double>("f64", n);
  for (const int n : {3, 4, 8, 16, 64}) outer_rows<float>("f32", 8, n);
}

}  // namespace bench_small
