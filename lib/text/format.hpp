// The text of an array as NumPy 1.24 prints it: words of one width per array, brackets, wrapped lines, summaries.
#pragma once

#include <broadloom/fn/half.hpp>
#include <broadloom/plan/problem.hpp>
#include <broadloom/tensor/format.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <vector>

#include "../base/text_numbers.hpp"

namespace broadloom::runtime::printing {

// --- which elements are shown ---

struct array_view {
  const char* data;
  const index* extents;
  const index* strides;
  index rank;
  index item_size;
};

// The number of elements, or the largest integer if there are more (a broadcast view can have any number).
inline std::uint64_t count_elements(const array_view& a) {
  std::uint64_t count = 1;
  bool too_many = false;
  for (index axis = 0; axis < a.rank; ++axis) {
    if (a.extents[axis] == 0) {
      return 0;
    }
    too_many = __builtin_mul_overflow(count, a.extents[axis], &count) || too_many;
  }
  return too_many ? UINT64_MAX : count;
}

// What is shown of one axis: `leading` elements, "..." if some are left out, then `trailing` elements.
struct shown_part {
  index leading;
  index trailing;
  bool leaves_out;
};

// `edge` is 0 if the array is shown in full.
inline shown_part part_of_axis(index extent, index edge) {
  if (edge > 0 && extent - edge > edge) {
    return {edge, edge, true};
  }
  return {0, extent, false};
}

// Appends the elements that are shown, in the order in which they are written.
inline void gather(const array_view& a, index axis, index offset, index edge, std::vector<const char*>& out) {
  if (axis == a.rank) {
    out.push_back(a.data + offset * a.item_size);
    return;
  }
  const shown_part part = part_of_axis(a.extents[axis], edge);
  for (index i = 0; i < part.leading; ++i) {
    gather(a, axis + 1, offset + i * a.strides[axis], edge, out);
  }
  for (index i = a.extents[axis] - part.trailing; i < a.extents[axis]; ++i) {
    gather(a, axis + 1, offset + i * a.strides[axis], edge, out);
  }
}

// --- digits of one floating number ---

// A number split so that columns can be aligned. `whole` has the sign; the exponent is used in scientific notation
// only.
struct number_text {
  std::string whole;
  std::string fraction;
  int exponent = 0;
};

inline void drop_trailing_zeros(std::string& digits) { digits.erase(digits.find_last_not_of('0') + 1); }

template <class T>
std::string sign_text(T x, bool with_plus) {
  return std::signbit(static_cast<detail::arithmetic_type<T>>(x)) ? "-" : with_plus ? "+" : "";
}

// Splits "d.ddde+xx" or "ddd.ddd".
inline number_text split(std::string_view text) {
  number_text parts;
  if (const std::size_t e = text.find('e'); e != text.npos) {
    const char* first = text.data() + e + 1;
    std::from_chars(*first == '+' ? first + 1 : first, text.data() + text.size(), parts.exponent);
    text = text.substr(0, e);
  }
  const std::size_t point = std::min(text.find('.'), text.size());
  parts.whole = text.substr(0, point);
  parts.fraction = text.substr(std::min(point + 1, text.size()));
  return parts;
}

// No number has more than 17 digits here, nor more than 17 before its point if it is written in full. There are 340 at
// most after its point: the smallest number, rounded to the highest precision.
inline constexpr std::size_t longest_number = 400;

template <class T>
T magnitude_of(T x) {
  return static_cast<T>(std::abs(static_cast<detail::arithmetic_type<T>>(x)));
}

// Elements of 16 bits: the fewest digits that become the same element. Of two that are as near, the upper one may be
// the one that does: above a power of two the distances are larger.
template <class T>
  requires detail::is_half_type<T>
number_text shortest_scientific(T magnitude) {
  char buffer[longest_number];
  char* end = buffer;
  const auto becomes_it = [&](float shown, int precision) {
    end = std::to_chars(buffer, buffer + sizeof buffer, shown, std::chars_format::scientific, precision).ptr;
    const char* stop = end;
    return T(nearest_number<float>(buffer, end, stop)) == magnitude;
  };
  const float exact = magnitude;
  for (int precision = 0; precision < std::numeric_limits<T>::max_digits10; ++precision)
    if (becomes_it(exact, precision) || becomes_it(std::nextafter(exact, HUGE_VALF), precision)) break;
  return split({buffer, static_cast<std::size_t>(end - buffer)});
}
template <class T>
number_text shortest_scientific(T magnitude) {
  char buffer[longest_number];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, magnitude, std::chars_format::scientific).ptr;
  return split({buffer, static_cast<std::size_t>(end - buffer)});
}

