#!/usr/bin/env python3
"""Releases: tools/release refuses what is not ready, makes the commit and the tag, and packs the same archive of the same contents, on a
small tree of its own; and looks at the notes of this one. Reports by TAP.

usage: release_test.py SOURCE_ROOT
"""
import importlib.machinery
import importlib.util
import pathlib
import subprocess
import sys
import tarfile
import tempfile

root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "tools"))
from tap import Tap  # noqa: E402

sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("release", str(root / "tools/release"))
release = importlib.util.module_from_spec(importlib.util.spec_from_loader("release", loader))
loader.exec_module(release)
notes = "# Changes\n\n## 0.2.0 (not released yet)\n\n### Area\n\n- new: one line\n\n## 0.1.0 (2026-01-01)\n\n- (!) old\n  in two lines\n"


def tree(folder):
    """A tree that is ready for 0.2.0, after 0.1.0."""
    (folder / "CHANGELOG.md").write_text(notes)
    (folder / "VERSION").write_text("0.2.0\n")
    for name, words in release.recipes.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"x {words.format('0.2.0')} y\n")
    for words in (["init", "--quiet"], ["config", "user.name", "x"], ["config", "user.email", "x@y"], ["add", "--all"],
                  ["commit", "--quiet", "-m", "All"], ["tag", "v0.1.0"], ["tag", "later"]):
        subprocess.run(["git", "-C", folder, *words], check=True)
    return folder


def commit(folder, name, old, new):
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new))
    subprocess.run(["git", "-C", folder, "commit", "--quiet", "--all", "-m", "Change"], check=True)


def refused(step, *arguments):
    try:
        step(*arguments)
    except release.Refused as why:
        return str(why)
    return "nothing"


CASES = [
    ("it is ready", "0.2.0", lambda f: None, "nothing"),
    ("not a version", "0.2", lambda f: None, "no major.minor.patch"),
    ("changes that are not committed", "0.2.0", lambda f: (f / "VERSION").write_text("0.2.0\n\n"), "not committed"),
    ("a file that git does not know", "0.2.0", lambda f: (f / "new").write_text(""), "not committed"),
    ("another version in the tree", "0.3.0", lambda f: None, "VERSION says 0.2.0"),
    ("released before", "0.2.0", lambda f: release.git(f, "tag", "v0.2.0"), "0.2.0 was released"),
    ("a later one was released", "0.2.0", lambda f: release.git(f, "tag", "v0.10.0"), "0.10.0 was released"),
    ("no notes", "0.2.0", lambda f: commit(f, "CHANGELOG.md", "## 0.2.0", "## 0.2.1"), "no section"),
    ("notes with a date", "0.2.0", lambda f: commit(f, "CHANGELOG.md", "not released yet", "2026-02-02"), "does not say"),
    ("notes without an entry", "0.2.0", lambda f: commit(f, "CHANGELOG.md", "- new: one line\n", ""), "no entry"),
    ("an entry of two lines", "0.2.0", lambda f: commit(f, "CHANGELOG.md", "one line\n", "one line\n  and more\n"), "and more"),
    ("notes that are too long", "0.2.0", lambda f: commit(f, "CHANGELOG.md", "- new: one line\n", "- new: one line\n" * 101), "lines, more than 100"),
    ("a recipe of another version", "0.2.0", lambda f: commit(f, "packaging/conda-forge/meta.yaml", "0.2.0", "0.1.0"), "meta.yaml does not have"),
]

tap = Tap()
for title, version, change, wanted in CASES:
    with tempfile.TemporaryDirectory() as scratch:
        folder = tree(pathlib.Path(scratch))
        change(folder)
        said = refused(release.check, folder, version)
        tap.case(title, None if wanted in said else f"expected {wanted}\nfound    {said}")
with tempfile.TemporaryDirectory() as scratch:
    folder = tree(pathlib.Path(scratch))
    (folder / "recorded").write_text("by a step before\n")
    release.commit(folder, "0.2.0")
    shown = release.git(folder, "show", "--stat", "--format=%s", "HEAD")
    tap.case("the commit has the records and the date", None if shown.startswith("Release 0.2.0") and "recorded" in shown and
             "not released yet" not in (folder / "CHANGELOG.md").read_text() else shown)
    message = release.git(folder, "for-each-ref", "--format=%(contents)", "refs/tags/v0.2.0")
    tap.case("the tag has the notes of this version alone", None if "### Area" in message and "- new: one line" in message and "old" not in message
             else message)
    site = folder / "site"
    (site / "docs").mkdir(parents=True)
    (site / "docs/index.html").write_text("page")
    one = release.pack(folder, "0.2.0", folder / "one.tar.xz", site)
    (site / "docs/index.html").touch()
    other = release.pack(folder, "0.2.0", folder / "other.tar.xz", site)
    with tarfile.open(one) as archive:
        names = archive.getnames()
    wanted = {"broadloom-0.2.0/VERSION", "broadloom-0.2.0/recorded", "broadloom-0.2.0/site/docs/index.html"}
    tap.case("the archive has the tree and the site", None if wanted <= set(names) and "broadloom-0.2.0/one.tar.xz" not in names else names)
    tap.case("an archive of the same is the same", None if one.read_bytes() == other.read_bytes() else "they differ")
version = (root / "VERSION").read_text().strip()
tap.case("the notes at hand could be released", None if (said := refused(release.check_notes, root, version)) == "nothing" else said)
tap.finish()
