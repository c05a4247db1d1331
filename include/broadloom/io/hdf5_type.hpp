// Elements of HDF5 sets: types in memory, and the names of those in files.
#pragma once

#include <cstdint>
#include <string>

#include <broadloom/core/dtype.hpp>
#include <broadloom/io/hdf5_call.hpp>

namespace broadloom::runtime {

// The types of elements in memory that HDF5 has no name for, made once: h5py's for bool (an enumeration), complex
// numbers (r and i) and floating numbers of 16 bits.
inline hid_t hdf5_truth() {
  static const hid_t id = [] {
    const hid_t x = H5Tenum_create(H5T_NATIVE_INT8);
    const std::int8_t no = 0, yes = 1;
    H5Tenum_insert(x, "FALSE", &no);
    H5Tenum_insert(x, "TRUE", &yes);
    return x;
  }();
  return id;
}
template <class T>
hid_t hdf5_complex() {
  static const hid_t id = [] {
    const hid_t part = sizeof(T) == 4 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE,
                x = H5Tcreate(H5T_COMPOUND, 2 * sizeof(T));
    H5Tinsert(x, "r", 0, part);
    H5Tinsert(x, "i", sizeof(T), part);
    return x;
  }();
  return id;
}
// Sign, exponent and a mantissa of so many bits.
template <std::size_t Mantissa>
hid_t hdf5_half() {
  static const hid_t id = [] {
    const hid_t x = H5Tcopy(H5T_NATIVE_FLOAT);
    H5Tset_fields(x, 15, Mantissa, 15 - Mantissa, 0, Mantissa);
    H5Tset_size(x, 2);
    H5Tset_ebias(x, (std::size_t{1} << (14 - Mantissa)) - 1);
    return x;
  }();
  return id;
}
inline hid_t hdf5_type(dtype t) {
  switch (t) {
#define BROADLOOM_DTYPE(enumerator, name, type, category, bytes, npy, dlpack, torch, hdf5) \
  case dtype::enumerator: return hdf5;
#include <broadloom/core/dtypes.def>
#undef BROADLOOM_DTYPE
    case dtype::own: break;
  }
  return -1;
}

// The name of the elements of a file: that of a dtype if it is one, in whatever order of bytes.
inline std::string hdf5_type_name(hid_t type) {
  const std::string bits = std::to_string(8 * H5Tget_size(type));
  switch (H5Tget_class(type)) {
    case H5T_INTEGER: return (H5Tget_sign(type) == H5T_SGN_NONE ? "u" : "i") + bits;
    case H5T_FLOAT: {
      std::size_t sign, exponent, exponent_bits, mantissa, mantissa_bits;
      H5Tget_fields(type, &sign, &exponent, &exponent_bits, &mantissa, &mantissa_bits);
      return (H5Tget_size(type) == 2 && mantissa_bits == 7 ? "bf" : "f") + bits;
    }
    case H5T_STRING: return "text";
    case H5T_ENUM: {
      if (H5Tget_nmembers(type) != 2) return "enumeration";
      std::string names;
      for (unsigned i = 0; i < 2; ++i) {
        char* const name = H5Tget_member_name(type, i);
        names += name;
        H5free_memory(name);
      }
      return names == "FALSETRUE" ? "bool" : "enumeration";
    }
    case H5T_COMPOUND: {
      if (H5Tget_nmembers(type) != 2 || H5Tget_member_index(type, "r") != 0 || H5Tget_member_index(type, "i") != 1)
        return "compound";
      const hdf5_id part(H5Tget_member_type(type, 0), H5Tclose), other(H5Tget_member_type(type, 1), H5Tclose);
      if (H5Tget_class(part) != H5T_FLOAT || H5Tget_class(other) != H5T_FLOAT ||
          H5Tget_size(part) != H5Tget_size(other))
        return "compound";
      return "c" + std::to_string(16 * H5Tget_size(part));
    }
    default: return "another type";
  }
}

inline std::string hdf5_name(const std::string& file, const std::string& set) {
  return "\"" + set + "\" of \"" + file + "\"";
}

}  // namespace broadloom::runtime
