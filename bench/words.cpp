// Signals, sets, orders, distances, complex sums and elements of 16 bits beside libtorch and NumPy, in one run: the
// smallest of several interleaved times in milliseconds, and ratios to ours. NumPy runs in a process of its own.
//
//   g++ -std=c++20 -O2 -w -DBENCH_FOLDER='"bench"' -Iinclude bench/words.cpp -Lbuild/lib -lbroadloom -ltorch_cpu -lc10
//   \
//     -Wl,-rpath,build/lib -o build/words && build/words [PART_OF_A_NAME]
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <chrono>
#include <complex>
#include <csignal>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <broadloom/decompositions.hpp>
#include <broadloom/half.hpp>
#include <broadloom/random.hpp>
#include <broadloom/reduce/own.hpp>
#include <broadloom/sets.hpp>
#include <broadloom/signal.hpp>

#include "numpy_worker.hpp"

namespace {

namespace bl = broadloom;
using bl::index;
using c128 = std::complex<double>;
using clock_type = std::chrono::steady_clock;

std::string wanted;
numpy_worker* numpy = nullptr;

struct contender {
  const char* name;
  std::function<void()> run;
  double best = 1e30;
};

void race(const char* what, const std::function<void()>& ours, const std::function<void()>& torch,
          bool in_numpy = true) {
  if (std::string(what).find(wanted) == std::string::npos) return;
  std::vector<contender> all{{"broadloom", ours}, {"libtorch", torch}};
  if (in_numpy && numpy->run(what)) all.push_back({"numpy", [what] { numpy->run(what); }});
  double spent = 0;
  for (int round = 0; round < 30 && (round < 4 || spent < 1.5); ++round)
    for (contender& c : all) {
      const auto start = clock_type::now();
      c.run();
      const double s = std::chrono::duration<double>(clock_type::now() - start).count();
      spent += s;
      if (round > 0 && s < c.best) c.best = s;
    }
  std::printf("%-28s", what);
  for (const contender& c : all) std::printf("  %s %8.3f (%.2f)", c.name, c.best * 1e3, c.best / all[0].best);
  std::printf("\n");
  std::fflush(stdout);
}

template <class T, class S>
at::Tensor torch_of(const bl::tensor<T, S>& x) {
  std::vector<std::int64_t> shape;
  for (int i = 0; i < S::axes_count; ++i) shape.push_back(x.shape()[i]);
  const auto type = std::is_same_v<T, float>                 ? at::kFloat
                    : std::is_same_v<T, std::complex<float>> ? at::kComplexFloat
                    : std::is_same_v<T, c128>                ? at::kComplexDouble
                                                             : at::kBFloat16;
  return at::from_blob(const_cast<T*>(x.data()), shape, at::TensorOptions().dtype(type)).clone();
}

bl::generator g(1);
template <class T, class S>
auto complex_normal(const S& s) {
  return bl::dtensor<std::complex<T>, S::axes_count>(bl::complex(bl::randn<T>(g, s), bl::randn<T>(g, s)));
}

}  // namespace

