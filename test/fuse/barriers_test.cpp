// A tree with reductions in it gives, bit for bit, what its parts give one after the other.
#include <broadloom/broadloom.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

namespace bl = broadloom;

namespace {

using matrix = bl::dtensor<float, 2>;

std::uint32_t seed = 99;
int next_int(int n) {
  seed = seed * 1664525u + 1013904223u;
  return static_cast<int>((seed >> 8) % static_cast<std::uint32_t>(n));
}
matrix random_matrix(bl::index rows, bl::index columns) {
  matrix m(rows, columns);
  for (bl::index i = 0; i < m.size(); ++i) m.data()[i] = static_cast<float>(next_int(1 << 20) - (1 << 19)) / 65536.0f;
  return m;
}

template <class A, class B>
void same_bits(const A& a, const B& b, const std::string& what) {
  BOOST_TEST((a.shape() == b.shape()), what);
  if (!(a.shape() == b.shape())) return;
  BOOST_TEST(std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof *a.data()) == 0, what);
}

const bl::policy policies[] = {bl::seq, bl::par, bl::par.threads(3)};

}  // namespace

// A view of a reduction, in a constant expression.
constexpr bl::tensor<float, bl::shape<2, 3>> few{{1, 2, 3}, {4, 5, 6}};
static_assert(bl::flip(bl::sum(few, bl::axes<0>), 0)(0) == 9 && bl::flip(bl::sum(few, bl::axes<0>), 0)(2) == 5);

BOOST_AUTO_TEST_SUITE(fuse_barriers)

BOOST_AUTO_TEST_CASE(operands_of_one_type_and_memory_are_told_apart) {
  const matrix x{{1, 2}, {30, 40}};
  const auto columns = [&x](int first, int second) { return bl::sum(bl::permute(x, first, second), bl::axes<0>); };
  BOOST_TEST(bl::to_string(bl::eval(columns(0, 1) - columns(1, 0))) == "[ 28. -28.]");
  BOOST_TEST(bl::to_string(bl::eval(bl::sum(x, 0) - bl::sum(x, 1))) == "[ 28. -28.]");
  BOOST_TEST(bl::to_string(bl::eval(bl::cumsum(x, 0) - bl::cumsum(x, 1))) == "[[  0.  -1.]\n [  1. -28.]]");
  const bl::dtensor<float, 1> y{1, 10, 100}, z{2, 20, 200};
  BOOST_TEST(bl::to_string(bl::eval(bl::sum(z) - bl::sum(y))) == "111.0");
  BOOST_TEST(bl::to_string(bl::eval(bl::sum(bl::cumsum(z, 0)) - bl::sum(bl::cumsum(y, 0)))) == "123.0");
  const auto running = [&y](int from) { return bl::sum(bl::slice(bl::cumsum(y, 0), bl::range(from, from + 2))); };
  BOOST_TEST(bl::to_string(bl::eval(running(1) - running(0))) == "110.0");
  BOOST_TEST(bl::to_string(bl::eval(bl::stack(0, running(1), running(0)))) == "[122.  12.]");
}

