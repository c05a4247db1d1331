// Halos: the rows before and behind a rank's own, which neighbours have, for x.shift(-1) + x.shift(1).
#pragma once

#include <broadloom/distributed/move.hpp>

namespace broadloom::distributed {

// What shift() reads before the first row of the whole array and behind its last one.
enum class edge : unsigned char {
  zero,      // 0
  nearest,   // the first row, the last one
  periodic,  // the rows at the other end
};

// Fills the halo of x with the rows that lie there in the whole array: each travels once. x.shift(k) reads them until x
// is written again. Throws error together if x has fewer rows than its halo and the edge is periodic. Any number of
// ranks may share a halo: a rank may have fewer rows than it, or none.
template <class T, class Shape>
void exchange(tensor<T, Shape>& x, edge at = edge::zero) {
  auto& r = x.rows();
  const communicator& c = r.map.comm();
  c.check_thread();
  const index rows = r.map.rows(), h = r.halo, row = r.row;
  if (at == edge::periodic && rows < h)
    throw error("exchange: a periodic halo of " + std::to_string(h) + " rows, of " + to_string(r.map));
  const auto bytes = [&](index n) { return n * row * static_cast<index>(sizeof(T)); };
  // Three consecutive copies of the array; the outer two are read at periodic edges only.
  const auto overlap = [&](int of, index first, index last, const auto& f) {
    for (index copy = at == edge::periodic ? -1 : 0; copy <= (at == edge::periodic ? 1 : 0); ++copy) {
      const index begin = (std::max)(first, r.map.first(of) + copy * rows);
      const index end = (std::min)(last, r.map.last(of) + copy * rows);
      if (begin < end) f(begin, end, copy);
    }
  };
  // The halo of rank `to` that `of` has: f(first row of the halo, how many, where they are in the whole array).
  const auto halves = [&](int of, int to, const auto& f) {
    if (r.map.count(to) == 0) return;
    const index first = r.map.first(to), last = r.map.last(to);
    const auto visit = [&](index begin, index end, index copy) { f(begin - first, end - begin, begin - copy * rows); };
    overlap(of, first - h, first, visit);
    overlap(of, last, last + h, visit);
  };
  const int me = c.rank();
  communicator::pending moving(c);
  for (int other = 0; other < c.size(); ++other) {
    halves(me, other, [&](index at_there, index n, index here) {
      const T* const rows_here = r.data + (here - r.map.first()) * row;
      if (other != me)
        moving.send(rows_here, bytes(n), other, 3);
      else
        detail::copy_bytes(r.data + at_there * row, rows_here, bytes(n));
    });
    if (other != me)
      halves(other, me,
             [&](index at_here, index n, index) { moving.receive(r.data + at_here * row, bytes(n), other, 3); });
  }
  moving.wait();
  // Rows that lie outside of the whole array.
  if (at != edge::periodic && r.map.count() > 0)
    for (const bool before : {true, false}) {
      const index outside = before ? h - r.map.first() : r.map.last() + h - rows;
      const index known =
          before ? (std::max)(-r.map.first(), -h) : rows - r.map.first();  // the first inside, or behind
      for (index i = 0; i < (std::min)(outside, h); ++i) {
        T* const to = r.data + (before ? known - 1 - i : known + i) * row;
        if (at == edge::zero)
          for (index k = 0; k < row; ++k) to[k] = T{};
        else
          detail::copy_bytes(to, r.data + (before ? known : known - 1) * row, bytes(1));
      }
    }
  r.fresh = true;
}

}  // namespace broadloom::distributed
