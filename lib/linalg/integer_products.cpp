// Products of stacks of integer matrices: by panels of packed columns, as sums of a row, or as dot products; small ones
// a row after the other, or as one tile.
#include "integer_products.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "../base/vectors.hpp"
#include "product.hpp"

namespace broadloom::runtime {

namespace {

// The type that sums are taken in: no narrower than the elements, as its lowest bits are those of the result.
template <class T>
using unsigned_of =
    std::conditional_t<sizeof(T) == 8, std::uint64_t, std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>>;

// Elements as the type of sums, and back; what is above the bits of an element does not matter.
template <class T>
void widen(const T* from, index n, unsigned_of<T>* to) {
  index i = 0;
  if constexpr (sizeof(T) == 1)
    for (; i + 8 <= n; i += 8) {
      vec<std::uint8_t, 8> bytes;
      std::memcpy(&bytes, from + i, sizeof bytes);
      const auto wide = converted<vec<std::uint16_t, 16>>(bytes);
      std::memcpy(to + i, &wide, sizeof wide);
    }
  for (; i < n; ++i) to[i] = static_cast<unsigned_of<T>>(from[i]);
}
template <class T>
void narrow(const unsigned_of<T>* from, index n, bool adds, T* to) {
  using U = unsigned_of<T>;
  index i = 0;
  if constexpr (sizeof(T) == 1)
    for (; i + 8 <= n; i += 8) {
      vec<std::uint16_t, 16> sums;
      vec<std::uint8_t, 8> bytes{};
      std::memcpy(&sums, from + i, sizeof sums);
      if (adds) std::memcpy(&bytes, to + i, sizeof bytes);
      bytes += converted<vec<std::uint8_t, 8>>(sums);
      std::memcpy(to + i, &bytes, sizeof bytes);
    }
  for (; i < n; ++i) to[i] = static_cast<T>((adds ? static_cast<U>(to[i]) : U(0)) + from[i]);
}

// One product, c (+)= alpha * a * b, where c may be the transpose of rows that are contiguous.
template <class T>
struct whole_product {
  using U = unsigned_of<T>;
  matrix<T> a, b;
  T* c;
  index c_row, c_col;
  U alpha;
  bool accumulate;

  index rows() const { return a.rows; }
  index depth() const { return a.cols; }
  index cols() const { return b.cols; }
  whole_product transposed() const { return {b.transposed(), a.transposed(), c, c_col, c_row, alpha, accumulate}; }

  // Whether sums become results as they are, or are added to them, in rows.
  bool is_plain() const { return alpha == 1 && c_col == 1; }
  // The sums of row i from column j on.
  void put(index i, index j, const U* sums, index count) const {
    T* const to = c + i * c_row + j * c_col;
    if (is_plain()) return narrow(sums, count, accumulate, to);
    for (index x = 0; x < count; ++x) {
      const std::uint64_t sum = static_cast<std::uint64_t>(alpha) * sums[x];
      T& at = to[x * c_col];
      at = static_cast<T>(accumulate ? sum + static_cast<std::uint64_t>(at) : sum);
    }
  }
};

// As unsigned numbers where they lie, if they have that type but for the sign.
template <class T>
auto in_place(T* p) {
  using U = unsigned_of<std::remove_const_t<T>>;
  using as = std::conditional_t<std::is_const_v<T>, const U, U>;
  if constexpr (sizeof(T) == sizeof(U))
    return reinterpret_cast<as*>(p);
  else
    return static_cast<as*>(nullptr);
}

template <class T>
const unsigned_of<T>* line(const T* from, index stride, index n, unsigned_of<T>* room) {
  if (stride == 1 && in_place(from) != nullptr) return in_place(from);
  if (stride == 1) return widen(from, n, room), room;
  for (index i = 0; i < n; ++i) room[i] = static_cast<unsigned_of<T>>(from[i * stride]);
  return room;
}

// Rows [first, first + count) of a, `width` to each term; what is missing is 0.
template <class T>
void pack_rows(const matrix<T>& a, index first, index count, index width, unsigned_of<T>* to) {
  for (index r = 0; r < width; ++r) {
    const T* const from = a.data + (first + r) * a.row_stride;
    for (index k = 0; k < a.cols; ++k)
      to[k * width + r] = r < count ? static_cast<unsigned_of<T>>(from[k * a.col_stride]) : unsigned_of<T>(0);
  }
}
template <class T>
void pack_columns(const matrix<T>& b, index first, index count, index width, unsigned_of<T>* to) {
  const T* const from = b.data + first * b.col_stride;
  if (b.col_stride != 1) return pack_rows(b.transposed(), first, count, width, to);
  for (index k = 0; k < b.rows; ++k, to += width) {
    const T* const row = from + k * b.row_stride;
    widen(row, count, to);
    for (index j = count; j < width; ++j) to[j] = 0;
  }
}

constexpr index most_in_tile = 8 * 64;  // of u16 with AVX-512

// A product whose left rows [first, last) are computed. `room` has room_of() elements; `packed`: b by panels, or null.
template <class T>
struct products_of_type {
  using U = unsigned_of<T>;
  const integer_product_kernels<U>& kernels = integer_products<U>();
  index panel = 2 * kernels.vector;

