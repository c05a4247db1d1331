// Eigen's objects among arrays, and views as Eigen's maps: the same elements, the same sizes, and nothing copied.
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <boost/test/unit_test.hpp>
#include <broadloom/broadloom.hpp>
#include <broadloom/interop/eigen.hpp>

namespace bl = broadloom;

template <class X>
concept takes_from = requires(X&& x) { bl::from(static_cast<X&&>(x)); };
using bl::detail::node_of;

BOOST_AUTO_TEST_SUITE(interop_eigen)

template <class A>
using shape_of = typename node_of<A>::shape_type;
template <class A>
using layout_of = typename node_of<A>::layout_type;

static_assert(std::is_same_v<shape_of<Eigen::Matrix3f&>, bl::shape<3, 3>>);
static_assert(std::is_same_v<layout_of<Eigen::Matrix3f&>, bl::static_strides<1, 3>>);
static_assert(std::is_same_v<shape_of<Eigen::MatrixXd&>, bl::dshape<2>>);
static_assert(std::is_same_v<shape_of<Eigen::Matrix<float, 2, Eigen::Dynamic>&>, bl::shape<2, bl::dyn>>);
static_assert(std::is_same_v<shape_of<Eigen::VectorXf&>, bl::dshape<1>>);
static_assert(std::is_same_v<shape_of<Eigen::RowVector4i&>, bl::shape<4>>);
static_assert(std::is_same_v<layout_of<Eigen::Vector3d&>, bl::row_major>);
static_assert(std::is_same_v<layout_of<Eigen::Array<float, 2, 3, Eigen::RowMajor>&>, bl::row_major>);
static_assert(!bl::array<decltype(Eigen::MatrixXf() + Eigen::MatrixXf())>);

template <class M>
void lies_where_it_is(M& m) {
  auto v = bl::from(m);
  BOOST_TEST_REQUIRE(v.shape()[0] == m.rows());
  BOOST_TEST_REQUIRE(v.shape()[1] == m.cols());
  for (Eigen::Index i = 0; i < m.rows(); ++i)
    for (Eigen::Index j = 0; j < m.cols(); ++j) BOOST_TEST(&v(i, j) == &m.coeffRef(i, j));
}

BOOST_AUTO_TEST_CASE(each_kind_of_matrix_is_seen_where_it_lies) {
  Eigen::MatrixXf a(3, 5);
  lies_where_it_is(a);
  Eigen::Matrix<double, 4, 7, Eigen::RowMajor> b;
  lies_where_it_is(b);
  Eigen::ArrayXXi c(2, 9);
  lies_where_it_is(c);
  auto block = a.block(1, 1, 2, 3);
  lies_where_it_is(block);
  auto fixed = b.block<2, 3>(1, 2);
  lies_where_it_is(fixed);
  static_assert(std::is_same_v<layout_of<decltype(fixed)&>, bl::static_strides<7, 1>>);
  Eigen::Ref<Eigen::MatrixXf> ref(a);
  lies_where_it_is(ref);
  auto transposed = a.transpose();
  lies_where_it_is(transposed);
  float memory[24];
  Eigen::Map<Eigen::MatrixXf, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>> map(memory, 2, 3, {8, 2});
  lies_where_it_is(map);
}

float last(bl::dview<const float, 2> m) { return m(-1, -1); }

BOOST_AUTO_TEST_CASE(quaternions_and_transforms_are_arrays_of_their_elements) {
  Eigen::Quaterniond q(4, 1, 2, 3);
  static_assert(std::is_same_v<shape_of<Eigen::Quaterniond&>, bl::shape<4>>);
  auto v = bl::from(q);
  BOOST_TEST(&v(0) == &q.x());
  BOOST_TEST(&v(3) == &q.w());
  const auto kept = bl::add(Eigen::Quaterniond(4, 1, 2, 3), 1.0);
  const bl::tensor<double, bl::shape<4>> one_more = kept;
  for (int i = 0; i < 4; ++i) BOOST_TEST(one_more(i) == i + 2);
  Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
  pose.translation() << 5, 6, 7;
  static_assert(std::is_same_v<shape_of<Eigen::Isometry3f&>, bl::shape<4, 4>>);
  BOOST_TEST(&bl::from(pose)(1, 3) == &pose(1, 3));
}

