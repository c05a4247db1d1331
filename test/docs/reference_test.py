#!/usr/bin/python3
"""Every public name has an entry in the reference and an example, which prints what it says; so have macros, environment variables and
options of the build a row in docs/reference/settings.md. Reports by TAP.

usage: reference_test.py SOURCE_ROOT BUILD_ROOT COMPILER...

Examples are run everywhere; the list of names needs libclang's Python module, and is skipped without.
"""
import importlib.util
import pathlib
import re
import subprocess
import sys

root, build, compiler = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3:]
sys.path.insert(0, str(root / "tools"))

import examples  # noqa: E402
import public_names  # noqa: E402
import reference  # noqa: E402
from catalogue import catalogue  # noqa: E402
from tap import Tap  # noqa: E402

def first_differences(every, printed):
    wrong = [f"{e.names[0]} printed:\n{got}its example says:\n{e.output}" for e, got in zip(every, printed) if got is not None and
             got.rstrip("\n") != e.output.rstrip("\n")]
    return "\n".join(wrong[:10] + [f"{len(wrong)} in all; `tools/examples.py` writes what they print"]) if wrong else None


def settings():
    """What can be set: pairs of a name and where it stands."""
    for path in sorted((root / "include").rglob("*.hpp")):
        for macro in re.findall(r"^#\s*(?:ifdef|if.*\bdefined)\W+(BROADLOOM_\w+)", path.read_text(), re.M):
            yield macro, path.name
    source = "".join(f"#include <broadloom/{h}>\n" for h in examples.INCLUDES if (root / "include/broadloom" / h).exists())
    left = subprocess.run([*compiler, "-std=c++20", "-I", str(root / "include"), "-dM", "-E", "-x", "c++", "-"], input=source,
                          capture_output=True, text=True, check=True).stdout
    yield from ((macro, "after the headers were included") for macro in re.findall(r"^#define (BROADLOOM_\w+)", left, re.M))
    for path in sorted((root / "lib").rglob("*.*pp")):
        yield from ((variable, path.name) for variable in re.findall(r'getenv\("(\w+)"', path.read_text()))
    yield from ((variable, "dev") for variable in re.findall(r"\$\{(BROADLOOM_\w+|CXX|JOBS):-", (root / "dev").read_text()))
    yield from ((option, "meson_options.txt") for option in re.findall(r"^option\('(\w+)'", (root / "meson_options.txt").read_text(), re.M))
    yield from ((option, "CMakeLists.txt") for option in re.findall(r"^option\((\w+)", (root / "CMakeLists.txt").read_text(), re.M))


tap = Tap()
every = examples.load(root, catalogue(root))
printed, problems = examples.run(root, build, compiler, every)
tap.case("the examples of the reference compile and run", "\n".join(problems) or None)
tap.case("each prints what it says", first_differences(every, printed))
tap.case("each has the name it is for", "\n".join(examples.not_shown(every)) or None)
page = (root / "docs/reference/settings.md").read_text()
unnamed = sorted({f"{name} ({where})" for name, where in settings() if f"`{name}`" not in page})
tap.case("macros, environment variables and options are in docs/reference/settings.md", "\n".join(unnamed) or None)
for formula, latex in (("plus(x, y)", "x + y"), ("times(plus(x, y), x)", r"(x + y) \cdot x"),
                       ("minus(x, minus(y, z))", "x - (y - z)"), ("over(each<X>(1), root(x))", r"\frac{1}{\sqrt{x}}")):
    tap.case(f"{formula} is written as mathematics", None if reference.latex(formula) == latex else reference.latex(formula))
if importlib.util.find_spec("clang") is None:
    tap.case("every public name has an entry # SKIP python3-clang-19 is not installed")
    tap.finish()
count, missing, bare = reference.write(root, None)
tap.case("the headers have public names", None if count > 800 else f"only {count} were found")
stale = [h for h in (root / "docs/reference/without_examples").read_text().split() if not (root / "include/broadloom" / h).exists()]
tap.case("docs/reference/without_examples names headers", "\n".join(stale) or None)
tap.case("every public name has an entry", "\n".join(["write a comment above:"] + missing) if missing else None)
tap.case("every public name has an example", "\n".join(["write one in docs/reference:"] + bare) if bare else None)
known = {name for e in every for name in e.names if not name.startswith("(")}
public = set(reference.gather(root)[0])
unknown = sorted(known - public)
tap.case("examples are for public names", "\n".join(unknown) or None)
last = public_names.last_release(root)
if last:
    gone = public_names.compare(root, last.read_text().splitlines())
    tap.case(f"what {last.stem} had is there, or a note says why not", "\n".join(gone) or None)
else:
    tap.skip("what the last release had is there", "there was none yet")
tap.finish()
