// NumPy's .npz archives: several named arrays in one file, as numpy.savez and savez_compressed write them.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include <broadloom/io/npy.hpp>

namespace broadloom {

namespace runtime {

// An open archive.
struct npz_contents {
  std::vector<std::string> names;

 protected:
  npz_contents() = default;
  ~npz_contents() = default;
};

// What write_npz writes: row-major elements and their name.
struct npz_written {
  const std::string* name;
  dtype type;
  const index* extents;
  int rank;
  const void* elements;
};
BROADLOOM_API void write_npz(const char* file, const npz_written* arrays, std::size_t count, bool compressed);

BROADLOOM_API std::shared_ptr<const npz_contents> open_npz(const char* file, std::size_t max_bytes);
// One of its arrays. Throws io_error that names the archive, the array's file in it and the reason.
BROADLOOM_API std::shared_ptr<npy_source> open_member(const npz_contents& archive, const std::string& name);

}  // namespace runtime

// An open archive. Its names are those of numpy.load: without ".npy". Any number of threads may read at once. What is
// read belongs to the caller.
class npz_file {
 public:
  explicit npz_file(std::shared_ptr<const runtime::npz_contents> contents) : contents_(std::move(contents)) {}

  // In the order of the archive.
  const std::vector<std::string>& names() const { return contents_->names; }
  bool contains(const std::string& name) const {
    for (const auto& n : names())
      if (n == name) return true;
    return false;
  }
  // The element type and the extents of an array.
  dtype type(const std::string& name) const { return runtime::open_member(*contents_, name)->header.type; }
  std::vector<index> extents(const std::string& name) const {
    const auto in = runtime::open_member(*contents_, name);
    return {in->header.extents, in->header.extents + in->header.rank};
  }

  // read<float, 2>("a"): a dtensor<float, 2>. Throws io_error that names the file and the array, where there is no such
  // array, it has another element type or rank, or is damaged.
  template <element T, int Rank>
  dtensor<T, Rank> read(const std::string& name) const {
    return detail::read_elements<T, Rank>(*runtime::open_member(*contents_, name));
  }
  // read_any<float>("a"): an any_tensor<float>, of the rank that the array has.
  template <element T>
  any_tensor<T> read_any(const std::string& name) const {
    return detail::read_any_elements<T>(*runtime::open_member(*contents_, name));
  }

 private:
  std::shared_ptr<const runtime::npz_contents> contents_;
};

// What open_npz refuses before it allocates memory for it.
struct npz_limits {
  std::size_t max_bytes = static_cast<std::size_t>(-1);  // of one array, when it is unpacked
};

// open_npz("x.npz"): reads the archive's list of contents. Throws io_error that names the file and the reason: no
// archive, a name that is there twice, and where the library was built without minizip. What is compressed may take up
// to 1032 times its size in the archive, and what claims more is refused; .max_bytes is a lower limit for files of
// unknown origin.
inline constexpr struct open_npz_t {
  npz_file operator()(const std::string& file, const npz_limits& limits = {}) const {
    return npz_file(runtime::open_npz(file.c_str(), limits.max_bytes));
  }
} open_npz{};

// A name and an array for write_npz: {"a", a}. An lvalue is referred to, an expression is evaluated.
class npz_entry {
 public:
  template <array A>
  npz_entry(std::string name, A&& a) : name_(std::move(name)) {
    using node = detail::node_of<A>;
    using T = typename node::value_type;
    detail::require_numpy_type<T>();
    type_ = dtype_of<T>;
    if constexpr (detail::lies_row_by_row<node> && std::is_lvalue_reference_v<A>)
      hold(detail::as_node(a));
    else {
      using result = std::remove_cvref_t<decltype(eval(static_cast<A&&>(a)))>;
      const auto kept = std::make_shared<result>(eval(static_cast<A&&>(a)));
      hold(detail::as_node(*kept));
      kept_ = kept;
    }
  }

  runtime::npz_written written() const {
    return {&name_, type_, extents_.data(), static_cast<int>(extents_.size()), elements_};
  }

 private:
  template <class V>
  void hold(const V& v) {
    const auto s = v.shape();
    extents_.assign(s.data(), s.data() + detail::rank_of<V>);
    elements_ = v.data();
  }

  std::string name_;
  dtype type_;
  std::vector<index> extents_;
  const void* elements_ = nullptr;
  std::shared_ptr<const void> kept_;
};

// Asks write_npz to compress, as savez_compressed does.
inline constexpr struct compressed_t {
} compressed{};

// write_npz("x.npz", {{"a", a}, {"b", b + 1}}), write_npz("x.npz", {...}, bl::compressed): a file that numpy.load
// reads. Equal arrays give equal files. It appears when it is complete: an interrupted write leaves what was there.
// Throws io_error that names the file and the reason: a name that is empty or there twice, what the system says, and
// where the library was built without minizip.
inline constexpr struct write_npz_t {
  void operator()(const std::string& file, std::initializer_list<npz_entry> arrays) const {
    write(file, arrays.begin(), arrays.size(), false);
  }
  void operator()(const std::string& file, std::initializer_list<npz_entry> arrays, compressed_t) const {
    write(file, arrays.begin(), arrays.size(), true);
  }
  void operator()(const std::string& file, const std::vector<npz_entry>& arrays) const {
    write(file, arrays.data(), arrays.size(), false);
  }
  void operator()(const std::string& file, const std::vector<npz_entry>& arrays, compressed_t) const {
    write(file, arrays.data(), arrays.size(), true);
  }

 private:
  static void write(const std::string& file, const npz_entry* arrays, std::size_t count, bool packed) {
    std::vector<runtime::npz_written> list;
    for (std::size_t i = 0; i < count; ++i) list.push_back(arrays[i].written());
    runtime::write_npz(file.c_str(), list.data(), count, packed);
  }
} write_npz{};

}  // namespace broadloom
