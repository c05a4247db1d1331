// The law of static shapes for reduce/ and for functions of elements: fn/.
// Build: unoptimised, seldom
#include "static_shapes.hpp"

using law::axis_of, law::dyn, law::keeps, law::of;
namespace bl = broadloom;
using namespace bl::literals;

BOOST_AUTO_TEST_CASE(which_axes_are_reduced) {
  keeps<of<float, 4, 4>>("sum", {axis_of(2)}, [](auto x, auto c) { return bl::sum(x, c[0]); });
  keeps<of<float, 4, 5>>("sum", {axis_of(2)}, [](auto x, auto c) { return bl::sum(x, c[0]); });
  keeps<of<float, 4, 5>>("sum", {axis_of(2)}, [](auto x, auto c) { return bl::sum(x, c[0], bl::keepdim); });
  keeps<of<float, 1, 5>>("sum", {axis_of(2)}, [](auto x, auto c) { return bl::sum(x, c[0], bl::keepdim); });
  keeps<of<float, 5>>("sum", {axis_of(1)}, [](auto x, auto c) { return bl::sum(x, c[0], bl::keepdim); });
  keeps<of<float, 4, 5>>("sum", {axis_of(2), axis_of(2)},
                         [](auto x, auto c) { return bl::sum(x, c[0], c[1], bl::keepdim); });
  keeps<of<float, 4, 5, 5, 5>>("sum", {axis_of(4)}, [](auto x, auto c) { return bl::sum(x, c[0]); });
  keeps<of<float, 4, 5, 5, 5>>("sum", {axis_of(4), axis_of(4)}, [](auto x, auto c) { return bl::sum(x, c[0], c[1]); });
  keeps<of<float, 4, 5, 6, 5>>("sum", {axis_of(4)}, [](auto x, auto c) { return bl::sum(x, 2_c, c[0]); });
  keeps<of<float, 4, 5, 6, 5>>("sum", {axis_of(4)}, [](auto x, auto c) { return bl::sum(x, c[0], 0_c, bl::keepdim); });
  keeps<of<float, 4, dyn, 6>>("sum", {}, [](auto x, auto) { return bl::sum(x, bl::axes<0, -1>); });
  keeps<of<float, 4, 5>>("sum", {axis_of(2)}, [](auto x, auto c) { return bl::sum(x, c[0], bl::compensated); });
  keeps<of<float, dyn>>("sum", {}, [](auto x, auto) { return bl::sum(x); });
}

BOOST_AUTO_TEST_CASE(every_reduction) {
  // The axes are treated in one place, so each takes one of the arrays above.
  const auto along = [](auto f) { return [f](auto x, auto c) { return f(x, c[0]); }; };
  keeps<of<float, 4, 4, 3>>("prod", {axis_of(3)}, along(bl::prod));
  keeps<of<float, 4, 4, 3>>("amax", {axis_of(3)}, along(bl::amax));
  keeps<of<float, 4, 4, 3>>("amin", {axis_of(3)}, along(bl::amin));
  keeps<of<float, 4, 4, 3>>("any", {axis_of(3)}, along(bl::any));
  keeps<of<float, 4, 4, 3>>("all", {axis_of(3)}, along(bl::all));
  keeps<of<float, 4, 4, 3>>("argmax", {axis_of(3)}, along(bl::argmax));
  keeps<of<float, 4, 4, 3>>("argmin", {axis_of(3)}, along(bl::argmin));
  keeps<of<float, 4, 4, 3>>("count_nonzero", {axis_of(3)}, along(bl::count_nonzero));
  keeps<of<float, 4, 4, 3>>("logsumexp", {axis_of(3)}, along(bl::logsumexp));
  keeps<of<float, 4, 4, 3>>("mean", {axis_of(3)}, along(bl::mean));
  keeps<of<float, 4, 4, 3>>("var", {axis_of(3)}, along(bl::var));
  keeps<of<float, 4, 4, 3>>("std", {axis_of(3)}, along(bl::std));
  keeps<of<float, 4, 4, 3>>("max", {}, [](auto x, auto) { return bl::max(x, bl::axes<0>); });
  keeps<of<float, 4, 4, 3>>("min", {}, [](auto x, auto) { return bl::min(x, bl::axes<0>); });
  keeps<of<float, 1, 4>>("std", {axis_of(2)}, [](auto x, auto c) { return bl::std(x, c[0], bl::keepdim); });
  keeps<of<float, 4, 4, 3>>("norm", {axis_of(3)}, [](auto x, auto c) { return bl::norm(x, 2_c, c[0]); });
  keeps<of<float, 4, 4, 3>>("norm", {{1, 3}, axis_of(3)}, [](auto x, auto c) { return bl::norm(x, c[0], c[1]); });
  keeps<of<float, 4, dyn>, of<float, 3>>("dist", {}, [](auto x, auto y, auto) { return bl::dist(x, y); });
  keeps<of<float, 2, 3>>("cumsum", {axis_of(2)}, along(bl::cumsum));
  keeps<of<float, 2, dyn>>("cumprod", {axis_of(2)}, along(bl::cumprod));
  keeps<of<float, 2, 3>>("softmax", {axis_of(2)}, along(bl::softmax));
  keeps<of<float, 2, 3>>("log_softmax", {axis_of(2)}, along(bl::log_softmax));
  keeps<of<float, 1, 3>>("sum_to", {{1, 3}}, [](auto x, auto c) { return bl::sum_to(x, bl::dshape<2>(1, c[0])); });
  keeps<of<float, 1, 3>>("sum_to", {{1, 3}, {1, 3}},
                         [](auto x, auto c) { return bl::sum_to(x, bl::dshape<2>(c[0], c[1])); });
}

