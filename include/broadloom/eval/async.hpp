// Evaluations beside other work: auto e = async(out, x * 2); ... e.get();
#pragma once

#include <broadloom/eval/assign.hpp>

namespace broadloom {

namespace runtime {

// One evaluation that runs by itself. `run` is called once, then `destroy`, both with `self`, on a thread of oneTBB's
// arena of the caller or a thread of its own.
struct async_state;
BROADLOOM_API async_state* start_async(void* self, void (*run)(void* self, const stop_check*),
                                       void (*destroy)(void* self));
BROADLOOM_API void wait_async(async_state*) noexcept;
BROADLOOM_API bool is_ready(async_state*) noexcept;
BROADLOOM_API void stop_async(async_state*) noexcept;
BROADLOOM_API void rethrow_async(async_state*);
BROADLOOM_API void release_async(async_state*) noexcept;

}  // namespace runtime

// What async gives: a handle of a running evaluation, which it waits for when it is destroyed. Not copyable.
class evaluation {
 public:
  evaluation() = default;
  explicit evaluation(runtime::async_state* s) : state_(s) {}
  evaluation(evaluation&& o) noexcept : state_(o.state_) { o.state_ = nullptr; }
  evaluation& operator=(evaluation&& o) noexcept {
    if (this != &o) {
      finish();
      state_ = o.state_;
      o.state_ = nullptr;
    }
    return *this;
  }
  ~evaluation() { finish(); }

  // Whether it has ended, by an exception too. True of a handle of nothing.
  bool ready() const noexcept { return state_ == nullptr || runtime::is_ready(state_); }
  void wait() const noexcept {
    if (state_ != nullptr) runtime::wait_async(state_);
  }
  // Waits, and throws what the evaluation threw: bl::stopped after stop().
  void get() {
    if (state_ == nullptr) return;
    wait();
    struct owner {
      runtime::async_state* s;
      ~owner() { runtime::release_async(s); }
    } const own{state_};
    state_ = nullptr;
    runtime::rethrow_async(own.s);
  }
  // Asks it to end soon. Its output is valid then, and perhaps partly written.
  void stop() const noexcept {
    if (state_ != nullptr) runtime::stop_async(state_);
  }

 private:
  void finish() noexcept {
    if (state_ == nullptr) return;
    runtime::wait_async(state_);
    runtime::release_async(state_);
    state_ = nullptr;
  }
  runtime::async_state* state_ = nullptr;
};

namespace detail {

template <class Out, class E>
struct async_assignment {
  Out out;  // a pointer to a tensor, or a view
  E e;
  policy how;

  static void run(void* self, const runtime::stop_check* stop) {
    auto& x = *static_cast<async_assignment*>(self);
    if constexpr (std::is_pointer_v<Out>)
      assign(*x.out, x.e, x.how | *stop);
    else
      assign(x.out, x.e, x.how | *stop);
  }
  static void destroy(void* self) { delete static_cast<async_assignment*>(self); }
};

}  // namespace detail

// async(out, e[, policy]): assign(out, e, policy) beside what the caller does next; shapes are checked here. The tree
// is held: arrays that were moved into it live as long, others, and `out`, must outlive the evaluation and stay as they
// are until it is ready. Throws what assign throws of shapes, here, and all else from get().
inline constexpr struct async_t {
  template <class Out, array E>
    requires(detail::writable<Out&> && detail::assignable_from<Out&, E>)
  evaluation operator()(Out&& out, E&& e, const policy& p = par) const {
    using tree = detail::captured<E>;
    using node = std::remove_cvref_t<Out>;
    constexpr bool by_value = detail::is_view<node>;
    using held = std::conditional_t<by_value, node, std::remove_reference_t<Out>*>;
    static_assert(by_value || std::is_lvalue_reference_v<Out>,
                  "async writes to a tensor that lives longer, or to a view [errors.md#async-output]");
    tree captured = detail::capture(static_cast<E&&>(e));
    const auto to = detail::as_node(out);
    detail::check_fits(detail::writing::copy, to.shape(), captured.shape());
    detail::check_writable(to.layout(), to.shape());
    using task = detail::async_assignment<held, tree>;
    task* self;
    if constexpr (by_value)
      self = new task{out, static_cast<tree&&>(captured), p};
    else
      self = new task{&out, static_cast<tree&&>(captured), p};
    return evaluation(runtime::start_async(self, &task::run, &task::destroy));
  }
} async{};

}  // namespace broadloom
