// Writing to selected elements: what all in-place forms of indexing end in.
#pragma once

#include <broadloom/index/selected.hpp>

namespace broadloom::runtime {

// As write(), in broadloom_single.hpp.
template <class T>
void write_by_element(const selection& to, const char* call, const T* from, const index* strides, update what);

}  // namespace broadloom::runtime

namespace broadloom::detail {

// The strides, in bytes, of a source that is read over the axes of the positions; extents of 1 are repeated.
template <int R, int RS>
void source_strides(indices<R>& to, const geometry<RS>& source, int size) {
  for (int a = 0; a < RS; ++a) to[R - RS + a] = source.extents[a] == 1 ? 0 : source.strides[a] * size;
}

// For each index over `shape`, one after the other in row-major order: the element of `out` that Kind and the positions
// select becomes source's, or what `what` makes of both. `source` is a node of out's type, whose axes align with
// shape's, or a scalar. Everything is checked before anything is written, but
// indices of an output that is Partial.
template <int Native, bool Partial = false, class Kind, class Shape, class Out, class Source, class... Index>
void write_elements(const Kind& kind, const Shape& shape, const Out& out, const Source& source, runtime::update what,
                    const runtime::options& how, const Index&... i) {
  using T = value_of<Out>;
  check_writable(out.layout(), out.shape());
  const geometry<rank_of<Out>> form{out.shape().extents(), out.strides(), 0};
  const memory_rule apart{false,
                          runtime::memory_of(out.data(), form.extents.v, form.strides.v, rank_of<Out>, sizeof(T))};
  const memories<Native, Index...> positions(how, apart, i...);
  selection_plan<Shape::axes_count, sizeof...(Index)> plan;
  plan.extents = shape.extents();
  positions.visit([&](const auto&... p) {
    [[maybe_unused]] int k = 0;
    (plan.give_positions(k++, p.any()), ...);
    kind.place(plan, form, p.form()...);
  });
  plan.finish(out.data(), sizeof(T));
  plan.value.partial = Partial;
  indices<Shape::axes_count> strides{};
  const auto write = [&](const T* values) {
    if constexpr (is_by_element(Native))
      runtime::write_by_element<T>(plan.value, Kind::name(), values, strides.v, what);
    else
      runtime::write(plan.value, Kind::name(), values, strides.v, compiled_dtype<T>(), what, how);
  };
  if constexpr (__is_same(Source, scalar<T>)) {
    const T value = source.value();
    write(&value);
  } else {
    static_assert(__is_same(value_of<Source>, T));
    const memory<Source, Native> given(source, how, apart);
    source_strides(strides, given.form(), sizeof(T));
    write(given.data());
  }
}

// A source: an array of the output's own type, or a number.
template <class Out, class S>
constexpr bool source_fits(sentence& s, const char* call) {
  if constexpr (array<S>)
    if constexpr (!__is_same(value_of<node_of<S>>, value_of<node_of<Out>>)) {
      s << call << "(): Expected self.dtype to be equal to src.dtype: " << to_string(dtype_of<value_of<node_of<Out>>>)
        << " and " << to_string(dtype_of<value_of<node_of<S>>>);
      return false;
    }
  return true;
}
template <class Out>
constexpr bool output_fits(sentence& s) {
  constexpr bool ok = writable_node<node_of<Out>>;
  if (!ok) s << "the output must be writable";
  return ok;
}

}  // namespace broadloom::detail
