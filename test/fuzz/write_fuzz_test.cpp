// Everything that writes element by element: assignment, in-place forms, assign_all, copies, masks and maps, to views
// of any strides, from sources that may lie in the same memory; compared with plain loops.
// Build: sanitizers-alone
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

constexpr index room = 150;

// What T makes of a sum or a product that wraps.
template <class T>
T wrapped(double x) {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(x);
  else if constexpr (std::is_same_v<T, bool>)
    return x != 0;
  else
    return static_cast<T>(static_cast<long long>(x));
}

bl::policy draw_policy(choices& c) {
  switch (c.below(3)) {
    case 0: return bl::par;
    case 1: return bl::seq;
    default: return bl::par.threads(2);
  }
}

// Sources of U for a destination of shape `to`: each form as what builds the library's expression, and as the element
// it has at an index.
using element_fn = std::function<double(const extents&)>;

template <int R, int S, class U, class Write>
void with_source(choices& c, memory<U>& from, const extents& to, outcome& wanted, const Write& write) {
  const region s = fuzz::draw_region(c, fuzz::draw_broadcast(c, to, S), from.size(), true);
  if (!fuzz::broadcasts_to(s.e, to)) wanted = outcome::shape_error;
  const auto a = from.template reading<S>(s);
  const auto x = [&from, s](const extents& i) { return static_cast<double>(from.before(s.at_broadcast(i))); };
  if (c.noting()) c.note("source ", fuzz::shown(s));
  const auto second = [&] {
    const region t = fuzz::draw_region(c, to, from.size(), true);
    if (c.noting()) c.note("second ", fuzz::shown(t));
    return t;
  };
  switch (c.below(6)) {
    case 0: return write([&] { return a; }, element_fn(x));
    case 1:
      if (c.noting()) c.note("s + 3");
      return write([&] { return a + 3; }, element_fn([x](const extents& i) { return x(i) + 3; }));
    case 2: {
      if (c.noting()) c.note("s * 2 - t");
      const region t = second();
      return write([&] { return a * 2 - from.template reading<R>(t); }, element_fn([x, &from, t](const extents& i) {
                     return x(i) * 2 - static_cast<double>(from.before(t.at(i)));
                   }));
    }
    case 3: {
      if (c.noting()) c.note("t + let(s * s)");
      const region t = second();
      return write([&] { return from.template reading<R>(t) + bl::let(a * a); },
                   element_fn([x, &from, t](const extents& i) {
                     return static_cast<double>(from.before(t.at(i))) + x(i) * x(i);
                   }));
    }
    case 4:
      if constexpr (S > 0 && std::is_floating_point_v<U>) {
        const auto axis = static_cast<std::size_t>(c.below(S));
        if (c.noting()) c.note("s - sum(s, ", axis, ", keepdim)");
        if (!fuzz::broadcasts_to(s.e, to)) return write([&] { return a; }, element_fn(x));
        return write([&] { return a - bl::cast<U>(bl::sum(a, static_cast<index>(axis), bl::keepdim)); },
                     element_fn([x, &from, s, axis](const extents& i) {
                       extents at(i.end() - S, i.end());
                       for (std::size_t k = 0; k < at.size(); ++k)
                         if (s.e[k] == 1) at[k] = 0;
                       double sum = 0;
                       for (at[axis] = 0; at[axis] < s.e[axis]; ++at[axis])
                         sum += static_cast<double>(from.before(s.at(at)));
                       return x(i) - sum;
                     }));
      }
      [[fallthrough]];
    default:
      if constexpr (S > 0) {
        // the same elements, seen in another order
        const auto axis = static_cast<index>(c.below(S));
        if (c.noting()) c.note("flip(s, ", axis, ")");
        return write([&] { return bl::flip(a, axis); }, element_fn([&from, s, axis](const extents& i) {
                       extents at(i.end() - S, i.end());
                       for (std::size_t d = 0; d < at.size(); ++d)
                         if (s.e[d] == 1) at[d] = 0;
                       const auto k = static_cast<std::size_t>(axis);
                       at[k] = s.e[k] - 1 - at[k];
                       return static_cast<double>(from.before(s.at(at)));
                     }));
      }
      return write([&] { return a; }, element_fn(x));
  }
}

