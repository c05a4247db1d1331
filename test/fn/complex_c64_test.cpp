// Functions of c64 give what PyTorch gives.
// Build: clang-too, alone, not-sanitized
#include "fn/complex_table.hpp"

BOOST_AUTO_TEST_SUITE(fn_complex_c64)

BOOST_AUTO_TEST_CASE(functions_give_what_pytorch_gives) { complex_table::table_test<complex_table::c64>{}.run(); }

BOOST_AUTO_TEST_SUITE_END()
