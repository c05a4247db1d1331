#!/usr/bin/python3
"""Lists the messages of errors in include/ and lib/: texts of exceptions, of static_assert, and types whose names are sentences.

usage: messages.py SOURCE_ROOT     prints kind, key and place of each

A message is known by its key: of an exception the longest piece of text in its statement that the source spells, up to a line break; of
static_assert its text; of a call that is refused the name of the type that the deleted function returns.
"""
import pathlib
import re
import sys

STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
# Functions that throw with the texts they are given. What stands in their own bodies is looked at, too.
THROWS = re.compile(r"\bthrow\s+(?:detail::|broadloom::)?(\w+_error|stopped)\b|\b(?:detail::|runtime::|broadloom::)*((?:throw|refuse|fail|complain)\w*)\s*\(")

# Types that are declared only, and are no messages.
NO_MESSAGES = ("array_as_view", "an_axis_or_a_number", "static_strides_from_sequence", "shape_from_sequence", "braces_of_shape")


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


def keys(root):
    """(kind, key, place) of every message."""
    for path in sorted((root / "include").rglob("*.hpp")) + sorted((root / "lib").rglob("*.*pp")):
        text = without_comments(path.read_text())
        where = path.relative_to(root).as_posix()
        for match in re.finditer(r"\bstatic_assert\(", text):
            said = pieces(statement(text, match.start()))
            if said and " " in said[-1]:
                yield "compile", said[-1], where
        for match in re.finditer(r"^\s*(?:template <.*?>\s*)?(?:struct|class)\s+(\w+);", text, re.M):
            name = match.group(1)  # declared, never defined or specialised
            if name.count("_") >= 2 and name not in NO_MESSAGES and where.startswith("include") and not re.search(rf"(struct|class) {name}\s*[<{{:]", text):
                yield "type", name, where
        for match in THROWS.finditer(text):
            said = [p for p in pieces(statement(text, match.start())) if " " in p and len(p) >= 8]
            if said:
                yield "throw", max(said, key=len), where
        # Sentences that are put together before they are thrown, or stand in the type of a refused call.
        if ("error" in where or "failure" in where or where.startswith("include")) and "explain" not in where:
            for part in statements(text):
                if not THROWS.search(part) and "static_assert" not in part and "asm" not in part:
                    said = max(pieces(part), key=len, default="")
                    if said.count(" ") >= 3 and len(said) >= 20:
                        yield "text", said, where


def rows(page):
    """The rows of docs/errors.md: a list of the messages in each."""
    for line in page.splitlines():
        if re.match(r"\| [`.]", line):
            yield re.findall(r"`((?:[^`])+)`", re.split(r"(?<!\\) \| ", line)[0])


def anchors(page):
    """Message -> the name of its place in docs/errors.md: its first words, as many as tell it from all others."""
    found = {}
    for said in dict.fromkeys(m for row in rows(page) for m in row):
        words = re.findall(r"[a-z0-9]+(?:_[a-z0-9]+)*", said.lower())
        for count in range(min(5, len(words)), len(words) + 1):
            name = "error-" + "-".join(words[:count])
            if name not in found.values():
                break
        while name in found.values():
            name += "-also"
        found[said] = name
    return found


def with_anchors(page):
    """The page with a link to itself before each message."""
    names = anchors(page)

    def linked(line):
        if not re.match(r"\| [`.]", line):
            return line
        first, *rest = re.split(r"(?<!\\)( \| )", line, maxsplit=1)
        first = re.sub(r"`((?:[^`])+)`", lambda m: f'<a class="anchor" id="{names[m.group(1)]}" href="#{names[m.group(1)]}">#</a>&nbsp;{m.group(0)}', first)
        return first + "".join(rest)
    return "\n".join(linked(line) for line in page.split("\n"))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for kind, key, where in keys(pathlib.Path(sys.argv[1])):
        print(f"{kind}\t{key}\t{where}")


if __name__ == "__main__":
    main()
