// A `let` whose copies share one immutable tree. Its type has only the tree's element type and shape, so types, objects
// and code grow with the number of different lets, not with the trees.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/native.hpp>
#include <broadloom/eval/serial.hpp>
#include <broadloom/eval/source_program.hpp>
#include <broadloom/plan/visit_tree.hpp>

namespace broadloom::detail {

// A number that no other `let` of this program has, and no question.
BROADLOOM_API index next_let() noexcept;
// Where this thread has the number of the question that it asks, or 0.
BROADLOOM_API index* let_question_asked() noexcept;

// A question to a tree, which passes it on to the lets in it. Its number, not 0, is the same for all of them, so a let
// that several mention can tell that it was asked before.
class let_question {
 public:
  let_question() noexcept : now_(let_question_asked()), is_first_(*now_ == 0) {
    if (is_first_) *now_ = next_let();
  }
  let_question(const let_question&) = delete;
  let_question& operator=(const let_question&) = delete;
  ~let_question() {
    if (is_first_) *now_ = 0;
  }

  index number() const { return *now_; }

 private:
  index* now_;  // of this thread
  bool is_first_;
};

// The tree, with a reference count.
template <class T, class Shape>
class let_tree {
 public:
  constexpr let_tree() = default;
  let_tree(const let_tree&) = delete;
  let_tree& operator=(const let_tree&) = delete;
  constexpr virtual ~let_tree() {}

  constexpr virtual const Shape& shape() const = 0;
  constexpr virtual T element(const indices<Shape::axes_count>& at) const = 0;
  // `kind` is the address of an object that each type of tree has one of.
  constexpr virtual const void* kind() const = 0;
  constexpr virtual bool same(const let_tree& o) const = 0;
  virtual bool reads(const void* low, const void* high) const = 0;
  virtual bound_lets::entry* bind(bound_lets& lets) const = 0;
  // All elements, row-major, without the library.
  virtual void write(T* to, serial_memo& memo) const = 0;
  // Of a view of its result, with these extents.
  virtual void visit(tree_visitor& to, const index* extents, index rank) const = 0;

  constexpr void hold() {
    if (__builtin_is_constant_evaluated())
      ++owners_;
    else
      __atomic_fetch_add(&owners_, 1, __ATOMIC_RELAXED);
  }
  // Whether this was the last reference.
  constexpr bool leave() {
    return __builtin_is_constant_evaluated() ? --owners_ == 0 : __atomic_sub_fetch(&owners_, 1, __ATOMIC_ACQ_REL) == 0;
  }

 private:
  int owners_ = 1;
};

template <class E, int Native>
class let_tree_of final : public let_tree<value_of<E>, shape_of<E>> {
  using base = let_tree<value_of<E>, shape_of<E>>;

 public:
  using value_type = value_of<E>;
  using shape_type = shape_of<E>;
  static constexpr const char* name() { return "let"; }

  constexpr explicit let_tree_of(const E& e) : e_(e) {}
  let_tree_of(const let_tree_of&) = delete;
  let_tree_of& operator=(const let_tree_of&) = delete;
  constexpr ~let_tree_of() override {}  // GCC 12 knows no default one in constant expressions

  constexpr const shape_type& shape() const override { return e_.shape(); }
  // Only constant expressions ask for it: else it would be compiled with all that the tree is made of.
  constexpr value_type element(const indices<shape_type::axes_count>& at) const override {
    if (__builtin_is_constant_evaluated()) return e_.element(at);
    __builtin_trap();
  }
  constexpr const void* kind() const override { return &kind_; }
  constexpr bool same(const base& o) const override {
    if (this == &o) return true;
    if (kind() != o.kind()) return false;
    const auto& other = static_cast<const let_tree_of&>(o);
    return __builtin_is_constant_evaluated() ? same_tree(e_, other.e_) : same_now(other);
  }
  bool reads(const void* low, const void* high) const override {
    const let_question q;
    if (__atomic_exchange_n(&asked_, q.number(), __ATOMIC_RELAXED) == q.number()) return false;  // nor did it before
    return may_read(e_, low, high);
  }
  bound_lets::entry* bind(bound_lets& lets) const override {
    if constexpr (is_by_element(Native))
      __builtin_trap();
    else
      return new bound(*this, lets);
  }
  void write(value_type* to, serial_memo& memo) const override {
    if constexpr (is_by_element(Native))
      write_tree(e_, to, memo);
    else
      __builtin_trap();
  }
  void visit(tree_visitor& to, const index* extents, index rank) const override {
    if (!to.open_shared(name(), this, dtype_of<value_type>, extents, rank)) return;
    visit_tree(e_, to);
    to.close();
  }

