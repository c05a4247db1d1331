// The formulas of geometry over stacks: runs along the last loop axis, shared out among threads.
#include <broadloom/geometry/stacked_formula.hpp>

#include "../base/by_type.hpp"
#include "batch.hpp"
#include "geometry_kernels.hpp"

namespace broadloom::runtime {

namespace {

template <class T>
void run_as(const stack_call& c, int number, int inputs, index size) {
  each_run(c, 4096, [&](index first, index count) {
    formula_run<T> r;
    r.count = count;
    for (int k = 0; k < inputs; ++k) {
      const stack_input& in = c.inputs[k];
      r.in[k] = static_cast<const T*>(in.data) + loop_offset(c, in, first);
      r.step[k] = run_step(c, in);
      r.core[k][0] = in.core[0];
      r.core[k][1] = in.core[1];
    }
    r.to = static_cast<T*>(c.outputs[0]) + first * size;
    geometry_formulas<T>().run[number](r);
  });
}

template <class... F>
constexpr auto arguments_of(detail::formula_list<F...>) {
  struct arguments {
    int inputs[sizeof...(F)];
    index size[sizeof...(F)];
  };
  return arguments{{F::signature::parsed.inputs...}, {detail::core_numbers<F>(F::signature::parsed.inputs)...}};
}

}  // namespace

void run_formula(const stack_call& c, int number) {
  static constexpr auto arguments = arguments_of(detail::formulas{});
  const int inputs = arguments.inputs[number];
  stack_input own[max_formula_inputs];
  index loop[detail::max_loop_axes] = {};
  const stack_call merged = with_merged_axes(c, inputs, own, loop);
  by_type(floating_types{}, c.type, [&]<class T>() { run_as<T>(merged, number, inputs, arguments.size[number]); });
}

}  // namespace broadloom::runtime
