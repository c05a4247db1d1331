// Expressions around reductions, which are computed a few rows at a time where that pays, against the same formulas
// with each reduction and each argument of a reduction evaluated into memory of its own first: the same bits, whatever
// the layouts of operands and output, the length of rows, how many go at a time and the number of threads.
// Build: sanitizers-alone, uninstrumented
#include <broadloom/eval/tuning.hpp>

#include <boost/test/unit_test.hpp>

#include "memory.hpp"

namespace bl = broadloom;
using namespace bl::literals;

namespace {

using fuzz::choices;
using fuzz::extents;
using fuzz::index;
using fuzz::region;

// A few rows of few elements, or many of many: whole vectors and others, longer and shorter than a strip.
extents draw_shape(choices& c, int rank) {
  constexpr index lengths[] = {1, 3, 16, 64, 128, 131, 300, 512, 700, 1037, 2048};
  constexpr index counts[] = {1, 2, 3, 4, 7, 16, 37};
  extents e(static_cast<std::size_t>(rank));
  e.back() = c.one_of(lengths);
  index room = (c.chance(6) ? 120000 : 20000) / e.back();
  for (std::size_t a = 0; a + 1 < e.size(); ++a) {
    std::uint64_t fit = 1;
    while (fit < std::size(counts) && counts[fit] <= room) ++fit;
    e[a] = counts[c.below(fit)];
    room /= e[a];
  }
  return e;
}

// Numbers in [-2, 2) in memory of any order.
template <class T>
struct numbers {
  std::vector<T> of;
  region r;

  numbers(choices& c, const extents& e, bool may_share) {
    index n = 1;
    for (const index x : e) n *= x;
    of.resize(static_cast<std::size_t>(2 * n + 64));
    r = fuzz::draw_region(c, e, static_cast<index>(of.size()), may_share);
    auto v = c.values();
    for (T& x : of) x = static_cast<T>(v.between(-2, 2));
  }
};

// The formulas. `own` gives memory of its own to what is computed first, or changes nothing.
template <int R>
struct formulas {
  static constexpr bl::axes_t<R - 1> last{};

