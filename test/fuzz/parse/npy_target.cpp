// .npy files: refused with a reason, or read, mapped, written and read again with the same elements.
#include <broadloom/io/npy.hpp>
#include <memory>
#include <vector>

#include "fuzz/parse/target.hpp"

namespace {

namespace rt = broadloom::runtime;
using broadloom::dtype;
using fuzz::require;

// An input is a whole file, or, as mutations do not keep the length in it right, a header's text, a zero, and elements.
std::string file_of(std::string_view input) {
  if (input.starts_with("\x93")) return std::string(input);
  const std::size_t end = std::min(input.find('\0'), input.size());
  std::string r("\x93NUMPY\1\0", 8);
  r += static_cast<char>(end & 255);
  r += static_cast<char>(end >> 8 & 255);
  r += input.substr(0, end);
  if (end < input.size()) r += input.substr(end + 1);
  return r;
}

std::size_t item_size(dtype t) {
  switch (t) {
    case dtype::b8:
    case dtype::i8:
    case dtype::u8: return 1;
    case dtype::i16:
    case dtype::u16:
    case dtype::f16:
    case dtype::bf16: return 2;
    case dtype::i32:
    case dtype::u32:
    case dtype::f32: return 4;
    case dtype::i64:
    case dtype::u64:
    case dtype::f64:
    case dtype::c64: return 8;
    case dtype::c128: return 16;
  }
  fuzz::fail("an element type that there is not");
}

// The elements as the file has them, turned to the processor's order one byte at a time.
std::string elements_of(const std::string& file, const rt::npy_header& h) {
  std::string r(h.bytes, '\0');
  const std::size_t each = item_size(h.type) / (broadloom::is_complex(h.type) ? 2 : 1);
  for (std::size_t i = 0; i < h.bytes; ++i)
    r[i] = file[h.offset + (h.swapped ? i / each * each + (each - 1 - i % each) : i)];
  if (h.type == dtype::b8)
    for (char& c : r) c = c != 0;
  return r;
}

void check_header(const rt::npy_header& h, std::size_t size) {
  require(h.rank >= 0 && h.rank <= rt::npy_header::max_rank, "a rank that no header can have");
  unsigned __int128 bytes = item_size(h.type);
  bool empty = false;
  for (int i = 0; i < h.rank; ++i) {
    require(h.extents[i] >= 0, "a negative extent");
    empty = empty || h.extents[i] == 0;
  }
  for (int i = 0; i < h.rank && !empty && bytes <= size; ++i) bytes *= static_cast<unsigned __int128>(h.extents[i]);
  require(h.bytes == (empty ? 0 : bytes), "the bytes of all elements are not those of the shape");
  require(h.offset <= size && h.bytes <= size - h.offset, "elements beyond the end of the file");
}

void check_mapping(const rt::npy_source& in, const std::string& name, const std::string& file) {
  void* start = nullptr;
  std::size_t length = 0;
  if (fuzz::refused<broadloom::io_error>("npy: " + name + ": ", [&] { start = rt::map(in, false, length); })) return;
  require(length <= file.size() && std::memcmp(start, file.data(), length) == 0, "a mapping is not the file");
  rt::release_mapping(start, length);
}

void check_written(const rt::npy_header& h, const std::string& elements) {
  static const fuzz::scratch_folder folder;
  const std::string name = folder.file();
  rt::write_npy(name.c_str(), h.type, h.extents, h.rank, elements.data());
  const auto again = rt::open_npy("npy", name.c_str());
  const rt::npy_header& g = again->header;
  require(g.type == h.type && g.rank == h.rank && !g.by_columns && !g.swapped, "what was written has another header");
  for (int i = 0; i < g.rank; ++i) require(g.extents[i] == h.extents[i], "what was written has another shape");
  require(g.offset % 64 == 0, "the elements of a written file are not aligned");
  std::string back(h.bytes, '\1');
  rt::read(*again, back.data());
  require(back == elements, "what was written has other elements");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string file = file_of({reinterpret_cast<const char*>(data), size});
  static const fuzz::memory_file disk;
  disk.hold(file);
  const std::string& name = disk.name();

  // A copy of the exact size, beyond which nothing may be read.
  const auto exact = std::make_unique<unsigned char[]>(file.size());
  std::memcpy(exact.get(), file.data(), file.size());
  rt::npy_header h{};
  const std::string begin = "npy: " + name + ": ";
  const bool no_header = fuzz::refused<broadloom::io_error>(
      begin, [&] { h = rt::parse_npy("npy", name.c_str(), exact.get(), file.size(), file.size()); });
  const bool no_file = fuzz::refused<broadloom::io_error>(begin, [&] {
    const auto in = rt::open_npy("npy", name.c_str());
    require(!no_header, "a file is read whose header is refused");
    check_header(h, file.size());
    const std::string elements = elements_of(file, h);
    std::string got(h.bytes, '\1');
    rt::read(*in, got.data());
    require(got == elements, "elements are read otherwise than they stand in the file");
    check_mapping(*in, name, file);
    check_written(h, elements);
  });
  require(no_header == no_file, "a header is read whose file is refused");
  return 0;
}
