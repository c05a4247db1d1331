// Windows of pictures as columns and the sums of windows: tables of PyTorch, refusals.
#include "cases.hpp"

namespace {

using namespace signal_cases;
using namespace bl::literals;
constexpr const char* path = "test/data/signal_cases.tsv";

bl::per_axis<2> two(const std::vector<bl::index>& p, std::size_t from) { return {p[from], p[from + 1]}; }
bl::fold_options options(const std::vector<bl::index>& p, std::size_t from) {
  return {two(p, from), two(p, from + 2), two(p, from + 4)};
}
template <class F>
std::string refusal(F f) {
  return index_cases::first_line(index_cases::text_of<bl::shape_error>(f));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(signal_fold)

BOOST_AUTO_TEST_CASE(unfold_and_fold_are_pytorchs) {
  index_cases::each(
      "unfold", 24,
      [](const line& l) {
        const auto p = list_of(l.parameter);
        if (p.back() == 0)
          return near(l.result(), bl::unfold(read_array<double, 3>(l.arrays[0]), two(p, 0), options(p, 2)), 0);
        const auto x = bl::eval(bl::transpose(read_array<float, 4>(l.arrays[0])));
        return near(l.result(), bl::unfold(bl::transpose(x), two(p, 0), options(p, 2)), 0);
      },
      path);
  index_cases::each(
      "fold", 24,
      [](const line& l) {
        const auto p = list_of(l.parameter);
        if (p.back() == 0)
          return near(l.result(), bl::fold(read_array<double, 2>(l.arrays[0]), two(p, 0), two(p, 2), options(p, 4)), 1);
        const auto x = bl::eval(bl::transpose(read_array<float, 3>(l.arrays[0])));
        return near(l.result(), bl::fold(bl::transpose(x), two(p, 0), two(p, 2), options(p, 4)), 1);
      },
      path);
}

BOOST_AUTO_TEST_CASE(fold_windows_is_the_adjoint_of_windows) {
  index_cases::each(
      "fold_windows", 24,
      [](const line& l) {
        const auto p = list_of(l.parameter);
        bool ok = true;
        index_cases::with_rank(l.arrays[0].rank() - 1, [&](auto rank) {
          const auto w = read_array<double, decltype(rank)::value + 1>(l.arrays[0]);
          const auto turned = bl::eval(bl::transpose(w));
          ok = near(l.result(), bl::fold_windows(w, l.axis, p[0], p[1]), 1) &&
               near(l.result(), bl::fold_windows(bl::transpose(turned), l.axis, p[0], p[1]), 1);
        });
        return ok;
      },
      path);
  const bl::tensor<float, bl::shape<4>> x{1, 2, 3, 4};
  const auto e = bl::fold_windows(bl::windows(x, 0_c, 2_c), 0_c, 4_c);
  static_assert(std::is_same_v<decltype(e)::shape_type, bl::shape<4>>);
  BOOST_TEST(index_cases::equal(e, bl::tensor<float, bl::shape<4>>{1, 4, 6, 4}));
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused) {
  const bl::dtensor<float, 3> columns(1, 12, 8), odd(1, 13, 9);
  BOOST_TEST(
      refusal([&] { (void)bl::fold(columns, {4, 4}, {2, 2}); }) ==
      "Given output_size=(4, 4), kernel_size=(2, 2), dilation=(1, 1), padding=(0, 0), stride=(1, 1), expected size of "
      "input's dimension 2 to match the calculated number of sliding blocks 3 * 3 = 9, but got input.size(2)=8.");
  BOOST_TEST(refusal([&] { (void)bl::fold(odd, {4, 4}, {2, 2}); }) ==
             "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got "
             "input.size(1)=13 and "
             "kernel_size=(2, 2).");
  BOOST_TEST(refusal([&] { (void)bl::unfold(bl::dtensor<float, 4>(1, 3, 4, 4), {5, 2}); }) ==
             "Given spatial size (4, 4), kernel_size=(5, 2), dilation=(1, 1), padding=(0, 0), stride=(1, 1), "
             "calculated shape of "
             "the array of sliding blocks as (0, 3), but its components must be at least one.");
  BOOST_TEST(refusal([&] { (void)bl::fold_windows(bl::dtensor<float, 2>(4, 3), 0, 5); }) ==
             "windows every 1 elements do not end within 5");
}

BOOST_AUTO_TEST_SUITE_END()
