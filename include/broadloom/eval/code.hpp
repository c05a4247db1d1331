// A program as data: its stages with their kernels, ready for compiled code to run.
#pragma once

#include <broadloom/eval/simd/kernel.hpp>

namespace broadloom::detail {

template <class Ref>
inline constexpr unsigned char input_number = 0;
template <int Id, class T>
inline constexpr unsigned char input_number<operand_ref<Id, T>> = Id;
template <int Id, class T>
inline constexpr unsigned char input_number<number_ref<Id, T>> = Id;
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

template <class Stage, int Native>
struct stage_code;

template <class P, int Native>
struct stage_code<compute_stage<P>, Native> {
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
  static constexpr runtime::stage value{
      runtime::stage_kind::compute, dtype_of<typename P::type>, 0, count, inputs.v, types.v,
      &kernels<local, Native>::table};
};
template <class F, class... Refs, int Native>
struct stage_code<strip_stage<F, Refs...>, Native> {
  static constexpr fixed_array<unsigned char, sizeof...(Refs)> inputs{{input_number<Refs>...}};
  static constexpr fixed_array<dtype, sizeof...(Refs)> types{{dtype_of<typename Refs::type>...}};
  static constexpr runtime::stage value{
      sizeof...(Refs) == 1 ? runtime::stage_kind::strip1 : runtime::stage_kind::strip2,
      dtype_of<typename strip_stage<F, Refs...>::type>,
      static_cast<unsigned char>(F::op),
      sizeof...(Refs),
      inputs.v,
      types.v,
      nullptr};
};

template <class Program, int Native>
struct program_code;
template <class... Stages, int Native>
struct program_code<program<Stages...>, Native> {
  static_assert(sizeof...(Stages) < 100, "this expression needs too many stages; evaluate a part of it first");
  static constexpr runtime::stage stages[] = {stage_code<Stages, Native>::value...};
  static constexpr runtime::program value{stages, sizeof...(Stages), nullptr};
};

}  // namespace broadloom::detail
