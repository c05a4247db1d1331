// list<T>: what calls that give several things return. It stands for std::vector, whose header alone would be a fifth
// of what including Broadloom may cost, and converts to one.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <new>
#include <utility>

#include <broadloom/core/index.hpp>
#include <broadloom/core/throw_error.hpp>

namespace broadloom {

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_no_entry(std::size_t i, std::size_t size) {
  throw_error(error_kind::no_entry, {i, size});
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_too_many_entries(std::size_t n) {
  throw_error(error_kind::too_many_entries, {n});
}

// A container whose elements lie next to each other: std::vector, std::array, std::span, a shape, another list.
template <class C>
concept contiguous_container = requires(const C& c) {
  *c.data();
  c.size();
};

// One that has a shape of its own belongs to another library: it is an array through that library's header in interop/.
template <class C>
concept has_own_shape =
    requires(const C& c) { c.shape(); } || requires(const C& c) { c.rows(); } || requires(const C& c) { c.n_rows; } ||
    requires(const C& c) { c.dimension(0); } || requires(const C& c) { c.sizes(); };

// How deep containers lie in one another, and what is in the innermost: 2 and float for
// std::vector<std::vector<float>>. (No deeper than 8, as there are classes that contain themselves.)
template <class C>
struct entry_of {
  using type = std::remove_cv_t<std::remove_reference_t<decltype(*std::declval<const C&>().begin())>>;
};
template <class C>
  requires requires { typename C::value_type; }
struct entry_of<C> {
  using type = typename C::value_type;
};
template <class C, int Most = 8>
struct nesting {
  using innermost = C;
  static constexpr int depth = 0;
};
template <class C, int Most>
  requires(Most > 0 &&
           requires(const C& c) {
             *c.begin();
             c.size();
           } && !has_own_shape<C>)
struct nesting<C, Most> {
  using inner = nesting<typename entry_of<C>::type, Most - 1>;
  using innermost = typename inner::innermost;
  static constexpr int depth = 1 + inner::depth;
};

}  // namespace detail

template <class T>
class list {
 public:
  using value_type = T;
  using size_type = std::size_t;
  using iterator = T*;
  using const_iterator = const T*;

  list() = default;
  list(std::initializer_list<T> values) : list(values.begin(), values.end()) {}
  list(const T* first, const T* last) : list() {
    reserve(static_cast<size_type>(last - first));
    for (; first != last; ++first) push_back(*first);
  }
  template <detail::contiguous_container C>
    requires requires(const C& c) { T(*c.data()); }
  list(const C& values) : list() {
    const auto* first = values.data();
    const auto n = static_cast<size_type>(values.size());
    reserve(n);
    for (size_type i = 0; i < n; ++i) push_back(T(first[i]));
  }
  list(const list& o) : list(o.begin(), o.end()) {}
  list(list&& o) noexcept { swap(o); }
  list& operator=(list o) noexcept {
    swap(o);
    return *this;
  }
  ~list() {
    clear();
    ::operator delete(data_, std::align_val_t{alignof(T)});
  }

  size_type size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  T* begin() noexcept { return data_; }
  T* end() noexcept { return data_ + size_; }
  const T* begin() const noexcept { return data_; }
  const T* end() const noexcept { return data_ + size_; }
  T& operator[](size_type i) noexcept { return data_[i]; }
  const T& operator[](size_type i) const noexcept { return data_[i]; }
  // With a check: throws index_error.
  const T& at(size_type i) const {
    if (i >= size_) detail::throw_no_entry(i, size_);
    return data_[i];
  }
  T& at(size_type i) { return const_cast<T&>(static_cast<const list*>(this)->at(i)); }
  T& front() noexcept { return *data_; }
  const T& front() const noexcept { return *data_; }
  T& back() noexcept { return data_[size_ - 1]; }
  const T& back() const noexcept { return data_[size_ - 1]; }

  // Strong guarantee where T's move constructor does not throw.
  void reserve(size_type n) {
    if (n <= capacity_) return;
    if (n > static_cast<size_type>(__PTRDIFF_MAX__) / sizeof(T)) detail::throw_too_many_entries(n);
    list grown;
    grown.data_ = static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t{alignof(T)}));
    grown.capacity_ = n;
    for (T& x : *this) grown.add(static_cast<T&&>(x));
    swap(grown);
  }
  void push_back(T value) {
    if (size_ == capacity_) reserve(capacity_ == 0 ? 4 : 2 * capacity_);
    add(static_cast<T&&>(value));
  }
  void clear() noexcept {
    while (size_ > 0) data_[--size_].~T();
  }
  void swap(list& o) noexcept {
    exchange(data_, o.data_);
    exchange(size_, o.size_);
    exchange(capacity_, o.capacity_);
  }

  // To std::vector<T>, or whatever is made from two pointers.
  template <class C>
    requires requires(const T* p) { C(p, p); }
  operator C() const {
    return C(begin(), end());
  }

  template <detail::contiguous_container C>
  friend bool operator==(const list& a, const C& b) {
    if (a.size() != static_cast<size_type>(b.size())) return false;
    for (size_type i = 0; i < a.size(); ++i)
      if (!(a[i] == b.data()[i])) return false;
    return true;
  }

 private:
  template <class V>
  static void exchange(V& a, V& b) noexcept {
    const V old = a;
    a = b;
    b = old;
  }
  void add(T&& value) {
    ::new (static_cast<void*>(data_ + size_)) T(static_cast<T&&>(value));
    ++size_;
  }

  T* data_ = nullptr;
  size_type size_ = 0, capacity_ = 0;
};

}  // namespace broadloom
