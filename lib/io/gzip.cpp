// Decompresses what gzip wrote, by zlib.
#include "byte_source.hpp"

#include "npy_format.hpp"

#ifdef BROADLOOM_ZLIB
#include <string>
#include <vector>

#include <zlib.h>
#endif

namespace broadloom::runtime {

#ifdef BROADLOOM_ZLIB

namespace {

class gzip_source final : public byte_source {
 public:
  gzip_source(const char* call, const char* name, std::unique_ptr<byte_source> from)
      : call_(call), name_(name), from_(static_cast<std::unique_ptr<byte_source>&&>(from)), in_(std::size_t{1} << 16) {
    constexpr int gzip_alone = 16 + MAX_WBITS;
    if (inflateInit2(&z_, gzip_alone) != Z_OK) throw std::bad_alloc();
  }
  ~gzip_source() override { inflateEnd(&z_); }
  gzip_source(const gzip_source&) = delete;
  gzip_source& operator=(const gzip_source&) = delete;

  std::size_t read_next(void* to, std::size_t n) override {
    constexpr std::size_t most = std::size_t{1} << 30;
    const auto room = static_cast<uInt>(n < most ? n : most);
    z_.next_out = static_cast<Bytef*>(to);
    z_.avail_out = room;
    while (z_.avail_out == room && room > 0) {
      if (z_.avail_in == 0) {
        z_.next_in = in_.data();
        z_.avail_in = static_cast<uInt>(from_->read_next(in_.data(), in_.size()));
        if (z_.avail_in == 0) {
          if (!ended_) fail_io(call_, name_.c_str(), "what gzip compressed ends early");
          break;
        }
      }
      if (ended_) inflateReset(&z_);
      const int said = inflate(&z_, Z_NO_FLUSH);
      ended_ = said == Z_STREAM_END;
      if (said != Z_OK && !ended_) fail_io(call_, name_.c_str(), "what gzip compressed is damaged");
    }
    return room - z_.avail_out;
  }

 private:
  const char* call_;
  std::string name_;
  std::unique_ptr<byte_source> from_;
  std::vector<Bytef> in_;
  z_stream z_{};
  bool ended_ = false;  // a member; another one may follow
};

}  // namespace

std::unique_ptr<byte_source> decompressed(const char* call, const char* name, std::unique_ptr<byte_source> from) {
  return std::make_unique<gzip_source>(call, name, static_cast<std::unique_ptr<byte_source>&&>(from));
}

#else

std::unique_ptr<byte_source> decompressed(const char* call, const char* name, std::unique_ptr<byte_source>) {
  fail_io(call, name, "it is compressed by gzip, and this Broadloom was built without zlib: gunzip it first");
}

#endif

}  // namespace broadloom::runtime
