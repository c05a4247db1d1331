// Looks up a function's strip loop for the level in force.
#include <broadloom/core/maths.hpp>

#include "table.hpp"

namespace broadloom::runtime {

namespace {

template <class T>
const maths_rows<T>& rows() noexcept {
  if constexpr (sizeof(T) == sizeof(float))
    return maths().f32;
  else
    return maths().f64;
}

template <class T>
const maths_entry<strip1<T>>& find(maths1 f, accuracy a) noexcept {
  return rows<T>().one[static_cast<int>(a)][static_cast<int>(f)];
}

template <class T>
const maths_entry<strip2<T>>& find(maths2 f, accuracy a) noexcept {
  return rows<T>().two[static_cast<int>(a)][static_cast<int>(f)];
}

}  // namespace

strip1<float> find_f32(maths1 f, accuracy a) noexcept { return find<float>(f, a).run; }
strip1<double> find_f64(maths1 f, accuracy a) noexcept { return find<double>(f, a).run; }
strip2<float> find_f32(maths2 f, accuracy a) noexcept { return find<float>(f, a).run; }
strip2<double> find_f64(maths2 f, accuracy a) noexcept { return find<double>(f, a).run; }
power_loops find_power(double by, accuracy a) noexcept {
  for (int k = 0; k < simple_exponent_count; ++k)
    if (by == simple_exponents[k])
      return {find<float>(maths2::pow, a).by_number[k], find<double>(maths2::pow, a).by_number[k]};
  return {};
}
strip_sums<float> find_sums_f32(maths1 f, before how, accuracy a) noexcept {
  return find<float>(f, a).summed[static_cast<int>(how)];
}
strip_sums<double> find_sums_f64(maths1 f, before how, accuracy a) noexcept {
  return find<double>(f, a).summed[static_cast<int>(how)];
}

void map1(maths1 f, accuracy a, bool f64, const void* x, void* out, index n) noexcept {
  if (f64)
    find_f64(f, a)(static_cast<const double*>(x), static_cast<double*>(out), n);
  else
    find_f32(f, a)(static_cast<const float*>(x), static_cast<float*>(out), n);
}
void map2(maths2 f, accuracy a, bool f64, const void* x, const void* y, void* out, index n) noexcept {
  if (f64)
    find_f64(f, a)(static_cast<const double*>(x), static_cast<const double*>(y), static_cast<double*>(out), n);
  else
    find_f32(f, a)(static_cast<const float*>(x), static_cast<const float*>(y), static_cast<float*>(out), n);
}

void sine_and_cosine(bool f64, const void* x, void* to) noexcept {
  const auto of = [&](auto number) {
    using T = decltype(number);
    const T own = *static_cast<const T*>(x);
    T* const both = static_cast<T*>(to);
    if (const auto f = rows<T>().sine_and_cosine; f != nullptr && f(own, both)) return;
    find<T>(maths1::sin, accuracy::accurate).run(&own, both, 1);
    find<T>(maths1::cos, accuracy::accurate).run(&own, both + 1, 1);
  };
  if (f64)
    of(double{});
  else
    of(float{});
}

const char* backend(maths1 f, accuracy a, bool f64) noexcept {
  return f64 ? find<double>(f, a).backend : find<float>(f, a).backend;
}
const char* backend(maths2 f, accuracy a, bool f64) noexcept {
  return f64 ? find<double>(f, a).backend : find<float>(f, a).backend;
}

}  // namespace broadloom::runtime
