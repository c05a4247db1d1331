// Fourier transforms: tables of PyTorch, lengths of all kinds against the definition, layouts, threads, refusals.
// Build: gcc-alone
#include "cases.hpp"

#include <broadloom/core/isa.hpp>

namespace {

using namespace signal_cases;
using namespace bl::literals;
using complex = std::complex<double>;

constexpr const char* path = "test/data/fourier_cases.tsv";

template <class F>
void each(const char* function, int least, F test) {
  index_cases::each(function, least, test, path);
}

// test(x) for the operand of a line in f64, transposed in memory; of rank 2 in f32 too, in rows, unless `wide`.
template <class F>
bool operands(const line& l, bool is_complex, bool wide, F test) {
  bool ok = true;
  index_cases::with_rank(l.arrays[0].rank() - is_complex, [&](auto rank) {
    constexpr int R = decltype(rank)::value;
    const auto turned = [&]<class T>(T) {
      const auto x = bl::eval(bl::transpose(read_array<T, R>(l.arrays[0])));
      ok = ok && test(bl::transpose(x));
    };
    is_complex ? turned(complex()) : turned(double());
    if constexpr (R == 2)
      if (!wide)
        ok = ok && (is_complex ? test(read_array<std::complex<float>, R>(l.arrays[0]))
                               : test(read_array<float, R>(l.arrays[0])));
  });
  return ok;
}

template <bool OnlyReal, class X>
constexpr bool suits = !OnlyReal || !bl::detail::is_complex_type<typename X::value_type>;

template <bool OnlyReal, class F>
void one_axis(const char* name, F f, bool doubles = false) {
  each(name, 40, [&](const line& l) {
    const auto p = list_of(l.parameter);
    return operands(l, p[2] != 0, false, [&](const auto& x) {
      if constexpr (suits<OnlyReal, std::remove_cvref_t<decltype(x)>>) {
        const bl::index extent = x.shape()[l.axis < 0 ? l.axis + rank_of<decltype(x)> : l.axis];
        const bl::index n = p[0] != 0 ? p[0] : doubles ? 2 * (extent - 1) : extent;
        return near(l.result(), f(x, n, l.axis, static_cast<bl::fft_norm>(p[1])));
      } else
        return false;
    });
  });
}

// Calls f(axes) for the axes with a number in the table.
template <class F>
bool with_axes(bl::index number, F f) {
  switch (number) {
    case 0: return f(bl::axes<-2, -1>);
    case 1: return f(bl::axes<0, 1>);
    default: return f(bl::axes<1, 0>);
  }
}

template <bool OnlyReal, class F>
void several_axes(const char* name, const char* all_name, F f) {
  each(name, 12, [&](const line& l) {
    const auto p = list_of(l.parameter);
    const auto norm = static_cast<bl::fft_norm>(p[0]);
    return operands(l, p[1] != 0, true, [&](const auto& x) {
      constexpr int R = rank_of<decltype(x)>;
      if constexpr (R >= 2 && suits<OnlyReal, std::remove_cvref_t<decltype(x)>>)
        return with_axes(l.axis, [&](auto axes) {
          if constexpr (R == 3)
            if (p[2] == 0) return near(l.result(), f(x, axes, norm));
          std::array<bl::index, 2> n{p[2], p[3]};
          for (std::size_t k = 0; k < 2; ++k) {
            const bl::index a = axes.values[static_cast<int>(k)], extent = x.shape()[a < 0 ? a + R : a];
            const bool doubled = k == 1 && (name[0] == 'h' || (name[0] == 'i' && name[1] == 'r'));
            if (n[k] == 0) n[k] = doubled ? 2 * (extent - 1) : extent;
          }
          return near(l.result(), f(x, n, axes, norm));
        });
      else
        return false;
    });
  });
  each(all_name, 12, [&](const line& l) {
    const auto p = list_of(l.parameter);
    return operands(l, p[1] != 0, true, [&](const auto& x) {
      if constexpr (suits<OnlyReal, std::remove_cvref_t<decltype(x)>>)
        return near(l.result(), f(x, static_cast<bl::fft_norm>(p[0])));
      else
        return false;
    });
  });
}

// By the definition.
std::vector<complex> transform(const std::vector<complex>& x, bool inverse) {
  const std::size_t n = x.size();
  std::vector<std::complex<long double>> roots(n);
  for (std::size_t k = 0; k < n; ++k) {
    const long double angle =
        (inverse ? 2 : -2) * std::acos(-1.0L) * static_cast<long double>(k) / static_cast<long double>(n);
    roots[k] = {std::cos(angle), std::sin(angle)};
  }
  std::vector<complex> r(n);
  for (std::size_t k = 0; k < n; ++k) {
    long double re = 0, im = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const auto w = roots[j * k % n];
      re += w.real() * x[j].real() - w.imag() * x[j].imag();
      im += w.real() * x[j].imag() + w.imag() * x[j].real();
    }
    r[k] = complex(static_cast<double>(re), static_cast<double>(im));
  }
  return r;
}

