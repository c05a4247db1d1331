// Einsum against loops over all subscripts.
#include <broadloom/half.hpp>
#include <broadloom/linalg/einsum.hpp>

#include <boost/test/unit_test.hpp>

#include <complex>
#include <string>
#include <vector>

#include "matrices.hpp"

using matrices::distance;
using matrices::random;

BOOST_AUTO_TEST_SUITE(linalg_einsum)

BOOST_AUTO_TEST_CASE(what_matrices_do) {
  const auto a = random<double>(1, 4, 5), b = random<double>(2, 5, 3), s = random<double>(3, 4, 4);
  const auto x = random<double>(4, 5);
  const auto close = [](const auto& e, const auto& want) {
    BOOST_TEST(distance(bl::eval(e), bl::eval(want)) <= 1e-14);
  };
  close(bl::einsum<"ij,jk->ik">(a, b), bl::mm(a, b));
  close(bl::einsum<"ij,jk">(a, b), bl::mm(a, b));
  close(bl::einsum<"ij,jk->ki">(a, b), bl::mm(a, b).T());
  close(bl::einsum<"ij->ji">(a), a.T());
  close(bl::einsum<"ba">(a), a.T());
  close(bl::einsum<"ij,j->i">(a, x), bl::mv(a, x));
  close(bl::einsum<"i,i->">(x, x), bl::dot(x, x));
  close(bl::einsum<"i,j->ij">(x, x), bl::outer(x, x));
  close(bl::einsum<"ij,ij->ij">(a, a), a * a);
  close(bl::einsum<"ij->">(a), bl::sum(a));
  close(bl::einsum<"ij->j">(a), bl::sum(a, bl::axes<0>));
  close(bl::einsum<"ii->i">(s), bl::diagonal(s));
  close(bl::einsum<"ii">(s), bl::sum(bl::diagonal(s)));
  close(bl::einsum<"ij,ik->jk">(a, a), bl::mm(a.T(), a));
}

BOOST_AUTO_TEST_CASE(stacks_and_ellipses) {
  const auto a = random<double>(5, 2, 3, 4, 5);
  const auto b = random<double>(6, 3, 5, 6);
  const auto want = bl::eval(bl::matmul(a, b));
  BOOST_TEST(distance(bl::eval(bl::einsum<"...ij,...jk->...ik">(a, b)), want) <= 1e-14);
  BOOST_TEST(distance(bl::eval(bl::einsum<"zbij,bjk->zbik">(a, b)), want) <= 1e-14);
  BOOST_TEST(distance(bl::eval(bl::einsum<"bzij,zjk">(a, b)),
                      bl::eval(bl::sum(bl::permute(want, bl::axes<0, 2, 3, 1>), bl::axes<3>))) <= 1e-13);
  const auto ones = random<double>(7, 1, 3, 4, 5);
  BOOST_TEST(distance(bl::eval(bl::einsum<"zbij,bjk->zbik">(ones, b)), bl::eval(bl::matmul(ones, b))) <= 1e-14);
}

BOOST_AUTO_TEST_CASE(three_operands_and_sums_over_several_axes) {
  const auto a = random<double>(8, 2, 3, 4), b = random<double>(9, 4, 3, 5), c = random<double>(10, 5, 2, 6);
  const bl::tensor r = bl::einsum<"abc,cbd,daf->fd">(a, b, c);
  BOOST_TEST((r.shape() == bl::dshape<2>(6, 5)));
  for (bl::index f = 0; f < 6; ++f)
    for (bl::index d = 0; d < 5; ++d) {
      double s = 0;
      for (bl::index i = 0; i < 2; ++i)
        for (bl::index j = 0; j < 3; ++j)
          for (bl::index k = 0; k < 4; ++k) s += a(i, j, k) * b(k, j, d) * c(d, i, f);
      BOOST_TEST(std::abs(r(f, d) - s) <= 1e-13);
    }
  const auto x = random<double>(11, 3, 4), y = random<double>(12, 4, 3);
  double trace = 0;
  for (bl::index i = 0; i < 3; ++i)
    for (bl::index j = 0; j < 4; ++j) trace += x(i, j) * y(j, i);
  BOOST_TEST(std::abs(bl::eval(bl::einsum<"ij,ji">(x, y)).item() - trace) <= 1e-14);
}

