// Few elements with reductions, which go over the stack: the bits of what is computed step by step, at every
// level, for rows that are no whole number of vectors, in place, and with a user's callable.
// Build: optimised
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <broadloom/broadloom.hpp>
#include <broadloom/core/isa.hpp>
#include <broadloom/linalg.hpp>
#include <broadloom/random.hpp>

namespace {

namespace bl = broadloom;

template <class T>
using matrix = bl::dtensor<T, 2>;

template <class T>
matrix<T> numbers(int rows, int n, int first) {
  matrix<T> x(rows, n);
  for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>((i * 37 + first) % 64 + 1) / T(16);
  return x;
}

template <class T>
void same_bits(const matrix<T>& a, const matrix<T>& b, const std::string& what) {
  BOOST_TEST(
      (a.shape() == b.shape() && std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(T)) == 0),
      what);
}

template <class T>
bool goes_over_the_stack(const auto& e) {
  matrix<T> o(e.shape()[0], e.shape()[1]);
  return std::string(bl::explain(o, e).routes.front()) == "barriers on the stack";
}

std::string only_route(auto& o, const auto& e) {
  const auto routes = bl::explain(o, e).routes;
  return routes.size() == 1 ? std::string(routes[0]) : std::to_string(routes.size()) + " routes";
}

template <class T>
void compare(int rows, int n, const std::string& at) {
  const matrix<T> x = numbers<T>(rows, n, 3), y = numbers<T>(1, n, 5), column = numbers<T>(rows, 1, 7);
  const auto along = bl::axes<1>;
  const matrix<T> peak = bl::amax(x, along, bl::keepdim), e = bl::exp(x - peak), sum = bl::sum(e, along, bl::keepdim);
  const auto softmax = bl::softmax(x, 1);
  BOOST_TEST(goes_over_the_stack<T>(softmax), at);
  same_bits<T>(bl::eval(softmax), bl::eval(e / sum), "softmax " + at);
  const matrix<T> mean = bl::eval(bl::sum(x, along, bl::keepdim)) / T(n), off = x - mean;
  const matrix<T> squares = bl::sum(bl::eval(off * off), along, bl::keepdim);
  const auto d = x - bl::mean(x, along, bl::keepdim);
  same_bits<T>(bl::eval(d / bl::sqrt(bl::sum(bl::square(d), along, bl::keepdim) + column) * y),
               bl::eval(bl::eval(off / bl::eval(bl::sqrt(bl::eval(squares + column)))) * y), "layer norm " + at);
  // What a sum adds up is added as it is computed, where the rows have their own numbers.
  const auto against = [&](const auto& of_sum, const char* what) {
    const auto f = bl::let(of_sum);
    const matrix<T> all = bl::eval(of_sum);
    same_bits<T>(bl::eval(f / bl::sum(f, along, bl::keepdim)),
                 bl::eval(all / bl::eval(bl::sum(all, along, bl::keepdim))), what + at);
    same_bits<T>(bl::eval(x - bl::log(bl::sum(of_sum, along, bl::keepdim))),
                 bl::eval(x - bl::eval(bl::log(bl::eval(bl::sum(all, along, bl::keepdim))))), what + at);
    same_bits<T>(bl::eval(f + bl::sum(x, along, bl::keepdim)),  // of something else
                 bl::eval(all + bl::eval(bl::sum(x, along, bl::keepdim))), what + at);
  };
  against(bl::exp(x - column), "a number a row ");
  against(bl::exp(column * x), "a number a row first ");
  against(bl::exp(x - y), "a row for all ");
  against(bl::exp2(x), "the function alone ");
  const matrix<T> total = bl::sum(bl::eval(column * y), along, bl::keepdim);
  same_bits<T>(bl::eval(bl::pow(x, 2) - bl::log(bl::sum(column * y, along, bl::keepdim))),
               bl::eval(bl::eval(x * x) - bl::eval(bl::log(total))), "one number a row " + at);
  for (const T first : {T(1), T(-0.0)}) {  // a sum of negative zeros is one
    matrix<T> w = x * T(0) * T(-1);
    w(0, 0) = first;
    const bl::dtensor<T, 1> columns = bl::sum(w, bl::axes<0>), least = bl::amin(w + y, bl::axes<0>);
    for (int k = 0; k < n; ++k) {
      const bl::dtensor<T, 1> one = bl::select(w, 1, k);
      const T s = bl::sum(one).item(), m = bl::amin(one + y(0, k)).item();
      BOOST_TEST((std::memcmp(&s, &columns(k), sizeof s) == 0 && m == least(k)), "columns " + at);
    }
  }
  matrix<T> z = x;
  bl::assign(z, z / bl::sum(z, along, bl::keepdim));
  same_bits<T>(z, bl::eval(x / bl::eval(bl::sum(x, along, bl::keepdim))), "in place " + at);
}