 private:
  struct bound final : bound_lets::entry {
    bound_input<E, Native> input;

    bound(const let_tree_of& s, bound_lets& lets) : entry(&s), input(s.e_, lets) {
      describe_program<value_type>(value, s, input, s.e_.shape().data(), rank_of<E>, 0, runtime::reduction::none);
    }
  };
  bool same_now(const let_tree_of& o) const {
    const let_question q;
    if (__atomic_load_n(&compared_, __ATOMIC_ACQUIRE) == q.number() && __atomic_load_n(&equal_, __ATOMIC_RELAXED) == &o)
      return true;
    if (!same_tree(e_, o.e_)) return false;
    __atomic_store_n(&equal_, &o, __ATOMIC_RELAXED);  // true of both, for later questions too
    __atomic_store_n(&compared_, q.number(), __ATOMIC_RELEASE);
    return true;
  }
  static constexpr char kind_ = 0;

  E e_;
  mutable index compared_ = 0, asked_ = 0;  // the numbers of questions
  mutable const let_tree_of* equal_ = nullptr;
};

template <class T, class Shape, bool OfReductions, bool OfAnyAxes>
class shared_let {
 public:
  using value_type = T;
  using shape_type = Shape;
  static constexpr const char* name() { return "let"; }

  template <int Native, class E>
  static constexpr shared_let of(const E& e) {
    return shared_let(new let_tree_of<E, Native>(e));
  }
  constexpr shared_let(const shared_let& o) : tree_(o.tree_) { tree_->hold(); }
  constexpr shared_let& operator=(const shared_let& o) {
    shared_let copy(o);
    tree* const mine = tree_;
    tree_ = copy.tree_;
    copy.tree_ = mine;
    return *this;
  }
  constexpr ~shared_let() {
    if (tree_->leave()) delete tree_;
  }

  constexpr const Shape& shape() const { return tree_->shape(); }
  template <int R>
  constexpr T element(const indices<R>& at) const {
    return tree_->element(at);
  }
  serial_memo::key key() const { return {0, tree_}; }
  void write_tree(T* to, serial_memo& memo) const { tree_->write(to, memo); }
  constexpr bool same(const shared_let& o) const { return tree_->same(*o.tree_); }
  bool reads(const void* low, const void* high) const { return tree_->reads(low, high); }
  void visit(tree_visitor& to, const index* extents, index rank) const { tree_->visit(to, extents, rank); }
  // The tree, bound for an evaluation by the first let that is bound.
  template <int>
  const runtime::source* bind(bound_lets& lets) const {
    const runtime::source* const known = lets.find(tree_);
    return known != nullptr ? known : lets.keep(tree_->bind(lets));
  }

 private:
  using tree = let_tree<T, Shape>;
  constexpr explicit shared_let(tree* t) : tree_(t) {}

  tree* tree_;
};

template <class T, class Shape, bool OfReductions, bool OfAnyAxes>
inline constexpr bool is_reduction<shared_let<T, Shape, OfReductions, OfAnyAxes>> = OfReductions;
template <class T, class Shape, bool OfReductions, bool OfAnyAxes>
inline constexpr bool is_reduction_of_any_axes<shared_let<T, Shape, OfReductions, OfAnyAxes>> = OfAnyAxes;

}  // namespace broadloom::detail
