// What generated trees (tools/write_trees.py) are run with: leaves over memory of random strides, and outputs on every
// route.
#pragma once

#include <broadloom/broadloom.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

namespace fuzz {

namespace bl = broadloom;

class choices;
class session;

// A tree as the generator wrote it: how its variables get their values, what its leaves are, the tree in postfix order,
// and the function that builds it. `strips`: some function's bits depend on whether the level has FMA.
struct tree {
  const char* variables;
  const char* leaves;
  const char* program;
  bool strips;
  void (*build)(session&);
  long seed, number;
};

std::vector<tree>& all_trees();
template <std::size_t N>
bool add(const tree (&list)[N]) {
  all_trees().insert(all_trees().end(), list, list + N);
  return true;
}

// A callable of pointwise.
struct halved {
  template <class T>
  T operator()(T x) const {
    return x < T(0) ? x * T(-0.5) : x;
  }
};

// How many outputs were compared, and how many types of trees they were of.
struct tally {
  std::uint64_t evaluations = 0;
  std::size_t types = 0;
};
tally counted();

// One case of one tree.
class session {
 public:
  session(const tree& t, choices& c);
  session(const session&) = delete;
  session& operator=(const session&) = delete;
  ~session();

  // A variable's value.
  bl::index v(int i) const;
  // Values as a shape.
  template <class Shape>
  Shape shape(const bl::index (&values)[Shape::axes_count]) const {
    bl::detail::indices<Shape::axes_count> x{};
    for (int i = 0; i < Shape::axes_count; ++i) x[i] = values[i];
    return Shape::unchecked(x);
  }

  // Leaf k with strides of its own, as row-major memory, and as a tensor.
  template <class T, class Shape>
  bl::view<const T, Shape> view(int k) {
    return {static_cast<const T*>(data(k)), leaf_shape<Shape>(k), strides<Shape::axes_count>(leaf_strides(k))};
  }
  template <class T, class Shape>
  bl::view<const T, Shape, bl::row_major> rows(int k) {
    return {static_cast<const T*>(packed(k)), leaf_shape<Shape>(k)};
  }
  template <class T, class Shape>
  bl::tensor<T, Shape> tensor(int k) {
    auto t = bl::tensor<T, Shape>::uninitialised(leaf_shape<Shape>(k));
    copy_packed(k, t.data());
    return t;
  }

  // Evaluates the tree on every route into outputs of type U, and compares.
  template <class U, class E>
  void run(const E& e) {
    constexpr int rank = bl::detail::rank_of<E>;
    begin(typeid(E), bl::dtype_of<bl::detail::value_of<E>>, e.shape().extents().v, rank, bl::dtype_of<U>);
    while (next()) {
      bl::detail::indices<rank> x{};
      for (int i = 0; i < rank; ++i) x[i] = out_extents()[i];
      bl::assign(bl::view<U, bl::dshape<rank>>(static_cast<U*>(out()), bl::dshape<rank>::unchecked(x),
                                               strides<rank>(out_strides())),
                 e, policy());
      compare();
    }
    const auto t = bl::eval(e, policy());
    compare_whole(t.data(), t.shape().extents().v);
  }

 private:
  struct state;

  template <int Rank>
  static bl::dyn_strides<Rank> strides(const bl::index* from) {
    bl::dyn_strides<Rank> s{};
    for (int i = 0; i < Rank; ++i) s.s[i] = from[i];
    return s;
  }
  template <class Shape>
  Shape leaf_shape(int k) {
    bl::detail::indices<Shape::axes_count> x{};
    for (int i = 0; i < Shape::axes_count; ++i) x[i] = leaf_extents(k)[i];
    return Shape::unchecked(x);
  }
  const void* data(int k);
  const void* packed(int k);
  void copy_packed(int k, void* to);
  const bl::index* leaf_extents(int k);
  const bl::index* leaf_strides(int k);

  void begin(const std::type_info& type, bl::dtype value, const bl::index* extents, int rank, bl::dtype result);
  bool next();
  void* out();
  const bl::index* out_extents();
  const bl::index* out_strides();
  bl::policy policy();
  void compare();
  void compare_whole(const void* data, const bl::index* extents);

  std::unique_ptr<state> s_;
};

}  // namespace fuzz
