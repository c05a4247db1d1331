// files_echo npz IN OUT stored|compressed: reads all arrays of an archive and writes them to another.
// files_echo csv IN OUT f64|f32|i64 DELIMITER [MISSING]: reads a table and writes it.
#include <broadloom/half.hpp>
#include <broadloom/io/csv.hpp>
#include <broadloom/io/npz.hpp>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace bl = broadloom;

template <class T>
void add(const bl::npz_file& from, const std::string& name, std::vector<bl::npz_entry>& to) {
  const auto any = from.read_any<T>(name);
  bl::visit_ranks<0, 1, 2, 3>(any, [&](const auto& a) { to.emplace_back(name, bl::eval(a)); });
}

void echo_npz(const std::string& in, const std::string& out, bool compressed) {
  const auto from = bl::open_npz(in);
  std::vector<bl::npz_entry> to;
  for (const auto& name : from.names()) {
    switch (from.type(name)) {
      case bl::dtype::b8: add<bool>(from, name, to); break;
      case bl::dtype::i8: add<std::int8_t>(from, name, to); break;
      case bl::dtype::i16: add<std::int16_t>(from, name, to); break;
      case bl::dtype::i32: add<std::int32_t>(from, name, to); break;
      case bl::dtype::i64: add<std::int64_t>(from, name, to); break;
      case bl::dtype::u8: add<std::uint8_t>(from, name, to); break;
      case bl::dtype::u16: add<std::uint16_t>(from, name, to); break;
      case bl::dtype::u32: add<std::uint32_t>(from, name, to); break;
      case bl::dtype::u64: add<std::uint64_t>(from, name, to); break;
      case bl::dtype::f32: add<float>(from, name, to); break;
      case bl::dtype::f64: add<double>(from, name, to); break;
      case bl::dtype::c64: add<std::complex<float>>(from, name, to); break;
      case bl::dtype::c128: add<std::complex<double>>(from, name, to); break;
      case bl::dtype::f16: add<bl::float16>(from, name, to); break;
      case bl::dtype::bf16:
      case bl::dtype::own: break;  // in no archive
    }
  }
  compressed ? bl::write_npz(out, to, bl::compressed) : bl::write_npz(out, to);
}

template <class T>
void echo_csv(char** argv, int argc) {
  bl::csv_options<T> options{.delimiter = argv[5][0]};
  if (argc > 6) options.missing = static_cast<T>(std::atof(argv[6]));
  bl::write_csv(argv[3], bl::read_csv<T>(argv[2], options), {.delimiter = argv[5][0]});
}

int main(int argc, char** argv) {
  try {
    const std::string what = argv[1], type = argv[4];
    if (what == "npz")
      echo_npz(argv[2], argv[3], type == "compressed");
    else if (type == "f64")
      echo_csv<double>(argv, argc);
    else if (type == "f32")
      echo_csv<float>(argv, argc);
    else
      echo_csv<std::int64_t>(argv, argc);
  } catch (const std::exception& e) {
    std::puts(e.what());
    return std::string(e.what()).find("without minizip") != std::string::npos ? 77 : 1;
  }
}
