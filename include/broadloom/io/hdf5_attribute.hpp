// Attributes of a set of an HDF5 file.
#pragma once

#include <string>

#include <broadloom/io/hdf5_set.hpp>

namespace broadloom::runtime {

// Attributes of a set.
inline hdf5_id open_hdf5_attribute(const hdf5_set& x, const std::string& name) {
  return {hdf5_call::checked(H5Aopen(x.id(), name.c_str(), H5P_DEFAULT), "hdf5::attribute",
                             "attribute \"" + name + "\" of " + x.name()),
          H5Aclose};
}
inline bool has_hdf5_attribute(const hdf5_set& x, const std::string& name) {
  const hdf5_call one;
  return H5Aexists(x.id(), name.c_str()) > 0;
}
inline void read_hdf5_attribute(const hdf5_set& x, const std::string& name, dtype t, void* to) {
  const hdf5_call one;
  const std::string what = "attribute \"" + name + "\" of " + x.name();
  const hdf5_id a = open_hdf5_attribute(x, name);
  const hdf5_id space(one.checked(H5Aget_space(a), "hdf5::attribute", what), H5Sclose);
  if (H5Sget_simple_extent_npoints(space) != 1)
    throw io_error("hdf5::attribute: " + what + " has several values, or none");
  one.checked(H5Aread(a, hdf5_type(t), to), "hdf5::attribute", what);
}
inline std::string read_hdf5_text(const hdf5_set& x, const std::string& name) {
  const hdf5_call one;
  const std::string what = "attribute \"" + name + "\" of " + x.name();
  const hdf5_id a = open_hdf5_attribute(x, name);
  const hdf5_id type(one.checked(H5Aget_type(a), "hdf5::attribute", what), H5Tclose);
  const hdf5_id space(one.checked(H5Aget_space(a), "hdf5::attribute", what), H5Sclose);
  if (H5Tget_class(type) != H5T_STRING || H5Sget_simple_extent_npoints(space) != 1)
    throw io_error("hdf5::attribute: " + what + " is no text");
  if (H5Tis_variable_str(type) > 0) {
    char* text = nullptr;
    one.checked(H5Aread(a, type, static_cast<void*>(&text)), "hdf5::attribute", what);
    const std::string copy = text == nullptr ? "" : text;
    H5free_memory(text);
    return copy;
  }
  std::string text(H5Tget_size(type), '\0');
  one.checked(H5Aread(a, type, text.data()), "hdf5::attribute", what);
  return text.c_str();
}
inline void write_hdf5_attribute(const hdf5_set& x, const std::string& name, hid_t type, const void* value) {
  const hdf5_call one;
  const std::string what = "attribute \"" + name + "\" of " + x.name();
  const hdf5_id space(one.checked(H5Screate(H5S_SCALAR), "hdf5::attribute", what), H5Sclose);
  const hdf5_id a(
      one.checked(H5Acreate2(x.id(), name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), "hdf5::attribute", what),
      H5Aclose);
  one.checked(H5Awrite(a, type, value), "hdf5::attribute", what);
}

}  // namespace broadloom::runtime
