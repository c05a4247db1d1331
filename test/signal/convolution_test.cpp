// Convolutions: tables of PyTorch and NumPy in several element types, against a loop by hand, refusals.
#include "cases.hpp"

namespace {

using namespace signal_cases;
using namespace bl::literals;
constexpr const char* path = "test/data/signal_cases.tsv";

template <int Axes>
bl::per_axis<Axes> axes_at(const std::vector<bl::index>& p, std::size_t from) {
  bl::per_axis<Axes> r(0);
  for (int a = 0; a < Axes; ++a) r.n[a] = p[from + static_cast<std::size_t>(a)];
  return r;
}

template <class T, int Axes, bool Batch>
bool convolution_is(const line& l) {
  const auto p = list_of(l.parameter);
  constexpr std::size_t n = Axes;
  bl::conv_options<Axes> o{.stride = axes_at<Axes>(p, 0), .dilation = axes_at<Axes>(p, 2 * n), .groups = p[3 * n]};
  o.padding.n = axes_at<Axes>(p, n);
  if (p[3 * n + 1] != 0) o.padding = bl::conv_mode::same;
  const bl::detail::convolution_function<Axes, false> conv{};
  const auto x = read_array<T, Axes + 1 + Batch>(l.arrays[0]);
  const auto w = read_array<T, Axes + 2>(l.arrays[1]);
  if (l.arrays.size() == 3) return near(l.result(), conv(x, w, o), 4);
  const auto bias = read_array<T, 1>(l.arrays[2]);
  // Operands of any layout.
  const auto turned = bl::eval(bl::transpose(x));
  return near(l.result(), conv(bl::transpose(turned), w, bias, o), 4);
}
template <class T, int Axes, bool Batch>
bool transposed_is(const line& l) {
  const auto p = list_of(l.parameter);
  constexpr std::size_t n = Axes;
  const bl::conv_transpose_options<Axes> o{.stride = axes_at<Axes>(p, 0),
                                           .padding = axes_at<Axes>(p, n),
                                           .output_padding = axes_at<Axes>(p, 3 * n + 1),
                                           .groups = p[3 * n],
                                           .dilation = axes_at<Axes>(p, 2 * n)};
  const bl::detail::convolution_function<Axes, true> conv{};
  const auto x = read_array<T, Axes + 1 + Batch>(l.arrays[0]);
  const auto w = read_array<T, Axes + 2>(l.arrays[1]);
  if (l.arrays.size() == 3) return near(l.result(), conv(x, w, o), 4);
  return near(l.result(), conv(x, w, read_array<T, 1>(l.arrays[2]), o), 4);
}

template <class T>
bl::dtensor<T, 4> sequence(bl::index a, bl::index b, bl::index c, bl::index d, int seed) {
  bl::dtensor<T, 4> r(a, b, c, d);
  std::mt19937 chance(static_cast<unsigned>(seed));
  for (bl::index i = 0; i < r.size(); ++i) r.data()[i] = static_cast<T>(static_cast<int>(chance() % 19) - 9);
  return r;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(signal_convolution)

BOOST_AUTO_TEST_CASE(convolutions_are_pytorchs) {
  index_cases::each(
      "conv", 90,
      [](const line& l) {
        const bool batch = list_of(l.parameter).back() != 0;
        switch (l.axis) {
          case 1: return batch ? convolution_is<double, 1, true>(l) : convolution_is<std::int64_t, 1, false>(l);
          case 2:
            return batch ? convolution_is<double, 2, true>(l) && convolution_is<float, 2, true>(l) &&
                               convolution_is<std::int32_t, 2, true>(l)
                         : convolution_is<double, 2, false>(l);
          default: return batch ? convolution_is<float, 3, true>(l) : convolution_is<double, 3, false>(l);
        }
      },
      path);
}

// The windows cover as many elements as there are, and begin before them.
BOOST_AUTO_TEST_CASE(padding_counts_though_windows_are_no_longer_than_the_line) {
  const bl::dtensor<float, 2> x{{1, 2, 3, 4, 5}};
  const bl::dtensor<float, 3> w{{{10, 1}}};
  BOOST_TEST(index_cases::equal(bl::conv1d(x, w, {.stride = 3, .padding = 1}), bl::dtensor<float, 2>{{1, 34}}));
}

BOOST_AUTO_TEST_CASE(transposed_convolutions_are_pytorchs) {
  index_cases::each(
      "conv_transpose", 35,
      [](const line& l) {
        const bool batch = list_of(l.parameter).back() != 0;
        switch (l.axis) {
          case 1: return batch ? transposed_is<double, 1, true>(l) : transposed_is<double, 1, false>(l);
          case 2: return batch ? transposed_is<float, 2, true>(l) : transposed_is<double, 2, false>(l);
          default: return batch ? transposed_is<double, 3, true>(l) : transposed_is<double, 3, false>(l);
        }
      },
      path);
}

BOOST_AUTO_TEST_CASE(lines_are_numpys) {
  const auto lines = [](const char* name, const auto& f) {
    index_cases::each(
        name, 60,
        [&](const line& l) {
          const auto mode = static_cast<bl::conv_mode>(list_of(l.parameter)[0]);
          const auto a = read_array<double, 1>(l.arrays[0]), v = read_array<double, 1>(l.arrays[1]);
          return near(l.result(), f(a, v, mode), 2) &&
                 near(l.result(), f(bl::cast<int>(a), bl::cast<int>(v), mode), 2) &&
                 near(l.result(), f(bl::cast<float>(a) * 1.f, bl::flip(bl::eval(bl::flip(v, 0)), 0), mode), 2);
        },
        path);
  };
  lines("convolve", bl::convolve);
  lines("correlate", bl::correlate);
  using complex = std::complex<double>;
  const bl::tensor<complex, bl::shape<3>> a{complex(1, 2), complex(0, 1), complex(3, 0)};
  const bl::tensor<complex, bl::shape<2>> v{complex(0, 1), complex(2, -1)};
  // np.correlate(a, v), np.convolve(a, v)
  BOOST_TEST(index_cases::equal(bl::correlate(a, v), bl::tensor<complex, bl::shape<2>>{complex(1, 1), complex(7, 3)}));
  BOOST_TEST(index_cases::equal(bl::convolve(a, v), bl::tensor<complex, bl::shape<4>>{complex(-2, 1), complex(3, 3),
                                                                                      complex(1, 5), complex(6, -3)}));
}

// Sizes at which lines are cut into parts, products of matrices and sums of rows, one thread and several.
BOOST_AUTO_TEST_CASE(large_ones_are_those_of_a_loop) {
  const auto check = [](const bl::dtensor<float, 4>& x, const bl::dtensor<float, 4>& w, bl::index step, bl::index pad) {
    const auto y = bl::eval(bl::conv2d(x, w, {.stride = step, .padding = pad}));
    BOOST_TEST(index_cases::equal(bl::eval(bl::conv2d(x, w, {.stride = step, .padding = pad}), bl::seq), y));
    int wrong = 0;
    std::mt19937 chance(3);
    for (int turn = 0; turn < 300; ++turn) {
      const auto any = [&](bl::index n) { return static_cast<bl::index>(chance() % static_cast<unsigned>(n)); };
      const bl::index n = any(y.shape()[0]), o = any(y.shape()[1]), i = any(y.shape()[2]), j = any(y.shape()[3]);
      double sum = 0;
      for (bl::index c = 0; c < w.shape()[1]; ++c)
        for (bl::index k = 0; k < w.shape()[2]; ++k)
          for (bl::index l = 0; l < w.shape()[3]; ++l) {
            const bl::index r = i * step + k - pad, s = j * step + l - pad;
            if (r >= 0 && s >= 0 && r < x.shape()[2] && s < x.shape()[3])
              sum += static_cast<double>(x(n, c, r, s)) * static_cast<double>(w(o, c, k, l));
          }
      wrong += static_cast<double>(y(n, o, i, j)) != sum;
    }
    BOOST_TEST(wrong == 0);
  };
  check(sequence<float>(3, 16, 40, 40, 1), sequence<float>(32, 16, 3, 3, 2), 1, 1);
  check(sequence<float>(2, 3, 61, 67, 3), sequence<float>(2, 3, 5, 4, 4), 2, 2);
  check(sequence<float>(1, 1, 3, 30000, 5), sequence<float>(8, 1, 2, 9, 6), 1, 0);
  check(sequence<float>(1, 1, 3, 30000, 5), sequence<float>(1, 1, 3, 90, 6), 1, 3);
  check(sequence<float>(5, 64, 9, 9, 7), sequence<float>(64, 64, 1, 1, 8), 1, 0);
}

// Of two outputs, which are sums of shifted lines: lines of each length around those of vectors, at any place.
BOOST_AUTO_TEST_CASE(short_lines_are_those_of_a_loop) {
  const auto check = []<class T>(T) {
    for (bl::index n = 1; n <= 70; ++n) {
      const auto x = bl::eval(bl::reshape(sequence<T>(1, 2, 3, n + 2, 7), 2, 3, n + 2));
      const auto w = bl::eval(bl::reshape(sequence<T>(2, 2, 2, 3, 8), 2, 2, 2, 3));
      const auto r = bl::eval(bl::conv2d(x, w));
      BOOST_REQUIRE(r.shape() == bl::shape(2, 2, n));
      bool same = true;
      for (bl::index o = 0; o < 2; ++o)
        for (bl::index i = 0; i < 2; ++i)
          for (bl::index j = 0; j < n; ++j) {
            T sum = 0;
            for (bl::index c = 0; c < 2; ++c)
              for (bl::index k = 0; k < 6; ++k) sum += w(o, c, k / 3, k % 3) * x(c, i + k / 3, j + k % 3);
            same = same && sum == r(o, i, j);
          }
      BOOST_TEST(same, n);
    }
  };
  check(float());
  check(double());
  check(std::int32_t());
}

// Integers modulo 2^bits, at every instruction-set level: sums of shifted lines, of single outputs and of up to four at
// once, and products of matrices.
using integers = std::tuple<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                            std::uint32_t, std::uint64_t>;
BOOST_AUTO_TEST_CASE_TEMPLATE(integers_wrap_around, T, integers) {
  const bl::isa before = bl::runtime::active_isa();
  const auto bits = [](bl::index n, std::uint64_t seed) {
    std::mt19937_64 chance(seed);
    std::vector<T> r(static_cast<std::size_t>(n));
    for (T& x : r) x = static_cast<T>(chance());
    return r;
  };
  for (const bl::index outputs : {1, 3, 5, 7})
    for (const bl::index n : {3, 9, 40, 131, 300})
      for (const bl::index stride : {1, 2}) {
        const auto x = bits(2 * n, 1), w = bits(outputs * 2 * 3, 2), bias = bits(outputs, 3);
        const bl::index count = (n - 3) / stride + 1;
        std::vector<T> want;
        for (bl::index o = 0; o < outputs; ++o)
          for (bl::index i = 0; i < count; ++i) {
            std::uint64_t sum = static_cast<std::uint64_t>(bias[static_cast<std::size_t>(o)]);
            for (bl::index c = 0; c < 2; ++c)
              for (bl::index k = 0; k < 3; ++k)
                sum += static_cast<std::uint64_t>(w[static_cast<std::size_t>((o * 2 + c) * 3 + k)]) *
                       static_cast<std::uint64_t>(x[static_cast<std::size_t>(c * n + i * stride + k)]);
            want.push_back(static_cast<T>(sum));
          }
        for (const bl::isa level : bl::runtime::every_isa) {
          bl::set_isa(level);
          const bl::tensor r =
              bl::conv1d(bl::from(x.data(), bl::dshape<2>(2, n)), bl::from(w.data(), bl::dshape<3>(outputs, 2, 3)),
                         bl::from(bias.data(), bl::dshape<1>(outputs)), {.stride = stride});
          BOOST_TEST(
              std::equal(want.begin(), want.end(), r.data(), r.data() + r.size()),
              "outputs " << outputs << " n " << n << " stride " << stride << " level " << static_cast<int>(level));
        }
        bl::set_isa(before);
      }
}

BOOST_AUTO_TEST_CASE(types_static_extents_and_trees) {
  const bl::tensor<float, bl::shape<2, 3, 8>> x;
  const bl::tensor<float, bl::shape<5, 3, 3>> w;
  const bl::tensor<double, bl::shape<5>> bias;
  static_assert(std::is_same_v<decltype(bl::conv1d(x, w))::shape_type, bl::shape<2, 5, 6>>);
  static_assert(std::is_same_v<decltype(bl::conv1d(x, w, bias))::value_type, double>);
  static_assert(std::is_same_v<decltype(bl::conv1d(x, w, {.stride = 2}))::shape_type, bl::shape<2, 5, bl::dyn>>);
  static_assert(std::is_same_v<decltype(bl::conv_transpose1d(bl::tensor<float, bl::shape<5, 8>>{}, w))::shape_type,
                               bl::shape<3, 10>>);
  const bl::tensor<int, bl::shape<3>> a{1, 2, 3};
  const bl::tensor<int, bl::shape<2>> v{1, 10};
  static_assert(std::is_same_v<decltype(bl::convolve(a, v))::shape_type, bl::shape<4>>);
  static_assert(std::is_same_v<decltype(bl::correlate(a, v))::shape_type, bl::shape<2>>);
  BOOST_TEST(index_cases::equal(bl::convolve(a, v) * 2 + 1, bl::tensor<int, bl::shape<4>>{3, 25, 47, 61}));
  // A destination that it reads.
  bl::dtensor<int, 1> z{1, 2, 3, 4};
  z = bl::convolve(z, v, bl::conv_mode::same);
  BOOST_TEST(index_cases::equal(z, bl::tensor<int, bl::shape<4>>{1, 12, 23, 34}));
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused) {
  using index_cases::text_of;
  const auto x = sequence<float>(1, 4, 5, 5, 1);
  const auto text = [&](bl::index o, bl::index c, bl::index h, bl::index w, const bl::conv_options<2>& options) {
    return index_cases::first_line(
        text_of<bl::shape_error>([&] { (void)bl::conv2d(x, bl::dtensor<float, 4>(o, c, h, w), options); }));
  };
  BOOST_TEST(
      text_of<bl::shape_error>([&] { (void)bl::conv2d(x, bl::dtensor<float, 4>(3, 4, 6, 2)); }) ==
      "Calculated padded input size per channel: (5 x 5). Kernel size: (6 x 2). Kernel size can't be greater than "
      "actual input size\n  in conv2d: x (1, 4, 5, 5), weight (3, 4, 6, 2)");
  BOOST_TEST(
      text(1, 1, 3, 2, {}) ==
      "Given groups=1, weight of size [1, 1, 3, 2], expected input[1, 4, 5, 5] to have 1 channels, but got 4 channels "
      "instead");
  BOOST_TEST(text(3, 2, 3, 2, {.groups = 2}) ==
             "Given groups=2, expected weight to be divisible by 2 at dimension 0, but got weight of size [3, 2, 3, 2] "
             "instead");
  BOOST_TEST(text(3, 4, 3, 2, {.stride = 0}) == "non-positive stride is not supported");
  BOOST_TEST(text(3, 4, 3, 2, {.padding = -1}) == "negative padding is not supported");
  BOOST_TEST(text(3, 4, 3, 2, {.dilation = 0}) == "dilation should be greater than zero, but got [0, 0]");
  BOOST_TEST(text(3, 4, 3, 2, {.stride = 2, .padding = bl::conv_mode::same}) ==
             "padding='same' is not supported for strided convolutions");
  BOOST_TEST(text(3, 4, 0, 2, {}) == "kernel size should be greater than zero, but got [0, 2]");
  BOOST_TEST(
      index_cases::first_line(text_of<bl::shape_error>(
          [&] { (void)bl::conv2d(x, bl::dtensor<float, 4>(3, 4, 3, 2), bl::dtensor<float, 1>(2)); })) ==
      "Given weight of size [3, 4, 3, 2], expected bias to be 1-dimensional with 3 elements, but got bias of size [2] "
      "instead");
  BOOST_TEST(text_of<bl::shape_error>([&] { (void)bl::convolve(bl::dtensor<int, 1>(0), bl::dtensor<int, 1>(2)); }) ==
             "a cannot be empty\n  in convolve: (0), (2)");
}

BOOST_AUTO_TEST_SUITE_END()
