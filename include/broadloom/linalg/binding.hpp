// Binding shapes to a signature: core sizes from the last axes, loop axes from the rest; once for the compiler's
// knowledge and once more for extents at run time.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/linalg/signature.hpp>
#include <broadloom/linalg/throw_error.hpp>
#include <broadloom/shape/broadcast.hpp>

namespace broadloom {

namespace detail {

inline constexpr int max_loop_axes = 16;

enum class core_mistake : unsigned char { none, too_few_axes, too_many_axes, size, loop };

struct core_binding {
  core_mistake mistake = core_mistake::none;
  int argument = 0, axis = 0;     // where it was noticed; a loop axis counts from the left of the loop axes
  index expected = 0, given = 0;  // the sizes that differ, or the ranks
  index sizes[max_core_sizes] = {};
  bool missing[max_core_sizes] = {};
  int ranks[max_core_arguments] = {};  // of the inputs' core arrays, without what is missing
  int loop_rank = 0;
  index loop[max_loop_axes] = {};
};

// Extents may be dyn: then they are known later. `exact`: no loop axes are allowed.
constexpr core_binding bind_core(const core_signature& s, const shape_view* shapes, bool exact) {
  core_binding r;
  const auto fail = [&](core_mistake m, int argument, int axis, index expected, index given) {
    r.mistake = m;
    r.argument = argument;
    r.axis = axis;
    r.expected = expected;
    r.given = given;
    return r;
  };
  for (int i = 0; i < s.inputs; ++i) {
    const core_argument& a = s.arguments[i];
    index lacking = a.rank - shapes[i].rank;
    for (int k = 0; k < a.rank && lacking > 0; ++k)
      if (s.list[a.sizes[k]].optional && !r.missing[a.sizes[k]]) {
        r.missing[a.sizes[k]] = true;
        --lacking;
      }
    if (lacking > 0) return fail(core_mistake::too_few_axes, i, 0, a.rank, shapes[i].rank);
  }
  constexpr index unset = lowest_index;
  for (int i = 0; i < s.sizes; ++i) r.sizes[i] = s.list[i].fixed == dyn ? unset : s.list[i].fixed;
  for (int i = 0; i < s.inputs; ++i) {
    const core_argument& a = s.arguments[i];
    int rank = 0;
    for (int k = 0; k < a.rank; ++k) rank += !r.missing[a.sizes[k]];
    r.ranks[i] = rank;
    const int loops = static_cast<int>(shapes[i].rank) - rank;
    if (loops < 0) return fail(core_mistake::too_few_axes, i, 0, rank, shapes[i].rank);
    if (exact && loops > 0) return fail(core_mistake::too_many_axes, i, 0, rank, shapes[i].rank);
    if (loops > max_loop_axes) return fail(core_mistake::too_many_axes, i, 0, rank + max_loop_axes, shapes[i].rank);
    int at = 0;
    for (int k = 0; k < a.rank; ++k) {
      const int id = a.sizes[k];
      if (r.missing[id]) continue;
      const index x = shapes[i].extents[loops + at];
      if (r.sizes[id] == unset || (r.sizes[id] == dyn && !is_named(x)))
        r.sizes[id] = x;
      else if (!may_equal(x, r.sizes[id]))
        return fail(core_mistake::size, i, at, r.sizes[id], x);
      ++at;
    }
    if (loops > r.loop_rank) r.loop_rank = loops;
  }
  for (int i = 0; i < s.sizes; ++i)
    if (r.sizes[i] == unset) r.sizes[i] = dyn;
  for (index& x : r.loop) x = 1;
  unsigned named_loops = 0;
  for (int i = 0; i < s.inputs; ++i) {
    const int loops = static_cast<int>(shapes[i].rank) - r.ranks[i];
    for (int k = loops - 1; k >= 0; --k) {
      index& x = r.loop[r.loop_rank - loops + k];
      // At run time sizes of one name do not give way to each other.
      const bool named = shapes[i].known != nullptr && is_named(shapes[i].known[k]),
                 met = named_loops >> (r.loop_rank - loops + k) & 1;
      const index z = named && met && x != shapes[i].extents[k] ? clash : broadcast_axis(x, shapes[i].extents[k]);
      if (named) named_loops |= 1u << (r.loop_rank - loops + k);
      if (z == clash) return fail(core_mistake::loop, i, r.loop_rank - loops + k, x, shapes[i].extents[k]);
      x = z;
    }
  }
  return r;
}

// Throws shape_error: PyTorch's sentence where it has one, then the function, its signature, the operand, both sizes
// and all shapes.
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_core_mistake(const char* function, const char* signature,
                                                                      const core_binding& b, const shape_view* shapes,
                                                                      int count) {
  throw_linalg(linalg_error_kind::core_mistake, {function, signature, &b, shapes, count});
}

// Binds shapes as they are at run time, which number at most max_core_arguments; throws shape_error where they do not
// fit.
BROADLOOM_API core_binding bind_checked(const char* function, const char* signature, const core_signature& s,
                                        const shape_view* shapes, bool exact);
// The same, and the extents of the first result, which the signature says; their product fits an index.
BROADLOOM_API void bind_result(index* to, const char* function, const char* signature, const core_signature& s,
                               const shape_view* shapes, bool exact);

// What the compiler knows of a call.
template <class F, class... Shapes>
inline constexpr core_binding static_binding = [] {
  const shape_view views[] = {{Shapes::static_extents.v, Shapes::axes_count}...};
  return bind_core(F::signature::parsed, views, F::exact);
}();

// The core axes of one result: from the signature, or as the function says, whose extents(output, sizes) knows both
// sizes and dyn.
struct core_extents {
  int rank = 0;
  index e[max_core_axes] = {};
};

template <class F>
constexpr core_extents result_core(const core_binding& b, int output) {
  if constexpr (requires { F::extents(output, b.sizes); })
    return F::extents(output, b.sizes);
  else {
    core_extents r;
    const core_argument& a = F::signature::parsed.arguments[F::signature::parsed.inputs + output];
    for (int k = 0; k < a.rank; ++k)
      if (!b.missing[a.sizes[k]]) r.e[r.rank++] = b.sizes[a.sizes[k]];
    return r;
  }
}

template <class F, core_binding B, int Output>
constexpr auto result_extents() {
  constexpr core_extents c = result_core<F>(B, Output);
  indices<B.loop_rank + c.rank> r{};
  for (int i = 0; i < B.loop_rank; ++i) r[i] = B.loop[i];
  for (int i = 0; i < c.rank; ++i) r[B.loop_rank + i] = c.e[i];
  return r;
}

// The shape type of a result.
template <class F, int Output, class... Shapes>
using result_shape = shape_from<result_extents<F, static_binding<F, Shapes...>, Output>()>;

// The same with the extents of a call.
template <class Shape, class F>
constexpr Shape result_shape_now(const core_binding& b, int output) {
  const core_extents c = result_core<F>(b, output);
  indices<Shape::axes_count> r{};
  for (int i = 0; i < b.loop_rank; ++i) r[i] = b.loop[i];
  for (int i = 0; i < c.rank; ++i) r[b.loop_rank + i] = c.e[i];
  return Shape::unchecked(r);
}

// The sentence for a mistake known to the compiler. Numbers come first: clang shows about 33 characters of a text.
constexpr sentence core_sentence(const char* function, const char* signature, const core_binding& b) {
  sentence s;
  switch (b.mistake) {
    case core_mistake::size:
      s << extent_text{b.given} << " vs " << extent_text{b.expected} << "; " << function << ": operand " << b.argument
        << ", core axis " << b.axis;
      break;
    case core_mistake::loop:
      s << extent_text{b.expected} << " vs " << extent_text{b.given} << "; " << function << ": operand " << b.argument
        << ", loop axis " << b.axis;
      break;
    default: s << b.given << " axes, not " << b.expected << "; " << function << ": operand " << b.argument;
  }
  s << "; signature " << signature;
  return s;
}

template <class F, class... Shapes>
inline constexpr sentence core_sentence_of =
    core_sentence(F::name(), F::signature::str(), static_binding<F, Shapes...>);
template <class F, class... Shapes>
inline constexpr auto core_text = fit<core_sentence_of<F, Shapes...>.n>(core_sentence_of<F, Shapes...>);

// The run-time part of the check: none where all extents are known.
template <class F, class... Shapes>
constexpr core_binding checked_binding(const Shapes&... shapes) {
  if constexpr ((Shapes::is_static && ...) && static_binding<F, Shapes...>.mistake == core_mistake::none)
    return static_binding<F, Shapes...>;
  const shape_view views[] = {{shapes.data(), Shapes::axes_count, names_of<Shapes>}...};
  if (!__builtin_is_constant_evaluated())
    return bind_checked(F::name(), F::signature::str(), F::signature::parsed, views, F::exact);
  for (const shape_view& v : views) check_count(F::name(), v.extents, v.rank);
  const core_binding b = bind_core(F::signature::parsed, views, F::exact);
  if (b.mistake != core_mistake::none) throw_core_mistake(F::name(), F::signature::str(), b, views, sizeof...(Shapes));
  return b;
}

}  // namespace detail

namespace errors_md {
// What a call with arrays that do not fit a function's signature "returns": a type whose name says what is wrong.
template <auto Text, class... Shapes>
struct does_not_fit_the_signature;
// inv(x, y), solve(x), inv(2.0): it takes so many arrays.
template <auto Name, int Arrays>
struct this_function_takes_arrays;
}  // namespace errors_md

}  // namespace broadloom
