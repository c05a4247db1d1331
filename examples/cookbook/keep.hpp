// What the programs of the cookbook have in common: keep("name", x) prints what x is, and run(f) is the part that
// bench/cookbook measures.
//
//   PROGRAM [FOLDER [--time]]    in FOLDER, arrays are written to name.npy, images to name.png, trees to name.svg; with
//                                --time, sizes are large, and the least time of several runs is printed
#pragma once

#include <broadloom/broadloom.hpp>
#include <broadloom/eval/draw.hpp>
#include <broadloom/io/npy.hpp>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>

#ifdef COOKBOOK_PNG
#include "../png.hpp"
#endif

class keep {
 public:
  keep(int argc, char** argv)
      : folder_(argc > 1 ? argv[1] : ""), is_timed_(argc > 2 && std::string_view(argv[2]) == "--time") {}

  broadloom::index size(broadloom::index small, broadloom::index large) const { return is_timed_ ? large : small; }

  // What f returns.
  template <class F>
  auto run(const F& f) const {
    if (is_timed_) {
      using clock = std::chrono::steady_clock;
      double least = 1e30;
      for (int k = 0; k < 5; ++k) {
        const auto start = clock::now();
        static_cast<void>(f());
        least = std::min(least, std::chrono::duration<double>(clock::now() - start).count());
      }
      std::cout << "seconds " << least << '\n';
    }
    return f();
  }

  template <class X>
  void operator()(const std::string& name, const X& x) const {
    const broadloom::tensor value = x;
    std::cout << name << ' ' << value.shape() << ", from " << +broadloom::amin(value).item() << " to "
              << +broadloom::amax(value).item() << '\n';
    if (!folder_.empty()) broadloom::write_npy(folder_ + "/" + name + ".npy", value);
  }

  // The tree of an expression.
  template <class E>
  void tree(const std::string& name, const E& e) const {
    if (!folder_.empty()) std::ofstream(folder_ + "/" + name + ".svg") << broadloom::draw(e);
  }

  // A matrix as an image, from dark blue for its least element to yellow for its greatest; four pixels an element.
  template <class X>
  void image([[maybe_unused]] const std::string& name, [[maybe_unused]] const X& x) const {
#ifdef COOKBOOK_PNG
    if (folder_.empty()) return;
    namespace bl = broadloom;
    constexpr bl::index zoom = 4;
    const bl::tensor t = bl::cast<float>(x);
    const float low = bl::amin(t).item(), high = bl::amax(t).item();
    const bl::tensor shade = (t - low) / (high > low ? high - low : 1.0f);
    const bl::tensor red = bl::square(shade), green = bl::sqrt(shade) * 0.9f, blue = 0.35f + 0.3f * shade * (1 - shade);
    example::picture p{zoom * t.shape()[0], zoom * t.shape()[1], 3, {}};
    for (bl::index r = 0; r < p.height; ++r)
      for (bl::index c = 0; c < p.width; ++c)
        for (const auto* channel : {&red, &green, &blue})
          p.pixels.push_back(static_cast<std::uint8_t>(255 * (*channel)(r / zoom, c / zoom)));
    example::write_png(folder_ + "/" + name + ".png", p);
#endif
  }

 private:
  std::string folder_;
  bool is_timed_;
};
