// Compiled fills of random draws: each draw depends on the seed, its kind and its place in the stream alone.
#pragma once

#include <cstdint>

#include <broadloom/core/api.hpp>
#include <broadloom/core/index.hpp>
#include <broadloom/tensor/generator.hpp>

namespace broadloom::runtime {

// out[i] = draw number position + i of the stream: exponential with mean 1.
inline void fill_exponential(float* out, index n, std::uint64_t seed, std::uint64_t position, int threads = 0) {
  fill_stream(stream::exponential_draws, false, out, n, 0, seed, position, threads);
}
inline void fill_exponential(double* out, index n, std::uint64_t seed, std::uint64_t position, int threads = 0) {
  fill_stream(stream::exponential_draws, true, out, n, 0, seed, position, threads);
}

// Integers in [0, range), each equally likely; range 0 is 2^64. The same numbers in both types. 32 bits hold a range up
// to 2^32.
inline void fill_integers(std::uint32_t* out, index n, std::uint64_t range, std::uint64_t seed, std::uint64_t position,
                          int threads = 0) {
  fill_stream(stream::integer_draws, false, out, n, range, seed, position, threads);
}
inline void fill_integers(std::uint64_t* out, index n, std::uint64_t range, std::uint64_t seed, std::uint64_t position,
                          int threads = 0) {
  fill_stream(stream::integer_draws, true, out, n, range, seed, position, threads);
}

// The places themselves: position + i.
BROADLOOM_API void fill_places(std::uint64_t* out, index n, std::uint64_t position, int threads = 0);

// Distributions with parameters, drawn in f64. Each draw has blocks of random bits of its own.
enum class distribution : unsigned char { gamma, log_gamma, beta, poisson, binomial, truncated_normal };
inline constexpr int max_parameters = 4;

// Throws std::invalid_argument, which names the function and the parameter, if one is outside of its domain.
BROADLOOM_API void check_parameters(distribution d, const double* parameters);

// All with the same parameters.
BROADLOOM_API void fill_draws(double* out, index n, distribution d, const double* parameters, std::uint64_t seed,
                              std::uint64_t position, int threads = 0);

// out[i] is the draw at places[i] with parameters[k][i]; n is at most 512. Throws as check_parameters does.
BROADLOOM_API void draw_each(double* out, int n, distribution d, const double* const* parameters, std::uint64_t seed,
                             const std::uint64_t* places);

// The seed of a generator that is independent of this one, for each place of the stream.
BROADLOOM_API std::uint64_t spawned_seed(std::uint64_t seed, std::uint64_t place) noexcept;

}  // namespace broadloom::runtime
