// What reduce and scan share: the tree's elements in ranges, and a callable of two that combines them.
#pragma once

#include <bit>

#include <broadloom/core/api.hpp>
#include <broadloom/core/storage.hpp>
#include <broadloom/eval/scheduler.hpp>
#include <broadloom/eval/source_program.hpp>
#include <broadloom/fn/pointwise.hpp>
#include <broadloom/tensor/eval.hpp>

namespace broadloom {

// Says of a callable that it is associative and commutative, so that elements may be combined in any order: by strips,
// lanes and threads, as sum does it.
inline constexpr struct any_order_t {
} any_order{};

namespace runtime {

// A program over axes in an order of their own: axis i of the result is axis order[i].
struct ordered_program {
  const leaf_array* leaves;
  int leaf_count;
  const program* code;
  const index* extents;
  const int* order;
  int rank;
  dtype type;
};

// Writes elements [first, last), in row-major order of its axes, contiguously to `to`.
BROADLOOM_API void evaluate_range(const ordered_program& p, index first, index last, void* to, const options& how);

// The same of a matrix whose rows are the indices of the first `leading` axes and whose columns are those of the
// others: rows [first, last) of columns [column, end_column).
struct tile_of_program {
  int leading;
  index first, last, column, end_column;
};
BROADLOOM_API void evaluate_tile(const ordered_program& p, const tile_of_program& tile, void* to, const options& how);

// Whether elements along axis `a` of the program lie nearer together than along axis `b`, in most of what it reads.
BROADLOOM_API bool is_nearer(const ordered_program& p, int a, int b) noexcept;

}  // namespace runtime

namespace detail {

// Elements of a block: 64 KiB of f32.
inline constexpr index block_elements = 16 * 1024;

// Memory for one block, of one thread; none for no elements.
template <class T>
class block_memory {
 public:
  explicit block_memory(index n)
      : bytes_(static_cast<std::size_t>(n) * sizeof(T)),
        data_(n == 0 ? nullptr : static_cast<T*>(runtime::allocate(bytes_))) {}
  block_memory(const block_memory&) = delete;
  block_memory& operator=(const block_memory&) = delete;
  ~block_memory() { runtime::deallocate(data_, bytes_); }
  T* data() const { return data_; }

 private:
  std::size_t bytes_;
  T* data_;
};

// f(i) for i in [0, n), on threads where there is work for them.
template <class F>
void on_threads(index n, index work, int threads, const F& f) {
  if (threads == 1 || n < 2 || work < 4 * block_elements) {
    for (index i = 0; i < n; ++i) f(i);
    return;
  }
  runtime::parallel_for(
      n, threads,
      [](void* context, index first, index last) {
        const F& g = *static_cast<const F*>(context);
        for (index i = first; i < last; ++i) g(i);
      },
      const_cast<void*>(static_cast<const void*>(&f)));
}

// A tree whose elements are asked for in ranges, its axes in an order of their own. What has barriers in it is
// evaluated whole, once; what lies in memory in that order is read where it is.
template <class E, int Native>
class element_ranges {
 public:
  using T = value_of<E>;
  static constexpr int rank = rank_of<E>;
  static constexpr bool whole = deferred_count<E> > 0;

  element_ranges(const E& e, const fixed_array<int, (rank == 0 ? 1 : rank)>& order, const runtime::options& how)
      : memory_(e, how), input_(memory_.node(), lets_), extents_(e.shape().extents()) {
    program_ = {input_.leaves(), input_.count(), input_.template code<T>(), extents_.v,
                order_.v,        rank,           compiled_dtype<T>()};
    set_order(order);
  }
  element_ranges(const element_ranges&) = delete;
  element_ranges& operator=(const element_ranges&) = delete;

  void set_order(const fixed_array<int, (rank == 0 ? 1 : rank)>& order) {
    order_ = order;
    if constexpr (in_memory) {
      const indices<rank> strides = memory_.node().strides();
      for (int a = 0; a < rank; ++a) {
        moved_.extents[a] = extents_[order[a]];
        moved_.strides[a] = strides[order[a]];
      }
      there_ = is_row_major(moved_.extents, moved_.strides) ? memory_.node().data() : nullptr;
    }
  }

