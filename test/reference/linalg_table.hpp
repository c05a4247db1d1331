// Tables of linear algebra: a function, its parameters, arrays that go in and arrays that come out, of real or complex
// numbers.
#pragma once

#include <complex>
#include <map>
#include <memory>
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
  std::string function, parameters, sentence;  // with which it is refused
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
    row<Number> r{number, fields[0], fields[1], {}, {}, {}};
    for (const auto& x : table::split(fields[2], ';')) r.inputs.push_back(parse<Number>(x));
    if (fields[3].front() == '!') {
      r.sentence = fields[3].substr(1);
      r.outputs.resize(4, {{-1}, {}});  // no result is that
    } else {
      for (const auto& x : table::split(fields[3], ';')) r.outputs.push_back(parse<Number>(x));
    }
    rows.push_back(r);
  }
  return rows;
}

// How operands lie in memory: by rows; by columns; every axis backwards, and of every second element.
inline constexpr int layouts = 3;
inline int layout = 0;
inline std::vector<std::shared_ptr<void>> memory;  // of a row's operands

template <int Rank, class T, class Number>
auto tensor_of(const array<Number>& a) {
  using broadloom::index;
  broadloom::detail::indices<Rank> extents{}, steps{};
  index size = 1, first = 0;
  for (int i = 0; i < Rank; ++i) extents[i] = a.extents.at(static_cast<std::size_t>(i));
  for (int k = 0; k < Rank; ++k) {
    const int i = layout == 1 ? k : Rank - 1 - k;
    steps[i] = layout == 2 ? -2 * size : size;
    if (layout == 2 && extents[i] > 0) first += 2 * size * (extents[i] - 1);
    size *= extents[i] * (layout == 2 ? 2 : 1);
  }
  const auto all = std::make_shared<std::vector<T>>(static_cast<std::size_t>(size + 1), static_cast<T>(1e9));
  memory.push_back(all);
  for (std::size_t k = 0; k < a.values.size(); ++k) {
    index at = first, rest = static_cast<index>(k);
    for (int i = Rank; i-- > 0;) {
      at += rest % extents[i] * steps[i];
      rest /= extents[i];
    }
    (*all)[static_cast<std::size_t>(at)] = static_cast<T>(a.values[k]);
  }
  using shape = broadloom::dshape<Rank>;
  return broadloom::view<T, shape, broadloom::dyn_strides<Rank>>(all->data() + first, shape::unchecked(extents),
                                                                 broadloom::dyn_strides<Rank>{steps});
}

// Runs each row in each layout by the function that its name stands for; how many rows each name had.
template <class Number, class Runners>
std::map<std::string, int> run(const std::vector<row<Number>>& rows, const Runners& runners) {
  std::map<std::string, int> times;
  for (const auto& r : rows) {
    const auto found = runners.find(r.function);
    BOOST_TEST_REQUIRE((found != runners.end()), r.function);
    for (layout = 0; layout < layouts; ++layout) {
      try {
        found->second(r);
        if (!r.sentence.empty()) BOOST_ERROR("line " << r.line << ", " << r.function << ": is not refused");
      } catch (const std::exception& e) {
        const std::string what = e.what();
        if (r.sentence.empty() || what.substr(0, what.find('\n')) != r.sentence)
          BOOST_ERROR("line " << r.line << ", " << r.function << ": says\n  " << what << "\ninstead of\n  "
                              << r.sentence);
      }
      memory.clear();
    }
    ++times[r.function];
  }
  return times;
}

}  // namespace linalg_table
