// The node of a fused product: its addend is written a block at a time before the product is added to it there, and
// what reads the result has it by rows.
#pragma once

#include <broadloom/linalg/fused_products.hpp>
#include <broadloom/linalg/products.hpp>

namespace broadloom::detail {

template <class F, class Shape, class C, class A, class B>
class fused {
  static constexpr int rank = Shape::axes_count;
  // The addend can be written a block at a time: once each, and no more than these elements are computed for it.
  static constexpr bool once = deferred_count<C> == 0 && !has_calls<C>;
  static constexpr bool by_blocks = once && (std::is_floating_point_v<value_of<A>> || is_complex_type<value_of<A>>);
  // No axis is summed: one pass has the bits of the product's own, and integers wrap around alike.
  static constexpr bool in_one_pass =
      __is_same(F, addr_f) && (by_blocks || (once && std::is_integral_v<value_of<A>> && !__is_same(value_of<A>, bool)));
  // Where the result's first axis is in the operands.
  static constexpr contraction_index lead = F::plan.list[0];

 public:
  using value_type = value_of<A>;
  using shape_type = Shape;

  constexpr fused(const Shape& s, value_type beta, value_type alpha, C c, A a, B b)
      : c_(static_cast<C&&>(c)),
        a_(static_cast<A&&>(a)),
        b_(static_cast<B&&>(b)),
        shape_(s),
        beta_(beta),
        alpha_(alpha) {}

  static constexpr const char* name() { return F::name(); }
  constexpr const Shape& shape() const { return shape_; }

  static constexpr bool is_straight = Shape::is_static && is_straight_tree<C> && is_straight_product<F::plan, A, B>;
  template <int Native>
  BROADLOOM_INLINE void straight(value_type* to, const runtime::options& how) const {
    const view<value_type, Shape, row_major> out(to, shape_, {});
    if (alpha_ == value_type(0)) {
      if (adds())
        assign_node<Native>(out, mul(c_, beta_), how);
      else
        assign_node<Native>(out, scalar<value_type>(value_type{}), how);
      return;
    }
    value_type product[static_size<Shape>];
    straight_contraction<F::plan, Native>(a_, b_, product, how);
    const auto scaled = mul(view<const value_type, Shape, row_major>(product, shape_, {}), alpha_);
    if (adds())
      assign_node<Native>(out, add(mul(c_, beta_), scaled), how);
    else
      assign_node<Native>(out, scaled, how);
  }

  template <int R>
  constexpr value_type element(const indices<R>& at) const {
    value_type r{};
    if (beta_ != value_type(0)) r = element_product<value_type>(beta_, c_.element(at));
    if (alpha_ != value_type(0))
      r = element_sum<value_type>(r, element_product<value_type>(alpha_, contracted_element<F::plan>(at, a_, b_)));
    return r;
  }
  bool same(const fused& o) const {
    return detail::same_bits(beta_, o.beta_) && detail::same_bits(alpha_, o.alpha_) && same_tree(c_, o.c_) &&
           same_tree(a_, o.a_) && same_tree(b_, o.b_);
  }
  bool reads(const void* low, const void* high) const {
    // By rows a tree is read between writes.
    if constexpr (!lies_in_memory<A>)
      if (alpha_ != value_type(0) && may_read(a_, low, high)) return true;
    return factors_read(low, high) || may_read(c_, low, high);
  }
  // c may be the output: it is read where the result is written, and before.
  template <int Native, class S>
    requires(S::axes_count == Shape::axes_count)
  bool assign_to(const view<value_type, S, row_major>& out, const runtime::options& how) const {
    if (!writes_to(out)) return false;
    evaluate<Native>(out.data(), how);
    return true;
  }
  template <class S>
  bool writes_to(const view<value_type, S, row_major>& out) const {
    return out.shape().extents() == shape_.extents() && !factors_read(out.data(), out.data() + out.shape().size());
  }
  template <int Native>
  void evaluate(value_type* to, const runtime::options& how) const {
    if constexpr (is_straight) return straight<Native>(to, how);
    const auto addend = [&] {
      const view<value_type, Shape, row_major> out(to, shape_, {});
      if (adds())
        write_addend<Native>(out, c_, how);
      else if (alpha_ == value_type(0))
        assign_node<Native>(out, scalar<value_type>(value_type{}), how);
    };
    if (alpha_ == value_type(0)) return addend();
    if constexpr (in_one_pass)
      if (alpha_ == value_type(1) && beta_ == value_type(1)) {
        const view<value_type, Shape, row_major> out(to, shape_, {});
        return assign_node<Native>(out, add(c_, mul(unsqueeze(a_, integer_constant<1>{}), b_)), how);
      }
    if constexpr (by_blocks)
      if (adds() && !of_small_matrices() && (!may_read(c_, to, to + shape_.size()) || is_where(to))) {
        const block_writer<Native> writer{*this, to};
        const runtime::product_addend each{block_writer<Native>::write, &writer};
        runtime::contraction_call more{};
        more.addend = &each;
        return run<Native>(to, a_, b_, how, [] {}, more);
      }
    run<Native>(to, a_, b_, how, addend, {});
  }

