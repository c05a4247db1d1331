// std::format, which libc++ has, writes arrays, expressions and shapes as to_string does, by the format string's
// specification.
#include <broadloom/broadloom.hpp>
#include <broadloom/interop/format.hpp>

#include <cstdio>
#include <format>
#include <string>
#include <string_view>

#if !defined(__cpp_lib_format)
#error "a standard library with <format> is wanted"
#endif

namespace bl = broadloom;

namespace {

bool all_right = true;

void same(const std::string& text, std::string_view wanted) {
  if (text == wanted) return;
  all_right = false;
  std::printf("wrong: %s instead of %.*s\n", text.c_str(), static_cast<int>(wanted.size()), wanted.data());
}

// Whether the specification is refused when the program runs.
bool refused(std::string_view format, const bl::dtensor<double, 1>& a) {
  try {
    static_cast<void>(std::vformat(format, std::make_format_args(a)));
  } catch (const std::format_error&) {
    return true;
  }
  return false;
}

}  // namespace

int main() {
  bl::dtensor<double, 2> a{{1, 2.5}, {3.14159, -4}};
  same(std::format("{}", a), bl::to_string(a));
  same(std::format("{}", a.T()), bl::to_string(a.T()));
  same(std::format("<{}>", a * 2), "<" + bl::to_string(a * 2) + ">");
  same(std::format("{}", bl::tensor<int, bl::shape<2>>{1, 2}), "[1 2]");
  same(std::format("{}", bl::sum(a)), bl::to_string(bl::sum(a)));
  same(std::format("{} {:>8}", a.shape(), bl::shape<3>{}), "(2, 2)      (3)");

  const bl::dtensor<double, 1> b{1, 2.5, -3.14159};
  same(std::format("{:8.3f}", b), "[   1.000    2.500   -3.142]");
  same(std::format("{:.2f}", b), "[ 1.00  2.50 -3.14]");
  same(std::format("{:f}", b), "[ 1.000000  2.500000 -3.141590]");
  same(std::format("{:.1e}", b), "[ 1.0e+00  2.5e+00 -3.1e+00]");
  same(std::format("{:.3}", b), "[ 1.     2.5   -3.142]");
  same(std::format("{:.3g}", bl::amin(b)), "-3.142");
  same(std::format("{:5}", bl::dtensor<int, 1>{1, 20}), "[    1    20]");

  for (const std::string_view wrong : {"{:x}", "{:.}", "{:.f}", "{:8.3fx}", "{:-3}", "{:99999999999}", "{:.99999999f}"})
    if (!refused(wrong, b)) same(std::string(wrong) + " was taken", "a format_error");
  std::puts(all_right ? "right" : "wrong");
  return all_right ? 0 : 1;
}
