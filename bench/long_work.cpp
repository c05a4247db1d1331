// How long an evaluation goes on after it was asked to stop, what reports of progress cost, and what async costs a
// small batch. Prints one line each.
#include <algorithm>
#include <broadloom/broadloom.hpp>
#include <broadloom/eval/async.hpp>
#include <broadloom/eval/progress.hpp>
#include <broadloom/eval/stop.hpp>
#include <chrono>
#include <cstdio>
#include <random>
#include <thread>
#include <vector>

namespace bl = broadloom;
using steady = std::chrono::steady_clock;

namespace {

double since(steady::time_point t) { return std::chrono::duration<double>(steady::now() - t).count(); }
double median(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  return x[x.size() / 2];
}
double least(const std::vector<double>& x) { return *std::min_element(x.begin(), x.end()); }

}  // namespace

int main() {
  bl::dtensor<float, 2> x = bl::ones<float>(8192, 4096), out = x;
  const bl::policy two = bl::par.threads(2);
  const auto evaluate = [&](const bl::policy& how) {
    const auto t = steady::now();
    bl::assign(out, bl::softmax(bl::pow(bl::abs(bl::sin(x * 3.f)), bl::cos(x) + 2.f) + bl::lgamma(x + 1.5f), 1), how);
    return since(t);
  };
  // as many rows as take about 1 s on two threads
  evaluate(two);
  const double first = std::min({evaluate(two), evaluate(two), evaluate(two)});
  x = bl::ones<float>(static_cast<bl::index>(std::clamp(8192 / first, 1024.0, 65536.0)), 4096);
  out = x;
  std::printf("an evaluation of %td rows: %.3f s\n", x.shape()[0], evaluate(two));

  std::vector<double> late;
  std::mt19937 random(1);
  for (int i = 0; i < 60; ++i) {
    std::stop_source source;
    const bl::stop_when token(source.get_token());
    steady::time_point asked;
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50 + random() % 400));
      asked = steady::now();
      source.request_stop();
    });
    bool was_stopped = false;
    try {
      evaluate(two | token);
    } catch (const bl::stopped&) {
      was_stopped = true;
    }
    const auto back = steady::now();
    other.join();
    if (was_stopped) late.push_back(std::chrono::duration<double>(back - asked).count() * 1e3);
  }
  std::printf("from request to return, %zu stops: median %.2f ms, worst %.2f ms\n", late.size(), median(late),
              *std::max_element(late.begin(), late.end()));

  std::vector<double> without, with;
  int reports = 0;
  const bl::on_progress told([&](const bl::progress&) { ++reports; });
  for (int i = 0; i < 15; ++i) {
    without.push_back(evaluate(two));
    with.push_back(evaluate(two | told));
  }
  std::printf("progress: %.4f s without, %.4f s with (medians), ratio %.4f, of minima %.4f; %d reports each\n",
              median(without), median(with), median(with) / median(without), least(with) / least(without),
              reports / static_cast<int>(with.size()));

  bl::dtensor<float, 2> in = bl::ones<float>(1000, 4096), results = in;
  std::vector<double> loop, beside;
  for (int k = 0; k < 9; ++k) {
    auto t = steady::now();
    for (int i = 0; i < 1000; ++i) bl::assign(results(i), bl::exp(in(i)) * 2.f, bl::seq);
    loop.push_back(since(t));
    t = steady::now();
    std::vector<bl::evaluation> all;
    for (int i = 0; i < 1000; ++i) all.push_back(bl::async(results(i), bl::exp(in(i)) * 2.f, bl::seq));
    for (bl::evaluation& e : all) e.get();
    beside.push_back(since(t));
  }
  std::printf("1000 batches of 4096: a loop %.3f ms, async %.3f ms (minima)\n", least(loop) * 1e3, least(beside) * 1e3);
}
