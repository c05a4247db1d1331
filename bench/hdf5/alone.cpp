// Moves bytes by HDF5 alone, and computes nothing: reads /x of a file so many times, 8 MiB at a time, and the last time
// writes what it reads to /y of a new file. What a standardisation in passes cannot be faster than.
//
// usage: hdf5_alone IN.h5 OUT.h5 PASSES
#include <fcntl.h>
#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 4) return 1;
  const int passes = std::atoi(argv[3]);
  const hid_t in = H5Fopen(argv[1], H5F_ACC_RDONLY, H5P_DEFAULT), x = H5Dopen2(in, "/x", H5P_DEFAULT);
  const hid_t from = H5Dget_space(x);
  hsize_t extents[2];
  H5Sget_simple_extent_dims(from, extents, nullptr);
  const hid_t out = H5Fcreate(argv[2], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), how = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_fill_time(how, H5D_FILL_TIME_NEVER);
  const hid_t y = H5Dcreate2(out, "/y", H5T_NATIVE_FLOAT, from, H5P_DEFAULT, how, H5P_DEFAULT);
  const hsize_t rows = std::max<hsize_t>(1, (hsize_t(8) << 20) / (extents[1] * sizeof(float)));
  std::vector<float> block(rows * extents[1]);
  for (int pass = 1; pass <= passes; ++pass)
    for (hsize_t first = 0; first < extents[0]; first += rows) {
      const hsize_t start[2] = {first, 0}, count[2] = {std::min(rows, extents[0] - first), extents[1]};
      H5Sselect_hyperslab(from, H5S_SELECT_SET, start, nullptr, count, nullptr);
      const hid_t memory = H5Screate_simple(2, count, nullptr);
      if (H5Dread(x, H5T_NATIVE_FLOAT, memory, from, H5P_DEFAULT, block.data()) < 0) return 1;
      if (pass == passes && H5Dwrite(y, H5T_NATIVE_FLOAT, memory, from, H5P_DEFAULT, block.data()) < 0) return 1;
      H5Sclose(memory);
    }
  H5Dclose(y);
  H5Fclose(out);
  // the example's file is on the disk when it ends
  const int descriptor = ::open(argv[2], O_RDONLY);
  return ::fsync(descriptor) != 0;
}
