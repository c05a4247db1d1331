// Indices checked against their bounds: contiguous ones by vectors in their own width if the bounds allow it, else one
// by one.
#include "bounds_check_level.hpp"

#include <broadloom/core/isa.hpp>

namespace broadloom::runtime {

namespace {

template <class I>
void look_as(const I* p, index n, index stride, index low, index high, findings& f) {
  index i = 0;
  if (stride == 1 && high < index{1} << 30) {
#if defined(__x86_64__)
    if (active_isa() == isa::v4)
      i = look_v4(p, n, low, high, f);
    else if (active_isa() == isa::v3)
      i = look_v3(p, n, low, high, f);
    else
#endif
      i = look_at_vectors(p, n, low, high, f);
  }
  for (; i < n; ++i) {
    const auto x = static_cast<std::uint64_t>(p[i * stride]);
    f.outside |= (x - static_cast<std::uint64_t>(low)) | (static_cast<std::uint64_t>(high) - x);
    f.negative |= x;
  }
}

template <class I, class O>
void narrow_as(const I* p, index n, index low, index extent, O* to, findings& f) {
  index i = 0;
#if defined(__x86_64__)
  if (active_isa() == isa::v4)
    i = narrow_v4(p, n, low, extent, to, f);
  else if (sizeof(O) == 4 && active_isa() == isa::v3)
    i = narrow_v3(p, n, low, extent, reinterpret_cast<std::uint32_t*>(to), f);
  else
#endif
    i = narrow_vectors(p, n, low, extent, to, f);
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

bool can_narrow() { return active_isa() == isa::v4; }

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
