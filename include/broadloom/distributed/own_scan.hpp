// Running reductions with a callable of one's own over distributed arrays: the order and the bits of one process.
#pragma once

#include <exception>
#include <vector>

#include <broadloom/distributed/localise.hpp>
#include <broadloom/reduce/own_scan.hpp>

namespace broadloom::distributed::detail {

using broadloom::detail::own_scanned;

template <class F, class V, class E, class Shape, class Layout>
inline constexpr bool is_distributed<deferred<own_scanned<F, V, E>, Shape, Layout>> = is_distributed<E>;
template <class F, class V, class E, class Shape, class Layout>
inline constexpr index name_in<deferred<own_scanned<F, V, E>, Shape, Layout>> = name_in<E>;
template <class F, class V, class E, class Shape, class Layout>
const block_map* find_map(const deferred<own_scanned<F, V, E>, Shape, Layout>& e, map_search) {
  return find_map(e.source().input(), map_search{});
}

// This rank's rows x of a scan's operand, replaced by those of the scan along the distributed axis. What the callable
// throws is thrown by all ranks, when all messages have arrived.
template <class V, class F>
void scan_rows_by(const block_map& m, V* x, index row, V initial, const F& f) {
  std::vector<V> received;
  m.comm().together([&] { received.resize(static_cast<std::size_t>(row)); });
  std::exception_ptr error;
  const auto guarded = [&](const auto& run) {
    if (error) return;
    try {
      run();
    } catch (...) {
      error = std::current_exception();
    }
  };
  const broadloom::detail::own_combine<F, V> combine{f};
  const auto on = [&](V before, V own) { return combine.on(before, own); };
  if (m.count() > 0 && m.first() == 0)
    guarded([&] {
      for (index k = 0; k < row; ++k) x[k] = on(initial, x[k]);
    });
  scan_rows_in_turn(m, x, row, received.data(), on, guarded);
  m.comm().together([&] {
    if (error) std::rethrow_exception(error);
  });
}

// It is evaluated into memory before what reads it.
template <index Name, class F, class V, class E, class Shape, class Layout>
auto localise(const deferred<own_scanned<F, V, E>, Shape, Layout>& e, evaluation& c) {
  if constexpr (!is_distributed<E>)
    return e;
  else {
    check_axes<Name, E>();
    const auto& source = e.source();
    const auto tree = localise<Name>(source.input(), c);
    using node = own_scanned<F, V, std::remove_cvref_t<decltype(tree)>>;
    const node here(tree, source.axis(), source.initial(), source.function());
    if constexpr (!has_rows<shape_of<E>, Name>)  // whole on each rank
      return deferred<node, Shape, Layout>(here, e.offset(), e.shape(), e.layout());
    else {
      check_axes<Name, deferred<own_scanned<F, V, E>, Shape, Layout>>();
      static_assert(has_rows<Shape, Name>,
                    "one row of a scan over the distributed axis: evaluate it into a tensor first "
                    "[errors.md#distributed-scan-row]");
      check_rows_stay(source.shape(), e.shape(), e.layout(), e.offset());
      const auto rows = source.axis() == 0 ? c.rows_of(tree).data() : c.rows_of(deferred<node>(here)).data();
      if (source.axis() == 0) {
        index row = 1;
        for (int i = 1; i < rank_of<E>; ++i) row *= source.shape()[i];
        scan_rows_by(c.map(), const_cast<V*>(rows), row, source.initial(), source.function());  // of this evaluation
      }
      return view<const V, Shape, Layout>(rows + e.offset(), with_rows(e.shape(), c.map().count()), e.layout());
    }
  }
}

}  // namespace broadloom::distributed::detail
