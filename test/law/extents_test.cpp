// No extent, offset or count wraps: with extreme arguments every function gives what PyTorch gives, or throws. Built
// with UndefinedBehaviorSanitizer this finds every overflow on the way.
// Build: unoptimised, sanitizers-alone
#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

#include <boost/test/unit_test.hpp>
#include <new>
#include <string>

#include "../support/thrown.hpp"

namespace bl = broadloom;

namespace {

constexpr bl::index most = PTRDIFF_MAX, least = PTRDIFF_MIN, large = bl::index(1) << 40;

// What a function says that refuses what it cannot count.
template <class F>
std::string refusal(const F& f) {
  return thrown<bl::shape_error>(f);
}
template <class F>
bool refuses(const F& f) {
  return refusal(f).find("does not fit an index") != std::string::npos;
}
// Memory that nobody has. AddressSanitizer ends the program where it is asked for.
template <class F>
bool finds_no_room([[maybe_unused]] const F& f) {
#if defined(BROADLOOM_ADDRESS_SANITIZER)
  return true;
#else
  try {
    f();
  } catch (const std::bad_alloc&) {
    return true;
  }
  return false;
#endif
}
template <class X>
std::string text(const X& x) {
  return bl::to_string(bl::eval(x));
}
// Of 2^80 elements that are one.
template <class X>
auto huge(const X& one) {
  return bl::expand(one, bl::dshape<2>(large, large));
}

const bl::dtensor<int, 1> five{0, 1, 2, 3, 4};
const bl::dtensor<int, 2> matrix{{1, 2, 3}, {4, 5, 6}};
const bl::dtensor<float, 2> one{{1}};
const bl::dtensor<float, 1> none(0);

}  // namespace

BOOST_AUTO_TEST_SUITE(law_extents)

BOOST_AUTO_TEST_CASE(counting_has_no_bin_beyond_the_last) {
  const bl::dtensor<bl::index, 1> x{most, 1000};
  BOOST_TEST(refusal([&] { bl::bincount(x); }) == "bincount: 9223372036854775807 + 1 does not fit an index");
  BOOST_TEST(refuses([&] { bl::bincount(x, bl::dtensor<float, 1>{1, 2}); }));
  BOOST_TEST(refuses([&] { bl::bincount(bl::dtensor<bl::index, 1>{most - 1}); }));
  BOOST_TEST(refuses([&] { bl::bincount(bl::dtensor<bl::index, 1>{1}, most); }));
  BOOST_TEST(finds_no_room([&] { bl::bincount(bl::dtensor<bl::index, 1>{bl::index(1) << 55}); }));
  BOOST_TEST(refuses([&] { bl::histc(bl::dtensor<float, 1>{1, 2}, most); }));
  BOOST_TEST(refusal([&] { bl::bincount(five, -1); }).find("minlength should be >= 0") == 0U);
  BOOST_TEST(refusal([&] { bl::bincount(bl::dtensor<int, 1>(0), least); }).find("minlength should be >= 0") == 0U);
}

BOOST_AUTO_TEST_CASE(repeated_elements_are_counted) {
  BOOST_TEST(refusal([&] { bl::tile(five, bl::index(1) << 62); }) ==
             "tile: 5 * 4611686018427387904 does not fit an index");
  BOOST_TEST(refuses([&] { bl::repeat(five, most); }));
  BOOST_TEST(refuses([&] { bl::tile(one, large, large); }));
  BOOST_TEST(refuses([&] { bl::tile(bl::dtensor<int, 1>{1, 2, 3, 4}, bl::index(1) << 62); }));
  BOOST_TEST(refuses([&] { bl::repeat_interleave(five, most); }));
  BOOST_TEST(refuses([&] { bl::repeat_interleave(bl::dtensor<int, 1>{1, 2}, bl::index(1) << 62); }));
  BOOST_TEST(refusal([&] { bl::repeat_interleave(five, ~std::size_t(0)); }).find("can not be negative") !=
             std::string::npos);
  BOOST_TEST(refuses([&] { bl::repeat_interleave(five, bl::dtensor<bl::index, 1>{most, most, 2, 0, 0}); }));
  BOOST_TEST(text(bl::tile(none, most)) == "[]");
  BOOST_TEST(text(bl::repeat_interleave(none, most)) == "[]");
}

