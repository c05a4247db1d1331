// Random numbers as leaves of a tree: drawn block by block inside the loop that reads them. An element depends on the
// generator's seed and on its own place in the stream, so that it is the same wherever and however often it is drawn.
#pragma once

#include <broadloom/expr/deferred.hpp>
#include <broadloom/fn/pointwise.hpp>
#include <broadloom/index/joined.hpp>
#include <broadloom/random/draws.hpp>

namespace broadloom {

namespace detail {

// What is drawn: `static void fill(T*, index, ...)` or a member, an equality, and a name for plans.
template <class T>
struct uniform_kind {
  using value_type = T;
  static constexpr const char* name() { return "uniform"; }
  static void fill(T* to, index n, std::uint64_t seed, std::uint64_t at, int threads) {
    runtime::fill_uniform(to, n, seed, at, threads);
  }
  friend constexpr bool operator==(const uniform_kind&, const uniform_kind&) = default;
};
template <class T>
struct normal_kind {
  using value_type = T;
  static constexpr const char* name() { return "normal"; }
  static void fill(T* to, index n, std::uint64_t seed, std::uint64_t at, int threads) {
    runtime::fill_normal(to, n, seed, at, threads);
  }
  friend constexpr bool operator==(const normal_kind&, const normal_kind&) = default;
};
template <class T>
struct exponential_kind {
  using value_type = T;
  static constexpr const char* name() { return "exponential"; }
  static void fill(T* to, index n, std::uint64_t seed, std::uint64_t at, int threads) {
    runtime::fill_exponential(to, n, seed, at, threads);
  }
  friend constexpr bool operator==(const exponential_kind&, const exponential_kind&) = default;
};
template <class T>
struct integers_kind {
  using value_type = T;
  std::uint64_t range;
  static constexpr const char* name() { return "randint"; }
  void fill(T* to, index n, std::uint64_t seed, std::uint64_t at, int threads) const {
    runtime::fill_integers(to, n, range, seed, at, threads);
  }
  friend constexpr bool operator==(const integers_kind&, const integers_kind&) = default;
};
struct places_kind {
  using value_type = std::uint64_t;
  static constexpr const char* name() { return "places"; }
  static void fill(std::uint64_t* to, index n, std::uint64_t, std::uint64_t at, int threads) {
    runtime::fill_places(to, n, at, threads);
  }
  friend constexpr bool operator==(const places_kind&, const places_kind&) = default;
};
constexpr const char* distribution_name(runtime::distribution d) {
  switch (d) {
    case runtime::distribution::gamma: return "gamma";
    case runtime::distribution::log_gamma: return "log gamma";
    case runtime::distribution::beta: return "beta";
    case runtime::distribution::poisson: return "poisson";
    case runtime::distribution::binomial: return "binomial";
    case runtime::distribution::truncated_normal: break;
  }
  return "truncated normal";
}
template <runtime::distribution D>
struct distribution_kind {
  using value_type = double;
  double parameters[runtime::max_parameters];
  static constexpr const char* name() { return distribution_name(D); }
  void fill(double* to, index n, std::uint64_t seed, std::uint64_t at, int threads) const {
    runtime::fill_draws(to, n, D, parameters, seed, at, threads);
  }
  friend constexpr bool operator==(const distribution_kind&, const distribution_kind&) = default;
};

// Element i, in row-major order, is the draw at place first + i of the seed's stream.
template <class Kind, class Shape>
class random_source {
 public:
  using value_type = typename Kind::value_type;
  using shape_type = Shape;
  static constexpr int rank = Shape::axes_count;
  static constexpr bool single_elements = true;

  constexpr random_source(const Kind& kind, const Shape& s, std::uint64_t seed, std::uint64_t first)
      : kind_(kind), shape_(s), seed_(seed), first_(first) {}

  static constexpr const char* name() { return Kind::name(); }
  constexpr const Shape& shape() const { return shape_; }
  template <int R>
  value_type element(const indices<R>& at) const {
    const index i = offset_of(shape_.extents(), row_major_strides(shape_.extents()), at);
    value_type x;
    kind_.fill(&x, 1, seed_, first_ + static_cast<std::uint64_t>(i), 1);
    return x;
  }
  constexpr bool same(const random_source& o) const {
    return seed_ == o.seed_ && first_ == o.first_ && kind_ == o.kind_ && shape_ == o.shape_;
  }
  static constexpr bool reads(const void*, const void*) { return false; }
  template <int Native>
  void evaluate(value_type* to, const runtime::options& how) const {
    kind_.fill(to, shape_.size(), seed_, first_, how.threads);
  }
  template <int Native>
  void evaluate_rows(index first, index last, value_type* to, const runtime::options& how) const {
    index row = 1;
    for (int a = leading_axis(shape_) + 1; a < rank; ++a) row *= shape_[a];
    kind_.fill(to, (last - first) * row, seed_, first_ + static_cast<std::uint64_t>(first * row), how.threads);
  }
  static constexpr index row_hint() { return rank == 0 ? -1 : 0; }

 private:
  Kind kind_;
  [[no_unique_address]] Shape shape_;
  std::uint64_t seed_, first_;
};

// The leaf of the next draws.
template <class Kind, shape_type S>
auto random_leaf(generator& g, const Kind& kind, const S& s) {
  check_count(Kind::name(), s, sizeof(typename Kind::value_type));
  using source = random_source<Kind, S>;
  return deferred<source>(source(kind, s, g.seed(), g.draw(s.size())));
}

// The draws of a distribution whose parameters are elements of arrays.
template <runtime::distribution D, int Count>
struct drawn_for_each {
  using numbers = broadloom::pack<double, pack_size>;
  using places = broadloom::pack<std::uint64_t, pack_size>;
  std::uint64_t seed;

  numbers operator()(const places& at, const numbers& a) const
    requires(Count == 1)
  {
    return draw(at, &a);
  }
  numbers operator()(const places& at, const numbers& a, const numbers& b) const
    requires(Count == 2)
  {
    return draw(at, &a, &b);
  }
  numbers operator()(const places& at, const numbers& a, const numbers& b, const numbers& c, const numbers& d) const
    requires(Count == 4)
  {
    return draw(at, &a, &b, &c, &d);
  }

 private:
  template <class... P>
  numbers draw(const places& at, const P*... p) const {
    std::uint64_t place[pack_size];
    double parameter[sizeof...(P)][pack_size], out[pack_size];
    const double* lists[sizeof...(P)];
    const numbers* const given[] = {p...};
    for (int i = 0; i < pack_size; ++i) place[i] = at[i];
    for (int k = 0; k < int(sizeof...(P)); ++k) {
      for (int i = 0; i < pack_size; ++i) parameter[k][i] = (*given[k])[i];
      lists[k] = parameter[k];
    }
    runtime::draw_each(out, pack_size, D, lists, seed, place);
    numbers r;
    for (int i = 0; i < pack_size; ++i) r[i] = out[i];
    return r;
  }
};

}  // namespace detail
}  // namespace broadloom
