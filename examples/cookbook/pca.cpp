// Principal components by the singular values of the centred data, and the data seen along the first two.
#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

#include "keep.hpp"

namespace bl = broadloom;
using namespace bl::literals;

constexpr bl::index sample = bl::size<"sample">, feature = bl::size<"feature">;

int main(int argc, char** argv) {
  const keep keep(argc, argv);
  bl::generator g(9);
  const bl::index samples = keep.size(200, 20000), features = keep.size(6, 40);
  const auto mixing = bl::randn<double>(g, bl::dshape<2>(features, features));
  const bl::tensor<double, bl::shape<sample, feature>> x =
      bl::named<"sample", "feature">(bl::matmul(bl::randn<double>(g, bl::dshape<2>(samples, features)), mixing));
  const bl::tensor centred = x - bl::mean(x, "sample"_axis);
  const auto [u, s, vh] = keep.run([&] { return bl::svd(centred, bl::reduced); });
  keep("x", x);
  keep("share", bl::square(s) / bl::sum(bl::square(s)));
  // (sample, 2): signs of components are free, so that their squares are kept
  keep("squares", bl::square(bl::matmul(centred, bl::transpose(bl::slice(vh, bl::range(0, 2), bl::all)))));
}
