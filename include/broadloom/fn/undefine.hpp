// Ends one reading of catalogue.def: forgets what its lines meant. Included several times, hence no guard.
#undef BROADLOOM_UNARY
#undef BROADLOOM_BINARY
#undef BROADLOOM_BINARY_OPERATOR
#undef BROADLOOM_COMPARISON
#undef BROADLOOM_TERNARY
#undef BROADLOOM_STRIP1
#undef BROADLOOM_STRIP2
#undef BROADLOOM_PARAMETERS
#undef BROADLOOM_STAGED1
#undef BROADLOOM_STAGED2
#undef BROADLOOM_STAGED_PARAMETERS
#undef BROADLOOM_DIVISION
