// Every row of test/data/linalg_cases.tsv: what PyTorch's linear algebra gives where the result is unique.
// Build: unoptimised, clang-alone
#include <broadloom/linalg.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <fstream>
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

using table::split;
using array = linalg_table::array<double>;
using row = linalg_table::row<double>;

template <int Rank, class T = double>
auto tensor_of(const array& a) {
  return linalg_table::tensor_of<Rank, T>(a);
}

// Calls f with an array's tensor, of one of these ranks.
template <int... Rank, class F>
void with_rank(const array& a, F f) {
  const bool found = (... || [&] {
    if (static_cast<int>(a.extents.size()) != Rank) return false;
    f(tensor_of<Rank>(a));
    return true;
  }());
  if (!found) throw std::runtime_error("this test has not rank " + std::to_string(a.extents.size()));
}

int wrong = 0;

template <class T>
void compare(const row& r, const T& got, const array& want) {
  bool same = static_cast<std::size_t>(T::rank()) == want.extents.size();
  for (bl::index i = 0; same && i < T::rank(); ++i) same = got.shape()[i] == want.extents[static_cast<std::size_t>(i)];
  double scale = 1, far = 0;
  for (double v : want.values)
    if (std::isfinite(v)) scale = std::max(scale, std::abs(v));
  for (bl::index i = 0; same && i < got.size(); ++i) {
    const double x = static_cast<double>(got.data()[i]), y = want.values[static_cast<std::size_t>(i)];
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    far = std::abs(x - y) <= far ? far : std::abs(x - y);
  }
  if (same && far <= 2e-12 * scale) return;
  ++wrong;
  BOOST_ERROR("line " << r.line << ", " << r.function << " " << r.parameters << ": "
                      << (same ? "off by " + std::to_string(far / scale) : std::string("wrong shape")));
}

using runner = std::function<void(const row&)>;

template <class F>
runner matrices(F f) {
  return [f](const row& r) {
    with_rank<2, 3>(r.inputs[0], [&](const auto& a) { compare(r, bl::eval(f(r, a)), r.outputs[0]); });
  };
}
template <class F>
runner several(F f) {
  return [f](const row& r) {
    with_rank<2, 3>(r.inputs[0], [&](const auto& a) {
      const auto result = f(r, a);
      const auto each = [&](const auto&... x) {
        std::size_t i = 0;
        (compare(r, x, r.outputs[i++]), ...);
      };
      constexpr int count = std::remove_cvref_t<decltype(f)>::count;
      if constexpr (count == 2) {
        const auto& [x, y] = result;
        each(x, y);
      } else {
        const auto& [x, y, z] = result;
        each(x, y, z);
      }
    });
  };
}
template <int Count, class F>
struct counted : F {
  static constexpr int count = Count;
  using F::operator();
};
template <int Count, class F>
counted<Count, F> with_results(F f) {
  return {f};
}

double order_of(const std::string& text) {
  const double inf = std::numeric_limits<double>::infinity();
  return text == "inf" ? inf : text == "-inf" ? -inf : std::stod(text);
}

template <class F, int... A, class... Ranks>
void two(const row& r, F f, std::integer_sequence<int, A...>) {
  with_rank<A...>(r.inputs[0], [&](const auto& a) {
    with_rank<A...>(r.inputs[1], [&](const auto& b) { compare(r, bl::eval(f(a, b)), r.outputs[0]); });
  });
}
template <int... Rank, class F>
runner pairs(F f) {
  return [f](const row& r) { two(r, f, std::integer_sequence<int, Rank...>{}); };
}

// c of rank 0 ... Rank with two fixed operands.
template <int Left, int Right, int... C, class F>
runner fused(F f) {
  return [f](const row& r) {
    const auto a = tensor_of<Left>(r.inputs[1]);
    const auto b = tensor_of<Right>(r.inputs[2]);
    const auto scale = split(r.parameters, ' ');
    with_rank<C...>(r.inputs[0], [&](const auto& c) {
      compare(r, bl::eval(f(c, a, b, std::stod(scale[0]), std::stod(scale[1]))), r.outputs[0]);
    });
  };
}

template <class F, int A, int B>
runner exactly(F f) {
  return [f](const row& r) {
    compare(r, bl::eval(f(tensor_of<A>(r.inputs[0]), tensor_of<B>(r.inputs[1]))), r.outputs[0]);
  };
}

