#!/usr/bin/env python3
"""Checks how the public headers and the library are laid out and reports by TAP.

usage: check_layout.py layers SOURCE_ROOT              every folder includes only its own layer and lower ones, no cycles;
                                                       so does every room of lib/; every test finds its header
       check_layout.py calls SOURCE_ROOT BUILD_ROOT    no room of lib/ calls what a later room defines
       check_layout.py headers SOURCE_ROOT COMPILER... every header compiles alone, twice, and in two files of a program
       check_layout.py headers SOURCE_ROOT --few COMPILER... the same, but alone only those beside the folders and those of interop/
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from tap import Tap

# A file includes only its own layer and lower ones.
layers = {
    "core": 0,
    "shape": 1,
    "expr": 2,
    "fn": 3,
    "plan": 4,
    "eval": 5,
    "tensor": 6,
    "reduce": 7,
    "linalg": 7,
    "geometry": 7,
    "index": 7,
    "signal": 7,
    "random": 7,
    "special": 7,
    "interop": 8,
    "io": 8,
    "distributed": 8,
}
top = 9  # the headers beside the folders, such as broadloom.hpp, may include everything

# The rooms of lib/ in order: a file includes and calls its own room and those before it.
rooms = ["base", "maths", "plan", "move", "run", "reduce", "fuse", "assign"]
# Rooms beside that order, and all they use. No room in the order uses them.
side_rooms = {
    "index": {"base", "plan", "move"},
    "linalg": {"base", "plan", "move"},
    "signal": {"base", "plan", "move", "linalg"},
    "text": {"base"},
    "io": {"base"},
}

# test/ mirrors the folders of include/broadloom/ and the rooms of lib/: a test there is named by a header or a file, and
# may name a part of it behind that: reduce/sums_test, reduce/sums_table_test. Tests of other kinds are in these folders.
own_folders = {
    "docs", "examples", "fail", "fault", "fuzz", "law", "layout", "package", "proof", "reference", "surface", "tools",
}

# What lib/ uses privately must not reach a user's compiler; foreign containers are met in interop/ alone.
private = re.compile(r"(tbb|oneapi|Eigen|Random123)/|sleef|lapacke|cblas")

include_line = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]


def folder_of(header):
    """The folder of a header named relative to include/broadloom, "" for one beside the folders."""
    parts = header.split("/")
    return parts[0] if len(parts) > 1 else ""


def layer_of(header):
    return layers.get(folder_of(header), None) if folder_of(header) else top


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def read_includes(root):
    """Maps each public file to the list of (line, broadloom file or None, text) that it includes."""
    base = root / "include" / "broadloom"
    found = {}
    for path in sorted(path for path in base.rglob("*") if path.is_file()):
        name = path.relative_to(base).as_posix()
        found[name] = []
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = include_line.match(without_comments(line))
            if not match:
                continue
            quote, target = match.groups()
            if target.startswith("broadloom/"):
                ours = target[len("broadloom/"):]
            elif quote == '"':
                ours = os.path.normpath((path.parent / target).relative_to(base).as_posix())
            else:
                ours = None
            found[name].append((number, ours, target))
    return found


def wrong_layers(includes, folder):
    """The lines by which headers of a folder include a higher layer, an unknown folder or a missing header."""
    problems = []
    for header, lines in includes.items():
        if folder_of(header) != folder:
            continue
        here = layer_of(header)
        for number, target, _ in lines:
            if target is None:
                continue
            place = f"include/broadloom/{header}:{number}"
            if target not in includes:
                problems.append(f"{place}: includes broadloom/{target}, which does not exist")
            elif layer_of(target) is not None and here is not None and layer_of(target) > here:
                problems.append(
                    f"{place}: {folder}/ is layer {here} and includes broadloom/{target} of layer {layer_of(target)}"
                )
    return problems


def may_use(room, other):
    if room in side_rooms:
        return other == room or other in side_rooms[room]
    return other in rooms and rooms.index(other) <= rooms.index(room)


def room_of(name):
    return name.split("/")[0]


def all_rooms():
    return ", ".join(rooms + list(side_rooms))


def read_library(root):
    """Maps each file of lib/ to the list of (line, file of lib/ that it includes)."""
    base = root / "lib"
    found = {}
    for path in sorted(path for path in base.rglob("*") if path.suffix in (".cpp", ".hpp", ".inc", ".def")):
        name = path.relative_to(base).as_posix()
        found[name] = []
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = include_line.match(without_comments(line))
            if match and match.group(1) == '"':
                target = pathlib.Path(os.path.normpath(path.parent / match.group(2)))
                found[name].append((number, target.relative_to(base).as_posix() if base in target.parents else str(target)))
    return found


def check_library(root, tap):
    """The rooms of lib/: their order, and that neither rooms nor headers include each other in a cycle."""
    includes = read_library(root)
    unknown = sorted({room_of(name) for name in includes} - set(rooms) - set(side_rooms))
    tap.case(
        "every file of lib/ is in a room",
        f"not a room: {', '.join(unknown)}; the rooms are {all_rooms()}" if unknown else None,
    )
    for room in rooms + list(side_rooms):
        problems = []
        for name, lines in includes.items():
            for number, target in lines if room_of(name) == room else ():
                if target not in includes:
                    problems.append(f"lib/{name}:{number}: includes {target}, which is no file of lib/")
                elif not may_use(room, room_of(target)):
                    problems.append(f"lib/{name}:{number}: {room}/ may not include lib/{target}")
        tap.case(f"lib/{room}/ includes only what it may", "\n".join(problems) or None)
    between = {}
    for name, lines in includes.items():
        for _, target in lines:
            if room_of(name) != room_of(target):
                between.setdefault(room_of(name), set()).add(room_of(target))
    files = {name: {target for _, target in lines} for name, lines in includes.items()}
    for title, edges in (("rooms of lib/", between), ("files of lib/", files)):
        cycle = find_cycle(edges)
        tap.case(f"no {title} include each other in a cycle", " -> ".join(cycle) if cycle else None)
    sources = {path.relative_to(root).as_posix(): path for path in sorted((root / "lib").rglob("*")) if path.is_file()}
    tap.case("GCC's extensions of the language stand in the files of lib/ for it", "\n".join(strange_extensions(sources)) or None)
    tap.case("every name in lib/ is the field's term", "\n".join(replaced_terms(sources)) or None)


def first_line(path):
    """The first line that says something: not that which names an interpreter."""
    lines = [line for line in path.read_text().splitlines() if line.strip() and not line.startswith("#!")]
    return lines[0].strip() if lines else ""


def check_tests(root, tap):
    """Every test mirrors a header or a file of lib/, or is of another kind and says of which."""
    bases = (root / "include" / "broadloom", root / "lib")
    files = {path.relative_to(base).with_suffix("").as_posix() for base in bases for path in base.rglob("*") if path.is_file()}
    mirrored = set(layers) | set(rooms) | set(side_rooms)
    tests = root / "test"
    lost, silent = [], []
    for path in sorted(path for path in tests.rglob("*_test.*") if path.suffix in (".cpp", ".py")):
        name = path.relative_to(tests).with_suffix("").as_posix()[: -len("_test")]
        folder = name.split("/")[0]
        if folder in own_folders:
            if not re.match(r'(//|"""|#) ?[A-Z].{15}', first_line(path)):
                silent.append(f"test/{name}_test{path.suffix}")
        elif folder not in mirrored:
            lost.append(f"test/{name}_test{path.suffix}: {folder}/ is neither a folder of headers nor a room of lib/")
        else:
            words = name.rsplit("/", 1)[1].split("_")
            parts = ["_".join(words[:n]) for n in range(1, len(words) + 1)]
            if not any(name.rsplit("/", 1)[0] + "/" + part in files for part in parts):
                lost.append(f"test/{name}_test{path.suffix}: there is no include/broadloom/{name}.hpp and no lib/{name}.*")
    kinds = ", ".join(sorted(own_folders))
    tap.case(
        "every test is named by a header or a file of lib/",
        "\n".join(lost) + f"\nTests of other kinds are in one of: {kinds}" if lost else None,
    )
    tap.case("every other test says in its first line what it tests", "\n".join(silent) or None)


