// HDF5 files as operands and outputs: what is written comes back, is complete or not there, and errors say why.
// Build: sanitizers-alone (GCC would have to find HDF5 to parse it)
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <boost/test/unit_test.hpp>
#include <broadloom/broadloom.hpp>
#include <broadloom/eval/progress.hpp>
#include <broadloom/eval/stop.hpp>
#include <broadloom/half.hpp>
#include <broadloom/io/hdf5.hpp>
#include <complex>
#include <csignal>
#include <filesystem>
#include <string>
#include <support/hdf5_sets.hpp>
#include <support/scratch_file.hpp>
#include <support/thrown.hpp>

namespace {

template <class T>
void comes_back() {
  const scratch_file f;
  bl::dtensor<T, 2> x(7, 5);
  for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = T(static_cast<signed char>(i * 7 % 5));
  write_set(f.name, x, {.chunks = {3, 2}, .compression = 1});
  const bl::dtensor<T, 2> r = bl::hdf5::open<T, 2>(f.name, "/x");
  BOOST_TEST(std::equal(x.data(), x.data() + x.size(), r.data()));
}

// What is written once is not changed in place.
template <class Y, class X>
concept changed_in_place = requires(Y& y, const X& x) { y += x; } || requires(Y& y, const X& x) { bl::mul_(y, x); };
static_assert(changed_in_place<bl::dtensor<float, 2>, float>);
static_assert(!changed_in_place<bl::hdf5_target<float, 2>, float>);
static_assert(!changed_in_place<bl::hdf5_target<float, 2>, bl::dtensor<float, 2>>);

}  // namespace

BOOST_AUTO_TEST_SUITE(io_hdf5)

BOOST_AUTO_TEST_CASE(elements_come_back) {
  comes_back<bool>();
  comes_back<std::int16_t>();
  comes_back<std::uint64_t>();
  comes_back<double>();
  comes_back<std::complex<float>>();
  comes_back<bl::float16>();
  comes_back<bl::bfloat16>();
}

