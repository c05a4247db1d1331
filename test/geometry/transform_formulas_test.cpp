// The formulas of rotations and transforms against Eigen's Geometry and their definitions, on random operands and those
// at the edges: angles 0 and pi, the same and opposite directions; cameras against what they are to see.
// stacked_formula_test has the functions made of them.
// Build: not-sanitized (rotations of static sizes are straight-line code)
#include <Eigen/Geometry>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <broadloom/geometry/transform_formulas.hpp>

namespace bl = broadloom;
namespace of = bl::detail;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using number = of::lane_number<double>;

BOOST_AUTO_TEST_SUITE(geometry_transform_formulas)

constexpr double pi = 3.14159265358979323846, epsilon = 0x1p-52;
constexpr int count = 100003;

// Rows of numbers.
struct rows {
  int size;
  std::vector<number> v;
  explicit rows(int n) : size(n), v(static_cast<std::size_t>(n) * count) {}
  double& operator()(int k, int i = 0) { return at(k)[i].v; }
  double operator()(int k, int i = 0) const { return at(k)[i].v; }
  number* at(int k) { return v.data() + k * size; }
  const number* at(int k) const { return v.data() + k * size; }
};

// F of each row.
template <class F, class... X>
rows each(F, int size, const X&... x) {
  rows r(size);
  for (int k = 0; k < count; ++k) F::compute(x.at(k)..., r.at(k));
  return r;
}

struct sample {
  rows a{3}, b{3}, p{4}, q{4}, angle{1}, t{1}, sine{1}, cosine{1};
};
const sample& drawn() {
  static const sample all = [] {
    sample s;
    std::mt19937_64 random(48);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> unit(0, 1);
    for (int k = 0; k < count; ++k) {
      // Vectors of many lengths, the second of every fourth near the first's direction or the opposite one.
      const double length = std::exp2(40 * unit(random) - 20), off = std::exp2(-50 * unit(random));
      for (int i = 0; i < 3; ++i) {
        s.a(k, i) = normal(random);
        s.b(k, i) = length * (k % 4 == 0 ? (k % 8 == 0 ? -1 : 1) * s.a(k, i) + off * normal(random) : normal(random));
      }
      double squares[2] = {};
      for (int i = 0; i < 4; ++i) {
        s.p(k, i) = normal(random);
        s.q(k, i) = k % 4 == 0 ? (k % 8 == 0 ? -1 : 1) * s.p(k, i) + off * normal(random) : normal(random);
        squares[0] += s.p(k, i) * s.p(k, i);
        squares[1] += s.q(k, i) * s.q(k, i);
      }
      for (int i = 0; i < 4; ++i) {
        s.p(k, i) /= std::sqrt(squares[0]);
        s.q(k, i) /= std::sqrt(squares[1]);
      }
      s.angle(k) = k % 4 == 0 ? off : 8 * (unit(random) - 0.5);
      s.t(k) = unit(random);
    }
    const double angles[] = {0, pi, -pi, 2 * pi, pi / 2, -pi / 2, 1e-300, pi * (1 - epsilon)};
    for (int k = 0; k < 8; ++k) s.angle(k) = angles[k];
    for (int k = 0; k < 40; ++k)  // the same and opposite directions, along axes and others, and the ends of slerp
      for (int i = 0; i < 4; ++i) {
        if (i < 3) {
          if (k < 6) s.a(k, i) = i == k / 2 ? (k % 2 == 0 ? 3 : -3) : 0;
          s.b(k, i) = (k % 2 == 0 ? -1 : 1) * (k < 20 ? 1 : 0.1) * s.a(k, i);
        }
        s.q(k, i) = (k % 2 == 0 ? -1 : 1) * s.p(k, i);
        s.t(k) = k % 3 / 2.0;
      }
    for (int k = 0; k < count; ++k) {
      s.sine(k) = std::sin(s.angle(k) / 2);
      s.cosine(k) = std::cos(s.angle(k) / 2);
    }
    return s;
  }();
  return all;
}

