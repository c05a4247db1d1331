// The rows of test/data/broadcast_cases.tsv that linear algebra answers: every table of the notes on products, fused
// products, LAPACK and gesv, PyTorch's and NumPy's own cases. Result shape, elements or residual, the moment of the
// error and its sentence.
// Build: unoptimised, seldom
#include <broadloom/linalg.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <broadloom/broadloom.hpp>

#include "table.hpp"

namespace bl = broadloom;

namespace {

using table::split;

using extents = std::vector<bl::index>;

struct row {
  int line = 0;
  std::string function, message;
  std::vector<extents> inputs;
  bool fails = false, from_torch = false, from_numpy = false;
  extents expected;
};

extents parse(const std::string& text) {
  extents r;
  for (const auto& n : split(text.substr(1, text.size() - 2), ',')) r.push_back(std::stol(n));
  return r;
}
std::vector<row> read_table() {
  std::vector<row> rows;
  for (const auto& [number, fields] : table::read("broadcast_cases.tsv", 5)) {
    row r;
    r.line = number;
    r.function = fields.at(1);
    if (fields.at(2).front() == '(')
      for (const auto& shape : split(fields[2], ';'))
        if (shape.front() == '(') r.inputs.push_back(parse(shape));
    r.fails = fields.at(3) == "ERROR";
    if (!r.fails && fields[3].front() == '(') r.expected = parse(fields[3]);
    r.from_torch = fields.at(4).find("verified torch") != std::string::npos;
    r.from_numpy = fields[4].find("verified numpy") != std::string::npos;
    if (const auto at = fields[4].find("msg=\""); at != std::string::npos)
      r.message = fields[4].substr(at + 5, fields[4].rfind('"') - at - 5);
    rows.push_back(r);
  }
  return rows;
}

template <int Rank>
bl::dtensor<double, Rank> make(const extents& e, int operand) {
  bl::detail::indices<Rank> x{};
  for (int i = 0; i < Rank; ++i) x[i] = e[static_cast<std::size_t>(i)];
  bl::dtensor<double, Rank> t(bl::dshape<Rank>::unchecked(x));
  for (bl::index i = 0; i < t.size(); ++i) t.data()[i] = std::sin(1.0 + static_cast<double>(i * (operand + 3)));
  return t;
}
// The same as matrices that are far from singular.
template <int Rank>
bl::dtensor<double, Rank> make_regular(const extents& e) {
  auto t = make<Rank>(e, 0);
  const bl::index n = e.back();
  for (bl::index first = 0; first < t.size(); first += n * n)
    for (bl::index i = 0; i < n; ++i) t.data()[first + i * (n + 1)] += 2.0 * static_cast<double>(n);
  return t;
}
template <class S>
extents to_extents(const S& s) {
  extents r;
  for (bl::index i = 0; i < s.rank(); ++i) r.push_back(s[i]);
  return r;
}

const row* now = nullptr;
int refused_by_compiler = 0, evaluated = 0;

#define BROADLOOM_EXPECT(CONDITION, TEXT) \
  if (!(CONDITION)) BOOST_ERROR("line " << now->line << ", " << now->function << ": " << TEXT)

template <class E>
void expect_shape(const E& e) {
  BROADLOOM_EXPECT(!now->fails, "has a shape, but must fail");
  BROADLOOM_EXPECT(to_extents(e.shape()) == now->expected, "wrong shape");
}
void expect_sentence(const std::string& what) {
  BROADLOOM_EXPECT(now->fails, "must not fail: " << what);
  if (now->from_torch && !now->message.empty())
    BROADLOOM_EXPECT(what.rfind(now->message, 0) == 0, "says\n  " << what << "\ninstead of\n  " << now->message);
  // NumPy's sentence stands in the second line, with the sizes.
  if (now->from_numpy)
    if (const auto at = now->message.find("(size "); at != std::string::npos)
      BROADLOOM_EXPECT(what.find(now->message.substr(at)) != std::string::npos, "says\n  " << what);
  // After the sentence: the call and all shapes.
  if (now->from_torch || now->from_numpy)
    BROADLOOM_EXPECT(what.find('\n') != std::string::npos, "says nothing of the operands: " << what);
}

template <int... Rank>
struct ranks {};
template <class F, int... Rank, std::size_t... I>
bool call_if(F& f, ranks<Rank...>, std::index_sequence<I...>) {
  const row& r = *now;
  if (r.inputs.size() != sizeof...(Rank) || !((static_cast<int>(r.inputs[I].size()) == Rank) && ...)) return false;
  auto operands = std::make_tuple(make<Rank>(r.inputs[I], static_cast<int>(I))...);
  f(std::get<I>(operands)...);
  return true;
}
template <class... Combination, class F>
void with_ranks(F f) {
  const bool found = (... || [&]<int... Rank>(ranks<Rank...> c) {
    return call_if(f, c, std::make_index_sequence<sizeof...(Rank)>{});
  }(Combination{}));
  BROADLOOM_EXPECT(found, "this test has not these ranks");
}

// --- plain loops -----------------------------------------------------------------------------------------------------

template <class A>
double at(const A& a, extents where) {
  bl::index offset = 0;
  const auto strides = a.strides();
  for (bl::index i = 0; i < a.rank(); ++i) {
    const auto k = where[where.size() - static_cast<std::size_t>(a.rank() - i)];
    offset += a.shape()[i] == 1 ? 0 : strides[i] * k;
  }
  return a.data()[offset];
}
// Element `where` of NumPy's matmul.
template <class A, class B>
double matmul_at(const A& a, const B& b, const extents& where) {
  constexpr bool row = A::rank() == 1, column = B::rank() == 1;
  extents loop(where.begin(), where.end() - (row ? 0 : 1) - (column ? 0 : 1));
  const bl::index k = a.shape()[A::rank() - 1];
  double sum = 0;
  for (bl::index i = 0; i < k; ++i) {
    extents x = loop, y = loop;
    if (!row) x.push_back(where[loop.size()]);
    x.push_back(i);
    y.push_back(i);
    if (!column) y.push_back(where.back());
    sum += at(a, x) * at(b, y);
  }
  return sum;
}
template <class R, class F>
void expect_elements(const R& r, F want) {
  extents where(static_cast<std::size_t>(R::rank()), 0);
  for (bl::index i = 0; i < r.size(); ++i) {
    bl::index rest = i;
    for (bl::index k = R::rank(); k-- > 0;) {
      where[static_cast<std::size_t>(k)] = rest % r.shape()[k];
      rest /= r.shape()[k];
    }
    const double w = want(where);
    BROADLOOM_EXPECT(std::abs(r.data()[i] - w) <= 1e-12 * (1 + std::abs(w)), "wrong element " << i);
    ++evaluated;
    if (i > 2000) break;
  }
}

// --- runners ---------------------------------------------------------------------------------------------------------

using runner = std::function<void()>;

// f(x...), whose elements `want` knows. Calls that do not compile must be failing rows.
template <class... Combination, class F, class W>
runner expression(F f, W want) {
  return [=] {
    with_ranks<Combination...>([&](const auto&... x) {
      if constexpr (!requires { f(x...); }) {
        BROADLOOM_EXPECT(now->fails, "does not compile, but must work");
        ++refused_by_compiler;
      } else {
        bool built = false;
        try {
          const auto e = f(x...);
          built = true;
          expect_shape(e);
          if (!now->fails) expect_elements(bl::eval(e), [&](const extents& where) { return want(where, x...); });
        } catch (const bl::shape_error& error) {
          BROADLOOM_EXPECT(!built, "fails only when it is evaluated");
          expect_sentence(error.what());
        }
      }
    });
  };
}
template <class... Combination, class F, class W>
runner in_place(F f, W want) {
  return [=] {
    with_ranks<Combination...>([&](auto& self, const auto&... x) {
      if constexpr (!requires { f(self, x...); }) {
        BROADLOOM_EXPECT(now->fails, "does not compile, but must work");
        ++refused_by_compiler;
      } else {
        const auto before = self;
        const extents shape = to_extents(self.shape());
        try {
          f(self, x...);
          expect_shape(self);
          if (!now->fails) expect_elements(self, [&](const extents& where) { return want(where, before, x...); });
        } catch (const bl::shape_error& error) {
          if (now->from_torch)
            expect_sentence(error.what());
          else
            BROADLOOM_EXPECT(std::string(error.what()).rfind("output with shape [", 0) == 0, "says " << error.what());
          for (bl::index i = 0; i < self.size(); ++i) BROADLOOM_EXPECT(self.data()[i] == before.data()[i], "wrote");
        }
        BROADLOOM_EXPECT(to_extents(self.shape()) == shape, "changed its shape");
      }
    });
  };
}

// f(a, b) solves a x = b: the residual decides.
template <class F, int A, int B, bool Vectors>
void run_solve(F f) {
  const auto a = make_regular<A>(now->inputs[0]);
  const auto b = make<B>(now->inputs[1], 1);
  if constexpr (!requires { f(a, b); }) {
    BROADLOOM_EXPECT(now->fails, "does not compile, but must work");
    ++refused_by_compiler;
  } else {
    try {
      const auto e = f(a, b);
      expect_shape(e);
      if (now->fails) return;
      const auto residual = [&] {
        if constexpr (Vectors)
          return bl::eval(bl::abs(bl::matmul(a, bl::unsqueeze(e, -1)) - bl::unsqueeze(b, -1)));
        else if constexpr (B == 1 && decltype(e)::rank() == A)
          return bl::eval(bl::abs(bl::matmul(a, e) - bl::unsqueeze(b, -1)));
        else
          return bl::eval(bl::abs(bl::matmul(a, e) - b));
      }();
      for (bl::index i = 0; i < residual.size(); ++i) BROADLOOM_EXPECT(residual.data()[i] <= 1e-12, "wrong solution");
      evaluated += static_cast<int>(residual.size());
    } catch (const bl::shape_error& error) {
      BROADLOOM_EXPECT(now->fails, "must not fail: " << error.what());
      BROADLOOM_EXPECT(std::string(error.what()).find("Incompatible shapes of A and B") != std::string::npos,
                       "says " << error.what());
    }
  }
}
template <bool Vectors, class F, int... Rank>
void solve_any(F f, std::integer_sequence<int, Rank...>) {
  const auto a = static_cast<int>(now->inputs[0].size()), b = static_cast<int>(now->inputs[1].size());
  const bool found = (... || [&] {
    if (a * 10 + b != Rank) return false;
    run_solve<F, Rank / 10, Rank % 10, Vectors>(f);
    return true;
  }());
  BROADLOOM_EXPECT(found, "this test has not these ranks");
}
template <bool Vectors, int... Rank, class F>
runner solver(F f) {
  return [=] { solve_any<Vectors>(f, std::integer_sequence<int, Rank...>{}); };
}

// PyTorch reads b as a stack of vectors where its shape is a's without the last axis; here that is a name of its own.
bool torch_reads_vectors() {
  const extents& a = now->inputs[0];
  return now->inputs[1].size() > 1 && now->inputs[1] == extents(a.begin(), a.end() - 1);
}

// f(a) gives results whose first has the row's shape.
template <class F>
runner factor(F f) {
  return [=] { expect_shape(f(make_regular<4>(now->inputs[0]))); };
}

void run_least_squares() {
  // A b with one axis less than a is a stack of vectors to PyTorch; here lstsq_vec takes those.
  if (now->inputs[0].size() == 2)
    return with_ranks<ranks<2, 1>>([](const auto& a, const auto& b) { expect_shape(bl::eval(bl::lstsq(a, b))); });
  if (now->inputs[1].size() == 2)
    return with_ranks<ranks<3, 2>>([](const auto& a, const auto& b) {
      try {
        expect_shape(bl::eval(bl::lstsq_vec(a, b)));
      } catch (const bl::shape_error& error) {
        BROADLOOM_EXPECT(now->fails, "must not fail");
        BROADLOOM_EXPECT(
            std::string(error.what()).rfind("torch.linalg.lstsq: input.size(-2) should match other.size(-1)", 0) == 0,
            "says " << error.what());
      }
    });
  with_ranks<ranks<3, 3>>([](const auto& a, const auto& b) { expect_shape(bl::eval(bl::lstsq(a, b))); });
}

const std::map<std::string, runner>& runners() {
  const auto matmul = [](const extents& w, const auto& a, const auto& b) { return matmul_at(a, b, w); };
  const auto plus = [](const extents& w, const auto& c, const auto& a, const auto& b) {
    return at(c, w) + matmul_at(a, b, w);
  };
  const auto outer = [](const extents& w, const auto& c, const auto& x, const auto& y) {
    return at(c, w) + x.data()[w[0]] * y.data()[w[1]];
  };
  const auto summed = [](const extents& w, const auto& c, const auto& a, const auto& b) {
    double s = at(c, w);
    for (bl::index i = 0; i < a.shape()[0]; ++i) s += matmul_at(a, b, extents{i, w[0], w[1]});
    return s;
  };
  static const std::map<std::string, runner> all{
      {"matmul", expression<ranks<0, 1>, ranks<0, 2>, ranks<1, 0>, ranks<2, 0>, ranks<1, 1>, ranks<1, 2>, ranks<2, 1>, ranks<2, 2>,
                            ranks<1, 3>, ranks<3, 1>, ranks<2, 3>, ranks<3, 2>, ranks<3, 3>, ranks<3, 4>, ranks<4, 3>>(bl::matmul, matmul)},
      {"matmul_ (a@=b)", in_place<ranks<1, 1>, ranks<2, 1>, ranks<1, 2>, ranks<2, 2>, ranks<3, 3>>(
                             [](auto& a, const auto& b) -> decltype(bl::matmul_(a, b)) { return bl::matmul_(a, b); }, matmul)},
      {"matmul.out",
       [] {
         with_ranks<ranks<3, 3, 3>>([](const auto& a, const auto& b, auto& out) {
           try {
             bl::assign(out, bl::matmul(a, b));
             BROADLOOM_EXPECT(false, "works, but must fail");
           } catch (const bl::shape_error&) {
             BROADLOOM_EXPECT(now->fails, "must not fail");
           }
         });
       }},
      // NumPy's axes: where the core axes stand, in each operand and in the result; here, views.
      {"matmul[axes=(-2,-1),(-1,-2),(1,2)]",
       expression<ranks<3, 3>>([](const auto& a, const auto& b) { return bl::matmul(a, bl::transpose(b, -1, -2)); },
                               [](const extents& w, const auto& a, const auto& b) {
                                 const bl::dtensor<double, 3> turned = bl::transpose(b, -1, -2);
                                 return matmul_at(a, turned, w);
                               })},
      {"matmul[axes=(-2,-1),(-1,-2),(0,1)]",
       expression<ranks<3, 3>>(
           [](const auto& a, const auto& b) {
                                                   return bl::permute(bl::matmul(a, bl::transpose(b, -1, -2)),
                                                                      bl::axes<1, 2, 0>); },
           [](const extents& w, const auto& a, const auto& b) {
                                                   const bl::dtensor<double, 3> turned = bl::transpose(b, -1, -2);
                                                   return matmul_at(a, turned, {w[2], w[0], w[1]});
           })},
      {"matmul[axes=(1,0),(0),(0)]",
       expression<ranks<3, 1>>(
           [](const auto& a, const auto& b) {
                                           return bl::movedim(bl::matmul(bl::permute(a, bl::axes<2, 1, 0>), b), -1, 0); },
           [](const extents& w, const auto& a, const auto& b) {
                                           double s = 0;
                                           for (bl::index i = 0; i < a.shape()[0]; ++i) s += a(i, w[0], w[1]) * b(i);
                                           return s;
           })},
      {"mm", expression<ranks<2, 2>, ranks<3, 2>>(bl::mm, matmul)},
      {"mv", expression<ranks<2, 1>>(bl::mv, matmul)},
      {"bmm", expression<ranks<3, 3>, ranks<2, 2>>(bl::bmm, matmul)},
      {"dot", expression<ranks<1, 1>>(bl::dot, matmul)},
      {"ger", expression<ranks<1, 1>, ranks<2, 1>>(bl::ger, [](const extents& w, const auto& x, const auto& y) { return x.data()[w[0]] * y.data()[w[1]];
       })},
      {"addmm", expression<ranks<0, 2, 2>, ranks<1, 2, 2>, ranks<2, 2, 2>, ranks<3, 2, 2>>(bl::addmm, plus)},
      {"addmv", expression<ranks<0, 2, 1>, ranks<1, 2, 1>, ranks<2, 2, 1>>(bl::addmv, plus)},
      {"addr", expression<ranks<0, 1, 1>, ranks<1, 1, 1>, ranks<2, 1, 1>, ranks<3, 1, 1>>(bl::addr, outer)},
      {"baddbmm", expression<ranks<0, 3, 3>, ranks<1, 3, 3>, ranks<2, 3, 3>, ranks<3, 3, 3>, ranks<4, 3, 3>>(bl::baddbmm, plus)},
      {"addbmm", expression<ranks<0, 3, 3>, ranks<1, 3, 3>, ranks<2, 3, 3>, ranks<3, 3, 3>>(bl::addbmm, summed)},
      {"addmm_", in_place<ranks<2, 2, 2>>(bl::addmm_, plus)},
      {"addmv_", in_place<ranks<1, 2, 1>>(bl::addmv_, plus)},
      {"addr_", in_place<ranks<2, 1, 1>>(bl::addr_, outer)},
      {"baddbmm_", in_place<ranks<3, 3, 3>>(bl::baddbmm_, plus)},
      {"addbmm_", in_place<ranks<2, 3, 3>>(bl::addbmm_, summed)},
      {"torch.linalg.solve",
       [] {
         if (torch_reads_vectors())
           solve_any<true>(bl::solve_vec, std::integer_sequence<int, 65, 32>{});
         else
           solve_any<false>(bl::solve, std::integer_sequence<int, 62, 63, 64, 65, 21, 22, 33>{});
       }},
      {"np2.linalg.solve", solver<false, 65, 32, 21>(bl::solve)},
      {"gesv[0] (2017 torch)", solver<false, 21, 22>(bl::gesv)},
      {"gesv1[0] (proposed)", solver<true, 21, 22>(bl::gesv1)},
      {"linalg.inverse", factor([](const auto& a) { return bl::eval(bl::inverse(a)); })},
      {"linalg.qr", factor([](const auto& a) { return bl::qr(a).q; })},
      {"linalg.svd", factor([](const auto& a) { return bl::svd(a).u; })},
      {"linalg.cholesky", factor([](const auto& a) { return bl::eval(bl::cholesky(a)); })},
      {"linalg.eigh", factor([](const auto& a) { return bl::eigh(a).values; })},
      {"linalg.lstsq", run_least_squares},
  };
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linalg_rows)

BOOST_AUTO_TEST_CASE(every_row) {
  int run = 0;
  std::map<std::string, int> by_function;
  const auto table = read_table();
  for (const row& r : table) {
    const auto found = runners().find(r.function);
    if (found == runners().end()) continue;
    now = &r;
    try {
      found->second();
    } catch (const std::exception& error) {
      BROADLOOM_EXPECT(false, "unexpected: " << error.what());
    }
    ++run;
    ++by_function[r.function];
  }
  for (const auto& [name, f] : runners()) BOOST_TEST(by_function[name] > 0, name);
  BOOST_TEST(run == 145);
  BOOST_TEST(refused_by_compiler > 0);
  BOOST_TEST(evaluated > 1000);
}

BOOST_AUTO_TEST_SUITE_END()

#undef BROADLOOM_EXPECT
