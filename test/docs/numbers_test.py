#!/usr/bin/python3
"""Whoever reads a time or a ratio in docs/ finds beside it how it is measured. Reports by TAP.

usage: numbers_test.py SOURCE_ROOT

A claim is a number with a unit of time or of bandwidth, a percentage, or "N times", outside of code. A command is a program or a file of this
project in backquotes, or a link to a page that is nothing but such figures. It stands in the claim's section, or on the page before the first section.
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "tools"))
from tap import Tap  # noqa: E402

CLAIM = re.compile(r"(?<![\w.`-])(?<!/ )\d[\d.,]*(?: (?:ns|us|ms|s|seconds?|minutes?|GB/s|GFLOPS|CPU seconds|times)(?![\w`])| ?%)|"
                   r"\b(?:[Mm]illi|[Mm]icro|[Nn]ano)seconds\b|\b[Ss]econds of processor time\b|\bhalf a second\b")
COMMAND = re.compile(r"`(?:[^`\n]* )?(?:\./dev \w|time \w|(?:bench|test|tools|proof|examples|docs|signal|law|reduce|linalg)/\w|valgrind |python3 )[^`\n]*`|"
                     r"^    (?:\./dev|bench/|tools/) ?\w", re.M)
LINK = re.compile(r"\]\(([\w./]*\.md)(?:#([\w-]+))?\)")


def sections(text):
    """Pairs of a title and the prose of each section; of the page's head first."""
    prose = re.sub(r"^```.*?^```\s*$", "", text, flags=re.M | re.S)
    parts = re.split(r"^##+ (.*)$", prose, flags=re.M)
    return [("", parts[0])] + list(zip(parts[1::2], parts[2::2]))


def anchor(title):
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def has_command(prose, page, follow=True):
    """Whether prose names a command, or links to a section, or to the head of a page, that does."""
    if COMMAND.search(prose):
        return True
    for path, wanted in LINK.findall(prose) if follow else []:
        target = (page.parent / path).resolve()
        if target.exists() and any(has_command(text, target, follow=False) for title, text in sections(target.read_text()) if anchor(title) == wanted):
            return True
    return False


def unmeasured(text, page):
    """The claims of a page that have no command, as (section, claim)."""
    found = sections(text)
    if has_command(found[0][1], page):
        return []
    return [(title, claim.group()) for title, prose in found for claim in CLAIM.finditer(prose) if not has_command(prose, page)]


def main():
    tap = Tap()
    count = 0
    for page in sorted((root / "docs").rglob("*.md")):
        text = page.read_text()
        count += sum(len(CLAIM.findall(prose)) for _, prose in sections(text))
        missing = [f"{title or 'before the first section'}: {claim}" for title, claim in unmeasured(text, page)]
        if CLAIM.search(text):
            tap.case(f"figures of {page.relative_to(root)} have a command that gives them", "\n".join(missing) or None)
    tap.case("claims are found", None if count > 200 else f"only {count}")
    page = root / "docs/internals/page.md"
    for text, wanted in (("It takes 3 ms.", 1), ("## A\nIt takes 3 ms (`bench/run`).\n## B\n20 % more.", 1), ("`./dev bench` says\n## A\n3 times", 0),
                         ("```\n3 ms\n```\nx / 2 times y, `7 ms`", 0), ("7 us, [measured](benchmarks.md)", 0), ("7 us, [so](../reference/errors.md)", 1)):
        found = len(unmeasured(text, page))
        tap.case(f"of {text!r} {wanted} lack a command", None if found == wanted else f"{found} do")
    tap.finish()


if __name__ == "__main__":
    main()
