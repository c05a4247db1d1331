// Operands of functions on core arrays, brought into memory, and the call of compiled code with them.
#pragma once

#include <broadloom/expr/deferred.hpp>
#include <broadloom/linalg/call.hpp>
#include <broadloom/tensor/eval.hpp>

namespace broadloom {
namespace detail {

// An array that lies in memory as it is.
template <class E>
inline constexpr bool lies_in_memory = leaf<E> && !deferred_leaf<E>;

// Whether an element of the array lies in [low, high).
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

// An operand with its elements in memory: an array where it lies, anything else evaluated once over its own shape.
template <int Native, class E>
class brought_operand {
  using T = typename E::value_type;

 public:
  brought_operand(const E& e, const runtime::options& how) {
    if constexpr (lies_in_memory<E>) {
      data_ = e.data();
      strides_ = e.strides();
    } else {
      strides_ = row_major::strides(e.shape());
      bytes_ = static_cast<std::size_t>(e.shape().size()) * sizeof(T);
      T* const to = static_cast<T*>(runtime::allocate(bytes_));
      data_ = owned_ = to;
      try {
        assign_node<Native>(view<T, typename E::shape_type, row_major>(to, e.shape(), {}), e, how);
      } catch (...) {
        runtime::deallocate(owned_, bytes_);
        throw;
      }
    }
  }
  brought_operand(const brought_operand&) = delete;
  brought_operand& operator=(const brought_operand&) = delete;
  ~brought_operand() {
    if constexpr (!lies_in_memory<E>) runtime::deallocate(owned_, bytes_);
  }

  const T* data() const { return data_; }
  const auto& strides() const { return strides_; }

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
  const T* data_ = nullptr;
  indices<rank_of<E>> strides_{};
  T* owned_ = nullptr;
  std::size_t bytes_ = 0;
};

template <int I, class Operand>
struct held_operand {
  Operand operand;
};
template <int Native, class Sequence, class... Args>
struct held_operands;
template <int Native, int... I, class... Args>
struct held_operands<Native, sequence<I...>, Args...> : held_operand<I, brought_operand<Native, Args>>... {
  explicit held_operands(const runtime::options& how, const Args&... a)
      : held_operand<I, brought_operand<Native, Args>>{{a, how}}... {}

  void bind(runtime::stack_input* to, const core_signature& s, const core_binding& b, const Args&... a) const {
    ((to[I] =
          static_cast<const held_operand<I, brought_operand<Native, Args>>&>(*this).operand.bound(a.shape(), s, b, I)),
     ...);
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
  index sizes[most_core_sizes];
  for (int i = 0; i < most_core_sizes; ++i) sizes[i] = i >= s.sizes || b.missing[i] ? 1 : b.sizes[i];
  const void* parameters = nullptr;
  if constexpr (requires { f.parameters; }) parameters = &f.parameters;
  f.run(runtime::stack_call{F::name(), dtype_of<typename first_of<Args...>::type::value_type>, b.loop_rank, b.loop,
                            sizes, inputs, outputs, parameters, how});
}

}  // namespace detail
}  // namespace broadloom
