// Everything that writes to positions: scatter and its kin, slices at positions, arrays of positions and masks in the
// call syntax; positions of any layout, in the memory that is written to too, and now and then out of bounds; compared
// with plain loops.
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

constexpr index room = 150;

// Positions: their memory, where they lie there, and what they are.
template <class I, class T>
struct positions {
  memory<I>& from;
  region r;
  index of(const extents& i) const { return static_cast<index>(from.before(r.at_broadcast(i))); }
};

// Fills a region with positions for an axis, most of them inside, and says whether all of them are.
template <class I, class T>
bool fill_positions(choices& c, const positions<I, T>& p, index extent, bool negative) {
  const bool strays = c.chance(8);
  auto v = c.values();
  bool inside = true;
  if (extent > 0)
    each(p.r.e, [&](const extents& i) {
      index x = static_cast<index>(v.bits().below(static_cast<std::uint64_t>(extent)));
      if (negative && v.bits().below(3) == 0) x -= extent;
      if (strays && v.bits().below(8) == 0) x = v.bits().below(2) == 0 ? extent + x : -extent - 1;
      p.from.set(p.r.at(i), static_cast<I>(x));
    });
  // Elements may be shared, so what was written last counts; and where no axis is, what was there.
  std::string list;
  each(p.r.e, [&](const extents& i) {
    const auto x = static_cast<index>(p.from.before(p.r.at(i)));
    inside = inside && x < extent && x >= (negative ? -extent : 0);
    if (c.noting()) list += " " + std::to_string(x);
  });
  if (c.noting()) c.note("positions ", fuzz::shown(p.r), ":", list);
  return inside;
}
index counted(index x, index extent) { return x < 0 ? x + extent : x; }

// f(memory of positions): of their own, or the destination's where the type is the same.
template <class I, class T, class F>
void with_positions(choices& c, memory<T>& to, const F& f) {
  if constexpr (std::is_same_v<I, T>)
    if (c.chance(2)) {
      if (c.noting()) c.note("positions in the memory that is written to");
      return f(to);
    }
  memory<I> own(c, room);
  f(own);
  own.compare("positions");
}

region draw_target(choices& c, const extents& e, index n) {
  const region r = fuzz::draw_region(c, e, n, false);
  if (c.noting()) c.note("destination ", fuzz::shown(r));
  return r;
}

enum class meets { put, add, mul, largest, smallest, mean };

