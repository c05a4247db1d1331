// Reads test/data/index_cases.tsv: what PyTorch and NumPy give for the functions of indexing.
#pragma once

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <broadloom/broadloom.hpp>

namespace index_cases {

namespace bl = broadloom;

template <class X>
inline constexpr int rank_of = std::remove_cvref_t<X>::shape_type::axes_count;

struct array_text {
  std::vector<bl::index> extents;
  std::vector<double> elements;

  int rank() const { return static_cast<int>(extents.size()); }
  template <class T, int Rank>
  bl::dtensor<T, Rank> as() const {
    bl::detail::indices<Rank> x{};
    for (int i = 0; i < Rank; ++i) x[i] = extents[static_cast<std::size_t>(i)];
    bl::dtensor<T, Rank> r(bl::dshape<Rank>::unchecked(x));
    for (std::size_t i = 0; i < elements.size(); ++i) r.data()[i] = static_cast<T>(elements[i]);
    return r;
  }
  // Extents and elements are those of x; NaN equals NaN.
  template <class X>
  bool is(const X& x) const {
    const auto r = bl::eval(x);
    const auto shape = r.shape();
    if (shape.rank() != rank()) return false;
    for (int i = 0; i < rank(); ++i)
      if (shape[i] != extents[static_cast<std::size_t>(i)]) return false;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const auto e = static_cast<double>(r.data()[i]);
      if (!(e == elements[i]) && !(e != e && elements[i] != elements[i])) return false;
    }
    return true;
  }
};

struct line {
  std::string text, function, parameter;
  bl::index axis = 0;
  std::vector<array_text> arrays;
  const array_text& result() const { return arrays.back(); }
};

inline array_text read_array(const std::string& text) {
  array_text a;
  const auto colon = text.find(':');
  std::istringstream extents(text.substr(0, colon)), elements(text.substr(colon + 1));
  for (std::string n; std::getline(extents, n, ',');) a.extents.push_back(std::stol(n));
  for (std::string x; std::getline(elements, x, ',');) a.elements.push_back(std::strtod(x.c_str(), nullptr));
  return a;
}

inline std::vector<line> read(const char* path = "test/data/index_cases.tsv") {
  std::ifstream file(path);
  BOOST_TEST_REQUIRE(file.good());
  std::vector<line> lines;
  for (std::string text; std::getline(file, text);) {
    std::vector<std::string> fields;
    std::istringstream stream(text);
    for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
    line l{text, fields.at(0), fields.at(2), std::stol(fields.at(1)), {}};
    for (std::size_t i = 3; i < fields.size(); ++i) l.arrays.push_back(read_array(fields[i]));
    lines.push_back(l);
  }
  return lines;
}

// Calls f(rank as a constant) for the line's rank, 1 to 3.
template <class F>
void with_rank(int rank, F f) {
  switch (rank) {
    case 1: return f(std::integral_constant<int, 1>{});
    case 2: return f(std::integral_constant<int, 2>{});
    case 3: return f(std::integral_constant<int, 3>{});
    default: BOOST_ERROR("a rank that is not tested: " << rank);
  }
}

// Runs `test(line)`, which returns whether the line holds, for every line of a function; there must be at least
// `least`.
template <class F>
void each(const char* function, int least, F test, const char* path = "test/data/index_cases.tsv") {
  int count = 0;
  for (const line& l : read(path))
    if (l.function == function) {
      BOOST_TEST(test(l), l.text);
      ++count;
    }
  BOOST_TEST(count >= least);
}

template <class F>
void each_order(const char* function, int least, F test) {
  each(function, least, test, "test/data/order_cases.tsv");
}
// The same with the line's first array, of f64, as an argument: test(line, x).
template <class F>
void each_array(const char* function, int least, F test) {
  each_order(function, least, [&](const line& l) {
    bool ok = true;
    with_rank(l.arrays[0].rank(), [&](auto r) { ok = test(l, l.arrays[0].template as<double, decltype(r)::value>()); });
    return ok;
  });
}
inline std::vector<bl::index> list_of(const std::string& text) {
  std::vector<bl::index> r;
  std::istringstream stream(text);
  for (std::string n; std::getline(stream, n, ',');) r.push_back(std::stol(n));
  return r;
}
// The two results of a line, values and indices.
template <class R>
bool both_are(const line& l, const R& r) {
  return l.arrays[l.arrays.size() - 2].is(r.values) && l.result().is(r.indices);
}

// 0, 1, 2 ... and random positions in [low, high).
template <class T, class S>
bl::tensor<T, S> numbered(const S& s) {
  bl::tensor<T, S> r(s);
  for (bl::index i = 0; i < r.size(); ++i) r.data()[i] = static_cast<T>(i);
  return r;
}
template <class I, class S>
bl::tensor<I, S> positions(const S& s, bl::index low, bl::index high, unsigned seed = 7) {
  std::mt19937 chance(seed);
  bl::tensor<I, S> r(s);
  for (bl::index i = 0; i < r.size(); ++i)
    r.data()[i] = static_cast<I>(std::uniform_int_distribution<bl::index>(low, high - 1)(chance));
  return r;
}
template <class A, class B>
bool equal(const A& a, const B& b) {
  const auto x = bl::eval(a);
  const auto y = bl::eval(b);
  return x.shape() == y.shape() && std::equal(x.data(), x.data() + x.size(), y.data());
}

// Calls f and returns what() of the Error it throws; "" if it throws none.
template <class Error, class F>
std::string text_of(F f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}
inline std::string first_line(const std::string& s) { return s.substr(0, s.find('\n')); }

}  // namespace index_cases
