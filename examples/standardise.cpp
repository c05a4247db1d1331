// Statistics of the columns of a file larger than memory, and the file standardised, within a budget of memory.
//
//   standardise IN.h5 OUT.h5 [MiB]    of set /x, float32 of rank 2, to set /y; 256 MiB unless given
//   standardise                       of a small file, which it makes
#include <unistd.h>

#include <broadloom/broadloom.hpp>
#include <broadloom/io/hdf5.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>

namespace bl = broadloom;

int main(int argc, char** argv) {
  const bool own = argc < 3;
  const std::string folder =
      (std::filesystem::temp_directory_path() / ("standardise" + std::to_string(::getpid()))).string();
  const std::string in = own ? folder + "_in.h5" : argv[1], out = own ? folder + "_out.h5" : argv[2];
  const bl::hdf5::budget within{.memory = static_cast<std::size_t>(argc > 3 ? std::atol(argv[3]) : 256) << 20};
  try {
    if (own) {
      auto made = bl::hdf5::create<float>(in, "/x", bl::dshape<2>(10000, 3));
      bl::assign(made, bl::reshape(bl::arange<float>(30000), 10000, 3) * bl::dtensor<float, 1>{1, 2, 3});
    }
    const auto x = bl::hdf5::open<float, 2>(in, "/x");

    const auto [mean, deviation, low, high] =
        bl::hdf5::eval_all(within, bl::mean(x, 0), bl::std(x, 0), bl::amin(x, 0), bl::amax(x, 0));
    for (bl::index i = 0; i < mean.size() && i < 4; ++i)
      std::cout << "column " << i << ": mean " << mean(i) << ", deviation " << deviation(i) << ", from " << low(i)
                << " to " << high(i) << '\n';

    const auto standardised = (x - mean) / deviation;
    auto y = bl::hdf5::create<float>(out, "/y", x.shape());
    std::cout << bl::hdf5::explain(y, standardised, within);
    bl::hdf5::assign(y, standardised, within);
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
  if (own) {
    std::remove(in.c_str());
    std::remove(out.c_str());
  }
}
