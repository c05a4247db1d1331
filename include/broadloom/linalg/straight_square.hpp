// The determinant or inverse of one operand of static size, straight-line.
#pragma once

#include <broadloom/linalg/small_systems.hpp>
#include <broadloom/linalg/square_by_vectors.hpp>

namespace broadloom::detail {

// An operand: its determinant or inverse, if a quick look says that it is as accurate as a closer one would find.
template <int Native, class A>
class straight_square {
  using input = straight_input<Native, A>;
  using number = value_of<A>;
  static constexpr int n = static_cast<int>(shape_of<A>::static_extents[0]);
  using matrix = small_matrix<number, n>;
  // Rows one after the other.
  static constexpr bool is_row_major = [] {
    constexpr auto s = typename input::leaf_type::layout_type{}.strides(typename input::leaf_type::shape_type{});
    return s[0] == n && s[s.count - 1] == 1;
  }();

 public:
  BROADLOOM_INLINE straight_square(const A& a, const runtime::options& how) : in_(a, how) {}

  // False where elimination is to find it.
  BROADLOOM_INLINE bool determinant(number& d) const {
    const number* const p = in_.data();
    if constexpr (n > 1 && is_row_major) {
      bool moderate = true;
      if constexpr (n == 2)
        d = elements(p).determinant();
      else if constexpr (n == 3) {
        d = determinant_of_3_by_vectors(p);
        moderate = are_moderate<4>(p);
      } else {
        const minors_of_rows<number> s(p), c(p + 8);
        d = determinant_by_vectors(s, c);
        moderate = s.are_moderate(c);
      }
      if (is_moderate(d) && moderate) [[likely]]
        return true;
    }
    // Of what is in memory: what was not refused stays in registers.
    const found r = look_at_determinant(p);
    d = r.value;
    return r.keeps;
  }
  // Writes to `to` at last, which may be the operand.
  BROADLOOM_INLINE bool inverse(number* to) const {
    const number* const p = in_.data();
    number d, r[n * n];
    if constexpr (!is_row_major || n == 1 || (n == 3 && sizeof(number) == 8))
      d = elements(p).inverse(r);
    else if constexpr (n == 2)
      d = inverse_of_2_by_vectors(p, r);
    else if constexpr (n == 3)
      d = inverse_of_3_by_vectors(p, r);
    else
      d = inverse_of_4_by_vectors(p, minors_of_rows<number>(p), minors_of_rows<number>(p + 8), r);
    if constexpr (n > 1 && is_row_major)
      if (is_moderate(d) && are_moderate<n * n>(p)) [[likely]] {
        write(to, r);
        return true;
      }
    if (!keeps_inverse(p, d)) return false;
    write(to, r);
    return true;
  }

 private:
  struct found {
    number value;
    bool keeps;
  };
  // In the vectors in which r was written.
  BROADLOOM_INLINE static void write(number* to, const number* r) {
    constexpr int w = 16 / static_cast<int>(sizeof(number)), whole = n * n / w * w;
#pragma GCC unroll 8
    for (int i = 0; i < whole; i += w) store<number>(to + i, load<number, w>(r + i));
#pragma GCC unroll 4
    for (int i = whole; i < n * n; ++i) to[i] = r[i];
  }
  BROADLOOM_INLINE static matrix elements(const number* p) {
    matrix m;
    read_small<typename input::leaf_type, n, n>(p, m.v);
    return m;
  }
  [[gnu::noinline]] static found look_at_determinant(const number* p) {
    const matrix m = elements(p);
    const number d = m.determinant();
    return {d, m.keeps_determinant(d) || m.is_exact()};
  }
  [[gnu::noinline]] static bool keeps_inverse(const number* p, number d) { return elements(p).keeps(d); }

  input in_;
};

}  // namespace broadloom::detail
