// Eigen's tensors among arrays, and views as Eigen's TensorMap: the same elements, the same sizes, and nothing copied.
// Build: sanitizers-alone
#include <boost/test/unit_test.hpp>
#include <broadloom/broadloom.hpp>
#include <broadloom/interop/eigen_tensor.hpp>
#include <complex>
#include <support/thrown.hpp>

namespace bl = broadloom;
using bl::detail::node_of;

BOOST_AUTO_TEST_SUITE(interop_eigen_tensor)

template <class A>
using shape_of = typename node_of<A>::shape_type;
template <class A>
using layout_of = typename node_of<A>::layout_type;
using fixed_by_columns = Eigen::TensorFixedSize<float, Eigen::Sizes<2, 3, 4>>;
using fixed_by_rows = Eigen::TensorFixedSize<float, Eigen::Sizes<2, 3, 4>, Eigen::RowMajor>;

static_assert(std::is_same_v<shape_of<Eigen::Tensor<float, 3>&>, bl::dshape<3>>);
static_assert(std::is_same_v<layout_of<Eigen::Tensor<float, 3, Eigen::RowMajor>&>, bl::row_major>);
static_assert(std::is_same_v<shape_of<fixed_by_columns&>, bl::shape<2, 3, 4>>);
static_assert(std::is_same_v<layout_of<fixed_by_columns&>, bl::static_strides<1, 2, 6>>);
static_assert(std::is_same_v<layout_of<fixed_by_rows&>, bl::row_major>);
static_assert(!bl::array<decltype(fixed_by_rows() + fixed_by_rows())>);

template <class X>
void lies_where_it_is(X& x) {
  auto v = bl::from(x);
  for (int i = 0; i < 3; ++i) BOOST_TEST_REQUIRE(v.shape()[i] == x.dimension(static_cast<unsigned>(i)));
  for (int i = 0; i < v.shape()[0]; ++i)
    for (int j = 0; j < v.shape()[1]; ++j)
      for (int k = 0; k < v.shape()[2]; ++k) BOOST_TEST(&v(i, j, k) == &x(i, j, k));
}

template <class T>
void comes_and_goes() {
  Eigen::Tensor<T, 3> by_columns(2, 3, 4);
  lies_where_it_is(by_columns);
  Eigen::Tensor<T, 3, Eigen::RowMajor> by_rows(2, 3, 4);
  lies_where_it_is(by_rows);
  T memory[24] = {};
  Eigen::TensorMap<Eigen::Tensor<T, 3>> map(memory, 4, 3, 2);
  lies_where_it_is(map);
  const auto back = bl::as_eigen_tensor(bl::from(by_rows));
  BOOST_TEST(back.data() == by_rows.data());
  static_assert(std::is_same_v<decltype(back), const Eigen::TensorMap<Eigen::Tensor<T, 3, Eigen::RowMajor>>>);
  const auto columns = bl::as_eigen_tensor_in<Eigen::ColMajor>(bl::from(by_columns));
  BOOST_TEST(columns.data() == by_columns.data());
  BOOST_TEST(columns.dimension(2) == 4);
}

BOOST_AUTO_TEST_CASE(every_kind_is_seen_where_it_lies_and_goes_back) {
  comes_and_goes<float>();
  comes_and_goes<double>();
  comes_and_goes<std::int8_t>();
  comes_and_goes<std::uint64_t>();
  comes_and_goes<bool>();
  comes_and_goes<std::complex<double>>();
  fixed_by_columns c;
  lies_where_it_is(c);
  fixed_by_rows r;
  lies_where_it_is(r);
}

BOOST_AUTO_TEST_CASE(static_extents_and_const_are_kept) {
  bl::tensor<float, bl::shape<2, 3>> t{{1, 2, 3}, {4, 5, 6}};
  auto map = bl::as_eigen_tensor(t);
  static_assert(std::is_same_v<decltype(map),
                               Eigen::TensorMap<Eigen::TensorFixedSize<float, Eigen::Sizes<2, 3>, Eigen::RowMajor>>>);
  BOOST_TEST(map.data() == t.data());
  map(1, 2) = 60;
  BOOST_TEST(t(1, 2) == 60.0F);
  const bl::dtensor<float, 2> fixed{{1, 2}, {3, 4}};
  const auto seen = bl::as_eigen_tensor(fixed);
  static_assert(std::is_same_v<decltype(seen), const Eigen::TensorMap<const Eigen::Tensor<float, 2, Eigen::RowMajor>>>);
  const auto rank0 = bl::as_eigen_tensor(bl::from(Eigen::TensorMap<Eigen::Tensor<float, 0>>(t.data())));
  BOOST_TEST(rank0() == 1.0F);
  const Eigen::Tensor<float, 2> given(2, 2);
  static_assert(!bl::detail::writable<decltype(given)&>);
}

BOOST_AUTO_TEST_CASE(they_take_part_in_expressions) {
  Eigen::Tensor<float, 3> t(2, 3, 4);
  for (int i = 0; i < 24; ++i) t.data()[i] = static_cast<float>(i);
  bl::dtensor<float, 1> row{10, 20, 30, 40};
  const bl::dtensor<float, 3> sum = t + row;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k) BOOST_TEST(sum(i, j, k) == t(i, j, k) + 10.0F * static_cast<float>(k + 1));
  const Eigen::Tensor<float, 0> all = t.sum();
  BOOST_TEST(bl::sum(t).item() == all());
  bl::from(t) += 1;
  BOOST_TEST(t(0, 0, 0) == 1.0F);
  const auto& same = t;
  BOOST_TEST(bl::eval(same + row)(0, 0, 0) == 11.0F);
  BOOST_TEST(bl::eval(row - same)(0, 0, 1) == 13.0F);
  const float* const where = t.data();
  auto e = bl::mul(std::move(t), 2);
  BOOST_TEST(e(1, 2, 3) == 48.0F);
  BOOST_TEST(t.data() != where);
  // A result is computed in Eigen's memory.
  Eigen::Tensor<float, 3> out(2, 3, 4);
  bl::assign(bl::from(out), sum * 2);
  BOOST_TEST(out(1, 2, 3) == 2 * sum(1, 2, 3));
}

BOOST_AUTO_TEST_CASE(strides_that_a_map_has_not_are_refused) {
  bl::dtensor<float, 2> t(3, 4);
  BOOST_TEST(
      thrown<bl::shape_error>([&] { bl::as_eigen_tensor(bl::slice(t, bl::all, bl::range(1, 3))); }) ==
      "as_eigen_tensor: the elements do not lie row by row, and a TensorMap has no strides; copy the view first, as by "
      "bl::eval");
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::as_eigen_tensor_in<Eigen::ColMajor>(t); }) ==
             "as_eigen_tensor: the elements do not lie column by column, and a TensorMap has no strides");
  const auto turned = t.T();
  BOOST_TEST(bl::as_eigen_tensor_in<Eigen::ColMajor>(turned).data() == t.data());
  // Rows of their own are contiguous, and so is whatever has one element an axis.
  BOOST_TEST(bl::as_eigen_tensor(bl::slice(t, bl::range(1, 3))).data() == t.data() + 4);
  BOOST_TEST(bl::as_eigen_tensor(bl::slice(t, bl::range(1, 2), bl::range(1, 3))).dimension(1) == 2);
}

BOOST_AUTO_TEST_SUITE_END()
