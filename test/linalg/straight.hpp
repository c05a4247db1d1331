// Products of static operands against those of dynamic ones under bl::reproducible, which promise the same order of
// sums.
#pragma once

#include <complex>
#include <cstring>
#include <string>

#include <boost/test/unit_test.hpp>

#include "matrices.hpp"

namespace straight {

template <class T>
T number(std::uint64_t i) {
  if constexpr (bl::detail::is_complex_type<T>) {
    using R = typename T::value_type;
    return {static_cast<R>(matrices::noise(2 * i)), static_cast<R>(matrices::noise(2 * i + 1))};
  } else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<int>(100 * matrices::noise(i)));
  else
    return static_cast<T>(matrices::noise(i));
}
template <class T, bl::index... N>
bl::tensor<T, bl::shape<N...>> some(int seed) {
  bl::tensor<T, bl::shape<N...>> x;
  for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = number<T>(static_cast<std::uint64_t>(i + 977 * seed));
  return x;
}
// The same elements with extents that the compiler does not know.
template <class T, class Shape>
auto dynamic(const bl::tensor<T, Shape>& x) {
  bl::tensor<T, bl::dshape<Shape::axes_count>> r{bl::dshape<Shape::axes_count>(x.shape())};
  std::memcpy(static_cast<void*>(r.data()), x.data(), sizeof(T) * static_cast<std::size_t>(x.size()));
  return r;
}
// `x`, computed straight-line, has the bits of `y` by the library.
template <class X, class Y>
void check(const std::string& what, const X& x, const Y& y) {
  static_assert(bl::detail::straight_count<bl::detail::node_of<const X&>> > 0);
  const auto one = bl::eval(x);
  bl::tensor<bl::detail::value_of<Y>, bl::dshape<bl::rank_of<Y>>> two{bl::dshape<bl::rank_of<Y>>(y.shape())};
  bl::assign(two, y, bl::par | bl::reproducible);
  const bool same =
      std::memcmp(one.data(), two.data(), sizeof(*two.data()) * static_cast<std::size_t>(two.size())) == 0;
  BOOST_TEST(same, what);
}

// Of m x k and k x n elements: in memory, transposed, and as parts of trees. What the library computes has one type
// for all sizes.
template <class T, int M, int K, int N>
void check_size() {
  const std::string what = std::to_string(M) + " x " + std::to_string(K) + " x " + std::to_string(N);
  const auto a = some<T, M, K>(1);
  const auto b = some<T, K, N>(2);
  const auto at = some<T, K, M>(3);
  const auto c = some<T, M, N>(4);
  const auto x = some<T, K>(5), y = some<T, K>(6);
  const auto da = dynamic(a), db = dynamic(b), dat = dynamic(at), dc = dynamic(c);
  const auto dx = dynamic(x), dy = dynamic(y);
  check(what, bl::mm(a, b), bl::mm(da, db));
  check(what + ", transposed and plus", bl::matmul(at.T(), b) + c, bl::matmul(dat.T(), db) + dc);
  check(what + ", a vector", bl::mv(a, x - y), bl::mv(da, dx - dy));
  check(what + ", a row", bl::matmul(x, b), bl::matmul(dx, db));
  check(what + ", dot", bl::dot(x, y), bl::dot(dx, dy));
}
template <class T>
void check_sizes() {
  check_size<T, 1, 1, 1>();
  check_size<T, 2, 3, 4>();
  check_size<T, 3, 3, 3>();
  check_size<T, 4, 6, 5>();
  check_size<T, 7, 5, 2>();
  check_size<T, 8, 8, 8>();
}

// The other products, of 3 x 3 elements.
template <class T>
void check_others() {
  const auto a = some<T, 3, 3>(1), b = some<T, 3, 3>(2), c = some<T, 3, 3>(3);
  const auto s = some<T, 2, 3, 3>(4), t = some<T, 2, 3, 3>(5);
  const auto x = some<T, 3>(6), y = some<T, 3>(7);
  const auto wide = some<T, 4, 5>(8);
  const auto da = dynamic(a), db = dynamic(b), dc = dynamic(c), dwide = dynamic(wide);
  const auto ds = dynamic(s), dt = dynamic(t);
  const auto dx = dynamic(x), dy = dynamic(y);
  check("addmm", bl::addmm(c, a, b, 2, 3), bl::addmm(dc, da, db, 2, 3));
  check("addmm without c", bl::addmm(c, a, b, 0, 1), bl::addmm(dc, da, db, 0, 1));
  check("addmv", bl::addmv(x, a, y), bl::addmv(dx, da, dy));
  check("bmm", bl::bmm(s, t), bl::bmm(ds, dt));
  check("a stack and a matrix", bl::matmul(s, a), bl::matmul(ds, da));
  check("einsum", bl::einsum<"ij,jk->ki">(a, b), bl::einsum<"ij,jk->ki">(da, db));
  check("einsum of three", bl::einsum<"i,ij,j->">(x, a, y), bl::einsum<"i,ij,j->">(dx, da, dy));
  check("inner", bl::inner(a, b), bl::inner(da, db));
  check("kron", bl::kron(a, x), bl::kron(da, dx));
  check("cross", bl::cross(x, y) - x, bl::cross(dx, dy) - dx);
  check("nested", bl::matmul(a, bl::matmul(b, x) + y), bl::matmul(da, bl::eval(bl::matmul(db, dx)) + dy));
  check("twice", bl::matmul(a, x) * bl::dot(x, y), bl::matmul(da, dx) * bl::dot(dx, dy));
  using namespace bl::literals;
  check("a part", bl::matmul(a, bl::slice(wide, bl::range(1_c, 4_c), bl::range(0_c, 5_c, 2_c))),
        bl::matmul(da, bl::slice(dwide, bl::range(1, 4), bl::range(0, 5, 2))));
  auto o = x;
  o = bl::matmul(a, o) + o;  // reads what it writes
  check("twice the same", bl::matmul(a, x) + x, bl::eval(o) + T(0) * dx);
}

}  // namespace straight
