// NumPy's .npz archives, by minizip: listed, read, or written atomically (complete or not at all).
#include <cstring>
#include <unordered_set>

#include <broadloom/io/npz.hpp>

#include "npy_format.hpp"

#ifdef BROADLOOM_NPZ

#include "zip_streams.hpp"

namespace broadloom::runtime {

namespace {

// The name of an array's file in an archive.
struct member {
  unz64_file_pos place;
  std::string file;
  unz_file_info64 info;
  zip64_use large = zip64_use::none;
  zip64_member place_of_large{};
};

std::string member_name(unzFile archive, unz_file_info64& info) {
  if (unzGetCurrentFileInfo64(archive, &info, nullptr, 0, nullptr, 0, nullptr, 0) != UNZ_OK) return {};
  std::string name(info.size_filename, '\0');
  if (unzGetCurrentFileInfo64(archive, &info, name.data(), name.size(), nullptr, 0, nullptr, 0) != UNZ_OK) return {};
  return name;
}

struct zip_closer {
  void operator()(void* archive) const { unzClose(archive); }
};
using open_zip = std::unique_ptr<void, zip_closer>;

open_zip open(const char* call, const std::string& file, zip_stream& stream) {
  auto functions = stream.functions();
  open_zip archive(unzOpen2_64("", &functions));
  stream.rethrow();
  if (archive == nullptr)
    fail_io(call, file.c_str(), "no .npz file: it has no list of contents as archives have at their end");
  return archive;
}

// An empty archive, which minizip refuses.
bool is_empty(const input_file& disk, std::size_t size) {
  char end[22];
  return size == sizeof end && disk.read_at(end, sizeof end, 0) == sizeof end &&
         std::memcmp(end, "PK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", sizeof end) == 0;
}

struct npz_archive : npz_contents {
  npz_archive(input_file&& d, std::size_t most)
      : disk(static_cast<input_file&&>(d)), size(disk.size()), max_bytes(most) {}

  input_file disk;
  std::size_t size, max_bytes;
  std::vector<member> members;  // one for each name

  const member& find(const std::string& name) const;
};

const member& npz_archive::find(const std::string& name) const {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name || members[i].file == name) return members[i];
  std::string there;
  for (std::size_t i = 0; i < names.size() && i < 8; ++i) there += (i == 0 ? "" : ", ") + names[i];
  fail_io("npz_file", disk.name().c_str(),
          "there is no array " + name + " but " + (there.empty() ? "none at all" : there) +
              (names.size() > 8 ? ", ..." : ""));
}

}  // namespace

std::shared_ptr<const npz_contents> open_npz(const char* file, std::size_t max_bytes) {
  const auto refuse = [&](const std::string& why) { fail_io("open_npz", file, "no .npz file: " + why); };
  const auto r = std::make_shared<npz_archive>(input_file("open_npz", file), max_bytes);
  if (is_empty(r->disk, r->size)) return r;
  zip_stream stream(r->disk);
  const auto archive = open("open_npz", r->disk.name(), stream);
  unz_global_info64 all{};
  unzGetGlobalInfo64(archive.get(), &all);
  std::unordered_set<std::string> files;
  int state = all.number_entry == 0 ? UNZ_END_OF_LIST_OF_FILE : unzGoToFirstFile(archive.get());
  for (; state == UNZ_OK; state = unzGoToNextFile(archive.get())) {
    member m{};
    m.file = member_name(archive.get(), m.info);
    stream.rethrow();
    if (m.file.empty() || unzGetFilePos64(archive.get(), &m.place) != UNZ_OK)
      refuse("its list of contents cannot be read");
    m.large = read_zip64(r->disk, unzGetOffset64(archive.get()), m.place_of_large);
    if (m.large == zip64_use::damaged) refuse("its list of contents cannot be read");
    if (m.large == zip64_use::whole) {
      m.info.uncompressed_size = m.place_of_large.size;
      m.info.compressed_size = m.place_of_large.packed;
    }
    if (!files.insert(m.file).second) refuse("the name " + m.file + " is there twice");
    r->members.push_back(m);
  }
  stream.rethrow();
  if (state != UNZ_END_OF_LIST_OF_FILE || r->members.size() != all.number_entry)
    refuse("its list of contents ends early");
  for (const member& m : r->members) {
    const bool ends = m.file.size() > 4 && m.file.ends_with(".npy");
    const std::string name = ends ? m.file.substr(0, m.file.size() - 4) : m.file;
    r->names.push_back(ends && files.contains(name) ? m.file : name);
  }
  return r;
}