// Results of many short rows and columns, which are reduced where they lie, and what is computed from them alone.
template <class T>
void compare_many(int rows, int n, const std::string& at) {
  const matrix<T> x = numbers<T>(rows, n, 3), column = numbers<T>(rows, 1, 7), other = numbers<T>(rows, 1, 2);
  const auto along = bl::axes<1>;
  const auto mean = bl::mean(x * T(2), along, bl::keepdim);
  matrix<T> to(rows, 1);
  if (n < 10) BOOST_TEST(only_route(to, mean) == "barrier in the output", at);  // longer rows may have no kernel
  same_bits<T>(bl::eval(mean), bl::eval(bl::eval(bl::sum(bl::eval(x * T(2)), along, bl::keepdim)) / T(n)),
               "mean " + at);
  const matrix<T> centre = bl::mean(x, along, bl::keepdim), squares = bl::square(x - centre);
  same_bits<T>(bl::eval(bl::var(x, along, bl::keepdim)),
               bl::eval(bl::eval(bl::sum(squares, along, bl::keepdim)) / T(n - 1)), "var " + at);
  const auto against = [&](const auto& e, const char* what) {
    const matrix<T> all = e;
    same_bits<T>(bl::eval(bl::mean(e, along, bl::keepdim)), bl::eval(bl::mean(all, along, bl::keepdim)), what + at);
    same_bits<T>(bl::eval(bl::amax(e, along, bl::keepdim) * T(3)), bl::eval(bl::amax(all, along, bl::keepdim) * T(3)),
                 what + at);
  };
  const matrix<T> third = numbers<T>(rows, 1, 4);
  const bl::dtensor<std::int8_t, 2> bytes = bl::cast<std::int8_t>(other * T(16));
  against(x * column - other, "two numbers a row ");
  against(x * column - other + third, "three numbers a row ");
  against(x * bytes, "numbers of a byte ");
}

template <class T>
void compare_columns(int rows, int n, const std::string& at) {
  const matrix<T> x = numbers<T>(rows, n, 3);
  matrix<T> sums(1, n);
  for (int k = 0; k < n; ++k) sums(0, k) = bl::sum(bl::eval(bl::select(x, 1, k))).item();
  same_bits<T>(bl::eval(bl::sum(x, bl::axes<0>, bl::keepdim)), sums, "sums of columns " + at);
  same_bits<T>(bl::eval(bl::mean(x, bl::axes<0>, bl::keepdim)), bl::eval(sums / T(rows)), "means of columns " + at);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(assign_small_barriers)

BOOST_AUTO_TEST_CASE(one_tree_equals_its_steps) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (const auto& [rows, n] :
         {std::pair{1, 1}, {1, 10}, {5, 1}, {3, 4}, {8, 8}, {7, 13}, {4, 16}, {31, 3}, {3, 50}}) {
      const std::string at = std::to_string(rows) + " x " + std::to_string(n) + ", " + bl::to_string(level);
      compare<float>(rows, n, at);
      compare<double>(rows, n, at + ", f64");
    }
  }
  bl::set_isa(bl::runtime::highest_isa());
}

BOOST_AUTO_TEST_CASE(many_rows_and_columns_equal_their_steps) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (const auto& [rows, n] : {std::pair{256, 8}, {300, 5}, {1000, 3}, {64, 32}, {60, 100}, {9, 600}, {40, 400}}) {
      const std::string at = std::to_string(rows) + " x " + std::to_string(n) + ", " + bl::to_string(level);
      compare_many<float>(rows, n, at);
      if (rows < 1000) compare_many<double>(rows, n, at + ", f64");
    }
    for (const auto& [rows, n] : {std::pair{9, 600}, {31, 20}, {33, 7}, {512, 16}, {513, 15}, {600, 1}, {1537, 5}}) {
      const std::string at = std::to_string(rows) + " x " + std::to_string(n) + ", " + bl::to_string(level);
      compare_columns<float>(rows, n, at);
      compare_columns<double>(rows, n, at + ", f64");
    }
  }
  bl::set_isa(bl::runtime::highest_isa());
}

