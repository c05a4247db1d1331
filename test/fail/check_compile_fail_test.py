#!/usr/bin/env python3
"""The harness of test/fail/ can fail: it accepts a good file and refuses each way for one to be wrong. By TAP.

usage: check_compile_fail_test.py SOURCE_ROOT COMPILER...
"""
import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1]).resolve()
compiler = sys.argv[2:]
sys.path.insert(0, str(root / "tools"))
from tap import Tap  # noqa: E402

good = """// An int is too wide here.
// expect: one byte is wanted
// lines gcc: 8
// lines clang: 8
int main() {
  int n = 1;
#ifdef MISTAKE
  static_assert(sizeof(n) == 1, "one byte is wanted");  // blame
#endif
  return n;
}
"""

chained = """// The error lies in a header, the chain leads to the line of the user.
// expect: a positive number is wanted
// lines gcc: 12
// lines clang: 12
#include "positive.hpp"
int main() {
#ifdef MISTAKE
  return positive<-1>::value;  // blame
#else
  return positive<1>::value;
#endif
}
"""
header = """template <int n>
struct positive {
  static_assert(n > 0, "a positive number is wanted");
  static constexpr int value = n;
};
"""


def changed(text, old, new):
    assert old in text, old
    return text.replace(old, new)


said = subprocess.run([*compiler, "--version"], capture_output=True, text=True, check=True).stdout
# name: the file, and what the harness must say of it (None: nothing)
cases = {
    "a good file passes": (good, None),
    "a good file whose error lies in a header passes": (chained, None),
    "it does not compile without the mistake": (
        changed(good, "return n;", "return m;"),
        "without the mistake it does not compile" if "clang" in said else "one error, it gives 2",
    ),
    "it compiles with the mistake": (changed(good, "== 1,", "> 1,"), "with the mistake it compiles"),
    "another message": (changed(good, "expect: one", "expect: two"), "no words match 'two byte is wanted'"),
    "the words stand only in the quoted source line": (
        changed(changed(good, "expect: one byte", "expect: sizeof.n.    ==  1"), "sizeof(n) == 1", "sizeof(n)    ==  1"),
        "no words match",
    ),
    "another line is to blame": (
        changed(changed(good, "  // blame", ""), "#ifdef MISTAKE\n", "#ifdef MISTAKE\n  int a = 1;  // blame\n"),
        "line 8 is to blame, the error names of this file: 9",
    ),
    "the chain leads to another line": (
        changed(chained, "  return positive<-1>::value;  // blame", "  int a = 1;  // blame\n  return positive<-1>::value;"),
        "line 8 is to blame, the error names of this file: 9",
    ),
    "too many lines": (changed(changed(good, "gcc: 8", "gcc: 1"), "clang: 8", "clang: 1"), "at most 1 are allowed"),
    "two errors": (
        changed(good, "#endif\n  return", '  static_assert(sizeof(n) == 2, "not that either");\n#endif\n  return'),
        "one error, it gives 2",
    ),
    "no expectation": (changed(good, "// expect:", "// hope:"), "no line '// expect: REGEX'"),
    "no budget": (changed(changed(good, "lines gcc", "rows gcc"), "lines clang", "rows clang"), "NUMBER'"),
    "nobody to blame": (changed(good, "  // blame", ""), "ends with '// blame'"),
    "the mark outside of the mistake": (
        changed(changed(good, "  // blame", ""), "int n = 1;", "int n = 1;  // blame"),
        "outside of #ifdef MISTAKE",
    ),
}

tap = Tap()
for title, (text, reason) in cases.items():
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "test" / "fail"
        folder.mkdir(parents=True)
        (folder / "case.cpp").write_text(text)
        (folder / "positive.hpp").write_text(header)
        done = subprocess.run(
            [sys.executable, str(root / "tools" / "check_compile_fail.py"), scratch, *compiler],
            capture_output=True, text=True, check=False,
        )
    said = done.stdout + done.stderr
    if reason is None:
        right = done.returncode == 0 and said.startswith("ok 1")
    else:
        right = done.returncode != 0 and said.startswith("not ok 1") and reason in said
    tap.case(title if reason is None else f"refused: {title}", None if right else f"wanted: {reason}\n{said}")
tap.finish()
