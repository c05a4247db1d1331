// Functions of `fast`: of floats, within 4 units of the last place (docs/accuracy.md has the figures), in half to three
// quarters of the time of `accurate`. A value depends on its argument alone.
#pragma once

#include "own_numbers.hpp"

namespace broadloom::runtime {

template <class Pack>
struct quick_functions : private fused_numbers<Pack> {
  using numbers = fused_numbers<Pack>;
  using typename numbers::value, typename numbers::bits, typename numbers::fits;

  // For |x| up to fused_trigonometric's limit: x - n pi, then a polynomial.
  static value sin(value x) {
    const value t = multiply_add(x, all(1 / fits::pi), all(rounder)), n = t - all(rounder);
    return of_rest(rest(x, n), as_bits(t) << 31);
  }
  // The same of x + pi / 2.
  static value cos(value x) {
    const value t = multiply_add(x, all(1 / fits::pi), all(-0.5)) + all(rounder), k = t - all(rounder);
    return of_rest(rest(x, k + all(0.5)), (as_bits(t) + 1u) << 31);
  }

  // By a polynomial for each of 26 intervals: of 1/8 up to 1, of 1/4 up to 3, of 1/2 up to 7, of 1 up to 9.
  static value tanh(value x) {
    const interval v(numbers::at_most(9, numbers::abs(x)));
    return signed_like(x, v.polynomial(tanh_parts));
  }

  // e^(-x^2) times erfc(x) e^(x^2), which is a polynomial for each interval.
  static value erfc(value x) {
    const value a = numbers::at_most(10.5, numbers::abs(x)), square = a * a, off = multiply_add(a, a, -square);
    const value t = multiply_add(square, all(-fits::log2_e), all(rounder)), n = t - all(rounder);
    const value r = multiply_add(n, all(-fits::ln_2_rest), multiply_add(n, all(-fits::ln_2), -square)) - off;
    const value p = multiply_add(r, multiply_add(r, numbers::polynomial(fits::power_fit, r), all(1)), all(1));
    const value of_size = numbers::scaled(p * interval(a).polynomial(erfc_parts), t, n);
    return x < all(0) ? all(2) - of_size : of_size;
  }

 private:
  using numbers::all, numbers::multiply_add, numbers::as_bits, numbers::as_value, numbers::signed_like,
      numbers::rounder;

  static value rest(value x, value n) {
    const value high = multiply_add(n, all(-pi_first), x);  // exact
    return multiply_add(n, all(-pi_third), multiply_add(n, all(-pi_second), high));
  }
  // sin(r), of the sign of r, or of the other if the sign bit is set.
  static value of_rest(value r, bits sign) {
    const value u = r * r, size = multiply_add(r * u, numbers::polynomial(half_turn_fit, u), r);
    return signed_like(as_value(as_bits(r) ^ sign), size);
  }

  // The interval of a >= 0: a + 1 from 1 to 16 in eighths of its power of 2. The polynomials are of the distance from
  // its beginning, and stay in registers.
  struct interval {
    value number, r;
    explicit interval(value a) {
      const bits moved = as_bits(a + all(1));
      number = as_value(moved >> 20);
      r = a - (as_value(moved & 0xfff00000u) - all(1));
    }
    value polynomial(const float (&c)[6][32]) const {
      value p = Pack::from_table(c[5], number);
#pragma GCC unroll 5
      for (int k = 4; k >= 0; --k) p = multiply_add(p, r, Pack::from_table(c[k], number));
      return p;
    }
  };

