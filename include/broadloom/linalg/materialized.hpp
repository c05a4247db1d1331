// Operands of functions on core arrays, brought into memory, and the call of compiled code with them.
#pragma once

#include <broadloom/eval/let.hpp>
#include <broadloom/expr/deferred.hpp>
#include <broadloom/linalg/stacked_call.hpp>
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

// Memory for elements that are evaluated.
class scratch_memory {
 public:
  scratch_memory() = default;
  scratch_memory(const scratch_memory&) = delete;
  scratch_memory& operator=(const scratch_memory&) = delete;
  ~scratch_memory() { runtime::deallocate(data_, bytes_); }
  void* allocate(std::size_t bytes) {
    data_ = runtime::allocate(bytes);
    bytes_ = bytes;
    return data_;
  }
  // The memory, which the caller gives back.
  void* release() {
    void* const data = data_;
    data_ = nullptr;
    bytes_ = 0;
    return data;
  }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};
struct no_memory {};

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

  const T* data() const { return data_; }
  const auto& strides() const { return strides_; }
  const T* whole() const { return whole_; }

 private:
  template <class Tree>
  const T* evaluated(const Tree& e, const runtime::options& how) {
    T* const to = static_cast<T*>(owned_.allocate(static_cast<std::size_t>(e.shape().size()) * sizeof(T)));
    write_part<Native, Tree>(&e, to, {-1, 0, 0}, how);
    return to;
  }

  const T* data_ = nullptr;
  indices<rank_of<E>> strides_{};
  const T* whole_ = nullptr;
  [[no_unique_address]] std::conditional_t<lies_in_memory<E>, no_memory, scratch_memory> owned_;
};

// The elements of the `let` that e is a view of, where `a` is a view of it too and was brought before; else null.
template <int Native, class A, class E>
const value_of<E>* whole_for(const E& e, const A& a, const brought_operand<Native, A>& brought) {
  if constexpr (views_let<A> && views_let<E>)
    if constexpr (__is_same(typename A::source_type, typename E::source_type))
      if (a.source().same(e.source())) return brought.whole();
  return nullptr;
}

template <int At, class Operand>
struct held_operand {
  Operand operand;
};
template <int Native, class Sequence, class... Args>
struct held_operands;
template <int Native, int... At, class... Args>
struct held_operands<Native, sequence<At...>, Args...> : held_operand<At, brought_operand<Native, Args>>... {
  // In the order of the operands.
  explicit held_operands(const runtime::options& how, const Args&... a)
      : held_operand<At, brought_operand<Native, Args>>{{a, how, whole_among<At>(a, a...)}}... {}

  void list(runtime::stacked_operand* to, const Args&... a) const {
    ((to[At] = {static_cast<const held_operand<At, brought_operand<Native, Args>>&>(*this).operand.data(),
                a.shape().data(),
                static_cast<const held_operand<At, brought_operand<Native, Args>>&>(*this).operand.strides().v,
                rank_of<Args>, nullptr, nullptr}),
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
    (look.template operator()<At>(a), ...);
    return whole;
  }
};

template <class First, class...>
struct first_of {
  using type = First;
};

// A function F of element type T as compiled code is given it.
template <class F, class T>
inline constexpr runtime::stacked_function stacked_code = [] {
  runtime::stacked_function f;
  f.name = F::name();
  f.signature = F::signature::str();
  f.parsed = &F::signature::parsed;
  f.exact = F::exact;
  f.type = dtype_of<T>;
  if constexpr (requires(runtime::stack_fn run) { run = F::run; })
    f.run = F::run;
  else
    f.run = [](const runtime::stack_call& c) { static_cast<const F*>(c.parameters)->run(c); };
  if constexpr (requires { F::row_hint(nullptr, 0, index{}, false); }) {
    f.run_rows = F::run_rows;
    f.row_hint = F::row_hint;
    f.together = F::together;
  }
  return f;
}();

template <int Native, class E>
runtime::stacked_operand operand_of(const E& e) {
  if constexpr (lies_in_memory<E>)
    return {e.data(), e.shape().data(), e.layout().data(), rank_of<E>, nullptr, nullptr};
  else
    return {nullptr, e.shape().data(), nullptr, rank_of<E>, write_part<Native, E>, &e};
}

template <class F>
const void* parameters_of(const F& f) {
  if constexpr (requires { f.parameters; })
    return &f.parameters;
  else
    return &f;
}

// Runs F: brings the operands into memory and hands compiled code the call.
template <int Native, class F, class... Args>
void run_stacked(const F& f, void* const* outputs, const runtime::options& how, const Args&... args) {
  constexpr const runtime::stacked_function& code = stacked_code<F, typename first_of<Args...>::type::value_type>;
  if constexpr ((views_let<Args> || ...)) {
    const held_operands<Native, make_sequence<sizeof...(Args)>, Args...> held(how, args...);
    runtime::stacked_operand operands[sizeof...(Args)];
    held.list(operands, args...);
    runtime::run({code, parameters_of(f), operands, nullptr, 0}, outputs, how);
  } else {
    const runtime::stacked_operand operands[] = {operand_of<Native>(args)...};
    runtime::run({code, parameters_of(f), operands, nullptr, 0}, outputs, how);
  }
}

}  // namespace detail
}  // namespace broadloom
