// Elements of HDF5 sets: types in memory, and the names of those in files.
#pragma once

#include <cstdint>
#include <string>

#include <broadloom/core/dtype.hpp>
#include <broadloom/io/hdf5_call.hpp>

namespace broadloom::runtime {

// The type of such elements in memory: h5py's for bool (an enumeration) and complex numbers (r and i).
inline hid_t hdf5_type(dtype t) {
  const auto complex = [](hid_t part, std::size_t bytes) {
    const hid_t id = H5Tcreate(H5T_COMPOUND, 2 * bytes);
    H5Tinsert(id, "r", 0, part);
    H5Tinsert(id, "i", bytes, part);
    return id;
  };
  const auto truth = [] {
    const hid_t id = H5Tenum_create(H5T_NATIVE_INT8);
    const std::int8_t no = 0, yes = 1;
    H5Tenum_insert(id, "FALSE", &no);
    H5Tenum_insert(id, "TRUE", &yes);
    return id;
  };
  // Sign, exponent and a mantissa of so many bits.
  const auto floating16 = [](std::size_t mantissa) {
    const hid_t id = H5Tcopy(H5T_NATIVE_FLOAT);
    H5Tset_fields(id, 15, mantissa, 15 - mantissa, 0, mantissa);
    H5Tset_size(id, 2);
    H5Tset_ebias(id, (std::size_t{1} << (14 - mantissa)) - 1);
    return id;
  };
  switch (t) {
    case dtype::b8: {
      static const hid_t id = truth();
      return id;
    }
    case dtype::i8: return H5T_NATIVE_INT8;
    case dtype::i16: return H5T_NATIVE_INT16;
    case dtype::i32: return H5T_NATIVE_INT32;
    case dtype::i64: return H5T_NATIVE_INT64;
    case dtype::u8: return H5T_NATIVE_UINT8;
    case dtype::u16: return H5T_NATIVE_UINT16;
    case dtype::u32: return H5T_NATIVE_UINT32;
    case dtype::u64: return H5T_NATIVE_UINT64;
    case dtype::f32: return H5T_NATIVE_FLOAT;
    case dtype::f64: return H5T_NATIVE_DOUBLE;
    case dtype::f16: {  // h5py's float16
      static const hid_t id = floating16(10);
      return id;
    }
    case dtype::bf16: {
      static const hid_t id = floating16(7);
      return id;
    }
    case dtype::c64: {
      static const hid_t id = complex(H5T_NATIVE_FLOAT, 4);
      return id;
    }
    case dtype::c128: {
      static const hid_t id = complex(H5T_NATIVE_DOUBLE, 8);
      return id;
    }
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
