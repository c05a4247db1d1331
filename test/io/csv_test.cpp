// Tables as text: numbers come back exactly, the options do what they say, and what is wrong is named by line and
// column.
#include <boost/test/unit_test.hpp>
#include <broadloom/broadloom.hpp>
#include <broadloom/half.hpp>
#include <broadloom/io/csv.hpp>
#include <cmath>
#include <complex>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <support/scratch_file.hpp>
#include <support/thrown.hpp>
#include <vector>

namespace bl = broadloom;

namespace {

template <class T = double>
std::string read(const std::string& text, const bl::csv_options<T>& options = {}) {
  const scratch_file f;
  f.hold(text);
  std::string said;
  try {
    return bl::to_string(bl::read_csv<T>(f.name, options));
  } catch (const bl::io_error& e) {
    said = e.what();
  }
  const std::string begin = "read_csv: " + f.name + ": ";
  BOOST_TEST(said.substr(0, begin.size()) == begin);
  return said.size() > begin.size() ? said.substr(begin.size()) : said;
}

// The table that t is, as its text.
template <class T>
std::string table(const bl::dtensor<T, 2>& t) {
  return bl::to_string(t);
}

template <class T>
T from_bits(std::uint64_t bits) {
  T x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

// Random bits, extremes, and the neighbours of powers of ten and two.
template <class T>
void numbers_come_back() {
  std::vector<T> all{T(0), T(1), std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest(),
                     std::numeric_limits<T>::min()};
  std::uint64_t state = 1;
  for (int i = 0; i < 3000; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    if constexpr (std::is_same_v<T, bool>)
      all.push_back(state >> 63 != 0);
    else
      all.push_back(from_bits<T>(sizeof(T) == 8 ? state ^ state >> 33 : state >> 32));
  }
  if constexpr (std::is_floating_point_v<T>) {
    for (int e = std::numeric_limits<T>::min_exponent10 - 17; e <= std::numeric_limits<T>::max_exponent10; ++e)
      for (const T x : {static_cast<T>(std::pow(10.0, e)), static_cast<T>(std::ldexp(1.0, 3 * e))})
        for (const T y : {x, std::nextafter(x, T(0)), -x}) all.push_back(y);
    for (const T x : {std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::infinity(), -T(0),
                      std::numeric_limits<T>::denorm_min()})
      all.push_back(x);
  }
  while (all.size() % 7 != 0) all.push_back(T(1));
  bl::dtensor<T, 2> t(static_cast<bl::index>(all.size() / 7), 7);
  std::size_t next = 0;
  for (bl::index i = 0; i < t.size(); ++i) t.data()[i] = all[next++];
  const scratch_file f;
  for (const char delimiter : {',', '\t', ' ', ';'}) {
    bl::write_csv(f.name, t, {.delimiter = delimiter});
    const auto back = bl::read_csv<T>(f.name, {.delimiter = delimiter});
    BOOST_TEST_REQUIRE((back.shape() == t.shape()));
    bl::index other = 0;
    for (bl::index i = 0; i < t.size(); ++i) {
      if constexpr (std::is_floating_point_v<T>)
        other += !(std::isnan(t.data()[i])
                       ? std::isnan(back.data()[i])
                       : back.data()[i] == t.data()[i] && std::signbit(back.data()[i]) == std::signbit(t.data()[i]));
      else
        other += back.data()[i] != t.data()[i];
    }
    BOOST_TEST(other == 0);
  }
}

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN(),
                 infinite = std::numeric_limits<double>::infinity();

}  // namespace

BOOST_AUTO_TEST_SUITE(io_csv)

BOOST_AUTO_TEST_CASE(numbers_of_every_type_come_back_exactly) {
  numbers_come_back<bool>();
  numbers_come_back<std::int8_t>();
  numbers_come_back<std::int16_t>();
  numbers_come_back<std::int32_t>();
  numbers_come_back<std::int64_t>();
  numbers_come_back<std::uint8_t>();
  numbers_come_back<std::uint16_t>();
  numbers_come_back<std::uint32_t>();
  numbers_come_back<std::uint64_t>();
  numbers_come_back<float>();
  numbers_come_back<double>();
}

BOOST_AUTO_TEST_CASE(numbers_are_written_short_and_read_in_any_form) {
  const scratch_file f;
  bl::write_csv(f.name, bl::dtensor<double, 2>{{0.1, 1, -2.5}, {1e300, infinite, not_a_number}});
  BOOST_TEST(f.bytes() == "0.1,1,-2.5\n1e+300,inf,nan\n");
  BOOST_TEST(read("+1, -2.50 ,3e2,.5,5.,0x1\n").ends_with("line 1, column 6: \"0x1\" is no number"));
  BOOST_TEST(read("+1, -2.50 ,3E2,.5,5.\n") == table<double>({{1, -2.5, 300, 0.5, 5}}));
  // Beyond the range: the nearest.
  const auto r = read("1e400,-1e400,1e-400,-1e-400\n");
  BOOST_TEST(r == table<double>({{infinite, -infinite, 0, -0.0}}));
  BOOST_TEST(read<float>("1e39,1e-60,16777217\n") == table<float>({{float(infinite), 0, 16777216}}));
  BOOST_TEST(read("INF,-Infinity,NaN\n") == table<double>({{infinite, -infinite, not_a_number}}));
  BOOST_TEST(read<bool>("0,1,true,FALSE\n") == table<bool>({{false, true, true, false}}));
  BOOST_TEST(read<std::uint8_t>("0,+255\n") == table<std::uint8_t>({{0, 255}}));
}

BOOST_AUTO_TEST_CASE(lines_end_as_they_do_on_any_system) {
  const auto expected = table<double>({{1, 2}, {3, 4}});
  for (const char* text :
       {"1,2\n3,4\n", "1,2\n3,4", "1,2\r\n3,4\r\n", "1,2\r\n3,4", "1,2\r3,4\r", "1,2\r3,4", "\r1,2\r\n3,4\r",
        "\xef\xbb\xbf"
        "1,2\n3,4\n",
        "1,2\n\n3,4\n\n", "\n1,2\n  \t\n3,4", "# a comment\n1,2 # here\n#3,3\n3,4\n", "\"1\",2\n3,\" 4 \"\n"})
    BOOST_TEST(read(text) == expected, text);
  BOOST_TEST(read("").starts_with("["));
  const scratch_file f;
  BOOST_TEST((bl::read_csv<double>(f.name).shape() == bl::dshape<2>(0, 0)));
  f.hold("x,y,z\n");
  BOOST_TEST((bl::read_csv<double>(f.name, {.header = true}).shape() == bl::dshape<2>(0, 3)));
  BOOST_TEST((bl::read_csv<double>(f.name, {.skip_rows = 1, .columns = {0, 1}}).shape() == bl::dshape<2>(0, 2)));
  // Lines longer than a buffer, and numbers across its end.
  std::string text;
  for (int i = 0; i < 200000; ++i) text += (i > 0 ? "," : "") + std::to_string(i);
  f.hold(text + "\n" + text);
  const auto t = bl::read_csv<int>(f.name);
  BOOST_TEST((t.shape() == bl::dshape<2>(2, 200000)));
  BOOST_TEST(bl::all(t == bl::arange<int>(200000)).item());
}

BOOST_AUTO_TEST_CASE(options_choose_what_is_read) {
  const std::string text = "made by hand\nx, \"y, or \"\"so\"\"\", z\n1,2,3\n4,5,6\n7,8,9\n";
  BOOST_TEST(read(text, {.skip_rows = 2}) == table<double>({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}));
  BOOST_TEST(read(text, {.skip_rows = 1, .header = true, .max_rows = 1}) == table<double>({{1, 2, 3}}));
  BOOST_TEST(read(text, {.skip_rows = 2, .columns = {-1, 0, 0}}) == table<double>({{3, 1, 1}, {6, 4, 4}, {9, 7, 7}}));
  BOOST_TEST(read(text, {.skip_rows = 1, .header = true, .columns = {"z", 1}}) ==
             table<double>({{3, 2}, {6, 5}, {9, 8}}));
  BOOST_TEST(read("a,1,\"x, y\"\nb,2,\"\"\"\"\n", {.columns = {1}}) == table<double>({{1}, {2}}));
  BOOST_TEST(read("1\t2\n3\t4\n", {.delimiter = '\t'}) == table<double>({{1, 2}, {3, 4}}));
  BOOST_TEST(read("  1 \t 2\n3 4  \n", {.delimiter = ' '}) == table<double>({{1, 2}, {3, 4}}));
  BOOST_TEST(read("1;2\n% no\n'3';4\n", {.delimiter = ';', .comment = '%', .quote = '\''}) ==
             table<double>({{1, 2}, {3, 4}}));
  BOOST_TEST(read("1,,3\n,\"\",\n", {.missing = -1.0}) == table<double>({{1, -1, 3}, {-1, -1, -1}}));
  BOOST_TEST(read("1,,\n", {.missing = not_a_number}) == table<double>({{1, not_a_number, not_a_number}}));
  BOOST_TEST(read("1#2\n", {.comment = '\0'}) == "line 1, column 1: \"1#2\" is no number");
}

BOOST_AUTO_TEST_CASE(headers_come_back) {
  const scratch_file f;
  const std::vector<std::string> names{"plain",    "with, comma", "with \"quotes\"", "",
                                       " blanks ", "#",           "\xc3\xa4",        "tab\tin"};
  for (const char delimiter : {',', '\t', ' ', ';'}) {
    bl::write_csv(f.name, bl::dtensor<int, 2>(2, 8), {.delimiter = delimiter, .header = names, .line_end = "\r\n"});
    BOOST_TEST((bl::read_csv_header(f.name, {.delimiter = delimiter}) == names));
    BOOST_TEST((bl::read_csv<int>(f.name, {.delimiter = delimiter, .header = true, .columns = {"#"}}).shape() ==
                bl::dshape<2>(2, 1)));
  }
  // As numpy.savetxt writes it.
  f.hold("# x y\n1 2\n");
  BOOST_TEST((bl::read_csv_header(f.name, {.delimiter = ' '}) == std::vector<std::string>{"x", "y"}));
  BOOST_TEST((bl::read_csv_header(f.name, {.delimiter = ' ', .columns = {1}}) == std::vector<std::string>{"y"}));
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_named_by_line_and_column) {
  BOOST_TEST(read("1,2\n3,x4\n") == "line 2, column 2: \"x4\" is no number");
  BOOST_TEST(read("# c\n\n1, 2 3\n") == "line 3, column 2: \"2 3\" is no number");
  BOOST_TEST(read("1,\x01\x80,3\n") == "line 1, column 2: \"??\" is no number");
  BOOST_TEST(read("1," + std::string(60, 'y') + "\n") ==
             "line 1, column 2: \"" + std::string(40, 'y') + "...\" is no number");
  BOOST_TEST(read("1,,3\n") == "line 1, column 2: the field is empty; .missing = x reads it as x");
  BOOST_TEST(read("1,2,\n") == "line 1, column 3: the field is empty; .missing = x reads it as x");
  BOOST_TEST(read("1,2\n3\n") == "line 2: the number of columns is 1, and 2 in line 1");
  BOOST_TEST(read("1,2\n3,4,5\n") == "line 2: the number of columns is 3, and 2 in line 1");
  BOOST_TEST(read("x,y\n1\n", {.header = true}) == "line 2: the number of columns is 1, and 2 in line 1");
  BOOST_TEST(read("1,\"2\n3\"\n") == "line 1, column 2: a quote is not closed");
  BOOST_TEST(read("1,\"2\"3\n") == "line 1, column 2: \"\"2\"3\" is no number");
  BOOST_TEST(read("\"a,1\n", {.columns = {1}}) == "line 1, column 1: a quote is not closed");
  BOOST_TEST(read("\"a,1\n", {.header = true}) == "line 1, column 1: a quote is not closed");
  BOOST_TEST(read<std::uint8_t>("255,256\n") == "line 1, column 2: \"256\" does not fit u8");
  BOOST_TEST(read<std::uint8_t>("-1\n") == "line 1, column 1: \"-1\" does not fit u8");
  BOOST_TEST(read<int>("1,2.5\n") == "line 1, column 2: \"2.5\" is no integer");
  BOOST_TEST(read<std::int64_t>("9223372036854775808\n") ==
             "line 1, column 1: \"9223372036854775808\" does not fit i64");
  BOOST_TEST(read<bool>("2\n") == "line 1, column 1: \"2\" is none of 0, 1, true and false");
  BOOST_TEST(read("1,2\n", {.columns = {2}}) == "line 1: there is no column at position 2 of 2");
  BOOST_TEST(read("1,2\n", {.columns = {-3}}) == "line 1: there is no column at position -3 of 2");
  BOOST_TEST(read("x,y\n1,2\n", {.header = true, .columns = {"w"}}) ==
             "line 1: there is no column \"w\" in the header");
  BOOST_TEST(read("1,2\n", {.columns = {"w"}}) == "line 1: there is no column \"w\": names need .header = true");
  BOOST_TEST(read("\n\n", {.header = true}) == "there is no header: the file has no more lines");
  BOOST_TEST(read("1\n", {.delimiter = '.'}) ==
             "a delimiter, comment or quote cannot be a character that numbers or lines are made of");
  BOOST_TEST(read("1\n", {.delimiter = '#'}) == "delimiter, comment and quote must be different characters");
  BOOST_TEST(thrown<bl::io_error>([] { bl::read_csv<double>("no/such.csv"); }) ==
             "read_csv: no/such.csv: No such file or directory");
}

BOOST_AUTO_TEST_CASE(arrays_of_rank_1_views_and_expressions_are_written) {
  const scratch_file f;
  bl::write_csv(f.name, bl::tensor<float, bl::shape<3>>{1, 2, 3});
  BOOST_TEST(f.bytes() == "1\n2\n3\n");
  const bl::dtensor<int, 2> t{{1, 2, 3}, {4, 5, 6}};
  bl::write_csv(f.name, t.T() + 1, {.delimiter = '\t', .header = {"a", "b"}, .line_end = "\r\n"});
  BOOST_TEST(f.bytes() == "a\tb\r\n2\t5\r\n3\t6\r\n4\t7\r\n");
  bl::write_csv(f.name, t == 2);
  BOOST_TEST(f.bytes() == "0,1,0\n0,0,0\n");
  BOOST_TEST(thrown<bl::io_error>([&] { bl::write_csv("t.csv", t, {.header = {"a"}}); }) ==
             "write_csv: t.csv: 1 names in the header for 3 columns");
  BOOST_TEST(thrown<bl::io_error>([&] { bl::write_csv("t.csv", t, {.header = {"a", "b\nc", "d"}}); }) ==
             "write_csv: t.csv: the name \"b?c\" has more than one line");
  BOOST_TEST(thrown<bl::io_error>([&] { bl::write_csv("no/such.csv", t); }) ==
             "write_csv: no/such.csv: No such file or directory");
  static_assert(!bl::table_element<std::complex<float>>);
}

BOOST_AUTO_TEST_CASE(another_locale_changes_nothing) {
  const char* const before = std::setlocale(LC_ALL, nullptr);
  const std::string kept = before;
  // Where it is installed: a comma in decimal fractions.
  std::setlocale(LC_ALL, "de_DE.UTF-8");
  BOOST_TEST(read("1.5,1e400,1.5e-400\n") == table<double>({{1.5, infinite, 0}}));
  std::setlocale(LC_ALL, kept.c_str());
}

BOOST_AUTO_TEST_CASE(texts_stand_for_missing_numbers) {
  const std::string text = "1,NA\n N/A , \"?\" \n,4\n";
  BOOST_TEST(read(text, {.missing = -1}) == table<double>({{1, -1}, {-1, -1}, {-1, 4}}));
  BOOST_TEST(read<int>("-999,2\nnone,4\n", {.missing = 0, .na_values = {"-999", "none"}}) ==
             table<int>({{0, 2}, {0, 4}}));
  BOOST_TEST(read("1,-999.5\n", {.missing = 0, .na_values = {"-999"}}) == table<double>({{1, -999.5}}));
  BOOST_TEST(read("1,NA\n").ends_with("line 1, column 2: \"NA\" stands for no number; .missing = x reads it as x"));
  BOOST_TEST(read("1,NAN\n") == table<double>({{1, not_a_number}}));
  BOOST_TEST(read("1,NAB\n", {.missing = 0}).ends_with("\"NAB\" is no number"));
  BOOST_TEST(read("1,NA\n", {.missing = 0, .na_values = {}}).ends_with("\"NA\" is no number"));
}

BOOST_AUTO_TEST_CASE(decimals_may_have_a_comma) {
  const std::string text = "1,5;-2,25e1\n\"3,5\";+,5\n";
  BOOST_TEST(read(text, {.delimiter = ';', .decimal = ','}) == table<double>({{1.5, -22.5}, {3.5, 0.5}}));
  BOOST_TEST(read("1.5;2\n", {.delimiter = ';', .decimal = ','}).ends_with("column 1: \"1.5\" is no number"));
  BOOST_TEST(read("1,5;2\n", {.delimiter = ';'}).ends_with("column 1: \"1,5\" is no number"));
  BOOST_TEST(read("1\n", {.decimal = ','})
                 .ends_with("the decimal mark is a point, or a comma that is no delimiter, comment or quote"));
}

BOOST_AUTO_TEST_CASE(a_name_in_the_header_may_have_several_lines) {
  const scratch_file f;
  f.hold("a,\"in\r\nkg\",c\n1,2,3\n");
  BOOST_TEST((bl::read_csv_header(f.name) == std::vector<std::string>{"a", "in\nkg", "c"}));
  BOOST_TEST(bl::read_csv<int>(f.name, {.header = true, .columns = {"in\nkg"}})(0, 0) == 2);
  f.hold("a,\"b\n1,2\n");
  BOOST_CHECK_THROW(bl::read_csv<int>(f.name, {.header = true}), bl::io_error);
}

BOOST_AUTO_TEST_CASE(a_stream_is_read_as_a_file) {
  std::istringstream in("x,y\n1,2\n3,4\n");
  BOOST_TEST(bl::to_string(bl::read_csv<double>(in, {.header = true})) == table<double>({{1, 2}, {3, 4}}));
  std::istringstream wrong("1,2\n3,x\n");
  BOOST_TEST(thrown<bl::io_error>([&] { bl::read_csv<float>(wrong); }) ==
             "read_csv: the stream: line 2, column 2: \"x\" is no number");
  std::istringstream half("1,2\n");
  BOOST_TEST(bl::all(bl::read_csv<bl::float16>(half) == bl::dtensor<bl::float16, 2>{{1, 2}}).item());
  std::ifstream none("no/such/file");
  BOOST_CHECK_THROW(bl::read_csv<double>(none), bl::io_error);
}

// With zlib; without it the reason is named.
BOOST_AUTO_TEST_CASE(other_encodings_are_read_or_named) {
  const std::string compressed(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x33\xd4\x31\xe2\x32\xd6\x31\xe1\x02\x00\x47\x93\x6c\xaf"
      "\x08\x00\x00\x00",
      28);
  const std::string twice = read(compressed + compressed), part = read(compressed.substr(0, compressed.size() - 9));
  if (const std::string once = read(compressed); once.find("without zlib") == std::string::npos) {
    BOOST_TEST(once == table<double>({{1, 2}, {3, 4}}));
    BOOST_TEST(twice == table<double>({{1, 2}, {3, 4}, {1, 2}, {3, 4}}));
    BOOST_TEST(part.ends_with("what gzip compressed ends early"));
    std::string damaged = compressed;
    damaged[12] = static_cast<char>(damaged[12] ^ 0x55);
    BOOST_TEST(read(damaged).ends_with("what gzip compressed is damaged"));
  }
  using namespace std::string_literals;
  for (const std::string& text : {"\xff\xfe\x31\0\x0a\0"s, "\xfe\xff\0\x31\0\x0a"s})
    BOOST_TEST(read(text).ends_with("the text is UTF-16: iconv -f UTF-16 -t UTF-8 makes it one that is read"));
}

BOOST_AUTO_TEST_SUITE_END()
