// std::format where the standard library has it, compiled only: format strings are looked at by the compiler.
#include <broadloom/broadloom.hpp>
#include <broadloom/interop/format.hpp>

#if !defined(__cpp_lib_format)
#error "a standard library with <format> is wanted"
#endif

namespace bl = broadloom;

using matrix = bl::dtensor<double, 2>;

std::string text(const matrix& a, const bl::tensor<int, bl::shape<2>>& fixed) {
  return std::format("{} {:8.3f} {:.2e} {:.3g} {} {:>12}", a, a.T(), a * 2, bl::sum(a), fixed, a.shape());
}

template <class X>
concept formattable = std::is_default_constructible_v<std::formatter<X, char>>;
static_assert(formattable<matrix> && formattable<decltype(std::declval<matrix&>().T())>);
static_assert(formattable<decltype(std::declval<matrix&>() * 2)> && formattable<bl::shape<2, bl::dyn>>);

// The specification, as the compiler reads it.
constexpr bool reads(std::string_view spec, int width, int precision, bl::notation how) {
  bl::format_options options;
  const char* fault = nullptr;
  const auto end = bl::detail::parse_format_spec(spec.begin(), spec.end(), options, fault);
  return fault == nullptr && end == spec.end() && options.width == width && options.precision == precision &&
         options.notation == how;
}
constexpr bool refuses(std::string_view spec) {
  bl::format_options options;
  const char* fault = nullptr;
  bl::detail::parse_format_spec(spec.begin(), spec.end(), options, fault);
  return fault != nullptr;
}
static_assert(reads("", 0, 8, bl::notation::automatic) && reads("12.3f", 12, 3, bl::notation::fixed));
static_assert(reads(".0e", 0, 0, bl::notation::scientific) && reads("f", 0, 6, bl::notation::fixed));
static_assert(refuses("x") && refuses(".") && refuses("1.2ff") && refuses("99999999999"));

#if defined(BROADLOOM_MISTAKE)
std::string wrong(const matrix& a) { return std::format("{:x}", a); }
#endif
