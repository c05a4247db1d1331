// Which tasks and which passes an expression over stored arrays needs.
#pragma once

#include <broadloom/io/reduced_value.hpp>
#include <broadloom/io/resident_values.hpp>
#include <broadloom/io/written_rows.hpp>

namespace broadloom::detail {

template <int Native, leaf E>
void streaming::declare(const E& e, const row_range& r, runtime::pass_task& task) {
  if constexpr (deferred_leaf<E>) {
    using source = typename E::source_type;
    const rows_placement p = placement_of(e, r);
    if (!p.by_rows || !reads_stored_rows(e, r)) {
      if constexpr (is_stored<source>)
        task.level = (std::max)(task.level, hold(e.source(), rows_read_by(e)));
      else
        task.level = (std::max)(task.level, whole<Native>(e.source()));
      return;
    }
    const index shift = r.shift + p.row;
    if constexpr (is_stored<source>)
      runtime::add_stream(task.streams, {e.source().stored(), shift, shift});
    else if constexpr (may_go_by_rows<source>) {
      runtime::rows_value* v = find_rows(e.source(), shift);
      // what it reads is declared for each task that reads it
      declare<Native>(e.source().tree(), rows_of(e.source().tree(), 0, 0, shift), task);
      if (v == nullptr) {
        std::size_t row = sizeof(typename source::value_type);
        for (int i = 1; i < source::shape_type::axes_count; ++i) row *= static_cast<std::size_t>(e.source().shape()[i]);
        rows_.push_back(std::make_unique<rows_value_of<source>>(e.source(), shift, row));
        v = rows_.back().get();
      }
      if (std::find(task.values.begin(), task.values.end(), v) == task.values.end()) task.values.push_back(v);
    }
  }
}

// The level of the task that reads such rows of a stored array: rows that touch each other are read together.
template <class Source>
int streaming::hold(const Source& s, const row_span& r) {
  auto* v = resident(s, [&](const resident_value<Source>& known) { return known.touches(r); });
  if (v == nullptr) {
    auto made = std::make_unique<resident_value<Source>>(s, r);
    v = made.get();
    wholes_.push_back(v);
    add(std::move(made), 0);
  } else {
    resident_ -= v->held_bytes;
    v->extend(r);
  }
  resident_ += v->held_bytes;
  if (v->held_bytes > budget_) {
    const bool all = v->held_bytes == s.stored()->bytes();
    runtime::throw_over_budget("an expression that does not go along the rows of " + s.stored()->name() + " needs " +
                                   (all ? "all" : "a part") + " of it in memory",
                               v->held_bytes, budget_);
  }
  return v->level;
}

// The level of the task that gives the value of a source.
template <int Native, class Source>
int streaming::whole(const Source& s) {
  if (const auto* known = find(s)) return known->level;
  bool empty = false;
  if constexpr (requires { s.tree(); })
    for (index n : s.tree().shape().extents()) empty = empty || n == 0;
  const auto keep = [&](auto made, index rows) {
    if (made->held_bytes > budget_)
      runtime::throw_over_budget("the result of " + made->name + " is held in memory", made->held_bytes, budget_);
    wholes_.push_back(made.get());
    add(std::move(made), rows);
    return wholes_.back()->level;
  };
  if constexpr (may_go_by_rows<Source>) {
    const auto along_rows = [&](auto made) {
      declare<Native>(made->source.tree(), rows_of(made->source.tree(), 0, 0), *made);
      index rows = 0;
      if constexpr (rank_of<decltype(s.tree())> > 0) rows = s.tree().shape()[0];
      return keep(std::move(made), rows);
    };
    if (!empty && is_row_wise(s)) return along_rows(std::make_unique<collected_value<Source, Native>>(*this, s));
    if constexpr (may_be_continued<Source>)
      if (!empty) return along_rows(std::make_unique<reduced_value<Source, Native>>(*this, s));
  }
  // All it reads is in memory at once.
  runtime::stored_list list;
  static_cast<void>(s.reads(list.address(), list.address()));
  std::size_t bytes = 0;
  for (const runtime::stored_rows* of : list.all()) bytes += of->bytes();
  if (bytes > budget_)
    runtime::throw_over_budget(std::string(Source::name()) + " needs all of " + list.all()[0]->name() + " in memory",
                               bytes, budget_);
  auto made = std::make_unique<foreign_value<Source, Native>>(*this, s, bytes);
  resident_ += bytes;
  return keep(std::move(made), 0);
}

}  // namespace broadloom::detail