  // Parts of pi that are all positive: then x - n pi is -0 for -0.
  static constexpr float pi_first = 3.1415925F, pi_second = 1.50995788e-07F, pi_third = 1.07806051e-14F;
  // (sin(r) / r - 1) / r^2 by r^2 for |r| up to pi / 2, to 2^-27; so that no result is beyond 1, and that of pi / 2 is 1.
  static constexpr float half_turn_fit[] = {-0.166666597F, 0.00833306555F, -0.000198094975F, 2.60537649e-06F};
  // The coefficients, a line each, for the intervals from 1, 3 and 7 on, and then from 0 on; to 2^-28.
  alignas(64) static constexpr float tanh_parts[6][32] = {
      {0.761594176F, 0.848283648F, 0.905148268F, 0.941375554F, 0.964027584F, 0.978026092F, 0.986614287F, 0.991859734F,
       0.995054781F, 0.998177886F, 0.999329329F, 0.999753237F, 0.999909222F, 0.999966621F, 0.999987721F, 0.99999547F,
       0.999998331F, 0.999999762F, 1.0F,         1.0F,         1.0F,         1.0F,         1.0F,         1.0F,
       0.0F,         0.124352999F, 0.244918659F, 0.3583574F,   0.462117165F, 0.554599702F, 0.635148942F, 0.703905582F},
      {0.419974953F,
       0.280415237F,
       0.180706784F,
       0.113812119F,
       0.0706508085F,
       0.0434648916F,
       0.0265922043F,
       0.0162142701F,
       0.0098657636F,
       0.0036407772F,
       0.00134091009F,
       0.000493502361F,
       0.000181577678F,
       6.68025241e-05F,
       2.45757947e-05F,
       9.04099943e-06F,
       3.32401669e-06F,
       4.49857396e-07F,
       0.0F,
       0.0F,
       0.0F,
       0.0F,
       0.0F,
       0.0F,
       1.0F,
       0.98453629F,
       0.94001478F,
       0.871579885F,
       0.786447704F,
       0.692419112F,
       0.59658581F,
       0.5045169F},
      {-0.319879115F,
       -0.23788932F,
       -0.163573265F,
       -0.107141137F,
       -0.0681084991F,
       -0.0425086021F,
       -0.0262352377F,
       -0.0160815548F,
       -0.00981071778F,
       -0.00363167538F,
       -0.00133908004F,
       -0.000493035011F,
       -0.000181433657F,
       -6.67533241e-05F,
       -2.4558205e-05F,
       -9.0345975e-06F,
       -3.30034118e-06F,
       -4.46653843e-07F,
       0.0F,
       0.0F,
       0.0F,
       0.0F,
       0.0F,
       0.0F,
       4.44335143e-07F,
       -0.122425161F,
       -0.230220586F,
       -0.312331229F,
       -0.363427281F,
       -0.384014219F,
       -0.378921479F,
       -0.355133921F},
      {0.104108617F,
       0.108626693F,
       0.087940298F,
       0.0629443973F,
       0.0420951508F,
       0.0270665437F,
       0.0170031954F,
       0.0105337892F,
       0.00642260024F,
       0.00239129551F,
       0.000883598521F,
       0.000325585483F,
       0.000119847697F,
       4.40991826e-05F,
       1.62244924e-05F,
       5.96883456e-06F,
       2.09960172e-06F,
       2.84151554e-07F,
       0.0F,
       0.0F,
       0.0F,
       0.0F,
       0.0F,
       0.0F,
       -0.33335948F,
       -0.313128501F,
       -0.257183611F,
       -0.178805918F,
       -0.0943328589F,
       -0.0178770758F,
       0.0418292992F,
       0.0818628445F},
      {0.023769673F,
       -0.0151234083F,
       -0.0259828363F,
       -0.0237213466F,
       -0.0177913737F,
       -0.0121613229F,
       -0.00790850911F,
       -0.00499912305F,
       -0.0029438918F,
       -0.00110620505F,
       -0.000410118315F,
       -0.000151304237F,
       -5.57200001e-05F,
       -2.05061333e-05F,
       -7.54485291e-06F,
       -2.775741e-06F,
       -8.5636151e-07F,
       -1.15896768e-07F,
       0.0F,
       0.0F,
       0.0F,
       0.0F,
       0.0F,
       0.0F,
       0.000513672712F,
       0.0824689567F,
       0.143339097F,
       0.171414956F,
       0.166793749F,
       0.138665497F,
       0.0994808152F,
       0.0599487498F},
      {-0.0321103446F,
       -0.00955469441F,
       0.00137857406F,
       0.00459587295F,
       0.00448008534F,
       0.00341851939F,
       0.00235035084F,
       0.00153186521F,
       0.000771510648F,
       0.000293064077F,
       0.000109075947F,
       4.0298477e-05F,
       1.48482486e-05F,
       5.46551564e-06F,
       2.01107741e-06F,
       7.39891732e-07F,
       1.71070027e-07F,
       2.3152035e-08F,
       0.0F,
       0.0F,
       0.0F,
       0.0F,
       0.0F,
       0.0F,
       0.129841119F,
       0.0971134603F,
       0.04593499F,
       -0.00569553534F,
       -0.0433413871F,
       -0.0615180954F,
       -0.06266433F,
       -0.0530744679F}};
  alignas(64) static constexpr float erfc_parts[6][32] = {
      {0.427583575F,  0.367822915F,  0.321585417F,  0.284972221F,  0.255395681F,  0.231087252F,  0.21080637F,
       0.193662092F,  0.179001153F,  0.155293658F,  0.136999458F,  0.122484803F,  0.110704638F,  0.100962222F,
       0.0927765667F, 0.0858056694F, 0.0798000544F, 0.0699851662F, 0.0623077229F, 0.0561409928F, 0.0510805957F,
       0.0F,          0.0F,          0.0F,          1.0F,          0.873221874F,  0.770346522F,  0.685857236F,
       0.615690351F,  0.556813896F,  0.506937623F,  0.46431157F},
      {-0.273211837F,   -0.208821788F,   -0.163622871F,   -0.130976319F,  -0.106796443F,  -0.0884864926F,
       -0.0743473396F,  -0.0632376373F,  -0.0543721952F,  -0.04132355F,   -0.0323834941F, -0.0260159224F,
       -0.0213327855F,  -0.0177947618F,  -0.0150603522F,  -0.0129054552F, -0.0111783938F, -0.0086165024F,
       -0.00684013171F, -0.00555931078F, -0.00460608164F, 0.0F,           0.0F,           0.0F,
       -1.12837899F,    -0.910073638F,   -0.743205845F,   -0.613986194F,  -0.512688816F,  -0.432361811F,
       -0.367972672F,   -0.315833896F},
      {0.154363021F,    0.106791154F,    0.0761486664F,   0.0557623059F,  0.0418019891F,  0.031992171F,
       0.0249377191F,   0.0197584182F,   0.0158828553F,   0.0106604565F,  0.00746510876F, 0.00541295996F,
       0.0040405998F,   0.0030909623F,   0.00241441745F,  0.00192019006F, 0.00155105954F, 0.00105303852F,
       0.000746483798F, 0.000547855103F, 0.000413679867F, 0.0F,           0.0F,           0.0F,
       0.999985874F,    0.759453535F,    0.584539115F,    0.455608457F,   0.35934329F,    0.286585957F,
       0.230956897F,    0.187956065F},
      {-0.0790797547F,
       -0.0501421466F,
       -0.0328899473F,
       -0.0222371463F,
       -0.0154474592F,
       -0.0109942239F,
       -0.00799677707F,
       -0.00593133131F,
       -0.00446628034F,
       -0.00266721053F,
       -0.00167837227F,
       -0.00110314426F,
       -0.000752127438F,
       -0.000529030978F,
       -0.000382194703F,
       -0.000282582681F,
       -0.000212646468F,
       -0.000127507825F,
       -8.0871665e-05F,
       -5.36709958e-05F,
       -3.69725967e-05F,
       0.0F,
       0.0F,
       0.0F,
       -0.751769364F,
       -0.543115735F,
       -0.397842795F,
       -0.295286059F,
       -0.221919879F,
       -0.168767929F,
       -0.12979354F,
       -0.10088475F},
      {0.0364077836F,
       0.0214098394F,
       0.0130540775F,
       0.00822416879F,
       0.00533694169F,
       0.00355733605F,
       0.00242936751F,
       0.00169596891F,
       0.00117053778F,
       0.00062934676F,
       0.000359198253F,
       0.000215595384F,
       0.000135061244F,
       8.77727871e-05F,
       5.88800867e-05F,
       4.06052604e-05F,
       2.7767881e-05F,
       1.48382187e-05F,
       8.47731553e-06F,
       5.11395001e-06F,
       3.22706978e-06F,
       0.0F,
       0.0F,
       0.0F,
       0.492437094F,
       0.340894252F,
       0.239331558F,
       0.170303673F,
       0.122752339F,
       0.0895698741F,
       0.0661260411F,
       0.0493652634F},
      {-0.012275123F,
       -0.00682295114F,
       -0.00393578364F,
       -0.00234845374F,
       -0.00144519215F,
       -0.000914704171F,
       -0.000593987526F,
       -0.000394866074F,
       -0.000223529394F,
       -0.00011105492F,
       -5.88074872e-05F,
       -3.28765345e-05F,
       -1.92546995e-05F,
       -1.17391173e-05F,
       -7.41170288e-06F,
       -4.82510131e-06F,
       -2.6752889e-06F,
       -1.30866397e-06F,
       -6.8891984e-07F,
       -3.85150628e-07F,
       -2.26385097e-07F,
       0.0F,
       0.0F,
       0.0F,
       -0.245164737F,
       -0.16420345F,
       -0.111535452F,
       -0.0767901316F,
       -0.0535574555F,
       -0.0378200263F,
       -0.0270260312F,
       -0.0195334535F}};
};

// Powers of floats, computed in doubles. Doubles has exponent_of(x), n of x = 2^n m with 1 <= m < 2, -inf for 0 and inf
// for infinity, mantissa(x), m, 1 for 0 and infinity, and tables of 16 doubles by the low four bits of a lane.
template <class Floats, class Doubles>
struct quick_powers : private fused_numbers<Doubles> {
  using numbers = fused_numbers<Doubles>;
  using of_floats = fused_numbers<Floats>;
  using value = typename Floats::value;
  using wide = typename Doubles::value;

