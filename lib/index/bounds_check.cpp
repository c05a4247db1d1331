// Indices checked against their bounds: contiguous ones by vectors in their own width if the bounds allow it, else one
// by one.
#include "bounds_check.hpp"

namespace broadloom::runtime {

namespace {

index look_at_vectors(const std::int32_t* p, index n, index low, index high, findings& f) {
  return bounds_checks_of_level().look_32(p, n, low, high, f);
}
index look_at_vectors(const std::int64_t* p, index n, index low, index high, findings& f) {
  return bounds_checks_of_level().look_64(p, n, low, high, f);
}
index narrow_vectors(const std::int32_t* p, index n, index low, index extent, std::uint32_t* to, findings& f) {
  return bounds_checks_of_level().narrow_32(p, n, low, extent, to, f);
}
index narrow_vectors(const std::int64_t* p, index n, index low, index extent, std::uint32_t* to, findings& f) {
  return bounds_checks_of_level().narrow_64(p, n, low, extent, to, f);
}
index narrow_vectors(const std::int64_t* p, index n, index low, index extent, std::uint16_t* to, findings& f) {
  return bounds_checks_of_level().narrow_64_to_16(p, n, low, extent, to, f);
}

template <class I>
void look_as(const I* p, index n, index stride, index low, index high, findings& f) {
  index i = 0;
  if (stride == 1 && high < index{1} << 30) i = look_at_vectors(p, n, low, high, f);
  for (; i < n; ++i) {
    const auto x = static_cast<std::uint64_t>(p[i * stride]);
    f.outside |= (x - static_cast<std::uint64_t>(low)) | (static_cast<std::uint64_t>(high) - x);
    f.negative |= x;
  }
}

template <class I, class O>
void narrow_as(const I* p, index n, index low, index extent, O* to, findings& f) {
  index i = narrow_vectors(p, n, low, extent, to, f);
  for (; i < n; ++i) {
    const auto x = static_cast<std::int64_t>(p[i]);
    f.outside |= static_cast<std::uint64_t>(x - low) | static_cast<std::uint64_t>(extent - 1 - x);
    to[i] = static_cast<O>(x < 0 ? x + extent : x);
  }
}

}  // namespace

void narrow(const void* positions, bool wide, index n, index low, index extent, std::uint32_t* to, findings& f) {
  if (wide)
    narrow_as(static_cast<const std::int64_t*>(positions), n, low, extent, to, f);
  else
    narrow_as(static_cast<const std::int32_t*>(positions), n, low, extent, to, f);
}

bool can_narrow() { return bounds_checks_of_level().narrow_64_to_16 != nullptr; }

void narrow(const std::int64_t* positions, index n, index low, index extent, std::uint16_t* to, findings& f) {
  narrow_as(positions, n, low, extent, to, f);
}

void look(const void* positions, bool wide, index n, index stride, index low, index high, findings& f) {
  if (wide)
    look_as(static_cast<const std::int64_t*>(positions), n, stride, low, high, f);
  else
    look_as(static_cast<const std::int32_t*>(positions), n, stride, low, high, f);
}

}  // namespace broadloom::runtime
