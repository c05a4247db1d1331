// Signatures: the grammar, and how shapes are bound to it.
#include <broadloom/linalg/binding.hpp>

#include <boost/test/unit_test.hpp>

#include <broadloom/linalg/products.hpp>

namespace bl = broadloom;
using bl::detail::core_mistake;
using bl::detail::read_signature;

BOOST_AUTO_TEST_SUITE(linalg_binding)

BOOST_AUTO_TEST_CASE(the_grammar) {
  constexpr auto s = read_signature("(m?,k),(k, n?) -> (m?,n?),()");
  static_assert(s.mistake < 0 && s.inputs == 2 && s.outputs == 2 && s.sizes == 3);
  static_assert(s.arguments[0].rank == 2 && s.arguments[0].sizes[0] == 0 && s.arguments[0].sizes[1] == 1);
  static_assert(s.arguments[1].sizes[0] == 1 && s.arguments[1].sizes[1] == 2 && s.arguments[3].rank == 0);
  static_assert(s.list[0].optional && !s.list[1].optional && s.list[2].optional);
  constexpr auto three = read_signature("(3),(3)->(3)");
  static_assert(three.mistake < 0 && three.sizes == 1 && three.list[0].fixed == 3);
  constexpr auto names = read_signature("(rows,cols2),(cols2)->(rows)");
  static_assert(names.mistake < 0 && names.sizes == 2 && names.list[1].length == 5);
  static_assert(read_signature("()->()").mistake < 0);
  BOOST_TEST(s.list[1].from == 4);
}

BOOST_AUTO_TEST_CASE(what_is_not_a_signature) {
  for (const char* text : {"", "m,k", "(m,k)", "(m,k)->", "(m,,k)->()", "(m)->(n)", "(m)->(m))", "(m)(k)->()",
                           "(m),->()", "(a b)->()", "(a,b,c,d,e)->()", "(m)->(m)->(m)", "(?)->()", "(m)>(m)",
                           "(m,)->()", "(0)->()", "(m?),(m)->()", "(m)->(m?)", "(12345678901)->()"})
    BOOST_TEST(read_signature(text).mistake >= 0, text);
}

struct like_matmul : bl::detail::core_function {
  using signature = bl::core<"(m?,k),(k,n?)->(m?,n?)">;
};
struct like_mm : bl::detail::core_function {
  using signature = bl::core<"(m,k),(k,n)->(m,n)">;
  static constexpr bool exact = true;
};
template <class F, class... S>
constexpr core_mistake mistake = bl::detail::static_binding<F, S...>.mistake;
template <class F, class... S>
using result = bl::detail::result_shape<F, 0, S...>;

BOOST_AUTO_TEST_CASE(static_knowledge_is_kept) {
  using bl::dyn;
  using bl::shape;
  static_assert(std::is_same_v<result<like_matmul, shape<2, 5, 7>, shape<5, 2, 7, 3>>, shape<5, 2, 5, 3>>);
  static_assert(std::is_same_v<result<like_matmul, shape<dyn, 5, 7>, shape<5, dyn, dyn, 3>>, shape<5, dyn, 5, 3>>);
  static_assert(std::is_same_v<result<like_matmul, shape<dyn, 1, 5, 7>, shape<4, dyn, 3>>, shape<dyn, 4, 5, 3>>);
  static_assert(std::is_same_v<result<like_matmul, shape<7>, shape<2, 7, 3>>, shape<2, 3>>);
  static_assert(std::is_same_v<result<like_matmul, shape<2, 3, 7>, shape<7>>, shape<2, 3>>);
  static_assert(std::is_same_v<result<like_matmul, shape<7>, shape<7>>, shape<>>);
  // A core size that one operand fixes is a size of the other's; 1 is no exception.
  BOOST_TEST((mistake<like_matmul, shape<2, 3>, shape<4, 2>> == core_mistake::size));
  BOOST_TEST((mistake<like_matmul, shape<2, 1>, shape<4, 2>> == core_mistake::size));
  BOOST_TEST((mistake<like_matmul, shape<2, dyn>, shape<4, 2>> == core_mistake::none));
  BOOST_TEST((mistake<like_matmul, shape<>, shape<4>> == core_mistake::too_few_axes));
  BOOST_TEST((mistake<like_matmul, shape<2, 1, 1>, shape<3, 1, 1>> == core_mistake::loop));
  BOOST_TEST((mistake<like_matmul, shape<2, 1, 1>, shape<1, 1, 1>> == core_mistake::none));
  BOOST_TEST((mistake<like_mm, shape<2, 2, 2>, shape<2, 2>> == core_mistake::too_many_axes));
  BOOST_TEST((mistake<like_mm, shape<2>, shape<2, 2>> == core_mistake::too_few_axes));
}

BOOST_AUTO_TEST_CASE(the_blame_names_operand_axis_and_sizes) {
  constexpr auto b = bl::detail::static_binding<like_matmul, bl::shape<9, 2, 3>, bl::shape<4, 2>>;
  BOOST_TEST((b.argument == 1 && b.axis == 0 && b.expected == 3 && b.given == 4));
  constexpr auto l = bl::detail::static_binding<like_matmul, bl::shape<5, 2, 1, 1>, bl::shape<3, 1, 1>>;
  BOOST_TEST((l.argument == 1 && l.axis == 1 && l.expected == 2 && l.given == 3));
}

BOOST_AUTO_TEST_SUITE_END()
