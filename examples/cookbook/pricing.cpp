// The price of an Asian call option by Monte Carlo: all paths at once. Normal numbers of (path, day) become logarithms
// of prices by a running sum along the days; the pay-off needs their mean.
#include <broadloom/broadloom.hpp>

#include <cmath>

#include "keep.hpp"

namespace bl = broadloom;
using namespace bl::literals;

constexpr bl::index path = bl::size<"path">, day = bl::size<"day">;

int main(int argc, char** argv) {
  const keep keep(argc, argv);
  const double start = 100, strike = 102, rate = 0.03, sigma = 0.2, years = 1;
  const bl::index paths = keep.size(4000, 100000), days = 50;
  const double dt = years / static_cast<double>(days);
  bl::generator g(4);
  const auto z = bl::randn<double>(g, bl::shape<path, day>(paths, days));
  keep("z", z);

  const auto steps = (rate - sigma * sigma / 2) * dt + sigma * std::sqrt(dt) * z;
  const auto mean = bl::mean(start * bl::exp(bl::cumsum(steps, "day"_axis)), "day"_axis);
  const auto discounted = std::exp(-rate * years) * bl::maximum(mean - strike, 0.0);
  const bl::tensor payoff = keep.run([&] { return bl::tensor(discounted); });
  keep.tree("pricing", discounted);
  keep("payoff", payoff);
  std::cout << "price " << bl::mean(payoff).item() << " +- "
            << 1.96 * bl::std(payoff).item() / std::sqrt(static_cast<double>(paths)) << '\n';
}
