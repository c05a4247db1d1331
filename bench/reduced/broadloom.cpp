// Broadloom's rows, plain -O2.
#include "rows.hpp"

#include <broadloom/broadloom.hpp>

#include <memory>

namespace bench_reduced {

namespace {

namespace bl = broadloom;

template <class T>
struct operands {
  bl::dtensor<T, 2> a, c;
  bl::dtensor<T, 1> row;

  operands(long rows, long columns) : a(rows, columns), c(rows, columns), row(columns) {
    for (long i = 0; i < rows * columns; ++i) {
      a.data()[i] = number<T>(i, 0);
      c.data()[i] = number<T>(i, 1);
    }
    for (long i = 0; i < columns; ++i) row.data()[i] = number<T>(i, 2);
  }
};

// e(operands, axes...) of all elements, of rows and of columns.
template <class T>
class list {
 public:
  explicit list(std::shared_ptr<operands<T>> x) : x_(std::move(x)) {}

  template <class E>
  void add(const char* name, const E& e) {
    whole_.push_back({std::string("whole ") + name, [x = x_, e] { used = static_cast<double>(e(*x)()); }});
    rows_.push_back({std::string("rows ") + name, along(e, bl::axes<1>)});
    columns_.push_back({std::string("columns ") + name, along(e, bl::axes<0>)});
  }
  std::vector<row> all() const {
    std::vector<row> r = whole_;
    r.insert(r.end(), rows_.begin(), rows_.end());
    r.insert(r.end(), columns_.begin(), columns_.end());
    return r;
  }

 private:
  template <class E, class Axes>
  std::function<void()> along(const E& e, const Axes& axes) const {
    auto out = std::make_shared<decltype(bl::eval(e(*x_, axes)))>(bl::eval(e(*x_, axes)));
    return [x = x_, e, axes, out] {
      *out = e(*x, axes);
      used = static_cast<double>(out->data()[0]);
    };
  }

  std::shared_ptr<operands<T>> x_;
  std::vector<row> whole_, rows_, columns_;
};

}  // namespace

template <class T>
std::vector<row> rows_of_broadloom(long rows, long columns) {
  list<T> r(std::make_shared<operands<T>>(rows, columns));
  r.add("sum(a)", [](const auto& x, const auto&... o) { return bl::sum(x.a, o...); });
  r.add("sum(a * c)", [](const auto& x, const auto&... o) { return bl::sum(x.a * x.c, o...); });
  r.add("sum(square(a - c))", [](const auto& x, const auto&... o) { return bl::sum(bl::square(x.a - x.c), o...); });
  r.add("sum(square(a - row))", [](const auto& x, const auto&... o) { return bl::sum(bl::square(x.a - x.row), o...); });
  r.add("amax(a)", [](const auto& x, const auto&... o) { return bl::amax(x.a, o...); });
  r.add("amax(abs(a - c))", [](const auto& x, const auto&... o) { return bl::amax(bl::abs(x.a - x.c), o...); });
  r.add("amin(a - c)", [](const auto& x, const auto&... o) { return bl::amin(x.a - x.c, o...); });
  r.add("prod(a + h)", [](const auto& x, const auto&... o) { return bl::prod(x.a + half<T>, o...); });
  r.add("any(a > c + m)", [](const auto& x, const auto&... o) { return bl::any(x.a > x.c + beyond<T>, o...); });
  r.add("count_nonzero(a > c)", [](const auto& x, const auto&... o) { return bl::count_nonzero(x.a > x.c, o...); });
  if constexpr (std::is_floating_point_v<T>) {
    r.add("mean(a * c)", [](const auto& x, const auto&... o) { return bl::mean(x.a * x.c, o...); });
    r.add("norm(a - c)", [](const auto& x, const auto&... o) { return bl::norm(x.a - x.c, o...); });
    r.add("var(a)", [](const auto& x, const auto&... o) { return bl::var(x.a, o...); });
    r.add("logsumexp(a)", [](const auto& x, const auto&... o) { return bl::logsumexp(x.a, o...); });
  }
  return r.all();
}
template std::vector<row> rows_of_broadloom<float>(long, long);
template std::vector<row> rows_of_broadloom<double>(long, long);
template std::vector<row> rows_of_broadloom<int>(long, long);

}  // namespace bench_reduced