// The distance of row 0 of y to what is wanted, relative to its norm.
template <class Y>
double distance(const Y& y, const std::vector<complex>& wanted) {
  double difference = 0, norm = 0;
  for (bl::index k = 0; k < y.shape()[1]; ++k) {
    const complex w = wanted[static_cast<std::size_t>(k)];
    difference += std::norm(complex(y(0, k)) - w);
    norm += std::norm(w);
  }
  return std::sqrt(difference / norm);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(signal_fourier)

BOOST_AUTO_TEST_CASE(transforms_along_an_axis_are_pytorchs) {
  one_axis<false>("fft", bl::fft);
  one_axis<false>("ifft", bl::ifft);
  one_axis<true>("rfft", bl::rfft);
  one_axis<true>("ihfft", bl::ihfft);
  one_axis<false>("irfft", bl::irfft, true);
  one_axis<false>("hfft", bl::hfft, true);
}

BOOST_AUTO_TEST_CASE(transforms_along_several_axes_are_pytorchs) {
  several_axes<false>("fftn", "fft_all", bl::fftn);
  several_axes<false>("ifftn", "ifft_all", bl::ifftn);
  several_axes<true>("rfftn", "rfft_all", bl::rfftn);
  several_axes<false>("irfftn", "irfft_all", bl::irfftn);
  several_axes<false>("hfftn", "hfft_all", bl::hfftn);
  several_axes<true>("ihfftn", "ihfft_all", bl::ihfftn);
  const bl::tensor<double, bl::shape<2, 3>> x{{1, 2, 3}, {4, 5, 7}};
  BOOST_TEST(index_cases::equal(bl::fft2(x), bl::fftn(x)));
  BOOST_TEST(index_cases::equal(bl::fftn(x, bl::shape<4, 5>{}), bl::fft2(x, bl::shape<4, 5>{}, bl::axes<0, 1>)));
}

// The same numbers as one after the other.
template <class T>
void frequencies_of(bl::index n) {
  const double step = 1 / (static_cast<double>(n) * 0.3);
  const auto all = bl::fftfreq<T>(n, 0.3), half = bl::rfftfreq<T>(n, 0.3);
  BOOST_REQUIRE(all.size() == n);
  BOOST_REQUIRE(half.size() == n / 2 + 1);
  bool same = true;
  for (bl::index i = 0; i < n; ++i)
    same = same && all(i) == static_cast<T>(static_cast<double>(i < (n + 1) / 2 ? i : i - n) * step);
  for (bl::index i = 0; i <= n / 2; ++i) same = same && half(i) == static_cast<T>(static_cast<double>(i) * step);
  BOOST_TEST(same, n);
}
BOOST_AUTO_TEST_CASE(frequencies_of_any_number_of_elements) {
  for (bl::index n : {1, 2, 3, 4, 31, 64, 65, 1000, 100001}) {
    frequencies_of<float>(n);
    frequencies_of<double>(n);
  }
}

BOOST_AUTO_TEST_CASE(frequencies_and_shifts_are_pytorchs) {
  each("fftfreq", 15,
       [](const line& l) { return near(l.result(), bl::fftfreq<double>(l.axis, std::stod(l.parameter)), 1); });
  each("rfftfreq", 15,
       [](const line& l) { return near(l.result(), bl::rfftfreq<double>(l.axis, std::stod(l.parameter)), 1); });
  each("fftshift", 12, [](const line& l) {
    return operands(l, false, true, [&](const auto& x) { return near(l.result(), bl::fftshift(x, l.axis), 0); });
  });
  each("ifftshift", 12, [](const line& l) {
    return operands(l, false, true, [&](const auto& x) { return near(l.result(), bl::ifftshift(x, l.axis), 0); });
  });
  each("fftshift_all", 12, [](const line& l) {
    return operands(l, false, true, [&](const auto& x) { return near(l.result(), bl::fftshift(x), 0); });
  });
  each("ifftshift_all", 12, [](const line& l) {
    return operands(l, false, true, [&](const auto& x) { return near(l.result(), bl::ifftshift(x), 0); });
  });
}

// All radices, primes by convolution, long lines in two rounds, also of convolutions, at every level: a row of 1 and
// rows that fill lanes.
BOOST_AUTO_TEST_CASE(any_length_is_transformed_by_the_definition) {
  std::mt19937 chance(5);
  std::normal_distribution<double> normal;
  const bl::isa highest = bl::set_isa(bl::isa::v4);
  for (const bl::index n :
       {1,  2,  3,  4,   5,   6,   7,   8,   9,   10,  11,  13,  16,  17,   19,   30,   31,   32,  37,
        49, 64, 74, 120, 128, 143, 211, 256, 257, 262, 360, 509, 512, 1021, 1024, 1025, 1147, 2050}) {
    std::vector<complex> x(static_cast<std::size_t>(n));
    for (complex& z : x) z = {normal(chance), normal(chance)};
    const auto forward = transform(x, false), back = transform(x, true);
    auto real = x;
    for (complex& z : real) z = z.real();
    const auto of_real = transform(real, false);
    for (const bl::index rows : {1, 19}) {
      if (n > 600 && rows > 1) continue;
      bl::dtensor<complex, 2> a(rows, n);
      for (bl::index i = 0; i < rows; ++i)
        for (bl::index k = 0; k < n; ++k) a(i, k) = x[static_cast<std::size_t>(k)] * (i == 0 ? 1. : 1e6);
      for (const bl::isa level : bl::runtime::every_isa) {
        if (bl::set_isa(level) != level) continue;
        BOOST_TEST(distance(bl::eval(bl::fft(a)), forward) < 1.5e-15, "fft of " << n);
        BOOST_TEST(distance(bl::eval(bl::ifft(a, bl::fft_norm::forward)), back) < 1.5e-15, "ifft of " << n);
        BOOST_TEST(distance(bl::eval(bl::rfft(bl::real(a))), of_real) < 1.5e-15, "rfft of " << n);
        BOOST_TEST(distance(bl::eval(bl::fft(bl::cast<std::complex<float>>(a))), forward) < 6e-7,
                   "fft of f32 of " << n);
        const auto again = bl::eval(bl::irfft(bl::rfft(bl::real(a)), n));
        BOOST_TEST(distance(again, real) < 1.5e-15, "irfft of " << n);
        const auto columns = bl::eval(bl::transpose(a));
        BOOST_TEST(distance(bl::eval(bl::transpose(bl::fft(columns, bl::all, 0))), forward) < 1.5e-15,
                   "columns of " << n);
      }
      bl::set_isa(highest);
    }
  }
}

BOOST_AUTO_TEST_CASE(long_lines_are_transformed_and_transformed_back) {
  for (const bl::index n : {1 << 17, 100003, 3 * 40009}) {
    bl::dtensor<double, 1> x(n);
    for (bl::index i = 0; i < n; ++i) x(i) = static_cast<double>((i * 7919) % 1009) - 504;
    const auto y = bl::eval(bl::fft(x));
    BOOST_TEST(bl::eval(bl::amax(bl::abs(bl::real(bl::ifft(y)) - x))).item() < 1e-10);
    // Parseval's law, and single elements by the definition.
    const double energy = bl::eval(bl::sum(bl::square(x))).item();
    BOOST_TEST(std::abs(bl::eval(bl::sum(bl::square(bl::abs(y)))).item() / static_cast<double>(n) / energy - 1) <
               1e-13);
    BOOST_TEST(std::abs(y(0) - complex(bl::eval(bl::sum(x)).item())) < 1e-6);
    const auto half = bl::eval(bl::rfft(x));
    BOOST_TEST(bl::eval(bl::amax(bl::abs(half - bl::slice(y, bl::range(0, n / 2 + 1))))).item() < 1e-8);
    BOOST_TEST(bl::eval(bl::amax(bl::abs(bl::irfft(half, n) - x))).item() < 1e-10);
    BOOST_TEST(index_cases::equal(bl::eval(bl::fft(x), bl::seq), y));
  }
}

BOOST_AUTO_TEST_CASE(imaginary_parts_that_must_be_0_are_taken_for_it) {
  for (const bl::index rows : {1, 20})
    for (const bl::index n : {7, 8, 999, 1000}) {
      bl::dtensor<complex, 2> x(rows, n / 2 + 1);
      for (bl::index i = 0; i < x.size(); ++i)
        x.data()[i] = {static_cast<double>(i % 11), static_cast<double>(i % 7) - 3};
      auto clean = x;
      for (bl::index r = 0; r < rows; ++r) {
        x(r, 0) = {clean(r, 0).real(), 9};
        clean(r, 0) = clean(r, 0).real();
        if (n % 2 != 0) continue;
        x(r, n / 2) = {clean(r, n / 2).real(), -8};
        clean(r, n / 2) = clean(r, n / 2).real();
      }
      BOOST_TEST(index_cases::equal(bl::irfft(x, n), bl::irfft(clean, n)));
    }
}

BOOST_AUTO_TEST_CASE(rows_do_not_reach_each_other) {
  bl::dtensor<float, 2> x(9, 12);
  for (bl::index i = 0; i < 9; ++i)
    for (bl::index k = 0; k < 12; ++k)
      x(i, k) = i == 4 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(k * i);
  const auto y = bl::eval(bl::rfft(x));
  for (bl::index i = 0; i < 9; ++i) BOOST_TEST((y(i, 1) != y(i, 1)) == (i == 4));
  // and they are the same whatever the number of threads
  bl::dtensor<float, 2> many(300, 96);
  for (bl::index i = 0; i < many.size(); ++i) many.data()[i] = static_cast<float>(i % 97) - 40;
  const auto one = bl::eval(bl::fft(many), bl::seq);
  for (int threads : {2, 5}) BOOST_TEST(index_cases::equal(bl::eval(bl::fft(many), bl::par.threads(threads)), one));
}

BOOST_AUTO_TEST_CASE(types_static_extents_and_trees) {
  const bl::tensor<int, bl::shape<2, 4>> x{{1, 2, 3, 4}, {5, 6, 7, 9}};
  const auto e = bl::fft(x);
  static_assert(std::is_same_v<decltype(e)::value_type, std::complex<double>>);
  static_assert(std::is_same_v<decltype(e)::shape_type, bl::shape<2, 4>>);
  static_assert(std::is_same_v<decltype(bl::rfft(x))::shape_type, bl::shape<2, 3>>);
  static_assert(std::is_same_v<decltype(bl::rfft(x, 6_c, 0_c))::shape_type, bl::shape<4, 4>>);
  static_assert(std::is_same_v<decltype(bl::rfft(x, 6_c, 0))::shape_type, bl::shape<bl::dyn, 4>>);
  static_assert(std::is_same_v<decltype(bl::irfft(bl::rfft(x)))::shape_type, bl::shape<2, 4>>);
  static_assert(std::is_same_v<decltype(bl::fft2(x, bl::shape<8, bl::dyn>(3)))::shape_type, bl::shape<8, bl::dyn>>);
  static_assert(std::is_same_v<decltype(bl::fftfreq(5_c))::shape_type, bl::shape<5>>);
  static_assert(std::is_same_v<decltype(bl::hfft(bl::cast<double>(x)))::value_type, double>);
  BOOST_TEST(bl::eval(e)(1, 0) == std::complex<double>(27, 0));
  // In an expression, transposed, and with a destination that it reads.
  bl::dtensor<complex, 2> z(bl::cast<complex>(x));
  const auto wanted = bl::eval(bl::fft(z, bl::all, 0) * 2.0 + 1.0);
  z = bl::fft(z, bl::all, 0) * 2.0 + 1.0;
  BOOST_TEST(index_cases::equal(z, wanted));
  BOOST_TEST(index_cases::equal(bl::transpose(bl::fft(x)), bl::fft(bl::transpose(x), bl::all, 0)));
  // no rows
  const bl::dtensor<double, 2> none(0, 8);
  BOOST_TEST(bl::eval(bl::fft(none)).shape()[1] == 8);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_is_refused) {
  const bl::dtensor<double, 2> x(2, 0), y(2, 3), one(2, 1);
  using index_cases::text_of;
  BOOST_TEST(text_of<bl::shape_error>([&] { (void)bl::fft(x); }) ==
             "Invalid number of data points (0) specified\n  in fft: axis 1 of (2, 0)");
  BOOST_TEST(text_of<bl::shape_error>([&] { (void)bl::irfft(one); }) ==
             "Invalid number of data points (0) specified\n  in irfft: axis 1 of (2, 1)");
  BOOST_TEST(text_of<bl::shape_error>([&] { (void)bl::rfft(y, -4, 0); }) ==
             "Invalid number of data points (-4) specified\n  in rfft: axis 0 of (2, 3)");
  BOOST_TEST(text_of<bl::index_error>([&] { (void)bl::hfft(y, bl::all, 2); }) ==
             "Dimension out of range (expected to be in range of [-2, 1], but got 2)\n  in hfft");
  BOOST_TEST(text_of<bl::shape_error>([&] { (void)bl::fftfreq(0); }) != "");
}

BOOST_AUTO_TEST_SUITE_END()
