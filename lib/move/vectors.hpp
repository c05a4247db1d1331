// Runs a kernel, which takes whole vectors only, over any number of elements.
#pragma once

#include <cstddef>

#include <broadloom/core/isa.hpp>
#include <broadloom/plan/problem.hpp>

#include "../plan/nest.hpp"

namespace broadloom::runtime {

// The scratch of run_vectors for a stage of `inputs` inputs.
constexpr std::size_t spare_bytes(int inputs) { return static_cast<std::size_t>(inputs + 1) * 16; }

void run_vectors_with_tail(const stage& st, const slot* slots, void* to, index n, kernel_mode mode, int level,
                           slot* spare_slots, std::byte* spare);

// n elements of one compute stage. The body and the tail run the same kernel. spare_slots: one for each input; spare:
// spare_bytes(inputs). Inputs may coincide with the output.
inline void run_vectors(const stage& st, const slot* slots, void* to, index n, kernel_mode mode, int level,
                        slot* spare_slots, std::byte* spare) {
  if ((n & (st.code->lanes[level] - 1)) == 0)
    st.code->run[level](slots, to, n, mode);
  else
    run_vectors_with_tail(st, slots, to, n, mode, level, spare_slots, spare);
}

// The same with spare memory on the stack, for no more inputs than max_flat_inputs.
void run_vectors_with_tail(const stage& st, const slot* slots, void* to, index n, kernel_mode mode, int level);
inline void run_vectors(const stage& st, const slot* slots, void* to, index n, kernel_mode mode, int level) {
  if ((n & (st.code->lanes[level] - 1)) == 0)
    st.code->run[level](slots, to, n, mode);
  else
    run_vectors_with_tail(st, slots, to, n, mode, level);
}

// n elements of inputs that lie apart from the output, or are scalars.
void run_disjoint(const stage& only, const slot* inputs, void* out, index n, int level);
// The same where they are known to be no whole number of this level's vectors.
void run_disjoint_with_tail(const stage& only, const slot* inputs, void* out, index n, int level);
// And all of them that are no scalars advance.
void run_dense_with_tail(const stage& only, const slot* inputs, void* out, index n, int level);

// The inputs of an element `by` later.
inline void shift(slot* to, const slot* inputs, const stage& only, index by) {
  for (int j = 0; j < only.input_count; ++j)
    to[j] = {moved(inputs[j].data, (inputs[j].advance & by) * size_of(only.input_types[j])), inputs[j].advance};
}

// n elements of a stage that is a transcendental function. Inputs that do not advance are splat first, `splat_bytes`
// apart.
void run_strip(const stage& st, slot* slots, void* to, index n, accuracy maths, std::byte* splats,
               std::size_t splat_bytes);

}  // namespace broadloom::runtime