void run_einsum(const row& r) {
  const auto& x = r.inputs;
  const auto check = [&](const auto& e) { compare(r, bl::eval(e), r.outputs[0]); };
  if (r.parameters == "ij,jk->ik") return check(bl::einsum<"ij,jk->ik">(tensor_of<2>(x[0]), tensor_of<2>(x[1])));
  if (r.parameters == "bij,bjk->bki") return check(bl::einsum<"bij,bjk->bki">(tensor_of<3>(x[0]), tensor_of<3>(x[1])));
  if (r.parameters == "...ij,jk->...ik")
    return check(bl::einsum<"...ij,jk->...ik">(tensor_of<3>(x[0]), tensor_of<2>(x[1])));
  if (r.parameters == "ii->i") return check(bl::einsum<"ii->i">(tensor_of<2>(x[0])));
  if (r.parameters == "ijk->ki") return check(bl::einsum<"ijk->ki">(tensor_of<3>(x[0])));
  if (r.parameters == "i,j->ij") return check(bl::einsum<"i,j->ij">(tensor_of<1>(x[0]), tensor_of<1>(x[1])));
  if (r.parameters == "ijk,kl,lj->i")
    return check(bl::einsum<"ijk,kl,lj->i">(tensor_of<3>(x[0]), tensor_of<2>(x[1]), tensor_of<2>(x[2])));
  if (r.parameters == "bi,bj") return check(bl::einsum<"bi,bj">(tensor_of<2>(x[0]), tensor_of<2>(x[1])));
  throw std::runtime_error("no such subscripts here: " + r.parameters);
}

void run_matmul(const row& r) {
  with_rank<1, 2, 3, 4>(r.inputs[0], [&](const auto& a) {
    with_rank<1, 2, 3, 4>(r.inputs[1], [&](const auto& b) { compare(r, bl::eval(bl::matmul(a, b)), r.outputs[0]); });
  });
}
void run_lu_solve(const row& r) {
  with_rank<2, 3, 4>(r.inputs[0], [&](const auto& lu) {
    constexpr int rank = std::remove_cvref_t<decltype(lu)>::rank();
    const auto pivots = tensor_of<rank - 1, std::int32_t>(r.inputs[1]);
    with_rank<2, 3>(r.inputs[2],
                    [&](const auto& b) { compare(r, bl::eval(bl::lu_solve(lu, pivots, b)), r.outputs[0]); });
  });
}
void run_householder(const row& r) {
  with_rank<2, 3>(r.inputs[0], [&](const auto& a) {
    constexpr int rank = std::remove_cvref_t<decltype(a)>::rank();
    const auto tau = tensor_of<rank - 1>(r.inputs[1]);
    if (r.function == "householder_product")
      compare(r, bl::eval(bl::householder_product(a, tau)), r.outputs[0]);
    else if (r.function == "ormqr")
      compare(r, bl::eval(bl::ormqr(a, tau, tensor_of<rank>(r.inputs[2]), r.parameters == "1")), r.outputs[0]);
    else
      compare(r, bl::eval(bl::ormqr_right(a, tau, tensor_of<rank>(r.inputs[2]), r.parameters == "1")), r.outputs[0]);
  });
}
void run_lstsq(const row& r) {
  with_rank<2, 3>(r.inputs[0], [&](const auto& a) {
    with_rank<1, 2, 3>(r.inputs[1], [&](const auto& b) { compare(r, bl::eval(bl::lstsq(a, b)), r.outputs[0]); });
  });
}
void run_solve(const row& r) {
  with_rank<2, 3, 4>(r.inputs[0], [&](const auto& a) {
    with_rank<1, 2, 3>(r.inputs[1], [&](const auto& b) { compare(r, bl::eval(bl::solve(a, b)), r.outputs[0]); });
  });
}

