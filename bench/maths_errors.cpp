// Arguments, true values and errors.
#include "maths_errors.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>

namespace bench_maths {
namespace {

using quad = __float128;

// Each function by its name in the C library for double and for 128 bits.
template <class W>
W truth_of(const std::string& f, W x, W y) {
#define ONE(NAME) \
  if (f == #NAME) return sizeof(W) == 8 ? W(::NAME(static_cast<double>(x))) : W(::NAME##f128(x))
#define TWO(NAME) \
  if (f == #NAME) \
  return sizeof(W) == 8 ? W(::NAME(static_cast<double>(x), static_cast<double>(y))) : W(::NAME##f128(x, y))
  ONE(exp);
  ONE(exp2);
  ONE(exp10);
  ONE(expm1);
  ONE(log);
  ONE(log2);
  ONE(log10);
  ONE(log1p);
  ONE(cbrt);
  ONE(sin);
  ONE(cos);
  ONE(tan);
  ONE(asin);
  ONE(acos);
  ONE(atan);
  ONE(sinh);
  ONE(cosh);
  ONE(tanh);
  ONE(asinh);
  ONE(acosh);
  ONE(atanh);
  ONE(erf);
  ONE(erfc);
  ONE(lgamma);
  ONE(tgamma);
  TWO(pow);
  TWO(atan2);
  TWO(hypot);
#undef ONE
#undef TWO
  return W(std::numeric_limits<double>::quiet_NaN());
}

class numbers {
 public:
  explicit numbers(std::uint64_t seed) : state_(seed * 2654435761u + 12345) {}
  // From 0 to 1.
  double operator()() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(((state_ ^ (state_ >> 33)) * 0xff51afd7ed558ccdu) >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

struct domain {
  bool unit, above_1, positive;
};

// u from 0 to 1.
double moderate(const domain& d, double u) {
  return d.unit ? 1.9 * u - 0.95 : d.above_1 ? 1 + 20 * u : d.positive ? 0.01 + 12 * u : 16 * u - 8;
}
double of_any_size(const domain& d, int largest, bool negative, double u) {
  const double size = std::exp2(-40 + u * (d.unit ? 40 : 40 + largest));
  return d.above_1 ? 1 + size : negative && !d.positive ? -size : size;
}

template <class T>
arguments<T> make(const std::string& f, bool two) {
  const domain d{f == "asin" || f == "acos" || f == "atanh", f == "acosh",
                 f.rfind("log", 0) == 0 || f == "pow" || f.find("gamma") != std::string::npos};
  arguments<T> r;
  numbers next(7);
  for (int i = 0; i < count * pieces; ++i) {
    const auto timed = [&](int salt) {
      return moderate(d, static_cast<double>((i * 7919L + salt * 104729L) % 10007) / 10007);
    };
    const auto one = [&](int salt) {
      if (i < count) return timed(salt);
      const double u = next();
      return i < 2 * count ? moderate(d, u) : of_any_size(d, two ? 40 : 10, next() < 0.5, u);
    };
    r.x.push_back(static_cast<T>(one(1)));
    r.y.push_back(two ? static_cast<T>(one(2)) : T(0));
    const auto t = [&] {
      if constexpr (sizeof(T) == 4)
        return truth_of<double>(f, r.x.back(), r.y.back());
      else
        return truth_of<quad>(f, r.x.back(), r.y.back());
    }();
    const auto high = static_cast<long double>(t);
    r.truth.push_back({high, static_cast<long double>(t - high)});
  }
  return r;
}

}  // namespace

template <class T>
const arguments<T>& arguments_of(const std::string& f, bool two) {
  static std::map<std::string, arguments<T>> known;
  auto found = known.find(f);
  if (found == known.end()) found = known.emplace(f, make<T>(f, two)).first;
  return found->second;
}
template const arguments<float>& arguments_of(const std::string&, bool);
template const arguments<double>& arguments_of(const std::string&, bool);

template <class T>
double worst_error(const arguments<T>& a, std::size_t piece, const T* given) {
  using limits = std::numeric_limits<T>;
  const long double largest = sizeof(T) == 4 ? 1e30L : 1e300L;
  double worst = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto [high, low] = a.truth[piece * count + i];
    if (!(std::fabs(high) * largest >= 1 && std::fabs(high) <= largest)) continue;
    if (!std::isfinite(given[i])) return limits::infinity();
    const long double unit = std::ldexp(1.0L, std::ilogb(high) + 1 - limits::digits);
    worst = std::fmax(worst, static_cast<double>(std::fabs((given[i] - high) - low) / unit));
  }
  return worst;
}
template double worst_error(const arguments<float>&, std::size_t, const float*);
template double worst_error(const arguments<double>&, std::size_t, const double*);

}  // namespace bench_maths