  bool is_there() const { return there_ != nullptr; }
  // The elements of a range: where they are, or put into `room`.
  const T* operator()(index first, index last, T* room, const runtime::options& how) const {
    if (there_ != nullptr) return there_ + first;
    put(first, last, room, how);
    return room;
  }
  void put(index first, index last, T* to, const runtime::options& how) const {
    runtime::evaluate_range(program_, first, last, to, how);
  }
  void put(const runtime::tile_of_program& tile, T* to, const runtime::options& how) const {
    runtime::evaluate_tile(program_, tile, to, how);
  }
  bool is_nearer(int a, int b) const { return runtime::is_nearer(program_, a, b); }
  // Where the elements lie, in the order of the axes; null if they must be computed.
  const T* memory() const {
    if constexpr (in_memory)
      return memory_.node().data();
    else
      return nullptr;
  }
  const geometry<rank>& in_order() const { return moved_; }

 private:
  struct as_it_is {
    using node_type = E;
    const E& e;
    as_it_is(const E& x, const runtime::options&) : e(x) {}
    const E& node() const { return e; }
  };
  struct evaluated {
    using node_type = view<const T, dshape<rank>, row_major>;
    tensor<T, dshape<rank>> elements;
    node_type v;
    evaluated(const E& x, const runtime::options& how)
        : elements(tensor<T, dshape<rank>>::uninitialised(dshape<rank>::unchecked(x.shape().extents()))),
          v(elements.data(), dshape<rank>::unchecked(x.shape().extents()), {}) {
      assign_node<Native>(elements.as_view(), x, how);
    }
    const node_type& node() const { return v; }
  };
  using holder = std::conditional_t<whole, evaluated, as_it_is>;
  static constexpr bool in_memory = leaf<typename holder::node_type> && !deferred_leaf<typename holder::node_type>;

  holder memory_;
  bound_lets lets_;
  bound_input<typename holder::node_type, Native> input_;
  indices<rank> extents_;
  fixed_array<int, (rank == 0 ? 1 : rank)> order_;
  geometry<rank> moved_{};
  const T* there_ = nullptr;
  runtime::ordered_program program_{};
};

// What f makes of two numbers, or of two packs.
template <class F, class V>
inline constexpr bool combines_numbers = requires(const F& f, const V& x) { V(f(x, x)); };
// Packs are not tried where numbers do: the body of a generic callable may not compile for them.
template <class F, class V>
concept combines_packs = !combines_numbers<F, V> && requires(const F& f, const broadloom::pack<V, pack_size>& x) {
  broadloom::pack<V, pack_size>(f(x, x));
};

// What stands for a callable that is refused, only so that there is one error.
template <class V>
struct refused_callable {
  template <class F>
  constexpr refused_callable(const F&) {}
  constexpr V operator()(const V& x, const V&) const { return x; }
};

// The name of the node: that of the callable if it has one.
template <class F>
constexpr const char* own_name(const char* otherwise) {
  if constexpr (requires { F::name(); })
    return F::name();
  else
    return otherwise;
}

// Strips pair by pair; n > 0.
template <class Combine, class V>
constexpr V pairs_of(const Combine& f, const V* x, index n) {
  V partial[64];
  int top = 0;
  for (index s = 0; s < n; ++s) {
    V y = x[s];
    for (index m = s; (m & 1) != 0; m >>= 1) y = f.on(partial[--top], y);
    partial[top++] = y;
  }
  V y = partial[--top];
  while (top > 0) y = f.on(partial[--top], y);
  return y;
}

// Columns [c, n) of `count` rows x, one at a time: to[c] becomes f(... f(from[c], x[0][c]) ..., x[count - 1][c]).
template <class F, class V>
void one_by_one(const F& f, V* to, const V* from, const V* const* x, int count, index c, index n) {
  for (; c < n; ++c) {
    V y = from[c];
    for (int r = 0; r < count; ++r) y = f.on(y, x[r][c]);
    to[c] = y;
  }
}

// x[k] becomes f(before[k], x[k]), n of them: by way of an array of its own, so that compilers see that nothing
// overlaps.
template <class F, class V>
void combine_row(const F& f, V* x, const V* before, index n) {
  constexpr int block = F::lanes;
  index k = 0;
  for (; k + block <= n; k += block) {
    V own[static_cast<std::size_t>(block)];
    for (int i = 0; i < block; ++i) own[i] = f.on(before[k + i], x[k + i]);
    for (int i = 0; i < block; ++i) x[k + i] = own[i];
  }
  for (; k < n; ++k) x[k] = f.on(before[k], x[k]);
}

template <class F, class V>
struct own_combine {
  F f;
  // As many as 64 bytes have, at least one, or a pack: a power of two, as halves are combined in the end.
  static constexpr int lanes = combines_packs<F, V> ? pack_size
                               : sizeof(V) > 64     ? 1
                                                    : static_cast<int>(std::bit_floor(64 / sizeof(V)));

