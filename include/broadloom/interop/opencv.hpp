// OpenCV's matrices as arrays, of any number of axes and channels, and views as cv::Mat; nothing is copied.
#pragma once

#include <opencv2/core/mat.hpp>
#include <vector>

#include <broadloom/interop/any_tensor.hpp>

namespace broadloom {

namespace detail {

// The depth of OpenCV's with these elements, -1 if it has none.
constexpr int opencv_depth(dtype t) {
  switch (t) {
    case dtype::u8: return CV_8U;
    case dtype::i8: return CV_8S;
    case dtype::u16: return CV_16U;
    case dtype::i16: return CV_16S;
    case dtype::i32: return CV_32S;
    case dtype::f32: return CV_32F;
    case dtype::f64: return CV_64F;
    default: return -1;
  }
}
template <class T>
concept opencv_element = element<std::remove_const_t<T>> && opencv_depth(dtype_of<std::remove_const_t<T>>) >= 0;

constexpr const char* opencv_type_name(int depth) {
  constexpr const char* names[] = {"CV_8U", "CV_8S", "CV_16U", "CV_16S", "CV_32S", "CV_32F", "CV_64F", "CV_16F"};
  return names[depth & 7];
}

}  // namespace detail

// A matrix of OpenCV's whose element type and rank are known: shares its elements and keeps them alive.
template <class T, int Rank>
class opencv_array {
 public:
  opencv_array(const cv::Mat& m, const view<T, dshape<Rank>, dyn_strides<Rank>>& seen) : matrix_(m), seen_(seen) {}
  const auto& as_view() const { return seen_; }
  const auto& shape() const { return seen_.shape(); }
  T* data() const { return seen_.data(); }