BOOST_AUTO_TEST_CASE(one_tree_equals_its_steps) {
  using size = std::pair<int, int>;
  const size sizes[] = {{1, 1},     {1, 7},    {5, 1},     {3, 4},    {40, 50},
                        {64, 1000}, {700, 33}, {3, 20000}, {2000, 3}, {513, 515}};
  for (const auto& [r, c] : sizes) {
    const matrix x = random_matrix(r, c), y = random_matrix(r, c), column = random_matrix(r, 1),
                 row = random_matrix(1, c);
    const matrix t = bl::eval(x.T());
    for (const bl::policy& how : policies) {
      const std::string at = std::to_string(r) + " x " + std::to_string(c);
      {  // by rows
        const matrix s = bl::eval(bl::sum(x * y, bl::axes<1>, bl::keepdim), how);
        same_bits(bl::eval(x / bl::sum(x * y, bl::axes<1>, bl::keepdim) + column, how), bl::eval(x / s + column, how),
                  "rows " + at);
      }
      {  // columns: a pass before
        const matrix s = bl::eval(bl::amax(x + row, bl::axes<0>, bl::keepdim), how);
        same_bits(bl::eval((x - bl::amax(x + row, bl::axes<0>, bl::keepdim)) * column, how),
                  bl::eval((x - s) * column, how), "columns " + at);
      }
      {  // both, and a chain
        const matrix m = bl::eval(bl::mean(x, bl::axes<1>, bl::keepdim), how);
        const matrix v = bl::eval(bl::sum(bl::square(x - m), bl::axes<1>, bl::keepdim), how);
        const bl::dtensor<float, 0> all = bl::eval(bl::sum(bl::sqrt(v)), how);
        const auto mean = bl::mean(x, bl::axes<1>, bl::keepdim);
        const auto squares = bl::sum(bl::square(x - mean), bl::axes<1>, bl::keepdim);
        same_bits(bl::eval((x - mean) / bl::sqrt(squares) + bl::sum(bl::sqrt(squares)), how),
                  bl::eval((x - m) / bl::sqrt(v) + all, how), "chain " + at);
      }
      {  // a reduction of a view of a reduction, and a reduction without its axes
        const bl::dtensor<float, 1> s = bl::eval(bl::sum(x, bl::axes<1>), how);
        same_bits(bl::eval(bl::transpose(x) * bl::sum(x, bl::axes<1>), how), bl::eval(bl::transpose(x) * s, how),
                  "vector " + at);
        same_bits(bl::eval(bl::flip(bl::sum(x, bl::axes<1>), 0) - bl::sum(t, bl::axes<0>), how),
                  bl::eval(bl::flip(s, 0) - s, how), "flip " + at);
        const bl::dtensor<float, 0> total = bl::eval(bl::amax(bl::flip(s, 0)), how);
        same_bits(bl::eval(bl::amax(bl::flip(bl::sum(x, bl::axes<1>), 0)) + x, how), bl::eval(total + x, how),
                  "twice " + at);
      }
      {  // let, shared and sliced
        const matrix e = bl::eval(x * y + 1.0f, how);
        const auto named = bl::let(x * y + 1.0f);
        same_bits(bl::eval(named * named - bl::sum(named, bl::axes<1>, bl::keepdim), how),
                  bl::eval(e * e - bl::sum(e, bl::axes<1>, bl::keepdim), how), "let " + at);
        same_bits(bl::eval(bl::slice(named, bl::range(bl::none, bl::none, 2), bl::all) +
                               bl::slice(named, bl::range(bl::none, bl::none, 2), bl::all),
                           how),
                  bl::eval(bl::slice(e + e, bl::range(bl::none, bl::none, 2), bl::all), how), "slice " + at);
        same_bits(bl::eval(named.T() + named.T(), how), bl::eval((e + e).T(), how), "turned " + at);
      }
      {  // three axes
        const auto cube = bl::unsqueeze(x, 1) - bl::unsqueeze(row, 0);
        const bl::dtensor<float, 3> whole = bl::eval(cube, how);
        const bl::dtensor<float, 2> d = bl::eval(bl::sum(bl::square(whole), bl::axes<2>), how);
        same_bits(bl::eval(bl::sqrt(bl::sum(bl::square(cube), bl::axes<2>)) + column, how),
                  bl::eval(bl::sqrt(d) + column, how), "cube " + at);
        same_bits(bl::eval(bl::sum(bl::square(cube), bl::axes<0, 1>), how),
                  bl::eval(bl::sum(bl::square(whole), bl::axes<0, 1>), how), "cube outer " + at);
      }
    }
  }
}

