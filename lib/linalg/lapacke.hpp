// LAPACKE with C++'s complex numbers, by element type; where the library is built without, functions that throw.
#pragma once

#include <complex>

#include "failure.hpp"

#if defined(BROADLOOM_WITHOUT_LAPACK)

using lapack_logical = int;

namespace broadloom::runtime {

struct no_function {
  template <class... A>
  int operator()(const A&...) const {
    throw_without_lapack();
  }
};
template <class T>
struct lapack {
  static constexpr no_function gbsv{}, gees{}, geev{}, gelsd{}, gelsy{}, geqp3{}, gesdd{}, getrf{}, hetrf{}, hetrs{},
      potrf{}, pstrf{}, syevd{}, syevr{}, sytrf{}, sytrs{};
};

inline constexpr bool has_lapack = false;
inline constexpr int column_major = 0;

}  // namespace broadloom::runtime

#else

#define lapack_complex_float std::complex<float>
#define lapack_complex_double std::complex<double>
#include <lapacke.h>

namespace broadloom::runtime {

// The `_work` functions use memory of the caller; called with lwork -1 they return its size.
template <class T>
struct lapack;
#define BROADLOOM_LAPACK(T, LETTER, SYMMETRIC, HERMITIAN)              \
  template <>                                                          \
  struct lapack<T> {                                                   \
    static constexpr auto gbsv = LAPACKE_##LETTER##gbsv_work;          \
    static constexpr auto gees = LAPACKE_##LETTER##gees_work;          \
    static constexpr auto geev = LAPACKE_##LETTER##geev_work;          \
    static constexpr auto gelsd = LAPACKE_##LETTER##gelsd_work;        \
    static constexpr auto gelsy = LAPACKE_##LETTER##gelsy_work;        \
    static constexpr auto geqp3 = LAPACKE_##LETTER##geqp3_work;        \
    static constexpr auto gesdd = LAPACKE_##LETTER##gesdd_work;        \
    static constexpr auto getrf = LAPACKE_##LETTER##getrf_work;        \
    static constexpr auto hetrf = LAPACKE_##LETTER##HERMITIAN##f_work; \
    static constexpr auto hetrs = LAPACKE_##LETTER##HERMITIAN##s_work; \
    static constexpr auto potrf = LAPACKE_##LETTER##potrf_work;        \
    static constexpr auto pstrf = LAPACKE_##LETTER##pstrf_work;        \
    static constexpr auto syevd = LAPACKE_##LETTER##SYMMETRIC##d_work; \
    static constexpr auto syevr = LAPACKE_##LETTER##SYMMETRIC##r_work; \
    static constexpr auto sytrf = LAPACKE_##LETTER##sytrf_work;        \
    static constexpr auto sytrs = LAPACKE_##LETTER##sytrs_work;        \
  };
BROADLOOM_LAPACK(float, s, syev, sytr)
BROADLOOM_LAPACK(double, d, syev, sytr)
BROADLOOM_LAPACK(std::complex<float>, c, heev, hetr)
BROADLOOM_LAPACK(std::complex<double>, z, heev, hetr)
#undef BROADLOOM_LAPACK

inline constexpr int column_major = LAPACK_COL_MAJOR;
inline constexpr bool has_lapack = true;

}  // namespace broadloom::runtime

#endif