Vector3d at3(const rows& x, int k) { return {x(k, 0), x(k, 1), x(k, 2)}; }
Quaterniond at4(const rows& x, int k) { return Quaterniond(x(k, 3), x(k, 0), x(k, 1), x(k, 2)); }
// The largest distance of what `expected(k)` gives from row k, which has its elements.
template <class F>
double farthest(const rows& x, const F& expected) {
  double most = 0;
  for (int k = 0; k < count; ++k) {
    const auto e = expected(k);
    const auto n = static_cast<int>(e.size());
    for (int i = 0; i < n; ++i) {
      const double off = std::abs(x(k, i) - e(i));
      if (!(off <= most)) most = off;
    }
  }
  return most;
}
// Matrices row by row.
Eigen::Matrix<double, 9, 1> listed(const Eigen::Matrix3d& m) {
  Eigen::Matrix<double, 9, 1> r;
  for (int i = 0; i < 9; ++i) r(i) = m(i / 3, i % 3);
  return r;
}
template <class T>
void most(T& to, T value) {
  to = value <= to ? to : value;
}
Eigen::Matrix3d matrix_at(const rows& x, int k) {
  Eigen::Matrix3d m;
  for (int i = 0; i < 9; ++i) m(i / 3, i % 3) = x(k, i);
  return m;
}

BOOST_AUTO_TEST_CASE(turns_about_an_axis_are_eigens) {
  const auto& s = drawn();
  const rows r = each(of::rotation_about_of{}, 9, s.a, s.sine, s.cosine);
  const auto turn = [&](int k) { return Eigen::AngleAxisd(s.angle(k), at3(s.a, k).normalized()); };
  BOOST_TEST(farthest(r, [&](int k) { return listed(turn(k).toRotationMatrix()); }) < 8 * epsilon);
  const rows q = each(of::quaternion_about_of{}, 4, s.a, s.sine, s.cosine);
  BOOST_TEST(farthest(q, [&](int k) { return Quaterniond(turn(k)).coeffs(); }) < 4 * epsilon);
}

BOOST_AUTO_TEST_CASE(quaternions_are_eigens) {
  const auto& s = drawn();
  rows longer = s.p;
  for (number& x : longer.v) x.v *= 5;
  const rows product = each(of::quaternion_product_of{}, 4, s.p, s.q);
  const rows inverse = each(of::quaternion_inverse_of{}, 4, longer);
  const rows conjugate = each(of::quaternion_conjugate_of{}, 4, s.p);
  BOOST_TEST(farthest(product, [&](int k) { return (at4(s.p, k) * at4(s.q, k)).coeffs(); }) < 4 * epsilon);
  BOOST_TEST(farthest(inverse, [&](int k) {
               Quaterniond x = at4(s.p, k);
               x.coeffs() *= 5;
               return x.inverse().coeffs();
             }) < 4 * epsilon);
  BOOST_TEST(farthest(conjugate, [&](int k) { return at4(s.p, k).conjugate().coeffs(); }) == 0);
  // Of any length, as Eigen's of length 1.
  const rows turned = each(of::rotate_of{}, 3, longer, s.a);
  const rows matrix = each(of::quaternion_to_matrix_of{}, 9, longer);
  BOOST_TEST(farthest(turned, [&](int k) { return Vector3d(at4(s.p, k) * at3(s.a, k)); }) < 64 * epsilon);
  BOOST_TEST(farthest(matrix, [&](int k) { return listed(at4(s.p, k).toRotationMatrix()); }) < 8 * epsilon);
  // Eigen may give the opposite, which is the same rotation.
  const rows back = each(of::quaternion_from_matrix_of{}, 4, matrix);
  BOOST_TEST(farthest(back, [&](int k) {
               Eigen::Vector4d x = at4(s.p, k).coeffs();
               int largest = 0;
               x.cwiseAbs().maxCoeff(&largest);
               double off[2] = {};
               for (int i = 0; i < 4; ++i)
                 for (int sign = 0; sign < 2; ++sign)
                   off[sign] = std::max(off[sign], std::abs((sign ? -x(i) : x(i)) - back(k, i)));
               return off[0] < off[1] ? x : Eigen::Vector4d(-x);
             }) < 8 * epsilon);
  bool largest_is_positive = true;
  for (int k = 0; k < count; ++k) {
    double most = 0, least = 0;
    for (int i = 0; i < 4; ++i) most = std::max(most, back(k, i)), least = std::min(least, back(k, i));
    largest_is_positive = largest_is_positive && most >= -least - 4 * epsilon;
  }
  BOOST_TEST(largest_is_positive);
}

