#!/usr/bin/python3
"""Every message of an error that tools/messages.py finds in the sources is on a row of docs/reference/errors.md, and names an anchor of that row:
in its text, in its type's name, or by the table that bl::error_anchor reads. Reports by TAP.

usage: errors_test.py SOURCE_ROOT
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "tools"))

import messages  # noqa: E402
from tap import Tap  # noqa: E402


def plain(text):
    return re.sub(r"\s+", " ", text.replace("`", "").replace("\\|", "|"))


def bare(text):
    return plain(text).strip(" .,;:()[]")


tap = Tap()
page = (root / "docs/reference/errors.md").read_text()
# The function that throws it is called in constant expressions only.
NEVER_THROWN = "transcendental functions are evaluated at run time only"
rows = [(part, names, plain("\n".join(said))) for part, names, said in messages.rows(page)]
every = list(dict.fromkeys(messages.keys(root)))
wrong, missing = [], []
for kind, key, where, anchor in every:
    holding = [(part, names) for part, names, said in rows if bare(key) in said]
    if not holding:
        missing.append(f"{key}   ({where})")
    elif kind in ("compile", "type") or anchor:
        if not any(anchor in names for _, names in holding):
            wrong.append(f"{key}   ({where}) names {anchor}; its row has {holding[0][1]}")
    elif key != NEVER_THROWN and (kind == "throw" or where.startswith("lib/")) and all(part == "## When it does not compile" for part, _ in holding):
        wrong.append(f"{key}   ({where}) is thrown, and stands among what does not compile")
tap.case("the sources have messages", None if len(every) > 300 else f"only {len(every)} were found")
tap.case("every message is on a row of docs/reference/errors.md", "\n".join(missing) or None)
tap.case("every message of the compiler names an anchor of its row, and what is thrown is among what is thrown", "\n".join(wrong) or None)
lines = [line for line in page.splitlines() if re.match(r"\| (<a |[`.])", line)]
short = [line for line in lines if len(re.split(r"(?<!\\) \| ", line)) != 3]
tap.case("every row says cause and help", "\n".join(short) or None)
headings = [re.sub(r"[^\w -]", "", h).lower().replace(" ", "-") for h in re.findall(r"^#+ (.*)$", page, re.M)]
names = [name for _, anchors, _ in rows for name in anchors] + headings
tap.case("every row has an anchor", "\n".join(line for line in lines if not line.startswith('| <a id="')) or None)
tap.case("every anchor is there once", "\n".join(sorted({n for n in names if names.count(n) > 1})) or None)
tap.case("the table of anchors in lib/ is made of the page", None if (root / "lib/base/error_anchors.inc").read_text() == messages.table(page) else
         "write it again: tools/messages.py --table .")
tap.finish()
