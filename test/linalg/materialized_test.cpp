// A `let` among the operands of a product or of a factorisation is computed once, however it is looked at.
#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

#include <boost/test/unit_test.hpp>

#include <atomic>

namespace bl = broadloom;

namespace {

struct counting {
  std::atomic<int>* calls;
  float operator()(float x) const {
    ++*calls;
    return x * 0.5f;
  }
};

bl::dtensor<float, 2> numbers(bl::index n) {
  bl::dtensor<float, 2> a = bl::reshape(bl::arange<float>(static_cast<float>(n * n)), n, n);
  bl::assign(a, bl::fmod(a * 7, 11.f) - 5);
  return a;
}

// Evaluates what build(let of x) gives; the calls for each element of x, and that it equals build(array of x).
template <class Build>
void once(const char* what, bl::index n, const Build& build) {
  const bl::dtensor<float, 2> x = numbers(n);
  std::atomic<int> calls{0};
  const auto t = bl::let(bl::pointwise(counting{&calls}, x) + 1);
  const auto r = bl::eval(build(t));
  BOOST_TEST(calls == n * n, what << ", n = " << n << ": " << calls << " calls");
  const bl::dtensor<float, 2> y = x * 0.5f + 1;
  // Small whole numbers and halves: products and sums of them are exact.
  BOOST_TEST(bl::all(bl::eval(build(y)) == r).item(), what << ", n = " << n);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linalg_materialized)

BOOST_AUTO_TEST_CASE(a_let_is_computed_once_for_all_operands) {
  for (const bl::index n : {3, 20, 70}) {
    once("t t", n, [](const auto& t) { return bl::matmul(t, t); });
    once("t' t", n, [](const auto& t) { return bl::matmul(bl::transpose(t, 0, 1), t); });
    once("t t'", n, [](const auto& t) { return bl::matmul(t, bl::transpose(t, 0, 1)); });
    once("rows and columns", n, [](const auto& t) {
      return bl::matmul(bl::slice(t, bl::range(1, 3)), bl::slice(t, bl::all, bl::range(0, 2)));
    });
    once("flipped", n, [](const auto& t) { return bl::matmul(bl::flip(t, 0), bl::flip(t, 1)); });
    once("a vector of it", n, [](const auto& t) { return bl::matmul(t, bl::slice(t, 1)); });
    once("einsum", n, [](const auto& t) { return bl::einsum<"ij,kj->ik">(t, t); });
    once("addmm", n, [](const auto& t) { return bl::addmm(bl::zeros<float>(1, 1), t, t); });
  }
}

BOOST_AUTO_TEST_CASE(two_lets_are_two) {
  const bl::dtensor<float, 2> x = numbers(9), y = numbers(9) * 2;
  const auto t = bl::let(x + 1), u = bl::let(y + 1);
  const bl::dtensor<float, 2> p = bl::matmul(t, u), wanted = bl::matmul(bl::eval(x + 1), bl::eval(y + 1));
  BOOST_TEST(bl::all(p == wanted).item());
}

BOOST_AUTO_TEST_CASE(a_let_may_be_the_matrix_and_the_right_side) {
  const bl::dtensor<float, 2> x = numbers(8) * 0.125f;
  std::atomic<int> calls{0};
  const auto t = bl::let(bl::pointwise(counting{&calls}, x) + bl::eye<float>(8) * 9);
  const bl::dtensor<float, 2> r = bl::solve(t, t);
  BOOST_TEST(calls == 64);
  BOOST_TEST(bl::all(bl::abs(r - bl::eye<float>(8)) < 1e-5f).item());
}

BOOST_AUTO_TEST_SUITE_END()
