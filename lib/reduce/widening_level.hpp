// Sums of integers of up to 32 bits in i64, added up while they are widened. Part of kernels_level.cpp.
#pragma once

#include <type_traits>

#include "fold_level.hpp"

namespace broadloom::runtime {
namespace {

template <class T>
struct widening_loops {
  using U = std::make_unsigned_t<T>;
  template <class X>
  using lanes = simd_vec<X, BROADLOOM_VECTOR / static_cast<int>(sizeof(X))>;
  using sums = lanes<std::uint64_t>;
  static constexpr int w = width<U>;
  // Signed elements are added as unsigned ones that are larger by this, which is subtracted in the end.
  static constexpr bool is_signed = std::is_signed_v<T>;
  static constexpr U offset = is_signed ? static_cast<U>(U{1} << (8 * sizeof(T) - 1)) : U{};

  BROADLOOM_INLINE static lanes<U> product(const lanes<U>& x, const lanes<U>& y) {
    if constexpr (sizeof(T) == 1) {  // even and odd bytes
      const auto a = (lanes<std::uint16_t>)x, b = (lanes<std::uint16_t>)y;
      const auto low = static_cast<std::uint16_t>(0xff), high = static_cast<std::uint16_t>(0xff00);
      return (lanes<U>)(((a * b) & low) | ((a & high) * (b >> 8)));
    } else {
      return x * y;
    }
  }

  // Neighbours added in elements of twice the size.
  template <class Wide>
  BROADLOOM_INLINE static lanes<Wide> pairs(const lanes<Wide>& x) {
    constexpr int bits = 4 * static_cast<int>(sizeof(Wide));
    return (x & static_cast<Wide>((Wide{1} << bits) - 1)) + (x >> bits);
  }
  // `Count` vectors, at most eight, so that their sums fit before they are widened.
  template <int Count, class Get>
  BROADLOOM_INLINE static sums total(const Get& get) {
#if defined(__x86_64__)
    if constexpr (sizeof(T) == 1) {
      sums s[2]{};
#pragma GCC unroll 8
      for (int k = 0; k < Count; ++k) s[k % 2] += of_bytes(get(k));
      return s[0] + s[1];
    } else
#endif
        if constexpr (sizeof(T) == 1) {
      lanes<std::uint16_t> s{};
#pragma GCC unroll 8
      for (int k = 0; k < Count; ++k) s += pairs<std::uint16_t>((lanes<std::uint16_t>)get(k));
      return pairs<std::uint64_t>((sums)pairs<std::uint32_t>((lanes<std::uint32_t>)s));
    } else {
      static_assert(sizeof(T) == 2);
      lanes<std::uint32_t> s[2]{};
#pragma GCC unroll 8
      for (int k = 0; k < Count; ++k) s[k % 2] += pairs<std::uint32_t>((lanes<std::uint32_t>)get(k));
      return pairs<std::uint64_t>((sums)(s[0] + s[1]));
    }
  }
  // Sums of 32 bits modulo 2^32, and beside them those of the upper halves of elements: both give the sums of so many
  // vectors. To widen each vector takes two more instructions.
  static constexpr index vectors_of_halves = index{1} << 15;
  struct halves {
    lanes<U> all{};
    lanes<T> upper{};
    BROADLOOM_INLINE void add(const lanes<U>& x) {
      all += x;
      upper += (lanes<T>)x >> 16;
    }
    BROADLOOM_INLINE sums total() const {
      const sums rest = pairs<std::uint64_t>((sums)(all - ((lanes<U>)upper << 16)));
      const sums high = pairs<std::uint64_t>((sums)((lanes<U>)upper ^ splat<w>(offset)));
      return rest + ((high - std::uint64_t{2} * offset) << 16);
    }
  };
#if defined(__x86_64__)
  // Eight bytes of each word added.
  BROADLOOM_INLINE static sums of_bytes(const lanes<U>& x) {
#if BROADLOOM_VECTOR == 64
    return (sums)_mm512_sad_epu8((__m512i)x, __m512i{});
#elif BROADLOOM_VECTOR == 32
    return (sums)_mm256_sad_epu8((__m256i)x, __m256i{});
#else
    return (sums)_mm_sad_epu8((__m128i)x, __m128i{});
#endif
  }
#endif

