// What xtensor has of the workloads of indexing. It has no gather along an axis and no scatter.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bench_xtensor {

void select_rows(const float* x, std::size_t rows, std::size_t columns, const std::int64_t* at, std::size_t n,
                 float* to);
void embedding_bag(const float* table, std::size_t rows, std::size_t columns, const std::int64_t* ids,
                   const float* weights, std::size_t bags, std::size_t each, float* to);
void cat(const float* x, const float* y, std::size_t rows, std::size_t columns, float* to);
void sort_rows(const float* x, std::size_t rows, std::size_t columns);
void top_rows(const float* x, std::size_t rows, std::size_t columns, std::size_t k);
void select(const float* x, const bool* mask, std::size_t n);

}  // namespace bench_xtensor
