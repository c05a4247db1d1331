// fast and reproducible in a scope: what takes no policy has the bits that the same evaluation has with it.
#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <thread>
#include <vector>

namespace {

namespace bl = broadloom;
using matrix = bl::dtensor<float, 2>;

matrix numbers(bl::index rows, bl::index cols) {
  return bl::sin(bl::reshape(bl::arange<float>(rows * cols), {rows, cols}));
}
bool same_bits(const matrix& a, const matrix& b) {
  return a.shape() == b.shape() &&
         std::memcmp(a.data(), b.data(), sizeof(float) * static_cast<std::size_t>(a.size())) == 0;
}
// Whether `e` gives the bits of `p` in a scope of it and the usual ones elsewhere, by `=`, in place, by eval and, of
// its sum, by item(). Whether these bits differ is returned.
template <class E>
bool follows(const bl::policy& p, const E& e) {
  const matrix usual = bl::eval(e), wanted = bl::eval(e, p);
  const float usual_sum = bl::eval(bl::sum(e))(), wanted_sum = bl::eval(bl::sum(e), p)();
  matrix assigned(usual.shape()), added(usual.shape());
  added.fill(0);
  const float sum = bl::with(p, [&] {
    bl::assign(assigned, e);
    added += e;
    BOOST_TEST(same_bits(matrix(e), wanted));
    // A scope inside keeps what this one says, and so does a policy of a call.
    bl::with(bl::seq, [&] { BOOST_TEST(same_bits(bl::eval(e, bl::par), wanted)); });
    std::thread([&] { BOOST_TEST(same_bits(bl::eval(e), usual)); }).join();
    return bl::sum(e).item();
  });
  BOOST_TEST(same_bits(assigned, wanted));
  BOOST_TEST(same_bits(added, bl::eval(wanted + 0)));
  BOOST_TEST(sum == wanted_sum);
  BOOST_TEST(same_bits(bl::eval(e), usual));
  BOOST_TEST(bl::sum(e).item() == usual_sum);
  return !same_bits(usual, wanted);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(eval_with)

BOOST_AUTO_TEST_CASE(a_scope_is_fast) {
  for (const bl::index n : {3, 40, 700}) {
    const matrix x = numbers(n, n);
    int other = follows(bl::fast, bl::exp(x));                                               // one function
    other += follows(bl::fast, bl::exp(x + 1) * bl::log(x * x + 1));                         // several steps
    other += follows(bl::fast, bl::tanh(x.T() - x));                                         // strides
    other += follows(bl::fast, bl::exp(x) / bl::sum(bl::exp(x), bl::axes<1>, bl::keepdim));  // behind a barrier
    BOOST_TEST((other > 0 || n == 3));
    matrix in_place = x;
    bl::with(bl::par | bl::fast, [&] { bl::exp_(in_place); });
    BOOST_TEST(same_bits(in_place, bl::eval(bl::exp(x), bl::fast)));
  }
  // What other threads evaluate within a loop of the scope.
  const matrix x = numbers(4, 50), wanted = bl::eval(bl::exp(x), bl::fast);
  std::vector<matrix> each(64);
  bl::with(bl::fast, [&] {
    struct job {
      const matrix& x;
      std::vector<matrix>& each;
    } own{x, each};
    bl::runtime::parallel_for(
        64, 0,
        [](void* of, bl::index first, bl::index last) {
          const job& j = *static_cast<job*>(of);
          for (; first < last; ++first) j.each[static_cast<std::size_t>(first)] = bl::exp(j.x);
        },
        &own);
  });
  for (const matrix& y : each) BOOST_TEST(same_bits(y, wanted));
}

BOOST_AUTO_TEST_CASE(a_scope_adds_products_in_order) {
  bool other = false;
  for (const bl::index n : {2, 9, 90}) {
    const matrix a = numbers(n, n + 1), b = numbers(n + 1, n);
    other = follows(bl::reproducible, bl::matmul(a, b)) || other;
    follows(bl::reproducible, bl::matmul(a.T(), a));
    follows(bl::reproducible, bl::einsum<"ij,jk->ik">(a, b));
    follows(bl::par | bl::fast | bl::reproducible, bl::exp(bl::matmul(a, b)));
    const float dot = bl::with(bl::reproducible, [&] { return bl::dot(a(0, bl::all), b(bl::all, 0)).item(); });
    BOOST_TEST(dot == bl::eval(bl::dot(a(0, bl::all), b(bl::all, 0)), bl::reproducible)());
  }
  BOOST_TEST(other);
  // A few products in the caller: a sum of -0 alone is -0 in this order.
  const matrix minus{{-0.0f}}, one{{1}};
  const matrix ordered = bl::with(bl::reproducible, [&] { return bl::eval(bl::matmul(minus, one)); });
  BOOST_TEST(std::signbit(ordered(0, 0)));
  BOOST_TEST(!std::signbit(bl::eval(bl::matmul(minus, one))(0, 0)));
}

BOOST_AUTO_TEST_SUITE_END()
