// The laws of the catalogue, type-erased: every function of one element type as a program with operands of any
// geometry, and the same function one element at a time as what it must equal.
#pragma once

#include <complex>

#include <broadloom/broadloom.hpp>
#include <broadloom/core/isa.hpp>
#include <broadloom/eval/scheduler.hpp>

#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "where_true.hpp"

namespace law {

namespace bl = broadloom;
namespace rt = broadloom::runtime;
using bl::index;

inline constexpr int rank = 5;  // of every evaluation; fewer axes are seen with axes of extent 1 between them

// Where an array lies: its first element, and strides in elements.
struct array {
  void* data;
  const index* strides;
};

// A function of the catalogue for one element type.
struct function {
  const char* name;
  int arity;
  bl::dtype in, out;
  int in_size, out_size;
  bool is_strip;  // transcendental: the bits may depend on whether the level has FMA
  // e(0) of the function's tree over arrays of one element
  void (*element)(const void* const* in, void* out);
  // assign(out, tree, policy); the output is the last array
  void (*strided)(const index* extents, const array* arrays, bl::policy);
  // the same over contiguous arrays of rank 1
  void (*contiguous)(index n, const array* arrays, bl::policy);
};

inline int size_of(bl::dtype t) {
  constexpr int sizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 8, 16};
  return sizes[static_cast<int>(t)];
}

template <class T, int>
using row = bl::view<T, bl::dshape<1>, bl::row_major>;
template <class T, int>
using box = bl::view<T, bl::dshape<rank>>;

template <class T, int I>
row<T, I> make_row(index n, const array& a) {
  return {static_cast<T*>(a.data), bl::dshape<1>(n)};
}
template <class T, int I>
box<T, I> make_box(const index* e, const array& a) {
  bl::dyn_strides<rank> strides;
  for (int i = 0; i < rank; ++i) strides.s[i] = a.strides[i];
  return {static_cast<T*>(a.data), bl::dshape<rank>(e[0], e[1], e[2], e[3], e[4]), strides};
}

// Adds the function unless it is not defined for T (bool - bool).
template <class T, class F, int... I>
void add_function(std::vector<function>& list, const char* name, const F& f, std::integer_sequence<int, I...>) {
  if constexpr (requires(const row<const T, 0>& x) { f((static_cast<void>(I), x)...); }) {
    using tree = decltype(f(std::declval<const row<const T, I>&>()...));
    using result = typename tree::value_type;
    constexpr int arity = sizeof...(I);
    list.push_back(
        {name, arity, bl::dtype_of<T>, bl::dtype_of<result>, sizeof(T), sizeof(result), tree::function_type::is_strip,
         [](const void* const* in, void* out) {
           const result r = F{}(row<const T, I>(static_cast<const T*>(in[I]), bl::dshape<1>(1))...)(0);
           std::memcpy(out, &r, sizeof r);
         },
         [](const index* extents, const array* arrays, bl::policy p) {
           bl::assign(make_box<result, 0>(extents, arrays[arity]), F{}(make_box<const T, I>(extents, arrays[I])...), p);
         },
         [](index n, const array* arrays, bl::policy p) {
           bl::assign(make_row<result, 0>(n, arrays[arity]), F{}(make_row<const T, I>(n, arrays[I])...), p);
         }});
  }
}

// Every line of the catalogue, and `where`, the one function beside it that is not a tree of others.
template <class T>
std::vector<function> catalogue() {
  std::vector<function> list;
  using one = std::integer_sequence<int, 0>;
  using two = std::integer_sequence<int, 0, 1>;
  using three = std::integer_sequence<int, 0, 1, 2>;
#define BROADLOOM_UNARY(NAME, ...) add_function<T>(list, #NAME, bl::NAME, one{});
#define BROADLOOM_BINARY(NAME, ...) add_function<T>(list, #NAME, bl::NAME, two{});
#define BROADLOOM_BINARY_OPERATOR(NAME, ...) add_function<T>(list, #NAME, bl::NAME, two{});
#define BROADLOOM_COMPARISON(NAME, ...) add_function<T>(list, #NAME, bl::NAME, two{});
#define BROADLOOM_TERNARY(NAME, ...) add_function<T>(list, #NAME, bl::NAME, three{});
#define BROADLOOM_STRIP1(NAME, ...) add_function<T>(list, #NAME, bl::NAME, one{});
#define BROADLOOM_STRIP2(NAME, ...) add_function<T>(list, #NAME, bl::NAME, two{});
#include <broadloom/fn/catalogue.def>
#include <broadloom/fn/undefine.hpp>
  add_function<T>(list, "where", where_true{}, three{});
  return list;
}

