#!/usr/bin/python3
"""Writes docs/from/namespaces.md: every public array function of NumPy and PyTorch, and what it is here or why it is not.

usage: tools/namespaces.py [--check]      from test/data/namespaces.txt, tools/namespaces.txt and the headers; --check: only says
                                          what differs
       tools/namespaces.py --record       writes test/data/namespaces.txt, the names, from python3-numpy and python3-torch
       tools/namespaces.py --open         lists what is not yet there

A name that a public header declares is ours by itself. tools/namespaces.txt says the others, a line each.
"""
import fnmatch
import functools
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
names_file, rules_file = root / "test/data/namespaces.txt", root / "tools/namespaces.txt"
page_file = root / "docs/from/namespaces.md"
# Names with another meaning, and what calls of them gave (test/docs/from_test.py).
same_names_rows, same_names_file = root / "tools/same_names.txt", root / "test/data/same_names.txt"

NAMESPACES = ("numpy", "numpy.linalg", "numpy.fft", "numpy.random.Generator", "torch", "torch.linalg", "torch.special", "torch.fft",
              "torch.nn.functional")
VERSIONS = {"numpy": "1.24.", "torch": "1.13."}
# Headers that bring many functions. The first of them that has a name is said.
COLLECTIONS = ("sets.hpp", "special.hpp", "random.hpp", "signal.hpp", "linalg.hpp", "decompositions.hpp", "geometry.hpp", "half.hpp", "elements.hpp")
# Reasons that leave a name out for good, and what they mean.
REASONS = {
    "autograd": "derivatives, or training: dropout, losses with reductions of gradients, batch statistics that are updated",
    "device": "another device, another process, or a vendor's library by name",
    "sparse": "sparse or nested arrays",
    "quantised": "quantised elements",
    "deprecated": "deprecated, or another spelling that its library keeps for old programs",
    "strings and objects": "strings, dates, records, Python objects and their files",
    "printing of Python": "printing, help and inspection in Python",
    "no array function": "settings, types and tools of the interpreter or of its compiler, which take or give no array",
}


def public_functions(name):
    """The public functions of a namespace of NumPy or PyTorch."""
    import importlib  # pylint: disable=import-outside-toplevel
    if name == "numpy.random.Generator":
        import numpy  # pylint: disable=import-outside-toplevel
        space = numpy.random.Generator
    else:
        space = importlib.import_module(name)
    found = []
    for each in dir(space):
        thing = getattr(space, each, None)
        if each.startswith("_") or not callable(thing) or isinstance(thing, type):
            continue
        module = getattr(thing, "__module__", None) or name
        # What another module lends: typing, ctypes, PyTorch's own tools.
        if module.split(".")[0] not in ("numpy", "torch", "math") or getattr(thing, "__name__", each) in ("TypeVar",):
            continue
        found.append(each)
    return found


def record():
    names_file.write_text("".join(f"{space}\t{' '.join(public_functions(space))}\n" for space in NAMESPACES))


def recorded():
    return [(line.split("\t")[0], line.split("\t")[1].split()) for line in names_file.read_text().splitlines()]


@functools.cache
def ours():
    """Names that public headers declare, outside of detail and runtime, and the files that do."""
    all_found = {}
    hidden = r"(?:\w+::)?(?:detail|runtime|lanes|errors_md|broadloom_own_elements)"
    for path in sorted((root / "include/broadloom").rglob("*")):
        found = set()
        if path.suffix not in (".hpp", ".def"):
            continue
        text = re.sub(rf"^namespace {hidden} \{{.*?^\}}  // namespace {hidden}$", "", path.read_text(),
                      flags=re.M | re.S)
        text = re.sub(r"//[^\n]*", "", text)
        found |= set(re.findall(r"^(?:BROADLOOM_)?[A-Z][A-Z0-9_]+\((\w+)", text, re.M))
        for statement in re.findall(r"^inline constexpr ([^;]*);|^\} (\w+\{[^;]*);", text, re.M):
            found |= set(re.findall(r"(\w+)\{[^{}]*\}", "".join(statement)))
        if path.name in ("catalogue.def", "aliases.hpp") or path.parent.name == "special":  # each has a form that ends in an underscore
            found |= {name + "_" for name in re.findall(r"^(?:BROADLOOM_)?[A-Z][A-Z0-9_]+\((\w+)", text, re.M)}
        found |= set(re.findall(r"^(?=[a-z\[])(?:[\w:<>,&* \[\]]+ )(\w+)\(", text, re.M))
        found |= set(re.findall(r"^(?:class|struct|using|enum class) (\w+)", text, re.M))
        for name in found:
            all_found.setdefault(name, []).append(str(path.relative_to(root / "include/broadloom")))
    return all_found


