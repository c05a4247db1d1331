// No function made of several calls, and none of complex numbers, is less accurate than docs/reference/accuracy.md
// says: the same arguments, the C library in a wider type as reference.
// Build: alone, not-sanitized
#include "fn/accuracy_sample.hpp"

#include <boost/test/unit_test.hpp>

namespace bl = broadloom;

namespace {

template <class T>
int compare_staged(const char* type, const std::map<std::string, double>& limits) {
  int compared = 0;
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (const bool accurate : {true, false}) {
      const std::string column = std::string(type) + (accurate ? " accurate " : " fast ") + bl::to_string(level);
      accuracy_sample::measure_staged<T, long double>(
          accurate ? bl::policy(bl::seq) : bl::seq | bl::fast, [&](const char* name, double worst) {
            const auto found = limits.find(std::string(name) + "|" + column);
            if (found == limits.end()) return;  // a level that the machine of the table had not
            ++compared;
            BOOST_TEST(worst <= found->second + (accurate ? 0.02 : 0.5),
                       name << " " << column << ": " << worst << " ULP, the table says " << found->second);
          });
    }
  }
  bl::set_isa(bl::runtime::highest_isa());
  return compared;
}

using wide = std::complex<long double>;

template <class C>
wide complex_truth(const std::string& f, const C& a, const C& b) {
  const wide x(a.real(), a.imag()), y(b.real(), b.imag());
  if (f == "sqrt") return std::sqrt(x);
  if (f == "rsqrt") return wide(1) / std::sqrt(x);
  if (f == "exp") return std::exp(x);
  if (f == "log") return std::log(x);
  if (f == "log2") return std::log(x) / std::log(2.0L);
  if (f == "log10") return std::log10(x);
  if (f == "sin") return std::sin(x);
  if (f == "cos") return std::cos(x);
  if (f == "tan") return std::tan(x);
  if (f == "asin") return std::asin(x);
  if (f == "acos") return std::acos(x);
  if (f == "atan") return std::atan(x);
  if (f == "sinh") return std::sinh(x);
  if (f == "cosh") return std::cosh(x);
  if (f == "tanh") return std::tanh(x);
  if (f == "asinh") return std::asinh(x);
  if (f == "acosh") return std::acosh(x);
  if (f == "atanh") return std::atanh(x);
  if (f == "expm1") {
    const long double half = std::sin(x.imag() / 2);
    return {std::expm1(x.real()) * std::cos(x.imag()) - 2 * half * half, std::exp(x.real()) * std::sin(x.imag())};
  }
  if (f == "log1p") {
    if (std::abs(x) > 0.5L) return std::log(x + 1.0L);
    return {std::log1p(x.real() * (2 + x.real()) + x.imag() * x.imag()) / 2, std::atan2(x.imag(), 1 + x.real())};
  }
  if (f == "sgn") return x / std::abs(x);
  if (f == "pow") return std::pow(x, y);
  if (f == "abs") return std::abs(x);
  if (f == "angle") return std::arg(x);
  if (f == "mul") return x * y;
  if (f == "div") return x / y;
  if (f == "square") return x * x;
  if (f == "sigmoid") return wide(1) / (wide(1) + std::exp(-x));
  return wide(1) / x;
}

template <class R>
int compare_complex(const char* column, const std::map<std::string, double>& limits) {
  int compared = 0;
  accuracy_sample::measure_complex<R>(
      [](const char* f, const auto& x, const auto& y) { return complex_truth(f, x, y); },
      [&](const char* name, double worst) {
        const auto found = limits.find(std::string(name) + "|" + column);
        if (found == limits.end()) return;
        ++compared;
        // Most of these are the C library's own functions: another one may differ.
        BOOST_TEST(worst <= found->second + 0.25,
                   name << " " << column << ": " << worst << ", the table says " << found->second);
      });
  return compared;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fn_catalogue_accuracy)

BOOST_AUTO_TEST_CASE(no_function_of_several_calls_is_worse_than_the_table) {
  const auto limits = accuracy_sample::read_table("docs/reference/accuracy.md");
  BOOST_TEST(compare_staged<float>("f32", limits) >= 17 * 2);
  BOOST_TEST(compare_staged<double>("f64", limits) >= 17 * 2);
}

BOOST_AUTO_TEST_CASE(no_function_of_complex_numbers_is_worse_than_the_table) {
  const auto limits = accuracy_sample::read_table("docs/reference/accuracy.md");
  BOOST_TEST(compare_complex<float>("c64", limits) == 29);
  BOOST_TEST(compare_complex<double>("c128", limits) == 29);
}

BOOST_AUTO_TEST_SUITE_END()
