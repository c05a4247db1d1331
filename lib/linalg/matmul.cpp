// Products as the public functions call them.
#include <broadloom/geometry/stacked_formula.hpp>
#include <broadloom/linalg/products.hpp>

#include <algorithm>
#include <complex>
#include <type_traits>

#include "../base/by_type.hpp"
#include "../plan/nest.hpp"
#include "dot_product.hpp"
#include "product.hpp"

namespace broadloom::runtime {

namespace {

template <class T>
product_problem<T> problem_of(const stack_call& c, index rows, index depth, index cols) {
  product_problem<T> p;
  p.loop_rank = c.loop_rank;
  index step = rows * cols;
  for (int i = c.loop_rank - 1; i >= 0; --i) {
    p.loop[i] = c.loop[i];
    p.a_loop[i] = c.inputs[0].loop[i];
    p.b_loop[i] = c.inputs[1].loop[i];
    p.c_loop[i] = step;
    step *= c.loop[i];
  }
  p.a = {static_cast<const T*>(c.inputs[0].data), rows, depth, c.inputs[0].core[0], c.inputs[0].core[1]};
  p.b = {static_cast<const T*>(c.inputs[1].data), depth, cols, c.inputs[1].core[0], c.inputs[1].core[1]};
  p.c = static_cast<T*>(c.outputs[0]);
  p.ldc = cols;
  p.how = c.how;
  return p;
}

void multiply_any(const stack_call& c, index rows, index depth, index cols) {
  by_type(number_types{}, c.type, [&]<class T>() {
    if constexpr (std::is_integral_v<T>)
      multiply_integers(problem_of<T>(c, rows, depth, cols));
    else
      multiply(problem_of<T>(c, rows, depth, cols));
  });
}

}  // namespace

void matmul(const stack_call& c) { multiply_any(c, c.sizes[0], c.sizes[1], c.sizes[2]); }

void matmul_rows(const stack_call& all, index first, index last) {
  // The leading axis is the first whose extent is not 1.
  stack_call c = all;
  stack_input own[2] = {all.inputs[0], all.inputs[1]};
  for (; c.loop_rank > 0 && c.loop[0] == 1; --c.loop_rank, ++c.loop)
    for (stack_input& in : own)
      for (int i = 0; i + 1 < c.loop_rank; ++i) in.loop[i] = in.loop[i + 1];
  c.inputs = own;
  if (is_floating(c.type) || is_complex(c.type))
    return by_type(floating_and_complex_types{}, c.type, [&]<class T>() {
      const auto p = problem_of<T>(c, c.sizes[0], c.sizes[1], c.sizes[2]);
      if (c.loop_rank > 0)
        multiply_leading(p, first, last);
      else
        multiply_rows(p, first, last);
    });
  stack_call part = c;
  stack_input inputs[2] = {c.inputs[0], c.inputs[1]};
  part.inputs = inputs;
  const bool stack = c.loop_rank > 0, row = !stack && c.sizes[0] == 1;
  for (stack_input& in : inputs) {
    const bool left = &in == inputs;
    const index step = stack ? in.loop[0] : left ? (row ? 0 : in.core[0]) : row ? in.core[1] : 0;
    in.data = static_cast<const char*>(in.data) + first * step * size_of(c.type);
  }
  index loop[detail::max_loop_axes];
  for (int i = 0; i < c.loop_rank; ++i) loop[i] = i == 0 ? last - first : c.loop[i];
  part.loop = loop;
  multiply_any(part, stack || row ? c.sizes[0] : last - first, c.sizes[1], row ? last - first : c.sizes[2]);
}

namespace {

// (b,m,k),(b,k,n): the batch is a core axis of the signature, and a loop axis here.
template <class Run>
void as_a_stack(const stack_call& c, const Run& run) {
  stack_call as = c;
  stack_input inputs[2] = {c.inputs[0], c.inputs[1]};
  for (stack_input& in : inputs) {
    in.loop[0] = in.core[0];
    in.core[0] = in.core[1];
    in.core[1] = in.core[2];
  }
  as.loop_rank = 1;
  as.loop = c.sizes;
  as.sizes = c.sizes + 1;
  as.inputs = inputs;
  run(as);
}

}  // namespace

void bmm(const stack_call& c) { as_a_stack(c, matmul); }
void bmm_rows(const stack_call& c, index first, index last) {
  as_a_stack(c, [=](const stack_call& as) { matmul_rows(as, first, last); });
}

// (k),(k)->() over loop axes.
void vecdot(const stack_call& c) {
  stack_call as = c;
  stack_input inputs[2] = {c.inputs[0], c.inputs[1]};
  inputs[0].core[1] = inputs[0].core[0];
  inputs[0].core[0] = 0;
  inputs[1].core[1] = 0;
  as.inputs = inputs;
  multiply_any(as, 1, c.sizes[0], 1);
}

void dot(dtype type, const void* x, index x_step, const void* y, index y_step, index n, const options& how, void* to) {
  by_type(type_list<float, double>{}, type, [&]<class T>() {
    const T sum = dot_product(static_cast<const T*>(x), x_step, static_cast<const T*>(y), y_step, n, how);
    *static_cast<T*>(to) = 0 + sum;  // products of -0 alone give 0
  });
}

namespace {

template <class T>
void cross_as(const stack_call& c) {
  using U = std::conditional_t<detail::is_complex_type<T>, T,
                               std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>>;
  const bool stacked = c.loop_rank > 0;
  const index row = stacked ? c.loop[c.loop_rank - 1] : 1;
  const auto step_of = [&](const stack_input& in) { return stacked ? in.loop[c.loop_rank - 1] : 0; };
  const index sx = c.inputs[0].core[0], sy = c.inputs[1].core[0];
  const index step_x = step_of(c.inputs[0]), step_y = step_of(c.inputs[1]);
  in_blocks(c.count(), 4096, c.how, [&](index first, index last) {
    T* to = static_cast<T*>(c.outputs[0]) + 3 * first;
    for (index number = first; number < last;) {
      const T* x = static_cast<const T*>(c.inputs[0].data) + loop_offset(c, c.inputs[0], number);
      const T* y = static_cast<const T*>(c.inputs[1].data) + loop_offset(c, c.inputs[1], number);
      const index end = std::min(last, number + row - number % row);
      for (; number < end; ++number, x += step_x, y += step_y, to += 3) {
        const U x0 = static_cast<U>(x[0]), x1 = static_cast<U>(x[sx]), x2 = static_cast<U>(x[2 * sx]);
        const U y0 = static_cast<U>(y[0]), y1 = static_cast<U>(y[sy]), y2 = static_cast<U>(y[2 * sy]);
        to[0] = static_cast<T>(x1 * y2 - x2 * y1);
        to[1] = static_cast<T>(x2 * y0 - x0 * y2);
        to[2] = static_cast<T>(x0 * y1 - x1 * y0);
      }
    }
  });
}

}  // namespace

// (3),(3)->(3) over loop axes.
void cross(const stack_call& c) {
  if (is_floating(c.type)) return run_formula(c, detail::formulas::number_of<detail::cross_of_stacks>);
  by_type(decltype(type_list<std::complex<float>, std::complex<double>>{} + integer_types{}){}, c.type,
          [&]<class T>() { cross_as<T>(c); });
}

}  // namespace broadloom::runtime
