// A constant that the elements do not hold does not wrap.
// expect: a constant that the elements do not hold
// lines gcc: 30
// lines clang: 30
#include <broadloom/broadloom.hpp>

#include <cstdint>

namespace bl = broadloom;
using namespace bl::literals;

void use(const bl::dtensor<std::uint8_t, 1>& u) {
  static_cast<void>(u + 200_c);
#ifdef MISTAKE
  static_cast<void>(u + 300_c);  // blame
#endif
}