// The destination's region, now and then one that is refused: elements that are one in memory.
region draw_target(choices& c, const extents& e, index n, outcome& wanted) {
  region r = fuzz::draw_region(c, e, n, false);
  if (!e.empty() && c.chance(24)) {
    r.s[c.below(e.size())] = 0;
    bool shared = false;
    for (std::size_t a = 0; a < e.size(); ++a) shared = shared || (r.s[a] == 0 && e[a] > 1);
    if (shared && r.size() > 0) wanted = outcome::shape_error;
  }
  if (c.noting()) c.note("destination ", fuzz::shown(r));
  return r;
}

// f(destination as a view) for each kind of view that has such strides.
template <int R, class T, class F>
void with_target(choices& c, memory<T>& to, const region& r, const F& f) {
  if (r.row_major() && c.chance(2)) return f(to.template row_major<R>(r));
  return f(to.template view<R>(r));
}

// out = e, in one of its spellings.
template <int R, int S, class T, class U>
void assign(choices& c, memory<T>& to, memory<U>& from) {
  outcome wanted = outcome::writes;
  const extents e = fuzz::draw_extents(c, R, 5);
  const region r = draw_target(c, e, to.size(), wanted);
  with_source<R, S>(c, from, e, wanted, [&](const auto& source, const element_fn& x) {
    each(e, [&](const extents& i) {
      if (wanted == outcome::writes) to.model(r.at(i)) = wrapped<T>(x(i));
    });
    with_target<R>(c, to, r, [&](const auto& out) {
      switch (c.below(3)) {
        case 0: {
          const bl::policy how = draw_policy(c);
          return fuzz::compare("assign", wanted, [&] { bl::assign(out, source(), how); }, to);
        }
        case 1: return fuzz::compare("view =", wanted, [&] { out = source(); }, to);
        default: return fuzz::compare("copy_", wanted, [&] { bl::copy_(out, source()); }, to);
      }
    });
  });
}

// In-place forms.
template <int R, int S, class T>
void in_place(choices& c, memory<T>& to, memory<T>& from) {
  outcome wanted = outcome::writes;
  const extents e = fuzz::draw_extents(c, R, 5);
  const region r = draw_target(c, e, to.size(), wanted);
  with_source<R, S>(c, from, e, wanted, [&](const auto& source, const element_fn& x) {
    const auto form = c.below(6);
    const region second = fuzz::draw_region(c, e, from.size(), true);
    each(e, [&](const extents& i) {
      if (wanted != outcome::writes) return;
      const auto old = static_cast<double>(to.before(r.at(i)));
      const double y = static_cast<double>(wrapped<T>(x(i)));
      const double z = static_cast<double>(from.before(second.at(i)));
      to.model(r.at(i)) = wrapped<T>(form == 0   ? old + y
                                     : form == 1 ? old - y
                                     : form == 2 ? old * y
                                     : form == 3 ? std::max(old, y)
                                     : form == 4 ? old + y * z
                                                 : old + 2 * y);
    });
    with_target<R>(c, to, r, [&](const auto& out) {
      switch (form) {
        case 0: return fuzz::compare("+=", wanted, [&] { out += source(); }, to);
        case 1: return fuzz::compare("-=", wanted, [&] { out -= source(); }, to);
        case 2: return fuzz::compare("*=", wanted, [&] { out *= source(); }, to);
        case 3: return fuzz::compare("maximum_", wanted, [&] { bl::maximum_(out, source()); }, to);
        case 4:
          return fuzz::compare(
              "addcmul_", wanted, [&] { bl::addcmul_(out, source(), from.template reading<R>(second)); }, to);
        default: return fuzz::compare("add_ with alpha", wanted, [&] { bl::add_(out, source(), 2); }, to);
      }
    });
  });
}

