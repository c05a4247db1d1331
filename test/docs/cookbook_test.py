#!/usr/bin/python3
"""Every program of the cookbook has a page, whose code is the program's, a time beside NumPy's and a line in the contents. Reports by TAP.

usage: cookbook_test.py SOURCE_ROOT
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "tools"))
from tap import Tap  # noqa: E402


def lines(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def is_part(code, program):
    part, whole = lines(code), lines(program)
    return any(whole[k:k + len(part)] == part for k in range(len(whole) - len(part) + 1))


tap = Tap()
contents = (root / "docs/guide/cookbook.md").read_text()
programs = sorted((root / "examples/cookbook").glob("*.cpp"))
tap.case("there are a dozen programs", None if len(programs) >= 12 else f"{len(programs)}")
for program in programs:
    page = root / f"docs/guide/cookbook/{program.stem}.md"
    text = page.read_text() if page.exists() else ""
    problems = [] if text else ["it has no page"]
    codes = re.findall(r"^```c\+\+\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    problems += [f"this is not in the program:\n{code}" for code in codes if not is_part(code, program.read_text())]
    problems += [] if codes else ["its page shows no code"]
    problems += [] if re.search(r"\d ms with NumPy", text) else ["its page has no time beside NumPy's"]
    problems += [] if f"(cookbook/{program.stem}.md)" in contents else ["docs/guide/cookbook.md does not lead to it"]
    problems += [] if re.search(rf"^\| \[?{program.stem}\b.* ms \|", contents, re.MULTILINE) else ["docs/guide/cookbook.md has no time of it"]
    tap.case(f"{program.stem} has its page", "\n".join(problems) or None)
tap.finish()
