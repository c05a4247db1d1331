// Running sums and products in place.
#include <broadloom/eval/scheduler.hpp>
#include <broadloom/reduce/scans.hpp>

#include "../fp_control.hpp"

namespace broadloom::detail {

namespace {

struct add {
  template <class T>
  static T on(T x, T y) {
    return lanes::plus(x, y);
  }
};
struct multiply {
  template <class T>
  static T on(T x, T y) {
    return lanes::times(x, y);
  }
};

constexpr index columns_at_once = 1024;

template <class Op, class T>
void scan_as(void* elements, index outer, index length, index inner, const runtime::options& o) {
  T* const data = static_cast<T*>(elements);
  const index parts = (inner + columns_at_once - 1) / columns_at_once;
  const auto body = [&](index task) {
    const index column = task % parts * columns_at_once;
    const index columns = inner - column < columns_at_once ? inner - column : columns_at_once;
    T* x = data + task / parts * length * inner + column;
    if (inner == 1) {
      for (index i = 1; i < length; ++i) x[i] = Op::on(x[i - 1], x[i]);
      return;
    }
    for (index i = 1; i < length; ++i, x += inner)
      for (index c = 0; c < columns; ++c) x[inner + c] = Op::on(x[c], x[inner + c]);
  };
  const index tasks = outer * parts;
  const bool small = o.threads == 0 && outer * length * inner < 65536;
  if (o.threads == 1 || small || tasks < 2) {
    for (index t = 0; t < tasks; ++t) body(t);
    return;
  }
  runtime::parallel_for(
      tasks, o.threads,
      [](void* context, index first, index last) {
        const auto& each = *static_cast<const decltype(body)*>(context);
        for (index t = first; t < last; ++t) each(t);
      },
      const_cast<void*>(static_cast<const void*>(&body)));
}

template <class Op>
void scan_of(dtype t, void* elements, index outer, index length, index inner, const runtime::options& o) {
  switch (t) {
    case dtype::f32: return scan_as<Op, float>(elements, outer, length, inner, o);
    case dtype::f64: return scan_as<Op, double>(elements, outer, length, inner, o);
    case dtype::i32: return scan_as<Op, std::int32_t>(elements, outer, length, inner, o);
    case dtype::u64: return scan_as<Op, std::uint64_t>(elements, outer, length, inner, o);
    default: return scan_as<Op, std::int64_t>(elements, outer, length, inner, o);
  }
}

}  // namespace

void scan(runtime::reduction how, dtype t, void* elements, index outer, index length, index inner,
          const runtime::options& o) {
  if (how == runtime::reduction::sum)
    scan_of<add>(t, elements, outer, length, inner, o);
  else
    scan_of<multiply>(t, elements, outer, length, inner, o);
}

}  // namespace broadloom::detail
