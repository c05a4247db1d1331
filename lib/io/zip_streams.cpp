// The functions that minizip calls to read and write files.
#ifdef BROADLOOM_NPZ

#include "zip_streams.hpp"

#include <exception>

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

}  // namespace broadloom::runtime

#endif
