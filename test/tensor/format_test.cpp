// Printing gives, character for character, what NumPy gives: a table of its answers, then layouts it must not depend
// on.
#include <broadloom/tensor/format.hpp>

#include <boost/test/unit_test.hpp>
#include <complex>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace bl = broadloom;

namespace {

struct format_case {
  std::string title;
  bl::dtype type{};
  std::vector<bl::index> extents;
  bl::format_options options;
  std::vector<char> elements;
  std::string text;
};

bl::dtype dtype_named(const std::string& name) {
  for (int i = 0; i <= static_cast<int>(bl::dtype::c128); ++i) {
    if (name == bl::to_string(static_cast<bl::dtype>(i))) {
      return static_cast<bl::dtype>(i);
    }
  }
  throw std::runtime_error("the table names an unknown type: " + name);
}

std::size_t size_of(const std::vector<bl::index>& extents) {
  std::size_t size = 1;
  for (const bl::index n : extents) {
    size *= static_cast<std::size_t>(n);
  }
  return size;
}

std::vector<bl::index> row_major(const std::vector<bl::index>& extents) {
  std::vector<bl::index> strides(extents.size(), 1);
  for (std::size_t axis = extents.size(); axis-- > 1;) {
    strides[axis - 1] = strides[axis] * extents[axis];
  }
  return strides;
}

std::vector<char> bytes_of(std::istringstream& words) {
  std::vector<char> bytes;
  for (std::string word; words >> word;) {
    const std::uint64_t bits = std::stoull(word, nullptr, 16);
    char raw[8];
    std::memcpy(raw, &bits, sizeof raw);
    bytes.insert(bytes.end(), raw, raw + word.size() / 2);
  }
  return bytes;
}

int item_size(bl::dtype type) {
  constexpr int sizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 8, 16};
  return sizes[static_cast<int>(type)];
}

std::vector<format_case> read_table(const std::string& path) {
  std::ifstream file(path);
  std::vector<format_case> cases;
  std::string line;
  while (std::getline(file, line)) {
    format_case c;
    c.title = line;
    std::istringstream head(line);
    std::string word, type, shape;
    head >> word >> type >> shape >> c.options.precision >> c.options.threshold >> c.options.edge_items >>
        c.options.line_width >> c.options.suppress_small;
    BOOST_REQUIRE_MESSAGE(head && word == "array", "the table breaks off at: " << line);
    c.type = dtype_named(type);
    if (shape != "()") {
      std::istringstream extents(shape);
      for (std::string extent; std::getline(extents, extent, ',');) {
        c.extents.push_back(std::stol(extent));
      }
    }
    std::getline(file, line);
    std::istringstream values(line);
    values >> word;
    BOOST_REQUIRE_EQUAL(word, "values");
    c.elements = bytes_of(values);
    const std::size_t given = c.elements.size();
    BOOST_REQUIRE(given > 0);
    c.elements.resize(size_of(c.extents) * static_cast<std::size_t>(item_size(c.type)));
    for (std::size_t i = given; i < c.elements.size(); ++i) {
      c.elements[i] = c.elements[i - given];
    }
    std::getline(file, line);
    std::istringstream lines(line);
    int count = 0;
    lines >> word >> count;
    BOOST_REQUIRE_EQUAL(word, "text");
    for (int i = 0; i < count; ++i) {
      std::getline(file, line);
      BOOST_REQUIRE_EQUAL(line.substr(0, 1), "|");
      c.text += (i > 0 ? "\n" : "") + line.substr(1);
    }
    cases.push_back(c);
  }
  return cases;
}

std::string text_of(const format_case& c, const char* data, const std::vector<bl::index>& strides) {
  return bl::runtime::format(c.type, data, c.extents.data(), strides.data(), static_cast<bl::index>(c.extents.size()),
                             c.options);
}

const std::vector<format_case>& table() {
  static const std::vector<format_case> cases = read_table("test/data/format_cases.txt");
  return cases;
}

// The same elements in other orders of memory: each axis reversed or not, the axes from last to first, gaps between.
struct layout {
  std::vector<char> memory;
  std::vector<bl::index> strides;
  bl::index origin = 0;
};

layout laid_out(const format_case& c, bool reverse, bool column_major, bl::index gap) {
  const std::size_t rank = c.extents.size();
  layout out;
  out.strides.resize(rank);
  bl::index step = gap;
  for (std::size_t k = 0; k < rank; ++k) {
    const std::size_t axis = column_major ? k : rank - 1 - k;
    out.strides[axis] = reverse ? -step : step;
    if (reverse) {
      out.origin += step * (c.extents[axis] - 1);
    }
    step *= c.extents[axis];
  }
  const auto item = static_cast<std::size_t>(item_size(c.type));
  out.memory.assign(static_cast<std::size_t>(step) * item, '\x5a');
  std::vector<bl::index> at(rank, 0);
  for (std::size_t i = 0; i * item < c.elements.size(); ++i) {
    bl::index offset = out.origin;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      offset += at[axis] * out.strides[axis];
    }
    std::memcpy(out.memory.data() + static_cast<std::size_t>(offset) * item, c.elements.data() + i * item, item);
    for (std::size_t axis = rank; axis-- > 0;) {
      if (++at[axis] < c.extents[axis]) {
        break;
      }
      at[axis] = 0;
    }
  }
  return out;
}

