// Reads and writes tables of numbers as text, line by line.
#include <new>

#include "../base/by_type.hpp"
#include "../base/text_numbers.hpp"
#include "csv_fields.hpp"
#include "npy_format.hpp"
#include "output_file.hpp"
#include "text_lines.hpp"

namespace broadloom::runtime {

namespace {

// Numbers appended one by one, in memory that a table takes over.
template <class T>
class growing {
 public:
  explicit growing(csv_table& in) : in_(in) {}
  void add(T x) {
    if (size_ == room_) grow();
    static_cast<T*>(in_.elements)[size_++] = x;
  }

 private:
  void grow() {
    const std::size_t room = room_ == 0 ? 1024 : 2 * room_;
    void* const more = std::realloc(in_.elements, room * sizeof(T));
    if (more == nullptr) throw std::bad_alloc();
    in_.elements = more;
    room_ = room;
  }
  csv_table& in_;
  std::size_t size_ = 0, room_ = 0;
};

template <class T>
class csv_reader {
 public:
  csv_reader(const char* call, const char* file, std::unique_ptr<byte_source> from, const csv_format& format,
             csv_table& to)
      : call_(call),
        file_(file),
        format_(format),
        grammar_{format.delimiter, format.comment, format.quote},
        lines_(static_cast<std::unique_ptr<byte_source>&&>(from)),
        to_(to),
        elements_(to) {
    grammar_.check(call, file);
    if (format.decimal != '.' &&
        (format.decimal != ',' || format.delimiter == ',' || format.comment == ',' || format.quote == ','))
      fail_io(call, file, "the decimal mark is a point, or a comma that is no delimiter, comment or quote");
    for (std::size_t i = 0; i < format.na_values_count; ++i)
      if (const std::string& text = format.na_values[i]; !text.empty())
        begins_na_[static_cast<unsigned char>(text.front())] = true;
  }

  void read() {
    std::string_view line;
    for (index i = 0; i < format_.skip_rows; ++i)
      if (!lines_.next(line)) break;
    if (format_.has_header) read_header();
    while ((format_.max_rows < 0 || to_.rows < format_.max_rows) && lines_.next(line)) {
      if (grammar_.is_empty(line)) continue;
      if (format_.columns_count == 0)
        read_row(line, [&](T x) { elements_.add(x); });
      else
        read_selected(line);
      ++to_.rows;
    }
    if (width_ < 0) to_.columns = static_cast<index>(format_.columns_count);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    fail_io(call_, file_, "line " + std::to_string(lines_.number()) + why);
  }
  [[noreturn]] void fail_at(index column, const std::string& why) const {
    fail(", column " + std::to_string(column + 1) + ": " + why);
  }

  void read_header() {
    std::string_view line;
    do
      if (!lines_.next(line)) fail_io(call_, file_, "there is no header: the file has no more lines");
    while (grammar_.skip_blanks(line.data(), line.data() + line.size()) == line.data() + line.size());
    line.remove_prefix(
        static_cast<std::size_t>(grammar_.skip_blanks(line.data(), line.data() + line.size()) - line.data()));
    if (grammar_.has_comments() && line.front() == grammar_.comment) line.remove_prefix(1);
    index bad = 0;
    to_.names = split_fields(line, grammar_, bad);
    // A name in quotes may have several lines.
    for (std::string whole(line); bad > 0; to_.names = split_fields(whole, grammar_, bad)) {
      if (!lines_.next(line)) fail_at(bad - 1, "a quote is not closed");
      whole += '\n';
      whole += line;
    }
    set_width(static_cast<index>(to_.names.size()));
    if (format_.columns_count == 0) return;
    std::vector<std::string> chosen;
    for (const index c : chosen_) chosen.push_back(to_.names[static_cast<std::size_t>(c)]);
    to_.names = chosen;
  }

  // The first line that has fields: it fixes the number of columns.
  void set_width(index width) {
    width_ = width;
    width_line_ = lines_.number();
    to_.columns = format_.columns_count == 0 ? width : static_cast<index>(format_.columns_count);
    needed_.assign(static_cast<std::size_t>(width), format_.columns_count == 0);
    for (std::size_t i = 0; i < format_.columns_count; ++i) {
      chosen_.push_back(position_of(format_.columns[i]));
      needed_[static_cast<std::size_t>(chosen_.back())] = true;
    }
  }

