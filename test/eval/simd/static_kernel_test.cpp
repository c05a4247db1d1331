// Static shapes, unrolled for the vectors of every instruction-set level: each element equals the one computed alone,
// also in the remainder; nothing beyond the result is written; operands may overlap the output.
// Build: clang-too
#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>
#include <complex>
#include <cstdint>
#include <utility>

namespace bl = broadloom;

namespace {

template <class T, int Native, class Out, class E>
void check(const E& e) {
  using form = bl::detail::static_form<bl::view<T, Out, bl::row_major>, E, Native>;
  if constexpr (form::ok) {
    constexpr bl::index size = form::size;
    T room[size + 2];
    for (T& x : room) x = T(99);
    bl::detail::assign_static<form>(room + 1, e, typename form::whole_vectors{});
    BOOST_TEST((room[0] == T(99) && room[size + 1] == T(99)));
    bl::dtensor<T, Out::axes_count> expected;  // of run-time shape: computed by the library's loops
    expected = e;
    bool same = true;
    for (bl::index i = 0; i < size; ++i) same = same && room[i + 1] == expected.data()[i];
    BOOST_TEST(same, "elements of " << size << ", vectors of " << Native << " bytes");
  }
}

template <class T, class Shape>
auto counting(T first) {
  bl::tensor<T, Shape> x;
  T next = first;
  for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = next = static_cast<T>(next + 1);
  return x;
}

template <class T, bl::index N>
void check_line() {
  const auto a = counting<T, bl::shape<N>>(1), b = counting<T, bl::shape<N>>(3), c = counting<T, bl::shape<N>>(7);
  check<T, 16, bl::shape<N>>(a - b + c);
  check<T, 32, bl::shape<N>>(a - b + c);
  check<T, 64, bl::shape<N>>(a - b + c);
}

template <class T, bl::index N, bl::index M>
void check_plane() {
  const auto a = counting<T, bl::shape<N, 1>>(1);
  const auto b = counting<T, bl::shape<1, M>>(3);
  const auto c = counting<T, bl::shape<M>>(5);
  check<T, 16, bl::shape<N, M>>(a - b + c);
  check<T, 32, bl::shape<N, M>>(a - b + c);
  check<T, 64, bl::shape<N, M>>(a - b + c);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(eval_simd_static_kernel)

BOOST_AUTO_TEST_CASE(lines) {
  [&]<bl::index... N>(std::integer_sequence<bl::index, N...>) {
    (check_line<float, N + 1>(), ...);
  }(std::make_integer_sequence<bl::index, 19>{});
  check_line<float, 47>();
  check_line<float, 63>();
  check_line<double, 7>();
  check_line<double, 13>();
  check_line<std::int16_t, 31>();
  check_line<std::uint8_t, 63>();
}

template <bl::index N>
void check_elements_of_16_bytes() {
  using c128 = std::complex<double>;
  bl::tensor<c128, bl::shape<N>> x;
  for (bl::index i = 0; i < N; ++i) x.data()[i] = c128(static_cast<double>(i), 3);
  check<c128, 16, bl::shape<N>>(x + x);
  check<c128, 32, bl::shape<N>>(x + x);
  check<c128, 64, bl::shape<N>>(x + x);
  check<c128, 32, bl::shape<N>>(x.as_view());
  check<c128, 64, bl::shape<N>>(x.as_view());
}

// No element is left behind vectors of one.
BOOST_AUTO_TEST_CASE(elements_of_16_bytes) {
  check_elements_of_16_bytes<1>();
  check_elements_of_16_bytes<3>();
  check_elements_of_16_bytes<6>();
}

BOOST_AUTO_TEST_CASE(planes) {
  check_plane<float, 8, 8>();
  check_plane<float, 4, 12>();
  check_plane<float, 3, 5>();
  check_plane<float, 5, 4>();
  check_plane<float, 7, 2>();
  check_plane<float, 1, 20>();
  check_plane<double, 3, 6>();
  check_plane<std::uint8_t, 3, 17>();
}

BOOST_AUTO_TEST_CASE(vectors_do_not_go_past_the_ends_of_rows) {
  using bl::detail::static_form;
  using a = bl::tensor<float, bl::shape<8, 1>>;
  using b = bl::tensor<float, bl::shape<1, 8>>;
  using e = decltype(std::declval<const a&>() + std::declval<const b&>());
  using to = bl::view<float, bl::shape<8, 8>, bl::row_major>;
  static_assert(static_form<to, e, 64>::lanes == 8 && static_form<to, e, 64>::vectors == 8);
  static_assert(static_form<to, e, 16>::lanes == 4 && static_form<to, e, 16>::vectors == 16);
  using same = decltype(std::declval<const b&>() + std::declval<const b&>());
  using line = bl::view<float, bl::shape<1, 8>, bl::row_major>;
  static_assert(static_form<line, same, 64>::lanes == 16 && static_form<line, same, 64>::vectors == 1);
}

BOOST_AUTO_TEST_CASE(operands_that_overlap_with_the_result) {
  float room[15];
  for (int i = 0; i < 15; ++i) room[i] = static_cast<float>(i * i);
  using line = bl::view<float, bl::shape<13>, bl::row_major>;
  const line to(room + 1, {}), from(room, {}), ahead(room + 2, {});
  const auto e = from - ahead;
  using form = bl::detail::static_form<line, std::remove_const_t<decltype(e)>, 64>;
  bl::detail::assign_static<form>(to.data(), e, form::whole_vectors{});
  for (int i = 0; i < 13; ++i) BOOST_TEST(room[i + 1] == static_cast<float>(i * i - (i + 2) * (i + 2)));
}

BOOST_AUTO_TEST_SUITE_END()