def run_tool(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def check_calls(root, build, tap):
    """What objects of lib/ need of each other: a declaration in a public header is no way round the order of rooms."""
    sources = {name.replace("/", "_"): name for name in read_library(root) if name.endswith(".cpp")}
    defined, wanted = {}, []
    for path in sorted(build.glob("lib/**/*.cpp.o")):
        # Of a file of kernels there is an object for each level.
        name = sources.get(re.sub(r"^meson-generated_\.\._(.*_level)_v\d+\.cpp$", r"\1.cpp", path.name[: -len(".o")]))
        if name is None:
            continue  # of a file that is no more
        for line in run_tool("nm", str(path)):
            match = re.match(r"[0-9a-f ]+ ([A-Za-z]) (.*)", line)
            if match and match.group(1) in "TDBR":
                defined[match.group(2)] = name
            elif match and match.group(1) == "U":
                wanted.append((name, match.group(2)))
    tap.case("the library was built", None if defined else f"no objects of lib/ below {build}")
    for room in rooms + list(side_rooms):
        problems = [
            f"lib/{name}: {room}/ may not use {run_tool('c++filt', symbol)[0]} of lib/{defined[symbol]}"
            for name, symbol in wanted
            if room_of(name) == room and symbol in defined and not may_use(room, room_of(defined[symbol]))
        ]
        tap.case(f"lib/{room}/ uses only what it may", "\n".join(problems) or None)


def find_cycle(edges):
    """A list of nodes that leads from a node back to itself, or None."""
    state = {}

    def visit(node, path):
        state[node] = "open"
        for following in sorted(edges.get(node, ())):
            if state.get(following) == "open":
                return path[path.index(following):] + [following]
            if following not in state:
                cycle = visit(following, path + [following])
                if cycle:
                    return cycle
        state[node] = "done"
        return None

    for node in sorted(edges):
        if node not in state:
            cycle = visit(node, [node])
            if cycle:
                return cycle
    return None


def check_layers(root, tap):
    includes = read_includes(root)
    folders = sorted({folder_of(header) for header in includes} - {""}, key=lambda name: (layers.get(name, -1), name))

    unknown = [name for name in folders if name not in layers]
    problem = None
    if not includes:
        problem = f"there is no header below {root / 'include' / 'broadloom'}"
    elif unknown:
        problem = f"folders without a layer: {', '.join(unknown)}; the layers are {', '.join(layers)}"
    tap.case("every folder of headers has a layer", problem)

    for folder in folders:
        if folder in layers:
            tap.case(
                f"{folder}/ includes only layers up to {layers[folder]}", "\n".join(wrong_layers(includes, folder)) or None
            )

    between = {}
    files = {}
    for header, lines in includes.items():
        for _, target, _ in lines:
            if target in includes:
                files.setdefault(header, set()).add(target)
                if folder_of(header) and folder_of(target) and folder_of(header) != folder_of(target):
                    between.setdefault(folder_of(header), set()).add(folder_of(target))
    for title, edges in (("folders", between), ("headers", files)):
        cycle = find_cycle(edges)
        tap.case(f"no {title} include each other in a cycle", " -> ".join(cycle) if cycle else None)

    leaks = [
        f"include/broadloom/{header}:{number}: includes {text}"
        for header, lines in includes.items()
        for number, target, text in lines
        if target is None and private.match(text) and folder_of(header) != "interop"
    ]
    tap.case("no public header includes what only lib/ may use", "\n".join(leaks) or None)

    nameless = []
    for header in includes:
        first = (root / "include" / "broadloom" / header).read_text().lstrip().splitlines()[:1]
        if not first or not first[0].startswith("//"):
            nameless.append(f"include/broadloom/{header}")
    tap.case("every header begins with a line that says what it is", "\n".join(nameless) or None)
    tap.case("no header uses a word that other headers define as a macro", "\n".join(words_of_others(root, includes)) or None)
    tap.case("every header refuses old compilers before anything else", "\n".join(without_the_gate(root, includes)) or None)
    base = root / "include" / "broadloom"
    texts = {path.relative_to(root).as_posix(): path for path in sorted(base.rglob("*")) if path.is_file()}
    tap.case("GCC's extensions of the language stand where a port expects them", "\n".join(strange_extensions(texts)) or None)
    tap.case("every other name of a compiler is in the list of a port", "\n".join(strange_names(texts)) or None)
    tap.case("headers of functions of vectors turn clang's -Wpsabi off", "\n".join(warning_lane_functions(texts)) or None)
    tap.case("every name in headers is the field's term", "\n".join(replaced_terms(texts)) or None)


# Names that gave way to the field's terms, each with what to say. A name is looked for as a whole, or as whole words of a longer one.
terms = {
    "alike": "matching, or say what is equal", "at_hand": "available, resident", "assign_line": "assign_rank1", "assign_plane": "assign_rank2",
    "coming": "prefetch", "function_rows": "map_and_sum_rows", "lies_as": "say the layout or the stride", "meanwhile": "say what it overlaps",
    "neutral": "identity", "replace_looked_up": "replace_by_extents", "row_line": "row_executor", "row_sums": "row_reduction", "run_odd": "run_with_tail",
    "runs_apart": "disjoint", "small_sources": "small_barriers", "spread": "splat, broadcast, dilation", "suspicion": "lane_checks",
    "takes_some": "masked_tail", "unchanged": "identity",
}
old_terms = re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(terms)})(?![A-Za-z0-9])")

