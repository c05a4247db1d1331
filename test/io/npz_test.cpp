// .npz archives: what is written comes back by name, damaged and hostile archives are refused, and old files stay.
#include <boost/test/unit_test.hpp>
#include <broadloom/broadloom.hpp>
#include <broadloom/io/npz.hpp>
#include <complex>
#include <cstdint>
#include <fstream>
#include <string>
#include <support/scratch_file.hpp>
#include <support/thrown.hpp>
#include <thread>
#include <vector>

namespace bl = broadloom;

namespace {

// Whether the library was built with minizip.
bool has_minizip() {
  const scratch_file f;
  f.hold("no archive");
  return thrown<bl::io_error>([&] { bl::open_npz(f.name); }).find("minizip") == std::string::npos;
}

boost::test_tools::assertion_result with_minizip(boost::unit_test::test_unit_id) { return has_minizip(); }
boost::test_tools::assertion_result without_minizip(boost::unit_test::test_unit_id) { return !has_minizip(); }

// The number of n bytes at a position, and another in its place.
std::size_t number_at(const std::string& bytes, std::size_t at, int n) {
  std::size_t r = 0;
  for (int i = 0; i < n; ++i)
    r |= static_cast<std::size_t>(static_cast<unsigned char>(bytes[at + std::size_t(i)])) << 8 * i;
  return r;
}
void put(std::string& bytes, std::size_t at, std::size_t x, int n) {
  for (int i = 0; i < n; ++i) bytes[at + std::size_t(i)] = static_cast<char>(x >> 8 * i & 255);
}
const std::string central = "PK\1\2";

template <class T>
void comes_back(bool packed) {
  const scratch_file f;
  auto t = bl::dtensor<T, 3>(2, 3, 4);
  for (bl::index i = 0; i < t.size(); ++i) t.data()[i] = T(static_cast<signed char>(i * 7 % 5));
  if (packed)
    bl::write_npz(f.name, {{"t", t}, {"turned", t.T()}}, bl::compressed);
  else
    bl::write_npz(f.name, {{"t", t}, {"turned", t.T()}});
  const bl::npz_file z = bl::open_npz(f.name);
  BOOST_TEST((z.names() == std::vector<std::string>{"t", "turned"}));
  BOOST_TEST(std::equal(t.data(), t.data() + t.size(), z.read<T, 3>("t").data()));
  BOOST_TEST((z.type("turned") == bl::dtype_of<T>));
  BOOST_TEST((z.extents("turned") == std::vector<bl::index>{4, 3, 2}));
  const auto turned = z.read_any<T>("turned.npy");
  BOOST_TEST(bool(turned.template as_rank<3>()(3, 2, 1) == t(1, 2, 3)));
}

// An archive of two arrays of f32, stored: `large` of more than 4 GiB, a hole in the file, and behind it `small`. Sizes
// and places that do not fit into 32 bits are written as zip64 has them.
struct beyond_4_gib {
  static constexpr std::size_t count = (std::size_t{1} << 30) + 8;
  std::size_t claimed;  // what the list of contents says of the bytes of `large`

  void write(const std::string& name) const {
    std::ofstream out(name, std::ios::binary);
    const std::string large = start("1073741832,"), small = start("3,") + elements();
    const std::size_t bytes = large.size() + 4 * count;
    const std::string one = local("large.npy", 0, bytes), two = local("small.npy", crc(small), small.size());
    out << one << large;
    const std::size_t place = one.size() + bytes;
    out.seekp(static_cast<std::streamoff>(place));
    out << two << small;
    const std::size_t list = place + two.size() + small.size();
    const std::string contents =
        listed("large.npy", 0, claimed, 0) + listed("small.npy", crc(small), small.size(), place);
    out << contents << "PK\6\6" << le(44, 8) << le(45, 2) << le(45, 2) << le(0, 8) << le(2, 8) << le(2, 8)
        << le(contents.size(), 8) << le(list, 8);
    out << "PK\6\7" << le(0, 4) << le(list + contents.size(), 8) << le(1, 4);
    out << "PK\5\6" << le(0, 4) << le(2, 2) << le(2, 2) << le(contents.size(), 4) << le(full, 4) << le(0, 2);
  }

