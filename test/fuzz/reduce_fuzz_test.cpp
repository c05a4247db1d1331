// Reductions and running ones over any axes of arrays that lie in memory in any way, as they are, multiplied by others,
// and read at positions; on few threads and many; compared with plain loops. Elements are small whole numbers, so
// every order of additions gives the same.
// Build: uninstrumented
#include <boost/test/unit_test.hpp>

#include "memory.hpp"

namespace bl = broadloom;

namespace {

using fuzz::choices;
using fuzz::each;
using fuzz::extents;
using fuzz::index;
using fuzz::memory;
using fuzz::outcome;
using fuzz::region;
using fuzz::wrapped_product;
using fuzz::wrapped_sum;

// Extents of few elements or, one case in ten, of many: whole strips, blocks and shares of threads.
extents draw_shape(choices& c, int rank) {
  constexpr index sizes[] = {1, 2, 3, 5, 8, 17, 33, 64, 130, 300, 515, 1030, 2100, 9000, 40000};
  index room = c.chance(10) ? 60000 : 3000;
  extents e;
  for (int a = 0; a < rank; ++a) {
    std::uint64_t fit = 0;
    while (fit < std::size(sizes) && sizes[fit] <= room) ++fit;
    e.push_back(c.chance(60) ? 0 : sizes[c.below(fit)]);
    room /= std::max<index>(e.back(), 1);
  }
  for (std::size_t k = e.size(); k > 1; --k) std::swap(e[k - 1], e[k - 1 - c.below(k)]);
  return e;
}
index product(const extents& e) {
  index n = 1;
  for (const index x : e) n *= x;
  return n;
}

// What an element of the operand is made of.
enum class operand { plain, with_number, times, selected };

template <class T>
using sum_type = std::conditional_t<std::is_floating_point_v<T>, T, std::int64_t>;

// The reductions: how the library is called, and one step of a plain loop.
struct sum_of {
  static constexpr const char* name = "sum";
  static constexpr bool of_none = true;
  template <class T>
  using result = sum_type<T>;
  static auto call(const auto& x, auto... axes) { return bl::sum(x, axes...); }
  template <class R, class T>
  static R step(R all, T x, index, T) {
    return wrapped_sum(all, static_cast<R>(x));
  }
  static constexpr int empty = 0;
};
struct product_of {
  static constexpr const char* name = "prod";
  static constexpr bool of_none = true;
  template <class T>
  using result = sum_type<T>;
  static auto call(const auto& x, auto... axes) { return bl::prod(x, axes...); }
  template <class R, class T>
  static R step(R all, T x, index, T) {
    return wrapped_product(all, static_cast<R>(x));
  }
  static constexpr int empty = 1;
};
template <bool Largest>
struct min_or_max_of {
  static constexpr const char* name = Largest ? "amax" : "amin";
  static constexpr bool of_none = false;
  template <class T>
  using result = T;
  static auto call(const auto& x, auto... axes) {
    if constexpr (Largest)
      return bl::amax(x, axes...);
    else
      return bl::amin(x, axes...);
  }
  template <class R, class T>
  static R step(R all, T x, index k, T) {
    return k == 0 || (Largest ? all < x : x < all) ? x : all;
  }
  static constexpr int empty = 0;
};
template <bool Any>
struct truth_of {
  static constexpr const char* name = Any ? "any" : "all";
  static constexpr bool of_none = true;
  template <class T>
  using result = bool;
  static auto call(const auto& x, auto... axes) {
    if constexpr (Any)
      return bl::any(x, axes...);
    else
      return bl::all(x, axes...);
  }
  template <class R, class T>
  static R step(R all, T x, index, T) {
    return Any ? all || x != T(0) : all && x != T(0);
  }
  static constexpr int empty = Any ? 0 : 1;
};
template <bool Largest>
struct position_of {
  static constexpr const char* name = Largest ? "argmax" : "argmin";
  static constexpr bool of_none = false;
  template <class T>
  using result = std::int64_t;
  static auto call(const auto& x, auto... axes) {
    if constexpr (Largest)
      return bl::argmax(x, axes...);
    else
      return bl::argmin(x, axes...);
  }
  template <class R, class T>
  static R step(R all, T x, index k, T best) {
    return k == 0 || (Largest ? best < x : x < best) ? k : all;
  }
  static constexpr int empty = 0;
};

// An operand of the case: its memory, and its elements by plain indexing.
template <class T>
struct input {
  memory<T> of_x, of_y;
  memory<std::int64_t> positions;
  extents e;
  region x, y, at;
  std::size_t axis;
  operand how;

