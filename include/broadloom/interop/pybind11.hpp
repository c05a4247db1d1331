// NumPy's arrays as arrays, and results as NumPy's arrays, for modules that are made with pybind11; nothing is copied.
#pragma once

#include <pybind11/numpy.h>

#include <string>
#include <vector>

#include <broadloom/interop/any_tensor.hpp>

namespace broadloom {

// A NumPy array whose element type and rank are known: refers to it and keeps it alive. Copying and destroying it needs
// no lock of the interpreter's: it takes it itself.
template <class T, int Rank>
class numpy_array {
 public:
  numpy_array(pybind11::array a, const view<T, dshape<Rank>, dyn_strides<Rank>>& seen)
      : array_(std::move(a)), seen_(seen) {}
  numpy_array(numpy_array&&) noexcept = default;
  numpy_array& operator=(numpy_array&&) = delete;
  // NOLINTNEXTLINE(bugprone-exception-escape): without a thread state there is nothing that could go on
  ~numpy_array() {
    if (!array_) return;
    const pybind11::gil_scoped_acquire lock;
    array_ = pybind11::array(pybind11::reinterpret_steal<pybind11::array>(pybind11::handle()));
  }
  const auto& as_view() const { return seen_; }
  const auto& shape() const { return seen_.shape(); }
  T* data() const { return seen_.data(); }

 private:
  pybind11::array array_;
  view<T, dshape<Rank>, dyn_strides<Rank>> seen_;
};

template <class T, int Rank>
struct array_traits<numpy_array<T, Rank>> {
  using owner = numpy_array<T, Rank>;
  static auto leaf(const owner& a) { return a.as_view(); }
  static auto leaf(owner&& a) {
    return detail::owning_leaf(static_cast<owner&&>(a), [](const owner& kept) { return kept.as_view(); });
  }
};

namespace detail {

// NumPy's type of such elements.
template <class E>
pybind11::dtype numpy_type() {
  static_assert(!__is_same(E, bfloat16),
                "NumPy has no type for bfloat16: cast<float>(x) [errors.md#bfloat16-in-numpy]");
  if constexpr (__is_same(E, float16))
    return pybind11::dtype("float16");
  else
    return pybind11::dtype::of<E>();
}

// Throws TypeError where a is no array of T, aligned and writable if T is not const, or its rank is another; any rank
// will do for -1. Gives the first element.
template <class T>
T* elements_of_numpy(const pybind11::array& a, int rank) {
  using E = std::remove_const_t<T>;
  const auto text = [](const pybind11::dtype& t) -> std::string {
    return pybind11::str(static_cast<pybind11::handle>(t));
  };
  const auto wanted = numpy_type<E>();
  if (!pybind11::detail::npy_api::get().PyArray_EquivTypes_(a.dtype().ptr(), wanted.ptr()) ||
      (rank >= 0 && a.ndim() != rank))
    throw pybind11::type_error("expected an array of " + text(wanted) +
                               (rank < 0 ? std::string() : " with " + std::to_string(rank) + " axes") +
                               ", got one of " + text(a.dtype()) + " with " + std::to_string(a.ndim()));
  if (!std::is_const_v<T> && !a.writeable())
    throw pybind11::type_error("expected an array that can be written, got a read-only one");
  bool aligned = reinterpret_cast<std::uintptr_t>(a.data()) % alignof(E) == 0;
  for (int i = 0; i < a.ndim(); ++i)
    aligned = aligned && (a.shape(i) < 2 || a.strides(i) % static_cast<pybind11::ssize_t>(sizeof(E)) == 0);
  if (!aligned) throw pybind11::type_error("expected elements that are aligned, as in a copy of the array");
  return static_cast<T*>(const_cast<void*>(a.data()));
}

}  // namespace detail

// from_numpy<const float, 2>(a): NumPy's array a as an array over its elements; without const it must be writable.
// Throws TypeError that names what was expected and what was given, for another element type, byte order or rank, a
// read-only array, and elements that are not aligned. Nothing is converted: Python decides that, as by
// a.astype("float32").
template <class T, int Rank>
  requires element<std::remove_const_t<T>>
struct from_numpy_t {
  numpy_array<T, Rank> operator()(const pybind11::array& a) const {
    T* const first = detail::elements_of_numpy<T>(a, Rank);
    detail::indices<Rank> extents{}, strides{};
    for (int i = 0; i < Rank; ++i) {
      extents[i] = a.shape(i);
      strides[i] = a.strides(i) / static_cast<pybind11::ssize_t>(sizeof(T));
    }
    return {a, {first, dshape<Rank>::unchecked(extents), dyn_strides<Rank>{strides}}};
  }
};
template <class T, int Rank>
  requires element<std::remove_const_t<T>>
inline constexpr from_numpy_t<T, Rank> from_numpy{};

// from_numpy_any<const float>(a): the same, of the rank that the array has, as an any_tensor<const float>.
template <class T>
  requires element<std::remove_const_t<T>>
struct from_numpy_any_t {
  any_tensor<T> operator()(const pybind11::array& a) const {
    T* const first = detail::elements_of_numpy<T>(a, -1);
    std::vector<index> extents(a.shape(), a.shape() + a.ndim()), strides(a.strides(), a.strides() + a.ndim());
    for (index& s : strides) s /= static_cast<index>(sizeof(T));
    // What keeps the array lets it go with the interpreter's lock.
    using keeper = numpy_array<T, 0>;
    return any_tensor<T>(keeper(a, view<T, dshape<0>, dyn_strides<0>>(first, dshape<0>(), {})), first,
                         static_cast<std::vector<index>&&>(extents), static_cast<std::vector<index>&&>(strides));
  }
};
template <class T>
  requires element<std::remove_const_t<T>>
inline constexpr from_numpy_any_t<T> from_numpy_any{};

// to_numpy(tensor&&): the tensor's memory as a NumPy array that owns it. to_numpy(expression): its result; the lock of
// the interpreter is released while it is computed, so that other threads of Python run.
inline constexpr struct to_numpy_t {
  template <class E, class Shape>
  pybind11::array operator()(tensor<E, Shape>&& t) const {
    using kept = tensor<E, Shape>;
    auto* const owner = new kept(static_cast<kept&&>(t));
    const pybind11::capsule release(owner, [](void* p) { delete static_cast<kept*>(p); });
    const auto s = owner->shape();
    return pybind11::array(detail::numpy_type<E>(),
                           std::vector<pybind11::ssize_t>(s.data(), s.data() + Shape::axes_count), owner->data(),
                           release);
  }
  template <array X>
    requires expression<X>
  pybind11::array operator()(X&& e) const {
    using node = detail::node_of<X>;
    tensor<typename node::value_type, typename node::shape_type> r;
    {
      const pybind11::gil_scoped_release unlocked;
      r = eval(static_cast<X&&>(e));
    }
    return (*this)(static_cast<decltype(r)&&>(r));
  }
} to_numpy{};

}  // namespace broadloom
