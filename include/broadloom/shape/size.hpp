// Extents that are known at run time only: dyn, and sizes with a name, bl::size<"batch">.
#pragma once

#include <broadloom/core/array.hpp>
#include <broadloom/core/text.hpp>

namespace broadloom {

// Marks an extent that is known at run time only.
inline constexpr index dyn = -1;

namespace detail {

// A name is packed into a number far below dyn, six bits a character, so that it can be an extent in a shape's type
// and be printed again.
inline constexpr index lowest_index = -__PTRDIFF_MAX__ - 1;
inline constexpr int max_name = (8 * static_cast<int>(sizeof(index)) - 2) / 6;

constexpr bool is_named(index e) { return e > lowest_index && e < -(__PTRDIFF_MAX__ / 2); }
constexpr bool is_dyn(index e) { return e == dyn || is_named(e); }

// Characters of names, in the order of their codes from 1 on.
inline constexpr char name_characters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

constexpr index name_code(char c) {
  for (int i = 0; name_characters[i] != '\0'; ++i)
    if (name_characters[i] == c) return i + 1;
  return 0;
}

// The extent with this name; dyn where it is no name: empty, too long, or with other characters in it.
constexpr index packed_name(const char* s, int length) {
  if (length < 1 || length > max_name) return dyn;
  index r = 0;
  for (int i = length; i-- > 0;) {
    const index code = name_code(s[i]);
    if (code == 0) return dyn;
    r = r * 64 + code;
  }
  return lowest_index + r;
}

struct name_text {
  char c[max_name + 1] = {};
};
constexpr name_text unpacked_name(index e) {
  name_text r;
  index rest = e - lowest_index;
  for (int i = 0; rest != 0 && i < max_name; ++i, rest /= 64) r.c[i] = name_characters[rest % 64 - 1];
  return r;
}

// An extent as a message has it: a number, a name, or ? for dyn.
struct extent_text {
  index e;
  friend constexpr sentence& operator<<(sentence& s, extent_text x) {
    if (is_named(x.e)) return s << unpacked_name(x.e).c;
    return x.e == dyn ? s << "?" : s << x.e;
  }
};

template <text Name>
consteval index named_size() {
  constexpr index e = packed_name(Name.c, sizeof(Name.c) - 1);
  static_assert(is_named(e), "a size's name has 1 to 10 letters, digits or _ [errors.md#size-name]");
  return e;
}

// Whether two extents may be the same as far as the compiler knows. A name is the same as itself alone.
constexpr bool may_equal(index a, index b) {
  return a == b || (!is_named(a) && !is_named(b) && (a == dyn || b == dyn));
}

// What is known of two extents that must be the same; those may be (may_equal).
constexpr index equal_extent(index a, index b) { return a == dyn ? b : a; }

// Whether an extent may be what an output has there. An output without a name takes any size.
constexpr bool may_become(index given, index wanted) {
  return given == wanted || wanted == dyn || (given == dyn && !is_named(wanted));
}

}  // namespace detail

// A size that is known at run time and has a name: shape<size<"batch">, 3>{n}. Sizes of one name are the same wherever
// they meet in an expression, which is checked once, when it is built. Sizes of different names do not meet: that does
// not compile. A name has 1 to 10 letters, digits or _.
template <detail::text Name>
inline constexpr index size = detail::named_size<Name>();

}  // namespace broadloom
