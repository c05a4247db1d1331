// NumPy, numexpr and numba: a Python process solves the cases (python.py) over memory that both processes map, so what
// is timed is a call there and a message of a few microseconds each way.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>

#include "../contender.hpp"

namespace {

using bench::job;
using bench::problem;

class interpreter {
 public:
  explicit interpreter(const char* script) {
    int to[2], from[2];
    if (pipe(to) != 0 || pipe(from) != 0) return;
    child_ = fork();
    if (child_ == 0) {
      dup2(to[0], 0);
      dup2(from[1], 1);
      for (int f : {to[0], to[1], from[0], from[1]}) close(f);
      const char* const python = std::getenv("BROADLOOM_PYTHON") ? std::getenv("BROADLOOM_PYTHON") : "/usr/bin/python3";
      execlp(python, python, script, static_cast<char*>(nullptr));
      _exit(127);
    }
    close(to[0]);
    close(from[1]);
    in_ = fdopen(to[1], "w");
    out_ = fdopen(from[0], "r");
    hello_ = answer();
  }
  ~interpreter() {
    if (in_) std::fclose(in_);
    if (out_) std::fclose(out_);
    if (child_ > 0) waitpid(child_, nullptr, 0);
  }
  const std::string& hello() const { return hello_; }  // versions; empty where there is no NumPy
  std::string ask(const std::string& line) {
    std::fputs(line.c_str(), in_);
    std::fputc('\n', in_);
    std::fflush(in_);
    return answer();
  }

 private:
  std::string answer() {
    char text[256];
    if (!std::fgets(text, sizeof text, out_)) return "";
    text[std::strcspn(text, "\n")] = 0;
    return text;
  }
  pid_t child_ = -1;
  std::FILE *in_ = nullptr, *out_ = nullptr;
  std::string hello_;
};

// Memory of a case that the other process maps too.
class shared_memory {
 public:
  explicit shared_memory(std::size_t bytes) : bytes_(bytes), file_(memfd_create("bench", 0)) {
    if (file_ < 0 || ftruncate(file_, off_t(bytes)) != 0) throw std::bad_alloc();
    data_ = static_cast<char*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0));
    if (data_ == MAP_FAILED) throw std::bad_alloc();
  }
  ~shared_memory() {
    munmap(data_, bytes_);
    close(file_);
  }
  char* data() const { return data_; }
  std::string path() const { return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file_); }

 private:
  std::size_t bytes_;
  int file_;
  char* data_ = nullptr;
};

std::string array_text(const bench::shape& s, std::size_t offset, const char* type) {
  std::ostringstream text;
  for (std::size_t i = 0; i < s.size(); ++i) text << (i ? "," : "") << s[i];
  text << ":" << offset << ":" << type;
  return text.str();
}

struct element {
  const char* type;  // as NumPy writes it
  std::size_t bytes;
};
constexpr element f32{"f4", 4}, f64{"f8", 8}, i32{"i4", 4}, i64{"i8", 8}, u8{"u1", 1};

// Of operand k, or of the output where k is their number.
element element_of(const problem& p, std::size_t k) {
  const bool output = k == p.shapes.size();
  if (p.name == "chain_f64") return f64;
  if (p.name == "int_add_compare") return output ? u8 : i32;
  if (p.name == "mixed_channels" || p.name == "mixed_flat") return k == 1 ? f32 : u8;
  if (p.name == "argmax_rows") return output ? i64 : f32;
  return f32;
}

job solve(const std::shared_ptr<interpreter>& python, const char* library, const problem& p) {
  const auto rounded = [](std::size_t n) { return (n + 4095) / 4096 * 4096; };
  std::size_t bytes = rounded(p.output_bytes);
  for (std::size_t k = 0; k < p.shapes.size(); ++k)
    bytes += rounded(std::size_t(bench::count(p.shapes[k])) * element_of(p, k).bytes);
  const auto memory = std::make_shared<shared_memory>(bytes);
  std::string line =
      std::string("make ") + library + " " + p.name + " " + std::to_string(p.threads) + " " + memory->path();
  std::size_t at = 0;
  for (std::size_t k = 0; k < p.shapes.size(); ++k) {
    const element e = element_of(p, k);
    const std::size_t n = std::size_t(bench::count(p.shapes[k])) * e.bytes;
    std::memcpy(memory->data() + at, p.operands[k], n);
    line += " " + array_text(p.shapes[k], at, e.type);
    at += rounded(n);
  }
  line += " " + array_text(p.output_shape, at, element_of(p, p.shapes.size()).type);
  const std::string id = python->ask(line);
  if (id.empty() || id == "-1") return {};
  job j;
  j.threads = std::strcmp(library, "numpy") == 0 ? 1 : p.threads;
  j.settle_ms = std::strcmp(library, "numba") == 0 && p.threads > 1 ? 8 : 0;
  j.output = memory->data() + at;
  j.calls = [python, memory, id](long n) {
    if (python->ask("run " + id + " " + std::to_string(n)) != "done") throw std::runtime_error("Python has gone");
  };
  return j;
}

}  // namespace

void broadloom_bench_register(bench::registry& r) {
  const auto python = std::make_shared<interpreter>(BENCH_SCRIPT);
  std::istringstream versions(python->hello());
  std::string numpy, numexpr, numba;
  if (!(versions >> numpy >> numexpr >> numba)) return;
  // What a library has no functions for is left out by the script.
  const char* const long_arrays[] = {"add_big",         "addcmul_bcast", "chain_f32",      "chain_f64", "outer",
                                     "batchnorm",       "transpose_add", "black_scholes",  "strided",   "where_clamp",
                                     "int_add_compare", "hoist",         "mixed_channels", "mixed_flat"};
  const char* const reductions[] = {"softmax_rows", "layer_norm",           "normalize", "row_sums",    "column_sums",
                                    "full_sum",     "square_distance_rows", "pairwise",  "argmax_rows", "cumsum_rows"};
  const auto enter = [&](const char* library, const std::string& version, const char* remark) {
    if (version == "-") return;
    r.contender(library, library + (" " + version) + remark + ", a process of its own", "");
    const auto make = [python, library](const problem& p) { return solve(python, library, p); };
    for (const char* name : long_arrays) r.solves(name, make);
    for (const char* name : reductions) r.solves(name, make);
  };
  enter("numpy", numpy, ", out= forms");
  enter("numexpr", numexpr, "");
  enter("numba", numba, ", loops with prange");
}
