// What functions of complex numbers give, beside what PyTorch gives (test/data/complex_cases.tsv).
#pragma once

#include <complex>

#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/accuracy_sample.hpp"

namespace complex_table {

namespace bl = broadloom;
using c64 = std::complex<float>;
using c128 = std::complex<double>;

template <class R>
R part_from(const std::string& hex) {
  const std::uint64_t bits = std::stoull(hex, nullptr, 16);
  R x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
template <class T>
T element_from(const std::string& text) {
  if constexpr (std::is_same_v<T, bool>)
    return text != "00";
  else if constexpr (bl::detail::is_complex_type<T>) {
    using R = typename T::value_type;
    const auto comma = text.find(',');
    return {part_from<R>(text.substr(0, comma)), part_from<R>(text.substr(comma + 1))};
  } else
    return part_from<T>(text);
}

struct line {
  std::string name, which, type;
  std::vector<std::string> elements;
  std::string their_error;  // PyTorch's worst, in units of the last place of the result's length; "-" where exact
  std::map<std::size_t, std::string> in_numpy;  // where NumPy, whom PyTorch's tests believe, gives something else
};
inline std::vector<line> read_lines(const std::string& type) {
  std::ifstream file("test/data/complex_cases.tsv");
  BOOST_REQUIRE(file.good());
  std::vector<line> r;
  for (std::string text; std::getline(file, text);) {
    std::istringstream columns(text);
    std::string kind, elements;
    line l;
    std::getline(columns, l.name, '\t');
    std::getline(columns, kind, '\t');
    std::getline(columns, l.which, '\t');
    if (l.name != "values") std::getline(columns, l.type, '\t');
    std::getline(columns, elements, '\t');
    std::istringstream words(elements);
    for (std::string w; words >> w;) l.elements.push_back(w);
    columns >> l.their_error;
    for (std::string w; columns >> w;) {
      const auto at = w.find('=');
      l.in_numpy[std::stoul(w.substr(0, at))] = w.substr(at + 1);
    }
    if (kind == type) r.push_back(l);
  }
  return r;
}

// The lines of test/data/complex_differences.tsv by function, and whether one was needed.
struct difference {
  std::string theirs;
  bool needed = false;
};
inline std::map<std::string, difference> read_differences() {
  std::ifstream file("test/data/complex_differences.tsv");
  BOOST_REQUIRE(file.good());
  std::map<std::string, difference> r;
  for (std::string text; std::getline(file, text);) {
    std::istringstream columns(text);
    std::string name, theirs;
    if (text[0] != '#' && columns >> name >> theirs) r[name] = {theirs};
  }
  return r;
}

inline bool same_bits(double a, double b) {
  return (a != a && b != b) || (a == b && std::signbit(a) == std::signbit(b));
}

template <class T>
bool agree(const T& ours, const T& theirs, double ulps) {
  if constexpr (std::is_same_v<T, bool>)
    return ours == theirs;
  else {
    const c128 a = ours, b = theirs;
    if (same_bits(a.real(), b.real()) && same_bits(a.imag(), b.imag())) return true;
    using R = bl::detail::real_of<T>;
    const R length = static_cast<R>(std::abs(b));
    const R place = std::nextafter(length, std::numeric_limits<R>::infinity()) - length;
    return std::abs(a - b) <= ulps * static_cast<double>(place);
  }
}

template <class C>
struct table_test {
  std::vector<line> lines = read_lines(bl::to_string(bl::dtype_of<C>));
  std::map<std::string, double> our_errors = accuracy_sample::read_table("docs/reference/accuracy.md");
  std::map<std::string, difference> differences = read_differences();
  int compared = 0, refused = 0;

  // PyTorch's result has a part that is NaN, ours has fewer of them, and a line says why.
  template <class T>
  bool decided(const std::string& name, const T& ours, const T& theirs) {
    const auto found = differences.find(name);
    const c128 a = ours, b = theirs;
    const auto nans = [](const c128& z) { return std::isnan(z.real()) + std::isnan(z.imag()); };
    if (found == differences.end() || found->second.theirs != "nan" || nans(a) >= nans(b)) return false;
    return found->second.needed = true;
  }

  // z^w is infinite and turned by an angle whose rounding is at least a radian: which signs the parts have hangs on the
  // last digits of the processor's logarithm.
  template <class T, class... X>
  static bool turned_by_chance(const std::string& name, const T& ours, const T& theirs, const X&... x) {
    if constexpr (sizeof...(X) == 2) {
      if (name != "pow") return false;
      const auto angle = [](const c128& z, const c128& w) {
        return w.real() * std::arg(z) + w.imag() * std::log(std::abs(z));
      };
      const auto infinite = [](const c128& z) { return std::isinf(z.real()) && std::isinf(z.imag()); };
      return infinite(ours) && infinite(theirs) &&
             std::abs(angle(x...)) * std::numeric_limits<bl::detail::real_of<C>>::epsilon() >= 1;
    } else
      return false;
  }

  // How far a result may be from PyTorch's: by the error that docs/reference/accuracy.md has for this function and the
  // one that PyTorch's was measured to have.
  double allowed(const line& l) const {
    if (l.their_error == "-") return 0;
    const auto found = our_errors.find("complex " + l.name + "|" + bl::to_string(bl::dtype_of<C>));
    BOOST_REQUIRE_MESSAGE(found != our_errors.end(), "docs/reference/accuracy.md has no line for " << l.name);
    // The figures are of samples; PyTorch's own numbers lie next to poles and branch points.
    const double beside_poles = l.which == "one" || l.which == "two" || l.which == "special" ? 0 : 2;
    return std::stod(l.their_error) + found->second + beside_poles;
  }

  std::vector<C> arguments(const std::string& which) const {
    for (const line& l : lines)
      if (l.name == "values" && l.which == which) {
        std::vector<C> r;
        for (const auto& e : l.elements) r.push_back(element_from<C>(e));
        return r;
      }
    return {};
  }

  template <class F, class... X>
  void compare(const line& l, const F& f, const X&... x) {
    const auto r = bl::eval(f(x...));
    using T = typename decltype(r)::value_type;
    BOOST_TEST(l.type == bl::to_string(bl::dtype_of<T>), l.name << " gives another type than " << l.type);
    BOOST_REQUIRE(static_cast<bl::index>(l.elements.size()) == r.size());
    ++compared;
    for (bl::index i = 0; i < r.size(); ++i) {
      const T theirs = element_from<T>(l.elements[static_cast<std::size_t>(i)]);
      if (agree(r.data()[i], theirs, allowed(l))) continue;
      const auto other = l.in_numpy.find(static_cast<std::size_t>(i));
      if (other != l.in_numpy.end() && agree(r.data()[i], element_from<T>(other->second), allowed(l))) continue;
      if (decided(l.name, r.data()[i], theirs) || turned_by_chance(l.name, r.data()[i], theirs, x.data()[i]...))
        continue;
      std::ostringstream s;
      s.precision(17);
      s << l.name << " of";
      ((s << ' ' << x.data()[i]), ...);
      s << " is " << r.data()[i] << ", PyTorch's " << theirs;
      if (other != l.in_numpy.end()) s << ", NumPy's " << element_from<T>(other->second);
      BOOST_ERROR(s.str());
    }
  }

  template <class F>
  void one(const char* name, const F& f) {
    for (const line& l : lines) {
      if (l.name != name) continue;
      const auto xs = arguments(l.which);
      const auto x = bl::from(xs, bl::dshape<1>(static_cast<bl::index>(xs.size())));
      if constexpr (requires { f(x); }) {
        BOOST_TEST(l.elements.size() > 0u, name << " is defined here, and PyTorch refuses it");
        compare(l, f, x);
      } else {
        BOOST_TEST(l.type == "error", name << " is refused here, and PyTorch has it");
        ++refused;
      }
    }
  }
  template <class F>
  void two(const char* name, const F& f) {
    for (const line& l : lines) {
      if (l.name != name) continue;
      const auto values = arguments(l.which);
      std::vector<C> xs, ys;
      for (const C& x : values)
        for (const C& y : values) {
          xs.push_back(x);
          ys.push_back(y);
        }
      const bl::dshape<1> n(static_cast<bl::index>(xs.size()));
      const auto x = bl::from(xs, n), y = bl::from(ys, n);
      if constexpr (requires { f(x, y); }) {
        BOOST_TEST(l.elements.size() > 0u, name << " is defined here, and PyTorch refuses it");
        compare(l, f, x, y);
      } else {
        BOOST_TEST(l.type == "error", name << " is refused here, and PyTorch has it");
        ++refused;
      }
    }
  }

  void run() {
#define BROADLOOM_UNARY(NAME, ...) one(#NAME, bl::NAME);
#define BROADLOOM_BINARY(NAME, ...) two(#NAME, bl::NAME);
#define BROADLOOM_BINARY_OPERATOR(NAME, ...) two(#NAME, bl::NAME);
#define BROADLOOM_COMPARISON(NAME, ...) two(#NAME, bl::NAME);
#define BROADLOOM_TERNARY(NAME, ...)
#define BROADLOOM_STRIP1(NAME, ...) one(#NAME, bl::NAME);
#define BROADLOOM_STRIP2(NAME, ...) two(#NAME, bl::NAME);
#include <broadloom/fn/catalogue.def>
#include <broadloom/fn/undefine.hpp>
    one("real", bl::real);
    one("imag", bl::imag);
    one("conj_physical", bl::conj_physical);
    one("isreal", bl::isreal);
    one("sigmoid", bl::sigmoid);
    BOOST_TEST(compared == 201);
    BOOST_TEST(refused == 80);
    for (const auto& [name, difference] : differences)
      BOOST_TEST(difference.needed, "nothing needs the line of " << name);
  }
};

}  // namespace complex_table