// scatter_, scatter_add_ and scatter_reduce_.
template <int R, class T, class I>
void scatter(choices& c, memory<T>& to, memory<T>& from) {
  outcome wanted = outcome::writes;
  const region r = draw_target(c, fuzz::draw_extents(c, R, 5), to.size());
  const auto axis = static_cast<std::size_t>(c.below(R));
  extents e = r.e;  // of the index
  e[axis] = c.extent(6);
  for (std::size_t a = 0; a < R; ++a)
    if (c.chance(6)) e[a] = std::max<index>(e[a] - 1, 0);
  extents source = e;
  for (index& x : source)
    if (c.chance(6)) ++x;
  if (c.chance(24)) {
    const std::size_t a = c.below(R);
    (c.chance(2) ? e : source)[a] += 2;
  }
  const auto form = static_cast<meets>(c.below(6));
  const bool reduces = c.chance(2) && form != meets::put, with_self = !reduces || !c.chance(2);
  const bool plain = !reduces && c.chance(4);  // a number
  with_positions<I>(c, to, [&](memory<I>& at_memory) {
    const positions<I, T> p{at_memory, fuzz::draw_region(c, e, at_memory.size(), true)};
    const region s = fuzz::draw_region(c, source, from.size(), true);
    const bool inside = fill_positions(c, p, r.e[axis], false);
    for (std::size_t a = 0; a < R; ++a)
      if ((a != axis && e[a] > r.e[a]) || (!plain && e[a] > source[a])) wanted = outcome::shape_error;
    if (wanted == outcome::writes && !inside) wanted = outcome::index_error;
    if (c.noting())
      c.note("source ", fuzz::shown(s), " along ", axis, " form ", int(form), reduces ? " reduces" : "",
             with_self ? "" : " without self");
    const auto x = [&](const extents& i) { return plain ? T(3) : from.before(s.at(i)); };
    const auto where = [&](extents i) {
      i[axis] = p.of(i);
      return r.at(i);
    };
    const meets how = reduces ? form : form == meets::put ? meets::put : meets::add;
    if (wanted == outcome::writes) {
      std::vector<index> first, counts(static_cast<std::size_t>(to.size()), with_self ? 1 : 0);
      each(e, [&](const extents& i) {
        const index o = where(i);
        T& old = to.model(o);
        const bool begins = !with_self && counts[static_cast<std::size_t>(o)] == 0;
        ++counts[static_cast<std::size_t>(o)];
        if (begins || how == meets::put)
          old = x(i);
        else if (how == meets::add || how == meets::mean)
          old = wrapped_sum(old, x(i));
        else if (how == meets::mul)
          old = wrapped_product(old, x(i));
        else
          old = how == meets::largest ? std::max(old, x(i)) : std::min(old, x(i));
      });
      if (how == meets::mean)
        each(r.e, [&](const extents& i) {
          T& old = to.model(r.at(i));
          const index n = std::max<index>(counts[static_cast<std::size_t>(r.at(i))], 1);
          if constexpr (std::is_floating_point_v<T>)
            old = old / static_cast<T>(n);
          else  // rounded down
            old = static_cast<T>((static_cast<index>(old) - (static_cast<index>(old) % n + n) % n) / n);
        });
    }
    const auto out = to.template view<R>(r);
    const auto at = at_memory.template reading<R>(p.r);
    const auto values = from.template reading<R>(s);
    const auto along = static_cast<index>(axis);
    const auto reduce = [&](const auto& by) { bl::scatter_reduce_(out, along, at, values, by, with_self); };
    fuzz::compare(
        "scatter", wanted,
        [&] {
          if (!reduces && how == meets::put)
            plain ? void(bl::scatter_(out, along, at, 3)) : void(bl::scatter_(out, along, at, values));
          else if (!reduces)
            plain ? void(bl::scatter_add_(out, along, at, 3)) : void(bl::scatter_add_(out, along, at, values));
          else if (how == meets::add)
            reduce(bl::sum);
          else if (how == meets::mul)
            reduce(bl::prod);
          else if (how == meets::mean)
            reduce(bl::mean);
          else if (how == meets::largest)
            reduce(bl::amax);
          else
            reduce(bl::amin);
        },
        to);
  });
}

// index_add_, index_copy_ and index_fill_: slices at listed positions.
template <int R, class T, class I>
void slices(choices& c, memory<T>& to, memory<T>& from) {
  outcome wanted = outcome::writes;
  const region r = draw_target(c, fuzz::draw_extents(c, R, 5), to.size());
  const auto axis = static_cast<std::size_t>(c.below(R));
  const auto form = c.below(4);  // add, add with alpha, copy, fill
  extents e = r.e;
  const index n = c.extent(6);
  e[axis] = n;
  extents source = e;
  if (c.chance(24)) source[c.below(R)] += 1;
  with_positions<I>(c, to, [&](memory<I>& at_memory) {
    const positions<I, T> p{at_memory, fuzz::draw_region(c, {n}, at_memory.size(), true)};
    const region s = fuzz::draw_region(c, source, from.size(), true);
    if (c.noting()) c.note("source ", fuzz::shown(s), " along ", axis, " form ", form);
    const bool inside = fill_positions(c, p, r.e[axis], form == 3);
    if (form != 3 && source != e) wanted = outcome::shape_error;
    if (wanted == outcome::writes && !inside) wanted = outcome::index_error;
    if (wanted == outcome::writes)
      each(e, [&](const extents& i) {
        extents j = i;
        j[axis] = counted(p.of({i[axis]}), r.e[axis]);
        T& old = to.model(r.at(j));
        old = form == 3   ? T(7)
              : form == 2 ? from.before(s.at(i))
                          : wrapped_sum(old, wrapped_product(form == 1 ? T(2) : T(1), from.before(s.at(i))));
      });
    const auto out = to.template view<R>(r);
    const auto at = at_memory.template reading<1>(p.r);
    const auto values = from.template reading<R>(s);
    const auto along = static_cast<index>(axis);
    fuzz::compare(
        "slices at positions", wanted,
        [&] {
          if (form == 0)
            bl::index_add_(out, along, at, values);
          else if (form == 1)
            bl::index_add_(out, along, at, values, 2);
          else if (form == 2)
            bl::index_copy_(out, along, at, values);
          else
            bl::index_fill_(out, along, at, 7);
        },
        to);
  });
}

