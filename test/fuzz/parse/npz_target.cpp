// .npz archives: refused with a reason, or read, written stored and compressed, and read again with the same elements.
#include <array>
#include <broadloom/io/npz.hpp>
#include <vector>

#include "fuzz/parse/target.hpp"

namespace {

namespace rt = broadloom::runtime;
using fuzz::require;

std::uint32_t checksum(std::string_view bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> r{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      r[i] = i;
      for (int k = 0; k < 8; ++k) r[i] = (r[i] & 1) != 0 ? r[i] >> 1 ^ 0xedb88320U : r[i] >> 1;
    }
    return r;
  }();
  std::uint32_t c = ~0U;
  for (const char b : bytes) c = table[(c ^ static_cast<unsigned char>(b)) & 255] ^ c >> 8;
  return ~c;
}

std::string number(std::uint64_t x, int bytes) {
  std::string r;
  for (int i = 0; i < bytes; ++i) r += static_cast<char>(x >> 8 * i & 255);
  return r;
}

// An archive of one stored array, of which one number may be another than it should; from 25 on with its sizes and
// place where zip64 has them.
std::string archive_of(std::string_view member, int wrong, std::uint64_t other) {
  const std::string name = "a.npy";
  const auto field = [&](int which, std::uint64_t right, int bytes) {
    return number(which == wrong ? other : right, bytes);
  };
  const std::uint64_t n = member.size(), elsewhere = 0xffffffff;
  const bool large = wrong >= 25;
  const std::string common = field(1, 20, 2) + field(2, 0, 2) + field(3, 0, 2) + number(33 << 16, 4) +
                             field(4, checksum(member), 4) + field(5, n, 4) + field(6, n, 4) + number(name.size(), 2);
  const std::string local = "PK\3\4" + common + number(0, 2) + name + std::string(member);
  const std::string more =
      large ? field(30, 1, 2) + field(29, 24, 2) + field(26, n, 8) + field(27, n, 8) + field(28, 0, 8) : std::string();
  const std::string central = "PK\1\2" + field(7, 20, 2) + field(8, 20, 2) + field(9, 0, 2) + field(10, 0, 2) +
                              number(33 << 16, 4) + field(11, checksum(member), 4) +
                              field(12, large ? elsewhere : n, 4) + field(13, large ? elsewhere : n, 4) +
                              field(14, name.size(), 2) + field(large ? 31 : 15, more.size(), 2) + field(16, 0, 2) +
                              number(0, 8) + field(17, large ? elsewhere : 0, 4) + name + more;
  return local + central + "PK\5\6" + field(18, 0, 2) + field(19, 0, 2) + field(20, 1, 2) + field(21, 1, 2) +
         field(22, central.size(), 4) + field(23, local.size(), 4) + field(24, 0, 2);
}

struct array {
  rt::npy_header header;
  std::string elements;
};

void check_same(const rt::npz_contents& archive, const std::string& name, const array& expected) {
  const auto in = rt::open_member(archive, name);
  const auto& h = in->header;
  require(h.type == expected.header.type && h.rank == expected.header.rank, "what was written has another header");
  for (int i = 0; i < h.rank; ++i)
    require(h.extents[i] == expected.header.extents[i], "what was written has another shape");
  require(h.bytes == expected.elements.size(), "what was written has another size");
  std::string back(h.bytes, '\1');
  rt::read(*in, back.data());
  require(back == expected.elements, "what was written has other elements");
}

void check_written(const std::vector<std::string>& names, const std::vector<array>& arrays) {
  static const fuzz::scratch_folder folder;
  const std::string file = folder.file();
  std::vector<rt::npz_written> list;
  for (std::size_t i = 0; i < arrays.size(); ++i)
    list.push_back(
        {&names[i], arrays[i].header.type, arrays[i].header.extents, arrays[i].header.rank, arrays[i].elements.data()});
  for (const bool compressed : {false, true}) {
    rt::write_npz(file.c_str(), list.data(), list.size(), compressed);
    const auto again = rt::open_npz(file.c_str(), static_cast<std::size_t>(-1));
    for (std::size_t i = 0; i < arrays.size(); ++i) check_same(*again, names[i] + ".npy", arrays[i]);
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::parts in(data, size);
  std::string file(in.rest()), member;
  int wrong = 0;
  if (!file.starts_with("PK")) {
    wrong = in.below(32);
    const auto other = static_cast<std::uint64_t>(in.word());
    member = in.rest();
    file = archive_of(member, wrong, other);
  }
  static const fuzz::memory_file disk;
  disk.hold(file);
  const std::string& name = disk.name();

  std::shared_ptr<const rt::npz_contents> archive;
  const bool no_archive = fuzz::refused<broadloom::io_error>(
      "open_npz: " + name + ": ", [&] { archive = rt::open_npz(name.c_str(), std::size_t{1} << 24); });
  require(!no_archive || member.empty() || (wrong >= 1 && wrong != 25), "an archive is refused that is one");
  if (no_archive) return 0;

  std::vector<std::string> names;
  std::vector<array> arrays;
  for (const std::string& each : archive->names) {
    array a{};
    const bool refused = fuzz::refused<broadloom::io_error>("npz_file: " + name + ", ", [&] {
      const auto from = rt::open_member(*archive, each);
      a.header = from->header;
      require(a.header.bytes <= file.size() * 1032, "more elements than an archive of that size can have");
      a.elements.assign(a.header.bytes, '\1');
      rt::read(*from, a.elements.data());
    });
    if (refused) continue;
    if (!member.empty() && !a.header.swapped && a.header.type != broadloom::dtype::b8)
      require(member.substr(a.header.offset) == a.elements, "elements are read otherwise than they stand in the file");
    if (each.empty() || each.find('\0') != std::string::npos || arrays.size() == 4) continue;
    names.push_back(each);
    arrays.push_back(std::move(a));
  }
  check_written(names, arrays);
  return 0;
}
