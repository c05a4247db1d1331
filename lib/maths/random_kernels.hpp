// Loops of random draws that are compiled for each level: words of Philox, and what is made of them by arithmetic
// alone.
#pragma once

#include <cstdint>

#include <broadloom/core/index.hpp>

#include "../base/level.hpp"

namespace broadloom::runtime {

// What is drawn: each kind has counters of its own, so that two kinds of draws never share random bits.
enum class draw_kind : std::uint32_t {
  uniform_f32,
  uniform_f64,
  normal_f32,
  normal_f64,
  exponential_f32,
  exponential_f64,
  integers_32,
  integers_64,
  integers_again,
  gamma_normal,
  gamma_uniform,
  log_gamma_normal,
  log_gamma_uniform,
  beta_normal,
  beta_uniform,
  second_beta_normal,
  second_beta_uniform,
  poisson,
  binomial,
  truncated_normal,
  order,
  spawn
};

// Blocks of four words, Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3, SC
// 2011): the counter of block i is (first + i or at[i] in two words, kind, attempt), the key the seed.
struct philox_call {
  std::uint64_t seed;
  std::uint64_t first;
  const std::uint64_t* at;  // null: consecutive ones
  draw_kind kind;
  std::uint32_t attempt;
};

struct random_kernels {
  void (*words)(const philox_call& c, std::uint32_t* out, index blocks);
  // f32 is made of one word, f64 of two, the low one first.
  // k * 2^-24 of the highest 24 bits, in [0, 1), and the same of 53 bits.
  void (*uniform_f32)(const std::uint32_t* words, float* out, index n);
  void (*uniform_f64)(const std::uint32_t* words, double* out, index n);
  // (k + 1) * 2^-32 and (k + 1) * 2^-53, in (0, 1].
  void (*positive_f32)(const std::uint32_t* words, float* out, index n);
  void (*positive_f64)(const std::uint32_t* words, double* out, index n);
  // Of pairs: the first gives u as `positive`, the second v * 2 pi, v as `uniform`.
  void (*pairs_f32)(const std::uint32_t* words, float* u, float* angle, index pairs);
  void (*pairs_f64)(const std::uint32_t* words, double* u, double* angle, index pairs);
  // sqrt(-2 log_u) cosine and sqrt(-2 log_u) sine, interleaved: log_u, cosine and sine as given.
  void (*polar_f32)(const float* log_u, const float* cosine, const float* sine, float* out, index pairs);
  void (*polar_f64)(const double* log_u, const double* cosine, const double* sine, double* out, index pairs);
  // The first of these alone.
  void (*radial_f64)(const double* log_u, const double* cosine, double* out, index n);
};

BROADLOOM_LEVELS(v4, random_kernels, random_table)

}  // namespace broadloom::runtime
