#!/usr/bin/python3
"""The page docs/from/namespaces.md is what tools/namespaces.py writes, from names that headers declare. Reports by TAP.

usage: namespaces_test.py SOURCE_ROOT
"""
import importlib.util
import pathlib
import sys

root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "tools"))
import namespaces  # noqa: E402
from tap import Tap  # noqa: E402

tap = Tap()
result, problems = namespaces.entries()
tap.case("every name of ours is declared in a header, and every line of tools/namespaces.txt is used", "\n".join(problems) or None)
same = namespaces.page_file.read_text() == namespaces.page(result)
tap.case("the page is what the tool writes", None if same else "tools/namespaces.py writes another page: run it, and look at the difference")
count = sum(1 for _, rows in result for _ in rows)
tap.case("the namespaces have their names", None if count > 1300 else f"only {count}")
tap.case("what is no function of ours is none", None if not {"no_such_function", "detail", "T"} & set(namespaces.ours()) else "too much counts as ours")
listed = dict(namespaces.recorded())
for space in namespaces.NAMESPACES:
    library = space.split(".", maxsplit=1)[0]
    if importlib.util.find_spec(library) is None:
        tap.case(f"{space} has the recorded names # SKIP {library} is not installed")
        continue
    installed = namespaces.public_functions(space)
    other = sorted(set(installed) ^ set(listed[space]))
    module = importlib.import_module(library)
    if not module.__version__.startswith(namespaces.VERSIONS[library]):
        tap.case(f"{space} has the recorded names # SKIP {library} {module.__version__} is installed")
        continue
    tap.case(f"{space} has the recorded names", " ".join(other) or None)
tap.finish()
