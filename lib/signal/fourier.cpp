// Fourier transforms of any length over stacks: one in each lane of a vector, or long ones as two rounds of short ones.
#include <broadloom/signal/fourier_call.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <mutex>
#include <numbers>
#include <type_traits>
#include <vector>

#include "../linalg/batch.hpp"
#include "fourier_kernels.hpp"

namespace broadloom::runtime {

namespace {

// exp(-2 pi i k / n), from the angle in its octant.
template <class Real>
std::complex<Real> root_of_unity(index k, index n) {
  const index quadrant = 4 * k / n, r = 4 * k % n;
  const Real right = std::numbers::pi_v<Real> / 2, whole = static_cast<Real>(n);
  Real c, s;
  if (2 * r <= n) {
    const Real angle = right * static_cast<Real>(r) / whole;
    c = std::cos(angle);
    s = std::sin(angle);
  } else {
    const Real angle = right * static_cast<Real>(n - r) / whole;
    c = std::sin(angle);
    s = std::cos(angle);
  }
  switch (quadrant) {
    case 0: return {c, -s};
    case 1: return {-s, -c};
    case 2: return {-c, s};
    default: return {s, c};
  }
}

// All powers of exp(-2 pi i / n), each a product of two that are stored.
template <class Real>
class all_roots {
 public:
  explicit all_roots(index n) {
    while ((index{1} << 2 * shift_) < n) ++shift_;
    const index block = index{1} << shift_;
    for (index k = 0; k < block && k < n; ++k) fine_.push_back(root_of_unity<Real>(k, n));
    for (index k = 0; k < n; k += block) coarse_.push_back(root_of_unity<Real>(k, n));
  }
  // 0 <= k < n
  std::complex<Real> operator()(index k) const {
    const std::complex<Real> a = coarse_[static_cast<std::size_t>(k >> shift_)],
                             b = fine_[static_cast<std::size_t>(k & ((index{1} << shift_) - 1))];
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }

 private:
  int shift_ = 0;
  std::vector<std::complex<Real>> fine_, coarse_;
};
// One precision more than T's.
template <class T>
using wider = std::conditional_t<std::is_same_v<T, float>, double, long double>;

// The radices of the stages; false where a prime is too large for one.
template <class T>
bool choose_radices(index n, fourier_table<T>& t) {
  t.n = n;
  t.stages = 0;
  for (const int r : {8, 4, 2, 3, 5})
    for (; n % r == 0; n /= r) {
      // Two stages of 4 rather than one of 8 and one of 2.
      if (r == 8 && n == 16) break;
      t.radix[t.stages++] = r;
    }
  for (int r = 7; r <= max_radix && n > 1; r += 2)
    for (; n % r == 0; n /= r) t.radix[t.stages++] = r;
  return n == 1;
}

// The next length that has no primes but 2, 3 and 5.
index next_smooth(index n) {
  for (;; ++n) {
    index m = n;
    for (const int r : {2, 3, 5})
      while (m % r == 0) m /= r;
    if (m == 1) return n;
  }
}

template <class T>
struct roots_of_length {
  fourier_table<T> table;
  bool smooth;
  std::vector<T> values;

