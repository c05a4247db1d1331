// Random expression trees, written by tools/write_trees.py and compiled beside this file: each is evaluated at every
// level, by one thread and several, into outputs of any strides, also over its own operands, and has the bits of the
// naive way.
// Build: gcc-alone
#include <boost/test/unit_test.hpp>
#include <cstdio>

#include "fuzz/fuzz.hpp"
#include "fuzz/session.hpp"

BOOST_AUTO_TEST_SUITE(tree_fuzz)

BOOST_AUTO_TEST_CASE(trees) {
  BOOST_REQUIRE(!fuzz::all_trees().empty());
  fuzz::check("trees", 25 * fuzz::all_trees().size(), [](fuzz::choices& c) {
    const fuzz::tree& tree = c.one_of(fuzz::all_trees());
    fuzz::session s(tree, c);
    tree.build(s);
  });
  const fuzz::tally n = fuzz::counted();
  std::printf("evaluations of trees: %llu, of %zu types\n", static_cast<unsigned long long>(n.evaluations), n.types);
}

BOOST_AUTO_TEST_SUITE_END()
