// Reductions against the table of exact values, error bounds and PyTorch's shapes, types and sentences
// (test/data/reduce_cases.tsv; its generator says what a line means). Axes and views are chosen at run time, so that a
// function has few instances.
#pragma once

#include <broadloom/broadloom.hpp>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

// A case for each element type of the table.
#define TABLE_CASES(CHECK)                                \
  BOOST_AUTO_TEST_CASE(of_bool) { CHECK<bool>(); }        \
  BOOST_AUTO_TEST_CASE(of_u8) { CHECK<std::uint8_t>(); }  \
  BOOST_AUTO_TEST_CASE(of_i8) { CHECK<std::int8_t>(); }   \
  BOOST_AUTO_TEST_CASE(of_i16) { CHECK<std::int16_t>(); } \
  BOOST_AUTO_TEST_CASE(of_i32) { CHECK<std::int32_t>(); } \
  BOOST_AUTO_TEST_CASE(of_i64) { CHECK<std::int64_t>(); } \
  BOOST_AUTO_TEST_CASE(of_f32) { CHECK<float>(); }        \
  BOOST_AUTO_TEST_CASE(of_f64) { CHECK<double>(); }

namespace table {

namespace bl = broadloom;

inline std::vector<std::string> split(const std::string& s, char at) {
  std::vector<std::string> r;
  std::istringstream in(s);
  for (std::string w; std::getline(in, w, at);) r.push_back(w);
  return r;
}
// Subnormal numbers, too, which std::stod refuses.
inline double number(const std::string& s) { return std::strtod(s.c_str(), nullptr); }
inline std::vector<bl::index> integers(const std::string& s) {
  std::vector<bl::index> r;
  if (s != "-")
    for (const std::string& w : split(s, ',')) r.push_back(std::stoll(w));
  return r;
}

struct array {
  std::string data;
  std::vector<bl::index> extents, strides;
  bl::index offset = 0;
};
struct line {
  std::string function, view, parameter, axes_text, type, extents_text;
  std::vector<bl::index> axes, extents;
  bool keepdim = false;
  std::string error;
  std::vector<std::string> elements;
  std::string text() const {
    return function + " of " + view + ", parameter " + parameter + ", axes " + axes_text + (keepdim ? ", keepdim" : "");
  }
};

template <class T>
void put(std::vector<char>& to, const T& x) {
  const char* p = reinterpret_cast<const char*>(&x);
  to.insert(to.end(), p, p + sizeof x);
}

template <class T>
const char* name_of() {
  return std::is_same_v<T, bool>           ? "bool"
         : std::is_same_v<T, std::uint8_t> ? "u8"
         : std::is_same_v<T, std::int8_t>  ? "i8"
         : std::is_same_v<T, std::int16_t> ? "i16"
         : std::is_same_v<T, std::int32_t> ? "i32"
         : std::is_same_v<T, std::int64_t> ? "i64"
         : std::is_same_v<T, float>        ? "f32"
                                           : "f64";
}

class contents {
 public:
  contents() {
    std::ifstream file("test/data/reduce_cases.tsv");
    if (!file) throw std::runtime_error("cannot read test/data/reduce_cases.tsv");
    for (std::string text; std::getline(file, text);) {
      const std::vector<std::string> w = split(text, '\t');
      if (w[0] == "data")
        add_data(w);
      else if (w[0] == "view")
        arrays_[w[1]] = {w[2], integers(w[3]), integers(w[4]), std::stoll(w[5])};
      else
        add_line(w);
    }
  }
  const std::vector<line>& lines(const std::string& function) const {
    static const std::vector<line> none;
    const auto found = lines_.find(function);
    return found == lines_.end() ? none : found->second;
  }
  const array& of(const std::string& name) const { return arrays_.at(name); }

