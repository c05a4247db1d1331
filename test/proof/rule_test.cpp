// The solver's rule and the library's rule are one function: the definitions in proof/rule.smt2, evaluated by z3 over a
// complete grid, are compared with what the library does, once for every way in which the library states the rule.
// Build: not-sanitized (it is about types)
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

namespace {

constexpr bl::index largest = 9;
// Beyond those: around powers of two and of ten, of any number of digits and bits; the first few can be allocated.
constexpr bl::index beyond[] = {
    10,    11,    12,    16,         17,         31,         32,         33,         63,         64,
    65,    99,    100,   127,        128,        129,        255,        256,        257,        1000,
    65535, 65536, 65537, 2147483647, 2147483648, 2147483649, 4294967295, 4294967296, 4294967297, 9007199254740993};
constexpr bl::index largest_allocated = 1000;

// z3 could not be asked: not a difference, but not agreement either.
struct solver_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw solver_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The end of the command that begins at `from`.
std::size_t end_of_command(const std::string& text, std::size_t from) {
  int depth = 0;
  for (std::size_t i = from; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  throw solver_error("unbalanced parentheses");
}

// The solver's definitions, with that of `function` from one of the wrong versions if that is named.
std::string definitions(const std::string& function = "", const std::string& mutant = "") {
  std::string text = read_file("proof/rule.smt2");
  if (mutant.empty()) return text;
  const std::string all = read_file("proof/mutants.smt2"), name = "(define-fun " + function + " ";
  const auto part = all.find(";; mutant " + mutant + ":");
  const auto begin = all.find(name, part), end = all.find(";; mutant", part + 1), at = text.find(name);
  if (part == std::string::npos || begin == std::string::npos || begin > end || at == std::string::npos)
    throw solver_error("no mutant " + mutant + " of " + function);
  return text.replace(at, end_of_command(text, at) - at, all.substr(begin, end_of_command(all, begin) - begin));
}

// Each term's value as z3 prints it.
std::vector<std::string> evaluate(const std::string& rule, const std::vector<std::string>& terms) {
  std::string path = std::filesystem::temp_directory_path() / "broadloom_rule_XXXXXX";
  const int file = mkstemp(path.data());
  if (file < 0) throw solver_error("no temporary file");
  std::FILE* out = fdopen(file, "w");
  std::fputs(rule.c_str(), out);
  for (const auto& term : terms) std::fprintf(out, "\n(simplify %s)", term.c_str());
  std::fclose(out);
  std::FILE* pipe = popen(("z3 -T:60 '" + path + "' 2>&1").c_str(), "r");
  std::string all;
  char buffer[4096];
  for (std::size_t n; pipe != nullptr && (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) all.append(buffer, n);
  const int status = pipe == nullptr ? -1 : pclose(pipe);
  std::remove(path.c_str());
  std::vector<std::string> lines;
  std::istringstream text(all);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  if (status != 0 || lines.size() != terms.size())
    throw solver_error("z3 (Debian package z3) did not answer: " + all.substr(0, 300));
  return lines;
}

std::string axis(bl::index n) {
  if (n == bl::dyn) return "dyn";
  if (n == bl::detail::clash) return "clash";
  if (bl::detail::is_named(n)) return "(named " + std::to_string(n - bl::detail::lowest_index) + ")";
  return "(size " + std::to_string(n) + ")";
}
std::string number(bl::index n) { return n < 0 ? "(- " + std::to_string(-n) + ")" : std::to_string(n); }

struct pair {
  bl::index a, b;
};
// The sizes 0 ... largest and those beyond, up to `most`; with the unknown size and the error too if `known_only` is
// false.
std::vector<bl::index> sizes(bool known_only, bl::index most = beyond[std::size(beyond) - 1]) {
  std::vector<bl::index> all;
  for (bl::index a = known_only ? 0 : bl::detail::clash; a <= largest; ++a) all.push_back(a);
  if (!known_only) all.insert(all.end(), {bl::size<"a">, bl::size<"batch">, bl::size<"__________">});
  for (const bl::index a : beyond)
    if (a <= most) all.push_back(a);
  return all;
}
// All pairs of these.
std::vector<pair> grid(bool known_only, bl::index most = beyond[std::size(beyond) - 1]) {
  std::vector<pair> all;
  for (const bl::index a : sizes(known_only, most))
    for (const bl::index b : sizes(known_only, most)) all.push_back({a, b});
  return all;
}

std::vector<std::string> ask(const std::string& function, const std::vector<pair>& pairs,
                             const std::string& mutant = "") {
  std::vector<std::string> terms;
  for (const auto& p : pairs) terms.push_back("(" + function + " " + axis(p.a) + " " + axis(p.b) + ")");
  return evaluate(definitions(function, mutant), terms);
}

// How many pairs the two sides answer differently; each is reported if `report`.
template <class Library>
int differences(const std::vector<pair>& pairs, const std::vector<std::string>& solver, bool report, Library library) {
  int count = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::string ours = axis(library(pairs[i].a, pairs[i].b));
    if (ours == solver[i]) continue;
    ++count;
    if (report)
      BOOST_ERROR(axis(pairs[i].a) << " meets " << axis(pairs[i].b) << ": the library says " << ours << ", the solver "
                                   << solver[i]);
  }
  return count;
}

// What the library's rule for shapes known at run time makes of two sizes.
bl::index at_run_time(bl::index a, bl::index b) {
  try {
    return bl::broadcast(bl::dshape<1>(a), bl::dshape<1>(b))[0];
  } catch (const bl::shape_error&) {
    return bl::detail::clash;
  }
}

bl::index at_run_time_rank(bl::index a, bl::index b) {
  try {
    return bl::broadcast_shapes({{a}, {b}}).at(0);
  } catch (const bl::shape_error&) {
    return bl::detail::clash;
  }
}

// The size that self has after self.add_(b) as the library decides it, or an error.
bl::index in_place(bl::index self, bl::index b) {
  try {
    bl::dtensor<float, 1> x(self);
    bl::dtensor<float, 1> y(b);
    for (bl::index i = 0; i < self; ++i) x.data()[i] = 1;
    for (bl::index i = 0; i < b; ++i) y.data()[i] = 1;
    bl::add_(x, y);
    return x.shape()[0];
  } catch (const bl::shape_error&) {
    return bl::detail::clash;
  }
}

bl::index expanded(bl::index c, bl::index target) {
  try {
    const bl::dtensor<float, 1> x(c);
    return bl::expand(x, bl::dshape<1>(target)).shape()[0];
  } catch (const bl::shape_error&) {
    return bl::detail::clash;
  }
}

// --- shapes ----------------------------------------------------------------------------------------------------------

// Sizes of a shape, the last axis last, as one of the library's and as one of the solver's, which counts from the last.
using extents = std::vector<bl::index>;
std::string shape_term(const extents& x) {
  // What is no axis of the shape holds a size that nothing meets: nobody may look at it.
  std::string axes = "((as const (Array Int Axis)) (size 77))";
  for (std::size_t k = 0; k < x.size(); ++k)
    axes = "(store " + axes + " " + std::to_string(k) + " " + axis(x[x.size() - 1 - k]) + ")";
  return "(shape " + std::to_string(x.size()) + " " + axes + ")";
}

constexpr int highest_rank = 8;

// Pairs of shapes of all ranks 0-8. On each axis in turn, present in both or missing in one of them, meet sizes that
// fit and sizes that do not, below and beyond 10; the other axes fit.
struct shapes {
  extents a, b;
};
std::vector<shapes> pairs_of_shapes() {
  std::vector<shapes> all;
  constexpr pair meeting[] = {{3, 3}, {1, 3}, {3, 1},   {1, 1},  {0, 1},  {1, 0},
                              {0, 2}, {2, 3}, {10, 11}, {12, 1}, {12, 17}};
  for (int m = 0; m <= highest_rank; ++m)
    for (int n = 0; n <= highest_rank; ++n)
      for (int k = 0; k < std::max({m, n, 1}); ++k)
        for (const pair& p : meeting) {
          const auto fill = [&](int rank, bl::index own, bl::index other) {
            extents x(static_cast<std::size_t>(rank));
            for (int j = 0; j < rank; ++j)
              x[static_cast<std::size_t>(rank - 1 - j)] = j == k ? own : j % 3 == 0 ? 2 : j % 3 == 1 ? other : 1;
            return x;
          };
          all.push_back({fill(m, p.a, 5), fill(n, p.b, 1)});
        }
  return all;
}

// The solver's word on each pair: "(answer rank axes...)", axes from the last one on, or that some axis clashes.
std::vector<std::string> broadcast_by_solver(const std::vector<shapes>& pairs, std::string rule) {
  rule +=
      "\n(set-option :pp.single_line true)\n(set-option :pp.max_width 100000)"
      "\n(declare-datatypes ((Answer 0)) (((answer (answer_rank Int)";
  std::string axes;
  for (int k = 0; k < highest_rank; ++k) {
    rule += " (answer_axis" + std::to_string(k) + " Axis)";
    axes += " (axis_of s " + std::to_string(k) + ")";
  }
  rule += "))))";
  std::vector<std::string> terms;
  for (const auto& p : pairs)
    terms.push_back("(let ((s (broadcast " + shape_term(p.a) + " " + shape_term(p.b) + "))) (answer (rank s)" + axes +
                    "))");
  auto all = evaluate(rule, terms);
  for (std::string& text : all)
    if (text.find("clash") != std::string::npos) text = "clash";
  return all;
}
// The library's, in the same words: from a list of extents.
template <class Extents>
std::string in_words(const Extents& x, bl::index rank) {
  std::string text = "(answer " + std::to_string(rank);
  for (bl::index k = 0; k < highest_rank; ++k) text += " " + (k < rank ? axis(x[rank - 1 - k]) : "(size 1)");
  return text + ")";
}
std::string broadcast_of_unknown_rank(const shapes& p) {
  try {
    const auto both = bl::broadcast_shapes(std::vector<extents>{p.a, p.b});
    return in_words(both.data(), static_cast<bl::index>(both.size()));
  } catch (const bl::shape_error&) {
    return "clash";
  }
}
template <int Rank>
bl::dshape<Rank> shape_of(const extents& x) {
  bl::detail::indices<Rank> r{};
  for (int i = 0; i < Rank; ++i) r[i] = x[static_cast<std::size_t>(i)];
  return bl::dshape<Rank>::unchecked(r);
}
template <int M, int N>
std::string broadcast_of_ranks(const shapes& p) {
  try {
    const auto both = bl::broadcast(shape_of<M>(p.a), shape_of<N>(p.b));
    return in_words(both, both.rank());
  } catch (const bl::shape_error&) {
    return "clash";
  }
}
// As the compiler computes it: the same function over extents, unknown ones apart.
template <int M, int N>
std::string broadcast_in_compiler(const shapes& p) {
  const auto both = bl::detail::broadcast_static(shape_of<M>(p.a).extents(), shape_of<N>(p.b).extents());
  return both.axis >= 0 ? "clash" : in_words(both.extents, both.extents.count);
}
// The broadcast of whole trees, in which leaves are seen with stride 0: self.add_(b), self.copy_(b), expand(b, self).
// Elements are never read where an extent is large, for there is one that is 0.
template <int M, int N>
std::string in_place_of_ranks(const shapes& p) {
  using self_t = bl::dtensor<float, M>;
  using other_t = bl::dtensor<float, N>;
  // More axes than the destination has are refused by the compiler, whatever their extents are.
  constexpr bool takes = std::is_invocable_v<decltype(bl::add_), self_t&, const other_t&>;
  if constexpr (!takes)
    return "clash";
  else
    try {
      self_t self{shape_of<M>(p.a)};
      const other_t other{shape_of<N>(p.b)};
      bl::add_(self, other);
      return in_words(self.shape(), M);
    } catch (const bl::shape_error&) {
      return "clash";
    }
}

template <template <int, int> class Of>
std::string by_ranks(const shapes& p) {
  constexpr int ranks = highest_rank + 1;
  std::string answer = "no rank";
  [&]<int... I>(std::integer_sequence<int, I...>) {
    ((static_cast<int>(p.a.size()) == I / ranks && static_cast<int>(p.b.size()) == I % ranks
          ? static_cast<void>(answer = Of<I / ranks, I % ranks>::of(p))
          : static_cast<void>(0)),
     ...);
  }(std::make_integer_sequence<int, ranks * ranks>{});
  return answer;
}
template <int M, int N>
struct at_run_time_by_rank {
  static std::string of(const shapes& p) { return broadcast_of_ranks<M, N>(p); }
};
template <int M, int N>
struct in_compiler_by_rank {
  static std::string of(const shapes& p) { return broadcast_in_compiler<M, N>(p); }
};
template <int M, int N>
struct in_place_by_rank {
  static std::string of(const shapes& p) {
    if constexpr (M <= 4 && N <= 5)
      return in_place_of_ranks<M, N>(p);
    else
      return "too many axes for this check";
  }
};

template <class Library>
int differences_of_shapes(const std::vector<shapes>& pairs, const std::vector<std::string>& solver, bool report,
                          Library library) {
  int count = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::string ours = library(pairs[i]);
    if (ours == solver[i]) continue;
    ++count;
    if (report && count <= 10)
      BOOST_ERROR(shape_term(pairs[i].a) << " meets " << shape_term(pairs[i].b) << ": the library says " << ours
                                         << ", the solver " << solver[i]);
  }
  return count;
}

// What the compiler makes of two extents: the extent in the result's type, or that there is no result.
template <bl::index A, bl::index B>
constexpr bl::index in_types() {
  if constexpr (bl::broadcastable<bl::shape<A>, bl::shape<B>>)
    return bl::detail::broadcast_of<bl::shape<A>, bl::shape<B>>::type::static_extents[0];
  else
    return bl::detail::clash;
}

template <bl::index A, bl::index... B>
void row_in_types(std::vector<pair>& pairs, std::vector<bl::index>& answers) {
  ((pairs.push_back({A, B}), answers.push_back(in_types<A, B>())), ...);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rule)

BOOST_AUTO_TEST_CASE(for_the_compiler_over_sizes_unknown_and_error) {
  const auto pairs = grid(false);
  BOOST_TEST(pairs.size() == 45u * 45u);
  BOOST_TEST(differences(pairs, ask("meet", pairs), true, bl::detail::broadcast_axis) == 0);
}

BOOST_AUTO_TEST_CASE(in_types) {
  std::vector<pair> pairs;
  std::vector<bl::index> answers;
  row_in_types<bl::dyn, bl::dyn, 0, 1, 2, 3>(pairs, answers);
  row_in_types<0, bl::dyn, 0, 1, 2, 3>(pairs, answers);
  row_in_types<1, bl::dyn, 0, 1, 2, 3>(pairs, answers);
  row_in_types<2, bl::dyn, 0, 1, 2, 3>(pairs, answers);
  row_in_types<3, bl::dyn, 0, 1, 2, 3>(pairs, answers);
  BOOST_TEST(pairs.size() == 25u);
  std::size_t i = 0;
  BOOST_TEST(differences(pairs, ask("meet", pairs), true, [&](bl::index, bl::index) { return answers[i++]; }) == 0);
}

BOOST_AUTO_TEST_CASE(at_run_time_over_sizes) {
  const auto pairs = grid(true);
  BOOST_TEST(pairs.size() == 40u * 40u);
  BOOST_TEST(differences(pairs, ask("meet", pairs), true, at_run_time) == 0);
}

BOOST_AUTO_TEST_CASE(at_run_time_over_sizes_of_unknown_rank) {
  const auto pairs = grid(true);
  BOOST_TEST(differences(pairs, ask("meet", pairs), true, at_run_time_rank) == 0);
}

BOOST_AUTO_TEST_CASE(in_place_over_sizes) {
  const auto pairs = grid(true, largest_allocated);
  BOOST_TEST(differences(pairs, ask("in_place", pairs), true, in_place) == 0);
}

BOOST_AUTO_TEST_CASE(expansion_to_a_target) {
  const auto pairs = grid(true, largest_allocated);
  BOOST_TEST(differences(pairs, ask("added_to", pairs), true, expanded) == 0);
}

// Where the library reads an operand: the element's offset, for an operand with a gap of 7 between elements.
BOOST_AUTO_TEST_CASE(index_map) {
  std::vector<pair> pairs;
  std::vector<std::string> read_at, stride_for;
  for (bl::index d = 0; d <= largest; ++d)
    for (bl::index s = 0; s <= largest; ++s) {
      pairs.push_back({s, d});
      read_at.push_back("(* 7 (read_at " + number(s) + " " + axis(d) + "))");
      stride_for.push_back("(* " + number(s) + " (stride_for 7 " + axis(d) + "))");
    }
  const auto by_index = evaluate(definitions(), read_at);
  const auto by_stride = evaluate(definitions(), stride_for);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto [s, d] = pairs[i];
    const bl::detail::indices<1> extents{{d}}, strides{{7}}, at{{s}};
    BOOST_TEST(number(bl::detail::offset_of(extents, strides, at)) == by_index[i]);
    const bl::detail::expand_op<bl::dshape<1>> expand{bl::dshape<1>(s + 1)};
    const auto seen = expand(bl::detail::geometry<1>{extents, strides, 0});
    BOOST_TEST(number(s * seen.strides[0]) == by_stride[i]);
  }
}