# docs/internals/porting.md: vectors, inline assembly and integers of 128 bits are words of the language, which another compiler
# cannot be given by a header. They are written in these files alone, and in those of lib/ that are compiled for one level.
extensions = re.compile(r"\b(?:__asm__|asm|__int128|_Float16|vector_size|__builtin_(?:shufflevector|convertvector|elementwise_\w+|reduce_\w+|ia32_\w+|nontemporal_\w+|cpu_\w+))\b")
extension_files = [
    *(f"include/broadloom/{name}.hpp" for name in (
        "core/api", "core/change_width", "core/lane_types", "core/simd_vec", "core/wide", "eval/simd/divisor", "eval/simd/kernel",
        "eval/simd/row_reduce_kernel", "fn/convert", "fn/fma", "fn/half", "fn/integer_bits", "fn/integer_division", "fn/lanes", "fn/real",
        "fn/rounding", "interop/float128")),
    "lib/base/fp_control.hpp", "lib/base/isa.cpp", "lib/base/shuffle.hpp", "lib/base/vectors.hpp", "lib/index/index_lists.cpp",
    "lib/move/copy.cpp", "lib/move/interleave.hpp", "lib/move/splat.hpp", "lib/reduce/operations.hpp", "lib/reduce/whole_rows.cpp",
]
by_level = re.compile(r"lib/maths/|lib/.*_(?:level|base|v\d+)\.[ch]pp$")
# Functions and traits that a compiler has of its own. A port gives them, as functions or macros, at the beginning of core/compiler.hpp.
names_of_compilers = re.compile(r"\b__(?!attribute__|VA_ARGS__|VA_OPT__|has_include|asm__|asan_)[a-z]\w*(?=\s*\()")
ported_names = {
    "__atomic_exchange_n", "__atomic_fetch_add", "__atomic_fetch_sub", "__atomic_load_n", "__atomic_store_n", "__atomic_sub_fetch",
    "__builtin_add_overflow", "__builtin_bit_cast", "__builtin_frexp", "__builtin_frexpf", "__builtin_huge_val",
    "__builtin_hypot", "__builtin_inf", "__builtin_is_constant_evaluated", "__builtin_launder", "__builtin_ldexp", "__builtin_memcpy",
    "__builtin_memset", "__builtin_mul_overflow", "__builtin_nan", "__builtin_prefetch", "__builtin_sub_overflow", "__builtin_trap", "__builtin_unreachable",
    "__has_feature", "__integer_pack", "__is_base_of", "__is_class", "__is_enum", "__is_same", "__is_trivially_copyable",
}