  static auto centred(const auto& x, const auto&, auto own) { return x - own(bl::mean(x, last, bl::keepdim)); }
  static auto divided(const auto& x, const auto& y, auto own) {
    return x * y / own(bl::sum(own(bl::abs(x * y)), last, bl::keepdim));
  }
  static auto softmax(const auto& x, const auto&, auto own) {
    const auto& s = own(bl::exp(x - own(bl::amax(x, last, bl::keepdim))));
    return s / own(bl::sum(s, last, bl::keepdim));
  }
  static auto layer_norm(const auto& x, const auto& y, auto own) {
    const auto d = x - own(bl::mean(x, last, bl::keepdim));
    return d * bl::rsqrt(own(bl::mean(own(d * d), last, bl::keepdim)) + 1e-5f) * y;
  }
  static auto sum_of_function(const auto& x, const auto& y, auto own) {
    return own(bl::sum(own(bl::exp(x * y)), last, bl::keepdim));
  }
  static auto chosen(const auto& x, const auto& y, auto own) {
    return bl::where(own(bl::any(own(x > 1.5f), last, bl::keepdim)), x,
                     bl::exp(own(bl::amax(x, last, bl::keepdim))) * y);
  }
  static auto product(const auto& x, const auto&, auto own) {
    return x + own(bl::prod(own(bl::cos(x)), last, bl::keepdim));
  }
  static auto spread(const auto& x, const auto& y, auto own) {
    const auto& p = own(x * y);
    return (x - own(bl::amin(p, last, bl::keepdim))) / (own(bl::amax(p, last, bl::keepdim)) + 1);
  }
  static auto two_sums(const auto& x, const auto& y, auto own) {
    return bl::tanh(x) * own(bl::sum(x, last, bl::keepdim)) + own(bl::sum(own(y + 0 * x), last, bl::keepdim));
  }
  static auto two_axes(const auto& x, const auto& y, auto own) {
    return y * x - own(bl::mean(x, bl::axes<R - 2, R - 1>, bl::keepdim));
  }
  static auto first_axis(const auto& x, const auto& y, auto own) {
    return bl::sqrt(bl::abs(y)) + x * own(bl::sum(own(x - y), bl::axes<0>, bl::keepdim));
  }
  static auto running(const auto& x, const auto& y, auto own) { return x - own(bl::cumsum(own(x + y), R - 1)); }
  static auto of_results(const auto& x, const auto& y, auto own) {
    const auto& m = own(bl::amax(x, last, bl::keepdim));
    return y + x * own(bl::sum(own(m * m), bl::axes<R - 2>, bl::keepdim));
  }
  static auto twins(const auto& x, const auto& y, auto own) {
    return x * own(bl::sum(x, last, bl::keepdim)) + own(bl::sum(y, last, bl::keepdim));
  }
  static auto of_differences(const auto& x, const auto& y, auto own) {
    return own(bl::sum(own(bl::exp(x - y)), last, bl::keepdim)) - own(bl::sum(own(bl::exp(y * x)), last, bl::keepdim));
  }
  static auto scaled(const auto& x, const auto& y, auto own) {
    return own(bl::sum(own(bl::exp2(x * 1.5f)), last, bl::keepdim)) +
           own(bl::sum(own(bl::log1p(bl::abs(y - x))), last, bl::keepdim));
  }
  static auto flipped(const auto& x, const auto& y, auto own) {
    return x -
           bl::flip(own(bl::mean(x, last, bl::keepdim)), 0) * bl::flip(own(bl::amax(x * y, last, bl::keepdim)), R - 2);
  }
  static auto of_the_first(const auto& x, const auto& y, auto own) {
    return x * y - bl::narrow(own(bl::sum(x, last, bl::keepdim)), 0, 0, 1);
  }
  static auto of_the_last(const auto& x, const auto& y, auto own) {
    return y - bl::narrow(bl::flip(own(bl::cumsum(x, 0)), 0), R - 1, 0, 1);
  }
  static auto running_backwards(const auto& x, const auto&, auto own) {
    return bl::flip(own(bl::cumsum(x, R - 1)), R - 2);
  }
  static auto of_none(const auto& x, const auto& y, auto own) {
    const auto none = bl::narrow(x, R - 1, 0, 0);
    return bl::where(own(bl::all(none, last, bl::keepdim)), x, y) * own(bl::prod(none, last, bl::keepdim)) -
           own(bl::sum(none, last, bl::keepdim));
  }
  static auto wide(const auto& x, const auto& y, auto own) {
    const auto w = bl::cast<double>(x);
    return (w - own(bl::mean(w, last, bl::keepdim))) * own(bl::sum(y, last, bl::keepdim));
  }
  static auto counted(const auto& x, const auto& y, auto own) {
    return y * own(bl::count_nonzero(own(x > 0), last, bl::keepdim)) - own(bl::argmax(x, R - 1, bl::keepdim));
  }
  static auto below_the_diagonal(const auto& x, const auto& y, auto own) {
    return x - own(bl::tril(x - y, 1)) * own(bl::sum(x, last, bl::keepdim));
  }
  static auto let(const auto& x, const auto& y, auto own) {
    const auto s = bl::let(own(bl::sigmoid(x + y)));
    return s / own(bl::sum(s, last, bl::keepdim)) + s;
  }
};

struct unchanged {
  auto operator()(const auto& e) const { return e; }
};
// What is evaluated lives as long as `kept`.
struct evaluated {
  std::vector<std::shared_ptr<void>>& kept;

  const auto& operator()(const auto& e) const {
    using tree = std::remove_cvref_t<decltype(e)>;
    using result = bl::dtensor<typename tree::value_type, tree::shape_type::axes_count>;
    const auto x = std::make_shared<result>(bl::eval(e));
    kept.push_back(x);
    return *x;
  }
};

// As many rows at a time as a few elements or all of them have, stores that stream or do not, threads for little work.
class drawn_sizes {
 public:
  explicit drawn_sizes(choices& c) {
    if (c.chance(2)) return;
    constexpr index bytes[] = {1, 3000, 20000, 100000};
    bl::tuning t = before_;
    t.row_bytes = c.one_of(bytes);
    t.block_bytes = c.one_of(bytes);
    if (c.chance(2)) t.serial_bytes = 1;
    if (c.chance(4)) t.streamed_bytes = 1;
    bl::set_tuning(t);
    c.note("rows of ", t.row_bytes, " bytes, blocks of ", t.block_bytes, ", serial up to ", t.serial_bytes,
           ", streamed from ", t.streamed_bytes);
  }
  drawn_sizes(const drawn_sizes&) = delete;
  ~drawn_sizes() { bl::set_tuning(before_); }

