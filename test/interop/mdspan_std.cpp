// std::mdspan among arrays, where the standard library has it: checked by the compiler alone.
#include <broadloom/broadloom.hpp>
#include <broadloom/interop/mdspan.hpp>

namespace bl = broadloom;

#if !defined(__cpp_lib_mdspan)
#error "this standard library has no mdspan"
#endif

template <class A>
using node = bl::detail::node_of<A>;

using fixed_left = std::mdspan<float, std::extents<int, 2, 3>, std::layout_left>;
static_assert(std::is_same_v<node<fixed_left&>, bl::view<float, bl::shape<2, 3>, bl::static_strides<1, 2>>>);
using right = std::mdspan<const double, std::extents<int, 4, std::dynamic_extent>>;
static_assert(std::is_same_v<node<right>, bl::view<const double, bl::shape<4, bl::dyn>, bl::row_major>>);
using strided = std::mdspan<int, std::dextents<bl::index, 2>, std::layout_stride>;
static_assert(std::is_same_v<node<strided>, bl::view<int, bl::dshape<2>, bl::dyn_strides<2>>>);

constexpr bool reads_and_writes_the_same_elements() {
  float memory[6] = {1, 2, 3, 4, 5, 6};
  const auto v = bl::from(fixed_left(memory));
  const auto w = bl::from(std::mdspan<float, std::dextents<int, 2>>(memory, 2, 3));
  v(0, 1) = 30;
  const bl::tensor<float, bl::shape<3>> row{10, 20, 30};
  const bl::tensor<float, bl::shape<2, 3>> sum = fixed_left(memory) + row;
  return v.data() == memory && w(0, 2) == 30 && v(1, 2) == 6 && sum(1, 2) == 36;
}
static_assert(reads_and_writes_the_same_elements());

constexpr bool a_tensor_is_an_mdspan() {
  bl::tensor<double, bl::shape<2, 3>> t{{1, 2, 3}, {4, 5, 6}};
  auto m = bl::as_mdspan(t);
  static_assert(std::is_same_v<decltype(m), std::mdspan<double, std::extents<bl::index, 2, 3>>>);
  m[1, 2] = 60;
  const auto turned = bl::as_mdspan(t.T());
  static_assert(std::is_same_v<decltype(turned)::layout_type, std::layout_stride>);
  return t(1, 2) == 60 && turned[2, 1] == 60 && turned.extent(0) == 3;
}
static_assert(a_tensor_is_an_mdspan());

#if defined(BROADLOOM_MISTAKE)
static_assert(!reads_and_writes_the_same_elements());
#endif
