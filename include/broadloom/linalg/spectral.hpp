// Eigenvalues, singular values, and what is measured by them, stacked over leading axes.
#pragma once

#include <broadloom/linalg/eigenvalues.hpp>
#include <broadloom/linalg/singular_values.hpp>