// The comparison can fail: wrong rules are told apart from the library's, and just where they are wrong.
BOOST_AUTO_TEST_CASE(a_wrong_rule_is_noticed) {
  const auto pairs = grid(true);
  const auto maximum = ask("meet", pairs, "maximum");
  BOOST_TEST(differences(pairs, maximum, false, at_run_time) == 2);  // 1 with 0 and 0 with 1
  BOOST_TEST(differences(pairs, maximum, false, bl::detail::broadcast_axis) == 2);
  BOOST_TEST(differences(pairs, maximum, false, at_run_time_rank) == 2);
  BOOST_TEST(differences(pairs, ask("meet", pairs, "plain-maximum"), false, at_run_time) > 50);
  BOOST_TEST(differences(grid(false), ask("meet", grid(false), "forgetful"), false, bl::detail::broadcast_axis) > 10);
  const auto allocated = grid(true, largest_allocated);
  BOOST_TEST(differences(allocated, ask("meet", allocated), false, in_place) > 5);
}

// Ranks: which axes meet, what a missing one counts as, and how many the result has.
BOOST_AUTO_TEST_CASE(ranks_at_run_time) {
  const auto pairs = pairs_of_shapes();
  const auto solver = broadcast_by_solver(pairs, definitions());
  BOOST_TEST(differences_of_shapes(pairs, solver, true, by_ranks<at_run_time_by_rank>) == 0);
  BOOST_TEST(differences_of_shapes(pairs, solver, true, broadcast_of_unknown_rank) == 0);
  BOOST_TEST(differences_of_shapes(pairs, solver, true, by_ranks<in_compiler_by_rank>) == 0);
  // Both kinds of pairs are among them, of all ranks.
  const auto clashes = std::count(solver.begin(), solver.end(), "clash");
  BOOST_TEST(clashes > 500);
  BOOST_TEST(clashes < static_cast<std::ptrdiff_t>(pairs.size()) - 500);
}

