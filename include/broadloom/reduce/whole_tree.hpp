// All elements of a tree to one, where its leaves need no plan.
#pragma once

#include <broadloom/eval/code.hpp>
#include <broadloom/eval/simd/row_reduce_kernel.hpp>
#include <broadloom/plan/unplanned_leaves.hpp>
#include <broadloom/reduce/whole.hpp>

namespace broadloom::detail {

// Whether Op::on combines vectors lane by lane.
template <class Op>
inline constexpr bool is_lane_wise = requires { requires !Op::is_truth; };

// `tree` has an unplanned form of this rank, and its ramps are in memory; T is the type of its elements.
template <class Op, class T, int Native, class Tree, class Shape>
auto reduce_unplanned(const Tree& tree, const Shape& shape, runtime::reduction by, const runtime::options& how) {
  if constexpr (requires { Op::needs_no_power(tree); })
    if (Op::needs_no_power(tree)) return Op::template whole_without_power<Native>(tree, by, how);
  using program = typename program_of<Tree, T>::type;
  using result = typename Op::template result<T>;
  constexpr int rank = Shape::axes_count, count = operand_limit<operand_count<Tree>>::count;
  constexpr const runtime::row_reduce_kernel* rows = [] {
    if constexpr (is_lane_wise<Op> || combines_truth<Op>)
      return row_reduce_loop_of<Op, program, Native>;
    else
      return static_cast<const runtime::row_reduce_kernel*>(nullptr);
  }();
  constexpr runtime::listed_leaves listed = listed_leaves_of<Tree, rank>();
  static constexpr runtime::whole_reduction form =
      runtime::whole_form(program_code<program, Native, false>::value, rows, dtype_of<result>, rank, count,
                          is_lane_wise<Op> && Op::how == runtime::reduction::sum, reads_plain_rows<Tree>,
                          reads_number<Tree>, listed.numbers);
  result x;
  if constexpr (form.reads_array || form.term != runtime::summed_term::other) {
    plain_row x_y[2] = {};
    list_plain_rows<0>(tree, x_y);
    if constexpr (form.reads_array)
      runtime::reduce_array(x_y[0].data, x_y[0].count, &x, form, by, how);
    else
      runtime::sum_products(x_y[0].data, x_y[1].data, x_y[0].count, &x, x_y[count - 1].count, form, how);
  } else if constexpr (listed.all && listed.ramps == 0 && rank <= runtime::max_listed_rank && rank * count > 2) {
    // A list of slots and extents is twice as much for compilers. Of one axis and few leaves it is the faster one.
    runtime::listed_leaf leaves[count];
    list_as_they_are<0>(tree, leaves);
    runtime::reduce_listed(leaves, &x, form, by, how);
  } else {
    BROADLOOM_LIST_LEAVES(rank, Tree, shape, tree)
    runtime::reduce_whole(leaves, extents, &x, form, by, how);
  }
  return x;
}

}  // namespace broadloom::detail
