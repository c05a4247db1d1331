// Splits lines of tables into fields.
#include "csv_fields.hpp"

#include "npy_format.hpp"

namespace broadloom::runtime {

void csv_grammar::check(const char* call, const char* file) const {
  const auto of_number = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' || c == '-' ||
           c == '.';
  };
  const auto of_lines = [](char c) { return c == '\n' || c == '\r'; };
  for (const char c : {delimiter, comment, quote})
    if (of_number(c) || of_lines(c))
      fail_io(call, file, "a delimiter, comment or quote cannot be a character that numbers or lines are made of");
  if (delimiter == '\0' || delimiter == comment || delimiter == quote || (comment == quote && has_comments()))
    fail_io(call, file, "delimiter, comment and quote must be different characters");
}

const char* csv_grammar::skip_field(const char* at, const char* end) const {
  if (at < end && *at == quote && quote != '\0') {
    for (++at;; ++at) {
      if (at == end) return nullptr;
      if (*at != quote) continue;
      if (at + 1 == end || at[1] != quote) break;
      ++at;
    }
    ++at;
  }
  while (!is_field_end(at, end)) ++at;
  return at;
}

std::vector<std::string> split_fields(std::string_view line, const csv_grammar& grammar, index& bad) {
  std::vector<std::string> fields;
  const char* const end = line.data() + line.size();
  const char* at = line.data();
  bad = 0;
  while (at != nullptr) {
    at = grammar.skip_blanks(at, end);
    if (grammar.by_blanks() && grammar.is_line_end(at, end)) break;
    const char* const first = at;
    at = grammar.skip_field(at, end);
    if (at == nullptr) {
      bad = static_cast<index>(fields.size()) + 1;
      break;
    }
    const char* last = at;
    while (last > first && grammar.is_blank(last[-1])) --last;
    std::string text(first, last);
    if (grammar.quote != '\0' && text.size() > 1 && text.front() == grammar.quote && text.back() == grammar.quote) {
      std::string inner;
      for (std::size_t i = 1; i + 1 < text.size(); ++i) {
        inner += text[i];
        if (text[i] == grammar.quote && text[i + 1] == grammar.quote && i + 2 < text.size()) ++i;
      }
      text = inner;
    }
    fields.push_back(text);
    at = grammar.next_field(grammar.skip_blanks(at, end), end);
  }
  return fields;
}

std::string quoted_name(const std::string& name, const csv_grammar& grammar) {
  bool needs = name.empty() || grammar.is_blank(name.front()) || grammar.is_blank(name.back());
  // Unquoted, they would be taken for the byte order mark of the file, or for the first bytes of gzip.
  for (const char* const begin : {"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff", "\x1f\x8b"})
    needs = needs || name.starts_with(begin);
  for (const char c : name)
    needs = needs || c == grammar.delimiter || c == grammar.comment || c == grammar.quote ||
            (grammar.by_blanks() && grammar.is_blank(c));
  if (!needs) return name;
  std::string r(1, grammar.quote);
  for (const char c : name) r.append(c == grammar.quote ? 2 : 1, c);
  return r + grammar.quote;
}

std::string shown_field(std::string_view text) {
  std::string r;
  for (const char c : text.substr(0, 40)) r += c >= ' ' && c <= '~' ? c : '?';
  return "\"" + r + (text.size() > 40 ? "...\"" : "\"");
}

}  // namespace broadloom::runtime
