// Element types of the program's own (enable_element): held to the same of double, for generated shapes.
#include <broadloom/elements.hpp>
#include <broadloom/interop/float128.hpp>
#include <broadloom/linalg/products.hpp>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <cmath>
#include <complex>
#include <sstream>
#include <thread>

namespace bl = broadloom;

namespace mine {
// A number that counts its additions and says on which threads they are.
struct real {
  double v;
  real(double x = 0) : v(x) {}
  real(const real& o) : v(o.v) {}  // memcpy copies it all the same
  real& operator=(const real&) = default;
  static inline std::atomic<long> additions = 0;
  static inline std::atomic<bool> waits = false, on_two = false;
  static inline std::thread::id first;
  static void watch() {
    if (!waits) return;
    if (std::this_thread::get_id() != first) on_two = true;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!on_two && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  }
  friend real operator+(real a, real b) {
    ++additions;
    watch();
    return a.v + b.v;
  }
  friend real operator-(real a) { return -a.v; }
  friend real operator-(real a, real b) { return a.v - b.v; }
  friend real operator*(real a, real b) { return a.v * b.v; }
  friend real operator/(real a, real b) { return a.v / b.v; }
  friend bool operator<(real a, real b) { return a.v < b.v; }
  friend bool operator==(real a, real b) { return a.v == b.v; }
  friend real exp(real a) { return std::exp(a.v); }
  friend std::ostream& operator<<(std::ostream& to, real a) { return to << a.v << '!'; }
  explicit operator double() const { return v; }
};
template <class T>
struct dual {
  T v, d;
  constexpr dual(T value = 0, T derivative = 0) : v(value), d(derivative) {}
  friend constexpr dual operator+(dual a, dual b) { return {a.v + b.v, a.d + b.d}; }
  friend constexpr dual operator-(dual a) { return {-a.v, -a.d}; }
  friend constexpr dual operator*(dual a, dual b) { return {a.v * b.v, a.v * b.d + a.d * b.v}; }
  friend dual exp(dual a) { return {std::exp(a.v), a.d * std::exp(a.v)}; }
  friend constexpr bool operator<(dual a, dual b) { return a.v < b.v; }
};
// Three numbers, which functions return in memory; with or without assignment.
struct assigned {};
struct kept {
  kept() = default;
  kept(const kept&) = default;
  kept& operator=(const kept&) = delete;
};
template <class Base>
struct triple : Base {
  double v[3];
  triple(double x = 0) : v{x, x + 1, x + 2} {}
  friend triple operator+(const triple& a, const triple& b) {
    triple r;
    for (int k = 0; k < 3; ++k) r.v[k] = a.v[k] + b.v[k];
    return r;
  }
};
struct seconds {
  double s;
};
struct speed {
  double v;
};
struct metres {
  double m;
  friend constexpr metres operator+(metres a, metres b) { return {a.m + b.m}; }
  friend constexpr speed operator/(metres a, seconds b) { return {a.m / b.s}; }
  friend constexpr metres operator*(speed a, metres b) { return {a.v * b.m}; }
  friend constexpr bool operator==(metres, metres) = default;
};
}  // namespace mine

template <>
inline constexpr bool bl::enable_element<mine::real> = true;
template <class T>
inline constexpr bool bl::enable_element<mine::dual<T>> = true;
template <class Base>
inline constexpr bool bl::enable_element<mine::triple<Base>> = true;
template <>
inline constexpr bool bl::enable_element<mine::metres> = true;
template <>
inline constexpr bool bl::enable_element<mine::seconds> = true;
template <>
inline constexpr bool bl::enable_element<mine::speed> = true;
template <>
inline constexpr bool bl::enable_element<long double> = true;
template <>
inline constexpr bool bl::enable_element<std::complex<long double>> = true;