BOOST_AUTO_TEST_CASE(a_view_parameter_takes_them_where_they_lie) {
  Eigen::MatrixXf a(2, 3);
  a << 1, 2, 3, 4, 5, 6;
  BOOST_TEST(last(a) == 6);
  BOOST_TEST(last(a.block(0, 0, 2, 2)) == 5);
  BOOST_TEST(last(Eigen::Map<const Eigen::Matrix<float, 3, 2>>(a.data())) == 6);
  const Eigen::Matrix2f fixed = Eigen::Matrix2f::Constant(7);
  BOOST_TEST(last(fixed) == 7);
  static_assert(!std::is_invocable_v<decltype(last), Eigen::MatrixXd&>);
  static_assert(!std::is_invocable_v<decltype(last), Eigen::VectorXf&>);
  static_assert(!std::is_invocable_v<decltype(last), Eigen::MatrixXf>);
}

BOOST_AUTO_TEST_CASE(they_take_part_in_expressions) {
  Eigen::MatrixXf m(2, 3);
  m << 1, 2, 3, 4, 5, 6;
  bl::dtensor<float, 1> row{10, 20, 30};
  bl::tensor r = m + row;
  BOOST_TEST(r(1, 2) == 36.0F);
  const Eigen::MatrixXf& fixed = m;
  static_assert(std::is_const_v<typename node_of<const Eigen::MatrixXf&>::element_type>);
  BOOST_TEST(bl::eval(bl::sum(fixed, bl::axes<0>))(1) == 7.0F);
  bl::from(m) *= 2;
  BOOST_TEST(m(1, 0) == 8.0F);
  bl::assign(m, row);
  BOOST_TEST(m(1, 2) == 30.0F);
  static_assert(!bl::detail::writable<const Eigen::MatrixXf&>);
}

BOOST_AUTO_TEST_CASE(an_rvalue_moves_into_the_tree_and_from_refuses_it) {
  Eigen::MatrixXf m = Eigen::MatrixXf::Constant(2, 3, 4.0F);
  const float* const first = m.data();
  auto leaf = bl::detail::capture(std::move(m));
  BOOST_TEST(leaf.data() == first);
  static_assert(!takes_from<Eigen::MatrixXf>);
  static_assert(takes_from<Eigen::Map<Eigen::MatrixXf>>);
  auto e = bl::add(Eigen::Matrix2f(Eigen::Matrix2f::Identity()), 1);
  BOOST_TEST(e(0, 0) == 2.0F);
  BOOST_TEST(e(0, 1) == 1.0F);
}

BOOST_AUTO_TEST_CASE(views_are_maps_of_the_same_elements) {
  bl::dtensor<float, 2> t{{1, 2, 3}, {4, 5, 6}};
  auto m = bl::as_eigen(t);
  static_assert(decltype(m)::IsRowMajor);
  BOOST_TEST(m.data() == t.data());
  BOOST_TEST(m(1, 2) == 6.0F);
  m(0, 1) = 20;
  BOOST_TEST(t(0, 1) == 20.0F);
  auto turned = bl::as_eigen(t.T());
  BOOST_TEST(turned.rows() == 3);
  BOOST_TEST(&turned.coeffRef(2, 1) == &t(1, 2));
  auto column = bl::as_eigen(t(bl::all, 1));
  BOOST_TEST(column.size() == 2);
  BOOST_TEST(&column.coeffRef(1) == &t(1, 1));
  bl::tensor<double, bl::shape<3, 3>> fixed{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}};
  auto f = bl::as_eigen(fixed);
  static_assert(decltype(f)::RowsAtCompileTime == 3 && decltype(f)::ColsAtCompileTime == 3);
  BOOST_TEST(std::abs(f.determinant() + 3.0) < 1e-12);
  bl::tensor<float, bl::shape<4, 1>> one{{1}, {2}, {3}, {4}};
  BOOST_TEST(bl::as_eigen(one)(3, 0) == 4.0F);
  const auto& constant = t;
  static_assert(!(decltype(bl::as_eigen(constant))::Flags & Eigen::LvalueBit));
  BOOST_CHECK_THROW(bl::as_eigen(bl::flip(t, 1)), bl::shape_error);
  static_assert(!std::is_invocable_v<bl::as_eigen_t, bl::dtensor<float, 2>>);
}

BOOST_AUTO_TEST_CASE(matrices_without_elements_are_arrays_without_elements) {
  Eigen::MatrixXf none(0, 3);
  BOOST_TEST(bl::eval(bl::sum(none, bl::axes<0>)).size() == 3);
  bl::dtensor<float, 2> t(3, 0);
  BOOST_TEST(bl::as_eigen(t).rows() == 3);
}

BOOST_AUTO_TEST_SUITE_END()
