// The only file that includes PyTorch's headers: calls its functions by name on arrays given as pointer, shape,
// strides.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/DefaultDtype.h>
#include <c10/util/Logging.h>

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "pytorch.hpp"

namespace reference {
namespace {

using broadloom::dtype;
using broadloom::index;

at::ScalarType to_torch(dtype t) {
  switch (t) {
    case dtype::b8: return at::kBool;
    case dtype::i8: return at::kChar;
    case dtype::i16: return at::kShort;
    case dtype::i32: return at::kInt;
    case dtype::i64: return at::kLong;
    case dtype::u8: return at::kByte;
    case dtype::f32: return at::kFloat;
    case dtype::f64: return at::kDouble;
    case dtype::f16: return at::kHalf;
    case dtype::bf16: return at::kBFloat16;
    case dtype::c64: return at::kComplexFloat;
    case dtype::c128: return at::kComplexDouble;
    default: throw std::invalid_argument("PyTorch has no such element type");
  }
}

dtype from_torch(at::ScalarType t) {
  for (dtype d : {dtype::b8, dtype::i8, dtype::i16, dtype::i32, dtype::i64, dtype::u8, dtype::f32, dtype::f64,
                  dtype::c64, dtype::c128, dtype::f16, dtype::bf16})
    if (to_torch(d) == t) return d;
  throw std::invalid_argument("a result of an element type Broadloom has not");
}

// The operand as a tensor with the same strides; PyTorch has no negative ones, such an axis is flipped back.
at::Tensor tensor_of(const operand& x) {
  const auto item = static_cast<index>(at::elementSize(to_torch(x.type)));
  std::vector<int64_t> sizes(x.shape.begin(), x.shape.end()), strides(x.strides.begin(), x.strides.end()), flipped;
  const char* data = static_cast<const char*>(x.data);
  for (std::size_t i = 0; i < strides.size(); ++i)
    if (strides[i] < 0) {
      if (sizes[i] > 0) data += (sizes[i] - 1) * strides[i] * item;
      strides[i] = -strides[i];
      flipped.push_back(static_cast<int64_t>(i));
    }
  const auto t = at::from_blob(const_cast<char*>(data), sizes, strides, at::TensorOptions().dtype(to_torch(x.type)));
  return flipped.empty() ? t : t.flip(flipped);
}

// The same in memory of its own, with the same strides: a destination.
at::Tensor destination_of(const operand& x) {
  for (const index s : x.strides)
    if (s < 0) return tensor_of(x).clone(at::MemoryFormat::Contiguous);
  const at::Tensor t = tensor_of(x);
  const at::Tensor r = at::empty_strided(t.sizes(), t.strides(), t.options());
  int64_t last = 0;
  for (int64_t i = 0; i < t.dim(); ++i) last += t.size(i) == 0 ? 0 : (t.size(i) - 1) * t.stride(i);
  if (t.numel() > 0) std::memcpy(r.data_ptr(), t.data_ptr(), static_cast<std::size_t>(last + 1) * t.element_size());
  return r;
}

struct call {
  mutable std::vector<at::Tensor> x;
  const std::vector<double>& numbers;
  at::Scalar number(std::size_t i, double otherwise) const {
    const double v = i < numbers.size() ? numbers[i] : otherwise;
    return v == static_cast<double>(static_cast<int64_t>(v)) ? at::Scalar(static_cast<int64_t>(v)) : at::Scalar(v);
  }
  c10::optional<double> maybe(std::size_t i) const {
    return i < numbers.size() ? c10::optional<double>(numbers[i]) : c10::nullopt;
  }
};
using function = std::function<at::Tensor(const call&)>;

struct entry {
  std::size_t operands;
  function out_of_place, in_place;
};

#define ENTRY(NAME, COUNT, OUT, IN)                                              \
  {                                                                              \
    #NAME, {                                                                     \
      COUNT, [](const call& c) { return OUT; }, [](const call& c) { return IN; } \
    }                                                                            \
  }
#define WITHOUT_IN_PLACE(NAME, COUNT, OUT)              \
  {                                                     \
    #NAME, {                                            \
      COUNT, [](const call& c) { return OUT; }, nullptr \
    }                                                   \
  }