int main(int count, char** given) {
  if (count > 1) wanted = given[1];
  std::signal(SIGPIPE, SIG_IGN);
  numpy_worker worker(BENCH_FOLDER "/words_numpy.py");
  numpy = &worker;
  at::NoGradGuard none;

  {
    const auto x = complex_normal<double>(bl::dshape<2>(1024, 1024));
    const auto line = complex_normal<double>(bl::dshape<1>(1 << 20));
    const at::Tensor tx = torch_of(x), tl = torch_of(line);
    bl::dtensor<c128, 2> y(1024, 1024);
    bl::dtensor<c128, 1> z(1 << 20);
    at::Tensor ty = at::empty_like(tx), tz = at::empty_like(tl);
    race("fft of 1024 lines", [&] { bl::assign(y, bl::fft(x)); }, [&] { at::fft_fft_out(ty, tx); });
    race("fft of 2^20", [&] { bl::assign(z, bl::fft(line)); }, [&] { at::fft_fft_out(tz, tl); });
    race(
        "fft of 2^20, one thread", [&] { bl::assign(z, bl::fft(line), bl::par.threads(1)); },
        [&] { at::fft_fft_out(tz, tl); });
  }
  {
    const bl::dtensor<float, 4> x = bl::randn<float>(g, bl::dshape<4>(8, 16, 64, 64)),
                                w = bl::randn<float>(g, bl::dshape<4>(32, 16, 3, 3));
    const at::Tensor tx = torch_of(x), tw = torch_of(w);
    bl::dtensor<float, 4> y(8, 32, 62, 62);
    race("conv2d", [&] { bl::assign(y, bl::conv2d(x, w)); }, [&] { at::conv2d(tx, tw); }, false);
  }
  {
    const bl::dtensor<float, 1> x = bl::randn<float>(g, bl::dshape<1>(1000000));
    const bl::dtensor<float, 1> few = bl::round(x * 100);
    const at::Tensor tx = torch_of(x), tf = torch_of(few);
    race("unique of 1e6", [&] { bl::unique(x); }, [&] { at::_unique2(tx, true, false, false); });
    race("unique, 900 values", [&] { bl::unique(few); }, [&] { at::_unique2(tf, true, false, false); });
    race("topk 100 of 1e6", [&] { bl::topk(x, 100); }, [&] { at::topk(tx, 100); });
    race("topk 5000 of 1e6", [&] { bl::topk(x, 5000); }, [&] { at::topk(tx, 5000); });
  }
  {
    const bl::dtensor<float, 2> x = bl::randn<float>(g, bl::dshape<2>(1000, 64)),
                                y = bl::randn<float>(g, bl::dshape<2>(1000, 64));
    const at::Tensor tx = torch_of(x), ty = torch_of(y);
    bl::dtensor<float, 2> r(1000, 1000);
    race("cdist, torch by matmul", [&] { bl::assign(r, bl::cdist(x, y)); }, [&] { at::cdist(tx, ty, 2, 1); }, false);
    race("cdist, by differences", [&] { bl::assign(r, bl::cdist(x, y)); }, [&] { at::cdist(tx, ty, 2, 2); }, false);
  }
  {
    const auto x = complex_normal<float>(bl::dshape<2>(4096, 1024));
    const at::Tensor tx = torch_of(x);
    bl::dtensor<std::complex<float>, 1> rows(4096), columns(1024);
    at::Tensor r = at::empty({4096}, at::kComplexFloat), c = at::empty({1024}, at::kComplexFloat);
    race("complex sum of rows", [&] { bl::assign(rows, bl::sum(x, bl::axes<1>)); }, [&] { at::sum_out(r, tx, {1}); });
    race(
        "complex sum of columns", [&] { bl::assign(columns, bl::sum(x, bl::axes<0>)); },
        [&] { at::sum_out(c, tx, {0}); });
    race(
        "complex prod of columns", [&] { bl::assign(columns, bl::prod(x, bl::axes<0>)); },
        [&] { at::prod_out(c, tx, 0); });
    race("complex prod of rows", [&] { bl::assign(rows, bl::prod(x, bl::axes<1>)); }, [&] { at::prod_out(r, tx, 1); });
    race("complex var of rows", [&] { bl::eval(bl::var(x, bl::axes<1>)); }, [&] { at::var(tx, {1}, true); });
  }
  {
    // A callable of one's own, beside the peers' maxima.
    const bl::dtensor<float, 3> x = bl::randn<float>(g, bl::dshape<3>(16, 512, 1024));
    const at::Tensor tx = torch_of(x);
    const auto larger = [](float a, float b) { return a < b ? b : a; };
    bl::dtensor<float, 2> leading(512, 1024), middle(16, 1024);
    at::Tensor tl = at::empty({512, 1024}), tm = at::empty({16, 1024});
    race(
        "own maxima, leading axis", [&] { bl::assign(leading, bl::reduce(x, 0, -1e30f, larger, bl::any_order)); },
        [&] { at::amax_out(tl, tx, {0}); });
    race(
        "own maxima, middle axis", [&] { bl::assign(middle, bl::reduce(x, 1, -1e30f, larger, bl::any_order)); },
        [&] { at::amax_out(tm, tx, {1}); });
    race(
        "own maxima, in order", [&] { bl::assign(middle, bl::reduce(x, 1, -1e30f, larger)); },
        [&] { at::amax_out(tm, tx, {1}); });
  }
  {
    using bf = bl::bfloat16;
    const bl::dtensor<bf, 2> a = bl::randn<bf>(g, bl::dshape<2>(4096, 1024)),
                             b = bl::randn<bf>(g, bl::dshape<2>(4096, 1024));
    const at::Tensor ta = torch_of(a), tb = torch_of(b);
    bl::dtensor<bf, 2> r(4096, 1024);
    at::Tensor tr = at::empty_like(ta);
    race("bfloat16 a + b", [&] { bl::assign(r, a + b); }, [&] { at::add_out(tr, ta, tb); }, false);
    race("bfloat16 exp", [&] { bl::assign(r, bl::exp(a)); }, [&] { at::exp_out(tr, ta); }, false);
  }
}
