// Writes docs/reference/accuracy.md: the worst error of every vector function against MPFR, for each type, policy and
// level, of the functions made of several such calls, and of the functions of complex numbers against MPC.
//
//   g++ -std=c++20 -O2 -Iinclude -Itest tools/accuracy.cpp -Lbuild/lib -lbroadloom -lmpc -lmpfr \
//     -Wl,-rpath,build/lib -o build/accuracy
//   build/accuracy docs/reference/accuracy.md > table.md && mv table.md docs/reference/accuracy.md
//   BROADLOOM_ISA=v3 build/accuracy --every 1 exp log     over all 2^32 floats, `fast`, beside the C library's doubles
//
// The text of the page that is given stays, and of its tables the columns and the larger numbers: libmvec, behind
// `fast`, has other code for other processors of one level, and not every machine has every level.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
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

// One table of the page: the columns of its head, and a row for each function that it has or that was measured.
class table {
 public:
  void column(const std::string& title) { title_ = title; }
  void cell(const std::string& name, double worst) { cells_[name][title_] = worst; }
  bool has(const std::string& title) const {
    return std::any_of(cells_.begin(), cells_.end(), [&](const auto& row) { return row.second.count(title) != 0; });
  }
  void print(const std::vector<std::string>& titles, const std::map<std::string, double>& before) const {
    for (const auto& [name, cells] : cells_) {
      std::printf("| %s |", name.c_str());
      for (const std::string& title : titles) {
        const auto now = cells.find(title);
        const auto old = before.find(name + "|" + title);
        if (now == cells.end() && old == before.end())
          std::printf(" |");
        else
          std::printf(" %.3f |", std::max(now != cells.end() ? now->second : 0, old != before.end() ? old->second : 0));
      }
      std::printf("\n");
    }
  }

 private:
  std::string title_;
  std::map<std::string, std::map<std::string, double>> cells_;
};

// The titles of a table's head, `| function | f32 accurate base | ... |`; none of another line.
std::vector<std::string> titles_of(const std::string& line) {
  std::vector<std::string> titles;
  const std::string head = "| function |";
  if (line.compare(0, head.size(), head) != 0) return titles;
  for (std::size_t at = head.size(), end; (end = line.find(" |", at)) != std::string::npos; at = end + 2)
    titles.push_back(line.substr(at + 1, end - at - 1));
  return titles;
}

// Prints the page with the numbers of `tables`, which come in this order; other tables and the text stay.
void print_page(const char* path, const std::vector<const table*>& tables) {
  const auto before = accuracy_sample::read_table(path);
  std::ifstream page(path);
  std::size_t next = 0;
  for (std::string line; std::getline(page, line);) {
    std::printf("%s\n", line.c_str());
    const std::vector<std::string> titles = titles_of(line);
    if (next == tables.size() || titles.empty() || !tables[next]->has(titles[0])) continue;
    if (std::getline(page, line)) std::printf("%s\n", line.c_str());  // the rule below the head
    tables[next++]->print(titles, before);
    while (std::getline(page, line) && line.compare(0, 1, "|") == 0) {
    }
    if (page) std::printf("%s\n", line.c_str());
  }
}

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
  if (argc != 2) {
    std::fprintf(stderr, "usage: accuracy PAGE | accuracy --every STEP FUNCTION...\n");
    return 2;
  }
  table calls, staged, complex;
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

  print_page(argv[1], {&calls, &staged, &complex});
}
