// list: what calls that give several things return.
#include <broadloom/core/list.hpp>

#include <boost/test/unit_test.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <broadloom/core/error.hpp>

namespace bl = broadloom;

BOOST_AUTO_TEST_CASE(it_grows_as_a_vector_and_keeps_the_values) {
  bl::list<std::string> l;
  std::vector<std::string> v;
  for (int i = 0; i < 100; ++i) {
    l.push_back(std::string(static_cast<std::size_t>(i), 'x'));
    v.push_back(l.back());
    BOOST_TEST((l == v));
    BOOST_TEST(l.size() == v.size());
  }
  bl::list<std::string> copy = l;
  copy[3] = "changed";
  BOOST_TEST((l == v));
  BOOST_TEST(!(copy == l));
  copy = l;
  BOOST_TEST((copy == l));
  const bl::list<std::string> moved = std::move(copy);
  BOOST_TEST((moved == l));
  BOOST_TEST((std::vector<std::string>(moved) == v));
  l.clear();
  BOOST_TEST(l.empty());
}

BOOST_AUTO_TEST_CASE(it_is_made_from_what_lies_in_a_row) {
  const std::vector<int> v{3, 1, 2};
  BOOST_TEST((bl::list<int>(v) == v));
  BOOST_TEST((bl::list<long>(std::span(v).subspan(1)) == bl::list<long>{1, 2}));
  BOOST_TEST((bl::list<int>{3, 1, 2} == v));
  BOOST_TEST((bl::list<int>(v.data(), v.data() + 2) == std::vector<int>{3, 1}));
}

BOOST_AUTO_TEST_CASE(an_entry_that_is_not_there_is_an_error) {
  bl::list<int> l{7, 8};
  l.at(1) = 9;
  BOOST_TEST(l[1] == 9);
  BOOST_CHECK_EXCEPTION(l.at(2), bl::index_error, [](const bl::index_error& e) {
    return std::string(e.what()) == "index 2 is out of range for a list of 2 entries";
  });
}

BOOST_AUTO_TEST_CASE(what_it_holds_is_destroyed_once) {
  const auto counted = std::make_shared<int>(0);
  {
    bl::list<std::shared_ptr<int>> l;
    for (int i = 0; i < 20; ++i) l.push_back(counted);
    BOOST_TEST(counted.use_count() == 21);
    bl::list<std::shared_ptr<int>> other = l;
    BOOST_TEST(counted.use_count() == 41);
    l = std::move(other);
    BOOST_TEST(counted.use_count() == 21);
  }
  BOOST_TEST(counted.use_count() == 1);
}