  input(choices& c, const extents& shape, operand form)
      : of_x(c, 2 * product(shape) + 64),
        of_y(c, 2 * product(shape) + 64),
        positions(c, 0),
        e(shape),
        axis(0),
        how(form) {
    extents own = e;
    if (how == operand::selected) {
      axis = c.below(e.size());
      const index n = std::max<index>(e[axis], 1);
      own[axis] = c.chance(2) ? n : c.between<index>(1, n);
      positions = memory<std::int64_t>(c, 2 * e[axis] + 8);
      at = fuzz::draw_region(c, {e[axis]}, positions.size(), false);
      auto v = c.values();
      std::int64_t* const data = positions.data();
      each(at.e, [&](const extents& i) {
        const auto p = static_cast<index>(v.bits().below(static_cast<std::uint64_t>(own[axis])));
        data[at.at(i)] = v.bits().below(4) == 0 ? p - own[axis] : p;
      });
      positions.accept();
    }
    x = fuzz::draw_region(c, own, of_x.size(), true);
    extents others = e;
    for (index& n : others)
      if (c.chance(3)) n = 1;
    y = fuzz::draw_region(c, others, of_y.size(), true);
    c.note("x ", fuzz::shown(x));
    if (how == operand::times) c.note("y ", fuzz::shown(y));
    if (how == operand::selected) c.note("positions along axis ", axis, " ", fuzz::shown(at));
  }
  T operator()(extents i) const {
    switch (how) {
      case operand::with_number: return static_cast<T>(of_x.before(x.at(i)) + T(1));
      case operand::times: return static_cast<T>(of_x.before(x.at(i)) * of_y.before(y.at_broadcast(i)));
      case operand::selected: {
        const index p = positions.before(at.offset + i[axis] * at.s[0]);
        i[axis] = p < 0 ? p + x.e[axis] : p;
        break;
      }
      default: break;
    }
    return of_x.before(x.at(i));
  }
  // f(tree), of this operand.
  template <int R, operand Form, class F>
  void with_tree(const F& f) {
    const auto a = of_x.template reading<R>(x);
    if constexpr (Form == operand::plain)
      f(a);
    else if constexpr (Form == operand::with_number)
      f(a + T(1));
    else if constexpr (Form == operand::times)
      f(a * of_y.template reading<R>(y));
    else
      f(bl::take(a, positions.template reading<1>(at), static_cast<index>(axis)));
  }
};

constexpr int threads_of(bool several) { return several ? 3 : 1; }

// One reduction over Named axes of R, or over all where Named is R.
template <class Op, class T, int R, int Named, operand Form>
void reduce(choices& c) {
  using result = typename Op::template result<T>;
  const extents e = draw_shape(c, R);
  input<T> in(c, e, Form);
  std::vector<std::size_t> order(static_cast<std::size_t>(R));
  for (std::size_t a = 0; a < order.size(); ++a) order[a] = a;
  for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[k - 1 - c.below(k)]);
  std::vector<bool> gone(static_cast<std::size_t>(R), false);
  for (std::size_t k = 0; k < static_cast<std::size_t>(Named); ++k) gone[order[k]] = true;
  extents kept, along;
  for (std::size_t a = 0; a < e.size(); ++a) (gone[a] ? along : kept).push_back(e[a]);
  memory<result> to(c, 2 * product(kept) + 64);
  const region out = fuzz::draw_region(c, kept, to.size(), false);
  const int threads = threads_of(c.chance(3));
  c.note(Op::name, " of axes of extents ", fuzz::shown(along), " to ", fuzz::shown(out), ", threads ", threads);

  bool none = false;
  for (const index n : along) none = none || n == 0;
  const bool refused = none && !Op::of_none;
  if (!refused)
    each(kept, [&](const extents& k) {
      result all = static_cast<result>(Op::empty);
      T best{};
      index count = 0;
      extents i(e.size());
      each(along, [&](const extents& l) {
        for (std::size_t a = 0, m = 0, n = 0; a < e.size(); ++a) i[a] = gone[a] ? l[m++] : k[n++];
        const T x = in(i);
        const result next = Op::template step<result, T>(all, x, count, best);
        if (count == 0 || next != all) best = x;
        all = next;
        ++count;
      });
      to.model(out.at(k)) = all;
    });
  fuzz::compare(
      Op::name, refused ? outcome::shape_error : outcome::writes,
      [&] {
        in.template with_tree<R, Form>([&](const auto& tree) {
          const auto how = bl::par.threads(threads);
          const auto axis = [&](std::size_t k) { return static_cast<index>(order[k]) - (k % 2 == 0 ? 0 : R); };
          const auto o = to.template view<R - Named>(out);
          if constexpr (Named == R)
            bl::assign(o, Op::call(tree), how);
          else if constexpr (Named == 1)
            bl::assign(o, Op::call(tree, axis(0)), how);
          else
            bl::assign(o, Op::call(tree, axis(0), axis(1)), how);
        });
      },
      to);
}

