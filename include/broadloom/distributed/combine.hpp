// How ranks bring their partial results together: every rank gets all results.
#pragma once

#include <utility>
#include <vector>

#include <broadloom/distributed/communicator.hpp>
#include <broadloom/distributed/partial_results.hpp>

namespace broadloom::distributed::detail {

// The largest power of two that is no more than the number of ranks. The ranks behind it give what they have to others
// first, and get the results from them.
inline int doubling_ranks(const communicator& c) {
  int power = 1;
  while (power * 2 <= c.size()) power *= 2;
  return power;
}

// Each rank has a list of results; all get what all lists become together. log2(ranks) messages of each rank, each as
// long as a list.
template <class List>
void combine_lists(const communicator& c, List& mine, index results) {
  const int rank = c.rank(), power = doubling_ranks(c);
  if (rank >= power) {
    c.send(mine.message(), rank - power);
    mine = List(results, c.receive_any_length(rank - power));
    return;
  }
  const bool has_extra = rank + power < c.size();
  if (has_extra) mine.add(List(results, c.receive_any_length(rank + power)));
  for (int distance = 1; distance < power; distance *= 2)
    mine.add(List(results, c.exchange(mine.message(), rank ^ distance)));
  if (has_extra) c.send(mine.message(), rank + power);
}

// The same for many results: ranks halve what they combine in each step, and send each other the results in as many
// steps back (Rabenseifner's algorithm): a rank sends each result about twice.
template <class List, class T>
void combine_by_halves(const communicator& c, List mine, index results, T* to) {
  const int rank = c.rank(), power = doubling_ranks(c);
  const auto bytes = [](index n) { return n * static_cast<index>(sizeof(T)); };
  if (rank >= power) {
    c.send(mine.message(), rank - power);
    c.receive(to, bytes(results), rank - power);
    return;
  }
  const bool has_extra = rank + power < c.size();
  if (has_extra) mine.add(List(results, c.receive_any_length(rank + power)));
  index first = 0, last = results;
  std::vector<std::pair<index, index>> before;
  for (int distance = power / 2; distance >= 1; distance /= 2) {
    const index n = last - first, half = n / 2;
    const bool upper = (rank & distance) != 0;
    const auto theirs = upper ? mine.message(0, half) : mine.message(half, n);
    List kept(upper ? n - half : half, upper ? mine.message(half, n) : mine.message(0, half));
    kept.add(List(upper ? n - half : half, c.exchange(theirs, rank ^ distance)));
    mine = std::move(kept);
    before.emplace_back(first, last);
    (upper ? first : last) = first + half;
  }
  mine.close(to + first);
  for (int distance = 1; distance < power; distance *= 2) {
    const auto [all_first, all_last] = before.back();
    before.pop_back();
    const index begin = first == all_first ? last : all_first, end = first == all_first ? all_last : first;
    communicator::pending moving(c);
    moving.send(to + first, bytes(last - first), rank ^ distance);
    moving.receive(to + begin, bytes(end - begin), rank ^ distance);
    moving.wait();
    first = all_first;
    last = all_last;
  }
  if (has_extra) c.send(to, bytes(results), rank + power);
}

// From so many bytes of results on, fewer bytes pay for more messages.
inline constexpr index many_results = index{1} << 16;

template <class List, class T>
void combine_results(const communicator& c, List& mine, index results, T* to) {
  if (c.size() > 2 && results * static_cast<index>(sizeof(T)) >= many_results)
    return combine_by_halves(c, std::move(mine), results, to);
  combine_lists(c, mine, results);
  mine.close(to);
}

}  // namespace broadloom::distributed::detail
