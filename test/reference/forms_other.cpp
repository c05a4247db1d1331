// Forms that are not lines of the catalogue: alpha and rounding, selection, copies and masks, weak operands of rank 0.
#include "form.hpp"

namespace reference {
namespace {

using bl::detail::in_place;

template <class G, class... T, int... R>
void only_in_place(const char* name, types<T...>, ranks<R...>) {
  add_only(false, name, kinds_of<types<T...>, ranks<R...>>::value,
           if_it_compiles<in_place_on_arrays<G, types<T...>, ranks<R...>>>());
}
template <class F, class... T, int... R>
void only_out_of_place(const char* name, types<T...>, ranks<R...>) {
  add_only(true, name, kinds_of<types<T...>, ranks<R...>>::value,
           if_it_compiles<on_arrays<F, types<T...>, ranks<R...>>>());
}

// masked_select gives a tensor, not a tree.
template <class T, int R, int Q>
struct select_call {
  static void run(const operand* in, const double*, int, answer& out) {
    const auto r = bl::masked_select(read_view_of<T, R>(in[0]), read_view_of<bool, Q>(in[1]));
    const index n = r.size();
    void* const to = result_memory(out, bl::dtype_of<T>, &n, 1);
    bl::assign(array_view<T, 1>(static_cast<T*>(to), bl::dshape<1>(n)), r, bl::seq);
  }
};
template <class T, int R, int Q>
void add_select() {
  add_only(true, "masked_select", kinds_of<types<T, bool>, ranks<R, Q>>::value, select_call<T, R, Q>::run);
}
template <class T, int R, int Q>
struct fill_call {
  static void run(const operand* in, const double* numbers, int, answer&) {
    bl::masked_fill_(view_of<T, R>(in[0]), read_view_of<bool, Q>(in[1]), numbers[0]);
  }
};
template <class T, int R, int Q>
void add_fill() {
  add_only(false, "masked_fill", kinds_of<types<T, bool>, ranks<R, Q>>::value, fill_call<T, R, Q>::run, 1);
}

template <class F>
struct part_call {
  template <class X>
  auto operator()(const X& x) const -> decltype(F{}(x)) {
    return F{}(x);
  }
};

// What has forms of its own, of complex numbers.
template <class C>
void of_complex() {
  using R = typename C::value_type;
  only_out_of_place<part_call<bl::real_t>>("real", types<C>{}, ranks<2>{});
  only_out_of_place<part_call<bl::imag_t>>("imag", types<C>{}, ranks<2>{});
  only_out_of_place<bl::isreal_t>("isreal", types<C>{}, ranks<2>{});
  add_form<bl::conj_t, in_place<bl::conj_t>>("conj", types<C>{}, ranks<2>{});
  only_out_of_place<bl::complex_t>("complex", types<R, R>{}, ranks<2, 1>{});
  only_out_of_place<decltype(bl::polar)>("polar", types<R, R>{}, ranks<2, 2>{});
  add_form<decltype(bl::sigmoid), decltype(bl::sigmoid_)>("sigmoid", types<C>{}, ranks<2>{});
  add_form<decltype(bl::addcmul), in_place<decltype(bl::addcmul)>>("addcmul", types<C, C, C>{}, ranks<2, 1, 2>{});
  add_form<decltype(bl::addcdiv), in_place<decltype(bl::addcdiv)>>("addcdiv", types<C, C, C>{}, ranks<2, 2, 1>{});
  add_form_with_value<bl::add_t, in_place<bl::add_t>>("add", types<C, C>{}, ranks<2, 2>{});
  add_form_with_value<bl::sub_t, in_place<bl::sub_t>>("sub", types<C, R>{}, ranks<2, 2>{});
  only_out_of_place<decltype(bl::where)>("where", types<bool, C, C>{}, ranks<2, 2, 1>{});
  only_out_of_place<decltype(bl::isclose)>("isclose", types<C, C>{}, ranks<2, 2>{});
  only_in_place<decltype(bl::copy_)>("copy", types<C, C>{}, ranks<2, 1>{});
  only_in_place<decltype(bl::copy_)>("copy", types<C, R>{}, ranks<2, 2>{});
  only_in_place<decltype(bl::masked_scatter_)>("masked_scatter", types<C, bool, C>{}, ranks<2, 2, 1>{});
  add_select<C, 2, 2>();
  add_fill<C, 2, 2>();
}

const bool made = [] {
  of_complex<std::complex<float>>();
  of_complex<std::complex<double>>();
  each<type_count>([]<int I>() {
    using T = nth_type<I>;
    only_in_place<decltype(bl::masked_scatter_)>("masked_scatter", types<T, bool, T>{}, ranks<2, 2, 1>{});
    add_select<T, 2, 2>();
    add_fill<T, 2, 2>();
    if constexpr (std::is_floating_point_v<T>)  // PyTorch's numbers take no part in promotion
      add_form_with_numbers<bl::threshold_t, in_place<bl::threshold_t>, 2>("threshold", types<T>{}, ranks<2>{});
    add_form<decltype(bl::sigmoid), decltype(bl::sigmoid_)>("sigmoid", types<T>{}, ranks<2>{});
  });
  each<4>([]<int R>() {
    add_select<float, R, 2>();
    add_select<float, 1, R>();
    add_fill<float, R + 1, 1>();
    add_fill<float, 3, R>();
    only_in_place<decltype(bl::masked_scatter_)>("masked_scatter", types<float, bool, float>{}, ranks<3, R, 3 - R>{});
    only_in_place<decltype(bl::copy_)>("copy", types<float, float>{}, ranks<3, R>{});
    only_in_place<decltype(bl::copy_)>("copy", types<float, float>{}, ranks<5, R + 2>{});
  });
  if constexpr (!whole_set) {  // conversions of floating numbers that an integer cannot hold
    only_in_place<decltype(bl::copy_)>("copy", types<std::uint8_t, float>{}, ranks<2, 2>{});
    only_in_place<decltype(bl::copy_)>("copy", types<std::int32_t, double>{}, ranks<2, 2>{});
    only_in_place<decltype(bl::copy_)>("copy", types<std::int64_t, float>{}, ranks<2, 2>{});
  }
  each<pair_count<whole_set>>([]<int I>() {
    constexpr int pair = pair_of_types<whole_set, 4>(I);
    using A = nth_type<pair / type_count>;
    using B = nth_type<pair % type_count>;
    only_in_place<decltype(bl::copy_)>("copy", types<A, B>{}, ranks<2, 2>{});
    only_out_of_place<decltype(bl::where)>("where", types<bool, A, B>{}, ranks<2, 2, 2>{});
    only_out_of_place<decltype(bl::isclose)>("isclose", types<A, B>{}, ranks<2, 2>{});
  });
  each<36>([]<int I>() {
    if constexpr (whole_set || I % 6 == 2)
      only_out_of_place<decltype(bl::where)>("where", types<bool, float, float>{},
                                             ranks<(I + I / 6) % 6, I / 6, I % 6>{});
  });
  return true;
}();

}  // namespace
}  // namespace reference
