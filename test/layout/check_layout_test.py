#!/usr/bin/env python3
"""The layout checks can fail: small trees with one mistake each are refused, and for the right reason. Reports by TAP.

usage: check_layout_test.py SOURCE_ROOT COMPILER...
"""
import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1]).resolve()
compiler = sys.argv[2:]
sys.path.insert(0, str(root / "tools"))
from tap import Tap  # noqa: E402

# Public headers by their name below include/broadloom, other files by their path.
good = {
    "lib/base/memory.hpp": "// Memory.\n#pragma once\n",
    "lib/plan/nest.hpp": '// A nest.\n#pragma once\n#include "../base/memory.hpp"\n',
    "lib/index/read.cpp": '// Reads.\n#include "../plan/nest.hpp"\nvoid read() {}\n',
    "core/compiler.hpp": "// Refuses old compilers.\n#pragma once\n#if __cplusplus < 202002L\n#error \"needs C++20: compile with -std=c++20\"\n#endif\n",
    "core/index.hpp": "// An index.\n#pragma once\n#include <broadloom/core/compiler.hpp>\n",
    "broadloom.hpp": "// All.\n#pragma once\n#include <broadloom/shape/shape.hpp>\n",
    "test/core/index_test.cpp": "// Indices.\n",
    "test/core/index_wrapping_test.cpp": "// Indices that wrap.\n",
    "test/plan/nest_test.cpp": "// Nests.\n",
    "test/law/sums_test.py": '#!/usr/bin/env python3\n"""Sums do not depend on the layout."""\n',
    "shape/shape.hpp": "// A shape.\n#pragma once\n#include <broadloom/core/index.hpp>\n",
}
# name: mode, files that replace or join the good ones, the case that must fail, what its message must name
mistakes = {
    "a lower layer includes a higher one": (
        "layers",
        {"core/index.hpp": "// An index.\n#pragma once\n\n#include <broadloom/shape/shape.hpp>\n"},
        "core/ includes only layers up to 0",
        "core/index.hpp:4",
    ),
    "the same by a relative path": (
        "layers",
        {"core/index.hpp": '// An index.\n#pragma once\n#include "../shape/shape.hpp"\n'},
        "core/ includes only layers up to 0",
        "shape/shape.hpp of layer 1",
    ),
    "two folders of one layer include each other": (
        "layers",
        {
            "reduce/sum.hpp": "// Sum.\n#include <broadloom/linalg/matmul.hpp>\n",
            "linalg/matmul.hpp": "// Product.\n#include <broadloom/index/take.hpp>\n",
            "index/take.hpp": "// Take.\n#include <broadloom/reduce/sum.hpp>\n",
        },
        "no folders include each other in a cycle",
        "index -> reduce -> linalg -> index",
    ),
    "two headers include each other": (
        "layers",
        {
            "core/a.hpp": "// A.\n#pragma once\n#include <broadloom/core/b.hpp>\n",
            "core/b.hpp": "// B.\n#pragma once\n#include <broadloom/core/a.hpp>\n",
        },
        "no headers include each other in a cycle",
        "core/a.hpp -> core/b.hpp",
    ),
    "a header that is not there": (
        "layers",
        {"core/a.hpp": "// A.\n#include <broadloom/core/b.hpp>\n"},
        "core/ includes only layers up to 0",
        "core/b.hpp, which does not exist",
    ),
    "a folder without a layer": (
        "layers",
        {"misc/a.hpp": "// A.\n"},
        "every folder of headers has a layer",
        "misc",
    ),
    "a word that is a macro elsewhere": (
        "layers",
        {"core/a.hpp": "// A.\n#pragma once\n#include <broadloom/core/compiler.hpp>\ninline int f(int near) { return near; }\n"},
        "no header uses a word that other headers define as a macro",
        "core/a.hpp:4: near",
    ),
    "a function that is a macro elsewhere": (
        "layers",
        {"core/a.hpp": "// A.\n#pragma once\n#include <broadloom/core/compiler.hpp>\ninline int max(int a) { return a; }\n"},
        "no header uses a word that other headers define as a macro",
        "core/a.hpp:4: max(",
    ),
    "a vector outside of the headers for them": (
        "layers",
        {"core/a.hpp": "// A.\n#pragma once\n#include <broadloom/core/compiler.hpp>\ntypedef int four __attribute__((vector_size(16)));\n"},
        "GCC's extensions of the language stand where a port expects them",
        "core/a.hpp:4: vector_size",
    ),
    "a function of the compiler that no port knows": (
        "layers",
        {"core/a.hpp": "// A.\n#pragma once\n#include <broadloom/core/compiler.hpp>\ninline int f(int a) { return __builtin_clz(a); }\n"},
        "every other name of a compiler is in the list of a port",
        "core/a.hpp:4: __builtin_clz",
    ),
    "a name that gave way to the field's term": (
        "layers",
        {"core/a.hpp": "// A.\n#pragma once\n#include <broadloom/core/compiler.hpp>\ninline int neutral_of(int a) { return a; }  // alike\n"},
        "every name in headers is the field's term",
        "core/a.hpp:4: neutral: identity",
    ),
    "a function of vectors of which clang warns": (
        "layers",
        {"core/a.hpp": "// A.\n#pragma once\n#include <broadloom/core/compiler.hpp>\nstruct a_f : detail::lane_function {};\n"},
        "headers of functions of vectors turn clang's -Wpsabi off",
        "include/broadloom/core/a.hpp",
    ),
    "a header that an old compiler reads": (
        "layers",
        {"core/a.hpp": "// A.\n#pragma once\ninline int a = 1;\n#include <broadloom/core/compiler.hpp>\n"},
        "every header refuses old compilers before anything else",
        "core/a.hpp",
    ),
    "an old standard that is not refused": (
        "headers",
        {"core/compiler.hpp": "// Refuses nothing.\n#pragma once\n"},
        "an older standard is refused in a sentence",
        "the compiler says",
    ),
    "a private dependency in a public header": (
        "layers",
        {"core/a.hpp": "// A.\n#include <tbb/parallel_for.h>\n"},
        "no public header includes what only lib/ may use",
        "tbb/parallel_for.h",
    ),
    "a header without its first line": (
        "layers",
        {"core/a.hpp": "#pragma once\n"},
        "every header begins with a line that says what it is",
        "core/a.hpp",
    ),
    "a room that includes a later one": (
        "layers",
        {"lib/base/memory.hpp": '// Memory.\n#pragma once\n\n#include "../plan/nest.hpp"\n'},
        "lib/base/ includes only what it may",
        "lib/base/memory.hpp:4: base/ may not include lib/plan/nest.hpp",
    ),
    "a room that includes one beside the order": (
        "layers",
        {
            "lib/index/read.hpp": "// Reads.\n",
            "lib/assign/assign.cpp": '// The door.\n#include "../index/read.hpp"\n',
        },
        "lib/assign/ includes only what it may",
        "assign/ may not include lib/index/read.hpp",
    ),
    "a room beside the order that includes what it may not": (
        "layers",
        {"lib/run/run.hpp": "// Runs.\n", "lib/index/read.cpp": '// Reads.\n#include "../run/run.hpp"\n'},
        "lib/index/ includes only what it may",
        "index/ may not include lib/run/run.hpp",
    ),
    "rooms that include each other": (
        "layers",
        {"lib/base/memory.hpp": '// Memory.\n#pragma once\n#include "../plan/nest.hpp"\n'},
        "no rooms of lib/ include each other in a cycle",
        "base -> plan -> base",
    ),
    "a file of the library in no room": (
        "layers",
        {"lib/misc/a.cpp": "// A.\n"},
        "every file of lib/ is in a room",
        "misc",
    ),
    "a file of the library that is not there": (
        "layers",
        {"lib/plan/nest.hpp": '// A nest.\n#include "order.hpp"\n'},
        "lib/plan/ includes only what it may",
        "lib/plan/nest.hpp:2: includes plan/order.hpp",
    ),
    "a test of no header": (
        "layers",
        {"test/core/indices_test.cpp": "// Indices.\n"},
        "every test is named by a header or a file of lib/",
        "test/core/indices_test.cpp: there is no include/broadloom/core/indices.hpp",
    ),
    "a test in a folder of its own": (
        "layers",
        {"test/misc/index_test.cpp": "// Indices.\n"},
        "every test is named by a header or a file of lib/",
        "misc/ is neither a folder of headers nor a room of lib/",
    ),
    "a law that does not say what it is": (
        "layers",
        {"test/law/order_test.cpp": "#include <cstddef>\n// The order of elements is no matter.\n"},
        "every other test says in its first line what it tests",
        "test/law/order_test.cpp",
    ),
    "a room that calls a later one by a declaration of its own": (
        "calls",
        {
            "lib/plan/alias.cpp": "// Aliases.\nvoid run();\nvoid copy() { run(); }\n",
            "lib/run/run.cpp": "// Runs.\nvoid run() {}\n",
        },
        "lib/plan/ uses only what it may",
        "lib/plan/alias.cpp: plan/ may not use run() of lib/run/run.cpp",
    ),
    "a header that needs another before it": (
        "headers",
        {"core/a.hpp": "// A.\n#pragma once\ninline std::size_t a = 1;\n"},
        "core/a.hpp compiles alone and twice",
        "size_t",
    ),
    # So many headers include the first that it is precompiled for them.
    "a header that needs another that is precompiled for others": (
        "headers",
        {"core/needed.hpp": "// Needed.\n#pragma once\ninline int needed = 1;\n",
         "core/needs.hpp": "// Needs it.\n#pragma once\ninline int needs = needed;\n",
         **{f"core/with_{n}.hpp": f"// With it.\n#pragma once\n#include <broadloom/core/needed.hpp>\ninline int with_{n} = needed;\n"
            for n in range(8)}},
        "core/needs.hpp compiles alone and twice",
        "needed",
    ),
    "a header that needs another before it, behind one that is precompiled": (
        "headers",
        {"core/needed.hpp": "// Needed.\n#pragma once\ninline int needed = 1;\n",
         **{f"core/with_{n}.hpp": f"// With it.\n#pragma once\n#include <broadloom/core/needed.hpp>\n"
            f"inline {'std::size_t' if n == 7 else 'int'} with_{n} = needed;\n" for n in range(8)}},
        "core/with_7.hpp compiles alone and twice",
        "size_t",
    ),
    # It is compiled with the header that begins with it.
    "a header that needs another before it, which others include first": (
        "headers",
        {"core/a.hpp": "// A.\n#pragma once\ninline std::size_t a = 1;\n", "core/b.hpp": "// B.\n#pragma once\n#include <broadloom/core/a.hpp>\n"},
        "core/a.hpp compiles alone and twice",
        "size_t",
    ),
    "a header that begins with one that is right": (
        "headers",
        {"core/a.hpp": "// A.\n#pragma once\n", "core/b.hpp": "// B.\n#pragma once\n#include <broadloom/core/a.hpp>\ninline std::size_t b = 1;\n"},
        "core/b.hpp compiles alone and twice",
        "size_t",
    ),
    "headers that begin with each other": (
        "headers",
        {"core/a.hpp": "// A.\n#pragma once\n#include <broadloom/core/b.hpp>\n",
         "core/b.hpp": "// B.\n#pragma once\n#include <broadloom/core/a.hpp>\ninline std::size_t b = 1;\n"},
        "core/b.hpp compiles alone and twice",
        "size_t",
    ),
    "a header that cannot be included twice": (
        "headers",
        {"core/a.hpp": "// A.\nstruct a {};\n"},
        "core/a.hpp compiles alone and twice",
        "redefinition of",
    ),
    "a definition that is not inline": (
        "headers",
        {"core/a.hpp": "// A.\n#pragma once\nint two_of_these() { return 1; }\n"},
        "two files of one program may include every header",
        "two_of_these",
    ),
}