  // Elements of 32 bits.
  using words = vector_fold<operation<reduction::sum>, std::uint64_t>;
  template <bool Products>
  BROADLOOM_INLINE static std::int64_t sum_of_words(const U* x, const U* y, index n) {
    using elements = vector_fold<operation<reduction::sum>, U>;
    const auto at = [&](index i) __attribute__((always_inline)) {
      const lanes<U> e = load<U, w>(x + i);
      if constexpr (Products)
        return product(e, load<U, w>(y + i));
      else
        return e;
    };
    sums all{};
    index i = 0;
    while (i + w <= n) {
      const index end = n - i < vectors_of_halves * w ? n : i + vectors_of_halves * w;
      halves s[2];
      for (; i + 2 * w <= end; i += 2 * w) {
        s[0].add(at(i));
        s[1].add(at(i + w));
      }
      for (; i + w <= end; i += w) s[0].add(at(i));
      s[0].all += s[1].all;
      s[0].upper += s[1].upper;
      all += s[0].total();
    }
    if (i < n) {
      lanes<U> e = elements::load_rest(x + i, n - i);
      if constexpr (Products) e = product(e, elements::load_rest(y + i, n - i));
      halves s;
      s.add(e);
      all += s.total();
    }
    return static_cast<std::int64_t>(words::fold(all));
  }

  // What rows are added up of: elements of x, or their products with those of y, squares of them, of their differences
  // from those of y, or from the one number at y.
  enum class term { element, product, square, distance, difference };
  static constexpr bool reads_vectors_of_y(term t) { return t == term::product || t == term::distance; }
  template <term Term>
  BROADLOOM_INLINE static lanes<U> term_of(const lanes<U>& x, const lanes<U>& y) {
    if constexpr (Term == term::element) {
      return x;
    } else if constexpr (Term == term::product) {
      return product(x, y);
    } else {
      const lanes<U> d = Term == term::square ? x : x - y;
      return product(d, d);
    }
  }
  // Elements with the offset, by the lanes of a vector.
  struct sums_of_lanes {
    sums even{}, odd{};
    lanes<std::uint32_t> of_pairs{};  // of 16 bits, few enough to fit
    BROADLOOM_INLINE void add(const lanes<U>& x) {
      const lanes<U> e = is_signed ? x ^ splat<w>(offset) : x;
      if constexpr (sizeof(T) == 4) {
        even += (sums)e & 0xffffffff;
        odd += (sums)e >> 32;
      } else if constexpr (sizeof(T) == 2) {
        of_pairs += pairs<std::uint32_t>((lanes<std::uint32_t>)e);
      } else {
        even += total<1>([&](int) __attribute__((always_inline)) { return e; });
      }
    }
    BROADLOOM_INLINE sums all() const {
      if constexpr (sizeof(T) == 2)
        return pairs<std::uint64_t>((sums)of_pairs);
      else
        return even + odd;
    }
  };
  // A vector of ones between two of zeros.
  static constexpr auto ones_among_zeros = [] {
    detail::fixed_array<U, static_cast<std::size_t>(3 * w)> r{};
    for (int k = w; k < 2 * w; ++k) r.v[k] = static_cast<U>(~U{});
    return r;
  }();

