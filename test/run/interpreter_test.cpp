// Rows that are packed while the next ones are prefetched: elements of every size, steps to both sides, rows that lie
// apart, with blocks of a part of a row, a row and some rows, at every level. Results are those of loops. And long
// formulas, whose chunks are prefetched, and whose stages share strips.
// Build: optimised-by-sanitizers, clang-too
#include <broadloom/broadloom.hpp>
#include <broadloom/eval/tuning.hpp>

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>

namespace bl = broadloom;

namespace {

using bl::index;

// No room after the elements, and blocks that count as larger than the caches.
template <class T>
void check_rows(index rows, index columns, index down, index along) {
  std::vector<T> a(static_cast<std::size_t>(rows * columns));
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<T>(i * 7 % 61);
  const bl::view<const T, bl::dshape<2>, bl::row_major> x{a.data(), bl::dshape<2>{rows, columns}};
  const auto strided = bl::slice(x, bl::range(bl::none, bl::none, down), bl::range(bl::none, bl::none, along));
  const bl::dtensor<T, 2> out = strided + strided;
  const index first_row = down < 0 ? rows - 1 : 0, first_column = along < 0 ? columns - 1 : 0;
  bool right = true;
  for (index i = 0; i < out.extent(0); ++i)
    for (index j = 0; j < out.extent(1); ++j) {
      const T from = a[static_cast<std::size_t>((first_row + i * down) * columns + first_column + j * along)];
      right = right && out(i, j) == static_cast<T>(from + from);
    }
  BOOST_TEST(right, rows << " x " << columns << " by " << down << ", " << along << ", " << sizeof(T) << " bytes");
}

template <class T>
void check_steps() {
  for (const index down : {1, 2, -1, -3})
    for (const index along : {2, 3, 4, 5, 17, -1, -2, -3, 150})
      for (const index columns : {130, 601, 2500, 9000}) check_rows<T>(columns > 2000 ? 7 : 40, columns, down, along);
}

// n elements without room after them, through seven stages, into an array of their own and in place.
std::vector<float> through_stages(index n, bool in_place) {
  std::vector<float> a(static_cast<std::size_t>(n)), b(a.size()), out(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(i % 61) / 61;
    b[i] = static_cast<float>(i % 37) / 37;
  }
  using flat = bl::view<float, bl::dshape<1>, bl::row_major>;
  const flat x{a.data(), bl::dshape<1>{n}}, y{b.data(), bl::dshape<1>{n}};
  flat to{in_place ? a.data() : out.data(), bl::dshape<1>{n}};
  bl::assign(to, bl::tanh(bl::exp(2 * x) + y) * x + bl::log(x - y + 2));
  return in_place ? a : out;
}

// A long formula, whose stages use the strips of earlier ones again, beside one function after the other: values that
// are read late, narrow ones before wide ones and after them, a part of a vector at the end, and ramps.
void check_shared_strips(index n) {
  bl::dtensor<float, 1> a(n), b(n);
  for (index i = 0; i < n; ++i) {
    a(i) = static_cast<float>(i % 61 + 1) / 61;
    b(i) = static_cast<float>(i % 37 + 1) / 37;
  }
  const auto ramp = bl::iota<float>(n);
  const auto w = bl::sqrt(b) * 0.5F;
  const auto u = (bl::log(a / b) + b) / w;
  const auto wide = bl::exp(bl::cast<double>(u) - bl::cast<double>(bl::sin(u - w)));
  const bl::dtensor<double, 1> together =
      bl::log(wide + 1.) * bl::cast<double>(bl::tanh(u) + bl::cos(bl::cast<float>(wide) * 0.01F + ramp)) + wide;

  const bl::dtensor<float, 1> w1 = bl::sqrt(b) * 0.5F, q1 = a / b, l1 = bl::log(q1), u1 = (l1 + b) / w1, d1 = u1 - w1,
                              s1 = bl::sin(d1);
  const bl::dtensor<double, 1> e1 = bl::cast<double>(u1) - bl::cast<double>(s1), x1 = bl::exp(e1), p1 = x1 + 1.,
                               log1 = bl::log(p1);
  const bl::dtensor<float, 1> t1 = bl::tanh(u1), r1 = bl::cast<float>(x1) * 0.01F + ramp, c1 = bl::cos(r1);
  const bl::dtensor<double, 1> one_by_one = log1 * bl::cast<double>(t1 + c1) + x1;
  bool same = true;
  for (index i = 0; i < n; ++i) same = same && together(i) == one_by_one(i);
  BOOST_TEST(same, n << " elements");
}

// The same with stages of one element a row, which keep their strips.
void check_columns_beside_strips(index rows, index columns) {
  bl::dtensor<float, 2> x(rows, columns), k(rows, 1);
  for (index i = 0; i < rows; ++i) {
    k(i, 0) = static_cast<float>(i) / 8;
    for (index j = 0; j < columns; ++j) x(i, j) = static_cast<float>((i * columns + j) % 61) / 61;
  }
  const auto mean = bl::mean(x, bl::axes<1>, bl::keepdim);
  const bl::dtensor<float, 2> together =
      bl::tanh(bl::sin(x) + 1.F) * bl::cos(x) + bl::exp(mean) * bl::sin(bl::log(k + 1.F));
  const bl::dtensor<float, 2> v = mean, e = bl::exp(v), a = k + 1.F, l = bl::log(a), c = bl::sin(l), f = e * c,
                              s = bl::sin(x), s1 = s + 1.F, t = bl::tanh(s1), o = bl::cos(x), one_by_one = t * o + f;
  bool same = true;
  for (index i = 0; i < rows; ++i)
    for (index j = 0; j < columns; ++j) same = same && together(i, j) == one_by_one(i, j);
  BOOST_TEST(same, rows << " x " << columns);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rows_that_are_packed)

BOOST_AUTO_TEST_CASE(are_those_of_loops) {
  const bl::tuning before = bl::current_tuning();
  const bl::isa level = bl::runtime::active_isa();
  bl::tuning t = before;
  t.streamed_bytes = 1;
  for (const bl::isa each : bl::runtime::every_isa)
    for (const bl::index elements : {100, 2048, 8192}) {
      bl::set_isa(each);
      t.packed_elements = elements;
      bl::set_tuning(t);
      check_steps<std::int8_t>();
      check_steps<std::int16_t>();
      check_steps<float>();
      check_steps<double>();
    }
  bl::set_tuning(before);
  bl::set_isa(level);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(chunks_that_are_prefetched)

// Where arrays count as larger than a third of what is streamed, and than all of it.
BOOST_AUTO_TEST_CASE(give_the_same_bits) {
  const bl::tuning before = bl::current_tuning();
  const bl::isa level = bl::runtime::active_isa();
  for (const bl::isa each : bl::runtime::every_isa)
    for (const bl::index n : {8193, 9000, 16384, 16895, 100001})
      for (const bool in_place : {false, true}) {
        bl::set_isa(each);
        bl::set_tuning(before);
        const std::vector<float> usual = through_stages(n, in_place);
        bl::tuning t = before;
        for (const bl::index bytes : {bl::index{1}, n * 24}) {
          t.streamed_bytes = bytes;
          bl::set_tuning(t);
          BOOST_TEST(through_stages(n, in_place) == usual, n << " elements, streamed from " << bytes);
        }
      }
  bl::set_tuning(before);
  bl::set_isa(level);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(strips_that_stages_share)

BOOST_AUTO_TEST_CASE(give_what_one_function_after_the_other_gives) {
  const bl::isa level = bl::runtime::active_isa();
  for (const bl::isa each : bl::runtime::every_isa)
    for (const bl::index n : {511, 2047, 2048, 2049, 5000, 20003}) {
      bl::set_isa(each);
      check_shared_strips(n);
      check_columns_beside_strips(n > 5000 ? 300 : 7, n / 7);
    }
  bl::set_isa(level);
}

BOOST_AUTO_TEST_SUITE_END()
