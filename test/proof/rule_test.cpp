// The solver's rule and the library's rule are one function: the definitions in proof/rule.smt2, evaluated by z3 over a
// complete grid, are compared with what the library does, once for every way in which the library states the rule.
#include <boost/test/unit_test.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

namespace {

constexpr bl::index largest = 9;

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

// The definitions, and after them `meet_` from one of the wrong versions if it is named.
std::string definitions(const std::string& mutant = "") {
  std::string text = read_file("proof/rule.smt2");
  if (!mutant.empty()) {
    const std::string all = read_file("proof/mutants.smt2");
    const auto begin = all.find(";; mutant " + mutant + ":");
    if (begin == std::string::npos) throw solver_error("no mutant " + mutant);
    std::string body = all.substr(begin, all.find(";; mutant", begin + 1) - begin);
    const std::string old_name = "(define-fun meet ";
    const auto at = body.find(old_name);
    if (at == std::string::npos) throw solver_error("mutant " + mutant + " does not define meet");
    text += body.replace(at, old_name.size(), "(define-fun wrong_meet ");
  }
  return text;
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
  return "(size " + std::to_string(n) + ")";
}
std::string number(bl::index n) { return n < 0 ? "(- " + std::to_string(-n) + ")" : std::to_string(n); }

struct pair {
  bl::index a, b;
};
// All pairs of sizes 0 ... largest; with the unknown size and the error too if `known_only` is false.
std::vector<pair> grid(bool known_only) {
  std::vector<pair> all;
  const bl::index first = known_only ? 0 : bl::detail::clash;
  for (bl::index a = first; a <= largest; ++a)
    for (bl::index b = first; b <= largest; ++b) all.push_back({a, b});
  return all;
}

std::vector<std::string> ask(const std::string& function, const std::vector<pair>& pairs,
                             const std::string& mutant = "") {
  std::vector<std::string> terms;
  for (const auto& p : pairs) terms.push_back("(" + function + " " + axis(p.a) + " " + axis(p.b) + ")");
  return evaluate(definitions(mutant), terms);
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
  BOOST_TEST(pairs.size() == 144u);
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
  BOOST_TEST(pairs.size() == 100u);
  BOOST_TEST(differences(pairs, ask("meet", pairs), true, at_run_time) == 0);
}

BOOST_AUTO_TEST_CASE(at_run_time_over_sizes_of_unknown_rank) {
  const auto pairs = grid(true);
  BOOST_TEST(differences(pairs, ask("meet", pairs), true, at_run_time_rank) == 0);
}

BOOST_AUTO_TEST_CASE(in_place_over_sizes) {
  const auto pairs = grid(true);
  BOOST_TEST(differences(pairs, ask("in_place", pairs), true, in_place) == 0);
}

BOOST_AUTO_TEST_CASE(expansion_to_a_target) {
  const auto pairs = grid(true);
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
  const auto maximum = ask("wrong_meet", pairs, "maximum");
  BOOST_TEST(differences(pairs, maximum, false, at_run_time) == 2);  // 1 with 0 and 0 with 1
  BOOST_TEST(differences(pairs, maximum, false, bl::detail::broadcast_axis) == 2);
  BOOST_TEST(differences(pairs, maximum, false, at_run_time_rank) == 2);
  BOOST_TEST(differences(pairs, ask("wrong_meet", pairs, "plain-maximum"), false, at_run_time) > 50);
  BOOST_TEST(differences(grid(false), ask("wrong_meet", grid(false), "forgetful"), false, bl::detail::broadcast_axis) >
             10);
  BOOST_TEST(differences(pairs, ask("meet", pairs), false, in_place) > 5);
}

BOOST_AUTO_TEST_SUITE_END()
