// What headers call and lib/ compiles for several threads and instruction sets: on one thread, in plain loops, with the
// functions of the standard library.
#include <broadloom/core/copy_elements.hpp>
#include <broadloom/core/error.hpp>
#include <broadloom/core/storage.hpp>
#include <broadloom/core/version.hpp>
#include <broadloom/eval/let.hpp>
#include <broadloom/fn/rules.hpp>
#include <broadloom/index/problem.hpp>
#include <broadloom/reduce/complex.hpp>
#include <broadloom/tensor/mask.hpp>

#include <cmath>
#include <cstring>
#include <new>
#include <string>

#include "../../lib/base/small_array.hpp"
#include "../../lib/index/updates.hpp"
#include "../../lib/index/walk.hpp"

namespace broadloom {

namespace runtime {

void* allocate(std::size_t bytes) { return ::operator new(bytes, std::align_val_t{storage_alignment}); }
void deallocate(void* block, std::size_t) noexcept { ::operator delete(block, std::align_val_t{storage_alignment}); }
void zero_large(void* to, std::size_t bytes, int) noexcept { std::memset(to, 0, bytes); }
void copy_large(void* to, const void* from, std::size_t bytes) noexcept { std::memcpy(to, from, bytes); }
void trim() noexcept {}
std::size_t kept_bytes() noexcept { return 0; }
void set_kept_limit(std::size_t) noexcept {}

const char* version() noexcept { return BROADLOOM_VERSION; }

// What asks to stop, and what is told of the progress, are in headers that need the library.
void run_controlled(const stop_check*, const progress_sink*, void (*f)(const void*), const void* context) {
  f(context);
}

namespace {

// visit(at) for all indices, row-major.
template <class F>
void for_all_indices(const index* extents, int rank, const F& visit) {
  for (int i = 0; i < rank; ++i)
    if (extents[i] == 0) return;
  small_array<index, 8> at(static_cast<std::size_t>(rank));
  for (int i = 0; i < rank; ++i) at[i] = 0;
  for (int i = 0; i >= 0;) {
    visit(at.data());
    for (i = rank - 1; i >= 0; --i) {
      if (++at[i] < extents[i]) break;
      at[i] = 0;
    }
  }
}

index offset(const index* at, const index* strides, int rank) {
  index sum = 0;
  for (int i = 0; i < rank; ++i) sum += at[i] * strides[i];
  return sum;
}

void check_all_positions(const selection& s, const char* call) {
  for (int k = 0; k < s.term_count; ++k) {
    const position_term& t = s.terms[k];
    for_all_indices(s.extents, s.rank, [&](const index* at) {
      const index p = position(t, offset(at, t.strides, s.rank));
      if (p < (t.negative ? -t.extent : 0) || p >= t.extent)
        detail::throw_index_out_of_bounds(p, t.axis, t.extent, call);
    });
  }
}

template <class Op, class T>
struct element_update {
  static constexpr void (*value)(std::byte*, const std::byte*) = [](std::byte* to, const std::byte* from) {
    update_one<Op>(to, load<T>(from));
  };
};

}  // namespace

// As write(), of elements of a type that is known.
template <class T>
void write_by_element(const selection& to, const char* call, const T* from, const index* strides, update what) {
  check_all_positions(to, call);
  using update_fn = void (*)(std::byte*, const std::byte*);
  const update_fn update_element =
      what == update::overwrite ? element_update<put_f, T>::value : updater_of<element_update, update_fn, T>(what);
  for_all_indices(to.extents, to.rank, [&](const index* at) {
    index place = offset(at, to.strides, to.rank);
    for (int k = 0; k < to.term_count; ++k)
      place += offset_at(to.terms[k], position(to.terms[k], offset(at, to.terms[k].strides, to.rank)));
    update_element(const_cast<std::byte*>(static_cast<const std::byte*>(to.data)) + place,
                   reinterpret_cast<const std::byte*>(from) + offset(at, strides, to.rank));
  });
}

extent_of_memory memory_of(const void* data, const index* extents, const index* strides, int rank, int size) {
  const auto* low = static_cast<const unsigned char*>(data);
  const auto* high = low + size;
  for (int i = 0; i < rank; ++i) {
    if (extents[i] == 0) return {low, low};
    const index span = (extents[i] - 1) * strides[i] * size;
    (span < 0 ? low : high) += span;
  }
  return {low, high};
}

}  // namespace runtime

namespace detail {

index next_let() noexcept {
  static index last = 0;
  return ++last;
}

// Lets that share a tree are found by its address: no traversal asks a question.
index* let_question_asked() noexcept {
  static index asked = 0;
  return &asked;
}

void gather_set(const bool* mask, index n, const void* from, void* to, int size) {
  auto* target = static_cast<std::byte*>(to);
  for (index i = 0; i < n; ++i)
    if (mask[i]) {
      std::memcpy(target, static_cast<const std::byte*>(from) + i * size, static_cast<std::size_t>(size));
      target += size;
    }
}
void scatter_set(const bool* mask, index n, const void* from, void* to, int size) {
  const auto* source = static_cast<const std::byte*>(from);
  for (index i = 0; i < n; ++i)
    if (mask[i]) {
      std::memcpy(static_cast<std::byte*>(to) + i * size, source, static_cast<std::size_t>(size));
      source += size;
    }
}

// --- transcendental functions, by the standard library ---

namespace {

template <class T>
T standard(runtime::maths1 f, T x) {
  using runtime::maths1;
  switch (f) {
    case maths1::exp: return std::exp(x);
    case maths1::exp2: return std::exp2(x);
    case maths1::exp10: return std::pow(T(10), x);
    case maths1::expm1: return std::expm1(x);
    case maths1::log: return std::log(x);
    case maths1::log2: return std::log2(x);
    case maths1::log10: return std::log10(x);
    case maths1::log1p: return std::log1p(x);
    case maths1::cbrt: return std::cbrt(x);
    case maths1::sin: return std::sin(x);
    case maths1::cos: return std::cos(x);
    case maths1::tan: return std::tan(x);
    case maths1::asin: return std::asin(x);
    case maths1::acos: return std::acos(x);
    case maths1::atan: return std::atan(x);
    case maths1::sinh: return std::sinh(x);
    case maths1::cosh: return std::cosh(x);
    case maths1::tanh: return std::tanh(x);
    case maths1::asinh: return std::asinh(x);
    case maths1::acosh: return std::acosh(x);
    case maths1::atanh: return std::atanh(x);
    case maths1::erf: return std::erf(x);
    case maths1::erfc: return std::erfc(x);
    case maths1::lgamma: return std::lgamma(x);
    case maths1::tgamma: return std::tgamma(x);
    case maths1::gelu: return x / 2 * std::erfc(x * T(-0.70710678118654752440L));
  }
  return x;
}
template <class T>
T standard(runtime::maths2 f, T x, T y) {
  using runtime::maths2;
  switch (f) {
    case maths2::pow: return std::pow(x, y);
    case maths2::atan2: return std::atan2(x, y);
    case maths2::hypot: return std::hypot(x, y);
    case maths2::fmod: return std::fmod(x, y);
  }
  return x;
}

}  // namespace

}  // namespace detail

namespace runtime {

void map1(maths1 f, accuracy, bool f64, const void* x, void* out, index n) noexcept {
  const auto each = [&]<class T>(const T* from, T* to) {
    for (index i = 0; i < n; ++i) to[i] = detail::standard(f, from[i]);
  };
  f64 ? each(static_cast<const double*>(x), static_cast<double*>(out))
      : each(static_cast<const float*>(x), static_cast<float*>(out));
}
void map2(maths2 f, accuracy, bool f64, const void* x, const void* y, void* out, index n) noexcept {
  const auto each = [&]<class T>(const T* from, const T* by, T* to) {
    for (index i = 0; i < n; ++i) to[i] = detail::standard(f, from[i], by[i]);
  };
  f64 ? each(static_cast<const double*>(x), static_cast<const double*>(y), static_cast<double*>(out))
      : each(static_cast<const float*>(x), static_cast<const float*>(y), static_cast<float*>(out));
}

void sum_complex_strips(const void* x, index strips, void* to, bool is_f64) {
  const auto each = [&]<class R>(const R* from, R* sums) {
    constexpr index lanes = 64 / static_cast<index>(sizeof(R)), length = 2 * detail::strip_elements;
    for (index s = 0; s < strips; ++s, from += length) {
      R lane[lanes];
      for (index i = 0; i < length; ++i) lane[i % lanes] = i < lanes ? from[i] : lane[i % lanes] + from[i];
      for (index half = lanes / 2; half >= 2; half /= 2)
        for (index k = 0; k < half; ++k) lane[k] += lane[k + half];
      sums[2 * s] = lane[0];
      sums[2 * s + 1] = lane[1];
    }
  };
  is_f64 ? each(static_cast<const double*>(x), static_cast<double*>(to))
         : each(static_cast<const float*>(x), static_cast<float*>(to));
}

}  // namespace runtime
}  // namespace broadloom
