// Functions made of formulas: compiled code goes through stacks of any extents and layouts with the bits of one at a
// time, and so do static, dynamic and constant operands of the public functions.
#include <boost/test/unit_test.hpp>
#include <limits>
#include <vector>

#include <broadloom/geometry.hpp>
#include <broadloom/reduce/equality.hpp>
#include <broadloom/tensor/from.hpp>

namespace bl = broadloom;
using bl::detail::lane_number;
template <class T, bl::index... N>
using fixed = bl::tensor<T, bl::shape<N...>>;

BOOST_AUTO_TEST_SUITE(geometry_stacked_formula)

// Numbers as they come, in (0, 2).
template <class T>
T drawn(unsigned k) {
  return static_cast<T>((k * 2654435761u >> 8) + 1) / static_cast<T>(1 << 23);
}
template <class T>
bool same_bits(const T& x, const T& y) {
  return __builtin_memcmp(&x, &y, sizeof x) == 0 || (x != x && y != y);
}

// Compiled code of formula F over loops of these extents. Operand `fixed_one`, if there is such a one, is the same for
// all; others go backwards where `backwards` is set, with gaps between their elements.
template <class F, class T>
bool goes_as_one_by_one(const std::vector<bl::index>& loop, int fixed_one, bool backwards) {
  static constexpr const bl::detail::core_signature& s = F::signature::parsed;
  static constexpr int input_count = s.inputs;
  bl::index count = 1;
  for (const bl::index n : loop) count *= n;
  bl::runtime::stack_input inputs[input_count] = {};
  std::vector<T> memory[input_count];
  for (int i = 0; i < s.inputs; ++i) {
    const bl::index size = bl::detail::core_numbers<F>(i), gap = backwards ? 2 : 1;
    memory[i].resize(static_cast<std::size_t>(count * size * gap));
    for (std::size_t k = 0; k < memory[i].size(); ++k)
      memory[i][k] = drawn<T>(static_cast<unsigned>(k) * 7 + static_cast<unsigned>(i));
    const bl::index step = i == fixed_one ? 0 : (backwards ? -1 : 1) * size * gap;
    bl::index stride = step;
    for (auto k = static_cast<int>(loop.size()); k-- > 0;) {
      inputs[i].loop[k] = stride;
      stride *= loop[static_cast<std::size_t>(k)];
    }
    inputs[i].data = memory[i].data() + (step < 0 ? (1 - count) * step : 0);
    const int rank = s.arguments[i].rank;
    if (rank > 0) inputs[i].core[rank - 1] = gap;
    if (rank > 1) inputs[i].core[0] = gap * (size == 9 ? 3 : 4);
  }
  constexpr int size = bl::detail::core_numbers<F>(s.inputs);
  std::vector<T> results(static_cast<std::size_t>(count * size));
  void* const to[] = {results.data()};
  bl::runtime::stack_call call{};
  call.type = bl::dtype_of<T>;
  call.loop_rank = static_cast<int>(loop.size());
  call.loop = loop.data();
  call.inputs = inputs;
  call.outputs = to;
  bl::runtime::run_formula(call, bl::detail::formulas::number_of<F>);
  bool same = true;
  for (bl::index k = 0; k < count; ++k)
    [&]<int... I>(bl::detail::sequence<I...>) {
      lane_number<T> x[input_count][16], y[size];
      for (int i = 0; i < s.inputs; ++i) {
        const bl::index step = inputs[i].loop[loop.size() - 1];
        const T* const from = static_cast<const T*>(inputs[i].data) + k * step;
        for (int e = 0; e < bl::detail::core_numbers<F>(i); ++e) x[i][e].v = from[e * (backwards ? 2 : 1)];
      }
      F::compute(x[I]..., y);
      for (int e = 0; e < size; ++e) same = same && same_bits(y[e].v, results[static_cast<std::size_t>(k * size + e)]);
    }(bl::detail::make_sequence<input_count>{});
  return same;
}
template <class F, class T = float>
bool goes_as_one_by_one() {
  bool same = true;
  for (const bl::index n : {1, 2, 3, 5, 8, 19})
    for (int one = -1; one < F::signature::parsed.inputs; ++one)
      same = same && goes_as_one_by_one<F, T>({n}, one, one < 0) && goes_as_one_by_one<F, T>({2, n, 3}, one, n == 2);
  return same && goes_as_one_by_one<F, T>({3, 4099}, -1, false);
}
template <class... F>
void all_go(bl::detail::formula_list<F...>) {
  int number = 0;
  const auto goes = [&](bool same) {
    BOOST_TEST(same, "formula " << number);
    ++number;
  };
  (goes(goes_as_one_by_one<F>()), ...);
  goes(goes_as_one_by_one<bl::detail::rotation_between_of, double>());
}
BOOST_AUTO_TEST_CASE(stacks_have_the_bits_of_one_at_a_time) { all_go(bl::detail::formulas{}); }

