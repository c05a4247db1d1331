// Signatures of functions on core arrays, NumPy's grammar read by the compiler: core<"(m,k),(k,n)->(m,n)">.
#pragma once

#include <broadloom/core/text.hpp>
#include <broadloom/shape/shape.hpp>

namespace broadloom {

namespace detail {

inline constexpr int max_core_arguments = 8;  // inputs and outputs together
inline constexpr int max_core_axes = 4;       // of one argument
inline constexpr int max_core_sizes = 8;      // different names and numbers

// One argument: the sizes of its core axes, by number.
struct core_argument {
  int rank = 0;
  int sizes[max_core_axes] = {};
};

// A size: a name such as k, or a number above 0, which every argument must have there. One marked ?, wherever it
// stands, may be missing: an argument with too few axes for the rest is taken without it, and so is the result.
struct core_size {
  int from = 0, length = 0;  // its name in the text
  index fixed = dyn;
  bool optional = false;
};

struct core_signature {
  int inputs = 0, outputs = 0, sizes = 0;
  core_argument arguments[max_core_arguments] = {};
  core_size list[max_core_sizes] = {};
  int mistake = -1;  // where the text stops being a signature; -1: nowhere
};

// Reads "(m,k),(k,n)->(m,n)".
constexpr core_signature read_signature(const char* s) {
  core_signature r;
  int i = 0;
  bool output = false;
  const auto fail = [&] {
    r.mistake = i;
    return r;
  };
  const auto blank = [&] {
    while (s[i] == ' ') ++i;
  };
  const auto letter = [&](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto digit = [&](char c) { return c >= '0' && c <= '9'; };
  for (;;) {
    blank();
    if (s[i] != '(' || r.inputs + r.outputs == max_core_arguments) return fail();
    core_argument& a = r.arguments[r.inputs + r.outputs];
    ++i;
    blank();
    while (s[i] != ')') {
      blank();
      const int from = i;
      index number = dyn;
      if (digit(s[i])) {
        number = 0;
        while (digit(s[i]) && i - from < 10) number = number * 10 + (s[i++] - '0');
      } else {
        while (letter(s[i]) || (i > from && digit(s[i]))) ++i;
      }
      const int length = i - from;
      if (length == 0 || number == 0 || a.rank == max_core_axes) return fail();
      int id = 0;
      const auto same = [&](const core_size& x) {
        if (x.length != length) return false;
        for (int k = 0; k < length; ++k)
          if (s[x.from + k] != s[from + k]) return false;
        return true;
      };
      while (id < r.sizes && !same(r.list[id])) ++id;
      if (id == r.sizes) {
        if (output && number == dyn) return fail();  // an output's size must come from the inputs
        if (r.sizes == max_core_sizes) return fail();
        r.list[r.sizes++] = {from, length, number, s[i] == '?'};
      }
      if (r.list[id].optional != (s[i] == '?')) return fail();  // it may be missing everywhere or nowhere
      i += s[i] == '?';
      a.sizes[a.rank++] = id;
      blank();
      if (s[i] == ',') {
        ++i;
        blank();
        if (s[i] == ')') return fail();
      } else if (s[i] != ')') {
        return fail();
      }
    }
    ++i;
    ++(output ? r.outputs : r.inputs);
    blank();
    if (s[i] == ',') {
      ++i;
    } else if (!output && s[i] == '-' && s[i + 1] == '>') {
      output = true;
      i += 2;
    } else {
      if (s[i] != '\0' || !output) return fail();
      return r;
    }
  }
}

}  // namespace detail

// core<"(m,k),(k,n)->(m,n)">: what a function on core arrays takes and gives. Names are sizes that must agree wherever
// they stand (1 is no exception), numbers are sizes themselves, and a name marked ? may be missing, as NumPy's gufuncs
// have it. Axes before the core ones are loop axes, which broadcast.
template <detail::text Signature>
struct core {
  static constexpr detail::core_signature parsed = detail::read_signature(Signature.c);
  static_assert(parsed.mistake < 0,
                "not a signature such as \"(m,k),(k,n)->(m,n)\": lists of sizes, names or numbers, "
                "separated by commas; an output's names must be among the inputs' [errors.md#signature-of-gufunc]");
  static constexpr const char* str() { return Signature.str(); }
};

}  // namespace broadloom
