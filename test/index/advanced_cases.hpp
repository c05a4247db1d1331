// Runs NumPy's index expressions of test/data/advanced_cases.tsv, reading and assigning. Their kinds of arguments are
// types here, so the patterns are shared out among the programs that include this, each with a ADVANCED_PART of its
// own.
#include "cases.hpp"

#include <cstdint>
#include <vector>

#include <boost/hana/unpack.hpp>

namespace {

namespace bl = broadloom;
using namespace index_cases;

std::vector<std::string> fields_of(const std::string& text, char at) {
  std::vector<std::string> fields(1);
  for (char c : text)
    if (c == at)
      fields.emplace_back();
    else
      fields.back() += c;
  return fields;
}
std::vector<bl::index> numbers_of(const std::string& text) {
  std::vector<bl::index> r;
  if (!text.empty())
    for (const auto& f : fields_of(text, ',')) r.push_back(std::stol(f));
  return r;
}
template <class T, int Rank>
bl::dtensor<T, Rank> array_of(const bl::index* extents) {
  bl::detail::indices<Rank> x{};
  for (int i = 0; i < Rank; ++i) x[i] = extents[i];
  return bl::dtensor<T, Rank>(bl::dshape<Rank>::unchecked(x));
}

// Arguments made from the table's text; `axis` is the next axis of the array.
struct number {
  static constexpr int takes = 1;
  static bl::index from(const std::string& s, const bl::index*) { return std::stol(s); }
};
struct range {
  static constexpr int takes = 1;
  static bl::range_t from(const std::string& s, const bl::index*) {
    const auto f = fields_of(s, ',');
    const auto bound = [](const std::string& b) {
      return b == "x" ? bl::detail::bound{} : bl::detail::bound{std::stol(b), true};
    };
    return {bound(f.at(0)), bound(f.at(1)), std::stol(f.at(2))};
  }
};
struct axis {
  static constexpr int takes = 0;
  static auto from(const std::string&, const bl::index*) { return bl::newaxis; }
};
struct rest {
  static constexpr int takes = 0;
  static auto from(const std::string&, const bl::index*) { return bl::ellipsis; }
};
template <int Rank>
struct places {
  static constexpr int takes = 1;
  static auto from(const std::string& s, const bl::index*) {
    const auto colon = s.find(':');
    const auto extents = numbers_of(s.substr(0, colon));
    const auto values = numbers_of(s.substr(colon + 1));
    auto r = array_of<std::int64_t, Rank>(extents.data());
    for (std::size_t i = 0; i < values.size(); ++i) r.data()[i] = values[i];
    return r;
  }
};
template <int Rank>
struct mask {
  static constexpr int takes = Rank;
  static auto from(const std::string& s, const bl::index* extents) {
    auto r = array_of<bool, Rank>(extents);
    for (std::size_t i = 0; i < s.size(); ++i) r.data()[i] = s[i] == '1';
    return r;
  }
};

template <class T>
std::uint64_t hash_of(const T& t) {
  std::uint64_t h = 14695981039346656037ULL;
  for (bl::index i = 0; i < t.size(); ++i) h = (h ^ static_cast<std::uint64_t>(t.data()[i])) * 1099511628211ULL;
  return h;
}

// Whether a line of the table holds for this pattern.
template <int Rank, class... Item>
bool line_holds(const std::vector<std::string>& fields) {
  const auto extents = numbers_of(fields.at(1));
  const auto written = fields_of(fields.at(2), ';');
  auto x = array_of<std::int64_t, Rank>(extents.data());
  for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = i;
  constexpr int total = (0 + ... + Item::takes);
  std::size_t at = 0, from = 0;
  const auto make = [&]<class I>(I*) {
    const auto r = I::from(written.at(at++), extents.data() + from);
    from += static_cast<std::size_t>(std::is_same_v<I, rest> ? Rank - total : I::takes);
    return r;
  };
  const boost::hana::basic_tuple<decltype(make(static_cast<Item*>(nullptr)))...> items{
      make(static_cast<Item*>(nullptr))...};
  return boost::hana::unpack(items, [&](const auto&... item) {
    const auto slice = x(item...);
    const auto read = bl::eval(slice);
    std::vector<bl::index> shape;
    for (bl::index i = 0; i < read.shape().rank(); ++i) shape.push_back(read.shape()[i]);
    if (shape != numbers_of(fields.at(3)) || hash_of(read) != std::stoull(fields.at(4), nullptr, 16)) return false;
    auto values = read;
    for (bl::index i = 0; i < values.size(); ++i) values.data()[i] = i + 1;
    slice = values;
    return hash_of(x) == std::stoull(fields.at(5), nullptr, 16);
  });
}

using runner = bool (*)(const std::vector<std::string>&);

template <int Number, int Rank, class... Item>
constexpr runner runner_of() {
  if constexpr (Number % 3 == ADVANCED_PART)
    return line_holds<Rank, Item...>;
  else
    return nullptr;
}

constexpr int first_number = __COUNTER__ + 1;
const std::vector<runner> runners{
#define PATTERN(RANK, ...) runner_of<__COUNTER__ - first_number, RANK, __VA_ARGS__>(),
#include "advanced_patterns.def"
#undef PATTERN
};

}  // namespace

BOOST_AUTO_TEST_SUITE(index_advanced_cases)

BOOST_AUTO_TEST_CASE(index_expressions_read_and_assign_as_in_numpy) {
  std::ifstream file("test/data/advanced_cases.tsv");
  BOOST_TEST_REQUIRE(file.good());
  int all = 0, run = 0, failed = 0;
  for (std::string text; std::getline(file, text);) {
    const auto fields = fields_of(text, '\t');
    ++all;
    const runner r = runners.at(std::stoul(fields.at(0)));
    if (r == nullptr) continue;
    ++run;
    if (!r(fields) && ++failed < 20) BOOST_ERROR("not as in NumPy: " << text);
  }
  BOOST_TEST(failed == 0);
  BOOST_TEST(all == 20000);
  BOOST_TEST(run >= 6000);
}

BOOST_AUTO_TEST_SUITE_END()
