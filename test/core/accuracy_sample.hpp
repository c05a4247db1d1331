// The arguments at which the accuracy of vector maths is measured: by tools/accuracy.cpp against MPFR, whose table is
// docs/reference/accuracy.md, and by the test that nothing gets worse than that table.
#pragma once

#include <broadloom/core/isa.hpp>
#include <broadloom/core/maths.hpp>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace accuracy_sample {

namespace bl = broadloom;
using bl::runtime::maths1;
using bl::runtime::maths2;

inline constexpr const char* names1[] = {
    "exp",  "exp2", "exp10", "expm1", "log",  "log2",  "log10", "log1p", "cbrt", "sin",  "cos",    "tan",    "asin",
    "acos", "atan", "sinh",  "cosh",  "tanh", "asinh", "acosh", "atanh", "erf",  "erfc", "lgamma", "tgamma", "gelu"};
inline constexpr const char* names2[] = {"pow", "atan2", "hypot", "fmod"};

inline constexpr int size = 6000;

// A third each: any bits, numbers up to 10 and numbers up to 1000 in size; for the gamma functions only the latter two.
template <class T>
std::vector<T> arguments(std::uint64_t seed, bool moderate) {
  std::vector<T> r;
  std::uint64_t state = seed * 2654435761u + 12345;
  while (r.size() < size) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t bits = (state ^ (state >> 33)) * 0xff51afd7ed558ccdu;
    T x;
    const auto unit = static_cast<double>(bits >> 11) / 9007199254740992.0 - 0.5;
    const auto kind = moderate ? 1 + r.size() % 2 : r.size() % 3;
    if (kind == 0) {
      const std::uint64_t shifted = bits >> (64 - 8 * sizeof(T));
      std::memcpy(&x, &shifted, sizeof x);
    } else
      x = static_cast<T>(unit * (kind == 1 ? 20 : 2000));
    if (std::isfinite(x)) r.push_back(x);
  }
  return r;
}

template <class T>
double ulps(T ours, long double wanted) {
  if (std::isnan(wanted) || std::isinf(static_cast<T>(wanted)) || std::isinf(wanted))
    return 0;  // another test's matter
  if (std::isnan(ours)) return std::numeric_limits<double>::infinity();
  const T size_of = std::abs(static_cast<T>(wanted));
  const T up = std::nextafter(size_of, std::numeric_limits<T>::infinity());
  const long double step = std::isinf(up) ? static_cast<long double>(size_of) - std::nextafter(size_of, T(0))
                                          : static_cast<long double>(up) - size_of;
  return static_cast<double>(std::abs(static_cast<long double>(ours) - wanted) / step);
}

// The numbers of the tables in a file by "function|column".
inline std::map<std::string, double> read_table(const char* name) {
  std::map<std::string, double> r;
  std::ifstream file(name);
  std::vector<std::string> columns;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("| ", 0) != 0) continue;
    std::vector<std::string> cells;
    std::istringstream s(line.substr(1));
    for (std::string cell; std::getline(s, cell, '|');)
      cells.push_back(cell.size() > 2 ? cell.substr(1, cell.size() - 2) : cell);
    if (cells[0] == "function")
      columns = cells;
    else
      for (std::size_t i = 1; i < cells.size() && i < columns.size(); ++i)
        r[cells[0] + "|" + columns[i]] = std::atof(cells[i].c_str());
  }
  return r;
}

// Calls visit(name, worst ULP) for every function, type T and policy at the level in force. reference1(f, x) and
// reference2(f, x, y) give the true values.
template <class T, class One, class Two, class Visit>
void measure(bl::runtime::accuracy policy, const One& reference1, const Two& reference2, const Visit& visit) {
  std::vector<T> out(size);
  for (int f = 0; f < bl::runtime::maths1_count; ++f) {
    const auto which = static_cast<maths1>(f);
    const auto x = arguments<T>(static_cast<std::uint64_t>(f) + 1, which == maths1::lgamma || which == maths1::tgamma);
    bl::runtime::map1(which, policy, x.data(), out.data(), size);
    double worst = 0;
    for (std::size_t i = 0; i < size; ++i) worst = std::fmax(worst, ulps(out[i], reference1(which, x[i])));
    visit(names1[f], worst);
  }
  for (int f = 0; f < bl::runtime::maths2_count; ++f) {
    const auto which = static_cast<maths2>(f);
    const auto x = arguments<T>(static_cast<std::uint64_t>(f) + 101, false),
               y = arguments<T>(static_cast<std::uint64_t>(f) + 201, false);
    bl::runtime::map2(which, policy, x.data(), y.data(), out.data(), size);
    double worst = 0;
    for (std::size_t i = 0; i < size; ++i) worst = std::fmax(worst, ulps(out[i], reference2(which, x[i], y[i])));
    visit(names2[f], worst);
  }
}

}  // namespace accuracy_sample
