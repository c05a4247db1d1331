// Tables of linear algebra: a function, its parameters, arrays that go in and arrays that come out, of real or complex
// numbers.
#pragma once

#include <complex>
#include <map>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include <broadloom/broadloom.hpp>

#include "table.hpp"

namespace linalg_table {

template <class Number>
struct array {
  std::vector<broadloom::index> extents;
  std::vector<Number> values;
};
template <class Number>
struct row {
  int line = 0;
  std::string function, parameters;
  std::vector<array<Number>> inputs, outputs;
};

// "(2,1)3 4": extents, then numbers; a complex one is two.
template <class Number>
array<Number> parse(const std::string& text) {
  array<Number> r;
  const auto close = text.find(')');
  for (const auto& n : table::split(text.substr(1, close - 1), ',')) r.extents.push_back(std::stol(n));
  std::istringstream values(text.substr(close + 1));
  for (std::string x, y; values >> x;) {
    if constexpr (std::is_same_v<Number, double>)
      r.values.push_back(std::stod(x));
    else if (values >> y)
      r.values.emplace_back(std::stod(x), std::stod(y));
  }
  return r;
}

template <class Number>
std::vector<row<Number>> read(const std::string& name) {
  std::vector<row<Number>> rows;
  for (const auto& [number, fields] : table::read(name, 4)) {
    row<Number> r{number, fields[0], fields[1], {}, {}};
    for (const auto& x : table::split(fields[2], ';')) r.inputs.push_back(parse<Number>(x));
    for (const auto& x : table::split(fields[3], ';')) r.outputs.push_back(parse<Number>(x));
    rows.push_back(r);
  }
  return rows;
}

template <int Rank, class T, class Number>
broadloom::dtensor<T, Rank> tensor_of(const array<Number>& a) {
  broadloom::detail::indices<Rank> extents{};
  for (int i = 0; i < Rank; ++i) extents[i] = a.extents.at(static_cast<std::size_t>(i));
  broadloom::dtensor<T, Rank> t(broadloom::dshape<Rank>::unchecked(extents));
  for (std::size_t i = 0; i < a.values.size(); ++i) t.data()[i] = static_cast<T>(a.values[i]);
  return t;
}

// Runs each row by the function that its name stands for; how many rows each name had.
template <class Number, class Runners>
std::map<std::string, int> run(const std::vector<row<Number>>& rows, const Runners& runners) {
  std::map<std::string, int> times;
  for (const auto& r : rows) {
    const auto found = runners.find(r.function);
    BOOST_TEST_REQUIRE((found != runners.end()), r.function);
    try {
      found->second(r);
    } catch (const std::exception& e) {
      BOOST_ERROR("line " << r.line << ", " << r.function << ": " << e.what());
    }
    ++times[r.function];
  }
  return times;
}

}  // namespace linalg_table
