// What the lazy forms of indexing compute: elements of one array at positions given by others. `Kind` says which.
#pragma once

#include <broadloom/index/operand.hpp>
#include <broadloom/plan/bind.hpp>

namespace broadloom::detail {

// A Kind is a small class with
//   const char* name() const, bool operator==
//   void place(selection_plan&, const geometry<RX>& x, const geometry<RI>&... positions) const
//   T element(at, x, positions...) const                          one element, bounds checked
//   static constexpr bool flat                                    x is read as if it had one axis
//   static constexpr int term_count                               if its positions are no arrays
template <class Kind, class... Index>
constexpr int terms_of() {
  if constexpr (requires { Kind::term_count; })
    return Kind::term_count;
  else
    return sizeof...(Index);
}
template <class Kind, class Shape, class X, class... Index>
class selected {
 public:
  using value_type = value_of<X>;
  using shape_type = Shape;
  static constexpr int rank = Shape::axes_count;
  static constexpr int term_count = terms_of<Kind, Index...>();
  static constexpr bool single_elements = has_single_elements<X> && (has_single_elements<Index> && ...);
  static constexpr bool reads_in_place = sizeof...(Index) == 1;  // perhaps: see lib/fuse/fused_gather.hpp
  static_assert(term_count <= 8, "at most eight arrays of positions [errors.md#masks-and-index-arrays]");

  constexpr selected(const Kind& k, const Shape& s, const X& x, const Index&... i)
      : x_(x), positions_(i...), shape_(s), kind_(k) {}

  static constexpr const char* name() { return Kind::name(); }
  constexpr const Shape& shape() const { return shape_; }
  constexpr const Kind& kind() const { return kind_; }
  constexpr const X& x() const { return x_; }
  constexpr const auto& positions() const { return positions_; }

  template <int R>
  constexpr value_type element(const indices<R>& at) const {
    return detail::unpack(positions_, [&](const Index&... i) { return kind_.element(at, x_, i...); });
  }
  template <class F>
  auto with_trees(const F& f) const {
    return detail::unpack(positions_, [&](const Index&... i) {
      return selected<Kind, Shape, decltype(f(x_)), decltype(f(i))...>(kind_, shape_, f(x_), f(i)...);
    });
  }
  constexpr bool same(const selected& o) const {
    if (!(kind_ == o.kind_) || !same_tree(x_, o.x_)) return false;
    return [&]<int... N>(sequence<N...>) {
      return (same_tree(boost::hana::at_c<N>(positions_), boost::hana::at_c<N>(o.positions_)) && ...);
    }(make_sequence<sizeof...(Index)>{});
  }

  // Whether memory in [low, high) may be read.
  bool reads(const void* low, const void* high) const {
    return may_read(x_, low, high) ||
           detail::unpack(positions_, [&](const Index&... i) { return (may_read(i, low, high) || ...); });
  }

 private:
  X x_;
  boost::hana::basic_tuple<Index...> positions_;
  [[no_unique_address]] Shape shape_;
  Kind kind_;
};

// A selection with everything it reads in memory and its bounds checked.
template <class Source, int Native>
struct reading_of;
template <class Kind, class Shape, class X, class... Index, int Native>
struct reading_of<selected<Kind, Shape, X, Index...>, Native> {
  memory<X, Native> x;
  memories<Native, Index...> positions;
  selection_plan<Shape::axes_count, terms_of<Kind, Index...>()> plan;
  runtime::narrowed_positions again;

  [[gnu::noinline]] reading_of(const selected<Kind, Shape, X, Index...>& s, const runtime::options& how)
      : x(s.x(), how, {Kind::flat, {}}), positions(detail::unpack(s.positions(), [&](const Index&... i) {
          return memories<Native, Index...>(how, memory_rule{}, i...);
        })) {
    plan.extents = s.shape().extents();
    positions.visit([&](const auto&... i) {
      int k = 0;
      (plan.give_positions(k++, i.any()), ...);
      s.kind().place(plan, x.form(), i.form()...);
    });
    plan.finish(x.data(), sizeof(value_of<X>));
    if constexpr (requires { s.kind().filler_at(); }) plan.value.filler = s.kind().filler_at();
    runtime::check_positions(plan.value, Kind::name(), how, &again);
  }
};

// Bounds are checked when the source is bound: once, before anything is written. Rows are read where they are
// consumed.
template <class Kind, class Shape, class X, class... Index, int Native>
struct bound_source<selected<Kind, Shape, X, Index...>, Native> {
  using source = selected<Kind, Shape, X, Index...>;
  runtime::source value{};
  const source& node;
  reading_of<source, Native> reading;

  bound_source(const source& s, bound_lets&) : node(s), reading(s, runtime::options{}) {
    value.name = source::name();
    value.node = this;
    value.type = compiled_dtype<value_of<X>>();
    value.extents = s.shape().data();
    value.rank = source::rank;
    value.same = [](const void* a, const void* b) { return of(a).node.same(of(b).node); };
    value.reads = [](const void* n, const void* low, const void* high) { return of(n).node.reads(low, high); };
    value.evaluate = [](const void* n, void* to, const runtime::options& o) {
      runtime::read_all(of(n).reading.plan.value, to, o);
    };
    if constexpr (sizeof...(Index) == 1 && !requires { s.kind().filler_at(); }) value.elements = &reading.plan.value;
    value.evaluate_rows = [](const void* n, index first, index last, void* to, const runtime::options&) {
      runtime::read_rows(of(n).reading.plan.value, to, first, last);
    };
  }
  bound_source(const bound_source&) = delete;
  bound_source& operator=(const bound_source&) = delete;

 private:
  static const bound_source& of(const void* p) { return *static_cast<const bound_source*>(p); }
};

template <class Kind, class Shape, class X, class... Index>
constexpr auto select_elements(const Kind& k, const Shape& s, const X& x, const Index&... i) {
  using source = selected<Kind, Shape, X, Index...>;
  check_count(source::name(), s);
  return deferred<source>(checked_source{}, k, s, x, i...);
}

// A position counted from the start; throws index_error outside [0, n), or [-n, n) where negative ones are allowed.
constexpr index checked_position(index p, index n, int axis, bool negative, const char* call) {
  if (p >= n || p < (negative ? -n : 0)) throw_index_out_of_bounds(p, axis, n, call);
  return p < 0 ? p + n : p;
}

}  // namespace broadloom::detail
