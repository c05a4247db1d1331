// Numbers as text: read to the nearest value of their type, and written so that they are read back exactly.
#pragma once

#include <charconv>
#include <clocale>
#include <cstdlib>
#include <limits>
#include <string>
#include <system_error>
#include <type_traits>

#include <locale.h>

namespace broadloom::runtime {

enum class number_state { read, no_number, does_not_fit };

// strtod in the C locale. Used for values out of range, which become infinite or 0, and if the standard library reads
// integers only.
template <class T>
T nearest_number(const char* first, const char* last, const char*& end) {
#if defined(_WIN32)
  static const _locale_t plain = ::_create_locale(LC_ALL, "C");
  const std::string text(first, last);
  char* stop = nullptr;
  const T r = static_cast<T>(::_strtod_l(text.c_str(), &stop, plain));
#else
  static const locale_t plain = ::newlocale(LC_ALL_MASK, "C", nullptr);
  const std::string text(first, last);
  char* stop = nullptr;
  const T r = std::is_same_v<T, float> ? static_cast<T>(::strtof_l(text.c_str(), &stop, plain))
                                       : static_cast<T>(::strtod_l(text.c_str(), &stop, plain));
#endif
  end = first + (stop - text.c_str());
  return r;
}

template <class T>
number_state take_floating(const char*& at, const char* end, T& to) {
#ifdef __cpp_lib_to_chars
  const auto r = std::from_chars(at, end, to);
  if (r.ec == std::errc::invalid_argument) return number_state::no_number;
  if (r.ec == std::errc::result_out_of_range) {
    const char* stop = at;
    to = nearest_number<T>(at, r.ptr, stop);
  }
  at = r.ptr;
#else
  // strtod accepts blanks and hexadecimal numbers too.
  const char* last = at;
  while (last < end &&
         (*last == '+' || *last == '-' || *last == '.' || (*last >= '0' && *last <= '9') ||
          (*last >= 'a' && *last <= 'z' && *last != 'x') || (*last >= 'A' && *last <= 'Z' && *last != 'X')))
    ++last;
  const char* stop = at;
  to = nearest_number<T>(at, last, stop);
  if (stop == at) return number_state::no_number;
  at = stop;
#endif
  return number_state::read;
}

inline bool take_word(const char*& at, const char* end, const char* word) {
  const char* p = at;
  for (; *word != '\0'; ++word, ++p)
    if (p == end || (*p | 32) != *word) return false;
  at = p;
  return true;
}

// Reads a number at `at` and moves behind it. A leading + is accepted; for bool also true and false.
template <class T>
number_state take_number(const char*& at, const char* end, T& to) {
  if (at + 1 < end && *at == '+' && at[1] != '-' && at[1] != '+') ++at;
  if constexpr (std::is_floating_point_v<T>)
    return take_floating(at, end, to);
  else if constexpr (std::is_same_v<T, bool>) {
    to = at < end && (*at == '1' || (*at | 32) == 't');
    if (at < end && (*at == '0' || *at == '1'))
      ++at;
    else if (!take_word(at, end, "true") && !take_word(at, end, "false"))
      return number_state::no_number;
    return number_state::read;
  } else {
    const bool below = std::is_unsigned_v<T> && at < end && *at == '-';
    const auto r = std::from_chars(at + below, end, to);
    if (r.ec == std::errc::invalid_argument) return number_state::no_number;
    at = r.ptr;
    return below || r.ec == std::errc::result_out_of_range ? number_state::does_not_fit : number_state::read;
  }
}

// At most this many characters.
inline constexpr int max_number_length = 32;
template <class T>
char* put_number(char* to, T x) {
  if constexpr (std::is_same_v<T, bool>) {
    *to = x ? '1' : '0';
    return to + 1;
  } else
    return std::to_chars(to, to + max_number_length, x).ptr;
}

}  // namespace broadloom::runtime
