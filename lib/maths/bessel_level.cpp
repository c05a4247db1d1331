// Bessel functions in vectors of f64: of floats within 0.51 units of the last place, of f64 within 2, but for what is
// next to zeros beyond 8.
#include "bessel_fits.hpp"
#include "bessel_pieces.hpp"
#include "modulus_and_phase.hpp"
#include "special_chunk.hpp"
#include "special_vectors.hpp"
#include "two_parts.hpp"

namespace broadloom::runtime {
namespace {

constexpr double last = 8;  // beyond, by sine and cosine

// r with its sign turned where x is negative.
value signed_as(value x, value r) {
  using bits = detail::simd_vec<std::uint64_t, vec::width>;
  return reinterpret_cast<value>(reinterpret_cast<bits>(r) ^
                                 (reinterpret_cast<bits>(x) & reinterpret_cast<bits>(vec::all(-0.0))));
}

// x less a zero of the function, which is `high` + `low`, times x plus it.
value from_zero(value x, double zero, double high, double low) {
  return (x + vec::all(zero)) * ((x - vec::all(high)) - vec::all(low));
}

// J of x from 0 to 8. `largest`: of all x.
template <int Order>
value near_j(value x, double largest) {
  constexpr double middle = 4;
  const value square = x * x;
  value r, m;
  if constexpr (Order == 0)
    r = from_zero(x, 2.4048255576957727686, 616.0 / 256, -1.42444230422723137837e-03) *
        vec::quotient(j0_p1, j0_q1, square);
  else
    r = x * from_zero(x, 3.8317059702075123156, 981.0 / 256, -3.2527979248768438556e-04) *
        vec::quotient(j1_p1, j1_q1, square);
  if (!(largest > middle)) return r;
  if constexpr (Order == 0)
    m = from_zero(x, 5.5200781102863106496, 1413.0 / 256, 5.46860286310649596604e-04) *
        vec::quotient(j0_p2, j0_q2, vec::all(1) - square * vec::all(1.0 / 64));
  else
    m = x * from_zero(x, 7.0155866698156187535, 1796.0 / 256, -3.8330184381246462950e-05) *
        vec::quotient(j1_p2, j1_q2, square);
  return x > vec::all(middle) ? m : r;
}

// J or Y beyond 8.
template <int Order, bool Second>
value far(value x, value sine, value cosine) {
  constexpr double one_by_root_pi = 0.56418958354775628695;
  const value y = vec::all(8) / x, y2 = y * y, sum = sine + cosine, less = sine - cosine;
  value c, s;
  if constexpr (Order == 0) {
    c = vec::quotient(j0_pc, j0_qc, y2);
    s = y * vec::quotient(j0_ps, j0_qs, y2);
  } else {
    c = vec::quotient(j1_pc, j1_qc, y2);
    s = y * vec::quotient(j1_ps, j1_qs, y2);
  }
  value r;
  if constexpr (Order == 0)
    r = Second ? c * less + s * sum : c * sum - s * less;
  else
    r = Second ? s * less - c * sum : c * less + s * sum;
  return r * vec::all(one_by_root_pi) / vec::sqrt(x);
}

void sine_and_cosine_of_sizes(chunk& c) {
  for (index i = 0; i < c.count; i += vec::width) c.put(c.a + i, vec::absolute(c.at(c.x + i)));
  c.strip(maths1::sin, c.a, c.b);
  c.strip(maths1::cos, c.a, c.a);
}

template <int Order>
void first_kind(chunk& c, float* out) {
  const double largest = c.largest();
  if (largest > last) sine_and_cosine_of_sizes(c);
  c.write(out, [&](index i) {
    const value x = c.at(c.x + i), a = vec::absolute(x);
    value r = near_j<Order>(a, largest);
    if (largest > last) r = a > vec::all(last) ? far<Order, false>(a, c.at(c.b + i), c.at(c.a + i)) : r;
    if constexpr (Order == 1) r = signed_as(x, r);
    return a == vec::all(infinity) ? vec::all(0) : r;
  });
}

// The zero of Y that is nearest.
template <int Order>
value zero_at(value x) {
  if constexpr (Order == 0)
    return x > vec::all(5.5) ? vec::all(7.0860510603017726976)
                             : (x > vec::all(3) ? vec::all(3.9576784193148578684) : vec::all(0.89357696627916752158));
  else
    return x > vec::all(4) ? vec::all(5.4296810407941351328) : vec::all(2.1971413260310170351);
}
template <int Order>
value near_y(value x, double largest) {
  const value square = x * x;
  if constexpr (Order == 0) {
    value r = from_zero(x, 0.89357696627916752158, 228.0 / 256, 2.9519662791675215849e-03) *
              vec::quotient(y0_p1, y0_q1, square);
    if (!(largest > 3)) return r;
    const value second = from_zero(x, 3.9576784193148578684, 1013.0 / 256, 6.4716931485786837568e-04) *
                         vec::quotient(y0_p2, y0_q2, square);
    const value third = from_zero(x, 7.0860510603017726976, 1814.0 / 256, 1.1356030177269762362e-04) *
                        vec::quotient(y0_p3, y0_q3, square);
    r = x > vec::all(3) ? second : r;
    return x > vec::all(5.5) ? third : r;
  } else {
    const value r = from_zero(x, 2.1971413260310170351, 562.0 / 256, 1.8288260310170351490e-03) *
                    vec::quotient(y1_p1, y1_q1, square) / x;
    if (!(largest > 4)) return r;
    const value second = from_zero(x, 5.4296810407941351328, 1390.0 / 256, -6.4592058648672279948e-06) *
                         vec::quotient(y1_p2, y1_q2, square) / x;
    return x > vec::all(4) ? second : r;
  }
}

template <int Order>
void second_kind(chunk& c, float* out) {
  constexpr double two_by_pi = 0.63661977236758134308;
  const double largest = c.largest();
  if (largest > last) sine_and_cosine_of_sizes(c);
  for (index i = 0; i < c.count; i += vec::width) c.put(c.c + i, c.at(c.x + i) / zero_at<Order>(c.at(c.x + i)));
  c.strip(maths1::log, c.c, c.c);
  c.write(out, [&](index i) {
    const value x = c.at(c.x + i);
    value r = vec::all(two_by_pi) * c.at(c.c + i) * near_j<Order>(x, largest) + near_y<Order>(x, largest);
    if (largest > last) r = x > vec::all(last) ? far<Order, true>(x, c.at(c.b + i), c.at(c.a + i)) : r;
    r = x == vec::all(infinity) ? vec::all(0) : r;
    r = x < vec::all(0) ? vec::all(nan) : r;
    return x == vec::all(0) ? vec::all(-infinity) : r;
  });
}

// Of f64.
using precise = chunk_of<double>;
using of_single = double (*)(double);

// J or Y of x from 8 on; NaN where x is too large for the quarter turns to be exact. Next to zeros, within 2^-63 of
// the modulus.
template <int Order, bool Second>
value precise_far(value x) {
  using fits = fused_fits<double>;
  constexpr double farthest = 0x1p30;
  constexpr double two_by_pi = 0.63661977236758138, two_by_pi_rest = -3.935735335036497e-17;
  constexpr double k = Order == 0 ? -0.125 : 0.375;
  const value y = vec::all(1) / x, y_rest = less_product(vec::all(1), y, x) * y, u = y * y;

  // The phase, without the eighth turns.
  const value first = vec::all(k) * y;
  value first_rest = vec::all(k) * y_rest;
  if constexpr (Order == 1) first_rest -= less_product(first, vec::all(k), y);
  const value others = u * y * vec::polynomial(Order == 0 ? far_0_phase : far_1_phase, u);
  const two_parts phase = two_parts::ordered_sum(first, others);

  // J0 is a cosine, Y0 a sine; of order 1, a quarter turn less.
  constexpr std::uint64_t turns = (Second ? 0 : 1) + (Order == 0 ? 0 : 3);
  const value s = sine_of_turned<turns>(x, {phase.high, phase.low + first_rest});

  // The modulus, as root and what it is more in proportion.
  const value q = vec::all(two_by_pi) * y, root = vec::sqrt(q);
  const value q_rest = vec::multiply_add(vec::all(two_by_pi), y_rest, y * vec::all(two_by_pi_rest)) -
                       less_product(q, vec::all(two_by_pi), y);
  const value lack = (less_product(q, root, root) + q_rest) * (x * vec::all(fits::pi / 4));
  const value more = vec::multiply_add(u, vec::polynomial(Order == 0 ? far_0_modulus : far_1_modulus, u), lack);
  const value v = root * s;
  return x < vec::all(farthest) ? vec::multiply_add(v, more, v) : vec::all(nan);
}

template <int Order>
value signed_as_order(value x, value r) {
  return Order == 1 ? signed_as(x, r) : r;
}

template <int Order>
void precise_first_kind(precise& c, double* out, of_single single) {
  by_size(
      c, out, single,
      [](index, value x) {
        const value a = vec::absolute(x);
        return signed_as_order<Order>(x, of_pieces::equal(a)(Order == 0 ? j0_pieces : j1_pieces, a));
      },
      [](value x) { return signed_as_order<Order>(x, precise_far<Order, false>(vec::absolute(x))); }, is_number);
}

// Y of x up to 8, by logarithms of all.
template <int Order>
struct precise_near_y {
  const precise& c;
  [[gnu::always_inline]] inline value operator()(index i, value x) const {
    const value square = x * x, log = c.at(c.a + i);
    const value r = of_pieces::by_octave(x)(Order == 0 ? y0_pieces : y1_pieces, x);
    // The series, of which the sum of logarithm and constant is in two parts.
    constexpr double constant = -0.11593151565841244881, two_by_pi = 0.63661977236758134308,
                     rest_of_that = -3.9357353350364971764e-17;
    const value sum = log + vec::all(constant);
    const value rest = x < vec::all(0.5) ? (log - sum) + vec::all(constant) : vec::all(0);
    value s;
    if constexpr (Order == 0) {
      const value factor = vec::multiply_add(square, vec::polynomial(y0_log, square), vec::all(rest_of_that));
      const value other = vec::multiply_add(rest, vec::all(two_by_pi), vec::polynomial(y0_rest, square));
      s = vec::fused(sum, vec::all(two_by_pi), vec::multiply_add(sum, factor, other));
    } else {
      const value q = vec::all(-two_by_pi) / x,
                  of_q = (vec::fused(-q, x, vec::all(-two_by_pi)) - vec::all(rest_of_that)) / x;
      const value other =
          vec::multiply_add(sum + rest, vec::polynomial(y1_log, square), vec::polynomial(y1_rest, square));
      s = q + vec::multiply_add(other, x, of_q);
    }
    return x < vec::all(0.5) ? s : r;
  }
};

template <int Order>
void precise_second_kind(precise& c, double* out, of_single single) {
  c.strip(maths1::log, c.x, c.a);
  by_size(
      c, out, single, precise_near_y<Order>{c}, [](value x) { return precise_far<Order, true>(x); },
      [](value x) { return x >= vec::all(0); });
}

}  // namespace

bool BROADLOOM_OF_LEVEL(bessel_vectors)(special1 f, const float* x, float* out, index n) {
  switch (f) {
    case special1::bessel_j0: return run<first_kind<0>>(x, out, n);
    case special1::bessel_j1: return run<first_kind<1>>(x, out, n);
    case special1::bessel_y0: return run<second_kind<0>>(x, out, n);
    case special1::bessel_y1: return run<second_kind<1>>(x, out, n);
    default: return false;
  }
}

bool BROADLOOM_OF_LEVEL(bessel_vectors)(special1 f, const double* x, double* out, index n, double (*single)(double)) {
  switch (f) {
    case special1::bessel_j0: return run<double, precise_first_kind<0>>(x, out, n, single);
    case special1::bessel_j1: return run<double, precise_first_kind<1>>(x, out, n, single);
    case special1::bessel_y0: return run<double, precise_second_kind<0>>(x, out, n, single);
    case special1::bessel_y1: return run<double, precise_second_kind<1>>(x, out, n, single);
    default: return false;
  }
}

}  // namespace broadloom::runtime