  explicit roots_of_length(index n) {
    smooth = choose_radices(n, table);
    const all_roots<wider<T>> roots(n);
    values.resize(static_cast<std::size_t>(2 * n));
    for (index k = 0; k < n; ++k) {
      const auto z = roots(k);
      values[static_cast<std::size_t>(2 * k)] = static_cast<T>(z.real());
      values[static_cast<std::size_t>(2 * k + 1)] = static_cast<T>(z.imag());
    }
    table.roots = values.data();
  }
};

// The last few tables are kept, also beyond the end of main. Who finds another thread there makes its own.
template <class T>
std::shared_ptr<const roots_of_length<T>> roots_for(index n) {
  using table = std::shared_ptr<const roots_of_length<T>>;
  struct cache {
    std::mutex mutex;
    table kept[8];
  };
  constexpr index longest = 1 << 16;
  static cache& all = *new cache;
  if (n > longest) return std::make_shared<const roots_of_length<T>>(n);
  const std::unique_lock<std::mutex> lock(all.mutex, std::try_to_lock);
  if (!lock.owns_lock()) return std::make_shared<const roots_of_length<T>>(n);
  for (table& t : all.kept)
    if (t != nullptr && t->table.n == n) {
      std::rotate(all.kept, &t, &t + 1);
      return all.kept[0];
    }
  table made = std::make_shared<const roots_of_length<T>>(n);
  std::rotate(all.kept, all.kept + 7, all.kept + 8);
  return all.kept[0] = made;
}

// A line of complex or real elements.
template <class P>
struct line {
  P at;
  index step, imaginary, count;  // as fourier_lines
  bool swapped;
};

template <class T>
void transform_line(index n, const line<const T*>& from, const line<T*>& to, T scale, const options& how);

// Transforms of n elements by the lane: for lengths with a large prime factor by a convolution of length m (L.
// Bluestein, A linear filtering approach to the computation of the discrete Fourier transform, 1970).
template <class T>
class lane_transform {
 public:
  explicit lane_transform(index n) : n_(n), m_(n), roots_(roots_for<T>(n)) {
    if (roots_->smooth) return;
    m_ = next_smooth(2 * n - 1);
    roots_ = roots_for<T>(m_);
    chirp_.resize(static_cast<std::size_t>(2 * n));
    filter_.resize(static_cast<std::size_t>(2 * m_));
    make_chirp(n, m_, chirp_.data(), filter_.data(), options{.threads = 1});
  }
  index length() const { return m_; }
  // How many elements of T each of two buffers needs.
  index memory() const { return 2 * kernels_of_fourier<T>().lanes * (m_ + 1); }

  // The transforms of x; the other buffer is free again.
  T* run(const fourier_kernels<T>& k, T* x, T* y) const {
    if (chirp_.empty()) return k.transform(roots_->table, x, y);
    k.multiply(x, chirp_.data(), n_, false, false);
    std::fill(x + 2 * k.lanes * n_, x + 2 * k.lanes * m_, T(0));
    T* r = k.transform(roots_->table, x, y);
    k.multiply(r, filter_.data(), m_, false, true);
    r = k.transform(roots_->table, r, r == x ? y : x);
    k.multiply(r, chirp_.data(), n_, true, false);
    return r;
  }

  // exp(-pi i k^2 / n), and the transform of its conjugates, around 0 and over m.
  static void make_chirp(index n, index m, T* chirp, T* filter, const options& how) {
    const all_roots<wider<T>> roots(2 * n);
    std::fill_n(filter, 2 * m, T(0));
    index square = 0;  // k^2 modulo 2 n
    for (index k = 0; k < n; ++k) {
      const auto z = roots(square);
      square = (square + 2 * k + 1) % (2 * n);
      chirp[2 * k] = static_cast<T>(z.real());
      chirp[2 * k + 1] = static_cast<T>(z.imag());
      for (const index at : {k, k == 0 ? 0 : m - k}) {
        filter[2 * at] = chirp[2 * k];
        filter[2 * at + 1] = -chirp[2 * k + 1];
      }
    }
    const buffer<T> from(2 * m);
    std::copy_n(filter, 2 * m, from.data());
    transform_line<T>(m, {from.data(), 2, 1, m, false}, {filter, 2, 1, m, false}, T(1) / static_cast<T>(m), how);
  }

