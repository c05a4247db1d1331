#!/usr/bin/env python3
"""Prints the files below a folder that include a header in any case, if by other files of that folder, and define nothing before.

usage: list_including.py FOLDER ENDING HEADER    names as tools/list_files.py prints them
"""
import pathlib
import re
import sys

if len(sys.argv) != 4:
    sys.exit(__doc__)
folder, ending, wanted = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3]
line = re.compile(r'\s*#\s*(?:include\s*[<"]([^>"]+)[>"]|(define)\b)')


def includes(path, seen):
    """Whether a file includes the header; None where it defines something first."""
    seen.add(path)
    depth = 0
    for text in path.read_text().splitlines():
        depth += bool(re.match(r"\s*#\s*if", text)) - bool(re.match(r"\s*#\s*endif", text))
        found = line.match(text)
        if not found:
            continue
        if found.group(2):
            return None
        if found.group(1) == wanted and depth == 0:
            return True
        for near in (path.parent, folder, folder / "support"):
            inner = (near / found.group(1)).resolve()
            if inner.is_file() and inner not in seen and depth == 0:
                said = includes(inner, seen)
                if said is not False:
                    return said
    return False


for source in sorted(folder.rglob(f"*{ending}")):
    if includes(source, set()):
        print(source.relative_to(folder).as_posix())
