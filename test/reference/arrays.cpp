// Arrays drawn at random.
#include "arrays.hpp"

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace reference {
namespace {

template <class Visit>
auto with_type(dtype t, Visit visit) {
  switch (t) {
    case dtype::b8: return visit(std::uint8_t{}, true);
    case dtype::i8: return visit(std::int8_t{}, false);
    case dtype::i16: return visit(std::int16_t{}, false);
    case dtype::i32: return visit(std::int32_t{}, false);
    case dtype::i64: return visit(std::int64_t{}, false);
    case dtype::u8: return visit(std::uint8_t{}, false);
    case dtype::f32: return visit(float{}, false);
    case dtype::c64: return visit(std::complex<float>{}, false);
    case dtype::c128: return visit(std::complex<double>{}, false);
    default: return visit(double{}, false);
  }
}

template <class T>
inline constexpr bool is_complex_type = false;
template <class T>
inline constexpr bool is_complex_type<std::complex<T>> = true;

// Parts of complex numbers are finite: fn/complex_test has the others, which PyTorch's vector code treats as it likes.
double part(generator& g) {
  switch (g.below(12)) {
    case 0: return 0;
    case 1: return -0.;
    case 2: return g.below(2) == 0 ? 1 : -1;
    case 3: return g.number(-1, 1) * 1e-3;
    default: return g.number(-4, 4);
  }
}

template <class T>
T value(generator& g, const domain& d) {
  using limits = std::numeric_limits<T>;
  if constexpr (is_complex_type<T>) {
    using R = typename T::value_type;
    const auto re = static_cast<R>(part(g));
    return {re, static_cast<R>(part(g))};
  } else if constexpr (std::is_floating_point_v<T>) {
    if (d.finite) return static_cast<T>(part(g));
    switch (g.below(28)) {
      case 0: return T(0);
      case 1: return -T(0);
      case 2: return limits::infinity();
      case 3: return -limits::infinity();
      case 4: return limits::quiet_NaN();
      case 5: return T(1);
      case 6: return T(-1);
      case 7: return T(0.5) * static_cast<T>(g.below(13) - 6);
      case 8: return g.below(2) == 0 ? limits::denorm_min() : -limits::min();
      case 9: return g.below(2) == 0 ? limits::max() : limits::lowest();
      case 10:
      case 11:
      case 12: return static_cast<T>(std::exp(g.number(-60, 60)) * (g.below(2) == 0 ? 1 : -1));
      case 13:
      case 14:
      case 15:
      case 16: return static_cast<T>(g.number(-1, 1));
      default: return static_cast<T>(g.number(-40, 40));
    }
  } else {
    if (d.counts && g.below(300) > 0) return static_cast<T>(g.below(8 * static_cast<int>(sizeof(T))));
    if (d.few_zeros && g.below(300) == 0) return T(0);
    for (;;) {
      T x = 0;
      switch (g.below(16)) {
        case 0: x = limits::max(); break;
        case 1: x = limits::min(); break;
        case 2: x = static_cast<T>(std::uint64_t(g.below(1 << 30)) * std::uint64_t(g.below(1 << 30)) * 31u); break;
        default: x = static_cast<T>(g.below(60) - 25);
      }
      if (!d.smallest_integer && std::is_signed_v<T> && x == limits::min()) continue;
      if (d.few_zeros && x == 0) continue;
      return x;
    }
  }
}

}  // namespace

int size_of(dtype t) {
  return with_type(t, [](auto x, bool) { return static_cast<int>(sizeof x); });
}

index array::elements() const {
  index n = 1;
  for (const index e : seen.shape) n *= e;
  return n;
}

std::vector<index> common_shape(generator& g, int rank) {
  static constexpr index sizes[] = {1, 2, 3, 7, 0, 65};
  std::vector<index> s(static_cast<std::size_t>(rank));
  // Large extents only where there are few axes; 0 seldom, as it leaves nothing to compare.
  const int kinds = rank > 3 ? 3 : rank > 2 ? 4 : 6;
  for (auto& e : s) {
    int k = g.below(kinds);
    if (sizes[k] == 0 && g.below(3) > 0) k = 2;
    if (rank > 2 && g.below(40) == 0) k = 4;
    if (sizes[k] == 65 && rank == 2 && g.below(3) > 0) k = 3;
    e = sizes[k];
  }
  return s;
}

std::vector<index> part_of(generator& g, const std::vector<index>& common, int rank) {
  static constexpr index sizes[] = {0, 1, 2, 3, 7, 65};
  std::vector<index> s(common.end() - rank, common.end());
  for (auto& e : s) {
    const int kind = g.below(24);
    if (kind == 0)
      e = sizes[g.below(rank > 3 ? 4 : 6)];
    else if (kind < 6)
      e = 1;
  }
  return s;
}

array draw(generator& g, dtype type, const std::vector<index>& shape, const domain& d, bool expanded) {
  const auto rank = static_cast<int>(shape.size());
  array a;
  a.seen.type = type;
  a.seen.shape = shape;
  a.seen.strides.assign(shape.size(), 0);
  const bool contiguous = g.below(3) == 0;
  const int turn = contiguous || rank == 0 ? 0 : g.below(rank);
  index step = 1, low = 0, high = 0;
  for (int k = 0; k < rank; ++k) {
    const auto axis = static_cast<std::size_t>((rank - 1 - k + turn) % rank);
    if (!contiguous && expanded && g.below(10) == 0) continue;  // every element of this axis is the same one
    const index gap = contiguous || g.below(3) > 0 ? 1 : 2, sign = contiguous || g.below(4) > 0 ? 1 : -1;
    a.seen.strides[axis] = sign * gap * step;
    const index n = shape[axis] < 1 ? 1 : shape[axis];
    (sign < 0 ? low : high) += (n - 1) * a.seen.strides[axis];
    step *= n * gap;
  }
  const auto size = static_cast<std::size_t>(size_of(type));
  a.memory.resize(static_cast<std::size_t>(high - low + 1) * size);
  with_type(type, [&](auto t, bool is_bool) {
    using T = decltype(t);
    for (std::size_t i = 0; i < a.memory.size() / size; ++i) {
      const T x = is_bool ? T(g.below(2) == 1) : value<T>(g, d);
      std::memcpy(a.memory.data() + i * size, &x, size);
    }
    return 0;
  });
  a.seen.data = a.memory.data() + static_cast<std::size_t>(-low) * size;
  return a;
}

complex_number complex_at(const std::byte* memory, dtype type, index position) {
  return with_type(type, [&](auto t, bool) {
    std::memcpy(&t, memory + position * static_cast<index>(sizeof t), sizeof t);
    return complex_number(t);
  });
}
long double number_at(const std::byte* memory, dtype type, index position) {
  return complex_at(memory, type, position).real();
}

complex_number complex_element_at(const operand& x, const std::vector<index>& shape, index position) {
  index offset = 0;
  for (std::size_t k = 1; k <= shape.size(); ++k) {
    const index n = shape[shape.size() - k], at = position % n;
    position /= n;
    if (k <= x.shape.size() && x.shape[x.shape.size() - k] != 1) offset += at * x.strides[x.shape.size() - k];
  }
  return complex_at(static_cast<const std::byte*>(x.data), x.type, offset);
}
long double element_at(const operand& x, const std::vector<index>& shape, index position) {
  return complex_element_at(x, shape, position).real();
}

}  // namespace reference