@functools.cache
def reached_from(header):
    """A header and all that it includes."""
    reached, left = set(), [header]
    while left:
        each = left.pop()
        if each not in reached and (root / "include/broadloom" / each).exists():
            reached.add(each)
            left += re.findall(r"#include <broadloom/([\w/.]+)>", (root / "include/broadloom" / each).read_text())
    return frozenset(reached)


def header_of(text):
    """What a program includes for names of ours, where broadloom.hpp is not enough."""
    wanted = set()
    for name in re.findall(r"bl::(\w+)", text):
        files = ours().get(name, [])
        files = [f for f in files if not f.startswith("distributed/")] or files
        if files and not reached_from("broadloom.hpp") & set(files):
            wanted.add("polynomial.hpp" if files[0] == "linalg/polynomials.hpp" else
                       next((h for f in files for h in COLLECTIONS if f in reached_from(h)), files[0]))
    return " ".join(sorted(wanted))


def by_header():
    """Our names that broadloom.hpp does not bring: header -> names. What is for MPI has a page of its own."""
    result = {}
    for name in ours():
        header = header_of(f"bl::{name}")
        header = "io/hdf5.hpp" if header.startswith("io/hdf5") else header
        is_type = name.endswith("_t") and name[:-2] in ours()
        if header and not header.startswith("distributed/") and not is_type and name not in ("broadloom", "namespace", "fmt"):
            result.setdefault(header, []).append(name)
    return sorted((header, sorted(names)) for header, names in result.items())


