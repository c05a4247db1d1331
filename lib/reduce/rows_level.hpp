// Rows: many sequences of one length, each to one result.
#pragma once

#include "row_blocks_level.hpp"
#include "sequence_level.hpp"

namespace broadloom::runtime {
namespace {

template <int>
struct interleaved {};

// Members of its bases are written base::member: GCC 12 does not find them by name in a generic lambda.
template <class Op, class T>
struct row_loops : sequence_loops<Op, T> {
  using base = sequence_loops<Op, T>;
  static constexpr int w = base::w, vectors = base::vectors, batch = base::batch, abreast = base::abreast;
  using base::long_sequence, base::one, base::one_vector;
  using typename base::stack, typename base::vector;

  // Batches of rows while there are any; next() gives `Rows` rows in one vector, each in a block of its lanes.
  template <int Rows, class Next>
  BROADLOOM_INLINE static void batches(index& rows, T*& to, const Next& next) {
    for (; rows >= batch; rows -= batch, to += batch) {
      vector x[batch / Rows];
#pragma GCC unroll 16
      for (int k = 0; k < batch / Rows; ++k) x[k] = next();
      base::template across_batch<batch / Rows>(x);
      store<T>(to, x[0]);
    }
  }

  // The same of rows of at most Block elements that lie one after the other. The lanes that they would be combined with
  // otherwise are the identity element.
  template <int Block>
  BROADLOOM_INLINE static void block_batches(const char*& row, index& rows, index n, T*& to, const vector& identity) {
    using blocks = row_blocks<T, Block>;
    const auto next = [&](const auto& load_at) __attribute__((always_inline)) {
      return [&row, &load_at, step = blocks::rows * n * static_cast<index>(sizeof(T))]()
                 __attribute__((always_inline)) {
                   const T* const x = reinterpret_cast<const T*>(row);
                   row += step;
                   __asm__("" : "+r"(row));
                   return load_at(x);
                 };
    };
    if (n == Block) {
      batches<blocks::rows>(rows, to, next([](const T* x) __attribute__((always_inline)) { return load<T, w>(x); }));
    } else {
      const blocks b(n);
      batches<blocks::rows>(rows, to,
                            next([&](const T* x) __attribute__((always_inline)) { return b.at(x, identity); }));
    }
  }

  // Rows of fewer elements than lanes, a batch at a time; the last batch is filled up with the identity.
  static void short_rows(const char* row, index rows, index n, index pitch, T* to) {
    const vector identity = splat<w>(Op::template identity<T>());
    if constexpr (has_row_blocks<T>)
      if (n <= w / 2 && pitch == n * static_cast<index>(sizeof(T))) {
        if (n > w / 4)
          block_batches<w / 2>(row, rows, n, to, identity);
        else
          block_batches<w / 4>(row, rows, n, to, identity);
      }
    const auto next = [&]() __attribute__((always_inline)) {
      const T* const x = reinterpret_cast<const T*>(row);
      row += pitch;
      __asm__("" : "+r"(row));  // else GCC keeps the addresses of all rows of a batch
      if constexpr (vectors == 1) {
        return load_partly(x, n, identity);
      } else {
        static_assert(vectors == 2);
        return n <= w ? load_partly(x, n, identity) : Op::on(load<T, w>(x), load_partly(x + w, n - w, identity));
      }
    };
    batches<1>(rows, to, next);
    if (rows == 0) return;
    vector x[batch];
    for (int k = 0; k < batch; ++k) x[k] = k < rows ? next() : identity;
    base::template across_batch<batch>(x);
    alignas(64) T results[batch];
    store<T>(results, x[0]);
    for (index k = 0; k < rows; ++k) to[k] = results[k];
  }