  template <class T, int R>
  auto view(const std::string& name) const {
    const array& a = arrays_.at(name);
    bl::detail::indices<R> extents{}, strides{};
    for (int i = 0; i < R; ++i) {
      extents[i] = a.extents[static_cast<std::size_t>(i)];
      strides[i] = a.strides[static_cast<std::size_t>(i)];
    }
    const T* first = reinterpret_cast<const T*>(data_.at(a.data).data());
    return bl::view<const T, bl::dshape<R>>(first + a.offset, bl::dshape<R>::unchecked(extents),
                                            bl::dyn_strides<R>{strides});
  }

 private:
  void add_data(const std::vector<std::string>& w) {
    std::vector<char>& to = data_[w[1]];
    for (const std::string& x : split(w[3], ' ')) {
      if (w[2] == "bool")
        put(to, x == "1");
      else if (w[2] == "u8")
        put(to, static_cast<std::uint8_t>(std::stoi(x)));
      else if (w[2] == "i8")
        put(to, static_cast<std::int8_t>(std::stoi(x)));
      else if (w[2] == "i16")
        put(to, static_cast<std::int16_t>(std::stoi(x)));
      else if (w[2] == "i32")
        put(to, static_cast<std::int32_t>(std::stoll(x)));
      else if (w[2] == "i64")
        put(to, static_cast<std::int64_t>(std::stoll(x)));
      else if (w[2] == "f32")
        put(to, static_cast<float>(number(x)));
      else
        put(to, number(x));
    }
  }
  void add_line(const std::vector<std::string>& w) {
    line l;
    l.function = w[0];
    l.view = w[1];
    l.parameter = w[2];
    l.axes_text = w[3];
    l.axes = integers(w[3]);
    l.keepdim = w[4] == "1";
    l.type = w[5];
    if (l.type == "error")
      l.error = w[6];
    else {
      l.extents = integers(w[6]);
      if (w.size() > 7) l.elements = split(w[7], ' ');
    }
    lines_[l.function].push_back(l);
  }

