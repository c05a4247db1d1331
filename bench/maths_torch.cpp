// libtorch's functions on one thread, into an output that is there.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <functional>

#include "maths.hpp"

namespace bench_maths {
namespace {

void* prepare(const std::string& f, const void* x, const void* y, void* out, long n, bool f64) {
  at::set_num_threads(1);
  const auto options = at::TensorOptions().dtype(f64 ? at::kDouble : at::kFloat);
  const auto array = [&](const void* p) { return at::from_blob(const_cast<void*>(p), {n}, options); };
  at::Tensor a = array(x), b = y ? array(y) : at::Tensor(), o = array(out);
#define ONE(NAME) \
  if (f == #NAME) return new std::function<void()>([a, o]() mutable { at::NAME##_out(o, a); })
#define TWO(NAME) \
  if (f == #NAME) return new std::function<void()>([a, b, o]() mutable { at::NAME##_out(o, a, b); })
  BENCH_MATHS_OF_ALL(ONE, TWO);
  return nullptr;
}
void run(void* prepared) { (*static_cast<std::function<void()>*>(prepared))(); }
void finish(void* prepared) { delete static_cast<std::function<void()>*>(prepared); }
const peer self{prepare, run, finish};

}  // namespace

const peer* torch() { return &self; }

}  // namespace bench_maths