  // The same of minima and maxima up to a batch with a NaN: whether there is one is asked once for each batch.
  BROADLOOM_INLINE static void min_max_batches(const char*& row, index& rows, index groups, index pitch, T*& to) {
    using fold = vector_fold<min_max_of_numbers<Op>, T>;
    for (; rows >= batch; rows -= batch, to += batch) {
      vector x[batch];
      no_nan<vector> numbers;
      const char* next = row;
#pragma GCC unroll 16
      for (int k = 0; k < batch; ++k, next += pitch) {
        __asm__("" : "+r"(next));
        vector acc[vectors];
        no_nan<vector> of_row;  // its own, as each comparison waits for the one before it
        base::min_max_lanes(reinterpret_cast<const T*>(next), groups, acc, of_row);
        numbers.look_at(of_row);
        x[k] = fold::one_vector(acc);
      }
      if (numbers.was_there()) return;
      row = next;
      fold::template across_batch<batch>(x);
      store<T>(to, x[0]);
    }
  }

  // Batches of rows of as many elements as there are lanes, such as the lanes of strips, or a few times as many: while
  // rows are short, out-of-order execution overlaps them by itself.
  static constexpr index max_groups = 8;
  template <bool One>
  BROADLOOM_INLINE static void lane_rows(const char*& row, index& rows, index groups, index pitch, T*& to) {
    if constexpr (has_min_max_instruction<Op, vector>) min_max_batches(row, rows, One ? 1 : groups, pitch, to);
    const auto next = [&]() __attribute__((always_inline)) {
      const T* const x = reinterpret_cast<const T*>(row);
      row += pitch;
      vector acc[vectors];
      if constexpr (!One && has_min_max_instruction<Op, vector>) {
        base::template lanes_of_whole<false>(x, groups, nullptr, 0, acc);
      } else {
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v) acc[v] = load<T, w>(x + v * w);
        for (index g = lane_total<T>; !One && g < groups * lane_total<T>; g += lane_total<T>)
#pragma GCC unroll 8
          for (int v = 0; v < vectors; ++v) acc[v] = Op::on(acc[v], load<T, w>(x + g + v * w));
      }
      return one_vector(acc);
    };
    batches<1>(rows, to, next);
    for (; One && rows > 0; --rows) *to++ = base::fold(next());
  }

  // A batch of rows of `groups` times as many elements as lanes and a rest: a whole vector of it, if Whole, and those
  // lanes of `part`, if Part. By is Op, or Op of vectors without NaN; false, and nothing is written, if there is one.
  template <class By, bool Whole, bool Part>
  BROADLOOM_INLINE static bool batch_with_rest(const char* row, index groups, index pitch, const first_lanes<T>& part,
                                               T* to) {
    constexpr bool looks = !__is_same(By, Op);
    static_assert(vectors <= 2);
    vector x[batch];
    no_nan<vector> numbers;
#pragma GCC unroll 16
    for (int k = 0; k < batch; ++k, row += pitch) {
      __asm__("" : "+r"(row));
      const T* at = reinterpret_cast<const T*>(row);
      vector acc[vectors];
      no_nan<vector> of_row;
#pragma GCC unroll 2
      for (int v = 0; v < vectors; ++v) acc[v] = load<T, w>(at + v * w);
      if constexpr (looks) of_row.look_at(acc[0], acc[vectors - 1]);
      at += lane_total<T>;
      for (index g = 1; g < groups; ++g, at += lane_total<T>) {
        vector e[vectors];
#pragma GCC unroll 2
        for (int v = 0; v < vectors; ++v)
          acc[v] = By::on(acc[v], e[v] = looks ? load_once(at + v * w) : load<T, w>(at + v * w));
        if constexpr (looks) of_row.look_at(e[0], e[vectors - 1]);
      }
      const auto add = [&](int v, const vector& e) __attribute__((always_inline)) {
        acc[v] = By::on(acc[v], e);
        if constexpr (looks) of_row.look_at(e, e);
      };
      if constexpr (Whole) add(0, load<T, w>(at));
      if constexpr (Part)
        add(Whole ? 1 : 0,
            part.choose(part.template load<vector>(at + (Whole ? w : 0)), splat<w>(Op::template identity<T>())));
      if constexpr (looks) numbers.look_at(of_row);
      x[k] = vector_fold<By, T>::one_vector(acc);
    }
    if (looks && numbers.was_there()) return false;
    vector_fold<By, T>::template across_batch<batch>(x);
    store<T>(to, x[0]);
    return true;
  }
  template <bool Whole, bool Part>
  static void batches_with_rest(const char*& row, index& rows, index n, index pitch, T*& to) {
    const index groups = n / lane_total<T>;
    const first_lanes<T> part(n % w);
    using by = std::conditional_t<has_min_max_instruction<Op, vector>, min_max_of_numbers<Op>, Op>;
    for (; rows >= batch; rows -= batch, row += batch * pitch, to += batch)
      if (!batch_with_rest<by, Whole, Part>(row, groups, pitch, part, to)) return;
  }
  // Batches of rows of more elements than lanes, which are no multiple of these; minima and maxima up to one with a
  // NaN.
  BROADLOOM_INLINE static void rows_with_rest(const char*& row, index& rows, index n, index pitch, T*& to) {
    const index rest = n % lane_total<T>;
    if (rest < w) return batches_with_rest<false, true>(row, rows, n, pitch, to);
    if constexpr (vectors == 2)
      return rest == w ? batches_with_rest<true, false>(row, rows, n, pitch, to)
                       : batches_with_rest<true, true>(row, rows, n, pitch, to);
  }