// --- geometry
// ---------------------------------------------------------------------------------------------------------

enum layout : int {
  contiguous,
  padded_rows,
  transposed,
  rotated,
  stepped,
  flipped,
  flipped_outside,  // an output may have these
  column_broadcast,
  row_broadcast,
  odd_axes_fixed,
  all_fixed,
  layout_count
};
inline constexpr int writable_layouts = column_broadcast;

// Strides and the first element's place in a buffer of `room` elements.
struct placed {
  std::vector<index> strides;
  index first = 0, room = 1;
};

inline placed place(const std::vector<index>& extents, int how) {
  const int axes = static_cast<int>(extents.size());
  placed p{std::vector<index>(extents.size()), 0, 1};
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  std::vector<int> order;  // axes from the fastest to the slowest
  for (int i = 0; i < axes; ++i) order.push_back(how == transposed ? i : axes - 1 - i);
  if (how == rotated && axes > 1) {
    order.insert(order.begin(), order.back());
    order.pop_back();
  }
  for (int k = 0; k < axes; ++k) {
    const int i = order[at(k)];
    const bool fixed = how == all_fixed || (how == column_broadcast && i == axes - 1) ||
                       (how == row_broadcast && i == 0) || (how == odd_axes_fixed && i % 2 == 1);
    if (fixed) continue;
    index step = 1, extent = extents[at(i)];
    if (how == stepped) step = 2;
    p.strides[at(i)] = p.room * step;
    p.room *= (extent > 0 ? extent : 1) * step;
    if (how == padded_rows && k == 0) p.room += 5;
  }
  for (int i = 0; i < axes; ++i)
    if (how == flipped || (how == flipped_outside && i % 2 == 0 && (i != axes - 1 || axes == 1))) {
      if (extents[at(i)] > 0) p.first += (extents[at(i)] - 1) * p.strides[at(i)];
      p.strides[at(i)] = -p.strides[at(i)];
    }
  return p;
}

inline index count(const std::vector<index>& extents) {
  index n = 1;
  for (const index e : extents) n *= e;
  return n;
}

// Calls f with the row-major number of each element and its offset in every array.
template <class F>
void for_each(const std::vector<index>& extents, const std::vector<placed>& arrays, const F& f) {
  std::vector<index> at(extents.size());
  std::vector<index> offsets(arrays.size());
  const index n = count(extents);
  for (index k = 0; k < n; ++k) {
    for (std::size_t a = 0; a < arrays.size(); ++a) {
      offsets[a] = arrays[a].first;
      for (std::size_t i = 0; i < extents.size(); ++i) offsets[a] += at[i] * arrays[a].strides[i];
    }
    f(k, offsets);
    for (std::size_t i = extents.size(); i-- > 0;) {
      if (++at[i] < extents[i]) break;
      at[i] = 0;
    }
  }
}

// --- values
// -----------------------------------------------------------------------------------------------------------

// A small generator, so that a failure repeats itself.
struct noise {
  std::uint64_t state;
  std::uint64_t operator()() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state ^ (state >> 33)) * 0xff51afd7ed558ccdu >> 7;
  }
};

template <class T>
T value(noise& r) {
  const std::uint64_t x = r();
  if constexpr (std::is_same_v<T, bool>) {
    return (x >> 20) % 2 != 0;
  } else if constexpr (bl::detail::is_complex_type<T>) {
    const auto re = value<bl::detail::real_of<T>>(r), im = value<bl::detail::real_of<T>>(r);
    return T(re, im);
  } else if constexpr (std::is_floating_point_v<T>) {
    using limits = std::numeric_limits<T>;
    constexpr T special[] = {T(0),
                             -T(0),
                             T(1),
                             T(-1),
                             T(0.5),
                             T(-0.5),
                             T(2),
                             limits::infinity(),
                             -limits::infinity(),
                             limits::quiet_NaN(),
                             limits::denorm_min(),
                             -limits::min(),
                             limits::max(),
                             limits::lowest(),
                             T(1e-30),
                             T(100),
                             T(-745.25)};
    if (x % 8 == 0) return special[(x >> 8) % (sizeof special / sizeof *special)];
    const T unit = static_cast<T>(static_cast<double>(x >> 4 & 0xfffffffffffff) / 4503599627370496.0);
    return (x % 8 < 6 ? T(8) : T(3e4)) * (unit - T(0.5));
  } else {
    using limits = std::numeric_limits<T>;
    constexpr T special[] = {T(0), T(1), T(-1), T(2), T(3), limits::min(), limits::max(), T(limits::max() - 1)};
    if (x % 8 == 0) return special[(x >> 8) % (sizeof special / sizeof *special)];
    return static_cast<T>(x % 8 < 4 ? (x >> 8) % 17 : x >> 6);
  }
}

