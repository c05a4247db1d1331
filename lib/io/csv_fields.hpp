// The fields of a line of a table: delimiters, blanks, quotes and comments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <broadloom/io/csv.hpp>

namespace broadloom::runtime {

// What separates fields and what ends them.
struct csv_grammar {
  char delimiter, comment, quote;

  // Throws io_error where these cannot be told from each other or from numbers.
  void check(const char* call, const char* file) const;

  bool has_comments() const { return comment != '\0'; }
  bool by_blanks() const { return delimiter == ' '; }
  bool is_blank(char c) const { return c == ' ' || (c == '\t' && delimiter != '\t'); }
  const char* skip_blanks(const char* at, const char* end) const {
    while (at < end && is_blank(*at)) ++at;
    return at;
  }
  bool is_line_end(const char* at, const char* end) const { return at == end || (has_comments() && *at == comment); }
  // The end of a field that is not in quotes: its line's, a comment, a delimiter.
  bool is_field_end(const char* at, const char* end) const {
    return is_line_end(at, end) || (by_blanks() ? is_blank(*at) : *at == delimiter);
  }
  bool is_empty(std::string_view line) const {
    const char* const end = line.data() + line.size();
    return is_line_end(skip_blanks(line.data(), end), end);
  }
  // From a field's first character, which is no blank, to behind it; null where its quote is not closed.
  const char* skip_field(const char* at, const char* end) const;
  // From behind a field and its blanks to the next field; null where the line ends.
  const char* next_field(const char* at, const char* end) const {
    if (is_line_end(at, end)) return nullptr;
    return by_blanks() ? at : at + 1;
  }
};

// A name as it stands in a header, in quotes where it needs them.
std::string quoted_name(const std::string& name, const csv_grammar& grammar);
// The fields of a line, without quotes and the blanks around them; `bad` is the column whose quote is not closed,
// from 1.
std::vector<std::string> split_fields(std::string_view line, const csv_grammar& grammar, index& bad);
// A field for an error: at most 40 characters, all printable.
std::string shown_field(std::string_view text);

}  // namespace broadloom::runtime
