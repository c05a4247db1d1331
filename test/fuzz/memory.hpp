// Memory that is written to, and the model of it: a copy that plain loops write to. All of the memory is compared, so
// that nothing outside of a destination changes, and nothing at all where a call throws.
#pragma once

#include <broadloom/broadloom.hpp>

#include <cstring>
#include <functional>
#include <memory>
#include <new>

#include "fuzz.hpp"

namespace fuzz {

using index = broadloom::index;
using extents = std::vector<index>;

// Sums and products of integers wrap around.
template <class T>
T wrapped_sum(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a + b;
  else
    return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
template <class T>
T wrapped_product(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a * b;
  else
    return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

// How many calls that write have been compared.
inline std::uint64_t compared = 0;

// Elements of an array in memory: of each index, the offset plus index times stride.
struct region {
  index offset = 0;
  extents e, s;

  index rank() const { return static_cast<index>(e.size()); }
  index size() const {
    index n = 1;
    for (index x : e) n *= x;
    return n;
  }
  index at(const extents& i) const {
    index o = offset;
    for (std::size_t a = 0; a < e.size(); ++a) o += i[a] * s[a];
    return o;
  }
  // Broadcast: the index of a larger array.
  index at_broadcast(const extents& i) const {
    index o = offset;
    const std::size_t missing = i.size() - e.size();
    for (std::size_t a = 0; a < e.size(); ++a)
      if (e[a] != 1) o += i[missing + a] * s[a];
    return o;
  }
  bool row_major() const {
    index n = 1;
    for (std::size_t a = e.size(); a-- > 0;) {
      if (e[a] != 1 && s[a] != n) return false;
      n *= e[a];
    }
    return true;
  }
};

inline std::string shown(const extents& x) {
  std::string all = "(";
  for (index n : x) all += (all.size() > 1 ? ", " : "") + std::to_string(n);
  return all + ")";
}
inline std::string shown(const region& r) {
  return shown(r.e) + " strides " + shown(r.s) + " from " + std::to_string(r.offset);
}

// Every index of that shape in row-major order.
template <class F>
void each(const extents& e, F f) {
  for (index x : e)
    if (x == 0) return;
  extents i(e.size(), 0);
  for (;;) {
    f(i);
    std::size_t a = e.size();
    while (a > 0 && ++i[a - 1] == e[a - 1]) i[--a] = 0;
    if (a == 0) return;
  }
}

inline extents draw_extents(choices& c, int rank, index largest) {
  extents e;
  for (int a = 0; a < rank; ++a) e.push_back(c.extent(largest));
  return e;
}

// Strides for these extents in memory of n elements, row-major at first: any order of axes, gaps, either direction.
// Where elements may be shared, also strides of 0 and windows that overlap.
inline region draw_region(choices& c, const extents& e, index n, bool may_share) {
  region r{0, e, extents(e.size(), 0)};
  const std::size_t rank = e.size();
  std::vector<std::size_t> order;  // from the innermost
  for (std::size_t a = rank; a-- > 0;) order.push_back(a);
  const bool plain = !c.chance(2);
  if (!plain)
    for (std::size_t k = rank; k > 1; --k) std::swap(order[k - 1], order[k - 1 - c.below(k)]);
  const auto lay = [&](bool gaps) {
    index step = 1;
    for (std::size_t a : order) {
      if (gaps) step *= 1 + static_cast<index>(c.below(3));
      r.s[a] = step;
      step *= std::max<index>(e[a], 1);
    }
  };
  const auto span = [&] {
    index x = 1;
    for (std::size_t a = 0; a < rank; ++a) x += std::max<index>(e[a] - 1, 0) * std::abs(r.s[a]);
    return x;
  };
  lay(!plain && c.chance(2));
  if (span() > n) lay(false);
  if (may_share && !plain)
    for (std::size_t a = 0; a < rank; ++a) switch (c.below(6)) {
        case 4: r.s[a] = 1; break;
        case 5: r.s[a] = 0; break;
        default: break;
      }
  if (span() > n) discard();
  index low = 0;
  if (!plain)
    for (std::size_t a = 0; a < rank; ++a)
      if (c.chance(4)) {
        r.s[a] = -r.s[a];
        low += std::max<index>(e[a] - 1, 0) * -r.s[a];
      }
  r.offset = low + c.between<index>(0, n - span());
  return r;
}

// Extents that broadcast to these, with at most `rank` axes; now and then ones that do not.
inline extents draw_broadcast(choices& c, const extents& to, int rank) {
  extents e(to.end() - rank, to.end());
  for (index& x : e) switch (c.below(10)) {
      case 8: x = 1; break;
      case 9:
        if (c.chance(8)) x = c.extent(4);
        break;
      default: break;
    }
  return e;
}
inline bool broadcasts_to(const extents& from, const extents& to) {
  if (from.size() > to.size()) return false;
  for (std::size_t k = 1; k <= from.size(); ++k) {
    const index x = from[from.size() - k];
    if (x != 1 && x != to[to.size() - k]) return false;
  }
  return true;
}

template <int R>
broadloom::dshape<R> shape_of(const extents& e) {
  broadloom::detail::indices<R> x{};
  for (int a = 0; a < R; ++a) x[a] = e[static_cast<std::size_t>(a)];
  return broadloom::dshape<R>::unchecked(x);
}

// Memory of so many elements, what it was before, and what the model has made of it. Some elements lie before and
// behind what regions may take.
template <class T>
class memory {
 public:
  static constexpr index margin = 16;

  memory(choices& c, index n) : n_(n), now_(new T[static_cast<std::size_t>(n + 2 * margin)]) {
    auto v = c.values();
    for (index i = 0; i < n + 2 * margin; ++i) now_.get()[i] = v.small<T>();
    accept();
  }
  index size() const { return n_; }
  T* data() { return now_.get() + margin; }
  template <int R>
  broadloom::view<T, broadloom::dshape<R>> view(const region& r) {
    broadloom::dyn_strides<R> s{};
    for (int a = 0; a < R; ++a) s.s[a] = r.s[static_cast<std::size_t>(a)];
    return {data() + r.offset, shape_of<R>(r.e), s};
  }
  template <int R>
  broadloom::view<const T, broadloom::dshape<R>> reading(const region& r) {
    return view<R>(r);
  }
  template <int R>
  broadloom::view<T, broadloom::dshape<R>, broadloom::row_major> row_major(const region& r) {
    return {data() + r.offset, shape_of<R>(r.e), {}};
  }
  // An element as it was before the call.
  T before(index i) const { return before_[static_cast<std::size_t>(i + margin)]; }
  // An element of the model.
  typename std::vector<T>::reference model(index i) { return model_[static_cast<std::size_t>(i + margin)]; }
  void set(index i, T x) {
    data()[i] = x;
    accept();
  }
  // The model keeps what it has been given, or nothing.
  void undo() { std::copy(before_.begin(), before_.end(), model_.begin()); }
  void accept() {
    before_.assign(now_.get(), now_.get() + n_ + 2 * margin);
    model_ = before_;
  }
  void compare(const char* what) {
    if constexpr (!std::is_same_v<T, bool>)
      if (std::memcmp(now_.get(), model_.data(), model_.size() * sizeof(T)) == 0) return;
    for (index i = 0; i < n_ + 2 * margin; ++i) {
      const T &got = now_.get()[i], &wanted = model_[static_cast<std::size_t>(i)];
      if (got == wanted) continue;  // no NaN here
      throw failure(text(what, ": element ", i - margin, " is ", +got, ", not ", +wanted, "; before it was ",
                         +before_[static_cast<std::size_t>(i)]));
    }
  }
  // The next call begins with small numbers again.
  void settle(choices& c) {
    bool large = false;
    for (index i = 0; i < n_ + 2 * margin; ++i)
      large = large || static_cast<double>(now_.get()[i]) > 64 || static_cast<double>(now_.get()[i]) < -64;
    if (large) {
      auto v = c.values();
      for (index i = 0; i < n_ + 2 * margin; ++i) now_.get()[i] = v.small<T>();
    }
    accept();
  }
  std::string list() const {
    std::string all;
    for (T x : before_) all += (all.empty() ? "" : " ") + text(+x);
    return all;
  }

 private:
  index n_;
  std::unique_ptr<T[]> now_;
  std::vector<T> before_, model_;
};

// What a call may do: write all, or throw one of the library's errors and write nothing.
enum class outcome { writes, shape_error, index_error };
inline const char* name_of(outcome o) {
  return o == outcome::writes ? "written" : o == outcome::shape_error ? "shape_error" : "index_error";
}

// Makes the call, and compares what came of it and all of the memory with the model.
template <class Call, class... T>
void compare(const char* what, outcome wanted, const Call& call, memory<T>&... all) {
  ++compared;
  outcome got = outcome::writes;
  std::string said;
  try {
    call();
  } catch (const broadloom::shape_error& e) {
    got = outcome::shape_error;
    said = e.what();
  } catch (const broadloom::index_error& e) {
    got = outcome::index_error;
    said = e.what();
  }
  require(got == wanted, what, ": ", name_of(got), " ", said, " where the model says ", name_of(wanted));
  if (wanted != outcome::writes) (all.undo(), ...);
  (all.compare(what), ...);
}

}  // namespace fuzz
