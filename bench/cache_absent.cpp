// Contenders whose packages are not installed.
#include "cache.hpp"

namespace bench_cache {

#if defined(BENCH_NO_EIGEN)
contender eigen() { return {"eigen", nullptr, false}; }
#endif
#if defined(BENCH_NO_TORCH)
contender torch() { return {"libtorch", nullptr, true}; }
#endif

}  // namespace bench_cache
