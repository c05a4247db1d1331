// The array standard's special values, test/data/special_rules.tsv: every rule, of every argument that it speaks of, at
// every level. A rule that does not hold here has the result by decision in its last column.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "law/laws.hpp"

namespace law {

struct special_rule {
  std::string line, function, first, second, result;
};

inline std::vector<special_rule> special_rules(const std::string& numbers) {
  std::ifstream file("test/data/special_rules.tsv");
  std::vector<special_rule> r;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> c;
    std::istringstream in(line);
    for (std::string column; std::getline(in, column, '\t');) c.push_back(column);
    if (c.size() >= 5 && c[0] == numbers) r.push_back({line, c[1], c[2], c[3], c.size() > 5 ? c[5] : c[4]});
  }
  return r;
}

// Whether x is what a column says; `other` is the first argument.
template <class R>
bool is_what(const std::string& what, R x, R other) {
  const bool negative = std::signbit(x), is_nan = std::isnan(x), is_finite = std::isfinite(x);
  const bool is_integer = is_finite && x == std::trunc(x), is_odd = is_integer && std::fmod(x, R(2)) != 0;
  if (what == "-" || what == "any") return true;
  if (what == "nan") return is_nan;
  if (what == "number" || what == "any number") return !is_nan;
  if (what == "finite") return is_finite;
  if (what == "inf") return std::isinf(x);
  if (what == "+inf") return std::isinf(x) && !negative;
  if (what == "-inf") return std::isinf(x) && negative;
  if (what == "0") return x == 0;
  if (what == "+0") return x == 0 && !negative;
  if (what == "-0") return x == 0 && negative;
  if (what == "positive") return is_finite && x > 0;
  if (what == "negative") return is_finite && x < 0;
  if (what == "nonzero") return is_finite && x != 0;
  if (what == "integer") return is_integer;
  if (what == "fraction") return is_finite && !is_integer;
  if (what == "half") return is_finite && std::fabs(x) < 1e6 && std::fabs(x - std::trunc(x)) == R(0.5);
  if (what == "odd>0") return is_odd && x > 0;
  if (what == "odd<0") return is_odd && x < 0;
  if (what == "notodd>0") return !is_nan && !is_odd && x > 0;
  if (what == "notodd<0") return !is_nan && !is_odd && x < 0;
  if (what == ">0") return x > 0;
  if (what == "<0") return x < 0;
  if (what == ">1") return x > 1;
  if (what == "<1") return x < 1;
  if (what == "<-1") return x < -1;
  if (what == "1") return x == 1;
  if (what == "-1") return x == -1;
  if (what == "!=1") return x != 1;
  if (what == "|x|>1") return std::fabs(x) > 1;
  if (what == "|x|<1") return std::fabs(x) < 1;
  if (what == "|x|=1") return std::fabs(x) == 1;
  if (what == "=x") return x == other;
  if (what == "=-x") return is_finite && x != 0 && x == -other;
  if (what == "+sign") return !negative;
  if (what == "-sign") return negative;
  throw std::runtime_error("special_rules.tsv: what is " + what);
}

// Whether r is the result that a column names, of arguments x and y; the part of a complex result.
template <class R>
bool is_result(const std::string& name, R r, R x, R y, int part) {
  const auto same = [](R a, R b) { return a == b && std::signbit(a) == std::signbit(b); };
  const auto near = [](R a, long double b) {
    return std::fabs(a - static_cast<R>(b)) <= 8 * std::numeric_limits<R>::epsilon() * std::fabs(static_cast<R>(b));
  };
  constexpr long double pi = 3.14159265358979323846264338327950288L;
  if (name == "any") return true;
  if (name == "nan") return std::isnan(r);
  if (name == "inf") return std::isinf(r);
  if (name == "0") return r == 0;
  if (name == "+0" || name == "-0" || name == "+inf" || name == "-inf") return is_what(name, r, r);
  if (name == "x") return x != x ? r != r : same(r, x);
  if (name == "y") return y != y ? r != r : same(r, y);
  if (name == "-y") return same(r, -y);
  if (name == "|x|") return same(r, std::fabs(x));
  if (name == "|y|") return same(r, std::fabs(y));
  if (name == "-|x|") return same(r, -std::fabs(x));
  if (name == "even") return same(r, std::rint(x));
  if (name == "true") return r == 1;
  if (name == "false") return r == 0;
  if (name == "unit") {
    const long double a = x, b = y, length = std::hypot(a, b);
    return std::fabs(r - (part == 0 ? a : b) / length) < 8 * std::numeric_limits<R>::epsilon();
  }
  if (name == "infcos" || name == "infsin" || name == "0cos" || name == "0sin") {
    const R turned = name.find("cos") != std::string::npos ? std::cos(y) : std::sin(y);
    return same(r, std::copysign(name[0] == 'i' ? std::numeric_limits<R>::infinity() : R(0), turned));
  }
  std::string number = name;
  long double scale = 1;
  if (const auto at = name.find("/ln"); at != std::string::npos) {
    scale = 1 / std::log(std::stold(name.substr(at + 3)));
    number = name.substr(0, at);
  }
  const std::vector<std::pair<std::string, long double>> known{
      {"1", 1},           {"-1", -1},       {"pi", pi},         {"-pi", -pi},          {"pi/2", pi / 2},
      {"-pi/2", -pi / 2}, {"pi/4", pi / 4}, {"-pi/4", -pi / 4}, {"3pi/4", 3 * pi / 4}, {"-3pi/4", -3 * pi / 4}};
  for (const auto& [text, value] : known)
    if (text == number) return near(r, value * scale);
  throw std::runtime_error("special_rules.tsv: what is the result " + name);
}

