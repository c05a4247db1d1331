// NumPy's .npy files: the header's grammar, reading, mapping, and writing that is complete or not there.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>

#include <broadloom/io/npy.hpp>

#include "output_file.hpp"

namespace broadloom::runtime {

namespace {

[[noreturn]] void fail(const char* call, const char* file, const std::string& reason) {
  throw io_error(std::string(call) + ": " + file + ": " + reason);
}
[[noreturn]] void fail_with_errno(const char* call, const char* file) { fail(call, file, std::strerror(errno)); }

constexpr std::size_t bytes_of(dtype t) {
  constexpr std::size_t bytes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 8, 16};
  return bytes[static_cast<int>(t)];
}

// The text between the braces of the header, read from left to right. Every failure names the file.
class header_text {
 public:
  header_text(const char* call, const char* file, const char* text, std::size_t n)
      : call_(call), file_(file), at_(text), end_(text + n) {}

  [[noreturn]] void refuse(const char* why) const { fail(call_, file_, std::string("no .npy file: ") + why); }
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
    // Python 2 wrote 3L.
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

// "<f4" and its like.
void read_type(const header_text& text, const char* call, const char* file, const std::string& name, npy_header& to) {
  const char* const kinds = "b?iufc";
  const bool ordered = name.size() >= 3 && std::strchr("<>|=", name[0]) != nullptr;
  if (!ordered || std::strchr(kinds, name[1]) == nullptr) {
    if (name.empty()) text.refuse("it names no element type");
    fail(call, file, "elements of NumPy's type '" + name + "' have no array here");
  }
  const std::string rest = name.substr(1);
  constexpr struct {
    const char* name;
    dtype type;
  } types[] = {{"b1", dtype::b8},  {"i1", dtype::i8},  {"i2", dtype::i16},  {"i4", dtype::i32}, {"i8", dtype::i64},
               {"u1", dtype::u8},  {"u2", dtype::u16}, {"u4", dtype::u32},  {"u8", dtype::u64}, {"f4", dtype::f32},
               {"f8", dtype::f64}, {"c8", dtype::c64}, {"c16", dtype::c128}};
  for (const auto& t : types)
    if (rest == t.name) {
      to.type = t.type;
      const bool little = name[0] == '<' || (name[0] != '>' && std::endian::native == std::endian::little);
      to.swapped = bytes_of(t.type) > 1 && little != (std::endian::native == std::endian::little);
      return;
    }
  fail(call, file, "elements of NumPy's type '" + name + "' have no array here");
}

void swap_bytes(unsigned char* data, std::size_t bytes, std::size_t each) {
  for (std::size_t i = 0; i + each <= bytes; i += each)
    for (std::size_t a = i, b = i + each - 1; a < b; ++a, --b) {
      const unsigned char x = data[a];
      data[a] = data[b];
      data[b] = x;
    }
}

std::string extents_text(const index* extents, int rank) {
  std::string s = "(";
  for (int i = 0; i < rank; ++i) s += (i == 0 ? "" : ", ") + std::to_string(extents[i]);
  return s + (rank == 1 ? ",)" : ")");
}

}  // namespace

npy_header parse_npy(const char* call, const char* file, const unsigned char* first, std::size_t given,
                     std::size_t size) {
  const auto refuse = [&](const char* why) { fail(call, file, std::string("no .npy file: ") + why); };
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
      if (text.next_is('[')) fail(call, file, "structured elements have no array here");
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
    fail(call, file, "the size of shape " + extents_text(r.extents, r.rank) + " does not fit an index");
  if (size < r.offset || r.bytes > size - r.offset)
    fail(call, file,
         "the file ends early: its shape " + extents_text(r.extents, r.rank) + " needs " + std::to_string(r.bytes) +
             " bytes, and there are " + std::to_string(size < r.offset ? 0 : size - r.offset));
  return r;
}

npy_input::npy_input(const char* call, const char* file) : call_(call), file_(file), descriptor_(-1), header_{} {
  descriptor_ = ::open(file, O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) fail_with_errno(call, file);
  struct closer {
    int descriptor;
    ~closer() {
      if (descriptor >= 0) ::close(descriptor);
    }
  } closing{descriptor_};
  struct stat status{};
  if (::fstat(descriptor_, &status) != 0) fail_with_errno(call, file);
  if (!S_ISREG(status.st_mode)) fail(call, file, "is no regular file");
  const auto size = static_cast<std::size_t>(status.st_size);
  // A header of version 1 has at most this many bytes, and only structured elements need a longer one.
  constexpr std::size_t longest = 65535 + 10;
  std::string start(size < longest ? size : longest, '\0');
  std::size_t given = 0;
  while (given < start.size()) {
    const ssize_t n = ::pread(descriptor_, start.data() + given, start.size() - given, static_cast<off_t>(given));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_with_errno(call, file);
    if (n == 0) break;
    given += static_cast<std::size_t>(n);
  }
  const auto* const bytes = reinterpret_cast<const unsigned char*>(start.data());
  header_ = parse_npy(call, file, bytes, given, size);
  closing.descriptor = -1;
}

npy_input::~npy_input() { ::close(descriptor_); }

void npy_input::expect(dtype type, int rank) const {
  if (header_.type != type)
    fail(call_, file_.c_str(),
         std::string("the file has elements of type ") + to_string(header_.type) + ", not " + to_string(type));
  if (header_.rank != rank)
    fail(call_, file_.c_str(),
         "the file has rank " + std::to_string(header_.rank) + ", shape " +
             extents_text(header_.extents, header_.rank) + ", not rank " + std::to_string(rank));
}

void npy_input::read(void* elements) const {
  auto* const to = static_cast<unsigned char*>(elements);
  for (std::size_t done = 0; done < header_.bytes;) {
    const ssize_t n = ::pread(descriptor_, to + done, header_.bytes - done, static_cast<off_t>(header_.offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_with_errno(call_, file_.c_str());
    if (n == 0) fail(call_, file_.c_str(), "the file became shorter while it was read");
    done += static_cast<std::size_t>(n);
  }
  if (header_.swapped) {
    const bool complex = is_complex(header_.type);
    swap_bytes(to, header_.bytes, bytes_of(header_.type) / (complex ? 2 : 1));
  }
  // A bool of any byte but 0 and 1 is none.
  if (header_.type == dtype::b8)
    for (std::size_t i = 0; i < header_.bytes; ++i) to[i] = to[i] != 0;
}

void* npy_input::map(bool writable, std::size_t& length) const {
  if (header_.swapped) fail(call_, file_.c_str(), "the bytes of its elements are in the other order: use read_npy");
  const std::size_t align = is_complex(header_.type) ? bytes_of(header_.type) / 2 : bytes_of(header_.type);
  if (header_.offset % align != 0) fail(call_, file_.c_str(), "its elements are not aligned: use read_npy");
  length = header_.offset + header_.bytes;
  int descriptor = descriptor_;
  if (writable) {
    descriptor = ::open(file_.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) fail_with_errno(call_, file_.c_str());
  }
  void* const start = ::mmap(nullptr, length, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, descriptor, 0);
  const int reason = errno;
  if (writable) ::close(descriptor);
  errno = reason;
  if (start == MAP_FAILED) fail_with_errno(call_, file_.c_str());
  return start;
}

void release_mapping(void* start, std::size_t length) noexcept {
  if (start != nullptr) ::munmap(start, length);
}

void write_npy(const char* file, dtype type, const index* extents, int rank, const void* elements) {
  constexpr const char* names[] = {"|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2",
                                   "<u4", "<u8", "<f4", "<f8", "<c8", "<c16"};
  std::string name = names[static_cast<int>(type)];
  if (std::endian::native == std::endian::big && name[0] == '<') name[0] = '>';
  std::string header =
      "{'descr': '" + name + "', 'fortran_order': False, 'shape': " + extents_text(extents, rank) + ", }";
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
  const index count = detail::checked_size(extents, rank);
  output_file out("write_npy", file);
  out.write(start.data(), start.size());
  out.write(elements, static_cast<std::size_t>(count) * bytes_of(type));
  out.finish();
}

}  // namespace broadloom::runtime
