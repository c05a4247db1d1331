// Tables of numbers as text: comma- or tab-separated files, or columns set apart by blanks.
#pragma once

#include <concepts>
#include <initializer_list>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <broadloom/io/npy.hpp>

namespace broadloom {

// The numbers that a table can hold.
template <class T>
concept table_element = element<T> && !is_complex(dtype_of<T>);

// A column to read: its position from 0, from the end where it is negative, or its name in the header.
class csv_column {
 public:
  template <std::integral Integer>
  csv_column(Integer position) : position_(static_cast<index>(position)) {}
  csv_column(std::string name) : name_(std::move(name)) {}
  csv_column(const char* name) : name_(name) {}

  const std::optional<std::string>& name() const { return name_; }
  index position() const { return position_; }

 private:
  index position_ = 0;
  std::optional<std::string> name_;
};

// How a table is to be read. Lines that are empty or have nothing but a comment do not count as rows.
template <table_element T>
struct csv_options {
  char delimiter = ',';                  // ' ': any number of blanks and tabs, as numpy.loadtxt's default
  char comment = '#';                    // from here to the line's end; '\0': there are no comments
  char quote = '"';                      // fields may be in quotes, which are written twice inside of them
  index skip_rows = 0;                   // lines at the start that are skipped
  bool header = false;                   // the next line that is not empty has the columns' names, after a '#' or not
  std::vector<csv_column> columns = {};  // in this order; none named: all
  std::optional<T> missing = {};         // what an empty field becomes; nothing: it is an error
  index max_rows = -1;                   // at most so many, where it is not negative
  std::vector<std::string> na_values = {"NA", "N/A", "?"};  // fields that are read as an empty one is
  char decimal = '.';                                       // or ',', as in 1,5, with another delimiter
};

namespace runtime {

struct csv_format {
  char delimiter, comment, quote;
  index skip_rows, max_rows;
  bool has_header;
  const csv_column* columns;
  std::size_t columns_count;
  const void* missing;  // an element, or null
  const std::string* na_values = nullptr;
  std::size_t na_values_count = 0;
  char decimal = '.';
};

// Rows of elements, one after the other; freed with the object.
struct csv_table {
  csv_table() = default;
  csv_table(const csv_table&) = delete;
  csv_table& operator=(const csv_table&) = delete;
  ~csv_table() { std::free(elements); }

  void* elements = nullptr;
  index rows = 0, columns = 0;
  std::vector<std::string> names;
};

// A file, or a stream.
struct csv_source {
  csv_source(const char* f) : file(f) {}
  csv_source(std::istream& in) : stream(&in) {}

  const char* file = nullptr;
  std::istream* stream = nullptr;
};
BROADLOOM_API void read_csv(const char* call, csv_source from, dtype type, const csv_format& format, csv_table& to);
BROADLOOM_API void write_csv(const char* file, char delimiter, const char* line_end,
                             const std::vector<std::string>& header, dtype type, index rows, index columns,
                             const void* elements);

}  // namespace runtime

namespace detail {

template <class T>
runtime::csv_format csv_format_of(const csv_options<T>& o) {
  return {o.delimiter,        o.comment,          o.quote,
          o.skip_rows,        o.max_rows,         o.header,
          o.columns.data(),   o.columns.size(),   o.missing.has_value() ? &*o.missing : nullptr,
          o.na_values.data(), o.na_values.size(), o.decimal};
}

// The options for elements of 16 bits, which are read as f32.
template <class T>
csv_options<float> as_f32(const csv_options<T>& o) {
  csv_options<float> r{o.delimiter, o.comment, o.quote,    o.skip_rows, o.header,
                       o.columns,   {},        o.max_rows, o.na_values, o.decimal};
  if (o.missing.has_value()) r.missing = static_cast<float>(*o.missing);
  return r;
}

}  // namespace detail

// read_csv<double>("t.csv", {.delimiter = '\t', .header = true, .columns = {"x", 3}, .missing = 0}): a dtensor<double,
// 2> of a row for each line. Numbers are read exactly: the nearest one to the decimals, as numpy.loadtxt; blanks around
// a field, a byte order mark, lines that end with LF, CR LF or CR, and a leading + are taken, and a file that gzip
// compressed, if the library was built with zlib. Throws io_error that names the file, the line and the column, both
// counted from 1: text that is no number or does not fit T, an empty field without `missing`, a row with more or fewer
// fields than the first, a quote that its line does not close (names in the header may have several lines), a column
// that there is not. read_csv<double>(stream): of a std::istream, which is read to its end, or, with max_rows, further
// than these.
template <table_element T>
struct read_csv_t {
  dtensor<T, 2> operator()(const std::string& file, const csv_options<T>& options = {}) const {
    return of(file, options);
  }
  dtensor<T, 2> operator()(std::istream& text, const csv_options<T>& options = {}) const { return of(text, options); }

