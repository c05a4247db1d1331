// A free body that turns about its middle axis, which is not stable: it tumbles (Dzhanibekov's effect). Quaternions
// keep its attitude; momentum in space and energy stay.
#include <iostream>

#include <broadloom/broadloom.hpp>
#include <broadloom/geometry.hpp>

namespace bl = broadloom;

using vector3 = bl::tensor<double, bl::shape<3>>;
using quaternion = bl::tensor<double, bl::shape<4>>;

int main() {
  const vector3 inertia{1, 2, 3};
  vector3 speed{0.01, 2, 0.01};  // angular, in the body's axes
  quaternion attitude{0, 0, 0, 1};
  const double dt = 2e-3;

  const auto change = [&](const vector3& w) { return vector3(bl::cross(inertia * w, w) / inertia); };
  const auto report = [&](double t) {
    const vector3 momentum = bl::rotate(attitude, inertia * speed), axis = bl::rotate(attitude, vector3{0, 1, 0});
    const double energy = bl::dot(speed, inertia * speed).item() / 2;
    const auto rounded = [](double x) { return static_cast<int>(x * 1000 + (x < 0 ? -0.5 : 0.5)) / 1000.0; };
    std::cout << "t = " << t << ": energy " << rounded(energy) << ", momentum " << rounded(momentum(0)) << ' '
              << rounded(momentum(1)) << ' ' << rounded(momentum(2)) << ", the axis points "
              << (axis(1) > 0 ? "up" : "down") << '\n';
  };
  report(0);
  for (int k = 1; k <= 4000; ++k) {
    // The midpoint rule for the speed; the attitude turns about the speed at the middle of the step.
    const vector3 middle = speed + dt / 2 * change(speed);
    speed = speed + dt * change(middle);
    const double angle = bl::norm(middle).item() * dt;
    attitude = bl::quaternion_product(attitude, bl::quaternion_about(middle, angle));
    attitude = bl::normalized(attitude);
    if (k % 1000 == 0) report(k * dt);
  }
}
