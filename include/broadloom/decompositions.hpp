// Linear algebra that is needed less often: decompositions beside lu, qr and eigh, functions of matrices,
// factorisations that report instead of throwing, tensor equations, products of several matrices, distances. Not part
// of linalg.hpp.
#pragma once

#include <broadloom/linalg/checked.hpp>
#include <broadloom/linalg/decompositions.hpp>
#include <broadloom/linalg/distances.hpp>
#include <broadloom/linalg/matrix_forms.hpp>
#include <broadloom/linalg/matrix_functions.hpp>
#include <broadloom/linalg/multi_dot.hpp>
#include <broadloom/linalg/schur.hpp>
#include <broadloom/linalg/tensors.hpp>

namespace broadloom::linalg {

using broadloom::multi_dot;
using broadloom::tensordot;
using broadloom::tensorinv;
using broadloom::tensorsolve;

}  // namespace broadloom::linalg
