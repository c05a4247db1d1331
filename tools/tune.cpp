// Which sizes of bl::tuning fit this machine: runs alternatives of each on evaluations that they decide, in turn, and
// says which lose. `./dev tune [FILE]`: FILE, or standard output, gets what BROADLOOM_TUNING reads.
#include <broadloom/broadloom.hpp>
#include <broadloom/eval/tuning.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

namespace bl = broadloom;
using bl::index;

namespace {

constexpr double seconds_of_one = 2;  // for all alternatives of a size on one evaluation
constexpr double loss = 1.05;
constexpr int least_rounds = 8;

struct evaluation {
  std::string name;
  std::function<void()> run;
  bool one_thread = false;
};
struct size_to_tune {
  const char* name;
  index bl::tuning::* member;
  std::vector<index> values;
  std::vector<evaluation> on;
};

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}
// Of one thread its own time, in which other programs do not run.
double seconds_of(const evaluation& e) {
  const auto begin = std::chrono::steady_clock::now();
  const std::clock_t own = std::clock();
  e.run();
  return e.one_thread ? static_cast<double>(std::clock() - own) / CLOCKS_PER_SEC : seconds_since(begin);
}

// How much longer than the best value each takes. One runs after the other in each round, so that what else the machine
// does meets all of them; even and odd rounds are compared by themselves, and the smaller of both ratios counts: a
// value loses where it loses twice.
struct comparison {
  std::vector<double> ratios;
  double seconds = INFINITY;  // of the best
};
comparison compare(const size_to_tune& s, const evaluation& e, const bl::tuning& usual) {
  const std::size_t count = s.values.size();
  std::vector<double> best[2] = {std::vector<double>(count, INFINITY), std::vector<double>(count, INFINITY)};
  e.run();
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t round = 0; round < least_rounds || seconds_since(begin) < seconds_of_one; ++round)
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t k = (i + round / 2) % count;
      bl::tuning t = usual;
      t.*s.member = s.values[k];
      bl::set_tuning(t);
      best[round % 2][k] = std::min(best[round % 2][k], seconds_of(e));
    }
  bl::set_tuning(usual);
  comparison c{std::vector<double>(count, INFINITY)};
  for (const std::vector<double>& half : best) {
    const double least = *std::min_element(half.begin(), half.end());
    c.seconds = std::min(c.seconds, least);
    for (std::size_t k = 0; k < count; ++k) c.ratios[k] = std::min(c.ratios[k], half[k] / least);
  }
  return c;
}

// The value to use: the one in force (0), unless it loses more than 5 % somewhere and another loses less over all.
index tuned(const size_to_tune& s, const bl::tuning& usual) {
  std::vector<double> all(s.values.size(), 1);
  bool loses = false;
  for (const evaluation& e : s.on) {
    const comparison c = compare(s, e, usual);
    std::printf("%-16s %-36s", s.name, e.name.c_str());
    for (std::size_t k = 0; k < s.values.size(); ++k) {
      all[k] *= c.ratios[k];
      std::printf("  %td: %.2f%s", s.values[k], c.ratios[k], c.ratios[k] <= loss ? "" : k == 0 ? " LOSES" : "*");
    }
    loses = loses || c.ratios[0] > loss;
    std::printf("   (%.3f ms)\n", 1e3 * c.seconds);
    std::fflush(stdout);
  }
  const auto k = static_cast<std::size_t>(std::min_element(all.begin(), all.end()) - all.begin());
  return loses && all[k] < all[0] ? s.values[k] : 0;
}

// The value in force first, then its alternatives, each once.
std::vector<index> around(index now, std::vector<index> others) {
  std::vector<index> all{now};
  for (const index x : others)
    if (std::find(all.begin(), all.end(), x) == all.end()) all.push_back(x);
  return all;
}

bl::dtensor<float, 2> numbers(index rows, index columns) {
  return bl::reshape(bl::arange<float>(rows * columns), rows, columns) * 1e-3f;
}

}  // namespace