 private:
  static constexpr std::size_t full = 0xffffffff;
  static std::string le(std::size_t x, int n) {
    std::string r(std::size_t(n), '\0');
    put(r, 0, x, n);
    return r;
  }
  static std::string start(const std::string& shape) {
    std::string text = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + shape + "), }";
    text.resize(117, ' ');
    return "\x93NUMPY" + std::string("\1\0", 2) + le(118, 2) + text + "\n";
  }
  static std::string elements() {
    const float x[] = {1, 2, 3};
    return {reinterpret_cast<const char*>(x), sizeof x};
  }
  static std::size_t crc(const std::string& bytes) {
    std::uint32_t r = ~std::uint32_t{0};
    for (const char c : bytes) {
      r ^= static_cast<unsigned char>(c);
      for (int i = 0; i < 8; ++i) r = (r >> 1) ^ ((r & 1) != 0 ? 0xedb88320U : 0U);
    }
    return static_cast<std::uint32_t>(~r);
  }
  // Version, flags, method, time, date, sum over the bytes, sizes, and the lengths of name and what zip64 adds.
  static std::string common(const std::string& name, std::size_t sum, std::size_t bytes, std::size_t extra) {
    const std::size_t size = bytes < full ? bytes : full;
    return le(45, 2) + le(0, 2) + le(0, 2) + le(0, 2) + le(0x21, 2) + le(sum, 4) + le(size, 4) + le(size, 4) +
           le(name.size(), 2) + le(extra, 2);
  }
  static std::string local(const std::string& name, std::size_t sum, std::size_t bytes) {
    const std::string extra = bytes < full ? "" : le(1, 2) + le(16, 2) + le(bytes, 8) + le(bytes, 8);
    return "PK\3\4" + common(name, sum, bytes, extra.size()) + name + extra;
  }
  static std::string listed(const std::string& name, std::size_t sum, std::size_t bytes, std::size_t place) {
    const std::string more = (bytes < full ? "" : le(bytes, 8) + le(bytes, 8)) + (place < full ? "" : le(place, 8));
    const std::string extra = more.empty() ? "" : le(1, 2) + le(more.size(), 2) + more;
    return central + le(45, 2) + common(name, sum, bytes, extra.size()) + le(0, 2) + le(0, 2) + le(0, 2) + le(0, 4) +
           le(place < full ? place : full, 4) + name + extra;
  }
};

// The same archive with sizes and places of all members where zip64 has them.
std::string as_zip64(const std::string& bytes) {
  const std::size_t end = bytes.size() - 22, list = number_at(bytes, end + 16, 4);
  std::string r = bytes.substr(0, list);
  for (std::size_t at = list; at < end;) {
    const std::size_t name = number_at(bytes, at + 28, 2), extra = number_at(bytes, at + 30, 2);
    std::string entry = bytes.substr(at, 46 + name), more(28, '\0');
    put(more, 0, 1, 2);
    put(more, 2, 24, 2);
    int field = 4;
    for (const std::size_t place : {24U, 20U, 42U}) {
      put(more, std::size_t(field), number_at(entry, place, 4), 8);
      put(entry, place, 0xffffffff, 4);
      field += 8;
    }
    put(entry, 30, more.size(), 2);
    r += entry + more;
    at += 46 + name + extra;
  }
  std::string last = bytes.substr(end);
  put(last, 12, r.size() - list, 4);
  return r + last;
}

std::string refused(const scratch_file& f, const char* name = "a") {
  std::string text = thrown<bl::io_error>([&] { bl::open_npz(f.name).read<float, 2>(name); });
  const std::size_t at = text.find(f.name);
  BOOST_TEST_REQUIRE(at != std::string::npos);
  return text.substr(0, at) + "FILE" + text.substr(at + f.name.size());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(io_npz)

BOOST_AUTO_TEST_CASE(a_library_without_minizip_says_so, *boost::unit_test::precondition(without_minizip)) {
  BOOST_TEST(thrown<bl::io_error>([] { bl::write_npz("x.npz", {}); }) ==
             "write_npz: x.npz: this Broadloom was built without minizip, which reads and writes .npz; build it with "
             "-Dnpz=enabled");
}

BOOST_AUTO_TEST_SUITE(with, *boost::unit_test::precondition(with_minizip))

BOOST_AUTO_TEST_CASE(every_element_type_comes_back_stored_and_compressed) {
  for (const bool packed : {false, true}) {
    comes_back<bool>(packed);
    comes_back<std::int8_t>(packed);
    comes_back<std::int16_t>(packed);
    comes_back<std::int32_t>(packed);
    comes_back<std::int64_t>(packed);
    comes_back<std::uint8_t>(packed);
    comes_back<std::uint16_t>(packed);
    comes_back<std::uint32_t>(packed);
    comes_back<std::uint64_t>(packed);
    comes_back<float>(packed);
    comes_back<double>(packed);
    comes_back<std::complex<float>>(packed);
    comes_back<std::complex<double>>(packed);
  }
}

BOOST_AUTO_TEST_CASE(large_arrays_rank_0_empty_ones_expressions_and_lists_made_at_run_time) {
  const scratch_file f;
  bl::dtensor<double, 2> large(400, 500);
  for (bl::index i = 0; i < large.size(); ++i) large.data()[i] = static_cast<double>(i * i % 1009);
  const bl::tensor<float, bl::shape<2>> fixed{1, 2};
  std::vector<bl::npz_entry> list;
  list.emplace_back("large", large);
  list.emplace_back("number", bl::tensor<int, bl::shape<>>(7));
  list.emplace_back("none", bl::dtensor<float, 2>(0, 3));
  list.emplace_back("sum", fixed + 1);
  list.emplace_back("\xc3\xa4", fixed);
  for (const bool packed : {false, true}) {
    packed ? bl::write_npz(f.name, list, bl::compressed) : bl::write_npz(f.name, list);
    const auto z = bl::open_npz(f.name);
    BOOST_TEST(bl::all(z.read<double, 2>("large") == large).item());
    BOOST_TEST((z.read<int, 0>("number").item() == 7));
    BOOST_TEST((z.read<float, 2>("none").shape() == bl::dshape<2>(0, 3)));
    BOOST_TEST((z.read<float, 1>("sum")(1) == 3.0F));
    BOOST_TEST((z.read<float, 1>("\xc3\xa4")(0) == 1.0F));
    BOOST_TEST(z.contains("none"));
    BOOST_TEST(!z.contains("nothing"));
    BOOST_TEST((f.bytes().size() < 1000000) == packed);
  }
  const std::string once = f.bytes();
  bl::write_npz(f.name, list, bl::compressed);
  BOOST_TEST(bool(f.bytes() == once));
  bl::write_npz(f.name, {});
  BOOST_TEST(bl::open_npz(f.name).names().empty());
}

BOOST_AUTO_TEST_CASE(several_threads_read_one_file) {
  const scratch_file f;
  bl::write_npz(f.name,
                {{"a", bl::full<int>(bl::dshape<1>(100000), 1)}, {"b", bl::full<int>(bl::dshape<1>(100000), 2)}},
                bl::compressed);
  const auto z = bl::open_npz(f.name);
  long sums[4] = {};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&, i] { sums[i] = bl::sum(z.read<int, 1>(i % 2 == 0 ? "a" : "b")).item(); });
  }
  for (int i = 0; i < 4; ++i) BOOST_TEST(sums[i] == 100000 * (1 + i % 2));
}

