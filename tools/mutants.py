#!/usr/bin/env python3
"""Mutation testing: applies small wrong changes to the sources, one at a time, and says which of them no test catches.

usage: mutants.py BUILD_FOLDER [--list FILE] [--sample] [--again] [--check] [--minutes N] [-j N] [WORD...]
       mutants.py --sample-tests

The changes are listed in tools/mutants.txt. A part of that file begins with a line

    == FILE : TEST TEST ...

which names a source file and the test programs that should notice a change to it. Each line below it is one change:
the text as it stands in that file, exactly once, with what is changed in it written as @right@wrong@. White space in the
text stands for any white space. "* TEST TEXT" belongs to the sample that every test run tries with that one test; a line
"   ; REASON" below a change says why no test can notice it. A text that is not found exactly once is an error.

Changes of lib/ are compiled together into one library, each as a choice by the environment variable BROADLOOM_MUTANT,
and the test programs of the build folder run with that library. There, `right` is a whole expression, or statements up
to a semicolon. A change of a header is seen by one test program at a time, compiled for it without optimisation; a
static_assert that fails catches it, too. Results are kept in BUILD_FOLDER/mutants/results.tsv, and what has a result
for the same text of the file is not run again, but for what survived.

The exit status is 0 if every change is caught or has a reason. The last line is "N caught, N explained, N survived".
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SLACK = 10  # seconds of processor time a test may take beyond ten times what it takes without a change


class ListError(Exception):
    """The list does not fit the sources, or cannot be read."""


class Mutant:
    def __init__(self, file, tests, line, text):
        self.file, self.tests, self.line = file, tests, line
        self.sample = ""  # the test that tries it in every test run
        if text.startswith("* "):
            self.sample, text = text[2:].split(" ", 1)
            self.tests = [self.sample, *[name for name in tests if name != self.sample]]
        self.text = text.strip()
        # The same wherever it stands, so that a change of the list does not change what is compiled of other files.
        self.number = 1 + int(hashlib.sha256(f"{file}\0{self.text}".encode()).hexdigest()[:7], 16)
        self.reason = ""
        parts = self.text.split("@")
        if len(parts) < 4 or len(parts) % 3 != 1:
            raise ListError(f"mutants.txt:{line}: a change is written @right@wrong@: {text}")
        self.before = "".join(part for i, part in enumerate(parts) if i % 3 != 2)
        self.parts = parts

    @property
    def of_header(self):
        return self.file.startswith("include/")

    def spans(self, source):
        """(begin, end, wrong text) of each change in the file's text."""
        pattern = "".join(
            ("(" + flexible(part) + ")") if i % 3 == 1 else "" if i % 3 == 2 else flexible(part)
            for i, part in enumerate(self.parts)
        )
        found = list(re.finditer(pattern, source))
        if len(found) != 1:
            raise ListError(f"mutants.txt:{self.line}: found {len(found)} times in {self.file}: {self.before}")
        wrong = self.parts[2::3]
        return [(*found[0].span(i + 1), text) for i, text in enumerate(wrong)]

    def __str__(self):
        return f"{self.file}: {self.text}"


def flexible(text):
    """A pattern for the text in which any white space stands for any other."""
    words = re.split(r"(\s+)", text)
    return "".join(r"\s+" if word.isspace() else re.escape(word) for word in words)


