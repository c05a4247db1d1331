// Tensor equations, products of several matrices, forms of matrices, lengths and distances, against PyTorch and NumPy.
#include "index/vocabulary_cases.hpp"

#include <complex>

#include <broadloom/decompositions.hpp>
#include <broadloom/linalg.hpp>
#include <broadloom/linalg/distances.hpp>
#include <broadloom/linalg/matrix_forms.hpp>
#include <broadloom/linalg/multi_dot.hpp>
#include <broadloom/linalg/tensors.hpp>

#include "matrices.hpp"

using namespace vocabulary;
using namespace bl::literals;

namespace {

constexpr const char* table = "test/data/decompositions_cases.tsv";

template <int R = 2>
auto at(const line& l, std::size_t k) {
  return l.arrays[k].as<double, R>();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linalg_tensors)

BOOST_AUTO_TEST_CASE(contractions) {
  each(
      "tensordot", 16,
      [](const line& l) {
        const auto a = at<3>(l, 0);
        return l.axis == 2 ? near(l.result(), bl::tensordot(a, at<3>(l, 1)))
                           : near(l.result(), bl::tensordot(a, at(l, 1), 1_c));
      },
      table);
  each(
      "tensordot_axes", 8,
      [](const line& l) {
        const auto a = at<3>(l, 0), b = at<3>(l, 1);
        return near(l.result(), bl::tensordot(a, b, bl::axes<0, -1>, bl::axes<2, 0>)) &&
               near(l.result(),
                    bl::tensordot(bl::eval(bl::flip(a, 0)), bl::flip(b, 2), bl::axes<2, 0>, bl::axes<0, 2>));
      },
      table);
  const auto says = [](const char* text) {
    return [text](const bl::shape_error& e) { return std::string(e.what()).find(text) != std::string::npos; };
  };
  const bl::dtensor<double, 3> p(2, 3, 4), q(4, 3, 2);
  BOOST_CHECK_EXCEPTION(bl::tensordot(p, q, bl::axes<0, -1>, bl::axes<2, 1>), bl::shape_error,
                        says("first has size 4 in dim 2 and second has size 3 in dim 1"));
  BOOST_CHECK_EXCEPTION(bl::tensordot(p, q, {0, -1}, {2, 1}), bl::shape_error,
                        says("first has size 4 in dim 2 and second has size 3 in dim 1"));
  BOOST_CHECK_THROW(bl::tensordot(p, q, {0, 3}, {2, 1}), bl::index_error);
  BOOST_TEST(equal(bl::tensordot(bl::ones<int>(2, 1), bl::ones<int>(3, 2), {1}, {0}), bl::full({2, 2}, 3)));
  const bl::dtensor<int, 1> x{1, 2}, y{3, 4, 5};
  BOOST_TEST(equal(bl::tensordot(x, y, 0_c), bl::dtensor<int, 2>{{3, 4, 5}, {6, 8, 10}}));
  static_assert(std::is_same_v<decltype(bl::tensordot(bl::tensor<float, bl::shape<2, 3, 4>>{},
                                                      bl::tensor<float, bl::shape<3, 4, 5>>{}))::shape_type,
                               bl::shape<2, 5>>);
}

BOOST_AUTO_TEST_CASE(chains) {
  each(
      "multi_dot", 24,
      [](const line& l) {
        const auto a = at(l, 0), b = at(l, 1);
        if (l.axis == 2) return near(l.result(), bl::multi_dot(a, b));
        const auto c = at(l, 2);
        if (l.axis == 3)
          return near(l.result(), bl::multi_dot(a, b, c)) &&
                 near(l.result(), bl::transpose(bl::multi_dot(bl::transpose(c), bl::transpose(b), bl::transpose(a))));
        return near(l.result(), bl::multi_dot(a, b, c, at(l, 3), at(l, 4)));
      },
      table);
  each(
      "multi_dot_vectors", 8,
      [](const line& l) { return near(l.result(), bl::multi_dot(at<1>(l, 0), at(l, 1), at<1>(l, 2))); }, table);
  const bl::dtensor<std::int64_t, 2> whole{{1, 2}, {3, 4}};
  BOOST_TEST(equal(bl::multi_dot(whole, whole, whole), bl::matrix_power(whole, 3)));
  const bl::dtensor<float, 2> wrong(3, 2);
  BOOST_CHECK_THROW(bl::multi_dot(wrong, wrong), bl::shape_error);
  // seven, where the order matters: (2, 100) (100, 1) ...
  bl::dtensor<float, 2> row = bl::ones<float>(2, 100), column = bl::ones<float>(100, 2);
  BOOST_TEST(equal(bl::multi_dot(row, column, row, column, row, column, row), bl::full(bl::dshape<2>(2, 100), 8e6f)));
}

BOOST_AUTO_TEST_CASE(powers_of_integers) {
  each(
      "matrix_power", 32,
      [](const line& l) {
        const auto x = l.arrays[0].as<std::int64_t, 2>();
        const auto small = bl::eval(bl::cast<std::int32_t>(x));
        return l.result().is(bl::matrix_power(x, l.axis)) &&
               l.result().is(bl::matrix_power(bl::transpose(bl::transpose(small)), l.axis));
      },
      table);
  const auto stack = bl::full(bl::dshape<3>(2, 2, 2), std::uint8_t{16});
  BOOST_TEST(bl::sum(bl::matrix_power(stack, 2)).item() == 0);  // 512 wraps
  BOOST_CHECK_THROW(bl::matrix_power(stack, -1), bl::linalg_error);
}

BOOST_AUTO_TEST_CASE(equations) {
  each(
      "tensorsolve", 8, [](const line& l) { return near(l.result(), bl::tensorsolve(at<4>(l, 0), at(l, 1)), 200); },
      table);
  each(
      "tensorsolve_axes", 16,
      [](const line& l) {
        const auto x = at<4>(l, 0);
        return l.parameter == "1,0" ? near(l.result(), bl::tensorsolve(x, at(l, 1), bl::axes<1, 0>), 200)
                                    : near(l.result(), bl::tensorsolve(x, at(l, 1), bl::axes<0, -2>), 200);
      },
      table);
  each(
      "tensorinv", 16,
      [](const line& l) {
        return l.axis == 2 ? near(l.result(), bl::tensorinv(at<4>(l, 0)), 200)
                           : near(l.result(), bl::tensorinv(at<3>(l, 0), 1_c), 200);
      },
      table);
  const bl::dtensor<double, 3> a(2, 3, 5);
  BOOST_CHECK_THROW(bl::tensorsolve(a, bl::dtensor<double, 1>(2)), bl::shape_error);
  BOOST_CHECK_THROW(bl::tensorinv(a, 1_c), bl::shape_error);
  BOOST_CHECK_THROW(bl::eval(bl::tensorinv(bl::zeros<double>(6, 2, 3), 1_c)), bl::linalg_error);
}

BOOST_AUTO_TEST_CASE(forms) {
  each(
      "block_diag", 8,
      [](const line& l) { return l.result().is(bl::block_diag(at(l, 0), at<1>(l, 1), bl::transpose(at(l, 0)))); },
      table);
  each(
      "vander", 32,
      [](const line& l) {
        const auto x = at<1>(l, 0);
        const bool increasing = l.parameter == "1";
        return near(l.result(), bl::vander(x, l.axis, increasing)) &&
               l.result().is(bl::vander(bl::cast<int>(x), l.axis, increasing)) &&
               (l.axis != x.size() || increasing || near(l.result(), bl::vander(x)));
      },
      table);
  each("vander_stack", 3, [](const line& l) { return near(l.result(), bl::vander(at(l, 0), l.axis, true)); }, table);
  BOOST_CHECK_THROW(bl::vander(bl::dtensor<int, 1>{1, 2}, -1), bl::shape_error);
  each(
      "logdet", 16,
      [](const line& l) {
        bool ok = true;
        if (l.arrays[0].rank() == 2) ok = near(l.result(), bl::logdet(at(l, 0)), 100);
        if (l.arrays[0].rank() == 4) ok = near(l.result(), bl::logdet(at<4>(l, 0)), 100);
        return ok;
      },
      table);
  using complex = std::complex<double>;
  const bl::dtensor<complex, 2> z{{complex(1, 2), complex(0, 1)}, {complex(3, 0), complex(-2, 1)}};
  const complex log = bl::logdet(z).item(), det = bl::det(z).item();
  BOOST_TEST(std::abs(log - std::log(det)) < 1e-14);
  BOOST_TEST(equal(bl::adjoint(z), bl::conj(bl::transpose(z))));
  BOOST_TEST(equal(bl::mT(z), bl::matrix_transpose(z)));
  const bl::tensor<float, bl::shape<2, 3>> x{{1, 2, 3}, {4, 5, 6}};
  static_assert(
      std::is_same_v<decltype(bl::block_diag(x, bl::tensor<int, bl::shape<4>>{})), bl::tensor<float, bl::shape<3, 7>>>);
  static_assert(std::is_same_v<decltype(bl::vander(x, 4_c))::shape_type, bl::shape<2, 3, 4>>);
}

BOOST_AUTO_TEST_CASE(lengths_and_distances) {
  each(
      "vector_norm", 50,
      [](const line& l) {
        return near(l.result(), bl::vector_norm(at(l, 0), std::stod(l.parameter))) &&
               near(l.result(), bl::vector_norm(bl::cast<std::complex<double>>(at(l, 0)), std::stod(l.parameter)));
      },
      table);
  each(
      "vector_norm_axis", 50,
      [](const line& l) { return near(l.result(), bl::vector_norm(at(l, 0), std::stod(l.parameter), bl::axes<-1>)); },
      table);
  each(
      "cdist", 80,
      [](const line& l) {
        const double p = std::stod(l.parameter);
        if (l.arrays[0].rank() == 2)
          return near(l.result(), bl::cdist(at(l, 0), at(l, 1), p)) &&
                 (p != 2 || near(l.result(), bl::cdist(at(l, 0), bl::transpose(bl::eval(bl::transpose(at(l, 1)))))));
        const auto x = at<3>(l, 0), y = at<3>(l, 1);
        return near(l.result(), bl::cdist(x, y, p)) && (p != 2 || near(l.result(), bl::cdist(x, y))) &&
               (p != 1 || near(l.result(), bl::cdist(x, y, 1_c)));
      },
      table);
  BOOST_TEST(first_line(text_of<bl::shape_error>([] {
               bl::cdist(bl::dtensor<float, 2>(2, 3), bl::dtensor<float, 2>(2, 1));
             })) == "X1 and X2 must have the same number of columns. X1: 3 X2: 1");
}

BOOST_AUTO_TEST_CASE(axes_in_braces) {
  const auto a = matrices::random<double>(31, 2, 3, 4), b = matrices::random<double>(32, 4, 2, 5);
  BOOST_TEST(bl::array_equal(bl::tensordot(a, b, {0, 2}, {1, 0}), bl::tensordot(a, b, bl::axes<0, 2>, bl::axes<1, 0>)));
  const int last = -1;
  BOOST_TEST(bl::allclose(bl::tensordot(a, b, {last}, {0}), bl::tensordot(a, b, 1_c)).item());
  BOOST_CHECK_THROW(bl::tensordot(a, b, {3}, {0}), bl::index_error);
  BOOST_CHECK_THROW(bl::tensordot(a, b, {0, 0}, {0, 1}), bl::index_error);
}

BOOST_AUTO_TEST_CASE(names_of_numpy_linalg) {
  static_assert(std::is_same_v<decltype(bl::linalg::solve), decltype(bl::solve)>);
  static_assert(std::is_same_v<decltype(bl::linalg::multi_dot), decltype(bl::multi_dot)>);
  BOOST_TEST(bl::linalg::det(bl::dtensor<double, 2>{{2, 1}, {1, 3}}).shape().size() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