constexpr fixed<double, 4> constant{1, -2, 3, 0.5};
constexpr fixed<double, 3> vector{1, 2, 3}, constant_turn = bl::rotate(constant, vector);

BOOST_AUTO_TEST_CASE(operands_of_each_kind_give_the_same_bits) {
  const fixed<double, 4> q = constant;
  const fixed<double, 3> v = vector, r = bl::rotate(q, v);
  const bl::dtensor<double, 1> dynamic{1, 2, 3};
  const bl::tensor d = bl::rotate(q, dynamic);
  bl::dtensor<double, 2> many{{1, 2, 3}, {4, 5, 6}};
  many = bl::rotate(q, many);  // in place
  for (int i = 0; i < 3; ++i) {
    BOOST_TEST(same_bits(r(i), constant_turn(i)));
    BOOST_TEST(same_bits(d(i), constant_turn(i)));
    BOOST_TEST(same_bits(many(0, i), constant_turn(i)));
  }
  const auto kept = bl::rotate(fixed<double, 4>{0, 0, 2, 2}, fixed<double, 3>{1, 0, 0});  // owns both
  const fixed<double, 3> quarter = kept;
  BOOST_TEST((quarter(0) == 0 && quarter(1) == 1 && quarter(2) == 0));
  BOOST_CHECK_THROW(static_cast<void>(bl::rotate(q, bl::dtensor<double, 2>(5, 2))), bl::shape_error);
}

// Single static operands, by vectors, beside stacks; also into an operand, and where operands are turned around.
template <class T, class F, int P, int Q, int... R>
void single_as_in_stacks(const F& f) {
  constexpr bl::index count = 500;
  bl::dtensor<T, 2> p(count, P), q(count, Q);
  for (bl::index k = 0; k < count; ++k) {
    for (bl::index i = 0; i < P; ++i) p(k, i) = drawn<T>(static_cast<unsigned>(8 * k + i)) - 1;
    for (bl::index i = 0; i < Q; ++i)
      q(k, i) = k % 3 == 0 ? -2 * p(k, i) : drawn<T>(static_cast<unsigned>(8 * k + i + 4)) - 1;
    if (k % 5 == 0) p(k, 0) = 0;
    if (k % 7 == 0) q(k, 1) = q(k, 0) = 0;
    const T far = static_cast<T>(sizeof(T) == 4 ? 0x1p25 : 0x1p250);  // squares, or products of them, leave the range
    for (bl::index i = 0; i < P && k % 11 == 0; ++i) p(k, i) = k % 2 == 0 ? p(k, i) * far : p(k, i) / far;
    for (bl::index i = 0; i < Q && k % 13 == 0; ++i) q(k, i) = k % 2 == 0 ? q(k, i) / far : q(k, i) * far;
  }
  const bl::tensor all = f(p, q);
  bool same = true;
  for (bl::index k = 0; k < count; ++k) {
    fixed<T, P> x;
    fixed<T, Q> y;
    x = p(k);
    y = q(k);
    const fixed<T, R...> r = f(x, y), of_all(all(k));
    same = same && __builtin_memcmp(&r, &of_all, sizeof r) == 0;
    if constexpr (sizeof...(R) == 1)
      if constexpr (__is_same(fixed<T, R...>, fixed<T, P>)) {
        x = f(x, y);
        same = same && __builtin_memcmp(&r, &x, sizeof r) == 0;
      }
  }
  BOOST_TEST(same);
}
template <class T>
void single_functions() {
  single_as_in_stacks<T, decltype(bl::quaternion_product), 4, 4, 4>(bl::quaternion_product);
  single_as_in_stacks<T, decltype(bl::quaternion_between), 3, 3, 4>(bl::quaternion_between);
  single_as_in_stacks<T, decltype(bl::rotation_between), 3, 3, 3, 3>(bl::rotation_between);
  const auto matrix = [](const auto& q, const auto&) { return bl::quaternion_to_matrix(q); };
  single_as_in_stacks<T, decltype(matrix), 4, 3, 3, 3>(matrix);
  const auto turn = [](const auto& axis, const auto&) { return bl::rotation_about(axis, 0.7); };
  single_as_in_stacks<T, decltype(turn), 3, 3, 3, 3>(turn);
}
BOOST_AUTO_TEST_CASE(single_operands_have_the_bits_of_stacks) {
  single_functions<float>();
  single_functions<double>();
}

