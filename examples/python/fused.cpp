// A Python module of fused functions on NumPy arrays: nothing is copied in, each result is made in one pass.
#include <broadloom/broadloom.hpp>
#include <broadloom/interop/pybind11.hpp>

namespace bl = broadloom;
namespace py = pybind11;

// x, mean and deviation broadcast: (x - mean) / (deviation + eps), limited to [-limit, limit].
py::array standardize(const py::array& x, const py::array& mean, const py::array& deviation, float limit) {
  const auto a = bl::from_numpy<const float, 2>(x);
  const auto m = bl::from_numpy<const float, 1>(mean);
  const auto d = bl::from_numpy<const float, 1>(deviation);
  return bl::to_numpy(bl::clamp((a - m) / (d + 1e-6F), -limit, limit));
}

// Softmax along the last axis.
py::array softmax(const py::array& x) {
  const auto a = bl::from_numpy<const float, 2>(x);
  return bl::to_numpy(bl::softmax(a, 1));
}

// out += scale * x, in the caller's array.
void add_scaled(const py::array& out, const py::array& x, double scale) {
  const auto o = bl::from_numpy<double, 1>(out);
  const auto a = bl::from_numpy<const double, 1>(x);
  const py::gil_scoped_release unlocked;
  o.as_view() += scale * a;
}

// The root of the mean square of an array of any rank up to 3.
double rms(const py::array& x) {
  const auto any = bl::from_numpy_any<const double>(x);
  const py::gil_scoped_release unlocked;
  return bl::visit_ranks<0, 1, 2, 3>(any, [](const auto& a) { return bl::sqrt(bl::mean(bl::square(a))).item(); });
}

// Where an array's elements lie, to see that nothing was copied.
std::uintptr_t address(const py::array& x) {
  return reinterpret_cast<std::uintptr_t>(bl::from_numpy<const float, 2>(x).data());
}

PYBIND11_MODULE(fused, m) {
  m.def("standardize", &standardize);
  m.def("softmax", &softmax);
  m.def("add_scaled", &add_scaled);
  m.def("rms", &rms);
  m.def("address", &address);
}
