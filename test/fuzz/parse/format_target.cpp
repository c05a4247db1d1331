// Format options and elements of any value: the text has the brackets of the shape, no line too long, and all elements
// that it shows, as exactly as its digits say.
#include <algorithm>
#include <broadloom/tensor/format.hpp>
#include <climits>
#include <cmath>
#include <complex>
#include <memory>
#include <vector>

#include "fuzz/parse/target.hpp"

namespace {

using broadloom::dtype;
using broadloom::format_options;
using broadloom::index;
using fuzz::require;

int size_of(dtype t) {
  constexpr int sizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 8, 16};
  return sizes[static_cast<int>(t)];
}

// An array of at most so many different elements; axes may be expanded, or run backwards.
struct array {
  dtype type{};
  index rank = 0, extents[4] = {}, strides[4] = {}, first = 0, span = 1;
};

array any_array(fuzz::parts& from) {
  array a;
  a.type = static_cast<dtype>(from.below(13));
  a.rank = from.below(5);
  for (index i = a.rank; i-- > 0;) {
    const int kind = from.below(16);
    a.extents[i] = kind == 15 ? (from.word() & PTRDIFF_MAX) : kind == 14 ? from.byte() : kind % 5;
    if (kind >= 14) continue;  // expanded
    a.strides[i] = kind > 9 ? -a.span : a.span;
    if (kind > 9 && a.extents[i] > 0) a.first += (a.extents[i] - 1) * a.span;
    a.span *= std::max<index>(a.extents[i], 1);
  }
  return a;
}

index any_index(fuzz::parts& from) { return from.below(4) == 0 ? from.word() : from.byte() - 8; }

format_options any_options(fuzz::parts& from) {
  format_options o;
  const int kind = from.byte();
  o.precision = kind < 200 ? kind % 32 - 2 : kind < 240 ? kind * 3 - 600 : kind % 2 == 0 ? INT_MAX : INT_MIN;
  o.threshold = any_index(from);
  o.edge_items = any_index(from);
  o.line_width = any_index(from);
  o.suppress_small = from.below(2) == 1;
  return o;
}

// The offsets of the elements that are shown, in the order of the text; what numpy.set_printoptions says.
struct shown {
  std::vector<index> offsets;
  bool too_many = false;
};
void collect(const array& a, index axis, index offset, index edge, shown& to) {
  if (to.offsets.size() > 600) to.too_many = true;
  if (to.too_many) return;
  if (axis == a.rank) {
    to.offsets.push_back(offset);
    return;
  }
  const index n = a.extents[axis];
  const bool parted = edge > 0 && edge < n - edge;
  for (index i = 0; i < (parted ? edge : n) && !to.too_many; ++i)
    collect(a, axis + 1, offset + i * a.strides[axis], edge, to);
  for (index i = parted ? n - edge : n; i < n && !to.too_many; ++i)
    collect(a, axis + 1, offset + i * a.strides[axis], edge, to);
}
shown elements_of(const array& a, const format_options& o) {
  shown s;
  long double count = 1;
  for (index i = 0; i < a.rank; ++i) count *= static_cast<long double>(a.extents[i]);
  if (count > 0)
    collect(a, 0, a.first, count > static_cast<long double>(o.threshold) ? std::max<index>(o.edge_items, 1) : 0, s);
  return s;
}

// Reads a text from left to right and compares.
class reader {
 public:
  reader(const std::string& text, int precision, bool scalar)
      : at_(text.c_str()), precision_(precision), scalar_(scalar) {}

  void skip() {
    for (;; ++at_) {
      if (std::strncmp(at_, "...", 3) == 0)
        at_ += 2;
      else if (*at_ == '\0' || std::strchr(" \n[]()", *at_) == nullptr)
        return;
    }
  }
  void word(const char* expected) {
    const std::size_t n = std::strlen(expected);
    require(std::strncmp(at_, expected, n) == 0, std::string("an element is not ") + expected);
    at_ += n;
  }
  template <class T>
  void number(T x) {
    skip();
    if constexpr (std::is_integral_v<T>) {
      word(std::to_string(x).c_str());
    } else {
      const char* end = nullptr;
      const long double got = read(&end);
      require(end != at_, "an element is no number");
      const std::string digits(at_, end);
      at_ = end;
      if (std::isnan(x) || std::isinf(x)) {
        require(std::isnan(x) ? std::isnan(got) : got == static_cast<long double>(x),
                "a number that is not finite is " + digits);
        return;
      }
      require(std::signbit(got) == std::signbit(x), "a sign is lost: " + digits);
      const std::size_t e = std::min(digits.find('e'), digits.size()), point = std::min(digits.find('.'), e);
      const auto fraction = static_cast<int>(e > point ? e - point - 1 : 0);
      const int exponent = e < digits.size() ? std::atoi(digits.c_str() + e + 1) : 0;
      if (!scalar_) require(fraction <= std::max(precision_, 0), "more digits than the precision: " + digits);
      if (scalar_ || precision_ >= 330) {
        require(same(digits, x), "not all digits that the value needs: " + digits);
        return;
      }
      // A number of all its digits, of which the last may be rounded in its own type; or half of the last digit.
      const long double unit = std::pow(10.0L, static_cast<long double>(exponent - fraction));
      require(same(digits, x) ||
                  std::abs(got - static_cast<long double>(x)) <= 0.5L * unit * (1 + 1e-15L) + std::abs(got) * 1e-18L,
              "a number is " + digits);
    }
  }
  template <class T>
  void number(std::complex<T> x) {
    // A scalar without a real part has none in its text.
    if (!(scalar_ && x.real() == 0 && !std::signbit(x.real()))) number(x.real());
    number(x.imag());
    word("j");
  }
  void number(bool x) {
    skip();
    word(x ? "True" : "False");
  }
  void end() {
    skip();
    require(*at_ == '\0', std::string("something follows: ") + at_);
  }

