// prepare(out, e): an assignment that is checked, bound and planned once and run many times. Not part of broadloom.hpp.
#pragma once

#include <broadloom/eval/assign.hpp>
#include <broadloom/eval/simd/prepared_loop.hpp>
#include <broadloom/plan/prepared.hpp>

namespace broadloom {

namespace detail {

template <class Program>
struct only_loop {
  static constexpr bool ok = false;
  using type = scalar_input<0, float>;
};
template <class P>
struct only_loop<program<compute_stage<P>>> {
  static constexpr bool ok = true;
  using type = typename localise<0, P>::type;
};

// Trees that are one loop over arrays in memory. Others, and static ones, are assigned each time.
template <int Native, class Out, class E>
inline constexpr bool keeps_plan = [] {
  constexpr bool own = own_element<typename Out::value_type> || reads_own<E>;
  if constexpr (!is_by_element(Native) && !own && deferred_count<E> == 0 && !has_calls<E> && operand_count<E> > 0 &&
                operand_count<E> <= runtime::max_flat_inputs)
    return only_loop<typename program_of<E, typename Out::value_type>::type>::ok && !static_form<Out, E, Native>::ok;
  else
    return false;
}();

struct nothing_kept {};

// Whether a leaf's elements are elsewhere now, or a tensor has another shape than when the tree was built.
template <class E>
BROADLOOM_INLINE bool is_elsewhere(const E& e, const void* data) {
  if constexpr (requires { e.is_at(data); })
    return !e.is_at(data);
  else
    return e.data() != data;
}
template <class T>
BROADLOOM_INLINE bool has_moved(const scalar<T>&, const runtime::slot*& in) {
  ++in;
  return false;
}
template <leaf E>
BROADLOOM_INLINE bool has_moved(const E& e, const runtime::slot*& in) {
  return is_elsewhere(e, (in++)->data);
}
template <class F, class Shape, class... Args>
BROADLOOM_INLINE bool has_moved(const map<F, Shape, Args...>& e, const runtime::slot*& in) {
  return unpack(e.args(), [&in](const Args&... a) { return (has_moved(a, in) || ...); });
}

// Out: the output as an operand, which follows a tensor with a name.
template <int Native, class Out, class E>
class prepared_assignment {
  using value_type = std::remove_const_t<typename Out::value_type>;
  using node = view<value_type, typename Out::shape_type, typename Out::layout_type>;

 public:
  template <class O, class A>
  prepared_assignment(O& out, A&& e) : out_(capture(out)), e_(capture(static_cast<A&&>(e))) {
    check_fits(runtime::writing::copy, out_.shape(), e_.shape());
    check_writable(out_.layout(), out_.shape());
    if constexpr (keeps) plan();
  }
  prepared_assignment(const prepared_assignment&) = delete;
  prepared_assignment& operator=(const prepared_assignment&) = delete;

  void operator()() {
    if constexpr (keeps) {
      const runtime::slot* in = kept_.inputs;
      if (is_elsewhere(out_, kept_.out) || has_moved(e_, in)) [[unlikely]]
        return run_elsewhere();
      if (kept_.plan.form == runtime::prepared_form::line)
        return run_line<lanes, loop>(kept_.inputs, kept_.out, kept_.plan.columns, kept_.plan.apart);
      if (kept_.plan.form == runtime::prepared_form::kernel)
        return kept_.plan.run(kept_.inputs, kept_.out, kept_.plan.columns, runtime::kernel_mode::dense);
    }
    run_others();
  }

 private:
  static constexpr bool keeps = keeps_plan<Native, node, E>;
  using loop = typename only_loop<std::conditional_t<keeps, typename program_of<E, value_type>::type, program<>>>::type;
  static constexpr bool has_rows = keeps && loads_of<loop> <= max_arrays_of_rows;
  static constexpr int lanes = native_bytes(Native) > widest<loop> ? native_bytes(Native) / widest<loop> : 1;
  struct kept {
    value_type* out;
    runtime::prepared_plan plan;
    runtime::slot inputs[operand_limit<operand_count<E>>::count];
    index across[operand_limit<operand_count<E>>::count];
  };

  // The output was writable when this was made.
  node written() const { return node(const_cast<value_type*>(out_.data()), out_.shape(), out_.layout()); }

  // By themselves, so that the others need no frame.
  [[gnu::noinline]] void run_others() {
    if constexpr (has_rows)
      if (kept_.plan.form == runtime::prepared_form::rows)
        return run_rows<lanes, loop, operand_count<E>>(kept_.inputs, kept_.across, kept_.out, kept_.plan);
    assign_node<Native>(written(), e_, runtime::options{});
  }
  [[gnu::noinline]] void run_elsewhere() {
    plan();  // throws where a shape has changed
    (*this)();
  }

  void plan() {
    using code = program_code<typename program_of<E, value_type>::type, Native>;
    const node to = written();
    const bound_tree<E, Native> tree(e_);
    kept_.out = to.data();
    kept_.plan = runtime::plan_prepared(bind_output(to), tree.leaves, tree.count, code::value, lanes, kept_.inputs,
                                        kept_.across);
  }

  Out out_;
  E e_;
  [[no_unique_address]] std::conditional_t<keeps, kept, nothing_kept> kept_;
};

}  // namespace detail

// prepare(out, e): a function object that evaluates e into out each time it is called, with the elements that they have
// then, as assign(out, e) does. out: a tensor with a name or a writable view; e: an array or an expression whose shape
// broadcasts to out's. For loops over small arrays: what is checked, bound and chosen is kept, and chosen anew when the
// memory of an array is elsewhere. Throws shape_error when e does not fit or out's elements overlap, and when it is
// called after a tensor in it has changed its shape; nothing is written then. Out and the arrays with names in e must
// outlive it. It is neither copied nor moved, and not called by two threads at once.
inline constexpr struct prepare_t {
  template <class Out, array E, int Native = BROADLOOM_NATIVE>
    requires(detail::writable<Out&> && detail::assignable_from<Out&, E> &&
             (std::is_lvalue_reference_v<Out> || expression<Out>) && !detail::place_like<Out> &&
             !detail::written_in_passes<Out>)
  [[nodiscard]] auto operator()(Out&& out, E&& e) const {
    return detail::prepared_assignment<Native, detail::captured<Out&>, detail::captured<E>>(out, static_cast<E&&>(e));
  }
} prepare{};

}  // namespace broadloom