namespace {

// A member that is being decompressed, and the bytes of it that were read for its header.
struct npz_member : npy_source {
  explicit npz_member(const input_file& disk) : npy_source("npz_file"), bytes(disk) { in_archive = true; }

  zip_stream bytes;
  open_zip archive{};
  std::unique_ptr<zip64_reader> large{};  // instead of the archive
  std::string start{};
  std::size_t size = 0;

  [[noreturn]] void fail(const std::string& why) const { fail_io(call, name.c_str(), why); }
  void read(void* to, std::size_t n);
  void finish();
};

void npz_member::read(void* to, std::size_t n) {
  constexpr std::size_t at_once = std::size_t{1} << 30;
  for (std::size_t done = 0; done < n;) {
    const std::size_t some = n - done < at_once ? n - done : at_once;
    char* const place = static_cast<char*>(to) + done;
    const long got =
        large ? large->read(place, some) : unzReadCurrentFile(archive.get(), place, static_cast<unsigned>(some));
    bytes.rethrow();
    if (got < 0) fail("its compressed bytes are damaged");
    if (got == 0) fail("it ends early");
    done += static_cast<std::size_t>(got);
  }
}

void npz_member::finish() {
  if (large) {
    if (!large->ended_right()) fail("it is damaged: the archive's checksum is another");
    return;
  }
  const int state = unzCloseCurrentFile(archive.get());
  bytes.rethrow();
  if (state == UNZ_CRCERROR) fail("it is damaged: the archive's checksum is another");
  if (state != UNZ_OK) fail("it cannot be read to its end");
}

}  // namespace

std::shared_ptr<npy_source> open_member(const npz_contents& archive, const std::string& name) {
  const auto& of = static_cast<const npz_archive&>(archive);
  const member& m = of.find(name);
  const auto opened_member = std::make_shared<npz_member>(of.disk);
  npz_member& s = *opened_member;
  s.name = of.disk.name() + ", " + m.file;
  const auto packed = m.info.compressed_size, size = m.info.uncompressed_size;
  const auto method = m.info.compression_method;
  if ((m.info.flag & 1) != 0) s.fail("it is encrypted");
  if (method != 0 && method != Z_DEFLATED)
    s.fail("its compression method is " + std::to_string(method) + "; stored and deflated arrays are read");
  // Two bits of deflate give at most 258 bytes, and a member is no longer than its archive: no larger size is believed.
  if (packed > of.size || (method == 0 ? size != packed : size / 1032 > packed))
    s.fail("it cannot have " + std::to_string(size) + " bytes, packed in " + std::to_string(packed));
  if (size > of.max_bytes)
    s.fail("it has " + std::to_string(size) + " bytes, more than the limit of " + std::to_string(of.max_bytes));
  s.size = static_cast<std::size_t>(size);
  bool opened = false;
  if (m.large == zip64_use::whole) {
    s.large = std::make_unique<zip64_reader>(of.disk, m.place_of_large);
    opened = s.large->open(m.file, of.size);
  } else {
    s.archive = open(s.call, s.name, s.bytes);
    unz64_file_pos place = m.place;
    opened = unzGoToFilePos64(s.archive.get(), &place) == UNZ_OK && unzOpenCurrentFile(s.archive.get()) == UNZ_OK;
    s.bytes.rethrow();
  }
  if (!opened) s.fail("what precedes its bytes in the archive contradicts the list of contents");
  s.start.resize(s.size < longest_npy_start ? s.size : longest_npy_start);
  s.read(s.start.data(), s.start.size());
  s.header =
      parse_npy(s.call, s.name.c_str(), reinterpret_cast<const unsigned char*>(s.start.data()), s.start.size(), s.size);
  if (const std::size_t more = s.size - s.header.offset - s.header.bytes; more != 0)
    s.fail(std::to_string(more) + " bytes follow its elements");
  return opened_member;
}

