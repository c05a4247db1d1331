// Every row of test/data/linalg_complex_cases.tsv: what PyTorch's linear algebra gives for complex matrices; and what
// eigenvectors and singular vectors must satisfy, in both lengths.
// Build: unoptimised, clang-alone
#include <complex>

#include <broadloom/linalg.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <broadloom/broadloom.hpp>

#include "linalg_table.hpp"

namespace bl = broadloom;

namespace {

using number = std::complex<double>;
using array = linalg_table::array<number>;
using row = linalg_table::row<number>;

template <int Rank, class T = number>
auto tensor_of(const array& a) {
  return linalg_table::tensor_of<Rank, T>(a);
}

template <class T>
void compare(const row& r, std::size_t output, const T& got) {
  const array& want = r.outputs.at(output);
  bool same = static_cast<std::size_t>(T::rank()) == want.extents.size();
  for (bl::index i = 0; same && i < T::rank(); ++i) same = got.shape()[i] == want.extents[static_cast<std::size_t>(i)];
  double scale = 1, far = 0;
  for (const number& v : want.values)
    if (std::isfinite(std::abs(v))) scale = std::max(scale, std::abs(v));
  for (bl::index i = 0; same && i < got.size(); ++i) {
    const double d = std::abs(number(got.data()[i]) - want.values[static_cast<std::size_t>(i)]);
    if (!(d <= far)) far = d;
  }
  if (!same || !(far <= 2e-12 * scale))
    BOOST_ERROR("line " << r.line << ", " << r.function << " " << r.parameters << ": "
                        << (same ? "off by " + std::to_string(far / scale) : std::string("wrong shape")));
}

using runner = std::function<void(const row&)>;

// f of the first operand, or of the first two or three; its one result.
template <class F>
runner one(F f) {
  return [f](const row& r) { compare(r, 0, bl::eval(f(r, tensor_of<3>(r.inputs[0])))); };
}
template <class F>
runner two(F f) {
  return [f](const row& r) { compare(r, 0, bl::eval(f(r, tensor_of<3>(r.inputs[0]), tensor_of<3>(r.inputs[1])))); };
}
double order_of(const std::string& text) {
  const double inf = std::numeric_limits<double>::infinity();
  return text == "inf" ? inf : text == "-inf" ? -inf : std::stod(text);
}

const std::map<std::string, runner>& runners() {
  using kind = bl::runtime::norm_kind::kind;
  static const std::map<std::string, runner> all{
      {"inv", one([](const row&, const auto& a) { return bl::inv(a); })},
      {"det", one([](const row&, const auto& a) { return bl::det(a); })},
      {"slogdet",
       [](const row& r) {
         const auto [sign, log] = bl::slogdet(tensor_of<3>(r.inputs[0]));
         static_assert(std::is_same_v<typename std::remove_cvref_t<decltype(log)>::value_type, double>);
         compare(r, 0, sign);
         compare(r, 1, log);
       }},
      {"lu_factor",
       [](const row& r) {
         const auto [lu, pivots] = bl::lu_factor(tensor_of<3>(r.inputs[0]));
         compare(r, 0, lu);
         for (bl::index i = 0; i < pivots.size(); ++i)
           BOOST_TEST(pivots.data()[i] == r.outputs[1].values[static_cast<std::size_t>(i)].real());
       }},
      {"lu",
       [](const row& r) {
         const auto [p, l, u] = bl::lu(tensor_of<3>(r.inputs[0]));
         compare(r, 0, p);
         compare(r, 1, l);
         compare(r, 2, u);
       }},
      {"matrix_power", one([](const row& r, const auto& a) { return bl::matrix_power(a, std::stol(r.parameters)); })},
      {"matrix_exp", one([](const row&, const auto& a) { return bl::matrix_exp(a); })},
      {"cholesky", one([](const row& r, const auto& a) { return bl::cholesky(a, r.parameters == "1"); })},
      {"cholesky_inverse",
       one([](const row& r, const auto& a) { return bl::cholesky_inverse(a, r.parameters == "1"); })},
      {"eigvalsh", one([](const row&, const auto& a) { return bl::eigvalsh(a); })},
      {"svdvals", one([](const row&, const auto& a) { return bl::svdvals(a); })},
      {"pinv", one([](const row&, const auto& a) { return bl::pinv(a); })},
      {"matrix_rank",
       [](const row& r) {
         const bl::tensor rank = bl::matrix_rank(tensor_of<3>(r.inputs[0]));
         BOOST_TEST(static_cast<double>(rank(1)) == r.outputs[0].values[1].real());
       }},
      {"matrix_norm", one([](const row& r, const auto& a) {
         return bl::matrix_norm(a, r.parameters == "fro" ? bl::frobenius
                                   : r.parameters == "nuc"
                                       ? bl::nuclear
                                       : bl::runtime::norm_kind{kind::number, order_of(r.parameters)});
       })},
      {"cond", one([](const row& r, const auto& a) { return bl::cond(a, order_of(r.parameters)); })},
      {"qr",
       [](const row& r) {
         const auto a = tensor_of<3>(r.inputs[0]);
         const auto f = r.parameters == "complete" ? bl::qr(a, bl::complete) : bl::qr(a);
         compare(r, 0, f.q);
         compare(r, 1, f.r);
       }},
      {"geqrf",
       [](const row& r) {
         const auto [a, tau] = bl::geqrf(tensor_of<3>(r.inputs[0]));
         compare(r, 0, a);
         compare(r, 1, tau);
       }},
      {"householder_product",
       [](const row& r) {
         compare(r, 0, bl::eval(bl::householder_product(tensor_of<3>(r.inputs[0]), tensor_of<2>(r.inputs[1]))));
       }},
      {"ormqr",
       [](const row& r) {
         compare(r, 0,
                 bl::eval(bl::ormqr(tensor_of<3>(r.inputs[0]), tensor_of<2>(r.inputs[1]), tensor_of<3>(r.inputs[2]),
                                    r.parameters == "1")));
       }},
      {"ormqr_right",
       [](const row& r) {
         compare(r, 0,
                 bl::eval(bl::ormqr_right(tensor_of<3>(r.inputs[0]), tensor_of<2>(r.inputs[1]),
                                          tensor_of<3>(r.inputs[2]), r.parameters == "1")));
       }},
      {"solve_triangular_right", two([](const row& r, const auto& a, const auto& b) {
         return bl::solve_triangular_right(a, b, r.parameters.front() == '1');
       })},
      {"solve_triangular",
       two([](const row& r, const auto& a, const auto& b) { return bl::solve_triangular(a, b, r.parameters == "1"); })},
      {"cholesky_solve",
       two([](const row& r, const auto& b, const auto& l) { return bl::cholesky_solve(b, l, r.parameters == "1"); })},
      {"solve", two([](const row&, const auto& a, const auto& b) { return bl::solve(a, b); })},
      {"lu_solve", two([](const row&, const auto& a, const auto& b) {
         const auto [lu, pivots] = bl::lu_factor(a);
         return bl::eval(bl::lu_solve(lu, pivots, b));
       })},
      {"lstsq", two([](const row&, const auto& a, const auto& b) { return bl::lstsq(a, b); })},
      {"matmul", two([](const row&, const auto& a, const auto& b) { return bl::matmul(a, b); })},
      {"einsum", two([](const row&, const auto& a, const auto& b) { return bl::einsum<"bij,bjk->bki">(a, b); })},
      {"vecdot", two([](const row&, const auto& a, const auto& b) { return bl::vecdot(a, b); })},
      {"inner", two([](const row&, const auto& a, const auto& b) { return bl::inner(a, b); })},
      {"cross", two([](const row&, const auto& a, const auto& b) { return bl::cross(a, b); })},
      {"kron", two([](const row&, const auto& a, const auto& b) { return bl::kron(a, b); })},
      {"baddbmm",
       [](const row& r) {
         compare(r, 0,
                 bl::eval(bl::baddbmm(tensor_of<3>(r.inputs[0]), tensor_of<3>(r.inputs[1]), tensor_of<3>(r.inputs[2]),
                                      number(0.5, -1), number(2, 0.25))));
       }},
  };
  return all;
}

template <class T, class... N>
auto random(int seed, N... n) {
  bl::dtensor<T, sizeof...(N)> t(static_cast<bl::index>(n)...);
  for (bl::index i = 0; i < t.size(); ++i) {
    const auto x = static_cast<double>(i + 100 * seed);
    if constexpr (std::is_floating_point_v<T>)
      t.data()[i] = static_cast<T>(std::sin(3.7 * x * x));
    else
      t.data()[i] = T(static_cast<typename T::value_type>(std::sin(3.7 * x * x)),
                      static_cast<typename T::value_type>(std::cos(2.3 * x * x)));
  }
  return t;
}
// The largest element of a difference.
template <class E>
double largest(const E& e) {
  const auto d = bl::eval(e);
  double most = 0;
  for (bl::index i = 0; i < d.size(); ++i)
    if (!(std::abs(d.data()[i]) <= most)) most = std::abs(d.data()[i]);
  return most;
}
template <class E>
auto adjoint(const E& e) {
  return bl::conj(bl::transpose(e, 1, 2));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linalg_complex)

BOOST_AUTO_TEST_CASE(every_row) {
  auto run = linalg_table::run(linalg_table::read<number>("linalg_complex_cases.tsv"), runners());
  for (const auto& [name, runs] : runners()) BOOST_TEST(run[name] > 0, name);
}

template <class T>
void check_spectra(double tolerance) {
  using complex = std::complex<bl::detail::real_of<T>>;
  for (const bl::index n : {1, 2, 3, 8}) {
    const auto a = random<T>(1, 3, n, n);
    // Any matrix: a v = v diag(values), vectors of length 1; eigvals the same values.
    const auto [values, vectors] = bl::eig(a);
    static_assert(std::is_same_v<typename std::remove_cvref_t<decltype(values)>::value_type, complex>);
    const bl::dtensor<complex, 3> whole(a);
    BOOST_TEST(largest(bl::matmul(whole, vectors) - vectors * bl::unsqueeze(values, 1)) <= tolerance);
    BOOST_TEST(largest(bl::sum(bl::real(vectors * bl::conj(vectors)), bl::axes<1>) -
                       static_cast<bl::detail::real_of<T>>(1)) <= tolerance);
    const bl::tensor alone = bl::eigvals(a);
    for (bl::index k = 0; k < 3; ++k)
      for (bl::index i = 0; i < n; ++i) {
        double nearest = 1e9;
        for (bl::index j = 0; j < n; ++j)
          nearest = std::min(nearest, static_cast<double>(std::abs(alone(k, i) - values(k, j))));
        BOOST_TEST(nearest <= tolerance);
      }
    // Hermitian ones, of which one triangle is read.
    if constexpr (!std::is_floating_point_v<T>) {
      const auto h = bl::eval(a + adjoint(a));
      for (const bool upper : {false, true}) {
        const auto [real, unitary] = bl::eigh(h, upper);
        BOOST_TEST(largest(bl::matmul(h, unitary) - unitary * bl::unsqueeze(bl::eval(bl::cast<T>(real)), 1)) <=
                   tolerance);
        BOOST_TEST(largest(bl::matmul(adjoint(unitary), unitary) - bl::cast<T>(bl::eye<float>(n))) <= tolerance);
      }
      const auto w = random<T>(2, 3, n, 5);
      const auto [u, s, vh] = bl::svd(w, bl::reduced);
      BOOST_TEST(largest(bl::matmul(u * bl::unsqueeze(bl::eval(bl::cast<T>(s)), 1), vh) - w) <= tolerance);
      const auto [fu, fs, fvh] = bl::svd(w);
      BOOST_TEST(largest(bl::matmul(adjoint(fu), fu) - bl::cast<T>(bl::eye<float>(n))) <= tolerance);
      BOOST_TEST(largest(bl::matmul(fvh, adjoint(fvh)) - bl::cast<T>(bl::eye<float>(5))) <= tolerance);
      // A product of rank 2 through the pivoted factor.
      const auto thin = random<T>(3, 1, n, 2);
      const bl::tensor low = bl::matmul(thin, adjoint(thin));
      const auto [factor, pivots, rank] = bl::pstrf(low, true, 1e-4);
      BOOST_TEST(rank(0) == std::min<bl::index>(n, 2));
      const bl::tensor product = bl::matmul(adjoint(factor), factor);
      for (bl::index i = 0; i < n; ++i)
        for (bl::index j = 0; j < n; ++j)
          BOOST_TEST(std::abs(product(0, i, j) - low(0, pivots(0, i), pivots(0, j))) <= tolerance);
    }
  }
}
BOOST_AUTO_TEST_CASE(eigenvectors_and_singular_vectors) {
  check_spectra<double>(1e-12);
  check_spectra<number>(1e-12);
  check_spectra<std::complex<float>>(1e-4);
}

BOOST_AUTO_TEST_CASE(a_rotation_turns) {
  const bl::dtensor<double, 2> a{{0, -1}, {1, 0}};
  const bl::tensor values = bl::eigvals(a);
  BOOST_TEST(std::abs(values(0) - number(0, 1)) <= 1e-15);
  BOOST_TEST(std::abs(values(1) - number(0, -1)) <= 1e-15);
}

// The left operand of vdot is conjugated, that of dot is not; both lengths, single elements, mixed types.
BOOST_AUTO_TEST_CASE(products_of_vectors_and_mixed_types) {
  const auto x = random<std::complex<float>>(4, 5), y = random<std::complex<float>>(5, 5);
  std::complex<float> plain = 0, conjugate = 0;
  for (bl::index i = 0; i < 5; ++i) {
    plain += x(i) * y(i);
    conjugate += std::conj(x(i)) * y(i);
  }
  BOOST_TEST(std::abs(bl::eval(bl::dot(x, y)).item() - plain) <= 1e-6f);
  BOOST_TEST(std::abs(bl::eval(bl::vdot(x, y)).item() - conjugate) <= 1e-6f);
  const auto a = random<std::complex<float>>(6, 4, 5);
  const auto b = random<double>(7, 5, 3);
  static_assert(std::is_same_v<decltype(bl::matmul(a, b))::value_type, number>);
  const bl::tensor c = bl::matmul(a, b);
  BOOST_TEST(std::abs(bl::eval(bl::matmul(a, b))(2, 1) - c(2, 1)) <= 1e-14);
  BOOST_TEST(std::abs(bl::eval(bl::addmm(c, a, b, 1, number(0, 1)))(3, 2) - c(3, 2) * number(1, 1)) <= 1e-14);
  // Steps of any length, and columns side by side.
  const auto wide = random<number>(8, 6, 9);
  const auto part = bl::slice(wide, bl::range(0, bl::end, 2), bl::range(0, bl::end, 3));
  const bl::dtensor<number, 2> own = part;
  const auto right = random<number>(9, 3, 4);
  BOOST_TEST(largest(bl::mm(part, right) - bl::mm(own, right)) <= 1e-15);
  BOOST_TEST(largest(bl::mm(right.T(), part.T()) - bl::mm(own, right).T()) <= 1e-14);
  // Several blocks deep, by its real and imaginary parts.
  const auto u = random<number>(13, 210, 530), v = random<number>(14, 530, 19);
  const auto re = bl::mm(bl::real(u), bl::real(v)) - bl::mm(bl::imag(u), bl::imag(v));
  const auto im = bl::mm(bl::real(u), bl::imag(v)) + bl::mm(bl::imag(u), bl::real(v));
  const bl::tensor deep = bl::mm(u, v);
  BOOST_TEST(largest(bl::real(deep) - re) <= 1e-12);
  BOOST_TEST(largest(bl::imag(deep) - im) <= 1e-12);
}

BOOST_AUTO_TEST_CASE(refusals) {
  const auto message = [](auto f) {
    try {
      f();
    } catch (const bl::linalg_error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  auto a = random<number>(10, 3, 4, 4);
  for (bl::index i = 0; i < 4; ++i) a(1, 2, i) = 0;
  BOOST_TEST(message([&] {
               bl::eval(bl::inv(a));
             }).rfind("linalg.inv: (Batch element 1): The diagonal element 4 is zero", 0) == 0u);
  BOOST_TEST(message([&] { bl::eval(bl::solve(a, random<number>(11, 4, 1))); }) ==
             "linalg.solve: (Batch element 1): The solver failed because the input matrix is singular.");
  BOOST_TEST(message([&] {
               bl::eval(bl::cholesky(bl::cast<number>(bl::eye<double>(3)) * number(-1)));
             }).rfind("linalg.cholesky: The factorization could not be completed", 0) == 0u);
  const auto nan = bl::full<number>(bl::dshape<3>(2, 9, 9), number(std::numeric_limits<double>::quiet_NaN()));
  const std::string sentence = "The algorithm failed to converge because the input matrix contained non-finite values.";
  BOOST_TEST(message([&] { bl::eig(nan); }) == "linalg.eig: (Batch element 0): " + sentence);
  BOOST_TEST(message([&] { bl::eval(bl::eigvals(nan)); }) == "linalg.eigvals: (Batch element 0): " + sentence);
  BOOST_TEST(message([&] { bl::svd(nan); }) == "linalg.svd: (Batch element 0): " + sentence);
  BOOST_TEST(std::isnan(bl::eval(bl::solve(nan, random<number>(12, 9)))(0, 3).real()));
}

BOOST_AUTO_TEST_SUITE_END()