// What functions compute: draws, gathers, products of matrices.
BOOST_AUTO_TEST_CASE(functions_equal_their_steps) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (const auto& [rows, n] : {std::pair{1, 1}, {1, 16}, {3, 7}, {8, 64}, {4, 512}}) {
      const std::string at = std::to_string(rows) + " x " + std::to_string(n) + ", " + bl::to_string(level);
      bl::generator one(7), other(7);
      const auto drawn = bl::exponential<float>(one, 3, {rows, n});
      const matrix<float> alone = bl::exponential<float>(other, {rows, n});
      BOOST_TEST(goes_over_the_stack<float>(drawn), at);
      same_bits<float>(bl::eval(drawn), bl::eval(alone * 3.F), "draws " + at);
      same_bits<float>(bl::eval(drawn), bl::eval(drawn), "the same draws again " + at);
      const matrix<float> x = numbers<float>(rows, n, 3), square = numbers<float>(rows, rows, 5);
      bl::dtensor<bl::index, 1> backwards(n);
      for (bl::index i = 0; i < n; ++i) backwards(i) = n - 1 - i;
      const auto gathered = bl::index_select(x, 1, backwards);
      const matrix<float> turned = gathered, product = bl::matmul(square, x);
      BOOST_TEST(goes_over_the_stack<float>(gathered * 2.F + x), at);
      same_bits<float>(bl::eval(gathered * 2.F + x), bl::eval(turned * 2.F + x), "gathers " + at);
      const auto total = bl::sum(gathered + drawn, bl::axes<1>, bl::keepdim);
      same_bits<float>(bl::eval(bl::let(gathered + drawn) / total),
                       bl::eval(bl::eval(turned + bl::eval(drawn)) /
                                bl::eval(bl::sum(bl::eval(turned + bl::eval(drawn)), bl::axes<1>, bl::keepdim))),
                       "sums of what functions give " + at);
      same_bits<float>(bl::eval(bl::matmul(square, x) + x), bl::eval(product + x), "products " + at);
      matrix<float> o = x;
      bl::assign(o, bl::index_select(o, 1, backwards) + o);
      same_bits<float>(o, bl::eval(turned + x), "in place " + at);
      const matrix<float> none = bl::matmul(matrix<float>(rows, 0), matrix<float>(0, n)) + x;
      same_bits<float>(none, x, "a product of nothing " + at);
    }
  }
  bl::set_isa(bl::runtime::highest_isa());
  bl::generator g(1);
  BOOST_TEST(goes_over_the_stack<float>(bl::exponential<float>(g, 2, {1, 2048})));
  BOOST_TEST(!goes_over_the_stack<float>(bl::exponential<float>(g, 2, {1, 2049})));
  const matrix<float> x = numbers<float>(2, 4, 1);
  matrix<float> kept = x;
  const bl::dtensor<bl::index, 1> beyond = {0, 4};
  BOOST_CHECK_THROW(bl::assign(kept, bl::index_select(x, 1, beyond) + bl::sum(x)), std::exception);
  same_bits<float>(kept, x, "an index that is too large");
}

// A tree that is a `let` of results is computed in the output, unless that has elements which it reads.
BOOST_AUTO_TEST_CASE(the_last_step_is_computed_in_the_output) {
  const auto along = bl::axes<1>;
  for (const int rows : {1, 3, 8, 21, 64}) {
    const std::string at = std::to_string(rows) + " rows";
    const matrix<float> x = numbers<float>(rows, 40, 3), first = numbers<float>(rows, 1, 5);
    const matrix<float> sums = bl::sum(x, along, bl::keepdim), by = first / sums;
    matrix<float> o(rows, 1);
    const auto routes = bl::explain(o, bl::let(first / bl::sum(x, along, bl::keepdim))).routes;
    BOOST_TEST((routes.size() == 2 && std::string(routes[1]) == "barrier in the output"), at);
    o = bl::mean(x, along, bl::keepdim);
    same_bits<float>(o, bl::eval(sums / 40.F), "mean " + at);
    o = first;
    bl::assign(o, bl::let(o / bl::sum(x, along, bl::keepdim)));
    same_bits<float>(o, by, "which it reads " + at);
    // the output begins one element behind what is read, or before it
    matrix<float> longer = bl::zeros<float>(rows + 1, 1);
    auto low = bl::narrow(longer, 0, 0, rows), high = bl::narrow(longer, 0, 1, rows);
    bl::assign(low, first);
    bl::assign(high, bl::let(low / bl::sum(x, along, bl::keepdim)));
    same_bits<float>(bl::eval(high), by, "one element before " + at);
    bl::assign(high, first);
    bl::assign(low, bl::let(high / bl::sum(x, along, bl::keepdim)));
    same_bits<float>(bl::eval(low), by, "one element behind " + at);
    bl::assign(high, first);
    bl::assign(low, high / bl::sum(x, along, bl::keepdim));
    same_bits<float>(bl::eval(low), by, "no let " + at);
    // what the sum reads is read before
    matrix<float> all = x;
    auto column = bl::narrow(all, 1, 0, 1);
    bl::assign(column, bl::mean(all, along, bl::keepdim));
    same_bits<float>(bl::eval(column), bl::eval(sums / 40.F), "a column of the rows " + at);
    bl::dtensor<float, 2> turned(1, rows);
    bl::assign(turned, bl::transpose(bl::mean(x, along, bl::keepdim), 0, 1));
    same_bits<float>(bl::eval(bl::transpose(turned, 0, 1)), bl::eval(sums / 40.F), "turned " + at);
  }
}

