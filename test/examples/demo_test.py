#!/usr/bin/env python3
"""The demonstration, run as a user runs it: on the shipped photograph, on other kinds of PNG, and on files that are none.

The pictures are decoded here and compared with the formulas of the pipelines, computed in Python. Reports by TAP.

usage: demo_test.py DEMO PHOTOGRAPH.png
"""
import math
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from tap import Tap  # noqa: E402

demo = pathlib.Path(sys.argv[1]).resolve()
photograph = pathlib.Path(sys.argv[2]).resolve()
names = ["balance", "vignette", "spotlight", "duotone", "palette", "pencil"]
tap = Tap()


# --- PNG files ---------------------------------------------------------------------------------------------------------

def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, depth, colour, rows, *others):
    """A PNG file of unfiltered rows (bytes each)."""
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    data = b"".join(b"\0" + row for row in rows)
    parts = [chunk(b"IHDR", header), *others, chunk(b"IDAT", zlib.compress(data)), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def decode(path):
    """(width, height, channels, rows) of an 8-bit grey or RGB PNG; raises ValueError if anything is wrong with it."""
    content = path.read_bytes()
    if content[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("no PNG signature")
    at, data, header, ended = 8, b"", None, False
    while at < len(content):
        length, kind = struct.unpack(">I4s", content[at:at + 8])
        body = content[at + 8:at + 8 + length]
        (check,) = struct.unpack(">I", content[at + 8 + length:at + 12 + length])
        if check != zlib.crc32(kind + body):
            raise ValueError(f"wrong check sum of {kind}")
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            data += body
        ended = kind == b"IEND"
        at += 12 + length
    width, height, depth, colour, _, _, interlaced = header
    if not ended or depth != 8 or colour not in (0, 2) or interlaced:
        raise ValueError(f"not a complete 8-bit grey or RGB picture: {header}")
    channels = 3 if colour == 2 else 1
    raw = zlib.decompress(data)
    size = width * channels
    if len(raw) != height * (size + 1):
        raise ValueError("too few or too many pixels")
    rows, above = [], bytearray(size)
    for y in range(height):
        kind, row = raw[y * (size + 1)], bytearray(raw[y * (size + 1) + 1:(y + 1) * (size + 1)])
        for i in range(size):
            left = row[i - channels] if i >= channels else 0
            corner = above[i - channels] if i >= channels else 0
            if kind == 1:
                row[i] = (row[i] + left) & 255
            elif kind == 2:
                row[i] = (row[i] + above[i]) & 255
            elif kind == 3:
                row[i] = (row[i] + (left + above[i]) // 2) & 255
            elif kind == 4:
                guess = left + above[i] - corner
                a, b, c = abs(guess - left), abs(guess - above[i]), abs(guess - corner)
                row[i] = (row[i] + (left if a <= b and a <= c else above[i] if b <= c else corner)) & 255
        rows.append(row)
        above = row
    return width, height, channels, rows


# --- running -----------------------------------------------------------------------------------------------------------

def run(folder, *arguments):
    return subprocess.run([str(demo), *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=240,
                          check=False)


def files_below(folder):
    return sorted(str(path.relative_to(folder)) for path in pathlib.Path(folder).rglob("*"))


def refuse(title, content, *words, name="photo.png", arguments=None, status=1):
    """The demonstration refuses a file: one line that says why, a status, and nothing written."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / name
        if content is not None:
            path.write_bytes(content)
        before = files_below(folder)
        done = run(folder, *(arguments(path) if arguments else [path]))
        problems = []
        if done.returncode != status:
            problems.append(f"the status is {done.returncode}, not {status}")
        if done.stderr.count("\n") != 1 or not done.stderr.endswith("\n"):
            problems.append("the message is not one line")
        problems += [f"the message lacks '{word}'" for word in words if word not in done.stderr]
        if done.stdout:
            problems.append("something was printed as if it had worked")
        if files_below(folder) != before:
            problems.append(f"something was written: {files_below(folder)}")
        tap.case(title, "\n".join(problems + [done.stderr]) if problems else None)


def accept(title, content, width, height, check=None):
    """The demonstration takes a file, and all pictures have its size."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "photo.png"
        path.write_bytes(content)
        done = run(folder, path, "made/here")
        problem = None if done.returncode == 0 and not done.stderr else f"status {done.returncode}\n{done.stderr}"
        expected = [name for name in names if name != "pencil" or (width > 2 and height > 2)]
        if problem is None:
            made = pathlib.Path(folder) / "made" / "here"
            if files_below(made) != sorted(name + ".png" for name in expected):
                problem = f"these files were made: {files_below(made)}"
            for name in expected if problem is None else []:
                size = decode(made / (name + ".png"))[:2]
                if size != ((width - 2, height - 2) if name == "pencil" else (width, height)):
                    problem = f"{name} is {size}"
            if problem is None and check:
                problem = check(made)
        tap.case(title, problem)


# --- the shipped photograph --------------------------------------------------------------------------------------------

def brightness(p):
    return 0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2]


def shipped_photograph(folder):
    done = run(folder)
    tap.case("the shipped photograph needs no argument and succeeds",
             None if done.returncode == 0 and not done.stderr else f"status {done.returncode}\n{done.stderr}")
    made = pathlib.Path(folder) / "demo-out"
    wanted = ["demo-out"] + sorted(f"demo-out/{name}.png" for name in names)
    tap.case("it writes its pictures to demo-out and nothing else",
             None if files_below(folder) == wanted else "\n".join(files_below(folder)))
    tap.case("it prints the path of every picture",
             "\n".join(name for name in names if f"demo-out/{name}.png" not in done.stdout) or None)
    if done.returncode != 0:
        return

    sections = dict(zip(re.findall(r"^== (\w+)", done.stdout, re.M), re.split(r"^== \w+", done.stdout, flags=re.M)[1:]))
    tap.case("it explains every pipeline", None if list(sections) == names else f"{list(sections)}")
    for name in names:
        text = sections.get(name, "")
        missing = [what for what, pattern in {
            "its shape": r"^    result +\d+ +\d+ +[13] +shape<dyn, dyn, [13]>$",
            "the plan": r"^  plan\n    \S",
            "the time of one loop": r"as one loop +\d+\.\d+ ms",
            "the time of single operations": r"one operation at a time +\d+\.\d+ ms, \d+\.\d MB of temporaries, \d+ operations",
            "that both are equal": r"equal bit for bit \(\d+ of (f32|i32)\)",
        }.items() if not re.search(pattern, text, re.M)]
        tap.case(f"{name}: shows shape, plan, times and equality", f"missing: {missing}\n{text}" if missing else None)

    width, height, _, pixels = decode(photograph)
    pictures = {}
    for name in names:
        wanted = (width - 2, height - 2, 3) if name == "pencil" else (width, height, 3)
        try:
            *size, rows = decode(made / (name + ".png"))
            problem = None if tuple(size) == wanted else f"{size} instead of {wanted}"
            pictures[name] = rows
        except (OSError, ValueError, struct.error, zlib.error) as error:
            problem = str(error)
        tap.case(f"{name}: is a PNG of the right size", problem)
    if len(pictures) != len(names):
        return
    contents = [b"".join(rows) for rows in [pixels, *pictures.values()]]
    tap.case("the pictures differ from the photograph and from each other",
             None if len(set(contents)) == len(contents) else "some are the same")

    def pixel(rows, y, x):
        return rows[y][3 * x:3 * x + 3]

    places = [(y, x) for y in range(0, height, 7) for x in range(y % 5, width, 5)]
    places += [(0, 0), (0, width - 1), (height - 1, 0), (height - 1, width - 1)]

    def values_of(name, formula, slack=0.502):
        """Each colour is the formula's value, rounded to a whole number between 0 and 255."""
        for y, x in places:
            wanted = formula(pixel(pixels, y, x), 2 * y / (height - 1) - 1, 2 * x / (width - 1) - 1)
            for c in range(3):
                exact = min(max(wanted[c], 0), 255)
                if abs(pictures[name][y][3 * x + c] - exact) > slack:
                    return f"at row {y}, column {x}, channel {c}: {pictures[name][y][3 * x + c]}, not {exact}"
        return None

    count = width * height
    mean = [sum(sum(row[c::3]) for row in pixels) / count for c in range(3)]
    deviation = [math.sqrt(sum((v - mean[c]) ** 2 for row in pixels for v in row[c::3]) / count) for c in range(3)]
    tap.case("balance: values", values_of("balance", lambda p, y, x: [
        (p[c] - mean[c]) / deviation[c] * (0.6 * deviation[c] + 0.4 * sum(deviation) / 3) + 0.6 * mean[c] + 0.4 * sum(mean) / 3
        for c in range(3)]))
    tap.case("vignette: values", values_of("vignette", lambda p, y, x: [
        p[c] / (1 + 0.4 * (y * y + x * x)) ** 2 for c in range(3)]))

    def spotlight(p, y, x):
        grey, mask = 0.75 * brightness(p), 1 / (1 + math.exp(-12 * (0.6 - y * y - x * x)))
        return [grey + mask * (p[c] - grey) for c in range(3)]

    tap.case("spotlight: values", values_of("spotlight", spotlight))
    ink, paper = (22, 28, 66), (255, 228, 181)
    tap.case("duotone: values", values_of("duotone", lambda p, y, x: [
        ink[c] + brightness(p) / 255 * (paper[c] - ink[c]) for c in range(3)]))

    colours = {bytes(pixel(pictures["palette"], y, x)) for y in range(height) for x in range(width)}
    tap.case("palette: has eight colours", None if len(colours) == 8 else f"it has {len(colours)}")

    def nearest(p):
        return min(sum((a - b) ** 2 for a, b in zip(p, colour)) for colour in colours)

    wrong = next((f"row {y}, column {x}" for y, x in places
                  if sum((a - b) ** 2 for a, b in zip(pixel(pixels, y, x), pixel(pictures["palette"], y, x)))
                  != nearest(pixel(pixels, y, x))), None)
    tap.case("palette: every pixel has the nearest of them", wrong)

    def drawn(y, x, c):
        around = [pixel(pixels, y + i, x + j)[c] for i, j in ((1, 0), (1, 2), (0, 1), (2, 1))]
        return 250 - 1.5 * math.hypot(around[1] - around[0], around[3] - around[2])

    wrong = next((f"row {y}, column {x}: {pixel(pictures['pencil'], y, x)[c]}, not {drawn(y, x, c)}" for y, x in places
                  for c in range(3) if y < height - 2 and x < width - 2
                  and abs(pictures["pencil"][y][3 * x + c] - min(max(drawn(y, x, c), 0), 255)) > 0.502), None)
    tap.case("pencil: values", wrong)


with tempfile.TemporaryDirectory() as scratch:
    shipped_photograph(scratch)

# --- other PNG files ---------------------------------------------------------------------------------------------------

ramp = [bytes((17 * x + 29 * y) % 256 for x in range(20)) for y in range(9)]
rgb = [bytes(v for x in range(20) for v in (9 * x % 256, 20 * y, (x * y) % 256)) for y in range(9)]
accept("a grey picture", png(20, 9, 8, 0, ramp), 20, 9)
accept("a picture of 16 bits a channel", png(20, 9, 16, 2, [bytes(v for b in row for v in (b, b)) for row in rgb]), 20, 9)
accept("a picture with a palette", png(20, 9, 8, 3, [bytes(b % 4 for b in row) for row in ramp],
                                       chunk(b"PLTE", bytes([200, 10, 10, 10, 200, 10, 10, 10, 200, 90, 90, 90]))), 20, 9)


def corner_is_white(made):
    # Where the transparent corner was, the two inks give the lighter one.
    colour = bytes(decode(made / "duotone.png")[3][0][:3])
    return None if colour == bytes([255, 228, 181]) else f"the transparent corner became {list(colour)}"


transparent = [b"\0\0\0\0" + b"".join(row[3 * x:3 * x + 3] + b"\xff" for x in range(1, 20)) if y == 0 else
               b"".join(row[3 * x:3 * x + 3] + b"\xff" for x in range(20)) for y, row in enumerate(rgb)]
accept("a picture with transparent parts", png(20, 9, 8, 6, transparent), 20, 9, corner_is_white)
accept("one pixel", png(1, 1, 8, 2, [b"\x20\x80\xe0"]), 1, 1)
accept("one row", png(50, 1, 8, 2, [bytes(range(150))]), 50, 1)
accept("one column", png(1, 50, 8, 2, [bytes([y, 2 * y, 5 * y]) for y in range(50)]), 1, 50)
accept("one colour", png(7, 5, 8, 2, [b"\x40\x40\x40" * 7] * 5), 7, 5)

# --- files that are refused --------------------------------------------------------------------------------------------

whole = photograph.read_bytes()
middle = whole.index(b"IDAT", len(whole) // 2)
damaged = bytearray(whole)
damaged[middle + 100] ^= 0x55
mended = chunk(b"IDAT", b"")  # an empty IDAT chunk: every check sum is right, but there are no pixels
refuse("a missing file", None, "cannot read", "photo.png", "No such file")
refuse("a folder", None, "it is a folder", arguments=lambda path: [path.parent])
refuse("an empty file", b"", "photo.png", "the file is empty")
refuse("a text file", b"This is not a picture.\n", "it is not a PNG picture", name="notes.txt")
refuse("a text file called .png", b"This is not a picture.\n", "photo.png", "it is not a PNG picture")
refuse("a JPEG picture", b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" + bytes(500), "not a PNG picture but a JPEG picture",
       name="photo.jpg")
refuse("a WebP picture", b"RIFF\x10\0\0\0WEBPVP8 " + bytes(50), "but a WebP picture", name="photo.webp")
refuse("a photograph cut off in the middle", whole[:len(whole) // 2], "photo.png", "cut short")
refuse("a photograph without its end mark", whole[:-12], "cut short")
refuse("only a signature", whole[:8], "cut short")
refuse("a photograph with one wrong byte", bytes(damaged), "photo.png", "the file is damaged")
refuse("pixels that do not unpack", png(4, 4, 8, 2, []).replace(chunk(b"IDAT", zlib.compress(b"")), chunk(b"IDAT", b"nonsense")),
       "the file is damaged")
refuse("too few pixels", png(4, 4, 8, 2, [bytes(12)]), "the file is damaged")
refuse("no pixels at all", png(4, 4, 8, 2, []).replace(chunk(b"IDAT", zlib.compress(b"")), mended), "the file is damaged")
refuse("a picture of no width", png(0, 4, 8, 2, [b""] * 4), "the picture is empty (0 x 4 pixels)")
refuse("a picture too large to take", png(70000, 70000, 8, 2, []), "too large: 70000 x 70000 pixels")
refuse("a depth that does not exist", png(4, 4, 7, 2, [bytes(12)] * 4), "the file is damaged")
refuse("a PNG without a header", whole[:8] + chunk(b"IDAT", b"") + chunk(b"IEND", b""), "its header is missing")
refuse("an option", None, "usage: demo", arguments=lambda path: ["--fast"], status=2)
refuse("too many arguments", None, "usage: demo", arguments=lambda path: [path, "a", "b"], status=2)

# --- places that cannot be written -------------------------------------------------------------------------------------

with tempfile.TemporaryDirectory() as scratch:
    small = pathlib.Path(scratch) / "photo.png"
    small.write_bytes(png(20, 9, 8, 2, rgb))
    blocked = pathlib.Path(scratch) / "blocked"
    blocked.write_text("a file where a folder should be\n")
    before = files_below(scratch)
    done = run(scratch, small, blocked / "here")
    tap.case("a folder that cannot be made is reported in one line",
             None if done.returncode == 1 and done.stderr.count("\n") == 1 and "cannot make the folder" in done.stderr
             and files_below(scratch) == before else f"status {done.returncode}\n{done.stderr}{files_below(scratch)}")
    taken = pathlib.Path(scratch) / "taken"
    (taken / "balance.png" / "inside").mkdir(parents=True)
    done = run(scratch, small, taken)
    left = [name for name in files_below(taken) if name.endswith(".part")]
    tap.case("a picture that cannot be put in its place is reported in one line and leaves nothing half-written",
             None if done.returncode == 1 and done.stderr.count("\n") == 1 and "cannot write" in done.stderr and not left
             else f"status {done.returncode}\n{done.stderr}{files_below(taken)}")
    if os.path.exists("/dev/full"):
        full = pathlib.Path(scratch) / "full"
        full.mkdir()
        (full / "balance.png.part").symlink_to("/dev/full")
        done = run(scratch, small, full)
        tap.case("a full disk is reported in one line and leaves no picture",
                 None if done.returncode == 1 and done.stderr.count("\n") == 1 and "No space left" in done.stderr
                 and files_below(full) == [] else f"status {done.returncode}\n{done.stderr}{files_below(full)}")
    again = pathlib.Path(scratch) / "again"
    first, second = run(scratch, small, again), run(scratch, small, again)
    tap.case("a second run writes over the pictures of the first",
             None if first.returncode == second.returncode == 0
             and files_below(again) == sorted(name + ".png" for name in names) else first.stderr + second.stderr)

tap.finish()
