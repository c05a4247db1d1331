// Policies are values that say how many threads may be used and which maths.
#include <broadloom/eval/policy.hpp>

#include <boost/test/unit_test.hpp>

namespace bl = broadloom;

static_assert(bl::seq.options().threads == 1 && bl::seq.options().maths == bl::runtime::accuracy::accurate);
static_assert(bl::par.options().threads == 0 && bl::par.options().maths == bl::runtime::accuracy::accurate);
static_assert(bl::par.threads(2).options().threads == 2);
static_assert(bl::par.threads(1) == bl::seq && bl::seq.threads(0) == bl::par);
static_assert((bl::par | bl::fast).options().maths == bl::runtime::accuracy::fast);
static_assert((bl::par | bl::fast).options().threads == 0);
static_assert((bl::par | bl::fast | bl::accurate) == bl::par);
static_assert((bl::par | bl::fast).threads(3) == (bl::par.threads(3) | bl::fast));
static_assert((bl::seq | bl::fast).options().threads == 1 && (bl::seq | bl::fast) != bl::seq);
static_assert((bl::par | bl::reproducible).options().products == bl::runtime::product_order::fixed);
static_assert(bl::par.options().products == bl::runtime::product_order::free);
static_assert((bl::par.threads(3) | bl::fast | bl::reproducible) == (bl::par | bl::reproducible | bl::fast).threads(3));
static_assert((bl::seq | bl::reproducible) != bl::seq);
// By itself as if joined with par.
static_assert(bl::policy(bl::fast) == (bl::par | bl::fast) &&
              bl::policy(bl::reproducible) == (bl::par | bl::reproducible));
static_assert(std::is_convertible_v<bl::maths_policy, bl::policy> && !std::is_convertible_v<int, bl::policy>);

BOOST_AUTO_TEST_SUITE(eval_policy)

BOOST_AUTO_TEST_CASE(policies_are_checked_by_the_compiler) {
  BOOST_TEST((bl::par.threads(4).threads(2) == bl::par.threads(2)));
}

BOOST_AUTO_TEST_SUITE_END()
