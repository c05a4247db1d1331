// {fmt} formats arrays, expressions and shapes: fmt::print("{:8.3f}\n", a * 2). The specification is that of
// tensor/format_spec.hpp, [width][.precision][g|f|e].
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <broadloom/tensor/format_spec.hpp>

// A range to {fmt}, but not one to be written element by element.
template <class X>
  requires broadloom::detail::formattable_array<X> || broadloom::shape_type<X>
struct fmt::is_range<X, char> : std::false_type {};
// Nor is a shape, which std::tuple_size takes apart, to be written as a tuple.
template <broadloom::shape_type S>
struct fmt::is_tuple_like<S> : std::false_type {};

template <class X>
  requires broadloom::detail::formattable_array<X>
struct fmt::formatter<X, char> {
  constexpr auto parse(fmt::format_parse_context& context) {
    const char* fault = nullptr;
    const auto at = broadloom::detail::parse_format_spec(context.begin(), context.end(), options_, fault);
    if (fault != nullptr) throw fmt::format_error(fault);
    return at;
  }
  auto format(const X& x, fmt::format_context& context) const {
    return fmt::format_to(context.out(), "{}", broadloom::to_string(x, options_));
  }

 private:
  broadloom::format_options options_;
};

template <broadloom::shape_type S>
struct fmt::formatter<S, char> : fmt::formatter<fmt::string_view> {
  auto format(const S& s, fmt::format_context& context) const {
    return fmt::formatter<fmt::string_view>::format(broadloom::to_string(s), context);
  }
};
