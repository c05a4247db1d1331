// One step of k-means: distances, the nearest centre of each point, and the centres' new places.
#include "levels.hpp"

constexpr bl::index point = SIZE(point, bl::dyn), cluster = SIZE(cluster, 10), dim = SIZE(dim, 16);

array_of<cluster, dim> step(const array_of<point, dim>& points, const array_of<cluster, dim>& centres,
                            const bl::tensor<bl::index, bl::shape<cluster>>& numbers, const array_of<point>& weights) {
#if MISTAKE == 1  // no axis for the pairs
  auto apart = points - centres;
#elif MISTAKE == 2  // both new axes in front
  auto apart = bl::unsqueeze(points, 0_c) - bl::unsqueeze(centres, 0_c);
#elif MISTAKE == 3  // new axes at the end
  auto apart = bl::unsqueeze(points, 2_c) - bl::unsqueeze(centres, 0_c);
#else
  auto apart = bl::unsqueeze(points, 1_c) - bl::unsqueeze(centres, 0_c);
#endif
#if MISTAKE == 1 || MISTAKE == 2 || MISTAKE == 3
  auto distances = bl::sum(bl::square(apart), AXIS(dim, 1));
  return centres + bl::sum(distances);
#else
#if MISTAKE == 4  // the sum is over the clusters
  auto distances = bl::sum(bl::square(apart), AXIS(cluster, 1));
#else
  auto distances = bl::sum(bl::square(apart), AXIS(dim, 2));
#endif
#if MISTAKE == 5  // the nearest point of each centre
  auto nearest = bl::argmin(distances, AXIS(point, 0));
#else
  auto nearest = bl::argmin(distances, AXIS(cluster, 1));
#endif
#if MISTAKE == 6  // a row and a row
  auto member = bl::cast<float>((nearest - numbers) == 0);
#else
  auto member = bl::cast<float>((bl::unsqueeze(nearest, 1_c) - numbers) == 0);
#endif
#if MISTAKE == 6
  return centres + bl::sum(member);
#else
#if MISTAKE == 7  // weights of points lie along the clusters
  auto weighted = member * weights;
#else
  auto weighted = member * bl::unsqueeze(weights, 1_c);
#endif
#if MISTAKE == 8  // not transposed
  auto sums = bl::matmul(weighted, points);
#else
  auto sums = bl::matmul(bl::transpose(weighted), points);
#endif
#if MISTAKE == 9  // counts of points, not of clusters
  auto counts = bl::sum(weighted, AXIS(cluster, 1));
#else
  auto counts = bl::sum(weighted, AXIS(point, 0));
#endif
#if MISTAKE == 10  // counts lie along the dimensions
  return sums / counts;
#else
  return sums / bl::unsqueeze(counts, 1_c);
#endif
#endif
#endif
}