BOOST_AUTO_TEST_CASE(padding_is_counted) {
  BOOST_TEST(refuses([&] { bl::pad(five, {most, 1}); }));
  BOOST_TEST(refuses([&] { bl::pad(five, {most - 4, most - 4}); }));
  BOOST_TEST(refuses([&] { bl::pad(one, {large, large, large, large}); }));
  BOOST_TEST(refuses([&] { bl::pad(five, {most, most}, bl::padding::replicate); }));
  for (const auto how : {bl::padding::constant, bl::padding::reflect, bl::padding::replicate, bl::padding::circular}) {
    BOOST_TEST(refusal([&] { bl::pad(five, {least, most}, how); }) != "nothing was thrown");
    BOOST_TEST(refusal([&] { bl::pad(five, {least, least}, how); }) != "nothing was thrown");
    BOOST_TEST(refusal([&] { bl::pad(five, {-7, 5}, how); }) != "nothing was thrown");  // takes away more than there is
    BOOST_TEST(text(bl::pad(five, {-2, -1}, how)) == "[2 3]");
    BOOST_TEST(text(bl::pad(five, {-5, 0}, how)) == "[]");
    // the end of an axis that is longer than any array
    const auto long_axis = bl::expand(bl::dtensor<int, 1>{7}, bl::dshape<1>(most));
    BOOST_TEST(text(bl::pad(long_axis, {-(most - 2), 0}, how)) == "[7 7]");
  }
  BOOST_TEST(text(bl::pad(five, {-2, 3}, bl::padding::reflect)) == "[2 3 4 3 2 1]");
  BOOST_TEST(text(bl::pad(five, {4, 4}, bl::padding::reflect)) == "[4 3 2 1 0 1 2 3 4 3 2 1 0]");
  BOOST_TEST(text(bl::pad(five, {-5, 5}, bl::padding::constant, 9)) == "[9 9 9 9 9]");
}

BOOST_AUTO_TEST_CASE(joined_and_parted_arrays_are_counted) {
  const auto half = bl::expand(bl::dtensor<float, 1>{1}, bl::dshape<1>(bl::index(1) << 62));
  BOOST_TEST(refusal([&] { bl::cat(0, half, half); }) ==
             "cat: 4611686018427387904 + 4611686018427387904 does not fit an index");
  BOOST_TEST(refuses([&] { bl::cat(0, half, none); }));
  BOOST_TEST(refuses([&] { bl::cat(bl::list{half, half}, 0); }));
  BOOST_TEST(refuses([&] { bl::stack(0, huge(one)); }));
  for (const bl::index n : {most, most - 1, bl::index(5), bl::index(1) << 62}) {
    BOOST_TEST(bl::chunk(five, n).size() == 5U);
    BOOST_TEST(bl::split(five, n).size() == 1U);
  }
  BOOST_TEST(bl::chunk(none, 3).size() == 3U);
  BOOST_TEST(refuses([&] { bl::chunk(none, most); }));
  BOOST_TEST(refuses([&] { bl::split(half, 1); }));
  BOOST_TEST(bl::split(half, (bl::index(1) << 61) + 1).size() == 2U);
  BOOST_TEST(bl::chunk(half, 3).size() == 3U);
  BOOST_TEST(refusal([&] { bl::split(five, {most, most, 7}, 0); }) != "nothing was thrown");
  BOOST_TEST(refusal([&] { bl::chunk(five, least); }) != "nothing was thrown");
}

