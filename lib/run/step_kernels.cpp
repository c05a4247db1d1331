// The loops of single functions, for programs compiled without optimisation.
#include <broadloom/eval/simd/stepwise.hpp>
#include <broadloom/fn/catalogue.hpp>
#include <broadloom/fn/composite.hpp>

namespace broadloom::runtime {

namespace {

template <class F, class... T>
constexpr kernel loop_of() {
  return detail::kernels<typename detail::one_call<F, detail::make_sequence<sizeof...(T)>, T...>::type,
                         BROADLOOM_NATIVE>::table;
}
template <class F, class T>
constexpr kernel loop_of_function() {
  if constexpr (!detail::has_step<F, T>)
    return {};
  else if constexpr (requires(T x) { F::on(x, x, x); })
    return loop_of<F, T, T, T>();
  else if constexpr (requires(T x) { F::on(x, x); })
    return loop_of<F, T, T>();
  else
    return loop_of<F, T>();
}

}  // namespace

#define BROADLOOM_STEP(NAME)                                                                             \
  {loop_of_function<lanes::NAME##_f, float>(), loop_of_function<lanes::NAME##_f, double>(),              \
   loop_of_function<lanes::NAME##_f, std::int32_t>(), loop_of_function<lanes::NAME##_f, std::int64_t>(), \
   loop_of_function<lanes::NAME##_f, bool>()},
#define BROADLOOM_CASTS(FROM)                                                                    \
  {loop_of<detail::cast_f<float>, FROM>(), loop_of<detail::cast_f<double>, FROM>(),              \
   loop_of<detail::cast_f<std::int32_t>, FROM>(), loop_of<detail::cast_f<std::int64_t>, FROM>(), \
   loop_of<detail::cast_f<bool>, FROM>()}
constexpr step_tables library_steps = {
    {
#include <broadloom/eval/simd/steps.def>
    },
    {loop_of<detail::copy_f, float>(), loop_of<detail::copy_f, double>(), loop_of<detail::copy_f, std::int32_t>(),
     loop_of<detail::copy_f, std::int64_t>(), loop_of<detail::copy_f, bool>()},
    {loop_of<detail::where_f, bool, float, float>(), loop_of<detail::where_f, bool, double, double>(),
     loop_of<detail::where_f, bool, std::int32_t, std::int32_t>(),
     loop_of<detail::where_f, bool, std::int64_t, std::int64_t>(), loop_of<detail::where_f, bool, bool, bool>()},
    {BROADLOOM_CASTS(float), BROADLOOM_CASTS(double), BROADLOOM_CASTS(std::int32_t), BROADLOOM_CASTS(std::int64_t),
     BROADLOOM_CASTS(bool)}};
#undef BROADLOOM_CASTS

}  // namespace broadloom::runtime