template <class T>
number_text rounded(T magnitude, std::chars_format notation, int precision) {
  char buffer[longest_number];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, static_cast<detail::arithmetic_type<T>>(magnitude),
                                 notation, precision)
                       .ptr;
  return split({buffer, static_cast<std::size_t>(end - buffer)});
}

// The fewest digits that identify x among its type, but no more than `precision` after the point.
template <class T>
number_text scientific(T x, int precision, bool with_plus) {
  number_text parts = shortest_scientific(magnitude_of(x));
  if (static_cast<int>(parts.fraction.size()) > precision) {
    parts = rounded(magnitude_of(x), std::chars_format::scientific, precision);
  }
  drop_trailing_zeros(parts.fraction);
  parts.whole.insert(0, sign_text(x, with_plus));
  return parts;
}

// Exactly `precision` digits after the point, as the caller asked for them.
template <class T>
number_text with_digits(T x, notation how, int precision, bool with_plus) {
  constexpr std::size_t max_before_the_point = 320;
  std::string buffer(max_before_the_point + static_cast<std::size_t>(precision), ' ');
  const auto chosen = how == notation::fixed ? std::chars_format::fixed : std::chars_format::scientific;
  const auto magnitude = static_cast<detail::arithmetic_type<T>>(magnitude_of(x));
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), magnitude, chosen, precision).ptr;
  number_text parts = split({buffer.data(), static_cast<std::size_t>(end - buffer.data())});
  parts.whole.insert(0, sign_text(x, with_plus));
  return parts;
}

// Exactly `precision` digits after the point, of the exact value, even if fewer would identify it.
template <class T>
number_text scientific_of_width(T x, int precision, bool with_plus) {
  number_text parts = shortest_scientific(magnitude_of(x));
  if (static_cast<int>(parts.fraction.size()) != precision) {
    parts = rounded(magnitude_of(x), std::chars_format::scientific, precision);
  }
  parts.whole.insert(0, sign_text(x, with_plus));
  return parts;
}

// The same digits without an exponent. If they end before the point, a column shows the exact value (99999992.) and a
// scalar is filled up with zeros (99999990.0).
template <class T>
number_text positional(T x, int precision, bool with_plus, bool exact_units = true) {
  number_text parts = shortest_scientific(magnitude_of(x));
  std::string digits = parts.whole + parts.fraction;
  drop_trailing_zeros(digits);
  const int whole_digits = parts.exponent + 1;
  if (static_cast<int>(digits.size()) - whole_digits > precision) {
    parts = rounded(magnitude_of(x), std::chars_format::fixed, precision);
    drop_trailing_zeros(parts.fraction);
  } else if (exact_units && static_cast<int>(digits.size()) < whole_digits) {
    parts = rounded(magnitude_of(x), std::chars_format::fixed, 0);
  } else if (whole_digits <= 0) {
    parts.whole = "0";
    parts.fraction = digits.empty() ? "" : std::string(static_cast<std::size_t>(-whole_digits), '0') + digits;
  } else {
    const auto point = static_cast<std::size_t>(whole_digits);
    digits.resize(std::max(digits.size(), point), '0');
    parts.whole = digits.substr(0, point);
    parts.fraction = digits.substr(point);
  }
  parts.whole.insert(0, sign_text(x, with_plus));
  return parts;
}

