// How operands and output lie in memory changes no element: permuted, stepped, reversed and expanded axes of elements
// of every size, in extents around those of vectors and tiles, at every level, and of more axes than anyone needs.
// Arrays end where their last element ends, so that the sanitizers see what is read beyond.
#include <broadloom/broadloom.hpp>
#include <broadloom/core/isa.hpp>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace bl = broadloom;

namespace {

using bl::index;

struct random_numbers {
  std::uint64_t state;
  std::uint64_t operator()() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state ^ (state >> 29)) * 0xbf58476d1ce4e5b9u >> 20;
  }
  index below(index n) { return static_cast<index>((*this)() % static_cast<std::uint64_t>(n)); }
};

template <class T, int rank>
struct placed {
  std::unique_ptr<T[]> memory;
  index room = 1, first = 0;
  bl::dyn_strides<rank> strides;

  placed(const index* extents, random_numbers& random, bool output) {
    int order[rank];
    for (int i = 0; i < rank; ++i) order[i] = i;
    for (int i = rank - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
    index next = 1;
    room = 1;
    for (int k = rank - 1; k >= 0; --k) {
      const int i = order[k];
      if (!output && random.below(6) == 0) {
        strides.s[i] = 0;
        continue;
      }
      // Of many axes few are stepped, or the memory would not suffice.
      static constexpr index steps[] = {-1, 1, 1, 1, 2, 3, 4, 5, -1, -1, -2, -3};
      const index step = steps[random.below(rank > 3 ? 5 : 12)];
      const index size = step < 0 ? -step : step;
      strides.s[i] = step * next;
      const index span = (extents[i] - 1) * size * next;
      if (step < 0) first += span;
      room += span;
      next *= extents[i] * size;
      if (random.below(3) == 0) next += random.below(9);
    }
    memory.reset(new T[static_cast<std::size_t>(room)]);
  }
  bl::view<T, bl::dshape<rank>> view(const bl::dshape<rank>& shape) const {
    return {memory.get() + first, shape, strides};
  }
  T& operator()(const index* indices) const {
    index at = first;
    for (int i = 0; i < rank; ++i) at += indices[i] * strides.s[i];
    return memory[static_cast<std::size_t>(at)];
  }
};

// The next indices in row-major order; false after the last.
template <int rank>
bool advance(index* indices, const index* extents) {
  for (int i = rank - 1; i >= 0; --i) {
    if (++indices[i] < extents[i]) return true;
    indices[i] = 0;
  }
  return false;
}

template <class T, int rank, int N>
void check(bl::isa level, std::uint64_t seed, int cases, const index (&sizes)[N]) {
  random_numbers random{seed};
  for (int c = 0; c < cases; ++c) {
    index extents[rank], elements;
    do {
      elements = 1;
      for (index& e : extents) elements *= e = sizes[random.below(N)];
    } while (elements > 40000);
    const auto shape = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return bl::dshape<rank>(extents[I]...);
    }(std::make_index_sequence<rank>());
    const placed<T, rank> a(extents, random, false), b(extents, random, false), o(extents, random, true);
    for (const placed<T, rank>* x : {&a, &b, &o})
      for (index i = 0; i < x->room; ++i) x->memory[static_cast<std::size_t>(i)] = static_cast<T>(random());
    const std::vector<T> before(o.memory.get(), o.memory.get() + o.room);
    index at[rank] = {};
    do o(at) = static_cast<T>(a(at) ^ b(at));
    while (advance<rank>(at, extents));
    const std::vector<T> right(o.memory.get(), o.memory.get() + o.room);
    std::copy(before.begin(), before.end(), o.memory.get());
    bl::assign(o.view(shape), a.view(shape) ^ b.view(shape), c % 2 == 0 ? bl::par : bl::par.threads(2));
    // also what lies between the elements of the output is as it was
    const bool same = std::memcmp(right.data(), o.memory.get(), right.size() * sizeof(T)) == 0;
    if (!same)
      BOOST_TEST(same, "level " << bl::to_string(level) << ", seed " << seed << ", case " << c << ", shape "
                                << bl::to_string(shape));
  }
}

constexpr index around_vectors[] = {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 70, 128, 129, 257};
constexpr index few[] = {1, 2, 3, 4, 5};

}  // namespace

BOOST_AUTO_TEST_SUITE(law_layouts)

BOOST_AUTO_TEST_CASE(elements_do_not_depend_on_how_they_lie_in_memory) {
  const bl::isa before = bl::set_isa(bl::isa::v4);
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    check<std::uint8_t, 3>(level, 1, 150, around_vectors);
    check<std::int16_t, 3>(level, 2, 150, around_vectors);
    check<std::int32_t, 3>(level, 3, 150, around_vectors);
    check<std::int64_t, 3>(level, 4, 150, around_vectors);
    check<std::int32_t, 10>(level, 5, 30, few);
  }
  bl::set_isa(before);
  BOOST_TEST((bl::set_isa(bl::isa::v4) == before));
}

BOOST_AUTO_TEST_SUITE_END()