  index position_of(const csv_column& column) const {
    if (const std::optional<std::string>& name = column.name()) {
      for (std::size_t i = 0; i < to_.names.size(); ++i)
        if (to_.names[i] == *name) return static_cast<index>(i);
      fail(": there is no column " + shown_field(*name) +
           (format_.has_header ? " in the header" : ": names need .header = true"));
    }
    const index at = column.position() < 0 ? column.position() + width_ : column.position();
    if (at < 0 || at >= width_)
      fail(": there is no column at position " + std::to_string(column.position()) + " of " + std::to_string(width_));
    return at;
  }

  void read_selected(std::string_view line) {
    if (width_ < 0) {
      index bad = 0;
      const auto width = static_cast<index>(split_fields(line, grammar_, bad).size());
      if (bad > 0) fail_at(bad - 1, "a quote is not closed");
      set_width(width);
    }
    row_.clear();
    read_row(line, [&](T x) { row_.push_back({x}); });
    for (const index c : chosen_) elements_.add(row_[static_cast<std::size_t>(c)].value);
  }

  template <class Add>
  void read_row(std::string_view line, const Add& add) {
    const char* const end = line.data() + line.size();
    const char* at = line.data();
    index column = 0;
    for (; at != nullptr; ++column) {
      at = grammar_.skip_blanks(at, end);
      if (grammar_.by_blanks() && grammar_.is_line_end(at, end)) break;
      const bool needed = chosen_.empty() || (column < width_ && needed_[static_cast<std::size_t>(column)]);
      T value{};
      at = needed ? read_field(at, end, column, value) : grammar_.skip_field(at, end);
      if (at == nullptr) fail_at(column, "a quote is not closed");
      if (column < width_ || width_ < 0) add(value);
      at = grammar_.next_field(grammar_.skip_blanks(at, end), end);
    }
    if (width_ < 0) set_width(column);
    if (column != width_)
      fail(": the number of columns is " + std::to_string(column) + ", and " + std::to_string(width_) + " in line " +
           std::to_string(width_line_));
  }

  // Reads a field from its first character that is not blank; returns the position behind it.
  const char* read_field(const char* const first, const char* end, index column, T& value) const {
    const bool in_quotes = first < end && *first == grammar_.quote && grammar_.quote != '\0';
    const char* at = in_quotes ? grammar_.skip_blanks(first + 1, end) : first;
    if (in_quotes ? at < end && *at == grammar_.quote : grammar_.is_field_end(at, end)) {
      if (format_.missing == nullptr) fail_at(column, "the field is empty; .missing = x reads it as x");
      value = *static_cast<const T*>(format_.missing);
      return in_quotes ? close(at + 1, end, first, column) : at;
    }
    if (at < end && begins_na_[static_cast<unsigned char>(*at)])
      if (const char* const behind = content_end(at, end, in_quotes); is_na(at, behind)) {
        if (format_.missing == nullptr)
          fail_at(column, shown(first, end) + " stands for no number; .missing = x reads it as x");
        value = *static_cast<const T*>(format_.missing);
        return in_quotes ? close(behind + 1, end, first, column) : behind;
      }
    const number_state state = take_decimals(at, end, in_quotes, value);
    if (state == number_state::no_number) refuse(first, end, column);
    if (in_quotes) {
      at = grammar_.skip_blanks(at, end);
      if (at == end || *at != grammar_.quote) refuse(first, end, column);
      ++at;
    }
    at = close(at, end, first, column);
    if (state == number_state::does_not_fit)
      fail_at(column, shown(first, end) + " does not fit " + to_string(dtype_of<T>));
    return at;
  }

