// Signatures of functions on core arrays: accepted, and with which sizes, is what a second reader of NumPy's grammar
// says.
#include <broadloom/linalg/signature.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "fuzz/parse/target.hpp"

namespace {

namespace bl = broadloom::detail;
using fuzz::require;

struct size_text {
  std::string name;
  bool optional;
};
using argument = std::vector<size_text>;
struct signature {
  std::vector<argument> inputs, outputs;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Blanks may stand between words and marks, but not within them; "->" and "?" belong to what is before them.
std::optional<std::vector<std::string>> tokens_of(const std::string& text) {
  std::vector<std::string> r;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == ' ') {
      ++i;
    } else if (is_word(c)) {
      std::size_t end = i;
      while (end < text.size() && is_word(text[end]) && (!is_digit(c) || is_digit(text[end]))) ++end;
      // "3a" and "a 3" are no names; "a?" is one.
      if (end < text.size() && is_word(text[end])) return std::nullopt;
      if (end < text.size() && text[end] == '?') ++end;
      r.push_back(text.substr(i, end - i));
      i = end;
    } else if (text.compare(i, 2, "->") == 0) {
      r.emplace_back("->");
      i += 2;
    } else if (c == '(' || c == ')' || c == ',') {
      r.emplace_back(1, c);
      ++i;
    } else {
      return std::nullopt;
    }
  }
  return r;
}

std::optional<signature> read(const std::string& text) {
  const auto tokens = tokens_of(text);
  if (!tokens) return std::nullopt;
  signature s;
  std::vector<argument>* to = &s.inputs;
  std::size_t i = 0;
  const auto next = [&] { return i < tokens->size() ? (*tokens)[i++] : std::string(); };
  for (;;) {
    if (next() != "(") return std::nullopt;
    argument a;
    std::string t = next();
    while (t != ")") {
      if (t.empty() || !is_word(t[0])) return std::nullopt;
      const bool optional = t.back() == '?';
      a.push_back({t.substr(0, t.size() - (optional ? 1 : 0)), optional});
      t = next();
      if (t == ",") {
        t = next();
        if (t == ")") return std::nullopt;
      } else if (t != ")") {
        return std::nullopt;
      }
    }
    to->push_back(a);
    t = next();
    if (t == "->" && to == &s.inputs)
      to = &s.outputs;
    else if (t.empty() && i == tokens->size() && to == &s.outputs)
      return s;
    else if (t != ",")
      return std::nullopt;
  }
}

// The different sizes in the order of their first mention; none where they contradict each other or are too many.
std::optional<std::vector<size_text>> sizes_of(const signature& s) {
  std::vector<size_text> sizes;
  if (s.inputs.size() + s.outputs.size() > bl::max_core_arguments) return std::nullopt;
  for (const auto* arguments : {&s.inputs, &s.outputs})
    for (const argument& a : *arguments) {
      if (a.size() > bl::max_core_axes) return std::nullopt;
      for (const size_text& x : a) {
        const bool number = is_digit(x.name[0]);
        if (number && (x.name.size() > 10 || std::stoll(x.name) == 0)) return std::nullopt;
        bool known = false;
        for (const size_text& y : sizes)
          if (y.name == x.name) {
            known = true;
            if (y.optional != x.optional) return std::nullopt;
          }
        if (known) continue;
        if (!number && arguments == &s.outputs) return std::nullopt;
        sizes.push_back(x);
      }
    }
  if (sizes.size() > bl::max_core_sizes) return std::nullopt;
  return sizes;
}

void compare(const bl::core_signature& got, const signature& want, const std::vector<size_text>& sizes,
             const std::string& text) {
  require(got.inputs == static_cast<int>(want.inputs.size()) && got.outputs == static_cast<int>(want.outputs.size()),
          "another number of arguments");
  require(got.sizes == static_cast<int>(sizes.size()), "another number of sizes");
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const bl::core_size& x = got.list[k];
    require(text.substr(static_cast<std::size_t>(x.from), static_cast<std::size_t>(x.length)) == sizes[k].name,
            "a size has another name");
    require(x.optional == sizes[k].optional, "a size may be missing, or may not");
    require(x.fixed == (is_digit(sizes[k].name[0]) ? std::stoll(sizes[k].name) : broadloom::dyn),
            "a size has another value");
  }
  std::vector<argument> all = want.inputs;
  all.insert(all.end(), want.outputs.begin(), want.outputs.end());
  for (std::size_t a = 0; a < all.size(); ++a) {
    require(got.arguments[a].rank == static_cast<int>(all[a].size()), "an argument has another rank");
    for (std::size_t i = 0; i < all[a].size(); ++i)
      require(sizes[static_cast<std::size_t>(got.arguments[a].sizes[i])].name == all[a][i].name,
              "an axis has another size");
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  text = text.substr(0, text.find('\0'));
  const auto exact = std::make_unique<char[]>(text.size() + 1);
  std::memcpy(exact.get(), text.c_str(), text.size() + 1);
  const bl::core_signature got = bl::read_signature(exact.get());
  const auto want = read(text);
  const auto sizes = want ? sizes_of(*want) : std::nullopt;
  require((got.mistake < 0) == sizes.has_value(),
          got.mistake < 0 ? "accepted, and should not be" : "refused, and should not be");
  require(got.mistake <= static_cast<int>(text.size()), "a mistake beyond the end");
  if (sizes) compare(got, *want, *sizes, text);
  return 0;
}