template <class A, class B = A>
concept times = requires(A a, B b) { a* b; };
template <class A>
concept has_exp = requires(A a) { bl::exp(a); };
template <class A>
concept has_prod = requires(A a) { bl::prod(a).item(); };
template <class A>
concept is_ordered = requires(A a) { bl::argmax(a).item(); };
template <class To, class From>
concept assigns = requires(bl::dtensor<To, 1>& to, bl::dtensor<From, 1>& from) {
  to = from;
  bl::assign(to, from);
};
using duals = bl::dtensor<mine::dual<double>, 1>&;
using lengths = bl::dtensor<mine::metres, 1>&;
using speeds = bl::dtensor<mine::speed, 1>&;
static_assert(times<duals> && has_exp<duals> && has_prod<duals> && is_ordered<duals>);
static_assert(times<duals, double> && times<int, duals> && times<duals, bl::dtensor<double, 1>&>);
static_assert(!times<lengths> && !has_exp<lengths> && times<speeds, lengths> && !times<lengths, double>);
static_assert(assigns<mine::dual<double>, double> && !assigns<double, mine::dual<double>>);
static_assert(!assigns<mine::metres, mine::speed> && !assigns<mine::metres, double>);

namespace {

using reals = bl::dtensor<mine::real, 2>;
using doubles = bl::dtensor<double, 2>;

// Small whole numbers, so that sums are exact whatever their order.
doubles generated(bl::index rows, bl::index columns, unsigned seed) {
  doubles x(rows, columns);
  for (double& e : x) {
    seed = seed * 1664525u + 1013904223u;
    e = static_cast<double>(seed >> 28) - 8;
  }
  return x;
}

template <class A, class B>
bool same(const A& own, const B& theirs) {
  return own.shape() == theirs.shape() && bl::all(bl::cast<double>(own) == theirs).item();
}

struct sizes {
  bl::index rows, columns;
};
constexpr sizes shapes[] = {{0, 3}, {3, 0}, {1, 1}, {3, 4}, {1, 9}, {700, 9}, {40, 1500}, {9000, 8}, {20000, 2}};

}  // namespace

BOOST_AUTO_TEST_SUITE(fn_own)

BOOST_AUTO_TEST_CASE(loops_give_what_double_gives) {
  for (const sizes size : shapes)
    for (const bl::policy how : {bl::seq, bl::par}) {
      const bl::index rows = size.rows, columns = size.columns;
      const doubles x = generated(rows, columns, 1), y = generated(1, columns, 2);
      const reals own = x;
      const bl::dtensor<double, 1> row = y(0, bl::all);
      bl::with(how, [&] {
        const doubles expected = bl::where(x < row, x, x * row + 2);
        reals r = bl::where(own < row, own, own * row + 2);
        BOOST_TEST(same(r, expected));
        const reals turned = own.T() / 2;  // exact
        BOOST_TEST(same(turned, doubles(x.T() / 2)));
        r *= own;
        r(bl::all, bl::range(bl::none, bl::none, 2)) = 3;
        doubles also = expected * x;
        also(bl::all, bl::range(bl::none, bl::none, 2)) = 3;
        BOOST_TEST(same(r, also));
        if (rows > 1) {  // what is read is also written
          r(bl::range(1, bl::end)) = r(bl::range(0, -1));
          also(bl::range(1, bl::end)) = also(bl::range(0, -1));
          BOOST_TEST(same(r, also));
        }
      });
    }
}