BOOST_AUTO_TEST_CASE(diagonals_may_be_anywhere) {
  const std::string whole = "[[1 2 3]\n [4 5 6]]", zeros = "[[0 0 0]\n [0 0 0]]";
  for (const bl::index far : {most, most - 1, bl::index(1) << 62, bl::index(3)}) {
    BOOST_TEST(text(bl::triu(matrix, far)) == zeros);
    BOOST_TEST(text(bl::tril(matrix, far)) == whole);
    BOOST_TEST(text(bl::triu(matrix, -far)) == whole);
    BOOST_TEST(text(bl::tril(matrix, -far)) == zeros);
    BOOST_TEST(bl::diagonal(matrix, far).size() == 0);
    BOOST_TEST(bl::diagonal(matrix, -far).size() == 0);
  }
  BOOST_TEST(text(bl::triu(matrix, least)) == whole);
  BOOST_TEST(text(bl::tril(matrix, least)) == zeros);
  BOOST_TEST(bl::diagonal(matrix, least).size() == 0);
  BOOST_TEST(bl::triu(matrix, most)(1, 2) == 0);
  BOOST_TEST(refuses([&] { bl::diag_embed(five, most); }));
  BOOST_TEST(refuses([&] { bl::diag_embed(five, least); }));
  BOOST_TEST(refuses([&] { bl::diag_embed(five, -most); }));
  BOOST_TEST(refuses([&] { bl::diag(five, bl::index(1) << 32); }));
  BOOST_TEST(refuses([&] { bl::triu(huge(one), most); }));
}

BOOST_AUTO_TEST_CASE(rolling_goes_around_as_often_as_it_is_told) {
  BOOST_TEST(text(bl::roll(five, most)) == "[3 4 0 1 2]");
  BOOST_TEST(text(bl::roll(five, least)) == "[3 4 0 1 2]");
  BOOST_TEST(text(bl::roll(matrix, {most, most, least}, {1, 1, 0})) == text(bl::roll(matrix, 2, 1)));
  BOOST_TEST(text(bl::roll(none, least, 0)) == "[]");
  BOOST_TEST(text(bl::rot90(matrix, least)) == text(matrix));
  BOOST_TEST(text(bl::rot90(matrix, most)) == text(bl::rot90(matrix, -1)));
  BOOST_TEST(refusal([&] { bl::rot90(matrix, 1, 0, -2); }) ==
             "expected rotation dims to be different, but got dim0 = 0 and dim1 = -2\n  in rot90");
}

BOOST_AUTO_TEST_CASE(reductions_refuse_what_they_cannot_count) {
  BOOST_TEST(refusal([&] { bl::sum(huge(one)); }) ==
             "the size of shape [1099511627776, 1099511627776] does not fit an index\n  in sum");
  const bl::dtensor<bool, 2> yes{{true}};
  const auto b = huge(yes);
  BOOST_TEST(refuses([&] { bl::mean(huge(one)); }));
  BOOST_TEST(refuses([&] { bl::mean(huge(one), 1); }));
  BOOST_TEST(refuses([&] { bl::var(huge(one)); }));
  BOOST_TEST(refuses([&] { bl::count_nonzero(huge(one)); }));
  BOOST_TEST(refuses([&] { bl::all(b); }));
  BOOST_TEST(refuses([&] { bl::amax(huge(one), 0); }));
  BOOST_TEST(refuses([&] { bl::argmax(huge(one)); }));
  BOOST_TEST(refuses([&] { bl::norm(huge(one), 3); }));
  BOOST_TEST(refuses([&] { bl::cumsum(huge(one), 0); }));
  BOOST_TEST(refuses([&] { bl::softmax(huge(one), 1); }));
  BOOST_TEST(refuses([&] { bl::logsumexp(huge(one)); }));
  BOOST_TEST(refuses([&] { bl::let(huge(one) + 1); }));
  BOOST_TEST(refuses([&] { bl::sum(huge(one) + 1, bl::axes<0>); }));
  BOOST_TEST(refuses([&] { bl::sum_to(huge(one), bl::dshape<1>(1)); }));
  BOOST_TEST(refuses([&] { bl::sum(bl::expand(one, bl::dshape<3>(large, large, 0))); }));
  const auto small = bl::expand(one, bl::dshape<2>(300, 20));
  BOOST_TEST(bl::eval(bl::sum(small)).item() == 6000);
  BOOST_TEST(bl::eval(bl::sum(bl::expand(none, bl::dshape<2>(0, 0)))).item() == 0);
}

