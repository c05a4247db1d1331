// Eigen's rows, -O3 -march=native: arrays in row-major order, and loops over rows where Eigen's broadcast is slower.
#include "rows.hpp"

#include <Eigen/Dense>

#include <cmath>
#include <memory>

namespace bench_reduced {

template <class T>
std::vector<row> rows_of_eigen(long rows, long columns) {
  using matrix = Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using down = Eigen::Array<T, Eigen::Dynamic, 1>;
  using across = Eigen::Array<T, 1, Eigen::Dynamic>;
  struct operands {
    matrix a, c;
    across w, of_columns;
    down of_rows;
  };
  const auto x = std::make_shared<operands>();
  x->a.resize(rows, columns);
  x->c.resize(rows, columns);
  x->w.resize(columns);
  x->of_columns.resize(columns);
  x->of_rows.resize(rows);
  for (long i = 0; i < rows * columns; ++i) {
    x->a.data()[i] = number<T>(i, 0);
    x->c.data()[i] = number<T>(i, 1);
  }
  for (long i = 0; i < columns; ++i) x->w.data()[i] = number<T>(i, 2);

  std::vector<row> r;
  const auto whole = [&](const char* name, const auto& e) {
    r.push_back({std::string("whole ") + name, [x, e] { used = static_cast<double>(e(*x)); }});
  };
  const auto along_rows = [&](const char* name, const auto& e) {
    r.push_back({std::string("rows ") + name, [x, e] {
                   e(*x, x->of_rows);
                   used = static_cast<double>(x->of_rows(0));
                 }});
  };
  const auto along_columns = [&](const char* name, const auto& e) {
    r.push_back({std::string("columns ") + name, [x, e] {
                   e(*x, x->of_columns);
                   used = static_cast<double>(x->of_columns(0));
                 }});
  };
  whole("sum(a)", [](auto& o) { return o.a.sum(); });
  whole("sum(a * c)", [](auto& o) { return (o.a * o.c).sum(); });
  whole("sum(square(a - c))", [](auto& o) { return (o.a - o.c).square().sum(); });
  whole("sum(square(a - row))", [](auto& o) {
    T s = 0;
    for (long i = 0; i < o.a.rows(); ++i) s += (o.a.row(i) - o.w).square().sum();
    return s;
  });
  whole("amax(a)", [](auto& o) { return o.a.maxCoeff(); });
  whole("amax(abs(a - c))", [](auto& o) { return (o.a - o.c).abs().maxCoeff(); });
  whole("amin(a - c)", [](auto& o) { return (o.a - o.c).minCoeff(); });
  whole("prod(a + h)", [](auto& o) { return (o.a + half<T>).prod(); });
  whole("any(a > c + m)", [](auto& o) { return (o.a > o.c + beyond<T>).any(); });
  whole("count_nonzero(a > c)", [](auto& o) { return (o.a > o.c).count(); });
  if constexpr (std::is_floating_point_v<T>) {
    whole("mean(a * c)", [](auto& o) { return (o.a * o.c).mean(); });
    whole("norm(a - c)", [](auto& o) { return (o.a - o.c).matrix().norm(); });
    whole("var(a)", [](auto& o) { return (o.a - o.a.mean()).square().mean(); });
    whole("logsumexp(a)", [](auto& o) {
      const T m = o.a.maxCoeff();
      return std::log((o.a - m).exp().sum()) + m;
    });
  }
  along_rows("sum(a)", [](auto& o, auto& to) { to = o.a.rowwise().sum(); });
  along_rows("sum(a * c)", [](auto& o, auto& to) { to = (o.a * o.c).rowwise().sum(); });
  along_rows("sum(square(a - c))", [](auto& o, auto& to) { to = (o.a - o.c).square().rowwise().sum(); });
  along_rows("sum(square(a - row))", [](auto& o, auto& to) {
    for (long i = 0; i < o.a.rows(); ++i) to(i) = (o.a.row(i) - o.w).square().sum();
  });
  along_rows("amax(a)", [](auto& o, auto& to) { to = o.a.rowwise().maxCoeff(); });
  along_rows("amax(abs(a - c))", [](auto& o, auto& to) { to = (o.a - o.c).abs().rowwise().maxCoeff(); });
  along_rows("amin(a - c)", [](auto& o, auto& to) { to = (o.a - o.c).rowwise().minCoeff(); });
  along_rows("prod(a + h)", [](auto& o, auto& to) { to = (o.a + half<T>).rowwise().prod(); });
  along_rows("any(a > c + m)", [](auto& o, auto& to) {
    for (long i = 0; i < o.a.rows(); ++i) to(i) = static_cast<T>((o.a.row(i) > o.c.row(i) + beyond<T>).any());
  });
  along_rows("count_nonzero(a > c)", [](auto& o, auto& to) {
    for (long i = 0; i < o.a.rows(); ++i) to(i) = static_cast<T>((o.a.row(i) > o.c.row(i)).count());
  });
  if constexpr (std::is_floating_point_v<T>) {
    along_rows("mean(a * c)", [](auto& o, auto& to) { to = (o.a * o.c).rowwise().mean(); });
    along_rows("norm(a - c)", [](auto& o, auto& to) { to = (o.a - o.c).matrix().rowwise().norm(); });
    along_rows("var(a)", [](auto& o, auto& to) {
      for (long i = 0; i < o.a.rows(); ++i) {
        const T m = o.a.row(i).mean();
        to(i) = (o.a.row(i) - m).square().mean();
      }
    });
    along_rows("logsumexp(a)", [](auto& o, auto& to) {
      for (long i = 0; i < o.a.rows(); ++i) {
        const T m = o.a.row(i).maxCoeff();
        to(i) = std::log((o.a.row(i) - m).exp().sum()) + m;
      }
    });
  }
  along_columns("sum(a)", [](auto& o, auto& to) { to = o.a.colwise().sum(); });
  along_columns("sum(a * c)", [](auto& o, auto& to) { to = (o.a * o.c).colwise().sum(); });
  along_columns("sum(square(a - c))", [](auto& o, auto& to) { to = (o.a - o.c).square().colwise().sum(); });
  along_columns("sum(square(a - row))", [](auto& o, auto& to) {
    to.setZero();
    for (long i = 0; i < o.a.rows(); ++i) to += (o.a.row(i) - o.w).square();
  });
  along_columns("amax(a)", [](auto& o, auto& to) { to = o.a.colwise().maxCoeff(); });
  along_columns("amax(abs(a - c))", [](auto& o, auto& to) { to = (o.a - o.c).abs().colwise().maxCoeff(); });
  along_columns("amin(a - c)", [](auto& o, auto& to) { to = (o.a - o.c).colwise().minCoeff(); });
  along_columns("prod(a + h)", [](auto& o, auto& to) { to = (o.a + half<T>).colwise().prod(); });
  along_columns("any(a > c + m)", [](auto& o, auto& to) {
    to = (o.a.row(0) > o.c.row(0) + beyond<T>).template cast<T>();
    for (long i = 1; i < o.a.rows(); ++i) to = to.max((o.a.row(i) > o.c.row(i) + beyond<T>).template cast<T>());
  });
  along_columns("count_nonzero(a > c)", [](auto& o, auto& to) {
    to.setZero();
    for (long i = 0; i < o.a.rows(); ++i) to += (o.a.row(i) > o.c.row(i)).template cast<T>();
  });
  if constexpr (std::is_floating_point_v<T>) {
    along_columns("mean(a * c)", [](auto& o, auto& to) { to = (o.a * o.c).colwise().mean(); });
    along_columns("norm(a - c)", [](auto& o, auto& to) { to = (o.a - o.c).matrix().colwise().norm(); });
    along_columns("var(a)", [](auto& o, auto& to) {
      const across m = o.a.colwise().mean();
      to.setZero();
      for (long i = 0; i < o.a.rows(); ++i) to += (o.a.row(i) - m).square();
      to /= static_cast<T>(o.a.rows());
    });
    along_columns("logsumexp(a)", [](auto& o, auto& to) {
      const across m = o.a.colwise().maxCoeff();
      to.setZero();
      for (long i = 0; i < o.a.rows(); ++i) to += (o.a.row(i) - m).exp();
      to = to.log() + m;
    });
  }
  return r;
}
template std::vector<row> rows_of_eigen<float>(long, long);
template std::vector<row> rows_of_eigen<double>(long, long);
template std::vector<row> rows_of_eigen<int>(long, long);

}  // namespace bench_reduced
