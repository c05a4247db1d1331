// Logistic regression by gradient descent. (sample, feature) and (feature) give (sample); the compiler sees to it.
#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

#include "keep.hpp"

namespace bl = broadloom;
using namespace bl::literals;

constexpr bl::index sample = bl::size<"sample">, feature = bl::size<"feature">;

int main(int argc, char** argv) {
  const keep keep(argc, argv);
  bl::generator g(2);
  const bl::index samples = keep.size(400, 50000), features = keep.size(5, 20);
  const double rate = 0.5 / static_cast<double>(samples);
  const auto x = bl::randn<double>(g, bl::shape<sample, feature>(samples, features));
  const auto truth = bl::randn<double>(g, bl::shape<feature>(features));
  const bl::tensor y = bl::cast<double>(bl::matmul(x, truth) > 0.1 * bl::randn<double>(g, bl::shape<sample>(samples)));

  bl::tensor<double, bl::shape<feature>> w(features);
  keep.run([&] {
    for (int step = 0; step < 200; ++step) {
      const bl::tensor wrong = bl::sigmoid(bl::matmul(x, w)) - y;
      w -= bl::matmul(bl::transpose(x), wrong) * rate;
    }
  });
  keep("x", x);
  keep("y", y);
  keep("w", w);
  const bl::tensor right = bl::mean(bl::cast<double>((bl::matmul(x, w) > 0) == (y > 0.5)));
  std::cout << 100 * right.item() << " % of the samples are told right\n";
}
