// Where the bytes of a text come from: a file, a stream of the program, or either compressed by gzip.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <memory>

namespace broadloom::runtime {

class byte_source {
 public:
  virtual ~byte_source() = default;
  // At most n bytes, and 0 only at the end. Throws io_error, which names the caller, the file and the reason.
  virtual std::size_t read_next(void* to, std::size_t n) = 0;
};

// Bytes that begin as gzip's are given decompressed. What is UTF-16 is refused.
std::unique_ptr<byte_source> open_text(const char* call, const char* file);
std::unique_ptr<byte_source> open_text(const char* call, std::istream& in);

// What gzip compressed, one member after the other: by zlib, if the library was built with it.
std::unique_ptr<byte_source> decompressed(const char* call, const char* name, std::unique_ptr<byte_source> from);

}  // namespace broadloom::runtime
