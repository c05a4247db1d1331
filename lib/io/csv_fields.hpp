// Splits a line of a table into fields: delimiters, blanks, quotes and comments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <broadloom/io/csv.hpp>

namespace broadloom::runtime {

// The characters that separate fields and end lines.
struct csv_grammar {
  char delimiter, comment, quote;

  // Throws io_error if these characters are equal or can be part of a number.
  void check(const char* call, const char* file) const;

  bool has_comments() const { return comment != '\0'; }
  bool by_blanks() const { return delimiter == ' '; }
  bool is_blank(char c) const { return c == ' ' || (c == '\t' && delimiter != '\t'); }
  const char* skip_blanks(const char* at, const char* end) const {
    while (at < end && is_blank(*at)) ++at;
    return at;
  }
  bool is_line_end(const char* at, const char* end) const { return at == end || (has_comments() && *at == comment); }
  // The end of a field without quotes: a delimiter, a comment, or the end of the line.
  bool is_field_end(const char* at, const char* end) const {
    return is_line_end(at, end) || (by_blanks() ? is_blank(*at) : *at == delimiter);
  }
  bool is_empty(std::string_view line) const {
    const char* const end = line.data() + line.size();
    return is_line_end(skip_blanks(line.data(), end), end);
  }
  // From the first character of a field, which is not blank, to behind the field; null if its quote is not closed.
  const char* skip_field(const char* at, const char* end) const;
  // From behind a field, over blanks, to the next field; null at the end of the line.
  const char* next_field(const char* at, const char* end) const {
    if (is_line_end(at, end)) return nullptr;
    return by_blanks() ? at : at + 1;
  }
};

// A name as it is written in a header, in quotes if it needs them.
std::string quoted_name(const std::string& name, const csv_grammar& grammar);
// The fields of a line, without quotes and surrounding blanks. `bad` is the column, from 1, whose quote is not closed.
std::vector<std::string> split_fields(std::string_view line, const csv_grammar& grammar, index& bad);
// A field for an error message: at most 40 characters, all printable.
std::string shown_field(std::string_view text);

}  // namespace broadloom::runtime