BOOST_AUTO_TEST_CASE(the_shortest_turn_goes_from_one_direction_to_the_other) {
  const auto& s = drawn();
  const rows r = each(of::rotation_between_of{}, 9, s.a, s.b);
  const rows q = each(of::quaternion_between_of{}, 4, s.a, s.b);
  // In more digits: what is off is what the formulas round.
  using more = long double;
  using vector = Eigen::Matrix<more, 3, 1>;
  more off = 0, length = 0, skewed = 0, mirrored = 0, longer = 0;
  for (int k = 0; k < count; ++k) {
    const vector u = at3(s.a, k).cast<more>().normalized(), v = at3(s.b, k).cast<more>().normalized();
    const Eigen::Matrix<more, 3, 3> m = matrix_at(r, k).cast<more>();
    const auto x = at4(q, k).cast<more>();
    most(off, (m * u - v).norm());
    most(off, (x.normalized() * u - v).norm());
    most(length, std::abs(x.norm() - 1));
    most(skewed, (m * m.transpose() - m.Identity()).norm());
    most(mirrored, std::abs(m.determinant() - 1));
    most(longer, std::abs(m.trace() - 1 - 2 * u.dot(v)));  // no turn by more than the angle between them
  }
  BOOST_TEST(off < 8 * epsilon);
  BOOST_TEST(length < 4 * epsilon);
  BOOST_TEST(skewed < 16 * epsilon);
  BOOST_TEST(mirrored < 16 * epsilon);
  BOOST_TEST(longer < 8 * epsilon);
}

// Lengths whose squares leave the range, for each of both types.
template <class T>
void any_lengths() {
  using one = of::lane_number<T>;
  const auto& s = drawn();
  constexpr bool single = sizeof(T) == 4;
  constexpr int most_exponent = single ? 120 : 1000;
  const long double eps = std::numeric_limits<T>::epsilon();
  long double off = 0, length = 0, skewed = 0, about = 0;
  using vector = Eigen::Matrix<long double, 3, 1>;
  for (int k = 0; k < count; k += 7) {
    one a[3], b[3], q[4], m[9], turn[9];
    vector u, v;
    for (int i = 0; i < 3; ++i) {
      a[i].v = static_cast<T>(std::ldexp(s.a(k, i), k % (2 * most_exponent) - most_exponent));
      b[i].v = static_cast<T>(std::ldexp(s.b(k, i), 20 + k / 5 % (2 * most_exponent - 20) - most_exponent));
      u(i) = static_cast<long double>(a[i].v);
      v(i) = static_cast<long double>(b[i].v);
    }
    u.normalize();
    v.normalize();
    of::quaternion_between_of::compute(a, b, q);
    of::rotation_between_of::compute(a, b, m);
    const one sine(static_cast<T>(0.6)), cosine(static_cast<T>(0.8));
    of::rotation_about_of::compute(a, &sine, &cosine, turn);
    Eigen::Matrix<long double, 3, 3> r, t;
    for (int i = 0; i < 9; ++i) {
      r(i / 3, i % 3) = static_cast<long double>(m[i].v);
      t(i / 3, i % 3) = static_cast<long double>(turn[i].v);
    }
    const Eigen::Quaternion<long double> x(q[3].v, q[0].v, q[1].v, q[2].v);
    most(off, (r * u - v).norm());
    most(off, (x.normalized() * u - v).norm());
    most(length, std::abs(x.norm() - 1));
    most(skewed, (r * r.transpose() - r.Identity()).norm());
    most(about, (t - Eigen::AngleAxis<long double>(2 * std::atan2(0.6L, 0.8L), u).toRotationMatrix()).norm());
  }
  BOOST_TEST(off < 8 * eps);
  BOOST_TEST(length < 4 * eps);
  BOOST_TEST(skewed < 16 * eps);
  BOOST_TEST(about < 8 * eps);
}
BOOST_AUTO_TEST_CASE(turns_are_right_of_vectors_of_any_length) {
  any_lengths<float>();
  any_lengths<double>();
}

rows slerp() {
  const auto& s = drawn();
  rows half = each(of::slerp_tangent_of{}, 1, s.p, s.q);
  for (number& x : half.v) x.v = std::atan(x.v);
  rows sines = each(of::slerp_angles_of{}, 3, half, s.t);
  for (number& x : sines.v) x.v = std::sin(x.v);
  return each(of::slerp_of{}, 4, s.p, s.q, s.t, sines);
}
BOOST_AUTO_TEST_CASE(slerp_is_eigens) {
  const auto& s = drawn();
  const rows turned = slerp();
  BOOST_TEST(farthest(turned, [&](int k) { return at4(s.p, k).slerp(s.t(k), at4(s.q, k)).coeffs(); }) < 32 * epsilon);
  for (int k = 0; k < 40; ++k) {  // the ends themselves
    const double sign = at4(s.p, k).dot(at4(s.q, k)) < 0 ? -1 : 1;
    for (int i = 0; i < 4; ++i) {
      if (s.t(k) == 0) BOOST_TEST(turned(k, i) == s.p(k, i));
      if (s.t(k) == 1) BOOST_TEST(turned(k, i) == sign * s.q(k, i));
    }
  }
}