  // Where what stands in the field ends: at its quote, or where the field does.
  const char* content_end(const char* at, const char* end, bool in_quotes) const {
    while (at < end && (in_quotes ? *at != grammar_.quote : !grammar_.is_field_end(at, end))) ++at;
    return at;
  }
  bool is_na(const char* at, const char* end) const {
    while (end > at && grammar_.is_blank(end[-1])) --end;
    const std::string_view text(at, static_cast<std::size_t>(end - at));
    for (std::size_t i = 0; i < format_.na_values_count; ++i)
      if (format_.na_values[i] == text) return true;
    return false;
  }
  // A number with the decimal mark of the format.
  number_state take_decimals(const char*& at, const char* end, bool in_quotes, T& value) const {
    if (format_.decimal == '.') return take_number(at, end, value);
    std::string text(at, content_end(at, end, in_quotes));
    for (char& c : text) {
      if (c == '.') return number_state::no_number;
      if (c == format_.decimal) c = '.';
    }
    const char* behind = text.data();
    const number_state state = take_number(behind, text.data() + text.size(), value);
    at += behind - text.data();
    return state;
  }

  const char* close(const char* at, const char* end, const char* first, index column) const {
    const char* const next = grammar_.by_blanks() ? at : grammar_.skip_blanks(at, end);
    if (!grammar_.is_field_end(next, end)) refuse(first, end, column);
    return next;
  }

  std::string shown(const char* first, const char* end) const {
    const char* last = grammar_.skip_field(first, end);
    if (last == nullptr) return {};
    while (last > first && grammar_.is_blank(last[-1])) --last;
    return shown_field({first, static_cast<std::size_t>(last - first)});
  }

  [[noreturn]] void refuse(const char* first, const char* end, index column) const {
    const std::string text = shown(first, end);
    if (text.empty()) fail_at(column, "a quote is not closed");
    fail_at(column, text + (std::is_floating_point_v<T> ? " is no number"
                            : std::is_same_v<T, bool>   ? " is none of 0, 1, true and false"
                                                        : " is no integer"));
  }

  struct kept {
    T value;
  };
  const char* call_;
  const char* file_;
  const csv_format& format_;
  csv_grammar grammar_;
  text_lines lines_;
  csv_table& to_;
  growing<T> elements_;
  index width_ = -1, width_line_ = 0;
  bool begins_na_[256] = {};
  std::vector<index> chosen_;
  std::vector<bool> needed_;
  std::vector<kept> row_;
};

template <class T>
void write_rows(output_file& out, char delimiter, const std::string& line_end, index rows, index columns,
                const T* from) {
  constexpr std::size_t full = std::size_t{1} << 16;
  std::string text;
  char digits[max_number_length];
  for (index i = 0; i < rows; ++i) {
    for (index j = 0; j < columns; ++j) {
      if (j > 0) text += delimiter;
      text.append(digits, put_number(digits, *from++));
    }
    text += line_end;
    if (text.size() < full) continue;
    out.write(text.data(), text.size());
    text.clear();
  }
  out.write(text.data(), text.size());
}

// A table has no complex numbers: table_element.
using table_types = decltype(real_types{} + type_list<bool>{});

}  // namespace

void read_csv(const char* call, csv_source from, dtype type, const csv_format& format, csv_table& to) {
  by_type(table_types{}, type, [&]<class T>() {
    if (from.file != nullptr)
      csv_reader<T>(call, from.file, open_text(call, from.file), format, to).read();
    else
      csv_reader<T>(call, "the stream", open_text(call, *from.stream), format, to).read();
  });
}

void write_csv(const char* file, char delimiter, const char* line_end, const std::vector<std::string>& header,
               dtype type, index rows, index columns, const void* elements) {
  const csv_grammar grammar{delimiter, '#', '"'};
  grammar.check("write_csv", file);
  if (!header.empty() && static_cast<index>(header.size()) != columns)
    fail_io("write_csv", file,
            std::to_string(header.size()) + " names in the header for " + std::to_string(columns) + " columns");
  std::string first;
  for (const std::string& name : header) {
    if (name.find_first_of("\r\n") != std::string::npos)
      fail_io("write_csv", file, "the name " + shown_field(name) + " has more than one line");
    if (&name != header.data()) first += delimiter;
    first += quoted_name(name, grammar);
  }
  output_file out("write_csv", file);
  if (!header.empty()) out.write((first + line_end).data(), first.size() + std::string(line_end).size());
  by_type(table_types{}, type,
          [&]<class T>() { write_rows(out, delimiter, line_end, rows, columns, static_cast<const T*>(elements)); });
  out.finish();
}

}  // namespace broadloom::runtime
