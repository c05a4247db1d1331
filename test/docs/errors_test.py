#!/usr/bin/python3
"""Every message of an error that tools/messages.py finds in the sources is on a row of docs/errors.md. Reports by TAP.

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


tap = Tap()
rows = [line for line in (root / "docs/errors.md").read_text().splitlines() if re.match(r"\| [`.]", line)]
told = plain("\n".join(row.split(" | ")[0] for row in rows))
every = dict.fromkeys((key, where) for _, key, where in messages.keys(root))
missing = [f"{key}   ({where})" for key, where in every if plain(key).strip(" .,;:()[]") not in told]
tap.case("the sources have messages", None if len(every) > 300 else f"only {len(every)} were found")
tap.case("every message is on a row of docs/errors.md", "\n".join(missing) or None)
short = [row for row in rows if len(re.split(r"(?<!\\) \| ", row)) != 3]
tap.case("every row says cause and help", "\n".join(short) or None)
names = messages.anchors((root / "docs/errors.md").read_text())
tap.case("every message has a place of its own on the page", None if len(set(names.values())) == len(names) > 500 else f"{len(names)} names")
tap.case("the name of the place is made of the message", None if names["shapes_do_not_broadcast"] ==
         "error-shapes_do_not_broadcast" else str(names)[:300])
tap.finish()
