// One case of one generated tree: values of its variables, memory of its leaves, and the routes it is evaluated on.
#include "fuzz/session.hpp"

#include <broadloom/core/isa.hpp>
#include <broadloom/eval/scheduler.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <typeindex>
#include <unordered_set>

#include "fuzz/choices.hpp"
#include "fuzz/interpreter.hpp"

namespace fuzz {

namespace {

using bl::dtype;

tally counts;
std::unordered_set<std::type_index> types_seen;

dtype type_named(const std::string& name) {
  for (int t = 0; t <= static_cast<int>(dtype::c128); ++t)
    if (name == bl::to_string(static_cast<dtype>(t)) || (name == "b8" && t == 0)) return static_cast<dtype>(t);
  throw std::logic_error("no type is called " + name);
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
  return parts;
}

// Where the elements of a shape lie in memory, from the lowest address on.
struct geometry {
  extents strides;
  bl_index first = 0, span = 0;  // the first element's offset; how many elements of memory it takes
};

geometry row_major(const extents& shape) {
  geometry g{extents(shape.size(), 1), 0, count_of(shape)};
  for (std::size_t i = shape.size(); i-- > 1;) g.strides[i - 1] = g.strides[i] * std::max<bl_index>(shape[i], 1);
  return g;
}

// Any order of axes, gaps, both directions; of inputs, axes that do not move.
geometry any_geometry(choices& c, const extents& shape, bool may_repeat) {
  const auto way = c.below(4);
  if (way == 0) return row_major(shape);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < shape.size(); ++i) order.push_back(i);
  if (way == 1)
    std::reverse(order.begin(), order.end());
  else if (way == 2)
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[c.below(i)]);
  geometry g{extents(shape.size(), 0), 0, 1};
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::size_t a = order[i];
    const bl_index n = shape[a];
    if (n == 1) {
      g.strides[a] = c.between<bl_index>(-3, 3);  // of no consequence
      continue;
    }
    if (may_repeat && c.chance(10)) continue;
    const bl_index step = g.span * (c.chance(4) ? c.between<bl_index>(2, 3) : 1);
    g.strides[a] = step;
    g.span += step * std::max<bl_index>(n - 1, 0);
    if (c.chance(6)) {
      g.strides[a] = -step;
      g.first += step * std::max<bl_index>(n - 1, 0);
    }
    // Windows that overlap: the next axis begins inside.
    if (may_repeat && c.chance(15) && g.span > 1) g.span = c.between<bl_index>(1, g.span);
  }
  // The true span, for windows.
  g.span = 1;
  for (std::size_t a = 0; a < shape.size(); ++a)
    g.span += std::max<bl_index>(shape[a] - 1, 0) * std::abs(g.strides[a]) * (shape[a] > 1);
  if (count_of(shape) == 0) g.first = 0;
  return g;
}

struct buffer {
  dtype type = dtype::f32;
  std::vector<std::byte> now, original;
  std::size_t begin = 0;  // of the first element: not always aligned to vectors

  bl_index count() const {
    return static_cast<bl_index>((now.size() - begin) / static_cast<std::size_t>(size_of(type)));
  }
  std::byte* at(bl_index i) { return now.data() + begin + static_cast<std::ptrdiff_t>(i) * size_of(type); }
  const std::byte* original_at(bl_index i) const {
    return original.data() + begin + static_cast<std::ptrdiff_t>(i) * size_of(type);
  }
};

buffer make_buffer(choices& c, dtype type, bl_index count) {
  buffer b;
  b.type = type;
  const auto size = static_cast<std::size_t>(size_of(type));
  b.begin = c.below(8) * std::min<std::size_t>(size, 8);
  b.begin -= b.begin % (size == 16 ? 8 : size);
  b.now.resize(b.begin + static_cast<std::size_t>(count) * size);
  b.original = b.now;
  return b;
}

