// The workloads that reduce along axes, listed in a file of their own.
#pragma once
#include "workloads.hpp"

namespace bench {

std::vector<workload> reduce_workloads();

}  // namespace bench