BOOST_AUTO_TEST_CASE(rotations_are_scipys) {
  const auto& s = drawn();
  const rows matrix = each(of::rotation_about_of{}, 9, s.a, s.sine, s.cosine);
  std::string path = "/tmp/broadloom_rotations_XXXXXX";
  const int file = mkstemp(path.data());
  BOOST_TEST_REQUIRE(file >= 0);
  std::FILE* const to = fdopen(file, "wb");
  for (const rows& x : {s.a, s.angle, s.p, s.q, s.t, matrix, each(of::quaternion_about_of{}, 4, s.a, s.sine, s.cosine),
                        each(of::quaternion_product_of{}, 4, s.p, s.q), each(of::rotate_of{}, 3, s.p, s.a),
                        each(of::quaternion_from_matrix_of{}, 4, matrix), slerp()})
    std::fwrite(x.v.data(), sizeof(number), x.v.size(), to);
  std::fclose(to);
  std::FILE* const pipe =
      popen(("/usr/bin/python3 test/geometry/scipy_rotations.py " + path + " " + std::to_string(count)).c_str(), "r");
  BOOST_TEST_REQUIRE(pipe != nullptr);
  char who[16] = {};
  double off[6];
  int read = std::fscanf(pipe, "%15s", who);
  const bool compared = read == 1 && std::string(who) != "none";
  for (double& x : off) read += compared ? std::fscanf(pipe, "%lf", &x) : 0;
  const int status = pclose(pipe);
  std::remove(path.c_str());
  if (status == 127 << 8 || (read == 1 && !compared)) {
    BOOST_TEST_MESSAGE("there is no Python with NumPy to compare with");
    return;
  }
  BOOST_TEST_REQUIRE(read == 7);
  // The matrix, the quaternion about the axis, products, vectors turned, quaternions of matrices, slerp.
  const double most[] = {16, 8, 8, 64, 16, 32};
  for (int i = 0; i < 6; ++i) BOOST_TEST(off[i] <= most[i] * epsilon, who << " is " << off[i] << " off in " << i);
}

BOOST_AUTO_TEST_CASE(angles_are_those_of_more_digits) {
  const auto& s = drawn();
  const rows tangent = each(of::angle_tangent_of{}, 1, s.a, s.b);
  const auto angle = [&](int k) { return 2 * std::atan(tangent(k)); };
  double off = 0;
  for (int k = 0; k < count; ++k) {
    const Eigen::Matrix<long double, 3, 1> x = at3(s.a, k).cast<long double>(), y = at3(s.b, k).cast<long double>();
    const long double exact = std::atan2(x.cross(y).norm(), x.dot(y));
    off = std::max(off, static_cast<double>(std::abs(exact - static_cast<long double>(angle(k)))));
  }
  BOOST_TEST(off < 4 * epsilon);
  BOOST_TEST(angle(0) == pi);
  BOOST_TEST(angle(1) == 0);
  // Squares leave the range.
  rows large(3), small(3);
  for (int i = 0; i < 3; ++i) {
    large(0, i) = 1e300 * (i + 1);
    small(0, i) = 1e-300 * (i - 2);
  }
  number between;
  of::angle_tangent_of::compute(large.at(0), small.at(0), &between);
  BOOST_TEST(std::abs(2 * std::atan(between.v) - std::acos(-4 / std::sqrt(14 * 5.0))) < 8 * epsilon);
  const rows m = each(of::skew_of{}, 9, s.a);
  BOOST_TEST(farthest(m, [&](int k) {
               const Vector3d v = at3(s.a, k);
               Eigen::Matrix3d x;
               for (int i = 0; i < 3; ++i) x.col(i) = v.cross(Vector3d::Unit(i));
               return listed(x);
             }) == 0);
}

struct poses {
  rows a{3}, b{3}, c{3}, r{9}, m{16};
};
const poses& drawn_poses() {
  static const poses all = [] {
    poses s;
    std::mt19937_64 random(49);
    std::normal_distribution<double> normal;
    for (int k = 0; k < count; ++k) {
      const Eigen::Matrix3d r =
          Eigen::AngleAxisd(normal(random), Vector3d(normal(random), normal(random), 1).normalized())
              .toRotationMatrix();
      for (int i = 0; i < 9; ++i) s.r(k, i) = r(i / 3, i % 3);
      for (int i = 0; i < 16; ++i) s.m(k, i) = normal(random) + (i == 15 ? 9 : 0);
      for (int i = 0; i < 3; ++i) {
        s.a(k, i) = normal(random);
        s.b(k, i) = normal(random);
        s.c(k, i) = normal(random);
      }
    }
    return s;
  }();
  return all;
}
Eigen::Matrix4d pose_at(const rows& x, int k) {
  Eigen::Matrix4d m;
  for (int i = 0; i < 16; ++i) m(i / 4, i % 4) = x(k, i);
  return m;
}

