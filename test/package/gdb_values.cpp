// Values for gdb_test.py to look at.
#include <complex>
#include <cstdio>

#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

[[gnu::noinline]] void stop_here(bl::index n) { std::printf("%td\n", n); }

int main() {
  bl::dtensor<float, 2> a{{1, 2, 3}, {4, 5, 6}};
  bl::tensor<int, bl::shape<2, 2>> fixed{{1, 2}, {3, 4}};
  bl::dtensor<double, 1> shapeless;
  bl::dtensor<double, 2> none(0, 3);
  bl::dtensor<bool, 1> truth{true, false};
  bl::dtensor<std::int8_t, 1> small{65, -1};
  bl::tensor<std::complex<float>, bl::shape<1>> z{std::complex<float>(1, -2)};
  bl::tensor<double, bl::shape<>> number(2.5);
  auto t = a.T();
  auto back = bl::flip(a(1), 0);
  auto fixed_t = fixed.T();
  auto s = a.shape();
  bl::shape<2, bl::dyn> mixed(5);
  bl::shape<4, 1> all_static;
  auto e = bl::exp(a) * 2 + bl::sum(a, bl::axes<0>);
  auto c = bl::addcmul(a, -a, t.T());
  const auto& a_ref = a;
  auto&& s_ref = s;
  const auto& c_ref = c;
  auto owned = bl::dtensor<int, 1>{7, 8}.T() == 7;
  bl::dtensor<int, 1> many = bl::arange<int>(1000);
  stop_here(a.size() + fixed.size() + none.size() + truth.size() + small.size() + z.size() + number.size() + t.size() +
            back.size() + fixed_t.size() + s.size() + mixed.size() + all_static.size() + e.size() + c.size() +
            owned.size() + many.size() + a_ref.size() + s_ref.size() + c_ref.size() + shapeless.has_shape());
}
