// The demonstration: a photograph through six broadcast pipelines, each one Broadloom expression evaluated as one loop.
// `demo [PHOTO.png [FOLDER]]` reads the photograph (examples/data/coffee.png unless given), prints how each expression
// is resolved, planned and timed, and writes the pictures to FOLDER (demo-out unless given).
#include <broadloom/broadloom.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <limits>
#include <new>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "photograph.hpp"
#include "png.hpp"
#include "show.hpp"
#include "stepwise.hpp"

namespace example {
namespace {

using namespace bl::literals;
namespace fs = std::filesystem;

constexpr bl::tensor<float, bl::shape<3>> ink{22, 28, 66};
constexpr bl::tensor<float, bl::shape<3>> paper{255, 228, 181};

// --- the pipelines ---
// Each returns an expression: nothing is computed, shapes are resolved and checked. SHOW also notes the line as text.

#define SHOW(...) \
  __VA_ARGS__;    \
  source.push_back(#__VA_ARGS__)

// The three channels as (h, w, 1): views of the same memory.
template <int C>
auto channel(const photograph& photo) {
  return bl::narrow(photo.pixels, 2_c, boost::hana::int_c<C>, 1_c);
}

// How bright each pixel looks, (h, w, 1).
auto brightness(const photograph& photo, lines& source) {
  SHOW(const auto red = channel<0>(photo));
  SHOW(const auto green = channel<1>(photo));
  SHOW(const auto blue = channel<2>(photo));
  SHOW(const auto bright = 0.299F * red + 0.587F * green + 0.114F * blue);
  return bright;
}

// White balance: each channel is normalised, then given a mean and a spread nearer to those of the others.
auto balance(const photograph& photo, lines& source) {
  const auto& pixels = photo.pixels;
  const auto& mean = photo.mean;
  const auto& deviation = photo.deviation;
  const auto& spread = photo.spread;
  const auto& level = photo.level;
  SHOW(const auto balanced = (pixels - mean) / deviation * spread + level);
  return balanced;
}

// The light a lens loses towards the corners, by the fourth power of the cosine.
auto vignette(const photograph& photo, lines& source) {
  const auto& pixels = photo.pixels;
  const auto& y = photo.y;
  const auto& x = photo.x;
  SHOW(const auto falloff = bl::square(1 + 0.4F * (bl::square(y) + bl::square(x))));
  SHOW(const auto darkened = pixels / falloff);
  return darkened;
}

// Colour inside an ellipse with a soft edge, grey outside: a blend by a mask.
auto spotlight(const photograph& photo, lines& source) {
  const auto& pixels = photo.pixels;
  const auto& y = photo.y;
  const auto& x = photo.x;
  const auto bright = brightness(photo, source);
  SHOW(const auto grey = 0.75F * bright);
  SHOW(const auto outside = bl::sigmoid(12 * (bl::square(y) + bl::square(x) - 0.6F)));
  SHOW(const auto blended = bl::addcmul(pixels, outside, grey - pixels));
  return blended;
}

// Two inks: the darkest becomes the first, the brightest the second.
auto duotone(const photograph& photo, lines& source) {
  const auto bright = brightness(photo, source);
  SHOW(const auto toned = bl::lerp(ink, paper, bright / 255));
  return toned;
}

// A drawing in coloured pencil: dark where neighbours differ, from slices shifted against each other.
auto pencil(const photograph& photo, lines& source) {
  const auto& pixels = photo.pixels;
  SHOW(const auto inner = bl::range(1, -1));
  SHOW(const auto left = bl::slice(pixels, inner, bl::range(0, -2)));
  SHOW(const auto right = bl::slice(pixels, inner, bl::range(2, bl::end)));
  SHOW(const auto above = bl::slice(pixels, bl::range(0, -2), inner));
  SHOW(const auto below = bl::slice(pixels, bl::range(2, bl::end), inner));
  SHOW(const auto across = bl::cast<float>(right) - bl::cast<float>(left));
  SHOW(const auto down = bl::cast<float>(below) - bl::cast<float>(above));
  SHOW(const auto drawing = 250 - 1.5F * bl::sqrt(bl::square(across) + bl::square(down)));
  return drawing;
}

// The nearest palette colour's number, (h, w, 1): a fold over the palette's rows that builds one tree. A number and its
// squared distance travel together, distance * 8 + number, exact in a float; the smallest such value is the nearest
// colour's.
template <int K>
auto nearest_from(const photograph& photo, lines& source) {
  constexpr auto k = boost::hana::int_c<K>;
  const auto& pixels = photo.pixels;
  const auto& palette = photo.palette;
  SHOW(const auto squares = bl::square(pixels - bl::select(palette, 0_c, k)));
  SHOW(const auto distance = bl::narrow(squares, 2_c, 0_c, 1_c) + bl::narrow(squares, 2_c, 1_c, 1_c) +
                             bl::narrow(squares, 2_c, 2_c, 1_c));
  SHOW(const auto candidate = distance * 8 + K);
  if constexpr (K + 1 < palette_size) {
    lines unseen;
    SHOW(const auto nearest = bl::minimum(candidate, nearest_from<K + 1>(photo, unseen)));
    return nearest;
  } else {
    return candidate;
  }
}

auto quantise(const photograph& photo, lines& source) {
  static_assert(palette_size == 8);
  const auto nearest = nearest_from<0>(photo, source);
  SHOW(const auto number = bl::cast<std::int32_t>(nearest) & 7);
  return number;
}

#undef SHOW

// --- running one ---

// Brightness 0 to 255 as bytes, rounded. Numbers of colours are left as they are.
template <class E>
auto as_image(const E& e) {
  if constexpr (std::is_same_v<typename E::value_type, std::int32_t>)
    return e;
  else
    return bl::cast<std::uint8_t>(bl::clamp(e, 0, 255) + 0.5F);
}

// The largest difference between two arrays, or 0 if they agree in every bit.
template <class T>
double largest_difference(const std::vector<T>& a, const std::vector<T>& b) {
  if (std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0) return 0;
  double largest = std::numeric_limits<double>::min();
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(double(a[i]) - double(b[i])));
  return largest;
}

struct finished {
  std::string name;
  picture result;
};

class studio {
 public:
  explicit studio(const picture& p) : photo_(p) {
    names_.add("pixels", photo_.pixels);
    names_.add("mean", photo_.mean);
    names_.add("deviation", photo_.deviation);
    names_.add("spread", photo_.spread);
    names_.add("level", photo_.level);
    names_.add("palette", photo_.palette);
    names_.add("y", photo_.y);
    names_.add("x", photo_.x);
    names_.add("ink", ink);
    names_.add("paper", paper);
  }

