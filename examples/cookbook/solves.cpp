// Ten thousand small systems of equations at once: stacks over the leading axis, and their residuals in one pass.
#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

#include "keep.hpp"

namespace bl = broadloom;
using namespace bl::literals;

constexpr bl::index problem = bl::size<"system">;

int main(int argc, char** argv) {
  const keep keep(argc, argv);
  bl::generator g(10);
  const bl::index count = keep.size(10000, 100000);
  const bl::tensor a = bl::randn<double>(g, bl::shape<problem, 4, 4>(count)) + 4.0 * bl::eye<double>(4_c);
  const auto b = bl::randn<double>(g, bl::shape<problem, 4>(count));
  const bl::tensor x = keep.run([&] { return bl::tensor(bl::solve_vec(a, b)); });
  const bl::tensor residual = bl::amax(bl::abs(bl::sum(a * bl::unsqueeze(x, 1_c), 2_c) - b));
  keep("a", a);
  keep("b", b);
  keep("x", x);
  std::cout << "all residuals below 1e-10: " << std::boolalpha << (residual.item() < 1e-10) << '\n';
}