def words_in(pattern, path):
    """The lines, by number, on which a word stands outside of comments and texts."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        for match in pattern.finditer(re.sub(r'//.*|"(?:\\.|[^"\\])*"', "", line)):
            yield number, match.group(0)


def strange_extensions(texts):
    return [f"{name}:{number}: {word} belongs into one of the files that docs/internals/porting.md names"
            for name, path in texts.items() if name not in extension_files and not by_level.match(name)
            for number, word in words_in(extensions, path)]


def replaced_terms(texts):
    return [f"{name}:{number}: {word}: {terms[word]}" for name, path in texts.items() for number, word in words_in(old_terms, path)]


def strange_names(texts):
    return [f"{name}:{number}: {word} is not in the list of tools/check_layout.py"
            for name, path in texts.items() if name not in extension_files
            for number, word in words_in(names_of_compilers, path) if word not in ported_names]


# What headers of others, such as windows.h, complex.h and sys/sysmacros.h, leave defined: first as functions, then as they stand.
function_macros = ["min", "max", "check", "verify", "require", "major", "minor", "makedev"]
macros = ["I", "J", "near", "far", "small", "huge", "interface", "pascal", "cdecl", "unix", "linux", "IN", "OUT", "OPTIONAL", "CONST", "VOID",
          "TRUE", "FALSE", "BOOL", "YES", "NO", "ERROR", "NO_ERROR", "DELETE", "STRICT", "DIFFERENCE", "DOMAIN", "OVERFLOW", "UNDERFLOW",
          "None", "Bool", "Status", "Success", "True", "False", "Always", "Above", "Below", "MIN", "MAX", "ALIGN", "B0", "PI"]
macro_lines = "".join(f"#define {name}(...) @\n" for name in function_macros) + "".join(f"#define {name} @\n" for name in macros)


def words_of_others(root, includes):
    """Where a header writes what may be a macro: a name of a function is in parentheses, std::min as (std::min)(a, b)."""
    used = re.compile(rf"\b(?:(?:{'|'.join(function_macros)})\s*\(|(?:{'|'.join(macros)})\b)")
    found = []
    for header in includes:
        text = (root / "include" / "broadloom" / header).read_text()
        for number, line in enumerate(text.splitlines(), 1):
            match = used.search(re.sub(r'//.*|"(?:\\.|[^"\\])*"|#.*', "", line))
            if match:
                found.append(f"include/broadloom/{header}:{number}: {match.group(0)} may be a macro of another header")
    return found


def without_the_gate(root, includes):
    """Headers in which an old compiler may meet something before core/compiler.hpp refuses it."""
    found = []
    for header, lines in includes.items():
        code = without_comments((root / "include" / "broadloom" / header).read_text())
        if header == "core/compiler.hpp" or not header.endswith(".hpp") or "#pragma once" not in code and "#ifndef" not in code:
            continue  # it refuses by itself; or it is a list, which headers include
        first = re.search(r"^\s*#\s*include\s*<broadloom/", code, re.MULTILINE)
        before = code[:first.start()] if first else code
        if first is None or re.search(r"^\s*[^#\s]", before, re.MULTILINE):
            found.append(f"include/broadloom/{header}: core/compiler.hpp, or a header of ours, is to be included first")
    return found


def warning_lane_functions(texts):
    """Headers of functions of vectors of which clang says, in the user's program, that their ABI is not that of processors without AVX."""
    return [name for name, path in texts.items() if re.search(r"struct \w+[^;{]*: (?:\w+::)*(?:lane|rule)_function\b", text := path.read_text()) and "-Wpsabi" not in text]