 private:
  cv::Mat matrix_;
  view<T, dshape<Rank>, dyn_strides<Rank>> seen_;
};

template <class T, int Rank>
struct array_traits<opencv_array<T, Rank>> {
  using owner = opencv_array<T, Rank>;
  static auto leaf(const owner& a) { return a.as_view(); }
  static auto leaf(owner&& a) {
    return detail::owning_leaf(static_cast<owner&&>(a), [](const owner& kept) { return kept.as_view(); });
  }
};

namespace detail {

// Throws shape_error where the matrix has no elements of type T, or none at all.
template <class T>
void require_opencv(const char* call, const cv::Mat& m) {
  if (m.dims == 0) throw_not_representable(call, "the matrix was never given a size");
  if (m.depth() != opencv_depth(dtype_of<std::remove_const_t<T>>))
    throw_wrong_type(call, to_string(dtype_of<std::remove_const_t<T>>), opencv_type_name(m.depth()));
}
// Extents and strides, in elements, of the matrix' axes and, where they are one, of its channels. Throws shape_error
// where a step is no whole number of elements.
template <class T>
void opencv_axes(const char* call, const cv::Mat& m, bool of_channels, index* extents, index* strides) {
  for (int i = 0; i < m.dims; ++i) {
    if (m.step[i] % sizeof(T) != 0) throw_not_representable(call, "a step in bytes is no whole number of elements");
    extents[i] = m.size[i];
    strides[i] = static_cast<index>(m.step[i] / sizeof(T));
  }
  if (of_channels) {
    extents[m.dims] = m.channels();
    strides[m.dims] = 1;
  }
}
// OpenCV's data are bytes; a Mat is written through whether it is const or not.
template <class T>
T* opencv_elements(const cv::Mat& m) {
  return reinterpret_cast<T*>(m.data);
}

}  // namespace detail

// from_opencv<float, 2>(m): the axes of the matrix, of one channel; from_opencv<std::uint8_t, 3>(image): the channels
// as a last axis. Throws shape_error where rank or element type are others.
template <detail::opencv_element T, int Rank>
struct from_opencv_t {
  auto operator()(const cv::Mat& m) const {
    constexpr const char* call = "from_opencv";
    detail::require_opencv<T>(call, m);
    const bool of_channels = m.dims + 1 == Rank;
    if (!of_channels && m.dims != Rank) detail::throw_wrong_rank(call, Rank, m.dims);
    if (!of_channels && m.channels() != 1)
      detail::throw_not_representable(call, "the channels are an axis of their own: ask for a rank higher by one");
    detail::indices<Rank> extents{}, strides{};
    detail::opencv_axes<T>(call, m, of_channels, extents.begin(), strides.begin());
    return opencv_array<T, Rank>(
        m, {detail::opencv_elements<T>(m), dshape<Rank>::unchecked(extents), dyn_strides<Rank>{strides}});
  }
};
template <detail::opencv_element T, int Rank>
inline constexpr from_opencv_t<T, Rank> from_opencv{};

// from_opencv_any<float>(m): the same, of the rank that the matrix has, as an any_tensor<float>: its axes and, where it
// has more than one channel, one of the channels behind them.
template <detail::opencv_element T>
struct from_opencv_any_t {
  any_tensor<T> operator()(cv::Mat m) const {
    constexpr const char* call = "from_opencv_any";
    detail::require_opencv<T>(call, m);
    const bool of_channels = m.channels() > 1;
    std::vector<index> extents(static_cast<std::size_t>(m.dims + (of_channels ? 1 : 0))), strides(extents.size());
    detail::opencv_axes<T>(call, m, of_channels, extents.data(), strides.data());
    T* const data = detail::opencv_elements<T>(m);
    return any_tensor<T>(static_cast<cv::Mat&&>(m), data, static_cast<std::vector<index>&&>(extents),
                         static_cast<std::vector<index>&&>(strides));
  }
};
template <detail::opencv_element T>
inline constexpr from_opencv_any_t<T> from_opencv_any{};

// A view of rank 2 or more as a cv::Mat over the same elements, which the caller keeps. as_opencv(v): one channel;
// as_opencv(v, channels): the last axis as channels. Throws shape_error where the last axis, or channels and the axis
// before, are not contiguous, and for strides that are negative or decrease. OpenCV knows no const.
inline constexpr struct as_opencv_t {
  template <detail::borrowed_array A>
    requires detail::opencv_element<typename detail::node_of<A>::value_type>
  cv::Mat operator()(A&& a) const {
    return of<false>(detail::as_node(static_cast<A&&>(a)));
  }
  enum class last_axis { is_channels };
  template <detail::borrowed_array A>
    requires detail::opencv_element<typename detail::node_of<A>::value_type>
  cv::Mat operator()(A&& a, last_axis) const {
    return of<true>(detail::as_node(static_cast<A&&>(a)));
  }
  template <array A>
    requires(!detail::borrowed_array<A>)
  cv::Mat operator()(A&&) const = delete;

 private:
  template <bool Channels, class V>
  static cv::Mat of(const V& v) {
    using T = typename V::value_type;
    constexpr const char* call = "as_opencv";
    constexpr int rank = detail::rank_of<V>, axes = rank - (Channels ? 1 : 0);
    static_assert(
        axes >= 2,
        "as_opencv takes views of rank 2 or more, beside the axis of channels [errors.md#views-of-other-libraries]");
    const auto strides = v.strides();
    const auto extents = v.shape().extents();
    int size[axes];
    std::size_t step[axes];
    const index channels = Channels ? extents[rank - 1] : 1;
    if (Channels && (channels < 1 || channels > CV_CN_MAX))
      detail::throw_not_representable(call, "OpenCV has between 1 and 512 channels");
    if (Channels && channels > 1 && strides[rank - 1] != 1)
      detail::throw_not_representable(call, "the channels of an element must be contiguous");
    for (int i = 0; i < axes; ++i) {
      if (extents[i] > INT_MAX) detail::throw_not_representable(call, "OpenCV's extents are of 32 bits");
      size[i] = static_cast<int>(extents[i]);
      detail::require_no_negative_stride(call, strides[i]);
      step[i] = static_cast<std::size_t>(strides[i]) * sizeof(T);
    }
    const std::size_t each = static_cast<std::size_t>(channels) * sizeof(T);
    if (extents[axes - 1] > 1 && step[axes - 1] != each)
      detail::throw_not_representable(call, "the elements of the last axis must be contiguous");
    step[axes - 1] = each;
    for (int i = axes - 2; i >= 0; --i) {
      const std::size_t least = step[i + 1] * static_cast<std::size_t>(size[i + 1]);
      if (size[i] <= 1) step[i] = least;
      if (step[i] < least) detail::throw_not_representable(call, "each axis must go over all of the next one");
    }
    const int type = CV_MAKETYPE(detail::opencv_depth(dtype_of<T>), static_cast<int>(channels));
    return cv::Mat(axes, size, type, const_cast<T*>(v.data()), step);
  }
} as_opencv{};

}  // namespace broadloom