BOOST_AUTO_TEST_CASE(integers_and_elements) {
  const auto a = random<std::int32_t>(13, 3, 4), b = random<std::int32_t>(14, 4, 2);
  const auto e = bl::einsum<"ij,jk->ki">(a, b);
  const auto p = matrices::product(a, b);
  const bl::tensor r = e;
  for (bl::index i = 0; i < 3; ++i)
    for (bl::index k = 0; k < 2; ++k) {
      BOOST_TEST(r(k, i) == static_cast<std::int32_t>(p(i, k)));
      BOOST_TEST(bl::slice(e, bl::range(k, k + 1), bl::range(i, i + 1)).item() == r(k, i));
    }
}

BOOST_AUTO_TEST_CASE(sizes_that_differ) {
  const auto a = random<double>(15, 2, 3), b = random<double>(16, 4, 2);
  BOOST_CHECK_EXCEPTION((bl::einsum<"ij,jk->ik">(a, b)), bl::shape_error, [](const bl::shape_error& e) {
    return std::string(e.what()).rfind(
               "einsum(): subscript j has size 4 for operand 1 which does not broadcast with previously seen size 3",
               0) == 0;
  });
}

BOOST_AUTO_TEST_CASE(a_text_gives_what_the_constant_gives) {
  const auto a = random<double>(21, 3, 4), b = random<double>(22, 4, 3), s = random<double>(23, 3, 3);
  const auto t = random<double>(24, 2, 3, 4);
  const auto agree = [](const auto& by_text, const auto& constant) {
    const bl::tensor want = constant;
    constexpr int rank = std::remove_const_t<decltype(want)>::rank();
    BOOST_TEST(by_text.rank() == rank);
    BOOST_TEST(distance(bl::eval(by_text.template as_rank<rank>()), want) <= 1e-14);
  };
#define AGREE(TEXT, ...) agree(bl::einsum(TEXT, __VA_ARGS__), bl::einsum<TEXT>(__VA_ARGS__))
  AGREE("ij,jk->ki", a, b);
  AGREE("ij,jk", a, b);
  AGREE("ij,jk,kl->li", a, b, s);
  AGREE("ii", s);
  AGREE("ii->i", s);
  AGREE("nij->jn", t);
  AGREE("...ij,jk->...ki", t, b);
  AGREE("nij,ij->n", t, a * 2);
  AGREE("i,j->ji", a(0), b(1));
  AGREE("ij,jk->ik", a, bl::cast<std::complex<double>>(b));
  const std::string text = "nij,nj->ni";
  agree(bl::einsum(text, t, bl::sum(t, bl::axes<1>)), bl::einsum<"nij,nj->ni">(t, bl::sum(t, bl::axes<1>)));
#undef AGREE
  const bl::dtensor<double, 2> copy = bl::einsum("ij->ji", a);
  BOOST_TEST(distance(copy, bl::eval(a.T())) == 0);
  using half = bl::float16;
  const bl::dtensor<half, 2> narrow = bl::cast<half>(a);
  const bl::dtensor<half, 2> turned = bl::einsum("ij->ji", narrow);
  BOOST_TEST(bl::array_equal(turned, narrow.T()));
}

BOOST_AUTO_TEST_CASE(a_text_that_does_not_fit) {
  const auto a = random<double>(25, 2, 3), b = random<double>(26, 4, 2);
  for (const char* const wrong : {"ij,jk->ik", "ijk,jk->i", "ij,kl->iz", "ij,kl->ii", "ij", "ij,kl->i;"})
    BOOST_CHECK_THROW(bl::einsum(wrong, a, b), bl::shape_error);
  BOOST_CHECK_THROW((static_cast<void>(bl::dtensor<double, 1>(bl::einsum("ij->ji", a)))), bl::shape_error);
}

BOOST_AUTO_TEST_SUITE_END()
