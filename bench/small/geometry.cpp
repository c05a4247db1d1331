// Vectors, quaternions and rotations.
#include "rows.hpp"

#include <vector>

#include <broadloom/broadloom.hpp>
#include <broadloom/geometry.hpp>

namespace bench_small {
namespace {

namespace bl = broadloom;

template <class T>
void rows() {
  const auto name = [](const char* what) { return std::string("geometry ") + name_of<T> + what; };
  bl::tensor<T, bl::shape<4>> q{1, 2, 3, 4}, p{4, -1, 2, 1}, o;
  bl::tensor<T, bl::shape<3>> a{1, 2, 3}, b{-2, 1, 0.5f}, t;
  bl::tensor<T, bl::shape<3, 3>> m;
  q = bl::normalized(q);
  p = bl::normalized(p);
  Eigen::Quaternion<T> x(q(3), q(0), q(1), q(2)), y(p(3), p(0), p(1), p(2)), z;
  column<T, 3> u(1, 2, 3), v(-2, 1, 0.5f), w;
  square<T, 3> r;
  T angle = 0.5f;
  row(
      of_static, name("quaternion_product"), [&] { o = bl::quaternion_product(q, p), touch(o, q, p); },
      [&] { z = x * y, touch(z, x, y); });
  row(of_static, name("rotate"), [&] { t = bl::rotate(q, a), touch(t, q, a); }, [&] { w = x * u, touch(w, x, u); });
  row(
      of_static, name("quaternion_to_matrix"), [&] { m = bl::quaternion_to_matrix(q), touch(m, q); },
      [&] { r = x.toRotationMatrix(), touch(r, x); });
  row(
      of_static, name("rotation_about"), [&] { m = bl::rotation_about(a, angle), touch(m, a, angle); },
      [&] { r = Eigen::AngleAxis<T>(angle, u.normalized()).toRotationMatrix(), touch(r, u, angle); });
  row(
      of_static, name("quaternion_between"), [&] { o = bl::quaternion_between(a, b), touch(o, a, b); },
      [&] { z.setFromTwoVectors(u, v), touch(z, u, v); });
  row(
      of_static, name("normalized"), [&] { t = bl::normalized(a), touch(t, a); },
      [&] { w = u.normalized(), touch(w, u); });
  constexpr int count = 10000;
  bl::dtensor<T, 2> many(count, 3), turned(count, 3);
  std::vector<column<T, 3>> points(count), to(count);
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < 3; ++i) points[static_cast<std::size_t>(k)](i) = many(k, i) = T(k % 7 + i);
  row(
      of_stacks, name("rotate of 10000"), [&] { bl::assign(turned, bl::rotate(q, many), bl::seq), touch(turned); },
      [&] {
        for (std::size_t k = 0; k < count; ++k) to[k] = x * points[k];
        touch(to);
      },
      count);
}

}  // namespace

void geometry() {
  rows<float>();
  rows<double>();
}

}  // namespace bench_small
