// xtensor's functions with xsimd, compiled for this machine, into an output that is there.
#define XTENSOR_USE_XSIMD
#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xtensor.hpp>

#include "maths.hpp"

namespace bench_maths {
namespace {

struct call {
  std::function<void()> run, finish;
};

template <class T>
void* prepare_for(const std::string& f, const void* x, const void* y, void* out, long n) {
  const auto size = static_cast<std::size_t>(n);
  auto a = std::make_shared<xt::xtensor<T, 1>>(std::array<std::size_t, 1>{size});
  auto b = std::make_shared<xt::xtensor<T, 1>>(std::array<std::size_t, 1>{size});
  auto o = std::make_shared<xt::xtensor<T, 1>>(std::array<std::size_t, 1>{size});
  std::copy_n(static_cast<const T*>(x), n, a->data());
  if (y) std::copy_n(static_cast<const T*>(y), n, b->data());
  const auto finish = [o, out, n] { std::copy_n(o->data(), n, static_cast<T*>(out)); };
#define ONE(NAME)                                        \
  if (f == #NAME) return new call {                      \
      [a, o] { xt::noalias(*o) = xt::NAME(*a); }, finish \
    }
#define TWO(NAME)                                               \
  if (f == #NAME) return new call {                             \
      [a, b, o] { xt::noalias(*o) = xt::NAME(*a, *b); }, finish \
    }
  BENCH_MATHS_OF_ALL(ONE, TWO);
  ONE(cbrt);
  ONE(tgamma);
  return nullptr;
}
void* prepare(const std::string& f, const void* x, const void* y, void* out, long n, bool f64) {
  return f64 ? prepare_for<double>(f, x, y, out, n) : prepare_for<float>(f, x, y, out, n);
}
void run(void* prepared) { static_cast<call*>(prepared)->run(); }
void finish(void* prepared) {
  const std::unique_ptr<call> done(static_cast<call*>(prepared));
  done->finish();
}
const peer self{prepare, run, finish};

}  // namespace

const peer* xtensor() { return &self; }

}  // namespace bench_maths
