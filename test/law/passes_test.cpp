// Each part of an expression is computed once and in the passes that are needed: calls of functions are counted, passes
// are read from explain, and the bits of whole pipelines are those that were committed, on any number of threads.
// Build: unoptimised-by-sanitizers, gcc-alone, clang-too
#include <broadloom/broadloom.hpp>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "support/fused.hpp"

namespace bl = broadloom;
using namespace bl::literals;

namespace {

// Multiples of 2^-16 in [-8, 8), the same on every machine.
bl::dtensor<float, 2> noise(bl::index rows, bl::index columns, std::uint32_t seed = 1) {
  bl::dtensor<float, 2> x(rows, columns);
  for (bl::index i = 0; i < x.size(); ++i) {
    seed = seed * 1664525u + 1013904223u;
    x.data()[i] = static_cast<float>(static_cast<int>(seed >> 12) - (1 << 19)) / 65536.0f;
  }
  return x;
}

struct counted {
  std::atomic<long>* calls;
  float operator()(float x) const {
    calls->fetch_add(1, std::memory_order_relaxed);
    return 2 * x + 1;  // rounds once, whether or not the compiler contracts it
  }
};
// How often f is called while `build(f)` is evaluated.
template <class Build>
long calls_of(const Build& build) {
  long most = 0;
  for (const int threads : {1, 2, 3}) {
    std::atomic<long> n{0};
    const auto e = build([&](const auto&... x) { return bl::pointwise(counted{&n}, x...); });
    BOOST_TEST(n == 0);
    static_cast<void>(bl::eval(e, bl::par.threads(threads)));
    if (most != 0) BOOST_TEST(n == most);
    most = n;
  }
  return most;
}

template <class A>
std::size_t bytes_of(const A& x) {
  return static_cast<std::size_t>(x.size()) * sizeof(float);
}
template <class A>
bool same_bits(const A& x, const A& y) {
  return x.shape() == y.shape() && std::memcmp(x.data(), y.data(), bytes_of(x)) == 0;
}

template <class A>
std::uint64_t hash_of(const A& x) {
  std::uint64_t h = 1469598103934665603u;
  const unsigned char* p = reinterpret_cast<const unsigned char*>(x.data());
  for (std::size_t i = 0; i < bytes_of(x); ++i) h = (h ^ p[i]) * 1099511628211u;
  return h;
}

std::vector<std::string> names(const bl::explanation& x) {
  std::vector<std::string> r;
  for (const bl::planned_pass& p : x.passes) r.push_back(p.name + (p.by_rows ? " by rows" : ""));
  return r;
}
using words = std::vector<std::string>;

// A pipeline is computed in these passes; it gives the same bits forty times on 1, 2, 3 and 8 threads at every level,
// and where there is FMA, those that were committed.
template <class Build>
void check_pipeline(const std::string& name, std::uint64_t committed, const words& passes, const Build& build) {
  BOOST_TEST_CONTEXT(name) {
    BOOST_TEST(names(bl::explain(build())) == passes, boost::test_tools::per_element());
    for (const bl::isa level : bl::runtime::every_isa) {
      if (bl::set_isa(level) != level) continue;
      const auto first = bl::eval(build(), bl::seq);
      if (has_fma(level))
        BOOST_TEST(hash_of(first) == committed, "level " << static_cast<int>(level) << ": " << hash_of(first));
      bool same = true;
      for (const int threads : {1, 2, 3, 8})
        for (int i = 0; i < 40; ++i) same = same && same_bits(bl::eval(build(), bl::par.threads(threads)), first);
      BOOST_TEST(same);
    }
    bl::set_isa(bl::runtime::highest_isa());
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(law_passes)

BOOST_AUTO_TEST_CASE(a_function_is_called_once_for_each_element_of_its_own_shape) {
  const auto m = noise(40, 50), row = noise(1, 50), column = noise(40, 1), other = noise(40, 50, 7);
  BOOST_TEST(calls_of([&](auto f) { return m / bl::sum(f(m), bl::axes<1>, bl::keepdim); }) == 2000);
  BOOST_TEST(calls_of([&](auto f) { return m / bl::sum(f(m), bl::axes<0>, bl::keepdim); }) == 2000);
  BOOST_TEST(calls_of([&](auto f) { return m / bl::sum(f(m)); }) == 2000);
  BOOST_TEST(calls_of([&](auto f) { return f(row) + m; }) == 50);
  BOOST_TEST(calls_of([&](auto f) { return f(column) + m; }) == 40);
  BOOST_TEST(calls_of([&](auto f) { return bl::sum(f(row) + m, bl::axes<0>); }) == 50);
  BOOST_TEST(calls_of([&](auto f) { return m + f(bl::sum(m, bl::axes<0>, bl::keepdim)); }) == 50);
  BOOST_TEST(calls_of([&](auto f) {
               return m - bl::mean(f(m), bl::axes<1>, bl::keepdim) + bl::amax(f(other), bl::axes<1>, bl::keepdim);
             }) == 4000);
}

BOOST_AUTO_TEST_CASE(let_is_computed_once_and_is_what_it_was_made_of) {
  const auto m = noise(40, 50), n = noise(40, 50, 99);
  BOOST_TEST(calls_of([&](auto f) {
               auto t = bl::let(f(m));
               return t * t;
             }) == 2000);
  BOOST_TEST(calls_of([&](auto f) {
               auto t = bl::let(f(m));
               return t / bl::sum(t, bl::axes<1>, bl::keepdim) + t.T().T();
             }) == 2000);
  const auto make = [](const auto& x, std::atomic<long>& c) { return bl::let(bl::pointwise(counted{&c}, x)); };
  std::atomic<long> c{0};
  {
    // one type, two arrays
    const auto t = make(m, c), u = make(n, c);
    static_assert(std::is_same_v<decltype(t), decltype(u)>);
    const bl::dtensor<float, 2> r = t * u, expected = (2 * m + 1) * (2 * n + 1);
    BOOST_TEST(same_bits(r, expected));
    BOOST_TEST(c == 4000);
  }
  c = 0;
  {
    // one factory called twice: two calls of a function that may count are two
    const bl::dtensor<float, 2> r = make(m, c) - make(m, c);
    BOOST_TEST(bl::eval(bl::all(bl::eq(r, 0))).item());
    BOOST_TEST((c == 4000 || c == 2000));
  }
  // equal functions of one array without state are one
  const auto stateless = [](const auto& x) { return bl::let(bl::exp(x)); };
  BOOST_TEST(names(bl::explain(stateless(m) * stateless(m))).size() == 1u);
  BOOST_TEST(names(bl::explain(stateless(m) * stateless(n))).size() == 2u);
}

// Few elements are computed whole, more of them by rows.
BOOST_AUTO_TEST_CASE(few_elements_give_what_they_give_among_many) {
  const auto chain = [](const auto& x) {
    const auto mean = bl::mean(x, 1_c, bl::keepdim);
    return (x - mean) / bl::sqrt(bl::var(x, 1_c, bl::keepdim) + 1e-5f) + bl::softmax(x, 1_c) * mean -
           bl::amax(bl::exp(x - mean), 1_c, bl::keepdim);
  };
  for (const bl::index rows : {1, 2, 5, 8, 30})
    for (const bl::index columns : {1, 2, 3, 8, 16, 17, 64}) {
      const auto many = noise(40 * rows, columns);
      bl::dtensor<float, 2> few = bl::slice(many, bl::range(0, rows));
      const bl::dtensor<float, 2> all = chain(many), expected = bl::slice(all, bl::range(0, rows)), result = chain(few);
      BOOST_TEST(same_bits(result, expected), rows << " rows of " << columns);
      few = chain(few);  // over its own operand
      BOOST_TEST(same_bits(few, expected), "in place, " << rows << " rows of " << columns);
    }
  const auto m = noise(8, 16), row = noise(1, 16);
  BOOST_TEST(calls_of([&](auto f) { return m / bl::sum(f(m), 1_c, bl::keepdim) + bl::mean(f(row)); }) == 144);
  BOOST_TEST(calls_of([&](auto f) {
               const auto t = bl::let(f(m));
               return t * t / bl::sum(t, 0_c) + bl::sum(t, 1_c, bl::keepdim);
             }) == 128);
  struct refusal {};
  const auto throwing = [](float x) -> float { return x > -1 ? throw refusal() : x; };
  BOOST_CHECK_THROW(static_cast<void>(bl::eval(m / bl::sum(bl::pointwise(throwing, m)))), refusal);
}

BOOST_AUTO_TEST_CASE(softmax_calls_its_exp_once_for_each_element) {
  const auto m = noise(40, 50);
  BOOST_TEST(calls_of([&](auto f) {
               auto e = bl::let(f(m - bl::amax(m, bl::axes<1>, bl::keepdim)));
               return e / bl::sum(e, bl::axes<1>, bl::keepdim);
             }) == 2000);
  // each of two mentions of one let reads what was kept: exp is a stage of one pass
  const bl::explanation x = bl::explain(bl::softmax(m, 1_c));
  BOOST_TEST(names(x).size() == 3u);
  for (const std::string& s : x.stages) BOOST_TEST(s.find("exp") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(explain_shows_the_passes) {
  const auto m = noise(400, 500);
  BOOST_TEST(names(bl::explain(m / bl::sum(m, bl::axes<1>, bl::keepdim))) == (words{"sum by rows"}),
             boost::test_tools::per_element());
  BOOST_TEST(names(bl::explain(m / bl::sum(m, bl::axes<0>, bl::keepdim))) == (words{"sum"}),
             boost::test_tools::per_element());
  const bl::explanation x = bl::explain(m / bl::sum(m, bl::axes<1>, bl::keepdim));
  BOOST_TEST((x.passes[0].extents == std::vector<bl::index>{400, 1}));
  BOOST_TEST(x.rows_at_once > 0);
  BOOST_TEST(x.rows_at_once <= 400);
  BOOST_TEST(bl::to_string(x).find("sum") != std::string::npos);
  // the result of a reduction alone needs no pass before it
  BOOST_TEST(names(bl::explain(bl::sum(m, bl::axes<0>))).size() <= 1u);
}

// By rows everything is read from memory once; along columns, once for the mean, once for the deviations, and once by
// what divides by them.
BOOST_AUTO_TEST_CASE(pipelines_have_one_result_and_the_fewest_sweeps) {
  const auto x = noise(301, 700), w = noise(301, 700, 3), y = noise(60, 33, 5), z = noise(70, 33, 6),
             g = noise(1, 700, 11), h = noise(1, 700, 12);
  const auto images = bl::reshape(x, 43, 7, 700);
  check_pipeline("softmax", 16064511257405650885u, {"amax by rows", "let by rows", "sum by rows"},
                 [&] { return bl::softmax(x, 1_c); });
  check_pipeline("log_softmax", 2018337658748510893u, {"amax by rows", "sum by rows"},
                 [&] { return bl::log_softmax(x, 1_c); });
  check_pipeline("logsumexp", 14584121057094636628u, {"amax by rows", "let by rows", "sum by rows"},
                 [&] { return bl::logsumexp(x, 1_c); });
  check_pipeline("layer norm", 7182859208974976u, {"sum by rows", "let by rows", "sum by rows", "let by rows"}, [&] {
    const auto mean = bl::mean(x, 1_c, bl::keepdim);
    const auto var = bl::var(x, 1_c, bl::keepdim, bl::correction{0});
    return (x - mean) / bl::sqrt(var + 1e-5) * g + h;
  });
  check_pipeline("standardisation", 13518596857887258621u, {"sum", "let", "sum", "let", "let"},
                 [&] { return (x - bl::mean(x, 0_c, bl::keepdim)) / bl::std(x, 0_c, bl::keepdim); });
  check_pipeline("batch statistics", 1295686635300382960u, {"sum", "let", "sum", "let"}, [&] {
    const auto mean = bl::mean(images, bl::axes<0, 2>, bl::keepdim);
    const auto var = bl::var(images, bl::axes<0, 2>, bl::keepdim, bl::correction{0});
    return (images - mean) / bl::sqrt(var + 1e-5);
  });
  check_pipeline("cosine similarity", 6709070888561201724u, {"sum by rows", "sum by rows", "sum by rows"}, [&] {
    const auto of_rows = bl::axes<1>;
    return bl::sum(x * w, of_rows) / (bl::norm(x, 2_c, of_rows) * bl::norm(w, 2_c, of_rows));
  });
  check_pipeline("pairwise distances", 12160069200015202026u, {"sum by rows"}, [&] {
    return bl::sqrt(bl::sum(bl::square(bl::unsqueeze(y, 1_c) - bl::unsqueeze(z, 0_c)), bl::axes<2>));
  });
  check_pipeline("compensated means", 11807931900210349583u, {"compensated sum", "let"},
                 [&] { return x - bl::mean(x * w, 0_c, bl::keepdim, bl::compensated); });
  check_pipeline("cumsum", 14193656922495852573u, {"cumsum by rows"}, [&] { return bl::cumsum(x, 1) * 2.0f; });
}

BOOST_AUTO_TEST_SUITE_END()