 private:
  index n_, m_;
  std::shared_ptr<const roots_of_length<T>> roots_;
  std::vector<T> chirp_, filter_;
};

// The first factor of n = first * second, near its root; 1 where there is none, or n is too short. A large prime factor
// stays in the first or the second, which are convolutions then, short ones.
template <class T>
index split_of(index n) {
  fourier_table<T> t;
  if (n < 256 || (n < 1024 && !choose_radices(n, t))) return 1;
  // The largest divisor up to the root.
  index best = 1;
  for (index d = 2; d * d <= n && d <= 1 << 16; ++d)
    if (n % d == 0) best = d;
  return best * 64 < n / best ? 1 : best;
}

template <class T, class P>
fourier_lines<P> lanes_of(const line<P>& x, index first, index last, index lane_step, int lanes) {
  fourier_lines<P> r{};
  r.active = static_cast<int>(last - first);
  for (int l = 0; l < lanes; ++l) r.at[l] = x.at + lane_step * (first + l < last ? first + l : last - 1);
  r.step = x.step;
  r.imaginary = x.imaginary;
  r.swapped = x.swapped;
  return r;
}

// One transform of first * second elements: `second` transforms of `first` elements, factors, and as many the other
// way.
template <class T>
void transform_split(index n, index first, const line<const T*>& from, const line<T*>& to, T scale,
                     const options& how) {
  const fourier_kernels<T>& k = kernels_of_fourier<T>();
  const index second = n / first, lanes = k.lanes;
  const lane_transform<T> columns(first), rows(second);
  const all_roots<double> roots(n);
  constexpr index block = 32;
  const index coarse = (first + block - 1) / block;
  const buffer<T> middle(2 * n);
  {
    const index groups = (second + lanes - 1) / lanes;
    work_memory<T> memory(2 * columns.memory() + 2 * lanes * (coarse + block), groups, how);
    in_blocks(groups, 1, how, [&](index begin, index end) {
      const typename work_memory<T>::slot slot(memory);
      T *const x = slot.data(), *const y = x + columns.memory(), *const powers = y + columns.memory();
      for (index g = begin; g < end; ++g) {
        const index c = g * lanes, until = std::min(c + lanes, second);
        fourier_lines<const T*> in = lanes_of<T>(from, c, until, from.step, k.lanes);
        in.step *= second;
        k.load(x, in, first);
        T* const r = columns.run(k, x, y);
        for (index i = 0; i < coarse + block; ++i)
          for (index l = 0; l < lanes; ++l) {
            const index column = std::min(c + l, second - 1), row = i < coarse ? i * block : i - coarse;
            const auto z = row < first ? roots(column * row) : std::complex<double>();
            powers[2 * lanes * i + l] = static_cast<T>(z.real());
            powers[2 * lanes * i + lanes + l] = static_cast<T>(z.imag());
          }
        k.twist(r, powers, powers + 2 * lanes * coarse, first, block);
        const line<T*> out{middle.data(), 2, 1, n, false};
        fourier_lines<T*> o = lanes_of<T>(out, c, until, 2, k.lanes);
        o.step = 2 * second;
        k.store(o, r, first, T(1));
      }
    });
  }
  const index groups = (first + lanes - 1) / lanes;
  work_memory<T> memory(2 * rows.memory(), groups, how);
  in_blocks(groups, 1, how, [&](index begin, index end) {
    const typename work_memory<T>::slot slot(memory);
    T *const x = slot.data(), *const y = x + rows.memory();
    for (index g = begin; g < end; ++g) {
      const index c = g * lanes, until = std::min(c + lanes, first);
      const line<const T*> in{middle.data(), 2, 1, n, false};
      k.load(x, lanes_of<T>(in, c, until, 2 * second, k.lanes), second);
      T* const r = rows.run(k, x, y);
      fourier_lines<T*> o = lanes_of<T>(to, c, until, to.step, k.lanes);
      o.step *= first;
      k.store(o, r, second, scale);
    }
  });
}

// The first transforms of one line with no more than `from` elements; the rest are 0.
template <class T>
void transform_line(index n, const line<const T*>& from, const line<T*>& to, T scale, const options& how) {
  const fourier_kernels<T>& k = kernels_of_fourier<T>();
  fourier_table<T> t;
  const index first = split_of<T>(n);
  if (first == 1 && n >= 1024 && !choose_radices(n, t)) {
    // A convolution of a long line.
    const index m = next_smooth(2 * n - 1);
    const buffer<T> memory(2 * n + 4 * m);
    T *const chirp = memory.data(), *const filter = chirp + 2 * n, *const x = filter + 2 * m;
    lane_transform<T>::make_chirp(n, m, chirp, filter, how);
    const auto multiply = [](T* z, const T* w, bool swap) {
      const T re = z[0] * w[0] - z[1] * w[1], im = z[0] * w[1] + z[1] * w[0];
      z[0] = swap ? im : re;
      z[1] = swap ? re : im;
    };
    std::fill_n(x, 2 * m, T(0));
    for (index i = 0; i < from.count; ++i) {
      const T re = from.at[i * from.step], im = from.imaginary != 0 ? from.at[i * from.step + from.imaginary] : T(0);
      x[2 * i] = from.swapped ? im : re;
      x[2 * i + 1] = from.swapped ? re : im;
      multiply(x + 2 * i, chirp + 2 * i, false);
    }
    transform_line<T>(m, {x, 2, 1, m, false}, {x, 2, 1, m, false}, T(1), how);
    for (index i = 0; i < m; ++i) multiply(x + 2 * i, filter + 2 * i, true);
    transform_line<T>(m, {x, 2, 1, m, false}, {x, 2, 1, m, true}, T(1), how);
    for (index i = 0; i < n; ++i) {
      T* const z = x + 2 * i;
      multiply(z, chirp + 2 * i, to.swapped);
      to.at[i * to.step] = z[0] * scale;
      if (to.imaginary != 0) to.at[i * to.step + to.imaginary] = z[1] * scale;
    }
    return;
  }
  if (first > 1 && from.count == n) return transform_split(n, first, from, to, scale, how);
  if (first > 1) {
    const buffer<T> whole(2 * n);
    std::fill_n(whole.data(), 2 * n, T(0));
    for (index i = 0; i < from.count; ++i) {
      whole.data()[2 * i] = from.at[i * from.step];
      if (from.imaginary != 0) whole.data()[2 * i + 1] = from.at[i * from.step + from.imaginary];
    }
    return transform_split<T>(n, first, {whole.data(), 2, 1, n, from.swapped}, to, scale, how);
  }
  const lane_transform<T> all(n);
  const buffer<T> memory(2 * all.memory());
  T *const x = memory.data(), *const y = x + all.memory();
  k.load(x, lanes_of<T>(from, 0, 1, 0, k.lanes), from.count);
  std::fill(x + 2 * k.lanes * from.count, x + 2 * k.lanes * n, T(0));
  k.store(lanes_of<T>(to, 0, 1, 0, k.lanes), all.run(k, x, y), n, scale);
}

// The transforms of a call: where its lines begin.
template <class T>
class stack_transform {
 public:
  explicit stack_transform(const fourier_call& c) : c_(c), k_(kernels_of_fourier<T>()) {
    reals_ = c.type == dtype::f32 || c.type == dtype::f64;
    const index each = reals_ ? 1 : 2;
    const bool real_out = c.kind == fourier_kind::from_half;
    from_ = {static_cast<const T*>(c.data), c.strides[c.axis] * each, reals_ ? 0 : 1, c.extents[c.axis], false};
    index inner = 1;
    for (int a = c.rank - 1; a > c.axis; --a) inner *= c.extents[a];
    const index out_each = real_out ? 1 : 2;
    outputs_ = c.kind == fourier_kind::to_half ? c.n / 2 + 1 : c.n;
    to_ = {static_cast<T*>(c.out), inner * out_each, real_out ? 0 : 1, outputs_, false};
    const index wanted = real_out ? c.n / 2 + 1 : c.n;
    from_.count = std::min(from_.count, wanted);
    count_ = 1;
    for (int a = 0; a < c.rank; ++a)
      if (a != c.axis) count_ *= c.extents[a];
    index out_stride = out_each;
    for (int a = c.rank - 1; a >= 0; --a) {
      if (a == c.axis) {
        out_stride *= outputs_;
        continue;
      }
      loop_[loops_] = c.extents[a];
      in_stride_[loops_] = c.strides[a] * each;
      out_stride_[loops_++] = out_stride;
      out_stride *= c.extents[a];
    }
    halved_ = c.kind != fourier_kind::complex && c.n % 2 == 0;
    length_ = halved_ ? c.n / 2 : c.n;
    scale_ = static_cast<T>(c.scale);
  }

