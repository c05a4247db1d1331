// Linear algebra: products, factorisations and solutions over stacks of matrices. Not part of broadloom.hpp.
#pragma once

#include <broadloom/linalg/covariance.hpp>
#include <broadloom/linalg/einsum.hpp>
#include <broadloom/linalg/einsum_to.hpp>
#include <broadloom/linalg/factor.hpp>
#include <broadloom/linalg/fused.hpp>
#include <broadloom/linalg/gufunc.hpp>
#include <broadloom/linalg/outer.hpp>
#include <broadloom/linalg/products.hpp>
#include <broadloom/linalg/reflections.hpp>
#include <broadloom/linalg/solve.hpp>
#include <broadloom/linalg/spectral.hpp>
#include <broadloom/reduce/norm.hpp>

// bl::linalg::solve is bl::solve: the names of numpy.linalg.
namespace broadloom::linalg {

using broadloom::cholesky;
using broadloom::cond;
using broadloom::cross;
using broadloom::det;
using broadloom::eig;
using broadloom::eigh;
using broadloom::eigvals;
using broadloom::eigvalsh;
using broadloom::inv;
using broadloom::lstsq;
using broadloom::matmul;
using broadloom::matrix_power;
using broadloom::matrix_rank;
using broadloom::norm;
using broadloom::outer;
using broadloom::pinv;
using broadloom::qr;
using broadloom::slogdet;
using broadloom::solve;
using broadloom::svd;
using broadloom::vecdot;

}  // namespace broadloom::linalg