// kind: 0 small whole numbers, 1 between -2 and 2, 2 anything, 3 whole numbers of 1 to 8.
void fill(buffer& b, values v, std::uint64_t kind, bl_index bound) {
  const auto each = [&](auto* p) {
    using T = std::remove_pointer_t<decltype(p)>;
    for (bl_index i = 0; i < b.count(); ++i) {
      T x;
      if (bound > 0)
        x = static_cast<T>(v.bits().below(static_cast<std::uint64_t>(bound)));
      else if (kind == 0)
        x = v.small<T>();
      else if (kind == 3)
        x = static_cast<T>(1 + static_cast<int>(v.bits().below(8)));
      else if (kind == 2)
        x = v.any<T>();
      else if constexpr (std::is_floating_point_v<T>)
        x = static_cast<T>(v.between(-2, 2));
      else
        x = v.small<T>();
      std::memcpy(b.at(i), &x, sizeof x);
    }
  };
  switch (b.type) {
    case dtype::b8: each(static_cast<bool*>(nullptr)); break;
    case dtype::i8: each(static_cast<std::int8_t*>(nullptr)); break;
    case dtype::i16: each(static_cast<std::int16_t*>(nullptr)); break;
    case dtype::i32: each(static_cast<std::int32_t*>(nullptr)); break;
    case dtype::i64: each(static_cast<std::int64_t*>(nullptr)); break;
    case dtype::u8: each(static_cast<std::uint8_t*>(nullptr)); break;
    case dtype::u16: each(static_cast<std::uint16_t*>(nullptr)); break;
    case dtype::u32: each(static_cast<std::uint32_t*>(nullptr)); break;
    case dtype::u64: each(static_cast<std::uint64_t*>(nullptr)); break;
    case dtype::f32: each(static_cast<float*>(nullptr)); break;
    case dtype::f64: each(static_cast<double*>(nullptr)); break;
    default: {  // complex numbers are two of these
      const bool single = b.type == dtype::c64;
      buffer parts = b;
      parts.type = single ? dtype::f32 : dtype::f64;
      fill(parts, v, kind, bound);
      b.now = parts.now;
    }
  }
  b.original = b.now;
}

struct leaf {
  dtype type;
  extents shape;
  geometry lies;
  std::size_t memory;  // its buffer
  bl_index offset;     // of the lowest element in it
  std::string flags;
  std::vector<std::byte> packed;
};

struct route {
  bl::isa level;
  bl::policy how;
  bl::scheduler who;
  std::size_t memory;
  extents shape;
  geometry lies;
  bl_index offset;
  std::string name;
};

}  // namespace

std::vector<tree>& all_trees() {
  static std::vector<tree> list;
  return list;
}

tally counted() {
  counts.types = types_seen.size();
  // `./dev fuzz --trees` counts types over several programs.
  if (const char* file = std::getenv("BROADLOOM_FUZZ_TYPES")) {
    std::ofstream to(file, std::ios::app);
    for (const std::type_index& t : types_seen) to << std::hash<std::string>()(t.name()) << '\n';
  }
  return counts;
}

struct session::state {
  const tree& written;
  choices& c;
  std::vector<operation> program;
  std::vector<bl_index> variables;
  std::vector<leaf> leaves;
  std::vector<buffer> memory;
  std::vector<bl::isa> levels;
  std::vector<route> routes;
  std::size_t route_count = 0;
  dtype value = dtype::f32, result = dtype::f32;
  dense expected[2];  // without and with FMA
  bool known[2] = {false, false};
  bl::policy last = bl::seq;
  const bl::isa level_before = bl::runtime::active_isa();
  const bl::scheduler scheduler_before = bl::runtime::active_scheduler();
  bl_index product = 1, budget, largest;
  bool big;

  state(const tree& t, choices& drawn) : written(t), c(drawn), program(parse(t.program)) {
    big = c.chance(25);
    budget = big ? 60000 : 1500;
    largest = big ? 400 : 9;
    for (const std::string& token : split(t.variables, ' ')) define(split(token, ':'));
    for (const std::string& text : split(t.leaves, ' ')) add_leaf(split(text + "/", '/'));
    for (const bl::isa level : bl::runtime::every_isa)
      if (bl::set_isa(level) == level) levels.push_back(level);
    // What sorts is computed when the tree is built, with the functions of the highest level.
    if (t.strips && std::strstr(t.program, "sort:") != nullptr) levels.erase(levels.begin());
    if (levels.empty()) discard();
    bl::set_isa(level_before);
  }
  ~state() {
    bl::set_isa(level_before);
    bl::set_scheduler(scheduler_before);
  }

