// einsum("ij,jk->ik", a, b): subscripts that are known at run time only.
#pragma once

#include <broadloom/linalg/einsum.hpp>
#include <broadloom/linalg/materialized.hpp>
#include <broadloom/tensor/any_tensor.hpp>

namespace broadloom {

namespace runtime {

// A result in memory of its own, which the caller gives back, and where its axes are.
struct einsum_result {
  int rank;
  index extents[detail::max_einsum_axes], strides[detail::max_einsum_axes];
  void* data;
  std::size_t bytes;
};
// Throws shape_error for subscripts that do not fit the operands.
BROADLOOM_API einsum_result contract_by_text(const char* subscripts, dtype type, const stacked_operand* in, int count);

}  // namespace runtime

namespace detail {

// Memory that compiled code allocated.
class owned_memory {
 public:
  owned_memory(void* data, std::size_t bytes) : data_(data), bytes_(bytes) {}
  owned_memory(owned_memory&& o) noexcept : data_(o.data_), bytes_(o.bytes_) { o.data_ = nullptr; }
  owned_memory& operator=(owned_memory&&) = delete;
  ~owned_memory() {
    if (data_ != nullptr) runtime::deallocate(data_, bytes_);
  }

 private:
  void* data_;
  std::size_t bytes_;
};

template <class T, class... E>
any_tensor<T> contracted_by_text(const char* subscripts, const E&... e) {
  const held_operands<BROADLOOM_NATIVE, make_sequence<sizeof...(E)>, E...> held(runtime::options{}, e...);
  runtime::stacked_operand in[sizeof...(E)];
  held.list(in, e...);
  const runtime::einsum_result r = runtime::contract_by_text(subscripts, dtype_of<T>, in, sizeof...(E));
  owned_memory owner(r.data, r.bytes);
  std::vector<index> extents(r.extents, r.extents + r.rank), strides(r.strides, r.strides + r.rank);
  return any_tensor<T>(static_cast<owned_memory&&>(owner), static_cast<T*>(r.data),
                       static_cast<std::vector<index>&&>(extents), static_cast<std::vector<index>&&>(strides));
}

}  // namespace detail

// einsum(text, a, b, ...): einsum<...>(a, b, ...) with subscripts that are read when it is called. It evaluates; how
// many axes the result has is known then only, so it is an any_tensor: dtensor<float, 2> c = einsum(text, a, b), or
// einsum(text, a, b).as_rank<2>() in an expression. Throws shape_error for subscripts that do not fit the arrays, and
// as einsum does.
template <array... A>
  requires(sizeof...(A) > 0) && detail::core_types_fit<detail::rule_core_number, A...>
auto einsum(const char* subscripts, A&&... a) {
  using common = typename detail::type_of<static_cast<dtype>(detail::promoted_code<A...>)>::type;
  using T = detail::arithmetic_type<common>;
  auto r = detail::contracted_by_text<T>(subscripts, detail::argument<T>(static_cast<A&&>(a))...);
  if constexpr (__is_same(T, common))
    return r;
  else {
    // The strides are those of a permuted array without gaps: its elements lie in one row.
    const index n = r.size();
    auto rounded = eval(cast<common>(view<const T, dshape<1>>(r.data(), dshape<1>(n))));
    common* const data = rounded.data();
    return any_tensor<common>(static_cast<decltype(rounded)&&>(rounded), data, r.extents(), r.strides());
  }
}

}  // namespace broadloom
