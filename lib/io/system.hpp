// What files need of the operating system: POSIX, or the same on Windows. Every function returns as POSIX's does, below
// 0 or null for an error, whose reason is in errno.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace broadloom::runtime::system {

int open_to_read(const char* file);
int open_to_change(const char* file);
void close(int descriptor);
// The size of a regular file; -1 for an error, -2 for a file of another kind.
std::int64_t size_of(int descriptor);
std::ptrdiff_t read(int descriptor, void* to, std::size_t n);
std::ptrdiff_t read_at(int descriptor, void* to, std::size_t n, std::size_t offset);
std::ptrdiff_t write(int descriptor, const void* from, std::size_t n);
std::ptrdiff_t write_at(int descriptor, const void* from, std::size_t n, std::size_t offset);
// The last six characters, XXXXXX, become others, so that the file is new.
int make_temporary(std::string& name);
// Writes the file to the disk and gives it another name and the rights of the file that had the name before.
int rename_open(int descriptor, const std::string& from, const std::string& to);
void remove(const char* file);
void* map(int descriptor, std::size_t length, bool writable);
void unmap(void* start, std::size_t length);

}  // namespace broadloom::runtime::system
