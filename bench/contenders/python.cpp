// NumPy, numexpr and numba, as far as they are installed: python.py beside this file says how each solves a workload. The
// interpreter runs within the benchmark program, on the same memory as everybody else.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <dlfcn.h>

#include <cstdio>
#include <memory>
#include <string>

#include "../contender.hpp"

namespace {

using bench::job;
using bench::problem;

struct release {
  void operator()(PyObject* p) const { Py_XDECREF(p); }
};
using object = std::unique_ptr<PyObject, release>;

object owned(PyObject* p) {
  if (!p) {
    PyErr_Print();
    throw std::runtime_error("a Python contender failed");
  }
  return object(p);
}

object shape_of(const bench::shape& s) {
  object t = owned(PyTuple_New(Py_ssize_t(s.size())));
  for (std::size_t i = 0; i < s.size(); ++i) PyTuple_SetItem(t.get(), Py_ssize_t(i), PyLong_FromLong(s[i]));
  return t;
}
object placed(const void* p, const bench::shape& s) { return owned(Py_BuildValue("(KO)", static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(p)), shape_of(s).get())); }

job make(PyObject* module, const std::string& contender, const std::string& workload, const problem& p) {
  object operands = owned(PyList_New(0));
  for (std::size_t k = 0; k < p.operands.size(); ++k) PyList_Append(operands.get(), placed(p.operands[k], p.shapes[k]).get());
  const object maker = owned(PyObject_GetAttrString(module, "make"));
  const int threads = contender == "numpy" ? 1 : p.threads;
  const std::shared_ptr<PyObject> run(
      owned(PyObject_CallFunction(maker.get(), "ssOOi", contender.c_str(), workload.c_str(), operands.get(),
                                  placed(p.output, p.output_shape).get(), threads)).release(),
      release());
  job j;
  j.threads = threads;
  if (contender == "numba" && threads > 1) j.settle_ms = 5;
  j.calls = [run](long n) { owned(PyObject_CallFunction(run.get(), "l", n)); };
  return j;
}

}  // namespace

void broadloom_bench_register(bench::registry& r) {
  // The packages' own modules look for the interpreter's names among the global ones.
  if (!dlopen(BENCH_LIBPYTHON, RTLD_NOW | RTLD_GLOBAL)) {
    std::fprintf(stderr, "no Python contenders: %s\n", dlerror());
    return;
  }
  PyConfig config;
  PyConfig_InitIsolatedConfig(&config);
  config.site_import = 1;
  config.write_bytecode = 0;
  PyConfig_SetBytesString(&config, &config.program_name, BENCH_PYTHON);  // its packages are the ones that are imported
  const PyStatus status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  if (PyStatus_Exception(status)) {
    std::fprintf(stderr, "no Python contenders: the interpreter does not start\n");
    return;
  }
  PyObject* const path = PySys_GetObject("path");
  PyList_Insert(path, 0, owned(PyUnicode_FromString(BENCH_CONTENDERS)).get());
  PyObject* const module = PyImport_ImportModule("python");  // for as long as the program runs
  if (!module) {
    std::fprintf(stderr, "no Python contenders:\n");
    PyErr_Print();
    return;
  }
  const object found = owned(PyObject_GetAttrString(module, "FOUND"));
  for (Py_ssize_t i = 0; i < PyList_Size(found.get()); ++i) {
    const char *name = nullptr, *version = nullptr, *use = nullptr;
    PyObject* cases = nullptr;
    if (!PyArg_ParseTuple(PyList_GetItem(found.get(), i), "sssO", &name, &version, &use, &cases)) owned(nullptr);
    r.contender(name, version, use);
    const object names = owned(PyDict_Keys(cases));
    for (Py_ssize_t k = 0; k < PyList_Size(names.get()); ++k) {
      const std::string workload = PyUnicode_AsUTF8(PyList_GetItem(names.get(), k));
      r.solves(workload, [module, contender = std::string(name), workload](const problem& p) { return make(module, contender, workload, p); });
    }
  }
}