#define UNARY(NAME) ENTRY(NAME, 1, at::NAME(c.x[0]), c.x[0].NAME##_())
#define FREE_UNARY(NAME) ENTRY(NAME, 1, at::NAME(c.x[0]), at::NAME##_(c.x[0]))
#define TEST(NAME) WITHOUT_IN_PLACE(NAME, 1, at::NAME(c.x[0]))
#define BINARY(NAME) ENTRY(NAME, 2, at::NAME(c.x[0], c.x[1]), c.x[0].NAME##_(c.x[1]))
#define NO_IN_PLACE(NAME) WITHOUT_IN_PLACE(NAME, 2, at::NAME(c.x[0], c.x[1]))
#define SCALED(NAME) ENTRY(NAME, 2, at::NAME(c.x[0], c.x[1], c.number(0, 1)), c.x[0].NAME##_(c.x[1], c.number(0, 1)))
#define ADDC(NAME) \
  ENTRY(NAME, 3, at::NAME(c.x[0], c.x[1], c.x[2], c.number(0, 1)), c.x[0].NAME##_(c.x[1], c.x[2], c.number(0, 1)))

at::Tensor common(const at::Tensor& x, const at::Tensor& of, const at::Tensor& with) {
  return x.to(at::result_type(of, with));
}

const std::map<std::string, entry>& table() {
  static const std::map<std::string, entry> all{
      UNARY(neg),
      TEST(real),
      TEST(imag),
      TEST(isreal),
      NO_IN_PLACE(complex),
      NO_IN_PLACE(polar),
      {"conj",
       {1, [](const call& c) { return at::conj_physical(c.x[0]); }, [](const call& c) { return c.x[0].conj_physical_(); }}},
      TEST(positive),
      UNARY(abs),
      UNARY(sign),
      UNARY(sgn),
      UNARY(square),
      UNARY(sqrt),
      UNARY(rsqrt),
      UNARY(reciprocal),
      UNARY(floor),
      UNARY(ceil),
      UNARY(trunc),
      UNARY(round),
      UNARY(frac),
      UNARY(bitwise_not),
      UNARY(logical_not),
      TEST(isnan),
      TEST(isinf),
      TEST(isfinite),
      TEST(isposinf),
      TEST(isneginf),
      TEST(signbit),
      UNARY(deg2rad),
      UNARY(rad2deg),
      TEST(angle),
      UNARY(relu),
      WITHOUT_IN_PLACE(relu6, 1, at::relu6(c.x[0])),
      WITHOUT_IN_PLACE(softsign, 1, at::div(c.x[0], at::add(at::abs(c.x[0]), 1))),
      FREE_UNARY(hardsigmoid),
      FREE_UNARY(hardswish),
      UNARY(exp),
      UNARY(exp2),
      UNARY(expm1),
      UNARY(log),
      UNARY(log2),
      UNARY(log10),
      UNARY(log1p),
      UNARY(sin),
      UNARY(cos),
      UNARY(tan),
      UNARY(asin),
      UNARY(acos),
      UNARY(atan),
      UNARY(sinh),
      UNARY(cosh),
      UNARY(tanh),
      UNARY(asinh),
      UNARY(acosh),
      UNARY(atanh),
      UNARY(erf),
      UNARY(erfc),
      UNARY(lgamma),
      UNARY(sinc),
      TEST(special_entr),
      {"entr", {1, [](const call& c) { return at::special_entr(c.x[0]); }, nullptr}},
      FREE_UNARY(silu),
      WITHOUT_IN_PLACE(gelu, 1, at::gelu(c.x[0])),
      WITHOUT_IN_PLACE(tanhshrink, 1, at::sub(c.x[0], at::tanh(c.x[0]))),
      FREE_UNARY(mish),
      {"logsigmoid", {1, [](const call& c) { return at::log_sigmoid(c.x[0]); }, nullptr}},
      FREE_UNARY(selu),
      UNARY(sigmoid),
      ENTRY(hardtanh, 1, at::hardtanh(c.x[0], c.number(0, -1), c.number(1, 1)),
            at::hardtanh_(c.x[0], c.number(0, -1), c.number(1, 1))),
      ENTRY(leaky_relu, 1, at::leaky_relu(c.x[0], c.number(0, 0.01)), at::leaky_relu_(c.x[0], c.number(0, 0.01))),
      WITHOUT_IN_PLACE(hardshrink, 1, at::hardshrink(c.x[0], c.number(0, 0.5))),
      WITHOUT_IN_PLACE(softshrink, 1, at::softshrink(c.x[0], c.number(0, 0.5))),
      ENTRY(nan_to_num, 1, at::nan_to_num(c.x[0], c.maybe(0), c.maybe(1), c.maybe(2)),
            at::nan_to_num_(c.x[0], c.maybe(0), c.maybe(1), c.maybe(2))),
      ENTRY(elu, 1, at::elu(c.x[0], c.number(0, 1), c.number(1, 1), c.number(2, 1)),
            at::elu_(c.x[0], c.number(0, 1), c.number(1, 1), c.number(2, 1))),
      ENTRY(celu, 1, at::celu(c.x[0], c.number(0, 1)), at::celu_(c.x[0], c.number(0, 1))),
      WITHOUT_IN_PLACE(softplus, 1, at::softplus(c.x[0], c.number(0, 1), c.number(1, 20))),
      ENTRY(logit, 1, at::logit(c.x[0], c.maybe(0)), at::logit_(c.x[0], c.maybe(0))),
      ENTRY(threshold, 1, at::threshold(c.x[0], c.number(0, 0), c.number(1, 0)),
            at::threshold_(c.x[0], c.number(0, 0), c.number(1, 0))),
      SCALED(add),
      SCALED(sub),
      BINARY(mul),
      BINARY(div),
      BINARY(bitwise_and),
      BINARY(bitwise_or),
      BINARY(bitwise_xor),
      BINARY(bitwise_left_shift),
      BINARY(bitwise_right_shift),
      BINARY(eq),
      BINARY(ne),
      BINARY(lt),
      BINARY(le),
      BINARY(gt),
      BINARY(ge),
      NO_IN_PLACE(maximum),
      NO_IN_PLACE(minimum),
      NO_IN_PLACE(fmax),
      NO_IN_PLACE(fmin),
      BINARY(clamp_min),
      BINARY(clamp_max),
      BINARY(logical_and),
      BINARY(logical_or),
      BINARY(logical_xor),
      BINARY(gcd),
      BINARY(lcm),
      BINARY(copysign),
      BINARY(nextafter),
      BINARY(heaviside),
      {"prelu",
       {2,
        [](const call& c) {
          TORCH_CHECK(at::isFloatingType(at::result_type(c.x[0], c.x[1])), "prelu of integers");
          const auto x = common(c.x[0], c.x[0], c.x[1]), w = common(c.x[1], c.x[0], c.x[1]);
          return at::where(at::gt(x, 0), x, at::mul(x, w));
        },
        nullptr}},
      BINARY(pow),
      BINARY(atan2),
      BINARY(hypot),
      BINARY(fmod),
      BINARY(remainder),
      BINARY(floor_divide),
      ENTRY(trunc_divide, 2, at::div(c.x[0], c.x[1], "trunc"), c.x[0].div_(c.x[1], "trunc")),
      ENTRY(div_floor, 2, at::div(c.x[0], c.x[1], "floor"), c.x[0].div_(c.x[1], "floor")),
      BINARY(xlogy),
      {"xlog1py", {2, [](const call& c) { return at::special_xlog1py(c.x[0], c.x[1]); }, nullptr}},
      BINARY(ldexp),
      NO_IN_PLACE(logaddexp),
      NO_IN_PLACE(logaddexp2),
      WITHOUT_IN_PLACE(isclose, 2, at::isclose(c.x[0], c.x[1])),
      ENTRY(clamp, 3, at::clamp(c.x[0], c.x[1], c.x[2]), c.x[0].clamp_(c.x[1], c.x[2])),
      ENTRY(lerp, 3, at::lerp(c.x[0], c.x[1], c.x[2]), c.x[0].lerp_(c.x[1], c.x[2])),
      WITHOUT_IN_PLACE(where, 3, at::where(c.x[0], c.x[1], c.x[2])),
      ADDC(addcmul),
      ADDC(addcdiv),
      WITHOUT_IN_PLACE(add_mul, 3, at::add(c.x[0], at::mul(c.x[1], c.x[2]))),
      WITHOUT_IN_PLACE(add_div, 3, at::add(c.x[0], at::div(c.x[1], c.x[2]))),
      {"copy", {2, nullptr, [](const call& c) { return c.x[0].copy_(c.x[1]); }}},
      {"masked_fill", {2, nullptr, [](const call& c) { return c.x[0].masked_fill_(c.x[1], c.number(0, 0)); }}},
      {"masked_scatter", {3, nullptr, [](const call& c) { return c.x[0].masked_scatter_(c.x[1], c.x[2]); }}},
      WITHOUT_IN_PLACE(masked_select, 2, at::masked_select(c.x[0], c.x[1])),
  };
  return all;
}

#undef ENTRY
#undef WITHOUT_IN_PLACE
#undef UNARY
#undef FREE_UNARY
#undef TEST
#undef BINARY
#undef NO_IN_PLACE
#undef SCALED
#undef ADDC

// Functions of integers of 32 and 64 bits are compared with what PyTorch gives with f64 as its default type. The sums
// of add_div and addcdiv take no part in this: their quotient does.
void choose_default_type(const std::string& name, const call& c, bool weak_last) {
  const bool quotient = name == "addcdiv" || name == "add_div";
  at::ScalarType t = c.x[quotient ? 1 : 0].scalar_type();
  const std::size_t arrays = c.x.size() - (weak_last ? 1 : 0);
  at::Tensor x = c.x[quotient ? 1 : 0];
  for (std::size_t k = quotient ? 2 : 1; k < arrays; ++k) t = at::result_type(x, c.x[k]), x = x.to(t);
  c10::set_default_dtype(caffe2::scalarTypeToTypeMeta(t == at::kInt || t == at::kLong ? at::kDouble : at::kFloat));
}

// What an in-place function does with a result: it may not grow the destination nor lose its category.
at::Tensor written_to(const at::Tensor& self, const at::Tensor& result) {
  const auto type = self.scalar_type();
  TORCH_CHECK(at::canCast(result.scalar_type(), type), "result type ", result.scalar_type(),
              " can't be cast to the desired output type ", type);
  for (int64_t i = 0; i < self.dim(); ++i)
    TORCH_CHECK(self.stride(i) != 0 || self.size(i) < 2,
                "unsupported operation: more than one element of the written-to tensor refers to a single memory "
                "location.");
  TORCH_CHECK(self.sizes() == result.sizes(), "output with shape ", self.sizes(), " doesn't match the broadcast shape ",
              result.sizes());
  return self.copy_(result);
}

}  // namespace

