// Every node of the random trees of test/fuzz against PyTorch: given the node's own operands, PyTorch's function of
// that name gives the same type, shape and elements, exactly, or within the bounds that rounding has. The trees'
// results have the bits of these nodes, which is checked beside it. What differs by decision is in decisions.tsv
// and decisions_of_nodes.tsv.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <complex>
#include <cstdio>
#include <map>
#include <set>

#include "decisions.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/interpreter.hpp"
#include "fuzz/session.hpp"
#include "torch_nodes.hpp"
#include "truth.hpp"

namespace reference {

namespace {

using broadloom::dtype;
using broadloom::index;
using fuzz::dense;
using fuzz::operation;
using numbers = std::vector<index>;

struct {
  decisions decided{"test/reference/decisions.tsv"}, of_nodes{"test/reference/decisions_of_nodes.tsv"};
  unsigned long long nodes = 0, elements = 0, no_type = 0, explained = 0, out_of_range = 0;
  std::map<std::string, unsigned long long> without;
} state;

std::complex<long double> element(const dense& x, index k) {
  switch (x.type) {
    case dtype::b8: return x.as<bool>()[k];
    case dtype::i8: return x.as<std::int8_t>()[k];
    case dtype::i16: return x.as<std::int16_t>()[k];
    case dtype::i32: return x.as<std::int32_t>()[k];
    case dtype::i64: return static_cast<long double>(x.as<std::int64_t>()[k]);
    case dtype::u8: return x.as<std::uint8_t>()[k];
    case dtype::u16: return x.as<std::uint16_t>()[k];
    case dtype::u32: return x.as<std::uint32_t>()[k];
    case dtype::u64: return static_cast<long double>(x.as<std::uint64_t>()[k]);
    case dtype::f32: return x.as<float>()[k];
    case dtype::f64: return static_cast<long double>(x.as<double>()[k]);
    case dtype::c64: return {x.as<std::complex<float>>()[k].real(), x.as<std::complex<float>>()[k].imag()};
    case dtype::c128: return {x.as<std::complex<double>>()[k].real(), x.as<std::complex<double>>()[k].imag()};
    default: break;
  }
  throw std::logic_error("an element type that there is not");
}

std::string text_of(const std::complex<long double>& x) {
  char text[80];
  std::snprintf(text, sizeof text, x.imag() == 0 ? "%.17Lg" : "%.17Lg%+.17Lgi", x.real(), x.imag());
  return text;
}

// One node on both sides.
struct comparison {
  const operation& node;
  const numbers& given;
  const std::vector<dense>& operands;
  const dense& ours;
  const dense& theirs;

  // The function's name: that of the node, or of what it maps or reduces by.
  std::string function() const { return is_pointwise() || node.name == "reduce" ? node.arguments.at(0) : node.name; }
  bool is_pointwise() const { return node.name == "m1" || node.name == "m2" || node.name == "m3"; }
  bool is_floating() const { return broadloom::is_floating(ours.type); }
  bool decided(const char* kind) const {
    std::vector<std::string> types;
    for (const dense& x : operands) types.emplace_back(broadloom::to_string(x.type));
    const bool is = state.decided.cover(kind, function(), types) || state.of_nodes.cover(kind, function(), types);
    state.explained += is;
    return is;
  }
  long double eps() const { return ours.type == dtype::f32 || ours.type == dtype::c64 ? 0x1p-23L : 0x1p-52L; }
  long double largest() const { return std::ldexp(1.0L, eps() == 0x1p-23L ? 128 : 1024); }
  long double smallest() const { return std::ldexp(1.0L, eps() == 0x1p-23L ? -126 : -1022); }

