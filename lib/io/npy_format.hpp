// What .npy files have in common wherever they lie: on the disk by themselves, or in an archive.
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

// A header of versions 1 and 2 that has no structured elements is at most this long.
inline constexpr std::size_t longest_npy_start = 65535 + 10;

// Throws io_error that names both where elements or rank are others than expected; any rank will do where it is below
// 0.
void expect_npy(const char* call, const char* file, const npy_header& header, dtype type, int rank);
// Makes what a file's elements are of its bytes: in the processor's order, each bool 0 or 1.
void make_native(const npy_header& header, void* elements);
// All that precedes the elements of a file whose elements are row-major.
std::string npy_start(dtype type, const index* extents, int rank);

}  // namespace broadloom::runtime
