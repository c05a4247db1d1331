// The Mandelbrot set: how many steps each point of the plane needs to leave a circle. Real and imaginary parts are two
// arrays that are updated in one pass.
#include <broadloom/broadloom.hpp>

#include "keep.hpp"

namespace bl = broadloom;
using namespace bl::literals;

constexpr bl::index row = bl::size<"row">, column = bl::size<"column">;

int main(int argc, char** argv) {
  const keep keep(argc, argv);
  const bl::index height = keep.size(60, 600), width = keep.size(90, 900);
  const bl::tensor re = bl::named<"column">(bl::linspace<double>(-2.0, 1.0, width));
  const bl::tensor im = bl::unsqueeze(bl::named<"row">(bl::linspace<double>(-1.0, 1.0, height)), 1_c);  // (row, 1)
  bl::tensor<double, bl::shape<row, column>> x(height, width), y(height, width);
  bl::tensor<int, bl::shape<row, column>> steps(height, width);
  keep.run([&] {
    for (int step = 0; step < 60; ++step) {
      const auto inside = bl::square(x) + bl::square(y) <= 4.0;
      bl::assign_all(bl::to(steps, steps + bl::cast<int>(inside)),
                     bl::to(x, bl::where(inside, bl::square(x) - bl::square(y) + re, x)),
                     bl::to(y, bl::where(inside, 2.0 * x * y + im, y)));
    }
  });
  keep("steps", steps);
  keep.image("mandelbrot", bl::log1p(bl::cast<float>(steps)));
}
