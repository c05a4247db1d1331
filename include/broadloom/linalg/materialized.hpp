// Operands of functions on core arrays, brought into memory, and the call of compiled code with them.
#pragma once

#include <broadloom/eval/let.hpp>
#include <broadloom/expr/deferred.hpp>
#include <broadloom/linalg/call.hpp>
#include <broadloom/tensor/eval.hpp>

namespace broadloom {
namespace detail {

// An array that is in memory.
template <class E>
inline constexpr bool lies_in_memory = leaf<E> && !deferred_leaf<E>;

// Whether an element of the array is in [low, high).
template <class E>
bool array_reads(const E& e, const void* low, const void* high) {
  const auto shape = e.shape();
  const auto strides = e.strides();
  const char *first = reinterpret_cast<const char*>(e.data()), *last = first;
  for (int i = 0; i < rank_of<E>; ++i) {
    if (shape[i] == 0) return false;
    const index span = (shape[i] - 1) * strides[i] * static_cast<index>(sizeof(value_of<E>));
    (span < 0 ? first : last) += span;
  }
  return first < high && low < last + sizeof(value_of<E>);
}

// Whether an operand's memory in [low, high) is read while results are written: a tree's is not, it is evaluated
// before.
template <class E>
bool operand_reads(const E& e, const void* low, const void* high) {
  if constexpr (lies_in_memory<E>)
    return array_reads(e, low, high);
  else
    return false;
}

// A `let`, or a transpose, slice or other view of one.
template <class Source>
inline constexpr bool is_let = false;
template <class E>
inline constexpr bool is_let<computed<E>> = true;
template <class T, class Shape, bool OfReductions, bool OfAnyAxes>
inline constexpr bool is_let<shared_let<T, Shape, OfReductions, OfAnyAxes>> = true;
template <class E>
inline constexpr bool views_let = false;
template <deferred_leaf E>
inline constexpr bool views_let<E> = is_let<typename E::source_type>;

// An operand with its elements in memory: an array in place, a `let` as a whole, so that other views of it are
// there too, anything else evaluated once over its own shape.
template <int Native, class E>
class brought_operand {
  using T = typename E::value_type;

 public:
  // `whole`: the elements of the `let` that e is a view of, where they are in memory already.
  brought_operand(const E& e, const runtime::options& how, const T* whole = nullptr) {
    if constexpr (lies_in_memory<E>) {
      data_ = e.data();
      strides_ = e.strides();
    } else if constexpr (views_let<E>) {
      using source = typename E::source_type;
      whole_ = whole != nullptr ? whole : evaluated(deferred<source>(e.source()), how);
      data_ = whole_ + e.offset();
      strides_ = e.strides();
    } else {
      data_ = evaluated(e, how);
      strides_ = row_major::strides(e.shape());
    }
  }
  brought_operand(const brought_operand&) = delete;
  brought_operand& operator=(const brought_operand&) = delete;
  ~brought_operand() {
    if constexpr (!lies_in_memory<E>) runtime::deallocate(owned_, bytes_);
  }

  const T* data() const { return data_; }
  const auto& strides() const { return strides_; }
  const T* whole() const { return whole_; }

  // The operand's part of a call.
  template <class Shape>
  runtime::stack_input bound(const Shape& shape, const core_signature& s, const core_binding& b, int argument) const {
    runtime::stack_input r{};
    r.data = data_;
    const int loops = Shape::axes_count - b.ranks[argument];
    for (int i = 0; i < loops; ++i) r.loop[b.loop_rank - loops + i] = shape[i] == 1 ? 0 : strides_[i];
    const core_argument& a = s.arguments[argument];
    int at = loops;
    for (int k = 0; k < a.rank; ++k)
      if (!b.missing[a.sizes[k]]) r.core[k] = strides_[at++];
    return r;
  }

 private:
  template <class Tree>
  const T* evaluated(const Tree& e, const runtime::options& how) {
    bytes_ = static_cast<std::size_t>(e.shape().size()) * sizeof(T);
    owned_ = static_cast<T*>(runtime::allocate(bytes_));
    try {
      assign_node<Native>(view<T, shape_of<Tree>, row_major>(owned_, e.shape(), {}), e, how);
    } catch (...) {
      runtime::deallocate(owned_, bytes_);
      throw;
    }
    return owned_;
  }

  const T* data_ = nullptr;
  indices<rank_of<E>> strides_{};
  const T* whole_ = nullptr;
  T* owned_ = nullptr;
  std::size_t bytes_ = 0;
};

// The elements of the `let` that e is a view of, where `a` is a view of it too and was brought before; else null.
template <int Native, class A, class E>
const value_of<E>* whole_for(const E& e, const A& a, const brought_operand<Native, A>& brought) {
  if constexpr (views_let<A> && views_let<E>)
    if constexpr (__is_same(typename A::source_type, typename E::source_type))
      if (a.source().same(e.source())) return brought.whole();
  return nullptr;
}

template <int I, class Operand>
struct held_operand {
  Operand operand;
};
template <int Native, class Sequence, class... Args>
struct held_operands;
template <int Native, int... I, class... Args>
struct held_operands<Native, sequence<I...>, Args...> : held_operand<I, brought_operand<Native, Args>>... {
  // In the order of the operands.
  explicit held_operands(const runtime::options& how, const Args&... a)
      : held_operand<I, brought_operand<Native, Args>>{{a, how, whole_among<I>(a, a...)}}... {}

  void bind(runtime::stack_input* to, const core_signature& s, const core_binding& b, const Args&... a) const {
    ((to[I] =
          static_cast<const held_operand<I, brought_operand<Native, Args>>&>(*this).operand.bound(a.shape(), s, b, I)),
     ...);
  }

 private:
  // What an earlier operand has brought of the `let` that operand `Own` is a view of.
  template <int Own, class E>
  const value_of<E>* whole_among(const E& e, const Args&... a) const {
    const value_of<E>* whole = nullptr;
    const auto look = [&]<int Other, class A>(const A& other) {
      if constexpr (Other < Own)
        if (whole == nullptr)
          whole =
              whole_for(e, other, static_cast<const held_operand<Other, brought_operand<Native, A>>&>(*this).operand);
    };
    (look.template operator()<I>(a), ...);
    return whole;
  }
};

template <class First, class...>
struct first_of {
  using type = First;
};

// Runs F: brings the operands into memory and hands compiled code the call.
template <int Native, class F, class... Args>
void run_stacked(const F& f, const core_binding& b, void* const* outputs, const runtime::options& how,
                 const Args&... args) {
  constexpr const core_signature& s = F::signature::parsed;
  const held_operands<Native, make_sequence<sizeof...(Args)>, Args...> held(how, args...);
  runtime::stack_input inputs[sizeof...(Args)];
  held.bind(inputs, s, b, args...);
  index sizes[max_core_sizes];
  for (int i = 0; i < max_core_sizes; ++i) sizes[i] = i >= s.sizes || b.missing[i] ? 1 : b.sizes[i];
  const void* parameters = nullptr;
  if constexpr (requires { f.parameters; }) parameters = &f.parameters;
  f.run(runtime::stack_call{F::name(), dtype_of<typename first_of<Args...>::type::value_type>, b.loop_rank, b.loop,
                            sizes, inputs, outputs, parameters, how});
}

}  // namespace detail
}  // namespace broadloom