// Two outputs that may overlap: both see what was there before, and the later one's elements remain.
template <int R, int S, class T>
void assign_all(choices& c, memory<T>& to, memory<T>& from) {
  outcome wanted = outcome::writes;
  const extents e1 = fuzz::draw_extents(c, R, 5), e2 = c.chance(2) ? fuzz::draw_extents(c, R, 5) : e1;
  const region r1 = draw_target(c, e1, to.size(), wanted), r2 = draw_target(c, e2, to.size(), wanted);
  with_source<R, S>(c, from, e1, wanted, [&](const auto& first, const element_fn& x) {
    const region s = fuzz::draw_region(c, e2, to.size(), true);
    if (c.noting()) c.note("the other's source ", fuzz::shown(s), " * 3");
    if (wanted == outcome::writes) {
      each(e1, [&](const extents& i) { to.model(r1.at(i)) = wrapped<T>(x(i)); });
      each(e2, [&](const extents& i) { to.model(r2.at(i)) = wrapped<T>(static_cast<double>(to.before(s.at(i))) * 3); });
    }
    const bl::policy how = draw_policy(c);
    fuzz::compare(
        "assign_all", wanted,
        [&] {
          bl::assign_all(bl::to(to.template view<R>(r1), first()),
                         bl::to(to.template view<R>(r2), to.template reading<R>(s) * 3), how);
        },
        to);
  });
}

// Numbers.
template <int R, class T>
void numbers(choices& c, memory<T>& to) {
  outcome wanted = outcome::writes;
  const extents e = fuzz::draw_extents(c, R, 5);
  const region r = draw_target(c, e, to.size(), wanted);
  const auto x = static_cast<int>(c.below(8));
  const bool adds = c.chance(2);
  each(e, [&](const extents& i) {
    if (wanted == outcome::writes)
      to.model(r.at(i)) = wrapped<T>((adds ? static_cast<double>(to.before(r.at(i))) : 0) + x);
  });
  with_target<R>(c, to, r, [&](const auto& out) {
    if (adds)
      fuzz::compare("+= number", wanted, [&] { out += x; }, to);
    else
      fuzz::compare("= number", wanted, [&] { bl::assign(out, x); }, to);
  });
}

// Masks, and callables.
template <int R, int S, class T>
void masks(choices& c, memory<T>& to, memory<T>& from, memory<bool>& flags) {
  outcome wanted = outcome::writes;
  const extents e = fuzz::draw_extents(c, R, 5);
  const region r = draw_target(c, e, to.size(), wanted);
  const region m = fuzz::draw_region(c, fuzz::draw_broadcast(c, e, S), flags.size(), true);
  const auto mask = flags.template reading<S>(m);
  const bool fits = fuzz::broadcasts_to(m.e, e);
  const auto out = to.template view<R>(r);
  if (c.noting()) c.note("mask ", fuzz::shown(m));
  switch (c.below(4)) {
    case 0: {
      if (!fits) wanted = outcome::shape_error;
      const region single = fuzz::draw_region(c, {}, from.size(), true);
      const bool is_array = c.chance(2);
      const T value = is_array ? from.before(single.offset) : T(5);
      if (wanted == outcome::writes)
        each(e, [&](const extents& i) {
          if (flags.before(m.at_broadcast(i))) to.model(r.at(i)) = value;
        });
      return fuzz::compare(
          "masked_fill_", wanted,
          [&] {
            if (is_array)
              bl::masked_fill_(out, mask, from.template reading<0>(single));
            else
              bl::masked_fill_(out, mask, 5);
          },
          to);
    }
    case 1: {
      const region s = fuzz::draw_region(c, fuzz::draw_extents(c, 2, 6), from.size(), true);
      if (c.noting()) c.note("values ", fuzz::shown(s));
      if (!fits) wanted = outcome::shape_error;
      std::vector<T> list;
      each(s.e, [&](const extents& i) { list.push_back(from.before(s.at(i))); });
      std::size_t next = 0;
      if (wanted == outcome::writes)
        each(e, [&](const extents& i) {
          if (!flags.before(m.at_broadcast(i))) return;
          if (next < list.size()) to.model(r.at(i)) = list[next];
          ++next;
        });
      if (next > list.size()) wanted = outcome::shape_error;
      return fuzz::compare(
          "masked_scatter_", wanted, [&] { bl::masked_scatter_(out, mask, from.template reading<2>(s)); }, to);
    }
    case 2: {
      const region s = fuzz::draw_region(c, fuzz::draw_broadcast(c, e, S), from.size(), true);
      if (c.noting()) c.note("source ", fuzz::shown(s));
      if (!fuzz::broadcasts_to(s.e, e)) wanted = outcome::shape_error;
      if (wanted == outcome::writes)
        each(e, [&](const extents& i) {
          to.model(r.at(i)) =
              wrapped<T>(static_cast<double>(to.before(r.at(i))) - static_cast<double>(from.before(s.at_broadcast(i))));
        });
      const bl::policy how = draw_policy(c);
      return fuzz::compare(
          "map_", wanted,
          [&] {
            bl::map_(out, from.template reading<S>(s), [](T a, T b) { return wrapped<T>(double(a) - double(b)); }, how);
          },
          to);
    }
    default: {
      // where the mask is true, the elements themselves, read through the mask's shape
      if (!fits) wanted = outcome::shape_error;
      const region s = fuzz::draw_region(c, e, from.size(), true);
      if (wanted == outcome::writes)
        each(e, [&](const extents& i) {
          if (!flags.before(m.at_broadcast(i))) to.model(r.at(i)) = from.before(s.at(i));
        });
      return fuzz::compare(
          "where", wanted, [&] { bl::assign(out, bl::where(mask, out, from.template reading<R>(s))); }, to);
    }
  }
}

