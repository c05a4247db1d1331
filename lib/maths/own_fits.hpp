// Minimax polynomials of our own functions, c[0] + c[1] x + c[2] x^2 + ..., with rounded coefficients, and constants
// split in parts. The error of each, relative to the function, is given with it.
#pragma once

namespace broadloom::runtime {

template <class T>
struct fused_fits;

template <>
struct fused_fits<float> {
  // Split in two, the first part with few bits; in two of full length; pi in three.
  static constexpr float ln_2 = 0.693145752F, ln_2_rest = 1.42860677e-6F;
  static constexpr float log10_2 = 0.301025391F, log10_2_rest = 4.60503907e-6F;
  static constexpr float log2_e = 1.44269502F, log2_e_rest = 1.92596303e-8F;
  static constexpr float log10_e = 0.434294492F, log10_e_rest = -1.010305e-8F;
  static constexpr float ln_10 = 2.30258512F, ln_10_rest = -3.19754367e-8F, log2_10 = 3.32192809F;
  static constexpr float pi = 3.14159274F, pi_rest = -8.74227766e-8F, pi_last = -3.43024902e-15F;

  // (e^r - 1 - r) / r^2 for |r| up to ln(2) / 2, to 2^-28.
  static constexpr float power_fit[] = {0.49999994F, 0.166665211F, 0.0416682586F, 0.00836866908F, 0.00138213043F};
  // the same, relative to e^r - 1, to 2^-31.
  static constexpr float power_less_1_fit[] = {0.5F,           0.166666657F,   0.0416664928F,
                                               0.00833354518F, 0.00139323308F, 0.000197625719F};
  // (2^r - 1) / r for |r| up to 1/2, to 2^-28.
  static constexpr float power_of_2_fit[] = {0.693147182F,   0.240226477F,   0.0555035993F,
                                             0.00961850584F, 0.00133908121F, 0.000153264948F};
  // (sinh(r) / r - 1) / r^2 by r^2 for |r| up to ln(2) / 2, to 2^-34.
  static constexpr float sinh_fit[] = {0.166666672F, 0.00833317544F, 0.000199740971F};
  // (cosh(r) - 1) / r^2 by r^2 for |r| up to ln(2) / 2, to 2^-33.
  static constexpr float cosh_fit[] = {0.5F, 0.0416664593F, 0.00139354286F};
  // (tanh(x) / x - 1) / x^2 by x^2 for x up to 1, to 2^-27.
  static constexpr float tanh_fit[] = {-0.333332956F,   0.133323476F,   -0.0538799874F,  0.0214871764F,
                                       -0.00794684514F, 0.00230188458F, -0.000358595862F};
  // (ln(1 + f) - f + f^2 / 2) / f^3 for 1 + f from 3/4 to 3/2, to 2^-24, and from sqrt(1/2) to sqrt(2), both to 2^-24.
  static constexpr float log_fit_3_4[] = {0.333334714F, -0.249963611F, 0.199823186F, -0.167888194F,
                                          0.149044588F, -0.121141553F, 0.0555972271F};
  static constexpr float log_fit_root[] = {0.333339125F, -0.250013351F, 0.199630305F, -0.165776446F,
                                           0.149152413F, -0.142670885F, 0.0869833156F};
  // (ln(1 + f) - f + f^2 / 2) / f^3 for 1 + f from sqrt(1/2) to sqrt(2), to 2^-30.
  static constexpr float logarithm_fit[] = {0.333333135F,  -0.250000089F, 0.200020716F,  -0.166679904F, 0.142203629F,
                                            -0.124062076F, 0.118834704F,  -0.116701916F, 0.0674955398F};
  // (log2(1 + f) - f log2(e)) / f^2 for the same, to 2^-30.
  static constexpr float log2_fit[] = {-0.721347511F, 0.480898082F,  -0.36067456F, 0.288568109F,  -0.240451485F,
                                       0.205159456F,  -0.179166704F, 0.171560705F, -0.167627975F, 0.0964255556F};
  // (log10(1 + f) - f log10(e)) / f^2 for the same, to 2^-29.
  static constexpr float log10_fit[] = {-0.217147246F, 0.144764781F,  -0.108573303F, 0.0868655369F, -0.0723952651F,
                                        0.0618029423F, -0.053837873F, 0.0512978174F, -0.050672885F, 0.0298471078F};
  // (asinh(x) / x - 1) / x^2 by x^2 for x up to 0.625, to 2^-30.
  static constexpr float area_sine_fit[] = {-0.166666523F, 0.0749925822F,  -0.0445141979F,
                                            0.0293330606F, -0.0178501811F, 0.00666656066F};
  // (atanh(x) / x - 1) / x^2 by x^2 for x up to 1/2, to 2^-29.
  static constexpr float area_tangent_fit[] = {0.333333015F, 0.200024545F,  0.142237455F,
                                               0.118167616F, 0.0515896492F, 0.176399201F};
  // (sin(r) / r - 1) / r^2 by r^2 for r up to pi / 4, to 2^-27.
  static constexpr float sine_fit[] = {-0.166666538F, 0.00833210628F, -0.000195078843F};
  // (cos(r) - 1 + r^2 / 2) / r^4 by r^2 for r up to pi / 4, to 2^-32.
  static constexpr float cosine_fit[] = {0.0416666456F, -0.00138873083F, 2.4432089e-05F};
  // ((tan(r) / r - 1) / r^2 - 1/3) / r^2 by r^2 for r up to pi / 4, to 2^-29.
  static constexpr float tangent_fit[] = {0.133330539F, 0.0540247597F,   0.0214330256F,
                                          0.010501314F, 0.000459785108F, 0.00421441114F};
  // (asin(x) / x - 1) / x^2 by x^2 for x up to 1/2, to 2^-27.
  static constexpr float arc_sine_fit[] = {0.166667521F, 0.0749530941F, 0.0454691499F, 0.0241847783F, 0.0421583056F};
  // ((atan(x) / x - 1) / x^2 + 1/3) / x^2 by x^2 for x up to 1, to 2^-30.
  static constexpr float arc_fit[] = {0.199999124F,   -0.142827138F, 0.110757306F,   -0.0887273252F, 0.068748422F,
                                      -0.0464853384F, 0.0240103956F, -0.0079879947F, 0.00124405604F};
};

template <>
struct fused_fits<double> {
  static constexpr double ln_2 = 0.69314718055989033, ln_2_rest = 5.4979230187083712e-14;
  static constexpr double log10_2 = 0.30102999566383914, log10_2_rest = 1.4205023227266099e-13;
  static constexpr double log2_e = 1.4426950408889634, log2_e_rest = 2.0355273740931033e-17;
  static constexpr double log10_e = 0.43429448190325182, log10_e_rest = 1.0983196502167651e-17;
  static constexpr double ln_10 = 2.3025850929940459, ln_10_rest = -2.1707562233822494e-16,
                          log2_10 = 3.3219280948873622;
  static constexpr double pi = 3.1415926535897931, pi_rest = 1.2246467991473532e-16, pi_last = -2.9947698097183397e-33;
  static constexpr double ln_2_full = 0.69314718055994529, ln_2_full_rest = 2.3190468138462996e-17;