  // The columns of a panel, for so many that are left.
  index width_of(index left) const {
    for (const index width : {kernels.narrow, kernels.half, kernels.vector})
      if (left <= width) return width;
    return panel;
  }
  index packed_columns(index cols) const {
    return cols / panel * panel + (cols % panel == 0 ? 0 : width_of(cols % panel));
  }
  index room_of(const whole_product<T>& p) const { return p.depth() * (kernels.group + panel); }

  void pack(const whole_product<T>& p, index first, index last, U* to) const {
    for (index j = first; j < last; j += panel) {
      const index width = width_of(p.cols() - j);
      pack_columns(p.b, j, std::min(width, p.cols() - j), width, to + j * p.depth());
    }
  }
  void by_panels(const whole_product<T>& p, index first, index last, const U* packed, U* room) const {
    alignas(64) U sums[most_in_tile];
    const index depth = p.depth(), cols = p.cols();
    for (index i = first; i < last; i += kernels.group) {
      const index rows = std::min(kernels.group, last - i), width = rows == 1 ? 1 : rows <= 4 ? 4 : kernels.group;
      integer_tile<U> t{};
      t.a = in_place(p.a.data + i * p.a.row_stride);
      t.a_row = p.a.row_stride;
      t.a_term = p.a.col_stride;
      t.depth = depth;
      if (t.a == nullptr || rows < width) {
        pack_rows(p.a, i, rows, width, room);
        t.a = room, t.a_row = 1, t.a_term = width;
      }
      for (index j = 0; j < cols; j += panel) {
        const index columns = width_of(cols - j), count = std::min(columns, cols - j);
        t.b_row = columns;
        if (packed != nullptr) {
          t.b = packed + j * depth;
        } else if (p.b.col_stride == 1 && count == columns && in_place(p.b.data) != nullptr) {
          // A few rows read b once: packing it would read it twice.
          t.b = in_place(p.b.data) + j, t.b_row = p.b.row_stride;
        } else {
          pack_columns(p.b, j, count, columns, room + depth * width);
          t.b = room + depth * width;
        }
        U* const result = in_place(p.c + i * p.c_row + j);
        const bool direct = result != nullptr && p.is_plain() && rows == width && count == columns;
        t.to = direct ? result : sums;
        t.to_row = direct ? p.c_row : columns;
        t.adds = direct && p.accumulate;
        kernels.multiply(t, width, columns);
        for (index r = 0; r < rows && !direct; ++r) p.put(i + r, j, sums + r * columns, count);
      }
    }
  }
  void by_dots(const whole_product<T>& p, index first, index last, U* room) const {
    const index depth = p.depth();
    if (sizeof(T) == 1 && p.b.row_stride == 1 && p.a.col_stride == 1) {
      const auto* const y = reinterpret_cast<const std::uint8_t*>(p.b.data);
      for (index i = first; i < last; ++i) {
        const U sum = kernels.dot_bytes(reinterpret_cast<const std::uint8_t*>(p.a.data + i * p.a.row_stride), y, depth);
        p.put(i, 0, &sum, 1);
      }
      return;
    }
    const U* const y = line(p.b.data, p.b.row_stride, depth, room);
    for (index i = first; i < last; ++i) {
      const U sum = kernels.dot(line(p.a.data + i * p.a.row_stride, p.a.col_stride, depth, room + depth), y, depth);
      p.put(i, 0, &sum, 1);
    }
  }
  // Products whose rows are a few columns, which stay in registers.
  using way = void (*)(const whole_product<T>& p);
  template <int Cols>
  static void by_rows(const whole_product<T>& p) {
    using sum_of = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    for (index i = 0; i < p.rows(); ++i) {
      const T *x = p.a.data + i * p.a.row_stride, *y = p.b.data;
      sum_of sums[Cols] = {};
      for (index k = 0; k < p.depth(); ++k, x += p.a.col_stride, y += p.b.row_stride)
#pragma GCC unroll 8
        for (int j = 0; j < Cols; ++j) sums[j] += static_cast<sum_of>(*x) * static_cast<sum_of>(y[j * p.b.col_stride]);
      U as[Cols];
#pragma GCC unroll 8
      for (int j = 0; j < Cols; ++j) as[j] = static_cast<U>(sums[j]);
      p.put(i, 0, as, Cols);
    }
  }
  // Null: the product is not small.
  static way small_way(const whole_product<T>& p) {
    static constexpr way ways[] = {by_rows<1>, by_rows<2>, by_rows<3>, by_rows<4>,
                                   by_rows<5>, by_rows<6>, by_rows<7>, by_rows<8>};
    const index most = p.cols() == 1 ? 64 : 216;
    return p.cols() <= 8 && p.rows() * p.depth() * p.cols() <= most ? ways[p.cols() - 1] : nullptr;
  }
  // Whether the products of a stack are a tile each, whose operands and result lie as the kernel takes them.
  bool is_tile(const whole_product<T>& p) const {
    const index cols = p.cols(), rows = p.rows();
    return sizeof(T) == sizeof(U) && p.is_plain() && p.b.col_stride == 1 &&
           (rows == 1 || rows == 4 || rows == kernels.group) &&
           (cols == kernels.narrow || cols == kernels.half || cols == kernels.vector || cols == panel);
  }
  void by_tile(const whole_product<T>& p) const {
    kernels.multiply({in_place(p.c), p.c_row, in_place(p.a.data), p.a.row_stride, p.a.col_stride, in_place(p.b.data),
                      p.b.row_stride, p.depth(), p.accumulate},
                     p.rows(), p.cols());
  }

