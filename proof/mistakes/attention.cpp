// softmax(q k^T / sqrt(dim)) v over heads, with a mask and a temperature of each head.
#include "levels.hpp"

constexpr bl::index batch = SIZE(batch, bl::dyn), head = SIZE(head, 8), query = SIZE(query, bl::dyn),
                    key = SIZE(key, bl::dyn), dim = SIZE(dim, 64), value = SIZE(value, 64);

array_of<batch, head, query, value> attention(const array_of<batch, head, query, dim>& q,
                                              const array_of<batch, head, key, dim>& k,
                                              const array_of<batch, head, key, value>& v,
                                              const bl::tensor<bool, bl::shape<batch, query, key>>& mask,
                                              const array_of<head>& temperature) {
#if MISTAKE == 1  // k is not transposed
  auto scores = bl::matmul(q, k);
#elif MISTAKE == 2  // q is transposed instead of k
  auto scores = bl::matmul(bl::transpose(q, 2_c, 3_c), k);
#elif MISTAKE == 3  // v taken for k
  auto scores = bl::matmul(q, bl::transpose(v, 2_c, 3_c));
#else
  auto scores = bl::matmul(q, bl::transpose(k, 2_c, 3_c));
#endif
#if MISTAKE == 4  // the temperature lies along the keys
  auto scaled = scores / temperature;
#elif MISTAKE == 5  // ... along the queries
  auto scaled = scores / bl::unsqueeze(temperature, 1_c);
#else
  auto scaled = scores / bl::unsqueeze(bl::unsqueeze(temperature, 1_c), 1_c);
#endif
#if MISTAKE == 6  // the mask has no axis for the heads
  auto masked = bl::where(mask, scaled, -1e30f);
#elif MISTAKE == 7  // ... has it in front
  auto masked = bl::where(bl::unsqueeze(mask, 0_c), scaled, -1e30f);
#else
  auto masked = bl::where(bl::unsqueeze(mask, 1_c), scaled, -1e30f);
#endif
#if MISTAKE == 8  // the softmax is along the queries
  auto weights = bl::softmax(masked, AXIS(query, 2));
#else
  auto weights = bl::softmax(masked, AXIS(key, 3));
#endif
#if MISTAKE == 9  // factors in the wrong order
  return bl::matmul(v, weights);
#elif MISTAKE == 10  // heads and queries change places on the way out
  return bl::transpose(bl::matmul(weights, v), 1_c, 2_c);
#else
  return bl::matmul(weights, v);
#endif
}
