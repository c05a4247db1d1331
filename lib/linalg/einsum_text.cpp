// einsum with subscripts that are read at run time: contracts two arrays after the other, as einsum<...> does.
#include <broadloom/linalg/einsum.hpp>

#include <string>

#include "../base/by_type.hpp"

namespace broadloom::runtime {

namespace {

using detail::einsum_labels;
using detail::einsum_parse;

// An array whose axes have labels; it owns its elements, or they are an operand's.
struct labelled {
  einsum_labels labels{};
  index extents[detail::max_einsum_axes] = {}, strides[detail::max_einsum_axes] = {};
  const void* data = nullptr;
  detail::scratch_memory owned{};

  int axis(int label) const { return labels.find(label); }
};

char letter(int label) { return label < 0 ? '.' : static_cast<char>(label); }

// Equal labels of an operand become one axis, their diagonal.
void label(labelled& x, const einsum_labels& labels, const stacked_operand& in, int operand) {
  x.data = in.data;
  for (int i = 0; i < labels.count; ++i) {
    const int before = x.axis(labels.list[i]);
    if (before < 0) {
      x.extents[x.labels.count] = in.extents[i];
      x.strides[x.labels.count] = in.strides[i];
      x.labels.add(labels.list[i]);
    } else {
      if (in.extents[i] != x.extents[before])
        throw_einsum_size(letter(labels.list[i]), operand, in.extents[i], x.extents[before]);
      x.strides[before] += in.strides[i];
    }
  }
}

void check_sizes(const labelled& a, const labelled& b, int operand) {
  for (int i = 0; i < a.labels.count; ++i)
    if (const int j = b.axis(a.labels.list[i]); j >= 0) {
      const index x = a.extents[i], y = b.extents[j];
      if (x != y && x != 1 && y != 1) throw_einsum_size(letter(a.labels.list[i]), operand, y, x);
    }
}

// The product of a and b, summed over the labels that are not wanted: row-major over the others.
std::size_t contract_pair(const labelled& a, const labelled& b, const einsum_labels& wanted, dtype type, labelled& to) {
  const detail::einsum_step step = detail::step_of(a.labels, b.labels, wanted);
  to.labels = step.result;
  contracted_axis axes[2 * detail::max_einsum_axes] = {};
  index all[2 * detail::max_einsum_axes] = {};
  for (int i = 0; i < step.plan.count; ++i) {
    const detail::contraction_index& x = step.plan.list[i];
    const index m = x.a >= 0 ? a.extents[x.a] : 1, n = x.b >= 0 ? b.extents[x.b] : 1;
    all[i] = m == 1 ? n : m;
    axes[i] = {all[i], x.a >= 0 && m != 1 ? a.strides[x.a] : 0, x.b >= 0 && n != 1 ? b.strides[x.b] : 0, -1};
  }
  detail::check_count("einsum", all, step.plan.count);
  index size = 1;
  for (int i = step.plan.kept - 1; i >= 0; --i) {
    to.extents[i] = all[i];
    to.strides[i] = axes[i].c = size;
    size *= all[i];
  }
  const std::size_t bytes = static_cast<std::size_t>(size) * static_cast<std::size_t>(size_of(type));
  void* const data = to.owned.allocate(bytes);
  to.data = data;
  contract({type, step.plan.count, axes, a.data, b.data, data, 1, 0, 1, false, options{}});
  return bytes;
}

}  // namespace

einsum_result contract_by_text(const char* subscripts, dtype type, const stacked_operand* in, int count) {
  int ranks[detail::max_einsum_operands] = {};
  for (int k = 0; k < count && k < detail::max_einsum_operands; ++k) ranks[k] = in[k].rank;
  const einsum_parse p = detail::read_subscripts(subscripts, ranks, count);
  if (p.too_many) throw shape_error("einsum(): at most 8 arrays, of at most 24 different axes together");
  if (!p.ok)
    throw shape_error("einsum(): \"" + std::string(subscripts) +
                      "\" has not one letter for each axis, or after the arrow one that no array has");
  // A single operand is multiplied by the number 1.
  labelled next[detail::max_einsum_operands + 1], between[detail::max_einsum_operands];
  for (int k = 0; k < count; ++k) label(next[k], p.inputs[k], in[k], k);
  const labelled* left = &next[0];
  std::size_t bytes = 0;
  alignas(16) unsigned char one[16] = {};
  if (count == 1) {
    by_type(number_types{}, type, [&]<class T>() {
      const T x(1);
      __builtin_memcpy(one, &x, sizeof x);
    });
    next[1].data = one;
  }
  const int pairs = count == 1 ? 1 : count - 1;
  for (int k = 1; k <= pairs; ++k) {
    check_sizes(*left, next[k], k);
    bytes = contract_pair(*left, next[k], k < count ? detail::wanted_after(p, k) : p.output, type, between[k - 1]);
    left = &between[k - 1];
  }
  einsum_result r{p.output.count, {}, {}, nullptr, bytes};
  for (int i = 0; i < r.rank; ++i) {
    r.extents[i] = left->extents[left->axis(p.output.list[i])];
    r.strides[i] = left->strides[left->axis(p.output.list[i])];
  }
  r.data = between[pairs - 1].owned.release();
  return r;
}

}  // namespace broadloom::runtime