// So is a reduction of which a stage is computed that reads nothing else but a number.
BOOST_AUTO_TEST_CASE(results_are_finished_in_the_output) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    const auto all = [&]<class T>(T) {
      for (const auto& [rows, n] : {std::pair{1, 7}, {2, 8}, {16, 64}, {21, 40}, {64, 9}, {100, 100}}) {
        const std::string at = std::to_string(rows) + " x " + std::to_string(n) + ", " + bl::to_string(level);
        const matrix<T> x = numbers<T>(rows, n, 3), y = numbers<T>(rows, n, 5);
        const auto along = [&](const auto& axis, bl::index results) {
          const auto check = [&](const auto& e, const bl::dtensor<T, 1>& steps, const char* what) {
            bl::dtensor<T, 1> o(results);
            BOOST_TEST(only_route(o, e) == "barrier in the output", what + at);
            o = e;
            BOOST_TEST(std::memcmp(o.data(), steps.data(), static_cast<std::size_t>(results) * sizeof(T)) == 0,
                       what + at);
          };
          const bl::dtensor<T, 1> sums = bl::sum(x * y, axis), squares = bl::sum(bl::square(x - y), axis);
          const bl::dtensor<T, 1> most = bl::amax(x, axis);
          check(bl::mean(x * y, axis), sums / static_cast<T>(x.size() / results), "mean ");
          check(bl::sqrt(bl::sum(bl::square(x - y), axis)), bl::sqrt(squares), "root ");
          check(T(1) - bl::amax(x, axis), T(1) - most, "a number first ");
          check(bl::let(bl::amax(x, axis) * T(3)), most * T(3), "let ");
        };
        along(bl::axes<0>, n);
        along(bl::axes<1>, rows);
        // the number is an element of the output
        bl::dtensor<T, 1> o = bl::sum(x, bl::axes<1>);
        const bl::dtensor<T, 1> by = bl::eval(bl::sum(y, bl::axes<1>)) * o(0);
        bl::assign(o, bl::sum(y, bl::axes<1>) * bl::select(o, 0, 0));
        BOOST_TEST(std::memcmp(o.data(), by.data(), static_cast<std::size_t>(rows) * sizeof(T)) == 0, "in place " + at);
      }
    };
    all(float{});
    all(double{});
  }
  bl::set_isa(bl::runtime::highest_isa());
}

// Of a callable it is not known what it reads or how long it takes: it is called once for each element.
BOOST_AUTO_TEST_CASE(callables_are_called_once_for_each_element) {
  const matrix<float> x = numbers<float>(4, 6, 1);
  int calls = 0;
  const auto f = bl::pointwise(
      [&calls](float v) {
        ++calls;
        return v + 1;
      },
      x);
  const matrix<float> o = bl::eval(bl::let(f) / bl::sum(x, bl::axes<1>, bl::keepdim), bl::seq);
  BOOST_TEST(calls == 24);
  same_bits<float>(o, bl::eval(bl::eval(x + 1.F) / bl::eval(bl::sum(x, bl::axes<1>, bl::keepdim))), "callable");
}

