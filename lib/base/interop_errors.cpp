// Errors of arrays of other libraries.
#include <string>

#include <broadloom/core/error.hpp>

#include "errors.hpp"

namespace broadloom::detail {

void raise_negative_stride(const char* call, index stride) {
  throw shape_error(std::string(call) + ": a stride of " + std::to_string(stride) +
                    " cannot be represented; copy the view first, as by bl::eval");
}

void raise_not_representable(const char* call, const char* what) { throw shape_error(std::string(call) + ": " + what); }

void raise_wrong_rank(const char* call, index expected, index given) {
  throw shape_error(std::string(call) + ": expected an array of rank " + std::to_string(expected) + ", got rank " +
                    std::to_string(given));
}

void raise_wrong_type(const char* call, const char* expected, const char* given) {
  throw shape_error(std::string(call) + ": expected elements of type " + expected + ", got " + given);
}

void raise_wrong_dlpack_type(const char* call, const char* expected, int code, int bits, int lanes) {
  constexpr const char* names[] = {"integers", "unsigned integers", "floating-point numbers",
                                   "handles",  "bfloat16 numbers",  "complex numbers",
                                   "booleans"};
  std::string given = code >= 0 && code < 7 ? names[code] : "elements of type code " + std::to_string(code);
  given += " of " + std::to_string(bits) + " bits";
  if (lanes != 1) given += " in " + std::to_string(lanes) + " lanes";
  raise_wrong_type(call, expected, given.c_str());
}

void raise_other_rank(const char* call, const index* extents, int rank, const int* wanted, int count) {
  std::string text = std::string(call) + ": the array has rank " + std::to_string(rank) + ", shape (";
  for (int i = 0; i < rank; ++i) text += (i == 0 ? "" : ", ") + std::to_string(extents[i]);
  text += rank == 1 ? ",), not rank " : "), not rank ";
  for (int i = 0; i < count; ++i) text += (i == 0 ? "" : i + 1 == count ? " or " : ", ") + std::to_string(wanted[i]);
  throw shape_error(text);
}

}  // namespace broadloom::detail
