// NumPy's .npy files: read, mapped, or written atomically (complete or not at all).
#include <cerrno>

#include "input_file.hpp"
#include "npy_format.hpp"
#include "output_file.hpp"
#include "system.hpp"

namespace broadloom::runtime {

namespace {

struct npy_file : npy_source {
  npy_file(const char* c, const char* file) : npy_source(c) {
    input_file in(call, file);
    name = file;
    const std::size_t size = in.size();
    std::string start(size < longest_npy_start ? size : longest_npy_start, '\0');
    const std::size_t given = in.read_at(start.data(), start.size(), 0);
    header = parse_npy(call, file, reinterpret_cast<const unsigned char*>(start.data()), given, size);
    descriptor = in.release();
  }
  npy_file(const npy_file&) = delete;
  npy_file& operator=(const npy_file&) = delete;
  ~npy_file() { system::close(descriptor); }

  int descriptor = -1;
};

void read_file(const npy_file& from, void* elements) {
  auto* const to = static_cast<unsigned char*>(elements);
  const npy_header& h = from.header;
  for (std::size_t done = 0; done < h.bytes;) {
    const std::ptrdiff_t n = system::read_at(from.descriptor, to + done, h.bytes - done, h.offset + done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_io_by_errno(from.call, from.name.c_str());
    if (n == 0) fail_io(from.call, from.name.c_str(), "the file became shorter while it was read");
    done += static_cast<std::size_t>(n);
  }
}

}  // namespace

std::shared_ptr<npy_source> open_npy(const char* call, const char* file) {
  return std::make_shared<npy_file>(call, file);
}

void expect(const npy_source& from, dtype type, int rank) {
  expect_npy(from.call, from.name.c_str(), from.header, type, rank);
}

void read(npy_source& from, void* elements) {
  if (from.in_archive)
    read_member(from, elements);
  else
    read_file(static_cast<const npy_file&>(from), elements);
  make_native(from.header, elements);
}

void* map(const npy_source& from, bool writable, std::size_t& length) {
  const npy_header& h = from.header;
  const char* const file = from.name.c_str();
  if (h.swapped) fail_io(from.call, file, "the bytes of its elements are in the other order: use read_npy");
  const std::size_t align = is_complex(h.type) ? bytes_of(h.type) / 2 : bytes_of(h.type);
  if (h.offset % align != 0) fail_io(from.call, file, "its elements are not aligned: use read_npy");
  length = h.offset + h.bytes;
  int descriptor = static_cast<const npy_file&>(from).descriptor;
  if (writable) {
    descriptor = system::open_to_change(file);
    if (descriptor < 0) fail_io_by_errno(from.call, file);
  }
  void* const start = system::map(descriptor, length, writable);
  const int reason = errno;
  if (writable) system::close(descriptor);
  errno = reason;
  if (start == nullptr) fail_io_by_errno(from.call, file);
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
