// Point-cloud registration: the rotation and translation that bring one cloud of points upon another, by iterated
// closest points (ICP). Each step is a singular value decomposition of 3 x 3.
#include <iostream>
#include <random>

#include <broadloom/broadloom.hpp>
#include <broadloom/geometry.hpp>
#include <broadloom/linalg/singular_values.hpp>

namespace bl = broadloom;

using vector3 = bl::tensor<double, bl::shape<3>>;
using matrix3 = bl::tensor<double, bl::shape<3, 3>>;
using matrix4 = bl::tensor<double, bl::shape<4, 4>>;
using cloud = bl::tensor<double, bl::shape<bl::dyn, 3>>;

// The rigid transform that brings points a closest to points b, row by row (Kabsch).
matrix4 fit(const cloud& a, const cloud& b) {
  const vector3 from = bl::mean(a, bl::axes<0>), to = bl::mean(b, bl::axes<0>);
  const matrix3 shared = bl::matmul((a - from).T(), b - to);
  const auto [u, s, vh] = bl::svd(shared);
  vector3 signs{1, 1, 1};
  signs(2) = bl::det(bl::matmul(u, vh)).item() < 0 ? -1 : 1;  // a rotation, no reflection
  const matrix3 r = bl::matmul(vh.T() * signs, u.T());
  return bl::rigid_transform(r, to - bl::matmul(r, from));
}

int main() {
  constexpr bl::index count = 400;
  std::mt19937 random(3);
  const auto uniform = [&] { return static_cast<double>(random()) / 0x1p31 - 1; };
  cloud scene(bl::shape<bl::dyn, 3>{count});
  for (bl::index i = 0; i < count; ++i) {
    const double x = uniform(), y = uniform();
    scene(i, 0) = 5 * x, scene(i, 1) = 4 * y, scene(i, 2) = 2 * x * y + y * y * y;
  }
  const matrix4 moved = bl::rigid_transform(bl::rotation_about(vector3{1, 2, 3}, 0.2), vector3{0.1, -0.2, 0.15});
  const cloud seen = bl::transform_points(moved, scene);

  matrix4 pose = bl::eye<double>(4);
  cloud now = scene;
  for (int k = 0; k < 20; ++k) {
    // The closest point of `seen` for each: distances of all pairs are never in memory.
    const bl::dtensor<bl::index, 1> closest =
        bl::argmin(bl::sum(bl::square(bl::unsqueeze(now, 1) - seen), bl::axes<2>), bl::axes<1>);
    const cloud targets = bl::index_select(seen, 0, closest);
    pose = bl::matmul(fit(now, targets), pose);
    now = bl::transform_points(pose, scene);
  }
  const auto rounded = [](double x) { return static_cast<int>(x * 1e6 + (x < 0 ? -0.5 : 0.5)) / 1e6; };
  const double off = bl::amax(bl::abs(pose - moved)).item();
  std::cout << "found to within " << (off < 1e-12 ? "1e-12" : "more") << ":\n";
  for (bl::index i = 0; i < 3; ++i) {
    for (bl::index j = 0; j < 4; ++j) std::cout << (j == 0 ? "" : " ") << rounded(pose(i, j));
    std::cout << '\n';
  }
}
