// A file of its own in the folder for such, removed at the end.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

struct scratch_file {
  std::string name;
  scratch_file() {
    const char* const folder = std::getenv("TMPDIR");
    name = std::string(folder != nullptr ? folder : "/tmp") + "/broadloom_XXXXXX";
    ::close(::mkstemp(name.data()));
  }
  ~scratch_file() { std::remove(name.c_str()); }
  scratch_file(const scratch_file&) = delete;
  scratch_file& operator=(const scratch_file&) = delete;
  void hold(const std::string& bytes) const { std::ofstream(name, std::ios::binary) << bytes; }
  std::string bytes() const {
    std::ifstream in(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};
