// What the targets of libFuzzer share: parts of an input, files in memory, and properties whose failure is a finding.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include <broadloom/core/error.hpp>

namespace fuzz {

// Reports what is wrong and stops, which libFuzzer counts as a crash and keeps the input of.
[[noreturn]] inline void fail(const std::string& what) {
  std::fprintf(stderr, "property violated: %s\n", what.c_str());
  std::abort();
}
inline void require(bool holds, const std::string& what) {
  if (!holds) fail(what);
}

// Takes numbers from an input's end and leaves the text at its start, where the mutations and the dictionary work.
class parts {
 public:
  parts(const std::uint8_t* data, std::size_t size) : text_(reinterpret_cast<const char*>(data), size) {}

  std::uint8_t byte() {
    if (text_.empty()) return 0;
    const auto x = static_cast<std::uint8_t>(text_.back());
    text_.remove_suffix(1);
    return x;
  }
  // 0 ... n - 1
  int below(int n) { return byte() % n; }
  std::int64_t word() {
    std::uint64_t x = 0;
    for (int i = 0; i < 8; ++i) x = x << 8 | byte();
    return static_cast<std::int64_t>(x);
  }
  std::string_view rest() const { return text_; }

 private:
  std::string_view text_;
};

// A regular file that no disk holds; its name is valid while it lives.
class memory_file {
 public:
  memory_file() : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    require(descriptor_ >= 0, "there is no memory for a file");
    name_ = "/proc/self/fd/" + std::to_string(descriptor_);
  }
  ~memory_file() { ::close(descriptor_); }
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;

  void hold(std::string_view bytes) const {
    require(::ftruncate(descriptor_, 0) == 0, "a file cannot be emptied");
    require(::pwrite(descriptor_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()),
            "a file cannot be filled");
  }
  const std::string& name() const { return name_; }

 private:
  int descriptor_;
  std::string name_;
};

// A name for files that are written and renamed, in a folder in memory where there is one.
class scratch_folder {
 public:
  scratch_folder() : name_(::access("/dev/shm", W_OK) == 0 ? "/dev/shm/fuzz_XXXXXX" : "/tmp/fuzz_XXXXXX") {
    require(::mkdtemp(name_.data()) != nullptr, "there is no folder for files");
  }
  ~scratch_folder() {
    ::unlink(file().c_str());
    ::rmdir(name_.c_str());
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  std::string file() const { return name_ + "/file"; }

 private:
  std::string name_;
};

// Calls f; whether it refused by an Error whose text begins as said and goes on. Any other exception ends the program.
template <class Error, class F>
bool refused(const std::string& begin, const F& f) {
  try {
    f();
    return false;
  } catch (const Error& e) {
    const std::string_view text = e.what();
    require(text.size() > begin.size() && text.substr(0, begin.size()) == begin,
            "a refusal is \"" + std::string(text) + "\", which does not begin with \"" + begin + "\" and a reason");
    return true;
  }
}

}  // namespace fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
