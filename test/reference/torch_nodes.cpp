// The nodes of random trees as calls of PyTorch: names and arguments are those of the programs that
// tools/write_trees.py writes.
#include "torch_nodes.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/native/TypeProperties.h>
#include <c10/core/DefaultDtype.h>
#include <c10/util/Logging.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>

namespace reference {

namespace {

using broadloom::dtype;
using numbers = std::vector<broadloom::index>;
using tensors = std::vector<at::Tensor>;

std::optional<at::ScalarType> type_of(dtype t) {
  switch (t) {
    case dtype::b8: return at::kBool;
    case dtype::i8: return at::kChar;
    case dtype::i16: return at::kShort;
    case dtype::i32: return at::kInt;
    case dtype::i64: return at::kLong;
    case dtype::u8: return at::kByte;
    case dtype::f32: return at::kFloat;
    case dtype::f64: return at::kDouble;
    case dtype::c64: return at::kComplexFloat;
    case dtype::c128: return at::kComplexDouble;
    default: return std::nullopt;
  }
}

dtype type_from(at::ScalarType t) {
  for (int d = 0; d <= static_cast<int>(dtype::c128); ++d)
    if (type_of(static_cast<dtype>(d)) == t) return static_cast<dtype>(d);
  throw std::runtime_error("a result of a type that is not here");
}

at::Tensor tensor_of(const fuzz::dense& x) {
  if (x.number) {
    // A C++ number has least to say in promotion.
    const at::Scalar value = x.type == dtype::f32   ? at::Scalar(static_cast<double>(*x.as<float>()))
                             : x.type == dtype::f64 ? at::Scalar(*x.as<double>())
                                                    : at::Scalar(*x.as<std::int64_t>());
    at::Tensor t =
        at::scalar_tensor(value, at::TensorOptions().dtype(value.isFloatingPoint() ? at::kDouble : at::kLong));
    t.unsafeGetTensorImpl()->set_wrapped_number(true);
    return t;
  }
  at::Tensor t = at::empty(x.shape, at::TensorOptions().dtype(*type_of(x.type)));
  if (!x.bytes.empty()) std::memcpy(t.data_ptr(), x.bytes.data(), x.bytes.size());
  return t;
}

// Operands in the type that they have in common, for functions that want one type.
tensors alike(const tensors& x) {
  const at::ScalarType t = at::native::result_type(at::TensorList(x));
  tensors r;
  for (const at::Tensor& one : x) r.push_back(one.to(t));
  return r;
}

// --- pointwise functions ---

using unary = at::Tensor (*)(const at::Tensor&);
using binary = at::Tensor (*)(const at::Tensor&, const at::Tensor&);

#define ONE(NAME) {#NAME, [](const at::Tensor& x) { return at::NAME(x); }}
#define TWO(NAME) {#NAME, [](const at::Tensor& x, const at::Tensor& y) { return at::NAME(x, y); }}

const std::map<std::string, unary>& unaries() {
  static const std::map<std::string, unary> all{
      ONE(neg),
      ONE(abs),
      ONE(sign),
      ONE(square),
      ONE(floor),
      ONE(ceil),
      ONE(trunc),
      ONE(round),
      ONE(relu),
      ONE(positive),
      ONE(sqrt),
      ONE(rsqrt),
      ONE(reciprocal),
      ONE(exp),
      ONE(exp2),
      ONE(expm1),
      ONE(log),
      ONE(log2),
      ONE(log1p),
      ONE(sin),
      ONE(cos),
      ONE(tan),
      ONE(asin),
      ONE(acos),
      ONE(atan),
      ONE(sinh),
      ONE(cosh),
      ONE(tanh),
      ONE(asinh),
      ONE(acosh),
      ONE(atanh),
      ONE(erf),
      ONE(erfc),
      ONE(lgamma),
      ONE(sigmoid),
      ONE(silu),
      ONE(mish),
      ONE(selu),
      ONE(bitwise_not),
      ONE(isnan),
      ONE(isinf),
      ONE(isfinite),
      ONE(signbit),
      ONE(logical_not),
      {"softplus", [](const at::Tensor& x) { return at::softplus(x); }},
      {"gelu", [](const at::Tensor& x) { return at::gelu(x); }},
      {"real", [](const at::Tensor& x) { return at::real(x); }},
      {"imag", [](const at::Tensor& x) { return at::imag(x); }},
      {"conj", [](const at::Tensor& x) { return at::conj_physical(x); }},
  };
  return all;
}

const std::map<std::string, binary>& binaries() {
  static const std::map<std::string, binary> all{
      {"add", [](const at::Tensor& x, const at::Tensor& y) { return at::add(x, y); }},
      {"sub", [](const at::Tensor& x, const at::Tensor& y) { return at::sub(x, y); }},
      {"div", [](const at::Tensor& x, const at::Tensor& y) { return at::div(x, y); }},
      {"heaviside",
       [](const at::Tensor& x, const at::Tensor& y) {
         const tensors a = alike({x, y});
         return at::heaviside(a[0], a[1]);
       }},
      TWO(mul),
      TWO(maximum),
      TWO(minimum),
      TWO(fmax),
      TWO(fmin),
      TWO(eq),
      TWO(ne),
      TWO(lt),
      TWO(le),
      TWO(gt),
      TWO(ge),
      TWO(logical_and),
      TWO(logical_or),
      TWO(logical_xor),
      TWO(bitwise_and),
      TWO(bitwise_or),
      TWO(bitwise_xor),
      TWO(copysign),
      TWO(pow),
      TWO(atan2),
      TWO(hypot),
      TWO(fmod),
      TWO(remainder),
      TWO(xlogy),
      TWO(logaddexp),
  };
  return all;
}

#undef ONE
#undef TWO

std::optional<at::Tensor> three(const std::string& name, const tensors& x) {
  // As two steps, each of which promotes and rounds; so addcmul and addcdiv are defined.
  if (name == "addcmul") return at::add(x[0], at::mul(x[1], x[2]));
  if (name == "addcdiv") return at::add(x[0], at::div(x[1], x[2]));
  if (name == "where") {
    const tensors a = alike({x[1], x[2]});
    return at::where(x[0].to(at::kBool), a[0], a[1]);
  }
  const tensors a = alike(x);
  if (name == "clamp") return at::clamp(a[0], a[1], a[2]);
  if (name == "lerp") return at::lerp(a[0], a[1], a[2]);
  return std::nullopt;
}

// --- reductions ---

std::vector<int64_t> axes_of(const at::Tensor& x, const numbers& given) {
  std::vector<int64_t> axes;
  if (given.empty())
    for (int64_t i = 0; i < x.dim(); ++i) axes.push_back(i);
  else if (x.dim() > 0)
    for (const broadloom::index a : given) axes.push_back(a < 0 ? a + x.dim() : a);
  std::sort(axes.begin(), axes.end());
  return axes;
}

// A function of one axis, for each of them from the last to the first.
template <class F>
at::Tensor one_by_one(at::Tensor x, const std::vector<int64_t>& axes, bool keepdim, const F& f) {
  for (std::size_t i = axes.size(); i-- > 0;) x = f(x, axes[i], keepdim);
  return x;
}

std::optional<at::Tensor> reduced(const std::string& name, const at::Tensor& x, bool keepdim, const numbers& given) {
  const auto axes = axes_of(x, given);
  const at::IntArrayRef list(axes);
  if (name == "sum64") return at::sum(x.to(at::kDouble), list, keepdim).to(x.scalar_type());
  if (name == "any" || name == "all")
    return one_by_one(x.to(at::kBool), axes, keepdim, [&](const at::Tensor& y, int64_t axis, bool keep) {
      return name == "any" ? at::any(y, axis, keep) : at::all(y, axis, keep);
    });
  if (name == "prod")
    return one_by_one(x.scalar_type() == at::kBool ? x.to(at::kLong) : x, axes, keepdim,
                      [](const at::Tensor& y, int64_t axis, bool keep) { return at::prod(y, axis, keep); });
  if (name == "count_nonzero") {
    at::Tensor r = axes.empty() ? at::count_nonzero(x) : at::count_nonzero(x, list);
    if (keepdim)
      for (const int64_t axis : axes) r = r.unsqueeze(axis);
    return r;
  }
  if (name == "argmax" || name == "argmin") {
    const bool all = static_cast<int64_t>(axes.size()) == x.dim() && axes.size() != 1;
    const at::Tensor from = all ? x.reshape({-1}) : x;
    const int64_t axis = all ? 0 : axes[0];
    at::Tensor r = name == "argmax" ? at::argmax(from, axis, keepdim && !all) : at::argmin(from, axis, keepdim && !all);
    if (keepdim && all) r = r.reshape(std::vector<int64_t>(static_cast<std::size_t>(x.dim()), 1));
    return r;
  }
  // A list without axes means all of them; an array of rank 0 has none.
  if (name == "sum") return axes.empty() ? at::sum(x) : at::sum(x, list, keepdim);
  if (name == "mean") return axes.empty() ? at::mean(x) : at::mean(x, list, keepdim);
  if (name == "amax") return at::amax(x, list, keepdim);
  if (name == "amin") return at::amin(x, list, keepdim);
  if (name == "var") return axes.empty() ? at::var(x, true) : at::var(x, list, true, keepdim);
  if (name == "std") return axes.empty() ? at::std(x, true) : at::std(x, list, true, keepdim);
  if (name == "logsumexp")
    return axes.empty() ? at::logsumexp(x.reshape({1}), at::IntArrayRef{0}) : at::logsumexp(x, list, keepdim);
  return std::nullopt;
}

// --- views and copies ---

std::optional<at::Tensor> moved(const std::string& name, const at::Tensor& x, const numbers& n) {
  if (name == "permute") return x.permute(n);
  if (name == "expand") return x.expand(n);
  if (name == "reshape") return x.reshape(n);
  if (name == "unsqueeze") return x.unsqueeze(n[0]);
  if (name == "squeeze") return x.squeeze(n[0]);
  if (name == "flip") return at::flip(x, {n[0]});
  if (name == "roll") return at::roll(x, {n[1]}, {n[0]});
  if (name == "select") return x.select(n[0], n[1]);
  if (name == "strided") {  // axis, first, step, count
    const at::Tensor at = at::arange(n[3], at::kLong) * n[2] + n[1];
    return at::index_select(x, n[0], at);
  }
  if (name == "diagonal") return at::diagonal(x, n[0], 0, 1);
  if (name == "windows") return x.unfold(n[0], n[1], n[2]);
  if (name == "pad") {  // axis, before, after
    std::vector<int64_t> amounts(2 * static_cast<std::size_t>(x.dim()), 0);
    const auto last = 2 * static_cast<std::size_t>(x.dim() - 1 - n[0]);
    amounts[last] = n[1];
    amounts[last + 1] = n[2];
    return at::constant_pad_nd(x, amounts, 0);
  }
  if (name == "triu") return at::triu(x, n[0]);
  if (name == "tril") return at::tril(x, n[0]);
  if (name == "interleave") return at::repeat_interleave(x, n[1], n[0]);
  if (name == "sort" || name == "argsort") {
    if (x.dim() == 0) return name == "sort" ? x : at::zeros_like(x, at::kLong);
    const auto r = at::sort(x, c10::optional<bool>(true), n[0], n[1] != 0);
    return name == "sort" ? std::get<0>(r) : std::get<1>(r);
  }
  return std::nullopt;
}

std::optional<at::Tensor> call(const fuzz::operation& node, const numbers& n, const tensors& x) {
  const std::string& name = node.name;
  const auto found = [](const auto& table, const std::string& function) {
    const auto at = table.find(function);
    return at == table.end() ? nullptr : at->second;
  };
  if (name == "m1") {
    const unary f = found(unaries(), node.arguments.at(0));
    return f ? std::optional(f(x[0])) : std::nullopt;
  }
  if (name == "m2") {
    const binary f = found(binaries(), node.arguments.at(0));
    return f ? std::optional(f(x[0], x[1])) : std::nullopt;
  }
  if (name == "m3") return three(node.arguments.at(0), x);
  if (name == "cast") return x[0].to(*type_of(static_cast<dtype>(n[0])));
  if (name == "reduce") return reduced(node.arguments.at(0), x[0], n[1] != 0, numbers(n.begin() + 2, n.end()));
  if (name == "cumsum") return at::cumsum(x[0], n[0]);
  if (name == "cumprod") return at::cumprod(x[0], n[0]);
  if (name == "softmax") return at::softmax(x[0], n[0]);
  if (name == "log_softmax") return at::log_softmax(x[0], n[0]);
  if (name == "matmul") {
    const tensors a = alike(x);
    return at::matmul(a[0], a[1]);
  }
  if (name == "cat") return at::cat(x, n[0]);
  if (name == "gather") return at::gather(x[0], n[0], x[1].to(at::kLong));
  if (name == "index_select") return at::index_select(x[0], n[0], x[1].to(at::kLong));
  if (name == "call") return at::where(x[0].lt(0), x[0] * -0.5, x[0]);
  return moved(name, x[0], n);
}

}  // namespace

bool torch_has(dtype type) { return type_of(type).has_value(); }

namesake torch_node(const fuzz::operation& node, const numbers& given, const std::vector<fuzz::dense>& operands,
                    fuzz::dense& to) {
  // One thread, and errors without the stack of calls, which takes longer than all else.
  static const bool set_up = (at::set_num_threads(1), c10::SetStackTraceFetcher([] { return std::string(); }), true);
  static_cast<void>(set_up);
  tensors x;
  for (const fuzz::dense& operand : operands) {
    if (!torch_has(operand.type)) return namesake::no_type;
    x.push_back(tensor_of(operand));
  }
  if (node.name == "cast" && !torch_has(static_cast<dtype>(given[0]))) return namesake::no_type;
  // What has integers of 32 or 64 bits and no floating array is computed with f64 as the default type.
  std::optional<at::Tensor> arrays;
  for (std::size_t k = 0; k < x.size(); ++k)
    if (!operands[k].number) arrays = arrays ? x[k].to(at::result_type(*arrays, x[k])) : x[k];
  const bool wide = arrays && (arrays->scalar_type() == at::kInt || arrays->scalar_type() == at::kLong);
  c10::set_default_dtype(caffe2::scalarTypeToTypeMeta(wide ? at::kDouble : at::kFloat));
  try {
    const auto result = call(node, given, x);
    if (!result) return namesake::none;
    const at::Tensor r = result->contiguous();
    to = fuzz::make_dense(type_from(r.scalar_type()), fuzz::extents(r.sizes().begin(), r.sizes().end()));
    if (!to.bytes.empty()) std::memcpy(to.bytes.data(), r.data_ptr(), to.bytes.size());
  } catch (const c10::Error& error) {
    throw std::runtime_error(error.what_without_backtrace());
  }
  return namesake::found;
}

}  // namespace reference