// NaNs equal NaNs; everything else is equal bit for bit.
inline bool same(bl::dtype t, const void* a, const void* b) {
  if (std::memcmp(a, b, static_cast<std::size_t>(size_of(t))) == 0) return true;
  if (bl::is_complex(t)) {
    const auto part = t == bl::dtype::c64 ? bl::dtype::f32 : bl::dtype::f64;
    const int half = size_of(part);
    return same(part, a, b) && same(part, static_cast<const char*>(a) + half, static_cast<const char*>(b) + half);
  }
  const auto nan = [t](const void* p) {
    if (t == bl::dtype::f32) {
      float x;
      std::memcpy(&x, p, sizeof x);
      return x != x;
    }
    if (t == bl::dtype::f64) {
      double x;
      std::memcpy(&x, p, sizeof x);
      return x != x;
    }
    return false;
  };
  return nan(a) && nan(b);
}

// Memory for elements whose first one lies `shift` bytes after a multiple of 64.
class bytes {
 public:
  bytes(index size, index shift) : memory_(static_cast<std::size_t>(size + shift + 128)), size_(size) {
    const auto start = reinterpret_cast<std::uintptr_t>(memory_.data());
    data_ = memory_.data() + ((64 - start % 64) % 64) + static_cast<std::size_t>(shift);
  }
  bytes(bytes&&) = default;
  bytes& operator=(bytes&&) = default;
  unsigned char* data() const { return data_; }
  index size() const { return size_; }
  const std::vector<unsigned char>& all() const { return memory_; }
  // Where the first element is in all().
  std::size_t start() const { return static_cast<std::size_t>(data_ - memory_.data()); }
  void fill(unsigned char x) { std::memset(memory_.data(), x, memory_.size()); }
  // What lies around the elements and between them still is x.
  template <class Inside>
  bool untouched(unsigned char x, const Inside& inside) const {
    for (std::size_t i = 0; i < memory_.size(); ++i)
      if (memory_[i] != x && !inside(static_cast<index>(memory_.data() + i - data_))) return false;
    return true;
  }

 private:
  std::vector<unsigned char> memory_;
  unsigned char* data_;
  index size_;
};

template <class T>
bytes values(index n, index shift, noise& r) {
  bytes b(n * index(sizeof(T)), shift);
  for (index i = 0; i < n; ++i) {
    const T x = value<T>(r);
    std::memcpy(b.data() + i * index(sizeof(T)), &x, sizeof x);
  }
  return b;
}

// --- one experiment: a function, extents, a layout for every array
// ----------------------------------------------------

template <class T>
class experiment {
 public:
  // The last layout is the output's. Shifts are bytes, multiples of the element's size.
  experiment(const function& f, const std::vector<index>& extents, const std::vector<int>& layouts,
             const std::vector<index>& shifts, std::uint64_t seed)
      : f_(f), extents_(extents), flat_(extents.size() == 1), out_(0, 0) {
    noise r{seed};
    for (const int how : layouts) {
      arrays_.push_back(place(extents, how));
      flat_ = flat_ && how == contiguous;
    }
    for (std::size_t k = 0; k + 1 < arrays_.size(); ++k) {
      inputs_.push_back(values<T>(arrays_[k].room, shifts[k], r));
      if (k == 1 && divides_integers()) without_zeros(inputs_.back());
      if (k == 1 && shifts_integers()) only_counts(inputs_.back());
    }
    out_ = bytes(arrays_.back().room * f.out_size, shifts.back());
    expected_.resize(static_cast<std::size_t>(count(extents) * f.out_size));
    offsets_.reserve(static_cast<std::size_t>(count(extents)) * arrays_.size());
    for_each(extents_, arrays_, [&](index, const std::vector<index>& offsets) {
      for (std::size_t k = 0; k < offsets.size(); ++k)
        offsets_.push_back(offsets[k] * (k + 1 == offsets.size() ? f_.out_size : f_.in_size));
    });
  }