  // Rows of fewer elements than lanes, while what is read next is prefetched.
  [[gnu::noinline]] static void short_rows_ahead(const char* row, index rows, index n, index pitch, T* to,
                                                 const void* next_read) {
    constexpr index together = 4 * batch;
    const auto* ahead = static_cast<const char*>(next_read);
    for (; rows > 0; rows -= together, row += together * pitch, to += together) {
      const index some = rows < together ? rows : together;
      const char* const end = ahead + some * pitch / prefetched_part;
      for (; ahead < end; ahead += 64) __builtin_prefetch(ahead);
      short_rows(row, some, n, pitch, to);
    }
  }

  // Strips in the order of memory: out-of-order execution overlaps them by itself.
  static void sequences(const void* first, index rows, index n, index pitch, void* out, const void* next_read) {
    const auto *const start = static_cast<const char*>(first), *row = start;
    T* to = static_cast<T*>(out);
    const bool prefetches = next_read != nullptr && next_read != first;
    const bool cached = next_read != nullptr || rows * n * static_cast<index>(sizeof(T)) <= cached_bytes;
    if (!prefetches && n > strip_length) {
      for (; rows > 0; --rows, row += pitch) *to++ = long_sequence(reinterpret_cast<const T*>(row), n, cached);
      return;
    }
    if (!prefetches && rows == 1) return one(first, n, out);
    if constexpr (sizeof(T) < 4 && is_min_or_max<Op>)
      if (n <= strip_length) return narrow_rows<Op, T>::all(row, rows, n, pitch, to);
    if constexpr (has_partial_loads<T> && batch > 1)
      if (n < lane_total<T>)
        return prefetches ? short_rows_ahead(row, rows, n, pitch, to, next_read) : short_rows(row, rows, n, pitch, to);
    if constexpr (batch > 1)
      if (!prefetches) {
        if (n == lane_total<T>) return lane_rows<true>(row, rows, 1, pitch, to);
        if (n % lane_total<T> == 0 && n <= max_groups * lane_total<T>)
          lane_rows<false>(row, rows, n / lane_total<T>, pitch, to);
        if constexpr (has_partial_loads<T>)
          if (n % lane_total<T> != 0 && n <= max_groups * lane_total<T>) rows_with_rest(row, rows, n, pitch, to);
      }
    const index strips = (n + strip_length - 1) / strip_length;
    index remaining = rows * strips, at = 0,
          done = 0;  // strips: left, of the row that is read, of the row that is combined
    stack partial;
    const auto take = [&](T x) __attribute__((always_inline)) {
      if (strips == 1) {
        *to++ = x;
        return;
      }
      partial.push(x, done);
      if (++done < strips) return;
      *to++ = partial.result();
      done = 0;
    };
    const auto begin = [&]() __attribute__((always_inline)) {
      const char* const here = row + at * strip_length * static_cast<index>(sizeof(T));
      if (++at == strips) {
        at = 0;
        row += pitch;
      }
      return here;
    };
    const auto prefetch_at = [&](const char* here) __attribute__((always_inline)) {
      return static_cast<const char*>(next_read) + (here - start) / prefetched_part;
    };
    const auto next = [&]() __attribute__((always_inline)) {
      const index i = at * strip_length, count = strip_length < n - i ? strip_length : n - i;
      const char* const here = begin();
      const T* const x = reinterpret_cast<const T*>(here);
      if (prefetches) return base::template lanes_of<true>(x, count, prefetch_at(here), 64 / prefetched_part);
      return base::template lanes_of<false>(x, count, nullptr, 0);
    };
    // Strips in a cache, all of one length.
    const index each = strips == 1 ? n : strip_length;
    constexpr int side = abreast > 1 ? abreast : 2;
    const bool interleaves = abreast > 1 && cached && n % each == 0 && each % lane_total<T> == 0;
    const auto next_side = [&]<int Side>(interleaved<Side>, vector* found) __attribute__((always_inline)) {
      const T* x[Side];
      const char* prefetch[Side];
      for (int s = 0; s < Side; ++s) {
        const char* const here = begin();
        x[s] = reinterpret_cast<const T*>(here);
        prefetch[s] = prefetches ? prefetch_at(here) : nullptr;
      }
      if (!prefetches)
        base::template lanes_interleaved<Side, false>(x, each / lane_total<T>, prefetch, 0, found);
      else
        base::template lanes_interleaved<Side, true>(x, each / lane_total<T>, prefetch, 64 / prefetched_part, found);
    };
    const auto take_side = [&]<int Side>(interleaved<Side>) __attribute__((always_inline)) {
      constexpr bool in_registers = batch >= Side;
      constexpr int at_once = Side < abreast ? Side : abreast;
      vector x[in_registers ? batch : Side];
      for (int k = 0; k < Side; k += at_once) next_side(interleaved<at_once>{}, x + k);
      alignas(64) T results[in_registers ? batch : Side];
      if constexpr (in_registers) {
        base::template across_batch<batch, Side>(x);
        store<T>(results, x[0]);
      } else
        for (int s = 0; s < Side; ++s) results[s] = base::fold(x[s]);
      for (int k = 0; k < Side; ++k) take(results[k]);
      remaining -= Side;
    };
    if constexpr (batch > 1)
      for (; remaining >= batch; remaining -= batch) {
        vector x[batch];
        if (abreast > 1 && interleaves)
          for (int k = 0; k < batch; k += side) next_side(interleaved<side>{}, x + k);
        else
          for (int k = 0; k < batch; ++k) x[k] = next();
        base::template across_batch<batch>(x);
        alignas(64) T results[batch];
        store<T>(results, x[0]);
        if (strips == 1) {
          store<T>(to, x[0]);
          to += batch;
        } else
          for (int k = 0; k < batch; ++k) take(results[k]);
      }
    if constexpr (abreast > 1) {
      while (interleaves && remaining >= abreast) take_side(interleaved<abreast>{});
      if constexpr (abreast > 4)
        if (interleaves && remaining >= abreast / 2) take_side(interleaved<abreast / 2>{});
    }
    for (; remaining > 0; --remaining) take(base::fold(next()));
  }

  static void strips(const void* lanes, index count, void* to) {
    const T* x = static_cast<const T*>(lanes);
    stack partial;
    index s = 0;
    const auto next = [&]() __attribute__((always_inline)) {
      vector acc[vectors];
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) acc[v] = load<T, w>(x + v * w);
      x += lane_total<T>;
      return one_vector(acc);
    };
    if constexpr (batch > 1)
      for (; s + batch <= count; s += batch) {
        vector found[batch];
#pragma GCC unroll 16
        for (int k = 0; k < batch; ++k) found[base::reversed.v[k]] = next();
        base::template across_batch<batch>(found);
        partial.push(base::fold(found[0]), s / batch);
      }
    for (; s < count; ++s) partial.push(base::fold(next()), s);
    *static_cast<T*>(to) = partial.result();
  }
};

}  // namespace
}  // namespace broadloom::runtime