BOOST_AUTO_TEST_CASE(what_is_not_there_or_is_another_is_named) {
  const scratch_file f;
  bl::write_npz(f.name, {{"a", bl::dtensor<double, 2>(2, 3)}, {"b", bl::dtensor<float, 1>(4)}});
  BOOST_TEST(refused(f) == "npz_file: FILE, a.npy: the file has elements of type f64, not f32");
  BOOST_TEST(refused(f, "b") == "npz_file: FILE, b.npy: the file has rank 1, shape (4,), not rank 2");
  BOOST_TEST(refused(f, "c") == "npz_file: FILE: there is no array c but a, b");
  BOOST_TEST(thrown<bl::io_error>([] { bl::open_npz("no/such.npz"); }) ==
             "open_npz: no/such.npz: No such file or directory");
  BOOST_TEST(thrown<bl::io_error>([] { bl::open_npz("."); }) == "open_npz: .: is no regular file");
  const bl::dtensor<float, 1> t{1};
  BOOST_TEST(thrown<bl::io_error>([&] { bl::write_npz("x.npz", {{"a", t}, {"a", t}}); }) ==
             "write_npz: x.npz: the name a is there twice");
  BOOST_TEST(thrown<bl::io_error>([&] { bl::write_npz("x.npz", {{"", t}}); }) ==
             "write_npz: x.npz: an array's name is empty, has a zero or more than 65000 bytes");
  BOOST_TEST(thrown<bl::io_error>([&] { bl::write_npz("no/such.npz", {{"a", t}}); }) ==
             "write_npz: no/such.npz: No such file or directory");
}

