// The errors of calls that do not fit a signature: PyTorch's sentence, then the function, its signature, the operand
// and the shapes.
#include <cstdio>
#include <string>
#include <string_view>

#include <broadloom/linalg/distances.hpp>
#include <broadloom/linalg/einsum_to.hpp>
#include <broadloom/linalg/fused.hpp>
#include <broadloom/linalg/outer.hpp>
#include <broadloom/linalg/solve.hpp>
#include <broadloom/linalg/spectral.hpp>
#include <broadloom/linalg/tensors.hpp>

#include "../base/list_text.hpp"
#include "errors.hpp"

namespace broadloom::detail {

namespace {

std::string text_of(index n) { return std::to_string(n); }

std::string listed(const shape_view& s) { return list(s.extents, s.rank, '(', ')'); }
index elements(const shape_view& s, index axes) {
  index n = 1;
  for (index i = 0; i < axes; ++i) n *= s.extents[i];
  return n;
}
index from_end(const shape_view& s, index k) { return s.extents[s.rank - k]; }

// 2x3
std::string times(index a, index b) { return text_of(a) + "x" + text_of(b); }

std::string vectors_differ(const shape_view& a, const shape_view& b) {
  return "inconsistent tensor size, expected tensor [" + text_of(from_end(a, 1)) + "] and src [" +
         text_of(from_end(b, 1)) + "] to have the same number of elements, but got " + text_of(from_end(a, 1)) +
         " and " + text_of(from_end(b, 1)) + " elements respectively";
}
std::string products_differ(const shape_view& a, const shape_view& b) {
  return "mat1 and mat2 shapes cannot be multiplied (" + times(elements(a, a.rank - 1), from_end(a, 1)) + " and " +
         times(from_end(b, 2), from_end(b, 1)) + ")";
}
std::string batches_differ(index batch, index depth, const shape_view& b) {
  return "Expected size for first two dimensions of batch2 tensor to be: [" + text_of(batch) + ", " + text_of(depth) +
         "] but got: [" + text_of(b.extents[0]) + ", " + text_of(b.extents[1]) + "].";
}

std::string loops_differ(index a, index b, index axis) {
  return "The size of tensor a (" + text_of(a) + ") must match the size of tensor b (" + text_of(b) +
         ") at non-singleton dimension " + text_of(axis);
}
std::string not_square(const shape_view& a) {
  return "A must be batches of square matrices, but they are " + text_of(from_end(a, 2)) + " by " +
         text_of(from_end(a, 1)) + " matrices";
}
// The shapes of a and b in the terms of their equation.
std::string equation_differs(std::string_view equation, const shape_view& a, const std::string& b) {
  return "Incompatible shapes of A and B for the equation " + std::string(equation) + " = B (" +
         times(from_end(a, 2), from_end(a, 1)) + " and " + b + ")";
}

std::string core_size_sentence(std::string_view f, const core_binding& b, const shape_view* s) {
  const shape_view &x = s[0], &y = s[1];
  if (f == "matmul") {
    if (x.rank == 1 && y.rank == 1) return vectors_differ(x, y);
    if (y.rank == 1) {
      const index rows = elements(x, x.rank - 1);
      return "size mismatch, got " + text_of(rows) + ", " + times(rows, from_end(x, 1)) + "," + text_of(from_end(y, 1));
    }
    if (x.rank == 1 && y.rank == 2)
      return "mat1 and mat2 shapes cannot be multiplied (" + times(1, from_end(x, 1)) + " and " +
             times(from_end(y, 2), from_end(y, 1)) + ")";
    if (y.rank == 2) return products_differ(x, y);
    // Stacks have been broadcast before.
    const index axes_x = x.rank > 2 ? x.rank - 2 : 0, axes_y = y.rank - 2;
    index batch = 1;
    for (index k = 1; k <= (axes_x > axes_y ? axes_x : axes_y); ++k) {
      const index p = k > axes_x ? 1 : x.extents[axes_x - k], q = k > axes_y ? 1 : y.extents[axes_y - k];
      if (p != q && p != 1 && q != 1) return loops_differ(p, q, (axes_x > axes_y ? axes_x : axes_y) - k);
      batch *= p == 1 ? q : p;
    }
    return "Expected size for first two dimensions of batch2 tensor to be: [" + text_of(batch) + ", " +
           text_of(from_end(x, 1)) + "] but got: [" + text_of(batch) + ", " + text_of(from_end(y, 2)) + "].";
  }
  if (f == "mm" || f == "addmm") return products_differ(x, y);
  if (f == "mv" || f == "addmv")
    return "size mismatch, got " + text_of(x.extents[0]) + ", " + times(x.extents[0], x.extents[1]) + "," +
           text_of(y.extents[0]);
  if (f == "dot" || f == "vdot" || f == "linalg.vecdot") return vectors_differ(x, y);
  if (f == "inner")
    return "inner() the last dimension must match on both input tensors but got shapes " + list(x) + " and " + list(y);
  if (f == "bmm" || f == "baddbmm") return batches_differ(x.extents[0], x.extents[2], y);
  if (f == "addbmm")
    return x.extents[0] != y.extents[0] ? "batch1 and batch2 must have same number of batches, got " +
                                              text_of(x.extents[0]) + " and " + text_of(y.extents[0])
                                        : "Incompatible matrix sizes for bmm (" + times(x.extents[1], x.extents[2]) +
                                              " and " + times(y.extents[1], y.extents[2]) + ")";
  if (f == "linalg.cross")
    return "linalg.cross: inputs dimension -1 must have length 3. Got " + text_of(from_end(x, 1)) + " and " +
           text_of(from_end(y, 1));
  if (f == "linalg.lstsq")
    return "torch.linalg.lstsq: input.size(-2) should match other.size(" +
           std::string(y.rank + 1 == x.rank ? "-1)" : "-2)");
  if (f == "cholesky_solve") {
    if (from_end(y, 1) != from_end(y, 2)) return not_square(y);
    return "Incompatible matrix sizes for cholesky_solve: each A matrix is " + text_of(from_end(y, 2)) + " by " +
           text_of(from_end(y, 1)) + " but each b matrix is " + text_of(from_end(x, 2)) + " by " +
           text_of(from_end(x, 1));
  }
  if (f == "ormqr" || f == "ormqr_right")
    return std::string("ormqr: other.shape[") + (f == "ormqr" ? "-2" : "-1") + "] must be equal to input.shape[-2]";
  const bool right = f == "linalg.solve_triangular_right", vectors = f == "gesv1" || f == "solve_vec";
  const std::string name(right ? "linalg.solve_triangular" : f);
  if (b.argument == 0 && from_end(x, 1) != from_end(x, 2)) return name + ": " + not_square(x);
  if (f == "linalg.lu_solve") {
    if (b.argument == 1) return name + ": Number of pivots per batch should be same as the dimension of the matrix";
    return name + ": " + equation_differs("AX", x, times(from_end(s[2], 2), from_end(s[2], 1)));
  }
  if (right || vectors || f == "linalg.solve" || f == "gesv" || f == "linalg.solve_triangular")
    return name + ": " +
           equation_differs(right ? "XA" : "AX", x,
                            vectors || y.rank == 1 ? times(from_end(y, 1), 1) : times(from_end(y, 2), from_end(y, 1)));
  return name + ": operand " + text_of(b.argument) + " does not fit the others";
}

std::string rank_sentence(std::string_view f, const core_binding& b, const shape_view* s, int count) {
  if (f == "matmul")
    return "both arguments to matmul need to be at least 1D, but they are " + text_of(s[0].rank) + "D and " +
           text_of(s[1].rank) + "D";
  if (f == "mm") return b.argument == 0 ? "self must be a matrix" : "mat2 must be a matrix";
  if (f == "bmm") return b.argument == 0 ? "batch1 must be a 3D tensor" : "batch2 must be a 3D tensor";
  if (f == "mv") return "vector + matrix @ vector expected, got 1, " + text_of(s[0].rank) + ", " + text_of(s[1].rank);
  if (f == "dot" || f == "vdot")
    return "1D tensors expected, but got " + text_of(s[0].rank) + "D and " + text_of(s[1].rank) + "D tensors";
  (void)count;
  return std::string(f) + ": The input tensor " + (b.argument == 0 ? "A" : "B") + " must have at least " +
         text_of(b.expected) + " dimensions.";
}

}  // namespace

void raise_core_mistake(const char* function, const char* signature, const core_binding& b, const shape_view* shapes,
                        int count) {
  const std::string f = function;
  std::string what, detail;
  switch (b.mistake) {
    case core_mistake::size:
      what = core_size_sentence(f, b, shapes);
      detail = "Input operand " + text_of(b.argument) + " has a mismatch in its core dimension " + text_of(b.axis) +
               ", with signature " + signature + " (size " + text_of(b.given) + " is different from " +
               text_of(b.expected) + ")";
      break;
    case core_mistake::loop:
      what = loops_differ(b.expected, b.given, b.axis);
      detail = "loop axis " + text_of(b.axis) + " of operand " + text_of(b.argument) +
               " does not broadcast, with signature " + signature;
      break;
    default:
      what = rank_sentence(f, b, shapes, count);
      detail = "Input operand " + text_of(b.argument) + " has " + text_of(b.given) + " dimensions, with signature " +
               signature + " requires " + text_of(b.expected);
  }
  what += "\n  " + f + ": " + detail + "\n  " + f + "(";
  for (int i = 0; i < count; ++i) what += (i > 0 ? ", " : "") + listed(shapes[i]);
  throw shape_error(what + ")");
}

core_binding bind_checked(const char* function, const char* signature, const core_signature& s,
                          const shape_view* shapes, bool exact) {
  for (int i = 0; i < s.inputs; ++i) check_count(function, shapes[i].extents, shapes[i].rank);
  const core_binding b = bind_core(s, shapes, exact);
  if (b.mistake != core_mistake::none) throw_core_mistake(function, signature, b, shapes, s.inputs);
  return b;
}

void bind_result(index* to, const char* function, const char* signature, const core_signature& s,
                 const shape_view* shapes, bool exact) {
  const core_binding b = bind_checked(function, signature, s, shapes, exact);
  int rank = 0;
  for (; rank < b.loop_rank; ++rank) to[rank] = b.loop[rank];
  const core_argument& a = s.arguments[s.inputs];
  for (int k = 0; k < a.rank; ++k)
    if (!b.missing[a.sizes[k]]) to[rank++] = b.sizes[a.sizes[k]];
  check_count(function, to, rank);
}

void raise_inner_sizes(const shape_view& a, const shape_view& b) {
  throw shape_error("inner() the last dimension must match on both input tensors but got shapes " + list(a) + " and " +
                    list(b) + "\n  inner(" + listed(a) + ", " + listed(b) + ")");
}

}  // namespace broadloom::detail

