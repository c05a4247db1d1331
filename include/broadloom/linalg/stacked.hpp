// Functions on core arrays, stacked over loop axes: the node that holds the operands of a lazy one, and how one with
// several results is run at once.
#pragma once

#include <broadloom/expr/deferred.hpp>
#include <broadloom/linalg/call.hpp>
#include <broadloom/tensor/tensor.hpp>

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

// Element types of functions on core arrays: complex ones too.
struct rule_core_any : rule_same {
  static constexpr bool complex_too = true;
};
struct rule_core_number : rule_no_bool {
  static constexpr bool complex_too = true;
};
struct rule_core_floats : rule_floats {
  static constexpr bool complex_too = true;
};

// The element types of these arguments suit the rule.
template <class Rule, class... A>
inline constexpr bool core_types_fit = [] {
  constexpr int code = promoted_code<A...>;
  if constexpr (code == no_type)
    return false;
  else if constexpr (is_complex(static_cast<dtype>(code)))
    return requires { Rule::complex_too; } &&
           (Rule::accepts_each(static_cast<dtype>(operand_type_of<A>().type)) && ...);
  else
    return types_fit<Rule, A...>;
}();

// Products and sums of single elements.
template <class T>
constexpr T element_product(const T& x, const T& y) {
  if constexpr (is_complex_type<T>)
    return x * y;
  else
    return lanes::times(x, y);
}
template <class T>
constexpr T element_sum(const T& x, const T& y) {
  if constexpr (is_complex_type<T>)
    return x + y;
  else
    return lanes::plus(x, y);
}

// What a function F on core arrays says of itself:
//   signature       core<"...">
//   exact           no loop axes: ranks are those of the signature
//   rule            which element types it takes (fn/function.hpp)
//   name()          as error messages have it
//   run(call)       runs it; call.parameters points to the member `parameters`, if there is one
//   result<T, I>    the element type of result I for operands of T
// and perhaps
//   extents(I, sizes)     the core extents of result I where the signature cannot say it
//   check(binding)        throws shape_error for sizes that the signature allows and the function does not
//   one(at, args...)      a single element of the result, also in constant expressions
//   constant(at, args...) the same in constant expressions only
//   results               a struct template of several results, of a function that is run at once
struct core_function {
  static constexpr bool exact = false;
  template <class T, int>
  using result = T;
  constexpr bool operator==(const core_function&) const = default;
};

// F for rows [first, last) of its result.
template <class F>
struct rows_of_function : F {
  index first, last;
  constexpr rows_of_function(index from, index to) : first(from), last(to) {}
  void run(const runtime::stack_call& c) const { F::run_rows(c, first, last); }
};

template <class F, class Shape, class... Args>
class stacked {
 public:
  using value_type = typename F::template result<typename first_of<Args...>::type::value_type, 0>;
  using shape_type = Shape;

  constexpr stacked(const F& f, const Shape& s, Args... args) : args_(static_cast<Args&&>(args)...), shape_(s), f_(f) {}

  static constexpr const char* name() { return F::name(); }
  constexpr const Shape& shape() const { return shape_; }
  constexpr const auto& args() const { return args_; }
  constexpr const F& function() const { return f_; }