const std::map<std::string, runner>& runners() {
  static const std::map<std::string, runner> all{
      {"matmul", run_matmul},
      {"inv", matrices([](const row&, const auto& a) { return bl::inv(a); })},
      {"det", matrices([](const row&, const auto& a) { return bl::det(a); })},
      {"slogdet", several(with_results<2>([](const row&, const auto& a) { return bl::slogdet(a); }))},
      {"lu_factor", several(with_results<2>([](const row&, const auto& a) { return bl::lu_factor(a); }))},
      {"lu", several(with_results<3>([](const row&, const auto& a) { return bl::lu(a); }))},
      {"matrix_power",
       matrices([](const row& r, const auto& a) { return bl::matrix_power(a, std::stol(r.parameters)); })},
      {"matrix_exp", matrices([](const row&, const auto& a) { return bl::matrix_exp(a); })},
      {"cholesky", matrices([](const row&, const auto& a) { return bl::cholesky(a); })},
      {"cholesky_inverse", matrices([](const row&, const auto& a) { return bl::cholesky_inverse(a); })},
      {"eigvalsh", matrices([](const row&, const auto& a) { return bl::eigvalsh(a); })},
      {"svdvals", matrices([](const row&, const auto& a) { return bl::svdvals(a); })},
      {"pinv", matrices([](const row&, const auto& a) { return bl::pinv(a); })},
      {"matrix_rank", matrices([](const row&, const auto& a) { return bl::matrix_rank(a); })},
      {"matrix_norm", matrices([](const row& r, const auto& a) {
         return r.parameters == "fro"   ? bl::matrix_norm(a, bl::frobenius)
                : r.parameters == "nuc" ? bl::matrix_norm(a, bl::nuclear)
                                        : bl::matrix_norm(a, order_of(r.parameters));
       })},
      {"cond", matrices([](const row& r, const auto& a) { return bl::cond(a, order_of(r.parameters)); })},
      {"qr",
       [](const row& r) {
         with_rank<2, 3>(r.inputs[0], [&](const auto& a) {
           const auto check = [&](const auto& result) {
             compare(r, result.q, r.outputs[0]);
             compare(r, result.r, r.outputs[1]);
           };
           if (r.parameters == "complete")
             check(bl::qr(a, bl::complete));
           else
             check(bl::qr(a));
         });
       }},
      {"geqrf", several(with_results<2>([](const row&, const auto& a) { return bl::geqrf(a); }))},
      {"householder_product", run_householder},
      {"ormqr", run_householder},
      {"ormqr_right", run_householder},
      {"solve_triangular",
       [](const row& r) {
         with_rank<2, 3>(r.inputs[0], [&](const auto& a) {
           constexpr int rank = std::remove_cvref_t<decltype(a)>::rank();
           compare(r, bl::eval(bl::solve_triangular(a, tensor_of<rank>(r.inputs[1]), r.parameters == "1")),
                   r.outputs[0]);
         });
       }},
      {"solve_triangular_right",
       [](const row& r) {
         with_rank<2, 3>(r.inputs[0], [&](const auto& a) {
           constexpr int rank = std::remove_cvref_t<decltype(a)>::rank();
           const auto how = split(r.parameters, ' ');
           compare(r,
                   bl::eval(bl::solve_triangular_right(a, tensor_of<rank>(r.inputs[1]), how[0] == "1", how[1] == "1")),
                   r.outputs[0]);
         });
       }},
      {"solve_vec", exactly<decltype(bl::solve_vec), 3, 2>(bl::solve_vec)},
      {"lstsq_vec", exactly<decltype(bl::lstsq_vec), 3, 2>(bl::lstsq_vec)},
      {"solve", run_solve},
      {"lstsq", run_lstsq},
      {"lu_solve", run_lu_solve},
      {"cholesky_solve",
       [](const row& r) {
         with_rank<2, 3>(r.inputs[0], [&](const auto& b) {
           with_rank<2, 3, 4>(r.inputs[1],
                              [&](const auto& l) { compare(r, bl::eval(bl::cholesky_solve(b, l)), r.outputs[0]); });
         });
       }},
      {"addmm", fused<2, 2, 0, 1, 2>(bl::addmm)},
      {"addbmm", fused<3, 3, 0, 1, 2>(bl::addbmm)},
      {"baddbmm", fused<3, 3, 0, 1, 2>(bl::baddbmm)},
      {"addr", fused<1, 1, 0, 1, 2>(bl::addr)},
      {"addmv", fused<2, 1, 0, 1>(bl::addmv)},
      {"kron",
       [](const row& r) {
         with_rank<1, 2>(r.inputs[0], [&](const auto& a) {
           compare(r, bl::eval(bl::kron(a, tensor_of<2>(r.inputs[1]))), r.outputs[0]);
         });
       }},
      {"cross", exactly<decltype(bl::cross), 2, 1>(bl::cross)},
      {"vecdot", exactly<decltype(bl::vecdot), 2, 3>(bl::vecdot)},
      {"inner", exactly<decltype(bl::inner), 2, 3>(bl::inner)},
      {"outer", exactly<decltype(bl::outer), 1, 1>(bl::outer)},
      {"einsum", run_einsum},
  };
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linalg_cases)

BOOST_AUTO_TEST_CASE(every_row) {
  auto run = linalg_table::run(linalg_table::read<double>("linalg_cases.tsv"), runners());
  for (const auto& [name, runs] : runners()) BOOST_TEST(run[name] > 0, name);
}

// The comparison can fail.
BOOST_AUTO_TEST_CASE(a_wrong_row_is_noticed) {
  const array a = linalg_table::parse<double>("(2,2)1 2 3 4");
  BOOST_TEST(a.values.size() == 4u);
  bl::dtensor<double, 2> near = tensor_of<2>(a);
  near(1, 1) += 1e-9;
  double far = 0;
  for (bl::index i = 0; i < 4; ++i)
    far = std::max(far, std::abs(near.data()[i] - a.values[static_cast<std::size_t>(i)]));
  BOOST_TEST(far > 2e-12 * 4);
}

BOOST_AUTO_TEST_SUITE_END()