  // What the naive way makes of the first operand in f64, by a program; its last node has this one's arguments.
  dense also(const std::string& program) const {
    std::vector<operation> all = fuzz::parse(program);
    const dense wide = fuzz::converted(operands[0], dtype::f64);
    for (operation& o : all)
      if (o.name == "same") {  // the same axes
        o.name = node.name;
        std::vector<std::string> arguments;
        for (const index n : given) arguments.push_back(std::to_string(n));
        if (node.name == "reduce") arguments[0] = o.arguments.at(0);
        o.arguments = arguments;
      }
    return fuzz::interpret(all, {wide}, {});
  }
  static long double at(const dense& x, index k) { return static_cast<long double>(x.as<double>()[k]); }
  // The same along an axis that the result keeps.
  std::string axis() const { return std::to_string(given.at(0)); }

  // Empty when they agree.
  std::string compare() {
    if (ours.type != theirs.type)
      return std::string("gives ") + broadloom::to_string(ours.type) + ", PyTorch " + broadloom::to_string(theirs.type);
    if (ours.shape != theirs.shape)
      return "gives " + fuzz::shape_text(ours.shape) + ", PyTorch " + fuzz::shape_text(theirs.shape);
    const index n = ours.count();
    state.elements += static_cast<unsigned long long>(n);
    if (ours.bytes == theirs.bytes) return {};
    const allowance rule = allowed();
    for (index k = 0; k < n; ++k) {
      const auto a = element(ours, k), b = element(theirs, k);
      const bool nan = std::isnan(a.real()) && std::isnan(b.real());
      if (nan || a == b) {
        if (!nan && is_floating() && std::signbit(a.real()) != std::signbit(b.real()) && !rule && !decided("zero"))
          return "the sign of a zero differs at element " + std::to_string(k) + operands_text(k);
        continue;
      }
      if (rule && rule(k, a, b)) continue;
      if (std::isnan(a.real()) && has_nan(k) && decided("nan")) continue;
      return "element " + std::to_string(k) + " is " + text_of(a) + ", PyTorch's " + text_of(b) + operands_text(k);
    }
    return {};
  }

 private:
  using allowance = std::function<bool(index, const std::complex<long double>&, const std::complex<long double>&)>;

  // The operands of a pointwise function at element k.
  std::string operands_text(index k) const {
    if (!is_pointwise()) return {};
    std::string s = " of";
    for (const dense& x : operands)
      s += std::string(" ") + broadloom::to_string(x.type) + (x.number ? " number " : " ") +
           text_of(element(fuzz::expanded(x, ours.shape), k));
    return s;
  }

  // Whether an operand of a pointwise function is NaN at element k.
  bool has_nan(index k) const {
    if (!is_pointwise()) return false;
    for (const dense& x : operands)
      if (std::isnan(element(fuzz::expanded(x, ours.shape), k).real())) return true;
    return false;
  }

  // How far results may be apart; null where they are exact.
  allowance allowed() {
    if (broadloom::is_complex(ours.type)) return complex_rule();
    if (!is_floating()) return nullptr;
    const std::string f = function();
    if (is_pointwise()) return pointwise_rule(f);
    if (f == "sum" || f == "mean" || f == "sum64" || f == "cumsum") return sum_rule(f);
    if (f == "prod" || f == "cumprod") return product_rule(f);
    if (f == "var" || f == "std") return variance_rule(f);
    if (f == "softmax" || f == "log_softmax" || f == "logsumexp") return softmax_rule(f);
    return nullptr;
  }

  // Products of complex numbers round differently where a product is fused with the sum.
  allowance complex_rule() {
    if (function() != "mul") return nullptr;
    const dense x = fuzz::expanded(operands[0], ours.shape), y = fuzz::expanded(operands[1], ours.shape);
    return [=, this](index k, const auto& a, const auto& b) {
      return std::abs(a - b) <= 2 * eps() * std::abs(element(x, k)) * std::abs(element(y, k));
    };
  }