BOOST_AUTO_TEST_CASE(what_reads_positions_and_masks_refuses_what_it_cannot_count) {
  const bl::dtensor<bl::index, 1> zero{0};
  const bl::dtensor<bool, 2> no{{false}};
  const auto mask = huge(no);
  BOOST_TEST(refuses([&] { bl::masked_select(huge(one), mask); }));
  BOOST_TEST(refuses([&] { bl::nonzero(huge(one)); }));
  BOOST_TEST(refuses([&] { bl::eval(bl::take(huge(one), zero)); }));
  BOOST_TEST(refuses([&] { bl::sort(huge(one)); }));
  BOOST_TEST(refuses([&] { bl::unique(huge(one)); }));
  BOOST_TEST(refuses([&] { bl::median(huge(one)); }));
  BOOST_TEST(refuses([&] { bl::cummax(huge(one), 0); }));
  BOOST_TEST(refuses([&] { bl::index_select(huge(one), 0, zero) + bl::let(huge(one) + 1); }));
  const auto column = bl::expand(bl::dtensor<signed char, 1>{1}, bl::dshape<1>(large));
  BOOST_TEST(refuses([&] { bl::cartesian_prod(column, column); }));
  BOOST_TEST(refuses([&] { bl::eval(bl::pointwise([](float x) { return x; }, huge(one))); }));
  BOOST_TEST(refuses([&] { bl::eval(huge(one)); }));
  BOOST_TEST(refuses([&] { bl::reshape(huge(one), -1); }));
}

BOOST_AUTO_TEST_CASE(linear_algebra_refuses_what_it_cannot_count) {
  BOOST_TEST(refuses([&] { bl::matmul(huge(one), huge(one)); }));
  BOOST_TEST(refuses([&] { bl::kron(huge(one), huge(one)); }));
  BOOST_TEST(refuses([&] {
    bl::dot(bl::expand(bl::dtensor<float, 1>{1}, bl::dshape<1>(most)),
            bl::expand(bl::dtensor<float, 1>{1}, bl::dshape<1>(most)));
  }));
  BOOST_TEST(refuses([&] { bl::einsum<"ij,kl->">(huge(one), huge(one)); }));
  BOOST_TEST(refuses([&] { bl::inverse(huge(one)); }));
}

BOOST_AUTO_TEST_CASE(views_take_extreme_bounds) {
  BOOST_TEST(text(bl::slice(five, bl::range(least, most))) == text(five));
  BOOST_TEST(text(bl::slice(five, bl::range(least, most, most))) == "[0]");
  BOOST_TEST(text(bl::slice(five, bl::range(bl::none, bl::none, least))) == "[4]");
  BOOST_TEST(text(bl::slice(five, bl::range(most, least, -2))) == "[4 2 0]");
  BOOST_TEST(text(bl::slice(five, bl::range(least, least))) == "[]");
  BOOST_TEST(text(bl::windows(five, 0, 2, most)) == "[[0 1]]");
  BOOST_TEST(text(bl::windows(matrix.T(), 1, 1, most)) == text(bl::windows(matrix.T(), 1, 1, 2)));
  BOOST_CHECK_THROW(bl::windows(five, 0, most), bl::shape_error);
  BOOST_CHECK_THROW(bl::windows(five, 0, least), bl::shape_error);
  BOOST_CHECK_THROW(bl::windows(five, 0, 1, least), bl::shape_error);
  BOOST_CHECK_THROW(bl::narrow(five, 0, least, 2), bl::index_error);
  BOOST_CHECK_THROW(bl::narrow(five, 0, 0, most), bl::index_error);
  BOOST_CHECK_THROW(bl::narrow(five, 0, most, most), bl::index_error);
  BOOST_CHECK_THROW(bl::narrow(five, 0, 1, least), bl::index_error);
  BOOST_CHECK_THROW(bl::select(five, 0, least), bl::index_error);
  BOOST_CHECK_THROW(bl::select(five, 0, most), bl::index_error);
  BOOST_CHECK_THROW(bl::select(five, least, 0), bl::index_error);
  BOOST_CHECK_THROW(bl::movedim(matrix, least, 0), bl::index_error);
  BOOST_CHECK_THROW(bl::flip(matrix, most), bl::index_error);
  BOOST_CHECK_THROW(bl::unsqueeze(matrix, most), bl::index_error);
  BOOST_CHECK_THROW(five(least), bl::index_error);
  BOOST_CHECK_THROW(bl::reshape(five, bl::index(1) << 62, -1), bl::shape_error);
  BOOST_CHECK_THROW(bl::reshape(five, bl::index(1) << 62, 4, -1), bl::shape_error);
  BOOST_CHECK_THROW(bl::reshape(five, least, -1), bl::shape_error);
  BOOST_CHECK_THROW(bl::expand(five, bl::dshape<1>(most)), bl::shape_error);
  bl::dtensor<float, 3> empty(1, 1, 0);
  BOOST_TEST(refuses([&] { bl::assign(bl::expand(empty, bl::dshape<3>(large, large, 0)), 1.0f); }));
}