// Many blocks of rows that are whole vectors, which are computed in pieces while the next block's rows are asked for.
template <class T>
void check_blocks() {
  using array = bl::dtensor<T, 2>;
  for (const auto& [rows, columns] : {std::pair{301, 1024}, std::pair{403, 272}, std::pair{157, 2064}}) {
    const array wide = bl::cast<T>(random_matrix(rows, columns + 3)), y = bl::cast<T>(random_matrix(rows, columns)),
                row = bl::cast<T>(random_matrix(1, columns));
    const auto x = bl::slice(wide, bl::all, bl::range(1, columns + 1));
    const auto lost = bl::sum(bl::square(x - y), bl::axes<1>, bl::keepdim);
    const auto tree = (y - x) / bl::sqrt(lost) * row + y;
    const array s = bl::eval(bl::sum(bl::square(x - y), bl::axes<1>, bl::keepdim), bl::seq);
    const array expected = bl::eval((y - x) / bl::sqrt(s) * row + y, bl::seq);
    const array e = bl::eval(bl::exp(x - bl::amax(x, bl::axes<1>, bl::keepdim)), bl::seq);
    const array shares = bl::eval(e / bl::sum(e, bl::axes<1>, bl::keepdim), bl::seq);
    for (const bl::policy& how : policies) {
      const std::string at = std::to_string(rows) + " x " + std::to_string(columns);
      same_bits(bl::eval(tree, how), expected, at);
      same_bits(bl::eval(bl::softmax(x, 1), how), shares, "softmax " + at);
      array in_place = y;  // what is asked for is what was not written yet
      bl::assign(
          in_place,
          (in_place - x) / bl::sqrt(bl::sum(bl::square(x - in_place), bl::axes<1>, bl::keepdim)) * row + in_place, how);
      same_bits(in_place, expected, "in place " + at);
    }
  }
}

// Tiles of results in registers, whole ones and parts of one, give what the broadcast difference would give.
template <class T>
void check_pairs() {
  using points = bl::dtensor<T, 2>;
  for (const auto& [n, m] : {std::pair{9, 40}, std::pair{37, 70}, std::pair{130, 1100}})
    for (const int d : {8, 15, 16, 17, 64, 200, 512, 513}) {
      if (n == 130 && d > 64) continue;
      const points x = bl::cast<T>(random_matrix(n, d)), y = bl::cast<T>(random_matrix(m, d));
      const auto difference = bl::unsqueeze(x, 1) - bl::unsqueeze(y, 0);
      const bl::dtensor<T, 3> whole = bl::eval(difference);
      const std::string at = std::to_string(n) + " and " + std::to_string(m) + " of " + std::to_string(d);
      for (const bl::policy& how : policies) {
        same_bits(bl::eval(bl::sum(bl::square(difference), bl::axes<2>), how),
                  bl::eval(bl::sum(bl::square(whole), bl::axes<2>), how), at);
        same_bits(bl::eval(bl::amax(bl::abs(difference), bl::axes<-1>), how),
                  bl::eval(bl::amax(bl::abs(whole), bl::axes<-1>), how), at);
      }
    }
}
BOOST_AUTO_TEST_CASE(many_blocks_equal_their_steps) {
  check_blocks<float>();
  check_blocks<double>();
}

BOOST_AUTO_TEST_CASE(all_pairs_are_reduced_in_tiles) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    check_pairs<float>();
    check_pairs<double>();
  }
  bl::set_isa(bl::runtime::highest_isa());
}

// Extents of 1 that only a run shows, operands in either order, of several types, and what both sides share.
BOOST_AUTO_TEST_CASE(pairs_whose_extents_a_run_shows) {
  using cube = bl::dtensor<float, 3>;
  const auto check = [](const auto& tree, const auto& parts, const bl::policy& how, const std::string& what) {
    same_bits(bl::eval(bl::sum(tree, bl::axes<2>), how), bl::eval(bl::sum(bl::eval(parts), bl::axes<2>), how), what);
  };
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (const int d : {16, 17, 100}) {
      const matrix x = random_matrix(37, d), y = random_matrix(70, d), w = random_matrix(1, d);
      const cube a = bl::eval(bl::unsqueeze(x, 1)), b = bl::eval(bl::unsqueeze(y, 0)),
                 c = bl::eval(bl::unsqueeze(w, 1));
      const bl::dtensor<std::uint8_t, 3> bytes = bl::eval(bl::cast<std::uint8_t>(bl::abs(a)));
      for (const bl::policy& how : policies) {
        check(bl::square(a - b), bl::square(a - b), how, "first along the rows");
        check(bl::square(b - a), bl::square(b - a), how, "first along the columns");
        check(c * (b - a), c * (b - a), how, "weights first");
        check(bl::abs(a - b) * c, bl::abs(a - b) * c, how, "weights last");
        check(bl::unsqueeze(w, 0) * bl::square(bl::unsqueeze(x, 1) - bl::unsqueeze(y, 0)), c * bl::square(a - b), how,
              "known");
        check(bytes * b, bytes * b, how, "bytes");
        const matrix turned = bl::eval(bl::sum(bl::eval(bl::square(b - a)), bl::axes<2>), how);
        same_bits(bl::eval(bl::sum(bl::square(bl::movedim(b, 2, 0) - bl::movedim(a, 2, 0)), bl::axes<0>), how), turned,
                  "axis 0");
      }
    }
  }
  bl::set_isa(bl::runtime::highest_isa());
}