  // The way of a product: dot products for a column, and for a row whose terms are contiguous; sums of rows otherwise.
  whole_product<T> oriented(const whole_product<T>& p) const {
    const bool column = p.cols() == 1 && (p.rows() == 1 || p.a.row_stride != 1 || p.depth() == 1);
    const bool row = p.rows() == 1 && !column && p.b.col_stride != 1 && p.b.row_stride == 1;
    const bool sums = p.cols() == 1 && !column;
    return row || sums ? p.transposed() : p;
  }
  void run(const whole_product<T>& p, index first, index last, const U* packed, U* room) const {
    if (p.cols() == 1)
      by_dots(p, first, last, room);
    else
      by_panels(p, first, last, packed, room);
  }
};

template <class T>
whole_product<T> product_of(const product_problem<T>& p, index number, index term) {
  const offsets o = offsets_of(p, number);
  whole_product<T> one{p.a, p.b, p.c + o.c, p.ldc, 1, static_cast<unsigned_of<T>>(p.alpha), p.accumulate || term > 0};
  one.a.data += o.a + (p.terms == nullptr ? 0 : p.terms[term].a);
  one.b.data += o.b + (p.terms == nullptr ? 0 : p.terms[term].b);
  return one;
}

}  // namespace

template <class T>
void multiply_integers(const product_problem<T>& p) {
  using U = unsigned_of<T>;
  const products_of_type<T> type;
  const index count = loop_count(p), rows = p.a.rows, depth = p.a.cols, cols = p.b.cols;
  if (count == 0 || rows == 0 || cols == 0) return;
  const double operations = 2.0 * static_cast<double>(rows * cols) * static_cast<double>(depth + 1);
  const whole_product<T> example = type.oriented(product_of(p, 0, 0));
  const bool tile = type.is_tile(product_of(p, 0, 0));
  const auto small = type.small_way(product_of(p, 0, 0));
  if (tile || small != nullptr)
    return in_blocks(count, block_of(operations), p.how, [&](index first, index last) {
      for (index number = first; number < last; ++number)
        for (index term = 0; term < p.term_count; ++term) {
          const whole_product<T> one = product_of(p, number, term);
          tile ? type.by_tile(one) : small(one);
        }
    });
  const index room = type.room_of(example);
  const auto make_room = [&] { return buffer<U>(room); };
  thread_scratch all_room(make_room);
  // Many matrices are shared out, a few one after the other by their rows.
  const bool many = count >= 8 || operations <= 1e5;
  const index group = type.kernels.group, groups = (example.rows() + group - 1) / group;
  const bool packs = example.cols() > 1 && groups > 2;
  buffer<U> packed(packs && !many ? type.packed_columns(example.cols()) * depth : 0);
  if (many)
    return in_blocks(count, block_of(operations), p.how, [&](index first, index last) {
      all_room.lend([&](const buffer<U>& own) {
        for (index number = first; number < last; ++number)
          for (index term = 0; term < p.term_count; ++term) {
            const whole_product<T> one = type.oriented(product_of(p, number, term));
            type.run(one, 0, one.rows(), nullptr, own.data());
          }
      });
    });
  for (index number = 0; number < count; ++number)
    for (index term = 0; term < p.term_count; ++term) {
      const whole_product<T> one = type.oriented(product_of(p, number, term));
      if (packs)
        in_blocks((one.cols() + type.panel - 1) / type.panel, block_of(static_cast<double>(type.panel * depth)), p.how,
                  [&](index first, index last) {
                    type.pack(one, first * type.panel, std::min(last * type.panel, one.cols()), packed.data());
                  });
      in_blocks(groups, block_of(operations / static_cast<double>(groups) / 8), p.how, [&](index first, index last) {
        all_room.lend([&](const buffer<U>& own) {
          type.run(one, first * group, std::min(last * group, one.rows()), packs ? packed.data() : nullptr, own.data());
        });
      });
    }
}

#define BROADLOOM_INSTANTIATE(T) template void multiply_integers(const product_problem<T>& p);
BROADLOOM_INSTANTIATE(std::int8_t)
BROADLOOM_INSTANTIATE(std::int16_t)
BROADLOOM_INSTANTIATE(std::int32_t)
BROADLOOM_INSTANTIATE(std::int64_t)
BROADLOOM_INSTANTIATE(std::uint8_t)
BROADLOOM_INSTANTIATE(std::uint16_t)
BROADLOOM_INSTANTIATE(std::uint32_t)
BROADLOOM_INSTANTIATE(std::uint64_t)
#undef BROADLOOM_INSTANTIATE

}  // namespace broadloom::runtime