  // Rows, or matrices of a stack, by themselves, so that what reads the result reads it from cache; of a left operand
  // that is a tree only what they need is evaluated.
  index row_hint() const
    requires(by_blocks && lies_in_memory<B> && (lies_in_memory<A> || deferred_count<A> == 0))
  {
    if (alpha_ == value_type(0) || of_small_matrices()) return -1;
    const index depth = largest_depth();
    if (depth < 1) return -1;
    if constexpr (lead.b >= 0) {
      if (shape_[0] == 1) return -1;
      // One matrix for a whole stack makes it one tall product, whose rows go together wherever a matrix begins.
      if (b_.strides()[lead.b] == 0) {
        if (b_.strides()[rank - 1] == 0) return -1;
        if constexpr (lies_in_memory<A>)
          if (a_.strides()[lead.a] == 0) return -1;
      }
    }
    const index hint = runtime::product_rows(shape_.data(), rank, depth, rank == 1);
    if constexpr (lies_in_memory<A>)
      return hint;
    else {
      // A tree is evaluated for whole groups.
      const index each = together(), whole = (hint + each - 1) / each * each;
      return hint <= 0 || whole * 2 > shape_[0] ? -1 : whole;
    }
  }
  template <int Native>
  void evaluate_rows(index first, index last, value_type* to, const runtime::options& how) const {
    const index each = together(), all = shape_[0], end = (last + each - 1) / each * each;
    index from = first / each * each;
    const index until = end < all ? end : all;
    // A row by itself would be multiplied as a vector is.
    if (each > 1 && until - from == 1 && from > 0) from -= each;
    const index n = until - from;
    auto extents = shape_.extents();
    extents[0] = n;
    const auto part = dshape<rank>::unchecked(extents);
    const auto rows = [&](value_type* here) {
      if (adds())
        write_addend<Native>(view<value_type, dshape<rank>, row_major>(here, part, {}),
                             edit_axes<narrow_edit>(c_, index{0}, from, n), how);
      runtime::contraction_call more{};
      if constexpr (lies_in_memory<A>) {
        more.first = from;
        more.last = until;
        run<Native>(here, a_, b_, how, [] {}, more);
      } else {
        more.last = n;
        const auto left = edit_axes<narrow_edit>(a_, index{lead.a}, from, n);
        if constexpr (lead.b >= 0)
          run<Native>(here, left, edit_axes<narrow_edit>(b_, index{lead.b}, from, n), how, [] {}, more);
        else
          run<Native>(here, left, b_, how, [] {}, more);
      }
    };
    if (from == first && until == last) return rows(to);
    auto own = tensor<value_type, dshape<rank>>::uninitialised(part);
    rows(own.data());
    const index size = part.size() / n;
    const value_type* const wanted = own.data() + (first - from) * size;
    for (index i = 0; i < (last - first) * size; ++i) to[i] = wanted[i];
  }

