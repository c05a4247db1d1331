#!/usr/bin/env python3
"""No parameter of a public function is of type bool, of which C++ makes one of texts and numbers, but of detail::flag. By TAP.

usage: flags_test.py SOURCE_ROOT
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "tools"))
from tap import Tap  # noqa: E402

# Namespaces whose functions nobody calls by name. Objects of their classes are called, so their operator() is looked at.
PRIVATE = re.compile(r"\bnamespace (?:broadloom::)?(?:detail|runtime|lanes)\b[^;{=]*\{")
CALL = re.compile(r"(operator\(\)|\b\w+)\s*\(")
WORDS = {"if", "while", "for", "switch", "return", "requires", "sizeof", "static_assert", "decltype", "alignof", "noexcept", "__is_same"}


def closing(text, start, brackets="()"):
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] == brackets[0]) - (text[i] == brackets[1])
        if depth == 0:
            return i
    return len(text)


def parameters(text):
    """Name and parameters of what is declared, and whether the declaration is deleted."""
    for m in CALL.finditer(text):
        if m.group(1) in WORDS:
            continue
        end = closing(text, m.end() - 1)
        behind = text[end + 1:end + 200]
        yield m.group(1), text[m.end():end], bool(re.match(r"[^;{]*=\s*delete\b", behind)), m.start()


def without_private(text):
    while (m := PRIVATE.search(text)) is not None:
        text = text[:m.start()] + text[closing(text, m.end() - 1, "{}") + 1:]
    return text


def flags_of_bool(text):
    """What takes a bool parameter and may be called: every operator(), and functions that are no members and not private."""
    text = re.sub(r"//[^\n]*", "", text)
    found = []
    for name, taken, deleted, _ in parameters(text):
        if name == "operator()" and not deleted and re.search(r"\bbool(?:\s+\w+)?\s*(?:=|,|$)", taken):
            found.append(f"operator()({' '.join(taken.split())})")
    public = without_private(text)
    for name, taken, deleted, at in parameters(public):
        if name == "operator()" or deleted or not re.search(r"(?:^|,)\s*(?:const )?bool \w+\s*(?:=[^,]*)?(?=,|$)", taken):
            continue
        own = public[:at]
        if not re.search(r"\b(?:class|struct)\b[^;{}]*\{[^{}]*$", own):
            line = own[own.rfind("\n") + 1:]
            if re.match(r"(?:template|constexpr|inline|auto|\w[\w:<>, ]*\s)*$", line) and not line.startswith("    "):
                found.append(f"{name}({' '.join(taken.split())})")
    return found


tap = Tap()
tap.case("the search finds a flag of bool",
         None if flags_of_bool("struct f { auto operator()(int x, bool right = false) const; };\nauto g(int x, bool b = true) {}")
         == ["operator()(int x, bool right = false)", "g(int x, bool b = true)"] else "it does not")
tap.case("the search passes over what is private, and what is refused",
         None if not flags_of_bool("namespace detail { void g(int x, bool b); }\nstruct f { void operator()(int, bool) = delete; };")
         else "it does not")
wrong, seen = [], 0
for path in sorted((root / "include").rglob("*.hpp")):
    text = path.read_text()
    seen += len(re.findall(r"\bdetail::\w*flag \w+", text))
    wrong += [f"{path.relative_to(root)}: {f}" for f in flags_of_bool(text)]
tap.case("no parameter of a public function is of bool", "\n".join(wrong) or None)
tap.case("there are flags", None if seen > 30 else f"only {seen}")
tap.finish()