  allowance pointwise_rule(const std::string& f) {
    const bounds* const bound = bounds_of(f);
    const bool division = f == "fmod" || f == "remainder";
    // The composites were computed in their two steps, each of which rounds once.
    if ((bound == nullptr && !division) || f == "add" || f == "sub" || f == "addcmul" || f == "addcdiv") return nullptr;
    std::vector<dense> wide;
    for (const dense& x : operands) wide.push_back(fuzz::expanded(fuzz::converted(x, ours.type), ours.shape));
    return [=, this](index k, const auto& a, const auto& b) { return within(f, bound, wide, k, a.real(), b.real()); };
  }
  bool within(const std::string& f, const bounds* bound, const std::vector<dense>& wide, index k, long double a,
              long double b) {
    long double x[3] = {};
    int count = 0;
    for (const dense& w : wide) x[count++] = element(w, k).real();
    // A remainder is exact here; PyTorch's is of a rounded quotient.
    if (bound == nullptr) return std::abs(a - b) <= eps() * std::abs(x[1]) || decided("value");
    if (std::isnan(a) != std::isnan(b)) return decided("value");
    const truth t = true_value(f, x, count);
    const long double off = error_of(a, t.value, ours.type), their_off = error_of(b, t.value, ours.type);
    const long double place = place_of(t.value, ours.type);
    if (bound->steps > 0) {
      const long double scale = std::isfinite(t.scale) ? place_of(t.scale, ours.type) : 0;
      return off <= their_off + bound->steps * std::max(scale, place);
    }
    if (std::abs(a - b) <= (bound->ours + bound->theirs) * place) return true;
    return off <= bound->ours * place && decided("value");
  }

  // Where what is added up or multiplied leaves the range of the type on the way, the order decides what comes of it.
  bool leaves_range() {
    ++state.out_of_range;
    return true;
  }

  // Whatever the order, n - 1 roundings of what was added so far: on either side half a unit of the sum of magnitudes
  // each.
  allowance sum_rule(const std::string& f) {
    const dense total = also(f == "cumsum" ? "L0 m1:abs same" : "L0 m1:abs same:sum");
    const long double n = lines();
    return [=, this](index k, const auto& a, const auto& b) {
      const long double sum = at(total, k);
      if (!(sum < largest() / 2)) return leaves_range();
      const long double unit = f == "sum64" ? 0x1p-52L : eps();
      long double bound = n * unit * sum;
      if (f == "mean") bound = bound / n + eps() * std::abs(a);
      if (f == "sum64") bound += eps() * std::abs(a);
      return std::abs(a - b) <= bound + denormal();
    };
  }

  allowance product_rule(const std::string& f) {
    const std::string last = f == "cumprod" ? " same" : " same:prod";
    const dense high = also("L0 m1:abs int:1 m2:maximum" + last), low = also("L0 m1:abs int:1 m2:minimum" + last);
    const long double n = lines();
    return [=, this](index k, const auto& a, const auto& b) {
      if (!(at(high, k) < largest() / 2) || !(at(low, k) > 2 * smallest())) return leaves_range();
      return std::abs(a - b) <= n * eps() * std::abs(a);
    };
  }

  // Two passes here, one that carries the mean there: roundings of the distances, and of the mean, which count squared.
  allowance variance_rule(const std::string& f) {
    const dense spread = also("L0 same:var"), peak = also("L0 m1:abs same:amax");
    const long double n = lines();
    return [=, this](index k, const auto& a, const auto& b) {
      const long double v = at(spread, k), m = at(peak, k);
      if (!(m * m * n < largest() / 4) || (v > 0 && v < smallest() * 4 / eps())) return leaves_range();
      const long double bound =
          8 * n * eps() * (v + m * std::sqrt(v)) + 8 * n * n * eps() * eps() * m * m + n * denormal();
      if (f == "var") return std::abs(a - b) <= bound;
      return std::abs(a.real() * a.real() - b.real() * b.real()) <= bound + 4 * eps() * std::norm(a);
    };
  }

