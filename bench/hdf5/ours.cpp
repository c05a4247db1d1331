// Standardises the columns of /x of a file into /y of a new one, as one expression.
//
// usage: hdf5_ours IN.h5 OUT.h5 MIB
#include <broadloom/broadloom.hpp>
#include <broadloom/io/hdf5.hpp>
#include <cstdlib>
#include <iostream>

namespace bl = broadloom;

int main(int argc, char** argv) {
  if (argc != 4) return 1;
  const bl::hdf5::budget within{.memory = static_cast<std::size_t>(std::atol(argv[3])) << 20};
  const auto x = bl::hdf5::open<float, 2>(argv[1], "/x");
  const auto e = (x - bl::mean(x, 0)) / bl::std(x, 0);
  auto y = bl::hdf5::create<float>(argv[2], "/y", x.shape());
  std::cout << bl::hdf5::explain(y, e, within);
  bl::hdf5::assign(y, e, within);
}
