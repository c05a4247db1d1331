// The functions that minizip calls to read and write files.
#ifdef BROADLOOM_NPZ

#include "zip_streams.hpp"

#include <cstring>
#include <exception>
#include <vector>

namespace broadloom::runtime {

zip_stream::zip_stream(const input_file& in) : in_(&in), size_(in.size()) {}

void zip_stream::rethrow() const {
  if (failure_) std::rethrow_exception(failure_);
}

uLong zip_stream::read(voidpf, voidpf self, void* to, uLong n) {
  auto& s = *static_cast<zip_stream*>(self);
  if (s.in_ == nullptr) return 0;
  try {
    const auto got = static_cast<uLong>(s.in_->read_at(to, n, s.position_));
    s.position_ += got;
    return got;
  } catch (...) {
    s.failure_ = std::current_exception();
    return 0;
  }
}

uLong zip_stream::write(voidpf, voidpf self, const void* from, uLong n) {
  auto& s = *static_cast<zip_stream*>(self);
  if (s.out_ == nullptr || s.failure_) return 0;
  try {
    s.out_->write_at(from, n, s.position_);
    s.position_ += n;
    if (s.position_ > s.size_) s.size_ = s.position_;
    return n;
  } catch (...) {
    s.failure_ = std::current_exception();
    return 0;
  }
}

long zip_stream::seek(voidpf, voidpf self, ZPOS64_T offset, int origin) {
  auto& s = *static_cast<zip_stream*>(self);
  const ZPOS64_T from = origin == ZLIB_FILEFUNC_SEEK_SET ? 0 : origin == ZLIB_FILEFUNC_SEEK_CUR ? s.position_ : s.size_;
  // An archive may name any offset; there is nothing behind its end.
  if (offset > s.size_ || from > s.size_ - offset) return -1;
  s.position_ = from + offset;
  return 0;
}

zlib_filefunc64_def zip_stream::functions() {
  zlib_filefunc64_def f{};
  f.opaque = this;
  f.zopen64_file = [](voidpf opaque, const void*, int) { return opaque; };
  f.zread_file = read;
  f.zwrite_file = write;
  f.ztell64_file = [](voidpf, voidpf self) { return static_cast<zip_stream*>(self)->position_; };
  f.zseek64_file = seek;
  f.zclose_file = [](voidpf, voidpf) { return 0; };
  f.zerror_file = [](voidpf, voidpf self) { return static_cast<zip_stream*>(self)->failure_ ? 1 : 0; };
  return f;
}

namespace {

// A number of n bytes, the lowest first.
std::uint64_t number_at(const unsigned char* p, int n) {
  std::uint64_t r = 0;
  for (int i = 0; i < n; ++i) r |= std::uint64_t{p[i]} << 8 * i;
  return r;
}

}  // namespace

zip64_use read_zip64(const input_file& in, std::uint64_t entry, zip64_member& to) {
  constexpr std::uint64_t elsewhere = 0xffffffff;  // the number is in the additional fields
  unsigned char fixed[46];
  if (in.read_at(fixed, sizeof fixed, static_cast<std::size_t>(entry)) != sizeof fixed ||
      std::memcmp(fixed, "PK\1\2", 4) != 0)
    return zip64_use::none;  // the archive has something before it: minizip finds its way
  to.method = static_cast<unsigned>(number_at(fixed + 10, 2));
  to.sum = static_cast<std::uint32_t>(number_at(fixed + 16, 4));
  to.packed = number_at(fixed + 20, 4);
  to.size = number_at(fixed + 24, 4);
  to.offset = number_at(fixed + 42, 4);
  if (to.size != elsewhere && to.packed != elsewhere && to.offset != elsewhere) return zip64_use::none;
  std::vector<unsigned char> fields(static_cast<std::size_t>(number_at(fixed + 30, 2)));
  const auto place = static_cast<std::size_t>(entry + sizeof fixed + number_at(fixed + 28, 2));
  if (in.read_at(fields.data(), fields.size(), place) != fields.size()) return zip64_use::damaged;
  for (std::size_t at = 0; at + 4 <= fields.size();) {
    const auto kind = number_at(&fields[at], 2);
    std::size_t left = static_cast<std::size_t>(number_at(&fields[at + 2], 2));
    at += 4;
    if (left > fields.size() - at) return zip64_use::damaged;
    if (kind != 1) {
      at += left;
      continue;
    }
    for (std::uint64_t* const number : {&to.size, &to.packed, &to.offset}) {
      if (*number != elsewhere) continue;
      if (left < 8) return zip64_use::damaged;
      *number = number_at(&fields[at], 8);
      at += 8;
      left -= 8;
    }
    return zip64_use::whole;
  }
  return zip64_use::damaged;
}

zip64_reader::~zip64_reader() {
  if (inflating_) inflateEnd(&inflate_);
}

bool zip64_reader::open(const std::string& name, std::size_t file_size) {
  unsigned char fixed[30];
  const std::uint64_t head = sizeof fixed + name.size();
  if (member_.offset > file_size || head > file_size - member_.offset) return false;
  std::string there(name.size(), '\0');
  const auto place = static_cast<std::size_t>(member_.offset);
  if (in_->read_at(fixed, sizeof fixed, place) != sizeof fixed || std::memcmp(fixed, "PK\3\4", 4) != 0 ||
      number_at(fixed + 8, 2) != member_.method || number_at(fixed + 26, 2) != name.size() ||
      in_->read_at(there.data(), there.size(), place + sizeof fixed) != there.size() || there != name)
    return false;
  at_ = member_.offset + head + number_at(fixed + 28, 2);
  left_ = member_.packed;
  if (at_ > file_size || left_ > file_size - at_) return false;
  if (member_.method == 0) return true;
  inflating_ = inflateInit2(&inflate_, -MAX_WBITS) == Z_OK;
  return inflating_;
}

long zip64_reader::read(void* to, std::size_t n) {
  const long got = unpack(to, n);
  if (got > 0) sum_ = static_cast<std::uint32_t>(crc32(sum_, static_cast<const Bytef*>(to), static_cast<uInt>(got)));
  return got;
}

long zip64_reader::unpack(void* to, std::size_t n) {
  constexpr std::size_t at_once = std::size_t{1} << 30;
  if (n > at_once) n = at_once;
  if (member_.method == 0) {
    if (n > left_) n = static_cast<std::size_t>(left_);
    const std::size_t got = in_->read_at(to, n, static_cast<std::size_t>(at_));
    at_ += got;
    left_ -= got;
    return static_cast<long>(got);
  }
  inflate_.next_out = static_cast<Bytef*>(to);
  inflate_.avail_out = static_cast<uInt>(n);
  while (inflate_.avail_out > 0 && !at_end_) {
    if (inflate_.avail_in == 0 && left_ > 0) {
      const std::size_t some = left_ < sizeof packed_ ? static_cast<std::size_t>(left_) : sizeof packed_;
      const std::size_t got = in_->read_at(packed_, some, static_cast<std::size_t>(at_));
      at_ += got;
      left_ = got < some ? 0 : left_ - got;
      inflate_.next_in = packed_;
      inflate_.avail_in = static_cast<uInt>(got);
    }
    const int state = ::inflate(&inflate_, Z_SYNC_FLUSH);
    if (state == Z_BUF_ERROR) break;  // what is packed ends early
    if (state != Z_OK && state != Z_STREAM_END) return -1;
    at_end_ = state == Z_STREAM_END;
  }
  return static_cast<long>(n - inflate_.avail_out);
}

bool zip64_reader::ended_right() {
  unsigned char more;
  return unpack(&more, 1) == 0 && left_ == 0 && (member_.method == 0 || (at_end_ && inflate_.avail_in == 0)) &&
         sum_ == member_.sum;
}

}  // namespace broadloom::runtime

#endif