  bl_index free_extent(bl_index least) {
    bl_index most = std::max<bl_index>(std::min(largest, budget / product), least);
    if (big && c.chance(3)) most = std::max<bl_index>(std::min<bl_index>(5000, budget / product), least);
    bl_index n = big && c.chance(2) ? c.between<bl_index>(std::min<bl_index>(1, most), most) : c.extent(most);
    n = std::max(n, least);
    product *= std::max<bl_index>(n, 1);
    return n;
  }

  void define(const std::vector<std::string>& t) {
    const auto var = [&](std::size_t i) { return variables.at(static_cast<std::size_t>(std::stoll(t.at(i)))); };
    const auto push = [&](auto... x) { (variables.push_back(x), ...); };
    const std::string& kind = t[0];
    if (kind[0] == '=') {
      push(static_cast<bl_index>(std::stoll(kind.substr(1))));
      product *= std::max<bl_index>(variables.back(), 1);
    } else if (kind == "any") {
      push(free_extent(0));
    } else if (kind == "some") {
      push(free_extent(1));
    } else if (kind == "at") {
      push(c.between<bl_index>(0, 2 * var(1) - 1) - var(1));
    } else if (kind == "shift") {
      push(c.one_of({bl_index{0}, bl_index{1}, bl_index{-1}, bl_index{2}, bl_index{-3}, bl_index{7}}));
    } else if (kind == "range") {  // -> extent, start, stop, step
      const bl_index n = var(1), step = c.one_of({bl_index{1}, bl_index{2}, bl_index{3}, bl_index{-1}, bl_index{-2}});
      const bl_index before = c.between<bl_index>(0, 3), behind = c.between<bl_index>(0, 3), stride = std::abs(step);
      const bl_index extent = before + (n > 0 ? (n - 1) * stride + 1 : 0) + behind;
      if (n == 0)
        push(extent, before, step > 0 ? before - (before > 0 ? 1 : 0) : extent, step);
      else if (step > 0)
        push(extent, before, before + (n - 1) * stride + 1, step);
      else
        push(extent, before + (n - 1) * stride, before > 0 ? before - 1 : -extent - 1, step);
    } else if (kind == "narrow") {  // -> extent, start
      const bl_index start = c.between<bl_index>(0, 3);
      push(start + var(1) + c.between<bl_index>(0, 3), start);
    } else if (kind == "pad") {  // -> extent, before, after
      const bl_index before = c.between<bl_index>(0, std::min<bl_index>(3, var(1)));
      const bl_index after = c.between<bl_index>(0, std::min<bl_index>(3, var(1) - before));
      push(var(1) - before - after, before, after);
    } else if (kind == "divisor") {  // -> times, extent
      const bl_index n = var(1);
      std::vector<bl_index> all{1};
      for (bl_index d = 2; d <= std::min<bl_index>(n, 12); ++d)
        if (n % d == 0) all.push_back(d);
      if (n > 12) all.push_back(n);
      const bl_index d = c.one_of(all);
      push(d, n / d);
    } else if (kind == "diagonal") {  // -> extents, shift
      const bl_index n = var(1);
      bl_index shift = n > 0 ? c.one_of({bl_index{0}, bl_index{1}, bl_index{-1}, bl_index{2}}) : 0;
      const bl_index more = c.between<bl_index>(0, 2);
      const bool rows = c.chance(2);
      push(n + (shift < 0 ? -shift : 0) + (rows ? more : 0), n + (shift > 0 ? shift : 0) + (rows ? 0 : more), shift);
    } else if (kind == "windows") {  // -> extent, step; none at all is not a window
      const bl_index n = var(1), size = var(2);
      if (n == 0) discard();
      const bl_index step = c.between<bl_index>(1, 3);
      push((n - 1) * step + size + c.between<bl_index>(0, step - 1), step);
    } else if (kind == "product") {
      push(var(1) * var(2));
    } else if (kind == "part") {
      push(c.between<bl_index>(0, var(1)));
    } else if (kind == "rest") {
      push(var(1) - var(2));
    } else {
      throw std::logic_error("no variable is of kind " + kind);
    }
  }