namespace broadloom::runtime {

using detail::shape_view;

void raise_fused_addend(const char* function, const shape_view& c, const shape_view& product, const shape_view& a,
                        const shape_view& b) {
  const std::string f = function;
  std::string what;
  if (f == "addmv")
    what = "size mismatch, got " + detail::text_of(c.extents[0]) + ", " + detail::times(a.extents[0], a.extents[1]) +
           "," + detail::text_of(b.extents[0]);
  else
    for (index k = 1; k <= c.rank && what.empty(); ++k) {
      const index x = c.extents[c.rank - k], y = product.extents[product.rank - k];
      if (x != y && x != 1)
        what = "The expanded size of the tensor (" + detail::text_of(y) + ") must match the existing size (" +
               detail::text_of(x) + ") at non-singleton dimension " + detail::text_of(product.rank - k) +
               ".  Target sizes: " + detail::list(product) + ".  Tensor sizes: " + detail::list(c);
    }
  throw shape_error(what + "\n  " + f + "(" + detail::listed(c) + ", " + detail::listed(a) + ", " + detail::listed(b) +
                    ")");
}

void raise_fused_in_place(const char* function, const shape_view& out, const shape_view& product, const shape_view& a,
                          const shape_view& b) {
  const std::string f = function;
  std::string what;
  if (f == "addr")
    what = "size mismatch, input: " + detail::list(out) + ", v1: " + detail::list(a) + ", v2: " + detail::list(b);
  else if (f == "addbmm")
    what = "output with shape " + detail::list(out) + " doesn't match the broadcast shape " + detail::list(product);
  else
    what = "Bad in-place call: input tensor size " + detail::list(out) + " and output tensor size " +
           detail::list(product) + " should match";
  throw shape_error(what + "\n  " + f + "_(" + detail::listed(out) + ", " + detail::listed(a) + ", " +
                    detail::listed(b) + ")");
}

void raise_einsum_size(char label, index operand, index given, index expected) {
  throw shape_error(std::string("einsum(): subscript ") + (label == '.' ? "..." : std::string(1, label)) +
                    " has size " + detail::text_of(given) + " for operand " + detail::text_of(operand) +
                    " which does not broadcast with previously seen size " + detail::text_of(expected));
}

void raise_einsum_name(index name, index operand, index given, index other, index expected) {
  throw shape_error(std::string("einsum_to(): ") + detail::unpacked_name(name).c + " is " + detail::text_of(given) +
                    " in operand " + detail::text_of(operand) + " and " + detail::text_of(expected) + " in operand " +
                    detail::text_of(other));
}

namespace {

std::string text_of(const norm_kind& k) {
  if (k.what == norm_kind::kind::frobenius) return "fro";
  if (k.what == norm_kind::kind::nuclear) return "nuc";
  char text[32];
  std::snprintf(text, sizeof text, "%g", k.order);
  return text;
}

}  // namespace

void raise_norm_order(const char* function, double order) {
  const std::string f = function, k = text_of({norm_kind::kind::number, order});
  throw shape_error(
      (f == "linalg.cond" ? f + " got an invalid norm type: " + k : f + ": Order " + k + " not supported.") + "\n  " +
      f + ": a matrix norm is 1, -1, 2, -2, inf, -inf, frobenius or nuclear");
}

void raise_norm_of_nothing(const norm_kind& k, index rows, index cols, index axes) {
  const bool two = k.order == 2 || k.order == -2;
  throw shape_error(std::string(k.order < 0 ? "amin" : "amax") + "(): Expected reduction dim " +
                    (two ? std::string("-1") : detail::text_of(axes)) +
                    " to have non-zero size.\n  linalg.matrix_norm: the norm of order " + text_of(k) +
                    " is one of its rows, columns or singular values, of which a matrix of " +
                    detail::times(rows, cols) + " has none");
}

void raise_norm_of_other_shape(const norm_kind& k, index rows, index cols) {
  throw shape_error("linalg.cond(ord=" + text_of(k) + "): A must be batches of square matrices, but they are " +
                    detail::text_of(rows) + " by " + detail::text_of(cols) + " matrices");
}

void raise_reflections(const char* function, index rows, index cols, index count) {
  const std::string f = function;
  const bool product = f == "linalg.householder_product";
  const std::string what = product && cols > rows ? "input.shape[-2] must be greater than or equal to input.shape[-1]"
                           : product              ? "input.shape[-1] must be greater than or equal to tau.shape[-1]"
                           : count > cols         ? "tau.shape[-1] must be less than or equal to input.shape[-1]"
                                                  : "other.shape[" + std::string(f == "ormqr" ? "-2" : "-1") +
                                                "] must be greater than or equal to tau.shape[-1]";
  throw shape_error((product ? f : "ormqr") + ": " + what + "\n  " + f + ": " + detail::text_of(count) +
                    " reflections, matrices of " + detail::times(rows, cols));
}

void raise_tensor_equation(const char* function, const detail::shape_view& a, const detail::shape_view& b) {
  throw shape_error(std::string(function) +
                    ": the first axes of a are those of b, and the others have as many elements: " + detail::list(a) +
                    " and " + detail::list(b));
}

void raise_contracted_sizes(index left, index size, index right, index other) {
  throw shape_error("contracted dimensions need to match, but first has size " + detail::text_of(size) + " in dim " +
                    detail::text_of(left) + " and second has size " + detail::text_of(other) + " in dim " +
                    detail::text_of(right) + "\n  in tensordot");
}

void raise_row_lengths(index left, index right) {
  throw shape_error("X1 and X2 must have the same number of columns. X1: " + std::to_string(left) +
                    " X2: " + std::to_string(right) + "\n  in cdist");
}

}  // namespace broadloom::runtime
