// The naive way: see interpreter.hpp. Nothing here is fast, and nothing is shared with what it checks.
#include "fuzz/interpreter.hpp"

#include <broadloom/broadloom.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <type_traits>

namespace fuzz {

namespace bl = broadloom;
using bl::dtype;

namespace {

template <class T>
inline constexpr bool is_complex_v = false;
template <class T>
inline constexpr bool is_complex_v<std::complex<T>> = true;

template <class T>
struct type {
  using is = T;
};

template <class F>
auto with_type(dtype t, const F& f) {
  switch (t) {
    case dtype::b8: return f(type<bool>{});
    case dtype::i8: return f(type<std::int8_t>{});
    case dtype::i16: return f(type<std::int16_t>{});
    case dtype::i32: return f(type<std::int32_t>{});
    case dtype::i64: return f(type<std::int64_t>{});
    case dtype::u8: return f(type<std::uint8_t>{});
    case dtype::u16: return f(type<std::uint16_t>{});
    case dtype::u32: return f(type<std::uint32_t>{});
    case dtype::u64: return f(type<std::uint64_t>{});
    case dtype::f32: return f(type<float>{});
    case dtype::f64: return f(type<double>{});
    case dtype::c64: return f(type<std::complex<float>>{});
    default: return f(type<std::complex<double>>{});
  }
}

[[noreturn]] void unknown(const std::string& what) { throw std::logic_error("the interpreter does not know " + what); }

template <class To, class From>
To convert(From x) {
  if constexpr (is_complex_v<To>) {
    using R = typename To::value_type;
    if constexpr (is_complex_v<From>)
      return To(static_cast<R>(x.real()), static_cast<R>(x.imag()));
    else
      return To(static_cast<R>(x), R(0));
  } else if constexpr (is_complex_v<From>) {
    return static_cast<To>(x.real());
  } else if constexpr (std::is_same_v<To, bool>) {
    return x != From(0);
  } else {
    return static_cast<To>(x);
  }
}

// --- promotion: the rules of the semantics, written down once more
// -----------------------------------------------------

int category(dtype t) { return t == dtype::b8 ? 0 : bl::is_integer(t) ? 1 : bl::is_floating(t) ? 2 : 3; }
bool is_unsigned(dtype t) { return t >= dtype::u8 && t <= dtype::u64; }

dtype promote_two(dtype a, dtype b) {
  if (a == b) return a;
  const int ca = category(a), cb = category(b);
  if (ca == 3 || cb == 3) {
    const bool wide = a == dtype::c128 || b == dtype::c128 || a == dtype::f64 || b == dtype::f64;
    return wide ? dtype::c128 : dtype::c64;
  }
  if (ca != cb) return ca > cb ? a : b;
  if (is_unsigned(a) == is_unsigned(b)) return size_of(a) > size_of(b) ? a : b;
  const dtype u = is_unsigned(a) ? a : b, s = is_unsigned(a) ? b : a;
  if (size_of(s) > size_of(u)) return s;
  switch (size_of(u)) {
    case 1: return dtype::i16;
    case 2: return dtype::i32;
    default: return dtype::i64;
  }
}

standing standing_of(const dense& x) {
  return x.number ? standing::number : x.shape.empty() ? standing::rank0 : standing::axes;
}

// Integers of which f32 would lose digits.
bool is_wide(dtype t) { return category(t) == 1 && size_of(t) >= 4; }

dtype promote(const std::vector<const dense*>& all) {
  bool any = false;
  dtype result = dtype::b8;
  for (const standing level : {standing::axes, standing::rank0, standing::number}) {
    bool here = false;
    dtype t = dtype::b8;
    for (const dense* x : all) {
      if (standing_of(*x) != level) continue;
      t = here ? promote_two(t, x->type) : x->type;
      here = true;
    }
    if (!here) continue;
    if (!any)
      result = t;
    else if (category(t) > category(result)) {
      const bool wide = result == dtype::f64 || (level == standing::number && is_wide(result));
      result = category(t) == 3 && wide                   ? dtype::c128
               : category(t) == 3 && result == dtype::f32 ? dtype::c64
               : wide                                     ? dtype::f64
                                                          : t;
    }
    any = true;
  }
  return result;
}

// --- shapes
// ------------------------------------------------------------------------------------------------------------

extents broadcast(const std::vector<const dense*>& all) {
  extents r;
  for (const dense* x : all) {
    const extents& e = x->shape;
    if (e.size() > r.size()) r.insert(r.begin(), e.size() - r.size(), 1);
    for (std::size_t i = 0; i < e.size(); ++i) {
      bl_index& to = r[r.size() - e.size() + i];
      if (to == 1)
        to = e[i];
      else if (e[i] != 1 && e[i] != to)
        throw std::logic_error("the generator made shapes that do not broadcast: " + shape_text(r) + " " +
                               shape_text(e));
    }
  }
  return r;
}

bl_index offset_in(const extents& shape, const extents& at) {
  bl_index o = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) o = o * shape[i] + at[i];
  return o;
}

// Calls f with each index of the shape in row-major order.
template <class F>
void each_index(const extents& shape, const F& f) {
  const bl_index n = count_of(shape);
  extents at(shape.size(), 0);
  for (bl_index k = 0; k < n; ++k) {
    f(k, at);
    for (std::size_t i = shape.size(); i-- > 0;) {
      if (++at[i] < shape[i]) break;
      at[i] = 0;
    }
  }
}

// Elements of x at other places: `from` gives the index in x, or an empty one with `outside` set where `filler` stands.
template <class From>
dense seen(const dense& x, const extents& shape, const From& from) {
  dense r = make_dense(x.type, shape);
  const auto size = static_cast<std::size_t>(size_of(x.type));
  each_index(shape, [&](bl_index k, const extents& at) {
    const extents source = from(at);
    if (source.size() == x.shape.size())
      std::memcpy(r.bytes.data() + static_cast<std::size_t>(k) * size,
                  x.bytes.data() + static_cast<std::size_t>(offset_in(x.shape, source)) * size, size);
  });
  return r;
}
const extents outside{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};

std::size_t axis_of(bl_index axis, std::size_t rank) {
  return static_cast<std::size_t>(axis < 0 ? axis + static_cast<bl_index>(rank) : axis);
}

// --- pointwise functions
// -----------------------------------------------------------------------------------------------

template <class C, class R, class F, class... X>
dense mapped(const F& f, const X&... x) {
  const extents shape = broadcast({&x...});
  dense r = make_dense(bl::dtype_of<R>, shape);
  const std::vector<dense> all{expanded(converted(x, bl::dtype_of<C>), shape)...};
  for (bl_index k = 0; k < r.count(); ++k) {
    if constexpr (sizeof...(X) == 1)
      r.as<R>()[k] = f(all[0].as<C>()[k]);
    else if constexpr (sizeof...(X) == 2)
      r.as<R>()[k] = f(all[0].as<C>()[k], all[1].as<C>()[k]);
    else
      r.as<R>()[k] = f(all[0].as<C>()[k], all[1].as<C>()[k], all[2].as<C>()[k]);
  }
  return r;
}

// Wrapping arithmetic of integers; every rounding once.
template <class T>
T plus(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a || b;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  else
    return a + b;
}
template <class T>
T minus(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
  else
    return a - b;
}
template <class T>
T times(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    return a && b;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  } else if constexpr (is_complex_v<T>) {
    const volatile typename T::value_type ac = a.real() * b.real(), bd = a.imag() * b.imag(), ad = a.real() * b.imag(),
                                          bc = a.imag() * b.real();
    return T(ac - bd, ad + bc);
  } else {
    return a * b;
  }
}
template <class T>
T larger(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    if (a != a) return a;
  return a > b ? a : b;
}
template <class T>
T smaller(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    if (a != a) return a;
  return a < b ? a : b;
}

