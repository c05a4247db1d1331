#!/usr/bin/env python3
"""The line "// Build:" at the head of a test is read as it is meant, and a word that nobody knows is refused.

usage: list_tests_test.py SOURCE_ROOT
"""
import pathlib
import sys

root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "tools"))
import list_tests  # noqa: E402
from tap import Tap  # noqa: E402

tap = Tap()
read = {
    "no line": ("// Says.\n#include <vector>\n", []),
    "a word": ("// Says.\n// Build: seldom\n#include <vector>\n", ["seldom"]),
    "words and why": ("// Says.\n// Build: seldom, not-sanitized (it is long, and about types)\n", ["seldom", "not-sanitized"]),
    "a line behind the head": ("// Says.\n#include <vector>\n// Build: seldom\n", []),
}
for what, (text, words) in read.items():
    found = list_tests.words_of(text)
    tap.case(f"read: {what}", None if found == words else f"read as {found}")
refused = {
    "a word that is unknown": "// Build: often\n",
    "two lines": "// Build: seldom\n// Build: alone\n",
    "no word": "// Build:\n",
    "what is optimised and not compiled": "// Build: optimised, parsed-by-gcc\n",
}
for what, text in refused.items():
    try:
        tap.case(f"refused: {what}", f"read as {list_tests.words_of(text)}")
    except ValueError:
        tap.case(f"refused: {what}")
words = {word for path in (root / "test").rglob("*_test.cpp") for word in list_tests.words_of(path.read_text(encoding="utf-8"))}
tap.case("each word is used", None if words == list_tests.words else f"not used: {sorted(list_tests.words - words)}")
tap.finish()
