#!/usr/bin/env python3
"""Runs a file of pytest's with the folder of a compiled module on the path, and reports each of its cases by TAP.

usage: pytest_tap.py SOURCE_ROOT MODULE FILE
"""
import pathlib
import sys

source, module, file = (pathlib.Path(word).resolve() for word in sys.argv[1:])
sys.path[:0] = [str(source / "tools"), str(module.parent)]
sys.dont_write_bytecode = True
import pytest  # noqa: E402
from tap import Tap  # noqa: E402


class Report:
    def __init__(self):
        self.tap = Tap()

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.failed:
            self.tap.case(report.nodeid.split("::")[-1], report.longreprtext or "failed" if report.failed else None)


reporter = Report()
status = pytest.main(["-p", "no:cacheprovider", "-p", "no:terminal", "--capture=fd", str(file)],
                     plugins=[reporter])
if status not in (0, 1):
    reporter.tap.case("pytest ran", f"pytest ended with {status}")
reporter.tap.finish()
