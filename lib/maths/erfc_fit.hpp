// A rational function for erfc(x) e^(x^2), x from 0 to 10.25, with a relative error of 2^-33.
#pragma once

namespace broadloom::runtime {

struct erfc_fit {
  static constexpr double above[] = {0.99999999991765571922, 1.4348026350025326889,   1.0013733547306570081,
                                     0.40283564009736903667, 0.092971969692430219036, 0.010038280575213264629};
  static constexpr double below[] = {1.0,
                                     2.5631817909292370709,
                                     2.8936145325734059021,
                                     1.8569989087128617033,
                                     0.72292633990406502992,
                                     0.16478745705499665879,
                                     0.017792411609313554986};
};

}  // namespace broadloom::runtime