// "+05": a sign and at least two digits, or more if another number of the column needs them.
inline std::string exponent_text(int exponent, std::size_t digits_wanted) {
  std::string digits = std::to_string(std::abs(exponent));
  const std::size_t wanted = std::max<std::size_t>(digits_wanted, 2);
  digits.insert(0, wanted > digits.size() ? wanted - digits.size() : 0, '0');
  return (exponent < 0 ? "-" : "+") + digits;
}

template <class T>
std::string not_finite_text(T x, bool with_plus) {
  if (std::isnan(x)) {
    return with_plus ? "+nan" : "nan";
  }
  return sign_text(x, with_plus) + "inf";
}

// --- columns: every element of an array has the same width ---

template <class T>
T load(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// Writes all floating numbers of an array in the same notation, with the points below each other.
template <class T>
class floating_column {
 public:
  floating_column(const std::vector<T>& values, const format_options& options, bool with_plus)
      : precision_(std::max(options.precision, 0)), with_plus_(with_plus), notation_(options.notation) {
    if (notation_ == notation::automatic) {
      choose_notation(values, options.suppress_small);
    } else {
      exponents_ = notation_ == notation::scientific;
    }
    bool any_finite = false;
    bool any_not_finite = false;
    bool any_minus_infinity = false;
    for (const T x : values) {
      if (std::isfinite(x)) {
        any_finite = true;
        measure(digits_of(x));
      } else {
        any_not_finite = true;
        any_minus_infinity = any_minus_infinity || (std::isinf(x) && x < 0);
      }
    }
    right_ = exponents_ && any_finite ? fraction_ + exponent_digits_ + 2 : fraction_;
    if (any_not_finite) {
      const std::size_t longest = with_plus_ || any_minus_infinity ? 4 : 3;
      left_ = std::max(left_, longest - std::min(longest, right_ + 1));
    }
  }

  std::string text(T x) const {
    std::string out;
    if (!std::isfinite(x)) {
      out = not_finite_text(x, with_plus_);
      const std::size_t width = left_ + right_ + 1;
      return out.insert(0, width - std::min(width, out.size()), ' ');
    }
    number_text parts = exponents_ && notation_ == notation::automatic
                            ? scientific_of_width(x, static_cast<int>(fraction_), with_plus_)
                            : digits_of(x);
    out.append(left_ - std::min(left_, parts.whole.size()), ' ');
    out += parts.whole;
    out += '.';
    out += parts.fraction;
    if (exponents_) {
      out += 'e';
      out += exponent_text(parts.exponent, exponent_digits_);
    } else {
      out.append(fraction_ - std::min(fraction_, parts.fraction.size()), ' ');
    }
    return out;
  }

 private:
  number_text digits_of(T x) const {
    if (notation_ != notation::automatic) {
      return with_digits(x, notation_, precision_, with_plus_);
    }
    return exponents_ ? scientific(x, precision_, with_plus_) : positional(x, precision_, with_plus_);
  }

  // Exponents are written if a value is large, or if the values are too small or too far apart to be read otherwise.
  void choose_notation(const std::vector<T>& values, bool suppress_small) {
    T largest = 0;
    T smallest = 0;
    for (const T x : values) {
      const T magnitude = magnitude_of(x);
      if (std::isfinite(x) && magnitude > 0) {
        largest = std::max(largest, magnitude);
        smallest = smallest > 0 ? std::min(smallest, magnitude) : magnitude;
      }
    }
    if (largest > 0) {
      const bool uneven = static_cast<double>(smallest) < 0.0001 || largest / smallest > T(1000);
      exponents_ = static_cast<double>(largest) >= 1e8 || (uneven && !suppress_small);
    }
  }

  void measure(const number_text& parts) {
    left_ = std::max(left_, parts.whole.size());
    fraction_ = std::max(fraction_, parts.fraction.size());
    if (exponents_) {
      exponent_digits_ = std::max(exponent_digits_, exponent_text(parts.exponent, 0).size() - 1);
    }
  }

  int precision_;
  bool with_plus_;
  notation notation_;
  bool exponents_ = false;
  std::size_t left_ = 0;             // columns before the point
  std::size_t fraction_ = 0;         // digits after the point
  std::size_t exponent_digits_ = 0;  // digits of the longest exponent
  std::size_t right_ = 0;            // columns after the point
};

using word_list = std::vector<std::string>;

inline word_list bool_words(const std::vector<const char*>& elements) {
  word_list words;
  for (const char* element : elements) {
    words.emplace_back(load<unsigned char>(element) != 0 ? " True" : "False");
  }
  return words;
}

template <class T>
std::string integer_text(T x) {
  char buffer[24];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr};
}