BOOST_AUTO_TEST_CASE(reductions_give_what_double_gives) {
  for (const sizes size : shapes)
    for (const bl::policy how : {bl::seq, bl::par}) {
      const bl::index rows = size.rows, columns = size.columns;
      const doubles x = generated(rows, columns, 3);
      const reals own = x;
      bl::with(how, [&] {
        for (int axis : {0, 1}) {
          BOOST_TEST(
              same(bl::dtensor<mine::real, 1>(bl::sum(own * 2, axis)), bl::dtensor<double, 1>(bl::sum(x * 2, axis))));
          BOOST_TEST(same(reals(bl::cumsum(own, axis)), doubles(bl::cumsum(x, axis))));
          if (x.shape()[axis] == 0) continue;
          BOOST_TEST(same(reals(own - bl::amax(own, axis, bl::keepdim)), doubles(x - bl::amax(x, axis, bl::keepdim))));
          BOOST_TEST((bl::all(bl::argmin(own, axis) == bl::argmin(x, axis)).item()));
        }
        BOOST_TEST((bl::sum(own).item().v == bl::sum(x).item()));
        BOOST_TEST(
            (bl::prod(bl::where(own < 0, -1.0, 1.0)).item() == (bl::count_nonzero(x < 0).item() % 2 == 0 ? 1 : -1)));
        BOOST_TEST((bl::any(own < -7).item() == bl::any(x < -7).item()));
        BOOST_TEST((bl::all(own).item() == bl::all(x).item()));
        BOOST_TEST((bl::count_nonzero(own).item() == bl::count_nonzero(x).item()));
        if (x.size() > 0) {
          BOOST_TEST((bl::mean(own).item().v == bl::mean(x).item()));
          BOOST_TEST(
              same(reals(bl::matmul(own(bl::range(0, 3)), own.T())), doubles(bl::matmul(x(bl::range(0, 3)), x.T()))));
        }
      });
    }
  BOOST_CHECK_THROW(bl::amax(reals(0, 3)), bl::shape_error);
  BOOST_CHECK_THROW(bl::matmul(reals(2, 3), reals(2, 3)), bl::shape_error);
}

BOOST_AUTO_TEST_CASE(sums_have_one_order) {
  bl::dtensor<long double, 2> x(30000, 9);
  for (int i = 0; i < 30000; ++i)
    for (int j = 0; j < 9; ++j) x(i, j) = 1 / (1.0L + i * 9 + j);
  const bl::dtensor<long double, 1> by_rows = bl::eval(bl::sum(x, 0), bl::seq),
                                    on_threads = bl::eval(bl::sum(x, 0), bl::par);
  for (int j = 0; j < 9; ++j) {
    const bl::dtensor<long double, 1> column = x(bl::all, j);
    BOOST_TEST((by_rows(j) == on_threads(j) && by_rows(j) == bl::sum(column).item()));
  }
}

template <class Base>
void check_triples() {
  const bl::index rows = 1500, columns = 9;
  const doubles numbers = bl::reshape(bl::iota<double>(rows * columns), rows, columns);
  const bl::dtensor<mine::triple<Base>, 2> x = numbers;
  for (const bl::policy how : {bl::seq, bl::par}) {
    const auto sums = bl::eval(bl::sum(x, 0), how);
    const auto running = bl::eval(bl::cumsum(x, 0) + x, how);
    for (bl::index j = 0; j < columns; ++j) {
      double sum = 0;
      for (bl::index i = 0; i < rows; ++i) {
        sum += numbers(i, j);
        for (int k = 0; k < 3; ++k)
          BOOST_REQUIRE(running(i, j).v[k] == sum + numbers(i, j) + static_cast<double>(k * (i + 2)));
      }
      for (int k = 0; k < 3; ++k) BOOST_TEST(sums(j).v[k] == sum + static_cast<double>(k * rows));
    }
  }
}
BOOST_AUTO_TEST_CASE(elements_that_are_returned_in_memory) {
  check_triples<mine::assigned>();
  check_triples<mine::kept>();
}

BOOST_AUTO_TEST_CASE(a_tree_is_one_loop_on_threads) {
  const reals x = generated(400, 100, 5);
  reals y(400, 100);
  mine::real::additions = 0;
  bl::assign(y, x + (x + x * 2) + 1);
  BOOST_TEST((mine::real::additions == 3 * 40000));
  if (bl::runtime::max_threads() < 2) return;
  bl::set_scheduler(bl::scheduler::threads);
  mine::real::first = std::this_thread::get_id();
  for (const bool sums : {false, true}) {
    mine::real::on_two = false;
    mine::real::waits = true;
    if (sums)
      static_cast<void>(bl::sum(x).item());
    else
      bl::assign(y, x + 1);
    mine::real::waits = false;
    BOOST_TEST(mine::real::on_two);
    mine::real::on_two = true;  // nobody waits
    bl::assign(y, x + 1, bl::seq);
  }
  bl::set_scheduler(bl::scheduler::tbb);
}

