// Sums over a photograph by plain loops, and a palette by k-means; the pipelines take them as given arrays.
#include "photograph.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace example {
namespace {

using colour = std::array<double, 3>;

// Evenly spread pixels, enough of them to speak for the whole.
std::vector<colour> sample(const picture& p) {
  const bl::index count = p.height * p.width;
  const bl::index step = std::max<bl::index>(count / 20000, 1);
  std::vector<colour> colours;
  for (bl::index i = 0; i < count; i += step) {
    const std::uint8_t* pixel = p.pixels.data() + 3 * i;
    colours.push_back({double(pixel[0]), double(pixel[1]), double(pixel[2])});
  }
  return colours;
}

double distance(const colour& a, const colour& b) {
  double sum = 0;
  for (std::size_t c = 0; c < 3; ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
  return sum;
}

// The palette entry nearest to a colour.
std::size_t nearest(const std::vector<colour>& palette, const colour& c) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < palette.size(); ++k)
    if (distance(palette[k], c) < distance(palette[best], c)) best = k;
  return best;
}

// k-means, begun with colours far from each other, so that a small patch of its own colour gets an entry.
std::vector<colour> choose_palette(const std::vector<colour>& colours) {
  std::vector<colour> palette{colours.front()};
  while (palette.size() < palette_size) {
    const auto loneliness = [&](const colour& c) { return distance(c, palette[nearest(palette, c)]); };
    palette.push_back(*std::max_element(colours.begin(), colours.end(), [&](const colour& a, const colour& b) {
      return loneliness(a) < loneliness(b);
    }));
  }
  for (int round = 0; round < 12; ++round) {
    std::vector<colour> sum(palette.size(), colour{});
    std::vector<double> count(palette.size(), 0);
    for (const colour& c : colours) {
      const std::size_t k = nearest(palette, c);
      count[k] += 1;
      for (std::size_t i = 0; i < 3; ++i) sum[k][i] += c[i];
    }
    for (std::size_t k = 0; k < palette.size(); ++k)
      if (count[k] > 0) palette[k] = {sum[k][0] / count[k], sum[k][1] / count[k], sum[k][2] / count[k]};
  }
  return palette;
}

// n points from -1 to 1.
float coordinate(bl::index i, bl::index n) { return n > 1 ? 2 * float(i) / float(n - 1) - 1 : 0.0F; }

}  // namespace

photograph::photograph(const picture& p)
    : memory(p.pixels.size()),
      pixels(planes<const std::uint8_t>(memory.data(), bl::shape<bl::dyn, bl::dyn, 3>(p.height, p.width))),
      y(p.height),
      x(p.width) {
  bl::assign(planes(memory.data(), pixels.shape()), bl::from(p.pixels, pixels.shape()));
  const double count = double(p.height) * double(p.width);
  for (bl::index c = 0; c < 3; ++c) {
    double sum = 0;
    for (std::size_t i = std::size_t(c); i < p.pixels.size(); i += 3) sum += p.pixels[i];
    double squares = 0;
    for (std::size_t i = std::size_t(c); i < p.pixels.size(); i += 3) squares += std::pow(p.pixels[i] - sum / count, 2);
    mean(c) = float(sum / count);
    deviation(c) = float(std::max(std::sqrt(squares / count), 1.0));
  }
  // All the way would make every photograph grey on average, sunsets too.
  constexpr float strength = 0.4F;
  const float common_mean = (mean(0) + mean(1) + mean(2)) / 3;
  const float common_deviation = (deviation(0) + deviation(1) + deviation(2)) / 3;
  for (bl::index c = 0; c < 3; ++c) {
    level(c) = mean(c) + strength * (common_mean - mean(c));
    spread(c) = deviation(c) + strength * (common_deviation - deviation(c));
  }
  const std::vector<colour> chosen = choose_palette(sample(p));
  for (bl::index k = 0; k < palette_size; ++k)
    for (bl::index c = 0; c < 3; ++c) palette(k, c) = float(std::lround(chosen[std::size_t(k)][std::size_t(c)]));
  for (bl::index i = 0; i < p.height; ++i) y(i, 0, 0) = coordinate(i, p.height);
  for (bl::index j = 0; j < p.width; ++j) x(j, 0) = coordinate(j, p.width);
}

picture to_picture(const std::uint8_t* data, bl::index height, bl::index width, bl::index channels) {
  picture p{height, width, channels, std::vector<std::uint8_t>(std::size_t(height * width * channels))};
  const bl::dshape<3> shape(height, width, channels);
  bl::assign(bl::from(p.pixels, shape), planes(data, shape));
  return p;
}

picture paint(const std::int32_t* numbers, const bl::tensor<float, bl::shape<palette_size, 3>>& palette,
              bl::index height, bl::index width) {
  picture p{height, width, 3, {}};
  for (bl::index i = 0; i < height * width; ++i)
    for (bl::index c = 0; c < 3; ++c) p.pixels.push_back(std::uint8_t(palette(numbers[i], c)));
  return p;
}

}  // namespace example
