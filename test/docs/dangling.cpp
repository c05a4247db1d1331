// Expressions and views that outlive what they refer to, one function each. dangling_test.py compares with the table in
// docs/guide/lifetime.md which of them clang warns of, what BROADLOOM_CHECKED throws, and what valgrind finds.
//
// usage: dangling NUMBER...: calls the functions, each in a process of its own, and prints a line for each.
#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace bl = broadloom;

namespace {

using vector = bl::dtensor<double, 1>;
using matrix = bl::dtensor<double, 2>;
using small = bl::tensor<double, bl::shape<3>>;

const vector& kept() {
  static const vector x{1, 2, 3};
  return x;
}
matrix square() { return bl::eval(bl::reshape(bl::arange<double>(9), 3, 3)); }

constexpr auto centred = bl::function([](auto x) { return x - bl::mean(x); });
struct scaling {
  vector by{1, 2, 3};
  template <class X>
  auto operator()(const X& x) const {
    return x * by;
  }
};
template <class X, class Y>
auto by_reference(const X& x, const Y& y) {
  return x + y;
}
template <class X>
auto never_forwarded(X&& x) {
  return x * 2.0;
}
template <class X>
auto moved_and_read(X&& x) {
  return std::forward<X>(x) - bl::mean(x);
}

// A line `// NUMBER: WORDS` names the kind of what follows.
// 1: an operator of a parameter by value
auto k1(vector x) { return x + 1; }
// 2: operators within operators
auto k2(vector x) { return (kept() * x + 1) / 2; }
// 3: a local tensor
auto k3() {
  vector w{1, 2, 3};
  return kept() * w;
}
// 4: a local `std::vector`
auto k4() {
  std::vector<double> w{1, 2, 3};
  return kept() * w;
}
// 5: a local `std::array`
auto k5() {
  std::array<double, 3> w{1, 2, 3};
  return kept() * w;
}
// 6: a local array of C
auto k6() {
  double w[3] = {1, 2, 3};
  return kept() * w;
}
// 7: a local static tensor
auto k7() {
  small w{1, 2, 3};
  return kept() * w;
}
// 8: a function of the catalogue
auto k8(vector x) { return bl::exp(x); }
// 9: a function of two operands
auto k9(vector x) { return bl::maximum(x, kept()); }
// 10: a function of three
auto k10(vector x) { return bl::fma(x, kept(), 1.0); }
// 11: `where`
auto k11(vector x) { return bl::where(x > 1, x, 0); }
// 12: a callable
auto k12(vector x) {
  return bl::pointwise([](double v) { return v + 1; }, x);
}
// 13: a conversion
auto k13(vector x) { return bl::cast<float>(x); }
// 14: an element range, `x(range(...))`
auto k14(vector x) { return x(bl::range(0, 2)); }
// 15: a row of a static tensor
auto k15(bl::tensor<double, bl::shape<3, 3>> x) { return x(0, bl::all) + 1; }
// 16: `x.T()`
auto k16(matrix x) { return x.T() + 1; }
// 17: `transpose(x)`
auto k17(matrix x) { return bl::transpose(x); }
// 18: `reshape(x, n)`
auto k18(matrix x) { return bl::reshape(x, 9); }
// 19: `windows(x, ...)`
auto k19(vector x) { return bl::windows(x, 0, 2); }
// 20: index arrays, `x(i)`
auto k20() {
  const bl::dtensor<bl::index, 1> i{0, 2};
  return kept()(i);
}
// 21: a sum
auto k21(vector x) { return bl::sum(x); }
// 22: a sum of an expression
auto k22(vector x) { return bl::sum(x * x); }
// 23: `mean` beside its array
auto k23(vector x) { return x - bl::mean(x); }
// 24: `mean` of an expression
auto k24(vector x) { return bl::mean(x * 2); }
// 25: `softmax`, `norm`
auto k25(vector x) { return bl::softmax(x, 0); }
// 26: a product
auto k26(matrix x) { return bl::matmul(x, x); }
// 27: `cumsum`
auto k27(vector x) { return bl::cumsum(x, 0); }
// 28: `let`
auto k28(vector x) { return bl::let(x); }
// 29: a `bl::function`
auto k29(vector x) { return centred(x); }
// 30: `from(container, extents)`
auto k30() {
  std::vector<double> w(6, 1.0);
  return bl::from(w, 2, 3);
}
// 31: a view made of a tensor
auto k31(vector x) { return bl::dview<const double, 1>(x); }
// 32: a pointer, `x.data()`
auto k32(vector x) { return bl::from(x.data(), 3); }
// 33: an expression with a name: `auto e = x + 1; return e;`
auto k33(vector x) {
  auto e = x + 1;
  return e;
}
// 34: a function with parameters `const X&`, called with a temporary
auto k34() { return by_reference(kept(), vector{1, 2, 3}); }
// 35: a function with parameters `X&&`, not forwarded, called with a temporary
auto k35() { return never_forwarded(vector{1, 2, 3}); }
// 36: a parameter forwarded and mentioned again
auto k36() { return moved_and_read(vector{1, 2, 3}); }
// 37: a member of a temporary function object
auto k37() { return scaling{}(kept()); }
// 38: a view of a temporary
auto k38() {
  auto row = square()(0, bl::all).T();
  const matrix m = square();
  const auto other = m(0, bl::all);
  return row + other;
}
// 39: `gather`, `take` and other functions of indices
auto k39(vector x) { return bl::take(x, bl::dtensor<int, 1>{0, 2}); }
// 40: `cat`, `stack`
auto k40(vector x) { return bl::cat(0, x, kept()); }

// Overwrites what the dead frames and the freed memory held.
[[gnu::noinline]] void overwrite() {
  volatile unsigned char stack[4096];
  for (auto& x : stack) x = 0xa5;
  void* blocks[64];
  for (int i = 0; i < 64; ++i) std::memset(blocks[i] = std::malloc(std::size_t(16 + 8 * (i % 16))), 0xa5, 16);
  for (void* b : blocks) std::free(b);
}
// Returns 0 if it has a value, 1 for a lifetime_error, 2 for another exception.
template <class F, class... A>
[[gnu::noinline]] int run(F f, A... a) {
  auto e = f(std::move(a)...);
  overwrite();
  try {
    (void)bl::eval(bl::sum(bl::cast<double>(e))).item();
  } catch (const bl::lifetime_error&) {
    return 1;
  } catch (const std::exception&) {
    return 2;
  }
  return 0;
}

int call(int number) {
  const vector v{1, 2, 3};
  const matrix m = square();
  switch (number) {
#define CASE(N, ...) \
  case N: return run([](auto... a) { return k##N(std::move(a)...); } __VA_OPT__(, ) __VA_ARGS__);
    CASE(1, v)
    CASE(2, v)
    CASE(3)
    CASE(4)
    CASE(5)
    CASE(6)
    CASE(7)
    CASE(8, v)
    CASE(9, v)
    CASE(10, v)
    CASE(11, v)
    CASE(12, v)
    CASE(13, v)
    CASE(14, v)
    CASE(15, (bl::tensor<double, bl::shape<3, 3>>{}))
    CASE(16, m)
    CASE(17, m)
    CASE(18, m)
    CASE(19, v)
    CASE(20)
    CASE(21, v)
    CASE(22, v)
    CASE(23, v)
    CASE(24, v)
    CASE(25, v)
    CASE(26, m)
    CASE(27, v)
    CASE(28, v)
    CASE(29, v)
    CASE(30)
    CASE(31, v)
    CASE(32, v)
    CASE(33, v)
    CASE(34)
    CASE(35)
    CASE(36)
    CASE(37)
    CASE(38)
    CASE(39, v)
    CASE(40, v)
  }
  return 3;
}

}  // namespace

int main(int count, char** words) {
  for (int i = 1; i < count; ++i) {
    const int number = std::atoi(words[i]);
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) _exit(call(number));
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return 1;
    const char* const said[] = {"a value", "lifetime_error", "another exception", "no such kind"};
    std::printf("%d %d %s\n", number, static_cast<int>(child),
                WIFEXITED(status) ? said[WEXITSTATUS(status) & 3] : "a crash");
  }
}
