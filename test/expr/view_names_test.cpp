// Views, parts and joins by NumPy's and PyTorch's names, against both; what is static stays static; like arrays.
#include "index/vocabulary_cases.hpp"

#include <broadloom/expr/view_names.hpp>
#include <broadloom/index/column_stack.hpp>
#include <broadloom/index/tensor_split.hpp>
#include <broadloom/tensor/flatten.hpp>
#include <broadloom/tensor/like.hpp>

using namespace vocabulary;
using namespace bl::literals;

namespace {
template <index_cases::bl::index... N>
constexpr bool has_shape(const auto& x) {
  return std::is_same_v<typename std::remove_cvref_t<decltype(x)>::shape_type, bl::shape<N...>>;
}
template <class Parts>
bool part_is(const line& l, const Parts& parts, bl::index at) {
  return at < static_cast<bl::index>(parts.size()) && l.result().is(parts[static_cast<std::size_t>(at)]);
}
}  // namespace

BOOST_AUTO_TEST_SUITE(expr_view_names)

BOOST_AUTO_TEST_CASE(views_are_those_of_pytorch_and_numpy) {
  each_vocabulary("flatten", 18, [](const line& l, const auto& x) { return l.result().is(bl::flatten(x)); });
  each_vocabulary("ravel", 18, [](const line& l, const auto& x) { return l.result().is(bl::ravel(x)); });
  each_vocabulary("atleast_1d", 18, [](const line& l, const auto& x) { return l.result().is(bl::atleast_1d(x)); });
  each_vocabulary("atleast_2d", 18, [](const line& l, const auto& x) { return l.result().is(bl::atleast_2d(x)); });
  each_vocabulary("atleast_3d", 18, [](const line& l, const auto& x) { return l.result().is(bl::atleast_3d(x)); });
  each_vocabulary("flipud", 18, [](const line& l, const auto& x) { return l.result().is(bl::flipud(x)); });
  each_vocabulary("expand_dims", 18,
                  [](const line& l, const auto& x) { return l.result().is(bl::expand_dims(x, l.axis)); });
  each_vocabulary("unflatten", 18,
                  [](const line& l, const auto& x) { return l.result().is(bl::unflatten(x, l.axis, 2, -1)); });
  each_vocabulary("swapaxes", 18, [](const line& l, const auto& x) {
    return l.result().is(bl::swapaxes(x, l.axis, std::stol(l.parameter)));
  });
  each_vocabulary("moveaxis", 18, [](const line& l, const auto& x) {
    return l.result().is(bl::moveaxis(x, l.axis, std::stol(l.parameter)));
  });
  each_vocabulary("moveaxis_two", 3, [](const line& l, const auto& x) {
    return of_rank<3>(x, [&](const auto& y) {
      const auto p = list_of(l.parameter);
      return l.result().is(bl::moveaxis(y, std::array<bl::index, 2>{p[0], p[1]}, std::array<bl::index, 2>{p[2], p[3]}));
    });
  });
  each_vocabulary("fliplr", 12, [](const line& l, const auto& x) {
    if constexpr (rank_of<decltype(x)> > 1) return l.result().is(bl::fliplr(x));
    return false;
  });
  each_vocabulary("flatten_from_1", 2, [](const line& l, const auto& x) {
    if constexpr (rank_of<decltype(x)> > 1) return l.result().is(bl::flatten(x, 1_c));
    return false;
  });
  each_vocabulary("flatten_to_1", 2, [](const line& l, const auto& x) {
    if constexpr (rank_of<decltype(x)> > 1) return l.result().is(bl::flatten(x, 0_c, 1_c));
    return false;
  });
}