  std::map<std::string, std::vector<char>> data_;
  std::map<std::string, array> arrays_;
  std::map<std::string, std::vector<line>> lines_;
};
inline const contents& all() {
  static const contents c;
  return c;
}

inline bool right(const std::string& wanted, std::int64_t x) { return std::stoll(wanted) == x; }
inline bool right(const std::string& wanted, double x) {
  if (wanted == "nan") return std::isnan(x);
  if (wanted == "inf" || wanted == "-inf") return x == number(wanted);
  const std::size_t at = wanted.find('~');
  const double bound = at == std::string::npos ? 0 : number(wanted.substr(at + 1));
  return std::abs(x - number(wanted)) <= bound;
}
// A result without its type.
struct outcome {
  const char* type = "";
  std::vector<bl::index> extents;
  std::vector<double> numbers;
  std::vector<std::int64_t> integers;
  bool same_bits = true;  // on another number of threads
};
template <class T>
void set_elements(outcome& o, const T* x, const T* again, std::size_t n) {
  o.type = name_of<T>();
  if constexpr (std::is_floating_point_v<T>)
    o.numbers.assign(x, x + n);
  else
    o.integers.assign(x, x + n);
  o.same_bits = std::memcmp(x, again, n * sizeof(T)) == 0;
}
template <class E>
outcome evaluated(const E& e) {
  using T = typename E::value_type;
  constexpr int rank = E::shape_type::axes_count;
  const bl::dtensor<T, rank> r = bl::eval(e, bl::par.threads(1)), again = bl::eval(e, bl::par.threads(3));
  outcome o;
  for (int i = 0; i < rank; ++i) o.extents.push_back(r.shape()[i]);
  set_elements(o, r.data(), again.data(), static_cast<std::size_t>(r.size()));
  return o;
}

inline void check(const line& l, const outcome& o) {
  BOOST_TEST(l.error == "", "there is no error: " << l.error);
  BOOST_TEST(o.type == l.type);
  BOOST_TEST(o.extents == l.extents, boost::test_tools::per_element());
  BOOST_TEST(o.same_bits);
  BOOST_REQUIRE_EQUAL(o.numbers.size() + o.integers.size(), l.elements.size());
  for (std::size_t i = 0; i < l.elements.size(); ++i)
    if (o.numbers.empty() ? !right(l.elements[i], o.integers[i]) : !right(l.elements[i], o.numbers[i]))
      BOOST_ERROR("element " << i << " is " << (o.numbers.empty() ? static_cast<double>(o.integers[i]) : o.numbers[i])
                             << " instead of " << l.elements[i]);
}
// Calls make(of) and compares its outcome: shape, type and elements, or the sentence of the error.
inline void compare_by(const line& l, outcome (*make)(const void*), const void* of) {
  BOOST_TEST_CONTEXT(l.text()) {
    std::string error;
    outcome o;
    try {
      o = make(of);
    } catch (const std::exception& e) {
      error = e.what();
    }
    if (error.empty()) {
      check(l, o);
      return;
    }
    BOOST_TEST(l.error != "", "the error is: " << error);
    if (!l.error.empty()) BOOST_TEST(error.substr(0, l.error.size()) == l.error);
  }
}
template <class Build>
void compare(const line& l, const Build& build) {
  compare_by(l, [](const void* of) { return evaluated((*static_cast<const Build*>(of))()); }, &build);
}

// Whether the line is about an array of this type and rank.
template <class T, int R>
bool is_for(const line& l) {
  return l.view.substr(0, l.view.find('.')) == name_of<T>() && all().of(l.view).extents.size() == R;
}

// Calls f(array, axes and keepdim ...) as the lines of a function say, for arrays of rank R.
// (a function that takes one axis and nothing else is called with it).
template <class T, int R, int MostAxes = R, class F>
int run(const std::string& function, const std::string& parameter, const F& f) {
  int count = 0;
  for (const line& l : all().lines(function)) {
    if (!is_for<T, R>(l) || (parameter != "" && l.parameter != parameter)) continue;
    ++count;
    const auto x = all().view<T, R>(l.view);
    const std::vector<bl::index>& a = l.axes;
    if constexpr (std::is_invocable_v<F, decltype(x)>) {
      if (a.empty()) compare(l, [&] { return f(x); });
      if (a.size() == 1 && l.keepdim) compare(l, [&] { return f(x, a[0], bl::keepdim); });
    }
    if (a.size() == 1 && !l.keepdim) compare(l, [&] { return f(x, a[0]); });
    if constexpr (MostAxes >= 2) {
      if (a.size() == 2 && !l.keepdim) compare(l, [&] { return f(x, a[0], a[1]); });
      if (a.size() == 2 && l.keepdim) compare(l, [&] { return f(x, bl::keepdim, a[0], a[1]); });
    }
    if constexpr (MostAxes >= 3) {
      if (a.size() == 3 && !l.keepdim) compare(l, [&] { return f(x, a[0], a[1], a[2]); });
      if (a.size() == 3 && l.keepdim) compare(l, [&] { return f(x, a[0], bl::keepdim, a[1], a[2]); });
    }
  }
  return count;
}
// Ranks 0 to 3 of f32, rank 2 of the other types.
template <class T, int MostAxes = 3, class F>
void run_all(const std::string& function, const F& f, const std::string& parameter = "") {
  BOOST_TEST((run<T, 2, (MostAxes < 2 ? MostAxes : 2)>(function, parameter, f)) >= 9);
  if constexpr (std::is_same_v<T, float>) {
    BOOST_TEST((run<T, 0, 1>(function, parameter, f)) >= 2);
    BOOST_TEST((run<T, 1, 1>(function, parameter, f)) >= 9);
    BOOST_TEST((run<T, 3, MostAxes>(function, parameter, f)) >= 9);
  }
}

}  // namespace table