// Outputs of static shapes, and operands too.
template <class Shape, class T>
void of_static_shape(choices& c, memory<T>& to) {
  constexpr int R = Shape::axes_count;
  extents e;
  for (int a = 0; a < R; ++a) e.push_back(Shape::static_extents[a]);
  region r{0, e, extents(R, 1)};
  for (std::size_t a = R; a-- > 1;) r.s[a - 1] = r.s[a] * e[a];
  r.offset = c.between<index>(0, to.size() - r.size());
  region s = r, t = r;
  s.offset = c.between<index>(0, to.size() - s.size());
  t.offset = c.between<index>(0, to.size() - 1);
  t.e.assign(R, 1);
  const bl::view<T, Shape, bl::row_major> out(to.data() + r.offset, Shape{}), x(to.data() + s.offset, Shape{});
  const bl::view<T, bl::shape<1>, bl::row_major> single(to.data() + t.offset, bl::shape<1>{});
  const auto old = [&](const region& of, const extents& i) {
    return static_cast<double>(to.before(of.at_broadcast(i)));
  };
  const auto form = c.below(4);
  if (c.noting()) c.note("static ", fuzz::shown(r), " from ", s.offset, " and ", t.offset, " form ", form);
  each(e, [&](const extents& i) {
    extents back = i;
    for (std::size_t a = 0; a < back.size(); ++a) back[a] = e[a] - 1 - i[a];
    to.model(r.at(i)) = wrapped<T>(form == 0   ? old(s, i)
                                   : form == 1 ? old(s, i) + old(r, i) * old(t, i)
                                   : form == 2 ? old(r, i) + old(t, i)
                                               : old(s, back) * 2);
  });
  fuzz::compare(
      "static", outcome::writes,
      [&] {
        switch (form) {
          case 0: out = x; break;
          case 1: out = x + out * single; break;
          case 2: out += single; break;
          default:
            if constexpr (R == 1)
              out = bl::flip(x, std::integral_constant<index, 0>{}) * 2;
            else
              out = bl::flip(x, std::integral_constant<index, 0>{}, std::integral_constant<index, 1>{}) * 2;
        }
      },
      to);
}

// Several calls, one after the other, on memory of their own and on a second one.
template <class T, class F>
void calls(choices& c, const F& one) {
  memory<T> to(c, room), other(c, room);
  for (auto n = c.below(8) + 1; n > 0; --n) {
    memory<T>& from = c.chance(2) ? other : to;
    if (c.noting())
      c.note("-- ", &from == &to ? "sources in the same memory" : "sources elsewhere", "; before: ", to.list());
    one(to, from);
    to.settle(c);
    other.settle(c);
  }
}

// Whole numbers take some of the ranks: every one of them is a second and a half of compile time.
template <class T>
void assignments(choices& c) {
  calls<T>(c, [&](memory<T>& to, memory<T>& from) {
    if constexpr (std::is_integral_v<T>) {
      switch (c.below(4)) {
        case 0: return assign<1, 1>(c, to, from);
        case 1: return assign<2, 1>(c, to, from);
        case 2: return assign<3, 3>(c, to, from);
        default: return numbers<2>(c, to);
      }
    } else {
      switch (c.below(10)) {
        case 0: return assign<1, 1>(c, to, from);
        case 1: return assign<2, 2>(c, to, from);
        case 2: return assign<2, 1>(c, to, from);
        case 3: return assign<3, 3>(c, to, from);
        case 4: return assign<0, 0>(c, to, from);
        case 5: return assign<3, 1>(c, to, from);
        case 6: return numbers<2>(c, to);
        case 7: return numbers<3>(c, to);
        case 8: return assign<4, 3>(c, to, from);
        default: return assign<1, 0>(c, to, from);
      }
    }
  });
}