// The library's own value of a transcendental function of one element.
template <class T, class F, class... X>
T by_library(const F& f, const X&... x) {
  const auto one = [](const T& value) { return bl::view<const T, bl::dshape<1>>(&value, bl::dshape<1>(1)); };
  return bl::eval(f(one(x)...))(0);
}

template <class T, class... X>
T strip(const std::string& name, X... x) {
  static const auto unary = [] {
    std::map<std::string, T (*)(T)> m;
#define ADD(NAME) m[#NAME] = [](T a) { return by_library<T>(bl::NAME, a); }
    ADD(exp);
    ADD(exp2);
    ADD(expm1);
    ADD(log);
    ADD(log2);
    ADD(log1p);
    ADD(cbrt);
    ADD(sin);
    ADD(cos);
    ADD(tan);
    ADD(asin);
    ADD(acos);
    ADD(atan);
    ADD(sinh);
    ADD(cosh);
    ADD(tanh);
    ADD(asinh);
    ADD(acosh);
    ADD(atanh);
    ADD(erf);
    ADD(erfc);
    ADD(lgamma);
    ADD(silu);
    ADD(gelu);
    ADD(mish);
    ADD(softplus);
    ADD(sinc);
    ADD(selu);
#undef ADD
    return m;
  }();
  static const auto binary = [] {
    std::map<std::string, T (*)(T, T)> m;
#define ADD(NAME) m[#NAME] = [](T a, T b) { return by_library<T>(bl::NAME, a, b); }
    ADD(pow);
    ADD(atan2);
    ADD(hypot);
    ADD(fmod);
    ADD(remainder);
    ADD(xlogy);
    ADD(logaddexp);
#undef ADD
    return m;
  }();
  if constexpr (sizeof...(X) == 1) {
    const auto at = unary.find(name);
    if (at == unary.end()) unknown(name);
    return at->second(x...);
  } else {
    const auto at = binary.find(name);
    if (at == binary.end()) unknown(name);
    return at->second(x...);
  }
}

dtype to_real(dtype t) { return is_wide(t) ? dtype::f64 : category(t) < 2 ? dtype::f32 : t; }