 private:
  static const char* source_of(const std::string& file) { return file.c_str(); }
  static std::istream& source_of(std::istream& text) { return text; }
  template <class Given>
  static dtensor<T, 2> of(Given& given, const csv_options<T>& options) {
    if constexpr (detail::is_half_type<T>)
      return cast<T>(read_csv_t<float>{}(given, detail::as_f32(options)));
    else {
      runtime::csv_table table;
      runtime::read_csv("read_csv", source_of(given), dtype_of<T>, detail::csv_format_of(options), table);
      auto r = dtensor<T, 2>::uninitialised(dshape<2>(table.rows, table.columns));
      const T* const source = static_cast<const T*>(table.elements);
      T* const to = r.data();
      for (index i = 0, n = r.size(); i < n; ++i) to[i] = source[i];
      return r;
    }
  }
};
template <table_element T>
inline constexpr read_csv_t<T> read_csv{};

// read_csv_header("t.csv", {.delimiter = '\t'}): the names of the columns that read_csv reads with these options and
// .header = true. Throws io_error as read_csv.
inline constexpr struct read_csv_header_t {
  std::vector<std::string> operator()(const std::string& file, csv_options<double> options = {}) const {
    options.header = true;
    options.max_rows = 0;
    runtime::csv_table table;
    runtime::read_csv("read_csv_header", file.c_str(), dtype::f64, detail::csv_format_of(options), table);
    return table.names;
  }
} read_csv_header{};

// How a table is written.
struct csv_style {
  char delimiter = ',';
  std::vector<std::string> header = {};  // the columns' names: none, or one for each
  const char* line_end = "\n";           // "\r\n" for programs that want it
};

// write_csv("t.csv", a, {.header = {"x", "y"}}): an array or an expression of rank 2, a line for each row, or of rank
// 1, a line for each element. Numbers are as short as they can be read back exactly; bool is 0 and 1. The file appears
// when it is complete: an interrupted write leaves what was there. Throws io_error that names the file and the reason.
inline constexpr struct write_csv_t {
  template <array A>
  void operator()(const std::string& file, A&& a, const csv_style& style = {}) const {
    using node = detail::node_of<A>;
    using T = typename node::value_type;
    static_assert(detail::rank_of<node> == 1 || detail::rank_of<node> == 2,
                  "a table has rank 1 or 2 [errors.md#tables-in-files]");
    static_assert(table_element<T>,
                  "complex numbers have no place in a table: write real and imag of them [errors.md#tables-in-files]");
    if constexpr (detail::is_half_type<T>)
      (*this)(file, cast<float>(static_cast<A&&>(a)), style);
    else if constexpr (detail::lies_row_by_row<node>) {
      const auto v = detail::as_node(static_cast<A&&>(a));
      runtime::write_csv(file.c_str(), style.delimiter, style.line_end, style.header, dtype_of<T>, v.shape()[0],
                         detail::rank_of<node> == 2 ? v.shape()[detail::rank_of<node> - 1] : 1, v.data());
    } else {
      const auto evaluated = eval(static_cast<A&&>(a));
      (*this)(file, evaluated, style);
    }
  }
} write_csv{};

}  // namespace broadloom
