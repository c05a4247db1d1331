#!/usr/bin/python3
"""Builds the site and looks at it in headless Chromium: no console errors, and its search finds a function. Reports by TAP.

usage: site_test.py SOURCE_ROOT [SITE]     with SITE, a built site is looked at. The contents are read everywhere; the rest is skipped
                                           where Sphinx or Chromium is missing.
"""
import fnmatch
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "tools"))
from tap import Tap  # noqa: E402

DEBIAN = "/usr/bin/python3"  # its modules are Debian's


def not_in_contents():
    """The pages of docs/ that no contents of the site name, nor any pattern among them."""
    named = [line.strip() for block in re.findall(r"```{toctree}\n(.*?)```", (root / "docs/site/index.md").read_text(), re.DOTALL)
             for line in block.splitlines() if line.startswith(("docs/", "The guide"))]
    named = [re.sub(r".*<(.*)>", r"\1", name) + ".md" for name in named]
    pages = [path.relative_to(root).as_posix() for folder in ("guide", "from", "internals") for path in sorted((root / "docs" / folder).rglob("*.md"))]
    return [page for page in pages if not any(fnmatch.fnmatchcase(page, name) for name in named)]


def visit(page, profile, *options):
    """What the page is after its scripts ran, and what its console said."""
    ran = subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", f"--user-data-dir={profile}", "--virtual-time-budget=5000",
         "--enable-logging=stderr", *options, "--dump-dom", page], capture_output=True, text=True, check=False, timeout=60)
    return ran.stdout, "\n".join(line for line in ran.stderr.splitlines() if ":CONSOLE" in line) or None


def main():
    tap = Tap()
    tap.case("each page is in the contents of docs/site/index.md", "\n".join(not_in_contents()) or None)
    if not os.path.exists(DEBIAN) or subprocess.run([DEBIAN, "-c", "import sphinx, furo, myst_parser, clang"], capture_output=True,
                                                    check=False).returncode:
        tap.case("the site is built # SKIP Sphinx, furo, myst-parser or libclang is not installed")
        tap.finish()
    with tempfile.TemporaryDirectory() as scratch:
        site = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else pathlib.Path(scratch) / "site"
        if len(sys.argv) <= 2:
            built = subprocess.run([DEBIAN, str(root / "tools/make_site.py"), str(root), str(site)], capture_output=True, text=True, check=False)
            tap.case("the site is built without a warning", built.stdout + built.stderr if built.returncode else None)
        if shutil.which("chromium") is None:
            tap.case("pages in Chromium # SKIP it is not installed")
            tap.finish()
        html = (site / "html").resolve()
        for name in ("index", "docs/reference/pointwise", "docs/guide/shapes"):
            _, said = visit(f"file://{html}/{name}.html", scratch + "/profile")
            tap.case(f"{name} loads without console errors", said)
        page, said = visit(f"file://{html}/search.html?q=addcmul", scratch + "/profile")
        found = re.search(r"found (\d+) page", page)
        tap.case("the search finds addcmul", said or (None if found and "docs/reference/pointwise.html" in page else page[-2000:]))
        tap.finish()


if __name__ == "__main__":
    main()
