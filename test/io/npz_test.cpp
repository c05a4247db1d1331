// .npz archives: what is written comes back by name, damaged and hostile archives are refused, and old files stay.
#include <boost/test/unit_test.hpp>
#include <broadloom/broadloom.hpp>
#include <broadloom/io/npz.hpp>
#include <complex>
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
