// Signals without an axis of channels, as NumPy's convolve takes them: one error, of the first argument.
// expect: a convolution wants an array of channels and axes
// lines gcc: 12
// lines clang: 18
#include <broadloom/broadloom.hpp>
#include <broadloom/signal.hpp>

namespace bl = broadloom;

void use(const bl::dtensor<float, 1>& x, const bl::dtensor<float, 2>& c, const bl::dtensor<float, 3>& w) {
  static_cast<void>(bl::conv1d(c, w));
#ifdef MISTAKE
  static_cast<void>(bl::conv1d(x, x));  // blame
#endif
  static_cast<void>(x);
}
