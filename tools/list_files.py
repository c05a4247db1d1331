#!/usr/bin/env python3
"""Prints the files below a folder whose name ends as asked, sorted, relative to that folder."""
import pathlib
import sys


def list_files(folder, ending):
    root = pathlib.Path(folder)
    return sorted(str(path.relative_to(root)) for path in root.rglob("*" + ending) if path.is_file())


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: list_files.py FOLDER ENDING")
    for name in list_files(sys.argv[1], sys.argv[2]):
        print(name)
