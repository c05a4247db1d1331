// Writes docs/reference/accuracy.md: the worst error of every vector function against MPFR, for each type, policy and
// level, of the functions made of several such calls, and of the functions of complex numbers against MPC.
//
//   g++ -std=c++20 -O2 -Iinclude -Itest tools/accuracy.cpp -Lbuild/lib -lbroadloom -lmpc -lmpfr \
//     -Wl,-rpath,build/lib -o build/accuracy
//   build/accuracy docs/reference/accuracy.md > table.md && mv table.md docs/reference/accuracy.md
//   BROADLOOM_ISA=v3 build/accuracy --every 1 exp log     over all 2^32 floats, `fast`, beside the C library's doubles
//
// Of a table that is given the larger numbers stay: libmvec, behind `fast`, has other code for other processors of one
// level.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <mpc.h>
#include <mpfr.h>

#include "fn/accuracy_sample.hpp"
#include "support/c_library.hpp"

namespace {

namespace bl = broadloom;
using bl::runtime::maths1;
using bl::runtime::maths2;

struct number {
  mpfr_t v;
  explicit number(double x = 0) {
    mpfr_init2(v, 160);
    mpfr_set_d(v, x, MPFR_RNDN);
  }
  ~number() { mpfr_clear(v); }
  number(const number&) = delete;
  number& operator=(const number&) = delete;
};

template <class T>
long double one(maths1 f, T given) {
  const number x(static_cast<double>(given));
  number r;
  int sign = 0;
  switch (f) {
#define BROADLOOM_CASE(NAME) \
  case maths1::NAME: mpfr_##NAME(r.v, x.v, MPFR_RNDN); break
    BROADLOOM_CASE(exp);
    BROADLOOM_CASE(exp2);
    BROADLOOM_CASE(exp10);
    BROADLOOM_CASE(expm1);
    BROADLOOM_CASE(log);
    BROADLOOM_CASE(log2);
    BROADLOOM_CASE(log10);
    BROADLOOM_CASE(log1p);
    BROADLOOM_CASE(cbrt);
    BROADLOOM_CASE(sin);
    BROADLOOM_CASE(cos);
    BROADLOOM_CASE(tan);
    BROADLOOM_CASE(asin);
    BROADLOOM_CASE(acos);
    BROADLOOM_CASE(atan);
    BROADLOOM_CASE(sinh);
    BROADLOOM_CASE(cosh);
    BROADLOOM_CASE(tanh);
    BROADLOOM_CASE(asinh);
    BROADLOOM_CASE(acosh);
    BROADLOOM_CASE(atanh);
    BROADLOOM_CASE(erf);
    BROADLOOM_CASE(erfc);
#undef BROADLOOM_CASE
    case maths1::lgamma: mpfr_lgamma(r.v, &sign, x.v, MPFR_RNDN); break;
    case maths1::tgamma: mpfr_gamma(r.v, x.v, MPFR_RNDN); break;
    case maths1::gelu: {
      number half(0.5);
      mpfr_sqrt(r.v, half.v, MPFR_RNDN);
      mpfr_mul(r.v, r.v, x.v, MPFR_RNDN);
      mpfr_neg(r.v, r.v, MPFR_RNDN);
      mpfr_erfc(r.v, r.v, MPFR_RNDN);
      mpfr_mul(r.v, r.v, x.v, MPFR_RNDN);
      mpfr_mul(r.v, r.v, half.v, MPFR_RNDN);
      break;
    }
  }
  return mpfr_get_ld(r.v, MPFR_RNDN);
}

template <class T>
long double two(maths2 f, T given_x, T given_y) {
  const number x(static_cast<double>(given_x)), y(static_cast<double>(given_y));
  number r;
  switch (f) {
    case maths2::pow: mpfr_pow(r.v, x.v, y.v, MPFR_RNDN); break;
    case maths2::atan2: mpfr_atan2(r.v, x.v, y.v, MPFR_RNDN); break;
    case maths2::hypot: mpfr_hypot(r.v, x.v, y.v, MPFR_RNDN); break;
    case maths2::fmod: mpfr_fmod(r.v, x.v, y.v, MPFR_RNDN); break;
  }
  return mpfr_get_ld(r.v, MPFR_RNDN);
}

// A number to write formulas with.
class wide {
 public:
  explicit wide(long double x) : wide() { mpfr_set_ld(v_, x, MPFR_RNDN); }
  wide(const wide& x) : wide() { mpfr_set(v_, x.v_, MPFR_RNDN); }
  wide& operator=(const wide&) = delete;
  ~wide() { mpfr_clear(v_); }
  explicit operator long double() const { return mpfr_get_ld(v_, MPFR_RNDN); }
  friend bool operator<(const wide& x, const wide& y) { return mpfr_less_p(x.v_, y.v_) != 0; }
#define OPERATOR(SIGN, FUNCTION)                            \
  friend wide operator SIGN(const wide& x, const wide& y) { \
    wide r;                                                 \
    FUNCTION(r.v_, x.v_, y.v_, MPFR_RNDN);                  \
    return r;                                               \
  }
  OPERATOR(+, mpfr_add)
  OPERATOR(-, mpfr_sub)
  OPERATOR(*, mpfr_mul)
  OPERATOR(/, mpfr_div)
#undef OPERATOR
#define FUNCTION(NAME, OF)            \
  friend wide NAME(const wide& x) {   \
    wide r;                           \
    mpfr_##OF(r.v_, x.v_, MPFR_RNDN); \
    return r;                         \
  }
  FUNCTION(operator-, neg)
  FUNCTION(exp, exp)
  FUNCTION(exp2, exp2)
  FUNCTION(expm1, expm1)
  FUNCTION(log, log)
  FUNCTION(log1p, log1p)
  FUNCTION(sin, sin)
  FUNCTION(acos, acos)
  FUNCTION(tanh, tanh)
  FUNCTION(erfc, erfc)
  FUNCTION(sqrt, sqrt)
#undef FUNCTION