// Arguments: each kind that a rule may speak of.
template <class R>
std::vector<R> rule_numbers() {
  using limits = std::numeric_limits<R>;
  std::vector<R> r;
  for (const R x : {limits::quiet_NaN(), limits::infinity(), R(0), R(1), R(2), R(3), R(0.5), R(1.5), R(2.5), R(7.25),
                    R(100), limits::denorm_min(), limits::min(), limits::max()}) {
    r.push_back(x);
    r.push_back(-x);
  }
  return r;
}

template <class R>
R result_part(const function& f, const std::vector<unsigned char>& out, std::size_t i, int part) {
  const unsigned char* const at = out.data() + i * static_cast<std::size_t>(f.out_size);
  if (f.out == bl::dtype::b8) return *at;
  R r;
  std::memcpy(&r, at + (f.out_size > int(sizeof(R)) ? static_cast<std::size_t>(part) * sizeof r : 0), sizeof r);
  return r;
}

// What is wrong, and how many cases were looked at. T is real, or complex with the arguments as its parts.
template <class T>
std::vector<std::string> broken_rules(const std::vector<function>& functions, long& cases) {
  constexpr bool of_complex = !std::is_floating_point_v<T>;
  using R = bl::detail::real_of<T>;
  const std::vector<R> numbers = rule_numbers<R>();
  const std::size_t n = numbers.size() * numbers.size();
  std::vector<R> x(n), y(n), parts(2 * n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = parts[2 * i] = numbers[i / numbers.size()];
    y[i] = parts[2 * i + 1] = numbers[i % numbers.size()];
  }
  const index one = 1;
  std::vector<std::string> wrong;
  std::set<std::string> met;
  const auto rules = special_rules(of_complex ? "complex" : "real");
  for (const function& f : functions) {
    if (std::none_of(rules.begin(), rules.end(), [&](const special_rule& r) { return r.function == f.name; })) continue;
    met.insert(f.name);
    std::vector<unsigned char> out(n * static_cast<std::size_t>(f.out_size));
    array arrays[3];
    arrays[0] = {of_complex ? parts.data() : x.data(), &one};
    arrays[1] = {f.arity == 1 ? static_cast<void*>(out.data()) : y.data(), &one};
    arrays[2] = {out.data(), &one};
    for (const bl::isa level : levels()) {
      bl::set_isa(level);
      f.contiguous(static_cast<index>(n), arrays, bl::seq);
      for (const special_rule& rule : rules) {
        if (rule.function != f.name) continue;
        std::istringstream in(rule.result);
        std::string wanted[2];
        in >> wanted[0] >> wanted[1];
        bool any = false, holds = true;
        for (std::size_t i = 0; i < n; ++i) {
          if (!is_what(rule.first, x[i], x[i]) || !is_what(rule.second, y[i], x[i])) continue;
          any = true;
          ++cases;
          for (int part = 0; holds && part < (wanted[1].empty() ? 1 : 2); ++part) {
            const R r = result_part<R>(f, out, i, part);
            if (is_result(wanted[part], r, x[i], y[i], part)) continue;
            holds = false;
            std::ostringstream s;
            s << rule.line << ": of " << x[i] << ", " << y[i] << " part " << part << " is " << r << " at "
              << bl::to_string(level) << (of_complex ? ", complex of " : ", of ") << sizeof(R) << " bytes";
            wrong.push_back(s.str());
          }
        }
        if (!any) wrong.push_back("no argument is what the rule speaks of: " + rule.line);
      }
    }
  }
  for (const special_rule& rule : rules)
    if (met.insert(rule.function).second) wrong.push_back("there is no function " + rule.function);
  return wrong;
}

}  // namespace law