bool in_pytorch(const std::string& name) { return table().count(name) > 0; }

answer pytorch(const std::string& name, const std::vector<operand>& operands, const std::vector<double>& numbers,
               bool weak_last) {
  // One thread, and errors without the stack of calls, which takes longer than all else.
  static const bool set_up = (at::set_num_threads(1), c10::SetStackTraceFetcher([] { return std::string(); }), true);
  static_cast<void>(set_up);
  const bool in_place = !name.empty() && name.back() == '_';
  const entry& e = table().at(in_place ? name.substr(0, name.size() - 1) : name);
  if (operands.size() != e.operands || (!in_place && !e.out_of_place)) throw std::out_of_range(name + ": no such form");
  call c{{}, numbers};
  for (const auto& x : operands) c.x.push_back(in_place && c.x.empty() ? destination_of(x) : tensor_of(x));
  choose_default_type(in_place ? name.substr(0, name.size() - 1) : name, c, weak_last);
  if (weak_last) c.x.back().unsafeGetTensorImpl()->set_wrapped_number(true);
  answer a;
  try {
    const at::Tensor given = !in_place    ? e.out_of_place(c)
                             : e.in_place ? e.in_place(c)
                                          : written_to(c.x[0], e.out_of_place(c));
    const at::Tensor r = given.contiguous();
    a.type = from_torch(r.scalar_type());
    a.shape.assign(r.sizes().begin(), r.sizes().end());
    a.elements.resize(static_cast<std::size_t>(r.numel()) * r.element_size());
    if (!a.elements.empty()) std::memcpy(a.elements.data(), r.data_ptr(), a.elements.size());
  } catch (const c10::Error& error) {
    a.failed = true;
    a.error = error.what_without_backtrace();
  }
  return a;
}

}  // namespace reference