template <class T>
void sines_and_cosines() {
  const T huge = static_cast<T>(sizeof(T) == 4 ? 1e30 : 1e300), infinity = std::numeric_limits<T>::infinity();
  std::vector<T> angles{0, T(-0.0), T(1e-30), huge, -huge, infinity, -infinity, std::numeric_limits<T>::quiet_NaN()};
  for (unsigned k = 0; k < 2000; ++k)
    angles.push_back((drawn<T>(k) - 1) * static_cast<T>(k % 3 == 0 ? 2e7 : k % 3 == 1 ? 4 : 4e4));
  bool same = true;
  for (const T x : angles) {
    T both[2];
    bl::runtime::sine_and_cosine(sizeof(T) == 8, &x, both);
    same = same && same_bits(both[0], bl::eval(bl::sin(fixed<T, 1>{x}))(0)) &&
           same_bits(both[1], bl::eval(bl::cos(fixed<T, 1>{x}))(0));
  }
  BOOST_TEST(same);
}
BOOST_AUTO_TEST_CASE(sine_and_cosine_at_once_have_the_bits_of_each) {
  sines_and_cosines<float>();
  sines_and_cosines<double>();
}

constexpr fixed<double, 3, 3> constant_between = bl::rotation_between(vector, fixed<double, 3>{-1, -2, -3});
constexpr fixed<double, 4, 4> constant_view = bl::look_at(vector, fixed<double, 3>{}, fixed<double, 3>{0, 1, 0});
constexpr fixed<double, 3> constant_unit = bl::normalized(vector);

BOOST_AUTO_TEST_CASE(constant_evaluation_gives_what_the_program_does) {
  const fixed<double, 3> v = vector, unit = bl::normalized(v);
  const fixed<double, 3, 3> between = bl::rotation_between(v, fixed<double, 3>{-1, -2, -3});
  const fixed<double, 4, 4> view = bl::look_at(v, fixed<double, 3>{}, fixed<double, 3>{0, 1, 0});
  BOOST_TEST(bl::all(bl::eq(between, constant_between)).item());
  BOOST_TEST(bl::all(bl::eq(view, constant_view)).item());
  BOOST_TEST(bl::all(bl::eq(unit, constant_unit)).item());
}

BOOST_AUTO_TEST_CASE(a_vector_of_zeros_stays_and_others_get_length_1) {
  const bl::dtensor<double, 2> x{{3, 0, -4}, {0, 0, 0}, {3e300, 0, -4e300}, {3e-300, 0, -4e-300}};
  const bl::dtensor<double, 2> unit = bl::normalized(x);
  BOOST_TEST(
      bl::allclose(unit, bl::dtensor<double, 2>{{0.6, 0, -0.8}, {0, 0, 0}, {0.6, 0, -0.8}, {0.6, 0, -0.8}}).item());
  const bl::tensor direction = bl::normalized(x * 2);  // owns its operand
  BOOST_TEST(bl::allclose(direction, unit).item());
}

template <class Q, class V>
concept rotates = requires(Q q, V v) { bl::rotate(q, v); };
static_assert(rotates<fixed<double, 4>, fixed<float, 3>> && !rotates<fixed<double, 3>, fixed<double, 3>>);
static_assert(!rotates<fixed<double, 4>, fixed<double, 2, 2>> && !rotates<fixed<int, 4>, fixed<int, 3>>);

BOOST_AUTO_TEST_SUITE_END()
