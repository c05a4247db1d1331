// mdspan as arrays: an implementation with the standard's members. The standard's own is looked at by mdspan_std.cpp.
#include <array>
#include <boost/test/unit_test.hpp>
#include <broadloom/broadloom.hpp>
#include <broadloom/interop/mdspan.hpp>

namespace bl = broadloom;

// As little of mdspan as the standard's members need.
namespace look_alike {

inline constexpr std::size_t dynamic = static_cast<std::size_t>(-1);

template <std::size_t... E>
struct extents {
  static constexpr std::size_t rank() { return sizeof...(E); }
  static constexpr std::size_t fixed[sizeof...(E) + 1] = {E..., 0};
  static constexpr std::size_t static_extent(std::size_t i) { return fixed[i]; }
  static constexpr bool is_static = ((E != dynamic) && ...);
};

template <class Extents, bool Static = Extents::is_static>
struct sizes {
  std::array<int, Extents::rank()> n{};
  constexpr int operator[](std::size_t i) const { return n[i]; }
};
template <class Extents>
struct sizes<Extents, true> {
  constexpr int operator[](std::size_t i) const { return static_cast<int>(Extents::fixed[i]); }
};

struct layout_right {
  template <class E>
  struct mapping : sizes<E> {
    constexpr int stride(std::size_t i) const {
      int n = 1;
      for (std::size_t k = E::rank(); --k > i;) n *= (*this)[k];
      return n;
    }
  };
};
struct layout_left {
  template <class E>
  struct mapping : sizes<E> {
    constexpr int stride(std::size_t i) const {
      int n = 1;
      for (std::size_t k = 0; k < i; ++k) n *= (*this)[k];
      return n;
    }
  };
};
struct layout_stride {
  template <class E>
  struct mapping : sizes<E, false> {
    std::array<int, E::rank()> s{};
    constexpr int stride(std::size_t i) const { return s[i]; }
  };
};

template <class T, class E, class Layout>
struct mdspan {
  using element_type = T;
  using extents_type = E;
  using layout_type = Layout;
  using mapping_type = typename Layout::template mapping<E>;
  T* first;
  mapping_type map;

  static constexpr std::size_t rank() { return E::rank(); }
  static constexpr std::size_t static_extent(std::size_t i) { return E::static_extent(i); }
  static constexpr bool is_always_strided() { return true; }
  constexpr int extent(std::size_t i) const { return map[i]; }
  constexpr int stride(std::size_t i) const { return map.stride(i); }
  constexpr T* data_handle() const { return first; }
};

}  // namespace look_alike

template <>
inline constexpr bool bl::is_row_major_layout<look_alike::layout_right> = true;

BOOST_AUTO_TEST_SUITE(interop_mdspan)

using look_alike::dynamic;
using look_alike::extents;
template <class T, class E, class L>
using other = look_alike::mdspan<T, E, L>;

BOOST_AUTO_TEST_CASE(static_extents_and_strides_are_kept) {
  float memory[6] = {1, 2, 3, 4, 5, 6};
  other<float, extents<2, 3>, look_alike::layout_left> left{memory, {}};
  auto v = bl::from(left);
  static_assert(std::is_same_v<decltype(v), bl::view<float, bl::shape<2, 3>, bl::static_strides<1, 2>>>);
  BOOST_TEST(v(1, 2) == 6.0F);
  BOOST_TEST(v(0, 1) == 3.0F);
  other<const float, extents<3, dynamic>, look_alike::layout_right> right{memory, {{{3, 2}}}};
  auto w = bl::from(right);
  static_assert(std::is_same_v<decltype(w), bl::view<const float, bl::shape<3, bl::dyn>, bl::row_major>>);
  BOOST_TEST(w(2, 1) == 6.0F);
  BOOST_TEST(w.data() == memory);
  other<float, extents<dynamic, dynamic>, look_alike::layout_stride> strided{memory, {{{{2, 2}}}, {{3, 2}}}};
  BOOST_TEST(bl::from(strided)(1, 1) == 6.0F);
  bl::tensor r = strided + bl::dtensor<float, 1>{10, 20};
  BOOST_TEST(r(1, 1) == 26.0F);
  bl::assign(strided, 0);
  BOOST_TEST(memory[3] == 0.0F);
}

BOOST_AUTO_TEST_SUITE_END()