 private:
  // A value that is not finite may be followed by j.
  long double read(const char** end) const {
    char* stop = nullptr;
    const long double x = std::strtold(at_, &stop);
    *end = stop;
    return x;
  }
  static bool same(const std::string& digits, float x) { return std::strtof(digits.c_str(), nullptr) == x; }
  static bool same(const std::string& digits, double x) { return std::strtod(digits.c_str(), nullptr) == x; }

  const char* at_;
  int precision_;
  bool scalar_;
};

template <class T>
T load(const char* from) {
  T x;
  std::memcpy(&x, from, sizeof x);
  return x;
}
void read_element(reader& r, dtype t, const char* from) {
  switch (t) {
    case dtype::b8: return r.number(load<unsigned char>(from) != 0);
    case dtype::i8: return r.number(load<std::int8_t>(from));
    case dtype::i16: return r.number(load<std::int16_t>(from));
    case dtype::i32: return r.number(load<std::int32_t>(from));
    case dtype::i64: return r.number(load<std::int64_t>(from));
    case dtype::u8: return r.number(load<std::uint8_t>(from));
    case dtype::u16: return r.number(load<std::uint16_t>(from));
    case dtype::u32: return r.number(load<std::uint32_t>(from));
    case dtype::u64: return r.number(load<std::uint64_t>(from));
    case dtype::f32: return r.number(load<float>(from));
    case dtype::f64: return r.number(load<double>(from));
    case dtype::c64: return r.number(load<std::complex<float>>(from));
    case dtype::c128: return r.number(load<std::complex<double>>(from));
    case dtype::f16:  // fn/half_test reads the texts of all values
    case dtype::bf16: return;
  }
}

void check_brackets(const std::string& text, index rank) {
  index depth = 0;
  for (const char c : text) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    require(depth >= 0 && depth <= rank, "brackets do not match the rank");
  }
  require(depth == 0 && text.front() == '[' && text.back() == ']', "brackets are not closed");
}

// No line is longer than wanted, but one of a single word.
void check_lines(const std::string& text, const format_options& o) {
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const std::string line = text.substr(from, end - from);
    from = end + 1;
    if (static_cast<index>(line.size()) <= o.line_width) continue;
    const std::size_t first = line.find_first_not_of(" ["), last = line.find_last_not_of(" ]");
    require(first == line.npos || line.substr(first, last - first + 1).find(' ') == line.npos,
            "a line of several words is too long: " + line);
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::parts from(data, size);
  const format_options o = any_options(from);
  const array a = any_array(from);
  const shown s = elements_of(a, o);
  if (s.too_many) return 0;
  const std::size_t bytes = static_cast<std::size_t>(a.span) * static_cast<std::size_t>(size_of(a.type));
  const auto memory = std::make_unique<char[]>(bytes);
  const std::string_view given = from.rest();
  std::memset(memory.get(), 0, bytes);
  std::memcpy(memory.get(), given.data(), std::min(bytes, given.size()));

  const auto element = [&](broadloom::index offset) { return memory.get() + offset * size_of(a.type); };
  const std::string text = broadloom::runtime::format(a.type, element(a.first), a.extents, a.strides, a.rank, o);
  reader r(text, o.precision, a.rank == 0);
  for (const broadloom::index offset : s.offsets) read_element(r, a.type, element(offset));
  r.end();
  if (a.rank == 0) return 0;
  if (s.offsets.empty()) {
    require(text == "[]", "an array without elements is " + text);
    return 0;
  }
  check_brackets(text, a.rank);
  if (!broadloom::is_complex(a.type)) check_lines(text, o);
  return 0;
}