dense one_operand(const std::string& name, const dense& x) {
  const auto same = [&](dtype t, const auto& f) {
    return with_type(t, [&]<class T>(type<T>) -> dense {
      if constexpr (is_complex_v<T>)
        unknown(name + " of complex");
      else
        return mapped<T, T>([&](T a) { return static_cast<T>(f(a)); }, x);
    });
  };
  const auto test = [&](const auto& f) {
    return with_type(x.type, [&]<class T>(type<T>) -> dense {
      if constexpr (is_complex_v<T>)
        unknown(name + " of complex");
      else
        return mapped<T, bool>([&](T a) { return f(a); }, x);
    });
  };
  const dtype t = x.type, r = to_real(x.type);
  const auto root = [](auto a) -> decltype(a) {
    if constexpr (std::is_floating_point_v<decltype(a)>) return std::sqrt(a);
    return a;
  };
  if (name == "neg")
    return with_type(t, [&]<class T>(type<T>) {
      return mapped<T, T>(
          [](T a) {
            if constexpr (std::is_integral_v<T>)
              return minus(T(0), a);
            else
              return -a;
          },
          x);
    });
  if (name == "conj" || name == "real" || name == "imag")
    return with_type(t, [&]<class T>(type<T>) -> dense {
      if constexpr (is_complex_v<T>) {
        using R = typename T::value_type;
        if (name == "conj") return mapped<T, T>([](T a) { return T(a.real(), -a.imag()); }, x);
        return mapped<T, R>([&](T a) { return name == "real" ? a.real() : a.imag(); }, x);
      } else {
        unknown(name);
      }
    });
  if (name == "positive") return x;
  if (name == "square")
    return with_type(t, [&]<class T>(type<T>) { return mapped<T, T>([](T a) { return times(a, a); }, x); });
  if (name == "abs")
    return same(t, [](auto a) {
      using T = decltype(a);
      if constexpr (std::is_floating_point_v<T>)
        return std::fabs(a);
      else
        return a < T(0) ? minus(T(0), a) : a;
    });
  if (name == "sign")
    return same(t, [](auto a) -> decltype(a) {
      using T = decltype(a);
      if (a != a) return a;
      return static_cast<T>(a > T(0) ? 1 : a < T(0) ? -1 : 0);
    });
  if (name == "relu") return same(t, [](auto a) { return a < decltype(a)(0) ? decltype(a)(0) : a; });
  if (name == "floor")
    return same(t, [](auto a) -> decltype(a) {
      if constexpr (std::is_floating_point_v<decltype(a)>) return std::floor(a);
      return a;
    });
  if (name == "ceil")
    return same(t, [](auto a) -> decltype(a) {
      if constexpr (std::is_floating_point_v<decltype(a)>) return std::ceil(a);
      return a;
    });
  if (name == "trunc")
    return same(t, [](auto a) -> decltype(a) {
      if constexpr (std::is_floating_point_v<decltype(a)>) return std::trunc(a);
      return a;
    });
  if (name == "round")
    return same(t, [](auto a) -> decltype(a) {
      if constexpr (std::is_floating_point_v<decltype(a)>) return std::nearbyint(a);
      return a;
    });
  if (name == "sqrt") return same(r, root);
  if (name == "rsqrt") return same(r, [&](auto a) { return decltype(a)(1) / root(a); });
  if (name == "reciprocal")
    return same(r, [](auto a) -> decltype(a) {
      if constexpr (std::is_floating_point_v<decltype(a)>) return decltype(a)(1) / a;
      return a;
    });
  if (name == "bitwise_not")
    return same(t, [](auto a) {
      using T = decltype(a);
      if constexpr (std::is_same_v<T, bool>)
        return !a;
      else if constexpr (std::is_integral_v<T>)
        return static_cast<T>(~a);
      else
        return a;
    });
  if (name == "logical_not") return test([](auto a) { return a == decltype(a)(0); });
  if (name == "isnan") return test([](auto a) { return a != a; });
  if (name == "isinf")
    return test([](auto a) { return std::is_floating_point_v<decltype(a)> && a == a && a - a != a - a; });
  if (name == "isfinite") return test([](auto a) { return !std::is_floating_point_v<decltype(a)> || a - a == a - a; });
  if (name == "signbit") return test([](auto a) { return std::signbit(static_cast<double>(a)); });
  if (name == "sigmoid") {
    return with_type(r, [&]<class T>(type<T>) -> dense {
      if constexpr (std::is_floating_point_v<T>)
        return mapped<T, T>(
            [](T a) {
              return a < T(sizeof(T) == 4 ? -64 : -512) ? strip<T>("exp", a) : T(1) / (T(1) + strip<T>("exp", -a));
            },
            x);
      else
        unknown(name);
    });
  }
  return with_type(r, [&]<class T>(type<T>) -> dense {
    if constexpr (std::is_floating_point_v<T>)
      return mapped<T, T>([&](T a) { return strip<T>(name, a); }, x);
    else
      unknown(name);
  });
}

dense two_operands(const std::string& name, const dense& x, const dense& y) {
  const dtype t = promote({&x, &y});
  const auto same = [&](dtype in, const auto& f) {
    return with_type(in, [&]<class T>(type<T>) -> dense {
      if constexpr (std::is_invocable_v<decltype(f), T, T>)
        return mapped<T, T>([&](T a, T b) { return static_cast<T>(f(a, b)); }, x, y);
      else
        unknown(name);
    });
  };
  const auto real = [&](const auto& f) {
    return with_type(to_real(t), [&]<class T>(type<T>) -> dense {
      if constexpr (std::is_floating_point_v<T>)
        return mapped<T, T>([&](T a, T b) { return f(a, b); }, x, y);
      else
        unknown(name + " of this type");
    });
  };
  const auto ordered = [&](const auto& f) {
    return with_type(t, [&]<class T>(type<T>) -> dense {
      if constexpr (!is_complex_v<T>)
        return mapped<T, bool>([&](T a, T b) { return f(a, b); }, x, y);
      else
        unknown(name + " of complex");
    });
  };
  const auto bits = [&](const auto& f) {
    return with_type(t, [&]<class T>(type<T>) -> dense {
      if constexpr (std::is_integral_v<T>)
        return mapped<T, T>([&](T a, T b) { return static_cast<T>(f(a, b)); }, x, y);
      else
        unknown(name + " of floating numbers");
    });
  };
  const auto extreme = [&](const auto& f) {
    return with_type(t, [&]<class T>(type<T>) -> dense {
      if constexpr (!is_complex_v<T>)
        return mapped<T, T>([&](T a, T b) { return f(a, b); }, x, y);
      else
        unknown(name + " of complex");
    });
  };
  const auto truth = [&](const auto& f) { return mapped<bool, bool>(f, x, y); };
  if (name == "add") return same(t, [](auto a, auto b) { return plus(a, b); });
  if (name == "sub") return same(t, [](auto a, auto b) { return minus(a, b); });
  if (name == "mul") return same(t, [](auto a, auto b) { return times(a, b); });
  if (name == "div") return real([](auto a, auto b) { return a / b; });
  if (name == "maximum") return extreme([](auto a, auto b) { return larger(a, b); });
  if (name == "minimum") return extreme([](auto a, auto b) { return smaller(a, b); });
  if (name == "fmax") return extreme([](auto a, auto b) { return a != a ? b : b != b ? a : larger(a, b); });
  if (name == "fmin") return extreme([](auto a, auto b) { return a != a ? b : b != b ? a : smaller(a, b); });
  if (name == "heaviside")
    return extreme([](auto a, auto b) {
      using T = decltype(a);
      return a != a ? a : a == T(0) ? b : a > T(0) ? T(1) : T(0);
    });
  if (name == "eq")
    return with_type(t, [&]<class T>(type<T>) { return mapped<T, bool>([](T a, T b) { return a == b; }, x, y); });
  if (name == "ne")
    return with_type(t, [&]<class T>(type<T>) { return mapped<T, bool>([](T a, T b) { return a != b; }, x, y); });
  if (name == "lt") return ordered([](auto a, auto b) { return a < b; });
  if (name == "le") return ordered([](auto a, auto b) { return a <= b; });
  if (name == "gt") return ordered([](auto a, auto b) { return a > b; });
  if (name == "ge") return ordered([](auto a, auto b) { return a >= b; });
  if (name == "logical_and") return truth([](bool a, bool b) { return a && b; });
  if (name == "logical_or") return truth([](bool a, bool b) { return a || b; });
  if (name == "logical_xor") return truth([](bool a, bool b) { return a != b; });
  if (name == "bitwise_and") return bits([](auto a, auto b) { return a & b; });
  if (name == "bitwise_or") return bits([](auto a, auto b) { return a | b; });
  if (name == "bitwise_xor") return bits([](auto a, auto b) { return a ^ b; });
  if (name == "copysign") return real([](auto a, auto b) { return std::copysign(a, b); });
  return real([&](auto a, auto b) { return strip<decltype(a)>(name, a, b); });
}