template <class Op, class T, operand Form>
void reduce_any(choices& c) {
  constexpr bool one_axis = std::is_same_v<Op, position_of<true>> || std::is_same_v<Op, position_of<false>>;
  switch (c.below(7)) {
    case 0: return reduce<Op, T, 1, 1, Form>(c);
    case 1: return reduce<Op, T, 2, 1, Form>(c);
    case 2: return reduce<Op, T, 2, 2, Form>(c);
    case 3: return reduce<Op, T, 3, 1, Form>(c);
    case 4: return one_axis ? reduce<Op, T, 3, 3, Form>(c) : reduce<Op, T, 3, one_axis ? 1 : 2, Form>(c);
    case 5: return reduce<Op, T, 4, 1, Form>(c);
    default: return one_axis ? reduce<Op, T, 4, 4, Form>(c) : reduce<Op, T, 4, one_axis ? 1 : 2, Form>(c);
  }
}

// The first index stays as it is; each other one is combined with those before it.
template <bool Sum, class T, int R, operand Form>
void scan(choices& c) {
  using result = sum_type<T>;
  const extents e = draw_shape(c, R);
  input<T> in(c, e, Form);
  const std::size_t axis = c.below(static_cast<std::uint64_t>(R));
  memory<result> to(c, 2 * product(e) + 64);
  const region out = fuzz::draw_region(c, e, to.size(), false);
  const int threads = threads_of(c.chance(3));
  c.note(Sum ? "cumsum" : "cumprod", " along axis ", axis, " to ", fuzz::shown(out), ", threads ", threads);
  extents others = e;
  others[axis] = std::min<index>(e[axis], 1);
  each(others, [&](extents i) {
    result all = Sum ? 0 : 1;
    for (index k = 0; k < e[axis]; ++k) {
      i[axis] = k;
      const auto x = static_cast<result>(in(i));
      all = Sum ? wrapped_sum(all, x) : wrapped_product(all, x);
      to.model(out.at(i)) = all;
    }
  });
  fuzz::compare(
      "scan", outcome::writes,
      [&] {
        in.template with_tree<R, Form>([&](const auto& tree) {
          const auto how = bl::par.threads(threads);
          const auto o = to.template view<R>(out);
          if constexpr (Sum)
            bl::assign(o, bl::cumsum(tree, static_cast<index>(axis)), how);
          else
            bl::assign(o, bl::cumprod(tree, static_cast<index>(axis)), how);
        });
      },
      to);
}
template <bool Sum, class T, operand Form>
void scan_any(choices& c) {
  switch (c.below(4)) {
    case 0: return scan<Sum, T, 1, Form>(c);
    case 1: return scan<Sum, T, 2, Form>(c);
    case 2: return scan<Sum, T, 3, Form>(c);
    default: return scan<Sum, T, 4, Form>(c);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_fuzz)

BOOST_AUTO_TEST_CASE(sums) {
  fuzz::check("sums", 1500, [](choices& c) {
    switch (c.below(6)) {
      case 0: return reduce_any<sum_of, float, operand::plain>(c);
      case 1: return reduce_any<sum_of, std::int32_t, operand::with_number>(c);
      case 2: return reduce_any<sum_of, float, operand::times>(c);
      case 3: return reduce_any<sum_of, float, operand::selected>(c);
      case 4: return reduce_any<product_of, std::int64_t, operand::plain>(c);
      default: return reduce_any<product_of, std::uint8_t, operand::times>(c);
    }
  });
}

BOOST_AUTO_TEST_CASE(extremes) {
  fuzz::check("extremes", 1500, [](choices& c) {
    switch (c.below(6)) {
      case 0: return reduce_any<min_or_max_of<true>, float, operand::plain>(c);
      case 1: return reduce_any<min_or_max_of<false>, float, operand::times>(c);
      case 2: return reduce_any<min_or_max_of<true>, std::int16_t, operand::plain>(c);
      case 3: return reduce_any<min_or_max_of<false>, std::uint8_t, operand::selected>(c);
      case 4: return reduce_any<truth_of<true>, float, operand::plain>(c);
      default: return reduce_any<truth_of<false>, std::int32_t, operand::with_number>(c);
    }
  });
}

BOOST_AUTO_TEST_CASE(positions) {
  fuzz::check("positions", 1000, [](choices& c) {
    switch (c.below(4)) {
      case 0: return reduce_any<position_of<true>, float, operand::plain>(c);
      case 1: return reduce_any<position_of<false>, float, operand::times>(c);
      case 2: return reduce_any<position_of<true>, std::int32_t, operand::with_number>(c);
      default: return reduce_any<position_of<false>, std::uint8_t, operand::plain>(c);
    }
  });
}

BOOST_AUTO_TEST_CASE(scans) {
  fuzz::check("scans", 1000, [](choices& c) {
    switch (c.below(4)) {
      case 0: return scan_any<true, float, operand::plain>(c);
      case 1: return scan_any<true, std::int32_t, operand::times>(c);
      case 2: return scan_any<false, std::int64_t, operand::plain>(c);
      default: return scan_any<true, double, operand::with_number>(c);
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()
