// Random numbers come from a generator.
// expect: write_the_generator_first_as_in_rand_of_g_and_extents
// lines gcc: 12
// lines clang: 12
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

auto use([[maybe_unused]] bl::generator& g) {
#ifdef MISTAKE
  return bl::rand<float>(2, 3);  // blame
#else
  return bl::rand<float>(g, 2, 3);
#endif
}
