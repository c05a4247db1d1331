// Runs every row of test/data/broadcast_cases.tsv: result shape, elements, the moment of the error and its sentence.
// Those of linear algebra are run by test/reference/linalg_rows_test.cpp.
// Build: unoptimised, seldom
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include <broadloom/broadloom.hpp>

#include "table.hpp"

namespace bl = broadloom;

namespace {

using table::split;

using extents = std::vector<bl::index>;

// Functions whose rows test/reference/linalg_rows_test.cpp runs.
const std::set<std::string> run_with_linear_algebra{
    "addbmm",
    "addbmm_",
    "addmm",
    "addmm_",
    "addmv",
    "addmv_",
    "addr",
    "addr_",
    "baddbmm",
    "baddbmm_",
    "bmm",
    "dot",
    "ger",
    "gesv1[0] (proposed)",
    "gesv[0] (2017 torch)",
    "linalg.cholesky",
    "linalg.eigh",
    "linalg.inverse",
    "linalg.lstsq",
    "linalg.qr",
    "linalg.svd",
    "matmul",
    "matmul.out",
    "matmul[axes=(-2,-1),(-1,-2),(0,1)]",
    "matmul[axes=(-2,-1),(-1,-2),(1,2)]",
    "matmul[axes=(1,0),(0),(0)]",
    "matmul_ (a@=b)",
    "mm",
    "mv",
    "np2.linalg.solve",
    "torch.linalg.solve",
};

struct row {
  int line = 0;
  std::string source, function, note;
  std::vector<extents> inputs;
  bool fails = false;
  extents expected;
  std::string message;  // the sentence a failing row gives
  bool from_torch = false;
};

extents parse_extents(const std::string& text) {
  extents r;
  std::string inner = text;
  if (!inner.empty() && inner.front() == '(') {
    if (inner.back() != ')') throw std::runtime_error("not a shape: " + text);
    inner = inner.substr(1, inner.size() - 2);
  }
  std::istringstream numbers(inner);
  for (std::string n; std::getline(numbers, n, ',');) r.push_back(std::stol(n));
  return r;
}

std::vector<row> read_table() {
  std::vector<row> rows;
  for (const auto& [number, fields] : table::read("broadcast_cases.tsv", 5)) {
    row r;
    r.line = number;
    r.source = fields[0];
    r.function = fields[1];
    if (fields[2] != "<none>")
      for (const auto& shape : split(fields[2], ';')) r.inputs.push_back(parse_extents(shape));
    r.fails = fields[3] == "ERROR";
    if (!r.fails) r.expected = parse_extents(fields[3]);
    r.note = fields[4];
    r.from_torch = r.note.find("verified torch") != std::string::npos;
    if (const auto at = r.note.find("msg=\""); at != std::string::npos)
      r.message = r.note.substr(at + 5, r.note.rfind('"') - at - 5);
    rows.push_back(r);
  }
  return rows;
}

std::string name_of(const row& r) {
  std::string text = "line " + std::to_string(r.line) + ": " + r.function;
  for (const auto& s : r.inputs) {
    text += " (";
    for (std::size_t i = 0; i < s.size(); ++i) text += (i == 0 ? "" : ",") + std::to_string(s[i]);
    text += ")";
  }
  return text;
}

// What was found wrong with the rows run since it was last emptied.
std::vector<std::string> problems;

#define BROADLOOM_EXPECT(CONDITION, TEXT) \
  do {                                    \
    if (!(CONDITION)) {                   \
      std::ostringstream text_;           \
      text_ << TEXT;                      \
      problems.push_back(text_.str());    \
    }                                     \
  } while (false)

std::string begin_of(const std::string& text) { return text.substr(0, text.find('\n')); }

bool is_clash_sentence(const std::string& text) {
  long a = 0, b = 0, dimension = 0;
  int length = 0;
  const int read = std::sscanf(
      text.c_str(), "The size of tensor a (%ld) must match the size of tensor b (%ld) at non-singleton dimension %ld%n",
      &a, &b, &dimension, &length);
  return read == 3 && length == static_cast<int>(text.size()) && a != b;
}

// What a failing row must say: PyTorch's sentence where the row was run with PyTorch, and else, for two operands that
// do not broadcast, the same sentence.
void check_sentence(const row& r, const std::string& what) {
  if (r.from_torch && !r.message.empty())
    BROADLOOM_EXPECT(what.rfind(r.message, 0) == 0, name_of(r)
                                                        << ": says\n  " << what << "\ninstead of\n  " << r.message);
  else
    BROADLOOM_EXPECT(is_clash_sentence(begin_of(what)), name_of(r) << ": says\n  " << what);
}

// --- dynamic tensors of a rank chosen by the row ---------------------------------------------------------------------

template <int Rank>
bl::dshape<Rank> to_shape(const extents& e) {
  bl::detail::indices<Rank> x{};
  for (int i = 0; i < Rank; ++i) x[i] = e[static_cast<std::size_t>(i)];
  return bl::dshape<Rank>::unchecked(x);
}

// As a user makes it, from numbers.
template <int Rank>
bl::dshape<Rank> to_checked_shape(const extents& e) {
  return [&]<int... I>(bl::detail::sequence<I...>) {
    return bl::dshape<Rank>(e[static_cast<std::size_t>(I)]...);
  }(bl::detail::make_sequence<Rank>{});
}

template <class S>
extents to_extents(const S& s) {
  extents r;
  for (bl::index i = 0; i < s.rank(); ++i) r.push_back(s[i]);
  return r;
}

// Elements that are all different from those of the other operands, none of them 0.
template <int Rank>
bl::dtensor<double, Rank> make(const extents& e, int operand) {
  bl::dtensor<double, Rank> t(to_shape<Rank>(e));
  for (bl::index i = 0; i < t.size(); ++i) t.data()[i] = 1 + 0.25 * static_cast<double>(i % 37) + 10.0 * operand;
  return t;
}

template <int... Rank>
struct ranks {};

// Calls f with one tensor per operand, of the row's ranks, which must be one of the listed combinations.
template <class F, int... Rank, std::size_t... I>
bool call_if(const row& r, F& f, ranks<Rank...>, std::index_sequence<I...>) {
  if (r.inputs.size() != sizeof...(Rank)) return false;
  if (!((static_cast<int>(r.inputs[I].size()) == Rank) && ...)) return false;
  auto operands = std::make_tuple(make<Rank>(r.inputs[I], static_cast<int>(I))...);
  f(std::get<I>(operands)...);
  return true;
}
template <class... Combination, class F>
void with_ranks(const row& r, F f) {
  const bool found = (... || [&]<int... Rank>(ranks<Rank...> c) {
    return call_if(r, f, c, std::make_index_sequence<sizeof...(Rank)>{});
  }(Combination{}));
  BROADLOOM_EXPECT(found, name_of(r) << ": this test has not these ranks");
}

// The element of a tensor for an index of a result with at least as many axes.
template <class T>
double element_at(const T& t, const extents& at) {
  const auto shape = t.shape();
  const auto strides = t.strides();
  bl::index offset = 0;
  for (bl::index i = 0; i < shape.rank(); ++i) {
    const auto s = at[at.size() - static_cast<std::size_t>(shape.rank() - i)];
    offset += shape[i] == 1 ? 0 : strides[i] * s;
  }
  return static_cast<double>(t.data()[offset]);
}

template <class F>
void for_each_index(const extents& shape, F f) {
  for (bl::index n : shape)
    if (n == 0) return;
  extents at(shape.size(), 0);
  for (;;) {
    f(at);
    std::size_t i = shape.size();
    while (i > 0 && ++at[i - 1] == shape[i - 1]) at[--i] = 0;
    if (i == 0) return;
  }
}

struct element_count {
  long long checked = 0;
} total;

template <class Result, class F, class... T>
void check_elements(const row& r, const Result& result, F reference, const T&... operands) {
  int wrong = 0;
  for_each_index(to_extents(result.shape()), [&](const extents& at) {
    const double want = static_cast<double>(reference(element_at(operands, at)...));
    wrong += !(std::abs(element_at(result, at) - want) <= 1e-12 * std::abs(want));
    ++total.checked;
  });
  BROADLOOM_EXPECT(wrong == 0, name_of(r) << ": " << wrong << " wrong elements");
}

// An expression: the error must come when it is built; its shape is known before anything is computed.
template <class Build, class F, class... T>
void check_expression(const row& r, Build build, F reference, const T&... operands) {
  bool built = false;
  try {
    auto e = build();
    built = true;
    BROADLOOM_EXPECT(!r.fails, name_of(r) << ": has a shape, but must fail");
    if (r.fails) return;
    BROADLOOM_EXPECT(to_extents(e.shape()) == r.expected, name_of(r) << ": wrong shape");
    const auto result = bl::eval(e);
    BROADLOOM_EXPECT(to_extents(result.shape()) == r.expected, name_of(r) << ": wrong shape of the value");
    check_elements(r, result, reference, operands...);
  } catch (const bl::shape_error& error) {
    BROADLOOM_EXPECT(!built, name_of(r) << ": fails only when it is evaluated: " << error.what());
    BROADLOOM_EXPECT(r.fails, name_of(r) << ": must not fail: " << error.what());
    if (r.fails) {
      check_sentence(r, error.what());
      // After the sentence: the function and all operands.
      const std::string rest = std::string(error.what()).substr(begin_of(error.what()).size());
      BROADLOOM_EXPECT(rest.size() > 3, name_of(r) << ": says nothing of the operands: " << error.what());
    }
  }
}

// The rank is part of the type here: a form that would give its destination more axes does not compile (test/fail looks
// at what the compiler says). Such rows must be failing ones, and are counted.
int refused_by_compiler = 0;
template <class Self, class... T>
constexpr bool ranks_fit = ((T::axes_count <= Self::axes_count) && ...);

template <class Call, class F, class Self, class... T>
void check_in_place(const row& r, Call call, F reference, Self& self, const T&... operands) {
  const extents before = to_extents(self.shape());
  if constexpr (!ranks_fit<typename Self::shape_type, typename T::shape_type...>) {
    BROADLOOM_EXPECT(r.fails, name_of(r) << ": does not compile, but must work");
    ++refused_by_compiler;
  } else {
    const Self copy(self);
    try {
      call(self, operands...);
      BROADLOOM_EXPECT(!r.fails, name_of(r) << ": works, but must fail");
      if (!r.fails) {
        BROADLOOM_EXPECT(to_extents(self.shape()) == r.expected, name_of(r) << ": wrong shape");
        check_elements(r, self, reference, copy, operands...);
      }
    } catch (const bl::shape_error& error) {
      BROADLOOM_EXPECT(r.fails, name_of(r) << ": must not fail: " << error.what());
      if (r.fails) check_sentence(r, error.what());
      // Nothing was written.
      BROADLOOM_EXPECT(std::equal(copy.data(), copy.data() + copy.size(), self.data()), name_of(r) << ": wrote");
    }
    BROADLOOM_EXPECT(to_extents(self.shape()) == before, name_of(r) << ": changed its shape");
  }
}

// --- one runner per function of the table
// ------------------------------------------------------------------------------

using runner = std::function<void(const row&)>;

template <class... Combination, class Function, class F>
runner expression_of(Function function, F reference) {
  return [=](const row& r) {
    with_ranks<Combination...>(
        r, [&](const auto&... x) { check_expression(r, [&] { return function(x...); }, reference, x...); });
  };
}
template <class... Combination, class Call, class F>
runner in_place_of(Call call, F reference) {
  return [=](const row& r) {
    with_ranks<Combination...>(r,
                               [&](auto& self, const auto&... x) { check_in_place(r, call, reference, self, x...); });
  };
}

using table_ranks = ranks<4, 3>;

template <class Function, class F>
runner binary(Function function, F reference) {
  return expression_of<table_ranks>(function, reference);
}

void run_broadcast_shapes(const row& r) {
  try {
    const auto result = bl::broadcast_shapes(r.inputs);
    BROADLOOM_EXPECT(!r.fails, name_of(r) << ": has a shape, but must fail");
    if (!r.fails) BROADLOOM_EXPECT(result == r.expected, name_of(r) << ": wrong shape");
  } catch (const bl::shape_error& error) {
    BROADLOOM_EXPECT(r.fails, name_of(r) << ": must not fail: " << error.what());
    if (r.fails) check_sentence(r, error.what());
  }
}

// All operands seen with the common shape, in the row's order and in the reverse one.
template <class... T>
void check_broadcast_arrays(const row& r, const T&... x) {
  try {
    const auto common = bl::broadcast(x.shape()...);
    BROADLOOM_EXPECT(!r.fails, name_of(r) << ": has a shape, but must fail");
    if (r.fails) return;
    BROADLOOM_EXPECT(to_extents(common) == r.expected, name_of(r) << ": wrong shape");
    (
        [&] {
          const auto seen = bl::expand(x, common);
          BROADLOOM_EXPECT(seen.data() == x.data(), name_of(r) << ": copied");
          check_elements(r, seen, [](double v) { return v; }, x);
        }(),
        ...);
  } catch (const bl::shape_error& error) {
    BROADLOOM_EXPECT(r.fails, name_of(r) << ": must not fail: " << error.what());
    if (r.fails) check_sentence(r, error.what());
  }
}
void run_broadcast_arrays(const row& r) {
  const auto check = [&](const auto&... x) { check_broadcast_arrays(r, x...); };
  with_ranks<ranks<0>, ranks<0, 0, 0>, ranks<0, 1>, ranks<0, 2>, ranks<1>, ranks<1, 1>, ranks<1, 1, 1>, ranks<1, 2>,
             ranks<2>, ranks<2, 1>, ranks<2, 2>, ranks<2, 2, 2>, ranks<3, 3>>(r, check);
  if (r.inputs.size() == 2) {
    row reversed = r;
    std::reverse(reversed.inputs.begin(), reversed.inputs.end());
    with_ranks<ranks<1, 0>, ranks<2, 0>, ranks<1, 1>, ranks<2, 1>, ranks<1, 2>, ranks<2, 2>, ranks<3, 3>>(reversed,
                                                                                                          check);
  }
}

// The second "operand" is a target. PyTorch's expand reads -1 in it as "keep this extent" and NumPy's broadcast_to
// refuses it; here the two names are one function, a target is a shape, and no shape has a negative extent: refused.
int negative_targets = 0;
template <int Rank, int Target>
void check_expand(const row& r) {
  if constexpr (Rank > Target) {
    // The ranks are in the types: the compiler refuses.
    BROADLOOM_EXPECT(r.fails, name_of(r) << ": does not compile, but must work");
    ++refused_by_compiler;
  } else {
    const auto x = make<Rank>(r.inputs[0], 0);
    if (std::any_of(r.inputs[1].begin(), r.inputs[1].end(), [](bl::index n) { return n < 0; })) {
      ++negative_targets;
      bool refused = false;
      try {
        to_checked_shape<Target>(r.inputs[1]);
      } catch (const bl::shape_error&) {
        refused = true;
      }
      BROADLOOM_EXPECT(refused, name_of(r) << ": a negative extent was taken");
      return;
    }
    try {
      const auto e = bl::expand(x, to_checked_shape<Target>(r.inputs[1]));
      BROADLOOM_EXPECT(!r.fails, name_of(r) << ": has a shape, but must fail");
      if (r.fails) return;
      BROADLOOM_EXPECT(to_extents(e.shape()) == r.expected, name_of(r) << ": wrong shape");
      check_elements(r, bl::eval(e), [](double v) { return v; }, x);
    } catch (const bl::shape_error& error) {
      BROADLOOM_EXPECT(r.fails, name_of(r) << ": must not fail: " << error.what());
      if (r.fails && r.from_torch)
        check_sentence(r, error.what());
      else if (r.fails)
        BROADLOOM_EXPECT(std::string(error.what()).rfind("The expanded size of the tensor (", 0) == 0,
                         name_of(r) << ": says " << error.what());
    }
  }
}
template <int... I>
void run_expand_as_listed(const row& r, std::integer_sequence<int, I...>) {
  const bool found = (... || [&] {
    if (r.inputs[0].size() != I / 4 || r.inputs[1].size() != I % 4) return false;
    if constexpr (I % 4 == 0) {
      BROADLOOM_EXPECT(r.fails == (I / 4 > 0), name_of(r) << ": a target of rank 0 takes rank 0 alone");
      ++refused_by_compiler;
    } else {
      check_expand<I / 4, I % 4>(r);
    }
    return true;
  }());
  BROADLOOM_EXPECT(found, name_of(r) << ": this test has not these ranks");
}
void run_expand(const row& r) { run_expand_as_listed(r, std::make_integer_sequence<int, 12>{}); }

// x.expand(2, 3).add_(y): every element of x would be written three times.
void run_expanded_destination(const row& r) {
  BOOST_TEST_REQUIRE(r.fails);
  bl::dtensor<double, 2> x(2, 1);
  const auto y = make<2>(r.inputs[1], 1);
  try {
    bl::add_(bl::expand(x, to_shape<2>(r.inputs[0])), y);
    BROADLOOM_EXPECT(false, name_of(r) << ": works, but must fail");
  } catch (const bl::shape_error& error) {
    const std::string sentence =
        "unsupported operation: more than one element of the written-to tensor refers to a single memory location";
    BROADLOOM_EXPECT(r.message.rfind(sentence, 0) == 0, name_of(r) << ": the table has another sentence");
    BROADLOOM_EXPECT(begin_of(error.what()).rfind(sentence, 0) == 0, name_of(r) << ": says " << error.what());
    BROADLOOM_EXPECT(x(0, 0) == 0 && x(1, 0) == 0, name_of(r) << ": wrote");
  }
}

// x[1:] += x[:-1] gives what a copy of the source first gives. NumPy does so too; PyTorch refuses.
void run_overlap(const row& r) {
  bl::dtensor<double, 1> x(5);
  for (bl::index i = 0; i < 5; ++i) x.data()[i] = static_cast<double>(i);
  auto to = bl::slice(x, bl::range(1, bl::end));
  to += bl::slice(x, bl::range(0, -1));
  BROADLOOM_EXPECT(to_extents(to.shape()) == r.inputs[0], name_of(r) << ": wrong shape");
  const double want[] = {0, 1, 3, 5, 7};
  BROADLOOM_EXPECT(std::equal(want, want + 5, x.data()), name_of(r) << ": wrong elements");
}

// f(x, y, out=z) of PyTorch, which resizes z; here `z = f(x, y)`, which never does.
template <class Function, class... T, class Out>
void check_out(const row& r, Function function, Out& out, const T&... x) {
  const extents before = to_extents(out.shape());
  static_assert(ranks_fit<typename Out::shape_type, typename T::shape_type...>);
  try {
    bl::assign(out, function(x...));
    BROADLOOM_EXPECT(before == r.expected, name_of(r) << ": must not fit");
  } catch (const bl::shape_error& error) {
    BROADLOOM_EXPECT(before != r.expected, name_of(r) << ": must not fail: " << error.what());
    BROADLOOM_EXPECT(std::string(error.what()).rfind("The expanded size of the tensor (", 0) == 0,
                     name_of(r) << ": says " << error.what());
  }
  BROADLOOM_EXPECT(to_extents(out.shape()) == before, name_of(r) << ": changed its shape");
}

// f(x, y), of integers where f is not defined for floating elements.
template <class Function, class X, class Y>
auto on_suitable_elements(Function function, const X& x, const Y& y) {
  if constexpr (requires { function(x, y); })
    return function(x, y);
  else
    return function(bl::cast<int>(x), bl::cast<int>(y));
}

// Every function of two operands in the catalogue.
void run_every_binary(const row& r) {
  using all = std::tuple<ranks<1, 1>, ranks<2, 2>, ranks<3, 1>, ranks<3, 3>>;
  int functions = 0;
  const auto fails = [&](auto function) {
    ++functions;
    [&]<class... C>(const std::tuple<C...>&) {
      with_ranks<C...>(r, [&](const auto& x, const auto& y) {
        try {
          const auto e = on_suitable_elements(function, x, y);
          BROADLOOM_EXPECT(false, name_of(r) << ": has a shape, but must fail: " << to_extents(e.shape()).size());
        } catch (const bl::shape_error& error) {
          check_sentence(r, error.what());
        }
      });
    }(all{});
  };
  BOOST_TEST_REQUIRE(r.fails);
#define BROADLOOM_BINARY(NAME, ...) fails(bl::NAME);
#define BROADLOOM_BINARY_OPERATOR(NAME, ...) fails(bl::NAME);
#define BROADLOOM_COMPARISON(NAME, ...) fails(bl::NAME);
#define BROADLOOM_STRIP2(NAME, ...) fails(bl::NAME);
#define BROADLOOM_UNARY(...)
#define BROADLOOM_TERNARY(...)
#define BROADLOOM_STRIP1(...)
#include <broadloom/fn/catalogue.def>
#undef BROADLOOM_BINARY
#undef BROADLOOM_BINARY_OPERATOR
#undef BROADLOOM_COMPARISON
#undef BROADLOOM_STRIP2
#undef BROADLOOM_UNARY
#undef BROADLOOM_TERNARY
#undef BROADLOOM_STRIP1
  BOOST_TEST(functions >= 16);
}

// --- indexing, masks and maps: what a row gives is compared with plain loops --------------------------------------

// Positions that are all in [0, n), as an array of the row's extents.
template <int Rank>
bl::dtensor<bl::index, Rank> make_positions(const extents& e, bl::index n) {
  bl::dtensor<bl::index, Rank> t(to_shape<Rank>(e));
  for (bl::index i = 0; i < t.size(); ++i) t.data()[i] = (i * 5 + 1) % n;
  return t;
}

// `call()` gives the result, or is refused by the compiler, or throws; `reference` gives the element at an index of it.
template <class Call, class F>
void check_result(const row& r, Call call, F reference) {
  try {
    const auto result = bl::eval(call());
    BROADLOOM_EXPECT(!r.fails, name_of(r) << ": works, but must fail");
    if (r.fails) return;
    BROADLOOM_EXPECT(to_extents(result.shape()) == r.expected, name_of(r) << ": wrong shape");
    int wrong = 0;
    for_each_index(to_extents(result.shape()), [&](const extents& at) {
      wrong += element_at(result, at) != reference(at);
      ++total.checked;
    });
    BROADLOOM_EXPECT(wrong == 0, name_of(r) << ": " << wrong << " wrong elements");
  } catch (const bl::shape_error& error) {
    BROADLOOM_EXPECT(r.fails, name_of(r) << ": must not fail: " << error.what());
    if (r.fails) check_sentence(r, error.what());
  }
}
template <class F, class... A>
void check_call(const row& r, F f, auto reference, const A&... a) {
  if constexpr (std::is_invocable_v<F, const A&...>) {
    check_result(r, [&] { return f(a...); }, reference);
  } else {
    BROADLOOM_EXPECT(r.fails, name_of(r) << ": does not compile, but must work");
    ++refused_by_compiler;
  }
}
template <int Axis>
extents replaced(extents at, bl::index p) {
  if (at.empty()) return {p};
  at[Axis] = p;
  return at;
}
template <class T>
bl::index position_at(const T& i, const extents& at) {
  return static_cast<bl::index>(element_at(i, at));
}
template <class T>
using rank_of_array = std::integral_constant<int, T::shape_type::axes_count>;

template <int Axis>
void run_gather(const row& r) {
  with_ranks<ranks<3, 3>, ranks<3, 2>, ranks<3, 1>, ranks<1, 0>, ranks<0, 1>>(r, [&](const auto& x, const auto& shape) {
    constexpr int rank = rank_of_array<std::remove_cvref_t<decltype(shape)>>::value;
    const auto i = make_positions<rank>(r.inputs[1], r.inputs[0].empty() ? 1 : r.inputs[0][Axis]);
    const auto gather = [](const auto& a, const auto& p) -> decltype(bl::gather(a, Axis, p)) {
      return bl::gather(a, Axis, p);
    };
    const auto reference = [&](const extents& at) { return element_at(x, replaced<Axis>(at, position_at(i, at))); };
    if (r.inputs[1] == extents{0})  // no positions: any rank, known to the compiler
      check_call(r, gather, reference, x, bl::tensor<bl::index, bl::shape<0>>{});
    else
      check_call(r, gather, reference, x, i);
  });
}
template <int Axis>
void run_take_along_dim(const row& r) {
  with_ranks<ranks<3, 3>, ranks<3, 1>>(r, [&](const auto& x, const auto& shape) {
    constexpr int rank = rank_of_array<std::remove_cvref_t<decltype(shape)>>::value;
    const auto i = make_positions<rank>(r.inputs[1], r.inputs[0][Axis]);
    check_call(
        r,
        [](const auto& a, const auto& p) -> decltype(bl::take_along_dim(a, p, Axis)) {
          return bl::take_along_dim(a, p, Axis);
        },
        [&](const extents& at) { return element_at(x, replaced<Axis>(at, position_at(i, at))); }, x, i);
  });
}
void run_choose(const row& r) {
  with_ranks<ranks<3, 3>, ranks<1, 3>>(r, [&](const auto& shape, const auto& x) {
    constexpr int rank = rank_of_array<std::remove_cvref_t<decltype(shape)>>::value;
    const auto i = make_positions<rank>(r.inputs[0], r.inputs[1][0]);
    check_call(
        r, [](const auto& p, const auto& a) -> decltype(bl::choose(p, a)) { return bl::choose(p, a); },
        [&](const extents& at) {
          extents from(at.end() - 2, at.end());
          from.insert(from.begin(), position_at(i, at));
          return element_at(x, from);
        },
        i, x);
  });
}
template <int Axis>
void run_gather_broadcast(const row& r) {
  using axis = std::integral_constant<bl::index, Axis>;
  with_ranks<ranks<3, 1>, ranks<3, 2>>(r, [&](const auto& x, const auto& shape) {
    constexpr int rank = rank_of_array<std::remove_cvref_t<decltype(shape)>>::value;
    const auto i = make_positions<rank>(r.inputs[1], r.inputs[0][Axis]);
    check_call(
        r,
        [](const auto& a, const auto& p) -> decltype(bl::gather_broadcast(a, axis{}, p)) {
          return bl::gather_broadcast(a, axis{}, p);
        },
        [&](const extents& at) {
          extents from = at;
          if (from.size() < 3) from.insert(from.begin() + Axis, 0);
          from[Axis] = position_at(i, at);
          return element_at(x, from);
        },
        x, i);
  });
}
template <int Axis>
void run_scatter(const row& r) {
  with_ranks<ranks<2, 2, 2>, ranks<2, 1, 1>, ranks<2, 2, 0>>(r, [&](const auto& x, const auto& shape, const auto& s) {
    constexpr int rank = rank_of_array<std::remove_cvref_t<decltype(shape)>>::value;
    const auto i = make_positions<rank>(r.inputs[1], r.inputs[0][Axis]);
    auto want = x;
    if (!r.fails)
      for_each_index(r.inputs[1], [&](const extents& at) {
        const extents to = replaced<Axis>(at, position_at(i, at));
        want(to[0], to[1]) = element_at(s, at);
      });
    check_call(
        r,
        [](const auto& a, const auto& p,
           const auto& v) -> decltype((bl::scatter_(const_cast<std::remove_cvref_t<decltype(a)>&>(a), Axis, p, v),
                                       bl::eval(a))) { return bl::scatter(a, Axis, p, v); },
        [&](const extents& at) { return element_at(want, at); }, x, i, s);
  });
}
template <bool Add>
void run_index_update(const row& r) {
  with_ranks<ranks<2, 1, 2>, ranks<2, 1, 1>>(r, [&](const auto&, const auto&, const auto& s) {
    // the notes' example: zeros, positions 1 and 0
    const auto x = bl::zeros<double>(to_shape<2>(r.inputs[0]));
    const bl::index_array i{1, 0};
    check_call(
        r,
        [](const auto& a, const auto& p, const auto& v)
            -> decltype((bl::index_add_(const_cast<std::remove_cvref_t<decltype(a)>&>(a), 0, p, v), bl::eval(a))) {
          if constexpr (Add)
            return bl::index_add(a, 0, p, v);
          else
            return bl::index_copy(a, 0, p, v);
        },
        [&](const extents& at) { return at[0] == 2 ? 0.0 : element_at(s, {1 - at[0], at[1]}); }, x, i, s);
  });
}
void run_index_select(const row& r) {
  with_ranks<ranks<2, 1>, ranks<2, 2>>(r, [&](const auto& x, const auto& shape) {
    constexpr int rank = rank_of_array<std::remove_cvref_t<decltype(shape)>>::value;
    const auto i = make_positions<rank>(r.inputs[1], r.inputs[0][0]);
    check_call(
        r,
        [](const auto& a, const auto& p) -> decltype(bl::index_select(a, 0, p)) { return bl::index_select(a, 0, p); },
        [&](const extents& at) { return element_at(x, {position_at(i, {at[0]}), at[1]}); }, x, i);
  });
}
void run_cat(const row& r) {
  const auto cat = [](const auto& a, const auto& b) -> decltype(bl::cat(0, a, b)) { return bl::cat(0, a, b); };
  if (r.inputs[0] == extents{0}) {  // skipped where the compiler knows that it is empty
    const auto x = make<2>(r.inputs[1], 1);
    return check_call(
        r, cat, [&](const extents& at) { return element_at(x, at); }, bl::tensor<double, bl::shape<0>>{}, x);
  }
  with_ranks<ranks<2, 2>>(r, [&](const auto& a, const auto& b) {
    check_call(
        r, cat,
        [&](const extents& at) {
          return at[0] < r.inputs[0][0] ? element_at(a, at) : element_at(b, {at[0] - r.inputs[0][0], at[1]});
        },
        a, b);
  });
}
void run_index_with_two(const row& r) {
  const auto x = make<2>({3, 4}, 0);
  with_ranks<ranks<2, 1>, ranks<1, 1>>(r, [&](const auto& a, const auto& b) {
    const auto i = make_positions<rank_of_array<std::remove_cvref_t<decltype(a)>>::value>(r.inputs[0], 3);
    const auto j = make_positions<rank_of_array<std::remove_cvref_t<decltype(b)>>::value>(r.inputs[1], 4);
    check_result(
        r, [&] { return x(i, j); },
        [&](const extents& at) { return element_at(x, {position_at(i, at), position_at(j, at)}); });
  });
}
void run_separated_index(const row& r) {
  const auto x = make<3>({3, 4, 5}, 0);
  const auto i = make_positions<1>(r.inputs[0], 3), j = make_positions<1>(r.inputs[1], 5);
  check_result(
      r, [&] { return x(i, bl::all, j); },
      [&](const extents& at) { return element_at(x, {position_at(i, {at[0]}), at[1], position_at(j, {at[0]})}); });
}
void run_set_items(const row& r) {
  const auto v = make<1>(r.inputs[1], 1);
  const auto before = make<2>(r.inputs[0], 0);
  auto x = before;
  check_result(
      r,
      [&] {
        x(bl::index_array{0, 1}) = v;
        return x;
      },
      [&](const extents& at) { return at[0] < 2 ? element_at(v, {at[1]}) : element_at(before, at); });
  if (r.fails) BROADLOOM_EXPECT(std::equal(x.data(), x.data() + x.size(), before.data()), name_of(r) << ": wrote");
}

// Elements of a mask by turns, the first one set.
template <int Rank>
bl::dtensor<bool, Rank> make_mask(const extents& e, bool all = false) {
  bl::dtensor<bool, Rank> m(to_shape<Rank>(e));
  for (bl::index i = 0; i < m.size(); ++i) m.data()[i] = all || i % 2 == 0;
  return m;
}
void run_masked_fill(const row& r, bool in_place) {
  with_ranks<ranks<2, 1>, ranks<1, 2>>(r, [&](const auto& x, const auto& shape) {
    const auto m = make_mask<rank_of_array<std::remove_cvref_t<decltype(shape)>>::value>(r.inputs[1]);
    const auto reference = [&](const extents& at) { return element_at(m, at) != 0 ? 7.0 : element_at(x, at); };
    if (!in_place)  // broadcasts both
      return check_call(
          r,
          [](const auto& a, const auto& b) -> decltype(bl::masked_fill(a, b, 7)) { return bl::masked_fill(a, b, 7); },
          reference, x, m);
    if constexpr (rank_of_array<std::remove_cvref_t<decltype(shape)>>::value <=
                  rank_of_array<std::remove_cvref_t<decltype(x)>>::value) {
      auto out = x;
      check_result(r, [&] { return bl::masked_fill_(out, m, 7.0); }, reference);
    } else {
      BROADLOOM_EXPECT(r.fails, name_of(r) << ": does not compile, but must work");
      ++refused_by_compiler;
    }
  });
}
void run_masked_scatter(const row& r, bool in_place) {
  with_ranks<ranks<2, 1, 1>, ranks<1, 2, 1>>(r, [&](const auto& x, const auto& shape, const auto& source) {
    constexpr int rank = rank_of_array<std::remove_cvref_t<decltype(shape)>>::value;
    const auto m = make_mask<rank>(r.inputs[1], true);
    const auto reference = [&](const extents& at) { return source(at[0] * 3 + at[1]); };
    if (!in_place)
      return check_result(r, [&] { return bl::masked_scatter(x, m, source); }, reference);  // broadcasts both
    if constexpr (rank_of_array<std::remove_cvref_t<decltype(x)>>::value == 2) {
      auto out = x;
      check_result(r, [&] { return bl::masked_scatter_(out, m, source); }, reference);
    } else {
      BROADLOOM_EXPECT(r.fails, name_of(r) << ": does not compile, but must work");
      ++refused_by_compiler;
    }
  });
}
void run_masked_select(const row& r) {
  with_ranks<ranks<2, 1>, ranks<1, 1>>(r, [&](const auto& x, const auto& shape) {
    const auto m = make_mask<1>(r.inputs[1], true);
    static_cast<void>(shape);
    check_result(
        r, [&] { return bl::masked_select(x, m); },
        [&](const extents& at) { return element_at(x, {at[0] / 3, at[0] % 3}); });
  });
}
void run_map(const row& r) {
  with_ranks<ranks<2, 1>, ranks<1, 2>>(r, [&](auto& x, const auto& y) {
    const auto f = [](double a, double b) { return 2 * a + b; };
    if constexpr (rank_of_array<std::remove_cvref_t<decltype(x)>>::value == 2) {
      const auto before = x;
      check_result(
          r, [&] { return bl::map_(x, y, f); },
          [&](const extents& at) { return f(element_at(before, at), element_at(y, at)); });
    } else {
      BROADLOOM_EXPECT(r.fails, name_of(r) << ": does not compile, but must work");
      ++refused_by_compiler;
    }
  });
}
void run_map2(const row& r) {
  with_ranks<ranks<2, 1, 2>>(r, [&](auto& x, const auto& y, const auto& z) {
    const auto f = [](double a, double b, double c) { return 2 * a + b - c; };
    const auto before = x;
    check_result(
        r, [&] { return bl::map2_(x, y, z, f); },
        [&](const extents& at) { return f(element_at(before, at), element_at(y, at), element_at(z, at)); });
  });
}

// The distance over all elements of the common shape. Squares and sums are exact here.
void run_dist(const row& r) {
  with_ranks<table_ranks>(r, [&](const auto& x, const auto& y) {
    check_result(
        r, [&] { return bl::dist(x, y); },
        [&](const extents&) {
          double squares = 0;
          for_each_index(to_extents(bl::broadcast(x.shape(), y.shape())), [&](const extents& at) {
            const double d = element_at(x, at) - element_at(y, at);
            squares += d * d;
          });
          return std::sqrt(squares);
        });
  });
}
// The mean of each row, kept as a column or not, less a vector.
template <bool Keep>
void run_mean_less_vector(const row& r) {
  with_ranks<ranks<2, 1>>(r, [&](const auto& x, const auto& y) {
    check_result(
        r,
        [&] {
          if constexpr (Keep)
            return bl::mean(x, 1, bl::keepdim) - y;
          else
            return bl::mean(x, 1) - y;
        },
        [&](const extents& at) {
          double sum = 0;
          const bl::index columns = x.shape()[1];
          for (bl::index j = 0; j < columns; ++j) sum += element_at(x, {at[0], j});
          return sum / static_cast<double>(columns) - element_at(y, at);
        });
  });
}

const std::map<std::string, runner>& runners() {
  using d = double;
  const auto add = [](d x, d y) { return x + y; };
  const auto addcmul = [](d c, d a, d b) { return c + a * b; };
  const auto addcdiv = [](d c, d a, d b) { return c + a / b; };
  const auto copy_ = [](auto& out, const auto& x) { bl::assign(out, x); };
  static const std::map<std::string, runner> all{
      {"add", expression_of<ranks<0, 0>, ranks<0, 2>, ranks<0, 3>, ranks<1, 0>, ranks<1, 1>, ranks<1, 2>, ranks<1, 3>, ranks<2, 0>,
                            ranks<2, 1>, ranks<2, 2>, ranks<3, 2>, ranks<3, 3>, ranks<4, 3>, ranks<7, 5>>(bl::add, add)},
      {"sub", binary(bl::sub, [](d x, d y) { return x - y; })},
      {"mul", binary(bl::mul, [](d x, d y) { return x * y; })},
      {"div", binary(bl::div, [](d x, d y) { return x / y; })},
      {"pow", binary(bl::pow, [](d x, d y) { return std::pow(x, y); })},
      {"atan2", binary(bl::atan2, [](d x, d y) { return std::atan2(x, y); })},
      {"fmod", binary(bl::fmod, [](d x, d y) { return std::fmod(x, y); })},
      {"remainder", binary(bl::remainder,
                           [](d x, d y) {
                             const d r = std::fmod(x, y);
                             return r != 0 && (r < 0) != (y < 0) ? r + y : r;
                           })},
      {"eq", binary(bl::eq, [](d x, d y) { return x == y; })},
      {"ne", binary(bl::ne, [](d x, d y) { return x != y; })},
      {"lt", binary(bl::lt, [](d x, d y) { return x < y; })},
      {"le", binary(bl::le, [](d x, d y) { return x <= y; })},
      {"gt", binary(bl::gt, [](d x, d y) { return x > y; })},
      {"ge", binary(bl::ge, [](d x, d y) { return x >= y; })},
      {"max", binary(bl::maximum, [](d x, d y) { return x < y ? y : x; })},
      {"min", binary(bl::minimum, [](d x, d y) { return y < x ? y : x; })},
      {"lerp[weight=0.5]",
       expression_of<ranks<2, 2>>([](const auto& x, const auto& y) { return bl::lerp(x, y, 0.5); },
                                  [](d x, d y) { return (x + y) / 2; })},
      {"add3 a+b+c", expression_of<ranks<3, 3, 3>>([](const auto& a, const auto& b, const auto& c) { return a + b + c; },
                                                   [](d a, d b, d c) { return a + b + c; })},
      {"addcmul", expression_of<ranks<0, 3, 3>, ranks<2, 2, 3>, ranks<3, 3, 3>>(bl::addcmul, addcmul)},
      {"addcdiv", expression_of<ranks<2, 2, 3>>(bl::addcdiv, addcdiv)},
      {"add_", in_place_of<ranks<0, 1>, ranks<1, 1>, ranks<1, 2>, ranks<2, 1>, ranks<2, 2>, ranks<3, 3>, ranks<4, 3>>(bl::add_, add)},
      {"addcmul_", in_place_of<ranks<3, 0, 3>, ranks<3, 2, 3>, ranks<3, 3, 3>>(bl::addcmul_, addcmul)},
      {"addcdiv_", in_place_of<ranks<3, 2, 3>>(bl::addcdiv_, addcdiv)},
      {"copy_", in_place_of<ranks<1, 1>, ranks<1, 2>, ranks<2, 0>, ranks<2, 1>>(copy_, [](d, d y) { return y; })},
      {"setitem[:]",
       [](const row& r) {
         // Python's x[:] = v drops leading axes of extent 1 of v; here all assignments go through one check, which does
         // not.
         with_ranks<ranks<1, 3>>(
             r,
             [&](auto& x, const auto& v) {
               using write =
                   decltype([](auto& to, const auto& from) -> decltype(bl::assign(to, from)) { bl::assign(to, from); });
               BROADLOOM_EXPECT((!std::is_invocable_v<write, decltype(x), decltype(v)>), name_of(r) << ": compiles");
               BROADLOOM_EXPECT((std::is_invocable_v<write, decltype(x), decltype(x)>), name_of(r)
                                                                                            << ": does not compile");
               ++refused_by_compiler;
             });
       }},
      {"torch add.out", [](const row& r) {
         with_ranks<ranks<1, 1, 1>>(r, [&](auto& x, auto& y, auto& out) { check_out(r, bl::add, out, x, y); });
       }},
      {"torch mul.out", [](const row& r) {
         with_ranks<ranks<2, 1, 4>>(r, [&](auto& x, auto& y, auto& out) { check_out(r, bl::mul, out, x, y); });
       }},
      {"add_ on expanded self", run_expanded_destination},
      {"add_ partial overlap x[1:]+=x[:-1]", run_overlap},
      {"add.out partial overlap x[1:]+=x[:-1]", run_overlap},
      {"every elementwise binary op", run_every_binary},
      {"torch.gather[dim=0]", run_gather<0>},
      {"torch.gather[dim=1]", run_gather<1>},
      {"take_along_dim[dim=0]", run_take_along_dim<0>},
      {"dist", run_dist},
      {"sub(mean[dim=1;keepdim],x)", run_mean_less_vector<true>},
      {"sub(mean[dim=1],x)", run_mean_less_vector<false>},
      {"take_along_dim[dim=1]", run_take_along_dim<1>},
      {"np.choose", run_choose},
      {"gather_bc[dim=0] (the notes' rule, i>=index.dim case)", run_gather_broadcast<0>},
      {"gather_bc[dim=1] (the notes' rule, middle case)", run_gather_broadcast<1>},
      {"scatter[dim=0]", run_scatter<0>},
      {"scatter[dim=1]", run_scatter<1>},
      {"index_add_[dim=0]", run_index_update<true>},
      {"index_copy_[dim=0]", run_index_update<false>},
      {"index_select[dim=0]", run_index_select},
      {"index (3,4)[i,j] with index shapes", run_index_with_two},
      {"(3,4,5)[i,:,j]", run_separated_index},
      {"setitem (3,4)[[0,1]]=v", run_set_items},
      {"cat[dim=0]", run_cat},
      {"masked_fill_", [](const row& r) { run_masked_fill(r, true); }},
      {"masked_fill", [](const row& r) { run_masked_fill(r, false); }},
      {"masked_scatter_ (old masked_copy)", [](const row& r) { run_masked_scatter(r, true); }},
      {"masked_scatter", [](const row& r) { run_masked_scatter(r, false); }},
      {"masked_select", run_masked_select},
      {"masked_select[all-true mask]", run_masked_select},
      {"map_", run_map},
      {"map2_", run_map2},
      {"broadcast_shapes", run_broadcast_shapes},
      {"broadcast_shapes x64", run_broadcast_shapes},
      {"broadcast_shapes x100 operands", run_broadcast_shapes},
      {"broadcast", run_broadcast_shapes},
      {"broadcast_arrays", run_broadcast_arrays},
      {"broadcast_to[target=second]", run_expand},
      {"expand[target=second]", run_expand},
  };
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(broadcast_cases)

BOOST_AUTO_TEST_CASE(every_function_is_run) {
  std::set<std::string> in_table;
  for (const row& r : read_table()) in_table.insert(r.function);
  for (const auto& name : in_table) BOOST_TEST(runners().count(name) + run_with_linear_algebra.count(name) == 1u, name);
  // Nothing is run that the table does not have.
  for (const auto& [name, run] : runners()) BOOST_TEST(in_table.count(name) == 1u, name);
}

BOOST_AUTO_TEST_CASE(every_row_but_those_of_linear_algebra) {
  int run = 0, left = 0;
  std::map<std::string, int> by_function;
  for (const row& r : read_table()) {
    const auto found = runners().find(r.function);
    if (found == runners().end()) {
      ++left;
      continue;
    }
    try {
      found->second(r);
    } catch (const std::exception& error) {
      problems.push_back(name_of(r) + ": unexpected: " + error.what());
    }
    for (const auto& problem : problems) BOOST_ERROR(problem);
    problems.clear();
    ++run;
    ++by_function[r.function];
  }
  std::ostringstream text;
  for (const auto& [name, count] : by_function) text << "  " << count << "  " << name << '\n';
  BOOST_TEST_MESSAGE(run << " rows run (" << refused_by_compiler << " checks settled by the compiler, " << total.checked
                         << " elements), " << left << " rows of linear algebra:\n"
                         << text.str());
  std::printf("%d rows run, %lld elements compared, %d settled by the compiler\n", run, total.checked,
              refused_by_compiler);
  BOOST_TEST(negative_targets == 4);
  BOOST_TEST(run + left == 448);
  BOOST_TEST(run == 303);
}

// The checks of this file can fail: each of these rows says something wrong, and each is noticed.
BOOST_AUTO_TEST_CASE(a_wrong_row_is_noticed) {
  const auto problems_of = [](const std::string& runner_name, const std::string& inputs, const std::string& expected,
                              const std::string& message = "") {
    row r;
    r.function = runner_name;
    for (const auto& shape : split(inputs, ';')) r.inputs.push_back(parse_extents(shape));
    r.fails = expected == "ERROR";
    if (!r.fails) r.expected = parse_extents(expected);
    r.message = message;
    r.from_torch = true;
    problems.clear();
    runners().at(runner_name)(r);
    const std::size_t count = problems.size();
    problems.clear();
    return count;
  };
  const std::string right = "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 1";
  BOOST_TEST(problems_of("add", "(5,1,4,1);(3,1,1)", "(5,3,4,1)") == 0u);
  BOOST_TEST(problems_of("add", "(5,1,4,1);(3,1,1)", "(5,3,4,2)") > 0u);
  BOOST_TEST(problems_of("add", "(5,1,4,1);(3,1,1)", "ERROR") > 0u);
  BOOST_TEST(problems_of("add", "(0);(1)", "(1)") > 0u);  // "the larger of the two"
  BOOST_TEST(problems_of("add", "(5,2,4,1);(3,1,1)", "(5,3,4,1)") > 0u);
  BOOST_TEST(problems_of("add", "(5,2,4,1);(3,1,1)", "ERROR", right) == 0u);
  BOOST_TEST(problems_of("add", "(5,2,4,1);(3,1,1)", "ERROR", "The size of tensor a (3)") > 0u);
  BOOST_TEST(problems_of("add", "(2,2,2);(2,2,2,2)", "(2,2,2,2)") > 0u);  // ranks this file does not instantiate
  BOOST_TEST(problems_of("add_", "(1,3,1);(3,1,7)", "(3,3,7)") > 0u);
  BOOST_TEST(problems_of("add_", "(2,3);(3)", "ERROR") > 0u);
  BOOST_TEST(problems_of("add_", "(2,3);(2,1)", "(2,3)") == 0u);
  BOOST_TEST(problems_of("broadcast_shapes", "(2,1);(1,3)", "(2,1)") > 0u);
  BOOST_TEST(problems_of("broadcast_arrays", "(3);(1)", "(1)") > 0u);
  BOOST_TEST(problems_of("expand[target=second]", "(3);(2)", "(2)") > 0u);
  // Wrong elements: the sum checked against a difference.
  row r;
  r.inputs = {{2, 3}, {3}};
  r.expected = {2, 3};
  expression_of<ranks<2, 1>>(bl::add, [](double x, double y) { return x - y; })(r);
  BOOST_TEST(problems.size() == 1u);
  problems.clear();
}

BOOST_AUTO_TEST_SUITE_END()

#undef BROADLOOM_EXPECT
