// The formulas of geometry over stacks: runs along the last loop axis, shared out among threads.
#include <broadloom/geometry/stacked_formula.hpp>

#include "../base/by_type.hpp"
#include "batch.hpp"
#include "geometry_kernels.hpp"

namespace broadloom::runtime {

namespace {

// The call with loop axes merged where all operands go on at the same step.
stack_call with_merged_axes(const stack_call& c, int inputs, stack_input* own, index* loop) {
  stack_call r = c;
  int rank = 0;
  for (int i = 0; i < c.loop_rank; ++i) {
    if (c.loop[i] == 1) continue;
    bool merges = rank > 0;
    for (int k = 0; k < inputs && merges; ++k) merges = own[k].loop[rank - 1] == c.inputs[k].loop[i] * c.loop[i];
    if (merges)
      loop[rank - 1] *= c.loop[i];
    else
      loop[rank++] = c.loop[i];
    for (int k = 0; k < inputs; ++k) own[k].loop[rank - 1] = c.inputs[k].loop[i];
  }
  r.loop_rank = rank;
  r.loop = loop;
  r.inputs = own;
  return r;
}

template <class T>
void run_as(const stack_call& c, int number, int inputs, index size) {
  const index run = c.loop_rank == 0 ? 1 : c.loop[c.loop_rank - 1];
  constexpr index block = 4096;
  in_blocks(c.count(), block, c.how, [&](index first, index last) {
    while (first < last) {
      const index left = run - first % run;
      formula_run<T> r;
      r.count = last - first < left ? last - first : left;
      for (int k = 0; k < inputs; ++k) {
        const stack_input& in = c.inputs[k];
        r.in[k] = static_cast<const T*>(in.data) + loop_offset(c, in, first);
        r.step[k] = c.loop_rank == 0 ? 0 : in.loop[c.loop_rank - 1];
        r.core[k][0] = in.core[0];
        r.core[k][1] = in.core[1];
      }
      r.to = static_cast<T*>(c.outputs[0]) + first * size;
      geometry_formulas<T>().run[number](r);
      first += r.count;
    }
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
  for (int k = 0; k < inputs; ++k) own[k] = c.inputs[k];
  const stack_call merged = with_merged_axes(c, inputs, own, loop);
  by_type(floating_types{}, c.type, [&]<class T>() { run_as<T>(merged, number, inputs, arguments.size[number]); });
}

}  // namespace broadloom::runtime