template <class T>
word_list integer_words(const std::vector<const char*>& elements) {
  word_list words;
  std::size_t width = 0;
  for (const char* element : elements) {
    words.push_back(integer_text(load<T>(element)));
    width = std::max(width, words.back().size());
  }
  for (std::string& word : words) {
    word.insert(0, width - word.size(), ' ');
  }
  return words;
}

template <class T>
word_list floating_words(const std::vector<const char*>& elements, const format_options& options) {
  std::vector<T> values;
  for (const char* element : elements) {
    values.push_back(load<T>(element));
  }
  const floating_column<T> column(values, options, false);
  word_list words;
  for (const T x : values) {
    words.push_back(column.text(x));
  }
  return words;
}

// A complex number is a real part and an imaginary part that always has its sign. "j" is written before the padding.
template <class T>
word_list complex_words(const std::vector<const char*>& elements, const format_options& options) {
  std::vector<T> real;
  std::vector<T> imaginary;
  for (const char* element : elements) {
    real.push_back(load<T>(element));
    imaginary.push_back(load<T>(element + sizeof(T)));
  }
  const floating_column<T> real_column(real, options, false);
  const floating_column<T> imaginary_column(imaginary, options, true);
  word_list words;
  for (std::size_t i = 0; i < real.size(); ++i) {
    std::string text = imaginary_column.text(imaginary[i]);
    text.insert(text.find_last_not_of(' ') + 1, "j");
    words.push_back(real_column.text(real[i]) + text);
  }
  return words;
}

template <class T>
word_list words_of(const std::vector<const char*>& elements, const format_options& options) {
  if constexpr (__is_same(T, bool))
    return bool_words(elements);
  else if constexpr (std::is_integral_v<T>)
    return integer_words<T>(elements);
  else if constexpr (is_complex(dtype_of<T>))
    return complex_words<detail::real_of<T>>(elements, options);
  else
    return floating_words<T>(elements, options);
}

// --- rank 0 ---

// "0.5", "1.0", "1e+16": all digits the value needs. Parts of complex numbers leave out ".0".
template <class T>
std::string scalar_text(T x, bool with_plus, bool with_point) {
  if (!std::isfinite(x)) {
    return not_finite_text(x, with_plus);
  }
  constexpr int all_digits = 400;
  const T magnitude = magnitude_of(x);
  if (magnitude == 0 || (magnitude < static_cast<long double>(1e16) && magnitude >= 1e-4L)) {
    const number_text parts = positional(x, all_digits, with_plus, false);
    if (parts.fraction.empty()) {
      return parts.whole + (with_point ? ".0" : "");
    }
    return parts.whole + "." + parts.fraction;
  }
  const number_text parts = scientific(x, all_digits, with_plus);
  return parts.whole + (parts.fraction.empty() ? "" : "." + parts.fraction) + "e" + exponent_text(parts.exponent, 2);
}

template <class T>
std::string complex_scalar_text(const char* element) {
  const T real = load<T>(element);
  const T imaginary = load<T>(element + sizeof(T));
  if (real == 0 && !std::signbit(real)) {
    return scalar_text(imaginary, false, false) + "j";
  }
  return "(" + scalar_text(real, false, false) + scalar_text(imaginary, true, false) + "j)";
}

inline std::string padded(std::string word, int width) {
  const std::size_t columns = width > 0 ? static_cast<std::size_t>(width) : 0;
  return word.insert(0, columns - std::min(columns, word.size()), ' ');
}