  template <int R>
  constexpr value_type element(const indices<R>& at) const {
    return boost::hana::unpack(args_, [&](const Args&... a) -> value_type {
      if constexpr (requires { F::constant(at, a...); })
        if (__builtin_is_constant_evaluated()) return F::constant(at, a...);
      if constexpr (requires { F::one(at, a...); })
        return F::one(at, a...);
      else {
        tensor<value_type, Shape> all = tensor<value_type, Shape>::uninitialised(shape_);
        evaluate<BROADLOOM_NATIVE>(all.data(), runtime::options{});
        return all.data()[offset_of(shape_.extents(), row_major::strides(shape_), at)];
      }
    });
  }
  bool same(const stacked& o) const {
    if constexpr (!requires { f_ == o.f_; })
      return this == &o;
    else
      return f_ == o.f_ && [&]<int... I>(sequence<I...>) {
        return (same_tree(boost::hana::at_c<I>(args_), boost::hana::at_c<I>(o.args_)) && ...);
      }(make_sequence<sizeof...(Args)>{});
  }
  // Whether it reads memory in [low, high) while it writes results.
  bool reads(const void* low, const void* high) const {
    return boost::hana::unpack(args_, [&](const Args&... a) { return (operand_reads(a, low, high) || ...); });
  }
  template <int Native>
  void evaluate(value_type* to, const runtime::options& how) const {
    boost::hana::unpack(args_, [&](const Args&... a) {
      void* const outputs[] = {to};
      run_stacked<Native>(f_, checked_binding<F>(a.shape()...), outputs, how, a...);
    });
  }

  // A block of indices of the result's leading axis by itself - rows, or matrices of a stack - where F can and the
  // operands lie in memory: what reads the result reads it from cache. The left operand may be a tree, if the leading
  // axis is its own: it is evaluated a block at a time too.
  static constexpr bool by_rows = [] {
    if constexpr (requires { F::row_hint(nullptr, 0, index{}); } && sizeof...(Args) == 2 && Shape::axes_count >= 2)
      return []<class A, class B>(std::type_identity<void(A, B)>) {
        constexpr bool own = rank_of<A> == Shape::axes_count && rank_of<A> > rank_of<B>;
        return rank_of<A> >= 2 && rank_of<B> >= 2 && lies_in_memory<B> &&
               (lies_in_memory<A> || ((own || Shape::axes_count == 2) && deferred_count<A> == 0));
      }(std::type_identity<void(Args...)>{});
    else
      return false;
  }();
  index row_hint() const
    requires by_rows
  {
    const auto& left = boost::hana::at_c<0>(args_).shape();
    return F::row_hint(shape_.data(), Shape::axes_count, left[std::remove_cvref_t<decltype(left)>::axes_count - 1]);
  }
  template <int Native>
  void evaluate_rows(index first, index last, value_type* to, const runtime::options& how) const {
    const auto run = [&](index from, index until, const auto&... a) {
      void* const outputs[] = {to};
      run_stacked<Native>(rows_of_function<F>{from, until}, checked_binding<F>(a.shape()...), outputs, how, a...);
    };
    const auto& a = boost::hana::at_c<0>(args_);
    const auto& b = boost::hana::at_c<1>(args_);
    if constexpr (lies_in_memory<std::remove_cvref_t<decltype(a)>>)
      run(first, last, a, b);
    else {
      // Rows go together in fours, wherever a block begins.
      const index from = first / 4 * 4, end = (last + 3) / 4 * 4, all = a.shape()[0];
      const index until = end < all ? end : all;
      const auto block = slice(a, range(from, until));
      run(first - from, last - from, block, b);
    }
  }

 private:
  boost::hana::basic_tuple<Args...> args_;
  [[no_unique_address]] Shape shape_;
  [[no_unique_address]] F f_;
};

// The arguments' element types and shapes suit F.
template <class F, class... A>
inline constexpr bool stackable = false;
template <class F, array... A>
  requires(sizeof...(A) == F::signature::parsed.inputs && core_types_fit<typename F::rule, A...>)
inline constexpr bool stackable<F, A...> = static_binding<F, shape_of<node_of<A>>...>.mistake == core_mistake::none;

template <class F, class... A>
struct explain_stacked {
  using type = void;
};
template <class F, array... A>
  requires(sizeof...(A) == F::signature::parsed.inputs && !core_types_fit<typename F::rule, A...>)
struct explain_stacked<F, A...> {
  using type = not_defined_for_these_element_types<label_of<F>, value_of<node_of<A>>...>;
};
template <class F, array... A>
  requires(sizeof...(A) == F::signature::parsed.inputs && core_types_fit<typename F::rule, A...> && !stackable<F, A...>)
