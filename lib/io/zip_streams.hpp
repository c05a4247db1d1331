// Files for minizip through our own descriptors, so that errors keep their reason and written files are complete or not
// there.
#pragma once

#include <minizip/ioapi.h>
#include <minizip/unzip.h>
#include <minizip/zip.h>

#include <exception>

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

}  // namespace broadloom::runtime
