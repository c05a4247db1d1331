// Expressions over files in passes: the bits are those of memory, whatever the blocks.
// Build: sanitizers-alone (GCC would have to find HDF5 to parse it)
#include <boost/test/unit_test.hpp>
#include <broadloom/broadloom.hpp>
#include <broadloom/linalg/products.hpp>
#include <support/hdf5_sets.hpp>
#include <support/scratch_file.hpp>
#include <support/thrown.hpp>

namespace {

// f of arrays in memory and of the same in files, by blocks of so much memory.
template <class F, class... X>
void compare(const F& f, std::size_t memory, const bl::hdf5::layout& how, const X&... x) {
  const auto want = bl::eval(f(x...));
  const auto of_files = [&](const auto&... files) {
    (write_set(files.name, x, how), ...);
    const auto got = bl::hdf5::eval(
        f(bl::hdf5::open<typename X::value_type, X::shape_type::axes_count>(files.name, "/x")...), {.memory = memory});
    BOOST_TEST(same_bits(got, want));
  };
  if constexpr (sizeof...(X) == 1)
    of_files(scratch_file{});
  else
    of_files(scratch_file{}, scratch_file{});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(io_streaming)

BOOST_AUTO_TEST_CASE(columns_are_standardised_with_the_bits_of_memory) {
  const auto standardised = [](const auto& x) {
    return (x - bl::mean(x, bl::axes<0>)) / bl::std(x, bl::axes<0>, bl::keepdim);
  };
  for (const bl::index n : {1, 2, 511, 512, 513, 1536, 3000, 5121})
    compare(standardised, (60 + static_cast<std::size_t>(drawn(100))) * KiB, {.chunks = {100, 3}},
            numbers<float>(n, 1 + drawn(9)));
}

BOOST_AUTO_TEST_CASE(rows_of_which_512_exceed_the_budget) {
  for (const bl::index n : {3, 15, 17, 512, 1300, 1537})
    compare([](const auto& x) { return (x - bl::mean(x, bl::axes<0>)) / bl::std(x, bl::axes<0>, bl::keepdim); },
            300 * KiB, {}, numbers<float>(n, 701));
}

BOOST_AUTO_TEST_CASE(sums_of_all_and_of_several_axes_have_the_bits_of_memory) {
  for (int i = 0; i < 6; ++i) {
    const auto x = numbers<float>(1 + drawn(3000), 1 + drawn(5), 1 + drawn(7));
    const std::size_t memory = (300 + static_cast<std::size_t>(drawn(100))) * KiB;
    compare([](const auto& v) { return bl::sum(v); }, memory, {}, x);
    compare([](const auto& v) { return bl::sum(v, bl::axes<0, 2>); }, memory, {}, x);
  }
  compare([](const auto& v) { return bl::sum(v, bl::axes<0, 1>, bl::keepdim); }, 200 * KiB, {},
          numbers<float>(1000, 6, 8));
}

BOOST_AUTO_TEST_CASE(integers_and_extremes) {
  const auto x = numbers<std::int32_t>(4000, 3);
  compare([](const auto& v) { return bl::sum(v, 0) + bl::amax(v, 0); }, 16 * KiB, {}, x);
  const auto y = numbers<double>(4000, 3);
  compare([](const auto& v) { return bl::amax(v, 0, bl::keepdim) - bl::amin(v); }, 64 * KiB, {}, y);
}

BOOST_AUTO_TEST_CASE(barriers_within_rows_and_views) {
  const auto x = numbers<float>(3000, 8), rows = numbers<float>(3000, 1);
  const auto row = numbers<float>(8);
  compare([&](const auto& v) { return bl::softmax(v, 1) * rows + row; }, 100 * KiB, {}, x);
  compare([](const auto& v) { return v(bl::range(1, bl::index{3000})) - v(bl::range(0, bl::index{2999})); }, 100 * KiB,
          {.chunks = {64, 8}}, x);
  compare([](const auto& v, const auto& w) { return v(bl::all, bl::range(2, bl::index{6})) * w; }, 100 * KiB, {}, x,
          numbers<float>(4));
}

BOOST_AUTO_TEST_CASE(of_what_is_held_only_the_rows_that_are_read) {
  const scratch_file f;
  const auto data = numbers<float>(90, 7, 11);
  write_set(f.name, data);
  const auto x = bl::hdf5::open<float, 3>(f.name, "/x");
  using bl::all, bl::range;
  const auto held = [&](std::size_t rows, const auto& e) {
    BOOST_TEST(same_bits(bl::hdf5::eval(e(x)), bl::eval(e(data))));
    const auto told = bl::hdf5::explain(e(x));
    BOOST_TEST(told.read_before == rows * 7 * 11 * 4);
  };
  held(1, [](const auto& a) { return a(0) + 1; });
  held(1, [](const auto& a) { return a - a(89); });
  held(1, [](const auto& a) { return a(57, all, 3) * 2; });
  held(1, [](const auto& a) { return a - a(range(40, 41)); });
  held(2, [](const auto& a) { return a(3) - a(80); });
  held(1, [](const auto& a) { return a(5) - a(5, 2); });
  held(2, [](const auto& a) { return a(5) - a(6); });
  held(20, [](const auto& a) { return bl::flip(a(range(10, 30)), 0); });
  held(25, [](const auto& a) { return bl::flip(a(range(10, 30)), 0) - bl::flip(a(range(5, 25)), 0) * a(29); });
  held(0, [](const auto& a) { return a(range(10, 30)) * 2; });
  held(90, [](const auto& a) { return bl::flip(a, 0); });
  BOOST_TEST(same_bits(bl::hdf5::eval(x(0) + x(89), {.memory = 2 * KiB + KiB}), bl::eval(data(0) + data(89))));
  BOOST_TEST((thrown<bl::io_error>([&] { bl::hdf5::eval(bl::flip(x(range(10, 30)), 0), {.memory = KiB}); }) ==
              "an expression that does not go along the rows of \"/x\" of \"" + f.name +
                  "\" needs a part of it in memory: 6160 bytes, and the memory budget is 1024"));
}

BOOST_AUTO_TEST_CASE(what_does_not_go_by_rows_is_held_or_refused) {
  const scratch_file f;
  const auto data = numbers<float>(100, 100);
  write_set(f.name, data);
  const auto x = bl::hdf5::open<float, 2>(f.name, "/x");
  BOOST_TEST(same_bits(bl::hdf5::eval(x - bl::transpose(x, 0, 1), {.memory = 200 * KiB}),
                       bl::eval(data - bl::transpose(data, 0, 1))));
  BOOST_TEST((thrown<bl::io_error>([&] { bl::hdf5::eval(x - bl::transpose(x, 0, 1), {.memory = 32 * KiB}); }) ==
              "an expression that does not go along the rows of \"/x\" of \"" + f.name +
                  "\" needs all of it in memory: 40000 bytes, and the memory budget is 32768"));
  BOOST_TEST((thrown<bl::io_error>([&] {
                bl::hdf5::eval(bl::cumsum(x, 0), {.memory = 32 * KiB});
              }).starts_with("cumsum needs all of \"/x\" of \"" + f.name + "\" in memory: 40000 bytes")));
  BOOST_TEST(
      (thrown<bl::io_error>([&] { bl::hdf5::eval(bl::matmul(x, data), {.memory = 64 * KiB}); }) ==
       "matmul needs all of \"/x\" of \"" + f.name + "\" in memory: 40000 bytes, and the memory budget is 65536"));
  BOOST_TEST(same_bits(bl::hdf5::eval(bl::argmax(x, 0) + 1), bl::eval(bl::argmax(data, 0) + 1)));
  BOOST_TEST((thrown<bl::io_error>([&] {
                bl::hdf5::eval(bl::sum(x, 0), {.memory = 16 * KiB});
              }).starts_with("sum by blocks of 16 rows: ")));
}

BOOST_AUTO_TEST_SUITE_END()
