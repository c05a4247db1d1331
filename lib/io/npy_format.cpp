// The grammar of .npy headers: reading and writing.
#include <bit>
#include <cerrno>
#include <cstring>

#include "npy_format.hpp"

namespace broadloom::runtime {

void fail_io(const char* call, const char* file, const std::string& reason) {
  throw io_error(std::string(call) + ": " + file + ": " + reason);
}
void fail_io_by_errno(const char* call, const char* file) { fail_io(call, file, std::strerror(errno)); }

std::size_t bytes_of(dtype t) { return static_cast<std::size_t>(size_of(t)); }

std::string extents_text(const index* extents, int rank) {
  std::string s = "(";
  for (int i = 0; i < rank; ++i) s += (i == 0 ? "" : ", ") + std::to_string(extents[i]);
  return s + (rank == 1 ? ",)" : ")");
}

namespace {

#define BROADLOOM_DTYPE(enumerator, name, type, category, bytes, npy, dlpack, torch, hdf5) npy,
constexpr const char* npy_names[] = {
#include <broadloom/core/dtypes.def>
#undef BROADLOOM_DTYPE
};

// The text between the braces of the header, read from left to right. Every error names the file.
class header_text {
 public:
  header_text(const char* call, const char* file, const char* text, std::size_t n)
      : call_(call), file_(file), at_(text), end_(text + n) {}

