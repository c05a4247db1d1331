// Layers of neural networks are PyTorch's, by a table.
#include "cases.hpp"

#include <broadloom/signal/layers.hpp>

namespace {

using namespace signal_cases;
constexpr const char* path = "test/data/layers_cases.tsv";

template <int Axes>
bl::per_axis<Axes> axes_at(const std::vector<bl::index>& p, int place) {
  bl::per_axis<Axes> r(0);
  for (int a = 0; a < Axes; ++a) r.n[a] = p[static_cast<std::size_t>(place * Axes + a)];
  return r;
}

template <int Axes>
bool weight_gradient_is(const line& l) {
  const auto p = list_of(l.parameter);
  constexpr std::size_t last = 4 * Axes;
  bl::conv_options<Axes> o{.stride = axes_at<Axes>(p, 1), .dilation = axes_at<Axes>(p, 3), .groups = p[last]};
  o.padding.n = axes_at<Axes>(p, 2);
  if (p[last + 1] != 0) o.padding = bl::conv_mode::same;
  const auto x = read_array<double, Axes + 2>(l.arrays[0]), gradient = read_array<double, Axes + 2>(l.arrays[1]);
  const bl::detail::convolution_weight<Axes> weight{};
  const auto k = axes_at<Axes>(p, 0);
  if constexpr (Axes == 1)
    return near(l.result(), weight(x, {k[0]}, gradient, o), 4);
  else if constexpr (Axes == 2)
    return near(l.result(), weight(x, {k[0], k[1]}, gradient, o), 4);
  else
    return near(l.result(), weight(x, {k[0], k[1], k[2]}, gradient, o), 4);
}

template <int R>
bool batch_norm_is(const line& l) {
  const auto x = read_array<double, R>(l.arrays[0]);
  const auto one = [&](std::size_t k) { return read_array<double, 1>(l.arrays[k]); };
  return l.arrays.size() == 4 ? near(l.result(), bl::batch_norm(x, one(1), one(2), 1e-3))
                              : near(l.result(), bl::batch_norm(x, one(1), one(2), one(3), one(4), 1e-3));
}
template <int R>
bool group_norm_is(const line& l) {
  const auto x = read_array<double, R>(l.arrays[0]);
  const auto one = [&](std::size_t k) { return read_array<double, 1>(l.arrays[k]); };
  const int groups = static_cast<int>(list_of(l.parameter)[0]);
  return l.arrays.size() == 2 ? near(l.result(), bl::group_norm(x, groups, 1e-3))
                              : near(l.result(), bl::group_norm(x, groups, one(1), one(2), 1e-3));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(signal_layers)

BOOST_AUTO_TEST_CASE(the_gradients_of_weights) {
  index_cases::each(
      "conv_weight", 46,
      [](const line& l) {
        return l.axis == 1   ? weight_gradient_is<1>(l)
               : l.axis == 2 ? weight_gradient_is<2>(l)
                             : weight_gradient_is<3>(l);
      },
      path);
  const bl::dtensor<float, 4> x(1, 2, 5, 5), gradient(1, 3, 3, 3);
  BOOST_TEST((bl::conv2d_weight(x, {3, 3}, gradient).shape() == bl::dshape<4>(3, 2, 3, 3)));
  BOOST_CHECK_THROW(bl::conv2d_weight(x, {2, 3}, gradient), bl::shape_error);
  BOOST_CHECK_THROW(bl::conv2d_weight(x, {3, 3}, gradient, {.groups = 2}), bl::shape_error);
}

BOOST_AUTO_TEST_CASE(normalisations) {
  index_cases::each(
      "batch_norm", 24,
      [](const line& l) {
        return l.axis == 2 ? batch_norm_is<2>(l) : l.axis == 3 ? batch_norm_is<3>(l) : batch_norm_is<4>(l);
      },
      path);
  index_cases::each(
      "group_norm", 24,
      [](const line& l) {
        return l.axis == 2 ? group_norm_is<2>(l) : l.axis == 3 ? group_norm_is<3>(l) : group_norm_is<4>(l);
      },
      path);
  BOOST_CHECK_THROW(bl::group_norm(bl::dtensor<float, 3>(2, 6, 5), 4), bl::shape_error);
}

BOOST_AUTO_TEST_CASE(cells) {
  const auto array = [](const line& l, std::size_t k) { return read_array<double, 2>(l.arrays[k]); };
  const auto bias = [](const line& l, std::size_t k) { return read_array<double, 1>(l.arrays[k]); };
  index_cases::each(
      "lstm_cell", 16,
      [&](const line& l) {
        const auto x = array(l, 0), h = array(l, 1), c = array(l, 2), w = array(l, 3), v = array(l, 4);
        const auto r =
            l.arrays.size() == 6 ? bl::lstm_cell(x, h, c, w, v) : bl::lstm_cell(x, h, c, w, v, bias(l, 5), bias(l, 6));
        return near(l.result(), bl::stack(0, r.h, r.c));
      },
      path);
  index_cases::each(
      "gru_cell", 16,
      [&](const line& l) {
        const auto x = array(l, 0), h = array(l, 1), w = array(l, 2), v = array(l, 3);
        return l.arrays.size() == 5 ? near(l.result(), bl::gru_cell(x, h, w, v))
                                    : near(l.result(), bl::gru_cell(x, h, w, v, bias(l, 4), bias(l, 5)));
      },
      path);
  const bl::dtensor<float, 2> x(2, 3), h(2, 4), w(12, 3), v(12, 4);
  BOOST_CHECK_THROW(bl::lstm_cell(x, h, h, w, v), bl::shape_error);
}

BOOST_AUTO_TEST_SUITE_END()
