// Products of distributed arrays along the distributed axis. matmul(x, w), with w whole on each rank, needs none of
// this: it is an expression.
#pragma once

#include <broadloom/distributed/move.hpp>
#include <broadloom/linalg/products.hpp>

namespace broadloom::distributed {

// transpose(x) @ y: (n, k) and (n, m), distributed by one map, give (k, m) on each rank. Products of 512 rows, wherever
// these lie, are added as sum() adds its strips: the bits depend neither on the number of ranks nor on the blocks. They
// are others than those of matmul(x.T(), y) in one process, which adds in another order. Rows of a strip that lie on
// several ranks go to the last of these. Throws error together if maps differ or a rank fails.
template <class T, class S, class S2>
  requires(S::axes_count == 2 && S2::axes_count == 2)
auto matmul_transposed(const tensor<T, S>& x, const tensor<T, S2>& y, const policy& p = par) {
  constexpr index strip = broadloom::detail::strip_elements;
  const block_map& m = x.map();
  const communicator& c = m.comm();
  c.check_thread();
  if (!(m == y.map()))
    throw error("matmul_transposed: operands are distributed differently: " + to_string(m) + " and " +
                to_string(y.map()));
  const index k = x.shape()[1], n = y.shape()[1], rows = m.rows();
  // Of its first strip, what lies on the ranks before.
  const auto before = [&](int rank) {
    const index begin = m.first(rank) / strip * strip;
    const bool has_end = m.count(rank) > 0 && (m.last(rank) == rows || m.last(rank) >= begin + strip);
    return std::pair<index, index>{begin, has_end ? m.first(rank) : begin};
  };
  const index first = m.first(), begin = before(c.rank()).first, sent = before(c.rank()).second - begin;
  using op = broadloom::detail::sum_r;
  using matrix = broadloom::tensor<T, dshape<2>>;
  matrix head_x, head_y, result;
  std::unique_ptr<detail::partial_results<op, T>> sums;
  c.together([&] {
    head_x = matrix(sent == 0 ? 0 : strip, k);
    head_y = matrix(sent == 0 ? 0 : strip, n);
    result = matrix(k, n);
    sums = std::make_unique<detail::partial_results<op, T>>(k * n);
  });
  detail::move_rows(c, x.rows().data, detail::blocks_of(m), head_x.data(), before, k);
  detail::move_rows(c, y.rows().data, detail::blocks_of(m), head_y.data(), before, n);
  c.together([&] {
    for (index s = sent == 0 ? (first + strip - 1) / strip : begin / strip; s * strip < m.last(); ++s) {
      const index from_row = (std::max)(s * strip, first), count = (std::min)((s + 1) * strip, rows) - s * strip;
      if (s * strip + count > m.last()) break;  // the next rank's
      const T* a = x.rows().data + (from_row - first) * k;
      const T* b = y.rows().data + (from_row - first) * n;
      if (s * strip < first) {
        const index own = s * strip + count - first;
        detail::copy_bytes(head_x.data() + sent * k, a, own * k * static_cast<index>(sizeof(T)));
        detail::copy_bytes(head_y.data() + sent * n, b, own * n * static_cast<index>(sizeof(T)));
        a = head_x.data();
        b = head_y.data();
      }
      const view<const T, dshape<2>, row_major> left(a, dshape<2>(count, k), {}), right(b, dshape<2>(count, n), {});
      broadloom::assign(result, matmul(left.T(), right), p);
      sums->add(s, 0, result.data());
    }
  });
  if (rows == 0) {
    for (index i = 0; i < k * n; ++i) result.data()[i] = T{};
    return result;
  }
  if (k * n > 0) detail::combine_results(c, *sums, k * n, result.data());
  return result;
}

}  // namespace broadloom::distributed