// The type is made as h5py makes that of float16; elements are written by HDF5 alone.
BOOST_AUTO_TEST_CASE(all_halves_of_h5py_come_with_their_bits) {
  for (const bool big : {false, true}) {
    const scratch_file f;
    const hid_t type = H5Tcopy(big ? H5T_IEEE_F32BE : H5T_IEEE_F32LE);
    H5Tset_fields(type, 15, 10, 5, 0, 10);
    H5Tset_size(type, 2);
    H5Tset_ebias(type, 15);
    const hsize_t extents[] = {256, 256};
    const hid_t file = H5Fcreate(f.name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(2, extents, nullptr);
    const hid_t set = H5Dcreate2(file, "/x", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    std::vector<std::uint16_t> bits(65536);
    for (std::size_t i = 0; i < bits.size(); ++i)
      bits[i] = static_cast<std::uint16_t>(big ? (i & 255) << 8 | i >> 8 : i);
    BOOST_TEST(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bits.data()) >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Fclose(file);
    const auto x = bl::hdf5::open<bl::float16, 2>(f.name, "/x");
    const auto read = bl::hdf5::eval(x, {.memory = 64 << 10});
    bool equal = true;
    for (std::size_t i = 0; i < bits.size(); ++i) equal = equal && std::bit_cast<std::uint16_t>(read.data()[i]) == i;
    BOOST_TEST(equal);
    const auto finite = bl::eval(bl::where(bl::isfinite(read), read, bl::float16(1)));
    const auto on_file = bl::where(bl::isfinite(x), x, bl::float16(1));
    BOOST_TEST(same_bits(bl::hdf5::eval(on_file * 3 - bl::amax(on_file, 0), {.memory = 64 << 10}),
                         bl::eval(finite * 3 - bl::amax(finite, 0))));
    // What is written has h5py's type.
    const scratch_file g;
    write_set(g.name, read);
    const hid_t again = H5Fopen(g.name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), y = H5Dopen2(again, "/x", H5P_DEFAULT);
    const hid_t written = H5Dget_type(y);
    BOOST_TEST((H5Tequal(written, type) > 0) == !big);
    H5Tclose(written);
    H5Tclose(type);
    H5Dclose(y);
    H5Fclose(again);
  }
}

BOOST_AUTO_TEST_CASE(rank_0_and_empty_sets) {
  const scratch_file f;
  {
    auto y = bl::hdf5::create<float>(f.name, "/group/x", bl::dshape<0>());
    bl::assign(y, bl::sum(bl::dtensor<float, 1>{1, 2, 4}));
  }
  BOOST_TEST(bl::eval(bl::hdf5::open<float, 0>(f.name, "/group/x")).item() == 7);
  write_set(f.name, bl::dtensor<float, 2>(0, 3));
  const auto x = bl::hdf5::open<float, 2>(f.name, "/x");
  BOOST_TEST(bl::hdf5::eval(x * 2).size() == 0);
  const bl::dtensor<float, 1> none = bl::hdf5::eval(bl::sum(x, 0));
  BOOST_TEST((none.size() == 3 && none(1) == 0));
}

BOOST_AUTO_TEST_CASE(attributes) {
  const scratch_file f;
  {
    auto y = bl::hdf5::create<float>(f.name, "/x", bl::dshape<1>(4));
    y.set_attribute("units", "metre");
    y.set_attribute("scale", 2.5);
    bl::assign(y, bl::ones<float>(4));
  }
  const auto x = bl::hdf5::open<float, 1>(f.name, "/x");
  BOOST_TEST(x.attribute<std::string>("units") == "metre");
  BOOST_TEST(x.attribute<float>("scale") == 2.5f);
  BOOST_TEST((x.has_attribute("scale") && !x.has_attribute("offset")));
  BOOST_TEST(thrown<bl::io_error>([&] {
               x.attribute<double>("offset");
             }).starts_with("hdf5::attribute: attribute \"offset\" of \"/x\" of \"" + f.name + "\""));
  BOOST_TEST(thrown<bl::io_error>([&] { x.attribute<std::string>("scale"); }).ends_with("is no text"));
}

BOOST_AUTO_TEST_CASE(errors_name_the_file_and_the_set) {
  const scratch_file f;
  write_set(f.name, bl::eval(bl::ones<float>(4, 3)));
  const std::string set = "hdf5::open: \"/x\" of \"" + f.name + "\" ";
  BOOST_TEST((thrown<bl::io_error>([&] { bl::hdf5::open<double, 2>(f.name, "/x"); }) == set + "holds f32, not f64"));
  BOOST_TEST((thrown<bl::io_error>([&] { bl::hdf5::open<float, 3>(f.name, "/x"); }) == set + "has rank 2, not 3"));
  BOOST_TEST((thrown<bl::io_error>([&] { bl::hdf5::open<float, 2>(f.name, "/y"); }).find("object 'y' doesn't exist") !=
              std::string::npos));
  const scratch_file text;
  text.hold("no HDF5");
  BOOST_TEST((thrown<bl::io_error>([&] {
                bl::hdf5::open<float, 2>(text.name, "/x");
              }).starts_with("hdf5::open: \"" + text.name + "\"")));
  BOOST_TEST((thrown<bl::io_error>([&] {
                bl::hdf5::add<float>(f.name, "/x", bl::dshape<1>(3));
              }).find("name already exists") != std::string::npos));
  BOOST_TEST((thrown<bl::io_error>([&] {
                bl::hdf5::create<float>(f.name, "/x", bl::dshape<1>(3), {.chunks = {1, 1}});
              }) == "hdf5::create: chunks have 2 extents, and the set 1"));
}

BOOST_AUTO_TEST_CASE(a_let_of_many_arrays_streams) {
  const scratch_file f;
  const auto data = numbers<float>(40960, 16);
  write_set(f.name, data);
  const auto x = bl::hdf5::open<float, 2>(f.name, "/x");
  const auto of = [](const auto& e) {
    return bl::std(bl::exp(e * 0.001f) * e + e - e / (bl::abs(e) + 1) + bl::sqrt(bl::abs(e)), 0);
  };
  static_assert(sizeof(of(x)) > 512);
  BOOST_TEST(same_bits(bl::hdf5::eval(of(x), {.memory = 1024 * KiB}), bl::eval(of(data))));
}

BOOST_AUTO_TEST_CASE(explain_counts_passes_and_bytes) {
  const scratch_file f, g;
  const auto data = numbers<float>(40960, 16);
  write_set(f.name, data);
  const auto x = bl::hdf5::open<float, 2>(f.name, "/x");
  auto y = bl::hdf5::create<float>(g.name, "/x", x.shape());
  const auto e = (x - bl::mean(x, 0)) / bl::sqrt(bl::var(x, 0) + 1e-5f);
  const bl::hdf5::explanation plan = bl::hdf5::explain(y, e, {.memory = 1024 * KiB});
  const std::size_t all = 40960 * 16 * 4;
  BOOST_TEST(plan.passes.size() == 3u);
  BOOST_TEST(plan.bytes_read == 3 * all);
  BOOST_TEST(plan.bytes_written == all);
  BOOST_TEST(plan.memory <= 1024 * KiB);
  for (const bl::hdf5::planned_pass& p : plan.passes) BOOST_TEST(p.blocks > 2);
  BOOST_TEST((plan.passes[0].computes == std::vector<std::string>{"sum"}));
  BOOST_TEST(bl::hdf5::to_string(plan).find("in all 7864320 bytes are read and 2621440 written, in ") !=
             std::string::npos);
  bl::hdf5::assign(y, e, {.memory = 1024 * KiB});
  const bl::dtensor<float, 2> want = (data - bl::mean(data, 0)) / bl::sqrt(bl::var(data, 0) + 1e-5f);
  BOOST_TEST(same_bits(bl::eval(y), want));
  // several results share passes
  BOOST_TEST(thrown<bl::io_error>([&] { bl::hdf5::assign(y, e); }).ends_with("is written already"));
  const auto [low, high, mean] =
      bl::hdf5::eval_all({.memory = 512 * KiB}, bl::amin(x, 0), bl::amax(x, 0), bl::mean(x, 0));
  BOOST_TEST(same_bits(mean, bl::eval(bl::mean(data, 0))));
  BOOST_TEST(same_bits(high, bl::eval(bl::amax(data, 0))));
}

BOOST_AUTO_TEST_CASE(a_stop_ends_the_evaluation) {
  const scratch_file f, g;
  write_set(f.name, numbers<float>(4000, 4));
  const auto x = bl::hdf5::open<float, 2>(f.name, "/x");
  std::stop_source source;
  source.request_stop();
  const bl::stop_when token(source.get_token());
  auto y = bl::hdf5::create<float>(g.name, "/x", x.shape());
  BOOST_CHECK_THROW(bl::hdf5::assign(y, x * 2, {.how = bl::par | token}), bl::stopped);
}

BOOST_AUTO_TEST_CASE(progress_is_told_by_blocks) {
  const scratch_file f, g;
  write_set(f.name, numbers<float>(100, 4));
  const auto x = bl::hdf5::open<float, 2>(f.name, "/x");
  auto y = bl::hdf5::create<float>(g.name, "/x", x.shape());
  int reports = 0;
  double share = 0;
  const bl::on_progress told([&](const bl::progress& p) {
    ++reports;
    share = p.share();
  });
  bl::assign(y, x * 2, bl::par | told);
  BOOST_TEST(reports >= 1);
  BOOST_TEST(share == 1);
}

BOOST_AUTO_TEST_CASE(a_new_file_appears_when_it_is_complete) {
  const scratch_file f;
  f.hold("the old file");
  const auto folder = std::filesystem::path(f.name).parent_path();
  const auto leftovers = [&] {
    int n = 0;
    for (const auto& e : std::filesystem::directory_iterator(folder)) n += e.path().string().starts_with(f.name + ".");
    return n;
  };
  {
    auto y = bl::hdf5::create<float>(f.name, "/x", bl::dshape<1>(1000));
    BOOST_TEST(leftovers() == 1);
    BOOST_CHECK_THROW(bl::hdf5::assign(y, bl::zeros<float>(7)), bl::shape_error);
  }
  BOOST_TEST(leftovers() == 0);
  BOOST_TEST(f.bytes() == "the old file");
}

BOOST_AUTO_TEST_CASE(a_process_that_is_killed_leaves_the_old_file) {
  const scratch_file f, x;
  const auto data = numbers<float>(20000, 20);
  write_set(x.name, data);
  f.hold("the old file");
  for (int i = 0; i < 4; ++i) {
    int pipe[2];
    BOOST_REQUIRE(::pipe(pipe) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
      const auto a = bl::hdf5::open<float, 2>(x.name, "/x");
      auto y = bl::hdf5::create<float>(f.name, "/x", a.shape());
      // tells when it is in the midst of it, and waits for its end
      const auto told = [&](float v) {
        static bool once = false;
        if (!once) {
          once = true;
          static_cast<void>(::write(pipe[1], "x", 1));
        }
        return v;
      };
      bl::hdf5::assign(y, bl::pointwise(told, a), {.memory = 256 * KiB, .how = bl::seq});
      ::_exit(0);
    }
    ::close(pipe[1]);
    char c = 0;
    BOOST_TEST(::read(pipe[0], &c, 1) == 1);
    if (i > 0) ::usleep(static_cast<useconds_t>(drawn(3000)));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ::close(pipe[0]);
    if (WIFSIGNALED(status)) {
      const bool old = f.bytes() == "the old file";
      if (!old) {  // it was killed after it had its name
        BOOST_TEST(same_bits(bl::eval(bl::hdf5::open<float, 2>(f.name, "/x")), data));
        f.hold("the old file");
      }
    }
    for (const auto& e : std::filesystem::directory_iterator(std::filesystem::path(f.name).parent_path()))
      if (e.path().string().starts_with(f.name + ".")) std::filesystem::remove(e.path());
  }
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_an_error) {
  const scratch_file f;
  f.hold("the old file");
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100000, 100000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    int code = 1;
    try {
      auto y = bl::hdf5::create<float>(f.name, "/x", bl::dshape<2>(1000, 1000));
      bl::hdf5::assign(y, bl::ones<float>(1000, 1000), {.memory = 256 * KiB});
    } catch (const bl::io_error& e) {
      code = std::string(e.what()).find("File too large") != std::string::npos ? 0 : 2;
    }
    ::_exit(code);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  BOOST_TEST((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  BOOST_TEST(f.bytes() == "the old file");
}

BOOST_AUTO_TEST_SUITE_END()