BOOST_AUTO_TEST_CASE(arrays_are_made_moved_indexed_and_printed) {
  reals x = bl::full(bl::shape(2, 3), mine::real(4)), z = bl::zeros<mine::real>(2, 3), copy = x;
  x(1, 2) = 5;
  copy = std::move(x);
  BOOST_TEST((copy(1, 2).v == 5 && copy(0, 0).v == 4 && z(1, 1).v == 0));
  bl::tensor<mine::real, bl::shape<2, 3>> fixed = copy * bl::ones<mine::real>(2, 3);
  BOOST_TEST((fixed(1, 2).v == 5 && bl::sum(fixed).item().v == 25));
  const bl::dtensor<mine::real, 1> picked = fixed(1, std::array{2, -3}), masked = copy(copy < 5);
  BOOST_TEST((picked(0).v == 5 && picked(1).v == 4 && masked.size() == 5));
  std::vector<mine::real> v{1, 2, 3};
  auto seen = bl::from(v);
  seen *= 2;
  BOOST_TEST((v[2].v == 6));
  auto tree = bl::eval(seen + mine::real(1));
  std::ostringstream text;
  text << tree << bl::sum(seen) << fixed;
  BOOST_TEST((text.str() == "[3! 5! 7!]12![[4! 4! 4!]\n [4! 4! 5!]]"));
  BOOST_TEST((bl::to_string(bl::arange<double>(2000) + mine::real(0)) == "[0! 1! 2! ... 1997! 1998! 1999!]"));
}

BOOST_AUTO_TEST_CASE(dual_numbers_give_derivatives) {
  bl::dtensor<mine::dual<double>, 1> x(3);
  const bl::dtensor<double, 1> w{1, 2, 3};
  for (int i = 0; i < 3; ++i) x(i) = {i * 0.5, 1};
  const bl::dtensor<mine::dual<double>, 1> y = -x * x * w + bl::exp(x) + mine::dual<double>(0, 1);
  for (int i = 0; i < 3; ++i) {
    const double at = i * 0.5, k = w(i);
    BOOST_TEST((y(i).v == -at * at * k + std::exp(at)));
    BOOST_TEST((y(i).d == -2 * at * k + std::exp(at) + 1));
  }
  BOOST_TEST((bl::prod(x + 1).item().d == 3 + 4.5 - 1));
}

BOOST_AUTO_TEST_CASE(units_give_units) {
  bl::dtensor<mine::metres, 1> l(2);
  bl::dtensor<mine::seconds, 1> t(2);
  for (int i = 0; i < 2; ++i) l(i) = {2.0 + i}, t(i) = {2};
  const bl::dtensor<mine::speed, 1> v = l / t;
  BOOST_TEST((v(1).v == 1.5 && (l / mine::seconds{4})(0).v == 0.5 && bl::sum(l + l).item().m == 10));
  BOOST_TEST((bl::all(l == l).item()));
}

BOOST_AUTO_TEST_CASE(wide_numbers) {
  const bl::dtensor<double, 1> w{1, 2, 3};
  const bl::dtensor<long double, 1> l = w, e = bl::exp(l / 3) + bl::pow(l, 2);
  BOOST_TEST((e(1) == std::exp(2 / 3.0L) + 4 && bl::maximum(l, 2)(0) == 2 && bl::mean(l).item() == 2));
  using wide = std::complex<long double>;
  bl::dtensor<wide, 1> c(2);
  c(0) = {1, 2};
  c(1) = {0, 1};
  const bl::dtensor<wide, 1> f = bl::exp(c) + wide(0, 1);
  for (int i = 0; i < 2; ++i) BOOST_TEST((f(i) == std::exp(c(i)) + wide(0, 1)));
#if defined(__SIZEOF_FLOAT128__) && defined(__GLIBC__)
  const bl::dtensor<__float128, 1> q = w, s = bl::sqrt(q);
  const __float128 miss = bl::sum(s * s - q).item();
  BOOST_TEST((miss < 1e-32 && miss > -1e-32 && double(s(1)) == std::sqrt(2.0)));
#endif
}

BOOST_AUTO_TEST_SUITE_END()