template <class T>
std::string scalar_text_of(const char* element, const format_options& options) {
  if (options.round_scalars || options.notation != notation::automatic) {
    const std::string word = words_of<T>({element}, options).front();
    return word.substr(std::min(word.find_first_not_of(' '), word.size()));
  }
  if constexpr (__is_same(T, bool))
    return load<unsigned char>(element) != 0 ? "True" : "False";
  else if constexpr (std::is_integral_v<T>)
    return words_of<T>({element}, options).front();
  else if constexpr (is_complex(dtype_of<T>))
    return complex_scalar_text<detail::real_of<T>>(element);
  else
    return scalar_text(load<T>(element), false, true);
}

// --- lines and brackets ---

// Puts the words of the elements into rows, wraps the rows, and nests the rows in brackets.
class page {
 public:
  page(const array_view& a, word_list words, index edge, index line_width)
      : a_(a), words_(std::move(words)), edge_(edge), line_width_(line_width) {}

  std::string text() {
    out_.reserve(words_.size() * 12);
    write_axis(0);
    return std::move(out_);
  }

 private:
  // Everything inside the bracket of axis n is indented by n + 1 columns, and leaves a column for each "]" that follows
  // it.
  void write_axis(index axis) {
    out_ += '[';
    if (axis == a_.rank - 1) {
      write_row(axis);
    } else {
      const shown_part part = part_of_axis(a_.extents[axis], edge_);
      for (index i = 0; i < part.leading; ++i) {
        write_axis(axis + 1);
        end_block(axis);
      }
      if (part.leaves_out) {
        out_ += "...";
        end_block(axis);
      }
      for (index i = 0; i < part.trailing; ++i) {
        if (i > 0) {
          end_block(axis);
        }
        write_axis(axis + 1);
      }
    }
    out_ += ']';
  }

  // One line break between rows, one more blank line for each further axis.
  void end_block(index axis) {
    out_.append(static_cast<std::size_t>(a_.rank - 1 - axis), '\n');
    out_.append(static_cast<std::size_t>(axis + 1), ' ');
  }

  void write_row(index axis) {
    const index indent = axis + 1;
    const index width = line_width_ - axis - 1;
    const shown_part part = part_of_axis(a_.extents[axis], edge_);
    column_ = indent;
    for (index i = 0; i < part.leading; ++i) {
      write_word(words_[next_++], indent, width, true);
    }
    if (part.leaves_out) {
      write_word("...", indent, width, true);
    }
    for (index i = 0; i < part.trailing; ++i) {
      write_word(words_[next_++], indent, width, i + 1 < part.trailing);
    }
  }

  void write_word(std::string_view word, index indent, index width, bool more_follow) {
    if (column_ > indent && column_ + static_cast<index>(word.size()) > width) {
      out_.erase(out_.find_last_not_of(' ') + 1);
      out_ += '\n';
      out_.append(static_cast<std::size_t>(indent), ' ');
      column_ = indent;
    }
    out_ += word;
    column_ += static_cast<index>(word.size());
    if (more_follow) {
      out_ += ' ';
      ++column_;
    }
  }

  const array_view& a_;
  word_list words_;
  index edge_;
  index line_width_;
  std::size_t next_ = 0;
  index column_ = 0;
  std::string out_;
};

// The text of an array of elements of type T.
template <class T>
std::string format_as(const void* data, const index* extents, const index* strides, index rank,
                      const format_options& options) {
  const array_view a{static_cast<const char*>(data), extents, strides, rank, sizeof(T)};
  if (rank == 0) {
    return padded(scalar_text_of<T>(a.data, options), options.width);
  }
  const std::uint64_t count = count_elements(a);
  if (count == 0) {
    return "[]";
  }
  const auto threshold = static_cast<std::uint64_t>(std::max<index>(options.threshold, 0));
  const index edge = count > threshold ? std::max<index>(options.edge_items, 1) : 0;
  std::vector<const char*> shown;
  gather(a, 0, 0, edge, shown);
  word_list words = words_of<T>(shown, options);
  for (std::string& word : words) {
    word = padded(std::move(word), options.width);
  }
  return page(a, std::move(words), edge, std::max<index>(options.line_width, 0)).text();
}

}  // namespace broadloom::runtime::printing