  [[noreturn]] void refuse(const char* why) const { fail_io(call_, file_, std::string("no .npy file: ") + why); }
  void skip_spaces() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t')) ++at_;
  }
  bool next_is(char c) {
    skip_spaces();
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  void want(char c) {
    if (!next_is(c)) refuse("its header cannot be read");
  }
  // 'text' or "text"
  std::string quoted() {
    skip_spaces();
    if (at_ == end_ || (*at_ != '\'' && *at_ != '"')) refuse("its header cannot be read");
    const char mark = *at_++;
    const char* const first = at_;
    while (at_ < end_ && *at_ != mark) ++at_;
    if (at_ == end_) refuse("its header ends early");
    return std::string(first, at_++);
  }
  bool boolean() {
    for (const bool value : {false, true}) {
      const char* const word = value ? "True" : "False";
      const std::size_t n = std::strlen(word);
      skip_spaces();
      if (static_cast<std::size_t>(end_ - at_) >= n && std::memcmp(at_, word, n) == 0) {
        at_ += n;
        return value;
      }
    }
    refuse("its order is neither True nor False");
  }
  index number() {
    skip_spaces();
    if (at_ == end_ || *at_ < '0' || *at_ > '9') refuse("an extent is no number");
    index n = 0;
    for (; at_ < end_ && *at_ >= '0' && *at_ <= '9'; ++at_)
      if (__builtin_mul_overflow(n, index{10}, &n) || __builtin_add_overflow(n, static_cast<index>(*at_ - '0'), &n))
        refuse("an extent is too large");
    // Python 2 wrote 3L for 3.
    if (at_ < end_ && *at_ == 'L') ++at_;
    return n;
  }
  bool is_done() {
    skip_spaces();
    return at_ == end_;
  }

 private:
  const char* call_;
  const char* file_;
  const char* at_;
  const char* end_;
};

// A type descriptor such as "<f4".
void read_type(const header_text& text, const char* call, const char* file, const std::string& name, npy_header& to) {
  const char* const kinds = "b?iufc";
  const bool ordered = name.size() >= 3 && std::strchr("<>|=", name[0]) != nullptr;
  if (!ordered || std::strchr(kinds, name[1]) == nullptr) {
    if (name.empty()) text.refuse("it names no element type");
    fail_io(call, file, "elements of NumPy's type '" + name + "' have no array here");
  }
  const std::string rest = name.substr(1);
  for (int t = 0; t < dtype_count; ++t)
    if (npy_names[t] != nullptr && rest == npy_names[t]) {
      to.type = static_cast<dtype>(t);
      const bool little = name[0] == '<' || (name[0] != '>' && std::endian::native == std::endian::little);
      to.swapped = bytes_of(to.type) > 1 && little != (std::endian::native == std::endian::little);
      return;
    }
  fail_io(call, file, "elements of NumPy's type '" + name + "' have no array here");
}

void swap_bytes(unsigned char* data, std::size_t bytes, std::size_t each) {
  for (std::size_t i = 0; i + each <= bytes; i += each)
    for (std::size_t a = i, b = i + each - 1; a < b; ++a, --b) {
      const unsigned char x = data[a];
      data[a] = data[b];
      data[b] = x;
    }
}

}  // namespace

npy_header parse_npy(const char* call, const char* file, const unsigned char* first, std::size_t given,
                     std::size_t size) {
  const auto refuse = [&](const char* why) { fail_io(call, file, std::string("no .npy file: ") + why); };
  if (given < 10 || std::memcmp(first, "\x93NUMPY", 6) != 0) refuse("it does not begin as one");
  const int version = first[6];
  if (version < 1 || version > 3 || first[7] != 0) refuse("its format version is not 1.0, 2.0 or 3.0");
  const std::size_t before = version == 1 ? 10 : 12;
  if (given < before) refuse("its header ends early");
  std::size_t length = first[8] | static_cast<std::size_t>(first[9]) << 8;
  if (version > 1) length |= static_cast<std::size_t>(first[10]) << 16 | static_cast<std::size_t>(first[11]) << 24;
  if (length > given - before) refuse("its header ends early");

  npy_header r{};
  r.offset = before + length;
  header_text text(call, file, reinterpret_cast<const char*>(first) + before, length);
  bool has_type = false, has_order = false, has_shape = false;
  text.want('{');
  while (!text.next_is('}')) {
    const std::string key = text.quoted();
    text.want(':');
    if (key == "descr" && !has_type) {
      text.skip_spaces();
      if (text.next_is('[')) fail_io(call, file, "structured elements have no array here");
      read_type(text, call, file, text.quoted(), r);
      has_type = true;
    } else if (key == "fortran_order" && !has_order) {
      r.by_columns = text.boolean();
      has_order = true;
    } else if (key == "shape" && !has_shape) {
      text.want('(');
      while (!text.next_is(')')) {
        if (r.rank == npy_header::max_rank) refuse("it has more than 64 axes");
        r.extents[r.rank++] = text.number();
        if (!text.next_is(',')) {
          text.want(')');
          break;
        }
      }
      has_shape = true;
    } else
      refuse("its header has a key that is unknown or there twice");
    if (!text.next_is(',')) {
      text.want('}');
      break;
    }
  }
  if (!text.is_done()) refuse("something follows its header's braces");
  if (!has_type || !has_order || !has_shape) refuse("its header lacks descr, fortran_order or shape");

  const index count = detail::checked_size(r.extents, r.rank);
  if (count < 0 || __builtin_mul_overflow(static_cast<std::size_t>(count), bytes_of(r.type), &r.bytes))
    fail_io(call, file, "the size of shape " + extents_text(r.extents, r.rank) + " does not fit an index");
  if (size < r.offset || r.bytes > size - r.offset)
    fail_io(call, file,
            "the file ends early: its shape " + extents_text(r.extents, r.rank) + " needs " + std::to_string(r.bytes) +
                " bytes, and there are " + std::to_string(size < r.offset ? 0 : size - r.offset));
  return r;
}

void expect_npy(const char* call, const char* file, const npy_header& header, dtype type, int rank) {
  if (header.type != type)
    fail_io(call, file,
            std::string("the file has elements of type ") + to_string(header.type) + ", not " + to_string(type));
  if (rank >= 0 && header.rank != rank)
    fail_io(call, file,
            "the file has rank " + std::to_string(header.rank) + ", shape " +
                extents_text(header.extents, header.rank) + ", not rank " + std::to_string(rank));
}

void make_native(const npy_header& header, void* elements) {
  auto* const at = static_cast<unsigned char*>(elements);
  if (header.swapped) swap_bytes(at, header.bytes, bytes_of(header.type) / (is_complex(header.type) ? 2 : 1));
  // A bool of any byte but 0 and 1 is invalid.
  if (header.type == dtype::b8)
    for (std::size_t i = 0; i < header.bytes; ++i) at[i] = at[i] != 0;
}

std::string npy_start(dtype type, const index* extents, int rank) {
  // Headers refuse types that NumPy has not.
  const char order = bytes_of(type) == 1 ? '|' : std::endian::native == std::endian::big ? '>' : '<';
  std::string header = std::string("{'descr': '") + order + npy_names[static_cast<int>(type)] +
                       "', 'fortran_order': False, 'shape': " + extents_text(extents, rank) + ", }";
  // The elements begin at a multiple of 64 bytes.
  const bool long_header = header.size() + 10 + 64 > 65535;
  const std::size_t before = long_header ? 12 : 10;
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';
  std::string start("\x93NUMPY", 6);
  start += static_cast<char>(long_header ? 2 : 1);
  start += '\0';
  for (std::size_t i = 0; i < before - 8; ++i) start += static_cast<char>(header.size() >> 8 * i & 255);
  start += header;
  return start;
}

}  // namespace broadloom::runtime
