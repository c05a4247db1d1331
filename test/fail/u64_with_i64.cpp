// u64 and a signed integer have no common type.
// expect: not_defined_for_these_element_types
// expect: add
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

#include <cstdint>

namespace bl = broadloom;

void use(const bl::tensor<std::uint64_t, bl::shape<3>>& a, const bl::tensor<std::int64_t, bl::shape<3>>& b,
         const bl::tensor<std::uint32_t, bl::shape<3>>& c) {
  static_cast<void>(c + b);
#ifdef MISTAKE
  static_cast<void>(a + b);  // blame
#endif
  static_cast<void>(a);
}