struct explain_stacked<F, A...> {
  using type = does_not_fit_the_signature<core_text<F, shape_of<node_of<A>>...>, shape_of<node_of<A>>...>;
};
// Why a call is refused; void where it is not.
template <class F, class... A>
using stacked_error = typename explain_stacked<F, A...>::type;

template <class F, class... Args>
constexpr auto defer_nodes(const F& f, Args... args) {
  using shape_type = result_shape<F, 0, typename Args::shape_type...>;
  const core_binding b = checked_binding<F>(args.shape()...);
  if constexpr (requires { f.check(b); }) f.check(b);
  const auto s = result_shape_now<shape_type, F>(b, 0);
  return deferred<stacked<F, shape_type, Args...>>(stacked<F, shape_type, Args...>(f, s, static_cast<Args&&>(args)...));
}

// The arguments' common element type.
template <class F, class... A>
using compute_type =
    typename F::rule::template compute<typename type_of<static_cast<dtype>(promoted_code<A...>)>::type>;

// The lazy result of F with one output. Throws shape_error when core sizes differ or loop axes do not broadcast.
template <class F, array... A>
  requires stackable<F, A...>
constexpr auto defer(const F& f, A&&... a) {
  return defer_nodes(f, argument<compute_type<F, A...>>(static_cast<A&&>(a))...);
}

// The members of a struct of results, as compiled code takes them.
template <int Count, class Results>
fixed_array<void*, Count> places_of(Results& r) {
  static_assert(Count >= 2 && Count <= 4);
  if constexpr (Count == 2) {
    auto& [a, b] = r;
    return {{a.data(), b.data()}};
  } else if constexpr (Count == 3) {
    auto& [a, b, c] = r;
    return {{a.data(), b.data(), c.data()}};
  } else {
    auto& [a, b, c, d] = r;
    return {{a.data(), b.data(), c.data(), d.data()}};
  }
}

template <class F, int Output, class... Args>
using result_tensor = tensor<typename F::template result<typename first_of<Args...>::type::value_type, Output>,
                             result_shape<F, Output, typename Args::shape_type...>>;

template <int Native, class F, int... Output, class... Args>
auto run_nodes(sequence<Output...>, const F& f, const Args&... args) {
  const core_binding b = checked_binding<F>(args.shape()...);
  using results = typename F::template results<result_tensor<F, Output, Args...>...>;
  results r{result_tensor<F, Output, Args...>::uninitialised(
      result_shape_now<result_shape<F, Output, typename Args::shape_type...>, F>(b, Output))...};
  const auto places = places_of<sizeof...(Output)>(r);
  run_stacked<Native>(f, b, places.v, runtime::options{}, args...);
  return r;
}

// The results of F with several outputs, computed now.
template <int Native, class F, array... A>
  requires stackable<F, A...>
auto run_now(const F& f, A&&... a) {
  return run_nodes<Native>(make_sequence<F::signature::parsed.outputs>{}, f,
                           argument<compute_type<F, A...>>(static_cast<A&&>(a))...);
}

// The function object of an F without parameters.
template <class F>
struct stacked_function {
  template <array... A>
    requires stackable<F, A...>
  constexpr auto operator()(A&&... a) const {
    return defer(F{}, static_cast<A&&>(a)...);
  }
  template <array... A, class Error = stacked_error<F, A...>>
    requires(!stackable<F, A...> && sizeof...(A) == F::signature::parsed.inputs)
  Error operator()(A&&...) const = delete;
};

// The same of an F with several results, which runs at once.
template <class F>
struct eager_function {
  template <array... A, int Native = BROADLOOM_NATIVE>
    requires stackable<F, A...>
  auto operator()(A&&... a) const {
    return run_now<Native>(F{}, static_cast<A&&>(a)...);
  }
  template <array... A, class Error = stacked_error<F, A...>>
    requires(!stackable<F, A...> && sizeof...(A) == F::signature::parsed.inputs)
  Error operator()(A&&...) const = delete;
};

}  // namespace detail
}  // namespace broadloom