BOOST_AUTO_TEST_CASE(functions_of_elements) {
  // All functions of elements get their shape in one place: some of each kind.
  keeps<of<float, 2, 1, 3>, of<float, dyn, 1>>("add", {}, [](auto x, auto y, auto) { return bl::add(x, y); });
  keeps<of<float, 2, dyn>, of<float, 3>>("div", {},
                                         [](auto x, auto y, auto) { return bl::div(x, y, bl::rounding::floor); });
  keeps<of<float, 2, dyn>, of<float, 3>>("isclose", {}, [](auto x, auto y, auto) { return bl::isclose(x, y); });
  keeps<of<bool, 2, 1>, of<float, 3>, of<float, dyn, 3>>(
      "where", {}, [](auto m, auto x, auto y, auto) { return bl::where(m, x, y); });
  keeps<of<float, dyn, 1>, of<float, 3>, of<float, 4, 1>>(
      "addcmul", {}, [](auto x, auto y, auto z, auto) { return bl::addcmul(x, y, z, 2.0f); });
  keeps<of<float, dyn, 1>, of<float, 3>, of<float, 4, 1>>(
      "addcdiv", {}, [](auto x, auto y, auto z, auto) { return bl::addcdiv(x, y, z); });
  keeps<of<float, 2, dyn>>("sigmoid", {}, [](auto x, auto) { return bl::sigmoid(x); });
  keeps<of<float, 2, dyn>>("cast", {}, [](auto x, auto) { return bl::cast<int>(x); });
  keeps<of<float, 2, dyn>, of<float, 3>>("pointwise", {}, [](auto x, auto y, auto) {
    return bl::pointwise([](float a, float b) { return a - b; }, x, y);
  });
  keeps<of<float, 2, dyn>, of<float, 3>>("complex", {}, [](auto x, auto y, auto) { return bl::complex(x, y); });
  keeps<of<float, 2, dyn>, of<float, 3>>("polar", {}, [](auto x, auto y, auto) { return bl::polar(x, y); });
  const auto of_complex = [](auto f) { return [f](auto x, auto) { return f(bl::complex(x, x)); }; };
  keeps<of<float, 2, dyn>>("real", {}, of_complex(bl::real));
  keeps<of<float, 2, dyn>>("imag", {}, of_complex(bl::imag));
  keeps<of<float, 2, dyn>>("conj", {}, of_complex(bl::conj));
  keeps<of<float, 2, dyn>>("conj_physical", {}, of_complex(bl::conj_physical));
  keeps<of<float, 2, dyn>>("isreal", {}, of_complex(bl::isreal));
}
