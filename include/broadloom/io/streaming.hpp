// An evaluation over stored arrays in passes: each barrier once (sums along the leading axis and the like need all rows
// before anything that reads them), and the tasks in the order in which they are done.
#pragma once

#include <algorithm>
#include <memory>

#include <broadloom/io/whole_value.hpp>

namespace broadloom::detail {

// An evaluation: its barriers, each once, and the tasks in the order in which they are done.
class streaming {
 public:
  streaming(std::size_t budget, const runtime::options& options) : how(options), budget_(budget) {}

  // The passes that an expression needs before its own, and what it reads of the rows of its own: noted in `task`.
  template <int Native, class T>
  void declare(const scalar<T>&, const row_range&, runtime::pass_task&) {}
  template <int Native, leaf E>
  void declare(const E& e, const row_range& r, runtime::pass_task& task);
  template <int Native, class F, class Shape, class... Args>
  void declare(const map<F, Shape, Args...>& e, const row_range& r, runtime::pass_task& task) {
    unpack(e.args(), [&](const Args&... a) { (declare<Native>(a, r, task), ...); });
  }
  // Adds a task behind those it needs.
  void add(std::unique_ptr<runtime::pass_task> t, index rows) {
    if (t->is_streamed()) {
      ++t->level;
      t->extent = rows;
    }
    tasks_.push_back(static_cast<std::unique_ptr<runtime::pass_task>&&>(t));
  }

  // The value of a source, if it is known that it is needed.
  template <class Source>
  const whole_value* find(const Source& s) const {
    using key = typename key_of<Source>::type;
    for (const whole_value* v : wholes_)
      if (v->kind == &key_kind<key> && static_cast<const keyed_value<key>*>(v)->key.is(s)) return v;
    return nullptr;
  }
  // What holds such rows of a stored array.
  template <class Source>
  const resident_value<Source>* find_resident(const Source& s, const row_span& r) const {
    return resident(s, [&](const resident_value<Source>& v) { return v.holds(r); });
  }
  template <class Source>
  rows_value_of<Source>* find_rows(const Source& s, index shift) const {
    for (const auto& v : rows_)
      if (v->kind() == &key_kind<Source> && v->shift() == shift)
        if (auto* own = static_cast<rows_value_of<Source>*>(v.get()); own->source.same(s)) return own;
    return nullptr;
  }

  // The passes, in order. Throws io_error when the budget is too small.
  std::vector<runtime::block_plan> plan() const {
    std::vector<runtime::block_plan> all;
    each_group([&](const std::vector<runtime::pass_task*>& tasks) {
      all.push_back(runtime::plan_blocks(tasks, held_bytes(), budget_));
    });
    return all;
  }
  std::size_t held_bytes() const {
    std::size_t n = 0;
    for (const auto& t : tasks_) n += t->held_bytes;
    return n;
  }
  std::size_t budget() const { return budget_; }
  // Bytes that are read whole, before all passes.
  std::size_t resident_bytes() const { return resident_; }

  // told(pass, done blocks, all blocks)
  template <class Told>
  void run(const Told& told) {
    int number = 0;
    each_group([&](const std::vector<runtime::pass_task*>& tasks) {
      const runtime::block_plan p = runtime::plan_blocks(tasks, held_bytes(), budget_);
      if (!tasks[0]->is_streamed()) {
        for (runtime::pass_task* t : tasks) t->finish();
        return;
      }
      ++number;
      runtime::block_pass(p).run([&](index done) { told(number, done, p.blocks()); });
    });
  }

  const runtime::options how;

 private:
  template <int Native, class Source>
  int whole(const Source& s);
  template <class Source>
  int hold(const Source& s, const row_span& r);
  // The first that holds rows of a stored array and is as `f` says.
  template <class Source, class F>
  resident_value<Source>* resident(const Source& s, const F& f) const {
    for (whole_value* v : wholes_)
      if (v->kind == &key_kind<resident_value<Source>>)
        if (auto* const own = static_cast<resident_value<Source>*>(v); own->is_of(s) && f(*own)) return own;
    return nullptr;
  }

  // Tasks of one pass together; those that read nothing of files one by one, in between.
  template <class F>
  void each_group(const F& f) const {
    int levels = 0;
    for (const auto& t : tasks_) levels = (std::max)(levels, t->level);
    for (int level = 0; level <= levels; ++level) {
      std::vector<const runtime::pass_task*> gone;
      for (const auto& t : tasks_) {
        if (t->level != level || !t->is_streamed() || std::find(gone.begin(), gone.end(), t.get()) != gone.end())
          continue;
        std::vector<runtime::pass_task*> together;
        for (const auto& o : tasks_)
          if (o->level == level && o->is_streamed() && o->extent == t->extent) {
            together.push_back(o.get());
            gone.push_back(o.get());
          }
        f(together);
      }
      for (const auto& t : tasks_)
        if (t->level == level && !t->is_streamed()) f({t.get()});
    }
  }

  std::vector<std::unique_ptr<runtime::pass_task>> tasks_;
  std::vector<whole_value*> wholes_;
  std::vector<std::unique_ptr<runtime::rows_value>> rows_;
  std::size_t budget_, resident_ = 0;
};

}  // namespace broadloom::detail
