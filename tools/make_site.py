#!/usr/bin/python3
"""Builds the site of the documentation with Sphinx: the pages of the tree, and the reference out of the headers.

usage: make_site.py SOURCE_ROOT OUTPUT_FOLDER

Needs Sphinx, furo and myst-parser, and libclang (Debian: python3-sphinx furo python3-myst-parser python3-clang-19). Any warning, so any
link that leads nowhere, is an error. Pages are left in OUTPUT_FOLDER/html; they and their search work from files.
"""
import pathlib
import re
import shutil
import subprocess
import sys

import messages
import reference

LINK = re.compile(r"(\[[^\]]*\]\()([^)\s#]+)(#[^)\s]*)?(\))")
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]


def stage(root, source):
    """Copies the pages; what they link to and is no page comes along, a folder means the README in it."""
    (source / "_static").mkdir(parents=True)
    shutil.copy(root / "VERSION", source)
    shutil.copy(root / "docs/site/conf.py", source)
    # The start page stands at the top of the site, two folders above where it is written.
    start = (root / "docs/site/index.md").read_text().replace("](../../", "](").replace("](../", "](docs/")
    (source / "index.md").write_text(start)
    shutil.copy(root / "docs/site/site.css", source / "_static")
    pages = [root / p for p in PAGES] + [p for p in sorted((root / "docs").rglob("*.md")) if "site" not in p.relative_to(root).parts]
    known = {p.resolve() for p in pages}
    errors = (root / "docs/reference/errors.md").resolve()
    rows = {name for _, names, _ in messages.rows(errors.read_text()) for name in names}

    for page in pages:
        place = source / page.relative_to(root)
        place.parent.mkdir(parents=True, exist_ok=True)

        def follow(match):
            target = match.group(2)
            if re.match(r"\w+:", target):
                return match.group(0)
            path = (page.parent / target).resolve()
            if path.is_dir() and (path / "README.md").resolve() in known:
                return match.group(1) + target.rstrip("/") + "/README.md" + (match.group(3) or "") + match.group(4)
            if path == errors and match.group(3):  # an anchor in a row of a table, which is no heading that Sphinx knows
                return f'<a href="{target[:-3]}.html{match.group(3)}">{match.group(1)[1:-2]}</a>' if match.group(3)[1:] in rows else match.group(0)
            if path.is_file() and path not in known:
                copy = source / path.relative_to(root)
                copy.parent.mkdir(parents=True, exist_ok=True)
                if path.suffix == ".md":  # a page that is in no contents
                    copy.write_text("---\norphan: true\n---\n" + path.read_text())
                else:
                    shutil.copy(path, copy)
            elif path.is_dir():
                return "`" + match.group(1)[1:-2].strip("`") + "`"
            return match.group(0)

        parts = re.split(r"(^```.*?^```\s*$)", page.read_text(), flags=re.MULTILINE | re.DOTALL)
        text = "".join(part if number % 2 else LINK.sub(follow, part) for number, part in enumerate(parts))
        place.write_text(messages.with_anchors(text) if page == root / "docs/reference/errors.md" else text)
    _, missing, _ = reference.write(root, source / "docs/reference")
    if missing:
        sys.exit("these public names have no entry in the reference:\n" + "\n".join(missing))


def bundle(scripts):
    """Debian's furo has its script in two modules, which browsers refuse to load from files: makes one plain script of them."""
    script, module = scripts / "furo.js", scripts / "gumshoe-patched.js"
    text = script.read_text()
    head = re.match(r'import (\w+) from "\./gumshoe-patched\.js";\n', text)
    if head and module.exists():
        # It exports by `module.exports` where there is one.
        script.write_text("(function () {\nvar module = {exports: {}}, exports = module.exports;\n" +
                          re.sub(r"^export default (\w+);", r"module.exports = \1;", module.read_text(), flags=re.MULTILINE) +
                          f"\nvar {head.group(1)} = module.exports;\n" + text[head.end():] + "\n})();\n")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    root, out = (pathlib.Path(a).resolve() for a in sys.argv[1:])
    shutil.rmtree(out, ignore_errors=True)
    stage(root, out / "source")
    built = subprocess.run([sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-j", "2", "-b", "html", "-d", str(out / "trees"),
                            str(out / "source"), str(out / "html")], check=False, cwd=out / "source")
    if built.returncode == 0:
        bundle(out / "html/_static/scripts")
        print(f"the site is in {out / 'html/index.html'}")
    sys.exit(built.returncode)


if __name__ == "__main__":
    main()
