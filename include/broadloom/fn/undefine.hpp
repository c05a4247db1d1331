// Ends one reading of catalogue.def: forgets what its lines meant. Included several times, hence no guard.
#undef UNARY
#undef BINARY
#undef BINARY_OPERATOR
#undef COMPARISON
#undef TERNARY
#undef STRIP1
#undef STRIP2
