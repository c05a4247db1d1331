// The law of conversions: from every element type to every other, a loop over any layout gives what one element gives
// alone, and what PyTorch gives on x86.
#pragma once

#include <broadloom/broadloom.hpp>
#include <broadloom/core/isa.hpp>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace bl = broadloom;

namespace {

template <class From>
std::vector<From> numbers() {
  std::vector<From> r;
  if constexpr (std::is_same_v<From, bool>) {
    for (int i = 0; i < 83; ++i) r.push_back(i % 3 == 1);
  } else if constexpr (std::is_floating_point_v<From>) {
    using limits = std::numeric_limits<From>;
    for (const double x : {0.0,
                           -0.0,
                           0.5,
                           -0.5,
                           0.999,
                           -0.999,
                           1.5,
                           -1.5,
                           127.0,
                           128.0,
                           255.0,
                           256.0,
                           -128.0,
                           -129.0,
                           32767.0,
                           32768.0,
                           65535.0,
                           65536.0,
                           16777217.0,
                           2147483520.0,
                           2147483647.0,
                           2147483648.0,
                           -2147483648.0,
                           -2147483904.0,
                           4294967040.0,
                           4294967295.0,
                           4294967296.0,
                           1e10,
                           -1e10,
                           9223371487098961920.0,
                           9223372036854775807.0,
                           -9223372036854775808.0,
                           -9223373136366403584.0,
                           18446742974197923840.0,
                           18446744073709551616.0,
                           1e30,
                           -1e30,
                           1e-40})
      r.push_back(static_cast<From>(x));
    for (const From x : {limits::infinity(), -limits::infinity(), limits::quiet_NaN(), limits::max(), limits::lowest(),
                         limits::denorm_min(), limits::min()})
      r.push_back(x);
    for (int i = 0; i < 38; ++i)
      r.push_back(static_cast<From>(std::ldexp(1.37, 2 * i - 10)) * (i % 2 == 0 ? From(1) : From(-1)));
  } else {
    using limits = std::numeric_limits<From>;
    std::uint64_t state = 3;
    for (const std::int64_t x : {0, 1, -1, 2, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 16777217, -16777219})
      r.push_back(static_cast<From>(x));
    for (const From x :
         {limits::min(), limits::max(), static_cast<From>(limits::max() - 1), static_cast<From>(limits::max() / 2 + 1)})
      r.push_back(x);
    for (int i = 0; i < 65; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      r.push_back(static_cast<From>(state >> 20 >> (i % 44)));
    }
  }
  return r;
}

void report(bool right, const char* from, const char* to, bl::index i, long double x) {
  if (!right)
    BOOST_TEST(right, from << " to " << to << ", element " << i << ": " << x << ", "
                           << bl::to_string(bl::runtime::active_isa()));
}

template <class To, class From>
void check(const char* to, const char* from) {
  auto x = numbers<From>();
  const auto a = bl::from(x, bl::dshape<1>(static_cast<bl::index>(x.size())));
  const auto e = bl::cast<To>(a);
  std::vector<To> alone;
  for (bl::index i = 0; i < a.size(); ++i) {
    const To v = e(i);
    alone.push_back(v);
    // where the value fits, the conversion is C++'s
    const long double exact = static_cast<long double>(x[static_cast<std::size_t>(i)]);
    bool right = true;
    if constexpr (std::is_same_v<To, bool>) {
      right = v == (x[static_cast<std::size_t>(i)] != From(0));
    } else if constexpr (std::is_floating_point_v<To>) {
      right = v == static_cast<To>(x[static_cast<std::size_t>(i)]) || exact != exact;
    } else {
      using limits = std::numeric_limits<To>;
      const long double whole = std::trunc(exact);
      if (whole >= static_cast<long double>(limits::min()) && whole <= static_cast<long double>(limits::max()))
        right = v == static_cast<To>(x[static_cast<std::size_t>(i)]);
      else if constexpr (!std::is_floating_point_v<From>)
        right = v == static_cast<To>(x[static_cast<std::size_t>(i)]);  // integers wrap
    }
    report(right, from, to, i, exact);
  }
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    const auto whole = bl::eval(e);
    for (bl::index i = 0; i < a.size(); ++i) {
      const To one = alone[static_cast<std::size_t>(i)], two = whole(i);
      report(one == two || (one != one && two != two), from, to, i,
             static_cast<long double>(x[static_cast<std::size_t>(i)]));
    }
  }
  bl::set_isa(bl::runtime::highest_isa());
}

template <class To>
void check_all(const char* to) {
  check<To, std::int8_t>(to, "i8");
  check<To, std::int16_t>(to, "i16");
  check<To, std::int32_t>(to, "i32");
  check<To, std::int64_t>(to, "i64");
  check<To, std::uint8_t>(to, "u8");
  check<To, std::uint16_t>(to, "u16");
  check<To, std::uint32_t>(to, "u32");
  check<To, std::uint64_t>(to, "u64");
  check<To, float>(to, "f32");
  check<To, double>(to, "f64");
}

}  // namespace