  // Prints everything about one pipeline and keeps its picture.
  template <class Pipeline>
  void develop(const char* name, const char* purpose, const Pipeline& pipeline) {
    lines source;
    const auto expression = pipeline(photo_, source);
    const auto image = as_image(expression);
    std::printf("\n== %s: %s\n\n", name, purpose);
    for (const std::string& line : source) print_source(line);
    std::printf("\n  shapes, aligned at the last axis\n");
    print_shapes(expression, names_);

    using pixel = typename decltype(image)::value_type;
    std::vector<pixel> fused(static_cast<std::size_t>(image.size()));
    std::vector<pixel> stepped(fused.size());
    const auto out = planes(fused.data(), image.shape());
    const bl::explanation plan = bl::explain(out, image);
    std::printf("\n  plan\n");
    print_plan(bl::to_string(plan));

    {
      const stepwise steps(planes(stepped.data(), image.shape()), image);
      const medians time = measure_in_turn([&] { bl::assign(out, image); }, [&] { steps.run(); });
      std::printf("\n  time, median of %d rounds in turn\n", time.rounds);
      std::printf("    as one loop               %8.3f ms, %.1f MB of temporaries\n", time.first,
                  double(plan.temporary_bytes) / 1e6);
      std::printf(
          "    one operation at a time   %8.3f ms, %.1f MB of temporaries, %zu operations: %.1f times as long\n",
          time.second, double(steps.temporary_bytes()) / 1e6, steps.operations(), time.second / time.first);
    }

    const double difference = std::max(compare(expression), largest_difference(fused, stepped));
    if (difference == 0)
      std::printf("    results                   equal bit for bit (%td of %s)\n", expression.size(),
                  bl::to_string(bl::dtype_of<typename decltype(expression)::value_type>));
    else
      std::printf("    results                   DIFFER by up to %g\n", difference);
    all_equal_ = all_equal_ && difference == 0;
    if constexpr (std::is_same_v<pixel, std::int32_t>)
      pictures_.push_back({name, paint(fused.data(), photo_.palette, image.shape()[0], image.shape()[1])});
    else
      pictures_.push_back({name, to_picture(fused.data(), image.shape()[0], image.shape()[1], image.shape()[2])});
  }