  void run() const {
    if (count_ == 0) return;
    const index lanes = k_.lanes;
    constexpr index cache = 1 << 20;  // bytes of two buffers: half of a level-2 cache of today
    const bool splits = split_of<T>(length_) > 1 || length_ >= 1024;
    const bool fits = 4 * lanes * length_ * static_cast<index>(sizeof(T)) <= cache;
    if (splits && (!fits || 2 * count_ <= lanes))
      by_line();
    else
      by_lane();
  }

 private:
  T* out_at(index number) const { return to_.at + offset(number, out_stride_); }
  const T* in_at(index number) const { return from_.at + offset(number, in_stride_); }
  index offset(index number, const index* strides) const {
    index o = 0;
    for (int i = 0; i < loops_; ++i) {
      o += number % loop_[i] * strides[i];
      number /= loop_[i];
    }
    return o;
  }
  // The pairs of elements of a real line as complex ones; an odd last one is left out.
  static line<const T*> pairs(line<const T*> x) {
    x.imaginary = x.step;
    x.step *= 2;
    x.count /= 2;
    return x;
  }

  void by_lane() const {
    const lane_transform<T> all(length_);
    const bool halved = halved_;
    const auto roots = halved ? roots_for<T>(c_.n) : nullptr;
    const index lanes = k_.lanes, groups = (count_ + lanes - 1) / lanes;
    work_memory<T> memory(2 * all.memory(), groups, c_.how);
    const double operations =
        5. * static_cast<double>(lanes * all.length()) * (3 + std::log2(static_cast<double>(all.length())));
    in_blocks(groups, block_of(operations), c_.how, [&](index begin, index end) {
      const typename work_memory<T>::slot slot(memory);
      T *const x = slot.data(), *const y = x + all.memory();
      for (index g = begin; g < end; ++g) {
        const index first = g * lanes, last = std::min(first + lanes, count_);
        const T* in[max_fourier_lanes];
        T* out[max_fourier_lanes];
        for (index l = 0; l < lanes; ++l) {
          in[l] = in_at(std::min(first + l, last - 1));
          out[l] = out_at(std::min(first + l, last - 1));
        }
        group(all, halved ? roots->table.roots : nullptr, in, out, static_cast<int>(last - first), x, y);
      }
    });
  }