 private:
  wide() { mpfr_init2(v_, 256); }
  mpfr_t v_;
};

struct complex_number {
  mpc_t v;
  explicit complex_number(double re = 0, double im = 0) {
    mpc_init2(v, 256);
    mpc_set_d_d(v, re, im, MPC_RNDNN);
  }
  ~complex_number() { mpc_clear(v); }
  complex_number(const complex_number&) = delete;
  complex_number& operator=(const complex_number&) = delete;
};

template <class C>
std::complex<long double> complex_truth(const std::string& f, const C& a, const C& b) {
  const complex_number x(static_cast<double>(a.real()), static_cast<double>(a.imag())),
      y(static_cast<double>(b.real()), static_cast<double>(b.imag())), unit(1);
  complex_number r;
  static const std::map<std::string, int (*)(mpc_ptr, mpc_srcptr, mpc_rnd_t)> one{
      {"sqrt", mpc_sqrt},  {"exp", mpc_exp},    {"log", mpc_log},   {"log10", mpc_log10}, {"sin", mpc_sin},
      {"cos", mpc_cos},    {"tan", mpc_tan},    {"asin", mpc_asin}, {"acos", mpc_acos},   {"atan", mpc_atan},
      {"sinh", mpc_sinh},  {"cosh", mpc_cosh},  {"tanh", mpc_tanh}, {"asinh", mpc_asinh}, {"acosh", mpc_acosh},
      {"square", mpc_sqr}, {"atanh", mpc_atanh}};
  static const std::map<std::string, int (*)(mpc_ptr, mpc_srcptr, mpc_srcptr, mpc_rnd_t)> two{
      {"pow", mpc_pow}, {"mul", mpc_mul}, {"div", mpc_div}};
  if (one.count(f) != 0)
    one.at(f)(r.v, x.v, MPC_RNDNN);
  else if (two.count(f) != 0)
    two.at(f)(r.v, x.v, y.v, MPC_RNDNN);
  else if (f == "abs")
    mpc_abs(mpc_realref(r.v), x.v, MPFR_RNDN);
  else if (f == "angle")
    mpc_arg(mpc_realref(r.v), x.v, MPFR_RNDN);
  else if (f == "reciprocal")
    mpc_div(r.v, unit.v, x.v, MPC_RNDNN);
  else if (f == "rsqrt") {
    mpc_sqrt(r.v, x.v, MPC_RNDNN);
    mpc_div(r.v, unit.v, r.v, MPC_RNDNN);
  } else if (f == "sigmoid") {
    mpc_neg(r.v, x.v, MPC_RNDNN);
    mpc_exp(r.v, r.v, MPC_RNDNN);
    mpc_add(r.v, r.v, unit.v, MPC_RNDNN);
    mpc_div(r.v, unit.v, r.v, MPC_RNDNN);
  } else if (f == "sgn") {
    number length;
    mpfr_set_prec(length.v, 256);
    mpc_abs(length.v, x.v, MPFR_RNDN);
    mpc_div_fr(r.v, x.v, length.v, MPC_RNDNN);
  } else if (f == "expm1") {
    mpc_exp(r.v, x.v, MPC_RNDNN);
    mpc_sub(r.v, r.v, unit.v, MPC_RNDNN);
  } else if (f == "log1p") {
    mpc_add(r.v, unit.v, x.v, MPC_RNDNN);
    mpc_log(r.v, r.v, MPC_RNDNN);
  } else if (f == "log2") {
    number two_;
    mpfr_set_prec(two_.v, 256);
    mpfr_const_log2(two_.v, MPFR_RNDN);
    mpc_log(r.v, x.v, MPC_RNDNN);
    mpc_div_fr(r.v, r.v, two_.v, MPC_RNDNN);
  } else {
    std::fprintf(stderr, "no truth for %s\n", f.c_str());
    std::exit(1);
  }
  return {mpfr_get_ld(mpc_realref(r.v), MPFR_RNDN), mpfr_get_ld(mpc_imagref(r.v), MPFR_RNDN)};
}

// One table of the file: columns, then a row for each function.
class table {
 public:
  explicit table(const std::map<std::string, double>& before) : before_(before) {}
  void column(const std::string& title) {
    title_ = title;
    head_ += " " + title + " |";
    rule_ += "---|";
  }
  void cell(const char* name, double worst) {
    char text[32];
    const auto old = before_.find(std::string(name) + "|" + title_);
    std::snprintf(text, sizeof text, " %.3f |", old != before_.end() && old->second > worst ? old->second : worst);
    rows_[name] += text;
  }
  void print() const {
    std::printf("%s\n%s\n", head_.c_str(), rule_.c_str());
    for (const auto& [name, cells] : rows_) std::printf("| %s |%s\n", name.c_str(), cells.c_str());
  }

