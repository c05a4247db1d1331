// Ends one reading of catalogue.def: forgets what its lines meant. Included several times, hence no guard.
#undef UNARY
#undef BINARY
#undef BINARY_OPERATOR
#undef COMPARISON
#undef TERNARY
#undef STRIP1
#undef STRIP2
#undef PARAMETERS
#undef STAGED1
#undef STAGED2
#undef STAGED_PARAMETERS
#undef DIVISION