void read_member(npy_source& from, void* elements) {
  auto& m = static_cast<npz_member&>(from);
  const std::size_t here = m.start.size() - m.header.offset;
  std::memcpy(elements, m.start.data() + m.header.offset, here);
  m.read(static_cast<char*>(elements) + here, m.header.bytes - here);
  m.finish();
}

namespace {

// An archive that is being written.
class zip_writer {
 public:
  explicit zip_writer(const char* file) : file_(file), disk_("write_npz", file), stream_(disk_) {
    auto functions = stream_.functions();
    archive_ = zipOpen2_64("", APPEND_STATUS_CREATE, nullptr, &functions);
    check(archive_ != nullptr ? ZIP_OK : ZIP_ERRNO);
  }
  ~zip_writer() {
    if (archive_ != nullptr) zipClose(archive_, nullptr);
  }
  zip_writer(const zip_writer&) = delete;
  zip_writer& operator=(const zip_writer&) = delete;

  void add(const npz_written& a, bool compressed) {
    const std::string start = npy_start(a.type, a.extents, a.rank);
    const std::size_t bytes = static_cast<std::size_t>(detail::checked_size(a.extents, a.rank)) * bytes_of(a.type);
    // The first date of the format, as numpy.savez writes it: equal arrays give equal files.
    zip_fileinfo when{};
    when.tmz_date.tm_mday = 1;
    when.tmz_date.tm_year = 1980;
    constexpr unsigned long made_by = 45, names_are_utf8 = 1UL << 11;
    const bool is_large = bytes > 0xf0000000U;
    check(zipOpenNewFileInZip4_64(archive_, (*a.name + ".npy").c_str(), &when, nullptr, 0, nullptr, 0, nullptr,
                                  compressed ? Z_DEFLATED : 0, Z_DEFAULT_COMPRESSION, 0, -MAX_WBITS, DEF_MEM_LEVEL,
                                  Z_DEFAULT_STRATEGY, nullptr, 0, made_by, names_are_utf8, is_large));
    write(start.data(), start.size());
    write(a.elements, bytes);
    check(zipCloseFileInZip(archive_));
  }
  void finish() {
    const int state = zipClose(archive_, nullptr);
    archive_ = nullptr;
    check(state);
    disk_.finish();
  }

 private:
  void write(const void* from, std::size_t n) {
    constexpr std::size_t at_once = std::size_t{1} << 30;
    for (std::size_t done = 0; done < n;) {
      const std::size_t some = n - done < at_once ? n - done : at_once;
      check(zipWriteInFileInZip(archive_, static_cast<const char*>(from) + done, static_cast<unsigned>(some)));
      done += some;
    }
  }
  void check(int state) const {
    stream_.rethrow();
    if (state != ZIP_OK) fail_io("write_npz", file_, "the archive cannot be written");
  }

  const char* file_;
  output_file disk_;
  zip_stream stream_;
  zipFile archive_ = nullptr;
};

}  // namespace

void write_npz(const char* file, const npz_written* arrays, std::size_t count, bool compressed) {
  std::unordered_set<std::string> names;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& name = *arrays[i].name;
    if (name.empty() || name.find('\0') != std::string::npos || name.size() > 65000)
      fail_io("write_npz", file, "an array's name is empty, has a zero or more than 65000 bytes");
    if (!names.insert(name).second) fail_io("write_npz", file, "the name " + name + " is there twice");
  }
  zip_writer out(file);
  for (std::size_t i = 0; i < count; ++i) out.add(arrays[i], compressed);
  out.finish();
}

}  // namespace broadloom::runtime

#else

namespace broadloom::runtime {

namespace {
[[noreturn]] void refuse(const char* call, const char* file) {
  fail_io(call, file,
          "this Broadloom was built without minizip, which reads and writes .npz; build it with -Dnpz=enabled");
}
}  // namespace

// Never called: without minizip no archive is open.
std::shared_ptr<npy_source> open_member(const npz_contents&, const std::string&) { refuse("npz_file", ""); }
void read_member(npy_source&, void*) { refuse("npz_file", ""); }

std::shared_ptr<const npz_contents> open_npz(const char* file, std::size_t) { refuse("open_npz", file); }
void write_npz(const char* file, const npz_written*, std::size_t, bool) { refuse("write_npz", file); }

}  // namespace broadloom::runtime

#endif
