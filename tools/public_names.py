#!/usr/bin/python3
"""The public names and headers of releases, and what of the last release's is gone.

usage: tools/public_names.py SOURCE_ROOT              says what is gone, and which names came
       tools/public_names.py SOURCE_ROOT --release    writes down those of this version, in tools/package/api/VERSION.txt

A public header lies beside the folders of include/broadloom, or the README, the guide or the reference names it; the others may move. A
name is recorded with a public header that declares or includes it, the one that declares it where no public one does: who includes that header
finds the name by it for good. Names are those of the reference (tools/reference.py, which needs libclang's Python module), and the members of
classes; `deprecated` stands behind those that are.

What is renamed or moved stays as an alias marked [[deprecated]], or as a header that includes the new one, and CHANGELOG.md names it.
What was deprecated in the last release may go; CHANGELOG.md then names it in an entry that begins with (!).
"""
import pathlib
import re
import sys

import reference


# What stands here is only read where the library is that it adapts.
adaptors = ("broadloom/interop/", "broadloom/io/", "broadloom/distributed/")


def headers(root):
    include = root / "include"
    return {str(path.relative_to(include)) for path in include.rglob("*") if path.is_file()}


def public_headers(root):
    pages = [root / "README.md", *(root / "docs/guide").rglob("*.md"), *(root / "docs/reference").rglob("*.md")]
    named = {f"broadloom/{name}" for page in pages
             for name in re.findall(r"(?<![\w/.])(?:broadloom/)?((?:\w+/)*\w+\.hpp)\b", page.read_text())}
    return {header for header in headers(root) if header.count("/") == 1 or header in named}


def names(root):
    """What is public now: name -> (header, whether it is deprecated)."""
    entries, _ = reference.gather(root)
    found = {}
    for name, entry in entries.items():
        if "<" in name or " " in name:
            continue
        header = f"broadloom/{entry.header}"
        found[name] = (header, entry.deprecated)
        for member, _, _ in entry.members:
            if not member.startswith(("operator", "~")) and "<" not in member and member != name.split("::")[-1]:
                found[f"{name}.{member}"] = (header, entry.deprecated)
    return found


def lines(root):
    """The record, as it is written."""
    public = public_headers(root)
    listed = [f"header {header}" for header in sorted(public)]
    # broadloom.hpp first, then those beside the folders.
    reach = {header: reached(root, header) for header in sorted(public, key=lambda h: (h != "broadloom/broadloom.hpp", h.count("/"), h))}
    for name, (declared, deprecated) in sorted(names(root).items()):
        header = declared if declared in public else next((header for header, there in reach.items() if declared in there), declared)
        listed.append(f"name {name} {header}" + (" deprecated" if deprecated else ""))
    return listed


def last_release(root):
    """The path of the newest record, or None."""
    kept = list((root / "tools/package/api").glob("*.txt"))
    return max(kept, key=lambda path: [int(part) for part in path.stem.split(".")], default=None)


def reached(root, header, known=None):
    """The headers of ours that one includes, itself too."""
    known = set() if known is None else known
    if header in known:
        return known
    known.add(header)
    text = (root / "include" / header).read_text()
    for other in re.findall(r'^#\s*include\s*[<"](broadloom/[^>"]+)', text, re.MULTILINE):
        if (root / "include" / other).exists():
            reached(root, other, known)
    return known


def entries_of_news(root):
    """The entries of the section of CHANGELOG.md that belongs to no release yet, or to the version at hand."""
    news = re.search(r"^## .*?\n(.*?)(?=^## |\Z)", (root / "CHANGELOG.md").read_text(), re.MULTILINE | re.DOTALL)
    return [entry for entry in re.split(r"^(?=- )", news.group(1) if news else "", flags=re.MULTILINE) if entry.startswith("- ")]


def compare(root, record, there=None, now=None):
    """What of a record (its lines) is gone or has moved without a word, as sentences."""
    there = headers(root) if there is None else there
    now = names(root) if now is None else now
    seen = {header for header, _ in now.values()}
    news = entries_of_news(root)

    def told(name, breaking):
        last = re.escape(re.split(r"::|\.", name)[-1]) if "/" not in name else re.escape(name)
        return any(re.search(rf"`[^`]*(?<![\w]){last}(?![\w])[^`]*`", entry) and (not breaking or entry.startswith("- (!)")) for entry in news)

    problems, reach = [], {}
    for line in record:
        kind, name, *rest = line.split()
        if kind == "header":
            if name not in there and not told(name, breaking=True):
                problems.append(f"the header {name} is gone: keep it, including what took its place, and name it in CHANGELOG.md")
            continue
        header, was_deprecated = rest[0], rest[1:] == ["deprecated"]
        if name not in now:
            if header.startswith(adaptors) and header in there and header not in seen:
                continue
            if was_deprecated:
                if not told(name, breaking=True):
                    problems.append(f"{name} ({header}), deprecated before, is gone: CHANGELOG.md has no entry that begins with (!) and names it")
            else:
                problems.append(f"{name} ({header}) is gone: keep it as an alias marked [[deprecated]], and name it in CHANGELOG.md")
            continue
        place, deprecated = now[name]
        if deprecated and not was_deprecated and not told(name, breaking=False):
            problems.append(f"{name} ({place}) is deprecated now: no entry of CHANGELOG.md names it")
        if place != header and header in there:
            reach.setdefault(header, reached(root, header) if (root / "include" / header).exists() else set())
            if place not in reach[header]:
                problems.append(f"{name} moved from {header} to {place}: the first must include the second")
    return problems


def main():
    if len(sys.argv) < 2 or sys.argv[2:] not in ([], ["--release"]):
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1]).resolve()
    if sys.argv[2:]:
        version = (root / "VERSION").read_text().strip()
        to = root / "tools/package/api" / f"{version}.txt"
        to.parent.mkdir(exist_ok=True)
        listed = lines(root)
        to.write_text("\n".join(listed) + "\n")
        print(f"written: {to.relative_to(root)}, {len(listed)} lines")
        return
    last = last_release(root)
    if last is None:
        sys.exit("public_names.py: no release was written down yet: --release")
    record = last.read_text().splitlines()
    problems = compare(root, record)
    came = sorted(set(names(root)) - {line.split()[1] for line in record if line.startswith("name ")})
    print("\n".join(problems + [f"new since {last.stem}: {name}" for name in came]))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