  void add_leaf(const std::vector<std::string>& t) {
    leaf l{type_named(t[0]), {}, {}, 0, 0, t.size() > 2 ? t[2] : "", {}};
    for (const std::string& d : split(t[1], ',')) {
      const bool either = d[0] == '?';
      const std::string name = either ? d.substr(1) : d;
      bl_index n =
          name[0] == 'v' ? variables.at(static_cast<std::size_t>(std::stoll(name.substr(1)))) : std::stoll(name);
      if (either && c.chance(2)) n = 1;
      l.shape.push_back(n);
    }
    if (count_of(l.shape) > 2000000) discard();
    // Some leaves are the same array as an earlier one.
    for (const leaf& earlier : leaves)
      if (earlier.type == l.type && earlier.shape == l.shape && earlier.flags == l.flags && c.chance(4)) {
        leaves.push_back(earlier);
        return;
      }
    l.lies = any_geometry(c, l.shape, true);
    // Room for an output that overlaps it.
    const bl_index room = c.chance(2) ? l.lies.span + 40 : 0;
    l.offset = c.between<bl_index>(0, std::min<bl_index>(room, 20));
    buffer b = make_buffer(c, l.type, l.lies.span + room);
    bl_index bound = 0;
    const auto index_flag = l.flags.find('i');
    if (index_flag != std::string::npos)
      bound = std::max<bl_index>(1, variables.at(static_cast<std::size_t>(std::stoll(l.flags.substr(index_flag + 1)))));
    const std::uint64_t kind = l.flags.find('p') != std::string::npos   ? 3
                               : l.flags.find('m') != std::string::npos ? 0
                                                                        : c.below(3);
    fill(b, c.values(), kind, bound);
    l.memory = memory.size();
    memory.push_back(std::move(b));
    leaves.push_back(std::move(l));
  }

  dense value_of(const leaf& l) {
    dense d = make_dense(l.type, l.shape);
    each_element(l.shape, l.lies, l.offset, [&](bl_index k, bl_index at) {
      std::memcpy(d.bytes.data() + static_cast<std::ptrdiff_t>(k) * size_of(l.type), memory[l.memory].original_at(at),
                  static_cast<std::size_t>(size_of(l.type)));
    });
    return d;
  }

  template <class F>
  static void each_element(const extents& shape, const geometry& g, bl_index offset, const F& f) {
    const bl_index n = count_of(shape);
    extents at(shape.size(), 0);
    for (bl_index k = 0; k < n; ++k) {
      bl_index o = offset + g.first;
      for (std::size_t i = 0; i < shape.size(); ++i)
        if (shape[i] != 1) o += at[i] * g.strides[i];
      f(k, o);
      for (std::size_t i = shape.size(); i-- > 0;) {
        if (++at[i] < shape[i]) break;
        at[i] = 0;
      }
    }
  }

  const dense& wanted(bl::isa level) {
#if defined(__x86_64__)
    const int which = written.strips && level == bl::isa::base ? 0 : 1;
#else
    const int which = 1;
#endif
    if (!known[which]) {
      bl::set_isa(which == 0 ? bl::isa::base : levels.back());
      std::vector<dense> all;
      for (const leaf& l : leaves) all.push_back(value_of(l));
      expected[which] = interpret(program, all, variables, watched());
      known[which] = true;
    }
    return expected[which];
  }

  bl::policy any_policy() {
    switch (c.below(4)) {
      case 0: return bl::seq;
      case 1: return bl::par;
      case 2: return bl::par.threads(2);
      default: return bl::par.threads(3);
    }
  }

  std::string told() const {
    std::string s = text("tree ", written.number, " of seed ", written.seed, ": ", written.program, "; variables");
    for (std::size_t i = 0; i < variables.size(); ++i) s += text(i ? ", " : " ", "v", i, " = ", variables[i]);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      s += text("; L", i, " ", bl::to_string(leaves[i].type), shape_text(leaves[i].shape), " strides ",
                shape_text(leaves[i].lies.strides));
      if (leaves[i].memory != i) s += text(" at L", leaves[i].memory);
    }
    return s;
  }
};

