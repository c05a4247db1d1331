#!/usr/bin/env python3
"""The wraps in subprojects/ are whole: a git tag, an overlay, and what they provide is defined there. By TAP.

usage: wraps_test.py SOURCE_ROOT
"""
import configparser
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "tools"))
from tap import Tap  # noqa: E402

folder = root / "subprojects"
asked = set(re.findall(r"fallback: \['([\w-]+)', '(\w+)'\]", (root / "meson.build").read_text()))
provided = set()

tap = Tap()
for path in sorted(folder.glob("*.wrap")):
    wrap = configparser.ConfigParser()
    wrap.read(path)
    problems = []
    for key in ("url", "revision", "patch_directory"):
        if not wrap.get("wrap-git", key, fallback=""):
            problems.append(f"{key} is missing")
    if wrap.get("wrap-git", "revision", fallback="") in ("HEAD", "main", "master"):
        problems.append("the revision is a branch, not a tag")
    overlay = folder / "packagefiles" / wrap.get("wrap-git", "patch_directory", fallback="") / "meson.build"
    text = overlay.read_text() if overlay.is_file() else ""
    if not text:
        problems.append(f"there is no {overlay.relative_to(root)}")
    variables = dict(wrap["provide"]) if wrap.has_section("provide") else {}
    if not variables:
        problems.append("[provide] names no dependency")
    for name, variable in variables.items():
        provided.add((path.stem, variable))
        if not re.search(rf"^{re.escape(variable)} = ", text, re.MULTILINE):
            problems.append(f"[provide] {name} = {variable}, which the overlay does not define")
    tap.case(f"{path.name} is whole", "\n".join(problems) or None)

missing = sorted(asked - provided)
tap.case(
    "every fallback that meson.build names is provided",
    f"not provided: {missing}" if missing else "meson.build names no fallback" if not asked else None,
)
tap.finish()
