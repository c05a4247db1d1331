// A Kalman filter of positions and speeds in space: one of static sizes, and a hundred thousand at once, by the same
// function.
#include <iostream>
#include <random>

#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

namespace bl = broadloom;

template <bl::index... N>
using matrix = bl::tensor<double, bl::shape<N...>>;

constexpr double dt = 0.1, noise = 0.5;

// What is known beforehand: how a state (position, speed) goes on, how uncertain that is, and what is measured of it.
struct model {
  matrix<6, 6> motion, drift;
  matrix<3, 6> seen;
  matrix<3, 3> error;
  model() : motion(bl::eye<double>(6)), drift(bl::eye<double>(6) * 1e-3), error(bl::eye<double>(3) * (noise * noise)) {
    seen = 0;
    for (bl::index i = 0; i < 3; ++i) {
      motion(i, i + 3) = dt;
      seen(i, i) = 1;
    }
  }
};

// States (..., 6, 1) and covariances (..., 6, 6) after a step and a measurement (..., 3, 1). Leading axes, if there are
// any, are filters.
template <class State, class Covariance, class Measured>
void step(const model& m, State& x, Covariance& p, const Measured& z) {
  x = bl::matmul(m.motion, x);
  p = bl::matmul(bl::matmul(m.motion, p), m.motion.T()) + m.drift;
  const bl::tensor shared = bl::matmul(p, m.seen.T());                                        // (..., 6, 3)
  const bl::tensor gain = bl::matmul(shared, bl::inv(bl::matmul(m.seen, shared) + m.error));  // (..., 6, 3)
  x += bl::matmul(gain, z - bl::matmul(m.seen, x));
  p -= bl::matmul(gain, bl::matmul(m.seen, p));
}

int main() {
  const model m;
  constexpr bl::index count = 100000;
  matrix<6, 1> x;
  matrix<6, 6> p = bl::eye<double>(6) * 10.0;
  bl::tensor<double, bl::shape<bl::dyn, 6, 1>> xs = bl::zeros<double>(count, 6, 1);
  bl::tensor<double, bl::shape<bl::dyn, 6, 6>> ps(bl::shape<bl::dyn, 6, 6>{count});
  bl::assign(ps, p);
  x = 0;

  std::mt19937 random(1);
  const auto error = [&] { return noise * 3.46410161513775 * (static_cast<double>(random()) / 0x1p32 - 0.5); };
  bl::tensor<double, bl::shape<bl::dyn, 3, 1>> zs(bl::shape<bl::dyn, 3, 1>{count});
  for (int k = 1; k <= 10; ++k) {
    // All fly at speed (1, 2, -0.5); the measurements of filter 0 are those of the one of static sizes.
    const double way[] = {k * dt, 2 * k * dt, -0.5 * k * dt};
    if (k == 1)
      for (bl::index i = 0; i < 3 * count; ++i) zs.data()[i] = error();
    const matrix<3, 1> truth{{way[0]}, {way[1]}, {way[2]}};
    const matrix<3, 1> z = truth + zs(0) * (k % 2 == 0 ? -1.0 : 1.0);
    step(m, x, p, z);
    const bl::tensor all = truth + zs * (k % 2 == 0 ? -1.0 : 1.0);
    step(m, xs, ps, all);
  }
  const auto digits = [](double value) { return static_cast<int>(value * 1000 + (value < 0 ? -0.5 : 0.5)) / 1000.0; };
  std::cout << "one filter:";
  for (bl::index i = 0; i < 6; ++i) std::cout << ' ' << digits(x(i, 0));
  std::cout << "\nfirst of " << count << ':';
  for (bl::index i = 0; i < 6; ++i) std::cout << ' ' << digits(xs(0, i, 0));
  const bl::tensor mean = bl::mean(xs, bl::axes<0>);
  std::cout << "\nmean of all:";
  for (bl::index i = 0; i < 6; ++i) std::cout << ' ' << digits(mean(i, 0));
  std::cout << '\n';
}
