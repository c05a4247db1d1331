// Random numbers by counting: the value drawn depends on the seed and on its place in the stream, never on threads.
#pragma once

#include <cstdint>

#include <broadloom/core/api.hpp>
#include <broadloom/core/index.hpp>

namespace broadloom {

// A stream of 2^64 draws for each seed. Two generators with one seed and one position draw the same numbers.
class generator {
 public:
  constexpr explicit generator(std::uint64_t seed = 0, std::uint64_t position = 0) : seed_(seed), position_(position) {}

  constexpr std::uint64_t seed() const { return seed_; }
  constexpr std::uint64_t position() const { return position_; }

  // Takes the next n places of the stream and returns the first of them.
  constexpr std::uint64_t draw(index n) {
    const std::uint64_t first = position_;
    position_ += static_cast<std::uint64_t>(n);
    return first;
  }

  friend constexpr bool operator==(const generator&, const generator&) = default;

 private:
  std::uint64_t seed_;
  std::uint64_t position_;
};

namespace runtime {

enum class stream : unsigned char { uniform_draws, normal_draws, exponential_draws, integer_draws };
// out[i] = draw number position + i of a stream, of f32 or f64, for integers u32 or u64 below `range`.
BROADLOOM_API void fill_stream(stream what, bool wide, void* out, index n, std::uint64_t range, std::uint64_t seed,
                               std::uint64_t position, int threads);

// Uniform in [0, 1): multiples of 2^-24 for float, 2^-53 for double.
inline void fill_uniform(float* out, index n, std::uint64_t seed, std::uint64_t position, int threads = 0) {
  fill_stream(stream::uniform_draws, false, out, n, 0, seed, position, threads);
}
inline void fill_uniform(double* out, index n, std::uint64_t seed, std::uint64_t position, int threads = 0) {
  fill_stream(stream::uniform_draws, true, out, n, 0, seed, position, threads);
}
// The same with the standard normal distribution. Bits are the same on every processor with FMA.
inline void fill_normal(float* out, index n, std::uint64_t seed, std::uint64_t position, int threads = 0) {
  fill_stream(stream::normal_draws, false, out, n, 0, seed, position, threads);
}
inline void fill_normal(double* out, index n, std::uint64_t seed, std::uint64_t position, int threads = 0) {
  fill_stream(stream::normal_draws, true, out, n, 0, seed, position, threads);
}

}  // namespace runtime
}  // namespace broadloom