 private:
  const std::map<std::string, double>& before_;
  std::string title_, head_ = "| function |", rule_ = "|---|";
  std::map<std::string, std::string> rows_;
};

// The worst error of a function of `fast` over every `step`-th float, at the level in force.
void print_worst(maths1 f, const char* name, std::uint64_t step) {
  double worst = 0;
  float where = 0;
  std::vector<float> x, y;
  const auto take = [&] {
    y.resize(x.size());
    map1(f, bl::runtime::accuracy::fast, x.data(), y.data(), static_cast<bl::index>(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i)
      if (const double d = accuracy_sample::ulps(y[i], c_library::call<double>(f, x[i])); d > worst) {
        worst = d;
        where = x[i];
      }
    x.clear();
  };
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += step) {
    const auto low = static_cast<std::uint32_t>(bits);
    float v;
    std::memcpy(&v, &low, sizeof v);
    x.push_back(v);
    if (x.size() == 4096) take();
  }
  take();
  std::printf("%s: %.3f at %.9g\n", name, worst, static_cast<double>(where));
}

}  // namespace

int main(int argc, char** argv) {
  using bl::runtime::accuracy;
  if (argc > 2 && std::strcmp(argv[1], "--every") == 0) {
    for (int k = 3; k < argc; ++k)
      for (int f = 0; f < bl::runtime::maths1_count; ++f)
        if (accuracy_sample::names1[f] == std::string(argv[k]))
          print_worst(static_cast<maths1>(f), argv[k], std::strtoull(argv[2], nullptr, 10));
    return 0;
  }
  const auto before = argc > 1 ? accuracy_sample::read_table(argv[1]) : std::map<std::string, double>{};
  table calls(before), staged(before), complex(before);
  const auto column = [&]<class T>(T, const char* type, bool accurate, bl::isa level) {
    if (bl::set_isa(level) != level) return;
    const std::string title = std::string(type) + (accurate ? " accurate " : " fast ") + bl::to_string(level);
    calls.column(title);
    accuracy_sample::measure<T>(accurate ? accuracy::accurate : accuracy::fast, one<T>, two<T>,
                                [&](const char* name, double worst) { calls.cell(name, worst); });
    staged.column(title);
    accuracy_sample::measure_staged<T, wide>(accurate ? bl::policy(bl::seq) : bl::seq | bl::fast,
                                             [&](const char* name, double worst) { staged.cell(name, worst); });
  };
  for (const bl::isa level : bl::runtime::every_isa)
    for (const bool accurate : {true, false}) column(0.0f, "f32", accurate, level);
  for (const bl::isa level : bl::runtime::every_isa)
    for (const bool accurate : {true, false}) column(0.0, "f64", accurate, level);
  bl::set_isa(bl::runtime::highest_isa());
  const auto truth = [](const char* f, const auto& x, const auto& y) { return complex_truth(f, x, y); };
  complex.column("c64");
  accuracy_sample::measure_complex<float>(truth, [&](const char* name, double worst) { complex.cell(name, worst); });
  complex.column("c128");
  accuracy_sample::measure_complex<double>(truth, [&](const char* name, double worst) { complex.cell(name, worst); });

  std::printf(
      "# Accuracy of vector maths\n\nGenerated by `tools/accuracy.cpp`: the worst error, in units of the last place of "
      "the true\nresult by MPFR, over %d arguments of any size for each function, type, policy (`accurate`, `fast`) "
      "and "
      "level of\ninstructions that the machines had it was run on. A test fails when one gets worse. Single operations "
      "are rounded\ncorrectly.\n\n",
      accuracy_sample::size);
  calls.print();
  std::printf(
      "\n`tan` of f64 is least exact near odd multiples of pi / 4: over 32 million arguments, most of them there, it "
      "is "
      "within 0.89 with\nFMA (`test/core/maths_test.cpp` keeps it below 1).\n"
      "\nUnder `accurate` with FMA, `gelu` of f32 is within 3.3 over every 199th of all floats, of f64 within 3.2 over "
      "500,000 arguments from -42 to 42;\n`sinh` and `cosh` of f32 are within 0.75 over every 61st, of f64 within 0.77 "
      "over a million arguments, `pow` of f32 within 0.502 over 3 million pairs.\n"
      "\nOf f64 under `accurate` with FMA, `erf` is within 0.79 over 950,000 arguments from 2^-40 to 6.2.\n"
      "\nOf f64 under `fast` with AVX-512, `sin` and `cos` are within 1.7 over 3.2 million arguments up to 1e7, two "
      "fifths of them next to multiples of pi / 2, and never\nbeyond 1.\n"
      "\nOf f32 under `fast` with FMA, over every 41st of all floats, `log` is within 1.28, `cbrt` within 1.0, `erf` "
      "within 2.26, `asinh` "
      "within 2.5, `atanh` within\n1.4, `tanh` within 1.1 with AVX-512 and 2.5 without, `sin` and `cos` within 1.9, "
      "never beyond 1, and 1 at their largest. Over all 2^32 floats `exp` is\nwithin 4.0 with AVX-512 (3.996 at "
      "-21.57) and 3.5 without, and `erfc` within 2.9 with AVX-512. `BROADLOOM_ISA=v4 build/accuracy --every 1 exp` "
      "finds such\na figure; `test/core/maths_test.cpp` keeps the bounds over a sample. `pow` is within 1.9 over 2 "
      "million pairs with AVX-512, of f64\nwithin 1.9 over 1.5 million, of which two ninths lie beside 1 or at the "
      "edges of tables.\n"
      "\n## Functions made of several calls\n\nThe same over %d arguments up to 80 in size. Where steps cancel, as in "
      "`logaddexp` near 0 and `tanhshrink`, the unit is that\nof the largest number on the way "
      "(`test/fn/accuracy_sample.hpp` says which).\n\n",
      accuracy_sample::staged_size);
  staged.print();
  std::printf(
      "\n## Special functions\n"
      "\n"
      "Those of `special.hpp` (digamma, Bessel functions and so on) are computed element by element through Boost.Math "
      "or by the series that\n"
      "`lib/maths/special.cpp` names, f32 in f64 and f64 in long double, with the same bits at every level; they are "
      "correct first, and not\n"
      "vectorised: tens to hundreds of nanoseconds an element. Over the 7,221 cases of `test/data/special_cases.tsv`, "
      "whose digits are mpmath's, all of f32 are\n"
      "within 1 unit of the last place and all of f64 within 2, of orthogonal polynomials near their zeros within 10.\n"
      "\n## Functions of complex numbers\n\nThe distance from the true result by MPC, in units of the last place of "
      "its "
      "length: a part that is much smaller than the other\nmay have fewer right bits. Over %d arguments, parts up to "
      "3000 in size, exponents of `pow` up to 2: its error grows with the logarithm\nof the power. The same bits on "
      "every processor with FMA.\n\n",
      accuracy_sample::staged_size);
  complex.print();
}