  constexpr V on(const V& x, const V& y) const {
    if constexpr (combines_packs<F, V>)
      return f(broadloom::pack<V, pack_size>(x), broadloom::pack<V, pack_size>(y))[0];
    else
      return static_cast<V>(f(x, y));
  }
  // x[k] becomes f(... f(x[k], y[k]) ..., y[(Rows - 1) * lanes + k]), `lanes` of them. Several rows at once, so that
  // compilers which keep x in memory load and store it once for all of these.
  template <int Rows = 1>
  void on_lanes(V* x, const V* y) const {
    if constexpr (combines_packs<F, V>)
      for (int r = 0; r < Rows; ++r) on_pack(x, y + r * lanes);
    else
      for (int k = 0; k < lanes; ++k) x[k] = chain<Rows>(x[k], y + k);
  }
  // to[c] becomes f(... f(from[c], x[0][c]) ..., x[count - 1][c]), for n columns.
  void on_rows(V* to, const V* from, const V* const* x, int count, index n) const {
    index c = 0;
    for (; c + lanes <= n; c += lanes) {
      V own[static_cast<std::size_t>(lanes)];
      for (int k = 0; k < lanes; ++k) own[k] = from[c + k];
      for (int r = 0; r < count; ++r) on_lanes(own, x[r] + c);
      for (int k = 0; k < lanes; ++k) to[c + k] = own[k];
    }
    one_by_one(*this, to, from, x, count, c, n);
  }
  // A strip, as sum goes through it: lanes, then these pair by pair.
  V strip(const V* x, index n) const {
    V lane[static_cast<std::size_t>(lanes)];
    const index count = n < lanes ? n : index{lanes};
    index i = lanes;
    if constexpr (!combines_packs<F, V>)
      if (n >= rows * lanes) {
        for (int k = 0; k < lanes; ++k) lane[k] = chain<rows - 1>(x[k], x + lanes + k);
        i = rows * lanes;
        for (; i + rows * lanes <= n; i += rows * lanes) on_lanes<rows>(lane, x + i);
      }
    if (i == lanes)
      for (index k = 0; k < count; ++k) lane[k] = x[k];
    for (; i + lanes <= n; i += lanes) on_lanes(lane, x + i);
    for (; i < n; ++i) lane[i % lanes] = on(lane[i % lanes], x[i]);
    if (count == lanes)
      fold_halves<lanes / 2>(lane);
    else
      for (index half = lanes / 2; half >= 1; half /= 2)
        for (index k = 0; k < half; ++k)
          if (k + half < count) lane[k] = on(lane[k], lane[k + half]);
    return lane[0];
  }
  constexpr V pairs(const V* x, index n) const { return pairs_of(*this, x, n); }

 private:
  // Rows of lanes that are combined at once.
  static constexpr int rows = 4;
  // All lanes into the first, the upper half into the lower.
  template <int Half>
  void fold_halves(V* lane) const {
    for (int k = 0; k < Half; ++k) lane[k] = on(lane[k], lane[k + Half]);
    if constexpr (Half > 1) fold_halves<Half / 2>(lane);
  }
  template <int Rows>
  V chain(const V& x, const V* y) const {
    if constexpr (Rows == 1)
      return static_cast<V>(f(x, *y));
    else
      return chain<Rows - 1>(static_cast<V>(f(x, *y)), y + lanes);
  }
  void on_pack(V* x, const V* y) const {
    broadloom::pack<V, pack_size> a, b;
    for (int k = 0; k < lanes; ++k) {
      a[k] = x[k];
      b[k] = y[k];
    }
    const broadloom::pack<V, pack_size> r(f(a, b));
    for (int k = 0; k < lanes; ++k) x[k] = r[k];
  }
};

template <class A, class Identity>
using combined_type = promoted<A, const Identity&>;

}  // namespace detail
}  // namespace broadloom
