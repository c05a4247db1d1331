// The planner's decisions, one at a time: what a plan says of blocks, hoisted and shared stages and temporaries, and
// that what it decides computes the elements of the tree. Each case fails when one line of a pass is wrong.
#include <broadloom/broadloom.hpp>
#include <broadloom/eval/tuning.hpp>

#include <boost/test/unit_test.hpp>
#include <complex>
#include <cstdint>
#include <string>
#include <vector>

namespace bl = broadloom;

namespace {

// 0.1, 0.2 ...: no two elements are equal.
template <class... N>
auto counted(N... n) {
  bl::dtensor<float, sizeof...(N)> x(n...);
  for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i + 1) / 10;
  return x;
}

// How many elements of a rank 2 output differ from those of the tree, asked one by one before.
template <class Out, class E>
int differences(Out& out, const E& e) {
  std::vector<typename Out::value_type> wanted;
  for (bl::index i = 0; i < out.shape()[0]; ++i)
    for (bl::index j = 0; j < out.shape()[1]; ++j) wanted.push_back(static_cast<typename Out::value_type>(e(i, j)));
  bl::assign(out, e);
  int count = 0;
  std::size_t k = 0;
  for (bl::index i = 0; i < out.shape()[0]; ++i)
    for (bl::index j = 0; j < out.shape()[1]; ++j) count += out(i, j) != wanted[k++];
  return count;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(plan_explain_decisions)

BOOST_AUTO_TEST_CASE(blocks_are_as_large_as_planned_and_no_larger_than_the_array) {
  const auto few = bl::explain(counted(3, 4) + counted(3, 4));
  BOOST_TEST((few.blocks == "flat" && few.block_columns == 12 && few.block_rows == 1 && few.chunk == 12));
  const auto rows = bl::explain(counted(3, 300) + counted(300));
  BOOST_TEST((rows.blocks == "rows" && rows.block_columns == 300 && rows.block_rows == 3 && rows.block_count == 1));
  // The same of more elements than are evaluated without a plan.
  const auto planned = bl::explain(counted(3, 4000) + counted(4000));
  BOOST_TEST((planned.routes.front() == "blocks of rows" && planned.blocks == "rows"));
  BOOST_TEST((planned.block_columns == 4000 && planned.block_rows == 3 && planned.block_count == 1));
  // 16 KiB of all arrays, in whole cache lines of the output, or 4096 elements
  const auto merged = bl::explain(counted(1000, 10) + counted(10));
  BOOST_TEST((merged.blocks == "merged rows" && merged.block_rows == 136 && merged.block_columns == 10));
  BOOST_TEST(merged.block_count == 8);
  const auto two = bl::explain((counted(1000, 10) - counted(10)) * counted(10));
  BOOST_TEST((two.blocks == "merged rows" && two.block_rows == 96));
  const auto image = bl::full({3000, 3}, std::uint8_t{7});
  const auto mixed = bl::explain(bl::cast<std::uint8_t>(image * counted(3)));
  BOOST_TEST((mixed.blocks == "merged rows" && mixed.block_rows == 896));
  const auto bytes = bl::explain(image + bl::full({3}, std::uint8_t{7}));
  BOOST_TEST((bytes.blocks == "merged rows" && bytes.block_rows == 1344));
  // a page of what is packed beside arrays from memory: a third of the size from which they are streamed, and less
  struct usual_tuning {
    bl::tuning before = bl::current_tuning();
    ~usual_tuning() { bl::set_tuning(before); }
  } const usual;
  const auto rows_of = [&](bl::index streamed) {
    auto t = usual.before;
    t.streamed_bytes = streamed;
    bl::set_tuning(t);
    return bl::explain(counted(1000, 10) + counted(10)).block_rows;
  };
  BOOST_TEST((rows_of(80'040) == 136 && rows_of(80'041) == 96 && rows_of(3 * 80'040) == 96 && rows_of(250'000) == 136));
  // what must be packed goes by the first-level cache
  const auto wide = counted(2, 20000);
  const auto packed = bl::explain(bl::slice(wide, bl::all, bl::range(0, bl::end, 2)) * 2);
  BOOST_TEST((packed.block_columns == 2048 && packed.arrays[0].reading == "packed"));
}

// One vector function over one value a row: what it reads is written out, a chunk at a time.
BOOST_AUTO_TEST_CASE(functions_of_what_all_elements_of_a_row_share_go_by_chunks) {
  const auto column = counted(300, 1);
  bl::dtensor<float, 2> o(300, 5000);
  const auto e = bl::expand(bl::exp(column), o.shape());
  const auto x = bl::explain(o, e);
  BOOST_TEST((x.hoisted.empty() && x.chunk == 1024 && x.arrays[0].reading == "splat"));
  BOOST_TEST(bl::explain(bl::exp(counted(300, 5000))).chunk > 1024);
  BOOST_TEST(differences(o, e) == 0);
}

BOOST_AUTO_TEST_CASE(a_part_is_hoisted_with_all_that_it_reads) {
  const auto row = counted(64);
  const auto m = counted(96, 64);
  bl::dtensor<float, 2> o(96, 64);
  // A function of a function of the row, over what comes before them.
  const auto e = m + bl::exp(bl::sin(bl::cos(row * 2)));
  const auto x = bl::explain(o, e);
  BOOST_TEST(x.hoisted.size() == 1u);
  BOOST_TEST((x.hoisted[0].extents[0] == 1 && x.hoisted[0].extents[1] == 64 && x.hoisted[0].bytes == 256));
  BOOST_TEST(differences(o, e) == 0);
  // In another type than the result's, and of another element size.
  bl::dtensor<double, 2> wide(96, 64);
  const auto d = bl::cast<double>(m) + bl::cast<double>(bl::exp(row) * 2);
  BOOST_TEST(bl::explain(wide, d).hoisted.size() == 1u);
  BOOST_TEST(differences(wide, d) == 0);
  // More of it than one block.
  const auto long_row = counted(20000);
  const auto rows = counted(4, 20000);
  bl::dtensor<double, 2> long_rows(4, 20000);
  const auto l = bl::cast<double>(rows) + bl::cast<double>(bl::exp(long_row / 1000));
  BOOST_TEST(bl::explain(long_rows, l).hoisted.size() == 1u);
  BOOST_TEST(differences(long_rows, l) == 0);
  // The part leaves out what it does not read, whose columns would have to be packed, and so does the rest.
  const auto by_row = counted(96, 64) * bl::exp(counted(96, 1));
  const auto p = bl::explain(o, by_row);
  BOOST_TEST((p.routes[1] == "flat blocks" && p.arrays[0].reading == "dense" && p.arrays[1].reading == "scalar"));
  BOOST_TEST(differences(o, by_row) == 0);
  // Two parts, along each axis, and a whole function besides.
  const auto both = bl::exp(counted(96, 1)) * bl::log(row) + bl::sin(m);
  BOOST_TEST(bl::explain(o, both).hoisted.size() == 2u);
  BOOST_TEST(differences(o, both) == 0);
}

BOOST_AUTO_TEST_CASE(formulas_are_hoisted_where_most_of_it_is_saved) {
  const auto large = counted(128, 128), small = counted(32, 32);
  const auto row = counted(128);
  bl::dtensor<float, 2> o(128, 128);
  const auto e = large + 1 / bl::sqrt(row);
  BOOST_TEST(bl::explain(o, e).hoisted.size() == 1u);
  BOOST_TEST(differences(o, e) == 0);
  // Of few elements it is computed again as soon as planned for.
  BOOST_TEST(bl::explain(small + 1 / bl::sqrt(counted(32))).hoisted.empty());
  // The last function gives the result, however little it depends on.
  BOOST_TEST(bl::explain(o, bl::expand(bl::exp(row), o.shape())).hoisted.empty());
  BOOST_TEST(bl::explain(o, bl::expand(bl::exp(bl::sin(row)), o.shape())).hoisted.size() == 1u);
}

BOOST_AUTO_TEST_CASE(only_stages_that_compute_the_same_are_shared) {
  const auto a = counted(40, 50), b = counted(40, 50);
  const auto c = bl::eval(b + 1);
  bl::dtensor<float, 2> o(40, 50);
  const auto shared = [&](const auto& e) { return bl::explain(o, e).shared_stages; };
  // Two formulas of the same operands.
  const auto formulas = bl::sin(a + b) + bl::sin(a - b);
  BOOST_TEST(shared(formulas) == 0);
  BOOST_TEST(differences(o, formulas) == 0);
  // A number that differs, and one that does not.
  const auto scaled = bl::sin(a * 2) + bl::sin(a * 3) + bl::sin(a * 2);
  BOOST_TEST(shared(scaled) == 2);
  BOOST_TEST(differences(o, scaled) == 0);
  // A user's callable of two arrays, and of one array twice: it is called as often as it is written.
  int calls = 0;
  const auto f = [&calls](float x) {
    ++calls;
    return x + 1;
  };
  const auto two = bl::pointwise(f, b) * bl::pointwise(f, c) + bl::pointwise(f, b);
  BOOST_TEST(shared(two) == 0);
  bl::assign(o, two, bl::seq);
  BOOST_TEST(calls == 3 * 2000);
  BOOST_TEST(o(3, 7) == (b(3, 7) + 1) * (c(3, 7) + 1) + (b(3, 7) + 1));
}

// Arrays and numbers that occur more than once are read once where a program has stages.
BOOST_AUTO_TEST_CASE(equal_operands_of_several_stages_are_one) {
  auto a = counted(50, 50);
  const auto b = counted(50, 50);
  bl::dtensor<float, 2> o(50, 50);
  const auto arrays = [](const auto& e) { return bl::explain(e).arrays.size(); };
  const auto same = bl::log(bl::exp(a * 0.02F) + a) - a * 0.02F;
  BOOST_TEST((arrays(same) == 3u && bl::explain(same).shared_stages == 0));
  BOOST_TEST(bl::explain(same).bytes_read == 10004);
  BOOST_TEST(differences(o, same) == 0);
  // Other memory, other strides of the same memory, one row of it.
  const auto other = bl::log(bl::exp(a * 0.02F) + b) - a * 0.02F;
  BOOST_TEST((arrays(other) == 4u && differences(o, other) == 0));
  const auto transposed = bl::log(bl::exp(a * 0.02F) + a.T()) - a * 0.02F;
  BOOST_TEST((arrays(transposed) == 4u && differences(o, transposed) == 0));
  const auto row = bl::log(bl::exp(a * 0.02F) + bl::slice(a, bl::range(0, 1), bl::all)) - a * 0.02F;
  BOOST_TEST((arrays(row) == 4u && differences(o, row) == 0));
  // Numbers by their bits, of one type: 0.0 and -0.0, 5 of 32 and of 64 bits, complex ones of equal real parts.
  const auto zeros = bl::log(bl::exp(a * 0.0F) + 1.0F / (a * -0.0F)) + 1.0F / (a * 0.0F) + bl::sin(a);
  BOOST_TEST(arrays(zeros) == 5u);
  bl::assign(o, zeros);
  BOOST_TEST(o(3, 3) != o(3, 3));  // log(-inf)
  const auto i = bl::ones<std::int32_t>(50, 50);
  const auto j = bl::eval(bl::cast<std::int64_t>(a * 10));
  const auto wide = bl::log(bl::exp(bl::cast<float>(i + 5)) + bl::cast<float>(j + std::int64_t{5})) + a;
  BOOST_TEST((arrays(wide) == 6u && differences(o, wide) == 0));
  const auto z = bl::ones<std::complex<double>>(50, 50);
  const std::complex<double> up{1, 2}, down{1, -3};
  const auto parts = bl::exp(bl::sin(bl::real(z * up * up)) + bl::sin(bl::real(z * down)));
  bl::dtensor<double, 2> d(50, 50);
  BOOST_TEST((arrays(parts) == 4u && differences(d, parts) == 0));
  // More numbers than the list of known operands has rows.
  const auto powers = [&a](auto... c) { return (... + bl::sin(a * c)); };
  const auto many = powers(1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F, 7.0F, 8.0F, 9.0F, 10.0F, 11.0F, 12.0F, 13.0F, 14.0F,
                           15.0F, 16.0F, 17.0F);
  BOOST_TEST((arrays(many) == 19u && bl::explain(many).shared_stages == 0 && differences(o, many) == 0));
  // One that lies across the output is copied once.
  const auto across = bl::log(bl::exp(a.T()) + a.T()) - a.T();
  BOOST_TEST(bl::explain(a, across).routes.front() == "copied operands");
  BOOST_TEST(differences(a, across) == 0);
  // What is gathered, and what is read beside it, stays as it is.
  const auto at = bl::eval(49 - bl::arange<std::int64_t>(50));
  const auto gathered = bl::exp(b * 0.02F) * b - bl::log(bl::exp(b * 0.02F) + bl::index_select(b, 0, at));
  BOOST_TEST(differences(o, gathered) == 0);
}

BOOST_AUTO_TEST_CASE(temporaries_are_the_smaller_of_operands_and_result) {
  auto o = counted(60, 60);
  const auto b = counted(60, 60);
  BOOST_TEST(bl::explain(o, o.T() + b).temporary_bytes == 14400);
  // Two operands that overlap would take twice the result's memory.
  const auto twice = o.T() * 2 + bl::flip(o, 0) + bl::flip(o, 1);
  BOOST_TEST(bl::explain(o, twice).temporary_bytes == 14400);
  BOOST_TEST(differences(o, twice) == 0);
  // Rows that are less than it are copied themselves: each with a place of its own.
  const auto rows = bl::select(o, 0, 59) + bl::select(o, 0, 58) * bl::unsqueeze(bl::select(o, 1, 0), 1);
  BOOST_TEST(bl::explain(o, rows).temporary_bytes == 3 * 240);
  BOOST_TEST(differences(o, rows) == 0);
}

// Elements of other sizes over the same memory, seen as bytes.
BOOST_AUTO_TEST_CASE(overlap_of_elements_of_different_sizes) {
  for (const auto& [rows, columns] : {std::pair<bl::index, bl::index>{8, 9}, {80, 90}}) {
    bl::dtensor<std::int32_t, 2> o(rows, columns);
    const auto fill = [&] {
      for (bl::index i = 0; i < o.size(); ++i)
        o.data()[i] = static_cast<std::int32_t>(0x01020304u + 0x01010101u * static_cast<unsigned>(i));
    };
    auto* const bytes = reinterpret_cast<std::uint8_t*>(o.data());
    // The first bytes of the array, as many as it has elements: read before they are written.
    const bl::view<const std::uint8_t, bl::dshape<2>> first(bytes, bl::dshape<2>(rows, columns));
    fill();
    BOOST_TEST(bl::explain(o, bl::cast<std::int32_t>(first)).temporary_bytes > 0);
    BOOST_TEST(differences(o, bl::cast<std::int32_t>(first)) == 0);
    // One byte of each element, the second to the fourth: written while the elements are read in another order.
    for (int k = 0; k < 4; ++k) {
      bl::view<std::uint8_t, bl::dshape<2>> one(bytes + k, bl::dshape<2>(rows, columns),
                                                bl::dyn_strides<2>{{{4 * columns, 4}}});
      fill();
      const auto e = bl::cast<std::uint8_t>(bl::bitwise_right_shift(bl::flip(o, 0, 1), 8));
      // A few are computed on the stack, and written when all are read; of more the operand or the result is copied.
      const auto x = bl::explain(one, e);
      BOOST_TEST((x.routes.front() == "materialized on the stack") == (rows == 8));
      BOOST_TEST((x.temporary_bytes > 0) == (rows == 80));
      BOOST_TEST(differences(one, e) == 0);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
