// Small outputs with strides: every element is right, for elements of any size, up to more axes than are evaluated
// without a plan, and nothing in the gaps is written.
#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>
#include <complex>
#include <cstdint>
#include <utility>
#include <vector>

namespace bl = broadloom;

namespace {

struct noise {
  std::uint64_t state = 7;
  bl::index below(bl::index n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<bl::index>((state >> 33) % static_cast<std::uint64_t>(n));
  }
};

// Memory, and a view of part of it with axes in any order, gaps and negative steps.
template <class T, int R>
struct scattered {
  std::vector<T> memory;
  bl::view<T, bl::dshape<R>> view;

  scattered(const bl::dshape<R>& extents, noise& r) : view(make(extents, r)) {}

 private:
  bl::view<T, bl::dshape<R>> make(const bl::dshape<R>& extents, noise& r) {
    bl::dyn_strides<R> strides;
    int order[R];
    for (int i = 0; i < R; ++i) order[i] = i;
    if (r.below(2) == 0)
      for (int i = R - 1; i > 0; --i) std::swap(order[i], order[r.below(i + 1)]);
    const bool dense = r.below(4) == 0;
    bl::index step = dense ? 1 : 1 + r.below(3), first = 8;
    for (int k = R - 1; k >= 0; --k) {
      const int axis = order[k];
      const bool back = !dense && r.below(3) == 0;
      strides.s[axis] = back ? -step : step;
      if (back) first += step * (extents[axis] - 1);
      step = step * extents[axis] + (dense ? 0 : r.below(3));
    }
    memory.resize(static_cast<std::size_t>(step + 16));
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<T>(static_cast<int>(i % 50) + 100);
    return {memory.data() + first, extents, strides};
  }
};

// Calls visit with what index each element of an array of such extents has, in row-major order.
template <int R, class Visit>
void each_index(const bl::dshape<R>& extents, const Visit& visit) {
  bl::detail::indices<R> at{};
  for (bl::index e = 0; e < extents.size(); ++e) {
    visit(at);
    for (int i = R - 1; i >= 0; --i) {
      if (++at[i] < extents[i]) break;
      at[i] = 0;
    }
  }
}

template <class T, int R>
bl::index offset_of(const scattered<T, R>& a, const bl::detail::indices<R>& at) {
  bl::index offset = a.view.data() - a.memory.data();
  for (int i = 0; i < R; ++i) offset += at[i] * a.view.layout().s[i];
  return offset;
}

template <class T, int R>
void check(noise& r) {
  int wrong = 0;
  for (int k = 0; k < 400; ++k) {
    bl::detail::indices<R> e{};
    for (int i = 0; i < R; ++i) e[i] = 1 + r.below(R == 1 ? 40 : 6);
    const auto extents = bl::dshape<R>::unchecked(e);
    scattered<T, R> out(extents, r), x(extents, r);
    const bool in_place = r.below(2) == 0;
    std::vector<T> expected = out.memory;
    each_index<R>(extents, [&](const auto& at) {
      T& to = expected[static_cast<std::size_t>(offset_of(out, at))];
      const T from = x.memory[static_cast<std::size_t>(offset_of(x, at))];
      to = static_cast<T>(in_place ? to + from : from + T(1));
    });
    if (in_place)
      out.view += x.view;
    else
      bl::assign(out.view, x.view + T(1));
    wrong += out.memory != expected;
  }
  BOOST_TEST(wrong == 0, "rank " << R << ", elements of " << sizeof(T) << " bytes");
}

template <class T>
void check_ranks() {
  noise r;
  check<T, 1>(r);
  check<T, 2>(r);
  check<T, 3>(r);
  check<T, 4>(r);
  check<T, 5>(r);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(assign_small_strided)

BOOST_AUTO_TEST_CASE(elements_go_to_their_strided_places_and_nowhere_else) {
  check_ranks<std::uint8_t>();
  check_ranks<std::int16_t>();
  check_ranks<float>();
  check_ranks<double>();
  check_ranks<std::complex<double>>();
}

// Tails of fewer elements than a vector are computed together with elements before them, which the output may have
// overwritten.
BOOST_AUTO_TEST_CASE(an_output_may_coincide_with_a_leaf_or_overlap_it_whatever_the_tail) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (bl::index n = 1; n <= 40; ++n) {
      bl::dtensor<float, 1> x(n + 1);
      for (bl::index i = 0; i <= n; ++i) x(i) = static_cast<float>(i % 7) * 0.25f - 0.5f;
      const auto check = [&](bl::index to, bl::index from, const auto& f) {
        bl::dtensor<float, 1> memory = x, copy = x;
        const bl::dview<float, 1> out(memory.data() + to, bl::dshape<1>(n)), in(memory.data() + from, bl::dshape<1>(n));
        const bl::dview<float, 1> other(copy.data() + from, bl::dshape<1>(n));
        const bl::dtensor<float, 1> expected = f(other);
        bl::assign(out, f(in));
        BOOST_CHECK_MESSAGE(bl::all(out == expected).item(), bl::to_string(level) << ", n = " << n << ", " << to);
        for (bl::index i = 0; i <= n; ++i)
          if (i < to || i >= to + n) BOOST_CHECK_EQUAL(memory(i), x(i));
      };
      const auto softmax = [](const auto& e) { return bl::softmax(e, 0); };
      const auto scaled = [](const auto& e) { return (e - bl::amin(e, bl::axes<0>, bl::keepdim)) * e; };
      const auto stages = [](const auto& e) { return bl::exp(e - bl::amax(e, bl::axes<0>, bl::keepdim)) * e + e; };
      for (const bl::index from : {0, 1})
        for (const bl::index to : {0, 1}) {
          check(to, from, softmax);
          check(to, from, scaled);
          check(to, from, stages);
        }
    }
  }
  bl::set_isa(bl::runtime::highest_isa());
}

BOOST_AUTO_TEST_SUITE_END()
