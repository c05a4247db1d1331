"""Tables of bench/compile_time --families and --cookbook, in Markdown, for docs/guide/building_fast.md."""
import os
import pathlib
import statistics
import subprocess
import tempfile

import compile_cost
import compile_families
from compile_families import BROADLOOM, FAMILIES, LIBRARIES, MOST, ROOT

WAY = ["-std=c++20", "-O2", "-DNDEBUG"]
COUNTED = 5  # further statements whose instructions are counted


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def version(compiler):
    return subprocess.run([*compiler, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]


def families(compiler, rounds, chosen, counts):
    """For each family the cost of one more statement, and the peak memory and the object of a file with MOST statements."""
    cells = {}
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.o")

        def command(library, statements, name):
            return [*compiler, *WAY, *library.flags, "-c", write(folder, name, library.text(statements)), "-o", out]

        for family, statements in FAMILIES.items():
            if chosen and not any(c in family for c in chosen):
                continue
            for library in LIBRARIES:
                files = [statements(library, n) for n in (1, COUNTED + 1, MOST)]
                one, some, most = (command(library, part, f"f{k}.cpp") for k, part in enumerate(files))
                try:
                    times = []
                    for _ in range(rounds):
                        first = compile_cost.run(one)
                        first_object = os.path.getsize(out)
                        last = compile_cost.run(most)
                        times.append((last[0] - first[0]) / (MOST - 1))
                        memory, size = last[2], (os.path.getsize(out) - first_object) / (MOST - 1)
                    counted = (compile_cost.instructions(some) - compile_cost.instructions(one)) / COUNTED if counts else None
                except RuntimeError as error:
                    print(f"left out: {library.name}, {family}: {error}", flush=True)
                    continue
                cells[family, library.name] = (counted, min(times), memory, size)
    print(f"{version(compiler)}, {' '.join(WAY)}; least of {rounds} rounds\n")
    print("| one more of | 10^6 instructions | Eigen | ratio | user ms | Eigen | ratio | MB for 20 | Eigen | object KB each | Eigen |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for family in FAMILIES:
        if (family, BROADLOOM.name) not in cells:
            continue
        ours, theirs = cells[family, BROADLOOM.name], cells.get((family, "Eigen"))
        row = []
        for k, (scale, ratio) in enumerate(((1e-6, True), (1e3, True), (1, False), (1e-3, False))):
            pair = [c[k] if c else None for c in (ours, theirs)]
            row += ["-" if x is None else f"{x * scale:.3g}" for x in pair]
            if ratio:
                row.append("-" if None in pair else f"{pair[0] / pair[1]:.2f}")
        print(f"| {family} | {' | '.join(row)} |", flush=True)


def cookbook(compiler, rounds):
    """The programs of the cookbook: user seconds, with the header precompiled too, peak memory and object."""
    root = pathlib.Path(ROOT)
    programs = sorted((root / "examples/cookbook").glob("*.cpp"))
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        out, include = os.path.join(folder, "out.o"), ["-I", str(root / "include")]
        header = write(folder, "all.hpp", "#include <broadloom/broadloom.hpp>\n")
        subprocess.run([*compiler, *WAY, "-w", *include, "-x", "c++-header", header, "-o", header + ".gch"], check=True)
        for program in programs:
            plain = [*compiler, *WAY, "-w", *include, "-c", str(program), "-o", out]
            ways = [plain, [*plain, "-include", header]]
            runs = [[compile_cost.run(way) for way in ways] for _ in range(rounds)]
            rows.append((program.stem, *(min(r[k][0] for r in runs) for k in range(2)), runs[0][0][2], os.path.getsize(out) / 1000))
    print(f"{version(compiler)}, {' '.join(WAY)}; user seconds, least of {rounds} rounds\n")
    print("| program | seconds | with the header precompiled | MB | object KB |\n|---|---|---|---|---|")
    for name, plain, precompiled, memory, size in rows:
        print(f"| {name} | {plain:.2f} | {precompiled:.2f} | {memory:.0f} | {size:.0f} |")
    print(f"| median | {statistics.median(r[1] for r in rows):.2f} | {statistics.median(r[2] for r in rows):.2f} | | |")
