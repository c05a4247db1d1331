// Reductions and running ones of complex numbers against the table of exact values and error bounds, and of NumPy's and
// PyTorch's special values (test/data/complex_reduce_cases.tsv; its generator says what a line means).
// Build: seldom
#include <cmath>
#include <complex>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>

namespace {

namespace bl = broadloom;

std::vector<std::string> split(const std::string& s, char at) {
  std::vector<std::string> r;
  std::istringstream in(s);
  for (std::string w; std::getline(in, w, at);) r.push_back(w);
  return r;
}
std::vector<bl::index> integers(const std::string& s) {
  std::vector<bl::index> r;
  if (s != "-")
    for (const std::string& w : split(s, ',')) r.push_back(std::stoll(w));
  return r;
}

bool right(const std::string& wanted, double x) {
  if (wanted == "nan") return std::isnan(x);
  const std::size_t at = wanted.find('~');
  const double y = std::stod(wanted);
  return x == y || std::abs(x - y) <= (at == std::string::npos ? 0 : std::stod(wanted.substr(at + 1)));
}

struct outcome {
  std::string type;
  std::vector<bl::index> extents;
  std::vector<std::vector<double>> elements;
};
template <class E>
outcome evaluated(const E& e) {
  using T = typename E::value_type;
  constexpr int rank = E::shape_type::axes_count;
  const bl::dtensor<T, rank> r = e;
  outcome o;
  for (int a = 0; a < rank; ++a) o.extents.push_back(r.shape()[a]);
  for (bl::index i = 0; i < r.size(); ++i)
    if constexpr (std::is_floating_point_v<T>) {
      o.type = sizeof(T) == 4 ? "f32" : "f64";
      o.elements.push_back({static_cast<double>(r.data()[i])});
    } else {
      o.type = sizeof(T) == 8 ? "c64" : "c128";
      o.elements.push_back({static_cast<double>(r.data()[i].real()), static_cast<double>(r.data()[i].imag())});
    }
  return o;
}

// All elements, along an axis, or keeping it.
template <class X, class F>
outcome called(const F& f, const X& x, const std::string& axis, bool keep) {
  if (axis == "all") return evaluated(f(x));
  const bl::index a = std::stoll(axis);
  return keep ? evaluated(f(x, a, bl::keepdim)) : evaluated(f(x, a));
}

template <class T, int R>
outcome computed(const std::vector<std::string>& w, const std::vector<std::complex<T>>& memory) {
  const std::vector<bl::index> e = integers(w[5]), s = integers(w[6]);
  bl::detail::indices<R> extents{}, strides{};
  for (int i = 0; i < R; ++i) {
    extents[i] = e[static_cast<std::size_t>(i)];
    strides[i] = s[static_cast<std::size_t>(i)];
  }
  const bl::view<const std::complex<T>, bl::dshape<R>> x(
      memory.data() + std::stoll(w[7]), bl::dshape<R>::unchecked(extents), bl::dyn_strides<R>{strides});
  const bool keep = w[4] == "1";
  const double p = std::stod(w[2]);
  if (w[0] == "sum") return called([](const auto&... a) { return bl::sum(a...); }, x, w[3], keep);
  if (w[0] == "prod") return called([](const auto&... a) { return bl::prod(a...); }, x, w[3], keep);
  if (w[0] == "mean") return called([](const auto&... a) { return bl::mean(a...); }, x, w[3], keep);
  if (w[0] == "var") return called([p](const auto&... a) { return bl::var(a..., bl::correction{p}); }, x, w[3], keep);
  if (w[0] == "std") return called([p](const auto&... a) { return bl::std(a..., bl::correction{p}); }, x, w[3], keep);
  if (w[0] == "norm")
    return called([p](const auto& y, const auto&... a) { return bl::norm(y, p, a...); }, x, w[3], keep);
  const bl::index axis = std::stoll(w[3]);
  return w[0] == "cumsum" ? evaluated(bl::cumsum(x, axis)) : evaluated(bl::cumprod(x, axis));
}

template <class T>
void check(const char* type) {
  std::ifstream file("test/data/complex_reduce_cases.tsv");
  std::vector<std::complex<T>> memory;
  int count = 0;
  for (std::string text; std::getline(file, text);) {
    const std::vector<std::string> w = split(text, '\t');
    if (w[1] != type) continue;
    if (w[0] == "data") {
      memory.clear();
      for (const std::string& x : split(w[2], ' ')) {
        const std::vector<std::string> parts = split(x, ',');
        memory.emplace_back(static_cast<T>(std::stod(parts[0])), static_cast<T>(std::stod(parts[1])));
      }
      continue;
    }
    ++count;
    const std::size_t rank = integers(w[5]).size();
    const outcome o = rank == 1   ? computed<T, 1>(w, memory)
                      : rank == 2 ? computed<T, 2>(w, memory)
                                  : computed<T, 3>(w, memory);
    BOOST_TEST_CONTEXT(text.substr(0, 200)) {
      const std::vector<std::string> wanted = w.size() > 10 ? split(w[10], ' ') : std::vector<std::string>();
      BOOST_TEST(o.extents == integers(w[9]), boost::test_tools::per_element());
      BOOST_REQUIRE_EQUAL(o.elements.size(), wanted.size());
      if (!wanted.empty()) BOOST_TEST(o.type == w[8]);
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        const std::vector<std::string> parts = split(wanted[i], ',');
        BOOST_REQUIRE_EQUAL(parts.size(), o.elements[i].size());
        for (std::size_t k = 0; k < parts.size(); ++k)
          if (!right(parts[k], o.elements[i][k]))
            BOOST_ERROR("element " << i << ": " << o.elements[i][k] << " instead of " << parts[k]);
      }
    }
  }
  BOOST_TEST(count > 900);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_complex_table)

BOOST_AUTO_TEST_CASE(of_c64) { check<float>("c64"); }
BOOST_AUTO_TEST_CASE(of_c128) { check<double>("c128"); }

BOOST_AUTO_TEST_SUITE_END()
