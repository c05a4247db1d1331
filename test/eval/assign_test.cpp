// The one door from trees to loops: what may be written where, in which words the rest is refused, and any overlap of
// the output with what is read gives what a copy made first would have given.
// Build: clang-too
#include <broadloom/broadloom.hpp>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <complex>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "thrown.hpp"

namespace bl = broadloom;

namespace {

std::string first_line(const std::string& s) { return s.substr(0, s.find('\n')); }

bl::dtensor<float, 1> counting(bl::index n) { return bl::arange<float>(static_cast<float>(n)); }

}  // namespace

BOOST_AUTO_TEST_SUITE(eval_assign)

BOOST_AUTO_TEST_CASE(an_in_place_result_that_would_grow_is_refused_and_writes_nothing) {
  auto out = bl::full<float>(bl::dshape<3>(1, 3, 1), 5.f);
  const auto x = bl::ones<float>(3, 1, 7);
  const std::string wanted = "output with shape [1, 3, 1] doesn't match the broadcast shape [3, 3, 7]";
  BOOST_TEST(first_line(thrown<bl::shape_error>([&] { out += x; })) == wanted);
  BOOST_TEST(first_line(thrown<bl::shape_error>([&] { bl::add_(out, x); })) == wanted);
  BOOST_TEST(first_line(thrown<bl::shape_error>([&] { bl::addcmul_(out, x, x); })) == wanted);
  BOOST_TEST(first_line(thrown<bl::shape_error>([&] { bl::clamp_(out, x, x); })) == wanted);
  BOOST_TEST((out.shape() == bl::shape<1, 3, 1>{}));
  for (bl::index i = 0; i < 3; ++i) BOOST_TEST(out(0, i, 0) == 5.f);
}

