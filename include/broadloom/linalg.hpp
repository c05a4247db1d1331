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
