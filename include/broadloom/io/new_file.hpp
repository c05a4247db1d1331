// Files that appear when they are complete: written under another name, then renamed.
#pragma once

#include <string>

#include <broadloom/core/api.hpp>

namespace broadloom::runtime {

// Makes an empty file beside `file`, and gives its name and, in `descriptor`, the open file. Throws io_error.
BROADLOOM_API std::string make_temporary_file(const char* call, const std::string& file, int& descriptor);
// Syncs the file to the disk and gives it its name; permissions are those of the file it replaces, or of any new file.
// Does not close it. Throws io_error.
BROADLOOM_API void finish_temporary_file(const char* call, const std::string& temporary, const std::string& file,
                                         int descriptor);
// Throws io_error with the text of errno.
[[noreturn]] BROADLOOM_API void throw_errno(const char* call, const std::string& file);

}  // namespace broadloom::runtime
