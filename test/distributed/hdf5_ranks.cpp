// HDF5 files over ranks: what all ranks write is the whole array, each reads its rows of it, and errors are thrown on
// all.
#include "ranks.hpp"

#include <broadloom/distributed/hdf5.hpp>
#include <broadloom/io/hdf5.hpp>

#include <complex>
#include <filesystem>

namespace {

std::string folder;

template <class T>
bl::dtensor<T, 3> numbers(bl::index rows) {
  bl::dtensor<T, 3> x(rows, 4, 5);
  for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(static_cast<signed char>(i * 7 % 251));
  return x;
}

// Written by one map, read by another, and by one process alone.
template <class T>
void there_and_back(const dist::communicator& c, const dist::block_map& m, const dist::block_map& other,
                    const bl::hdf5::layout& how) {
  const std::string file = folder + "/x.h5";
  const bl::dtensor<T, 3> whole = numbers<T>(m.rows());
  dist::dtensor<T, 3> x(m, dist::halo{2}, 4, 5);
  for (bl::index i = 0; i < m.count() * 20; ++i) x.rows().data[i] = whole.data()[m.first() * 20 + i];
  dist::hdf5::write(file, "/group/x", x, how);
  const bl::dtensor<T, 3> alone = bl::hdf5::open<T, 3>(file, "/group/x");
  ranks::same("a file of all ranks, read by one", alone, whole, c);
  ranks::same("rows of all ranks", dist::hdf5::read<T, 3>(other, file, "/group/x"), whole, c);
  ranks::same("rows by a usual map", dist::hdf5::read<T, 3>(c, file, "/group/x", dist::halo{1}), whole, c);
  dist::tensor<T, bl::shape<bl::size<"time">, 4, bl::dyn>> named(other, 5);
  dist::hdf5::read_into(named, file, "/group/x");
  ranks::same("rows with another name", named, whole, c);
}

void errors(const dist::communicator& c) {
  const std::string file = folder + "/errors.h5";
  const auto expect = [&](const char* what, const std::string& text, const auto& f) {
    std::string found = "nothing";
    try {
      f();
    } catch (const dist::error& e) {
      found = e.what();
    }
    ranks::check(found.find(text) != std::string::npos, std::string(what) + " gave: " + found, c);
  };
  const dist::block_map m(c, 6);
  dist::dtensor<float, 2> x(m, 3);
  dist::hdf5::write(file, "/x", x + 1);
  const std::string name = "\"/x\" of \"" + file + "\"";
  expect("no file", "rank 0: hdf5::read: ", [&] { dist::hdf5::read<float, 2>(c, folder + "/none.h5", "/x"); });
  expect("no set", "object 'y' doesn't exist", [&] { dist::hdf5::read<float, 2>(c, file, "/y"); });
  expect("other elements", name + " holds f32, not f64", [&] { dist::hdf5::read<double, 2>(c, file, "/x"); });
  expect("another rank", name + " has rank 2, not 1", [&] { dist::hdf5::read<float, 1>(c, file, "/x"); });
  expect("other rows", name + " has 6 rows, and the map is of 7 rows",
         [&] { dist::hdf5::read<float, 2>(dist::block_map(c, 7), file, "/x"); });
  dist::dtensor<float, 2> wide(m, 4);
  expect("other columns", "has extent 3 along axis 1, and the array 4",
         [&] { dist::hdf5::read_into(wide, file, "/x"); });
  expect("no folder", "rank 0: hdf5::write: ", [&] { dist::hdf5::write(folder + "/no/x.h5", "/x", x); });
  expect("chunks of another rank", "hdf5::write: chunks have 1 extents, and the set 2",
         [&] { dist::hdf5::write(file, "/x", x, {.chunks = {1}}); });
  expect("a set that is there", "name already exists", [&] { dist::hdf5::add(file, "/x", x); });
  expect("a callable that throws on one rank", "no more", [&] {
    dist::hdf5::write(file, "/x",
                      bl::pointwise(
                          [&](float v) {
                            if (c.rank() == m.owner(5)) throw std::runtime_error("no more");
                            return v;
                          },
                          x));
  });
  // What was there is there, and nothing beside it.
  ranks::same("the old file", dist::hdf5::read<float, 2>(c, file, "/x"), bl::tensor(bl::ones<float>(6, 3)), c);
  dist::hdf5::add(file, "/z", x + 2, {.chunks = {2, 2}, .compression = 1});
  ranks::same("a set more", bl::eval(bl::hdf5::open<float, 2>(file, "/z")), bl::eval(bl::ones<float>(6, 3) * 2), c);
  c.together([] {});
  if (c.rank() == 0)
    for (const auto& left : std::filesystem::directory_iterator(folder))
      ranks::check(left.path().extension() == ".h5", "left over: " + left.path().string(), c);
}

}  // namespace

int main(int argc, char** argv) {
  return dist::run(argc, argv, [&](const dist::communicator& c) {
    folder = argc > 1 ? argv[1] : ".";
    for (const bl::index rows : {0, 3, 700}) {
      const auto all = ranks::maps(c, rows);
      for (std::size_t i = 0; i < all.size(); ++i) {
        const dist::block_map& other = all[(i + 1) % all.size()];
        ranks::circumstances = to_string(all[i]);
        there_and_back<float>(c, all[i], other, {});
        if (rows > 0) there_and_back<float>(c, all[i], other, {.chunks = {3, 2, 5}, .compression = i % 2 == 0 ? 2 : 0});
      }
    }
    const dist::block_map m(c, 70);
    there_and_back<bool>(c, m, m, {});
    there_and_back<std::int16_t>(c, m, m, {.chunks = {}, .compression = 1});
    there_and_back<std::complex<double>>(c, m, m, {.chunks = {64, 4, 5}, .compression = 0});
    // As if a count of MPI had 7 bits, and then fewer than an element's: boxes of some rows, of a part of a row, of one
    // element.
    for (const int most : {100, 30, 3}) {
      ranks::circumstances = "counts of at most " + std::to_string(most);
      c.largest_count(most);
      const dist::block_map few(c, most > 30 ? 13 : 5);
      there_and_back<float>(c, few, few, {});
      there_and_back<float>(c, few, few, {.chunks = {2, 4, 5}, .compression = 1});
    }
    c.largest_count(INT_MAX);
    ranks::circumstances = "errors";
    errors(c);
    ranks::finish(c);
  });
}