def run(mode, files):
    with tempfile.TemporaryDirectory() as scratch:
        for name, text in files.items():
            path = pathlib.Path(scratch) / (name if name.startswith(("lib/", "test/")) else f"include/broadloom/{name}")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        more = compiler if mode == "headers" else []
        if mode == "calls":
            more = [str(pathlib.Path(scratch) / "build")]
            for name in files:
                if name.startswith("lib/") and name.endswith(".cpp"):
                    to = pathlib.Path(scratch) / "build" / "lib" / (name[len("lib/"):].replace("/", "_") + ".o")
                    to.parent.mkdir(parents=True, exist_ok=True)
                    subprocess.run(compiler + ["-c", "-o", str(to), str(pathlib.Path(scratch) / name)], check=True)
        command = [sys.executable, str(root / "tools" / "check_layout.py"), mode, scratch]
        done = subprocess.run(command + more, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr


tap = Tap()
for kind in ("layers", "headers", "calls"):
    status, said = run(kind, good)
    tap.case(f"a good tree passes: {kind}", said if status != 0 or "not ok" in said else None)
for title, (kind, changed, case, reason) in mistakes.items():
    status, said = run(kind, {**good, **changed})
    failing = [line for line in said.splitlines() if line.startswith("not ok")]
    right = status != 0 and any(line.endswith(case) for line in failing) and reason in said
    tap.case(f"refused: {title}", None if right else f"wanted: {case}: {reason}\ngot:\n{said}")
tap.finish()
