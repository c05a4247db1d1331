// A program as data: its stages with their kernels, ready to be run by compiled code.
#pragma once

#include <broadloom/eval/simd/stepwise.hpp>
#include <broadloom/fn/pointwise.hpp>
#include <broadloom/plan/complex_kernels.hpp>

namespace broadloom::lanes {
struct sub_f;
struct mul_f;
}  // namespace broadloom::lanes

namespace broadloom::detail {

template <class Ref>
inline constexpr unsigned char input_number = 0;
template <int Id, class T>
inline constexpr unsigned char input_number<operand_ref<Id, T>> = Id;
template <int Id, class T>
inline constexpr unsigned char input_number<ramp_ref<Id, T>> = Id;
template <int Id, class T>
inline constexpr unsigned char input_number<scalar_ref<Id, T>> = Id;
template <int Id, class T>
inline constexpr unsigned char input_number<stage_ref<Id, T>> = runtime::first_stage + Id;

template <class P, int N>
constexpr void list_inputs(fixed_array<unsigned char, N>& to, int& k, const P*) {
  to[k++] = input_number<P>;
}
template <class F, class... P, int N>
constexpr void list_inputs(fixed_array<unsigned char, N>& to, int& k, const call<F, P...>*) {
  (list_inputs(to, k, static_cast<const P*>(nullptr)), ...);
}

template <class P, int N>
constexpr void list_types(fixed_array<dtype, N>& to, int& k, const P*) {
  to[k++] = dtype_of<typename P::type>;
}
template <class F, class... P, int N>
constexpr void list_types(fixed_array<dtype, N>& to, int& k, const call<F, P...>*) {
  (list_types(to, k, static_cast<const P*>(nullptr)), ...);
}

// Blocks of an operand of a user's callable: where its elements lie, or one that is repeated.
inline constexpr int call_block = 32;
template <class T>
class operand_blocks {
 public:
  operand_blocks(const runtime::slot& s, index n) : advance_(s.advance), data_(static_cast<const T*>(s.data)) {
    if (advance_ == -1 || n < call_block) return;
    for (T& x : repeated_) x = *data_;
    data_ = repeated_;
  }
  operand_blocks(const operand_blocks&) = delete;
  operand_blocks& operator=(const operand_blocks&) = delete;
  const T* at(index i) const { return data_ + (i & advance_); }

