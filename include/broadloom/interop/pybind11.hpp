// NumPy's arrays as arrays, and results as NumPy's arrays, for modules that are made with pybind11; nothing is copied.
#pragma once

#include <pybind11/numpy.h>

#include <string>

#include <broadloom/interop/strided.hpp>

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

// from_numpy<const float, 2>(a): NumPy's array a as an array over its elements; without const it must be writable.
// Throws TypeError that names what was expected and what was given, for another element type, byte order or rank, a
// read-only array, and elements that are not aligned. Nothing is converted: Python decides that, as by
// a.astype("float32").
template <class T, int Rank>
  requires element<std::remove_const_t<T>>
struct from_numpy_t {
  numpy_array<T, Rank> operator()(const pybind11::array& a) const {
    using E = std::remove_const_t<T>;
    const auto wanted = pybind11::dtype::of<E>();
    if (!pybind11::detail::npy_api::get().PyArray_EquivTypes_(a.dtype().ptr(), wanted.ptr()) || a.ndim() != Rank)
      refuse(a, "expected an array of " + text(wanted) + " with " + std::to_string(Rank) + " axes, got one of " +
                    text(a.dtype()) + " with " + std::to_string(a.ndim()));
    if (!std::is_const_v<T> && !a.writeable()) refuse(a, "expected an array that can be written, got a read-only one");
    detail::indices<Rank> extents{}, strides{};
    bool aligned = reinterpret_cast<std::uintptr_t>(a.data()) % alignof(E) == 0;
    for (int i = 0; i < Rank; ++i) {
      extents[i] = a.shape(i);
      aligned = aligned && (extents[i] < 2 || a.strides(i) % static_cast<pybind11::ssize_t>(sizeof(E)) == 0);
      strides[i] = a.strides(i) / static_cast<pybind11::ssize_t>(sizeof(E));
    }
    if (!aligned) refuse(a, "expected elements that are aligned, as in a copy of the array");
    auto* const first = static_cast<T*>(const_cast<void*>(a.data()));
    return {a, {first, dshape<Rank>::unchecked(extents), dyn_strides<Rank>{strides}}};
  }

 private:
  static std::string text(const pybind11::dtype& t) { return pybind11::str(static_cast<pybind11::handle>(t)); }
  [[noreturn]] static void refuse(const pybind11::array&, const std::string& why) { throw pybind11::type_error(why); }
};
template <class T, int Rank>
  requires element<std::remove_const_t<T>>
inline constexpr from_numpy_t<T, Rank> from_numpy{};

// to_numpy(tensor&&): the tensor's memory as a NumPy array that owns it. to_numpy(expression): its result; the lock of
// the interpreter is released while it is computed, so that other threads of Python run.
inline constexpr struct to_numpy_t {
  template <class E, class Shape>
  pybind11::array operator()(tensor<E, Shape>&& t) const {
    using kept = tensor<E, Shape>;
    auto* const owner = new kept(static_cast<kept&&>(t));
    const pybind11::capsule release(owner, [](void* p) { delete static_cast<kept*>(p); });
    const auto s = owner->shape();
    return pybind11::array(pybind11::dtype::of<E>(),
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
