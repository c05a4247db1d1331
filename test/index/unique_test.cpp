// Runs of equal neighbours in lines long enough for whole vectors.
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <limits>
#include <type_traits>

#include <broadloom/broadloom.hpp>
#include <broadloom/sets.hpp>

namespace bl = broadloom;

namespace {

// Long enough for whole vectors of each type and a rest; runs begin anywhere, and each NaN is one.
template <class T>
void runs_of_long_lines() {
  for (const bl::index n : {1, 2, 64, 65, 66, 129, 1000, 1031})
    for (const unsigned different : {1u, 2u, 3u, 100u}) {
      bl::dtensor<T, 1> x(n);
      for (bl::index i = 0; i < n; ++i) {
        const unsigned mixed = static_cast<unsigned>(different == 3 ? i / 37 : i) * 2654435761u >> 9;
        x(i) = static_cast<T>(mixed % different);
        if (std::is_floating_point_v<T> && mixed % 41 == 5) x(i) = std::numeric_limits<T>::quiet_NaN();
      }
      const auto r = bl::unique_consecutive(x);
      bl::index run = -1, length = 0, wrong = 0;
      for (bl::index i = 0; i < n; ++i) {
        if (i == 0 || !(x(i) == x(i - 1))) {
          wrong += run >= 0 && r.counts(run) != length;
          length = 0;
          wrong += std::memcmp(&r.values.data()[++run], &x.data()[i], sizeof(T)) != 0;
        }
        ++length;
        wrong += r.inverse(i) != run;
      }
      BOOST_TEST((wrong == 0 && r.values.size() == run + 1 && r.counts(run) == length && r.counts.size() == run + 1),
                 n << " of " << different);
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(runs_of_all_types) {
  runs_of_long_lines<float>();
  runs_of_long_lines<double>();
  runs_of_long_lines<std::int8_t>();
  runs_of_long_lines<std::uint16_t>();
  runs_of_long_lines<std::int32_t>();
  runs_of_long_lines<std::int64_t>();
  BOOST_TEST(bl::unique_consecutive(bl::dtensor<float, 1>(0)).values.size() == 0);
}
