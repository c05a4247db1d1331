// Files for minizip through our own descriptors, so that errors keep their reason and written files are complete or not
// there.
#pragma once

#include <minizip/ioapi.h>
#include <minizip/unzip.h>
#include <minizip/zip.h>

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>

#include "input_file.hpp"
#include "output_file.hpp"

namespace broadloom::runtime {

// minizip is C: no exception may pass through it. An exception of the file is kept in `failure` until the call returns.
class zip_stream {
 public:
  explicit zip_stream(const input_file& in);
  explicit zip_stream(output_file& out) : out_(&out) {}

  // To be passed to unzOpen2_64 and zipOpen2_64; refers to this object.
  zlib_filefunc64_def functions();
  // Rethrows the kept exception.
  void rethrow() const;

 private:
  static uLong read(voidpf, voidpf self, void* to, uLong n);
  static uLong write(voidpf, voidpf self, const void* from, uLong n);
  static long seek(voidpf, voidpf self, ZPOS64_T offset, int origin);

  const input_file* in_ = nullptr;
  output_file* out_ = nullptr;
  ZPOS64_T position_ = 0, size_ = 0;
  std::exception_ptr failure_;
};

// A member whose sizes or place do not fit into 32 bits. They stand in the additional fields of zip64 in the list of
// contents, which minizip 1.1 passes over where a long has 64 bits, so that it reads no such member.
struct zip64_member {
  std::uint64_t size = 0, packed = 0, offset = 0;
  unsigned method = 0;
  std::uint32_t sum = 0;
};
enum class zip64_use { none, whole, damaged };
// Reads the entry of the list of contents at this place of the file; `none` where 32 bits are enough.
zip64_use read_zip64(const input_file& in, std::uint64_t entry, zip64_member& to);

// The bytes of such a member, unpacked one after the other.
class zip64_reader {
 public:
  zip64_reader(const input_file& in, const zip64_member& m) : in_(&in), member_(m) {}
  ~zip64_reader();
  zip64_reader(const zip64_reader&) = delete;
  zip64_reader& operator=(const zip64_reader&) = delete;

  // Whether the member begins where the list of contents says, with this name.
  bool open(const std::string& name, std::size_t file_size);
  // How many bytes there were, up to n; 0 at the end, and -1 where what is packed is damaged.
  long read(void* to, std::size_t n);
  // After the last byte: whether nothing follows, and the sum over all bytes is that of the list of contents.
  bool ended_right();

 private:
  long unpack(void* to, std::size_t n);

  const input_file* in_;
  zip64_member member_;
  std::uint64_t at_ = 0, left_ = 0;  // of what is packed
  std::uint32_t sum_ = 0;
  z_stream inflate_{};
  bool inflating_ = false, at_end_ = false;
  unsigned char packed_[1 << 14];
};

}  // namespace broadloom::runtime
