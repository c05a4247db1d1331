// NumPy's .npy files: read into a tensor, written from any array, or mapped, so that the file is the array.
#pragma once

#include <memory>
#include <string>

#include <broadloom/core/api.hpp>
#include <broadloom/interop/any_tensor.hpp>

namespace broadloom {

namespace runtime {

// What the header of a .npy file says: format version 1, 2 or 3.
struct npy_header {
  static constexpr int max_rank = 64;
  dtype type;
  bool by_columns;  // the first axis is the fastest: NumPy's Fortran order
  bool swapped;     // the bytes of each element are in the other order than the processor's
  int rank;
  index extents[max_rank];
  std::size_t offset;  // of the first element
  std::size_t bytes;   // of all elements
};

// Reads the header at the start of a file of `size` bytes, of which the first `given` are at `first`. Throws io_error
// that names the file for whatever is not such a header, for types without an array here, and for fewer bytes in the
// file than its elements need.
BROADLOOM_API npy_header parse_npy(const char* call, const char* file, const unsigned char* first, std::size_t given,
                                   std::size_t size);

// An array that is being read, of a .npy file or a member of an archive, which are closed with it.
struct npy_source {
  npy_header header{};
  std::string name;  // of the file, or of the archive and its member

 protected:
  explicit npy_source(const char* c) : call(c) {}
  ~npy_source() = default;

 public:
  const char* call;  // for which it is read
  bool in_archive = false;
};
// Throws io_error that names the file and the reason.
BROADLOOM_API std::shared_ptr<npy_source> open_npy(const char* call, const char* file);
// Throws io_error that names both where elements or rank are others than expected; any rank will do for -1.
BROADLOOM_API void expect(const npy_source& from, dtype type, int rank);
// Reads all elements in the file's order, once; of an archive its sum over all bytes is checked.
BROADLOOM_API void read(npy_source& from, void* elements);
// Maps a .npy file, not a member of an archive; release_mapping gives the mapping back.
BROADLOOM_API void* map(const npy_source& from, bool writable, std::size_t& length);
BROADLOOM_API void release_mapping(void* start, std::size_t length) noexcept;

// Writes a file of row-major elements. The name is given to it when it is complete and on the disk: until then a file
// of that name stays what it was. Throws io_error that names the file and the reason.
BROADLOOM_API void write_npy(const char* file, dtype type, const index* extents, int rank, const void* elements);

}  // namespace runtime

namespace detail {

// NumPy has a type of such elements.
template <class T>
constexpr void require_numpy_type() {
  static_assert(!__is_same(T, bfloat16),
                "NumPy has no type for bfloat16: write cast<float>(x), and read float and cast<bfloat16> "
                "[errors.md#bfloat16-in-numpy]");
}

// A view whose elements can be written as they lie.
template <class>
inline constexpr bool lies_row_by_row = false;
template <class T, class S>
inline constexpr bool lies_row_by_row<view<T, S, row_major>> = true;

// The array that an input holds, a file or a member of an archive.
template <class T, int Rank>
dtensor<T, Rank> read_elements(runtime::npy_source& in) {
  require_numpy_type<T>();
  runtime::expect(in, dtype_of<T>, Rank);
  const auto& header = in.header;
  indices<Rank> extents{};
  for (int i = 0; i < Rank; ++i) extents[i] = header.extents[header.by_columns ? Rank - 1 - i : i];
  auto r = dtensor<T, Rank>::uninitialised(dshape<Rank>::unchecked(extents));
  runtime::read(in, r.data());
  if (Rank > 1 && header.by_columns) return eval(r.T());
  return r;
}

template <class T>
any_tensor<T> read_any_elements(runtime::npy_source& in) {
  require_numpy_type<T>();
  runtime::expect(in, dtype_of<T>, -1);
  const auto& header = in.header;
  list<index> extents(header.extents, header.extents + header.rank), strides = extents;
  index step = 1;
  for (int i = 0; i < header.rank; ++i) {
    const auto axis = static_cast<std::size_t>(header.by_columns ? i : header.rank - 1 - i);
    strides[axis] = step;
    if (header.bytes != 0) step *= extents[axis];  // with an extent of 0, others may have any size
  }
  auto elements = dtensor<T, 1>::uninitialised(dshape<1>(static_cast<index>(header.bytes / sizeof(T))));
  runtime::read(in, elements.data());
  T* const data = elements.data();
  return any_tensor<T>(static_cast<dtensor<T, 1>&&>(elements), data, static_cast<list<index>&&>(extents),
                       static_cast<list<index>&&>(strides));
}

}  // namespace detail

// A .npy file that is mapped into memory and given back with the last that refers to it. An lvalue is seen where it
// lies, an rvalue moves into the tree.
template <class T, int Rank>
class npy_array {
 public:
  npy_array(void* start, std::size_t length, const view<T, dshape<Rank>, dyn_strides<Rank>>& seen)
      : start_(start), length_(length), seen_(seen) {}
  npy_array(npy_array&& o) noexcept : start_(o.start_), length_(o.length_), seen_(o.seen_) { o.start_ = nullptr; }
  npy_array& operator=(npy_array&&) = delete;
  ~npy_array() { runtime::release_mapping(start_, length_); }