BOOST_AUTO_TEST_CASE(hostile_archives_are_refused_before_anything_is_allocated) {
  const scratch_file f;
  bl::write_npz(f.name, {{"a", bl::dtensor<float, 2>(20, 30)}, {"b", bl::dtensor<float, 1>(4)}}, bl::compressed);
  const std::string good = f.bytes();
  const std::size_t entry = good.find(central), next = good.find(central, entry + 4);
  BOOST_TEST_REQUIRE(next != std::string::npos);
  const auto with = [&](std::size_t at, std::size_t x, int n) {
    std::string bytes = good;
    put(bytes, at, x, n);
    f.hold(bytes);
  };
  const std::size_t packed = number_at(good, entry + 20, 4);
  BOOST_TEST(number_at(good, entry + 24, 4) == 128U + 2400U);

  with(entry + 24, 0x7fffffff, 4);
  BOOST_TEST(refused(f) ==
             "npz_file: FILE, a.npy: it cannot have 2147483647 bytes, packed in " + std::to_string(packed));
  with(entry + 20, 0x7fffffff, 4);
  BOOST_TEST(refused(f) == "npz_file: FILE, a.npy: it cannot have 2528 bytes, packed in 2147483647");
  with(entry + 24, 2529, 4);
  BOOST_TEST(refused(f) ==
             "npz_file: FILE, a.npy: what precedes its bytes in the archive contradicts the list of contents");
  with(entry + 10, 12, 2);
  BOOST_TEST(refused(f) == "npz_file: FILE, a.npy: its compression method is 12; stored and deflated arrays are read");
  with(entry + 8, number_at(good, entry + 8, 2) | 1, 2);
  BOOST_TEST(refused(f) == "npz_file: FILE, a.npy: it is encrypted");
  with(next + 46, 'a', 1);
  BOOST_TEST(refused(f) == "open_npz: FILE: no .npz file: the name a.npy is there twice");
  with(next, 0, 1);
  BOOST_TEST(refused(f).starts_with("open_npz: FILE: no .npz file: "));
  f.hold(good.substr(0, entry));
  BOOST_TEST(refused(f) == "open_npz: FILE: no .npz file: it has no list of contents as archives have at their end");
  f.hold("");
  BOOST_TEST(refused(f).starts_with("open_npz: FILE: no .npz file: "));

  // A limit for files of unknown origin.
  f.hold(good);
  const auto limited = bl::open_npz(f.name, {.max_bytes = 1000});
  BOOST_TEST(thrown<bl::io_error>([&] {
               limited.read<float, 2>("a");
             }).ends_with(", a.npy: it has 2528 bytes, more than the limit of 1000"));
  BOOST_TEST((limited.read<float, 1>("b").shape()[0] == 4));
}

BOOST_AUTO_TEST_CASE(beyond_4_gib_sizes_and_places_are_those_of_zip64) {
  const scratch_file f;
  constexpr std::size_t bytes = 128 + 4 * beyond_4_gib::count;
  beyond_4_gib{bytes}.write(f.name);
  const auto z = bl::open_npz(f.name, {.max_bytes = std::size_t{1} << 20});
  BOOST_TEST((z.names() == std::vector<std::string>{"large", "small"}));
  const auto small = z.read<float, 1>("small");
  BOOST_TEST((small.shape() == bl::dshape<1>(3)));
  BOOST_TEST(small(2) == 3.0F);
  BOOST_TEST(thrown<bl::io_error>([&] {
               z.read<float, 1>("large");
             }).ends_with(", large.npy: it has " + std::to_string(bytes) + " bytes, more than the limit of 1048576"));
  // Without a limit its header is read, and what it has of elements is not for a type or rank that they do not have.
  const auto all = bl::open_npz(f.name);
  BOOST_TEST((all.extents("large") == std::vector<bl::index>{bl::index(beyond_4_gib::count)}));
  BOOST_TEST((all.type("large") == bl::dtype::f32));
  BOOST_TEST(refused(f, "large") == "npz_file: FILE, large.npy: the file has rank 1, shape (1073741832,), not rank 2");

  beyond_4_gib{std::size_t{1} << 62}.write(f.name);
  BOOST_TEST(refused(f, "large") ==
             "npz_file: FILE, large.npy: it cannot have 4611686018427387904 bytes, packed in 4611686018427387904");
}

