// libtorch's tensors as arrays, which keep their storage alive, and arrays as libtorch's tensors; nothing is copied.
#pragma once

#include <ATen/ATen.h>

#include <vector>

#include <broadloom/interop/any_tensor.hpp>

namespace broadloom {

namespace detail {

// Undefined: libtorch has no such type.
constexpr at::ScalarType torch_type(dtype t) {
  constexpr at::ScalarType types[] = {
#define BROADLOOM_DTYPE(enumerator, name, type, category, bytes, npy, dlpack, torch, hdf5) at::torch,
#include <broadloom/core/dtypes.def>
#undef BROADLOOM_DTYPE
      at::ScalarType::Undefined};
  return types[static_cast<int>(t)];
}
template <class T>
inline constexpr at::ScalarType torch_type_of = torch_type(dtype_of<std::remove_const_t<T>>);
template <class T>
concept torch_element = element<std::remove_const_t<T>> && torch_type_of<T> != at::ScalarType::Undefined;

template <class V>
at::Tensor torch_view(const V& v) {
  using T = typename V::element_type;
  constexpr int rank = rank_of<V>;
  std::int64_t extents[rank + 1] = {}, strides[rank + 1] = {};
  const auto at_strides = v.strides();
  for (int i = 0; i < rank; ++i) {
    require_no_negative_stride("as_torch", at_strides[i]);
    extents[i] = v.shape()[i];
    strides[i] = at_strides[i];
  }
  return at::from_blob(const_cast<std::remove_const_t<T>*>(v.data()), at::IntArrayRef(extents, rank),
                       at::IntArrayRef(strides, rank), at::TensorOptions(torch_type_of<T>));
}

}  // namespace detail

// A tensor of libtorch's whose element type and rank are known: shares its storage and keeps it alive.
template <class T, int Rank>
class torch_array {
 public:
  torch_array(at::Tensor t, const view<T, dshape<Rank>, dyn_strides<Rank>>& seen)
      : tensor_(std::move(t)), seen_(seen) {}
  const auto& as_view() const { return seen_; }
  const auto& shape() const { return seen_.shape(); }
  T* data() const { return seen_.data(); }
  const at::Tensor& tensor() const { return tensor_; }

 private:
  at::Tensor tensor_;
  view<T, dshape<Rank>, dyn_strides<Rank>> seen_;
};

template <class T, int Rank>
struct array_traits<torch_array<T, Rank>> {
  using owner = torch_array<T, Rank>;
  static auto leaf(const owner& a) { return a.as_view(); }
  static auto leaf(owner&& a) {
    return detail::owning_leaf(static_cast<owner&&>(a), [](const owner& kept) { return kept.as_view(); });
  }
};

namespace detail {

// Throws shape_error where the tensor is no array of T in the processor's memory, or its rank is another; any rank will
// do for -1.
template <class T>
void require_torch(const char* call, const at::Tensor& t, int rank) {
  if (!t.defined()) throw_not_representable(call, "the tensor is undefined");
  if (t.layout() != at::kStrided) throw_not_representable(call, "the tensor has no strides");
  if (!t.device().is_cpu()) throw_not_representable(call, "the tensor is not in the processor's memory");
  if (t.is_conj() || t.is_neg())
    throw_not_representable(call, "the tensor has a pending conjugation; resolve_conj() it first");
  if (rank >= 0 && t.dim() != rank) throw_wrong_rank(call, rank, t.dim());
  if (t.scalar_type() != torch_type_of<T>)
    throw_wrong_type(call, to_string(dtype_of<std::remove_const_t<T>>), at::toString(t.scalar_type()));
}

}  // namespace detail

// from_torch<float, 2>(tensor): an array over its storage. Throws shape_error for another element type, rank, device or
// storage (sparse tensors, pending conjugations); writing to it is not seen by autograd.
template <detail::torch_element T, int Rank>
struct from_torch_t {
  auto operator()(const at::Tensor& t) const {
    detail::require_torch<T>("from_torch", t, Rank);
    detail::indices<Rank> extents{}, strides{};
    for (int i = 0; i < Rank; ++i) {
      extents[i] = t.size(i);
      strides[i] = t.stride(i);
    }
    return torch_array<T, Rank>(
        t, {static_cast<T*>(t.data_ptr()), dshape<Rank>::unchecked(extents), dyn_strides<Rank>{strides}});
  }
};
template <detail::torch_element T, int Rank>
inline constexpr from_torch_t<T, Rank> from_torch{};

// from_torch_any<float>(tensor): the same, of the rank that the tensor has, as an any_tensor<float>.
template <detail::torch_element T>
struct from_torch_any_t {
  any_tensor<T> operator()(at::Tensor t) const {
    detail::require_torch<T>("from_torch_any", t, -1);
    T* const data = static_cast<T*>(t.data_ptr());
    std::vector<index> extents(t.sizes().begin(), t.sizes().end()), strides(t.strides().begin(), t.strides().end());
    return any_tensor<T>(static_cast<at::Tensor&&>(t), data, static_cast<std::vector<index>&&>(extents),
                         static_cast<std::vector<index>&&>(strides));
  }
};
template <detail::torch_element T>
inline constexpr from_torch_any_t<T> from_torch_any{};

// A view as a tensor of libtorch's over the same elements, which the caller keeps. Throws shape_error for a negative
// stride. libtorch knows no const: elements of a view<const T> must not be written.
inline constexpr struct as_torch_t {
  template <detail::borrowed_array A>
    requires detail::torch_element<typename detail::node_of<A>::value_type>
  at::Tensor operator()(A&& a) const {
    return detail::torch_view(detail::as_node(static_cast<A&&>(a)));
  }
  template <array A>
    requires(!detail::borrowed_array<A>)
  at::Tensor operator()(A&&) const = delete;
} as_torch{};

// Hands a tensor's memory, or that of an expression's result, to libtorch.
inline constexpr struct to_torch_t {
  template <detail::torch_element E, class Shape>
  at::Tensor operator()(tensor<E, Shape>&& t) const {
    using kept = tensor<E, Shape>;
    auto* const owner = new kept(static_cast<kept&&>(t));
    constexpr int rank = Shape::axes_count;
    std::int64_t extents[rank + 1] = {};
    for (int i = 0; i < rank; ++i) extents[i] = owner->shape()[i];
    return at::from_blob(
        owner->data(), at::IntArrayRef(extents, rank), [owner](void*) { delete owner; },
        at::TensorOptions(detail::torch_type_of<E>));
  }
  template <array X>
    requires expression<X>
  at::Tensor operator()(X&& e) const {
    return (*this)(eval(static_cast<X&&>(e)));
  }
} to_torch{};

}  // namespace broadloom
