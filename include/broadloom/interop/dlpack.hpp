// DLPack tensors as arrays, with ownership, and arrays as DLPack tensors: memory is handed over, never copied.
#pragma once

#include <memory>

#include <dlpack/dlpack.h>

#include <broadloom/interop/any_tensor.hpp>

namespace broadloom {

namespace detail {

constexpr DLDataType dlpack_type(dtype t) {
  constexpr std::uint8_t codes[] = {
#define BROADLOOM_DTYPE(enumerator, name, type, category, bytes, npy, dlpack, torch, hdf5) dlpack,
#include <broadloom/core/dtypes.def>
#undef BROADLOOM_DTYPE
      kDLOpaqueHandle};
  return {codes[static_cast<int>(t)], static_cast<std::uint8_t>(t == dtype::own ? 64 : 8 * properties_of(t).bytes), 1};
}

// Throws shape_error where the tensor's elements are no T in the processor's memory, or its rank is another; any rank
// will do for -1. Gives the first element.
template <class T>
T* elements_of_dlpack(const char* call, const DLTensor& x, int rank) {
  if (x.device.device_type != kDLCPU) throw_not_representable(call, "the tensor is not in the processor's memory");
  if (rank >= 0 && x.ndim != rank) throw_wrong_rank(call, rank, x.ndim);
  constexpr DLDataType wanted = dlpack_type(dtype_of<std::remove_const_t<T>>);
  if (x.dtype.code != wanted.code || x.dtype.bits != wanted.bits || x.dtype.lanes != 1)
    throw_wrong_dlpack_type(call, to_string(dtype_of<std::remove_const_t<T>>), x.dtype.code, x.dtype.bits,
                            x.dtype.lanes);
  auto* const first = static_cast<char*>(x.data) + x.byte_offset;
  if (reinterpret_cast<std::uintptr_t>(first) % alignof(T) != 0)
    throw_not_representable(call, "the elements are not aligned as their type demands");
  return reinterpret_cast<T*>(first);
}

// Bit 0 of the flags says that the elements must not be written; version 1 is the one whose layout this is.
template <class T, class Managed>
void require_dlpack_version(const char* call, const Managed& managed) {
  if constexpr (requires { managed.flags; }) {
    if (managed.version.major != 1) throw_not_representable(call, "the tensor's DLPack version is not 1");
    if (!std::is_const_v<T> && (managed.flags & 1) != 0)
      throw_not_representable(call, "the tensor is read only; ask for const elements");
  }
}

template <class T, int Rank>
auto view_of_dlpack(const char* call, const DLTensor& x) {
  T* const first = elements_of_dlpack<T>(call, x, Rank);
  indices<Rank> extents{}, strides{};
  for (int i = 0; i < Rank; ++i) extents[i] = x.shape[i];
  if (x.strides == nullptr)
    strides = row_major_strides(extents);
  else
    for (int i = 0; i < Rank; ++i) strides[i] = x.strides[i];
  for (index n : extents)
    if (n < 0) throw_negative_extent(extents.v, Rank);
  const auto s = dshape<Rank>::unchecked(extents);
  static_cast<void>(s.size());
  return view<T, dshape<Rank>, dyn_strides<Rank>>(first, s, {strides});
}

}  // namespace detail

// An array that came by DLPack and owns it: calls the producer's deleter at its end. An lvalue is used in place,
// an rvalue moves into the tree. T is const where the producer's memory is read only.
template <class T, int Rank, class Managed = DLManagedTensor>
class dlpack_array {
 public:
  dlpack_array(Managed* owned, const view<T, dshape<Rank>, dyn_strides<Rank>>& seen) : owned_(owned), seen_(seen) {}
  dlpack_array(dlpack_array&& o) noexcept : owned_(o.owned_), seen_(o.seen_) { o.owned_ = nullptr; }
  dlpack_array& operator=(dlpack_array&&) = delete;
  ~dlpack_array() {
    if (owned_ != nullptr && owned_->deleter != nullptr) owned_->deleter(owned_);
  }
  const auto& as_view() const { return seen_; }
  const auto& shape() const { return seen_.shape(); }
  T* data() const { return seen_.data(); }

