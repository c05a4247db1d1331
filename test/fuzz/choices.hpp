// The choices of a random case, recorded and replayed, and the elements of its arrays; fuzz.hpp says how they are used.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace fuzz {

template <class... Part>
std::string text(const Part&... parts) {
  std::ostringstream out;
  out.precision(17);
  static_cast<void>((out << ... << parts));
  return out.str();
}

// Says that the property does not hold.
struct failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// Says that the choices make no case.
struct discarded {};

template <class... Part>
void require(bool holds, const Part&... parts) {
  if (!holds) throw failure(text(parts...));
}
[[noreturn]] inline void discard() { throw discarded{}; }

// SplitMix64: the sequence of a seed.
class random {
 public:
  explicit random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // Of 0 .. n-1.
  std::uint64_t below(std::uint64_t n) { return n < 2 ? 0 : next() % n; }

 private:
  std::uint64_t state_;
};

// The elements of arrays: many numbers that cost one choice. Seed 0 gives zeros of small() and ones of others.
class values {
 public:
  explicit values(std::uint64_t seed) : plain_(seed == 0), random_(seed) {}

  // Integers of -8 .. 8 (0 .. 8 where unsigned, false and true): sums and products of some of them are exact.
  template <class T>
  T small() {
    if (plain_) return T(0);
    if constexpr (std::is_same_v<T, bool>)
      return random_.below(2) != 0;
    else if constexpr (std::is_unsigned_v<T>)
      return static_cast<T>(random_.below(9));
    else
      return static_cast<T>(static_cast<int>(random_.below(17)) - 8);
  }
  // In [low, high), with all the bits of a double.
  double between(double low, double high) {
    if (plain_) return low <= 1 && 1 < high ? 1 : low;
    return low + (high - low) * (static_cast<double>(random_.next() >> 11) * 0x1p-53);
  }
  // Any bits of an integer; of a floating type mostly ordinary numbers of all scales, and zeros of both signs,
  // infinities, NaN, the smallest and the largest.
  template <class T>
  T any() {
    if (plain_) return T(1);
    if constexpr (std::is_same_v<T, bool>) {
      return random_.below(2) != 0;
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(random_.next());
    } else {
      using limits = std::numeric_limits<T>;
      const T special[] = {T(0),
                           -T(0),
                           limits::infinity(),
                           -limits::infinity(),
                           limits::quiet_NaN(),
                           limits::max(),
                           limits::min(),
                           limits::lowest(),
                           limits::denorm_min(),
                           T(1),
                           limits::epsilon()};
      if (random_.below(8) == 0) return special[random_.below(std::size(special))];
      const int scale = random_.below(4) == 0
                            ? static_cast<int>(random_.below(2 * limits::max_exponent - 4)) - limits::max_exponent + 2
                            : static_cast<int>(random_.below(9)) - 4;
      const double part = 1 + static_cast<double>(random_.next() >> 11) * 0x1p-53;
      const T x = static_cast<T>(__builtin_ldexp(part, scale));
      return random_.below(2) != 0 ? -x : x;
    }
  }
  random& bits() { return random_; }

 private:
  bool plain_;
  random random_;
};

// The choices of one case: drawn at random and recorded, or replayed.
class choices {
 public:
  explicit choices(std::uint64_t seed) : random_(seed) {}
  choices(std::vector<std::uint64_t> replayed, bool noting)
      : random_(0), recorded_(std::move(replayed)), replaying_(true), noting_(noting) {}

  // Of 0 .. n-1; n is at least 1.
  std::uint64_t below(std::uint64_t n) {
    std::uint64_t drawn = 0;
    if (!replaying_) {
      drawn = random_.below(n);
      recorded_.push_back(drawn);
    } else if (next_ < recorded_.size()) {
      drawn = recorded_[next_] = std::min(recorded_[next_], n - 1);
    }
    ++next_;
    return drawn;
  }
  // Of low .. high, both included; low is the simplest.
  template <class T = std::ptrdiff_t>
  T between(T low, T high) {
    return static_cast<T>(low + static_cast<T>(below(static_cast<std::uint64_t>(high - low) + 1)));
  }
  // True once in n.
  bool chance(std::uint64_t n) { return below(n) == n - 1; }
  // One of a list; the first is the simplest.
  template <class T, std::size_t N>
  const T& one_of(const T (&list)[N]) {
    return list[below(N)];
  }
  template <class List>
  decltype(auto) one_of(const List& list) {
    return list[below(list.size())];
  }
  // An extent up to `largest`; 1 and 0 come often, large ones seldom.
  std::ptrdiff_t extent(std::ptrdiff_t largest) {
    switch (below(8)) {
      case 0: return std::min<std::ptrdiff_t>(1, largest);
      case 7: return 0;
      case 6: return between<std::ptrdiff_t>(0, largest);
      default: return between<std::ptrdiff_t>(0, std::min<std::ptrdiff_t>(largest, 5));
    }
  }
  fuzz::values values() { return fuzz::values(below(std::uint64_t{1} << 32)); }

  // Kept for the report; costs nothing while cases are only tried.
  template <class... Part>
  void note(const Part&... parts) {
    if (noting_) notes_ += "  " + text(parts...) + "\n";
  }
  bool noting() const { return noting_; }

  const std::string& notes() const { return notes_; }
  // What was drawn; of a replay what it used.
  std::vector<std::uint64_t> drawn() const {
    return {recorded_.begin(), recorded_.begin() + static_cast<std::ptrdiff_t>(std::min(next_, recorded_.size()))};
  }

 private:
  random random_;
  std::vector<std::uint64_t> recorded_;
  std::size_t next_ = 0;
  bool replaying_ = false;
  bool noting_ = false;
  std::string notes_;
};

}  // namespace fuzz
