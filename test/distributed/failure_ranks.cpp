// Errors: all ranks throw the same one, or all end with the text of the one that threw. The first argument says which.
#include "ranks.hpp"

#include <broadloom/eval/stop.hpp>

using namespace bl::literals;

int main(int argc, char** argv) {
  return dist::run(argc, argv, [&](const dist::communicator& c) {
    const std::string which = argc > 1 ? argv[1] : "";
    const dist::block_map m(c, 10);
    dist::dtensor<float, 2> x(m, 2);
    const int last = c.size() - 1;
    const auto on_last = [&](float v) {
      if (c.rank() == last) throw std::runtime_error("a callable's own error");
      return v;
    };
    if (which == "alone") {
      if (c.rank() == last) throw std::runtime_error("thrown between two calls");
      for (;;) c.agree(nullptr);  // the others wait for it
    }
    if (which == "uncaught") dist::eval(bl::pointwise(on_last, x));
    const auto expect = [&](const char* what, const std::string& text, const auto& f) {
      std::string found = "nothing";
      try {
        f();
      } catch (const std::exception& e) {
        found = e.what();
      }
      ranks::check(found.find(text) != std::string::npos, std::string(what) + " gave: " + found, c);
    };
    const std::string by = "rank " + std::to_string(last) + ": a callable's own error";
    expect("a callable that throws on one rank", by, [&] { dist::eval(bl::pointwise(on_last, x)); });
    expect("the same in a sum", by, [&] { dist::eval(bl::sum(bl::pointwise(on_last, x), 0_c)); });
    expect("the same in argmax", by, [&] { dist::eval(bl::argmax(bl::pointwise(on_last, x), 0_c)); });
    // All go on together.
    ranks::check(bl::eval(dist::eval(bl::sum(x + 1)))() == 20, "a sum after errors", c);

    std::vector<bl::index> counts(static_cast<std::size_t>(c.size()));
    counts.back() = 10;
    const dist::block_map other(c, counts);
    dist::dtensor<float, 2> y(other, 2);
    if (c.size() > 1) expect("other blocks", to_string(other) + " and " + to_string(m), [&] { dist::eval(x + y); });
    dist::dtensor<float, 2> z(dist::block_map(c, 11), 2);
    expect("other rows", "The size of tensor a (10) must match the size of tensor b (11)", [&] { dist::eval(x + z); });
    expect("a map of a rank too many", "blocks for",
           [&] { dist::block_map(c, std::vector<bl::index>(static_cast<std::size_t>(c.size()) + 1)); });
    expect("a flipped batch", "moves rows", [&] { dist::eval(bl::flip(x, 0_c)); });
    expect("a shift without halo", "a halo of 0 rows", [&] { dist::eval(x.shift(1)); });
    dist::dtensor<float, 2> h(m, dist::halo{1}, 2);
    expect("a shift without exchange", "exchange() was not called", [&] { dist::eval(h.shift(1)); });
    dist::exchange(h);
    dist::eval(h.shift(1));
    dist::assign(h, h + 1);
    expect("a shift after writing", "exchange() was not called", [&] { dist::eval(h.shift(1)); });
    expect("no elements", "non-zero size", [&] {
      dist::dtensor<float, 2> none(dist::block_map(c, 0), 2);
      dist::eval(bl::amax(none, 0_c));
    });
    expect("a halo wider than a periodic array", "a periodic halo of 12", [&] {
      dist::dtensor<float, 2> wide(m, dist::halo{12}, 2);
      dist::exchange(wide, dist::edge::periodic);
    });
    expect("redistribution to other rows", "redistribute: from", [&] { dist::redistribute(x, dist::block_map(c, 9)); });
    expect("scatter of other rows", "rank 0: scatter: an array of 3 rows",
           [&] { dist::scatter(bl::dtensor<float, 2>(3, 2), m); });
#if !defined(BROADLOOM_ADDRESS_SANITIZER)  // which ends the program instead of throwing std::bad_alloc
    expect("too much memory on one rank", "rank", [&] {
      std::vector<bl::index> much(static_cast<std::size_t>(c.size()));
      much.back() = bl::index{1} << 50;
      dist::dtensor<float, 1> huge(dist::block_map(c, much));
    });
#endif
    ranks::finish(c);
  });
}
