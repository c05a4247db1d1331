// erf of floats, computed in doubles: x P(x^2) / Q(x^2), right to 0.51 units of the last place. SLEEF's, in pairs of
// floats, takes four times as long.
#pragma once

namespace broadloom::runtime {

// Fitted to erf(x) / x for the least relative error: below 2^-32 where x is at most 3.93. From there on erf rounds
// to 1.
struct erf_fit {
  static constexpr float most = 3.93F;
  static constexpr double above[] = {1.1283791671023022311,    0.37425216484899314008,    0.08440228950792930382,
                                     0.012940719815044169482,  0.00099916236767026746195, 0.000072315346936331080553,
                                     9.0972129210427131904e-7, -2.882162707431457829e-9};
  static constexpr double below[] = {1.0,
                                     0.66500567543198491655,
                                     0.19646818114153330875,
                                     0.034266601252024223084,
                                     0.0038650209551963468804,
                                     0.00028206889388463813385,
                                     0.000011846206975237598182};
};

template <class Doubles, int N>
inline typename Doubles::value polynomial(const double (&c)[N], typename Doubles::value x) {
  typename Doubles::value r = Doubles::splat(c[N - 1]);
#pragma GCC unroll 8
  for (int k = N - 2; k >= 0; --k) r = Doubles::multiply_add(r, x, Doubles::splat(c[k]));
  return r;
}

// Keeps NaN and the sign of 0.
template <class Floats, class Doubles>
inline typename Floats::value erf_of(typename Floats::value v) {
  const auto half = [](typename Doubles::value x) {
    const typename Doubles::value u = Doubles::multiply(x, x);
    const typename Doubles::value p = polynomial<Doubles>(erf_fit::above, u),
                                  q = polynomial<Doubles>(erf_fit::below, u);
    return Doubles::divide(Doubles::multiply(x, p), q);
  };
  const typename Floats::value most = Floats::splat(erf_fit::most), least = Floats::splat(-erf_fit::most);
  typename Floats::value x = most < v ? most : v;
  x = least > x ? least : x;
  return Doubles::rounded(half(Doubles::low_half(x)), half(Doubles::high_half(x)));
}

}  // namespace broadloom::runtime
