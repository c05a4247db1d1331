#!/usr/bin/env python3
"""The example of handwritten digits prints what is expected, and its pictures show what it printed. Reports by TAP.

The pictures and the data are decoded here. The confusion matrix in the picture must be the one that was printed; the nearest
neighbours and the first means are computed again, in plain Python, for some of the images.

usage: digits_test.py DIGITS EXPECTED_OUTPUT DIGITS.png
"""
import difflib
import math
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from tap import Tap  # noqa: E402

program, expected_file, data_file = (pathlib.Path(a).resolve() for a in sys.argv[1:])
tap = Tap()


def grey_rows(file):
    """The rows of a grey 8-bit PNG, its filters undone."""
    data, at, body = file.read_bytes(), 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", data[at + 8:at + 18])
            assert (depth, colour) == (8, 0), f"{file} is not grey with 8 bits"
        if kind == b"IDAT":
            body += data[at + 8:at + 8 + length]
        at += 12 + length
    body = zlib.decompress(body)
    rows, above = [], [0] * width
    for y in range(height):
        kind, line = body[y * (width + 1)], list(body[y * (width + 1) + 1:(y + 1) * (width + 1)])
        for x in range(width):
            left, up, corner = line[x - 1] if x else 0, above[x], above[x - 1] if x else 0
            paeth = min((abs(up - corner), 0, left), (abs(left - corner), 1, up), (abs(left + up - 2 * corner), 2, corner))[2]
            line[x] = (line[x] + (0, left, up, (left + up) // 2, paeth)[kind]) % 256
        rows.append(line)
        above = line
    return rows


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    done = subprocess.run([program, folder], capture_output=True, text=True, timeout=120, check=False)
    tap.case("it ends with status 0 and prints no errors",
             None if done.returncode == 0 and not done.stderr else f"status {done.returncode}\n{done.stderr}")
    difference = difflib.unified_diff(expected_file.read_text().splitlines(), done.stdout.splitlines(), "expected", "printed", lineterm="")
    tap.case("it prints what is expected", "\n".join(difference) or None)
    wanted_files = {"confusion.png", "centroids.png"}
    there = {p.name for p in folder.iterdir()}
    tap.case("it writes two pictures and nothing else", None if there == wanted_files else f"it wrote {sorted(there)}")
    confusion_picture = grey_rows(folder / "confusion.png")
    centroids = grey_rows(folder / "centroids.png")
    failed = subprocess.run([program, folder / "not there"], capture_output=True, text=True, timeout=120, check=False)
    tap.case("a folder that is not there is one clear line",
             None if failed.returncode == 1 and re.fullmatch(r"digits: .*\n", failed.stderr) else f"status {failed.returncode}\n{failed.stderr}")

matrix = [[int(n) for n in row.split()] for row in re.findall(r"^ ?\[?\[([\d ]+)\]", done.stdout, re.MULTILINE)]
most = max(map(max, matrix))
problem = None
if [len(confusion_picture), len(confusion_picture[0])] != [240, 240]:
    problem = "the picture is not 240 pixels wide and high"
else:
    for y, row in enumerate(confusion_picture):
        for x, grey in enumerate(row):
            if abs(grey - 255 * math.sqrt(matrix[y // 24][x // 24] / most)) > 0.51:
                problem = f"pixel ({y}, {x}) is {grey}, the count there {matrix[y // 24][x // 24]}"
tap.case("the picture of the confusion matrix shows what was printed", problem)

data = grey_rows(data_file)
known, unknown = data[:1000], data[1000:]
rows = [sum(1 for d in unknown if d[64] == n) for n in range(10)]
tap.case("each number is counted as often as it is there", None if rows == [sum(r) for r in matrix] else f"{rows} are there")


def distance(a, b):
    return sum((x - y) ** 2 for x, y in zip(a[:64], b[:64]))


# The nearest neighbours again, for the images of one number.
eights = [0] * 10
for image in unknown:
    if image[64] == 8:
        eights[min(known, key=lambda k, i=image: distance(i, k))[64]] += 1
tap.case("the eights have the neighbours that plain Python finds", None if eights == matrix[8] else f"plain Python: {eights}")

# Lloyd's algorithm ends where each mean is the mean of its images: the pictures are those means.
means = [[centroids[(k // 5 * 8 + p // 8) * 12][(k % 5 * 8 + p % 8) * 12] * 16 / 255 for p in range(64)] for k in range(10)]
problem = None if [len(centroids), len(centroids[0])] == [192, 480] else "the picture is not 480 pixels wide and 192 high"
if problem is None:
    members = [[] for _ in range(10)]
    for image in data:
        members[min(range(10), key=lambda k, i=image: distance(i, means[k]))].append(image)
    for k, mine in enumerate(members):
        worst = max(abs(sum(i[p] for i in mine) / len(mine) - means[k][p]) for p in range(64))
        if worst > 0.25:
            problem = f"mean {k} is off by {worst} from the mean of its images"
tap.case("the picture of the means shows means", problem)
tap.finish()
