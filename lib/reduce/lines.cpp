// Reductions over gathered rows, as in sums of rows of a table (embedding bags), in registers.
#include "reducer.hpp"

#include <cstdint>

#include <broadloom/core/isa.hpp>

#include "../base/frame.hpp"

namespace broadloom::runtime {

// The columns of a sequence are reduced in registers, every element read in place. In the meantime the rows of the next
// sequences are located and prefetched.
void reducer::run_gather() const {
  const loop_axis& across = axes_.kept.back();
  const stage& only = p_.code.stages[0];
  const int level = static_cast<int>(active_isa());
  const auto inputs = static_cast<std::size_t>(only.input_count);
  const index together = plan_.block, outer = plan_.side;
  const std::size_t places = static_cast<std::size_t>(together * axes_.length) * sizeof(const void*);
  for_ranges(plan_.tasks, plan_.threads, [&](index first, index last) {
    const frame f(2 * inputs * places + std::size_t{8} * 4 * 64 * 2);
    small_array<gather_slot, 16> slots(inputs), moved(inputs);
    const void** now = reinterpret_cast<const void**>(f.data() + 8 * 4 * 64 * 2);
    const void** next = now + inputs * static_cast<std::size_t>(together * axes_.length);
    index count = find_lines(first * together, smaller(together, outer - first * together), now);
    for (index t = first; t < last; ++t) {
      index next_count = 0;
      if (t + 1 < last)
        next_count = find_lines((t + 1) * together, smaller(together, outer - (t + 1) * together), next);
      for (std::size_t j = 0; j < inputs; ++j) {
        const int k = only.inputs[j];
        const std::size_t at = j * static_cast<std::size_t>(together * axes_.length);
        const index along = p_.operands[k].is_scalar ? 0 : -across.steps[static_cast<std::size_t>(k)];
        slots[static_cast<index>(j)] = {now + at, p_.operands[k].at != nullptr ? next + at : nullptr, along};
      }
      for (index s = 0; s < count; ++s) {
        for (std::size_t j = 0; j < inputs; ++j) {
          gather_slot& x = moved[static_cast<index>(j)] = slots[static_cast<index>(j)];
          x.at += s * axes_.length;
          x.next = x.next != nullptr && s < next_count ? x.next + s * axes_.length : nullptr;
        }
        found_.fused.lines->run[level](
            moved.data(), axes_.length, across.extent, kernels_->identity, f.data(),
            static_cast<std::byte*>(p_.out) + (t * together + s) * across.extent * out_size_);
      }
      const void** const other = now;
      now = next;
      next = other;
      count = next_count;
    }
  });
}

// The addresses of the rows of sequences [first, first + count), for every input.
index reducer::find_lines(index first, index count, const void** to) const {
  const stage& only = p_.code.stages[0];
  const index step = plan_.block * axes_.length;
  small_array<index, 16> origin(static_cast<std::size_t>(p_.operand_count));
  for (index s = 0; s < count; ++s) {
    origin_of(first + s, axes_.kept.size() - 1, origin.data());
    for (int j = 0; j < only.input_count; ++j) {
      const int k = only.inputs[j];
      const operand& x = p_.operands[k];
      const index size = size_of(x.type), along = axes_.sequence[0].steps[static_cast<std::size_t>(k)] * size;
      const std::byte* at = static_cast<const std::byte*>(x.data) + origin[k] * size;
      const void** const place = to + j * step + s * axes_.length;
      if (x.at == nullptr) {
        for (index i = 0; i < axes_.length; ++i, at += along) place[i] = at;
        continue;
      }
      const operand& p = p_.operands[x.at->positions];
      const index p_along = axes_.sequence[0].steps[static_cast<std::size_t>(x.at->positions)], by = x.at->step * size;
      const auto find = [&](const auto* positions) {
        positions += origin[x.at->positions];
        for (index i = 0; i < axes_.length; ++i, at += along) {
          const auto here = static_cast<index>(positions[i * p_along]);
          place[i] = at + (here < 0 ? here + x.at->extent : here) * by;
        }
      };
      if (p.type == dtype::i64)
        find(static_cast<const std::int64_t*>(p.data));
      else if (p.type == dtype::i32)
        find(static_cast<const std::int32_t*>(p.data));
      else
        find(static_cast<const std::uint16_t*>(p.data));
    }
  }
  return count;
}

}  // namespace broadloom::runtime