  const std::vector<finished>& pictures() const { return pictures_; }
  bool all_equal() const { return all_equal_; }

 private:
  // Both ways once more without rounding to bytes, which would hide small differences.
  template <class E>
  static double compare(const E& expression) {
    using value = typename E::value_type;
    std::vector<value> fused(static_cast<std::size_t>(expression.size()));
    std::vector<value> steps(fused.size());
    bl::assign(planes(fused.data(), expression.shape()), expression);
    stepwise(planes(steps.data(), expression.shape()), expression).run();
    return largest_difference(fused, steps);
  }

  photograph photo_;
  array_names names_;
  std::vector<finished> pictures_;
  bool all_equal_ = true;
};

int run(const fs::path& file, const fs::path& folder) {
  const picture original = read_png(file);
  std::printf("%s: %td x %td pixels; as an array (%td, %td, 3) of u8\n", file.string().c_str(), original.width,
              original.height, original.height, original.width);
  studio s(original);
  s.develop("balance", "each channel normalised and moved towards the others, from four arrays (3)", balance);
  s.develop("vignette", "darker towards the corners, from (h, 1, 1) and (w, 1)", vignette);
  s.develop("spotlight", "colour in an ellipse, grey around it: a blend by a mask", spotlight);
  s.develop("duotone", "two inks, (3) and (3), mixed by brightness (h, w, 1)", duotone);
  s.develop("palette", "each pixel's nearest colour of a palette (8, 3)", quantise);
  if (original.height > 2 && original.width > 2)
    s.develop("pencil", "lines where neighbours differ, from slices shifted against each other", pencil);
  else
    std::printf("\n== pencil: left out, it needs at least 3 x 3 pixels\n");

  if (!s.all_equal()) throw std::runtime_error("one loop and one operation at a time gave different results");
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw bl::io_error("cannot make the folder " + folder.string() + ": " + error.message());
  std::printf("\nwritten\n");
  for (const finished& done : s.pictures()) {
    const fs::path target = folder / (done.name + ".png");
    write_png(target, done.result);
    std::printf("  %s\n", target.string().c_str());
  }
  return 0;
}

}  // namespace
}  // namespace example

int main(int argc, char** argv) {
  if (argc > 3 || (argc > 1 && argv[1][0] == '-')) {
    std::fprintf(stderr, "usage: demo [PHOTO.png [FOLDER]]\n");
    return 2;
  }
  try {
    return example::run(argc > 1 ? argv[1] : EXAMPLE_PHOTOGRAPH, argc > 2 ? argv[2] : "demo-out");
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "demo: there is not enough memory for this photograph\n");
  } catch (const std::exception& e) {
    std::fprintf(stderr, "demo: %s\n", e.what());
  }
  return 1;
}
