// Handwritten digits by broadcasting: k nearest neighbours and k-means, as one writes them with NumPy. The distances of
// all pairs are one expression that keeps no array of differences.
//   digits [FOLDER]      prints accuracies and writes confusion.png and centroids.png into the folder
#include <broadloom/broadloom.hpp>

#include <cstdio>
#include <exception>
#include <filesystem>

#include "png.hpp"

namespace bl = broadloom;
using namespace bl::literals;

namespace {

using images = bl::dtensor<float, 2>;         // one 8 x 8 image a row
using labels = bl::dtensor<std::int64_t, 1>;  // the number each one shows

// Squared distances of every row of x to every row of y: (n, d) and (m, d) give (n, m).
inline constexpr auto distances = bl::function(
    [](auto x, auto y) { return bl::sum(bl::square(bl::unsqueeze(x, 1_c) - bl::unsqueeze(y, 0_c)), bl::axes<2>); });

// True where column j is the row's number: (n) gives (n, count).
inline constexpr auto one_of = bl::function(
    [](auto number, bl::index count) { return bl::eq(bl::unsqueeze(number, 1_c), bl::arange<std::int64_t>(count)); });

// What most of the k nearest images show.
labels nearest_neighbours(const images& x, const images& known, const labels& shown, int k) {
  bl::dtensor<float, 2> d = distances(x, known);
  bl::dtensor<float, 2> votes = bl::zeros<float>(x.shape()[0], 10_c);
  const bl::dtensor<float, 2> ballot = bl::cast<float>(one_of(shown, 10));
  for (int i = 0; i < k; ++i) {
    const labels nearest = bl::argmin(d, bl::axes<1>);
    const auto chosen = one_of(nearest, known.shape()[0]);
    votes += bl::sum(bl::unsqueeze(bl::cast<float>(chosen), 2_c) * ballot, bl::axes<1>);
    d = bl::where(chosen, __builtin_huge_valf(), d);
  }
  return bl::argmax(votes, bl::axes<1>);
}

struct clusters {
  images centres;
  labels of;  // which one each image belongs to
  float inertia;
  int rounds;
};
// Lloyd's algorithm from given centres until no image changes its cluster.
clusters k_means(const images& x, const images& first) {
  clusters c{first, labels(), 0, 0};
  for (labels before;; before = c.of) {
    const bl::dtensor<float, 2> d = distances(x, c.centres);
    c.of = bl::argmin(d, bl::axes<1>);
    c.inertia = bl::eval(bl::sum(bl::amin(d, bl::axes<1>))).item();
    if (c.rounds > 0 && bl::eval(bl::all(bl::eq(c.of, before))).item()) return c;
    ++c.rounds;
    const auto member = bl::cast<float>(one_of(c.of, c.centres.shape()[0]));  // (n, k)
    c.centres = bl::sum(bl::unsqueeze(member, 2_c) * bl::unsqueeze(x, 1_c), bl::axes<0>) /
                bl::unsqueeze(bl::sum(member, bl::axes<0>), 1_c);
  }
}

// How often number i was taken for number j.
bl::dtensor<std::int64_t, 2> confusion(const labels& shown, const labels& taken) {
  return bl::count_nonzero(
      bl::logical_and(bl::unsqueeze(one_of(shown, 10), 2_c), bl::unsqueeze(one_of(taken, 10), 1_c)), bl::axes<0>);
}

double share(const labels& x, const labels& y) { return bl::eval(bl::mean(bl::eq(x, y), bl::of_type<double>)).item(); }

// Grey values from 0 to 1 as a picture, each a square of s x s pixels.
template <class E>
void write(const std::filesystem::path& file, const E& grey, bl::index s) {
  const bl::index h = grey.shape()[0], w = grey.shape()[1];
  example::picture p{h * s, w * s, 1, {}};
  p.pixels.resize(static_cast<std::size_t>(p.height * p.width));
  const auto squares = bl::expand(bl::unsqueeze(bl::unsqueeze(grey, 1_c), 3_c), bl::make_shape(h, s, w, s));
  bl::from(p.pixels, bl::dshape<4>(h, s, w, s)) = bl::cast<std::uint8_t>(bl::round(squares * 255));
  example::write_png(file, p);
}

void run(const std::filesystem::path& folder) {
  const example::picture file = example::read_png(EXAMPLE_DIGITS, 1);
  const auto table = bl::from(file.pixels, bl::dshape<2>(file.height, file.width));
  const images x = bl::cast<float>(bl::slice(table, bl::all, bl::range(0, 64)));
  const labels shown = bl::cast<std::int64_t>(bl::select(table, 1, 64));
  std::printf("%td handwritten digits of %td pixels\n\n", x.shape()[0], x.shape()[1]);

  const images known = bl::slice(x, bl::range(0, 1000)), unknown = bl::slice(x, bl::range(1000, bl::end));
  const labels known_shown = bl::slice(shown, bl::range(0, 1000)),
               unknown_shown = bl::slice(shown, bl::range(1000, bl::end));
  labels taken;
  for (const int k : {5, 3, 1}) {
    taken = nearest_neighbours(unknown, known, known_shown, k);
    std::printf("%d nearest of 1000: %.2f %% of %td are right\n", k, 100 * share(taken, unknown_shown), taken.size());
  }
  const bl::dtensor<std::int64_t, 2> table_of_errors = confusion(unknown_shown, taken);
  std::printf("\nwith one neighbour, numbers (rows) taken for (columns):\n%s\n",
              bl::to_string(table_of_errors).c_str());
  write(folder / "confusion.png", bl::sqrt(table_of_errors / bl::amax(table_of_errors)), 24);

  // The first ten images are one of each number.
  const clusters c = k_means(x, images(bl::slice(x, bl::range(0, 10))));
  const bl::dtensor<std::int64_t, 2> both = confusion(shown, c.of);
  const labels name = bl::argmax(both, bl::axes<0>);  // what most images of a cluster show
  const double right =
      bl::eval(bl::sum(bl::amax(both, bl::axes<0>), bl::of_type<double>)).item() / static_cast<double>(x.shape()[0]);
  std::printf("\n10 means after %d rounds: inertia %.0f, they show %s, %.2f %% of their images do\n", c.rounds,
              static_cast<double>(c.inertia), bl::to_string(name).c_str(), 100 * right);
  // five images side by side, twice: (10, 64) -> (2, 5, 8, 8) -> (2, 8, 5, 8) -> (16, 40)
  write(folder / "centroids.png",
        bl::reshape(bl::permute(bl::reshape(c.centres / 16.0f, 2, 5, 8, 8), 0, 2, 1, 3), 16, 40), 12);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc > 1 ? argv[1] : ".");
  } catch (const std::exception& e) {
    std::fprintf(stderr, "digits: %s\n", e.what());
    return 1;
  }
}