  static value pow(value x, value y) {
    const value a = Floats::abs(x);
    const value size = Doubles::rounded(of_size(Doubles::low_half(a), Doubles::low_half(y)),
                                        of_size(Doubles::high_half(a), Doubles::high_half(y)));
    const value sign = of_floats::signed_like(x, Floats::splat(1));
    if (Floats::less(sign, Floats::splat(0)) == 0) [[likely]]
      return size;
    // Of negative numbers: whole exponents only, of which odd ones keep the sign. From 2^24 on all floats are even.
    const value b = of_floats::at_most(0x1p24, Floats::abs(y)), half = b * Floats::splat(0.5F);
    const value of_whole = whole_part(half) == half ? size : sign * size;
    const value of_finite = a < Floats::splat(__builtin_inff()) ? of_floats::not_a_number() : size;
    const value of_others = a == Floats::splat(0) ? size : of_finite;
    const value of_negative = whole_part(b) == b ? of_whole : of_others;
    return sign < Floats::splat(0) ? of_negative : size;
  }

 private:
  using numbers::all, numbers::multiply_add, numbers::as_bits, numbers::as_value, numbers::rounder;

  static value whole_part(value b) {
    const value large = Floats::splat(0x1p23F);
    return b < large ? (b + large) - large : b;
  }

