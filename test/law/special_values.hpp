// Signed zeros, infinities, NaN, subnormal numbers and the edges of domains: what C99 and IEEE 754 say of every
// floating function of the catalogue. A function without a line here is an error.
#pragma once

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "law/laws.hpp"
#include "law/special_lines.hpp"

namespace law {

// Both signs of each; edges of the type, of exact integers, and of what exp, sinh, gamma ... can hold.
template <class T>
std::vector<T> special_numbers(int arity) {
  using limits = std::numeric_limits<T>;
  constexpr bool narrow = sizeof(T) == 4;
  constexpr T subnormal = limits::min() - limits::denorm_min(), one = 1, e = limits::epsilon();
  std::vector<T> r{limits::quiet_NaN(), 0, 1, limits::denorm_min(), limits::max(), limits::infinity(), T(2.5), T(0.5)};
  if (arity < 3) {
    const T exact = narrow ? T(1 << 24) : T(std::int64_t{1} << 53);
    r.insert(r.end(), {subnormal, limits::min(), 2 * limits::denorm_min(), limits::min() + limits::denorm_min(),
                       std::nextafter(limits::max(), T(0)), one + e, 2, 3, T(1.5), T(5.5), exact - 1,
                       exact / 2 - T(0.5), T(1e10), T(1.5) * std::sqrt(limits::max()), limits::max() / 2});
  }
  if (arity < 2) {
    r.insert(r.end(), {one - e / 2,
                       T(0.5) - e / 4,
                       T(0.5) + e / 2,
                       T(0.25),
                       e,
                       T(1e-3),
                       T(1e-30),
                       T(3.5),
                       4,
                       5,
                       6,
                       7,
                       T(2.718281828459045L),
                       T(1.5707963267948966L),
                       T(3.141592653589793L),
                       20,
                       T(20.5),
                       40,
                       T(40.5),
                       100,
                       T(1e22),
                       T(1e30),
                       T(0.9999),
                       T(8388607.5),
                       T(8388608.5),
                       T(4503599627370495.5)});
    if (narrow)
      r.insert(r.end(), {T(88.72283), T(88.72284), T(87.33654), T(87.33655), T(103.97), T(103.98), 126,
                         127,         128,         149,         150,         151,       T(38.53),  T(38.54),
                         T(44.8),     T(45.5),     T(89.41598), T(89.41599), T(35.04),  T(35.05),  T(9.19),
                         T(9.2),      T(10.05),    T(10.06),    T(15.9),     T(17.3)});
    else
      r.insert(r.end(), {T(709.782712893383),
                         T(709.782712893385),
                         T(708.396418532264),
                         T(708.396418532265),
                         T(745.13),
                         T(745.14),
                         1022,
                         1023,
                         1024,
                         1074,
                         1075,
                         1076,
                         T(308.25),
                         T(308.26),
                         T(323.3),
                         T(323.4),
                         T(710.47586),
                         T(710.4759),
                         T(171.62),
                         T(171.63),
                         T(26.5),
                         T(26.6),
                         T(27.2),
                         T(27.3),
                         T(36.7),
                         T(184.5)});
  }
  std::vector<T> both;
  for (const T x : r) {
    both.push_back(x);
    both.push_back(-x);
  }
  return both;
}

// Beside the lines of the catalogue: functions that are trees of others.
template <class T>
std::vector<function> composite_functions() {
  std::vector<function> list;
  add_function<T>(list, "sigmoid", bl::sigmoid, std::integer_sequence<int, 0>{});
  add_function<T>(list, "isclose", bl::isclose, std::integer_sequence<int, 0, 1>{});
  add_function<T>(list, "addcmul", bl::addcmul, std::integer_sequence<int, 0, 1, 2>{});
  add_function<T>(list, "addcdiv", bl::addcdiv, std::integer_sequence<int, 0, 1, 2>{});
  return list;
}

template <class T>
double places_between(T a, T b, T size) {
  const T step = size == std::numeric_limits<T>::max()
                     ? size - std::nextafter(size, T(0))
                     : std::nextafter(size, std::numeric_limits<T>::infinity()) - size;
  return static_cast<double>(std::fabs(a - b) / step);
}

// What is wrong with f of all special numbers, in one evaluation; nothing when all is right.
template <class T>
std::string wrong_special_value(const function& f, const special_line<T>& line, bl::policy how, bool is_fast) {
  const auto numbers = special_numbers<T>(f.arity);
  const auto count = static_cast<index>(numbers.size());
  index n = 1;
  for (int k = 0; k < f.arity; ++k) n *= count;
  std::vector<std::vector<T>> x(3, std::vector<T>(static_cast<std::size_t>(n)));
  for (index i = 0; i < n; ++i)
    for (index k = 0, rest = i; k < f.arity; ++k, rest /= count)
      x[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)] = numbers[static_cast<std::size_t>(rest % count)];
  std::vector<unsigned char> out(static_cast<std::size_t>(n * f.out_size));
  array arrays[4];
  const index one = 1;
  for (int k = 0; k < f.arity; ++k) arrays[k] = {x[static_cast<std::size_t>(k)].data(), &one};
  arrays[f.arity] = {out.data(), &one};
  f.contiguous(n, arrays, how);
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    T ours;
    if (f.out == bl::dtype::b8)
      ours = out[i] != 0;
    else
      std::memcpy(&ours, out.data() + i * sizeof(T), sizeof(T));
    const T wanted = line.of(x[0][i], x[1][i], x[2][i]);
    if ((ours != ours && wanted != wanted) || (ours == wanted && std::signbit(ours) == std::signbit(wanted))) continue;
    if (line.kind == special_kind::either_zero && ours == 0 && wanted == 0) continue;
    const bool cancels = line.kind == special_kind::cancels;
    const T size = cancels ? std::fmax(std::fabs(x[0][i]), std::fabs(x[1][i])) : std::fabs(wanted);
    const bool ordinary = std::isfinite(ours) && std::isfinite(wanted) && wanted != 0 &&
                          (cancels || std::signbit(ours) == std::signbit(wanted));
    if (ordinary && line.places > 0 && places_between(ours, wanted, size) <= line.places + (is_fast ? 4 : 0.5))
      continue;
    std::string s = std::string(f.name) + "(";
    char digits[64];
    for (int k = 0; k < f.arity; ++k) {
      std::snprintf(digits, sizeof digits, "%s%.17g", k > 0 ? ", " : "", double(x[static_cast<std::size_t>(k)][i]));
      s += digits;
    }
    std::snprintf(digits, sizeof digits, ") is %.17g, not %.17g", double(ours), double(wanted));
    return s + digits + (is_fast ? ", fast" : "") + ", at " + bl::to_string(rt::active_isa());
  }
  return {};
}

template <class T>
std::vector<std::string> wrong_special_values(std::vector<function> functions) {
  for (const function& f : composite_functions<T>()) functions.push_back(f);
  std::set<std::string> left;
  for (const auto& line : special_lines<T>()) left.insert(line.name);
  std::vector<std::string> wrong;
  for (const function& f : functions) {
    const special_line<T>* line = nullptr;
    for (const auto& l : special_lines<T>())
      if (std::string(l.name) == f.name) line = &l;
    if (line == nullptr || line->arity != f.arity) {
      wrong.push_back("nothing is said of special values of " + std::string(f.name));
      continue;
    }
    left.erase(f.name);
    for (const bl::isa level : levels()) {
      bl::set_isa(level);
      for (const bool is_fast : {false, true}) {
        const std::string w = wrong_special_value<T>(f, *line, is_fast ? bl::seq | bl::fast : bl::seq, is_fast);
        if (!w.empty()) wrong.push_back(w);
      }
    }
  }
  for (const std::string& name : left) wrong.push_back("there is no function " + name);
  return wrong;
}

}  // namespace law