BOOST_AUTO_TEST_CASE(what_is_copied_into_an_output_is_expanded_to_it_or_refused) {
  auto out = bl::zeros<float>(2, 3);
  const auto x = bl::ones<float>(4);
  const std::string wanted =
      "The expanded size of the tensor (3) must match the existing size (4) at non-singleton dimension 1.  "
      "Target sizes: [2, 3].  Tensor sizes: [4]";
  BOOST_TEST(first_line(thrown<bl::shape_error>([&] { out(bl::all) = x; })) == wanted);
  BOOST_TEST(first_line(thrown<bl::shape_error>([&] { bl::assign(out, x); })) == wanted);
  BOOST_TEST(first_line(thrown<bl::shape_error>([&] { bl::slice(out, bl::all) = x + 1; })) == wanted);
  BOOST_TEST(thrown<bl::shape_error>([&] {
               bl::assign(out, bl::ones<float>(1, 2) * 1);
             }).find("(3) must match the existing size (2)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_smaller_result_is_broadcast_to_the_output) {
  bl::tensor<float, bl::shape<2, 3>> out;
  bl::assign(out, counting(3));
  BOOST_TEST((out(0, 2) == 2.f && out(1, 2) == 2.f && out(1, 0) == 0.f));
  out = 7;
  BOOST_TEST((out(0, 0) == 7.f && out(1, 2) == 7.f));
  out(bl::all) = bl::unsqueeze(counting(2), 1);
  BOOST_TEST((out(0, 2) == 0.f && out(1, 0) == 1.f && out(1, 2) == 1.f));
  bl::assign(out, bl::full<float>(bl::shape<>{}, 2.f) * 3);
  BOOST_TEST((out(0, 0) == 6.f && out(1, 2) == 6.f));
}

BOOST_AUTO_TEST_CASE(an_output_whose_elements_share_memory_is_refused) {
  const std::string wanted =
      "unsupported operation: more than one element of the written-to tensor refers to a single memory location";
  auto x = bl::zeros<float>(3);
  auto wide = bl::expand(x, bl::dshape<2>(2, 3));
  BOOST_TEST(first_line(thrown<bl::shape_error>([&] { wide = 1.f; })) == wanted);
  BOOST_TEST(first_line(thrown<bl::shape_error>([&] { wide += bl::ones<float>(2, 3); })) == wanted);
  BOOST_TEST(first_line(thrown<bl::shape_error>([&] { bl::assign(wide, bl::ones<float>(3)); })) == wanted);
  BOOST_TEST(x(0) == 0.f);
  auto once = bl::expand(x, bl::dshape<2>(1, 3));  // a stride of 0 over one element is none
  once += 1;
  BOOST_TEST((x(0) == 1.f && x(2) == 1.f));
}

BOOST_AUTO_TEST_CASE(a_view_is_written_never_rebound) {
  auto x = counting(6);
  auto low = bl::slice(x, bl::range(0, 3)), high = bl::slice(x, bl::range(3, 6));
  low = high;
  BOOST_TEST((x(0) == 3.f && x(2) == 5.f && x(3) == 3.f));
  high = 0;
  BOOST_TEST((low(0) == 3.f && x(5) == 0.f));
  bl::slice(x, bl::range(0, bl::end, 2)) = bl::slice(x, bl::range(1, bl::end, 2)) + 10;
  BOOST_TEST((x(0) == 14.f && x(1) == 4.f && x(2) == 10.f && x(4) == 10.f));
}

BOOST_AUTO_TEST_CASE(elements_are_converted_to_the_outputs_type) {
  bl::dtensor<double, 1> d(3);
  d = bl::cast<std::int16_t>(counting(3)) + std::int16_t{1};
  BOOST_TEST((d(0) == 1.0 && d(2) == 3.0));
  bl::dtensor<float, 1> f(3);
  f = bl::lt(counting(3), 1.5f);
  BOOST_TEST((f(0) == 1.f && f(1) == 1.f && f(2) == 0.f));
  bl::dtensor<std::uint8_t, 1> u(2);
  u = bl::full<int>(bl::dshape<1>(2), 300);  // as PyTorch's copy_: wraps
  BOOST_TEST(u(0) == 44);
}

BOOST_AUTO_TEST_CASE(nothing_happens_to_an_empty_output) {
  bl::dtensor<float, 2> out(0, 5);
  bl::assign(out, bl::ones<float>(5));
  out += 1;
  out = bl::exp(out);
  BOOST_TEST(out.size() == 0);
  auto x = counting(4);
  bl::slice(x, bl::range(2, 2)) = 9;
  BOOST_TEST((x(1) == 1.f && x(2) == 2.f));
}

BOOST_AUTO_TEST_CASE(the_same_under_every_policy) {
  const auto a = bl::arange<float>(60000);
  bl::dtensor<float, 1> expected(60000);
  for (bl::index i = 0; i < a.size(); ++i) expected(i) = a(i) * 2 + 1;
  for (const bl::policy& p : {bl::seq, bl::par, bl::par.threads(3), bl::par | bl::fast}) {
    bl::dtensor<float, 1> out(60000);
    bl::assign(out, a * 2 + 1, p);
    bool same = true;
    for (bl::index i = 0; i < out.size(); ++i) same = same && out(i) == expected(i);
    BOOST_TEST(same);
  }
}

BOOST_AUTO_TEST_CASE(a_matrix_plus_its_own_transpose) {
  for (const bl::index n : {2, 7, 33, 64, 300}) {
    bl::dtensor<double, 2> x(n, n);
    for (bl::index i = 0; i < n; ++i)
      for (bl::index j = 0; j < n; ++j) x(i, j) = static_cast<double>(i * 1000 + j);
    x = x + x.T();
    bool right = true;
    for (bl::index i = 0; i < n; ++i)
      for (bl::index j = 0; j < n; ++j) right = right && x(i, j) == static_cast<double>((i + j) * 1001);
    BOOST_TEST(right, "x = x + x.T() of " << n);
    x += x.T();
    right = true;
    for (bl::index i = 0; i < n; ++i)
      for (bl::index j = 0; j < n; ++j) right = right && x(i, j) == static_cast<double>((i + j) * 2002);
    BOOST_TEST(right, "x += x.T() of " << n);
  }
  bl::tensor<int, bl::shape<3, 3>> s{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  s = s.T();
  BOOST_TEST((s(0, 1) == 4 && s(1, 0) == 2 && s(2, 0) == 3));
  s -= bl::flip(s, 0);
  BOOST_TEST((s(0, 0) == -2 && s(1, 1) == 0 && s(2, 2) == 2));
}

BOOST_AUTO_TEST_CASE(a_part_plus_its_neighbour) {
  for (const bl::index n : {2, 9, 100, 5000, 70000}) {
    auto v = counting(n);
    bl::slice(v, bl::range(1, bl::end)) += bl::slice(v, bl::range(bl::none, -1));
    bool right = v(0) == 0.f;
    for (bl::index i = 1; i < n; ++i) right = right && v(i) == static_cast<float>(2 * i - 1);
    BOOST_TEST(right, "v[1:] += v[:-1] of " << n);
    auto w = counting(n);
    bl::slice(w, bl::range(bl::none, -1)) += bl::slice(w, bl::range(1, bl::end));
    right = w(n - 1) == static_cast<float>(n - 1);
    for (bl::index i = 0; i + 1 < n; ++i) right = right && w(i) == static_cast<float>(2 * i + 1);
    BOOST_TEST(right, "v[:-1] += v[1:] of " << n);
    auto u = counting(n);
    u = bl::flip(u, 0);
    right = true;
    for (bl::index i = 0; i < n; ++i) right = right && u(i) == static_cast<float>(n - 1 - i);
    BOOST_TEST(right, "v = flip(v) of " << n);
    auto z = counting(n);
    z *= bl::slice(z, bl::range(n - 1, n));  // one element of the output, broadcast
    right = true;
    for (bl::index i = 0; i < n; ++i) right = right && z(i) == static_cast<float>(i) * static_cast<float>(n - 1);
    BOOST_TEST(right, "v *= v[-1] of " << n);
  }
}

namespace {

// What an output overlaps is copied first, elements of any size.
template <class T>
void check_overlap_of() {
  constexpr bl::index rows = 37, columns = 53;
  bl::dtensor<T, 2> x(rows, columns);
  for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(static_cast<int>(i % 101));
  const bl::dtensor<T, 2> before = x;
  auto to = x(bl::range(1, rows), bl::range(2, columns));
  const auto from = x(bl::range(0, rows - 1), bl::range(0, columns - 2));
  bl::assign(to, from + static_cast<T>(1));
  bool right = true;
  for (bl::index i = 0; i < rows; ++i)
    for (bl::index j = 0; j < columns; ++j) {
      const bool moved = i >= 1 && j >= 2;
      right = right && x(i, j) == (moved ? static_cast<T>(before(i - 1, j - 2) + static_cast<T>(1)) : before(i, j));
    }
  BOOST_TEST(right, "elements of " << sizeof(T) << " bytes");
}
}  // namespace

BOOST_AUTO_TEST_CASE(overlapping_parts_with_elements_of_every_size) {
  check_overlap_of<std::uint8_t>();
  check_overlap_of<std::int16_t>();
  check_overlap_of<float>();
  check_overlap_of<double>();
  check_overlap_of<std::complex<double>>();
}

BOOST_AUTO_TEST_CASE(transcendental_functions_in_place_over_overlapping_views) {
  auto v = bl::linspace<float>(0.f, 1.f, 5000);
  const bl::dtensor<float, 1> before = v;
  bl::slice(v, bl::range(3, bl::end)) = bl::exp(bl::slice(v, bl::range(bl::none, -3))) + bl::slice(v, bl::range(2, -1));
  const bl::dtensor<float, 1> expected =
      bl::exp(bl::slice(before, bl::range(bl::none, -3))) + bl::slice(before, bl::range(2, -1));
  bool right = true;
  for (bl::index i = 0; i < expected.size(); ++i) right = right && v(i + 3) == expected(i);
  BOOST_TEST(right);
}

BOOST_AUTO_TEST_CASE(transcendental_functions_alone_and_of_numbers) {
  for (const bl::index n : {1, 7, 1000, 3001, 40001})
    for (const auto& how : {bl::par, bl::seq, bl::seq | bl::fast}) {
      const bl::dtensor<float, 1> x = bl::linspace<float>(0.1f, 3.f, n), two = x * 0.f + 2.5f;
      bl::dtensor<float, 1> alone(n), with_more(n), in_place = x, shifted(n + 1);
      bl::assign(alone, bl::exp(x), how);
      bl::assign(with_more, bl::exp(x) + 0.f, how);
      bl::assign(in_place, bl::exp(in_place), how);
      for (bl::index i = 0; i < n; ++i) shifted(i) = x(i);
      bl::assign(bl::slice(shifted, bl::range(1, bl::end)), bl::exp(bl::slice(shifted, bl::range(bl::none, -1))), how);
      bool same = true;
      for (bl::index i = 0; i < n; ++i)
        same = same && alone(i) == with_more(i) && alone(i) == in_place(i) && alone(i) == shifted(i + 1);
      BOOST_TEST(same, "exp of " << n);
      bl::dtensor<float, 1> of_number(n), of_array(n), of_one(n);
      bl::assign(of_number, bl::pow(x, 2.5f), how);
      bl::assign(of_array, bl::pow(x, two), how);
      bl::assign(of_one, bl::pow(x, bl::slice(two, bl::range(0, 1))), how);
      same = true;
      for (bl::index i = 0; i < n; ++i) same = same && of_number(i) == of_array(i) && of_number(i) == of_one(i);
      BOOST_TEST(same, "pow of " << n);
    }
}

namespace {

struct noise {
  std::uint64_t state = 1;
  bl::index below(bl::index n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<bl::index>((state >> 33) % static_cast<std::uint64_t>(n));
  }
};

using view3 = bl::view<int, bl::dshape<3>>;

// A view of part of the memory with random strides; elements of an output do not share memory.
view3 random_view(std::vector<int>& memory, const bl::index (&extents)[3], noise& r, bool output) {
  bl::dyn_strides<3> strides;
  bl::index order[3] = {0, 1, 2};
  for (int i = 2; i > 0; --i) std::swap(order[i], order[r.below(i + 1)]);
  bl::index step = 1 + r.below(2);
  for (const bl::index axis : order) {
    strides.s[axis] = r.below(3) == 0 ? -step : step;
    if (!output && r.below(4) == 0) strides.s[axis] = 0;
    if (!output && r.below(4) == 0) strides.s[axis] = r.below(7) - 3;
    step = step * extents[axis] + r.below(3);
  }
  bl::index low = 0, high = 0;
  for (int i = 0; i < 3; ++i) {
    const bl::index span = (extents[i] - 1) * strides.s[i];
    (span < 0 ? low : high) += span;
  }
  const bl::index room = static_cast<bl::index>(memory.size()) - (high - low);
  BOOST_REQUIRE(room > 0);
  return {memory.data() + r.below(room < 40 ? room : 40) - low, bl::dshape<3>(extents[0], extents[1], extents[2]),
          strides};
}

// The same elements of another memory.
view3 moved(const view3& v, std::vector<int>& from, std::vector<int>& to) {
  return {to.data() + (v.data() - from.data()), v.shape(), v.layout()};
}

// Runs `change(out, x, y)` over one memory, and again with x and y in a copy that is made first.
template <class Change>
void compare_with_copy_first(int cases, bl::index most, int threads, const Change& change) {
  noise r;
  for (int k = 0; k < cases; ++k) {
    const bl::index extents[3] = {1 + r.below(most), 1 + r.below(most), 1 + r.below(2 * most)};
    std::vector<int> memory(static_cast<std::size_t>(40 + 8 * extents[0] * extents[1] * extents[2] + 12 * most * most));
    std::iota(memory.begin(), memory.end(), 1);
    std::vector<int> result = memory, copy = memory;
    const view3 out = random_view(memory, extents, r, true), x = random_view(memory, extents, r, false),
                y = random_view(memory, extents, r, false);
    change(moved(out, memory, result), moved(x, memory, copy), moved(y, memory, copy), bl::seq);
    change(out, x, y, bl::par.threads(threads));
    if (memory != result) {
      BOOST_TEST(memory == result, "case " << k << " of extents " << extents[0] << ", " << extents[1] << ", "
                                           << extents[2] << " differs");
      return;
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(any_overlap_gives_what_a_copy_made_first_gives) {
  const auto sum = [](const view3& out, const view3& x, const view3& y, const bl::policy& p) {
    bl::assign(out, x * 3 + y, p);
  };
  const auto copy = [](const view3& out, const view3& x, const view3&, const bl::policy& p) { bl::assign(out, x, p); };
  const auto pick = [](const view3& out, const view3& x, const view3& y, const bl::policy& p) {
    bl::assign(out, bl::where(x > y, bl::transpose(bl::transpose(x)), y - x), p);
  };
  compare_with_copy_first(6000, 4, 1, sum);
  compare_with_copy_first(6000, 4, 1, copy);
  compare_with_copy_first(3000, 6, 1, pick);
  compare_with_copy_first(150, 30, 4, sum);
  compare_with_copy_first(150, 30, 4, copy);
}

BOOST_AUTO_TEST_CASE(equal_parts_give_what_they_give_apart) {
  using array = bl::dtensor<float, 1>;
  for (const bl::index n : {7, 1500, 70000}) {
    array a = (bl::arange<float>(static_cast<float>(n)) + 1) / 50000;
    const array b = a + 1, x = bl::exp(a / b), y = bl::log(b), z = x * y - x / (y + 2);
    const array all = bl::exp(a / b) * bl::log(b) - bl::exp(a / b) / (bl::log(b) + 2);
    BOOST_TEST(bl::eval(bl::all(bl::eq(all, z))).item());
    a = bl::exp(a / b) * bl::log(b) - bl::exp(a / b) / (bl::log(b) + 2);  // over what it reads
    BOOST_TEST(bl::eval(bl::all(bl::eq(a, z))).item());
  }
}

BOOST_AUTO_TEST_CASE(one_element_of_the_output_may_be_read_for_all) {
  auto x = counting(100);
  x += bl::view<const float, bl::dshape<1>>(x.data() + 50, bl::dshape<1>(1));
  BOOST_TEST((x(0) == 50.f && x(50) == 100.f && x(51) == 101.f && x(99) == 149.f));
  x += bl::select(x, 0, 3);
  BOOST_TEST((x(0) == 103.f && x(3) == 106.f && x(4) == 107.f));
}

namespace {

// An array with elements before and behind it that nobody may touch.
template <class T, int Rank>
class guarded {
 public:
  guarded(bl::dshape<Rank> s, int first)
      : data_(static_cast<std::size_t>(s.size() + 2 * guard)), all(data_.data() + guard, s, {}) {
    for (std::size_t i = 0; i < data_.size(); ++i) data_[i] = static_cast<T>((static_cast<int>(i) * 7 + first) % 61);
    before_ = data_;
  }
  bool kept() const {
    for (std::size_t i = 0; i < guard; ++i)
      if (data_[i] != before_[i] || data_[data_.size() - 1 - i] != before_[data_.size() - 1 - i]) return false;
    return true;
  }
  // What element (r, c) of something larger reads here.
  T at(bl::index r, bl::index c) const {
    const auto s = all.shape();
    const bl::index columns = s[Rank - 1], rows = Rank == 1 ? 1 : s[0];
    return data_[static_cast<std::size_t>(guard + (rows == 1 ? 0 : r) * columns + (columns == 1 ? 0 : c))];
  }
  T before(bl::index k) const { return before_[static_cast<std::size_t>(guard + k)]; }

 private:
  static constexpr bl::index guard = 64;
  std::vector<T> data_, before_;

 public:
  bl::view<T, bl::dshape<Rank>, bl::row_major> all;
};

template <class X, class Y, int RankY, class F>
int wrong_small_results(bl::index rows, bl::index columns, F assign) {
  using out_type = decltype(X{} + Y{});
  int wrong = 0;
  for (int kind = 0; kind < 16; ++kind) {
    if (RankY == 1 && (kind & 4) != 0) continue;
    const guarded<X, 2> x(bl::dshape<2>((kind & 1) != 0 ? 1 : rows, (kind & 2) != 0 ? 1 : columns), 3);
    const auto y_columns = (kind & 8) != 0 ? 1 : columns;
    const guarded<Y, RankY> y(
        [&] {
          if constexpr (RankY == 1)
            return bl::dshape<1>(y_columns);
          else
            return bl::dshape<2>((kind & 4) != 0 ? 1 : rows, y_columns);
        }(),
        5);
    guarded<out_type, 2> o(bl::dshape<2>(rows, columns), 1);
    assign(o.all, x.all, y.all);
    for (bl::index r = 0; r < rows; ++r)
      for (bl::index c = 0; c < columns; ++c) {
        auto expected = static_cast<out_type>(x.at(r, c) + y.at(r, c));
        if constexpr (F::in_place) expected = static_cast<out_type>(o.before(r * columns + c) + y.at(r, c));
        wrong += o.at(r, c) != expected;
      }
    wrong += !o.kept();
  }
  return wrong;
}

struct sum_of_two {
  static constexpr bool in_place = false;
  void operator()(const auto& o, const auto& x, const auto& y) const { o = x + y; }
};
struct added {
  static constexpr bool in_place = true;
  void operator()(auto& o, const auto&, const auto& y) const { o += y; }
};

constexpr bl::index edges[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 24, 33, 64};

}  // namespace

BOOST_AUTO_TEST_CASE(small_outputs_whose_operands_broadcast_at_every_level) {
  const bl::isa level = bl::runtime::active_isa();
  for (bl::isa wanted : bl::runtime::every_isa) {
    bl::set_isa(wanted);
    for (bl::index rows : edges)
      for (bl::index columns : edges) {
        BOOST_TEST_CONTEXT("level " << bl::to_string(wanted) << ", output " << rows << " x " << columns) {
          BOOST_TEST((wrong_small_results<float, float, 2>(rows, columns, sum_of_two{})) == 0);
          BOOST_TEST((wrong_small_results<double, double, 1>(rows, columns, sum_of_two{})) == 0);
          BOOST_TEST((wrong_small_results<std::uint8_t, float, 2>(rows, columns, sum_of_two{})) == 0);
          BOOST_TEST((wrong_small_results<float, float, 2>(rows, columns, added{})) == 0);
        }
      }
    for (bl::index n = 1; n < 150; ++n) {
      guarded<float, 1> a(bl::dshape<1>(n), 1), b(bl::dshape<1>(n), 2), one(bl::dshape<1>(1), 3),
          o(bl::dshape<1>(n), 4);
      int wrong = 0;
      const auto check = [&](auto f) {
        for (bl::index i = 0; i < n; ++i) wrong += o.at(0, i) != f(i);
        wrong += !o.kept();
      };
      o.all = a.all * b.all - 2.0f;
      check([&](bl::index i) { return a.at(0, i) * b.at(0, i) - 2.0f; });
      o.all = a.all * one.all;
      check([&](bl::index i) { return a.at(0, i) * one.at(0, 0); });
      o.all -= (a.all - b.all) * (a.all + b.all) - one.all;
      check([&](bl::index i) {
        const float x = a.at(0, i), y = b.at(0, i), z = one.at(0, 0);
        return x * z - ((x - y) * (x + y) - z);
      });
      BOOST_TEST(wrong == 0, "level " << bl::to_string(wanted) << ", " << n << " elements");
    }
  }
  bl::set_isa(level);
}

namespace {

// Short rows, where one operand lies anywhere in the memory of the output: as if it had been copied first.
template <class T>
int wrong_overlaps(bl::index rows, bl::index columns) {
  const bl::index n = rows * columns;
  const bl::dtensor<T, 2> row = [&] {
    bl::dtensor<T, 2> r(1, columns);
    for (bl::index c = 0; c < columns; ++c) r(0, c) = static_cast<T>(c + 1);
    return r;
  }();
  std::vector<T> memory(static_cast<std::size_t>(3 * n));
  int wrong = 0;
  for (int kind = 0; kind < 4; ++kind)
    for (bl::index at = 0; at <= 2 * n; at += at + 12 < n || at > n + 12 ? 5 : 1) {
      for (std::size_t k = 0; k < memory.size(); ++k) memory[k] = static_cast<T>(k % 43);
      const bl::dshape<2> s((kind & 1) != 0 ? 1 : rows, (kind & 2) != 0 ? 1 : columns);
      const bl::view<T, bl::dshape<2>, bl::row_major> x(memory.data() + at, s, {}),
          o(memory.data() + n, bl::dshape<2>(rows, columns), {});
      const bl::dtensor<T, 2> copy = x;
      bl::assign(o, x + row);
      for (bl::index r = 0; r < rows; ++r)
        for (bl::index c = 0; c < columns; ++c)
          wrong += o(r, c) != copy(s[0] == 1 ? 0 : r, s[1] == 1 ? 0 : c) + row(0, c);
      for (bl::index k = 0; k < 3 * n; ++k)
        wrong += (k < n || k >= 2 * n) && memory[static_cast<std::size_t>(k)] != static_cast<T>(k % 43);
    }
  return wrong;
}

}  // namespace

BOOST_AUTO_TEST_CASE(short_rows_that_overlap_the_output_at_every_level) {
  const bl::isa level = bl::runtime::active_isa();
  for (bl::isa wanted : bl::runtime::every_isa) {
    bl::set_isa(wanted);
    for (bl::index rows : {1, 2, 3, 8})
      for (bl::index columns : {2, 4, 8, 16}) {
        BOOST_TEST_CONTEXT("level " << bl::to_string(wanted) << ", output " << rows << " x " << columns) {
          BOOST_TEST(wrong_overlaps<float>(rows, columns) == 0);
          BOOST_TEST(wrong_overlaps<double>(rows, columns) == 0);
        }
      }
    // Four operands, of which one is a number; results narrower than what they are made of; operands that do not fit.
    const bl::dtensor<float, 2> column{{1}, {2}, {3}, {4}}, row{{1, 2, 3, 4, 5, 6, 7, 8}}, one{{5}}, three(3, 8);
    bl::dtensor<float, 2> o(4, 8), all(4, 8);
    all = 7.f;
    o = all * column + row * one - 2.f;
    bl::dtensor<bool, 2> more(4, 8);
    more = column > row;
    bl::dtensor<double, 2> wide(4, 8);
    wide = column * row;
    for (bl::index r = 0; r < 4; ++r)
      for (bl::index c = 0; c < 8; ++c) {
        BOOST_TEST(o(r, c) == 7.f * column(r, 0) + row(0, c) * 5.f - 2.f);
        BOOST_TEST(more(r, c) == (column(r, 0) > row(0, c)));
        BOOST_TEST(wide(r, c) == column(r, 0) * row(0, c));
      }
    const bl::dtensor<float, 2> before = o;
    BOOST_CHECK_THROW(bl::assign(o, three + row), bl::shape_error);
    BOOST_CHECK_THROW(bl::assign(o, row + bl::dtensor<float, 2>(1, 4)), bl::shape_error);
    // Of several stages and many elements.
    bl::dtensor<float, 2> large(300, 50);
    BOOST_CHECK_THROW(bl::assign(large, bl::exp(bl::sin(bl::dtensor<float, 2>(300, 49)))), bl::shape_error);
    BOOST_TEST(std::equal(o.data(), o.data() + 32, before.data()));
  }
  bl::set_isa(level);
}

BOOST_AUTO_TEST_SUITE_END()