 private:
  // What goes together along the first axis, wherever a block begins: rows of one matrix in fours, elements of a
  // product with a vector as one run; as many matrices as make these up where they are one tall matrix.
  index together() const {
    if constexpr (lead.b < 0)
      return rank == 1 ? runtime::vector_run : 4;
    else if (b_.strides()[lead.b] != 0)
      return 1;
    else {
      index each = shape_[rank - 1] == 1 ? runtime::vector_run : 4;
      for (index rows = shape_[rank - 2]; each > 1 && rows % 2 == 0; rows /= 2) each /= 2;
      return each;
    }
  }
  // The largest extent that is summed; 0 where one is 0.
  index largest_depth() const {
    index depth = 1;
    for (int i = F::plan.kept; i < F::plan.count; ++i) {
      const index n = contracted_extent<F::plan>(i, a_.shape(), b_.shape());
      if (n < 1) return 0;
      if (n > depth) depth = n;
    }
    return depth;
  }
  // A stack of matrices so small that a block for each costs more than the addend's way through memory: 7 us in place
  // of 142 for 1,024 matrices 4x4, 1 ms in place of 25 for 65,536 of them. Of larger ones where that stays in the
  // cache.
  bool of_small_matrices() const {
    if constexpr (rank == 3)
      return shape_[0] > 1 && ((shape_.size() <= 16384 && shape_[1] * shape_[2] <= 1024) ||
                               (shape_[1] <= 8 && shape_[2] <= 8 && largest_depth() <= 8));
    else
      return false;
  }
  bool adds() const { return beta_ != value_type(0); }
  bool factors_read(const void* low, const void* high) const {
    return alpha_ != value_type(0) && (operand_reads(a_, low, high) || operand_reads(b_, low, high));
  }
  // c is the memory that is written, element for element.
  bool is_where(const value_type* to) const {
    if constexpr (lies_in_memory<C>)
      return c_.data() == to && c_.strides() == row_major::strides(shape_);
    else
      return false;
  }
  template <int Native, class Out, class Part>
  void write_addend(const Out& out, const Part& part, const runtime::options& how) const {
    if (beta_ != value_type(1))
      assign_node<Native>(out, mul(part, beta_), how);
    else
      assign_node<Native>(out, part, how);
  }
  template <int Native>
  struct block_writer {
    const fused& f;
    value_type* to;
    // A block lies in rows of one matrix after the other, or else goes row by row.
    static void write(const void* object, void* at, index rows, index pitch, index cols) {
      const auto& [f, to] = *static_cast<const block_writer*>(object);
      value_type* here = static_cast<value_type*>(at);
      if constexpr (rank == 1) {
        if (pitch != 1 && rows > 1)
          for (index i = 0; i < rows; ++i) f.template write_part<Native>(to, here + i * pitch - to, 1, 1);
        else
          f.template write_part<Native>(to, here - to, 1, rows * cols);
      } else {
        const index width = f.shape_[rank - 1], height = f.shape_[rank - 2];
        while (rows > 0) {
          const index row = (here - to) / width % height, left = height - row;
          const index n = pitch != width ? 1 : rows < left ? rows : left;
          f.template write_part<Native>(to, here - to, n, cols);
          here += n * pitch;
          rows -= n;
        }
      }
    }
  };
  // The addend of rows next to each other in one matrix, the first element the one of this number.
  template <int Native>
  void write_part(value_type* to, index at, index rows, index cols) const {
    indices<rank> extents{}, steps = row_major::strides(shape_);
    for (int i = 0; i < rank; ++i) extents[i] = i == rank - 1 ? cols : i == rank - 2 ? rows : 1;
    index rest = at;
    auto part = [&] {
      if constexpr (rank == 1)
        return edit_axes<narrow_edit>(c_, index{0}, at, cols);
      else {
        const index col = rest % shape_[rank - 1];
        rest /= shape_[rank - 1];
        const auto columns = edit_axes<narrow_edit>(c_, index{rank - 1}, col, cols);
        const index row = rest % shape_[rank - 2];
        rest /= shape_[rank - 2];
        const auto block = edit_axes<narrow_edit>(columns, index{rank - 2}, row, rows);
        if constexpr (rank == 2)
          return block;
        else
          return edit_axes<narrow_edit>(block, index{0}, rest, index{1});
      }
    }();
    write_addend<Native>(view<value_type, dshape<rank>, dyn_strides<rank>>(to + at, dshape<rank>::unchecked(extents),
                                                                           dyn_strides<rank>{steps}),
                         part, runtime::options{1, {}});
  }
  template <int Native, class Left, class Right, class Before>
  void run(value_type* to, const Left& a, const Right& b, const runtime::options& how, const Before& before,
           const runtime::contraction_call& more) const {
    run_contraction<F::plan, Native, value_type>(to, a, b, alpha_, adds(), how, before, more);
  }

  C c_;
  A a_;
  B b_;
  [[no_unique_address]] Shape shape_;
  value_type beta_, alpha_;
};

}  // namespace broadloom::detail
