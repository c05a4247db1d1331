// Reads and writes 8-bit grey and RGB PNG files, for the examples; every failure is one clear line in an io_error.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include <broadloom/core/index.hpp>

namespace example {

// Rows from the top, pixels from the left, the channels of a pixel side by side: an array of shape (height, width,
// channels).
struct picture {
  broadloom::index height = 0;
  broadloom::index width = 0;
  broadloom::index channels = 3;  // 1 (grey) or 3 (red, green, blue)
  std::vector<std::uint8_t> pixels;
};

inline constexpr broadloom::index largest_picture = 50'000'000;  // pixels

// Reads any PNG as `channels` 8-bit sRGB channels: palettes are looked up, 16-bit samples rounded, transparent parts
// put on white. Throws broadloom::io_error if the file is missing, not a PNG, damaged or cut short, or too large.
picture read_png(const std::filesystem::path& file, broadloom::index channels = 3);

// Writes the file under another name and renames it, so that no half-written picture is left behind.
// Throws broadloom::io_error if that does not work.
void write_png(const std::filesystem::path& file, const picture& p);

}  // namespace example