  // Distances to the largest element round before exp sees them.
  allowance softmax_rule(const std::string& f) {
    const long double n = lines();
    if (f == "logsumexp") {
      const dense peak = also("L0 same:amax");
      return [=, this](index k, const auto& a, const auto& b) {
        return std::abs(a - b) <= (n + 8 + 2 * std::abs(a) + 2 * std::abs(at(peak, k))) * eps();
      };
    }
    const dense apart = also("L0 L0 reduce:amax:1:" + axis() + " m2:sub");
    return [=, this](index k, const auto& a, const auto& b) {
      const long double roundings = n + 8 + 2 * std::abs(at(apart, k));
      if (f == "softmax") return std::abs(a - b) <= roundings * eps() * std::abs(a) + smallest();
      return std::abs(a - b) <= (roundings + 2 * std::abs(a)) * eps();
    };
  }

  // The number of elements that come to one.
  long double lines() const {
    if (node.name != "reduce")
      return operands[0].shape.empty() ? 1 : static_cast<long double>(operands[0].shape.at(axis_number()));
    const index n = ours.count();
    return n == 0 ? 0 : static_cast<long double>(operands[0].count() / n);
  }
  std::size_t axis_number() const {
    const index a = given.at(0);
    return static_cast<std::size_t>(a < 0 ? a + static_cast<index>(operands[0].shape.size()) : a);
  }
  long double denormal() const { return smallest() * eps(); }
};

std::string told(const operation& node, const numbers& given, const std::vector<dense>& operands) {
  std::string s = node.name;
  for (std::size_t i = 0; i < node.arguments.size(); ++i) {
    const std::string& word = node.arguments[i];
    s += ":" + (word[0] == 'v' && word != "var" ? std::to_string(given[i]) : word);
  }
  for (const dense& x : operands)
    s += std::string(" ") + broadloom::to_string(x.type) + fuzz::shape_text(x.shape) + (x.number ? " number" : "");
  return s;
}

void compare_node(const operation& node, const numbers& given, const std::vector<dense>& operands, const dense& ours) {
  if (!torch_has(ours.type)) {
    ++state.no_type;
    return;
  }
  dense theirs;
  std::string refusal;
  try {
    switch (torch_node(node, given, operands, theirs)) {
      case namesake::none: ++state.without[node.name + (node.arguments.empty() ? "" : ":" + node.arguments[0])]; return;
      case namesake::no_type: ++state.no_type; return;
      case namesake::found: break;
    }
  } catch (const std::runtime_error& error) {
    refusal = error.what();
  }
  ++state.nodes;
  comparison c{node, given, operands, ours, theirs};
  const std::string wrong =
      !refusal.empty() ? (c.decided("accepts") ? "" : "works, but PyTorch fails: " + refusal) : c.compare();
  if (!wrong.empty()) fuzz::require(false, told(node, given, operands), ": ", wrong);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reference_pytorch_trees)

BOOST_AUTO_TEST_CASE(nodes_of_random_trees) {
  BOOST_REQUIRE(!fuzz::all_trees().empty());
  fuzz::watched() = compare_node;
  fuzz::check("trees", 12 * fuzz::all_trees().size(), [](fuzz::choices& c) {
    const fuzz::tree& tree = c.one_of(fuzz::all_trees());
    fuzz::session s(tree, c);
    tree.build(s);
  });
  fuzz::watched() = nullptr;
  const fuzz::tally n = fuzz::counted();
  std::printf("evaluations of trees: %llu, of %zu types\n", static_cast<unsigned long long>(n.evaluations), n.types);
  std::printf(
      "nodes compared with PyTorch: %llu, %llu elements; %llu of types it has not; %llu elements differ by decision, "
      "%llu left the range on the way; without a namesake:",
      state.nodes, state.elements, state.no_type, state.explained, state.out_of_range);
  for (const auto& [name, count] : state.without) std::printf(" %s %llu", name.c_str(), count);
  std::printf("\n");
  BOOST_TEST(state.nodes > 0U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace reference