def read_list(path):
    mutants, file, tests = [], None, []
    for number, line in enumerate(pathlib.Path(path).read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("=="):
            head, colon, names = line[2:].partition(" : ")
            file, tests = head.strip(), names.split()
            if not colon or not tests:
                raise ListError(f"mutants.txt:{number}: a part begins with == FILE : TEST...")
        elif line.lstrip().startswith(";"):
            if not mutants or mutants[-1].reason:
                raise ListError(f"mutants.txt:{number}: a reason stands below its change")
            mutants[-1].reason = line.lstrip()[1:].strip()
        elif file is None:
            raise ListError(f"mutants.txt:{number}: before the first file")
        else:
            mutants.append(Mutant(file, tests, number, line))
    if len({m.number for m in mutants}) != len(mutants):
        raise ListError("mutants.txt: a change stands there twice")
    return mutants


def source_of(root, mutant):
    path = root / mutant.file
    if not path.is_file():
        raise ListError(f"mutants.txt:{mutant.line}: there is no file {mutant.file}")
    return path.read_text()


def mutated(source, mutant):
    """The file's text with this change made."""
    for begin, end, wrong in sorted(mutant.spans(source), reverse=True):
        source = source[:begin] + wrong + source[end:]
    return source


def with_switches(source, mutants):
    """The file's text in which each change is a choice by number."""
    places = {}
    for m in mutants:
        for begin, end, wrong in m.spans(source):
            places.setdefault((begin, end), []).append((m, wrong))
    last = len(source) + 1
    for (begin, end), choices in sorted(places.items(), reverse=True):
        if end > last:
            lines = ", ".join(str(m.line) for m, _ in choices)
            raise ListError(f"mutants.txt: the change of line {lines} overlaps another one of {choices[0][0].file}")
        last = begin
        right = source[begin:end]
        if right.rstrip().endswith(";"):
            text = "{ " + right + " }"
            for m, wrong in choices:
                text = f"{{ if (broadloom_mutant({m.number})) {{ {wrong} }} else {text} }}"
        else:
            text = f"({right})"
            for m, wrong in choices:
                text = f"(broadloom_mutant({m.number}) ? ({wrong}) : {text})"
        source = source[:begin] + text + source[end:]
    return source


SWITCH = """#pragma once
extern int broadloom_chosen_mutant;
constexpr bool broadloom_mutant(int n) { return !__builtin_is_constant_evaluated() && broadloom_chosen_mutant == n; }
"""
CHOICE = """#include <cstdlib>
extern int broadloom_chosen_mutant;
int broadloom_chosen_mutant = [] {
  const char* const chosen = std::getenv("BROADLOOM_MUTANT");
  return chosen == nullptr ? 0 : std::atoi(chosen);
}();
"""


def run_program(program, env, seconds, cwd):
    """('', seconds of processor time) if it ended well, else how it did not. It may take so much processor time."""

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 1))

    with tempfile.TemporaryFile() as sink:
        process = subprocess.Popen(
            [str(program), "--report_level=no", "--log_level=error", "--color_output=no", "--catch_system_errors=no"], cwd=cwd,
            env={**os.environ, **env}, stdin=subprocess.DEVNULL, stdout=sink, stderr=subprocess.STDOUT, start_new_session=True,
            preexec_fn=limit,
        )
        with lock:
            running.add(process.pid)
        # One that waits for ever takes no processor time.
        waits = threading.Timer(30 + 3 * seconds, os.killpg, (process.pid, signal.SIGKILL))
        waits.start()
        _, status, used = os.wait4(process.pid, 0)
        waits.cancel()
        process.returncode = status
        with lock:
            running.discard(process.pid)
        sink.seek(0)
        output = sink.read().decode(errors="replace")
    taken = used.ru_utime + used.ru_stime
    if status == 0:
        return "", taken
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        late = number in (signal.SIGKILL, signal.SIGXCPU)
        return f"took more than {seconds:.0f} s" if late else signal.Signals(number).name, taken
    case = re.search(r'error: in "([^"]+)"', output)
    return case.group(1) if case else f"status {os.waitstatus_to_exitcode(status)}", taken


running, lock = set(), threading.Lock()


