// npy_echo TYPE RANK IN OUT [RANK IN OUT...]: reads each IN by read_npy, and by open_npy where that can be, and writes
// what it read to OUT and OUT.mapped. Says why where one cannot be read or written, and goes on.
#include <broadloom/half.hpp>
#include <broadloom/io/npy.hpp>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>

namespace bl = broadloom;

template <class T, int Rank>
void echo(const std::string& in, const std::string& out) {
  bl::write_npy(out, bl::read_npy<T, Rank>(in));
  if constexpr (!std::is_same_v<T, bool>) {
    try {
      bl::write_npy(out + ".mapped", bl::open_npy<T, Rank>(in));
    } catch (const bl::io_error& e) {
      if (std::strstr(e.what(), "use read_npy") == nullptr) throw;
    }
  }
}

template <class T>
void echo(int rank, const std::string& in, const std::string& out) {
  switch (rank) {
    case 0: return echo<T, 0>(in, out);
    case 1: return echo<T, 1>(in, out);
    case 2: return echo<T, 2>(in, out);
    case 3: return echo<T, 3>(in, out);
  }
}

void echo(const std::string& type, int rank, const std::string& in, const std::string& out) {
  if (type == "bool") echo<bool>(rank, in, out);
  if (type == "int8") echo<std::int8_t>(rank, in, out);
  if (type == "int16") echo<std::int16_t>(rank, in, out);
  if (type == "int32") echo<std::int32_t>(rank, in, out);
  if (type == "int64") echo<std::int64_t>(rank, in, out);
  if (type == "uint8") echo<std::uint8_t>(rank, in, out);
  if (type == "uint16") echo<std::uint16_t>(rank, in, out);
  if (type == "uint32") echo<std::uint32_t>(rank, in, out);
  if (type == "uint64") echo<std::uint64_t>(rank, in, out);
  if (type == "float16") echo<bl::float16>(rank, in, out);
  if (type == "float32") echo<float>(rank, in, out);
  if (type == "float64") echo<double>(rank, in, out);
  if (type == "complex64") echo<std::complex<float>>(rank, in, out);
  if (type == "complex128") echo<std::complex<double>>(rank, in, out);
}

int main(int count, char** argv) {
  int failed = 0;
  for (int i = 2; i + 2 < count; i += 3) {
    try {
      echo(argv[1], std::atoi(argv[i]), argv[i + 1], argv[i + 2]);
    } catch (const std::exception& e) {
      std::puts(e.what());
      failed = 1;
    }
  }
  return failed;
}