  // What the function gives element by element, at the level in force.
  void compute_expected() {
    image_.assign(out_.all().size(), 0xcd);
    unsigned char *to = expected_.data(), *const first = image_.data() + out_.start();
    const auto size = static_cast<std::size_t>(f_.out_size);
    for (const index* at = offsets_.data(); at != offsets_.data() + offsets_.size(); at += arrays_.size()) {
      const void* in[3];
      for (int j = 0; j < f_.arity; ++j) in[j] = inputs_[static_cast<std::size_t>(j)].data() + at[j];
      f_.element(in, to);
      std::memcpy(first + at[f_.arity], to, size);
      to += size;
    }
  }

  // A hash of what compute_expected found; the signs and payloads of NaNs are the processor's own and left out.
  std::uint64_t expected_hash() const {
    const bl::dtype part = f_.out == bl::dtype::c64    ? bl::dtype::f32
                           : f_.out == bl::dtype::c128 ? bl::dtype::f64
                                                       : f_.out;
    const auto size = static_cast<std::size_t>(size_of(part));
    std::vector<unsigned char> nan(size, 0xff);
    std::uint64_t h = 1469598103934665603u;
    for (std::size_t at = 0; at < expected_.size(); at += size) {
      const unsigned char* p = expected_.data() + at;
      if (bl::is_floating(part) && same(part, p, nan.data())) p = nan.data();
      for (std::size_t i = 0; i < size; ++i) h = (h ^ p[i]) * 1099511628211u;
    }
    return h;
  }

  // Evaluates in one go; gives what is wrong, or nothing.
  std::string run(int threads) {
    evaluate(threads);
    return compare(threads);
  }

  // Evaluates again, on other threads: every byte in and around the output is what it was.
  std::string repeat(int threads) {
    const std::vector<unsigned char> before = out_.all();
    evaluate(threads);
    if (out_.all() == before) return {};
    const std::string wrong = compare(threads);
    return wrong.empty() ? describe(threads) + " gives other bits" : wrong;
  }

 private:
  void evaluate(int threads) {
    out_.fill(0xcd);
    // axes of extent 1 before, between and behind the others, whose strides must not matter
    const int given = static_cast<int>(extents_.size());
    index extents[rank] = {1, 1, 1, 1, 1};
    index strides[4][rank];
    array arrays[4];
    const auto at = [](int i) { return static_cast<std::size_t>(i); };
    for (int i = 0; i < given; ++i) extents[axis(i)] = extents_[at(i)];
    for (std::size_t k = 0; k < arrays_.size(); ++k) {
      const bool out = k + 1 == arrays_.size();
      for (index& x : strides[k]) x = 12345;
      for (int i = 0; i < given; ++i) strides[k][axis(i)] = arrays_[k].strides[at(i)];
      arrays[k] = {
          out ? out_.data() + arrays_[k].first * f_.out_size : inputs_[k].data() + arrays_[k].first * f_.in_size,
          strides[k]};
    }
    const bl::policy how = bl::par.threads(threads);
    if (flat_)
      f_.contiguous(count(extents_), arrays, how);
    else
      f_.strided(extents, arrays, how);
  }

  // Dividing an integer by zero is an error, not a value.
  bool divides_integers() const {
    const std::string name = f_.name;
    return std::is_integral_v<T> &&
           (name == "trunc_divide" || name == "floor_divide" || name == "fmod" || name == "remainder");
  }
  static void without_zeros(const bytes& b) {
    const T one = 1, zero = 0;
    for (index i = 0; i < b.size(); i += index(sizeof(T)))
      if (std::memcmp(b.data() + i, &zero, sizeof zero) == 0) std::memcpy(b.data() + i, &one, sizeof one);
  }

  // Nor is a shift by a negative or too large count.
  bool shifts_integers() const {
    const std::string name = f_.name;
    return name == "bitwise_left_shift" || name == "bitwise_right_shift";
  }
  static void only_counts(const bytes& b) {
    if constexpr (std::is_integral_v<T>)
      for (index i = 0; i < b.size(); i += index(sizeof(T))) {
        T count;
        std::memcpy(&count, b.data() + i, sizeof count);
        count = static_cast<T>(count & static_cast<T>(8 * sizeof(T) - 1));
        std::memcpy(b.data() + i, &count, sizeof count);
      }
  }

  // Where the i-th axis stands among those of extent 1.
  int axis(int i) const {
    const int spare = rank - static_cast<int>(extents_.size());
    return spare == 0 ? i : i + (i > 0 ? spare - spare / 2 : spare / 2);
  }