dense where(const dense& m, const dense& x, const dense& y) {
  const dtype t = promote({&x, &y});
  const extents shape = broadcast({&m, &x, &y});
  const dense truth = expanded(converted(m, dtype::b8), shape), a = expanded(converted(x, t), shape),
              b = expanded(converted(y, t), shape);
  dense r = make_dense(t, shape);
  const auto size = static_cast<std::size_t>(size_of(t));
  for (bl_index k = 0; k < r.count(); ++k) {
    const auto at = static_cast<std::size_t>(k) * size;
    std::memcpy(r.bytes.data() + at, (truth.as<bool>()[k] ? a : b).bytes.data() + at, size);
  }
  return r;
}

dense three_operands(const std::string& name, const dense& x, const dense& y, const dense& z) {
  if (name == "where") return where(x, y, z);
  if (name == "addcmul") return two_operands("add", x, two_operands("mul", y, z));
  if (name == "addcdiv") return two_operands("add", x, two_operands("div", y, z));
  const dtype t = promote({&x, &y, &z});
  const dense a = converted(x, t), b = converted(y, t), c = converted(z, t);
  if (name == "clamp") return two_operands("minimum", two_operands("maximum", a, b), c);
  if (name == "lerp") {
    // From the nearer end.
    const dense half = [&] {
      dense d = make_dense(t, {});
      with_type(t, [&]<class T>(type<T>) { *d.as<T>() = T(0.5); });
      d.number = true;
      return d;
    }();
    const dense one = two_operands("add", half, half), way = two_operands("sub", b, a),
                near = two_operands("lt", c, half);
    const dense part = where(near, c, two_operands("sub", one, c));
    // Term by term where the difference of finite ends overflows.
    const dense halves = two_operands("sub", two_operands("mul", b, half), two_operands("mul", a, half));
    const dense apart = two_operands("sub", two_operands("mul", b, part), two_operands("mul", a, part));
    const dense whole = two_operands("mul", way, part);
    const dense step = where(one_operand("isfinite", way), whole, where(one_operand("isfinite", halves), apart, whole));
    return where(near, two_operands("add", a, step), two_operands("sub", b, step));
  }
  unknown(name);
}

// --- reductions
// --------------------------------------------------------------------------------------------------------

struct reduced_axes {
  std::vector<bool> gone;
  extents kept, shape;  // of the others; of the result
  extents along;        // extents of the reduced axes
};

reduced_axes axes_from(const dense& x, const std::vector<bl_index>& axes, bool keepdim) {
  reduced_axes r;
  r.gone.assign(x.shape.size(), axes.empty());
  if (!x.shape.empty())
    for (const bl_index a : axes) r.gone[axis_of(a, x.shape.size())] = true;
  for (std::size_t i = 0; i < x.shape.size(); ++i) {
    if (r.gone[i])
      r.along.push_back(x.shape[i]);
    else
      r.kept.push_back(x.shape[i]);
    if (!r.gone[i])
      r.shape.push_back(x.shape[i]);
    else if (keepdim)
      r.shape.push_back(1);
  }
  return r;
}

// For each result the offsets of its elements, in row-major order of the reduced axes.
template <class F>
void each_line(const dense& x, const reduced_axes& r, const F& f) {
  each_index(r.kept, [&](bl_index to, const extents& outer) {
    std::vector<bl_index> offsets;
    each_index(r.along, [&](bl_index, const extents& inner) {
      extents at;
      std::size_t o = 0, i = 0;
      for (const bool gone : r.gone) at.push_back(gone ? inner[i++] : outer[o++]);
      offsets.push_back(offset_in(x.shape, at));
    });
    f(to, offsets);
  });
}

