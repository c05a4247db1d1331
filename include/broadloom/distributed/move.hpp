// Rows from rank to rank: scatter, gather, replicate and redistribute. Each element travels once.
#pragma once

#include <broadloom/distributed/eval.hpp>

namespace broadloom::distributed {

namespace detail {

inline void copy_bytes(void* to, const void* data, index bytes) {
  if (bytes > 0) std::memcpy(to, data, static_cast<std::size_t>(bytes));
}

// Sends what of `have` (blocks of one map) another rank wants (blocks of another), and receives as much. A rank's own
// rows are copied. `Have` and `Want` give [first, last) of a rank.
template <class T, class Have, class Want>
void move_rows(const communicator& c, const T* data, const Have& have, T* to, const Want& want, index row) {
  using range = std::pair<index, index>;
  const auto bytes = [&](index rows) { return rows * row * static_cast<index>(sizeof(T)); };
  const int me = c.rank();
  communicator::pending moving(c);
  for (int step = 0; step < c.size(); ++step) {
    const int other = (me + step) % c.size();
    const range give = have(me), take = want(other), mine = want(me), theirs = have(other);
    const index first = (std::max)(give.first, take.first), n = (std::min)(give.second, take.second) - first;
    const index begin = (std::max)(mine.first, theirs.first), m = (std::min)(mine.second, theirs.second) - begin;
    if (other == me) {
      if (n > 0) copy_bytes(to + (first - mine.first) * row, data + (first - give.first) * row, bytes(n));
      continue;
    }
    if (n > 0) moving.send(data + (first - give.first) * row, bytes(n), other, 2);
    if (m > 0) moving.receive(to + (begin - mine.first) * row, bytes(m), other, 2);
  }
  moving.wait();
}
inline auto blocks_of(const block_map& m) {
  return [&m](int rank) { return std::pair<index, index>{m.first(rank), m.last(rank)}; };
}
// All rows on one rank.
inline auto all_on(int root, index rows) {
  return [=](int rank) { return std::pair<index, index>{0, rank == root ? rows : 0}; };
}

}  // namespace detail

// The rows of x, an array on rank `root` of which the others give any of the same rank, distributed by m. Throws error
// together if x has other than m.rows() rows there.
template <class T, class S>
auto scatter(const broadloom::tensor<T, S>& x, const block_map& m, int root = 0) {
  constexpr int rank = S::axes_count;
  const communicator& c = m.comm();
  c.check_thread();
  broadloom::detail::indices<rank> extents{};
  c.together([&] {
    if (c.rank() != root) return;
    for (int i = 0; i < rank; ++i) extents[i] = x.shape()[i];
    if (extents[0] != m.rows())
      throw error("scatter: an array of " + std::to_string(extents[0]) + " rows by " + to_string(m));
  });
  MPI_Bcast(extents.v, rank * static_cast<int>(sizeof(index)), MPI_BYTE, root, c.handle());
  using shape_type = typename dtensor<T, rank>::shape_type;
  dtensor<T, rank> y(m, shape_type::unchecked(extents));
  detail::move_rows(c, x.data(), detail::all_on(root, m.rows()), y.rows().data, detail::blocks_of(m), y.rows().row);
  return y;
}

// All rows of x on rank `root`; the others get an array of no rows.
template <class T, class Shape>
auto gather(const tensor<T, Shape>& x, int root = 0) {
  constexpr int rank = Shape::axes_count;
  const communicator& c = x.map().comm();
  c.check_thread();
  auto extents = x.shape().extents();
  if (c.rank() != root) extents[0] = 0;
  broadloom::tensor<T, dshape<rank>> y;
  c.together([&] { y = broadloom::tensor<T, dshape<rank>>(dshape<rank>::unchecked(extents)); });
  detail::move_rows(c, x.rows().data, detail::blocks_of(x.map()), y.data(), detail::all_on(root, x.map().rows()),
                    x.rows().row);
  return y;
}

// All rows of x on each rank.
template <class T, class Shape>
auto replicate(const tensor<T, Shape>& x) {
  const communicator& c = x.map().comm();
  c.check_thread();
  broadloom::tensor<T, Shape> y;
  c.together([&] { y = broadloom::tensor<T, Shape>(x.shape()); });
  detail::move_rows(
      c, x.rows().data, detail::blocks_of(x.map()), y.data(),
      [&](int) { return std::pair<index, index>{0, x.map().rows()}; }, x.rows().row);
  return y;
}

// x by another map of as many rows on the same communicator. Throws error together if it is not.
template <class T, class Shape>
auto redistribute(const tensor<T, Shape>& x, const block_map& m) {
  const communicator& c = x.map().comm();
  c.check_thread();
  if (!(m.comm() == c) || m.rows() != x.map().rows())
    throw error("redistribute: from " + to_string(x.map()) + " to " + to_string(m) +
                (m.comm() == c ? "" : " of another communicator"));
  tensor<T, Shape> y(m, x.shape(), halo{x.halo_rows()});
  detail::move_rows(c, x.rows().data, detail::blocks_of(x.map()), y.rows().data, detail::blocks_of(m), y.rows().row);
  return y;
}

}  // namespace broadloom::distributed