BOOST_AUTO_TEST_CASE(parts_and_joins_are_those_of_pytorch) {
  each_vocabulary("unbind", 45, [](const line& l, const auto& x) {
    return part_is(l, bl::unbind(x, l.axis), std::stol(l.parameter));
  });
  each_vocabulary("tensor_split", 50, [](const line& l, const auto& x) {
    const auto p = list_of(l.parameter);
    return part_is(l, bl::tensor_split(x, p[0], l.axis), p[1]);
  });
  each_vocabulary("tensor_split_at", 54, [](const line& l, const auto& x) {
    const auto p = list_of(l.parameter);
    return part_is(l, bl::tensor_split(x, {p[0], p[1]}, l.axis), p[2]);
  });
  each_vocabulary("hsplit", 54,
                  [](const line& l, const auto& x) { return part_is(l, bl::hsplit(x, 3), list_of(l.parameter)[1]); });
  each_vocabulary("vsplit", 36, [](const line& l, const auto& x) {
    if constexpr (rank_of<decltype(x)> > 1) return part_is(l, bl::vsplit(x, 3), list_of(l.parameter)[1]);
    return false;
  });
  each_vocabulary("dsplit", 18, [](const line& l, const auto& x) {
    if constexpr (rank_of<decltype(x)> > 2) return part_is(l, bl::dsplit(x, 3), list_of(l.parameter)[1]);
    return false;
  });
  each_vocabulary("dstack", 18, [](const line& l, const auto& x) { return l.result().is(bl::dstack(x, x + 1)); });
  each_vocabulary("column_stack", 18, [](const line& l, const auto& x) {
    return l.result().is(bl::column_stack(x, l.arrays[1].template as<double, rank_of<decltype(x)>>()));
  });
}

BOOST_AUTO_TEST_CASE(static_extents_stay) {
  const bl::tensor<float, bl::shape<2, 3>> a{{1, 2, 3}, {4, 5, 6}};
  BOOST_TEST((has_shape<6>(bl::flatten(a))));
  BOOST_TEST((has_shape<2, 1, 3>(bl::unflatten(a, 1_c, -1_c, 3_c))));
  BOOST_TEST((has_shape<3, 2>(bl::moveaxis(a, bl::axes<0>, bl::axes<1>))));
  BOOST_TEST((has_shape<2, 3, 1>(bl::atleast_3d(a))));
  BOOST_TEST((has_shape<2, 3, 2>(bl::dstack(a, a))));
  BOOST_TEST((has_shape<2, 1>(bl::hsplit(a, 3_c)[0])));
  BOOST_TEST((has_shape<2>(bl::unbind(a, 1_c)[0])));
  BOOST_TEST((has_shape<2, 3>(bl::zeros_like(a + a))));
}

BOOST_AUTO_TEST_CASE(views_of_what_is_writable_are_writable) {
  bl::dtensor<int, 2> a(2, 3);
  bl::flatten(a) = bl::arange<int>(6);
  bl::fliplr(a)(0, 0) = 9;
  bl::unbind(a, 0)[1] = 7;
  bl::tensor_split(a, 2, 1)[1] += 1;
  BOOST_TEST((equal(a, bl::dtensor<int, 2>{{0, 1, 10}, {7, 7, 8}})));
}

BOOST_AUTO_TEST_CASE(arrays_like_others) {
  const bl::dtensor<float, 2> a(2, 3);
  BOOST_TEST((equal(bl::ones_like(a), bl::ones<float>(2, 3))));
  BOOST_TEST((equal(bl::full_like<int>(a * a, 4), bl::full(bl::dshape<2>(2, 3), 4))));
  static_assert(std::is_same_v<decltype(bl::zeros_like<double>(a)), bl::dtensor<double, 2>>);
  BOOST_TEST((bl::empty_like(a).shape() == a.shape()));
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused) {
  const bl::dtensor<float, 2> a(2, 3);
  BOOST_TEST(first_line(text_of<bl::shape_error>([&] { bl::vsplit(a, 3); })) ==
             "vsplit attempted to split along dimension 0, but the size of the dimension 2 is not divisible by the "
             "split_size 3!");
  BOOST_TEST(first_line(text_of<bl::shape_error>([&] { bl::tensor_split(a, 0); })) ==
             "number of sections must be larger than 0, got 0");
  BOOST_CHECK_THROW(bl::unflatten(a, 1, 2, 2), bl::shape_error);
  BOOST_CHECK_THROW(bl::moveaxis(a, std::array<int, 2>{0, 0}, std::array<int, 2>{0, 1}), bl::index_error);
}

BOOST_AUTO_TEST_SUITE_END()
