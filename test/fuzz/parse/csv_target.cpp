// Tables as text: refused with a reason, or read as a reader by strtod reads them, and read again after they were
// written.
#include <broadloom/io/csv.hpp>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "fuzz/parse/target.hpp"

namespace {

namespace rt = broadloom::runtime;
using broadloom::dtype;
using fuzz::require;

struct table {
  std::vector<double> elements;
  std::size_t rows = 0, columns = 0;
};

// One number by strtod, which must take the whole text; hexadecimal ones and blanks before are not for tables.
bool number(const std::string& text, double& to) {
  if (text.find_first_not_of("0123456789+-.eEinfatyINFATY") != std::string::npos && text.find('(') == std::string::npos)
    return false;
  if (text.empty() || text.find('\0') != std::string::npos || text.find_first_of("xX") != std::string::npos ||
      std::strchr("0123456789+-.iInN", text[0]) == nullptr)
    return false;
  char* end = nullptr;
  to = std::strtod(text.c_str(), &end);
  return end == text.c_str() + text.size();
}

std::string trimmed(const std::string& text, const std::string& blanks) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// The table that a text without quotes is, or nothing.
std::optional<table> naive(std::string text, char delimiter, char comment, std::optional<double> missing) {
  table r;
  const std::string blanks = delimiter == '\t' ? " " : " \t";
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
  for (std::size_t at = 0; (at = text.find('\r', at)) != std::string::npos;)
    text.replace(at, at + 1 < text.size() && text[at + 1] == '\n' ? 2 : 1, "\n");
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string line = text.substr(0, end);
    text.erase(0, end + 1);
    if (comment != '\0') line = line.substr(0, std::min(line.find(comment), line.size()));
    if (trimmed(line, blanks).empty()) continue;
    if (delimiter == ' ') {
      line = trimmed(line, blanks);
      for (std::size_t i = 0; i < line.size();) {
        if (line[i] == '\t') line[i] = ' ';
        i + 1 < line.size() && line[i] == ' ' && (line[i + 1] == ' ' || line[i + 1] == '\t')
            ? void(line.erase(i + 1, 1))
            : void(++i);
      }
    }
    std::size_t columns = 0;
    for (std::size_t at = 0; at <= line.size(); ++columns) {
      const std::size_t stop = std::min(line.find(delimiter, at), line.size());
      const std::string field = trimmed(line.substr(at, stop - at), blanks);
      double x = 0;
      if (field.empty()) {
        if (!missing) return std::nullopt;
        x = *missing;
      } else if (!number(field, x))
        return std::nullopt;
      r.elements.push_back(x);
      at = stop + 1;
    }
    if (r.rows > 0 && columns != r.columns) return std::nullopt;
    r.columns = columns;
    ++r.rows;
  }
  return r;
}

bool same(double a, double b) { return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b); }

constexpr dtype types[] = {dtype::f64, dtype::f64, dtype::f32, dtype::b8,  dtype::i8,  dtype::i16,
                           dtype::i32, dtype::i64, dtype::u8,  dtype::u16, dtype::u32, dtype::u64};
constexpr std::size_t sizes[] = {8, 8, 4, 1, 1, 2, 4, 8, 1, 2, 4, 8};

// What was read is read again after it was written, and gives the same text then.
void check_written(const rt::csv_table& t, dtype type, std::size_t size, char delimiter) {
  static const fuzz::scratch_folder folder;
  const std::string name = folder.file();
  const auto format = rt::csv_format{delimiter, '#', '"', 0, -1, !t.names.empty(), nullptr, 0, nullptr};
  rt::csv_table again;
  rt::write_csv(name.c_str(), delimiter, "\n", t.names, type, t.rows, t.columns, t.elements);
  rt::read_csv("csv", name.c_str(), type, format, again);
  require(again.rows == t.rows && (t.rows == 0 || again.columns == t.columns), "what was written has another shape");
  require(again.names == t.names, "what was written has another header");
  const auto n = static_cast<std::size_t>(t.rows * t.columns);
  for (std::size_t i = 0; i < n; ++i) {
    const auto* const a = static_cast<const char*>(t.elements) + i * size;
    const auto* const b = static_cast<const char*>(again.elements) + i * size;
    bool equal = std::memcmp(a, b, size) == 0;
    if (type == dtype::f64)
      equal = equal ||
              (std::isnan(reinterpret_cast<const double*>(a)[0]) && std::isnan(reinterpret_cast<const double*>(b)[0]));
    if (type == dtype::f32)
      equal = equal ||
              (std::isnan(reinterpret_cast<const float*>(a)[0]) && std::isnan(reinterpret_cast<const float*>(b)[0]));
    require(equal, "what was written has other elements");
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::parts in(data, size);
  const int type = in.below(12);
  const char delimiter = ",\t ;|"[in.below(5)], comment = "#%\0"[in.below(3)], quote = "\"'\0"[in.below(3)];
  const int more = in.below(32);
  const bool header = (more & 1) != 0, fills = (more & 2) != 0, chooses = (more & 4) != 0;
  const int skipped = (more & 8) != 0 ? in.below(4) : 0, most = (more & 16) != 0 ? in.below(4) : -1;
  const std::vector<broadloom::csv_column> columns{in.below(7) - 3, in.below(7) - 3};
  const std::string text(in.rest());

  static const fuzz::memory_file disk;
  disk.hold(text);
  const std::uint64_t zeros = 0;
  const rt::csv_format format{delimiter,
                              comment,
                              quote,
                              skipped,
                              most,
                              header,
                              chooses ? columns.data() : nullptr,
                              chooses ? std::size_t{2} : std::size_t{0},
                              fills ? &zeros : nullptr};
  rt::csv_table t;
  const bool refused = fuzz::refused<broadloom::io_error>(
      "csv: " + disk.name() + ": ", [&] { rt::read_csv("csv", disk.name().c_str(), types[type], format, t); });
  if (!refused) {
    require(t.rows >= 0 && t.columns >= 0 && (most < 0 || t.rows <= most), "a shape that no table has");
    require(t.names.empty() || static_cast<broadloom::index>(t.names.size()) == t.columns, "names without columns");
    const bool has_lines = [&] {
      for (const auto& name : t.names)
        if (name.find_first_of("\r\n") != std::string::npos) return true;
      return false;
    }();
    if (t.columns > 0 && !has_lines) check_written(t, types[type], sizes[type], delimiter);
  }
  const bool plain = !header && !chooses && skipped == 0 && most < 0 && type < 2 &&
                     (quote == '\0' || text.find(quote) == std::string::npos);
  if (plain) {
    const auto expected = naive(text, delimiter, comment, fills ? std::optional<double>(0) : std::nullopt);
    require(expected.has_value() != refused, refused ? "a table is refused that is one" : "what is no table is read");
    if (expected) {
      require(static_cast<std::size_t>(t.rows) == expected->rows &&
                  (t.rows == 0 || static_cast<std::size_t>(t.columns) == expected->columns),
              "a table has another shape than it should");
      for (std::size_t i = 0; i < expected->elements.size(); ++i)
        require(same(expected->elements[i], static_cast<const double*>(t.elements)[i]), "a number is read wrongly");
    }
  }
  return 0;
}
