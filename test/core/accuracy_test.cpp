// No vector function is less accurate than docs/accuracy.md says: the same arguments, the C library in a wider type as
// reference.
#include "core/accuracy_sample.hpp"

#include <boost/test/unit_test.hpp>

namespace bl = broadloom;
using bl::runtime::maths1;
using bl::runtime::maths2;

namespace {

// Only called with what is worth a look again: the wide functions are right to a thousandth of an ULP of T.
template <class W>
W one(maths1 f, W x) {
  switch (f) {
    case maths1::exp: return std::exp(x);
    case maths1::exp2: return std::exp2(x);
    case maths1::exp10:
      return sizeof(W) == sizeof(double) ? static_cast<W>(::exp10(static_cast<double>(x)))
                                         : static_cast<W>(::exp10l(x));
    case maths1::expm1: return std::expm1(x);
    case maths1::log: return std::log(x);
    case maths1::log2: return std::log2(x);
    case maths1::log10: return std::log10(x);
    case maths1::log1p: return std::log1p(x);
    case maths1::cbrt: return std::cbrt(x);
    case maths1::sin: return std::sin(x);
    case maths1::cos: return std::cos(x);
    case maths1::tan: return std::tan(x);
    case maths1::asin: return std::asin(x);
    case maths1::acos: return std::acos(x);
    case maths1::atan: return std::atan(x);
    case maths1::sinh: return std::sinh(x);
    case maths1::cosh: return std::cosh(x);
    case maths1::tanh: return std::tanh(x);
    case maths1::asinh: return std::asinh(x);
    case maths1::acosh: return std::acosh(x);
    case maths1::atanh: return std::atanh(x);
    case maths1::erf: return std::erf(x);
    case maths1::erfc: return std::erfc(x);
    case maths1::lgamma: return std::lgamma(x);
    case maths1::tgamma: return std::tgamma(x);
  }
  return x;
}
template <class W>
W two(maths2 f, W x, W y) {
  switch (f) {
    case maths2::pow: return std::pow(x, y);
    case maths2::atan2: return std::atan2(x, y);
    case maths2::hypot: return std::hypot(x, y);
    case maths2::fmod: return std::fmod(x, y);
  }
  return x;
}

std::map<std::string, double> table() { return accuracy_sample::read_table("docs/accuracy.md"); }

template <class T>
int compare(const char* type, const std::map<std::string, double>& limits) {
  int compared = 0;
  for (const bl::isa level : {bl::isa::base, bl::isa::v3, bl::isa::v4}) {
    if (bl::set_isa(level) != level) continue;
    for (const auto policy : {bl::runtime::accuracy::accurate, bl::runtime::accuracy::fast}) {
      const bool accurate = policy == bl::runtime::accuracy::accurate;
      const std::string column = std::string(type) + (accurate ? " accurate " : " fast ") + bl::to_string(level);
      accuracy_sample::measure<T>(
          policy, [](maths1 f, T x) { return one<long double>(f, x); },
          [](maths2 f, T x, T y) { return two<long double>(f, x, y); },
          [&](const char* name, double worst) {
            const auto found = limits.find(std::string(name) + "|" + column);
            if (found == limits.end()) return;  // a level that the machine of the table had not
            ++compared;
            // glibc chooses the code behind `fast` by processor, within a level too: another one may be a little worse.
            BOOST_TEST(worst <= found->second + (accurate ? 0.01 : 0.25),
                       name << " " << column << ": " << worst << " ULP, the table says " << found->second);
          });
    }
  }
  bl::set_isa(bl::runtime::highest_isa());
  return compared;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(core_accuracy)

BOOST_AUTO_TEST_CASE(no_function_of_f32_is_worse_than_the_table) {
  BOOST_TEST(compare<float>("f32", table()) >= 29 * 2);
}
BOOST_AUTO_TEST_CASE(no_function_of_f64_is_worse_than_the_table) {
  BOOST_TEST(compare<double>("f64", table()) >= 29 * 2);
}

BOOST_AUTO_TEST_SUITE_END()