class Builder:
    """What a build folder knows about how its programs are made."""

    def __init__(self, build, root, work):
        self.build, self.root, self.work = build, root, work
        listing = json.loads((build / "compile_commands.json").read_text())
        self.compile = {entry["output"]: shlex.split(entry["command"]) for entry in listing}

    def ninja(self, *arguments):
        done = subprocess.run(["ninja", "-C", str(self.build), *arguments], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise ListError(f"ninja {' '.join(arguments)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout

    def link_command(self, target):
        return shlex.split(self.ninja("-t", "commands", target).strip().splitlines()[-1])

    def make(self, command):
        return subprocess.run(command, cwd=self.build, capture_output=True, text=True, check=False)

    def library(self, mutants, jobs):
        """Builds the library in which each change is a choice; returns its folder."""
        copy = self.work / "lib"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.root / "lib", copy)
        (self.work / "mutant.hpp").write_text(SWITCH)
        (self.work / "mutant.cpp").write_text(CHOICE)
        by_file = {}
        for m in mutants:
            by_file.setdefault(m.file, []).append(m)
        for file, own in by_file.items():
            (self.work / file).write_text(with_switches(source_of(self.root, own[0]), own))
        target = next(line.split(":")[0] for line in self.ninja("-t", "targets", "all").splitlines()
                      if re.match(r"lib/libbroadloom\.so\.[\d.]+:", line))
        changed = set(by_file)
        replaced, commands = {}, []
        prefix = os.path.relpath(self.root, self.build) + "/"
        for part in re.split(r"\n\n+", self.ninja("-t", "deps")):
            output, *listed = part.strip().split("\n")
            output = output.split(":")[0]
            needs = {line.strip().removeprefix(prefix) for line in listed}
            if not output.startswith("lib/") or output not in self.compile or not needs & changed:
                continue
            to = self.work / "objects" / output
            to.parent.mkdir(parents=True, exist_ok=True)
            replaced[output] = str(to)
            commands.append(self.changed_command(self.compile[output], output, to))
        to = self.work / "objects" / "mutant.o"
        to.parent.mkdir(parents=True, exist_ok=True)
        first = next(iter(self.compile.values()))
        compiler = first[: next(i for i, word in enumerate(first) if word.startswith("-"))]
        commands.append([*compiler, "-std=c++20", "-fPIC", "-c", str(self.work / "mutant.cpp"), "-o", str(to)])
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            errors = [done.stderr for done in pool.map(self.make, commands) if done.returncode != 0]
        if errors:
            raise ListError("changes do not compile:\n" + "\n".join(text[:2000] for text in errors))
        link = []
        for word in self.link_command(target):
            if word.endswith(".a") and word.startswith("lib/libbroadloom_"):
                link += sorted(replaced.get(name, name) for name in self.compile if name.startswith(word + ".p/"))
            elif word == target:
                link.append(str(self.work / "libbroadloom.so.0"))
            else:
                link.append(replaced.get(word, word))
        done = self.make([*link, str(to)])
        if done.returncode != 0:
            raise ListError(f"the library with the changes does not link:\n{done.stderr[:3000]}")
        return self.work

    def changed_command(self, command, output, to):
        def changed(word):
            if word == output:
                return str(to)
            if word.startswith("../lib"):
                return str(self.work / word[3:])
            if word == "-I../lib":
                return f"-I{self.work}/lib"
            return "-O1" if re.fullmatch(r"-O[23]", word) else word
        words = [changed(word) for word in without_dependencies(command)]
        # Expressions of the list need not be as tidy as the sources.
        return words + ["-w", "-fdiagnostics-color=never", "-include", str(self.work / "mutant.hpp")]

    def test_of_header(self, mutant, test, folder):
        """Compiles a test program that sees the changed header; returns (program, '') or (None, why not)."""
        target = f"test/{test}"
        output = next((name for name in self.compile if name.startswith(f"{target}.p/")), None)
        if output is None:
            raise ListError(f"mutants.txt:{mutant.line}: there is no test program {test}")
        overlay = folder / "include"
        path = overlay / pathlib.Path(mutant.file).relative_to("include")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(mutated(source_of(self.root, mutant), mutant))
        obj, program = folder / "test.o", folder / "test"
        command = []
        for word in without_dependencies(self.compile[output]):
            if word == "-I../include":
                command.append(f"-I{overlay}")
            word = re.sub(r"^-O\d$", "-O0", re.sub(r"boost_test_O\d", "boost_test_O0", word))
            command.append(str(obj) if word == output else word)
        # What is compiled once is not worth a place in a cache.
        command = [word for word in command if word != "ccache"]
        done = self.make([*command, "-w"])
        if done.returncode != 0:
            return None, self.why_not(mutant, command, done.stderr)
        link = [str(program) if word == target else str(obj) if word == output else word for word in self.link_command(target)]
        done = self.make([word.replace("$ORIGIN/../lib", str(self.build / "lib")) for word in link])
        if done.returncode != 0:
            return None, "linker"
        return program, ""

    def why_not(self, mutant, command, errors):
        found = re.search(r"static assertion failed|static_assert", errors)
        if found:
            return "static_assert"
        # The header by itself must still be one.
        alone = [word for word in command if not word.startswith("-fpch") and word != "-include" and "boost_test_O" not in word]
        header = mutant.file.removeprefix("include/")
        source = self.work / f"alone{mutant.number}.cpp"
        source.write_text(f"#include <{header}>\n#include <broadloom/broadloom.hpp>\n")
        words = [str(source) if word.endswith("_test.cpp") or word.endswith("properties.cpp") else word for word in alone]
        done = self.make([*words, "-fsyntax-only"])
        if done.returncode != 0 and "static assertion" not in done.stderr:
            error = next((line for line in done.stderr.splitlines() if "error" in line), done.stderr[:300])
            raise ListError(f"mutants.txt:{mutant.line}: the changed header is no C++: {error}")
        return "compile error"


def without_dependencies(command):
    words, skip = [], False
    for word in command:
        if skip:
            skip = False
        elif word in ("-MQ", "-MF"):
            skip = True
        elif word != "-MD":
            words.append(word)
    return words


class Results:
    def __init__(self, path, again):
        self.path = path
        self.known = {}
        if path.exists() and not again:
            for line in path.read_text().splitlines():
                key, verdict, by, _, tests = line.split("\t")[:5]
                self.known[key] = (verdict, by, tests)
        path.parent.mkdir(parents=True, exist_ok=True)

    def has(self, key, mutant):
        """Whether there is a result; caught it stays caught, whatever tests it is given."""
        verdict, _, tests = self.known.get(key, ("", "", ""))
        return verdict == "caught" or (verdict != "" and tests == " ".join(mutant.tests))

    def settled(self, key, mutant):
        """What survived is tried again, as the tests may be better now."""
        return self.has(key, mutant) and (self.known[key][0] == "caught" or mutant.reason != "")

    def add(self, key, mutant, verdict, by, seconds):
        with lock:
            tests = " ".join(mutant.tests)
            self.known[key] = (verdict, by, tests)
            with self.path.open("a") as out:
                out.write(f"{key}\t{verdict}\t{by}\t{seconds:.1f}\t{tests}\t{mutant}\n")


def key_of(root, mutant):
    text = "\0".join([mutant.file, mutant.text, source_of(root, mutant)])
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def main(arguments=None, root=ROOT):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", help="the build folder")
    parser.add_argument("words", nargs="*", help="only changes whose file or text contains one of these")
    parser.add_argument("--list", default=str(root / "tools" / "mutants.txt"))
    parser.add_argument("--sample", action="store_true", help="only the changes that every test run checks")
    parser.add_argument("--again", action="store_true", help="forget the results there are")
    parser.add_argument("--sample-tests", action="store_true", help="list the test programs that the sample runs")
    parser.add_argument("--check", action="store_true", help="only see whether the list fits the sources")
    parser.add_argument("--minutes", type=float, default=180, help="stop then; the next call goes on (180)")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_intermixed_args(arguments)
    try:
        mutants = read_list(options.list)
        if options.sample_tests:
            print("\n".join(sorted({m.sample for m in mutants if m.sample})))
            return 0
        for file in {m.file for m in mutants}:
            own = [m for m in mutants if m.file == file]
            for m in own:
                m.spans(source_of(root, m))
            if not own[0].of_header:
                with_switches(source_of(root, own[0]), own)
        if options.check:
            headers = sum(m.of_header for m in mutants)
            print(f"{len(mutants)} changes fit the sources: {len(mutants) - headers} of lib/, {headers} of headers")
            return 0
        if options.sample:
            mutants = [m for m in mutants if m.sample]
            for m in mutants:
                m.tests = [m.sample]
        if options.words:
            mutants = [m for m in mutants if any(word in str(m) for word in options.words)]
        if not mutants:
            raise ListError("no change is asked for")
        return run(mutants, options, root)
    except ListError as error:
        print(f"mutants: {error}", file=sys.stderr)
        return 2


def run(mutants, options, root):
    build = pathlib.Path(options.build).resolve()
    work = build / ("mutants-sample" if options.sample else "mutants")
    work.mkdir(exist_ok=True)
    end = time.monotonic() + 60 * options.minutes
    results = Results(work / "results.tsv", options.again or options.sample)
    keys = {m.number: key_of(root, m) for m in mutants}
    left = [m for m in mutants if not results.settled(keys[m.number], m)]
    builder = Builder(build, root, work)
    of_lib = [m for m in left if not m.of_header]
    print(f"{len(mutants)} changes, {len(mutants) - len(left)} of them with a result from before", flush=True)

    env, usual = {}, {}
    if of_lib:
        programs = sorted({test for m in of_lib for test in m.tests})
        builder.ninja(*[f"test/{name}" for name in programs])
        start = time.monotonic()
        changes = [m for m in mutants if not m.of_header]
        env = {"LD_LIBRARY_PATH": str(builder.library(changes, options.jobs)), "BROADLOOM_MUTANT": "0"}
        print(f"the library with {len(changes)} changes is built, in {time.monotonic() - start:.0f} s", flush=True)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            ends = pool.map(lambda name: run_program(build / "test" / name, env, 300, root), programs)
            for name, (problem, usual[name]) in zip(programs, ends):
                if problem:
                    raise ListError(f"{name} fails without a change, with the library made for them: {problem}")
                if options.verbose:
                    print(f"    {usual[name]:6.2f} s  {name}", flush=True)
    headers = [m for m in left if m.of_header]
    if headers:
        builder.ninja("test/boost_test_O0.hpp.gch", "test/libtest_main.a")
        builder.ninja(*sorted({f"test/{test}" for m in headers for test in m.tests[:1]}))

    def try_library(m):
        for test in sorted(m.tests, key=usual.get):
            chosen = {**env, "BROADLOOM_MUTANT": str(m.number)}
            by, _ = run_program(build / "test" / test, chosen, 10 * usual[test] + SLACK, root)
            if by:
                return f"{test}: {by}"
        return ""

    def try_header(m):
        folder = work / f"header{m.number}"
        try:
            for test in m.tests:
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
                program, by = builder.test_of_header(m, test, folder)
                by = by or run_program(program, {}, 300, root)[0]
                if by:
                    return f"{test}: {by}"
            return ""
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def attempt(m):
        if time.monotonic() > end:
            return
        start = time.monotonic()
        by = (try_header if m.of_header else try_library)(m)
        verdict = "caught" if by else "explained" if m.reason else "survived"
        results.add(keys[m.number], m, verdict, by, time.monotonic() - start)
        if verdict != "caught" or options.verbose:
            print(f"{verdict}: {m} {by}", flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        try:
            for done in concurrent.futures.as_completed([pool.submit(attempt, m) for m in [*of_lib, *headers]]):
                done.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            with lock:
                for process in running:
                    os.killpg(process, signal.SIGKILL)
            raise
    return report(mutants, keys, results)


def report(mutants, keys, results):
    count = {"caught": 0, "explained": 0, "survived": 0, "not run": 0}
    for m in mutants:
        key = keys[m.number]
        verdict = results.known[key][0] if results.has(key, m) else "not run"
        if verdict in ("survived", "explained"):  # the reason may have come or gone since it ran
            verdict = "explained" if m.reason else "survived"
        count[verdict] += 1
        if verdict == "caught" and m.reason:
            print(f"caught, although the list says why not: {m}")
        elif verdict == "survived":
            print(f"SURVIVED mutants.txt:{m.line}: {m}")
    if count["not run"]:
        print(f"{count['not run']} not run yet: call it again")
    print(f"{count['caught']} caught, {count['explained']} explained, {count['survived']} survived")
    return 0 if count["survived"] == count["not run"] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