// Trees that write more elements than their barriers do, beside numbers of each row or column.
BOOST_AUTO_TEST_CASE(results_that_broadcast_equal_their_steps) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    const auto all = [&]<class T>(T) {
      for (const auto& [rows, n] : {std::pair{16, 48}, {33, 100}, {64, 64}, {500, 5}}) {
        const std::string at = std::to_string(rows) + " x " + std::to_string(n) + ", " + bl::to_string(level);
        const matrix<T> x = numbers<T>(rows, n, 3);
        const auto along = [&](const auto& axes, T count) {
          const matrix<T> mean = bl::eval(bl::sum(x, axes, bl::keepdim)) / count, off = x - mean;
          const auto centred = x - bl::mean(x, axes, bl::keepdim);
          BOOST_TEST(goes_over_the_stack<T>(centred), at);
          same_bits<T>(bl::eval(centred), off, "centred " + at);
          const matrix<T> sum = bl::sum(bl::eval(off * off), axes, bl::keepdim), deviation = bl::sqrt(sum + T(1));
          same_bits<T>(bl::eval(centred / bl::sqrt(bl::sum(bl::square(centred), axes, bl::keepdim) + T(1))),
                       bl::eval(off / deviation), "normalized " + at);
          matrix<T> z = x;
          z -= bl::mean(z, axes, bl::keepdim);
          same_bits<T>(z, off, "in place " + at);
        };
        along(bl::axes<0>, static_cast<T>(rows));
        along(bl::axes<1>, static_cast<T>(n));
      }
    };
    all(1.F);
    all(1.0);
  }
  bl::set_isa(bl::runtime::highest_isa());
}

// 8 KiB for all results, 512 elements each that does not reduce, and 4096 of the tree.
BOOST_AUTO_TEST_CASE(what_does_not_fit_goes_another_way) {
  const matrix<float> x = numbers<float>(8, 512, 1), wide = numbers<float>(8, 513, 1);
  BOOST_TEST(goes_over_the_stack<float>(x / bl::sum(x, bl::axes<1>, bl::keepdim)));
  BOOST_TEST(!goes_over_the_stack<float>(wide / bl::sum(wide, bl::axes<1>, bl::keepdim)));
  // Of arrays up to 65536 elements are reduced so, of expressions 32768.
  const auto quotient = [](const auto& e, const matrix<float>& by) {
    return bl::let(bl::sum(e, bl::axes<1>, bl::keepdim) / by);
  };
  const auto column = [](int rows) { return numbers<float>(rows, 1, 7); };
  const matrix<float> of_most = column(16), of_short = column(1000), of_more = column(1024), of_full = column(2048);
  const matrix<float> most = numbers<float>(16, 4096, 1), more = numbers<float>(16, 4097, 1);
  BOOST_TEST(goes_over_the_stack<float>(quotient(most, of_most)));
  BOOST_TEST(!goes_over_the_stack<float>(quotient(more, of_most)));
  const matrix<float> short_most = numbers<float>(1000, 32, 1), short_more = numbers<float>(1024, 33, 1);
  BOOST_TEST(goes_over_the_stack<float>(quotient(short_most * 2, of_short)));
  BOOST_TEST(!goes_over_the_stack<float>(quotient(short_more * 2, of_more)));
  // What the last one writes to the output is not among the 8 KiB.
  const matrix<float> full = numbers<float>(2048, 8, 1);
  BOOST_TEST(goes_over_the_stack<float>(quotient(full, of_full)));
  const matrix<double> y = numbers<double>(8, 64, 1);
  BOOST_TEST(
      !goes_over_the_stack<double>(bl::exp(bl::let(y * 2) + bl::let(y * 3)) - bl::sum(y, bl::axes<1>, bl::keepdim)));
  // 64 operands of all barriers and of what reads them: seven sums, of eight or of nine each.
  std::vector<matrix<float>> all;
  for (int k = 0; k < 63; ++k) all.push_back(numbers<float>(3, 4, k));
  const auto seven = [&all]<std::size_t... K>(std::index_sequence<K...>) {
    const auto one = [&all](std::size_t k) {
      return bl::sum((... + all[k * sizeof...(K) + K]), bl::axes<1>, bl::keepdim);
    };
    return one(0) + one(1) + one(2) + one(3) + one(4) + one(5) + one(6);
  };
  const auto fit = seven(std::make_index_sequence<8>{});
  const auto too_many = seven(std::make_index_sequence<9>{});
  BOOST_TEST(goes_over_the_stack<float>(fit));
  BOOST_TEST(!goes_over_the_stack<float>(too_many));
  matrix<float> last = bl::zeros<float>(3, 1);
  for (std::size_t k = 56; k < 63; ++k) last += bl::sum(all[k], bl::axes<1>, bl::keepdim);
  same_bits<float>(bl::eval(too_many), bl::eval(fit + last), "many operands");  // fractions of 16, whose sums are exact
}

BOOST_AUTO_TEST_SUITE_END()