template <class T>
std::string show(const std::vector<T>& values, bl::dtype type, std::vector<bl::index> extents,
                 std::vector<bl::index> strides, const bl::format_options& options = {}) {
  return bl::runtime::format(type, values.data(), extents.data(), strides.data(),
                             static_cast<bl::index>(extents.size()), options);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tensor_format)

BOOST_AUTO_TEST_CASE(the_table_of_numpy_is_there) {
  BOOST_TEST(table().size() > 1500u);
  bool seen[13] = {};
  for (const format_case& c : table()) {
    seen[static_cast<int>(c.type)] = true;
  }
  for (const bool type_seen : seen) {
    BOOST_TEST(type_seen);
  }
}

BOOST_AUTO_TEST_CASE(text_is_what_numpy_writes) {
  for (const format_case& c : table()) {
    const std::string text = text_of(c, c.elements.data(), row_major(c.extents));
    BOOST_CHECK_MESSAGE(text == c.text, c.title << "\nwe write\n" << text << "\nNumPy writes\n" << c.text);
  }
}

BOOST_AUTO_TEST_CASE(text_does_not_depend_on_the_layout) {
  for (const format_case& c : table()) {
    if (size_of(c.extents) == 0) {
      continue;
    }
    for (const bool reverse : {false, true}) {
      for (const bool column_major : {false, true}) {
        const layout l = laid_out(c, reverse, column_major, 2);
        const std::string text = text_of(c, l.memory.data() + l.origin * item_size(c.type), l.strides);
        BOOST_CHECK_MESSAGE(text == c.text, c.title << " reversed: " << reverse << " column-major: " << column_major);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(an_expanded_axis_shows_the_same_element_again) {
  const std::vector<float> row{1, 2.5F, 3};
  BOOST_TEST(show(row, bl::dtype::f32, {2, 3}, {0, 1}) == "[[1.  2.5 3. ]\n [1.  2.5 3. ]]");
  BOOST_TEST(show(row, bl::dtype::f32, {3, 2}, {1, 0}) == "[[1.  1. ]\n [2.5 2.5]\n [3.  3. ]]");
}

BOOST_AUTO_TEST_CASE(an_expanded_view_of_any_size_is_only_summarised) {
  const std::vector<std::int8_t> one{-7};
  const bl::index huge = bl::index{1} << 62;
  BOOST_TEST(show(one, bl::dtype::i8, {huge}, {0}) == "[-7 -7 -7 ... -7 -7 -7]");
  const std::string text = show(one, bl::dtype::i8, {huge, huge}, {0, 0}, {.edge_items = 1});
  BOOST_TEST(text == "[[-7 ... -7]\n ...\n [-7 ... -7]]");
}

BOOST_AUTO_TEST_CASE(an_empty_array_is_not_read) {
  const bl::index extents[] = {4, 0, 2};
  const bl::index strides[] = {0, 2, 1};
  BOOST_TEST(bl::runtime::format(bl::dtype::f64, nullptr, extents, strides, 3) == "[]");
}

BOOST_AUTO_TEST_CASE(senseless_options_are_taken_as_the_nearest_sensible_ones) {
  const std::vector<double> values{0.25, 1.5};
  BOOST_TEST(show(values, bl::dtype::f64, {2}, {1}, {.precision = -4}) ==
             show(values, bl::dtype::f64, {2}, {1}, {.precision = 0}));
  const std::vector<int> many(12, 3);
  BOOST_TEST(show(many, bl::dtype::i32, {12}, {1}, {.threshold = 5, .edge_items = -2}) == "[3 ... 3]");
  BOOST_TEST(show(many, bl::dtype::i32, {3}, {1}, {.line_width = -9}) == "[3\n 3\n 3]");
  BOOST_TEST(show(many, bl::dtype::i32, {3}, {1}, {.line_width = PTRDIFF_MIN}) == "[3\n 3\n 3]");
}

BOOST_AUTO_TEST_CASE(small_numbers_are_written_in_full_where_all_digits_are_asked_for) {
  const std::string zeros(59, '0'), spaces(59, ' ');
  BOOST_TEST(show(std::vector<double>{1e-60, 2.5}, bl::dtype::f64, {2}, {1},
                  {.precision = 63, .suppress_small = true}) == "[0." + zeros + "1\n 2.5" + spaces + "]");
  const std::string text =
      show(std::vector<double>{5e-324, 1.0}, bl::dtype::f64, {2}, {1}, {.precision = 340, .suppress_small = true});
  BOOST_TEST(text.substr(0, 328) == "[0." + std::string(323, '0') + "5\n");
}

BOOST_AUTO_TEST_CASE(more_elements_than_an_index_counts_are_always_summarised) {
  const std::vector<std::int8_t> one{-7};
  const bl::index huge = PTRDIFF_MAX;
  BOOST_TEST(show(one, bl::dtype::i8, {huge, 3}, {0, 0}, {.threshold = huge, .edge_items = 1}) ==
             "[[-7 ... -7]\n ...\n [-7 ... -7]]");
}

BOOST_AUTO_TEST_SUITE_END()
