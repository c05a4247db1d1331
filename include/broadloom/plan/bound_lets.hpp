// Trees of `let` that are bound for one evaluation: each once, however many trees mention it.
#pragma once

#include <broadloom/plan/problem.hpp>

namespace broadloom::detail {

// Identified by the address of what its copies share, or, where each copy holds the tree, by the number that copies
// have in common.
class bound_lets {
 public:
  struct entry {
    const void* tree;
    entry* next = nullptr;
    runtime::source value{};

    explicit entry(const void* t) : tree(t) {}
    entry(const entry&) = delete;
    entry& operator=(const entry&) = delete;
    virtual ~entry() = default;
  };

  // A `let` that holds its tree, where it is bound.
  struct held {
    const runtime::source* value;
    index id;
    held* next;
  };

  bound_lets() = default;
  bound_lets(const bound_lets&) = delete;
  bound_lets& operator=(const bound_lets&) = delete;
  ~bound_lets() {
    while (first_ != nullptr) {
      entry* const gone = first_;
      first_ = gone->next;
      delete gone;
    }
  }

  const runtime::source* find(const void* tree) const {
    const entry* e = first_;
    while (e != nullptr && e->tree != tree) e = e->next;
    return e == nullptr ? nullptr : &e->value;
  }
  const runtime::source* keep(entry* e) {
    e->next = first_;
    first_ = e;
    return &e->value;
  }

  const runtime::source* find(index id) const {
    const held* h = id == 0 ? nullptr : held_;  // a constant has none
    while (h != nullptr && h->id != id) h = h->next;
    return h == nullptr ? nullptr : h->value;
  }
  void keep(held& h) {
    h.next = held_;
    held_ = &h;
  }

 private:
  entry* first_ = nullptr;
  held* held_ = nullptr;
};

}  // namespace broadloom::detail
