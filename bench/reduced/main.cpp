// usage: broadloom_bench_reduced [f32|f64|i32 [ROWS COLUMNS [PART_OF_A_NAME [ROUNDS]]]]
// Picoseconds an element of Broadloom and of Eigen on one thread, the least of rounds in turns.
#include "rows.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

using namespace bench_reduced;

double nanoseconds(const std::function<void()>& f, int calls) {
  using clock_type = std::chrono::steady_clock;
  const auto begin = clock_type::now();
  for (int i = 0; i < calls; ++i) f();
  return std::chrono::duration<double, std::nano>(clock_type::now() - begin).count() / calls;
}

template <class T>
int compare(const char* type, long rows, long columns, const char* wanted, int rounds) {
  const auto ours = rows_of_broadloom<T>(rows, columns), theirs = rows_of_eigen<T>(rows, columns);
  std::printf("%s (%ld, %ld)%15s Broadloom   Eigen  ratio\n", type, rows, columns, "");
  int over = 0;
  for (std::size_t k = 0; k < ours.size(); ++k) {
    if (ours[k].name.find(wanted) == std::string::npos) continue;
    double a = nanoseconds(ours[k].run, 20), b = nanoseconds(theirs[k].run, 20);
    const int calls = std::max(1, static_cast<int>(30000 / a));
    for (int i = 0; i < rounds; ++i) {
      a = std::min(a, nanoseconds(ours[k].run, calls));
      b = std::min(b, nanoseconds(theirs[k].run, calls));
    }
    const double of_element = 1000.0 / static_cast<double>(rows * columns);
    over += a > 1.1 * b;
    std::printf("%-29s %8.0f %7.0f %6.2f%s\n", ours[k].name.c_str(), a * of_element, b * of_element, a / b,
                a > 1.1 * b ? " *" : "");
  }
  std::printf("%d over 1.1\n", over);
  return 0;
}

}  // namespace

int main(int count, char** words) {
  setenv("BROADLOOM_THREADS", "1", 0);
  const char *const type = count > 1 ? words[1] : "f32", *const wanted = count > 4 ? words[4] : "";
  const long rows = count > 3 ? std::atol(words[2]) : 64, columns = count > 3 ? std::atol(words[3]) : 256;
  const int rounds = count > 5 ? std::atoi(words[5]) : 60;
  if (std::strcmp(type, "f64") == 0) return compare<double>(type, rows, columns, wanted, rounds);
  if (std::strcmp(type, "i32") == 0) return compare<int>(type, rows, columns, wanted, rounds);
  return compare<float>(type, rows, columns, wanted, rounds);
}
