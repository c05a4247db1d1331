// Numbers as text, in the place of lib/base/text_numbers.hpp: what printing reads of it.
#pragma once

#include <charconv>
#include <cstdlib>

namespace broadloom::runtime {

// Of text that another standard library than GCC's reads in the locale of the program.
template <class T>
T nearest_number(const char* first, const char* last, const char*& end) {
#ifdef __cpp_lib_to_chars
  T r{};
  end = std::from_chars(first, last, r).ptr;
  return r;
#else
  const std::string text(first, last);
  char* stop = nullptr;
  const T r = static_cast<T>(std::strtod(text.c_str(), &stop));
  end = first + (stop - text.c_str());
  return r;
#endif
}

}  // namespace broadloom::runtime