BOOST_AUTO_TEST_CASE(members_with_numbers_of_zip64_are_read_and_damaged_ones_refused) {
  const scratch_file f;
  bl::dtensor<float, 2> t(200, 300);
  for (bl::index i = 0; i < t.size(); ++i) t.data()[i] = static_cast<float>(i % 1009);
  for (const bool packed : {false, true}) {
    const std::vector<bl::npz_entry> list = [&] {
      std::vector<bl::npz_entry> r;
      r.emplace_back("a", t);
      r.emplace_back("none", bl::dtensor<float, 2>(0, 3));
      r.emplace_back("b", bl::tensor<float, bl::shape<2>>{1, 2});
      return r;
    }();
    packed ? bl::write_npz(f.name, list, bl::compressed) : bl::write_npz(f.name, list);
    const std::string good = as_zip64(f.bytes());
    f.hold(good);
    const auto z = bl::open_npz(f.name);
    BOOST_TEST(bl::all(z.read<float, 2>("a") == t).item());
    BOOST_TEST((z.read<float, 2>("none").shape() == bl::dshape<2>(0, 3)));
    BOOST_TEST((z.read<float, 1>("b")(1) == 2.0F));

    // Elements that changed, bytes that are missing, and a list of contents that says something else.
    int found = 0, tried = 0;
    for (std::size_t i = 0; i + 1 < good.size(); i += good.size() / 97, ++tried) {
      std::string other = good;
      other[i] = static_cast<char>(other[i] ^ 0x55);
      f.hold(other);
      const std::string text = thrown<bl::io_error>([&] {
        if (!bl::all(bl::open_npz(f.name).read<float, 2>("a") == t).item()) throw bl::io_error("wrong elements");
      });
      BOOST_TEST(text != "wrong elements");
      found += text != "nothing was thrown";
    }
    BOOST_TEST(found > tried / 2);
    const std::size_t entry = good.find(central), fields = entry + 46 + 5;
    const auto with = [&](std::size_t at, std::size_t x, int n) {
      std::string bytes = good;
      put(bytes, at, x, n);
      f.hold(bytes);
    };
    with(fields + 2, 8, 2);
    BOOST_TEST(refused(f).starts_with("open_npz: FILE: no .npz file: its list of contents "));
    with(fields + 20, good.size() + 1, 8);
    BOOST_TEST(refused(f) ==
               "npz_file: FILE, a.npy: what precedes its bytes in the archive contradicts the list of contents");
    with(fields + 20, ~std::size_t{0}, 8);
    BOOST_TEST(refused(f) ==
               "npz_file: FILE, a.npy: what precedes its bytes in the archive contradicts the list of contents");
    with(entry + 16, 7, 4);
    BOOST_TEST(refused(f) == "npz_file: FILE, a.npy: it is damaged: the archive's checksum is another");
  }
}

BOOST_AUTO_TEST_CASE(damaged_bytes_are_found) {
  const scratch_file f;
  bl::dtensor<float, 2> t(20, 30);
  for (bl::index i = 0; i < t.size(); ++i) t.data()[i] = static_cast<float>(i);
  bl::write_npz(f.name, {{"a", t}});
  const std::string stored = f.bytes();
  std::string bytes = stored;
  bytes[1000] = static_cast<char>(bytes[1000] ^ 4);
  f.hold(bytes);
  BOOST_TEST(refused(f) == "npz_file: FILE, a.npy: it is damaged: the archive's checksum is another");
  // A header that asks for other bytes than the member has.
  const std::size_t shape = stored.find("(20, 30)");
  bytes = stored;
  bytes[shape + 1] = '9';
  f.hold(bytes);
  BOOST_TEST(refused(f) ==
             "npz_file: FILE, a.npy: the file ends early: its shape (90, 30) needs 10800 bytes, and there are 2400");
  bytes[shape + 1] = '1';
  f.hold(bytes);
  BOOST_TEST(refused(f) == "npz_file: FILE, a.npy: 1200 bytes follow its elements");
  bl::write_npz(f.name, {{"a", t}}, bl::compressed);
  bytes = f.bytes();
  int found = 0, tried = 0;
  for (std::size_t i = 40; i + 100 < bytes.size(); i += 13, ++tried) {
    std::string other = bytes;
    other[i] = static_cast<char>(other[i] ^ 0x55);
    f.hold(other);
    const std::string text = thrown<bl::io_error>([&] {
      if (!bl::all(bl::open_npz(f.name).read<float, 2>("a") == t).item()) throw bl::io_error("wrong elements");
    });
    BOOST_TEST(text != "wrong elements");
    found += text != "nothing was thrown";
  }
  BOOST_TEST(found > tried / 2);
}

BOOST_AUTO_TEST_CASE(a_write_that_fails_leaves_the_old_file_and_no_other) {
  const scratch_file f;
  const bl::dtensor<float, 1> t{1};
  const std::string folder = f.name + ".d";
  BOOST_TEST_REQUIRE(std::system(("mkdir " + folder + " && touch " + folder + "/kept").c_str()) == 0);
  BOOST_CHECK_THROW(bl::write_npz(folder, {{"a", t}}), bl::io_error);
  BOOST_TEST(std::system(("test $(ls -d " + f.name + "* | wc -l) = 2").c_str()) == 0);
  BOOST_TEST(std::system(("rm -r " + folder).c_str()) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