// The documented order: strips of 512, lanes of 64 bytes, halves onto halves, then pairs.
template <class T, class Op>
T in_order(const std::vector<T>& all, T nothing, const Op& op) {
  if (all.empty()) return nothing;
  const std::size_t lanes = 64 / sizeof(T);
  std::vector<T> strips;
  for (std::size_t s = 0; s < all.size(); s += 512) {
    const std::size_t n = std::min<std::size_t>(512, all.size() - s);
    std::vector<T> lane;
    for (std::size_t i = 0; i < n; ++i)
      if (i < lanes)
        lane.push_back(all[s + i]);
      else
        lane[i % lanes] = op(lane[i % lanes], all[s + i]);
    for (std::size_t half = lanes / 2; half > 0; half /= 2)
      for (std::size_t k = 0; k < half && k + half < lane.size(); ++k) lane[k] = op(lane[k], lane[k + half]);
    strips.push_back(lane[0]);
  }
  // Pairs, pairs of pairs: complete groups of 2^k from the left, and what is left over from right to left.
  std::vector<T> groups;
  for (std::size_t first = 0, left = strips.size(); left > 0;) {
    std::size_t group = 1;
    while (group * 2 <= left) group *= 2;
    std::vector<T> level(strips.begin() + static_cast<std::ptrdiff_t>(first),
                         strips.begin() + static_cast<std::ptrdiff_t>(first + group));
    while (level.size() > 1) {
      std::vector<T> up;
      for (std::size_t k = 0; k < level.size(); k += 2) up.push_back(op(level[k], level[k + 1]));
      level = up;
    }
    groups.push_back(level[0]);
    first += group;
    left -= group;
  }
  T r = groups.back();
  for (std::size_t k = groups.size() - 1; k-- > 0;) r = op(groups[k], r);
  return r;
}

dense number(dtype t, double value) {
  dense d = make_dense(t, {});
  with_type(t, [&]<class T>(type<T>) { *d.as<T>() = convert<T>(value); });
  d.number = true;
  return d;
}

dense reduction(const std::string& name, const dense& given, const std::vector<bl_index>& axes, bool keepdim) {
  const reduced_axes where_to = axes_from(given, axes, keepdim);
  const bl_index n = count_of(where_to.along);
  if (name == "mean")
    return two_operands("div", reduction("sum", given, axes, keepdim), number(given.type, static_cast<double>(n)));
  if (name == "var") {
    const dense apart = two_operands("sub", given, reduction("mean", given, axes, true));
    return two_operands("div", reduction("sum", one_operand("square", apart), axes, keepdim),
                        number(given.type, n > 1 ? static_cast<double>(n - 1) : 0.0));
  }
  if (name == "std") return one_operand("sqrt", reduction("var", given, axes, keepdim));
  if (name == "logsumexp") {
    dense peak = reduction("peak", given, axes, true);
    peak = where(one_operand("isinf", peak), number(peak.type, 0), peak);
    const dense sums =
        one_operand("log", reduction("sum", one_operand("exp", two_operands("sub", given, peak)), axes, keepdim));
    peak.shape = sums.shape;
    return two_operands("add", sums, peak);
  }
  if (name == "sum64") return converted(reduction("sum", converted(given, dtype::f64), axes, keepdim), given.type);
  if (name == "any" || name == "all" || name == "count_nonzero") {
    const dense truth = converted(given, dtype::b8);
    dense r = make_dense(name == "count_nonzero" ? dtype::i64 : dtype::b8, where_to.shape);
    each_line(truth, where_to, [&](bl_index to, const std::vector<bl_index>& offsets) {
      const auto set = std::count_if(offsets.begin(), offsets.end(), [&](bl_index o) { return truth.as<bool>()[o]; });
      if (name == "count_nonzero")
        r.as<std::int64_t>()[to] = set;
      else
        r.as<bool>()[to] = name == "any" ? set > 0 : set == static_cast<std::ptrdiff_t>(offsets.size());
    });
    return r;
  }
  const bool adds = name == "sum" || name == "prod";
  const dense x = adds && category(given.type) < 2 ? converted(given, dtype::i64) : given;
  return with_type(x.type, [&]<class T>(type<T>) -> dense {
    if constexpr (is_complex_v<T>) {
      unknown(name + " of complex");
    } else {
      if (name == "argmax" || name == "argmin") {
        dense r = make_dense(dtype::i64, where_to.shape);
        each_line(x, where_to, [&](bl_index to, const std::vector<bl_index>& offsets) {
          std::size_t best = 0;
          for (std::size_t i = 0; i < offsets.size(); ++i) {
            const T a = x.as<T>()[offsets[i]], b = x.as<T>()[offsets[best]];
            if (b != b) break;
            if (a != a || (name == "argmax" ? a > b : a < b)) best = i;
          }
          r.as<std::int64_t>()[to] = static_cast<std::int64_t>(best);
        });
        return r;
      }
      dense r = make_dense(x.type, where_to.shape);
      each_line(x, where_to, [&](bl_index to, const std::vector<bl_index>& offsets) {
        std::vector<T> all;
        for (const bl_index o : offsets) all.push_back(x.as<T>()[o]);
        // (a vector of bool has no elements of its own; only extremes are taken of these)
        if constexpr (std::is_same_v<T, bool>) {
          bool result = all.front();
          for (const bool b : all) result = name == "amin" ? result && b : result || b;
          r.as<T>()[to] = result;
        } else {
          if (name == "sum")
            r.as<T>()[to] = in_order<T>(all, T(0), [](T a, T b) { return plus(a, b); });
          else if (name == "prod")
            r.as<T>()[to] = in_order<T>(all, T(1), [](T a, T b) { return times(a, b); });
          else if (name == "amax" || name == "peak")
            r.as<T>()[to] = in_order<T>(all, T(0), [](T a, T b) { return larger(a, b); });
          else if (name == "amin")
            r.as<T>()[to] = in_order<T>(all, T(0), [](T a, T b) { return smaller(a, b); });
          else
            unknown(name);
        }
      });
      return r;
    }
  });
}

