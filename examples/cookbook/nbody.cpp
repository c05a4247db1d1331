// Bodies that attract each other: forces of all pairs in one expression, positions by the leapfrog method.
#include <broadloom/broadloom.hpp>

#include "keep.hpp"

namespace bl = broadloom;
using namespace bl::literals;

constexpr bl::index body = bl::size<"body">;

// (body, 3) and (body): the acceleration of each body, (body, 3).
inline constexpr auto acceleration = bl::function([](auto x, auto mass) {
  const auto partner = bl::named<"other", 3>(x);
  const auto weight = bl::named<"other">(mass);
  const auto d = bl::let(bl::unsqueeze(partner, 0_c) - bl::unsqueeze(x, 1_c));  // (body, other, 3)
  const auto r2 = bl::sum(bl::square(d), 2_c, bl::keepdim) + 1e-2;              // softened
  return bl::sum(d * bl::unsqueeze(weight, 1_c) / (r2 * bl::sqrt(r2)), "other"_axis);
});

int main(int argc, char** argv) {
  const keep keep(argc, argv);
  bl::generator g(7);
  const bl::index count = keep.size(40, 500);
  bl::tensor<double, bl::shape<body, 3>> x = bl::randn<double>(g, bl::shape<body, 3>(count)), v(count);
  const bl::tensor mass = bl::rand<double>(g, bl::shape<body>(count)) + 0.5;
  keep("start", x);
  keep("mass", mass);
  const double dt = 0.01;
  v += acceleration(x, mass) * (dt / 2);
  keep.run([&] {
    for (int step = 0; step < 20; ++step) {
      x += v * dt;
      v += acceleration(x, mass) * dt;
    }
  });
  keep.tree("nbody", acceleration(x, mass));
  keep("end", x);
}
