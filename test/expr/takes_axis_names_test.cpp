// Functions that take axes of their first argument take them by the name of their size: each gives what it gives for
// the number of that axis.
#include <broadloom/expr/takes_axis_names.hpp>

#include <boost/test/unit_test.hpp>
#include <type_traits>

#include <broadloom/broadloom.hpp>

namespace bl = broadloom;
using namespace bl::literals;

namespace {

constexpr bl::index B = bl::size<"batch">, T = bl::size<"time">, F = bl::size<"feature">;

bl::tensor<float, bl::shape<B, T, F>> numbers() {
  bl::tensor<float, bl::shape<B, T, F>> x(2, 3, 4);
  int k = 0;
  for (float& v : x) v = static_cast<float>((k = (k * 7919 + 13) % 1009)) / 100;
  return x;
}

// The same types, shapes and elements.
template <class X, class Y>
void same(const X& x, const Y& y) {
  static_assert(std::is_same_v<typename X::shape_type, typename Y::shape_type>);
  static_assert(std::is_same_v<typename X::value_type, typename Y::value_type>);
  const bl::tensor p = x;
  const bl::tensor q = y;
  BOOST_TEST(bl::to_string(p.shape()) == bl::to_string(q.shape()));
  BOOST_TEST(std::equal(p.begin(), p.end(), q.begin(), q.end()));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(expr_takes_axis_names)

BOOST_AUTO_TEST_CASE(reductions) {
  const auto x = numbers();
  same(bl::sum(x, "time"_axis), bl::sum(x, 1_c));
  same(bl::sum(x, "time"_axis, "batch"_axis, bl::keepdim), bl::sum(x, 1_c, 0_c, bl::keepdim));
  same(bl::prod(x, "batch"_axis), bl::prod(x, 0_c));
  same(bl::amax(x, "feature"_axis), bl::amax(x, 2_c));
  same(bl::amin(x, "feature"_axis, bl::keepdim), bl::amin(x, 2_c, bl::keepdim));
  same(bl::mean(x, "time"_axis, bl::of_type<double>), bl::mean(x, 1_c, bl::of_type<double>));
  same(bl::var(x, "time"_axis), bl::var(x, 1_c));
  same(bl::std(x, "time"_axis), bl::std(x, 1_c));
  same(bl::argmax(x, "feature"_axis), bl::argmax(x, 2_c));
  same(bl::any(x > 5, "batch"_axis), bl::any(x > 5, 0_c));
  same(bl::norm(x, 2, "feature"_axis), bl::norm(x, 2, 2_c));
  same(bl::count_nonzero(x, "time"_axis), bl::count_nonzero(x, 1_c));
  same(bl::logsumexp(x, "time"_axis), bl::logsumexp(x, 1_c));
  same(bl::softmax(x, "feature"_axis), bl::softmax(x, 2_c));
  same(bl::log_softmax(x, "time"_axis), bl::log_softmax(x, 1_c));
  same(bl::cumsum(x, "time"_axis), bl::cumsum(x, 1_c));
  same(bl::cumprod(x, "batch"_axis), bl::cumprod(x, 0_c));
}

BOOST_AUTO_TEST_CASE(views) {
  auto x = numbers();
  same(bl::transpose(x, "batch"_axis, "feature"_axis), bl::transpose(x, 0_c, 2_c));
  same(bl::flip(x, "time"_axis), bl::flip(x, 1_c));
  same(bl::select(x, "time"_axis, 2), bl::select(x, 1_c, 2));
  same(bl::narrow(x, "feature"_axis, 1, 2_c), bl::narrow(x, 2_c, 1, 2_c));
  same(bl::movedim(x, "feature"_axis, 0_c), bl::movedim(x, 2_c, 0_c));
  same(bl::diagonal(x, 0_c, "time"_axis, "feature"_axis), bl::diagonal(x, 0_c, 1_c, 2_c));
  same(bl::windows(x, "time"_axis, 2_c), bl::windows(x, 1_c, 2_c));
  bl::select(x, "time"_axis, 0) = 7;
  BOOST_TEST(x(1, 0, 3) == 7);
}

BOOST_AUTO_TEST_CASE(indexing) {
  const auto x = numbers();
  same(bl::sort(x, "feature"_axis).values, bl::sort(x, 2_c).values);
  same(bl::argsort(x, "time"_axis), bl::argsort(x, 1_c));
  same(bl::median(x, "feature"_axis).values, bl::median(x, 2_c).values);
  const bl::tensor<bl::index, bl::shape<2>> i{2, 0};
  same(bl::index_select(x, "time"_axis, i), bl::index_select(x, 1_c, i));
  same(bl::roll(x, 1, "time"_axis), bl::roll(x, 1, 1));
  same(bl::repeat_interleave(x, 2_c, "time"_axis), bl::repeat_interleave(x, 2_c, 1_c));
}

BOOST_AUTO_TEST_SUITE_END()
