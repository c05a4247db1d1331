// Moving statistics: windows are a view with one axis more, over which reductions run; nothing is copied.
#include <broadloom/broadloom.hpp>

#include "keep.hpp"

namespace bl = broadloom;
using namespace bl::literals;

constexpr bl::index series = bl::size<"series">, when = bl::size<"time">;

int main(int argc, char** argv) {
  const keep keep(argc, argv);
  bl::generator g(8);
  const bl::tensor x = bl::cumsum(bl::randn<double>(g, bl::shape<series, when>(4, keep.size(500, 50000))), "time"_axis);
  const auto w = bl::windows(x, "time"_axis, 20_c);  // (series, windows, 20)
  const auto zscore = (bl::slice(x, bl::all, bl::range(19, bl::end)) - bl::mean(w, 2_c)) / bl::std(w, 2_c);
  keep("x", x);
  keep("mean", bl::mean(w, 2_c));
  keep("std", bl::std(w, 2_c));
  keep("largest", bl::amax(w, 2_c));
  keep("zscore", keep.run([&] { return bl::tensor(zscore); }));
  keep.tree("moving", zscore);
}