// put_along_dim: index and source broadcast.
template <int R, class T, class I>
void put_along(choices& c, memory<T>& to, memory<T>& from) {
  outcome wanted = outcome::writes;
  const region r = draw_target(c, fuzz::draw_extents(c, R, 5), to.size());
  const auto axis = static_cast<std::size_t>(c.below(R));
  extents e = r.e;
  e[axis] = c.extent(6);
  const extents own = [&] {
    extents x = fuzz::draw_broadcast(c, e, R);
    x[axis] = e[axis];
    return x;
  }();
  const extents source = fuzz::draw_broadcast(c, e, R);
  with_positions<I>(c, to, [&](memory<I>& at_memory) {
    const positions<I, T> p{at_memory, fuzz::draw_region(c, own, at_memory.size(), true)};
    const region s = fuzz::draw_region(c, source, from.size(), true);
    if (c.noting()) c.note("source ", fuzz::shown(s), " along ", axis);
    const bool inside = fill_positions(c, p, r.e[axis], true);
    if (!fuzz::broadcasts_to(own, e) || !fuzz::broadcasts_to(source, e)) wanted = outcome::shape_error;
    index reached = 1;
    for (index x : e) reached *= x;
    if (wanted == outcome::writes && !inside && reached > 0) wanted = outcome::index_error;
    if (wanted == outcome::writes)
      each(e, [&](const extents& i) {
        extents j = i;
        j[axis] = counted(p.of(i), r.e[axis]);
        to.model(r.at(j)) = from.before(s.at_broadcast(i));
      });
    fuzz::compare(
        "put_along_dim", wanted,
        [&] {
          bl::put_along_dim(to.template view<R>(r), at_memory.template reading<R>(p.r), from.template reading<R>(s),
                            static_cast<index>(axis));
        },
        to);
  });
}

