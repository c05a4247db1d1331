// Transcendental functions of a single element, by the same code as strips.
#include <broadloom/fn/function.hpp>

namespace broadloom::detail {

float one_element(runtime::maths1 f, float x) noexcept {
  runtime::map1(f, runtime::accuracy::accurate, &x, &x, 1);
  return x;
}
double one_element(runtime::maths1 f, double x) noexcept {
  runtime::map1(f, runtime::accuracy::accurate, &x, &x, 1);
  return x;
}
float one_element(runtime::maths2 f, float x, float y) noexcept {
  runtime::map2(f, runtime::accuracy::accurate, &x, &y, &x, 1);
  return x;
}
double one_element(runtime::maths2 f, double x, double y) noexcept {
  runtime::map2(f, runtime::accuracy::accurate, &x, &y, &x, 1);
  return x;
}

}  // namespace broadloom::detail
