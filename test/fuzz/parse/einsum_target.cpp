// Subscripts of einsum: what is accepted, and with which labels, is what a second reader says, and the contractions
// they come down to give the sums of products that they mean.
#include <algorithm>
#include <broadloom/linalg/einsum.hpp>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "fuzz/parse/target.hpp"

namespace {

namespace bl = broadloom::detail;
using fuzz::require;
using labels = std::vector<int>;

struct equation {
  bool ok = false;
  std::vector<labels> inputs;
  labels output;
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// A term's letters, with 0 for an ellipsis; false where it has anything else.
bool read_term(std::string term, labels& to) {
  const std::size_t dots = term.find("...");
  if (dots != std::string::npos) term.replace(dots, 3, "!");
  for (const char c : term) {
    if (c == ' ') continue;
    if (!is_letter(c) && c != '!') return false;
    if (c == '!' && dots == std::string::npos) return false;
    to.push_back(c == '!' ? 0 : c);
  }
  return std::count(to.begin(), to.end(), 0) <= 1;
}

// `width` axes in place of an ellipsis.
labels widened(const labels& term, int width) {
  labels r;
  for (const int l : term)
    if (l != 0)
      r.push_back(l);
    else
      for (int k = width; k >= 1; --k) r.push_back(-k);
  return r;
}

equation read(const std::string& text, const std::vector<int>& ranks) {
  equation e;
  const std::size_t arrow = text.find('-');
  const std::string left = text.substr(0, arrow);
  std::vector<std::string> terms{""};
  for (const char c : left)
    if (c == ',')
      terms.emplace_back();
    else
      terms.back() += c;
  if (terms.size() != ranks.size()) return e;
  int widest = 0;
  for (std::size_t k = 0; k < terms.size(); ++k) {
    labels term;
    if (!read_term(terms[k], term)) return e;
    const bool dots = std::count(term.begin(), term.end(), 0) > 0;
    const int width = ranks[k] - static_cast<int>(term.size()) + (dots ? 1 : 0);
    if (width < 0 || (!dots && width > 0) || ranks[k] > 24) return e;
    widest = std::max(widest, width);
    e.inputs.push_back(widened(term, width));
  }
  std::map<int, int> times;
  for (const labels& l : e.inputs)
    for (const int x : l) ++times[x];
  if (times.size() > 24 || terms.size() > 8) return e;
  if (arrow == std::string::npos) {
    for (int k = widest; k >= 1; --k) e.output.push_back(-k);
    for (const auto& [label, n] : times)
      if (label > 0 && n == 1) e.output.push_back(label);
  } else {
    labels term;
    if (text.compare(arrow, 2, "->") != 0 || !read_term(text.substr(arrow + 2), term)) return e;
    e.output = widened(term, widest);
    const std::set<int> distinct(e.output.begin(), e.output.end());
    if (distinct.size() != e.output.size()) return e;
    for (const int x : e.output)
      if (times.count(x) == 0) return e;
  }
  e.ok = true;
  return e;
}

labels list_of(const bl::einsum_labels& l) { return labels(l.list, l.list + l.count); }

// --- arrays of integers, and what an equation means ---

struct dense {
  std::vector<int> extents;
  std::vector<std::uint64_t> elements;

