#!/usr/bin/env python3
"""The test runner counts what really happened: a program that fails, crashes, hangs, stops early or says nothing is
never taken for a success. Reports by TAP.

usage: run_tests_test.py SOURCE_ROOT COMPILER...
"""
import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1]).resolve()
compiler = sys.argv[2:]
sys.path.insert(0, str(root / "tools"))
import run_tests  # noqa: E402
from tap import Tap  # noqa: E402

# One real Boost.Test program that misbehaves as its environment says, between a good case and another.
program = r"""
#define BOOST_TEST_MODULE misbehaving
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <unistd.h>
namespace utf = boost::unit_test;
bool mode(const char* name) { return std::strcmp(std::getenv("MODE"), name) == 0; }
struct fixture {
  fixture() { if (mode("fixture")) throw std::runtime_error("no fixture"); }
  ~fixture() { if (mode("exit after the report")) std::atexit([] { _exit(3); }); }
};
BOOST_TEST_GLOBAL_FIXTURE(fixture);
struct unless_skipping {
  boost::test_tools::assertion_result operator()(utf::test_unit_id) const { return !mode("skip"); }
};
BOOST_AUTO_TEST_SUITE(suite)
BOOST_AUTO_TEST_CASE(first) { BOOST_TEST(true); }
BOOST_AUTO_TEST_CASE(second, *utf::precondition(unless_skipping{})) {
  BOOST_TEST(!mode("fail"));
  if (mode("throw")) throw std::runtime_error("thrown");
  if (mode("abort")) std::abort();
  if (mode("crash")) { volatile int* p = nullptr; *p = 1; }
  if (mode("leave")) _exit(0);
  if (mode("exit")) std::exit(0);
  if (mode("hang")) for (;;) sleep(1);
}
BOOST_AUTO_TEST_CASE(third) { BOOST_TEST(true); }
BOOST_AUTO_TEST_SUITE_END()
"""

# mode: (passed, failed, skipped), and what one of the failures must say
boost_modes = {
    "nothing": ((3, 0, 0), None),
    "fail": ((2, 1, 0), "second (failed)"),
    "throw": ((2, 1, 0), "second (aborted)"),
    "skip": ((2, 0, 1), None),
    "abort": ((2, 1, 0), "second (aborted)"),
    "crash": ((2, 1, 0), "second (aborted)"),
    "leave": ((0, 1, 0), "did not report all of its cases"),
    "exit": ((0, 1, 0), "did not report all of its cases"),
    "hang": ((0, 1, 0), "did not end within 2 s"),
    "fixture": ((3, 1, 0), "set-up or tear-down"),
    "exit after the report": ((3, 1, 0), "reported success, then ended with exit status 3"),
}

# name: TAP text, exit status, (passed, failed, skipped), and what the failure must say
tap_texts = {
    "all is well": ("ok 1 - a\nok 2 - b\n1..2\n", 0, (2, 0, 0), None),
    "the plan comes first": ("1..1\nok 1 - a\n", 0, (1, 0, 0), None),
    "a case fails": ("ok 1 - a\nnot ok 2 - b\n1..2\n", 1, (1, 1, 0), "b"),
    "a case fails and the status is 0": ("not ok 1 - b\n1..1\n", 0, (0, 1, 0), "b"),
    "a failure is a known one": ("not ok 1 - b # TODO later\n1..1\n", 0, (0, 1, 0), "b # TODO later"),
    "a case is skipped": ("ok 1 - a # SKIP no data\nok 2\n1..2\n", 0, (1, 0, 1), None),
    "the plan is missing": ("ok 1 - a\n", 0, (1, 1, 0), "did not report all of its cases"),
    "the plan is not kept": ("1..3\nok 1 - a\n", 0, (1, 1, 0), "did not report all of its cases"),
    "it bails out": ("1..1\nok 1 - a\nBail out! no disk\n", 0, (1, 1, 0), "did not report all of its cases"),
    "it plans nothing": ("1..0\n", 0, (0, 1, 0), "ran no test case"),
    "it prints nothing": ("", 0, (0, 1, 0), "did not report all of its cases"),
    "it succeeds and then fails": ("ok 1 - a\n1..1\n", 2, (1, 1, 0), "reported success, then ended with exit status 2"),
}


def described(command, protocol, suite, mode=""):
    return {
        "name": "case", "cmd": command, "env": {"MODE": mode}, "suite": ["broadloom:" + suite], "protocol": protocol,
        "timeout": 2, "workdir": None, "is_parallel": True, "depends": [],
    }


def compare(outcome, counts, reason):
    got = (outcome.passed, len(outcome.failed), len(outcome.skipped))
    problems = []
    if got != counts:
        problems.append(f"wanted passed, failed, skipped {counts}, got {got}: {outcome.failed}")
    if reason is not None and not any(reason in title for title in outcome.failed):
        problems.append(f"no failure says '{reason}': {outcome.failed}")
    if problems:
        return "\n".join(problems) + "\n" + outcome.output
    return None


tap = Tap()
with tempfile.TemporaryDirectory() as scratch:
    source = pathlib.Path(scratch) / "misbehaving.cpp"
    source.write_text(program)
    binary = pathlib.Path(scratch) / "misbehaving"
    built = subprocess.run(
        compiler + ["-std=c++20", "-DBOOST_TEST_DYN_LINK", str(source), "-o", str(binary), "-lboost_unit_test_framework"],
        capture_output=True, text=True, check=False,
    )
    if built.returncode != 0:
        tap.case("a misbehaving program compiles", built.stderr)
        tap.finish()
    for mode, (counts, reason) in boost_modes.items():
        outcome = run_tests.run(described([str(binary)], "exitcode", "boost", mode))
        tap.case(f"a Boost.Test program, mode: {mode}", compare(outcome, counts, reason))

for title, (text, status, counts, reason) in tap_texts.items():
    script = f"import sys; sys.stdout.write({text!r}); sys.exit({status})"
    outcome = run_tests.run(described([sys.executable, "-c", script], "tap", "script"))
    tap.case(f"a script, {title}", compare(outcome, counts, reason))

for status, counts in ((0, (1, 0, 0)), (1, (0, 1, 0))):
    outcome = run_tests.run(described([sys.executable, "-c", f"raise SystemExit({status})"], "exitcode", "other"))
    tap.case(f"a program judged by its exit status {status}", compare(outcome, counts, None))
named = [{"name": name, "suite": ["broadloom:boost", "broadloom:" + suite]} for name, suite in (("a/b", "all"), ("a/c", "elsewhere"))]
for words, wanted in (([], ["a/b"]), (["a/"], ["a/b", "a/c"]), (["c"], ["a/c"])):
    got = [test["name"] for test in run_tests.selected(named, words)]
    tap.case(f"what is run with the words {words}", None if got == wanted else str(got))
outcome = run_tests.run(described(["/nonexistent/program"], "exitcode", "boost"))
tap.case("a program that cannot be started", compare(outcome, (0, 1, 0), "could not be started"))
tap.finish()