// out(i), out(all, i), out(i, j), out(mask): assigned to, added to, and index_put_ with and without accumulation.
template <class T, class I>
void advanced(choices& c, memory<T>& to, memory<T>& from) {
  outcome wanted = outcome::writes;
  const region r = draw_target(c, fuzz::draw_extents(c, 2, 5), to.size());
  const auto form = c.below(4);      // (i), (all, i), (i, j), (range, i)
  const auto spelling = c.below(4);  // =, +=, index_put_, index_put_ that accumulates
  with_positions<I>(c, to, [&](memory<I>& at_memory) {
    const extents pe = fuzz::draw_extents(c, 1, 5);
    const positions<I, T> p{at_memory, fuzz::draw_region(c, pe, at_memory.size(), true)};
    memory<I> second(c, 16);
    const positions<I, T> q{second, fuzz::draw_region(c, {c.chance(2) ? pe[0] : 1}, second.size(), true)};
    bool inside = fill_positions(c, p, r.e[form == 0 || form == 2 ? 0 : 1], true);
    if (form == 2) inside = fill_positions(c, q, r.e[1], true) && inside;
    const index low = c.between<index>(0, r.e[0]), step = c.between<index>(1, 2);
    const index kept = low < r.e[0] ? (r.e[0] - low - 1) / step + 1 : 0;
    const index n = pe[0];
    const extents e = form == 0   ? extents{pe[0], r.e[1]}
                      : form == 1 ? extents{r.e[0], pe[0]}
                      : form == 2 ? extents{n}
                                  : extents{kept, pe[0]};
    const int rank = static_cast<int>(e.size());
    const region s = fuzz::draw_region(c, fuzz::draw_broadcast(c, e, rank), from.size(), true);
    if (c.noting())
      c.note("values ", fuzz::shown(s), " form ", form, " spelling ", spelling, " range ", low, " step ", step);
    // Positions are looked at whenever there are any; those of a slice, when it is built.
    if (!fuzz::broadcasts_to(s.e, e)) wanted = outcome::shape_error;
    if (wanted == outcome::writes && !inside) wanted = outcome::index_error;
    if (wanted == outcome::writes)
      each(e, [&](const extents& i) {
        extents j;
        if (form == 0)
          j = {counted(p.of({i[0]}), r.e[0]), i[1]};
        else if (form == 1)
          j = {i[0], counted(p.of({i[1]}), r.e[1])};
        else if (form == 2)
          j = {counted(p.of({i[0]}), r.e[0]), counted(q.of({i[0]}), r.e[1])};
        else
          j = {low + i[0] * step, counted(p.of({i[1]}), r.e[1])};
        const T x = from.before(s.at_broadcast(i));
        T& old = to.model(r.at(j));
        old = spelling == 0 || spelling == 2 ? x : wrapped_sum(spelling == 1 ? to.before(r.at(j)) : old, x);
      });
    const auto out = to.template view<2>(r);
    const auto at = at_memory.template reading<1>(p.r), at2 = second.template reading<1>(q.r);
    const auto write = [&](const auto& values, const auto&... i) {
      if (spelling == 0)
        out(i...) = values;
      else if (spelling == 1)
        out(i...) += values;
      else
        bl::index_put_(out, bl::indices(i...), values, spelling == 3);
    };
    const auto call = [&](const auto& values) {
      if constexpr (std::remove_cvref_t<decltype(values)>::shape_type::axes_count == 2) {
        if (form == 0)
          write(values, at);
        else if (form == 1)
          write(values, bl::all, at);
        else
          write(values, bl::range(low, bl::end, step), at);
      } else
        write(values, at, at2);
    };
    fuzz::compare(
        "array of positions", wanted,
        [&] { rank == 1 ? call(from.template reading<1>(s)) : call(from.template reading<2>(s)); }, to);
  });
}

// out(mask) = values.
template <class T>
void at_mask(choices& c, memory<T>& to, memory<T>& from, memory<bool>& flags) {
  outcome wanted = outcome::writes;
  const region r = draw_target(c, fuzz::draw_extents(c, 2, 5), to.size());
  const bool whole = !c.chance(2);  // a mask of both axes, or of the first
  extents me(r.e.begin(), r.e.begin() + (whole ? 2 : 1));
  if (c.chance(24)) ++me[0];
  const region m = fuzz::draw_region(c, me, flags.size(), true);
  std::vector<extents> set;
  each(me, [&](const extents& i) {
    if (flags.before(m.at(i))) set.push_back(i);
  });
  const extents e = whole ? extents{static_cast<index>(set.size())} : extents{static_cast<index>(set.size()), r.e[1]};
  const region s = fuzz::draw_region(c, fuzz::draw_broadcast(c, e, static_cast<int>(e.size())), from.size(), true);
  if (c.noting()) c.note("mask ", fuzz::shown(m), " values ", fuzz::shown(s));
  if (me[0] != r.e[0] || !fuzz::broadcasts_to(s.e, e)) wanted = outcome::shape_error;
  if (wanted == outcome::writes)
    each(e, [&](const extents& i) {
      extents j = set[static_cast<std::size_t>(i[0])];
      if (!whole) j.push_back(i[1]);
      to.model(r.at(j)) = from.before(s.at_broadcast(i));
    });
  const auto out = to.template view<2>(r);
  fuzz::compare(
      "mask", wanted,
      [&] {
        if (whole)
          out(flags.template reading<2>(m)) = from.template reading<1>(s);
        else
          out(flags.template reading<1>(m)) = from.template reading<2>(s);
      },
      to);
}

