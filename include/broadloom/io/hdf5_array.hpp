// hdf5::open: a set of an HDF5 file as an operand.
#pragma once

#include <broadloom/core/list.hpp>
#include <broadloom/io/hdf5_attribute.hpp>
#include <broadloom/io/stored.hpp>

namespace broadloom {

namespace detail {

inline index leading_chunk(const std::vector<index>& chunks) { return chunks.empty() || chunks[0] < 1 ? 1 : chunks[0]; }
template <int Rank>
dshape<Rank> shape_of_set(const runtime::hdf5_set& x) {
  indices<Rank> e{};
  for (int i = 0; i < Rank; ++i) e[i] = x.extents()[static_cast<std::size_t>(i)];
  return dshape<Rank>::unchecked(e);
}

// A set that is read.
template <class T, int Rank>
class hdf5_rows final : public stored_array<Rank> {
 public:
  explicit hdf5_rows(runtime::hdf5_set x)
      : stored_array<Rank>(shape_of_set<Rank>(x), sizeof(T), leading_chunk(x.chunks()), x.name()),
        set_(static_cast<runtime::hdf5_set&&>(x)) {}
  void read(index first, index last, void* to) override { set_.read(dtype_of<T>, first, last, to); }
  const runtime::hdf5_set& set() const { return set_; }

 private:
  runtime::hdf5_set set_;
};

}  // namespace detail

// A set of an HDF5 file as an operand: hdf5::open. Copies refer to the same open file, which is closed with the last.
template <class T, int Rank>
class hdf5_array {
 public:
  explicit hdf5_array(runtime::hdf5_set x)
      : rows_(new detail::hdf5_rows<T, Rank>(static_cast<runtime::hdf5_set&&>(x))), source_(rows_) {}

  const dshape<Rank>& shape() const { return source_.shape(); }
  static constexpr index rank() { return Rank; }
  index size() const { return shape().size(); }
  // Lazy views: x(range(0, 100), all), x(3).
  template <class... Index>
    requires requires(const deferred<detail::stored_source<T, Rank>>& x, Index&&... i) {
      x(static_cast<Index&&>(i)...);
    }
  auto operator()(Index&&... i) const {
    return node()(static_cast<Index&&>(i)...);
  }
  // Its chunks' extents; empty where its elements lie in one piece.
  list<index> chunks() const { return {set().chunks().data(), set().chunks().data() + set().chunks().size()}; }
  // Attributes. attribute<double>("scale") converts between numbers; attribute<std::string>("units") is a text. Throws
  // io_error where there is none of that name and kind, or it has several values.
  bool has_attribute(const std::string& name) const { return runtime::has_hdf5_attribute(set(), name); }
  template <class V>
  V attribute(const std::string& name) const {
    if constexpr (__is_same(V, std::string))
      return runtime::read_hdf5_text(set(), name);
    else {
      V x{};
      runtime::read_hdf5_attribute(set(), name, dtype_of<V>, &x);
      return x;
    }
  }
  auto node() const { return deferred<detail::stored_source<T, Rank>>(source_); }

 private:
  const runtime::hdf5_set& set() const { return rows_->set(); }
  detail::hdf5_rows<T, Rank>* rows_;
  detail::stored_source<T, Rank> source_;
};
template <class T, int Rank>
struct array_traits<hdf5_array<T, Rank>> {
  static auto leaf(const hdf5_array<T, Rank>& a) { return a.node(); }
};

namespace hdf5 {

// hdf5::open<float, 3>("data.h5", "/x"): the set as a lazy operand, in any order of bytes, chunked or compressed.
// Nothing is read but what the file says of it. Throws io_error that names the file, the set and the reason: also where
// it holds other elements or has another rank. bool and complex sets are those of h5py.
template <element T, int Rank>
struct open_t {
  hdf5_array<T, Rank> operator()(const std::string& file, const std::string& set) const {
    runtime::hdf5_set x("hdf5::open", file, set);
    x.expect("hdf5::open", dtype_of<T>, Rank);
    return hdf5_array<T, Rank>(static_cast<runtime::hdf5_set&&>(x));
  }
};
template <element T, int Rank>
inline constexpr open_t<T, Rank> open{};

}  // namespace hdf5

}  // namespace broadloom
