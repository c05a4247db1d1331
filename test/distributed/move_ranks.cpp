// What moves rows between ranks, products along the distributed axis, and what each operation sends: no more than it
// must.
#include "ranks.hpp"

#include <broadloom/index/join.hpp>

using namespace bl::literals;

namespace {

using rows_and = bl::shape<bl::size<"rows">, bl::dyn>;

bl::tensor<float, rows_and> numbers(bl::index rows, bl::index columns, float step) {
  bl::tensor<float, rows_and> x(rows, columns);
  for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = 1.0f / (static_cast<float>(i % 911) * step + 1.0f);
  return x;
}

dist::traffic total(const dist::communicator& c) {
  const dist::traffic& mine = c.counts();
  const bl::index sums[] = {mine.messages, mine.bytes, mine.agreements};
  bl::index all[3] = {};
  MPI_Allreduce(sums, all, 3, MPI_INT64_T, MPI_SUM, c.handle());
  c.reset_counts();
  return {all[0], all[1], all[2]};
}

void rows_travel(const dist::communicator& c, const dist::block_map& m, const dist::block_map& other) {
  const bl::index columns = 3, bytes = columns * 4, rows = m.rows();
  const auto x = numbers(rows, columns, 0.25f);
  const int root = c.size() - 1;
  c.reset_counts();
  const auto dx = dist::scatter(c.rank() == root ? bl::dtensor<float, 2>(x) : bl::dtensor<float, 2>(0, 0), m, root);
  dist::traffic sent = total(c);
  ranks::same("scatter", dx, x, c);
  ranks::check(sent.bytes == (rows - m.count(root)) * bytes, "scatter sends each row once", c);
  const auto back = dist::gather(dx, root);
  sent = total(c);
  ranks::check(sent.bytes == (rows - m.count(root)) * bytes, "gather sends each row once", c);
  if (c.rank() == root)
    ranks::same("gather", back, x, c);
  else
    ranks::check(back.size() == 0, "gather elsewhere", c);
  ranks::same("replicate", dist::replicate(dx), x, c);
  sent = total(c);
  ranks::check(sent.bytes == rows * bytes * (c.size() - 1), "replicate sends each row to each other rank", c);
  const auto moved = dist::redistribute(dx, other);
  sent = total(c);
  bl::index stay = 0;
  for (int r = 0; r < c.size(); ++r)
    stay += std::max(bl::index{0}, std::min(m.last(r), other.last(r)) - std::max(m.first(r), other.first(r)));
  ranks::same("redistribute", moved, x, c);
  ranks::check(moved.map() == other && sent.bytes == (rows - stay) * bytes, "redistribute sends what moves", c);

  // Pointwise, by rows and products with a whole right side: nothing.
  bl::dtensor<float, 2> w(columns, 5);
  for (bl::index i = 0; i < w.size(); ++i) w.data()[i] = static_cast<float>(i) * 0.1f - 0.7f;
  const auto layer = [&](const auto& a) { return bl::maximum(bl::matmul(a, w), 0) + 1; };
  ranks::same("matmul(x, w)", dist::eval(layer(dx), bl::par | bl::reproducible),
              bl::eval(layer(x), bl::par | bl::reproducible), c);
  ranks::same("sum of matmul", dist::eval(bl::sum(bl::matmul(dx, w), 1_c), bl::par | bl::reproducible),
              bl::eval(bl::sum(bl::matmul(x, w), 1_c), bl::par | bl::reproducible), c);
  sent = total(c);
  ranks::check(sent.messages == 0, "products by rows send nothing", c);

  // Sums: each rank sends one list of partial results for each doubling, of at most two for each power of two strips.
  const auto y = dist::eval(bl::sum(dx, 0_c));
  ranks::same("sum", y, bl::tensor(bl::sum(x, 0_c)), c);
  int doublings = 0;
  while ((1 << (doublings + 1)) <= c.size()) ++doublings;
  ranks::check(c.counts().messages <= doublings + 2, "sums take a message for each doubling, and a strip", c);
  c.reset_counts();

  const auto dy = dist::eval(dx * 2 - 1);
  ranks::print_bits("x.T @ x of " + std::to_string(rows), dist::matmul_transposed(dx, dx), c);
  const auto product = dist::matmul_transposed(dx, dy);
  const bl::tensor wanted =
      bl::sum(bl::cast<double>(bl::unsqueeze(x, 2_c)) * bl::cast<double>(bl::unsqueeze(x * 2 - 1, 1_c)), 0_c);
  for (bl::index i = 0; i < product.size(); ++i)
    ranks::check(std::abs(product.data()[i] - wanted.data()[i]) <= 1e-5 * static_cast<double>(rows + 1), "x.T @ y", c);
  c.reset_counts();
}

// So many results that ranks combine parts of them.
void many_results(const dist::communicator& c) {
  const bl::index columns = 20011, rows = 600;
  bl::tensor<float, rows_and> x(rows, columns);
  for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i % 1009) * 0.01f - 5;
  // Whole strips, so that nothing but results travels.
  std::vector<bl::index> blocks(static_cast<std::size_t>(c.size()));
  blocks.front() = c.size() > 1 ? 512 : rows;
  blocks.back() += rows - blocks.front();
  int power = 1;
  while (power * 2 <= c.size()) power *= 2;
  const int most = c.rank() >= power ? power : 2 * (power - 1) + (c.rank() + power < c.size() ? power : 0);
  for (const dist::block_map& m : {dist::block_map(c, blocks), dist::block_map(c, rows)}) {
    dist::tensor<float, rows_and> dx(m, columns);
    dist::assign(dx, x);
    c.reset_counts();
    const auto found = dist::eval(bl::sum(dx, 0_c));
    if (m == dist::block_map(c, blocks))
      ranks::check(c.counts().bytes <= most * columns * 4 / power + 1000, "many results are sent about twice", c);
    ranks::same("sums of many columns", found, bl::tensor(bl::sum(x, 0_c)), c);
  }
  const auto y = numbers(700, 150, 0.1f);
  const dist::block_map m(c, 700);
  dist::tensor<float, rows_and> dy(m, 150);
  dist::assign(dy, y);
  ranks::print_bits("x.T @ x of 150 columns", dist::matmul_transposed(dy, dy), c);
}