  // (e^r - 1 - r) / r^2 for |r| up to ln(2) / 2, to 2^-59.
  static constexpr double power_fit[] = {0.5,
                                         0.16666666666666666,
                                         0.041666666666666678,
                                         0.0083333333333333332,
                                         0.0013888888888879043,
                                         0.00019841269841263279,
                                         2.4801587336526005e-05,
                                         2.7557319247274564e-06,
                                         2.7557263189476208e-07,
                                         2.5052071034565116e-08,
                                         2.0918170876658783e-09,
                                         1.6086650044578211e-10};
  // 2 (e^r - 1 - r - r^2 / 2) / r^3 for |r| up to ln(2) / 2, relative to e^r - 1, to 2^-58.
  static constexpr double power_less_1_fit[] = {0.33333333333333337,    0.083333333333333329,   0.016666666666660102,
                                                0.0027777777777773091,  0.00039682539726211937, 4.9603174634363772e-05,
                                                5.5114536757368385e-06, 5.5114565822965364e-07, 5.0200848314010134e-08,
                                                4.1822528478392167e-09};
  // (sinh(r) / r - 1) / r^2 by r^2 for |r| up to ln(2) / 2, to 2^-59.
  static constexpr double sinh_fit[] = {0.16666666666666666,    0.0083333333333333332,  0.00019841269841263279,
                                        2.7557319247274564e-06, 2.5052071034565116e-08, 1.6086650044578211e-10};
  // (cosh(r) - 1) / r^2 by r^2 for |r| up to ln(2) / 2, to 2^-65.
  static constexpr double cosh_fit[] = {0.5,
                                        0.041666666666666678,
                                        0.0013888888888879043,
                                        2.4801587336526005e-05,
                                        2.7557263189476208e-07,
                                        2.0918170876658783e-09};
  // (tanh(x) / x - 1) / x^2 by x^2 for x up to 1, to 2^-56.
  static constexpr double tanh_fit[] = {
      -0.33333333333333331,    0.13333333333333089,    -0.053968253968046373,   0.021869488529129091,
      -0.0088632354045782829,  0.0035921266793663411,  -0.0014558246920964941,  0.0005899792946300052,
      -0.00023895705228738225, 9.6462777433131813e-05, -3.8389607893147334e-05, 1.4606131676715378e-05,
      -4.9877603175203466e-06, 1.3791814499083342e-06, -2.6330772232959337e-07, 2.5155023659382105e-08};
  // (asinh(x) / x - 1) / x^2 by x^2 for x up to 0.625, to 2^-58.
  static constexpr double area_sine_fit[] = {-0.16666666666666666,   0.074999999999992531,   -0.044642857141609357,
                                             0.030381944361987739,   -0.022372156235592841,  0.017352704897342787,
                                             -0.013964034646215097,  0.011544271396101823,   -0.0097121754911059528,
                                             0.0081574106993301324,  -0.0065188681543463089, 0.0044896956675309838,
                                             -0.0022460315067052848, 0.00058091117664842249};
  // (atanh(x) / x - 1) / x^2 by x^2 for x up to 1/2, to 2^-57.
  static constexpr double area_tangent_fit[] = {
      0.33333333333333331,  0.20000000000000864,  0.14285714285490106,  0.11111111133938968, 0.090909078815091887,
      0.076923459402706382, 0.066658863527018844, 0.058930996925900418, 0.05160769881147162, 0.054419154182345872,
      0.012292448728540531, 0.13557903913692299,  -0.14450491183414468, 0.21098097885975797};
  // (sin(r) / r - 1) / r^2 by r^2 for r up to pi / 4, to 2^-57.
  static constexpr double sine_fit[] = {-0.16666666666666666,   0.0083333333333333315,   -0.00019841269841264935,
                                        2.75573192192389e-06,   -2.5052106197711766e-08, 1.6058526127964697e-10,
                                        -7.5863742975851088e-13};
  // (cos(r) - 1 + r^2 / 2) / r^4 by r^2 for r up to pi / 4, to 2^-59.
  static constexpr double cosine_fit[] = {0.041666666666666664,    -0.0013888888888887356, 2.4801587298704801e-05,
                                          -2.7557317240231502e-07, 2.0876139721167582e-09, -1.1382161980295745e-11};
  // (tan(r) / r - 1) / r^2 by r^2 for r up to pi / 64, to 2^-64.
  static constexpr double tangent_fit[] = {0.3333333333333333,   0.13333333333333336,  0.05396825396820096,
                                           0.021869488601093893, 0.008863195317271378, 0.003604372870556899};
  // (asin(x) / x - 1) / x^2 by x^2 for x up to 1/2, to 2^-57.
  static constexpr double arc_sine_fit[] = {
      0.16666666666666669,  0.074999999999984329,  0.044642857146355429, 0.030381944138531247, 0.022372172942149889,
      0.017352392720869973, 0.013971212973552933,  0.011479177415184906, 0.010322814350185779, 0.0054575067186403581,
      0.017400879442694021, -0.014851887071247204, 0.028757851367421566};
  // (atan(x) / x - 1) / x^2 by x^2 for x up to tan(pi / 8), to 2^-57.
  static constexpr double small_arc_fit[] = {-0.3333333333333333,  0.19999999999999804,  -0.14285714285659779,
                                             0.11111111105150588,  -0.09090908753259112, 0.07692296368042296,
                                             -0.0666642476020052,  0.05878927554473807,  -0.05230443640686948,
                                             0.045515447340221615, -0.03456931506332609, 0.016284375050043393};
};

}  // namespace broadloom::runtime
