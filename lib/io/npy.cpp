// NumPy's .npy files: read, mapped, or written atomically (complete or not at all).
#include <cerrno>

#include "input_file.hpp"
#include "npy_format.hpp"
#include "output_file.hpp"
#include "system.hpp"

namespace broadloom::runtime {

npy_input::npy_input(const char* call, const char* file) : call_(call), file_(file), descriptor_(-1), header_{} {
  input_file in(call, file);
  const std::size_t size = in.size();
  std::string start(size < longest_npy_start ? size : longest_npy_start, '\0');
  const std::size_t given = in.read_at(start.data(), start.size(), 0);
  header_ = parse_npy(call, file, reinterpret_cast<const unsigned char*>(start.data()), given, size);
  descriptor_ = in.release();
}

npy_input::~npy_input() { system::close(descriptor_); }

void npy_input::expect(dtype type, int rank) const { expect_npy(call_, file_.c_str(), header_, type, rank); }

void npy_input::read(void* elements) const {
  auto* const to = static_cast<unsigned char*>(elements);
  for (std::size_t done = 0; done < header_.bytes;) {
    const std::ptrdiff_t n = system::read_at(descriptor_, to + done, header_.bytes - done, header_.offset + done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_io_by_errno(call_, file_.c_str());
    if (n == 0) fail_io(call_, file_.c_str(), "the file became shorter while it was read");
    done += static_cast<std::size_t>(n);
  }
  make_native(header_, elements);
}

void* npy_input::map(bool writable, std::size_t& length) const {
  if (header_.swapped) fail_io(call_, file_.c_str(), "the bytes of its elements are in the other order: use read_npy");
  const std::size_t align = is_complex(header_.type) ? bytes_of(header_.type) / 2 : bytes_of(header_.type);
  if (header_.offset % align != 0) fail_io(call_, file_.c_str(), "its elements are not aligned: use read_npy");
  length = header_.offset + header_.bytes;
  int descriptor = descriptor_;
  if (writable) {
    descriptor = system::open_to_change(file_.c_str());
    if (descriptor < 0) fail_io_by_errno(call_, file_.c_str());
  }
  void* const start = system::map(descriptor, length, writable);
  const int reason = errno;
  if (writable) system::close(descriptor);
  errno = reason;
  if (start == nullptr) fail_io_by_errno(call_, file_.c_str());
  return start;
}

void release_mapping(void* start, std::size_t length) noexcept {
  if (start != nullptr) system::unmap(start, length);
}

void write_npy(const char* file, dtype type, const index* extents, int rank, const void* elements) {
  const std::string start = npy_start(type, extents, rank);
  const index count = detail::checked_size(extents, rank);
  output_file out("write_npy", file);
  out.write(start.data(), start.size());
  out.write(elements, static_cast<std::size_t>(count) * bytes_of(type));
  out.finish();
}

}  // namespace broadloom::runtime