  static fourier_lines<const T*> lines(const line<const T*>& x, const T* const* at, int active) {
    fourier_lines<const T*> r{{}, active, x.step, x.imaginary, x.swapped};
    std::copy_n(at, kernels_of_fourier<T>().lanes, r.at);
    return r;
  }
  static fourier_lines<T*> lines(const line<T*>& x, T* const* at, int active) {
    fourier_lines<T*> r{{}, active, x.step, x.imaginary, x.swapped};
    std::copy_n(at, kernels_of_fourier<T>().lanes, r.at);
    return r;
  }

  void group(const lane_transform<T>& all, const T* roots, const T* const* in, T* const* out, int active, T* x,
             T* y) const {
    const index element = 2 * k_.lanes, h = length_;
    line<const T*> from = from_;
    line<T*> to = to_;
    const auto fill = [&](index count, index until) { std::fill(x + element * count, x + element * until, T(0)); };
    switch (c_.kind) {
      case fourier_kind::complex:
        from.swapped = to.swapped = c_.inverse;
        k_.load(x, lines(from, in, active), from.count);
        fill(from.count, h);
        return k_.store(lines(to, out, active), all.run(k_, x, y), h, scale_);
      case fourier_kind::to_half:
        if (!halved_) {
          from.swapped = to.swapped = c_.inverse;
          k_.load(x, lines(from, in, active), from.count);
          fill(from.count, h);
          return k_.store(lines(to, out, active), all.run(k_, x, y), outputs_, scale_);
        } else {
          const line<const T*> two = pairs(from);
          k_.load(x, lines(two, in, active), two.count);
          fill(two.count, h);
          if (from.count % 2 != 0) {
            const T* last[max_fourier_lanes];
            for (index l = 0; l < k_.lanes; ++l) last[l] = in[l] + two.count * two.step;
            k_.load(x + element * two.count, lines(from, last, active), 1);
          }
          T* const z = all.run(k_, x, y);
          T* const r = z == x ? y : x;
          k_.to_real(r, z, roots, h, c_.inverse ? T(-1) : T(1));
          return k_.store(lines(to, out, active), r, outputs_, scale_);
        }
      case fourier_kind::from_half:
        k_.load(x, lines(from, in, active), from.count);
        fill(from.count, c_.n / 2 + 1);
        if (halved_) {
          k_.from_real(y, x, roots, h, c_.inverse ? T(1) : T(-1));
          to.imaginary = to.step;
          to.step *= 2;
          to.swapped = true;
          return k_.store(lines(to, out, active), all.run(k_, y, x), h, scale_);
        }
        for (index i = 0; i <= h / 2; ++i)
          for (index l = 0; l < k_.lanes; ++l) {
            const T re = x[element * i + l], im = i == 0 ? T(0) : x[element * i + k_.lanes + l];
            const T sign = c_.inverse ? T(1) : T(-1);
            y[element * i + l] = re;
            y[element * i + k_.lanes + l] = -sign * im;
            if (i == 0) continue;
            y[element * (h - i) + l] = re;
            y[element * (h - i) + k_.lanes + l] = sign * im;
          }
        return k_.store(lines(to, out, active), all.run(k_, y, x), h, scale_);
    }
  }

