// Ten expressions of sizes that only the run knows.
#include "ten.hpp"

int main() { return run_ten<bl::dyn, bl::dyn>(); }
