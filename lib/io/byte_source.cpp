// Opens texts: files and streams, whose first bytes say how they are to be read.
#include "byte_source.hpp"

#include <cstring>
#include <istream>
#include <string_view>

#include "input_file.hpp"
#include "npy_format.hpp"

namespace broadloom::runtime {

namespace {

class file_source final : public byte_source {
 public:
  file_source(const char* call, const char* file) : file_(call, file) {}
  std::size_t read_next(void* to, std::size_t n) override { return file_.read_next(to, n); }

 private:
  input_file file_;
};

class stream_source final : public byte_source {
 public:
  explicit stream_source(std::istream& in) : in_(in) {}
  std::size_t read_next(void* to, std::size_t n) override {
    const std::streamsize got = in_.rdbuf()->sgetn(static_cast<char*>(to), static_cast<std::streamsize>(n));
    if (got <= 0 && n > 0) in_.setstate(std::ios_base::eofbit);
    return got > 0 ? static_cast<std::size_t>(got) : 0;
  }

 private:
  std::istream& in_;
};

// Some bytes that were read already, and what follows them.
class continued_source final : public byte_source {
 public:
  continued_source(const char* first, std::size_t n, std::unique_ptr<byte_source> rest)
      : count_(n), rest_(static_cast<std::unique_ptr<byte_source>&&>(rest)) {
    std::memcpy(first_, first, n);
  }
  std::size_t read_next(void* to, std::size_t n) override {
    if (at_ == count_) return rest_->read_next(to, n);
    const std::size_t now = count_ - at_ < n ? count_ - at_ : n;
    std::memcpy(to, first_ + at_, now);
    at_ += now;
    return now;
  }

 private:
  char first_[2];
  std::size_t count_, at_ = 0;
  std::unique_ptr<byte_source> rest_;
};

std::unique_ptr<byte_source> text_of(const char* call, const char* name, std::unique_ptr<byte_source> from) {
  char first[2];
  std::size_t n = 0;
  for (std::size_t got = 1; n < sizeof first && got > 0; n += got) got = from->read_next(first + n, sizeof first - n);
  const std::string_view begin(first, n);
  if (begin == "\xff\xfe" || begin == "\xfe\xff")
    fail_io(call, name, "the text is UTF-16: iconv -f UTF-16 -t UTF-8 makes it one that is read");
  auto whole = std::make_unique<continued_source>(first, n, static_cast<std::unique_ptr<byte_source>&&>(from));
  if (begin != "\x1f\x8b") return whole;
  return decompressed(call, name, static_cast<std::unique_ptr<continued_source>&&>(whole));
}

}  // namespace

std::unique_ptr<byte_source> open_text(const char* call, const char* file) {
  return text_of(call, file, std::make_unique<file_source>(call, file));
}

std::unique_ptr<byte_source> open_text(const char* call, std::istream& in) {
  if (!in.good() || in.rdbuf() == nullptr) fail_io(call, "the stream", "it cannot be read");
  return text_of(call, "the stream", std::make_unique<stream_source>(in));
}

}  // namespace broadloom::runtime
