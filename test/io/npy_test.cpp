// .npy files: what NumPy writes is read and mapped, what is written comes back, and hostile headers are refused.
#include <array>
#include <boost/test/unit_test.hpp>
#include <broadloom/broadloom.hpp>
#include <broadloom/io/npy.hpp>
#include <complex>
#include <filesystem>
#include <fstream>
#include <string>
#include <support/scratch_file.hpp>
#include <support/thrown.hpp>

namespace bl = broadloom;
namespace fs = std::filesystem;

namespace {

std::string npy(const std::string& header, const std::string& elements, char version = 1) {
  std::string r("\x93NUMPY", 6);
  r += version;
  r += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) r += static_cast<char>(header.size() >> 8 * i & 255);
  return r + header + elements;
}

std::string refused(const std::string& header, const std::string& elements = "") {
  const scratch_file f;
  f.hold(npy(header, elements));
  const std::string text = thrown<bl::io_error>([&] { bl::read_npy<float, 2>(f.name); });
  const std::string begin = "read_npy: " + f.name + ": ";
  BOOST_TEST(text.substr(0, begin.size()) == begin);
  return text.size() > begin.size() ? text.substr(begin.size()) : text;
}

template <class T>
void comes_back() {
  const scratch_file f;
  auto t = bl::dtensor<T, 3>(2, 3, 4);
  for (bl::index i = 0; i < t.size(); ++i) t.data()[i] = T(static_cast<signed char>(i * 7 % 5));
  bl::write_npy(f.name, t);
  auto r = bl::read_npy<T, 3>(f.name);
  BOOST_TEST((r.shape() == t.shape()));
  BOOST_TEST(std::equal(t.data(), t.data() + t.size(), r.data()));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(io_npy)

BOOST_AUTO_TEST_CASE(each_element_type_comes_back) {
  comes_back<bool>();
  comes_back<std::int8_t>();
  comes_back<std::int16_t>();
  comes_back<std::int32_t>();
  comes_back<std::int64_t>();
  comes_back<std::uint8_t>();
  comes_back<std::uint16_t>();
  comes_back<std::uint32_t>();
  comes_back<std::uint64_t>();
  comes_back<float>();
  comes_back<double>();
  comes_back<std::complex<float>>();
  comes_back<std::complex<double>>();
}

BOOST_AUTO_TEST_CASE(the_header_is_numpys_byte_for_byte) {
  const scratch_file f;
  bl::write_npy(f.name, bl::dtensor<float, 1>{1, 2, 3});
  const std::string bytes = f.bytes();
  BOOST_TEST(bytes.size() == 128U + 12U);
  BOOST_TEST(bytes.substr(0, 70) == std::string("\x93NUMPY\x01\x00\x76\x00", 10) +
                                        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }   ");
  BOOST_TEST(bytes[127] == '\n');
}

BOOST_AUTO_TEST_CASE(rank_0_empty_arrays_and_expressions) {
  const scratch_file f;
  bl::write_npy(f.name, bl::tensor<double, bl::shape<>>(2.5));
  BOOST_TEST((bl::read_npy<double, 0>(f.name).item() == 2.5));
  bl::write_npy(f.name, bl::dtensor<float, 2>(0, 3));
  BOOST_TEST((bl::read_npy<float, 2>(f.name).shape() == bl::dshape<2>(0, 3)));
  {
    auto mapped = bl::open_npy<float, 2>(f.name);
    BOOST_TEST(bl::eval(bl::sum(mapped)).item() == 0.0F);
  }
  bl::dtensor<float, 2> t{{1, 2, 3}, {4, 5, 6}};
  bl::write_npy(f.name, t.T() * 2);
  BOOST_TEST((bl::read_npy<float, 2>(f.name)(2, 1) == 12.0F));
}

BOOST_AUTO_TEST_CASE(other_orders_of_axes_and_bytes_are_read) {
  const scratch_file f;
  f.hold(
      npy("{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }\n", std::string("\0\1\0\2\0\3\0\4\0\5\1\0", 12)));
  auto t = bl::read_npy<std::int16_t, 2>(f.name);
  BOOST_TEST(t(0, 2) == 5);
  BOOST_TEST(t(1, 0) == 2);
  BOOST_TEST(t(1, 2) == 256);
  BOOST_TEST(thrown<bl::io_error>([&] { bl::open_npy<std::int16_t, 2>(f.name); }) ==
             "open_npy: " + f.name + ": the bytes of its elements are in the other order: use read_npy");
  f.hold(npy("{\"shape\":(2,2,),'descr':'|b1','fortran_order':False}", std::string("\0\1\2\0", 4), 2));
  auto b = bl::read_npy<bool, 2>(f.name);
  BOOST_TEST(b(1, 0));
  BOOST_TEST(!b(1, 1));
}

BOOST_AUTO_TEST_CASE(a_mapped_file_is_an_array_and_may_be_written) {
  const scratch_file f;
  bl::write_npy(f.name, bl::dtensor<double, 2>{{1, 2, 3}, {4, 5, 6}});
  {
    auto a = bl::open_npy<double, 2>(f.name);
    static_assert(!bl::detail::writable<decltype(a)&>);
    BOOST_TEST(bl::eval(a + 1)(1, 2) == 7.0);
    BOOST_TEST(bl::eval(bl::sum(a, bl::axes<0>))(0) == 5.0);
    BOOST_TEST((a(1, -1) == 6.0 && a(bl::all, 1)(1) == 5.0 && *a.begin() == 1.0));
    static_assert(!std::is_invocable_v<bl::npy_array<const double, 2>, int>);
    auto e = std::move(a) * 2;
    BOOST_TEST(e(0, 1) == 4.0);
  }
  {
    auto a = bl::open_npy<double, 2>(f.name, bl::writable_elements);
    a.as_view() += 10;
  }
  BOOST_TEST((bl::read_npy<double, 2>(f.name)(1, 0) == 14.0));
}

BOOST_AUTO_TEST_CASE(another_type_or_rank_is_named_with_the_files) {
  const scratch_file f;
  bl::write_npy(f.name, bl::dtensor<double, 2>(2, 3));
  BOOST_TEST(thrown<bl::io_error>([&] { bl::read_npy<float, 2>(f.name); }) ==
             "read_npy: " + f.name + ": the file has elements of type f64, not f32");
  BOOST_TEST(thrown<bl::io_error>([&] { bl::open_npy<double, 3>(f.name); }) ==
             "open_npy: " + f.name + ": the file has rank 2, shape (2, 3), not rank 3");
  BOOST_TEST(thrown<bl::io_error>([] { bl::read_npy<float, 1>("no/such/file.npy"); }) ==
             "read_npy: no/such/file.npy: No such file or directory");
  BOOST_TEST(thrown<bl::io_error>([] { bl::write_npy("no/such/file.npy", bl::dtensor<float, 1>{1}); }) ==
             "write_npy: no/such/file.npy: No such file or directory");
  BOOST_TEST(thrown<bl::io_error>([] { bl::read_npy<float, 1>("."); }) == "read_npy: .: is no regular file");
}

BOOST_AUTO_TEST_CASE(hostile_headers_are_refused_before_anything_is_allocated) {
  const std::string usual = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  BOOST_TEST(refused(usual, std::string(23, '\0')) ==
             "the file ends early: its shape (2, 3) needs 24 bytes, and there are 23");
  BOOST_TEST(refused("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4)}") ==
             "the size of shape (4611686018427387904, 4) does not fit an index");
  BOOST_TEST(refused("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999, 1)}") ==
             "no .npy file: an extent is too large");
  BOOST_TEST(refused("{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000, 1000)}") ==
             "the file ends early: its shape (1000000000000, 1000) needs 4000000000000000 bytes, and there are 0");
  BOOST_TEST(refused("{'descr': '<f4', 'fortran_order': False, 'shape': (-1, 3)}") ==
             "no .npy file: an extent is no number");
  BOOST_TEST(refused("{'descr': '<f16', 'fortran_order': False, 'shape': (2, 3)}") ==
             "elements of NumPy's type '<f16' have no array here");
  BOOST_TEST(refused("{'descr': '|O', 'fortran_order': False, 'shape': (2, 3)}") ==
             "elements of NumPy's type '|O' have no array here");
  BOOST_TEST(refused("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}") ==
             "structured elements have no array here");
  BOOST_TEST(refused("{'descr': '<f4', 'shape': (2, 3)}") ==
             "no .npy file: its header lacks descr, fortran_order or shape");
  BOOST_TEST(refused("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}") ==
             "no .npy file: its header has a key that is unknown or there twice");
  BOOST_TEST(refused(usual + "x") == "no .npy file: something follows its header's braces");
  BOOST_TEST(refused("{'descr': '<f4") == "no .npy file: its header ends early");
  BOOST_TEST(refused("") == "no .npy file: its header cannot be read");
  const scratch_file f;
  for (const std::string bytes : {"", "abc", "\x93NUMPY", "\x93NUMPY\x01"}) {
    f.hold(bytes);
    BOOST_CHECK_THROW((bl::read_npy<float, 2>(f.name)), bl::io_error);
  }
  f.hold(npy(usual, std::string(24, '\0'), 4));
  BOOST_CHECK_THROW((bl::read_npy<float, 2>(f.name)), bl::io_error);
}

BOOST_AUTO_TEST_CASE(a_write_that_fails_leaves_the_old_file_and_no_other) {
  const scratch_file f;
  bl::write_npy(f.name, bl::dtensor<float, 1>{1, 2});
  // The name belongs to a folder: renaming to it fails after everything was written.
  const std::string folder = f.name + ".d";
  BOOST_TEST_REQUIRE(fs::create_directory(folder));
  std::ofstream(folder + "/kept").close();
  BOOST_CHECK_THROW(bl::write_npy(folder, bl::dtensor<float, 1>{1}), bl::io_error);
  int others = 0;
  const fs::path name(f.name);
  for (const auto& each : fs::directory_iterator(name.parent_path()))
    others += each.path().filename().string().rfind(name.filename().string(), 0) == 0;
  BOOST_TEST(others == 2);
  BOOST_TEST(fs::remove_all(folder) == 2U);
}

BOOST_AUTO_TEST_SUITE_END()