  // Lines that are long, or fewer than lanes: one after the other, each by several threads, or each by its own.
  void by_line() const {
    options how = c_.how;
    if (count_ >= max_threads() && how.threads != 1) {
      how.threads = 1;
      in_blocks(count_, 1, c_.how, [&](index begin, index end) {
        for (index i = begin; i < end; ++i) one(in_at(i), out_at(i), how);
      });
    } else {
      for (index i = 0; i < count_; ++i) one(in_at(i), out_at(i), how);
    }
  }
  void one(const T* in, T* out, const options& how) const {
    line<const T*> from = from_;
    line<T*> to = to_;
    from.at = in;
    to.at = out;
    const index h = length_;
    if (c_.kind == fourier_kind::complex) {
      from.swapped = to.swapped = c_.inverse;
      return transform_line(h, from, to, scale_, how);
    }
    const buffer<T> middle(2 * h + 2);
    T* const z = middle.data();
    const line<T*> all{z, 2, 1, h, false};
    if (c_.kind == fourier_kind::to_half) {
      if (!halved_) {
        from.swapped = c_.inverse;
        transform_line<T>(h, from, {z, 2, 1, h, c_.inverse}, scale_, how);
        for (index i = 0; i < outputs_; ++i) put(to, i, z[2 * i], z[2 * i + 1]);
        return;
      }
      if (from.count % 2 == 0)
        transform_line(h, pairs(from), all, scale_, how);
      else {
        const buffer<T> even(from.count + 1);
        for (index i = 0; i < from.count; ++i) even.data()[i] = from.at[i * from.step];
        even.data()[from.count] = 0;
        transform_line<T>(h, {even.data(), 2, 1, (from.count + 1) / 2, false}, all, scale_, how);
      }
      const all_roots<double> roots(c_.n);
      z[2 * h] = z[0];
      z[2 * h + 1] = z[1];
      in_blocks(h + 1, 1 << 13, how, [&](index begin, index end) {
        for (index i = begin; i < end; ++i) {
          const T *a = z + 2 * i, *b = z + 2 * (h - i);
          const auto w = roots(i);
          const T re = static_cast<T>(w.real()), im = static_cast<T>(w.imag());
          const T odd_re = (a[1] + b[1]) / 2, odd_im = (b[0] - a[0]) / 2;
          const T result = (a[1] - b[1]) / 2 + odd_re * im + odd_im * re;
          put(to, i, (a[0] + b[0]) / 2 + odd_re * re - odd_im * im, c_.inverse ? -result : result);
        }
      });
      return;
    }
    const T sign = c_.inverse ? T(1) : T(-1);
    const auto element = [&](index i, bool imaginary) {
      return i >= from.count || (imaginary && (i == 0 || (halved_ && i == h))) ? T(0)
             : !imaginary                                                      ? from.at[i * from.step]
             : from.imaginary != 0 ? sign * from.at[i * from.step + from.imaginary]
                                   : T(0);
    };
    if (!halved_) {
      for (index i = 0; i <= h / 2; ++i) {
        const T re = element(i, false), im = element(i, true);
        z[2 * i] = re;
        z[2 * i + 1] = -im;
        if (i > 0) {
          z[2 * (h - i)] = re;
          z[2 * (h - i) + 1] = im;
        }
      }
      return transform_line<T>(h, {z, 2, 1, h, false}, to, scale_, how);
    }
    const all_roots<double> roots(c_.n);
    in_blocks(h, 1 << 13, how, [&](index begin, index end) {
      for (index i = begin; i < end; ++i) {
        const T a_re = element(i, false), a_im = element(i, true), b_re = element(h - i, false),
                b_im = element(h - i, true);
        const auto w = roots(i);
        const T re = static_cast<T>(w.real()), im = -static_cast<T>(w.imag());
        const T gap_re = a_re - b_re, gap_im = a_im + b_im;
        z[2 * i + 1] = a_re + b_re - (gap_re * im + gap_im * re);
        z[2 * i] = a_im - b_im + gap_re * re - gap_im * im;
      }
    });
    to.imaginary = to.step;
    to.step *= 2;
    to.swapped = true;
    transform_line<T>(h, {z, 2, 1, h, false}, to, scale_, how);
  }
  static void put(const line<T*>& to, index i, T re, T im) {
    to.at[i * to.step] = re;
    to.at[i * to.step + to.imaginary] = im;
  }

  const fourier_call& c_;
  const fourier_kernels<T>& k_;
  bool reals_, halved_;
  line<const T*> from_;
  line<T*> to_;
  index outputs_, count_, length_;
  index loop_[64], in_stride_[64], out_stride_[64];
  int loops_ = 0;
  T scale_;
};

}  // namespace

void fourier(const fourier_call& c) {
  if (c.type == dtype::f32 || c.type == dtype::c64)
    stack_transform<float>(c).run();
  else
    stack_transform<double>(c).run();
}

}  // namespace broadloom::runtime
