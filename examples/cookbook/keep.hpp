// keep("name", x): prints what x is; in a folder given to the program, writes it to name.npy, too.
#pragma once

#include <broadloom/broadloom.hpp>
#include <broadloom/io/npy.hpp>

#include <iostream>
#include <string>

class keep {
 public:
  keep(int argc, char** argv) : folder_(argc > 1 ? argv[1] : "") {}

  template <class X>
  void operator()(const std::string& name, const X& x) const {
    const broadloom::tensor value = x;
    std::cout << name << ' ' << value.shape() << ", from " << broadloom::amin(value).item() << " to "
              << broadloom::amax(value).item() << '\n';
    if (!folder_.empty()) broadloom::write_npy(folder_ + "/" + name + ".npy", value);
  }

 private:
  std::string folder_;
};
