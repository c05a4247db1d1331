// Errors of the run name the call: of every function that takes an axis or a position, called with a wrong one.
// Build: unoptimised
#include <string>

#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

namespace {

// The last line of what() of the error that f throws.
template <class F>
std::string last_line(const F& f) {
  try {
    f();
  } catch (const std::exception& e) {
    const std::string what = e.what();
    return what.substr(what.rfind('\n') + 1);
  }
  return "nothing is thrown";
}
#define NAMES(NAME, ...) BOOST_TEST(last_line([&] { static_cast<void>(bl::__VA_ARGS__); }) == "  in " NAME)

}  // namespace

BOOST_AUTO_TEST_CASE(views) {
  const bl::dtensor<float, 2> x(2, 3);
  NAMES("transpose", transpose(x, 2, 0));
  NAMES("permute", permute(x, 0, 0));
  NAMES("unsqueeze", unsqueeze(x, 3));
  NAMES("squeeze", squeeze(x, 2));
  NAMES("flip", flip(x, 2));
  NAMES("select", select(x, 2, 0));
  NAMES("select", select(x, 0, 2));
  NAMES("narrow", narrow(x, 2, 0, 1));
  NAMES("narrow", narrow(x, 0, 1, 2));
  NAMES("movedim", movedim(x, 0, 2));
  NAMES("diagonal", diagonal(x, 0, 0, 2));
  NAMES("diagonal", diagonal(x, 0, 1, 1));
  NAMES("windows", windows(x, 2, 1));
  NAMES("windows", windows(x, 0, 3));
  NAMES("slice", slice(x, 2));
  NAMES("slice", slice(x, bl::range(0, 1, 0)));
  NAMES("reshape", reshape(x, 4, -1));
  NAMES("expand", expand(x, bl::dshape<2>(2, 4)));
  NAMES("expand_as", expand_as(x, bl::dtensor<float, 2>(2, 4)));
  NAMES("item", sum(x, 1).item());
}

BOOST_AUTO_TEST_CASE(indexing) {
  const bl::dtensor<float, 2> x(2, 3);
  const bl::dtensor<bl::index, 2> i(1, 1);
  const bl::dtensor<bl::index, 1> v(2);
  NAMES("gather", gather(x, 2, i));
  NAMES("take_along_dim", take_along_dim(x, i, 2));
  NAMES("gather_broadcast", gather_broadcast(x, 2, i));
  NAMES("index_select", index_select(x, 2, v));
  NAMES("take", take(x, v, 2));
  NAMES("cat", cat(2, x, x));
  NAMES("stack", stack(3, x, x));
  NAMES("split", split(x, 1, 2));
  NAMES("chunk", chunk(x, 1, 2));
  NAMES("roll", roll(x, 1, 2));
  NAMES("roll", roll(x, {1, 1}, {0, 2}));
  NAMES("repeat_interleave", repeat_interleave(x, 2, 2));
  for (const bl::index n : {-1, -7}) {
    NAMES("repeat, tile or repeat_interleave", repeat_interleave(x, n, 0));
    NAMES("repeat, tile or repeat_interleave", repeat(x, n, 2));
    NAMES("repeat, tile or repeat_interleave", tile(x, {1, n}));
  }
  NAMES("rot90", rot90(x, 1, 0, 2));
  NAMES("diag_embed", diag_embed(x, 0, 0, 3));
  NAMES("sort", sort(x, 2));
  NAMES("argsort", argsort(x, 2));
  NAMES("topk", topk(x, 1, 2));
  NAMES("kthvalue", kthvalue(x, 1, 2));
  NAMES("median", median(x, 2));
  NAMES("quantile", quantile(x, 0.5, 2));
  NAMES("cummax", cummax(x, 2));
  NAMES("cummin", cummin(x, 2));
}

BOOST_AUTO_TEST_CASE(reductions) {
  const bl::dtensor<float, 2> x(2, 3);
  NAMES("sum", sum(x, 2));
  NAMES("sum", sum(x, 1, 1));
  NAMES("prod", prod(x, 2));
  NAMES("amax", amax(x, -3));
  NAMES("any", any(x, 2));
  NAMES("all", all(x, 2));
  NAMES("argmin", argmin(x, 2));
  NAMES("mean", mean(x, 2));
  NAMES("var", var(x, 2));
  NAMES("norm", norm(x, 2, 2));
  NAMES("logsumexp", logsumexp(x, 2));
  NAMES("softmax", softmax(x, 2));
  NAMES("log_softmax", log_softmax(x, 2));
  NAMES("cumsum", cumsum(x, 2));
  NAMES("cumprod", cumprod(x, 2));
}