dense running(bool products, const dense& given, bl_index axis) {
  const dense x = category(given.type) < 2 ? converted(given, dtype::i64) : given;
  if (x.shape.empty()) return x;
  dense r = x;
  const std::size_t a = axis_of(axis, x.shape.size());
  with_type(x.type, [&]<class T>(type<T>) {
    if constexpr (!is_complex_v<T>)
      each_index(x.shape, [&](bl_index k, extents at) {
        if (at[a] == 0) return;
        --at[a];
        const T before = r.as<T>()[offset_in(x.shape, at)];
        r.as<T>()[k] = products ? times(before, x.as<T>()[k]) : plus(before, x.as<T>()[k]);
      });
  });
  return r;
}

dense softmax(bool logarithm, const dense& x, bl_index axis) {
  const dense apart = two_operands("sub", x, reduction("peak", x, {axis}, true));
  if (logarithm)
    return two_operands("sub", apart, one_operand("log", reduction("sum", one_operand("exp", apart), {axis}, true)));
  const dense e = one_operand("exp", apart);
  return two_operands("div", e, reduction("sum", e, {axis}, true));
}

// Products of matrices whose sums are exact, so that the order does not matter.
dense product(const dense& x, const dense& y) {
  const dtype t = promote({&x, &y});
  dense a = converted(x, t), b = converted(y, t);
  const bool row = a.shape.size() == 1, column = b.shape.size() == 1;
  if (row) a.shape.insert(a.shape.begin(), 1);
  if (column) b.shape.push_back(1);
  const auto ra = a.shape.size(), rb = b.shape.size();
  dense loop_a = make_dense(dtype::b8, extents(a.shape.begin(), a.shape.end() - 2)),
        loop_b = make_dense(dtype::b8, extents(b.shape.begin(), b.shape.end() - 2));
  extents shape = broadcast({&loop_a, &loop_b});
  const bl_index m = a.shape[ra - 2], k = a.shape[ra - 1], n = b.shape[rb - 1];
  const auto full = [&](const dense& z) {
    extents e = shape;
    e.insert(e.end(), z.shape.end() - 2, z.shape.end());
    return expanded(z, e);
  };
  a = full(a);
  b = full(b);
  extents out = shape;
  out.insert(out.end(), {m, n});
  dense r = make_dense(t, out);
  with_type(t, [&]<class T>(type<T>) {
    for (bl_index s = 0; s < count_of(shape); ++s)
      for (bl_index i = 0; i < m; ++i)
        for (bl_index j = 0; j < n; ++j) {
          T sum = T(0);
          for (bl_index l = 0; l < k; ++l)
            sum = plus(sum, times(a.as<T>()[(s * m + i) * k + l], b.as<T>()[(s * k + l) * n + j]));
          r.as<T>()[(s * m + i) * n + j] = sum;
        }
  });
  if (column) r.shape.pop_back();
  if (row) r.shape.erase(r.shape.end() - (column ? 1 : 2));
  return r;
}

dense sorted(const dense& x, bl_index axis, bool indices, bool descending) {
  const std::size_t a = axis_of(axis, x.shape.size());
  dense r = make_dense(indices ? dtype::i64 : x.type, x.shape);
  with_type(x.type, [&]<class T>(type<T>) {
    if constexpr (!is_complex_v<T>) {
      extents lines = x.shape;
      lines[a] = count_of(x.shape) == 0 ? 0 : 1;
      each_index(lines, [&](bl_index, extents at) {
        const auto offset = [&](bl_index i) {
          at[a] = i;
          return offset_in(x.shape, at);
        };
        std::vector<bl_index> order(static_cast<std::size_t>(x.shape[a]));
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](bl_index i, bl_index j) {
          const T p = x.as<T>()[offset(i)], q = x.as<T>()[offset(j)];
          const bool below = p < q || (p == p && q != q), above = q < p || (q == q && p != p);
          return descending ? above : below;
        });
        for (bl_index i = 0; i < x.shape[a]; ++i) {
          if (indices)
            r.as<std::int64_t>()[offset(i)] = order[static_cast<std::size_t>(i)];
          else
            r.as<T>()[offset(i)] = x.as<T>()[offset(order[static_cast<std::size_t>(i)])];
        }
      });
    }
  });
  return r;
}

}  // namespace

// --- arrays
// ------------------------------------------------------------------------------------------------------------

int size_of(dtype t) {
  constexpr int sizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 8, 16};
  return sizes[static_cast<int>(t)];
}

bl_index count_of(const extents& e) { return std::accumulate(e.begin(), e.end(), bl_index{1}, std::multiplies<>()); }

dense make_dense(dtype t, const extents& shape) {
  dense d;
  d.type = t;
  d.shape = shape;
  d.bytes.resize(static_cast<std::size_t>(count_of(shape)) * static_cast<std::size_t>(size_of(t)));
  return d;
}

dense converted(const dense& x, dtype t) {
  if (x.type == t) return x;
  dense r = make_dense(t, x.shape);
  r.number = x.number;
  with_type(x.type, [&]<class From>(type<From>) {
    with_type(t, [&]<class To>(type<To>) {
      for (bl_index k = 0; k < x.count(); ++k) r.as<To>()[k] = convert<To>(x.as<From>()[k]);
    });
  });
  return r;
}

dense expanded(const dense& x, const extents& shape) {
  if (x.shape == shape) return x;
  const std::size_t more = shape.size() - x.shape.size();
  return seen(x, shape, [&](const extents& at) {
    extents from;
    for (std::size_t i = 0; i < x.shape.size(); ++i) from.push_back(x.shape[i] == 1 ? 0 : at[more + i]);
    return from;
  });
}

bool same_element(dtype t, const void* a, const void* b) {
  return with_type(t, [&]<class T>(type<T>) {
    T x, y;
    std::memcpy(&x, a, sizeof x);
    std::memcpy(&y, b, sizeof y);
    const auto same = []<class R>(R p, R q) { return (p != p && q != q) || std::memcmp(&p, &q, sizeof p) == 0; };
    if constexpr (is_complex_v<T>)
      return same(x.real(), y.real()) && same(x.imag(), y.imag());
    else
      return same(x, y);
  });
}

