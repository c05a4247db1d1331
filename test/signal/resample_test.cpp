// Pooling and interpolation: tables of PyTorch, refusals.
#include "cases.hpp"

namespace {

using namespace signal_cases;
constexpr const char* path = "test/data/signal_cases.tsv";

template <int Axes>
bl::per_axis<Axes> axes_at(const std::vector<bl::index>& p, std::size_t from) {
  bl::per_axis<Axes> r(0);
  for (int a = 0; a < Axes; ++a) r.n[a] = p[from + static_cast<std::size_t>(a)];
  return r;
}

// test(axes as a constant, x): x in rows, or transposed in memory where there is no batch.
template <bool Stack, class F>
void each(const char* function, int least, F test) {
  index_cases::each(
      function, least,
      [&](const line& l) {
        const auto of = [&]<int Axes>(std::integral_constant<int, Axes> axes) {
          if constexpr (!Stack)
            if (l.arrays[0].rank() == Axes + 1) {
              const auto turned = bl::eval(bl::transpose(read_array<double, Axes + 1>(l.arrays[0])));
              return test(l, axes, bl::transpose(turned));
            }
          if constexpr (Axes == 2)
            if (!test(l, axes, read_array<float, Axes + 2>(l.arrays[0]))) return false;
          return test(l, axes, read_array<double, Axes + 2>(l.arrays[0]));
        };
        switch (l.axis) {
          case 1: return of(std::integral_constant<int, 1>{});
          case 2: return of(std::integral_constant<int, 2>{});
          default: return of(std::integral_constant<int, 3>{});
        }
      },
      path);
}

template <class F>
std::string refusal(F f) {
  return index_cases::first_line(index_cases::text_of<bl::shape_error>(f));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(signal_resample)

BOOST_AUTO_TEST_CASE(pooling_is_pytorchs) {
  each<false>("max_pool", 70, [](const line& l, auto axes, const auto& x) {
    constexpr int A = decltype(axes)::value;
    const auto p = list_of(l.parameter);
    const bl::max_pool_options<A> o{axes_at<A>(p, A), axes_at<A>(p, 2 * A), axes_at<A>(p, 3 * A), p[4 * A] != 0};
    return near(l.result(), bl::detail::pool_function<A, true>{}(x, axes_at<A>(p, 0), o), 0);
  });
  each<false>("avg_pool", 70, [](const line& l, auto axes, const auto& x) {
    constexpr int A = decltype(axes)::value;
    const auto p = list_of(l.parameter);
    const bl::avg_pool_options<A> o{axes_at<A>(p, A), axes_at<A>(p, 2 * A), p[3 * A] != 0, p[3 * A + 1] != 0,
                                    p[3 * A + 2]};
    return near(l.result(), bl::detail::pool_function<A, false>{}(x, axes_at<A>(p, 0), o), 2);
  });
  each<false>("adaptive_avg_pool", 70, [](const line& l, auto axes, const auto& x) {
    constexpr int A = decltype(axes)::value;
    return near(l.result(), bl::detail::adaptive_pool_function<A, false>{}(x, axes_at<A>(list_of(l.parameter), 0)), 2);
  });
  each<false>("adaptive_max_pool", 70, [](const line& l, auto axes, const auto& x) {
    constexpr int A = decltype(axes)::value;
    return near(l.result(), bl::detail::adaptive_pool_function<A, true>{}(x, axes_at<A>(list_of(l.parameter), 0)), 0);
  });
}

BOOST_AUTO_TEST_CASE(places_of_largest_elements_are_pytorchs) {
  const auto both = [](const line& l, const auto& r) {
    return near(l.arrays[1], r.values, 0) && near(l.result(), r.indices, 0);
  };
  each<false>("max_pool_indices", 70, [&](const line& l, auto axes, const auto& x) {
    constexpr int A = decltype(axes)::value;
    const auto p = list_of(l.parameter);
    const bl::max_pool_options<A> o{axes_at<A>(p, A), axes_at<A>(p, 2 * A), axes_at<A>(p, 3 * A), p[4 * A] != 0};
    return both(l, bl::detail::max_pool_with_indices<A, false>{}(x, axes_at<A>(p, 0), o));
  });
  each<false>("adaptive_max_pool_indices", 70, [&](const line& l, auto axes, const auto& x) {
    constexpr int A = decltype(axes)::value;
    return both(l, bl::detail::max_pool_with_indices<A, true>{}(x, axes_at<A>(list_of(l.parameter), 0)));
  });
}

// Of rows of any width, so that windows fill vectors or not, with equal elements and NaN.
template <class T>
void check_places() {
  unsigned seed = 1;
  const auto chance = [&](unsigned below) {
    seed = seed * 1664525U + 1013904223U;
    return static_cast<bl::index>((seed >> 8) % below);
  };
  for (int round = 0; round < 300; ++round) {
    const bl::index height = 4 + chance(9), width = 4 + chance(40), kernel = 1 + chance(3), dilation = 1 + chance(2);
    const bl::index stride = 1 + chance(4), padding = chance(static_cast<unsigned>(kernel / 2 + 1));
    if ((kernel - 1) * dilation + 1 > 4) continue;
    bl::dtensor<T, 4> x(2, 1, height, width);
    for (bl::index i = 0; i < x.size(); ++i)
      x.data()[i] = chance(20) == 0 ? std::numeric_limits<T>::quiet_NaN() : static_cast<T>(chance(9));
    const auto found =
        bl::max_pool2d_with_indices(x, kernel, {.stride = stride, .padding = padding, .dilation = dilation});
    const auto shape = found.values.shape();
    bool right = true;
    for (bl::index n = 0; n < 2; ++n)
      for (bl::index h = 0; h < shape[2]; ++h)
        for (bl::index w = 0; w < shape[3]; ++w) {
          T largest = -std::numeric_limits<T>::infinity();
          bl::index place = -1;
          for (bl::index i = 0; i < kernel; ++i)
            for (bl::index j = 0; j < kernel; ++j) {
              const bl::index row = h * stride - padding + i * dilation, column = w * stride - padding + j * dilation;
              if (row < 0 || row >= height || column < 0 || column >= width) continue;
              const T value = x(n, 0, row, column);
              if (place < 0 || value > largest || value != value) {
                largest = value;
                place = row * width + column;
              }
            }
          const T own = found.values(n, 0, h, w);
          right = right && found.indices(n, 0, h, w) == place && (own == largest || (own != own && largest != largest));
        }
    BOOST_TEST(right, height << " x " << width << ", windows of " << kernel << ", stride " << stride << ", padding "
                             << padding << ", dilation " << dilation);
  }
}
BOOST_AUTO_TEST_CASE(places_are_those_of_a_loop) {
  check_places<float>();
  check_places<double>();
}

BOOST_AUTO_TEST_CASE(interpolation_is_pytorchs) {
  const auto sizes = [](const char* name, bl::resampling mode, std::size_t from, double places) {
    each<true>(name, mode == bl::resampling::cubic ? 24 : 28, [&](const line& l, auto axes, const auto& x) {
      const auto p = list_of(l.parameter);
      if constexpr (decltype(axes)::value != 2)
        if (mode == bl::resampling::cubic) return false;
      return near(l.result(), bl::interpolate(x, axes_at<decltype(axes)::value>(p, from), mode, from > 0 && p[0] != 0),
                  places);
    });
  };
  sizes("nearest", bl::resampling::nearest, 0, 0);
  sizes("nearest_exact", bl::resampling::nearest_exact, 0, 0);
  sizes("area", bl::resampling::area, 0, 2);
  sizes("linear", bl::resampling::linear, 1, 12);
  sizes("cubic", bl::resampling::cubic, 1, 24);
  each<true>("nearest_scale", 56, [](const line& l, auto, const auto& x) {
    return near(l.result(), bl::interpolate(x, bl::scale_factor{std::stod(l.parameter)}), 0);
  });
  each<true>("linear_scale", 56, [](const line& l, auto, const auto& x) {
    return near(l.result(), bl::interpolate(x, bl::scale_factor{std::stod(l.parameter)}, bl::resampling::linear), 12);
  });
}

BOOST_AUTO_TEST_CASE(extents_threads_and_destinations) {
  bl::tensor<float, bl::shape<2, 3, bl::dyn, bl::dyn>> x(300, 40);
  for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i * 7919 % 1009);
  const auto e = bl::max_pool2d(x, 3, {.stride = 2, .padding = 1});
  static_assert(std::is_same_v<decltype(e)::shape_type, bl::shape<2, 3, bl::dyn, bl::dyn>>);
  BOOST_TEST(index_cases::equal(bl::eval(e, bl::seq), bl::eval(e, bl::par.threads(5))));
  const auto i = bl::interpolate(x, {301, 90}, bl::resampling::linear);
  BOOST_TEST(index_cases::equal(bl::eval(i, bl::seq), bl::eval(i, bl::par.threads(5))));
  auto y = x;
  y = bl::avg_pool2d(y, 3, {.stride = 1, .padding = 1}) + 1.f;
  BOOST_TEST(index_cases::equal(y, bl::avg_pool2d(x, 3, {.stride = 1, .padding = 1}) + 1.f));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_is_refused) {
  const bl::dtensor<float, 4> x(1, 4, 5, 5), none(1, 4, 0, 5);
  BOOST_TEST(
      index_cases::text_of<bl::shape_error>([&] { (void)bl::max_pool2d(x, {2, 6}); }) ==
      "Kernel size can't be greater than actual input size: axis 3 has 5 elements, the kernel covers 6 with padding 0\n"
      "  in max_pool2d: (1, 4, 5, 5)");
  BOOST_TEST(refusal([&] { (void)bl::avg_pool2d(x, 2, {.padding = 2}); }) ==
             "pad should be at most half of kernel size, but got pad=2 and kernel_size=2");
  BOOST_TEST(refusal([&] { (void)bl::max_pool2d(none, 2); }) == "an axis to be pooled has no elements: axis 2");
  BOOST_TEST(refusal([&] { (void)bl::max_pool2d(x, 0); }) == "kernel size should be greater than zero, but got [0, 0]");
  BOOST_TEST(refusal([&] { (void)bl::interpolate(x, {0, 3}); }) ==
             "Input and output sizes should be greater than 0, but got input 5 output 0 on axis 2");
  BOOST_TEST(refusal([&] { (void)bl::interpolate(x, {2, 3}, bl::resampling::nearest, true); }) ==
             "align_corners option can only be set with the interpolating modes: linear | cubic");
}

BOOST_AUTO_TEST_SUITE_END()
