#!/usr/bin/env python3
"""Builds the test programs of a build folder, runs them and counts what they really report.

Boost.Test programs (suite "boost") are asked for their detailed XML report, scripts speak TAP, and any other test is
one case judged by its exit status. A program that crashes, hangs, was not built, reports nothing or no case at all,
or exits with an error after a clean report counts as one failed case. The last line is "N passed, N failed".
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import xml.etree.ElementTree as xml


class Outcome:
    """What one test program reported: names of its cases by result, and what it printed."""

    def __init__(self, name):
        self.name = name
        self.passed = 0
        self.failed = []
        self.skipped = []
        self.output = ""
        self.seconds = 0.0


def read_boost_report(outcome, path):
    """Counts the test cases of a detailed XML report; returns False if there is no complete report."""
    try:
        root = xml.parse(path).getroot()
    except (OSError, xml.ParseError):
        return False
    if root.tag != "TestResult":
        return False

    def walk(node, place):
        for child in node:
            name = place + [child.get("name", "?")]
            if child.tag == "TestCase":
                title = "/".join(name)
                result = child.get("result")
                if result == "passed":
                    outcome.passed += 1
                elif result == "skipped":
                    outcome.skipped.append(title)
                else:
                    outcome.failed.append(f"{title} ({result})")
            elif child.tag == "TestSuite":
                walk(child, name)
                # A suite fails of itself when its fixture does.
                if child.get("result") not in ("passed", "skipped") and suite_has_no_bad_case(child):
                    outcome.failed.append("/".join(name) + f" (suite {child.get('result')})")

    for top in root:
        walk(top, [])
        if top.get("result") not in ("passed", "skipped") and suite_has_no_bad_case(top):
            outcome.failed.append(f"the program's own set-up or tear-down ({top.get('result')})")
    return True


def suite_has_no_bad_case(suite):
    return all(case.get("result") in ("passed", "skipped") for case in suite.iter("TestCase")) and all(
        inner.get("result") in ("passed", "skipped") for inner in suite.iter("TestSuite") if inner is not suite
    )


def read_tap(outcome, text):
    """Counts the lines of a TAP stream; returns False if its plan is missing or not kept."""
    plan = None
    seen = 0
    for line in text.splitlines():
        if re.match(r"Bail out!", line):
            return False
        found = re.match(r"1\.\.(\d+)\s*(#.*)?$", line)
        if found:
            plan = int(found.group(1))
        found = re.match(r"(not )?ok\b\s*\d*\s*(?:-\s*)?(.*)$", line)
        if found:
            seen += 1
            title = found.group(2).strip()
            if re.search(r"#\s*skip", title, re.IGNORECASE):
                outcome.skipped.append(title)
            elif found.group(1):
                outcome.failed.append(title)
            else:
                outcome.passed += 1
    return plan is not None and plan == seen


# What runs programs for another processor, and how much longer they take then. Compilers and interpreters are this one's.
EMULATOR = os.environ.get("BROADLOOM_EMULATOR", "").split()
SLOWDOWN = 10 if EMULATOR else 1

running = set()
running_lock = threading.Lock()


def run(test):
    outcome = Outcome(test["name"])
    command = ([] if "script" in kinds(test) else EMULATOR) + list(test["cmd"])
    is_boost = "boost" in kinds(test)
    is_tap = test["protocol"] == "tap"
    env = {**os.environ, **test["env"]}
    with tempfile.TemporaryDirectory() as scratch:
        report = os.path.join(scratch, "report.xml")
        if is_boost:
            command += [
                "--report_level=detailed",
                "--report_format=XML",
                f"--report_sink={report}",
                "--log_level=error",
                "--color_output=no",
            ]
        start = time.monotonic()
        with tempfile.TemporaryFile() as sink:
            try:
                process = subprocess.Popen(
                    command,
                    cwd=test["workdir"],
                    env=env,
                    stdin=subprocess.DEVNULL,
                    stdout=sink,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            except OSError as error:
                outcome.failed.append(f"could not be started: {error}")
                return outcome
            with running_lock:
                running.add(process)
            timed_out = False
            try:
                status = process.wait(timeout=test["timeout"] * SLOWDOWN or None)
            except subprocess.TimeoutExpired:
                timed_out = True
                os.killpg(process.pid, signal.SIGKILL)
                status = process.wait()
            with running_lock:
                running.discard(process)
            sink.seek(0)
            outcome.output = sink.read().decode(errors="replace")
        outcome.seconds = time.monotonic() - start

        if timed_out:
            outcome.failed.append(f"did not end within {test['timeout'] * SLOWDOWN} s")
        ended = f"killed by signal {-status}" if status < 0 else f"exit status {status}"
        if not is_boost and not is_tap:
            if status == 0:
                outcome.passed += 1
            elif not timed_out:
                outcome.failed.append(ended)
            return outcome
        reported = read_boost_report(outcome, report) if is_boost else read_tap(outcome, outcome.output)
        cases = outcome.passed + len(outcome.failed) + len(outcome.skipped)
        if timed_out:
            pass
        elif not reported:
            outcome.failed.append(f"did not report all of its cases ({ended})")
        elif cases == 0:
            outcome.failed.append("ran no test case")
        elif status != 0 and not outcome.failed:
            outcome.failed.append(f"reported success, then ended with {ended}")
        elif status == 0 and outcome.failed and is_boost:
            outcome.failed.append("reported a failure, then ended with exit status 0")
    return outcome


def kinds(test):
    # Meson writes a suite as "project:name".
    return [suite.split(":")[-1] for suite in test["suite"]]


def listed(build):
    """The tests of a build folder as meson describes them."""
    # An edited meson.build is read first: it may list other tests.
    subprocess.run(["ninja", "-C", build, "--quiet", "build.ninja"], check=False, stdout=subprocess.DEVNULL)
    listing = subprocess.run(["meson", "introspect", "--tests", build], check=True, capture_output=True)
    return json.loads(listing.stdout)


def selected(tests, words):
    if words == ["all"]:
        return tests
    if not words:
        # Meson's suite "elsewhere": what another build takes in a run of all.
        return [test for test in tests if "elsewhere" not in kinds(test)]
    return [test for test in tests if any(word in test["name"] for word in words)]


def own_programs(tests, everything, build):
    """Where not all tests of a shared program are wanted, those that are run as programs of their own, which are built sooner."""
    for test in tests:
        if any(word.startswith("--run_test=") for word in test["cmd"]):
            together = [other["name"] for other in everything if other["cmd"][0] == test["cmd"][0]]
            if not set(together) <= {other["name"] for other in tests}:
                program = "test/" + test["name"].replace("/", ".") + (".exe" if test["cmd"][0].endswith(".exe") else "")
                yield {**test, "cmd": [str(pathlib.Path(build).resolve() / program)], "depends": [], "built": [program]}
                continue
        yield test


def build_all(tests, build, jobs):
    """Builds everything the tests need; returns the names of those that could not be built."""
    root = pathlib.Path(build).resolve()
    listing = subprocess.run(["meson", "introspect", "--targets", build], check=True, capture_output=True)
    files = {
        target["id"]: [str(pathlib.Path(name).resolve().relative_to(root)) for name in target["filename"]]
        for target in json.loads(listing.stdout)
    }
    needs = {test["name"]: test.get("built", []) + [name for item in test["depends"] for name in files[item]] for test in tests}
    everything = sorted({name for names in needs.values() for name in names})
    if not everything:
        return set()
    command = ["ninja", "-C", build, f"-j{jobs}", "-k0"]
    if subprocess.run(command + everything, check=False).returncode == 0:
        return set()
    broken = set()
    for name, wanted in needs.items():
        if not wanted:
            continue
        left = subprocess.run(["ninja", "-C", build, "-n"] + wanted, check=False, capture_output=True, text=True)
        if "no work to do" not in left.stdout:
            broken.add(name)
    return broken or set(needs)


def show(outcome, verbose):
    cases = outcome.passed + len(outcome.failed) + len(outcome.skipped)
    mark = "FAIL" if outcome.failed else "ok  "
    print(f"{mark} {outcome.name}  ({cases} case{'' if cases == 1 else 's'}, {outcome.seconds:.1f} s)", flush=True)
    if outcome.failed or verbose:
        text = outcome.output.rstrip()
        if len(text) > 20000:
            text = text[:10000] + "\n... (shortened) ...\n" + text[-10000:]
        for line in text.splitlines():
            print("     | " + line)
    for title in outcome.failed:
        print("     failed: " + title)
    for title in outcome.skipped:
        print("     skipped: " + title)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="the build folder")
    parser.add_argument("names", nargs="*", help="run only the tests whose name contains one of these words; all: also those that a run of all leaves to another build or leaves out")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("-v", "--verbose", action="store_true", help="show the output of every program")
    options = parser.parse_intermixed_args()

    everything = listed(options.build)
    tests = list(own_programs(selected(everything, options.names), everything, options.build))
    if not tests:
        print("no test has a name with " + " or ".join(options.names) if options.names else "there is no test")
        print("0 passed, 1 failed")
        return 1

    begin = time.monotonic()
    broken = build_all(tests, options.build, options.jobs)
    outcomes = []
    for name in sorted(broken):
        outcome = Outcome(name)
        outcome.failed.append("was not built")
        outcomes.append(outcome)
        show(outcome, False)
    tests = [test for test in tests if test["name"] not in broken]
    # What may take long comes first, so that all processors have work until the end.
    together = sorted((test for test in tests if test["is_parallel"]), key=lambda test: -test["timeout"])
    alone = [test for test in tests if not test["is_parallel"]]
    try:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for done in concurrent.futures.as_completed([pool.submit(run, test) for test in together]):
                outcomes.append(done.result())
                show(outcomes[-1], options.verbose)
        for test in alone:
            outcomes.append(run(test))
            show(outcomes[-1], options.verbose)
    except KeyboardInterrupt:
        with running_lock:
            for process in running:
                os.killpg(process.pid, signal.SIGKILL)
        raise

    passed = sum(outcome.passed for outcome in outcomes)
    failed = sum(len(outcome.failed) for outcome in outcomes)
    skipped = sum(len(outcome.skipped) for outcome in outcomes)
    print(f"\n{len(outcomes)} test programs in {time.monotonic() - begin:.0f} s")
    for outcome in outcomes:
        for title in outcome.failed:
            print(f"failed: {outcome.name}: {title}")
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