int main(int count, char** arguments) {
  const bl::tuning usual = bl::current_tuning();
  constexpr index kibibyte = 1024, mebibyte = 1024 * kibibyte;
  const index first = usual.first_cache > 0 ? usual.first_cache : 32 * kibibyte;
  const index second = usual.second_cache > 0 ? usual.second_cache : mebibyte;

  const auto a = numbers(4096, 4096), b = numbers(4096, 4096);
  bl::dtensor<float, 2> o = a;
  const bl::dtensor<double, 2> a64 = bl::cast<double>(numbers(2048, 2048)), b64 = a64;
  bl::dtensor<double, 2> o64 = a64;
  const auto wide = numbers(2000, 3000), half = numbers(1000, 1000);
  bl::dtensor<float, 2> strided = half;
  const bl::dtensor<float, 4> images = bl::ones<float>(16, 256, 256, 3);
  const bl::dtensor<float, 3> mask = bl::ones<float>(256, 256, 1);
  bl::dtensor<float, 4> masked = images;
  const auto rows = numbers(1000, 1000), long_rows = numbers(256, 8192);
  bl::dtensor<float, 2> of_rows = rows, of_long_rows = long_rows;
  const auto small = numbers(64, 256);
  bl::dtensor<float, 2> of_small = small;
  const auto x = numbers(1024, 4096), y = numbers(1024, 4096);
  bl::dtensor<float, 2> xy = x;

  const auto standardised = [](bl::dtensor<float, 2>& to, const bl::dtensor<float, 2>& from) {
    to = (from - bl::mean(from, bl::axes<1>, bl::keepdim)) / bl::sqrt(bl::var(from, bl::axes<1>, bl::keepdim) + 1e-5f);
  };
  const std::vector<size_to_tune> sizes = {
      {"tile_bytes",
       &bl::tuning::tile_bytes,
       around(usual.tile_bytes, {128, 256, 512}),
       {{"a + b.T(), (4096,4096) f32, 1 thread", [&] { bl::assign(o, a + b.T(), bl::seq); }, true},
        {"a + b.T(), (4096,4096) f32", [&] { o = a + b.T(); }},
        {"a + b.T(), (2048,2048) f64, 1 thread", [&] { bl::assign(o64, a64 + b64.T(), bl::seq); }, true}}},
      {"packed_elements",
       &bl::tuning::packed_elements,
       around(usual.packed_elements, {1024, 2048, 4096, 8192}),
       {{"x(::2, ::3) * b, (1000,1000) f32",
         [&] { bl::assign(strided, wide(bl::range(0, 2000, 2), bl::range(0, 3000, 3)) * half, bl::seq); }, true}}},
      {"merged_elements",
       &bl::tuning::merged_elements,
       around(usual.merged_elements, {1024, 2048, 4096, 8192}),
       {{"x * mask, (16,256,256,3) f32", [&] { bl::assign(masked, images * mask, bl::seq); }, true}}},
      {"row_bytes",
       &bl::tuning::row_bytes,
       around(usual.row_bytes, {first / 2, first, 2 * first}),
       {{"standardised rows, (1000,1000) f32", [&] { standardised(of_rows, rows); }},
        {"x - mean(x, 1), (256,8192) f32",
         [&] { of_long_rows = long_rows - bl::mean(long_rows, bl::axes<1>, bl::keepdim); }}}},
      {"block_bytes",
       &bl::tuning::block_bytes,
       around(usual.block_bytes, {second / 8, second / 4, second / 2}),
       {{"standardised rows, (256,8192) f32", [&] { standardised(of_long_rows, long_rows); }}}},
      {"serial_bytes",
       &bl::tuning::serial_bytes,
       around(usual.serial_bytes, {32 * kibibyte, 128 * kibibyte, 512 * kibibyte}),
       {{"x - mean(x, 1), (64,256) f32", [&] { of_small = small - bl::mean(small, bl::axes<1>, bl::keepdim); }}}},
      {"serial_ns",
       &bl::tuning::serial_ns,
       around(usual.serial_ns, {5000, 20000, 80000}),
       {{"exp(x), (64,256) f32", [&] { of_small = bl::exp(small); }}}},
      {"streamed_bytes",
       &bl::tuning::streamed_bytes,
       around(usual.streamed_bytes, {16 * mebibyte, 32 * mebibyte, 48 * mebibyte, 96 * mebibyte}),
       {{"x + y, (1024,4096) f32", [&] { xy = x + y; }}, {"a + b, (4096,4096) f32", [&] { o = a + b; }}}},
  };
  std::printf("Times over the best value's; the value in force comes first. *: loses more than 5 %%.\n");
  std::string wished;
  for (const size_to_tune& s : sizes)
    if (const index value = tuned(s, usual); value != 0)
      wished += (wished.empty() ? "" : ",") + std::string(s.name) + "=" + std::to_string(value);
  if (wished.empty()) {
    std::printf("Every size in force is within 5 %% of its best alternative.\n");
    wished = "# every size is within 5 % of its best alternative";
  }
  std::FILE* const to = count > 1 ? std::fopen(arguments[1], "w") : stdout;
  if (to == nullptr) {
    std::perror(arguments[1]);
    return 1;
  }
  std::fprintf(to, "%s\n", wished.c_str());
  return count > 1 && std::fclose(to) != 0 ? 1 : 0;
}