template <class T, class I>
void everything(choices& c) {
  memory<T> to(c, room), other(c, room);
  memory<bool> flags(c, room);
  for (auto n = c.below(8) + 1; n > 0; --n) {
    memory<T>& from = c.chance(2) ? other : to;
    if (c.noting())
      c.note("-- ", &from == &to ? "sources in the same memory" : "sources elsewhere", "; before: ", to.list());
    switch (c.below(8)) {
      case 0: scatter<1, T, I>(c, to, from); break;
      case 1: scatter<2, T, I>(c, to, from); break;
      case 2: scatter<3, T, I>(c, to, from); break;
      case 3: slices<2, T, I>(c, to, from); break;
      case 4: slices<1, T, I>(c, to, from); break;
      case 5: put_along<2, T, I>(c, to, from); break;
      case 6: advanced<T, I>(c, to, from); break;
      default: at_mask<T>(c, to, from, flags); break;
    }
    to.settle(c);
    other.settle(c);
  }
}

// As many elements as threads share, and as take the ways of near and of far memory.
template <class T>
void many(choices& c) {
  static constexpr index lengths[] = {1000, 33000, 140000};
  static constexpr index extents_of[] = {700, 40000, 400000};
  const index n = c.one_of(lengths), extent = c.one_of(extents_of);
  const auto form = c.below(3);
  const bool strays = c.chance(6);
  auto v = c.values();
  std::vector<T> out(static_cast<std::size_t>(extent)), x(static_cast<std::size_t>(n));
  std::vector<index> at(static_cast<std::size_t>(n));
  for (T& e : out) e = v.small<T>();
  for (T& e : x) e = v.small<T>();
  for (index& e : at) e = static_cast<index>(v.bits().below(static_cast<std::uint64_t>(extent)));
  if (strays) at[static_cast<std::size_t>(c.below(static_cast<std::uint64_t>(n)))] = extent;
  if (c.noting()) c.note(n, " elements to ", extent, " form ", form, strays ? ", one of them outside" : "");
  std::vector<T> wanted = out;
  if (!strays)
    for (std::size_t i = 0; i < at.size(); ++i) {
      T& old = wanted[static_cast<std::size_t>(at[i])];
      old = form == 0 ? x[i] : form == 1 ? wrapped_sum(old, x[i]) : std::max(old, x[i]);
    }
  const auto to = bl::from(out, bl::dshape<1>(extent));
  const auto i = bl::from(at, bl::dshape<1>(n));
  const auto s = bl::from(x, bl::dshape<1>(n));
  ++fuzz::compared;
  bool thrown = false;
  try {
    if (form == 0)
      bl::scatter_(to, 0, i, s);
    else if (form == 1)
      bl::index_add_(to, 0, i, s);
    else
      bl::scatter_reduce_(to, 0, i, s, bl::amax);
  } catch (const bl::index_error&) {
    thrown = true;
  }
  fuzz::require(thrown == strays, "a position outside was ", thrown ? "" : "not ", "found");
  for (std::size_t k = 0; k < out.size(); ++k)
    fuzz::require(out[k] == wanted[k], "element ", k, " is ", +out[k], ", not ", +wanted[k]);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(scatter_fuzz)

BOOST_AUTO_TEST_CASE(positions_of_i64_and_elements_of_f32) {
  fuzz::check("positions_of_i64_and_elements_of_f32", 1500, everything<float, bl::index>);
}
BOOST_AUTO_TEST_CASE(positions_and_elements_of_i64) {
  fuzz::check("positions_and_elements_of_i64", 1500, everything<bl::index, bl::index>);
}
BOOST_AUTO_TEST_CASE(positions_of_i32_and_elements_of_u8) {
  fuzz::check("positions_of_i32_and_elements_of_u8", 1000, everything<unsigned char, int>);
}
BOOST_AUTO_TEST_CASE(many_elements) { fuzz::check("many_elements", 40, many<float>); }
BOOST_AUTO_TEST_CASE(many_elements_of_a_byte) { fuzz::check("many_elements_of_a_byte", 40, many<unsigned char>); }

BOOST_AUTO_TEST_CASE(so_many_writes_were_compared) {
  std::printf("fuzz: %llu calls that write were compared\n", static_cast<unsigned long long>(fuzz::compared));
  BOOST_TEST(fuzz::compared > 0U);
}

BOOST_AUTO_TEST_SUITE_END()