session::session(const tree& t, choices& c) : s_(std::make_unique<state>(t, c)) {
  if (c.noting()) c.note(s_->told());
}
session::~session() = default;

bl::index session::v(int i) const { return s_->variables.at(static_cast<std::size_t>(i)); }

const void* session::data(int k) {
  const leaf& l = s_->leaves.at(static_cast<std::size_t>(k));
  return s_->memory[l.memory].at(l.offset + l.lies.first);
}
const void* session::packed(int k) {
  leaf& l = s_->leaves.at(static_cast<std::size_t>(k));
  if (l.packed.empty()) l.packed = s_->value_of(l).bytes;  // two trees may mention it
  return l.packed.data();
}
void session::copy_packed(int k, void* to) {
  const dense d = s_->value_of(s_->leaves.at(static_cast<std::size_t>(k)));
  if (!d.bytes.empty()) std::memcpy(to, d.bytes.data(), d.bytes.size());
}
const bl::index* session::leaf_extents(int k) { return s_->leaves.at(static_cast<std::size_t>(k)).shape.data(); }
const bl::index* session::leaf_strides(int k) { return s_->leaves.at(static_cast<std::size_t>(k)).lies.strides.data(); }

void session::begin(const std::type_info& type, dtype value, const bl::index* extents_of, int rank, dtype result) {
  state& s = *s_;
  types_seen.insert(type);
  s.value = value;
  s.result = result;
  const extents shape(extents_of, extents_of + rank);
  const dense& d = s.wanted(s.levels.back());
  if (d.type != value)
    require(false, "the result is of ", bl::to_string(value), ", not ", bl::to_string(d.type), "\n  ", s.told());
  if (d.shape != shape)
    require(false, "the result's shape is ", shape_text(shape), ", not ", shape_text(d.shape), "\n  ", s.told());

  const std::size_t own = s.memory.size();
  const auto add_route = [&](bl::isa level, bool plain, std::size_t over) {
    route r{level,
            plain ? bl::par : s.any_policy(),
            plain || !s.c.chance(4) ? bl::scheduler::tbb : bl::scheduler::threads,
            own,
            shape,
            {},
            0,
            ""};
    if (over < s.leaves.size()) {
      const leaf& l = s.leaves[over];
      r.memory = l.memory;
      const bool repeats = [&] {
        for (std::size_t a = 0; a < l.shape.size(); ++a)
          if (l.shape[a] > 1 && l.lies.strides[a] == 0) return true;
        return false;
      }();
      if (l.shape == shape && !repeats && !s.c.chance(3)) {
        // Strides of windows overlap themselves: they are no output.
        std::vector<bool> taken(static_cast<std::size_t>(s.memory[l.memory].count()));
        bool once = true;
        state::each_element(shape, l.lies, l.offset, [&](bl_index, bl_index at) {
          once = once && !taken[static_cast<std::size_t>(at)];
          taken[static_cast<std::size_t>(at)] = true;
        });
        if (!once) return;
        r.lies = l.lies;
        r.offset = l.offset;
        r.name = text("over L", over, " exactly");
      } else {
        r.lies = any_geometry(s.c, shape, false);
        const bl_index rest = s.memory[l.memory].count() - r.lies.span;
        if (rest < 0) return;
        r.offset = s.c.between<bl_index>(0, rest);
        r.name = text("over L", over, " partly");
      }
    } else {
      for (bl_index& n : r.shape)
        if (n == 1 && !plain && s.c.chance(6)) n = s.c.between<bl_index>(2, 4);
      r.lies = plain ? row_major(r.shape) : any_geometry(s.c, r.shape, false);
      r.offset = plain ? 0 : s.c.between<bl_index>(0, 9);
      r.name = plain ? "plain" : "strided";
    }
    s.routes.push_back(r);
  };
  add_route(s.levels.back(), true, std::size_t(-1));
  for (const bl::isa level : s.levels) add_route(level, false, std::size_t(-1));
  int overlaps = 0;
  for (std::size_t k = 0; k < s.leaves.size() && overlaps < 2; ++k)
    if (s.leaves[k].type == result && s.leaves[k].flags.find('i') == std::string::npos) {
      add_route(s.c.one_of(s.levels), false, k);
      ++overlaps;
    }
  bl_index most = 0;
  for (const route& r : s.routes)
    if (r.memory == own) most = std::max(most, r.offset + r.lies.span);
  buffer b = make_buffer(s.c, result, most + 3);
  fill(b, values(7), 0, 0);
  s.memory.push_back(std::move(b));
}

