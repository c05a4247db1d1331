// The reduction loops of one instruction-set level, as tables by operation and type.
#include "../base/level.hpp"
#define BROADLOOM_VECTOR BROADLOOM_LEVEL_BYTES
#include "columns_level.hpp"
#include "compensated_level.hpp"
#include "magnitudes_level.hpp"
#include "min_max_level.hpp"
#include "positions_level.hpp"
#include "products_level.hpp"
#include "rows_level.hpp"
#include "widening_level.hpp"

namespace broadloom::runtime {
namespace {

template <class Op, class T>
struct loops {
  using rows = row_loops<Op, T>;
  using columns = column_loops<Op, T>;
  using places = position_loops<Op, T>;
  static constexpr reduce_kernels table{rows::sequences,
                                        columns::rows,
                                        rows::strips,
                                        columns::fill_identity,
                                        &identity_line<Op, T>,
                                        columns::tree,
                                        nullptr,
                                        1,
                                        columns::join,
                                        nullptr,
                                        rows::one,
                                        nullptr,
                                        columns::joins_lanes ? columns::lanes : nullptr,
                                        columns::joins_lanes ? columns::groups : nullptr,
                                        columns::long_rows};
  // The same for the positions of minima and maxima.
  static constexpr reduce_kernels positions{
      rows::sequences,       columns::rows, rows::strips,         columns::fill_identity,
      &identity_line<Op, T>, columns::tree, places::position,     1,
      columns::join,         nullptr,       places::one_position, places::positions};
};

// Kernels that do the same are compiled once: sums and products wrap around, so that of u64 they are those of i64, any
// and all are the maximum and the minimum of bytes of 0 and 1, and integers have no NaN to leave out.
template <class Op, class T>
struct same_kernels {
  using type = loops<Op, T>;
};
template <>
struct same_kernels<operation<reduction::sum>, std::int64_t> {
  using type = loops<operation<reduction::sum>, std::uint64_t>;
};
template <>
struct same_kernels<operation<reduction::prod>, std::int64_t> {
  using type = loops<operation<reduction::prod>, std::uint64_t>;
};
template <>
struct same_kernels<operation<reduction::any>, std::uint8_t> {
  using type = loops<maximum, std::uint8_t>;
};
template <>
struct same_kernels<operation<reduction::all>, std::uint8_t> {
  using type = loops<minimum, std::uint8_t>;
};
template <class T>
  requires(!is_floating(dtype_of<T>))
struct same_kernels<operation<reduction::nanmax>, T> {
  using type = loops<maximum, T>;
};
template <class T>
  requires(!is_floating(dtype_of<T>))
struct same_kernels<operation<reduction::nanmin>, T> {
  using type = loops<minimum, T>;
};

// The kernels of a line of plan/reductions.def, by the types that it is computed in.
template <class Op, class T, bool Positions = false>
constexpr const reduce_kernels* kernels_of() {
  if constexpr (Positions)
    return &loops<Op, T>::positions;
  else
    return &same_kernels<Op, T>::type::table;
}
template <class Op, bool Positions = false>
constexpr const reduce_kernels* kernels_of_sums(dtype t) {
  switch (t) {
    case dtype::f32: return kernels_of<Op, float, Positions>();
    case dtype::f64: return kernels_of<Op, double, Positions>();
    case dtype::i64: return kernels_of<Op, std::int64_t, Positions>();
    case dtype::u64: return kernels_of<Op, std::uint64_t, Positions>();
    default: return nullptr;
  }
}
// bool is in bytes of 0 and 1.
template <class Op>
constexpr const reduce_kernels* kernels_of_truth(dtype) {
  return kernels_of<Op, std::uint8_t>();
}
template <class Op, bool Positions = false>
constexpr const reduce_kernels* kernels_of_own(dtype t) {
  switch (t) {
    case dtype::i8: return kernels_of<Op, std::int8_t, Positions>();
    case dtype::i16: return kernels_of<Op, std::int16_t, Positions>();
    case dtype::i32: return kernels_of<Op, std::int32_t, Positions>();
    case dtype::b8:
    case dtype::u8: return kernels_of<Op, std::uint8_t, Positions>();
    case dtype::u16: return kernels_of<Op, std::uint16_t, Positions>();
    case dtype::u32: return kernels_of<Op, std::uint32_t, Positions>();
    default: return kernels_of_sums<Op, Positions>(t);
  }
}

constexpr const reduce_kernels* kernels_of(reduction op, dtype t) {
  switch (op) {
#define BROADLOOM_REDUCTION(NAME, TYPES, OF_NONE, IDENTITY, FORMULA) \
  case reduction::NAME: return kernels_of_##TYPES<operation<reduction::NAME>>(t);
#include <broadloom/plan/reductions.def>
    case reduction::arg_maximum: return kernels_of_own<maximum, true>(t);
    case reduction::arg_minimum: return kernels_of_own<minimum, true>(t);
    case reduction::compensated_sum:
      return t == dtype::f32   ? &compensated_loops<float>::table
             : t == dtype::f64 ? &compensated_loops<double>::table
                               : nullptr;
    default: return nullptr;
  }
}
template <class Term, Term...>
struct terms_of {};
template <summed_term... Term>
using terms = terms_of<summed_term, Term...>;
// Levels without masked loads have none: there the program's own loop is as fast.
template <class Op, class T, auto Term>
constexpr product_kernels kernels_of_term() {
  using loops = term_loops<Op, T, term_elements<T, Term>>;
  product_kernels r{loops::reduce,        loops::reduce_rows, loops::reduce_columns,
                    loops::reduce_groups, loops::reduce_few,  nullptr};
  if constexpr (loops::elements::reads_y) r.beside_row = loops::reduce_beside_row;
  return r;
}
template <class T, summed_term... Term>
constexpr void list_products([[maybe_unused]] kernel_table& r, [[maybe_unused]] int type, terms<Term...>) {
  if constexpr (has_partial_loads<T>)
    ((r.products[static_cast<int>(Term)][type] = kernels_of_term<operation<reduction::sum>, T, Term>()), ...);
}
// Rows have a loop of their own, which looks for NaN once for a batch. Integers have no other loops, and no sums, as
// these are widened.
template <class Op, class T, magnitude_of Term>
constexpr product_kernels kernels_of_magnitude() {
  using loops = magnitude_loops<Op, T, Term>;
  product_kernels r{loops::reduce, loops::all, nullptr, nullptr, nullptr, nullptr};
  if constexpr (is_floating(dtype_of<T>)) {
    r.columns = loops::reduce_columns;
    r.groups = loops::reduce_groups;
    r.few = loops::reduce_few;
  }
  return r;
}
template <class T>
constexpr void list_magnitudes([[maybe_unused]] kernel_table& r, [[maybe_unused]] int type) {
  if constexpr (has_partial_loads<T>) {
    const auto list = [&]<magnitude_of... Term>(terms_of<magnitude_of, Term...>) {
      if constexpr (is_floating(dtype_of<T>))
        ((r.magnitudes[0][type][static_cast<int>(Term)] = kernels_of_magnitude<operation<reduction::sum>, T, Term>()),
         ...);
      ((r.magnitudes[1][type][static_cast<int>(Term)] = kernels_of_magnitude<maximum, T, Term>()), ...);
    };
    list(terms_of<magnitude_of, magnitude_of::array, magnitude_of::difference, magnitude_of::difference_from_number>{});
  }
}
constexpr kernel_table all_kernels() {
  kernel_table r{};
  int op = 0;
  for (auto& of_type : r.at) {
    int t = 0;
    for (auto& k : of_type) k = kernels_of(static_cast<reduction>(op), static_cast<dtype>(t++));
    ++op;
  }
  const auto widening = [&]<class... T>(T...) {
    ((r.widening[static_cast<int>(dtype_of<T>)] =
          {widening_loops<T>::sum,
           widening_loops<T>::columns,
           widening_loops<T>::rows,
           widening_loops<T>::least_of_rows,
           widening_loops<T>::most_of_rows,
           {widening_loops<T>::template rows_of<widening_loops<T>::term::square>,
            widening_loops<T>::template rows_of<widening_loops<T>::term::distance>,
            widening_loops<T>::template rows_of<widening_loops<T>::term::difference>}}),
     ...);
  };
  widening(std::int8_t{}, std::int16_t{}, std::int32_t{}, std::uint8_t{}, std::uint16_t{}, std::uint32_t{});
  r.widening[static_cast<int>(dtype::b8)] = r.widening[static_cast<int>(dtype::u8)];
  using all =
      terms<summed_term::product, summed_term::square, summed_term::squared_difference, summed_term::squared_distance>;
  list_products<float>(r, 0, all{});
  list_products<double>(r, 1, all{});
  list_magnitudes<float>(r, 0);
  list_magnitudes<double>(r, 1);
  list_magnitudes<std::int32_t>(r, 2);
  const auto min_max = [&]<class... T>(T...) {
    ((r.min_max[static_cast<int>(dtype_of<T>)] = min_max_loops<T>::one), ...);
  };
  min_max(std::int8_t{}, std::int16_t{}, std::int32_t{}, std::int64_t{}, std::uint8_t{}, std::uint16_t{},
          std::uint32_t{}, std::uint64_t{}, float{}, double{});
  r.min_max[static_cast<int>(dtype::b8)] = r.min_max[static_cast<int>(dtype::u8)];
  return r;
}

}  // namespace

constinit const kernel_table BROADLOOM_OF_LEVEL(reduce_tables) = all_kernels();

}  // namespace broadloom::runtime