  // Rows of few elements, a batch at a time, whose lanes are combined together. The last vector of a row may overlap
  // the one before it: what both have counts as zeros there.
  enum class row_end { whole, overlaps, alone };
  template <term Term, row_end End>
  BROADLOOM_INLINE static void add_rows(const char* x, const char* y, index count, index n, index x_pitch,
                                        index y_pitch, std::int64_t* to) {
    using elements = vector_fold<operation<reduction::sum>, U>;
    constexpr int batch = words::batch;
    const index whole = n / w * w;
    const lanes<U> own = load<U, w>(ones_among_zeros.v + (End == row_end::alone ? 2 * w - n : n - whole));
    const std::uint64_t offsets = static_cast<std::uint64_t>(End == row_end::whole ? n : whole + w) * offset;
    const auto next = [&]() __attribute__((always_inline)) {
      const U *const a = reinterpret_cast<const U*>(x), *const b = reinterpret_cast<const U*>(y);
      x += x_pitch;
      y += y_pitch;
      lanes<U> number{};
      if constexpr (Term == term::difference) number = splat<w>(*b);
      const auto at = [&](const auto& vector_at) __attribute__((always_inline)) {
        return term_of<Term>(vector_at(a), reads_vectors_of_y(Term) ? vector_at(b) : number);
      };
      const auto vector = [&](index i) __attribute__((always_inline)) {
        return at([i](const U* from) __attribute__((always_inline)) { return load<U, w>(from + i); });
      };
      sums_of_lanes r;
      for (index i = 0; i < whole && End != row_end::alone; i += w) r.add(vector(i));
      if constexpr (End == row_end::overlaps) r.add(vector(n - w) & own);
      if constexpr (End == row_end::alone) {  // with zeros behind
        const auto e = at([n](const U* from) __attribute__((always_inline)) { return elements::load_rest(from, n); });
        r.add(Term == term::difference ? e & own : e);
      }
      return r.all();
    };
    for (; count >= batch; count -= batch, to += batch) {
      sums found[batch];
      for (int k = 0; k < batch; ++k) found[k] = next();
      words::template across_batch<batch>(found);
      store<std::int64_t>(to, (lanes<std::int64_t>)(found[0] - offsets));
    }
    for (; count > 0; --count) *to++ = static_cast<std::int64_t>(words::fold(next()) - offsets);
  }
  template <term Term>
  static void rows_of(const void* x, const void* y, index count, index n, index x_pitch, index y_pitch,
                      std::int64_t* to) {
    const auto *a = static_cast<const char*>(x),
               *b = static_cast<const char*>(reads_vectors_of_y(Term) || Term == term::difference ? y : x);
    if (n % w == 0)
      add_rows<Term, row_end::whole>(a, b, count, n, x_pitch, y_pitch, to);
    else if (n > w)
      add_rows<Term, row_end::overlaps>(a, b, count, n, x_pitch, y_pitch, to);
    else
      add_rows<Term, row_end::alone>(a, b, count, n, x_pitch, y_pitch, to);
  }
  static void rows(const void* x, const void* y, index count, index n, index x_pitch, index y_pitch, std::int64_t* to) {
    (y == nullptr ? rows_of<term::element> : rows_of<term::product>)(x, y, count, n, x_pitch, y_pitch, to);
  }

  // Longer rows are as soon added up one by one.
  static constexpr index most_of_rows = (sizeof(T) == 1 && BROADLOOM_VECTOR == 16 ? 7 : 12) * w;
  // Shorter ones are as soon converted in memory, several together, and so are rows of less than a vector of small
  // elements with AVX2, which has no loads of a part of it.
  static constexpr index least_of_rows = BROADLOOM_VECTOR == 32 && !has_partial_loads<T> ? w : 9;

  template <bool Products>
  BROADLOOM_INLINE static std::int64_t sum_of(const U* x, const U* y, index n) {
    constexpr int side = 8;
    const auto with_offset = [](const lanes<U>& e) __attribute__((always_inline)) {
      if constexpr (is_signed)
        return e ^ splat<w>(offset);
      else
        return e;
    };
    const auto at = [&](index i) __attribute__((always_inline)) {
      if constexpr (Products)
        return with_offset(product(load<U, w>(x + i), load<U, w>(y + i)));
      else
        return with_offset(load<U, w>(x + i));
    };
    using bytes = vector_fold<operation<reduction::sum>, U>;
    sums all{};
    index i = 0;
    for (; i + side * w <= n; i += side * w) all += total<side>([&](int k) { return at(i + k * w); });
    for (; i + w <= n; i += w) all += total<1>([&](int) { return at(i); });
    if (i < n) {  // with zeros behind, which come to the offset
      lanes<U> e = bytes::load_rest(x + i, n - i);
      if constexpr (Products) e = product(e, bytes::load_rest(y + i, n - i));
      all += total<1>([&](int) { return with_offset(e); });
      i += w;
    }
    return static_cast<std::int64_t>(words::fold(all) - static_cast<std::uint64_t>(i) * offset);
  }
  static std::int64_t sum(const void* x, const void* y, index n) {
    const U *const a = static_cast<const U*>(x), *const b = static_cast<const U*>(y);
    if constexpr (sizeof(T) == 4)
      return b == nullptr ? sum_of_words<false>(a, b, n) : sum_of_words<true>(a, b, n);
    else
      return b == nullptr ? sum_of<false>(a, b, n) : sum_of<true>(a, b, n);
  }