 private:
  Managed* owned_;
  view<T, dshape<Rank>, dyn_strides<Rank>> seen_;
};

template <class T, int Rank, class Managed>
struct array_traits<dlpack_array<T, Rank, Managed>> {
  using owner = dlpack_array<T, Rank, Managed>;
  static auto leaf(const owner& a) { return a.as_view(); }
  static auto leaf(owner&& a) {
    return detail::owning_leaf(static_cast<owner&&>(a), [](const owner& kept) { return kept.as_view(); });
  }
};

// from_dlpack<float, 2>(tensor): takes the tensor over, its deleter is called when the array goes. Throws shape_error
// for another element type, rank or device and for elements that are not aligned; the tensor is then the caller's
// still.
template <class T, int Rank>
struct from_dlpack_t {
  template <class Managed>
    requires requires(Managed& m) { m.deleter(&m), m.dl_tensor.ndim; }
  auto operator()(Managed* managed) const {
    const auto seen = detail::view_of_dlpack<T, Rank>("from_dlpack", managed->dl_tensor);
    detail::require_dlpack_version<T>("from_dlpack", *managed);
    return dlpack_array<T, Rank, Managed>(managed, seen);
  }
};
template <class T, int Rank>
inline constexpr from_dlpack_t<T, Rank> from_dlpack{};

// from_dlpack_any<float>(tensor): the same, of the rank that the tensor has, as an any_tensor<float>.
template <class T>
struct from_dlpack_any_t {
  template <class Managed>
    requires requires(Managed& m) { m.deleter(&m), m.dl_tensor.ndim; }
  any_tensor<T> operator()(Managed* managed) const {
    constexpr const char* call = "from_dlpack_any";
    const DLTensor& x = managed->dl_tensor;
    T* const first = detail::elements_of_dlpack<T>(call, x, -1);
    detail::require_dlpack_version<T>(call, *managed);
    list<index> extents(x.shape, x.shape + x.ndim);
    detail::require_extents(extents);
    auto strides =
        x.strides != nullptr ? list<index>(x.strides, x.strides + x.ndim) : detail::row_major_strides(extents);
    const auto release = [](Managed* m) {
      if (m->deleter != nullptr) m->deleter(m);
    };
    return any_tensor<T>(std::unique_ptr<Managed, decltype(release)>(managed, release), first,
                         static_cast<list<index>&&>(extents), static_cast<list<index>&&>(strides));
  }
};
template <class T>
inline constexpr from_dlpack_any_t<T> from_dlpack_any{};

// to_dlpack(tensor&&) hands the tensor's memory over; to_dlpack(expression) that of its result. to_dlpack(view) refers
// to memory that the caller must keep. The consumer calls the deleter. Managed is DLManagedTensor or, from DLPack 1 on,
// DLManagedTensorVersioned.
template <class Managed = DLManagedTensor>
struct to_dlpack_t {
  template <class E, class Shape>
  Managed* operator()(tensor<E, Shape>&& t) const {
    return make<tensor<E, Shape>>(static_cast<tensor<E, Shape>&&>(t));
  }
  template <class T, class S, class L>
  Managed* operator()(const view<T, S, L>& v) const {
    return make<view<T, S, L>>(v);
  }
  template <array X>
    requires(!detail::is_view<std::remove_cvref_t<X>> && expression<X>)
  Managed* operator()(X&& e) const {
    return (*this)(eval(static_cast<X&&>(e)));
  }

 private:
  template <class Kept, class X>
  static Managed* make(X&& x) {
    using node = detail::node_of<Kept&>;
    constexpr int rank = detail::rank_of<node>;
    struct block {
      Managed managed{};
      Kept kept;
      std::int64_t extents[rank + 1], strides[rank + 1];
    };
    auto* const b = new block{{}, static_cast<X&&>(x), {}, {}};
    const auto v = detail::as_node(b->kept);
    const auto strides = v.strides();
    for (int i = 0; i < rank; ++i) {
      b->extents[i] = v.shape()[i];
      b->strides[i] = strides[i];
    }
    b->managed.manager_ctx = b;
    b->managed.deleter = [](Managed* m) { delete static_cast<block*>(m->manager_ctx); };
    b->managed.dl_tensor =
        DLTensor{const_cast<std::remove_const_t<std::remove_pointer_t<decltype(v.data())>>*>(v.data()),
                 DLDevice{kDLCPU, 0},
                 rank,
                 detail::dlpack_type(dtype_of<typename node::value_type>),
                 b->extents,
                 b->strides,
                 0};
    if constexpr (requires { b->managed.flags; }) {
      b->managed.version = {1, 0};
      b->managed.flags = std::is_const_v<std::remove_pointer_t<decltype(v.data())>> ? 1 : 0;
    }
    return &b->managed;
  }
};
inline constexpr to_dlpack_t<> to_dlpack{};
template <class Managed>
inline constexpr to_dlpack_t<Managed> to_dlpack_as{};

}  // namespace broadloom
