// What the functions of one element type give, against the tables of what PyTorch gives: test/data/pointwise_cases.tsv,
// and extremal_cases.tsv with the numbers of PyTorch's own tests.
#pragma once

#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <vector>

#include "law/laws.hpp"

namespace law {

// One line of the table.
struct table_line {
  std::vector<std::string> words;
  std::vector<std::string> elements;
};

inline std::vector<table_line> read_table(const std::string& name, const char* type) {
  std::ifstream file("test/data/" + name);
  if (!file) throw std::runtime_error("cannot read test/data/" + name);
  std::vector<table_line> r;
  for (std::string line; std::getline(file, line);) {
    table_line t;
    std::istringstream words(line);
    for (std::string w; std::getline(words, w, '\t');) t.words.push_back(w);
    if (t.words.size() < 4 || t.words[1] != type) continue;
    std::istringstream elements(t.words.back());
    for (std::string e; elements >> e;) t.elements.push_back(e);
    r.push_back(t);
  }
  return r;
}

template <class T>
T element_from(const std::string& hex) {
  const std::uint64_t bits = std::stoull(hex, nullptr, 16);
  T x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

// How far an element may be from PyTorch's, in units of the last place: its functions and ours each have an error of
// their own. Functions that are not named are exact.
inline double allowed_ulps(const std::string& f) {
  static const std::map<std::string, double> list = {
      {"rsqrt", 1},       {"exp", 2},        {"exp2", 2},      {"expm1", 2}, {"log", 2},   {"log2", 2},  {"log10", 2},
      {"log1p", 2},       {"sin", 2},        {"cos", 2},       {"tan", 2},   {"asin", 2},  {"acos", 2},  {"atan", 2},
      {"sinh", 2},        {"cosh", 2},       {"tanh", 2},      {"asinh", 2}, {"acosh", 2}, {"atanh", 2}, {"erf", 2},
      {"erfc", 3},        {"lgamma", 2},     {"pow", 2},       {"atan2", 2}, {"hypot", 2}, {"xlogy", 3}, {"xlog1py", 3},
      {"logaddexp", 2},   {"logaddexp2", 2}, {"entr", 3},      {"silu", 3},  {"elu", 2},   {"celu", 3},  {"selu", 3},
      {"softplus", 3},    {"logsigmoid", 3}, {"logit", 3},     {"ldexp", 1}, {"mish", 4},  {"gelu", 4},  {"sinc", 3},
      {"hardsigmoid", 1}, {"hardswish", 1},  {"tanhshrink", 2}};
  const auto found = list.find(f);
  return found == list.end() ? 0 : found->second;
}

// Where the difference is a decision; docs/internals/decisions.md gives the reasons.
inline bool decided(const std::string& f, const std::vector<double>& x, double ours, double theirs,
                    std::size_t sizeof_result) {
  const bool zeros = ours == 0 && theirs == 0;
  if (f == "maximum" || f == "minimum" || f == "fmax" || f == "fmin" || f == "clamp" || f == "clamp_min" ||
      f == "clamp_max")
    return zeros;
  if (f == "softshrink" || f == "sign" || f == "sgn" || f == "heaviside") return std::isnan(x[0]) && std::isnan(ours);
  if (f == "remainder" && zeros) return true;
  // A step of PyTorch's is infinite or 0.
  const double edge = sizeof_result == 4 ? 1e-35 : 1e-300;
  if (f == "ldexp") return std::isfinite(x[1]) && (!std::isfinite(theirs) || theirs == 0);
  if (f == "lerp" || f == "hardswish") return std::isfinite(ours) && !std::isfinite(theirs);
  if (f == "silu" || f == "mish") return x[0] < -80 && std::abs(ours - theirs) < edge;
  if (f == "sinc" && ours == 0 && std::isfinite(x[0]) && std::isnan(theirs)) return true;
  if (f == "sinc") return std::abs(ours - theirs) <= (sizeof_result == 4 ? 2e-7 : 4e-16);
  // PyTorch's vector code gives NaN where x / y overflows, its f64 code for these is not accurate near 0.
  if (f == "fmod" || f == "remainder" || f == "floor_divide")
    return std::isnan(theirs) && std::isfinite(x[0]) && x[1] != 0;
  const double error = std::abs(ours - theirs), eps = sizeof_result == 4 ? 6e-8 : 1.2e-16;
  // PyTorch adds an exponential to 1 and takes the logarithm of that.
  if ((f == "logaddexp" || f == "logaddexp2") && error <= eps) return true;
  if (f == "elu" || f == "celu" || f == "selu" || f == "logaddexp" || f == "logaddexp2")
    return error <= 1e-12 * std::abs(theirs);
  // What is left of two numbers that are nearly equal.
  if (f == "tanhshrink") return error <= 4 * eps * std::abs(x[0]);
  // PyTorch's rounded argument of erfc costs it some x^2 units: ours is held to the true value.
  if (f == "gelu") {
    const long double truth = x[0] * 0.5L * std::erfc(x[0] * -0.70710678118654752440L);
    return std::abs(ours - truth) <= 8 * static_cast<long double>(eps) * std::abs(truth);
  }
  // PyTorch's are infinite for large arguments.
  if (f == "log1p" || f == "pow") return std::isinf(theirs) && std::isfinite(ours);
  return false;
}

template <class R>
double distance(R a, R b) {
  if constexpr (std::is_floating_point_v<R>) {
    if (a != a || b != b) return a != a && b != b ? 0 : HUGE_VAL;
    if (a == b) return std::signbit(a) == std::signbit(b) ? 0 : HUGE_VAL;
    if (std::isinf(a) || std::isinf(b)) return HUGE_VAL;
    const R size = std::abs(b);
    const R step =
        std::max(std::nextafter(size, std::numeric_limits<R>::infinity()) - size, std::numeric_limits<R>::denorm_min());
    return static_cast<double>(std::abs(a - b) / step);
  } else
    return a == b ? 0 : HUGE_VAL;
}

template <class T, class R>
std::string compare_line(const function& f, const table_line& line, const std::vector<std::vector<T>>& arguments) {
  const std::size_t n = line.elements.size();
  array arrays[4];
  std::vector<bytes> memory;
  const index one = 1;
  for (int k = 0; k < f.arity; ++k) {
    memory.emplace_back(index(n * sizeof(T)), 0);
    for (std::size_t i = 0; i < n; ++i) {
      const T x = arguments[i][static_cast<std::size_t>(k)];
      std::memcpy(memory.back().data() + i * sizeof(T), &x, sizeof x);
    }
  }
  memory.emplace_back(index(n * sizeof(R)), 0);
  for (std::size_t k = 0; k < memory.size(); ++k) arrays[k] = {memory[k].data(), &one};
  f.contiguous(index(n), arrays, bl::seq);
  for (std::size_t i = 0; i < n; ++i) {
    R ours;
    std::memcpy(&ours, memory.back().data() + i * sizeof(R), sizeof(R));
    const R theirs = element_from<R>(line.elements[i]);
    const double off = distance(ours, theirs);
    if (off <= allowed_ulps(f.name)) continue;
    std::vector<double> x;
    for (const T a : arguments[i]) x.push_back(static_cast<double>(a));
    if (decided(f.name, x, static_cast<double>(ours), static_cast<double>(theirs), sizeof(R))) continue;
    std::ostringstream s;
    s.precision(17);
    s << f.name << "(";
    for (std::size_t k = 0; k < x.size(); ++k) s << (k > 0 ? ", " : "") << x[k];
    s << ") of " << bl::to_string(f.in) << " is " << +ours << ", PyTorch's " << +theirs << ", off by " << off;
    return s.str();
  }
  return {};
}

template <class T>
std::vector<T> row_of_values(const std::vector<table_line>& table, const char* which) {
  std::vector<T> r;
  for (const auto& line : table)
    if (line.words[0] == "values" && line.words[2] == which)
      for (const auto& e : line.elements) r.push_back(element_from<T>(e));
  return r;
}

// The arguments of a line, in its order.
template <class T>
std::vector<std::vector<T>> arguments_of(const std::vector<table_line>& table, const std::string& name, int arity) {
  auto xs = row_of_values<T>(table, arity == 1 ? "one" : arity == 2 ? "two" : "three");
  const bool divides = name == "trunc_divide" || name == "floor_divide" || name == "fmod" || name == "remainder";
  auto last = xs;
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    if (divides || name == "gcd" || name == "lcm")
      if constexpr (std::is_signed_v<T>) std::erase(xs, std::numeric_limits<T>::min());
    last = xs;
    if (divides) std::erase(last, T(0));
    if (name == "bitwise_left_shift" || name == "bitwise_right_shift")
      std::erase_if(last, [](T x) { return x < 0 || x >= T(8 * sizeof(T)); });
  }
  std::vector<std::vector<T>> r;
  if (arity == 1)
    for (const T x : xs) r.push_back({x});
  if (arity == 2)
    for (const T x : xs)
      for (const T y : last) r.push_back({x, y});
  if (arity == 3)
    for (const T x : xs)
      for (const T y : xs)
        for (const T z : last) r.push_back({x, y, z});
  return r;
}

// Functions of integers and bool that PyTorch has and we have not: squares of bool are i64 there, and softsign and
// tanhshrink overflow the integer first.
template <class T>
bool refused_here(const std::string& f) {
  if (std::is_same_v<T, bool>) return f == "square" || f == "nan_to_num";
  return std::is_integral_v<T> && (f == "softsign" || f == "tanhshrink");
}

// Compares every line of T's functions; gives what is wrong, and counts lines compared.
template <class T>
std::vector<std::string> compare_table(const std::string& file, const std::vector<function>& functions, int& lines) {
  const auto table = read_table(file, bl::to_string(bl::dtype_of<T>));
  std::vector<std::string> wrong;
  for (const auto& line : table) {
    const std::string& name = line.words[0];
    if (name == "values") continue;
    const function* f = nullptr;
    for (const auto& g : functions)
      if (name == g.name) f = &g;
    const bool refuses = line.words[3] == "error";
    // hardtanh of u8 has a lower bound, 0
    if (refuses) {
      ++lines;
      if (f != nullptr && name != "hardtanh")
        wrong.push_back(name + " of " + line.words[1] + " has a value, but PyTorch refuses it");
      continue;
    }
    if (f == nullptr) {
      if (!refused_here<T>(name)) wrong.push_back("there is no " + name + " of " + line.words[1]);
      continue;
    }
    const auto arguments = arguments_of<T>(table, name, std::stoi(line.words[2]));
    if (arguments.size() != line.elements.size()) {
      wrong.push_back(name + " of " + line.words[1] + " has another number of elements in the table");
      continue;
    }
    ++lines;
    std::string difference = "gives " + std::string(bl::to_string(f->out)) + ", PyTorch's " + line.words[3];
    if (line.words[3] == bl::to_string(f->out)) {
      if (f->out == bl::dtype::b8)
        difference = compare_line<T, bool>(*f, line, arguments);
      else if (f->out == bl::dtype_of<T>)
        difference = compare_line<T, T>(*f, line, arguments);
      else if (f->out == bl::dtype::f64)
        difference = compare_line<T, double>(*f, line, arguments);
      else
        difference = compare_line<T, float>(*f, line, arguments);
    }
    if (!difference.empty()) wrong.push_back(name + ": " + difference);
  }
  return wrong;
}

}  // namespace law