  explicit dense(const std::vector<int>& e) : extents(e) {
    std::size_t n = 1;
    for (const int x : e) n *= static_cast<std::size_t>(x);
    elements.assign(n, 0);
  }
  // Where an index stands; an axis of extent 1 is read at 0.
  std::uint64_t& at(const std::vector<int>& index) {
    std::size_t o = 0;
    for (std::size_t i = 0; i < extents.size(); ++i)
      o = o * static_cast<std::size_t>(extents[i]) + static_cast<std::size_t>(extents[i] == 1 ? 0 : index[i]);
    return elements[o];
  }
};

// Calls f with every index below the extents.
template <class F>
void each_index(const std::vector<int>& extents, const F& f) {
  if (std::count(extents.begin(), extents.end(), 0) > 0) return;
  std::vector<int> at(extents.size(), 0);
  for (;;) {
    f(at);
    std::size_t i = extents.size();
    while (i-- > 0) {
      if (++at[i] < extents[i]) break;
      at[i] = 0;
      if (i == 0) return;
    }
    if (extents.empty()) return;
  }
}

std::vector<int> picked(const std::vector<int>& from, const std::vector<int>& positions) {
  std::vector<int> r;
  for (const int p : positions) r.push_back(p < 0 ? 0 : from[static_cast<std::size_t>(p)]);
  return r;
}

dense meaning(const equation& e, std::vector<dense> arrays, const std::map<int, int>& sizes) {
  std::vector<int> extents;
  std::map<int, int> position;
  for (const auto& [label, n] : sizes) {
    position[label] = static_cast<int>(extents.size());
    extents.push_back(n);
  }
  const auto places = [&](const labels& l) {
    std::vector<int> r;
    for (const int x : l) r.push_back(position.at(x));
    return r;
  };
  std::vector<std::vector<int>> read;
  for (const labels& l : e.inputs) read.push_back(places(l));
  const std::vector<int> written = places(e.output);
  dense out(picked(extents, written));
  each_index(extents, [&](const std::vector<int>& at) {
    std::uint64_t product = 1;
    for (std::size_t k = 0; k < arrays.size(); ++k) product *= arrays[k].at(picked(at, read[k]));
    out.at(picked(at, written)) += product;
  });
  return out;
}

// --- the library's steps, at run time: its diagonals, plans and order ---

struct labelled {
  bl::einsum_labels names;
  dense array;
};

labelled with_diagonals(labelled x) {
  for (int second = bl::first_repeated(x.names); second >= 0; second = bl::first_repeated(x.names)) {
    const int first = x.names.find(x.names.list[second]);
    const bl::einsum_labels names = bl::without_pair(x.names, second);
    // The diagonal comes last.
    std::vector<int> from;
    for (int i = 0; i < x.names.count; ++i)
      if (i != first && i != second) from.push_back(i);
    from.push_back(first);
    dense r(picked(x.array.extents, from));
    each_index(r.extents, [&](const std::vector<int>& at) {
      std::vector<int> source(x.array.extents.size());
      for (std::size_t i = 0; i < from.size(); ++i) source[static_cast<std::size_t>(from[i])] = at[i];
      source[static_cast<std::size_t>(second)] = at.back();
      r.at(at) = x.array.at(source);
    });
    x = {names, r};
  }
  return x;
}

labelled contracted(labelled& a, labelled& b, const bl::einsum_labels& wanted) {
  const bl::einsum_step step = bl::step_of(a.names, b.names, wanted);
  require(step.plan.count <= broadloom::detail::max_contracted, "a plan of more indices than it has room for");
  require(step.plan.kept == step.result.count, "a plan's kept indices are not the labels of its result");
  std::vector<int> extents, in_a(a.array.extents.size(), -1), in_b(b.array.extents.size(), -1), kept;
  for (int i = 0; i < step.plan.count; ++i) {
    const auto& index = step.plan.list[i];
    require(index.kept == (i < step.plan.kept), "a plan's kept indices are not the first");
    const int x = index.a >= 0 ? a.array.extents.at(static_cast<std::size_t>(index.a)) : 1;
    const int y = index.b >= 0 ? b.array.extents.at(static_cast<std::size_t>(index.b)) : 1;
    extents.push_back(x == 1 ? y : x);
    if (index.a >= 0) in_a[static_cast<std::size_t>(index.a)] = i;
    if (index.b >= 0) in_b[static_cast<std::size_t>(index.b)] = i;
    if (index.kept) kept.push_back(i);
  }
  for (const auto* in : {&in_a, &in_b}) require(std::count(in->begin(), in->end(), -1) == 0, "a plan forgets an axis");
  labelled r{step.result, dense(picked(extents, kept))};
  each_index(extents, [&](const std::vector<int>& at) {
    r.array.at(picked(at, kept)) += a.array.at(picked(at, in_a)) * b.array.at(picked(at, in_b));
  });
  return r;
}

dense by_steps(const bl::einsum_parse& p, const std::vector<dense>& arrays) {
  labelled r = with_diagonals({p.inputs[0], arrays[0]});
  require(list_of(r.names) == list_of(bl::without_repeats(p.inputs[0])), "a diagonal has other labels");
  labelled one{{}, dense({})};
  one.array.elements[0] = 1;
  if (p.operands == 1) r = contracted(r, one, p.output);
  for (int k = 1; k < p.operands; ++k) {
    labelled next = with_diagonals({p.inputs[k], arrays[static_cast<std::size_t>(k)]});
    r = contracted(r, next, bl::wanted_after(p, k));
  }
  require(r.names.count == p.output.count, "the last step leaves other labels than the result has");
  std::vector<int> order;
  for (int i = 0; i < p.output.count; ++i) order.push_back(r.names.find(p.output.list[i]));
  require(std::count(order.begin(), order.end(), -1) == 0, "the last step lacks a label of the result");
  dense out(picked(r.array.extents, order));
  std::vector<int> back(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) back[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  each_index(out.extents, [&](const std::vector<int>& at) { out.at(at) = r.array.at(picked(at, back)); });
  return out;
}

// Extents that go together, some of them 1, and elements.
void compare(const bl::einsum_parse& p, const equation& e, fuzz::parts& numbers) {
  std::map<int, int> sizes;
  double elements = 1;  // at most so many in all arrays together
  std::vector<dense> arrays;
  for (const labels& input : e.inputs)
    for (const int l : input) {
      if (!sizes.emplace(l, 0).second) continue;
      const int wish = numbers.below(8) == 7 ? 0 : 1 + numbers.below(3);
      double more = 1;
      for (const labels& other : e.inputs)
        more *= std::pow(std::max(wish, 1), std::count(other.begin(), other.end(), l));
      sizes[l] = elements * more > 200 ? 1 : wish;
      if (sizes[l] > 1) elements *= more;
    }
  std::map<int, int> whole;
  std::uint64_t next = 3;
  for (const labels& input : e.inputs) {
    std::map<int, int> own;
    std::vector<int> extents;
    for (const int l : input) {
      own.emplace(l, numbers.below(4) == 3 ? 1 : sizes[l]);
      extents.push_back(own[l]);
      int& all = whole.emplace(l, 1).first->second;
      if (own[l] != 1) all = own[l];
    }
    arrays.emplace_back(extents);
    for (std::uint64_t& x : arrays.back().elements)
      x = (next = next * 6364136223846793005u + 1442695040888963407u) >> 33;
  }
  const dense want = meaning(e, arrays, whole), got = by_steps(p, arrays);
  require(got.extents == want.extents, "the result has another shape");
  require(got.elements == want.elements, "the result has other elements");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::parts numbers(data, size);
  const int odd = numbers.byte();
  std::vector<int> widths;
  for (int k = 0; k < 4; ++k) widths.push_back(numbers.below(3));
  std::string text(numbers.rest().substr(0, numbers.rest().find('\0')));
  if (text.size() > 200) return 0;
  const std::string left = text.substr(0, text.find('-'));
  const auto commas = static_cast<int>(std::count(left.begin(), left.end(), ','));
  std::vector<int> ranks(static_cast<std::size_t>(std::min(bl::max_einsum_operands + 1, commas + 1)), 0);
  std::size_t term = 0;
  for (std::size_t i = 0; i < left.size() && term < ranks.size(); ++i) {
    if (left[i] == ',')
      ++term;
    else if (is_letter(left[i]))
      ++ranks[term];
    else if (left.compare(i, 3, "...") == 0)
      ranks[term] += widths[term % widths.size()];
  }
  // Now and then one that does not fit.
  if (odd % 8 == 0) ranks[static_cast<std::size_t>(odd / 16) % ranks.size()] += odd / 8 % 2 == 0 ? 1 : 5;

  const auto exact = std::make_unique<char[]>(text.size() + 1);
  std::memcpy(exact.get(), text.c_str(), text.size() + 1);
  const bl::einsum_parse p = bl::read_subscripts(exact.get(), ranks.data(), static_cast<int>(ranks.size()));
  const equation e = read(text, ranks);
  require(p.ok == e.ok, p.ok ? "accepted, and should not be" : "refused, and should not be");
  if (p.ok) require(!p.too_many, "accepted, although it is too much");
  if (!p.ok) return 0;
  require(p.operands == static_cast<int>(e.inputs.size()), "another number of operands");
  for (int k = 0; k < p.operands; ++k)
    require(list_of(p.inputs[k]) == e.inputs[static_cast<std::size_t>(k)], "an operand has other labels");
  require(list_of(p.output) == e.output, "the result has other labels");
  compare(p, e, numbers);
  return 0;
}
