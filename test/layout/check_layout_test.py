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

good = {
    "core/index.hpp": "// An index.\n#pragma once\n",
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
    "a header that needs another before it": (
        "headers",
        {"core/a.hpp": "// A.\n#pragma once\ninline std::size_t a = 1;\n"},
        "core/a.hpp compiles alone and twice",
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
            path = pathlib.Path(scratch) / "include" / "broadloom" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        command = [sys.executable, str(root / "tools" / "check_layout.py"), mode, scratch]
        done = subprocess.run(
            command + (compiler if mode == "headers" else []), capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout + done.stderr


tap = Tap()
for kind in ("layers", "headers"):
    status, said = run(kind, good)
    tap.case(f"a good tree passes: {kind}", said if status != 0 or "not ok" in said else None)
for title, (kind, changed, case, reason) in mistakes.items():
    status, said = run(kind, {**good, **changed})
    failing = [line for line in said.splitlines() if line.startswith("not ok")]
    right = status != 0 and any(line.endswith(case) for line in failing) and reason in said
    tap.case(f"refused: {title}", None if right else f"wanted: {case}: {reason}\ngot:\n{said}")
tap.finish()
