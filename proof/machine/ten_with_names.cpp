// Ten expressions of sizes that have names.
#include "ten.hpp"

int main() { return run_ten<bl::size<"batch">, bl::size<"feature">>(); }
