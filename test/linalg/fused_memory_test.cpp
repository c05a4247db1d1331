// What a fused layer takes from memory, as the system counts it: no temporary of the product's size.
// Build: run-by-gcc, not-sanitized (a sanitizer keeps what is freed, and the memory of the process says nothing)
#include <sys/resource.h>

#include <boost/test/unit_test.hpp>

#include "matrices.hpp"

using matrices::random;

namespace {

// The most memory this process had so far, in bytes.
bl::index max_memory() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  return static_cast<bl::index>(use.ru_maxrss) * 1024;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linalg_fused_memory)

BOOST_AUTO_TEST_CASE(a_layer_makes_no_temporary_of_the_products_size) {
  const bl::index rows = 16384, cols = 1500, product = rows * cols * 4;
  const auto x = random<float>(1, rows, 24);
  const auto w = random<float>(2, 24, cols);
  const auto b = random<float>(3, cols);
  const auto stack = bl::from(x.data(), bl::dshape<3>(rows / 8, 8, 24));
  auto out = bl::full<float>(bl::dshape<2>(rows, cols), 1.0f);
  const auto out_stack = bl::from(out.data(), bl::dshape<3>(rows / 8, 8, cols));
  // Buffers and threads that stay are there before the count.
  bl::dtensor<float, 2> first = bl::relu(bl::matmul(bl::slice(x, bl::range(0, 1024)), w) + b);
  first = bl::dtensor<float, 2>(1, 1);
  const bl::index before = max_memory();
  out = bl::relu(bl::matmul(x, w) + b);
  const bl::index plain = max_memory() - before;
  out = bl::relu(bl::matmul(x * 2.0f, w) + b);
  const bl::index of_a_tree = max_memory() - before;
  bl::assign(out_stack, bl::relu(bl::matmul(stack, w) + b));
  const bl::index of_a_stack = max_memory() - before;
  out = bl::relu(bl::addmm(b, x, w));
  const bl::index of_a_sum = max_memory() - before;
  bl::addmm_(out, x, w, 2);
  out = bl::addmm(b, x, w, 1, 0.5);
  const bl::index in_place = max_memory() - before;
  // Stacks of matrices, their sum, outer products.
  const auto batch = random<float>(4, rows / 256, 256, 24), others = random<float>(5, rows / 256, 24, cols);
  const auto out_batch = bl::from(out.data(), bl::dshape<3>(rows / 256, 256, cols));
  const auto halves = random<float>(6, 2, rows, 12), other_halves = random<float>(7, 2, 12, cols);
  const auto u = random<float>(8, rows);
  const bl::index earlier = max_memory();
  bl::assign(out_batch, bl::baddbmm(b, batch, others));
  bl::assign(out_batch, bl::relu(bl::baddbmm(b, batch, others, 2)));
  bl::assign(out_batch, bl::relu(bl::bmm(batch, others) + b));
  bl::baddbmm_(out_batch, batch, others);
  const bl::index of_a_batch = max_memory() - earlier;
  out = bl::addbmm(b, halves, other_halves);
  out = bl::relu(bl::addbmm(b, halves, other_halves, 2));
  bl::addbmm_(out, halves, other_halves);
  const bl::index of_a_batch_added_up = max_memory() - earlier;
  out = bl::addr(b, u, b);
  out = bl::relu(bl::addr(b, u, b));
  bl::addr_(out, u, b);
  const bl::index of_an_outer_product = max_memory() - earlier;
  // One matrix for a whole stack, whole and a part at a time; a column.
  const auto one = bl::expand(w, bl::dshape<3>(rows / 256, 24, cols));
  bl::assign(out_batch, bl::baddbmm(b, batch, one));
  bl::assign(out_batch, bl::relu(bl::baddbmm(b, batch, one)));
  const bl::index of_one_matrix = max_memory() - earlier;
  const auto line = bl::from(out.data(), bl::dshape<1>(rows * cols));
  const auto lines = bl::from(out.data(), bl::dshape<2>(rows, cols));
  const auto column = bl::slice(w, bl::range(0, bl::end), 0);
  const auto same = bl::slice(x, 0);
  bl::assign(line, bl::relu(bl::matmul(bl::expand(same, bl::dshape<2>(rows * cols, 24)), column) + 1.f));
  bl::assign(line, bl::relu(bl::matmul(bl::expand(same, bl::dshape<2>(rows * cols, 24)) * 2.f, column) + 1.f));
  bl::assign(lines, bl::relu(bl::matmul(bl::expand(same, bl::dshape<3>(rows, cols, 24)), column) + b));
  const bl::index of_a_column = max_memory() - earlier;
  // A row; stacks that are trees: times a vector, a column each, one matrix for rows that are no multiple of four, and
  // a matrix each.
  const auto wide = random<float>(9, 2, 1 << 22);
  const auto two = random<float>(10, 2);
  const auto long_row = bl::from(out.data(), bl::dshape<1>(bl::index{1} << 22));
  const bl::index before_a_row = max_memory();
  bl::assign(long_row, bl::relu(bl::matmul(two, wide)) + 1.f);
  bl::assign(long_row, bl::relu(bl::matmul(two * 2.f, wide)) + 1.f);
  const bl::index of_a_row = max_memory() - before_a_row;
  const auto deep = bl::from(out.data(), bl::dshape<3>(rows / 16, 15, cols));
  const auto vector = random<float>(11, cols);
  const auto columns = random<float>(12, rows / 16, cols, 1);
  auto few = bl::full<float>(bl::dshape<2>(rows / 16, 15), 1.0f);
  const auto narrow_columns = bl::from(few.data(), bl::dshape<3>(rows / 16, 15, 1));
  const bl::index before_stacks = max_memory();
  few = bl::matmul(deep * 2.f, vector);
  few = bl::relu(bl::matmul(deep * 2.f, vector)) + 1.f;
  bl::assign(narrow_columns, bl::matmul(deep * 2.f, columns));
  bl::assign(narrow_columns, bl::relu(bl::matmul(deep * 2.f, columns)) + 1.f);
  const bl::index of_stacks_and_vectors = max_memory() - before_stacks;
  const auto odd = bl::slice(batch, bl::all, bl::range(0, 255));
  const auto odd_rows = bl::from(out.data(), bl::dshape<3>(rows / 256, 255, cols));
  const bl::index before_odd_rows = max_memory();
  bl::assign(odd_rows, bl::relu(bl::baddbmm(b, odd * 2.f, one)));
  bl::assign(odd_rows, bl::relu(bl::matmul(odd * 2.f, one) + b));
  bl::assign(odd_rows, bl::relu(bl::bmm(odd * 2.f, others) + b));
  const bl::index of_odd_rows = max_memory() - before_odd_rows;
  BOOST_TEST(of_a_row < (bl::index{4} << 22) / 4);
  BOOST_TEST(of_stacks_and_vectors < product / 4);
  BOOST_TEST(of_odd_rows < product / 4);
  BOOST_TEST(of_a_batch < product / 4);
  BOOST_TEST(of_a_batch_added_up < product / 4);
  BOOST_TEST(of_an_outer_product < product / 4);
  BOOST_TEST(of_one_matrix < product / 4);
  BOOST_TEST(of_a_column < product / 4);
  BOOST_TEST(of_a_sum < product / 4);
  BOOST_TEST(in_place < product / 4);
  BOOST_TEST(plain < product / 4);
  BOOST_TEST(of_a_tree < product / 4);
  BOOST_TEST(of_a_stack < product / 4);
  // The count sees one that is made.
  const bl::dtensor<float, 2> whole = bl::matmul(x, w);
  BOOST_TEST(whole(1, 1) == whole(1, 1));
  BOOST_TEST(max_memory() - before > product / 2);
}

BOOST_AUTO_TEST_SUITE_END()
