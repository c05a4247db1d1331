// Attention: softmax(q k^T / sqrt(dim)) v for several heads, causal, in one expression. Sizes have names: a key cannot
// meet a query by accident.
#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

#include <cmath>

#include "keep.hpp"

namespace bl = broadloom;
using namespace bl::literals;

constexpr bl::index batch = bl::size<"batch">, head = bl::size<"head">, query = bl::size<"query">,
                    key = bl::size<"key">, dim = bl::size<"dim">, value = bl::size<"value">;

template <bl::index... E>
using array = bl::tensor<float, bl::shape<E...>>;

array<batch, head, query, value> attention(const array<batch, head, query, dim>& q,
                                           const array<batch, head, key, dim>& k,
                                           const array<batch, head, key, value>& v) {
  const float scale = 1 / std::sqrt(static_cast<float>(q.shape()[3]));
  const auto scores = bl::matmul(q, bl::transpose(k, "key"_axis, "dim"_axis)) * scale;
  // A query sees the keys up to its own place.
  const bl::tensor<bl::index, bl::shape<query>> row = bl::named<"query">(bl::arange<bl::index>(q.shape()[2]));
  const bl::tensor<bl::index, bl::shape<key>> column = bl::named<"key">(bl::arange<bl::index>(k.shape()[2]));
  const auto seen = column <= bl::unsqueeze(row, 1_c);
  return bl::matmul(bl::softmax(bl::where(seen, scores, -1e30f), "key"_axis), v);
}

int main(int argc, char** argv) {
  const keep keep(argc, argv);
  bl::generator g(1);
  const bl::index length = keep.size(24, 512), dims = keep.size(16, 64), values = keep.size(8, 64);
  const auto q = bl::randn<float>(g, bl::shape<batch, head, query, dim>(2, 4, length, dims));
  const auto k = bl::randn<float>(g, bl::shape<batch, head, key, dim>(2, 4, length, dims));
  const auto v = bl::randn<float>(g, bl::shape<batch, head, key, value>(2, 4, length, values));
  keep("q", q);
  keep("k", k);
  keep("v", v);
  keep("out", keep.run([&] { return attention(q, k, v); }));
}
