#!/usr/bin/python3
"""Lists the messages of errors in include/ and lib/: texts of exceptions, of static_assert, and types whose names are sentences.

usage: messages.py SOURCE_ROOT             prints kind, key, place and anchor of each
       messages.py --table SOURCE_ROOT     writes lib/base/error_anchors.inc: the messages of exceptions that docs/reference/errors.md lists

A message is known by its key: of an exception the longest piece of text in its statement that the source spells, up to a line break; of
static_assert its text; of a call that is refused the name of the type that the deleted function returns. Each row of docs/reference/errors.md has
anchors: a text of static_assert ends with one, a refused call's type in namespace errors_md is one, and bl::error_anchor finds that of an exception.
"""
import pathlib
import re
import sys

REFERENCE = re.compile(r"\s*\[errors\.md#([^\]]+)\]$")
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
# Functions that throw with the texts they are given. What stands in their own bodies is looked at, too.
THROWS = re.compile(r"\bthrow\s+(?:detail::|broadloom::)?(\w+_error|stopped)\b|\b(?:detail::|runtime::|broadloom::)*((?:throw|raise|refuse|fail|complain)\w*)\s*\(")

# Types that are declared only, and are no messages.
NO_MESSAGES = ("array_as_view", "static_strides_from_sequence", "shape_from_sequence", "braces_of_shape")


def without_comments(text):
    return re.sub(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', lambda m: m.group(1) or "", text, flags=re.DOTALL)


def statement(text, start):
    """The text from `start` to the semicolon or brace that ends the statement."""
    depth, i = 0, start
    while i < len(text):
        c = text[i]
        if c == '"':
            i = STRING.match(text, i).end()
            continue
        if c == "'" and text[i + 2:i + 3] == "'":
            i += 3
            continue
        depth += c in "(["
        depth -= c in ")]"
        if c in ";{" and depth <= 0:
            break
        i += 1
    return text[start:i]


def statements(text):
    """The statements of a file, texts kept."""
    part, last = [], 0
    for token in re.finditer(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|[;{}]', text):
        if token.group(0) in ";{}":
            part.append(text[last:token.start()])
            yield "".join(part)
            part = []
        else:
            part.append(re.sub(r"'[^\"]*\"", "", text[last:token.start()]))
            part.append(token.group(0) if token.group(0)[0] == '"' else "0")
        last = token.end()


def pieces(text):
    """The texts in a statement: neighbours are one, line breaks part them."""
    joined = re.sub(r'(?<!\\)"\s*"', "", text)
    found = []
    for match in STRING.finditer(joined):
        found += re.split(r"\\n", match.group(1).replace('\\"', '"').replace("\\'", "'"))
    return [f.strip() for f in found]


def split(said):
    """A text without the reference at its end, and the anchor that this names."""
    found = REFERENCE.search(said)
    return (said[:found.start()], found.group(1)) if found else (said, None)


def keys(root):
    """(kind, key, place, anchor that the source names or None) of every message."""
    for path in sorted((root / "include").rglob("*.hpp")) + sorted((root / "lib").rglob("*.*pp")):
        # How a call is written is what a message says, and none of its own.
        text = re.sub(r'\btext call\{"[^"]*"\};', "", without_comments(path.read_text()))
        where = path.relative_to(root).as_posix()
        for match in re.finditer(r"\bstatic_assert\(", text):
            said = pieces(statement(text, match.start()))
            if said and " " in said[-1]:
                key, anchor = split(said[-1])
                yield "compile", key, where, anchor
        for match in re.finditer(r'^\s*#\s*error\s+"([^"]+\])"', text, re.M):
            key, anchor = split(match.group(1))
            yield "compile", key, where, anchor
        for match in re.finditer(r"^\s*(?:template <.*?>\s*)?(?:struct|class)\s+(\w+);", text, re.M):
            name = match.group(1)  # declared, never defined or specialised
            before = text[:match.start()]
            listed = before.rfind("namespace errors_md {") > before.rfind("\n}")
            if listed or (name.count("_") >= 2 and name not in NO_MESSAGES and where.startswith("include") and
                          not re.search(rf"(struct|class) {name}\s*[<{{:]", text)):
                yield "type", name, where, name if listed else None
        for match in THROWS.finditer(text):
            said = [p for p in pieces(statement(text, match.start())) if " " in p and len(p) >= 8]
            if said:
                yield "throw", max(said, key=len), where, None
        # Sentences that are put together before they are thrown, or stand in the type of a refused call.
        if ("error" in where or "failure" in where or where.startswith("include")) and "explain" not in where:
            for part in statements(text):
                if not THROWS.search(part) and "static_assert" not in part and "asm" not in part:
                    said = max(pieces(part), key=len, default="")
                    if said.count(" ") >= 3 and len(said) >= 20:
                        key, anchor = split(said)
                        yield "text", key, where, anchor


def rows(page):
    """The rows of docs/reference/errors.md: of each its part of the page ("## ..."), its anchors and its messages."""
    part = ""
    for line in page.splitlines():
        if line.startswith("## "):
            part = line
        if re.match(r"\| (<a |[`.])", line):
            first = re.split(r"(?<!\\) \| ", line)[0]
            said = [(a or b).strip().replace("\\|", "|") for a, b in re.findall(r"``((?:[^`]|`(?!`))+)``|`([^`]+)`", first)]
            yield part, re.findall(r'<a id="([^"]+)"></a>', first), said


def table(page):
    """lib/base/error_anchors.inc: a line for each row that lists messages of exceptions; those of the compiler alone are left out."""
    lines = ["// The messages of exceptions and their anchors in docs/reference/errors.md, from which `tools/messages.py --table .` writes this file.\n"]
    for part, names, said in rows(page):
        said = [m for m in said if not re.fullmatch(r"\w+", m) and re.search(r"\w\w", m)]
        if part != "## When it does not compile" and said:
            quoted = "".join(' "%s\\0"' % m.replace("\\", "\\\\").replace('"', '\\"') for m in said)
            lines.append(f'BROADLOOM_ROW("{names[0]}",{quoted})\n')
    return "".join(lines)


def with_anchors(page):
    """The page with a link to itself before each row."""
    return re.sub(r'<a id="([^"]+)"></a>(?!<a id)', r'<a class="anchor" id="\1" href="#\1">#</a>&nbsp;', page)


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--table":
        root = pathlib.Path(sys.argv[2])
        (root / "lib/base/error_anchors.inc").write_text(table((root / "docs/reference/errors.md").read_text()))
    elif len(sys.argv) == 2:
        for kind, key, where, anchor in keys(pathlib.Path(sys.argv[1])):
            print(f"{kind}\t{key}\t{where}\t{anchor or ''}")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