 private:
  index advance_;
  const T* data_;
  T repeated_[call_block];
};
// Calls f for whole blocks of n elements, and returns how many elements these have. The results of a block go to an
// array of its own: compilers, which then know that nothing overlaps, make vector operations of what f does even at
// -O2.
template <class F, class Result, class... Blocks>
index call_blocks(const F& f, Result* to, index n, const Blocks&... x) {
  index i = 0;
  for (; i + call_block <= n; i += call_block) {
    Result r[call_block];
    [&](const auto*... operand) {
      for (int k = 0; k < call_block; ++k) r[k] = f(operand[k]...);
    }(x.at(i)...);
    for (int k = 0; k < call_block; ++k) to[i + k] = r[k];
  }
  return i;
}

// The loop over a user's callable, which is the first input.
template <class F, class Result, class Callable, class... T>
void call_each(const runtime::slot* in, void* out, index n, runtime::kernel_mode) {
  const Callable& c = *static_cast<const Callable*>(in[0].data);
  Result* const to = static_cast<Result*>(out);
  if constexpr (takes_strips<decltype(c.f)> && sizeof...(T) == 1)
    if (in[1].advance == -1) return c.f.strip(static_cast<const T*>(in[1].data)..., to, n);
  [&]<int... At>(sequence<At...>) {
    if constexpr (takes_strips<decltype(c.f)> && sizeof...(T) > 1)
      c.f.strip(static_cast<const T*>(in[At + 1].data)..., in[At + 1].advance..., to, n);
    else if constexpr (F::size == 1)
      for (index i = call_blocks(c.f, to, n, operand_blocks<T>(in[At + 1], n)...); i < n; ++i)
        to[i] = c.f(static_cast<const T*>(in[At + 1].data)[i & in[At + 1].advance]...);
    else
      for (index i = 0; i < n; i += F::size) {
        const int count = static_cast<int>(n - i < F::size ? n - i : F::size);
        const auto part = [&](const auto* data, index advance) {
          broadloom::pack<std::remove_cvref_t<decltype(*data)>, F::size> x;
          if (count == F::size && advance == -1)
            __builtin_memcpy(&x[0], data + i, F::size * sizeof(*data));
          else
            for (int k = 0; k < F::size; ++k) x[k] = data[(i + (k < count ? k : count - 1)) & advance];
          return x;
        };
        const auto r = c.f(part(static_cast<const T*>(in[At + 1].data), in[At + 1].advance)...);
        if (count == F::size)
          __builtin_memcpy(to + i, &r[0], F::size * sizeof(Result));
        else
          for (int k = 0; k < count; ++k) to[i + k] = r[k];
      }
  }(make_sequence<sizeof...(T)>{});
}

template <class P>
inline constexpr bool is_copy = false;
template <int Id, class T>
inline constexpr bool is_copy<operand_ref<Id, T>> = true;
template <int Id, class T>
inline constexpr bool is_copy<ramp_ref<Id, T>> = true;

template <class P>
inline constexpr bool is_call = false;
template <class F, class... P>
inline constexpr bool is_call<call<F, P...>> = true;
template <class P>
inline constexpr runtime::arithmetic arithmetic_of = runtime::arithmetic::other;
template <class A, class B>
  requires(!is_call<A> && !is_call<B>)
inline constexpr runtime::arithmetic arithmetic_of<call<lanes::sub_f, A, B>> = runtime::arithmetic::minus;
template <class A, class B>
  requires(!is_call<A> && !is_call<B>)
inline constexpr runtime::arithmetic arithmetic_of<call<lanes::mul_f, A, B>> = runtime::arithmetic::times;
template <class A, class B>
  requires(!is_call<A> && !is_call<B>)
inline constexpr runtime::arithmetic arithmetic_of<call<lanes::div_f, A, B>> = runtime::arithmetic::over;
template <class A>
  requires(!is_call<A>)
inline constexpr runtime::arithmetic arithmetic_of<call<lanes::square_f, A>> = runtime::arithmetic::squared;
template <class A, class B>
  requires(!is_call<A> && !is_call<B>)
inline constexpr runtime::arithmetic arithmetic_of<call<lanes::square_f, call<lanes::sub_f, A, B>>> =
    runtime::arithmetic::minus_squared;
template <class A>
  requires(!is_call<A>)
inline constexpr runtime::arithmetic arithmetic_of<call<lanes::abs_f, A>> = runtime::arithmetic::magnitude;
template <class A, class B>
  requires(!is_call<A> && !is_call<B>)
inline constexpr runtime::arithmetic arithmetic_of<call<lanes::abs_f, call<lanes::sub_f, A, B>>> =
    runtime::arithmetic::minus_magnitude;
template <class A, class B>
inline constexpr runtime::arithmetic arithmetic_of<call<by_shared<lanes::div_f>, A, B>> =
    arithmetic_of<call<lanes::div_f, A, B>>;
template <class A>
  requires(is_copy<A> && sizeof(typename A::type) <= 4 &&
           (is_integer(dtype_of<typename A::type>) || __is_same(typename A::type, bool)))
inline constexpr runtime::arithmetic arithmetic_of<call<cast_f<std::int64_t>, A>> = runtime::arithmetic::widened;
template <class A, class B>
  requires(is_copy<A> && is_copy<B> && __is_same(typename A::type, typename B::type) && sizeof(typename A::type) <= 4 &&
           is_integer(dtype_of<typename A::type>))
inline constexpr runtime::arithmetic arithmetic_of<call<cast_f<std::int64_t>, call<lanes::mul_f, A, B>>> =
    runtime::arithmetic::widened_times;
// Squares of integers keep their name where they are widened: the types of stage and inputs differ then.
template <class... P>
  requires(is_integer(dtype_of<typename call<lanes::square_f, P...>::type>) &&
           sizeof(typename call<lanes::square_f, P...>::type) <= 4)
inline constexpr runtime::arithmetic arithmetic_of<call<cast_f<std::int64_t>, call<lanes::square_f, P...>>> =
    arithmetic_of<call<lanes::square_f, P...>>;

// Known: compilers read the kernels' tables, as forms of assignments need it.
template <class Stage, int Native, bool Known = true>
struct stage_code;

template <class P, int Native, bool Known>
struct stage_code<compute_stage<P>, Native, Known> {
  static constexpr int count = input_count<P>;
  static constexpr auto inputs = [] {
    fixed_array<unsigned char, count> r{};
    int k = 0;
    list_inputs(r, k, static_cast<const P*>(nullptr));
    return r;
  }();
  static constexpr auto types = [] {
    fixed_array<dtype, count> r{};
    int k = 0;
    list_types(r, k, static_cast<const P*>(nullptr));
    return r;
  }();
  using local = typename localise<0, P>::type;
  using kernel_type = std::conditional_t<Known, kernels_of<local, Native>, found_kernels<local, Native>>;
  static constexpr runtime::stage value{runtime::stage_kind::compute,
                                        dtype_of<typename P::type>,
                                        kernel_type::takes_ramps,
                                        count,
                                        inputs.v,
                                        types.v,
                                        &kernel_type::table,
                                        is_copy<P>,
                                        arithmetic_of<P>};
};
template <class F, class... Refs, int Native, bool Known>
struct stage_code<strip_stage<F, Refs...>, Native, Known> {
  static constexpr fixed_array<unsigned char, sizeof...(Refs)> inputs{{input_number<Refs>...}};
  static constexpr fixed_array<dtype, sizeof...(Refs)> types{{dtype_of<typename Refs::type>...}};
  static constexpr runtime::stage value{
      sizeof...(Refs) == 1 ? runtime::stage_kind::strip1 : runtime::stage_kind::strip2,
      dtype_of<typename strip_stage<F, Refs...>::type>,
      static_cast<unsigned char>(F::op),
      sizeof...(Refs),
      inputs.v,
      types.v,
      nullptr,
      false,
      runtime::arithmetic::other};
};

// The loops of functions of complex numbers are the library's.
template <class F, class... Refs, int Native, bool Known>
  requires requires { F::complex_op; }
struct stage_code<strip_stage<F, Refs...>, Native, Known> {
  using result = typename strip_stage<F, Refs...>::type;
  static constexpr fixed_array<unsigned char, sizeof...(Refs)> inputs{{input_number<Refs>...}};
  static constexpr fixed_array<dtype, sizeof...(Refs)> types{{dtype_of<typename Refs::type>...}};
  static constexpr const runtime::kernel* table = runtime::complex_kernels[__is_same(real_of<result>, double)];
  static constexpr runtime::stage value{runtime::stage_kind::compute,
                                        dtype_of<result>,
                                        0,
                                        sizeof...(Refs),
                                        inputs.v,
                                        types.v,
                                        table + static_cast<int>(F::complex_op),
                                        false,
                                        runtime::arithmetic::other};
};

// A user's callable is called for exactly the elements there are: at every level its loop takes one at a time.
template <class F, class... Refs, int Native, bool Known>
struct stage_code<call_stage<F, Refs...>, Native, Known> {
  using result = typename call_stage<F, Refs...>::type;
  static constexpr fixed_array<unsigned char, sizeof...(Refs)> inputs{{input_number<Refs>...}};
  static constexpr fixed_array<dtype, sizeof...(Refs)> types{{dtype_of<typename Refs::type>...}};
  static constexpr runtime::kernel table = runtime::kernel_of_single(call_each<F, result, typename Refs::type...>);
  static constexpr runtime::stage value{
      runtime::stage_kind::compute, dtype_of<result>, 0, sizeof...(Refs), inputs.v, types.v, &table, false,
      runtime::arithmetic::other};
};

inline constexpr int max_stages = 99;
template <class Program, int Native, bool Known = true>
struct program_code;
template <class... Stages, int Native, bool Known>
struct program_code<program<Stages...>, Native, Known> {
  static_assert(sizeof...(Stages) <= max_stages,
                "too many stages in one expression: name a part of it by bl::let(e), or evaluate it first "
                "[errors.md#expression-too-large]");
  static constexpr runtime::stage stages[] = {stage_code < Stages, Native,
                                              Known && sizeof...(Stages) == 1 > ::value...};
  static constexpr runtime::program value{stages, sizeof...(Stages), nullptr};
};

}  // namespace broadloom::detail