def compile_text(text, compiler, root, *flags):
    command = compiler + ["-std=c++20", f"-I{root / 'include'}", "-fdiagnostics-color=never", "-x", "c++", *flags, "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return None
    lines = (done.stdout + done.stderr).splitlines()
    return "\n".join(lines[:12] + ([f"... and {len(lines) - 12} lines more"] if len(lines) > 12 else []))


def kind_of(compiler):
    said = subprocess.run(compiler + ["--version"], capture_output=True, text=True, check=True).stdout
    return "clang" if "clang" in said else "gcc"


def always_included(root, headers):
    """Maps each header to all headers that it includes whatever is defined, itself and those of others among them."""
    base = root / "include" / "broadloom"
    direct = {}
    for name in headers:
        depth, direct[name] = 0, []
        for line in (base / name).read_text().splitlines():
            text = without_comments(line)
            depth += bool(re.match(r"\s*#\s*if", text)) - bool(re.match(r"\s*#\s*endif", text))
            match = include_line.match(text)
            if match and depth == 0 and match.group(2).startswith("broadloom/"):
                direct[name].append(match.group(2)[len("broadloom/"):])
    found = {}
    for name in headers:
        found[name], left = set(), [name]
        while left:
            one = left.pop()
            if one in direct and one not in found[name]:
                found[name].add(one)
                left += direct[one]
    return found


def worth_precompiling(included):
    """Headers that spare most if they are compiled once for all that include them, and how much each header has by which."""
    chosen, use = [], dict.fromkeys(included)

    def better(header, by):
        had = len(included[use[header]]) if use[header] else 0
        return by in included[header] and by != header and len(included[by]) > had

    while True:
        gains = {by: sum(len(included[by]) - (len(included[use[h]]) if use[h] else 0) for h in included if better(h, by)) for by in included}
        by = max(gains, key=gains.get, default=None)
        # To write one down takes as long as some five compilations.
        if by is None or gains[by] <= 5 * len(included[by]):
            return chosen, use
        chosen.append(by)
        use.update({header: by for header in included if better(header, by)})


def seen_in(root, headers, use):
    """Maps each header to another that includes it before anything else, behind what is precompiled for both: who compiles that one
    has compiled this one alone."""
    by = {}

    def leads_to(name, other):
        return name == other or (name in by and leads_to(by[name], other))

    for name in headers:
        text = without_comments((root / "include" / "broadloom" / name).read_text())
        found = re.match(r"\s*#pragma once\s*#include <broadloom/([^>]+)>", text)
        first = found and found.group(1)
        # Behind #pragma once a second time is nothing.
        if first in use and use[first] == use[name] and first not in by and not leads_to(name, first):
            if re.match(r"\s*#pragma once\b", without_comments((root / "include" / "broadloom" / first).read_text())):
                by[first] = name
    return by


def check_headers(root, compiler, tap, few=False):
    includes = read_includes(root)
    # Other files, such as lists that a header includes several times over, are compiled as parts of headers.
    headers = [name for name in includes if name.endswith(".hpp")]
    # What adapts another library compiles where that library is; these have folders of their own.
    folders = ["/usr/include/eigen3", "/usr/include/opencv4", "/usr/include/hdf5/serial"] + sorted(map(str, pathlib.Path("/usr/include").glob("python3.*")))
    folders += [folder for folder in ("/usr/lib/x86_64-linux-gnu/openmpi/include", "/usr/include/x86_64-linux-gnu/mpich")
                if os.path.exists(f"{folder}/mpi.h")][:1] or sorted(map(str, pathlib.Path("/usr/lib").glob("*/openmpi/include")))
    foreign = [word for folder in folders for word in ("-isystem", folder)]
    # HDF5 with MPI has headers of the same names.
    over_ranks = [word for folder in ("/usr/lib/x86_64-linux-gnu/openmpi/include", "/usr/include/hdf5/openmpi") for word in ("-isystem", folder)]
    adapters = [name for name in headers if folder_of(name) in ("interop", "distributed") or name.startswith("io/hdf5")]
    kind = kind_of(compiler)
    jobs = int(os.environ.get("BROADLOOM_JOBS", "2"))

    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        # A header is compiled behind another, which is precompiled, only if it always includes that one: it sees nothing that
        # it would not see by itself.
        def precompile(header):
            first = pathlib.Path(scratch) / f"{header.replace('/', '_')}"
            first.write_text(f"#include <broadloom/{header}>\n")
            out = f"{first}.{'gch' if kind == 'gcc' else 'pch'}"
            command = compiler + ["-std=c++20", f"-I{root / 'include'}", *warnings, "-x", "c++-header", str(first), "-o", out]
            if subprocess.run(command, capture_output=True, check=False).returncode != 0:
                return []
            return ["-include", str(first), "-Wno-psabi"] if kind == "gcc" else ["-include-pch", out]

        asked = [name for name in headers if not few or folder_of(name) in ("", "interop")]
        included = always_included(root, headers)
        chosen, use = worth_precompiling({name: included[name] for name in asked})
        flags_of = dict(zip(chosen, pool.map(precompile, chosen)))

        def alone(header):
            line = f"#include <broadloom/{header}>\n"
            if kind == "clang" and header == "interop/torch.hpp":
                return None  # clang refuses Debian's libtorch (incomplete types)
            first = flags_of.get(use[header], [])
            if header not in adapters:
                return compile_text(line + line, compiler, root, *first, "-fsyntax-only", *warnings)
            # What is in distributed/ needs MPI, and io/hdf5* HDF5, if by another header.
            flags = over_ranks if header.startswith("distributed/hdf5") else foreign
            needed = ["mpi.h", "hdf5.h"] if header.startswith("distributed/hdf5") else ["mpi.h"] if folder_of(header) == "distributed" else ["hdf5.h"] if header.startswith("io/hdf5") else []
            needed += [text for _, target, text in includes[header] if target is None]
            probe = "".join(f"#if !__has_include(<{text}>)\n#error\n#endif\n" for text in needed)
            if compile_text(probe, compiler, root, "-fsyntax-only", *flags):
                return None
            return compile_text(line + line, compiler, root, *first, "-fsyntax-only", *flags, *warnings)

        by = seen_in(root, [header for header in asked if header not in adapters], use)
        compiled = [header for header in asked if header not in by]
        problems = dict(zip(compiled, pool.map(alone, compiled)))

        def problem_of(header):
            # It is not said of a header what is wrong with the one that includes it.
            if header not in problems:
                problems[header] = problem_of(by[header]) and alone(header)
            return problems[header]

        for header in asked:
            tap.case(f"{header} compiles alone and twice", problem_of(header))

        if "core/compiler.hpp" in headers:
            old = ["-std=c++17", "-fsyntax-only"]
            said = compile_text("#include <broadloom/broadloom.hpp>\n", compiler, root, *old) or ""
            wanted = "needs C++20: compile with -std=c++20" in said and len(said.splitlines()) <= 12
            tap.case("an older standard is refused in a sentence", None if wanted else f"the compiler says\n{said}")

        # Whatever a header defines must be inline: two files of one program may include it. They would be equal.
        everything = "".join(f"#include <broadloom/{header}>\n" for header in headers if header not in adapters)
        # A name of one header hides that of another only behind it; one of these two orders has it there.
        lines = everything.splitlines(keepends=True)
        opposite = pool.submit(compile_text, macro_lines + "".join(lines[::-1]), compiler, root, "-fsyntax-only", *warnings)
        objects = [str(pathlib.Path(scratch) / name) for name in ("one.o", "two.o")]
        problem = compile_text(everything, compiler, root, "-fPIC", "-c", "-o", objects[0], *warnings)
        tap.case("every header in their order compiles without a warning", problem)
        if problem is None:
            shutil.copy(*objects)
            linked = subprocess.run(
                compiler + ["-shared", *objects, "-o", str(pathlib.Path(scratch) / "both.so")],
                capture_output=True, text=True, check=False,
            )
            problem = None if linked.returncode == 0 else linked.stdout + linked.stderr
        tap.case("two files of one program may include every header", problem)
        tap.case("every header in the opposite order, behind macros of others, compiles without a warning", opposite.result())


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "layers":
        tap = Tap()
        check_layers(pathlib.Path(sys.argv[2]).resolve(), tap)
        check_library(pathlib.Path(sys.argv[2]).resolve(), tap)
        check_tests(pathlib.Path(sys.argv[2]).resolve(), tap)
    elif len(sys.argv) == 4 and sys.argv[1] == "calls":
        tap = Tap()
        check_calls(pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve(), tap)
    elif len(sys.argv) > 3 and sys.argv[1] == "headers":
        tap = Tap()
        few = sys.argv[3] == "--few"
        check_headers(pathlib.Path(sys.argv[2]).resolve(), sys.argv[3 + few:], tap, few)
    else:
        sys.exit(__doc__)
    tap.finish()


if __name__ == "__main__":
    main()