 private:
  const bl::tuning before_ = bl::current_tuning();
};

template <int R, class T>
auto view_of(std::vector<T>& of, const region& r) {
  bl::dyn_strides<R> s{};
  for (int a = 0; a < R; ++a) s.s[a] = r.s[static_cast<std::size_t>(a)];
  return bl::view<T, bl::dshape<R>>(of.data() + r.offset, fuzz::shape_of<R>(r.e), s);
}

template <int R, class Out = float, class F>
void compare(choices& c, const char* name, const F& formula) {
  const extents e = draw_shape(c, R);
  // The output may lie in the memory of x, as x does or otherwise.
  const bool in_x = std::is_same_v<Out, float> && c.chance(4), as_x = in_x && c.chance(2);
  numbers<float> x(c, e, !as_x);
  extents others = e;
  for (index& n : others)
    if (c.chance(3)) n = 1;
  numbers<float> y(c, others, true);
  numbers<Out> own(c, e, false);
  std::vector<Out>* to = &own.of;
  if constexpr (std::is_same_v<Out, float>)
    if (in_x) to = &x.of;
  const region r = as_x ? x.r : own.r;
  const int threads = c.chance(3) ? 3 : 1;
  c.note(name, " of x ", fuzz::shown(x.r), ", y ", fuzz::shown(y.r), ", output ", fuzz::shown(r), in_x ? " in x" : "",
         ", threads ", threads);
  const auto vx = view_of<R>(x.of, x.r), vy = view_of<R>(y.of, y.r);
  const bl::dtensor<float, R> cx = bl::eval(vx), cy = bl::eval(vy);
  std::vector<std::shared_ptr<void>> kept;
  const bl::dtensor<Out, R> wanted = bl::eval(bl::expand(bl::cast<Out>(formula(cx, cy, evaluated{kept})), vx.shape()));
  const std::vector<Out> before = *to;
  const drawn_sizes sizes(c);
  bl::assign(view_of<R>(*to, r), formula(vx, vy, unchanged{}), bl::par.threads(threads));
  index k = 0;
  std::vector<bool> written(before.size(), false);
  fuzz::each(e, [&](const extents& i) {
    const auto at = static_cast<std::size_t>(r.at(i));
    written[at] = true;
    const Out got = (*to)[at], want = wanted.data()[k++];
    if (std::memcmp(&got, &want, sizeof got) != 0 && !(got != got && want != want))
      throw fuzz::failure(fuzz::text(name, ": element ", k - 1, " is ", got, ", not ", want));
  });
  for (std::size_t i = 0; i < before.size(); ++i)
    fuzz::require(written[i] || std::memcmp(&before[i], &(*to)[i], sizeof(Out)) == 0, name, ": element ", i,
                  " of the memory around the output has changed");
}

#define FORMULA(name) [](const auto& x, const auto& y, auto own) { return formulas<R>::name(x, y, own); }
template <int R>
void any_of(choices& c) {
  switch (c.below(26)) {
    case 0: return compare<R>(c, "centred", FORMULA(centred));
    case 1: return compare<R>(c, "divided", FORMULA(divided));
    case 2: return compare<R>(c, "softmax", FORMULA(softmax));
    case 3: return compare<R>(c, "layer norm", FORMULA(layer_norm));
    case 4: return compare<R>(c, "sum of a function", FORMULA(sum_of_function));
    case 5: return compare<R>(c, "chosen", FORMULA(chosen));
    case 6: return compare<R>(c, "product", FORMULA(product));
    case 7: return compare<R>(c, "spread", FORMULA(spread));
    case 8: return compare<R>(c, "two sums", FORMULA(two_sums));
    case 9: return compare<R>(c, "two axes", FORMULA(two_axes));
    case 10: return compare<R>(c, "first axis", FORMULA(first_axis));
    case 11: return compare<R>(c, "running", FORMULA(running));
    case 12: return compare<R>(c, "of results", FORMULA(of_results));
    case 13: return compare<R>(c, "twins", FORMULA(twins));
    case 14: return compare<R>(c, "of differences", FORMULA(of_differences));
    case 15: return compare<R>(c, "scaled", FORMULA(scaled));
    case 16: return compare<R>(c, "flipped", FORMULA(flipped));
    case 17: return compare<R>(c, "of the first", FORMULA(of_the_first));
    case 18: return compare<R>(c, "of the last", FORMULA(of_the_last));
    case 19: return compare<R>(c, "running backwards", FORMULA(running_backwards));
    case 20: return compare<R>(c, "of none", FORMULA(of_none));
    case 21: return compare<R, double>(c, "wide", FORMULA(wide));
    case 22: return compare<R>(c, "counted", FORMULA(counted));
    case 23: return compare<R>(c, "below the diagonal", FORMULA(below_the_diagonal));
    case 24: return compare<R, double>(c, "sum to double", FORMULA(sum_of_function));
    default: return compare<R>(c, "let", FORMULA(let));
  }
}
#undef FORMULA

}  // namespace

BOOST_AUTO_TEST_SUITE(rows_fuzz)

BOOST_AUTO_TEST_CASE(matrices) {
  fuzz::check("matrices", 700, [](choices& c) { any_of<2>(c); });
}

BOOST_AUTO_TEST_CASE(three_axes) {
  fuzz::check("three_axes", 700, [](choices& c) { any_of<3>(c); });
}

BOOST_AUTO_TEST_CASE(four_axes) {
  fuzz::check("four_axes", 400, [](choices& c) { any_of<4>(c); });
}

BOOST_AUTO_TEST_SUITE_END()
