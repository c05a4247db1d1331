// explain(e), explain(out, e): what an evaluation will do, as data that prints.
#pragma once

#include <iosfwd>
#include <string>

#include <broadloom/core/api.hpp>
#include <broadloom/core/isa.hpp>
#include <broadloom/core/list.hpp>
#include <broadloom/plan/bind.hpp>
#include <broadloom/plan/problem.hpp>
#include <broadloom/plan/unplanned.hpp>
#include <broadloom/plan/visit_tree.hpp>

namespace broadloom {

// One loop of the nest, outermost first.
struct planned_loop {
  index extent;
  list<index> steps;  // bytes each operand moves per iteration, the output's last
};

// One operand of the normal form, or the output.
struct planned_array {
  dtype type;
  std::string reading;  // scalar, dense, splat, packed, computed, materialized
  index bytes;          // of its own elements; expanded axes count once
};

// A part that depends on only some axes of the result: evaluated once over those, before the rest.
struct planned_part {
  list<index> extents;  // 1 on the axes it does not depend on
  index bytes;          // of the memory that holds it
};

// How a pass reduces: which loops go over its results and over the elements that give each; by rows, those of a block.
struct planned_reduction {
  std::string loops;              // rows, short rows, columns, tiles ...; empty: nothing is reduced
  std::string elements;           // read in place, evaluated first, computed in the same loop ...
  index results = 0, length = 0;  // and elements of each
  index block = 0;                // results in a task
  index part = 0;                 // elements of each in a task; if these are not all, partial results are combined
  index tasks = 0;
  int threads = 1;
};

// What is computed before the loop: a reduction, a product of matrices, `let`.
struct planned_pass {
  std::string name;
  list<index> extents;  // of the result
  bool by_rows;         // a block of rows at a time, just before the loop reads it; else whole, before the loop
  index bytes;          // of the memory that holds it, in each thread if by rows
  planned_reduction reduced{};
};

struct explanation {
  std::string tree;            // the expression, functions by name, leaves by type and shape
  list<index> shape;           // of the result
  list<std::string> routes;    // the way from the tree to its loops, step by step
  list<planned_loop> loops;    // after the passes
  list<planned_array> arrays;  // the operands from left to right, then the output; of three stages on, equal ones once
  list<std::string> stages;    // loops that run one after the other on each chunk
  index shared_stages = 0;     // of these, dropped because an earlier one computes the same
  list<planned_part> hoisted;  // in the order found; in the loops they are operands after the tree's own
  list<planned_pass> passes;   // what is computed first, in this order
  index rows_at_once = 0;      // indices of the leading axis that pass through all passes by rows together; 0: none do
  std::string blocks;          // flat, rows, tiles or merged rows; empty: there is no loop of its own
  index block_rows = 0, block_columns = 0, block_count = 0;
  index chunk = 0;        // elements that pass through the stages together
  bool streamed = false;  // output written with streaming stores
  int threads = 1;
  isa level = isa::base;
  int lanes = 1;      // elements in a vector of the last loop
  std::string maths;  // where transcendental functions come from; empty when there are none
  index bytes_read = 0, bytes_written = 0;
  index temporary_bytes = 0;  // for operands that overlap the output
  index calls = 0;            // of functions of the tree, over all elements
};

BROADLOOM_API std::string to_string(const explanation& x);
BROADLOOM_API std::ostream& operator<<(std::ostream& to, const explanation& x);

namespace runtime {

// Everything but the tree, the stages' names and the calls, of what the doors in plan/problem.hpp would do.
BROADLOOM_API explanation describe_unplanned(const slot* leaves, const index* extents, void* out,
                                             const unplanned_form& form, const options& how);
// `scalars_first`: reductions of one element are computed by reduce/whole.hpp, before the tree.
BROADLOOM_API explanation describe(const target_array& out, const leaf_array* leaves, int count, const program& code,
                                   const options& how, bool scalars_first = false);

}  // namespace runtime

namespace detail {

// A tree as text, by a function that shows it to a visitor: functions by name, leaves by type and shape. A tree that
// copies of a `let` share is written once; its name gets a number if it is mentioned again.
BROADLOOM_API std::string tree_text(const void* tree, show_tree* show);
template <class E>
std::string tree_text(const E& e) {
  return tree_text(&e, shows<E>);
}

template <class E>
inline constexpr index call_count = 0;
template <class F, class Shape, class... Args>
inline constexpr index call_count<map<F, Shape, Args...>> = 1 + (index{0} + ... + call_count<Args>);

// What a stage computes from its inputs: #0, #1 ... are the operands from left to right, stage 0 ... the results of
// earlier stages.
template <int Id, class T>
std::string program_text(const operand_ref<Id, T>*) {
  return std::string("#") + std::to_string(Id);
}
template <int Id, class T>
std::string program_text(const ramp_ref<Id, T>*) {
  return std::string("#") + std::to_string(Id);
}
template <int Id, class T>
std::string program_text(const scalar_ref<Id, T>*) {
  return std::string("#") + std::to_string(Id);
}
template <int Id, class T>
std::string program_text(const stage_ref<Id, T>*) {
  return std::string("stage ") + std::to_string(Id);
}
template <class F, class... P>
std::string program_text(const call<F, P...>*) {
  std::string s = F::name();
  s += "(";
  int k = 0;
  ((s += (k++ > 0 ? ", " : "") + program_text(static_cast<const P*>(nullptr))), ...);
  return s + ")";
}
template <class P>
std::string program_text(const compute_stage<P>*) {
  return "loop: " + program_text(static_cast<const P*>(nullptr));
}
template <class F, class... Refs>
std::string program_text(const strip_stage<F, Refs...>*) {
  return "strip: " + program_text(static_cast<const call<F, Refs...>*>(nullptr));
}
template <class F, class... Refs>
std::string program_text(const call_stage<F, Refs...>*) {
  return "call: " + program_text(static_cast<const call<F, Refs...>*>(nullptr));
}
template <class... Stages>
list<std::string> stages_text(const program<Stages...>*) {
  return {program_text(static_cast<const Stages*>(nullptr))...};
}

}  // namespace detail
}  // namespace broadloom
