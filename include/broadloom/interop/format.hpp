// std::format formats arrays, expressions and shapes where the standard library has it: std::format("{:8.3f}", a * 2).
// The specification is that of tensor/format_spec.hpp, [width][.precision][g|f|e].
#pragma once

#include <version>

#include <broadloom/tensor/format_spec.hpp>

#if defined(__cpp_lib_format)

#include <format>

// A range to the standard library, but not one to be written element by element.
#if defined(__cpp_lib_format_ranges)
template <class X>
  requires broadloom::detail::formattable_array<X> || broadloom::shape_type<X>
inline constexpr std::range_format std::format_kind<X> = std::range_format::disabled;
#endif

template <class X>
  requires broadloom::detail::formattable_array<X>
struct std::formatter<X, char> {
  constexpr auto parse(std::format_parse_context& context) {
    const char* fault = nullptr;
    const auto at = broadloom::detail::parse_format_spec(context.begin(), context.end(), options_, fault);
    if (fault != nullptr) throw std::format_error(fault);
    return at;
  }
  template <class Context>
  auto format(const X& x, Context& context) const {
    return std::format_to(context.out(), "{}", broadloom::to_string(x, options_));
  }

 private:
  broadloom::format_options options_;
};

template <broadloom::shape_type S>
struct std::formatter<S, char> : std::formatter<std::string_view, char> {
  template <class Context>
  auto format(const S& s, Context& context) const {
    return std::formatter<std::string_view, char>::format(broadloom::to_string(s), context);
  }
};

#endif