def rules():
    """Pairs of a pattern and (ours or None, reason or None, remark)."""
    read = []
    for number, line in enumerate(rules_file.read_text().splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if " = " in line or " =? " in line:
            pattern, mark, text = re.split(r" (=\??) ", line, maxsplit=1)
            there = mark == "=" or all(n in ours() for n in re.findall(r"bl::(\w+)", text))
            read += [(each, text if there else None, None, number) for each in pattern.split()]
        else:
            pattern, reason = line.split(" : ", 1)
            read += [(each, None, reason, number) for each in pattern.split()]
    return read


def entries():
    """For each namespace (name, ours or None, reason or None) of each of its names, and the problems."""
    known, problems, used, result = rules(), [], set(), []
    for space, names in recorded():
        rows = []
        for name in names:
            full = f"{space}.{name}"
            match = next((r for r in known if fnmatch.fnmatchcase(full, r[0])), None) or next(
                (r for r in known if "." not in r[0] and fnmatch.fnmatchcase(name, r[0])), None)
            if match:
                used.add(match[3])
                _, here, reason, number = match
                if reason is not None and reason not in REASONS:
                    problems.append(f"{rules_file.name}:{number}: {reason} is no reason")
                problems += [f"{rules_file.name}:{number}: bl::{n} is declared in no header" for n in re.findall(r"bl::(\w+)", here or "") if n not in ours()]
                rows.append((name, here, reason))
            elif name in ours():
                rows.append((name, f"bl::{name}", None))
            else:
                rows.append((name, None, None))
        result.append((space, rows))
    problems += [f"{rules_file.name}:{r[3]}: {r[0]} matches no name" for r in known if r[3] not in used]
    # What numpy.linalg has and we have is in bl::linalg, too.
    aliases = set(re.findall(r"^using broadloom::(\w+);", "".join((root / "include/broadloom" / h).read_text() for h in ("linalg.hpp", "decompositions.hpp")), re.M))
    problems += [f"linalg.hpp: namespace linalg lacks {name}" for space, rows in result if space == "numpy.linalg"
                 for name, here, _ in rows if here == f"bl::{name}" and name not in aliases]
    return result, sorted(set(problems))


def same_names():
    """Rows of NumPy's call, the same name here, NumPy's meaning here, and what differs."""
    lines = [line for line in same_names_rows.read_text().splitlines() if line and not line.startswith("#")]
    return [tuple(part.strip() for part in line.split(" | ")) for line in lines]


def same_name_calls():
    """All calls of ours in these rows."""
    return list(dict.fromkeys(call for row in same_names() for call in row[1:3] if call != "-"))


def same_name_results():
    return {part.split("\n", 1)[0]: part.split("\n", 1)[1].rstrip("\n") + "\n" for part in ("\n" + same_names_file.read_text()).split("\n## ")[1:]}


def means_something_else(name):
    return any(re.search(rf"\b{name}\(", row[0]) and re.search(rf"bl::{name}\b", row[1] + row[3]) for row in same_names())


def same_names_table():
    results = {call: " ".join(text.split()) for call, text in same_name_results().items()}
    out = ["## The same name, another meaning", "",
           "These are names of NumPy's that do something else here, mostly what PyTorch does. Both were called, on `x = [[1, 4, 2], [3, 0.5, 6]]` and",
           "`y = [1, 2, 4]`, and a test calls them again: `docs/from_test`. A row `a; b` runs `a`, and shows `b`.", "",
           "| NumPy | gives | the same name here | gives | NumPy's meaning here | what differs |", "|---|---|---|---|---|---|"]
    for theirs, name_here, meaning_here, remark in same_names():
        ours_said = ("", "") if name_here == "-" else (f"`{name_here}`", f"`{results[name_here]}`")
        out.append(f"| `{theirs}` | `{results[theirs]}` | {ours_said[0]} | {ours_said[1]} | `{meaning_here}` | {remark} |")
    return out + [""]


def page(result):
    count = sum(len(rows) for _, rows in result)
    here = sum(1 for _, rows in result for r in rows if r[1])
    left = sum(1 for _, rows in result for r in rows if r[2])
    missing = count - here - left
    out = ["# The namespaces of NumPy and PyTorch", "",
           "Written by `tools/namespaces.py` from the public functions of NumPy 1.24 and PyTorch 1.13, as Debian 12 has them. A test fails when",
           "this page is not what the tool writes, or a name of ours does not exist. Where a header is named, include it beside",
           "`broadloom/broadloom.hpp`, as in `#include <broadloom/linalg.hpp>`.", "",
           *same_names_table(), "## How many", "",
           f"Of {count} names {here} are here, {left} are left out for the reasons below, and {missing} are not yet here",
           f"({100 * missing / (here + missing):.1f} % of those that are not left out).", "",
           "| namespace | names | here | left out | not yet |", "|---|---|---|---|---|"]
    for space, rows in result:
        h, l = sum(1 for r in rows if r[1]), sum(1 for r in rows if r[2])
        out.append(f"| `{space}` | {len(rows)} | {h} | {l} | {len(rows) - h - l} |")
    out += ["", "| reason | what it covers |", "|---|---|"] + [f"| {r} | {REASONS[r]} |" for r in REASONS]
    out += ["", "## Not yet", ""]
    for space, rows in result:
        names = [f"`{r[0]}`" for r in rows if not r[1] and not r[2]]
        if names:
            out.append(f"- `{space}`: {', '.join(names)}")
    for space, rows in result:
        out += ["", f"## {space}", "", "| name | here | header |", "|---|---|---|"]
        for name, text, reason in rows:
            if text:
                said = text if "`" in text else f"`{text}`"
            else:
                said = reason or "not yet"
            header = header_of(text or "")
            if text == f"bl::{name}" and space.startswith("numpy") and means_something_else(name):
                said += ", [another meaning](#the-same-name-another-meaning)"
            out.append(f"| `{name}` | {said.replace('|', chr(92) + '|')} | {f'`{header}`' if header else ''} |")
    out += ["", "## Our names by header", "",
            "\"'histogram' is not a member of 'bl'\": these names are not in `broadloom/broadloom.hpp`.", "", "| header | names |", "|---|---|"]
    out += [f"| `{header}` | {' '.join(f'`{name}`' for name in names)} |" for header, names in by_header()]
    return "\n".join(out) + "\n"


def main():
    if "--record" in sys.argv:
        return record()
    result, problems = entries()
    if "--open" in sys.argv:
        for space, rows in result:
            print(space, " ".join(r[0] for r in rows if not r[1] and not r[2]))
    elif "--check" in sys.argv:
        if page_file.read_text() != page(result):
            problems.append(f"{page_file.name} is not what tools/namespaces.py writes")
    else:
        page_file.write_text(page(result))
    if problems:
        sys.exit("\n".join(problems))
    return None


if __name__ == "__main__":
    main()
