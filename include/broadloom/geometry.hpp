// Vectors, rotations and poses in space: lengths and angles, rotation matrices, quaternions, homogeneous transforms,
// cameras; single and stacked over leading axes. Not part of broadloom.hpp.
#pragma once

#include <broadloom/geometry/rotations.hpp>
#include <broadloom/geometry/transforms.hpp>
#include <broadloom/geometry/vectors.hpp>
#include <broadloom/linalg/products.hpp>