BOOST_AUTO_TEST_CASE(rigid_transforms_are_eigens) {
  const auto& s = drawn_poses();
  const rows t = each(of::rigid_transform_of{}, 16, s.r, s.a), back = each(of::rigid_inverse_of{}, 16, t);
  double off = 0, inverse = 0;
  for (int k = 0; k < count; ++k) {
    Eigen::Isometry3d x = Eigen::Isometry3d::Identity();
    for (int i = 0; i < 9; ++i) x(i / 3, i % 3) = s.r(k, i);
    x.translation() = at3(s.a, k);
    most(off, (x.matrix() - pose_at(t, k)).norm());
    most(inverse, (x.inverse().matrix() - pose_at(back, k)).norm());
  }
  BOOST_TEST(off == 0);
  BOOST_TEST(inverse < 16 * epsilon);
}

BOOST_AUTO_TEST_CASE(points_and_vectors_are_transformed_as_eigens) {
  const auto& s = drawn_poses();
  const rows points = each(of::transform_points_of{}, 3, s.m, s.a),
             vectors = each(of::transform_vectors_of{}, 3, s.m, s.a),
             projected = each(of::project_points_of{}, 3, s.m, s.a);
  double off[3] = {};
  for (int k = 0; k < count; ++k) {
    const Eigen::Matrix4d m = pose_at(s.m, k);
    const Eigen::Vector4d whole = m * at3(s.a, k).homogeneous();
    most(off[0], (whole.head<3>() - at3(points, k)).norm());
    most(off[1], (m.topLeftCorner<3, 3>() * at3(s.a, k) - at3(vectors, k)).norm());
    most(off[2],
         (whole.hnormalized() - at3(projected, k)).norm() / (1 + whole.head<3>().norm() / (whole(3) * whole(3))));
  }
  BOOST_TEST(off[0] < 32 * epsilon);
  BOOST_TEST(off[1] < 32 * epsilon);
  BOOST_TEST(off[2] < 64 * epsilon);
}

BOOST_AUTO_TEST_CASE(a_camera_looks_along_its_negative_z_axis) {
  const auto& s = drawn_poses();
  const rows view = each(of::look_at_of{}, 16, s.a, s.b, s.c);
  double off = 0, skewed = 0;
  bool upright = true;
  for (int k = 0; k < count; ++k) {
    const Eigen::Matrix4d m = pose_at(view, k);
    const Eigen::Matrix3d r = m.topLeftCorner<3, 3>();
    const Vector3d way = at3(s.b, k) - at3(s.a, k), up = at3(s.c, k);
    const double sine = way.normalized().cross(up.normalized()).norm();  // rounding counts for more along `up`
    most(skewed, sine * (r * r.transpose() - Eigen::Matrix3d::Identity()).norm());
    most(off, sine * (m * at3(s.a, k).homogeneous() - Eigen::Vector4d(0, 0, 0, 1)).norm());
    most(off, sine * (m * at3(s.b, k).homogeneous() - Eigen::Vector4d(0, 0, -way.norm(), 1)).norm());
    const Vector3d above = r * up;
    most(off, sine * std::abs(above.x()) / up.norm());
    upright = upright && above.y() > 0 && r.determinant() > 0;
  }
  BOOST_TEST(upright);
  BOOST_TEST(skewed < 16 * epsilon);
  BOOST_TEST(off < 64 * epsilon);
}

BOOST_AUTO_TEST_CASE(a_projection_takes_the_corners_of_what_it_sees_to_those_of_a_cube) {
  const double fovy = 1.1, depth[] = {0.25, 40};
  const number tangent(std::tan(fovy / 2)), aspect(1.5), front(depth[0]), back(depth[1]);
  number m[16];
  of::perspective_of::compute(&tangent, &aspect, &front, &back, m);
  for (int k = 0; k < 8; ++k) {
    const double d = depth[k / 4], x = k % 2 == 0 ? 1 : -1, y = k % 4 < 2 ? 1 : -1, high = d * tangent.v;
    const number corner[] = {number(x * high * aspect.v), number(y * high), number(-d)};
    const double expected[] = {x, y, k < 4 ? -1.0 : 1.0};
    number seen[3];
    of::project_points_of::compute(m, corner, seen);
    for (int i = 0; i < 3; ++i) BOOST_TEST(std::abs(seen[i].v - expected[i]) < 64 * epsilon);
  }
}

BOOST_AUTO_TEST_SUITE_END()