// A leading 1 too many is refused too.
BOOST_AUTO_TEST_CASE(ranks_in_place) {
  std::vector<shapes> pairs;
  for (const auto& p : pairs_of_shapes())
    if (p.a.size() <= 4 && p.b.size() <= 5) pairs.push_back(p);
  std::vector<std::string> terms;
  for (const auto& p : pairs) {
    // The destination's axes and, where it has none, that the operand has none either.
    const std::string self = shape_term(p.a), other = shape_term(p.b);
    terms.push_back("(rank (broadcast " + self + " " + other + "))");
    for (std::size_t k = 0; k < p.a.size(); ++k)
      terms.push_back("(in_place (axis_of " + self + " " + std::to_string(k) + ") (axis_of " + other + " " +
                      std::to_string(k) + "))");
  }
  const auto answers = evaluate(definitions(), terms);
  std::vector<std::string> solver;
  std::size_t at = 0;
  for (const auto& p : pairs) {
    bool fails = answers[at++] != std::to_string(p.a.size());
    for (std::size_t k = 0; k < p.a.size(); ++k) fails = answers[at++] == "clash" || fails;
    solver.push_back(fails ? "clash" : in_words(p.a.data(), static_cast<bl::index>(p.a.size())));
  }
  BOOST_TEST(differences_of_shapes(pairs, solver, true, by_ranks<in_place_by_rank>) == 0);
  const auto too_many =
      std::count_if(pairs.begin(), pairs.end(), [](const shapes& p) { return p.b.size() > p.a.size(); });
  BOOST_TEST(too_many > 50);
}

BOOST_AUTO_TEST_CASE(a_wrong_rule_of_ranks_is_noticed) {
  std::vector<shapes> pairs;
  for (const auto& p : pairs_of_shapes())
    if (p.a.size() <= 3 && p.b.size() <= 3) pairs.push_back(p);
  const auto count = [&](const char* function, const char* mutant) {
    return differences_of_shapes(pairs, broadcast_by_solver(pairs, definitions(function, mutant)), false,
                                 by_ranks<at_run_time_by_rank>);
  };
  BOOST_TEST(count("broadcast", "aligned-left") > 100);
  BOOST_TEST(count("broadcast", "first-rank") > 100);
  BOOST_TEST(count("axis_of", "missing-unknown") > 100);
  BOOST_TEST(count("axis_of", "missing-zero") > 100);
}

BOOST_AUTO_TEST_SUITE_END()