bool session::next() {
  state& s = *s_;
  if (s.route_count == s.routes.size()) {
    s.last = s.any_policy();
    bl::set_isa(s.levels.back());
    bl::set_scheduler(bl::scheduler::tbb);
    s.wanted(s.levels.back());
    return false;
  }
  const route& r = s.routes[s.route_count++];
  s.wanted(r.level);
  bl::set_isa(r.level);
  bl::set_scheduler(r.who);
  s.last = r.how;
  return true;
}
void* session::out() {
  const route& r = s_->routes[s_->route_count - 1];
  return s_->memory[r.memory].at(r.offset + r.lies.first);
}
const bl::index* session::out_extents() { return s_->routes[s_->route_count - 1].shape.data(); }
const bl::index* session::out_strides() { return s_->routes[s_->route_count - 1].lies.strides.data(); }
bl::policy session::policy() { return s_->last; }

void session::compare() {
  state& s = *s_;
  const route& r = s.routes[s.route_count - 1];
  ++counts.evaluations;
  buffer& b = s.memory[r.memory];
  const dense d = expanded(converted(s.wanted(r.level), s.result), r.shape);
  const auto size = static_cast<std::size_t>(size_of(s.result));
  const auto told = [&] {
    return text("\n  route: ", r.name, ", ", bl::to_string(r.level), ", threads ", r.how.options().threads,
                r.who == bl::scheduler::tbb ? "" : " of std", ", output ", bl::to_string(s.result), shape_text(r.shape),
                " strides ", shape_text(r.lies.strides), " offset ", r.offset + r.lies.first, "\n  ", s.told());
  };
  std::vector<bool> written(static_cast<std::size_t>(b.count()));
  state::each_element(r.shape, r.lies, r.offset, [&](bl_index k, bl_index at) {
    written[static_cast<std::size_t>(at)] = true;
    const std::byte* want = d.bytes.data() + static_cast<std::size_t>(k) * size;
    if (std::memcmp(want, b.at(at), size) == 0 || same_element(s.result, want, b.at(at))) return;
    require(false, "element ", k, " in row-major order is ", element_text(s.result, b.at(at)), ", not ",
            element_text(s.result, want), told());
  });
  for (bl_index i = 0; i < b.count(); ++i)
    if (!written[static_cast<std::size_t>(i)] && std::memcmp(b.at(i), b.original_at(i), size) != 0)
      require(false, "an element beside the output was written, at offset ", i, told());
  b.now = b.original;
}

void session::compare_whole(const void* data, const bl::index* extents_of) {
  state& s = *s_;
  ++counts.evaluations;
  const dense& d = s.wanted(s.levels.back());
  if (extents(extents_of, extents_of + d.shape.size()) != d.shape) require(false, "eval's shape differs\n  ", s.told());
  const auto size = static_cast<std::size_t>(size_of(d.type));
  for (bl_index k = 0; k < d.count(); ++k) {
    const std::byte* want = d.bytes.data() + static_cast<std::size_t>(k) * size;
    const std::byte* got = static_cast<const std::byte*>(data) + static_cast<std::size_t>(k) * size;
    if (std::memcmp(want, got, size) == 0 || same_element(d.type, want, got)) continue;
    require(false, "eval, threads ", s.last.options().threads, ": element ", k, " is ", element_text(d.type, got),
            ", not ", element_text(d.type, want), "\n  ", s.told());
  }
}

}  // namespace fuzz
