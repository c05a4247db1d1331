// The .npy format, for files on disk and in archives.
#pragma once

#include <string>

#include <broadloom/io/npy.hpp>

namespace broadloom::runtime {

// Throw io_error: "call: file: reason".
[[noreturn]] void fail_io(const char* call, const char* file, const std::string& reason);
[[noreturn]] void fail_io_by_errno(const char* call, const char* file);

std::size_t bytes_of(dtype);
// As Python writes a tuple: "(2, 3)", "(3,)".
std::string extents_text(const index* extents, int rank);

// The longest header of versions 1 and 2 without structured elements.
inline constexpr std::size_t longest_npy_start = 65535 + 10;

// Throws io_error, which names the expected and the actual type or rank, if they differ. An expected rank below 0
// accepts any.
void expect_npy(const char* call, const char* file, const npy_header& header, dtype type, int rank);
// Reads the elements of an array in an archive, as they are there.
void read_member(npy_source& from, void* elements);
// Converts the bytes of a file to elements in place: native byte order, each bool 0 or 1.
void make_native(const npy_header& header, void* elements);
// All that precedes the elements of a file whose elements are row-major.
std::string npy_start(dtype type, const index* extents, int rank);

}  // namespace broadloom::runtime
