// PNG files through libpng's simplified interface, with the checks that interface leaves to its caller.
#include "png.hpp"

#include <png.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <broadloom/core/error.hpp>

namespace example {
namespace {

namespace fs = std::filesystem;
using broadloom::index;
using bytes = std::vector<std::uint8_t>;

constexpr std::string_view signature{"\x89PNG\r\n\x1a\n", 8};
constexpr std::size_t largest_file = std::size_t{1} << 30;

[[noreturn]] void cannot_read(const fs::path& file, const std::string& reason) {
  throw broadloom::io_error("cannot read " + file.string() + ": " + reason);
}
[[noreturn]] void cannot_write(const fs::path& file, const std::string& reason) {
  throw broadloom::io_error("cannot write " + file.string() + ": " + reason);
}

std::string last_system_error() { return std::generic_category().message(errno); }

struct open_file {
  std::FILE* handle;
  explicit open_file(std::FILE* f) : handle(f) {}
  open_file(const open_file&) = delete;
  open_file& operator=(const open_file&) = delete;
  ~open_file() {
    if (handle != nullptr) std::fclose(handle);
  }
};

bytes read_whole(const fs::path& file) {
  std::error_code ignored;
  if (fs::is_directory(file, ignored)) cannot_read(file, "it is a folder");
  const open_file f(std::fopen(file.c_str(), "rb"));
  if (f.handle == nullptr) cannot_read(file, last_system_error());
  bytes content;
  std::uint8_t block[1 << 16];
  while (const std::size_t n = std::fread(block, 1, sizeof block, f.handle)) {
    if (content.size() + n > largest_file) cannot_read(file, "it is larger than one GiB");
    content.insert(content.end(), block, block + n);
  }
  if (std::ferror(f.handle) != 0) cannot_read(file, last_system_error());
  return content;
}

bool begins_with(const bytes& content, std::string_view start, std::size_t at = 0) {
  return content.size() >= at + start.size() && std::memcmp(content.data() + at, start.data(), start.size()) == 0;
}

// What the file is instead, as far as its first bytes tell.
std::string other_kind(const bytes& content) {
  if (begins_with(content, "\xff\xd8\xff")) return " but a JPEG picture";
  if (begins_with(content, "GIF8")) return " but a GIF picture";
  if (begins_with(content, "RIFF") && begins_with(content, "WEBP", 8)) return " but a WebP picture";
  if (begins_with(content, "BM")) return " but a BMP picture";
  if (begins_with(content, std::string_view("II*\0", 4)) || begins_with(content, std::string_view("MM\0*", 4)))
    return " but a TIFF picture or a camera's raw file";
  return "";
}

std::uint32_t big_endian(const std::uint8_t* p) {
  return std::uint32_t{p[0]} << 24 | std::uint32_t{p[1]} << 16 | std::uint32_t{p[2]} << 8 | p[3];
}

// Walks the chunks to the end mark; libpng itself would not miss the last of them.
void check_complete(const fs::path& file, const bytes& content) {
  std::size_t at = signature.size();
  for (;;) {
    if (content.size() - at < 12) cannot_read(file, "the file is cut short");
    const std::size_t length = big_endian(content.data() + at);
    if (length > content.size() - at - 12) cannot_read(file, "the file is damaged or cut short");
    if (begins_with(content, "IEND", at + 4)) return;
    at += 12 + length;
  }
}

void check_size(const fs::path& file, const bytes& content) {
  // The header is the first chunk: length, "IHDR", width, height.
  constexpr std::size_t header = 8;
  if (!begins_with(content, "IHDR", header + 4)) cannot_read(file, "the file is damaged: its header is missing");
  const index width = big_endian(content.data() + header + 8);
  const index height = big_endian(content.data() + header + 12);
  const std::string size = std::to_string(width) + " x " + std::to_string(height) + " pixels";
  if (width == 0 || height == 0) cannot_read(file, "the picture is empty (" + size + ")");
  if (width > largest_picture / height)
    cannot_read(file, "the picture is too large: " + size + ", and " + std::to_string(largest_picture) +
                          " in all is the limit");
}

// libpng's picture description, freed in every case.
struct description : png_image {
  description() : png_image() { version = PNG_IMAGE_VERSION; }
  description(const description&) = delete;
  description& operator=(const description&) = delete;
  ~description() { png_image_free(this); }
};

png_uint_32 format_of(index channels) { return channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB; }

}  // namespace

picture read_png(const fs::path& file, index channels) {
  const bytes content = read_whole(file);
  if (content.empty()) cannot_read(file, "the file is empty");
  if (!begins_with(content, signature)) cannot_read(file, "it is not a PNG picture" + other_kind(content));
  check_complete(file, content);
  check_size(file, content);

  description d;
  const auto damaged = [&] { cannot_read(file, std::string("the file is damaged (") + d.message + ")"); };
  if (png_image_begin_read_from_memory(&d, content.data(), content.size()) == 0) damaged();
  if ((d.format & PNG_FORMAT_FLAG_LINEAR) != 0) d.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
  d.format = format_of(channels);
  picture p{static_cast<index>(d.height), static_cast<index>(d.width), channels, {}};
  p.pixels.resize(static_cast<std::size_t>(p.height * p.width * p.channels));
  const png_color white{255, 255, 255};
  if (png_image_finish_read(&d, &white, p.pixels.data(), 0, nullptr) == 0) damaged();
  return p;
}

void write_png(const fs::path& file, const picture& p) {
  if (p.height <= 0 || p.width <= 0 || (p.channels != 1 && p.channels != 3) ||
      p.pixels.size() != static_cast<std::size_t>(p.height * p.width * p.channels))
    cannot_write(file, "the picture's size does not fit its pixels");

  std::error_code unknown;
  const fs::file_status present = fs::status(file, unknown);
  if (fs::exists(present) && !fs::is_regular_file(present))
    cannot_write(file, "something that is not a file has this name");

  fs::path unfinished = file;
  unfinished += ".part";
  struct remove_at_end {
    const fs::path& name;
    ~remove_at_end() {
      std::error_code ignored;
      fs::remove(name, ignored);
    }
  };
  open_file f(std::fopen(unfinished.c_str(), "wb"));
  if (f.handle == nullptr) cannot_write(file, last_system_error());
  const remove_at_end cleanup{unfinished};

  description d;
  d.width = static_cast<png_uint_32>(p.width);
  d.height = static_cast<png_uint_32>(p.height);
  d.format = format_of(p.channels);
  if (png_image_write_to_stdio(&d, f.handle, 0, p.pixels.data(), 0, nullptr) == 0) cannot_write(file, d.message);
  // A full disk may show only now.
  if (std::fclose(std::exchange(f.handle, nullptr)) != 0) cannot_write(file, last_system_error());
  std::error_code error;
  fs::rename(unfinished, file, error);
  if (error) cannot_write(file, error.message());
}

}  // namespace example
