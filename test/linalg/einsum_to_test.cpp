// Einsum by names is einsum by letters, for each way in which axes go together.
#include <broadloom/linalg/einsum_to.hpp>

#include <boost/test/unit_test.hpp>
#include <string>
#include <type_traits>

#include "matrices.hpp"
#include "thrown.hpp"

using matrices::distance;
using matrices::random;
using namespace bl::literals;

namespace {

constexpr bl::index B = bl::size<"b">, N = bl::size<"n">, M = bl::size<"m">, K = bl::size<"k">;

template <class E, bl::index... X>
constexpr bool has = std::is_same_v<typename std::remove_cvref_t<E>::shape_type, bl::shape<X...>>;

}  // namespace

BOOST_AUTO_TEST_SUITE(linalg_einsum_to)

BOOST_AUTO_TEST_CASE(names_stand_for_letters) {
  const auto a = random<double>(1, 4, 5), b = random<double>(2, 5, 3);
  const auto x = random<double>(3, 5);
  const auto s = random<double>(4, 2, 4, 5), t = random<double>(5, 2, 5, 3);
  const auto na = bl::named<"n", "k">(a);
  const auto nb = bl::named<"k", "m">(b);
  const auto nx = bl::named<"k">(x);
  const auto ns = bl::named<"b", "n", "k">(s);
  const auto nt = bl::named<"b", "k", "m">(t);
  const auto same = [](const auto& e, const auto& want) {
    BOOST_TEST(distance(bl::eval(bl::unnamed(e)), bl::eval(want)) == 0);
  };
  same(bl::einsum_to<"n", "m">(na, nb), bl::einsum<"nk,km->nm">(a, b));
  same(bl::einsum_to<"m", "n">(na, nb), bl::einsum<"nk,km->mn">(a, b));
  same(bl::einsum_to<"n">(na, nx), bl::einsum<"nk,k->n">(a, x));
  same(bl::einsum_to<"k">(nx, nx), bl::einsum<"k,k->k">(x, x));
  same(bl::einsum_to<>(nx, nx), bl::einsum<"k,k->">(x, x));
  same(bl::einsum_to<"k">(na), bl::einsum<"nk->k">(a));
  same(bl::einsum_to<"k", "n">(na), bl::einsum<"nk->kn">(a));
  same(bl::einsum_to<"b", "n", "m">(ns, nt), bl::einsum<"bnk,bkm->bnm">(s, t));
  same(bl::einsum_to<"n", "m">(ns, nt), bl::einsum<"bnk,bkm->nm">(s, t));
  same(bl::einsum_to<"m", "b">(ns, nt, nb), bl::einsum<"bnk,bkm,km->mb">(s, t, b));
  static_assert(has<decltype(bl::einsum_to<"m", "n">(na, nb)), M, N>);
  static_assert(has<decltype(bl::einsum_to<"b", "m">(ns, nt)), B, M>);
  // of expressions, and within one
  same(bl::einsum_to<"n", "m">(na * 2, bl::abs(nb)) + 1, bl::einsum<"nk,km->nm">(a * 2, bl::abs(b)) + 1);
}

BOOST_AUTO_TEST_CASE(diagonals_unit_axes_and_types) {
  const auto a = random<double>(6, 4, 4), w = random<double>(7, 1, 4);
  const auto square = bl::named<"n", "n">(a);
  const auto row = bl::named<1, "n">(w);
  BOOST_TEST(distance(bl::eval(bl::unnamed(bl::einsum_to<"n">(square))), bl::eval(bl::einsum<"ii->i">(a))) == 0);
  BOOST_TEST(distance(bl::eval(bl::einsum_to<>(square)), bl::eval(bl::einsum<"ii->">(a))) == 0);
  const auto e = bl::einsum_to<"n">(row, row);
  static_assert(has<decltype(e), N>);
  BOOST_TEST(distance(bl::eval(bl::unnamed(e)), bl::eval(bl::select(w * w, 0_c, 0))) == 0);
  const bl::tensor<std::int32_t, bl::shape<N, K>> i{{1, 2}, {3, 4}, {5, 6}};
  const bl::tensor<float, bl::shape<K>> f{10, 1};
  const auto p = bl::einsum_to<"n">(i, f);
  static_assert(std::is_same_v<decltype(p)::value_type, float>);
  BOOST_TEST(bl::to_string(bl::eval(p)) == "[12. 34. 56.]");
}

// A 1 of this run is another size than 5 where both have the name.
BOOST_AUTO_TEST_CASE(sizes_of_one_name_are_equal) {
  const bl::tensor<float, bl::shape<N, K>> a(2, 5);
  const bl::tensor<float, bl::shape<K, M>> one(1, 3);
  BOOST_TEST(thrown<bl::shape_error>([&] { static_cast<void>(bl::einsum_to<"n", "m">(a, one)); }) ==
             "einsum_to(): k is 1 in operand 1 and 5 in operand 0");
  BOOST_TEST(thrown<bl::shape_error>([&] { static_cast<void>(bl::einsum<"nk,km->nm">(a, one)); }) ==
             "einsum(): subscript k has size 1 for operand 1 which does not broadcast with previously seen size 5");
  BOOST_TEST(thrown<bl::shape_error>([&] {
               static_cast<void>(bl::einsum<"nk,km->nm">(bl::unnamed(a), bl::unnamed(one)));
             }) == "nothing was thrown");
}

BOOST_AUTO_TEST_SUITE_END()
