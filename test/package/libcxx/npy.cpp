// A .npy file written, read and mapped, and the name of what is refused.
#include <broadloom/broadloom.hpp>
#include <broadloom/io/npy.hpp>

#include <cstdio>
#include <string>

namespace bl = broadloom;

int main() {
  bl::dtensor<float, 2> x{{1, 2, 3}, {4, 5, 6}};
  bl::write_npy("x.npy", x * 2);
  bl::tensor read = bl::read_npy<float, 2>("x.npy");
  auto mapped = bl::open_npy<float, 2>("x.npy");
  bool right = read(1, 2) == 12 && bl::eval(bl::sum(mapped)).item() == 42, refused = false;
  try {
    bl::read_npy<double, 2>("x.npy");
  } catch (const bl::io_error& e) {
    refused = std::string(e.what()).find("x.npy") != std::string::npos;
  }
  std::remove("x.npy");
  std::puts(right && refused ? "right" : "wrong");
  return right && refused ? 0 : 1;
}