// Each batch has rows and columns of its own; whether the result's rows come first or last.
BOOST_AUTO_TEST_CASE(pairs_of_several_batches) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    const bl::dtensor<float, 3> x = bl::reshape(random_matrix(3 * 21, 24), 3, 21, 24),
                                y = bl::reshape(random_matrix(3 * 43, 24), 3, 43, 24);
    const auto difference = bl::unsqueeze(x, 2) - bl::unsqueeze(y, 1),
               turned = bl::unsqueeze(x, 1) - bl::unsqueeze(y, 2);
    for (const bl::policy& how : policies) {
      same_bits(bl::eval(bl::sum(bl::square(difference), bl::axes<3>), how),
                bl::eval(bl::sum(bl::eval(bl::square(difference)), bl::axes<3>), how), "rows first");
      same_bits(bl::eval(bl::sum(bl::square(turned), bl::axes<3>), how),
                bl::eval(bl::sum(bl::eval(bl::square(turned)), bl::axes<3>), how), "rows last");
    }
  }
  bl::set_isa(bl::runtime::highest_isa());
}

// Behind the last column of a tile that is not full nothing is read.
BOOST_AUTO_TEST_CASE(pairs_end_where_memory_ends) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  constexpr bl::index n = 21, m = 33, d = 24;
  const std::size_t bytes = static_cast<std::size_t>(m * d) * sizeof(float), whole = (bytes + page - 1) / page * page;
  auto* const memory =
      static_cast<char*>(mmap(nullptr, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  BOOST_REQUIRE(mprotect(memory + whole, page, PROT_NONE) == 0);
  auto* const data = reinterpret_cast<float*>(memory + whole - bytes);
  bl::dtensor<float, 2> x = bl::zeros<float>(n, d);
  for (bl::index i = 0; i < m * d; ++i) data[i] = static_cast<float>(i % 7);
  const bl::view<float, bl::dshape<2>> y(data, bl::dshape<2>(m, d), bl::dyn_strides<2>{{d, 1}});
  const bl::dtensor<float, 2> r = bl::sum(bl::square(bl::unsqueeze(x, 1) - bl::unsqueeze(y, 0)), bl::axes<2>);
  float wanted = 0;
  for (bl::index k = 0; k < d; ++k) wanted += y(m - 1, k) * y(m - 1, k);
  BOOST_TEST(r(n - 1, m - 1) == wanted);
  munmap(memory, whole + page);
}

BOOST_AUTO_TEST_CASE(an_output_that_is_read_by_its_own_reductions) {
  for (const auto& [r, c] : {std::pair{3, 4}, std::pair{400, 400}, std::pair{1000, 90}}) {
    const matrix x = random_matrix(r, c);
    for (const bl::policy& how : policies) {
      const matrix s = bl::eval(bl::sum(x, bl::axes<1>, bl::keepdim)),
                   k = bl::eval(bl::sum(x, bl::axes<0>, bl::keepdim));
      matrix y = x;
      bl::assign(y, y / bl::sum(y, bl::axes<1>, bl::keepdim), how);
      same_bits(y, bl::eval(x / s), "rows in place");
      y = matrix(x);
      bl::assign(y, y - bl::sum(y, bl::axes<0>, bl::keepdim), how);
      same_bits(y, bl::eval(x - k), "columns in place");
      if (r == c) {
        y = matrix(x);
        bl::assign(y, y.T() / bl::sum(y, bl::axes<1>, bl::keepdim), how);
        same_bits(y, bl::eval(x.T() / s), "turned in place");
        y = matrix(x);
        bl::assign(y, y / bl::sum(y.T(), bl::axes<1>, bl::keepdim), how);
        same_bits(y, bl::eval(x / k.T()), "turned in its reduction");
      }
      y = matrix(x);
      auto down = bl::slice(y, bl::range(1, bl::end), bl::all);
      const auto up = bl::slice(y, bl::range(0, -1), bl::all);
      bl::assign(down, up - bl::amax(up, bl::axes<1>, bl::keepdim), how);
      const auto before = bl::slice(x, bl::range(0, -1), bl::all);
      matrix expected = x;
      bl::slice(expected, bl::range(1, bl::end), bl::all) = before - bl::amax(before, bl::axes<1>, bl::keepdim);
      same_bits(y, expected, "a row further");
    }
  }
}

// Where the result of a reduction, a running sum or a product is the output, element for element, it needs no memory of
// its own; where it is not, or reads the output, it does.
BOOST_AUTO_TEST_CASE(results_that_may_go_straight_to_the_output) {
  const matrix x = random_matrix(200, 200);
  const auto head = [](auto& to, bl::index rows) { return bl::slice(to, bl::range(0, rows)); };
  for (const bl::policy& how : policies) {
    matrix big = bl::full<float>(bl::dshape<2>(220, 200), 7.f);
    bl::assign(head(big, 5), bl::slice(bl::cumsum(x, 0), bl::range(0, 5)), how);
    same_bits(bl::eval(head(big, 5)), bl::eval(bl::slice(bl::eval(bl::cumsum(x, 0)), bl::range(0, 5))), "some rows");
    BOOST_TEST(bool(bl::all(bl::slice(big, bl::range(5, 220)) == 7.f)));
    bl::assign(head(big, 5), bl::slice(bl::let(x * 2), bl::range(3, 8)), how);
    same_bits(bl::eval(head(big, 5)), bl::eval(bl::slice(x, bl::range(3, 8)) * 2), "rows further on");
    BOOST_TEST(bool(bl::all(bl::slice(big, bl::range(5, 220)) == 7.f)));

    for (const bl::index row : {0, 1, 150, 199}) {  // the output is a row of the operand
      matrix y = x;
      bl::assign(y(row), bl::sum(y, bl::axes<1>), how);
      same_bits(bl::eval(y(row)), bl::eval(bl::sum(x, bl::axes<1>)), "sums into row " + std::to_string(row));
      y = x;
      bl::assign(y(row), bl::sum(y, bl::axes<0>), how);
      same_bits(bl::eval(y(row)), bl::eval(bl::sum(x, bl::axes<0>)), "column sums into row " + std::to_string(row));
    }
    matrix y = x;
    bl::assign(y, bl::cumsum(bl::flip(y, 1), 1), how);
    same_bits(y, bl::eval(bl::cumsum(bl::eval(bl::flip(x, 1)), 1)), "running sums of the output backwards");
    y = x;
    bl::assign(y, bl::cumsum(y.T(), 1), how);
    same_bits(y, bl::eval(bl::cumsum(bl::eval(x.T()), 1)), "running sums of the output transposed");
    y = x;
    bl::assign(y, -bl::cumsum(x, 1), how);
    same_bits(y, bl::eval(-bl::eval(bl::cumsum(x, 1))), "running sums with another sign");
  }
}

// A leading axis of extent 1 hides no rows.
BOOST_AUTO_TEST_CASE(rows_behind_an_axis_of_extent_1_go_together) {
  const auto x = bl::zeros<float>(1, 1000, 700);
  for (const bl::planned_pass& p : bl::explain(x / bl::sum(x, bl::axes<2>, bl::keepdim)).passes) BOOST_TEST(p.by_rows);
}

// One value for each row: of another type, strided, computed from what the row itself shares.
BOOST_AUTO_TEST_CASE(values_of_rows_of_other_types_and_places) {
  for (const bl::index n : {512, 700}) {
    const bl::index rows = 1500;
    const matrix x = bl::eval(random_matrix(rows, n) * 0.25f), wide = random_matrix(rows, 5);
    const auto column = bl::slice(wide, bl::all, bl::range(1, 2));
    const auto keep = [](const auto& e) { return bl::eval(e); };
    const auto along = bl::axes<1>;
    for (const bl::policy& how : policies) {
      const auto sums = keep(bl::sum(x, along, bl::keepdim));
      same_bits(bl::eval(x / (bl::sum(x, along, bl::keepdim) + column), how), keep(x / keep(sums + column)),
                "strided column");
      same_bits(bl::eval(x * bl::sqrt(bl::abs(column)) - bl::sum(x, along, bl::keepdim), how),
                keep(keep(x * keep(bl::sqrt(keep(bl::abs(column))))) - sums), "root of a strided column");
      const auto in_double = keep(bl::sum(x, along, bl::keepdim, bl::of_type<double>));
      same_bits(bl::eval(x / bl::cast<float>(bl::sum(x, along, bl::keepdim, bl::of_type<double>)), how),
                keep(x / keep(bl::cast<float>(in_double))), "sums in double");
      same_bits(bl::eval(x - bl::cast<double>(bl::sum(x, along, bl::keepdim)), how),
                keep(x - keep(bl::cast<double>(sums))), "sums to double");
      const auto e = bl::exp(x);
      const auto exps = keep(e);
      same_bits(bl::eval(e / bl::amax(e, along, bl::keepdim), how),
                keep(exps / keep(bl::amax(exps, along, bl::keepdim))), "largest of what is shared");
      const auto named = bl::let(bl::exp(x));
      same_bits(bl::eval(named / bl::amax(named, along, bl::keepdim), how),
                keep(exps / keep(bl::amax(exps, along, bl::keepdim))), "largest of a let");
      matrix y = x;
      bl::assign(y, bl::flip(y, 1) / bl::sum(y, along, bl::keepdim), how);
      same_bits(y, keep(bl::flip(x, 1) / sums), "the output backwards");
    }
  }
}

// Small barriers have a stack of 8 KiB for their results, and a list of 64 leaves.
BOOST_AUTO_TEST_CASE(small_barriers_that_are_too_many_together) {
  const auto numbers = [](double first) { return bl::eval(bl::arange<double>(512) * 0.5 + first); };
  const auto a = numbers(1), b = numbers(2), c = numbers(3), d = numbers(4);
  const auto sum = [](const auto& x) { return bl::eval(bl::cumsum(x, 0)); };
  same_bits(bl::eval(bl::cumsum(a, 0) + bl::cumsum(b, 0) + bl::cumsum(c, 0) + bl::cumsum(d, 0)),
            bl::eval(sum(a) + sum(b) + sum(c) + sum(d)), "four of 512");
  const auto t = bl::eval(bl::slice(a, bl::range(0, 8))), u = bl::eval(bl::slice(b, bl::range(0, 8)));
  const auto nine = [&](const auto& x) { return t * u + t * x + u * x + t - x + u * t * x; };
  const auto part = [&](const auto& x) { return nine(x) * nine(u) + nine(t); };
  const auto found = bl::eval(bl::cumsum(part(t), 0) + bl::cumsum(part(u), 0) + bl::cumsum(part(t * 2), 0));
  same_bits(found, bl::eval(sum(part(t)) + sum(part(u)) + sum(part(t * 2))), "many leaves");
}

// A barrier that reads another one is computed in the output, unless that is read.
BOOST_AUTO_TEST_CASE(the_last_of_two_barriers_is_computed_in_the_output) {
  const bl::index n = 30000;
  bl::dtensor<std::int64_t, 1> x(n);
  for (bl::index i = 0; i < n; ++i) x(i) = next_int(1000) - 500;
  const auto e = [n](const auto& a) {
    return bl::cumsum(bl::cat(0, bl::slice(a, bl::range(n / 2, n)), bl::slice(a, bl::range(0, n / 2))), 0);
  };
  bl::dtensor<std::int64_t, 1> expected(n);
  std::int64_t sum = 0;
  for (bl::index i = 0; i < n; ++i) expected(i) = sum += x((i + n / 2) % n);
  for (const bl::policy how : policies) {
    bl::dtensor<std::int64_t, 1> apart(n);
    auto in_place = x;
    bl::assign(apart, e(x), how);
    bl::assign(in_place, e(in_place), how);
    same_bits(apart, expected, "apart");
    same_bits(in_place, expected, "in place");
    bl::dtensor<std::int64_t, 2> columns(n, 2);
    for (bl::index i = 0; i < columns.size(); ++i) columns.data()[i] = 7;
    bl::assign(bl::select(columns, 1, 0), e(x), how);
    bool right = true;
    for (bl::index i = 0; i < n; ++i) right = right && columns(i, 0) == expected(i) && columns(i, 1) == 7;
    BOOST_TEST(right);
  }
  const std::string way = bl::to_string(bl::explain(e(x)));
  BOOST_TEST(way.find("barrier in the output") != std::string::npos, way);
}

BOOST_AUTO_TEST_SUITE_END()
