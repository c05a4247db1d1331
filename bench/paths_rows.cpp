// A row for each fast path of docs/internals/performance.md, of sizes for which it is there. Built as a module, so that
// two builds of the library can be timed in turns: broadloom_bench_paths.
#include "paths.hpp"

#include <broadloom/broadloom.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace bl = broadloom;

namespace {

// Array K of some extents, made once.
template <int K, class T = float, class... N>
auto& in(N... n) {
  using array = bl::dtensor<T, sizeof...(N)>;
  static std::map<std::vector<long>, array> made;
  const std::vector<long> extents{long(n)...};
  const auto at = made.find(extents);
  if (at != made.end()) return at->second;
  array x{bl::dshape<sizeof...(N)>{bl::index(n)...}};
  for (bl::index i = 0; i < x.size(); ++i)
    x.data()[i] = static_cast<T>(static_cast<T>((i * 37 + 11 * K) % 64 + 1) / static_cast<T>(64));
  return made.emplace(extents, std::move(x)).first->second;
}
auto& positions(long below, auto... extents) {
  auto& x = in<7, std::int64_t>(extents...);
  for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = i * 7919 % below;
  return x;
}

template <class Plan>
const char* routes_of([[maybe_unused]] const Plan& plan) {
  static std::string text;
  text.clear();
#if !defined(BENCH_NO_ROUTES)
  for (const auto& r : plan.routes) text += (text.empty() ? "" : ", ") + std::string(r);
#endif
  return text.c_str();
}

// The declarations of the operands come last.
#define ROW(PATH, FORMULA, OUT, E, ...)              \
  {PATH, FORMULA,                                    \
   [](long times) {                                  \
     __VA_ARGS__;                                    \
     for (; times > 0; --times) {                    \
       bl::assign(OUT, E, bl::seq);                  \
       __asm__ volatile("" : : : "memory");          \
     }                                               \
   },                                                \
   [] {                                              \
     __VA_ARGS__;                                    \
     return routes_of(bl::explain(OUT, E, bl::seq)); \
   }}
#define SAME(...)               \
  auto& o = in<5>(__VA_ARGS__); \
  auto& a = in<0>(__VA_ARGS__)
#define ABC(...)                                 \
  [[maybe_unused]] auto& o = in<5>(__VA_ARGS__); \
  auto& a = in<0>(__VA_ARGS__);                  \
  auto& b = in<1>(__VA_ARGS__);                  \
  [[maybe_unused]] auto& c = in<2>(__VA_ARGS__)
#define WITH_ROW(R, C)   \
  auto& o = in<5>(R, C); \
  auto& a = in<0>(R, C); \
  auto& row = in<3>(C)
#define WITH_BOTH(R, C)                  \
  auto& o = in<5>(R, C);                 \
  auto& a = in<0>(R, C);                 \
  [[maybe_unused]] auto& row = in<3>(C); \
  auto& column = in<4>(R, 1)

const bench_paths::row rows[] = {
    ROW("one call, rank 1", "a + b * c, (16)", o, a + b * c, ABC(16)),
    ROW("one call, rank 1", "a + b * c, (64)", o, a + b * c, ABC(64)),
    ROW("one call, bytes", "a + b, (16384)", o, a + b, auto& a = in<0, std::uint8_t>(16384);
        auto& b = in<1, std::uint8_t>(16384); auto& o = in<5, std::uint8_t>(16384)),
    ROW("one call, rank 2", "a + b * c, (4, 8)", o, a + b * c, ABC(4, 8)),
    ROW("leaves listed as they stand", "(a + b) * (c - a), (16)", o, (a + b) * (c - a), ABC(16)),
    ROW("leaves listed as they stand", "a + b * c - 2, (16)", o, a + b * c - 2, ABC(16)),
    ROW("some lanes of a vector", "a + b * c, (5)", o, a + b * c, ABC(5)),
    ROW("some lanes of a vector", "a * 2 + b, (12)", o, a * 2 + b, ABC(12)),
    ROW("some lanes of a vector", "a += b, (7)", a, a + b, ABC(7)),
    ROW("narrower vectors", "a + b * c, (8)", o, a + b * c, ABC(8)),
    ROW("last vector overlaps", "a + b * c, (24)", o, a + b * c, ABC(24)),
    ROW("last vector overlaps", "a + b * c, (5)", o, a + b * c, ABC(5)),
    ROW("in place", "a += b, (64)", a, a + b, ABC(64)),
    ROW("one function", "exp(a), (1024)", o, bl::exp(a), SAME(1024)),
    ROW("tail of a function", "exp(a), (10)", o, bl::exp(a), SAME(10)),
    ROW("rows of one vector", "a * column + row, (16, 16)", o, a* column + row, WITH_BOTH(16, 16)),
    ROW("materialized rows", "a * column + row, (64, 3)", o, a* column + row, WITH_BOTH(64, 3)),
    ROW("a call for each row", "a * column + row, (64, 64)", o, a* column + row, WITH_BOTH(64, 64)),
    ROW("materialized on the stack", "a + b.T(), (16, 16)", o, a + b.T(), ABC(16, 16)),
    ROW("barriers on the stack", "a / sum(a, 1), (8, 16)", o, a / bl::sum(a, 1, bl::keepdim), SAME(8, 16)),
    ROW("rows with their sums", "softmax(a, 0), (10)", o, bl::softmax(a, 0), SAME(10)),
    ROW("rows with their sums", "log_softmax(a, 1), (8, 64)", o, bl::log_softmax(a, 1), SAME(8, 64)),
    ROW("barrier in the output", "sum(a, 1), (16, 64)", s, bl::sum(a, 1), auto& a = in<0>(16, 64); auto& s = in<6>(16)),
    ROW("whole array, no plan", "sum(a), (1024)", s, bl::sum(a), auto& a = in<0>(1024); auto& s = in<6>()),
    ROW("array at once", "sum(a), (16)", s, bl::sum(a), auto& a = in<0>(16); auto& s = in<6>()),
    ROW("products at once", "sum(a * b), (256)", s, bl::sum(a* b), auto& a = in<0>(256); auto& b = in<1>(256);
        auto& s = in<6>()),
    ROW("first rows where they lie", "sum(a, 0), (4, 4096)", s, bl::sum(a, 0), auto& a = in<0>(4, 4096);
        auto& s = in<6>(4096)),
    ROW("short rows in one masked load", "sum(a, 1), (256, 8)", s, bl::sum(a, 1), auto& a = in<0>(256, 8);
        auto& s = in<6>(256)),
    ROW("several short rows in a vector", "sum(a, 1), (20000, 8)", s, bl::sum(a, 1), auto& a = in<0>(20000, 8);
        auto& s = in<6>(20000)),
    ROW("few columns of some strips", "sum(a, 0), (1000, 5)", s, bl::sum(a, 0), auto& a = in<0>(1000, 5);
        auto& s = in<6>(5)),
    ROW("sums of whole arrays for a barrier", "mean(a * 2, 1), (256, 8)", s, bl::mean(a * 2, 1),
        auto& a = in<0>(256, 8);
        auto& s = in<6>(256)),
    ROW("short rows and a number for each", "var(a, 1), (20000, 5)", s, bl::var(a, 1), auto& a = in<0>(20000, 5);
        auto& s = in<6>(20000)),
    ROW("short rows, some at a time", "sum(a * 2, 1), (6000, 24)", s, bl::sum(a * 2, 1), auto& a = in<0>(6000, 24);
        auto& s = in<6>(6000)),
    ROW("one exponent", "pow(a, 2), (4096)", o, bl::pow(a, 2), SAME(4096)),
    ROW("rows of one stage", "a + row, (512, 256)", o, a + row, WITH_ROW(512, 256)),
    ROW("rows of one stage", "a * column + row, (512, 512)", o, a* column + row, WITH_BOTH(512, 512)),
    ROW("rows of one stage", "a + row, (256, 1000)", o, a + row, WITH_ROW(256, 1000)),
    ROW("rows of one stage", "a * column, (2048, 128)", o, a* column, WITH_BOTH(2048, 128)),
    ROW("tiles of one stage", "a + b.T(), (512, 512)", o, a + b.T(), ABC(512, 512)),
    ROW("tiles of one stage", "a + b.T(), (4096, 4096)", o, a + b.T(), ABC(4096, 4096)),
    ROW("merged rows of one stage", "a + row, (1000, 17)", o, a + row, WITH_ROW(1000, 17)),
    ROW("merged rows in the first cache", "(a - row) * row, (65536, 3)", o, (a - row) * row, WITH_ROW(65536, 3)),
    ROW("one number for each pixel", "a * column, (65536, 3)", o, a* column, WITH_BOTH(65536, 3)),
    ROW("pixels that lie apart", "a[:, :3] * 2, (65536, 4)", o, bl::slice(a, bl::all, bl::range(0, 3)) * 2,
        auto& a = in<0>(65536, 4);
        auto& o = in<5>(65536, 3)),
    ROW("cached rows", "softmax(a, 1), (64, 512)", o, bl::softmax(a, 1), SAME(64, 512)),
    ROW("cached rows, flat steps", "a * b / sum(a * b, 1), (256, 512)", o, a* b / bl::sum(a * b, 1, bl::keepdim),
        ABC(256, 512)),
    ROW("cached rows, flat steps", "exp(a) * b / mean(exp(a) * b, 1), (256, 768)", o,
        bl::exp(a) * b / bl::mean(bl::exp(a) * b, 1, bl::keepdim), ABC(256, 768)),
    ROW("cached rows, flat steps", "(a - b) / std(a - b, 1), (512, 1024)", o, (a - b) / bl::std(a - b, 1, bl::keepdim),
        ABC(512, 1024)),
    ROW("pipelined rows", "softmax(a, 1), (8192, 1024)", o, bl::softmax(a, 1), SAME(8192, 1024)),
    ROW("pipelined rows", "layer norm, (2048, 1024)", o,
        (a - bl::mean(a, 1, bl::keepdim)) / bl::sqrt(bl::var(a, 1, bl::keepdim) + 1) * row + row, WITH_ROW(2048, 1024)),
    ROW("rows by a row's number, streamed", "a / sum(a, 1), (8192, 1024)", o, a / bl::sum(a, 1, bl::keepdim),
        SAME(8192, 1024)),
    ROW("sums beside a function", "sum(exp(a), 1), (1024, 1024)", s, bl::sum(bl::exp(a), 1),
        auto& a = in<0>(1024, 1024);
        auto& s = in<6>(1024)),
    ROW("sums beside a function", "log_softmax(a, 1), (1024, 1024)", o, bl::log_softmax(a, 1), SAME(1024, 1024)),
    ROW("sums beside a kernel", "a / sqrt(mean(a * a, 1)), (1024, 1024)", o,
        a / bl::sqrt(bl::mean(a * a, 1, bl::keepdim)), SAME(1024, 1024)),
    ROW("blocks of rows", "softmax(a, 1), (256, 128)", o, bl::softmax(a, 1), SAME(256, 128)),
    ROW("rows of a table summed", "sum(table(i), 1), (100, 8, 64)", o, bl::sum(a(i), 1), auto& a = in<0>(1000, 64);
        auto& i = positions(1000, 100, 8); auto& o = in<5>(100, 64)),
    ROW("rows that share a row", "sum(a * b, 1), (8, 64)", s, bl::sum(a* b, 1), auto& a = in<0>(8, 64);
        auto& b = in<1>(64); auto& s = in<6>(8)),
    ROW("computed ramps", "a * iota(n), (4096)", o, a* bl::iota<float>(4096), SAME(4096)),
    ROW("computed ramps", "a * iota(n), (65536)", o, a* bl::iota<float>(65536), SAME(65536)),
    ROW("computed ramps", "where(iota(n) < 7, a, 0), (65536)", o, bl::where(bl::iota<int>(65536) < 7, a, 0),
        SAME(65536)),
    {nullptr, nullptr, nullptr, nullptr},
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const bench_paths::row* broadloom_bench_paths() { return rows; }