std::string element_text(dtype t, const void* at) {
  return with_type(t, [&]<class T>(type<T>) {
    T x;
    std::memcpy(&x, at, sizeof x);
    std::ostringstream out;
    out.precision(17);
    if constexpr (sizeof(T) == 1)
      out << static_cast<int>(x);
    else
      out << x;
    return out.str();
  });
}

std::string shape_text(const extents& e) {
  std::string s = "(";
  for (std::size_t i = 0; i < e.size(); ++i) s += (i ? ", " : "") + std::to_string(e[i]);
  return s + ")";
}

// --- programs
// ----------------------------------------------------------------------------------------------------------

std::vector<operation> parse(const std::string& program) {
  std::vector<operation> all;
  std::istringstream words(program);
  for (std::string word; words >> word;) {
    operation o;
    std::istringstream parts(word);
    std::getline(parts, o.name, ':');
    for (std::string part; std::getline(parts, part, ':');) o.arguments.push_back(part);
    all.push_back(o);
  }
  return all;
}

node_seen& watched() {
  static node_seen f;
  return f;
}

// How many operands a node takes from the stack; 0 for leaves, numbers and names.
std::size_t operands_of(const std::string& name) {
  if (name[0] == 'L' || name == "int" || name == "real" || name == "let" || name == "use") return 0;
  if (name == "m3") return 3;
  return name == "m2" || name == "matmul" || name == "cat" || name == "gather" || name == "index_select" ? 2 : 1;
}

