// The only file that includes PyTorch's headers: calls its functions by name on arrays given as pointer, shape,
// strides.
#include <ATen/ATen.h>

#include <cstring>
#include <functional>
#include <map>

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
    case dtype::c64: return at::kComplexFloat;
    case dtype::c128: return at::kComplexDouble;
    default: throw std::invalid_argument("PyTorch has no such element type");
  }
}

dtype from_torch(at::ScalarType t) {
  for (dtype d : {dtype::b8, dtype::i8, dtype::i16, dtype::i32, dtype::i64, dtype::u8, dtype::f32, dtype::f64,
                  dtype::c64, dtype::c128})
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

using tensors = std::vector<at::Tensor>;
struct call {
  tensors x;
  const double* scalar;
  at::Scalar value(double otherwise) const { return scalar == nullptr ? at::Scalar(otherwise) : at::Scalar(*scalar); }
  at::Scalar whole_value() const {
    const double v = scalar == nullptr ? 1 : *scalar;
    return v == static_cast<double>(static_cast<int64_t>(v)) ? at::Scalar(static_cast<int64_t>(v)) : at::Scalar(v);
  }
};
using function = std::function<at::Tensor(const call&)>;

struct entry {
  std::size_t operands;
  function out_of_place, in_place;
};

#define UNARY(NAME)                                                                                     \
  {                                                                                                     \
    #NAME, {                                                                                            \
      1, [](const call& c) { return at::NAME(c.x[0]); }, [](const call& c) { return c.x[0].NAME##_(); } \
    }                                                                                                   \
  }
#define BINARY(NAME)                                                                                                  \
  {                                                                                                                   \
    #NAME, {                                                                                                          \
      2, [](const call& c) { return at::NAME(c.x[0], c.x[1]); }, [](const call& c) { return c.x[0].NAME##_(c.x[1]); } \
    }                                                                                                                 \
  }
#define NO_IN_PLACE(NAME)                                                \
  {                                                                      \
    #NAME, {                                                             \
      2, [](const call& c) { return at::NAME(c.x[0], c.x[1]); }, nullptr \
    }                                                                    \
  }
#define SCALED(NAME)                                                              \
  {                                                                               \
    #NAME, {                                                                      \
      2, [](const call& c) { return at::NAME(c.x[0], c.x[1], c.whole_value()); }, \
          [](const call& c) { return c.x[0].NAME##_(c.x[1], c.whole_value()); }   \
    }                                                                             \
  }
#define ADDC(NAME)                                                                        \
  {                                                                                       \
    #NAME, {                                                                              \
      3, [](const call& c) { return at::NAME(c.x[0], c.x[1], c.x[2], c.whole_value()); }, \
          [](const call& c) { return c.x[0].NAME##_(c.x[1], c.x[2], c.whole_value()); }   \
    }                                                                                     \
  }

const std::map<std::string, entry>& table() {
  static const std::map<std::string, entry> all{
      UNARY(neg),
      UNARY(abs),
      UNARY(sqrt),
      UNARY(square),
      UNARY(logical_not),
      UNARY(exp),
      UNARY(log),
      UNARY(sin),
      UNARY(cos),
      UNARY(tanh),
      UNARY(sigmoid),
      BINARY(mul),
      BINARY(div),
      BINARY(pow),
      BINARY(eq),
      BINARY(ne),
      BINARY(lt),
      BINARY(le),
      BINARY(gt),
      BINARY(ge),
      BINARY(atan2),
      BINARY(fmod),
      BINARY(remainder),
      BINARY(logical_and),
      BINARY(logical_or),
      BINARY(logical_xor),
      NO_IN_PLACE(maximum),
      NO_IN_PLACE(minimum),
      SCALED(add),
      SCALED(sub),
      ADDC(addcmul),
      ADDC(addcdiv),
      {"lerp",
       {2, [](const call& c) { return at::lerp(c.x[0], c.x[1], c.value(0.5)); },
        [](const call& c) { return c.x[0].lerp_(c.x[1], c.value(0.5)); }}},
      {"lerp3",
       {3, [](const call& c) { return at::lerp(c.x[0], c.x[1], c.x[2]); },
        [](const call& c) { return c.x[0].lerp_(c.x[1], c.x[2]); }}},
      {"where", {3, [](const call& c) { return at::where(c.x[0], c.x[1], c.x[2]); }, nullptr}},
      {"clamp",
       {3, [](const call& c) { return at::clamp(c.x[0], c.x[1], c.x[2]); },
        [](const call& c) { return c.x[0].clamp_(c.x[1], c.x[2]); }}},
      {"copy", {2, nullptr, [](const call& c) { return c.x[0].copy_(c.x[1]); }}},
      {"add_mul", {3, [](const call& c) { return at::add(c.x[0], at::mul(c.x[1], c.x[2])); }, nullptr}},
  };
  return all;
}

#undef UNARY
#undef BINARY
#undef NO_IN_PLACE
#undef SCALED
#undef ADDC

}  // namespace

answer pytorch(const std::string& name, const std::vector<operand>& operands, const double* scalar) {
  const bool in_place = !name.empty() && name.back() == '_';
  const entry& e = table().at(in_place ? name.substr(0, name.size() - 1) : name);
  const function& f = in_place ? e.in_place : e.out_of_place;
  if (!f || operands.size() != e.operands) throw std::out_of_range(name + ": no such form");
  call c{{}, scalar};
  for (const auto& x : operands) c.x.push_back(tensor_of(x));
  if (in_place) c.x[0] = c.x[0].clone(at::MemoryFormat::Contiguous);
  answer a;
  try {
    const at::Tensor r = f(c).contiguous();
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

std::vector<std::string> pytorch_names() {
  std::vector<std::string> names;
  for (const auto& [name, e] : table()) names.push_back(name);
  return names;
}

}  // namespace reference
