// From a table to an archive: reads a CSV file with gaps, fills them, computes, and writes what NumPy reads. Give it
// the names of both files.
#include <broadloom/broadloom.hpp>
#include <broadloom/io/csv.hpp>
#include <broadloom/io/npz.hpp>

#include <cmath>
#include <iostream>

namespace bl = broadloom;

int main(int argc, char** argv) {
  const std::string from = argc > 1 ? argv[1] : "examples/data/plants.csv", to = argc > 2 ? argv[2] : "plants.npz";
  try {
    // All columns but the first, which numbers the plots; an empty field is read as NaN.
    const bl::csv_options<double> weeks{
        .skip_rows = 1, .header = true, .columns = {1, 2, 3, -1}, .missing = std::nan("")};
    const auto heights = bl::read_csv<double>(from, weeks);
    std::cout << "columns:";
    for (const auto& name : bl::read_csv_header(from, weeks)) std::cout << " [" << name << "]";
    std::cout << "\n" << heights << "\n\n";

    // The mean of each week over the plots that were measured, and each plot against it.
    const auto there = bl::logical_not(bl::isnan(heights));
    const bl::tensor mean = bl::sum(bl::where(there, heights, 0.0), bl::axes<0>) / bl::sum(there, bl::axes<0>);
    const bl::tensor ratio = bl::where(there, heights / mean, 1.0);
    std::cout << "mean: " << mean << "\n";

    bl::write_npz(to,
                  {{"mean", mean},
                   {"ratio", ratio},
                   {"growth", bl::slice(mean, bl::range(1, bl::end)) - bl::slice(mean, bl::range(0, -1))}},
                  bl::compressed);
    const auto archive = bl::open_npz(to);
    for (const auto& name : archive.names())
      bl::visit_ranks<1, 2>(archive.read_any<double>(name), [&](const auto& a) {
        std::cout << name << " " << bl::to_string(a.shape()) << ", largest " << bl::amax(a).item() << "\n";
      });

    // What is wrong with a file is said by line and column.
    bl::read_csv<double>(from, {.skip_rows = 2});
  } catch (const bl::io_error& e) {
    std::cout << e.what() << "\n";
  }
}
