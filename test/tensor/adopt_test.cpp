// Memory that another owner allocated becomes an array: nothing is copied, and the owner frees it once.
#include <broadloom/tensor/adopt.hpp>

#include <boost/test/unit_test.hpp>
#include <memory>
#include <vector>

#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

template <class X>
concept adoptable = requires(X&& x) { bl::adopt(static_cast<X&&>(x)); };
using namespace bl::literals;

BOOST_AUTO_TEST_SUITE(tensor_adopt)

struct counting_delete {
  int* count;
  void operator()(const double* p) const {
    ++*count;
    delete[] p;
  }
};
using counted_pointer = std::unique_ptr<double[], counting_delete>;

counted_pointer numbers(int n, int& freed) {
  counted_pointer p(new double[static_cast<std::size_t>(n)], counting_delete{&freed});
  for (int i = 0; i < n; ++i) p[static_cast<std::size_t>(i)] = i;
  return p;
}

static_assert(!adoptable<std::vector<bool>> && adoptable<std::vector<float>>);
static_assert(std::is_same_v<decltype(bl::adopt(std::vector<float>(), 2, 3_c).shape()), const bl::shape<bl::dyn, 3>&>);

BOOST_AUTO_TEST_CASE(a_vector_is_an_array_of_any_shape) {
  for (bl::index rows = 0; rows < 6; ++rows)
    for (bl::index columns = 0; columns < 6; ++columns) {
      std::vector<float> v(static_cast<std::size_t>(rows * columns));
      for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<float>(i);
      const float* const memory = v.data();
      auto a = bl::adopt(std::move(v), rows, columns);
      BOOST_TEST(a.data() == memory);
      BOOST_TEST(a.size() == rows * columns);
      bl::dtensor<float, 2> wanted = a.T() * 2;
      for (bl::index i = 0; i < rows; ++i)
        for (bl::index j = 0; j < columns; ++j) BOOST_TEST(wanted(j, i) == 2 * static_cast<float>(i * columns + j));
      a += 1;
      bl::assign(a, a * 3);
      if (rows > 0) a(0) = 0.5f;
      const std::vector<float> back = std::move(a).release();
      BOOST_TEST(back.data() == memory);
      for (std::size_t i = 0; i < back.size(); ++i)
        BOOST_TEST(back[i] == (i < static_cast<std::size_t>(columns) ? 0.5f : 3 * (static_cast<float>(i) + 1)));
    }
  const auto line = bl::adopt(std::vector<int>{3, 1, 2});
  BOOST_TEST(line.rank() == 1);
  BOOST_TEST(static_cast<int>(bl::sum(line)) == 6);
}

BOOST_AUTO_TEST_CASE(a_deleter_is_called_once) {
  int freed = 0;
  {
    auto a = bl::adopt(numbers(6, freed), bl::shape<2, 3>{});
    a(1, 2) = 50;
    BOOST_TEST(bl::eval(bl::sum(a)).item() == 60);
    // An rvalue moves into the tree, which is copied without elements.
    const double* const memory = a.data();
    const auto tree = a + 0.0;
    BOOST_TEST(tree(1, 2) == 50);
    auto owning = bl::adopt(numbers(4, freed), 4) * 2;
    const auto copy = owning;
    BOOST_TEST(copy(3) == 6);
    BOOST_TEST(a.data() == memory);
    BOOST_TEST(freed == 0);
  }
  BOOST_TEST(freed == 2);
  {
    auto a = bl::adopt(numbers(6, freed), bl::shape<2, 3>{});
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(a.shape())>, bl::shape<2, 3>>);
    const double* const memory = a.data();
    const counted_pointer back = std::move(a).release();
    BOOST_TEST(back.get() == memory);
    BOOST_TEST(freed == 2);
  }
  BOOST_TEST(freed == 3);
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused_and_stays) {
  std::vector<float> v{1, 2, 3, 4, 5};
  BOOST_CHECK_THROW(bl::adopt(std::move(v), 2, 3), bl::shape_error);
  BOOST_TEST(v.size() == 5u);
  BOOST_CHECK_THROW(bl::adopt(std::move(v), -1, 3), bl::shape_error);
  BOOST_CHECK_THROW(bl::adopt(std::move(v), bl::index{1} << 40, bl::index{1} << 40), bl::shape_error);
  BOOST_TEST(v.size() == 5u);
  BOOST_TEST(bl::adopt(std::move(v), 2, 2).size() == 4);
}

BOOST_AUTO_TEST_SUITE_END()