template <class T>
void in_place_forms(choices& c) {
  calls<T>(c, [&](memory<T>& to, memory<T>& from) {
    if constexpr (std::is_integral_v<T>) {
      c.chance(2) ? in_place<2, 2>(c, to, from) : in_place<2, 1>(c, to, from);
    } else {
      switch (c.below(5)) {
        case 0: return in_place<1, 1>(c, to, from);
        case 1: return in_place<2, 2>(c, to, from);
        case 2: return in_place<2, 1>(c, to, from);
        case 3: return in_place<3, 3>(c, to, from);
        default: return in_place<0, 0>(c, to, from);
      }
    }
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(write_fuzz)

BOOST_AUTO_TEST_CASE(assignments_of_f32) { fuzz::check("assignments_of_f32", 1500, assignments<float>); }
BOOST_AUTO_TEST_CASE(assignments_of_i64) { fuzz::check("assignments_of_i64", 800, assignments<bl::index>); }
BOOST_AUTO_TEST_CASE(assignments_of_u8) { fuzz::check("assignments_of_u8", 800, assignments<unsigned char>); }

BOOST_AUTO_TEST_CASE(assignments_that_convert) {
  fuzz::check("assignments_that_convert", 800, [](choices& c) {
    memory<double> doubles(c, room);
    memory<int> ints(c, room);
    memory<bl::index> wide(c, room);
    for (auto n = c.below(8) + 1; n > 0; --n) {
      switch (c.below(4)) {
        case 0: assign<2, 2>(c, doubles, ints); break;
        case 1: assign<1, 1>(c, wide, ints); break;
        case 2: assign<2, 1>(c, ints, wide); break;
        default: assign<3, 2>(c, doubles, wide); break;
      }
      doubles.settle(c);
      ints.settle(c);
      wide.settle(c);
    }
  });
}

BOOST_AUTO_TEST_CASE(in_place_forms_of_f64) { fuzz::check("in_place_forms_of_f64", 1200, in_place_forms<double>); }
BOOST_AUTO_TEST_CASE(in_place_forms_of_i32) { fuzz::check("in_place_forms_of_i32", 800, in_place_forms<int>); }

BOOST_AUTO_TEST_CASE(several_outputs) {
  fuzz::check("several_outputs", 1000, [](choices& c) {
    calls<float>(c, [&](memory<float>& to, memory<float>& from) {
      c.chance(2) ? assign_all<1, 1>(c, to, from) : assign_all<2, 2>(c, to, from);
    });
  });
}

BOOST_AUTO_TEST_CASE(masks_and_maps) {
  fuzz::check("masks_and_maps", 1000, [](choices& c) {
    memory<bool> flags(c, room);
    calls<float>(c, [&](memory<float>& to, memory<float>& from) {
      switch (c.below(4)) {
        case 0: return masks<1, 1>(c, to, from, flags);
        case 1: return masks<2, 2>(c, to, from, flags);
        case 2: return masks<2, 1>(c, to, from, flags);
        default: return masks<3, 2>(c, to, from, flags);
      }
    });
  });
}

BOOST_AUTO_TEST_CASE(static_shapes) {
  fuzz::check("static_shapes", 1000, [](choices& c) {
    calls<float>(c, [&](memory<float>& to, memory<float>&) {
      switch (c.below(5)) {
        case 0: return of_static_shape<bl::shape<4>>(c, to);
        case 1: return of_static_shape<bl::shape<2, 3>>(c, to);
        case 2: return of_static_shape<bl::shape<17>>(c, to);
        case 3: return of_static_shape<bl::shape<1, 8>>(c, to);
        default: return of_static_shape<bl::shape<5, 4>>(c, to);
      }
    });
  });
}

BOOST_AUTO_TEST_CASE(so_many_writes_were_compared) {
  std::printf("fuzz: %llu calls that write were compared\n", static_cast<unsigned long long>(fuzz::compared));
  BOOST_TEST(fuzz::compared > 0U);
}

BOOST_AUTO_TEST_SUITE_END()