  // a^y for a >= 0.
  static wide of_size(wide a, wide y) {
    const wide m = Doubles::mantissa(a), number = as_value(as_bits(m) >> 48);
    const wide z = multiply_add(m, Doubles::from_table(reciprocals, number), all(-1));
    const wide whole = Doubles::exponent_of(a) + Doubles::from_table(logarithms, number);
    const wide logarithm = multiply_add(z, numbers::in_turn(log2_fit, z), whole);
    const wide product = logarithm == all(0) ? logarithm : logarithm * y;  // of 1 it is 0, whatever y is
    const wide t = product + all(rounder), n = t - all(rounder);
    const wide r = numbers::rest_within(product - n, 0.5);
    return numbers::scaled(multiply_add(r, numbers::in_turn(power_of_2_fit, r), all(1)), t, n);
  }

  // 1 / c and log2(c) for c in the middle of each sixteenth from 1 to 2, but 1 in the first and 2 in the last one:
  // there the logarithms of numbers near 1 have no error but that of the polynomial.
  alignas(64) static constexpr double reciprocals[] = {1.0,
                                                       0.91428571428571426,
                                                       0.86486486486486491,
                                                       0.82051282051282048,
                                                       0.78048780487804881,
                                                       0.7441860465116279,
                                                       0.71111111111111114,
                                                       0.68085106382978722,
                                                       0.65306122448979587,
                                                       0.62745098039215685,
                                                       0.60377358490566035,
                                                       0.58181818181818179,
                                                       0.56140350877192979,
                                                       0.5423728813559322,
                                                       0.52459016393442626,
                                                       0.5};
  alignas(64) static constexpr double logarithms[] = {0.0,
                                                      0.12928301694496649,
                                                      0.2094533656289497,
                                                      0.28540221886224837,
                                                      0.35755200461808362,
                                                      0.42626475470209796,
                                                      0.49185309632967467,
                                                      0.55458885167763738,
                                                      0.61470984411520835,
                                                      0.67242534197149562,
                                                      0.7279204545631992,
                                                      0.78135971352465972,
                                                      0.83289001416474173,
                                                      0.88264304936184124,
                                                      0.93073733756288624,
                                                      1.0};
  // log2(1 + z) / z for z from -1/31 to 1/16, to 2^-34.
  static constexpr double log2_fit[] = {1.4426950408652126, -0.72134751203080794, 0.48089852345038464,
                                        -0.360699570282422, 0.28855559766495609,  -0.22321110445561534};
  // (2^r - 1) / r for |r| up to 1/2, to 2^-23.3 of 2^r.
  static constexpr double power_of_2_fit[] = {0.69314697759743771, 0.24022242092012772, 0.055507337843514207,
                                              0.0096715124472852281, 0.0013264711521381296};
};

}  // namespace broadloom::runtime
