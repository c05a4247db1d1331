// Sizes with names: how a name is packed into an extent and printed again, and with what it meets.
#include <broadloom/shape/size.hpp>

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <string>
#include <vector>

#include <broadloom/shape/broadcast.hpp>
#include <broadloom/tensor/print.hpp>

namespace bl = broadloom;
using bl::dyn;
using bl::size;
using bl::detail::broadcast_axis;
using bl::detail::clash;
using bl::detail::is_dyn;
using bl::detail::is_named;
using bl::detail::packed_name;
using bl::detail::unpacked_name;

namespace {

constexpr bl::index batch = size<"batch">, feature = size<"feature">;

static_assert(batch != feature && batch == size<"batch"> && is_named(batch) && is_dyn(batch) && is_dyn(dyn));
static_assert(!is_named(dyn) && !is_named(clash) && !is_named(0) && !is_dyn(0) && !is_named(bl::detail::lowest_index));
static_assert(packed_name("", 0) == dyn && packed_name("elevenchars", 11) == dyn && packed_name("a b", 3) == dyn);
static_assert(bl::shape<batch, 3>::dyn_count == 1 && !bl::shape<batch>::is_static);
static_assert(sizeof(bl::shape<batch, 3>) == sizeof(bl::shape<dyn, 3>));

// Values that an axis can have in a type.
constexpr bl::index values[] = {0, 1, 2, 7, dyn, batch, feature, clash};

template <class A, class B>
using broadcast_type = typename bl::detail::broadcast_of<A, B>::type;
static_assert(std::is_same_v<broadcast_type<bl::shape<batch, 3>, bl::shape<3>>, bl::shape<batch, 3>>);
static_assert(std::is_same_v<broadcast_type<bl::shape<batch, 1>, bl::shape<1, feature>>, bl::shape<batch, feature>>);
static_assert(!bl::broadcastable<bl::shape<batch>, bl::shape<feature>>);
static_assert(!bl::broadcastable<bl::shape<batch>, bl::shape<dyn>> &&
              !bl::broadcastable<bl::shape<dyn>, bl::shape<batch>>);
static_assert(!bl::broadcastable<bl::shape<batch>, bl::shape<7>>);
static_assert(bl::broadcastable<bl::shape<batch, batch>, bl::shape<batch, batch>>);

// A name is lost by conversion to dyn, and is given by bl::named only.
static_assert(std::is_convertible_v<bl::shape<batch, 3>, bl::dshape<2>>);
static_assert(!std::is_constructible_v<bl::shape<batch, 3>, bl::dshape<2>>);
static_assert(!std::is_constructible_v<bl::shape<batch>, bl::shape<feature>>);
static_assert(!std::is_constructible_v<bl::shape<5>, bl::shape<batch>>);

}  // namespace

BOOST_AUTO_TEST_SUITE(shape_size)

BOOST_AUTO_TEST_CASE(every_name_is_printed_as_it_was_written) {
  const std::string letters = bl::detail::name_characters;
  unsigned random = 12345;
  for (int length = 1; length <= bl::detail::max_name; ++length)
    for (int k = 0; k < 200; ++k) {
      std::string name;
      for (int i = 0; i < length; ++i) {
        random = random * 1664525u + 1013904223u;
        name += letters[(random >> 16) % letters.size()];
      }
      const bl::index e = packed_name(name.c_str(), length);
      BOOST_TEST(is_named(e));
      BOOST_TEST(std::string(unpacked_name(e).c) == name);
    }
  BOOST_TEST(std::string(unpacked_name(size<"__________">).c) == "__________");
}

BOOST_AUTO_TEST_CASE(the_rule_for_an_axis_is_commutative_and_associative_with_names) {
  for (const bl::index a : values)
    for (const bl::index b : values) {
      BOOST_TEST(broadcast_axis(a, b) == broadcast_axis(b, a));
      for (const bl::index c : values) {
        if (a == clash || b == clash || c == clash) continue;  // a clash is refused before it meets another extent
        const bl::index left = broadcast_axis(a, b), right = broadcast_axis(b, c);
        const bl::index first = left == clash ? clash : broadcast_axis(left, c);
        const bl::index second = right == clash ? clash : broadcast_axis(a, right);
        BOOST_TEST(first == second);
      }
    }
  for (const bl::index a : values) {
    BOOST_TEST(broadcast_axis(1, a) == a);
    if (a != batch && a != 1) BOOST_TEST(broadcast_axis(batch, a) == clash);
  }
}

BOOST_AUTO_TEST_CASE(sizes_of_one_name_must_be_the_same_and_1_is_no_exception) {
  const bl::shape<batch, 3> five(5), also_five(5), seven(7), one(1);
  BOOST_TEST((bl::broadcast(five, also_five) == five));
  BOOST_TEST((bl::broadcast(five, bl::shape<1, 3>{}) == five));
  for (const auto& other : {seven, one}) {
    std::string text = "nothing was thrown";
    try {
      static_cast<void>(bl::broadcast(five, other));
    } catch (const bl::shape_error& e) {
      text = e.what();
    }
    const std::string wanted = "The size of tensor a (5) must match the size of tensor b (" + std::to_string(other[0]) +
                               ") at non-singleton dimension 0\n  both are called batch\n  broadcast(5, 3,\n";
    BOOST_TEST(text.substr(0, wanted.size()) == wanted);
  }
  // Types that differ take the general way.
  const bl::shape<1, batch, 1> row(5);
  BOOST_TEST((bl::broadcast(bl::shape<2, batch, 4>(5), row) == bl::shape<2, batch, 4>(5)));
  BOOST_CHECK_THROW(static_cast<void>(bl::broadcast(bl::shape<2, batch, 4>(6), row)), bl::shape_error);
  BOOST_CHECK_THROW(static_cast<void>(bl::broadcast(bl::shape<1, batch, 1>(1), bl::shape<2, batch, 4>(6))),
                    bl::shape_error);
}

BOOST_AUTO_TEST_CASE(one_shape_has_one_size_for_a_name) {
  const bl::shape<batch, batch> square(4, 4);
  BOOST_TEST(square[1] == 4);
  BOOST_CHECK_THROW((bl::shape<batch, batch>(4, 5)), bl::shape_error);
  BOOST_CHECK_THROW((bl::shape<batch>(-1)), bl::shape_error);
}

BOOST_AUTO_TEST_CASE(constant_expressions_check_the_same) {
  constexpr auto s = bl::broadcast(bl::shape<batch, 1>(5), bl::shape<batch, 3>(5));
  static_assert(s[0] == 5 && s[1] == 3);
  BOOST_TEST(s.size() == 15);
}

BOOST_AUTO_TEST_SUITE_END()