// Neighbours' rows under each kind of edge, beside the same rows of the whole array.
void halos(const dist::communicator& c, const dist::block_map& m) {
  const bl::index rows = m.rows();
  const auto x = numbers(rows, 2, 0.5f);
  for (const bl::index h : {1, 3})
    for (const dist::edge at : {dist::edge::zero, dist::edge::nearest, dist::edge::periodic}) {
      if (at == dist::edge::periodic && rows < h) continue;
      dist::tensor<float, rows_and> dx(m, dist::halo{h}, 2);
      dist::assign(dx, x);
      c.reset_counts();
      dist::exchange(dx, at);
      bl::index needed = 0;
      for (int r = 0; r < c.size(); ++r)
        for (bl::index i = m.first(r) - h; m.count(r) > 0 && i < m.last(r) + h; ++i) {
          const bl::index j = at == dist::edge::periodic ? (i + rows) % rows : i;
          needed += j >= 0 && j < rows && m.owner(j) != r;
        }
      ranks::check(total(c).bytes == needed * 8, "exchange sends each row of a halo once", c);
      bl::tensor<float, rows_and> wanted(rows, 2);
      for (bl::index i = 0; i < rows; ++i)
        for (bl::index j = 0; j < 2; ++j) {
          const auto row = [&](bl::index k) {
            if (at == dist::edge::periodic) return x((k + rows) % rows, j);
            if (k >= 0 && k < rows) return x(k, j);
            return at == dist::edge::zero ? 0.0f : x(k < 0 ? 0 : rows - 1, j);
          };
          wanted(i, j) = row(i - h) + row(i + h) * 2 - row(i + 1);
        }
      const auto shifted = [&] { return dx.shift(-h) + dx.shift(h) * 2 - dx.shift(1); };
      ranks::same("shifted rows", dist::eval(shifted()), wanted, c);
      dist::assign(dx, shifted());
      ranks::same("shifted rows into their own array", dx, wanted, c);
    }
}

// One array of 2.2 GiB that moves whole from the first rank to the last and back: messages beyond counts of 31 bits.
void more_than_two_gibibytes(const dist::communicator& c) {
  const bl::index rows = 2253, columns = 131072, bytes = rows * columns * 8;
  std::vector<bl::index> first(static_cast<std::size_t>(c.size())), last = first;
  first.front() = last.back() = rows;
  dist::tensor<std::int64_t, rows_and> x(dist::block_map(c, first), columns);
  const auto value = [](bl::index i) { return (i * 1103515245) ^ (i >> 7); };
  auto own = x.local();
  for (bl::index i = 0; i < own.size(); ++i) own.data()[i] = value(i);
  for (const bool there : {true, false}) {
    c.reset_counts();
    x = dist::redistribute(x, dist::block_map(c, there ? last : first));
    const dist::traffic sent = total(c);
    ranks::check(sent.bytes == bytes, "2.2 GiB are sent once", c);
    if (c.rank() == 0) std::printf("%td bytes in %td messages\n", sent.bytes, sent.messages);
    const auto moved = x.local();
    ranks::check(moved.size() == (c.rank() == (there ? c.size() - 1 : 0) ? rows * columns : 0), "where it lies", c);
    bl::index wrong = 0;
    for (bl::index i = 0; i < moved.size(); ++i) wrong += moved.data()[i] != value(i);
    ranks::check(wrong == 0, "elements of 2.2 GiB", c);
  }
}

}  // namespace

// With the word `large`, on two ranks and with 8 GiB of memory, what is too much for each run of the tests.
int main(int argc, char** argv) {
  return dist::run(argc, argv, [&](const dist::communicator& c) {
    if (argc > 1 && argv[1] == std::string("large")) {
      ranks::circumstances = "2.2 GiB";
      more_than_two_gibibytes(c);
      return ranks::finish(c);
    }
    for (const bl::index rows : {0, 1, 2, 5, 700, 3000}) {
      const auto all = ranks::maps(c, rows);
      for (std::size_t i = 0; i < all.size(); ++i) {
        ranks::circumstances = to_string(all[i]);
        rows_travel(c, all[i], all[(i + 1) % all.size()]);
        halos(c, all[i]);
      }
    }
    ranks::circumstances = "many results";
    many_results(c);
    // As if a count of MPI had 7 bits: messages that are cut into chunks by a type.
    ranks::circumstances = "counts of at most 100";
    c.largest_count(100);
    const dist::block_map m(c, 700);
    rows_travel(c, m, dist::block_map(c, m.rows()));
    halos(c, m);
    ranks::finish(c);
  });
}
