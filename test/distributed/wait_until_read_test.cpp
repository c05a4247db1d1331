// The text of a rank that ends all is read before they end.
#include <broadloom/distributed/wait_until_read.hpp>

#include <boost/test/unit_test.hpp>

#include <unistd.h>

#include <cstdio>

namespace {

using namespace std::chrono_literals;
using broadloom::distributed::detail::wait_until_read;

// A pipe in which four bytes wait.
struct full_pipe {
  int ends[2] = {-1, -1};
  full_pipe() {
    BOOST_REQUIRE(::pipe(ends) == 0);
    BOOST_REQUIRE(::write(ends[1], "text", 4) == 4);
  }
  ~full_pipe() {
    ::close(ends[0]);
    ::close(ends[1]);
  }
  full_pipe(const full_pipe&) = delete;
  full_pipe& operator=(const full_pipe&) = delete;
  [[nodiscard]] int unread() const {
    int bytes = 0;
    BOOST_REQUIRE(::ioctl(ends[0], FIONREAD, &bytes) == 0);
    return bytes;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(it_returns_when_the_last_byte_was_read) {
  const full_pipe p;
  // Slower than the one who waits; what is checked holds at any speed.
  std::thread reader([&] {
    for (int i = 0; i < 4; ++i) {
      std::this_thread::sleep_for(20ms);
      char c = 0;
      if (::read(p.ends[0], &c, 1) != 1) return;
    }
  });
  wait_until_read(p.ends[1], 60s);
  BOOST_TEST(p.unread() == 0);
  reader.join();
  wait_until_read(p.ends[1], 0ms);  // nothing waits
}

BOOST_AUTO_TEST_CASE(it_gives_up_if_nobody_reads) {
  const full_pipe p;
  const auto begin = std::chrono::steady_clock::now();
  wait_until_read(p.ends[1], 30ms);
  BOOST_TEST((std::chrono::steady_clock::now() - begin >= 30ms));
  BOOST_TEST(p.unread() == 4);
}

BOOST_AUTO_TEST_CASE(it_returns_at_once_for_what_is_no_pipe) {
  std::FILE* const file = std::tmpfile();
  BOOST_REQUIRE(file != nullptr);
  std::fputs("text", file);
  std::rewind(file);
  wait_until_read(::fileno(file), 10min);
  std::fclose(file);
  wait_until_read(-1, 10min);
}