dense interpret(const std::vector<operation>& program, const std::vector<dense>& leaves,
                const std::vector<bl_index>& variables, const node_seen& watcher) {
  std::vector<dense> stack;
  std::map<bl_index, dense> named;
  const auto pop = [&] {
    if (stack.empty()) throw std::logic_error("an operand is missing");
    dense d = std::move(stack.back());
    stack.pop_back();
    return d;
  };
  for (const operation& o : program) {
    std::vector<bl_index> given;
    for (const std::string& word : o.arguments) {
      const bool number = std::isdigit(static_cast<unsigned char>(word[0])) || word[0] == '-';
      given.push_back(word[0] == 'v' && word != "var"
                          ? variables.at(static_cast<std::size_t>(std::stoll(word.substr(1))))
                      : number ? std::stoll(word)
                               : 0);
    }
    const auto number_of = [&](std::size_t i) { return given.at(i); };
    const auto numbers_from = [&](std::size_t first) {
      std::vector<bl_index> list;
      for (std::size_t i = first; i < o.arguments.size(); ++i) list.push_back(number_of(i));
      return list;
    };
    const std::string& name = o.name;
    std::vector<dense> operands;
    if (watcher) operands.assign(stack.end() - static_cast<std::ptrdiff_t>(operands_of(name)), stack.end());
    if (name[0] == 'L') {
      stack.push_back(leaves.at(static_cast<std::size_t>(std::stoll(name.substr(1)))));
    } else if (name == "int") {
      stack.push_back(number(dtype::i64, static_cast<double>(number_of(0))));
    } else if (name == "real") {
      stack.push_back(number(dtype::f32, std::stod(o.arguments.at(0))));
    } else if (name == "let") {
      named[number_of(0)] = pop();
    } else if (name == "use") {
      stack.push_back(named.at(number_of(0)));
    } else if (name == "m1") {
      stack.push_back(one_operand(o.arguments.at(0), pop()));
    } else if (name == "m2") {
      const dense y = pop(), x = pop();
      stack.push_back(two_operands(o.arguments.at(0), x, y));
    } else if (name == "m3") {
      const dense z = pop(), y = pop(), x = pop();
      stack.push_back(three_operands(o.arguments.at(0), x, y, z));
    } else if (name == "cast") {
      stack.push_back(converted(pop(), static_cast<dtype>(number_of(0))));
    } else if (name == "reduce") {  // reduce:NAME:keepdim:axes...
      stack.push_back(reduction(o.arguments.at(0), pop(), numbers_from(2), number_of(1) != 0));
    } else if (name == "cumsum" || name == "cumprod") {
      stack.push_back(running(name == "cumprod", pop(), number_of(0)));
    } else if (name == "softmax" || name == "log_softmax") {
      stack.push_back(softmax(name == "log_softmax", pop(), number_of(0)));
    } else if (name == "matmul") {
      const dense y = pop(), x = pop();
      stack.push_back(product(x, y));
    } else if (name == "sort" || name == "argsort") {  // :axis:descending
      stack.push_back(sorted(pop(), number_of(0), name == "argsort", number_of(1) != 0));
    } else if (name == "permute") {
      const dense x = pop();
      const auto p = numbers_from(0);
      extents shape;
      for (const bl_index a : p) shape.push_back(x.shape[static_cast<std::size_t>(a)]);
      stack.push_back(seen(x, shape, [&](const extents& at) {
        extents from(at.size());
        for (std::size_t i = 0; i < at.size(); ++i) from[static_cast<std::size_t>(p[i])] = at[i];
        return from;
      }));
    } else if (name == "expand") {
      stack.push_back(expanded(pop(), numbers_from(0)));
    } else if (name == "reshape") {
      dense x = pop();
      x.shape = numbers_from(0);
      stack.push_back(x);
    } else if (name == "unsqueeze") {
      dense x = pop();
      x.shape.insert(x.shape.begin() + number_of(0), 1);
      stack.push_back(x);
    } else if (name == "squeeze") {
      dense x = pop();
      x.shape.erase(x.shape.begin() + number_of(0));
      stack.push_back(x);
    } else if (name == "flip") {
      const dense x = pop();
      const std::size_t a = axis_of(number_of(0), x.shape.size());
      stack.push_back(seen(x, x.shape, [&](extents at) {
        at[a] = x.shape[a] - 1 - at[a];
        return at;
      }));
    } else if (name == "roll") {  // :axis:shift
      const dense x = pop();
      const std::size_t a = axis_of(number_of(0), x.shape.size());
      stack.push_back(seen(x, x.shape, [&](extents at) {
        const bl_index n = x.shape[a];
        at[a] = ((at[a] - number_of(1)) % n + n) % n;
        return at;
      }));
    } else if (name == "select") {  // :axis:at
      const dense x = pop();
      const std::size_t a = axis_of(number_of(0), x.shape.size());
      const bl_index i = number_of(1) < 0 ? number_of(1) + x.shape[a] : number_of(1);
      extents shape = x.shape;
      shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(a));
      stack.push_back(seen(x, shape, [&](extents at) {
        at.insert(at.begin() + static_cast<std::ptrdiff_t>(a), i);
        return at;
      }));
    } else if (name == "strided") {  // :axis:first:step:count, what a range or narrow selects
      const dense x = pop();
      const std::size_t a = axis_of(number_of(0), x.shape.size());
      extents shape = x.shape;
      shape[a] = number_of(3);
      stack.push_back(seen(x, shape, [&](extents at) {
        at[a] = number_of(1) + at[a] * number_of(2);
        return at;
      }));
    } else if (name == "diagonal") {  // :shift, of the first two axes
      const dense x = pop();
      const bl_index shift = number_of(0);
      const bl_index n = std::min(x.shape[0] - (shift < 0 ? -shift : 0), x.shape[1] - (shift > 0 ? shift : 0));
      extents shape(x.shape.begin() + 2, x.shape.end());
      shape.push_back(std::max<bl_index>(n, 0));
      stack.push_back(seen(x, shape, [&](const extents& at) {
        extents from{at.back() + (shift < 0 ? -shift : 0), at.back() + (shift > 0 ? shift : 0)};
        from.insert(from.end(), at.begin(), at.end() - 1);
        return from;
      }));
    } else if (name == "windows") {  // :axis:size:step
      const dense x = pop();
      const std::size_t a = axis_of(number_of(0), x.shape.size());
      extents shape = x.shape;
      shape[a] = (x.shape[a] - number_of(1)) / number_of(2) + 1;
      shape.push_back(number_of(1));
      stack.push_back(seen(x, shape, [&](extents at) {
        at[a] = at[a] * number_of(2) + at.back();
        at.pop_back();
        return at;
      }));
    } else if (name == "pad") {  // :axis:before:after, with zeros
      const dense x = pop();
      const std::size_t a = axis_of(number_of(0), x.shape.size());
      extents shape = x.shape;
      shape[a] += number_of(1) + number_of(2);
      stack.push_back(seen(x, shape, [&](extents at) {
        at[a] -= number_of(1);
        return at[a] < 0 || at[a] >= x.shape[a] ? outside : at;
      }));
    } else if (name == "triu" || name == "tril") {
      const dense x = pop();
      const std::size_t r = x.shape.size();
      stack.push_back(seen(x, x.shape, [&](const extents& at) {
        const bl_index beyond = at[r - 1] - at[r - 2] - number_of(0);
        return (name == "triu" ? beyond >= 0 : beyond <= 0) ? at : outside;
      }));
    } else if (name == "interleave") {  // :axis:times
      const dense x = pop();
      const std::size_t a = axis_of(number_of(0), x.shape.size());
      extents shape = x.shape;
      shape[a] *= number_of(1);
      stack.push_back(seen(x, shape, [&](extents at) {
        at[a] /= number_of(1);
        return at;
      }));
    } else if (name == "cat") {  // :axis, of two
      const dense y = pop(), x = pop();
      const dtype t = promote({&x, &y});
      const dense p = converted(x, t), q = converted(y, t);
      const std::size_t a = axis_of(number_of(0), x.shape.size());
      extents shape = p.shape;
      shape[a] += q.shape[a];
      dense r = make_dense(t, shape);
      const auto size = static_cast<std::size_t>(size_of(t));
      each_index(shape, [&](bl_index k, extents at) {
        const dense& from = at[a] < p.shape[a] ? p : q;
        if (&from == &q) at[a] -= p.shape[a];
        std::memcpy(r.bytes.data() + static_cast<std::size_t>(k) * size,
                    from.bytes.data() + static_cast<std::size_t>(offset_in(from.shape, at)) * size, size);
      });
      stack.push_back(r);
    } else if (name == "gather") {  // :axis; the index is on top
      const dense i = converted(pop(), dtype::i64), x = pop();
      const std::size_t a = axis_of(number_of(0), x.shape.size());
      stack.push_back(seen(x, i.shape, [&](extents at) {
        at[a] = static_cast<bl_index>(i.as<std::int64_t>()[offset_in(i.shape, at)]);
        return at;
      }));
    } else if (name == "index_select") {  // :axis
      const dense i = converted(pop(), dtype::i64), x = pop();
      const std::size_t a = axis_of(number_of(0), x.shape.size());
      extents shape = x.shape;
      shape[a] = i.shape[0];
      stack.push_back(seen(x, shape, [&](extents at) {
        at[a] = static_cast<bl_index>(i.as<std::int64_t>()[at[a]]);
        return at;
      }));
    } else if (name == "call") {  // a callable of the tests, of one operand
      const dense x = pop();
      stack.push_back(with_type(x.type, [&]<class T>(type<T>) -> dense {
        if constexpr (std::is_floating_point_v<T>)
          return mapped<T, T>([](T v) { return v < T(0) ? v * T(-0.5) : v; }, x);
        else
          unknown("a callable of this type");
      }));
    } else {
      unknown(name);
    }
    if (!operands.empty()) watcher(o, given, operands, stack.back());
  }
  dense result = pop();
  if (!stack.empty()) throw std::logic_error("operands are left over");
  return result;
}

}  // namespace fuzz