BOOST_AUTO_TEST_CASE(arrays_are_made_as_long_as_they_say) {
  BOOST_TEST(text(bl::arange<bl::index>(most - 3, most)) ==
             "[9223372036854775804 9223372036854775805 9223372036854775806]");
  BOOST_TEST(bl::arange<bl::index>(least, most, most).size() == 3);
  BOOST_TEST(text(bl::arange<bl::index>(0, most, most)) == "[0]");
  const auto down = bl::arange<bl::index>(most, least, least);
  BOOST_TEST((down.size() == 2 && down(0) == most && down(1) == -1));
  BOOST_TEST(bl::arange<bl::index>(5, 5, -1).size() == 0);
  BOOST_TEST(bl::arange<float>(bl::index{16777217}).size() == 16777217);  // 2^24 + 1 is no float
  BOOST_TEST(
      (text(bl::arange<float>(5, std::size_t{0}, -2)) == "[5. 3. 1.]" && text(bl::arange<double>(2, 4)) == "[2. 3.]"));
  BOOST_TEST(refusal([&] { bl::arange<bl::index>(least, most); }) == "arange: too many elements");
  BOOST_TEST(refuses([&] { bl::arange<bl::index>(most); }));
  BOOST_CHECK_THROW(bl::arange<bl::index>(0, 5, 0), bl::shape_error);
  BOOST_CHECK_THROW(bl::arange<bl::index>(0, 5, least), bl::shape_error);
  BOOST_CHECK_THROW(bl::arange<bl::index>(5, 0), bl::shape_error);
  const auto wide = bl::arange<int>(INT32_MIN, INT32_MAX, 1 << 30);
  BOOST_TEST(text(wide) == "[-2147483648 -1073741824           0  1073741824]");
  BOOST_TEST(text(bl::arange<unsigned char>(250, 255, 3)) == "[250 253]");
  BOOST_CHECK_THROW(bl::arange<double>(0, 1e300), bl::shape_error);
  BOOST_CHECK_THROW(bl::arange<double>(0, std::numeric_limits<double>::quiet_NaN()), bl::shape_error);
  BOOST_TEST(refuses([&] { bl::linspace<double>(0, 1, most); }));
  BOOST_CHECK_THROW(bl::linspace<double>(0, 1, least), bl::shape_error);
  BOOST_TEST(refuses([&] { bl::eye<float>(most); }));
  BOOST_TEST(refuses([&] { bl::zeros<float>(large, large); }));
  BOOST_TEST(refuses([&] { bl::zeros<float>(bl::index(1) << 61, 1); }));
  BOOST_TEST(refuses([&] { bl::zeros<float>(large, large, 0); }));
  BOOST_TEST(refuses([&] { bl::empty<double>(0, large, large); }));
  BOOST_TEST(finds_no_room([&] { bl::zeros<float>(bl::index(1) << 60); }));
  float x = 0;
  BOOST_TEST(refuses([&] { bl::from(&x, bl::dshape<2>(large, large)); }));
}

BOOST_AUTO_TEST_SUITE_END()
