// Rows of an expression that are reduced as they are computed, by kernels that programs with optimisation have, as part
// of a larger one: the bits of the separate steps, whatever the rows share, and nothing is read behind the last row.
// Build: optimised
#include <broadloom/broadloom.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include <boost/test/unit_test.hpp>

namespace bl = broadloom;
using namespace bl::literals;

namespace {

template <class T>
using matrix = bl::dtensor<T, 2>;

// Numbers that end where memory ends.
template <class T>
class at_the_end {
 public:
  at_the_end(bl::index rows, bl::index n) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t bytes = static_cast<std::size_t>(rows * n) * sizeof(T), whole = (bytes + page - 1) / page * page;
    bytes_ = whole + page;
    memory_ = static_cast<char*>(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    BOOST_REQUIRE(mprotect(memory_ + whole, page, PROT_NONE) == 0);
    data_ = reinterpret_cast<T*>(memory_ + whole - bytes);
    for (bl::index i = 0; i < rows; ++i)
      for (bl::index j = 0; j < n; ++j)
        data_[i * n + j] = static_cast<T>((i * 37 + j * 101) % 1009 - 500) / static_cast<T>(60);
  }
  at_the_end(const at_the_end&) = delete;
  ~at_the_end() { munmap(memory_, bytes_); }

  bl::view<const T, bl::dshape<2>> view(bl::index rows, bl::index n) const {
    return {data_, bl::dshape<2>(rows, n), bl::dyn_strides<2>{{n, 1}}};
  }

 private:
  std::size_t bytes_;
  char* memory_;
  T* data_;
};

// `terms` of the rows x, the row g and the column c are what is added up, or whose largest is taken.
template <class T, class F>
void compare(const F& terms) {
  for (const bl::index n : {64, 128, 131, 300, 1024, 1100, 2500})
    for (const bl::index rows : {1, 5, 37, 203}) {
      const at_the_end<T> of_x(rows, n), of_g(1, n), of_c(rows, 1);
      const auto x = of_x.view(rows, n), g = of_g.view(1, n), c = of_c.view(rows, 1);
      const matrix<T> elements = terms(x, g, c);
      const matrix<T> sums = bl::sum(elements, 1_c, bl::keepdim), largest = bl::amax(elements, 1_c, bl::keepdim);
      const matrix<T> less = x - sums, more = x + largest;
      for (const int threads : {1, 3}) {
        const auto how = bl::par.threads(threads);
        const matrix<T> with_sums(x - bl::sum(terms(x, g, c), 1_c, bl::keepdim), how);
        const matrix<T> with_largest(x + bl::amax(terms(x, g, c), 1_c, bl::keepdim), how);
        const auto bytes = static_cast<std::size_t>(rows * n) * sizeof(T);
        BOOST_TEST(std::memcmp(with_sums.data(), less.data(), bytes) == 0,
                   rows << " x " << n << ", " << threads << " threads, sums");
        BOOST_TEST(std::memcmp(with_largest.data(), more.data(), bytes) == 0,
                   rows << " x " << n << ", " << threads << " threads, largest");
      }
    }
}

template <class F>
void at_every_level(const F& terms) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    compare<float>(terms);
    compare<double>(terms);
  }
  bl::set_isa(bl::runtime::highest_isa());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fuse_row_reduction)

BOOST_AUTO_TEST_CASE(products_and_squares) {
  at_every_level([](const auto& x, const auto&, const auto&) { return x * x; });
  at_every_level([](const auto& x, const auto& g, const auto&) { return x * g; });
}

BOOST_AUTO_TEST_CASE(what_a_row_or_a_column_shares) {
  at_every_level([](const auto& x, const auto& g, const auto& c) { return x * c + g; });
  at_every_level([](const auto& x, const auto&, const auto& c) { return bl::abs(x - c) * 2; });
}

BOOST_AUTO_TEST_SUITE_END()