  // Sums of some columns: of elements of 32 bits as halves, of others widened each.
  template <bool Products>
  struct column_sums {
    static constexpr int some = BROADLOOM_VECTOR / 8, of_line = 64 / static_cast<int>(sizeof(T)) / some;
    static constexpr int vectors = of_line < 8 ? of_line : 8, together = vectors * some;
    static constexpr int at_once = sizeof(T) == 4 ? w : some, parts = together / at_once;
    using wide = simd_vec<std::int64_t, some>;
    struct widened {
      wide all{};
      BROADLOOM_INLINE void add(const simd_vec<U, some>& x) {
        all += detail::change_width<std::int64_t>((simd_vec<T, some>)x);
      }
    };
    std::conditional_t<sizeof(T) == 4, halves, widened> s[parts];

    BROADLOOM_INLINE void add(const U* x, const U* y) {
#pragma GCC unroll 8
      for (int v = 0; v < parts; ++v) {
        auto e = load<U, at_once>(x + v * at_once);
        if constexpr (Products) e *= load<U, at_once>(y + v * at_once);
        s[v].add(e);
      }
    }
    BROADLOOM_INLINE void end(std::int64_t* to, bool adds) const {
      if constexpr (sizeof(T) == 4) {
        U rest[together];
        T upper[together];
#pragma GCC unroll 8
        for (int v = 0; v < parts; ++v) {
          store<U>(rest + v * w, s[v].all - ((lanes<U>)s[v].upper << 16));
          store<T>(upper + v * w, s[v].upper);
        }
        for (int c = 0; c < together; c += some) {
          wide sum = detail::change_width<std::int64_t>(load<U, some>(rest + c));
          sum += detail::change_width<std::int64_t>(load<T, some>(upper + c)) << 16;
          store<std::int64_t>(to + c, adds ? load<std::int64_t, some>(to + c) + sum : sum);
        }
      } else {
#pragma GCC unroll 8
        for (int v = 0; v < parts; ++v)
          store<std::int64_t>(to + v * some, adds ? load<std::int64_t, some>(to + v * some) + s[v].all : s[v].all);
      }
    }
  };
  // Columns of a cache line of elements at a time, or of as many as eight vectors of sums have; and as many rows as
  // fill a first-level cache, since lines that lie a power of two apart share few of its sets. The last columns overlap
  // those before them, and are added up apart.
  template <bool Products>
  BROADLOOM_INLINE static void columns_of(const std::byte* x, const std::byte* y, index rows, index columns,
                                          index x_pitch, index y_pitch, std::int64_t* to) {
    using group = column_sums<Products>;
    constexpr index size = sizeof(T);
    const auto add = [&](index c, index first, index count, std::int64_t* sums) __attribute__((always_inline)) {
      const std::byte *a = x + first * x_pitch + c * size, *b = y + (Products ? first * y_pitch + c * size : 0);
      group s;
      for (index r = count; r > 0; --r, a += x_pitch, b += y_pitch)
        s.add(reinterpret_cast<const U*>(a), reinterpret_cast<const U*>(b));
      s.end(sums, first > 0);
    };
    const index row = x_pitch + y_pitch, fit = row == 0 ? rows : limits::reducing::cached_bytes / row;
    const index band = fit < 2 ? 2 : smaller(fit, vectors_of_halves);
    const index rest = columns % group::together;
    std::int64_t last[group::together];
    for (index r = 0; r < rows; r += band) {
      const index n = smaller(band, rows - r);
      for (index c = 0; c + group::together <= columns; c += group::together) add(c, r, n, to + c);
      if (rest > 0) add(columns - group::together, r, n, last);
    }
    for (index c = 0; c < rest; ++c) to[columns - rest + c] = last[group::together - rest + c];
  }
  static void columns(const void* x, const void* y, index rows, index columns, index x_pitch, index y_pitch,
                      std::int64_t* to) {
    const auto *const a = static_cast<const std::byte*>(x), *const b = static_cast<const std::byte*>(y);
    if (b == nullptr)
      columns_of<false>(a, a, rows, columns, x_pitch, 0, to);
    else
      columns_of<true>(a, b, rows, columns, x_pitch, y_pitch, to);
  }
};

}  // namespace
}  // namespace broadloom::runtime