  std::string compare(int threads) const {
    if (out_.all() == image_) return {};
    // Still right if only NaNs differ.
    std::string wrong;
    std::vector<char> written(static_cast<std::size_t>(out_.size()));
    const index n = count(extents_);
    for (index k = 0; k < n && wrong.empty(); ++k) {
      const index at = offsets_[static_cast<std::size_t>(k) * arrays_.size() + arrays_.size() - 1];
      std::memset(written.data() + at, 1, static_cast<std::size_t>(f_.out_size));
      if (!same(f_.out, out_.data() + at, expected_.data() + k * f_.out_size))
        wrong = "element " + std::to_string(k) + " of " + describe(threads) + " is " + hex(out_.data() + at) +
                ", not " + hex(expected_.data() + k * f_.out_size) + " as alone";
    }
    if (wrong.empty() && !out_.untouched(0xcd, [&](index i) {
          return i >= 0 && i < out_.size() && written[static_cast<std::size_t>(i)] != 0;
        }))
      wrong = describe(threads) + " wrote outside its output";
    return wrong;
  }

  std::string hex(const unsigned char* p) const {
    std::string s = "0x";
    for (int i = f_.out_size - 1; i >= 0; --i)
      for (const int nibble : {p[i] >> 4, p[i] & 15}) s += "0123456789abcdef"[nibble];
    return s;
  }
  std::string describe(int threads) const {
    std::string s = std::string(f_.name) + " of " + bl::to_string(f_.in) + ", extents (";
    for (const index e : extents_) s += std::to_string(e) + ",";
    s += ") strides";
    for (const placed& p : arrays_) {
      s += " (";
      for (const index x : p.strides) s += std::to_string(x) + ",";
      s += ")";
    }
    return s + ", " + bl::to_string(rt::active_isa()) + ", " + std::to_string(threads) + " threads";
  }

  const function& f_;
  std::vector<index> extents_;
  bool flat_;  // all arrays contiguous, of rank 1
  std::vector<placed> arrays_;
  std::vector<bytes> inputs_;
  std::vector<index> offsets_;  // of each element in each array, in bytes
  bytes out_;
  std::vector<unsigned char> expected_;  // one result after another
  std::vector<unsigned char> image_;     // all memory of the output as it must be
};

// The levels this machine can run, and the highest one again in force at the end.
class levels {
 public:
  levels() {
    for (const bl::isa level : bl::runtime::every_isa)
      if (bl::set_isa(level) == level) list_.push_back(level);
  }
  ~levels() { bl::set_isa(rt::highest_isa()); }
  auto begin() const { return list_.begin(); }
  auto end() const { return list_.end(); }

 private:
  std::vector<bl::isa> list_;
};

// Whether f, a shift, throws for one wrong count in each place of n elements, first, last and between, and works
// without.
template <class T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
std::string wrong_counts_throw(const function& f, index n, bl::policy how) {
  const auto size = static_cast<std::size_t>(n);
  std::vector<T> x(size), y(size), out(size);
  for (std::size_t i = 0; i < size; ++i) {
    x[i] = static_cast<T>(i * 37 - 5);
    y[i] = static_cast<T>(i % (8 * sizeof(T)));
  }
  const index one = 1;
  const array arrays[] = {{x.data(), &one}, {y.data(), &one}, {out.data(), &one}};
  const auto thrown = [&] {
    try {
      f.contiguous(n, arrays, how);
    } catch (const bl::arithmetic_error& e) {
      return std::string(e.what()).rfind("shift count out of range\n", 0) == 0;
    }
    return false;
  };
  const std::string what = std::string(f.name) + " of " + std::to_string(n) + " " + bl::to_string(f.in);
  if (thrown()) return what + " throws";
  const std::size_t step = size < 200 ? 1 : size / 7;
  for (std::size_t at = 0; at < size; at = at + step < size ? at + step : at + 1 < size ? size - 1 : size)
    for (const int wrong : {static_cast<int>(8 * sizeof(T)), -1}) {
      const T count = y[at];
      y[at] = static_cast<T>(wrong);
      if (!thrown()) return what + " by " + std::to_string(wrong) + " at " + std::to_string(at) + " does not throw";
      y[at] = count;
    }
  return {};
}

// Layouts for a function's arrays: the n-th choice of many, each layout in each place sooner or later.
inline std::vector<int> choose_layouts(int arity, int n) {
  std::vector<int> r;
  for (int k = 0; k < arity; ++k) r.push_back((n * (k == 0 ? 1 : k == 1 ? 4 : 7) + k) % layout_count);
  r.push_back((n * 3 + arity) % writable_layouts);
  return r;
}

}  // namespace law