  const auto& as_view() const { return seen_; }
  const auto& shape() const { return seen_.shape(); }
  T* data() const { return seen_.data(); }
  auto begin() const { return seen_.begin(); }
  auto end() const { return seen_.end(); }

  // As of a tensor: an element, or slice(x, i...).
  template <class... Index>
  decltype(auto) operator()(Index&&... i) const& {
    return seen_(static_cast<Index&&>(i)...);
  }
  template <class... Index>
  void operator()(Index&&...) && = delete;  // the view would outlive the mapping: name the array first

 private:
  void* start_;
  std::size_t length_;
  view<T, dshape<Rank>, dyn_strides<Rank>> seen_;
};

template <class T, int Rank>
struct array_traits<npy_array<T, Rank>> {
  using owner = npy_array<T, Rank>;
  static auto leaf(const owner& a) { return a.as_view(); }
  static auto leaf(owner&& a) {
    return detail::owning_leaf(static_cast<owner&&>(a), [](const owner& kept) { return kept.as_view(); });
  }
};

// read_npy<float, 2>("x.npy"): a dtensor<float, 2> with the file's elements. Throws io_error that names the file where
// it cannot be read, is no .npy file, ends early, or holds another element type or rank; nothing is allocated before
// the file is known to hold that much.
template <element T, int Rank>
struct read_npy_t {
  dtensor<T, Rank> operator()(const std::string& file) const {
    return detail::read_elements<T, Rank>(*runtime::open_npy("read_npy", file.c_str()));
  }
};
template <element T, int Rank>
inline constexpr read_npy_t<T, Rank> read_npy{};

// read_npy_any<float>("x.npy"): an any_tensor<float> of the rank that the file has. Throws io_error as read_npy.
template <element T>
struct read_npy_any_t {
  any_tensor<T> operator()(const std::string& file) const {
    return detail::read_any_elements<T>(*runtime::open_npy("read_npy_any", file.c_str()));
  }
};
template <element T>
inline constexpr read_npy_any_t<T> read_npy_any{};

// Asks open_npy for elements that may be written: changes are written to the file.
inline constexpr struct writable_t {
} writable_elements{};

// open_npy<float, 2>("x.npy"): the file as an array of const elements, read when they are needed and not before;
// open_npy<float, 2>("x.npy", bl::writable_elements): changes go into the file. Throws io_error as read_npy, and for
// elements whose bytes are in the other order, for bool, whose bytes would have to be checked, and for unaligned files.
// A file that another program shortens meanwhile stops this one (SIGBUS).
template <element T, int Rank>
struct open_npy_t {
  auto operator()(const std::string& file) const { return open<const T>(file); }
  auto operator()(const std::string& file, writable_t) const { return open<T>(file); }

 private:
  template <class E>
  static npy_array<E, Rank> open(const std::string& file) {
    static_assert(!__is_same(T, bool),
                  "a file of bool cannot be mapped: read it by read_npy [errors.md#tables-in-files]");
    const auto in = runtime::open_npy("open_npy", file.c_str());
    detail::require_numpy_type<T>();
    runtime::expect(*in, dtype_of<T>, Rank);
    const auto& header = in->header;
    detail::indices<Rank> extents{}, strides{}, reversed{};
    for (int i = 0; i < Rank; ++i) {
      extents[i] = header.extents[i];
      reversed[Rank - 1 - i] = header.extents[i];
    }
    strides = detail::row_major_strides(extents);
    if (header.by_columns) {
      const auto s = detail::row_major_strides(reversed);
      for (int i = 0; i < Rank; ++i) strides[i] = s[Rank - 1 - i];
    }
    std::size_t length = 0;
    void* const start = runtime::map(*in, !std::is_const_v<E>, length);
    return {start,
            length,
            {reinterpret_cast<E*>(static_cast<char*>(start) + header.offset), dshape<Rank>::unchecked(extents),
             dyn_strides<Rank>{strides}}};
  }
};
template <element T, int Rank>
inline constexpr open_npy_t<T, Rank> open_npy{};

// write_npy("x.npy", a): an array's or an expression's elements, row by row, readable by numpy.load. The file appears
// when it is complete: an interrupted write leaves what was there. Throws io_error that names the file and the reason.
inline constexpr struct write_npy_t {
  template <array A>
  void operator()(const std::string& file, A&& a) const {
    detail::require_numpy_type<typename detail::node_of<A>::value_type>();
    using node = detail::node_of<A>;
    if constexpr (detail::lies_row_by_row<node>) {
      const auto v = detail::as_node(static_cast<A&&>(a));
      const auto s = v.shape();
      runtime::write_npy(file.c_str(), dtype_of<typename node::value_type>, s.data(), detail::rank_of<node>, v.data());
    } else {
      const auto evaluated = eval(static_cast<A&&>(a));
      (*this)(file, evaluated);
    }
  }
} write_npy{};

}  // namespace broadloom
